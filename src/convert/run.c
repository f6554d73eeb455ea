#include "base/memory.h"
#include "base/print.h"
#include "convert/flow.h"
#include "model/lost.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Seconds since 1970 at `from`. Where the trace does not tell, it is when it was written: nothing
   better is known. */
static int64_t run_wall_clock(const struct prvcut_trace *t, uint64_t from)
{
    struct stat info;

    if (t->wall_clock != INT64_MIN)
        return t->wall_clock + (int64_t)(from / 1000000000);
    return stat(t->path, &info) == 0 ? (int64_t)info.st_mtime : INT64_MIN;
}

/* Records that the writer counted as lost were not written. */
static void run_settle_counts(struct made_convert_summary *sum, const uint64_t *before,
                              const struct prvcut_writer *writer)
{
    const struct {
        uint64_t *count;
        enum prvcut_carry what;
    } kind[] = {
        { &sum->is.written.states, PRVCUT_CARRY_STATES },
        { &sum->is.written.regions, PRVCUT_CARRY_REGIONS },
        { &sum->is.written.events, PRVCUT_CARRY_EVENTS },
        { &sum->is.written.counters, PRVCUT_CARRY_COUNTERS },
        { &sum->is.written.messages, PRVCUT_CARRY_MESSAGES },
    };

    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        const uint64_t lost = sum->lost[kind[i].what] - before[kind[i].what];

        if (kind[i].what == PRVCUT_CARRY_MESSAGES && !writer->whole_messages)
            continue;
        *kind[i].count -= lost < *kind[i].count ? lost : *kind[i].count;
    }
}

/* What the writer as a whole cannot carry is counted here, unless it did so itself. */
static void run_count_losses(struct cnv_flow *f, const struct prvcut_outline *o)
{
    const struct prvcut_trace *t = f->job->trace;
    const bool states = !t->reader->by_thread || t->states_recorded;
    uint64_t *had = f->extra;

    for (size_t i = 0; i < o->dictionary->states && states; i++)
        had[PRVCUT_CARRY_COLOURS] += o->dictionary->state[i].colour >= 0;
    had[PRVCUT_CARRY_COMMUNICATORS] += o->objects->communicators;
    had[PRVCUT_CARRY_NODES] += o->objects->nodes;
    had[PRVCUT_CARRY_APPLICATIONS] += o->objects->applications > 1 ? o->objects->applications : 0;
    for (unsigned i = 0; i < PRVCUT_CARRIES; i++)
        if (!(f->job->writer->carries >> i & 1) && f->sum->lost[i] == 0)
            f->sum->lost[i] = had[i];
}

/* "9 nodes, 3 sends without a receive": each kind of what was left out; "" for nothing. */
static void run_put_losses(char *out, size_t room, const struct made_convert_summary *sum)
{
    struct prvcut_lost lost[PRVCUT_LOSSES];
    char count[32];
    size_t n = 0;

    *out = '\0';
    prvcut_lost_counts(lost, sum);
    for (unsigned i = 0; i < PRVCUT_LOSSES; i++)
        if (lost[i].n > 0 && n < room)
            n += (size_t)snprintf(out + n, room - n, "%s%s %s", n > 0 ? ", " : "",
                                  prvcut_count_text(count, lost[i].n),
                                  lost[i].n == 1 ? lost[i].one : lost[i].several);
}

static enum prvcut_status run_refuse_losses(const struct cnv_job *job,
                                            const struct made_convert_summary *sum,
                                            struct prvcut_error *err)
{
    char losses[400];

    run_put_losses(losses, sizeof losses, sum);
    if (!job->options->strict || *losses == '\0')
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_ELOSS, "%s: %s cannot hold %s; nothing was written (--strict)",
                       prvcut_trace_told(job->trace), job->writer->format->name, losses);
}

static enum prvcut_status run_write_all(struct cnv_flow *f, const struct prvcut_outline *outline,
                                        struct prvcut_error *err)
{
    const struct cnv_job *job = f->job;
    const struct prvcut_writer *writer = job->writer;
    uint64_t before[PRVCUT_CARRIES];
    enum prvcut_status st =
        writer->open(&f->writing, job->options->path, outline, job->options, err);

    if (st < 0)
        return st;
    memcpy(before, f->sum->lost, sizeof before);
    st = cnv_deliver(f, err);
    if (job->sift)
        cnv_sift_end(job->sift);
    run_settle_counts(f->sum, before, writer);
    run_count_losses(f, outline);
    if (st == PRVCUT_OK)
        st = run_refuse_losses(job, f->sum, err);
    if (st < 0 || job->options->dry_run) {
        writer->abandon(f->writing);
        return st;
    }
    return writer->commit(f->writing, f->sum, err);
}

/* --- Collectives, which are told as the trace is read -------------------------------------------
 */

/* What of them is kept of a part. */
struct run_part {
    struct cnv_rooted_list rooted;
    struct cnv_split_list split;
};

/* Where some tasks are left out, their collectives are not whole anyway. */
static bool run_splits(const struct cnv_flow *f)
{
    return f->windowed && f->selection.all;
}

static enum prvcut_status run_begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                    struct prvcut_error *err)
{
    const struct cnv_flow *f = ctx;
    const uint64_t end = f->job->options->only.end;
    struct run_part *p = prvcut_zeroed(1, sizeof *p, "a part", err);

    (void)worker, (void)part;
    *state = p;
    if (!p)
        return PRVCUT_ENOMEM;
    cnv_split_begin(&p->split, &f->job->trace->objects,
                    (struct prvcut_span){ f->from, end > 0 ? end : UINT64_MAX });
    return PRVCUT_OK;
}

