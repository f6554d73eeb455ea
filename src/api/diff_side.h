#ifndef PRVCUT_API_DIFF_SIDE_H
#define PRVCUT_API_DIFF_SIDE_H

#include "analysis/diff.h"
#include "api/entries.h"
#include "model/causality.h"

/** One of two runs that are compared: first its loop is searched for, then it is measured. */
struct diff_side {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_diff_options *options;
    struct job *job;           /**< the search; owned */
    struct made_reduction all; /**< what it fills in */
    size_t region;             /**< whose loop it is; SIZE_MAX: there is none */
    char no_loop[200];         /**< why; "": there is one */
    uint64_t iterations;       /**< of the loop, disturbed ones, too */
    bool states;               /**< the trace records when threads run */
    uint32_t any;              /**< bits: prvcut_profile_any */
    bool collectives;          /**< there are some whose members are known */
    bool between_two;          /**< calls that send and receive are made */
    char **thread_name;        /**< [thread_names] as a profile calls them; owned */
    size_t thread_names;       /**< 0: threads are not told apart */
    struct prvcut_causality order;
    struct prvcut_diff_run measured;
};

/**
 * Search for the loop.
 *
 * shape   s: zeroed but for trace, run and options
 * owns    what s points to, released with diff_side_fini, also after a failure
 * errors  PRVCUT_NONE: there is none, and one is asked for by level or region, or none is told
 *         iteration by iteration; PRVCUT_EUSAGE: no such region; as a scan
 */
enum prvcut_status diff_side_find(struct diff_side *s, struct prvcut_error *err);

/** Measure its iterations, or the whole run as one. errors: as a scan */
enum prvcut_status diff_side_measure(struct diff_side *s, bool whole, struct prvcut_error *err);

void diff_side_fini(struct diff_side *s);

#endif
