/*
 * Archives: whatever one holds, unpacking and verifying it end, a failure says why, nothing but
 * plain files and folders appears, all of it inside the temporary folder, and nothing stays there.
 *
 * input   MODE, then a file; with bit 0 (PACK) it is a tar that the target compresses, with bit 1
 *         (SUMS) after it has put the right checksum into each header
 */
#include "sandbox.h"
#include "target.h"

#include "api/opening.h"
#include "api/pack.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum mode { PACK = 1, SUMS = 2 };

#define BLOCK     512
#define NAME_MOST 4096

/* Entries of the seeds that start from the root lead there. */
#define OUTSIDE "/tmp/prvcut-fuzz-outside"

static char in[SANDBOX_PATH], temporary[SANDBOX_PATH];

/* Files beyond this fail, as on a disk that is full. */
#define FILE_MOST ((rlim_t)1 << 20)

static void prepare(void)
{
    const struct rlimit most = { FILE_MOST, FILE_MOST };

    if (in[0] != '\0')
        return;
    sandbox_path(in, "in.tar.zst");
    sandbox_path(temporary, "temporary");
    require(mkdir(temporary, 0700) == 0, "a folder can be made");
    require(setenv("TMPDIR", temporary, 1) == 0, "the environment can be set");
    require(signal(SIGXFSZ, SIG_IGN) != SIG_ERR, "signals can be ignored");
    require(setrlimit(RLIMIT_FSIZE, &most) == 0, "files can be limited");
}

/* --- The input ------------------------------------------------------------------------------ */

static size_t octal(const uint8_t *at, size_t digits)
{
    size_t value = 0;

    for (size_t i = 0; i < digits && at[i] >= '0' && at[i] <= '7'; i++)
        value = value * 8 + (size_t)(at[i] - '0');
    return value;
}

/* The sum of a header's bytes, its own field taken as blanks. */
static void put_sum(uint8_t *header)
{
    unsigned sum = 0;
    char text[8];

    memset(header + 148, ' ', 8);
    for (size_t i = 0; i < BLOCK; i++)
        sum += header[i];
    snprintf(text, sizeof text, "%06o", sum & 0777777);
    memcpy(header + 148, text, 7);
}

static void put_sums(uint8_t *tar, size_t count)
{
    for (size_t at = 0; at + BLOCK <= count;) {
        const size_t size = octal(tar + at + 124, 12);

        if (tar[at] != '\0')
            put_sum(tar + at);
        at += BLOCK + (size < count ? (size + BLOCK - 1) / BLOCK * BLOCK : 0);
    }
}

static void write_input(uint8_t mode, const uint8_t *at, size_t count)
{
    const size_t room = ZSTD_compressBound(count);
    uint8_t *tar, *packed;

    if (!(mode & PACK)) {
        sandbox_write("in.tar.zst", at, count);
        return;
    }
    tar = malloc(count + 1);
    packed = malloc(room);
    require(tar && packed, "memory");
    if (count > 0)
        memcpy(tar, at, count);
    if (mode & SUMS)
        put_sums(tar, count);
    count = ZSTD_compress(packed, room, tar, count, 1);
    require(!ZSTD_isError(count), "it can be compressed");
    sandbox_write("in.tar.zst", packed, count);
    free(packed);
    free(tar);
}

/* --- What is on disk ------------------------------------------------------------------------ */

/* Names in a folder, all below it plain files of one name and folders. */
static size_t look_into(const char *folder)
{
    char path[NAME_MOST];
    DIR *dir = opendir(folder);
    struct dirent *d;
    struct stat s;
    size_t names = 0;

    require(dir != NULL, "a folder can be read");
    while ((d = readdir(dir))) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        names++;
        if (snprintf(path, sizeof path, "%s/%s", folder, d->d_name) >= (int)sizeof path)
            continue;
        require(lstat(path, &s) == 0, "what is there can be looked at");
        require(S_ISDIR(s.st_mode) || (S_ISREG(s.st_mode) && s.st_nlink == 1),
                "nothing but plain files and folders appears");
        if (S_ISDIR(s.st_mode))
            look_into(path);
    }
    closedir(dir);
    return names;
}

static void require_inside(size_t folders)
{
    require(look_into(temporary) == folders, "no more than what was unpacked is there");
    require(look_into(sandbox()) == 2, "nothing appears beside the temporary folder");
    require(access(OUTSIDE, F_OK) != 0, "nothing appears outside");
}

/* --- The library ---------------------------------------------------------------------------- */

static void require_outcome(enum prvcut_status st, const struct prvcut_error *err)
{
    require(st >= 0 || (err->status == st && err->text[0] != '\0'), "a failure has a text");
}

static void try_unpacking(bool lenient)
{
    struct prvcut_error err = { 0 };
    struct pack_inside inside;
    const enum prvcut_status st =
        pack_unpack(&inside, in, NULL, lenient, (struct pack_stop){ NULL, NULL }, &err);
    const char *folder = inside.folder;

    require_outcome(st, &err);
    require((st == PRVCUT_OK) == (folder != NULL), "a failure leaves nothing");
    require(!folder || strncmp(folder, temporary, strlen(temporary)) == 0, "it is unpacked there");
    require(!folder || access(inside.main, F_OK) == 0, "its main file is there");
    require_inside(folder != NULL);
    pack_inside_fini(&inside);
    require_inside(0);
}

#define UNPACKED "prvcut-unpacked"

/* Does the input itself say what temporary folders are called? Then messages may quote it. */
static bool names_folder(const uint8_t *data, size_t size)
{
    const size_t length = strlen(UNPACKED);

    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(data + i, UNPACKED, length) == 0)
            return true;
    return false;
}

static void try_recognising(bool named)
{
    struct prvcut_opening o;
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = prvcut_opening_start(&o, in, NULL, &err);

    require_outcome(st, &err);
    require_inside(o.inside.folder != NULL);
    require(named || strstr(err.text, UNPACKED) == NULL, "no temporary folder is told");
    prvcut_source_close(o.source);
    prvcut_opening_fini(&o);
    require_inside(0);
}

static void try_verifying(void)
{
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_archive_result *r = NULL;
    struct prvcut_error err = { 0 };
    enum prvcut_status st = prvcut_archive_verify(in, &run, &r, &err);
    char *text = NULL;

    require_outcome(st, &err);
    require(st != PRVCUT_OK || r->wrong == 0, "what is sound has no fault");
    require(st != PRVCUT_UNSOUND || r->wrong > 0, "what is not has some");
    for (int json = 0; json < 2 && st >= 0; json++) {
        require(prvcut_archive_result_text(r, json, &text, &err) == PRVCUT_OK && text,
                "a result can be told");
        free(text);
    }
    prvcut_archive_result_free(r);
    require_inside(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    prepare();
    write_input(data[0], data + 1, size - 1);
    try_unpacking(false);
    try_unpacking(true);
    try_recognising(names_folder(data, size));
    try_verifying();
    return 0;
}
