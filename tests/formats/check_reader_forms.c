#include "records.h"

#include "paraver/parse.h"
#include "runner.h"
#include "tests/base/packed.h"
#include "tests/base/scratch.h"

#include <signal.h>
#include <sys/resource.h>

/* The forms that a trace may come in: packed, through a pipe, with long lines, in many blocks. */

/* PRVGEN: path of the generator. */

/* Two applications: tasks of 2 and 1 threads, a task of 1 thread; four cpus on two nodes. */
#define HEAD "#Paraver (20/11/2026 at 11:44):1000000_ns:2(2,2):2:2(2:1,1:2):1(1:2),1\n"

static void write_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

/* --- The same trace in other clothes ---------------------------------------------------------- */

static char *slurp(const char *name, size_t *count)
{
    FILE *file = fopen(name, "rb");
    char *text;
    long size;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    rewind(file);
    text = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    fclose(file);
    *count = (size_t)size;
    return text;
}

static void generate(const char *options)
{
    char command[4096];

    snprintf(command, sizeof command, PRVGEN " %s g", options);
    ck_assert_int_eq(system(command), 0);
}

#define SOME "--tasks 6 --threads-per-task 2 --inner 3 --counters --flush-every 400 --iterations 40"

enum clothes { CRLF, COLON, ZEROS, COMMENTS, NO_NEWLINE, CLOTHES };

static void put_line(FILE *out, enum clothes how, const char *line, size_t count, bool body)
{
    static uint64_t state = 3;
    const char *colon;

    switch (how) {
    case CRLF:
        fprintf(out, "%.*s\r\n", (int)count, line);
        break;
    case COLON:
        fprintf(out, "%.*s%s\n", (int)count, line, body ? ":" : "");
        break;
    case ZEROS:
        colon = line + count;
        while (body && colon[-1] != ':')
            colon--;
        fprintf(out, "%.*s%s%.*s\n", (int)(colon - line), line, body ? "0000000000000000000" : "",
                (int)(line + count - colon), colon);
        break;
    case COMMENTS:
        fprintf(out, "%.*s\n", (int)count, line);
        if (scratch_random(&state) % 7 == 0)
            fprintf(out, "%s\n", scratch_random(&state) % 2 == 0 ? "" : "# comment: 1:2:3");
        break;
    case NO_NEWLINE:
    case CLOTHES:
        break;
    }
}

/* x.prv: the trace g.prv with lines that only the exact parser reads, but the same records. */
static void dress(enum clothes how)
{
    size_t count;
    char *text = slurp("g.prv", &count);
    FILE *out = fopen("x.prv", "wb");

    ck_assert_ptr_nonnull(out);
    if (how == NO_NEWLINE)
        fprintf(out, "%s# the end", text);
    for (const char *at = text; how != NO_NEWLINE && *at;) {
        const char *newline = strchr(at, '\n');

        put_line(out, how, at, (size_t)(newline - at), *at >= '1' && *at <= '3');
        at = newline + 1;
    }
    fclose(out);
    free(text);
}

START_TEST(test_read_exactly_as_fast)
{
    struct records fast, exact;

    generate(SOME);
    dress((enum clothes)_i);
    ck_assert_int_eq(rename("g.pcf", "x.pcf"), 0);
    exact = records_read("x.prv", (struct records_how){ .threads = 1 });
    ck_assert_int_eq(rename("x.pcf", "g.pcf"), 0);
    fast = records_read("g.prv", (struct records_how){ .threads = 1 });
    ck_assert_uint_gt(fast.counts.pairs, 10000);
    records_expect_same(&fast, &exact);
    ck_assert_uint_eq(fast.counts.pairs, exact.counts.pairs);
    ck_assert_uint_eq(fast.counts.last_ns, exact.counts.last_ns);
    records_fini(&fast);
    records_fini(&exact);
}
END_TEST

