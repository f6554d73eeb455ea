#ifndef PRVCUT_STRUCTURE_SIGNAL_BANDS_H
#define PRVCUT_STRUCTURE_SIGNAL_BANDS_H

#include "dsp/vector.h"
#include "structure/loop.h"

/**
 * One metric at all time scales: level l holds means over 2^l bins. Masked bins are cut out (the
 * program stands still while it flushes), so a place on the axis of a level is no time: ask
 * prvcut_signal_scales_time.
 */
struct signal_scales {
    double **level; /**< [levels]; owned */
    size_t *bins;   /**< [levels] */
    size_t levels;
    uint64_t start, width; /**< of level 0, ns */
    size_t *edges;         /**< [bins[0] / 2 + 1]: pairs of bins that differ, running sum; owned */
    size_t *kept;          /**< [2 * pieces]: place on the axis, bins cut out before it */
    size_t pieces;
    uint32_t *bin; /**< [bins[0] + 1]: where each sample of level 0 lies among the kept bins, then
                      their number; NULL: each at its own place; owned */
};

/** Periods of 16 to 32 samples are looked for on each level. */
enum { SIGNAL_BAND = 16, SIGNAL_LAGS = PRVCUT_VECTOR_LAGS };

/** Added to the energy of each whitened sample, so that near silence resembles nothing. */
static const double signal_hush = 0.04;

/**
 * Compress the range of in (square root), cut the masks out, average down.
 *
 * errors  PRVCUT_ENOMEM; too short a signal gives levels == 0
 */
enum prvcut_status prvcut_signal_scales_init(struct signal_scales *out,
                                             const struct prvcut_signal *in,
                                             const struct prvcut_span *mask, size_t masks,
                                             struct prvcut_error *err);

/**
 * The same on an axis of what happens instead of time: a bin that is like the one before is left
 * out. However long the program waits between two changes, an iteration is as long as any other.
 *
 * errors  PRVCUT_ENOMEM; too few changes give levels == 0
 */
enum prvcut_status prvcut_signal_scales_of_changes(struct signal_scales *out,
                                                   const struct prvcut_signal *in,
                                                   const struct prvcut_span *mask, size_t masks,
                                                   struct prvcut_error *err);

/**
 * Put the samples into any order, two at a time: what is up remains followed by what is down, and
 * nothing else repeats but by chance.
 */
void prvcut_signal_scales_shuffle(struct signal_scales *s, uint64_t seed);

void prvcut_signal_scales_fini(struct signal_scales *s);

/** Share of all changes that lie between two places of a level: where the program is busy, 0..1. */
double prvcut_signal_scales_share(const struct signal_scales *s, size_t level, double from,
                                  double to);

/** Time from the signal's start to a place, without what masks hide, ns. */
double prvcut_signal_scales_elapsed(const struct signal_scales *s, size_t level, double place);

/** Time of a place (in samples of a level), ns. */
uint64_t prvcut_signal_scales_time(const struct signal_scales *s, size_t level, double place);

/**
 * Keep what varies within about 2 * reach samples and bring loud and quiet phases to the same
 * level.
 *
 * shape   out: n samples, of about unit variance where anything happens
 * owns    scratch: n + 1 doubles of the caller
 */
void prvcut_signal_whiten(double *out, const double *in, size_t n, size_t reach, double *scratch);

#endif
