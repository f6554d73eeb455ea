#ifndef PRVCUT_CONVERT_SIFT_H
#define PRVCUT_CONVERT_SIFT_H

#include "model/batch.h"
#include "model/rules.h"
#include "model/writer.h"

/** Filters between the stream and the writer. */
struct cnv_sift {
    const struct prvcut_rules *rules;
    struct prvcut_filter_summary *sum; /**< counts lines and pairs as a Paraver trace has them */
    bool line;                         /**< one is under way */
    bool stays;                        /**< and something of it does */
};

/** Does a pair stay? */
bool cnv_sift_event(const struct prvcut_rules *r, const struct prvcut_event *e);

/** Leave those that stay at the front, thread by thread and each in order; how many they are. */
size_t cnv_sift_items(struct cnv_sift *s, struct prvcut_item *item, size_t count);

/** There are no more. */
void cnv_sift_end(struct cnv_sift *s);

#endif
