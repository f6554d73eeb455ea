/* Cutting OTF: borders, messages, collectives, texts that stay as they are. */
#include "model/texts.h"
#include "otf_archive.h"

#include "runner.h"

struct cut {
    struct archive out;
    struct prvcut_cut_summary sum;
    enum prvcut_status status;
    struct prvcut_error err;
};

/* NULL windows: straight from `from` to `to`; to 0: all. */
struct how {
    uint64_t from, to;
    const uint64_t *thread_from, *thread_to;
    struct prvcut_cut_options options;
    int threads;
    bool raw_clocks;
    bool unnamed;
};

static struct cut cut_otf(const struct archive *a, struct how how)
{
    const struct prvcut_open_options open = { .raw_clocks = how.raw_clocks };
    const struct prvcut_consumer nothing = { .roles = 0 };
    const struct prvcut_run run = { .threads = how.threads > 0 ? how.threads : 1 };
    struct prvcut_window w = {
        .from = how.from, .to = how.to, .thread_from = how.thread_from, .thread_to = how.thread_to
    };
    struct cut c = { 0 };
    struct prvcut_trace *t = open_otf(a->path, &open, &c.err);

    ck_assert_msg(t != NULL, "%s", c.err.text);
    archive_make(&c.out);
    if (!how.options.path && !how.unnamed)
        how.options.path = c.out.path;
    if (w.to == 0)
        w.to = t->end_ns + 1;
    ck_assert_int_eq(t->reader->scan(t, &run, &nothing, NULL, &c.err), PRVCUT_OK);
    c.status =
        t->reader->cut(t, &run, &(struct prvcut_subtrace){ &w, &how.options, &c.sum }, 1, &c.err);
    t->reader->close(t);
    return c;
}

static void cut_fini(struct cut *c)
{
    prvcut_texts_free(c->sum.file, c->sum.files);
    archive_remove(&c->out);
}

static void expect_file(const struct archive *a, const char *name, const char *text)
{
    char *have = archive_get(a, name);

    ck_assert_str_eq(have, text);
    free(have);
}

static void expect_ok(const struct cut *c)
{
    ck_assert_msg(c->status == PRVCUT_OK, "%s", c->err.text);
}

/* The folder holds no other file than these. */
static void expect_files(const struct archive *a, unsigned count)
{
    DIR *d = opendir(a->folder);
    struct dirent *e;
    unsigned n = 0;

    while ((e = readdir(d)) != NULL)
        n += e->d_name[0] != '.';
    closedir(d);
    ck_assert_uint_eq(n, count);
}

