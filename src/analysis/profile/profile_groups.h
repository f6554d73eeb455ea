#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_GROUPS_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_GROUPS_H

#include "analysis/profile/profile_rows.h"

/** A call or a state of somebody, or of all. */
struct prvcut_profile_group {
    struct prvcut_profile_key key;  /**< thread: the task or the thread as the view asks, else 0 */
    struct prvcut_profile_cell sum; /**< without its key */
    uint64_t all;                   /**< ns of all groups of the same call or state */
    uint64_t inclusive;             /**< ns of a function with all that it calls */
    uint64_t median, percentile_95; /**< ns; valid with lengths */
    uint64_t waiting;               /**< ns; this and the next four as of prvcut_profile_met */
    uint64_t sent, received;        /**< bytes */
    uint64_t sends, receives;       /**< messages */
    bool lengths;                   /**< it is known how long its calls are */
};

/**
 * Those that a view asks for, by calls or by states: what takes most time first.
 *
 * owns    *out is the caller's to free(), also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_profile_groups_make(struct prvcut_profile_group **out, size_t *groups,
                                              const struct prvcut_profile_rows *in,
                                              struct prvcut_error *err);

struct prvcut_profile_met;

/**
 * Peers, or collectives of communicators, as a view asks: those that wait longest first. thread:
 * the task or the thread as the view asks, else 0; of a peer the task that sends.
 *
 * owns    *out is the caller's to free(), also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_profile_met_make(struct prvcut_profile_met **out, size_t *groups,
                                           const struct prvcut_profile_rows *in,
                                           struct prvcut_error *err);

#endif
