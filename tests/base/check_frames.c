#include "base/frames.h"
#include "base/output.h"
#include "scratch.h"
#include "tests/support/runner.h"

#include <pthread.h>
#include <zstd.h>

#define LARGE (3 * PRVCUT_FRAME + PRVCUT_FRAME / 2)

static char *make_text(size_t count)
{
    uint64_t state = 11;
    char *text = malloc(count + 1);

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < count; i++)
        text[i] = (char)('a' + (i / 7 + scratch_random(&state) % 3) % 23);
    return text;
}

static void write_packed(const char *path, const char *text, size_t count, unsigned workers)
{
    struct prvcut_error err = { 0 };
    struct prvcut_output *o;

    ck_assert_msg(prvcut_output_open(&o, path, PRVCUT_ZSTD, true, &err) == PRVCUT_OK, "%s",
                  err.text);
    prvcut_output_workers(o, workers);
    for (size_t at = 0; at < count; at += 77777)
        ck_assert_int_eq(
            prvcut_output_write(o, text + at, count - at < 77777 ? count - at : 77777, &err),
            PRVCUT_OK);
    ck_assert_msg(prvcut_output_commit(o, NULL, &err) == PRVCUT_OK, "%s", err.text);
}

static struct prvcut_source *open_source(const char *path)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;

    ck_assert_msg(prvcut_source_open(&s, path, &err) == PRVCUT_OK, "%s", err.text);
    return s;
}

/* Read from the start to the end, whatever the way in. */
static void expect_in_order(const char *path, const char *text, size_t count)
{
    struct prvcut_source *s = open_source(path);
    char *room = malloc(count + 10);
    struct prvcut_error err = { 0 };
    size_t got = 0;

    ck_assert_ptr_nonnull(room);
    ck_assert_int_ge(prvcut_source_read(s, room, count + 10, &got, &err), 0);
    ck_assert_uint_eq(got, count);
    ck_assert(memcmp(room, text, count) == 0);
    free(room);
    prvcut_source_close(s);
}

static char *slurp_raw(const char *path, size_t *count)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(LARGE * 2);

    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(bytes);
    *count = fread(bytes, 1, LARGE * 2, f);
    fclose(f);
    return bytes;
}

START_TEST(test_write_frames_any_size_reads_back_from_anywhere)
{
    static const size_t sizes[] = { 0,    1, 4096, PRVCUT_FRAME - 1, PRVCUT_FRAME, PRVCUT_FRAME + 1,
                                    LARGE };
    const size_t count = sizes[_i];
    char *text = make_text(count), room[5000];
    uint64_t state = 3;
    struct prvcut_source *s;

    write_packed("a.zst", text, count, 1);
    expect_in_order("a.zst", text, count);
    s = open_source("a.zst");
    ck_assert(prvcut_source_is_seekable(s));
    ck_assert_uint_eq(prvcut_source_text_size(s), count);
    for (int i = 0; i < 200; i++) {
        const uint64_t at = scratch_random(&state) % (count + 2);
        const size_t want = (size_t)(scratch_random(&state) % sizeof room);
        const size_t left = at < count ? count - (size_t)at : 0;
        struct prvcut_error err = { 0 };
        size_t got;

        ck_assert_int_eq(prvcut_source_read_at(s, at, room, want, &got, &err), PRVCUT_OK);
        ck_assert_uint_eq(got, want < left ? want : left);
        ck_assert(memcmp(room, text + (at < count ? at : 0), got) == 0);
    }
    prvcut_source_close(s);
    free(text);
}
END_TEST

START_TEST(test_write_frames_any_workers_writes_same_bytes)
{
    char *text = make_text(LARGE), *one, *many;
    size_t ones, manys;

    write_packed("one.zst", text, LARGE, 1);
    write_packed("many.zst", text, LARGE, (unsigned)_i);
    one = slurp_raw("one.zst", &ones);
    many = slurp_raw("many.zst", &manys);
    ck_assert_uint_eq(ones, manys);
    ck_assert(memcmp(one, many, ones) == 0);
    free(one);
    free(many);
    free(text);
}
END_TEST

/* Frame by frame with the library's own one-shot decoder, the table among them. */
START_TEST(test_write_frames_library_reads_each)
{
    char *text = make_text(LARGE), *out = malloc(LARGE), *raw;
    size_t count, at = 0, done = 0, frames = 0;

    write_packed("a.zst", text, LARGE, 2);
    raw = slurp_raw("a.zst", &count);
    while (at < count) {
        const size_t size = ZSTD_findFrameCompressedSize(raw + at, count - at);
        size_t got;

        ck_assert(!ZSTD_isError(size));
        got = ZSTD_decompress(out + done, LARGE - done, raw + at, size);
        ck_assert(!ZSTD_isError(got));
        at += size;
        done += got;
        frames++;
    }
    ck_assert_uint_eq(frames, 5);
    ck_assert_uint_eq(done, LARGE);
    ck_assert(memcmp(out, text, LARGE) == 0);
    free(raw);
    free(out);
    free(text);
}
END_TEST

struct reader {
    struct prvcut_source *source;
    const char *text;
    uint64_t seed;
    bool wrong;
};

