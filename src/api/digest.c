#include "api/digest.h"

#include "base/error.h"
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

static enum prvcut_status feed(struct sha256_ctx *ctx, uint64_t *bytes, int fd, uint64_t size,
                               const struct prvcut_run *run)
{
    uint8_t *room = malloc(ROOM);
    ssize_t got = 0;

    if (!room)
        return PRVCUT_ENOMEM;
    while ((got = read(fd, room, ROOM)) > 0) {
        sha256_update(ctx, (size_t)got, room);
        *bytes += (uint64_t)got;
        if (run->progress)
            run->progress(run->ctx, "checksum", *bytes, size);
        if (run->stop && run->stop(run->ctx)) {
            free(room);
            return PRVCUT_EINTERRUPTED;
        }
    }
    free(room);
    return got < 0 ? PRVCUT_EIO : PRVCUT_OK;
}

enum prvcut_status digest_file(struct digest_text *out, uint64_t *bytes, const char *path,
                               const struct prvcut_run *run, struct prvcut_error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct sha256_ctx ctx;
    struct stat info = { 0 };
    enum prvcut_status st;

    *bytes = 0;
    if (fd < 0 || fstat(fd, &info) != 0) {
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened", path);
        if (fd >= 0)
            close(fd);
        return st;
    }
    sha256_init(&ctx);
    st = feed(&ctx, bytes, fd, (uint64_t)info.st_size, run);
    close(fd);
    *out = digest_finish(&ctx);
    return st == PRVCUT_OK
               ? st
               : prvcut_fail(err, st,
                             st == PRVCUT_EINTERRUPTED ? "interrupted" : "%s: cannot be read",
                             path);
}
