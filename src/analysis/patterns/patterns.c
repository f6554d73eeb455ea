#include "analysis/patterns/patterns.h"

#include "analysis/patterns/lack.h"
#include "analysis/patterns/see.h"
#include "analysis/patterns/table.h"
#include "analysis/patterns/voters.h"
#include "analysis/patterns/witness.h"
#include "base/memory.h"

#include <stdlib.h>

/* What runs through the threads. */
struct fnd {
    struct pat_found *out;
    struct pat_store *store;
    const struct pat_options *options;
    struct pat_voters voters;
    enum pat_alphabet vote[PAT_VOTERS];
    struct pat_fit exact[PAT_VOTERS];
    size_t votes;
    size_t strong, others; /* exact loops that are; iterations of the structure that hold more */
    struct pat_witnesses witnesses;
    /* The present one. */
    struct pat_seer seer;
    struct prvcut_table known;   /* of pat_known */
    struct prvcut_table classes; /* of fnd_class */
};

/* Classes of one hash of their nest. */
struct fnd_class {
    uint64_t key;
    size_t first; /* + 1 */
    uint64_t exact;
};

/* --- Whose iterations they are too ------------------------------------------------------------ */

/* What strangers, and the first of the others, call with all others. */
struct fnd_steps {
    const struct pat_given *given;
    uint8_t *stranger;
    uint64_t *mark;        /* [count] of the first; 0 so far: none */
    struct fnd_step *step; /* [steps] */
    size_t steps, room;
    bool any;
};

struct fnd_step {
    uint32_t thread;
    uint64_t *mark; /* [count] */
};

static enum prvcut_status patt_step(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct fnd_steps *s = ctx;
    const size_t count = s->given->count;
    uint64_t *mark;

    if (t->regions || t->calls == 0 || (!s->stranger[t->thread] && s->any))
        return PRVCUT_OK;
    mark = prvcut_unset(count, sizeof *mark, "iterations", err);
    if (!mark || prvcut_grow((void **)&s->step, &s->room, s->steps + 1, sizeof *s->step, err) < 0) {
        free(mark);
        return PRVCUT_ENOMEM;
    }
    pat_given_mark(s->given, t, mark);
    if (s->stranger[t->thread]) {
        s->step[s->steps++] = (struct fnd_step){ t->thread, mark };
        return PRVCUT_OK;
    }
    /* One that calls something in most of them: like itself. */
    s->any = pat_given_in_step(mark, mark, count);
    if (s->any)
        memcpy(s->mark, mark, count * sizeof *mark);
    free(mark);
    return PRVCUT_OK;
}

/* A thread whose calls did not show the loop follows it all the same where it makes the collectives
   of each iteration that others make there. */
static enum prvcut_status patt_in_step(struct pat_found *out, struct pat_store *store,
                                       struct prvcut_error *err)
{
    struct pat_given *g = &out->given;
    const size_t threads = store->trace->objects.threads;
    struct fnd_steps s = { .given = g };
    enum prvcut_status st = PRVCUT_ENOMEM;

    free(out->stranger);
    out->stranger = NULL;
    if (g->count == 0 || !g->stranger || !memchr(g->stranger, 1, threads))
        return PRVCUT_OK;
    s.stranger = out->stranger = prvcut_copied(g->stranger, threads, "threads", err);
    s.mark = prvcut_unset(g->count, sizeof *s.mark, "iterations", err);
    if (s.stranger && s.mark)
        st = pat_store_each(store, patt_step, &s, err);
    for (size_t i = 0; i < s.steps; i++) {
        if (st == PRVCUT_OK && s.any && pat_given_in_step(s.mark, s.step[i].mark, g->count))
            s.stranger[s.step[i].thread] = 0;
        free(s.step[i].mark);
    }
    g->stranger = s.stranger;
    free(s.step);
    free(s.mark);
    return st;
}

