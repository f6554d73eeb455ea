#include "otf2/own_read.h"

#include "base/buffer.h"
#include "model/roles.h"

#include <stdlib.h>
#include <string.h>

/* Fields of one string at most, the word included. */
#define FIELDS 16

static enum prvcut_status own_damaged(struct o2_own_reading *r, const char *text)
{
    return prvcut_fail(r->err, PRVCUT_EFORMAT, "%.500s.def: \"%.100s\" cannot be understood",
                       r->trace->stem, text);
}

void *o2_own_more(struct o2_own_reading *r, void *table, size_t *count, size_t *room, size_t size)
{
    void **at = table;

    r->status = prvcut_grow(at, room, *count + 1, size, r->err);
    return r->status < 0 ? NULL : (char *)*at + size * (*count)++;
}

char *o2_own_copy(struct o2_own_reading *r, const char *text)
{
    const size_t count = strlen(text) + 1;
    char *at = prvcut_dictionary_room(&r->own->dictionary, count, r->err);

    if (!at)
        r->status = PRVCUT_ENOMEM;
    return at ? memcpy(at, text, count) : NULL;
}

/* Split at tabs; the last field takes what is left. */
static size_t own_split(char *text, char **field, size_t most)
{
    size_t count = 0;

    while (count < most) {
        field[count++] = text;
        text = count < most ? strchr(text, '\t') : NULL;
        if (!text)
            break;
        *text++ = '\0';
    }
    return count;
}

static bool own_number(const char *text, uint64_t most, uint64_t *out)
{
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    *out = strtoull(text, &end, 10);
    return *end == '\0' && *out <= most;
}

static bool own_number32(const char *text, uint32_t *out)
{
    uint64_t n = 0;
    const bool ok = own_number(text, UINT32_MAX - 1, &n);

    *out = (uint32_t)n;
    return ok;
}

/* A list of numbers with commas between them, appended. */
static enum prvcut_status own_list(struct o2_own_reading *r, char *text, uint32_t **at,
                                   size_t *count, size_t *room)
{
    while (text && *text) {
        char *comma = strchr(text, ',');
        uint32_t n, *slot;

        if (comma)
            *comma++ = '\0';
        if (!own_number32(text, &n))
            return own_damaged(r, text);
        slot = o2_own_more(r, at, count, room, sizeof **at);
        if (!slot)
            return r->status;
        *slot = n;
        text = comma;
    }
    return PRVCUT_OK;
}

static enum prvcut_status own_put_ids(struct o2_own_reading *r, char *const *field, size_t type)
{
    struct o2_own *own = r->own;
    struct o2_ids *const ids[O2_NEEDS] = {
        [O2_METRIC] = &own->metric,         [O2_NUMBER] = &own->parameter,
        [O2_TEXT] = &own->parameter,        [O2_DETAIL_NUMBER] = &own->attribute,
        [O2_DETAIL_TEXT] = &own->attribute,
    };
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < O2_NEEDS && st == PRVCUT_OK; i++) {
        uint32_t id;

        if (strcmp(field[i], "-") == 0)
            continue;
        if (!own_number32(field[i], &id))
            return own_damaged(r, field[i]);
        st = o2_ids_put(ids[i], id, type * O2_NEEDS + i, r->err);
    }
    return st;
}

/* number, role, kind, ids, unit, group, text */
static enum prvcut_status own_take_type(struct o2_own_reading *r, char *text)
{
    char *field[FIELDS] = { NULL };
    struct prvcut_type_name *t;
    struct prvcut_type_name type = { 0 };
    enum prvcut_status st;

    if (own_split(text, field, 6 + O2_NEEDS) != 6 + O2_NEEDS ||
        !own_number32(field[0], &type.number) || !prvcut_role_of_text(field[1], &type.role))
        return own_damaged(r, field[0]);
    type.region = strcmp(field[2], "region") == 0;
    type.gauge = strcmp(field[2], "gauge") == 0;
    type.unit = field[3 + O2_NEEDS];
    type.group = field[4 + O2_NEEDS];
    type.text = field[5 + O2_NEEDS];
    st = own_put_ids(r, field + 3, r->types);
    if (st == PRVCUT_OK)
        st = o2_ids_put(&r->own->by_number, type.number, r->types, r->err);
    if (st < 0)
        return st;
    if (type.role == PRVCUT_ROLE_TRACING && !type.region && r->own->tracing == UINT32_MAX)
        r->own->tracing = (uint32_t)r->types;
    t = o2_own_more(r, &r->type, &r->types, &r->type_room, sizeof *r->type);
    if (t)
        *t = type;
    return r->status;
}

