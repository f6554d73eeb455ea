#ifndef PRVCUT_API_CUBE_PLACE_H
#define PRVCUT_API_CUBE_PLACE_H

#include "model/trace.h"
#include "report/cube_who.h"

/** Where ranks stand in the shape that comm finds in their messages, for which the trace is read
   once more; nowhere, where it finds none, or cannot tell. errors: those of the reader */
enum prvcut_status api_cube_place(struct report_cube_who *who, struct prvcut_trace *trace,
                                  const struct prvcut_run *run, struct prvcut_error *err);

#endif
