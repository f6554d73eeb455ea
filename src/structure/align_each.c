#include "structure/align_each.h"

#include "structure/align_borders.h"

#include <string.h>

/*
 * What bounds time and memory, not the answer: set by hand and not fitted.
 *
 * name    value  unit          decides
 */
#define AT_ONCE                                                                                    \
    32 /* iterations  that are looked at together, with three on either side; more take memory,    \
          and no less time (tried: 8, 16, 32, 64 on three traces) */
#define WALLS_WORTH 4 /* borders     of as few, walls take longer than they save */
#define READINGS                                                                                   \
    8 /* readings    most of a trace whose threads are recorded apart: each begins with            \
         the run */

/* Borders under way. */
struct ale_work {
    uint64_t *out;
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_align_each *in;
    size_t leader, last; /* sequence; its last border */
    uint64_t at_once;    /* ns */
    /* of the latest reading; each goes on from the one before, in its memory */
    struct align_piece piece;
    struct align_groups groups;
};

static uint64_t ale_border(const struct ale_work *w, size_t k)
{
    return w->in->calls->border[w->leader][k];
}

/* The iteration that a border begins; of the last one, that it ends. */
static size_t ale_iteration(const struct ale_work *w, size_t k)
{
    return k < w->last ? k : k - 1;
}

/* The longest of the iterations that touch the first and the last of some borders. */
static uint64_t ale_longest(const struct ale_work *w, size_t first, size_t end)
{
    const size_t k[2] = { w->in->k[first], w->in->k[end - 1] };
    uint64_t longest = 0;

    for (size_t i = 0; i < 4; i++) {
        const size_t from = k[i / 2] - i % 2;

        if (k[i / 2] >= i % 2 && from < w->last &&
            ale_border(w, from + 1) - ale_border(w, from) > longest)
            longest = ale_border(w, from + 1) - ale_border(w, from);
    }
    return longest;
}

/* The time from one border to another on all threads that are examined. */
static struct prvcut_span ale_span(const struct ale_work *w, size_t first, size_t end)
{
    const struct prvcut_call_loop *c = w->in->calls;
    const size_t from = ale_iteration(w, w->in->k[first]);
    const size_t to = ale_iteration(w, w->in->k[end - 1]) + 1;
    struct prvcut_span s = { UINT64_MAX, 0 };

    for (size_t i = 0; i < c->sequences; i++) {
        if (c->borders[i] <= to)
            continue;
        s.start = c->border[i][from] < s.start ? c->border[i][from] : s.start;
        s.end = c->border[i][to] > s.end ? c->border[i][to] : s.end;
    }
    return s;
}

/* The threads that were examined are where their calls tell. */
static void ale_take_known(const struct ale_work *w, size_t which)
{
    const struct prvcut_call_loop *c = w->in->calls;
    const size_t k = w->in->k[which];
    uint64_t *out = w->out + which * w->trace->objects.threads;

    for (size_t i = 0; i < c->sequences; i++)
        if (k < c->borders[i] && w->in->sequence[i].thread < w->trace->objects.threads)
            out[w->in->sequence[i].thread] = c->border[i][k];
}

/* Threads without calls go with the first of their task that has a border. */
static void ale_take_others(const struct ale_work *w, size_t which)
{
    const struct prvcut_objects *o = &w->trace->objects;
    uint64_t *out = w->out + which * o->threads;

    for (uint32_t task = 0; task < o->tasks; task++) {
        const uint32_t begin = o->task_first_thread[task], end = o->task_first_thread[task + 1];
        uint32_t lead = begin;

        while (lead < end && out[lead] == 0)
            lead++;
        for (uint32_t i = begin; i < end && lead < end; i++)
            out[i] = out[i] > 0 ? out[i] : out[lead];
    }
}

/* One border, among the calls that were read. */
static enum prvcut_status ale_lay(const struct ale_work *w, struct aligner *a,
                                  struct prvcut_align_input *in, size_t which,
                                  struct prvcut_error *err)
{
    const size_t k = w->in->k[which];
    const struct align_border *b = k < w->last ? &a->left : &a->right;
    uint64_t *out = w->out + which * a->piece.threads;
    enum prvcut_status st;

