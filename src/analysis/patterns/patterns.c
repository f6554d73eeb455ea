#include "analysis/patterns/patterns.h"

#include "analysis/patterns/see.h"
#include "analysis/patterns/table.h"
#include "analysis/patterns/tolerant.h"
#include "base/memory.h"

#include <stdlib.h>

/* Threads that choose the symbols. */
#define VOTERS 3

/* What runs through the threads. */
struct fnd {
    struct pat_found *out;
    struct pat_store *store;
    const struct pat_options *options;
    /* Which threads have calls. */
    uint32_t *busy; /* [busies] */
    size_t busies, busy_room;
    enum pat_alphabet vote[VOTERS];
    size_t votes;
    /* The present one. */
    struct pat_seer seer;
    struct prvcut_table known;   /* of pat_known */
    struct prvcut_table classes; /* of fnd_class */
};

/* Classes of one hash of their nest. */
struct fnd_class {
    uint64_t key;
    size_t first; /* + 1 */
};

/* --- Which symbols ---------------------------------------------------------------------------- */

static enum prvcut_status fnd_count(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct fnd *f = ctx;

    if (t->calls == 0)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&f->busy, &f->busy_room, f->busies + 1, sizeof *f->busy, err) < 0)
        return PRVCUT_ENOMEM;
    f->busy[f->busies++] = t->thread;
    return PRVCUT_OK;
}

/* The first, the middle, and the last that have calls; each once. */
static bool fnd_votes(const struct fnd *f, uint32_t thread)
{
    return f->busies > 0 && (thread == f->busy[0] || thread == f->busy[f->busies / 2] ||
                             thread == f->busy[f->busies - 1]);
}

static enum prvcut_status fnd_vote(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct fnd *f = ctx;

    return fnd_votes(f, t->thread) ? pat_choose(t, f->options->alphabet, &f->vote[f->votes++], err)
                                   : PRVCUT_OK;
}

static enum prvcut_status fnd_vote_tolerant(void *ctx, struct pat_thread *t,
                                            struct prvcut_error *err)
{
    struct fnd *f = ctx;
    struct pat_tolerant p;
    enum prvcut_status st;

    if (!fnd_votes(f, t->thread))
        return PRVCUT_OK;
    st = pat_tolerant_find(&p, t, f->options->alphabet, err);
    f->vote[f->votes++] = p.count > 0 ? p.alphabet : PAT_NONE;
    pat_tolerant_fini(&p);
    return st;
}

static enum prvcut_status fnd_choose(struct fnd *f, struct prvcut_error *err)
{
    const enum pat_tolerance tolerant = f->options->tolerant;
    enum prvcut_status st = pat_store_each(f->store, fnd_count, f, err);

    if (st == PRVCUT_OK && tolerant != PAT_ALWAYS)
        st = pat_store_each(f->store, fnd_vote, f, err);
    f->out->alphabet = pat_majority(f->vote, f->votes);
    if (st == PRVCUT_OK && tolerant != PAT_NEVER && f->out->alphabet == PAT_NONE) {
        f->votes = 0;
        st = pat_store_each(f->store, fnd_vote_tolerant, f, err);
        f->out->alphabet = pat_majority(f->vote, f->votes);
        f->out->source = f->out->alphabet != PAT_NONE ? PAT_TOLERANT : PAT_EXACT;
    }
    if (f->out->alphabet == PAT_NONE)
        f->out->alphabet = f->options->alphabet != PAT_NONE ? f->options->alphabet : PAT_CALL;
    return st;
}

/* --- Classes ---------------------------------------------------------------------------------- */

static uint64_t fnd_text_key(const char *text)
{
    uint64_t key = 0;

    for (; *text; text++)
        key = pat_row_hash(key, (unsigned char)*text);
    return key;
}

static enum prvcut_status fnd_join_class(struct pat_class *c, uint32_t thread,
                                         struct prvcut_error *err)
{
    if (prvcut_grow((void **)&c->thread, &c->room, c->threads + 1, sizeof *c->thread, err) < 0)
        return PRVCUT_ENOMEM;
    c->thread[c->threads++] = thread;
    return PRVCUT_OK;
}

static int fnd_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Where its outermost loop is, and how long an iteration of it usually takes. */
static enum prvcut_status fnd_loop(struct pat_class *c, const struct pat_thread *t,
                                   const uint64_t *border, struct prvcut_error *err)
{
    const struct pat_outermost *o = &c->fit.loop;
    uint64_t *length = prvcut_unset(o->count + (size_t)1, sizeof *length, "lengths", err);

    if (!length)
        return PRVCUT_ENOMEM;
    for (uint64_t i = 0; i <= o->count; i++)
        length[i] = pat_border(t, border ? border[i] : o->first + i * o->calls);
    c->first_ns = length[0];
    c->end_ns = length[o->count];
    for (uint64_t i = 0; i < o->count; i++)
        length[i] = length[i + 1] - length[i];
    qsort(length, o->count, sizeof *length, fnd_compare);
    c->median_ns = length[o->count / 2];
    free(length);
    return PRVCUT_OK;
}

/* A class that is new, with this thread as its first. */
static enum prvcut_status fnd_new_class(struct fnd *f, const struct pat_thread *t,
                                        struct pat_seen *seen, char *nest, struct prvcut_error *err)
{
    struct pat_found *out = f->out;
    struct pat_class *c;

