#ifndef PRVCUT_PARAVER_COMPAT_H
#define PRVCUT_PARAVER_COMPAT_H

#include "paraver/paraver.h"

/** See prvcut_cut_as_paraver; compat.c lists what differs on purpose. */
enum prvcut_status prv_compat_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_cutter *cutter,
                                  const struct prvcut_cut_options *options,
                                  struct prvcut_cut_summary *out, struct prvcut_error *err);

#endif
