#include "structure/signal_sights.h"

#include "base/memory.h"
#include "dsp/order.h"
#include "structure/signal_nest.h"
#include "structure/signal_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRACKS = 10,          /* candidates that are followed, on each axis */
    LEAST_ITERATIONS = 3, /* of a loop */
    SHUFFLES = 16,        /* that few changes are held against, the best of them counts, ... */
    FEW_CHANGES = 2048,   /* and how few */
    LEAST_EDGE = 3,       /* iterations at either end that may hold what is not the loop's */
};
/* confidence of a nest over the strength of its inner loop, from which it is a loop */
static const double outer_proof = 0.65;
/* share of the time, less than which is doubted to be what was to be cut */
static const double ample_time = 0.04;
/* more than the median length, share of it: an iteration that holds a pause */
static const double pause_share = 0.75;
/* share by which a loop that is followed by itself may differ from so many inner iterations */
static const double near_stride = 0.2;
/* share of a loop's iterations in which its inner loop pauses, from which it does always */
static const double beside = 0.5;
/* periods, apart by less: the same sight */
static const double same_sight = 0.03;
/* candidates, apart by less: followed once */
static const double same_lag = 0.05;

/**
 * Where more threads than processors run, the scheduler's time slices leave a comb of their own in
 * every metric: whole ticks of 4 ms (Linux, 250 Hz).
 */
static bool sst_is_time_slice(double period)
{
    const double ticks = period / 4e6, whole = floor(ticks + 0.5);

    return whole >= 1 && whole <= 3 && fabs(ticks - whole) < 0.01 + 0.003 * whole;
}

/** The scheduler's comb has teeth at all multiples; a loop that only follows it is doubted. */
static void sst_doubt_time_slices(struct prvcut_signal_sights *all)
{
    const struct prvcut_signal_sights copy = *all;

    for (size_t i = 0; i < copy.count; i++) {
        const struct prvcut_signal_sight *s = &copy.at[i];
        bool doubted = sst_is_time_slice(s->median);

        for (size_t k = 0; k < copy.count && !doubted; k++) {
            const double ratio = s->median / copy.at[k].median, whole = floor(ratio + 0.5);

            doubted = !copy.at[k].by_changes && sst_is_time_slice(copy.at[k].median) &&
                      whole >= 2 && whole <= 12 && fabs(ratio / whole - 1) < 0.015 &&
                      copy.at[k].strength > 0.75 * s->strength;
        }
        if (doubted && !s->by_changes)
            all->at[i].strength *= 0.4;
    }
}

/**
 * Strength of a track: how alike its iterations are, times what should be near one for a main loop:
 * shares of the changes and of the time of the signal that it covers, regularity, repetitions.
 */
static double sst_judge_track(const struct signal_track *t, double share, double time_share)
{
    const double ample = fmin(1, sqrt(time_share / ample_time));
    const double regular = 1 / (1 + t->spread * t->spread / 0.0225);
    const double enough = 1 - 2 / (double)t->count;

    return fmax(0, t->likeness) * sqrt(share) * regular * enough * ample * t->even;
}

/** Lengths of `stride` iterations in a row, wherever they start, ns; owned by the caller. */
static double *sst_lengths(const struct signal_scales *s, const struct signal_track *t,
                           size_t stride)
{
    const size_t n = t->count - stride;
    double *length = prvcut_unset(n + 1, sizeof *length, "lengths", NULL);

    for (size_t k = 0; length && k < n; k++)
        length[k] = prvcut_signal_scales_elapsed(s, t->level, t->start[k + stride]) -
                    prvcut_signal_scales_elapsed(s, t->level, t->start[k]);
    return length;
}

/** What half of them take at most. */
static enum prvcut_status sst_measure(struct prvcut_signal_sight *out,
                                      const struct signal_scales *s, const struct signal_track *t,
                                      size_t stride, struct prvcut_error *err)
{
    double *length = sst_lengths(s, t, stride);

    if (!length)
        return prvcut_no_memory(err, "iterations");
    out->median = prvcut_median(length, t->count - stride);
    free(length);
    return PRVCUT_OK;
}

