#include "api/job_windows_inner.h"

#include "api/index.h"
#include "base/memory.h"
#include "structure/align_each.h"

#include <math.h>
#include <stdlib.h>

/*
 * Windows are measured between the borders that the calls of each thread tell, but a cut lays its
 * own: where calls of different places of the iteration told them, or something crosses them. What
 * is measured shall be what a cut would keep.
 */

/* So much of an iteration earlier or later than on the thread that leads, a thread may begin
   another part of it. */
#define APART 0.2
/* So much of an iteration may a border of the cut be from the one that the calls tell. */
#define NEAR 0.05

/* So many windows are asked how they would be cut. */
#define ASKED 2

/* A trace of fewer records is read once more without a thought. */
#define SHORT UINT64_C(1000000)

bool job_windows_are_short(const struct job *j)
{
    return job_records(j) <= SHORT;
}

static bool jwo_reads_parts(const struct job *j)
{
    return j->trace->seekable && !j->trace->reader->by_thread;
}

bool job_windows_are_soon_read(const struct job *j)
{
    return job_windows_are_short(j) || jwo_reads_parts(j);
}

enum prvcut_status job_windows_read(struct prvcut_measure *m, struct job *j,
                                    const struct prvcut_proof_region *stretch, size_t count,
                                    uint64_t before, struct prvcut_error *err)
{
    struct job_parts part = { .span = NULL };
    enum prvcut_status st = PRVCUT_OK;

    *m = (struct prvcut_measure){ .threads = 0 };
    if (jwo_reads_parts(j))
        st = job_parts_lay(&part, stretch, count, before, j->trace->objects.threads, err);
    if (st == PRVCUT_OK)
        st = index_measure(m, j, j->run, stretch, count, part.span ? &part.only : NULL, err);
    job_parts_fini(&part);
    return st;
}

enum prvcut_status job_windows_lay(struct prvcut_window *out, struct job *j,
                                   const struct job_place *place, uint64_t *bound, uint64_t *harm,
                                   struct prvcut_error *err)
{
    const size_t threads = j->trace->objects.threads;
    uint64_t *from = bound, *to = bound + threads;
    struct job_laying laid = { .from = from, .to = to };
    const enum prvcut_status st = job_would_lay(j, place, &laid, err);

    if (st < 0)
        return st;
    *harm = laid.harm;
    *out = (struct prvcut_window){ from[0], to[0], .thread_from = from, .thread_to = to };
    for (size_t k = 1; k < threads; k++) {
        out->from = from[k] < out->from ? from[k] : out->from;
        out->to = to[k] > out->to ? to[k] : out->to;
    }
    return PRVCUT_OK;
}

/* --- What is kept ----------------------------------------------------------------------------- */

/* What is usual, and none of this window, is nothing. */
static void jwo_fill(double *value, const struct prvcut_windows *w)
{
    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES; k++)
        if (w->usual[k].told && isnan(value[k]))
            value[k] = 0;
}

/* All columns of the measure, which has more keys now. */
static enum prvcut_status jwo_grow(struct job_windows *w, size_t keys, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_column_grow(&w->column, &w->measure, keys, err);

    for (size_t i = 0; i < w->groups && st == PRVCUT_OK; i++)
        st = prvcut_column_grow(&w->group[i].loop, &w->measure, keys, err);
    for (size_t i = 0; i < w->cuts && st == PRVCUT_OK; i++)
        st = prvcut_column_grow(&w->kept[i].column, &w->measure, keys, err);
    return st;
}

enum prvcut_status job_windows_set_kept(struct job_windows *w, const struct job_rivals *g,
                                        struct job_kept *kept, const struct prvcut_measure *more,
                                        size_t slot, struct prvcut_error *err)
{
    const size_t keys = w->measure.found.sums.key.count;
    enum prvcut_status st = prvcut_measure_adopt(&w->measure, more, err);

    if (st == PRVCUT_OK)
        st = jwo_grow(w, keys, err);
    if (st == PRVCUT_OK)
        st = prvcut_column_init(&kept->column, &w->measure, err);
    if (st < 0)
        return st;
    prvcut_column_set_adopted(&kept->column, &w->measure, more, slot);
    prvcut_windows_values(&g->all, kept->value, &w->measure, &kept->column, &g->loop);
    jwo_fill(kept->value, &g->all);
    kept->known = true;
    return PRVCUT_OK;
}

