#include "api/entries.h"
#include "prvcut/waits.h"

#include "api/mark.h"
#include "api/opening.h"
#include "base/memory.h"

#include <stdlib.h>

enum prvcut_status api_waits_mark(const struct made_wait_states *w, struct prvcut_trace *trace,
                                  const struct prvcut_run *run, const struct prvcut_cut_options *to,
                                  struct made_marking *out, struct prvcut_error *err)
{
    const bool kept = w->mark && w->marked == trace->objects.threads;
    struct prvcut_mark_row *row = prvcut_zeroed((size_t)w->marked + 1, sizeof *row, "marks", err);
    struct prvcut_marks marks = { .row = row, .kind = &prvcut_mark_waits };
    enum prvcut_status st = row ? api_mark_usable(trace, to, err) : PRVCUT_ENOMEM;

    out->structure = (struct made_structure){ .is.reason = "", .is.main = SIZE_MAX };
    if (st == PRVCUT_OK && !kept)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "where calls wait was not kept to be marked");
    for (uint32_t i = 0; st == PRVCUT_OK && i < w->marked; i++)
        if (w->mark[i].count > 0)
            row[marks.rows++] = (struct prvcut_mark_row){ .thread = i,
                                                          .at = w->mark[i].at,
                                                          .count = w->mark[i].count,
                                                          .value = w->mark[i].value };
    out->is.tasks = out->is.own_tasks = (uint32_t)marks.rows;
    if (st == PRVCUT_OK)
        st = marks.rows > 0 ? api_mark_put(trace, run, &marks, to, out, err) : PRVCUT_NONE;
    free(row);
    return prvcut_trace_outcome(trace, st, err);
}