/**
 * What happens before the loop or after it may take long and change little: from change to change
 * it is then no longer than an iteration. range: the starts between which all are as long as they
 * should be.
 */
static void sst_trim_ends(size_t range[2], const struct prvcut_signal_sight *sight,
                          const struct signal_scales *s, const struct signal_track *t)
{
    const double most = (1 + pause_share) * sight->median;

    range[0] = 0;
    range[1] = t->count;
    for (size_t k = 0; s->bin && k < LEAST_EDGE && 2 * (k + 1) < t->count; k++) {
        const size_t z = t->count - k;
        const double to = k == 0 ? t->to : t->start[z];

        if (prvcut_signal_scales_elapsed(s, t->level, t->start[k + 1]) -
                prvcut_signal_scales_elapsed(s, t->level, t->start[k]) >
            most)
            range[0] = k + 1;
        if (prvcut_signal_scales_elapsed(s, t->level, to) -
                prvcut_signal_scales_elapsed(s, t->level, t->start[z - 1]) >
            most)
            range[1] = z - 1;
    }
}

/**
 * Where a trimmed loop begins and ends: an iteration that was cut off at an end is as long as it
 * should be.
 */
static void sst_place_ends(struct prvcut_signal_sight *out, const size_t range[2],
                           const struct signal_scales *s, const struct signal_track *t)
{
    const uint64_t usual = (uint64_t)out->median;
    const double from = range[0] > 0 ? t->start[range[0]] : t->from;
    const double to = range[1] < t->count ? t->start[range[1]] : t->to;
    const double own = prvcut_signal_scales_elapsed(s, t->level, to) -
                       prvcut_signal_scales_elapsed(s, t->level, from);

    out->mean = own / (out->count - (double)(range[0] + t->count - range[1]));
    out->start = prvcut_signal_scales_time(s, t->level, t->from);
    out->end = prvcut_signal_scales_time(s, t->level, t->to);
    if (range[0] > 0) {
        out->start = prvcut_signal_scales_time(s, t->level, t->start[range[0]]);
        out->start -= out->start - s->start > usual ? usual : out->start - s->start;
        out->count -= (double)range[0] - 1;
    }
    if (range[1] < t->count) {
        out->end = prvcut_signal_scales_time(s, t->level, t->start[range[1]]) + usual;
        out->count -= (double)(t->count - range[1]) - 1;
    }
}

static enum prvcut_status sst_tell(struct prvcut_signal_sight *out, const struct signal_scales *s,
                                   const struct signal_track *t, const struct signal_candidate *c,
                                   struct prvcut_error *err)
{
    const double all = prvcut_signal_scales_elapsed(s, 0, (double)s->bins[0]);
    size_t range[2];
    enum prvcut_status st;

    *out = (struct prvcut_signal_sight){ .count = t->total,
                                         .gain = c->gain,
                                         .by_changes = s->bin != NULL };
    st = sst_measure(out, s, t, 1, err);
    if (st < 0)
        return st;
    sst_trim_ends(range, out, s, t);
    sst_place_ends(out, range, s, t);
    /* Half of the iterations much shorter than the mean: something else is among them. */
    out->strength = sst_judge_track(t, prvcut_signal_scales_share(s, t->level, t->from, t->to),
                                    (double)(out->end - out->start) / (all + 1)) *
                    fmin(1, out->median / out->mean);
    return PRVCUT_OK;
}

static struct prvcut_signal_sight *sst_find_sight(struct prvcut_signal_sights *all, double period,
                                                  double tolerance)
{
    for (size_t i = 0; i < all->count; i++)
        if (fabs(period / all->at[i].mean - 1) < tolerance)
            return &all->at[i];
    return NULL;
}

/** What speaks for the one speaks for the other. */
static void sst_share_proof(struct prvcut_signal_sight *a, struct prvcut_signal_sight *b)
{
    const struct prvcut_signal_sight *by = a->inner_strength > b->inner_strength ? a : b;
    const double inner = by->inner, strength = by->inner_strength;

    a->gain = b->gain = fmax(a->gain, b->gain);
    a->inner = b->inner = inner;
    a->inner_strength = b->inner_strength = strength;
}

