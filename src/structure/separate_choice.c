#include "structure/separate_choice.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "structure/separate_around.h"
#include "structure/separate_judge.h"
#include "structure/separate_rare.h"
#include "structure/separate_shared.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * What one loop is on several threads, and which loop is taken. Found on traces
 * with known truth, some limits by looking at the shared ones: they are not cross-validated.
 *
 * name       value     unit                 decides
 */
#define ROOM         0.04 /* of a loop's time by which threads may differ in its length, ... */
#define ROOM_MOST    1.5  /* ... or so many periods */
#define SKEW         6e8 /* ns by which the first places of threads may be apart: clocks are skewed */
#define ALIKE        0.5 /* mean likeness of the gaps of a candidate, at least */
#define SHARED       0.3 /* of the threads that have a candidate, at least */
#define CHANCE       0.3 /* probability of what lacks something, or is events: no rule raises it; */
#define EVEN_ODDS    0.5 /* ... of a loop that looks like events: what is inside may be one */
#define THROWN_LEAST 0.4 /* probability of a loop that is thrown back, at least */
#define BESIDE       0.5 /* the same of a loop with about as many iterations */
#define NEARLY       0.5 /* the same of one that is a doubt, where its iterations do not look alike */
#define TILES_FEW    8   /* iterations, from which one so wide is a doubt, believed or not */
#define COMMON_SURE  0.89 /* probability of a loop by what threads have in common, at least */
#define EVEN_ALL     0.25 /* spread of all log lengths of a loop that is even, at most, ... */
#define EVEN_USUAL   0.2  /* ... and of the usual ones; ... */
#define EVEN_MANY    20   /* ... so many iterations ... */
#define EVEN_GAP     5    /* ... of so many calls ... */
#define EVEN_HELD    0.5  /* ... that hold the same single calls to that share ... */
#define EVEN_CALLS   0.85 /* ... and have so much of a thread's calls; ... */
#define EVEN_ALONE   0.45 /* ... where nothing has this probability, ... */
#define EVEN_SURE    0.89 /* ... what it is then: of 500 generated ones at either 99 % were right */
#define EVENNESS     5    /* times the spread of its log lengths that a loop loses there */
#define WIDER_LEAST  0.35 /* its probability, at least; */
#define WIDER_CALLS  0.95 /* of a thread's calls it has, at least, ... */
#define WIDER_MORE   0.05 /* ... and so many more than any that is believed; */
#define WIDER_FEW    8    /* iterations of it, at least; */
#define WIDER_USUAL  0.5  /* spread of its usual log lengths, at most */
#define STEADY_LEAST 0.3  /* probability, at least, of a loop that is believed for one inside */
#define GROWN_LEAST  0.05 /* the same of one whose iterations grow, ... */
#define GROWN_AGREE  0.5  /* of the threads have it, ... */
#define GROWN_HELD   0.7  /* ... and of the time of one inside that it has */

/* One thread's loop among those of all. */
struct shown {
    const struct separate_loop *loop;
    unsigned thread;
    size_t order;
};

/* --- Threads together ------------------------------------------------------------------------ */

