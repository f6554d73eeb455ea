#ifndef PRVCUT_STRUCTURE_CALL_SEARCH_H
#define PRVCUT_STRUCTURE_CALL_SEARCH_H

#include "structure/call_choice.h"
#include "structure/call_follow.h"

#define SEARCH_VOTES 3 /* sequences with a loop that are asked which; all others only follow */

/** A search: the loops that some sequences show, and the way of all through one of them. */
struct call_search {
    const struct prvcut_call_sequence *in;
    size_t count, busy; /**< sequences; those with calls */
    struct call_grams grams;
    size_t votes;
    struct call_anchors pool[SEARCH_VOTES];       /**< what each voter holds */
    const struct call_anchor *vote[SEARCH_VOTES]; /**< which of these it means */
    double evidence[SEARCH_VOTES];                /**< and the evidence wanted of it */
    double trust;                                 /**< 0.6..1: how far the winner is beyond that */
    struct call_track *track;                     /**< [count] */
    struct call_alphabet known;                   /**< what the trace says of its calls */
};

/**
 * Ask sequences for their outermost loop until there are enough votes, or enough was looked at.
 *
 * shape   l: in, count >= 1 and track are set, the rest is zero
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_search_vote(struct call_search *l, struct prvcut_error *err);

/** The loop that most votes mean; of several the one that explains most. NULL without votes. */
const struct call_anchor *prvcut_call_search_winner(struct call_search *l);

/** Follow a loop through all sequences: fills track. errors PRVCUT_ENOMEM */
enum prvcut_status prvcut_call_search_follow(struct call_search *l, const struct call_anchor *model,
                                             struct prvcut_error *err);

/** Nobody, not even the voters, follows this loop for 3 iterations: let them think again. */
void prvcut_call_search_discard(struct call_search *l, const struct call_anchor *model);

/** What of the calls an alphabet really uses; constant. */
const char *prvcut_call_search_alphabet(const struct call_search *l, const struct call_alphabet *a);

void prvcut_call_search_fini(struct call_search *l);

#endif
