#include "api/census.h"

#include "hand_trace.h"
#include "runner.h"

static struct census census;

static void teardown(void)
{
    census_fini(&census);
    ck_assert_uint_eq(census.types.count, 0);
}

static void take(struct hand_trace *t, int threads, bool backwards)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_error err = { 0 };

    t->backwards = backwards;
    census_fini(&census);
    ck_assert_msg(census_take(&t->base, &run, &census, &err) == PRVCUT_OK, "%s", err.text);
}

static const struct census_entry *entry(const struct census_table *t, uint64_t number)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->at[i].number == number)
            return &t->at[i];
    return NULL;
}

static void expect_entry(const struct census_table *t, uint64_t number, uint64_t count,
                         uint64_t sum)
{
    const struct census_entry *e = entry(t, number);

    ck_assert_int_eq(e != NULL, count > 0);
    ck_assert_uint_eq(e ? e->count : 0, count);
    ck_assert_uint_eq(e ? e->sum : 0, sum);
}

START_TEST(test_census_of_nothing_is_empty)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    take(&t, 1, false);
    ck_assert_uint_eq(census.types.count + census.states.count + census.functions.count, 0);
    ck_assert_uint_eq(census.messages.count, 0);
    ck_assert_uint_eq(census.flushes.count, 0);
    ck_assert_uint_eq(census.threads, 4);
    ck_assert_uint_eq(census.end_ns, 1000);
}
END_TEST

/* Records of any kind in four parts; messages of so many bytes at least. */
static void draw(struct part part[4], uint64_t least)
{
    memset(part, 0, 4 * sizeof *part);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 40; k++) {
            const uint64_t begin = 200 * i + 5 * k;

            part[i].state[part[i].states++] =
                (struct prvcut_state){ .begin = begin,
                                       .end = begin + (uint64_t)rand() % 50,
                                       .number = (uint32_t)(rand() % 5) & 7 };
            part[i].event[part[i].events++] = (struct prvcut_event)EVENT(
                begin, (uint32_t)rand() % 4 & 3, 100 + (uint32_t)rand() % 5, rand() % 3,
                PRVCUT_ROLE_OTHER);
            part[i].message[part[i].messages++] =
                (struct prvcut_message){ .size = least + ((uint64_t)rand() % 2 << rand() % 20) };
        }
}

static void expect_values(const struct part part[4])
{
    for (uint32_t n = 0; n < 5; n++) {
        uint64_t count[2] = { 0 }, sum[2] = { 0 };

        for (unsigned i = 0; i < 160; i++) {
            const struct prvcut_state *s = &part[i / 40].state[i % 40];
            const struct prvcut_event *e = &part[i / 40].event[i % 40];

            count[0] += s->number == n;
            sum[0] += s->number == n ? s->end - s->begin : 0;
            count[1] += e->type == 100 + n;
            sum[1] += e->type == 100 + n && e->value != 0;
        }
        expect_entry(&census.states, n, count[0], sum[0]);
        expect_entry(&census.types, 100 + n, count[1], sum[1]);
    }
    for (size_t i = 1; i < census.types.count; i++)
        ck_assert_uint_lt(census.types.at[i - 1].number, census.types.at[i].number);
}

static void expect_messages(const struct part part[4])
{
    const struct census_messages *m = &census.messages;
    uint64_t bytes = 0, least = UINT64_MAX, most = 0, half = 0, bucket[65] = { 0 };

    for (unsigned i = 0; i < 160; i++) {
        const uint64_t size = part[i / 40].message[i % 40].size;
        unsigned k = 0;

        while (size >> k > 0)
            k++;
        bucket[k]++;
        bytes += size;
        least = size < least ? size : least;
        most = size > most ? size : most;
        half += size <= census_median(m);
    }
    ck_assert_uint_eq(m->count, 160);
    ck_assert_uint_eq(m->bytes, bytes);
    ck_assert_uint_eq(m->least, least);
    ck_assert_uint_eq(m->most, most);
    ck_assert(memcmp(m->bucket, bucket, sizeof bucket) == 0);
    ck_assert_uint_ge(half, 80);
    ck_assert_uint_eq(m->receives, 0);
}

