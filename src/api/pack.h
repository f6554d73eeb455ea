#ifndef PRVCUT_API_PACK_H
#define PRVCUT_API_PACK_H

#include "prvcut/archive.h"

#include <stdbool.h>

/** An archive holds at most so many entries, folders included: those of 131,072 locations. */
#define PACK_ENTRIES_MOST ((size_t)1 << 18)

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

/** Whom to ask, now and then, whether to stop; zeroed: nobody. */
struct pack_stop {
    bool (*asked)(void *ctx);
    void *ctx;
};

static inline bool pack_stopped(const struct pack_stop *s)
{
    return s->asked && s->asked(s->ctx);
}

/** Does a (decompressed) head look like a tar archive? */
bool pack_probe(const char *head, size_t count);

/** A trace of an archive, unpacked. */
struct pack_inside {
    char
        *folder; /**< temporary, with nothing but the trace's files in it; NULL: nothing is there */
    int lock;    /**< open while the folder is in use; -1: none */
    char *main;  /**< path of its main file */
    char *told;  /**< what people are told: "ARCHIVE:MEMBER" */
    char *run;   /**< name of the folder around it in the archive; "" none */
};

/**
 * Unpack a trace of an archive into a new temporary folder (in TMPDIR, or /tmp); only its own files
 * leave the archive. Folders that runs before left there, because they were killed, go.
 *
 * An archive with anything but plain files and folders, with names that lead out of it, of more
 * than PACK_ENTRIES_MOST entries, or that holds more than 2000 times its own size and more than
 * 256 MiB, is refused; whatever is wrong with its end is, unless lenient.
 *
 * shape   member: name of the main file, with or without its suffix and the folder that holds all;
 *         NULL: the only trace that is no cut of another one
 * owns    out is initialised here, released with pack_inside_fini; empty after a failure, when
 *         nothing is left
 * errors  PRVCUT_EUSAGE: several traces, or none of that name (the text lists them);
 *         PRVCUT_ENOTRACE: none at all; PRVCUT_EFORMAT, PRVCUT_ELIMIT, PRVCUT_EIO,
 *         PRVCUT_EINTERRUPTED
 */
enum prvcut_status pack_unpack(struct pack_inside *out, const char *path, const char *member,
                               bool lenient, struct pack_stop stop, struct prvcut_error *err);

/** A new temporary folder alone, in use until pack_inside_fini. errors: PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status pack_scratch(struct pack_inside *out, struct prvcut_error *err);

/** Remove the folder, release all; accepts an empty one. */
void pack_inside_fini(struct pack_inside *p);

/** Remove a folder with all that is in it, and release its name; accepts NULL. No signal ends the
    program meanwhile. */
void pack_remove(char *folder);

#endif
