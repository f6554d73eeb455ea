/* Reading OTF: what is delivered, in both forms, packed or not, and what damage says. */
#include "otf_archive.h"

#include "otf/otf.h"

#include "runner.h"

#include <sys/resource.h>

static const char events_expected[] = "0 0 60000019=1\n"
                                      "0 10 50000001=1\n"
                                      "0 20 50000001=0\n"
                                      "0 40 50000002=10\n"
                                      "+0 40 50100001=8\n"
                                      "+0 40 50100002=8\n"
                                      "+0 40 50100004=1\n"
                                      "0 51 50000002=0\n"
                                      "0 60 60000019=0\n"
                                      "1 0 60000019=1\n"
                                      "1 10 50000001=2\n"
                                      "1 25 50000001=0\n"
                                      "1 40 50000002=10\n"
                                      "+1 40 50100001=8\n"
                                      "+1 40 50100002=8\n"
                                      "+1 40 50100004=1\n"
                                      "1 51 50000002=0\n"
                                      "1 60 60000019=0\n";

static const char states_expected[] = "0 0-10 1 running\n0 10-20 4\n0 20-40 1 running\n0 40-51 13\n"
                                      "0 51-60 1 running\n"
                                      "1 0-10 1 running\n1 10-25 3\n1 25-40 1 running\n1 40-51 13\n"
                                      "1 51-60 1 running\n";

static const char halves_expected[] = "0>1 12 comm 1 tag 7 size 16\n1<0 25 comm 1 tag 7 size 16\n";

static void expect(const struct read_text *r)
{
    ck_assert_msg(r->status == PRVCUT_OK, "%s", r->err.text);
    ck_assert_str_eq(r->text[0], events_expected);
    ck_assert_str_eq(r->text[1], states_expected);
    ck_assert_str_eq(r->text[2], halves_expected);
}