/* number of the type, first string, values */
static enum prvcut_status own_take_values(struct o2_own_reading *r, char *text)
{
    char *field[FIELDS] = { NULL };
    struct o2_own_labels set = { .first = r->own->values };
    uint32_t type;

    if (own_split(text, field, 3) != 3 || !own_number32(field[0], &type) ||
        !own_number32(field[1], &set.base))
        return own_damaged(r, field[0]);
    set.type = o2_ids_get(&r->own->by_number, type);
    if (set.type == O2_NOWHERE)
        return own_damaged(r, field[0]);
    for (char *at = field[2]; *at && r->status == PRVCUT_OK;) {
        int64_t *slot =
            o2_own_more(r, &r->own->value, &r->own->values, &r->own->value_room, sizeof *slot);
        char *end;

        if (!slot)
            return r->status;
        *slot = strtoll(at, &end, 10);
        if (end == at || (*end != ',' && *end != '\0'))
            return own_damaged(r, at);
        at = *end == ',' ? end + 1 : end;
        set.count++;
    }
    struct o2_own_labels *to =
        o2_own_more(r, &r->own->labels, &r->own->label_sets, &r->own->label_room, sizeof *to);
    if (to)
        *to = set;
    return r->status;
}

/* number, colour, text */
static enum prvcut_status own_take_state(struct o2_own_reading *r, char *text)
{
    char *field[FIELDS] = { NULL };
    struct prvcut_state_name *s, state = { .colour = -1 };

    if (own_split(text, field, 3) != 3 || !own_number32(field[0], &state.number))
        return own_damaged(r, field[0]);
    if (field[1][0] != '\0')
        state.colour = (int32_t)(strtoul(field[1], NULL, 16) & 0xffffff);
    state.text = field[2];
    s = o2_own_more(r, &r->state, &r->states, &r->state_room, sizeof *s);
    if (s)
        *s = state;
    return r->status;
}

/* definition, application, number */
static enum prvcut_status own_take_comm(struct o2_own_reading *r, char *text)
{
    char *field[FIELDS] = { NULL };
    struct o2_own_comm *c, comm;

    if (own_split(text, field, 3) != 3 || !own_number32(field[0], &comm.id) ||
        !own_number32(field[1], &comm.application) || !own_number32(field[2], &comm.number))
        return own_damaged(r, field[0]);
    c = o2_own_more(r, &r->own->comm, &r->own->comms, &r->own->comm_room, sizeof *c);
    if (c)
        *c = comm;
    return r->status;
}

static enum prvcut_status own_take_names(struct o2_own_reading *r, char *text)
{
    r->own->named_nodes = strstr(text, "nodes") != NULL;
    r->own->named_tasks = strstr(text, "tasks") != NULL;
    r->own->named_threads = strstr(text, "threads") != NULL;
    return PRVCUT_OK;
}

static enum prvcut_status own_take_running(struct o2_own_reading *r, char *text)
{
    return own_number32(text, &r->own->dictionary.running) ? PRVCUT_OK : own_damaged(r, text);
}

static enum prvcut_status own_take_overlap(struct o2_own_reading *r, char *text)
{
    return own_number32(text, &r->own->overlap) ? PRVCUT_OK : own_damaged(r, text);
}

static enum prvcut_status own_take_applications(struct o2_own_reading *r, char *text)
{
    return own_list(r, text, &r->own->application, &r->own->applications,
                    &r->own->application_room);
}

static enum prvcut_status own_take_cpus(struct o2_own_reading *r, char *text)
{
    return own_list(r, text, &r->own->cpus, &r->own->nodes, &r->own->node_room);
}

static const struct {
    const char *word;
    enum prvcut_status (*take)(struct o2_own_reading *r, char *text);
} words[] = {
    { O2_OWN_TYPE, own_take_type },       { O2_OWN_VALUES, own_take_values },
    { O2_OWN_STATE, own_take_state },     { O2_OWN_RUNNING, own_take_running },
    { O2_OWN_OVERLAP, own_take_overlap }, { O2_OWN_APPLICATIONS, own_take_applications },
    { O2_OWN_CPUS, own_take_cpus },       { O2_OWN_COMMUNICATOR, own_take_comm },
    { O2_OWN_NAMES, own_take_names },
};

void o2_own_take(struct o2_own_reading *r, const char *text)
{
    const char *tab = strchr(text, '\t');
    const size_t length = tab ? (size_t)(tab - text) : strlen(text);
    char empty[1] = "", *fields;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) != length || strncmp(words[i].word, text, length) != 0)
            continue;
        fields = tab ? o2_own_copy(r, tab + 1) : empty;
        if (fields)
            r->status = words[i].take(r, fields);
        return;
    }
}
