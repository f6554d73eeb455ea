#ifndef PRVCUT_API_ARCHIVED_H
#define PRVCUT_API_ARCHIVED_H

#include "base/buffer.h"
#include "base/work.h"
#include "model/trace.h"

#include <jansson.h>

/*
 * What a command makes of a trace, as one archive: it is written into a working folder beside the
 * archive, then packed with a report, with where it comes from (about.json) and with checksums.
 */

/** Such an archive under way. */
struct archived {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const char *path;          /**< of the archive; borrowed */
    const char *command;       /**< told in about.json; borrowed; NULL: none */
    bool force;                /**< an archive of that name may be replaced */
    struct prvcut_work *work;  /**< its fresh/ holds what will be in the archive */
    struct prvcut_buffer name; /**< of the folder in the archive */
    struct prvcut_buffer like; /**< in fresh/: the trace itself, which outputs are named after */
};

/** Refuse what cannot be written. errors: PRVCUT_EUSAGE, PRVCUT_EEXIST, PRVCUT_EIO */
enum prvcut_status archived_check(const struct prvcut_trace *trace, const char *path, bool force,
                                  struct prvcut_error *err);

/**
 * Begin: trace, run, path, command and force are filled in.
 *
 * owns    a, released with archived_close, also after a failure
 * errors  those of archived_check
 */
enum prvcut_status archived_open(struct archived *a, struct prvcut_error *err);

/**
 * Pack what was written.
 *
 * shape   report: JSON of what was made, which gets the command; taken, also after a failure
 * errors  PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status archived_pack(const struct archived *a, char *report, struct prvcut_error *err);

void archived_close(struct archived *a);

/** What writes into an archive by itself. */
struct archived_maker {
    /** Write, as usual; in: fresh/; err tells files there as such of the archive. */
    enum prvcut_status (*make)(void *ctx, const char *in, struct prvcut_error *err);
    /** What was made, as JSON; *text is the caller's. */
    enum prvcut_status (*report)(void *ctx, char **text, struct prvcut_error *err);
    void *ctx;
    char ***file; /**< what was made tells its files there ... */
    size_t *files;
    bool dry_run; /**< nothing is packed */
};

/**
 * An archive of what is made once: while `make` runs, the trace is shown in the working folder, so
 * that what has no name of its own lands there. Its files are told as "ARCHIVE:NAME".
 *
 * shape   a: as of archived_open; it is closed here
 * errors  those of archived_open, of `make` and of archived_pack
 */
enum prvcut_status archived_make(struct archived *a, const struct archived_maker *m,
                                 struct prvcut_error *err);

/**
 * What about.json tells of one trace: where it was, its format, and the checksum of its main file.
 *
 * shape   name: in the archive
 * owns    *out is the caller's
 * errors  PRVCUT_EIO, PRVCUT_ENOMEM, PRVCUT_EINTERRUPTED
 */
enum prvcut_status archived_origin(json_t **out, const struct prvcut_trace *t, const char *name,
                                   const struct prvcut_run *run, struct prvcut_error *err);

/** about.json; of: "input" or "traces", with what origins there are, which are taken. Free *text.
 */
enum prvcut_status archived_about(char **text, const char *command, const char *of, json_t *origin,
                                  struct prvcut_error *err);

#endif
