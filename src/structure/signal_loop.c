#include "structure/signal_nest.h"
#include "structure/signal_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRACKS = 10,          /* candidates that are followed */
    STORIES = 2 * TRACKS, /* each may tell of a loop around it */
    LEAST_ITERATIONS = 3,
};

/* Twice as long a period outweighs a loss of strength of 7 %. */
static const double outer_preference = 0.1;

/* A loop around the best one is believed at less strength, if it has a structure of its own. */
static const double outer_gain = 0.3, outer_strength = 0.24;
/* How sure the lengths of the iterations must be, the more the better those explain all alone. */
static const double outer_proof = 0.65;
/* Random signals reach 0.2. */
static const double least_strength = 0.15;

/* A loop that takes less than this share of the time is doubted: it is hardly what was to be cut.
 */
static const double ample_time = 0.04;

/* A period that gains this much over all shorter ones is more than a multiple of one of them. */
static const double own_structure = 0.25;

/** A loop as one candidate tells it; the unit of time is ns. */
struct story {
    double mean, median;
    uint64_t start, end;
    double count;
    double strength;
    double gain;
    struct prvcut_signal_borders border; /* owned by the cast */
};

struct cast {
    struct story at[STORIES];
    size_t count;
};

/**
 * Where more threads than processors run, the scheduler's time slices leave a comb of their own in
 * every metric: whole ticks of 4 ms (Linux, 250 Hz).
 */
static bool is_time_slice(double period)
{
    const double ticks = period / 4e6, whole = floor(ticks + 0.5);

    return whole >= 1 && whole <= 3 && fabs(ticks - whole) < 0.01 + 0.003 * whole;
}

/** The scheduler's comb has teeth at all multiples; a loop that only follows it is doubted. */
static void doubt_time_slices(struct cast *all)
{
    struct cast copy = *all;

    for (size_t i = 0; i < copy.count; i++) {
        bool doubted = is_time_slice(copy.at[i].median);

        for (size_t k = 0; k < copy.count && !doubted; k++) {
            const double ratio = copy.at[i].median / copy.at[k].median;
            const double whole = floor(ratio + 0.5);

            doubted = is_time_slice(copy.at[k].median) && whole >= 2 && whole <= 12 &&
                      fabs(ratio / whole - 1) < 0.015 &&
                      copy.at[k].strength > 0.75 * copy.at[i].strength;
        }
        if (doubted)
            all->at[i].strength *= 0.4;
    }
}

/**
 * Strength of a track: how alike its iterations are, times what should be near one for a main loop:
 * shares of the changes and of the time of the signal that it covers, regularity, repetitions.
 */
static double judge_track(const struct signal_track *t, double share, double time_share)
{
    const double ample = fmin(1, sqrt(time_share / ample_time));
    const double regular = 1 / (1 + t->spread * t->spread / 0.0225);
    const double enough = 1 - 2 / (double)t->count;

    return fmax(0, t->likeness) * sqrt(share) * regular * enough * ample * t->even;
}

static void tell(struct story *out, const struct signal_scales *s, const struct signal_track *t,
                 const struct signal_candidate *c)
{
    const double unit = ldexp((double)s->width, (int)t->level);
    out->mean = t->mean * unit;
    out->median = t->median * unit;
    out->start = prvcut_signal_scales_time(s, t->level, t->from);
    out->end = prvcut_signal_scales_time(s, t->level, t->to);
    out->count = t->total;
    out->gain = c->gain;
    out->strength = judge_track(t, prvcut_signal_scales_share(s, t->level, t->from, t->to),
                                (t->to - t->from) / (double)s->bins[t->level]);
}

static struct story *find_story(struct cast *all, double period, double tolerance)
{
    for (size_t i = 0; i < all->count; i++)
        if (fabs(period / all->at[i].mean - 1) < tolerance)
            return &all->at[i];
    return NULL;
}

/** Add a story; where its period is known already, the better of both stays. */
static void add_story(struct cast *all, struct story *s)
{
    struct story *known = find_story(all, s->mean, 0.03);

    if (!known && all->count < STORIES) {
        all->at[all->count++] = *s;
        return;
    }
    if (known && s->strength > known->strength) {
        free(known->border.at);
        *known = *s;
    } else {
        free(s->border.at);
    }
}

/**
 * Every stride-th start of a track from `first` on, and the end of the last whole iteration. Where
 * the loop reaches beyond the track, there is nothing to tell.
 */
static enum prvcut_status take_borders(struct story *out, const struct signal_scales *s,
                                       const struct signal_track *t, size_t first, size_t stride,
                                       struct prvcut_error *err)
{
    const size_t whole = (t->count - first) / stride;
    struct prvcut_signal_borders *b = &out->border;

    *b = (struct prvcut_signal_borders){ 0 };
    if (t->from < t->start[0] || t->to > t->start[t->count - 1] + t->median || whole == 0)
        return PRVCUT_OK;
    b->at = malloc((whole + 1) * sizeof *b->at);
    if (!b->at)
        return prvcut_fail(err, PRVCUT_ENOMEM, "no memory for %zu borders", whole + 1);
    b->count = whole + 1;
    for (size_t k = 0; k <= whole; k++) {
        const size_t i = first + k * stride;

        b->at[k] = prvcut_signal_scales_time(s, t->level, i < t->count ? t->start[i] : t->to);
    }
    return PRVCUT_OK;
}

