#ifndef PRVCUT_REPORT_CLEAR_H
#define PRVCUT_REPORT_CLEAR_H

#include "model/made.h"

/** The iterations of the main loop that lie in periodic regions. */
struct report_clear {
    double iterations;
    double period_ns; /**< mean; 0: there is none */
    size_t regions;
    bool all;     /**< with those that masks touch they are all that were counted */
    bool differs; /**< masks touch some, and the mean is clearly another one than with these */
};

struct report_clear report_clear_of(const struct made_reduction *r);

#endif