static int sch_by_number(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    const double p = x->loop->time * x->loop->alike, q = y->loop->time * y->loop->alike;

    if (x->loop->count != y->loop->count)
        return x->loop->count < y->loop->count ? -1 : 1;
    if (p < q || p > q)
        return p > q ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Are two loops with as many places one, seen on two threads? */
static bool sch_together(const struct separate_loop *a, const struct separate_loop *o)
{
    const double long_a = (double)(a->end - a->start), long_o = (double)(o->end - o->start);
    const double room = fmax(ROOM * long_o, ROOM_MOST * o->period);
    const double apart = fabs((double)a->start - (double)o->start);

    return a->common == o->common && fabs(long_a - long_o) <= room && apart <= fmax(room, SKEW);
}

/* What stands for a candidate on a thread, where it shows several. */
static double sch_worth(const struct separate_loop *l)
{
    return l->alike * l->time * log2(1 + l->anchors);
}

static void sch_join(struct separate_candidate *c, const struct shown *s)
{
    const struct separate_loop **of = &c->of[s->thread];

    if (!*of || sch_worth(s->loop) > sch_worth(*of))
        *of = s->loop;
    c->mean.anchors += s->loop->anchors;
    c->mean.lengths |= s->loop->lengths;
}

/* Candidates from `from` on have as many places as the loop. */
static enum prvcut_status sch_put(struct separate_candidates *out, size_t from,
                                  const struct shown *s, const struct separate_loop **first,
                                  struct prvcut_error *err)
{
    size_t i = from;

    while (i < out->count && !sch_together(s->loop, first[i]))
        i++;
    if (i == out->count) {
        if (prvcut_grow((void **)&out->at, &out->room, i + 1, sizeof *out->at, err) < 0)
            return PRVCUT_ENOMEM;
        out->at[out->count++] =
            (struct separate_candidate){ .mean = { .count = s->loop->count,
                                                   .common = s->loop->common } };
        first[i] = s->loop;
    }
    sch_join(&out->at[i], s);
    return PRVCUT_OK;
}

static void sch_add_measures(struct separate_loop *sum, const struct separate_loop *l, double part)
{
    sum->period += part * l->period;
    sum->gap += part * l->gap;
    sum->alike += part * l->alike;
    sum->same += part * l->same;
    sum->same_calls += part * l->same_calls;
    sum->constant += part * l->constant;
    sum->time += part * l->time;
    sum->calls += part * l->calls;
    sum->run += part * l->run;
    sum->spread.all += part * l->spread.all;
    sum->spread.usual += part * l->spread.usual;
    sum->in_calls.all += part * l->in_calls.all;
    sum->in_calls.usual += part * l->in_calls.usual;
    sum->purity += part * l->purity;
    sum->start = l->start < sum->start ? l->start : sum->start;
    sum->end = l->end > sum->end ? l->end : sum->end;
}

static void sch_close_candidate(struct separate_candidate *c, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++)
        c->threads += c->of[i] != NULL;
    c->agree = (double)c->threads / threads;
    c->mean.anchors /= c->threads;
    c->mean.start = UINT64_MAX;
    for (unsigned i = 0; i < threads; i++)
        if (c->of[i])
            sch_add_measures(&c->mean, c->of[i], 1.0 / c->threads);
}

/* --- Judging --------------------------------------------------------------------------------- */

static void sch_judge(struct separate_candidates *out, unsigned threads)
{
    size_t kept = 0;

    for (size_t i = 0; i < out->count; i++) {
        struct separate_candidate c = out->at[i];

        sch_close_candidate(&c, threads);
        if (c.mean.alike < ALIKE || c.agree < SHARED)
            continue;
        c.probability = prvcut_separate_probability(&c);
        c.by_chance =
            prvcut_separate_believed(&c) && prvcut_spread_by_chance(&c.mean.in_calls, c.mean.count);
        if (c.by_chance)
            c.probability = CHANCE;
        out->at[kept++] = c;
    }
    out->count = kept;
}

/* The likelier, the more even. */
static double sch_even_worth(const struct separate_candidate *c)
{
    return c->probability * exp(-EVENNESS * c->mean.spread.all);
}

/* Does one inside explain what this one leaves out? */
static bool sch_leaves_out(const struct separate_candidates *c, const struct separate_candidate *x)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].mean.count > x->mean.count && prvcut_separate_shared_fills(&c->at[i], x))
            return true;
    return false;
}

/* What the threads have in common counts where nothing else is believed, or where it explains the
   whole run, and then the best alone: one around it would be chance. */
