#ifndef PRVCUT_BASE_OUTPUT_H
#define PRVCUT_BASE_OUTPUT_H

#include "base/source.h"

/**
 * A file that appears whole or not at all: written under a temporary name in its own folder,
 * synced, then renamed by commit. "-" is standard output (no temporary name, nothing to undo).
 */
struct prvcut_output;

/**
 * shape   codec compresses on the way (see prvcut_codec_of_name)
 * errors  PRVCUT_EEXIST: path exists and force is false; PRVCUT_EIO
 */
enum prvcut_status prvcut_output_open(struct prvcut_output **out, const char *path,
                                      enum prvcut_codec codec, bool force,
                                      struct prvcut_error *err);

enum prvcut_status prvcut_output_write(struct prvcut_output *o, const void *bytes, size_t count,
                                       struct prvcut_error *err);

/** Finish the stream, sync and rename; releases o whatever happens. *size: bytes on disk. */
enum prvcut_status prvcut_output_commit(struct prvcut_output *o, uint64_t *size,
                                        struct prvcut_error *err);

/** Throw the unfinished file away and release o; accepts NULL. */
void prvcut_output_abandon(struct prvcut_output *o);

/** Codec by suffix: .gz, .zst, else plain. */
enum prvcut_codec prvcut_codec_of_name(const char *path);

#endif
