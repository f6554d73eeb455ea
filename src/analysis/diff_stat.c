#include "analysis/diff_stat.h"

#include "dsp/order.h"

#include <math.h>

/*
 * name        value  unit                  decides
 */
#define DST_LEAST   0.01 /* of the value, or of an iteration: smaller differences are none */
#define DST_ROUGH   0.05 /* the same where too few iterations tell how much they differ */
#define DST_FEW     4    /* iterations: fewer are too few for that */
#define DST_MEDIANS 5.0  /* standard errors that medians must lie apart */
#define DST_MEANS   4.0  /* the same of means */
#define DST_ROWS                                                                                   \
    5.0                  /* the same of single threads, of which there are many, where their       \
                            average did not change */
#define DST_PART  0.75   /* of what medians changed: if means did less, some iterations did not */
#define DST_ERROR 1.2533 /* the standard error of a median over that of a mean */

/* A column of an iteration: of one row, or the average over all threads. */
static double dst_column(const struct prvcut_diff_run *r, size_t iteration, uint32_t row,
                         size_t column)
{
    double sum = 0;

    if (column == PRVCUT_DIFF_NO_COLUMN)
        return isnan(prvcut_diff_at(r, iteration, 0)[PRVCUT_DIFF_AT_CALLS]) ? (double)NAN : 0;
    if (row != PRVCUT_DIFF_ALL)
        return prvcut_diff_at(r, iteration, row)[column];
    for (uint32_t i = 0; i < r->rows; i++)
        sum += prvcut_diff_at(r, iteration, i)[column];
    return sum / (r->threads > 0 ? r->threads : 1);
}

/* What is a part of nothing is not told. */
static double dst_value(const struct prvcut_diff_run *r, size_t iteration, uint32_t row,
                        size_t over, size_t under)
{
    const double x = dst_column(r, iteration, row, over);
    const double of = under != PRVCUT_DIFF_NO_COLUMN ? dst_column(r, iteration, row, under) : 1;

    return of > 0 ? x / of : (double)NAN;
}

static void dst_median(struct prvcut_diff_stat *s, double *room, size_t n)
{
    s->low = prvcut_select(room, n, (n - 1) / 4);
    s->high = prvcut_select(room, n, n - 1 - (n - 1) / 4);
    s->median = prvcut_median(room, n);
    s->spread = PRVCUT_MAD_SCALE * prvcut_mad(room, n, s->median);
    s->clear = (double)n;
}

struct prvcut_diff_stat prvcut_diff_measure(const struct prvcut_diff_run *r,
                                            const struct prvcut_diff_spec *spec, unsigned side,
                                            uint32_t row, double *room)
{
    const size_t over = spec->over[side], under = spec->under[side];
    struct prvcut_diff_stat s = { .told = false };
    double sum = 0, squares = 0;
    size_t n = 0;

    for (int all = 0; all < 2 && n == 0; all++)
        for (size_t i = 0; i < r->iterations; i++) {
            const double x = dst_value(r, i, row, over, under);

            if ((all || r->clear[i]) && !isnan(x))
                room[n++] = x;
        }
    if (n == 0)
        return s;
    dst_median(&s, room, n);
    for (size_t i = 0; i < r->iterations; i++) {
        const double x = dst_value(r, i, row, over, under);

        if (isnan(x))
            continue;
        s.all++;
        sum += x - s.median;
        squares += (x - s.median) * (x - s.median);
    }
    s.deviation = s.all > 1 ? sqrt(fmax(0, squares - sum * sum / s.all) / (s.all - 1)) : 0;
    s.total = dst_value(r, r->iterations, row, over, under);
    s.mean = under != PRVCUT_DIFF_NO_COLUMN ? s.total : s.total / r->count;
    s.told = !isnan(s.total);
    return s;
}

/* Of the difference of two means, or medians. */
static double dst_error(double a, double of_a, double b, double of_b)
{
    return sqrt(a * a / of_a + b * b / of_b);
}

/* Does the median of the one lie beyond the middle half of the other? Where iterations come in two
   lengths, a few more of the one make the median jump. */
static bool dst_beyond(const struct prvcut_diff_stat *one, const struct prvcut_diff_stat *other)
{
    return one->median < other->low || one->median > other->high;
}

struct prvcut_diff_verdict prvcut_diff_judge(const struct prvcut_diff_stat *a,
                                             const struct prvcut_diff_stat *b, double unit,
                                             bool row, enum prvcut_diff_way only)
{
    const bool rough = a->clear < DST_FEW || b->clear < DST_FEW;
    const double floor = fabs(unit) * (rough ? DST_ROUGH : DST_LEAST);
    const double spread = fmax(a->spread, b->spread);
    const double of_medians = b->median - a->median, of_means = b->mean - a->mean;
    const double least = fmax(floor, spread);
    const double medians =
        DST_MEDIANS * DST_ERROR * dst_error(a->spread, a->clear, b->spread, b->clear);
    const double means =
        (row ? DST_ROWS : DST_MEANS) * dst_error(a->deviation, a->all, b->deviation, b->all);
    const bool by_medians = only != PRVCUT_DIFF_MEAN && fabs(of_medians) > fmax(least, medians) &&
                            dst_beyond(a, b) && dst_beyond(b, a);
    const bool by_means = only != PRVCUT_DIFF_MEDIAN && fabs(of_means) > fmax(least, means);
    /* Where a part of the iterations changed, the median is of either part. */
    const bool part = by_means && fabs(of_means) < DST_PART * fabs(of_medians);
    const bool use_means = by_means && (!by_medians || part);

    return (struct prvcut_diff_verdict){ .way = use_means    ? PRVCUT_DIFF_MEAN
                                                : by_medians ? PRVCUT_DIFF_MEDIAN
                                                             : PRVCUT_DIFF_SAME,
                                         .difference = use_means ? of_means : of_medians,
                                         .least = fmax(least, medians) };
}