static void sch_leave_common(struct separate_candidates *c)
{
    struct separate_candidate *best = NULL;
    size_t fewest = SIZE_MAX, kept = 0; /* iterations of others that are believed */

    for (size_t i = 0; i < c->count; i++)
        if (!c->at[i].mean.common && prvcut_separate_believed(&c->at[i]) &&
            c->at[i].mean.count < fewest)
            fewest = c->at[i].mean.count;
    for (size_t i = 0; i < c->count; i++) {
        struct separate_candidate *x = &c->at[i];

        if ((fewest < SIZE_MAX ? x->mean.count <= fewest && prvcut_separate_shared_tiles(x)
                               : prvcut_separate_shared_is_loop(x) && !sch_leaves_out(c, x)) &&
            (!best || sch_even_worth(x) > sch_even_worth(best)))
            best = x;
    }
    if (best)
        best->probability = fmax(best->probability, COMMON_SURE);
    for (size_t i = 0; i < c->count; i++)
        if (&c->at[i] == best || (!c->at[i].mean.common && (fewest < SIZE_MAX || !best)))
            c->at[kept++] = c->at[i];
    c->count = kept;
}

static struct shown *sch_list_all(const struct separate_loops *loops, unsigned threads,
                                  size_t *count)
{
    struct shown *all;

    *count = 0;
    for (unsigned t = 0; t < threads; t++)
        *count += loops[t].count;
    all = prvcut_unset(*count + 1, sizeof *all, "loops", NULL);
    for (size_t t = 0, n = 0; all && t < threads; t++)
        for (size_t i = 0; i < loops[t].count; i++, n++)
            all[n] = (struct shown){ &loops[t].at[i], (unsigned)t, n };
    return all;
}

/* --- Choosing -------------------------------------------------------------------------------- */

static struct separate_candidate *sch_begin_with(const struct separate_candidates *c)
{
    struct separate_candidate *best = NULL;
    double most = -1;

    for (size_t i = 0; i < c->count; i++) {
        struct separate_candidate *x = &c->at[i];
        const double worth_x = round(100 * x->probability * x->mean.time);

        /* Of equals the one with the fewest places: they are in that order. */
        if (prvcut_separate_believed(x) && worth_x > most) {
            most = worth_x;
            best = x;
        }
    }
    return best;
}

/* The likeliest around a loop; NULL: none. The nearest may be a part of it that only some of its
   iterations have, and lead nowhere. */
static struct separate_candidate *sch_around(const struct separate_candidates *c,
                                             const struct separate_candidate *now)
{
    struct separate_candidate *next = NULL;

    for (size_t i = 0; i < c->count; i++)
        if (prvcut_separate_is_around(&c->at[i], now) &&
            (!next || c->at[i].probability > next->probability))
            next = &c->at[i];
    return next;
}

/* Of those with about as many iterations the likeliest that spans most and is most even. */
static struct separate_candidate *sch_best_of_near(const struct separate_candidates *c,
                                                   struct separate_candidate *now)
{
    struct separate_candidate *best = now;
    double most = 0;

    for (size_t i = 0; i < c->count; i++) {
        struct separate_candidate *x = &c->at[i];
        const double worth_x =
            x->probability * (1 + x->mean.time) * (1 + x->mean.same) * exp(-x->mean.spread.all);
        const size_t a = x->mean.count, b = now->mean.count;

        if (!prvcut_separate_near(a < b ? a : b, a < b ? b : a) ||
            !prvcut_separate_holds(x, now, BESIDE) || worth_x <= most ||
            (x != now && prvcut_separate_repeats(now, x)))
            continue;
        most = worth_x;
        best = x;
    }
    return best;
}

static struct separate_candidate *sch_likeliest(const struct separate_candidates *c)
{
    struct separate_candidate *best = NULL;

    for (size_t i = 0; i < c->count; i++)
        if (!best || c->at[i].probability > best->probability)
            best = &c->at[i];
    return best;
}