/* --- Before windows are measured -------------------------------------------------------------- */

static uint64_t jwo_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Does any thread begin its iterations far from the one that leads? */
static bool jwo_are_apart(const struct prvcut_known_loop *f)
{
    size_t borders;
    const uint64_t *lead = prvcut_known_loop_borders(f, &borders);

    for (size_t i = 0; i < f->calls.sequences && borders > 1; i++) {
        const uint64_t *own = f->calls.border[i];
        const double most = APART * (double)(lead[borders - 1] - lead[0]) / (double)(borders - 1);
        double sum = 0;

        if (!own || f->calls.borders[i] != borders)
            continue;
        for (size_t k = 0; k < borders; k++)
            sum += (double)jwo_distance(own[k], lead[k]);
        if (sum > most * (double)borders)
            return true;
    }
    return false;
}

/* The border that a window begins with, on the first thread that passes it; SIZE_MAX: it is none.
 */
static size_t jwo_border(const struct prvcut_known_loop *f, const struct job_planned *p)
{
    size_t borders;

    prvcut_known_loop_borders(f, &borders);
    for (size_t i = 0; i < f->calls.sequences; i++)
        for (size_t k = 0; f->calls.border[i] && f->calls.borders[i] == borders &&
                           k + p->place.iterations < borders;
             k++)
            if (f->calls.border[i][k] == p->place.choice.window.start)
                return k;
    return SIZE_MAX;
}

/* Of a window that is cut along the threads' own borders: a thread whose borders would be elsewhere
   than its calls tell is as far from the one that leads as the cut has it. */
static bool jwo_shift(struct job_windows *w, const struct prvcut_known_loop *f,
                      const struct job_laying *a, size_t k, unsigned iterations)
{
    size_t borders;
    const uint64_t *lead = prvcut_known_loop_borders(f, &borders);
    const uint64_t near = (uint64_t)(NEAR * (double)(lead[k + iterations] - lead[k]) / iterations);
    bool any = false;

    for (size_t i = 0; i < f->calls.sequences; i++) {
        const uint64_t *own = f->calls.border[i];
        const uint32_t t = f->sequence[i].thread;

        if (!own || f->calls.borders[i] != borders ||
            (jwo_distance(own[k], a->from[t]) <= near &&
             jwo_distance(own[k + iterations], a->to[t]) <= near))
            continue;
        w->apart[t] = (int64_t)(a->from[t] - lead[k]);
        any = true;
    }
    return any;
}

/* All borders of the threads that are apart, as a cut there would have them. */
static enum prvcut_status jwo_lay_each(struct job_windows *w, const struct job *j,
                                       const struct prvcut_known_loop *f, struct prvcut_error *err)
{
    const size_t sequences = f->calls.sequences, threads = j->trace->objects.threads;
    struct prvcut_call_loop calls = f->calls;
    struct prvcut_align_each each = { .calls = &calls, .sequence = f->sequence };
    size_t borders, *k;
    enum prvcut_status st;

    prvcut_known_loop_borders(f, &borders);
    if (borders > PRVCUT_PROOF_DETAIL / (threads + 1))
        return PRVCUT_OK;
    k = prvcut_unset(borders + sequences + 1, sizeof *k, "borders", err);
    w->laid = prvcut_zeroed(borders * threads + 1, sizeof *w->laid, "borders", err);
    w->laid_of = f;
    calls.borders = k ? k + borders : NULL;
    for (size_t i = 0; k && i < borders; i++)
        k[i] = i;
    for (size_t i = 0; k && i < sequences; i++)
        calls.borders[i] =
            w->apart[f->sequence[i].thread] == JOB_WINDOWS_OWN ? f->calls.borders[i] : 0;
    each.k = k;
    each.count = borders;
    st = k && w->laid ? prvcut_align_each(w->laid, j->trace, j->run, &each, err) : PRVCUT_ENOMEM;
    free(k);
    return st;
}

