#ifndef PRVCUT_ANALYSIS_DIFF_ORDER_H
#define PRVCUT_ANALYSIS_DIFF_ORDER_H

#include "analysis/diff.h"

/** Rows of no single call, which come first; then two a call: its time, how often it is made. */
#define PRVCUT_DIFF_FIXED 13

/** What a difference is measured by, and what of it is a cost. */
struct prvcut_diff_kind {
    bool time, count;
    enum prvcut_diff_turn more; /**< what more of it is */
    bool costs;                 /**< so that it counts */
};

/** [a quantity] */
extern const struct prvcut_diff_kind prvcut_diff_kinds[];

/** Calls by their time. */
void prvcut_diff_sort(struct made_diff *out);

/**
 * Those of the rows that changed, the most important first, and the worst of them.
 *
 * owns    out->change, released by whoever made it, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_diff_changes(struct made_diff *out, struct prvcut_error *err);

#endif
