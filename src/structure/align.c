#include "structure/align.h"

#include "base/memory.h"
#include "structure/align_borders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Bounds of time and memory, but for the last two, which were chosen.
 */

/* Iterations that are read on either side of the window; fewer where they would not fit. */
static const unsigned margins[] = { 3, 1 };

/* Iterations by which a border may be moved, at most. */
#define FAR 64

/* Text that is read on either side however short an iteration is: calls may be longer than it. */
#define TEXT_LEAST   ((uint64_t)2 << 20)

#define BYTES_LEAST  ((size_t)128 << 20) /* that the surroundings may take, */
#define BYTES_THREAD ((size_t)3 << 10)   /* and more for each thread */
#define TOLERANCE    1000                /* ns by which clocks that agree may still differ */
#define EXACT        0.05 /* share by which a thread's window may differ from an exact one */

void prvcut_alignment_fini(struct prvcut_alignment *a)
{
    free(a->from);
    free(a->to);
    memset(a, 0, sizeof *a);
}

/* Which of the followers' borders the window begins with. */
static size_t aln_find_border(const struct prvcut_align_input *in)
{
    const struct prvcut_call_loop *c = in->calls;

    for (size_t i = 0; c && i < c->sequences; i++)
        for (size_t k = 0; c->border[i] && k + in->iterations < c->borders[i]; k++)
            if (c->border[i][k] == in->window.start)
                return k;
    return SIZE_MAX;
}

/* The window and all borders of it that are known: threads may be iterations apart. */
static struct prvcut_span aln_known_span(const struct aligner *a)
{
    struct prvcut_span s = a->in->window;

    for (size_t i = 0; a->k != SIZE_MAX && i < a->in->calls->sequences; i++) {
        const uint64_t from = prvcut_align_follower(a, i, false),
                       to = prvcut_align_follower(a, i, true);

        s.start = from > 0 && from < s.start ? from : s.start;
        s.end = to > s.end ? to : s.end;
    }
    return s;
}

/* About how long it takes until so much text is recorded. */
static uint64_t aln_time_of_text(const struct prvcut_trace *t)
{
    return t->bytes > TEXT_LEAST
               ? (uint64_t)((double)TEXT_LEAST / (double)t->bytes * (double)t->end_ns)
               : t->end_ns;
}

enum prvcut_status prvcut_aligner_read(struct aligner *a, struct prvcut_trace *t,
                                       const struct prvcut_run *run, struct prvcut_span known,
                                       struct prvcut_error *err)
{
    const size_t most = BYTES_LEAST + t->objects.threads * BYTES_THREAD;
    const uint64_t least = aln_time_of_text(t);
    enum prvcut_status st = PRVCUT_OK;
    bool again = true;

    for (size_t i = 0; i < sizeof margins / sizeof *margins && again; i++) {
        const uint64_t iterations = margins[i] * a->period;
        const uint64_t more = i == 0 && iterations < least ? least : iterations;
        const struct prvcut_span span = { prvcut_align_less(known.start, more), known.end + more };

        st = prvcut_align_piece_read(&a->piece, t, run, span, most, err);
        again = st == PRVCUT_OK && a->piece.too_much;
    }
    return st;
}

uint64_t prvcut_align_tolerance(const struct prvcut_trace *t)
{
    const uint64_t doubt = 2 * t->clocks.doubt + t->clocks.residual;

    return doubt > TOLERANCE ? doubt : TOLERANCE;
}

enum prvcut_status prvcut_aligner_init(struct aligner *a, struct prvcut_error *err)
{
    const size_t n = (size_t)a->piece.threads + 1;
    struct align_border side[2] = { { 0 }, { 0 } };
    bool ok = prvcut_align_borders_init(side, a->piece.threads, err) == PRVCUT_OK;

