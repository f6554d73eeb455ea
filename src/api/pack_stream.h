#ifndef PRVCUT_API_PACK_STREAM_H
#define PRVCUT_API_PACK_STREAM_H

#include "api/pack.h"
#include "base/room.h"

#include "base/buffer.h"
#include "base/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <limits.h>

/** Bytes that are read at once. */
#define PACK_ROOM PRVCUT_ROOM((size_t)1 << 18)

/** A name must be shorter. */
#define PACK_NAME_MOST ((size_t)PATH_MAX / 2)

/** An archive that is read from its start to its end. */
struct pack_stream {
    const char *path;
    struct pack_stop stop;
    struct prvcut_source *source;
    struct archive *tar;
    char *room;                /**< [PACK_ROOM] of what is read from the source */
    struct prvcut_error err;   /**< of the source, which libarchive does not know */
    struct prvcut_buffer name; /**< of the present entry */
    bool plain;                /**< the present entry is a file, not a link or a device */
    size_t entries;            /**< so far, folders included */
    uint64_t bytes, most;      /**< unpacked so far, and at most */
    uint64_t text;             /**< bytes of the tar file so far */
    uint64_t filled;           /**< those up to the last one that is not zero */
    uint64_t end;              /**< of the last entry, in the tar file */
};

/** owns: s is initialised here, released with pack_stream_close, also after a failure */
enum prvcut_status pack_stream_open(struct pack_stream *s, const char *path, struct pack_stop stop,
                                    struct prvcut_error *err);
void pack_stream_close(struct pack_stream *s);

/** Is it below the folder, whatever it says: no step up, no start from the root? Accepts NULL. */
bool pack_is_tame(const char *name);

/**
 * The next entry that is no folder; s->plain tells whether it is a file.
 *
 * owns    *name is the stream's, valid until the next call: bytes, whatever the locale; without
 *         "./" and doubled slashes
 * errors  PRVCUT_END: there are no more; PRVCUT_EFORMAT: damaged, or a name that leads out of the
 *         folder; PRVCUT_ELIMIT: more than PACK_ENTRIES_MOST; PRVCUT_EINTERRUPTED
 */
enum prvcut_status pack_stream_next(struct pack_stream *s, const char **name,
                                    struct prvcut_error *err);

/** The present entry must be a file. errors PRVCUT_EFORMAT */
enum prvcut_status pack_stream_plain(const struct pack_stream *s, const char *name,
                                     struct prvcut_error *err);

/** Up to PACK_ROOM bytes of the present file; *got == 0 at its end. errors PRVCUT_ELIMIT, EFORMAT
 */
enum prvcut_status pack_stream_read(struct pack_stream *s, void *room, size_t *got,
                                    struct prvcut_error *err);

/**
 * After the last entry: read the rest, which must be the end of a tar file and of what packs it.
 *
 * errors  PRVCUT_EFORMAT: the end is missing, or something follows it
 */
enum prvcut_status pack_stream_end(struct pack_stream *s, struct prvcut_error *err);

#endif
