#include "structure/levels.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"
#include "signal/collect.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * What bounds time, set by hand and not fitted.
 *
 * name       value  unit            decides
 */
#define BINS_ENOUGH                                                                                \
    0.25            /* share of bins  over an iteration, from which the pass before will do        \
                     */
#define EXAMPLES 64 /* iterations     that are divided, all levels together */

struct levels {
    const struct prvcut_levels_input *in;
    struct made_structure *out;
    struct prvcut_known_loops *known;
    size_t room, of_room, stretch_room;
    unsigned deepest, examples;
    unsigned numbers[PRVCUT_LEVELS_MOST + 1]; /* periodic regions of each level so far */
};

/** One iteration that is divided. */
struct example {
    const struct prvcut_known_loop *loop;
    struct prvcut_span span; /* on the thread that leads */
    struct prvcut_span hull; /* on all threads */
    size_t iteration;        /* of the loop's calls; SIZE_MAX: not known by calls */
    size_t *from, *to;       /* [sequences]; owned */
    struct prvcut_collection data;
    bool collected;
};

/* Iteration of the calls that begins at a time on the thread that leads. */
static size_t lev_iteration_at(const struct prvcut_known_loop *f, uint64_t time)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);
    const size_t at = prvcut_lower_u64(border, borders, sizeof *border, 0, time);

    return at < borders ? at : SIZE_MAX;
}

/* The usual number of calls in an iteration of each sequence; 0: it does not follow. */
static enum prvcut_status lev_usual_calls(double *usual, const struct prvcut_call_loop *l,
                                          struct prvcut_error *err)
{
    for (size_t i = 0; i < l->sequences; i++) {
        const size_t n = l->borders[i] > 0 ? l->borders[i] - 1 : 0;
        double *count = prvcut_unset(n + 1, sizeof *count, "iterations", err);

        if (!count)
            return PRVCUT_ENOMEM;
        for (size_t k = 0; k < n; k++)
            count[k] = l->start[i][k + 1] - l->start[i][k];
        usual[i] = n > 0 ? floor(prvcut_median(count, n)) : 0;
        free(count);
    }
    return PRVCUT_OK;
}

/* Calls more or less than usual, on all threads. */
static double lev_unusual(const struct prvcut_call_loop *l, const double *usual, size_t k)
{
    double sum = 0;

    for (size_t i = 0; i < l->sequences; i++)
        if (l->borders[i] > k + 1)
            sum += fabs((double)(l->start[i][k + 1] - l->start[i][k]) - usual[i]) / (1 + usual[i]);
    return sum;
}

static bool lev_touched(const struct prvcut_search_input *in, struct prvcut_span s)
{
    for (size_t i = 0; i < in->masks && in->mask[i].start < s.end; i++)
        if (in->mask[i].end > s.start)
            return true;
    return false;
}

/** Where the iterations of a region are known to begin. */
struct borders {
    const uint64_t *at; /* [count] */
    size_t count;
    double median; /* ns */
};

/* The most usual iteration between known borders. */
static enum prvcut_status lev_choose_known(struct example *x, const struct levels *l,
                                           const struct borders *b, struct prvcut_error *err)
{
    const struct prvcut_call_loop *c = &x->loop->calls;
    const size_t first = lev_iteration_at(x->loop, b->at[0]);
    double *usual = prvcut_zeroed(c->sequences + 1, sizeof *usual, "sequences", err),
           best = HUGE_VAL;
    enum prvcut_status st = PRVCUT_OK;

    if (!usual)
        return PRVCUT_ENOMEM;
    st = lev_usual_calls(usual, c, err);
    for (size_t k = 0; st == PRVCUT_OK && k + 1 < b->count; k++) {
        const struct prvcut_span s = { b->at[k], b->at[k + 1] };
        double odd = fabs((double)(s.end - s.start) / b->median - 1);

        if (c->sequences > 0 && first != SIZE_MAX)
            odd += lev_unusual(c, usual, first + k);
        if (odd < best && lev_touched(&l->in->top->where, s))
            odd += 10;
        if (odd >= best)
            continue;
        best = odd;
        x->span = s;
        x->iteration = c->sequences > 0 && first != SIZE_MAX ? first + k : SIZE_MAX;
    }
    free(usual);
    return st;
}

