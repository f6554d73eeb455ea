#ifndef PRVCUT_STRUCTURE_SEPARATE_JUDGE_H
#define PRVCUT_STRUCTURE_SEPARATE_JUDGE_H

#include "structure/separate_choice.h"

/** What a separator's loop is judged by; the first is 1 in all. */
#define SEPARATE_MEASURES 13

/** shape  x: [SEPARATE_MEASURES], of a candidate with its means and agree */
void prvcut_separate_measures(const struct separate_candidate *c, double x[SEPARATE_MEASURES]);

/** Logarithm of the odds that it is a loop of the whole program. */
double prvcut_separate_evidence(const struct separate_candidate *c);

/** Is there what no evidence makes up for: few threads have it, or few calls, or few iterations? */
bool prvcut_separate_doubted(const struct separate_candidate *c);

/** That it is a loop of the whole program, 0..1: by the evidence; less than half where doubted. */
double prvcut_separate_probability(const struct separate_candidate *c);

/** Is that probability enough to go on from one loop to another? */
bool prvcut_separate_believed(const struct separate_candidate *c);

#endif
