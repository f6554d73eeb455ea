#include "analysis/why_look.h"

#include "base/memory.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>

/*
 * name        value  unit              decides
 */
#define WHY_STOLEN 0.5  /* of what is computed longer: from here on the thread was preempted */
#define WHY_SPREAD 0.25 /* of the excess: so far off nobody computes as usual */
#define WHY_AS_MUCH                                                                                \
    0.5             /* of what one computes longer: another that does so by so much does it, too */
#define WHY_FAR 3.0 /* robust standard deviations: a part by no more than that is chance */
#define WHY_OWN 0.5 /* of what its own iteration is longer: so much longer it computes itself */

/* Median of those that are clear; of all where none is. row: [iterations], each so many numbers
   behind the one before; room: [iterations]; *spread: their robust standard deviation; NULL: not
   wanted */
static double why_median(double *spread, const struct prvcut_why_table *t, const double *row,
                         size_t step, double *room)
{
    double median;
    size_t n = 0;

    for (int all = 0; all < 2 && n == 0; all++)
        for (size_t i = 0; i < t->iterations; i++)
            if (all || !t->clear || t->clear[i])
                room[n++] = row[i * step];
    for (size_t i = 0; i < n; i++)
        if (isnan(room[i]))
            return NAN;
    median = prvcut_median(room, n);
    if (spread)
        *spread = PRVCUT_MAD_SCALE * prvcut_mad(room, n, median);
    return median;
}

