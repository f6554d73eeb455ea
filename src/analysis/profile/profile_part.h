#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_PART_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_PART_H

#include "prvcut/trace.h"

/** What a stretch is called. */
struct prvcut_profile_part {
    char region[32];         /**< "1.4"; "": of none */
    uint64_t iteration;      /**< from 1 through its loop; 0: it is none */
    struct prvcut_span span; /**< ns, on the thread that leads */
    bool disturbed;
    bool typical; /**< an iteration that stands for its region */
};

#endif
