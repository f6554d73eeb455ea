#include "base/flow.h"
#include "scratch.h"
#include "tests/support/runner.h"

/* Bytes through a pipe, written by a process of its own in pieces of any size. */

#define COUNT 1500000u

static unsigned char *bytes;
static struct prvcut_inflow in;

static void setup(void)
{
    uint64_t state = 3;

    bytes = malloc(COUNT);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < COUNT; i++)
        bytes[i] = (unsigned char)scratch_random(&state);
}

static void teardown(void)
{
    free(bytes);
}

static void write_pieces(int fd, size_t count, uint64_t seed)
{
    for (size_t at = 0, piece; at < count; at += piece) {
        piece = 1 + (size_t)(scratch_random(&seed) % 100000);
        piece = piece < count - at ? piece : count - at;
        if (write(fd, bytes + at, piece) != (ssize_t)piece)
            _exit(1);
    }
    _exit(0);
}

static pid_t open_pipe(size_t count, uint64_t seed)
{
    int end[2];
    pid_t child;

    ck_assert_int_eq(pipe(end), 0);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        close(end[0]);
        write_pieces(end[1], count, seed);
    }
    close(end[1]);
    in = (struct prvcut_inflow){ .fd = end[0], .path = "a pipe", .waits = true };
    ck_assert_int_eq(prvcut_inflow_init(&in, NULL), PRVCUT_OK);
    return child;
}