/* Would most windows be cut at one time for all? Asked of some, spread over the row, beside the one
   that is planned. */
static enum prvcut_status jwo_are_straight(bool *out, const struct job_windows *w, struct job *j,
                                           const struct job_planned *p, struct job_laying *laid,
                                           struct prvcut_error *err)
{
    const struct job_units *r = &w->row[0];
    const struct job_wanted wanted = { .iterations = p->place.iterations };
    size_t straight = laid->straight, asked = 1;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 1; i <= ASKED && st == PRVCUT_OK; i++) {
        const size_t first = r->units * i / (ASKED + 1);
        struct job_planned other = *p;

        if (job_units_of(r, first, &wanted) == 0)
            continue;
        st = job_units_take(j, r, first, p->place.iterations, &other, err);
        if (st == PRVCUT_OK)
            st = job_would_lay(j, &other.place, laid, err);
        straight += laid->straight;
        asked++;
    }
    *out = 2 * straight > asked;
    return st;
}

/* As the planned window would be cut. */
static enum prvcut_status jwo_tell(struct job_windows *w, struct job *j,
                                   const struct job_planned *p, struct job_laying *laid,
                                   struct prvcut_error *err)
{
    const struct prvcut_known_loop *f = p->place.loop;
    const uint32_t threads = j->trace->objects.threads;
    const size_t k = jwo_border(f, p);
    bool straight = false, apart;
    enum prvcut_status st = job_would_lay(j, &p->place, laid, err);

    if (st < 0)
        return st;
    straight = laid->straight;
    apart = !straight && k != SIZE_MAX && jwo_shift(w, f, laid, k, p->place.iterations);
    if (job_windows_are_short(j))
        st = jwo_are_straight(&straight, w, j, p, laid, err);
    for (uint32_t i = 0; straight && i < threads; i++)
        w->apart[i] = 0;
    return st == PRVCUT_OK && apart && !straight && job_windows_are_short(j)
               ? jwo_lay_each(w, j, f, err)
               : st;
}

enum prvcut_status job_windows_tell_apart(struct job_windows *w, struct job *j,
                                          const struct job_planned *p, struct prvcut_error *err)
{
    const struct prvcut_known_loop *f = p->place.loop;
    const uint32_t threads = j->trace->objects.threads;
    const bool straight = j->options->align == PRVCUT_ALIGN_STRAIGHT;
    struct job_laying laid = { .from = NULL };
    enum prvcut_status st;

    if (f->calls.sequences == 0 || (!straight && !job_windows_are_short(j) && !jwo_are_apart(f)))
        return PRVCUT_OK;
    w->apart = prvcut_unset(threads + 1, sizeof *w->apart, "threads", err);
    laid.from = prvcut_zeroed(2 * (size_t)threads + 1, sizeof *laid.from, "borders", err);
    laid.to = laid.from ? laid.from + threads : NULL;
    for (uint32_t i = 0; w->apart && i < threads; i++)
        w->apart[i] = straight ? 0 : JOB_WINDOWS_OWN;
    st = !w->apart || !laid.from ? PRVCUT_ENOMEM
         : straight              ? PRVCUT_OK
                                 : jwo_tell(w, j, p, &laid, err);
    free(laid.from);
    return st;
}

void job_windows_set_apart(const struct job_windows *w, const struct job *j, uint64_t *from,
                           uint64_t *to, const struct job_row *row)
{
    const uint32_t threads = j->trace->objects.threads;
    const size_t first = w->laid && row->loop == w->laid_of ? job_row_first(row) : SIZE_MAX;

    for (uint32_t i = 0; w->apart && i < threads; i++) {
        const int64_t by = w->apart[i];
        const uint64_t *at = first != SIZE_MAX ? w->laid + first * threads + i : NULL;
        const uint64_t end = at ? at[(row->borders - 1) * threads] : 0;

        if (by == JOB_WINDOWS_OWN)
            continue;
        if (at && at[0] > 0 && end > at[0]) {
            from[i] = at[0];
            to[i] = end;
        } else if (by >= 0 || row->span.start > (uint64_t)-by) {
            from[i] = row->span.start + (uint64_t)by;
            to[i] = row->span.end + (uint64_t)by;
        }
    }
}

