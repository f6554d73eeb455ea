#include "base/codec.h"
#include "base/encoder_zstd.h"
#include "base/memory.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* zstd's own default, 128 MiB: more would break the promise on memory. */
#define ZSTD_WINDOW_LOG 27

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
    return prvcut_no_memory(err, "zstd");
}

static enum prvcut_status zstd_decoder_new(void **state, struct prvcut_error *err)
{
    struct zstd_decoder *d = prvcut_zeroed(1, sizeof *d, "zstd", NULL);

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
    return prvcut_fail_at(err, PRVCUT_EFORMAT, prvcut_inflow_offset(in),
                          "%s: zstd stream ends early at byte %llu of the file", in->path,
                          (unsigned long long)prvcut_inflow_offset(in));
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
        return prvcut_fail(
            err, PRVCUT_EFORMAT,
            "%s: what follows the end of the zstd stream, at byte %llu of the file, is "
            "not zstd",
            in->path, offset);
    return prvcut_fail(err, PRVCUT_EFORMAT,
                       "%s: zstd stream is damaged after byte %llu of the file: %s", in->path,
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

const struct prvcut_codec_kind prvcut_codec_zstd = {
    .probe = zstd_probe,
    .decoder_new = zstd_decoder_new,
    .decode = zstd_decode,
    .decoder_reset = zstd_decoder_reset,
    .decoder_free = zstd_decoder_free,
    .encoder_new = prvcut_encoder_zstd_new,
    .encoder_workers = prvcut_encoder_zstd_workers,
    .encode = prvcut_encoder_zstd_encode,
    .finish = prvcut_encoder_zstd_finish,
    .encoder_free = prvcut_encoder_zstd_free,
};
