#include "model/told_windows.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static bool twi_number(const char **text, uint64_t *out)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *out = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

enum prvcut_status prvcut_told_windows_append(struct prvcut_buffer *list, uint64_t id,
                                              struct prvcut_span ticks, struct prvcut_error *err)
{
    return prvcut_buffer_printf(list, err, "%s%" PRIu64 ":%" PRIu64 "-%" PRIu64,
                                list->count > 0 ? " " : "", id, ticks.start, ticks.end);
}

bool prvcut_told_windows_take(const char **text, uint64_t *id, struct prvcut_span *ticks)
{
    const char *p = *text;
    uint64_t first;

    while (*p == ' ')
        p++;
    if (!twi_number(&p, &first))
        return false;
    if (*p == ':') {
        p++;
        *id = first;
        if (!twi_number(&p, &first))
            return false;
    } else {
        ++*id;
    }
    if (*p++ != '-' || !twi_number(&p, &ticks->end) || ticks->end < first)
        return false;
    ticks->start = first;
    *text = p;
    return true;
}

enum prvcut_status prvcut_told_windows_set(struct prvcut_trace *t, uint32_t thread,
                                           struct prvcut_span ns, struct prvcut_error *err)
{
    const uint32_t threads = t->objects.threads;

    if (thread >= threads)
        return PRVCUT_OK;
    if (!t->own_window) {
        t->own_window = prvcut_zeroed(threads, sizeof *t->own_window, "threads", err);
        if (!t->own_window)
            return PRVCUT_ENOMEM;
        for (uint32_t i = 0; i < threads; i++)
            t->own_window[i].start = UINT64_MAX;
    }
    t->own_window[thread] = ns;
    return PRVCUT_OK;
}

void prvcut_told_windows_settle(struct prvcut_trace *t)
{
    for (uint32_t i = 0; t->own_window && i < t->objects.threads; i++)
        if (t->own_window[i].start > t->own_window[i].end) {
            free(t->own_window);
            t->own_window = NULL;
        }
}
