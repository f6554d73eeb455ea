#ifndef PRVCUT_PARAVER_HEADER_H
#define PRVCUT_PARAVER_HEADER_H

#include "base/buffer.h"
#include "base/source.h"
#include "model/bent.h"
#include "model/objects.h"

/** What stands before the first record of a .prv. */
struct prv_header {
    struct prvcut_objects objects;
    uint64_t end;      /**< duration, in ticks of the file */
    uint64_t unit_ns;  /**< ns of one tick: 1, 1000 (also without a suffix) or 1000000 */
    int64_t date;      /**< seconds since 1970, UTC; INT64_MIN: not understood */
    bool no_resources; /**< node list `0`: records carry cpu 0 */
    char *text;        /**< header line, communicator lines, comments before the first record */
    size_t text_count; /**< bytes of text = offset of the first record in the file */
    uint64_t lines;    /**< lines of text */
    uint64_t communicator_lines; /**< c: and i: lines in text */
    /** How many of them the header line promises (Paraver loads no trace with fewer lines). */
    uint64_t communicators_promised;
    bool communicators_counted; /**< the header line gives that number */
    struct prvcut_bent_count bent[PRVCUT_BENTS]; /**< taken otherwise than it stands */
    /** Where the duration with its unit stands in text, so that a cut can replace just that. */
    size_t duration_at, duration_count;
};

/**
 * Read the header from the source's current place.
 *
 * owns    out is initialised here and released with prv_header_fini, also after a failure;
 *         rest receives what was read beyond the header (start of the body)
 * errors  PRVCUT_ENOTRACE: first line is not a Paraver header; PRVCUT_EFORMAT: a field is
 *         damaged (file, line, value); PRVCUT_ELIMIT: more threads than PRVCUT_THREADS_MAX, or
 *         (of more than 2^18) than the input has room for records, more than 128 MiB of header;
 *         PRVCUT_EIO
 * source  Paraver's trace format; accepted variants as Paraver's own loader accepts them
 */
enum prvcut_status prv_header_read(struct prv_header *out, struct prvcut_source *source,
                                   struct prvcut_buffer *rest, struct prvcut_error *err);

/** The same from memory, whose size tells nothing of the threads; text must hold the whole header.
 *used: bytes of header. */
enum prvcut_status prv_header_parse(struct prv_header *out, const char *path, const char *text,
                                    size_t count, size_t *used, struct prvcut_error *err);

void prv_header_fini(struct prv_header *h);

#endif