START_TEST(test_probe_otf_knows_masters_only)
{
    static const char *const masters[] = { "1:1\n2:2\n", "1:1,2\n2:3,4\n", "a:1f,20\n",
                                           "1:3\r\n",    "1:1\n2:2,3",     "10:1" };
    static const char *const others[] = { "",
                                          "\n",
                                          "1",
                                          "12\n",
                                          "#Paraver (01/01/2020 at 10:00):1000_ns:1(1)\n",
                                          "1:1:1\n",
                                          "1:1:1:1:1:0:10:1\n",
                                          "1:\n",
                                          ":1\n",
                                          "1:1,\n",
                                          "1:g\n",
                                          "DP1NM\"x\"\n",
                                          "\003BOTF2",
                                          "0.1.9\001" };

    for (size_t i = 0; i < sizeof masters / sizeof *masters; i++)
        ck_assert_msg(prvcut_otf_reader.probe(masters[i], strlen(masters[i])) > 0, "%s",
                      masters[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(prvcut_otf_reader.probe(others[i], strlen(others[i])) == 0, "%s", others[i]);
}
END_TEST

START_TEST(test_read_otf_gives_calls_states_and_messages)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    r = read_otf(a.path, 1, false);
    expect(&r);
    ck_assert_uint_eq(r.counts.messages, 1);
    ck_assert_uint_eq(r.counts.events, 12);
    ck_assert_uint_eq(r.counts.states, 10);
    ck_assert_uint_eq(r.counts.last_ns, 60);
    ck_assert_uint_eq(r.counts.skipped, 0);
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_long_form_gives_the_same)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    archive_text(
        &a, "a.0.def",
        "DEFVERSION 1.c.5\"salmon\"\nDEFTIMERRESOLUTION 3b9aca00\n"
        "DEFPROCESS 1 NAME \"rank 0\"\nDEFPROCESS 2 NAME \"rank 1\"\n"
        "DEFFUNCTIONGROUP 1 NAME \"Application\"\nDEFFUNCTIONGROUP 2 NAME \"MPI\"\n"
        "DEFFUNCTION 1 GROUP 1 NAME \"main\"\nDEFFUNCTION 2 GROUP 2 NAME \"MPI_Send\"\n"
        "DEFFUNCTION 3 GROUP 2 NAME \"MPI_Recv\"\nDEFFUNCTION 4 GROUP 2 NAME \"MPI_Allreduce\"\n"
        "DEFPROCESSGROUP 1 MEMBERS 1,2, NAME \"MPI_COMM_WORLD\"\n"
        "DEFCOLLOP 1 NAME \"MPI_Allreduce\" TYPE 4\n");
    archive_text(&a, "a.1.events",
                 "64\n*1\nPROCESSBEGIN \nENTER 1\n6e\n*1\nENTER 2\n70\n*1\n"
                 "SEND 2 LEN 10 TAG 7 COMM 1\n78\n*1\nLEAVE 2\n8c\n*1\nENTER 4\n8d\n*1\n"
                 "COLLOPBEGIN 1 HANDLEID 1 COMM 1 ROOT 0 SENT 8 RECVD 8\n96\n*1\nCOLLOPEND 1\n"
                 "97\n*1\nLEAVE \na0\n*1\nLEAVE 1\nPROCESSEND \n");
    r = read_otf(a.path, 1, false);
    expect(&r);
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

/* A place in the source stands in the line of the begin that it is of, also before a collective's
   data; ends have none, and 0 is none. */
START_TEST(test_read_otf_place_in_the_source_is_a_caller_line)
{
    static const char *const form[][2] = {
        { "DSF5NM\"a.c\"\nDS7F5LN1f\n",
          "64\n*1\nE1X0\n65\n*1\nE2X7\n66\n*1\nL2X7\n67\n*1\nE4X7\n"
          "68\n*1\nCOPB1H1C1RT0S8R8\n69\n*1\nCOPE1\n69\n*1\nL4\nL1\n" },
        { "DEFSCLFILE 5 NAME \"a.c\"\nDEFSCL 7 FILE 5 LINE 1f\n",
          "64\n*1\nENTER 1 SCL 0\n65\n*1\nENTER 2 SCL 7\n66\n*1\nLEAVE 2 SCL 7\n67\n*1\n"
          "ENTER 4 SCL 7\n68\n*1\nCOLLOPBEGIN 1 HANDLEID 1 COMM 1 ROOT 0 SENT 8 RECVD 8\n69\n*1\n"
          "COLLOPEND 1\n69\n*1\nLEAVE 4\nLEAVE 1\n" },
    };
    static const char expected[] = "0 0 60000019=1\n"
                                   "0 1 50000001=1\n+0 1 80000001=7\n"
                                   "0 2 50000001=0\n"
                                   "0 3 50000002=10\n+0 3 80000001=7\n+0 3 50100001=8\n"
                                   "+0 3 50100002=8\n+0 3 50100004=1\n"
                                   "0 5 50000002=0\n0 5 60000019=0\n";

    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        struct prvcut_dictionary d;
        struct prvcut_error err = { 0 };
        struct otf_trace *t;
        const struct prvcut_type_name *lines = NULL;
        struct archive a;
        struct read_text r;
        char def[1024];

        archive_small(&a);
        snprintf(def, sizeof def, "%s%s", ARCHIVE_DEF, form[i][0]);
        archive_text(&a, "a.0.def", def);
        archive_text(&a, "a.1.events", form[i][1]);
        archive_text(&a, "a.2.events", "64\n*2\nE1\n65\n*2\nL1\n");
        r = read_otf(a.path, 1, false);
        ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
        ck_assert_msg(strncmp(r.text[0], expected, strlen(expected)) == 0, "%s", r.text[0]);
        read_fini(&r);
        ck_assert_int_eq(otf_open_path(&t, a.path, NULL, &err), PRVCUT_OK);
        ck_assert_int_eq(prvcut_otf_reader.describe(&t->base, &d, &err), PRVCUT_OK);
        for (size_t k = 0; k < d.types; k++)
            if (d.type[k].number == 80000001)
                lines = &d.type[k];
        ck_assert(lines && lines->role == PRVCUT_ROLE_CALLER_LINE && !lines->region);
        ck_assert_str_eq(prvcut_type_value(lines, 7)->text, "a.c:31");
        prvcut_dictionary_fini(&d);
        otf_close(&t->base);
        archive_remove(&a);
    }
}
END_TEST

