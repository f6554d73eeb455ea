#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "otf2/cut.h"

#include <stdlib.h>
#include <string.h>

/*
 * Messages do not overtake each other: the k-th send of a channel goes to the receive that was
 * posted k-th, which need not be the k-th to be complete. Nearly all are; of the others it is noted
 * which they are. Receives that overtake more than a few of their channel are not followed.
 */
#define RECENT 16u

/* Posts that are looked at for one that is not complete; earlier ones never will be. */
#define POSTS 4096u

/* A receive that is complete. */
struct ord_receive {
    uint64_t post, index, ordinal;
    bool inside;
};

struct o2_order {
    struct ord_receive recent[RECENT]; /* [recents], the latest last */
    unsigned recents;
    struct o2_swap *swap; /* [swaps] those inside whose place is another one; ascending index */
    size_t swaps, room;
    struct o2_swap *by_ordinal; /* [swaps] once all have come */
};

struct o2_posts {
    uint64_t first, count; /* the first that is not complete; all so far: numbers from 0 */
    uint8_t done[POSTS];
};

/* --- Posts ------------------------------------------------------------------------------------ */

static void ord_settle(struct o2_posts *p)
{
    while (p->first < p->count && p->done[p->first % POSTS]) {
        p->done[p->first % POSTS] = 0;
        p->first++;
    }
}

bool o2_posts_add(struct o2_posts **posts, uint64_t *post)
{
    struct o2_posts *p = *posts;

    if (!p)
        p = *posts = prvcut_zeroed(1, sizeof *p, "receives", NULL);
    if (!p)
        return false;
    if (p->count - p->first == POSTS) {
        p->done[p->first % POSTS] = 1;
        ord_settle(p);
    }
    *post = p->count++;
    return true;
}

bool o2_posts_copy(struct o2_posts **to, const struct o2_posts *from)
{
    *to = from ? prvcut_unset(1, sizeof **to, "receives", NULL) : NULL;
    if (*to)
        **to = *from;
    return *to || !from;
}

bool o2_posts_end(struct o2_posts *p, uint64_t post)
{
    const bool overtakes = p && post > p->first;

    if (p && post >= p->first && post < p->count) {
        p->done[post % POSTS] = 1;
        ord_settle(p);
    }
    return overtakes;
}

/* --- Receives of a channel ----------------------------------------------------------------------
 */

static bool ord_retire(struct o2_order *o)
{
    const struct ord_receive r = o->recent[0];

    o->recents--;
    memmove(o->recent, o->recent + 1, o->recents * sizeof *o->recent);
    if (!r.inside || r.ordinal == r.index)
        return true;
    if (prvcut_grow((void **)&o->swap, &o->room, o->swaps + 1, sizeof *o->swap, NULL) < 0)
        return false;
    o->swap[o->swaps++] = (struct o2_swap){ r.index, r.ordinal };
    return true;
}

bool o2_order_note(struct o2_channel *c, uint64_t post, bool inside)
{
    struct ord_receive r = { .post = post, .inside = inside };
    struct o2_order *o = c->order;

    if (!o)
        o = c->order = prvcut_zeroed(1, sizeof *o, "receives", NULL);
    if (!o || (o->recents == RECENT && !ord_retire(o)))
        return false;
    r.index = r.ordinal = c->before + c->inside;
    for (unsigned i = 0; i < o->recents; i++)
        if (o->recent[i].post > post) {
            o->recent[i].ordinal++;
            r.ordinal--;
        }
    o->recent[o->recents++] = r;
    return true;
}

static int ord_by_ordinal(const void *a, const void *b)
{
    const struct o2_swap *x = a, *y = b;

    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

bool o2_order_end(struct o2_order *o)
{
    while (o && o->recents > 0)
        if (!ord_retire(o))
            return false;
    if (!o || o->swaps == 0)
        return true;
    o->by_ordinal = prvcut_unset(o->swaps, sizeof *o->by_ordinal, "receives", NULL);
    if (!o->by_ordinal)
        return false;
    memcpy(o->by_ordinal, o->swap, o->swaps * sizeof *o->swap);
    qsort(o->by_ordinal, o->swaps, sizeof *o->by_ordinal, ord_by_ordinal);
    return true;
}

uint64_t o2_order_ordinal(const struct o2_order *o, uint64_t index)
{
    const struct o2_swap *s =
        o ? prvcut_find_u64(o->swap, o->swaps, sizeof *s, offsetof(struct o2_swap, index), index)
          : NULL;

    return s ? s->ordinal : index;
}

bool o2_order_has(const struct o2_order *o, const struct prvcut_whole *whole, uint64_t ordinal)
{
    if (!o || o->swaps == 0)
        return prvcut_whole_has(whole, ordinal);
    if (prvcut_find_u64(o->by_ordinal, o->swaps, sizeof *o->by_ordinal,
                        offsetof(struct o2_swap, ordinal), ordinal))
        return true;
    return prvcut_whole_has(whole, ordinal) &&
           !prvcut_find_u64(o->swap, o->swaps, sizeof *o->swap, offsetof(struct o2_swap, index),
                            ordinal);
}

bool o2_order_copy(struct o2_order **to, const struct o2_order *from)
{
    struct o2_order *o = from ? prvcut_unset(1, sizeof *o, "receives", NULL) : NULL;

    *to = o;
    if (!o)
        return !from;
    *o = *from;
    o->by_ordinal = NULL;
    o->room = o->swaps;
    o->swap = o->swaps > 0 ? prvcut_unset(o->swaps, sizeof *o->swap, "receives", NULL) : NULL;
    if (o->swap)
        memcpy(o->swap, from->swap, o->swaps * sizeof *o->swap);
    return o->swap || o->swaps == 0;
}

void o2_order_free(struct o2_order *o)
{
    if (!o)
        return;
    free(o->swap);
    free(o->by_ordinal);
    free(o);
}
