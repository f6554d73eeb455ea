#include "base/codec.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* zstd's own default, 128 MiB: more would break the promise on memory. */
#define ZSTD_WINDOW_LOG 27
#define ZSTD_LEVEL      3

struct zstd_decoder {
    ZSTD_DCtx *z;
    bool between; /* no frame is open: at the start or after the end of one */
    bool held;    /* the last call stopped for want of room, so zstd may hold bytes back */
    bool begun;   /* a frame has been read to its end */
};

/* A frame's magic number, or that of a frame to skip (0x184D2A50 to 0x184D2A5F). */
static bool zstd_probe(const unsigned char *head, size_t count)
{
    if (count < 4)
        return false;
    if (head[0] == 0x28 && head[1] == 0xb5 && head[2] == 0x2f && head[3] == 0xfd)
        return true;
    return head[0] >> 4 == 5 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18;
}

static enum prvcut_status zstd_nomem(struct prvcut_error *err)
{
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: zstd");
}

static enum prvcut_status zstd_decoder_new(void **state, struct prvcut_error *err)
{
    struct zstd_decoder *d = calloc(1, sizeof *d);

    if (!d || !(d->z = ZSTD_createDCtx())) {
        free(d);
        return zstd_nomem(err);
    }
    ZSTD_DCtx_setParameter(d->z, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
    d->between = true;
    *state = d;
    return PRVCUT_OK;
}

static void zstd_decoder_reset(void *state)
{
    struct zstd_decoder *d = state;

    ZSTD_DCtx_reset(d->z, ZSTD_reset_session_only);
    d->between = true;
    d->held = d->begun = false;
}

static void zstd_decoder_free(void *state)
{
    struct zstd_decoder *d = state;

    ZSTD_freeDCtx(d->z);
    free(d);
}

/* Have something for zstd to work on: bytes in the window, or bytes that it holds. */
static enum prvcut_status zstd_feed(struct zstd_decoder *d, struct prvcut_inflow *in,
                                    struct prvcut_error *err)
{
    enum prvcut_status st;

    if (d->held || prvcut_inflow_ready(in) > 0)
        return PRVCUT_OK;
    st = prvcut_inflow_need(in, 1, PRVCUT_INFLOW_ROOM, err);
    if (st != PRVCUT_OK || prvcut_inflow_ready(in) > 0)
        return st;
    if (d->between)
        return PRVCUT_END;
    return prvcut_fail(err, PRVCUT_EFORMAT, "%s: zstd stream ends early at compressed offset %llu",
                       in->path, (unsigned long long)prvcut_inflow_offset(in));
}

static enum prvcut_status zstd_complain(const struct zstd_decoder *d, size_t result,
                                        const struct prvcut_inflow *in, struct prvcut_error *err)
{
    const unsigned long long offset = prvcut_inflow_offset(in);
    const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);

    if (code == ZSTD_error_memory_allocation)
        return zstd_nomem(err);
    if (code == ZSTD_error_frameParameter_windowTooLarge)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s: zstd stream needs a window of more than %d MiB; unpack it first, "
                           "with zstd -d --long=31",
                           in->path, 1 << (ZSTD_WINDOW_LOG - 20));
    if (code == ZSTD_error_prefix_unknown && d->begun)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: the bytes from compressed offset %llu on, after the end of a zstd "
                           "frame, are not zstd",
                           in->path, offset);
    return prvcut_fail(err, PRVCUT_EFORMAT,
                       "%s: zstd stream is damaged after compressed offset %llu: %s", in->path,
                       offset, ZSTD_getErrorName(result));
}

static enum prvcut_status zstd_decode(void *state, struct prvcut_inflow *in, char *out, size_t room,
                                      size_t *got, struct prvcut_error *err)
{
    struct zstd_decoder *d = state;
    ZSTD_outBuffer to = { out, room, 0 };
    enum prvcut_status st = PRVCUT_OK;

    while (to.pos < room && (st = zstd_feed(d, in, err)) == PRVCUT_OK) {
        ZSTD_inBuffer from = { in->bytes + in->at, prvcut_inflow_ready(in), 0 };
        const size_t result = ZSTD_decompressStream(d->z, &to, &from);

        in->at += from.pos;
        if (ZSTD_isError(result)) {
            st = zstd_complain(d, result, in, err);
            break;
        }
        d->between = result == 0;
        d->begun = d->begun || d->between;
        d->held = !d->between && to.pos == room;
    }
    *got = to.pos;
    return st;
}

static enum prvcut_status zstd_encoder_new(void **state, struct prvcut_error *err)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();

    if (!z)
        return zstd_nomem(err);
    ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    *state = z;
    return PRVCUT_OK;
}

/* Run zstd until it has taken all of its input and, with ZSTD_e_end, ended the frame. */
static enum prvcut_status zstd_run(ZSTD_CCtx *z, struct prvcut_outflow *out, ZSTD_inBuffer from,
                                   ZSTD_EndDirective end, struct prvcut_error *err)
{
    size_t left;

    do {
        ZSTD_outBuffer to = { out->bytes, PRVCUT_OUTFLOW_ROOM, out->count };

        left = ZSTD_compressStream2(z, &to, &from, end);
        out->count = to.pos;
        if (ZSTD_isError(left))
            return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation
                       ? zstd_nomem(err)
                       : prvcut_fail(err, PRVCUT_EUSAGE, "%s: zstd: %s", out->path,
                                     ZSTD_getErrorName(left));
        if (out->count == PRVCUT_OUTFLOW_ROOM) {
            const enum prvcut_status st = prvcut_outflow_flush(out, err);

            if (st != PRVCUT_OK)
                return st;
        }
    } while (end == ZSTD_e_end ? left > 0 : from.pos < from.size);
    return PRVCUT_OK;
}

static enum prvcut_status zstd_encode(void *state, struct prvcut_outflow *out, const void *bytes,
                                      size_t count, struct prvcut_error *err)
{
    const ZSTD_inBuffer from = { bytes, count, 0 };

    return zstd_run(state, out, from, ZSTD_e_continue, err);
}

static enum prvcut_status zstd_finish(void *state, struct prvcut_outflow *out,
                                      struct prvcut_error *err)
{
    const ZSTD_inBuffer from = { NULL, 0, 0 };

    return zstd_run(state, out, from, ZSTD_e_end, err);
}

static void zstd_encoder_free(void *state)
{
    ZSTD_freeCCtx(state);
}

const struct prvcut_codec_kind prvcut_codec_zstd = {
    .probe = zstd_probe,
    .decoder_new = zstd_decoder_new,
    .decode = zstd_decode,
    .decoder_reset = zstd_decoder_reset,
    .decoder_free = zstd_decoder_free,
    .encoder_new = zstd_encoder_new,
    .encode = zstd_encode,
    .finish = zstd_finish,
    .encoder_free = zstd_encoder_free,
};
