#include "model/program.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * From which share of a task's data calls on a kind that the other run never makes tells another
 * program. Collectives do not come and go with the number of tasks; point-to-point calls may, as
 * neighbours appear, and more so in the run that has more tasks. Found on 166 traces: of 12,090
 * pairs of other programs 89 % are told apart, of those of one program on other numbers of tasks
 * none (the nearest: 1.5 % of collectives, 1.2 % of sends).
 */
#define COLLECTIVE_LEAST 0.03
#define PARTNERS_LEAST   0.10
#define MORE_TASKS_LEAST 0.25

/* Calls a task; fewer may be of the beginning or the end, which a trace need not hold. */
#define CALLS_LEAST 8

/* Functions that tell something; which part of the fewer ones both runs must have. One program has
   69 % at least, two have 20 % at most, but for two that share their sources. */
#define FUNCTIONS_LEAST 2
#define FUNCTIONS_ALIKE 0.25

/* Collectives that are made as often, within this, are of one program, whatever its functions are
   called: another compiler has other names. */
#define AS_OFTEN 0.01

/*
 * Limits of what a loop that goes round more often may show. Counted on 149 traces with a loop (80
 * programs; Paraver, OTF2, OTF): 148 pairs of runs of one program whose loops are the true ones, by
 * marks, beside 1,438 pairs of two programs whose calls do not tell these apart. Of pairs of one
 * program with as many calls an iteration, and another number of iterations, 18 of 19 are told as
 * one loop (LULESH, BT, CoMD, MG; the other one was not traced all the time); with other calls an
 * iteration only 1 of 37: neighbours are others, and few programs have enough collectives. Of two
 * programs 13 of 57 and 26 of 832 are told as one loop, too; there only their work tells. What
 * programs from A to L show holds for those from M to Z (none of 6 pairs is lost), but not the
 * other way: 12 of 18 pairs lie outside of what the few from M to Z show.
 */
/* Iterations by which the loops of two runs may differ that go round as often: an edge of each may
   be told to be no part of it (14 to 16 were found where there are 15). Of 78 pairs that go round
   as often 75 are within it, the others within 1 %. */
#define LOOP_EDGES 2
/* Calls more in all over what the iterations more would make: 0.77 to 1.12 in one program, for not
   all calls move data; -48 to 10 in two. */
#define LOOP_CALLS_LEAST 0.6
#define LOOP_CALLS_MOST  1.2
/* Collectives of a task in an iteration; fewer may be those before and behind the loop. */
#define LOOP_COLLECTIVES_LEAST 0.5
/* Collectives more an iteration more, over those that either run has an iteration: 1.8 at most in
   one program; of two programs 15 of 57 pairs have more than 2, none between 1.4 and 3.1. 17 have
   less than none, and CoMD where tracing was off for a part. */
#define LOOP_COLLECTIVES_MOST 2.0
/* Where calls an iteration differ, collectives an iteration are as many within 20 %, and those more
   an iteration more are, over the fewer of both, within these: some come before the loop. 0.83 to
   1.00 in three programs; of 832 pairs of two the 20 % alone would keep 39, these keep 26. */
#define MORE_COLLECTIVES_LEAST 0.7
#define MORE_COLLECTIVES_MOST  1.05
/* Loops that go round as often are not the same where, of the collectives an iteration, the share
   that only one has is greater: 0.25 at most in 23 pairs of one program; in 58 of 93 of two. */
#define OTHER_COLLECTIVES 0.5
/* Calls follow the iterations: those more are, within this, what the iterations more make (1.00 to
   1.12 in five pairs of three programs; -13 where the iterations were only found so, 0.3, 0.5, 2.2
   and -3 where each iteration makes other calls), or the collectives are (0.81 and 1.00 in the only
   two pairs; none where the iterations were only found so; in nine pairs of two programs from 3 on,
   or less than -8). */
#define FOLLOW_CALLS       0.15
#define FOLLOW_COLLECTIVES 0.25

/* --- Calls ------------------------------------------------------------------------------------ */

/* It moves data: not only asks, waits at a barrier, or sets up. */
static bool prg_counts(const struct prvcut_mpi_call *c)
{
    return c->role == PRVCUT_ROLE_P2P || c->type == PRVCUT_TYPE_MPI_RMA ||
           (c->role == PRVCUT_ROLE_COLLECTIVE && c->operation != 0);
}

static bool prg_is_collective(const struct prvcut_mpi_call *c)
{
    return c->role == PRVCUT_ROLE_COLLECTIVE;
}

/* By its label, else by its number. */
static const struct prvcut_mpi_call *prg_call(const struct prvcut_dictionary *names, uint32_t type,
                                              int64_t value)
{
    const struct prvcut_type_name *t = names ? prvcut_dictionary_type(names, type) : NULL;
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, value) : NULL;
    const struct prvcut_mpi_call *c = v ? prvcut_mpi_call_of(v->text, NULL) : NULL;

    return c ? c : prvcut_mpi_call_by_value(type, value);
}

