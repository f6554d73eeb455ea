#include "base/codec.h"
#include "base/memory.h"

#include <stdlib.h>

/* Asks zlib to take its input as const. */
#define ZLIB_CONST
#include <zlib.h>

/* Window bits of zlib: the largest window, and 16 for a gzip header instead of zlib's own. */
#define GZIP_WINDOW (15 + 16)
#define GZIP_LEVEL  6
#define GZIP_MEMORY 8

/* Most bytes handed to zlib at once: its counts are of type unsigned int. */
#define GZIP_STEP ((size_t)1 << 30)

struct gzip_decoder {
    z_stream z;
    bool between; /* no member is open: at the start or after the end of one */
    bool held;    /* the last call stopped for want of room, so zlib may hold bytes back */
};

static bool gzip_probe(const unsigned char *head, size_t count)
{
    return count >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static enum prvcut_status gzip_nomem(struct prvcut_error *err)
{
    return prvcut_no_memory(err, "zlib");
}

static enum prvcut_status gzip_decoder_new(void **state, struct prvcut_error *err)
{
    struct gzip_decoder *d = prvcut_zeroed(1, sizeof *d, "zlib", NULL);

    if (!d || inflateInit2(&d->z, GZIP_WINDOW) != Z_OK) {
        free(d);
        return gzip_nomem(err);
    }
    d->between = true;
    *state = d;
    return PRVCUT_OK;
}

static void gzip_decoder_reset(void *state)
{
    struct gzip_decoder *d = state;

    inflateReset(&d->z);
    d->between = true;
    d->held = false;
}

static void gzip_decoder_free(void *state)
{
    struct gzip_decoder *d = state;

    inflateEnd(&d->z);
    free(d);
}

/* Begin the next member of the file; PRVCUT_END where there is none. */
static enum prvcut_status gzip_begin(struct gzip_decoder *d, struct prvcut_inflow *in,
                                     struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_inflow_need(in, 2, PRVCUT_INFLOW_ROOM, err);
    const size_t ready = prvcut_inflow_ready(in);

    if (st != PRVCUT_OK || ready == 0)
        return st != PRVCUT_OK ? st : PRVCUT_END;
    if (in->bytes[in->at] != 0x1f || (ready > 1 && in->bytes[in->at + 1] != 0x8b))
        return prvcut_fail(
            err, PRVCUT_EFORMAT,
            "%s: what follows the end of the gzip stream, at byte %llu of the file, is "
            "not gzip",
            in->path, (unsigned long long)prvcut_inflow_offset(in));
    inflateReset(&d->z);
    d->between = d->held = false;
    return PRVCUT_OK;
}

/* Have something for zlib to work on: bytes in the window, or bytes that it holds. */
static enum prvcut_status gzip_feed(struct gzip_decoder *d, struct prvcut_inflow *in,
                                    struct prvcut_error *err)
{
    enum prvcut_status st;

    if (d->between)
        return gzip_begin(d, in, err);
    if (d->held || prvcut_inflow_ready(in) > 0)
        return PRVCUT_OK;
    st = prvcut_inflow_need(in, 1, PRVCUT_INFLOW_ROOM, err);
    if (st == PRVCUT_OK && prvcut_inflow_ready(in) == 0)
        return prvcut_fail_at(err, PRVCUT_EFORMAT, prvcut_inflow_offset(in),
                              "%s: gzip stream ends early at byte %llu of the file", in->path,
                              (unsigned long long)prvcut_inflow_offset(in));
    return st;
}

static enum prvcut_status gzip_outcome(struct gzip_decoder *d, int result,
                                       const struct prvcut_inflow *in, struct prvcut_error *err)
{
    d->between = result == Z_STREAM_END;
    d->held = d->z.avail_out == 0;
    /* Z_BUF_ERROR says only that nothing could be done: nothing was held after all. */
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
        return PRVCUT_OK;
    if (result == Z_MEM_ERROR)
        return gzip_nomem(err);
    return prvcut_fail(err, PRVCUT_EFORMAT,
                       "%s: gzip stream is damaged before byte %llu of the file: %s", in->path,
                       (unsigned long long)prvcut_inflow_offset(in),
                       d->z.msg ? d->z.msg : "a dictionary is asked for");
}

static enum prvcut_status gzip_decode(void *state, struct prvcut_inflow *in, char *out, size_t room,
                                      size_t *got, struct prvcut_error *err)
{
    struct gzip_decoder *d = state;
    enum prvcut_status st = PRVCUT_OK;

    *got = 0;
    while (*got < room && (st = gzip_feed(d, in, err)) == PRVCUT_OK) {
        const size_t step = room - *got < GZIP_STEP ? room - *got : GZIP_STEP;
        int result;

        d->z.next_in = in->bytes + in->at;
        d->z.avail_in = (uInt)prvcut_inflow_ready(in);
        d->z.next_out = (Bytef *)out + *got;
        d->z.avail_out = (uInt)step;
        result = inflate(&d->z, Z_NO_FLUSH);
        in->at = in->count - d->z.avail_in;
        *got += step - d->z.avail_out;
        st = gzip_outcome(d, result, in, err);
        if (st != PRVCUT_OK)
            break;
    }
    return st;
}

static enum prvcut_status gzip_encoder_new(void **state, struct prvcut_error *err)
{
    z_stream *z = prvcut_zeroed(1, sizeof *z, "zlib", NULL);

    if (!z || deflateInit2(z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                           Z_DEFAULT_STRATEGY) != Z_OK) {
        free(z);
        return gzip_nomem(err);
    }
    *state = z;
    return PRVCUT_OK;
}

/* Run zlib until it has taken all of its input and, with Z_FINISH, ended the stream. */
static enum prvcut_status gzip_run(z_stream *z, struct prvcut_outflow *out, int flush,
                                   struct prvcut_error *err)
{
    int result;

    do {
        if (out->count == PRVCUT_OUTFLOW_ROOM) {
            const enum prvcut_status st = prvcut_outflow_flush(out, err);

            if (st != PRVCUT_OK)
                return st;
        }
        z->next_out = out->bytes + out->count;
        z->avail_out = (uInt)(PRVCUT_OUTFLOW_ROOM - out->count);
        result = deflate(z, flush);
        out->count = PRVCUT_OUTFLOW_ROOM - z->avail_out;
        if (result == Z_STREAM_ERROR)
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "%s: zlib refused to compress (a fault of prvcut)", out->path);
    } while (flush == Z_FINISH ? result != Z_STREAM_END : z->avail_in > 0);
    return PRVCUT_OK;
}

