/* Which collectives around an iteration belong together, and whom they wait for: random runs, seen
   through a window that cuts some calls and leaves out others. */
#include "analysis/why_meet.h"
#include "tests/support/runner.h"

#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

#define THREADS     4
#define COLLECTIVES 30
#define RUNS        2000
#define NS          1000 /* as long as what threads do in between, at most */

/* All of a run, and what of it is in the window. */
static struct prvcut_span whole[THREADS][COLLECTIVES];
static struct why_call seen[THREADS * COLLECTIVES];
static size_t first[THREADS + 1], at[THREADS][COLLECTIVES];
static bool bcast[COLLECTIVES];
static uint32_t root[COLLECTIVES];

static uint32_t first_task[2] = { 0, THREADS }, task[THREADS] = { 0, 1, 2, 3 };
static struct prvcut_trace trace = { .objects = { .applications = 1,
                                                  .tasks = THREADS,
                                                  .threads = THREADS,
                                                  .application_first_task = first_task,
                                                  .task_first_thread = task,
                                                  .thread_task = task } };
static const struct prvcut_why_meeting of = { .thread = 0 };

/* A call of which only the end is seen: 0, or where the trace has no name for that none. */
static int64_t nobody = INT64_MIN;

static uint64_t some(uint64_t most)
{
    return 1 + (uint64_t)rand() % most;
}

/* bcasts: of ten collectives so many; skew: of the last thread's clock */
static void run(unsigned bcasts, uint64_t skew)
{
    uint64_t now[THREADS] = { NS, NS, NS, NS };

    for (size_t k = 0; k < COLLECTIVES; k++) {
        uint64_t last = 0;

        bcast[k] = (unsigned)rand() % 10 < bcasts;
        root[k] = (uint32_t)rand() % THREADS;
        for (size_t t = 0; t < THREADS; t++) {
            whole[t][k].start = now[t] + some(NS);
            last = whole[t][k].start > last ? whole[t][k].start : last;
        }
        last = bcast[k] ? whole[root[k]][k].start : last;
        for (size_t t = 0; t < THREADS; t++) {
            const uint64_t ready = whole[t][k].start > last ? whole[t][k].start : last;

            now[t] = whole[t][k].end = ready + some(NS / 10);
        }
    }
    for (size_t k = 0; k < COLLECTIVES; k++) {
        whole[THREADS - 1][k].start += skew;
        whole[THREADS - 1][k].end += skew;
    }
}

static struct why_around look(uint64_t from, uint64_t to)
{
    size_t calls = 0;

    for (size_t t = 0; t < THREADS; t++) {
        first[t] = calls;
        for (size_t k = 0; k < COLLECTIVES; k++) {
            const struct prvcut_span s = whole[t][k];
            const bool unseen = s.start < from; /* which call it is stands where it begins */

            at[t][k] = SIZE_MAX;
            if (s.end < from || s.start >= to)
                continue;
            at[t][k] = calls;
            seen[calls++] = (struct why_call){
                .span = { s.start < from ? from : s.start, s.end > to ? to : s.end },
                .key = { PRVCUT_PROOF_CALL, PRVCUT_TYPE_MPI_COLLECTIVE,
                         unseen     ? nobody
                         : bcast[k] ? 7
                                    : 10 },
                .communicator = unseen ? PRVCUT_NOBODY : 1,
                .role = PRVCUT_ROLE_COLLECTIVE,
                .root = !unseen && bcast[k] && root[k] == t,
                .no_begin = unseen,
                .no_end = s.end > to,
            };
        }
    }
    first[THREADS] = calls;
    return (struct why_around){ .trace = &trace,
                                .of = &of,
                                .window = { from, to },
                                .call = seen,
                                .first = first,
                                .calls = calls };
}

/* What is told of the k-th is true; returns whether it is told. */
static bool check_one(const struct why_around *a, size_t k)
{
    struct why_came last_of_all;
    const struct why_came came = why_by_collective(a, 0, &seen[at[0][k]], &last_of_all);
    uint32_t last = 1;
    uint64_t end;

    if (!came.known)
        return false;
    for (uint32_t t = 2; t < THREADS; t++)
        last = whole[t][k].start > whole[last][k].start ? t : last;
    last = bcast[k] ? root[k] : last;
    if (bcast[k] && root[k] == 0) {
        ck_assert_uint_eq(came.time, 0);
        return true;
    }
    /* Two may come at once; clocks may say that one came once all was over. */
    end = whole[0][k].end;
    ck_assert_uint_eq(came.time, whole[last][k].start < end ? whole[last][k].start : end);
    ck_assert(whole[came.thread][k].start >= came.time);
    return true;
}

