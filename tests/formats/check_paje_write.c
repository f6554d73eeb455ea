#include "items.h"
#include "model/texts.h"

#include "runner.h"

#include <inttypes.h>

/* What stands behind the definitions of event kinds: types, everybody, then the records. */
static const char golden[] = "0 \"Trace\" 0 T_trace\n"
                             "0 \"Task\" T_trace T_task\n"
                             "0 \"Thread\" T_task T_thread\n"
                             "1 \"Call\" T_thread S_call\n"
                             "0 \"States\" T_thread T_states\n"
                             "1 \"State\" T_states S_state\n"
                             "4 \"Message\" T_trace T_thread T_thread L_message\n"
                             "8 0.000000000 \"small.prv\" T_trace 0 _trace \"folder/small.prv\" "
                             "\"prvcut convert small.prv\" \"prvcut " PRVCUT_VERSION "\"\n"
                             "6 0.000000000 \"Task 1.1\" T_task _trace _k1\n"
                             "6 0.000000000 \"first 'thread'\" T_thread _k1 _t1\n"
                             "6 0.000000000 \"state\" T_states _t1 _s1\n"
                             "6 0.000000000 \"Thread 1.1.2\" T_thread _k1 _t2\n"
                             "6 0.000000000 \"state\" T_states _t2 _s2\n"
                             "6 0.000000000 \"Task 1.2\" T_task _trace _k2\n"
                             "6 0.000000000 \"Thread 1.2.1\" T_thread _k2 _t3\n"
                             "6 0.000000000 \"state\" T_states _t3 _s3\n"
                             "5 S_state \"Running\" \"0.000 0.000 1.000\" _v0\n"
                             "10 0.000000000 S_state _s1 _v0\n"
                             "10 0.000000000 S_state _s2 _v0\n"
                             "10 0.000000000 S_state _s3 _v0\n"
                             "5 S_call \"solve 'fast' \" \"0.220 0.416 0.902\" _v1\n"
                             "11 0.000000010 S_call _t1 _v1\n"
                             "3 \"PAPI_TOT_INS\" T_thread \"0.616 0.902 0.220\" V_2\n"
                             "30 0.000000010 V_2 _t1 9223372036854775807\n"
                             "2 \"phase\" T_thread E_3\n"
                             "20 0.000000020 E_3 _t2 \"five\"\n"
                             "2 \"type 1001\" T_thread E_4\n"
                             "20 0.000000020 E_4 _t2 \"-7\"\n"
                             "40 0.000001000 L_message _trace _t1 message 0 4096 -3 1\n"
                             "5 S_state \"Waiting a message\" \"0.902 0.584 0.220\" _v5\n"
                             "10 0.000001000 S_state _s1 _v5\n"
                             "5 S_call \"MPI_Send\" \"0.384 0.220 0.902\" _v6\n"
                             "11 0.000001000 S_call _t1 _v6\n"
                             "12 0.000001500 S_call _t1\n"
                             "12 0.000001500 S_state _s1\n"
                             "5 S_call \"latin \xe9\" \"0.251 0.902 0.220\" _v7\n"
                             "11 0.000001600 S_call _t1 _v7\n"
                             "5 S_call \"MPI_Recv\" \"0.902 0.220 0.451\" _v8\n"
                             "11 0.000002000 S_call _t3 _v8\n"
                             "10 0.000002000 S_state _s3 _v5\n"
                             "12 0.000003001 S_call _t3\n"
                             "41 0.000003001 L_message _trace _t3 message 0\n"
                             "12 0.000003001 S_state _s3\n"
                             "5 S_call \"MPI_Barrier\" \"0.220 0.651 0.902\" _v9\n"
                             "13 0.000004000 S_call _t1 _v9 16 32 1 yes\n"
                             "12 0.000004500 S_call _t1\n"
                             "12 0.000004500 S_call _t1\n"
                             "11 0.000004500 S_call _t1 _v9\n"
                             "12 0.000004600 S_call _t1\n"
                             "40 0.000004700 L_message _trace _t3 message 1 1 0 -\n"
                             "41 0.000004700 L_message _trace _t1 message 1\n"
                             "5 S_call \"MPI Collective Comm 9\" \"0.851 0.902 0.220\" _v10\n"
                             "11 0.000004800 S_call _t3 _v10\n"
                             "5 S_call \"caf\xc3\xa9 / \x01\" \"0.749 0.220 0.902\" _v11\n"
                             "11 0.000004800 S_call _t3 _v11\n"
                             "12 5.000000000 S_call _t1\n"
                             "12 5.000000000 S_call _t3\n"
                             "12 5.000000000 S_call _t3\n"
                             "12 5.000000000 S_state _s2\n"
                             "7 5.000000000 _s1 T_states\n"
                             "7 5.000000000 _s2 T_states\n"
                             "7 5.000000000 _s3 T_states\n"
                             "7 5.000000000 _t1 T_thread\n"
                             "7 5.000000000 _t2 T_thread\n"
                             "7 5.000000000 _t3 T_thread\n"
                             "7 5.000000000 _k1 T_task\n"
                             "7 5.000000000 _k2 T_task\n"
                             "7 5.000000000 _trace T_trace\n";

