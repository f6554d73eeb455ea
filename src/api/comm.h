#ifndef PRVCUT_API_COMM_H
#define PRVCUT_API_COMM_H

#include "analysis/waits/waits.h"
#include "model/made.h"

/**
 * Who sends to whom in all of a run, told by the reading that finds wait states.
 *
 * owns    *out is the caller's, released with api_comm_hearing_free, also after a failure
 * errors  PRVCUT_ENOMEM, and those of the labels
 */
struct api_comm_hearing;
enum prvcut_status api_comm_hear(struct api_comm_hearing **out, struct prvcut_trace *trace,
                                 struct prvcut_error *err);
void api_comm_hearing_free(struct api_comm_hearing *h);

/** To be told; borrowed. NULL: nobody hears. */
struct prvcut_waits_beside *api_comm_beside(struct api_comm_hearing *h);

/** As api_comm_make of the run; heard: NULL, or not told all of it: the run is read. */
enum prvcut_status api_comm_of_run(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   struct api_comm_hearing *heard, struct made_comm *out,
                                   struct prvcut_error *err);

#endif
