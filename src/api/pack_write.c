#include "api/pack.h"

#include "api/digest.h"
#include "base/buffer.h"
#include "base/io.h"
#include "base/memory.h"
#include "base/ordered.h"
#include "base/output.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM ((size_t)1 << 18)

/* An archive under way. */
struct packing {
    const struct pack *what;
    const struct prvcut_run *run;
    struct prvcut_output *output;
    struct archive *tar;
    struct prvcut_buffer sums; /* the lines of SHA256SUMS */
    size_t entries;            /* so far */
    char *room;                /* [ROOM] */
    struct prvcut_error err;   /* of the output, which libarchive does not know */
};

static la_ssize_t pwr_packing_put(struct archive *tar, void *ctx, const void *bytes, size_t count)
{
    struct packing *p = ctx;

    if (prvcut_output_write(p->output, bytes, count, &p->err) < 0) {
        archive_set_error(tar, -1, "%s", p->err.text);
        return -1;
    }
    return (la_ssize_t)count;
}

static enum prvcut_status pwr_packing_fail(struct packing *p, struct prvcut_error *err)
{
    const char *text = archive_error_string(p->tar);

    if (p->err.status < 0)
        return prvcut_fail(err, p->err.status, "%s", p->err.text);
    return prvcut_fail(err, PRVCUT_EIO, "archive: %s", text ? text : "cannot be written");
}

/* Names are bytes. libarchive wants to know their letters: where the system knows UTF-8, names in
   it are written so that every tar reads them; all others, and all names where it does not, as they
   are, with a mark that tells so, of which libarchive warns. */
static int write_header(struct archive *tar, struct archive_entry *e)
{
    const locale_t letters = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t old = letters ? uselocale(letters) : (locale_t)0;
    const int r = archive_write_header(tar, e);

    if (letters) {
        uselocale(old);
        freelocale(letters);
    }
    return r == ARCHIVE_WARN ? ARCHIVE_OK : r;
}

static enum prvcut_status pwr_put_header(struct packing *p, const char *name, uint64_t size,
                                         struct prvcut_error *err)
{
    struct archive_entry *e = archive_entry_new();
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st;

    /* What cannot be read back is not written. */
    if (++p->entries > PACK_ENTRIES_MOST) {
        archive_entry_free(e);
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "an archive holds at most %zu files, and these are more",
                           PACK_ENTRIES_MOST);
    }
    if (!e)
        return prvcut_no_memory(err, "an entry of an archive");
    st = prvcut_buffer_printf(&path, err, "%s/%s", p->what->name, name);
    if (st == PRVCUT_OK) {
        archive_entry_set_pathname(e, path.at);
        archive_entry_set_size(e, (la_int64_t)size);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        archive_entry_set_mtime(e, (time_t)p->what->time, 0);
        if (write_header(p->tar, e) != ARCHIVE_OK)
            st = pwr_packing_fail(p, err);
    }
    prvcut_buffer_fini(&path);
    archive_entry_free(e);
    return st;
}

static enum prvcut_status pwr_put_bytes(struct packing *p, const void *bytes, size_t count,
                                        struct prvcut_error *err)
{
    return archive_write_data(p->tar, bytes, count) == (la_ssize_t)count ? PRVCUT_OK
                                                                         : pwr_packing_fail(p, err);
}

static enum prvcut_status pwr_put_sum(struct packing *p, struct sha256_ctx *sum, const char *name,
                                      struct prvcut_error *err)
{
    const struct digest_text text = digest_finish(sum);

    if (strchr(name, '\n'))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a name with a line break cannot be listed in an "
                           "archive");
    return prvcut_buffer_printf(&p->sums, err, "%s  %s\n", text.at, name);
}

static enum prvcut_status pwr_put_text(struct packing *p, const struct pack_text *t,
                                       struct prvcut_error *err)
{
    const size_t count = strlen(t->text);
    struct sha256_ctx sum;
    enum prvcut_status st = pwr_put_header(p, t->name, count, err);

    sha256_init(&sum);
    sha256_update(&sum, count, (const uint8_t *)t->text);
    if (st == PRVCUT_OK)
        st = pwr_put_bytes(p, t->text, count, err);
    return st == PRVCUT_OK ? pwr_put_sum(p, &sum, t->name, err) : st;
}

/* The size stands in the header, so a file that changes meanwhile is a failure. */
static enum prvcut_status pwr_put_content(struct packing *p, int fd, const char *path,
                                          uint64_t size, struct sha256_ctx *sum,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    uint64_t left = size;

    while (left > 0 && st == PRVCUT_OK) {
        const ssize_t got = prvcut_io_read(fd, p->room, left < ROOM ? (size_t)left : ROOM);

        if (got < 0)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", path);
        if (p->run->stop && p->run->stop(p->run->ctx))
            return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
        if (got == 0)
            return prvcut_fail(err, PRVCUT_EIO, "%s: became shorter while it was read", path);
        sha256_update(sum, (size_t)got, (const uint8_t *)p->room);
        st = pwr_put_bytes(p, p->room, (size_t)got, err);
        left -= (uint64_t)got;
    }
    return st;
}

