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
    pat_ends_fini(&s->ends);
    pat_given_loop_fini(&s->given);
    free(s->usual);
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
static struct pat_fit see_fit(const struct pat_ends *e, const struct pat_thread *t)
{
    const uint64_t first = e->border[0], end = e->border[e->count], calls = end - first;
    const uint64_t all = t->call[t->calls - 1].end - t->call[0].begin;

    return (struct pat_fit){ .loop = { .at = SIZE_MAX,
                                       .first = first,
                                       .count = (uint32_t)e->count,
                                       .calls = (calls + e->count / 2) / e->count },
                             .cover = (double)calls / (double)t->calls,
                             .time = (double)(pat_border(t, end) - pat_border(t, first)) /
                                     (double)(all > 0 ? all : 1),
                             .outermost = true };
}

bool pat_see_given(const struct pat_thread *t, enum pat_source source,
                   const struct pat_given *given, const struct pat_fit *exact)
{
    if (!given || !given->sure || source == PAT_EXACT)
        return false;
    return !exact->outermost || (source == PAT_STRUCTURE && !t->regions);
}

/* The loop of the structure, told as that of an exact nest. */
static struct pat_fit see_given_fit(const struct pat_given_loop *l, const struct pat_thread *t)
{
    const uint64_t all = t->call[t->calls - 1].end - t->call[0].begin;
    uint64_t time = 0;

    for (uint64_t i = 0; i < l->count; i++)
        time += pat_border(t, l->end[i]) - pat_border(t, l->first[i]);
    return (struct pat_fit){ .loop = { .at = SIZE_MAX,
                                       .first = l->first[0],
                                       .count = (uint32_t)l->count,
                                       .calls = (l->calls + l->count / 2) / l->count },
                             .cover = (double)l->calls / (double)t->calls,
                             .time = (double)time / (double)(all > 0 ? all : 1),
                             .outermost = true };
}

/* The nest of the iteration that most are like. */
static enum prvcut_status see_usual(struct pat_seer *s, struct pat_seen *out,
                                    struct prvcut_error *err)
{
    const struct pat_row_names how = { .names = s->names,
                                       .argued = s->argued,
                                       .told = out->tree.told };
    uint64_t usual = 0, from;
    enum prvcut_status st =
        pat_given_loop_usual(&out->given, s->symbol, &usual, &out->usual_count, err);

    from = out->given.first[usual];
    if (st == PRVCUT_OK)
        st = pat_nest_make(&s->nest, s->symbol + from, out->given.end[usual] - from, err);
    if (st == PRVCUT_OK)
        st = pat_row_text(&out->usual, &s->nest, s->nest.top, s->nest.count, &how, err);
    return st;
}

/* The exact nest stays what the thread's is; the seer holds it afterwards. */
static enum prvcut_status see_structure(struct pat_seer *s, const struct pat_thread *t,
                                        enum pat_alphabet a, const struct pat_given *given,
                                        struct pat_seen *out, struct prvcut_error *err)
{
    enum prvcut_status st = pat_given_loop_make(&out->given, given, t, err);

    if (st < 0 || out->given.count == 0)
        return st;
    out->source = PAT_STRUCTURE;
    out->fit = see_given_fit(&out->given, t);
    st = see_usual(s, out, err);
    return st == PRVCUT_OK ? see_make(s, t, a, err) : st;
}

enum prvcut_status pat_see(struct pat_seer *s, const struct pat_thread *t, enum pat_alphabet a,
                           enum pat_source source, const struct pat_given *given,
                           struct pat_seen *out, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct pat_seen){ .source = PAT_EXACT };
    if (source == PAT_TOLERANT)
        st = pat_tolerant_find(&out->loop, t, a, err);
    if (st == PRVCUT_OK)
        st = pat_ends_make(&out->ends, &out->loop, given, t, err);
    if (st == PRVCUT_OK)
        st = see_make(s, t, a, err);
    if (st == PRVCUT_OK)
        st = pat_tree_init(&out->tree, s->argued, t->different[a], s->names, err);
    if (st == PRVCUT_OK && out->loop.count > 0) {
        out->source = PAT_TOLERANT;
        out->fit = see_fit(&out->ends, t);
        st = pat_tree_add(&out->tree, &s->nest, err);
        out->tree.exact = out->tree.bodies;
        if (st == PRVCUT_OK)
            st = pat_tolerant_tree(&out->tree, &out->loop, s->symbol, t->calls, &s->nest, err);
        return st == PRVCUT_OK ? see_make(s, t, a, err) : st;
    }
    if (st == PRVCUT_OK)
        st = pat_tree_add(&out->tree, &s->nest, err);
    out->fit = pat_fit_of(&s->nest, t);
    out->unfolded = s->nest.unfolded;
    if (st == PRVCUT_OK && pat_see_given(t, source, given, &out->fit))
        st = see_structure(s, t, a, given, out, err);
    return st;
}
