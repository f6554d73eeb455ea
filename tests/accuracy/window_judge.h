#ifndef ACCURACY_WINDOW_JUDGE_H
#define ACCURACY_WINDOW_JUDGE_H

#include "window_border.h"

#define WINDOW_CALLS      5 /* that take most of the loop's time */
#define WINDOW_QUANTITIES (6 + WINDOW_CALLS)

enum window_verdict { WINDOW_TYPICAL, WINDOW_ORDINARY, WINDOW_UNUSUAL, WINDOW_FEW, WINDOW_UNKNOWN };

/** What is found of one trace. */
struct window_found {
    size_t windows, typical;       /**< of true iterations; so many of them are typical */
    enum window_verdict verdict;   /**< of what the threads keep */
    enum window_verdict otherwise; /**< the same, though few windows tell it */
    enum window_verdict nearest;   /**< of the true window that lies nearest */
    enum window_verdict
        turned;               /**< of what they keep, beside windows that begin at the same calls */
    double place, held;       /**< true iterations: the first one, and how many; medians */
    unsigned threads, apart;  /**< placed; more than half an iteration from the others */
    unsigned late;            /**< so much apart in time, but in the same iteration */
    unsigned loose;           /**< placed by others' marks */
    char worst[64];           /**< what is farthest from the usual, ... */
    double value, usual, off; /**< ... and how far: 1 is as far as what is still usual */
    char why[64];             /**< not placed */
};

/** Judge what the threads keep beside all windows of as many true iterations; false: not placed. */
bool window_judge(struct window_found *f, const struct window_trace *t,
                  const struct window_borders *b, const struct window_asked *a);

const char *window_verdict_text(enum window_verdict v);

#endif
