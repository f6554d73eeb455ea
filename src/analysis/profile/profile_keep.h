#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_KEEP_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_KEEP_H

#include "analysis/profile/profile.h"
#include "base/bytes.h"

/** More cells are not kept: of some tens of bytes each. */
#define PRVCUT_PROFILE_KEPT ((size_t)1 << 19)

/** How many cells there are of the first so many stretches. */
size_t prvcut_profile_cells_of(const struct prvcut_profile_found *f, size_t stretches);

/** Put what was found of the first so many stretches of a whole run; without functions, and what
    ranks do with each other. */
void prvcut_profile_put(struct prvcut_put *p, const struct prvcut_profile_found *f,
                        size_t stretches);

/**
 * Take what is asked from what was put, in place of a reading.
 *
 * shape   false: some of what is asked was not put, or the bytes are not sound (g->bad)
 * owns    *f is initialised here, released with prvcut_profile_found_fini, also where it is false
 */
bool prvcut_profile_get(struct prvcut_get *g, struct prvcut_profile_found *f,
                        struct prvcut_trace *t, const struct prvcut_profile_asked *asked);

#endif
