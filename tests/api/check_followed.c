#include "api/follow.h"
#include "prvcut/follow.h"

#include "runner.h"
#include "tests/base/scratch.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define HEAD "#Paraver (20/11/2026 at 11:44):1000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n"

static const char body[] = "1:1:1:1:1:0:400:1\n"
                           "1:2:1:2:1:0:1000:1\n"
                           "# a comment\n"
                           "2:1:1:1:1:410:50000001:1\n"
                           "3:1:1:1:1:420:430:2:1:2:1:400:440:8:5\n"
                           "2:2:1:2:1:415:50000001:0\n"
                           "1:1:1:1:1:900:950:1\n";

/* When the last of the whole lines of the body begins, told line by line; UINT64_MAX: there is
   none. end: where these lines end. */
static uint64_t latest_of(size_t bytes, size_t *end)
{
    static const unsigned times[] = { 0, 0, 0, 410, 420, 415, 900 };
    static const bool records[] = { true, true, false, true, true, true, true };
    uint64_t latest = UINT64_MAX;
    size_t line = 0;

    *end = 0;
    for (size_t i = 0; i < bytes; i++)
        if (body[i] == '\n') {
            if (records[line] && (latest == UINT64_MAX || times[line] > latest))
                latest = times[line];
            line++;
            *end = i + 1;
        }
    return latest;
}

static void open_beginning(size_t bytes)
{
    struct prvcut_trace *t = NULL;
    struct prvcut_error err = { .status = PRVCUT_OK };
    size_t end;
    const uint64_t latest = latest_of(bytes, &end);
    enum prvcut_status st;

    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &err), PRVCUT_OK);
    st = t->reader->so_far(t, sizeof HEAD - 1 + bytes, &err);
    if (latest == UINT64_MAX) {
        ck_assert_msg(st == PRVCUT_END, "%zu bytes: %d", bytes, st);
    } else {
        ck_assert_msg(st == PRVCUT_OK, "%zu bytes: %s", bytes, err.text);
        ck_assert_uint_eq(t->bytes, sizeof HEAD - 1 + end);
        ck_assert_uint_eq(t->end_ns, latest);
        ck_assert(t->so_far);
        /* The second line is a state up to the end: others come behind it. */
        ck_assert(!t->reached);
    }
    prvcut_trace_close(t);
}

START_TEST(test_a_beginning_of_any_length_is_its_whole_lines)
{
    scratch_write("x.prv", HEAD, sizeof HEAD - 1);
    scratch_write("y.prv", body, sizeof body - 1);
    ck_assert_int_eq(system("cat y.prv >>x.prv"), 0);
    for (size_t bytes = 0; bytes < sizeof body; bytes++)
        open_beginning(bytes);
}
END_TEST

static struct follow_seen seen(uint64_t bytes, double iterations, double sure)
{
    return (struct follow_seen){ .look = { .bytes = bytes,
                                           .end_ns = bytes * 10,
                                           .periodic = true,
                                           .period_ns = 20,
                                           .iterations = iterations,
                                           .calls_per_iteration = 7,
                                           .confidence = sure },
                                 .loop_start_ns = bytes,
                                 .loop_end_ns = bytes * 10 };
}

START_TEST(test_a_loop_is_sure_when_two_looks_saw_it_go_on)
{
    const struct follow_seen none = { .look.periodic = false }, few = seen(100, 20, 0.99);
    const struct follow_seen a = seen(100, 40, 0.99), b = seen(200, 80, 0.99);
    struct follow_seen other;

    ck_assert(follow_is_sure(&a, &b));
    ck_assert(!follow_is_sure(&none, &a));
    ck_assert(!follow_is_sure(&a, &none));
    other = seen(200, 80, 0.9);
    ck_assert(!follow_is_sure(&a, &other));
    other = seen(200, 41, 0.99);
    ck_assert(!follow_is_sure(&a, &other));
    other = seen(200, 49, 0.99);
    ck_assert(!follow_is_sure(&few, &other));
    other = b;
    other.look.calls_per_iteration = 9;
    ck_assert(!follow_is_sure(&a, &other));
    /* Longer iterations of the same calls are the same loop; without calls they are not. */
    other = b;
    other.look.period_ns = 30;
    ck_assert(follow_is_sure(&a, &other));
    other.look.calls_per_iteration = 0;
    ck_assert(!follow_is_sure(&a, &other));
    /* It ended long ago. */
    other = b;
    other.loop_end_ns = 1200;
    ck_assert(!follow_is_sure(&a, &other));
    /* A period that is given is not doubted. */
    other = b;
    other.look.confidence = NAN;
    ck_assert(follow_is_sure(&a, &other));
    /* It has hardly begun. */
    other = b;
    other.promised_ns = 8000;
    ck_assert(follow_is_sure(&a, &other));
    other.promised_ns = 8001;
    ck_assert(!follow_is_sure(&a, &other));
}
END_TEST

