#include "base/memory.h"
#include "base/sorter_runs.h"

#include <stdlib.h>

/*
 * Sorted records differ little from the ones before them: of each word of 8 bytes only those bytes
 * are kept that are not as in the record before, behind a mask that tells which.
 */

#define WORD sizeof(uint64_t)

/* A block in a file: bytes behind this, records. */
#define HEADER (2 * sizeof(uint32_t))

static size_t words_of(size_t size)
{
    return (size + WORD - 1) / WORD;
}

static uint64_t load(const char *at, size_t size, size_t word)
{
    const size_t left = size - word * WORD;
    uint64_t x = 0;

    memcpy(&x, at + word * WORD, left < WORD ? left : WORD);
    return x;
}

size_t srt_pack_room(size_t size, size_t count)
{
    return count * words_of(size) * (WORD + 1) + WORD;
}

/* Without branches: which bytes change is hard to foresee. */
static size_t pack_word(unsigned char *out, unsigned char *mask, uint64_t x)
{
    size_t n = 0;
    unsigned changed = 0;

    for (unsigned b = 0; b < WORD; b++) {
        const unsigned char byte = (unsigned char)(x >> (8 * b));
        const unsigned differs = byte != 0;

        out[n] = byte;
        changed |= differs << b;
        n += differs;
    }
    *mask = (unsigned char)changed;
    return n;
}

size_t srt_pack(void *out, const char *at, size_t count, size_t size)
{
    const size_t words = words_of(size);
    unsigned char *to = out;

    for (size_t i = 0; i < count; i++, at += size) {
        unsigned char *mask = to;

        to += words;
        for (size_t w = 0; w < words; w++)
            to +=
                pack_word(to, &mask[w], load(at, size, w) ^ (i > 0 ? load(at - size, size, w) : 0));
    }
    return (size_t)(to - (unsigned char *)out);
}

size_t srt_unpack(char *out, size_t count, size_t size, const void *packed)
{
    const size_t words = words_of(size);
    const unsigned char *from = packed;

    for (size_t i = 0; i < count; i++, out += size) {
        const unsigned char *mask = from;

        from += words;
        for (size_t w = 0; w < words; w++) {
            const size_t left = size - w * WORD;
            uint64_t x = i > 0 ? load(out - size, size, w) : 0;

            for (unsigned b = 0; b < WORD && mask[w] != 0; b++) {
                const unsigned differs = mask[w] >> b & 1;

                x ^= (uint64_t)(*from & (0u - differs)) << (8 * b);
                from += differs;
            }
            memcpy(out + w * WORD, &x, left < WORD ? left : WORD);
        }
    }
    return (size_t)(from - (const unsigned char *)packed);
}

enum prvcut_status srt_blocks_write(struct srt_file *f, const char *at, size_t count, size_t size,
                                    size_t block, struct prvcut_error *err)
{
    char *packed = prvcut_unset(1, HEADER + srt_pack_room(size, block), "sorting", err);
    enum prvcut_status st = PRVCUT_OK;

    if (!packed)
        return PRVCUT_ENOMEM;
    while (count > 0 && st == PRVCUT_OK) {
        const size_t n = count < block ? count : block;
        const size_t bytes = srt_pack(packed + HEADER, at, n, size);

        memcpy(packed, (const uint32_t[]){ (uint32_t)bytes, (uint32_t)n }, HEADER);
        st = srt_file_append(f, packed, HEADER + bytes, err);
        at += n * size;
        count -= n;
    }
    free(packed);
    return st;
}

enum prvcut_status srt_block_read(const struct srt_file *f, uint64_t *offset, char *out,
                                  const struct srt_block_room *room, size_t *got,
                                  struct prvcut_error *err)
{
    uint32_t header[2] = { 0 };
    enum prvcut_status st = srt_file_read(f, *offset, header, HEADER, err);

    *got = 0;
    if (st < 0)
        return st;
    if (header[1] == 0 || header[1] > room->records ||
        header[0] > srt_pack_room(room->size, header[1]))
        return prvcut_fail(err, PRVCUT_EIO, "%s: a temporary file was changed by another program",
                           f->folder);
    st = srt_file_read(f, *offset + HEADER, room->packed, header[0], err);
    if (st < 0)
        return st;
    if (srt_unpack(out, header[1], room->size, room->packed) != header[0])
        return prvcut_fail(err, PRVCUT_EIO, "%s: a temporary file was changed by another program",
                           f->folder);
    *offset += HEADER + header[0];
    *got = header[1];
    return PRVCUT_OK;
}
