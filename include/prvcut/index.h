#ifndef PRVCUT_INDEX_H
#define PRVCUT_INDEX_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What reading a trace once brought, kept in a file beside it (NAME.prvx): where its blocks are,
 * what it holds, its signals and call sequences, its structure. A trace that has one is not read
 * again from its beginning: prvcut_reduce, prvcut_structure_find, prvcut_cut and prvcut_info give
 * the same answers from it, at once. It is taken only with the trace, labels, roles and version of
 * prvcut that it was made from and with.
 */

/** How to write an index; zeroed is valid. */
struct prvcut_index_options {
    size_t size;  /**< sizeof this struct; 0: the fields up to dry_run */
    bool force;   /**< may replace a file */
    bool dry_run; /**< refuse what would be refused; read and write nothing */
};

/** What was written. A view. */
struct prvcut_index_result {
    char *path;     /**< owned by the answer */
    uint64_t bytes; /**< on disk; 0: nothing was written */
    uint64_t trace_bytes;
};

/**
 * Read a trace, find its structure, and write the index.
 *
 * owns    *out is the caller's, released with prvcut_index_result_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: not a Paraver trace, or one that cannot be read from anywhere (a pipe,
 *         gzip, plain zstd); PRVCUT_EEXIST; PRVCUT_EIO: also where the trace changed meanwhile;
 * else as a scan. A trace without a loop is no failure
 */
PRVCUT_API enum prvcut_status prvcut_index_write(struct prvcut_trace *trace,
                                                 const struct prvcut_run *run,
                                                 const struct prvcut_index_options *options,
                                                 struct prvcut_index_result **out,
                                                 struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_index_result_free(struct prvcut_index_result *r);

/** For a person, or as JSON (schema "prvcut-index", version 2). Free *text. */
PRVCUT_API enum prvcut_status prvcut_index_result_text(const struct prvcut_index_result *r,
                                                       bool json, char **text,
                                                       struct prvcut_error *err);

/**
 * Why the index beside a trace was not used, as far as it was needed until now; NULL where there is
 * none, or where it was. Constant.
 */
PRVCUT_API const char *prvcut_index_note(const struct prvcut_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
