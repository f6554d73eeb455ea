/* Runs of four ranks with one thing planted, in one iteration or in several: each rank computes,
   sends to the next, receives from the one before, and all meet. */
#ifndef PRVCUT_TESTS_PLANTED_H
#define PRVCUT_TESTS_PLANTED_H

#include "tests/support/runner.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS      30
#define ITERATIONS_MOST 50
#define RANKS           4

enum planted {
    NOTHING,
    COMPUTES,
    IPC,
    PREEMPTED, /* in all iterations: a lower clock */
    FLUSH,
    LATE,
    COLLECTIVE,
    ALL,
    BIGGER,
    MESSAGES,
    BARRIER,    /* one more call */
    OFF_STATE,  /* tracing is off: a state tells it */
    OFF_EVENTS, /* events do, in a running state */
    OFF_BOTH,
    OTHERWISE, /* a rank neither computes nor calls */
    ORDER,     /* a rank computes only once it has received */
    CHAIN,     /* as OTHERWISE, and the others send only once they have received */
    SENDS,     /* a rank's send itself takes long */
    BIG_COLLECTIVE,
    PLANTED_EVERYWHERE
};

#define PLANTED MESSAGES /* those before are of one iteration, too */

struct run {
    enum planted what;
    unsigned iteration, rank; /* from 0 */
    unsigned every;           /* 0: in that iteration; else in every so many */
    unsigned iterations;      /* 0: ITERATIONS */
    double longer;            /* ns */
    bool stateless;           /* no states are recorded */
    double before, after; /* ns that a rank computes more than the others before the loop, and all
                             behind it, where they meet once more */
};

static double rnd(double low, double high)
{
    return low + (high - low) * ((double)rand() / RAND_MAX);
}

/* A line and its time, to be sorted. */
struct line {
    uint64_t time;
    char text[160];
};

static struct line line[ITERATIONS_MOST * RANKS * 40];
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

static bool no_states;

