#include "paraver/labels.h"

#include "base/buffer.h"
#include "paraver/row.h"
#include "runner.h"
#include "tests/base/scratch.h"

#include <inttypes.h>
#include <time.h>

static struct prvcut_error error;
static uint64_t damaged;

static enum prvcut_status parse(struct prv_labels *l, const char *text, const char *setting)
{
    const char *const settings[] = { setting, NULL };

    memset(&error, 0, sizeof error);
    return prv_labels_parse(l, text, text ? strlen(text) : 0, settings, &damaged, &error);
}

static enum prvcut_role role(const struct prv_labels *l, uint32_t number)
{
    bool region;

    return prv_labels_role(l, number, &region);
}

static bool is_region(const struct prv_labels *l, uint32_t number)
{
    bool region;

    prv_labels_role(l, number, &region);
    return region;
}

/* The quirks of Extrae's files: shared values, unsorted, all widths of blanks, empty lines. */
static const char extrae[] = "DEFAULT_OPTIONS\n"
                             "\n"
                             "LEVEL               THREAD\n"
                             "YMAX_SCALE          37\n"
                             "\n"
                             "STATES\n"
                             "1    Running\n"
                             "0    Idle\n"
                             "12    I/O\n"
                             "\n"
                             "STATES_COLOR\n"
                             "0    {117,195,255}\n"
                             "\n"
                             "EVENT_TYPE\n"
                             "9   50000001    MPI Point-to-point\n"
                             "VALUES\n"
                             "4   MPI_Irecv\n"
                             "1   MPI_Send\n"
                             "0   Outside MPI\n"
                             "\n\n"
                             "EVENT_TYPE\n"
                             "1    50100001    Send Size in MPI Global OP\n"
                             "1    50100003    Root in MPI Global OP\n"
                             "\n"
                             "GRADIENT_NAMES\n"
                             "0    Gradient 0\n"
                             "\n"
                             "EVENT_TYPE\n"
                             "7  42000050 PAPI_TOT_INS [Instr completed]\n"
                             "7  44497714 perf::CONTEXT-SWITCHES [PERF_COUNT]\n"
                             "\n"
                             "EVENT_TYPE\n"
                             "0    70000001    Caller at level 1\n"
                             "0    70000002    Caller at level 2\n"
                             "VALUES\n"
                             "0 End\n"
                             "1 ?? \n"
                             "2 f(A<int>&, [x]) [f(A<int>&)]\n"
                             "EVENT_TYPE\n"
                             "0 60000001  Parallel (OMP)\n"
                             "VALUES\n"
                             "0 close\n"
                             "1 DO (open)\n"
                             "\n"
                             "EVENT_TYPE\n"
                             "6    40000018    Tracing mode\n"
                             "VALUES\n"
                             "0 None\n"
                             "1 Detailed\n"
                             "EVENT_TYPE\n"
                             "0    1000    My phase\n"
                             "VALUES\n"
                             "-5 minus\n"
                             "0 End\n"
                             "EVENT_TYPE\n"
                             "0    1001    My number\n";

static void assert_extrae(const struct prv_labels *l)
{
    const struct prv_type *t = prv_labels_type(l, 70000002);

    ck_assert_uint_eq(damaged, 0);
    ck_assert_uint_eq(l->states, 3);
    ck_assert_uint_eq(l->state[2].number, 12);
    ck_assert_str_eq(l->state[2].text, "I/O");
    ck_assert_uint_eq(l->running, 1);
    ck_assert_ptr_nonnull(t);
    ck_assert(t->listed);
    ck_assert_str_eq(t->label.text, "Caller at level 2");
    ck_assert_uint_eq(t->values, 3);
    ck_assert_str_eq(prv_type_value(t, 1)->text, "??");
    ck_assert_str_eq(prv_type_value(t, 2)->text, "f(A<int>&, [x]) [f(A<int>&)]");
    ck_assert_ptr_null(prv_type_value(t, 3));
    ck_assert_ptr_eq(t->value, prv_labels_type(l, 70000001)->value);
    t = prv_labels_type(l, 50000001);
    ck_assert_str_eq(prv_type_value(t, 4)->text, "MPI_Irecv");
    ck_assert_int_eq(t->value[0].number, 0);
    ck_assert_str_eq(prv_type_value(prv_labels_type(l, 1000), -5)->text, "minus");
    ck_assert_ptr_null(prv_labels_type(l, 1002));
}

