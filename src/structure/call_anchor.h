#ifndef PRVCUT_STRUCTURE_CALL_ANCHOR_H
#define PRVCUT_STRUCTURE_CALL_ANCHOR_H

#include "structure/call_grams.h"

/**
 * A gram that occurs once per iteration of a supposed loop: its occurrences are the loop's beat.
 * Other grams with as many occurrences, one between each two of the anchor's, support it.
 */
struct call_anchor {
    struct call_cut cut;
    uint32_t *place;     /**< [count]: calls where the anchor occurs, ascending; owned */
    size_t count;        /**< >= 3 */
    double gap;          /**< mean distance of two occurrences, calls */
    double time_gap;     /**< median distance, ns */
    double time_mean;    /**< mean distance, ns */
    double pace;         /**< mean distance in time as a multiple of the usual one, of few without
                              the longest eighth, for a thread may be stopped in one; in iterations
                              of few calls of what is usual around each */
    double regular;      /**< share of the distances (in grams) that are near their median */
    double deviation;    /**< mean deviation of the distances from their mean, as a share of it */
    double support;      /**< supporting kinds / grams in an iteration: 1 = nothing in it repeats */
    double purity;       /**< supporting kinds / kinds that occur as often, wherever */
    double cover;        /**< mean of the shares of the sequence's calls and time, 0..1 */
    double from, to;     /**< first and last occurrence, share of the sequence's calls */
    uint64_t start, end; /**< the same, ns */
    /* Known once compared: */
    double alike;    /**< share of an iteration's calls that come again, in order, in the next */
    double evidence; /**< how improbable that is in a sequence without a loop, nats */
};

struct call_anchors {
    struct call_anchor *at; /**< owned */
    size_t count, room;
};

/** A loop that other sequences follow: look for the like of it. */
struct call_want {
    size_t count;               /**< iterations */
    double time_gap, time_mean; /**< ns */
    double from, to;            /**< share of the sequence's calls */
};

/**
 * Median of distance i, from place[i] to place[i + 1], and of the few around it: a program may
 * change its pace for good, and keeps time before and after.
 *
 * shape   place: [count] calls, ascending; i + 1 < count
 * units   ns
 */
double prvcut_call_usual(const uint32_t *place, size_t count, size_t i,
                         const struct prvcut_call_sequence *s);

/** What to look for to find the like of an anchor elsewhere. */
struct call_want prvcut_call_anchor_want(const struct call_anchor *a);

/**
 * Is this about the wanted loop? Counts may differ by 10 % or one, distances in time by 5 %, or 20
 * % where the counts agree (threads need not wait for each other), or by what threads that are most
 * of an iteration apart make of few iterations. Where as many come in the same part of the
 * sequence, one thread may be three times as fast as another: it waits elsewhere.
 */
bool prvcut_call_anchor_like(const struct call_anchor *a, const struct call_want *want);

/** Are both in about the same part of their sequences? Two equal loops may follow each other. */
bool prvcut_call_anchor_near(const struct call_anchor *a, const struct call_anchor *b);

/** Are both at work at about the same time? */
bool prvcut_call_anchor_meets(const struct call_anchor *a, const struct call_anchor *b);

/**
 * Add the anchors of grams cut in one way.
 *
 * shape   g: made from s with cut; of several anchors with about the same distance and place, also
 *         from earlier calls, the best is kept; want may be NULL
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_anchors_find(struct call_anchors *out, const struct call_grams *g,
                                            const struct prvcut_call_sequence *s,
                                            const struct call_cut *cut,
                                            const struct call_want *want, struct prvcut_error *err);

/** Compare iterations of each, or a sample of them, with their successors; g is work space. */
enum prvcut_status prvcut_call_anchors_compare(struct call_anchors *pool, struct call_grams *g,
                                               const struct prvcut_call_sequence *s,
                                               struct prvcut_error *err);

void prvcut_call_anchors_fini(struct call_anchors *a);

#endif