/** The loop around a followed one, if the lengths of its iterations tell of one. */
static enum prvcut_status tell_outer(struct cast *all, const struct story *inner,
                                     const struct signal_scales *s, const struct signal_track *t,
                                     struct prvcut_error *err)
{
    struct story outer = *inner;
    struct signal_nest nest;
    enum prvcut_status st = prvcut_signal_nest_find(&nest, t, err);

    if (st != PRVCUT_OK || nest.stride == 0 || nest.confidence < outer_proof * inner->strength)
        return st;
    outer.mean *= nest.mean / t->mean;
    outer.median *= nest.median / t->median;
    outer.count /= (double)nest.stride;
    outer.strength *= nest.confidence;
    outer.gain = 1;
    st = take_borders(&outer, s, t, nest.first, nest.stride, err);
    if (st == PRVCUT_OK)
        add_story(all, &outer);
    return st;
}

static enum prvcut_status collect(struct cast *all, const struct signal_scales *s,
                                  const struct signal_shortlist *list, struct prvcut_error *err)
{
    size_t followed = 0;

    for (size_t i = 0; i < list->count && followed < TRACKS; i++) {
        const struct signal_candidate *c = &list->at[i];
        struct signal_track track;
        struct story story;
        enum prvcut_status st;

        if (find_story(all, c->lag * ldexp((double)s->width, (int)c->level), 0.05))
            continue;
        followed++;
        st = prvcut_signal_track_find(&track, s, c, err);
        if (st == PRVCUT_OK)
            st = prvcut_signal_track_reach(&track, s, err);
        if (st == PRVCUT_OK && track.count >= LEAST_ITERATIONS) {
            tell(&story, s, &track, c);
            st = take_borders(&story, s, &track, 0, 1, err);
            if (st == PRVCUT_OK) {
                const struct story inner = story;

                add_story(all, &story);
                st = tell_outer(all, &inner, s, &track, err);
            }
        }
        prvcut_signal_track_fini(&track);
        if (st != PRVCUT_OK)
            return st;
    }
    return PRVCUT_OK;
}

/**
 * b repeats what a says: its period is a small multiple of a's; or, where multiples lie too close
 * to tell, a alone explains as much in the same time.
 */
static bool is_multiple(const struct story *a, const struct story *b)
{
    const double ratio = b->mean / a->mean, whole = floor(ratio + 0.5);
    const double time = a->count * a->mean / (b->count * b->mean);

    if (b->gain > own_structure || a->strength < 0.75 * b->strength)
        return false;
    if (ratio > 12)
        return a->strength > 1.2 * b->strength && time > 0.85;
    return whole >= 2 &&
           (fabs(ratio / whole - 1) < 0.08 || fabs(b->median / a->median / whole - 1) < 0.08) &&
           fabs(a->count / b->count / whole - 1) < 0.35;
}

/** The story that explains most, the longer period favoured a little. */
static const struct story *choose_best(const struct cast *all)
{
    const struct story *best = NULL;
    double highest = 0;

    for (size_t i = 0; i < all->count; i++) {
        const double weight = all->at[i].strength * pow(all->at[i].median, outer_preference);

        if (weight > highest) {
            highest = weight;
            best = &all->at[i];
        }
    }
    return best;
}

static const struct story *choose(const struct cast *all)
{
    const struct story *best = choose_best(all), *base = NULL;

    while (best != base) {
        const struct story *simplest = NULL;

        base = best;
        for (size_t i = 0; i < all->count; i++)
            if (is_multiple(&all->at[i], base) &&
                (!simplest || all->at[i].strength > simplest->strength))
                simplest = &all->at[i];
        best = simplest ? simplest : base;
    }
    for (size_t i = 0; base && i < all->count; i++) {
        const struct story *s = &all->at[i];

        if (s->median > 3 * base->median && s->gain > outer_gain &&
            s->strength > fmax(outer_strength, 0.4 * base->strength))
            best = s;
    }
    return best;
}

static void tell_result(struct prvcut_loop *out, struct prvcut_signal_borders *borders,
                        const struct story *best)
{
    out->found = true;
    out->why = NULL;
    out->period_ns = best->mean;
    out->median_ns = best->median;
    out->span = (struct prvcut_span){ best->start, best->end };
    out->iterations = best->count;
    out->strength = fmin(1, best->strength);
    if (borders)
        *borders = best->border;
}

enum prvcut_status prvcut_signal_loop_find(struct prvcut_loop *out, const struct prvcut_signal *in,
                                           const struct prvcut_span *mask, size_t masks,
                                           struct prvcut_signal_borders *borders,
                                           struct prvcut_error *err)
{
    struct signal_scales scales;
    struct signal_shortlist list;
    struct cast all = { 0 };
    const struct story *best;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (borders)
        *borders = (struct prvcut_signal_borders){ 0 };
    out->why = "the signal does not repeat";
    st = prvcut_signal_scales_init(&scales, in, mask, masks, err);
    if (st == PRVCUT_OK)
        st = prvcut_signal_candidates_find(&list, &scales, err);
    if (st == PRVCUT_OK)
        st = collect(&all, &scales, &list, err);
    prvcut_signal_scales_fini(&scales);
    doubt_time_slices(&all);
    best = choose(&all);
    if (st == PRVCUT_OK && best && best->strength >= least_strength)
        tell_result(out, borders, best);
    for (size_t i = 0; i < all.count; i++)
        if (!borders || all.at[i].border.at != borders->at)
            free(all.at[i].border.at);
    return st;
}
