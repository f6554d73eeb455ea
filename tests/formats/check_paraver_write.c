#include "model/formats.h"
#include "model/texts.h"

#include "prvcut/inspect.h"
#include "tests/base/scratch.h"

#include "runner.h"

/* The Paraver writer by itself: what stands in its files, byte by byte. */

static struct prvcut_error error;

/* Two applications on two nodes: two tasks of one thread, one task of two threads. */
static uint32_t first_task[] = { 0, 2, 3 }, first_thread[] = { 0, 1, 2, 4 },
                task_node[] = { 0, 1, 1 }, cpus[] = { 1, 2 }, thread_task[] = { 0, 1, 2, 2 },
                member[] = { 1, 0, 2 };
static struct prvcut_communicator communicator[] = {
    { .application = 0, .id = 1, .first = 0, .count = 2 },
    { .application = 0, .id = 9, .first = 2, .count = 0 },
    { .application = 1, .id = 1, .first = 2, .count = 1 },
};
static struct prvcut_objects objects = {
    .applications = 2,
    .tasks = 3,
    .threads = 4,
    .nodes = 2,
    .cpus = 3,
    .application_first_task = first_task,
    .task_first_thread = first_thread,
    .task_node = task_node,
    .node_cpus = cpus,
    .thread_task = thread_task,
    .communicator = communicator,
    .communicators = 3,
    .member = member,
    .members = 3,
};

static const struct prvcut_value_name calls[] = { { 1, "MPI_Send", "", 0 } };
static const struct prvcut_value_name functions[] = { { 0, "Nothing", "", 0 },
                                                      { 1, "two\nlines", "a.c", 3 },
                                                      { 2, "", "", 0 } };
static struct prvcut_type_name types[] = {
    { 1000, PRVCUT_ROLE_OTHER, false, false, "", "", "", NULL, 0 },
    { 42000059, PRVCUT_ROLE_CYCLES, false, false, "PAPI_TOT_CYC", "counter", "#", NULL, 0 },
    { 46500000, PRVCUT_ROLE_OTHER, false, true, "energy", "", "J", NULL, 0 },
    { 50000001, PRVCUT_ROLE_P2P, true, false, "Point to point", "MPI", "", calls, 1 },
    { 60000019, PRVCUT_ROLE_REGION, true, false, "Function", "user", "", functions, 3 },
    { 60000020, PRVCUT_ROLE_REGION, true, false, "Its line", "user", "", functions, 3 },
};
static struct prvcut_state_name states[] = { { 1, "Running", 0x0000ff }, { 7, "Waits", -1 } };
static const char *thread_names[] = { NULL, "P#1", "", "worker" };
static struct prvcut_dictionary dictionary = {
    .type = types, .types = 6, .state = states, .states = 2, .running = 1, .thread = thread_names
};

static struct prvcut_outline outline(void)
{
    return (struct prvcut_outline){ .objects = &objects,
                                    .dictionary = &dictionary,
                                    .end_ns = 100,
                                    .source = "from",
                                    .format = "test",
                                    .command = "prvcut convert",
                                    .wall_clock = 86400 };
}

#define STATE(at, who, to, is)                                                                     \
    {                                                                                              \
        .time = (at), .thread = (who), .kind = PRVCUT_ITEM_STATE, .state = {                       \
            .end = (to),                                                                           \
            .number = (is)                                                                         \
        }                                                                                          \
    }
#define EVENT(at, who, first, what, is)                                                            \
    {                                                                                              \
        .time = (at), .thread = (who), .kind = PRVCUT_ITEM_EVENT, .head = (first), .event = {      \
            .value = (is),                                                                         \
            .type = (what)                                                                         \
        }                                                                                          \
    }
#define MESSAGE(at, who, sent, to, posted, got, bytes, label)                                      \
    {                                                                                              \
        .time = (at), .thread = (who), .kind = PRVCUT_ITEM_MESSAGE, .message = {                   \
            .physical_send = (sent),                                                               \
            .logical_receive = (posted),                                                           \
            .physical_receive = (got),                                                             \
            .size = (bytes),                                                                       \
            .tag = (label),                                                                        \
            .receiver = (to)                                                                       \
        }                                                                                          \
    }

static struct made_convert_summary write_items(const struct prvcut_outline *o, const char *path,
                                               const struct prvcut_item *item, size_t count)
{
    const struct prvcut_convert_options options = { .path = path };
    struct made_convert_summary sum = { 0 };
    struct prvcut_writing *w;
    enum prvcut_status st = prvcut_paraver_writer.open(&w, path, o, &options, &error);

    ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
    /* One by one, and the rest at once. */
    for (size_t i = 0; i < count / 2; i++)
        ck_assert_int_eq(prvcut_paraver_writer.put(w, item + i, 1, &sum, &error), PRVCUT_OK);
    ck_assert_int_eq(
        prvcut_paraver_writer.put(w, item + count / 2, count - count / 2, &sum, &error), PRVCUT_OK);
    st = prvcut_paraver_writer.commit(w, &sum, &error);
    ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
    return sum;
}

