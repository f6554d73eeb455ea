#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_ROWS_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_ROWS_H

#include "analysis/profile/profile.h"
#include "analysis/profile/profile_part.h"
#include "model/made.h"

/** What rows are made of. */
struct prvcut_profile_rows {
    const struct prvcut_profile_found *found; /**< the total is of its first stretch */
    const struct prvcut_profile_part *part;   /**< [found->cells.slots]; NULL: one stretch, and it
                                                   has no name */
    uint32_t first;                           /**< stretch that has rows of its own; 0 or 1 */
    const struct prvcut_trace *trace;
    uint32_t by;   /**< bits of prvcut_profile_by */
    bool straight; /**< some threads have the borders of another one */
};

/**
 * The rows of a profile, its total and what it does not tell.
 *
 * shape   out: zeroed
 * owns    what out points to, released with prvcut_profile_rows_fini, also after a failure
 * errors  PRVCUT_ENOMEM; PRVCUT_ELIMIT: threads are asked for that are not told apart
 */
enum prvcut_status prvcut_profile_rows_make(struct made_profile *out,
                                            const struct prvcut_profile_rows *in,
                                            struct prvcut_error *err);

void prvcut_profile_rows_fini(struct made_profile *p);

#endif
