/* Why an iteration is slow: random runs with one planted cause each, other ones each time, named by
   the job. SLOW_SEED=N repeats a run. */
#include "analysis/profile/profile_pace.h"
#include "prvcut/profile.h"
#include "prvcut/reduce.h"
#include "tests/api/planted.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of five runs one has nothing planted. */
#define RUNS 25

static const char *const names[PLANTED] = {
    "nothing",     "computes longer", "lower IPC",  "preempted",      "flush",
    "late sender", "slow collective", "all slower", "bigger messages"
};

static struct prvcut_error error;
/* Of the last one that was explained: the partner's call; the second cause, and its call. */
static char partner_call[64], behind_call[64];
static struct prvcut_slow_cause behind;

/* The number of the longest iteration, from 1 through the whole loop, disturbed or not. */
static uint64_t longest(const struct prvcut_structure *structure)
{
    uint64_t most = 0, number = 0;

    for (size_t i = 0; i < structure->stretches; i++) {
        const struct prvcut_stretch *t = prvcut_structure_stretch(structure, i);

        for (size_t k = 1; t->level == 1 && k < t->borders; k++)
            if (t->border[k] - t->border[k - 1] > most) {
                most = t->border[k] - t->border[k - 1];
                number = t->first + k - 1;
            }
    }
    return number;
}