static void expect_file(const char *name, const char *wanted)
{
    scratch_expect(name, wanted, strlen(wanted));
}

START_TEST(test_write_records_of_every_kind)
{
    static const struct prvcut_item items[] = {
        STATE(0, 0, 10, 1),
        EVENT(0, 3, true, 4294967295u, INT64_MIN),
        EVENT(0, 3, false, 1, INT64_MAX),
        EVENT(0, 3, true, 2, 0),
        MESSAGE(5, 1, 20, 3, 4, 30, UINT64_C(1) << 63, -7),
        MESSAGE(6, 0, 12, 2, 3, 31, 0, 0),
        EVENT(12, 0, true, 50000001, 1),
        STATE(20, 0, 100, 7),
        MESSAGE(21, 2, 21, 2, 22, 23, 1, 1),
    };
    const struct prvcut_outline o = outline();
    struct made_convert_summary sum = write_items(&o, "t.prv", items, sizeof items / sizeof *items);

    expect_file("t.prv", "#Paraver (02/01/1970 at 00:00):100_ns:2(1,2):2:2(1:1,1:2):1(2:2),2\n"
                         "c:1:1:2:2:1\n"
                         "c:2:1:1:1\n"
                         "#prvcut " PRVCUT_VERSION ": prvcut convert\n"
                         "1:1:1:1:1:0:10:1\n"
                         "2:2:2:1:2:0:4294967295:-9223372036854775808:1:9223372036854775807\n"
                         "2:2:2:1:2:0:2:0\n"
                         "2:1:1:1:1:12:50000001:1\n"
                         "3:1:1:1:1:6:12:3:2:1:1:3:31:0:0\n"
                         "1:1:1:1:1:20:100:7\n"
                         "3:2:1:2:1:5:20:2:2:1:2:4:30:9223372036854775808:-7\n"
                         "3:3:2:1:1:21:21:3:2:1:1:22:23:1:1\n");
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_COMMUNICATORS], 1);
    ck_assert_uint_eq(sum.is.files, 3);
    ck_assert_str_eq(sum.is.file[0], "t.prv");
    prvcut_texts_free(sum.is.file, sum.is.files);
}
END_TEST

START_TEST(test_write_names)
{
    static const struct prvcut_item item = STATE(0, 0, 100, 1);
    const struct prvcut_outline o = outline();
    struct made_convert_summary sum = write_items(&o, "t.prv", &item, 1);

    expect_file("t.row", "LEVEL THREAD SIZE 4\nTHREAD 1.1.1\nP#1\nTHREAD 2.1.1\nworker\n");
    /* The beginning is the same in every file. */
    ck_assert_int_eq(system("sed -n '/^STATES$/,/^GRADIENT_COLOR$/p' t.pcf >states;"
                            "sed '1,/^14    Gradient 14$/d' t.pcf >types"),
                     0);
    expect_file("states", "STATES\n1    Running\n7    Waits\n\n\nSTATES_COLOR\n1    {0,0,255}\n\n\n"
                          "GRADIENT_COLOR\n");
    expect_file("types", "\n\nEVENT_TYPE\n6    1000    Unknown\n\n\n"
                         "EVENT_TYPE\n7    42000059    PAPI_TOT_CYC\n\n\n"
                         "EVENT_TYPE\n6    46500000    energy [J]\n\n\n"
                         "EVENT_TYPE\n9    50000001    MPI Point-to-point\n"
                         "VALUES\n0   Outside MPI\n1   MPI_Send\n\n\n"
                         "EVENT_TYPE\n6    60000019    Function\n6    60000020    Its line\n"
                         "VALUES\n0   Nothing\n1   two lines\n2   \n\n\n");
    prvcut_texts_free(sum.is.file, sum.is.files);
}
END_TEST

