#ifndef PRVCUT_STRUCTURE_CALL_CHOICE_H
#define PRVCUT_STRUCTURE_CALL_CHOICE_H

#include "structure/call_anchor.h"

/** How much a compared anchor explains of its sequence, 0..1. */
double prvcut_call_score(const struct call_anchor *a);

/**
 * The anchor with the longest distance in time among those that explain about as much as the best;
 * of several of that level the one that explains most. Medians tell the level: a beat may be
 * missing here and there.
 *
 * shape   known: the loop is known from elsewhere, and the anchors are like it
 * units   evidence: nats wanted, at least
 * owns    points into the pool; NULL when it holds no loop
 */
const struct call_anchor *prvcut_call_outermost(const struct call_anchors *pool, double evidence,
                                                bool known);

/** Evidence wanted, in nats, of a sequence on which all starts and distances are tried. */
double prvcut_call_evidence_wanted(size_t calls);

#endif
