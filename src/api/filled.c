#include "api/filled.h"

#include "base/error.h"

#include <stdbool.h>
#include <string.h>

/* The struct's first field; 0 stands for the first fields. */
static size_t fil_size(const void *given, size_t first)
{
    size_t size;

    memcpy(&size, given, sizeof size);
    return size > 0 ? size : first;
}

/* Is there anything in the bytes from..to? */
static bool fil_any(const unsigned char *at, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (at[i])
            return true;
    return false;
}

enum prvcut_status prvcut_filled_take(void *out, size_t known, size_t first, const void *given,
                                      const char *name, struct prvcut_error *err)
{
    size_t size;

    memset(out, 0, known);
    if (given) {
        size = fil_size(given, first);
        if (size < first)
            return prvcut_fail(err, PRVCUT_EUSAGE, "struct %s has a size of %zu, not %zu or more",
                               name, size, first);
        if (size > known && fil_any(given, known, size))
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "struct %s asks for something that a later prvcut knows: its size "
                               "is %zu, here %zu",
                               name, size, known);
        memcpy(out, given, size < known ? size : known);
    }
    memcpy(out, &known, sizeof known);
    return PRVCUT_OK;
}
