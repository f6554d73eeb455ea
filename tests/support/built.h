#ifndef TESTS_BUILT_H
#define TESTS_BUILT_H

#include "model/formats.h"

#include "runner.h"

#include <string.h>

static inline bool test_has_reader(const char *format)
{
    for (size_t i = 0; prvcut_readers[i]; i++)
        if (strcmp(prvcut_readers[i]->format->name, format) == 0)
            return true;
    return false;
}

/* The same, and what is not built in is told as left out. */

static inline bool test_reads(const char *format)
{
    if (test_has_reader(format))
        return true;
    test_leaves_out("a format is not built in");
    return false;
}

static inline bool test_writes(const char *format)
{
    for (size_t i = 0; prvcut_writers[i]; i++)
        if (strcmp(prvcut_writers[i]->format->name, format) == 0)
            return true;
    test_leaves_out("a format is not built in");
    return false;
}

#endif
