#include "otf2/cut.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

/*
 * Every location has a list of what it records in the whole run, of which its window holds a part.
 * The matcher gets the counts of that alone; what it says is compared with what the lists say.
 */

#define PLACES 4u
#define LENGTH 48u

enum { WORLD = 5, SELF = 6, INTER = 7, UNKNOWN = 8 };

static uint32_t member[PLACES + 1];
static struct o2_comm comms[3];
static struct o2_trace trace;
static struct prvcut_cut_options options;
static struct prvcut_cut_summary sum;
static struct o2_place places[PLACES];
static struct o2_cutter cutter;

/* How many of them the location has; before its window, inside, behind. */
struct counts {
    uint64_t before, inside, after;
};

static void setup(void)
{
    for (uint32_t i = 0; i < PLACES; i++)
        member[i] = i;
    comms[0] = (struct o2_comm){ .id = WORLD, .number = 1, .count = PLACES };
    comms[1] = (struct o2_comm){ .id = SELF, .number = 2, .self = true };
    comms[2] = (struct o2_comm){ .id = INTER, .number = 3, .inter = true, .count = PLACES };
    memset(&trace, 0, sizeof trace);
    trace.defs.locations = PLACES;
    trace.defs.comm = comms;
    trace.defs.comms = sizeof comms / sizeof *comms;
    trace.defs.member = member;
    options = (struct prvcut_cut_options){ 0 };
    memset(&sum, 0, sizeof sum);
    cutter = (struct o2_cutter){
        .trace = &trace, .options = &options, .sum = &sum, .place = places, .locations = PLACES
    };
    for (uint32_t i = 0; i < PLACES; i++)
        places[i] =
            (struct o2_place){ .cutter = &cutter,
                               .thread = i,
                               .channels = PRVCUT_TABLE(struct o2_channel, before, "channels") };
}

static void teardown(void)
{
    for (uint32_t i = 0; i < PLACES; i++) {
        prvcut_table_fini(&places[i].channels);
        free(places[i].calls);
        free(places[i].stretch);
    }
}

static void match(void)
{
    ck_assert_int_eq(o2_match(&cutter, NULL), PRVCUT_OK);
}

static struct o2_channel *channel(uint32_t thread, uint32_t peer, bool receive, struct counts n)
{
    const struct o2_channel key = { .peer = peer, .tag = 3, .comm = 1, .receive = receive };
    struct o2_channel *c = o2_channel_count(&places[thread], &key);

    ck_assert_ptr_nonnull(c);
    ck_assert_ptr_eq(c, o2_channel_find(&places[thread], &key));
    c->before += n.before;
    c->inside += n.inside;
    return c;
}

static struct o2_channel *found(uint32_t thread, uint32_t peer, bool receive)
{
    return o2_channel_find(
        &places[thread],
        &(struct o2_channel){ .peer = peer, .tag = 3, .comm = 1, .receive = receive });
}

static void calls(uint32_t thread, uint32_t comm, struct counts n)
{
    struct o2_calls *c = o2_calls_of(&places[thread], comm, false);

    ck_assert_ptr_nonnull(c);
    c->before = n.before;
    c->inside = n.inside;
}

/* A part of LENGTH records, and what comes after it. */
static struct counts draw(void)
{
    struct counts n = { .before = (uint64_t)rand() % LENGTH };

    n.inside = (uint64_t)rand() % (LENGTH - n.before);
    n.after = LENGTH - n.before - n.inside;
    return n;
}

static uint64_t total(struct counts n)
{
    return n.before + n.inside + n.after;
}

/* The survey did not see the location's end. */
static void goes_on(uint32_t thread, bool yes)
{
    places[thread].beyond = yes ? 1000 : 0;
}

static bool is_inside(struct counts n, uint64_t k)
{
    return k >= n.before && k < n.before + n.inside;
}

/*
 * The k-th send and the k-th receive are one message: it stays where both are inside, and where
 * one is and the other was not recorded.
 */
