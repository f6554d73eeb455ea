/*
 * OTF2: whatever stands in an archive's files, opening, scanning and checking it end, and a failure
 * says why.
 *
 * input   MODE (bit 0: lenient), then four files, each behind its length in 4 bytes, the lowest
 *         first: the anchor, the definitions, events and definitions of location 0
 *         (libFuzzer needs -malloc_limit_mb=0: the library asks for whatever a damaged record says,
 *         and goes on when it gets nothing)
 * seeds   archives like that of tests/formats/otf2_made.h, with location 0 only
 */
#include "sandbox.h"
#include "target.h"

#include "model/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

static const char *const names[] = { "a.otf2", "a.def", "a/0.evt", "a/0.def" };

#define FILES (sizeof names / sizeof *names)

/* Seen by the sanitizers' own library. */
#define SHOWN __attribute__((visibility("default")))

/* The library leaks its handle of an anchor that it refuses. */
SHOWN const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libopen-trace-format2\nleak:libotf2\n";
}

/* What the library asks for on behalf of a damaged record is refused, as it would be elsewhere. */
SHOWN const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=64:malloc_context_size=2:"
           "quarantine_size_mb=1";
}

static void path_of(char out[256], const char *name)
{
    snprintf(out, 256, "%s/%s", folder, name);
}

static void remove_files(void)
{
    char path[256];

    for (size_t i = 0; i < FILES; i++) {
        path_of(path, names[i]);
        unlink(path);
    }
    path_of(path, "a");
    rmdir(path);
    rmdir(folder);
}

/* A folder in memory if possible, for the life of the process. */
static void name_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    char path[256];

    if (folder[0] != '\0')
        return;
    if (access("/dev/shm", W_OK) == 0)
        tmp = "/dev/shm";
    snprintf(folder, sizeof folder, "%.150s/fuzz_otf2.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    require(mkdtemp(folder) != NULL, "a folder can be made");
    path_of(path, "a");
    require(mkdir(path, 0700) == 0, "a folder can be made");
    atexit(remove_files);
}

static void write_file(const char *name, const uint8_t *at, size_t count)
{
    char path[256];
    FILE *file;

    path_of(path, name);
    file = fopen(path, "wb");
    require(file != NULL, "a file can be written");
    if (count > 0)
        require(fwrite(at, 1, count, file) == count, "a file can be written");
    require(fclose(file) == 0, "a file can be written");
}

struct file {
    const uint8_t *at;
    size_t count;
};

/* What is missing at the end is an empty file. */
static void split(struct file file[FILES], const uint8_t *at, size_t size)
{
    struct input in = { at, size };

    for (size_t i = 0; i < FILES; i++) {
        const size_t count = (size_t)input_number(&in, 4);

        file[i] = (struct file){ in.at, count < in.left ? count : in.left };
        in.at += file[i].count;
        in.left -= file[i].count;
    }
}

static struct prvcut_source *anchor(void)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *source;
    char path[256];

    path_of(path, names[0]);
    require(prvcut_source_open(&source, path, &err) == PRVCUT_OK, "the anchor can be opened");
    return source;
}

static void try_reading(const struct prvcut_open_options *options)
{
    const struct prvcut_consumer nobody = { .roles = UINT32_MAX, .states = true, .messages = true };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { 0 };
    struct prvcut_dictionary names_of;
    struct prvcut_counts counts;
    struct prvcut_trace *t;
    enum prvcut_status st = prvcut_otf2_reader.open(&t, anchor(), options, &err);

    if (st == PRVCUT_OK) {
        st = prvcut_otf2_reader.scan(t, &run, &nobody, &counts, &err);
        if (st == PRVCUT_OK)
            require(counts.last_ns <= t->end_ns, "the trace ends behind its last event");
        if (st == PRVCUT_OK)
            st = prvcut_otf2_reader.scan_window(t, &run, t->end_ns / 3, t->end_ns / 2, &nobody,
                                                &err);
        if (st == PRVCUT_OK) {
            st = prvcut_otf2_reader.describe(t, &names_of, &err);
            prvcut_dictionary_fini(&names_of);
        }
        prvcut_otf2_reader.close(t);
    }
    require(st == PRVCUT_OK || (st < 0 && err.status == st && err.text[0] != '\0'),
            "a failure says why");
}

static void try_checking(void)
{
    struct prvcut_findings findings = { 0 };
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = prvcut_otf2_reader.check(&findings, anchor(), NULL, NULL, &err);

    require(st == PRVCUT_OK || err.text[0] != '\0', "a failure says why");
    for (size_t i = 0; i < findings.count; i++)
        require(findings.at[i].count > 0 && findings.at[i].example[0] != '\0',
                "a finding has an example");
    free(findings.at);
}

/* An input opens a few files; their handles are the lowest ones that were free. */
#define HANDLES 64

/* The library keeps the handle of an anchor that it refuses: soon nothing could be opened. */
static void close_from(int handle)
{
    for (int i = 0; i < HANDLES; i++)
        close(handle + i);
}

#ifdef PRVCUT_FUZZ
/* One file changes, seldom the anchor, and the others stay files. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const size_t which[8] = { 0, 1, 1, 2, 2, 2, 3, 3 };
    const size_t one = which[seed % 8];
    struct file file[FILES];
    uint8_t *changed, *whole, *at;
    size_t room = most;

    split(file, data + (size > 0), size - (size > 0));
    for (size_t i = 0; i < FILES; i++)
        room -= room < 5 + file[i].count ? room : 5 + (i != one ? file[i].count : 0);
    if (size == 0 || room < file[one].count + 1)
        return LLVMFuzzerMutate(data, size, most);
    changed = malloc(room);
    whole = at = malloc(most);
    require(changed && whole, "memory");
    if (file[one].count > 0)
        memcpy(changed, file[one].at, file[one].count);
    file[one].count = LLVMFuzzerMutate(changed, file[one].count, room);
    file[one].at = changed;
    *at++ = (uint8_t)(data[0] ^ (seed >> 3) % 16 / 15);
    for (size_t i = 0; i < FILES; i++) {
        for (unsigned k = 0; k < 4; k++)
            *at++ = (uint8_t)(file[i].count >> 8 * k);
        if (file[i].count > 0)
            memcpy(at, file[i].at, file[i].count);
        at += file[i].count;
    }
    size = (size_t)(at - whole);
    memcpy(data, whole, size);
    free(changed);
    free(whole);
    return size;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct prvcut_open_options options = { .lenient = size > 0 && (data[0] & 1) != 0 };
    struct file file[FILES];
    int free_handle;

    if (size == 0)
        return 0;
    name_folder();
    split(file, data + 1, size - 1);
    for (size_t i = 0; i < FILES; i++)
        write_file(names[i], file[i].at, file[i].count);
    free_handle = dup(STDERR_FILENO);
    require(free_handle >= 0, "a handle is left");
    try_reading(&options);
    try_checking();
    close_from(free_handle);
    return 0;
}
