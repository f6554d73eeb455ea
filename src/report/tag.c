#include "report/tag.h"

#include "structure/stretch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct report_tag_help report_tags[REPORT_TAGS] = {
    { { .kind = REPORT_TAG_CHOP }, "the one cut of 'prvcut TRACE'" },
    { { .kind = REPORT_TAG_REGION, .level = 1, .region = 4 }, "region 1.4" },
    { { .kind = REPORT_TAG_ITERATION, .first = 60, .last = 63 }, "iterations 60 to 63" },
    { { .kind = REPORT_TAG_KIND, .of_kind = 2 }, "iterations of the second kind" },
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
    else if (t->kind == REPORT_TAG_KIND)
        snprintf(out, 64, "kind%u", t->of_kind);
    else if (t->kind == REPORT_TAG_OUTLIER)
        snprintf(out, 64, "outlier%u", t->outlier);
    else if (t->kind == REPORT_TAG_OF_REGION)
        snprintf(out, 64, "%u.%u.outlier%u", t->level, t->region, t->outlier);
    else
        tag_iterations(out, t);
    return out;
}

/* What a text begins with of a pattern, in which '#' is a number from 1; 0: nothing. */
static size_t tag_match(const char *text, const char *pattern)
{
    const char *at = text;

    for (; *pattern; pattern++) {
        const size_t digits = strspn(at, "0123456789");

        if (*pattern == '#' ? digits == 0 || *at == '0' : *at != *pattern)
            return 0;
        at += *pattern == '#' ? digits : 1;
    }
    return *at == '\0' || *at == '.' || *at == '/' ? (size_t)(at - text) : 0;
}

/* "it60-63" -> "it#-#" */
static void tag_pattern(char out[64], const struct report_tag *t)
{
    char text[64];
    size_t n = 0;

    report_tag_text(text, t);
    /* The job has one cut of that name. */
    if (t->kind == REPORT_TAG_CHOP)
        memcpy(out, text, sizeof text);
    for (const char *at = text; t->kind != REPORT_TAG_CHOP && *at; at++) {
        out[n++] = *at >= '0' && *at <= '9' ? '#' : *at;
        at += out[n - 1] == '#' ? strspn(at, "0123456789") - 1 : 0;
        out[n] = '\0';
    }
}

size_t report_tag_length(const char *text)
{
    size_t length = 0;

    for (size_t i = 0; i < REPORT_TAGS && length == 0; i++) {
        struct report_tag t = report_tags[i].example;
        char pattern[64];

        if (t.kind == REPORT_TAG_FILTERED || t.kind == REPORT_TAG_ITERATIONS)
            continue;
        tag_pattern(pattern, &t);
        length = tag_match(text, pattern);
        /* One iteration, and that of another loop than the one cut by default. */
        for (unsigned way = 0; way < 4 && t.kind == REPORT_TAG_ITERATION && length == 0; way++) {
            t.last = way & 1 ? t.first : t.first + 1;
            t.level = t.region = way & 2 ? 1 : 0;
            tag_pattern(pattern, &t);
            length = tag_match(text, pattern);
        }
    }
    return length;
}

struct report_tag report_tag_iterations(const struct made_structure *s, size_t region,
                                        uint64_t first, uint64_t last)
{
    struct report_tag t = { .kind = REPORT_TAG_ITERATION, .first = first, .last = last };

    if (s->is.main < s->is.regions &&
        prvcut_regions_share_loop(&s->region[region], &s->region[s->is.main]))
        return t;
    t.level = s->region[region].is.level;
    t.region = s->region[region].is.number;
    return t;
}
