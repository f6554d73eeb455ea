#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_ADD_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_ADD_H

#include "analysis/profile/profile.h"

/** What adds up of one call in one slot. */
struct prvcut_profile_share {
    uint32_t slot;
    uint64_t ns;
};

/** Most states, calls and counters of a thread whose cells are at hand, by their numbers. */
#define PRVCUT_PROFILE_STATES   32
#define PRVCUT_PROFILE_CALLS    224
#define PRVCUT_PROFILE_COUNTERS 16

/** Of so many threads. */
#define PRVCUT_PROFILE_LATEST 65536u

/** Which cell a thread added to latest. */
struct prvcut_profile_latest {
    uint32_t state[PRVCUT_PROFILE_STATES], rest[PRVCUT_PROFILE_STATES], call[PRVCUT_PROFILE_CALLS],
        counter[PRVCUT_PROFILE_COUNTERS]; /**< counters by their role */
    uint32_t sent, received;
};

/** Places of lengths that calls had lately: 2^bits. */
#define PRVCUT_PROFILE_LENGTHS_BITS 11

/** What one worker adds up. */
struct prvcut_profile_adder {
    struct prvcut_table cell, bin;
    struct prvcut_table rest;           /**< cells of states (profile_rest.h) */
    struct prvcut_proof_place *place;   /**< [threads]: where the worker is in each one's time */
    uint32_t *slot;                     /**< [threads * deepest]: those of its place */
    size_t *mark;                       /**< [slots] 1 + index of the call's share there, else 0 */
    struct prvcut_profile_share *share; /**< [shares], of one call */
    size_t shares, room;
    struct prvcut_profile_reach *reach;   /**< [threads] */
    struct prvcut_profile_latest *latest; /**< [latests][depths]: all other threads share
 the first */
    uint32_t latests, depths;             /**< depths: so many guesses each, 1 or 2 */
    uint32_t length[1u << PRVCUT_PROFILE_LENGTHS_BITS]; /**< which bin was there latest */
    uint32_t any;                                       /**< bits: prvcut_profile_any */
    struct prvcut_causality order;
};

/** A call that has ended. */
struct prvcut_profile_call {
    struct prvcut_span span; /**< end < start where records are out of order: it takes no time */
    uint32_t thread, type;
    int64_t value;
    bool open;    /**< the run ended first */
    bool by_part; /**< its time is told elsewhere */
    bool before;  /**< it has begun before its span: it is not entered */
};

/** owns: *f is initialised here for what is asked, released with prvcut_profile_found_fini, also
    after a failure. errors: those of the reader, PRVCUT_ENOMEM */
enum prvcut_status prvcut_profile_begin(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                        const struct prvcut_profile_asked *asked,
                                        struct prvcut_error *err);

/** owns: *a is initialised here, released with prvcut_profile_adder_fini, also after a failure */
enum prvcut_status prvcut_profile_adder_init(struct prvcut_profile_adder *a,
                                             const struct prvcut_profile_found *f,
                                             struct prvcut_error *err);
void prvcut_profile_adder_fini(struct prvcut_profile_adder *a);

/** A thread is in it over a span: the time goes to each stretch that has some of it. */
enum prvcut_status prvcut_profile_spend(struct prvcut_profile_adder *a,
                                        const struct prvcut_profile_found *f, uint32_t thread,
                                        struct prvcut_proof_key key, struct prvcut_span span,
                                        struct prvcut_error *err);

/** The same, told with the rest of threads' time. */
enum prvcut_status prvcut_profile_rests(struct prvcut_profile_adder *a,
                                        const struct prvcut_profile_found *f, uint32_t thread,
                                        uint32_t state, struct prvcut_span span,
                                        struct prvcut_error *err);

/** Something of an amount happens at a time. */
enum prvcut_status prvcut_profile_happen(struct prvcut_profile_adder *a,
                                         const struct prvcut_profile_found *f, uint32_t thread,
                                         struct prvcut_proof_key key, uint64_t time,
                                         uint64_t amount, struct prvcut_error *err);

/** An amount goes evenly to the stretches that have some of a span. */
enum prvcut_status prvcut_profile_divide(struct prvcut_profile_adder *a,
                                         const struct prvcut_profile_found *f, uint32_t thread,
                                         struct prvcut_proof_key key, struct prvcut_span span,
                                         uint64_t amount, struct prvcut_error *err);

/** A record of a thread from begin to end, which may be the same. */
static inline void prvcut_profile_seen(struct prvcut_profile_adder *a,
                                       const struct prvcut_profile_found *f, uint32_t thread,
                                       uint64_t begin, uint64_t end)
{
    struct prvcut_profile_reach *r = &a->reach[thread];
    const uint64_t inside = end < f->until ? end : f->until;

    if (!r->seen || begin < r->first)
        r->first = begin;
    r->seen = true;
    r->last = end > r->last ? end : r->last;
    if (begin <= f->until && inside > r->inside)
        r->inside = inside;
}

/** A thread's call ends that has not begun; the earliest one counts. */
static inline void prvcut_profile_lost(struct prvcut_profile_reach *r, uint64_t time, uint32_t type)
{
    if (r->ends && r->lost <= time)
        return;
    r->ends = true;
    r->lost = time;
    r->type = type;
}

enum prvcut_status prvcut_profile_call(struct prvcut_profile_adder *a,
                                       const struct prvcut_profile_found *f,
                                       const struct prvcut_profile_call *call,
                                       struct prvcut_error *err);

/** Add cells of a worker to others; they are of no use then. */
enum prvcut_status prvcut_profile_merge_cells(struct prvcut_table *cell, struct prvcut_table *more,
                                              struct prvcut_error *err);

/** Add all that a worker has, which is of no use then. */
enum prvcut_status prvcut_profile_merge(struct prvcut_profile_found *f,
                                        struct prvcut_profile_adder *a, struct prvcut_error *err);

#endif