static void *read_around(void *ctx)
{
    struct reader *r = ctx;
    char *room = malloc(70000);

    for (int i = 0; i < 60 && room; i++) {
        const uint64_t at = scratch_random(&r->seed) % LARGE;
        struct prvcut_error err = { 0 };
        size_t got = 0;

        r->wrong = r->wrong ||
                   prvcut_source_read_at(r->source, at, room, 70000, &got, &err) != PRVCUT_OK ||
                   memcmp(room, r->text + at, got) != 0;
    }
    free(room);
    return NULL;
}

START_TEST(test_read_frames_many_threads_get_their_bytes)
{
    char *text = make_text(LARGE);
    struct prvcut_source *s;
    struct reader reader[6];
    pthread_t thread[6];

    write_packed("a.zst", text, LARGE, 2);
    s = open_source("a.zst");
    for (size_t i = 0; i < 6; i++) {
        reader[i] = (struct reader){ .source = s, .text = text, .seed = i + 1 };
        ck_assert_int_eq(pthread_create(&thread[i], NULL, read_around, &reader[i]), 0);
    }
    for (size_t i = 0; i < 6; i++) {
        pthread_join(thread[i], NULL);
        ck_assert(!reader[i].wrong);
    }
    prvcut_source_close(s);
    free(text);
}
END_TEST

START_TEST(test_read_frames_damaged_frame_is_told)
{
    char *text = make_text(LARGE), *raw, room[100];
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;
    size_t count, got;

    write_packed("a.zst", text, LARGE, 1);
    raw = slurp_raw("a.zst", &count);
    raw[count / 2] = (char)(raw[count / 2] ^ 0x55);
    scratch_write("b.zst", raw, count);
    s = open_source("b.zst");
    ck_assert_int_eq(prvcut_source_read_at(s, 0, room, sizeof room, &got, &err), PRVCUT_OK);
    ck_assert_int_eq(
        prvcut_source_read_at(s, LARGE / 2 - PRVCUT_FRAME / 4, room, sizeof room, &got, &err),
        PRVCUT_EFORMAT);
    ck_assert_msg(strstr(err.text, "b.zst") && strstr(err.text, "damaged"), "%s", err.text);
    prvcut_source_close(s);
    free(raw);
    free(text);
}
END_TEST

/* Whatever stands in the table, nothing worse happens than that it is not used. */
START_TEST(test_read_frames_damaged_table_reads_in_order)
{
    const size_t size = PRVCUT_FRAME + 1000;
    char *text = make_text(size), *raw;
    size_t count, table;

    write_packed("a.zst", text, size, 1);
    raw = slurp_raw("a.zst", &count);
    table = 8 + 2 * 8 + PRVCUT_FRAMES_TAIL;
    for (size_t i = 8; i < table; i++) {
        char *at = raw + count - table + i, old = *at;
        struct prvcut_source *s;
        struct prvcut_error err = { 0 };
        char room[10];
        size_t got;

        *at = (char)(old ^ 0x81);
        scratch_write("b.zst", raw, count);
        s = open_source("b.zst");
        if (prvcut_source_is_seekable(s))
            ck_assert_int_le(prvcut_source_read_at(s, 0, room, sizeof room, &got, &err), 0);
        prvcut_source_close(s);
        expect_in_order("b.zst", text, size);
        *at = old;
    }
    free(raw);
    free(text);
}
END_TEST

/* Frames without a table, as the zstd command writes them. */
START_TEST(test_read_frames_without_table_is_a_stream)
{
    char *text = make_text(1000), packed[2000], room[10];
    const size_t count = ZSTD_compress(packed, sizeof packed, text, 1000, 3);
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;
    size_t got;

    scratch_write("a.zst", packed, count);
    s = open_source("a.zst");
    ck_assert(!prvcut_source_is_seekable(s));
    ck_assert_uint_eq(prvcut_source_text_size(s), 0);
    ck_assert_int_eq(prvcut_source_read_at(s, 0, room, 10, &got, &err), PRVCUT_EUSAGE);
    prvcut_source_close(s);
    expect_in_order("a.zst", text, 1000);
    free(text);
}
END_TEST

/* Cut anywhere near its end, the file is no longer seekable, and what is left is told as cut. */
START_TEST(test_read_frames_cut_short_is_no_table)
{
    char *text = make_text(3000), *raw;
    size_t count;

    write_packed("a.zst", text, 3000, 1);
    raw = slurp_raw("a.zst", &count);
    for (size_t cut = 1; cut < 60 && cut < count; cut++) {
        struct prvcut_source *s;

        scratch_write("b.zst", raw, count - cut);
        s = open_source("b.zst");
        ck_assert(!prvcut_source_is_seekable(s));
        prvcut_source_close(s);
    }
    free(raw);
    free(text);
}
END_TEST

static Suite *frames_suite(void)
{
    Suite *s = suite_create("frames");
    TCase *t = tcase_create("frames");

    scratch_fixtures(t);
    tcase_add_loop_test(t, test_write_frames_any_size_reads_back_from_anywhere, 0, 7);
    tcase_add_loop_test(t, test_write_frames_any_workers_writes_same_bytes, 2, 6);
    tcase_add_test(t, test_write_frames_library_reads_each);
    tcase_add_test(t, test_read_frames_many_threads_get_their_bytes);
    tcase_add_test(t, test_read_frames_damaged_frame_is_told);
    tcase_add_test(t, test_read_frames_damaged_table_reads_in_order);
    tcase_add_test(t, test_read_frames_without_table_is_a_stream);
    tcase_add_test(t, test_read_frames_cut_short_is_no_table);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(frames_suite());
}
