#ifndef PRVCUT_API_JOB_H
#define PRVCUT_API_JOB_H

#include "prvcut/reduce.h"

#include "signal/collect.h"
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
    struct prvcut_verdict verdict;
    struct prvcut_loop loop;
    struct prvcut_masks masks;
    struct prvcut_span *mask; /**< their union */
    size_t mask_spans;
};

/** Read the trace: counts, signals, calls; set up the witnesses (job_collect.c). */
enum prvcut_status job_collect(struct job *j, struct prvcut_error *err);

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
