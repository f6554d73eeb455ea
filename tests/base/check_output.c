#include "base/output.h"
#include "scratch.h"
#include "tests/support/runner.h"

#include <signal.h>
#include <sys/resource.h>

/* More than one buffer, compressed too. */
#define TEXT_LARGE 9000000

static const char *const names[] = { "plain", "packed.gz", "packed.zst" };

static struct prvcut_output *open_output(const char *path, bool force)
{
    struct prvcut_error err = { 0 };
    struct prvcut_output *o;

    ck_assert_msg(prvcut_output_open(&o, path, prvcut_codec_of_name(path), force, &err) ==
                      PRVCUT_OK,
                  "%s", err.text);
    return o;
}

static void expect_refusal(const char *path, bool force, enum prvcut_status status,
                           const char *reason)
{
    struct prvcut_error err = { 0 };
    struct prvcut_output *o = (struct prvcut_output *)&err;
    const size_t before = scratch_count();

    ck_assert_int_eq(prvcut_output_open(&o, path, PRVCUT_PLAIN, force, &err), status);
    ck_assert_ptr_null(o);
    ck_assert_msg(strstr(err.text, reason) && strstr(err.text, path), "%s", err.text);
    ck_assert_uint_eq(scratch_count(), before);
}

/* Write text in pieces of `step` bytes (0: random sizes) and commit. */
static uint64_t write_text(const char *path, const char *text, size_t count, size_t step)
{
    struct prvcut_output *o = open_output(path, true);
    struct prvcut_error err = { 0 };
    uint64_t size = 0, state = 5;
    size_t at = 0;

    while (at < count) {
        size_t piece = step > 0 ? step : (size_t)(scratch_random(&state) % 3000);

        piece = piece < count - at ? piece : count - at;
        if (prvcut_output_write(o, text + at, piece, &err) != PRVCUT_OK)
            ck_abort_msg("%s", err.text);
        at += piece;
    }
    ck_assert_msg(prvcut_output_commit(o, &size, &err) == PRVCUT_OK, "%s", err.text);
    return size;
}

static char *slurp(const char *path, size_t *count)
{
    struct prvcut_error err = { 0 };
    char *bytes;

    ck_assert_msg(prvcut_source_slurp(path, 100000000, &bytes, count, &err) == PRVCUT_OK, "%s",
                  err.text);
    return bytes;
}

/* Keep the first file that comes, and hold the others against it, as they stand on disk. */
static void expect_same_file(const char *path, const char *first)
{
    struct stat info;
    char *bytes;
    FILE *file;

    if (access(first, F_OK) != 0) {
        ck_assert_int_eq(link(path, first), 0);
        return;
    }
    ck_assert_int_eq(stat(first, &info), 0);
    bytes = malloc((size_t)info.st_size);
    file = fopen(first, "rb");
    ck_assert(bytes && file);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)info.st_size, file), (size_t)info.st_size);
    scratch_expect(path, bytes, (size_t)info.st_size);
    fclose(file);
    free(bytes);
}

START_TEST(test_write_output_any_pieces_give_same_file)
{
    static const size_t steps[] = { 100, 0, 4096, 1048576, 1048577, TEXT_LARGE };
    char *text = scratch_text(TEXT_LARGE);
    uint64_t first = 0;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const uint64_t size = write_text(names[_i], text, TEXT_LARGE, steps[i]);
        struct stat info;
        size_t count;
        char *back = slurp(names[_i], &count);

        ck_assert_int_eq(stat(names[_i], &info), 0);
        ck_assert_uint_eq((uint64_t)info.st_size, size);
        ck_assert_uint_eq(count, TEXT_LARGE);
        ck_assert_int_eq(memcmp(back, text, count), 0);
        free(back);
        first = i == 0 ? size : first;
        ck_assert_uint_eq(size, first);
        expect_same_file(names[_i], "first");
        ck_assert(_i == 0 ? size == TEXT_LARGE : size < TEXT_LARGE / 2);
    }
    ck_assert_uint_eq(scratch_count(), 2);
    free(text);
}
END_TEST

