#include "base/source.h"
#include "packed.h"
#include "scratch.h"
#include "tests/support/runner.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#define TEXT_LARGE 1500000
#define TEXT_SMALL 3000

static struct prvcut_source *open_source(const char *path)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;

    ck_assert_msg(prvcut_source_open(&s, path, &err) == PRVCUT_OK, "%s", err.text);
    return s;
}

/* Read to the end or to a failure, by `room` bytes (0: random sizes); all must be a part of text.
 */
static enum prvcut_status drain(struct prvcut_source *s, const char *text, size_t room,
                                size_t *total, struct prvcut_error *err)
{
    uint64_t state = 3;
    const size_t most = room > 0 ? room : 200000;
    char *bytes = malloc(most);
    enum prvcut_status st;
    size_t got;

    ck_assert_ptr_nonnull(bytes);
    *total = 0;
    for (;;) {
        const size_t step = room > 0 ? room : 1 + (size_t)(scratch_random(&state) % most);

        st = prvcut_source_read(s, bytes, step, &got, err);
        if (st != PRVCUT_OK)
            break;
        /* An assertion that holds costs a system call; here it would be a million. */
        if (got == 0 || got > step || memcmp(bytes, text + *total, got) != 0)
            ck_abort_msg("%zu wrong bytes after %zu", got, *total);
        *total += got;
    }
    ck_assert_uint_eq(got, 0);
    ck_assert_int_eq(prvcut_source_read(s, bytes, most, &got, NULL), st);
    free(bytes);
    return st;
}

static void expect_text(const char *path, const char *text, size_t count, size_t room)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s = open_source(path);
    size_t total;

    ck_assert_msg(drain(s, text, room, &total, &err) == PRVCUT_END, "%s", err.text);
    ck_assert_uint_eq(total, count);
    ck_assert_str_eq(err.text, "");
    if (prvcut_source_size(s) > 0)
        ck_assert_uint_eq(prvcut_source_consumed(s), prvcut_source_size(s));
    prvcut_source_close(s);
}

/* The text in one file of each kind: plain, one member or frame, several, no checksum. */
enum { KINDS = 6 };

static struct packed pack(int kind, const char *text, size_t count)
{
    struct packed p = { 0 };
    const size_t third = count / 3;

    if (kind == 0)
        packed_add(&p, text, count);
    if (kind == 1)
        packed_gzip(&p, text, count);
    if (kind == 2)
        packed_zstd(&p, text, count, true);
    if (kind == 5)
        packed_zstd(&p, text, count, false);
    if (kind == 3) {
        packed_gzip(&p, text, third);
        packed_gzip(&p, text, 0);
        packed_gzip(&p, text + third, count - third);
    }
    if (kind == 4) {
        packed_skip(&p, 77);
        packed_zstd(&p, text, third, true);
        packed_zstd(&p, text, 0, true);
        packed_skip(&p, 0);
        packed_zstd(&p, text + third, count - third, true);
        packed_skip(&p, 255);
    }
    return p;
}

static const enum prvcut_codec kind_codec[KINDS] = { PRVCUT_PLAIN, PRVCUT_GZIP, PRVCUT_ZSTD,
                                                     PRVCUT_GZIP,  PRVCUT_ZSTD, PRVCUT_ZSTD };

START_TEST(test_read_source_gives_same_bytes)
{
    static const size_t rooms[] = { 0, 1, 13, 4096, 65536, 262144, 4000000 };
    char *text = scratch_text(TEXT_LARGE);
    struct packed p = pack(_i, text, TEXT_LARGE);

    scratch_write("f", p.at, p.count);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        expect_text("f", text, TEXT_LARGE, rooms[i]);
    free(p.at);
    free(text);
}
END_TEST

START_TEST(test_open_source_tells_what_it_is)
{
    struct packed p = pack(_i, "0123456789", 10);
    struct prvcut_source *s;

    scratch_write("f", p.at, p.count);
    s = open_source("f");
    ck_assert_int_eq(prvcut_source_codec(s), kind_codec[_i]);
    ck_assert_int_eq(prvcut_source_is_seekable(s), _i == 0);
    ck_assert_uint_eq(prvcut_source_size(s), p.count);
    ck_assert_uint_eq(prvcut_source_consumed(s), 0);
    ck_assert_str_eq(prvcut_source_path(s), "f");
    prvcut_source_close(s);
    free(p.at);
}
END_TEST

