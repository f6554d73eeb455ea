#include "api/called.h"
#include "api/index.h"
#include "api/names.h"
#include "base/memory.h"
#include "base/print.h"

#include <inttypes.h>

static size_t jco_enough(const void *ctx, uint64_t bytes, bool clock)
{
    const struct job *j = ctx;

    return job_bins_read(j, j->ask_calls, bytes, clock);
}

static enum prvcut_status jco_pass(struct job *j, uint32_t metrics, bool calls,
                                   struct prvcut_error *err)
{
    const struct prvcut_span *only = &j->wish.only;
    const uint64_t end = only->end > 0 && only->end < j->end_ns ? only->end : j->end_ns;
    const struct prvcut_wish wish = { .grid = prvcut_grid_fit(only->start, end,
                                                              job_bins(j, metrics, calls)),
                                      .metrics = metrics,
                                      .calls = calls,
                                      .states = calls && !job_has_roles(j->trace, JOB_CALLING),
                                      .beside = j->beside,
                                      .enough = jco_enough,
                                      .ctx = j };

    j->beside = NULL;
    if (only->start > 0 && prvcut_window_begins_within(only->start, j->end_ns, err) < 0)
        return PRVCUT_EUSAGE;
    return prvcut_collect(j->trace, j->run, &wish, &j->data, err);
}

static bool jco_has_calls(const struct prvcut_collection *c)
{
    for (size_t i = 0; i < c->sequences; i++)
        if (c->sequence[i].count > 0)
            return true;
    return false;
}

/* Calls of another kind, where the first pass saw none. */
static enum prvcut_status collect_again(struct job *j, bool regions, struct prvcut_error *err)
{
    const struct prvcut_wish wish = { .grid = prvcut_grid_fit(0, j->end_ns, 1),
                                      .calls = true,
                                      .regions = regions,
                                      .states = !regions };
    struct prvcut_collection again;
    enum prvcut_status st = prvcut_collect(j->trace, j->run, &wish, &again, err);

    if (st == PRVCUT_OK && jco_has_calls(&again)) {
        struct prvcut_call_sequence *none = j->data.sequence;
        const size_t nones = j->data.sequences;

        j->data.sequence = again.sequence;
        j->data.sequences = again.sequences;
        j->data.calls_cut_short = again.calls_cut_short;
        again.sequence = none;
        again.sequences = nones;
    }
    prvcut_collection_fini(&again);
    return st;
}

/* A program without MPI: the regions that its threads enter stand in for the calls, or else what
   they do when they do not run. */
static enum prvcut_status jco_find_calls(struct job *j, struct prvcut_error *err)
{
    const bool seen = jco_has_calls(&j->data);
    enum prvcut_status st = PRVCUT_OK;

    if (!seen && !j->trace->once && job_has_roles(j->trace, PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION))) {
        st = collect_again(j, true, err);
        j->calls_are_regions = jco_has_calls(&j->data);
    }
    if (st == PRVCUT_OK && !jco_has_calls(&j->data) && !j->trace->once &&
        job_has_roles(j->trace, JOB_CALLING))
        st = collect_again(j, false, err);
    j->calls_are_states = !j->calls_are_regions && jco_has_calls(&j->data) &&
                          (!seen || !job_has_roles(j->trace, JOB_CALLING));
    return st;
}

/* Calls outside the window that is to be analysed do not count. */
static void jco_trim_calls(struct job *j)
{
    const struct prvcut_span *only = &j->wish.only;

    for (size_t i = 0; only->end > 0 && i < j->data.sequences; i++) {
        struct prvcut_call_sequence *s = &j->data.sequence[i];
        size_t kept = 0;

        for (size_t k = 0; k < s->count; k++)
            if (s->at[k].time >= only->start && s->at[k].time < only->end)
                s->at[kept++] = s->at[k];
        s->count = kept;
    }
}

uint64_t job_records(const struct job *j)
{
    const struct prvcut_counts *c = &j->data.counts;

    /* Where threads are recorded apart, one record may tell a state, an event and half a message.
     */
    return j->trace->reader->halves ? c->lines : c->states + c->events + c->messages;
}

/* Are most of them but the places that bursts are called from? */
static bool jco_are_sites(const struct prvcut_collection *c)
{
    const uint32_t burst = prvcut_call_of_burst();
    size_t calls = 0, sites = 0;

    for (size_t i = 0; i < c->sequences; i++)
        for (size_t k = 0; k < c->sequence[i].count; k++) {
            calls++;
            sites += c->sequence[i].at[k].call == burst;
        }
    return 2 * sites > calls;
}

/* What to type for the trace. Of one that ends inside a line other commands must hear that. */
static enum prvcut_status jco_fill_typed(struct job *j, struct prvcut_error *err)
{
    struct prvcut_buffer b = { .at = NULL };
    char **typed = &j->out->typed;
    enum prvcut_status st = j->trace->once ? PRVCUT_OK : prvcut_trace_typed(typed, j->trace, err);

    if (st < 0 || !*typed || !j->trace->unended || j->data.counts.skipped == 0)
        return st;
    st = prvcut_buffer_printf(&b, err, "--lenient %s", *typed);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&b, "", 1, err);
    free(*typed);
    *typed = b.at;
    return st;
}

