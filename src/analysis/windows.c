#include "analysis/windows.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What may differ from the median and be usual: that share of it, or so much of a share of time.
   Found on 132 traces: with 3 or 10 % as many hold a typical window. */
#define NEAR_SHARE  0.05
#define NEAR_POINTS 0.02
/* A call that takes less of the time is not compared. */
#define CALL_LEAST 0.01
/* Where less of the time is computed, who computes most of it says nothing. */
#define USEFUL_LEAST 0.05
/* Distances that differ by less are one. */
#define SAME 1e-6
/* No distance is told beyond that: the usual ones do not differ at all. */
#define FAR 1e6
/* Of so few windows the middle half may reach far: what is half as long again as the median, or
   half as long, is not usual (a length, bytes, instructions). Seven windows of lengths from 20 to
   500 ms had one among their middle half that was 1.78 times as long as the median. */
#define REACH_BELOW 16
#define REACH       0.5
/* Kinds that follow each other: around the median, a quarter of the middle half to either side, are
   so few of all windows, where one in four would be; the sides, of so many windows at least, are so
   many times as far from each other as the middle half of each is long (1.35 deviations), and by so
   much of the median. Found on made lengths of a single kind (normal, uniform, exponential): 1 of
   100 sets of 10 windows have such a gap, of 30 windows none of 4000. */
#define GAP_AROUND 0.25
#define GAP_MOST   0.05
#define GAP_SIDE   5
#define GAP_FAR    4
#define GAP_LEAST  0.1
/* A window between two kinds stands for none: it is no nearer than that. */
#define MIXED 1.5
/* Of what is still usual, up to there a window is ordinary. */
#define ORDINARY_MOST 2

/* --- What a window holds ---------------------------------------------------------------------- */

struct win_computing {
    double sum, most, length; /* ns; length: of all threads */
    double threads;
};

/* Time that no call takes, as far as there are calls. */
static double win_useful(const struct prvcut_column *c, const struct prvcut_measure *m, uint32_t i,
                         bool calls)
{
    const double length = (double)c->length[i];

    if (!calls)
        return prvcut_column_computing(c, m, i);
    return fmax(0, length - (double)c->thread[i].mpi);
}

/* Of the threads that call in the loop; where none does, of those that compute there. */
static struct win_computing win_computing(const struct prvcut_measure *m,
                                          const struct prvcut_column *window,
                                          const struct prvcut_column *loop)
{
    struct win_computing c = { 0, 0, 0, 0 };
    bool calls = false;

    for (uint32_t i = 0; loop->thread && i < m->threads && !calls; i++)
        calls = loop->thread[i].mpi > 0;
    for (uint32_t i = 0; i < m->threads; i++) {
        double useful;

        if (loop->thread ? (calls ? loop->thread[i].mpi == 0 : !prvcut_column_has(loop, i))
                         : window->length[i] == 0)
            continue;
        useful = window->thread ? win_useful(window, m, i, calls) : NAN;
        c.sum += useful;
        c.most = fmax(c.most, useful);
        c.length += (double)window->length[i];
        c.threads++;
    }
    return c;
}

/* How many threads call in the loop, where others do something else. */
static uint32_t win_callers(const struct prvcut_measure *m, const struct prvcut_column *loop)
{
    uint32_t callers = 0, active = 0;

    for (uint32_t i = 0; loop->thread && i < m->threads; i++) {
        callers += loop->thread[i].mpi > 0;
        active += prvcut_column_has(loop, i);
    }
    return callers < active ? callers : 0;
}

static double win_ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double win_amount(const struct prvcut_measure *m, const struct prvcut_column *c,
                         const struct prvcut_proof_key *key)
{
    const uint32_t at = prvcut_proof_sums_find(&m->found.sums, key);

    return at == UINT32_MAX ? NAN : (double)c->sum[at].amount;
}