/** Add a sight; where its period is known already, the better of both stays. */
static void sst_add_sight(struct prvcut_signal_sights *all, struct prvcut_signal_sight *s)
{
    struct prvcut_signal_sight *known = sst_find_sight(all, s->mean, same_sight);

    if (!known && all->count < PRVCUT_SIGHTS) {
        all->at[all->count++] = *s;
        return;
    }
    if (known)
        sst_share_proof(known, s);
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
static enum prvcut_status sst_take_borders(struct prvcut_signal_sight *out,
                                           const struct signal_scales *s,
                                           const struct signal_track *t, size_t first,
                                           size_t stride, struct prvcut_error *err)
{
    const size_t whole = (t->count - first) / stride;
    struct prvcut_signal_borders *b = &out->border;

    *b = (struct prvcut_signal_borders){ 0 };
    if (t->from < t->start[0] || t->to > t->start[t->count - 1] + t->median || whole == 0)
        return PRVCUT_OK;
    b->at = prvcut_unset(whole + 1, sizeof *b->at, "borders", err);
    if (!b->at)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k <= whole; k++) {
        const size_t i = first + k * stride;
        const uint64_t at =
            prvcut_signal_scales_time(s, t->level, i < t->count ? t->start[i] : t->to);
        const uint64_t kept = at < out->start ? out->start : at > out->end ? out->end : at;

        /* What was trimmed leaves its place to the border that stands for it. */
        if (b->count > 0 && b->at[b->count - 1] == kept)
            continue;
        b->at[b->count++] = kept;
    }
    return PRVCUT_OK;
}

/**
 * The loop around a followed one, one iteration after the other: as many of the inner one as it
 * should hold are its first model. Better than every stride-th start, where one more or less is
 * seen now and then.
 */
static enum prvcut_status sst_follow_outer(struct prvcut_signal_sight *outer,
                                           const struct signal_scales *s,
                                           const struct signal_track *t, size_t stride,
                                           bool *followed, struct prvcut_error *err)
{
    const struct prvcut_signal_sight by_stride = *outer;
    struct signal_candidate c = { .level = t->level,
                                  .gain = 0,
                                  .lag = (t->start[t->count - 1] - t->start[0]) /
                                         (double)(t->count - 1) * (double)stride };
    struct signal_track track;
    enum prvcut_status st;

    while (c.lag >= 2 * SIGNAL_BAND && c.level + 1 < s->levels) {
        c.level++;
        c.lag /= 2;
    }
    c.from = (size_t)fmax(0, ldexp(t->from, (int)t->level - (int)c.level));
    c.to = (size_t)fmax(0, ldexp(t->to, (int)t->level - (int)c.level));
    c.to = c.to < s->bins[c.level] ? c.to : s->bins[c.level];
    st = prvcut_signal_track_find(&track, s, &c, err);
    if (st == PRVCUT_OK && track.count >= LEAST_ITERATIONS) {
        st = sst_tell(outer, s, &track, &c, err);
        *followed =
            fabs(outer->mean / by_stride.mean - 1) < near_stride &&
            fabs(outer->count / by_stride.count - 1) < 2 * near_stride + 1 / by_stride.count;
        if (st == PRVCUT_OK && *followed)
            st = sst_take_borders(outer, s, &track, 0, 1, err);
        else
            *outer = by_stride;
    }
    prvcut_signal_track_fini(&track);
    return st;
}

/** Where the inner loop goes on beyond the outer one, so does that: so many of its iterations. */
static void sst_reach_as_far(struct prvcut_signal_sight *outer,
                             const struct prvcut_signal_sight *inner, size_t stride)
{
    size_t beyond = 0;

    for (size_t k = 0; k < inner->border.count; k++)
        beyond += inner->border.at[k] < outer->start || inner->border.at[k] > outer->end;
    if (beyond < 2 * stride)
        return;
    outer->start = outer->start < inner->start ? outer->start : inner->start;
    outer->end = outer->end > inner->end ? outer->end : inner->end;
    outer->count += (double)(beyond / stride);
    outer->mean = (double)(outer->end - outer->start) / outer->count;
}

