#ifndef PRVCUT_ANALYSIS_PATTERNS_TOLERANT_RAMPS_H
#define PRVCUT_ANALYSIS_PATTERNS_TOLERANT_RAMPS_H

#include "analysis/patterns/tolerant.h"

/**
 * A tolerant loop whose iterations are each so much longer (or shorter) than the one before, until
 * they begin anew, is the inner one of two: for k = 1..n, for j = 1..k, as orthogonalisation in
 * GMRES and factorisations are written. What goes round is such a ramp, or several of them up to a
 * ramp of one iteration. Where ramps do not tell it, there is no loop: p->count becomes 0.
 *
 * shape   p: with at least one iteration; p->within becomes how many of them the ramps are made of
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_tolerant_ramps(struct pat_tolerant *p, struct prvcut_error *err);

#endif
