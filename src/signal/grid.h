#ifndef PRVCUT_SIGNAL_GRID_H
#define PRVCUT_SIGNAL_GRID_H

#include <stddef.h>
#include <stdint.h>

/** Sums of weight * overlap need more than 64 bits: ns of burst * ns of bin * threads. */
__extension__ typedef __int128 prvcut_wide;

/** Equal bins over [start, start + bins * width), ns. */
struct prvcut_grid {
    uint64_t start, width;
    size_t bins;
    unsigned shift; /**< width is 1 << shift; 64: it is no power of two */
};

static inline struct prvcut_grid prvcut_grid_make(uint64_t start, uint64_t width, size_t bins)
{
    struct prvcut_grid g = { start, width, bins, 64 };

    if ((width & (width - 1)) == 0)
        g.shift = (unsigned)__builtin_ctzll(width);
    return g;
}

static inline uint64_t prvcut_grid_end(const struct prvcut_grid *g)
{
    return g->start + g->bins * g->width;
}

/**
 * Bin of a time and the time since the bin's start.
 *
 * A time before the grid counts as its start; one beyond gives bin == bins and offset 0.
 */
static inline size_t prvcut_grid_locate(const struct prvcut_grid *g, uint64_t t, uint64_t *offset)
{
    size_t bin;

    *offset = 0;
    if (t <= g->start)
        return 0;
    t -= g->start;
    if (g->shift < 64) {
        bin = (size_t)(t >> g->shift);
        *offset = t & (g->width - 1);
    } else {
        bin = (size_t)(t / g->width);
        *offset = t - bin * g->width;
    }
    if (bin >= g->bins) {
        *offset = 0;
        return g->bins;
    }
    return bin;
}

/*
 * An interval of weight w adds w to the integral of every ns from its begin on and takes it away
 * from its end on. `at` holds the differences of the bins' integrals: bin k's integral is the sum
 * of at[0..k]. A step at offset o of bin k adds w * (width - o) to that bin and w * width to all
 * later ones. shape: at[bins + 2].
 */

/** Add an interval [begin, end) of weight 1 or -1. */
static inline void prvcut_grid_add(const struct prvcut_grid *g, int64_t *at, uint64_t begin,
                                   uint64_t end)
{
    uint64_t offset;
    size_t k = prvcut_grid_locate(g, begin, &offset);

    at[k] += (int64_t)(g->width - offset);
    at[k + 1] += (int64_t)offset;
    k = prvcut_grid_locate(g, end, &offset);
    at[k] -= (int64_t)(g->width - offset);
    at[k + 1] -= (int64_t)offset;
}

/** Weight w (1 or -1) from a time on. */
static inline void prvcut_grid_step(const struct prvcut_grid *g, int64_t *at, uint64_t time,
                                    int64_t w)
{
    uint64_t offset;
    const size_t k = prvcut_grid_locate(g, time, &offset);

    at[k] += w * (int64_t)(g->width - offset);
    at[k + 1] += w * (int64_t)offset;
}

/** The same as prvcut_grid_add with any weight. */
static inline void prvcut_grid_add_wide(const struct prvcut_grid *g, prvcut_wide *at,
                                        uint64_t begin, uint64_t end, uint64_t weight)
{
    const prvcut_wide w = weight;
    uint64_t offset;
    size_t k = prvcut_grid_locate(g, begin, &offset);

    at[k] += w * (prvcut_wide)(g->width - offset);
    at[k + 1] += w * (prvcut_wide)offset;
    k = prvcut_grid_locate(g, end, &offset);
    at[k] -= w * (prvcut_wide)(g->width - offset);
    at[k + 1] -= w * (prvcut_wide)offset;
}

/** An interval of weight 1 and of its length's. */
static inline void prvcut_grid_add_both(const struct prvcut_grid *g, int64_t *at, prvcut_wide *wide,
                                        uint64_t begin, uint64_t end)
{
    const prvcut_wide w = end - begin;
    uint64_t offset;
    size_t k = prvcut_grid_locate(g, begin, &offset);

    at[k] += (int64_t)(g->width - offset);
    at[k + 1] += (int64_t)offset;
    wide[k] += w * (prvcut_wide)(g->width - offset);
    wide[k + 1] += w * (prvcut_wide)offset;
    k = prvcut_grid_locate(g, end, &offset);
    at[k] -= (int64_t)(g->width - offset);
    at[k + 1] -= (int64_t)offset;
    wide[k] -= w * (prvcut_wide)(g->width - offset);
    wide[k + 1] -= w * (prvcut_wide)offset;
}

#endif
