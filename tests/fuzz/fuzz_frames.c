/*
 * Compressed files with a table of their frames: what is read from anywhere is what is read in
 * order, by one thread or two.
 *
 * input   MODE, then a file as it is; with bit 0 (TABLE): ENTRY PACKED TEXT, then frames of zstd,
 *         behind which the target puts a table of as many frames an entry as bits 1 and 2 say, with
 *         checksums in it by bit 3; PACKED and TEXT (signed) are added to the lengths of the entry,
 *         and taken from those of the next one by bit 4
 */
#include "sandbox.h"
#include "target.h"

#include "base/frames.h"
#include "base/source.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum mode { TABLE = 1, CHECKSUMS = 8, SHIFTED = 16, TWICE = 32 };

#define FRAMES_MOST ((size_t)64)
/* Larger texts take long and find nothing more. */
#define TEXT_MOST ((size_t)1 << 20)

static char path[SANDBOX_PATH];

/* A file being put together. */
struct made {
    uint8_t *at;
    size_t count;
    uint32_t packed[FRAMES_MOST], text[FRAMES_MOST]; /* of each entry */
    uint32_t entries;
};

static void put(struct made *m, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        m->at[m->count++] = (uint8_t)(value >> 8 * i);
}

/* What a frame holds; 0 where it cannot be unpacked. */
static size_t text_of(const uint8_t *at, size_t count)
{
    static char room[TEXT_MOST];
    const size_t got = ZSTD_decompress(room, sizeof room, at, count);

    return ZSTD_isError(got) ? 0 : got;
}

/* Frames as they stand there; what is none counts to the last entry. */
static void lay_entries(struct made *m, unsigned each)
{
    size_t at = 0;

    for (unsigned n = 0; at < m->count && m->entries < FRAMES_MOST; n++) {
        size_t bytes = ZSTD_findFrameCompressedSize(m->at + at, m->count - at);

        if (ZSTD_isError(bytes) || bytes == 0)
            bytes = m->count - at;
        m->entries += n % each == 0;
        m->packed[m->entries - 1] += (uint32_t)bytes;
        m->text[m->entries - 1] += (uint32_t)text_of(m->at + at, bytes);
        at += bytes;
    }
}

static void put_table(struct made *m, bool sums)
{
    const unsigned bytes = sums ? 12 : 8;

    put(m, PRVCUT_FRAMES_MAGIC, 4);
    put(m, (uint64_t)m->entries * bytes + PRVCUT_FRAMES_TAIL, 4);
    for (size_t i = 0; i < m->entries; i++) {
        put(m, m->packed[i], 4);
        put(m, m->text[i], 4);
        put(m, 0, sums ? 4 : 0);
    }
    put(m, m->entries, 4);
    put(m, sums ? 0x80 : 0, 1);
    put(m, PRVCUT_FRAMES_TAIL_MAGIC, 4);
}

static void change_entry(struct made *m, uint8_t entry, const uint32_t more[2], bool shifted)
{
    const size_t i = m->entries > 0 ? entry % m->entries : 0;

    m->packed[i] += more[0];
    m->text[i] += more[1];
    if (shifted && i + 1 < m->entries) {
        m->packed[i + 1] -= more[0];
        m->text[i + 1] -= more[1];
    }
}

static void write_with_table(uint8_t mode, struct input *in)
{
    const uint8_t entry = (uint8_t)input_number(in, 1);
    const uint32_t packed = (uint32_t)(int8_t)input_number(in, 1);
    const uint32_t text = (uint32_t)(int8_t)input_number(in, 1);
    struct made m = { .at = malloc(in->left + 12 * FRAMES_MOST + 32), .count = in->left };

    require(m.at != NULL, "memory");
    if (in->left > 0)
        memcpy(m.at, in->at, in->left);
    lay_entries(&m, 1 + (mode >> 1 & 3));
    change_entry(&m, entry, (const uint32_t[]){ packed, text }, mode & SHIFTED);
    put_table(&m, mode & CHECKSUMS);
    sandbox_write("in.zst", m.at, m.count);
    free(m.at);
}