START_TEST(test_parse_labels_extrae)
{
    struct prv_labels l;

    ck_assert_int_eq(parse(&l, extrae, NULL), PRVCUT_OK);
    assert_extrae(&l);
    ck_assert(!l.pcf_crlf);
    prv_labels_fini(&l);
}
END_TEST

START_TEST(test_parse_labels_any_line_end)
{
    static const char *const ends[] = { "\r\n", "\r" };
    char text[2 * sizeof extrae];
    size_t count = 0;
    struct prv_labels l;

    for (const char *p = extrae; *p; p++) {
        if (*p == '\n')
            count += (size_t)sprintf(text + count, "%s", ends[_i]);
        else
            text[count++] = *p;
    }
    text[count] = '\0';
    ck_assert_int_eq(parse(&l, text, NULL), PRVCUT_OK);
    assert_extrae(&l);
    ck_assert(l.pcf_crlf == (_i == 0));
    prv_labels_fini(&l);
}
END_TEST

START_TEST(test_find_roles_by_label_and_number)
{
    struct prv_labels l;

    ck_assert_int_eq(parse(&l, extrae, NULL), PRVCUT_OK);
    ck_assert_int_eq(role(&l, 50000001), PRVCUT_ROLE_P2P);
    ck_assert(is_region(&l, 50000001));
    ck_assert_int_eq(role(&l, 50000002), PRVCUT_ROLE_COLLECTIVE); /* not listed */
    ck_assert_int_eq(role(&l, 50100001), PRVCUT_ROLE_SIZE);
    ck_assert_int_eq(role(&l, 50100003), PRVCUT_ROLE_ROOT);
    ck_assert_int_eq(role(&l, 42000050), PRVCUT_ROLE_INSTRUCTIONS);
    ck_assert(!is_region(&l, 42000050));
    ck_assert_int_eq(role(&l, 44497714), PRVCUT_ROLE_COUNTER);
    ck_assert_int_eq(role(&l, 42000999), PRVCUT_ROLE_COUNTER); /* not listed */
    ck_assert_int_eq(role(&l, 46000004), PRVCUT_ROLE_OTHER);   /* memory in use */
    ck_assert_int_eq(role(&l, 70000002), PRVCUT_ROLE_CALLER);
    ck_assert(!is_region(&l, 70000002));
    ck_assert_int_eq(role(&l, 80000003), PRVCUT_ROLE_CALLER_LINE);
    ck_assert_int_eq(role(&l, 30000101), PRVCUT_ROLE_SAMPLE);
    ck_assert_int_eq(role(&l, 60000001), PRVCUT_ROLE_REGION);
    ck_assert(is_region(&l, 60000001));
    ck_assert_int_eq(role(&l, 40000018), PRVCUT_ROLE_OTHER);
    ck_assert(!is_region(&l, 40000018));
    ck_assert_int_eq(role(&l, 1000), PRVCUT_ROLE_REGION);
    ck_assert_int_eq(role(&l, 1001), PRVCUT_ROLE_OTHER);
    ck_assert(!is_region(&l, 1001));
    ck_assert_int_eq(role(&l, UINT32_MAX), PRVCUT_ROLE_OTHER);
    prv_labels_fini(&l);
}
END_TEST

