#include "api/writers.h"

#include "model/formats.h"

#include <stdlib.h>
#include <string.h>

const struct prvcut_writer *writers_named(const char *format)
{
    for (size_t i = 0; prvcut_writers[i]; i++)
        if (strcmp(prvcut_writers[i]->format->name, format) == 0)
            return prvcut_writers[i];
    return NULL;
}

char *writers_scratch(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    char *out = malloc(length + 2);

    if (!out)
        return NULL;
    memcpy(out, slash ? path : ".", length > 0 ? length : 1);
    out[length > 0 ? length : 1] = '\0';
    return out;
}