static struct prvcut_reduction *cut_one(const char *path, uint64_t iteration)
{
    const struct prvcut_cut_options cut = { .dry_run = true };
    const struct prvcut_reduce_options options = { .iterations = 2,
                                                   .first_iteration = iteration,
                                                   .last_iteration = iteration,
                                                   .cheap_proof = true,
                                                   .cut = &cut };
    const struct prvcut_run one = { .threads = 1 };
    struct prvcut_reduction *r;
    struct prvcut_trace *trace;

    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_reduce(trace, &one, &options, &r, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_trace_close(trace);
    ck_assert_uint_eq(r->chops, 1);
    return r;
}

/* The iteration's excess and its first cause. */
static double explain(const char *path, const struct run *run, struct prvcut_slow_cause *cause,
                      char call[64])
{
    struct prvcut_reduction *r = cut_one(path, run->iteration + 1);
    const uint64_t number = longest(r->structure);
    const struct prvcut_slow_cause *first, *second;
    double excess;

    if (run->what != NOTHING && number != run->iteration + 1) {
        prvcut_reduction_free(r);
        r = cut_one(path, number);
    }
    excess = prvcut_reduction_chop(r, 0)->excess_ns;
    first = prvcut_chop_cause(prvcut_reduction_chop(r, 0), 0);
    second = prvcut_chop_cause(prvcut_reduction_chop(r, 0), 1);
    behind = second ? *second : (struct prvcut_slow_cause){ .share = 0 };
    snprintf(behind_call, sizeof behind_call, "%s", second && second->call ? second->call : "");
    *cause = first ? *first : (struct prvcut_slow_cause){ .share = 0 };
    snprintf(call, 64, "%s", first && first->call ? first->call : "");
    snprintf(partner_call, sizeof partner_call, "%s",
             first && first->partner_call ? first->partner_call : "");
    cause->call = cause->partner_call = cause->partner_code = cause->origin_call = NULL;
    prvcut_reduction_free(r);
    return excess;
}

/* Does a rank wait in that call, the longest of which is that long, for a late one? */
static bool is_late(const struct prvcut_slow_cause *c, uint32_t thread, uint32_t partner)
{
    return c->what == PRVCUT_SLOW_CALL && c->thread == thread && c->late == PRVCUT_LATE_PARTNER &&
           c->partner == partner && c->late_ns > 0.5 * c->longest_ns &&
           c->late_ns <= c->longest_ns && c->longest_ns >= c->ns;
}

/* One rank computes only once it has received, and the next receives from it: each of both waits
   for computing, also on an ideal network; the others wait for the last of them in the end. */
static bool is_in_order(const struct run *run, const struct prvcut_slow_cause *c, const char *call)
{
    const uint32_t next = (run->rank + 1) % RANKS;
    const bool receives = strcmp(call, "MPI_Recv") == 0 &&
                          (c->thread == run->rank || c->thread == next) &&
                          c->partner == (c->thread + RANKS - 1) % RANKS;
    const bool meets = strcmp(call, "MPI_Allreduce") == 0 && c->thread != run->rank &&
                       (c->partner == run->rank || c->partner == next);

    return c->what == PRVCUT_SLOW_ORDER && (receives || meets) &&
           fabs(c->longest_ns - 6e6) < 0.1 * 6e6 && c->ns > 5.4e6 && c->ns < 8e6;
}

/* Is it the cause that was planted, with its rank and call? */
static bool is_named(const struct run *run, double excess, const struct prvcut_slow_cause *c,
                     const char *call)
{
    const bool here = c->thread == run->rank && c->threads == 1;

    switch (run->what) {
    case NOTHING:
        return !(excess > 0);
    case COMPUTES:
    case LATE:
        return c->what == PRVCUT_SLOW_INSTRUCTIONS && here;
    case IPC:
        return c->what == PRVCUT_SLOW_IPC && here;
    case PREEMPTED:
        return c->what == PRVCUT_SLOW_PREEMPTION && here;
    case FLUSH:
        return c->what == PRVCUT_SLOW_FLUSH && here;
    case ALL:
        return c->what == PRVCUT_SLOW_INSTRUCTIONS && c->threads == RANKS;
    case COLLECTIVE:
        return c->what == PRVCUT_SLOW_CALL && strcmp(call, "MPI_Allreduce") == 0 &&
               c->threads == RANKS && c->late == PRVCUT_LATE_NOBODY && c->partner == UINT32_MAX &&
               c->bytes == c->usual_bytes;
    case BIGGER:
        return c->what == PRVCUT_SLOW_CALL && strcmp(call, "MPI_Recv") == 0 &&
               c->thread == (run->rank + 1) % RANKS && c->late == PRVCUT_LATE_NOBODY &&
               c->origin == c->thread && c->origin_did == PRVCUT_SLOW_CALL &&
               c->usual_bytes == 2000 && c->bytes == 9001000;
    case OFF_STATE:
    case OFF_EVENTS:
    case OFF_BOTH:
        return c->what == PRVCUT_SLOW_OFF && here && fabs(c->ns - run->longer) < 2;
    case OTHERWISE:
        return is_late(c, (run->rank + 1) % RANKS, run->rank) && strcmp(call, "MPI_Recv") == 0 &&
               c->partner_did == PRVCUT_SLOW_UNKNOWN && c->partner_ns > run->longer &&
               c->origin == c->partner && c->origin_ns == c->partner_ns;
    case CHAIN:
        return c->what == PRVCUT_SLOW_CALL && strcmp(call, "MPI_Recv") == 0 &&
               c->late == PRVCUT_LATE_PARTNER && c->origin == run->rank &&
               c->origin_did == PRVCUT_SLOW_UNKNOWN && c->origin_ns > run->longer &&
               (c->partner == run->rank) == (c->partner_did == PRVCUT_SLOW_UNKNOWN);
    case ORDER:
        return is_in_order(run, c, call);
    case SENDS: /* and the others meet it late */
        return c->what == PRVCUT_SLOW_CALL && strcmp(call, "MPI_Send") == 0 && here &&
               !c->meanwhile && fabs(c->ns - run->longer) < 0.1 * run->longer &&
               c->late == PRVCUT_LATE_NOBODY && behind.what == PRVCUT_SLOW_CALL &&
               strcmp(behind_call, "MPI_Allreduce") == 0 && behind.threads == RANKS - 1 &&
               behind.meanwhile && behind.share > 0.9;
    case BIG_COLLECTIVE:
        return c->what == PRVCUT_SLOW_CALL && strcmp(call, "MPI_Allreduce") == 0 &&
               c->late == PRVCUT_LATE_NOBODY && c->usual_bytes == 16 && c->bytes == 6000000;
    case MESSAGES:
    case BARRIER:
    case PLANTED_EVERYWHERE:
        break;
    }
    return false;
}

START_TEST(test_planted)
{
    const char *given = getenv("SLOW_SEED");
    const unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    unsigned named = 0, wrong = 0;
    char path[64];

    srand(seed);
    snprintf(path, sizeof path, "slow.%ld.prv", (long)getpid());
    for (unsigned i = 0; i < RUNS; i++) {
        const struct run run = { .what =
                                     i % 5 == 0 ? NOTHING : (enum planted)(1 + (i - i / 5 - 1) % 8),
                                 .iteration = 3 + (unsigned)rand() % (ITERATIONS - 6),
                                 .rank = (unsigned)rand() % RANKS,
                                 .longer = rnd(2e6, 2e7) };
        struct prvcut_slow_cause cause;
        char call[64];
        double excess;
        bool is;

        write_trace(path, &run);
        excess = explain(path, &run, &cause, call);
        is = is_named(&run, excess, &cause, call);
        printf("seed %u, %-15s rank %u, %5.1f ms: %s, thread %u and %u, %s %.1f ms, %.0f %%%s\n",
               seed, names[run.what], run.rank, run.longer / 1e6, prvcut_slow_text(cause.what),
               cause.thread, cause.threads, call, cause.ns / 1e6, 100 * cause.share,
               is ? "" : "  NOT NAMED");
        named += is;
        wrong += !is;
        ck_assert(is || run.what != NOTHING);
    }
    unlink(path);
    ck_assert_uint_le(wrong, 1);
    ck_assert_uint_eq(named + wrong, RUNS);
}
END_TEST

/* In the first iteration a rank computes longer before it begins its own, and no iteration of its
   own tells of that. */
START_TEST(test_first)
{
    static const enum planted what[] = { COMPUTES, IPC, PREEMPTED, LATE };
    char path[64], call[64];

    srand(19 + (unsigned)_i);
    snprintf(path, sizeof path, "slow.first.%ld.prv", (long)getpid());
    for (unsigned rank = 1; rank < RANKS; rank++) {
        const struct run run = {
            .what = what[_i], .iteration = 0, .rank = rank, .longer = rnd(2e6, 1e7)
        };
        struct prvcut_slow_cause cause;
        double excess;

        write_trace(path, &run);
        excess = explain(path, &run, &cause, call);
        ck_assert_msg(
            is_named(&run, excess, &cause, call) && fabs(cause.ns - run.longer) < 0.1 * run.longer,
            "%s, rank %u, %.0f ns: %s, thread %u and %u, %.0f ns", names[run.what], rank,
            run.longer, prvcut_slow_text(cause.what), cause.thread, cause.threads, cause.ns);
    }
    unlink(path);
}
END_TEST

/* More bytes are why a message, or a collective, takes long where any network would have sent them
   in that time. */
START_TEST(test_bytes)
{
    static const struct {
        enum planted what;
        double longer;
        const char *text;
    } known[] = {
        { BIGGER, 9e6, "more to transfer, 9.00 MB in the iteration, usually 2.00 kB" },
        { BIGGER, 1.5e9, "transfer or system" },
        { BIG_COLLECTIVE, 9e6, "more to transfer, 6.00 MB in the iteration, usually 16 B" },
        { BIG_COLLECTIVE, 1.5e9, "transfer or system" },
        { COLLECTIVE, 9e6, "transfer or system" },
    };
    const struct run run = {
        .what = known[_i].what, .iteration = 11, .rank = 2, .longer = known[_i].longer
    };
    const struct prvcut_profile_options options = { .size = sizeof options, .why = 1 };
    const struct prvcut_run one = { .threads = 1 };
    const struct prvcut_profile_slow *slow;
    struct prvcut_trace *trace;
    struct prvcut_profile *p;
    char path[64];

    srand(7);
    snprintf(path, sizeof path, "slow.bytes.%ld.prv", (long)getpid());
    write_trace(path, &run);
    ck_assert_int_eq(prvcut_trace_open(&trace, path, NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_profile_make(trace, &one, &options, &p, &error), PRVCUT_OK);
    slow = prvcut_profile_slow(p, 0);
    ck_assert_ptr_nonnull(slow);
    ck_assert_msg(strstr(slow->text, known[_i].text), "%s", slow->text);
    prvcut_profile_free(p);
    prvcut_trace_close(trace);
    unlink(path);
}
END_TEST

/* Tracing is off: the state tells it, events do, both do; the time counts once. */
START_TEST(test_off)
{
    const struct run run = {
        .what = (enum planted)(OFF_STATE + _i), .iteration = 11, .rank = 2, .longer = 9e6
    };
    struct prvcut_slow_cause cause;
    char path[64], call[64];
    double excess;

    srand(7);
    snprintf(path, sizeof path, "slow.off.%ld.prv", (long)getpid());
    write_trace(path, &run);
    excess = explain(path, &run, &cause, call);
    unlink(path);
    ck_assert_msg(is_named(&run, excess, &cause, call), "%s, thread %u and %u, %.0f ns",
                  prvcut_slow_text(cause.what), cause.thread, cause.threads, cause.ns);
}
END_TEST

/* Nobody computes longer, and yet a rank is late: it does something else, and the others wait for
   it or for each other, or it starts only once it has received, or its send takes long. */
START_TEST(test_late)
{
    static const enum planted what[] = { OTHERWISE, ORDER, CHAIN, SENDS };
    char path[64], call[64];

    srand(11 + (unsigned)_i);
    snprintf(path, sizeof path, "slow.late.%ld.prv", (long)getpid());
    for (unsigned i = 0; i < 4; i++) {
        const struct run run = { .what = what[_i],
                                 .iteration = 3 + (unsigned)rand() % (ITERATIONS - 6),
                                 .rank = what[_i] == ORDER ? 0 : i, /* that leads */
                                 .longer = rnd(9e6, 2e7) };
        struct prvcut_slow_cause c;
        double excess;

        write_trace(path, &run);
        excess = explain(path, &run, &c, call);
        printf("rank %u, %.1f ms: %s %s, thread %u, %.1f ms; %s %u, %.1f of %.1f ms, %s %.1f ms; "
               "first of all %" PRId32 "\n",
               run.rank, run.longer / 1e6, prvcut_slow_text(c.what), call, c.thread, c.ns / 1e6,
               prvcut_late_text(c.late), c.partner, c.late_ns / 1e6, c.longest_ns / 1e6,
               prvcut_slow_text(c.partner_did), c.partner_ns / 1e6, (int32_t)c.origin);
        ck_assert(is_named(&run, excess, &c, call));
    }
    unlink(path);
}
END_TEST

/* Without states a thread computes while it is in no call: what was taken from it is told, too. */
START_TEST(test_stateless)
{
    static const enum planted what[] = { COMPUTES, IPC, PREEMPTED };
    const struct run run = {
        .what = what[_i], .iteration = 11, .rank = 2, .longer = 9e6, .stateless = true
    };
    struct prvcut_slow_cause cause;
    char path[64], call[64];
    double excess;

    srand(7);
    snprintf(path, sizeof path, "slow.stateless.%ld.prv", (long)getpid());
    write_trace(path, &run);
    excess = explain(path, &run, &cause, call);
    unlink(path);
    ck_assert_msg(is_named(&run, excess, &cause, call), "%s: %s, thread %u and %u, %.0f ns",
                  names[run.what], prvcut_slow_text(cause.what), cause.thread, cause.threads,
                  cause.ns);
}
END_TEST

/* So many are told of a run in which nothing is. */
static void expect_nothing(const struct run *run)
{
    const struct prvcut_profile_options options = { .size = sizeof options, .why = 1 };
    const struct prvcut_run one = { .threads = 1 };
    struct prvcut_trace *trace;
    struct prvcut_profile *p;
    char path[64];

    snprintf(path, sizeof path, "slow.nothing.%ld.prv", (long)getpid());
    write_trace(path, run);
    ck_assert_int_eq(prvcut_trace_open(&trace, path, NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_profile_make(trace, &one, &options, &p, &error), PRVCUT_OK);
    ck_assert_msg(p->slow == 0, "%s", p->slow > 0 ? prvcut_profile_slow(p, 0)->text : "");
    prvcut_profile_free(p);
    prvcut_trace_close(trace);
    unlink(path);
}

/* What a rank computes before the loop, or all compute behind it, is in the first and in the last
   iteration, and makes neither unusual. */
START_TEST(test_ends)
{
    const struct run run = { .what = NOTHING, .before = 5e6, .after = 4e6 };

    srand(7);
    expect_nothing(&run);
}
END_TEST

/* What a hog took from each rank in three windows, in ms, and the full pace, by the trace's text.
 */
START_TEST(test_stolen)
{
    static const struct {
        const char *line;
        uint64_t from, to;
        double ms[2];
    } known[] = {
        { "W1", 22286732403, 22417500902, { 80.130, 2.490 } },
        { "W2", 23587904099, 23715005755, { 80.137, 0.356 } },
        { "W2", 21002051797, 21128710451, { 72.610, 0.087 } },
    };
    const double pace[2] = { 2.3058, 2.3064 };
    struct prvcut_proof_region stretch[3] = { 0 };
    struct prvcut_profile_asked asked = {
        .stretch = stretch, .stretches = 3, .until = UINT64_MAX, .pace = true
    };
    const struct prvcut_run run = { .threads = 1 + _i };
    double stolen[3][2] = { 0 }, full[2] = { 0 };
    struct prvcut_profile_found found;
    struct prvcut_trace *trace;
    char path[4096];

    if (!traces_unpack("lu.A.2.preempt", path, sizeof path)) {
        test_leaves_out("real traces");
        return;
    }
    for (size_t i = 0; i < 3; i++)
        stretch[i].window = (struct prvcut_window){ .from = known[i].from, .to = known[i].to };
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_profile_read(&found, trace, &run, &asked, &error) == PRVCUT_OK, "%s",
                  error.text);
    ck_assert_int_eq(prvcut_profile_stolen(&found, *stolen, full, &error), PRVCUT_OK);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++) {
            printf("%s  at %" PRIu64 " rank %zu lost %7.4f ms of %.4f GHz, reference %6.3f\n",
                   known[i].line, known[i].from, k, stolen[i][k] / 1e6, full[k], known[i].ms[k]);
            ck_assert_double_eq_tol(stolen[i][k] / 1e6, known[i].ms[k], 0.02);
            ck_assert_double_eq_tol(full[k], pace[k], 0.0003);
        }
    prvcut_profile_found_fini(&found);
    prvcut_trace_close(trace);
}
END_TEST

/* Who else flushes in W3. */
static void check_others(const struct prvcut_slow_cause *c)
{
    static const struct {
        uint32_t thread;
        double ns;
    } known[] = { { 8, 48710596 }, { 4, 39528132 }, { 5, 31236336 },
                  { 6, 25734398 }, { 7, 15769304 }, { 2, 14516454 } };

    ck_assert_uint_eq(c->others, sizeof known / sizeof *known);
    for (size_t i = 0; i < c->others; i++) {
        printf("W3  also thread %u, %.0f ns, reference %.0f\n", c->other[i], c->other_ns[i],
               known[i].ns);
        ck_assert_uint_eq(c->other[i], known[i].thread);
        ck_assert_double_eq_tol(c->other_ns[i], known[i].ns, 1);
    }
}

/* It is the second longest of all: 26.5 ms by the calls, 26.3 ms by the program's own marks. */
static void check_second(const struct prvcut_structure *structure, uint64_t iteration)
{
    uint64_t length = 0;
    unsigned longer = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < structure->stretches; i++) {
            const struct prvcut_stretch *t = prvcut_structure_stretch(structure, i);

            for (size_t k = 1; t->level == 1 && k < t->borders; k++) {
                const uint64_t ns = t->border[k] - t->border[k - 1];

                if (pass == 0 && t->first + k - 1 == iteration)
                    length = ns;
                longer += pass == 1 && ns > length;
            }
        }
    printf("W5  iteration %" PRIu64 ": %.2f ms, %u longer\n", iteration, (double)length / 1e6,
           longer);
    ck_assert_double_eq_tol((double)length, 26.3e6, 0.3e6);
    ck_assert_uint_eq(longer, 1);
}

