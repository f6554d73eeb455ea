#ifndef PRVCUT_ANALYSIS_PATTERNS_PEAKS_H
#define PRVCUT_ANALYSIS_PATTERNS_PEAKS_H

#include "base/error.h"

/** Lengths that are alike: within a tenth of their median. */
struct pat_peak {
    double low, high; /**< ns */
    uint64_t centre;  /**< ns, the median */
    uint64_t count;
    uint64_t first; /**< the first of them, in the order of the lengths */
};

struct pat_peaks {
    struct pat_peak *at; /**< [count], the fullest first; owned */
    size_t count;
    uint64_t outside; /**< lengths in none */
    uint64_t median;  /**< of all lengths, ns; 0: there are none */
};

/**
 * The fullest window of a tenth to both sides; then of what is left, while two are alike. Of
 * equally full ones the shortest.
 *
 * source  Trahay et al., PDP 2015, IV
 * owns    *out is released with pat_peaks_fini
 */
enum prvcut_status pat_peaks_find(struct pat_peaks *out, const uint64_t *length, size_t count,
                                  struct prvcut_error *err);
void pat_peaks_fini(struct pat_peaks *p);

/** Which peak a length is in; SIZE_MAX: none. */
size_t pat_peaks_of(const struct pat_peaks *p, uint64_t length);

#endif
