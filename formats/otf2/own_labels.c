#include "otf2/own.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of types beyond the first ones need not ascend in the strings. */
static int own_labels_by_type(const void *a, const void *b)
{
    const struct prvcut_type_name *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static const char *own_labels_named(struct prvcut_dictionary *out, const char *text,
                                    enum prvcut_status *st, struct prvcut_error *err)
{
    const char *at = *st == PRVCUT_OK ? prvcut_dictionary_text(out, text ? text : "", err) : NULL;

    if (!at)
        *st = PRVCUT_ENOMEM;
    return at;
}

static enum prvcut_status own_labels_describe_types(const struct o2_own *own,
                                                    struct prvcut_dictionary *out,
                                                    struct prvcut_error *err)
{
    const struct prvcut_dictionary *d = &own->dictionary;
    enum prvcut_status st = PRVCUT_OK;

    out->type = prvcut_dictionary_room(out, (d->types + 1) * sizeof *out->type, err);
    if (!out->type)
        return PRVCUT_ENOMEM;
    if (d->types > 0)
        memcpy(out->type, d->type, d->types * sizeof *out->type);
    out->types = d->types;
    qsort(out->type, out->types, sizeof *out->type, own_labels_by_type);
    for (size_t i = 0; i < out->types && st == PRVCUT_OK; i++) {
        struct prvcut_type_name *t = &out->type[i];
        struct prvcut_value_name *value =
            prvcut_dictionary_room(out, (t->values + 1) * sizeof *value, err);

        if (!value)
            return PRVCUT_ENOMEM;
        t->text = own_labels_named(out, t->text, &st, err);
        t->group = own_labels_named(out, t->group, &st, err);
        t->unit = own_labels_named(out, t->unit, &st, err);
        for (size_t k = 0; k < t->values && st == PRVCUT_OK; k++) {
            value[k] = t->value[k];
            value[k].text = own_labels_named(out, value[k].text, &st, err);
        }
        t->value = t->values > 0 ? value : NULL;
    }
    return st;
}

static enum prvcut_status own_labels_describe_names(const struct o2_trace *t,
                                                    struct prvcut_dictionary *out,
                                                    struct prvcut_error *err)
{
    const struct o2_definitions *d = &t->defs;
    const struct o2_own *own = t->own;
    enum prvcut_status st = PRVCUT_OK;

    out->thread =
        own->named_threads
            ? prvcut_dictionary_room(out, (d->locations + (size_t)1) * sizeof(char *), err)
            : NULL;
    out->task = own->named_tasks
                    ? prvcut_dictionary_room(out, (d->processes + (size_t)1) * sizeof(char *), err)
                    : NULL;
    out->node = own->named_nodes
                    ? prvcut_dictionary_room(out, (d->nodes + (size_t)1) * sizeof(char *), err)
                    : NULL;
    for (uint32_t i = 0; i < d->locations && out->thread && st == PRVCUT_OK; i++) {
        char plain[PRVCUT_PLAIN_NAME];

        prvcut_objects_plain_name(&t->base.objects, i, plain);
        if (!d->location[i].name || strcmp(d->location[i].name, plain) != 0)
            out->thread[i] = own_labels_named(out, d->location[i].name, &st, err);
    }
    for (uint32_t i = 0; i < d->processes && out->task && st == PRVCUT_OK; i++)
        out->task[i] = own_labels_named(out, d->process[i].name, &st, err);
    for (uint32_t i = 0; i < d->nodes && out->node && st == PRVCUT_OK; i++)
        out->node[i] = own_labels_named(out, d->node[i], &st, err);
    return st;
}

enum prvcut_status o2_own_describe(const struct o2_trace *t, struct prvcut_dictionary *out,
                                   struct prvcut_error *err)
{
    const struct prvcut_dictionary *d = &t->own->dictionary;
    enum prvcut_status st;

    *out = (struct prvcut_dictionary){ .running = d->running };
    st = own_labels_describe_types(t->own, out, err);
    out->state = prvcut_dictionary_room(out, (d->states + 1) * sizeof *out->state, err);
    if (!out->state)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < d->states && st == PRVCUT_OK; i++) {
        out->state[out->states] = d->state[i];
        out->state[out->states++].text = own_labels_named(out, d->state[i].text, &st, err);
    }
    return st == PRVCUT_OK ? own_labels_describe_names(t, out, err) : st;
}