START_TEST(test_read_otf_packed_gives_the_same)
{
    struct archive a;
    struct read_text r;

    archive_make(&a);
    archive_text(&a, "a.otf", ARCHIVE_MASTER);
    archive_text(&a, "a.0.def.z", ARCHIVE_DEF);
    archive_text(&a, "a.1.events.z", ARCHIVE_ONE);
    archive_text(&a, "a.2.events.z", ARCHIVE_TWO);
    r = read_otf(a.path, 2, false);
    expect(&r);
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_local_definitions_come_first)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    /* Function 2 of the second stream is another one than the global one. */
    archive_text(&a, "a.2.def", "DFG1NM\"Application\"\nDF2G1NM\"own\"\n");
    archive_text(&a, "a.2.events", "64\n*2\nE2\n65\n*2\nL2\n");
    r = read_otf(a.path, 1, false);
    ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
    ck_assert_ptr_nonnull(strstr(r.text[0], "1 0 60000019=3\n1 1 60000019=0\n"));
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_two_processes_of_one_stream_keep_apart)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    archive_text(&a, "a.otf", "1:1,2\n");
    archive_text(&a, "a.1.events",
                 "64\n*1\nE1\n*2\nE1\n6e\n*1\nE4\n*2\nE4\n6f\n*2\nCOPB1H2C1RT0S1R2\n*1\n"
                 "COPB1H1C1RT1S3R4\n78\n*1\nL4\nL1\n*2\nL4\nL1\n");
    r = read_otf(a.path, 1, false);
    ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
    ck_assert_str_eq(r.text[0],
                     "0 0 60000019=1\n1 0 60000019=1\n"
                     "1 10 50000002=10\n+1 10 50100001=1\n+1 10 50100002=2\n"
                     "+1 10 50100004=1\n"
                     "0 10 50000002=10\n+0 10 50100001=3\n+0 10 50100002=4\n"
                     "+0 10 50100004=1\n+0 10 50100003=1\n"
                     "0 20 50000002=0\n0 20 60000019=0\n1 20 50000002=0\n1 20 60000019=0\n");
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

/* A total since the process began counts from its first value on, unless that is where the trace
   begins, any other from the second. */
START_TEST(test_read_otf_counters_are_differences_of_totals_and_levels)
{
    static const struct {
        const char *properties, *begin;
        unsigned first, set_back;
    } of[] = {
        { "P0", "60\n*2\nE1\nL1\n", 100, 3 }, { "P0", "", 0, 3 },
        { "P4", "60\n*2\nE1\nL1\n", 0, 0 },   { "P8", "60\n*2\nE1\nL1\n", 0, 0 },
        { "Pc", "60\n*2\nE1\nL1\n", 0, 0 },
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct archive a;
        struct read_text r;
        char definitions[] = ARCHIVE_DEF, want[400];
        const unsigned at = *of[i].begin ? 4 : 0;

        archive_small(&a);
        strstr(definitions, "P0U\"#\"")[1] = of[i].properties[1];
        archive_text(&a, "a.0.def", definitions);
        archive_text(&a, "a.2.events", *of[i].begin ? of[i].begin : "64\n*2\nE1\nL1\n");
        archive_text(&a, "a.1.events",
                     "64\n*1\nCNT1V64\nE1\n65\n*1\nCNT1V96\nCNT2V3ff8000000000000\nE2\n"
                     "66\n*1\nCNT1V97\n67\n*1\nCNT1V3\nL2\n68\n*1\nL1\n");
        r = read_otf(a.path, 1, false);
        ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
        r.text[0][strstr(r.text[0], "1 0 6") - r.text[0]] = '\0';
        snprintf(want, sizeof want,
                 "0 %u 42000050=%u\n+0 %u 60000019=1\n"
                 "0 %u 42000050=50\n+0 %u 46500000=2\n+0 %u 50000001=1\n"
                 "0 %u 42000050=1\n"
                 "0 %u 42000050=%u\n+0 %u 50000001=0\n0 %u 60000019=0\n",
                 at, of[i].first, at, at + 1, at + 1, at + 1, at + 2, at + 3, of[i].set_back,
                 at + 3, at + 4);
        ck_assert_str_eq(r.text[0], want);
        read_fini(&r);
        archive_remove(&a);
    }
}
END_TEST

