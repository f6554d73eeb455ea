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

static enum prvcut_status out_open_file(struct otf_out *out, const char *path, bool packed,
                                        struct prvcut_error *err)
{
    if (!path)
        return PRVCUT_OK;
    out->fd = prvcut_io_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out->fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", path);
    if (!packed)
        return PRVCUT_OK;
    out->pack = prvcut_zeroed(1, sizeof(struct pack), "writing", NULL);
    if (!out->pack || deflateInit(&((struct pack *)out->pack)->z, LEVEL) != Z_OK) {
        free(out->pack);
        out->pack = NULL;
        return prvcut_no_memory(err, "writing");
    }
    return PRVCUT_OK;
}

enum prvcut_status otf_out_open(struct otf_out *out, char *path, bool packed,
                                struct prvcut_error *err)
{
    *out = (struct otf_out){ .path = path, .fd = -1, .err = err };
    out->st = out_open_file(out, path, packed, err);
    return out->st;
}

static void out_write_all(struct otf_out *out, const void *bytes, size_t count)
{
    if (out->st == PRVCUT_OK && prvcut_io_write(out->fd, bytes, count, NULL) != 0)
        out->st = prvcut_fail_errno(out->err, PRVCUT_EIO, "%s", out->path);
}

static void out_pack_text(struct otf_out *out)
{
    struct pack *p = out->pack;

    p->z.next_in = (unsigned char *)out->text.at;
    p->z.avail_in = (unsigned)out->text.count;
    do {
        p->z.next_out = p->out;
        p->z.avail_out = sizeof p->out;
        deflate(&p->z, Z_FULL_FLUSH);
        out_write_all(out, p->out, sizeof p->out - p->z.avail_out);
    } while (out->st == PRVCUT_OK && p->z.avail_out == 0);
}

static void out_flush(struct otf_out *out)
{
    if (out->st == PRVCUT_OK && out->path && out->text.count > 0) {
        if (out->pack)
            out_pack_text(out);
        else
            out_write_all(out, out->text.at, out->text.count);
    }
    out->text.count = 0;
}

void otf_out_put(struct otf_out *out, const void *text, size_t count)
{
    const char *at = text;

    out->bytes += count;
    while (out->path && out->st == PRVCUT_OK && count > 0) {
        const size_t room = BLOCK - out->text.count;
        const size_t part = count < room ? count : room;

        out->st = prvcut_buffer_append(&out->text, at, part, out->err);
        if (out->text.count == BLOCK)
            out_flush(out);
        at += part;
        count -= part;
    }
}

void otf_out_string(struct otf_out *out, const char *text)
{
    otf_out_put(out, text, strlen(text));
}

void otf_out_printf(struct otf_out *out, const char *format, ...)
{
    va_list args;

    if (out->st != PRVCUT_OK)
        return;
    out->line.count = 0;
    va_start(args, format);
    out->st = prvcut_buffer_vprintf(&out->line, out->err, format, args);
    va_end(args);
    otf_out_put(out, out->line.at, out->line.count);
}

enum prvcut_status otf_out_finish(struct otf_out *out)
{
    out_flush(out);
    if (out->fd >= 0 && close(out->fd) != 0 && errno != EINTR && out->st == PRVCUT_OK)
        out->st = prvcut_fail_errno(out->err, PRVCUT_EIO, "%s", out->path);
    out->fd = -1;
    return out->st;
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
    prvcut_buffer_fini(&out->line);
    *out = (struct otf_out){ .fd = -1 };
}
