#ifndef PRVCUT_STRUCTURE_MASK_H
#define PRVCUT_STRUCTURE_MASK_H

#include "base/search.h"
#include "model/made.h"
#include "prvcut/reduce.h"
#include "signal/collect.h"
#include "structure/parameters.h"

/** Spoilt regions of a run, in order of time; they may overlap where causes do. */
struct prvcut_masks {
    struct prvcut_mask *at;
    size_t count, room;
    double slow;    /**< GHz: a clock below this counts as preempted; 0: no clock */
    double clogged; /**< s/B: a message slower than this counts as stuck; 0: no messages */
};

/** What masks are laid for; zeroed: flushing only. */
struct prvcut_masks_wish {
    uint64_t useful; /**< ns: gaps between flushes shorter than this are of no use and masked as
                        well; 0: unknown */
    uint64_t period; /**< ns, of the loop; 0: not known yet, then flushing only */
    const struct prvcut_parameters *set; /**< NULL: as usual */
};

/**
 * Find regions spoilt by flushing, preemption and a clogged network.
 *
 * in      the collection's signals flushing, clock, clogged with inflight (those absent are left
 *         out) and its flushes
 * owns    out is initialised here, released with prvcut_masks_fini
 * source  Casas 3.5: closing of flushing and clock, opening of clogged, here over an iteration;
 * wake: one period
 */
enum prvcut_status prvcut_masks_find(struct prvcut_masks *out, const struct prvcut_collection *in,
                                     const struct prvcut_masks_wish *wish,
                                     struct prvcut_error *err);

/**
 * A network that is clogged for more than a tenth of the loop is looked at again: all of the loop
 * is read, and what its messages wait while their receivers wait for them is compared, a byte, with
 * what they do elsewhere in the loop. Where it is no more than four times (jam-ratio) as long,
 * receivers are late, not messages, and the mask goes. Of very many messages the first 500,000
 * tell.
 *
 * loop    as far as it is known
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_masks_jams(struct prvcut_masks *m, const struct prvcut_span *loop,
                                     struct prvcut_trace *t, const struct prvcut_run *run,
                                     struct prvcut_error *err);

/**
 * Find the threads that preemption and clogging affected; reads the masked blocks again (needs an
 * earlier scan). Flushes know their threads already. Of very many masks only the longest are
 * looked at; the others keep affected == 0.
 */
enum prvcut_status prvcut_masks_affected(struct prvcut_masks *m, struct prvcut_trace *t,
                                         const struct prvcut_run *run, struct prvcut_error *err);

/** Does anything disturb a cut on any thread, between that thread's own borders? */
bool prvcut_structure_touches(const struct made_structure *s, const struct made_chop *c);

void prvcut_mask_fini(struct prvcut_mask *m);

/** List at most 1024 threads in a mask. shape: hit[threads], nonzero = affected */
enum prvcut_status prvcut_mask_list(struct prvcut_mask *m, const uint8_t *hit, uint32_t threads,
                                    struct prvcut_error *err);

/** Union of all masks as ascending disjoint spans; *spans: allocated here, freed by the caller. */
enum prvcut_status prvcut_masks_spans(const struct prvcut_masks *m, struct prvcut_span **spans,
                                      size_t *count, struct prvcut_error *err);

/** Index of the first of ascending spans that ends after a time; spans where none does. */
static inline size_t prvcut_span_after(const struct prvcut_span *span, size_t spans, uint64_t time)
{
    if (time == UINT64_MAX)
        return spans;
    return prvcut_lower_u64(span, spans, sizeof *span, offsetof(struct prvcut_span, end), time + 1);
}

/** Does any of these ascending spans reach into [from, to)? */
static inline bool prvcut_span_touched(const struct prvcut_span *span, size_t spans, uint64_t from,
                                       uint64_t to)
{
    const size_t i = prvcut_span_after(span, spans, from);

    return i < spans && span[i].start < to;
}

void prvcut_masks_fini(struct prvcut_masks *m);

#endif
