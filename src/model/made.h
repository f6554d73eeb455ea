#ifndef PRVCUT_MODEL_MADE_H
#define PRVCUT_MODEL_MADE_H

#include "prvcut/reduce.h"

/*
 * Answers as the library makes them: first the view that a program sees, then what the program
 * reaches by functions, and what is nobody else's. The arrays lie as the views are today; a program
 * neither knows how far apart they are, nor how large a view is.
 */

struct made_chop {
    struct prvcut_chop is;
    struct prvcut_cut_summary cut;
    struct prvcut_proof proof;
};

struct made_reduction {
    struct prvcut_reduction is;
    struct prvcut_clock_report clocks;
    struct prvcut_vote *vote; /**< [is.votes]; owned */
    struct prvcut_structure structure;
    char *note[16];         /**< [is.notes]; owned */
    uint32_t asides;        /**< bits: notes that are of no use to most */
    struct made_chop *chop; /**< [is.chops]; owned */
    char *typed;            /**< the trace as a shell takes it; owned; NULL: it has no name */
    const struct prvcut_again *again; /**< as the run has it; may be NULL */
};

/** The answer that a view is of: each was made by this library. */
static inline const struct made_reduction *made_reduction_of(const struct prvcut_reduction *view)
{
    return (const struct made_reduction *)(const void *)view;
}

#endif
