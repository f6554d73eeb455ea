#include "marking.h"

#include "runner.h"
#include "tests/accuracy/truth.h"

/* --- The sample, real traces, generated ones ------------------------------------------------ */

START_TEST(test_mark_sample_several_regions_keeps_the_laws)
{
    copy_sample();
    check_laws("lu.S.8.prv", (struct wish){ 0 });
    ck_assert(traces_shell("head -c $(wc -c <lu.S.8.pcf) out.pcf | cmp - lu.S.8.pcf &&"
                           " tail -n +$(($(wc -l <lu.S.8.pcf) + 2)) out.pcf | head -n 2 |"
                           " grep -q '^9 *666001 *Iteration'"));
    expect_same_files("lu.S.8.row", "out.row");
}
END_TEST

START_TEST(test_mark_sample_each_task_at_calls_of_its_own)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;

    copy_sample();
    mark_well("lu.S.8.prv", &(struct wish){ .out = "out.prv" }, &m);
    ck_assert_uint_gt(regions_marked(m->structure), 3);
    ck_assert_uint_eq(m->tasks, 8);
    ck_assert_uint_eq(m->own_tasks, 8);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    ck_assert_uint_eq(count_own(&t, &rows), 8);
    marked_rows_free(&rows);
    marked_free(&t);
    prvcut_marking_free(m);
}
END_TEST

static const char *const real[] = { "bt.S.4",     "cg.A.2",          "lu.S.4",       "ft.W.4",
                                    "is.W.8",     "mg.W.8",          "lu.S.8.flush", "sp.W.9.burst",
                                    "bt.W.4.hwc", "cg.W.4.sampling", "comd.8",       "lammps.4" };

START_TEST(test_mark_real_traces_keeps_the_laws)
{
    char path[4096];

    if (!traces_folder() || !traces_wanted("paraver", real[_i]) || !traces_turn(_i))
        return;
    ck_assert(traces_unpack(real[_i], path, sizeof path));
    check_laws(path, (struct wish){ 0 });
}
END_TEST

/* Where in the count of the program's own iterations a time lies. */
static double position(const struct marks *truth, double ns)
{
    size_t i = 0;

    while (i + 2 < truth->count && truth->at[i + 1] <= ns)
        i++;
    return (double)i + (ns - truth->at[i]) / (truth->at[i + 1] - truth->at[i]);
}

/* Mark k of a row lies k true iterations behind its first one: none is left out, none is too many.
   The truth is that of the first and the last rank, which may be more than an iteration apart for a
   while. Returns how many are not beyond the true ones. */
static size_t expect_steps(const struct marked_row *row, const struct marks *truth, uint64_t unit)
{
    const double first = position(truth, (double)(row->at[0] * unit));
    double passed = 0;
    size_t k = 1;

    /* Another loop, before the program's own. */
    if (first < -1)
        return 0;
    for (; k < row->count && (double)(row->at[k] * unit) < truth->at[truth->count - 1]; k++) {
        passed = position(truth, (double)(row->at[k] * unit)) - first;
        ck_assert_msg(fabs(passed - (double)k) < 2, "mark %zu of task %u is %.2f iterations on", k,
                      row->task, passed);
    }
    ck_assert_msg(fabs(passed - (double)(k - 1)) < 1, "task %u: %.2f iterations, not %zu",
                  row->task, passed, k - 1);
    return k - 1;
}

/* Traces whose outermost loop is the program's own, not a multiple; marks among the true ones. */
static const struct {
    const char *name;
    size_t tasks, least; /* true iterations that are marked, on each task */
} true_loops[] = {
    { "bt.S.4", 4, 57 }, { "cg.A.2", 2, 14 }, { "lu.S.4", 4, 48 },      { "ft.W.4", 4, 4 },
    { "is.W.8", 8, 8 },  { "mg.W.8", 8, 3 },  { "bt.W.4.hwc", 4, 146 },
};

