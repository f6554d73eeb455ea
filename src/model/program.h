#ifndef PRVCUT_MODEL_PROGRAM_H
#define PRVCUT_MODEL_PROGRAM_H

#include "model/calls.h"
#include "model/dictionary.h"

/*
 * What tells programs apart, however many tasks they run on and however long: which MPI calls move
 * their data, and from which functions. How often a call is made does not: neighbours and
 * iterations may be more or fewer.
 */

/** How often each call was made, by type and value (prvcut_program_slot). */
#define PRVCUT_PROGRAM_SLOTS 3200
struct prvcut_program_tally {
    uint64_t made[PRVCUT_PROGRAM_SLOTS];
};

/** Where a call is counted; PRVCUT_PROGRAM_SLOTS: nowhere. */
static inline size_t prvcut_program_slot(uint32_t type, int64_t value)
{
    const uint32_t kind = type - PRVCUT_TYPE_MPI_P2P;
    const size_t values = PRVCUT_PROGRAM_SLOTS / 5;

    return kind < 5 && value > 0 && (uint64_t)value < values ? kind * values + (size_t)value
                                                             : PRVCUT_PROGRAM_SLOTS;
}

struct prvcut_program_call {
    const struct prvcut_mpi_call *call;
    double each; /**< calls a task, mean */
};

/** The loop of a run, at the first level. */
struct prvcut_program_loop {
    double iterations; /**< 0: there is none, or nobody looked */
    double calls;      /**< of a thread in an iteration, to MPI; 0: they did not tell the loop */
};

struct prvcut_program {
    struct prvcut_program_call *call; /**< [calls] that move data, by their table; owned */
    size_t calls;
    char *
        *function; /**< [functions] that make calls, in order, without what compilers add; owned */
    size_t functions;
    uint32_t tasks;
    struct prvcut_program_loop loop;
};

/** How often two runs of a program go round. */
enum prvcut_loops {
    PRVCUT_LOOPS_AS_OFTEN,  /**< as often, as far as is known */
    PRVCUT_LOOPS_OTHERWISE, /**< the same loop, more or less often */
    PRVCUT_LOOPS_UNLIKE,    /**< it need not be the same loop */
};

/**
 * What a run tells of its program.
 *
 * shape   tally: [tallies] of its parts, entries may be NULL; names: labels of the trace, NULL:
 * none; functions: they are this program's alone owns    *p is initialised here, released with
 * prvcut_program_fini, also after a failure errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_program_of(struct prvcut_program *p,
                                     const struct prvcut_program_tally *const *tally,
                                     size_t tallies, uint32_t tasks,
                                     const struct prvcut_dictionary *names, bool functions,
                                     struct prvcut_error *err);
void prvcut_program_fini(struct prvcut_program *p);

/** The same of one that was allocated; accepts NULL. */
void prvcut_program_free(struct prvcut_program *p);

/**
 * Why two runs are not of one program.
 *
 * shape   *why: for a person, owned by the caller, of a as the one that is talked of; `base`: what
 *         b is called; NULL: they may be of one
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_program_other(const struct prvcut_program *a,
                                        const struct prvcut_program *b, const char *base,
                                        char **why, struct prvcut_error *err);

/** By their loops, and by how many calls are in an iteration and in all. */
enum prvcut_loops prvcut_program_loops(const struct prvcut_program *a,
                                       const struct prvcut_program *b);

/** Calls of a task that move data, mean. */
double prvcut_program_calls(const struct prvcut_program *p);

#endif
