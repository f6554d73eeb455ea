#ifndef PRVCUT_API_JOB_H
#define PRVCUT_API_JOB_H

#include "prvcut/reduce.h"

#include "signal/collect.h"
#include "structure/align.h"
#include "structure/choose.h"
#include "structure/known.h"
#include "structure/mask.h"
#include "structure/vote.h"

/** A reduction, or a search for the structure, under way: what has been read, seen, decided so far.
 */
struct job {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    struct prvcut_structure_options wish;
    const struct prvcut_reduce_options *options; /**< NULL: only the structure is wanted */
    struct prvcut_reduction *out;
    uint64_t end_ns; /**< of the header or of the last record, whichever is later */
    struct prvcut_collection data;
    struct prvcut_witness witness[PRVCUT_METRICS + 1]; /**< asked about the whole run */
    size_t witnesses;
    struct prvcut_call_loop calls;
    bool calls_are_regions; /**< of a trace without MPI */
    struct prvcut_verdict verdict;
    struct prvcut_loop loop;
    struct prvcut_masks masks;
    struct prvcut_span *mask; /**< their union */
    size_t mask_spans;
    struct prvcut_known_loops known; /**< of out->structure */
};

/** Where something is to be cut. */
struct job_place {
    const struct prvcut_known_loop *loop;
    struct prvcut_choice choice;   /**< the window, with the freedom of its borders */
    unsigned iterations;           /**< that the window holds */
    struct prvcut_cut_options cut; /**< path is set */
};

/** Read the trace: counts, signals, calls; set up the witnesses (job_collect.c). */
enum prvcut_status job_collect(struct job *j, struct prvcut_error *err);

/** What is analysed: the whole run, or the window that the options give. */
struct prvcut_span job_span(const struct job *j);

/** A signal by its metric's name; NULL where it was not asked for (job_search.c). */
const struct prvcut_signal *job_signal(const struct job *j, const char *name);

/**
 * Divide the run: out->structure and known, masks; the main loop's numbers go into out
 * (job_search.c).
 *
 * errors  PRVCUT_END: there is no loop; out->structure is filled all the same
 */
enum prvcut_status job_divide(struct job *j, struct prvcut_error *err);

/** Choose windows in the regions that the options name, cut them: out->chop (job_chops.c). */
enum prvcut_status job_chops(struct job *j, struct prvcut_error *err);

/** Lay the borders of one window, aligned or straight, and cut it: the chop's align*, crossing,
    thread, follow and cut (job_align.c). */
enum prvcut_status job_cut(struct job *j, const struct job_place *place, struct prvcut_chop *chop,
                           struct prvcut_error *err);

/** Do the calls tell where the iterations of the chosen or given loop begin? */
bool job_borders_known(const struct job *j);

/** Add a line to the result's notes; dropped when there is no room or no memory (job_report.c). */
void job_note(struct job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

void job_fini(struct job *j);

#endif
