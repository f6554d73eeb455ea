#ifndef PRVCUT_API_CUT_FILTERED_H
#define PRVCUT_API_CUT_FILTERED_H

#include "model/trace.h"

/**
 * As the reader's cut, of any number of sub-traces, and what is cut is filtered as the options say:
 * on the way, where the format can, else a cut beside the output is filtered into it.
 *
 * shape   as that of prvcut_reader; sub-traces beyond PRVCUT_SUBTRACES_MOST are cut in further
 *         readings, and appear after the others
 */
enum prvcut_status cut_filtered(struct prvcut_trace *t, const struct prvcut_run *run,
                                const struct prvcut_subtrace *sub, size_t count,
                                struct prvcut_error *err);

/** So many readings that takes. */
static inline size_t cut_readings(size_t count)
{
    return (count + PRVCUT_SUBTRACES_MOST - 1) / PRVCUT_SUBTRACES_MOST;
}

#endif