/** What candidates are followed along. */
struct axis {
    struct signal_scales scales, shuffled; /* shuffled: of changes only, else empty */
    bool thorough;                         /* look for loops around in the shapes, too */
};

/**
 * Share of a track's iterations that count in the loop around it: where that holds as many that
 * were passed over as it has iterations, these are what it does beside the inner loop, not more of
 * that.
 */
static double sst_in_outer(const struct signal_track *t, size_t stride)
{
    const double count = (double)t->count;

    return t->missed * (double)stride > beside * count ? count / (count + t->missed) : 1;
}

/** The loop around a followed one, if departures of its iterations tell of one. */
static enum prvcut_status sst_tell_outer(struct prvcut_signal_sights *all,
                                         const struct prvcut_signal_sight *inner,
                                         const struct axis *a, const struct signal_track *t,
                                         struct prvcut_error *err)
{
    const struct signal_scales *s = &a->scales;
    struct prvcut_signal_sight outer = *inner;
    struct signal_nest nest;
    bool followed = false;
    enum prvcut_status st = a->thorough ? prvcut_signal_nest_find(&nest, t, s, err)
                                        : prvcut_signal_nest_by_lengths(&nest, t, err);

    if (st != PRVCUT_OK || nest.stride == 0 || nest.confidence < outer_proof * inner->strength)
        return st;
    outer.border = (struct prvcut_signal_borders){ 0 };
    outer.gain = 0;
    st = sst_measure(&outer, s, t, nest.stride, err);
    outer.count *= sst_in_outer(t, nest.stride) / (double)nest.stride;
    outer.mean *= inner->count / outer.count;
    if (st == PRVCUT_OK)
        st = sst_follow_outer(&outer, s, t, nest.stride, &followed, err);
    if (st == PRVCUT_OK && followed)
        sst_reach_as_far(&outer, inner, nest.stride);
    if (st == PRVCUT_OK && !outer.border.at)
        st = sst_take_borders(&outer, s, t, nest.first, nest.stride, err);
    outer.strength = followed ? fmax(outer.strength, inner->strength * nest.confidence)
                              : inner->strength * nest.confidence;
    outer.inner = inner->mean;
    outer.inner_strength = inner->strength * nest.confidence;
    if (st == PRVCUT_OK)
        sst_add_sight(all, &outer);
    return st;
}

/** Periods that were followed on an axis, in samples of level 0. */
struct followed {
    double lag[TRACKS];
    size_t count;
};

static bool sst_is_followed(const struct followed *f, double lag)
{
    for (size_t i = 0; i < f->count; i++)
        if (fabs(lag / f->lag[i] - 1) < same_lag)
            return true;
    return false;
}

/**
 * How alike iterations would be by chance: as a candidate is followed in what does not repeat. Few
 * samples are asked several times, for they leave more to chance.
 */
static enum prvcut_status sst_weigh_chance(struct signal_track *t, struct signal_scales *shuffled,
                                           const struct signal_candidate *c,
                                           struct prvcut_error *err)
{
    const size_t times = shuffled->bins[0] < FEW_CHANGES ? SHUFFLES : 1;
    double chance = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < times && st == PRVCUT_OK; i++) {
        struct signal_track other;

        if (i > 0)
            prvcut_signal_scales_shuffle(shuffled, i);
        st = prvcut_signal_track_find(&other, shuffled, c, err);
        if (st == PRVCUT_OK && other.count >= LEAST_ITERATIONS)
            chance = fmax(chance, other.likeness);
        prvcut_signal_track_fini(&other);
    }
    t->likeness = (t->likeness - chance) / (1 - chance);
    return st;
}

/** Follow one candidate: the loop that it tells of, and one around it. */
static enum prvcut_status sst_follow(struct prvcut_signal_sights *all, struct axis *a,
                                     const struct signal_candidate *c, double *lag,
                                     struct prvcut_error *err)
{
    const struct signal_scales *s = &a->scales;
    struct signal_track track;
    struct prvcut_signal_sight sight = { .count = 0 };
    enum prvcut_status st = prvcut_signal_track_find(&track, s, c, err);