/* All is counted once, whoever reads what when. */
START_TEST(test_census_counts_all_records)
{
    static struct part part[4];
    struct hand_trace t = hand(&hand_reader, part, 4);

    srand((unsigned)_i + 1);
    draw(part, (uint64_t)_i % 3);
    take(&t, 1 + _i % 2, _i / 2 % 2);
    expect_values(part);
    expect_messages(part);
}
END_TEST

/* The greatest that the smaller half can have: the end of the middle one's power of two. */
START_TEST(test_median_is_that_of_the_middle_one)
{
    static const struct {
        uint64_t bucket[5], most, median;
    } cases[] = {
        { { 3, 0, 0, 0, 0 }, 0, 0 }, { { 1, 1, 1, 0, 0 }, 3, 1 }, { { 1, 0, 0, 1, 0 }, 7, 0 },
        { { 1, 0, 0, 2, 0 }, 7, 7 }, { { 0, 0, 0, 1, 0 }, 5, 5 }, { { 0, 0, 2, 2, 1 }, 9, 7 },
        { { 0, 1, 0, 0, 2 }, 9, 9 },
    };
    struct census_messages m = { .most = cases[_i].most };

    for (unsigned k = 0; k < 5; k++) {
        m.bucket[k] = cases[_i].bucket[k];
        m.count += m.bucket[k];
    }
    ck_assert_uint_eq(census_median(&m), cases[_i].median);
}
END_TEST

START_TEST(test_add_stays_at_the_most)
{
    uint64_t sum = UINT64_MAX - 5;

    prvcut_add_most(&sum, 3);
    ck_assert_uint_eq(sum, UINT64_MAX - 2);
    prvcut_add_most(&sum, 3);
    ck_assert_uint_eq(sum, UINT64_MAX);
}
END_TEST

START_TEST(test_function_and_back)
{
    static const int64_t values[] = { 1, 77, UINT32_MAX, 0, -1, (int64_t)1 << 32 };
    uint32_t type;
    int64_t value;

    census_function_of(census_function(50000002, values[_i]), &type, &value);
    ck_assert_uint_eq(type, 50000002);
    ck_assert_int_eq(value, _i < 3 ? values[_i] : 0);
}
END_TEST

static void fill(struct prvcut_table *t, uint64_t first, uint64_t count)
{
    for (uint64_t n = first; n < first + count; n++) {
        struct census_entry *e = census_entry_of(t, n, 3, NULL);

        ck_assert_ptr_nonnull(e);
        e->count += 2;
        e->sum += 10;
    }
}

/* New numbers of a part are taken all or none; known ones always. */
START_TEST(test_join_keeps_as_many_as_have_room)
{
    struct prvcut_table all = census_entries("numbers"), part = census_entries("numbers");
    const uint64_t more = 8 + (uint64_t)_i;
    struct census_table out;
    uint64_t others = 0;

    fill(&all, 0, CENSUS_TYPES - 8);
    fill(&part, CENSUS_TYPES - 8 - 4, 4 + more);
    ck_assert_int_eq(census_join_table(&all, &part, &others, NULL), PRVCUT_OK);
    ck_assert_uint_eq(others, _i ? 2 * more : 0);
    census_settle(&out, &all);
    ck_assert_uint_eq(all.count, 0);
    ck_assert_uint_eq(out.count, _i ? CENSUS_TYPES - 8 : CENSUS_TYPES);
    expect_entry(&out, 0, 2, 10);
    expect_entry(&out, CENSUS_TYPES - 9, 4, 20);
    expect_entry(&out, CENSUS_TYPES - 8, _i ? 0 : 2, _i ? 0 : 10);
    ck_assert_uint_eq(out.at[5].role, 3);
    free(out.at);
    prvcut_table_fini(&all);
    prvcut_table_fini(&part);
}
END_TEST

#define FLUSH(at, who, is)  EVENT(at, who, 40000003, is, PRVCUT_ROLE_FLUSH)
#define REGION(at, who, is) EVENT(at, who, 60, is, PRVCUT_ROLE_REGION)

/* Two of one thread, of which the second comes after its last call; one of another, in two parts.
 */