static uint64_t prg_made(const struct prvcut_program_tally *const *tally, size_t tallies,
                         size_t slot)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < tallies; i++)
        sum += tally[i] ? tally[i]->made[slot] : 0;
    return sum;
}

static struct prvcut_program_call *prg_find(const struct prvcut_program *p,
                                            const struct prvcut_mpi_call *call)
{
    for (size_t i = 0; i < p->calls; i++)
        if (p->call[i].call == call)
            return &p->call[i];
    return NULL;
}

static enum prvcut_status prg_take_calls(struct prvcut_program *p,
                                         const struct prvcut_program_tally *const *tally,
                                         size_t tallies, const struct prvcut_dictionary *names,
                                         struct prvcut_error *err)
{
    const size_t values = PRVCUT_PROGRAM_SLOTS / 5;
    size_t room = 0;

    for (size_t i = 0; i < PRVCUT_PROGRAM_SLOTS && p->tasks > 0; i++) {
        const uint64_t made = prg_made(tally, tallies, i);
        const struct prvcut_mpi_call *call =
            made > 0 ? prg_call(names, (uint32_t)(PRVCUT_TYPE_MPI_P2P + i / values),
                                (int64_t)(i % values))
                     : NULL;
        struct prvcut_program_call *has = call ? prg_find(p, call) : NULL;

        if (has)
            has->each += (double)made / p->tasks;
        if (has || !call || !prg_counts(call))
            continue;
        if (prvcut_grow((void **)&p->call, &room, p->calls + 1, sizeof *p->call, err) < 0)
            return PRVCUT_ENOMEM;
        p->call[p->calls++] = (struct prvcut_program_call){ call, (double)made / p->tasks };
    }
    return PRVCUT_OK;
}

/* --- Functions -------------------------------------------------------------------------------- */