static char *body(char *text)
{
    static const char first[] = "0 \"Trace\"";

    while (strncmp(text, first, sizeof first - 1) != 0) {
        text += strcspn(text, "\n");
        ck_assert_int_eq(*text++, '\n');
    }
    return text;
}

START_TEST(test_write_golden)
{
    struct made_convert_summary sum;
    char *text;

    items_write(&prvcut_paje_writer, "x.paje", ITEMS, ITEMS, &sum);
    text = items_slurp("x.paje");
    ck_assert_str_eq(body(text), golden);
    ck_assert_uint_eq(sum.is.bytes, strlen(text));
    free(text);
}
END_TEST

/* Every record has the fields that its kind defines, and all kinds that are used are defined. */
START_TEST(test_write_records_as_defined)
{
    struct made_convert_summary sum;
    int fields[64] = { 0 }, kind = -1, records = 0;
    char *text, *line, *rest = NULL;

    items_write(&prvcut_paje_writer, "x.paje", ITEMS, ITEMS, &sum);
    text = items_slurp("x.paje");
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char name[64];
        int seen = 0;

        if (sscanf(line, "%%EventDef %63s %d", name, &kind) == 2) {
            ck_assert_int_eq(fields[kind], 0);
        } else if (*line == '%') {
            fields[kind] += line[1] == ' ';
        } else {
            kind = atoi(line);
            ck_assert_int_gt(fields[kind], 0);
            /* Outside quotes, blanks stand between fields only. */
            for (char *c = line, quoted = 0; *c; c++) {
                quoted ^= *c == '"';
                seen += *c == ' ' && !quoted;
            }
            ck_assert_msg(seen == fields[kind], "%s", line);
            records++;
        }
    }
    ck_assert_int_gt(records, 40);
    free(text);
}
END_TEST

/* Times do not go back, every push has its pop, every message two ends in order. */
static void expect_sound(char *text)
{
    int64_t last = 0, depth[8] = { 0 };
    char *line, *rest = NULL;
    bool sent[8] = { false }, received[8] = { false };

    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        int kind, thread, key;
        int64_t seconds, ns;

        if (sscanf(line, "%d %" SCNd64 ".%9" SCNd64, &kind, &seconds, &ns) != 3)
            continue;
        ck_assert(seconds * 1000000000 + ns >= last);
        last = seconds * 1000000000 + ns;
        if (sscanf(line, "11 %*s S_call _t%d", &thread) == 1 ||
            sscanf(line, "13 %*s S_call _t%d", &thread) == 1)
            depth[thread]++;
        if (sscanf(line, "12 %*s S_call _t%d", &thread) == 1) {
            depth[thread]--;
            ck_assert(depth[thread] >= 0);
        }
        if (sscanf(line, "40 %*s L_message _trace _t%d message %d", &thread, &key) == 2) {
            ck_assert(!sent[key]);
            sent[key] = true;
        }
        if (sscanf(line, "41 %*s L_message _trace _t%d message %d", &thread, &key) == 2) {
            ck_assert(sent[key] && !received[key]);
            received[key] = true;
        }
    }
    for (int i = 0; i < 8; i++)
        ck_assert(depth[i] == 0 && sent[i] == received[i]);
}

