#include "otf/out.h"

#include "base/io.h"
#include "base/memory.h"
#include "base/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Text that is packed between two points where unpacking can start. */
#define BLOCK       PRVCUT_ROOM((size_t)1 << 20)
#define PACKED_ROOM ((size_t)64 * 1024)
/* What VampirTrace used. */
#define LEVEL 4

struct pack {
    z_stream z;
    unsigned char out[PACKED_ROOM];
};

enum prvcut_status otf_out_open(struct otf_out *out, char *path, bool packed,
                                struct prvcut_error *err)
{
    *out = (struct otf_out){ .path = path, .fd = -1 };
    if (!path)
        return PRVCUT_OK;
    out->fd = prvcut_io_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out->fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", path);
    if (!packed)
        return PRVCUT_OK;
    out->pack = calloc(1, sizeof(struct pack));
    if (!out->pack || deflateInit(&((struct pack *)out->pack)->z, LEVEL) != Z_OK) {
        free(out->pack);
        out->pack = NULL;
        return prvcut_no_memory(err, "writing");
    }
    return PRVCUT_OK;
}

static enum prvcut_status write_all(struct otf_out *out, const void *bytes, size_t count,
                                    struct prvcut_error *err)
{
    if (prvcut_io_write(out->fd, bytes, count, NULL) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", out->path);
    return PRVCUT_OK;
}

static enum prvcut_status pack_text(struct otf_out *out, struct prvcut_error *err)
{
    struct pack *p = out->pack;
    enum prvcut_status st = PRVCUT_OK;

    p->z.next_in = (unsigned char *)out->text.at;
    p->z.avail_in = (unsigned)out->text.count;
    do {
        p->z.next_out = p->out;
        p->z.avail_out = sizeof p->out;
        deflate(&p->z, Z_FULL_FLUSH);
        st = write_all(out, p->out, sizeof p->out - p->z.avail_out, err);
    } while (st == PRVCUT_OK && p->z.avail_out == 0);
    return st;
}

static enum prvcut_status flush(struct otf_out *out, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (out->path && out->text.count > 0)
        st = out->pack ? pack_text(out, err) : write_all(out, out->text.at, out->text.count, err);
    out->text.count = 0;
    return st;
}

enum prvcut_status otf_out_put(struct otf_out *out, const void *text, size_t count,
                               struct prvcut_error *err)
{
    const char *at = text;

    out->bytes += count;
    if (!out->path)
        return PRVCUT_OK;
    while (count > 0) {
        const size_t room = BLOCK - out->text.count;
        const size_t part = count < room ? count : room;
        enum prvcut_status st = prvcut_buffer_append(&out->text, at, part, err);

        if (st == PRVCUT_OK && out->text.count == BLOCK)
            st = flush(out, err);
        if (st < 0)
            return st;
        at += part;
        count -= part;
    }
    return PRVCUT_OK;
}

enum prvcut_status otf_out_finish(struct otf_out *out, struct prvcut_error *err)
{
    enum prvcut_status st = flush(out, err);

    if (out->fd >= 0 && close(out->fd) != 0 && errno != EINTR && st == PRVCUT_OK)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s", out->path);
    out->fd = -1;
    return st;
}

void otf_out_close(struct otf_out *out)
{
    if (out->fd >= 0)
        close(out->fd);
    if (out->pack)
        deflateEnd(&((struct pack *)out->pack)->z);
    free(out->pack);
    free(out->path);
    prvcut_buffer_fini(&out->text);
    *out = (struct otf_out){ .fd = -1 };
}
