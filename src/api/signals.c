#include "prvcut/signals.h"
#include "api/entries.h"

#include "api/opening.h"
#include "base/commit.h"
#include "base/memory.h"
#include "base/output.h"
#include "signal/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BINS_MAX ((size_t)1 << 24)
#define TIME_MAX (UINT64_C(1) << 60) /* ns */

/* One full pass over the bins of [start, end). */
static enum prvcut_status sig_compute(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      uint32_t metrics, const struct prvcut_span *span, size_t bins,
                                      struct prvcut_collection *out, struct prvcut_error *err)
{
    const uint64_t length = span->end > span->start ? span->end - span->start : 1;
    const uint64_t width = length / bins + (length % bins > 0);
    const uint64_t widest = INT64_MAX / 2 / ((uint64_t)trace->objects.threads + 1);
    const struct prvcut_wish wish = { .grid = prvcut_grid_make(span->start, width, bins),
                                      .metrics = metrics };

    /* All threads' time in one bin is a sum of 64 bits. */
    if (width > widest)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%zu bins of %" PRIu64 "ns are too wide for %u threads; with %" PRIu64
                           " bins they are not",
                           bins, width, trace->objects.threads, length / widest + 1);
    return prvcut_collect(trace, run, &wish, out, err);
}

/* The whole run ends with the last record, whatever the header says; a pipe cannot be read again.
 */
static enum prvcut_status sig_compute_all(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          uint32_t metrics, struct prvcut_span span, size_t bins,
                                          struct prvcut_collection *out, struct prvcut_error *err)
{
    enum prvcut_status st;

    span.end = trace->end_ns;
    st = sig_compute(trace, run, metrics, &span, bins, out, err);
    if (st < 0 || trace->once || out->counts.last_ns <= span.end)
        return st;
    span.end = out->counts.last_ns;
    prvcut_collection_fini(out);
    return sig_compute(trace, run, metrics, &span, bins, out, err);
}

/* Hand the signals over in the order in which they were asked for, each once. */
static enum prvcut_status sig_take(struct prvcut_trace *trace, struct prvcut_collection *c,
                                   const char *metrics, struct made_signals *out,
                                   struct prvcut_error *err)
{
    const char *at = metrics;
    enum prvcut_status st = PRVCUT_OK;

    out->at = prvcut_zeroed(PRVCUT_SIGNALS, sizeof *out->at, "signals", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    do {
        struct prvcut_signal *s;
        unsigned metric;

        st = prvcut_metrics_next(trace, &at, false, &metric, err);
        s = &c->signal[st == PRVCUT_OK ? metric : 0];
        if (st < 0 || !s->name)
            continue;
        out->at[out->is.count] = *s;
        out->at[out->is.count++].size = sizeof *s;
        *s = (struct prvcut_signal){ 0 };
    } while (st == PRVCUT_OK && *at != '\0');
    return st;
}

/* What stands for instructions is a column of a series. */
static enum prvcut_status sig_of_column(const struct prvcut_trace *t, struct made_signals *out,
                                        struct prvcut_error *err)
{
    out->column = prvcut_copied_text(t->series, "a name", err);
    if (!out->column)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < out->is.count; i++) {
        struct prvcut_signal *s = &out->at[i];

        if (strcmp(s->name, "instructions") != 0)
            continue;
        s->name = out->column;
        for (size_t k = 0; k < s->bins && s->at; k++)
            s->at[k] /= t->series_scale;
    }
    return PRVCUT_OK;
}

enum prvcut_status api_trace_add_signal(struct prvcut_trace *trace, const struct prvcut_signal *s,
                                        struct prvcut_error *err)
{
    if (!s->name || !s->unit || !s->at || s->width == 0 || s->bins == 0 || s->bins > BINS_MAX)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a signal of 1 to %d bins with a name and a unit",
                           (int)BINS_MAX);
    for (size_t i = 0; i < PRVCUT_METRICS; i++)
        if (strcmp(prvcut_metric_table[i].name, s->name) == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE, "'%.80s' is the name of a metric", s->name);
    if (s->start > 0 && s->start >= trace->end_ns)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the %.80s begins at %" PRIu64 "ns, but the trace ends at %" PRIu64
                           "ns: it is of another run",
                           s->name, s->start, trace->end_ns);
    return prvcut_asked_give(trace, s, err);
}

enum prvcut_status api_signals_compute(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const char *metrics, const struct prvcut_span *window,
                                       size_t bins, struct made_signals *out,
                                       struct prvcut_error *err)
{
    const struct prvcut_span all = { 0, 0 };
    struct prvcut_collection c = { 0 };
    uint32_t wanted = 0;
    enum prvcut_status st;

    if (!window)
        window = &all;
    if (bins == 0 || bins > BINS_MAX)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%zu bins; 1 to %zu are possible", bins, BINS_MAX);
    if (window->end > 0 && window->end <= window->start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           window->start, window->end);
    if (window->end > TIME_MAX || window->start > TIME_MAX)
        return prvcut_fail(err, PRVCUT_EUSAGE, "the window reaches beyond the limit of 2^60ns");
    st = prvcut_metrics_parse(trace, metrics, &wanted, NULL, err);
    if (st < 0)
        return st;
    st = window->end > 0 ? sig_compute(trace, run, wanted, window, bins, &c, err)
                         : sig_compute_all(trace, run, wanted, *window, bins, &c, err);
    if (st == PRVCUT_OK)
        st = sig_take(trace, &c, metrics, out, err);
    if (st == PRVCUT_OK && trace->series && *trace->series)
        st = sig_of_column(trace, out, err);
    out->is.clock = trace->by_instructions ? "instructions" : NULL;
    prvcut_collection_fini(&c);
    return prvcut_trace_outcome(trace, st, err);
}

void prvcut_signals_free(struct prvcut_signals *s)
{
    struct made_signals *made = (struct made_signals *)s;

    for (size_t i = 0; made && i < made->is.count; i++)
        free(made->at[i].at);
    if (made)
        free(made->column);
    if (made)
        free(made->at);
    free(made);
}

const struct prvcut_signal *prvcut_signals_at(const struct prvcut_signals *s, size_t i)
{
    return i < s->count ? &made_signals_of(s)->at[i] : NULL;
}

enum prvcut_status prvcut_text_write(const char *path, const char *text, bool force,
                                     struct prvcut_error *err)
{
    return prvcut_output_text(NULL, path, text, force, err);
}

enum prvcut_status prvcut_texts_write(const struct prvcut_text *text, size_t texts, bool force,
                                      struct prvcut_error *err)
{
    struct prvcut_commit *set;
    enum prvcut_status st = prvcut_commit_new(&set, err);

    for (size_t i = 0; i < texts && st == PRVCUT_OK; i++)
        st = prvcut_output_text(set, text[i].path, text[i].text, force, err);
    if (st == PRVCUT_OK)
        return prvcut_commit_all(set, err);
    prvcut_commit_abandon(set);
    return st;
}
