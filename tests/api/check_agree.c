/*
 * What is damaged: check, the job, info and a cut agree on it, whatever stands in a trace. And what
 * is bent, but can be understood, is read, counted and named by all of them.
 */
#include "prvcut/convert.h"
#include "prvcut/inspect.h"
#include "prvcut/reduce.h"

#include "built.h"
#include "runner.h"
#include "tests/base/packed.h"
#include "tests/base/scratch.h"

/* Traces of the random part, and how many of them the job, which is slower, is asked for. */
#define MUTANTS 1500
#define JOBS    8

#define HEAD                                                                                       \
    "#Paraver (20/11/2026 at 11:44):1000_ns:2(2,1):1:3(1:1,1:1,1:2),2\n"                           \
    "c:1:1:3:1:2:3\n"                                                                              \
    "c:1:2:1:2\n"

static const char sound[] = HEAD "1:1:1:1:1:0:400:1\n"
                                 "1:2:1:2:1:0:1000:1\n"
                                 "# a comment\n"
                                 "2:1:1:1:1:100:50000001:1:42000050:77\n"
                                 "2:3:1:3:1:150:40000003:1\n"
                                 "2:3:1:3:1:155:40000003:0:99:123456789012345678\n"
                                 "2:1:1:1:1:200:50000001:0:42000050:10:7:-5\n"
                                 "1:1:1:1:1:400:900:13\n"
                                 "3:1:1:1:1:410:420:3:1:3:1:400:450:100:-1\n"
                                 "2:1:1:1:1:500:50000002:8:50100004:1\n"
                                 "2:1:1:1:1:600:50000002:0\n"
                                 "1:1:1:1:1:900:1000:1\n";

static struct prvcut_error error;
static const struct prvcut_run run = { .threads = 1 };

static bool is_damage(enum prvcut_status st)
{
    return st == PRVCUT_EFORMAT || st == PRVCUT_ELIMIT || st == PRVCUT_ENOTRACE;
}

static enum prvcut_status check(const char *path, bool strict, char **text)
{
    const struct prvcut_open_options options = { .strict = strict };

    memset(&error, 0, sizeof error);
    return prvcut_check(path, &run, &options, PRVCUT_FULL_TEXT, text, &error);
}

static bool check_is_damaged(const char *path, char **text)
{
    const enum prvcut_status st = check(path, false, text);

    ck_assert_msg(st == PRVCUT_OK || st == PRVCUT_UNSOUND || is_damage(st), "%s", error.text);
    return st != PRVCUT_OK;
}

static enum prvcut_status open_trace(struct prvcut_trace **out, const char *path)
{
    memset(&error, 0, sizeof error);
    return prvcut_trace_open(out, path, NULL, &error);
}

static enum prvcut_status info(const char *path, char **text)
{
    struct prvcut_trace *t;
    enum prvcut_status st = open_trace(&t, path);

    *text = NULL;
    if (st == PRVCUT_OK)
        st = prvcut_info(t, &run, PRVCUT_FULL_TEXT, text, &error);
    prvcut_trace_close(t);
    return st;
}

static enum prvcut_status cut(const char *path, const char *to, struct prvcut_cut_summary **sum)
{
    const struct prvcut_cut_options options = { .path = to, .force = true, .dry_run = !to };
    const struct prvcut_span window = { 50, 950 };
    struct prvcut_trace *t;
    enum prvcut_status st = open_trace(&t, path);

    *sum = NULL;
    if (st == PRVCUT_OK)
        st = prvcut_cut(t, &run, &window, &options, sum, &error);
    prvcut_trace_close(t);
    return st;
}

static enum prvcut_status job(const char *path)
{
    const struct prvcut_reduce_options options = {
        .iterations = 2, .cut = &(const struct prvcut_cut_options){ .dry_run = true }
    };
    struct prvcut_reduction *r = NULL;
    struct prvcut_trace *t;
    enum prvcut_status st = open_trace(&t, path);

