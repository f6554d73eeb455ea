#include "analysis/measure_keep.h"

#include "base/memory.h"

#include <string.h>

static void mke_put_spans(struct prvcut_put *p, const struct prvcut_span *span, size_t count)
{
    prvcut_put_u64(p, count);
    for (size_t i = 0; i < count; i++)
        prvcut_put_span(p, span[i].start, span[i].end);
}

/* What is asked for, by which it is known again. */
static void mke_put_asked(struct prvcut_put *p, const struct prvcut_proof_region *stretch,
                          size_t stretches, const struct prvcut_proof_only *only, uint32_t threads)
{
    prvcut_put_u64(p, stretches);
    for (size_t i = 0; i < stretches; i++) {
        const struct prvcut_window *w = &stretch[i].window;

        prvcut_put_span(p, w->from, w->to);
        prvcut_put_u32(p, w->thread_from != NULL);
        if (w->thread_from) {
            prvcut_put_u64s(p, w->thread_from, threads);
            prvcut_put_u64s(p, w->thread_to, threads);
        }
        mke_put_spans(p, stretch[i].mask, stretch[i].masks);
    }
    mke_put_spans(p, only ? only->span : NULL, only ? only->spans : 0);
    prvcut_put_u64(p, only ? only->before : 0);
}

void prvcut_measure_put(struct prvcut_put *p, const struct prvcut_measure *m,
                        const struct prvcut_proof_region *stretch, size_t stretches,
                        const struct prvcut_proof_only *only)
{
    struct prvcut_put asked = { .err = p->err }, found = { .err = p->err };

    mke_put_asked(&asked, stretch, stretches, only, m->threads);
    prvcut_put_u32(&found, m->found.regions);
    prvcut_proof_found_put(&found, &m->found);
    prvcut_put_answer(p, &asked, &found);
    prvcut_buffer_fini(&asked.b);
    prvcut_buffer_fini(&found.b);
}

bool prvcut_measure_get(struct prvcut_get *g, struct prvcut_measure *m, struct prvcut_trace *t,
                        const struct prvcut_proof_region *stretch, size_t stretches,
                        const struct prvcut_proof_only *only)
{
    struct prvcut_put asked = { .err = NULL };
    struct prvcut_get found = { .bad = true };

    memset(m, 0, sizeof *m);
    mke_put_asked(&asked, stretch, stretches, only, t->objects.threads);
    found.bad = asked.st != PRVCUT_OK || !prvcut_get_answer(g, &asked, &found);
    prvcut_buffer_fini(&asked.b);
    if (found.bad || prvcut_measure_lay(m, t, stretch, stretches, NULL) < 0 ||
        prvcut_proof_found_init(&m->found, stretches, m->threads, NULL) < 0)
        return false;
    m->found.regions = prvcut_get_bool(&found);
    prvcut_proof_found_get(&found, &m->found);
    prvcut_get_check(&found, found.left == 0);
    g->bad = found.bad;
    prvcut_measure_settle(m);
    return !found.bad;
}
