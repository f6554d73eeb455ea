#include "analysis/diff_stat.h"

#include "dsp/fit.h"
#include "dsp/order.h"

#include <math.h>

/*
 * name        value  unit                  decides
 */
#define DST_EXACT 1e-9 /* of the value: sums are no more exact */
#define DST_LEAST 0.01 /* of the value, or of an iteration: smaller differences are none */
#define DST_ROUGH 0.05 /* the same where too few iterations tell how much they differ */
#define DST_FEW   4    /* iterations: fewer are too few for that */
#define DST_FREEDOM                                                                                \
    4.0               /* degrees of freedom at least, or nothing would be told of few iterations */
#define DST_ORDER 16  /* iterations: of fewer a single long one would stand for all */
#define DST_SOME  24  /* iterations: of fewer the same, were it more than ... */
#define DST_LESS  3.0 /* ... so many standard errors */
#define DST_MANY  64  /* iterations: from here on stretches of them tell how a run drifts */
#define DST_SURE  4.0 /* standard errors that two runs must lie apart: of a normal distribution */
#define DST_ROWS                                                                                   \
    5.0                 /* the same of single threads, of which there are many, where their        \
                           average did not change */
#define DST_DRIFT 0.999 /* how sure it must be that no drift is the difference */
#define DST_LIKELY                                                                                 \
    3.09 /* standard errors, of one in a thousand to that side: what is more is hardly             \
            chance, though it does not prove a change */
#define DST_AGREE                                                                                  \
    0.9 /* how sure the stretches must be of the same: of one in twenty to that side */
#define DST_PART  0.75   /* of what medians changed: if means did less, some iterations did not */
#define DST_ERROR 1.2533 /* the standard error of a median over that of a mean */

/* A column of an iteration of one row. */
static double dst_column(const struct prvcut_diff_run *r, size_t iteration, uint32_t row,
                         size_t column)
{
    if (column == PRVCUT_DIFF_NO_COLUMN)
        return isnan(prvcut_diff_at(r, iteration, 0)[PRVCUT_DIFF_AT_CALLS]) ? (double)NAN : 0;
    return prvcut_diff_at(r, iteration, row)[column];
}

/* No reading of counters tells of the row. */
static bool dst_is_uncounted(const struct prvcut_diff_run *r, size_t iteration, uint32_t row,
                             size_t column)
{
    return prvcut_diff_counted(column) && isnan(dst_column(r, iteration, row, column));
}

/* What is a part of nothing is not told. Of all rows: the average over all threads, of counters
   over those that they tell of. */
static double dst_value(const struct prvcut_diff_run *r, size_t iteration, uint32_t row,
                        size_t over, size_t under)
{
    const uint32_t first = row != PRVCUT_DIFF_ALL ? row : 0,
                   end = row != PRVCUT_DIFF_ALL ? row + 1 : r->rows;
    double x = 0, of = 0, rows = 0;

    for (uint32_t i = first; i < end; i++) {
        if (dst_is_uncounted(r, iteration, i, over) || dst_is_uncounted(r, iteration, i, under))
            continue;
        x += dst_column(r, iteration, i, over);
        of += under != PRVCUT_DIFF_NO_COLUMN ? dst_column(r, iteration, i, under) : 0;
        rows++;
    }
    if (under == PRVCUT_DIFF_NO_COLUMN)
        of = row != PRVCUT_DIFF_ALL ? rows : rows * fmax(1, r->threads) / r->rows;
    return of > 0 ? x / of : (double)NAN;
}

/* Those of the clear iterations, or of all, in their order; returns how many. */
static size_t dst_fill(const struct prvcut_diff_run *r, const struct prvcut_diff_spec *spec,
                       unsigned side, uint32_t row, bool all, double *room)
{
    size_t n = 0;

    for (size_t i = 0; i < r->iterations; i++) {
        const double x = dst_value(r, i, row, spec->over[side], spec->under[side]);

        if ((all || r->clear[i]) && !isnan(x))
            room[n++] = x;
    }
    return n;
}

/* How far from the middle those stand, in order, that the median may be by chance. */
static size_t dst_off(size_t n)
{
    return (size_t)ceil((n < DST_SOME ? DST_LESS : DST_SURE) * sqrt((double)n) / 2);
}

static void dst_median(struct prvcut_diff_stat *s, double *room, size_t n)
{
    const size_t off = dst_off(n), first = (n - 1) / 2, second = n / 2;
    const double least = prvcut_select(room, n, first > off ? first - off : 0);
    const double most = prvcut_select(room, n, second + off < n ? second + off : n - 1);

    s->low = prvcut_select(room, n, (n - 1) / 4);
    s->high = prvcut_select(room, n, n - 1 - (n - 1) / 4);
    s->median = prvcut_median(room, n);
    s->below = s->median - least;
    s->above = most - s->median;
    s->spread = PRVCUT_MAD_SCALE * prvcut_mad(room, n, s->median);
    s->clear = (double)n;
}

