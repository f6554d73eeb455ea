#include "signal/metrics.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SUM(which)  (UINT32_C(1) << PRVCUT_SUM_##which)
#define WIDE(which) (UINT32_C(1) << PRVCUT_WIDE_##which)
/* Letters that tell which metric was meant. */
#define LIKE_LEAST 3

static const double fraction = (double)(UINT64_C(1) << PRVCUT_FRACTION);

/* Mean over the bin of a plain count. */
static bool metric_fill_count(const struct prvcut_sums *s, enum prvcut_sum which, double *at)
{
    if (s->count[which] == 0)
        return false;
    for (size_t i = 0; i < s->grid.bins; i++)
        at[i] = (double)s->at[which][i] / (double)s->grid.width;
    return true;
}

/* Mean over the bin of a weighted integral, its weights being in units of 1 / scale. */
static bool metric_fill_wide(const struct prvcut_sums *s, enum prvcut_wide_sum which, double scale,
                             double *at)
{
    if (s->wide_count[which] == 0)
        return false;
    for (size_t i = 0; i < s->grid.bins; i++)
        at[i] = (double)s->wide[which][i] / (double)s->grid.width / scale;
    return true;
}

/* Mean over the threads that have the ratio; 0 where none has. */
static bool metric_fill_ratio(const struct prvcut_sums *s, enum prvcut_wide_sum which,
                              enum prvcut_sum threads, double *at)
{
    if (s->wide_count[which] == 0)
        return false;
    for (size_t i = 0; i < s->grid.bins; i++)
        at[i] = s->at[threads][i] == 0
                    ? 0
                    : (double)s->wide[which][i] / (double)s->at[threads][i] / fraction;
    return true;
}

/* Computing: the running states; where a trace has none, the time between MPI calls. */
static bool metric_fill_bursts(const struct prvcut_sums *s, double *at)
{
    return metric_fill_wide(s, PRVCUT_WIDE_RUNNING, 1, at) ||
           metric_fill_wide(s, PRVCUT_WIDE_OUTSIDE, 1, at);
}

static bool metric_fill_computing(const struct prvcut_sums *s, double *at)
{
    return metric_fill_count(s, PRVCUT_SUM_RUNNING, at) ||
           metric_fill_count(s, PRVCUT_SUM_OUTSIDE, at);
}

static bool metric_fill_p2p(const struct prvcut_sums *s, double *at)
{
    return metric_fill_count(s, PRVCUT_SUM_P2P, at);
}

static bool metric_fill_collective(const struct prvcut_sums *s, double *at)
{
    return metric_fill_count(s, PRVCUT_SUM_COLLECTIVE, at);
}

static bool metric_fill_inflight(const struct prvcut_sums *s, double *at)
{
    return !prvcut_sums_lack_ends(s) && metric_fill_count(s, PRVCUT_SUM_INFLIGHT, at);
}

static bool metric_fill_flushing(const struct prvcut_sums *s, double *at)
{
    return metric_fill_count(s, PRVCUT_SUM_FLUSH, at);
}

static bool metric_fill_ipc(const struct prvcut_sums *s, double *at)
{
    return metric_fill_ratio(s, PRVCUT_WIDE_IPC, PRVCUT_SUM_IPC, at);
}

static bool metric_fill_clock(const struct prvcut_sums *s, double *at)
{
    return metric_fill_ratio(s, PRVCUT_WIDE_CLOCK, PRVCUT_SUM_CLOCK, at);
}

static bool metric_fill_instructions(const struct prvcut_sums *s, double *at)
{
    return metric_fill_wide(s, PRVCUT_WIDE_INSTRUCTIONS, fraction, at);
}

static bool metric_fill_flops(const struct prvcut_sums *s, double *at)
{
    return metric_fill_wide(s, PRVCUT_WIDE_FLOPS, fraction, at);
}

/* Messages in flight over bytes per second; a message's bytes are delivered over its flight. */
static bool metric_fill_clogged(const struct prvcut_sums *s, double *at)
{
    if (s->count[PRVCUT_SUM_INFLIGHT] == 0 || s->wide_count[PRVCUT_WIDE_BYTES] == 0)
        return false;
    for (size_t i = 0; i < s->grid.bins; i++) {
        const double bytes = (double)s->wide[PRVCUT_WIDE_BYTES][i] / fraction * 1e9;

        at[i] = bytes <= 0 ? 0 : (double)s->at[PRVCUT_SUM_INFLIGHT][i] / bytes;
    }
    return true;
}

