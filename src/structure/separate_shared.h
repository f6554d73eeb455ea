#ifndef PRVCUT_STRUCTURE_SEPARATE_SHARED_H
#define PRVCUT_STRUCTURE_SEPARATE_SHARED_H

#include "structure/separate_choice.h"

/** Is a candidate by what all threads have in common a loop, where nothing else is believed? */
bool prvcut_separate_shared_is_loop(const struct separate_candidate *c);

/** Does such a candidate explain (nearly) the whole run by iterations that are alike, but for how
    often what is inside comes? No chance groups do. */
bool prvcut_separate_shared_tiles(const struct separate_candidate *c);

/** Does a likelier one explain (nearly) the whole run, which x leaves out much of? */
bool prvcut_separate_shared_fills(const struct separate_candidate *c,
                                  const struct separate_candidate *x);

#endif