void prvcut_windows_values(const struct prvcut_windows *w, double *at,
                           const struct prvcut_measure *m, const struct prvcut_column *window,
                           const struct prvcut_column *loop)
{
    static const struct prvcut_proof_key bytes = { PRVCUT_PROOF_MESSAGE, 0, 0 };
    static const struct prvcut_proof_key instructions = { PRVCUT_PROOF_COUNTER, 0,
                                                          PRVCUT_ROLE_INSTRUCTIONS };
    const struct win_computing c = win_computing(m, window, loop);

    at[PRVCUT_QUANTITY_LENGTH] = win_ratio(c.length, c.threads);
    at[PRVCUT_QUANTITY_LOAD_BALANCE] = win_ratio(c.sum, c.threads * c.most);
    at[PRVCUT_QUANTITY_USEFUL] = win_ratio(c.sum, c.length);
    at[PRVCUT_QUANTITY_COMMUNICATION_EFFICIENCY] = win_ratio(c.most, at[PRVCUT_QUANTITY_LENGTH]);
    at[PRVCUT_QUANTITY_BYTES] = win_amount(m, window, &bytes);
    at[PRVCUT_QUANTITY_INSTRUCTIONS] = win_amount(m, window, &instructions);
    for (size_t k = PRVCUT_QUANTITY_CALL; k < PRVCUT_WINDOW_QUANTITIES; k++)
        at[k] = w->usual[k].key == SIZE_MAX
                    ? NAN
                    : win_ratio(win_amount(m, window, &w->usual[k].call), c.length);
}

/* --- Which are compared ----------------------------------------------------------------------- */

/* The calls that take most of the loop's time. */
static void win_heaviest(struct prvcut_windows *w, const struct prvcut_measure *m,
                         const struct prvcut_column *loop)
{
    size_t found = 0;

    for (size_t k = 0; k < m->found.sums.key.count; k++) {
        size_t at = PRVCUT_QUANTITY_CALL + found;

        if (prvcut_proof_sums_key(&m->found.sums, k)->kind != PRVCUT_PROOF_CALL ||
            loop->sum[k].amount == 0)
            continue;
        if (found < PRVCUT_WINDOW_CALLS)
            found++;
        else if (loop->sum[k].amount <= loop->sum[w->usual[--at].key].amount)
            continue;
        for (; at > PRVCUT_QUANTITY_CALL &&
               loop->sum[w->usual[at - 1].key].amount < loop->sum[k].amount;
             at--)
            w->usual[at].key = w->usual[at - 1].key;
        w->usual[at].key = k;
    }
}

enum prvcut_status prvcut_windows_init(struct prvcut_windows *w, const struct prvcut_measure *m,
                                       const struct prvcut_column *loop, size_t whole, size_t inner,
                                       struct prvcut_error *err)
{
    const size_t count = whole + inner;

    *w = (struct prvcut_windows){ .whole = whole, .count = count, .callers = win_callers(m, loop) };
    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES; k++)
        w->usual[k] =
            (struct prvcut_usual){ .quantity = k < PRVCUT_QUANTITY_CALL ? (enum prvcut_quantity)k
                                                                        : PRVCUT_QUANTITY_CALL,
                                   .key = SIZE_MAX };
    win_heaviest(w, m, loop);
    for (size_t k = PRVCUT_QUANTITY_CALL; k < PRVCUT_WINDOW_QUANTITIES; k++)
        if (w->usual[k].key != SIZE_MAX)
            w->usual[k].call = *prvcut_proof_sums_key(&m->found.sums, w->usual[k].key);
    memcpy(w->own, w->usual, sizeof w->own);
    w->at = prvcut_zeroed(count * PRVCUT_WINDOW_QUANTITIES + 1, sizeof *w->at, "windows", err);
    w->beside = prvcut_zeroed(count + 1, sizeof *w->beside, "windows", err);
    w->end = prvcut_zeroed(count + 1, sizeof *w->end, "windows", err);
    return w->at && w->beside && w->end ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_windows_fini(struct prvcut_windows *w)
{
    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES; k++) {
        free(w->usual[k].sorted);
        free(w->own[k].sorted);
    }
    free(w->at);
    free(w->beside);
    free(w->end);
    free(w->of_kind);
    memset(w, 0, sizeof *w);
}