    if (st == PRVCUT_OK)
        st = prvcut_reduce(t, &run, &options, &r, &error);
    prvcut_reduction_free(r);
    prvcut_trace_close(t);
    return st;
}

/* --- Mutants -------------------------------------------------------------------------------- */

/* What a file holds; from malloc. */
static char *text_of(const char *path)
{
    char *text = calloc(1, 8192);
    FILE *f = fopen(path, "rb");

    ck_assert(text && f);
    ck_assert_uint_lt(fread(text, 1, 8191, f), 8191);
    fclose(f);
    return text;
}

static uint64_t seed;

static size_t any(size_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(seed >> 33) % below;
}

/* Replace `cut` bytes at a place of the body, which begins behind the header line. */
static void splice(char *text, size_t at, size_t gone, const char *with)
{
    const size_t length = strlen(text), more = strlen(with);

    if (at + gone > length)
        gone = length - at;
    memmove(text + at + more, text + at + gone, length - at - gone + 1);
    memcpy(text + at, with, more);
}

static void mutate(char *text)
{
    static const char *const words[] = {
        "",
        ":",
        "::",
        "-",
        "+",
        " ",
        "\t",
        "0",
        "9",
        "x",
        "\n",
        "\r",
        ".5",
        ":-1",
        ":77:",
        "c:",
        "4:",
        "#",
        "5:",
        "4294967296",
        "99999999999999999999",
        "18446744073709551615",
        "9223372036854775808",
        "1:1:1:1:1:",
        ":\n",
        "\n\n",
        "1152921504606846977",
        " \n",
        "\nc:1:3:2:1:9\n",
        "-5",
        "\n7:1\n",
        "+1",
    };
    const size_t first = (size_t)(strchr(text, '\n') + 1 - text);

    for (size_t turns = 1 + any(3); turns > 0; turns--) {
        const size_t at = first + any(strlen(text + first));

        splice(text, at, any(3), words[any(sizeof words / sizeof *words)]);
    }
    /* Also cut short, anywhere. */
    if (any(8) == 0)
        text[first + any(strlen(text + first))] = '\0';
}

START_TEST(test_mutants_are_damaged_for_all_or_for_none)
{
    unsigned damaged = 0;

    for (unsigned i = 0; i < MUTANTS; i++) {
        struct prvcut_cut_summary *sum = NULL;
        char text[4096], *said;
        bool found;

        seed = i;
        snprintf(text, sizeof text, "%s", sound);
        mutate(text);
        scratch_write("m.prv", text, strlen(text));
        found = check_is_damaged("m.prv", &said);
        damaged += found;
        ck_assert_msg(is_damage(cut("m.prv", NULL, &sum)) == found,
                      "mutant %u: check %d, cut '%s'\n%s\n%s", i, found, error.text,
                      said ? said : "", text);
        prvcut_cut_summary_free(sum);
        if (i % JOBS == 0)
            ck_assert_msg(is_damage(job("m.prv")) == found, "mutant %u: check %d, job '%s'\n%s", i,
                          found, error.text, text);
        free(said);
        ck_assert_msg(info("m.prv", &said) < 0 ? found : !found, "mutant %u: info '%s'\n%s", i,
                      error.text, text);
        free(said);
    }
    /* Neither all nor none of them. */
    ck_assert_uint_gt(damaged, MUTANTS / 4);
    ck_assert_uint_lt(damaged, MUTANTS - MUTANTS / 10);
}
END_TEST

/* --- Habits --------------------------------------------------------------------------------- */