enum prvcut_status pat_found_ask(struct pat_found *out, struct pat_store *store,
                                 const struct pat_options *options, struct prvcut_error *err)
{
    const enum prvcut_status st = options->ask(options->ctx, &out->given, err);

    return st == PRVCUT_OK ? patt_in_step(out, store, err) : st;
}

bool pat_found_calls(const struct pat_found *f, uint32_t thread)
{
    for (size_t i = 0; i < f->ones; i++)
        if (f->one[i].thread == thread)
            return f->one[i].calls > 0 && !f->class[f->one[i].class].regions;
    return false;
}

/* --- Which symbols ---------------------------------------------------------------------------- */

static enum prvcut_status patt_note(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    return pat_voters_note(&((struct fnd *)ctx)->voters, t, err);
}

static enum prvcut_status patt_vote(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct fnd *f = ctx;
    struct pat_fit *exact = &f->exact[f->votes];
    enum prvcut_status st;

    if (!pat_voters_has(&f->voters, t->thread))
        return PRVCUT_OK;
    st = pat_choose(t, f->options->alphabet, &f->vote[f->votes++], exact, err);
    f->strong += pat_fit_is_strong(exact);
    return st;
}

static enum prvcut_status patt_compare_given(void *ctx, struct pat_thread *t,
                                             struct prvcut_error *err)
{
    struct fnd *f = ctx;
    bool more = false;
    enum prvcut_status st;

    if (!pat_voters_has(&f->voters, t->thread))
        return PRVCUT_OK;
    st = pat_given_holds_more(&more, &f->exact[f->votes++], &f->out->given, t, err);
    f->others += more;
    return st;
}

/* Exact loops that hold few of the calls may be a part of the run's iterations, or some of these.
 */
static enum prvcut_status patt_doubt(struct fnd *f, struct prvcut_error *err)
{
    const struct pat_options *o = f->options;
    const size_t votes = f->votes;
    enum prvcut_status st;

    if (!o->ask || o->tolerant != PAT_AUTO || 2 * f->strong > votes)
        return PRVCUT_OK;
    st = pat_found_ask(f->out, f->store, o, err);
    f->votes = 0;
    if (st == PRVCUT_OK && f->out->given.sure)
        st = pat_store_each(f->store, patt_compare_given, f, err);
    if (2 * f->others > votes) {
        f->out->source = PAT_STRUCTURE;
        f->out->alphabet = PAT_NONE;
    }
    return st;
}

static enum prvcut_status patt_vote_tolerant(void *ctx, struct pat_thread *t,
                                             struct prvcut_error *err)
{
    struct fnd *f = ctx;
    struct pat_witnesses *w = &f->witnesses;
    struct pat_given_loop own;
    struct pat_tolerant p;
    enum pat_stand stand = PAT_STAND_ALONE;
    enum prvcut_status st;

    if (!pat_voters_has(&f->voters, t->thread))
        return PRVCUT_OK;
    st = pat_tolerant_find(&p, t, f->options->alphabet, err);
    f->vote[f->votes++] = p.count > 0 ? p.alphabet : PAT_NONE;
    if (st == PRVCUT_OK && (p.count > 0 || p.within > 0))
        st = pat_stand_of(&stand, &p, &f->out->given, t, err);
    w->heard++;
    w->tolerant += p.count > 0;
    w->agree += stand == PAT_STAND_AGREES;
    w->coarser += stand == PAT_STAND_COARSER;
    w->inner += stand == PAT_STAND_INNER;
    pat_tolerant_fini(&p);
    if (st < 0)
        return st;
    st = pat_given_loop_make(&own, &f->out->given, t, err);
    w->given += own.count > 0;
    pat_given_loop_fini(&own);
    return st;
}

/* Where exact nests show no loop. */
static enum prvcut_status patt_choose_other(struct fnd *f, struct prvcut_error *err)
{
    const struct pat_options *o = f->options;
    const bool asked = o->ask && o->tolerant == PAT_AUTO && f->voters.busies > 0;
    enum prvcut_status st = asked ? pat_found_ask(f->out, f->store, o, err) : PRVCUT_OK;