/* A tool that numbers the same things differently. */
START_TEST(test_find_roles_by_label_alone)
{
    static const char text[] = "STATES\n7 Running\n1 Waiting\n"
                               "EVENT_TYPE\n0 5 MPI Point-to-point\n0 6 MPI Collective Comm\n"
                               "0 7 MPI One-sided\n0 8 MPI I/O\n0 9 Flushing Traces\n"
                               "VALUES\n0 End\n1 Begin\n"
                               "EVENT_TYPE\n0 10 Tracing\nVALUES\n0 off\n1 on\n"
                               "EVENT_TYPE\n0 11 PAPI_TOT_CYC\n0 12 PAPI_DP_OPS [x]\n"
                               "0 13 PAPI_SP_OPS [x]\n0 14 PAPI_FP_INS\n0 15 PAPI_TOT_INS\n"
                               "0 16 perf::INSTRUCTIONS\n0 17 XPAPI_TOT_INS\n"
                               "EVENT_TYPE\n0 50000002 Something else\n";
    struct prv_labels l;

    ck_assert_int_eq(parse(&l, text, NULL), PRVCUT_OK);
    ck_assert_uint_eq(damaged, 0);
    ck_assert_uint_eq(l.running, 7);
    ck_assert_int_eq(role(&l, 5), PRVCUT_ROLE_P2P);
    ck_assert_int_eq(role(&l, 6), PRVCUT_ROLE_COLLECTIVE);
    ck_assert_int_eq(role(&l, 7), PRVCUT_ROLE_MPI_OTHER);
    ck_assert_int_eq(role(&l, 8), PRVCUT_ROLE_MPI_OTHER);
    ck_assert_int_eq(role(&l, 9), PRVCUT_ROLE_FLUSH);
    ck_assert(is_region(&l, 9));
    ck_assert_int_eq(role(&l, 10), PRVCUT_ROLE_TRACING);
    ck_assert(!is_region(&l, 10));
    ck_assert_int_eq(role(&l, 11), PRVCUT_ROLE_CYCLES);
    /* Of several counters for one thing the best is counted, once. */
    ck_assert_int_eq(role(&l, 12), PRVCUT_ROLE_FLOPS);
    ck_assert_int_eq(role(&l, 13), PRVCUT_ROLE_FLOPS);
    ck_assert_int_eq(role(&l, 14), PRVCUT_ROLE_COUNTER);
    ck_assert_int_eq(role(&l, 15), PRVCUT_ROLE_INSTRUCTIONS);
    ck_assert_int_eq(role(&l, 16), PRVCUT_ROLE_COUNTER);
    ck_assert_int_eq(role(&l, 17), PRVCUT_ROLE_OTHER);
    ck_assert_int_eq(role(&l, 42000050), PRVCUT_ROLE_COUNTER);
    /* Listed with a label that says otherwise. */
    ck_assert_int_eq(role(&l, 50000002), PRVCUT_ROLE_OTHER);
    prv_labels_fini(&l);
}
END_TEST

START_TEST(test_find_roles_without_pcf)
{
    struct prv_labels l;

    ck_assert_int_eq(parse(&l, NULL, NULL), PRVCUT_OK);
    ck_assert_int_eq(role(&l, 50000001), PRVCUT_ROLE_P2P);
    ck_assert_int_eq(role(&l, 50000003), PRVCUT_ROLE_MPI_OTHER);
    ck_assert_int_eq(role(&l, 40000003), PRVCUT_ROLE_FLUSH);
    ck_assert(is_region(&l, 40000003));
    ck_assert_int_eq(role(&l, 42000059), PRVCUT_ROLE_CYCLES);
    ck_assert_int_eq(role(&l, 50100004), PRVCUT_ROLE_COMMUNICATOR);
    ck_assert_int_eq(role(&l, 60000018), PRVCUT_ROLE_REGION);
    ck_assert(!prv_labels_type(&l, 50000001)->listed);
    ck_assert_uint_eq(l.running, 1);
    ck_assert_str_eq(l.state[1].text, "Running");
    for (size_t i = 1; i < l.types; i++)
        ck_assert_uint_lt(l.type[i - 1].label.number, l.type[i].label.number);
    prv_labels_fini(&l);
}
END_TEST

