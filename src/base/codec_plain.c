#include "base/codec.h"

static bool plain_probe(const unsigned char *head, size_t count)
{
    (void)head;
    (void)count;
    return true;
}

static enum prvcut_status plain_new(void **state, struct prvcut_error *err)
{
    (void)err;
    *state = NULL;
    return PRVCUT_OK;
}

static void plain_nothing(void *state)
{
    (void)state;
}

static enum prvcut_status plain_decode(void *state, struct prvcut_inflow *in, char *out,
                                       size_t room, size_t *got, struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_inflow_take(in, out, room, got, err);

    (void)state;
    return st == PRVCUT_OK && *got < room ? PRVCUT_END : st;
}

static enum prvcut_status plain_encode(void *state, struct prvcut_outflow *out, const void *bytes,
                                       size_t count, struct prvcut_error *err)
{
    (void)state;
    return prvcut_outflow_put(out, bytes, count, err);
}

static enum prvcut_status plain_finish(void *state, struct prvcut_outflow *out,
                                       struct prvcut_error *err)
{
    (void)state;
    (void)out;
    (void)err;
    return PRVCUT_OK;
}

const struct prvcut_codec_kind prvcut_codec_plain = {
    .probe = plain_probe,
    .decoder_new = plain_new,
    .decode = plain_decode,
    .decoder_reset = plain_nothing,
    .decoder_free = plain_nothing,
    .encoder_new = plain_new,
    .encode = plain_encode,
    .finish = plain_finish,
    .encoder_free = plain_nothing,
};