static enum prvcut_status run_batch(void *ctx, unsigned worker, void *state,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct cnv_flow *f = ctx;
    struct run_part *p = state;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    if (f->job->writer->wants_roots)
        st = cnv_rooted_note(&p->rooted, b, f->job->sift ? f->job->sift->rules : NULL, err);
    return st == PRVCUT_OK && run_splits(f) ? cnv_split_note(&p->split, b, err) : st;
}

static enum prvcut_status run_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct cnv_flow *f = ctx;
    struct run_part *p = state;
    enum prvcut_status st = PRVCUT_OK;

    if (f->job->writer->wants_roots)
        st = cnv_roots_add(&f->roots, &p->rooted, f->from, err);
    return st == PRVCUT_OK && run_splits(f) ? cnv_split_add(&f->split, &p->split, err) : st;
}

static void run_discard(void *ctx, void *state)
{
    struct run_part *p = state;

    (void)ctx;
    if (!p)
        return;
    cnv_rooted_fini(&p->rooted);
    cnv_split_list_fini(&p->split);
    free(p);
}

/* --- All of it ----------------------------------------------------------------------------------
 */

static enum prvcut_status run_gather(struct cnv_flow *f, struct prvcut_error *err)
{
    const struct prvcut_stream_counts *counts = prvcut_stream_counts(f->stream);
    enum prvcut_status st = prvcut_stream_gather(f->stream, err);

    f->sum->is.read = counts->read;
    f->sum->lost[PRVCUT_CARRY_MESSAGES] += counts->crossing;
    f->sum->is.unmatched += counts->unmatched;
    if (st == PRVCUT_OK && f->job->writer->wants_roots)
        st = cnv_roots_settle(&f->roots, &f->selection, err);
    if (st == PRVCUT_OK && run_splits(f))
        st = cnv_split_settle(&f->split, &f->job->trace->objects, err);
    return st;
}

static enum prvcut_status run_convert(struct cnv_flow *f, struct prvcut_dictionary *d,
                                      struct prvcut_error *err)
{
    const struct cnv_job *job = f->job;
    struct prvcut_outline outline = { .source = prvcut_trace_told(job->trace),
                                      .format = job->trace->reader->format->name,
                                      .command = job->options->command,
                                      .dictionary = d,
                                      .wall_clock = run_wall_clock(job->trace, f->from),
                                      .calls_nest = prvcut_trace_calls_nest(job->trace),
                                      .span_told = job->sift || job->clock || job->holes,
                                      .threads = job->run->threads,
                                      .run = job->run };
    enum prvcut_status st = run_gather(f, err);

    if (st == PRVCUT_OK)
        st = job->trace->reader->describe(job->trace, d, err);
    if (st < 0)
        return st;
    cnv_selection_names(&f->selection, &job->trace->objects, d);
    outline.objects = f->selection.all ? &job->trace->objects : &f->selection.objects;
    outline.end_ns = prvcut_stream_length(f->stream);
    if (f->selection.all && job->options->only.end == 0 && !job->clock)
        outline.own_window = job->trace->own_window;
    return run_write_all(f, &outline, err);
}

static enum prvcut_status run_start(struct cnv_flow *f, const struct prvcut_consumer *also,
                                    struct prvcut_error *err)
{
    const struct cnv_job *job = f->job;
    struct prvcut_stream_plan options = {
        .trace = job->trace,
        .run = job->run,
        .only = job->options->only,
        .thread = f->selection.all ? NULL : f->selection.thread,
        .by_thread = job->writer->order == PRVCUT_BY_THREAD,
        .states = job->states,
        .whole_messages = job->writer->whole_messages,
        /* Scalasca waits for ever for an end that never comes. */
        .met = job->options->for_scalasca,
        .memory = job->options->memory,
        .scratch = job->options->scratch,
        .clock = job->clock,
        .choice = job->holes ? &f->choice : NULL,
        .phase = PRVCUT_PHASE_WRITING,
    };

    if (job->holes)
        f->choice = cnv_holes_choice(job->holes);
    f->windowed = prvcut_stream_window(&options, &f->from);
    if (job->writer->wants_roots || run_splits(f))
        options.also = also;
    return prvcut_stream_new(&f->stream, &options, err);
}

enum prvcut_status cnv_run(const struct cnv_job *job, struct made_convert_summary *sum,
                           struct prvcut_error *err)
{
    struct prvcut_dictionary d = { 0 };
    struct cnv_flow f = { .job = job, .sum = sum };
    const struct prvcut_consumer also = {
        .ctx = &f, .begin = run_begin, .batch = run_batch, .join = run_join, .discard = run_discard
    };
    const struct prvcut_objects *o = &job->trace->objects;
    enum prvcut_status st = cnv_selection_init(&f.selection, o, job->options->tasks, err);

    if (st == PRVCUT_OK && job->writer->wants_roots)
        st = cnv_roots_init(&f.roots, o, err);
    if (st == PRVCUT_OK && job->clock)
        st = cnv_outer_init(&f.outer, o->threads, job->clock, err);
    if (st == PRVCUT_OK)
        st = run_start(&f, &also, err);
    if (st == PRVCUT_OK)
        st = run_convert(&f, &d, err);
    prvcut_dictionary_fini(&d);
    cnv_roots_fini(&f.roots);
    cnv_split_fini(&f.split);
    cnv_selection_fini(&f.selection);
    cnv_outer_fini(&f.outer);
    prvcut_stream_free(f.stream);
    return st;
}
