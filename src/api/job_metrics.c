#include "api/job.h"

/* Bins over the run in the first pass: one in so many bytes of text, by powers of two; as bins are
   that of ns, too, half of them at worst, and no more than the parameter. The least show a period
   of 1/2000 of the run, the most one of 1/16000. */
#define BIN_BYTES  1024
#define BINS_LEAST ((size_t)1 << 16)
/* A text of TINY bytes has some thousand records: iterations of 1/500 of the run are all it can
   hold, and a burst is many bins long. */
#define TINY      ((uint64_t)64 << 10)
#define BINS_TINY ((size_t)1 << 14)
/* Preemption is judged by the clock of single bursts, which fewer bins would blur. */
#define BINS_CLOCK ((size_t)1 << 18)
/* What a byte of an archive is in text, and what one of a compressed text is, or less. */
#define PACKED      8
#define PACKED_TEXT 12

/* Signals that show what spoils loops. */
static const enum prvcut_metric_id masking[] = { PRVCUT_FLUSHING, PRVCUT_CLOCK, PRVCUT_CLOGGED,
                                                 PRVCUT_INFLIGHT };

bool job_has_roles(const struct prvcut_trace *t, uint32_t roles)
{
    for (size_t i = 0; i < t->types; i++)
        if (roles >> t->type[i].role & 1)
            return true;
    return false;
}

enum prvcut_status job_metrics(struct job *j, uint32_t *metrics, bool *calls,
                               struct prvcut_error *err)
{
    enum prvcut_status st;

    *metrics = 0;
    *calls = false;
    if (j->wish.metrics) {
        st = prvcut_metrics_parse(j->trace, j->wish.metrics, metrics, calls, err);
        if (st < 0)
            return st;
    } else {
        *calls = true;
        *metrics |= PRVCUT_METRICS_DETECTING;
    }
    *metrics |= prvcut_asked_all_given(j->trace) << PRVCUT_METRICS;
    j->metrics = *metrics;
    j->ask_calls = *calls;
    for (size_t i = 0; i < sizeof masking / sizeof *masking; i++)
        *metrics |= PRVCUT_METRIC_BIT(masking[i]);
    /* Following counters costs time on every call; where there are none, it is known beforehand.
       Who asks for it is told that there are none. */
    if (!(j->metrics & PRVCUT_METRIC_BIT(PRVCUT_CLOCK)) &&
        !job_has_roles(j->trace, PRVCUT_ROLE_BIT(PRVCUT_ROLE_CYCLES)))
        *metrics &= ~PRVCUT_METRIC_BIT(PRVCUT_CLOCK);
    return PRVCUT_OK;
}

/* As many as are set; else as a trace of so much text needs; a clock that nothing tells needs none.
   Signals alone need all; where calls tell the loop, they confirm it. */
static size_t jme_bins(const struct job *j, bool calls, uint64_t bytes, bool clock)
{
    const struct prvcut_trace *t = j->trace;
    const struct prvcut_parameters *set = j->run->set;
    const size_t most = (size_t)prvcut_parameter_of(set, PRVCUT_SET_BINS);
    const uint64_t wanted = bytes / BIN_BYTES;
    /* What comes from beside the trace may be as fine as it likes. */
    const bool tiny = wanted <= TINY / BIN_BYTES && !prvcut_asked_all_given(t);
    size_t bins = tiny ? BINS_TINY : clock ? BINS_CLOCK : BINS_LEAST;

    if (bytes == 0 || !calls || !job_has_roles(t, JOB_CALLING) ||
        (set && set->given[PRVCUT_SET_BINS]))
        return most;
    while (bins < most && bins < wanted)
        bins *= 2;
    return bins;
}

size_t job_bins(const struct job *j, uint32_t metrics, bool calls)
{
    const struct prvcut_trace *t = j->trace;
    const unsigned times = t->reader->halves ? PACKED : t->seekable ? 1 : PACKED_TEXT;

    /* A pipe does not tell its length. */
    return jme_bins(j, calls, t->bytes * times,
                    metrics & PRVCUT_METRIC_BIT(PRVCUT_CLOCK) &&
                        job_has_roles(t, PRVCUT_ROLE_BIT(PRVCUT_ROLE_CYCLES)));
}

size_t job_bins_read(const struct job *j, bool calls, uint64_t bytes, bool clock)
{
    const struct prvcut_trace *t = j->trace;

    return jme_bins(j, calls, t->reader->halves ? t->bytes * PACKED : bytes, clock);
}
