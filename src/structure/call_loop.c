#include "structure/call_follow.h"
#include "structure/loop.h"

#include <math.h>
#include <stdlib.h>

#define LOOP_VOTES    3 /* sequences with a loop that are asked which; all others only follow */
#define LOOP_CALLS    262144 /* calls searched, after which one vote is enough */
#define LOOP_LEVEL    0.75   /* of a period: what is nearly as long belongs to the same level */
#define LOOP_EVIDENCE 8      /* nats wanted beyond what the choice of start and distance costs */
#define LOOP_FOLLOWS  4      /* nats wanted of a sequence that shall follow a known loop */
#define LOOP_TRIES    3      /* loops tried until one can be followed */
#define LOOP_MANY     8      /* iterations enough to call one of them out of step */
#define LOOP_ENOUGH   0.75   /* of the best score, with which a longer period wins */

/* The cuts tried in each alphabet; in long sequences the first three suffice. */
static const struct {
    size_t length;
    size_t fold;
} loop_cuts[] = { { 1, 0 }, { 1, 2 }, { 16, 4 }, { 2, 0 }, { 4, 4 } };

#define LOOP_CUTS      (sizeof loop_cuts / sizeof *loop_cuts)
#define LOOP_CUTS_LONG 3
#define LOOP_LONG      65536 /* calls that make a sequence long */

/* How much an anchor explains; less where beats are missing: then the mean exceeds the median. */
static double loop_score(const struct call_anchor *a)
{
    double missing = a->time_mean > 0 ? fmin(1, 1.1 * a->time_gap / a->time_mean) : 1;

    return a->cover * a->alike * (0.5 + 0.5 * a->regular) * (1 - fmin(a->deviation, 0.5)) * missing;
}

/*
 * May this anchor be a loop's beat? Where most of the iteration repeats inside it, some rare call
 * could mark off iterations by chance; it has to do so at the more equal distances the fewer
 * there are.
 */
static bool loop_plausible(const struct call_anchor *a, double evidence)
{
    if (a->evidence < evidence)
        return false;
    if (a->alike < 0.3 || a->regular < 0.5)
        return false;
    /* One or two calls again and again are a loop only if they also keep time. */
    if (a->gap < 4 && (a->time_mean > 1.4 * a->time_gap || (double)a->count < 6 / a->gap))
        return false;
    if (a->cover < 0.3 && (a->count < 5 || a->deviation > 0 || a->alike < 0.999 || a->cover < 0.22))
        return false;
    if (a->support >= 0.5)
        return true;
    if (a->count < LOOP_MANY && a->purity < 0.6)
        return false;
    if (a->count <= 3)
        return a->deviation <= 0.02;
    if (a->count == 4)
        return a->deviation <= 0.05;
    return a->deviation <= 0.1 || (a->count >= LOOP_MANY && a->regular >= 0.75);
}

/*
 * The anchor with the longest distance in time among those that explain about as much as the best;
 * of several of that level the one that explains most. Medians tell the level: a beat may be
 * missing here and there.
 */
static const struct call_anchor *loop_outermost(const struct call_anchors *pool, double evidence)
{
    const struct call_anchor *out = NULL;
    double best = 0, longest = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (loop_plausible(&pool->at[i], evidence))
            best = fmax(best, loop_score(&pool->at[i]));
    for (size_t i = 0; i < pool->count; i++)
        if (loop_plausible(&pool->at[i], evidence) &&
            loop_score(&pool->at[i]) >= LOOP_ENOUGH * best)
            longest = fmax(longest, pool->at[i].time_gap);
    for (size_t i = 0; i < pool->count; i++)
        if (pool->at[i].time_gap >= LOOP_LEVEL * longest &&
            loop_plausible(&pool->at[i], evidence) &&
            (!out || loop_score(&pool->at[i]) > loop_score(out)))
            out = &pool->at[i];
    return out;
}

/* Evidence that a sequence must show: all starts and distances are tried on it, in many cuts. */
static double loop_evidence(size_t calls)
{
    return 2 * log((double)calls) + LOOP_EVIDENCE;
}

/* All anchors of one sequence, in all alphabets, compared; those like `want` only, if given. */
static enum prvcut_status loop_anchors(struct call_anchors *pool, struct call_grams *g,
                                       const struct prvcut_call_sequence *s,
                                       const struct call_want *want, struct prvcut_error *err)
{
    size_t cuts = s->count < LOOP_LONG ? LOOP_CUTS : LOOP_CUTS_LONG;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < CALL_ALPHABETS * cuts && st == PRVCUT_OK; i++) {
        struct call_cut cut = { .alphabet = &prvcut_call_alphabets[i / cuts],
                                .length = loop_cuts[i % cuts].length,
                                .fold = loop_cuts[i % cuts].fold };

        st = prvcut_call_grams_make(g, s->at, s->count, &cut, err);
        if (st == PRVCUT_OK)
            st = prvcut_call_anchors_find(pool, g, s, &cut, want, err);
    }
    for (size_t i = 0; i < pool->count && st == PRVCUT_OK; i++)
        st = prvcut_call_anchor_compare(&pool->at[i], g, s, err);
    return st;
}

