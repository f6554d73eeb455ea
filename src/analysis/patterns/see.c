#include "analysis/patterns/see.h"

#include "base/memory.h"

#include <stdlib.h>

void pat_seer_init(struct pat_seer *s, const struct prvcut_dictionary *names)
{
    *s = (struct pat_seer){ .names = names };
    pat_nest_init(&s->nest);
}

void pat_seer_fini(struct pat_seer *s)
{
    pat_nest_fini(&s->nest);
    free(s->symbol);
    free(s->argued);
}

void pat_seen_fini(struct pat_seen *s)
{
    pat_tree_fini(&s->tree);
    pat_tolerant_fini(&s->loop);
}

static enum prvcut_status see_make(struct pat_seer *s, const struct pat_thread *t,
                                   enum pat_alphabet a, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&s->symbol, &s->symbol_room, t->calls + 1, sizeof *s->symbol, err) <
            0 ||
        prvcut_grow((void **)&s->argued, &s->argued_room, t->different[a] + 1, sizeof *s->argued,
                    err) < 0)
        return PRVCUT_ENOMEM;
    pat_symbols(t, a, s->symbol);
    pat_argue(t, a, s->argued);
    return pat_nest_make(&s->nest, s->symbol, t->calls, err);
}

/* The loop of a tolerant nest, told as that of an exact one. */
static struct pat_fit see_fit(const struct pat_tolerant *p)
{
    const uint64_t calls = p->border[p->count] - p->border[0];

    return (struct pat_fit){ .loop = { .at = SIZE_MAX,
                                       .first = p->border[0],
                                       .count = (uint32_t)p->count,
                                       .calls = (calls + p->count / 2) / p->count },
                             .cover = p->cover,
                             .time = p->time,
                             .outermost = true };
}

enum prvcut_status pat_see(struct pat_seer *s, const struct pat_thread *t, enum pat_alphabet a,
                           enum pat_source source, struct pat_seen *out, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct pat_seen){ .fit = { .outermost = false } };
    if (source == PAT_TOLERANT)
        st = pat_tolerant_find(&out->loop, t, a, err);
    if (st == PRVCUT_OK)
        st = see_make(s, t, a, err);
    if (st == PRVCUT_OK)
        st = pat_tree_init(&out->tree, s->argued, t->different[a], s->names, err);
    if (st == PRVCUT_OK && out->loop.count > 0) {
        out->fit = see_fit(&out->loop);
        st = pat_tolerant_tree(&out->tree, &out->loop, s->symbol, t->calls, &s->nest, err);
        return st == PRVCUT_OK ? see_make(s, t, a, err) : st;
    }
    if (st == PRVCUT_OK)
        st = pat_tree_add(&out->tree, &s->nest, err);
    out->fit = pat_fit_of(&s->nest, t);
    out->unfolded = s->nest.unfolded;
    return st;
}
