#ifndef PRVCUT_PARAVER_PARAVER_H
#define PRVCUT_PARAVER_PARAVER_H

#include "paraver/blocks.h"
#include "paraver/held.h"
#include "paraver/index.h"
#include "paraver/seen.h"

/** An open .prv with its labels. */
struct prv_trace {
    struct prvcut_trace base;
    struct prvcut_source *source;
    struct prv_header header;
    struct prv_labels labels;
    struct prv_index index;
    struct prvcut_buffer rest; /**< body bytes read with the header */
    struct prv_held held;      /**< of a stream */
    bool lenient;
    bool started;              /**< the source has been read beyond the header */
    uint64_t pcf_damaged_line; /**< 0 = none */
    bool no_last_newline;
    uint64_t unsorted;    /**< lines, once scanned */
    struct prv_seen seen; /**< kept where roles were given */
};

/** The plan that all parsers of this trace share; the consumer's wishes are not in it yet. */
void prv_trace_plan(const struct prv_trace *t, struct prv_parse_plan *plan);

/** Position the source at the start of the body again and begin to read blocks. */
enum prvcut_status prv_trace_blocks(struct prv_trace *t, struct prv_blocks *blocks,
                                    struct prvcut_error *err);

/** Say in which line of the file an error is that a parser left with its line in a block's text:
    "FILE:LINE: " before it, the line's offset, and where it is an unfinished last line that;
   lines_before counts the lines before the block. */
enum prvcut_status prv_trace_locate(const struct prv_trace *t, uint64_t lines_before,
                                    const struct prv_text *at, enum prvcut_status status,
                                    struct prvcut_error *err);

enum prvcut_status prv_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                            const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                            struct prvcut_error *err);
enum prvcut_status prv_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                   uint64_t from, uint64_t to,
                                   const struct prvcut_consumer *consumer,
                                   struct prvcut_error *err);
enum prvcut_status prv_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                           const struct prvcut_subtrace *sub, size_t count,
                           struct prvcut_error *err);

#endif
