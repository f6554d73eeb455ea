#include "runner.h"

#include "model/calls.h"
#include "model/regions.h"

START_TEST(test_held_call_takes_what_is_its_own)
{
    struct prvcut_item i = { .time = 5,
                             .thread = 2,
                             .kind = PRVCUT_ITEM_EVENT,
                             .role = PRVCUT_ROLE_COLLECTIVE,
                             .event = { .value = 10, .type = PRVCUT_TYPE_MPI_COLLECTIVE } };
    struct prvcut_held_call c = { 0 };

    ck_assert(!prvcut_held_call_take(&c, &i));
    prvcut_held_call_begin(&c, &i);
    ck_assert(!prvcut_held_call_take(&c, &i));
    i.role = PRVCUT_ROLE_SIZE;
    i.event.type = PRVCUT_TYPE_SIZE_RECEIVED;
    ck_assert(prvcut_held_call_take(&c, &i));
    ck_assert_int_eq(c.received, 10);
    ck_assert_int_eq(c.sent, PRVCUT_UNTOLD);
    i.time = 6;
    ck_assert(!prvcut_held_call_take(&c, &i));
    i.time = 5;
    i.thread = 1;
    ck_assert(!prvcut_held_call_take(&c, &i));
}
END_TEST

/* A size, two collectives with a size each, an end between them, a size in a line behind. */
START_TEST(test_held_call_of_a_line_that_begins_two)
{
    const struct prvcut_item size = { .time = 5,
                                      .kind = PRVCUT_ITEM_EVENT,
                                      .role = PRVCUT_ROLE_SIZE,
                                      .event = { .value = 1, .type = PRVCUT_TYPE_SIZE_SENT } };
    const struct prvcut_item call = { .time = 5,
                                      .kind = PRVCUT_ITEM_EVENT,
                                      .role = PRVCUT_ROLE_COLLECTIVE,
                                      .event = { .value = 12,
                                                 .type = PRVCUT_TYPE_MPI_COLLECTIVE } };
    struct prvcut_item line[] = { size, call, size, call, call, size, size };
    struct prvcut_held_call c;

    line[0].head = true;
    line[2].event.value = 7744;
    line[3].event.value = 0;
    line[4].event.value = 10;
    line[5].event.value = 28;
    line[6].event.type = PRVCUT_TYPE_SIZE_RECEIVED;
    line[6].head = true;
    prvcut_held_call_of(&c, line, 7, 1);
    ck_assert_int_eq(c.value, 12);
    ck_assert_int_eq(c.sent, 7744);
    ck_assert_int_eq(c.received, PRVCUT_UNTOLD);
    prvcut_held_call_of(&c, line, 7, 4);
    ck_assert_int_eq(c.value, 10);
    ck_assert_int_eq(c.sent, 28);
    ck_assert_int_eq(c.received, 1);
    /* What stands before the first is that one's, and nobody else's. */
    prvcut_held_call_of(&c, line, 2, 1);
    ck_assert_int_eq(c.sent, 1);
    prvcut_held_call_of(&c, line, 5, 4);
    ck_assert_int_eq(c.sent, PRVCUT_UNTOLD);
}
END_TEST

START_TEST(test_shape_by_role_then_by_type)
{
    struct prvcut_type_name type[] = { { .number = 3, .gauge = true, .text = "memory" },
                                       { .number = 4, .region = true, .text = "loop" } };
    const struct prvcut_dictionary d = { .type = type, .types = 2 };
    char text[64];

    ck_assert_int_eq(prvcut_event_shape(&d, PRVCUT_ROLE_P2P, 9), PRVCUT_SHAPE_REGION);
    ck_assert_int_eq(prvcut_event_shape(&d, PRVCUT_ROLE_CYCLES, 9), PRVCUT_SHAPE_NUMBER);
    ck_assert_int_eq(prvcut_event_shape(&d, PRVCUT_ROLE_OTHER, 3), PRVCUT_SHAPE_NUMBER);
    ck_assert_int_eq(prvcut_event_shape(&d, PRVCUT_ROLE_OTHER, 4), PRVCUT_SHAPE_REGION);
    ck_assert_int_eq(prvcut_event_shape(&d, PRVCUT_ROLE_OTHER, 9), PRVCUT_SHAPE_SINGLE);
    ck_assert_str_eq(prvcut_event_text(text, sizeof text, &d, 4, -5), "loop -5");
    ck_assert_str_eq(prvcut_event_text(text, sizeof text, &d, 9, 1), "type 9 value 1");
    ck_assert_str_eq(prvcut_state_number_text(text, sizeof text, &d, 77), "state 77");
}
END_TEST

static Suite *regions_suite(void)
{
    Suite *suite = suite_create("regions");
    TCase *tests = tcase_create("regions");

    tcase_add_test(tests, test_held_call_takes_what_is_its_own);
    tcase_add_test(tests, test_held_call_of_a_line_that_begins_two);
    tcase_add_test(tests, test_shape_by_role_then_by_type);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(regions_suite());
}
