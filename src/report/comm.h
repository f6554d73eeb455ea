#ifndef PRVCUT_REPORT_COMM_H
#define PRVCUT_REPORT_COMM_H

#include "model/made.h"
#include "report/lines.h"

/** "4 x 2"; of one dimension "8"; returns out. */
char *report_comm_dims(char out[40], const struct prvcut_comm_shape *s);

/** Is it of several applications, or of parts of the run? */
static inline bool report_comm_is_several(const struct prvcut_comm *c)
{
    return c->matrices > 1;
}

static inline bool report_comm_told(uint64_t value)
{
    return value != PRVCUT_COMM_UNTOLD;
}

#endif
