#include "structure/separate_rounds.h"

#include "structure/separate_around.h"
#include "structure/separate_judge.h"

#include <math.h>
#include <stdint.h>

/*
 * Iterations that hold more or fewer rounds of a loop, and little else: a solver that goes on until
 * it has converged, or steps between two events. Set by hand, as those of separate_rare.c.
 *
 * name       value   unit            decides
 */
#define VARIES   0.2 /* of their mean number: so far are least and most apart; else any is right */
#define ADDS     0.5 /* calls more, in the mean, in rounds with a place of b than without, ... */
#define ADDS_ALL 3   /* ... up to so many times those without: more is no event */
#define EQUAL                                                                                      \
    0.9            /* of the rounds that b adds nothing to, which make as many calls: what it adds \
                      is in one piece */
#define MOSTLY 0.7 /* of the rounds of one kind that make as many calls, ... */
#define SEEN   0.75 /* of the threads must have the rounds: ends that count differ on some */
#define ALL    0.95 /* of the calls of b that c has: what b leaves out is no part of it */

struct separate_places prvcut_separate_places_of(const struct separate_loop *l)
{
    const uint32_t left = l->before == 1 ? (uint32_t)l->trimmed : 0;

    return (struct separate_places){
        .at = l->place,
        .count = l->count,
        .first = l->place[0] - left,
        .all = l->before <= 1 && l->after == 0,
    };
}

/* Do gaps of c with a place of b have more calls than those without, up to so many times as many?
 */
static bool rnd_adds(const struct separate_places *b, const struct separate_places *c, double most)
{
    double with = 0, without = 0, calls_with = 0, calls_without = 0;

    for (size_t g = 0, k = 0; g + 1 < c->count; g++) {
        const double calls = c->at[g + 1] - c->at[g];
        bool held;

        while (k < b->count && b->at[k] < c->at[g])
            k++;
        held = k < b->count && b->at[k] < c->at[g + 1];
        *(held ? &with : &without) += 1;
        *(held ? &calls_with : &calls_without) += calls;
    }
    if (with < 1 || without < 1)
        return false;
    with = calls_with / with;
    without = calls_without / without;
    return with >= without + ADDS && with <= most * without;
}

bool prvcut_separate_adds(const struct separate_places *b, const struct separate_places *c)
{
    return rnd_adds(b, c, ADDS_ALL);
}

/* Do most rounds without a place of b make as many calls, all of them at least? */
static bool rnd_in_one_piece(const struct separate_places *b, const struct separate_places *c)
{
    uint32_t least = UINT32_MAX;
    size_t same = 0, all = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t g = 0, k = 0; g + 1 < c->count; g++) {
            const uint32_t calls = c->at[g + 1] - c->at[g];

            while (k < b->count && b->at[k] < c->at[g])
                k++;
            if (k < b->count && b->at[k] < c->at[g + 1])
                continue;
            least = calls < least ? calls : least;
            all += pass == 1;
            same += pass == 1 && calls == least;
        }
    return (double)same >= EQUAL * (double)all;
}

/* Is the number of calls (nearly) the same in those rounds with a place of b, or without? */
static bool rnd_is_even(const struct separate_places *b, const struct separate_places *c, bool with)
{
    size_t same = 0, all = 0, lead = 0;
    uint32_t usual = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t g = 0, k = 0; g + 1 < c->count; g++) {
            const uint32_t calls = c->at[g + 1] - c->at[g];

            while (k < b->count && b->at[k] < c->at[g])
                k++;
            if ((k < b->count && b->at[k] < c->at[g + 1]) != with)
                continue;
            /* What is more than half of them leads in the end. */
            if (pass == 0 && lead == 0)
                usual = calls;
            if (pass == 0)
                lead += calls == usual ? 1 : SIZE_MAX;
            all += pass == 1;
            same += pass == 1 && calls == usual;
        }
    return (double)same >= MOSTLY * (double)all;
}

/*
 * Are there rounds both before the first place of b and behind the last one, though all that comes
 * with b is in one piece? A loop around them would begin or end with that piece.
 */
static bool rnd_outside(const struct separate_places *b, const struct separate_places *c)
{
    size_t lead = 0, trail = 0;

    for (size_t k = 0; k < c->count; k++) {
        lead += c->at[k] < b->first;
        trail += c->at[k] >= b->at[b->count - 1];
    }
    return b->all && lead > 1 && trail > 1 && rnd_in_one_piece(b, c);
}

bool prvcut_separate_rounds_add(struct prvcut_rounds *out, const struct separate_places *b,
                                const struct separate_places *c)
{
    size_t k = 0;
    bool outside;

    if (b->count < 2 || !rnd_adds(b, c, HUGE_VAL))
        return false;
    outside = rnd_outside(b, c);
    if (!outside && !prvcut_separate_adds(b, c))
        return false;
    while (k < c->count && c->at[k] < b->at[0])
        k++;
    for (size_t g = 0; g + 1 < b->count; g++) {
        uint64_t held = 0;

        for (; k < c->count && c->at[k] < b->at[g + 1]; k++)
            held++;
        if (out->gaps == 0 || held < out->least)
            out->least = held;
        if (held > out->most)
            out->most = held;
        out->held += held;
        out->once += held <= 1;
        out->gaps++;
    }
    out->outside = out->outside || outside;
    out->uneven = out->uneven || !rnd_is_even(b, c, false) || !rnd_is_even(b, c, true);
    return true;
}

bool prvcut_separate_rounds_vary(const struct prvcut_rounds *r)
{
    return r->gaps > 0 &&
           (double)(r->most - r->least) * (double)r->gaps >= VARIES * (double)r->held;
}

/* What all threads show that have both. */
static bool rnd_of(struct prvcut_rounds *out, const struct separate_candidate *b,
                   const struct separate_candidate *c)
{
    *out = (struct prvcut_rounds){ .most = 0 };
    for (unsigned i = 0; i < SEPARATE_THREADS; i++) {
        if (!b->of[i] || !c->of[i])
            continue;
        const struct separate_places x = prvcut_separate_places_of(b->of[i]);
        const struct separate_places y = prvcut_separate_places_of(c->of[i]);

        if (!prvcut_separate_rounds_add(out, &x, &y))
            return false;
    }
    return prvcut_separate_rounds_vary(out);
}

const struct separate_candidate *prvcut_separate_rounds_find(struct prvcut_rounds *out,
                                                             const struct separate_candidates *all,
                                                             const struct separate_candidate *b)
{
    struct prvcut_rounds now;
    const struct separate_candidate *nearest = NULL;

    *out = (struct prvcut_rounds){ .most = 0 };
    for (size_t i = 0; i < all->count; i++) {
        const struct separate_candidate *c = &all->at[i];

        if (c->mean.common != b->mean.common || c->mean.count <= b->mean.count ||
            (nearest && c->mean.count >= nearest->mean.count) ||
            prvcut_separate_near(b->mean.count, c->mean.count) || !prvcut_separate_believed(c) ||
            c->agree < SEEN || c->mean.calls < ALL * b->mean.calls || !rnd_of(&now, b, c))
            continue;
        nearest = c;
        *out = now;
    }
    return nearest;
}
