#include "dsp/fit.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define HALF_TURN 3.14159265358979323846
/* Newton's method takes some ten steps; this many where 1 - within is next to nothing. */
#define STEPS_MOST 200

struct prvcut_line prvcut_line_fit(const double *x, const double *y, size_t points)
{
    struct prvcut_line l = { .variance = (double)NAN, .points = points };
    double level = 0, product = 0, rest = 0;

    assert(points >= 2);
    for (size_t i = 0; i < points; i++) {
        l.mean += x[i] / (double)points;
        level += y[i] / (double)points;
    }
    for (size_t i = 0; i < points; i++) {
        l.spread += (x[i] - l.mean) * (x[i] - l.mean);
        product += (x[i] - l.mean) * (y[i] - level);
    }
    l.slope = product / l.spread;
    l.start = level - l.slope * l.mean;
    for (size_t i = 0; i < points; i++) {
        const double off = y[i] - level - l.slope * (x[i] - l.mean);

        rest += off * off;
    }
    if (points > 2)
        l.variance = rest / (double)(points - 2);
    return l;
}

double prvcut_line_at(const struct prvcut_line *l, double x)
{
    return l->start + l->slope * x;
}

double prvcut_line_variance(const struct prvcut_line *l, double x)
{
    const double away = x - l->mean;

    return l->variance * (1 + 1 / (double)l->points + away * away / l->spread);
}

/* By polynomials that are orthogonal on the points: 1, u and v = u^2 - shift * u - level. */
double prvcut_parabola_at(const double *at, const double *y, size_t points, double x)
{
    double mean = 0, top = 0, uu = 0, uuu = 0, yu = 0, yv = 0, vv = 0, shift, level;
    const double n = (double)points;

    for (size_t i = 0; i < points; i++) {
        mean += at[i] / n;
        top += y[i] / n;
    }
    for (size_t i = 0; i < points; i++) {
        const double u = at[i] - mean;

        uu += u * u;
        uuu += u * u * u;
        yu += (y[i] - top) * u;
    }
    shift = uuu / uu;
    level = uu / n;
    for (size_t i = 0; i < points; i++) {
        const double u = at[i] - mean, v = u * u - shift * u - level;

        vv += v * v;
        yv += (y[i] - top) * v;
    }
    /* With two different places only there is no curve to tell. */
    if (points < 3 || !(vv > 1e-18 * uu * uu))
        return (double)NAN;
    x -= mean;
    return top + yu / uu * x + yv / vv * (x * x - shift * x - level);
}

/* P(|t| <= T) for t = sqrt(freedom) * tan(angle), and its slope over the angle. */
static double fit_within(double angle, size_t freedom, double *slope)
{
    const bool odd = freedom % 2 == 1;
    const double c = cos(angle), s = sin(angle);
    double term = odd ? c : 1, sum = 0, factor = odd ? 2 / HALF_TURN : 1;

    for (size_t k = odd ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= c * c * (double)(k - 1) / (double)k;
    }
    for (size_t k = odd ? 3 : 4; k <= freedom; k += 2)
        factor *= (double)(k - 1) / (double)(k - 2);
    *slope = factor * pow(c, (double)freedom - 1);
    return odd ? 2 / HALF_TURN * (angle + s * sum) : s * sum;
}

double prvcut_student(double within, size_t freedom)
{
    double angle = 0, slope;

    assert(within > 0 && within < 1 && freedom >= 1);
    /* The probability bends down over the angle: each step stays below the solution. */
    for (int i = 0; i < STEPS_MOST; i++) {
        const double step = (within - fit_within(angle, freedom, &slope)) / slope;

        if (!(step > 1e-16 * angle))
            break;
        angle += step;
    }
    return sqrt((double)freedom) * tan(angle);
}
