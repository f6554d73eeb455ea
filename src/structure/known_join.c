#include "base/memory.h"
#include "structure/known.h"

#include <stdlib.h>
#include <string.h>

/* Parts of one loop in order of time, each from the border on at which the last one ends. */
struct chain {
    const struct prvcut_known_loop **part; /* [parts] */
    size_t parts;
};

static uint64_t kjo_first_border(const struct prvcut_known_loop *f)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);

    return borders > 1 ? border[0] : UINT64_MAX;
}

static uint64_t kjo_last_border(const struct prvcut_known_loop *f)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);

    return borders > 1 ? border[borders - 1] : UINT64_MAX;
}

/* The part of that loop that begins at a time, or ends there; NULL: none. */
static const struct prvcut_known_loop *kjo_part_at(const struct prvcut_known_loops *k,
                                                   const struct prvcut_known_loop *like,
                                                   uint64_t time, bool begins)
{
    for (size_t i = 0; i < k->count && time != UINT64_MAX; i++) {
        const struct prvcut_known_loop *f = &k->at[i];

        if (f->number == like->number && f->calls.sequences == like->calls.sequences &&
            (begins ? kjo_first_border(f) : kjo_last_border(f)) == time)
            return f;
    }
    return NULL;
}

static void kjo_find_chain(struct chain *out, const struct prvcut_known_loops *k,
                           const struct prvcut_known_loop *of)
{
    const struct prvcut_known_loop *now = of, *next = of;

    while ((next = kjo_part_at(k, of, kjo_first_border(now), false)))
        now = next;
    for (; now; now = kjo_part_at(k, of, kjo_last_border(now), true))
        out->part[out->parts++] = now;
}

/* Does a thread follow all parts, each from where the last one ends? */
static bool kjo_follows(const struct chain *c, size_t sequence)
{
    uint64_t end = 0;

    for (size_t i = 0; i < c->parts; i++) {
        const struct prvcut_call_loop *l = &c->part[i]->calls;
        const size_t n = l->borders[sequence];

        if (n < 2 || (i > 0 && l->border[sequence][0] != end))
            return false;
        end = l->border[sequence][n - 1];
    }
    return true;
}

static enum prvcut_status kjo_join_sequence(struct prvcut_call_loop *out, const struct chain *c,
                                            size_t sequence, struct prvcut_error *err)
{
    size_t n = 1;

    if (!kjo_follows(c, sequence))
        return PRVCUT_OK;
    for (size_t i = 0; i < c->parts; i++)
        n += c->part[i]->calls.borders[sequence] - 1;
    out->border[sequence] = prvcut_unset(n, sizeof **out->border, "borders", err);
    out->start[sequence] = prvcut_zeroed(n, sizeof **out->start, "borders", err);
    if (!out->border[sequence] || !out->start[sequence])
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < c->parts; i++) {
        const struct prvcut_call_loop *l = &c->part[i]->calls;
        const size_t more = l->borders[sequence] - (i + 1 < c->parts);
        const size_t at = out->borders[sequence];

        memcpy(out->border[sequence] + at, l->border[sequence], more * sizeof **out->border);
        /* What an index keeps has no calls. */
        if (l->start && l->start[sequence])
            memcpy(out->start[sequence] + at, l->start[sequence], more * sizeof **out->start);
        out->borders[sequence] += more;
    }
    return PRVCUT_OK;
}

static enum prvcut_status kjo_join_calls(struct prvcut_call_loop *out, const struct chain *c,
                                         struct prvcut_error *err)
{
    const struct prvcut_call_loop *first = &c->part[0]->calls;
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct prvcut_call_loop){ .loop = first->loop,
                                      .alphabet = first->alphabet,
                                      .calls_per_iteration = first->calls_per_iteration,
                                      .followers = first->followers,
                                      .separated = first->separated };
    if (first->sequences == 0)
        return PRVCUT_OK;
    out->border = prvcut_zeroed(first->sequences, sizeof *out->border, "sequences", err);
    out->borders = prvcut_zeroed(first->sequences, sizeof *out->borders, "sequences", err);
    out->start = prvcut_zeroed(first->sequences, sizeof *out->start, "sequences", err);
    out->sequences = first->sequences;
    if (!out->border || !out->borders || !out->start)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; st == PRVCUT_OK && i < first->sequences; i++)
        st = kjo_join_sequence(out, c, i, err);
    return st;
}

static enum prvcut_status kjo_join_signal(struct prvcut_signal_borders *out, const struct chain *c,
                                          struct prvcut_error *err)
{
    size_t n = 1;

    *out = (struct prvcut_signal_borders){ 0 };
    for (size_t i = 0; i < c->parts; i++)
        n += c->part[i]->borders.count;
    out->at = prvcut_unset(n, sizeof *out->at, "borders", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < c->parts; i++) {
        const struct prvcut_signal_borders *b = &c->part[i]->borders;
        const size_t more = b->count - (b->count > 0 && i + 1 < c->parts);

        if (more > 0)
            memcpy(out->at + out->count, b->at, more * sizeof *out->at);
        out->count += more;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_known_loops_join(struct prvcut_known_loop *out,
                                           const struct prvcut_known_loops *k,
                                           const struct prvcut_known_loop *of,
                                           struct prvcut_error *err)
{
    struct chain c = { .part = prvcut_zeroed(k->count + 1, sizeof *c.part, "parts", err) };
    enum prvcut_status st;

    *out = *of;
    out->calls = (struct prvcut_call_loop){ .sequences = 0 };
    out->borders = (struct prvcut_signal_borders){ 0 };
    out->own = NULL;
    out->owned = 0;
    out->own_signal = false;
    if (!c.part)
        return PRVCUT_ENOMEM;
    kjo_find_chain(&c, k, of);
    st = kjo_join_calls(&out->calls, &c, err);
    if (st == PRVCUT_OK)
        st = kjo_join_signal(&out->borders, &c, err);
    if (st == PRVCUT_OK && c.parts > 0) {
        out->loop.span =
            (struct prvcut_span){ c.part[0]->loop.span.start, c.part[c.parts - 1]->loop.span.end };
        out->loop.iterations = 0;
        for (size_t i = 0; i < c.parts; i++)
            out->loop.iterations += c.part[i]->loop.iterations;
        out->loop.period_ns =
            (double)(out->loop.span.end - out->loop.span.start) / out->loop.iterations;
    }
    free(c.part);
    return st;
}
