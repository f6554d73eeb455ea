#ifndef PRVCUT_STRUCTURE_SIGNAL_STEADY_H
#define PRVCUT_STRUCTURE_SIGNAL_STEADY_H

#include "structure/signal_sights.h"

/**
 * Judge the sights of a signal by how like it is to itself exactly so much later, which tells
 * something of what keeps its time (tables of counters, whose iterations have as many intervals),
 * and nothing of a program whose iterations jitter.
 *
 * Taken out is what another sight explains: a longer period, where the signal repeats after the
 * shorter one and all multiples of it as well as after the longer one, within what chance does; a
 * shorter one after which it does not repeat, as it does after the longer; and stairs, whose steps
 * rise and never come back. Where nothing else is strong, what repeats exactly is believed.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_sights_explain(struct prvcut_signal_sights *s,
                                                const struct prvcut_signal *in,
                                                struct prvcut_error *err);

#endif
