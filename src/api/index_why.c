#include "api/index.h"

#include "api/job_why.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <stdlib.h>
#include <string.h>

/* More bytes than this are not kept. */
#define WHY_MOST ((size_t)1 << 20)

/* What is explained, by which it is known again: the iterations of the loop, and which of them are
   unusual. */
static void iwy_put_asked(struct prvcut_put *p, const struct job *j)
{
    const struct made_structure *s = &j->out->structure;
    const struct made_region *of = &s->region[s->is.main];

    prvcut_put_u64(p, j->wish.causes);
    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (t->borders == 0 || !prvcut_stretch_is_of(t, of))
            continue;
        prvcut_put_u64(p, t->borders);
        prvcut_put_span(p, t->border[0], t->border[t->borders - 1]);
    }
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (!prvcut_regions_share_loop(r, of))
            continue;
        prvcut_put_span(p, r->is.span.start, r->is.span.end);
        prvcut_put_u64(p, r->is.outliers);
        for (size_t n = 0; n < r->is.outliers; n++) {
            prvcut_put_span(p, r->outlier[n].span.start, r->outlier[n].span.end);
            prvcut_put_f64(p, r->outlier[n].deviation);
        }
    }
}

/* The texts of the loop's regions, in their order; one that has none is left out as a whole. */
static void iwy_put_told(struct prvcut_put *p, const struct made_structure *s)
{
    const struct made_region *of = &s->region[s->is.main];

    prvcut_put_u32(p, s->unexplained != NULL);
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (!prvcut_regions_share_loop(r, of))
            continue;
        prvcut_put_u32(p, r->cause != NULL);
        for (size_t n = 0; r->cause && n < r->is.outliers; n++)
            prvcut_put_text(p, r->cause[n]);
    }
}

static bool iwy_get_texts(struct prvcut_get *g, struct made_region *r)
{
    r->cause = prvcut_get_room(g, r->is.outliers, sizeof *r->cause);
    for (size_t n = 0; n < r->is.outliers && !g->bad; n++) {
        const char *text = prvcut_get_text(g);

        if (text)
            r->cause[n] = prvcut_copied_text(text, "texts", NULL);
        prvcut_get_check(g, !text || r->cause[n]);
    }
    return !g->bad;
}

/* Back to where nothing is explained. */
static void iwy_forget(struct made_structure *s)
{
    for (size_t i = 0; i < s->is.regions; i++) {
        struct made_region *r = &s->region[i];

        for (size_t n = 0; r->cause && n < r->is.outliers; n++)
            free(r->cause[n]);
        free(r->cause);
        r->cause = NULL;
    }
    s->unexplained = NULL;
}

static bool iwy_get_told(struct prvcut_get *g, struct made_structure *s)
{
    const struct made_region *of = &s->region[s->is.main];
    bool done = true;

    s->unexplained = prvcut_get_bool(g) ? JOB_WHY_TOO_MANY : NULL;
    for (size_t i = 0; i < s->is.regions && done; i++)
        if (prvcut_regions_share_loop(&s->region[i], of) && prvcut_get_bool(g))
            done = iwy_get_texts(g, &s->region[i]);
    prvcut_get_check(g, g->left == 0);
    if (g->bad)
        iwy_forget(s);
    return !g->bad;
}

void index_put_why(struct prvcut_put *p, const struct job *j)
{
    const size_t before = p->b.count;
    struct prvcut_put asked = { .err = p->err }, told = { .err = p->err };

    iwy_put_asked(&asked, j);
    iwy_put_told(&told, &j->out->structure);
    prvcut_put_answer(p, &asked, &told);
    prvcut_buffer_fini(&asked.b);
    prvcut_buffer_fini(&told.b);
    if (p->b.count > WHY_MOST)
        p->b.count = before;
}

/* Take it back from what was put. */
static bool iwy_take(struct prvcut_get *g, struct job *j)
{
    struct prvcut_put asked = { .err = NULL };
    struct prvcut_get told;
    bool done;

    iwy_put_asked(&asked, j);
    done = asked.st == PRVCUT_OK && prvcut_get_answer(g, &asked, &told);
    prvcut_buffer_fini(&asked.b);
    prvcut_get_check(g, !done || iwy_get_told(&told, &j->out->structure));
    return done && !g->bad;
}

bool index_recall_why(struct job *j)
{
    const struct prvcut_kept *kept =
        j->run->set || !index_division_name(j) ? NULL : index_of(j->trace);
    struct prvcut_get g = { .bad = false };
    char *bytes = NULL;
    bool done;

    if (j->whys) {
        g.at = j->whys->b.at;
        g.left = j->whys->b.count;
        return iwy_take(&g, j);
    }
    if (!kept || !prvcut_kept_has(kept, "why"))
        return false;
    g.bad = !prvcut_kept_load(kept, "why", &bytes, &g.left);
    g.at = bytes;
    done = !g.bad && iwy_take(&g, j);
    if (g.bad)
        index_give_up(j->trace);
    free(bytes);
    return done;
}