    a->left = side[0];
    a->right = side[1];
    a->pos = prvcut_zeroed(n, sizeof *a->pos, "threads' borders", err);
    a->bound = prvcut_zeroed(n, sizeof *a->bound, "threads' borders", err);
    a->queue = prvcut_zeroed(n, sizeof *a->queue, "threads' borders", err);
    a->cursor = prvcut_zeroed(n, sizeof *a->cursor, "threads' borders", err);
    a->queued = prvcut_zeroed(n, 1, "threads' borders", err);
    a->looked =
        prvcut_zeroed((size_t)a->groups.groups + 1, sizeof *a->looked, "threads' borders", err);
    a->round = 0;
    ok &= a->pos && a->bound && a->queue && a->cursor && a->queued && a->looked;
    return ok ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_aligner_fini(struct aligner *a)
{
    prvcut_align_piece_fini(&a->piece);
    prvcut_align_groups_fini(&a->groups);
    prvcut_align_borders_fini((struct align_border[2]){ a->left, a->right });
    free(a->pos);
    free(a->bound);
    free(a->queue);
    free(a->cursor);
    free(a->queued);
    free(a->looked);
    free(a->wall);
    free(a->wall_from);
}

/*
 * A thread that makes no call between the borders: wherever they are between the calls around it.
 * False where these leave no room.
 */
static bool aln_take_idle(const struct aligner *a, uint32_t t, struct prvcut_alignment *out)
{
    const struct align_thread *thread = &a->piece.thread[t];
    const uint32_t pos = a->left.pos[t];
    const uint64_t low = pos > 0 ? thread->call[pos - 1].end + 1 : a->piece.span.start;
    const uint64_t high = pos < thread->count ? thread->call[pos].time : a->piece.span.end;
    const uint64_t from = a->left.expected[t], to = a->right.expected[t];

    if (high <= low)
        return false;
    out->from[t] = from <= low || from >= high ? low : from;
    out->to[t] = to >= high || to <= out->from[t] ? high : to;
    return true;
}

/* Both sides' times; false where a thread would keep nothing. */
static bool aln_take_borders(struct aligner *a, struct prvcut_alignment *out)
{
    for (uint32_t t = 0; t < a->piece.threads; t++) {
        if (a->piece.thread[t].count == 0)
            continue;
        out->follow++;
        out->from[t] = prvcut_align_time(a, &a->left, t);
        out->to[t] = prvcut_align_time(a, &a->right, t);
        if (out->to[t] <= out->from[t] &&
            (a->left.pos[t] != a->right.pos[t] || !aln_take_idle(a, t, out)))
            return false;
    }
    return out->follow > 0;
}

static void aln_widen(struct prvcut_span *hull, const struct prvcut_alignment *a, uint32_t thread)
{
    hull->start = a->from[thread] < hull->start ? a->from[thread] : hull->start;
    hull->end = a->to[thread] > hull->end ? a->to[thread] : hull->end;
}

/* Threads without calls go with the first of their task that has some, or else with all. */
static void aln_take_others(const struct aligner *a, const struct prvcut_trace *t,
                            struct prvcut_alignment *out)
{
    const struct prvcut_objects *o = &t->objects;

