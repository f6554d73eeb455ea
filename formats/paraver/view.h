#ifndef PRVCUT_PARAVER_VIEW_H
#define PRVCUT_PARAVER_VIEW_H

#include "base/buffer.h"
#include "paraver/labels.h"

/**
 * A configuration with which Paraver shows a trace: one timeline of all threads, of MPI calls with
 * the lines of messages where its labels list MPI calls, else of states.
 *
 * owns    *out is the caller's
 * errors  PRVCUT_ENOMEM
 * source  the loader of paraver-kernel (api/cfg.cpp), version 3.4 of such files
 */
enum prvcut_status prv_view_text(struct prvcut_buffer *out, const struct prv_labels *labels,
                                 struct prvcut_error *err);

#endif