    if (st == PRVCUT_OK)
        st = prvcut_signal_track_reach(&track, s, err);
    if (st == PRVCUT_OK && track.count >= LEAST_ITERATIONS) {
        *lag = ldexp(track.mean, (int)track.level);
        if (a->shuffled.levels > 0)
            st = sst_weigh_chance(&track, &a->shuffled, c, err);
        if (st == PRVCUT_OK)
            st = sst_tell(&sight, s, &track, c, err);
        if (st == PRVCUT_OK)
            st = sst_take_borders(&sight, s, &track, 0, 1, err);
        if (st == PRVCUT_OK)
            st = sst_tell_outer(all, &sight, a, &track, err);
        if (st == PRVCUT_OK)
            sst_add_sight(all, &sight);
        else
            free(sight.border.at);
    }
    prvcut_signal_track_fini(&track);
    return st;
}

static enum prvcut_status sst_collect(struct prvcut_signal_sights *all, struct axis *a,
                                      const struct signal_shortlist *list, struct prvcut_error *err)
{
    struct followed done = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < list->count && done.count < TRACKS && st == PRVCUT_OK; i++) {
        double lag = ldexp(list->at[i].lag, (int)list->at[i].level);

        if (sst_is_followed(&done, lag))
            continue;
        st = sst_follow(all, a, &list->at[i], &lag, err);
        done.lag[done.count++] = lag;
    }
    return st;
}

/** What is seen on one axis. */
static enum prvcut_status sst_see(struct prvcut_signal_sights *all, struct axis *a,
                                  struct prvcut_error *err)
{
    struct signal_shortlist list;
    enum prvcut_status st = prvcut_signal_candidates_find(&list, &a->scales, err);

    return st == PRVCUT_OK ? sst_collect(all, a, &list, err) : st;
}

static enum prvcut_status sst_see_over_time(struct prvcut_signal_sights *all,
                                            const struct prvcut_signal *in,
                                            const struct prvcut_span *mask, size_t masks,
                                            bool thorough, struct prvcut_error *err)
{
    struct axis a = { .thorough = thorough };
    enum prvcut_status st = prvcut_signal_scales_init(&a.scales, in, mask, masks, err);

    if (st == PRVCUT_OK)
        st = sst_see(all, &a, err);
    prvcut_signal_scales_fini(&a.scales);
    return st;
}

static enum prvcut_status sst_see_over_changes(struct prvcut_signal_sights *all,
                                               const struct prvcut_signal *in,
                                               const struct prvcut_span *mask, size_t masks,
                                               struct prvcut_error *err)
{
    struct axis a = { .thorough = true };
    enum prvcut_status st = prvcut_signal_scales_of_changes(&a.scales, in, mask, masks, err);

    if (st == PRVCUT_OK)
        st = prvcut_signal_scales_of_changes(&a.shuffled, in, mask, masks, err);
    prvcut_signal_scales_shuffle(&a.shuffled, 0);
    if (st == PRVCUT_OK)
        st = sst_see(all, &a, err);
    prvcut_signal_scales_fini(&a.scales);
    prvcut_signal_scales_fini(&a.shuffled);
    return st;
}

enum prvcut_status prvcut_signal_sights_find(struct prvcut_signal_sights *out,
                                             const struct prvcut_signal *in,
                                             const struct prvcut_span *mask, size_t masks,
                                             bool thorough, struct prvcut_error *err)
{
    enum prvcut_status st;

    out->count = 0;
    out->thorough = thorough;
    st = sst_see_over_time(out, in, mask, masks, thorough, err);
    if (st == PRVCUT_OK && thorough)
        st = sst_see_over_changes(out, in, mask, masks, err);
    sst_doubt_time_slices(out);
    return st;
}

void prvcut_signal_sights_fini(struct prvcut_signal_sights *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->at[i].border.at);
    s->count = 0;
}
