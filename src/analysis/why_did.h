#ifndef PRVCUT_ANALYSIS_WHY_DID_H
#define PRVCUT_ANALYSIS_WHY_DID_H

#include "analysis/why_meet.h"

/*
 * What a thread did before it came to a call, and whether it usually does.
 */

/** Calls in a row, of which the last is the one in question, that tell it from others. */
#define WHY_CONTEXT 5
/** Calls like it that tell what is usual, at least; and at most, the nearest. */
#define WHY_LIKE_LEAST 3
#define WHY_LIKE_MOST  256
/** The same of what all messages, or all states, are looked at for each. */
#define WHY_WEIGH_MOST 32

/** What a thread did: PRVCUT_SLOW_UNKNOWN: neither was in a call, nor computed. */
struct why_did {
    enum prvcut_slow what;
    uint64_t ns;
    struct prvcut_proof_key call;
    enum prvcut_slow how; /**< of computing longer than before calls like the one that it came to:
                               why, as counters tell; else PRVCUT_SLOW_COMPUTING */
};

/** ns in calls of that kind. */
uint64_t why_in_kind(const struct why_around *a, uint32_t thread, struct prvcut_span span,
                     const struct prvcut_proof_key *key);

/** What it did while it was in no call; late: how much later than usual that made it, ns. */
struct why_did why_did_outside(const struct why_around *a, uint32_t thread, struct prvcut_span span,
                               uint64_t late);

/** Several things, none for most of the time. */
bool why_did_nothing_most(const struct why_did *d);

/** Before it came to another's call: since its last call, if that is most of the wait; else while
    the other waited. wait: from that call's begin until it came */
struct why_did why_did_before(const struct why_around *a, uint32_t thread, struct prvcut_span wait);

/** The thread's call that begins then; SIZE_MAX: none. */
size_t why_call_at(const struct why_around *a, uint32_t thread, uint64_t time);

/** Do the same calls lead to both? first: of that thread */
bool why_call_is_like(const struct why_around *a, size_t first, size_t one, size_t other);

/** How much longer than before, or in, calls like it; NAN: there are too few of these. */
double why_call_longer(const struct why_around *a, uint32_t thread, size_t call, bool before);

#endif