/* What is known of real runs: a hog of 80 ms ran on the processor of rank 0; buffers were flushed;
   a long wait, in the longest of which rank 8 waits for what it has sent to rank 1, which posts its
   receive after a wait of its own. */
START_TEST(test_real)
{
    static const struct {
        const char *line, *trace;
        uint64_t iteration;
        enum prvcut_slow what;
        uint32_t thread, threads;
        double ns, tolerance;
        enum prvcut_late late;
    } known[] = {
        { "W1", "lu.A.2.preempt", 209, PRVCUT_SLOW_PREEMPTION, 0, 1, 80.13e6, 0.5e6,
          PRVCUT_LATE_UNKNOWN },
        { "W2", "lu.A.2.preempt", 235, PRVCUT_SLOW_PREEMPTION, 0, 1, 80.14e6, 0.5e6,
          PRVCUT_LATE_UNKNOWN },
        { "W3", "bt.W.9.flush", 175, PRVCUT_SLOW_FLUSH, 1, 7, 60142562, 1, PRVCUT_LATE_UNKNOWN },
        /* Four ranks flush for 0.1 ms each: that is not why. */
        { "W4", "lu.S.8.flush", 6, PRVCUT_SLOW_CALL, 3, 4, 3.55e6, 0.1e6, PRVCUT_LATE_PARTNER },
        { "W5", "bt.W.9.flush", 42, PRVCUT_SLOW_CALL, 3, 9, 13.1e6, 0.1e6, PRVCUT_LATE_PARTNER },
        { "third", "bt.W.9.flush", 65, PRVCUT_SLOW_CALL, 8, 9, 12287386, 1e6, PRVCUT_LATE_PARTNER },
    };
    char path[4096];

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct prvcut_slow_cause *c;
        struct prvcut_reduction *r;

        if (!traces_unpack(known[i].trace, path, sizeof path)) {
            test_leaves_out("real traces");
            return;
        }
        r = cut_one(path, known[i].iteration);
        c = prvcut_chop_cause(prvcut_reduction_chop(r, 0), 0);
        ck_assert_ptr_nonnull(c);
        printf("%s  %-15s iteration %" PRIu64 ": %s %s, thread %u and %u, %.0f ns, reference "
               "%.0f +- %.0f\n",
               known[i].line, known[i].trace, known[i].iteration, prvcut_slow_text(c->what),
               c->call ? c->call : "", c->thread, c->threads, c->ns, known[i].ns,
               known[i].tolerance);
        ck_assert_int_eq(c->what, known[i].what);
        ck_assert_uint_eq(c->thread, known[i].thread);
        ck_assert_uint_eq(c->threads, known[i].threads);
        ck_assert_double_eq_tol(c->ns, known[i].ns, known[i].tolerance);
        ck_assert_int_eq(c->late, known[i].late);
        if (strcmp(known[i].line, "W3") == 0)
            check_others(c);
        for (size_t k = 1; (c = prvcut_chop_cause(prvcut_reduction_chop(r, 0), k)) != NULL; k++)
            ck_assert(c->what != PRVCUT_SLOW_FLUSH || c->share <= 0.03);
        if (strcmp(known[i].line, "W5") == 0)
            check_second(r->structure, known[i].iteration);
        c = prvcut_chop_cause(prvcut_reduction_chop(r, 0), 0);
        if (known[i].iteration == 65) {
            ck_assert_uint_eq(c->partner, 1);
            ck_assert_double_eq(c->longest_ns, 1242747655 - 1238255578);
            ck_assert_double_eq(c->late_ns, 1242273613 - 1238255578);
            ck_assert_int_eq(c->partner_did, PRVCUT_SLOW_CALL);
            ck_assert_str_eq(c->partner_call, "MPI_Wait");
        }
        prvcut_reduction_free(r);
    }
}
END_TEST

static Suite *slow_suite(void)
{
    Suite *s = suite_create("slow");
    TCase *c = tcase_create("slow");

    tcase_set_timeout(c, 600); /* runs that are shared out take long on a busy machine */
    tcase_add_test(c, test_planted);
    tcase_add_loop_test(c, test_first, 0, 4);
    tcase_add_loop_test(c, test_bytes, 0, 5);
    tcase_add_loop_test(c, test_off, 0, 3);
    tcase_add_loop_test(c, test_stateless, 0, 3);
    tcase_add_test(c, test_ends);
    tcase_add_loop_test(c, test_late, 0, 4);
    tcase_add_loop_test(c, test_stolen, 0, 2);
    tcase_add_test(c, test_real);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(slow_suite());
}