START_TEST(test_set_roles_overrides_labels)
{
    const char *const settings[] = { "p2p=5,7", "running=I/O", "flops=42000999", "flush=", NULL };
    struct prv_labels l;

    ck_assert_int_eq(prv_labels_parse(&l, extrae, strlen(extrae), settings, &damaged, &error),
                     PRVCUT_OK);
    ck_assert_int_eq(role(&l, 5), PRVCUT_ROLE_P2P);
    ck_assert(is_region(&l, 5));
    ck_assert_int_eq(role(&l, 7), PRVCUT_ROLE_P2P);
    ck_assert_int_eq(role(&l, 50000001), PRVCUT_ROLE_REGION);
    ck_assert_int_eq(role(&l, 42000999), PRVCUT_ROLE_FLOPS);
    ck_assert_int_eq(role(&l, 40000003), PRVCUT_ROLE_REGION);
    ck_assert_uint_eq(l.running, 12);
    prv_labels_fini(&l);
}
END_TEST

static const char *const bad_settings[] = {
    "p2p",
    "p2p=x",
    "p2p=1,,2",
    "p2p=-1",
    "p2p=4294967296",
    "p2p=99999999999999999999",
    "nosuch=1",
    "running=No",
    "running=",
    "=1",
    "",
};

START_TEST(test_set_roles_refuses_nonsense)
{
    struct prv_labels l;

    ck_assert_int_eq(parse(&l, extrae, bad_settings[_i]), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, bad_settings[_i][0] == 'r' ? "running" : "'"));
    prv_labels_fini(&l);
}
END_TEST

/* What can be read is used; the first line that cannot be is told. */
static const struct {
    const char *text;
    uint64_t line;
} damages[] = {
    { "STATES\n1 Running\nxx yy\n", 3 },
    { "STATES\n-1 Running\n", 2 },
    { "STATES\n4294967296 Running\n", 2 },
    { "EVENT_TYPE\n9 50000001\n9\n", 3 },
    { "EVENT_TYPE\n9 4294967296 x\n", 2 },
    { "EVENT_TYPE\n\x01\x02\n", 2 },
    { "EVENT_TYPE\n9 5 five\nVALUES\n0 End\n9223372036854775808 x\n", 5 },
    { "VALUES\n0 End\n", 1 },
    { "EVENT_TYPE\n9 5 five\nVALUES\n-9223372036854775808 x\n1x y\n", 5 },
    { "junk\n\nEVENT_TYPE\n9 5 five\nPRECISION 3\n", 0 },
    { "EVENT_TYPE\nVALUES\n1 x\nVALUES\n2 y\nNEW_SECTION\nanything\n", 0 },
    { "", 0 },
};

START_TEST(test_parse_labels_damaged_line)
{
    struct prv_labels l;

    ck_assert_int_eq(parse(&l, damages[_i].text, NULL), PRVCUT_OK);
    ck_assert_uint_eq(damaged, damages[_i].line);
    ck_assert_int_eq(role(&l, 50000001), PRVCUT_ROLE_P2P);
    prv_labels_fini(&l);
}
END_TEST

START_TEST(test_parse_labels_truncated)
{
    struct prv_labels l;

    for (size_t count = 0; count < sizeof extrae; count++) {
        /* Bytes of its own, so that a sanitizer sees one read too many. */
        char *text = malloc(count > 0 ? count : 1);

        ck_assert_ptr_nonnull(text);
        memcpy(text, extrae, count);
        ck_assert_int_eq(prv_labels_parse(&l, text, count, NULL, &damaged, &error), PRVCUT_OK);
        for (size_t i = 1; i < l.types; i++)
            ck_assert_uint_lt(l.type[i - 1].label.number, l.type[i].label.number);
        prv_labels_fini(&l);
        free(text);
    }
}
END_TEST