static void put_state(unsigned rank, uint64_t from, uint64_t to, unsigned state)
{
    if (to > from && !no_states)
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

/* Something is switched, and back. */
static void put_switch(unsigned rank, uint64_t from, uint64_t to, unsigned type, unsigned value)
{
    const unsigned r = rank + 1;

    PUT(from, "2:%u:1:%u:1:%" PRIu64 ":%u:%u\n", r, r, from, type, value);
    PUT(to, "2:%u:1:%u:1:%" PRIu64 ":%u:%u\n", r, r, to, type, 1 - value);
}

/* A receive, and its message. */
static void put_receive(unsigned from, unsigned rank, uint64_t begin, uint64_t end, uint64_t sent,
                        unsigned bytes)
{
    const unsigned s = from + 1, r = rank + 1;

    PUT(sent, "3:%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":%u:7\n", s, s,
        sent + 10, sent + 20, r, r, begin + 10, end - 10, bytes);
    put_call(rank, begin, end, "50000001:2", 2000, 2000);
}

/* Each rank computes, sends to the next and receives from the one before, then all meet. */
static uint64_t put_iteration(const struct run *run, unsigned iteration, uint64_t start)
{
    const bool slow = run->every > 0 ? iteration % run->every == 0 : iteration == run->iteration;
    uint64_t sent[RANKS], ready[RANKS], meet = 0, end;
    const unsigned first = run->what == ORDER   ? (run->rank + RANKS - 1) % RANKS
                           : run->what == CHAIN ? run->rank
                                                : 0;
    const double base = rnd(0.99, 1.01);

    for (unsigned n = 0; n < RANKS; n++) {
        const unsigned r = (first + n) % RANKS;
        const bool here = slow && (r == run->rank || run->what == ALL);
        const double work = 6e6 * base * rnd(0.995, 1.005);
        const bool more = here && (run->what == COMPUTES || run->what == IPC || run->what == LATE ||
                                   run->what == PREEMPTED || run->what == ALL);
        const double flushed = here && run->what == FLUSH ? run->longer : 0;
        const bool off = here && run->what >= OFF_STATE && run->what <= OFF_BOTH;
        const double all = work + (more ? run->longer : 0);
        const double grown = all / work;
        const bool otherwise = here && (run->what == OTHERWISE || run->what == CHAIN);
        const bool chained = slow && run->what == CHAIN && n > 0;
        const bool ordered = here && run->what == ORDER;
        const uint64_t begun = ordered ? sent[first] + 301000 : start;
        const uint64_t computed = begun + (uint64_t)all;

        if (ordered)
            put_receive(first, r, start + 1000, begun - 1000, sent[first], 1000);
        put_state(r, begun, computed, 1);
        sent[r] = computed + (uint64_t)flushed + (off || otherwise ? (uint64_t)run->longer : 0);
        put_state(r, computed, sent[r],
                  otherwise                 ? 15
                  : !off                    ? 12
                  : run->what == OFF_EVENTS ? 1
                                            : 14);
        if (flushed > 0)
            put_switch(r, computed, sent[r], 40000003, 1);
        if (off && run->what != OFF_STATE)
            put_switch(r, computed, sent[r], 40000012, 0);
        if (chained) {
            const unsigned from = (r + RANKS - 1) % RANKS;

            put_receive(from, r, computed + 1000, sent[from] + 300000, sent[from], 1000);
            sent[r] = sent[from] + 301000;
        }
        ready[r] = sent[r] + 200000 + (here && run->what == SENDS ? (uint64_t)run->longer : 0);
        put_call(r, sent[r], ready[r], "50000001:1",
                 2 * work * (more && run->what != PREEMPTED ? grown : 1),
                 2 * work * (more && run->what != PREEMPTED && run->what != IPC ? grown : 1));
    }
    for (unsigned r = 0; r < RANKS; r++) {
        const unsigned from = (r + RANKS - 1) % RANKS;
        const bool big = slow && run->what == BIGGER && from == run->rank;
        const bool done_before = slow && ((run->what == ORDER && r == run->rank) ||
                                          (run->what == CHAIN && r != run->rank));
        const uint64_t arrives = sent[from] + 300000 + (big ? (uint64_t)run->longer : 0);
        const uint64_t begin = ready[r] + 1000,
                       done = arrives > begin + 2000 ? arrives : begin + 2000;

        if (!done_before)
            put_receive(from, r, begin, done, sent[from], big ? 9000000U : 1000U);
        if (slow && run->what == MESSAGES && from == run->rank)
            PUT(sent[from],
                "3:%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":1000:8\n",
                from + 1, from + 1, sent[from] + 10, sent[from] + 20, r + 1, r + 1, begin + 10,
                done - 10);
        ready[r] = done_before ? begin : done + 1000;
        meet = ready[r] > meet ? ready[r] : meet;
    }
    end = meet + 300000 +
          (slow && (run->what == COLLECTIVE || run->what == BIG_COLLECTIVE) ? (uint64_t)run->longer
                                                                            : 0);
    for (unsigned r = 0; r < RANKS; r++)
        put_call(r, ready[r], end,
                 slow && run->what == BIG_COLLECTIVE
                     ? "50000002:10:50100001:3000000:50100002:3000000:50100004:1"
                     : "50000002:10:50100001:8:50100002:8:50100004:1",
                 2000, 2000);
    if (slow && run->what == BARRIER) {
        for (unsigned r = 0; r < RANKS; r++)
            put_call(r, end + 1000, end + 101000, "50000002:8:50100004:1", 2000, 2000);
        end += 101000;
    }
    return end + 1000;
}

static void write_trace(const char *path, const struct run *run)
{
    FILE *f = fopen(path, "w");
    uint64_t at = 1000000;

    ck_assert_ptr_nonnull(f);
    lines = 0;
    no_states = run->stateless;
    for (unsigned r = 0; r < RANKS && run->before > 0; r++)
        put_call(r, 1000 + (uint64_t)(r == 1 ? run->before : 0), (uint64_t)(1e6 + run->before),
                 "50000002:10:50100001:8:50100002:8:50100004:1", 2000, 2000);
    at += (uint64_t)run->before;
    for (unsigned i = 0; i < (run->iterations > 0 ? run->iterations : ITERATIONS); i++)
        at = put_iteration(run, i, at);
    for (unsigned r = 0; r < RANKS && run->after > 0; r++)
        put_call(r, at + (uint64_t)run->after, at + (uint64_t)run->after + 300000,
                 "50000002:9:50100001:8:50100002:8:50100004:1", 2000, 2000);
    at += (uint64_t)run->after + (run->after > 0 ? 300000 : 0);
    qsort(line, lines, sizeof *line, by_time);
    fprintf(f,
            "#Paraver (01/01/2026 at 12:00):%" PRIu64 "_ns:1(4):1:4(1:1,1:1,1:1,1:1),1\n"
            "c:1:1:4:1:2:3:4\n",
            at + 1000000);
    for (size_t i = 0; i < lines; i++)
        fputs(line[i].text, f);
    ck_assert_int_eq(fclose(f), 0);
}

#endif