/* More of it is there: the same loop, which need not have grown by as much. */
START_TEST(test_a_loop_stays_sure_while_it_goes_on)
{
    const struct follow_seen sure = seen(200, 80, 0.99);
    struct follow_seen now = seen(210, 84, 0.99);

    ck_assert(!follow_is_sure(&sure, &now));
    ck_assert(follow_stays_sure(&sure, &now));
    now.look.iterations = 79;
    ck_assert(!follow_stays_sure(&sure, &now));
    now = seen(210, 84, 0.9);
    ck_assert(!follow_stays_sure(&sure, &now));
    now = seen(210, 84, 0.99);
    now.strays = true;
    ck_assert(!follow_stays_sure(&sure, &now));
}
END_TEST

/* It may be a loop in the first iteration of another one. */
START_TEST(test_a_loop_is_not_sure_while_one_may_be_around_it)
{
    const struct follow_seen a = seen(100, 40, 0.99);
    struct follow_seen b = seen(200, 80, 0.99);

    b.loop_start_ns = 1000;
    ck_assert(follow_is_sure(&a, &b));
    b.loop_start_ns = 1001;
    ck_assert(!follow_is_sure(&a, &b));
    b = seen(200, 80, 0.99);
    b.departures = 1;
    ck_assert(!follow_is_sure(&a, &b));
    b = seen(200, 80, 0.99);
    b.parted = true;
    ck_assert(!follow_is_sure(&a, &b));
    b = seen(200, 80, 0.99);
    b.unlike = true;
    ck_assert(!follow_is_sure(&a, &b));
    b.look.confidence = NAN;
    ck_assert(follow_is_sure(&a, &b));
}
END_TEST

static unsigned looks;
static uint64_t looked_at;

static void count_look(void *ctx, const struct prvcut_look *l)
{
    (void)ctx;
    looks++;
    looked_at += l->bytes;
}

/* One task that computes and calls, so many iterations of 1000 ns. */
static void write_loop(const char *name, unsigned iterations)
{
    FILE *f = fopen(name, "w");

    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (20/11/2026 at 11:44):%u000_ns:1(1):1:1(1:1),0\n", iterations);
    for (unsigned i = 0; i < iterations; i++)
        fprintf(f,
                "1:1:1:1:1:%u000:%u600:1\n2:1:1:1:1:%u600:50000002:10\n"
                "2:1:1:1:1:%u000:50000002:0\n",
                i, i, i, i + 1);
    fclose(f);
}