START_TEST(test_parse_labels_repeated_entry_first_with_values_wins)
{
    static const char text[] = "STATES\n1 a\n1 b\n"
                               "EVENT_TYPE\n0 5 bare\n0 6 first\nVALUES\n"
                               "EVENT_TYPE\n0 5 full\nVALUES\n2 x\n1 one\n2 y\n"
                               "EVENT_TYPE\n0 5 late\nVALUES\n3 z\n";
    struct prv_labels l;
    const struct prv_type *t;

    ck_assert_int_eq(parse(&l, text, NULL), PRVCUT_OK);
    t = prv_labels_type(&l, 5);
    ck_assert_str_eq(t->label.text, "full");
    ck_assert_uint_eq(t->values, 2);
    ck_assert_str_eq(prv_type_value(t, 2)->text, "x");
    ck_assert_uint_eq(l.states, 1);
    ck_assert_str_eq(l.state[0].text, "a");
    prv_labels_fini(&l);
}
END_TEST

/* 300000 values in any order: sorted once, not inserted one by one. */
START_TEST(test_parse_labels_large_is_fast)
{
    struct prvcut_buffer text = { 0 };
    struct prv_labels l;
    clock_t start;

    prvcut_buffer_printf(&text, NULL, "EVENT_TYPE\n0 80000001 Caller line at level 1\nVALUES\n");
    for (unsigned i = 0; i < 300000; i++)
        prvcut_buffer_printf(&text, NULL, "%u file.c:%u [/a/long/path/file.c:%u]\n",
                             i * 7919 % 300000, i, i);
    start = clock();
    ck_assert_int_eq(prv_labels_parse(&l, text.at, text.count, NULL, &damaged, &error), PRVCUT_OK);
    ck_assert_int_lt((int)((clock() - start) / CLOCKS_PER_SEC), 5);
    ck_assert_uint_eq(prv_labels_type(&l, 80000001)->values, 300000);
    ck_assert_ptr_nonnull(prv_type_value(prv_labels_type(&l, 80000001), 299999));
    prv_labels_fini(&l);
    prvcut_buffer_fini(&text);
}
END_TEST

static const struct {
    const char *prv, *pcf;
} beside[] = {
    { "a.prv", "a.pcf" }, { "a.prv.gz", "a.pcf" },  { "a.prv.zst", "a.pcf" },
    { "a", "a.pcf" },     { "a.b.prv", "a.b.pcf" },
};

