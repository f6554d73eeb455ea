#ifndef PRVCUT_PARAVER_VIEW_H
#define PRVCUT_PARAVER_VIEW_H

#include "base/bytes.h"
#include "paraver/labels.h"

/**
 * Put a configuration with which Paraver shows a trace: one timeline of all threads, of MPI calls
 * with the lines of messages where its labels list MPI calls, else of states.
 *
 * source  the loader of paraver-kernel (api/cfg.cpp), version 3.4 of such files
 */
void prv_view_text(struct prvcut_put *out, const struct prv_labels *labels);

#endif
