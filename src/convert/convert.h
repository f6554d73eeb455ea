#ifndef PRVCUT_CONVERT_CONVERT_H
#define PRVCUT_CONVERT_CONVERT_H

#include "convert/holes.h"
#include "convert/sift.h"
#include "model/trace.h"
#include "model/writer.h"
#include "stream/stream.h"

/** What a conversion is to do; borrowed while it runs. */
struct cnv_job {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_writer *writer;
    const struct prvcut_convert_options *options; /**< path set; window within the trace */
    bool states;                                  /**< ask the reader for states */
    struct cnv_sift *sift;                        /**< takes away; NULL: nothing */
    const struct cnv_holes *holes;                /**< of the whole: what is kept; NULL: all */
    const struct prvcut_stream_clock *clock;      /**< other times, of the whole; NULL: none */
};

/**
 * Read everything, bring it into the writer's order in bounded memory, write it.
 *
 * shape   sum is zeroed; its names and time are the caller's business
 * errors  as prvcut_convert; nothing is left behind
 */
enum prvcut_status cnv_run(const struct cnv_job *job, struct made_convert_summary *sum,
                           struct prvcut_error *err);

#endif