    out->hull = (struct prvcut_span){ UINT64_MAX, 0 };
    for (uint32_t i = 0; i < o->threads; i++)
        if (a->piece.thread[i].count > 0)
            aln_widen(&out->hull, out, i);
    for (uint32_t task = 0; task < o->tasks; task++) {
        const uint32_t begin = o->task_first_thread[task], end = o->task_first_thread[task + 1];
        uint32_t lead = begin;

        while (lead < end && a->piece.thread[lead].count == 0)
            lead++;
        for (uint32_t i = begin; i < end; i++) {
            if (a->piece.thread[i].count > 0)
                continue;
            out->stay++;
            out->from[i] = lead < end ? out->from[lead] : out->hull.start;
            out->to[i] = lead < end ? out->to[lead] : out->hull.end;
        }
    }
}

/*
 * Threads that make calls in the window, but keep far less or far more time than it has: they hold
 * other numbers of iterations.
 */
static uint64_t aln_odd_threads(const struct aligner *a)
{
    const uint64_t length = a->window.end - a->window.start;
    uint64_t odd = 0;

    for (uint32_t t = 0; t < a->piece.threads; t++) {
        const struct align_thread *thread = &a->piece.thread[t];
        const uint64_t from = prvcut_align_time(a, &a->left, t),
                       to = prvcut_align_time(a, &a->right, t);

        if (prvcut_align_calls_until(thread, a->window.start, false) !=
            prvcut_align_calls_until(thread, a->window.end, false))
            odd += to <= from || to - from < length / 2 || (to - from) / 2 > length;
    }
    return odd;
}

/* Does every thread keep as much time as the window has? */
static bool aln_is_exact(const struct prvcut_alignment *out, const struct aligner *a)
{
    const double length = (double)(a->window.end - a->window.start);

    for (uint32_t t = 0; t < a->piece.threads; t++)
        if (a->piece.thread[t].count > 0 &&
            fabs((double)(out->to[t] - out->from[t]) - length) > EXACT * length)
            return false;
    return true;
}

static uint64_t aln_whole_cost(const struct aligner *a)
{
    return prvcut_align_cost(a->left.crossing + a->right.crossing, a->left.split + a->right.split) +
           aln_odd_threads(a);
}

/* Borders that the calls tell are right, however long the iterations are, if nothing crosses them.
 */
static bool aln_is_good(const struct aligner *a)
{
    return a->left.crossing + a->right.crossing + a->left.split + a->right.split == 0 &&
           (a->k != SIZE_MAX || aln_odd_threads(a) == 0);
}

static void aln_swap_borders(struct aligner *a, struct align_border side[2])
{
    const struct align_border left = a->left, right = a->right;

    a->left = side[0];
    a->right = side[1];
    side[0] = left;
    side[1] = right;
}

/*
 * Where something crosses the borders that the calls tell, other places of the iteration may be
 * free: the window is moved on by these shares of an iteration.
 */
static const double places[] = { 0, 0.5, 0.25 };

static enum prvcut_status aln_try_places(struct aligner *a, struct prvcut_error *err)
{
    const struct prvcut_span window = a->window;
    struct align_border best[2] = { { 0 }, { 0 } };
    enum prvcut_status st = prvcut_align_borders_init(best, a->piece.threads, err);
    const size_t known = a->k;

    a->k = SIZE_MAX;
    for (size_t i = 0; i < sizeof places / sizeof *places && st == PRVCUT_OK; i++) {
        const uint64_t on = (uint64_t)(places[i] * (double)a->period);
        const uint64_t cost = aln_whole_cost(a);

        if (cost == 0)
            break;
        a->window = (struct prvcut_span){ window.start + on, window.end + on };
        aln_swap_borders(a, best);
        st = prvcut_align_lay(a, err);
        if (aln_whole_cost(a) >= cost)
            aln_swap_borders(a, best);
        else
            a->moved = true;
    }
    a->k = known;
    prvcut_align_borders_fini(best);
    return st;
}

/*
 * Where the threads are many iterations apart, a border may be expected that much too early or too
 * late: what crosses tells where it is, if it may be moved so far.
 */
enum prvcut_status prvcut_align_try_far(struct aligner *a, struct prvcut_error *err)
{
    const uint64_t before = a->window.start - a->piece.span.start;
    const uint64_t behind = a->piece.span.end - a->window.end;
    const uint64_t cost = aln_whole_cost(a), near = a->reach;
    struct align_border best[2] = { { 0 }, { 0 } };
    enum prvcut_status st = PRVCUT_OK;

