#include "structure/separate_around.h"

#include "structure/separate_judge.h"

#include <math.h>
#include <stdint.h>

/*
 * How the places of two separators lie to each other. Found by hand on the traces and the classes
 * of generated programs that separate_choice.c names.
 *
 * name        value   unit                 decides
 */
#define NEAR      1.25 /* numbers of iterations within this ratio mean the same loop, ... */
#define NEAR_FEW  2    /* ... and those that differ by fewer */
#define HOLDS     0.45 /* of an inner loop's time that one around it must hold */
#define WITHOUT   0.05 /* of its iterations that may hold no whole one of the loop inside */
#define REPEATED  0.05 /* of its iterations that hold it twice: one around it, with as many */
#define AS_LIKELY 0.9  /* of that one's probability, at least */
#define SAME_CALLS                                                                                 \
    0.95               /* ... or of its iterations that hold the same single calls, at least, ... */
#define SAME_MORE 0.1  /* ... and so many more of them than of that one's */
#define FOUR      4    /* calls of the longest symbol: where it lies in shorter ones is unknown */
#define EXACT     0.75 /* of the iterations of a loop that are alike: what others lack tells */
#define LACK      0.5  /* calls fewer, in the mean: something lacks */
#define PICKED    2.5 /* times fewer iterations at most: some of another loop's, picked by chance */
#define ONE_EACH  0.5 /* of its iterations that hold just one of another loop: a part of it, ... */
#define HELD_MOST 0.8 /* ... if so many of that one's hold the same single calls */
#define UNEVEN    0.2 /* of the logarithm: so much less even than another loop */
#define ALL_ALIKE 0.95 /* of the iterations that hold the same: nothing is put into them, ... */
#define ALL_EVEN  0.2  /* ... of this spread at most, ... */
#define NOTHING   0.02 /* ... and calls more, in the mean, that are none */
#define STEADY    0.7  /* of the iterations that hold the same single calls: a steady loop, ... */
#define STEADIER  0.15 /* ... and so many more of them than of another, ... */
#define STEADY_OF 0.95 /* ... of whose calls it has this share, at least */

#define THROWN    4   /* iterations of both kinds, at least, that show what is thrown back, ... */
#define AS_MANY   0.9 /* ... the share of those without that hold as many of the loop inside, ... */
#define REPEATS   3   /* ... which are so many at least, ... */
#define MADE_MORE 0.9 /* ... and of those with that hold more */

#define GROWING   4    /* iterations of a loop that grows, at least; */
#define GROWS     0.8  /* of them have more calls than the last one, ... */
#define NO_STEP   0.05 /* ... and none fewer, but for this, of the logarithm; ... */
#define GROWTH    1.25 /* ... the last so many times as many as the first, ... */
#define ONE_STEP  0.7  /* ... and no step is more than this of all, of the logarithm */

bool prvcut_separate_near(size_t few, size_t many)
{
    return (double)many <= NEAR * (double)few || many - few < NEAR_FEW;
}

bool prvcut_separate_holds(const struct separate_candidate *b, const struct separate_candidate *c,
                           double share)
{
    const struct separate_loop *x = &b->mean, *y = &c->mean;
    const double start = fmax((double)x->start, (double)y->start);
    const double end_y = (double)y->end + y->period;

    return fmin((double)x->end + x->period, end_y) - start >= share * (end_y - (double)y->start);
}

/* --- Places of one in the iterations of the other ------------------------------------------- */

/* How places of one loop lie in the gaps of another. */
struct places_inside {
    double gaps, none, more; /* gaps between its ends; that hold none of it; more than one */
    double held;             /* places in all of these */
    double calls_none;       /* calls of the gaps that hold none, ... */
    double calls_some;       /* ... and of the others */
};

static void sra_count_inside(const struct separate_loop *a, const struct separate_loop *b,
                             struct places_inside *out)
{
    const uint32_t first = b->place[0], last = b->place[b->count - 1];

    for (size_t g = 0, k = 0; g + 1 < a->count; g++) {
        const uint32_t from = a->place[g], to = a->place[g + 1];
        size_t n;

        if (from < first || to > last)
            continue;
        while (b->place[k] < from)
            k++;
        n = k;
        while (n < b->count && b->place[n] < to)
            n++;
        out->gaps += 1;
        out->none += n == k;
        out->more += n > k + 1;
        out->held += (double)(n - k);
        *(n == k ? &out->calls_none : &out->calls_some) += to - from;
    }
}

/* Places of c in the gaps of b. */
static struct places_inside sra_inside(const struct separate_candidate *b,
                                       const struct separate_candidate *c)
{
    struct places_inside out = { .gaps = 0 };

    /* Places among other calls: nothing can be told. */
    if (b->mean.common != c->mean.common)
        return out;
    for (unsigned i = 0; i < SEPARATE_THREADS; i++)
        if (b->of[i] && c->of[i])
            sra_count_inside(b->of[i], c->of[i], &out);
    return out;
}

