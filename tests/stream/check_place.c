#include "stream/place.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

/*
 * Items of one instant are a text: r and s are a receive and a send, ( and ) begin and end of a
 * call, ] is such an end in the line of the event before it, - is an event of a region.
 */

#define ROOM 64u

static struct prvcut_item item[ROOM], spare[ROOM];

static struct prvcut_item item_of(char c, uint64_t time, uint32_t thread)
{
    struct prvcut_item i = { .time = time, .thread = thread, .kind = PRVCUT_ITEM_EVENT };

    if (c == 'r' || c == 's')
        i.kind = c == 'r' ? PRVCUT_ITEM_RECEIVE : PRVCUT_ITEM_SEND;
    else
        i.role = strchr("()]", c) ? PRVCUT_ROLE_P2P : PRVCUT_ROLE_REGION;
    i.head = c != ']';
    i.event.value = c == '(' ? 1 : 0;
    i.event.type = (uint32_t)(unsigned char)c;
    if (i.kind != PRVCUT_ITEM_EVENT)
        memset(&i.event, 0, sizeof i.event);
    return i;
}

static char char_of(const struct prvcut_item *i)
{
    if (i->kind == PRVCUT_ITEM_RECEIVE)
        return 'r';
    return i->kind == PRVCUT_ITEM_SEND ? 's' : (char)i->event.type;
}

static void put(const char *text, size_t at, uint64_t time, uint32_t thread)
{
    for (; *text; text++)
        item[at++] = item_of(*text, time, thread);
}

static void expect(size_t at, const char *want)
{
    char have[ROOM + 1] = { 0 };

    for (size_t i = 0; i < strlen(want); i++)
        have[i] = char_of(&item[at + i]);
    ck_assert_str_eq(have, want);
}

static const struct group {
    const char *in, *out;
} groups[] = {
    { "", "" },
    { "r", "r" },
    { "()", "()" },
    /* A receive is in the call that ends; a send in the one that begins. */
    { "r)", "r)" },
    { "(s", "(s" },
    { "r(", "(r" },
    { ")s", "s)" },
    { "r()", "(r)" },
    { "()s", "(s)" },
    { "rr()ss", "(ssrr)" },
    /* One call after the other: received in the first to end, sent in the last. */
    { "r)(s", "r)(s" },
    { "r)()s", "r)(s)" },
    { "r()()s", "(r)(s)" },
    { "r()(s", "(r)(s" },
    /* Before the line of the call's end, not within it. */
    { "r(-]", "(r-]" },
    { "(-]s", "(s-]" },
    /* No call: nothing moves. */
    { "r-s", "r-s" },
    { "rs", "rs" },
};

START_TEST(test_place_puts_ends_into_their_calls)
{
    const size_t count = strlen(groups[_i].in);

    put(groups[_i].in, 0, 5, 0);
    stm_place_group(item, count, spare);
    expect(0, groups[_i].out);
}
END_TEST

/* Whatever there is: the same items, events in their order. */
START_TEST(test_place_keeps_items_and_the_order_of_events)
{
    char text[ROOM] = { 0 }, events[ROOM] = { 0 }, kept[ROOM] = { 0 };
    const unsigned receives = (unsigned)_i % 4, sends = (unsigned)_i / 4 % 4;
    unsigned n = 0, found[2] = { 0 };

    srand((unsigned)_i + 1);
    memset(text, 'r', receives);
    for (unsigned k = 0; k < 8; k++)
        events[k] = text[receives + k] = "()-"[rand() % 3];
    memset(text + receives + 8, 's', sends);
    put(text, 0, 5, 0);
    stm_place_group(item, strlen(text), spare);
    for (size_t i = 0; i < strlen(text); i++) {
        found[0] += char_of(&item[i]) == 'r';
        found[1] += char_of(&item[i]) == 's';
        if (item[i].kind == PRVCUT_ITEM_EVENT)
            kept[n++] = char_of(&item[i]);
    }
    ck_assert_uint_eq(found[0], receives);
    ck_assert_uint_eq(found[1], sends);
    ck_assert_str_eq(kept, events);
}
END_TEST

/* Another time or thread is another group. */
START_TEST(test_place_all_groups)
{
    put("r()", 0, 5, 0);
    put("r()", 3, 5, 1);
    put("r()", 6, 6, 1);
    ck_assert_uint_eq(stm_place_all(item, 9, true, spare), 9);
    expect(0, "(r)(r)(r)");
}
END_TEST

/* The last group may go on: it stays as it is until all of it is there. */
START_TEST(test_place_all_leaves_the_last_group)
{
    put("r()", 0, 5, 0);
    put("r()", 3, 6, 0);
    ck_assert_uint_eq(stm_place_all(item, 6, false, spare), 3);
    expect(0, "(r)r()");
    ck_assert_uint_eq(stm_place_all(item + 3, 3, true, spare), 3);
    expect(3, "(r)");
}
END_TEST

/* Where there is only one, room is too small for more: it is placed. */
START_TEST(test_place_all_of_one_group)
{
    put("r()", 0, 5, 0);
    ck_assert_uint_eq(stm_place_all(item, 3, false, spare), 3);
    expect(0, "(r)");
    ck_assert_uint_eq(stm_place_all(item, 0, true, spare), 0);
}
END_TEST

static Suite *place_suite(void)
{
    Suite *s = suite_create("place");
    TCase *t = tcase_create("place");

    tcase_add_loop_test(t, test_place_puts_ends_into_their_calls, 0,
                        (int)(sizeof groups / sizeof *groups));
    tcase_add_loop_test(t, test_place_keeps_items_and_the_order_of_events, 0, 100);
    tcase_add_test(t, test_place_all_groups);
    tcase_add_test(t, test_place_all_leaves_the_last_group);
    tcase_add_test(t, test_place_all_of_one_group);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(place_suite());
}
