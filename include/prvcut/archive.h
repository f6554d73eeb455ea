#ifndef PRVCUT_ARCHIVE_H
#define PRVCUT_ARCHIVE_H

#include "prvcut/inspect.h"
#include "prvcut/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A reduced trace as one file: a tar archive, compressed with zstd, that holds one folder with the
 * sub-trace, its labels, the reports, about.json (where it comes from) and SHA256SUMS. `tar --zstd
 * -xf` opens it, and `sha256sum -c SHA256SUMS` in the folder checks it. All commands take such a
 * file as a trace.
 */

/**
 * prvcut_reduce, with all that it writes as one archive: nothing else appears.
 *
 * shape   options: all levels, proof and page are implied; cut->path and report are not used;
 *         cut->force may replace the archive
 * owns    *out as prvcut_reduce; what it cuts stands in a temporary folder beside the archive until
 *         the archive is whole
 * errors  as prvcut_reduce
 */
PRVCUT_API enum prvcut_status prvcut_reduce_to_archive(struct prvcut_trace *trace,
                                                       const struct prvcut_run *run,
                                                       const struct prvcut_reduce_options *options,
                                                       const char *path,
                                                       struct prvcut_reduction **out,
                                                       struct prvcut_error *err);

/** How finished traces are archived; zeroed is valid but for path. */
struct prvcut_archive_options {
    size_t size;           /**< sizeof this struct; 0: the fields up to form */
    const char *path;      /**< of the archive */
    const char *command;   /**< that is told in about.json; NULL: none */
    bool force;            /**< an archive of that name may be replaced */
    enum prvcut_form form; /**< of what is told */
};

/**
 * Put finished traces into one archive as they are, with all files of each (labels, folders, parts)
 * and with what is in each (NAME.info.json, as prvcut_info tells it). Nothing is cut again.
 *
 * shape   trace: [traces] paths, at least one, of different names; open: NULL is zeroed
 * owns    *told: for a person, or as JSON what about.json says (schema "prvcut-archive"); freed by
 *         the caller, NULL after a failure
 * errors  PRVCUT_EUSAGE: no trace, standard input, two with a file of the same name, the archive is
 *         one of their files; PRVCUT_EEXIST; as prvcut_trace_open and prvcut_info
 */
PRVCUT_API enum prvcut_status prvcut_archive_traces(const char *const *trace, size_t traces,
                                                    const struct prvcut_run *run,
                                                    const struct prvcut_open_options *open,
                                                    const struct prvcut_archive_options *options,
                                                    char **told, struct prvcut_error *err);

/** What became of an entry of an archive. Numbered once and for ever. */
enum prvcut_archive_verdict {
    PRVCUT_ARCHIVE_SOUND = 0,
    PRVCUT_ARCHIVE_DAMAGED = 1,    /**< or no line of a list of checksums */
    PRVCUT_ARCHIVE_MISSING = 2,    /**< listed, but not there */
    PRVCUT_ARCHIVE_NOT_LISTED = 3, /**< there, but not listed */
    PRVCUT_ARCHIVE_REPEATED = 4,   /**< a file of that name stands before it */
    PRVCUT_ARCHIVE_TWO_SUMS = 5,   /**< listed twice */
    PRVCUT_ARCHIVE_OUTSIDE = 6     /**< listed, and leads out of the folder */
};

/** "sound", "not listed", as reports have it; constant; NULL: no such verdict. */
PRVCUT_API const char *prvcut_archive_verdict_text(enum prvcut_archive_verdict verdict);

/** What verification found of one entry. A view. */
struct prvcut_archive_entry {
    char *name; /**< in the archive; owned by the result */
    enum prvcut_archive_verdict verdict;
    uint64_t bytes;
};

/** What verification found. A view. */
struct prvcut_archive_result {
    size_t entries, wrong;
};

/** Entry i, in the order of the archive; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_archive_entry *prvcut_archive_result_entry(
    const struct prvcut_archive_result *r, size_t i);

/**
 * Read an archive once and compare each file with its SHA-256.
 *
 * owns    *out is the caller's, released with prvcut_archive_result_free; after a failure it holds
 * the entries up to there, or is NULL errors  PRVCUT_UNSOUND: not all is sound; PRVCUT_ENOTRACE:
 * not such an archive; PRVCUT_EFORMAT: cannot be read to its end; PRVCUT_ELIMIT: list or files
 * beyond what is read; PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_archive_verify(const char *path, const struct prvcut_run *run,
                                                    struct prvcut_archive_result **out,
                                                    struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_archive_result_free(struct prvcut_archive_result *r);

/** For a person, or as JSON (schema "prvcut-archive-check", version 2). Free *text. */
PRVCUT_API enum prvcut_status prvcut_archive_result_text(const struct prvcut_archive_result *r,
                                                         bool json, char **text,
                                                         struct prvcut_error *err);

/** A row a file: name, verdict, bytes. Free *text. */
PRVCUT_API enum prvcut_status prvcut_archive_result_csv(const struct prvcut_archive_result *r,
                                                        char **text, struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
