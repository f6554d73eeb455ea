#ifndef PRVCUT_MODEL_LOST_H
#define PRVCUT_MODEL_LOST_H

#include "model/made.h"

/** A count of what a conversion left out, with its words for one and for several. */
struct prvcut_lost {
    uint64_t n;
    const char *one, *several;
};

#define PRVCUT_LOSSES (PRVCUT_CARRIES + 2)

/** Of everything that can be left out, also what was not: 0. */
void prvcut_lost_counts(struct prvcut_lost out[PRVCUT_LOSSES],
                        const struct made_convert_summary *s);

#endif
