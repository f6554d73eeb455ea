#ifndef PRVCUT_BASE_ENCODER_ZSTD_H
#define PRVCUT_BASE_ENCODER_ZSTD_H

#include "base/codec.h"

/*
 * Writes the seekable format (base/frames.h): frames of PRVCUT_FRAME bytes of text, compressed
 * apart, several at once where there are workers; so the bytes are the same for any number of them.
 * The functions are those of struct prvcut_codec_kind.
 */

enum prvcut_status prvcut_encoder_zstd_new(void **state, struct prvcut_error *err);
void prvcut_encoder_zstd_workers(void *state, unsigned workers);
enum prvcut_status prvcut_encoder_zstd_encode(void *state, struct prvcut_outflow *out,
                                              const void *bytes, size_t count,
                                              struct prvcut_error *err);
enum prvcut_status prvcut_encoder_zstd_finish(void *state, struct prvcut_outflow *out,
                                              struct prvcut_error *err);
void prvcut_encoder_zstd_free(void *state);

#endif