START_TEST(test_census_of_flushes)
{
    static struct part part[2] = {
        { .event = { P2P(10, 0, 1), P2P(20, 0, 0), FLUSH(30, 0, 1), FLUSH(35, 0, 0), P2P(40, 0, 2),
                     FLUSH(60, 1, 1) },
          .events = 6 },
        { .event = { P2P(70, 0, 0), FLUSH(80, 1, 0), P2P(90, 1, 3), P2P(95, 1, 0), FLUSH(100, 0, 1),
                     FLUSH(107, 0, 0) },
          .events = 6 },
    };
    struct hand_trace t = hand(&hand_reader, part, 2);

    take(&t, 1 + _i % 2, _i / 2);
    ck_assert_uint_eq(census.flushes.count, 3);
    ck_assert_uint_eq(census.flushes.looked, 3);
    ck_assert_uint_eq(census.flushes.threads, 2);
    ck_assert_uint_eq(census.flushes.total, 5 + 20 + 7);
    ck_assert_uint_eq(census.flushes.longest, 20);
    ck_assert_uint_eq(census.flushes.longest_thread, 1);
    ck_assert_uint_eq(census.flushes.last, 1);
    ck_assert_uint_eq(census.flushes.last_total, 7);
}
END_TEST

/* Time in a function is without that in those it calls, across parts. */
START_TEST(test_census_of_functions)
{
    static struct part part[2] = {
        { .event = { REGION(100, 0, 1), REGION(120, 0, 2), P2P(130, 0, 3), P2P(140, 0, 0) },
          .events = 4 },
        { .event = { REGION(170, 0, 0), REGION(180, 0, 2), REGION(185, 0, 0), REGION(200, 0, 0) },
          .events = 4 },
    };
    struct hand_trace t = hand(&halves_reader, part, 2);

    take(&t, 1 + _i % 2, _i / 2);
    ck_assert_uint_eq(census.functions.count, 3);
    expect_entry(&census.functions, census_function(60, 1), 1, 20 + 10 + 15);
    expect_entry(&census.functions, census_function(60, 2), 2, 10 + 30 + 5);
    expect_entry(&census.functions, census_function(50, 3), 1, 10);
    ck_assert_uint_eq(census.functions_ns, 100);
}
END_TEST

/* In a trace of numbers MPI calls alone are followed, one at a time: an end that was lost is where
   the next one begins. What is open at the end lasts to its thread's last record. */
START_TEST(test_census_of_calls)
{
    static struct part part[2] = {
        { .event = { P2P(5, 1, 0), P2P(10, 0, 3), P2P(14, 0, 0), REGION(15, 0, 1), P2P(20, 0, 4),
                     P2P(30, 0, 3), P2P(31, 1, 3) },
          .events = 7,
          .state = { { .begin = 0, .end = 90, .thread = 1, .number = 1 } },
          .states = 1 },
        { .event = { P2P(37, 0, 0), P2P(50, 0, 4), REGION(60, 0, 0) }, .events = 3 },
    };
    struct hand_trace t = hand(&hand_reader, part, 2);

    take(&t, 1 + _i % 2, _i / 2);
    ck_assert_uint_eq(census.functions.count, 2);
    expect_entry(&census.functions, census_function(50, 3), 3, 4 + 7 + 59);
    expect_entry(&census.functions, census_function(50, 4), 2, 10 + 10);
    ck_assert(census_is_call(&census.functions.at[0]));
    ck_assert(census_threads_time(&census) == 4 * 1000);
}
END_TEST

/* More numbers than are at hand at once. */
START_TEST(test_sums_are_kept_whatever_their_numbers)
{
    enum { NUMBERS = 1000, TIMES = 7 };
    struct census_sums s;

    census_sums_init(&s, "numbers");
    for (uint64_t i = 0; i < NUMBERS * TIMES; i++) {
        struct census_entry *e =
            census_grow(&s, i % NUMBERS * UINT64_C(10000000), i % NUMBERS % 5 & 7, NULL);

        ck_assert_ptr_nonnull(e);
        e->count++;
        e->sum += i;
    }
    ck_assert_int_eq(census_sums_settle(&s, NULL), PRVCUT_OK);
    ck_assert_uint_eq(s.table.count, NUMBERS);
    for (uint64_t n = 0; n < NUMBERS; n++) {
        const uint64_t number = n * UINT64_C(10000000);
        const struct census_entry *e = prvcut_table_find(&s.table, &number);

        ck_assert_ptr_nonnull(e);
        ck_assert_uint_eq(e->count, TIMES);
        ck_assert_uint_eq(e->sum, TIMES * n + NUMBERS * (TIMES * (TIMES - 1) / 2));
        ck_assert_uint_eq(e->role, n % 5);
    }
    census_sums_clear(&s);
    ck_assert_int_eq(census_sums_settle(&s, NULL), PRVCUT_OK);
    ck_assert_uint_eq(s.table.count, 0);
    census_sums_fini(&s);
}
END_TEST

