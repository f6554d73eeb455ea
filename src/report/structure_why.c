#include "report/command.h"
#include "report/structure.h"
#include "report/why.h"

#include <inttypes.h>
#include <stdio.h>

/* An unusual iteration that is explained. */
struct explained {
    const struct made_region *region;
    size_t at;
};

static uint64_t swy_length(const struct explained *e)
{
    const struct prvcut_span *span = &e->region->outlier[e->at].span;

    return span->end - span->start;
}

static bool swy_is_told(const struct explained *told, size_t count, const struct explained *e)
{
    for (size_t i = 0; i < count; i++)
        if (told[i].region == e->region && told[i].at == e->at)
            return true;
    return false;
}

/* The longest that was not told yet. */
static bool swy_next(const struct made_structure *s, const struct explained *told, size_t count,
                     struct explained *out)
{
    out->region = NULL;
    for (size_t i = 0; i < s->is.regions; i++)
        for (size_t n = 0; s->region[i].cause && n < s->region[i].is.outliers; n++) {
            const struct explained e = { &s->region[i], n };

            if (s->region[i].cause[n] && !swy_is_told(told, count, &e) &&
                (!out->region || swy_length(&e) > swy_length(out)))
                *out = e;
        }
    return out->region != NULL;
}

size_t report_put_causes(struct report_lines *l, const struct made_structure *s, size_t most)
{
    struct explained told[REPORT_CAUSES];
    char text[REPORT_WHY + 40];
    size_t count = 0;

    while (count < most && count < REPORT_CAUSES && swy_next(s, told, count, &told[count])) {
        const struct made_region *r = told[count].region;

        report_head(l, count == 0 ? "Why" : "");
        snprintf(text, sizeof text, "iteration %" PRIu64 ": %s",
                 r->is.first + r->outlier[told[count].at].iteration, r->cause[told[count].at]);
        report_put_wrapped(l, l->width > 0 ? l->width : REPORT_WIDTH, text);
        count++;
    }
    return count;
}

void report_put_unexplained(struct report_lines *l, const struct made_structure *s)
{
    const struct report_command job = {
        .name = "", .own = "--outliers 3", .without = REPORT_SHOWN, .typed = s->typed
    };
    uint64_t unusual = 0;
    char command[2000];

    for (size_t i = 0; i < s->is.regions; i++)
        unusual += s->region[i].is.outliers_seen;
    if (!s->unexplained || unusual == 0)
        return;
    report_head(l, "Why");
    report_put(l, "not looked for: %s", s->unexplained);
    if (s->typed)
        report_put(l, "; ask: %s", report_command(command, sizeof command, s->again, &job));
    report_put(l, "\n");
}
