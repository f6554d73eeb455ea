#ifndef PRVCUT_ANALYSIS_WHY_LOOK_H
#define PRVCUT_ANALYSIS_WHY_LOOK_H

#include "analysis/why.h"

/*
 * How far what threads did in an iteration is from what is usual of them.
 */

#define WHY_PART  0.2 /* of what one computes longer: so much of another reason is told apart */
#define WHY_TENTH 0.1 /* of the excess: less is not told, of a thread or of a cause */

/** One iteration. */
struct why_look {
    const struct prvcut_why_table *t;
    const struct prvcut_why_usual *u;
    size_t iteration;
    double excess; /**< ns */
};

static inline size_t why_width(const struct prvcut_why_table *t)
{
    return PRVCUT_WHY_COLUMNS + t->calls;
}

static inline double why_at(const struct prvcut_why_table *t, size_t iteration, uint32_t thread,
                            size_t column)
{
    return t->at[(iteration * t->threads + thread) * why_width(t) + column];
}

static inline double why_usual(const struct why_look *l, uint32_t thread, size_t column)
{
    return l->u->at[thread * why_width(l->t) + column];
}

/** Neighbours differ by one. */
size_t why_number(const struct prvcut_why_table *t, size_t iteration);

/** How much a column of a thread grew; less than 0: it shrank. Of computing only what is its own;
    of a call without what it waits because it computes less. */
double why_more(const struct why_look *l, uint32_t thread, size_t column);

/** Is a column of a thread often by so much more? */
bool why_is_chance(const struct why_look *l, uint32_t thread, size_t column, double more);

/** How much more a thread computes at one time for all, in any iteration. */
double why_varies(const struct why_look *l, size_t iteration, uint32_t thread);

/** What a thread did in the lag behind the others with which it begins its first iteration. */
double why_in_lag(const struct why_look *l, uint32_t thread, size_t column);

/** Does a thread compute as long as usual? */
bool why_is_usual(const struct why_look *l, uint32_t thread);

/** Of what makes time, instructions / (instructions a cycle * cycles a second), what grew most, as
    logarithms of how much these grew; NAN: not known. */
enum prvcut_slow why_factor(double time, double instructions, double cycles);

/** Why a thread computes longer. */
enum prvcut_slow why_computes(const struct why_look *l, const struct prvcut_why_one *one);

/** How much of what a thread computes longer was taken from it, ns, where that is a good part of it
   and not all; else 0. */
double why_stolen_part(const struct why_look *l, uint32_t thread);

/** Why it does beside what was taken from it. */
enum prvcut_slow why_computes_else(const struct why_look *l, uint32_t thread);

#endif
