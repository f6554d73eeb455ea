#ifndef PRVCUT_ANALYSIS_WAITS_WAITS_ROWS_H
#define PRVCUT_ANALYSIS_WAITS_WAITS_ROWS_H

#include "analysis/waits/waits.h"
#include "model/made.h"

/**
 * The answer: names and rows from what was found.
 *
 * shape   asked: as it was; names: of the trace; window: ns that were looked at
 * owns    what out points to, released with prvcut_waits_rows_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_waits_rows_make(struct made_wait_states *out,
                                          const struct prvcut_waits_found *f,
                                          const struct prvcut_waits_asked *asked,
                                          const struct prvcut_dictionary *names,
                                          struct prvcut_error *err);
void prvcut_waits_rows_fini(struct made_wait_states *w);

#endif
