#include "base/memory.h"
#include "structure/in_step.h"
#include "structure/rounds.h"
#include "structure/search.h"

#include <math.h>
#include <stdlib.h>

/*
 * How the witnesses' answer (confidence c) and the separators' (probability p) become one. Found by
 * hand on the traces that separate_choice.c names, some of them by looking at the shared traces.
 *
 * name      value    unit             decides
 */
#define COUNTS      0.5  /* p from which the separators' loop counts */
#define SAME        0.1  /* of a number of iterations: the same loop if they differ by one, ... */
#define SAME_MANY   0.06 /* ... and of more */
#define SAME_PERIOD 0.03 /* of a period: the same, seen for longer, ... */
#define SAME_CALLS  0.03 /* ... and of the calls of its iterations */
#define GIVEN       0.05 /* of a period that was given: the same as the loop's */
#define AROUND      2    /* times fewer iterations: the witnesses' loop is around the separators' */
#define SURE        0.65 /* c from which it counts there, or alone */
#define SURE_LOOSE  0.8  /* the same where iterations vary by more than: */
#define LOOSE       0.5  /* of the logarithm of their lengths */
#define BELIEVED    0.65 /* p, as SEPARATE_BELIEVED, below which they are not, where nobody agrees */
#define TOLD        0.85 /* p below which even iterations of about that number tell more */
#define NEAR        1.25 /* times as many or as few iterations: about the same loop */
#define VERY_SURE   0.95 /* c from which more are about the same loop: iterations are whole there */
#define NEAR_SURE   1.6  /* times as many iterations of the witnesses, ... */
#define HELD        0.95 /* ... if fewer of theirs hold the same single calls: else tries in them */
#define LONGER      0.1  /* of a period: the same loop, where theirs has more iterations */
#define PART        0.5  /* of the span of the witnesses' loop: separators of a part of it */
#define OTHERS      0.7  /* of c that speaks for what both say */
#define ALONE       0.75 /* of c that is left where the separators say something else */
#define OUTSIDE     0.9  /* of c that is left of a loop around theirs */
#define FEW         10   /* iterations, fewer than which are told by what separates them */
#define ALIKE       0.8 /* of the core that comes equally often: iterations are alike call by call */
#define LEFT_OUT    0.5  /* of a period: of as many iterations the longer ones have no holes */
#define ONE_LEFT    0.9  /* of a period that one around theirs, not sure, leaves out of it */
#define EVEN        0.05 /* of the logarithm by which one loop's iterations are more even */
#define MORE_EVEN   0.5  /* of the spread of another number of iterations */
#define NONE        0.49 /* confidence, at most, where nothing is found */
#define WITHIN      0.5  /* the same of a loop of two iterations, or inside one of these, ... */
#define APART                                                                                      \
    0.15           /* of an iteration by which it usually differs on two threads, from which       \
                      they are not in step, ... */
#define DRIFT  0.5 /* ... if they move apart so fast */
#define ODDS   2   /* times the odds of what both say, as 1,440 generated programs show */
#define UNEVEN 4   /* ... or where iterations take so many times what half of them take at most */

static const char *const no_common = "no iteration is common to the threads";

enum prvcut_status prvcut_search_leave_loop(bool *left, struct prvcut_call_loop *l,
                                            struct prvcut_error *err)
{
    struct prvcut_step step;
    enum prvcut_status st = prvcut_call_loop_step(&step, l, err);

    *left = st == PRVCUT_OK && step.apart >= APART && step.drift >= DRIFT;
    if (*left) {
        prvcut_call_loop_fini(l);
        l->loop.why = no_common;
    }
    return st;
}

enum prvcut_status prvcut_search_leave_apart(struct prvcut_search *s, struct prvcut_error *err)
{
    bool left;
    enum prvcut_status st = prvcut_search_leave_loop(&left, &s->calls, err);

    if (st == PRVCUT_OK)
        st = prvcut_search_leave_loop(&left, &s->separation.calls, err);
    return st;
}