static const struct {
    const char *from, *to; /* of the sound trace */
    const char *finding;   /* what check calls it */
    const char *told;      /* what info and a cut say; NULL: nothing is bent */
} habits[] = {
    { "1:1:1:1:1:400:900:13", "1:1:1:1:1:400:90:13", "state-backward",
      "1 state that ends before it begins, taken to have no length; it is in line 11" },
    { ":3:1:2:3\n", ":3:1:2:-1\n", "communicator-member", "1 communicator with members" },
    { ":3:1:2:3\n", ":4:1:2:3:4\n", "communicator-member", "1 communicator with members" },
    { "c:1:2:1:2\n", "c:2:2:1:2\n", "communicator-member", "1 communicator with members" },
    { "c:1:2:1:2\n", "communicators\n", "communicator-member", "1 communicator with members" },
    { ":42000050:77\n", ":42000050:9223372036854775808\n", "value-unsigned", "2^63 or more" },
    { ":7:-5\n", ":7:18446744073709551615\n", "value-unsigned", "2^63 or more" },
    { ":100:-1\n", ":100:18446744073709551615\n", "value-unsigned", "2^63 or more" },
    { "2:1:1:1:1:100:", "2:9:1:1:1:100:", "cpu", "1 record on a cpu that does not exist" },
    { "2:1:1:1:1:100:", "2:-1:1:1:1:100:", "cpu", "1 record on a cpu that does not exist" },
    { "2:1:1:1:1:100:", "2:3:1:1:1:100:", "cpu", NULL },
    { ":42000050:10:", ":42000050:+10:", "number-form", "a blank or '+'" },
    { ":42000050:10:", ": 42000050 : 10 :", "number-form", "a blank or '+'" },
    { ":42000050:77\n", ":42000050:77 \n", "number-form", "a blank or '+'" },
    { "1:2)", "1:9)", "task-node", "1 task on a node that does not exist" },
    { "):1000_ns", "):950_ns", "time-beyond-end", NULL },
    { "):1000_ns", "):1001_ns", "duration", NULL },
    { "# a comment\n", "\n \n4:1:1\nc:1:3:1:1\n", "reserved-record", NULL },
    { ",2\n", ",3\n", "communicator-count", NULL },
    { ",2\n", "\n", "communicator-uncounted", NULL },
    { "50000001:1:", "50000003:1:", "call-not-open", NULL },
    { "50000001:0:", "50000001:2:", "call-reopened", NULL },
    { "2:1:1:1:1:600:50000002:0\n", "", "call-unfinished", NULL },
    { "2:1:1:1:1:500:", "2:1:1:1:1:419:", "order", NULL },
    { "1:1:1:1:1:400:900", "1:1:1:1:1:400:901", "state-overlap", NULL },
    { "3:1:1:1:1:410:", "3:1:1:1:1:1001:", "message-half", NULL },
};

/* The sound trace with the first `from` replaced by `to`; its labels and rows exist. */
static void write_habit(const char *from, const char *to)
{
    char text[4096];
    const char *at;

    snprintf(text, sizeof text, "%s", sound);
    at = strstr(text, from);
    ck_assert_msg(at != NULL, "%s", from);
    splice(text, (size_t)(at - text), strlen(from), to);
    scratch_write("h.prv", text, strlen(text));
}