START_TEST(test_write_output_nothing_gives_empty_stream)
{
    size_t count;
    const uint64_t size = write_text(names[_i], "", 0, 1);
    struct prvcut_source *s;
    char *back = slurp(names[_i], &count);

    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(size == 0, _i == 0);
    ck_assert_int_eq(prvcut_source_open(&s, names[_i], NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_source_codec(s), prvcut_codec_of_name(names[_i]));
    prvcut_source_close(s);
    free(back);
}
END_TEST

START_TEST(test_write_output_zstd_has_checksum)
{
    unsigned char head[5];
    FILE *file;

    write_text("f.zst", "some text", 9, 9);
    file = fopen("f.zst", "rb");
    ck_assert_uint_eq(fread(head, 1, sizeof head, file), sizeof head);
    ck_assert_uint_eq(head[4] & 4U, 4);
    fclose(file);
}
END_TEST

START_TEST(test_name_codec_goes_by_suffix)
{
    ck_assert_int_eq(prvcut_codec_of_name("a.prv.gz"), PRVCUT_GZIP);
    ck_assert_int_eq(prvcut_codec_of_name("a.zst"), PRVCUT_ZSTD);
    ck_assert_int_eq(prvcut_codec_of_name("a.zst.prv"), PRVCUT_PLAIN);
    ck_assert_int_eq(prvcut_codec_of_name("gz"), PRVCUT_PLAIN);
    ck_assert_int_eq(prvcut_codec_of_name(""), PRVCUT_PLAIN);
    ck_assert_int_eq(prvcut_codec_of_name("-"), PRVCUT_PLAIN);
}
END_TEST

START_TEST(test_write_output_is_unseen_until_commit)
{
    char *text = scratch_text(TEXT_LARGE);
    struct prvcut_output *o = open_output("f", false);

    ck_assert_int_eq(prvcut_output_write(o, text, TEXT_LARGE, NULL), PRVCUT_OK);
    ck_assert_int_eq(access("f", F_OK), -1);
    ck_assert_uint_eq(scratch_count(), 1);
    ck_assert_int_eq(prvcut_output_commit(o, NULL, NULL), PRVCUT_OK);
    ck_assert_uint_eq(scratch_count(), 1);
    scratch_expect("f", text, TEXT_LARGE);
    free(text);
}
END_TEST

START_TEST(test_abandon_output_leaves_nothing)
{
    struct prvcut_output *o = open_output(names[_i], false);

    ck_assert_int_eq(prvcut_output_write(o, "some text", 9, NULL), PRVCUT_OK);
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_output_abandon(o);
    ck_assert_uint_eq(scratch_count(), 0);
    prvcut_output_abandon(NULL);
}
END_TEST

START_TEST(test_abandon_output_keeps_old_file)
{
    struct prvcut_output *o;

    scratch_write("f", "old", 3);
    o = open_output("f", true);
    ck_assert_int_eq(prvcut_output_write(o, "new", 3, NULL), PRVCUT_OK);
    prvcut_output_abandon(o);
    scratch_expect("f", "old", 3);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_open_output_replaces_only_with_force)
{
    scratch_write("f", "old", 3);
    expect_refusal("f", false, PRVCUT_EEXIST, "-f replaces");
    write_text("f", "new text", 8, 8);
    scratch_expect("f", "new text", 8);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

/* The file comes to exist between open and commit. */
START_TEST(test_commit_output_never_replaces_in_a_race)
{
    struct prvcut_output *o = open_output("f", false);
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_output_write(o, "mine", 4, NULL), PRVCUT_OK);
    scratch_write("f", "theirs", 6);
    ck_assert_int_eq(prvcut_output_commit(o, NULL, &err), PRVCUT_EEXIST);
    ck_assert_ptr_nonnull(strstr(err.text, "has appeared"));
    scratch_expect("f", "theirs", 6);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_commit_output_first_of_two_wins)
{
    struct prvcut_output *one = open_output("f", false), *two = open_output("f", false);

    ck_assert_int_eq(prvcut_output_write(one, "one", 3, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_output_write(two, "two", 3, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_output_commit(two, NULL, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_output_commit(one, NULL, NULL), PRVCUT_EEXIST);
    scratch_expect("f", "two", 3);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_commit_output_mode_follows_umask)
{
    static const mode_t masks[] = { 022, 027, 077, 0 };

    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        struct stat info;

        umask(masks[i]);
        write_text("f", "x", 1, 1);
        ck_assert_int_eq(stat("f", &info), 0);
        ck_assert_uint_eq(info.st_mode & 07777, 0666 & ~masks[i]);
    }
}
END_TEST

START_TEST(test_commit_output_works_in_other_folders)
{
    char path[8200];

    ck_assert_int_eq(mkdir("sub", 0755), 0);
    write_text("sub/f", "x", 1, 1);
    scratch_expect("sub/f", "x", 1);
    ck_assert_ptr_nonnull(getcwd(path, 4096));
    strcat(path, "/sub/g");
    write_text(path, "y", 1, 1);
    scratch_expect("sub/g", "y", 1);
    ck_assert_int_eq(chdir("sub"), 0);
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

START_TEST(test_commit_output_takes_longest_name)
{
    char name[256];

    memset(name, 'n', 255);
    name[255] = '\0';
    write_text(name, "x", 1, 1);
    scratch_expect(name, "x", 1);
}
END_TEST

static bool folder_is_refused(void)
{
    struct prvcut_error err = { 0 };
    struct prvcut_output *o;

    return prvcut_output_open(&o, "closed/f", PRVCUT_PLAIN, false, &err) == PRVCUT_EIO &&
           strcmp(err.text, "closed/f: cannot be created: Permission denied") == 0;
}

START_TEST(test_open_output_refuses_what_cannot_be_written)
{
    ck_assert_int_eq(mkdir("d", 0755), 0);
    ck_assert_int_eq(symlink("d", "link"), 0);
    expect_refusal("d", true, PRVCUT_EUSAGE, "is a folder");
    expect_refusal("d", false, PRVCUT_EUSAGE, "is a folder");
    expect_refusal("link", true, PRVCUT_EUSAGE, "is a folder");
    expect_refusal("d/", true, PRVCUT_EUSAGE, "is a folder");
    expect_refusal("none/", true, PRVCUT_EIO, "is not the name of a file");
    expect_refusal("none/f", true, PRVCUT_EIO, "No such file");
    expect_refusal("", true, PRVCUT_EIO, "is not the name of a file");
    scratch_write("f", "x", 1);
    expect_refusal("f/g", true, PRVCUT_EIO, "Not a directory");
    ck_assert_int_eq(mkdir("closed", 0555), 0);
    ck_assert(scratch_as_nobody(folder_is_refused));
}
END_TEST

START_TEST(test_open_output_follows_links)
{
    struct stat info;

    ck_assert_int_eq(mkdir("d", 0755), 0);
    scratch_write("d/real", "old", 3);
    ck_assert_int_eq(symlink("d/real", "link"), 0);
    ck_assert_int_eq(symlink("nowhere", "loose"), 0);
    expect_refusal("link", false, PRVCUT_EEXIST, "exists");
    expect_refusal("loose", false, PRVCUT_EEXIST, "leads nowhere");
    expect_refusal("loose", true, PRVCUT_EIO, "leads nowhere");
    write_text("link", "new", 3, 3);
    ck_assert_int_eq(lstat("link", &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
    scratch_expect("d/real", "new", 3);
}
END_TEST

/* A device is written, not replaced; nothing is renamed over it. */
START_TEST(test_write_output_full_device_is_reported)
{
    char *text = scratch_text(TEXT_LARGE);
    struct prvcut_output *o = open_output("/dev/full", false);
    struct prvcut_error err = { 0 }, again = { 0 };

    ck_assert_int_eq(prvcut_output_write(o, text, TEXT_LARGE, &err), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "No space left"));
    ck_assert_int_eq(prvcut_output_write(o, text, 1, &again), PRVCUT_EIO);
    ck_assert_str_eq(again.text, err.text);
    again = (struct prvcut_error){ 0 };
    ck_assert_int_eq(prvcut_output_commit(o, NULL, &again), PRVCUT_EIO);
    ck_assert_str_eq(again.text, err.text);
    o = open_output("/dev/full", true);
    ck_assert_int_eq(prvcut_output_write(o, text, 10, &err), PRVCUT_OK);
    again = (struct prvcut_error){ 0 };
    ck_assert_int_eq(prvcut_output_commit(o, NULL, &again), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(again.text, "No space left"));
    free(text);
}
END_TEST

/* The limit comes in mid-file, as on a disk that fills up: text of errno, nothing left. */
START_TEST(test_write_output_beyond_file_limit_leaves_nothing)
{
    const struct rlimit limit = { 100000, RLIM_INFINITY };
    char *text = scratch_text(TEXT_LARGE);
    struct prvcut_output *o = open_output(names[_i], false);
    struct prvcut_error err = { 0 };

    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    prvcut_output_write(o, text, TEXT_LARGE, NULL);
    ck_assert_int_eq(prvcut_output_commit(o, NULL, &err), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "cannot be written after 100000 bytes"));
    ck_assert_ptr_nonnull(strstr(err.text, "File too large"));
    ck_assert_uint_eq(scratch_count(), 0);
    free(text);
}
END_TEST

START_TEST(test_write_output_fifo_is_written_directly)
{
    char *text = scratch_text(TEXT_LARGE);
    pid_t child;
    int status;

    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    child = fork();
    if (child == 0) {
        struct prvcut_output *o;

        _exit(prvcut_output_open(&o, "pipe", PRVCUT_GZIP, false, NULL) != PRVCUT_OK ||
              prvcut_output_write(o, text, TEXT_LARGE, NULL) != PRVCUT_OK ||
              prvcut_output_commit(o, NULL, NULL) != PRVCUT_OK);
    } else {
        size_t count;
        char *back = slurp("pipe", &count);

        ck_assert_uint_eq(count, TEXT_LARGE);
        ck_assert_int_eq(memcmp(back, text, count), 0);
        free(back);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(scratch_count(), 1);
    free(text);
}
END_TEST

START_TEST(test_write_output_dash_is_stdout)
{
    const int kept = dup(STDOUT_FILENO);
    const int fd = open("f", O_WRONLY | O_CREAT, 0600);
    uint64_t size;

    fflush(stdout);
    ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    size = write_text("-", "text", 4, 4);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(fd);
    ck_assert_uint_eq(size, 4);
    scratch_expect("f", "text", 4);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_write_output_closed_pipe_is_reported)
{
    char *text = scratch_text(TEXT_LARGE);
    const int kept = dup(STDOUT_FILENO);
    struct prvcut_error err = { 0 };
    struct prvcut_output *o;
    int ends[2];

    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(pipe(ends), 0);
    fflush(stdout);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    o = open_output("-", false);
    prvcut_output_write(o, text, TEXT_LARGE, &err);
    dup2(kept, STDOUT_FILENO);
    prvcut_output_abandon(o);
    ck_assert_int_eq(err.status, PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "Broken pipe"));
    ck_assert_int_eq(fcntl(STDOUT_FILENO, F_GETFD), 0);
    free(text);
}
END_TEST

static Suite *output_suite(void)
{
    Suite *suite = suite_create("output");
    TCase *tests = tcase_create("output");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_write_output_any_pieces_give_same_file, 0, 3);
    tcase_add_loop_test(tests, test_write_output_nothing_gives_empty_stream, 0, 3);
    tcase_add_test(tests, test_write_output_zstd_has_checksum);
    tcase_add_test(tests, test_name_codec_goes_by_suffix);
    tcase_add_test(tests, test_write_output_is_unseen_until_commit);
    tcase_add_loop_test(tests, test_abandon_output_leaves_nothing, 0, 3);
    tcase_add_test(tests, test_abandon_output_keeps_old_file);
    tcase_add_test(tests, test_open_output_replaces_only_with_force);
    tcase_add_test(tests, test_commit_output_never_replaces_in_a_race);
    tcase_add_test(tests, test_commit_output_first_of_two_wins);
    tcase_add_test(tests, test_commit_output_mode_follows_umask);
    tcase_add_test(tests, test_commit_output_works_in_other_folders);
    tcase_add_test(tests, test_commit_output_takes_longest_name);
    tcase_add_test(tests, test_open_output_refuses_what_cannot_be_written);
    tcase_add_test(tests, test_open_output_follows_links);
    tcase_add_test(tests, test_write_output_full_device_is_reported);
    tcase_add_loop_test(tests, test_write_output_beyond_file_limit_leaves_nothing, 0, 3);
    tcase_add_test(tests, test_write_output_fifo_is_written_directly);
    tcase_add_test(tests, test_write_output_dash_is_stdout);
    tcase_add_test(tests, test_write_output_closed_pipe_is_reported);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(output_suite());
}
