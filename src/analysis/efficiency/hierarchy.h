#ifndef PRVCUT_ANALYSIS_EFFICIENCY_HIERARCHY_H
#define PRVCUT_ANALYSIS_EFFICIENCY_HIERARCHY_H

#include "prvcut/efficiency.h"

/** What the factors of a run are made of; NAN: not known. */
struct prvcut_hierarchy_sums {
    double threads;
    double total, most;          /**< ns, computing: of all threads, of the one with most */
    double processes, processed; /**< tasks; sum over them of their thread with most */
    double runtime, ideal;       /**< ns */
    double ideal_most;           /**< ns, what serialization is of */
    double instructions, cycles;
};

/**
 * The factors of one run by itself: all but scalabilities, global efficiency and speedup, which are
 * NAN. What is made of something unknown, or of nothing, is NAN.
 */
void prvcut_hierarchy_of(double factor[PRVCUT_POPS], const struct prvcut_hierarchy_sums *s,
                         enum prvcut_factors_form form);

/** The rest, compared with another run. weak: what is to be done grows with the threads. */
void prvcut_hierarchy_compare(double factor[PRVCUT_POPS], const struct prvcut_hierarchy_sums *s,
                              const struct prvcut_hierarchy_sums *base, bool weak);

/**
 * Why a run cannot be another size of one: neither strong nor weak scaling explains how much more
 * or less it does, or nobody knows how much it does. Constant; NULL: it can.
 */
const char *prvcut_hierarchy_unlike(const struct prvcut_hierarchy_sums *s,
                                    const struct prvcut_hierarchy_sums *base);

/**
 * Does what is to be done grow with the threads? By the mean of how the instructions of a thread
 * grow over those of the base, over all other runs.
 *
 * returns false, and *guessed, where counters do not tell
 */
bool prvcut_hierarchy_is_weak(const struct prvcut_hierarchy_sums *s, size_t runs, size_t base,
                              bool *guessed);

#endif