/* Lines that go on under themselves become one again. */
static void unwrap(char *text)
{
    char *to = text;

    for (const char *at = text; *at;) {
        if (at[0] == '\n' && at[1] == ' ') {
            at += 1 + strspn(at + 1, " ");
            *to++ = ' ';
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

START_TEST(test_habits_are_read_counted_and_named)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        struct prvcut_cut_summary *sum = NULL;
        char *text;

        write_habit(habits[i].from, habits[i].to);
        ck_assert_msg(check("h.prv", false, &text) == PRVCUT_OK, "%zu: %s%s", i, text ? text : "",
                      error.text);
        unwrap(text);
        ck_assert_msg(!habits[i].finding || strstr(text, habits[i].finding), "%zu: %s", i, text);
        free(text);
        ck_assert_int_eq(check("h.prv", true, &text), PRVCUT_UNSOUND);
        ck_assert_ptr_nonnull(strstr(text, ": not strictly sound, "));
        free(text);
        ck_assert_msg(info("h.prv", &text) == PRVCUT_OK, "%zu: %s", i, error.text);
        unwrap(text);
        ck_assert_msg(!habits[i].told || strstr(text, habits[i].told), "%zu: %s", i, text);
        ck_assert_msg(habits[i].told || !strstr(text, "taken"), "%zu: %s", i, text);
        free(text);
        ck_assert_msg(cut("h.prv", "c.prv", &sum) == PRVCUT_OK, "%zu: %s", i, error.text);
        ck_assert_uint_eq(sum->notes, habits[i].told != NULL);
        ck_assert(!habits[i].told || strstr(sum->note[0], habits[i].told));
        prvcut_cut_summary_free(sum);
        ck_assert_msg(check("c.prv", false, &text) == PRVCUT_OK, "%zu: %s", i, text);
        free(text);
        ck_assert_int_ge(job("h.prv"), 0);
    }
}
END_TEST

/* A value of 64 bits goes into the cut as it stands, beside counters that start at 0. */
START_TEST(test_cut_keeps_unsigned_values_as_they_stand)
{
    struct prvcut_cut_summary *sum = NULL;
    char *text;

    write_habit(":7:-5\n", ":7:18446744073709551615\n");
    ck_assert_int_eq(cut("h.prv", "c.prv", &sum), PRVCUT_OK);
    prvcut_cut_summary_free(sum);
    text = text_of("c.prv");
    ck_assert_msg(strstr(text, ":7:18446744073709551615\n") != NULL, "%s", text);
    free(text);
}
END_TEST

/* --- The last line -------------------------------------------------------------------------- */

static const struct {
    const char *line; /* without its line end, behind all others */
    bool whole;
} lasts[] = {
    { "2:1:1:1:1:1000:7:5", false },
    { "2:1:1:1:1:1000:7:0", false },
    { "1:3:1:3:1:900:1000:1", false },
    { "1:3:1:3:1:900:1000:0", true },
    { "3:1:1:1:1:910:920:3:1:3:1:940:950:100:0", true },
    { "3:1:1:1:1:910:920:3:1:3:1:940:950:0", false },
    { "# cut here", true },
    { "2:1:1:1:1:1000", false },
};

START_TEST(test_last_line_without_end_is_damage_unless_it_is_whole)
{
    for (size_t i = 0; i < sizeof lasts / sizeof *lasts; i++) {
        struct prvcut_cut_summary *sum = NULL;
        char text[4096], *said;

        snprintf(text, sizeof text, "%s%s", sound, lasts[i].line);
        scratch_write("l.prv", text, strlen(text));
        ck_assert_msg(check_is_damaged("l.prv", &said) == !lasts[i].whole, "%zu: %s", i, said);
        ck_assert_ptr_nonnull(strstr(said, "last-line"));
        free(said);
        ck_assert_msg(is_damage(cut("l.prv", NULL, &sum)) == !lasts[i].whole, "%zu: %s", i,
                      error.text);
        ck_assert(lasts[i].whole || strstr(error.text, "no line end"));
        prvcut_cut_summary_free(sum);
    }
}
END_TEST

/* A compressed file ends where its writer ended it, or is damaged itself. */
START_TEST(test_last_line_of_compressed_trace_is_whole)
{
    struct prvcut_cut_summary *sum = NULL;
    struct packed packed = { 0 };
    char text[4096], *said;

    snprintf(text, sizeof text, "%s%s", sound, lasts[0].line);
    packed_gzip(&packed, text, strlen(text));
    scratch_write("l.prv.gz", packed.at, packed.count);
    free(packed.at);
    ck_assert(!check_is_damaged("l.prv.gz", &said));
    ck_assert_ptr_nonnull(strstr(said, "last-line-end"));
    free(said);
    ck_assert_int_eq(cut("l.prv.gz", NULL, &sum), PRVCUT_OK);
    prvcut_cut_summary_free(sum);
}
END_TEST

START_TEST(test_lenient_leaves_a_doubtful_last_line_out)
{
    const struct prvcut_open_options lenient = { .lenient = true };
    const struct prvcut_cut_options options = { .path = "c.prv" };
    const struct prvcut_span window = { 50, 1000 };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_trace *t;
    char text[4096], *cut_text;

    snprintf(text, sizeof text, "%s2:1:1:1:1:940:7:555", sound);
    scratch_write("l.prv", text, strlen(text));
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, "l.prv", &lenient, &error), PRVCUT_OK);
    ck_assert_msg(prvcut_cut(t, &run, &window, &options, &sum, &error) == PRVCUT_OK, "%s",
                  error.text);
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(t);
    cut_text = text_of("c.prv");
    ck_assert_ptr_null(strstr(cut_text, ":7:555"));
    free(cut_text);
}
END_TEST

