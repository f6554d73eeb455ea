#include "analysis/why_look.h"

#include <math.h>
#include <string.h>

/*
 * name        value  unit              decides
 */
#define WHY_HALF     0.5 /* of the excess: from here on a cause is the cause */
#define WHY_ROW      0.2 /* of the excess: so near is to it what threads take one after the other */
#define WHY_TOGETHER 0.6 /* of the threads: so many that compute at a time do so all together */
#define WHY_BORDER   1.1 /* of what one of them takes: so near, as one of them is cut by a border */
#define WHY_ALIKE    0.5 /* of what one thread lost: where all lose so much, the clock is lower */

/* --- One iteration ---------------------------------------------------------------------------- */

/* In its place among the others, the most first; of too many the least is left out. */
static void why_add_other(struct prvcut_why_one *one, uint32_t thread, double ns)
{
    size_t at = one->others < PRVCUT_WHY_OTHERS ? one->others++ : PRVCUT_WHY_OTHERS - 1;

    if (at == PRVCUT_WHY_OTHERS - 1 && one->other_ns[at] >= ns)
        return;
    for (; at > 0 && one->other_ns[at - 1] < ns; at--) {
        one->other[at] = one->other[at - 1];
        one->other_ns[at] = one->other_ns[at - 1];
    }
    one->other[at] = thread;
    one->other_ns[at] = ns;
}

/* Beside one that is longer by more than by chance another is so only by more than that, too. */
static bool why_counts(const struct why_look *l, const struct prvcut_why_one *one, uint32_t thread,
                       size_t column)
{
    return thread == one->thread || why_is_chance(l, one->thread, column, one->ns) ||
           !why_is_chance(l, thread, column, why_more(l, thread, column));
}

static void why_name_others(const struct why_look *l, size_t column, struct prvcut_why_one *one)
{
    one->others = 0;
    for (uint32_t i = 0; i < l->t->threads; i++) {
        const double more = why_more(l, i, column);

        if (i != one->thread && more > 0 && more >= WHY_TENTH * one->ns &&
            why_counts(l, one, i, column))
            why_add_other(one, i, more);
    }
}

/* The thread of which a column grew most, and how many it grew on. */
static struct prvcut_why_one why_most(const struct why_look *l, size_t column)
{
    struct prvcut_why_one one = { .ns = -HUGE_VAL };

    for (uint32_t i = 0; i < l->t->threads; i++) {
        const double more = why_more(l, i, column);

        if (!(more > one.ns))
            continue;
        one.ns = more;
        one.thread = i;
        one.usual = why_usual(l, i, column);
    }
    for (uint32_t i = 0; i < l->t->threads; i++)
        one.threads +=
            why_more(l, i, column) >= WHY_TENTH * l->excess && why_counts(l, &one, i, column);
    one.share = fmin(1, fmax(0, one.ns / l->excess));
    why_name_others(l, column, &one);
    return one;
}

/* Do all threads lose about as much as that one? Nobody takes all processors at once. */
static bool why_all_slower(const struct why_look *l, uint32_t thread)
{
    const double least = WHY_ALIKE * why_more(l, thread, PRVCUT_WHY_STOLEN);

    for (uint32_t i = 0; i < l->t->threads; i++)
        if (!(why_more(l, i, PRVCUT_WHY_STOLEN) >= least))
            return false;
    return l->t->threads > 1;
}

/* Why a thread computes longer, by itself. */
static enum prvcut_slow why_reason(const struct why_look *l, uint32_t thread)
{
    const struct prvcut_why_one one = { .thread = thread,
                                        .ns = why_more(l, thread, PRVCUT_WHY_COMPUTING) };

    return why_computes(l, &one);
}

/* Of those that compute longer as well, who does so for the same reason, and how many. */
static void why_name_alike(const struct why_look *l, struct prvcut_why_one *one)
{
    const enum prvcut_slow reason = why_reason(l, one->thread);

    one->others = 0;
    one->threads = 0;
    for (uint32_t i = 0; i < l->t->threads; i++) {
        const double more = why_more(l, i, PRVCUT_WHY_COMPUTING);

        if (!(more > 0) || why_reason(l, i) != reason ||
            !why_counts(l, one, i, PRVCUT_WHY_COMPUTING))
            continue;
        one->threads += more >= WHY_TENTH * l->excess;
        if (i != one->thread && more >= WHY_TENTH * one->ns)
            why_add_other(one, i, more);
    }
}

