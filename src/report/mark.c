#include "prvcut/mark.h"
#include "report/command.h"

#include "report/json.h"
#include "report/marked.h"
#include "report/size.h"
#include "report/structure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum prvcut_status report_marked(const struct prvcut_marking *m, unsigned type, char **text,
                                 struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char count[32];

    report_head(&l, "Marks");
    report_put(&l, "%s events of type %u on %" PRIu32 " thread%s: ", report_count(count, m->marks),
               type, m->tasks, m->tasks == 1 ? "" : "s");
    report_put_foreign(&l, prvcut_marking_file(m, 0));
    report_put(&l, "\n");
    return report_take(&l, text);
}

static void mrk_put_region(struct report_lines *l, const struct made_region *r,
                           const struct report_clock *c)
{
    char count[32], length[64], from[40], to[40], sure[32];

    report_put(l, "%u.%u: %s iteration%s of %s, %s to %s, %s%s\n", r->is.level, r->is.number,
               report_tenths(count, r->is.iterations), r->is.iterations == 1 ? "" : "s",
               r->is.iterations < 1.5
                   ? prvcut_time_text(length, r->is.period_ns)
                   : report_length(length, r->is.median_ns, r->is.spread_ns, r->is.period_ns),
               report_clock_time(from, c, r->is.span.start, c->places),
               report_clock_time(to, c, r->is.span.end, c->places),
               isnan(r->is.confidence) ? "" : "sure: ", report_sure(sure, r->is.confidence));
}

/* Runs that are spoilt again and again have hundreds. */
#define REGIONS_SHOWN 20

static void mrk_put_regions(struct report_lines *l, const struct made_structure *s)
{
    const struct report_clock c = report_clock_for(s->is.end_ns, 0);
    size_t seen = 0;

    for (size_t i = 0; i < s->is.regions; i++) {
        if (s->region[i].is.level != 1 || s->region[i].is.loop == 0 || s->region[i].is.group > 0 ||
            seen++ >= REGIONS_SHOWN)
            continue;
        report_head(l, seen == 1 ? "Regions" : "");
        mrk_put_region(l, &s->region[i], &c);
    }
    if (seen > REGIONS_SHOWN) {
        report_head(l, "");
        report_put(l, "and %zu more; --json has them all\n", seen - REGIONS_SHOWN);
    }
    if (seen == 0) {
        report_head(l, "Regions");
        report_put(l, "none: %s\n", s->is.reason ? s->is.reason : "");
    }
}

/* The loop's iterations that lie in regions; *all: those that something disturbs, too. */
static uint64_t mrk_in_regions(const struct made_structure *s, uint64_t *all)
{
    const struct made_region *main = s->is.main < s->is.regions ? &s->region[s->is.main] : NULL;
    double sum = 0;

    *all = main ? main->is.loop_iterations : 0;
    for (size_t i = 0; main && i < s->is.regions; i++)
        if (s->region[i].is.level == 1 && s->region[i].is.loop == main->is.loop)
            sum += s->region[i].is.iterations;
    return (uint64_t)(sum + 0.5);
}

/* Disturbed ones have no marks. */
static void mrk_put_left_out(struct report_lines *l, const struct made_structure *s)
{
    uint64_t all;
    const uint64_t marked = mrk_in_regions(s, &all);
    char some[32], whole[32];

    if (marked == 0 || marked >= all)
        return;
    report_head(l, "");
    report_put(l, "%s of the loop's %s iterations; the disturbed ones have no marks\n",
               report_count(some, marked), report_count(whole, all));
}

static void mrk_put_marks(struct report_lines *l, const struct made_marking *m)
{
    char count[32], tasks[32], own[32];

    report_head(l, "Marks");
    report_put(l, "%s events of type %d", report_count(count, m->is.marks), PRVCUT_MARK_TYPE);
    if (m->is.marks > 0)
        report_put(l, " on %s task%s, ", report_count(tasks, m->is.tasks),
                   m->is.tasks == 1 ? "" : "s");
    if (m->is.marks > 0 && m->is.own_tasks == 0)
        report_put(l, "at one time for all");
    else if (m->is.marks > 0 && m->is.own_tasks >= m->is.tasks)
        report_put(l, m->is.tasks == 1 ? "at its own calls" : "each at its own calls");
    else if (m->is.marks > 0)
        report_put(l, "%s of them at their own calls", report_count(own, m->is.own_tasks));
    report_put(l, "\n");
}