/* --- Conversion ----------------------------------------------------------------------------- */

/* Ends of calls that did not begin, calls inside an open collective: a sound archive all the same,
   and the report tells. */
START_TEST(test_convert_unpaired_calls_gives_a_sound_archive)
{
    static const char unpaired[] =
        HEAD "1:1:1:1:1:0:1000:1\n"
             "2:1:1:1:1:100:50000001:0\n"
             "2:1:1:1:1:200:50000002:10:50100001:4:50100002:4:50100004:1\n"
             "2:1:1:1:1:300:50000003:20\n"
             "2:1:1:1:1:400:50000003:0\n"
             "2:1:1:1:1:500:50000002:0\n"
             "2:1:1:1:1:600:50000002:0\n"
             "2:2:1:2:1:600:50000003:19\n"
             "2:2:1:2:1:700:50000002:10:50100001:4:50100002:4:50100004:1\n"
             "2:2:1:2:1:800:50000003:0\n"
             "2:2:1:2:1:900:50000002:0\n";
    static const struct {
        const char *path, *format;
        bool checked;
        unsigned left_out;
    } out[] = { { "a.otf2", "otf2", true, 0 },
                { "a.prv", "paraver", false, 0 },
                { "a.json", "perfetto", false, 2 } };

    scratch_write("u.prv", unpaired, strlen(unpaired));
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
        const struct prvcut_convert_options options = { .path = out[i].path };
        struct prvcut_convert_summary *sum = NULL;
        struct prvcut_trace *t;
        char *text;

        if (!test_writes(out[i].format))
            continue;
        ck_assert_int_eq(open_trace(&t, "u.prv"), PRVCUT_OK);
        ck_assert_msg(prvcut_convert(t, &run, &options, &sum, &error) == PRVCUT_OK, "%s",
                      error.text);
        ck_assert_uint_eq(sum->unpaired_left_out, out[i].left_out);
        ck_assert_int_eq(prvcut_convert_summary_text(sum, &text, &error), PRVCUT_OK);
        ck_assert_msg(strcmp(out[i].path, "a.prv") == 0 ||
                          strstr(text, "2 ends of calls that did not begin"),
                      "%s", text);
        free(text);
        prvcut_convert_summary_free(sum);
        prvcut_trace_close(t);
        if (out[i].checked) {
            ck_assert_msg(check(out[i].path, true, &text) == PRVCUT_OK, "%s", text);
            free(text);
        }
    }
}
END_TEST

static Suite *agree_suite(void)
{
    Suite *suite = suite_create("agree");
    TCase *tests = tcase_create("agree");

    scratch_fixtures(tests);
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, test_mutants_are_damaged_for_all_or_for_none);
    tcase_add_test(tests, test_habits_are_read_counted_and_named);
    tcase_add_test(tests, test_cut_keeps_unsigned_values_as_they_stand);
    tcase_add_test(tests, test_last_line_without_end_is_damage_unless_it_is_whole);
    tcase_add_test(tests, test_last_line_of_compressed_trace_is_whole);
    tcase_add_test(tests, test_lenient_leaves_a_doubtful_last_line_out);
    tcase_add_test(tests, test_convert_unpaired_calls_gives_a_sound_archive);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(agree_suite());
}
