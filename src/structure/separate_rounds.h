#ifndef PRVCUT_STRUCTURE_SEPARATE_ROUNDS_H
#define PRVCUT_STRUCTURE_SEPARATE_ROUNDS_H

#include "structure/loop.h"
#include "structure/separate_choice.h"

/** Where something begins in a thread's calls. */
struct separate_places {
    const uint32_t *at; /**< [count] ascending; borrowed */
    size_t count;
    uint32_t first; /**< the first place, also one that was left out */
    bool all;       /**< no others come before or behind */
};

struct separate_places prvcut_separate_places_of(const struct separate_loop *l);

/** Do gaps of c with a place of b have some calls more than those without, and not many? */
bool prvcut_separate_adds(const struct separate_places *b, const struct separate_places *c);

/**
 * Add what gaps of b hold of c, on one thread: least, most, held, gaps. False, and nothing is
 * added, where b does more than add some calls to it now and then.
 */
bool prvcut_separate_rounds_add(struct prvcut_rounds *out, const struct separate_places *b,
                                const struct separate_places *c);

/** Does their number vary? */
bool prvcut_separate_rounds_vary(const struct prvcut_rounds *r);

/**
 * The loop inside b by whose rounds b may be an event that comes at any distances: of those that
 * are believed the one nearest to b, and its rounds, all but their length. NULL: none, out->most is
 * 0.
 */
const struct separate_candidate *prvcut_separate_rounds_find(struct prvcut_rounds *out,
                                                             const struct separate_candidates *all,
                                                             const struct separate_candidate *b);

#endif