    f->votes = 0;
    if (st == PRVCUT_OK)
        st = pat_store_each(f->store, patt_vote_tolerant, f, err);
    f->out->source = pat_witnesses_say(&f->witnesses, asked, f->out->given.sure);
    /* What it was not sure of has been confirmed by what threads call. */
    f->out->given.sure |= f->out->source == PAT_STRUCTURE;
    if (f->out->source == PAT_TOLERANT)
        f->out->alphabet = pat_majority(f->vote, f->votes);
    return st;
}

static enum prvcut_status patt_choose(struct fnd *f, struct prvcut_error *err)
{
    const enum pat_tolerance tolerant = f->options->tolerant;
    enum prvcut_status st = pat_store_each(f->store, patt_note, f, err);

    if (st == PRVCUT_OK && tolerant != PAT_ALWAYS)
        st = pat_store_each(f->store, patt_vote, f, err);
    f->out->alphabet = pat_majority(f->vote, f->votes);
    if (st == PRVCUT_OK && tolerant != PAT_NEVER && f->out->alphabet == PAT_NONE)
        st = patt_choose_other(f, err);
    else if (st == PRVCUT_OK)
        st = patt_doubt(f, err);
    if (f->out->alphabet == PAT_NONE)
        f->out->alphabet = f->options->alphabet != PAT_NONE ? f->options->alphabet : PAT_CALL;
    return st;
}

/* --- Classes ---------------------------------------------------------------------------------- */

static uint64_t patt_text_key(const char *text)
{
    uint64_t key = 0;

    for (; *text; text++)
        key = pat_row_hash(key, (unsigned char)*text);
    return key;
}

static enum prvcut_status patt_join_class(struct pat_class *c, uint32_t thread,
                                          struct prvcut_error *err)
{
    if (prvcut_grow((void **)&c->thread, &c->room, c->threads + 1, sizeof *c->thread, err) < 0)
        return PRVCUT_ENOMEM;
    c->thread[c->threads++] = thread;
    return PRVCUT_OK;
}

static int patt_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The calls of an iteration: [first, end). */
static void patt_iteration(const struct pat_seen *seen, uint64_t i, uint64_t *first, uint64_t *end)
{
    const struct pat_outermost *o = &seen->fit.loop;

    if (seen->source == PAT_STRUCTURE) {
        *first = seen->given.first[i];
        *end = seen->given.end[i];
    } else if (seen->source == PAT_TOLERANT) {
        *first = seen->ends.border[i];
        *end = seen->ends.border[i + 1];
    } else {
        *first = o->first + i * o->calls;
        *end = *first + o->calls;
    }
}

/* Where its outermost loop is, and how long an iteration of it usually takes. */
static enum prvcut_status patt_loop(struct pat_class *c, const struct pat_thread *t,
                                    const struct pat_seen *seen, struct prvcut_error *err)
{
    const struct pat_outermost *o = &c->fit.loop;
    uint64_t *length = prvcut_unset(o->count, sizeof *length, "lengths", err);
    uint64_t first, end;

    if (!length)
        return PRVCUT_ENOMEM;
    for (uint64_t i = 0; i < o->count; i++) {
        patt_iteration(seen, i, &first, &end);
        length[i] = pat_border(t, end) - pat_border(t, first);
        c->first_ns = i == 0 ? pat_border(t, first) : c->first_ns;
        c->end_ns = pat_border(t, end);
    }
    qsort(length, o->count, sizeof *length, patt_compare);
    c->median_ns = length[o->count / 2];
    free(length);
    return PRVCUT_OK;
}

