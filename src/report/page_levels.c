#include "report/page_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAR    26  /* px: a level's row */
#define DEEP   8   /* levels that are drawn */
#define BARS   600 /* of the drawing */
#define LETTER 6.6 /* px */
#define NARROW 640 /* px: the drawing is seldom narrower */

/** Where a region lies in the drawing, as shares of its width. */
struct pgv_place {
    double from, to;
};

/* A part lies beneath the loop of which it divides one iteration, and fills that loop's bar. */
static struct pgv_place pgv_place(const struct prvcut_structure *s, size_t at)
{
    const struct prvcut_region *r = &s->region[at];
    struct prvcut_span whole = { 0, s->end_ns };
    struct pgv_place room = { 0, 1 }, place;
    double length;

    if (r->parent < at) {
        whole = s->region[r->parent].example;
        room = pgv_place(s, r->parent);
    }
    length = whole.end > whole.start ? (double)(whole.end - whole.start) : 1;
    place.from = fmax(0, ((double)r->span.start - (double)whole.start) / length);
    place.to = fmin(1, ((double)r->span.end - (double)whole.start) / length);
    place.to = fmax(place.to, place.from);
    return (struct pgv_place){ room.from + place.from * (room.to - room.from),
                               room.from + place.to * (room.to - room.from) };
}

static unsigned pgv_deepest(const struct prvcut_structure *s)
{
    unsigned deepest = 1;

    for (size_t i = 0; i < s->regions; i++)
        if (s->region[i].level > deepest)
            deepest = s->region[i].level;
    return deepest < DEEP ? deepest : DEEP;
}

static void pgv_bar_text(char *out, size_t room, const struct prvcut_region *r)
{
    char name[64], count[32], period[32];

    if (r->loop == 0)
        snprintf(out, room, "%s", page_kind(name, r));
    else
        snprintf(out, room, "%s: %s \xc3\x97 %s", page_kind(name, r),
                 page_tenths(count, r->iterations), prvcut_time_text(period, r->period_ns));
}

/* As many words as there is room for: all, the name alone, none. */
static void pgv_put_bar_text(const struct page *p, const struct prvcut_region *r, const char *text,
                             double room)
{
    char name[64];

    page_kind(name, r);
    report_put(p->out, "<text class=\"%s\" x=\"6\" y=\"17\" data-full=\"",
               (double)svg_length(name) * LETTER > room ? "tight" : "");
    svg_put_text(p->out, text);
    svg_put_raw(p->out, "\" data-short=\"");
    svg_put_text(p->out, name);
    svg_put_raw(p->out, "\">");
    svg_put_text(p->out, (double)svg_length(text) * LETTER > room ? name : text);
    svg_put_raw(p->out, "</text>");
}

static void pgv_put_bar(const struct page *p, size_t at)
{
    const struct prvcut_region *r = &p->with->reduction->structure.region[at];
    const struct pgv_place place = pgv_place(&p->with->reduction->structure, at);
    const int y = (int)(r->level - 1) * (BAR + 2);
    char text[160];

    pgv_bar_text(text, sizeof text, r);
    report_put(p->out, "<svg class=\"bar\" y=\"%d\" height=\"%d\" data-region=\"%zu\" x=\"", y, BAR,
               at);
    svg_put_number(p->out, 100 * place.from, 4);
    svg_put_raw(p->out, "%\" width=\"");
    svg_put_number(p->out, 100 * (place.to - place.from), 4);
    svg_put_raw(p->out, "%\" data-a=\"");
    svg_put_number(p->out, place.from, 6);
    svg_put_raw(p->out, "\" data-b=\"");
    svg_put_number(p->out, place.to, 6);
    report_put(p->out, "\"><rect class=\"%s\" width=\"100%%\" height=\"%d\"/><title>",
               page_style(r), BAR);
    svg_put_text(p->out, text);
    svg_put_raw(p->out, "</title>");
    pgv_put_bar_text(p, r, text, (place.to - place.from) * NARROW - 12);
    svg_put_raw(p->out, "</svg>\n");
}

/* The longest ones, so that thousands of pieces do not make a drawing of megabytes. */
static double pgv_least(const struct prvcut_structure *s)
{
    for (double least = 0;; least = least > 0 ? 2 * least : 1e-5) {
        size_t count = 0;

        for (size_t i = 0; i < s->regions; i++) {
            const struct pgv_place place = pgv_place(s, i);

            count += s->region[i].level <= DEEP && place.to - place.from >= least;
        }
        if (count <= BARS)
            return least;
    }
}

static void pgv_put_drawing(const struct page *p)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    const unsigned levels = pgv_deepest(s);
    const double least = pgv_least(s);

    svg_put_raw(
        p->out,
        "<figure class=\"icicle\">\n<figcaption><span>Each row divides one iteration of the "
        "loops above it</span><span class=\"tools\" hidden><output></output>"
        "<button type=\"button\" data-do=\"up\">Up</button>"
        "<button type=\"button\" data-do=\"all\">Reset</button></span></figcaption>\n"
        "<div class=\"area\">\n");
    report_put(p->out,
               "<svg class=\"plot levels\" role=\"group\" width=\"100%%\" height=\"%u\""
               " overflow=\"visible\" aria-label=\"Levels as nested bars\">\n",
               levels * (BAR + 2));
    for (unsigned i = 0; i < levels; i++)
        report_put(p->out,
                   "<text class=\"tick\" x=\"-8\" y=\"%u\" text-anchor=\"end\">level %u"
                   "</text>\n",
                   i * (BAR + 2) + 17, i + 1);
    report_put(p->out, "<svg class=\"clip\" width=\"100%%\" height=\"%u\">\n", levels * (BAR + 2));
    for (size_t i = 0; i < s->regions; i++) {
        const struct pgv_place place = pgv_place(s, i);

        if (s->region[i].level <= DEEP && place.to - place.from >= least)
            pgv_put_bar(p, i);
    }
    svg_put_raw(p->out, "</svg></svg>\n</div>\n<div class=\"detail\" aria-live=\"polite\" hidden>"
                        "</div>\n</figure>\n");
}

