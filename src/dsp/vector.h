#ifndef PRVCUT_DSP_VECTOR_H
#define PRVCUT_DSP_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

/** Lags that prvcut_vector.lags correlates at once, in blocks of so many samples. */
enum { PRVCUT_VECTOR_LAGS = 40, PRVCUT_VECTOR_BLOCK = 16 };

/**
 * Inner loops over numbers, which are most of what the search does. They are compiled once for any
 * processor and once for those with AVX2; each number is made by the same operations in the same
 * order, so that results are the same to the bit. Arrays do not overlap.
 */
struct prvcut_vector {
    /**
     * The sum of products with a model, at several places.
     *
     * shape   out: [places]; at: [places + n - 1]; model: [n]; out[t] = sum of at[t + j] * model[j]
     */
    void (*match)(double *out, size_t places, const double *at, const double *model, size_t n);

    /**
     * Sums of products with later samples, from the first to the begin of each block.
     *
     * shape   out: [blocks + 1][PRVCUT_VECTOR_LAGS]; at: [n] in blocks, of which the last may be
     * short; nothing lies beyond the end; the sum of a block is one of floats
     */
    void (*lags)(double *out, const float *at, size_t n);

    /**
     * Correlation of the samples [from, to) with those each lag later, all of them inside.
     *
     * shape   r: [PRVCUT_VECTOR_LAGS]; low, high: sums of products before from and before to;
     *         energy: sum of squares before each sample, at least to + PRVCUT_VECTOR_LAGS of them
     * units   hush: added to both energies
     */
    void (*coefficients)(double *r, const double *low, const double *high, const double *energy,
                         size_t from, size_t to, double hush);

    /**
     * What was matched at several places as correlations.
     *
     * shape   out: [places], as match left it; energy: [places + n], sum of squares before each
     * sample units   own: energy of the model; hush: added to those of the places
     */
    void (*scale)(double *out, size_t places, const double *energy, size_t n, double own,
                  double hush);

    /** What is above zero as its square root, taken twice where twice; all else as 0; [n] each. */
    void (*roots)(double *out, const double *in, size_t n, bool twice);

    /**
     * Samples without their mean over [i - reach, i + reach], divided by their deviation there; by
     * no less than `loud` of the deviation of all, nor than `still` of the root mean square of in.
     *
     * shape   out, in: [n]; room: [n + 1]
     */
    void (*whiten)(double *out, const double *in, size_t n, size_t reach, double *room,
                   double still, double loud);
};

/** The loops for this processor. */
const struct prvcut_vector *prvcut_vector_loops(void);

extern const struct prvcut_vector prvcut_vector_any, prvcut_vector_avx2;

#endif
