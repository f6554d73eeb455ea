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