static enum prvcut_status pwr_put_file(struct packing *p, const char *path, const char *name,
                                       struct prvcut_error *err)
{
    const int fd = prvcut_io_open(path, O_RDONLY | O_CLOEXEC, 0);
    struct sha256_ctx sum;
    struct stat info;
    enum prvcut_status st;

    if (fd < 0 || fstat(fd, &info) != 0) {
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", path);
    } else {
        sha256_init(&sum);
        st = pwr_put_header(p, name, (uint64_t)info.st_size, err);
        if (st == PRVCUT_OK)
            st = pwr_put_content(p, fd, path, (uint64_t)info.st_size, &sum, err);
        if (st == PRVCUT_OK)
            st = pwr_put_sum(p, &sum, name, err);
    }
    if (fd >= 0)
        close(fd);
    return st;
}

static int pwr_visible(const struct dirent *d)
{
    return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static enum prvcut_status pwr_put_folder(struct packing *p, const char *folder, const char *prefix,
                                         struct prvcut_error *err);

static enum prvcut_status pwr_put_entry(struct packing *p, const char *folder, const char *prefix,
                                        const char *entry, struct prvcut_error *err)
{
    struct prvcut_buffer path = { 0 }, name = { 0 };
    struct stat info;
    enum prvcut_status st = prvcut_buffer_printf(&path, err, "%s/%s", folder, entry);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&name, err, "%s%s", prefix, entry);
    if (st == PRVCUT_OK && lstat(path.at, &info) != 0)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s", path.at);
    if (st == PRVCUT_OK && S_ISDIR(info.st_mode)) {
        st = prvcut_buffer_printf(&name, err, "/");
        if (st == PRVCUT_OK)
            st = pwr_put_folder(p, path.at, name.at, err);
    } else if (st == PRVCUT_OK) {
        st = pwr_put_file(p, path.at, name.at, err);
    }
    prvcut_buffer_fini(&path);
    prvcut_buffer_fini(&name);
    return st;
}

/* In the order of the alphabet, so that the same content gives the same archive. */
static enum prvcut_status pwr_put_folder(struct packing *p, const char *folder, const char *prefix,
                                         struct prvcut_error *err)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, pwr_visible, alphasort);
    enum prvcut_status st = PRVCUT_OK;

    if (count < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", folder);
    for (int i = 0; i < count; i++) {
        if (st == PRVCUT_OK)
            st = pwr_put_entry(p, folder, prefix, entry[i]->d_name, err);
        free(entry[i]);
    }
    free(entry);
    return st;
}

static enum prvcut_status pwr_put_all(struct packing *p, struct prvcut_error *err)
{
    enum prvcut_status st = pwr_put_folder(p, p->what->folder, "", err);

    for (size_t i = 0; i < p->what->texts && st == PRVCUT_OK; i++)
        st = pwr_put_text(p, &p->what->text[i], err);
    if (st == PRVCUT_OK)
        st = pwr_put_header(p, "SHA256SUMS", p->sums.count, err);
    if (st == PRVCUT_OK)
        st = pwr_put_bytes(p, p->sums.at, p->sums.count, err);
    if (st == PRVCUT_OK && archive_write_close(p->tar) != ARCHIVE_OK)
        st = pwr_packing_fail(p, err);
    return st;
}

static enum prvcut_status pwr_packing_start(struct packing *p, const char *path,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_output_open(&p->output, path, PRVCUT_ZSTD, p->what->force, err);

    if (st < 0)
        return st;
    prvcut_output_workers(p->output, prvcut_workers(p->run->threads));
    p->room = prvcut_unset(1, ROOM, "an archive", err);
    p->tar = archive_write_new();
    if (!p->room || !p->tar)
        return prvcut_no_memory(err, "an archive");
    /* Restricted pax: plain ustar wherever that suffices. */
    if (archive_write_set_format_pax_restricted(p->tar) != ARCHIVE_OK ||
        archive_write_open(p->tar, p, NULL, pwr_packing_put, NULL) != ARCHIVE_OK)
        return pwr_packing_fail(p, err);
    return PRVCUT_OK;
}

enum prvcut_status pack_write(const char *path, const struct prvcut_run *run,
                              const struct pack *what, struct prvcut_error *err)
{
    struct packing p = { .what = what, .run = run };
    enum prvcut_status st = pwr_packing_start(&p, path, err);

    if (st == PRVCUT_OK)
        st = pwr_put_all(&p, err);
    if (p.tar)
        archive_write_free(p.tar);
    if (st == PRVCUT_OK)
        st = prvcut_output_commit(p.output, NULL, err);
    else
        prvcut_output_abandon(p.output);
    prvcut_buffer_fini(&p.sums);
    free(p.room);
    return st;
}
