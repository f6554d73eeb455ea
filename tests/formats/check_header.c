#include "paraver/header.h"

#include "model/batch.h"
#include "runner.h"
#include "tests/base/scratch.h"

#define HEAD "#Paraver (20/11/2026 at 11:44):"

static struct prvcut_error error;

static enum prvcut_status parse(struct prv_header *h, const char *text)
{
    size_t used;

    memset(&error, 0, sizeof error);
    return prv_header_parse(h, "x.prv", text, strlen(text), &used, &error);
}

START_TEST(test_parse_header_extrae)
{
    static const char text[] = HEAD "5038243056_ns:1(4):1:4(1:1,1:1,1:1,1:1),3\n"
                                    "c:1:1:4:1:2:3:4\n"
                                    "c:1:2:1:1\n"
                                    "c:1:6:2:2:1\n"
                                    "1:1:1:1:1:0:221503013:2\n";
    struct prv_header h;
    size_t used;

    ck_assert_int_eq(prv_header_parse(&h, "x.prv", text, strlen(text), &used, &error), PRVCUT_OK);
    ck_assert_uint_eq(h.end, 5038243056u);
    ck_assert_uint_eq(h.unit_ns, 1);
    ck_assert(!h.no_resources);
    ck_assert_uint_eq(h.lines, 4);
    ck_assert_uint_eq(used, strlen(text) - strlen("1:1:1:1:1:0:221503013:2\n"));
    ck_assert_uint_eq(h.text_count, used);
    ck_assert_mem_eq(h.text, text, used);
    ck_assert_uint_eq(h.duration_count, strlen("5038243056_ns"));
    ck_assert_mem_eq(h.text + h.duration_at, "5038243056_ns", h.duration_count);
    ck_assert_uint_eq(h.objects.applications, 1);
    ck_assert_uint_eq(h.objects.tasks, 4);
    ck_assert_uint_eq(h.objects.threads, 4);
    ck_assert_uint_eq(h.objects.nodes, 1);
    ck_assert_uint_eq(h.objects.cpus, 4);
    ck_assert_uint_eq(h.objects.communicators, 3);
    ck_assert(h.communicators_counted);
    ck_assert_uint_eq(h.communicators_promised, 3);
    ck_assert_uint_eq(h.communicator_lines, 3);
    ck_assert_uint_eq(h.objects.communicator[2].id, 6);
    ck_assert_uint_eq(h.objects.communicator[2].count, 2);
    ck_assert_uint_eq(h.objects.member[h.objects.communicator[2].first], 1);
    ck_assert_uint_eq(h.objects.member[h.objects.communicator[2].first + 1], 0);
    prv_header_fini(&h);
}
END_TEST

START_TEST(test_name_threads_of_hybrid_applications)
{
    struct prv_header h;
    uint32_t a, t, n;

    ck_assert_int_eq(parse(&h, HEAD "9_ns:2(5,4):3:1(2:1):2(1:2,3:1),1(3:2)\n"), PRVCUT_OK);
    ck_assert_uint_eq(h.objects.applications, 3);
    ck_assert_uint_eq(h.objects.tasks, 4);
    ck_assert_uint_eq(h.objects.threads, 9);
    ck_assert_uint_eq(h.objects.cpus, 9);
    ck_assert_uint_eq(h.objects.task_node[1], 1);
    ck_assert_uint_eq(h.objects.task_node[2], 0);
    ck_assert_uint_eq(h.objects.thread_task[5], 2);
    prvcut_objects_name(&h.objects, 0, &a, &t, &n);
    ck_assert(a == 1 && t == 1 && n == 1);
    prvcut_objects_name(&h.objects, 2, &a, &t, &n);
    ck_assert(a == 2 && t == 1 && n == 1);
    prvcut_objects_name(&h.objects, 5, &a, &t, &n);
    ck_assert(a == 2 && t == 2 && n == 3);
    prvcut_objects_name(&h.objects, 8, &a, &t, &n);
    ck_assert(a == 3 && t == 1 && n == 3);
    prv_header_fini(&h);
}
END_TEST

