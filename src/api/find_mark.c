#include "api/entries.h"
#include "prvcut/find.h"

#include "api/mark.h"
#include "api/opening.h"
#include "base/memory.h"

#include <stdlib.h>

/* One row a part, with where it begins and ends; matches of one thread overlap none. */
static enum prvcut_status fmk_lay(const struct made_find *f, struct prvcut_mark_row *row,
                                  uint64_t *at, struct made_marking *out, struct prvcut_error *err)
{
    uint8_t *seen = prvcut_zeroed((size_t)f->thread_names + 1, 1, "threads", err);

    if (!seen)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < f->parts; i++) {
        const struct prvcut_find_part *p = &f->part[i];

        at[2 * i] = p->span.start;
        at[2 * i + 1] = p->span.end;
        row[i] = (struct prvcut_mark_row){ .thread = p->thread, .at = &at[2 * i], .count = 2 };
        out->is.tasks += !seen[p->thread];
        seen[p->thread] = 1;
    }
    out->is.own_tasks = out->is.tasks;
    free(seen);
    return PRVCUT_OK;
}

enum prvcut_status api_find_mark(const struct made_find *f, struct prvcut_trace *in,
                                 const struct prvcut_run *run, const struct prvcut_cut_options *to,
                                 struct made_marking *out, struct prvcut_error *err)
{
    struct prvcut_mark_row *row = prvcut_zeroed(f->parts, sizeof *row, "marks", err);
    uint64_t *at = prvcut_zeroed(f->parts, 2 * sizeof *at, "marks", err);
    enum prvcut_status st = row && at ? api_mark_usable(in, to, err) : PRVCUT_ENOMEM;

    out->structure = (struct made_structure){ .is.reason = "", .is.main = SIZE_MAX };
    if (st == PRVCUT_OK && f->parts == 0)
        st = PRVCUT_NONE;
    if (st == PRVCUT_OK)
        st = fmk_lay(f, row, at, out, err);
    if (st == PRVCUT_OK)
        st = api_mark_put(in, run, &(struct prvcut_marks){ row, f->parts, &prvcut_mark_iterations },
                          to, out, err);
    free(row);
    free(at);
    return prvcut_trace_outcome(in, st, err);
}

/* --- A match as a cut ------------------------------------------------------------------------- */

/* Each thread at its own calls; what shares a task with one of these, at that one's. */
static void fmk_spans(const struct made_find *f, size_t match, const struct prvcut_objects *o,
                      struct prvcut_span *span)
{
    const struct prvcut_find_match *m = prvcut_find_match(&f->is, match);

    for (size_t i = 0; i < m->parts; i++) {
        const struct prvcut_find_part *p = prvcut_find_part(&f->is, match, i);
        const uint32_t task = o->thread_task[p->thread];

        for (uint32_t t = o->task_first_thread[task]; t < o->task_first_thread[task + 1]; t++)
            if (t == p->thread || span[t].end == 0)
                span[t] = p->span;
    }
}

enum prvcut_status api_find_cut(const struct made_find *f, struct prvcut_trace *in,
                                const struct prvcut_run *run, size_t match,
                                const struct prvcut_cut_options *options,
                                struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    const uint32_t threads = in->objects.threads;
    const struct prvcut_find_match *m = prvcut_find_match(&f->is, match);
    struct prvcut_cut_options each = *options;
    struct prvcut_span *span;
    enum prvcut_status st;

    if (f->thread_names != threads)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s is not the trace that was searched",
                           prvcut_trace_told(in));
    if (!m)
        return prvcut_fail(err, PRVCUT_EUSAGE, "there is no match %zu; there are %zu", match + 1,
                           f->is.matches);
    span = prvcut_zeroed(threads, sizeof *span, "threads", err);
    if (!span)
        return PRVCUT_ENOMEM;
    fmk_spans(f, match, &in->objects, span);
    each.thread = span;
    each.threads = threads;
    st = api_cut(in, run, &m->span, &each, out, err);
    free(span);
    return st;
}
