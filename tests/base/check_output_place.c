#include "base/place.h"
#include "base/work.h"
#include "scratch.h"
#include "tests/support/runner.h"

static struct prvcut_commit *set;
static struct prvcut_place place;
static struct prvcut_error error;

static void setup(void)
{
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_commit_new(&set, &error), PRVCUT_OK);
}

static void open_well(const char *path, bool force)
{
    ck_assert_msg(prvcut_place_open(&place, set, path, force, &error) == PRVCUT_OK, "%s",
                  error.text);
}

/* It may be written, settled, and its set with it. */
static void write_all(const char *text)
{
    ck_assert_int_eq(write(place.fd, text, strlen(text)), (ssize_t)strlen(text));
    ck_assert_msg(prvcut_place_settle(&place, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_place_drop(&place);
    ck_assert_msg(prvcut_commit_all(set, &error) == PRVCUT_OK, "%s", error.text);
}

static void expect_refusal(const char *path, bool force, enum prvcut_status status,
                           const char *reason)
{
    const size_t before = scratch_count();

    ck_assert_int_eq(prvcut_place_open(&place, set, path, force, &error), status);
    ck_assert_msg(strstr(error.text, reason) && strstr(error.text, path), "%s", error.text);
    prvcut_place_drop(&place);
    prvcut_commit_abandon(set);
    ck_assert_uint_eq(scratch_count(), before);
}

/* Nothing is seen before the set lets it; then nothing else. */
START_TEST(test_place_appears_with_its_set)
{
    open_well("file", false);
    ck_assert_str_eq(place.path, "file");
    ck_assert_str_eq(place.name, "file");
    ck_assert_int_eq(access("file", F_OK), -1);
    write_all("text");
    scratch_expect("file", "text", 4);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_place_that_is_dropped_leaves_nothing)
{
    open_well("file", false);
    ck_assert_int_eq(write(place.fd, "text", 4), 4);
    prvcut_place_drop(&place);
    ck_assert_int_eq(place.fd, -1);
    ck_assert_ptr_null(place.temp);
    prvcut_commit_abandon(set);
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

/* What stands there stays until all is written. */
START_TEST(test_place_replaces_with_force)
{
    scratch_write("file", "before", 6);
    open_well("file", true);
    scratch_expect("file", "before", 6);
    write_all("after");
    scratch_expect("file", "after", 5);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_place_refuses_to_replace)
{
    scratch_write("file", "before", 6);
    expect_refusal("file", false, PRVCUT_EEXIST, "exists");
    scratch_expect("file", "before", 6);
}
END_TEST

START_TEST(test_place_refuses_a_folder)
{
    ck_assert_int_eq(mkdir("folder", 0700), 0);
    expect_refusal("folder", _i, PRVCUT_EUSAGE, "is a folder");
}
END_TEST

START_TEST(test_place_refuses_where_there_is_no_folder)
{
    expect_refusal("nowhere/file", true, PRVCUT_EIO, "nowhere");
}
END_TEST

START_TEST(test_place_refuses_a_link_that_leads_nowhere)
{
    ck_assert_int_eq(symlink("missing", "link"), 0);
    expect_refusal("link", _i, _i ? PRVCUT_EIO : PRVCUT_EEXIST, "leads nowhere");
}
END_TEST

/* A link stays; what it leads to is replaced. */
START_TEST(test_place_follows_a_link)
{
    char to[8] = { 0 };

    ck_assert_int_eq(mkdir("folder", 0700), 0);
    scratch_write("folder/file", "before", 6);
    ck_assert_int_eq(symlink("folder/file", "link"), 0);
    open_well("link", true);
    ck_assert_str_eq(place.path, "link");
    ck_assert_str_eq(place.name, "file");
    write_all("after");
    scratch_expect("folder/file", "after", 5);
    ck_assert_int_eq(readlink("link", to, 6), 6);
}
END_TEST

/* The mode is what the umask leaves. */
START_TEST(test_place_obeys_the_umask)
{
    struct stat info;

    umask(027);
    open_well("file", false);
    write_all("text");
    ck_assert_int_eq(stat("file", &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0640);
}
END_TEST

/* A FIFO is written as it is: nothing is made beside it. */
START_TEST(test_place_writes_into_a_fifo)
{
    char got[5] = { 0 };
    int fd;

    ck_assert_int_eq(mkfifo("fifo", 0600), 0);
    fd = open("fifo", O_RDONLY | O_NONBLOCK);
    open_well("fifo", false);
    ck_assert_ptr_null(place.temp);
    ck_assert_uint_eq(scratch_count(), 1);
    write_all("text");
    ck_assert_int_eq(read(fd, got, 4), 4);
    ck_assert_str_eq(got, "text");
    close(fd);
}
END_TEST

START_TEST(test_place_of_standard_output)
{
    open_well("-", false);
    ck_assert_int_eq(place.fd, STDOUT_FILENO);
    ck_assert_int_eq(prvcut_place_settle(&place, &error), PRVCUT_OK);
    prvcut_place_drop(&place);
    prvcut_commit_abandon(set);
    ck_assert_int_ge(fcntl(STDOUT_FILENO, F_GETFD), 0);
}
END_TEST

/* Two outputs of a set cannot have one name. */
START_TEST(test_place_refuses_a_name_twice)
{
    struct prvcut_place other;

    open_well("file", false);
    ck_assert_int_eq(prvcut_place_open(&other, set, "./file", false, &error), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "two outputs have this name"));
    prvcut_place_drop(&other);
    prvcut_place_drop(&place);
    prvcut_commit_abandon(set);
}
END_TEST

START_TEST(test_name_the_folder_of_a_path)
{
    static const char *const folder[][2] = {
        { "a", "." }, { "/a", "/" }, { "b/a", "b" }, { "/c/b/a", "/c/b" }, { "b/", "b" },
    };

    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        char *has = prvcut_path_folder(folder[i][0], NULL);

        ck_assert_str_eq(has, folder[i][1]);
        free(has);
    }
}
END_TEST

static Suite *place_suite(void)
{
    Suite *s = suite_create("output_place");
    TCase *t = tcase_create("place");

    scratch_fixtures(t);
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, test_name_the_folder_of_a_path);
    tcase_add_test(t, test_place_appears_with_its_set);
    tcase_add_test(t, test_place_that_is_dropped_leaves_nothing);
    tcase_add_test(t, test_place_replaces_with_force);
    tcase_add_test(t, test_place_refuses_to_replace);
    tcase_add_loop_test(t, test_place_refuses_a_folder, 0, 2);
    tcase_add_test(t, test_place_refuses_where_there_is_no_folder);
    tcase_add_loop_test(t, test_place_refuses_a_link_that_leads_nowhere, 0, 2);
    tcase_add_test(t, test_place_follows_a_link);
    tcase_add_test(t, test_place_obeys_the_umask);
    tcase_add_test(t, test_place_writes_into_a_fifo);
    tcase_add_test(t, test_place_of_standard_output);
    tcase_add_test(t, test_place_refuses_a_name_twice);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(place_suite());
}
