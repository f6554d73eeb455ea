#include "base/folder.h"
#include "scratch.h"
#include "tests/support/runner.h"

static const char *const others[] = { "a.def", "a", "a.marker", NULL };

static struct prvcut_folder *open_set(const char *path, bool force)
{
    struct prvcut_error err = { 0 };
    struct prvcut_folder *f;

    ck_assert_msg(prvcut_folder_open(&f, path, others, force, &err) == PRVCUT_OK, "%s", err.text);
    return f;
}

/* A file of the set. */
static void bring(const struct prvcut_folder *f, const char *name, const char *text)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", prvcut_folder_path(f), name);
    scratch_write(path, text, strlen(text));
}

static void bring_folder(const struct prvcut_folder *f, const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", prvcut_folder_path(f), name);
    ck_assert_int_eq(mkdir(path, 0777), 0);
}

static void bring_all(const struct prvcut_folder *f)
{
    bring(f, "a.otf2", "anchor");
    bring(f, "a.def", "names");
    bring_folder(f, "a");
    bring(f, "a/0.evt", "events");
    bring(f, "a/1.evt", "more");
}

static void expect_all(const char *folder)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/a.otf2", folder);
    scratch_expect(path, "anchor", 6);
    snprintf(path, sizeof path, "%s/a.def", folder);
    scratch_expect(path, "names", 5);
    snprintf(path, sizeof path, "%s/a/0.evt", folder);
    scratch_expect(path, "events", 6);
    snprintf(path, sizeof path, "%s/a/1.evt", folder);
    scratch_expect(path, "more", 4);
}

static void expect_refusal(const char *path, bool force, enum prvcut_status status,
                           const char *reason)
{
    struct prvcut_error err = { 0 };
    struct prvcut_folder *f = (struct prvcut_folder *)&err;
    const size_t before = scratch_count();

    ck_assert_int_eq(prvcut_folder_open(&f, path, others, force, &err), status);
    ck_assert_ptr_null(f);
    ck_assert_msg(strstr(err.text, reason), "%s", err.text);
    ck_assert_uint_eq(scratch_count(), before);
}

static void expect_failure(struct prvcut_folder *f, enum prvcut_status status, const char *reason)
{
    struct prvcut_error err = { 0 };
    uint64_t size = 7;

    ck_assert_int_eq(prvcut_folder_commit(f, &size, &err), status);
    ck_assert_msg(strstr(err.text, reason), "%s", err.text);
    ck_assert_uint_eq(size, 7);
}

