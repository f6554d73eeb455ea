#ifndef PRVCUT_STRUCTURE_SEPARATE_AROUND_H
#define PRVCUT_STRUCTURE_SEPARATE_AROUND_H

#include "structure/separate_choice.h"

/** Which loop of separators lies around which. All borrow what they are given. */

/** So few more iterations that it is the same loop? few <= many */
bool prvcut_separate_near(size_t few, size_t many);

/** Does b hold that share of the time of c? */
bool prvcut_separate_holds(const struct separate_candidate *b, const struct separate_candidate *c,
                           double share);

/** Do (nearly) all iterations of b hold one of c? Calls that come and go by chance are beside a
    loop, not around it. */
bool prvcut_separate_surrounds(const struct separate_candidate *b,
                               const struct separate_candidate *c);

/** Is b another loop around c, though it has nearly as many iterations? Some hold two of c: a try
    that was thrown away. */
bool prvcut_separate_repeats(const struct separate_candidate *b,
                             const struct separate_candidate *c);

/** Is b, which is believed, a loop around c? */
bool prvcut_separate_is_around(const struct separate_candidate *b,
                               const struct separate_candidate *c);

/**
 * Is b a loop around c, though some of its iterations hold none of c? What the iterations of b hold
 * is the same, what those of c hold is not: a loop inside that may have no pass.
 */
bool prvcut_separate_is_steadier(const struct separate_candidate *b,
                                 const struct separate_candidate *c);

/** Is b no loop around c, since c is more even, but not in all of the iterations of b? */
bool prvcut_separate_is_beside(const struct separate_candidate *b,
                               const struct separate_candidate *c);

/**
 * Does something lack in the iterations of c that b begins in, and no call of its own marks b? A
 * loop around another one adds calls to those of its iterations in which it begins; where there
 * are fewer, something that c usually does was left out, and how often it was is chance. So it is
 * where iterations of c are all alike and as long with b as without, and those of b are not even.
 */
bool prvcut_separate_lacks(const struct separate_candidate *b, const struct separate_candidate *c);

/**
 * Does b pick some iterations of c? No call of its own marks b, one marks c, which is as likely and
 * has so few iterations more that most of those of b would hold one of it: two calls that follow
 * each other now and then.
 */
bool prvcut_separate_picks(const struct separate_candidate *b, const struct separate_candidate *c);

/**
 * Is b a part of c, which is believed, goes through more of the run and is as good as always made
 * of the same calls? No call of its own marks b, one marks c, and most iterations of b hold just
 * one.
 */
bool prvcut_separate_is_part(const struct separate_candidate *b,
                             const struct separate_candidate *c);

/**
 * Does b throw x back, which repeats c? Each iteration of x that b does not begin in holds as many
 * of c, the others hold more: what was lost was made again, and how often is chance.
 */
bool prvcut_separate_throws_back(const struct separate_candidate *b,
                                 const struct separate_candidate *x,
                                 const struct separate_candidate *c);

/**
 * Do the iterations of b grow, or shrink, from each to the next on all threads that have it, in
 * calls? Cycles of a mesh that is refined do; what comes by chance does not.
 */
bool prvcut_separate_grows(const struct separate_candidate *b);

#endif