const struct prvcut_metric prvcut_metric_table[PRVCUT_METRICS] = {
    [PRVCUT_BURSTS] = { "bursts", "ns",
                        "sum over threads of the length of their present burst (computation "
                        "between calls)",
                        0, WIDE(RUNNING) | WIDE(OUTSIDE), "no running states and no MPI calls",
                        metric_fill_bursts },
    [PRVCUT_COMPUTING] = { "computing", "threads", "threads in the running state",
                           SUM(RUNNING) | SUM(OUTSIDE), 0, "no running states and no MPI calls",
                           metric_fill_computing },
    [PRVCUT_P2P] = { "p2p", "threads", "threads inside an MPI point-to-point call", SUM(P2P), 0,
                     "no point-to-point calls", metric_fill_p2p },
    [PRVCUT_COLLECTIVE] = { "collective", "threads", "threads inside an MPI collective call",
                            SUM(COLLECTIVE), 0, "no collective calls", metric_fill_collective },
    [PRVCUT_INFLIGHT] = { "inflight", "messages", "messages sent and not yet received",
                          SUM(INFLIGHT), 0, "no messages", metric_fill_inflight },
    [PRVCUT_IPC] = { "ipc", "instr/cycle", "mean over threads of instructions per cycle of bursts",
                     SUM(IPC), WIDE(IPC), "no counters of instructions and cycles",
                     metric_fill_ipc },
    [PRVCUT_INSTRUCTIONS] = { "instructions", "1/ns", "rate of completed instructions", 0,
                              WIDE(INSTRUCTIONS), "no counter of instructions",
                              metric_fill_instructions },
    [PRVCUT_FLOPS] = { "flops", "1/ns", "rate of floating-point operations", 0, WIDE(FLOPS),
                       "no counter of floating-point operations", metric_fill_flops },
    [PRVCUT_FLUSHING] = { "flushing", "threads", "threads flushing their trace buffer to disk",
                          SUM(FLUSH), 0, "no flushes", metric_fill_flushing },
    [PRVCUT_CLOCK] = { "clock", "GHz", "mean over threads of cycles per time of bursts", SUM(CLOCK),
                       WIDE(CLOCK), "no cycle counter", metric_fill_clock },
    [PRVCUT_CLOGGED] = { "clogged", "s/B.msg", "messages in flight over bytes delivered per second",
                         SUM(INFLIGHT), WIDE(BYTES), "no messages", metric_fill_clogged },
};

const char *const prvcut_metric_reason[PRVCUT_METRIC_REASONS] = {
    [PRVCUT_ENDS_APART] = "the ends of messages are recorded apart",
    [PRVCUT_FEW_RECEIVES] = "the trace records few of the receives",
    [PRVCUT_FEW_SENDS] = "the trace records few of the sends",
    [PRVCUT_NO_ROOM] = "no room on the disk to bring the two ends of messages together",
};

const char *prvcut_metric_name(size_t i)
{
    return i < PRVCUT_METRICS ? prvcut_metric_table[i].name : NULL;
}

const char *prvcut_metric_unit(size_t i)
{
    return i < PRVCUT_METRICS ? prvcut_metric_table[i].unit : NULL;
}

const char *prvcut_metric_help(size_t i)
{
    return i < PRVCUT_METRICS ? prvcut_metric_table[i].help : NULL;
}

/* The metric whose name begins like a wrong one; NULL: none. */
static const char *metric_meant_by(const char *name, size_t length)
{
    for (size_t i = 0; i < PRVCUT_METRICS; i++) {
        const char *known = prvcut_metric_table[i].name;
        const size_t shorter = strlen(known) < length ? strlen(known) : length;

        if (shorter >= LIKE_LEAST && strncmp(known, name, shorter) == 0)
            return known;
    }
    return NULL;
}

static enum prvcut_status metric_unknown(const char *name, size_t length, bool calls,
                                         struct prvcut_error *err)
{
    const char *meant = metric_meant_by(name, length);
    struct prvcut_buffer known = { 0 };
    enum prvcut_status st;

    for (size_t i = 0; i < PRVCUT_METRICS; i++)
        prvcut_buffer_printf(&known, NULL, " %s", prvcut_metric_table[i].name);
    if (calls)
        prvcut_buffer_printf(&known, NULL, " calls");
    for (size_t i = 0; prvcut_asked_form(i); i++)
        prvcut_buffer_printf(&known, NULL, " %s", prvcut_asked_form(i));
    if (meant)
        prvcut_instead(err, "--metric %s", meant);
    else
        prvcut_instead(err, "prvcut help metrics");
    st = prvcut_fail(err, PRVCUT_EUSAGE, "no metric '%.*s'; there are:%.*s",
                     (int)(length > 64 ? 64 : length), name, (int)known.count,
                     known.at ? known.at : "");
    prvcut_buffer_fini(&known);
    return st;
}

