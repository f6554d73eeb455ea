/* What a window does with messages and collectives at its borders, against their definitions. */
#include "match/crossing.h"

#include "runner.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- Messages ------------------------------------------------------------------------------- */

/* Whose receive is posted and complete at these times. */
static struct prvcut_message message(uint64_t sent, uint64_t posted, uint64_t complete)
{
    return (struct prvcut_message){ .logical_send = sent,
                                    .physical_send = sent,
                                    .logical_receive = posted,
                                    .physical_receive = complete };
}

static const struct prvcut_span all = { 0, 1000 };

START_TEST(test_message_is_inside_from_its_send_to_its_completion)
{
    static const struct {
        uint64_t sent, posted, complete;
        struct prvcut_span sender, receiver;
        bool inside, crosses;
    } cases[] = {
        { 10, 12, 20, { 10, 30 }, { 10, 30 }, true, true },
        { 10, 12, 20, { 11, 30 }, { 11, 30 }, false, true },   /* sent before */
        { 10, 12, 20, { 0, 10 }, { 0, 10 }, false, false },    /* sent at the very end */
        { 10, 12, 20, { 10, 20 }, { 10, 20 }, true, true },    /* complete there: in */
        { 10, 12, 20, { 10, 19 }, { 10, 19 }, false, true },   /* complete behind */
        { 10, 5, 20, { 8, 30 }, { 8, 30 }, true, true },       /* posted before */
        { 10, 20, 20, { 10, 20 }, { 10, 20 }, false, true },   /* posted only at the end */
        { 10, 20, 20, { 10, 21 }, { 10, 21 }, true, true },    /* but not if it goes on */
        { 10, 20, 12, { 10, 20 }, { 10, 20 }, true, true },    /* the data were there before */
        { 10, 20, 12, { 10, 19 }, { 10, 19 }, false, true },   /* its call was not over */
        { 10, 12, 20, { 0, 100 }, { 20, 20 }, false, true },   /* no time of the receiver's */
        { 10, 12, 20, { 0, 100 }, { 20, 50 }, true, true },    /* complete as it begins */
        { 10, 12, 20, { 0, 100 }, { 21, 50 }, false, true },   /* complete before */
        { 10, 12, 20, { 50, 100 }, { 50, 100 }, false, false } /* all of it before */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct prvcut_message m = message(cases[i].sent, cases[i].posted, cases[i].complete);

        ck_assert_msg(prvcut_message_inside(&m, cases[i].sender, cases[i].receiver) ==
                          cases[i].inside,
                      "case %zu is %sinside", i, cases[i].inside ? "not " : "");
        ck_assert_msg(prvcut_message_crosses(&m, cases[i].sender, cases[i].receiver) ==
                          cases[i].crosses,
                      "case %zu: %s of its ends is inside", i, cases[i].crosses ? "none" : "one");
    }
}
END_TEST

/* The call sends, whenever the data leave. */
START_TEST(test_message_is_sent_when_its_call_begins)
{
    struct prvcut_message m = message(10, 12, 20);
    const struct prvcut_span span = { 10, 30 }, behind = { 11, 30 };

    m.physical_send = 5;
    ck_assert(prvcut_message_inside(&m, span, span));
    m.physical_send = 15;
    ck_assert(!prvcut_message_inside(&m, behind, behind));
}
END_TEST

static uint64_t upto(uint64_t most)
{
    return (uint64_t)rand() % (most + 1);
}

static struct prvcut_message any_message(void)
{
    struct prvcut_message m = message(upto(40), upto(40), upto(40));

    m.physical_send = upto(40);
    return m;
}

