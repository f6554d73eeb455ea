#include "match/sampled.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>

/* Times that are kept. */
#define KEPT_MOST ((size_t)1 << 20)

enum sampled_what { SEND, RECEIVE, BEGIN, END };

/* Times of one end of a channel, or of one member's begins or ends in a communicator's collectives.
 */
struct sampled_side {
    uint32_t thread, peer; /* peer PRVCUT_NOBODY: collectives */
    uint32_t communicator;
    unsigned what; /* enum sampled_what */
    int64_t tag;
    uint64_t all;   /* in all parts; the key ends here */
    uint64_t count; /* of the parts whose times are kept */
    uint64_t *at;   /* [kept] those of k << shift; owned */
    size_t kept, room;
    unsigned shift;
};

/* --- Sides ---------------------------------------------------------------------------------- */

struct prvcut_samples prvcut_samples_none(void)
{
    return (struct prvcut_samples){ .side = PRVCUT_TABLE(struct sampled_side, all, "channels") };
}

static struct sampled_side *sampled_side_at(const struct prvcut_samples *s, size_t i)
{
    return (struct sampled_side *)s->side.at + i;
}

/* Where the side is, or stands from now on; NULL: out of memory. */
static struct sampled_side *sampled_side_of(struct prvcut_samples *s,
                                            const struct sampled_side *like,
                                            struct prvcut_error *err)
{
    const size_t before = s->side.count;
    struct sampled_side *side = prvcut_table_make(&s->side, like, err);

    if (s->side.count > before)
        side->shift = s->shift;
    return side;
}

/* Every second time goes, until there is room. */
static void sampled_thin(struct prvcut_samples *s)
{
    while (s->kept > KEPT_MOST && s->shift < 63) {
        s->shift++;
        s->kept = 0;
        for (size_t i = 0; i < s->side.count; i++) {
            struct sampled_side *side = sampled_side_at(s, i);

            for (; side->shift < s->shift; side->shift++) {
                for (size_t k = 0; 2 * k < side->kept; k++)
                    side->at[k] = side->at[2 * k];
                side->kept = side->kept / 2 + side->kept % 2;
            }
            s->kept += side->kept;
        }
    }
}

static enum prvcut_status sampled_add(struct prvcut_samples *s, const struct sampled_side *like,
                                      uint64_t time, struct prvcut_error *err)
{
    struct sampled_side *side = sampled_side_of(s, like, err);
    void *at;

    if (!side)
        return PRVCUT_ENOMEM;
    side->all++;
    if ((side->count++ & ((UINT64_C(1) << side->shift) - 1)) != 0)
        return PRVCUT_OK;
    at = side->at;
    if (prvcut_grow(&at, &side->room, side->kept + 1, sizeof *side->at, err) < 0)
        return PRVCUT_ENOMEM;
    side->at = at;
    side->at[side->kept++] = time;
    if (++s->kept > KEPT_MOST)
        sampled_thin(s);
    return PRVCUT_OK;
}

void prvcut_samples_clear(struct prvcut_samples *s)
{
    for (size_t i = 0; i < s->side.count; i++)
        free(sampled_side_at(s, i)->at);
    prvcut_table_clear(&s->side);
    s->kept = 0;
    s->shift = 0;
}

void prvcut_samples_fini(struct prvcut_samples *s)
{
    prvcut_samples_clear(s);
    prvcut_table_fini(&s->side);
}

enum prvcut_status prvcut_samples_half(struct prvcut_samples *s, const struct prvcut_half *h,
                                       struct prvcut_error *err)
{
    const struct sampled_side like = { .thread = h->thread,
                                       .peer = h->peer,
                                       .what = h->receive ? RECEIVE : SEND,
                                       .communicator = h->communicator,
                                       .tag = h->tag };

    return h->peer == PRVCUT_NOBODY ? PRVCUT_OK : sampled_add(s, &like, h->time, err);
}

enum prvcut_status prvcut_samples_member(struct prvcut_samples *s, uint32_t thread,
                                         uint32_t communicator, struct prvcut_span call,
                                         struct prvcut_error *err)
{
    struct sampled_side like = {
        .thread = thread, .peer = PRVCUT_NOBODY, .what = BEGIN, .communicator = communicator
    };
    enum prvcut_status st = sampled_add(s, &like, call.start, err);

    like.what = END;
    return st < 0 ? st : sampled_add(s, &like, call.end, err);
}

