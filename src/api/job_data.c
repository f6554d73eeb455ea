#include "api/job.h"

#include <string.h>

struct prvcut_span job_span(const struct job *j)
{
    const struct prvcut_span *only = &j->wish.only;
    struct prvcut_span all = { 0, j->end_ns };

    if (only->end > 0)
        all = (struct prvcut_span){ only->start, only->end < j->end_ns ? only->end : j->end_ns };
    return all;
}

const struct prvcut_signal *job_signal(const struct job *j, const char *name)
{
    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        if (j->data.signal[i].name && strcmp(j->data.signal[i].name, name) == 0)
            return &j->data.signal[i];
    return NULL;
}
