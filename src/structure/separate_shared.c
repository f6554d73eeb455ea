#include "structure/separate_shared.h"

#include <math.h>

/*
 * What all threads have in common, as a loop. Found on traces with known truth, some limits by
 * looking at the shared ones: they are not cross-validated.
 *
 * name       value     unit                 decides
 */
#define COMMON_LEAST      6    /* iterations of a loop by common calls, at least */
#define COMMON_RUN        0.25 /* of the run, at least */
#define COMMON_SPREAD     0.5  /* of its log lengths, at most, ... */
#define COMMON_CALLS      1.5  /* ... and where an iteration has fewer calls than this */
#define ONE_SPREAD        0.25 /* so much; */
#define COMMON_ALIKE      0.5  /* share of its iterations that hold the same, at least, ... */
#define COMMON_SAME       0.85 /* ... and so many from that spread on, where ... */
#define COMMON_CONST      0.3  /* ... so much of it comes equally often, too, as it must ... */
#define COMMON_FEW        12   /* ... of fewer iterations; */
#define COMMON_GAP        8 /* calls, fewer than which make so few uneven ones alike by chance, ... */
#define COMMON_ALL        0.9  /* ... unless this share of them comes equally often */
#define ALONE_LEAST       20   /* times that the only common call comes, ... */
#define ALONE_MANY        40   /* ... and so many at unlike distances, ... */
#define ALONE_RUN         0.9  /* ... through so much of the run, ... */
#define ALONE_SPREAD      0.9  /* ... not by chance, whose distances spread by pi / sqrt 6, ... */
#define ALONE_SURE        0.9  /* ... with this probability: it is a loop; ... */
#define ALONE_CALLS       0.85 /* ... and so many of the common calls; ... */
#define ALONE_EVEN        0.4  /* ... through so much of the run, for set-up may be long, ... */
#define ALONE_LIKELY      0.25 /* ... with this probability ... */
#define ALONE_EVEN_CALLS  0.7  /* ... and so many of them, where it comes evenly */
#define COMMON_USUAL      0.35 /* spread of the usual ones, at most */
#define COMMON_EVEN       0.45 /* probability from which so even a loop counts, ... */
#define EXACT_SPREAD      0.18 /* spread of one that comes so evenly, ... */
#define EXACT_LEAST       20   /* ... so many times, ... */
#define EXACT_PROBABILITY 0.25 /* ... that it counts from this probability on */
#define SPAN_LEAST        5    /* iterations of one that explains the whole run, at least, ... */
#define SPAN_SURE         0.9  /* ... its probability, ... */
#define SPAN_TIME         0.9  /* ... its share of the time, ... */
#define SPAN_CONST        0.5  /* ... and of what comes equally often */
#define FILLS_ALL         0.95 /* of time and of calls that one has ... */
#define FILLS_MORE                                                                                 \
    0.2 /* ... and so much more of them than another: what that one leaves                         \
           out is no part of another loop */

/* Is it one collective, and hardly anything else that threads have in common, through the whole
   run? What comes at unlike distances must be the only one, and these no chance. */
static bool shd_alone(const struct separate_candidate *c)
{
    const struct separate_loop *m = &c->mean;
    const bool even = m->spread.all <= COMMON_SPREAD && m->spread.usual <= COMMON_USUAL;

    return m->common && m->gap < COMMON_CALLS && c->agree >= SEPARATE_WIDE &&
           (m->lengths & SEPARATE_ONE) != 0 && m->count >= (even ? ALONE_LEAST : ALONE_MANY) &&
           m->calls >= (even ? ALONE_EVEN_CALLS : ALONE_CALLS) && m->spread.all <= ALONE_SPREAD &&
           m->run >= (even ? ALONE_EVEN : ALONE_RUN) &&
           c->probability >= (even ? ALONE_LIKELY : ALONE_SURE);
}

/* Is it a loop by what all threads have in common? These are few calls: chance groups of them look
   like iterations too, but take any time. */
static bool shd_even(const struct separate_candidate *c)
{
    const struct separate_loop *m = &c->mean;
    const double spread = m->gap < COMMON_CALLS ? ONE_SPREAD : COMMON_SPREAD;
    const bool loose = m->spread.all > ONE_SPREAD;
    const bool exact = m->spread.all <= EXACT_SPREAD && m->count >= EXACT_LEAST;
    const double least = exact ? EXACT_PROBABILITY : loose ? SEPARATE_BELIEVED : COMMON_EVEN;

    if (loose && m->count < COMMON_FEW && m->gap < COMMON_GAP && m->constant < COMMON_ALL)
        return false;
    if (m->run < COMMON_RUN || m->same < (loose ? COMMON_SAME : COMMON_ALIKE) ||
        ((loose || m->count < COMMON_FEW) && m->constant < COMMON_CONST))
        return false;
    return m->common && m->count >= COMMON_LEAST && m->spread.all <= spread &&
           m->spread.usual <= COMMON_USUAL && c->probability >= least;
}

bool prvcut_separate_shared_is_loop(const struct separate_candidate *c)
{
    return shd_even(c) || shd_alone(c);
}

bool prvcut_separate_shared_tiles(const struct separate_candidate *c)
{
    const struct separate_loop *m = &c->mean;

    return m->common && c->agree >= SEPARATE_WIDE && m->count >= SPAN_LEAST &&
           c->probability >= SPAN_SURE && m->same >= SEPARATE_TILES && m->calls >= SEPARATE_TILES &&
           fmin(m->time, m->run) >= SPAN_TIME && m->constant >= SPAN_CONST &&
           m->spread.all <= COMMON_SPREAD && m->spread.usual <= COMMON_USUAL &&
           (m->lengths & SEPARATE_ONE) != 0;
}

bool prvcut_separate_shared_fills(const struct separate_candidate *c,
                                  const struct separate_candidate *x)
{
    const struct separate_loop *m = &c->mean, *y = &x->mean;

    return m->common && y->common && c->agree >= SEPARATE_WIDE &&
           c->probability >= fmax(SPAN_SURE, x->probability) &&
           fmin(m->time, m->calls) >= FILLS_ALL &&
           fmax(y->time, y->calls) <= fmin(m->time, m->calls) - FILLS_MORE;
}
