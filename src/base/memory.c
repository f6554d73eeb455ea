#include "base/memory.h"

#include "base/checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum prvcut_status prvcut_no_memory(struct prvcut_error *err, const char *what)
{
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %s", what);
}

/* What malloc or calloc gave, or the failure. */
static void *memory_given(void *at, size_t count, const char *what, struct prvcut_error *err)
{
    if (!at && count == 1)
        prvcut_no_memory(err, what);
    else if (!at)
        prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %zu %s", count, what);
    return at;
}

void *prvcut_zeroed(size_t count, size_t size, const char *what, struct prvcut_error *err)
{
    return memory_given(calloc(count > 0 ? count : 1, size > 0 ? size : 1), count, what, err);
}

void *prvcut_unset(size_t count, size_t size, const char *what, struct prvcut_error *err)
{
    size_t bytes;
    const bool fits = prvcut_ckd_mul_size(&bytes, count, size);

    return memory_given(fits ? malloc(bytes > 0 ? bytes : 1) : NULL, count, what, err);
}

void *prvcut_resized(void *at, size_t count, size_t size, const char *what,
                     struct prvcut_error *err)
{
    size_t bytes;
    const bool fits = prvcut_ckd_mul_size(&bytes, count, size);

    return memory_given(fits ? realloc(at, bytes > 0 ? bytes : 1) : NULL, count, what, err);
}

void *prvcut_copied(const void *from, size_t bytes, const char *what, struct prvcut_error *err)
{
    size_t room;
    char *out = prvcut_ckd_add_size(&room, bytes, 1) ? malloc(room) : NULL;

    if (!memory_given(out, 1, what, err))
        return NULL;
    if (bytes > 0)
        memcpy(out, from, bytes);
    out[bytes] = '\0';
    return out;
}

char *prvcut_copied_text(const char *text, const char *what, struct prvcut_error *err)
{
    return prvcut_copied(text, strlen(text), what, err);
}

char *prvcut_printed(const char *what, struct prvcut_error *err, const char *format, ...)
{
    va_list arguments, again;
    char *out = NULL;
    int count;

    va_start(arguments, format);
    va_copy(again, arguments);
    count = vsnprintf(NULL, 0, format, arguments);
    if (count >= 0)
        out = malloc((size_t)count + 1);
    if (memory_given(out, 1, what, err))
        vsnprintf(out, (size_t)count + 1, format, again);
    va_end(again);
    va_end(arguments);
    return out;
}

void prvcut_give_back(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
