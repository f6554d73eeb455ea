#include "api/able.h"

#include "model/formats.h"

#include <stdio.h>

/* What is asked for, by enum prvcut_ability. */
static const char *const asked[] = {
    [PRVCUT_ABLE_FILTER] = "'filter'",
    [PRVCUT_ABLE_RULES] = "'cut --config'",
    [PRVCUT_ABLE_MARK] = "'mark'",
    [PRVCUT_ABLE_INDEX] = "an index",
};

bool able_is(const struct prvcut_reader *reader, enum prvcut_ability what)
{
    switch (what) {
    case PRVCUT_ABLE_FILTER:
        return reader->filter != NULL;
    case PRVCUT_ABLE_RULES:
        return reader->cut_as_paraver != NULL;
    case PRVCUT_ABLE_MARK:
        return reader->mark != NULL;
    case PRVCUT_ABLE_INDEX:
        return reader->keep != NULL;
    }
    return false;
}

/* Some format can, or nobody would ask. */
static const struct prvcut_format *able_format(enum prvcut_ability what)
{
    size_t i = 0;

    while (prvcut_readers[i + 1] && !able_is(prvcut_readers[i], what))
        i++;
    return prvcut_readers[i]->format;
}

void able_propose(struct prvcut_error *err, enum prvcut_ability what)
{
    prvcut_instead(err, "prvcut convert TRACE out%s", able_format(what)->suffix);
}

void able_propose_part(struct prvcut_error *err)
{
    prvcut_instead(err, "prvcut convert --from 40%% --to 60%% TRACE out%s",
                   able_format(PRVCUT_ABLE_RULES)->suffix);
}

/* "Paraver, OTF2 and OTF" */
static void able_titles(char *out, size_t room, enum prvcut_ability what)
{
    size_t left = 0, n = 0;

    for (size_t i = 0; prvcut_readers[i]; i++)
        left += able_is(prvcut_readers[i], what);
    *out = '\0';
    for (size_t i = 0; prvcut_readers[i] && n + 1 < room; i++)
        if (able_is(prvcut_readers[i], what)) {
            left--;
            n += (size_t)snprintf(out + n, room - n, "%s%s", prvcut_readers[i]->format->title,
                                  left > 1    ? ", "
                                  : left == 1 ? " and "
                                              : "");
        }
}

enum prvcut_status able_refuse(const struct prvcut_trace *trace, enum prvcut_ability what,
                               struct prvcut_error *err)
{
    char titles[160];

    able_titles(titles, sizeof titles, what);
    able_propose(err, what);
    return prvcut_fail(err, PRVCUT_EUSAGE, "%s: %s is for %s traces%s this one is in format %s%s",
                       prvcut_trace_told(trace), asked[what], titles,
                       what == PRVCUT_ABLE_INDEX ? ";" : ",", trace->reader->format->name,
                       what == PRVCUT_ABLE_INDEX ? "" : "; convert it first");
}

enum prvcut_status prvcut_trace_can(const struct prvcut_trace *trace, enum prvcut_ability what,
                                    struct prvcut_error *err)
{
    return able_is(trace->reader, what) ? PRVCUT_OK : able_refuse(trace, what, err);
}
