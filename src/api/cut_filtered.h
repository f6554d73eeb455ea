#ifndef PRVCUT_API_CUT_FILTERED_H
#define PRVCUT_API_CUT_FILTERED_H

#include "model/trace.h"

/**
 * As the reader's cut, and what is cut is filtered as the options say: on the way, where the format
 * can, else a cut beside the output is filtered into it.
 */
enum prvcut_status cut_filtered(struct prvcut_trace *t, const struct prvcut_run *run,
                                const struct prvcut_window *window,
                                const struct prvcut_cut_options *options,
                                struct prvcut_cut_summary *out, struct prvcut_error *err);

#endif
