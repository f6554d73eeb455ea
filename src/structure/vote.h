#ifndef PRVCUT_STRUCTURE_VOTE_H
#define PRVCUT_STRUCTURE_VOTE_H

#include "structure/loop.h"
#include "structure/parameters.h"

/** One witness: a metric's signal, or the calls. */
struct prvcut_witness {
    const char *name;
    unsigned metric; /**< a signal's place among the signals */
    bool calls;
    struct prvcut_loop loop;
    enum prvcut_stand stand; /**< set by prvcut_vote */
};

/** What the witnesses together say. */
struct prvcut_verdict {
    bool found;
    const char *why;   /**< constant: why nothing was found; NULL when found */
    size_t chosen;     /**< the witness whose loop is taken */
    double confidence; /**< 0..1 that the period is the true one */
};

/**
 * Weigh the witnesses and choose the outermost loop that they support.
 *
 * The calls come first where they saw a loop: they neither jitter nor alias. Signals that agree
 * raise the confidence, strong ones that contradict lower it. Without the calls the period that
 * most weight supports wins, and its multiple if that has nearly as much. Below a confidence a loop
 * is a guess, and a guess is not reported.
 */
void prvcut_vote(struct prvcut_verdict *out, struct prvcut_witness *witness, size_t count,
                 const struct prvcut_parameters *set);

/** Are two periods the same to a vote? Not where one is 0. */
bool prvcut_vote_same(double a, double b, const struct prvcut_parameters *set);

#endif
