#include "api/job_parts.h"

#include "base/memory.h"

#include <stdlib.h>

static int jpa_by_start(const void *a, const void *b)
{
    const struct prvcut_span *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* The time of a stretch on all threads. */
static struct prvcut_span jpa_hull(const struct prvcut_window *w, uint32_t threads)
{
    struct prvcut_span all = { w->from, w->to };

    for (uint32_t k = 0; w->thread_from && k < threads; k++) {
        const struct prvcut_span own = prvcut_window_own(w, k);

        all.start = own.start < all.start ? own.start : all.start;
        all.end = own.end > all.end ? own.end : all.end;
    }
    return all;
}

enum prvcut_status job_parts_lay(struct job_parts *p, const struct prvcut_proof_region *stretch,
                                 size_t stretches, uint64_t before, uint32_t threads,
                                 struct prvcut_error *err)
{
    size_t count = 0;

    *p = (struct job_parts){ .only = { .before = before } };
    p->span = prvcut_unset(stretches + 1, sizeof *p->span, "windows", err);
    if (!p->span)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < stretches; i++)
        p->span[i] = jpa_hull(&stretch[i].window, threads);
    qsort(p->span, stretches, sizeof *p->span, jpa_by_start);
    for (size_t i = 0; i < stretches; i++) {
        if (count == 0 || p->span[i].start > p->span[count - 1].end + before)
            p->span[count++] = p->span[i];
        else if (p->span[i].end > p->span[count - 1].end)
            p->span[count - 1].end = p->span[i].end;
    }
    p->only.span = p->span;
    p->only.spans = count;
    return PRVCUT_OK;
}

void job_parts_fini(struct job_parts *p)
{
    free(p->span);
    *p = (struct job_parts){ .span = NULL };
}