struct separate_candidate *prvcut_separate_outermost(const struct separate_candidates *c)
{
    struct separate_candidate *now = sch_begin_with(c), *next;

    if (!now)
        return sch_likeliest(c);
    while ((next = sch_around(c, now)))
        now = next;
    return sch_best_of_near(c, now);
}

/* Does it explain the whole run by iterations that are all alike, on all threads? */
static bool sch_tiles(const struct separate_candidate *c)
{
    const struct separate_loop *m = &c->mean;

    return c->agree >= SEPARATE_WIDE && m->count >= TILES_FEW && m->same >= SEPARATE_TILES &&
           m->time >= SEPARATE_TILES && m->calls >= SEPARATE_TILES;
}

/* Is it nearly believed, and are all of the run's calls in iterations that make the same ones,
   though any number of these? */
static bool sch_nearly_tiles(const struct separate_candidate *c)
{
    const struct separate_loop *m = &c->mean;

    return c->agree >= SEPARATE_WIDE && c->probability >= NEARLY && m->count >= TILES_FEW &&
           (m->lengths & SEPARATE_ONE) != 0 && m->same_calls >= SEPARATE_TILES &&
           m->time >= SEPARATE_TILES && m->calls >= SEPARATE_TILES;
}

double prvcut_separate_outer(const struct separate_candidates *c,
                             const struct separate_candidate *now)
{
    double most = 0;

    for (size_t i = 0; i < c->count && c->at[i].mean.count < now->mean.count; i++) {
        const struct separate_candidate *x = &c->at[i];

        if (!prvcut_separate_near(x->mean.count, now->mean.count) &&
            (sch_tiles(x) ||
             ((x->by_chance || sch_nearly_tiles(x)) && x->mean.common == now->mean.common)) &&
            prvcut_separate_surrounds(x, now))
            most = fmax(most, x->by_chance ? EVEN_ODDS : x->probability);
    }
    return most;
}

bool prvcut_separate_has_events(const struct separate_candidates *c,
                                const struct separate_candidate *now)
{
    for (size_t i = 0; i < c->count && c->at[i].mean.count < now->mean.count; i++)
        if (c->at[i].rare && prvcut_separate_is_rare(&c->at[i], now))
            return true;
    return false;
}

bool prvcut_separate_goes_along(const struct separate_loop *l, const struct separate_candidate *c)
{
    const size_t a = l->count, b = c->mean.count;
    /* Clocks may be skewed: each thread's own time. */
    const double share = (double)(l->end - l->start) / (c->mean.period * (double)(b - 1));

    return l->common == c->mean.common && (a > b ? a - b : b - a) <= 2 &&
           fabs(share - 1) <= ROOM + 2 / (double)b;
}

/* --- All of it ------------------------------------------------------------------------------- */

/* The most of a thread's calls that a believed one has. */
static double sch_calls_believed(const struct separate_candidates *c)
{
    double most = 0;

    for (size_t i = 0; i < c->count; i++)
        if (prvcut_separate_believed(&c->at[i]))
            most = fmax(most, c->at[i].mean.calls);
    return most;
}

/* Is it a loop around a believed one, doubted alone? */
static bool sch_is_wider(const struct separate_candidate *b, const struct separate_candidate *c)
{
    const struct separate_loop *x = &b->mean, *y = &c->mean;

    return b->probability >= WIDER_LEAST && b->agree >= SEPARATE_WIDE && x->count >= WIDER_FEW &&
           x->spread.usual <= WIDER_USUAL && x->time >= y->time && x->count < y->count &&
           prvcut_separate_believed(c) && !y->common && !prvcut_separate_near(x->count, y->count) &&
           prvcut_separate_holds(b, c, SEPARATE_WIDE) && prvcut_separate_surrounds(b, c);
}

