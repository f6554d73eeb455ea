#include "signal/call_tags.h"

#include "base/memory.h"
#include "base/table.h"

#include <stdlib.h>

/*
 * Found by hand on made programs whose tags are fixed, change from iteration to iteration, or
 * number what an iteration does; no answer on the real traces depends on it.
 *
 * name         value    unit     decides
 */
#define TAGS_AROUND 5     /* log2 of the calls up to one that tell where it is */
#define TAGS_CALLS  32768 /* of a thread's, that are asked */
#define TAGS_LEAST  4     /* calls at places that come again, at least */
#define TAGS_AGAIN  0.5   /* of the calls of a kind, that are at such places */
#define TAGS_OTHER  0.6   /* of these, that have another tag than the one there before */

/* Calls that are alike but for their tags. */
struct tags_kind {
    uint32_t call, site, size, partner;
    uint32_t peer; /* of the first one */
    uint32_t varies, all, again, other;
};

/* Where the same calls come one after the other. */
struct tags_place {
    uint32_t before, here;
    uint32_t peer, seen; /* of the last one; is there one? */
};

struct tags {
    struct prvcut_table kinds;
    uint32_t *kind, *place; /* [asked] */
    size_t asked;
    bool vary;
};

static struct tags_kind *tags_kind_of(struct tags *t, const struct prvcut_call *c,
                                      struct prvcut_error *err)
{
    const uint32_t key[] = { c->call, c->site, c->size, c->peer & 0xffffu };

    return prvcut_table_make(&t->kinds, key, err);
}

static enum prvcut_status tags_find_kinds(struct tags *t, const struct prvcut_call *at,
                                          struct prvcut_error *err)
{
    for (size_t i = 0; i < t->asked; i++) {
        struct tags_kind *k = tags_kind_of(t, &at[i], err);

        if (!k)
            return PRVCUT_ENOMEM;
        k->peer = k->all++ == 0 ? at[i].peer : k->peer;
        k->varies |= k->peer != at[i].peer;
        t->vary = t->vary || k->varies;
        t->kind[i] = (uint32_t)(k - (struct tags_kind *)t->kinds.at);
        t->place[i] = t->kind[i];
    }
    return PRVCUT_OK;
}

/* Number the places by twice as many calls. */
static enum prvcut_status tags_look_further(struct tags *t, struct prvcut_table *places,
                                            size_t further, struct prvcut_error *err)
{
    prvcut_table_clear(places);
    for (size_t i = t->asked; i-- > 0;) {
        const uint32_t key[] = { i < further ? UINT32_MAX : t->place[i - further], t->place[i] };
        const struct tags_place *p = prvcut_table_make(places, key, err);

        if (!p)
            return PRVCUT_ENOMEM;
        t->place[i] = (uint32_t)(p - (const struct tags_place *)places->at);
    }
    return PRVCUT_OK;
}

/* Do the calls before one tell its tag? */
static enum prvcut_status tags_find_places(struct tags *t, const struct prvcut_call *at,
                                           struct prvcut_error *err)
{
    struct prvcut_table places = PRVCUT_TABLE(struct tags_place, peer, "places of calls");
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; k < TAGS_AROUND && st == PRVCUT_OK; k++)
        st = tags_look_further(t, &places, (size_t)1 << k, err);
    for (size_t i = 0; i < t->asked && st == PRVCUT_OK; i++) {
        struct tags_kind *k = (struct tags_kind *)t->kinds.at + t->kind[i];
        struct tags_place *p = (struct tags_place *)places.at + t->place[i];

        k->again += p->seen;
        k->other += p->seen && p->peer != at[i].peer;
        p->peer = at[i].peer;
        p->seen = 1;
    }
    prvcut_table_fini(&places);
    return st;
}

static bool tags_go_round(const struct tags_kind *k)
{
    return k && k->again >= TAGS_LEAST && k->again >= TAGS_AGAIN * k->all &&
           k->other >= TAGS_OTHER * k->again;
}

enum prvcut_status prvcut_call_tags_drop(struct prvcut_call *at, size_t count,
                                         struct prvcut_error *err)
{
    struct tags t = { .kinds = PRVCUT_TABLE(struct tags_kind, peer, "kinds of calls"),
                      .asked = count < TAGS_CALLS ? count : TAGS_CALLS };
    enum prvcut_status st = PRVCUT_ENOMEM;

    if (count == 0)
        return PRVCUT_OK;
    t.kind = prvcut_unset(t.asked, sizeof *t.kind, "calls", err);
    t.place = t.kind ? prvcut_unset(t.asked, sizeof *t.place, "calls", err) : NULL;
    if (t.place)
        st = tags_find_kinds(&t, at, err);
    if (st == PRVCUT_OK && t.vary)
        st = tags_find_places(&t, at, err);
    for (size_t i = 0; st == PRVCUT_OK && t.vary && i < count; i++) {
        const uint32_t key[] = { at[i].call, at[i].site, at[i].size, at[i].peer & 0xffffu };

        if (tags_go_round(prvcut_table_find(&t.kinds, key)))
            at[i].peer &= 0xffffu;
    }
    free(t.place);
    free(t.kind);
    prvcut_table_fini(&t.kinds);
    return st;
}
