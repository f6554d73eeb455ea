#ifndef PRVCUT_PARAVER_COPY_H
#define PRVCUT_PARAVER_COPY_H

#include "paraver/cut_files.h"
#include "paraver/paraver.h"

/** A copy of a whole trace under way, its labels and names with it: of filtering and marking. */
struct prv_copy {
    const struct prv_trace *trace;
    struct prv_files files;
    struct prvcut_output *out; /**< of the main file; NULL in a dry run */
    uint64_t bytes;            /**< of the main file so far, not compressed */
    const char *eol;           /**< constant: how the trace ends its lines */
};

/**
 * Open the files, copy the header and put the command's provenance behind it.
 *
 * owns    c is initialised here, released with prv_copy_fini, also after a failure
 */
enum prvcut_status prv_copy_open(struct prv_copy *c, const struct prv_trace *trace,
                                 const struct prvcut_run *run,
                                 const struct prvcut_cut_options *options,
                                 struct prvcut_error *err);

/** Write on. */
enum prvcut_status prv_copy_put(struct prv_copy *c, const char *at, size_t count,
                                struct prvcut_error *err);

/** Put all files in place, or none; sum takes their names and size. Nothing in a dry run. */
enum prvcut_status prv_copy_commit(struct prv_copy *c, struct prvcut_cut_summary *sum,
                                   struct prvcut_error *err);

/** Throw away what was not committed. */
void prv_copy_fini(struct prv_copy *c);

#endif
