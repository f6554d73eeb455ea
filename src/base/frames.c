#include "base/frames.h"
#include "base/buffer.h"
#include "base/flow.h"
#include "base/memory.h"
#include "base/ordered.h"
#include "base/search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A frame of this much text is unpacked at once; larger ones are read in order only. */
#define FRAME_MOST ((uint64_t)64 << 20)

enum slot_state { SLOT_EMPTY, SLOT_BUSY, SLOT_READY };

/* One unpacked frame. */
struct slot {
    enum slot_state state;
    size_t frame;
    unsigned users;
    uint64_t used; /* when last */
    char *text, *packed;
    size_t text_room, packed_room;
    ZSTD_DCtx *z;
    enum prvcut_status status; /* how unpacking went */
    struct prvcut_error err;
};

struct prvcut_frames {
    int fd;
    const char *path;
    uint64_t *packed; /* [frames + 1]: offset in the file */
    uint64_t *text;   /* [frames + 1]: offset in the text */
    size_t frames;
    struct slot *slot;
    size_t slots, kept; /* slots that exist; those that may stay filled */
    uint64_t now;
    pthread_mutex_t lock;
    pthread_cond_t change;
};

static uint32_t frames_little(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Offsets from a table's entries; false where they do not add up to the file. What is said to hold
   no text is unpacked with the frame before it (the first: behind it), so that no text is lost
   where that is not so. */
static bool frames_lay(struct prvcut_frames *f, const unsigned char *entry, size_t bytes,
                       uint64_t until)
{
    const size_t entries = f->frames;
    uint64_t at = 0;

    f->frames = 0;
    for (size_t i = 0; i < entries; i++) {
        const uint64_t packed = frames_little(entry + i * bytes),
                       text = frames_little(entry + i * bytes + 4);

        if (text > FRAME_MOST || packed > until)
            return false;
        at += packed;
        if (text > 0) {
            f->frames++;
            f->text[f->frames] = f->text[f->frames - 1] + text;
        }
        if (f->frames > 0)
            f->packed[f->frames] = at;
    }
    return at == until;
}

/* Bytes of a file that holds no text, at most. */
#define EMPTY_MOST 64

/* Does a file whose table tells of no text hold none? */
static bool frames_empty(const struct prvcut_frames *f, uint64_t until)
{
    char packed[EMPTY_MOST], text[1];
    size_t got = 0;

    return until <= sizeof packed &&
           prvcut_flow_read_at(f->fd, f->path, 0, packed, (size_t)until, &got, NULL) == PRVCUT_OK &&
           got == until && ZSTD_decompress(text, 0, packed, got) == 0;
}

/* The table's bytes, whose length the tail tells; *count 0: there is none. */
static enum prvcut_status frames_table(struct prvcut_frames *f, uint64_t size,
                                       struct prvcut_buffer *table, size_t *entry,
                                       struct prvcut_error *err)
{
    unsigned char tail[PRVCUT_FRAMES_TAIL];
    uint64_t bytes;
    size_t got;
    enum prvcut_status st;

    *entry = 0;
    if (size < sizeof tail + 8)
        return PRVCUT_OK;
    st = prvcut_flow_read_at(f->fd, f->path, size - sizeof tail, (char *)tail, sizeof tail, &got,
                             err);
    if (st != PRVCUT_OK || got < sizeof tail || frames_little(tail + 5) != PRVCUT_FRAMES_TAIL_MAGIC)
        return st;
    f->frames = frames_little(tail);
    bytes = 8 + (uint64_t)f->frames * (tail[4] & 0x80 ? 12 : 8) + sizeof tail;
    if (bytes > size || bytes > SIZE_MAX / 2)
        return PRVCUT_OK;
    st = prvcut_buffer_reserve(table, (size_t)bytes, err);
    if (st == PRVCUT_OK)
        st = prvcut_flow_read_at(f->fd, f->path, size - bytes, table->at, (size_t)bytes,
                                 &table->count, err);
    if (st == PRVCUT_OK && table->count == bytes &&
        frames_little((unsigned char *)table->at) == PRVCUT_FRAMES_MAGIC &&
        frames_little((unsigned char *)table->at + 4) == bytes - 8)
        *entry = tail[4] & 0x80 ? 12 : 8;
    return st;
}

/* errors: PRVCUT_END: there is no table that can be used */
static enum prvcut_status frames_read_table(struct prvcut_frames *f, uint64_t size,
                                            struct prvcut_error *err)
{
    struct prvcut_buffer table = { 0 };
    size_t entry;
    enum prvcut_status st = frames_table(f, size, &table, &entry, err);

    if (st == PRVCUT_OK && entry == 0)
        st = PRVCUT_END;
    if (st == PRVCUT_OK) {
        f->packed = prvcut_zeroed(f->frames + 1, sizeof *f->packed, "frames", err);
        f->text = prvcut_zeroed(f->frames + 1, sizeof *f->text, "frames", err);
        if (!f->packed || !f->text)
            st = PRVCUT_ENOMEM;
        else if (!frames_lay(f, (unsigned char *)table.at + 8, entry, size - table.count) ||
                 (f->frames == 0 && !frames_empty(f, size - table.count)))
            st = PRVCUT_END;
    }
    prvcut_buffer_fini(&table);
    return st;
}

enum prvcut_status prvcut_frames_open(struct prvcut_frames **out, int fd, const char *path,
                                      uint64_t size, struct prvcut_error *err)
{
    struct prvcut_frames *f = prvcut_zeroed(1, sizeof *f, "frames", err);
    enum prvcut_status st;

    *out = NULL;
    if (!f)
        return PRVCUT_ENOMEM;
    f->fd = fd;
    f->path = path;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->change, NULL);
    st = frames_read_table(f, size, err);
    f->slots = 2 * prvcut_workers(64) + 2;
    f->kept = 2 * prvcut_workers(0) + 2;
    if (st == PRVCUT_OK && !(f->slot = prvcut_zeroed(f->slots, sizeof *f->slot, "frames", err)))
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        *out = f;
    else
        prvcut_frames_close(f);
    return st < 0 ? st : PRVCUT_OK;
}