START_TEST(test_find_companions_beside_trace)
{
    struct prv_labels l;

    scratch_write(beside[_i].pcf, extrae, strlen(extrae));
    ck_assert_int_eq(prv_labels_read(&l, beside[_i].prv, NULL, &damaged, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(l.pcf_path);
    ck_assert_str_eq(l.pcf_path, beside[_i].pcf);
    ck_assert_ptr_null(l.row_path);
    assert_extrae(&l);
    prv_labels_fini(&l);
}
END_TEST

START_TEST(test_read_labels_without_companions)
{
    struct prv_labels l;

    ck_assert_int_eq(prv_labels_read(&l, _i ? "-" : "none/a.prv", NULL, &damaged, &error),
                     PRVCUT_OK);
    ck_assert_ptr_null(l.pcf_path);
    ck_assert_ptr_null(l.row_path);
    ck_assert_int_eq(role(&l, 50000001), PRVCUT_ROLE_P2P);
    prv_labels_fini(&l);
}
END_TEST

START_TEST(test_read_labels_damaged_compressed_pcf)
{
    struct prv_labels l;

    scratch_write("a.pcf.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff", 13);
    ck_assert_int_eq(prv_labels_read(&l, "a.prv", NULL, &damaged, &error), PRVCUT_OK);
    ck_assert_uint_eq(damaged, 1);
    ck_assert_int_eq(role(&l, 50000001), PRVCUT_ROLE_P2P);
    prv_labels_fini(&l);
}
END_TEST

static const char row_text[] = "LEVEL CPU SIZE 2\n1.node01\n2.node01\n\nLEVEL NODE SIZE 1\nnode01\n"
                               "\n\nLEVEL THREAD SIZE 3\nTHREAD 1.1.1\nTHREAD 1.2.1\n";

START_TEST(test_parse_row_levels)
{
    struct prv_row r;
    const struct prv_row_level *level;

    ck_assert_int_eq(prv_row_parse(&r, row_text, strlen(row_text), &error), PRVCUT_OK);
    ck_assert_uint_eq(r.damaged_line, 0);
    ck_assert_uint_eq(r.levels, 3);
    level = prv_row_find(&r, "NODE");
    ck_assert_uint_eq(level->line, 5);
    ck_assert_uint_eq(level->count, 1);
    ck_assert_str_eq(r.name[level->first], "node01");
    level = prv_row_find(&r, "THREAD");
    ck_assert_uint_eq(level->size, 3);
    ck_assert_uint_eq(level->count, 2);
    ck_assert_ptr_null(prv_row_find(&r, "TASK"));
    prv_row_fini(&r);
}
END_TEST

static const struct {
    const char *text;
    uint64_t line;
} row_damages[] = {
    { "LEVEL CPU SIZE x\na\n", 1 },
    { "LEVEL CPU\n", 1 },
    { "LEVEL CPU SIZE 99999999999999999999\n", 1 },
    { "LEVEL CPU COUNT 1\na\n", 1 },
    { "LEVEL CPU SIZE 1\na\nb\n", 3 },
    { "a\n", 1 },
    { "LEVEL CPU SIZE 2\na\n\nb\n", 4 },
    { "LEVEL CPU SIZE 1\r\na\r\n", 0 },
    { "LEVEL CPU SIZE 1000000000000\na\n", 0 },
};

START_TEST(test_parse_row_damaged_line)
{
    struct prv_row r;
    const char *text = row_damages[_i].text;

    ck_assert_int_eq(prv_row_parse(&r, text, strlen(text), &error), PRVCUT_OK);
    ck_assert_uint_eq(r.damaged_line, row_damages[_i].line);
    prv_row_fini(&r);
}
END_TEST

#define COUNT_OF(table) (int)(sizeof(table) / sizeof *(table))

static Suite *labels_suite(void)
{
    Suite *s = suite_create("labels");
    TCase *t = tcase_create("labels");

    scratch_fixtures(t);
    tcase_add_test(t, test_parse_labels_extrae);
    tcase_add_loop_test(t, test_parse_labels_any_line_end, 0, 2);
    tcase_add_test(t, test_find_roles_by_label_and_number);
    tcase_add_test(t, test_find_roles_by_label_alone);
    tcase_add_test(t, test_find_roles_without_pcf);
    tcase_add_test(t, test_set_roles_overrides_labels);
    tcase_add_loop_test(t, test_set_roles_refuses_nonsense, 0, COUNT_OF(bad_settings));
    tcase_add_loop_test(t, test_parse_labels_damaged_line, 0, COUNT_OF(damages));
    tcase_add_test(t, test_parse_labels_truncated);
    tcase_add_test(t, test_parse_labels_repeated_entry_first_with_values_wins);
    tcase_add_test(t, test_parse_labels_large_is_fast);
    tcase_add_loop_test(t, test_find_companions_beside_trace, 0, COUNT_OF(beside));
    tcase_add_loop_test(t, test_read_labels_without_companions, 0, 2);
    tcase_add_test(t, test_read_labels_damaged_compressed_pcf);
    tcase_add_test(t, test_parse_row_levels);
    tcase_add_loop_test(t, test_parse_row_damaged_line, 0, COUNT_OF(row_damages));
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(labels_suite());
}
