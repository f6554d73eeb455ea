#include "convert/border.h"
#include "convert/holes.h"

#include "runner.h"

#include <stdlib.h>

#define LENGTH 1000

/* What the borders added. */
static struct prvcut_item added[4096];
static size_t count;
static struct cnv_border b;

static enum prvcut_status keep(void *ctx, const struct prvcut_item *item, struct prvcut_error *err)
{
    (void)ctx, (void)err;
    ck_assert_uint_lt(count, sizeof added / sizeof *added);
    added[count++] = *item;
    return PRVCUT_OK;
}

static const struct cnv_sink sink = { .put = keep };

static void setup(void)
{
    count = 0;
    ck_assert_int_eq(cnv_border_init(&b, 3, LENGTH, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    cnv_border_fini(&b);
}

static void before(uint32_t thread, uint32_t type, int64_t value)
{
    const struct prvcut_item e = { .thread = thread,
                                   .kind = PRVCUT_ITEM_EVENT,
                                   .role = PRVCUT_ROLE_REGION,
                                   .event = { .type = type, .value = value } };

    ck_assert_int_eq(cnv_border_before(&b, &e, NULL), PRVCUT_OK);
}

/* Its value once it has passed. */
static int64_t inside(uint32_t thread, enum prvcut_role role, uint32_t type, int64_t value,
                      bool from_start)
{
    struct prvcut_item e = { .thread = thread,
                             .kind = PRVCUT_ITEM_EVENT,
                             .role = (uint8_t)role,
                             .event = { .type = type, .value = value } };

    ck_assert_int_eq(cnv_border_event(&b, &e, from_start, NULL), PRVCUT_OK);
    return e.event.value;
}

static void expect(size_t i, uint64_t time, uint32_t type, int64_t value)
{
    ck_assert_uint_lt(i, count);
    ck_assert_uint_eq(added[i].time, time);
    ck_assert_uint_eq(added[i].event.type, type);
    ck_assert_int_eq(added[i].event.value, value);
}

/* In main and in f when the window begins; g has ended. The end of main leaves f open. */
START_TEST(test_border_opens_again_what_is_open_and_ends_it)
{
    before(1, 10, 1);
    before(1, 20, 2);
    before(1, 30, 3);
    before(1, 30, 0);
    ck_assert_int_eq(cnv_border_begin(&b, 1, &sink, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, 2);
    expect(0, 0, 10, 1);
    expect(1, 0, 20, 2);
    ck_assert_uint_eq(added[0].thread, 1);
    ck_assert_int_eq(cnv_border_begin(&b, 1, &sink, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, 2);
    inside(1, PRVCUT_ROLE_REGION, 10, 0, false);
    inside(1, PRVCUT_ROLE_REGION, 40, 4, false);
    ck_assert_int_eq(cnv_border_end(&b, 1, &sink, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, 4);
    expect(2, LENGTH, 40, 0);
    expect(3, LENGTH, 20, 0);
}
END_TEST

/* Of one type within itself the innermost ends. */
START_TEST(test_border_end_is_that_of_the_innermost)
{
    before(0, 10, 1);
    before(0, 10, 2);
    before(0, 10, 0);
    ck_assert_int_eq(cnv_border_begin(&b, 0, &sink, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, 1);
    expect(0, 0, 10, 1);
}
END_TEST

/* A counter's first value has counted from before the window; so has no other one. */
START_TEST(test_border_first_value_of_each_counter_is_zero)
{
    ck_assert_int_eq(inside(0, PRVCUT_ROLE_INSTRUCTIONS, 42000050, 70, false), 0);
    ck_assert_int_eq(inside(0, PRVCUT_ROLE_INSTRUCTIONS, 42000050, 71, false), 71);
    ck_assert_int_eq(inside(0, PRVCUT_ROLE_CYCLES, 42000059, 72, false), 0);
    ck_assert_int_eq(inside(1, PRVCUT_ROLE_INSTRUCTIONS, 42000050, 73, false), 0);
    ck_assert_int_eq(inside(2, PRVCUT_ROLE_INSTRUCTIONS, 42000050, 74, true), 74);
    ck_assert_int_eq(inside(0, PRVCUT_ROLE_OTHER, 7, 75, false), 75);
}
END_TEST

/* Whatever passes: on each thread begins and ends of a type, added ones among them, are equal. */
START_TEST(test_border_leaves_nothing_open)
{
    int open[3][5] = { { 0 } };

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 60; k++)
        before((uint32_t)rand() % 3, (uint32_t)rand() % 5, rand() % 3);
    for (uint32_t t = 0; t < 3; t++)
        ck_assert_int_eq(cnv_border_begin(&b, t, &sink, NULL), PRVCUT_OK);
    for (size_t i = 0; i < count; i++)
        open[added[i].thread][added[i].event.type]++;
    for (unsigned k = 0; k < 60; k++) {
        const uint32_t thread = (uint32_t)rand() % 3, type = (uint32_t)rand() % 5;
        const int64_t value = rand() % 3;

        inside(thread, PRVCUT_ROLE_REGION, type, value, false);
        /* An end without a begin ends nothing. */
        open[thread][type] += value != 0 ? 1 : open[thread][type] > 0 ? -1 : 0;
    }
    count = 0;
    for (uint32_t t = 0; t < 3; t++)
        ck_assert_int_eq(cnv_border_end(&b, t, &sink, NULL), PRVCUT_OK);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(added[i].time, LENGTH);
        ck_assert_int_eq(added[i].event.value, 0);
        open[added[i].thread][added[i].event.type]--;
    }
    for (unsigned k = 0; k < 15; k++)
        ck_assert_int_eq(open[k / 5][k % 5], 0);
}
END_TEST

/* A call that ends where a stretch begins is not in it, neither as one of no length; what goes on
   there is begun again, and in the order of time whatever other threads do at the same time. */
START_TEST(test_holes_do_not_begin_again_what_ends_there)
{
    static const struct {
        uint64_t time;
        uint32_t thread, type;
        int64_t value;
    } given[] = { { 5, 0, 60, 1 },  { 10, 0, 50, 1 }, { 10, 1, 50, 7 }, { 20, 1, 50, 0 },
                  { 20, 0, 50, 0 }, { 20, 0, 50, 2 }, { 30, 0, 50, 0 }, { 40, 0, 60, 0 } },
      kept[] = { { 20, 0, 60, 1 }, { 20, 0, 50, 2 }, { 30, 0, 50, 0 }, { 40, 0, 60, 0 } };
    static const struct prvcut_span span[] = { { 20, UINT64_MAX }, { 20, UINT64_MAX } };
    static const size_t first[] = { 0, 1, 2 };
    const struct cnv_holes holes = { span, first, 2 };
    const struct cnv_holes_plan plan = { .holes = &holes, .length = 50 };
    struct cnv_holes_walk *walk;
    struct prvcut_item *out;
    size_t n, all = 0;

    ck_assert_int_eq(cnv_holes_walk_new(&walk, &plan, NULL), PRVCUT_OK);
    for (size_t i = 0; i <= sizeof given / sizeof *given; i++) {
        const bool last = i == sizeof given / sizeof *given;
        const struct prvcut_item item = { .time = last ? 0 : given[i].time,
                                          .thread = last ? 0 : given[i].thread,
                                          .kind = PRVCUT_ITEM_EVENT,
                                          .role = PRVCUT_ROLE_REGION,
                                          .head = true,
                                          .event = { .type = last ? 0 : given[i].type,
                                                     .value = last ? 0 : given[i].value } };

        ck_assert_int_eq(last ? cnv_holes_end(walk, &out, &n, NULL)
                              : cnv_holes_items(walk, &item, 1, &out, &n, NULL),
                         PRVCUT_OK);
        for (size_t k = 0; k < n; k++, all++) {
            ck_assert_uint_lt(all, sizeof kept / sizeof *kept);
            ck_assert_uint_eq(out[k].time, kept[all].time);
            ck_assert_uint_eq(out[k].thread, kept[all].thread);
            ck_assert_uint_eq(out[k].event.type, kept[all].type);
            ck_assert_int_eq(out[k].event.value, kept[all].value);
        }
    }
    ck_assert_uint_eq(all, sizeof kept / sizeof *kept);
    cnv_holes_walk_free(walk);
}
END_TEST

static Suite *border_suite(void)
{
    Suite *s = suite_create("border");
    TCase *t = tcase_create("border");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_border_opens_again_what_is_open_and_ends_it);
    tcase_add_test(t, test_border_end_is_that_of_the_innermost);
    tcase_add_test(t, test_border_first_value_of_each_counter_is_zero);
    tcase_add_test(t, test_holes_do_not_begin_again_what_ends_there);
    tcase_add_loop_test(t, test_border_leaves_nothing_open, 0, 100);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(border_suite());
}
