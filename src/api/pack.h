#ifndef PRVCUT_API_PACK_H
#define PRVCUT_API_PACK_H

#include "prvcut/archive.h"

/** A text that becomes a file of the archive. */
struct pack_text {
    const char *name, *text;
};

/** What goes into an archive. */
struct pack {
    const char *folder;           /**< on disk: its files, and those in its folders, are taken */
    const char *name;             /**< of the folder in the archive */
    const struct pack_text *text; /**< [texts] beside them */
    size_t texts;
    int64_t time; /**< seconds since 1970 that all entries bear; the same content, the same bytes */
    bool force;
};

/**
 * Write an archive, whole or not at all, with SHA256SUMS as its last entry.
 *
 * errors  PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status pack_write(const char *path, const struct prvcut_run *run,
                              const struct pack *what, struct prvcut_error *err);

/** Does a (decompressed) head look like a tar archive? */
bool pack_probe(const char *head, size_t count);

/**
 * Unpack an archive into a new temporary folder (in TMPDIR, or /tmp).
 *
 * Only files and folders are taken, and only below that folder; an archive that holds anything
 * else, or more than 2000 times its own size and more than 256 MiB, is refused.
 *
 * owns    *folder is the caller's, to be given to pack_remove; NULL after a failure, when nothing
 * is left errors  PRVCUT_EFORMAT, PRVCUT_ELIMIT, PRVCUT_EIO, PRVCUT_EINTERRUPTED
 */
enum prvcut_status pack_unpack(char **folder, const char *path, struct prvcut_error *err);

/** Remove a folder with all that is in it, and release its name; accepts NULL. */
void pack_remove(char *folder);

#endif
