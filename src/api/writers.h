#ifndef PRVCUT_API_WRITERS_H
#define PRVCUT_API_WRITERS_H

#include "model/writer.h"

/** What writes a format; NULL: nothing does. */
const struct prvcut_writer *writers_named(const char *format);

/** The folder of an output, where there is room for what does not fit into memory, rather than in
    /tmp; the caller's, NULL: no memory. */
char *writers_scratch(const char *path);

#endif
