#ifndef PRVCUT_STRUCTURE_SEPARATE_RARE_H
#define PRVCUT_STRUCTURE_SEPARATE_RARE_H

#include "structure/separate_choice.h"

/**
 * Is b an event that now and then comes into iterations of c, and no loop around it: output,
 * a checkpoint, lists that are built anew? It adds some calls to the iteration that it comes into,
 * irregularly, and those before the first or behind the last are fewer than any between two: no
 * iterations of b can be laid from the beginning of the run to its end.
 */
bool prvcut_separate_is_rare(const struct separate_candidate *b,
                             const struct separate_candidate *c);

/** Is b the event x, seen once or twice more: before the loop, or behind it? */
bool prvcut_separate_is_same_event(const struct separate_candidate *b,
                                   const struct separate_candidate *x);

#endif