/* A trace of several blocks: however many workers, the same records, counts and sequence. */
START_TEST(test_read_with_any_workers_the_same)
{
    struct records one, many;

    generate("--size 5000000 --counters --inner 3");
    one = records_read("g.prv", (struct records_how){ .threads = 1 });
    ck_assert_int_eq(one.status, PRVCUT_OK);
    ck_assert_uint_gt(one.counts.bytes, 4 * PRV_BLOCK);
    for (int threads = 2; threads <= 4; threads++) {
        many = records_read("g.prv", (struct records_how){ .threads = threads });
        records_expect_same(&one, &many);
        ck_assert_mem_eq(&one.counts, &many.counts, sizeof one.counts);
        records_fini(&many);
    }
    records_fini(&one);
}
END_TEST

/* Writes a file into a FIFO, from another process. */
static pid_t feed(const char *fifo, const char *from)
{
    const pid_t child = fork();
    size_t count;
    char *text;

    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    signal(SIGPIPE, SIG_IGN);
    text = slurp(from, &count);
    scratch_write(fifo, text, count);
    free(text);
    _exit(0);
}

static void expect_same_from(const struct records *want, const char *path)
{
    for (int threads = 1; threads <= 3; threads++) {
        struct records r = records_read(path, (struct records_how){ .threads = threads });

        records_expect_same(want, &r);
        ck_assert_mem_eq(&want->counts, &r.counts, sizeof r.counts);
        records_fini(&r);
    }
}

START_TEST(test_read_packed_trace_the_same)
{
    struct packed zstd = { 0 }, gzip = { 0 };
    struct records plain;
    size_t count;
    char *text;

    generate("--size 3500000 --counters --inner 3");
    plain = records_read("g.prv", (struct records_how){ .threads = 2 });
    ck_assert_int_eq(plain.status, PRVCUT_OK);
    text = slurp("g.prv", &count);
    packed_zstd(&zstd, text, count, true);
    packed_gzip(&gzip, text, count);
    scratch_write("g.prv.zst", zstd.at, zstd.count);
    scratch_write("g.prv.gz", gzip.at, gzip.count);
    expect_same_from(&plain, "g.prv.zst");
    expect_same_from(&plain, "g.prv.gz");
    records_fini(&plain);
    free(text);
    free(zstd.at);
    free(gzip.at);
}
END_TEST

/* A pipe is read once, from standard input or by name; a second pass is refused. */
START_TEST(test_read_pipe_the_same_once)
{
    struct prvcut_error err = { 0 };
    struct records plain, again = { 0 };
    struct prvcut_trace *t;
    pid_t child;

    generate("--size 2500000 --no-calls");
    ck_assert_int_eq(unlink("g.pcf"), 0);
    plain = records_read("g.prv", (struct records_how){ .threads = 2 });
    ck_assert_int_eq(mkfifo("fifo", 0600), 0);
    child = feed("fifo", "g.prv");
    ck_assert_int_eq(prvcut_trace_open(&t, "fifo", NULL, &err), PRVCUT_OK);
    ck_assert(t->once);
    records_scan(&again, t, &(struct records_how){ .threads = 2 });
    records_expect_same(&plain, &again);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    records_fini(&again);
    again = (struct records){ 0 };
    records_scan(&again, t, &(struct records_how){ .threads = 2 });
    ck_assert_int_eq(again.status, PRVCUT_EUSAGE);
    records_fini(&again);
    prvcut_trace_close(t);

    child = feed("fifo", "g.prv");
    ck_assert_ptr_nonnull(freopen("fifo", "rb", stdin));
    again = records_read("-", (struct records_how){ .threads = 2 });
    records_expect_same(&plain, &again);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    records_fini(&again);
    records_fini(&plain);
}
END_TEST

/* --- Long lines ------------------------------------------------------------------------------- */

/* `before` bytes of comments, a line of just `length` bytes, a record. */
static void write_long_line(size_t before, size_t length, char first)
{
    FILE *file = fopen("x.prv", "wb");

    ck_assert_ptr_nonnull(file);
    fputs(HEAD "1:1:1:1:1:0:1:1\n", file);
    for (size_t i = 0; i < before; i++)
        putc(i % 1000 == 999 ? '\n' : '#', file);
    if (before % 1000 > 0)
        putc('\n', file);
    putc(first, file);
    for (size_t i = 1; i < length; i++)
        putc('x', file);
    fputs("\n2:1:1:1:1:7:8:9\n", file);
    fclose(file);
}

