#ifndef PRVCUT_OTF_TEXT_H
#define PRVCUT_OTF_TEXT_H

#include "base/error.h"
#include "base/room.h"

/** A file of text lines, plain or packed by zlib, read in chunks of whole lines. */
struct otf_text {
    const char *path; /**< borrowed */
    int fd;
    void *unpack; /**< of packed files; owned */
    char *bytes;  /**< the chunk, and the begin of a line behind it; owned */
    size_t room;
    size_t count;       /**< bytes held */
    size_t used;        /**< of them in lines that have been handed out */
    uint64_t offset;    /**< of bytes[0] in the unpacked text */
    uint64_t taken;     /**< bytes read from the disk */
    const char *damage; /**< of packed data; NULL: none so far */
    bool ended;
    bool no_last_newline; /**< the last line got its end here */
};

/** Bytes that a chunk aims at: it stays in the cache. */
#define OTF_CHUNK PRVCUT_ROOM((size_t)256 * 1024)
/** Longest line. */
#define OTF_LINE_MAX ((size_t)256 << 20)

/**
 * Open at a byte offset; > 0 only for plain files.
 *
 * owns    x is released with otf_text_close, also after a failure
 * errors  PRVCUT_EIO: cannot be opened or read, PRVCUT_ENOMEM
 */
enum prvcut_status otf_text_open(struct otf_text *x, const char *path, bool packed, uint64_t offset,
                                 struct prvcut_error *err);

/**
 * The next whole lines, at least one; valid until the next call.
 *
 * errors  PRVCUT_END; PRVCUT_EFORMAT: the packed stream is damaged; PRVCUT_ELIMIT: a line above
 *         OTF_LINE_MAX; PRVCUT_EIO
 */
enum prvcut_status otf_text_next(struct otf_text *x, const char **from, const char **to,
                                 struct prvcut_error *err);

/** Offset in the unpacked text of a byte of the present chunk. */
static inline uint64_t otf_text_offset(const struct otf_text *x, const char *at)
{
    return x->offset + (uint64_t)(at - x->bytes);
}

void otf_text_close(struct otf_text *x);

#endif
