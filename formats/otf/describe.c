#include "otf/otf.h"

#include "model/roles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of a value of a type. */
struct entry {
    uint32_t type;
    int64_t value;
    const char *text;
};

struct entries {
    struct entry *at;
    size_t count, room;
    struct prvcut_error *err;
    enum prvcut_status st; /* the first failure; nothing is added behind it */
};

static void desc_add(struct entries *e, uint32_t type, int64_t value, const char *text)
{
    if (e->st == PRVCUT_OK)
        e->st = prvcut_grow((void **)&e->at, &e->room, e->count + 1, sizeof *e->at, e->err);
    if (e->st == PRVCUT_OK)
        e->at[e->count++] = (struct entry){ type, value, text };
}

static void desc_add_names(struct entries *e, const struct otf_names *n)
{
    for (size_t i = 0; i < n->regions; i++) {
        const struct otf_region *r = &n->region[i];

        desc_add(e, r->type, r->value, r->call ? r->call->name : r->name);
        if (r->kind == OTF_MPI)
            desc_add(e, PRVCUT_TYPE_USER_FUNCTION, r->nested, r->name);
    }
}

/* As other formats name a line. */
static void desc_add_sites(struct entries *e, const struct otf_trace *t, const struct otf_names *n)
{
    char text[320];

    for (size_t i = 0; i < n->sites && e->st == PRVCUT_OK; i++) {
        const char *file = otf_site_file(n, n->site[i].file), *copy = "";

        if (n->site[i].line > 0)
            snprintf(text, sizeof text, "%.256s:%" PRIu64, file, n->site[i].line);
        else
            snprintf(text, sizeof text, "%.256s", file);
        e->st = otf_word(t->words, text, strlen(text), &copy, NULL, e->err);
        desc_add(e, PRVCUT_TYPE_CALLER_LINE, n->site[i].id, copy);
    }
}

static int desc_by_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return strcmp(x->text, y->text);
}

static enum prvcut_status desc_fill_values(struct prvcut_dictionary *d, struct prvcut_type_name *to,
                                           const struct entries *e, struct prvcut_error *err)
{
    size_t first = 0, count = 0;
    struct prvcut_value_name *value;

    while (first < e->count && e->at[first].type < to->number)
        first++;
    while (first + count < e->count && e->at[first + count].type == to->number)
        count++;
    if (count == 0)
        return PRVCUT_OK;
    value = prvcut_dictionary_room(d, count * sizeof *value, err);
    if (!value)
        return PRVCUT_ENOMEM;
    to->value = value;
    for (size_t i = first; i < first + count; i++) {
        const char *text;

        if (to->values > 0 && value[to->values - 1].value == e->at[i].value)
            continue;
        text = prvcut_dictionary_text(d, e->at[i].text, err);
        if (!text)
            return PRVCUT_ENOMEM;
        value[to->values++] =
            (struct prvcut_value_name){ .value = e->at[i].value, .text = text, .detail = "" };
    }
    return PRVCUT_OK;
}

static const char *desc_group_of(uint32_t type, enum prvcut_role role, const char *text)
{
    if (type == PRVCUT_TYPE_USER_FUNCTION)
        return "user";
    if (type >= PRVCUT_TYPE_MPI_P2P && type <= PRVCUT_TYPE_COMMUNICATOR)
        return "MPI";
    if (role == PRVCUT_ROLE_REGION)
        return text;
    return prvcut_role_is_counter(role) ? "counter" : "";
}

/* The unit of a counter's first definition. */
static const struct otf_counter *desc_counter_of_type(const struct otf_trace *t, uint32_t type)
{
    for (uint32_t i = 0; i <= t->streams; i++) {
        const struct otf_names *n = i == 0 ? &t->names : t->stream[i - 1].names;

        for (size_t k = 0; n && k < n->counters; k++)
            if (n->counter[k].type == type)
                return &n->counter[k];
    }
    return NULL;
}