/* Of a thread that was preempted, what was taken from it counts. */
static void why_settle(const struct why_look *l, struct prvcut_why_one *one)
{
    one->cause = why_reason(l, one->thread);
    if (one->cause == PRVCUT_SLOW_PREEMPTION && why_all_slower(l, one->thread))
        one->cause = PRVCUT_SLOW_CLOCK;
    if (one->cause != PRVCUT_SLOW_PREEMPTION) {
        why_name_alike(l, one);
        return;
    }
    one->ns = why_more(l, one->thread, PRVCUT_WHY_STOLEN);
    one->usual = why_usual(l, one->thread, PRVCUT_WHY_STOLEN);
    why_name_others(l, PRVCUT_WHY_STOLEN, one);
    one->share = fmin(1, one->ns / l->excess);
}

/* A part of the excess by which a thread often computes longer says nothing. */
static struct prvcut_why_one why_unless_chance(const struct why_look *l, struct prvcut_why_one one)
{
    one.by_chance =
        one.share < WHY_HALF && why_is_chance(l, one.thread, PRVCUT_WHY_COMPUTING, one.ns);
    return one;
}

static void why_put_at(struct prvcut_why *w, size_t at, struct prvcut_why_one one)
{
    memmove(w->one + at + 1, w->one + at, (w->count - at) * sizeof *w->one);
    w->one[at] = one;
    w->count++;
}

/* In its place: the largest first. Returns which; SIZE_MAX: it is too small, or there is no room.
 */
static size_t why_put(struct prvcut_why *w, struct prvcut_why_one one)
{
    size_t at = w->count;

    if (one.share < WHY_TENTH || w->count == PRVCUT_WHY_MOST || one.by_chance)
        return SIZE_MAX;
    while (at > 0 && w->one[at - 1].ns < one.ns)
        at--;
    why_put_at(w, at, one);
    return at;
}

/* Does a thread spend clearly more in that call than usual? SIZE_MAX: none does. */
static bool why_grew_there(const struct why_look *l, uint32_t thread, size_t call)
{
    return call != SIZE_MAX &&
           why_more(l, thread, PRVCUT_WHY_COLUMNS + call) >= WHY_TENTH * l->excess;
}

/* Of all calls, or of those alone that wait for nobody, the one that grew most on any thread that
   did not grow in `waits`. */
static struct prvcut_why_one why_call_beside(const struct why_look *l, size_t waits, bool alone)
{
    struct prvcut_why_one most = { .ns = -HUGE_VAL };

    for (size_t c = 0; c < l->t->calls; c++)
        for (uint32_t i = 0; i < l->t->threads && (!alone || l->t->alone[c]); i++) {
            const double more = why_more(l, i, PRVCUT_WHY_COLUMNS + c);

            if (!(more > most.ns) || why_grew_there(l, i, waits))
                continue;
            most = why_most(l, PRVCUT_WHY_COLUMNS + c);
            most.ns = more;
            most.thread = i;
            most.call = c;
            most.usual = why_usual(l, i, PRVCUT_WHY_COLUMNS + c);
            why_name_others(l, PRVCUT_WHY_COLUMNS + c, &most);
        }
    most.cause = PRVCUT_SLOW_CALL;
    most.share = fmin(1, fmax(0, most.ns / l->excess));
    return most;
}

/* From the call that grew most on: where some threads do not wait in it, the others wait for these,
   and what they do instead is why. That waits for nobody is why in any case. */
static struct prvcut_why_one why_call(const struct why_look *l, struct prvcut_why_one most)
{
    if (l->t->alone) {
        const struct prvcut_why_one own = why_call_beside(l, SIZE_MAX, true);

        if (own.share >= WHY_HALF)
            return own;
    }
    for (size_t i = 0; i < l->t->calls && most.threads < l->t->threads; i++) {
        const struct prvcut_why_one first = why_call_beside(l, most.call, false);

        if (first.share < WHY_HALF || first.threads >= most.threads)
            break;
        most = first;
    }
    return most;
}