/* Anchors like `want`: first as it was found elsewhere, then in any way. */
static enum prvcut_status loop_match(struct call_anchors *pool, struct call_grams *g,
                                     const struct prvcut_call_sequence *s,
                                     const struct call_anchor *model, struct prvcut_error *err)
{
    struct call_want want = { .count = model->count,
                              .time_gap = model->time_gap,
                              .time_mean = model->time_mean };
    enum prvcut_status st = prvcut_call_grams_make(g, s->at, s->count, &model->cut, err);

    if (st == PRVCUT_OK)
        st = prvcut_call_anchors_find(pool, g, s, &model->cut, &want, err);
    for (size_t i = 0; i < pool->count && st == PRVCUT_OK; i++)
        st = prvcut_call_anchor_compare(&pool->at[i], g, s, err);
    if (st == PRVCUT_OK && !loop_outermost(pool, LOOP_FOLLOWS)) {
        prvcut_call_anchors_fini(pool);
        st = loop_anchors(pool, g, s, &want, err);
    }
    return st;
}

/* The state of a search: the loops that some sequences show, and the way of all through one. */
struct loop_search {
    const struct prvcut_call_sequence *in;
    size_t count, busy; /* sequences; those with calls */
    struct call_grams grams;
    size_t votes;
    struct call_anchors pool[LOOP_VOTES];       /* what each voter holds */
    const struct call_anchor *vote[LOOP_VOTES]; /* which of these it means */
    double evidence[LOOP_VOTES];                /* and the evidence wanted of it */
    double trust;                               /* 0.6..1: how far the winner is beyond that */
    struct call_track *track;                   /* [count] */
};

static void search_swap(size_t *order, size_t a, size_t b)
{
    size_t old = order[a];

    order[a] = order[b];
    order[b] = old;
}

