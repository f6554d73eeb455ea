/*
 * The order of receives: which are complete in another order than they were posted, against ranks
 * that are counted.
 */
#include "otf2/cut.h"

#include "runner.h"

#include <stdlib.h>

/* A receive may overtake so many of its channel. */
#define BLOCK 16u

/* Posts that are followed at a time; the next one gives up the first. */
#define POSTS 4096u

#define MOST  256u

static struct o2_posts *posts;
static struct o2_channel channel;

static void setup(void)
{
    posts = NULL;
    channel = (struct o2_channel){ .receive = 1 };
}

static void teardown(void)
{
    o2_order_free(channel.order);
    free(posts);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)rand() % n;
}

/* --- Posts ------------------------------------------------------------------------------------ */

static void add_posts(uint64_t from, uint64_t count)
{
    uint64_t i = 0, post = UINT64_MAX;

    /* An assertion is a system call. */
    while (i < count && o2_posts_add(&posts, &post) && post == from + i)
        i++;
    ck_assert_msg(i == count, "%u, not %u", (unsigned)post, (unsigned)(from + i));
}

START_TEST(test_posts_of_nobody_are_overtaken_by_none)
{
    ck_assert(!o2_posts_end(NULL, 0));
    ck_assert(!o2_posts_end(NULL, 7));
}
END_TEST

START_TEST(test_posts_tell_whether_an_earlier_one_is_open)
{
    add_posts(0, 4);
    ck_assert(o2_posts_end(posts, 2));
    ck_assert(!o2_posts_end(posts, 0));
    ck_assert(o2_posts_end(posts, 3));
    ck_assert(!o2_posts_end(posts, 1));
    add_posts(4, 2);
    ck_assert(!o2_posts_end(posts, 4));
    ck_assert(!o2_posts_end(posts, 5));
}
END_TEST

