#include "window_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKED      2    /* iterations in a window */
#define FEW        5    /* windows tell nothing */
#define ROOM       0.05 /* of the median makes no difference; ... */
#define POINTS     0.02 /* ... of a share this */
#define CALL_LEAST 0.01 /* of the time, or a call does not count */
#define USEFUL_LOW 0.05 /* below, balance and efficiency are those of next to nothing */
#define TWICE      2.0
#define TAIL       0.05
#define PART       0.75 /* of the iterations: a loop of fewer is a part of the true one */
#define APART      0.5  /* iterations */
#define SAME       1e-9
#define LIKE       1.5 /* times as long as the marks tell: another loop */

enum { LENGTH, BALANCE, USEFUL, EFFICIENCY, BYTES, INSTRUCTIONS, CALL };

static const char *const names[CALL] = { "length",       "load balance",
                                         "useful share", "communication efficiency",
                                         "bytes",        "instructions" };

/* All windows, and what is measured in them. */
struct judge {
    const struct window_trace *t;
    const struct window_borders *b;
    const struct window_asked *a;
    uint32_t heavy[WINDOW_CALLS];
    size_t calls;                     /* of heavy */
    unsigned factor;                  /* true iterations in one that was asked for */
    size_t first, windows, width;     /* borders */
    double *value[WINDOW_QUANTITIES]; /* [windows] */
    double *sorted[WINDOW_QUANTITIES];
    double kept[WINDOW_QUANTITIES];
    bool counts[WINDOW_QUANTITIES];
    struct window_found *found;
};

/* --- Measures --------------------------------------------------------------------------------- */

/* Where a window begins and ends on each thread. */
struct spans {
    size_t window; /* of the true ones; SIZE_MAX: what is kept */
};

static bool span_of(const struct judge *j, const struct spans *s, size_t lane, double *from,
                    double *to)
{
    const struct window_lane *l = &j->t->lane[lane];

    if (!j->b->at[lane])
        return false;
    if (s->window == SIZE_MAX) {
        if (l->thread >= j->a->threads)
            return false;
        *from = j->a->kept[l->thread].from;
        *to = j->a->kept[l->thread].to;
    } else {
        *from = j->b->at[lane][j->first + s->window];
        *to = j->b->at[lane][j->first + s->window + j->width];
    }
    return *to > *from;
}

static void measure(const struct judge *j, const struct spans *s, double *out)
{
    double length = 0, useful = 0, most = 0, threads = 0, from, to;

    memset(out, 0, WINDOW_QUANTITIES * sizeof *out);
    for (size_t i = 0; i < j->t->lanes; i++) {
        const struct window_lane *l = &j->t->lane[i];
        double outside;

        if (!span_of(j, s, i, &from, &to))
            continue;
        outside = to - from - window_time(l, UINT32_MAX, from, to);
        threads++;
        length += to - from;
        useful += outside;
        most = fmax(most, outside);
        out[BYTES] += window_amount(&l->sent, from, to);
        out[INSTRUCTIONS] += window_amount(&l->counted, from, to);
        for (size_t c = 0; c < j->calls; c++)
            out[CALL + c] += window_time(l, j->heavy[c], from, to);
    }
    out[LENGTH] = length / fmax(1, threads);
    out[BALANCE] = useful / fmax(1, threads) / fmax(1, most);
    out[USEFUL] = useful / fmax(1, length);
    out[EFFICIENCY] = most / fmax(1, out[LENGTH]);
    for (size_t c = 0; c < j->calls; c++)
        out[CALL + c] /= fmax(1, length);
}

/* The calls that take most of the loop's time. */
static void find_heavy(struct judge *j)
{
    double *sum = calloc(j->t->kinds + 1, sizeof *sum);

    for (size_t k = 0; sum && k < j->t->kinds; k++)
        for (size_t i = 0; i < j->t->lanes; i++)
            if (j->b->at[i])
                sum[k] += window_time(&j->t->lane[i], (uint32_t)k, j->b->at[i][j->b->first],
                                      j->b->at[i][j->b->last]);
    while (sum && j->calls < WINDOW_CALLS) {
        size_t best = 0;

        for (size_t k = 1; k < j->t->kinds; k++)
            best = sum[k] > sum[best] ? k : best;
        if (j->t->kinds == 0 || sum[best] <= 0)
            break;
        j->heavy[j->calls++] = (uint32_t)best;
        sum[best] = 0;
    }
    free(sum);
}

/* --- What is usual ---------------------------------------------------------------------------- */

static int by_value(const void *x, const void *y)
{
    const double *a = x, *b = y;

    return *a < *b ? -1 : *a > *b;
}

static double quantile(const struct judge *j, size_t q, double p)
{
    const double at = p * (double)(j->windows - 1);
    const size_t low = (size_t)at, high = low + 1 < j->windows ? low + 1 : low;

    return j->sorted[q][low] + (at - (double)low) * (j->sorted[q][high] - j->sorted[q][low]);
}