/* A piece of a list of metrics, up to a comma that is in no quotes; these are left out. */
static enum prvcut_status metric_next_name(const char **at, struct prvcut_buffer *name,
                                           struct prvcut_error *err)
{
    const char *p = *at;
    enum prvcut_status st = PRVCUT_OK;
    bool quoted = false;

    for (name->count = 0; *p != '\0' && (quoted || *p != ',') && st == PRVCUT_OK; p++) {
        if (*p == '"')
            quoted = !quoted;
        else
            st = prvcut_buffer_append(name, p, 1, err);
    }
    if (quoted)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a quote in '%.64s' is not closed", *at);
    /* Nothing behind a comma is a name, too. */
    *at = *p == ',' && p[1] != '\0' ? p + 1 : p;
    return st == PRVCUT_OK ? prvcut_buffer_append(name, "", 1, err) : st;
}

static enum prvcut_status metric_named(struct prvcut_trace *trace, const char *name, bool calls,
                                       unsigned *metric, struct prvcut_error *err)
{
    unsigned own;
    enum prvcut_status st;

    for (*metric = 0; *metric < PRVCUT_METRICS; ++*metric)
        if (strcmp(prvcut_metric_table[*metric].name, name) == 0)
            return PRVCUT_OK;
    *metric = PRVCUT_SIGNALS;
    if (calls && strcmp(name, "calls") == 0)
        return PRVCUT_OK;
    own = prvcut_asked_given(trace, name);
    if (own < PRVCUT_ASKED_MOST) {
        *metric = PRVCUT_METRICS + own;
        return PRVCUT_OK;
    }
    if (!prvcut_asked_is(name, strlen(name)))
        return metric_unknown(name, strlen(name), calls, err);
    st = prvcut_asked_add(trace, name, &own, err);
    *metric = PRVCUT_METRICS + own;
    return st;
}

enum prvcut_status prvcut_metrics_next(struct prvcut_trace *trace, const char **at, bool calls,
                                       unsigned *metric, struct prvcut_error *err)
{
    struct prvcut_buffer name = { 0 };
    enum prvcut_status st = metric_next_name(at, &name, err);

    if (st == PRVCUT_OK)
        st = metric_named(trace, name.at, calls, metric, err);
    prvcut_buffer_fini(&name);
    return st;
}

enum prvcut_status prvcut_metrics_parse(struct prvcut_trace *trace, const char *names,
                                        uint32_t *metrics, bool *calls, struct prvcut_error *err)
{
    const char *at = names;
    enum prvcut_status st = PRVCUT_OK;

    *metrics = 0;
    do {
        unsigned metric;

        st = prvcut_metrics_next(trace, &at, calls != NULL, &metric, err);
        if (st == PRVCUT_OK && metric < PRVCUT_SIGNALS)
            *metrics |= PRVCUT_METRIC_BIT(metric);
        else if (st == PRVCUT_OK && calls)
            *calls = true;
    } while (st == PRVCUT_OK && *at != '\0');
    return st;
}

static const char *metric_why_absent(const struct prvcut_metric *m, const struct prvcut_sums *s)
{
    if (!(m->sums & SUM(INFLIGHT)) || s->sends + s->receives == 0)
        return m->absent;
    if (s->receives < s->sends && prvcut_sums_lack_ends(s))
        return prvcut_metric_reason[PRVCUT_FEW_RECEIVES];
    if (prvcut_sums_lack_ends(s))
        return prvcut_metric_reason[PRVCUT_FEW_SENDS];
    return prvcut_metric_reason[s->no_room ? PRVCUT_NO_ROOM : PRVCUT_ENDS_APART];
}

enum prvcut_status prvcut_metric_signal(enum prvcut_metric_id id, const struct prvcut_sums *s,
                                        struct prvcut_signal *out, struct prvcut_error *err)
{
    const struct prvcut_metric *m = &prvcut_metric_table[id];

    *out = (struct prvcut_signal){ .name = m->name,
                                   .unit = m->unit,
                                   .start = s->grid.start,
                                   .width = s->grid.width,
                                   .bins = s->grid.bins };
    out->at = prvcut_unset(s->grid.bins + 1, sizeof *out->at, "bins", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    if (!m->fill(s, out->at)) {
        free(out->at);
        out->at = NULL;
        out->absent = metric_why_absent(m, s);
    }
    return PRVCUT_OK;
}
