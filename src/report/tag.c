#include "report/tag.h"

#include "structure/stretch.h"

#include <inttypes.h>
#include <stdio.h>

const struct report_tag_help report_tags[REPORT_TAGS] = {
    { { .kind = REPORT_TAG_CHOP }, "the one cut of 'prvcut TRACE'" },
    { { .kind = REPORT_TAG_REGION, .level = 1, .region = 4 }, "region 1.4" },
    { { .kind = REPORT_TAG_ITERATION, .first = 60, .last = 63 }, "iterations 60 to 63" },
    { { .kind = REPORT_TAG_OUTLIER, .outlier = 1 }, "the most unusual iteration" },
    { { .kind = REPORT_TAG_OF_REGION, .level = 1, .region = 4, .outlier = 1 },
      "the most unusual iteration of region 1.4" },
    { { .kind = REPORT_TAG_CUT }, "a window, by 'prvcut cut'" },
    { { .kind = REPORT_TAG_FILTERED }, "some of the records, by 'prvcut filter'" },
    { { .kind = REPORT_TAG_ITERATIONS }, "all of the trace with marks, by 'prvcut mark'" },
};

static void tag_iterations(char out[64], const struct report_tag *t)
{
    int n = 0;

    if (t->level > 0)
        n = snprintf(out, 64, "%u.%u.", t->level, t->region);
    if (t->first == t->last)
        snprintf(out + n, 64 - (size_t)n, "it%" PRIu64, t->first);
    else
        snprintf(out + n, 64 - (size_t)n, "it%" PRIu64 "-%" PRIu64, t->first, t->last);
}

char *report_tag_text(char out[64], const struct report_tag *t)
{
    static const char *const words[REPORT_TAGS] = { [REPORT_TAG_CHOP] = "chop1",
                                                    [REPORT_TAG_CUT] = "cut",
                                                    [REPORT_TAG_FILTERED] = "filtered",
                                                    [REPORT_TAG_ITERATIONS] = "iterations" };

    if (words[t->kind])
        snprintf(out, 64, "%s", words[t->kind]);
    else if (t->kind == REPORT_TAG_REGION)
        snprintf(out, 64, "%u.%u", t->level, t->region);
    else if (t->kind == REPORT_TAG_OUTLIER)
        snprintf(out, 64, "outlier%u", t->outlier);
    else if (t->kind == REPORT_TAG_OF_REGION)
        snprintf(out, 64, "%u.%u.outlier%u", t->level, t->region, t->outlier);
    else
        tag_iterations(out, t);
    return out;
}

struct report_tag report_tag_iterations(const struct prvcut_structure *s, size_t region,
                                        uint64_t first, uint64_t last)
{
    struct report_tag t = { .kind = REPORT_TAG_ITERATION, .first = first, .last = last };

    if (s->main < s->regions && prvcut_regions_share_loop(&s->region[region], &s->region[s->main]))
        return t;
    t.level = s->region[region].level;
    t.region = s->region[region].number;
    return t;
}
