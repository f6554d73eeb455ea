#include "model/told_windows.h"
#include "otf2/otf2.h"

enum prvcut_status o2_windows_told(struct o2_trace *t, struct prvcut_error *err)
{
    const char *at = t->windows;
    struct prvcut_span ticks;
    uint64_t id = UINT64_MAX;
    enum prvcut_status st = PRVCUT_OK;

    while (at && st == PRVCUT_OK && prvcut_told_windows_take(&at, &id, &ticks)) {
        const uint32_t thread = o2_thread_of(&t->defs, id);

        if (thread < t->defs.locations)
            st = prvcut_told_windows_set(&t->base, thread,
                                         (struct prvcut_span){ o2_time(t, thread, ticks.start),
                                                               o2_time(t, thread, ticks.end) },
                                         err);
    }
    prvcut_told_windows_settle(&t->base);
    return st;
}
