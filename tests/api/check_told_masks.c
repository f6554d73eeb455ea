#include "prvcut/reduce.h"

#include "tests/structure/generated.h"

#include "runner.h"

#include <string.h>

static struct prvcut_error error;

static struct prvcut_reduction *reduce(unsigned iterations)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_reduce_options options = {
        .iterations = iterations, .cut = &(const struct prvcut_cut_options){ .dry_run = true }
    };
    struct prvcut_reduction *r;
    struct prvcut_trace *trace;

    ck_assert_msg(prvcut_trace_open(&trace, "g.prv", NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_reduce(trace, &run, &options, &r, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_trace_close(trace);
    return r;
}

/* What spoils the run is told alike, however much is to be cut: nothing flushes between flushes. */
START_TEST(test_tell_masks_whatever_is_wanted)
{
    struct prvcut_reduction *two, *many;

    generated_make("--iterations 60 --tasks 4 --flush-every 400 --flush-ns 3000000", "g");
    two = reduce(2);
    many = reduce(12);
    ck_assert_uint_gt(two->structure->masks, 2);
    ck_assert_uint_eq(two->structure->masks, many->structure->masks);
    for (size_t i = 0; i < two->structure->masks; i++) {
        const struct prvcut_mask *a = prvcut_structure_mask(two->structure, i),
                                 *b = prvcut_structure_mask(many->structure, i);

        ck_assert_uint_eq(a->cause, b->cause);
        ck_assert_uint_eq(a->span.start, b->span.start);
        ck_assert_uint_eq(a->span.end, b->span.end);
        ck_assert_uint_eq(a->affected, b->affected);
    }
    ck_assert_uint_gt(two->structure->iterations_masked, 0);
    ck_assert_uint_eq(two->structure->iterations_masked, many->structure->iterations_masked);
    prvcut_reduction_free(two);
    prvcut_reduction_free(many);
}
END_TEST

static Suite *told_masks_suite(void)
{
    Suite *s = suite_create("told_masks");
    TCase *t = tcase_create("told_masks");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_tell_masks_whatever_is_wanted);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(told_masks_suite());
}
