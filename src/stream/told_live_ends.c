#include "stream/told_live.h"

#include "base/buffer.h"

#include <string.h>

/* Ends of messages are put in their place before so many of the thread's others, at most. */
#define NEAR 64
enum prvcut_status live_release(struct live_places *p, uint32_t place, struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_grow((void **)&p->idle, &p->room, p->idles + 1, sizeof *p->idle, err);

    if (st == PRVCUT_OK)
        p->idle[p->idles++] = place;
    return st;
}

static bool live_before(const struct told_live *l, const struct live_coming *a,
                        const struct live_coming *b)
{
    return a->time != b->time ? a->time < b->time : l->end[a->place].order < l->end[b->place].order;
}

/* In a row, where it comes behind almost all that is there; the others apart. */
static enum prvcut_status live_queue(struct told_live *l, struct live_queue *q,
                                     const struct live_coming *c, struct prvcut_error *err)
{
    size_t i = q->count;
    enum prvcut_status st;

    while (i > q->first && q->count - i < NEAR && live_before(l, c, &q->at[i - 1]))
        i--;
    if (i > q->first && live_before(l, c, &q->at[i - 1]))
        return PRVCUT_END;
    if (q->count == q->room && q->first > q->count / 2) {
        q->count -= q->first;
        i -= q->first;
        memmove(q->at, q->at + q->first, q->count * sizeof *q->at);
        q->first = 0;
    }
    st = prvcut_grow((void **)&q->at, &q->room, q->count + 1, sizeof *q->at, err);
    if (st < 0)
        return st;
    memmove(q->at + i + 1, q->at + i, (q->count - i) * sizeof *q->at);
    q->at[i] = *c;
    q->count++;
    return PRVCUT_OK;
}

enum prvcut_status live_await(struct told_live *l, struct live_thread *t, const struct stm_large *e,
                              struct prvcut_error *err)
{
    const struct live_coming c = { e->item.time, live_place(&l->ends) };
    enum prvcut_status st =
        prvcut_grow((void **)&l->end, &l->end_room, l->ends.made, sizeof *l->end, err);

    if (st < 0)
        return st;
    l->end[c.place] = *e;
    st = live_queue(l, &t->coming, &c, err);
    return st == PRVCUT_END
               ? prvcut_pending_add(&t->late,
                                    &(struct prvcut_pending_end){
                                        .time = c.time, .number = e->order, .detail = c.place },
                                    err)
               : st;
}

/* Does the next end stand apart? */
static bool live_is_late(const struct told_live *l, const struct live_thread *t)
{
    const struct live_queue *q = &t->coming;
    const struct prvcut_pending_end *late = prvcut_pending_first(&t->late);
    const struct live_coming c = { late ? late->time : 0, late ? (uint32_t)late->detail : 0 };

    return late && (q->first == q->count || live_before(l, &c, &q->at[q->first]));
}

/* When the next end of a message comes; PRVCUT_NEVER: there is none. */
uint64_t live_when(const struct live_thread *t)
{
    const struct live_queue *q = &t->coming;
    const struct prvcut_pending_end *late = prvcut_pending_first(&t->late);
    const uint64_t time = q->first < q->count ? q->at[q->first].time : PRVCUT_NEVER;

    return late && late->time < time ? late->time : time;
}

enum prvcut_status live_next(struct told_live *l, struct live_thread *t, struct prvcut_item *out,
                             struct prvcut_error *err)
{
    struct live_queue *q = &t->coming;
    uint32_t place;

    if (live_is_late(l, t)) {
        place = (uint32_t)prvcut_pending_take(&t->late).detail;
    } else {
        place = q->at[q->first++].place;
        if (q->first == q->count)
            q->first = q->count = 0;
    }
    *out = l->end[place].item;
    return live_release(&l->ends, place, err);
}