bool prvcut_separate_surrounds(const struct separate_candidate *b,
                               const struct separate_candidate *c)
{
    const struct places_inside p = sra_inside(b, c);

    return p.none <= WITHOUT * p.gaps;
}

/* Do they hold several? Fewer of them may be a part of the same loop. */
static bool sra_holds_several(const struct separate_candidate *b,
                              const struct separate_candidate *c)
{
    const struct places_inside p = sra_inside(b, c);

    return p.held >= NEAR * p.gaps;
}

/* Do all iterations of b hold the same calls, as many of c do not? */
static bool sra_holds_the_same(const struct separate_candidate *b,
                               const struct separate_candidate *c)
{
    return prvcut_separate_believed(b) && b->mean.same_calls >= SAME_CALLS &&
           b->mean.same_calls >= c->mean.same_calls + SAME_MORE;
}

/* Does a single call mark b, or none c? What only runs of calls mark may lack where something
   comes between them: iterations of c that others are put into, not tries. */
static bool sra_is_marked(const struct separate_candidate *b, const struct separate_candidate *c)
{
    return (b->mean.lengths & SEPARATE_ONE) != 0 || (c->mean.lengths & SEPARATE_ONE) == 0;
}

bool prvcut_separate_repeats(const struct separate_candidate *b, const struct separate_candidate *c)
{
    const struct places_inside p = sra_inside(b, c);

    return sra_is_marked(b, c) &&
           (b->probability >= AS_LIKELY * c->probability || sra_holds_the_same(b, c)) &&
           p.more >= REPEATED * p.gaps && p.more >= p.none + NEAR_FEW;
}

bool prvcut_separate_is_steadier(const struct separate_candidate *b,
                                 const struct separate_candidate *c)
{
    const struct separate_loop *x = &b->mean, *y = &c->mean;

    return (x->lengths & SEPARATE_ONE) != 0 && x->same_calls >= STEADY &&
           x->same_calls >= y->same_calls + STEADIER && x->calls >= STEADY_OF * y->calls &&
           sra_holds_several(b, c);
}

bool prvcut_separate_is_around(const struct separate_candidate *b,
                               const struct separate_candidate *c)
{
    if (b->mean.count >= c->mean.count || !prvcut_separate_believed(b) ||
        !prvcut_separate_holds(b, c, HOLDS))
        return false;
    if (!prvcut_separate_surrounds(b, c))
        return prvcut_separate_is_steadier(b, c);
    return (!prvcut_separate_near(b->mean.count, c->mean.count) && sra_holds_several(b, c)) ||
           prvcut_separate_repeats(b, c);
}

bool prvcut_separate_is_beside(const struct separate_candidate *b,
                               const struct separate_candidate *c)
{
    return b->mean.count < c->mean.count && prvcut_separate_believed(c) &&
           b->mean.spread.all >= c->mean.spread.all + UNEVEN &&
           !prvcut_separate_near(b->mean.count, c->mean.count) &&
           prvcut_separate_holds(c, b, HOLDS) && !prvcut_separate_surrounds(b, c);
}

/* Are all iterations of c alike, and as long with a place of b as without? */
static bool sra_adds_nothing(const struct separate_candidate *b, const struct separate_candidate *c,
                             double more)
{
    return c->mean.same >= ALL_ALIKE && c->mean.spread.all <= ALL_EVEN &&
           b->mean.spread.all >= c->mean.spread.all + UNEVEN && more <= NOTHING;
}

bool prvcut_separate_lacks(const struct separate_candidate *b, const struct separate_candidate *c)
{
    const struct places_inside p = sra_inside(c, b);
    const double some = p.gaps - p.none;
    double more;

    if (p.none < 1 || some < 1)
        return false;
    more = p.calls_some / some - p.calls_none / p.none;
    if (sra_adds_nothing(b, c, more))
        return true;
    return (b->mean.lengths & SEPARATE_ONE) == 0 && c->mean.gap >= FOUR && c->mean.same >= EXACT &&
           more <= -LACK;
}

/* Are iterations of c as much alike as those of b, or by their single calls (nearly) all? */
static bool sra_alike_as(const struct separate_candidate *c, const struct separate_candidate *b)
{
    return c->mean.same >= b->mean.same ||
           c->mean.same_calls >= fmax(SAME_CALLS, b->mean.same_calls);
}

bool prvcut_separate_picks(const struct separate_candidate *b, const struct separate_candidate *c)
{
    const struct places_inside p = sra_inside(b, c);

    return !sra_is_marked(b, c) && c->probability >= b->probability && sra_alike_as(c, b) &&
           c->mean.count >= b->mean.count + NEAR_FEW &&
           (double)c->mean.count < PICKED * (double)b->mean.count && p.more > REPEATED * p.gaps &&
           prvcut_separate_holds(c, b, HOLDS);
}