/* Every variant that Paraver's loader takes. */
static const struct {
    const char *text;
    uint64_t end, unit;
    uint32_t threads, nodes, cpus;
    uint64_t lines;
} accepted[] = {
    { HEAD "10:1(2):1:1(2:1)\n", 10, 1000, 2, 1, 2, 1 },
    { HEAD "10_us:1(2):1:1(2:1),0\n", 10, 1000, 2, 1, 2, 1 },
    { HEAD "10_ms:1(2):1:1(2:1)", 10, 1000000, 2, 1, 2, 1 },
    { HEAD "10_ns:0:1:2(1:0,1:0)\n", 10, 1, 2, 0, 0, 1 },
    { HEAD "10_ns:3:1:1(1:3)\n", 10, 1, 1, 3, 3, 1 },
    { HEAD "10.25_ns:1(1):1:1(1:1)\n", 11, 1, 1, 1, 1, 1 },
    { HEAD "10.000_ns:1(1):1:1(1:1)\n", 10, 1, 1, 1, 1, 1 },
    { HEAD "0_ns:1(1):1:1(1:1),\n", 0, 1, 1, 1, 1, 1 },
    { HEAD "7_ns:1(1):1:1(1:1),1\r\nc:1:1:1:1\r\n1:", 7, 1, 1, 1, 1, 2 },
    { "new format\n" HEAD "7_ns:1(1):1:1(1:1)\n", 7, 1, 1, 1, 1, 2 },
    { HEAD "7_ns:1(1):1:1(1:1),2\nC:1:1:1:1\nI:1:2:1:1:1:1\n", 7, 1, 1, 1, 1, 3 },
    { HEAD "7_ns:1(1):1:1(1:1)\n# cut from x\n\nc:1:1:1:1\n#\n2:", 7, 1, 1, 1, 1, 5 },
    { "#Paraver (2/5/08 at 1:4):7:1(1):1:1(1:1)\n", 7, 1000, 1, 1, 1, 1 },
    { HEAD "1152921504606846976_ns:1(1):1:1(1:1)\n", UINT64_C(1) << 60, 1, 1, 1, 1, 1 },
    { HEAD "7_ns:1(1):1:1(1000000:1)\n", 7, 1, 1000000, 1, 1, 1 },
};

START_TEST(test_accept_header_variant)
{
    struct prv_header h;

    ck_assert_msg(parse(&h, accepted[_i].text) == PRVCUT_OK, "%s: %s", accepted[_i].text,
                  error.text);
    ck_assert_uint_eq(h.end, accepted[_i].end);
    ck_assert_uint_eq(h.unit_ns, accepted[_i].unit);
    ck_assert_uint_eq(h.objects.threads, accepted[_i].threads);
    ck_assert_uint_eq(h.objects.nodes, accepted[_i].nodes);
    ck_assert_uint_eq(h.objects.cpus, accepted[_i].cpus);
    ck_assert_uint_eq(h.lines, accepted[_i].lines);
    ck_assert(h.no_resources == (accepted[_i].nodes == 0));
    prv_header_fini(&h);
}
END_TEST

#define GOOD HEAD "9_ns:1(4):1:4(1:1,1:1,1:1,1:1),1\n"

/* Every field damaged once; the text names the place and the value. */
static const struct {
    const char *text;
    enum prvcut_status status;
    const char *says;
} refused[] = {
    { "", PRVCUT_ENOTRACE, "x.prv: the file is empty" },
    { "\x7f"
      "ELF\n",
      PRVCUT_ENOTRACE, "not a Paraver trace" },
    { "new format\n", PRVCUT_EFORMAT, "x.prv:1: no header follows" },
    { "new format\nnew format\n" GOOD, PRVCUT_ENOTRACE, "not a Paraver trace" },
    { "#Paraver 9_ns:1(4):1:1(1:1)\n", PRVCUT_EFORMAT, "x.prv:1: the header has no date" },
    { "#Paraver (today\n", PRVCUT_EFORMAT, "x.prv:1: the header has no date" },
    { "#Paraver (today)\n", PRVCUT_EFORMAT, "x.prv:1: the line ends where ':' is due" },
    { HEAD "\n", PRVCUT_EFORMAT, "x.prv:1: the line ends where duration is due" },
    { HEAD "-9_ns:1(4):1:1(1:1)\n", PRVCUT_EFORMAT, "duration: '-9_ns' is not a number" },
    { HEAD "x\n", PRVCUT_EFORMAT, "duration: 'x'" },
    { HEAD "9_ps:1(4):1:1(1:1)\n", PRVCUT_EFORMAT, "unit '_ps'" },
    { HEAD "9e3:1(4):1:1(1:1)\n", PRVCUT_EFORMAT, "unit 'e3'" },
    { HEAD "18446744073709551616_ns:1(4):1:1(1:1)\n", PRVCUT_EFORMAT,
      "duration: 18446744073709551616 is beyond the limit of 1152921504606846976" },
    { HEAD "1152921504606846977_ns:1(4):1:1(1:1)\n", PRVCUT_EFORMAT, "is beyond the limit" },
    { HEAD "1152921504606846976_ms:1(4):1:1(1:1)\n", PRVCUT_EFORMAT, "is beyond the limit" },
    { HEAD "9_ns\n", PRVCUT_EFORMAT, "the line ends where ':' is due after the duration" },
    { HEAD "9_ns:\n", PRVCUT_EFORMAT, "where number of nodes is due" },
    { HEAD "9_ns:99999999999(4):1:1(1:1)\n", PRVCUT_ELIMIT, "number of nodes: 99999999999" },
    { HEAD "9_ns:2(4):1:1(1:1)\n", PRVCUT_EFORMAT, "where ',' is due after a node's cpus" },
    { HEAD "9_ns:1(4,4):1:1(1:1)\n", PRVCUT_EFORMAT, "where ')' is due after the last node" },
    { HEAD "9_ns:2(4294967295,1):1:1(1:1)\n", PRVCUT_ELIMIT, "more than 4294967295 cpus" },
    { HEAD "9_ns:1(x):1:1(1:1)\n", PRVCUT_EFORMAT, "cpus of a node: 'x'" },
    { HEAD "9_ns:1(4):0:1(1:1)\n", PRVCUT_EFORMAT, "number of applications: 0" },
    { HEAD "9_ns:1(4):2:1(1:1)\n", PRVCUT_EFORMAT, "after an application" },
    { HEAD "9_ns:1(4):1:0()\n", PRVCUT_EFORMAT, "number of tasks: 0" },
    { HEAD "9_ns:1(4):1:1000000000(1:1)\n", PRVCUT_ELIMIT,
      "number of tasks: 1000000000 is beyond the limit of 16777215" },
    { HEAD "9_ns:1(4):1:2(1:1)\n", PRVCUT_EFORMAT, "where ',' is due after a task" },
    { HEAD "9_ns:1(4):1:1(0:1)\n", PRVCUT_EFORMAT, "threads of a task: 0" },
    { HEAD "9_ns:1(4):1:1(16777216:1)\n", PRVCUT_ELIMIT, "threads of a task: 16777216" },
    { HEAD "9_ns:1(4):1:2(16777215:1,1:1)\n", PRVCUT_ELIMIT, "more than 16777215 threads" },
    { HEAD "9_ns:1(4):1:1(1;1)\n", PRVCUT_EFORMAT, "';1' stands where ':' is due" },
    { HEAD "9_ns:1(4):1:1(1:1),x\n", PRVCUT_EFORMAT, "number of communicators: 'x'" },
    { HEAD "9_ns:1(4):1:1(1:1),1 y\n", PRVCUT_EFORMAT, "'y' stands after the end" },
};

