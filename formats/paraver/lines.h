#ifndef PRVCUT_PARAVER_LINES_H
#define PRVCUT_PARAVER_LINES_H

#include "base/buffer.h"
#include "base/source.h"

/** One line of the body after the other, exactly as it stands there. */
struct prv_lines {
    struct prvcut_source *source;
    char *at;                  /* read ahead: at[begin .. end) */
    size_t begin, end, room;   /* bytes */
    char head[64];             /* beginning of a line that is too long */
    enum prvcut_status status; /* what the source said last */
    struct prvcut_error error; /* its text, until the lines before it are delivered */
};

/** A line without its line end. */
struct prv_line {
    const char *at, *end; /**< valid until the next call */
    uint64_t bytes;       /**< with its line end */
    bool crlf;            /**< it ended in CR LF (the CR is not part of it) */
    bool unterminated;    /**< the input ends without a line end behind it */
    bool too_long;        /**< longer than PRV_LINE_MAX: at..end is its beginning only */
};

/** rest: bytes of the body that were read before; owns: the buffer, released with fini. */
enum prvcut_status prv_lines_init(struct prv_lines *l, struct prvcut_source *source,
                                  const struct prvcut_buffer *rest, struct prvcut_error *err);

/** Errors: PRVCUT_END after the last line; those of prvcut_source_read, once all is delivered. */
enum prvcut_status prv_lines_next(struct prv_lines *l, struct prv_line *line,
                                  struct prvcut_error *err);

void prv_lines_fini(struct prv_lines *l);

#endif