/* A step whose iterations hold the same calls is believed where a loop inside is, that does not. */
static void sch_believe_steady(struct separate_candidates *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct separate_candidate *b = &c->at[i];
        bool steady = false;

        if (b->probability < STEADY_LEAST || b->agree < SEPARATE_WIDE || b->mean.common ||
            prvcut_separate_believed(b) || b->mean.count < WIDER_FEW ||
            b->mean.spread.usual > WIDER_USUAL)
            continue;
        for (size_t k = i + 1; k < c->count && !steady; k++)
            steady = prvcut_separate_believed(&c->at[k]) &&
                     prvcut_separate_holds(b, &c->at[k], SEPARATE_WIDE) &&
                     prvcut_separate_is_steadier(b, &c->at[k]);
        if (steady)
            b->probability = SEPARATE_BELIEVED;
    }
}

/* Is it a loop around a believed one, each of whose iterations is longer than the last? */
static bool sch_is_growing(const struct separate_candidates *c, const struct separate_candidate *b)
{
    bool around = false;

    if (b->probability < GROWN_LEAST || b->agree < GROWN_AGREE || b->mean.common ||
        !prvcut_separate_grows(b))
        return false;
    for (const struct separate_candidate *x = b + 1; x < c->at + c->count && !around; x++)
        around = prvcut_separate_believed(x) &&
                 !prvcut_separate_near(b->mean.count, x->mean.count) &&
                 prvcut_separate_holds(b, x, GROWN_HELD) && prvcut_separate_surrounds(b, x);
    return around;
}

/* What grows is no chance: of those the one that most threads have, for most of their time. 147 of
   200 generated meshes that grow were right without, their solvers' steps told surely in the
   others; 88 of 100 are with. */
static void sch_believe_growing(struct separate_candidates *c)
{
    struct separate_candidate *best = NULL;

    for (size_t i = 0; i < c->count; i++) {
        struct separate_candidate *b = &c->at[i];

        if (sch_is_growing(c, b) &&
            (!best || b->agree * b->mean.time >= best->agree * best->mean.time))
            best = b;
    }
    if (best)
        best->probability = fmax(best->probability, SEPARATE_BELIEVED);
}

/* What leaves out many calls cannot be a run's loop where one around it leaves out nothing: of
   these the likeliest. */
static void sch_believe_wider(struct separate_candidates *c)
{
    const double least = fmax(WIDER_CALLS, sch_calls_believed(c) + WIDER_MORE);
    struct separate_candidate *best = NULL;

    for (size_t i = 0; i < c->count; i++) {
        struct separate_candidate *b = &c->at[i];
        bool wider = false;

        for (size_t k = i + 1; k < c->count && b->mean.calls >= least && !wider; k++)
            wider = sch_is_wider(b, &c->at[k]);
        if (wider && (!best || b->probability > best->probability))
            best = b;
    }
    if (best)
        best->probability = SEPARATE_BELIEVED;
}

/* Is there a loop that is as likely, in whose iterations something lacks where this one begins; or
   one that is more even and beside it? */
static bool sch_is_chance(const struct separate_candidates *c, const struct separate_candidate *b)
{
    bool lacks = false;

    for (size_t i = 0; i < c->count && !lacks; i++) {
        const struct separate_candidate *x = &c->at[i];

        lacks = x->mean.count > b->mean.count && x->mean.common == b->mean.common &&
                prvcut_separate_believed(x) &&
                (prvcut_separate_picks(b, x) ||
                 (!prvcut_separate_near(b->mean.count, x->mean.count) &&
                  ((x->probability >= b->probability && prvcut_separate_lacks(b, x)) ||
                   prvcut_separate_is_beside(b, x))));
    }
    return lacks;
}

/* Is there a loop that this one throws back, and one inside that? */
static bool sch_throws_back(const struct separate_candidates *c, const struct separate_candidate *b)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct separate_candidate *x = &c->at[i];

        if (x->mean.count <= b->mean.count || x->probability < THROWN_LEAST)
            continue;
        for (size_t k = i + 1; k < c->count; k++)
            if (c->at[k].mean.count > x->mean.count && prvcut_separate_believed(&c->at[k]) &&
                prvcut_separate_throws_back(b, x, &c->at[k]))
                return true;
    }
    return false;
}