START_TEST(test_refuse_header_damaged_field)
{
    struct prv_header h;

    ck_assert_int_eq(parse(&h, refused[_i].text), refused[_i].status);
    ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "'%s' lacks '%s'", error.text,
                  refused[_i].says);
    ck_assert_int_eq(error.status, refused[_i].status);
    prv_header_fini(&h);
}
END_TEST

/* What bends the rules of communicators and nodes is taken as far as it goes, and counted. */
static const struct {
    const char *text;
    enum prvcut_bent kind;
    uint64_t line, communicators, members;
} bent[] = {
    { HEAD "9_ns:1(4):1:1(1:0)\n", PRVCUT_BENT_NODE, 1, 0, 0 },
    { HEAD "9_ns:1(4):1:1(1:2)\n", PRVCUT_BENT_NODE, 1, 0, 0 },
    { GOOD "c:2:1:1:1\n", PRVCUT_BENT_COMMUNICATOR, 2, 0, 0 },
    { GOOD "c:0:1:1:1\n", PRVCUT_BENT_COMMUNICATOR, 2, 0, 0 },
    { GOOD "c:1:1:5:1\n", PRVCUT_BENT_COMMUNICATOR, 2, 1, 1 },
    { GOOD "c:1:1:12:1:2:3:4:5:6:7:8:9:10:11:12\n", PRVCUT_BENT_COMMUNICATOR, 2, 1, 4 },
    { GOOD "#\nc:1:1:1:5\n", PRVCUT_BENT_COMMUNICATOR, 3, 1, 0 },
    { GOOD "c:1:92:1:-1\n", PRVCUT_BENT_COMMUNICATOR, 2, 1, 0 },
    { GOOD "c:1:1:3:1:x:2\n", PRVCUT_BENT_COMMUNICATOR, 2, 1, 2 },
    { GOOD "c:1:1:2:1\n", PRVCUT_BENT_COMMUNICATOR, 2, 1, 1 },
    { GOOD "c:1:1:1:1:2\n", PRVCUT_BENT_COMMUNICATOR, 2, 1, 1 },
    { GOOD "c:1:9999999999:1:1\n", PRVCUT_BENT_COMMUNICATOR, 2, 0, 0 },
    { GOOD "i:1:1:1\n", PRVCUT_BENT_COMMUNICATOR, 2, 0, 0 },
    { GOOD "cc\n", PRVCUT_BENT_COMMUNICATOR, 2, 0, 0 },
};

