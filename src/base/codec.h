#ifndef PRVCUT_BASE_CODEC_H
#define PRVCUT_BASE_CODEC_H

#include "base/flow.h"

/** How one kind of compression is read and written; one constant a kind. */
struct prvcut_codec_kind {
    /** True if a file that begins with these bytes is of this kind. */
    bool (*probe)(const unsigned char *head, size_t count);

    enum prvcut_status (*decoder_new)(void **state, struct prvcut_error *err);
    /**
     * Unpack up to room bytes.
     *
     * shape   *got == room, or fewer together with PRVCUT_END or a failure
     */
    enum prvcut_status (*decode)(void *state, struct prvcut_inflow *in, char *out, size_t room,
                                 size_t *got, struct prvcut_error *err);
    /** Forget all, for a stream that starts again. */
    void (*decoder_reset)(void *state);
    void (*decoder_free)(void *state);

    enum prvcut_status (*encoder_new)(void **state, struct prvcut_error *err);
    /** It may use so many threads; NULL: it cannot. The bytes do not depend on it. */
    void (*encoder_workers)(void *state, unsigned workers);
    enum prvcut_status (*encode)(void *state, struct prvcut_outflow *out, const void *bytes,
                                 size_t count, struct prvcut_error *err);
    /** Write what is held back and the end of the stream; out is not flushed. */
    enum prvcut_status (*finish)(void *state, struct prvcut_outflow *out, struct prvcut_error *err);
    void (*encoder_free)(void *state);
};

extern const struct prvcut_codec_kind prvcut_codec_plain;
extern const struct prvcut_codec_kind prvcut_codec_gzip;
extern const struct prvcut_codec_kind prvcut_codec_zstd;

/** Bytes of a file's head that every probe can do with. */
#define PRVCUT_CODEC_HEAD 4

#endif