START_TEST(test_rewind_source_starts_again)
{
    char *text = scratch_text(TEXT_LARGE);
    struct packed p = pack(_i, text, TEXT_LARGE);
    struct prvcut_source *s;
    size_t total, got;
    char bytes[5000];

    scratch_write("f", p.at, p.count);
    s = open_source("f");
    for (size_t stop = 0; stop <= sizeof bytes; stop += 1000) {
        ck_assert_int_eq(prvcut_source_read(s, bytes, stop, &got, NULL), PRVCUT_OK);
        ck_assert_uint_eq(got, stop);
        ck_assert_int_eq(prvcut_source_rewind(s, NULL), PRVCUT_OK);
        ck_assert_uint_eq(prvcut_source_consumed(s), 0);
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(drain(s, text, 0, &total, NULL), PRVCUT_END);
        ck_assert_uint_eq(total, TEXT_LARGE);
        ck_assert_int_eq(prvcut_source_rewind(s, NULL), PRVCUT_OK);
    }
    prvcut_source_close(s);
    free(p.at);
    free(text);
}
END_TEST

/* Peek and read in turns, all sizes: what is peeked is what is read next. */
START_TEST(test_peek_source_equals_read)
{
    char *text = scratch_text(TEXT_LARGE);
    char *bytes = malloc(100000);
    struct packed p = pack(_i, text, TEXT_LARGE);
    struct prvcut_source *s;
    uint64_t state = 1;
    size_t at = 0, got;
    const char *seen;

    scratch_write("f", p.at, p.count);
    s = open_source("f");
    while (at < TEXT_LARGE) {
        const size_t want = (size_t)(scratch_random(&state) % 65537);
        const size_t step = (size_t)(scratch_random(&state) % 100000);
        const size_t left = TEXT_LARGE - at;

        ck_assert_int_eq(prvcut_source_peek(s, want, &seen, &got, NULL), PRVCUT_OK);
        ck_assert_uint_eq(got, want < left ? want : left);
        ck_assert_int_eq(memcmp(seen, text + at, got), 0);
        ck_assert_int_eq(prvcut_source_read(s, bytes, step, &got, NULL), PRVCUT_OK);
        ck_assert_uint_eq(got, step < left ? step : left);
        ck_assert(got == 0 || memcmp(bytes, text + at, got) == 0);
        at += got;
        if (_i == 0)
            ck_assert_uint_eq(prvcut_source_consumed(s), at);
    }
    ck_assert_int_eq(prvcut_source_peek(s, 10, &seen, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, 0);
    ck_assert_int_eq(prvcut_source_read(s, bytes, 1, &got, NULL), PRVCUT_END);
    ck_assert_uint_eq(prvcut_source_consumed(s), p.count);
    prvcut_source_close(s);
    free(p.at);
    free(bytes);
    free(text);
}
END_TEST

START_TEST(test_peek_source_at_every_size_equals_read)
{
    char *text = scratch_text(70000);
    struct packed p = pack(_i, text, 70000);
    struct prvcut_source *s;
    char bytes[8];
    const char *seen;
    size_t got;

    scratch_write("f", p.at, p.count);
    s = open_source("f");
    for (size_t want = 0; want <= 65536; want = want < 300 ? want + 1 : want * 9 / 8) {
        ck_assert_int_eq(prvcut_source_peek(s, want, &seen, &got, NULL), PRVCUT_OK);
        ck_assert_uint_eq(got, want);
        ck_assert_int_eq(memcmp(seen, text, want), 0);
    }
    ck_assert_int_eq(prvcut_source_peek(s, 65537, &seen, &got, NULL), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_source_read(s, bytes, sizeof bytes, &got, NULL), PRVCUT_OK);
    ck_assert_mem_eq(bytes, text, sizeof bytes);
    prvcut_source_close(s);
    free(p.at);
    free(text);
}
END_TEST

/* Too short for a kind's magic number, a file is plain. */
static bool recognised(enum prvcut_codec codec, size_t count)
{
    return count >= (codec == PRVCUT_ZSTD ? 4 : 2);
}

/* Cut anywhere: all that was whole is given, in pieces of any size, then the cut is named. */
START_TEST(test_read_source_cut_short_names_place)
{
    char *text = scratch_text(TEXT_SMALL);
    struct packed p = pack(_i, text, TEXT_SMALL);
    const enum prvcut_codec codec = kind_codec[_i];
    size_t before = 0, total, slowly, failed = 0;

    for (size_t cut = 0; cut < p.count; cut++) {
        struct prvcut_error err = { 0 };
        struct prvcut_source *s;
        char place[80];

        scratch_write("f", p.at, cut);
        s = open_source("f");
        snprintf(place, sizeof place, "f: %s stream ends early at byte %zu of the file",
                 codec == PRVCUT_GZIP ? "gzip" : "zstd", cut);
        if (recognised(codec, cut)) {
            if (drain(s, text, 0, &total, &err) != PRVCUT_END) {
                ck_assert_int_eq(err.status, PRVCUT_EFORMAT);
                ck_assert_str_eq(err.text, place);
                failed++;
            }
            ck_assert_int_eq(prvcut_source_rewind(s, NULL), PRVCUT_OK);
            drain(s, text, 3, &slowly, NULL);
            ck_assert_uint_eq(slowly, total);
            ck_assert_uint_ge(total, before);
            before = total;
        } else {
            ck_assert_int_eq(prvcut_source_codec(s), PRVCUT_PLAIN);
        }
        prvcut_source_close(s);
    }
    /* Where no checksum follows, the cut of the last byte takes the last block along. */
    ck_assert_uint_eq(before, _i < KINDS - 1 ? TEXT_SMALL : 0);
    /* Cuts between members or frames cannot be seen. */
    ck_assert_uint_ge(failed, p.count - 4 - 5);
    free(p.at);
    free(text);
}
END_TEST

START_TEST(test_read_source_cut_short_gives_bytes_before)
{
    char *text = scratch_text(TEXT_LARGE);
    struct packed p = pack(_i, text, TEXT_LARGE);
    size_t least = 0;

    for (size_t cut = p.count / 2; cut < p.count; cut += p.count / 9) {
        struct prvcut_error err = { 0 };
        struct prvcut_source *s;
        size_t total;

        scratch_write("f", p.at, cut);
        s = open_source("f");
        ck_assert_int_eq(drain(s, text, 0, &total, &err), PRVCUT_EFORMAT);
        ck_assert_ptr_nonnull(strstr(err.text, "ends early"));
        /* No block of either kind is larger. */
        ck_assert_uint_gt(total + 262144,
                          (size_t)((double)TEXT_LARGE * (double)cut / (double)p.count));
        ck_assert_uint_ge(total, least);
        least = total;
        prvcut_source_close(s);
    }
    ck_assert_uint_gt(least, TEXT_LARGE / 2);
    free(p.at);
    free(text);
}
END_TEST

/* Bytes before a checksum may be wrong until it is read, so the whole is judged; 1 if it failed. */
static size_t judge_damaged(struct prvcut_source *s, const char *text)
{
    struct prvcut_error err = { 0 };
    char *bytes = malloc(100000);
    enum prvcut_status st = PRVCUT_OK;
    size_t got, total;

    for (total = 0; st == PRVCUT_OK && total < 100000; total += got)
        st = prvcut_source_read(s, bytes + total, 100000 - total, &got, &err);
    if (st == PRVCUT_END) {
        ck_assert_uint_eq(total, TEXT_SMALL);
        ck_assert_mem_eq(bytes, text, total);
    } else {
        ck_assert(st == PRVCUT_EFORMAT || st == PRVCUT_ELIMIT);
        ck_assert_int_eq(err.status, st);
        ck_assert_int_eq(strncmp(err.text, "f: ", 3), 0);
    }
    free(bytes);
    return st != PRVCUT_END;
}

/* A changed byte anywhere: a failure, or a change that does not matter; never other bytes. */
START_TEST(test_read_source_damaged_is_never_wrong)
{
    char *text = scratch_text(TEXT_SMALL);
    struct packed p = pack(_i, text, TEXT_SMALL);
    size_t failed = 0;

    for (size_t i = 4; i < p.count; i++) {
        struct prvcut_source *s;

        p.at[i] = (char)(p.at[i] ^ (1 << i % 8));
        scratch_write("f", p.at, p.count);
        p.at[i] = (char)(p.at[i] ^ (1 << i % 8));
        s = open_source("f");
        failed += judge_damaged(s, text);
        prvcut_source_close(s);
    }
    ck_assert_uint_gt(failed, TEXT_SMALL / 8);
    free(p.at);
    free(text);
}
END_TEST

START_TEST(test_read_source_garbage_after_end_is_an_error)
{
    static const char *const garbage[] = { "x", "\0", "\x1fz", "some more text", "\x1f\x8b" };
    const int kind = _i;
    char *text = scratch_text(TEXT_SMALL);

    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        struct packed p = pack(kind, text, TEXT_SMALL);
        struct prvcut_error err = { 0 };
        struct prvcut_source *s;
        size_t total;

        packed_add(&p, garbage[i], i == 1 ? 1 : strlen(garbage[i]));
        scratch_write("f", p.at, p.count);
        s = open_source("f");
        ck_assert_int_eq(drain(s, text, 0, &total, &err), PRVCUT_EFORMAT);
        ck_assert_uint_eq(total, TEXT_SMALL);
        if (i == 3 || (i < 4 && kind_codec[kind] == PRVCUT_GZIP))
            ck_assert_ptr_nonnull(strstr(err.text, "what follows the end of the"));
        prvcut_source_close(s);
        free(p.at);
    }
    free(text);
}
END_TEST