/* Of runs like this one, how much of a call in the middle of the window is told. */
static double told(unsigned bcasts, uint64_t skew)
{
    unsigned is = 0;

    for (unsigned i = 0; i < RUNS; i++) {
        struct why_around a;
        size_t k = 10 + (size_t)rand() % 10;

        run(bcasts, skew);
        a = look(whole[0][4].start + some(NS), whole[0][26].end - some(NS));
        is += check_one(&a, k);
    }
    return (double)is / RUNS;
}

START_TEST(test_all_wait)
{
    srand(3);
    ck_assert_double_ge(told(0, 0), 0.99);
    ck_assert_double_ge(told(0, NS / 50), 0.7);
}
END_TEST

/* Those that wait for one alone do not tell where they belong: others have to. */
START_TEST(test_root)
{
    srand(4);
    ck_assert_double_ge(told(3, 0), 0.8);
}
END_TEST

/* Of few calls some are open on one thread where the window begins, and over on another. */
START_TEST(test_few)
{
    unsigned is = 0;

    nobody = _i == 0 ? INT64_MIN : 0;
    srand(6);
    for (unsigned i = 0; i < RUNS; i++) {
        struct why_around a;
        uint64_t last = 0;

        run(0, 0);
        for (size_t t = 0; t < THREADS; t++)
            last = whole[t][9].start > last ? whole[t][9].start : last;
        a = look(last - 1, whole[0][11].end - some(NS / 10));
        is += check_one(&a, 10);
    }
    ck_assert_uint_ge(is, RUNS * 9 / 10);
    nobody = INT64_MIN;
}
END_TEST

/* Where only roots are waited for, many orders are possible; the one that threads' own iterations
   tell is theirs. Who is last, and right before the end of the call, is told beside the root. */
START_TEST(test_own)
{
    uint64_t own[THREADS];
    const struct prvcut_why_meeting asked = { .thread = 0, .own = own };
    unsigned known = 0, lasts = 0;

    srand(6);
    for (unsigned i = 0; i < RUNS; i++) {
        const size_t k = 10 + (size_t)rand() % 10;
        struct why_came last;
        struct why_around a;
        uint64_t latest = 0;

        run(10, 0);
        for (size_t t = 0; t < THREADS; t++) {
            own[t] = whole[t][12].start;
            latest = t > 0 && whole[t][k].start > latest ? whole[t][k].start : latest;
        }
        a = look(whole[0][4].start + some(NS), whole[0][26].end - some(NS));
        a.of = &asked;
        known += k >= 12 && check_one(&a, k);
        known += k < 12;
        (void)why_by_collective(&a, 0, &seen[at[0][k]], &last);
        lasts += last.known;
        ck_assert(!last.known || last.time == latest);
    }
    ck_assert_uint_eq(known, RUNS);
    ck_assert_uint_gt(lasts, 0);
}
END_TEST

/* A member whose calls are not there: it is not known who was last. */
START_TEST(test_missing)
{
    struct why_around a;
    struct why_came last;

    srand(5);
    run(0, 0);
    a = look(whole[0][4].start, whole[0][26].end);
    ck_assert(why_by_collective(&a, 0, &seen[at[0][15]], &last).known);
    first[THREADS] = first[THREADS - 1];
    ck_assert(!why_by_collective(&a, 0, &seen[at[0][15]], &last).known);
}
END_TEST

static Suite *meet_suite(void)
{
    Suite *s = suite_create("why_meet");
    TCase *c = tcase_create("why_meet");

    tcase_add_test(c, test_all_wait);
    tcase_add_test(c, test_root);
    tcase_add_loop_test(c, test_few, 0, 2);
    tcase_add_test(c, test_own);
    tcase_add_test(c, test_missing);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(meet_suite());
}
