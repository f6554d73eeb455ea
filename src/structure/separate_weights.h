#ifndef PRVCUT_STRUCTURE_SEPARATE_WEIGHTS_H
#define PRVCUT_STRUCTURE_SEPARATE_WEIGHTS_H

#include "structure/separate_choice.h"

/** What a separator's loop is judged by; the first is 1 in all. */
#define SEPARATE_MEASURES 13

/** shape  x: [SEPARATE_MEASURES], of a candidate with its means and agree */
void prvcut_separate_measures(const struct separate_candidate *c, double x[SEPARATE_MEASURES]);

/** Logarithm of the odds that it is a loop of the whole program. */
double prvcut_separate_evidence(const struct separate_candidate *c);

#endif
