#include "structure/signal_steady.h"

#include <math.h>
#include <stdlib.h>

/*
 * Which of the loops that signals show is meant. Found by hand on the benchmarks' traces asked
 * without calls (paraver, otf2), on random nested signals (tests/accuracy/made.c) and, those from
 * same_median on, by what separates lammps.4 and is.W.8, whose first iterations are slow, from
 * mg.A.4 and mpipth.4 (OTF2), where a longer sight holds more than the loop.
 */

/* exponent: twice as long a period outweighs a loss of strength of 7 % */
static const double outer_preference = 0.1;
/* periods, apart by less: the same loop */
static const double same_loop = 0.07;
/* gain from which a longer period is more than a multiple of a shorter one */
static const double own_structure = 0.25;
/* ... whatever a says */
static const double sure_structure = 0.6;
/* ratio up to which a is asked itself whether its iterations come in so many kinds */
static const double few = 6;
/* gain below which it is nothing but that, ... */
static const double no_structure = 0.1;
/* ... where the shorter one has this gain and this share of its strength */
static const double sound_gain = 0.3, sound_strength = 0.85;
/* gain and strength from which a loop around the best one is believed, ... */
static const double outer_gain = 0.3, outer_strength = 0.24;
/* ... its share of the strength of that, and the ratio of their periods: by itself, or where
   departures of the inner one's iterations tell it */
static const double outer_share = 0.4, outer_ratio = 3, nested_ratio = 1.5;
/* share of the strength of a signal's best sight from which it sees a loop well */
static const double well_seen = 0.3;
/* share of its own best sight's strength from which a signal stands for the common loop */
static const double common_share = 0.4;
/* sights of one loop: medians apart by less, and the longer one has this share of the strength */
static const double same_median = 0.01, whole_share = 0.9;
/* so many iterations more, each of which takes that much of the median */
static const double more_least = 1.5, more_short = 0.8, more_long = 1.75;

/** What signals show of one loop together. */
struct view {
    double mean, median, count; /* as who sees it best */
    double best, weight;        /* greatest strength, and sum of their squares */
    double gain;
    double inner, inner_strength;
    size_t signals; /* that see it well */
};

/** A signal's best sight of a period; NULL: it saw none. */
static const struct prvcut_signal_sight *sgch_sight_of(const struct prvcut_signal_sights *s,
                                                       double period)
{
    const struct prvcut_signal_sight *best = NULL;

    for (size_t i = 0; i < s->count; i++)
        if (fabs(s->at[i].mean / period - 1) < same_loop &&
            (!best || s->at[i].strength > best->strength))
            best = &s->at[i];
    return best;
}

static double sgch_own_best(const struct prvcut_signal_sights *s)
{
    double best = 0;

    for (size_t i = 0; i < s->count; i++)
        best = fmax(best, s->at[i].strength);
    return best;
}

static struct view sgch_view_of(const struct prvcut_signal_sights *s, size_t signals, double period)
{
    struct view v = { .best = 0 };

    for (size_t k = 0; k < signals; k++) {
        const struct prvcut_signal_sight *own = sgch_sight_of(&s[k], period);

        if (!own)
            continue;
        v.signals += own->strength >= well_seen * sgch_own_best(&s[k]);
        v.weight += own->strength * own->strength;
        v.gain += own->strength * own->strength * own->gain;
        if (own->inner_strength > v.inner_strength) {
            v.inner = own->inner;
            v.inner_strength = own->inner_strength;
        }
        if (own->strength > v.best) {
            v.best = own->strength;
            v.mean = own->mean;
            v.median = own->median;
            v.count = own->count;
        }
    }
    v.gain /= v.weight > 0 ? v.weight : 1;
    return v;
}

static double sgch_strength(const struct view *v)
{
    return sqrt(v->weight);
}

/** Departures of the inner loop's iterations repeat with b's, and a holds so many of these. */
static bool sgch_holds_inner(const struct view *a, const struct view *b, double times)
{
    return b->inner > 0 && fabs(a->mean / b->inner / times - 1) < same_loop;
}