/* Is a thread in one of these groups? */
static bool why_is_in(const struct why_look *l, uint32_t thread, const struct prvcut_why_one *group,
                      size_t groups)
{
    for (size_t i = 0; i < groups; i++)
        if (why_grew_there(l, thread, group[i].call))
            return true;
    return false;
}

/* Those that grew in that call and are in none of the groups before, as if there were no others;
 *half: how many of them by half of the excess. */
static struct prvcut_why_one why_group_in(const struct why_look *l, size_t call,
                                          const struct prvcut_why_one *before, size_t groups,
                                          uint32_t *half)
{
    struct prvcut_why_one one = { .cause = PRVCUT_SLOW_CALL, .call = call, .meanwhile = true };

    *half = 0;
    for (uint32_t i = 0; i < l->t->threads; i++) {
        const double more = why_more(l, i, PRVCUT_WHY_COLUMNS + call);

        if (!why_grew_there(l, i, call) || why_is_in(l, i, before, groups))
            continue;
        *half += more >= WHY_HALF * l->excess;
        one.threads++;
        if (one.threads > 1)
            why_add_other(&one, more > one.ns ? one.thread : i, fmin(more, one.ns));
        if (more > one.ns) {
            one.ns = more;
            one.thread = i;
        }
    }
    while (one.others > 0 && one.other_ns[one.others - 1] < WHY_TENTH * one.ns)
        one.others--;
    return one;
}

/* Of threads that are in none of the groups before, those that wait in one call for half of the
   excess: the call with the most of them, of as many the one in which a thread waits longest. */
static struct prvcut_why_one why_group(const struct why_look *l,
                                       const struct prvcut_why_one *before, size_t groups)
{
    struct prvcut_why_one most = { .ns = 0 };
    uint32_t waiting = 0, half;

    for (size_t c = 0; c < l->t->calls; c++) {
        const struct prvcut_why_one one = why_group_in(l, c, before, groups, &half);

        if (half == 0 || half < waiting || (half == waiting && one.ns <= most.ns))
            continue;
        waiting = half;
        most = one;
        most.usual = why_usual(l, most.thread, PRVCUT_WHY_COLUMNS + c);
        most.share = fmin(1, most.ns / l->excess);
    }
    return most;
}

/* Do those compute as usual that are longer in that call? */
static bool why_all_usual_in(const struct why_look *l, const struct prvcut_why_one *one)
{
    for (uint32_t i = 0; i < l->t->threads; i++)
        if ((i == one->thread || why_grew_there(l, i, one->call)) && !why_is_usual(l, i))
            return false;
    return true;
}

/* The call that is why, and behind it those in which the others wait meanwhile. */
static void why_put_calls(const struct why_look *l, struct prvcut_why *w)
{
    struct prvcut_why_one group[1 + PRVCUT_WHY_GROUPS];
    size_t at;

    group[0] = why_call(l, why_call_beside(l, SIZE_MAX, false));
    group[0].as_usual = why_all_usual_in(l, &group[0]);
    at = why_put(w, group[0]);
    for (size_t n = 1; at != SIZE_MAX && n <= PRVCUT_WHY_GROUPS; n++) {
        group[n] = why_group(l, group, n);
        if (group[n].share == 0 || w->count == PRVCUT_WHY_MOST)
            break;
        why_put_at(w, at + n, group[n]);
    }
}

/* How much longer or shorter a thread is outside calls than usual, at most, in this iteration or in
   one beside it: who is late, or early, may be so in the one, and somebody waits in the other. */
static double why_outside(const struct why_look *l)
{
    const size_t number = why_number(l->t, l->iteration);
    double most = 0;

    for (uint32_t k = 0; k < l->t->threads; k++)
        most = fmax(most, why_in_lag(l, k, PRVCUT_WHY_LAG_OUTSIDE));
    for (size_t i = 0; i < l->t->iterations; i++) {
        const size_t n = why_number(l->t, i);

        if (n + 1 >= number && n <= number + 1)
            for (uint32_t k = 0; k < l->t->threads; k++)
                most = fmax(most, fabs(why_at(l->t, i, k, PRVCUT_WHY_OUTSIDE) -
                                       why_usual(l, k, PRVCUT_WHY_OUTSIDE)));
    }
    return most;
}

