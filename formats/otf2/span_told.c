#include "model/told_span.h"
#include "model/told_windows.h"
#include "otf2/otf2.h"

#include <stdlib.h>

static bool spt_all_behind(const struct o2_trace *t, uint64_t tick)
{
    for (uint32_t i = 0; i < t->defs.locations; i++)
        if (t->marks[i].first <= t->marks[i].last && t->marks[i].first < tick)
            return false;
    return true;
}

/* The property's text; NULL: there is none. */
static char *spt_property(OTF2_Reader *r, const char *word)
{
    char **names = NULL, *text = NULL;
    uint32_t count = 0;

    /* The library counts them before it finds that it has no memory for them. */
    if (OTF2_Reader_GetPropertyNames(r, &count, &names) != OTF2_SUCCESS || !names)
        return NULL;
    for (uint32_t i = 0; i < count && !text; i++)
        if (names[i] && strcmp(names[i], word) == 0)
            OTF2_Reader_GetProperty(r, word, &text);
    free(names);
    return text;
}

enum prvcut_status o2_span_told(struct o2_trace *t, OTF2_Reader *r, struct prvcut_error *err)
{
    char *text;
    uint64_t tick, ns;

    o2_library_clear();
    text = spt_property(r, PRVCUT_SPAN_WORD);
    t->windows = spt_property(r, PRVCUT_WINDOWS_WORD);
    if (text && prvcut_span_take(text, &tick, &ns) && spt_all_behind(t, tick)) {
        t->defs.offset = tick;
        t->base.end_ns = ns;
        t->base.end_told = true;
    }
    free(text);
    return o2_library_failed(t->base.path, err);
}