/* The most usual iteration of those that the calls know of a region; one in its middle, where
   borders are laid by the period. */
static enum prvcut_status lev_choose_example(struct example *x, const struct levels *l,
                                             const struct made_region *r, struct prvcut_error *err)
{
    struct borders b = { r->is.border, r->is.borders, r->is.median_ns };
    const double half = floor(r->is.iterations / 2);

    x->iteration = SIZE_MAX;
    /* Of very long calls only the beginning is known. */
    if (!b.at)
        b.at = prvcut_known_loop_borders(x->loop, &b.count);
    if (b.count > 1 && b.at[0] >= r->is.span.start && b.at[0] < r->is.span.end)
        return lev_choose_known(x, l, &b, err);
    x->span.start = r->is.span.start + (uint64_t)(half * r->is.period_ns);
    x->span.end = x->span.start + (uint64_t)r->is.period_ns;
    return PRVCUT_OK;
}

/* Each thread's own calls of the iteration. */
static enum prvcut_status lev_take_calls(struct example *x, const struct prvcut_search_input *in,
                                         struct prvcut_error *err)
{
    const struct prvcut_call_loop *c = &x->loop->calls;

    x->from = prvcut_zeroed(in->sequences + 1, sizeof *x->from, "sequences", err);
    x->to = prvcut_zeroed(in->sequences + 1, sizeof *x->to, "sequences", err);
    x->hull = x->span;
    if (!x->from || !x->to)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < in->sequences; i++) {
        const struct prvcut_call_sequence *s = &in->sequence[i];
        const size_t k = x->iteration;

        if (k != SIZE_MAX && i < c->sequences && c->borders[i] > k + 1) {
            x->from[i] = c->start[i][k];
            x->to[i] = c->start[i][k + 1];
            x->hull.start = c->border[i][k] < x->hull.start ? c->border[i][k] : x->hull.start;
            x->hull.end = c->border[i][k + 1] > x->hull.end ? c->border[i][k + 1] : x->hull.end;
        } else if (k == SIZE_MAX) {
            while (x->from[i] < s->count && s->at[x->from[i]].time < x->span.start)
                x->from[i]++;
            x->to[i] = x->from[i];
            while (x->to[i] < s->count && s->at[x->to[i]].time < x->span.end)
                x->to[i]++;
        }
    }
    return PRVCUT_OK;
}

static size_t lev_bins_in(const struct prvcut_search_input *in, struct prvcut_span span)
{
    size_t most = 0;

    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        if (in->metrics >> i & 1 && in->signal[i].at) {
            const struct prvcut_signal s = prvcut_signal_within(&in->signal[i], span);

            most = s.bins > most ? s.bins : most;
        }
    return most;
}

/* Bin the iteration by itself where it is worth it: in->signal is what the level above has. */
static enum prvcut_status lev_take_signals(struct example *x, const struct levels *l,
                                           const struct prvcut_search_input *in,
                                           struct prvcut_error *err)
{
    const double bins = prvcut_parameter_of(in->set, PRVCUT_SET_LEVEL_BINS);
    const struct prvcut_wish wish = { .grid =
                                          prvcut_grid_fit(x->hull.start, x->hull.end, (size_t)bins),
                                      .metrics = in->metrics,
                                      .window = true };

    if (in->metrics == 0 || !l->in->trace->seekable ||
        (double)lev_bins_in(in, x->span) >= BINS_ENOUGH * bins)
        return PRVCUT_OK;
    x->collected = true;
    return prvcut_collect(l->in->trace, l->in->run, &wish, &x->data, err);
}

