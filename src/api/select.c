#include "api/entries.h"
#include "prvcut/structure.h"

#include "api/select.h"
#include "base/error.h"
#include "structure/stretch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool sel_number(const char **at, unsigned *out)
{
    char *end;
    unsigned long n;

    if (**at < '1' || **at > '9')
        return false;
    n = strtoul(*at, &end, 10);
    *at = end;
    *out = (unsigned)n;
    return n < 1000000000;
}

/* "1.4", "4" */
static bool sel_one(const char **at, unsigned *level, unsigned *number)
{
    if (!sel_number(at, number))
        return false;
    if (**at != '.')
        return true;
    *level = *number;
    (*at)++;
    return sel_number(at, number);
}

bool prvcut_region_parse(const char *text, unsigned level, struct prvcut_region_name *out)
{
    unsigned end;

    *out = (struct prvcut_region_name){ .level = level > 0 ? level : 1 };
    if (!sel_one(&text, &out->level, &out->number))
        return false;
    out->last = out->number;
    end = out->level;
    if (*text == '-') {
        text++;
        if (!sel_one(&text, &end, &out->last))
            return false;
        out->range = true;
    }
    return (*text == '\0' || *text == ',') && end == out->level && out->last >= out->number;
}

bool prvcut_region_next(const char **at, unsigned level, struct prvcut_region_name *name)
{
    if (name->number > 0 && name->number < name->last) {
        name->number++;
        return true;
    }
    if (!*at || !prvcut_region_parse(*at, level, name))
        return false;
    *at = strchr(*at, ',');
    *at = *at ? *at + 1 : NULL;
    return true;
}

bool prvcut_regions_valid(const char *text)
{
    struct prvcut_region_name name;

    for (;;) {
        if (!prvcut_region_parse(text, 1, &name))
            return false;
        text += strcspn(text, ",");
        if (*text++ == '\0')
            return true;
    }
}

/* "level 1 has 1.1 to 1.5", "level 1 has only 1.1", "no loop was found at level 3" */
static enum prvcut_status sel_no_region(const struct made_structure *s,
                                        struct prvcut_region_name name, struct prvcut_error *err)
{
    unsigned most = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.level == name.level && s->region[i].is.number > most)
            most = s->region[i].is.number;
    if (most == 0) {
        prvcut_instead(err, "--region %u.1", s->is.levels);
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "no region %u.%u: no loop was found at level %u, the deepest is %u",
                           name.level, name.number, name.level, s->is.levels);
    }
    prvcut_instead(err, "--region %u.%u", name.level, most);
    if (most == 1)
        return prvcut_fail(err, PRVCUT_EUSAGE, "no region %u.%u: level %u has only %u.1",
                           name.level, name.number, name.level, name.level);
    return prvcut_fail(err, PRVCUT_EUSAGE, "no region %u.%u: level %u has %u.1 to %u.%u",
                       name.level, name.number, name.level, name.level, name.level, most);
}

size_t prvcut_region_longest(const struct made_structure *s, unsigned level)
{
    uint64_t most = 0;
    size_t best = SIZE_MAX;

    if (level <= 1 && s->is.main < s->is.regions)
        return s->is.main;
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_span *span = &s->region[i].is.span;

        if (s->region[i].is.level != level || s->region[i].is.number == 0 ||
            s->region[i].is.group > 0 || span->end - span->start <= most)
            continue;
        most = span->end - span->start;
        best = i;
    }
    return best;
}

enum prvcut_status prvcut_region_find(const struct made_structure *s,
                                      struct prvcut_region_name name, size_t *out,
                                      struct prvcut_error *err)
{
    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.level == name.level && s->region[i].is.number == name.number) {
            *out = i;
            return PRVCUT_OK;
        }
    return sel_no_region(s, name, err);
}

/* Where too many iterations were found to tell them one by one, they are equally long. */
static struct prvcut_span sel_reckoned(const struct made_region *r, uint64_t n)
{
    const double length = (double)(r->is.span.end - r->is.span.start) / r->is.iterations;
    const double at = (double)r->is.span.start + length * ((double)n - (double)r->is.first);

    return (struct prvcut_span){ at > 0 ? (uint64_t)at : 0, (uint64_t)(at + length) };
}