bool prvcut_separate_is_part(const struct separate_candidate *b, const struct separate_candidate *c)
{
    const struct places_inside p = sra_inside(b, c);
    const struct separate_loop *x = &b->mean, *y = &c->mean;

    return !sra_is_marked(b, c) && prvcut_separate_believed(c) && y->same_calls >= HELD_MOST &&
           y->calls > x->calls && y->time > x->time && !prvcut_separate_near(x->count, y->count) &&
           p.gaps - p.none - p.more > ONE_EACH * p.gaps && prvcut_separate_holds(c, b, HOLDS);
}

/* --- What throws back --------------------------------------------------------------------------
 */

/* Places in [from, to), from the k-th on. */
static size_t sra_places_in(const struct separate_loop *l, size_t *k, uint32_t from, uint32_t to)
{
    size_t n = 0;

    while (*k < l->count && l->place[*k] < from)
        ++*k;
    while (*k + n < l->count && l->place[*k + n] < to)
        n++;
    return n;
}

/* Iterations of x on one thread, without b and with it. */
struct thrown {
    size_t without, as_many, with, more;
    size_t least, most; /* of the loop inside, in those with it */
};

static void sra_count_thrown(struct thrown *t, const struct separate_loop *b,
                             const struct separate_loop *x, const struct separate_loop *c,
                             size_t usual)
{
    for (size_t g = 0, i = 0, k = 0; g + 1 < x->count; g++) {
        const size_t marks = sra_places_in(b, &i, x->place[g], x->place[g + 1]);
        const size_t held = sra_places_in(c, &k, x->place[g], x->place[g + 1]);

        t->without += marks == 0;
        t->as_many += marks == 0 && held == usual;
        t->with += marks > 0;
        t->more += marks > 0 && held > usual;
        if (marks > 0 && held < t->least)
            t->least = held;
        if (marks > 0 && held > t->most)
            t->most = held;
    }
}

/* How often an iteration of x without b holds c: the least of all. */
static size_t sra_usual_number(const struct separate_loop *b, const struct separate_loop *x,
                               const struct separate_loop *c)
{
    size_t least = SIZE_MAX;

    for (size_t g = 0, i = 0, k = 0; g + 1 < x->count; g++) {
        const size_t marks = sra_places_in(b, &i, x->place[g], x->place[g + 1]);
        const size_t held = sra_places_in(c, &k, x->place[g], x->place[g + 1]);

        if (marks == 0 && held < least)
            least = held;
    }
    return least;
}

bool prvcut_separate_throws_back(const struct separate_candidate *b,
                                 const struct separate_candidate *x,
                                 const struct separate_candidate *c)
{
    struct thrown t = { .least = SIZE_MAX };
    size_t usual = SIZE_MAX;

    if (b->mean.spread.all < x->mean.spread.all + UNEVEN || b->mean.common != x->mean.common ||
        x->mean.common != c->mean.common)
        return false;
    for (unsigned i = 0; i < SEPARATE_THREADS; i++) {
        if (!b->of[i] || !x->of[i] || !c->of[i])
            continue;
        usual = sra_usual_number(b->of[i], x->of[i], c->of[i]);
        if (usual < REPEATS || usual == SIZE_MAX)
            return false;
        sra_count_thrown(&t, b->of[i], x->of[i], c->of[i], usual);
    }
    return t.without >= THROWN && t.with >= THROWN && t.most >= t.least + REPEATS &&
           (double)t.as_many >= AS_MANY * (double)t.without &&
           (double)t.more >= MADE_MORE * (double)t.with;
}

/* --- What grows ------------------------------------------------------------------------------- */

/* Logarithm of how many times as many calls a gap has as the one before. */
static double sra_step_of(const struct separate_loop *l, size_t gap)
{
    const double before = l->place[gap] - l->place[gap - 1];

    return log((l->place[gap + 1] - l->place[gap]) / before);
}

static bool sra_around_grows(const struct separate_loop *l)
{
    const size_t gaps = l->count - 1;
    double all = 0, most = 0, least = 0, more = 0;

    for (size_t g = 1; g < gaps; g++)
        all += sra_step_of(l, g);
    for (size_t g = 1; g < gaps; g++) {
        const double step = all < 0 ? -sra_step_of(l, g) : sra_step_of(l, g);

        most = fmax(most, step);
        least = fmin(least, step);
        more += step > 0;
    }
    return gaps >= GROWING && more >= GROWS * (double)(gaps - 1) && least >= -NO_STEP &&
           fabs(all) >= log(GROWTH) && most <= ONE_STEP * fabs(all);
}

bool prvcut_separate_grows(const struct separate_candidate *b)
{
    for (unsigned i = 0; i < SEPARATE_THREADS; i++)
        if (b->of[i] && !sra_around_grows(b->of[i]))
            return false;
    return true;
}
