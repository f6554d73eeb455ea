#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_MEET_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_MEET_H

#include "analysis/profile/profile.h"

/**
 * What ranks do with each other: how long calls wait for their partners, what they send and
 * receive, who sends to whom, and what communicators are used for. One more reading, as a stream.
 *
 * - A call that completes messages waits from its begin until the last of them is sent, at most to
 *   its end. Whoever sent that one is who was waited for. A message that is complete before it is
 *   sent, on one clock, says nothing of that: the trace ties wrong ends together.
 * - A collective that nobody leaves before everybody has come waits from its begin until the last
 *   member's, at most to its end, where all members are known. Other calls do not wait.
 * - Bytes are those of messages sent, or complete, in a call, and of collectives.
 */

/** What a cell is of. */
enum prvcut_profile_met_what {
    PRVCUT_PROFILE_MET_CALL,  /**< thread: whose; other 0 */
    PRVCUT_PROFILE_MET_PEER,  /**< thread: the task that sends; other: the one that receives */
    PRVCUT_PROFILE_MET_GROUP, /**< collectives: thread: whose; other: the communicator's id */
};

struct prvcut_profile_met {
    struct {
        uint32_t slot, thread, other;
        uint32_t what;              /**< prvcut_profile_met_what */
        struct prvcut_proof_key of; /**< the call; zeroed of a peer */
    } key;
    uint64_t waiting;         /**< ns */
    uint64_t count, ns;       /**< messages that are sent; collectives that are entered, in them */
    uint64_t sent, received;  /**< bytes */
    uint64_t sends, receives; /**< of a call: messages */
};

/**
 * shape   f: with its cells and names; met and order are filled in
 * errors  as of prvcut_stream_tell
 */
enum prvcut_status prvcut_profile_meet(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                       const struct prvcut_run *run, struct prvcut_error *err);

#endif
