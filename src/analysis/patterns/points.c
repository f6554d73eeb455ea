#include "analysis/patterns/points.h"

#include "analysis/patterns/ends.h"

#include "base/memory.h"

#include <stdlib.h>

/* How far the structure's loop may be from the nests' one and be the same: one in so many. */
#define APART 10u

static void pnt_track_fini(struct pat_track *t)
{
    free(t->at);
    free(t->begin);
    free(t->length);
    free(t->next);
    pat_peaks_fini(&t->peaks);
}

void pat_points_fini(struct pat_points *p)
{
    for (size_t i = 0; i < p->tracks; i++)
        pnt_track_fini(&p->track[i]);
    free(p->track);
    free(p->at);
    free(p->left);
    *p = (struct pat_points){ .track = NULL };
}

/* --- Where a pattern occurs ------------------------------------------------------------------- */

/* The present thread's. */
struct pnt {
    struct pat_points *out;
    struct pat_store *store;
    struct pat_found *found;
    const struct pat_points_options *options;
    bool structure; /* its iterations, on all threads */
    uint64_t key;   /* of the pattern that is followed; level 0: the outermost loop's */
    struct pat_nest nest;
    const struct pat_thread *thread;
    struct pat_argued *argued;
    size_t argued_room;
    uint32_t *symbol;
    size_t symbol_room;
    uint32_t body;
    struct pat_track *track;
    size_t room;
};

static enum prvcut_status pnt_put(struct pnt *p, uint64_t at, uint64_t next,
                                  struct prvcut_error *err)
{
    struct pat_track *t = p->track;
    const uint64_t from = pat_border(p->thread, at), to = pat_border(p->thread, next);
    size_t room[4] = { p->room, p->room, p->room, p->room };

    if (t->count == p->room) {
        const size_t want = p->room > 0 ? 2 * p->room : 64;

        if (prvcut_grow((void **)&t->at, &room[0], want, sizeof *t->at, err) < 0 ||
            prvcut_grow((void **)&t->begin, &room[1], want, sizeof *t->begin, err) < 0 ||
            prvcut_grow((void **)&t->length, &room[2], want, sizeof *t->length, err) < 0 ||
            prvcut_grow((void **)&t->next, &room[3], want, sizeof *t->next, err) < 0)
            return PRVCUT_ENOMEM;
        p->room = want;
    }
    t->at[t->count] = at;
    t->next[t->count] = next;
    t->begin[t->count] = from;
    t->length[t->count++] = to > from ? to - from : 0;
    return PRVCUT_OK;
}

static enum prvcut_status pnt_loop(void *ctx, uint64_t element, uint64_t at, bool begins,
                                   struct prvcut_error *err)
{
    struct pnt *p = ctx;
    const uint64_t calls = p->nest.bodies.body[pat_inner(element)].calls;
    enum prvcut_status st = PRVCUT_OK;

    if (!begins || pat_inner(element) != p->body)
        return PRVCUT_OK;
    for (uint32_t i = 0; i < pat_count(element) && st == PRVCUT_OK; i++)
        st = pnt_put(p, at + i * calls, at + (i + 1) * calls, err);
    return st;
}

/* The body with that key; PRVCUT_END: the thread has none. */
static enum prvcut_status pnt_body(struct pnt *p, struct prvcut_error *err)
{
    const size_t bodies = p->nest.bodies.count;
    uint64_t *keys = prvcut_unset(bodies, sizeof *keys, "patterns", err);
    enum prvcut_status st = keys ? pat_body_keys(&p->nest, p->argued, keys, err) : PRVCUT_ENOMEM;

    for (p->body = 0; st == PRVCUT_OK && p->body < bodies && keys[p->body] != p->key;)
        p->body++;
    if (st == PRVCUT_OK && p->body == bodies)
        st = PRVCUT_END;
    free(keys);
    return st;
}

static enum prvcut_status pnt_tolerant(struct pnt *p, const struct pat_thread *t,
                                       struct prvcut_error *err)
{
    struct pat_tolerant loop;
    struct pat_ends ends = { .border = NULL };
    enum prvcut_status st = pat_tolerant_find(&loop, t, p->found->alphabet, err);

    if (st == PRVCUT_OK)
        st = pat_ends_make(&ends, &loop, &p->found->given, t, err);
    for (uint64_t i = 0; i < ends.count && st == PRVCUT_OK; i++)
        st = pnt_put(p, ends.border[i], ends.border[i + 1], err);
    pat_ends_fini(&ends);
    pat_tolerant_fini(&loop);
    return st;
}