/* Where stretch i begins. */
static size_t dst_stretch(size_t n, size_t i)
{
    return n * i / PRVCUT_DIFF_STRETCHES;
}

/* The iterations in their order are replaced by how far each is from its stretch. */
static void dst_drift(struct prvcut_diff_drift *d, double *room, size_t n, bool medians)
{
    double squares = 0;

    for (size_t i = 0; i < PRVCUT_DIFF_STRETCHES; i++) {
        const size_t from = dst_stretch(n, i), to = dst_stretch(n, i + 1);
        double sum = 0;

        for (size_t k = from; k < to; k++)
            sum += room[k];
        d->at[i] = medians ? prvcut_median(room + from, to - from) : sum / (double)(to - from);
        for (size_t k = from; k < to; k++) {
            room[k] -= d->at[i];
            squares += room[k] * room[k];
        }
    }
    /* Of what is taken from each stretch some goes with the noise. */
    d->noise = (medians ? PRVCUT_MAD_SCALE * prvcut_mad(room, n, 0) : sqrt(squares / (double)n)) *
               sqrt((double)n / (double)(n - PRVCUT_DIFF_STRETCHES));
    d->told = true;
}

static double dst_deviation(const double *at, size_t n, double near)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        sum += at[i] - near;
        squares += (at[i] - near) * (at[i] - near);
    }
    return n > 1 ? sqrt(fmax(0, squares - sum * sum / (double)n) / (double)(n - 1)) : 0;
}

struct prvcut_diff_stat prvcut_diff_measure(const struct prvcut_diff_run *r,
                                            const struct prvcut_diff_spec *spec, unsigned side,
                                            uint32_t row, double *room)
{
    const size_t over = spec->over[side], under = spec->under[side];
    struct prvcut_diff_stat s = { .told = false };
    size_t n = dst_fill(r, spec, side, row, false, room);
    const bool all = n == 0;

    n = all ? dst_fill(r, spec, side, row, true, room) : n;
    if (n == 0)
        return s;
    dst_median(&s, room, n);
    if (n >= DST_MANY) {
        (void)dst_fill(r, spec, side, row, all, room);
        dst_drift(&s.medians, room, n, true);
    }
    n = dst_fill(r, spec, side, row, true, room);
    s.all = (double)n;
    s.deviation = dst_deviation(room, n, s.median);
    if (n >= DST_MANY)
        dst_drift(&s.means, room, n, false);
    s.total = dst_value(r, r->iterations, row, over, under);
    s.mean = under != PRVCUT_DIFF_NO_COLUMN ? s.total : s.total / r->count;
    s.told = !isnan(s.total);
    return s;
}

/* What two means must lie apart: so many standard errors, more of few iterations, which tell less
   of how much they vary.
   source  Welch's test */
static double dst_apart(double sure, double a, double of_a, double b, double of_b)
{
    const double one = a * a / of_a, other = b * b / of_b;
    const double error = sqrt(one + other);
    const double freedom = (one + other) * (one + other) /
                           (one * one / fmax(1, of_a - 1) + other * other / fmax(1, of_b - 1));

    return error > 0
               ? error * prvcut_student(erf(sure / sqrt(2)), (size_t)fmax(DST_FREEDOM, freedom))
               : 0;
}

/* How far the mean of as many pairs is from 0 by chance, at most: what both do in the same part of
   the run is no chance, for programs change what they do. source  Student's test of pairs */
static double dst_pairs_apart(const double *a, const double *b, size_t n, double within)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        sum += b[i] - a[i];
    for (size_t i = 0; i < n; i++)
        squares += pow(b[i] - a[i] - sum / (double)n, 2);
    return prvcut_student(within, n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
}

/* What runs that drift must lie apart, each in its own way. */
static double dst_drifts_apart(const struct prvcut_diff_drift *a, const struct prvcut_diff_drift *b)
{
    return dst_pairs_apart(a->at, b->at, PRVCUT_DIFF_STRETCHES, DST_DRIFT);
}

/* Does the median of the one lie beyond the middle half of the other? Where iterations come in two
   lengths, a few more of the one make the median jump. */
static bool dst_beyond(const struct prvcut_diff_stat *one, const struct prvcut_diff_stat *other)
{
    return one->median < other->low || one->median > other->high;
}

/* Where iterations come in two lengths their spread does not tell how far the median jumps: those
   around it in order do. */