/* --- Is the table sound? -------------------------------------------------------------------- */

/* Bytes of a frame's header, at most; in its fifth byte a bit tells of a checksum. */
#define HEAD_MOST   18
#define HEAD_FLAGS  4
#define HEAD_SUMMED 0x04

/* Size of the text of the frame at an offset, and its flags; false: there is none that tells. */
static bool frame_head(const struct prvcut_frames *f, uint64_t offset, uint64_t *text,
                       unsigned char *flags)
{
    char head[HEAD_MOST];
    size_t got = 0;

    if (prvcut_flow_read_at(f->fd, f->path, offset, head, sizeof head, &got, NULL) != PRVCUT_OK ||
        got <= HEAD_FLAGS)
        return false;
    *flags = (unsigned char)head[HEAD_FLAGS];
    *text = ZSTD_getFrameContentSize(head, got);
    return *text != ZSTD_CONTENTSIZE_UNKNOWN && *text != ZSTD_CONTENTSIZE_ERROR;
}

/* Is the first frame as ours are? Then a table follows the last one. */
static bool frames_are_ours(const struct prvcut_frames *f)
{
    unsigned char flags;
    uint64_t text;

    return frame_head(f, 0, &text, &flags) && text <= PRVCUT_FRAME && (flags & HEAD_SUMMED);
}

/* Do the entries lead from frame to frame, each with its size, up to the table? */
static bool frames_agree(const struct prvcut_frames *f, const unsigned char *entry, size_t bytes,
                         uint64_t until)
{
    unsigned char flags;
    uint64_t at = 0, text;

    for (size_t i = 0; i < f->frames && at < until; i++) {
        if (frame_head(f, at, &text, &flags) && text != frames_little(entry + i * bytes + 4))
            return false;
        at += frames_little(entry + i * bytes);
    }
    return at == until;
}

