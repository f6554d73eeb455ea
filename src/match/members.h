#ifndef PRVCUT_MATCH_MEMBERS_H
#define PRVCUT_MATCH_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which calls of two members of a communicator are one collective, where a piece of the run is all
 * there is, so that nobody knows how many each has made before it: the k-th of one is the k-th of
 * the other after a few that only one of them has there. All parts at hand, numbered.h says it.
 */

/** Two members' calls of one communicator; how they are kept, their owner knows. Constant. */
struct prvcut_members {
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
const void *prvcut_members_part(const struct prvcut_members *m, const void *call);

/** A member's part in a collective, ns; call: which, as all members number it. */
struct prvcut_member_part {
    uint64_t begin, end;
    uint32_t call;
};

/** A member's collectives on a communicator in a piece, one after the other. */
struct prvcut_member_sequence {
    const void *ctx;
    size_t count;
    struct prvcut_member_part (*part)(const void *ctx, size_t k);
};

/**
 * The k-th of `a` is the (k + returned)-th of `b`: which is best in time. For many members and
 * calls, where one that does not fit may be taken for another one all the same.
 */
long prvcut_members_shift(const struct prvcut_member_sequence *a,
                          const struct prvcut_member_sequence *b);

#endif
