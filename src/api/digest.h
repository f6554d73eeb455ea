#ifndef PRVCUT_API_DIGEST_H
#define PRVCUT_API_DIGEST_H

#include "prvcut/trace.h"

#include <nettle/sha2.h>

/** SHA-256 as lower case hexadecimal digits, with the final zero. */
struct digest_text {
    char at[2 * SHA256_DIGEST_SIZE + 1];
};

/** Finish a digest that was fed with nettle's sha256_update. */
struct digest_text digest_finish(struct sha256_ctx *ctx);

/**
 * Digest of a file as it stands on disk.
 *
 * errors  PRVCUT_EIO, PRVCUT_EINTERRUPTED
 */
enum prvcut_status digest_file(struct digest_text *out, uint64_t *bytes, const char *path,
                               const struct prvcut_run *run, struct prvcut_error *err);

#endif