/* Is it an event that another symbol shows, too, which lacks what comes before or behind the loop?
 */
static bool sch_is_event(const struct separate_candidates *c, const struct separate_candidate *b)
{
    for (size_t i = 0; i < c->count && c->at[i].mean.count <= b->mean.count; i++)
        if (c->at[i].rare && prvcut_separate_is_same_event(b, &c->at[i]))
            return true;
    return b->rare;
}

static void sch_find_events(struct separate_candidates *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = i + 1; k < c->count && !c->at[i].rare; k++)
            c->at[i].rare = prvcut_separate_is_rare(&c->at[i], &c->at[k]);
}

static void sch_doubt_chance(struct separate_candidates *c)
{
    sch_find_events(c);
    for (size_t i = 0; i < c->count; i++)
        if (prvcut_separate_believed(&c->at[i]) &&
            (sch_is_event(c, &c->at[i]) || sch_is_chance(c, &c->at[i]) ||
             sch_throws_back(c, &c->at[i])))
            c->at[i].probability = CHANCE;
}

/* What goes through a part of a loop that is believed is that one, where it is told by more. */
static void sch_doubt_parts(struct separate_candidates *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = i + 1; k < c->count; k++)
            if (prvcut_separate_believed(&c->at[i]) &&
                prvcut_separate_is_part(&c->at[i], &c->at[k]))
                c->at[i].probability = CHANCE;
}

static bool sch_is_even(const struct separate_candidate *c)
{
    const struct separate_loop *m = &c->mean;

    return !m->common && c->agree >= SEPARATE_WIDE && m->count >= EVEN_MANY && m->gap >= EVEN_GAP &&
           m->spread.all <= EVEN_ALL && m->spread.usual <= EVEN_USUAL &&
           m->same_calls >= EVEN_HELD && m->calls >= EVEN_CALLS;
}

/* Iterations may do what they like: where nothing else is likely, nothing but a loop comes as
   evenly on all threads. Of these the likeliest. */
static void sch_believe_even(struct separate_candidates *c)
{
    struct separate_candidate *best = NULL;
    double most = 0;

    for (size_t i = 0; i < c->count; i++) {
        struct separate_candidate *x = &c->at[i];

        most = fmax(most, x->probability);
        if (sch_is_even(x) && (!best || x->probability > best->probability))
            best = x;
    }
    if (best && most < EVEN_ALONE)
        best->probability = EVEN_SURE;
}

enum prvcut_status prvcut_separate_candidates_find(struct separate_candidates *out,
                                                   const struct separate_loops *loops,
                                                   unsigned threads, struct prvcut_error *err)
{
    size_t count, from = 0;
    struct shown *all = sch_list_all(loops, threads, &count);
    const struct separate_loop **first = prvcut_unset(count + 1, sizeof *first, "loops", NULL);
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct separate_candidates){ .at = NULL };
    if (!all || !first)
        st = prvcut_no_memory(err, "loops");
    else
        qsort(all, count, sizeof *all, sch_by_number);
    for (size_t i = 0; st == PRVCUT_OK && i < count; i++) {
        if (i > 0 && all[i].loop->count != all[i - 1].loop->count)
            from = out->count;
        st = sch_put(out, from, &all[i], first, err);
    }
    if (st == PRVCUT_OK) {
        sch_judge(out, threads);
        sch_leave_common(out);
        sch_doubt_chance(out);
        sch_believe_steady(out);
        sch_doubt_parts(out);
        sch_believe_growing(out);
        sch_believe_wider(out);
        sch_believe_even(out);
    }
    free(all);
    free(first);
    return st;
}