START_TEST(test_write_pairs_and_order_hold)
{
    for (size_t count = 0; count <= ITEMS; count++) {
        struct made_convert_summary sum;
        char name[32], *text;

        snprintf(name, sizeof name, "%zu.paje", count);
        items_write(&prvcut_paje_writer, name, count, 1, &sum);
        text = items_slurp(name);
        expect_sound(body(text));
        free(text);
    }
}
END_TEST

START_TEST(test_write_in_pieces_writes_the_same)
{
    struct made_convert_summary sum;
    char *whole, *pieces;

    items_write(&prvcut_paje_writer, "a.paje", ITEMS, ITEMS, &sum);
    items_write(&prvcut_paje_writer, "b.paje.zst", ITEMS, 2, &sum);
    whole = items_slurp("a.paje");
    pieces = items_slurp("b.paje.zst");
    ck_assert_str_eq(whole, pieces);
    free(whole);
    free(pieces);
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

/* Programs and nodes are levels of their own where there are several. */
START_TEST(test_write_levels_that_there_are)
{
    static uint32_t first_task[] = { 0, 1, 2 }, node[] = { 1, 0 }, cpus[] = { 2, 2 };
    struct prvcut_objects objects = items_objects;
    struct prvcut_outline outline = items_outline;
    const struct prvcut_convert_options options = { .path = "x.paje" };
    struct made_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_writing *w;
    char *text;

    objects.applications = 2;
    objects.application_first_task = first_task;
    objects.nodes = 2;
    objects.task_node = node;
    objects.node_cpus = cpus;
    outline.objects = &objects;
    ck_assert_int_eq(prvcut_paje_writer.open(&w, "x.paje", &outline, &options, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_paje_writer.commit(w, &sum, &err), PRVCUT_OK);
    prvcut_texts_free(sum.is.file, sum.is.files);
    text = items_slurp("x.paje");
    ck_assert_ptr_nonnull(strstr(text, "6 0.000000000 \"Program 2\" T_program _trace _p2\n"));
    ck_assert_ptr_nonnull(strstr(text, "6 0.000000000 \"Node 2\" T_node _p1 _n1.2\n"));
    ck_assert_ptr_nonnull(strstr(text, "6 0.000000000 \"Task 1.1\" T_task _n1.2 _k1\n"));
    ck_assert_ptr_nonnull(strstr(text, "6 0.000000000 \"Task 2.1\" T_task _n2.1 _k2\n"));
    free(text);
}
END_TEST

START_TEST(test_abandon_leaves_nothing)
{
    const struct prvcut_convert_options options = { .path = "x.paje" };
    struct made_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_writing *w;

    ck_assert_int_eq(prvcut_paje_writer.open(&w, "x.paje", &items_outline, &options, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(prvcut_paje_writer.put(w, items_all, ITEMS, &sum, &err), PRVCUT_OK);
    prvcut_paje_writer.abandon(w);
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

static Suite *paje_write_suite(void)
{
    Suite *suite = suite_create("paje_write");
    TCase *tests = tcase_create("paje");

    scratch_fixtures(tests);
    tcase_add_test(tests, test_write_golden);
    tcase_add_test(tests, test_write_records_as_defined);
    tcase_add_test(tests, test_write_pairs_and_order_hold);
    tcase_add_test(tests, test_write_in_pieces_writes_the_same);
    tcase_add_test(tests, test_write_levels_that_there_are);
    tcase_add_test(tests, test_abandon_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(paje_write_suite());
}