/* A frame's head with a window of 2^n bytes, then one raw block "x". */
static void write_window(const char *name, unsigned log)
{
    const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, (unsigned char)((log - 10) << 3),
                                    9,    0,    0,    'x' };

    scratch_write(name, frame, sizeof frame);
}

START_TEST(test_read_source_window_above_limit_says_what_to_do)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;
    size_t total;

    write_window("f", 27);
    expect_text("f", "x", 1, 10);
    write_window("f", 28);
    s = open_source("f");
    ck_assert_int_eq(drain(s, "x", 10, &total, &err), PRVCUT_ELIMIT);
    ck_assert_ptr_nonnull(strstr(err.text, "128 MiB"));
    ck_assert_ptr_nonnull(strstr(err.text, "--long=31"));
    prvcut_source_close(s);
}
END_TEST

START_TEST(test_peek_source_damaged_fails_only_without_bytes)
{
    struct prvcut_error err = { 0 };
    struct packed p = { 0 };
    struct prvcut_source *s;
    const char *seen;
    size_t got;
    char bytes[20];

    packed_gzip(&p, "0123456789", 10);
    packed_add(&p, "rubbish", 7);
    scratch_write("f", p.at, p.count);
    s = open_source("f");
    ck_assert_int_eq(prvcut_source_peek(s, 50, &seen, &got, &err), PRVCUT_OK);
    ck_assert_uint_eq(got, 10);
    ck_assert_str_eq(err.text, "");
    ck_assert_int_eq(prvcut_source_read(s, bytes, sizeof bytes, &got, &err), PRVCUT_OK);
    ck_assert_uint_eq(got, 10);
    ck_assert_int_eq(prvcut_source_peek(s, 50, &seen, &got, &err), PRVCUT_EFORMAT);
    ck_assert_uint_eq(got, 0);
    ck_assert_ptr_nonnull(seen);
    ck_assert_int_eq(prvcut_source_read(s, bytes, sizeof bytes, &got, NULL), PRVCUT_EFORMAT);
    ck_assert_int_eq(prvcut_source_rewind(s, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_source_read(s, bytes, 10, &got, NULL), PRVCUT_OK);
    prvcut_source_close(s);
    free(p.at);
}
END_TEST

START_TEST(test_read_source_empty_gives_nothing)
{
    struct prvcut_source *s;
    const char *seen;
    char byte;
    size_t got;

    scratch_write("f", "", 0);
    expect_text("f", "", 0, 10);
    s = open_source("f");
    ck_assert(prvcut_source_is_seekable(s));
    ck_assert_int_eq(prvcut_source_peek(s, 0, &seen, &got, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_source_peek(s, 9, &seen, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, 0);
    ck_assert_int_eq(prvcut_source_read_at(s, 0, &byte, 1, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, 0);
    ck_assert_int_eq(prvcut_source_read(s, &byte, 0, &got, NULL), PRVCUT_OK);
    prvcut_source_close(s);
}
END_TEST

static void expect_refusal(const char *path, const char *reason)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s = (struct prvcut_source *)&err;

    ck_assert_int_eq(prvcut_source_open(&s, path, &err), PRVCUT_EIO);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(err.text, reason) && strstr(err.text, path), "%s", err.text);
}

static bool secret_is_refused(void)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;

    return prvcut_source_open(&s, "secret", &err) == PRVCUT_EIO &&
           strcmp(err.text, "secret: cannot be opened: Permission denied") == 0;
}

START_TEST(test_open_source_refuses_what_holds_no_bytes)
{
    int closed;

    expect_refusal("nowhere", "No such file");
    expect_refusal(".", "is a folder");
    expect_refusal("", "No such file");
    closed = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    expect_refusal("-", "Bad file descriptor");
    dup2(closed, STDIN_FILENO);
    scratch_write("secret", "x", 1);
    ck_assert_int_eq(chmod("secret", 0), 0);
    ck_assert(scratch_as_nobody(secret_is_refused));
}
END_TEST

START_TEST(test_close_source_accepts_null)
{
    prvcut_source_close(NULL);
}
END_TEST

struct reading {
    struct prvcut_source *source;
    const char *text;
    uint64_t seed;
    bool good;
};

static void *read_anywhere(void *argument)
{
    struct reading *r = argument;
    char *bytes = malloc(50000);

    r->good = bytes;
    for (int i = 0; i < 500 && r->good; i++) {
        const size_t offset = (size_t)(scratch_random(&r->seed) % (TEXT_LARGE + 1000));
        const size_t want = (size_t)(scratch_random(&r->seed) % 50000);
        const size_t left = offset < TEXT_LARGE ? TEXT_LARGE - offset : 0;
        size_t got;

        r->good = prvcut_source_read_at(r->source, offset, bytes, want, &got, NULL) == PRVCUT_OK &&
                  got == (want < left ? want : left) &&
                  (got == 0 || memcmp(bytes, r->text + offset, got) == 0);
    }
    free(bytes);
    return NULL;
}

/* Four threads read anywhere while this one reads from start to end. */
START_TEST(test_read_at_source_works_in_threads)
{
    char *text = scratch_text(TEXT_LARGE);
    struct reading readings[4];
    pthread_t threads[4];
    struct prvcut_source *s;
    size_t total;

    scratch_write("f", text, TEXT_LARGE);
    s = open_source("f");
    for (unsigned i = 0; i < 4; i++) {
        readings[i] = (struct reading){ s, text, i, false };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_anywhere, &readings[i]), 0);
    }
    ck_assert_int_eq(drain(s, text, 777, &total, NULL), PRVCUT_END);
    ck_assert_uint_eq(total, TEXT_LARGE);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert(readings[i].good);
    }
    prvcut_source_close(s);
    free(text);
}
END_TEST

