#ifndef PRVCUT_SIGNAL_ASKED_H
#define PRVCUT_SIGNAL_ASKED_H

#include "pass/pass.h"
#include "signal/metrics.h"

/**
 * The integrals of metrics that were asked for by what the trace calls a thing (model/asked.h), as
 * a listener of a pass.
 */

struct prvcut_asked_sums;

/**
 * wanted   bits of the trace's own metrics
 * owns     *out is the caller's, released with prvcut_asked_sums_free; NULL after a failure
 */
enum prvcut_status prvcut_asked_sums_new(struct prvcut_asked_sums **out,
                                         const struct prvcut_trace *t, uint32_t wanted,
                                         const struct prvcut_grid *grid, struct prvcut_error *err);

/** Who is to listen; borrowed. */
const struct prvcut_listener *prvcut_asked_sums_listener(const struct prvcut_asked_sums *a);

/** After the pass: over which bins metrics are, as prvcut_sums_finish wants them. */
void prvcut_asked_sums_lay(struct prvcut_asked_sums *a, const struct prvcut_grid *grid);

/** A metric after the pass, once; owns: out->at, freed by the caller; its name is the trace's. */
enum prvcut_status prvcut_asked_signal(struct prvcut_asked_sums *a, unsigned number,
                                       struct prvcut_signal *out, struct prvcut_error *err);

void prvcut_asked_sums_free(struct prvcut_asked_sums *a);

#endif
