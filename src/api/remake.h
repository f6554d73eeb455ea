#ifndef PRVCUT_API_REMAKE_H
#define PRVCUT_API_REMAKE_H

#include "convert/convert.h"
#include "model/trace.h"
#include "prvcut/filter.h"

/*
 * A trace is read into the model and written again, in its own format.
 */

/**
 * Do that. What is not said of the conversion is as of any.
 *
 * shape   job: trace, run, states and what changes records; the writer and the options are set
 * here. to: path, force, dry_run, command, memory, scratch and for_scalasca count; without scratch
 *         what does not fit into memory goes beside the output. out: zeroed
 * errors  as cnv_run
 */
enum prvcut_status remake_write(struct cnv_job job, const struct prvcut_convert_options *to,
                                struct made_convert_summary *out, struct prvcut_error *err);

/** What other programs do with the output is said of conversions: not of what else is written so.
 */
void remake_drop_notes(struct made_convert_summary *out);

/** Filters of a conversion of ours (prvcut_trace.from_model), as what it was made of would be after
    the same filter: as the reader's filter, for all traces whose reader has one. */
enum prvcut_status filter_copy(struct prvcut_trace *t, const struct prvcut_run *run,
                               const struct prvcut_cut_options *options,
                               struct prvcut_filter_summary *out, struct prvcut_error *err);

#endif