/* Some hundred are open at a time, for much longer than the room for them. */
START_TEST(test_posts_in_any_order_as_counted)
{
    static uint64_t open[MOST];
    size_t opens = 0;
    uint64_t next = 0;
    unsigned overtaking = 0, wrong = 0;

    srand((unsigned)_i + 1);
    while (next < 3 * POSTS || opens > 0) {
        const bool first = below(2) == 0;
        uint64_t post, least = UINT64_MAX;
        size_t at = opens > 0 ? below((uint32_t)opens) : 0;

        if (next < 3 * POSTS && opens < MOST && (opens == 0 || below(2) == 0)) {
            add_posts(next, 1);
            open[opens++] = next++;
            continue;
        }
        for (size_t i = 0; i < opens; i++)
            if (open[i] < least) {
                least = open[i];
                at = first ? i : at;
            }
        post = open[at];
        open[at] = open[--opens];
        wrong += o2_posts_end(posts, post) != (post > least);
        overtaking += post > least;
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_gt(overtaking, POSTS / 2);
}
END_TEST

/* One that is never complete is given up where the room is full, and is no more looked for. */
START_TEST(test_posts_give_up_what_is_never_complete)
{
    add_posts(0, POSTS);
    ck_assert(o2_posts_end(posts, 1));
    add_posts(POSTS, 1);
    ck_assert(!o2_posts_end(posts, 2));
    ck_assert(o2_posts_end(posts, 4));
    ck_assert(!o2_posts_end(posts, 0));
    ck_assert(!o2_posts_end(posts, 3));
    ck_assert(o2_posts_end(posts, POSTS));
}
END_TEST

/* What is complete a second time, or was never posted, says nothing of others. */
START_TEST(test_posts_that_are_not_open_change_nothing)
{
    bool overtakes = false;

    add_posts(0, 1);
    o2_posts_end(posts, 0);
    o2_posts_end(posts, 0);
    o2_posts_end(posts, 5);
    add_posts(1, POSTS + 1);
    for (uint64_t i = 1; i < 5; i++)
        ck_assert(!o2_posts_end(posts, i));
    ck_assert(o2_posts_end(posts, 6));
    for (uint64_t i = 5; i < POSTS; i++)
        overtakes = overtakes || (i != 6 && o2_posts_end(posts, i));
    ck_assert(!overtakes);
    ck_assert(o2_posts_end(posts, POSTS + 1));
}
END_TEST

/* --- Receives of a channel -------------------------------------------------------------------- */

enum place { BEFORE, INSIDE, BEHIND };

/* The channel's next receive is complete; as the survey does it. */
static void complete(uint64_t post, enum place place, bool always)
{
    if (always || o2_posts_end(posts, post) || channel.order)
        ck_assert(o2_order_note(&channel, post, place == INSIDE));
    channel.before += place == BEFORE;
    channel.inside += place == INSIDE;
}

static uint64_t rank_of(const uint64_t *post, size_t count, size_t index)
{
    uint64_t rank = 0;

    for (size_t i = 0; i < count; i++)
        rank += post[i] < post[index];
    return rank;
}

/* Each that is inside has the rank of its post, and is found by it; no other one is. */
static void expect_ranks(const uint64_t *post, size_t count)
{
    const struct prvcut_whole inside = { channel.before, channel.before + channel.inside };
    bool has[MOST + BLOCK] = { false };
    size_t k = 0;

    ck_assert(o2_order_end(channel.order));
    for (size_t i = (size_t)inside.low; i < inside.high; i++) {
        const uint64_t rank = rank_of(post, count, i);

        ck_assert_msg(o2_order_ordinal(channel.order, i) == rank, "index %zu", i);
        has[rank] = true;
    }
    while (k < count + BLOCK && o2_order_has(channel.order, &inside, k) == has[k])
        k++;
    ck_assert_msg(k == count + BLOCK, "ordinal %zu", k);
}

START_TEST(test_order_of_none_is_that_of_the_posts)
{
    const struct prvcut_whole inside = { 3, 5 };

    ck_assert(o2_order_end(NULL));
    ck_assert_uint_eq(o2_order_ordinal(NULL, 7), 7);
    ck_assert(!o2_order_has(NULL, &inside, 2));
    ck_assert(o2_order_has(NULL, &inside, 3));
    ck_assert(o2_order_has(NULL, &inside, 4));
    ck_assert(!o2_order_has(NULL, &inside, 5));
    o2_order_free(NULL);
}
END_TEST

/* Also where it is noted, but nothing overtakes. */
START_TEST(test_order_without_overtaking_is_that_of_the_posts)
{
    uint64_t post[3 * BLOCK];

    for (size_t i = 0; i < 3 * BLOCK; i++) {
        post[i] = 5 * i;
        complete(post[i], i < BLOCK ? BEFORE : i < 2 * BLOCK ? INSIDE : BEHIND, true);
    }
    expect_ranks(post, 3 * BLOCK);
}
END_TEST

/* Two at the borders change places: the first of the window was posted before the one before it,
   the last one after the one behind it. */
START_TEST(test_order_across_the_borders)
{
    static const uint64_t post[] = { 0, 2, 1, 3, 5, 4, 6 };
    static const enum place place[] = { BEFORE, BEFORE, INSIDE, INSIDE, INSIDE, BEHIND, BEHIND };
    const struct prvcut_whole inside = { 2, 5 };

    add_posts(0, 7);
    for (size_t i = 0; i < 7; i++)
        complete(post[i], place[i], false);
    expect_ranks(post, 7);
    ck_assert_uint_eq(o2_order_ordinal(channel.order, 2), 1);
    ck_assert_uint_eq(o2_order_ordinal(channel.order, 4), 5);
    ck_assert(!o2_order_has(channel.order, &inside, 2));
    ck_assert(!o2_order_has(channel.order, &inside, 4));
}
END_TEST

/* One that is overtaken by as many as are followed. */
START_TEST(test_order_of_one_that_comes_last)
{
    uint64_t post[2 * BLOCK];

    add_posts(0, 2 * BLOCK);
    for (size_t i = 0; i < 2 * BLOCK; i++) {
        post[i] = i + 1 < BLOCK ? i + 1 : i + 1 == BLOCK ? 0 : i;
        complete(post[i], INSIDE, false);
    }
    expect_ranks(post, 2 * BLOCK);
    ck_assert_uint_eq(o2_order_ordinal(channel.order, BLOCK - 1), 0);
    ck_assert_uint_eq(o2_order_ordinal(channel.order, 0), 1);
}
END_TEST

static void shuffle(uint64_t *at, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t k = below((uint32_t)i);
        const uint64_t other = at[k];

        at[k] = at[i - 1];
        at[i - 1] = other;
    }
}

/* Whole blocks in any order; some posts are another channel's, or never complete. */
START_TEST(test_order_of_any_receives_is_that_of_their_posts)
{
    uint64_t post[MOST];
    size_t count = 0;
    uint64_t number = 0;

    srand((unsigned)_i + 1);
    while (count + BLOCK <= MOST) {
        const uint32_t block = 1 + below(BLOCK);

        for (uint32_t i = 0; i < block; i++) {
            const uint32_t others = below(3) == 0;

            add_posts(number, 1 + others);
            number += others;
            post[count + i] = number++;
        }
        shuffle(post + count, block);
        count += block;
    }
    for (size_t i = 0; i < count; i++)
        complete(post[i], i < count / 4 ? BEFORE : i < count / 4 * 3 ? INSIDE : BEHIND, false);
    expect_ranks(post, count);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("otf2_order");
    TCase *t = tcase_create("otf2_order");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_posts_of_nobody_are_overtaken_by_none);
    tcase_add_test(t, test_posts_tell_whether_an_earlier_one_is_open);
    tcase_add_loop_test(t, test_posts_in_any_order_as_counted, 0, 3);
    tcase_add_test(t, test_posts_give_up_what_is_never_complete);
    tcase_add_test(t, test_posts_that_are_not_open_change_nothing);
    tcase_add_test(t, test_order_of_none_is_that_of_the_posts);
    tcase_add_test(t, test_order_without_overtaking_is_that_of_the_posts);
    tcase_add_test(t, test_order_across_the_borders);
    tcase_add_test(t, test_order_of_one_that_comes_last);
    tcase_add_loop_test(t, test_order_of_any_receives_is_that_of_their_posts, 0, 20);
    suite_add_tcase(s, t);
    return run_suite(s);
}
