#ifndef PRVCUT_CONVERT_FLOW_H
#define PRVCUT_CONVERT_FLOW_H

#include "convert/border.h"
#include "convert/convert.h"
#include "convert/outer.h"
#include "convert/roots.h"
#include "convert/selection.h"
#include "convert/split.h"
#include "stream/stream.h"

/** A conversion on its way from the stream to the writer. */
struct cnv_flow {
    const struct cnv_job *job;
    struct made_convert_summary *sum;
    struct prvcut_stream *stream;
    struct cnv_selection selection;
    struct cnv_roots roots;         /**< where the writer wants them */
    struct cnv_split split;         /**< of a window of all tasks */
    uint64_t extra[PRVCUT_CARRIES]; /**< what the items had of it, where it is no kind of item */
    struct cnv_holes_walk *holes;   /**< NULL: there are none */
    struct prvcut_stream_choice choice; /**< of their messages */
    struct cnv_outer outer;             /**< with a clock of a replay */
    struct prvcut_writing *writing;
    bool windowed;
    uint64_t from; /**< ns; start of the window */
};

/** Items in the writer's order and time: count them, and hand them to the writer (put.c). */
enum prvcut_status cnv_put(struct cnv_flow *f, struct prvcut_item *item, size_t count,
                           struct prvcut_error *err);

/** Hand all of the stream to the writer (put.c). */
enum prvcut_status cnv_deliver(struct cnv_flow *f, struct prvcut_error *err);

#endif
