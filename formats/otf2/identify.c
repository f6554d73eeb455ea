#include "otf2/anchor.h"

#include "base/flow.h"
#include "base/io.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM ((size_t)1 << 18)

/* Deeper than folder/NAME/ID.evt no archive is. */
#define DEPTH_MOST 2

/* FNV-1a's numbers, eight bytes at a time: a name, not a seal. */
#define SUM_BEGIN  UINT64_C(0xcbf29ce484222325)
#define SUM_FACTOR UINT64_C(0x100000001b3)

struct sum {
    uint64_t value;
    char *room; /* [ROOM] */
    const struct prvcut_run *run;
};

static uint64_t ident_mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * SUM_FACTOR;
    return sum ^ sum >> 29;
}

static void ident_add(struct sum *s, const char *bytes, size_t count)
{
    uint64_t word;

    s->value = ident_mix(s->value, count);
    for (; count >= sizeof word; count -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        s->value = ident_mix(s->value, word);
    }
    for (size_t i = 0; i < count; i++)
        s->value = ident_mix(s->value, (unsigned char)bytes[i]);
}

static enum prvcut_status ident_add_file(struct sum *s, const char *path, struct prvcut_error *err)
{
    const int fd = prvcut_io_open(path, O_RDONLY, 0);
    enum prvcut_status st = PRVCUT_OK;
    uint64_t offset = 0;
    size_t got = ROOM;

    if (fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read again", path);
    while (got == ROOM && st == PRVCUT_OK) {
        st = prvcut_flow_read_at(fd, path, offset, s->room, ROOM, &got, err);
        if (st == PRVCUT_OK)
            ident_add(s, s->room, got);
        offset += got;
        if (st == PRVCUT_OK && s->run && s->run->stop && s->run->stop(s->run->ctx))
            st = prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    }
    close(fd);
    return st;
}

/* By bytes, whatever the locale. */
static int ident_by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int ident_is_entry(const struct dirent *e)
{
    return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

static enum prvcut_status ident_add_folder(struct sum *s, const char *folder, const char *but,
                                           unsigned depth, struct prvcut_error *err);

static enum prvcut_status ident_add_entry(struct sum *s, const char *folder, const char *name,
                                          const char *but, unsigned depth, struct prvcut_error *err)
{
    const size_t room = strlen(folder) + strlen(name) + 2;
    char *path = prvcut_unset(1, room, "a name", err);
    enum prvcut_status st = PRVCUT_OK;
    struct stat info;

    if (!path)
        return PRVCUT_ENOMEM;
    snprintf(path, room, "%s/%s", folder, name);
    ident_add(s, name, strlen(name));
    if (stat(path, &info) != 0)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read again", path);
    else if (S_ISDIR(info.st_mode) && depth < DEPTH_MOST)
        st = ident_add_folder(s, path, but, depth + 1, err);
    else if (S_ISREG(info.st_mode) && strcmp(path, but) != 0)
        st = ident_add_file(s, path, err);
    free(path);
    return st;
}

static enum prvcut_status ident_add_folder(struct sum *s, const char *folder, const char *but,
                                           unsigned depth, struct prvcut_error *err)
{
    struct dirent **entry = NULL;
    const int entries = scandir(folder, &entry, ident_is_entry, ident_by_name);
    enum prvcut_status st = PRVCUT_OK;

    if (entries < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read again", folder);
    for (int i = 0; i < entries; i++) {
        if (st == PRVCUT_OK)
            st = ident_add_entry(s, folder, entry[i]->d_name, but, depth, err);
        free(entry[i]);
    }
    free(entry);
    return st;
}

static enum prvcut_status ident_put_identifier(const char *path, uint64_t offset, uint64_t value,
                                               struct prvcut_error *err)
{
    const int fd = prvcut_io_open(path, O_WRONLY, 0);
    unsigned char bytes[8];
    bool done;

    if (fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", path);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    done = prvcut_io_write_at(fd, offset, bytes, sizeof bytes) == 0;
    done = (close(fd) == 0 || errno == EINTR) && done;
    return done ? PRVCUT_OK : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", path);
}

static enum prvcut_status ident_sum_up(struct sum *s, const char *folder, const char *path,
                                       const struct o2_anchor_words *words,
                                       struct prvcut_error *err)
{
    char *anchor = NULL;
    size_t count = 0, at = 0;
    struct prvcut_error why = { 0 };
    enum prvcut_status st = o2_anchor_identifier(path, &anchor, &count, &at, &why);

    if (st < 0)
        return prvcut_fail(err, st == PRVCUT_EFORMAT ? PRVCUT_EIO : st,
                           "the archive's anchor could not be written to its end "
                           "(is the disk full?)");
    st = o2_anchor_says(anchor, count, words, err);
    memset(anchor + at, 0, sizeof(uint64_t));
    ident_add(s, anchor, count);
    if (st == PRVCUT_OK)
        st = ident_add_folder(s, folder, path, 0, err);
    free(anchor);
    return st == PRVCUT_OK ? ident_put_identifier(path, at, s->value, err) : st;
}

enum prvcut_status o2_anchor_identify(const char *folder, const char *path,
                                      const struct o2_anchor_words *words,
                                      const struct prvcut_run *run, struct prvcut_error *err)
{
    struct sum s = { .value = SUM_BEGIN,
                     .room = prvcut_unset(1, ROOM, "a checksum", err),
                     .run = run };
    const enum prvcut_status st =
        s.room ? ident_sum_up(&s, folder, path, words, err) : PRVCUT_ENOMEM;

    free(s.room);
    return st;
}