static void commit(struct prvcut_folder *f, uint64_t want)
{
    struct prvcut_error err = { 0 };
    uint64_t size = 0;

    ck_assert_msg(prvcut_folder_commit(f, &size, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_uint_eq(size, want);
}

START_TEST(test_commit_folder_brings_all_entries)
{
    static const char *const places[] = { "a.otf2", "./a.otf2", "sub/a.otf2" };
    struct prvcut_folder *f;
    struct stat info;

    ck_assert_int_eq(mkdir("sub", 0755), 0);
    umask(022);
    f = open_set(places[_i], false);
    bring_all(f);
    ck_assert_uint_eq(scratch_count(), _i == 2 ? 1 : 2);
    commit(f, 6 + 5 + 6 + 4);
    expect_all(_i == 2 ? "sub" : ".");
    ck_assert_uint_eq(scratch_count(), _i == 2 ? 1 : 4);
    ck_assert_int_eq(stat(_i == 2 ? "sub/a" : "a", &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0755);
    ck_assert_int_eq(chdir(_i == 2 ? "sub" : "."), 0);
    ck_assert_uint_eq(scratch_count(), _i == 2 ? 3 : 4);
}
END_TEST

START_TEST(test_abandon_folder_leaves_nothing)
{
    struct prvcut_folder *f = open_set("a.otf2", false);

    bring_all(f);
    bring_folder(f, "a/deep");
    bring(f, "a/deep/file", "x");
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_folder_abandon(f);
    ck_assert_uint_eq(scratch_count(), 0);
    prvcut_folder_abandon(NULL);
}
END_TEST

START_TEST(test_abandon_folder_empties_large_one)
{
    struct prvcut_folder *f = open_set("a.otf2", false);

    bring_folder(f, "a");
    for (int i = 0; i < 3000; i++) {
        char name[32];

        snprintf(name, sizeof name, "a/%d.evt", i);
        bring(f, name, "x");
    }
    prvcut_folder_abandon(f);
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

/* Each name of the set is in the way, as a file and as a folder. */
START_TEST(test_open_folder_refuses_existing)
{
    static const char *const names[] = { "a.otf2", "a.def", "a", "a.marker" };
    const char *name = names[_i];

    scratch_write(name, "old", 3);
    expect_refusal("a.otf2", false, PRVCUT_EEXIST, "-f replaces it");
    scratch_expect(name, "old", 3);
    ck_assert_int_eq(unlink(name), 0);
    ck_assert_int_eq(mkdir(name, 0755), 0);
    expect_refusal("a.otf2", false, _i == 0 ? PRVCUT_EIO : PRVCUT_EEXIST, name);
    ck_assert_int_eq(rmdir(name), 0);
    ck_assert_int_eq(symlink("nowhere", name), 0);
    expect_refusal("a.otf2", false, PRVCUT_EEXIST, "-f replaces it");
}
END_TEST

/* A folder with a user's things in it is not an archive's because of its name. */
START_TEST(test_force_folder_spares_foreign_folder)
{
    ck_assert_int_eq(mkdir("a", 0755), 0);
    scratch_write("a/thesis", "x", 1);
    expect_refusal("a.otf2", true, PRVCUT_EEXIST, "belongs to no a.otf2");
    scratch_expect("a/thesis", "x", 1);
}
END_TEST

START_TEST(test_open_folder_refuses_impossible)
{
    ck_assert_int_eq(mkdir("a.otf2", 0755), 0);
    expect_refusal("a.otf2", true, PRVCUT_EIO, "is a folder");
    expect_refusal("missing/a.otf2", true, PRVCUT_EIO, "missing/a.otf2");
    expect_refusal("a.otf2/", true, PRVCUT_EIO, "not the name of a file");
    expect_refusal("-", true, PRVCUT_EUSAGE, "standard output");
}
END_TEST

START_TEST(test_force_folder_replaces_whole_set)
{
    struct prvcut_folder *f;

    scratch_write("a.otf2", "old", 3);
    scratch_write("a.def", "old", 3);
    scratch_write("a.marker", "old", 3);
    ck_assert_int_eq(mkdir("a", 0755), 0);
    scratch_write("a/9.evt", "old", 3);
    f = open_set("a.otf2", true);
    bring_all(f);
    scratch_expect("a/9.evt", "old", 3);
    commit(f, 21);
    expect_all(".");
    /* What the old set had and the new one has not would be taken for the new one's. */
    ck_assert_int_ne(access("a.marker", F_OK), 0);
    ck_assert_int_ne(access("a/9.evt", F_OK), 0);
    ck_assert_uint_eq(scratch_count(), 3);
}
END_TEST

START_TEST(test_force_folder_replaces_link_not_its_target)
{
    struct prvcut_folder *f;

    scratch_write("target", "old", 3);
    ck_assert_int_eq(symlink("target", "a.otf2"), 0);
    f = open_set("a.otf2", true);
    bring_all(f);
    commit(f, 21);
    expect_all(".");
    scratch_expect("target", "old", 3);
    ck_assert_uint_eq(scratch_count(), 4);
}
END_TEST

START_TEST(test_commit_folder_brings_many_files)
{
    struct prvcut_folder *f = open_set("a.otf2", false);

    bring(f, "a.otf2", "anchor");
    bring_folder(f, "a");
    for (int i = 0; i < 500; i++) {
        char name[32];

        snprintf(name, sizeof name, "a/%d.evt", i);
        bring(f, name, "12");
    }
    commit(f, 6 + 500 * 2);
    scratch_expect("a/499.evt", "12", 2);
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

/* Whatever has appeared since open: it stays, and nothing of the set does. */
START_TEST(test_commit_folder_keeps_what_appeared)
{
    static const char *const names[] = { "a.otf2", "a.def", "a" };
    struct prvcut_folder *f = open_set("a.otf2", false);

    bring_all(f);
    if (_i == 2)
        ck_assert_int_eq(mkdir("a", 0755), 0);
    scratch_write(_i == 2 ? "a/theirs" : names[_i], "new", 3);
    expect_failure(f, PRVCUT_EEXIST, names[_i]);
    scratch_expect(_i == 2 ? "a/theirs" : names[_i], "new", 3);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_commit_folder_needs_main_file)
{
    struct prvcut_folder *f = open_set("a.otf2", false);

    bring(f, "a.def", "names");
    expect_failure(f, PRVCUT_EIO, "was not written");
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

/* The last move fails: a folder has come to stand where the main file belongs. */
START_TEST(test_fail_folder_restores_old_set)
{
    struct prvcut_folder *f;

    scratch_write("a.otf2", "old", 3);
    scratch_write("a.def", "old", 3);
    f = open_set("a.otf2", true);
    bring(f, "a.def", "names");
    bring_folder(f, "a.otf2");
    bring_folder(f, "a.marker");
    ck_assert_int_eq(unlink("a.otf2"), 0);
    ck_assert_int_eq(mkdir("a.otf2", 0755), 0);
    expect_failure(f, PRVCUT_EIO, "is a folder");
    scratch_expect("a.def", "old", 3);
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

static bool unwritable(void)
{
    struct prvcut_error err = { 0 };
    struct prvcut_folder *f;

    return prvcut_folder_open(&f, "locked/a.otf2", others, true, &err) == PRVCUT_EIO &&
           strstr(err.text, "locked/a.otf2") != NULL;
}

START_TEST(test_open_folder_refuses_unwritable_place)
{
    ck_assert_int_eq(mkdir("locked", 0555), 0);
    ck_assert(scratch_as_nobody(unwritable));
    ck_assert_int_eq(chdir("locked"), 0);
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

static Suite *folder_suite(void)
{
    Suite *suite = suite_create("folder");
    TCase *tests = tcase_create("folder");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_commit_folder_brings_all_entries, 0, 3);
    tcase_add_test(tests, test_abandon_folder_leaves_nothing);
    tcase_add_test(tests, test_abandon_folder_empties_large_one);
    tcase_add_loop_test(tests, test_open_folder_refuses_existing, 0, 4);
    tcase_add_test(tests, test_force_folder_spares_foreign_folder);
    tcase_add_test(tests, test_open_folder_refuses_impossible);
    tcase_add_test(tests, test_force_folder_replaces_whole_set);
    tcase_add_test(tests, test_force_folder_replaces_link_not_its_target);
    tcase_add_loop_test(tests, test_commit_folder_keeps_what_appeared, 0, 3);
    tcase_add_test(tests, test_commit_folder_brings_many_files);
    tcase_add_test(tests, test_commit_folder_needs_main_file);
    tcase_add_test(tests, test_fail_folder_restores_old_set);
    tcase_add_test(tests, test_open_folder_refuses_unwritable_place);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(folder_suite());
}
