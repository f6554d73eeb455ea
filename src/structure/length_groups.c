#include "structure/length_groups.h"

#include <math.h>
#include <stdlib.h>

/*
 * Found by hand; tests/structure/check_length_groups holds them, with lengths that are drawn.
 *
 * name       value   unit            decides
 */
#define LEAST     12   /* iterations that may lie in groups */
#define SMOOTH    0.06 /* of the logarithm: standard deviation of what smooths the density */
#define STEPS     4    /* bins in that */
#define REACH     12   /* bins on either side that it takes in */
#define VALLEY    0.4  /* of the lower of two peaks: density between two groups, at most */
#define PEAK      0.02 /* of the iterations: density that is a peak, at least */
#define NAMED     0.05 /* of the iterations: a group that is told, at least, ... */
#define NAMED_FEW 3    /* ... and so many of them */
#define COVERED   0.85 /* of the iterations that the told ones must hold */
#define MOST      0.8  /* of the iterations: with more in one group the others are few */
#define BINS      ((size_t)2048)

/* Density of the logarithms of lengths. */
struct density {
    double low, width; /* of the first bin */
    size_t bins;
    double at[BINS];
};

static int length_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static size_t length_bin(const struct density *d, double length)
{
    return (size_t)((log(length) - d->low) / d->width);
}

/* length: [count] sorted */
static void length_density(struct density *d, const double *length, size_t count)
{
    double plain[BINS] = { 0 }, range;

    d->width = SMOOTH / STEPS;
    range = log(length[count - 1] / length[0]) + 2 * REACH * d->width;
    if (range / d->width > (double)(BINS - 2))
        d->width = range / (double)(BINS - 2);
    d->low = log(length[0]) - REACH * d->width;
    d->bins = (size_t)(range / d->width) + 2;
    for (size_t i = 0; i < count; i++)
        plain[length_bin(d, length[i])] += 1;
    for (size_t i = 0; i < d->bins; i++) {
        d->at[i] = 0;
        for (size_t k = i < REACH ? 0 : i - REACH; k <= i + REACH && k < d->bins; k++) {
            const double off = ((double)i - (double)k) / STEPS;

            d->at[i] += plain[k] * exp(-off * off / 2);
        }
    }
}

/* Where the next group begins, from bin `from` on, in the middle of what is lowest between both;
   bins: there is none. */
static size_t length_next(const struct density *d, size_t from, double least)
{
    double peak = 0, low = HUGE_VAL;
    size_t first = from, last = from;

    for (size_t i = from; i < d->bins; i++) {
        const double now = d->at[i];

        if (low == HUGE_VAL && now >= peak)
            peak = now;
        else if (now < low && now < VALLEY * peak)
            low = d->at[first = last = i];
        else if (low < HUGE_VAL && now <= low)
            last = i;
        else if (low < HUGE_VAL && now > least && VALLEY * now > low)
            return first + (last - first + 1) / 2;
    }
    return d->bins;
}

/* length: [count] sorted, of one group */
static struct prvcut_length_group length_group_of(const double *length, size_t count)
{
    return (struct prvcut_length_group){ .iterations = count,
                                         .shortest = length[0],
                                         .median = length[count / 2],
                                         .longest = length[count - 1] };
}

/* What is told of the groups, or 0. */
static size_t length_tell(struct prvcut_length_group *out, const struct density *d,
                          const double *length, size_t count)
{
    const double all = (double)count;
    size_t told = 0, covered = 0, most = 0;

    for (size_t bin = 0, i = 0; bin < d->bins;) {
        const size_t end = length_next(d, bin, PEAK * all), first = i;

        while (i < count && length_bin(d, length[i]) < end)
            i++;
        bin = end;
        if (i - first < NAMED_FEW || (double)(i - first) < NAMED * all)
            continue;
        if (told == PRVCUT_LENGTH_GROUPS)
            return 0;
        out[told++] = length_group_of(length + first, i - first);
        covered += i - first;
        most = i - first > most ? i - first : most;
    }
    return told > 1 && (double)covered >= COVERED * all && (double)most <= MOST * all ? told : 0;
}

size_t prvcut_length_groups_find(struct prvcut_length_group out[PRVCUT_LENGTH_GROUPS],
                                 double *length, size_t count)
{
    struct density d;
    size_t none = 0;

    if (count > 0)
        qsort(length, count, sizeof *length, length_order);
    while (none < count && length[none] <= 0)
        none++;
    if (count - none < LEAST)
        return 0;
    length_density(&d, length + none, count - none);
    return length_tell(out, &d, length + none, count - none);
}