/* --- When one is chosen ----------------------------------------------------------------------- */

/* So many windows are tried. */
#define TRIES 6
/* Windows whose distances differ by less are about as typical. */
#define ALMOST 0.25
/* A border that is off by less of an iteration is the same. */
#define SAME 0.02

/* Windows as they would be cut. */
struct jwo_tried {
    struct job_planned plan[TRIES]; /* what a plan owns stays the original's */
    size_t window[TRIES], count, measured;
    uint64_t harm[TRIES];
    struct prvcut_proof_region stretch[TRIES];
    struct job_kept kept[TRIES]; /* of those that were measured; owned */
    struct prvcut_judged judged[TRIES];
    uint64_t *bound; /* [TRIES][2 * threads]; owned */
};

static enum prvcut_status jwo_try(struct jwo_tried *t, struct job *j, const struct job_rivals *g,
                                  size_t window, const struct job_planned *p,
                                  struct prvcut_error *err)
{
    const size_t threads = j->trace->objects.threads, i = t->count++;
    enum prvcut_status st;

    t->window[i] = window;
    t->plan[i] = *p;
    st = i > 0 ? job_rivals_take(j, g, window, &t->plan[i], err) : PRVCUT_OK;
    if (st == PRVCUT_OK)
        st = job_windows_lay(&t->stretch[i].window, j, &t->plan[i].place,
                             t->bound + 2 * threads * i, &t->harm[i], err);
    return st;
}

/* Does a cut of the first one keep something else than what was measured? */
static bool jwo_is_moved(const struct jwo_tried *t, const struct job *j, const struct job_rivals *g)
{
    const struct job_windows *w = j->windows;
    const struct job_window at = job_rivals_window(w, g, t->window[0]);
    const struct job_units *r = &w->row[at.row];
    const size_t first = at.first, last = first + at.units - 1;

    for (uint32_t i = 0; i < j->trace->objects.threads; i++) {
        const struct prvcut_span begin = prvcut_window_own(&w->stretch[r->slot + first].window, i);
        const uint64_t end = prvcut_window_own(&w->stretch[r->slot + last].window, i).end;
        const struct prvcut_span cut = prvcut_window_own(&t->stretch[0].window, i);
        const double same = SAME * (double)(end - begin.start) / g->wanted.iterations;

        if (prvcut_column_has(&g->loop, i) &&
            ((double)jwo_distance(begin.start, cut.start) > same ||
             (double)jwo_distance(end, cut.end) > same))
            return true;
    }
    return false;
}

/* May it be taken? One from inside an iteration has to be typical. */
static bool jwo_may(const struct jwo_tried *t, size_t i)
{
    return t->plan[i].place.steps == 0 || t->judged[i].verdict == PRVCUT_CHOP_IS_TYPICAL;
}

static bool jwo_is_nearer(const struct prvcut_judged *a, const struct prvcut_judged *b)
{
    const bool one = a->verdict == PRVCUT_CHOP_IS_UNUSUAL;

    return one != (b->verdict == PRVCUT_CHOP_IS_UNUSUAL) ? !one : a->near < b->near;
}

/* Of those that were measured the nearest or, of such as are almost as near, the one that is cut
   with the least harm. */
static size_t jwo_best(const struct jwo_tried *t)
{
    const struct prvcut_judged *judged = t->judged;
    size_t nearest = 0, best;

    for (size_t i = 1; i < t->count; i++)
        if (jwo_may(t, i) && (!jwo_may(t, nearest) || jwo_is_nearer(&judged[i], &judged[nearest])))
            nearest = i;
    best = nearest;
    for (size_t i = 0; i < t->count; i++)
        if (judged[i].verdict == judged[nearest].verdict && jwo_may(t, i) &&
            judged[i].near <= judged[nearest].near + ALMOST &&
            (t->harm[i] < t->harm[best] ||
             (t->harm[i] == t->harm[best] && judged[i].near < judged[best].near)))
            best = i;
    return best;
}

