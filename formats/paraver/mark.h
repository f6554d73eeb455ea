#ifndef PRVCUT_PARAVER_MARK_H
#define PRVCUT_PARAVER_MARK_H

#include "paraver/paraver.h"

/** See prvcut_reader.mark. Marks stand behind all records of the same time. */
enum prvcut_status prv_mark_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_marks *marks,
                                  const struct prvcut_cut_options *options,
                                  struct made_marking *out, struct prvcut_error *err);

#endif
