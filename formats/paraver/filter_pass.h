#ifndef PRVCUT_PARAVER_FILTER_PASS_H
#define PRVCUT_PARAVER_FILTER_PASS_H

#include "base/pool.h"
#include "paraver/filter.h"

/** One line of a piece, taken apart. */
struct prv_pass_line {
    const char *at, *end; /**< in the piece's text; without its line end */
    enum prv_line_kind kind;
    uint32_t thread, partner;
    uint64_t time[4]; /**< ns; begin, end; time; lsend, psend, lrecv, precv */
};

/** A block on its way from work to join. */
struct prv_piece {
    struct prvcut_pooled pooled;
    struct prv_text text;
    struct prvcut_buffer out;   /**< room for what becomes of it */
    struct prv_pass_line *line; /**< [lines]; room for its lines */
    size_t lines, room;
    struct prv_filtered done; /**< what work and join did */
    uint64_t consumed;        /**< bytes on disk up to its end */
};

/** One reading of a trace's body, block by block: work in parallel, join in the trace's order. */
struct prv_pass {
    struct prv_trace *trace;
    const struct prvcut_run *run;
    enum prvcut_phase phase; /**< for the progress */
    void *ctx;
    /** errors: PRVCUT_EFORMAT, PRVCUT_ELIMIT with the line counted from 1 in the piece */
    enum prvcut_status (*work)(void *ctx, struct prv_piece *piece, struct prvcut_error *err);
    /** PRVCUT_END: no further piece is wanted. */
    enum prvcut_status (*join)(void *ctx, struct prv_piece *piece, struct prvcut_error *err);
};

enum prvcut_status prv_pass_run(const struct prv_pass *pass, struct prvcut_error *err);

#endif