/** Departures of a's iterations repeat with b's. */
static bool sgch_is_nested(const struct view *a, const struct view *b)
{
    return sgch_holds_inner(a, b, 1);
}

/** Those of a's parts do. */
static bool sgch_is_nested_by_parts(const struct view *a, const struct view *b)
{
    return b->inner > 0 && a->mean < few * b->inner &&
           sgch_holds_inner(a, b, floor(a->mean / b->inner + 0.5));
}

/**
 * b repeats what a says: its period is a small multiple of a's; or, where multiples lie too close
 * to tell, a alone explains as much in the same time; or a is sound, and b has nothing of its own.
 */
static bool sgch_is_multiple(const struct view *a, const struct view *b)
{
    const double ratio = b->mean / a->mean, whole = floor(ratio + 0.5);
    const double time = a->count * a->mean / (b->count * b->mean);

    if (sgch_is_nested(a, b) || sgch_is_nested_by_parts(a, b) ||
        sgch_strength(a) < 0.75 * sgch_strength(b) || ratio < 1.2)
        return false;
    if (b->gain < no_structure && a->gain > sound_gain &&
        sgch_strength(a) > sound_strength * sgch_strength(b) && time > 0.7)
        return true;
    if (b->gain > (ratio > few ? own_structure : sure_structure))
        return false;
    if (ratio > 12)
        return sgch_strength(a) > 1.2 * sgch_strength(b) && time > 0.85;
    return whole >= 2 &&
           (fabs(ratio / whole - 1) < 0.08 || fabs(b->median / a->median / whole - 1) < 0.08) &&
           fabs(a->count / b->count / whole - 1) < 0.35;
}

static bool sgch_is_around(const struct view *a, const struct view *b)
{
    const bool nested = sgch_is_nested(a, b);

    /* What one signal says, and all others that see the inner loop do not, is no proof. */
    if (a->signals > 2 && b->signals < 2)
        return false;
    return b->median > (nested ? nested_ratio : outer_ratio) * a->median &&
           (nested || b->gain > outer_gain) && b->best > outer_strength &&
           sgch_strength(b) > outer_share * sgch_strength(a);
}

/** Do so many iterations more take about as long as iterations do? */
static bool sgch_signal_goes_on(const struct prvcut_signal_sight *o,
                                const struct prvcut_signal_sight *s)
{
    const double more = o->count - s->count;
    const double time = (double)(o->end - o->start) - (double)(s->end - s->start);
    const double beside = 0.5 * s->median;

    return more >= more_least && time > more_short * more * s->median &&
           time < more_long * more * s->median && (double)o->start <= (double)s->start + beside &&
           (double)o->end + beside >= (double)s->end;
}

/** Where a signal saw a loop twice, as usual iterations tell, the longer sight. */
static const struct prvcut_signal_sight *sgch_signal_longest(
    const struct prvcut_signal_sights *s, const struct prvcut_signal_sight *sight)
{
    const struct prvcut_signal_sight *best = sight;

    for (size_t i = 0; i < s->count; i++) {
        const struct prvcut_signal_sight *o = &s->at[i];

        if (fabs(o->median / sight->median - 1) < same_median && sgch_signal_goes_on(o, sight) &&
            o->count > best->count && o->strength >= whole_share * sight->strength)
            best = o;
    }
    return best;
}

/** The best of all views, by what is asked of them; base: may be NULL. */
static struct view sgch_best_view(const struct prvcut_signal_sights *s, size_t signals,
                                  const struct view *base,
                                  bool (*asked)(const struct view *base, const struct view *v))
{
    struct view best = { .best = 0 };
    double highest = 0;

    for (size_t k = 0; k < signals; k++)
        for (size_t i = 0; i < s[k].count; i++) {
            const struct view v = sgch_view_of(s, signals, s[k].at[i].mean);
            const double value = sgch_strength(&v) * (base ? 1 : pow(v.median, outer_preference));

            if (value > highest && (!base || asked(base, &v))) {
                highest = value;
                best = v;
            }
        }
    return best;
}