/* Of windows one behind the other a message is in one at most; in all of the run it is in. */
START_TEST(test_message_is_in_one_of_adjacent_windows_at_most)
{
    unsigned in_one = 0, in_none = 0;

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 500; k++) {
        const struct prvcut_message m = any_message();
        const uint64_t border = upto(40), end = border + upto(40);
        const struct prvcut_span first = { 0, border }, second = { border, end };
        const bool one = prvcut_message_inside(&m, first, first);
        const bool other = prvcut_message_inside(&m, second, second);

        ck_assert(!one || !other);
        ck_assert(prvcut_message_inside(&m, all, all));
        ck_assert((!one && !other) || prvcut_message_crosses(&m, one ? first : second, all));
        in_one += one || other;
        in_none += !one && !other;
    }
    ck_assert_uint_gt(in_one, 50);
    ck_assert_uint_gt(in_none, 50);
}
END_TEST

static bool within(uint64_t time, struct prvcut_span s)
{
    return time >= s.start && time <= s.end;
}

/* Times that were in stay, others are at the nearer border; a second time changes nothing. */
START_TEST(test_clamp_moves_times_to_the_nearer_border)
{
    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 200; k++) {
        const uint64_t from = upto(20), of = upto(20);
        const struct prvcut_span sender = { from, from + upto(20) }, receiver = { of, of + 10 };
        const struct prvcut_message m = any_message();
        struct prvcut_message c = m, again;

        prvcut_message_clamp(&c, sender, receiver);
        ck_assert(within(c.logical_send, sender) && within(c.physical_send, sender));
        ck_assert(within(c.logical_receive, receiver) && within(c.physical_receive, receiver));
        ck_assert(!within(m.physical_send, sender) || c.physical_send == m.physical_send);
        ck_assert(!within(m.logical_receive, receiver) || c.logical_receive == m.logical_receive);
        ck_assert(m.logical_send >= sender.start || c.logical_send == sender.start);
        ck_assert(m.logical_send <= sender.end || c.logical_send == sender.end);
        ck_assert(m.physical_receive <= receiver.end || c.physical_receive == receiver.end);
        again = c;
        prvcut_message_clamp(&again, sender, receiver);
        ck_assert_mem_eq(&again, &c, sizeof c);
    }
}
END_TEST

/* --- Collectives ---------------------------------------------------------------------------- */

#define MEMBERS 6
#define MOST    30u

static bool has_inside(const struct prvcut_taking *t, uint64_t k)
{
    return k >= t->before && k < t->before + t->inside;
}

/* All have it inside, but for those that have no more of them anywhere. */
static bool is_whole(const struct prvcut_taking *t, size_t count, uint64_t k)
{
    for (size_t i = 0; i < count; i++)
        if (!has_inside(&t[i], k) && (k < t[i].before || !t[i].done))
            return false;
    return true;
}

static uint64_t split_of(const struct prvcut_taking *t, size_t count)
{
    uint64_t split = 0;

    for (uint64_t k = 0; k < 2 * MOST; k++) {
        bool any = false;

        for (size_t i = 0; i < count; i++)
            any = any || has_inside(&t[i], k);
        split += any && !is_whole(t, count, k);
    }
    return split;
}

static void expect_whole(const struct prvcut_taking *t, size_t count)
{
    struct prvcut_whole have;
    const uint64_t split = prvcut_all_inside(t, count, &have);
    uint64_t k = 0;

    ck_assert_uint_eq(split, split_of(t, count));
    ck_assert_uint_le(have.low, have.high);
    /* An assertion is a system call. */
    while (k < 2 * MOST && (k >= have.low && k < have.high) == is_whole(t, count, k))
        k++;
    ck_assert_msg(k == 2 * MOST, "the %" PRIu64 "th of [%" PRIu64 ",%" PRIu64 ")", k, have.low,
                  have.high);
}

/* Of each end stay those whose other end is inside, and those of which no other one was recorded.
 */
