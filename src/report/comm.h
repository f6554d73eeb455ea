#ifndef PRVCUT_REPORT_COMM_H
#define PRVCUT_REPORT_COMM_H

#include "model/made.h"
#include "report/lines.h"

/** "4 x 2"; of one dimension "8"; returns out. */
char *report_comm_dims(char out[40], const struct prvcut_comm_shape *s);
/** "mesh2d 4 x 2", "nearly mesh3d 6 x 2 x 2", "alltoall in groups of 2 to 4", "irregular". */
char *report_comm_name(char out[80], const struct prvcut_comm_matrix *m);

/** Is it of several applications, or of parts of the run? */
static inline bool report_comm_is_several(const struct prvcut_comm *c)
{
    return c->matrices > 1;
}

/** A matrix in lines with headings: its shape, messages, sizes, neighbours, balance and nodes, as
   far as they are told; nothing where there are no messages. */
void report_comm_lines(struct report_lines *l, const struct prvcut_comm_matrix *m);

/** Lines that begin with "note: ": what is to be known of all matrices. */
void report_comm_notes(struct report_lines *l, const struct prvcut_comm *c);

static inline bool report_comm_told(uint64_t value)
{
    return value != PRVCUT_COMM_UNTOLD;
}

#endif
