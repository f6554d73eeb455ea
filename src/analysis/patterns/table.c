#include "analysis/patterns/table.h"

#include "base/memory.h"

#include <stdlib.h>

static enum prvcut_status tab_text(char **out, const struct pat_nest *n, uint32_t body,
                                   const struct pat_argued *argued, bool arguments,
                                   const struct prvcut_dictionary *names, struct prvcut_error *err)
{
    const struct pat_row_names how = { .names = names, .argued = argued, .arguments = arguments };

    return pat_row_text(out, n, pat_body_row(&n->bodies, body), n->bodies.body[body].length, &how,
                        err);
}

/* A pattern that no thread before had. */
static enum prvcut_status tab_new(struct pat_found *f, const struct pat_nest *n,
                                  struct pat_occurrence *o, uint64_t key,
                                  const struct pat_argued *argued,
                                  const struct prvcut_dictionary *names, struct prvcut_error *err)
{
    struct pat_pattern *p;
    enum prvcut_status st;

    if (prvcut_grow((void **)&f->pattern, &f->pattern_room, f->patterns + 1, sizeof *f->pattern,
                    err) < 0)
        return PRVCUT_ENOMEM;
    p = &f->pattern[f->patterns++];
    *p = (struct pat_pattern){ .key = key,
                               .level = o->level,
                               .calls = n->bodies.body[o->body].calls,
                               .least_ns = UINT64_MAX,
                               .first_occurrences = o->count };
    p->peaks = o->peaks;
    o->peaks = (struct pat_peaks){ .at = NULL };
    st = tab_text(&p->body, n, o->body, argued, false, names, err);
    return st == PRVCUT_OK ? tab_text(&p->arguments, n, o->body, argued, true, names, err) : st;
}

static enum prvcut_status tab_in(struct pat_pattern *p, const struct pat_thread *t,
                                 const struct pat_in *in, struct prvcut_error *err)
{
    const bool is = in->function != UINT32_MAX;
    const struct pat_function_count of = {
        .type = is ? t->function[in->function].type : UINT32_MAX,
        .value = is ? t->function[in->function].value : 0,
        .count = in->count,
    };

    for (size_t i = 0; i < p->ins; i++)
        if (p->in[i].type == of.type && p->in[i].value == of.value) {
            p->in[i].count += of.count;
            return PRVCUT_OK;
        }
    if (prvcut_grow((void **)&p->in, &p->in_room, p->ins + 1, sizeof *p->in, err) < 0)
        return PRVCUT_ENOMEM;
    p->in[p->ins++] = of;
    return PRVCUT_OK;
}

static enum prvcut_status tab_one(struct pat_pattern *p, const struct pat_occurrence *o,
                                  const struct pat_thread *t, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&p->thread, &p->room, p->threads + 1, sizeof *p->thread, err) < 0 ||
        prvcut_grow((void **)&p->at, &p->at_room, p->threads + 1, sizeof *p->at, err) < 0)
        return PRVCUT_ENOMEM;
    p->at[p->threads] = o->at;
    p->thread[p->threads++] = t->thread;
    p->level = o->level < p->level ? o->level : p->level;
    p->occurrences += o->count;
    p->total_ns += o->total_ns;
    p->least_ns = o->least_ns < p->least_ns ? o->least_ns : p->least_ns;
    p->most_ns = o->most_ns > p->most_ns ? o->most_ns : p->most_ns;
    return PRVCUT_OK;
}

enum prvcut_status pat_table_add(struct pat_found *f, struct prvcut_table *known,
                                 const struct pat_nest *n, struct pat_occurrences *o,
                                 const struct pat_thread *t, const struct pat_argued *argued,
                                 const struct prvcut_dictionary *names, struct prvcut_error *err)
{
    size_t *place = prvcut_unset(n->bodies.count, sizeof *place, "patterns", err);
    uint64_t *keys = prvcut_unset(n->bodies.count, sizeof *keys, "patterns", err);
    enum prvcut_status st = place && keys ? pat_body_keys(n, argued, keys, err) : PRVCUT_ENOMEM;

    for (size_t i = 0; i < o->count && st == PRVCUT_OK; i++) {
        struct pat_occurrence *at = &o->at[i];
        const struct pat_known key = { .key = keys[at->body] };
        const size_t before = known->count;
        struct pat_known *k = prvcut_table_make(known, &key, err);

        if (!k)
            st = PRVCUT_ENOMEM;
        if (st == PRVCUT_OK && known->count > before) {
            k->place = f->patterns;
            st = tab_new(f, n, at, key.key, argued, names, err);
        }
        if (st == PRVCUT_OK)
            st = tab_one(&f->pattern[place[at->body] = k->place], at, t, err);
    }
    for (size_t i = 0; i < o->in.count && st == PRVCUT_OK; i++) {
        const struct pat_in *in = (const struct pat_in *)o->in.at + i;

        st = tab_in(&f->pattern[place[in->body]], t, in, err);
    }
    free(place);
    free(keys);
    return st;
}

static int tab_by_count(const void *a, const void *b)
{
    const struct pat_function_count *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static int tab_by_time(const void *a, const void *b)
{
    const struct pat_pattern *x = a, *y = b;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->thread[0] != y->thread[0])
        return x->thread[0] < y->thread[0] ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

void pat_table_end(struct pat_found *f)
{
    for (size_t i = 0; i < f->patterns; i++)
        if (f->pattern[i].ins > 0)
            qsort(f->pattern[i].in, f->pattern[i].ins, sizeof *f->pattern[i].in, tab_by_count);
    if (f->patterns > 0)
        qsort(f->pattern, f->patterns, sizeof *f->pattern, tab_by_time);
}
