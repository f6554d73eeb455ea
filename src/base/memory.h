#ifndef PRVCUT_BASE_MEMORY_H
#define PRVCUT_BASE_MEMORY_H

#include "base/error.h"

/**
 * Memory that says what it was wanted for: the only place that tells "out of memory". All of it is
 * released with free(). What grows is in base/buffer.h, what is looked up by a key in base/table.h.
 */

/**
 * Fail for want of memory: "out of memory for WHAT", where what is a plural noun ("channels") or
 * one thing ("a file name"). Also for libraries that allocate by themselves. Returns PRVCUT_ENOMEM.
 */
enum prvcut_status prvcut_no_memory(struct prvcut_error *err, const char *what);

/**
 * Room for `count` items of `size` bytes, all zero; count 0 gives room that may be freed.
 *
 * errors  NULL, and "out of memory for COUNT WHAT" in err; also where count * size overflows
 */
void *prvcut_zeroed(size_t count, size_t size, const char *what, struct prvcut_error *err);

/** As prvcut_zeroed, but what the room holds is not set: for what is written whole at once. */
void *prvcut_unset(size_t count, size_t size, const char *what, struct prvcut_error *err);

/**
 * Room that prvcut_unset or its like gave (NULL: none), for `count` items of `size` bytes; it may
 * move.
 *
 * errors  NULL as prvcut_zeroed; then `at` is as it was
 */
void *prvcut_resized(void *at, size_t count, size_t size, const char *what,
                     struct prvcut_error *err);

/** A copy of `bytes` bytes, followed by a NUL that is not counted; NULL as prvcut_zeroed. */
void *prvcut_copied(const void *from, size_t bytes, const char *what, struct prvcut_error *err);

/** A copy of a text; NULL as prvcut_zeroed. */
char *prvcut_copied_text(const char *text, const char *what, struct prvcut_error *err);

/** A text as printf writes it, as long as it is; NULL as prvcut_zeroed. */
char *prvcut_printed(const char *what, struct prvcut_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Give free memory back to the system, where much was released and much is still to be asked for
   in other sizes: what lies free in between would count beside it. */
void prvcut_give_back(void);

#endif
