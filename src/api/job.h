#ifndef PRVCUT_API_JOB_H
#define PRVCUT_API_JOB_H

#include "prvcut/reduce.h"

#include "signal/collect.h"
#include "structure/align.h"
#include "structure/choose.h"
#include "structure/mask.h"
#include "structure/vote.h"

/** A reduction under way: what has been read, seen and decided so far. */
struct job {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_reduce_options *options;
    struct prvcut_reduction *out;
    uint64_t end_ns; /**< of the header or of the last record, whichever is later */
    struct prvcut_collection data;
    struct prvcut_witness witness[PRVCUT_METRICS + 1];
    size_t witnesses;
    struct prvcut_call_loop calls;
    bool calls_are_regions; /**< of a trace without MPI */
    struct prvcut_verdict verdict;
    struct prvcut_loop loop;
    struct prvcut_masks masks;
    char *path;               /**< of the cut, where the options name none; owned */
    struct prvcut_span *mask; /**< their union */
    size_t mask_spans;
};

/** Read the trace: counts, signals, calls; set up the witnesses (job_collect.c). */
enum prvcut_status job_collect(struct job *j, struct prvcut_error *err);

/** What is analysed: the whole run, or the window that the options give. */
struct prvcut_span job_span(const struct job *j);

/** A signal by its metric's name; NULL where it was not asked for (job_search.c). */
const struct prvcut_signal *job_signal(const struct job *j, const char *name);

/** Ask all witnesses for their loop, in parallel (job_search.c). */
enum prvcut_status job_find_loops(struct job *j, struct prvcut_error *err);

/** Masks, once the loop is known (job_cut.c). */
enum prvcut_status job_find_masks(struct job *j, struct prvcut_error *err);

/** Choose the window of the job's loop and cut it (job_cut.c). */
enum prvcut_status job_choose_and_cut(struct job *j, struct prvcut_error *err);

/** Do the calls tell where the iterations of the chosen or given loop begin (reduce.c)? */
bool job_borders_known(const struct job *j);

/** Write the witnesses' votes into the result (job_report.c). */
enum prvcut_status job_votes(struct job *j, struct prvcut_error *err);

/** Divide the run into phases. */
enum prvcut_status job_phases(struct job *j, struct prvcut_error *err);

/** Give what the result shall own to it. */
void job_hand_over(struct job *j);

/** Add a line to the result's notes; dropped when there is no room or no memory. */
void job_note(struct job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

void job_fini(struct job *j);

#endif
