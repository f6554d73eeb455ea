/* What a replay costs grows as the run does, and what it holds does not, whatever is wrong with the
 * run (E15). */
#include "analysis/efficiency/replay.h"
#include "tests/support/runner.h"

#include <inttypes.h>
#include <stdio.h>

#define LANES 6
#define WIDE  1024
#define CAP   64                  /* calls a lane may wait: no sound run needs as many */
#define STEP  1000                /* ns that an iteration takes */
#define FAR   (UINT64_C(1) << 60) /* when nobody lives any more */

/* What is wrong with it. */
enum damage {
    SOUND,
    MEMBER,    /* the last rank comes to no collective */
    AT_FIRST,  /* nor in the first hundred iterations; then all do */
    VALUES,    /* each rank calls collectives of another kind */
    MESSAGES,  /* no message is told */
    LATE,      /* they are told a hundred iterations later */
    FUTURE,    /* they are received when nobody lives any more */
    UNPOSTED,  /* they wait for receives that are posted then */
    UNENDED,   /* the first call of a rank has no end, and may send */
    BACKWARDS, /* they were sent by a call of long ago */
    DAMAGES,
};

static const char *const damage_name[DAMAGES] = {
    [SOUND] = "nothing",
    [MEMBER] = "a member never comes",
    [AT_FIRST] = "a member comes later on",
    [VALUES] = "collectives of different kinds",
    [MESSAGES] = "no message is told",
    [LATE] = "messages are told late",
    [FUTURE] = "messages are never received",
    [UNPOSTED] = "receives are never posted",
    [UNENDED] = "a call has no end",
    [BACKWARDS] = "messages of calls long ago",
};

static struct prvcut_error error;

struct run {
    struct prvcut_replay *replay;
    enum damage damage;
    uint32_t lanes;
};

/* How much later than the first lane's all is that it does. */
static uint64_t skew(const struct run *r, uint32_t lane)
{
    return 40 * lane / r->lanes;
}

/* Without ck_assert, which writes to a file each time. */
static void fine(enum prvcut_status st)
{
    if (st != PRVCUT_OK)
        ck_abort_msg("%s", error.text);
}

static void at(const struct run *r, uint64_t time)
{
    fine(prvcut_replay_time(r->replay, time, &error));
}

static void enter(const struct run *r, uint32_t lane, uint64_t begin, uint32_t kind)
{
    const struct prvcut_replay_call c = {
        .begin = begin, .lane = lane, .kind = kind, .value = r->damage == VALUES ? lane : 10
    };

    if (!prvcut_replay_inside(r->replay, lane))
        fine(prvcut_replay_enter(r->replay, &c, &error));
}

static void leave(const struct run *r, uint32_t lane, uint64_t end)
{
    if (r->damage != UNENDED || lane > 0)
        fine(prvcut_replay_leave(r->replay, lane, end, false, &error));
}

/* From a lane to the next one, in the iteration that begins then. */
static void tell(const struct run *r, uint32_t lane, uint64_t begin)
{
    const uint64_t later = r->damage == FUTURE ? FAR : r->damage == UNPOSTED ? FAR : 0;
    const struct prvcut_message m = {
        .logical_send = begin + 100 + skew(r, lane) - (r->damage == BACKWARDS ? begin : 0),
        .physical_send = begin + 150 + skew(r, lane),
        .logical_receive = begin + 200 + skew(r, lane) + (r->damage == UNPOSTED ? later : 0),
        .physical_receive = begin + 250 + skew(r, lane) + later,
        .size = r->damage == UNPOSTED ? 1 << 20 : 8,
        .sender = lane,
        .receiver = (lane + 1) % r->lanes,
    };

    fine(prvcut_replay_message(r->replay, &m, false, &error));
}

static void messages(const struct run *r, uint64_t i)
{
    const uint64_t behind = r->damage == LATE ? 100 : 0;

    if (r->damage == MESSAGES || i < behind)
        return;
    for (uint32_t lane = 0; lane < r->lanes; lane++)
        tell(r, lane, STEP * (i - behind));
}

static bool comes(const struct run *r, uint32_t lane, uint64_t i)
{
    return lane + 1 < r->lanes || (r->damage != MEMBER && r->damage != AT_FIRST) ||
           (r->damage == AT_FIRST && i >= 100);
}