enum prvcut_status prvcut_frames_check(int fd, const char *path, uint64_t size,
                                       struct prvcut_error *err)
{
    struct prvcut_frames f = { .fd = fd, .path = path };
    struct prvcut_buffer table = { 0 };
    unsigned char tail[PRVCUT_FRAMES_TAIL] = { 0 };
    size_t entry = 0, got = 0;
    enum prvcut_status st = frames_table(&f, size, &table, &entry, err);
    const char *wrong = NULL;

    if (st == PRVCUT_OK && size >= sizeof tail)
        st =
            prvcut_flow_read_at(fd, path, size - sizeof tail, (char *)tail, sizeof tail, &got, err);
    if (entry > 0 && ((tail[4] & 0x7f) != 0 ||
                      !frames_agree(&f, (unsigned char *)table.at + 8, entry, size - table.count)))
        wrong = "is not what the frames say";
    else if (entry == 0 && frames_little(tail + 5) == PRVCUT_FRAMES_TAIL_MAGIC)
        wrong = "is damaged";
    else if (entry == 0 && frames_are_ours(&f))
        wrong = "is missing or damaged";
    prvcut_buffer_fini(&table);
    if (st == PRVCUT_OK && wrong)
        st = prvcut_fail(err, PRVCUT_EFORMAT, "%s: the table of zstd frames at its end %s", path,
                         wrong);
    return st;
}

void prvcut_frames_close(struct prvcut_frames *f)
{
    if (!f)
        return;
    for (size_t i = 0; f->slot && i < f->slots; i++) {
        ZSTD_freeDCtx(f->slot[i].z);
        free(f->slot[i].text);
        free(f->slot[i].packed);
    }
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->change);
    free(f->slot);
    free(f->packed);
    free(f->text);
    free(f);
}

uint64_t prvcut_frames_size(const struct prvcut_frames *f)
{
    return f->text[f->frames];
}

/* The frame that holds a place of the text; it is in the text. */
static size_t frames_of(const struct prvcut_frames *f, uint64_t offset)
{
    return prvcut_lower_u64(f->text + 1, f->frames - 1, sizeof *f->text, 0, offset + 1);
}

static enum prvcut_status frames_slot_room(struct slot *s, size_t packed, size_t text,
                                           struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_grow((void **)&s->packed, &s->packed_room, packed + 1, 1, err);

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&s->text, &s->text_room, text + 1, 1, err);
    if (st == PRVCUT_OK && !s->z && !(s->z = ZSTD_createDCtx()))
        st = prvcut_no_memory(err, "zstd");
    return st;
}

/* Unpack the slot's frame; the slot is the caller's alone. */
static enum prvcut_status frames_slot_unpack(const struct prvcut_frames *f, struct slot *s,
                                             struct prvcut_error *err)
{
    const uint64_t from = f->packed[s->frame];
    const size_t packed = (size_t)(f->packed[s->frame + 1] - from);
    const size_t text = (size_t)(f->text[s->frame + 1] - f->text[s->frame]);
    size_t got = 0;
    enum prvcut_status st = frames_slot_room(s, packed, text, err);

    if (st == PRVCUT_OK)
        st = prvcut_flow_read_at(f->fd, f->path, from, s->packed, packed, &got, err);
    if (st != PRVCUT_OK)
        return st;
    if (got == packed)
        got = ZSTD_decompressDCtx(s->z, s->text, text, s->packed, packed);
    if (ZSTD_isError(got) || got != text)
        return prvcut_fail(
            err, PRVCUT_EFORMAT, "%s: the zstd frame at byte %llu of the file is damaged: %s",
            f->path, (unsigned long long)from,
            ZSTD_isError(got) ? ZSTD_getErrorName(got) : "its size is not what the table says");
    return PRVCUT_OK;
}

