#ifndef PRVCUT_ARCHIVE_H
#define PRVCUT_ARCHIVE_H

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

/** What verification found of one entry. */
struct prvcut_archive_entry {
    char *name; /**< in the archive; owned by the result */
    /**
     * constant: "sound", "damaged" (or no line of a list of checksums), "missing", "not listed",
     * "repeated" (a file of that name stands before it), "two sums" (listed twice), "outside"
     * (listed, and leads out of the folder)
     */
    const char *verdict;
    uint64_t bytes;
};

/** What verification found; zeroed is empty. */
struct prvcut_archive_result {
    struct prvcut_archive_entry *entry; /**< [entries], in the order of the archive; owned */
    size_t entries, wrong;
};

/**
 * Read an archive once and compare each file with its SHA-256.
 *
 * owns    out is initialised here, released with prvcut_archive_result_fini, also after a failure
 * errors  PRVCUT_END: not all is sound; PRVCUT_ENOTRACE: not such an archive; PRVCUT_EFORMAT:
 * cannot be read to its end; PRVCUT_ELIMIT: list or files beyond what is read; PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_archive_verify(const char *path, const struct prvcut_run *run,
                                                    struct prvcut_archive_result *out,
                                                    struct prvcut_error *err);

PRVCUT_API void prvcut_archive_result_fini(struct prvcut_archive_result *r);

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
