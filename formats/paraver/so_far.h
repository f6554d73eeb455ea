#ifndef PRVCUT_PARAVER_SO_FAR_H
#define PRVCUT_PARAVER_SO_FAR_H

#include "model/trace.h"

/** As so_far of struct prvcut_reader. */
enum prvcut_status prv_so_far(struct prvcut_trace *t, uint64_t bytes, struct prvcut_error *err);

#endif