START_TEST(test_messages_of_a_channel_stay_with_both_their_ends)
{
    srand((unsigned)_i + 1);
    for (unsigned n = 0; n < 200; n++) {
        const struct prvcut_taking own = { upto(MOST / 2), upto(MOST / 2), false };
        const struct prvcut_taking other = { upto(MOST / 2), upto(MOST / 2), upto(2) == 0 };
        const struct prvcut_whole whole = prvcut_partners_inside(&other);
        uint64_t stay = 0;

        for (uint64_t k = own.before; k < own.before + own.inside; k++) {
            const bool stays =
                has_inside(&other, k) || (other.done && k >= other.before + other.inside);

            ck_assert_int_eq(prvcut_whole_has(&whole, k), stays);
            stay += stays;
        }
        ck_assert_uint_eq(prvcut_whole_count(&whole, &own), stay);
    }
}
END_TEST

START_TEST(test_collectives_of_nobody_are_none)
{
    struct prvcut_whole have;

    ck_assert_uint_eq(prvcut_all_inside(NULL, 0, &have), 0);
    ck_assert_uint_eq(have.low, 0);
    ck_assert_uint_eq(have.high, UINT64_MAX);
}
END_TEST

START_TEST(test_collectives_by_hand)
{
    static const struct prvcut_taking same[] = { { 3, 4, false }, { 3, 4, false } };
    static const struct prvcut_taking ahead[] = { { 3, 4, false }, { 4, 4, false } };
    static const struct prvcut_taking apart[] = { { 0, 2, false }, { 5, 2, false } };
    static const struct prvcut_taking gone[] = { { 3, 1, true }, { 3, 4, false } };
    static const struct prvcut_taking idle[] = { { 3, 4, false }, { 3, 0, false } };
    struct prvcut_whole have;

    ck_assert_uint_eq(prvcut_all_inside(same, 2, &have), 0);
    ck_assert(have.low == 3 && have.high == 7);
    /* One at each border. */
    ck_assert_uint_eq(prvcut_all_inside(ahead, 2, &have), 2);
    ck_assert(have.low == 4 && have.high == 7);
    /* What lies between their windows, none has inside. */
    ck_assert_uint_eq(prvcut_all_inside(apart, 2, &have), 4);
    ck_assert(have.low == have.high);
    /* One that has no more takes none away. */
    ck_assert_uint_eq(prvcut_all_inside(gone, 2, &have), 0);
    ck_assert(have.low == 3 && have.high == 7);
    /* One that has all of them behind the window does. */
    ck_assert_uint_eq(prvcut_all_inside(idle, 2, &have), 4);
    ck_assert(have.low == have.high);
}
END_TEST

static int by_before(const void *a, const void *b)
{
    const struct prvcut_taking *x = a, *y = b;

    return (x->before > y->before) - (x->before < y->before);
}

START_TEST(test_collectives_of_anybody_are_those_that_all_have)
{
    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 200; k++) {
        struct prvcut_taking t[MEMBERS];
        const size_t count = 1 + upto(MEMBERS - 1);

        for (size_t i = 0; i < count; i++) {
            t[i] = (struct prvcut_taking){ upto(MOST / 2), upto(MOST / 2), upto(2) == 0 };
            t[i].done = t[i].done && t[i].inside > 0;
        }
        qsort(t, count, sizeof *t, by_before);
        expect_whole(t, count);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("crossing");
    TCase *t = tcase_create("crossing");

    tcase_add_test(t, test_message_is_inside_from_its_send_to_its_completion);
    tcase_add_test(t, test_message_is_sent_when_its_call_begins);
    tcase_add_loop_test(t, test_message_is_in_one_of_adjacent_windows_at_most, 0, 4);
    tcase_add_loop_test(t, test_clamp_moves_times_to_the_nearer_border, 0, 4);
    tcase_add_loop_test(t, test_messages_of_a_channel_stay_with_both_their_ends, 0, 4);
    tcase_add_test(t, test_collectives_of_nobody_are_none);
    tcase_add_test(t, test_collectives_by_hand);
    tcase_add_loop_test(t, test_collectives_of_anybody_are_those_that_all_have, 0, 8);
    suite_add_tcase(s, t);
    return run_suite(s);
}
