#ifndef PRVCUT_ANALYSIS_WHY_MEET_H
#define PRVCUT_ANALYSIS_WHY_MEET_H

#include "analysis/why_partner.h"
#include "follow/part.h"

/*
 * What threads do around an iteration: calls, whom they meet in them, and what they are in between.
 */

/** A call; of what reaches out of the window, what is inside. */
struct why_call {
    struct prvcut_span span;
    struct prvcut_proof_key key;  /**< settled */
    uint32_t communicator;        /**< of a collective; PRVCUT_NOBODY: not told */
    struct prvcut_proof_key code; /**< the function that makes it, as its line tells, else that is
                                       open; type 0: not told */
    uint8_t role;
    bool root, nonblocking, no_begin, no_end;
};

/** A call of a thread depends on another thread. */
struct why_met {
    uint64_t begin;   /**< of the call */
    uint64_t time;    /**< when the other did its part */
    uint64_t pending; /**< until then a later call may wait for it; 0: none does */
    uint64_t bytes;   /**< of the message */
    uint32_t thread;  /**< that waits */
    uint32_t other;
};

enum why_span_kind { WHY_RUNNING, WHY_OFF_STATE, WHY_OFF_EVENT };

struct why_span {
    struct prvcut_span span;
    uint32_t thread;
    enum why_span_kind kind;
};

/** What a thread's counters had counted by a time, since the window's start. */
struct why_read {
    uint64_t time;
    uint32_t thread;
    double instructions, cycles; /**< NAN: not read then */
};

struct why_around {
    const struct prvcut_trace *trace;
    const struct prvcut_why_meeting *of;
    struct prvcut_span window;
    struct why_call *call; /**< [calls] thread by thread, each by time; owned */
    size_t *first;         /**< [threads + 1] those of a thread; owned */
    struct why_met *met;   /**< [mets]; owned */
    struct why_span *span; /**< [spans]; owned */
    struct why_read *read; /**< [reads] thread by thread, each by time; owned */
    size_t calls, mets, spans, reads, call_room, met_room, span_room, read_room;
    double instructions, cycles;           /**< while it is read: of the present thread */
    uint32_t thread;                       /**< while it is read: the present one */
    struct prvcut_follow_thread functions; /**< functions of the present thread */
    bool in_call;                          /**< the same: the last call is open */
    bool running;                          /**< running states are recorded */
    bool one_only;                         /**< whom others than the one in question meet had no
                                                room */
    bool further;                          /**< what was before the window would tell more */
    uint64_t apart;                        /**< ns that a message seems to be sent after it is
                                                complete, at most: clocks are so far apart */
    bool too_much;                         /**< more than there is room for: nothing is known */
};

/** Who was waited for. */
struct why_came {
    bool known;
    uint64_t time; /**< when it came; 0: there was nobody to wait for */
    uint32_t thread;
    bool left; /**< it was the last, and yet is out of it long before */
};

static inline uint64_t why_overlap(struct prvcut_span a, struct prvcut_span b)
{
    const uint64_t start = a.start > b.start ? a.start : b.start;
    const uint64_t end = a.end < b.end ? a.end : b.end;

    return end > start ? end - start : 0;
}

static inline bool why_same_call(const struct prvcut_proof_key *a, const struct prvcut_proof_key *b)
{
    return a->kind == b->kind && a->type == b->type && a->value == b->value;
}

/** Before: ns of what is before the iteration. owns: *a is initialised here, released with
    why_around_fini, also after a failure */
enum prvcut_status why_around_read(struct why_around *a, struct prvcut_trace *t,
                                   const struct prvcut_run *run,
                                   const struct prvcut_why_meeting *of, uint64_t before,
                                   struct prvcut_error *err);
void why_around_fini(struct why_around *a);

/** Whom a thread's collective had to wait for. *last: who was the last to come, right before the
   call ended, whether that one had to be waited for or not; not known: nobody was */
struct why_came why_by_collective(const struct why_around *a, uint32_t thread,
                                  const struct why_call *call, struct why_came *last);

#endif
