#include "paraver/describe.h"

#include "model/calls.h"
#include "model/roles.h"
#include "paraver/paraver.h"
#include "paraver/roles.h"
#include "paraver/row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Types by number, as Extrae hands numbers out; [first, last]. */
static const struct {
    uint32_t first, last;
    const char *group;
} groups[] = {
    { 40000000, 40999999, "measurement" }, { 46000000, 46499999, "memory" },
    { 50000000, 50999999, "MPI" },         { 60000019, 60000019, "user" },
    { 60000000, 60000999, "OpenMP" },      { 61000000, 61999999, "pthread" },
    { 63000000, 63999999, "CUDA" },        { 64000000, 64999999, "OpenCL" },
    { 65000000, 65999999, "OpenMP" },
};

static const char *describe_group_of(const struct prvcut_label *l)
{
    if (PRVCUT_ROLES_MPI & PRVCUT_ROLE_BIT(l->role))
        return "MPI";
    if (prvcut_role_is_counter(l->role))
        return "counter";
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (l->number >= groups[i].first && l->number <= groups[i].last)
            return groups[i].group;
    return l->region ? "user" : "";
}

/* "name [bytes]" has a unit, "PAPI_TOT_INS [Instr completed]" an explanation: of several words. */
static enum prvcut_status describe_set_text(struct prvcut_dictionary *d, struct prvcut_type_name *t,
                                            const char *label, struct prvcut_error *err)
{
    const char *open = strrchr(label, '[');
    const size_t length = strlen(label), inner = open ? strcspn(open + 1, "] ") : 0;
    char *text, *unit;

    t->unit = prvcut_role_is_counter(t->role) ? "#" : "";
    t->text = prvcut_dictionary_text(d, label, err);
    if (!t->text)
        return PRVCUT_ENOMEM;
    if (!(prvcut_role_is_counter(t->role) || t->gauge) || !open || open < label + 2 ||
        open[-1] != ' ' || inner == 0 || inner > 12 || open + 1 + inner != label + length - 1)
        return PRVCUT_OK;
    text = prvcut_dictionary_room(d, (size_t)(open - label), err);
    unit = prvcut_dictionary_room(d, inner + 1, err);
    if (!text || !unit)
        return PRVCUT_ENOMEM;
    memcpy(text, label, (size_t)(open - 1 - label));
    memcpy(unit, open + 1, inner);
    t->text = text;
    t->unit = unit;
    return PRVCUT_OK;
}

/* Types of one block share their values, there and here. */
static enum prvcut_status describe_set_values(struct prvcut_dictionary *d,
                                              const struct prv_labels *l, size_t at,
                                              struct prvcut_type_name *t, struct prvcut_error *err)
{
    const struct prv_type *from = &l->type[at];
    struct prvcut_value_name *value;

    t->values = from->values;
    if (from->values == 0)
        return PRVCUT_OK;
    if (d->types > 0 && at > 0 && l->type[at - 1].value == from->value &&
        d->type[d->types - 1].number == l->type[at - 1].label.number) {
        t->value = d->type[d->types - 1].value;
        return PRVCUT_OK;
    }
    value = prvcut_dictionary_room(d, from->values * sizeof *value, err);
    if (!value)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < from->values; i++) {
        value[i] = (struct prvcut_value_name){
            .value = from->value[i].number,
            .text = prvcut_dictionary_text(d, from->value[i].text, err),
            .detail = "",
        };
        if (!value[i].text)
            return PRVCUT_ENOMEM;
    }
    t->value = value;
    return PRVCUT_OK;
}

static enum prvcut_status describe_types(const struct prv_trace *t, struct prvcut_dictionary *d,
                                         struct prvcut_error *err)
{
    const struct prv_labels *l = &t->labels;
    enum prvcut_status st = PRVCUT_OK;

    d->type = prvcut_dictionary_room(d, (l->types + 1) * sizeof *d->type, err);
    if (!d->type)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < l->types && st == PRVCUT_OK; i++) {
        const struct prvcut_label *label = &l->type[i].label;
        struct prvcut_type_name *type = &d->type[d->types];

        if (!l->type[i].listed && l->pcf_path)
            continue;
        *type = (struct prvcut_type_name){
            .number = label->number,
            .role = label->role,
            .region = label->region,
            .gauge = label->number >= PRVCUT_TYPE_GAUGE && label->number < 47000000,
            .group = describe_group_of(label),
        };
        st = describe_set_text(d, type, label->text, err);
        if (st == PRVCUT_OK)
            st = describe_set_values(d, l, i, type, err);
        d->types += st == PRVCUT_OK;
    }
    return st;
}

static struct prvcut_state_name *describe_find_state(struct prvcut_dictionary *d, uint32_t number)
{
    for (size_t i = 0; i < d->states; i++)
        if (d->state[i].number == number)
            return &d->state[i];
    return NULL;
}