static enum prvcut_status pnt_given(struct pnt *p, const struct pat_thread *t,
                                    struct prvcut_error *err)
{
    struct pat_given_loop loop;
    enum prvcut_status st = pat_given_loop_make(&loop, &p->found->given, t, err);

    for (uint64_t i = 0; i < loop.count && st == PRVCUT_OK; i++)
        st = pnt_put(p, loop.first[i], loop.end[i], err);
    pat_given_loop_fini(&loop);
    return st;
}

static enum prvcut_status pnt_outermost(struct pnt *p, const struct pat_thread *t,
                                        struct prvcut_error *err)
{
    const struct pat_fit fit = pat_fit_of(&p->nest, t);
    enum prvcut_status st = PRVCUT_OK;

    if (p->found->source == PAT_TOLERANT)
        st = pnt_tolerant(p, t, err);
    if (st < 0 || p->track->count > 0)
        return st;
    if (pat_see_given(t, p->found->source, &p->found->given, &fit))
        st = pnt_given(p, t, err);
    if (st < 0 || p->track->count > 0)
        return st;
    for (uint64_t i = 0; fit.outermost && i < fit.loop.count && st == PRVCUT_OK; i++)
        st = pnt_put(p, fit.loop.first + i * fit.loop.calls,
                     fit.loop.first + (i + 1) * fit.loop.calls, err);
    return st;
}

static enum prvcut_status pnt_thread(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct pnt *p = ctx;
    struct pat_points *out = p->out;
    const enum pat_alphabet a = p->found->alphabet;
    const struct pat_walker walker = { .loop = pnt_loop, .ctx = p, .unrolled = true };
    enum prvcut_status st;

    if (prvcut_grow((void **)&out->track, &out->track_room, out->tracks + 1, sizeof *out->track,
                    err) < 0)
        return PRVCUT_ENOMEM;
    p->thread = t;
    p->room = 0;
    p->track = &out->track[out->tracks++];
    *p->track = (struct pat_track){ .thread = t->thread };
    if (p->structure)
        return pnt_given(p, t, err);
    if (prvcut_grow((void **)&p->symbol, &p->symbol_room, t->calls + 1, sizeof *p->symbol, err) <
            0 ||
        prvcut_grow((void **)&p->argued, &p->argued_room, t->different[a] + 1, sizeof *p->argued,
                    err) < 0)
        return PRVCUT_ENOMEM;
    pat_symbols(t, a, p->symbol);
    pat_argue(t, a, p->argued);
    st = pat_nest_make(&p->nest, p->symbol, t->calls, err);
    if (st < 0 || p->options->level == 0)
        return st < 0 ? st : pnt_outermost(p, t, err);
    st = pnt_body(p, err);
    if (st == PRVCUT_OK)
        st = pat_nest_walk(&p->nest, &walker, err);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* --- Of the same count ------------------------------------------------------------------------ */

/* As often as on most threads; of equals the lowest thread's. */
static uint64_t pnt_usual_count(const struct pat_points *p)
{
    size_t best = 0;
    uint64_t count = 0;

    for (size_t i = 0; i < p->tracks; i++) {
        size_t same = 0;

        if (p->track[i].count == 0 || p->track[i].count == count)
            continue;
        for (size_t k = i; k < p->tracks; k++)
            same += p->track[k].count == p->track[i].count;
        if (same > best) {
            best = same;
            count = p->track[i].count;
        }
    }
    return count;
}

static void pnt_leave(struct pat_points *p, uint64_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->tracks; i++) {
        if (p->track[i].count == count && count > 0) {
            p->track[kept++] = p->track[i];
            continue;
        }
        pnt_track_fini(&p->track[i]);
    }
    p->tracks = kept;
    p->iterations = count;
}

static size_t pnt_with(const struct pat_points *p, uint64_t count)
{
    size_t with = 0;

    for (size_t i = 0; i < p->tracks; i++)
        with += p->track[i].count == count;
    return with;
}

/* Is there a thread with calls whose loop goes round more or less often? */
static bool pnt_disagrees(const struct pnt *p, uint64_t usual)
{
    const struct pat_points *out = p->out;

    for (size_t i = 0; i < out->tracks; i++)
        if (out->track[i].count != usual && pat_found_calls(p->found, out->track[i].thread))
            return true;
    return false;
}

/* How far the begins of two threads' iterations are from each other, on average, where one counts
   from another number on. */