static bool sjo_same_number(double a, double b)
{
    const double apart = fabs(a - b), most = fmax(a, b);

    return apart <= SAME * most && (apart <= 1 || apart <= SAME_MANY * most);
}

static bool sjo_as_many(const struct prvcut_call_loop *a, const struct prvcut_call_loop *b)
{
    return fabs(a->loop.iterations - b->loop.iterations) < 0.5;
}

static uint64_t sjo_length(const struct prvcut_call_loop *l)
{
    return l->loop.span.end - l->loop.span.start;
}

/*
 * Do separators tell better where the iterations of one loop begin? Borders that lie at another
 * place of each iteration make them uneven. Of as many iterations those that span more; iterations
 * that are alike call by call tell best where they begin; of few, one more or less at the ends
 * counts.
 */
static bool sjo_tell_better(const struct prvcut_separation *x, const struct prvcut_call_loop *l)
{
    const struct prvcut_call_loop *separators = &x->calls;

    if (sjo_as_many(separators, l)) {
        if (x->held >= HELD && (double)sjo_length(separators) >
                                   (double)sjo_length(l) + LEFT_OUT * separators->loop.period_ns)
            return true;
        if (fabs(separators->spread - l->spread) > EVEN)
            return separators->spread < l->spread;
        if (sjo_length(l) > sjo_length(separators))
            return false;
    }
    return x->constant < ALIKE || l->loop.iterations < FEW ||
           separators->spread < MORE_EVEN * l->spread;
}

void prvcut_search_take(struct prvcut_search *s, struct prvcut_call_loop *loop)
{
    const struct prvcut_call_loop old = s->calls;

    s->calls = *loop;
    *loop = old;
    for (size_t i = 0; i < s->witnesses; i++)
        if (s->witness[i].calls)
            s->witness[i].loop = s->calls.loop;
    prvcut_vote(&s->verdict, s->witness, s->witnesses, s->set);
    s->verdict.found = true;
    s->verdict.why = NULL;
    s->loop = s->calls.loop;
}

static void sjo_take_separators(struct prvcut_search *s)
{
    prvcut_search_take(s, &s->separation.calls);
}

static void sjo_take_none(struct prvcut_search *s)
{
    s->verdict.found = false;
    s->verdict.why = no_common;
    s->loop = (struct prvcut_loop){ .why = no_common };
    for (size_t i = 0; i < s->witnesses; i++)
        s->witness[i].stand = PRVCUT_STAND_NONE;
}

/* Does a loop span little of what another one does? */
static bool sjo_part_of(const struct prvcut_loop *a, const struct prvcut_loop *b)
{
    return (double)(a->span.end - a->span.start) < PART * (double)(b->span.end - b->span.start);
}

/* Do the iterations take any time, as tasks of workers do? */
static bool sjo_loose(const struct prvcut_search *s)
{
    return s->witness[s->verdict.chosen].calls && s->calls.spread > LOOSE;
}

/* Do iterations of two loops make about as many calls in the mean? */
static bool sjo_as_many_calls(const struct prvcut_call_loop *a, const struct prvcut_call_loop *b)
{
    const double x = (double)a->calls_per_iteration, y = (double)b->calls_per_iteration;

    return fabs(x - y) <= SAME_CALLS * y;
}

/* Is the witnesses' loop of calls, which is sure, the same one, seen for longer? Several iterations
   of another loop may take as long as one. */
static bool sjo_same_loop(const struct prvcut_search *s, const struct prvcut_witness *w, double c)
{
    return w->calls && c >= SURE_LOOSE && s->calls.spread <= LOOSE &&
           fabs(s->separation.calls.loop.period_ns / w->loop.period_ns - 1) <= SAME_PERIOD &&
           sjo_as_many_calls(&s->calls, &s->separation.calls) &&
           w->loop.iterations > s->separation.iterations &&
           w->loop.iterations < AROUND * s->separation.iterations;
}