/* Whatever the line's place among the blocks, a MiB passes and a byte more does not. */
START_TEST(test_read_line_length_limit_exact)
{
    static const size_t before[] = { 0, 1, 500000, 1048000, 1048576, 1500000 };
    struct packed packed = { 0 };
    struct records r, p;
    size_t count;
    char *text;

    for (size_t extra = 0; extra < 2; extra++) {
        write_long_line(before[_i], PRV_LINE_MAX + extra, '#');
        r = records_read("x.prv", (struct records_how){ .threads = 2 });
        ck_assert_int_eq(r.status, extra ? PRVCUT_ELIMIT : PRVCUT_OK);
        ck_assert(!extra || strstr(r.err.text, "longer than 1048576 bytes"));
        ck_assert(!extra || strncmp(r.err.text, "x.prv", 5) == 0);
        ck_assert_uint_eq(r.counts.events, extra ? r.counts.events : 1);
        text = slurp("x.prv", &count);
        packed.count = 0;
        packed_zstd(&packed, text, count, false);
        scratch_write("y.prv.zst", packed.at, packed.count);
        p = records_read("y.prv.zst", (struct records_how){ .threads = 2 });
        ck_assert_int_eq(p.status, r.status);
        free(text);
        records_fini(&p);
        records_fini(&r);
    }
    free(packed.at);
}
END_TEST

/* More pairs than a batch holds; only the first one is the line's head. */
START_TEST(test_read_event_of_many_pairs)
{
    const size_t pairs = 20000;
    FILE *file = fopen("x.prv", "wb");
    struct records r;
    size_t heads = 0, lines = 0;

    ck_assert_ptr_nonnull(file);
    fputs(HEAD "2:1:1:1:1:10", file);
    for (size_t i = 0; i < pairs; i++)
        fprintf(file, ":%zu:%zu", 100000 + i, i * i);
    fputs("\n2:1:1:1:1:20:50000001:0\n", file);
    fclose(file);
    r = records_read("x.prv", (struct records_how){ .threads = 1 });
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert_uint_eq(r.counts.pairs, pairs + 1);
    for (const char *at = r.kind[RECORD_EVENTS].at; *at; at = strchr(at, '\n') + 1) {
        heads += *at != '+';
        lines++;
    }
    ck_assert_uint_eq(lines, pairs + 1);
    ck_assert_uint_eq(heads, 2);
    ck_assert_ptr_nonnull(strstr(r.kind[RECORD_EVENTS].at, "+ 0 10 119999=399960001 role 0\n"));
    records_fini(&r);
}
END_TEST