START_TEST(test_all_looks_together_read_no_more_than_twice_what_is_there)
{
    const struct prvcut_follow_options how = { .size = sizeof how, .look = count_look };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_follow *f = NULL;
    struct stat s;

    write_loop("x.prv", 12000);
    ck_assert_int_eq(stat("x.prv", &s), 0);
    ck_assert_int_eq(system("mkfifo p; cat x.prv >p &"), 0);
    ck_assert_msg(prvcut_follow_open(&f, "p", NULL, &how, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_follow_run(f, &run, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_int_eq(prvcut_follow_why(f), PRVCUT_FOLLOW_CLOSED);
    ck_assert_uint_ge(looks, 4);
    ck_assert_uint_le(looked_at, 2 * (uint64_t)s.st_size);
    ck_assert_uint_eq(prvcut_follow_trace(f)->bytes, (uint64_t)s.st_size);
    ck_assert(!prvcut_follow_trace(f)->so_far);
    prvcut_follow_close(f);
}
END_TEST

/* Asked before anything of the file is read. */
static bool shorten(void *ctx)
{
    (void)ctx;
    ck_assert_int_eq(truncate("x.prv", 30005), 0);
    return false;
}

START_TEST(test_a_file_that_gets_shorter_in_a_look_is_called_so)
{
    const struct prvcut_follow_options how = { .size = sizeof how };
    const struct prvcut_run run = { .threads = 1, .stop = shorten };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_follow *f = NULL;

    write_loop("x.prv", 3000);
    ck_assert_msg(prvcut_follow_open(&f, "x.prv", NULL, &how, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_int_eq(prvcut_follow_run(f, &run, &err), PRVCUT_EFORMAT);
    ck_assert_msg(strstr(err.text, "got shorter while it was followed"), "%s", err.text);
    prvcut_follow_close(f);
}
END_TEST

/* One of 20,000 tasks calls: the header has more bytes than the first look. */
START_TEST(test_a_look_into_the_header_waits_for_the_next_one)
{
    const struct prvcut_follow_options how = { .size = sizeof how, .look = count_look };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_follow *f = NULL;
    FILE *out;

    write_loop("x.prv", 1000);
    out = fopen("head", "w");
    ck_assert_ptr_nonnull(out);
    fputs("#Paraver (20/11/2026 at 11:44):1000000_ns:1(1):1:20000(1:1", out);
    for (unsigned i = 1; i < 20000; i++)
        fputs(",1:1", out);
    fputs("),0\n", out);
    fclose(out);
    looks = 0;
    ck_assert_int_eq(system("mkfifo p; { cat head; tail -n +2 x.prv; } >p &"), 0);
    ck_assert_msg(prvcut_follow_open(&f, "p", NULL, &how, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_follow_run(f, &run, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_int_eq(prvcut_follow_why(f), PRVCUT_FOLLOW_CLOSED);
    ck_assert_uint_eq(looks, 1);
    prvcut_follow_close(f);
}
END_TEST

/* A header may promise less than its run takes: of a process that is known to write the end counts,
   or that nothing comes. */
START_TEST(test_a_duration_that_is_reached_ends_no_run_of_a_known_process)
{
    struct prvcut_follow_options how = { .size = sizeof how, .idle_s = 10 };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_follow *f = NULL;

    write_loop("x.prv", 100);
    for (unsigned i = 0; i < 2; i++) {
        how.pid = i == 0 ? 0 : getpid();
        ck_assert_msg(prvcut_follow_open(&f, "x.prv", NULL, &how, &err) == PRVCUT_OK, "%s",
                      err.text);
        f->input.grew -= 9.9;
        ck_assert_msg(prvcut_follow_run(f, &run, &err) == PRVCUT_OK, "%s", err.text);
        ck_assert_int_eq(prvcut_follow_why(f),
                         i == 0 ? PRVCUT_FOLLOW_DURATION : PRVCUT_FOLLOW_IDLE);
        prvcut_follow_close(f);
    }
}
END_TEST

static bool is_reached_by(const char *lines)
{
    struct prvcut_trace *t = NULL;
    struct prvcut_error err = { .status = PRVCUT_OK };
    char text[400];
    bool reached;

    snprintf(text, sizeof text, "%s%s", HEAD, lines);
    scratch_write("x.prv", text, strlen(text));
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &err), PRVCUT_OK);
    ck_assert_msg(t->reader->so_far(t, strlen(text), &err) == PRVCUT_OK, "%s", err.text);
    reached = t->reached;
    prvcut_trace_close(t);
    return reached;
}

START_TEST(test_a_duration_is_reached_by_the_begin_of_the_last_record)
{
    ck_assert(is_reached_by("2:1:1:1:1:999:50000001:1\n2:2:1:2:1:1000:50000001:0\n"));
    ck_assert(!is_reached_by("2:1:1:1:1:1000:50000001:1\n2:2:1:2:1:999:50000001:0\n"));
    ck_assert(!is_reached_by("2:1:1:1:1:998:50000001:1\n1:2:1:2:1:999:1000:1\n"));
    ck_assert(!is_reached_by("3:1:1:1:1:420:430:2:1:2:1:400:1000:8:5\n"));
    /* It promises less than the run takes. */
    ck_assert(!is_reached_by("2:1:1:1:1:1000:50000001:1\n2:2:1:2:1:1001:50000001:0\n"));
    ck_assert(!is_reached_by("2:1:1:1:1:1001:50000001:1\n2:2:1:2:1:1000:50000001:0\n"));
}
END_TEST

/* What the disk cannot take any more passes, and there is room for a cut beside what was kept. */
START_TEST(test_a_full_disk_keeps_room_for_the_cut)
{
    const struct prvcut_follow_options how = { .size = sizeof how, .scratch = "." };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_follow *f = NULL;
    struct rlimit before, limit;

    write_loop("x.prv", 12000);
    ck_assert_int_eq(system("mkfifo p; cat x.prv >p &"), 0);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 400000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_msg(prvcut_follow_open(&f, "p", NULL, &how, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_follow_run(f, &run, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(prvcut_follow_why(f), PRVCUT_FOLLOW_FULL);
    ck_assert_uint_le(prvcut_follow_trace(f)->bytes, 300000);
    ck_assert_uint_ge(prvcut_follow_trace(f)->bytes, 190000);
    prvcut_follow_close(f);
}
END_TEST

static Suite *followed_suite(void)
{
    Suite *s = suite_create("followed");
    TCase *c = tcase_create("followed");

    scratch_fixtures(c);
    tcase_add_test(c, test_a_beginning_of_any_length_is_its_whole_lines);
    tcase_add_test(c, test_a_loop_is_sure_when_two_looks_saw_it_go_on);
    tcase_add_test(c, test_a_loop_stays_sure_while_it_goes_on);
    tcase_add_test(c, test_a_loop_is_not_sure_while_one_may_be_around_it);
    tcase_add_test(c, test_all_looks_together_read_no_more_than_twice_what_is_there);
    tcase_add_test(c, test_a_file_that_gets_shorter_in_a_look_is_called_so);
    tcase_add_test(c, test_a_look_into_the_header_waits_for_the_next_one);
    tcase_add_test(c, test_a_duration_that_is_reached_ends_no_run_of_a_known_process);
    tcase_add_test(c, test_a_duration_is_reached_by_the_begin_of_the_last_record);
    tcase_add_test(c, test_a_full_disk_keeps_room_for_the_cut);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(followed_suite());
}
