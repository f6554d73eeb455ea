#ifndef TESTS_BASE_SCRATCH_H
#define TESTS_BASE_SCRATCH_H

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A folder of its own for each test, which runs in it and may use short names. The outer folder is
 * made and removed by the process that starts the tests, so that it goes even if a test crashes.
 */
static char scratch_root[4096];

static inline void scratch_begin(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(scratch_root, sizeof scratch_root, "%s/prvcut-test.XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(scratch_root) || chmod(scratch_root, 0755) != 0) {
        perror(scratch_root);
        exit(EXIT_FAILURE);
    }
}

/* Remove what is in a folder, and its folders; one level at a time. */
static inline void scratch_empty(const char *folder)
{
    struct dirent *entry;
    DIR *dir = opendir(folder);

    while (dir && (entry = readdir(dir))) {
        char path[sizeof scratch_root + 512];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
            unlink(path) == 0)
            continue;
        chmod(path, 0700);
        scratch_empty(path);
        rmdir(path);
    }
    if (dir)
        closedir(dir);
}

static inline void scratch_end(void)
{
    scratch_empty(scratch_root);
    rmdir(scratch_root);
}

static inline void scratch_enter(void)
{
    char name[] = "t.XXXXXX";

    ck_assert_int_eq(chdir(scratch_root), 0);
    ck_assert_ptr_nonnull(mkdtemp(name));
    ck_assert_int_eq(chdir(name), 0);
    ck_assert_int_eq(chmod(".", 0755), 0);
}

static inline void scratch_fixtures(TCase *tests)
{
    tcase_add_unchecked_fixture(tests, scratch_begin, scratch_end);
    tcase_add_checked_fixture(tests, scratch_enter, NULL);
    tcase_set_timeout(tests, 120);
}

/* Names in the working folder, hidden ones too. */
static inline size_t scratch_count(void)
{
    size_t count = 0;
    DIR *dir = opendir(".");

    ck_assert_ptr_nonnull(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2;
}

static inline void scratch_write(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(name, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

/* Assert that a file holds just these bytes. */
static inline void scratch_expect(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(name, "rb");
    char *held = malloc(count + 1);

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(held);
    ck_assert_uint_eq(fread(held, 1, count + 1, file), count);
    ck_assert(count == 0 || memcmp(held, bytes, count) == 0);
    fclose(file);
    free(held);
}

static inline uint64_t scratch_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Text like a trace's: numbers and colons, which compress but are never the same twice. */
static inline char *scratch_text(size_t count)
{
    char *text = malloc(count + 32);
    uint64_t state = 7;
    size_t used = 0;

    ck_assert_ptr_nonnull(text);
    while (used < count)
        used += (size_t)sprintf(text + used, "2:1:1:%u:%u\n", (unsigned)(used / 50),
                                (unsigned)(scratch_random(&state) % 100000));
    text[count] = '\0';
    return text;
}

/*
 * Run a check without the rights of the superuser, whom no mode keeps out; true if it succeeds.
 * It runs in a process of its own, which ends without the leak check: that needs the rights.
 */
static inline bool scratch_as_nobody(bool (*check)(void))
{
    const pid_t child = fork();
    int status;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (geteuid() == 0 && seteuid(65534) != 0)
            _exit(2);
        _exit(check() ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status == 0;
}

#endif
