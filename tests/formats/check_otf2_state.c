#include "otf2/cut.h"

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is open at a border, against plain lists. */

#define MOST 64u

static struct o2_state state;

static void setup(void)
{
    state = (struct o2_state){ 0 };
}

static void teardown(void)
{
    o2_state_fini(&state);
    ck_assert_ptr_null(state.open.at);
}

static void push(enum o2_open_kind kind, uint32_t ref)
{
    ck_assert(o2_state_push(&state, kind, ref, ref + 100));
}

/* The refs that are open, outermost first. */
static void expect_open(const char *want)
{
    char have[256] = "";

    for (size_t i = 0; i < state.open.count; i++) {
        const struct prvcut_frame *f = &state.open.at[i];
        const size_t at = strlen(have);

        ck_assert_uint_eq(f->note, (uint64_t)f->value + 100);
        snprintf(have + at, sizeof have - at, "%s%u", at > 0 ? " " : "", (unsigned)f->value);
    }
    ck_assert_str_eq(have, want);
}

START_TEST(test_pop_takes_the_innermost)
{
    push(O2_OPEN_REGION, 1);
    push(O2_OPEN_REGION, 2);
    push(O2_OPEN_REGION, 1);
    o2_state_pop(&state, O2_OPEN_REGION, 1);
    expect_open("1 2");
    o2_state_pop(&state, O2_OPEN_REGION, 1);
    expect_open("2");
    o2_state_pop(&state, O2_OPEN_REGION, 2);
    o2_state_pop(&state, O2_OPEN_REGION, 2);
    expect_open("");
}
END_TEST

/* Of its kind one with another ref is better than none; of another kind none. */
START_TEST(test_pop_of_what_is_not_open)
{
    push(O2_OPEN_REGION, 1);
    push(O2_OPEN_REGION, 2);
    push(O2_OPEN_TEAM, 3);
    o2_state_pop(&state, O2_OPEN_FORK, 3);
    expect_open("1 2 3");
    o2_state_pop(&state, O2_OPEN_REGION, 3);
    expect_open("1 3");
}
END_TEST

/* A region ends: what it called is gone with it, regions and teams go on. */
START_TEST(test_pop_takes_collectives_with_it)
{
    push(O2_OPEN_COLLECTIVE, 1);
    push(O2_OPEN_REGION, 2);
    push(O2_OPEN_COLLECTIVE, 3);
    push(O2_OPEN_REGION, 4);
    push(O2_OPEN_RMA_COLLECTIVE, 5);
    push(O2_OPEN_TEAM, 6);
    o2_state_pop(&state, O2_OPEN_REGION, 2);
    expect_open("1 4 6");
}
END_TEST

/* Regions alone are a list from which the last of that number goes. */
START_TEST(test_pop_of_regions_as_of_a_list)
{
    uint32_t list[MOST];
    size_t count = 0;

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 200; k++) {
        const uint32_t ref = (uint32_t)rand() % 5;
        size_t at = count;

        if (count < 8 && rand() % 2) {
            push(O2_OPEN_REGION, ref);
            list[count++] = ref;
            continue;
        }
        while (at > 0 && list[at - 1] != ref)
            at--;
        at = at > 0 ? at : count;
        o2_state_pop(&state, O2_OPEN_REGION, ref);
        if (count > 0)
            memmove(list + at - 1, list + at, (count-- - at) * sizeof *list);
        ck_assert_uint_eq(state.open.count, count);
        for (size_t i = 0; i < count; i++)
            ck_assert_int_eq(state.open.at[i].value, list[i]);
    }
}
END_TEST

/* Locks are held once each, whatever is between. */
START_TEST(test_hold_as_a_set)
{
    bool held[2][3][3] = { 0 };

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 200; k++) {
        const uint32_t kind = (uint32_t)rand() % 2, ref = (uint32_t)rand() % 3;
        const uint64_t id = (uint64_t)rand() % 3;
        const bool hold = rand() % 2;
        size_t count = 0;

        if (hold)
            ck_assert(o2_state_hold(&state, (struct o2_held){ .kind = (enum o2_held_kind)kind,
                                                              .ref = ref,
                                                              .id = id,
                                                              .more = { k } }));
        else
            o2_state_release(&state, (enum o2_held_kind)kind, ref, id);
        held[kind][ref][id] = hold;
        for (unsigned i = 0; i < 18; i++)
            count += held[i / 9][i / 3 % 3][i % 3];
        ck_assert_uint_eq(state.helds, count);
        for (size_t i = 0; i < state.helds; i++)
            ck_assert(held[state.held[i].kind][state.held[i].ref][state.held[i].id]);
        /* The latest is the last, with what it said. */
        if (hold)
            ck_assert_uint_eq(state.held[count - 1].more[0], k);
    }
}
END_TEST

/* Of each metric the last reading; of another number of values it is another one. */
START_TEST(test_read_keeps_the_last_of_each)
{
    const OTF2_Type type[] = { OTF2_TYPE_UINT64, OTF2_TYPE_INT64 };
    OTF2_MetricValue value[2];

    for (uint64_t k = 1; k <= 3; k++) {
        value[0].unsigned_int = 10 * k;
        value[1].unsigned_int = 10 * k + 1;
        ck_assert(o2_state_read(&state, 7, 2, type, value));
        ck_assert(o2_state_read(&state, 8, 1, type + 1, value + 1));
    }
    value[0].unsigned_int = 5;
    ck_assert(o2_state_read(&state, 7, 1, type, value));
    ck_assert_uint_eq(state.readings, 3);
    ck_assert_uint_eq(state.reading[0].metric, 7);
    ck_assert_uint_eq(state.reading[0].value[0].unsigned_int, 30);
    ck_assert_uint_eq(state.reading[0].value[1].unsigned_int, 31);
    ck_assert_uint_eq(state.reading[0].type[1], OTF2_TYPE_INT64);
    ck_assert_uint_eq(state.reading[1].metric, 8);
    ck_assert_uint_eq(state.reading[1].value[0].unsigned_int, 31);
    ck_assert_uint_eq(state.reading[2].value[0].unsigned_int, 5);
}
END_TEST

START_TEST(test_program_is_the_last_one)
{
    const OTF2_StringRef first[] = { 1, 2, 3 }, second[] = { 4 };

    ck_assert(o2_state_program(&state, 9, 3, first));
    ck_assert(o2_state_program(&state, 8, 1, second));
    ck_assert(state.program);
    ck_assert_uint_eq(state.name, 8);
    ck_assert_uint_eq(state.arguments, 1);
    ck_assert_uint_eq(state.argument[0], 4);
    ck_assert(o2_state_program(&state, 7, 0, NULL));
    ck_assert_uint_eq(state.arguments, 0);
}
END_TEST

static Suite *state_suite(void)
{
    Suite *s = suite_create("otf2_state");
    TCase *t = tcase_create("state");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_pop_takes_the_innermost);
    tcase_add_test(t, test_pop_of_what_is_not_open);
    tcase_add_test(t, test_pop_takes_collectives_with_it);
    tcase_add_loop_test(t, test_pop_of_regions_as_of_a_list, 0, 20);
    tcase_add_loop_test(t, test_hold_as_a_set, 0, 20);
    tcase_add_test(t, test_read_keeps_the_last_of_each);
    tcase_add_test(t, test_program_is_the_last_one);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(state_suite());
}
