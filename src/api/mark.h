#ifndef PRVCUT_API_MARK_H
#define PRVCUT_API_MARK_H

#include "model/made.h"
#include "model/marks.h"
#include "model/trace.h"

/** Can marks be put into copies of that trace, and is there room for the output? errors:
    PRVCUT_EUSAGE, PRVCUT_EEXIST */
enum prvcut_status api_mark_usable(const struct prvcut_trace *t,
                                   const struct prvcut_cut_options *output,
                                   struct prvcut_error *err);

/** Copy the trace with these marks: out->is.marks, bytes, size, files. An archive stands in a
    folder of its own then. */
enum prvcut_status api_mark_put(struct prvcut_trace *t, const struct prvcut_run *run,
                                const struct prvcut_marks *marks,
                                const struct prvcut_cut_options *output, struct made_marking *out,
                                struct prvcut_error *err);

#endif
