#ifndef PRVCUT_ANALYSIS_WHY_PARTNER_H
#define PRVCUT_ANALYSIS_WHY_PARTNER_H

#include "analysis/proof_sums.h"
#include "model/trace.h"
#include "prvcut/reduce.h"
#include "signal/track.h"

/**
 * For whom a thread waited that is longer in a call: the longest of these calls in the iteration,
 * and whoever it met there. One reading as a stream, of what is around the iteration alone where
 * the format records both ends of a message at once.
 *
 * - A partner is late that comes after half of the call has passed, and before its end: the sender
 *   of the last message that is complete there, the receiver of one that is sent there, the last
 *   member of a collective that waits for all, the root of one that waits for it.
 * - Who came late after computing as long as it usually does before that call was late before: in
 *   the call before in which it waited longer than usual, and so on, as far back as is read.
 * - Which collectives belong together is told by their order, from the window on: they meet as only
 *   one order lets all of them that wait for all overlap; else from where each thread's own
 *   iteration begins on, where that order is possible; else it is not known.
 * - Who waits by the standard for nobody may do so all the same: one is late that comes last, right
 *   before the call ends.
 */

struct prvcut_why_meeting {
    struct prvcut_span iteration; /**< ns */
    uint32_t thread;
    struct prvcut_proof_key call;          /**< as of cells: settled */
    const struct prvcut_dictionary *names; /**< borrowed */
    const struct prvcut_flushes *flushes;  /**< borrowed */
    uint64_t back;       /**< ns before the iteration that may be read to find where it began */
    double excess;       /**< ns that the iteration is longer than usual */
    const double *more;  /**< [threads] ns that each computes longer than usual in it; borrowed */
    const uint64_t *own; /**< [threads] when each one's own iteration begins; NULL: not known;
                              borrowed */
};

struct prvcut_why_partner {
    enum prvcut_late late;
    uint64_t longest_ns; /**< that call; valid unless unknown */
    /* Of a partner that was late. */
    uint32_t thread;
    uint64_t late_ns;             /**< from the call's begin */
    struct prvcut_proof_key code; /**< the function that it came from; type 0: not told */
    /** What it did since its last call: PRVCUT_SLOW_FLUSH, _OFF, _COMPUTING. If that was less than
        half of the wait, what it did in that: _CALL, or the same. _UNKNOWN: none of these, or, of
        0 ns, several. Then the call that is longer than usual and makes it late, if one does. */
    enum prvcut_slow did;
    uint64_t did_ns;          /**< how long */
    enum prvcut_slow did_how; /**< of _COMPUTING: why longer than before calls like that one; the
                                   same: not known */
    bool as_usual; /**< it computed, no longer than usual, and why it was late is not known */
    struct prvcut_proof_key did_call; /**< of PRVCUT_SLOW_CALL */
    /* Where it began: the partner may have waited for another one itself, and so on, until one did
       something else, or waited while nobody was late. */
    uint32_t origin;                     /**< PRVCUT_NOBODY: not known */
    enum prvcut_slow origin_did;         /**< as did; _CALL: nobody was late for it */
    uint64_t origin_ns;                  /**< how long */
    enum prvcut_slow origin_how;         /**< as did_how */
    struct prvcut_proof_key origin_call; /**< of PRVCUT_SLOW_CALL */
    /** Of messages in the call for which nobody was late, and in calls like it, the median; NAN:
        not known, or it is no such call. */
    double origin_bytes, usual_bytes;
    bool unshown; /**< nobody was late, but it is not shown that all were there: clocks are apart,
                     or the last to come is out of it long before */
    bool before;  /**< the call, or the first of these messages, began before the iteration */
};

/** errors  as of prvcut_stream_tell */
enum prvcut_status prvcut_why_partner_find(struct prvcut_why_partner *out, struct prvcut_trace *t,
                                           const struct prvcut_run *run,
                                           const struct prvcut_why_meeting *of,
                                           struct prvcut_error *err);

#endif
