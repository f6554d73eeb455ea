#ifndef ACCURACY_STRUCTURE_H
#define ACCURACY_STRUCTURE_H

#include "truth.h"

/** Of the outermost loops, and of those right inside them where something is known of these. */
struct structure_score {
    unsigned right[2], all[2];
    unsigned failed; /**< traces that cannot be read, or with a loop where there is none */
};

void structure_head(void);

/** Divide a trace, print the loops of each level beside the truth, add to the score. */
void structure_judge(const struct truth *t, const char *name, const char *path,
                     struct structure_score *score);

/** Print the score; false where a limit does not hold. */
bool structure_total(const struct structure_score *score);

#endif
