#ifndef PRVCUT_ANALYSIS_TIMELINE_CALLS_H
#define PRVCUT_ANALYSIS_TIMELINE_CALLS_H

#include "analysis/timeline_grid.h"
#include "follow/follow.h"

/**
 * Calls that stand in for states: the innermost one that is open is what a thread is in.
 *
 * owns    *out is the caller's, released with prvcut_follow_free; the grid is borrowed until then
 */
enum prvcut_status tl_calls_new(struct prvcut_follow **out, struct tl_grid *grid,
                                const struct prvcut_trace *t, struct prvcut_error *err);

#endif