START_TEST(test_cut_otf_of_all_is_the_original)
{
    struct archive a;
    struct cut c;

    archive_small(&a);
    c = cut_otf(&a, (struct how){ .options.keep_time = true });
    expect_ok(&c);
    expect_file(&c.out, "a.otf", ARCHIVE_MASTER);
    expect_file(&c.out, "a.0.def", ARCHIVE_DEF);
    expect_file(&c.out, "a.1.events", ARCHIVE_ONE);
    expect_file(&c.out, "a.2.events", ARCHIVE_TWO);
    expect_files(&c.out, 4);
    ck_assert_uint_eq(c.sum.messages, 1);
    ck_assert_uint_eq(c.sum.reopened + c.sum.closed + c.sum.dropped_messages, 0);
    ck_assert_uint_eq(c.sum.events, 20);
    ck_assert_uint_eq(c.sum.size, c.sum.bytes);
    ck_assert_uint_eq(c.sum.files, 3);
    ck_assert_str_eq(c.sum.file[0], c.out.path);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_opens_and_closes_what_is_open)
{
    struct archive a;
    struct cut c;

    archive_small(&a);
    /* 15 lies between the send and the receive; 45 in the collective. */
    c = cut_otf(&a, (struct how){ .from = 15, .to = 45 });
    expect_ok(&c);
    expect_file(&c.out, "a.1.events",
                "0\n*1\nPB\nE1\nE2\n5\n*1\nL2\n19\n*1\nE4\n1a\n*1\nCOPB1H1C1RT0S8R8\n"
                "1e\n*1\nCOPE1\nL4\nL1\nPE\n");
    expect_file(&c.out, "a.2.events",
                "0\n*2\nPB\nE1\nE3\na\n*2\nL3\n19\n*2\nE4\n1a\n*2\nCOPB1H1C1RT0S8R8\n"
                "1e\n*2\nCOPE1\nL4\nL1\nPE\n");
    ck_assert_uint_eq(c.sum.messages, 0);
    ck_assert_uint_eq(c.sum.dropped_messages, 1);
    ck_assert_uint_eq(c.sum.reopened, 6);
    ck_assert_uint_eq(c.sum.closed, 8);
    ck_assert_uint_eq(c.sum.events, 6);
    ck_assert_uint_eq(c.sum.split_collectives, 0);
    cut_fini(&c);
    /* A collective that has begun is begun again. */
    c = cut_otf(&a, (struct how){ .from = 45, .to = 55, .options.keep_time = true });
    expect_file(
        &c.out, "a.1.events",
        "91\n*1\nPB\nE1\nE4\nCOPB1H1C1RT0S8R8\n96\n*1\nCOPE1\n97\n*1\nL4\n9b\n*1\nL1\nPE\n");
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_borders_of_each_process_keep_messages_whole)
{
    const uint64_t from[] = { 5, 15 }, to[] = { 25, 30 };
    struct archive a;
    struct cut c;

    archive_small(&a);
    c = cut_otf(&a, (struct how){ .from = 5, .to = 30, .thread_from = from, .thread_to = to });
    expect_ok(&c);
    ck_assert_uint_eq(c.sum.messages, 1);
    ck_assert_uint_eq(c.sum.dropped_messages, 0);
    expect_file(&c.out, "a.1.events",
                "0\n*1\nPB\nE1\n5\n*1\nE2\n7\n*1\nS2L10T7C1\nf\n*1\nL2\n14\n*1\nL1\nPE\n");
    expect_file(&c.out, "a.2.events", "a\n*2\nPB\nE1\nE3\n14\n*2\nR1L10T7C1\nL3\n19\n*2\nL1\nPE\n");
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* Four messages on one channel, at 10, 20, 30, 40 and five later. */
static void put_messages(struct archive *a)
{
    archive_small(a);
    archive_text(a, "a.1.events",
                 "0\n*1\nPB\na\n*1\nS2L1T1C1\n14\n*1\nS2L2T1C1\n1e\n*1\nS2L3T1C1\n"
                 "28\n*1\nS2L4T1C1\nPE\n");
    archive_text(a, "a.2.events",
                 "0\n*2\nPB\nf\n*2\nR1L1T1C1\n19\n*2\nR1L2T1C1\n23\n*2\nR1L3T1C1\n"
                 "2d\n*2\nR1L4T1C1\nPE\n");
}

START_TEST(test_cut_otf_matches_messages_from_the_begin)
{
    const uint64_t from[] = { 15, 5 }, to[] = { 45, 40 };
    const struct how how = {
        .from = 5, .to = 45, .thread_from = from, .thread_to = to, .options.keep_time = true
    };
    struct how keep = how;
    struct archive a;
    struct cut c;

    put_messages(&a);
    /* Inside: sends 2 to 4, receives 1 to 3. */
    c = cut_otf(&a, how);
    expect_ok(&c);
    expect_file(&c.out, "a.1.events",
                "f\n*1\nPB\n14\n*1\nS2L2T1C1\n1e\n*1\nS2L3T1C1\n28\n*1\nPE\n");
    expect_file(&c.out, "a.2.events",
                "5\n*2\nPB\n19\n*2\nR1L2T1C1\n23\n*2\nR1L3T1C1\n28\n*2\nPE\n");
    ck_assert_uint_eq(c.sum.messages, 2);
    ck_assert_uint_eq(c.sum.dropped_messages, 2);
    cut_fini(&c);
    keep.options.keep_messages = true;
    c = cut_otf(&a, keep);
    ck_assert_uint_eq(c.sum.messages, 4);
    ck_assert_uint_eq(c.sum.kept_messages, 2);
    expect_file(&c.out, "a.1.events",
                "f\n*1\nPB\n14\n*1\nS2L2T1C1\n1e\n*1\nS2L3T1C1\n28\n*1\nS2L4T1C1\nPE\n");
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_keeps_sends_where_receives_are_never_recorded)
{
    struct archive a;
    struct cut c;

    put_messages(&a);
    archive_text(&a, "a.2.events", "0\n*2\nPB\n2d\n*2\nE1\nL1\nPE\n");
    c = cut_otf(&a, (struct how){ .from = 15, .to = 35, .options.keep_time = true });
    expect_ok(&c);
    expect_file(&c.out, "a.1.events",
                "f\n*1\nPB\n14\n*1\nS2L2T1C1\n1e\n*1\nS2L3T1C1\n23\n*1\nPE\n");
    ck_assert_uint_eq(c.sum.messages, 2);
    ck_assert_uint_eq(c.sum.dropped_messages, 0);
    cut_fini(&c);
    /* One receive behind the window shows that they are recorded. */
    archive_text(&a, "a.2.events", "0\n*2\nPB\n2d\n*2\nR1L1T1C1\nPE\n");
    c = cut_otf(&a, (struct how){ .from = 15, .to = 35, .options.keep_time = true });
    expect_file(&c.out, "a.1.events", "f\n*1\nPB\n23\n*1\nPE\n");
    ck_assert_uint_eq(c.sum.dropped_messages, 2);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_counts_split_collectives)
{
    const uint64_t from[] = { 30, 30 }, to[] = { 60, 40 };
    struct archive a;
    struct cut c;

    archive_small(&a);
    c = cut_otf(&a, (struct how){ .from = 30, .to = 60, .thread_from = from, .thread_to = to });
    ck_assert_uint_eq(c.sum.split_collectives, 1);
    cut_fini(&c);
    c = cut_otf(&a, (struct how){ .from = 30, .to = 60 });
    ck_assert_uint_eq(c.sum.split_collectives, 0);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* A part would be paired with another collective: the call alone stays. */
START_TEST(test_cut_otf_leaves_out_the_rest_of_a_split_collective)
{
    static const char before[] = "0\n*1\nE1\na\n*1\nE4\n14\n*1\nL4\n1e\n*1\nL1\n";
    const uint64_t from[] = { 30, 30 }, outside[] = { 60, 40 }, within[] = { 60, 45 };
    struct how how = { .from = 30, .to = 60, .thread_from = from, .thread_to = outside };
    struct archive a;
    struct cut c;

    archive_small(&a);
    archive_text(&a, "a.1.events",
                 "64\n*1\nE1\n8c\n*1\nE4\n8d\n*1\nK1T3V9\nCOPB1H1C1RT0S8R8\n96\n*1\nCOPE1\nL4\n"
                 "a0\n*1\nL1\n");
    c = cut_otf(&a, how);
    expect_ok(&c);
    expect_file(&c.out, "a.1.events", before);
    expect_file(&c.out, "a.2.events", "0\n*2\nPB\nE1\na\n*2\nL1\nPE\n");
    ck_assert_uint_eq(c.sum.split_collectives, 1);
    cut_fini(&c);
    /* A border of its own, within the collective: it would end before others begin. */
    how.thread_to = within;
    c = cut_otf(&a, how);
    expect_file(&c.out, "a.1.events", before);
    expect_file(&c.out, "a.2.events", "0\n*2\nPB\nE1\na\n*2\nE4\nf\n*2\nL4\nL1\nPE\n");
    ck_assert_uint_eq(c.sum.split_collectives, 1);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* Two broadcasts by rank 0, which leaves before the other one; at 10 and 30, and 30 is in both. */
static void put_broadcasts(struct archive *a, const char *one, const char *two)
{
    archive_small(a);
    archive_text(a, "a.0.def",
                 "DTR3b9aca00\nDP1NM\"x\"\nDP2NM\"y\"\nDFG2NM\"MPI\"\nDF4G2NM\"MPI_Bcast\"\n"
                 "DPG1M1,2,NM\"MPI_COMM_WORLD\"\nDCO1NM\"MPI_Bcast\"Y2\n");
    archive_text(a, "a.1.events", one);
    archive_text(a, "a.2.events", two);
}

START_TEST(test_cut_otf_leaves_out_what_others_left_before_the_border)
{
    struct archive a;
    struct cut c;

    put_broadcasts(&a,
                   "0\n*1\nE4\na\n*1\nCOPB1H1C1RT1S8R0\nc\n*1\nCOPE1\nL4\nE4\n1e\n*1\n"
                   "COPB1H2C1RT1S8R0\n20\n*1\nCOPE2\nL4\n",
                   "0\n*2\nE4\na\n*2\nCOPB1H1C1RT1S0R8\n14\n*2\nCOPE1\nL4\nE4\n1e\n*2\n"
                   "COPB1H2C1RT1S0R8\n28\n*2\nCOPE2\nL4\n");
    c = cut_otf(&a, (struct how){ .from = 15, .to = 35, .options.keep_time = true });
    expect_ok(&c);
    expect_file(&c.out, "a.1.events", "f\n*1\nE4\n1e\n*1\nCOPB1H2C1RT1S8R0\n20\n*1\nCOPE2\nL4\n");
    expect_file(&c.out, "a.2.events",
                "f\n*2\nE4\n14\n*2\nL4\nE4\n1e\n*2\nCOPB1H2C1RT1S0R8\n23\n*2\nCOPE2\nL4\n");
    ck_assert_uint_eq(c.sum.split_collectives, 1);
    cut_fini(&c);
    /* Both borders within the second one, and it goes on behind the window. */
    c = cut_otf(&a, (struct how){ .from = 31, .to = 32, .options.keep_time = true });
    expect_file(&c.out, "a.1.events", "1f\n*1\nE4\nCOPB1H2C1RT1S8R0\n20\n*1\nCOPE2\nL4\n");
    expect_file(&c.out, "a.2.events", "1f\n*2\nE4\nCOPB1H2C1RT1S0R8\n20\n*2\nCOPE2\nL4\n");
    ck_assert_uint_eq(c.sum.split_collectives, 0);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* The same in one record each; the first is split. */
START_TEST(test_cut_otf_leaves_out_single_records_of_split_collectives)
{
    struct archive a;
    struct cut c;

    put_broadcasts(&a, "0\n*1\nE4\na\n*1\nCOP1C1RT1S8R0D2\n1e\n*1\nCOP1C1RT1S8R0D2\nL4\n",
                   "0\n*2\nE4\n10\n*2\nCOP1C1RT1S0R8D2\n1e\n*2\nCOP1C1RT1S0R8D2\nL4\n");
    c = cut_otf(&a, (struct how){ .from = 15, .to = 35, .options.keep_time = true });
    expect_ok(&c);
    expect_file(&c.out, "a.1.events", "f\n*1\nE4\n1e\n*1\nCOP1C1RT1S8R0D2\nL4\n");
    expect_file(&c.out, "a.2.events", "f\n*2\nE4\n1e\n*2\nCOP1C1RT1S0R8D2\nL4\n");
    ck_assert_uint_eq(c.sum.split_collectives, 1);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* Who recorded none, or fewer, takes nothing away from the others. */
START_TEST(test_cut_otf_keeps_collectives_that_others_did_not_record)
{
    static const char *const fewer[] = { "0\n*2\nE4\n40\n*2\nL4\n",
                                         "0\n*2\nE4\n10\n*2\nCOP1C1RT1S0R8D2\n40\n*2\nL4\n" };
    struct archive a;
    struct cut c;

    for (unsigned i = 0; i < 2; i++) {
        put_broadcasts(&a,
                       "0\n*1\nE4\na\n*1\nCOP1C1RT1S8R0D2\n1e\n*1\nCOP1C1RT1S8R0D2\n20\n*1\nL4\n",
                       fewer[i]);
        c = cut_otf(&a, (struct how){ .from = 5, .to = 31, .options.keep_time = true });
        expect_ok(&c);
        expect_file(&c.out, "a.1.events",
                    "5\n*1\nE4\na\n*1\nCOP1C1RT1S8R0D2\n1e\n*1\nCOP1C1RT1S8R0D2\n1f\n*1\nL4\n");
        ck_assert_uint_eq(c.sum.split_collectives, 0);
        cut_fini(&c);
        archive_remove(&a);
    }
}
END_TEST

START_TEST(test_cut_otf_leaves_unknown_records_and_key_values_alone)
{
    struct archive a;
    struct cut c;

    archive_small(&a);
    archive_text(&a, "a.1.events",
                 "64\n*1\nK1T3V9\nE1X7\n6e\n*1\nK1T3V4\nS2L10T7C1\nK2T1V\"a\"\nK3T1V1\n"
                 "Wxyz 12 \"E1\"\n#\"a comment\"\nFO3 F1\n78\n*1\nK1T3V5\nL1\n");
    c = cut_otf(&a, (struct how){ .from = 5, .to = 18 });
    expect_ok(&c);
    /* The send's receive lies behind the window: it goes, and its key value with it. */
    expect_file(&c.out, "a.1.events",
                "0\n*1\nK1T3V9\nE1X7\n5\n*1\nK2T1V\"a\"\nK3T1V1\nWxyz 12 \"E1\"\n"
                "#\"a comment\"\nFO3 F1\nd\n*1\nL1\n");
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_long_form_stays_long)
{
    struct archive a;
    struct cut c;

    archive_small(&a);
    archive_text(&a, "a.0.def",
                 "DEFTIMERRESOLUTION 3b9aca00\nDEFPROCESS 1 NAME \"x\"\nDEFPROCESS 2 NAME \"y\"\n"
                 "DEFFUNCTIONGROUP 1 NAME \"g\"\nDEFFUNCTION 1 GROUP 1 NAME \"main\"\n"
                 "DEFCOLLOP 1 NAME \"MPI_Barrier\" TYPE 1\nDEFTIMERANGE 64 TIME a0\n"
                 "DEFAUXSAMPLEPOINT 70 TYPE 1\n");
    archive_text(&a, "a.1.events",
                 "64\n*1\nPROCESSBEGIN \nENTER 1 SCL 3\n65\n*1\n"
                 "COLLOPBEGIN 1 HANDLEID a COMM 1 ROOT 0 SENT 8 RECVD 8\n96\n*1\nCOLLOPEND a\n"
                 "a0\n*1\nLEAVE 1\nPROCESSEND \n");
    archive_text(&a, "a.2.events", "64\n*2\nENTER 1\na0\n*2\nLEAVE 1\n");
    c = cut_otf(&a, (struct how){ .from = 5, .to = 10, .options.command = "prvcut \"x\\y\"" });
    expect_ok(&c);
    expect_file(&c.out, "a.1.events",
                "0\n*1\nPROCESSBEGIN \nENTER 1 SCL 3\n"
                "COLLOPBEGIN 1 HANDLEID a COMM 1 ROOT 0 SENT 8 RECVD 8\n"
                "5\n*1\nCOLLOPEND a\nLEAVE 1\nPROCESSEND \n");
    {
        char *def = archive_get(&c.out, "a.0.def");

        ck_assert_ptr_nonnull(strstr(def, "\nDEFTIMERANGE 0 TIME 5\nDEFCOMMENT \"window of "));
        ck_assert_ptr_nonnull(strstr(def, "back by 105 ticks; prvcut \\\"x\\\\y\\\"\"\n"));
        ck_assert_ptr_null(strstr(def, "AUX"));
        free(def);
    }
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_packed_is_the_same_packed)
{
    struct archive a, z;
    struct cut c, d, e;

    archive_small(&a);
    archive_make(&z);
    archive_text(&z, "a.otf", ARCHIVE_MASTER);
    archive_text(&z, "a.0.def.z", ARCHIVE_DEF);
    archive_text(&z, "a.1.events.z", ARCHIVE_ONE);
    archive_text(&z, "a.2.events.z", ARCHIVE_TWO);
    c = cut_otf(&a, (struct how){ .from = 15, .to = 45 });
    d = cut_otf(&z, (struct how){ .from = 15, .to = 45 });
    e = cut_otf(&z, (struct how){ .from = 15, .to = 45, .options.compress = "none" });
    expect_files(&d.out, 4);
    for (unsigned i = 0; i < 2; i++) {
        const char *const plain[] = { "a.1.events", "a.2.events" };
        const char *const packed[] = { "a.1.events.z", "a.2.events.z" };
        char *text = archive_get(&c.out, plain[i]);

        expect_file(&d.out, packed[i], text);
        expect_file(&e.out, plain[i], text);
        free(text);
    }
    cut_fini(&c);
    cut_fini(&d);
    cut_fini(&e);
    archive_remove(&a);
    archive_remove(&z);
}
END_TEST

START_TEST(test_cut_otf_keeps_markers_of_the_window)
{
    struct archive a;
    struct cut c;

    archive_small(&a);
    archive_text(&a, "a.0.marker",
                 "MD1NM\"it\"Y0\nMS1T64P1V\"one\"\nMS1T78P1V\"T99\"\n"
                 "MS1T78P0V\"all\"\nMS1T91P2V\"late\"\n");
    archive_text(&a, "a.1.stats", "0\n");
    c = cut_otf(&a, (struct how){ .from = 15, .to = 45 });
    expect_ok(&c);
    expect_file(&c.out, "a.0.marker", "MD1NM\"it\"Y0\nMS1T5P1V\"T99\"\nMS1T5P0V\"all\"\n");
    expect_files(&c.out, 5);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* Levels hold; totals are told as they are first read inside. */
START_TEST(test_cut_otf_counters_are_stated_again)
{
    struct archive a;
    struct cut c;

    archive_small(&a);
    archive_text(&a, "a.1.events", "64\n*1\nCNT2V5\nCNT1V64\nE1\n6e\n*1\nCNT2V9\nCNT1V65\nL1\n");
    c = cut_otf(&a, (struct how){ .from = 5, .to = 20 });
    expect_file(&c.out, "a.1.events", "0\n*1\nCNT1V65\nCNT2V5\nE1\n5\n*1\nCNT2V9\nCNT1V65\nL1\n");
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* Two processes in one stream whose clocks are 1000 apart. */
static void put_skewed(struct archive *a)
{
    archive_small(a);
    archive_text(a, "a.otf", "1:1,2\n");
    archive_text(a, "a.1.events",
                 "3e8\n*2\nE1\n3f2\n*2\nR1L10T7C1\n3f4\n*2\nS1L1T7C1\n3fc\n*2\nL1\n"
                 "7d0\n*1\nE1\n7da\n*1\nS2L10T7C1\n7dc\n*1\nR2L1T7C1\n7e4\n*1\nL1\n");
}

START_TEST(test_cut_otf_aligned_clocks_interleave_processes)
{
    struct archive a;
    struct cut c;

    put_skewed(&a);
    c = cut_otf(&a, (struct how){ .from = 1000, .to = 1100 });
    expect_ok(&c);
    expect_file(&c.out, "a.1.events",
                "0\n*2\nE1\n*1\nE1\na\n*2\nR1L10T7C1\n*1\nS2L10T7C1\n"
                "c\n*2\nS1L1T7C1\n*1\nR2L1T7C1\n14\n*2\nL1\n*1\nL1\n");
    cut_fini(&c);
    c = cut_otf(&a, (struct how){ .options = { .keep_time = true, .own_clocks = true } });
    expect_file(&c.out, "a.1.events",
                "3e8\n*2\nE1\n3f2\n*2\nR1L10T7C1\n3f4\n*2\nS1L1T7C1\n3fc\n*2\nL1\n"
                "7d0\n*1\nE1\n7da\n*1\nS2L10T7C1\n7dc\n*1\nR2L1T7C1\n7e4\n*1\nL1\n");
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* The order of a thread's records within one tick of a coarse clock is kept apart by the borders.
 */
START_TEST(test_cut_otf_divides_a_tick_of_a_coarse_clock)
{
    const uint64_t from[] = { 10002 }, to[] = { 20001 };
    struct archive a;
    struct read_text r;
    struct cut c;

    archive_small(&a);
    archive_text(&a, "a.otf", "1:1\n");
    archive_text(&a, "a.0.def", "DTR186a0\nDP1NM\"x\"\nDFG1NM\"g\"\nDF1G1NM\"f\"\nDF2G1NM\"h\"\n");
    archive_text(&a, "a.1.events", "1\n*1\nE1\n2\n*1\nE2\nL2\nE2\n3\n*1\nL2\nE2\nL2\nL1\n");
    r = read_otf(a.path, 1, false);
    ck_assert_str_eq(r.text[0],
                     "0 0 60000019=1\n0 10000 60000019=2\n0 10001 60000019=0\n0 10002 60000019=2\n"
                     "0 20000 60000019=0\n0 20001 60000019=2\n0 20002 60000019=0\n"
                     "0 20003 60000019=0\n");
    read_fini(&r);
    c = cut_otf(&a, (struct how){ .from = 10002,
                                  .to = 20001,
                                  .thread_from = from,
                                  .thread_to = to,
                                  .options.keep_time = true });
    expect_ok(&c);
    expect_file(&c.out, "a.1.events", "2\n*1\nE1\nE2\n3\n*1\nL2\nL1\n");
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* A stream that is entered at a mark gives the same as one that is read from its begin. */
START_TEST(test_cut_otf_from_a_mark_is_the_same)
{
    struct archive a, z;
    struct cut c, d;
    char *text, *x, *y;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    fprintf(f, "1\n*1\nPB\nK1T3V7\nE1X5\n*2\nE1\n");
    for (unsigned i = 0; i < 500000; i++) {
        const unsigned at = 16 + 4 * i;

        fprintf(f, "%x\n*%u\nCNT2V%x\nE%u\nE1\n%x\n*%u\nL1\nL%u\n", at, 1 + i % 2, 7 * i, 2 + i % 3,
                at + 2, 1 + i % 2, 2 + i % 3);
    }
    fprintf(f, "*1\nL1\nPE\n*2\nL1\n");
    fclose(f);
    archive_make(&a);
    archive_make(&z);
    archive_text(&a, "a.otf", "1:1,2\n");
    archive_text(&z, "a.otf", "1:1,2\n");
    archive_text(&a, "a.0.def", ARCHIVE_DEF);
    archive_text(&z, "a.0.def", ARCHIVE_DEF);
    archive_put(&a, "a.1.events", text, size);
    archive_put(&z, "a.1.events.z", text, size);
    c = cut_otf(&a, (struct how){ .from = 1500001, .to = 1500101 });
    d = cut_otf(&z, (struct how){ .from = 1500001, .to = 1500101 });
    x = archive_get(&c.out, "a.1.events");
    y = archive_get(&d.out, "a.1.events.z");
    ck_assert_str_eq(x, y);
    ck_assert_ptr_nonnull(strstr(x, "PB\nCNT2V"));
    ck_assert_ptr_nonnull(strstr(x, "K1T3V7\nE1X5\n"));
    ck_assert_uint_gt(strlen(x), 400);
    free(x);
    free(y);
    free(text);
    cut_fini(&c);
    cut_fini(&d);
    archive_remove(&a);
    archive_remove(&z);
}
END_TEST

/* One rank of a long run: messages on three tags, collectives, counters. */
static char *long_run(unsigned rank, size_t *size)
{
    char *text;
    FILE *f = open_memstream(&text, size);

    fprintf(f, "%x\n*%u\nPB\nE1\n", 1 + rank, rank);
    for (unsigned i = 0; i < 60000; i++) {
        const unsigned at = 16 + 32 * i + rank;

        fprintf(f, "%x\n*%u\nE2\nS%uL8T%xC1\n%x\n*%u\nL2\nE3\n", at, rank, 3 - rank, i % 3, at + 4,
                rank);
        /* The receiver is five messages behind. */
        if (i >= 5)
            fprintf(f, "R%uL8T%xC1\n", 3 - rank, (i - 5) % 3);
        fprintf(f, "%x\n*%u\nL3\nE4\n%x\n*%u\nCOPB1H%xC1RT0S8R8\n%x\n*%u\nCOPE%x\nL4\n", at + 8,
                rank, at + 9, rank, i + 1, at + 20, rank, i + 1);
    }
    fprintf(f, "L1\nPE\n");
    fclose(f);
    return text;
}

/* What is counted up to a mark and behind the window is what reading from begin to end counts. */
START_TEST(test_cut_otf_counts_at_marks_are_those_of_all)
{
    const uint64_t from[] = { 1500003, 1500205 }, to[] = { 1501000, 1501210 };
    const struct how how = {
        .from = 1500003, .to = 1501210, .thread_from = from, .thread_to = to, .raw_clocks = true
    };
    struct archive a, z;
    struct cut c, d;

    archive_make(&a);
    archive_make(&z);
    archive_text(&a, "a.otf", ARCHIVE_MASTER);
    archive_text(&z, "a.otf", ARCHIVE_MASTER);
    archive_text(&a, "a.0.def", ARCHIVE_DEF);
    archive_text(&z, "a.0.def", ARCHIVE_DEF);
    for (unsigned rank = 1; rank <= 2; rank++) {
        char name[32];
        size_t size;
        char *text = long_run(rank, &size);

        ck_assert_uint_gt(size, 5 << 20);
        snprintf(name, sizeof name, "a.%u.events", rank);
        archive_put(&a, name, text, size);
        snprintf(name, sizeof name, "a.%u.events.z", rank);
        archive_put(&z, name, text, size);
        free(text);
    }
    c = cut_otf(&a, how);
    d = cut_otf(&z, how);
    expect_ok(&c);
    expect_ok(&d);
    for (unsigned rank = 1; rank <= 2; rank++) {
        char name[32];
        char *text;

        snprintf(name, sizeof name, "a.%u.events", rank);
        text = archive_get(&c.out, name);
        ck_assert_ptr_nonnull(strstr(text, "\nR"));
        snprintf(name, sizeof name, "a.%u.events.z", rank);
        expect_file(&d.out, name, text);
        free(text);
    }
    ck_assert_uint_gt(c.sum.messages, 20);
    ck_assert_uint_gt(c.sum.dropped_messages, 5);
    ck_assert_uint_gt(c.sum.split_collectives, 5);
    ck_assert_uint_eq(c.sum.messages, d.sum.messages);
    ck_assert_uint_eq(c.sum.dropped_messages, d.sum.dropped_messages);
    ck_assert_uint_eq(c.sum.split_collectives, d.sum.split_collectives);
    cut_fini(&c);
    cut_fini(&d);
    archive_remove(&a);
    archive_remove(&z);
}
END_TEST

START_TEST(test_cut_otf_does_not_depend_on_the_workers)
{
    struct archive a;
    struct cut c, d;

    archive_small(&a);
    c = cut_otf(&a, (struct how){ .from = 15, .to = 45, .threads = 1 });
    d = cut_otf(&a, (struct how){ .from = 15, .to = 45, .threads = 4 });
    for (unsigned i = 0; i < 2; i++) {
        const char *const name[] = { "a.1.events", "a.2.events" };
        char *text = archive_get(&c.out, name[i]);

        expect_file(&d.out, name[i], text);
        free(text);
    }
    ck_assert_uint_eq(c.sum.bytes, d.sum.bytes);
    cut_fini(&c);
    cut_fini(&d);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_dry_run_counts_and_writes_nothing)
{
    struct archive a;
    struct cut c, d;

    archive_small(&a);
    c = cut_otf(&a, (struct how){ .from = 15, .to = 45 });
    d = cut_otf(&a, (struct how){ .from = 15, .to = 45, .options.dry_run = true });
    expect_ok(&d);
    expect_files(&d.out, 0);
    ck_assert_uint_eq(c.sum.bytes + strlen(d.out.folder) - strlen(c.out.folder), d.sum.bytes);
    ck_assert_uint_eq(c.sum.events, d.sum.events);
    ck_assert_uint_eq(c.sum.reopened, d.sum.reopened);
    ck_assert_uint_eq(d.sum.size, 0);
    cut_fini(&d);
    d = cut_otf(&a, (struct how){ .from = 15, .to = 45, .unnamed = true, .options.dry_run = true });
    expect_ok(&d);
    ck_assert_uint_eq(c.sum.events, d.sum.events);
    cut_fini(&c);
    cut_fini(&d);
    archive_remove(&a);
}
END_TEST

START_TEST(test_cut_otf_refuses_what_it_cannot_write)
{
    struct archive a;
    struct cut c;

    archive_small(&a);
    c = cut_otf(&a, (struct how){ .options.path = "x.prv" });
    ck_assert_int_eq(c.status, PRVCUT_EUSAGE);
    cut_fini(&c);
    c = cut_otf(&a, (struct how){ .options.compress = "zst" });
    ck_assert_int_eq(c.status, PRVCUT_EUSAGE);
    expect_files(&c.out, 0);
    cut_fini(&c);
    /* The original is not replaced. */
    c = cut_otf(&a, (struct how){ .options.path = a.path });
    ck_assert_int_eq(c.status, PRVCUT_EEXIST);
    cut_fini(&c);
    expect_file(&a, "a.1.events", ARCHIVE_ONE);
    c = cut_otf(
        &a, (struct how){ .from = 15, .to = 45, .options.path = a.path, .options.force = true });
    expect_ok(&c);
    expect_files(&a, 4);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

/* What the format's own tools say, where they are installed. */
START_TEST(test_cut_otf_is_read_by_the_formats_own_tools)
{
    struct archive a;
    struct cut c;
    char command[2400];

    if (system("otfprint -h > /dev/null 2>&1") != 0)
        return;
    archive_small(&a);
    c = cut_otf(&a, (struct how){ .from = 8, .to = 45, .options.command = "prvcut" });
    expect_ok(&c);
    snprintf(command, sizeof command,
             "otfprint %s > %s/out 2> %s/err && test ! -s %s/err && "
             "test $(grep -c 'Message:' %s/out) = 2 && test $(grep -c 'Enter:' %s/out) = 6 && "
             "test $(grep -c 'Leave:' %s/out) = 6 && grep -q 'Collective' %s/out",
             c.out.path, c.out.folder, c.out.folder, c.out.folder, c.out.folder, c.out.folder,
             c.out.folder, c.out.folder);
    ck_assert_int_eq(system(command), 0);
    cut_fini(&c);
    c = cut_otf(&a, (struct how){ .from = 8, .to = 45, .options.compress = "gz" });
    snprintf(command, sizeof command,
             "cd %s && otfdecompress a.1.events.z > /dev/null && grep -q '^S2L10T7C1$' a.1.events",
             c.out.folder);
    ck_assert_int_eq(system(command), 0);
    cut_fini(&c);
    archive_remove(&a);
}
END_TEST

static Suite *otf_cut_suite(void)
{
    Suite *s = suite_create("otf_cut");
    TCase *c = tcase_create("cut");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, test_cut_otf_of_all_is_the_original);
    tcase_add_test(c, test_cut_otf_opens_and_closes_what_is_open);
    tcase_add_test(c, test_cut_otf_borders_of_each_process_keep_messages_whole);
    tcase_add_test(c, test_cut_otf_matches_messages_from_the_begin);
    tcase_add_test(c, test_cut_otf_keeps_sends_where_receives_are_never_recorded);
    tcase_add_test(c, test_cut_otf_counts_split_collectives);
    tcase_add_test(c, test_cut_otf_leaves_out_the_rest_of_a_split_collective);
    tcase_add_test(c, test_cut_otf_leaves_out_what_others_left_before_the_border);
    tcase_add_test(c, test_cut_otf_leaves_out_single_records_of_split_collectives);
    tcase_add_test(c, test_cut_otf_keeps_collectives_that_others_did_not_record);
    tcase_add_test(c, test_cut_otf_leaves_unknown_records_and_key_values_alone);
    tcase_add_test(c, test_cut_otf_long_form_stays_long);
    tcase_add_test(c, test_cut_otf_packed_is_the_same_packed);
    tcase_add_test(c, test_cut_otf_keeps_markers_of_the_window);
    tcase_add_test(c, test_cut_otf_counters_are_stated_again);
    tcase_add_test(c, test_cut_otf_aligned_clocks_interleave_processes);
    tcase_add_test(c, test_cut_otf_divides_a_tick_of_a_coarse_clock);
    tcase_add_test(c, test_cut_otf_from_a_mark_is_the_same);
    tcase_add_test(c, test_cut_otf_counts_at_marks_are_those_of_all);
    tcase_add_test(c, test_cut_otf_does_not_depend_on_the_workers);
    tcase_add_test(c, test_cut_otf_dry_run_counts_and_writes_nothing);
    tcase_add_test(c, test_cut_otf_refuses_what_it_cannot_write);
    tcase_add_test(c, test_cut_otf_is_read_by_the_formats_own_tools);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(otf_cut_suite());
}
