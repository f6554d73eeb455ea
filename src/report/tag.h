#ifndef PRVCUT_REPORT_TAG_H
#define PRVCUT_REPORT_TAG_H

#include "model/made.h"

#include <stdint.h>

/** What a file is called for: the part of its name between that of the trace and the suffix. */
enum report_tag_kind {
    REPORT_TAG_CHOP,       /**< the job's single cut: scripts foresee it */
    REPORT_TAG_REGION,     /**< one of several regions, or one that was named */
    REPORT_TAG_ITERATION,  /**< iterations that were named, with a region where their loop is not
                                the one that is cut by default */
    REPORT_TAG_KIND,       /**< typical iterations of one kind */
    REPORT_TAG_OUTLIER,    /**< an unusual iteration beside the job's single cut */
    REPORT_TAG_OF_REGION,  /**< an unusual iteration beside the cuts of regions */
    REPORT_TAG_CUT,        /**< a window */
    REPORT_TAG_FILTERED,   /**< some of the records */
    REPORT_TAG_ITERATIONS, /**< all of the trace with marks */
    REPORT_TAGS,
};

/** Stands for a tag in the pattern of names. */
#define REPORT_TAG_PLACE '\1'

/** What of it shows, depending on the kind. */
struct report_tag {
    enum report_tag_kind kind;
    unsigned level, region;
    uint64_t first, last; /**< iterations */
    unsigned outlier;
    unsigned of_kind; /**< from 1 */
};

/** What iterations of a loop are called for; region: one of it, of the loop that the trace is cut
   by unless others are named. */
struct report_tag report_tag_iterations(const struct made_structure *s, size_t region,
                                        uint64_t first, uint64_t last);

/** "chop1", "1.4", "it62", "it60-63", "2.1.it3", "kind2", "outlier1", "1.4.outlier1"; returns out.
 */
char *report_tag_text(char out[64], const struct report_tag *t);

/** How long the text of a cut's tag is that stands here ("it62", "1.4.outlier1"), up to a '.', a
   '/' or the end; 0: none does. What marks or filters a whole trace is no cut. */
size_t report_tag_length(const char *text);

/** One of these a kind, for the help: what it looks like, and what it is. */
struct report_tag_help {
    struct report_tag example;
    const char *what;
};

extern const struct report_tag_help report_tags[REPORT_TAGS];

#endif