START_TEST(test_match_message_stays_with_both_its_ends)
{
    struct counts n[2];
    uint64_t dropped[2] = { 0 };

    srand((unsigned)_i + 1);
    for (unsigned e = 0; e < 2; e++) {
        n[e] = draw();
        if (rand() % 2)
            n[e].after = 0;
        goes_on(e, n[e].after > 0);
        channel(e, 1 - e, e == 1, n[e]);
    }
    match();
    for (uint32_t e = 0; e < 2; e++) {
        struct o2_channel *c = found(e, 1 - e, e == 1);

        for (uint64_t k = n[e].before; k < n[e].before + n[e].inside; k++) {
            const bool alone = n[1 - e].after == 0 && k >= total(n[1 - e]);
            const bool whole = is_inside(n[1 - e], k) || alone;

            dropped[e] += !whole;
            ck_assert_int_eq(o2_channel_holds(c, k), whole);
            ck_assert_int_eq(o2_channel_take(&places[e], c), whole);
        }
        ck_assert_uint_eq(places[e].dropped, dropped[e]);
        ck_assert_uint_eq(places[e].kept, 0);
        ck_assert_uint_eq(places[e].messages, e == 0 ? n[0].inside - dropped[0] : 0);
    }
}
END_TEST

/* Whoever wants all messages keeps halves, and is told how many. */
START_TEST(test_match_halves_stay_where_all_messages_are_wanted)
{
    struct o2_channel *c;

    options.keep_messages = true;
    channel(0, 1, false, (struct counts){ 2, 3, 0 });
    channel(1, 0, true, (struct counts){ 4, 5, 0 });
    goes_on(1, true);
    match();
    c = found(0, 1, false);
    for (unsigned k = 0; k < 3; k++)
        ck_assert(o2_channel_take(&places[0], c));
    ck_assert_uint_eq(places[0].kept, 2);
    ck_assert_uint_eq(places[0].dropped, 0);
    ck_assert_uint_eq(places[0].messages, 3);
}
END_TEST

/* The other end never shows: its location is over, or there were too many for it to be under way.
 */
START_TEST(test_match_message_whose_other_end_is_not_recorded_stays)
{
    struct o2_channel *c;

    channel(0, 1, false, (struct counts){ _i ? 10 : 0, 7, 0 });
    goes_on(1, _i != 0);
    match();
    c = found(0, 1, false);
    for (unsigned k = 0; k < 7; k++)
        ck_assert(o2_channel_take(&places[0], c));
    ck_assert_uint_eq(places[0].dropped, 0);
}
END_TEST

/* A channel of another tag, or the other way round, is another one. */
START_TEST(test_match_other_channel_is_no_partner)
{
    static const struct o2_channel others[] = {
        { .peer = 0, .tag = 4, .comm = 1, .receive = true },
        { .peer = 0, .tag = 3, .comm = 2, .receive = true },
        { .peer = 2, .tag = 3, .comm = 1, .receive = true },
        { .peer = 0, .tag = 3, .comm = 1, .receive = false },
    };
    struct o2_channel *c = o2_channel_count(&places[1], &others[_i]);

    ck_assert_ptr_nonnull(c);
    c->inside = 20;
    channel(0, 1, false, (struct counts){ 0, 5, 0 });
    match();
    for (uint64_t k = 0; k < 5; k++)
        ck_assert(o2_channel_holds(found(0, 1, false), k));
}
END_TEST

/*
 * A collective stays where all members have it inside, or have recorded their last one before; what
 * only some have inside is split.
 */
START_TEST(test_match_collective_stays_with_all_members)
{
    struct counts n[PLACES];
    uint64_t split = 0;

    srand((unsigned)_i + 1);
    for (uint32_t t = 0; t < PLACES; t++) {
        n[t] = draw();
        /* All but one go to the end now and then. */
        if (rand() % 3 == 0)
            n[t].after = 0;
        goes_on(t, n[t].after > 0);
        calls(t, WORLD, n[t]);
    }
    match();
    for (uint64_t k = 0; k < LENGTH; k++) {
        bool any = false, whole = true;

        for (uint32_t t = 0; t < PLACES; t++) {
            any = any || is_inside(n[t], k);
            whole = whole && (is_inside(n[t], k) || (n[t].after == 0 && k >= total(n[t])));
        }
        split += any && !whole;
        for (uint32_t t = 0; t < PLACES; t++)
            if (is_inside(n[t], k))
                ck_assert_int_eq(o2_calls_take(&places[t], WORLD, false), whole);
    }
    ck_assert_uint_eq(sum.split_collectives, split);
}
END_TEST