/* --- What is usual ---------------------------------------------------------------------------- */

static int win_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Between two samples, in proportion. */
static double win_quantile(const double *sorted, size_t count, double share)
{
    const double at = share * (double)(count - 1);
    const size_t low = (size_t)at;

    return low + 1 < count ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low])
                           : sorted[count - 1];
}

static bool win_is_share(enum prvcut_quantity q)
{
    return q != PRVCUT_QUANTITY_LENGTH && q != PRVCUT_QUANTITY_BYTES &&
           q != PRVCUT_QUANTITY_INSTRUCTIONS;
}

/* Of the first `count` windows, or those of a kind. */
static enum prvcut_status win_settle(struct prvcut_usual *u, const struct prvcut_windows *w,
                                     size_t k, size_t count, const bool *of,
                                     struct prvcut_error *err)
{
    size_t wanted = 0, known = 0;

    u->told = false;
    free(u->sorted);
    u->sorted = prvcut_unset(count + 1, sizeof *u->sorted, "windows", err);
    if (!u->sorted)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const double value = w->at[i * PRVCUT_WINDOW_QUANTITIES + k];

        wanted += !of || of[i];
        if ((!of || of[i]) && !isnan(value))
            u->sorted[known++] = value;
    }
    u->known = known;
    if (known < wanted || known == 0)
        return PRVCUT_OK;
    qsort(u->sorted, known, sizeof *u->sorted, win_by_value);
    u->median = win_quantile(u->sorted, known, 0.5);
    u->low = win_quantile(u->sorted, known, 0.25);
    u->high = win_quantile(u->sorted, known, 0.75);
    u->least = win_quantile(u->sorted, known, 0.05);
    u->most = win_quantile(u->sorted, known, 0.95);
    u->tolerance = fmax(NEAR_SHARE * u->median, win_is_share(u->quantity) ? NEAR_POINTS : 0);
    u->reach = w->whole < REACH_BELOW && !win_is_share(u->quantity) ? REACH * u->median : INFINITY;
    u->told = u->quantity != PRVCUT_QUANTITY_CALL || u->median >= CALL_LEAST;
    return PRVCUT_OK;
}

/* --- Kinds that follow each other ------------------------------------------------------------- */

/* As far from the median as a quarter of the middle half is long, where one window in four should
   be, or within the tolerance. */
static double win_around(const struct prvcut_usual *u)
{
    return fmax(u->tolerance, GAP_AROUND * (u->high - u->low));
}

static bool win_is_between(const struct prvcut_usual *u, double value)
{
    return fabs(value - u->median) <= win_around(u);
}

/* Of sorted values, by how much most differ from their median. */
static double win_spread(const double *sorted, size_t count)
{
    return win_quantile(sorted, count, 0.75) - win_quantile(sorted, count, 0.25);
}

/* Is next to nothing where the median is, and are both sides far from each other, each alike? */
static bool win_has_gap(const struct prvcut_usual *u)
{
    size_t low = 0, high = u->known;
    double apart;

    if (!u->told || u->weak || u->known < PRVCUT_WINDOWS_LEAST)
        return false;
    while (low < u->known && u->sorted[low] < u->median - win_around(u))
        low++;
    while (high > low && u->sorted[high - 1] > u->median + win_around(u))
        high--;
    if ((double)(high - low) > fmax(1, GAP_MOST * (double)u->known) || low < GAP_SIDE ||
        u->known - high < GAP_SIDE)
        return false;
    apart =
        win_quantile(u->sorted + high, u->known - high, 0.5) - win_quantile(u->sorted, low, 0.5);
    return apart >= GAP_FAR * fmax(win_spread(u->sorted, low),
                                   win_spread(u->sorted + high, u->known - high)) &&
           apart >= GAP_LEAST * u->median;
}

