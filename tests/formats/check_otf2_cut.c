#include "base/source.h"
#include "model/formats.h"
#include "model/texts.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <otf2/OTF2_Archive.h>
#include <otf2/OTF2_AttributeList.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>

#define COUNT_OF(table) (int)(sizeof(table) / sizeof *(table))

static struct prvcut_error error;

static bool shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool shell(const char *format, ...)
{
    char command[4096];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command) == 0;
}

/* --- Cutting ------------------------------------------------------------------------------ */

static struct prvcut_trace *open_scanned(const char *path)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_consumer nothing = { .roles = 0 };
    struct prvcut_source *source;
    struct prvcut_trace *t = NULL;

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_source_open(&source, path, &error), PRVCUT_OK);
    ck_assert_msg(prvcut_otf2_reader.open(&t, source, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(t->reader->scan(t, &run, &nothing, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

static void summary_fini(struct prvcut_cut_summary *sum)
{
    prvcut_texts_free(sum->file, sum->files);
}

static enum prvcut_status cut(struct prvcut_trace *t, const struct prvcut_window *w,
                              struct prvcut_cut_options o, int threads,
                              struct prvcut_cut_summary *sum)
{
    const struct prvcut_run run = { .threads = threads };
    enum prvcut_status st;

    o.path = o.path ? o.path : "cut.otf2";
    memset(&error, 0, sizeof error);
    memset(sum, 0, sizeof *sum);
    st = t->reader->cut(t, &run, &(struct prvcut_subtrace){ w, &o, sum }, 1, &error);
    summary_fini(sum);
    return st;
}

static struct prvcut_cut_summary cut_well(const char *path, const struct prvcut_window *w,
                                          struct prvcut_cut_options o)
{
    struct prvcut_trace *t = open_scanned(path);
    struct prvcut_cut_summary sum;

    o.force = true;
    ck_assert_msg(cut(t, w, o, 2, &sum) == PRVCUT_OK, "%s", error.text);
    t->reader->close(t);
    return sum;
}

/* A share of the trace's time. */
static struct prvcut_window part(const char *path, double from, double to)
{
    struct prvcut_trace *t = open_scanned(path);
    const double end = (double)t->end_ns;
    const struct prvcut_window w = { .from = (uint64_t)(from * end), .to = (uint64_t)(to * end) };

    t->reader->close(t);
    return w;
}

/* --- What otf2-print says of an archive --------------------------------------------------- */

/* Complaints without names and numbers, each once; one command, for a fork takes its time here. */
static void expect_no_new_complaint(const char *original, const char *path)
{
    ck_assert(shell("plain() { sed 's/\"[^\"]*\"//g;s/[0-9]//g' | LC_ALL=C sort -u; };"
                    "test -e known || otf2-print --silent %s 2>&1 >/dev/null | plain >known;"
                    "otf2-print --silent %s >/dev/null 2>words || exit 1; plain <words >heard;"
                    "LC_ALL=C comm -13 known heard >new; test ! -s new || { cat new; false; }",
                    original, path));
}

/* Regions, messages and times of a cut, by a program that has nothing to do with the cutter. */
static void expect_balanced(const char *path)
{
    ck_assert(shell(
        "otf2-print %s 2>/dev/null | awk '"
        "$1 == \"ENTER\" { open[$2]++ } $1 == \"LEAVE\" { if (--open[$2] < 0) bad = 1 }"
        "$1 == \"MPI_COLLECTIVE_BEGIN\" { begun[$2]++ }"
        "$1 == \"MPI_COLLECTIVE_END\" { if (--begun[$2] < 0) bad = 2 }"
        "/^MPI_(IS|S)END / || /^MPI_I?RECV / {"
        " match($0, /er: [0-9]+ .\"[^\"]*\" <[0-9]+>/); peer = substr($0, RSTART, RLENGTH);"
        " sub(/.*</, \"\", peer); sub(/>.*/, \"\", peer); match($0, /Tag: [0-9]+/);"
        " tag = substr($0, RSTART, RLENGTH);"
        " if ($1 ~ /SEND/) sent[$2 \" \" peer \" \" tag]++;"
        " else received[peer \" \" $2 \" \" tag]++ }"
        "$3 ~ /^[0-9]+$/ && $1 != \"ADDITIONAL\" { if ($3 < last[$2]) bad = 3; last[$2] = $3 }"
        "END { for (i in open) if (open[i] != 0) bad = 4;"
        " for (i in received) if (sent[i] != received[i]) bad = 5;"
        " if (bad) print \"bad\", bad; exit bad }'",
        path));
}

/* Each location's records in its own order, without their times: KIND and what follows. */
static void expect_records(const char *path, unsigned location, const char *want)
{
    FILE *file = fopen("want", "w");

    ck_assert_ptr_nonnull(file);
    fputs(want, file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(shell("otf2-print %s 2>/dev/null | awk '$2 == %u && $3 ~ /^[0-9]+$/ {"
                    " $2 = \"\"; sub(/  /, \" \"); sub(/ +$/, \"\"); print }' >have;"
                    " diff want have",
                    path, location));
}

/* --- Real archives ------------------------------------------------------------------------ */

static const struct real {
    const char *pack, *anchor;
} reals[] = {
    { "bt.S.4", "bt.S.4_trace/eztrace_log" },
    { "comd.4", "CoMD-mpi_trace/eztrace_log" },
    { "lu.S.4", "lu.S.4_trace/eztrace_log" },
    { "mpikinds.4", "mpikinds_trace/eztrace_log" },
    { "mpipth.4", "mpipth_trace/eztrace_log" },
    { "pth.4t", "pth_trace/eztrace_log" },
    { "scorep-ping-pong-otf2", "ping-pong-otf2/traces" },
    { "scorep-ping-pong-otf2-papi", "ping-pong-otf2-papi/traces" },
};

/* Unpacked here; false: there are no real archives. */
static bool unpack(int number, char *path, size_t room)
{
    const char *folder = traces_folder();
    char pack[4096];

    if (!folder)
        return false;
    snprintf(pack, sizeof pack, "%s/otf2/%s.tar.zst", folder, reals[number].pack);
    if (access(pack, R_OK) != 0 ||
        (traces_take() == TRACES_LEAST && !traces_wanted("otf2", reals[number].pack)))
        return false;
    ck_assert(shell("zstd -dcq '%s' | tar -xf - --no-same-owner && chmod -R u+w .", pack));
    snprintf(path, room, "%s.otf2", reals[number].anchor);
    ck_assert_int_eq(access(path, R_OK), 0);
    return true;
}

START_TEST(test_cut_whole_archive_prints_the_same)
{
    const struct prvcut_cut_options all = { .all_definitions = true, .own_clocks = true },
                                    used = { .force = true, .own_clocks = true };
    char path[4096];

    if (!unpack(_i, path, sizeof path))
        return;
    cut_well(path, &(struct prvcut_window){ .to = UINT64_MAX }, all);
    ck_assert(shell("otf2-print -G %s >want 2>/dev/null; otf2-print %s >>want 2>/dev/null;"
                    "otf2-print -G cut.otf2 >have 2>/dev/null; otf2-print cut.otf2 >>have"
                    " 2>/dev/null; cmp want have",
                    path, path));
    cut_well(path, &(struct prvcut_window){ .to = UINT64_MAX }, used);
    ck_assert(shell("otf2-print %s >want 2>/dev/null; otf2-print cut.otf2 >have 2>/dev/null;"
                    "cmp want have",
                    path));
    expect_no_new_complaint(path, "cut.otf2");
}
END_TEST

START_TEST(test_cut_part_of_archive_is_sound)
{
    static const double parts[][2] = { { 0, 0.1 }, { 0.3, 0.5003 }, { 0.7, 0.71 }, { 0.9, 1 } };
    char path[4096];

    if (!unpack(_i, path, sizeof path))
        return;
    for (int i = 0; i < COUNT_OF(parts); i++) {
        const struct prvcut_window w = part(path, parts[i][0], parts[i][1]);

        cut_well(path, &w, (struct prvcut_cut_options){ .all_definitions = i == _i % 4 });
        expect_no_new_complaint(path, "cut.otf2");
        expect_balanced("cut.otf2");
    }
}
END_TEST

/* The anchor holds a random number that the library makes; all else is the same. */
START_TEST(test_cut_archive_same_with_any_workers)
{
    struct prvcut_cut_summary one, two;
    struct prvcut_trace *t;
    struct prvcut_window w;
    char path[4096];

    if (!unpack(_i, path, sizeof path))
        return;
    w = part(path, 0.2, 0.6);
    t = open_scanned(path);
    ck_assert_int_eq(mkdir("one", 0755), 0);
    ck_assert_int_eq(mkdir("two", 0755), 0);
    ck_assert_int_eq(cut(t, &w, (struct prvcut_cut_options){ .path = "one/x.otf2" }, 1, &one), 0);
    ck_assert_int_eq(cut(t, &w, (struct prvcut_cut_options){ .path = "two/x.otf2" }, 4, &two), 0);
    ck_assert(shell("diff -r -x x.otf2 one two && test $(cmp -l one/x.otf2 two/x.otf2 |"
                    " wc -l) -le 8"));
    ck_assert_uint_eq(one.events, two.events);
    ck_assert_uint_eq(one.messages, two.messages);
    ck_assert_uint_eq(one.size, two.size);
    ck_assert_int_eq(cut(t, &w, (struct prvcut_cut_options){ .dry_run = true }, 2, &two), 0);
    ck_assert_uint_eq(one.events, two.events);
    ck_assert_uint_eq(one.dropped_messages, two.dropped_messages);
    ck_assert_uint_eq(two.size, 0);
    ck_assert_int_ne(access("cut.otf2", F_OK), 0);
    t->reader->close(t);
}
END_TEST

/* --- An archive of every kind of thing that can be open ----------------------------------- */

#define START     UINT64_C(1000)
#define ROUND     UINT64_C(100)
#define ROUND_AT  (START + ROUND)
#define ITERATION 10

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    (void)user;
    (void)type;
    (void)location;
    (void)caller;
    (void) final;
    return OTF2_FLUSH;
}

static void write_metric(OTF2_EvtWriter *w, uint64_t time, uint64_t total, uint64_t since)
{
    const OTF2_Type types[] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
    const OTF2_MetricValue values[] = { { .unsigned_int = total }, { .unsigned_int = since } };

    ck_assert_int_eq(OTF2_EvtWriter_Metric(w, NULL, time, 0, 2, types, values), 0);
}

/* Location 0 sends, 1 receives: posted in one iteration, complete in the next. */
static void write_iteration(OTF2_EvtWriter *w, unsigned location, unsigned i, bool receives)
{
    const uint64_t t = ROUND_AT + i * ROUND;

    if (location == 0) {
        OTF2_EvtWriter_Enter(w, NULL, t, 1);
        OTF2_EvtWriter_MpiSend(w, NULL, t + 1, 1, 0, 5, 8);
        OTF2_EvtWriter_Leave(w, NULL, t + 2, 1);
    } else {
        OTF2_EvtWriter_Enter(w, NULL, t, 2);
        if (i > 0 && receives)
            OTF2_EvtWriter_MpiIrecv(w, NULL, t + 10, 0, 0, 5, 8, i - 1);
        OTF2_EvtWriter_MpiIrecvRequest(w, NULL, t + 11, i);
        OTF2_EvtWriter_Leave(w, NULL, t + 12, 2);
    }
    OTF2_EvtWriter_Enter(w, NULL, t + 50, 3);
    OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, t + 51);
    OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, t + 60, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                    OTF2_UNDEFINED_UINT32, 4, 4);
    OTF2_EvtWriter_Leave(w, NULL, t + 61, 3);
    write_metric(w, t + 70, 100 + 10 * i, 1);
}

static void write_events(OTF2_Archive *a, unsigned location, bool receives)
{
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, location);
    const uint64_t end = ROUND_AT + ITERATION * ROUND;
    const OTF2_StringRef argument = 3;

    ck_assert_ptr_nonnull(w);
    OTF2_EvtWriter_ProgramBegin(w, NULL, START, 2, 1, &argument);
    OTF2_EvtWriter_Enter(w, NULL, START, 0);
    OTF2_EvtWriter_RmaWinCreate(w, NULL, START + 10, 0);
    OTF2_EvtWriter_IoCreateHandle(w, NULL, START + 20, 0, OTF2_IO_ACCESS_MODE_READ_ONLY, 0, 0);
    OTF2_EvtWriter_ThreadAcquireLock(w, NULL, START + 30, OTF2_PARADIGM_PTHREAD, 7, 1);
    OTF2_EvtWriter_ThreadFork(w, NULL, START + 31, OTF2_PARADIGM_OPENMP, 4);
    write_metric(w, START + 40, 90, 9);
    for (unsigned i = 0; i < ITERATION; i++)
        write_iteration(w, location, i, receives);
    OTF2_EvtWriter_ThreadJoin(w, NULL, end, OTF2_PARADIGM_OPENMP);
    OTF2_EvtWriter_ThreadReleaseLock(w, NULL, end, OTF2_PARADIGM_PTHREAD, 7, 1);
    OTF2_EvtWriter_IoDestroyHandle(w, NULL, end, 0);
    OTF2_EvtWriter_RmaWinDestroy(w, NULL, end, 0);
    OTF2_EvtWriter_Leave(w, NULL, end, 0);
    OTF2_EvtWriter_ProgramEnd(w, NULL, end, 0);
    ck_assert_int_eq(OTF2_Archive_CloseEvtWriter(a, w), 0);
}

static const char *const texts[] = { "",         "machine",   "program",       "argument", "main",
                                     "MPI_Send", "MPI_Irecv", "MPI_Allreduce", "never",    "total",
                                     "since",    "team",      "file" };

static void write_names(OTF2_Archive *a)
{
    OTF2_GlobalDefWriter *g = OTF2_Archive_GetGlobalDefWriter(a);
    const uint64_t members[] = { 0, 1 };
    const OTF2_MetricMemberRef metrics[] = { 0, 1 };

    ck_assert_ptr_nonnull(g);
    for (uint32_t i = 0; i < (uint32_t)COUNT_OF(texts); i++)
        OTF2_GlobalDefWriter_WriteString(g, i, texts[i]);
    OTF2_GlobalDefWriter_WriteClockProperties(g, 1000000000, START, 2000, 5000000);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(g, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 0; i < 2; i++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(g, i, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(g, i, 1, OTF2_LOCATION_TYPE_CPU_THREAD, 100, i);
    }
    for (uint32_t i = 0; i < 5; i++)
        OTF2_GlobalDefWriter_WriteRegion(g, i, 4 + i, 4 + i, 0, OTF2_REGION_ROLE_FUNCTION,
                                         i == 0 || i == 4 ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI,
                                         OTF2_REGION_FLAG_NONE, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteGroup(g, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 2, members);
    OTF2_GlobalDefWriter_WriteGroup(g, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 2, members);
    OTF2_GlobalDefWriter_WriteComm(g, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    for (uint32_t i = 1; i <= 20; i++) {
        OTF2_GlobalDefWriter_WriteGroup(g, i + 1, 11, OTF2_GROUP_TYPE_COMM_GROUP,
                                        OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, members);
        OTF2_GlobalDefWriter_WriteComm(g, i, 11, i + 1, 0, OTF2_COMM_FLAG_NONE);
    }
    OTF2_GlobalDefWriter_WriteRmaWin(g, 0, 0, 0, OTF2_RMA_WIN_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteMetricMember(g, 0, 9, 0, OTF2_METRIC_TYPE_OTHER,
                                           OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                                           OTF2_BASE_DECIMAL, 0, 0);
    OTF2_GlobalDefWriter_WriteMetricMember(g, 1, 10, 0, OTF2_METRIC_TYPE_OTHER,
                                           OTF2_METRIC_RELATIVE_LAST, OTF2_TYPE_UINT64,
                                           OTF2_BASE_DECIMAL, 0, 0);
    OTF2_GlobalDefWriter_WriteMetricClass(g, 0, 2, metrics, OTF2_METRIC_SYNCHRONOUS,
                                          OTF2_RECORDER_KIND_CPU);
    OTF2_GlobalDefWriter_WriteIoParadigm(g, 0, 12, 12, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                         OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
    OTF2_GlobalDefWriter_WriteIoRegularFile(g, 0, 12, 0);
    OTF2_GlobalDefWriter_WriteIoHandle(g, 0, 12, 0, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                       OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
    ck_assert_int_eq(OTF2_Archive_CloseGlobalDefWriter(a, g), 0);
}

static void write_markers(OTF2_Archive *a)
{
    OTF2_MarkerWriter *m = OTF2_Archive_GetMarkerWriter(a);

    ck_assert_ptr_nonnull(m);
    OTF2_MarkerWriter_WriteDefMarker(m, 0, "group", "category", OTF2_SEVERITY_LOW);
    for (uint64_t i = 0; i < ITERATION; i++)
        OTF2_MarkerWriter_WriteMarker(m, ROUND_AT + i * ROUND, 0, 0, OTF2_MARKER_SCOPE_GLOBAL, 0,
                                      "here");
    ck_assert_int_eq(OTF2_Archive_CloseMarkerWriter(a, m), 0);
}

/* all.otf2; receives: recorded at all. */
static void write_archive(bool receives)
{
    static const OTF2_FlushCallbacks flushing = { .otf2_pre_flush = flush };
    OTF2_Archive *a = OTF2_Archive_Open(".", "all", OTF2_FILEMODE_WRITE, 1 << 18, 1 << 20,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(OTF2_Archive_SetFlushCallbacks(a, &flushing, NULL), 0);
    ck_assert_int_eq(OTF2_Archive_SetSerialCollectiveCallbacks(a), 0);
    OTF2_Archive_SetCreator(a, "creator");
    OTF2_Archive_SetProperty(a, "OTF2::MPI_COMMUNICATION_COMPLETE", "true", true);
    OTF2_Archive_SetProperty(a, "OWN::PROPERTY", "kept", true);
    ck_assert_int_eq(OTF2_Archive_OpenEvtFiles(a), 0);
    for (unsigned i = 0; i < 2; i++)
        write_events(a, i, receives);
    ck_assert_int_eq(OTF2_Archive_CloseEvtFiles(a), 0);
    write_names(a);
    write_markers(a);
    ck_assert_int_eq(OTF2_Archive_Close(a), 0);
}

/* The window of iterations [first, last), a little before their first calls. */
static struct prvcut_window iterations(uint64_t first, uint64_t last)
{
    return (struct prvcut_window){ .from = ROUND + first * ROUND - 5,
                                   .to = ROUND + last * ROUND - 5 };
}

static void expect_listed(const char *command, const char *text, bool there)
{
    ck_assert_msg(shell("%s 2>/dev/null | grep -q '%s'", command, text) == there, "%s: '%s'%s",
                  command, text, there ? "" : " is there");
}

#define OPENED                                                                                     \
    "PROGRAM_BEGIN 1395 Name: \"program\" <2>, 1 Argument: \"argument\" <3>\n"                     \
    "METRIC 1395 Metric: 0, 2 Values: (\"total\" <0>; UINT64; 130), (\"since\" <1>; UINT64; 0)\n"  \
    "RMA_WIN_CREATE 1395 Window: \"\" <0>\n"                                                       \
    "IO_CREATE_HANDLE 1395 Handle: \"file\" <0>, Access Mode: READ_ONLY, Creation Flags: NONE, "   \
    "Status Flags: NONE\n"                                                                         \
    "THREAD_ACQUIRE_LOCK 1395 Model: PTHREAD, Lock: 7, Acquisition Order: 1\n"                     \
    "ENTER 1395 Region: \"main\" <0>\n"                                                            \
    "THREAD_FORK 1395 Model: OPENMP, # Requested Threads: 4\n"

#define COLLECTIVE                                                                                 \
    "ENTER 1450 Region: \"MPI_Allreduce\" <3>\n"                                                   \
    "MPI_COLLECTIVE_BEGIN 1451\n"                                                                  \
    "MPI_COLLECTIVE_END 1460 Operation: ALLREDUCE, Communicator: \"\" <0>, Root: NONE, Sent: 4, "  \
    "Received: 4\n"                                                                                \
    "LEAVE 1461 Region: \"MPI_Allreduce\" <3>\n"                                                   \
    "METRIC 1470 Metric: 0, 2 Values: (\"total\" <0>; UINT64; 130), (\"since\" <1>; UINT64; 1)\n"

#define CLOSED                                                                                     \
    "THREAD_JOIN 1495 Model: OPENMP\n"                                                             \
    "LEAVE 1495 Region: \"main\" <0>\n"                                                            \
    "THREAD_RELEASE_LOCK 1495 Model: PTHREAD, Lock: 7, Acquisition Order: 1\n"                     \
    "IO_DESTROY_HANDLE 1495 Handle: \"file\" <0>\n"                                                \
    "RMA_WIN_DESTROY 1495 Window: \"\" <0>\n"                                                      \
    "PROGRAM_END 1495 Exit status: UNDEFINED\n"

/* One iteration: its send is received after it, and what it receives was sent before. */
START_TEST(test_cut_archive_reopens_and_closes)
{
    const struct prvcut_window w = iterations(3, 4);
    struct prvcut_cut_summary sum;

    write_archive(true);
    sum = cut_well("all.otf2", &w, (struct prvcut_cut_options){ .command = "prvcut cut" });
    expect_records("cut.otf2", 0,
                   OPENED "ENTER 1400 Region: \"MPI_Send\" <1>\n"
                          "LEAVE 1402 Region: \"MPI_Send\" <1>\n" COLLECTIVE CLOSED);
    expect_records("cut.otf2", 1,
                   OPENED "ENTER 1400 Region: \"MPI_Irecv\" <2>\n"
                          "MPI_IRECV_REQUEST 1411 Request: 3\n"
                          "LEAVE 1412 Region: \"MPI_Irecv\" <2>\n" COLLECTIVE CLOSED);
    ck_assert_uint_eq(sum.events, 20 + 21);
    ck_assert_uint_eq(sum.reopened, 14);
    ck_assert_uint_eq(sum.closed, 12);
    ck_assert_uint_eq(sum.messages, 0);
    ck_assert_uint_eq(sum.dropped_messages, 2);
    ck_assert_uint_eq(sum.split_collectives, 0);
    expect_no_new_complaint("all.otf2", "cut.otf2");
}
END_TEST

START_TEST(test_cut_archive_says_what_it_is)
{
    const struct prvcut_window w = iterations(3, 4);

    write_archive(true);
    cut_well("all.otf2", &w, (struct prvcut_cut_options){ .command = "prvcut cut" });
    expect_listed("otf2-print -A cut.otf2", "^Creator *creator$", true);
    expect_listed("otf2-print -A cut.otf2 | paste - - ", "MPI_COMMUNICATION_COMPLETE", true);
    expect_listed("otf2-print -A cut.otf2 | grep -A1 _COMPLETE", "false", true);
    expect_listed("otf2-print -A cut.otf2 | grep -A1 OWN::PROPERTY", "kept", true);
    expect_listed("otf2-print -A cut.otf2 | grep -A1 PRVCUT::COMMAND", "prvcut cut", true);
    expect_listed("otf2-print -G cut.otf2", "Global Offset: 1395, Length: 100,", true);
    expect_listed("otf2-print -G cut.otf2", "^LOCATION  *0 .*# Events: 20,", true);
    expect_listed("otf2-marker cut.otf2", "here", true);
    ck_assert(shell("test $(otf2-marker cut.otf2 2>/dev/null | grep -c here) -eq 1"));
    cut_well("all.otf2", &w, (struct prvcut_cut_options){ .keep_time = true });
    expect_listed("otf2-print -G cut.otf2", "Global Offset: 1000, Length: 495,", true);
}
END_TEST

START_TEST(test_cut_archive_leaves_out_unused_definitions)
{
    const struct prvcut_window w = iterations(3, 4);

    write_archive(true);
    for (int all = 0; all < 2; all++) {
        cut_well("all.otf2", &w, (struct prvcut_cut_options){ .all_definitions = all });
        expect_listed("otf2-print -G cut.otf2", "\"team\"", all);
        expect_listed("otf2-print -G cut.otf2", "\"never\"", all);
        expect_listed("otf2-print -G cut.otf2", "\"argument\"", true);
        expect_listed("otf2-print -G cut.otf2", "^COMM  *0 ", true);
        expect_listed("otf2-print -G cut.otf2", "^IO_HANDLE ", true);
        expect_listed("otf2-print -G cut.otf2", "^RMA_WIN ", true);
        expect_no_new_complaint("all.otf2", "cut.otf2");
    }
}
END_TEST

/* The receiver's window is an iteration later, as its messages are. */
START_TEST(test_cut_archive_keeps_messages_of_shifted_windows)
{
    const struct prvcut_window a = iterations(2, 5), b = iterations(3, 6);
    const uint64_t from[] = { a.from, b.from }, to[] = { a.to, b.to };
    const struct prvcut_window w = { a.from, b.to, from, to };
    struct prvcut_cut_summary sum;

    write_archive(true);
    sum = cut_well("all.otf2", &w, (struct prvcut_cut_options){ .force = true });
    ck_assert_uint_eq(sum.messages, 3);
    ck_assert_uint_eq(sum.dropped_messages, 0);
    expect_balanced("cut.otf2");
    /* Posted before the window, complete inside. */
    expect_listed("otf2-print cut.otf2", "^MPI_IRECV_REQUEST  *1  *1395  *Request: 2$", true);
    expect_listed("otf2-print cut.otf2", "^MPI_IRECV  *1  *1410 .*Request: 2$", true);
    /* Two and two of the collectives are inside both windows, one and one is in one alone. */
    ck_assert_uint_eq(sum.split_collectives, 2);
    ck_assert(shell("test $(otf2-print cut.otf2 | grep -c COLLECTIVE_BEGIN) -eq 4"));
    ck_assert(shell("test $(otf2-print cut.otf2 | grep -c COLLECTIVE_END) -eq 4"));
    expect_listed("otf2-print -A cut.otf2 | grep -A1 _COMPLETE", "false", true);
}
END_TEST

START_TEST(test_cut_archive_keeps_halves_when_told)
{
    const struct prvcut_window w = iterations(3, 6);
    struct prvcut_cut_summary sum;

    write_archive(true);
    sum = cut_well("all.otf2", &w, (struct prvcut_cut_options){ .keep_messages = false });
    ck_assert_uint_eq(sum.messages, 2);
    ck_assert_uint_eq(sum.dropped_messages, 2);
    sum = cut_well("all.otf2", &w, (struct prvcut_cut_options){ .keep_messages = true });
    ck_assert_uint_eq(sum.messages, 3);
    ck_assert_uint_eq(sum.kept_messages, 2);
    ck_assert_uint_eq(sum.dropped_messages, 0);
    expect_listed("otf2-print cut.otf2", "^MPI_IRECV_REQUEST  *1  *1395  *Request: 2$", true);
    expect_listed("otf2-print -A cut.otf2 | grep -A1 _COMPLETE", "false", true);
}
END_TEST

/* Where receives were never recorded, sends have lost nothing by the cut. */
START_TEST(test_cut_archive_keeps_sends_without_receives)
{
    const struct prvcut_window w = iterations((uint64_t)_i, (uint64_t)_i + 3);
    struct prvcut_cut_summary sum;

    write_archive(false);
    sum = cut_well("all.otf2", &w, (struct prvcut_cut_options){ .keep_messages = false });
    ck_assert_uint_eq(sum.messages, 3);
    ck_assert_uint_eq(sum.dropped_messages, 0);
    ck_assert_uint_eq(sum.kept_messages, 0);
    expect_listed("otf2-print -A cut.otf2 | grep -A1 _COMPLETE", "true", true);
}
END_TEST

/* Both borders within an allreduce: begun again, and ended early, on all. */
START_TEST(test_cut_archive_within_collectives)
{
    const struct prvcut_window w = { .from = 3 * ROUND + 155, .to = 4 * ROUND + 155 };
    struct prvcut_cut_summary sum;

    write_archive(true);
    sum = cut_well("all.otf2", &w, (struct prvcut_cut_options){ .keep_messages = true });
    ck_assert_uint_eq(sum.split_collectives, 0);
    expect_balanced("cut.otf2");
    expect_listed("otf2-print cut.otf2", "^MPI_COLLECTIVE_BEGIN  *0  *1455", true);
    expect_listed("otf2-print cut.otf2", "^MPI_COLLECTIVE_END  *0  *1460 .*ALLREDUCE", true);
    expect_listed("otf2-print cut.otf2", "^MPI_COLLECTIVE_BEGIN  *1  *1551", true);
    expect_listed("otf2-print cut.otf2", "^MPI_COLLECTIVE_END  *1  *1555 .*ALLREDUCE", true);
}
END_TEST

START_TEST(test_cut_archive_aligns_clocks_when_told)
{
    const struct prvcut_window w = iterations(3, 4);
    struct prvcut_cut_summary sum;
    struct prvcut_trace *t;

    write_archive(true);
    t = open_scanned("all.otf2");
    prvcut_clocks_fini(&t->clocks);
    t->clocks.offset = calloc(2, sizeof *t->clocks.offset);
    ck_assert_ptr_nonnull(t->clocks.offset);
    t->clocks.offset[1] = 100;
    t->clocks.tasks = 2;
    t->clocks.skewed = true;
    /* Of the second one's own clock, it is one iteration earlier. */
    for (int align = 0; align < 2; align++) {
        const struct prvcut_cut_options o = { .own_clocks = !align, .force = true };

        ck_assert_int_eq(cut(t, &w, o, 1, &sum), PRVCUT_OK);
        expect_listed("otf2-print cut.otf2", "^ENTER  *0  *1400 .*MPI_Send", true);
        expect_listed("otf2-print cut.otf2", "^ENTER  *1  *1300 .*MPI_Irecv", !align);
        expect_listed("otf2-print cut.otf2", "^ENTER  *1  *1400 .*MPI_Irecv", align);
        expect_balanced("cut.otf2");
    }
    t->reader->close(t);
}
END_TEST

/* --- Refusals ----------------------------------------------------------------------------- */

static void expect_failure(const char *path, const struct prvcut_window *w, const char *to,
                           enum prvcut_status status, const char *reason)
{
    struct prvcut_trace *t = open_scanned(path);
    struct prvcut_cut_summary sum;

    ck_assert_int_eq(cut(t, w, (struct prvcut_cut_options){ .path = to }, 2, &sum), status);
    ck_assert_msg(strstr(error.text, reason), "%s", error.text);
    t->reader->close(t);
}

START_TEST(test_cut_archive_refuses_bad_names)
{
    const struct prvcut_window w = iterations(3, 4);
    size_t before;

    write_archive(true);
    before = scratch_count();
    expect_failure("all.otf2", &w, "cut.prv", PRVCUT_EUSAGE, ".otf2");
    expect_failure("all.otf2", &w, ".otf2", PRVCUT_EUSAGE, ".otf2");
    expect_failure("all.otf2", &w, "missing/cut.otf2", PRVCUT_EIO, "missing");
    expect_failure("all.otf2", &w, "all.otf2", PRVCUT_EEXIST, "-f replaces");
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

static bool always(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(test_cut_archive_stops_when_told)
{
    const struct prvcut_run run = { .threads = 2, .stop = always };
    const struct prvcut_window w = iterations(3, 4);
    const struct prvcut_cut_options o = { .path = "cut.otf2" };
    struct prvcut_cut_summary sum = { 0 };
    struct prvcut_trace *t;
    size_t before;

    write_archive(true);
    before = scratch_count();
    t = open_scanned("all.otf2");
    ck_assert_int_eq(t->reader->cut(t, &run, &(struct prvcut_subtrace){ &w, &o, &sum }, 1, &error),
                     PRVCUT_EINTERRUPTED);
    summary_fini(&sum);
    t->reader->close(t);
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

/* No file may be larger: the library says so only when it closes it, and calls that a success. */
static bool full_disk(void)
{
    const struct rlimit limit = { 600, 600 };
    struct prvcut_trace *t = open_scanned("all.otf2");
    struct prvcut_cut_summary sum;
    enum prvcut_status st;

    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return false;
    st = cut(t, &(struct prvcut_window){ .to = UINT64_MAX },
             (struct prvcut_cut_options){ .all_definitions = true }, 2, &sum);
    return st == PRVCUT_EIO && strstr(error.text, "cut.otf2: cannot be written") != NULL;
}

START_TEST(test_cut_archive_full_disk_leaves_nothing)
{
    pid_t child;
    size_t before;
    int status;

    write_archive(true);
    before = scratch_count();
    child = fork();
    ck_assert_int_ge(child, 0);
    /* A failed close leaks in the library: no leak check there. */
    if (child == 0)
        _exit(full_disk() ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

static Suite *otf2_cut_suite(void)
{
    Suite *suite = suite_create("otf2_cut");
    TCase *tests = tcase_create("otf2_cut");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_cut_whole_archive_prints_the_same, 0, COUNT_OF(reals));
    tcase_add_loop_test(tests, test_cut_part_of_archive_is_sound, 0, COUNT_OF(reals));
    tcase_add_loop_test(tests, test_cut_archive_same_with_any_workers, 0, COUNT_OF(reals));
    tcase_add_test(tests, test_cut_archive_reopens_and_closes);
    tcase_add_test(tests, test_cut_archive_says_what_it_is);
    tcase_add_test(tests, test_cut_archive_leaves_out_unused_definitions);
    tcase_add_test(tests, test_cut_archive_keeps_messages_of_shifted_windows);
    tcase_add_test(tests, test_cut_archive_keeps_halves_when_told);
    tcase_add_loop_test(tests, test_cut_archive_keeps_sends_without_receives, 0, 8);
    tcase_add_test(tests, test_cut_archive_within_collectives);
    tcase_add_test(tests, test_cut_archive_aligns_clocks_when_told);
    tcase_add_test(tests, test_cut_archive_refuses_bad_names);
    tcase_add_test(tests, test_cut_archive_stops_when_told);
    tcase_add_test(tests, test_cut_archive_full_disk_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(otf2_cut_suite());
}
