#include "api/digest.h"

#include "base/error.h"
#include "base/io.h"
#include "base/memory.h"
#include "base/room.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM PRVCUT_ROOM((size_t)1 << 20)

struct digest_text digest_finish(struct sha256_ctx *ctx)
{
    static const char digit[] = "0123456789abcdef";
    uint8_t raw[SHA256_DIGEST_SIZE];
    struct digest_text text = { { 0 } };

    sha256_digest(ctx, sizeof raw, raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        text.at[2 * i] = digit[raw[i] >> 4];
        text.at[2 * i + 1] = digit[raw[i] & 15];
    }
    return text;
}

/* A file that is read for its checksum. */
struct digesting {
    const char *path;
    const struct prvcut_run *run;
    int fd;
    uint64_t size;
    uint8_t *room;
};

static enum prvcut_status digest_feed(struct sha256_ctx *ctx, uint64_t *bytes,
                                      const struct digesting *d, struct prvcut_error *err)
{
    const struct prvcut_run *run = d->run;
    ssize_t got;

    while ((got = prvcut_io_read(d->fd, d->room, ROOM)) > 0) {
        sha256_update(ctx, (size_t)got, d->room);
        *bytes += (uint64_t)got;
        if (run->progress)
            run->progress(run->ctx, PRVCUT_PHASE_CHECKSUM, *bytes, d->size);
        if (run->stop && run->stop(run->ctx))
            return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    }
    return got < 0 ? prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", d->path) : PRVCUT_OK;
}

enum prvcut_status digest_file(struct digest_text *out, uint64_t *bytes, const char *path,
                               const struct prvcut_run *run, struct prvcut_error *err)
{
    struct digesting d = { .path = path,
                           .run = run,
                           .fd = prvcut_io_open(path, O_RDONLY | O_CLOEXEC, 0) };
    struct sha256_ctx ctx;
    struct stat info = { 0 };
    enum prvcut_status st;

    *bytes = 0;
    if (d.fd < 0 || fstat(d.fd, &info) != 0) {
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened", path);
    } else {
        d.size = (uint64_t)info.st_size;
        d.room = prvcut_unset(1, ROOM, "reading a file", err);
        sha256_init(&ctx);
        st = d.room ? digest_feed(&ctx, bytes, &d, err) : PRVCUT_ENOMEM;
        free(d.room);
        if (st == PRVCUT_OK)
            *out = digest_finish(&ctx);
    }
    if (d.fd >= 0)
        close(d.fd);
    return st;
}