    if (prvcut_grow((void **)&out->class, &out->class_room, out->classes + 1, sizeof *out->class,
                    err) < 0) {
        free(nest);
        return PRVCUT_ENOMEM;
    }
    c = &out->class[out->classes++];
    *c = (struct pat_class){ .nest = nest,
                             .tree = seen->tree,
                             .calls = t->calls,
                             .regions = t->regions,
                             .source = seen->loop.count > 0 ? PAT_TOLERANT : PAT_EXACT,
                             .depth = pat_tree_depth(&seen->tree),
                             .size = pat_tree_size(&seen->tree),
                             .unfolded = seen->unfolded,
                             .fit = seen->fit };
    seen->tree = (struct pat_tree){ .node = NULL };
    return c->fit.outermost ? fnd_loop(c, t, seen->loop.border, err) : PRVCUT_OK;
}

static enum prvcut_status fnd_classify(struct fnd *f, const struct pat_thread *t,
                                       struct pat_one *one, struct pat_seen *seen,
                                       struct prvcut_error *err)
{
    struct prvcut_buffer text = { .at = NULL };
    enum prvcut_status st = pat_tree_text(&seen->tree, seen->tree.bodies - 1, &text, err);
    struct fnd_class key, *k;

    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&text, "", 1, err);
    if (st < 0) {
        prvcut_buffer_fini(&text);
        return st;
    }
    for (key.key = fnd_text_key(text.at);; key.key++) {
        k = prvcut_table_make(&f->classes, &key.key, err);
        if (!k || k->first == 0 || strcmp(f->out->class[k->first - 1].nest, text.at) == 0)
            break;
    }
    if (!k) {
        prvcut_buffer_fini(&text);
        return PRVCUT_ENOMEM;
    }
    if (k->first == 0) {
        k->first = f->out->classes + 1;
        st = fnd_new_class(f, t, seen, text.at, err);
    } else {
        prvcut_buffer_fini(&text);
    }
    one->class = k->first - 1;
    return st == PRVCUT_OK ? fnd_join_class(&f->out->class[one->class], t -> thread, err) : st;
}

/* --- Each thread ------------------------------------------------------------------------------ */

static enum prvcut_status fnd_patterns(struct fnd *f, const struct pat_thread *t,
                                       struct pat_one *one, struct prvcut_error *err)
{
    struct pat_occurrences o;
    enum prvcut_status st = pat_occurrences_find(&o, &f->seer.nest, t, err);

    one->kept = o.kept;
    if (st == PRVCUT_OK)
        st = pat_table_add(f->out, &f->known, &f->seer.nest, &o, t, f->seer.argued, f->store->names,
                           err);
    pat_occurrences_fini(&o);
    return st;
}

static enum prvcut_status fnd_key(const struct fnd *f, struct pat_one *one, uint32_t body,
                                  struct prvcut_error *err)
{
    uint64_t *keys = prvcut_unset(f->seer.nest.bodies.count, sizeof *keys, "patterns", err);
    const enum prvcut_status st =
        keys ? pat_body_keys(&f->seer.nest, f->seer.argued, keys, err) : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK)
        one->key = keys[body];
    free(keys);
    return st;
}

static enum prvcut_status fnd_thread(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct fnd *f = ctx;
    struct pat_found *out = f->out;
    struct pat_seen seen = { .fit = { .outermost = false } };
    struct pat_one *one;
    enum prvcut_status st;

    if (prvcut_grow((void **)&out->one, &out->one_room, out->ones + 1, sizeof *out->one, err) < 0)
        return PRVCUT_ENOMEM;
    one = &out->one[out->ones++];
    *one = (struct pat_one){ .thread = t->thread, .task = t->task, .calls = t->calls };
    if (t->calls > 0)
        one->span_ns = t->call[t->calls - 1].end - t->call[0].begin;
    out->calls += t->calls;
    out->span_ns += one->span_ns;
    st = pat_see(&f->seer, t, out->alphabet, out->source, &seen, err);
    if (st == PRVCUT_OK && seen.loop.count == 0 && seen.fit.outermost)
        st = fnd_key(f, one, pat_inner(f->seer.nest.top[seen.fit.loop.at]), err);
    out->unfolded += seen.unfolded;
    one->count = seen.fit.outermost ? seen.fit.loop.count : 0;
    if (st == PRVCUT_OK)
        st = fnd_classify(f, t, one, &seen, err);
    pat_seen_fini(&seen);
    if (st == PRVCUT_OK)
        st = fnd_patterns(f, t, one, err);
    out->kept += one->kept;
    return st;
}

enum prvcut_status pat_find(struct pat_found *out, struct pat_store *store,
                            const struct pat_options *options, struct prvcut_error *err)
{
    struct fnd f = { .out = out,
                     .store = store,
                     .options = options,
                     .known = PRVCUT_TABLE(struct pat_known, place, "patterns"),
                     .classes = PRVCUT_TABLE(struct fnd_class, first, "classes of threads") };
    enum prvcut_status st;

    *out = (struct pat_found){ .source = PAT_EXACT };
    pat_seer_init(&f.seer, store->names);
    st = fnd_choose(&f, err);
    if (st == PRVCUT_OK)
        st = pat_store_each(store, fnd_thread, &f, err);
    pat_table_end(out);
    pat_seer_fini(&f.seer);
    free(f.busy);
    prvcut_table_fini(&f.known);
    prvcut_table_fini(&f.classes);
    return st;
}

void pat_found_fini(struct pat_found *f)
{
    for (size_t i = 0; i < f->classes; i++) {
        free(f->class[i].thread);
        free(f->class[i].nest);
        pat_tree_fini(&f->class[i].tree);
    }
    for (size_t i = 0; i < f->patterns; i++) {
        struct pat_pattern *p = &f->pattern[i];

        free(p->body);
        free(p->arguments);
        free(p->thread);
        free(p->at);
        free(p->in);
        pat_peaks_fini(&p->peaks);
    }
    free(f->one);
    free(f->class);
    free(f->pattern);
    *f = (struct pat_found){ .one = NULL };
}
