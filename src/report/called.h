#ifndef PRVCUT_REPORT_CALLED_H
#define PRVCUT_REPORT_CALLED_H

#include "prvcut/reduce.h"

#include <string.h>

/** The trace's name in a title: as people call it, or its file's where nobody told that. */
static inline const char *report_called(const struct prvcut_reduction *r)
{
    const char *path = r->path ? r->path : "", *slash = strrchr(path, '/');

    if (r->name)
        return r->name;
    return slash && slash[1] ? slash + 1 : path;
}

#endif