static enum prvcut_status jco_fill_input(struct job *j, struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    const struct prvcut_counts *c = &j->data.counts;

    r->is.path = prvcut_copied_text(prvcut_trace_told(j->trace), "a file name", err);
    if (!r->is.path)
        return PRVCUT_ENOMEM;
    if (prvcut_trace_called(&r->is.name, j->trace, err) < 0)
        return PRVCUT_ENOMEM;
    if (jco_fill_typed(j, err) < 0)
        return PRVCUT_ENOMEM;
    r->piped = prvcut_trace_is_piped(j->trace);
    if (prvcut_output_pattern(&r->cuts, j->trace, err) < 0)
        return PRVCUT_ENOMEM;
    r->is.calls_are = j->calls_are_regions      ? "regions"
                      : j->calls_are_states     ? "states"
                      : jco_are_sites(&j->data) ? "call sites"
                                                : "MPI calls";
    r->is.format = j->trace->reader->format->name;
    r->is.suffix = j->trace->reader->format->suffix;
    r->is.viewer = j->trace->reader->format->viewer;
    r->is.numbered = j->trace->reader->format->numbered;
    r->is.bytes = j->trace->bytes;
    r->is.text_bytes = c->bytes;
    r->is.states = c->states;
    r->is.events = c->events;
    r->is.messages = c->messages;
    r->is.records = job_records(j);
    r->is.skipped = c->skipped;
    r->is.end_ns = j->end_ns;
    r->is.applications = j->trace->objects.applications;
    r->is.tasks = j->trace->objects.tasks;
    r->is.threads = j->trace->objects.threads;
    return PRVCUT_OK;
}

static void jco_note_bent(struct job *j)
{
    char text[200];

    for (unsigned i = 0; i < PRVCUT_BENTS; i++)
        if (j->data.counts.bent[i].count > 0)
            job_aside(j, "%s", prvcut_bent_text(text, sizeof text, i, &j->data.counts.bent[i]));
}

static void jco_note_input(struct job *j)
{
    const struct prvcut_counts *c = &j->data.counts;
    char count[32], time[32];

    if (j->calls_are_regions)
        job_aside(
            j, "no MPI calls in the trace: the loop was sought in the regions that threads enter");
    else if (j->calls_are_states)
        job_aside(j, "no calls in the trace: the loop was sought in the states of the threads");
    if (j->trace->so_far)
        job_note(
            j,
            "found while the trace was being written, in its first %s: %s of the run; what follows "
            "is not known, nor a loop around it",
            prvcut_size_text(count, (double)j->trace->bytes),
            prvcut_time_text(time, (double)j->end_ns));
    if (c->skipped > 0 && j->trace->unended)
        job_note(j, "the trace ends inside its last line, which is left out");
    else if (c->skipped > 0)
        job_note(j, "%s damaged record%s skipped", prvcut_count_text(count, c->skipped),
                 c->skipped == 1 ? "" : "s");
    if (c->unsorted > 0)
        job_note(j, "out of order: %s line%s, first line %" PRIu64 "; 'prvcut convert' sorts",
                 prvcut_count_text(count, c->unsorted), c->unsorted == 1 ? "" : "s",
                 c->first_unsorted);
    if (c->beyond_end > 0)
        job_note(j, "beyond the end that the header gives: %s record%s",
                 prvcut_count_text(count, c->beyond_end), c->beyond_end == 1 ? "" : "s");
    if (c->no_last_newline)
        job_aside(j, "the last line has no line end");
    jco_note_bent(j);
    if (!job_has_roles(j->trace, PRVCUT_ROLE_BIT(PRVCUT_ROLE_CYCLES)))
        job_aside(j, "preemption unknown: no cycle counter (PAPI_TOT_CYC) in the trace");
}

enum prvcut_status job_tell_input(struct job *j, struct prvcut_error *err)
{
    jco_note_input(j);
    return jco_fill_input(j, err);
}

/* Of a trace that holds nothing but counters these tell the loop. */
static const enum prvcut_metric_id counting[] = { PRVCUT_IPC, PRVCUT_INSTRUCTIONS };

bool job_ask_counters(struct job *j)
{
    const uint32_t before = j->metrics;

    if (j->wish.metrics || jco_has_calls(&j->data) ||
        !job_has_roles(j->trace, PRVCUT_ROLE_BIT(PRVCUT_ROLE_INSTRUCTIONS)))
        return false;
    for (size_t i = 0; i < PRVCUT_METRICS; i++)
        if ((PRVCUT_METRICS_DETECTING >> i & 1) && j->data.signal[i].at)
            return false;
    for (size_t i = 0; i < sizeof counting / sizeof *counting; i++)
        j->metrics |= PRVCUT_METRIC_BIT(counting[i]);
    return j->metrics != before;
}

enum prvcut_status job_collect(struct job *j, struct prvcut_error *err)
{
    uint32_t metrics;
    bool calls;
    enum prvcut_status st = job_metrics(j, &metrics, &calls, err);

    j->end_ns = j->trace->end_ns;
    if (st == PRVCUT_OK && index_recall_collection(j, metrics, calls)) {
        if (!job_ask_counters(j))
            return job_tell_input(j, err);
        prvcut_collection_fini(&j->data);
        metrics |= j->metrics;
    }
    if (st == PRVCUT_OK)
        st = jco_pass(j, metrics, calls, err);
    /* Of what is still being written records reach beyond its end, that is all. */
    if (st == PRVCUT_OK && !j->trace->so_far && j->data.counts.last_ns > j->end_ns) {
        /* The bins were laid over too short a run. */
        j->end_ns = j->data.counts.last_ns;
        prvcut_collection_fini(&j->data);
        st = jco_pass(j, metrics, calls, err);
    }
    if (st == PRVCUT_OK && calls)
        st = jco_find_calls(j, err);
    if (st == PRVCUT_OK && !j->trace->once && job_ask_counters(j)) {
        prvcut_collection_fini(&j->data);
        st = jco_pass(j, metrics | j->metrics, calls, err);
    }
    if (st < 0)
        return st;
    jco_trim_calls(j);
    return job_tell_input(j, err);
}