/* A member that has none yet comes behind its window; after many it is one that records none. */
START_TEST(test_match_collective_of_a_member_that_did_not_come)
{
    const uint64_t count = (uint64_t)_i;

    for (uint32_t t = 0; t + 1 < PLACES; t++)
        calls(t, WORLD, (struct counts){ 0, count, 0 });
    goes_on(PLACES - 1, true);
    match();
    ck_assert_int_eq(o2_calls_take(&places[0], WORLD, false), count > 16);
    ck_assert_uint_eq(sum.split_collectives, count > 16 ? 0 : count);
}
END_TEST

/* It has ended: the original has no more of it. */
START_TEST(test_match_collective_of_a_member_that_ended_stays)
{
    for (uint32_t t = 0; t + 1 < PLACES; t++) {
        calls(t, WORLD, (struct counts){ 0, 4, 0 });
        goes_on(t, true);
    }
    match();
    ck_assert(o2_calls_take(&places[0], WORLD, false));
    ck_assert_uint_eq(sum.split_collectives, 0);
}
END_TEST

/* Blocking and non-blocking ones are counted apart. */
START_TEST(test_match_collectives_that_do_not_block_apart)
{
    for (uint32_t t = 0; t < PLACES; t++) {
        struct o2_calls *c;

        calls(t, WORLD, (struct counts){ 3, 4, 0 });
        c = o2_calls_of(&places[t], WORLD, true);
        ck_assert_ptr_nonnull(c);
        c->before = t;
        c->inside = 10;
    }
    match();
    ck_assert(o2_calls_take(&places[0], WORLD, false));
    for (uint32_t k = 0; k < 5; k++)
        ck_assert_int_eq(o2_calls_take(&places[0], WORLD, true), k + 1 >= PLACES);
    ck_assert_uint_eq(sum.split_collectives, PLACES - 1);
}
END_TEST

/* Where it cannot be told who takes part, all stay and none is split. */
START_TEST(test_match_collectives_of_unknown_members_stay)
{
    static const uint32_t ids[] = { SELF, INTER, UNKNOWN, WORLD };

    /* A location that is no member calls, too. */
    if (ids[_i] == WORLD)
        comms[0].count = PLACES - 1;
    for (uint32_t t = 0; t < PLACES; t++) {
        calls(t, ids[_i], (struct counts){ t, 4, 0 });
        goes_on(t, true);
    }
    match();
    for (uint32_t t = 0; t < PLACES; t++)
        for (unsigned k = 0; k < 4; k++)
            ck_assert(o2_calls_take(&places[t], ids[_i], false));
    ck_assert_uint_eq(sum.split_collectives, 0);
}
END_TEST

/* The window's collectives come back in the order in which they were told. */
START_TEST(test_stretch_returns_communicators_in_order)
{
    uint32_t told[200];

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 200; k++) {
        told[k] = rand() % 4 ? WORLD : rand() % 2 ? SELF : OTF2_UNDEFINED_COMM;
        ck_assert(o2_stretch_append(&places[0], told[k]));
    }
    for (unsigned k = 0; k < 200; k++)
        ck_assert_uint_eq(o2_stretch_next(&places[0]), told[k]);
    ck_assert_uint_eq(o2_stretch_next(&places[0]), OTF2_UNDEFINED_COMM);
}
END_TEST

static Suite *match_suite(void)
{
    Suite *s = suite_create("otf2_match");
    TCase *t = tcase_create("match");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_match_message_stays_with_both_its_ends, 0, 100);
    tcase_add_test(t, test_match_halves_stay_where_all_messages_are_wanted);
    tcase_add_loop_test(t, test_match_message_whose_other_end_is_not_recorded_stays, 0, 2);
    tcase_add_loop_test(t, test_match_other_channel_is_no_partner, 0, 4);
    tcase_add_loop_test(t, test_match_collective_stays_with_all_members, 0, 100);
    tcase_add_loop_test(t, test_match_collective_of_a_member_that_did_not_come, 15, 19);
    tcase_add_test(t, test_match_collective_of_a_member_that_ended_stays);
    tcase_add_test(t, test_match_collectives_that_do_not_block_apart);
    tcase_add_loop_test(t, test_match_collectives_of_unknown_members_stay, 0, 4);
    tcase_add_loop_test(t, test_stretch_returns_communicators_in_order, 0, 20);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(match_suite());
}