static double dst_medians_apart(const struct prvcut_diff_stat *a, const struct prvcut_diff_stat *b,
                                double sure)
{
    const double up = hypot(a->above, b->below), down = hypot(a->below, b->above);
    const double in_order = sure / DST_SURE *
                            (b->median > a->median   ? up
                             : b->median < a->median ? down
                                                     : fmax(up, down));

    if (!a->medians.told || !b->medians.told)
        return fmax(a->clear < DST_ORDER || b->clear < DST_ORDER ? 0 : in_order,
                    DST_ERROR * dst_apart(sure, a->spread, a->clear, b->spread, b->clear));
    return fmax(in_order, fmax(DST_ERROR * dst_apart(sure, a->medians.noise, a->clear,
                                                     b->medians.noise, b->clear),
                               dst_drifts_apart(&a->medians, &b->medians)));
}

static double dst_means_apart(const struct prvcut_diff_stat *a, const struct prvcut_diff_stat *b,
                              double sure)
{
    if (!a->means.told || !b->means.told)
        return dst_apart(sure, a->deviation, a->all, b->deviation, b->all);
    return fmax(dst_apart(sure, a->means.noise, a->all, b->means.noise, b->all),
                dst_drifts_apart(&a->means, &b->means));
}

/* Sums of the same in another order are no more exact. */
static double dst_less(double b, double a)
{
    return fabs(b - a) > DST_EXACT * fmax(fabs(a), fabs(b)) ? b - a : 0;
}

struct prvcut_diff_verdict prvcut_diff_judge(const struct prvcut_diff_stat *a,
                                             const struct prvcut_diff_stat *b, double unit,
                                             bool row, bool known, enum prvcut_diff_way only)
{
    const bool rough = a->clear < DST_FEW || b->clear < DST_FEW;
    const bool many = a->medians.told && b->medians.told;
    const double floor = fabs(unit) * (rough ? DST_ROUGH : DST_LEAST);
    const double of_medians = dst_less(b->median, a->median);
    const double of_means = dst_less(b->mean, a->mean);
    /* Of few iterations nobody knows how the run drifts: they differ by as much. */
    const double least = many || known ? floor : fmax(floor, fmax(a->spread, b->spread));
    const double medians = dst_medians_apart(a, b, row ? DST_ROWS : DST_SURE);
    const double means = dst_means_apart(a, b, row ? DST_ROWS : DST_SURE);
    const bool by_medians = only != PRVCUT_DIFF_MEAN && fabs(of_medians) > fmax(least, medians) &&
                            (many || (dst_beyond(a, b) && dst_beyond(b, a)));
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

/* --- What is hardly chance -------------------------------------------------------------------- */

static double dst_mean(const double *at, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += at[i];
    return sum / (double)n;
}

/* Do the parts of the runs agree that the second is longer, or shorter, by about as much? */
static bool dst_parts_agree(const double *a, size_t of_a, const double *b, size_t of_b)
{
    const size_t fewer = of_a < of_b ? of_a : of_b;
    const size_t n = fewer < PRVCUT_DIFF_STRETCHES ? fewer : PRVCUT_DIFF_STRETCHES;
    double one[PRVCUT_DIFF_STRETCHES], other[PRVCUT_DIFF_STRETCHES];

    for (size_t i = 0; i < n; i++) {
        const size_t from = of_a * i / n, start = of_b * i / n;

        one[i] = dst_mean(a + from, of_a * (i + 1) / n - from);
        other[i] = dst_mean(b + start, of_b * (i + 1) / n - start);
    }
    return fabs(dst_mean(other, n) - dst_mean(one, n)) > dst_pairs_apart(one, other, n, DST_AGREE);
}

/* Iteration by iteration: those of one number do the same in both runs, however unlike they are. */
static bool dst_pairs_differ(const double *a, size_t of_a, const double *b, size_t of_b)
{
    const size_t n = of_a < of_b ? of_a : of_b;

    return n >= PRVCUT_DIFF_STRETCHES && of_a - n <= PRVCUT_DIFF_OFF_BY &&
           of_b - n <= PRVCUT_DIFF_OFF_BY &&
           fabs(dst_mean(b, n) - dst_mean(a, n)) >
               dst_pairs_apart(a, b, n, erf(DST_LIKELY / sqrt(2)));
}

bool prvcut_diff_likely(const struct prvcut_diff_run run[2], const struct prvcut_diff_spec *spec,
                        uint32_t row, double *const room[2])
{
    size_t n[2];
    double mean[2], deviation[2], difference;

    for (unsigned s = 0; s < 2; s++) {
        n[s] = dst_fill(&run[s], spec, s, row, true, room[s]);
        if (n[s] < DST_FEW)
            return false;
        mean[s] = dst_mean(room[s], n[s]);
        deviation[s] = dst_deviation(room[s], n[s], mean[s]);
    }
    difference = fabs(mean[1] - mean[0]);
    return difference > DST_LEAST * fmin(mean[0], mean[1]) &&
           dst_parts_agree(room[0], n[0], room[1], n[1]) &&
           (difference >
                dst_apart(DST_LIKELY, deviation[0], (double)n[0], deviation[1], (double)n[1]) ||
            dst_pairs_differ(room[0], n[0], room[1], n[1]));
}