/* Sequences with calls, in the order in which to ask them: three of spread lengths first. */
static size_t search_order(const struct loop_search *l, size_t *order)
{
    size_t n = 0;

    for (size_t i = 0; i < l->count; i++) {
        size_t at = n;

        if (l->in[i].count < 3)
            continue;
        for (n++; at > 0 && l->in[order[at - 1]].count > l->in[i].count; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    if (n > LOOP_VOTES) {
        search_swap(order, 2, 5 * n / 6);
        search_swap(order, 1, n / 6);
        search_swap(order, 0, n / 2);
    }
    return n;
}

/* Search one more sequence; it keeps its place among the votes if it holds a loop. */
static enum prvcut_status search_one(struct loop_search *l, size_t which, struct prvcut_error *err)
{
    struct call_anchors *pool = &l->pool[l->votes];
    enum prvcut_status st = loop_anchors(pool, &l->grams, &l->in[which], NULL, err);

    l->evidence[l->votes] = loop_evidence(l->in[which].count);
    l->vote[l->votes] = loop_outermost(pool, l->evidence[l->votes]);
    if (l->vote[l->votes])
        l->votes++;
    else
        prvcut_call_anchors_fini(pool);
    return st;
}

/* Ask sequences until there are enough votes, or enough calls were looked at. */
static enum prvcut_status search_vote(struct loop_search *l, struct prvcut_error *err)
{
    size_t *order = malloc(l->count * sizeof *order), calls = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (!order)
        return prvcut_fail(err, PRVCUT_ENOMEM, "no memory for %zu sequences", l->count);
    l->busy = search_order(l, order);
    for (size_t i = 0; i < l->busy && l->votes < LOOP_VOTES && st == PRVCUT_OK; i++) {
        if (calls >= (l->votes > 0 ? LOOP_CALLS : 2 * LOOP_CALLS))
            break;
        calls += l->in[order[i]].count;
        st = search_one(l, order[i], err);
    }
    free(order);
    return st;
}

/* How many votes mean the same loop as vote i. */
static size_t search_agree(const struct loop_search *l, size_t i)
{
    const struct call_want want = { .count = l->vote[i]->count,
                                    .time_gap = l->vote[i]->time_gap,
                                    .time_mean = l->vote[i]->time_mean };
    size_t n = 0;

    for (size_t j = 0; j < l->votes; j++)
        n += prvcut_call_anchor_like(l->vote[j], &want);
    return n;
}

/* The loop that most votes mean; of several the one that explains most. NULL without votes. */
static const struct call_anchor *search_winner(struct loop_search *l)
{
    const struct call_anchor *best = NULL;
    double most = 0;

    for (size_t i = 0; i < l->votes; i++) {
        double worth = (double)search_agree(l, i) + 0.9 * loop_score(l->vote[i]);

        if (worth <= most)
            continue;
        most = worth;
        best = l->vote[i];
        l->trust = fmin(1, 0.2 + 0.4 * best->evidence / l->evidence[i]);
    }
    return best;
}

/* Nobody, not even the voters, follows this loop for 3 iterations: let them think again. */
static void search_discard(struct loop_search *l, const struct call_anchor *model)
{
    const struct call_want want = { .count = model->count,
                                    .time_gap = model->time_gap,
                                    .time_mean = model->time_mean };
    size_t kept = 0;

    for (size_t i = 0; i < l->votes; i++) {
        struct call_anchors pool = l->pool[i];

        for (size_t k = 0; k < pool.count; k++)
            if (prvcut_call_anchor_like(&pool.at[k], &want))
                pool.at[k].evidence = 0;
        l->pool[i] = (struct call_anchors){ 0 };
        l->evidence[kept] = l->evidence[i];
        l->vote[kept] = loop_outermost(&pool, l->evidence[i]);
        if (l->vote[kept])
            l->pool[kept++] = pool;
        else
            prvcut_call_anchors_fini(&pool);
    }
    l->votes = kept;
}

static enum prvcut_status search_follow(struct loop_search *l, const struct call_anchor *model,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->count && st == PRVCUT_OK; i++) {
        struct call_anchors pool = { 0 };
        const struct call_anchor *a = NULL;

        if (l->in[i].count >= 3)
            st = loop_match(&pool, &l->grams, &l->in[i], model, err);
        if (st == PRVCUT_OK)
            a = loop_outermost(&pool, LOOP_FOLLOWS);
        if (a)
            st = prvcut_call_track_make(&l->track[i], a, &l->grams, &l->in[i], err);
        prvcut_call_anchors_fini(&pool);
    }
    return st;
}

static void search_fini(struct loop_search *l)
{
    for (size_t i = 0; i < LOOP_VOTES; i++)
        prvcut_call_anchors_fini(&l->pool[i]);
    for (size_t i = 0; l->track && i < l->count; i++)
        prvcut_call_track_fini(&l->track[i]);
    free(l->track);
    prvcut_call_grams_fini(&l->grams);
}

/* Times of the borders of all that follow. */
static enum prvcut_status loop_borders(struct prvcut_call_loop *out, const struct loop_search *l,
                                       struct prvcut_error *err)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct call_track *t = &l->track[i];

        if (t->count == 0)
            continue;
        out->border[i] = malloc((t->count + 1) * sizeof *out->border[i]);
        if (!out->border[i])
            return prvcut_fail(err, PRVCUT_ENOMEM, "no memory for %zu borders", t->count + 1);
        out->borders[i] = t->count + 1;
        for (size_t k = 0; k <= t->count; k++)
            out->border[i][k] = prvcut_call_track_time(t, &l->in[i], k);
        if (out->followers++ == 0)
            out->calls_per_iteration = (t->start[t->count - 1] - t->start[0]) / (t->count - 1);
    }
    return PRVCUT_OK;
}

static int loop_order_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Median length of all iterations of all followers. */
static enum prvcut_status loop_median(struct prvcut_call_loop *out, struct prvcut_error *err)
{
    size_t all = 0, n = 0;
    uint64_t *length;

    for (size_t i = 0; i < out->sequences; i++)
        all += out->borders[i];
    length = malloc(all * sizeof *length);
    if (!length)
        return prvcut_fail(err, PRVCUT_ENOMEM, "no memory for %zu borders", all);
    for (size_t i = 0; i < out->sequences; i++)
        for (size_t k = 0; k + 1 < out->borders[i]; k++)
            length[n++] = out->border[i][k + 1] - out->border[i][k];
    qsort(length, n, sizeof *length, loop_order_u64);
    out->loop.median_ns =
        n % 2 ? (double)length[n / 2] : ((double)length[n / 2] + (double)length[n / 2 - 1]) / 2;
    free(length);
    return PRVCUT_OK;
}

/*
 * Mean length of a follower's iterations, of which there are at least 3, given the median of all.
 * The last one lacks what the others do before their first call; where there are many, the first
 * may be seen to hold a warm-up. Such a one is left out.
 */
