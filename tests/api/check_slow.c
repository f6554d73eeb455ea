/* Why an iteration is slow: random runs with one planted cause each, other ones each time, named by
   the job. SLOW_SEED=N repeats a run. */
#include "prvcut/reduce.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ITERATIONS 30
#define RANKS      4
#define RUNS       24

enum planted { NOTHING, COMPUTES, IPC, PREEMPTED, FLUSH, LATE, COLLECTIVE, ALL, BIGGER, PLANTED };

static const char *const names[PLANTED] = {
    "nothing",     "computes longer", "lower IPC",  "preempted",      "flush",
    "late sender", "slow collective", "all slower", "bigger messages"
};

struct run {
    enum planted what;
    unsigned iteration, rank; /* from 0 */
    double longer;            /* ns */
};

static struct prvcut_error error;

static double rnd(double low, double high)
{
    return low + (high - low) * ((double)rand() / RAND_MAX);
}

/* A line and its time, to be sorted. */
struct line {
    uint64_t time;
    char text[100];
};

static struct line line[ITERATIONS * RANKS * 40];
static size_t lines;

static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    return x->time != y->time ? (x->time > y->time ? 1 : -1) : (x > y) - (x < y);
}

#define PUT(at, ...)                                                                               \
    do {                                                                                           \
        line[lines].time = (at);                                                                   \
        snprintf(line[lines].text, sizeof line[lines].text, __VA_ARGS__);                          \
        lines++;                                                                                   \
    } while (0)

static void put_state(unsigned rank, uint64_t from, uint64_t to, unsigned state)
{
    if (to > from)
        PUT(from, "1:%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":%u\n", rank + 1, rank + 1, from, to, state);
}

/* A call, with counters where it begins and ends: what was counted since the reading before. */
static void put_call(unsigned rank, uint64_t from, uint64_t to, const char *call, double cycles,
                     double instructions)
{
    const unsigned r = rank + 1;

    PUT(from, "2:%u:1:%u:1:%" PRIu64 ":%s:42000050:%.0f:42000059:%.0f\n", r, r, from, call,
        instructions, cycles);
    PUT(to, "2:%u:1:%u:1:%" PRIu64 ":%.8s:0:42000050:%.0f:42000059:%.0f\n", r, r, to, call,
        (double)(to - from), 2.0 * (double)(to - from));
}

/* Each rank computes, sends to the next and receives from the one before, then all meet. */
static uint64_t put_iteration(const struct run *run, unsigned iteration, uint64_t start)
{
    const bool slow = iteration == run->iteration;
    uint64_t sent[RANKS], ready[RANKS], meet = 0, end;
    const double base = rnd(0.99, 1.01);

    for (unsigned r = 0; r < RANKS; r++) {
        const bool here = slow && (r == run->rank || run->what == ALL);
        const double work = 6e6 * base * rnd(0.995, 1.005);
        const bool more = here && (run->what == COMPUTES || run->what == IPC || run->what == LATE ||
                                   run->what == PREEMPTED || run->what == ALL);
        const double flushed = here && run->what == FLUSH ? run->longer : 0;
        const double all = work + (more ? run->longer : 0);
        const double grown = all / work;
        const uint64_t computed = start + (uint64_t)all;

        put_state(r, start, computed, 1);
        put_state(r, computed, computed + (uint64_t)flushed, 12);
        if (flushed > 0) {
            PUT(computed, "2:%u:1:%u:1:%" PRIu64 ":40000003:1\n", r + 1, r + 1, computed);
            PUT(computed + (uint64_t)flushed, "2:%u:1:%u:1:%" PRIu64 ":40000003:0\n", r + 1, r + 1,
                computed + (uint64_t)flushed);
        }
        sent[r] = computed + (uint64_t)flushed;
        ready[r] = sent[r] + 200000;
        put_call(r, sent[r], ready[r], "50000001:1",
                 2 * work * (more && run->what != PREEMPTED ? grown : 1),
                 2 * work * (more && run->what != PREEMPTED && run->what != IPC ? grown : 1));
    }
    for (unsigned r = 0; r < RANKS; r++) {
        const unsigned from = (r + RANKS - 1) % RANKS;
        const bool big = slow && run->what == BIGGER && from == run->rank;
        const uint64_t arrives = sent[from] + 300000 + (big ? (uint64_t)run->longer : 0);
        const uint64_t begin = ready[r] + 1000,
                       done = arrives > begin + 2000 ? arrives : begin + 2000;

        PUT(sent[from],
            "3:%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":%u:7\n",
            from + 1, from + 1, sent[from] + 10, sent[from] + 20, r + 1, r + 1, begin + 10,
            done - 10, big ? 9000000U : 1000U);
        put_call(r, begin, done, "50000001:2", 2000, 2000);
        ready[r] = done + 1000;
        meet = ready[r] > meet ? ready[r] : meet;
    }
    end = meet + 300000 + (slow && run->what == COLLECTIVE ? (uint64_t)run->longer : 0);
    for (unsigned r = 0; r < RANKS; r++)
        put_call(r, ready[r], end, "50000002:10", 2000, 2000);
    return end + 1000;
}

static void write_trace(const char *path, const struct run *run)
{
    FILE *f = fopen(path, "w");
    uint64_t at = 1000000;

    ck_assert_ptr_nonnull(f);
    lines = 0;
    for (unsigned i = 0; i < ITERATIONS; i++)
        at = put_iteration(run, i, at);
    qsort(line, lines, sizeof *line, by_time);
    fprintf(f, "#Paraver (01/01/2026 at 12:00):%" PRIu64 "_ns:1(4):1:4(1:1,1:1,1:1,1:1),0\n",
            at + 1000000);
    for (size_t i = 0; i < lines; i++)
        fputs(line[i].text, f);
    ck_assert_int_eq(fclose(f), 0);
}

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
    const struct prvcut_slow_cause *first;
    double excess;

    if (run->what != NOTHING && number != run->iteration + 1) {
        prvcut_reduction_free(r);
        r = cut_one(path, number);
    }
    excess = prvcut_reduction_chop(r, 0)->excess_ns;
    first = prvcut_chop_cause(prvcut_reduction_chop(r, 0), 0);
    *cause = first ? *first : (struct prvcut_slow_cause){ .share = 0 };
    snprintf(call, 64, "%s", first && first->call ? first->call : "");
    cause->call = NULL;
    prvcut_reduction_free(r);
    return excess;
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
               c->threads == RANKS;
    case BIGGER:
        return c->what == PRVCUT_SLOW_CALL && strcmp(call, "MPI_Recv") == 0 &&
               c->thread == (run->rank + 1) % RANKS;
    case PLANTED:
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
        const struct run run = { .what = i % 9 == 0 ? NOTHING : (enum planted)(1 + i % 8),
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
    }
    unlink(path);
    ck_assert_uint_le(wrong, RUNS / 20);
    ck_assert_uint_eq(named + wrong, RUNS);
}
END_TEST

