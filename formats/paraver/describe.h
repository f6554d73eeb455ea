#ifndef PRVCUT_PARAVER_DESCRIBE_H
#define PRVCUT_PARAVER_DESCRIBE_H

#include "model/trace.h"

/** Names of event types, values, states and objects: what .pcf and .row tell. */
enum prvcut_status prv_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                struct prvcut_error *err);

#endif
