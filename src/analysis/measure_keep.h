#ifndef PRVCUT_ANALYSIS_MEASURE_KEEP_H
#define PRVCUT_ANALYSIS_MEASURE_KEEP_H

#include "analysis/measure.h"
#include "base/bytes.h"

/**
 * What was measured, behind what was asked for: put any number of times, one behind the other.
 *
 * shape   stretch, only: those that m was made of; none has pieces
 */
void prvcut_measure_put(struct prvcut_put *p, const struct prvcut_measure *m,
                        const struct prvcut_proof_region *stretch, size_t stretches,
                        const struct prvcut_proof_only *only);

/**
 * What was put for just these stretches and parts, in place of prvcut_measure_make: m is as a
 * reading would make it. Bytes that are not as they were put set g->bad.
 *
 * owns    *m is initialised here, released with prvcut_measure_fini, also where it is false
 * errors  false: nothing was measured so, or the bytes are bad
 */
bool prvcut_measure_get(struct prvcut_get *g, struct prvcut_measure *m, struct prvcut_trace *t,
                        const struct prvcut_proof_region *stretch, size_t stretches,
                        const struct prvcut_proof_only *only);

#endif
