#ifndef PRVCUT_STRUCTURE_SEPARATE_H
#define PRVCUT_STRUCTURE_SEPARATE_H

#include "structure/loop.h"

/** What separators tell of a run. Zeroed is empty. */
struct prvcut_separation {
    bool looked;                   /**< there were calls to look at */
    double probability;            /**< that `calls` is a loop of the whole program, 0..1 */
    double iterations;             /**< as many as the separator occurs; 0: nothing repeats */
    double constant;               /**< share of what iterations hold that comes equally often */
    double held;                   /**< share of iterations that hold the same single calls */
    double outer;                  /**< probability of one around it that is not believed */
    bool events;                   /**< events come into its iterations: no loop around it */
    bool within;                   /**< another loop is around it that is seen for two iterations */
    bool two;                      /**< it is seen for two iterations itself */
    struct prvcut_rounds rounds;   /**< of a loop inside: events at any distances look so, too */
    struct prvcut_call_loop calls; /**< the outermost loop, followed on each thread; found is false
                                        where nobody goes along */
};

/**
 * Find the outermost loop by separators: symbols that occur once in an iteration. Iterations need
 * not be alike call by call, as long as they hold the same set of transitions: a solver inside may
 * take 7 passes or 25.
 *
 * shape   in: as for prvcut_call_loop_find; at least 6 calls make a thread worth a look, and some
 *         of those are looked at; at most 2^20 calls of each
 * owns    out is initialised here, released with prvcut_separation_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_separate(struct prvcut_separation *out,
                                   const struct prvcut_call_sequence *in, size_t sequences,
                                   struct prvcut_error *err);

void prvcut_separation_fini(struct prvcut_separation *s);

#endif
