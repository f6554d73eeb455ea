#ifndef PRVCUT_MODEL_DIFF_CAUSE_H
#define PRVCUT_MODEL_DIFF_CAUSE_H

#include "model/made.h"

/** The row of a comparison that tells of a cause, borrowed: its figures are the cause's. NULL: none
    does, as of an unknown one. */
const struct prvcut_diff_row *made_diff_cause_row(const struct made_diff *d,
                                                  const struct prvcut_slow_cause *c);

#endif
