#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a first allocation: growing from nothing in steps of one item would be slow. */
#define FIRST_BYTES 256

enum prvcut_status prvcut_grow(void **at, size_t *room, size_t want, size_t size,
                               struct prvcut_error *err)
{
    size_t bytes, items;
    void *old, *moved;

    assert(size > 0);
    if (want <= *room)
        return PRVCUT_OK;
    items = FIRST_BYTES / size;
    if (items < want && !prvcut_ckd_mul_size(&items, *room, 2))
        items = want;
    if (items < want)
        items = want;
    if (!prvcut_ckd_mul_size(&bytes, items, size) &&
        !prvcut_ckd_mul_size(&bytes, items = want, size))
        return prvcut_no_memory(err, "a longer list");
    /* The caller's pointer is seldom a void *, so it is copied, not read through the wrong type. */
    memcpy(&old, at, sizeof old);
    moved = prvcut_resized(old, 1, bytes, "a longer list", err);
    if (!moved)
        return PRVCUT_ENOMEM;
    memcpy(at, &moved, sizeof moved);
    *room = items;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_buffer_reserve(struct prvcut_buffer *b, size_t more,
                                         struct prvcut_error *err)
{
    void *at = b->at;
    size_t want;
    enum prvcut_status st;

    if (!prvcut_ckd_add_size(&want, b->count, more))
        return prvcut_no_memory(err, "a longer text");
    st = prvcut_grow(&at, &b->room, want, 1, err);
    b->at = at;
    return st;
}

enum prvcut_status prvcut_buffer_append(struct prvcut_buffer *b, const void *bytes, size_t count,
                                        struct prvcut_error *err)
{
    const size_t more = count > 0 && count < SIZE_MAX ? count + 1 : count;
    const enum prvcut_status st = prvcut_buffer_reserve(b, more, err);

    if (st != PRVCUT_OK || count == 0)
        return st;
    memcpy(b->at + b->count, bytes, count);
    b->count += count;
    b->at[b->count] = '\0';
    return PRVCUT_OK;
}

/* Format into the free room; *length is what the text needs, without its NUL. */
__attribute__((format(printf, 3, 0))) static bool buffer_format(struct prvcut_buffer *b,
                                                                size_t *length, const char *format,
                                                                va_list args)
{
    const size_t room = b->room - b->count;
    const int written = vsnprintf(room > 0 ? b->at + b->count : NULL, room, format, args);

    *length = written < 0 ? 0 : (size_t)written;
    return written >= 0;
}

enum prvcut_status prvcut_buffer_vprintf(struct prvcut_buffer *b, struct prvcut_error *err,
                                         const char *format, va_list args)
{
    enum prvcut_status st = PRVCUT_OK;
    va_list again;
    size_t length;
    bool good;

    va_copy(again, args);
    good = buffer_format(b, &length, format, args);
    if (good && length >= b->room - b->count) {
        st = prvcut_buffer_reserve(b, length + 1, err);
        good = st != PRVCUT_OK || buffer_format(b, &length, format, again);
    }
    va_end(again);
    if (!good)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a text cannot be formatted");
    if (st == PRVCUT_OK)
        b->count += length;
    return st;
}

enum prvcut_status prvcut_buffer_printf(struct prvcut_buffer *b, struct prvcut_error *err,
                                        const char *format, ...)
{
    enum prvcut_status st;
    va_list args;

    va_start(args, format);
    st = prvcut_buffer_vprintf(b, err, format, args);
    va_end(args);
    return st;
}

void prvcut_buffer_fini(struct prvcut_buffer *b)
{
    free(b->at);
    *b = (struct prvcut_buffer){ 0 };
}