/* The side that more windows are on; of two that are alike the one with more of the quantity. */
static enum prvcut_status win_split(struct prvcut_windows *w, const struct prvcut_usual *u,
                                    struct prvcut_error *err)
{
    const size_t k = (size_t)(u - w->usual);
    size_t below = 0, above = 0;

    w->of_kind = prvcut_zeroed(w->count + 1, sizeof *w->of_kind, "windows", err);
    if (!w->of_kind)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->count; i++) {
        const double value = w->at[i * PRVCUT_WINDOW_QUANTITIES + k];

        below += value < u->median - win_around(u);
        above += value > u->median + win_around(u);
    }
    for (size_t i = 0; i < w->count; i++) {
        const double value = w->at[i * PRVCUT_WINDOW_QUANTITIES + k];

        w->of_kind[i] = !win_is_between(u, value) && (value > u->median) == (above >= below);
    }
    w->split = true;
    w->between = k;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_windows_settle(struct prvcut_windows *w, struct prvcut_error *err)
{
    struct prvcut_usual *useful = &w->usual[PRVCUT_QUANTITY_USEFUL];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES && st == PRVCUT_OK; k++)
        st = win_settle(&w->usual[k], w, k, w->count, NULL, err);
    if (useful->told && useful->median < USEFUL_LEAST) {
        w->usual[PRVCUT_QUANTITY_LOAD_BALANCE].weak = true;
        w->usual[PRVCUT_QUANTITY_COMMUNICATION_EFFICIENCY].weak = true;
    }
    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES && st == PRVCUT_OK && !w->split; k++)
        if (win_has_gap(&w->usual[k]))
            st = win_split(w, &w->usual[k], err);
    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES && st == PRVCUT_OK; k++) {
        w->own[k].quantity = w->usual[k].quantity;
        st = win_settle(&w->own[k], w, k, w->split ? w->count : w->whole, w->of_kind, err);
    }
    return st;
}

/* --- How far a window is from it -------------------------------------------------------------- */

static double win_distance(const struct prvcut_usual *u, double value)
{
    const double off = fabs(value - u->median);
    const double half = value > u->median ? u->high - u->median : u->median - u->low;
    const double usual = fmax(u->tolerance, fmin(u->reach, half));

    if (off <= 0)
        return 0;
    return usual > 0 ? fmin(FAR, off / usual) : FAR;
}

static double win_percentile(const struct prvcut_usual *u, double value)
{
    size_t less = 0, same = 0;

    for (size_t i = 0; i < u->known; i++) {
        less += u->sorted[i] < value;
        same += u->sorted[i] <= value && u->sorted[i] >= value;
    }
    return 100 * ((double)less + (double)same / 2) / (double)u->known;
}

static bool win_is_ordinary(const struct prvcut_usual *u, double value)
{
    return win_distance(u, value) <= ORDINARY_MOST || (value >= u->least && value <= u->most);
}

/* In both of its senses: usual among all, and near where one is chosen. */
struct win_off {
    const struct prvcut_usual *of; /* what usual is by */
    double usual, near;
};

static struct win_off win_off(const struct prvcut_windows *w, size_t k, double value)
{
    const double all = isnan(value) ? FAR : win_distance(&w->usual[k], value);
    const double own = w->own[k].told && !isnan(value) ? win_distance(&w->own[k], value) : all;

    return (struct win_off){ w->split && own < all ? &w->own[k] : &w->usual[k],
                             w->split ? fmin(all, own) : all, fmax(all, own) };
}

/* Does it lie between two kinds? */
static bool win_is_mixed(const struct prvcut_windows *w, const double *at)
{
    return w->split && win_is_between(&w->usual[w->between], at[w->between]);
}