START_TEST(test_mark_one_per_true_iteration)
{
    char path[4096];
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;
    struct marks truth;
    size_t count = 0;

    if (!traces_folder() || !traces_wanted("paraver", true_loops[_i].name))
        return;
    ck_assert(traces_unpack(true_loops[_i].name, path, sizeof path));
    marks_read(&truth, path);
    ck_assert_uint_gt(truth.count, 3);
    mark_well(path, &(struct wish){ .out = "out.prv" }, &m);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    for (size_t i = 0; i < rows.rows; i++)
        count += expect_steps(&rows.row[i], &truth, t.unit);
    ck_assert_msg(count >= true_loops[_i].least * true_loops[_i].tasks, "%s: %zu of %zu",
                  true_loops[_i].name, count, true_loops[_i].least * true_loops[_i].tasks);
    marks_free(&truth);
    marked_rows_free(&rows);
    marked_free(&t);
    prvcut_marking_free(m);
}
END_TEST

static const char *const generated[] = {
    "--tasks 4 --iterations 60 --inner 6",
    "--tasks 4 --iterations 60 --microseconds",
    "--tasks 4 --iterations 60 --crlf",
    "--tasks 3 --iterations 40 --crlf --microseconds --change-at 0.5",
    "--tasks 2 --threads-per-task 3 --iterations 50 --nodes 2",
    "--tasks 4 --iterations 80 --flush-every 2000 --flush-ns 5000000",
    "--tasks 12 --iterations 40",
    "--tasks 4 --silent 2 --iterations 40",
    "--tasks 4 --iterations 60 --no-calls",
    "--tasks 4 --iterations 60 --burst-mode",
    "--tasks 8 --iterations 60 --pipeline --skew-ns 3000000",
    "--tasks 8 --iterations 300",
};

START_TEST(test_mark_generated_traces_keeps_the_laws)
{
    if (!traces_turn(_i))
        return;
    make_generated(generated[_i], "a");
    check_laws("a.prv", (struct wish){ 0 });
}
END_TEST

/* --- Whose iterations ----------------------------------------------------------------------- */

START_TEST(test_mark_more_tasks_than_are_examined_as_their_nearest)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;

    make_by_hand("a.prv", &(struct made){ 20, 40, 0, 0, "_ns", "", 20000 });
    mark_well("a.prv", &(struct wish){ .out = "out.prv" }, &m);
    ck_assert_uint_eq(m->tasks, 20);
    ck_assert_uint_eq(m->own_tasks, 8);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    ck_assert_uint_eq(count_own(&t, &rows), 8);
    for (unsigned task = 1; task <= 20; task++) {
        const struct marked_row *own = NULL, *row = marked_row_of(&rows, 1, task, 0);
        unsigned apart = 0;

        /* The nearest one that begins its iterations with its own calls, on either side. */
        for (bool same = false; !same && apart < 20; apart += !same)
            for (int side = -1; side <= 1 && !same; side += 2) {
                const unsigned other = side < 0 ? task - apart : task + apart;

                own = other >= 1 && other <= 20 ? marked_row_of(&rows, 1, other, 0) : NULL;
                same = own && marked_calls_at(&t, 1, other, own->at[0]) &&
                       own->count == row->count &&
                       memcmp(own->at, row->at, row->count * sizeof *row->at) == 0;
            }
        ck_assert_msg(apart <= 2, "task %u is marked as one %u apart", task, apart);
    }
    marked_rows_free(&rows);
    marked_free(&t);
    prvcut_marking_free(m);
}
END_TEST

START_TEST(test_mark_not_a_task_that_does_not_follow)
{
    make_by_hand("a.prv", &served);
    expect_server_without_marks(&(struct wish){ .out = "out.prv" });
}
END_TEST

START_TEST(test_mark_not_an_application_without_a_loop)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;

    make_by_hand("a.prv", &(struct made){ 4, 40, 0, 2, "_ns", "", 20000 });
    mark_well("a.prv", &(struct wish){ .out = "out.prv" }, &m);
    ck_assert_uint_eq(m->tasks, 4);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    for (unsigned task = 1; task <= 4; task++)
        ck_assert_ptr_nonnull(marked_row_of(&rows, 1, task, 0));
    ck_assert_ptr_null(marked_row_of(&rows, 2, 1, 0));
    ck_assert_ptr_null(marked_row_of(&rows, 2, 2, 0));
    marked_rows_free(&rows);
    marked_free(&t);
    expect_laws("a.prv", "out.prv", m);
}
END_TEST