START_TEST(test_read_otf_calls_inside_calls_are_functions)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    archive_text(&a, "a.1.events",
                 "64\n*1\nE4\n65\n*1\nE2\n66\n*1\nL2\n67\n*1\nL4\n"
                 "68\n*1\nE6\n69\n*1\nL6\n6a\n*1\nE5\n6b\n*1\nL5\n");
    r = read_otf(a.path, 1, false);
    ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
    r.text[0][strstr(r.text[0], "1 0 6") - r.text[0]] = '\0';
    ck_assert_str_eq(r.text[0], "0 0 50000002=10\n0 1 60000019=3\n0 2 60000019=0\n"
                                "0 3 50000002=0\n0 4 50000003=1001\n0 5 50000003=0\n"
                                "0 6 60000019=2\n0 7 60000019=0\n");
    r.text[1][strstr(r.text[1], "1 0-") - r.text[1]] = '\0';
    ck_assert_str_eq(r.text[1], "0 0-3 13\n0 3-4 1 running\n0 4-5 15\n0 5-6 1 running\n0 6-7 12\n");
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_overlapping_functions_are_no_damage)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    archive_text(&a, "a.1.events", "64\n*1\nE2\n65\n*1\nE1\n66\n*1\nL2\n67\n*1\nL1\n");
    r = read_otf(a.path, 1, false);
    ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
    r.text[0][strstr(r.text[0], "1 0 6") - r.text[0]] = '\0';
    ck_assert_str_eq(r.text[0], "0 0 50000001=1\n0 1 60000019=1\n0 2 50000001=0\n0 3 60000019=0\n");
    r.text[1][strstr(r.text[1], "1 0-") - r.text[1]] = '\0';
    ck_assert_str_eq(r.text[1], "0 0-2 4\n0 2-3 1 running\n");
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_ranks_follow_the_world)
{
    struct archive a;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    struct prvcut_dictionary d;

    archive_make(&a);
    archive_text(&a, "a.otf", "1:1\n2:2\n3:10001\n");
    archive_text(&a, "a.0.def",
                 "DTR3b9aca00\nDP1NM\"r1\"\nDP2NM\"r0\"\nDP10001NM\"r1 thread\"PT1\n"
                 "DFG1NM\"x\"\nDF1G1NM\"f \\\"q\\\"\"\n"
                 "DPG1M2,1,NM\"MPI_COMM_WORLD\"\nDPG2M1,10001,NM\"team\"\n");
    archive_text(&a, "a.1.events", "1\n*1\nE1\n");
    archive_text(&a, "a.2.events", "1\n*2\nE1\n");
    archive_text(&a, "a.3.events", "1\n*10001\nE1\n");
    t = open_otf(a.path, NULL, &err);
    ck_assert_msg(t != NULL, "%s", err.text);
    ck_assert_uint_eq(t->objects.tasks, 2);
    ck_assert_uint_eq(t->objects.threads, 3);
    ck_assert_uint_eq(t->objects.task_first_thread[1], 1);
    ck_assert_uint_eq(t->objects.communicators, 1);
    ck_assert_uint_eq(t->objects.member[0], 0);
    ck_assert_int_eq(t->reader->describe(t, &d, &err), PRVCUT_OK);
    ck_assert_str_eq(d.thread[0], "r0");
    ck_assert_str_eq(d.thread[1], "r1");
    ck_assert_str_eq(d.thread[2], "r1 thread");
    ck_assert_str_eq(d.task[1], "r1");
    ck_assert_str_eq(prvcut_type_value(prvcut_dictionary_type(&d, 60000019), 1)->text, "f \"q\"");
    prvcut_dictionary_fini(&d);
    t->reader->close(t);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_gtg_containers_do_not_compute)
{
    struct archive a;
    struct read_text r;

    archive_make(&a);
    archive_text(&a, "a.otf", "1:3\n2:2\n");
    archive_text(&a, "a.0.def",
                 "DTR186a0\nDFG1NM\"Thread State\"\nDF1G1NM\"Working\"\nDF2G1NM\"STV_MPI_Send\"\n"
                 "DP1NM\"C_Prog\"\nDP2NM\"P#0\"PT1\nDP3NM\"P#0_T#0\"PT2\n"
                 "DCNT1G1NM\"V_Mem\"P0U\"\"\n");
    archive_text(&a, "a.1.events", "1\n*3\nE1\n3\n*3\nE2\n4\n*3\nL2\n5\n*3\nL1\n");
    archive_text(&a, "a.2.events", "2\n*2\nCNT1V5\n4\n*2\nCNT1V3\n");
    r = read_otf(a.path, 1, false);
    ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
    ck_assert_str_eq(r.text[0], "1 0 60000019=1\n1 20000 50000001=1\n1 30000 50000001=0\n"
                                "1 40000 60000019=0\n0 10000 46500000=5\n0 30000 46500000=3\n");
    ck_assert_str_eq(r.text[1], "1 0-20000 1 running\n1 20000-30000 4\n1 30000-40000 1 running\n");
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_skewed_clocks_are_brought_together)
{
    struct archive a;
    struct prvcut_error err = { 0 };
    const struct prvcut_open_options raw = { .raw_clocks = true };
    struct prvcut_trace *t;

    archive_small(&a);
    /* Received 1000 ns before it was sent, and the answer 1010 after. */
    archive_text(&a, "a.1.events", "7d0\n*1\nS2L10T7C1\n7e4\n*1\nR2L1T7C1\n");
    archive_text(&a, "a.2.events", "3e8\n*2\nR1L10T7C1\n3e9\n*2\nS1L1T7C1\n");
    t = open_otf(a.path, NULL, &err);
    ck_assert_msg(t != NULL, "%s", err.text);
    ck_assert(t->clocks.skewed);
    ck_assert_int_eq(t->clocks.least, 0);
    ck_assert_int_ge(t->clocks.offset[1], 1000);
    ck_assert_int_le(t->clocks.offset[1], 1020);
    t->reader->close(t);
    t = open_otf(a.path, &raw, &err);
    ck_assert(!t->clocks.skewed);
    ck_assert_uint_eq(t->end_ns, 0x7e4 - 0x3e8);
    t->reader->close(t);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_communicators_that_differ_are_left_out)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    archive_text(&a, "a.1.events", "64\n*1\nS2L10T7C3\n65\n*1\nS2L10T7C3\n");
    archive_text(&a, "a.2.events", "66\n*2\nR1L10T7C1\n67\n*2\nR1L10T7C1\n");
    r = read_otf(a.path, 1, false);
    ck_assert_str_eq(r.text[2], "0>1 0 comm 0 tag 7 size 16\n0>1 1 comm 0 tag 7 size 16\n"
                                "1<0 2 comm 0 tag 7 size 16\n1<0 3 comm 0 tag 7 size 16\n");
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