/* What every program has, or no program: the start of all, the library's inside, nobody knows. */
static bool prg_is_common(const char *name)
{
    static const char *const common[] = { "main", "start", "end", "unresolved", "not_found" };
    static const char *const begin[] = { "libc_start", "gi_", "mpi_", "pmpi_" };

    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (strcasecmp(name, common[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (strncasecmp(name, begin[i], strlen(begin[i])) == 0)
            return true;
    return !*name || strchr(name, '?');
}

/* "conj_grad" of "conj_grad_", "density" of "__helper_MOD_density", "main" of "main [cg.f:88]". */
static char *prg_plain(const char *text, struct prvcut_error *err)
{
    static const char *const module[] = { "_MOD_", "_mp_" };
    size_t length = strcspn(text, "[(");
    char *copy, *begin;

    while (length > 0 && strchr(" _\t", text[length - 1]))
        length--;
    copy = prvcut_copied(text, length + 1, "names", err);
    if (!copy)
        return NULL;
    copy[length] = '\0';
    begin = copy;
    for (size_t i = 0; i < sizeof module / sizeof *module; i++) {
        char *at = strstr(begin, module[i]);

        begin = at ? at + strlen(module[i]) : begin;
    }
    begin += strspn(begin, "_ ");
    memmove(copy, begin, strlen(begin) + 1);
    return copy;
}

static int prg_by_name(const void *a, const void *b)
{
    return strcasecmp(*(char *const *)a, *(char *const *)b);
}

/* In order, each once. */
static void prg_sort(struct prvcut_program *p)
{
    size_t kept = 0;

    if (p->functions > 0)
        qsort(p->function, p->functions, sizeof *p->function, prg_by_name);
    for (size_t i = 0; i < p->functions; i++) {
        if (kept > 0 && strcasecmp(p->function[kept - 1], p->function[i]) == 0)
            free(p->function[i]);
        else
            p->function[kept++] = p->function[i];
    }
    p->functions = kept;
}

static enum prvcut_status prg_take_functions(struct prvcut_program *p,
                                             const struct prvcut_dictionary *names,
                                             struct prvcut_error *err)
{
    const struct prvcut_type_name *t =
        names ? prvcut_dictionary_type(names, PRVCUT_TYPE_CALLER) : NULL;
    size_t room = 0;

    for (size_t i = 0; t && i < t->values; i++) {
        char *name = prg_plain(t->value[i].text, err);

        if (!name || prvcut_grow((void **)&p->function, &room, p->functions + 1,
                                 sizeof *p->function, err) < 0) {
            free(name);
            return PRVCUT_ENOMEM;
        }
        if (t->value[i].value == 0 || prg_is_common(name))
            free(name);
        else
            p->function[p->functions++] = name;
    }
    prg_sort(p);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_program_of(struct prvcut_program *p,
                                     const struct prvcut_program_tally *const *tally,
                                     size_t tallies, uint32_t tasks,
                                     const struct prvcut_dictionary *names, bool functions,
                                     struct prvcut_error *err)
{
    enum prvcut_status st;

    *p = (struct prvcut_program){ .tasks = tasks };
    st = prg_take_calls(p, tally, tallies, names, err);
    return st == PRVCUT_OK && functions ? prg_take_functions(p, names, err) : st;
}

void prvcut_program_fini(struct prvcut_program *p)
{
    for (size_t i = 0; i < p->functions; i++)
        free(p->function[i]);
    free(p->function);
    free(p->call);
    *p = (struct prvcut_program){ .tasks = 0 };
}

void prvcut_program_free(struct prvcut_program *p)
{
    if (p)
        prvcut_program_fini(p);
    free(p);
}

/* --- Two of them ------------------------------------------------------------------------------ */

double prvcut_program_calls(const struct prvcut_program *p)
{
    double sum = 0;

    for (size_t i = 0; i < p->calls; i++)
        sum += p->call[i].each;
    return sum;
}

/* What b, which makes calls between tasks, never calls and a lives on; NULL: nothing. */
static const struct prvcut_program_call *prg_missing(const struct prvcut_program *a,
                                                     const struct prvcut_program *b)
{
    const double all = prvcut_program_calls(a),
                 partners = a->tasks > b->tasks ? MORE_TASKS_LEAST : PARTNERS_LEAST;

    /* One task alone may have nobody to talk to. */
    for (size_t i = 0; i < a->calls && b->tasks > 1 && b->calls > 0; i++) {
        const struct prvcut_program_call *c = &a->call[i];
        const double least = prg_is_collective(c->call) ? COLLECTIVE_LEAST : partners;

        if (c->each >= CALLS_LEAST && c->each >= least * all && !prg_find(b, c->call))
            return c;
    }
    return NULL;
}

/* All collectives that either makes often the other makes as often. */
static bool prg_as_often(const struct prvcut_program *a, const struct prvcut_program *b)
{
    bool any = false;

    for (size_t i = 0; i < a->calls; i++) {
        const struct prvcut_program_call *c = &a->call[i], *other = prg_find(b, c->call);
        const double each = other ? other->each : 0;

        if (!prg_is_collective(c->call) || (c->each < CALLS_LEAST && each < CALLS_LEAST))
            continue;
        if (each < c->each * (1 - AS_OFTEN) || each > c->each * (1 + AS_OFTEN))
            return false;
        any = true;
    }
    return any;
}

static size_t prg_shared(const struct prvcut_program *a, const struct prvcut_program *b)
{
    size_t i = 0, k = 0, shared = 0;

    while (i < a->functions && k < b->functions) {
        const int order = strcasecmp(a->function[i], b->function[k]);

        shared += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return shared;
}

static bool prg_other_functions(const struct prvcut_program *a, const struct prvcut_program *b)
{
    const size_t fewer = a->functions < b->functions ? a->functions : b->functions;

    return fewer >= FUNCTIONS_LEAST && (double)prg_shared(a, b) < FUNCTIONS_ALIKE * (double)fewer &&
           !prg_as_often(a, b);
}

enum prvcut_status prvcut_program_other(const struct prvcut_program *a,
                                        const struct prvcut_program *b, const char *base,
                                        char **why, struct prvcut_error *err)
{
    const struct prvcut_program_call *more = prg_missing(a, b), *less = prg_missing(b, a);
    struct prvcut_buffer text = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    *why = NULL;
    if (prg_other_functions(a, b) && prg_shared(a, b) == 0)
        st = prvcut_buffer_printf(
            &text, err, "no function that calls MPI here does so in %s: another program", base);
    else if (prg_other_functions(a, b))
        st = prvcut_buffer_printf(&text, err,
                                  "of the %zu functions that call MPI here %zu %s so in %s: "
                                  "another program",
                                  a->functions, prg_shared(a, b),
                                  prg_shared(a, b) == 1 ? "does" : "do", base);
    else if (more)
        st = prvcut_buffer_printf(&text, err,
                                  "a rank calls %s %.0f times here and never in %s: another "
                                  "program, or another part of it",
                                  more->call->name, more->each, base);
    else if (less)
        st = prvcut_buffer_printf(&text, err,
                                  "a rank never calls %s here and %.0f times in %s: another "
                                  "program, or another part of it",
                                  less->call->name, less->each, base);
    else
        return PRVCUT_OK;
    if (st == PRVCUT_OK) {
        *why = prvcut_copied_text(text.at, "names", err);
        st = *why ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    prvcut_buffer_fini(&text);
    return st;
}

/* --- Their loops ------------------------------------------------------------------------------ */

static double prg_collectives(const struct prvcut_program *p)
{
    double sum = 0;

    for (size_t i = 0; i < p->calls; i++)
        sum += prg_is_collective(p->call[i].call) ? p->call[i].each : 0;
    return sum;
}

/* What two runs tell of their loops, which do not go round as often. */
struct prg_loops {
    bool same_calls;      /* an iteration has as many */
    double calls;         /* more in all */
    double calls_share;   /* over what the iterations more would make */
    double together[2];   /* collectives an iteration */
    double together_more; /* an iteration more */
    double iterations;    /* more */
};

static struct prg_loops prg_loops_of(const struct prvcut_program *a, const struct prvcut_program *b)
{
    const double more = a->loop.iterations - b->loop.iterations;
    const double calls = prvcut_program_calls(a) - prvcut_program_calls(b);

    return (struct prg_loops){
        .same_calls = prvcut_factors_is_same(a->loop.calls / b->loop.calls, 1, false) ||
                      prvcut_factors_is_same(b->loop.calls / a->loop.calls, 1, false),
        .calls = calls,
        .calls_share = calls / (fmax(a->loop.calls, b->loop.calls) * more),
        .together = { prg_collectives(a) / a->loop.iterations,
                      prg_collectives(b) / b->loop.iterations },
        .together_more = (prg_collectives(a) - prg_collectives(b)) / more,
        .iterations = more
    };
}

/* Are there enough to compare? */
static bool prg_has_collectives(const struct prg_loops *l)
{
    return fmin(l->together[0], l->together[1]) >= LOOP_COLLECTIVES_LEAST;
}

/* Do their calls say that the iterations more are none that were only found so? */
static bool prg_follow(const struct prg_loops *l)
{
    if (l->same_calls && fabs(l->calls) >= CALLS_LEAST && fabs(l->calls_share - 1) <= FOLLOW_CALLS)
        return true;
    return fabs(l->iterations) > LOOP_EDGES && prg_has_collectives(l) &&
           fabs(l->together_more / fmax(l->together[0], l->together[1]) - 1) <= FOLLOW_COLLECTIVES;
}

/* Where neighbours, and calls to them, are more or fewer, collectives are not. */
static bool prg_collectives_are_alike(const struct prg_loops *l)
{
    const double least = fmin(l->together[0], l->together[1]),
                 most = fmax(l->together[0], l->together[1]);

    return prg_has_collectives(l) && most - least <= PRVCUT_FACTORS_OTHER_WORK * most &&
           l->together_more >= MORE_COLLECTIVES_LEAST * least &&
           l->together_more <= MORE_COLLECTIVES_MOST * least;
}

/* Iterations with as many calls are of one loop where these are more in all. */
static bool prg_is_one_loop(const struct prg_loops *l)
{
    const double least = fmin(l->together[0], l->together[1]);

    if (!l->same_calls)
        return prg_collectives_are_alike(l);
    return l->calls_share >= LOOP_CALLS_LEAST && l->calls_share <= LOOP_CALLS_MOST &&
           l->together_more >= -LOOP_COLLECTIVES_LEAST &&
           l->together_more <= LOOP_COLLECTIVES_MOST * fmax(least, LOOP_COLLECTIVES_LEAST);
}

/* Loops that go round as often. */
static bool prg_is_other_loop(const struct prg_loops *l)
{
    const double most = fmax(l->together[0], l->together[1]);

    return prg_has_collectives(l) &&
           most - fmin(l->together[0], l->together[1]) > OTHER_COLLECTIVES * most;
}

enum prvcut_loops prvcut_program_loops(const struct prvcut_program *a,
                                       const struct prvcut_program *b)
{
    const struct prvcut_program_loop *x = &a->loop, *y = &b->loop;
    const bool told = x->calls > 0 && y->calls > 0 && a->calls > 0 && b->calls > 0;
    struct prg_loops l;

    if (!(x->iterations > 0) || !(y->iterations > 0))
        return PRVCUT_LOOPS_AS_OFTEN;
    l = prg_loops_of(a, b);
    if ((fabs(l.iterations) <= LOOP_EDGES ||
         prvcut_factors_is_same(x->iterations / y->iterations, 1, false)) &&
        !(told && l.iterations != 0 && prg_follow(&l)))
        return told && prg_is_other_loop(&l) ? PRVCUT_LOOPS_UNLIKE : PRVCUT_LOOPS_AS_OFTEN;
    /* Where calls tell nothing, what is computed has to. */
    if (!told)
        return PRVCUT_LOOPS_OTHERWISE;
    return prg_is_one_loop(&l) ? PRVCUT_LOOPS_OTHERWISE : PRVCUT_LOOPS_UNLIKE;
}
