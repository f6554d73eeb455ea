#ifndef PRVCUT_MODEL_MARKS_H
#define PRVCUT_MODEL_MARKS_H

#include "prvcut/mark.h"

/** Where the iterations of one region begin on one thread, and where the last one ends. */
struct prvcut_mark_row {
    uint32_t thread;
    const uint64_t *at; /**< [count] ns, ascending; borrowed */
    size_t count;       /**< >= 2: the last one is the end, its value 0; else 1 */
};

/** What is to be put into a copy of a trace. Where marks of one thread have the same time, they are
    written in the order of their rows. */
struct prvcut_marks {
    const struct prvcut_mark_row *row; /**< [rows]; borrowed */
    size_t rows;
};

#endif
