#ifndef PRVCUT_API_INDEX_H
#define PRVCUT_API_INDEX_H

#include "analysis/measure.h"
#include "analysis/profile/profile.h"
#include "api/census.h"
#include "api/job.h"
#include "base/bytes.h"

/*
 * Sections of an index: "shape" (what else shaped it), "blocks", "census", "input" (counts and what
 * the calls are), "calls", "beyond" (how many calls are not kept), one a signal by its metric's
 * name, "divided.1" and "divided.all", "profile", "measured" (the windows that the job without
 * options compares), "why" (why the longest iterations are long).
 */

/** Name of the index of a trace. owns: *out, freed by the caller */
enum prvcut_status index_name(char **out, const struct prvcut_trace *t, struct prvcut_error *err);

/** Can one be kept beside a trace: does its format have one, and can it be read from anywhere? */
bool index_can_keep(const struct prvcut_trace *t);

/** The index beside a trace if it is of use, looked for once; else NULL. */
const struct prvcut_kept *index_of(struct prvcut_trace *t);

/**
 * Ranks see the same files, or all fail. Those that share the reading use an index where each of
 * them has the same one, byte for byte, else none does: one that takes its answer from an index
 * does not come to the reading where others wait for it.
 *
 * shape   called by all ranks, before any other question to the index; alone it does nothing
 * errors  those of the exchange and of prvcut_scan_meet
 */
enum prvcut_status index_agree(struct prvcut_trace *t, const struct prvcut_run *run,
                               struct prvcut_error *err);

/** A section that did not hold what it should: the index is not used any more. */
void index_give_up(struct prvcut_trace *t);

/** Take the block index back; true: the trace counts as scanned. */
bool index_recall_blocks(struct prvcut_trace *t);

/** Can parts of it be read by themselves: was it read, or does an index tell where they are? */
bool prvcut_trace_can_window(struct prvcut_trace *t);

/** What is in the trace. owns: *out is released with census_fini; false: nothing was taken back */
bool index_recall_census(struct prvcut_trace *t, struct census *out);

/**
 * What the first pass would bring: counts, the signals of these metrics, calls where they are
 * asked, and the block index.
 *
 * shape   false: nothing was taken back
 */
bool index_recall_collection(struct job *j, uint32_t metrics, bool calls);

/**
 * What job_collect and job_divide would find, as far as it is kept for what the job is asked.
 *
 * shape   false: nothing was taken back
 */
bool index_recall_division(struct job *j);

/* How the sections are made (index_parts.c). */
void index_put_census(struct prvcut_put *p, const struct census *c);
void index_put_input(struct prvcut_put *p, const struct job *j);
void index_put_division(struct prvcut_put *p, const struct job *j);

/** What a profile is made of, of the whole run, its regions and, as far as they are few, its
    iterations: one more reading. shape: j: its structure is found */
enum prvcut_status index_put_profile(struct prvcut_put *p, const struct job *j,
                                     struct prvcut_error *err);

/** The same taken back in place of a reading. owns: *f is initialised here, released with
    prvcut_profile_found_fini, where it is true; false: nothing was taken back */
bool index_recall_profile(struct prvcut_profile_found *f, struct prvcut_trace *t,
                          const struct prvcut_profile_asked *asked);

/** As prvcut_measure_make, or the same taken back from an index; into j->measured, where that is
    set. */
enum prvcut_status index_measure(struct prvcut_measure *m, const struct job *j,
                                 const struct prvcut_run *run,
                                 const struct prvcut_proof_region *stretch, size_t stretches,
                                 const struct prvcut_proof_only *only, struct prvcut_error *err);

/** Why the longest unusual iterations are long (job_why_structure), behind what is explained.
   shape: j: that is told */
void index_put_why(struct prvcut_put *p, const struct job *j);

/** The same taken back into j's structure, in place of readings; while an index is made, from
    j->whys. shape: j: its structure is found; false: nothing was taken back */
bool index_recall_why(struct job *j);

/** A section's name for the division that a search would make; NULL: none is kept for it. */
const char *index_division_name(const struct job *j);

#endif