enum prvcut_status prvcut_samples_join(struct prvcut_samples *all, struct prvcut_samples *part,
                                       struct prvcut_error *err)
{
    for (size_t i = 0; i < part->side.count; i++) {
        struct sampled_side *from = sampled_side_at(part, i);
        struct sampled_side *to = sampled_side_of(all, from, err);

        if (!to)
            return PRVCUT_ENOMEM;
        to->all += from->all;
        if (to->count > 0)
            continue;
        from->all = to->all;
        *to = *from;
        all->kept += to->kept;
        from->at = NULL;
        from->kept = from->room = 0;
    }
    sampled_thin(all);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_samples_lone(const struct prvcut_samples *s, struct prvcut_lone *out,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->side.count && st == PRVCUT_OK; i++) {
        const struct sampled_side *side = sampled_side_at(s, i);
        const struct prvcut_half end = { .thread = side->thread,
                                         .peer = side->peer,
                                         .communicator = side->communicator,
                                         .tag = side->tag,
                                         .receive = side->what == RECEIVE };

        if (side->what == SEND || side->what == RECEIVE)
            st = prvcut_lone_note(out, &end, side->all, err);
    }
    return st;
}

/* --- What belongs together ------------------------------------------------------------------ */

/* All that take part: a channel's send and receive, or begins and ends of a communicator's members.
 */
struct sampled_parts {
    const struct sampled_side **begin, **end; /* [count] */
    size_t count;
};

/* The k-th of all of them, as far as all are kept. */
static void sampled_together(const struct sampled_parts *p, void *ctx,
                             void (*told)(void *ctx, uint64_t last_begin, uint64_t first_end))
{
    unsigned shift = 0;

    for (size_t i = 0; i < p->count; i++) {
        shift = p->begin[i]->shift > shift ? p->begin[i]->shift : shift;
        shift = p->end[i]->shift > shift ? p->end[i]->shift : shift;
    }
    for (size_t k = 0;; k++) {
        uint64_t last = 0, first = UINT64_MAX;

        for (size_t i = 0; i < p->count; i++) {
            const struct sampled_side *begin = p->begin[i], *end = p->end[i];
            const size_t b = k << (shift - begin->shift), e = k << (shift - end->shift);

            if (b >= begin->kept || e >= end->kept)
                return;
            last = begin->at[b] > last ? begin->at[b] : last;
            first = end->at[e] < first ? end->at[e] : first;
        }
        told(ctx, last, first);
    }
}

static void sampled_message(const struct prvcut_samples *s, const struct sampled_side *send,
                            const struct prvcut_samples_taker *taker)
{
    const struct sampled_side key = { .thread = send->peer,
                                      .peer = send->thread,
                                      .what = RECEIVE,
                                      .communicator = send->communicator,
                                      .tag = send->tag };
    const struct sampled_side *receive = prvcut_table_find(&s->side, &key);
    const struct sampled_parts p = { &send, &receive, 1 };

    if (receive && receive->count <= send->count)
        sampled_together(&p, taker->ctx, taker->message);
}

static int sampled_by_communicator(const void *a, const void *b)
{
    const struct sampled_side *x = *(const struct sampled_side *const *)a;
    const struct sampled_side *y = *(const struct sampled_side *const *)b;

    return (x->communicator > y->communicator) - (x->communicator < y->communicator);
}

/* All begins and ends, communicator by communicator, those of a member at the same place. */
static void sampled_members(const struct prvcut_samples *s, struct sampled_parts *p)
{
    for (size_t i = 0; i < s->side.count; i++)
        if (sampled_side_at(s, i)->what == BEGIN)
            p->begin[p->count++] = sampled_side_at(s, i);
    if (p->count > 0)
        qsort(p->begin, p->count, sizeof *p->begin, sampled_by_communicator);
    for (size_t i = 0; i < p->count; i++) {
        struct sampled_side key = *p->begin[i];

        key.what = END;
        p->end[i] = prvcut_table_find(&s->side, &key);
    }
}

static void sampled_collectives(const struct sampled_parts *p,
                                const struct prvcut_samples_taker *taker)
{
    for (size_t i = 0, end; i < p->count; i = end) {
        for (end = i + 1;
             end < p->count && sampled_by_communicator(&p->begin[i], &p->begin[end]) == 0; end++)
            ;
        if (end - i > 1)
            sampled_together(&(struct sampled_parts){ p->begin + i, p->end + i, end - i },
                             taker->ctx, taker->collective);
    }
}

enum prvcut_status prvcut_samples_told(const struct prvcut_samples *s,
                                       const struct prvcut_samples_taker *taker,
                                       struct prvcut_error *err)
{
    struct sampled_parts p = {
        .begin = prvcut_unset(s->side.count, sizeof *p.begin, "channels", err),
        .end = prvcut_unset(s->side.count, sizeof *p.end, "channels", err),
    };
    const bool room = p.begin && p.end;

    for (size_t i = 0; i < s->side.count && room; i++)
        if (sampled_side_at(s, i)->what == SEND)
            sampled_message(s, sampled_side_at(s, i), taker);
    if (room) {
        sampled_members(s, &p);
        sampled_collectives(&p, taker);
    }
    free(p.begin);
    free(p.end);
    return room ? PRVCUT_OK : PRVCUT_ENOMEM;
}