/* The signals of the loops that were found there outlive the iteration's own. */
static enum prvcut_status lev_keep_signals(struct levels *l, size_t first, struct prvcut_error *err)
{
    for (size_t i = first; i < l->known->count; i++) {
        struct prvcut_known_loop *f = &l->known->at[i];
        double *copy;

        if (!f->signal.at || f->own_signal)
            continue;
        copy = prvcut_unset(f->signal.bins + 1, sizeof *copy, "bins", err);
        if (!copy)
            return PRVCUT_ENOMEM;
        memcpy(copy, f->signal.at, f->signal.bins * sizeof *copy);
        f->signal.at = copy;
        f->own_signal = true;
    }
    return PRVCUT_OK;
}

static enum prvcut_status lev_emit(struct levels *l, struct prvcut_division *d, size_t parent,
                                   const struct prvcut_divide_input *in, struct prvcut_error *err);

/* Search one iteration; what is found becomes parts of region `parent`. */
static enum prvcut_status lev_divide_example(struct levels *l, struct example *x, size_t parent,
                                             const struct prvcut_divide_input *in,
                                             struct prvcut_error *err)
{
    struct prvcut_divide_input deeper = *in;
    struct prvcut_division d = { .region = NULL };
    struct prvcut_search found = { .witnesses = 0 };
    const size_t first = l->known->count;
    bool believed = false;
    enum prvcut_status st;

    deeper.level++;
    deeper.where.span = x->span;
    deeper.where.signal = x->collected ? x->data.signal : in->where.signal;
    deeper.where.from = x->from;
    deeper.where.to = x->to;
    deeper.where.period_ns = 0;
    deeper.where.cut_short = false;
    deeper.where.to_end = true;
    /* One iteration is short, and its inner loops are alike call by call more often than not. */
    deeper.where.separate = false;
    st = prvcut_search_find(&found, &deeper.where, l->in->run, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_believe(&believed, &found, &deeper.where,
                                   prvcut_parameter_of(in->where.set, PRVCUT_SET_LEVEL_SHARE), err);
    if (st == PRVCUT_OK && believed) {
        l->out->region[parent].is.example = x->span;
        st = prvcut_divide(&d, l->known, &deeper, &found, l->in->run, err);
        if (st == PRVCUT_OK)
            st = lev_keep_signals(l, x->collected ? first : l->known->count, err);
        if (st == PRVCUT_OK)
            st = lev_emit(l, &d, parent, &deeper, err);
    }
    prvcut_search_fini(&found);
    prvcut_division_fini(&d);
    return st;
}

static enum prvcut_status lev_go_deeper(struct levels *l, size_t region,
                                        const struct prvcut_divide_input *in,
                                        struct prvcut_error *err)
{
    /* The list of loops may move while it grows. */
    struct prvcut_known_loop loop = l->known->at[l->known->of_region[region]];
    struct example x = { .loop = &loop };
    enum prvcut_status st;

    if (l->examples >= EXAMPLES)
        return PRVCUT_OK;
    l->examples++;
    st = lev_choose_example(&x, l, &l->out->region[region], err);
    if (st == PRVCUT_OK)
        st = lev_take_calls(&x, &in->where, err);
    if (st == PRVCUT_OK)
        st = lev_take_signals(&x, l, &in->where, err);
    if (st == PRVCUT_OK)
        st = lev_divide_example(l, &x, region, in, err);
    if (x.collected)
        prvcut_collection_fini(&x.data);
    free(x.from);
    free(x.to);
    return st;
}

/* Is this the longest region of its loop, the earliest of equals? */
static bool lev_carries_example(const struct prvcut_division *d, size_t which)
{
    const uint64_t own = d->region[which].is.span.end - d->region[which].is.span.start;

    if (d->loop[which] == SIZE_MAX)
        return false;
    for (size_t i = 0; i < d->regions; i++) {
        const struct made_region *r = &d->region[i];
        const uint64_t other = r->is.span.end - r->is.span.start;

        if (d->loop[i] != SIZE_MAX && r->is.loop == d->region[which].is.loop &&
            (other > own || (other == own && i < which)))
            return false;
    }
    return true;
}

/* The votes belong to the first region of a loop. */
static enum prvcut_status lev_tell_votes(struct levels *l, size_t region, struct prvcut_error *err)
{
    struct made_region *r = &l->out->region[region];
    const struct prvcut_known_loop *f = &l->known->at[l->known->of_region[region]];
    enum prvcut_status st;