static void mrk_put_timeline(struct report_lines *l, const struct made_marking *m)
{
    const struct prvcut_vote *v = &m->timeline;
    char period[32], own[32];

    if (!v->metric)
        return;
    report_head(l, "Timeline");
    if (v->period_ns > 0)
        report_put(l, "%s iterations of %s, strength %.2f%s\n", report_tenths(own, v->iterations),
                   prvcut_time_text(period, v->period_ns), v->strength,
                   m->is.by_timeline ? "; used, as nothing else shows a loop" : "");
    else
        report_put(l, "no loop: %s\n", v->why);
}

/* What cuts the typical ones; a loop that the timeline alone shows is not found without it. A
   command that is wrapped could not be typed. */
static void mrk_put_next(struct report_lines *l, const struct made_marking *m)
{
    const struct report_tag window = { .kind = REPORT_TAG_CUT }, job = { .kind = REPORT_TAG_CHOP };
    char there[2000];

    if (m->is.typical == 0 || !m->structure.typed)
        return;
    report_head(l, "Next");
    if (m->is.by_timeline && !report_cut_there(there, sizeof there, m->structure.cuts, &window))
        report_put(l, "prvcut cut --from %" PRIu64 "ns --to %" PRIu64 "ns %s\n",
                   m->is.typical_span.start, m->is.typical_span.end, m->structure.typed);
    else if (m->is.by_timeline || report_cut_there(there, sizeof there, m->structure.cuts, &job))
        report_put(l, "%s\n", there);
    else
        report_put(l, "prvcut --iterations %u %s\n", m->is.typical, m->structure.typed);
}

enum prvcut_status prvcut_marking_text(const struct prvcut_marking *view, char **text,
                                       struct prvcut_error *err)
{
    const struct made_marking *m = made_marking_of(view);
    struct report_lines l = { .err = err };

    mrk_put_regions(&l, &m->structure);
    mrk_put_timeline(&l, m);
    mrk_put_marks(&l, m);
    if (m->is.marks > 0)
        mrk_put_left_out(&l, &m->structure);
    if (m->is.marks > 0)
        report_put_written(&l, m->is.bytes, m->is.disk, m->is.size);
    for (size_t i = 0; i < m->is.files; i++) {
        report_head(&l, i == 0 ? "Files" : "");
        report_put_foreign(&l, m->file[i]);
        report_put(&l, "\n");
    }
    if (m->is.typical > 0) {
        report_head(&l, "Typical");
        report_put(&l, "iterations from %" PRIu64 "ns to %" PRIu64 "ns\n", m->is.typical_span.start,
                   m->is.typical_span.end);
    }
    report_wrap(&l, REPORT_WIDTH);
    mrk_put_next(&l, m);
    return report_take(&l, text);
}

static json_t *mrk_typical(const struct made_marking *m)
{
    if (m->is.typical == 0)
        return json_null();

    const struct report_field fields[] = {
        { "iterations", json_integer(m->is.typical) },
        { "start_ns", report_json_integer(m->is.typical_span.start) },
        { "end_ns", report_json_integer(m->is.typical_span.end) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *mrk_paths(const struct made_marking *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < m->is.files; i++) {
        const struct report_field fields[] = { { "path", report_json_text(m->file[i]) } };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_marking_json(const struct prvcut_marking *view, char **text,
                                       struct prvcut_error *err)
{
    const struct made_marking *m = made_marking_of(view);
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-mark"),
        { "type", json_integer(PRVCUT_MARK_TYPE) },
        { "marks", report_json_integer(m->is.marks) },
        { "tasks", report_json_integer(m->is.tasks) },
        { "own_tasks", report_json_integer(m->is.own_tasks) },
        { "timeline", m->timeline.metric ? report_json_votes(&m->timeline, 1) : json_null() },
        { "by_timeline", json_boolean(m->is.by_timeline) },
        { "typical", mrk_typical(m) },
        { "bytes", report_json_integer(m->is.bytes) },
        { "size", report_json_integer(m->is.size) },
        { "structure", report_json_structure(&m->structure) },
        { "output", mrk_paths(m) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