static void close_pipe(pid_t child)
{
    int status;

    close(in.fd);
    prvcut_inflow_fini(&in);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Have some in the window, use a part of it. */
static size_t step_need(size_t at, uint64_t *seed)
{
    const size_t room = 1 + (size_t)(scratch_random(seed) % PRVCUT_INFLOW_ROOM);
    const size_t want = (size_t)(scratch_random(seed) % (room + 1));
    size_t ready;

    ck_assert_int_eq(prvcut_inflow_need(&in, want, room, NULL), PRVCUT_OK);
    ready = prvcut_inflow_ready(&in);
    ck_assert_uint_ge(ready, least(want, COUNT - at));
    ck_assert_uint_le(ready, COUNT - at);
    ck_assert(memcmp(in.bytes + in.at, bytes + at, ready) == 0);
    ready = least(ready, want);
    in.at += ready;
    return ready;
}

/* Take some past it. */
static size_t step_take(size_t at, uint64_t *seed)
{
    static char out[600000];
    const size_t room = (size_t)(scratch_random(seed) % sizeof out);
    size_t got;

    ck_assert_int_eq(prvcut_inflow_take(&in, out, room, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, least(room, COUNT - at));
    ck_assert(memcmp(out, bytes + at, got) == 0);
    return got;
}

/* Whatever is asked for, it is the bytes in their order. */
START_TEST(test_inflow_gives_all_bytes_in_order)
{
    uint64_t seed = (uint64_t)_i;
    const pid_t child = open_pipe(COUNT, seed + 100);
    size_t at = 0;

    while (at < COUNT) {
        at += scratch_random(&seed) % 2 ? step_need(at, &seed) : step_take(at, &seed);
        ck_assert_uint_eq(prvcut_inflow_offset(&in), at);
    }
    ck_assert_int_eq(prvcut_inflow_need(&in, 1, 1, NULL), PRVCUT_OK);
    ck_assert_uint_eq(prvcut_inflow_ready(&in), 0);
    ck_assert(in.ended);
    ck_assert_uint_eq(in.taken, COUNT);
    close_pipe(child);
}
END_TEST

START_TEST(test_inflow_of_nothing_has_ended)
{
    const pid_t child = open_pipe(0, 1);
    size_t got = 7;
    char out[4];

    ck_assert_int_eq(prvcut_inflow_take(&in, out, sizeof out, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, 0);
    ck_assert(in.ended);
    ck_assert_int_eq(prvcut_inflow_take(&in, out, 0, &got, NULL), PRVCUT_OK);
    close_pipe(child);
}
END_TEST

static bool stop_third(void *ctx)
{
    return ++*(int *)ctx >= 3;
}

/* Nothing comes: the caller is asked now and then. */
START_TEST(test_inflow_stops_while_it_waits)
{
    struct prvcut_error err = { 0 };
    int end[2], asked = 0;
    size_t got;
    char out[4];

    ck_assert_int_eq(pipe(end), 0);
    in = (struct prvcut_inflow){
        .fd = end[0], .path = "a pipe", .waits = true, .stop = stop_third, .stop_ctx = &asked
    };
    ck_assert_int_eq(prvcut_inflow_init(&in, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_inflow_take(&in, out, sizeof out, &got, &err), PRVCUT_EINTERRUPTED);
    ck_assert_str_eq(err.text, "interrupted");
    ck_assert_int_eq(asked, 3);
    ck_assert_int_eq(write(end[1], "abcd", 4), 4);
    asked = 0;
    ck_assert_int_eq(prvcut_inflow_take(&in, out, sizeof out, &got, &err), PRVCUT_OK);
    ck_assert_uint_eq(got, 4);
    ck_assert_int_eq(asked, 1);
    close(end[0]);
    close(end[1]);
    prvcut_inflow_fini(&in);
}
END_TEST

/* A folder cannot be read. */
START_TEST(test_inflow_tells_what_cannot_be_read)
{
    struct prvcut_error err = { 0 };
    size_t got;
    char out[4];

    in = (struct prvcut_inflow){ .fd = open(".", O_RDONLY), .path = "a folder" };
    ck_assert_int_ge(in.fd, 0);
    ck_assert_int_eq(prvcut_inflow_init(&in, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_inflow_need(&in, 1, 1, &err), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "a folder: cannot be read"));
    ck_assert_int_eq(prvcut_flow_read_at(in.fd, "a folder", 5, out, 4, &got, NULL), PRVCUT_EIO);
    close(in.fd);
    prvcut_inflow_fini(&in);
}
END_TEST

/* Any part of a file, as far as it goes. */
START_TEST(test_read_at_gives_what_is_there)
{
    static char out[4000];
    uint64_t seed = 9;
    int fd;

    scratch_write("file", bytes, 3000);
    fd = open("file", O_RDONLY);
    ck_assert_int_ge(fd, 0);
    for (unsigned k = 0; k < 200; k++) {
        const size_t at = (size_t)(scratch_random(&seed) % 3500);
        const size_t want = (size_t)(scratch_random(&seed) % sizeof out);
        size_t got;

        ck_assert_int_eq(prvcut_flow_read_at(fd, "file", at, out, want, &got, NULL), PRVCUT_OK);
        ck_assert_uint_eq(got, at < 3000 ? least(want, 3000 - at) : 0);
        ck_assert(at >= 3000 || memcmp(out, bytes + at, got) == 0);
    }
    close(fd);
}
END_TEST

/* Pieces of any size, some larger than the room. */
START_TEST(test_outflow_writes_all_bytes_in_order)
{
    struct prvcut_outflow out = { .fd = open("out", O_WRONLY | O_CREAT, 0600), .path = "out" };
    const size_t most = _i == 0 ? 3000 : _i == 1 ? 300000 : PRVCUT_OUTFLOW_ROOM + 200000;
    uint64_t seed = (uint64_t)_i;

    ck_assert_int_ge(out.fd, 0);
    ck_assert_int_eq(prvcut_outflow_init(&out, NULL), PRVCUT_OK);
    for (size_t at = 0, piece; at < COUNT; at += piece) {
        piece = least((size_t)(scratch_random(&seed) % most), COUNT - at);
        ck_assert_int_eq(prvcut_outflow_put(&out, bytes + at, piece, NULL), PRVCUT_OK);
        ck_assert_uint_eq(out.written + out.count, at + piece);
    }
    ck_assert_int_eq(prvcut_outflow_flush(&out, NULL), PRVCUT_OK);
    ck_assert_uint_eq(out.written, COUNT);
    prvcut_outflow_fini(&out);
    close(out.fd);
    scratch_expect("out", bytes, COUNT);
}
END_TEST

/* What cannot be written is told once it leaves. */
START_TEST(test_outflow_tells_what_cannot_be_written)
{
    struct prvcut_outflow out = { .fd = open("/dev/null", O_RDONLY), .path = "nowhere" };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_outflow_init(&out, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_outflow_put(&out, "abc", 3, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_outflow_flush(&out, &err), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "nowhere: cannot be written after 0 bytes"));
    ck_assert_int_eq(prvcut_outflow_put(&out, bytes, COUNT, NULL), PRVCUT_EIO);
    prvcut_outflow_fini(&out);
    close(out.fd);
}
END_TEST

static Suite *flow_suite(void)
{
    Suite *s = suite_create("flow");
    TCase *t = tcase_create("flow");

    scratch_fixtures(t);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_inflow_gives_all_bytes_in_order, 0, 10);
    tcase_add_test(t, test_inflow_of_nothing_has_ended);
    tcase_add_test(t, test_inflow_stops_while_it_waits);
    tcase_add_test(t, test_inflow_tells_what_cannot_be_read);
    tcase_add_test(t, test_read_at_gives_what_is_there);
    tcase_add_loop_test(t, test_outflow_writes_all_bytes_in_order, 0, 3);
    tcase_add_test(t, test_outflow_tells_what_cannot_be_written);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(flow_suite());
}