/* What was written is read again: roles, names, units, colours. */
START_TEST(test_write_names_that_are_read_again)
{
    static const struct prvcut_item item = STATE(0, 0, 100, 1);
    const struct prvcut_outline o = outline();
    struct made_convert_summary sum = write_items(&o, "t.prv.gz", &item, 1);
    struct prvcut_dictionary d;
    struct prvcut_trace *t;

    ck_assert_str_eq(sum.is.file[1], "t.pcf");
    ck_assert_int_eq(prvcut_trace_open(&t, "t.prv.gz", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(t->reader->describe(t, &d, &error), PRVCUT_OK);
    ck_assert_uint_eq(d.types, 6);
    for (size_t i = 1; i < 6; i++) {
        ck_assert_uint_eq(d.type[i].number, types[i].number);
        ck_assert_int_eq(d.type[i].role, types[i].role);
        ck_assert(d.type[i].region == types[i].region && d.type[i].gauge == types[i].gauge);
        ck_assert_str_eq(d.type[i].unit, types[i].unit);
        if (i != 3)
            ck_assert_str_eq(d.type[i].text, types[i].text);
    }
    ck_assert_str_eq(d.type[4].group, "user");
    ck_assert_str_eq(prvcut_type_value(&d.type[3], 1)->text, "MPI_Send");
    ck_assert_ptr_eq(d.type[4].value, d.type[5].value);
    ck_assert_uint_eq(d.states, 2);
    ck_assert_int_eq(d.state[0].colour, 0x0000ff);
    ck_assert_int_eq(d.state[1].colour, -1);
    ck_assert_ptr_null(d.thread[0]);
    ck_assert_str_eq(d.thread[1], "P#1");
    ck_assert_str_eq(d.thread[3], "worker");
    prvcut_dictionary_fini(&d);
    prvcut_trace_close(t);
    prvcut_texts_free(sum.is.file, sum.is.files);
}
END_TEST

/* No nodes: cpu 0 everywhere. Nodes without known cpus: one for each thread. */
START_TEST(test_write_trace_without_processors)
{
    static const struct prvcut_item item = STATE(0, 3, 100, 1);
    struct prvcut_objects bare = objects;
    struct prvcut_outline o = outline();
    struct made_convert_summary sum;

    o.objects = &bare;
    o.command = NULL;
    bare.communicators = 0;
    bare.nodes = 0;
    sum = write_items(&o, "a.prv", &item, 1);
    prvcut_texts_free(sum.is.file, sum.is.files);
    expect_file("a.prv", "#Paraver (02/01/1970 at 00:00):100_ns:0:2:2(1:0,1:0):1(2:0),0\n"
                         "1:0:2:1:2:0:100:1\n");
    bare.nodes = 2;
    bare.node_cpus = NULL;
    sum = write_items(&o, "b.prv", &item, 1);
    prvcut_texts_free(sum.is.file, sum.is.files);
    expect_file("b.prv", "#Paraver (02/01/1970 at 00:00):100_ns:2(1,3):2:2(1:1,1:2):1(2:2),0\n"
                         "1:4:2:1:2:0:100:1\n");
}
END_TEST

/* More pairs than Paraver's tools take in one line, and more text than fits into memory at once. */
START_TEST(test_write_many_pairs_in_several_lines)
{
    enum { PAIRS = 40000 };
    const struct prvcut_outline o = outline();
    struct prvcut_item *items = calloc(PAIRS, sizeof *items);
    struct made_convert_summary sum;

    ck_assert_ptr_nonnull(items);
    for (size_t i = 0; i < PAIRS; i++)
        items[i] = (struct prvcut_item)EVENT(50, 1, i == 0, 1000, (int64_t)i);
    sum = write_items(&o, "t.prv", items, PAIRS);
    prvcut_texts_free(sum.is.file, sum.is.files);
    free(items);
    ck_assert_int_eq(system("test $(grep -c ^2: t.prv) = 40 &&"
                            "test $(grep ^2: t.prv | tr : '\\n' | grep -c '^1000$') = 40001"),
                     0);
}
END_TEST

START_TEST(test_write_abandoned_leaves_nothing)
{
    static const struct prvcut_item item = STATE(0, 0, 100, 1);
    const struct prvcut_convert_options options = { .path = "t.prv" };
    const struct prvcut_outline o = outline();
    struct made_convert_summary sum = { 0 };
    struct prvcut_writing *w;

    ck_assert_int_eq(prvcut_paraver_writer.open(&w, "t.prv", &o, &options, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_paraver_writer.put(w, &item, 1, &sum, &error), PRVCUT_OK);
    prvcut_paraver_writer.abandon(w);
    ck_assert_uint_eq(scratch_count(), 0);
    /* A companion that is in the way is found at once. */
    scratch_write("t.row", "mine", 4);
    ck_assert_int_eq(prvcut_paraver_writer.open(&w, "t.prv", &o, &options, &error), PRVCUT_EEXIST);
    ck_assert_ptr_null(w);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

static Suite *paraver_write_suite(void)
{
    Suite *suite = suite_create("paraver_write");
    TCase *tests = tcase_create("write");

    scratch_fixtures(tests);
    tcase_add_test(tests, test_write_records_of_every_kind);
    tcase_add_test(tests, test_write_names);
    tcase_add_test(tests, test_write_names_that_are_read_again);
    tcase_add_test(tests, test_write_trace_without_processors);
    tcase_add_test(tests, test_write_many_pairs_in_several_lines);
    tcase_add_test(tests, test_write_abandoned_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(paraver_write_suite());
}
