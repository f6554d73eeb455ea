#include "structure/spread.h"

#include "dsp/order.h"

#include <math.h>
#include <string.h>

/*
 * Found by hand, on generated programs whose iterations grow or shrink.
 *
 * name        value   unit       decides
 */
#define TREND      6   /* lengths from which a trend is no chance, ... */
#define TREND_FEW  5   /* ... and from which it is none where ... */
#define TREND_EVEN 0.2 /* ... no more of the deviation is left about it */
/* Chance spreads distances by pi / sqrt 6 = 1.28, few of them by less. Of 797 right answers with 5
   to 30 iterations for generated and real programs none varies so much, of 54 wrong ones where
   events come by chance 7 do. Solvers' passes reach 0.6. */
#define CHANCE_MOST  20   /* events, at most: of more, loops are as likely */
#define CHANCE_ALL   0.65 /* deviation of all, at least, ... */
#define CHANCE_USUAL 0.25 /* ... and of the usual ones, that some few long ones do not make */

static double spread_deviation(const double *value, size_t count)
{
    double mean = 0, sum = 0;

    for (size_t i = 0; i < count; i++)
        mean += value[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        sum += (value[i] - mean) * (value[i] - mean);
    return sqrt(sum / (double)count);
}

/* Take the trend off: the median slope from each value to the one half of them further on. */
static void spread_straighten(double *value, double *work, size_t count)
{
    const size_t half = count / 2;
    double slope;

    for (size_t i = 0; i + half < count; i++)
        work[i] = (value[i + half] - value[i]) / (double)half;
    slope = prvcut_median(work, count - half);
    for (size_t i = 0; i < count; i++)
        value[i] -= slope * (double)i;
}

static void spread_take_less(struct prvcut_spread *out, const double *value, double *work,
                             size_t count)
{
    double median;

    out->all = fmin(out->all, spread_deviation(value, count));
    memcpy(work, value, count * sizeof *work);
    median = prvcut_median(work, count);
    memcpy(work, value, count * sizeof *work);
    out->usual = fmin(out->usual, prvcut_mad(work, count, median));
}

void prvcut_spread_find(struct prvcut_spread *out, double *log_length, double *work, size_t count)
{
    double before;

    *out = (struct prvcut_spread){ HUGE_VAL, HUGE_VAL };
    spread_take_less(out, log_length, work, count);
    if (count < TREND_FEW)
        return;
    before = spread_deviation(log_length, count);
    spread_straighten(log_length, work, count);
    if (count >= TREND || spread_deviation(log_length, count) <= TREND_EVEN * before)
        spread_take_less(out, log_length, work, count);
}

bool prvcut_spread_by_chance(const struct prvcut_spread *s, size_t count)
{
    return count <= CHANCE_MOST && s->all >= CHANCE_ALL && s->usual >= CHANCE_USUAL;
}
