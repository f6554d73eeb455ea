#ifndef PRVCUT_BASE_OUTPUT_H
#define PRVCUT_BASE_OUTPUT_H

#include "base/commit.h"
#include "base/source.h"

/**
 * A file that appears whole or not at all, alone or with others (base/commit.h): written in a
 * working folder beside its place, synced, then renamed. Its mode is what the umask leaves of 0666.
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

/** The file that an output will be. */
struct prvcut_output_file {
    const char *path;
    enum prvcut_codec codec;
    bool force;
};

/**
 * As prvcut_output_open, but as one of a set.
 *
 * shape   set: borrowed; NULL: the file's own
 * owns    *out is the caller's, released before the set, by finish or abandon
 */
enum prvcut_status prvcut_output_join(struct prvcut_output **out, struct prvcut_commit *set,
                                      const struct prvcut_output_file *file,
                                      struct prvcut_error *err);

/** Compress with so many threads, where the codec can; the bytes written do not depend on it. */
void prvcut_output_workers(struct prvcut_output *o, unsigned workers);

/** Write on; a failure stays, and makes commit fail. The bytes may be held back until commit. */
enum prvcut_status prvcut_output_write(struct prvcut_output *o, const void *bytes, size_t count,
                                       struct prvcut_error *err);

/**
 * Finish the stream of one file of a set, and sync it; it appears with the set.
 *
 * owns    releases o whatever happens
 */
enum prvcut_status prvcut_output_finish(struct prvcut_output *o, uint64_t *size,
                                        struct prvcut_error *err);

/**
 * Finish the stream of a file that is alone, sync and rename.
 *
 * owns    releases o whatever happens; after a failure no file is left, and what stood there stands
 * shape   *size: bytes on disk; size may be NULL
 * errors  PRVCUT_EEXIST: without force, the path has come to exist since open; PRVCUT_EIO
 */
enum prvcut_status prvcut_output_commit(struct prvcut_output *o, uint64_t *size,
                                        struct prvcut_error *err);

/** Throw the unfinished file away and release o; accepts NULL. */
void prvcut_output_abandon(struct prvcut_output *o);

/** Write a text as a file, compressed as its name says, in a set or (NULL) alone. */
enum prvcut_status prvcut_output_text(struct prvcut_commit *set, const char *path, const char *text,
                                      bool force, struct prvcut_error *err);

/** Codec by suffix: .gz, .zst, else plain. */
enum prvcut_codec prvcut_codec_of_name(const char *path);

#endif
