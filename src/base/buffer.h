#ifndef PRVCUT_BASE_BUFFER_H
#define PRVCUT_BASE_BUFFER_H

#include "base/error.h"

#include <stdarg.h>

/** A growable run of bytes; zeroed is empty and valid. */
struct prvcut_buffer {
    char *at;
    size_t count; /**< bytes in use */
    size_t room;  /**< bytes allocated */
};

/** Make room for `more` bytes beyond count; the content may move. */
enum prvcut_status prvcut_buffer_reserve(struct prvcut_buffer *b, size_t more,
                                         struct prvcut_error *err);

/** Behind what was appended, and not counted, stands a '\0': text can be read as such, as
 * prvcut_buffer_printf leaves it. */
enum prvcut_status prvcut_buffer_append(struct prvcut_buffer *b, const void *bytes, size_t count,
                                        struct prvcut_error *err);

enum prvcut_status prvcut_buffer_printf(struct prvcut_buffer *b, struct prvcut_error *err,
                                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum prvcut_status prvcut_buffer_vprintf(struct prvcut_buffer *b, struct prvcut_error *err,
                                         const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/** Release the bytes and make b empty; b may be used again. */
void prvcut_buffer_fini(struct prvcut_buffer *b);

/**
 * Grow an array so that it holds at least `want` items of `size` bytes; doubles.
 *
 * owns    *at is the caller's, from malloc or NULL; it may move
 * errors  PRVCUT_ENOMEM (also when want * size overflows); the array is then unchanged
 */
enum prvcut_status prvcut_grow(void **at, size_t *room, size_t want, size_t size,
                               struct prvcut_error *err);

#endif