static bool is_share(size_t q)
{
    return q == BALANCE || q == USEFUL || q == EFFICIENCY || q >= CALL;
}

/* 1: as far from the median as what is still usual. */
static double distance(const struct judge *j, size_t q, double x)
{
    const double middle = quantile(j, q, 0.5);
    const double room = fmax(ROOM * fabs(middle), is_share(q) ? POINTS : 0);
    const double half = x >= middle ? quantile(j, q, 0.75) - middle : middle - quantile(j, q, 0.25);

    return fabs(x - middle) / (fmax(room, half) + 1e-12);
}

/* 0..1: so many windows have less of it. */
static double percentile(const struct judge *j, size_t q, double x)
{
    double less = 0;

    for (size_t i = 0; i < j->windows; i++)
        less += j->value[q][i] < x ? 1 : j->value[q][i] <= x ? 0.5 : 0;
    return less / (double)j->windows;
}

static void find_counting(struct judge *j)
{
    const bool busy = quantile(j, USEFUL, 0.5) >= USEFUL_LOW;

    j->counts[LENGTH] = j->counts[USEFUL] = true;
    j->counts[BALANCE] = j->counts[EFFICIENCY] = busy;
    j->counts[BYTES] = quantile(j, BYTES, 0.5) > 0;
    j->counts[INSTRUCTIONS] = quantile(j, INSTRUCTIONS, 0.5) > 0;
    for (size_t c = 0; c < j->calls; c++)
        j->counts[CALL + c] = quantile(j, CALL + c, 0.5) >= CALL_LEAST;
}

static void name_worst(const struct judge *j, size_t q, double value, double off)
{
    struct window_found *f = j->found;

    if (q < CALL)
        snprintf(f->worst, sizeof f->worst, "%s", names[q]);
    else
        snprintf(f->worst, sizeof f->worst, "call %s", j->t->kind[j->heavy[q - CALL]]);
    f->value = value;
    f->usual = quantile(j, q, 0.5);
    f->off = off;
}

/* tell: name what is farthest */
static enum window_verdict verdict_of(const struct judge *j, const double *value, bool tell)
{
    double farthest = -1;
    bool ordinary = true;

    for (size_t q = 0; q < WINDOW_QUANTITIES; q++) {
        const double off = j->counts[q] ? distance(j, q, value[q]) : 0;
        const double p = off > TWICE ? percentile(j, q, value[q]) : 0.5;

        if (!j->counts[q])
            continue;
        ordinary = ordinary && (off <= TWICE || (p >= TAIL && p <= 1 - TAIL));
        if (off > farthest) {
            farthest = off;
            if (tell)
                name_worst(j, q, value[q], off);
        }
    }
    return farthest <= 1 + SAME ? WINDOW_TYPICAL : ordinary ? WINDOW_ORDINARY : WINDOW_UNUSUAL;
}

/* --- Places ----------------------------------------------------------------------------------- */

static double median_of(double *at, size_t count)
{
    qsort(at, count, sizeof *at, by_value);
    return count % 2 == 1 ? at[count / 2] : (at[count / 2 - 1] + at[count / 2]) / 2;
}

/* In another iteration, and not only to the other side of its border: in an iteration a thread that
   comes late is far from those that wait for it. */
static bool is_apart(double place, double others)
{
    return fabs(place - others) > APART && floor(place) != floor(others);
}

/* Where the threads' windows lie among the true iterations. */
static bool find_places(struct judge *j)
{
    const struct spans kept = { SIZE_MAX };
    struct window_found *f = j->found;
    double *begin = calloc(j->t->lanes + 1, sizeof *begin);
    double *end = calloc(j->t->lanes + 1, sizeof *end);
    double *room = calloc(j->t->lanes + 1, sizeof *room), from, to, middle, last;
    bool own = false;
    size_t n = 0;

    for (size_t i = 0; i < j->t->lanes; i++)
        if (span_of(j, &kept, i, &from, &to)) {
            f->loose += !j->b->own[i];
            own = own || j->b->own[i];
        }
    for (size_t i = 0; begin && end && room && i < j->t->lanes; i++) {
        if (!span_of(j, &kept, i, &from, &to) || j->b->own[i] != own)
            continue;
        begin[n] = window_place(j->b, i, from);
        end[n] = window_place(j->b, i, to);
        if (getenv("WINDOWS_THREADS"))
            printf("  %-10s keeps %.3f to %.3f, phase %.3f%s\n", j->t->lane[i].name, begin[n],
                   end[n], j->b->phase[i], own ? "" : ", by others' marks");
        n++;
    }
    f->threads = (unsigned)n;
    if (n > 0) {
        memcpy(room, begin, n * sizeof *room);
        middle = median_of(room, n);
        memcpy(room, end, n * sizeof *room);
        last = median_of(room, n);
        for (size_t i = 0; i < n; i++) {
            if (own && (is_apart(begin[i], middle) || is_apart(end[i], last)))
                f->apart++;
            else if (own && fmax(fabs(begin[i] - middle), fabs(end[i] - last)) > APART)
                f->late++;
        }
        f->place = middle;
        f->held = last - middle;
    }
    free(begin);
    free(end);
    free(room);
    return n > 0;
}