/* Do all threads compute as usual? */
static bool why_all_usual(const struct why_look *l)
{
    for (uint32_t i = 0; i < l->t->threads; i++)
        if (!why_is_usual(l, i))
            return false;
    return true;
}

/* What the iteration takes longer on an ideal network, too, although no thread computes, or is
   outside calls, longer or shorter by half of it; NAN: it does not, or one is, or it is not known.
 */
static double why_ideal(const struct why_look *l)
{
    const double half = WHY_HALF * l->excess;
    const double ns = l->t->ideal ? l->t->ideal[l->iteration] - l->u->ideal : NAN;
    double most = 0;

    for (uint32_t i = 0; i < l->t->threads; i++)
        most = fmax(most, fabs(why_varies(l, l->iteration, i)));
    return ns >= half && most < half && why_outside(l) < half ? ns : NAN;
}

/* How much longer all compute that compute longer. */
static double why_longer_in_all(const struct why_look *l)
{
    double sum = 0;

    for (uint32_t i = 0; i < l->t->threads; i++)
        sum += fmax(0, why_more(l, i, PRVCUT_WHY_COMPUTING));
    return sum;
}

/* How many threads compute at a time, usually: one where they wait for each other to do so. */
static double why_at_a_time(const struct why_look *l)
{
    double sum = 0;

    for (uint32_t i = 0; i < l->t->threads; i++)
        sum += why_usual(l, i, PRVCUT_WHY_COMPUTING);
    return l->u->length > 0 ? fmax(1, sum / l->u->length) : l->t->threads;
}

/* How much longer those compute together that do so as much as each other, most of all, and by more
   than by chance; *most: the one of them by the most. */
static double why_longer_alike(const struct why_look *l, double *most)
{
    double sum = 0;

    *most = 0;
    for (uint32_t i = 0; i < l->t->threads; i++)
        *most = fmax(*most, why_more(l, i, PRVCUT_WHY_COMPUTING));
    for (uint32_t i = 0; i < l->t->threads; i++) {
        const double more = why_more(l, i, PRVCUT_WHY_COMPUTING);

        sum += more >= WHY_HALF * *most && !why_is_chance(l, i, PRVCUT_WHY_OWN, more) ? more : 0;
    }
    return sum;
}

/* Is that what the iteration is longer, of threads that do not usually compute all at a time? The
   one that is at work at its border may count for another one. */
static bool why_adds_up(const struct why_look *l)
{
    double most;
    const double sum = why_longer_alike(l, &most);

    return most < WHY_HALF * l->excess && why_at_a_time(l) < WHY_TOGETHER * l->t->threads &&
           fabs(sum - l->excess) < fmax(WHY_ROW * l->excess, WHY_BORDER * most);
}

/* Do as many threads at a time as usual compute longer by half of that time, all together? It takes
   as much longer in any order. */
static bool why_takes_longer(const struct why_look *l, double ns)
{
    return why_longer_in_all(l) >= WHY_HALF * fmin(ns, l->excess) * why_at_a_time(l);
}

/* Else these are out of order. */
static struct prvcut_why_one why_order(const struct why_look *l)
{
    const double ns = why_ideal(l);
    const bool is = !isnan(ns) && !why_takes_longer(l, ns) && !why_adds_up(l);

    return (struct prvcut_why_one){ .cause = PRVCUT_SLOW_ORDER,
                                    .threads = 1,
                                    .as_usual = why_all_usual(l),
                                    .ns = ns,
                                    .usual = l->u->ideal,
                                    .share = is ? fmin(1, ns / l->excess) : 0 };
}

/* Do threads that usually compute one after the other, and hardly do anything else meanwhile,
   compute longer, all of them, by what that is longer in all? */
