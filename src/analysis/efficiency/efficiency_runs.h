#ifndef PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_RUNS_H
#define PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_RUNS_H

#include "analysis/efficiency/efficiency.h"
#include "model/made.h"

/** From this part of the time on, that is in no recorded state, what seems to be lost may be what was
    not recorded. Traces with all states have up to 0.06, where ranks begin late or end early. */
#define PRVCUT_UNSTATED_MUCH 0.10

/** What runs are made of. */
struct prvcut_efficiency_read_of {
    const struct prvcut_efficiency_found *found;
    const struct prvcut_dictionary *names;
    const char **thread_name;  /**< [threads]; NULL, or an entry NULL: its numbers */
    const char *name;          /**< of the trace */
    bool own_starts, own_told; /**< each thread has its own window; these are told by the trace */
    bool common_borders;       /**< all threads have the stretch's borders */
    bool parts;        /**< stretches are parts of the run; what is counted is so in the run */
    const bool *apart; /**< [stretches * applications]: it is of a loop that is none of the
                            application; NULL: none is */
    const struct prvcut_objects *objects; /**< where apart is */
    size_t skip;                          /**< stretches from the first on that are no runs */
    bool main;                            /**< of several programs the main one only */
    bool others;                          /**< of several programs all but the main one */
    uint32_t task; /**< whose program the main one is, where main or others is set;
                        PRVCUT_NOBODY: the first that makes MPI calls */
};

/**
 * Append a run for each stretch of each program, without factors: all of the first program, then
 * those of the next.
 *
 * owns    what is appended is out's, released with prvcut_efficiency_runs_fini, also after a
 * failure errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_efficiency_runs_make(struct made_efficiency *out,
                                               const struct prvcut_efficiency_read_of *in,
                                               struct prvcut_error *err);

/**
 * Begin a group: runs that are made from here on belong to it.
 *
 * shape   name: copied; NULL: the only group, which has none
 * errors  PRVCUT_EUSAGE: the name is empty or taken, the group before has no run, or no name;
 * PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_efficiency_runs_group(struct made_efficiency *out, const char *name,
                                                struct prvcut_error *err);

/** Factors of all runs, in the order of their groups and threads, each compared with its group's
    base, and groups with each other. */
enum prvcut_status prvcut_efficiency_runs_compare(struct made_efficiency *e,
                                                  struct prvcut_error *err);

/** Factors of each run by itself: those that compare it with another one are NAN. */
void prvcut_efficiency_runs_alone(struct made_efficiency *e);

/** Drop the groups; the runs from one on; all of them, and what else e owns. */
void prvcut_efficiency_groups_drop(struct made_efficiency *e);
void prvcut_efficiency_runs_drop(struct made_efficiency *e, size_t from);
void prvcut_efficiency_runs_fini(struct made_efficiency *e);

#endif