/* The accepted multiple that is nearest to what is kept: the mean length of iterations that grow or
   shrink is not that of those that were found. */
static unsigned factor_of(const struct judge *j)
{
    const struct truth *t = j->b->truth;
    const double each = j->found->held / ASKED;
    unsigned best = j->b->factor;

    for (unsigned i = 0; i < t->factors; i++)
        if (t->factor[i] < LIKE * j->b->factor && t->factor[i] > j->b->factor / LIKE &&
            fabs(t->factor[i] - each) < fabs(best - each))
            best = t->factor[i];
    return best;
}

/* Windows of the loop that was found: where it is one half of the true one, of that half. */
static void find_range(struct judge *j)
{
    const struct window_borders *b = j->b;
    size_t last = b->last, lane = 0;

    j->factor = factor_of(j);
    j->width = ASKED * (size_t)j->factor;
    j->first = b->first;
    while (!b->at[lane])
        lane++;
    if (j->a->answer.iterations * j->factor < PART * (double)(last - j->first)) {
        while (j->first < last && b->at[lane][j->first + 1] < j->a->answer.start)
            j->first++;
        while (last > j->first && b->at[lane][last - 1] > j->a->answer.end)
            last--;
    }
    j->windows = last - j->first >= j->width ? last - j->first - j->width + 1 : 0;
}

/* --- All -------------------------------------------------------------------------------------- */

static bool measure_all(struct judge *j)
{
    double out[WINDOW_QUANTITIES];

    for (size_t q = 0; q < WINDOW_QUANTITIES; q++) {
        j->value[q] = calloc(j->windows + 1, sizeof **j->value);
        j->sorted[q] = calloc(j->windows + 1, sizeof **j->sorted);
        if (!j->value[q] || !j->sorted[q])
            return false;
    }
    for (size_t i = 0; i < j->windows; i++) {
        measure(j, &(struct spans){ i }, out);
        for (size_t q = 0; q < WINDOW_QUANTITIES; q++)
            j->value[q][i] = j->sorted[q][i] = out[q];
    }
    for (size_t q = 0; q < WINDOW_QUANTITIES; q++)
        qsort(j->sorted[q], j->windows, sizeof **j->sorted, by_value);
    measure(j, &(struct spans){ SIZE_MAX }, j->kept);
    return true;
}

static void judge_all(struct judge *j)
{
    struct window_found *f = j->found;
    double value[WINDOW_QUANTITIES];
    const double place = f->place - (double)j->first;

    find_counting(j);
    f->windows = j->windows;
    for (size_t i = 0; i < j->windows; i++) {
        enum window_verdict v;

        for (size_t q = 0; q < WINDOW_QUANTITIES; q++)
            value[q] = j->value[q][i];
        v = verdict_of(j, value, false);
        f->typical += v == WINDOW_TYPICAL;
        if (fabs((double)i - place) <= 0.5)
            f->nearest = v;
    }
    f->verdict = f->otherwise = verdict_of(j, j->kept, true);
    /* Windows of several true iterations overlap. */
    if ((j->windows - 1) / j->factor + 1 < FEW)
        f->verdict = WINDOW_FEW;
}

bool window_judge(struct window_found *f, const struct window_trace *t,
                  const struct window_borders *b, const struct window_asked *a)
{
    struct judge j = { .t = t, .b = b, .a = a, .found = f };

    *f = (struct window_found){ .nearest = WINDOW_UNKNOWN };
    if (!find_places(&j))
        snprintf(f->why, sizeof f->why, "no thread can be placed");
    else
        find_range(&j);
    if (!*f->why && (f->place < -1 || f->place + f->held > (double)b->last + 2))
        snprintf(f->why, sizeof f->why, "cut at %.1f, which is not in the true loop", f->place);
    if (!*f->why && (f->held > LIKE * (double)j.width || f->held < (double)j.width / LIKE))
        snprintf(f->why, sizeof f->why, "cut %.2f true iterations, which is another loop", f->held);
    if (!*f->why && j.windows == 0)
        snprintf(f->why, sizeof f->why, "there is no window of so many iterations");
    if (!*f->why) {
        find_heavy(&j);
        if (measure_all(&j))
            judge_all(&j);
        for (size_t q = 0; q < WINDOW_QUANTITIES; q++) {
            free(j.value[q]);
            free(j.sorted[q]);
        }
    }
    return !*f->why;
}

const char *window_verdict_text(enum window_verdict v)
{
    static const char *const text[] = { "typical", "ordinary", "unusual", "few", "unknown" };

    return text[v];
}
