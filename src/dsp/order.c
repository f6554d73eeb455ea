#include "dsp/order.h"

#include <math.h>
#include <stdint.h>

static double order_middle_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static void order_swap(double *a, double *b)
{
    const double t = *a;

    *a = *b;
    *b = t;
}

/* Some place in [low, high): fixed places would meet the worst case in what is sorted in part, as
   distances from a median are. */
static size_t order_some_place(uint32_t *seed, size_t low, size_t high)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return low + (size_t)((double)*seed * 0x1p-32 * (double)(high - low));
}

double prvcut_select(double *at, size_t n, size_t k)
{
    size_t low = 0, high = n; /* the rank lies in [low, high) */
    uint32_t seed = 1;

    while (high - low > 1) {
        const double pivot = order_middle_of(at[order_some_place(&seed, low, high)],
                                             at[order_some_place(&seed, low, high)],
                                             at[order_some_place(&seed, low, high)]);
        size_t less = low, more = high;

        /* Three parts: below, equal, above; many equal samples cost nothing. */
        for (size_t i = low; i < more;) {
            if (at[i] < pivot)
                order_swap(&at[i++], &at[less++]);
            else if (at[i] > pivot)
                order_swap(&at[i], &at[--more]);
            else
                i++;
        }
        if (k < less)
            high = less;
        else if (k >= more)
            low = more;
        else
            return pivot;
    }
    return at[low];
}

double prvcut_median(double *at, size_t n)
{
    double high, low;

    if (n == 0)
        return 0;
    high = prvcut_select(at, n, n / 2);
    if (n % 2 == 1)
        return high;
    /* What is not above it stands before it. */
    low = at[0];
    for (size_t i = 1; i < n / 2; i++)
        low = fmax(low, at[i]);
    return low / 2 + high / 2;
}

double prvcut_mad(double *at, size_t n, double centre)
{
    for (size_t i = 0; i < n; i++)
        at[i] = fabs(at[i] - centre);
    return prvcut_median(at, n);
}

double prvcut_far_among(double far, double values)
{
    /* Of a normal distribution: all of them lie nearer in about nine of ten runs. */
    return far * fmax(1, sqrt(2 * log(4 * fmax(1, values))) / 3);
}
