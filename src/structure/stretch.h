#ifndef PRVCUT_STRUCTURE_STRETCH_H
#define PRVCUT_STRUCTURE_STRETCH_H

#include "model/made.h"

/** Do two regions repeat one loop, both in the run or both in the same iteration? */
bool prvcut_regions_share_loop(const struct made_region *a, const struct made_region *b);

/** Is it a stretch of that region's loop? */
bool prvcut_stretch_is_of(const struct prvcut_stretch *t, const struct made_region *r);

/** Do so many iterations make up a region that is only a part of its loop? */
bool prvcut_region_is_all(const struct made_region *r, unsigned iterations);

/** Does it hold all iterations of its loop? So it does where nobody counted them. */
bool prvcut_region_is_whole_loop(const struct made_region *r);

/** Do so many make up all of its loop? */
bool prvcut_loop_is_all(const struct made_region *r, unsigned iterations);

/** When an iteration of a region's loop runs, by its number from 1 through the whole loop; false:
    it was not told by itself. */
bool prvcut_iteration_span(const struct made_structure *s, const struct made_region *r,
                           uint64_t number, struct prvcut_span *out);

/** The number of the iteration of a region's loop that begins nearest to a time; 0: unknown. */
uint64_t prvcut_iteration_near(const struct made_structure *s, const struct made_region *r,
                               uint64_t time);

#endif
