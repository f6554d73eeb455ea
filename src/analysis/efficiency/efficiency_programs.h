#ifndef PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_PROGRAMS_H
#define PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_PROGRAMS_H

#include "analysis/efficiency/efficiency.h"

/**
 * The programs of a trace: its applications, of which those that exchange messages, directly or by
 * others, are parts of one. Each is a run of its own: factors of unlike programs together tell of
 * none. An application without any record is none, but where all are so.
 */
struct prvcut_efficiency_programs {
    const struct prvcut_efficiency_found *found;
    uint32_t *first; /**< [count] an application of each, its first one, ascending; owned */
    size_t count;    /**< 1 at least */
    uint32_t empty;  /**< applications without any record, which are left out */
};

/** owns: *p is initialised here, released with prvcut_efficiency_programs_fini. found: borrowed. */
enum prvcut_status prvcut_efficiency_programs_init(struct prvcut_efficiency_programs *p,
                                                   const struct prvcut_efficiency_found *found,
                                                   struct prvcut_error *err);
void prvcut_efficiency_programs_fini(struct prvcut_efficiency_programs *p);

/** Is a task of program i? */
bool prvcut_efficiency_program_has(const struct prvcut_efficiency_programs *p, size_t i,
                                   uint32_t task);

/** What there is in it: bits of prvcut_efficiency_any; how many tasks and threads it has, and
    applications. */
struct prvcut_efficiency_program {
    uint32_t any, tasks, threads, applications;
};
struct prvcut_efficiency_program prvcut_efficiency_program_of(
    const struct prvcut_efficiency_programs *p, size_t i);

/**
 * What calls it makes, and from where, for a comparison with other runs.
 *
 * shape   names: labels of the trace
 * owns    *out is the caller's, released with prvcut_program_fini and free; NULL after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_efficiency_program_made(const struct prvcut_efficiency_programs *p,
                                                  size_t i, const struct prvcut_dictionary *names,
                                                  struct prvcut_program **out,
                                                  struct prvcut_error *err);

/** Of several the one that a report of one is of, where no loop tells: the first that makes MPI
    calls, else the first. */
size_t prvcut_efficiency_program_main(const struct prvcut_efficiency_programs *p);

#endif