/* The slot of a frame; NULL: none. The lock is held, as in all that follow. */
static struct slot *frames_slot(const struct prvcut_frames *f, size_t frame)
{
    for (size_t i = 0; i < f->slots; i++)
        if (f->slot[i].state != SLOT_EMPTY && f->slot[i].frame == frame)
            return &f->slot[i];
    return NULL;
}

/* A slot to fill: the one unused for longest, if enough are filled; NULL: all are in use. */
static struct slot *frames_vacant(struct prvcut_frames *f)
{
    struct slot *oldest = NULL, *empty = NULL;
    size_t filled = 0;

    for (size_t i = 0; i < f->slots; i++) {
        struct slot *s = &f->slot[i];

        filled += s->state != SLOT_EMPTY;
        if (s->state == SLOT_EMPTY && !empty)
            empty = s;
        if (s->state == SLOT_READY && s->users == 0 && (!oldest || s->used < oldest->used))
            oldest = s;
    }
    return oldest && (filled >= f->kept || !empty) ? oldest : empty;
}

static void frames_fill(struct prvcut_frames *f, struct slot *s, size_t frame)
{
    s->state = SLOT_BUSY;
    s->frame = frame;
    s->err = (struct prvcut_error){ 0 };
    pthread_mutex_unlock(&f->lock);
    s->status = frames_slot_unpack(f, s, &s->err);
    pthread_mutex_lock(&f->lock);
    s->state = SLOT_READY;
    s->used = ++f->now;
    pthread_cond_broadcast(&f->change);
}

/* While somebody else unpacks a frame: the next one, which will be wanted, too. */
static bool frames_ahead(struct prvcut_frames *f, size_t frame)
{
    struct slot *s;

    if (frame >= f->frames || frames_slot(f, frame) || !(s = frames_vacant(f)))
        return false;
    frames_fill(f, s, frame);
    return true;
}

/* The frame, unpacked and held by the caller. */
static struct slot *frames_take(struct prvcut_frames *f, size_t frame)
{
    struct slot *s;

    pthread_mutex_lock(&f->lock);
    while (!(s = frames_slot(f, frame)) || s->state != SLOT_READY) {
        if (!s && (s = frames_vacant(f)))
            frames_fill(f, s, frame);
        else if (!s || !frames_ahead(f, frame + 1))
            pthread_cond_wait(&f->change, &f->lock);
    }
    s->users++;
    s->used = ++f->now;
    pthread_mutex_unlock(&f->lock);
    return s;
}

static void frames_give(struct prvcut_frames *f, struct slot *s)
{
    pthread_mutex_lock(&f->lock);
    /* A failure may be passing: whoever comes next tries again. */
    if (--s->users == 0 && s->status != PRVCUT_OK)
        s->state = SLOT_EMPTY;
    pthread_cond_broadcast(&f->change);
    pthread_mutex_unlock(&f->lock);
}

enum prvcut_status prvcut_frames_read_at(struct prvcut_frames *f, uint64_t offset, void *bytes,
                                         size_t want, size_t *got, struct prvcut_error *err)
{
    const uint64_t size = prvcut_frames_size(f);

    *got = 0;
    while (*got < want && offset < size) {
        const size_t frame = frames_of(f, offset);
        struct slot *s = frames_take(f, frame);
        const size_t at = (size_t)(offset - f->text[frame]);
        size_t count = (size_t)(f->text[frame + 1] - f->text[frame]) - at;
        const enum prvcut_status st = s->status;

        if (st != PRVCUT_OK) {
            prvcut_fail(err, st, "%s", s->err.text);
            frames_give(f, s);
            return st;
        }
        count = count < want - *got ? count : want - *got;
        memcpy((char *)bytes + *got, s->text + at, count);
        frames_give(f, s);
        *got += count;
        offset += count;
    }
    return PRVCUT_OK;
}
