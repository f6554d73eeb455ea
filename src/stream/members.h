#ifndef PRVCUT_STREAM_MEMBERS_H
#define PRVCUT_STREAM_MEMBERS_H

#include <stdbool.h>

/*
 * Which calls of two members of a communicator are one collective, where a piece of the run is all
 * there is, so that nobody knows how many each has made before it: the k-th of one is the k-th of
 * the other after a few that only one of them has there. All parts at hand, told_groups.c says it.
 */

/** Two members' calls of one communicator; how they are kept, their owner knows. Constant. */
struct stm_members {
    const void *ctx;
    /** The call of a member (0 or 1) after another one of it, NULL: the first; NULL: no more. */
    const void *(*next)(const void *ctx, unsigned member, const void *after);
    /** May one of each be the same collective? */
    bool (*fit)(const void *ctx, const void *a, const void *b);
    /** May it be at the piece's begin or end without the other member's part? */
    bool (*alone)(const void *ctx, const void *call, bool at_end);
};

/**
 * Member 1's part of a call of member 0. NULL: it has none, or several orders may be theirs. Clocks
 * are not exact: some calls may not fit, if in any other order far more do not.
 */
const void *stm_members_part(const struct stm_members *m, const void *call);

#endif