/* Everybody sends to the next, receives, and comes together with all. */
static void iterate(const struct run *r, uint64_t i)
{
    static const uint32_t kind[3] = { PRVCUT_REPLAY_SENDS | PRVCUT_REPLAY_RENDEZVOUS,
                                      PRVCUT_REPLAY_POSTS,
                                      PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_ALL };

    for (uint64_t k = 0; k < 3; k++) {
        const uint64_t begin = STEP * i + 100 * (k + 1);

        for (uint32_t lane = 0; lane < r->lanes; lane++)
            if (k < 2 || comes(r, lane, i)) {
                at(r, begin + skew(r, lane));
                enter(r, lane, begin + skew(r, lane), kind[k]);
            }
        at(r, begin + 90);
        if (k == 1)
            messages(r, i);
        for (uint32_t lane = 0; lane < r->lanes; lane++)
            if (k < 2 || comes(r, lane, i))
                leave(r, lane, begin + 50 + skew(r, lane));
    }
}

struct cost {
    struct prvcut_replay_counts counts;
    size_t memory;
};

static struct cost replay(enum damage damage, enum prvcut_replay_model model, uint32_t lanes,
                          uint64_t iterations)
{
    static uint32_t rank[WIDE];
    const struct prvcut_replay_group world = { rank, lanes };
    const struct prvcut_replay_options o = { .lanes = lanes,
                                             .group = &world,
                                             .groups = 1,
                                             .model = model,
                                             .eager = PRVCUT_REPLAY_EAGER,
                                             .cap = CAP };
    struct run r = { .damage = damage, .lanes = lanes };
    struct cost c;

    for (uint32_t i = 0; i < lanes; i++)
        rank[i] = i;
    ck_assert_int_eq(prvcut_replay_new(&r.replay, &o, &error), PRVCUT_OK);
    for (uint64_t i = 0; i < iterations; i++)
        iterate(&r, i);
    ck_assert_int_eq(prvcut_replay_finish(r.replay, &error), PRVCUT_OK);
    c = (struct cost){ *prvcut_replay_counts(r.replay), prvcut_replay_memory(r.replay) };
    prvcut_replay_free(r.replay);
    return c;
}

/* Messages that nobody takes, and operations that somebody may still come to, are kept up to a
   limit: bytes of so many. */
#define MESSAGES_MOST   (LANES * 65536 * 80)
#define OPERATIONS_MOST (262144 * 40 + 262144 / LANES * 104)

static size_t may_hold(enum damage damage, size_t before)
{
    return damage == FUTURE || damage == UNPOSTED  ? MESSAGES_MOST
           : damage == MEMBER || damage == UNENDED ? OPERATIONS_MOST
                                                   : before + before / 8;
}

START_TEST(test_cost_grows_as_the_run)
{
    const uint64_t iterations = 500;
    const enum prvcut_replay_model model = _i % 2 ? PRVCUT_REPLAY_CAUSAL : PRVCUT_REPLAY_DIMEMAS;
    const enum damage damage = (enum damage)(_i / 2);
    const struct cost one = replay(damage, model, LANES, iterations),
                      ten = replay(damage, model, LANES, 10 * iterations);
    const bool good =
        ten.counts.steps <= 12 * one.counts.steps && ten.memory <= may_hold(damage, one.memory);

    printf("E15 %-31s %s: steps %7" PRIu64 " %8" PRIu64 ", %5.2f times; KiB %4zu %5zu; released "
           "%5" PRIu64 "  %s\n",
           damage_name[damage], _i % 2 ? "causal " : "dimemas", one.counts.steps, ten.counts.steps,
           (double)ten.counts.steps / (double)one.counts.steps, one.memory / 1024,
           ten.memory / 1024, ten.counts.released, good ? "as the run" : "WRONG");
    ck_assert(good);
}
END_TEST

/* So many threads that fewer operations are kept than a short run has. */
START_TEST(test_operations_that_nobody_comes_to_take_bounded_memory)
{
    const struct cost one = replay(MEMBER, PRVCUT_REPLAY_DIMEMAS, WIDE, 300),
                      two = replay(MEMBER, PRVCUT_REPLAY_DIMEMAS, WIDE, 600);

    printf("E15 %d threads, a member never comes: steps %" PRIu64 " %" PRIu64 "; KiB %zu %zu\n",
           WIDE, one.counts.steps, two.counts.steps, one.memory / 1024, two.memory / 1024);
    ck_assert_uint_eq(two.memory, one.memory);
    ck_assert_uint_le(two.counts.steps, one.counts.steps * 12 / 5);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("growth of a replay");
    TCase *c = tcase_create("growth");

    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, test_cost_grows_as_the_run, 0, 2 * DAMAGES);
    tcase_add_test(c, test_operations_that_nobody_comes_to_take_bounded_memory);
    suite_add_tcase(s, c);
    return run_suite(s);
}
