#include "model/told_span.h"
#include "otf2/otf2.h"

#include <stdlib.h>

static bool spt_all_behind(const struct o2_trace *t, uint64_t tick)
{
    for (uint32_t i = 0; i < t->defs.locations; i++)
        if (t->marks[i].first <= t->marks[i].last && t->marks[i].first < tick)
            return false;
    return true;
}

enum prvcut_status o2_span_told(struct o2_trace *t, OTF2_Reader *r, struct prvcut_error *err)
{
    char **names = NULL, *text = NULL;
    uint32_t count = 0;
    uint64_t tick, ns;

    o2_library_clear();
    OTF2_Reader_GetPropertyNames(r, &count, &names);
    for (uint32_t i = 0; i < count && !text; i++)
        if (strcmp(names[i], PRVCUT_SPAN_WORD) == 0)
            OTF2_Reader_GetProperty(r, PRVCUT_SPAN_WORD, &text);
    if (text && prvcut_span_take(text, &tick, &ns) && spt_all_behind(t, tick)) {
        t->defs.offset = tick;
        t->base.end_ns = ns;
        t->base.end_told = true;
    }
    free(names);
    free(text);
    return o2_library_failed(t->base.path, err);
}
