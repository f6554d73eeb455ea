#include "prvcut/reduce.h"

#include "api/index.h"
#include "api/names.h"
#include "api/opening.h"
#include "model/notes.h"
#include "model/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void prvcut_cut_summary_fini(struct prvcut_cut_summary *s)
{
    for (unsigned i = 0; i < 3; i++)
        free(s->file[i]);
    for (size_t i = 0; i < s->notes; i++)
        free(s->note[i]);
    free(s->note);
    memset(s, 0, sizeof *s);
}

/* The times in a cut are those that the processes recorded, unless these contradict each other. */
static enum prvcut_status note_clocks(const struct prvcut_trace *t,
                                      const struct prvcut_cut_options *options,
                                      struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    if (!t->clocks.skewed || options->own_clocks)
        return PRVCUT_OK;
    return prvcut_notes_add(&out->note, &out->notes,
                            "the cut has the processes' clocks brought together; --own-clocks "
                            "keeps each process's own",
                            err);
}

enum prvcut_status prvcut_cut(struct prvcut_trace *trace, const struct prvcut_run *run,
                              const struct prvcut_span *window,
                              const struct prvcut_cut_options *options,
                              struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    const struct prvcut_consumer nothing = { .roles = 0 };
    const struct prvcut_window straight = { .from = window->start, .to = window->end };
    struct prvcut_cut_options named = *options;
    char *path = NULL;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (window->end <= window->start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it ends at %" PRIu64 "ns and begins at %" PRIu64
                           "ns",
                           window->end, window->start);
    st = prvcut_window_begins_within(window->start, trace->end_ns, err);
    if (st < 0)
        return st;
    if (trace->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a cut reads the trace twice and cannot take it from a pipe; "
                           "save it to a file first",
                           prvcut_trace_told(trace));
    if (!trace->reader->cut)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a trace in format %s cannot be written; convert it first",
                           prvcut_trace_told(trace), trace->reader->name);
    if ((options->filters > 0 || options->max_bytes > 0) && !trace->reader->filter)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a trace in format %s cannot be filtered or cut by size; convert it "
                           "to Paraver first",
                           prvcut_trace_told(trace), trace->reader->name);
    st = prvcut_output_settle(&path, trace, options, REPORT_TAG_CUT, err);
    if (st < 0) {
        free(path);
        return st;
    }
    named.path = path;
    st = index_recall_blocks(trace) ? PRVCUT_OK
                                    : trace->reader->scan(trace, run, &nothing, NULL, err);
    if (st == PRVCUT_OK)
        st = trace->reader->cut(trace, run, &straight, &named, out, err);
    if (st == PRVCUT_OK)
        st = prvcut_bent_notes(&out->note, &out->notes, trace->bent, err);
    if (st == PRVCUT_OK)
        st = note_clocks(trace, options, out, err);
    free(path);
    if (st < 0)
        prvcut_cut_summary_fini(out);
    return prvcut_trace_outcome(trace, st, err);
}