static bool sgch_is_simpler(const struct view *base, const struct view *v)
{
    return sgch_is_multiple(v, base);
}

/** The loop that most speaks for, then what it only repeats, then what is around that. */
static struct view sgch_sch_choose(const struct prvcut_signal_sights *s, size_t signals)
{
    struct view best = sgch_best_view(s, signals, NULL, NULL), other = best;

    while (other.weight > 0) {
        best = other;
        other = sgch_best_view(s, signals, &best, sgch_is_simpler);
    }
    other = sgch_best_view(s, signals, &best, sgch_is_around);
    return other.weight > 0 ? other : best;
}

void prvcut_signal_sights_choose(size_t *chosen, const struct prvcut_signal_sights *s,
                                 size_t signals, const struct prvcut_parameters *set)
{
    /* Random signals reach 0.2. */
    const double least_strength = prvcut_parameter_of(set, PRVCUT_SET_STRENGTH);
    const struct view all = sgch_sch_choose(s, signals);

    for (size_t k = 0; k < signals; k++) {
        const struct view own = sgch_sch_choose(&s[k], 1);
        const struct prvcut_signal_sight *sight =
            all.weight > 0 ? sgch_sight_of(&s[k], all.mean) : NULL;

        if (!sight || sight->strength < fmax(least_strength, common_share * own.best))
            sight = own.best >= least_strength ? sgch_sight_of(&s[k], own.mean) : NULL;
        if (sight && s[k].thorough)
            sight = sgch_signal_longest(&s[k], sight);
        chosen[k] = sight ? (size_t)(sight - s[k].at) : SIZE_MAX;
    }
}

void prvcut_signal_sight_tell(struct prvcut_loop *out, struct prvcut_signal_borders *borders,
                              struct prvcut_signal_sights *s, size_t chosen)
{
    struct prvcut_signal_sight *best = chosen < s->count ? &s->at[chosen] : NULL;

    *out = (struct prvcut_loop){ .why = "it does not repeat" };
    if (borders)
        *borders = (struct prvcut_signal_borders){ 0 };
    if (!best)
        return;
    *out = (struct prvcut_loop){ .found = true,
                                 .period_ns = best->mean,
                                 .median_ns = best->median,
                                 .span = { best->start, best->end },
                                 .iterations = best->count,
                                 .strength = fmin(1, best->strength) };
    if (borders) {
        *borders = best->border;
        best->border = (struct prvcut_signal_borders){ 0 };
    }
}

static enum prvcut_status sgch_signal_choice_tell(struct prvcut_loop *out,
                                                  struct prvcut_signal_borders *borders,
                                                  struct prvcut_signal_sights *sights,
                                                  enum prvcut_status st)
{
    size_t chosen = SIZE_MAX;

    if (st == PRVCUT_OK)
        prvcut_signal_sights_choose(&chosen, sights, 1, NULL);
    prvcut_signal_sight_tell(out, borders, sights, chosen);
    prvcut_signal_sights_fini(sights);
    return st;
}

enum prvcut_status prvcut_signal_loop_find(struct prvcut_loop *out, const struct prvcut_signal *in,
                                           const struct prvcut_span *mask, size_t masks,
                                           struct prvcut_signal_borders *borders,
                                           struct prvcut_error *err)
{
    struct prvcut_signal_sights sights;

    return sgch_signal_choice_tell(out, borders, &sights,
                                   prvcut_signal_sights_find(&sights, in, mask, masks, true, err));
}

enum prvcut_status prvcut_table_loop_find(struct prvcut_loop *out, const struct prvcut_signal *in,
                                          struct prvcut_error *err)
{
    struct prvcut_signal_sights sights;
    enum prvcut_status st = prvcut_signal_sights_find(&sights, in, NULL, 0, true, err);

    if (st == PRVCUT_OK)
        st = prvcut_signal_sights_explain(&sights, in, err);
    return sgch_signal_choice_tell(out, NULL, &sights, st);
}