/* Seconds of processor and KiB of memory that this process has used. */
static void used(double *seconds, long *kib)
{
    struct rusage u;

    ck_assert_int_eq(getrusage(RUSAGE_SELF, &u), 0);
    *seconds = (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
               1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    *kib = u.ru_maxrss;
}

static void expect_refused_cheaply(const char *path)
{
    double before, after;
    long kib_before, kib_after;
    struct records r;

    used(&before, &kib_before);
    r = records_read(path, (struct records_how){ .threads = 2, .lenient = true });
    used(&after, &kib_after);
    ck_assert_int_eq(r.status, PRVCUT_ELIMIT);
    ck_assert(after - before < 2);
    ck_assert_int_lt(kib_after - kib_before, 64 * 1024);
    records_fini(&r);
}

#define HUGE_LINE ((off_t)100 * 1000 * 1000)

/* 100 MB without a line end, as a file: only its first part is looked at. */
START_TEST(test_read_huge_line_is_refused_quickly)
{
    write_text("x.prv", HEAD "2:1:1:1:1:5");
    ck_assert_int_eq(truncate("x.prv", HUGE_LINE), 0);
    expect_refused_cheaply("x.prv");
}
END_TEST

START_TEST(test_read_huge_line_of_pipe_is_refused_quickly)
{
    pid_t child;

    ck_assert_int_eq(mkfifo("fifo", 0600), 0);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        FILE *file = fopen("fifo", "wb");

        signal(SIGPIPE, SIG_IGN);
        fputs(HEAD "2:1:1:1:1:5", file);
        for (off_t i = 0; i < HUGE_LINE && fputs(":50000001:1", file) >= 0; i += 11)
            ;
        _exit(0);
    }
    expect_refused_cheaply("fifo");
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
END_TEST

/* --- Blocks ---------------------------------------------------------------------------------- */

/* Lines of 32 bytes: with no more than the header before them, one begins at each block. */
static void put_block(FILE *file, unsigned first)
{
    for (unsigned i = 0; i < PRV_BLOCK / 32; i++)
        fprintf(file, "2:1:1:1:1:%010u:10000:%04u\n", first + i, i % 10000);
}

/* Wherever a line lies across the border of two blocks, it is read just once. */
START_TEST(test_read_line_at_block_border_once)
{
    static const unsigned shift[] = { 0, 1, 2, 16, 30, 31, 32, 33 };
    FILE *file = fopen("x.prv", "wb");

    ck_assert_ptr_nonnull(file);
    /* The first record ends the header; with its comment it takes 32 bytes and the shift. */
    fprintf(file, HEAD "1:1:1:1:1:0:1:1\n#%.*s\n", (int)(14 + shift[_i]),
            "----------------------------------------------------------------");
    put_block(file, 1);
    put_block(file, PRV_BLOCK);
    put_block(file, 2 * PRV_BLOCK);
    fclose(file);
    for (int threads = 1; threads < 4; threads++) {
        struct records r = records_read("x.prv", (struct records_how){ .threads = threads });

        ck_assert_int_eq(r.status, PRVCUT_OK);
        ck_assert_uint_eq(r.counts.events, 3 * PRV_BLOCK / 32);
        ck_assert_uint_eq(r.counts.lines, 3 + 3 * PRV_BLOCK / 32);
        ck_assert_uint_eq(r.counts.unsorted, 0);
        records_fini(&r);
    }
}
END_TEST

/* Disorder right at the border of two blocks is seen as well. */
START_TEST(test_count_unsorted_lines_across_blocks)
{
    FILE *file = fopen("x.prv", "wb");

    ck_assert_ptr_nonnull(file);
    fputs(HEAD, file);
    put_block(file, 500000);
    put_block(file, 100000);
    fclose(file);
    for (int threads = 1; threads < 4; threads++) {
        struct records r = records_read("x.prv", (struct records_how){ .threads = threads });

        ck_assert_int_eq(r.status, PRVCUT_OK);
        ck_assert_uint_eq(r.counts.unsorted, 1);
        ck_assert_uint_eq(r.counts.first_unsorted, PRV_BLOCK / 32 + 2);
        ck_assert_uint_eq(r.counts.unsorted_ns, 400000 + PRV_BLOCK / 32 - 1);
        records_fini(&r);
    }
}
END_TEST

/* The line is counted from the file's start, also far into it and with several workers. */
START_TEST(test_read_fault_far_behind_names_line)
{
    const unsigned lines = 200000;
    FILE *file = fopen("x.prv", "wb");
    char want[128];

    ck_assert_ptr_nonnull(file);
    fputs(HEAD, file);
    for (unsigned i = 0; i < lines; i++)
        fprintf(file, "2:1:1:1:1:%u:50000001:%u\n", i, i % 2);
    fputs("2:1:1:1:1:oops:50000001:0\n", file);
    for (unsigned i = 0; i < lines; i++)
        fprintf(file, "2:1:1:1:9:%u:50000001:%u\n", i, i % 2);
    fclose(file);
    snprintf(want, sizeof want, "x.prv:%u: event time 'oops' is not a number", lines + 2);
    for (int threads = 1; threads < 4; threads++) {
        struct records r = records_read("x.prv", (struct records_how){ .threads = threads });

        ck_assert_int_eq(r.status, PRVCUT_EFORMAT);
        ck_assert_str_eq(r.err.text, want);
        ck_assert_uint_eq(r.err.line, lines + 2);
        records_fini(&r);
    }
}
END_TEST

/* --- Callers who stop ------------------------------------------------------------------------- */

static bool stop_at_once(void *ctx)
{
    (void)ctx;
    return true;
}

static enum prvcut_status refuse(void *ctx, unsigned worker, void *state,
                                 const struct prvcut_batch *batch, struct prvcut_error *err)
{
    (void)ctx, (void)worker, (void)state, (void)batch;
    return prvcut_fail(err, PRVCUT_ELIMIT, "enough");
}

START_TEST(test_read_stops_when_asked)
{
    const struct prvcut_consumer all = { .roles = UINT32_MAX };
    const struct prvcut_consumer none = { .roles = UINT32_MAX, .batch = refuse };
    struct prvcut_run run = { .threads = 3, .stop = stop_at_once };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    generate("--size 3000000");
    ck_assert_int_eq(prvcut_trace_open(&t, "g.prv", NULL, &err), PRVCUT_OK);
    ck_assert_int_eq(t->reader->scan(t, &run, &all, NULL, &err), PRVCUT_EINTERRUPTED);
    run.stop = NULL;
    err = (struct prvcut_error){ 0 };
    ck_assert_int_eq(t->reader->scan(t, &run, &none, NULL, &err), PRVCUT_ELIMIT);
    ck_assert_str_eq(err.text, "enough");
    err = (struct prvcut_error){ 0 };
    ck_assert_int_eq(t->reader->scan(t, &run, &all, NULL, &err), PRVCUT_OK);
    prvcut_trace_close(t);
}
END_TEST

/* A part of the blocks, in order; nothing that touches the window is missing. */
START_TEST(test_read_window_holds_what_touches_it)
{
    const struct prvcut_run run = { .threads = 2 };
    struct records all = { 0 }, some = { 0 };
    const struct prvcut_consumer consumer = { .roles = UINT32_MAX,
                                              .states = true,
                                              .ctx = &some,
                                              .begin = records_begin,
                                              .batch = records_batch,
                                              .join = records_join,
                                              .discard = records_discard };
    struct prvcut_trace *t;
    uint64_t from, to;
    char *at;

    generate("--size 6000000");
    ck_assert_int_eq(prvcut_trace_open(&t, "g.prv", NULL, &all.err), PRVCUT_OK);
    records_scan(&all, t, &(struct records_how){ .threads = 2 });
    from = t->end_ns / 2;
    to = from + t->end_ns / 100;
    ck_assert_int_eq(t->reader->scan_window(t, &run, from, to, &consumer, &some.err), PRVCUT_OK);
    ck_assert_uint_gt(some.kind[RECORD_STATES].count, 0);
    ck_assert_uint_lt(some.kind[RECORD_STATES].count, all.kind[RECORD_STATES].count);
    at = some.kind[RECORD_STATES].at;
    for (char *line = strtok(all.kind[RECORD_STATES].at, "\n"); line; line = strtok(NULL, "\n")) {
        uint64_t begin, end;

        ck_assert_int_eq(sscanf(line, "%*u %" SCNu64 "-%" SCNu64, &begin, &end), 2);
        if (begin >= to || end <= from)
            continue;
        at = strstr(at, line);
        ck_assert_ptr_nonnull(at);
    }
    prvcut_trace_close(t);
    records_fini(&all);
    records_fini(&some);
}
END_TEST

static Suite *reader_forms_suite(void)
{
    Suite *s = suite_create("reader_forms");
    TCase *t = tcase_create("reader_forms");

    scratch_fixtures(t);
    tcase_add_loop_test(t, test_read_exactly_as_fast, 0, CLOTHES);
    tcase_add_test(t, test_read_with_any_workers_the_same);
    tcase_add_test(t, test_read_packed_trace_the_same);
    tcase_add_test(t, test_read_pipe_the_same_once);
    tcase_add_loop_test(t, test_read_line_length_limit_exact, 0, 6);
    tcase_add_test(t, test_read_event_of_many_pairs);
    tcase_add_test(t, test_read_huge_line_is_refused_quickly);
    tcase_add_test(t, test_read_huge_line_of_pipe_is_refused_quickly);
    tcase_add_loop_test(t, test_read_line_at_block_border_once, 0, 8);
    tcase_add_test(t, test_count_unsorted_lines_across_blocks);
    tcase_add_test(t, test_read_fault_far_behind_names_line);
    tcase_add_test(t, test_read_stops_when_asked);
    tcase_add_test(t, test_read_window_holds_what_touches_it);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(reader_forms_suite());
}
