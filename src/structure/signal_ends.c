#include "structure/signal_ends.h"

#include "base/memory.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>

enum {
    PARTS = 8, /* of an iteration, whose means are compared */
    LEAST = 8, /* iterations, fewer than which tell nothing of what is usual */
    FOURTH = 4 /* this part of all, at either end, does not tell it, and may go */
};

/* Times the usual distance from the usual iteration, from which one is a stranger, ... */
static const double strange = 3;
/* ... and times the greatest of the others. */
static const double stranger = 1.2;
/* Share of those at an end that must be strangers for all to go. */
static const double most = 0.6;

struct ends {
    size_t count;
    double *part;     /* [PARTS][count] */
    double *distance; /* [count] from the usual iteration */
    double *room;     /* [count] */
};

static double ends_mean(const double *at, size_t samples, double from, double to)
{
    const size_t a = (size_t)fmin(fmax(0, from), (double)samples - 1);
    size_t z = (size_t)fmin(fmax(0, ceil(to)), (double)samples);
    double sum = 0;

    z = z > a ? z : a + 1;
    for (size_t i = a; i < z; i++)
        sum += at[i];
    return sum / (double)(z - a);
}

static void ends_take_parts(struct ends *e, const double *at, size_t samples, const double *start,
                            double length)
{
    for (size_t k = 0; k < e->count; k++) {
        const double own = k + 1 < e->count ? start[k + 1] - start[k] : length;

        for (size_t j = 0; j < PARTS; j++)
            e->part[j * e->count + k] = ends_mean(at, samples, start[k] + own * (double)j / PARTS,
                                                  start[k] + own * (double)(j + 1) / PARTS);
    }
}

static void ends_take_distances(struct ends *e)
{
    for (size_t k = 0; k < e->count; k++)
        e->distance[k] = 0;
    for (size_t j = 0; j < PARTS; j++) {
        const double *part = e->part + j * e->count;
        double usual;

        for (size_t k = 0; k < e->count; k++)
            e->room[k] = part[k];
        usual = prvcut_median(e->room, e->count);
        for (size_t k = 0; k < e->count; k++)
            e->distance[k] += (part[k] - usual) * (part[k] - usual) / PARTS;
    }
    for (size_t k = 0; k < e->count; k++)
        e->distance[k] = sqrt(e->distance[k]);
}

/** From which distance on an iteration is a stranger. */
static double ends_limit(struct ends *e)
{
    const size_t edge = e->count / FOURTH;
    double greatest = 0;

    for (size_t k = 0; k < e->count; k++) {
        e->room[k] = e->distance[k];
        if (k >= edge && k < e->count - edge)
            greatest = fmax(greatest, e->distance[k]);
    }
    return fmax(strange * prvcut_median(e->room, e->count), stranger * greatest);
}

/** How many go at one end. */
static size_t ends_strangers(const struct ends *e, double limit, bool last)
{
    size_t found = 0, go = 0;

    for (size_t i = 0; i < e->count / FOURTH; i++) {
        const size_t k = last ? e->count - 1 - i : i;

        found += e->distance[k] > limit;
        if (e->distance[k] > limit && (double)found >= most * (double)(i + 1))
            go = i + 1;
    }
    return go;
}

enum prvcut_status prvcut_signal_ends_trim(size_t range[2], const double *at, size_t samples,
                                           const double *start, size_t count, double length,
                                           struct prvcut_error *err)
{
    struct ends e = { .count = count };
    double limit;

    range[0] = 0;
    range[1] = count;
    if (count < LEAST || samples == 0)
        return PRVCUT_OK;
    e.part = prvcut_unset((PARTS + 2) * count, sizeof *e.part, "iterations", err);
    if (!e.part)
        return PRVCUT_ENOMEM;
    e.distance = e.part + PARTS * count;
    e.room = e.distance + count;
    ends_take_parts(&e, at, samples, start, length);
    ends_take_distances(&e);
    limit = ends_limit(&e);
    range[0] = ends_strangers(&e, limit, false);
    range[1] -= ends_strangers(&e, limit, true);
    free(e.part);
    return PRVCUT_OK;
}
