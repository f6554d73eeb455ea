#ifndef PRVCUT_REPORT_CALLED_H
#define PRVCUT_REPORT_CALLED_H

#include "model/made.h"

#include <string.h>

/** The trace's name in a title: as people call it, or its file's where nobody told that. */
static inline const char *report_called(const struct made_reduction *r)
{
    const char *path = r->is.path ? r->is.path : "", *slash = strrchr(path, '/');

    if (r->is.name)
        return r->is.name;
    return slash && slash[1] ? slash + 1 : path;
}

#endif