/* weak: quantities that say little count, too */
static struct prvcut_judged win_judge(const struct prvcut_windows *w, const double *at, bool weak)
{
    struct prvcut_judged j = { .distance = -1 };
    bool ordinary = true;

    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES; k++) {
        const struct prvcut_usual *u = &w->usual[k];
        struct win_off off;

        if (!u->told || (u->weak && !weak))
            continue;
        off = win_off(w, k, at[k]);
        j.sum += off.near;
        j.near = fmax(j.near, off.near);
        ordinary = ordinary && (off.usual <= ORDINARY_MOST || win_is_ordinary(u, at[k]));
        if (off.usual <= j.distance)
            continue;
        j.distance = off.usual;
        j.worst = off.of;
        j.value = at[k];
    }
    if (!j.worst)
        return (struct prvcut_judged){ .verdict = PRVCUT_CHOP_IS_UNKNOWN };
    if (win_is_mixed(w, at))
        j.distance = fmax(j.distance, MIXED);
    j.verdict = j.distance <= 1 ? PRVCUT_CHOP_IS_TYPICAL
                : ordinary      ? PRVCUT_CHOP_IS_ORDINARY
                                : PRVCUT_CHOP_IS_UNUSUAL;
    return j;
}

struct prvcut_judged prvcut_windows_judge(const struct prvcut_windows *w, const double *value)
{
    struct prvcut_judged j = win_judge(w, value, false);

    if (!j.worst)
        return j;
    j.percentile = win_percentile(j.worst, j.value);
    if (w->whole < PRVCUT_WINDOWS_LEAST)
        j.verdict = PRVCUT_CHOP_IS_FEW;
    return j;
}

static bool win_is_among(size_t window, const size_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == window)
            return true;
    return false;
}

/* Is a better than b? One that is unusual, or of the other kind, comes last. */
static bool win_is_before(const struct prvcut_windows *w, size_t a, const struct prvcut_judged *x,
                          size_t b, const struct prvcut_judged *y)
{
    const bool one = x->verdict == PRVCUT_CHOP_IS_UNUSUAL,
               other = y->verdict == PRVCUT_CHOP_IS_UNUSUAL;

    if (one != other)
        return other;
    if (w->split && w->of_kind[a] != w->of_kind[b])
        return w->of_kind[a];
    return x->near < y->near - SAME || (x->near <= y->near + SAME && x->sum < y->sum);
}

/* Of those at an end of the loop, or of the others. */
static size_t win_nearest_of(const struct prvcut_windows *w, size_t most, bool end, bool weak,
                             const size_t *but, size_t count, struct prvcut_judged *best)
{
    size_t nearest = SIZE_MAX;

    for (size_t i = 0; i < most; i++) {
        struct prvcut_judged j;

        if (w->beside[i] || (w->end && w->end[i]) != end || win_is_among(i, but, count))
            continue;
        j = win_judge(w, w->at + i * PRVCUT_WINDOW_QUANTITIES, weak);
        if (nearest != SIZE_MAX && !win_is_before(w, i, &j, nearest, best))
            continue;
        *best = j;
        nearest = i;
    }
    return nearest;
}

static size_t win_nearest(const struct prvcut_windows *w, size_t most, bool weak, const size_t *but,
                          size_t count, struct prvcut_judged *best)
{
    struct prvcut_judged other = { .distance = 0 };
    const size_t inner = win_nearest_of(w, most, false, weak, but, count, best);
    const size_t end = win_nearest_of(w, most, true, weak, but, count, &other);

    if (end == SIZE_MAX || (inner != SIZE_MAX && best->verdict <= other.verdict))
        return inner;
    *best = other;
    return end;
}

size_t prvcut_windows_next(const struct prvcut_windows *w, size_t most, const size_t *but,
                           size_t count)
{
    struct prvcut_judged best = { .distance = 0 };
    const size_t nearest = win_nearest(w, most, true, but, count, &best);

    return nearest == SIZE_MAX || best.distance <= 1
               ? nearest
               : win_nearest(w, most, false, but, count, &best);
}

size_t prvcut_windows_nearest(const struct prvcut_windows *w, size_t most)
{
    return prvcut_windows_next(w, most, NULL, 0);
}