    a->k = ale_iteration(w, k);
    in->window = (struct prvcut_span){ ale_border(w, a->k), ale_border(w, a->k + 1) };
    a->window = in->window;
    a->period = a->reach = in->window.end - in->window.start;
    if (!prvcut_align_tells_calls(a))
        return PRVCUT_OK;
    st = prvcut_align_lay_left(a, err);
    /* The next border is laid by itself: here it tells how good this one is, if that is asked. */
    if (st == PRVCUT_OK && (b == &a->right || a->left.crossing + a->left.split > 0)) {
        st = prvcut_align_lay_right(a, err);
        if (st == PRVCUT_OK &&
            a->left.crossing + a->right.crossing + a->left.split + a->right.split)
            st = prvcut_align_try_far(a, err);
    }
    for (uint32_t t = 0; st == PRVCUT_OK && t < a->piece.threads; t++)
        if (a->piece.thread[t].count > 0)
            out[t] = prvcut_align_time(a, b, t);
    return st;
}

static enum prvcut_status ale_lay_all(const struct ale_work *w, struct aligner *a,
                                      struct prvcut_align_input *in, size_t first, size_t end,
                                      struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_align_groups_make(&a->groups, &a->piece, prvcut_align_tolerance(w->trace), err);

    if (st == PRVCUT_OK)
        st = prvcut_aligner_init(a, err);
    if (st == PRVCUT_OK && end - first > WALLS_WORTH)
        st = prvcut_align_put_walls(a, err);
    for (size_t i = first; i < end && st == PRVCUT_OK; i++)
        st = ale_lay(w, a, in, i, err);
    return st;
}

/* Borders [first, end) with one reading; *too_much: they need more. */
static enum prvcut_status ale_read(struct ale_work *w, size_t first, size_t end, bool *too_much,
                                   struct prvcut_error *err)
{
    struct prvcut_align_input in = { .calls = w->in->calls,
                                     .sequence = w->in->sequence,
                                     .window = ale_span(w, first, end),
                                     .iterations = 1 };
    const size_t from = ale_iteration(w, w->in->k[first]);
    struct aligner a = { .in = &in,
                         .piece = w->piece,
                         .groups = w->groups,
                         .k = from,
                         .skewed = w->trace->clocks.skewed };
    enum prvcut_status st;

    a.period = ale_longest(w, first, end);
    st = prvcut_aligner_read(&a, w->trace, w->run, in.window, err);
    *too_much = a.piece.too_much;
    if (st == PRVCUT_OK && !a.piece.too_much)
        st = ale_lay_all(w, &a, &in, first, end, err);
    w->piece = a.piece;
    w->groups = a.groups;
    a.piece = (struct align_piece){ 0 };
    a.groups = (struct align_groups){ 0 };
    prvcut_aligner_fini(&a);
    return st;
}

/* How many borders from one on are read at once. */
static size_t ale_end(const struct ale_work *w, size_t first)
{
    const uint64_t from = ale_border(w, w->in->k[first]);
    size_t end = first + 1;

    while (end < w->in->count && ale_border(w, w->in->k[end]) - from <= w->at_once)
        end++;
    return end;
}

static enum prvcut_status ale_all(struct ale_work *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->in->count && st == PRVCUT_OK;) {
        size_t end = ale_end(w, i);
        bool too_much = true;

        while (too_much && st == PRVCUT_OK) {
            st = ale_read(w, i, end, &too_much, err);
            if (too_much && end == i + 1)
                break;
            end -= too_much ? (end - i + 1) / 2 : 0;
        }
        i = end;
    }
    for (size_t i = 0; i < w->in->count && st == PRVCUT_OK; i++) {
        ale_take_known(w, i);
        ale_take_others(w, i);
    }
    return st;
}

enum prvcut_status prvcut_align_each(uint64_t *out, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_align_each *in, struct prvcut_error *err)
{
    struct ale_work w = { .out = out, .trace = t, .run = run, .in = in };
    const struct prvcut_call_loop *c = in->calls;
    enum prvcut_status st;
    uint64_t length;

    memset(out, 0, in->count * t->objects.threads * sizeof *out);
    while (w.leader < c->sequences && c->borders[w.leader] < 2)
        w.leader++;
    if (w.leader == c->sequences || in->count == 0)
        return PRVCUT_OK;
    w.last = c->borders[w.leader] - 1;
    length = ale_border(&w, w.last) - ale_border(&w, 0);
    w.at_once = length / w.last * AT_ONCE;
    if (t->reader->halves && w.at_once < length / READINGS)
        w.at_once = length / READINGS;
    st = ale_all(&w, err);
    prvcut_align_piece_fini(&w.piece);
    prvcut_align_groups_fini(&w.groups);
    return st;
}