    /* At the edges of what was read, nothing seems to cross. */
    a->reach = (before < behind ? before : behind) / 2;
    if (a->reach > FAR * a->period)
        a->reach = FAR * a->period;
    if (a->reach > near) {
        st = prvcut_align_borders_init(best, a->piece.threads, err);
        aln_swap_borders(a, best);
        if (st == PRVCUT_OK)
            st = prvcut_align_lay(a, err);
        if (st < 0 || aln_whole_cost(a) >= cost)
            aln_swap_borders(a, best);
        else
            a->moved = true;
        prvcut_align_borders_fini(best);
    }
    a->reach = near;
    return st;
}

/* Is any border of those that the calls told one of the calls here? They may have been regions. */
bool prvcut_align_tells_calls(const struct aligner *a)
{
    for (size_t i = 0; i < a->in->calls->sequences; i++) {
        const uint64_t border = prvcut_align_follower(a, i, false);
        const struct align_thread *t = &a->piece.thread[a->in->sequence[i].thread];
        const uint32_t pos = prvcut_align_calls_until(t, border, false);

        if (border > 0 && pos < t->count && t->call[pos].time == border)
            return true;
    }
    return false;
}

static bool aln_has_calls(const struct aligner *a)
{
    for (uint32_t t = 0; t < a->piece.threads; t++)
        if (prvcut_align_calls_until(&a->piece.thread[t], a->window.start, false) <
            prvcut_align_calls_until(&a->piece.thread[t], a->window.end, false))
            return true;
    return false;
}

static enum prvcut_status aln_solve(struct aligner *a, const struct prvcut_trace *t,
                                    struct prvcut_alignment *out, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    out->why = PRVCUT_ALIGN_WHY_NO_CALLS;
    if (!aln_has_calls(a))
        return PRVCUT_OK;
    if (a->k != SIZE_MAX && !prvcut_align_tells_calls(a))
        a->k = SIZE_MAX;
    st = prvcut_aligner_init(a, err);
    if (st == PRVCUT_OK)
        st = prvcut_align_lay(a, err);
    if (st == PRVCUT_OK && !aln_is_good(a))
        st = prvcut_align_try_far(a, err);
    if (st == PRVCUT_OK && !aln_is_good(a))
        st = aln_try_places(a, err);
    if (st < 0)
        return st;
    out->told = a->k != SIZE_MAX && !a->moved;
    /* Where clocks are apart, one time for all would be worse in any case. */
    out->found = aln_take_borders(a, out) && (out->told || a->skewed || aln_odd_threads(a) == 0);
    out->crossing = a->left.crossing + a->right.crossing;
    out->split = a->left.split + a->right.split;
    if (!out->found) {
        out->why = PRVCUT_ALIGN_WHY_UNLIKE;
        return PRVCUT_OK;
    }
    if (a->in->exact && !aln_is_exact(out, a)) {
        out->found = false;
        out->why = PRVCUT_ALIGN_WHY_INEXACT;
        return PRVCUT_OK;
    }
    out->why = out->told ? PRVCUT_ALIGN_WHY_FIRST_CALL : PRVCUT_ALIGN_WHY_OWN_CALL;
    aln_take_others(a, t, out);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_align(struct prvcut_alignment *out, struct prvcut_trace *t,
                                const struct prvcut_run *run, const struct prvcut_align_input *in,
                                struct prvcut_error *err)
{
    struct aligner a = {
        .in = in, .k = aln_find_border(in), .window = in->window, .skewed = t->clocks.skewed
    };
    enum prvcut_status st;

    *out = (struct prvcut_alignment){ .why = PRVCUT_ALIGN_WHY_TOO_MANY };
    a.period = a.reach = (in->window.end - in->window.start) / in->iterations;
    out->from =
        prvcut_zeroed((size_t)t->objects.threads + 1, sizeof *out->from, "threads' borders", err);
    out->to =
        prvcut_zeroed((size_t)t->objects.threads + 1, sizeof *out->to, "threads' borders", err);
    if (out->from && out->to)
        st = prvcut_aligner_read(&a, t, run, aln_known_span(&a), err);
    else
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK && !a.piece.too_much)
        st = prvcut_align_groups_make(&a.groups, &a.piece, prvcut_align_tolerance(t), err);
    if (st == PRVCUT_OK && !a.piece.too_much)
        st = aln_solve(&a, t, out, err);
    prvcut_aligner_fini(&a);
    if (st < 0)
        prvcut_alignment_fini(out);
    return st;
}
