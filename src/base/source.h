#ifndef PRVCUT_BASE_SOURCE_H
#define PRVCUT_BASE_SOURCE_H

#include "base/error.h"

/** The bytes of a file or of standard input, decompressed on the way (gzip, zstd; by content). */
struct prvcut_source;

enum prvcut_codec { PRVCUT_PLAIN, PRVCUT_GZIP, PRVCUT_ZSTD };

/**
 * Open a file for reading; "-" is standard input.
 *
 * An empty file is a plain source of no bytes. Opening a pipe waits for its first bytes.
 *
 * owns    *out is the caller's, released with prvcut_source_close; NULL after a failure
 * errors  PRVCUT_EIO: cannot be opened or read, is a directory
 */
enum prvcut_status prvcut_source_open(struct prvcut_source **out, const char *path,
                                      struct prvcut_error *err);

/**
 * Ask whether to stop while a pipe has nothing to read; stop may be NULL. Borrowed until close, or
 * until watched anew.
 */
void prvcut_source_watch(struct prvcut_source *s, bool (*stop)(void *ctx), void *ctx);

/** Regular file, plain or in the seekable format of zstd: read_at may be called, from several
    threads at once. */
bool prvcut_source_is_seekable(const struct prvcut_source *s);

enum prvcut_codec prvcut_source_codec(const struct prvcut_source *s);

/** Bytes on disk (compressed as they are) at open; 0 where unknown (a pipe). */
uint64_t prvcut_source_size(const struct prvcut_source *s);

/** Bytes of decompressed text of a seekable source; 0 of others. */
uint64_t prvcut_source_text_size(const struct prvcut_source *s);

/** Bytes on disk that prvcut_source_read has used so far; rises to the size. */
uint64_t prvcut_source_consumed(const struct prvcut_source *s);

/**
 * Take a plain file's first `bytes` bytes for all of it, whatever is behind them, from now on for
 * prvcut_source_read_at and the sizes.
 *
 * errors  PRVCUT_EUSAGE: not a plain file that can be read anywhere
 */
enum prvcut_status prvcut_source_limit(struct prvcut_source *s, uint64_t bytes,
                                       struct prvcut_error *err);

/** The path as given; valid until close. */
const char *prvcut_source_path(const struct prvcut_source *s);

/**
 * The next bytes of the decompressed stream, without consuming them.
 *
 * shape   *got <= want <= 65536; less only where the stream ends or is damaged; PRVCUT_OK with
 *         *got == 0 at its end
 * owns    *bytes is valid until the next call on s; never NULL
 * errors  as prvcut_source_read, when there is no byte before the damage, or the bytes cannot be
 *         read
 */
enum prvcut_status prvcut_source_peek(struct prvcut_source *s, size_t want, const char **bytes,
                                      size_t *got, struct prvcut_error *err);

/**
 * Read on, up to room bytes.
 *
 * shape   fills the whole room unless the stream ends or fails. *got < room does not tell which of
 *         the two: the next call does, so read until it returns other than PRVCUT_OK
 * errors  PRVCUT_END with *got == 0 at the end; PRVCUT_EFORMAT: the compressed stream is damaged
 *         or cut short; PRVCUT_ELIMIT: it needs a window above 128 MiB; PRVCUT_EIO. All bytes
 *         before a failure are delivered first, with PRVCUT_OK; the failure then stays
 */
enum prvcut_status prvcut_source_read(struct prvcut_source *s, void *bytes, size_t room,
                                      size_t *got, struct prvcut_error *err);

/**
 * Read at an offset of the text of a seekable source; thread-safe, and apart from
 * prvcut_source_read.
 *
 * shape   *got < want only at the end of the text, as long as it was at open, 0 beyond it; both are
 *         PRVCUT_OK
 * errors  PRVCUT_EUSAGE: not seekable; PRVCUT_EIO; PRVCUT_EFORMAT: a zstd frame is damaged, a plain
 *         file got shorter since it was opened
 */
enum prvcut_status prvcut_source_read_at(struct prvcut_source *s, uint64_t offset, void *bytes,
                                         size_t want, size_t *got, struct prvcut_error *err);

/**
 * Is the end of a file what its beginning lets expect? What reading in order does not need is
 * compared: the table behind zstd frames, which must be there if they look like those that prvcut
 * writes. Of a stream nothing is known: PRVCUT_OK.
 *
 * errors  PRVCUT_EFORMAT; PRVCUT_EIO
 */
enum prvcut_status prvcut_source_ends(const struct prvcut_source *s, struct prvcut_error *err);

/** Start again from the first byte, compressed or not; PRVCUT_EUSAGE on a pipe and on "-". */
enum prvcut_status prvcut_source_rewind(struct prvcut_source *s, struct prvcut_error *err);

/** Release; accepts NULL. */
void prvcut_source_close(struct prvcut_source *s);

/**
 * Whole content of a small file (labels), decompressed.
 *
 * shape   a NUL is appended that *count does not count
 * owns    *bytes is the caller's, from malloc; NULL after a failure
 * errors  PRVCUT_ELIMIT: beyond `limit` bytes; those of prvcut_source_open and prvcut_source_read
 */
enum prvcut_status prvcut_source_slurp(const char *path, size_t limit, char **bytes, size_t *count,
                                       struct prvcut_error *err);

/** A line of a text that people wrote, or programs for them, has fewer bytes. */
#define PRVCUT_LINE_MOST ((size_t)1 << 20)

/** As prvcut_source_slurp, of a text; a line of PRVCUT_LINE_MOST bytes, too, is PRVCUT_ELIMIT, so
    that what never ends (a device) is refused at once. */
enum prvcut_status prvcut_source_slurp_text(const char *path, size_t limit, char **bytes,
                                            size_t *count, struct prvcut_error *err);

#endif