/* Do separators show the witnesses' loop for longer, as often as it goes? */
static bool sjo_join_goes_on(const struct prvcut_search *s)
{
    const struct prvcut_loop *longer = &s->separation.calls.loop, *l = &s->calls.loop;

    return longer->iterations > l->iterations &&
           sjo_length(&s->separation.calls) > sjo_length(&s->calls) &&
           (s->separation.held >= HELD || fabs(longer->period_ns / l->period_ns - 1) <= LONGER);
}

/* Where separators show more iterations: are some of these in (nearly) each of the witnesses'? */
static bool sjo_join_is_around(const struct prvcut_search *s, const struct prvcut_witness *w)
{
    return !w->calls || s->separation.calls.loop.iterations <= w->loop.iterations ||
           prvcut_rounds_around(&s->calls, &s->separation.calls);
}

/* Do the witnesses, who are not that sure, leave out an iteration or more of what separators show?
 */
static bool sjo_join_leaves_out(const struct prvcut_search *s, const struct prvcut_witness *w,
                                double c)
{
    const double ours = (double)(w->loop.span.end - w->loop.span.start);

    return c < SURE_LOOSE &&
           (double)sjo_length(&s->separation.calls) > ours + ONE_LEFT * w->loop.period_ns;
}

/* Are the witnesses' calls surer than separators of about as many iterations, and more even? */
static bool sjo_join_is_surer(const struct prvcut_search *s, const struct prvcut_witness *w,
                              double p, double c)
{
    const double theirs = s->separation.iterations, ours = w->loop.iterations;
    const double near = c >= VERY_SURE && s->separation.held < HELD ? NEAR_SURE : NEAR;

    return w->calls && c >= SURE && p < TOLD && ours <= near * theirs && theirs <= NEAR * ours &&
           s->calls.spread + EVEN < s->separation.calls.spread && !sjo_join_goes_on(s);
}

/* Separators that are believed. */
static double sjo_join_believed(struct prvcut_search *s, double p, double c)
{
    const struct prvcut_witness *w = s->verdict.found ? &s->witness[s->verdict.chosen] : NULL;
    const double theirs = s->separation.iterations, ours = w ? w->loop.iterations : 0;

    if (w && sjo_same_number(ours, theirs)) {
        if (!w->calls ||
            ((p >= BELIEVED || c < SURE_LOOSE) && sjo_tell_better(&s->separation, &s->calls)))
            sjo_take_separators(s);
        return 1 - (1 - p) * (1 - OTHERS * c);
    }
    if (w && !s->separation.events && c >= (sjo_loose(s) ? SURE_LOOSE : SURE) &&
        !sjo_join_leaves_out(s, w, c) &&
        (theirs >= AROUND * ours || sjo_part_of(&s->separation.calls.loop, &w->loop)))
        return sjo_join_is_around(s, w) ? OUTSIDE * c : fmin(OUTSIDE * c, WITHIN);
    if (w && sjo_same_loop(s, w, c))
        return 1 - (1 - p) * (1 - OTHERS * c);
    if (w && sjo_join_is_surer(s, w, p, c))
        return OUTSIDE * fmax(p, c);
    sjo_take_separators(s);
    return p < BELIEVED ? WITHIN : p;
}

void prvcut_search_group_sure(struct prvcut_search *s)
{
    s->confidence = fmin(s->confidence, WITHIN);
}

/* Separators that are not. */
static double sjo_join_doubted(struct prvcut_search *s, double p, double c)
{
    /* Programs beside each other: the loop of one is all that there is. */
    if (s->groups && s->verdict.found && s->witness[s->verdict.chosen].calls)
        return fmin(c, WITHIN);
    if (!s->verdict.found || c < (sjo_loose(s) ? SURE_LOOSE : SURE)) {
        sjo_take_none(s);
        return fmin(p, NONE);
    }
    if (sjo_loose(s))
        return fmin(ALONE * c, WITHIN);
    if (sjo_same_number(s->witness[s->verdict.chosen].loop.iterations, s->separation.iterations))
        return fmax(p, ALONE * c);
    return ALONE * c;
}