START_TEST(test_read_at_source_of_a_file_that_got_shorter_fails)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;
    char bytes[8];
    size_t got;

    scratch_write("f", "abcdefgh", 8);
    s = open_source("f");
    ck_assert_int_eq(truncate("f", 3), 0);
    ck_assert_int_eq(prvcut_source_read_at(s, 1, bytes, 8, &got, &err), PRVCUT_EFORMAT);
    ck_assert_str_eq(err.text, "f: got shorter while it was read: 3 bytes, after 8");
    ck_assert_int_eq(prvcut_source_read_at(s, 1, bytes, 2, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, 2);
    prvcut_source_close(s);
}
END_TEST

START_TEST(test_read_at_source_refuses_streams)
{
    struct packed p = pack(1, "abc", 3);
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;
    char byte;
    size_t got;

    scratch_write("f", p.at, p.count);
    s = open_source("f");
    ck_assert_int_eq(prvcut_source_read_at(s, 0, &byte, 1, &got, &err), PRVCUT_EUSAGE);
    prvcut_source_close(s);
    scratch_write("f", "abc", 3);
    s = open_source("f");
    ck_assert_int_eq(prvcut_source_read_at(s, UINT64_MAX, &byte, 1, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, 0);
    prvcut_source_close(s);
    free(p.at);
}
END_TEST

static void pause_shortly(void)
{
    const struct timespec pause = { .tv_nsec = 300000 };

    nanosleep(&pause, NULL);
}

/* A child that writes to fd by small pieces, with pauses. */
static pid_t feed(int fd, const char *path, const struct packed *p)
{
    const pid_t child = fork();
    size_t at = 0;

    if (child != 0)
        return child;
    if (path)
        fd = open(path, O_WRONLY);
    while (at < p->count) {
        const size_t step = p->count - at < 7001 ? p->count - at : 7001;
        const ssize_t put = write(fd, p->at + at, at < 5 ? 1 : step);

        if (put <= 0)
            break;
        at += (size_t)put;
        if (at < 100000)
            pause_shortly();
    }
    _exit(at == p->count ? 0 : 1);
}

static void ignore_alarm(int number)
{
    (void)number;
}

/* Alarms all the time: a call that is interrupted goes on. */
static void disturb(void)
{
    const struct sigaction action = { .sa_handler = ignore_alarm };
    const struct itimerval often = { { 0, 500 }, { 0, 500 } };

    ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
    ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
}

START_TEST(test_read_source_fifo_is_a_stream)
{
    char *text = scratch_text(TEXT_LARGE);
    struct packed p = pack(_i, text, TEXT_LARGE);
    struct prvcut_source *s;
    size_t total;
    int status;
    pid_t child;

    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    child = feed(-1, "pipe", &p);
    s = open_source("pipe");
    disturb();
    ck_assert(!prvcut_source_is_seekable(s));
    ck_assert_int_eq(prvcut_source_codec(s), kind_codec[_i]);
    ck_assert_uint_eq(prvcut_source_size(s), 0);
    ck_assert_int_eq(prvcut_source_rewind(s, NULL), PRVCUT_EUSAGE);
    ck_assert_int_eq(drain(s, text, 0, &total, NULL), PRVCUT_END);
    ck_assert_uint_eq(total, TEXT_LARGE);
    ck_assert_uint_eq(prvcut_source_consumed(s), p.count);
    prvcut_source_close(s);
    while (waitpid(child, &status, 0) < 0)
        continue;
    ck_assert_int_eq(status, 0);
    free(p.at);
    free(text);
}
END_TEST

START_TEST(test_read_source_stdin_may_be_non_blocking)
{
    char *text = scratch_text(TEXT_LARGE);
    struct packed p = pack(_i, text, TEXT_LARGE);
    int ends[2], status;
    pid_t child;

    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    child = feed(ends[1], NULL, &p);
    close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    expect_text("-", text, TEXT_LARGE, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    free(p.at);
    free(text);
}
END_TEST

/* Standard input starts where whoever opened it stands, and stays open. */
START_TEST(test_read_source_stdin_file_is_a_stream)
{
    struct prvcut_source *s;
    size_t total;
    int fd;

    scratch_write("f", "0123456789", 10);
    fd = open("f", O_RDONLY);
    ck_assert_int_eq(lseek(fd, 4, SEEK_SET), 4);
    ck_assert_int_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    s = open_source("-");
    ck_assert(!prvcut_source_is_seekable(s));
    ck_assert_uint_eq(prvcut_source_size(s), 6);
    ck_assert_int_eq(prvcut_source_rewind(s, NULL), PRVCUT_EUSAGE);
    ck_assert_int_eq(drain(s, "456789", 3, &total, NULL), PRVCUT_END);
    ck_assert_uint_eq(total, 6);
    prvcut_source_close(s);
    ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), 0);
    close(fd);
}
END_TEST

