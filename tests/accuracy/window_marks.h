#ifndef ACCURACY_WINDOW_MARKS_H
#define ACCURACY_WINDOW_MARKS_H

#include "truth.h"

#define WINDOW_ALL_RANKS UINT32_MAX

/** When one rank, or all, began each iteration of a loop; the last one is the loop's end. */
struct window_run {
    char loop[24];     /**< "": the trace's only one */
    uint32_t rank;     /**< WINDOW_ALL_RANKS: the middle of when the first and the last one began */
    struct marks mark; /**< ns, as that rank recorded */
};

/** What a program said of its iterations. */
struct window_marks {
    struct window_run *run;
    size_t runs;
};

/** Times that stand for the marks of all ranks, where a trace has none; they are copied. */
void window_marks_take(struct window_marks *m, const double *at, size_t count);

/** The marks of a trace: each rank's own, else those that stand for all. */
void window_marks_read(struct window_marks *m, const struct truth *t, const char *path);
void window_marks_fini(struct window_marks *m);

#endif