static enum prvcut_status gzip_encode(void *state, struct prvcut_outflow *out, const void *bytes,
                                      size_t count, struct prvcut_error *err)
{
    z_stream *z = state;
    const unsigned char *at = bytes;
    enum prvcut_status st = PRVCUT_OK;

    while (count > 0 && st == PRVCUT_OK) {
        const size_t step = count < GZIP_STEP ? count : GZIP_STEP;

        z->next_in = at;
        z->avail_in = (uInt)step;
        st = gzip_run(z, out, Z_NO_FLUSH, err);
        at += step;
        count -= step;
    }
    return st;
}

static enum prvcut_status gzip_finish(void *state, struct prvcut_outflow *out,
                                      struct prvcut_error *err)
{
    z_stream *z = state;

    z->avail_in = 0;
    return gzip_run(z, out, Z_FINISH, err);
}

static void gzip_encoder_free(void *state)
{
    deflateEnd(state);
    free(state);
}

const struct prvcut_codec_kind prvcut_codec_gzip = {
    .probe = gzip_probe,
    .decoder_new = gzip_decoder_new,
    .decode = gzip_decode,
    .decoder_reset = gzip_decoder_reset,
    .decoder_free = gzip_decoder_free,
    .encoder_new = gzip_encoder_new,
    .encode = gzip_encode,
    .finish = gzip_finish,
    .encoder_free = gzip_encoder_free,
};