/* What is known of real runs: a hog of 80 ms ran on the processor of rank 0; buffers were flushed;
   a long wait. */
START_TEST(test_real)
{
    static const struct {
        const char *trace;
        uint64_t iteration;
        enum prvcut_slow what;
        uint32_t thread, threads;
        double ns, tolerance;
    } known[] = {
        { "lu.A.2.preempt", 209, PRVCUT_SLOW_PREEMPTION, 0, 1, 80.13e6, 0.5e6 },
        { "lu.A.2.preempt", 235, PRVCUT_SLOW_PREEMPTION, 0, 1, 80.14e6, 0.5e6 },
        { "bt.W.9.flush", 175, PRVCUT_SLOW_FLUSH, 1, 7, 60142562, 1 },
        { "bt.W.9.flush", 65, PRVCUT_SLOW_CALL, 8, 9, 12287386, 1e6 },
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
        printf("%-15s iteration %" PRIu64 ": %s, thread %u and %u, %.0f ns\n", known[i].trace,
               known[i].iteration, prvcut_slow_text(c->what), c->thread, c->threads, c->ns);
        ck_assert_int_eq(c->what, known[i].what);
        ck_assert_uint_eq(c->thread, known[i].thread);
        ck_assert_uint_eq(c->threads, known[i].threads);
        ck_assert_double_eq_tol(c->ns, known[i].ns, known[i].tolerance);
        prvcut_reduction_free(r);
    }
}
END_TEST

static Suite *slow_suite(void)
{
    Suite *s = suite_create("slow");
    TCase *c = tcase_create("slow");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, test_planted);
    tcase_add_test(c, test_real);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(slow_suite());
}