static double pnt_apart(const struct pat_track *a, const struct pat_track *b, uint64_t later)
{
    double sum = 0;

    for (uint64_t i = later; i < a->count; i++) {
        const uint64_t x = a->begin[i - later], y = b->begin[i];

        sum += (double)(x > y ? x - y : y - x);
    }
    return sum / (double)(a->count - later);
}

/* Of loops that end as the data have it one thread's may be told from one iteration later on than
   another's: then the same numbers are not the same iterations. */
static bool pnt_out_of_step(const struct pnt *p, uint64_t usual)
{
    const struct pat_points *out = p->out;
    const struct pat_track *first = NULL;

    for (size_t i = 0; i < out->tracks && p->found->source == PAT_TOLERANT && usual > 2; i++) {
        const struct pat_track *t = &out->track[i];

        if (t->count != usual)
            continue;
        first = first ? first : t;
        if (2 * pnt_apart(t, first, 1) < pnt_apart(t, first, 0) ||
            2 * pnt_apart(first, t, 1) < pnt_apart(t, first, 0))
            return true;
    }
    return false;
}

/* The structure's iterations in place of those of the nests, where more threads have them. */
static enum prvcut_status pnt_as_structure(struct pnt *p, uint64_t usual, struct prvcut_error *err)
{
    const struct pat_options *asked = p->options->found;
    struct pat_points *nests = p->out, own = { .pattern = SIZE_MAX };
    struct pat_given *g = &p->found->given;
    enum prvcut_status st = PRVCUT_OK;
    const bool out_of_step = pnt_out_of_step(p, usual);
    uint64_t apart;

    if (usual == 0 || !asked || !asked->ask || asked->tolerant != PAT_AUTO ||
        (!pnt_disagrees(p, usual) && !out_of_step))
        return PRVCUT_OK;
    if (g->count == 0)
        st = pat_found_ask(p->found, p->store, asked, err);
    apart = g->count > usual ? g->count - usual : usual - g->count;
    if (st < 0 || !g->sure || apart > 1 + usual / APART)
        return st;
    p->out = &own;
    p->structure = true;
    st = pat_store_each(p->store, pnt_thread, p, err);
    p->out = nests;
    if (st == PRVCUT_OK && pnt_with(&own, g->count) + out_of_step > pnt_with(nests, usual)) {
        const struct pat_points other = *nests;

        *nests = own;
        own = other;
    }
    pat_points_fini(&own);
    return st;
}

/* Threads with calls that are in no point. */
static enum prvcut_status pnt_note_left(struct pnt *p, struct prvcut_error *err)
{
    struct pat_points *out = p->out;
    const struct pat_found *f = p->found;

    out->left = prvcut_unset(f->ones, sizeof *out->left, "threads", err);
    if (!out->left)
        return PRVCUT_ENOMEM;
    for (size_t i = 0, next = 0; i < f->ones; i++) {
        while (next < out->tracks && out->track[next].thread < f->one[i].thread)
            next++;
        if (f->one[i].calls == 0 ||
            (next < out->tracks && out->track[next].thread == f->one[i].thread))
            continue;
        out->left[out->lefts++] = f->one[i].thread;
        out->left_ns += f->one[i].span_ns;
    }
    return PRVCUT_OK;
}

/* --- Ranks ------------------------------------------------------------------------------------ */

/* By how much an iteration exceeds the usual length of its thread most. */
struct pnt_rank {
    int64_t excess;
    uint64_t iteration;
    size_t track;
};

static int pnt_by_excess(const void *a, const void *b)
{
    const struct pnt_rank *x = a, *y = b;

    if (x->excess != y->excess)
        return x->excess > y->excess ? -1 : 1;
    return (x->iteration > y->iteration) - (x->iteration < y->iteration);
}

static void pnt_measure(const struct pat_points *p, struct pnt_rank *rank)
{
    for (uint64_t i = 0; i < p->iterations; i++) {
        rank[i] = (struct pnt_rank){ .excess = INT64_MIN, .iteration = i };
        for (size_t t = 0; t < p->tracks; t++) {
            const int64_t excess = (int64_t)(p->track[t].length[i] - p->track[t].peaks.median);

            if (excess > rank[i].excess) {
                rank[i].excess = excess;
                rank[i].track = t;
            }
        }
    }
    qsort(rank, p->iterations, sizeof *rank, pnt_by_excess);
}