/* The second message comes before it is sent; the third is never received. */
START_TEST(test_census_of_messages_in_halves)
{
    static struct part part[1] = {
        { .half = { HALF(10, 0, 1, 5, 7, false), HALF(30, 0, 1, 5, 7, false),
                    HALF(50, 0, 1, 5, 7, false), HALF(12, 1, 0, 5, 7, true),
                    HALF(25, 1, 0, 5, 7, true), HALF(26, 1, 0, 6, 7, true),
                    HALF(27, 1, 0, 6, 7, true) },
          .halves = 7 }
    };
    struct hand_trace t = hand(&halves_reader, part, 1);

    take(&t, 1, false);
    ck_assert_uint_eq(census.messages.count, 3);
    ck_assert_uint_eq(census.messages.receives, 4);
    ck_assert_uint_eq(census.messages.lone_sends, 1);
    ck_assert_uint_eq(census.messages.lone_receives, 2);
    ck_assert_uint_eq(census.clocks.checked, 2);
    ck_assert_uint_eq(census.clocks.contradictions, 1);
    ck_assert_uint_eq(census.clocks.worst_ns, 5);
}
END_TEST

/* Less than 0.95 of all time in states: the rest is open. */
START_TEST(test_whole_time_is_all_where_states_leave_some_open)
{
    struct census_entry at[] = { { .number = 1, .sum = 300 }, { .number = 2, .sum = 0 } };
    const struct census c = {
        .end_ns = 100, .threads = 4, .states = { at, 2 }, .functions_ns = 330
    };

    ck_assert(census_whole_time(&c) == 400);
    ck_assert(census_states_time(&c) == 300);
    ck_assert(census_functions_time(&c) == 330);
    at[1].sum = 80;
    ck_assert(census_whole_time(&c) == 380);
    ck_assert(census_functions_time(&c) == 380);
    at[0].sum = at[1].sum = 0;
    ck_assert(census_whole_time(&c) == 0);
}
END_TEST

/* As many threads on the same node, in one application. */
START_TEST(test_tasks_that_are_alike_are_together)
{
    uint32_t applications[] = { 0, 5, 6 }, threads[] = { 0, 2, 4, 5, 6, 7, 8 };
    uint32_t node[] = { 0, 0, 0, 0, 1, 1 };
    static const uint32_t end[] = { 2, 2, 4, 4, 5, 6 };
    const struct prvcut_objects o = { .applications = 2,
                                      .tasks = 6,
                                      .threads = 8,
                                      .application_first_task = applications,
                                      .task_first_thread = threads,
                                      .task_node = node };
    const struct census_tasks g = census_tasks(&o, (uint32_t)_i);

    ck_assert_uint_eq(g.first, (uint32_t)_i);
    ck_assert_uint_eq(g.end, end[_i]);
    ck_assert_uint_eq(g.application, _i == 5);
    ck_assert_uint_eq(g.threads, _i < 2 ? 2 : 1);
    ck_assert_uint_eq(g.node, node[_i]);
}
END_TEST

static Suite *census_suite(void)
{
    Suite *s = suite_create("census");
    TCase *t = tcase_create("census");

    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, test_census_of_nothing_is_empty);
    tcase_add_loop_test(t, test_census_counts_all_records, 0, 20);
    tcase_add_loop_test(t, test_median_is_that_of_the_middle_one, 0, 7);
    tcase_add_test(t, test_add_stays_at_the_most);
    tcase_add_loop_test(t, test_function_and_back, 0, 6);
    tcase_add_loop_test(t, test_join_keeps_as_many_as_have_room, 0, 2);
    tcase_add_loop_test(t, test_census_of_flushes, 0, 4);
    tcase_add_loop_test(t, test_census_of_functions, 0, 4);
    tcase_add_loop_test(t, test_census_of_calls, 0, 4);
    tcase_add_test(t, test_sums_are_kept_whatever_their_numbers);
    tcase_add_test(t, test_census_of_messages_in_halves);
    tcase_add_test(t, test_whole_time_is_all_where_states_leave_some_open);
    tcase_add_loop_test(t, test_tasks_that_are_alike_are_together, 0, 6);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(census_suite());
}
