/* What threads are in at a border, and the lines that began it: of any lines as in a plain list. */
#include "opening.h"

#define LINES 300u

/* What a thread is in: a plain list. */
struct plain {
    uint32_t type, block;
    int64_t value;
    size_t line;
};

static struct line lines[LINES];
static uint64_t time_of[LINES];
static uint32_t thread_of[LINES], pairs_of[LINES][3];
static int64_t value_of[LINES][3];
static struct plain plain[THREADS][3 * LINES];
static size_t plains[THREADS];

/* Times ascend, by a step of 0 at times. */
static void make_lines(uint64_t step)
{
    uint64_t time = 0;

    memset(plains, 0, sizeof plains);
    for (size_t i = 0; i < LINES; i++) {
        char pairs[128] = "";

        time += step > 0 ? step : below(3);
        time_of[i] = time;
        thread_of[i] = below(THREADS);
        for (unsigned k = 0; k < 3; k++) {
            const size_t at = strlen(pairs);

            pairs_of[i][k] = below(TYPES + 1);
            value_of[i][k] = below(2) == 0 ? 0 : (int64_t)(10 * i + k + 1);
            snprintf(pairs + at, sizeof pairs - at, "%s%" PRIu32 ":%" PRId64, k > 0 ? ":" : "",
                     pairs_of[i][k] < TYPES ? types[pairs_of[i][k]] : (uint32_t)OTHER,
                     value_of[i][k]);
        }
        lines[i] = line_of(thread_of[i], time, pairs);
    }
}

static void plain_end(uint32_t thread, uint32_t type)
{
    struct plain *p = plain[thread];

    for (size_t i = plains[thread]; i-- > 0;)
        if (p[i].type == type) {
            plains[thread]--;
            memmove(p + i, p + i + 1, (plains[thread] - i) * sizeof *p);
            return;
        }
}

static void plain_line(size_t i, uint32_t block)
{
    const uint32_t t = thread_of[i];

    for (unsigned k = 0; k < 3; k++) {
        const uint32_t r = pairs_of[i][k];

        if (r == TYPES)
            continue;
        if (value_of[i][k] == 0 || !cutter.plan.nests[r])
            plain_end(t, types[r]);
        if (value_of[i][k] != 0)
            plain[t][plains[t]++] = (struct plain){ types[r], block, value_of[i][k], i };
    }
}

static void expect_as_plain(void)
{
    bool kept[LINES] = { false };
    size_t used = 0;

    for (uint32_t t = 0; t < THREADS; t++) {
        const struct prvcut_stack *s = &cutter.open.stack[t];

        ck_assert_uint_eq(s->count, plains[t]);
        for (size_t i = 0; i < s->count; i++) {
            const struct plain *p = &plain[t][i];

            /* An assertion is a system call. */
            ck_assert(s->at[i].type == p->type && s->at[i].value == p->value &&
                      s->at[i].begin == time_of[p->line] &&
                      cutter.open.line[s->at[i].note].order == lines[p->line].order &&
                      has_text(s->at[i].note, lines[p->line].text));
            used += !kept[p->line];
            kept[p->line] = true;
        }
    }
    ck_assert_uint_eq(cutter.open.used, used);
}

START_TEST(test_open_of_any_lines_is_as_in_a_plain_list)
{
    srand((unsigned)_i + 1);
    make_lines(0);
    for (size_t i = 0; i < LINES; i++) {
        take(&lines[i], NULL);
        plain_line(i, 0);
        if (i % 20 == 0)
            expect_as_plain();
    }
    ck_assert_int_eq(prv_open_settle(&cutter, NULL), PRVCUT_OK);
    expect_as_plain();
}
END_TEST

/* Lines of a trace out of order are followed in the order of their times, all at last. */
START_TEST(test_open_of_lines_out_of_order_is_that_of_their_times)
{
    size_t order[LINES];

    srand((unsigned)_i + 1);
    make_lines(1);
    trace.unsorted = 1;
    for (size_t i = 0; i < LINES; i++) {
        const size_t k = below((uint32_t)i + 1);

        order[i] = order[k];
        order[k] = i;
    }
    for (size_t i = 0; i < LINES; i++)
        take(&lines[order[i]], NULL);
    ck_assert_uint_eq(cutter.open.used, 0);
    ck_assert_int_eq(prv_open_settle(&cutter, NULL), PRVCUT_OK);
    for (size_t i = 0; i < LINES; i++)
        plain_line(i, 0);
    expect_as_plain();
    ck_assert_uint_eq(cutter.order, LINES);
}
END_TEST

/* --- Blocks before the window ----------------------------------------------------------------- */

/* What is open of a block's lines, by thread and type, as a snapshot tells it. */
static size_t runs_of(uint32_t block, struct prv_run run[THREADS * TYPES])
{
    size_t runs = 0;

    for (uint32_t t = 0; t < THREADS; t++)
        for (unsigned r = 0; r < TYPES; r++) {
            uint32_t count = 0;

            for (size_t i = 0; i < plains[t]; i++)
                count += plain[t][i].type == types[r] && plain[t][i].block == block;
            if (count > 0)
                run[runs++] = (struct prv_run){ .row = prv_index_row(TYPES, t, r),
                                                .block = block,
                                                .count = count };
        }
    return runs;
}

/* Blocks of which a snapshot tells what they leave open, then all lines: as if all had been read.
 */
START_TEST(test_open_of_blocks_with_a_snapshot_is_as_of_all_lines)
{
    const size_t block = 20, snapshot = LINES / block / 2;
    struct prv_run run[THREADS * TYPES];

    srand((unsigned)_i + 1);
    make_lines(1);
    for (size_t i = 0; i < snapshot * block; i++)
        plain_line(i, (uint32_t)(i / block));
    for (size_t b = 0; b < snapshot; b++) {
        const struct prv_open_only only = { .run = run,
                                            .runs = runs_of((uint32_t)b, run),
                                            .order = cutter.order };

        for (size_t i = b * block; i < (b + 1) * block; i++)
            take(&lines[i], &only);
        prv_open_only_end(&cutter, &only);
    }
    expect_as_plain();
    for (size_t i = snapshot * block; i < LINES; i++) {
        take(&lines[i], NULL);
        plain_line(i, UINT32_MAX);
    }
    expect_as_plain();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paraver_open_any");
    TCase *t = tcase_create("paraver_open_any");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_open_of_any_lines_is_as_in_a_plain_list, 0, 10);
    tcase_add_loop_test(t, test_open_of_lines_out_of_order_is_that_of_their_times, 0, 10);
    tcase_add_loop_test(t, test_open_of_blocks_with_a_snapshot_is_as_of_all_lines, 0, 20);
    suite_add_tcase(s, t);
    return run_suite(s);
}