/* Cut anywhere, also between two lines: the fault is named. */
START_TEST(test_read_otf_cut_anywhere)
{
    struct archive a;

    archive_small(&a);
    for (size_t n = 0; n < strlen(ARCHIVE_ONE); n++) {
        struct read_text r;

        archive_put(&a, "a.1.events", ARCHIVE_ONE, n);
        r = read_otf(a.path, 1, false);
        if (n > 0 && ARCHIVE_ONE[n - 1] != '\n') {
            ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
            ck_assert_ptr_nonnull(strstr(r.err.text, "a.1.events:"));
            ck_assert_ptr_nonnull(strstr(r.err.text, "cut short"));
        } else {
            ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
            ck_assert_ptr_nonnull(strstr(r.err.text, "a.1.events:"));
            ck_assert(strstr(r.err.text, "the file ends") || strstr(r.err.text, "no record"));
        }
        read_fini(&r);
        r = read_otf(a.path, 1, true);
        ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
        read_fini(&r);
    }
    for (size_t n = 0; n < strlen(ARCHIVE_DEF); n++) {
        struct read_text r;

        archive_put(&a, "a.0.def", ARCHIVE_DEF, n);
        archive_text(&a, "a.1.events", ARCHIVE_ONE);
        r = read_otf(a.path, 1, false);
        ck_assert(r.status == PRVCUT_OK || r.status == PRVCUT_EFORMAT);
        read_fini(&r);
    }
    archive_remove(&a);
}
END_TEST