/* Separators and witnesses that agree are right more often than each by itself says. */
static double sjo_calibrated(double p)
{
    return p > WITHIN ? ODDS * p / (1 + (ODDS - 1) * p) : p;
}

bool prvcut_search_join(struct prvcut_search *s)
{
    const struct prvcut_separation *x = &s->separation;
    const double c = s->verdict.found ? s->confidence : 0;
    const bool both = s->verdict.found && sjo_same_number(s->loop.iterations, x->iterations);

    if (!x->looked)
        return false;
    if (x->probability >= COUNTS && x->calls.loop.found)
        s->confidence = sjo_join_believed(s, x->probability, c);
    else
        s->confidence = sjo_join_doubted(s, fmin(x->probability, NONE), c);
    if (both)
        s->confidence = sjo_calibrated(s->confidence);
    if (s->verdict.found && sjo_same_number(s->loop.iterations, x->iterations))
        s->confidence = fmin(s->confidence, 1 - x->outer);
    if (x->within || x->two || (s->verdict.found && s->loop.period_ns > UNEVEN * s->loop.median_ns))
        s->confidence = fmin(s->confidence, WITHIN);
    s->verdict.confidence = s->confidence;
    return s->calls.separated;
}

static bool sjo_same_period(double a, double b)
{
    return b > 0 && fabs(a / b - 1) < GIVEN;
}

static int sjo_order(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The middle half of the lengths of iterations on the thread that leads; 0 where none does. */
static enum prvcut_status sjo_middle_half(const struct prvcut_call_loop *l, double out[2],
                                          struct prvcut_error *err)
{
    double *length;
    size_t i = 0, n;

    out[0] = out[1] = 0;
    while (i < l->sequences && l->borders[i] < 2)
        i++;
    if (i == l->sequences)
        return PRVCUT_OK;
    n = l->borders[i] - 1;
    length = prvcut_unset(n, sizeof *length, "lengths", err);
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < n; k++)
        length[k] = (double)(l->border[i][k + 1] - l->border[i][k]);
    qsort(length, n, sizeof *length, sjo_order);
    out[0] = length[n / 4];
    out[1] = length[n - 1 - n / 4];
    free(length);
    return PRVCUT_OK;
}

/* Does the loop repeat as often as was given, in the mean, or as an iteration usually takes?
   Medians are told of all iterations and of those that nothing disturbs: each is a usual length. */
static enum prvcut_status sjo_repeats_as_given(bool *same, const struct prvcut_call_loop *l,
                                               uint64_t given_ns, struct prvcut_error *err)
{
    const double given = (double)given_ns;
    double usual[2];
    enum prvcut_status st;

    *same = false;
    if (!l->loop.found)
        return PRVCUT_OK;
    st = sjo_middle_half(l, usual, err);
    *same = st == PRVCUT_OK && (sjo_same_period(given, l->loop.period_ns) ||
                                sjo_same_period(given, l->loop.median_ns) ||
                                (given > (1 - GIVEN) * usual[0] && given < (1 + GIVEN) * usual[1]));
    return st;
}

enum prvcut_status prvcut_search_join_given(bool *same, struct prvcut_search *s, uint64_t given_ns,
                                            struct prvcut_error *err)
{
    const struct prvcut_separation *x = &s->separation;
    const bool calls = s->verdict.found && s->witness[s->verdict.chosen].calls;
    bool ours = false, theirs = false;
    enum prvcut_status st = PRVCUT_OK;

    if (calls)
        st = sjo_repeats_as_given(&ours, &s->calls, given_ns, err);
    if (st == PRVCUT_OK && x->looked)
        st = sjo_repeats_as_given(&theirs, &x->calls, given_ns, err);
    if (theirs && !ours)
        sjo_take_separators(s);
    else if (theirs && x->probability >= COUNTS)
        sjo_join_believed(s, x->probability, s->confidence);
    *same = ours || theirs;
    return st;
}
