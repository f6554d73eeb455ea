/* What iterations of nests are called. */
#include "analysis/patterns/numbers.h"
#include "tests/support/runner.h"

#include <string.h>

static struct prvcut_error error;

#define NUMBERED 40

/* Iterations of one length, one after the other; every `each` of the structure's are one of the
   nest's, which has others before and begins later in them. */
struct numbered {
    struct prvcut_window window[NUMBERED];
    uint64_t number[NUMBERED], begin[NUMBERED], length[NUMBERED];
    struct pat_track track;
    struct pat_points points;
    struct pat_numbered structure;
};

static void put_numbered(struct numbered *n, uint64_t before, uint64_t each, uint64_t late)
{
    memset(n, 0, sizeof *n);
    for (uint64_t i = 0; i < NUMBERED; i++) {
        n->window[i] = (struct prvcut_window){ .from = 1000 * i + 5000, .to = 1000 * i + 6000 };
        n->number[i] = i + 1;
    }
    n->track = (struct pat_track){ .begin = n->begin, .length = n->length };
    for (uint64_t i = 0; i < NUMBERED / each; i++) {
        n->begin[i] = 1000 * each * i + 5000 - 1000 * before + late;
        n->length[i] = 1000 * each;
        n->track.count++;
    }
    n->structure = (struct pat_numbered){ n->window, n->number, NUMBERED };
    n->points =
        (struct pat_points){ .track = &n->track, .tracks = 1, .iterations = n->track.count };
}

/* Where they are the same loop, the nest's are numbered as the structure's, whatever comes before;
   else it is told which of the structure's each one holds. */
START_TEST(test_iterations_are_numbered_as_the_structure_does)
{
    static const struct {
        uint64_t before, each, late;
        bool same;
        int64_t shift;
        uint64_t first, last; /* in the nest's iteration 5 */
    } want[] = {
        { 0, 1, 0, true, 1, 5, 5 },      { 4, 1, 0, true, -3, 1, 1 },
        { 2, 1, 300, true, -1, 3, 3 },   { 0, 10, 0, false, 0, 0, 0 },
        { 0, 4, 400, false, 0, 17, 20 },
    };
    struct numbered n;
    struct pat_numbers out;

    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        uint64_t first, last;

        put_numbered(&n, want[i].before, want[i].each, want[i].late);
        ck_assert_int_eq(pat_numbers_compare(&out, &n.points, &n.structure, &error), PRVCUT_OK);
        ck_assert_int_eq(out.same, want[i].same);
        if (want[i].same)
            ck_assert_int_eq(out.shift, want[i].shift);
        ck_assert_int_eq(
            pat_numbers_within(&n.structure, 0,
                               (struct prvcut_span){ n.begin[4], n.begin[4] + n.length[4] }, &first,
                               &last),
            want[i].first > 0);
        ck_assert_uint_eq(first, want[i].first);
        ck_assert_uint_eq(last, want[i].last);
    }
}
END_TEST

/* A part of an iteration is in it. */
START_TEST(test_a_stretch_is_in_an_iteration)
{
    struct numbered n;
    uint64_t first, last;

    put_numbered(&n, 0, 1, 0);
    ck_assert(
        pat_numbers_within(&n.structure, 0, (struct prvcut_span){ 7900, 8300 }, &first, &last));
    ck_assert_uint_eq(first, 4);
    ck_assert_uint_eq(last, 4);
    ck_assert(
        !pat_numbers_within(&n.structure, 0, (struct prvcut_span){ 100, 200 }, &first, &last));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("numbers");
    TCase *c = tcase_create("iterations");

    tcase_add_test(c, test_iterations_are_numbered_as_the_structure_does);
    tcase_add_test(c, test_a_stretch_is_in_an_iteration);
    suite_add_tcase(s, c);
    return run_suite(s);
}