static const struct {
    const char *events, *text; /* what the message holds */
} faults[] = {
    { "64\n*1\nE1\n65\n!\n", "a.1.events:5: not a record" },
    { "64\n*1\nEx\n", "a.1.events:3: not a record" },
    { "64\n*1\nE1Xg\n", "a.1.events:3: not a record" },
    { "64\n*1\nS2L\n", "a.1.events:3: not a record" },
    { "64 \n*1\n", "a.1.events:1: not a record" },
    { "64\n*1\nE10000000000000000\n", "a.1.events:3: a number needs more than 64 bits" },
    { "64\n*1\nE1\n63\n*1\nL1\n", "a.1.events:4: time goes back from 64 to 63" },
    { "64\nE1\n", "a.1.events:2: a record before the first process" },
    { "*1\nE1\n64\n*1\nL1\n", "a.1.events:2: a record before the first time" },
    { "64\n*2\nE1\n", "a.1.events:2: process 2 is not one of stream 1's" },
    { "64\n*7\nE1\n", "a.1.events:2: process 7 is not one of stream 1's" },
    { "64\n*1\nE99\n", "a.1.events:3: function 99 is entered, but not defined" },
    { "64\n*1\nEfffffffffffffff\n", "function fffffffffffffff is entered, but not defined" },
    { "64\n*1\nL1\n", "a.1.events:3: process 1 leaves function 1, but is not in it" },
    { "64\n*1\nE1\nL2\n", "a.1.events:4: process 1 leaves function 2, but is not in it" },
    { "64\n*1\nCNT9V1\n", "a.1.events:3: counter 9 has a value, but no definition" },
    { "64\n*1\nS2L1T1C100000000\n", "a.1.events:3: a message with an id or a tag" },
    { "64\n*1\nE1\nffffffffffffffff\n", "later than" },
};

START_TEST(test_read_otf_names_a_fault_or_skips_it)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    archive_text(&a, "a.1.events", faults[_i].events);
    r = read_otf(a.path, 1, false);
    ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
    ck_assert_msg(strstr(r.err.text, faults[_i].text) != NULL, "'%s' is not in '%s'",
                  faults[_i].text, r.err.text);
    read_fini(&r);
    r = read_otf(a.path, 1, true);
    ck_assert_msg(r.status == PRVCUT_OK, "%s", r.err.text);
    ck_assert_uint_ge(r.counts.skipped, 1);
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

static const struct {
    const char *file, *content, *text; /* content NULL: the file is removed */
} archives[] = {
    { "a.otf", "1:1\n2:x\n", "a.otf:2: not a line" },
    { "a.otf", "1:1\n2:1\n", "process 1 is in two streams" },
    { "a.otf", "\n", "names no process" },
    { "a.0.def", NULL, "there is no" },
    { "a.0.def", "DP1NM\"x\"\n", "how many ticks" },
    { "a.0.def", "DTR0\n", "a.0.def:1: a clock with such" },
    { "a.0.def", "DTR3b9aca00\nDFxyz\n", "a.0.def:2: a definition with a field" },
    { "a.0.def", "DTR3b9aca00\nDF1G1NM\"x\n", "a.0.def:2: a definition with a field" },
    { "a.0.def", "DTR3b9aca00\nDF100000000G1NM\"x\"\n", "a.0.def:2: an id that needs more" },
    { "a.2.events", NULL, "names stream 2, but there is no" },
};

START_TEST(test_open_otf_names_what_is_missing)
{
    struct archive a;
    struct read_text r;
    char path[400];

    archive_small(&a);
    if (archives[_i].content) {
        archive_text(&a, archives[_i].file, archives[_i].content);
    } else {
        snprintf(path, sizeof path, "%s/%s", a.folder, archives[_i].file);
        unlink(path);
    }
    r = read_otf(a.path, 1, false);
    ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
    ck_assert_msg(strstr(r.err.text, archives[_i].text) != NULL, "'%s' is not in '%s'",
                  archives[_i].text, r.err.text);
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_open_otf_refuses_an_empty_archive)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    archive_text(&a, "a.1.events", "");
    archive_text(&a, "a.2.events", "");
    r = read_otf(a.path, 1, false);
    ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
    ck_assert_ptr_nonnull(strstr(r.err.text, "none of its streams holds a record"));
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_damaged_packing_is_named)
{
    struct archive a;
    struct read_text r;

    archive_small(&a);
    unlink(a.path);
    archive_text(&a, "a.otf", "1:1\n2:2\n");
    {
        char path[400];

        snprintf(path, sizeof path, "%s/a.1.events", a.folder);
        rename(path, strcat(strcpy(a.path, path), ".z"));
    }
    snprintf(a.path, sizeof a.path, "%s/a.otf", a.folder);
    r = read_otf(a.path, 1, false);
    ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
    ck_assert_ptr_nonnull(strstr(r.err.text, "a.1.events.z"));
    ck_assert_ptr_nonnull(strstr(r.err.text, "packed"));
    read_fini(&r);
    archive_remove(&a);
}
END_TEST

