#include "api/entries.h"
#include "api/sample.h"

#include "analysis/sample/bins.h"
#include "api/opening.h"
#include "api/pack.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/output.h"
#include "model/formats.h"
#include "model/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Equal bins of time in which counters are read first: 262,144, so that of a run of a minute 230us
   are one. What was counted in one of them is spread evenly over its instructions. */
#define TIME_BINS ((size_t)1 << 18)
/* Instructions in an interval: as many as Casas takes (chapter 5), or so few that a run has 16,384
   of them, which are 800 iterations of 20. */
#define STEP_USUAL  10000000
#define ROWS_ENOUGH ((uint64_t)1 << 14)
/* Intervals at most: as many as bins of a trace that are sampled. */
#define ROWS_MOST         PRVCUT_BINS_MOST

#define TYPE_INSTRUCTIONS 42000050
#define TYPE_CYCLES       42000059
/* What else was counted has these types and those behind. */
#define TYPE_OTHER 42990001

/* A trace of one thread whose times are instructions. */
struct ict_maker {
    struct prvcut_trace *of;
    struct prvcut_bins_found found;
    size_t instructions, cycles; /* columns; SIZE_MAX: none */
    uint64_t each, total;        /* instructions */
    struct prvcut_put text, labels;
};

/* --- Which intervals -------------------------------------------------------------------------- */

static enum prvcut_status ctr_refuse(const struct ict_maker *m, const char *metric,
                                     struct prvcut_error *err)
{
    static const char *const void_there[] = { "instructions", "clock" };

    /* Which counters there are. */
    if (m->instructions == SIZE_MAX || (!metric && m->cycles == SIZE_MAX))
        prvcut_instead(err, "prvcut info TRACE");
    if (m->instructions == SIZE_MAX)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: no instructions are counted there",
                           prvcut_trace_told(m->of));
    if (!metric && m->cycles == SIZE_MAX)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: no cycles are counted there; name another counter (--metric "
                           "counter:NAME)",
                           prvcut_trace_told(m->of));
    for (size_t i = 0; metric && i < sizeof void_there / sizeof *void_there; i++)
        if (strcmp(metric, void_there[i]) == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "the metric '%s' is the same everywhere where instructions are the "
                               "clock; ipc and counter:NAME are not",
                               metric);
    return PRVCUT_OK;
}

static enum prvcut_status ctr_choose(struct ict_maker *m, uint64_t wanted, const char *metric,
                                     struct prvcut_error *err)
{
    const struct prvcut_series *s = &m->found.series;
    double total = 0;
    enum prvcut_status st;

    m->instructions = api_sample_column(s, "instructions");
    m->cycles = api_sample_column(s, "cycles");
    st = ctr_refuse(m, metric, err);
    if (st < 0)
        return st;
    for (size_t i = 0; i < s->rows; i++)
        total += s->at[m->instructions][i];
    m->total = (uint64_t)llround(total);
    m->each = wanted > 0 ? wanted : m->total / ROWS_ENOUGH;
    if (wanted == 0 && m->each > STEP_USUAL)
        m->each = STEP_USUAL;
    m->each = m->each > 0 ? m->each : 1;
    if (m->total < m->each)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: %" PRIu64 " instructions are counted there, fewer than an interval "
                           "has",
                           prvcut_trace_told(m->of), m->total);
    if (m->total / m->each > ROWS_MOST)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%" PRIu64 " intervals of %" PRIu64 " instructions; at most %zu are "
                           "looked at: name %" PRIu64 " or more",
                           m->total / m->each, m->each, ROWS_MOST, m->total / ROWS_MOST + 1);
    return PRVCUT_OK;
}

/* --- Its text --------------------------------------------------------------------------------- */

/* One counter up to an instant of the new clock, which goes on from call to call. */
struct ict_upto {
    const double *clock, *at; /* [rows] of the series */
    size_t rows, row;
    double clock_sum, sum; /* before that row */
};

static double ctr_count(struct ict_upto *u, double clock)
{
    double part;

    while (u->row < u->rows && u->clock_sum + u->clock[u->row] <= clock) {
        u->clock_sum += u->clock[u->row];
        u->sum += u->at[u->row++];
    }
    if (u->row == u->rows || !(u->clock[u->row] > 0))
        return u->sum;
    part = (clock - u->clock_sum) / u->clock[u->row];
    return u->sum + part * u->at[u->row];
}

static bool ctr_is_other(const struct ict_maker *m, size_t column)
{
    return column != m->instructions && column != m->cycles;
}

static void ctr_label(struct ict_maker *m, uint64_t type, const char *name)
{
    prvcut_put_printf(&m->labels, "EVENT_TYPE\n7 %" PRIu64 " %s\n\n", type, name);
}

static enum prvcut_status ctr_labels(struct ict_maker *m, struct prvcut_error *err)
{
    const struct prvcut_series *s = &m->found.series;

    m->labels.err = err;
    ctr_label(m, TYPE_INSTRUCTIONS, "PAPI_TOT_INS");
    if (m->cycles != SIZE_MAX)
        ctr_label(m, TYPE_CYCLES, "PAPI_TOT_CYC");
    for (size_t k = 0; k < s->columns; k++)
        if (ctr_is_other(m, k))
            ctr_label(m, TYPE_OTHER + k, s->name[k]);
    return m->labels.st;
}