START_TEST(test_parse_bent_header_counts_it)
{
    struct prv_header h;

    ck_assert_int_eq(parse(&h, bent[_i].text), PRVCUT_OK);
    for (unsigned k = 0; k < PRVCUT_BENTS; k++)
        ck_assert_uint_eq(h.bent[k].count, k == bent[_i].kind);
    ck_assert_uint_eq(h.bent[bent[_i].kind].line, bent[_i].line);
    ck_assert_uint_eq(h.objects.communicators, bent[_i].communicators);
    ck_assert_uint_eq(h.objects.members, bent[_i].members);
    prv_header_fini(&h);
}
END_TEST

static const char whole[] = "new format\n" GOOD "c:1:1:4:1:2:3:4\ni:1:2:1:1:2:1\n# x\n1:1:1";

/* Cut anywhere: a header or a named fault, never a crash. */
START_TEST(test_parse_header_truncated)
{
    struct prv_header h;
    size_t used = 0;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    st = prv_header_parse(&h, "x.prv", whole, (size_t)_i, &used, &error);
    ck_assert(st == PRVCUT_OK || (error.status == st && error.text[0] != '\0'));
    ck_assert_uint_le(used, (size_t)_i);
    prv_header_fini(&h);
}
END_TEST

static enum prvcut_status read_header(struct prv_header *h, struct prvcut_buffer *rest)
{
    struct prvcut_source *source;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_source_open(&source, "x.prv", &error), PRVCUT_OK);
    st = prv_header_read(h, source, rest, &error);
    prvcut_source_close(source);
    return st;
}

START_TEST(test_read_header_leaves_rest)
{
    struct prv_header h;
    struct prvcut_buffer rest = { 0 };

    scratch_write("x.prv", whole, strlen(whole));
    ck_assert_int_eq(read_header(&h, &rest), PRVCUT_OK);
    ck_assert_uint_eq(h.text_count, strlen(whole) - strlen("1:1:1"));
    ck_assert_uint_eq(rest.count, strlen("1:1:1"));
    ck_assert_mem_eq(rest.at, "1:1:1", rest.count);
    prv_header_fini(&h);
    prvcut_buffer_fini(&rest);
}
END_TEST

/* 20000 communicators do not fit into one read. */
START_TEST(test_read_header_longer_than_a_chunk)
{
    struct prvcut_buffer text = { 0 }, rest = { 0 };
    struct prv_header h;

    prvcut_buffer_printf(&text, NULL, HEAD "9_ns:1(4):1:2(1:1,1:1),20000\n");
    for (int i = 1; i <= 20000; i++)
        prvcut_buffer_printf(&text, NULL, "c:1:%d:2:2:1\n", i);
    prvcut_buffer_printf(&text, NULL, "2:1:1:1:1:0:1:1\n");
    scratch_write("x.prv", text.at, text.count);
    ck_assert_int_eq(read_header(&h, &rest), PRVCUT_OK);
    ck_assert_uint_eq(h.objects.communicators, 20000);
    ck_assert_uint_eq(h.objects.members, 40000);
    ck_assert_uint_eq(h.text_count + rest.count, text.count);
    ck_assert_uint_eq(h.objects.communicator[19999].id, 20000);
    prv_header_fini(&h);
    prvcut_buffer_fini(&text);
    prvcut_buffer_fini(&rest);
}
END_TEST

/* A large file without a line end must not be read to its end to be refused. */
START_TEST(test_refuse_rubbish_after_one_chunk)
{
    struct prvcut_buffer rest = { 0 };
    size_t count = (size_t)8 << 20;
    char *text = calloc(1, count);
    struct prv_header h;

    ck_assert_ptr_nonnull(text);
    scratch_write("x.prv", text, count);
    ck_assert_int_eq(read_header(&h, &rest), PRVCUT_ENOTRACE);
    ck_assert_ptr_nonnull(strstr(error.text, "not a Paraver trace"));
    prv_header_fini(&h);
    prvcut_buffer_fini(&rest);
    free(text);
}
END_TEST

static Suite *header_suite(void)
{
    Suite *s = suite_create("header");
    TCase *t = tcase_create("header");

    scratch_fixtures(t);
    tcase_add_test(t, test_parse_header_extrae);
    tcase_add_test(t, test_name_threads_of_hybrid_applications);
    tcase_add_loop_test(t, test_accept_header_variant, 0,
                        (int)(sizeof accepted / sizeof *accepted));
    tcase_add_loop_test(t, test_refuse_header_damaged_field, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(t, test_parse_bent_header_counts_it, 0, (int)(sizeof bent / sizeof *bent));
    tcase_add_loop_test(t, test_parse_header_truncated, 0, (int)sizeof whole);
    tcase_add_test(t, test_read_header_leaves_rest);
    tcase_add_test(t, test_read_header_longer_than_a_chunk);
    tcase_add_test(t, test_refuse_rubbish_after_one_chunk);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(header_suite());
}