/* Many records of two processes in one stream, with marks in between. */
static void archive_large(struct archive *a, unsigned records)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    archive_make(a);
    archive_text(a, "a.otf", "1:1,2\n");
    archive_text(a, "a.0.def", ARCHIVE_DEF);
    fprintf(f, "1\n*1\nE1\n*2\nE1\n");
    for (unsigned i = 0; i < records; i++) {
        const unsigned at = 16 + 4 * i;

        fprintf(f, "%x\n*%u\nCNT1V%x\nE%u\n%x\n*%u\nL%u\n", at, 1 + i % 2, 7 * i, 2 + i % 3, at + 2,
                1 + i % 2, 2 + i % 3);
    }
    fprintf(f, "%x\n*1\nL1\n*2\nL1\n", 16 + 4 * records);
    fclose(f);
    archive_put(a, "a.1.events", text, size);
    free(text);
}

/* Lines of events or states that touch a window. */
static char *touching(const char *text, uint64_t from, uint64_t to, bool states)
{
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);

    for (const char *p = text; *p; p = strchr(p, '\n') + 1) {
        const char *at = strchr(p, ' ') + 1;
        const uint64_t begin = strtoull(at, NULL, 10);
        const uint64_t end = states ? strtoull(strchr(at, '-') + 1, NULL, 10) : begin;

        if (begin < to && end > from && (states || begin >= from))
            fprintf(f, "%.*s\n", (int)(strchr(p, '\n') - p), p);
    }
    fclose(f);
    return out;
}

START_TEST(test_scan_window_of_otf_gives_the_same_as_all)
{
    const struct prvcut_run run = { .threads = 2 };
    struct archive a;
    struct prvcut_error err = { 0 };
    struct read_text all = { 0 }, part = { 0 };
    struct prvcut_consumer c = read_all(&all);
    struct prvcut_trace *t;

    archive_large(&a, 400000);
    t = open_otf(a.path, NULL, &err);
    ck_assert_int_eq(t->reader->scan(t, &run, &c, NULL, &err), PRVCUT_OK);
    for (int k = 0; k < 3; k++)
        fclose(all.file[k]);
    c = read_all(&part);
    ck_assert_int_eq(t->reader->scan_window(t, &run, 1500000, 1500500, &c, &err), PRVCUT_OK);
    for (int k = 0; k < 3; k++)
        fclose(part.file[k]);
    /* It began at a mark, not at the begin. */
    ck_assert_uint_lt(part.size[0], all.size[0] / 2);
    for (int k = 0; k < 2; k++) {
        char *x = touching(all.text[k], 1500000, 1500490, k == 1);
        char *y = touching(part.text[k], 1500000, 1500490, k == 1);

        ck_assert_uint_gt(strlen(x), 100);
        ck_assert_str_eq(x, y);
        free(x);
        free(y);
    }
    t->reader->close(t);
    read_fini(&all);
    read_fini(&part);
    archive_remove(&a);
}
END_TEST

START_TEST(test_read_otf_many_streams_with_few_handles)
{
    const struct rlimit few = { 40, 40 };
    struct archive a;
    struct read_text one, two;
    char name[32], text[200];
    char *master;
    size_t size;
    FILE *f = open_memstream(&master, &size);

    archive_make(&a);
    for (unsigned i = 1; i <= 300; i++) {
        fprintf(f, "%x:%x\n", i, i);
        snprintf(name, sizeof name, "a.%x.events", i);
        snprintf(text, sizeof text, "%x\n*%x\nE1\n%x\n*%x\nL1\n", i, i, i + 5, i);
        archive_text(&a, name, text);
    }
    fclose(f);
    archive_put(&a, "a.otf", master, size);
    archive_text(&a, "a.0.def", ARCHIVE_DEF);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    one = read_otf(a.path, 1, false);
    two = read_otf(a.path, 2, false);
    ck_assert_msg(one.status == PRVCUT_OK, "%s", one.err.text);
    ck_assert_uint_eq(one.counts.events, 600);
    for (int k = 0; k < 3; k++)
        ck_assert_str_eq(one.text[k], two.text[k]);
    read_fini(&one);
    read_fini(&two);
    free(master);
    archive_remove(&a);
}
END_TEST

