#include "stream/told_live.h"

#include "base/buffer.h"

#include <string.h>

/* Ends of messages are put in their place before so many of the thread's others, at most. */
#define NEAR 64

static uint64_t ends_order(const struct told_live *l, const struct live_coming *c)
{
    return 2 * l->message[c->slot].order + !c->receive;
}

static bool live_before(const struct told_live *l, const struct live_coming *a,
                        const struct live_coming *b)
{
    return a->time != b->time ? a->time < b->time : ends_order(l, a) < ends_order(l, b);
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
    if (q->count == q->room &&
        (st = prvcut_grow((void **)&q->at, &q->room, q->count + 1, sizeof *q->at, err)) < 0)
        return st;
    for (size_t k = q->count; k > i; k--)
        q->at[k] = q->at[k - 1];
    q->at[i] = *c;
    q->count++;
    return PRVCUT_OK;
}

enum prvcut_status live_await(struct told_live *l, struct live_thread *t,
                              const struct live_coming *c, struct prvcut_error *err)
{
    const enum prvcut_status st = live_queue(l, &t->coming, c, err);

    return st == PRVCUT_END
               ? prvcut_pending_add(&t->late,
                                    &(struct prvcut_pending_end){ .time = c->time,
                                                                  .number = ends_order(l, c),
                                                                  .detail = c->slot,
                                                                  .kind = c->receive },
                                    err)
               : st;
}

static struct live_coming live_of_late(const struct prvcut_pending_end *e)
{
    return (struct live_coming){ e->time, (uint32_t)e->detail, e->kind };
}

/* Does the next end stand apart? */
static bool live_is_late(const struct told_live *l, const struct live_thread *t)
{
    const struct live_queue *q = &t->coming;
    const struct prvcut_pending_end *late = prvcut_pending_first(&t->late);
    const struct live_coming c = late ? live_of_late(late) : (struct live_coming){ .time = 0 };

    return late && (q->first == q->count || live_before(l, &c, &q->at[q->first]));
}

uint64_t live_when(const struct live_thread *t)
{
    const struct live_queue *q = &t->coming;
    const struct prvcut_pending_end *late = prvcut_pending_first(&t->late);
    const uint64_t time = q->first < q->count ? q->at[q->first].time : PRVCUT_NEVER;

    return late && late->time < time ? late->time : time;
}

struct live_coming live_next(struct told_live *l, struct live_thread *t)
{
    struct live_queue *q = &t->coming;
    struct live_coming c;

    if (live_is_late(l, t)) {
        const struct prvcut_pending_end e = prvcut_pending_take(&t->late);

        return live_of_late(&e);
    }
    c = q->at[q->first++];
    if (q->first == q->count)
        q->first = q->count = 0;
    else
        __builtin_prefetch(&l->message[q->at[q->first].slot]);
    return c;
}
