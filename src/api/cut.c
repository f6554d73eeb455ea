#include "api/answers.h"
#include "api/entries.h"
#include "prvcut/reduce.h"

#include "api/able.h"
#include "api/archived_cuts.h"
#include "api/cut_filtered.h"
#include "api/index.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/own_folder.h"
#include "api/select.h"
#include "base/memory.h"
#include "model/texts.h"
#include "model/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The times in a cut are those that the processes recorded, unless these contradict each other. */
static enum prvcut_status cut_note_clocks(const struct prvcut_trace *t,
                                          const struct prvcut_cut_options *options,
                                          struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    const struct prvcut_clocks *k = &t->clocks;
    char text[200], apart[32], within[32], still[32];

    if (!k->skewed)
        return PRVCUT_OK;
    prvcut_time_text(apart, (double)(k->most - k->least));
    prvcut_time_text(within, (double)k->doubt);
    prvcut_time_text(still, (double)k->residual);
    if (options->own_clocks)
        snprintf(text, sizeof text, "clocks of the ranks are %s apart, and stay so in the cut",
                 apart);
    else
        snprintf(text, sizeof text,
                 "clocks of the ranks were %s apart; brought together in the cut to within %s%s%s, "
                 "--own-clocks keeps them",
                 apart, within, k->residual > 0 ? " but for " : "", k->residual > 0 ? still : "");
    return prvcut_texts_add(&out->note, &out->notes, text, err);
}

/* The folder appears when all is in it. */
static enum prvcut_status cut_into_folder(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_window *window,
                                          const struct prvcut_cut_options *options,
                                          struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct prvcut_cut_options inside = *options;
    struct prvcut_own_folder own;
    enum prvcut_status st = prvcut_own_folder_begin(&own, options->path, options->force, err);

    inside.path = own.inside;
    if (st == PRVCUT_OK)
        st = cut_filtered(trace, run, &(struct prvcut_subtrace){ window, &inside, out }, 1, err);
    return prvcut_own_folder_end(&own, st, out->file, out->files, err);
}

/* Can it be cut so, and where to? */
static enum prvcut_status cut_ready(char **path, const struct prvcut_trace *trace,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_cut_can(trace, options, err);

    if (st < 0 || options->archive)
        return st < 0 ? st : archived_cut_check(trace, options, err);
    return prvcut_output_settle(path, trace, options, REPORT_TAG_CUT, err);
}

/* What the reader of a cut should know beyond what was cut. */
static enum prvcut_status cut_add_notes(const struct prvcut_trace *t,
                                        const struct prvcut_cut_options *options,
                                        struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_bent_notes(&out->note, &out->notes, t->bent, err);

    return st < 0 ? st : cut_note_clocks(t, options, out, err);
}

enum prvcut_status api_cut_check(const struct prvcut_trace *trace,
                                 const struct prvcut_cut_options *options, struct prvcut_error *err)
{
    char *path = NULL;
    enum prvcut_status st = cut_ready(&path, trace, options, err);

    if (st == PRVCUT_OK && (options->filters > 0 || able_is(trace->reader, PRVCUT_ABLE_RULES)))
        st = trace->reader->filter_check(trace, options, err);

    free(path);
    return st;
}

/* Each thread's own window, where these are given; *bound is the caller's, and w's threads it. */
static enum prvcut_status cut_thread_windows(struct prvcut_window *w, uint64_t **bound,
                                             const struct prvcut_trace *t,
                                             const struct prvcut_cut_options *o,
                                             struct prvcut_error *err)
{
    const uint32_t threads = t->objects.threads;

    if (!o->thread)
        return PRVCUT_OK;
    if (o->threads != threads)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%" PRIu32 " threads have windows; the trace has %" PRIu32, o->threads,
                           threads);
    if (o->max_bytes > 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a cut of at most so many bytes ends at one time for all threads");
    *bound = prvcut_unset(2 * (size_t)threads, sizeof **bound, "threads", err);
    if (!*bound)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < threads; i++) {
        const struct prvcut_span s = o->thread[i];

        if (s.start < s.end && (s.start < w->from || s.end > w->to))
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "thread %" PRIu32 ": %" PRIu64 "ns to %" PRIu64
                               "ns is not inside the window",
                               i, s.start, s.end);
        (*bound)[i] = s.start < s.end ? s.start : w->from;
        (*bound)[threads + i] = s.start < s.end ? s.end : w->from;
    }
    w->thread_from = *bound;
    w->thread_to = *bound + threads;
    return PRVCUT_OK;
}