/* As much of the iterations that were asked for as there is; where there is nothing of it, as many
   of those nearest to them. */
static void sel_offer(const struct prvcut_selection *what, uint64_t least, uint64_t most,
                      const char *region, struct prvcut_error *err)
{
    const uint64_t more = what->last - what->first, all = most - least;
    const uint64_t begin = what->first < least  ? least
                           : what->first > most ? (more < all ? most - more : least)
                                                : what->first;
    const uint64_t asked = what->last < least ? begin + more : what->last;
    const uint64_t end = asked < most ? asked : most;

    if (begin == end)
        prvcut_instead(err, "%s--iteration %" PRIu64, region, begin);
    else
        prvcut_instead(err, "%s--iteration %" PRIu64 "-%" PRIu64, region, begin, end);
}

static enum prvcut_status sel_known(const struct made_region *r,
                                    const struct prvcut_selection *what, struct prvcut_error *err)
{
    const uint64_t end = r->is.first + (uint64_t)r->is.iterations - 1;
    const uint64_t wrong = what->first < r->is.first ? what->first : what->last;
    char region[40];

    if (what->last > r->is.loop_iterations) {
        sel_offer(what, 1, r->is.loop_iterations, "", err);
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "--iteration %" PRIu64 ": the loop runs %" PRIu64 " times", what->last,
                           r->is.loop_iterations);
    }
    if (what->region && *what->region != 'l' && (what->first < r->is.first || what->last > end)) {
        snprintf(region, sizeof region, "--region %u.%u ", r->is.level, r->is.number);
        sel_offer(what, r->is.first, end, region, err);
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "--iteration %" PRIu64 " is not in region %u.%u, which has %" PRIu64
                           " to %" PRIu64,
                           wrong, r->is.level, r->is.number, r->is.first, end);
    }
    return PRVCUT_OK;
}

enum prvcut_status api_region_is_one(const char *region, struct prvcut_error *err)
{
    if (!region || strcmp(region, "all") != 0)
        return PRVCUT_OK;
    prvcut_instead(err, "--region longest");
    return prvcut_fail(err, PRVCUT_EUSAGE, "--region: '%s' names several; which one?", region);
}

enum prvcut_status api_rows_agree(const struct api_rows *rows, bool *all, struct prvcut_error *err)
{
    *all = *rows->region && strcmp(*rows->region, "all") == 0 && (rows->regions || rows->nothing);
    if (*all)
        *rows->region = NULL;
    if ((!rows->regions && !*all) || rows->first == 0)
        return api_region_is_one(*rows->region, err);
    prvcut_instead(err, "--by iteration");
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "rows of regions are of all their iterations: leave out --iteration");
}

enum prvcut_status api_structure_select(const struct made_structure *s,
                                        const struct prvcut_selection *what,
                                        struct prvcut_span *span, size_t *region,
                                        struct prvcut_error *err)
{
    struct prvcut_region_name name;
    const struct made_region *r;
    struct prvcut_span begin, end;
    enum prvcut_status st = PRVCUT_OK;

    if (api_region_is_one(what->region, err) < 0)
        return PRVCUT_EUSAGE;
    *region = prvcut_region_longest(s, what->level);
    if (what->region && strcmp(what->region, "longest") != 0) {
        if (!prvcut_region_parse(what->region, what->level, &name))
            return prvcut_fail(err, PRVCUT_EUSAGE, "'%.100s' is no region; write 1.4",
                               what->region);
        st = prvcut_region_find(s, name, region, err);
    } else if (*region == SIZE_MAX) {
        name = (struct prvcut_region_name){ .level = what->level > 0 ? what->level : 1,
                                            .number = 1,
                                            .last = 1 };
        st = sel_no_region(s, name, err);
    }
    if (st < 0)
        return st;
    r = &s->region[*region];
    *span = r->is.span;
    if (what->first == 0)
        return PRVCUT_OK;
    st = sel_known(r, what, err);
    if (st < 0)
        return st;
    if (!prvcut_iteration_span(s, r, what->first, &begin))
        begin = sel_reckoned(r, what->first);
    if (!prvcut_iteration_span(s, r, what->last, &end))
        end = sel_reckoned(r, what->last);
    *span = (struct prvcut_span){ begin.start, end.end };
    return PRVCUT_OK;
}
