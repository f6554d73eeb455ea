#ifndef PRVCUT_MODEL_MARKS_H
#define PRVCUT_MODEL_MARKS_H

#include "prvcut/mark.h"

/** What the marks' type and its values 1 and 0 are called; archives know the type by that name. */
#define PRVCUT_MARK_NAME   "Iteration (prvcut mark)"
#define PRVCUT_MARK_BEGINS "begins"
#define PRVCUT_MARK_ENDS   "the last one ends"

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

/** One mark of a thread. */
struct prvcut_mark {
    uint64_t time; /**< ns; who puts it may make it his clock's */
    size_t order;  /**< among those of its time */
    uint32_t thread;
    bool begins;
};

/**
 * The marks of some threads in order of time: [*count], freed by the caller; NULL where there are
 * none.
 *
 * shape   thread: [threads] of the trace, nonzero: it is wanted
 */
enum prvcut_status prvcut_marks_of(const struct prvcut_marks *marks, const uint8_t *thread,
                                   struct prvcut_mark **out, size_t *count,
                                   struct prvcut_error *err);

/** In order of time, and of `order`. */
void prvcut_marks_sort(struct prvcut_mark *at, size_t count);

#endif