START_TEST(test_slurp_source_gives_all_with_nul)
{
    char *text = scratch_text(TEXT_LARGE), *bytes;
    struct packed p = pack(_i, text, TEXT_LARGE);
    struct prvcut_error err = { 0 };
    size_t count;

    scratch_write("f", p.at, p.count);
    ck_assert_int_eq(prvcut_source_slurp("f", TEXT_LARGE, &bytes, &count, &err), PRVCUT_OK);
    ck_assert_uint_eq(count, TEXT_LARGE);
    ck_assert_int_eq(memcmp(bytes, text, count + 1), 0);
    free(bytes);
    ck_assert_int_eq(prvcut_source_slurp("f", TEXT_LARGE - 1, &bytes, &count, &err), PRVCUT_ELIMIT);
    ck_assert_ptr_null(bytes);
    ck_assert_ptr_nonnull(strstr(err.text, "1499999"));
    free(p.at);
    free(text);
}
END_TEST

START_TEST(test_slurp_source_small_cases)
{
    struct packed p = pack(1, "0123456789", 10);
    char *bytes;
    size_t count;

    scratch_write("f", "", 0);
    ck_assert_int_eq(prvcut_source_slurp("f", 0, &bytes, &count, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, 0);
    ck_assert_str_eq(bytes, "");
    free(bytes);
    scratch_write("f", p.at, p.count - 1);
    ck_assert_int_eq(prvcut_source_slurp("f", 100, &bytes, &count, NULL), PRVCUT_EFORMAT);
    ck_assert_ptr_null(bytes);
    ck_assert_int_eq(prvcut_source_slurp("none", 100, &bytes, &count, NULL), PRVCUT_EIO);
    ck_assert_ptr_null(bytes);
    free(p.at);
}
END_TEST

static Suite *source_suite(void)
{
    Suite *suite = suite_create("source");
    TCase *tests = tcase_create("source");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_read_source_gives_same_bytes, 0, KINDS);
    tcase_add_loop_test(tests, test_open_source_tells_what_it_is, 0, KINDS);
    tcase_add_loop_test(tests, test_rewind_source_starts_again, 0, KINDS);
    tcase_add_loop_test(tests, test_peek_source_equals_read, 0, KINDS);
    tcase_add_loop_test(tests, test_peek_source_at_every_size_equals_read, 0, KINDS);
    tcase_add_loop_test(tests, test_read_source_cut_short_names_place, 1, KINDS);
    tcase_add_loop_test(tests, test_read_source_cut_short_gives_bytes_before, 1, 3);
    /* Not the last kind: without a checksum, changed bytes cannot be told. */
    tcase_add_loop_test(tests, test_read_source_damaged_is_never_wrong, 1, KINDS - 1);
    tcase_add_loop_test(tests, test_read_source_garbage_after_end_is_an_error, 1, KINDS);
    tcase_add_test(tests, test_read_source_window_above_limit_says_what_to_do);
    tcase_add_test(tests, test_peek_source_damaged_fails_only_without_bytes);
    tcase_add_test(tests, test_read_source_empty_gives_nothing);
    tcase_add_test(tests, test_open_source_refuses_what_holds_no_bytes);
    tcase_add_test(tests, test_close_source_accepts_null);
    tcase_add_test(tests, test_read_at_source_works_in_threads);
    tcase_add_test(tests, test_read_at_source_of_a_file_that_got_shorter_fails);
    tcase_add_test(tests, test_read_at_source_refuses_streams);
    tcase_add_loop_test(tests, test_read_source_fifo_is_a_stream, 0, KINDS);
    tcase_add_loop_test(tests, test_read_source_stdin_may_be_non_blocking, 0, KINDS);
    tcase_add_test(tests, test_read_source_stdin_file_is_a_stream);
    tcase_add_loop_test(tests, test_slurp_source_gives_all_with_nul, 0, KINDS);
    tcase_add_test(tests, test_slurp_source_small_cases);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(source_suite());
}