/* A text that was read, as far as it was. */
struct text {
    struct prvcut_source *source;
    char *at; /* [TEXT_MOST] */
    size_t count;
    enum prvcut_status st;
    struct prvcut_error err;
};

enum { WHOLE, ONE, TWO, TEXTS };

/* Taken once: rooms of this size are slow to come by under a sanitizer. */
static struct text text_new(int which)
{
    static char room[TEXTS][TEXT_MOST];

    return (struct text){ .at = room[which] };
}

static void read_in_order(struct text *t)
{
    size_t got;

    while (t->st == PRVCUT_OK && t->count < TEXT_MOST) {
        t->st =
            prvcut_source_read(t->source, t->at + t->count, TEXT_MOST - t->count, &got, &t->err);
        t->count += got;
    }
}

/* In steps that meet no border of a frame for long. */
static void *read_anywhere(void *ctx)
{
    struct text *t = ctx;
    size_t got = 1;

    while (t->st == PRVCUT_OK && got > 0 && t->count < TEXT_MOST) {
        const size_t left = TEXT_MOST - t->count, step = 1 + t->count / 2;

        t->st = prvcut_source_read_at(t->source, t->count, t->at + t->count,
                                      step < left ? step : left, &got, &t->err);
        t->count += got;
    }
    return NULL;
}

static void require_sane(const struct text *t)
{
    require(t->st >= 0 || (t->err.status == t->st && t->err.text[0] != '\0'),
            "a failure has a text");
}

/* What was read of both. zstd is less strict about a frame that it unpacks at once (its blocks may
   be larger than its window), so that one of them may fail. */
static void require_same(const struct text *a, const struct text *b)
{
    const size_t least = a->count < b->count ? a->count : b->count;

    require_sane(a);
    require_sane(b);
    require(memcmp(a->at, b->at, least) == 0,
            "what is read from anywhere is what is read in order");
    require(a->st < 0 || b->st < 0 || a->count == b->count, "and all of it");
}

static void try_anywhere(struct prvcut_source *source, const struct text *whole, bool twice)
{
    struct text one = text_new(ONE), two = text_new(TWO);
    pthread_t thread;

    one.source = two.source = source;
    if (twice)
        require(pthread_create(&thread, NULL, read_anywhere, &two) == 0, "a thread");
    read_anywhere(&one);
    if (twice) {
        pthread_join(thread, NULL);
        require(one.st == two.st, "both threads see the same");
        require_same(&one, &two);
    }
    require_same(&one, whole);
    require(one.st < 0 || one.count == TEXT_MOST || one.count == prvcut_source_text_size(source),
            "the size is known");
}

static void try_file(bool twice)
{
    struct text whole = text_new(WHOLE);
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = prvcut_source_open(&whole.source, path, &err);

    require((st == PRVCUT_OK) == (whole.source != NULL), "a failed open leaves nothing");
    require(st == PRVCUT_OK || err.text[0] != '\0', "a failure has a text");
    if (st == PRVCUT_OK) {
        read_in_order(&whole);
        require_sane(&whole);
        if (prvcut_source_is_seekable(whole.source))
            try_anywhere(whole.source, &whole, twice);
        prvcut_source_close(whole.source);
    }
}

#ifdef PRVCUT_FUZZ
/* Threads are slow to come by: few inputs take two. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (size > 0 && seed % 16 != 0)
        data[0] &= (uint8_t)~TWICE;
    return size;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };
    const uint8_t mode = (uint8_t)input_number(&in, 1);

    sandbox_path(path, "in.zst");
    if (mode & TABLE)
        write_with_table(mode, &in);
    else
        sandbox_write("in.zst", in.at, in.left);
    try_file(mode & TWICE);
    return 0;
}
