/* Regions of a thread on their way into an archive that nests them. */
#include "model/nesting.h"

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char written[4096];
static struct prvcut_nested_type types[4];
static struct prvcut_nesting nest;

static void note(const char *what, const struct prvcut_nested *r)
{
    const size_t used = strlen(written);

    snprintf(written + used, sizeof written - used, "%s%u ", what, r->region);
}

static struct prvcut_nested_type *type_of(void *writer, uint32_t type)
{
    (void)writer;
    return &types[type];
}

static enum prvcut_status interrupt(void *writer, uint64_t time, struct prvcut_nested *r,
                                    struct prvcut_error *err)
{
    (void)writer, (void)time, (void)err;
    note("<", r);
    return PRVCUT_OK;
}

static enum prvcut_status resume(void *writer, uint64_t time, struct prvcut_nested *r,
                                 struct prvcut_error *err)
{
    (void)writer, (void)time, (void)err;
    note(">", r);
    return PRVCUT_OK;
}

static enum prvcut_status leave(void *writer, uint64_t time, struct prvcut_nested *r, bool implicit,
                                struct prvcut_error *err)
{
    (void)writer, (void)time, (void)err;
    note(implicit ? "!" : "-", r);
    return PRVCUT_OK;
}

static const struct prvcut_nesting_format format = {
    .type = type_of, .interrupt = interrupt, .resume = resume, .leave = leave
};

static void start(uint32_t thread)
{
    written[0] = '\0';
    nest.format = &format;
    prvcut_nesting_start(&nest, thread);
}

static enum prvcut_status begin(uint32_t type, bool flat, uint32_t region)
{
    const enum prvcut_status st = prvcut_nesting_make_room(&nest, 0, type, flat, NULL);

    if (st == PRVCUT_OK)
        prvcut_nesting_begin(
            &nest, &(struct prvcut_nested){ .region = region, .type = type, .mpi = type == 1 });
    return st;
}

static void setup(void)
{
    for (unsigned i = 0; i < 4; i++)
        types[i] = (struct prvcut_nested_type){ .thread = UINT32_MAX };
}

static void teardown(void)
{
    free(nest.at);
    memset(&nest, 0, sizeof nest);
}

START_TEST(test_nesting_leaves_what_is_inside_and_enters_it_again)
{
    start(0);
    begin(0, false, 10);
    begin(1, true, 11);
    begin(0, false, 12);
    begin(2, false, 13);
    ck_assert(prvcut_nesting_is(&nest, 1, 0));
    ck_assert(!prvcut_nesting_is(&nest, 4, 0));
    ck_assert_uint_eq(nest.mpi, 1);
    ck_assert_int_eq(prvcut_nesting_end(&nest, 0, 1, NULL), PRVCUT_OK);
    ck_assert_str_eq(written, "<13 <12 -11 >12 >13 ");
    ck_assert_uint_eq(nest.mpi, 0);
    ck_assert_int_eq(prvcut_nesting_end(&nest, 0, 1, NULL), PRVCUT_END);
    /* The innermost of its type, not the first. */
    ck_assert_int_eq(prvcut_nesting_end(&nest, 0, 0, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_nesting_end_all(&nest, 0, NULL), PRVCUT_OK);
    ck_assert_str_eq(written, "<13 <12 -11 >12 >13 <13 -12 >13 !13 !10 ");
}
END_TEST

START_TEST(test_nesting_of_a_flat_type_has_one_at_a_time)
{
    start(0);
    begin(1, true, 1);
    begin(1, true, 2);
    ck_assert_str_eq(written, "!1 ");
    ck_assert_uint_eq(nest.depth, 1);
    /* What another thread has open does not count. */
    start(1);
    begin(1, true, 3);
    ck_assert_str_eq(written, "");
    ck_assert_uint_eq(prvcut_nesting_type(&nest, 1)->open, 1);
}
END_TEST

START_TEST(test_nesting_of_calls_ends_all_of_a_type_or_the_innermost)
{
    start(0);
    begin(1, false, 1);
    begin(0, false, 10);
    begin(1, false, 2);
    begin(1, false, 3);
    ck_assert_int_eq(prvcut_nesting_end(&nest, 0, 1, NULL), PRVCUT_OK);
    ck_assert_str_eq(written, "!3 !2 <10 -1 >10 ");
    ck_assert_uint_eq(nest.mpi, 0);
    ck_assert_int_eq(prvcut_nesting_end(&nest, 0, 1, NULL), PRVCUT_END);
    start(1);
    nest.calls_nest = true;
    begin(1, false, 1);
    begin(1, false, 2);
    ck_assert_int_eq(prvcut_nesting_end(&nest, 0, 1, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_nesting_end(&nest, 0, 1, NULL), PRVCUT_OK);
    ck_assert_str_eq(written, "-2 -1 ");
}
END_TEST

/* Values without an end take each other's place at 512; all together end at 4096. */
START_TEST(test_nesting_has_a_limit)
{
    size_t begun = 0;

    start(0);
    for (uint32_t i = 0; i < 600; i++)
        begin(0, false, i);
    ck_assert_uint_eq(nest.depth, 512);
    for (uint32_t i = 0; i < 8 * 512; i++) {
        types[2].open = types[3].open = 0;
        begun += begin(2 + i % 2, false, i) == PRVCUT_OK;
    }
    ck_assert_uint_eq(begun, 4096 - 512);
    ck_assert_uint_eq(nest.depth, 4096);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nesting");
    TCase *t = tcase_create("nesting");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_nesting_leaves_what_is_inside_and_enters_it_again);
    tcase_add_test(t, test_nesting_of_a_flat_type_has_one_at_a_time);
    tcase_add_test(t, test_nesting_of_calls_ends_all_of_a_type_or_the_innermost);
    tcase_add_test(t, test_nesting_has_a_limit);
    suite_add_tcase(s, t);
    return run_suite(s);
}
