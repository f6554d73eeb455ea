#include "base/io.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/sorter_runs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *srt_folder(const char *given)
{
    const char *folder = given && *given ? given : getenv("TMPDIR");

    return prvcut_copied_text(folder && *folder ? folder : "/tmp", "a file name", NULL);
}

enum prvcut_status srt_file_open(struct srt_file *f, const char *folder, struct prvcut_error *err)
{
    static const char name[] = "/.prvcut-sort.XXXXXX";
    const size_t length = strlen(folder);
    char *path = prvcut_unset(1, length + sizeof name, "a file name", err);

    *f = (struct srt_file){ .fd = -1 };
    if (!path)
        return PRVCUT_ENOMEM;
    memcpy(path, folder, length);
    memcpy(path + length, name, sizeof name);
    snprintf(f->folder, sizeof f->folder, "%s", folder);
    f->fd = mkstemp(path);
    if (f->fd >= 0) {
        unlink(path);
        fcntl(f->fd, F_SETFD, FD_CLOEXEC);
    }
    free(path);
    return f->fd >= 0 ? PRVCUT_OK
                      : prvcut_fail_errno(err, PRVCUT_EIO, "%s: no temporary file", folder);
}

enum prvcut_status srt_file_append(struct srt_file *f, const void *bytes, size_t count,
                                   struct prvcut_error *err)
{
    if (prvcut_io_write_at(f->fd, f->end, bytes, count) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: temporary file", f->folder);
    f->end += count;
    return PRVCUT_OK;
}

enum prvcut_status srt_file_put(const struct srt_file *f, uint64_t offset, const void *bytes,
                                size_t count, struct prvcut_error *err)
{
    return prvcut_io_write_at(f->fd, offset, bytes, count) == 0
               ? PRVCUT_OK
               : prvcut_fail_errno(err, PRVCUT_EIO, "%s: temporary file", f->folder);
}

enum prvcut_status srt_file_read(const struct srt_file *f, uint64_t offset, void *bytes,
                                 size_t count, struct prvcut_error *err)
{
    size_t got;

    if (prvcut_io_read_at(f->fd, offset, bytes, count, &got) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: temporary file", f->folder);
    return got == count
               ? PRVCUT_OK
               : prvcut_fail(err, PRVCUT_EIO, "%s: a temporary file was cut short", f->folder);
}

void srt_file_close(struct srt_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
    f->end = 0;
}
