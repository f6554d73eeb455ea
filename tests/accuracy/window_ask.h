#ifndef ACCURACY_WINDOW_ASK_H
#define ACCURACY_WINDOW_ASK_H

#include "answer.h"
#include "prvcut/reduce.h"

/** What prvcut keeps of a thread. */
struct window_kept {
    char name[64];
    double from, to; /**< ns; equal: nothing */
    double off;      /**< what was added to the times that the thread recorded */
};

/** What prvcut says of a trace and would keep of it. */
struct window_asked {
    struct answer answer;
    bool cut; /**< it would cut: */
    enum prvcut_chop_verdict verdict;
    char worst[64]; /**< what differs most, as it says: this one's and the usual value */
    double value, usual;
    size_t windows;           /**< that it compared */
    struct window_kept *kept; /**< [threads]; owned */
    uint32_t threads;
};

/** Two iterations of a trace, in a dry run; false: it fails, answer.why tells how. */
bool window_ask(struct window_asked *a, const char *path);
void window_asked_fini(struct window_asked *a);

#endif