static double loop_mean(const uint64_t *border, size_t count, double median)
{
    double first = (double)(border[1] - border[0]), used = (double)count;
    double last = (double)(border[count] - border[count - 1]), shortest = first;
    double sum = (double)(border[count] - border[0]);

    for (size_t i = 1; i + 1 < count; i++)
        shortest = fmin(shortest, (double)(border[i + 1] - border[i]));
    if (last < 0.8 * shortest) {
        sum -= last;
        used--;
    }
    if (count >= LOOP_MANY && first > 1.5 * median) {
        sum -= first;
        used--;
    }
    return sum / used;
}

/*
 * Where little is known of a call, an outer loop may look like the inner one: how far the
 * outermost that is seen can be trusted to be so.
 */
static double loop_insight(const struct loop_search *l)
{
    bool peer = false, detail = false;

    for (size_t i = 0; i < l->count && !detail; i++)
        for (size_t k = 0; k < l->in[i].count && l->track[i].count > 0 && !detail; k++) {
            const struct prvcut_call *c = &l->in[i].at[k];

            peer = peer || c->peer != 0;
            detail = c->size != 0 || c->site != 0;
        }
    return detail ? 1 : peer ? 0.7 : 0.5;
}

/* What the followers say together. */
static void loop_sum(struct prvcut_call_loop *out, const struct loop_search *l)
{
    double alike = 0, cover = 0, regular = 0, n = (double)out->followers;

    out->loop.span.start = UINT64_MAX;
    for (size_t i = 0; i < l->count; i++) {
        const struct call_track *t = &l->track[i];

        if (t->count == 0)
            continue;
        out->loop.period_ns += loop_mean(out->border[i], t->count, out->loop.median_ns) / n;
        out->loop.iterations += (double)t->count / n;
        if (out->border[i][0] < out->loop.span.start)
            out->loop.span.start = out->border[i][0];
        if (out->border[i][t->count] > out->loop.span.end)
            out->loop.span.end = out->border[i][t->count];
        alike += t->alike / n;
        cover += t->cover / n;
        regular += t->regular / n;
    }
    out->loop.strength = alike * sqrt(regular) * fmin(1, cover / 0.7) * sqrt(n / (double)l->busy) *
                         (1 - 1.2 / fmax(out->loop.iterations, 3)) * l->trust * loop_insight(l);
    out->loop.found = true;
    out->loop.why = NULL;
}

static enum prvcut_status loop_result(struct prvcut_call_loop *out, const struct loop_search *l,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = loop_borders(out, l, err);

    if (st != PRVCUT_OK)
        return st;
    if (out->followers == 0)
        return PRVCUT_OK;
    st = loop_median(out, err);
    if (st == PRVCUT_OK)
        loop_sum(out, l);
    return st;
}

static enum prvcut_status loop_find(struct prvcut_call_loop *out, struct loop_search *l,
                                    struct prvcut_error *err)
{
    const struct call_anchor *model;
    enum prvcut_status st = search_vote(l, err);

    if (st != PRVCUT_OK)
        return st;
    for (int i = 0; i < LOOP_TRIES && (model = search_winner(l)); i++) {
        st = search_follow(l, model, err);
        if (st != PRVCUT_OK)
            return st;
        prvcut_call_tracks_align(l->track, l->in, l->count);
        out->alphabet = model->cut.alphabet->name;
        st = loop_result(out, l, err);
        if (st != PRVCUT_OK || out->followers > 0)
            return st;
        search_discard(l, model);
    }
    out->alphabet = "";
    out->loop.why = l->busy == 0 ? "the trace holds no calls" : "the calls do not repeat";
    return PRVCUT_OK;
}

enum prvcut_status prvcut_call_loop_find(struct prvcut_call_loop *out,
                                         const struct prvcut_call_sequence *in, size_t sequences,
                                         struct prvcut_error *err)
{
    struct loop_search l = { .in = in, .count = sequences };
    enum prvcut_status st;

    *out = (struct prvcut_call_loop){ .alphabet = "", .sequences = sequences };
    out->loop.why = "the trace holds no calls";
    if (sequences == 0)
        return PRVCUT_OK;
    out->border = calloc(sequences, sizeof *out->border);
    out->borders = calloc(sequences, sizeof *out->borders);
    l.track = calloc(sequences, sizeof *l.track);
    if (out->border && out->borders && l.track)
        st = loop_find(out, &l, err);
    else
        st = prvcut_fail(err, PRVCUT_ENOMEM, "no memory for %zu sequences", sequences);
    search_fini(&l);
    if (st != PRVCUT_OK)
        prvcut_call_loop_fini(out);
    return st;
}

void prvcut_call_loop_fini(struct prvcut_call_loop *l)
{
    for (size_t i = 0; l->border && i < l->sequences; i++)
        free(l->border[i]);
    free(l->border);
    free(l->borders);
    *l = (struct prvcut_call_loop){ 0 };
}
