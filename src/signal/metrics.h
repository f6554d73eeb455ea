#ifndef PRVCUT_SIGNAL_METRICS_H
#define PRVCUT_SIGNAL_METRICS_H

#include "model/asked.h"
#include "signal/signal.h"
#include "signal/sums.h"

/** In the order of the table; a set of metrics is a set of bits. */
enum prvcut_metric_id {
    PRVCUT_BURSTS,
    PRVCUT_COMPUTING,
    PRVCUT_P2P,
    PRVCUT_COLLECTIVE,
    PRVCUT_INFLIGHT,
    PRVCUT_IPC,
    PRVCUT_INSTRUCTIONS,
    PRVCUT_FLOPS,
    PRVCUT_FLUSHING,
    PRVCUT_CLOCK,
    PRVCUT_CLOGGED,
    PRVCUT_METRICS
};

/** The metrics of every trace, and behind them those of the trace's own (model/asked.h). */
#define PRVCUT_SIGNALS        (PRVCUT_METRICS + PRVCUT_ASKED_MOST)

#define PRVCUT_METRIC_BIT(id) (UINT32_C(1) << (id))
/* Those that show loops: asked with the calls unless others are named. */
#define PRVCUT_METRICS_DETECTING                                                                   \
    (PRVCUT_METRIC_BIT(PRVCUT_BURSTS) | PRVCUT_METRIC_BIT(PRVCUT_COMPUTING) |                      \
     PRVCUT_METRIC_BIT(PRVCUT_P2P) | PRVCUT_METRIC_BIT(PRVCUT_COLLECTIVE) |                        \
     PRVCUT_METRIC_BIT(PRVCUT_INFLIGHT))

/** A metric: which integrals it is made of, and how. */
struct prvcut_metric {
    const char *name, *unit, *help;
    uint32_t sums, wides; /**< bits of prvcut_sum, prvcut_wide_sum */
    const char *absent;   /**< why a trace may not hold it */
    /** Mean over each bin from the finished integrals; false: the trace does not hold it. */
    bool (*fill)(const struct prvcut_sums *s, double *at);
};

extern const struct prvcut_metric prvcut_metric_table[PRVCUT_METRICS];

/** Why a trace whose format records the two ends of a message apart does not hold a metric. */
enum prvcut_metric_reason {
    PRVCUT_ENDS_APART,
    PRVCUT_FEW_RECEIVES,
    PRVCUT_FEW_SENDS,
    PRVCUT_NO_ROOM,
    PRVCUT_METRIC_REASONS
};
extern const char *const prvcut_metric_reason[PRVCUT_METRIC_REASONS];

/**
 * The next metric of a list "a,b,\"region:c,d\"": *at moves behind it, to the end of the text at
 * last. Those of the trace's own are added to it.
 *
 * shape   *metric: PRVCUT_SIGNALS for "calls"
 * errors  PRVCUT_EUSAGE with the list of known names, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_metrics_next(struct prvcut_trace *trace, const char **at, bool calls,
                                       unsigned *metric, struct prvcut_error *err);

/** All of a list, as bits; calls: NULL where they are no metric. */
enum prvcut_status prvcut_metrics_parse(struct prvcut_trace *trace, const char *names,
                                        uint32_t *metrics, bool *calls, struct prvcut_error *err);

/** One metric from finished integrals. owns: out->at, freed by the caller */
enum prvcut_status prvcut_metric_signal(enum prvcut_metric_id id, const struct prvcut_sums *s,
                                        struct prvcut_signal *out, struct prvcut_error *err);

#endif
