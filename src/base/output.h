#ifndef PRVCUT_BASE_OUTPUT_H
#define PRVCUT_BASE_OUTPUT_H

#include "base/source.h"

/**
 * A file that appears whole or not at all: written under a temporary name in its own folder,
 * synced, then renamed by commit. Its mode is what the umask leaves of 0666.
 *
 * "-" is standard output; it, a device and a FIFO are written directly: no temporary name, nothing
 * to undo, no force needed. A symbolic link is followed: the file it leads to is replaced, the link
 * stays.
 */
struct prvcut_output;

/**
 * shape   codec compresses on the way (see prvcut_codec_of_name)
 * owns    *out is the caller's, released by commit or abandon; NULL after a failure
 * errors  PRVCUT_EEXIST: path exists and force is false; PRVCUT_EIO: also a directory
 */
enum prvcut_status prvcut_output_open(struct prvcut_output **out, const char *path,
                                      enum prvcut_codec codec, bool force,
                                      struct prvcut_error *err);

/** Compress with so many threads, where the codec can; the bytes written do not depend on it. */
void prvcut_output_workers(struct prvcut_output *o, unsigned workers);

/** Write on; a failure stays, and makes commit fail. The bytes may be held back until commit. */
enum prvcut_status prvcut_output_write(struct prvcut_output *o, const void *bytes, size_t count,
                                       struct prvcut_error *err);

/**
 * Finish the stream, sync and rename.
 *
 * owns    releases o whatever happens; after a failure no file is left, but for one: the file is
 *         whole and its folder cannot be synced
 * shape   *size: bytes on disk; size may be NULL
 * errors  PRVCUT_EEXIST: without force, the path has come to exist since open; PRVCUT_EIO
 */
enum prvcut_status prvcut_output_commit(struct prvcut_output *o, uint64_t *size,
                                        struct prvcut_error *err);

/** Throw the unfinished file away and release o; accepts NULL. */
void prvcut_output_abandon(struct prvcut_output *o);

/** What stands at a path before an output appears there; zeroed is nothing to undo. */
struct prvcut_backup {
    char *final; /**< the file that is replaced or appears; a symbolic link is followed */
    char *copy;  /**< a second link to what stands there; NULL: nothing does, or it has none */
};

/**
 * Keep what an output to `path` will replace, so that it can be undone once it is committed.
 *
 * shape   "-", a device, a FIFO: nothing is kept, for nothing can be undone
 * owns    *b is released with prvcut_backup_drop or prvcut_backup_undo, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_backup_take(struct prvcut_backup *b, const char *path,
                                      struct prvcut_error *err);

/** All is well: what was replaced goes. */
void prvcut_backup_drop(struct prvcut_backup *b);

/**
 * What was replaced stands in its place again, and what appeared where nothing was goes. Where the
 * file system has no second links, what was replaced is lost, and its place is empty.
 */
void prvcut_backup_undo(struct prvcut_backup *b);

/** Codec by suffix: .gz, .zst, else plain. */
enum prvcut_codec prvcut_codec_of_name(const char *path);

#endif