/* The point that stands for this track's peak already. */
static struct pat_point *pnt_like(const struct pat_points *p, size_t track, size_t peak)
{
    for (size_t i = 0; i < p->all; i++) {
        const struct pat_track *t = &p->track[p->at[i].track];

        if (p->at[i].track == track && !p->at[i].outlier &&
            pat_peaks_of(&t->peaks, t->length[p->at[i].iteration]) == peak)
            return &p->at[i];
    }
    return NULL;
}

static void pnt_choose(struct pat_points *p, const struct pnt_rank *rank, bool every)
{
    for (uint64_t i = 0; i < p->iterations; i++) {
        const struct pat_track *t = &p->track[rank[i].track];
        const size_t peak = pat_peaks_of(&t->peaks, t->length[rank[i].iteration]);
        struct pat_point *like;

        if (!every && peak == 0)
            continue;
        like = every || peak == SIZE_MAX ? NULL : pnt_like(p, rank[i].track, peak);
        if (like) {
            like->alike++;
            continue;
        }
        p->at[p->all++] = (struct pat_point){
            .outlier = peak == SIZE_MAX,
            .iteration = rank[i].iteration,
            .track = rank[i].track,
            .excess = rank[i].excess > 0 ? (uint64_t)rank[i].excess : 0,
            .alike = 1,
            .peer = UINT32_MAX,
        };
    }
}

enum prvcut_status pat_points_rank(struct pat_points *p, const struct pat_points_options *options,
                                   struct prvcut_error *err)
{
    struct pnt_rank *rank;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->tracks && st == PRVCUT_OK; i++)
        st = pat_peaks_find(&p->track[i].peaks, p->track[i].length, p->track[i].count, err);
    rank = prvcut_unset(p->iterations, sizeof *rank, "iterations", err);
    p->at = prvcut_unset(p->iterations, sizeof *p->at, "iterations", err);
    if (!rank || !p->at)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK) {
        pnt_measure(p, rank);
        pnt_choose(p, rank, options->every);
    }
    p->count = options->top > 0 && options->top < p->all ? options->top : p->all;
    free(rank);
    return st;
}

/* The first thread of the task at the other end. */
static void pnt_name_peers(struct pat_points *p, const struct pat_found *f)
{
    for (size_t i = 0; i < p->count; i++) {
        const uint32_t task = p->at[i].peer;

        p->at[i].peer = UINT32_MAX;
        for (size_t k = 0; task != UINT32_MAX && k < f->ones; k++)
            if (f->one[k].task == task && f->one[k].thread < p->at[i].peer)
                p->at[i].peer = f->one[k].thread;
    }
}

/* --- All of it -------------------------------------------------------------------------------- */

static size_t pnt_pattern(const struct pat_found *f, unsigned level, uint64_t key)
{
    for (size_t i = 0; i < f->patterns; i++)
        if (level > 0 ? f->pattern[i].level == level : f->pattern[i].key == key)
            return i;
    return SIZE_MAX;
}

enum prvcut_status pat_points_find(struct pat_points *out, struct pat_store *store,
                                   struct pat_found *f, const struct pat_points_options *options,
                                   struct prvcut_error *err)
{
    struct pnt p = { .out = out, .store = store, .found = f, .options = options };
    enum prvcut_status st;

    *out = (struct pat_points){ .pattern = SIZE_MAX };
    if (options->level > 0) {
        out->pattern = pnt_pattern(f, options->level, 0);
        if (out->pattern == SIZE_MAX)
            return PRVCUT_OK;
        p.key = f->pattern[out->pattern].key;
    }
    pat_nest_init(&p.nest);
    st = pat_store_each(store, pnt_thread, &p, err);
    if (st == PRVCUT_OK && options->level == 0)
        st = pnt_as_structure(&p, pnt_usual_count(out), err);
    pnt_leave(out, pnt_usual_count(out));
    for (size_t i = 0; options->level == 0 && out->tracks > 0 && i < f->ones; i++)
        if (f->one[i].thread == out->track[0].thread)
            out->pattern = pnt_pattern(f, 0, f->one[i].key);
    if (st == PRVCUT_OK && options->level == 0 && out->iterations > 0)
        st = pnt_note_left(&p, err);
    if (st == PRVCUT_OK && out->iterations > 0)
        st = pat_points_rank(out, options, err);
    if (st == PRVCUT_OK && out->count > 0)
        st = pat_points_why(out, store, err);
    pnt_name_peers(out, f);
    pat_nest_fini(&p.nest);
    free(p.symbol);
    free(p.argued);
    return st;
}