/* The numbers of one region in a row; the script shows the same of a bar that is chosen. */
static void pgv_put_loop_cells(const struct page *p, const struct prvcut_region *r)
{
    const double times[] = { r->period_ns, r->median_ns, r->first_ns, r->last_ns, r->spread_ns };
    char text[32], follow[48];

    page_cell(p, "n", page_tenths(text, r->iterations));
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        page_cell(p, "n", times[i] > 0 ? prvcut_time_text(text, times[i]) : "\xe2\x80\x93");
    snprintf(follow, sizeof follow, "%u of %u", r->followers, r->examined);
    page_cell(p, "n", r->examined > 0 ? follow : "\xe2\x80\x93");
    page_cell(p, "n", report_sure(text, r->confidence));
    page_cell(p, "", r->source ? r->source : "");
}

static void pgv_put_departures(const struct page *p, const struct prvcut_region *r)
{
    char text[32];

    for (size_t i = 0; i < r->departures && i < 4; i++) {
        const struct prvcut_departure *d = &r->departure[i];

        svg_put_raw(p->out, "<tr class=\"note\"><td></td><td colspan=\"11\">calls depart ");
        if (d->every > 0)
            report_put(p->out, "in every %sth iteration", report_count(text, d->every));
        else
            svg_put_raw(p->out, "now and then");
        report_put(p->out, ", first in iteration %s", report_count(text, d->first));
        if (d->count > 1)
            report_put(p->out, ", %s times in all", report_count(text, d->count));
        svg_put_raw(p->out, ": ");
        if (d->calls == 0)
            svg_put_raw(p->out, "as many calls, but others");
        else
            report_put(p->out, "%s call%s %s on a thread",
                       report_count(text, (uint64_t)llabs(d->calls)),
                       llabs(d->calls) == 1 ? "" : "s", d->calls < 0 ? "less" : "more");
        svg_put_raw(p->out, "</td></tr>\n");
    }
}

static void pgv_put_row(const struct page *p, size_t at)
{
    const struct prvcut_region *r = &p->with->reduction->structure.region[at];
    const double length = (double)(r->span.end - r->span.start);
    char text[96], name[64];

    report_put(p->out,
               "<tr data-row=\"%zu\" class=\"l%u\"><th scope=\"row\"><i class=\"swatch %s\"></i>",
               at, r->level < 6 ? r->level : 6, page_style(r));
    if (r->number > 0)
        snprintf(text, sizeof text, "%u.%u %s", r->level, r->number, page_kind(name, r));
    else
        snprintf(text, sizeof text, "%s", page_kind(name, r));
    svg_put_text(p->out, text);
    svg_put_raw(p->out, "</th>");
    page_cell(p, "n", report_clock_text(text, &p->clock, r->span.start, p->clock.places));
    page_cell(p, "n", prvcut_time_text(text, length));
    if (r->loop > 0)
        pgv_put_loop_cells(p, r);
    else
        svg_put_raw(p->out, "<td colspan=\"9\"></td>");
    svg_put_raw(p->out, "</tr>\n");
    pgv_put_departures(p, r);
}

static bool pgv_shown(const struct prvcut_structure *s, size_t at)
{
    return s->regions <= PAGE_REGIONS || strcmp(s->region[at].kind, "masked") != 0;
}

static void pgv_put_table(const struct page *p)
{
    static const char *const heads[] = { "Length", "Iterations", "Period", "Median",    "First",
                                         "Last",   "Spread",     "Follow", "Confidence" };
    const struct prvcut_structure *s = &p->with->reduction->structure;
    size_t shown = 0;

    report_put(
        p->out,
        "<div class=\"scroll\"><table class=\"regions\"><caption>All regions, at all levels; the "
        "parts of one "
        "iteration stand below their loop</caption>\n<thead><tr><th scope=\"col\">Region</th>"
        "<th scope=\"col\" class=\"n\">Start (%s)</th>",
        p->clock.unit);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_put(p->out, "<th scope=\"col\" class=\"n\">%s</th>", heads[i]);
    svg_put_raw(p->out, "<th scope=\"col\">Source</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < s->regions && shown < PAGE_REGIONS; i++)
        if (pgv_shown(s, i)) {
            pgv_put_row(p, i);
            shown++;
        }
    svg_put_raw(p->out, "</tbody></table></div>\n");
    if (shown < s->regions)
        report_put(p->out, "<p class=\"more\">%zu more regions are not in this table.</p>\n",
                   s->regions - shown);
}

void page_put_levels(const struct page *p)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;

    page_section(p, "levels", "Levels");
    if (s->regions > 0) {
        pgv_put_drawing(p);
        pgv_put_table(p);
    } else {
        svg_put_raw(p->out, "<p>The run was not divided.</p>\n");
    }
    page_section_end(p);
}
