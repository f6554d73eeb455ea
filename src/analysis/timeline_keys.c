#include "analysis/timeline_keys.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "model/calls.h"
#include "model/regions.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_status tky_add(struct tl_keys *k, uint32_t type, int64_t value, const char *text,
                                  int32_t colour, struct prvcut_error *err)
{
    void *at = k->at;
    const enum prvcut_status st = prvcut_grow(&at, &k->room, k->count + 1, sizeof *k->at, err);
    char *copy;

    k->at = at;
    if (st < 0)
        return st;
    copy = prvcut_copied_text(text, "the names of states", err);
    if (!copy)
        return PRVCUT_ENOMEM;
    k->at[k->count++] = (struct tl_key){ type, value, copy, colour };
    return PRVCUT_OK;
}

static int tky_compare(const void *a, const void *b)
{
    const struct tl_key *x = a, *y = b;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* In order, each once: the first that was added stays. */
static void tky_settle(struct tl_keys *k)
{
    size_t kept = 0;

    if (k->count > 0)
        qsort(k->at, k->count, sizeof *k->at, tky_compare);
    for (size_t i = 0; i < k->count; i++)
        if (kept > 0 && tky_compare(&k->at[kept - 1], &k->at[i]) == 0)
            free(k->at[i].text);
        else
            k->at[kept++] = k->at[i];
    k->count = kept;
}

enum prvcut_status tl_keys_states(struct tl_keys *k, const struct prvcut_dictionary *d,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    char text[64];

    for (size_t i = 0; i < d->states && st == PRVCUT_OK; i++) {
        const struct prvcut_state_name *s = &d->state[i];

        st = tky_add(k, TL_STATE, s->number,
                     prvcut_state_number_text(text, sizeof text, d, s->number),
                     s->colour >= 0 ? s->colour : prvcut_state_colour(s->number), err);
    }
    /* Those that Extrae knows need no label. */
    for (uint32_t i = 0; i < PRVCUT_STATES && st == PRVCUT_OK; i++)
        if (!prvcut_dictionary_state(d, i))
            st = tky_add(k, TL_STATE, i, prvcut_state_text(i), prvcut_state_colour(i), err);
    tky_settle(k);
    return st;
}

/* The values of a type that have names, and one for all that have none. */
static enum prvcut_status tky_add_type(struct tl_keys *k, const struct prvcut_dictionary *d,
                                       const struct prvcut_type_name *t, bool listed,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    char text[64];

    for (size_t i = 0; i < t->values && st == PRVCUT_OK; i++)
        if (t->value[i].value != 0)
            st = tky_add(k, t->number, t->value[i].value,
                         prvcut_event_text(text, sizeof text, d, t->number, t->value[i].value), -1,
                         err);
    for (const struct prvcut_mpi_call *c = prvcut_mpi_calls;
         !listed && t->values == 0 && c->name && st == PRVCUT_OK; c++)
        if ((uint32_t)c->type == t->number && c->value != 0)
            st = tky_add(k, t->number, c->value, c->name, -1, err);
    return st < 0 ? st
                  : tky_add(k, t->number, TL_ANY, prvcut_type_text(text, sizeof text, d, t->number),
                            -1, err);
}

enum prvcut_status tl_keys_calls(struct tl_keys *k, const struct prvcut_dictionary *d, bool listed,
                                 struct prvcut_error *err)
{
    const uint32_t wanted = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION);
    enum prvcut_status st =
        tky_add(k, TL_OUTSIDE, 0, "outside calls", prvcut_state_colour(PRVCUT_STATE_RUNNING), err);

    for (size_t i = 0; i < d->types && st == PRVCUT_OK; i++)
        if (wanted & PRVCUT_ROLE_BIT(d->type[i].role))
            st = tky_add_type(k, d, &d->type[i], listed, err);
    tky_settle(k);
    return st;
}

/* Index of the pair, or count. */
static size_t tky_look_up(const struct tl_keys *k, uint32_t type, int64_t value)
{
    const struct tl_key want = { .type = type, .value = value };

    return prvcut_index_by(&want, k->at, k->count, sizeof want, tky_compare);
}

size_t tl_keys_find(const struct tl_keys *k, uint32_t type, int64_t value)
{
    const size_t at = tky_look_up(k, type, value);

    return at < k->count || type == TL_STATE ? at : tky_look_up(k, type, TL_ANY);
}

void tl_keys_fini(struct tl_keys *k)
{
    for (size_t i = 0; i < k->count; i++)
        free(k->at[i].text);
    free(k->at);
    memset(k, 0, sizeof *k);
}
