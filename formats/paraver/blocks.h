#ifndef PRVCUT_PARAVER_BLOCKS_H
#define PRVCUT_PARAVER_BLOCKS_H

#include "base/buffer.h"
#include "base/source.h"
#include "paraver/header.h"

/**
 * The body of a .prv in blocks: block n holds the lines that start within
 * [n, n + 1) * PRV_BLOCK bytes of the body.
 */
struct prv_blocks {
    struct prvcut_source *source;
    const char *path;
    uint64_t body; /**< offset of the body in the decompressed file */
    uint64_t size; /**< of the text; seekable sources only */
    bool seekable;
    bool lenient;              /**< a doubtful last line is left out */
    struct prvcut_buffer rest; /**< read, not yet handed out; streams only */
    uint64_t next;             /**< next block of the stream */
    uint64_t offset;           /**< of rest, in the body */
    bool ended;
};

/** The lines of one block in memory of its own; reused for the next one. */
struct prv_text {
    char *memory;
    size_t room;
    const char *at,
        *end;        /**< whole lines; the last one ends with '\n' even if the file's does not */
    uint64_t number; /**< of the block */
    uint64_t offset; /**< of its first line, in the decompressed file */
    bool no_last_newline;
    bool doubtful; /**< the last line has no line end, and may have lost a part of itself */
};

/** errors: PRVCUT_EUSAGE: a pipe that was read before; PRVCUT_EIO */
enum prvcut_status prv_blocks_open(struct prv_blocks *b, struct prvcut_source *source,
                                   const struct prv_header *header, struct prvcut_buffer *rest,
                                   struct prvcut_error *err);
void prv_blocks_close(struct prv_blocks *b);

/** Number of blocks of a seekable source. */
uint64_t prv_blocks_count(const struct prv_blocks *b);

/** Load block `number` of a seekable source; thread-safe. END: beyond the file. */
enum prvcut_status prv_blocks_load(struct prv_blocks *b, uint64_t number, struct prv_text *text,
                                   struct prvcut_error *err);

/** Next block of a stream. END: no more. */
enum prvcut_status prv_blocks_next(struct prv_blocks *b, struct prv_text *text,
                                   struct prvcut_error *err);

/** Fail because of a doubtful last line; *err has its number in the text, not yet the file's. */
enum prvcut_status prv_text_doubt(const struct prv_text *t, uint64_t lines,
                                  struct prvcut_error *err);

/** errors: PRVCUT_ENOMEM */
enum prvcut_status prv_text_copy(struct prv_text *to, const struct prv_text *from,
                                 struct prvcut_error *err);

void prv_text_fini(struct prv_text *t);

#endif