static bool why_is_row_of_all(const struct why_look *l)
{
    double sum = 0, least = HUGE_VAL;

    for (uint32_t i = 0; i < l->t->threads; i++) {
        sum += why_usual(l, i, PRVCUT_WHY_COMPUTING);
        least = fmin(least, why_more(l, i, PRVCUT_WHY_COMPUTING));
    }
    return l->t->threads > 1 && fabs(sum - l->u->length) < WHY_ROW * l->u->length &&
           fabs(why_longer_in_all(l) - l->excess) < WHY_ROW * l->excess &&
           least >= WHY_HALF * l->excess / l->t->threads;
}

/* Do several compute longer one after the other? Then all of them together explain it. */
static bool why_is_row(const struct why_look *l)
{
    const double ns = why_ideal(l);

    if (l->t->means)
        return why_is_row_of_all(l);
    return !isnan(ns) &&
           (why_adds_up(l) || (why_takes_longer(l, ns) &&
                               fabs(why_longer_in_all(l) - l->excess) < WHY_ROW * l->excess));
}

static void why_put_in_a_row(const struct why_look *l, struct prvcut_why *w,
                             struct prvcut_why_one one)
{
    one.in_a_row = true;
    one.threads = 0;
    for (uint32_t i = 0; i < l->t->threads; i++)
        one.threads += why_more(l, i, PRVCUT_WHY_COMPUTING) >= WHY_HALF * one.ns;
    one.share =
        fmin(1, fmin(why_longer_in_all(l), l->t->means ? l->excess : why_ideal(l)) / l->excess);
    why_put_at(w, 0, one);
}

/* Beside the thread that computes longer most, the one that does so for another reason, by half as
   much. */
static void why_put_beside(const struct why_look *l, struct prvcut_why *w,
                           const struct prvcut_why_one *most)
{
    const double half = WHY_HALF * why_more(l, most->thread, PRVCUT_WHY_COMPUTING);
    const enum prvcut_slow reason = why_reason(l, most->thread);
    struct prvcut_why_one one = { .ns = 0 };

    for (uint32_t i = 0; i < l->t->threads; i++) {
        const double more = why_more(l, i, PRVCUT_WHY_COMPUTING);

        if (more < half || !(more > one.ns) || why_reason(l, i) == reason)
            continue;
        one = (struct prvcut_why_one){ .thread = i,
                                       .threads = 1,
                                       .ns = more,
                                       .usual = why_usual(l, i, PRVCUT_WHY_COMPUTING),
                                       .share = fmin(1, more / l->excess) };
    }
    if (one.share < WHY_TENTH)
        return;
    why_settle(l, &one);
    why_put(w, one);
}

/* A thread computes longer, and something was taken from it: each with its own time. */
static void why_put_both(const struct why_look *l, struct prvcut_why *w, struct prvcut_why_one one,
                         double stolen)
{
    const double more = why_more(l, one.thread, PRVCUT_WHY_COMPUTING) - stolen;
    struct prvcut_why_one lost = one;

    one.cause = why_computes_else(l, one.thread);
    one.ns = more;
    one.usual = why_usual(l, one.thread, PRVCUT_WHY_COMPUTING);
    lost.cause = PRVCUT_SLOW_PREEMPTION;
    lost.ns = stolen;
    lost.usual = why_usual(l, one.thread, PRVCUT_WHY_STOLEN);
    one.share = fmin(1, one.ns / l->excess);
    lost.share = fmin(1, lost.ns / l->excess);
    one.threads = lost.threads = 1;
    one.others = lost.others = 0;
    why_put(w, one);
    why_put(w, lost);
}

/* How much longer threads compute. */
static void why_put_computing(const struct why_look *l, struct prvcut_why *w)
{
    struct prvcut_why_one one = why_most(l, PRVCUT_WHY_COMPUTING);
    const bool in_a_row = why_is_row(l);
    const double stolen = why_all_slower(l, one.thread) ? 0 : why_stolen_part(l, one.thread);

    one.cause = PRVCUT_SLOW_COMPUTING;
    if (in_a_row || one.share >= WHY_TENTH)
        why_settle(l, &one);
    if (in_a_row && one.cause != PRVCUT_SLOW_PREEMPTION) {
        why_put_in_a_row(l, w, one);
    } else if (stolen >= WHY_TENTH * l->excess) {
        why_put_both(l, w, one, stolen);
    } else if (why_put(w, why_unless_chance(l, one)) != SIZE_MAX && one.threads < l->t->threads) {
        why_put_beside(l, w, &one);
    }
}

