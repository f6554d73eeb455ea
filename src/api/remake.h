#ifndef PRVCUT_API_REMAKE_H
#define PRVCUT_API_REMAKE_H

#include "model/trace.h"
#include "prvcut/filter.h"

/*
 * Filters of a conversion of ours (prvcut_trace.from_model): it is read into the model and written
 * again, as what it was made of would be after the same filter.
 */

/** As the reader's filter, for all traces whose reader has one. */
enum prvcut_status filter_copy(struct prvcut_trace *t, const struct prvcut_run *run,
                               const struct prvcut_cut_options *options,
                               struct prvcut_filter_summary *out, struct prvcut_error *err);

#endif
