#ifndef TESTS_BASE_PACKED_H
#define TESTS_BASE_PACKED_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* Compressed bytes, made by the libraries themselves and not by what is tested. */
struct packed {
    char *at;
    size_t count;
};

static inline void packed_add(struct packed *p, const void *bytes, size_t count)
{
    p->at = realloc(p->at, p->count + count + 1);
    ck_assert_ptr_nonnull(p->at);
    memcpy(p->at + p->count, bytes, count);
    p->count += count;
}

/* One more gzip member. */
static inline void packed_gzip(struct packed *p, const char *bytes, size_t count)
{
    const size_t room = count + count / 100 + 1000;
    unsigned char *out = malloc(room);
    char *in = malloc(count + 1);
    z_stream z = { 0 };

    ck_assert(out && in);
    memcpy(in, bytes, count);
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)in;
    z.avail_in = (unsigned)count;
    z.next_out = out;
    z.avail_out = (unsigned)room;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    packed_add(p, out, z.total_out);
    deflateEnd(&z);
    free(in);
    free(out);
}

/* One more zstd frame, with or without a checksum. */
static inline void packed_zstd(struct packed *p, const char *bytes, size_t count, bool checksum)
{
    const size_t room = ZSTD_compressBound(count);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    char *out = malloc(room);
    size_t used;

    ck_assert(z && out);
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, checksum);
    used = ZSTD_compress2(z, out, room, bytes, count);
    ck_assert(!ZSTD_isError(used));
    packed_add(p, out, used);
    ZSTD_freeCCtx(z);
    free(out);
}

/* One more zstd frame that decoders pass over. */
static inline void packed_skip(struct packed *p, unsigned char count)
{
    unsigned char frame[8 + 255] = { 0x53, 0x2a, 0x4d, 0x18, count };

    packed_add(p, frame, 8U + count);
}

#endif