/* A class that is new, with this thread as its first. */
static enum prvcut_status patt_new_class(struct fnd *f, const struct pat_thread *t,
                                         struct pat_seen *seen, char *nest,
                                         struct prvcut_error *err)
{
    struct pat_found *out = f->out;
    struct pat_class *c;
    enum prvcut_status st = PRVCUT_OK;

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
                             .source = seen->source,
                             .usual = seen->usual,
                             .usual_count = seen->source == PAT_TOLERANT ? seen->loop.count
                                                                         : seen->usual_count,
                             .depth = pat_tree_depth(&seen->tree),
                             .size = pat_tree_size(&seen->tree),
                             .unfolded = seen->unfolded,
                             .fit = seen->fit };
    seen->tree = (struct pat_tree){ .node = NULL };
    seen->usual = NULL;
    if (c->tree.any)
        st = pat_tree_text(&c->told, &c->tree, c->tree.bodies - 1, true, err);
    if (st == PRVCUT_OK && !c->fit.outermost && t->calls > 0)
        st = pat_lack(&c->no_loop, &f->seer.nest, t, &out->given, err);
    return st == PRVCUT_OK && c->fit.outermost ? patt_loop(c, t, seen, err) : st;
}

/* Of a nest whose loops go round more or less often the calls themselves, too: what threads of one
   class do is the same. */
static enum prvcut_status patt_exact_key(uint64_t *key, const struct pat_tree *t,
                                         struct prvcut_error *err)
{
    char *text;
    enum prvcut_status st;

    *key = 0;
    if (t->exact == 0)
        return PRVCUT_OK;
    st = pat_tree_text(&text, t, t->exact - 1, false, err);
    *key = st == PRVCUT_OK ? patt_text_key(text) : 0;
    free(text);
    return st;
}

static enum prvcut_status patt_classify(struct fnd *f, const struct pat_thread *t,
                                        struct pat_one *one, struct pat_seen *seen,
                                        struct prvcut_error *err)
{
    char *text;
    enum prvcut_status st = pat_tree_text(&text, &seen->tree, seen->tree.bodies - 1, false, err);
    uint64_t exact = 0;
    struct fnd_class key, *k;

    if (st == PRVCUT_OK)
        st = patt_exact_key(&exact, &seen->tree, err);
    if (st < 0) {
        free(text);
        return st;
    }
    for (key.key = patt_text_key(text) + exact;; key.key++) {
        k = prvcut_table_make(&f->classes, &key.key, err);
        if (!k || k->first == 0 ||
            (k->exact == exact && strcmp(f->out->class[k->first - 1].nest, text) == 0))
            break;
    }
    if (!k) {
        free(text);
        return PRVCUT_ENOMEM;
    }
    if (k->first == 0) {
        k->first = f->out->classes + 1;
        k->exact = exact;
        st = patt_new_class(f, t, seen, text, err);
    } else {
        free(text);
    }
    one->class = k->first - 1;
    return st == PRVCUT_OK ? patt_join_class(&f->out->class[one->class], t -> thread, err) : st;
}

/* --- Each thread ------------------------------------------------------------------------------ */

/* What is left of the present thread. */
struct fnd_left {
    struct pat_found *out;
    const struct pat_thread *thread;
    uint64_t upto; /* calls that have been decided */
};

static enum prvcut_status patt_put(struct pat_found *out, uint64_t from, uint64_t to,
                                   struct prvcut_error *err)
{
    if (from >= to)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&out->stretch, &out->stretch_room, out->stretches + 1,
                    sizeof *out->stretch, err) < 0)
        return PRVCUT_ENOMEM;
    out->stretch[out->stretches++] = (struct prvcut_span){ from, to };
    return PRVCUT_OK;
}

static enum prvcut_status patt_stretch(void *ctx, uint64_t from, uint64_t to,
                                       struct prvcut_error *err)
{
    struct fnd_left *l = ctx;
    const struct pat_thread *t = l->thread;
    enum prvcut_status st = PRVCUT_OK;

    /* What is before its calls stays. */
    if (l->upto == 0 && from > 0)
        st = patt_put(l->out, 0, t->call[0].begin, err);
    l->upto = to;
    if (st == PRVCUT_OK)
        st = patt_put(l->out, from == 0 ? 0 : t->call[from].begin,
                      to == t->calls ? UINT64_MAX : t->call[to].begin, err);
    return st;
}