/* All tasks have the same rows. */
static void expect_all_alike(const struct marked_rows *rows, unsigned tasks)
{
    ck_assert_uint_gt(rows->rows, 0);
    ck_assert_uint_eq(rows->rows % tasks, 0);
    for (unsigned task = 2; task <= tasks; task++)
        for (size_t n = 0; n < rows->rows / tasks; n++) {
            const struct marked_row *first = marked_row_of(rows, 1, 1, n);
            const struct marked_row *row = marked_row_of(rows, 1, task, n);

            ck_assert(row && row->count == first->count);
            ck_assert_int_eq(memcmp(row->at, first->at, row->count * sizeof *row->at), 0);
        }
}

START_TEST(test_mark_by_signals_all_tasks_alike)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;
    const struct wish w = { .out = "out.prv", .find = { .metrics = "bursts" } };

    make_generated("--tasks 4 --iterations 60", "a");
    mark_well("a.prv", &w, &m);
    ck_assert_uint_eq(m->tasks, 4);
    ck_assert_uint_eq(m->own_tasks, 0);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    expect_all_alike(&rows, 4);
    marked_rows_free(&rows);
    marked_free(&t);
    expect_structure(m->structure, "a.prv", &w);
    expect_laws("a.prv", "out.prv", m);
}
END_TEST

START_TEST(test_mark_given_period_in_equal_steps)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;
    const struct marked_row *row;
    const struct wish w = { .out = "out.prv", .find = { .period_ns = 7777 } };
    uint64_t step;

    make_by_hand("a.prv", &four);
    mark_well("a.prv", &w, &m);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    expect_all_alike(&rows, 4);
    row = marked_row_of(&rows, 1, 1, 0);
    ck_assert_uint_gt(row->count, 80);
    step = row->at[1] - row->at[0];
    ck_assert_uint_ge(step, 7700);
    ck_assert_uint_le(step, 7850);
    for (size_t i = 1; i + 1 < row->count; i++) {
        ck_assert_uint_ge(row->at[i + 1] - row->at[i] + 1, step);
        ck_assert_uint_le(row->at[i + 1] - row->at[i], step + 1);
    }
    marked_rows_free(&rows);
    marked_free(&t);
    expect_laws("a.prv", "out.prv", m);
}
END_TEST

START_TEST(test_mark_window_only_there)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;
    const struct wish w = { .out = "out.prv", .find = { .only = { 200000, 600000 } } };

    make_by_hand("a.prv", &four);
    mark_well("a.prv", &w, &m);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    for (size_t i = 0; i < rows.rows; i++) {
        ck_assert_uint_ge(rows.row[i].at[0], 200000);
        ck_assert_uint_le(rows.row[i].at[rows.row[i].count - 1], 600000);
        ck_assert_uint_ge(rows.row[i].count, 18);
    }
    marked_rows_free(&rows);
    marked_free(&t);
    expect_laws("a.prv", "out.prv", m);
}
END_TEST

START_TEST(test_mark_empty_window_is_refused)
{
    make_by_hand("a.prv", &four);
    expect_refused("a.prv", &(struct wish){ .find = { .only = { 900, 900 } } }, PRVCUT_EUSAGE,
                   "the window is empty");
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

#define LOOP(t, test, list) tcase_add_loop_test(t, test, 0, (int)(sizeof list / sizeof *list))

static Suite *mark_suite(void)
{
    Suite *s = suite_create("mark");
    TCase *t = tcase_create("mark");

    scratch_fixtures(t);
    tcase_set_timeout(t, 300);
    tcase_add_test(t, test_mark_sample_several_regions_keeps_the_laws);
    tcase_add_test(t, test_mark_sample_each_task_at_calls_of_its_own);
    LOOP(t, test_mark_real_traces_keeps_the_laws, real);
    LOOP(t, test_mark_one_per_true_iteration, true_loops);
    LOOP(t, test_mark_generated_traces_keeps_the_laws, generated);
    tcase_add_test(t, test_mark_more_tasks_than_are_examined_as_their_nearest);
    tcase_add_test(t, test_mark_not_a_task_that_does_not_follow);
    tcase_add_test(t, test_mark_not_an_application_without_a_loop);
    tcase_add_test(t, test_mark_by_signals_all_tasks_alike);
    tcase_add_test(t, test_mark_given_period_in_equal_steps);
    tcase_add_test(t, test_mark_window_only_there);
    tcase_add_test(t, test_mark_empty_window_is_refused);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(mark_suite());
}