/* Findings by name, in one line. */
static void check_archive(const struct archive *a, char *out, size_t room)
{
    const struct prvcut_run run = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_findings f = { 0 };
    struct prvcut_source *s;
    size_t n = 0;

    ck_assert_int_eq(prvcut_source_open(&s, a->path, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_otf_reader.check(&f, s, NULL, &run, &err) == PRVCUT_OK, "%s", err.text);
    out[0] = '\0';
    for (size_t i = 0; i < f.count; i++)
        n += (size_t)snprintf(out + n, room - n, "%s%s %" PRIu64 " line %" PRIu64 "\n",
                              f.at[i].damage ? "!" : "", f.at[i].name, f.at[i].count,
                              f.at[i].line[0]);
    free(f.at);
}

START_TEST(test_check_otf_lists_what_is_wrong)
{
    struct archive a;
    char found[1000];

    archive_small(&a);
    check_archive(&a, found, sizeof found);
    ck_assert_str_eq(found, "");
    archive_text(&a, "a.1.events",
                 "64\n*1\nE1\nE99\nL99\n!\n65\n*1\nL3\nS2L1T7C1\n66\n*1\nS2L1T7C1\n60\n*1\nE1\n"
                 "70\n*1\nE2\nL1\nCNT7V1\n71");
    check_archive(&a, found, sizeof found);
    ck_assert_str_eq(found, "!last-line 1 line 22\n!unknown-record 1 line 6\n!order 1 line 14\n"
                            "!function-undefined 1 line 4\n!counter-undefined 1 line 21\n"
                            "!leave 1 line 9\noverlap 1 line 20\n!unfinished 1 line 22\n"
                            "message-half 1 line 0\n");
    archive_text(&a, "a.1.events", "");
    check_archive(&a, found, sizeof found);
    ck_assert_str_eq(found, "!stream-empty 1 line 0\nmessage-one-sided 1 line 0\n");
    archive_put(&a, "a.1.events", ARCHIVE_ONE, strlen(ARCHIVE_ONE) - strlen("L1\nPE\n"));
    check_archive(&a, found, sizeof found);
    ck_assert_str_eq(found, "!unfinished 1 line 27\n");
    archive_remove(&a);
}
END_TEST

static Suite *otf_read_suite(void)
{
    Suite *s = suite_create("otf_read");
    TCase *c = tcase_create("read");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, test_probe_otf_knows_masters_only);
    tcase_add_test(c, test_read_otf_gives_calls_states_and_messages);
    tcase_add_test(c, test_read_otf_long_form_gives_the_same);
    tcase_add_test(c, test_read_otf_place_in_the_source_is_a_caller_line);
    tcase_add_test(c, test_read_otf_packed_gives_the_same);
    tcase_add_test(c, test_read_otf_local_definitions_come_first);
    tcase_add_test(c, test_read_otf_two_processes_of_one_stream_keep_apart);
    tcase_add_test(c, test_read_otf_counters_are_differences_of_totals_and_levels);
    tcase_add_test(c, test_read_otf_calls_inside_calls_are_functions);
    tcase_add_test(c, test_read_otf_overlapping_functions_are_no_damage);
    tcase_add_test(c, test_read_otf_ranks_follow_the_world);
    tcase_add_test(c, test_read_otf_gtg_containers_do_not_compute);
    tcase_add_test(c, test_read_otf_skewed_clocks_are_brought_together);
    tcase_add_test(c, test_read_otf_communicators_that_differ_are_left_out);
    tcase_add_test(c, test_read_otf_cut_anywhere);
    tcase_add_loop_test(c, test_read_otf_names_a_fault_or_skips_it, 0,
                        sizeof faults / sizeof *faults);
    tcase_add_loop_test(c, test_open_otf_names_what_is_missing, 0,
                        sizeof archives / sizeof *archives);
    tcase_add_test(c, test_open_otf_refuses_an_empty_archive);
    tcase_add_test(c, test_read_otf_damaged_packing_is_named);
    tcase_add_test(c, test_scan_window_of_otf_gives_the_same_as_all);
    tcase_add_test(c, test_read_otf_many_streams_with_few_handles);
    tcase_add_test(c, test_check_otf_lists_what_is_wrong);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(otf_read_suite());
}
