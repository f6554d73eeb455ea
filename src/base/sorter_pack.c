#include "base/memory.h"
#include "base/sorter_runs.h"

#include <stdlib.h>

/*
 * Sorted records differ little from the ones before them: of each word of 8 bytes that is not as in
 * the record before, the difference is kept, from its first byte that is not 0 to its last. Bits in
 * front of a record tell which words these are.
 */

#define WORD sizeof(uint64_t)
#define BITS 8 /* of a byte: words */

/* A block in a file: bytes behind this, records. */
#define HEADER (2 * sizeof(uint32_t))

static size_t pack_words_of(size_t size)
{
    return (size + WORD - 1) / WORD;
}

static size_t pack_masks_of(size_t size)
{
    return (pack_words_of(size) + BITS - 1) / BITS;
}

static uint64_t pack_little(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

static uint64_t pack_load_word(const char *at)
{
    uint64_t x;

    memcpy(&x, at, WORD);
    return x;
}

/* The last word of a size that is no multiple of words. */
static uint64_t pack_load_rest(const char *at, size_t size)
{
    uint64_t x = 0;

    memcpy(&x, at, size);
    return x;
}

size_t srt_pack_room(size_t size, size_t count)
{
    return count * (pack_masks_of(size) + (pack_masks_of(size) * BITS) * (WORD + 1)) + WORD;
}

/* A difference that is not 0: where it begins, its bytes, and these. */
static unsigned char *pack_word(unsigned char *to, uint64_t x)
{
    const unsigned low = (unsigned)__builtin_ctzll(x) / 8;
    const unsigned bytes = (unsigned)WORD - (unsigned)__builtin_clzll(x) / 8 - low;
    const uint64_t kept = pack_little(x >> (8 * low));

    *to++ = (unsigned char)(low << 4 | bytes);
    memcpy(to, &kept, WORD);
    return to + bytes;
}

static unsigned char *pack_record(unsigned char *to, const char *at, const char *before,
                                  size_t size)
{
    const size_t whole = size / WORD, rest = size % WORD;
    unsigned char *mask = to;
    size_t w = 0;

    to += pack_masks_of(size);
    memset(mask, 0, pack_masks_of(size));
    for (; w < whole; w++) {
        const uint64_t x = pack_load_word(at + w * WORD) ^ pack_load_word(before + w * WORD);

        if (x == 0)
            continue;
        mask[w / BITS] |= (unsigned char)(1u << w % BITS);
        to = pack_word(to, x);
    }
    if (rest > 0 && memcmp(at + w * WORD, before + w * WORD, rest) != 0) {
        mask[w / BITS] |= (unsigned char)(1u << w % BITS);
        to = pack_word(to, pack_load_rest(at + w * WORD, rest) ^
                               pack_load_rest(before + w * WORD, rest));
    }
    return to;
}

size_t srt_pack(void *out, const char *at, size_t count, size_t size)
{
    unsigned char *to = out;

    if (count == 0)
        return 0;
    memcpy(to, at, size);
    to += size;
    for (size_t i = 1; i < count; i++)
        to = pack_record(to, at + i * size, at + (i - 1) * size, size);
    return (size_t)(to - (unsigned char *)out);
}

/* The difference of a word that stands there; what another program left is not trusted. */
static const unsigned char *pack_unpack_word(const unsigned char *from, uint64_t *out)
{
    const unsigned low = *from >> 4 & (WORD - 1), told = *from & 15;
    const unsigned bytes = told < 1 || told > WORD ? (unsigned)WORD : told;
    uint64_t x;

    memcpy(&x, from + 1, WORD);
    *out = (pack_little(x) & (UINT64_MAX >> (64 - 8 * bytes))) << (8 * low);
    return from + 1 + bytes;
}

static const unsigned char *pack_unpack_record(char *out, const char *before, size_t size,
                                               const unsigned char *from)
{
    const size_t words = pack_words_of(size), masks = pack_masks_of(size);
    const unsigned char *mask = from;

    from += masks;
    memcpy(out, before, size);
    for (size_t m = 0; m < masks; m++) {
        unsigned bits = mask[m];

        for (; bits != 0; bits &= bits - 1) {
            const size_t w = m * BITS + (size_t)__builtin_ctz(bits);
            const size_t left = w < words ? size - w * WORD : 0;
            uint64_t x;

            from = pack_unpack_word(from, &x);
            if (left >= WORD) {
                x ^= pack_load_word(out + w * WORD);
                memcpy(out + w * WORD, &x, WORD);
            } else if (left > 0) {
                x ^= pack_load_rest(out + w * WORD, left);
                memcpy(out + w * WORD, &x, left);
            }
        }
    }
    return from;
}

size_t srt_unpack(char *out, size_t count, size_t size, const void *packed)
{
    const unsigned char *from = packed;

    if (count == 0)
        return 0;
    memcpy(out, from, size);
    from += size;
    for (size_t i = 1; i < count; i++)
        from = pack_unpack_record(out + i * size, out + (i - 1) * size, size, from);
    return (size_t)(from - (const unsigned char *)packed);
}

/* Bytes that are written at once, about. */
#define WRITTEN ((size_t)128 << 10)

enum prvcut_status srt_blocks_write(struct srt_file *f, const char *at, size_t count, size_t size,
                                    size_t block, struct prvcut_error *err)
{
    char *packed = prvcut_unset(1, WRITTEN + HEADER + srt_pack_room(size, block), "sorting", err);
    size_t filled = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (!packed)
        return PRVCUT_ENOMEM;
    while (count > 0 && st == PRVCUT_OK) {
        const size_t n = count < block ? count : block;
        const size_t bytes = srt_pack(packed + filled + HEADER, at, n, size);

        memcpy(packed + filled, (const uint32_t[]){ (uint32_t)bytes, (uint32_t)n }, HEADER);
        filled += HEADER + bytes;
        at += n * size;
        count -= n;
        if (filled >= WRITTEN || count == 0) {
            st = srt_file_append(f, packed, filled, err);
            filled = 0;
        }
    }
    free(packed);
    return st;
}

/* Have so many bytes of a run at hand, and as many more as there is room for. */
static enum prvcut_status pck_fetch(struct srt_run *r, size_t want, size_t room,
                                    struct prvcut_error *err)
{
    const size_t held = r->packed_to - r->packed_from;
    size_t more;
    enum prvcut_status st;

    if (held >= want)
        return PRVCUT_OK;
    memmove(r->packed, r->packed + r->packed_from, held);
    more = room - held;
    if (more > r->file->end - r->offset)
        more = (size_t)(r->file->end - r->offset);
    if (held + more < want)
        return prvcut_fail(err, PRVCUT_EIO, "%s: a temporary file was cut short", r->file->folder);
    st = srt_file_read(r->file, r->offset, r->packed + held, more, err);
    r->offset += more;
    r->packed_from = 0;
    r->packed_to = held + more;
    return st;
}

enum prvcut_status srt_block_read(struct srt_run *r, const struct srt_block_room *room, size_t *got,
                                  struct prvcut_error *err)
{
    const size_t most = HEADER + srt_pack_room(room->size, room->records);
    uint32_t header[2] = { 0 };
    enum prvcut_status st;

    *got = 0;
    if (!r->packed)
        r->packed = prvcut_unset(1, most + WORD, "sorting", err);
    if (!r->packed)
        return PRVCUT_ENOMEM;
    st = pck_fetch(r, HEADER, most, err);
    if (st < 0)
        return st;
    memcpy(header, r->packed + r->packed_from, HEADER);
    if (header[1] == 0 || header[1] > room->records ||
        header[0] > srt_pack_room(room->size, header[1]))
        return prvcut_fail(err, PRVCUT_EIO, "%s: a temporary file was changed by another program",
                           r->file->folder);
    st = pck_fetch(r, HEADER + header[0], most, err);
    if (st < 0)
        return st;
    if (srt_unpack(r->buffer, header[1], room->size, r->packed + r->packed_from + HEADER) !=
        header[0])
        return prvcut_fail(err, PRVCUT_EIO, "%s: a temporary file was changed by another program",
                           r->file->folder);
    r->packed_from += HEADER + header[0];
    *got = header[1];
    return PRVCUT_OK;
}
