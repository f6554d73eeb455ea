#include "prvcut/structure.h"

#include "report/json.h"
#include "report/lines.h"
#include "report/structure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One iteration. */
struct row {
    uint64_t number;
    const struct made_region *region; /* NULL: it is in none */
    unsigned loop, level;
    struct prvcut_span span;
    bool disturbed, unusual;
};

/* Rows go where they are wanted: as values, or as a line for a person. */
typedef void itr_put(struct report_lines *l, const struct row *r, void *ctx);

static const struct made_region *itr_region(const struct made_structure *s,
                                            const struct prvcut_stretch *t, uint64_t number)
{
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (r->is.number > 0 && r->is.loop == t->loop && r->is.level == t->level &&
            r->is.parent == t->parent && number >= r->is.first &&
            (double)(number - r->is.first) < r->is.iterations)
            return r;
    }
    return NULL;
}

static bool itr_unusual(const struct made_region *r, uint64_t number)
{
    for (size_t i = 0; r && i < r->is.outliers; i++)
        if (r->is.first + r->outlier[i].iteration == number)
            return true;
    return false;
}

static bool itr_wanted(const struct prvcut_limits *limits, const struct row *r)
{
    const bool regions =
        limits && limits->regions && strcmp(limits->regions, "all") != 0 && limits->first == 0;

    if (regions && !r->region)
        return false;
    return !limits || limits->first == 0 ||
           (r->number >= limits->first && r->number <= limits->last);
}

/* Masks begin in order of time, and may overlap: the latest end so far tells. */
static void itr_stretch(struct report_lines *l, const struct made_structure *s,
                        const struct prvcut_stretch *t, const struct prvcut_limits *limits,
                        itr_put *put, void *ctx)
{
    const struct made_region *region = NULL;
    uint64_t masked = 0;
    size_t mask = 0;

    for (size_t i = 0; i + 1 < t->borders && l->st == PRVCUT_OK; i++) {
        struct row r = { .number = t->first + i,
                         .loop = t->loop,
                         .level = t->level,
                         .span = { t->border[i], t->border[i + 1] } };

        for (; mask < s->is.masks && s->mask[mask].span.start < r.span.end; mask++)
            masked = s->mask[mask].span.end > masked ? s->mask[mask].span.end : masked;
        if (!region || (double)(r.number - region->is.first) >= region->is.iterations)
            region = itr_region(s, t, r.number);
        r.region = region;
        r.disturbed = masked > r.span.start;
        r.unusual = itr_unusual(region, r.number);
        if (itr_wanted(limits, &r))
            put(l, &r, ctx);
    }
}

static void itr_all(struct report_lines *l, const struct made_structure *s,
                    const struct prvcut_limits *limits, itr_put *put, void *ctx)
{
    for (size_t i = 0; i < s->is.stretches; i++)
        itr_stretch(l, s, &s->stretch[i], limits, put, ctx);
}

static const char *itr_marks(const struct row *r)
{
    static const char *const words[] = { "", "disturbed", "unusual", "disturbed unusual" };

    return words[(r->disturbed ? 1 : 0) + (r->unusual ? 2 : 0)];
}

static void itr_name(char out[32], const struct row *r)
{
    *out = '\0';
    if (r->region)
        snprintf(out, 32, "%u.%u", r->region->is.level, r->region->is.number);
}

static void itr_put_values(struct report_lines *l, const struct row *r, void *ctx)
{
    char region[32];

    (void)ctx;
    itr_name(region, r);
    report_put(l, "%" PRIu64 ",%s,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s\n", r->number,
               region, r->level, r->loop, r->span.start, r->span.end, r->span.end - r->span.start,
               itr_marks(r));
}

enum prvcut_status report_iterations_csv(const struct made_structure *s,
                                         const struct prvcut_limits *limits, char **text,
                                         struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l, "number,region,level,loop,start_ns,end_ns,length_ns,marks\n");
    itr_all(&l, s, limits, itr_put_values, NULL);
    return report_take(&l, text);
}

static void itr_put_line(struct report_lines *l, const struct row *r, void *ctx)
{
    const struct report_clock *c = ctx;
    char region[32], start[40], end[40], length[32];

    itr_name(region, r);
    report_put(l, "%9" PRIu64 "  %-6s  %14s  %14s  %10s%s%s\n", r->number, region,
               report_clock_time(start, c, r->span.start, c->places),
               report_clock_time(end, c, r->span.end, c->places),
               prvcut_time_text(length, (double)(r->span.end - r->span.start)),
               *itr_marks(r) ? "  " : "", itr_marks(r));
}

enum prvcut_status report_iterations_text(const struct made_structure *s,
                                          const struct prvcut_limits *limits, char **text,
                                          struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    struct report_clock c = report_clock_for(s->is.end_ns, 0);

    c.places = c.exact;
    report_put(&l, "%9s  %-6s  %14s  %14s  %10s  %s\n", "Iteration", "Region", "From", "To",
               "Length", "Marks");
    itr_all(&l, s, limits, itr_put_line, &c);
    return report_take(&l, text);
}

static json_t *itr_region_json(char name[32], const struct row *r)
{
    itr_name(name, r);
    return report_json_text(*name ? name : NULL);
}

static void itr_put_object(struct report_lines *l, const struct row *r, void *ctx)
{
    char region[32];
    const struct report_field fields[] = {
        { "iteration", report_json_integer(r->number) },
        { "region", itr_region_json(region, r) },
        { "level", report_json_integer(r->level) },
        { "loop", report_json_integer(r->loop) },
        { "start_ns", report_json_integer(r->span.start) },
        { "end_ns", report_json_integer(r->span.end) },
        { "disturbed", json_boolean(r->disturbed) },
        { "unusual", json_boolean(r->unusual) },
    };

    if (json_array_append_new(ctx, REPORT_JSON_OBJECT(fields)) != 0)
        l->st = PRVCUT_ENOMEM;
}

json_t *report_json_iterations(const struct made_structure *s)
{
    const struct prvcut_limits limits = { .first = s->is.first, .last = s->is.last };
    struct report_lines l = { .st = PRVCUT_OK };
    json_t *list = s->is.first > 0 ? json_array() : json_null();

    if (s->is.first > 0)
        itr_all(&l, s, &limits, itr_put_object, list);
    return report_json_keep(list, l.st < 0);
}