enum prvcut_status prvcut_why_usual_init(struct prvcut_why_usual *u,
                                         const struct prvcut_why_table *t, struct prvcut_error *err)
{
    double *room = prvcut_unset(t->iterations + 1, sizeof *room, "iterations", err);

    *u = (struct prvcut_why_usual){ .length = 0 };
    u->at = prvcut_zeroed(t->threads * why_width(t) + 1, sizeof *u->at, "threads", err);
    u->spread = prvcut_zeroed(t->threads * why_width(t) + 1, sizeof *u->spread, "threads", err);
    if (room && u->at && u->spread) {
        u->length = why_median(NULL, t, t->length, 1, room);
        u->ideal = t->ideal ? why_median(NULL, t, t->ideal, 1, room) : NAN;
        for (size_t i = 0; i < t->threads * why_width(t); i++)
            u->at[i] = why_median(&u->spread[i], t, t->at + i, t->threads * why_width(t), room);
    }
    free(room);
    return room && u->at && u->spread ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_why_usual_fini(struct prvcut_why_usual *u)
{
    free(u->at);
    free(u->spread);
    u->at = u->spread = NULL;
}

size_t why_number(const struct prvcut_why_table *t, size_t iteration)
{
    return t->number ? t->number[iteration] : iteration;
}

/* How far an iteration of the thread's own is from what it computes in this one. */
static double why_off(const struct why_look *l, uint32_t thread, size_t own)
{
    return fabs(why_at(l->t, own, thread, PRVCUT_WHY_OWN) -
                why_at(l->t, l->iteration, thread, PRVCUT_WHY_COMPUTING));
}

/* The thread's own iteration that falls into this one, or one beside it: a thread that is ahead
   computes its next one here. */
static size_t why_own(const struct why_look *l, uint32_t thread)
{
    const size_t number = why_number(l->t, l->iteration);
    size_t own = l->iteration;

    for (size_t i = 0; i < l->t->iterations; i++) {
        const size_t n = why_number(l->t, i);

        if (n + 1 >= number && n <= number + 1 && why_off(l, thread, i) < why_off(l, thread, own))
            own = i;
    }
    return own;
}

/* What a thread did in the lag behind the others with which it begins its first iteration, as far
   as that is more than its usual one: nothing of an iteration of its own tells of it. */
double why_in_lag(const struct why_look *l, uint32_t thread, size_t column)
{
    const double lag =
        why_at(l->t, l->iteration, thread, PRVCUT_WHY_LAG) - why_usual(l, thread, PRVCUT_WHY_LAG);

    return fmax(0, fmin(lag, why_at(l->t, l->iteration, thread, column)));
}

/* What it computed in that longer than usual: what it computes before begins elsewhere. */
static double why_whole_of_lag(const struct why_look *l, uint32_t thread)
{
    return why_usual(l, thread, PRVCUT_WHY_OWN) + why_in_lag(l, thread, PRVCUT_WHY_LAG_COMPUTING);
}

/* As much of it as counters count in the lag. */
static double why_counted_of_lag(const struct why_look *l, uint32_t thread, size_t counter)
{
    return why_at(l->t, l->iteration, thread, counter) /
           why_at(l->t, l->iteration, thread, PRVCUT_WHY_LAG_COMPUTING) *
           why_whole_of_lag(l, thread);
}

/* What was taken from it: what it took longer than so many cycles usually do. */
static double why_lag_stolen(const struct why_look *l, uint32_t thread)
{
    const double pace =
        why_usual(l, thread, PRVCUT_WHY_CYCLES) / why_usual(l, thread, PRVCUT_WHY_OWN);
    const double longer = why_in_lag(l, thread, PRVCUT_WHY_LAG_COMPUTING);
    const double cycles = longer > 0 ? why_counted_of_lag(l, thread, PRVCUT_WHY_LAG_CYCLES) : NAN;

    return pace > 0 && cycles > 0
               ? fmax(0, fmin(longer, why_whole_of_lag(l, thread) - cycles / pace))
               : 0;
}

static double why_now(const struct why_look *l, uint32_t thread, size_t column)
{
    const bool own = column >= PRVCUT_WHY_OWN && column < PRVCUT_WHY_OUTSIDE;

    return why_at(l->t, own ? why_own(l, thread) : l->iteration, thread, column);
}

/* How much more a thread computes at one time for all; less than 0: less. */
double why_varies(const struct why_look *l, size_t iteration, uint32_t thread)
{
    return why_at(l->t, iteration, thread, PRVCUT_WHY_COMPUTING) -
           why_usual(l, thread, PRVCUT_WHY_COMPUTING);
}

/* Does it compute so much longer or shorter in a tenth of all iterations? */
static bool why_often_varies(const struct why_look *l, uint32_t thread, double so_much)
{
    size_t all = 0, as_much = 0;

    for (size_t i = 0; i < l->t->iterations; i++) {
        if (l->t->clear && !l->t->clear[i])
            continue;
        all++;
        as_much += fabs(why_varies(l, i, thread)) >= so_much;
    }
    return (double)as_much >= WHY_TENTH * (double)all && as_much > 1;
}

/* Does a thread compute as usual in this iteration: neither longer nor shorter by what counts in
   it, or else by what is usual and is not much of it? */
bool why_is_usual(const struct why_look *l, uint32_t thread)
{
    const double varies = fabs(why_varies(l, l->iteration, thread));

    return varies < WHY_TENTH * l->excess ||
           (varies < WHY_SPREAD * l->excess && why_often_varies(l, thread, varies));
}

/* A thread that computes less waits so much longer, which makes nothing longer: of what grew in its
   calls, as much of the most first. more: in that call */
static double why_idle(const struct why_look *l, uint32_t thread, size_t column, double more)
{
    const double less = -why_varies(l, l->iteration, thread);
    double rest = less;

    if (less < WHY_TENTH * l->excess)
        return 0;
    for (size_t c = PRVCUT_WHY_COLUMNS; c < why_width(l->t); c++) {
        const double other = why_at(l->t, l->iteration, thread, c) - why_usual(l, thread, c);

        if (other > more || (other >= more && c < column))
            rest -= other;
    }
    return fmax(0, fmin(more, rest));
}

/* In a long iteration of the others a thread that is ahead computes some of its next one: longer is
   only what is so on its own borders, too. */
double why_more(const struct why_look *l, uint32_t thread, size_t column)
{
    const double more = why_now(l, thread, column) - why_usual(l, thread, column);

    switch (column) {
    case PRVCUT_WHY_COMPUTING:
        return fmin(more, why_more(l, thread, PRVCUT_WHY_OWN));
    case PRVCUT_WHY_OWN:
        return fmax(more, why_in_lag(l, thread, PRVCUT_WHY_LAG_COMPUTING));
    case PRVCUT_WHY_STOLEN:
        return fmax(more, why_lag_stolen(l, thread));
    default:
        return column < PRVCUT_WHY_COLUMNS ? more : more - why_idle(l, thread, column, more);
    }
}

/* Of so many threads one is often longer by that much. Computing is so on the thread's own borders:
   what falls into a time for all varies for other reasons. */
bool why_is_chance(const struct why_look *l, uint32_t thread, size_t column, double more)
{
    const size_t of = column == PRVCUT_WHY_COMPUTING ? PRVCUT_WHY_OWN : column;
    const double spread = l->u->spread ? l->u->spread[thread * why_width(l->t) + of] : 0;

    return more <= prvcut_far_among(WHY_FAR, l->t->threads) * spread;
}

/* How much of a growth each factor makes, as a logarithm; NAN: not counted. */
static double why_grew(const struct why_look *l, uint32_t thread, size_t column)
{
    const double now = why_now(l, thread, column), usual = why_usual(l, thread, column);

    return now > 0 && usual > 0 ? log(now / usual) : NAN;
}

/* The same of all that was computed before the lag was over. */
static double why_grew_in_lag(const struct why_look *l, uint32_t thread, size_t lag, size_t column)
{
    const double now = why_counted_of_lag(l, thread, lag), usual = why_usual(l, thread, column);

    return now > 0 && usual > 0 ? log(now / usual) : NAN;
}

/* Does the lag tell that a thread computes longer? */
static bool why_is_lag(const struct why_look *l, uint32_t thread)
{
    const double lag = why_in_lag(l, thread, PRVCUT_WHY_LAG_COMPUTING);

    return lag > 0 &&
           lag > why_now(l, thread, PRVCUT_WHY_OWN) - why_usual(l, thread, PRVCUT_WHY_OWN);
}

enum prvcut_slow why_factor(double time, double instructions, double cycles)
{
    const double ipc = cycles - instructions, clock = time - cycles;

    if (isnan(instructions) || isnan(cycles) || isnan(time))
        return PRVCUT_SLOW_COMPUTING;
    if (instructions >= ipc && instructions >= clock)
        return PRVCUT_SLOW_INSTRUCTIONS;
    return ipc >= clock ? PRVCUT_SLOW_IPC : PRVCUT_SLOW_CLOCK;
}

/* As counters tell. ran: what was taken from it is another matter, all else it had its processor */
static enum prvcut_slow why_counted(const struct why_look *l, uint32_t thread, bool ran)
{
    const bool lag = why_is_lag(l, thread);
    const double time = lag ? why_grew_in_lag(l, thread, PRVCUT_WHY_LAG_COMPUTING, PRVCUT_WHY_OWN)
                            : why_grew(l, thread, PRVCUT_WHY_OWN);
    const double instructions =
        lag ? why_grew_in_lag(l, thread, PRVCUT_WHY_LAG_INSTRUCTIONS, PRVCUT_WHY_INSTRUCTIONS)
            : why_grew(l, thread, PRVCUT_WHY_INSTRUCTIONS);
    const double cycles = lag ? why_grew_in_lag(l, thread, PRVCUT_WHY_LAG_CYCLES, PRVCUT_WHY_CYCLES)
                              : why_grew(l, thread, PRVCUT_WHY_CYCLES);

    return why_factor(ran ? cycles : time, instructions, cycles);
}

/* Why that thread computes longer. */
enum prvcut_slow why_computes(const struct why_look *l, const struct prvcut_why_one *one)
{
    return why_more(l, one->thread, PRVCUT_WHY_STOLEN) >= WHY_STOLEN * one->ns
               ? PRVCUT_SLOW_PREEMPTION
               : why_counted(l, one->thread, false);
}

/* In a lag it is not known as exactly. */
double why_stolen_part(const struct why_look *l, uint32_t thread)
{
    const double more = why_more(l, thread, PRVCUT_WHY_COMPUTING);
    const double stolen = fmin(more, why_more(l, thread, PRVCUT_WHY_STOLEN));
    const bool both = stolen >= WHY_PART * more && more - stolen >= WHY_PART * more;

    return both && !why_is_lag(l, thread) ? stolen : 0;
}

enum prvcut_slow why_computes_else(const struct why_look *l, uint32_t thread)
{
    return why_counted(l, thread, true);
}

/* How much more it is in the iteration of that number, on the thread's own borders. */
static double why_own_more(const struct why_look *l, uint32_t thread, size_t column)
{
    return why_at(l->t, l->iteration, thread, column) - why_usual(l, thread, column);
}

static double why_own_grew(const struct why_look *l, uint32_t thread, size_t column)
{
    const double now = why_at(l->t, l->iteration, thread, column);
    const double usual = why_usual(l, thread, column);

    return now > 0 && usual > 0 ? log(now / usual) : NAN;
}

/* Why a thread computes longer in the iteration of that number. */
static void why_own_computes(const struct why_look *l, struct prvcut_why_own *o)
{
    const double stolen = fmin(o->computes, why_own_more(l, o->thread, PRVCUT_WHY_STOLEN));
    const double instructions = why_own_grew(l, o->thread, PRVCUT_WHY_INSTRUCTIONS);
    const double cycles = why_own_grew(l, o->thread, PRVCUT_WHY_CYCLES);
    const double time = why_own_grew(l, o->thread, PRVCUT_WHY_OWN);

    if (stolen >= WHY_PART * o->computes && o->computes - stolen >= WHY_PART * o->computes)
        o->stolen = stolen;
    o->how = o->stolen > 0                        ? why_factor(cycles, instructions, cycles)
             : stolen >= WHY_STOLEN * o->computes ? PRVCUT_SLOW_PREEMPTION
                                                  : why_factor(time, instructions, cycles);
}

struct prvcut_why_less prvcut_why_less_of(const struct prvcut_why_table *t,
                                          const struct prvcut_why_usual *u, size_t iteration)
{
    const struct why_look l = { t, u, iteration, t->length[iteration] - u->length };
    struct prvcut_why_less least = { .ns = 0 };

    for (size_t c = 0; c < why_width(t); c++) {
        double sum = 0;

        if (c > PRVCUT_WHY_OFF && c < PRVCUT_WHY_COLUMNS)
            continue;
        for (uint32_t i = 0; i < t->threads; i++)
            sum += why_usual(&l, i, c) - why_at(t, iteration, i, c);
        if (sum / t->threads > least.ns)
            least = (struct prvcut_why_less){ c, sum / t->threads };
    }
    return least;
}

double prvcut_why_longer(const struct prvcut_why_table *t, const struct prvcut_why_usual *u,
                         size_t iteration, uint32_t thread)
{
    const struct why_look l = { t, u, iteration, t->length[iteration] - u->length };

    return why_more(&l, thread, PRVCUT_WHY_OWN);
}

/* How far those of a thread that say what is usual lie from that, as a robust standard deviation.
   room: [iterations] */
static double why_deviation(const struct why_look *l, uint32_t thread, size_t column, double *room)
{
    size_t n = 0;

    for (size_t i = 0; i < l->t->iterations; i++)
        if (!l->t->clear || l->t->clear[i])
            room[n++] = why_at(l->t, i, thread, column);
    return n > 0 ? PRVCUT_MAD_SCALE * prvcut_mad(room, n, why_usual(l, thread, column)) : 0;
}

struct prvcut_why_own prvcut_why_own_of(const struct prvcut_why_table *t,
                                        const struct prvcut_why_usual *u, size_t iteration,
                                        double far, double *room)
{
    const struct why_look l = { t, u, iteration, t->length[iteration] - u->length };
    struct prvcut_why_own most = { .longer = 0 };

    for (uint32_t i = 0; i < t->threads; i++) {
        const double usual = why_usual(&l, i, PRVCUT_WHY_LENGTH);
        const double longer = why_own_more(&l, i, PRVCUT_WHY_LENGTH);
        const double computes = why_own_more(&l, i, PRVCUT_WHY_OWN);
        const double flushes = why_own_more(&l, i, PRVCUT_WHY_OWN_FLUSHING);
        const double itself = fmax(computes + flushes, why_own_more(&l, i, PRVCUT_WHY_OUTSIDE));
        const bool any = fmax(itself, most.itself) >= WHY_OWN * fmax(longer, most.longer);

        if (longer > far * why_deviation(&l, i, PRVCUT_WHY_LENGTH, room) &&
            (any ? itself > most.itself : longer > most.longer))
            most = (struct prvcut_why_own){ .thread = i,
                                            .usual = usual,
                                            .longer = longer,
                                            .itself = itself,
                                            .computes = computes,
                                            .flushes = flushes,
                                            .bytes = why_at(t, iteration, i, PRVCUT_WHY_BYTES),
                                            .usual_bytes = why_usual(&l, i, PRVCUT_WHY_BYTES) };
    }
    if (most.longer > 0)
        why_own_computes(&l, &most);
    return most;
}

/* How much longer a thread computes in one of its own that has that number, or one beside it. */
static double why_own_near(const struct why_look *l, uint32_t thread)
{
    const size_t number = why_number(l->t, l->iteration);
    double most = 0;

    for (size_t i = 0; i < l->t->iterations; i++) {
        const size_t n = why_number(l->t, i);

        if (n + 1 >= number && n <= number + 1)
            most = fmax(most, why_at(l->t, i, thread, PRVCUT_WHY_OWN) -
                                  why_usual(l, thread, PRVCUT_WHY_OWN));
    }
    return most;
}

struct prvcut_why_elsewhere prvcut_why_elsewhere_of(const struct prvcut_why_table *t,
                                                    const struct prvcut_why_usual *u,
                                                    size_t iteration, double ns)
{
    const struct why_look l = { t, u, iteration, t->length[iteration] - u->length };
    struct prvcut_why_elsewhere e = { .threads = 0 };

    for (uint32_t i = 0; i < t->threads; i++) {
        if (why_more(&l, i, PRVCUT_WHY_COMPUTING) >= WHY_AS_MUCH * ns)
            continue;
        if (!(why_own_near(&l, i) >= WHY_AS_MUCH * ns))
            return (struct prvcut_why_elsewhere){ .threads = 0 };
        e.threads++;
        e.thread = i;
    }
    return e;
}

double prvcut_why_idle(const struct prvcut_why_table *t, const struct prvcut_why_usual *u,
                       size_t iteration, uint32_t thread)
{
    const struct why_look l = { t, u, iteration, t->length[iteration] - u->length };

    return why_own_more(&l, thread, PRVCUT_WHY_OUTSIDE) -
           fmax(0, why_own_more(&l, thread, PRVCUT_WHY_OWN)) -
           fmax(0, why_own_more(&l, thread, PRVCUT_WHY_OWN_FLUSHING));
}

enum prvcut_slow prvcut_why_computes(const struct prvcut_why_table *t,
                                     const struct prvcut_why_usual *u, size_t iteration,
                                     uint32_t thread)
{
    const struct why_look l = { t, u, iteration, t->length[iteration] - u->length };
    const struct prvcut_why_one one = { .thread = thread,
                                        .ns = why_more(&l, thread, PRVCUT_WHY_COMPUTING) };

    return one.ns >= WHY_TENTH * l.excess ? why_computes(&l, &one) : PRVCUT_SLOW_COMPUTING;
}
