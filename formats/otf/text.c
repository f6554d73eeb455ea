#include "otf/text.h"

#include "base/io.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define PACKED_ROOM ((size_t)64 * 1024)

/* Streams are packed with points where unpacking can start, and without an end. */
struct unpack {
    z_stream z;
    bool finished;
    unsigned char in[PACKED_ROOM];
};

enum prvcut_status otf_text_open(struct otf_text *x, const char *path, bool packed, uint64_t offset,
                                 struct prvcut_error *err)
{
    *x = (struct otf_text){ .path = path, .offset = offset };
    x->fd = prvcut_io_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (x->fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", path);
    if (offset > 0 && lseek(x->fd, (off_t)offset, SEEK_SET) < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", path);
    x->room = OTF_CHUNK;
    x->bytes = prvcut_unset(1, x->room + 1, "reading", NULL);
    if (packed)
        x->unpack = prvcut_zeroed(1, sizeof(struct unpack), "reading", NULL);
    if (!x->bytes || (packed && !x->unpack))
        return prvcut_no_memory(err, "reading");
    if (packed && inflateInit(&((struct unpack *)x->unpack)->z) != Z_OK) {
        free(x->unpack);
        x->unpack = NULL;
        return prvcut_no_memory(err, "reading");
    }
    return PRVCUT_OK;
}

static enum prvcut_status text_read_some(struct otf_text *x, void *to, size_t room, size_t *got,
                                         struct prvcut_error *err)
{
    const ssize_t n = prvcut_io_read(x->fd, to, room);

    if (n < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", x->path);
    *got = (size_t)n;
    x->taken += (uint64_t)n;
    return PRVCUT_OK;
}

/* Unpack into the room behind count; the end of the file is the end of the data. */
static enum prvcut_status text_fill_packed(struct otf_text *x, struct prvcut_error *err)
{
    struct unpack *u = x->unpack;

    u->z.next_out = (unsigned char *)x->bytes + x->count;
    u->z.avail_out =
        (unsigned)(x->room - x->count > UINT32_MAX / 2 ? UINT32_MAX / 2 : x->room - x->count);
    while (u->z.avail_out > 0 && !x->ended) {
        size_t got = 0;
        int z;

        if (u->z.avail_in == 0) {
            enum prvcut_status st = text_read_some(x, u->in, sizeof u->in, &got, err);

            if (st < 0)
                return st;
            u->z.next_in = u->in;
            u->z.avail_in = (unsigned)got;
            if (got == 0) {
                x->ended = true;
                break;
            }
        }
        if (u->finished) {
            u->finished = false;
            inflateReset(&u->z);
        }
        z = inflate(&u->z, Z_SYNC_FLUSH);
        u->finished = z == Z_STREAM_END;
        /* What was unpacked before the damage is good and is delivered first. */
        if (z != Z_OK && z != Z_STREAM_END && z != Z_BUF_ERROR) {
            x->damage = u->z.msg ? u->z.msg : "no zlib stream";
            x->ended = true;
        }
    }
    x->count = (size_t)((char *)u->z.next_out - x->bytes);
    return PRVCUT_OK;
}

static enum prvcut_status text_fill(struct otf_text *x, struct prvcut_error *err)
{
    if (x->unpack)
        return text_fill_packed(x, err);
    while (x->count < x->room && !x->ended) {
        size_t got = 0;
        enum prvcut_status st =
            text_read_some(x, x->bytes + x->count, x->room - x->count, &got, err);

        if (st < 0)
            return st;
        x->ended = got == 0;
        x->count += got;
    }
    return PRVCUT_OK;
}

static size_t text_last_line_end(const struct otf_text *x)
{
    size_t n = x->count;

    while (n > 0 && x->bytes[n - 1] != '\n')
        n--;
    return n;
}

enum prvcut_status otf_text_next(struct otf_text *x, const char **from, const char **to,
                                 struct prvcut_error *err)
{
    size_t lines;

    if (x->used > 0) {
        memmove(x->bytes, x->bytes + x->used, x->count - x->used);
        x->offset += x->used;
        x->count -= x->used;
        x->used = 0;
    }
    for (;;) {
        enum prvcut_status st = x->ended ? PRVCUT_OK : text_fill(x, err);
        char *more;

        if (st < 0)
            return st;
        lines = text_last_line_end(x);
        if (lines > 0 || x->ended)
            break;
        if (x->room >= OTF_LINE_MAX)
            return prvcut_fail(err, PRVCUT_ELIMIT, "%s: a line is longer than %zu bytes", x->path,
                               OTF_LINE_MAX);
        more = prvcut_resized(x->bytes, 1, 2 * x->room + 1, "reading", err);
        if (!more)
            return PRVCUT_ENOMEM;
        x->bytes = more;
        x->room *= 2;
    }
    if (x->damage && lines == 0)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s: the packed data are damaged (%s)", x->path,
                           x->damage);
    if (x->count == 0)
        return PRVCUT_END;
    if (lines == 0) {
        x->bytes[x->count++] = '\n';
        x->no_last_newline = true;
        lines = x->count;
    }
    x->used = lines;
    *from = x->bytes;
    *to = x->bytes + lines;
    return PRVCUT_OK;
}

void otf_text_close(struct otf_text *x)
{
    if (x->fd >= 0)
        close(x->fd);
    if (x->unpack)
        inflateEnd(&((struct unpack *)x->unpack)->z);
    free(x->unpack);
    free(x->bytes);
    *x = (struct otf_text){ .fd = -1 };
}
