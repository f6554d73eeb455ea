#include "runner.h"

#include "model/runs.h"
#include "tests/base/scratch.h"

#define ITEMS     400
#define RUNS_MOST ITEMS

/* A writer that notes the runs it gets. */
struct noting {
    struct prvcut_writing base;
    struct prvcut_runs runs;
    struct prvcut_item item[ITEMS];
    size_t length[RUNS_MOST];
    size_t items, count;
    size_t fail_at; /* run that fails; 0: none */
};

static enum prvcut_status note(struct prvcut_writing *w, const struct prvcut_item *item,
                               size_t count, struct made_convert_summary *sum,
                               struct prvcut_error *err)
{
    struct noting *n = (struct noting *)w;

    sum->is.written.events += count;
    if (n->fail_at > 0 && n->count + 1 == n->fail_at)
        return prvcut_fail(err, PRVCUT_EIO, "the disk is full");
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_le(n->items + count, ITEMS);
    memcpy(n->item + n->items, item, count * sizeof *item);
    n->items += count;
    n->length[n->count++] = count;
    return PRVCUT_OK;
}

/* Runs of 1 to 5 items; neighbours share the time or the thread, never both. */
static size_t make_items(struct prvcut_item *item, size_t *length)
{
    size_t runs = 0, run = 0;
    uint64_t state = 5, time = 0;
    uint32_t thread = 0;

    for (size_t i = 0; i < ITEMS; i++) {
        item[i] = (struct prvcut_item){ .time = time, .thread = thread };
        item[i].event.value = (int64_t)i;
        length[runs] = ++run;
        if (scratch_random(&state) % 5 > 1 && run < 5)
            continue;
        if (scratch_random(&state) % 2 == 0)
            time++;
        else
            thread++;
        runs++;
        run = 0;
    }
    return runs + (run > 0);
}

static void put_pieces(struct noting *n, const struct prvcut_item *item, size_t piece)
{
    struct made_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };

    n->runs.write = note;
    for (size_t i = 0; i < ITEMS; i += piece) {
        const size_t count = ITEMS - i < piece ? ITEMS - i : piece;

        ck_assert_int_eq(prvcut_runs_put(&n->runs, &n->base, item + i, count, &sum, &err),
                         PRVCUT_OK);
    }
    ck_assert_uint_lt(n->items, ITEMS);
    ck_assert_int_eq(prvcut_runs_end(&n->runs, &n->base, &sum, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_runs_end(&n->runs, &n->base, &sum, &err), PRVCUT_OK);
    ck_assert_uint_eq(sum.is.written.events, ITEMS);
    prvcut_runs_fini(&n->runs);
}

START_TEST(test_put_runs_gives_whole_runs_in_order_for_all_batch_sizes)
{
    static const size_t piece[] = { 1, 2, 3, 7, 64, ITEMS - 1, ITEMS };
    static struct prvcut_item item[ITEMS];
    static size_t length[RUNS_MOST];
    const size_t runs = make_items(item, length);

    for (size_t k = 0; k < sizeof piece / sizeof *piece; k++) {
        static struct noting n;

        memset(&n, 0, sizeof n);
        put_pieces(&n, item, piece[k]);
        ck_assert_uint_eq(n.count, runs);
        ck_assert_uint_eq(n.items, ITEMS);
        ck_assert_mem_eq(n.length, length, runs * sizeof *length);
        for (size_t i = 0; i < ITEMS; i++)
            ck_assert_int_eq(n.item[i].event.value, (int64_t)i);
    }
}
END_TEST

START_TEST(test_put_runs_stops_at_the_first_failure)
{
    static struct prvcut_item item[ITEMS];
    static size_t length[RUNS_MOST];
    static struct noting n;
    struct made_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };

    make_items(item, length);
    n.runs.write = note;
    n.fail_at = 3;
    ck_assert_int_eq(prvcut_runs_put(&n.runs, &n.base, item, ITEMS, &sum, &err), PRVCUT_EIO);
    ck_assert_uint_eq(n.count, 2);
    prvcut_runs_fini(&n.runs);
}
END_TEST

static Suite *runs_suite(void)
{
    Suite *suite = suite_create("runs");
    TCase *c = tcase_create("runs");

    tcase_add_test(c, test_put_runs_gives_whole_runs_in_order_for_all_batch_sizes);
    tcase_add_test(c, test_put_runs_stops_at_the_first_failure);
    suite_add_tcase(suite, c);
    return suite;
}

int main(void)
{
    return run_suite(runs_suite());
}