/* What was counted between two instants. */
static void ctr_interval(struct ict_maker *m, struct ict_upto *upto, double *before,
                         const struct prvcut_span *span)
{
    prvcut_put_printf(
        &m->text, "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":1\n2:1:1:1:1:%" PRIu64 ":%d:%" PRIu64,
        span->start, span->end, span->end, TYPE_INSTRUCTIONS, span->end - span->start);
    for (size_t k = 0; k < m->found.series.columns; k++) {
        const double now = ctr_count(&upto[k], (double)span->end);
        const uint64_t type = k == m->cycles ? TYPE_CYCLES : TYPE_OTHER + k;

        if (k != m->instructions)
            prvcut_put_printf(&m->text, ":%" PRIu64 ":%.0f", type, round(now) - round(before[k]));
        before[k] = now;
    }
    prvcut_put_string(&m->text, "\n");
}

static enum prvcut_status ctr_text(struct ict_maker *m, struct prvcut_error *err)
{
    const struct prvcut_series *s = &m->found.series;
    const uint64_t rows = m->total / m->each;
    struct ict_upto *upto = prvcut_zeroed(s->columns, sizeof *upto, "counters", err);
    double *before = prvcut_zeroed(s->columns, sizeof *before, "counters", err);

    m->text.err = err;
    m->text.st = upto && before ? PRVCUT_OK : PRVCUT_ENOMEM;
    for (size_t k = 0; k < s->columns && m->text.st == PRVCUT_OK; k++)
        upto[k] = (struct ict_upto){ s->at[m->instructions], s->at[k], s->rows, 0, 0, 0 };
    prvcut_put_printf(&m->text, "#Paraver (01/01/2000 at 00:00):%" PRIu64 "_ns:1(1):1:1(1:1),0\n",
                      rows * m->each);
    for (uint64_t i = 0; i < rows && m->text.st == PRVCUT_OK; i++)
        ctr_interval(m, upto, before, &(struct prvcut_span){ i * m->each, (i + 1) * m->each });
    free(upto);
    free(before);
    return m->text.st;
}

/* --- The trace -------------------------------------------------------------------------------- */

/* The format that is one file of text, which may be packed, with labels beside it. */
static const struct prvcut_format *ctr_format(void)
{
    size_t i = 0;

    while (prvcut_formats[i + 1] && !(prvcut_formats[i]->packs && prvcut_formats[i]->beside[0]))
        i++;
    return prvcut_formats[i];
}

static enum prvcut_status ctr_open(const struct ict_maker *m, struct prvcut_trace **out,
                                   const char *folder, struct prvcut_error *err)
{
    const struct prvcut_open_options plain = { .no_index = true };
    const struct prvcut_format *format = ctr_format();
    struct prvcut_buffer trace = { 0 }, labels = { 0 };
    enum prvcut_status st =
        prvcut_buffer_printf(&trace, err, "%s/instructions%s", folder, format->suffix);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&labels, err, "%s/instructions%s", folder, format->beside[0]);
    if (st == PRVCUT_OK)
        st = prvcut_output_text(NULL, trace.at, m->text.b.at, false, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_text(NULL, labels.at, m->labels.b.at, false, err);
    if (st == PRVCUT_OK)
        st = api_trace_open(out, trace.at, &plain, err);
    prvcut_buffer_fini(&trace);
    prvcut_buffer_fini(&labels);
    return st;
}

/* Its folder goes with it. */
static enum prvcut_status ctr_make(const struct ict_maker *m, struct prvcut_trace **out,
                                   struct prvcut_error *err)
{
    struct pack_inside made = { .lock = -1 };
    enum prvcut_status st = pack_scratch(&made, err);

    if (st == PRVCUT_OK)
        st = ctr_open(m, out, made.folder, err);
    if (st < 0) {
        pack_inside_fini(&made);
        return st;
    }
    (*out)->scratch = made.folder;
    (*out)->scratch_lock = made.lock;
    return PRVCUT_OK;
}

enum prvcut_status api_trace_open_instructions(struct prvcut_trace **out, struct prvcut_trace *of,
                                               const struct prvcut_run *run, uint64_t step,
                                               const char *metric, struct prvcut_clock_told *told,
                                               struct prvcut_error *err)
{
    const struct prvcut_span all = { 0, of->end_ns > 0 ? of->end_ns : 1 };
    struct ict_maker m = { .of = of };
    enum prvcut_status st;

    *out = NULL;
    if (of->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a pipe does not tell how long the run is; save it to a file first",
                           prvcut_trace_told(of));
    st = prvcut_bins_read(&m.found, of, run, &all, TIME_BINS, err);
    if (st == PRVCUT_OK)
        st = ctr_choose(&m, step, metric, err);
    if (st == PRVCUT_OK)
        st = ctr_labels(&m, err);
    if (st == PRVCUT_OK)
        st = ctr_text(&m, err);
    if (st == PRVCUT_OK)
        st = ctr_make(&m, out, err);
    prvcut_bins_found_fini(&m.found);
    prvcut_buffer_fini(&m.text.b);
    prvcut_buffer_fini(&m.labels.b);
    if (st < 0)
        return prvcut_trace_outcome(of, st, err);
    *told = (struct prvcut_clock_told){ .metric = metric ? metric : "ipc", .step = m.each };
    (*out)->told = prvcut_copied_text(prvcut_trace_told(of), "a name", err);
    (*out)->series = prvcut_copied_text("", "a name", err);
    (*out)->series_scale = 1;
    (*out)->kept_asked = (*out)->by_instructions = true;
    if ((*out)->told && (*out)->series) {
        (*out)->origin = of;
        return PRVCUT_OK;
    }
    prvcut_trace_close(*out);
    *out = NULL;
    return PRVCUT_ENOMEM;
}