    if (r->is.loop > l->out->is.loops)
        l->out->is.loops = r->is.loop;
    for (size_t i = 0; i < l->known->count; i++)
        if (l->known->at[i].number == r->is.loop && l->known->at[i].told)
            return PRVCUT_OK;
    l->known->at[l->known->of_region[region]].told = true;
    st = prvcut_votes_tell(&r->vote, &r->is.votes, f->witness, f->witnesses, f->absent, err);
    if (st == PRVCUT_OK)
        prvcut_votes_agree(r->vote, r->is.votes, r->is.median_ns, l->in->top->where.set);
    /* What the search took it for is settled by its borders now; the main loop may be more than its
       first region. */
    if (st == PRVCUT_OK && !prvcut_known_loop_is_laid(f) &&
        (r->is.level > 1 || prvcut_region_is_whole_loop(r)))
        prvcut_votes_settle(r->vote, r->is.votes, &r->is.span, r->is.iterations);
    return st;
}

/* A region takes its place behind those before it; what it owns moves. */
static enum prvcut_status lev_append(struct levels *l, struct prvcut_division *d, size_t i,
                                     size_t parent, struct prvcut_error *err)
{
    struct made_structure *s = l->out;
    struct made_region *r;

    if (prvcut_grow((void **)&s->region, &l->room, s->is.regions + 1, sizeof *s->region, err) < 0 ||
        prvcut_grow((void **)&l->known->of_region, &l->of_room, s->is.regions + 1,
                    sizeof *l->known->of_region, err) < 0)
        return PRVCUT_ENOMEM;
    l->known->of_region[s->is.regions] = d->loop[i];
    r = &s->region[s->is.regions++];
    *r = d->region[i];
    r->is.parent = parent;
    if (parent < s->is.regions)
        r->is.group = s->region[parent].is.group;
    d->region[i] =
        (struct made_region){ .is.kind = r->is.kind, .is.loop = r->is.loop, .is.span = r->is.span };
    if (d->loop[i] == SIZE_MAX)
        return PRVCUT_OK;
    r->is.number = ++l->numbers[r->is.level];
    if (r->is.level > s->is.levels)
        s->is.levels = r->is.level;
    return lev_tell_votes(l, s->is.regions - 1, err);
}

/* So do stretches. */
static enum prvcut_status lev_append_stretches(struct levels *l, struct prvcut_division *d,
                                               size_t parent, struct prvcut_error *err)
{
    struct made_structure *s = l->out;

    if (prvcut_grow((void **)&s->stretch, &l->stretch_room, s->is.stretches + d->stretches,
                    sizeof *s->stretch, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < d->stretches; i++) {
        s->stretch[s->is.stretches] = d->stretch[i];
        s->stretch[s->is.stretches++].parent = parent;
        d->stretch[i].border = NULL;
    }
    return PRVCUT_OK;
}

static enum prvcut_status lev_emit(struct levels *l, struct prvcut_division *d, size_t parent,
                                   const struct prvcut_divide_input *in, struct prvcut_error *err)
{
    enum prvcut_status st = lev_append_stretches(l, d, parent, err);

    for (size_t i = 0; i < d->regions && st == PRVCUT_OK; i++) {
        st = lev_append(l, d, i, parent, err);
        if (st == PRVCUT_OK && in->level < l->deepest && lev_carries_example(d, i))
            st = lev_go_deeper(l, l->out->is.regions - 1, in, err);
    }
    return st;
}

enum prvcut_status prvcut_levels_find(struct made_structure *out, struct prvcut_known_loops *known,
                                      struct prvcut_division *top,
                                      const struct prvcut_levels_input *in,
                                      struct prvcut_error *err)
{
    struct levels l = { .in = in, .out = out, .known = known, .deepest = in->levels };
    enum prvcut_status st;

    if (l.deepest == 0 || l.deepest > PRVCUT_LEVELS_MOST)
        l.deepest = PRVCUT_LEVELS_MOST;
    st = lev_emit(&l, top, SIZE_MAX, in->top, err);
    prvcut_division_fini(top);
    return st;
}