/* One line "7    {255,255,0}" of the section; false: it is none. */
static bool describe_take_colour(struct prvcut_dictionary *d, const char *line)
{
    unsigned number, red, green, blue;
    struct prvcut_state_name *s;

    if (sscanf(line, "%u {%u,%u,%u}", &number, &red, &green, &blue) != 4)
        return false;
    s = describe_find_state(d, number);
    if (s && red < 256 && green < 256 && blue < 256)
        s->colour = (int32_t)(red << 16 | green << 8 | blue);
    return true;
}

static void describe_read_colours(struct prvcut_dictionary *d, char *text)
{
    static const char section[] = "STATES_COLOR";
    char *line = strstr(text, section);
    char *rest = NULL;

    if (!line)
        return;
    for (line = strtok_r(line + sizeof section - 1, "\r\n", &rest); line;
         line = strtok_r(NULL, "\r\n", &rest))
        if (!describe_take_colour(d, line) && line[strspn(line, " \t")] != '\0')
            return;
}

/* What is damaged in it was found when the trace was opened; all else is a failure of its own. */
static enum prvcut_status describe_colours(const struct prv_labels *l, struct prvcut_dictionary *d,
                                           struct prvcut_error *err)
{
    struct prvcut_error local = { 0 };
    char *text = NULL;
    size_t count;
    enum prvcut_status st;

    if (!l->pcf_path)
        return PRVCUT_OK;
    st = prvcut_source_slurp_text(l->pcf_path, PRV_LABELS_MOST, &text, &count, &local);
    if (st == PRVCUT_OK)
        describe_read_colours(d, text);
    free(text);
    return st < 0 && st != PRVCUT_EFORMAT ? prvcut_fail(err, st, "%s", local.text) : PRVCUT_OK;
}

static enum prvcut_status describe_states(const struct prv_trace *t, struct prvcut_dictionary *d,
                                          struct prvcut_error *err)
{
    const struct prv_labels *l = &t->labels;

    d->running = l->running;
    d->state = prvcut_dictionary_room(d, (l->states + 1) * sizeof *d->state, err);
    if (!d->state)
        return PRVCUT_ENOMEM;
    for (; d->states < l->states; d->states++) {
        const struct prvcut_label *label = &l->state[d->states];

        d->state[d->states] = (struct prvcut_state_name){
            .number = label->number,
            .text = prvcut_dictionary_text(d, label->text, err),
            .colour = l->pcf_path ? -1 : prvcut_state_colour(label->number),
        };
        if (!d->state[d->states].text)
            return PRVCUT_ENOMEM;
    }
    return describe_colours(l, d, err);
}

/* Names of one level, as far as the .row gives them; *out stays NULL where it does not. */
static enum prvcut_status describe_take_names(struct prvcut_dictionary *d,
                                              const struct prv_row *row, const char *kind,
                                              uint32_t count, const char ***out,
                                              struct prvcut_error *err)
{
    const struct prv_row_level *level = prv_row_find(row, kind);

    if (!level || count == 0)
        return PRVCUT_OK;
    *out = prvcut_dictionary_room(d, (size_t)count * sizeof **out, err);
    if (!*out)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < count && i < level->count; i++) {
        (*out)[i] = prvcut_dictionary_text(d, row->name[level->first + i], err);
        if (!(*out)[i])
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

/* "THREAD 1.3.1" is what a thread is called that has no name. */
static void describe_drop_plain_names(const struct prvcut_objects *o, struct prvcut_dictionary *d)
{
    for (uint32_t t = 0; d->thread && t < o->threads; t++) {
        char plain[PRVCUT_PLAIN_NAME];

        prvcut_objects_plain_name(o, t, plain);
        if (d->thread[t] && strcmp(d->thread[t], plain) == 0)
            d->thread[t] = NULL;
    }
}

static enum prvcut_status describe_objects(const struct prv_trace *t, struct prvcut_dictionary *d,
                                           struct prvcut_error *err)
{
    const struct prvcut_objects *o = &t->base.objects;
    struct prv_row row = { 0 };
    enum prvcut_status st;

    if (!t->labels.row_path)
        return PRVCUT_OK;
    st = prv_row_read(&row, t->labels.row_path, err);
    if (st == PRVCUT_OK)
        st = describe_take_names(d, &row, "THREAD", o->threads, &d->thread, err);
    if (st == PRVCUT_OK)
        st = describe_take_names(d, &row, "TASK", o->tasks, &d->task, err);
    if (st == PRVCUT_OK)
        st = describe_take_names(d, &row, "NODE", o->nodes, &d->node, err);
    describe_drop_plain_names(o, d);
    prv_row_fini(&row);
    return st;
}

enum prvcut_status prv_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                struct prvcut_error *err)
{
    const struct prv_trace *trace = (const struct prv_trace *)t;
    enum prvcut_status st;

    *out = (struct prvcut_dictionary){ 0 };
    st = describe_types(trace, out, err);
    if (st == PRVCUT_OK)
        st = describe_states(trace, out, err);
    return st < 0 ? st : describe_objects(trace, out, err);
}