static enum prvcut_status patt_leave(struct fnd *f, const struct pat_thread *t,
                                     const struct pat_occurrences *o, struct prvcut_error *err)
{
    struct pat_found *out = f->out;
    struct fnd_left l = { .out = out, .thread = t };
    const struct pat_kept kept = { patt_stretch, &l };
    enum prvcut_status st = PRVCUT_OK;

    if (!f->options->stretches)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&out->of, &out->of_room, out->ones + 1, sizeof *out->of, err) < 0)
        return PRVCUT_ENOMEM;
    out->of[out->ones - 1] = out->stretches;
    if (t->calls == 0)
        st = patt_put(out, 0, UINT64_MAX, err);
    else
        st = pat_occurrences_keep(o, &f->seer.nest, t, &kept, err);
    if (st == PRVCUT_OK && l.upto < t->calls)
        st = patt_put(out, t->call[t->calls - 1].end, UINT64_MAX, err);
    out->of[out->ones] = out->stretches;
    return st;
}

static enum prvcut_status patt_patterns(struct fnd *f, const struct pat_thread *t,
                                        struct pat_one *one, struct prvcut_error *err)
{
    struct pat_occurrences o;
    enum prvcut_status st = pat_occurrences_find(&o, &f->seer.nest, t, err);

    one->kept = o.kept;
    if (st == PRVCUT_OK)
        st = patt_leave(f, t, &o, err);
    if (st == PRVCUT_OK)
        st = pat_table_add(f->out, &f->known, &f->seer.nest, &o, t, f->seer.argued, f->store->names,
                           err);
    pat_occurrences_fini(&o);
    return st;
}

static enum prvcut_status patt_key(const struct fnd *f, struct pat_one *one, uint32_t body,
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

static enum prvcut_status patt_thread(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct fnd *f = ctx;
    struct pat_found *out = f->out;
    struct pat_seen seen = { .source = PAT_EXACT };
    struct pat_one *one;
    enum prvcut_status st;

    if (prvcut_grow((void **)&out->one, &out->one_room, out->ones + 1, sizeof *out->one, err) < 0)
        return PRVCUT_ENOMEM;
    one = &out->one[out->ones++];
    *one = (struct pat_one){ .thread = t->thread, .task = t->task, .calls = t->calls };
    if (t->calls > 0)
        one->span_ns = t->call[t->calls - 1].end - t->call[0].begin;
    out->calls += t->calls;
    out->uncalled += t->uncalled;
    out->span_ns += one->span_ns;
    st = pat_see(&f->seer, t, out->alphabet, out->source, &out->given, &seen, err);
    if (st == PRVCUT_OK && seen.source == PAT_EXACT && seen.fit.outermost)
        st = patt_key(f, one, pat_inner(f->seer.nest.top[seen.fit.loop.at]), err);
    out->unfolded += seen.unfolded;
    one->count = seen.fit.outermost ? seen.fit.loop.count : 0;
    if (f->options->nth > 0 && f->options->nth <= one->count)
        patt_iteration(&seen, f->options->nth - 1, &one->at, &one->next);
    if (st == PRVCUT_OK)
        st = patt_classify(f, t, one, &seen, err);
    pat_seen_fini(&seen);
    if (st == PRVCUT_OK)
        st = patt_patterns(f, t, one, err);
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
    st = patt_choose(&f, err);
    if (st == PRVCUT_OK)
        st = pat_store_each(store, patt_thread, &f, err);
    pat_table_end(out);
    pat_seer_fini(&f.seer);
    pat_voters_fini(&f.voters);
    prvcut_table_fini(&f.known);
    prvcut_table_fini(&f.classes);
    return st;
}

void pat_found_fini(struct pat_found *f)
{
    for (size_t i = 0; i < f->classes; i++) {
        free(f->class[i].thread);
        free(f->class[i].nest);
        free(f->class[i].told);
        free(f->class[i].no_loop);
        free(f->class[i].usual);
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
    free(f->stranger);
    free(f->stretch);
    free(f->of);
    *f = (struct pat_found){ .one = NULL };
}