static enum prvcut_status desc_fill_types(const struct otf_trace *t, struct prvcut_dictionary *d,
                                          const struct entries *e, struct prvcut_error *err)
{
    d->type = prvcut_dictionary_room(d, (t->base.types + 1) * sizeof *d->type, err);
    if (!d->type)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < t->base.types; i++) {
        const struct prvcut_label *l = &t->base.type[i];
        struct prvcut_type_name *to = &d->type[d->types++];
        const struct otf_counter *k = l->region ? NULL : desc_counter_of_type(t, l->number);
        enum prvcut_status st;

        *to = (struct prvcut_type_name){ .number = l->number,
                                         .role = l->role,
                                         .region = l->region,
                                         .gauge = k && k->gauge,
                                         .text = prvcut_dictionary_text(d, l->text, err),
                                         .unit = prvcut_dictionary_text(d, k ? k->unit : "", err) };
        to->group = k ? "counter" : desc_group_of(l->number, l->role, to->text);
        if (!to->text || !to->unit)
            return PRVCUT_ENOMEM;
        st = desc_fill_values(d, to, e, err);
        if (st < 0)
            return st;
    }
    return PRVCUT_OK;
}

static enum prvcut_status desc_fill_states(struct prvcut_dictionary *d, struct prvcut_error *err)
{
    d->running = PRVCUT_STATE_RUNNING;
    d->state = prvcut_dictionary_room(d, PRVCUT_STATES * sizeof *d->state, err);
    if (!d->state)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < PRVCUT_STATES; i++)
        d->state[d->states++] = (struct prvcut_state_name){ .number = i,
                                                            .text = prvcut_state_text(i),
                                                            .colour = prvcut_state_colour(i) };
    return PRVCUT_OK;
}

static enum prvcut_status desc_fill_objects(const struct otf_trace *t, struct prvcut_dictionary *d,
                                            struct prvcut_error *err)
{
    const struct prvcut_objects *o = &t->base.objects;

    d->thread = prvcut_dictionary_room(d, ((size_t)o->threads + 1) * sizeof *d->thread, err);
    d->task = prvcut_dictionary_room(d, ((size_t)o->tasks + 1) * sizeof *d->task, err);
    if (!d->thread || !d->task)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < o->threads; i++) {
        const char *name = t->process[t->by_thread[i]].name;

        d->thread[i] = name[0] != '\0' ? prvcut_dictionary_text(d, name, err) : NULL;
        if (name[0] != '\0' && !d->thread[i])
            return PRVCUT_ENOMEM;
        if (o->task_first_thread[o->thread_task[i]] == i)
            d->task[o->thread_task[i]] = d->thread[i];
    }
    return PRVCUT_OK;
}

static void desc_add_marks(struct entries *e, const struct otf_trace *t,
                           const struct prvcut_mark_kind *kind)
{
    for (int i = kind->values; i-- > 0 && desc_counter_of_type(t, kind->type);)
        desc_add(e, kind->type, i, prvcut_mark_value(kind, i));
}

enum prvcut_status otf_dictionary(const struct otf_trace *t, struct prvcut_dictionary *out,
                                  struct prvcut_error *err)
{
    struct entries e = { .err = err };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    desc_add_names(&e, &t->names);
    desc_add_sites(&e, t, &t->names);
    for (uint32_t i = 0; i < t->streams; i++) {
        if (!t->stream[i].names)
            continue;
        desc_add_names(&e, t->stream[i].names);
        desc_add_sites(&e, t, t->stream[i].names);
    }
    if (t->operations)
        desc_add(&e, PRVCUT_TYPE_ROOT, 1, "root");
    desc_add_marks(&e, t, &prvcut_mark_iterations);
    desc_add_marks(&e, t, &prvcut_mark_waits);
    if (e.count > 0)
        qsort(e.at, e.count, sizeof *e.at, desc_by_value);
    st = e.st;
    if (st == PRVCUT_OK)
        st = desc_fill_types(t, out, &e, err);
    if (st == PRVCUT_OK)
        st = desc_fill_states(out, err);
    if (st == PRVCUT_OK)
        st = desc_fill_objects(t, out, err);
    free(e.at);
    if (st < 0)
        prvcut_dictionary_fini(out);
    return st;
}

enum prvcut_status otf_describe(struct prvcut_trace *trace, struct prvcut_dictionary *out,
                                struct prvcut_error *err)
{
    return otf_dictionary((const struct otf_trace *)trace, out, err);
}
