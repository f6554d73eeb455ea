#include "api/job_kinds.h"

#include "api/job_rows.h"
#include "api/job_windows.h"

#include "base/memory.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

void job_kinds_fini(struct job_kinds *k)
{
    free(k->border);
    free(k->length);
    free(k->calls);
    free(k->clear);
    free(k->label);
    *k = (struct job_kinds){ .count = 0 };
}

static enum prvcut_status jkn_new(struct job_kinds *k, size_t room, struct prvcut_error *err)
{
    k->border = prvcut_zeroed(room + 1, sizeof *k->border, "iterations", err);
    k->length = prvcut_zeroed(room + 1, sizeof *k->length, "iterations", err);
    k->calls = prvcut_zeroed(room + 1, sizeof *k->calls, "iterations", err);
    k->clear = prvcut_zeroed(room + 1, sizeof *k->clear, "iterations", err);
    k->label = prvcut_zeroed(room + 1, sizeof *k->label, "iterations", err);
    return k->border && k->length && k->calls && k->clear && k->label ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* room: [threads]; *told: false where the calls of an iteration are unknown */
static void jkn_add(struct job_kinds *k, const struct job *j, const struct prvcut_stretch *t,
                    double *room, bool *told)
{
    for (size_t i = 0; i + 1 < t->borders; i++) {
        const struct prvcut_span span = { t->border[i], t->border[i + 1] };

        k->border[k->count] = t->border + i;
        k->length[k->count] = (double)(span.end - span.start);
        k->clear[k->count] = !job_row_is_touched(j, &span);
        k->calls[k->count] = job_windows_calls(j, span.start, room);
        *told = *told && !isnan(k->calls[k->count]);
        k->count++;
    }
}

enum prvcut_status job_kinds_find(struct job_kinds *k, const struct job *j, size_t region,
                                  struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    double *threads =
        prvcut_unset((size_t)j->trace->objects.threads + 1, sizeof *threads, "threads", err);
    size_t room = 0;
    bool told = true;
    enum prvcut_status st;

    *k = (struct job_kinds){ .region = region };
    for (size_t i = 0; i < s->is.stretches; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], &s->region[region]))
            room += s->stretch[i].borders;
    st = threads ? jkn_new(k, room, err) : PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->is.stretches && st == PRVCUT_OK; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], &s->region[region]))
            jkn_add(k, j, &s->stretch[i], threads, &told);
    if (st == PRVCUT_OK)
        st = prvcut_kinds_find(k->kind, &k->kinds, k->label,
                               &(struct prvcut_kinds_input){ .length = k->length,
                                                             .calls = told ? k->calls : NULL,
                                                             .clear = k->clear,
                                                             .count = k->count },
                               err);
    free(threads);
    return st;
}

enum prvcut_status job_kinds_tell(struct job *j, struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    struct job_kinds k;
    enum prvcut_status st;

    if (r->structure.is.main >= r->structure.is.regions)
        return PRVCUT_OK;
    st = job_kinds_find(&k, j, r->structure.is.main, err);
    for (size_t i = 0; i < k.kinds && st == PRVCUT_OK; i++)
        r->kind[i] = k.kind[i];
    r->is.kinds = st == PRVCUT_OK ? k.kinds : 0;
    job_kinds_fini(&k);
    return st;
}