/* What is cut in an archive: a window, or what is named. */
struct cut_asked {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_span *window;
    const struct prvcut_selection *what; /* in place of window */
    struct prvcut_cut_summary *out;
};

static enum prvcut_status cut_without(const void *ctx, const struct prvcut_cut_options *o,
                                      struct prvcut_error *err)
{
    const struct cut_asked *c = ctx;

    return c->what ? api_cut_named(c->trace, c->run, c->what, o, c->out, err)
                   : api_cut(c->trace, c->run, c->window, o, c->out, err);
}

static enum prvcut_status cut_into_archive(const struct cut_asked *c,
                                           const struct prvcut_cut_options *options,
                                           struct prvcut_error *err)
{
    const struct archived_cut in = {
        .trace = c->trace, .run = c->run, .make = cut_without, .ctx = c, .out = c->out
    };

    return archived_cut(&in, options, err);
}

enum prvcut_status api_cut(struct prvcut_trace *trace, const struct prvcut_run *run,
                           const struct prvcut_span *window,
                           const struct prvcut_cut_options *options, struct prvcut_cut_summary *out,
                           struct prvcut_error *err)
{
    const struct prvcut_consumer nothing = { .roles = 0 };
    struct prvcut_window cut = { .from = window->start, .to = window->end };
    struct prvcut_cut_options named = *options;
    uint64_t *bound = NULL;
    char *path = NULL;
    enum prvcut_status st;

    if (options->archive)
        return cut_into_archive(&(struct cut_asked){ trace, run, window, NULL, out }, options, err);
    if (window->end <= window->start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it ends at %" PRIu64 "ns and begins at %" PRIu64
                           "ns",
                           window->end, window->start);
    st = prvcut_window_begins_within(window->start, trace->end_ns, err);
    if (st < 0)
        return st;
    st = cut_thread_windows(&cut, &bound, trace, options, err);
    if (st == PRVCUT_OK)
        st = cut_ready(&path, trace, options, err);
    if (st < 0) {
        free(bound);
        free(path);
        return st;
    }
    named.path = path;
    st = index_recall_blocks(trace) ? PRVCUT_OK
                                    : trace->reader->scan(trace, run, &nothing, NULL, err);
    if (st == PRVCUT_OK && prvcut_own_folder_is_for(trace, options) && !options->dry_run)
        st = cut_into_folder(trace, run, &cut, &named, out, err);
    else if (st == PRVCUT_OK)
        st = cut_filtered(trace, run, &(struct prvcut_subtrace){ &cut, &named, out }, 1, err);
    if (st == PRVCUT_OK)
        st = cut_add_notes(trace, options, out, err);
    free(bound);
    free(path);
    return prvcut_trace_outcome(trace, st, err);
}

enum prvcut_status api_cut_named(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_selection *what,
                                 const struct prvcut_cut_options *options,
                                 struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    /* What ends at a size ends at one time for all. */
    const struct prvcut_reduce_options o = { .iterations = 1,
                                             .align = options->max_bytes > 0 ? PRVCUT_ALIGN_STRAIGHT
                                                                             : PRVCUT_ALIGN_AUTO,
                                             .level = what->level,
                                             .regions = what->region,
                                             .first_iteration = what->first,
                                             .last_iteration = what->last,
                                             .whole = true,
                                             .cut = options };
    struct made_reduction r = { 0 };
    enum prvcut_status st = api_region_is_one(what->region, err);

    if (st < 0)
        return st;
    if (options->archive)
        return cut_into_archive(&(struct cut_asked){ trace, run, NULL, what, out }, options, err);
    st = api_reduce(trace, run, &o, &r, err);
    if (st == PRVCUT_NONE)
        snprintf(err->text, sizeof err->text, "%s", r.is.reason);
    if (st == PRVCUT_OK) {
        *out = r.chop[0].cut;
        memset(&r.chop[0].cut, 0, sizeof r.chop[0].cut);
        st = cut_add_notes(trace, options, out, err);
    }
    api_reduction_fini(&r);
    return st;
}