/* What those hold that were not measured before. */
static enum prvcut_status jwo_judge(struct jwo_tried *t, struct job_windows *w,
                                    const struct prvcut_measure *m, const struct job_rivals *g,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t slot = 0; st == PRVCUT_OK && t->measured < t->count; slot++) {
        struct job_kept *kept = &t->kept[t->measured];

        st = job_windows_set_kept(w, g, kept, m, slot, err);
        if (st == PRVCUT_OK)
            t->judged[t->measured++] = prvcut_windows_judge(&g->all, kept->value);
    }
    return st;
}

static enum prvcut_status jwo_measure(struct jwo_tried *t, struct job *j,
                                      const struct job_rivals *g, struct prvcut_error *err)
{
    const struct prvcut_span *first = &t->plan[0].place.choice.window;
    const struct prvcut_proof_region *stretch = t->stretch + t->measured;
    const size_t count = t->count - t->measured;
    struct prvcut_measure m = { .threads = 0 };
    enum prvcut_status st;

    if (count == 0)
        return PRVCUT_OK;
    st = job_windows_read(&m, j, stretch, count, (first->end - first->start) / g->wanted.iterations,
                          err);
    if (st == PRVCUT_OK)
        st = jwo_judge(t, j->windows, &m, g, err);
    prvcut_measure_fini(&m);
    return st;
}

static void jwo_take(struct jwo_tried *t, struct job_planned *p, struct job_kept *kept)
{
    const size_t best = jwo_best(t);

    *p = t->plan[best];
    *kept = t->kept[best];
    t->kept[best].column = (struct prvcut_column){ .sum = NULL };
}

/* Are there others to try: does the first one split something, or is it not typical as it would be
   cut? */
static bool jwo_goes_on(const struct jwo_tried *t)
{
    return t->harm[0] > 0 || (t->measured > 0 && t->judged[0].verdict != PRVCUT_CHOP_IS_TYPICAL);
}

/* The next windows, as they would be cut: the nearest first. */
static enum prvcut_status jwo_try_others(struct jwo_tried *t, struct job *j,
                                         const struct job_rivals *g, const struct job_planned *p,
                                         struct prvcut_error *err)
{
    const bool inside =
        t->window[0] >= g->windows.count ||
        (g->step && t->measured > 0 && t->judged[0].verdict != PRVCUT_CHOP_IS_TYPICAL);
    const size_t most = inside ? g->all.count : g->windows.count;
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && t->count < TRIES) {
        const size_t window = prvcut_windows_next(&g->all, most, t->window, t->count);

        if (window == SIZE_MAX)
            break;
        st = jwo_try(t, j, g, window, p, err);
    }
    return st == PRVCUT_OK ? jwo_measure(t, j, g, err) : st;
}

enum prvcut_status job_windows_keep(struct job *j, const struct job_rivals *g, size_t window,
                                    struct job_planned *p, struct job_kept *kept,
                                    struct prvcut_error *err)
{
    const size_t threads = j->trace->objects.threads;
    struct jwo_tried t = { .count = 0 };
    enum prvcut_status st;

    if (!job_windows_are_soon_read(j) || threads > PRVCUT_PROOF_DETAIL / TRIES)
        return PRVCUT_OK;
    t.bound = prvcut_zeroed(2 * threads * TRIES + 1, sizeof *t.bound, "windows", err);
    if (!t.bound)
        return PRVCUT_ENOMEM;
    st = jwo_try(&t, j, g, window, p, err);
    if (st == PRVCUT_OK && jwo_is_moved(&t, j, g))
        st = jwo_measure(&t, j, g, err);
    if (st == PRVCUT_OK && jwo_goes_on(&t))
        st = jwo_try_others(&t, j, g, p, err);
    if (st == PRVCUT_OK && t.measured > 0)
        jwo_take(&t, p, kept);
    if (st == PRVCUT_OK)
        job_keep_laid(j, &p->place);
    for (size_t i = 0; i < TRIES; i++)
        prvcut_column_fini(&t.kept[i].column);
    free(t.bound);
    return st;
}