bool prvcut_why_may_be_order(const struct prvcut_why *w)
{
    const enum prvcut_slow first = w->count > 0 ? w->one[0].cause : PRVCUT_SLOW_FLUSH;

    return first == PRVCUT_SLOW_UNKNOWN || first == PRVCUT_SLOW_CALL;
}

/* How much longer the causes so far make a thread by what it does itself. */
static double why_own_causes(const struct why_look *l, uint32_t thread)
{
    return fmax(0, why_more(l, thread, PRVCUT_WHY_FLUSHING)) +
           fmax(0, why_more(l, thread, PRVCUT_WHY_OFF)) +
           fmax(0, why_more(l, thread, PRVCUT_WHY_COMPUTING));
}

/* In a row with the first cause, which the others wait for: the thread that it concerns is longer
   in a call itself, after or before. It is told as far as nobody else's causes fill that time. */
static void why_put_behind(const struct why_look *l, struct prvcut_why *w)
{
    const uint32_t late = w->one[0].thread;
    struct prvcut_why_one one = { .ns = 0 };
    double left = l->excess - why_own_causes(l, late);

    for (uint32_t i = 0; i < l->t->threads; i++)
        if (i != late && why_own_causes(l, i) >= WHY_TENTH * l->excess)
            return;
    for (size_t c = 0; c < l->t->calls; c++) {
        const double more = fmin(left, why_more(l, late, PRVCUT_WHY_COLUMNS + c));

        if (!(more > one.ns))
            continue;
        one = (struct prvcut_why_one){ .cause = PRVCUT_SLOW_CALL,
                                       .call = c,
                                       .thread = late,
                                       .threads = 1,
                                       .ns = more,
                                       .usual = why_usual(l, late, PRVCUT_WHY_COLUMNS + c),
                                       .share = fmin(1, more / l->excess) };
    }
    why_put(w, one);
}

/* How much of the excess the thread of the first cause explains with what it does itself. */
static double why_explained(const struct prvcut_why *w)
{
    double share = w->count > 0 ? w->one[0].share : 0;

    for (size_t i = 1; i < w->count; i++)
        if (w->one[i].thread == w->one[0].thread && w->one[0].cause != PRVCUT_SLOW_CALL &&
            w->one[i].cause != PRVCUT_SLOW_CALL && w->one[0].cause != PRVCUT_SLOW_ORDER &&
            w->one[i].cause != PRVCUT_SLOW_ORDER)
            share += w->one[i].share;
    return fmin(1, share);
}

struct prvcut_why prvcut_why_of(const struct prvcut_why_table *t, const struct prvcut_why_usual *u,
                                size_t iteration)
{
    static const struct {
        enum prvcut_why_column column;
        enum prvcut_slow cause;
    } apart[] = { { PRVCUT_WHY_FLUSHING, PRVCUT_SLOW_FLUSH }, { PRVCUT_WHY_OFF, PRVCUT_SLOW_OFF } };
    const struct why_look l = { t, u, iteration, t->length[iteration] - u->length };
    struct prvcut_why w = { .excess = l.excess };

    if (!(l.excess > 0))
        return w;
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        struct prvcut_why_one one = why_most(&l, apart[i].column);

        one.cause = apart[i].cause;
        why_put(&w, one);
    }
    why_put_computing(&l, &w);
    if (why_explained(&w) < WHY_HALF)
        why_put(&w, why_order(&l));
    /* While one thread is late the others wait: their time in calls is the same time. */
    if (why_explained(&w) < WHY_HALF)
        why_put_calls(&l, &w);
    else if (w.one[0].cause != PRVCUT_SLOW_ORDER && !w.one[0].in_a_row)
        why_put_behind(&l, &w);
    if (why_explained(&w) < WHY_HALF) {
        memmove(w.one + 1, w.one, (PRVCUT_WHY_MOST - 1) * sizeof *w.one);
        w.one[0] = (struct prvcut_why_one){ .cause = PRVCUT_SLOW_UNKNOWN };
        w.count += w.count < PRVCUT_WHY_MOST;
    }
    return w;
}
