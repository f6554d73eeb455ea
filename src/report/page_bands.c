#include "report/page_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL  7.0 /* px a letter, at most */
#define NARROW 640 /* px: a plot is seldom narrower */
#define CROWDS 300 /* of regions too short to be drawn for themselves */

/* Does a name fit between two times, on a narrow page? */
static bool pgb_fits(const struct plot *plot, double from, double to, const char *text)
{
    const double share = (fmin(to, plot->to) - fmax(from, plot->from)) / (plot->to - plot->from);

    return share * NARROW > (double)svg_length(text) * LABEL + 8;
}

/* "loop 1: 8.300 to 125.881 ms, 50 iterations of 2.340 ms" */
static void pgb_tip(char *out, size_t room, const struct page *p, const struct prvcut_region *r)
{
    char name[64], from[32], to[32], count[32], period[32];
    int n;

    n = snprintf(out, room, "%s: %s to %s %s", page_kind(name, r),
                 report_clock_text(from, &p->clock, r->span.start, p->clock.places),
                 report_clock_text(to, &p->clock, r->span.end, p->clock.places), p->clock.unit);
    if (r->loop > 0 && n > 0 && (size_t)n < room)
        snprintf(out + n, room - (size_t)n, ", %s iteration%s of %s",
                 page_tenths(count, r->iterations), r->iterations == 1 ? "" : "s",
                 prvcut_time_text(period, r->period_ns));
}

static void pgb_put_band(const struct page *p, const struct plot *plot,
                         const struct prvcut_region *r)
{
    struct plot_piece piece = { (double)r->span.start, (double)r->span.end, NULL, NULL };
    char kind[64], tip[256];

    pgb_tip(tip, sizeof tip, p, r);
    piece.tip = tip;
    snprintf(kind, sizeof kind, "band %s", page_style(r));
    piece.kind = kind;
    plot_strip(plot, &piece, PAGE_STRIP, plot->height - PAGE_STRIP);
    snprintf(kind, sizeof kind, "strip %s", page_style(r));
    plot_strip(plot, &piece, 0, PAGE_STRIP - 2);
}

static void pgb_put_name(const struct plot *plot, const struct prvcut_region *r)
{
    const double from = fmax((double)r->span.start, plot->from);
    char name[64];

    page_kind(name, r);
    report_put(plot->out, "<text class=\"at name %s%s\" y=\"%d\" dx=\"5\"",
               r->loop > 0 || strcmp(page_style(r), "quiet") == 0 ? "" : "dark ",
               pgb_fits(plot, from, (double)r->span.end, name) ? "" : "tight", PAGE_STRIP - 6);
    report_put(plot->out, " data-end=\"%.0f\" data-ns=\"%.0f\" x=\"", (double)r->span.end,
               (double)r->span.start);
    svg_put_number(plot->out, 100 * (from - plot->from) / (plot->to - plot->from), 3);
    svg_put_raw(plot->out, "%\">");
    svg_put_text(plot->out, name);
    svg_put_raw(plot->out, "</text>\n");
}

static bool pgb_within(const struct plot *plot, const struct prvcut_span *span)
{
    return (double)span->end > plot->from && (double)span->start < plot->to;
}

/* The shortest piece that is still drawn, so that at most PAGE_BANDS are. */
static double pgb_least(const struct page *p, const struct plot *plot, unsigned level)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    double least = 0;

    for (double share = 1e-7;; share *= 2) {
        size_t count = 0;

        for (size_t i = 0; i < s->regions; i++)
            count += s->region[i].level == level && pgb_within(plot, &s->region[i].span) &&
                     (double)(s->region[i].span.end - s->region[i].span.start) >= least;
        if (count <= PAGE_BANDS)
            return least;
        least = share * (plot->to - plot->from);
    }
}

/** Short regions, near each other, that are drawn as one, as long as all of them. */
struct pgb_crowd {
    double from, length; /* ns: where the first begins, of all together */
    size_t count;
    bool masked;
};

static void pgb_put_crowd(const struct plot *plot, const struct pgb_crowd *c)
{
    char tip[64], count[32];
    struct plot_piece piece = { c->from, c->from + c->length,
                                c->masked ? "band masked" : "band quiet", tip };

    if (c->count == 0)
        return;
    snprintf(tip, sizeof tip, "%s short regions%s", report_count(count, c->count),
             c->masked ? ", some of them masked" : "");
    plot_strip(plot, &piece, PAGE_STRIP, plot->height - PAGE_STRIP);
    piece.kind = c->masked ? "strip masked" : "strip quiet";
    plot_strip(plot, &piece, 0, PAGE_STRIP - 2);
}

/* What is too short to be drawn for itself, however many there are. */
static void pgb_put_crowds(const struct page *p, const struct plot *plot, double least)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    const double cell = (plot->to - plot->from) / CROWDS;
    struct pgb_crowd crowd = { .count = 0 };

    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_region *r = &s->region[i];
        const double from = (double)r->span.start, to = (double)r->span.end;

        if (r->level != 1 || to - from >= least || !pgb_within(plot, &r->span))
            continue;
        if (crowd.count == 0 || from < crowd.from || from - crowd.from > cell) {
            pgb_put_crowd(plot, &crowd);
            crowd = (struct pgb_crowd){ .from = from };
        }
        crowd.length += to - from;
        crowd.masked |= strcmp(r->kind, "masked") == 0;
        crowd.count++;
    }
    pgb_put_crowd(plot, &crowd);
}

static bool pgb_alone(const struct plot *plot, const struct prvcut_region *r, double least)
{
    return r->level == 1 && pgb_within(plot, &r->span) &&
           (double)(r->span.end - r->span.start) >= least;
}

void page_put_bands(const struct page *p, const struct plot *plot)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    const double least = pgb_least(p, plot, 1);

    plot_clip_begin(plot);
    for (size_t i = 0; i < s->regions; i++)
        if (pgb_alone(plot, &s->region[i], least))
            pgb_put_band(p, plot, &s->region[i]);
    pgb_put_crowds(p, plot, least);
    for (size_t i = 0; i < s->regions; i++)
        if (pgb_alone(plot, &s->region[i], least))
            pgb_put_name(plot, &s->region[i]);
    plot_clip_end(plot);
}

void page_put_grid(const struct page *p, const struct plot *plot, const struct prvcut_region *r)
{
    const size_t borders = page_borders(r);

    if (borders == 0 || borders > PAGE_GRID ||
        (double)(r->span.end - r->span.start) / (double)borders < (plot->to - plot->from) / 160)
        return;
    svg_put_raw(p->out, "<path class=\"period\" vector-effect=\"non-scaling-stroke\" d=\"");
    for (size_t k = 0; k < borders; k++) {
        svg_put_raw(p->out, "M");
        svg_put_number(p->out, plot_across(plot, page_border(r, k)), 1);
        report_put(p->out, " %dV%d", PAGE_STRIP, plot->height);
    }
    svg_put_raw(p->out, "\"/>\n");
}

/* One region's borders, as whole ns from one to the next; left out where there are too many. */
static void pgb_put_borders(const struct page *p, const struct prvcut_region *r, size_t room)
{
    svg_put_raw(p->out, "{\"from\":");
    svg_put_number(p->out, (double)r->span.start, 0);
    svg_put_raw(p->out, ",\"to\":");
    svg_put_number(p->out, (double)r->span.end, 0);
    svg_put_raw(p->out, ",\"period\":");
    svg_put_number(p->out, r->period_ns, 3);
    svg_put_raw(p->out, ",\"at\":[");
    if (r->border && r->borders <= room)
        for (size_t k = 0; k < r->borders; k++)
            report_put(p->out, "%s%llu", k > 0 ? "," : "",
                       (unsigned long long)(r->border[k] - (k > 0 ? r->border[k - 1] : 0)));
    svg_put_raw(p->out, "]}");
}

void page_put_grid_data(const struct page *p, const struct prvcut_region *const *region,
                        size_t regions)
{
    size_t room = PAGE_BORDERS;

    svg_put_raw(p->out, ",\"grid\":[");
    for (size_t i = 0; i < regions; i++) {
        svg_put_raw(p->out, i > 0 ? "," : "");
        pgb_put_borders(p, region[i], room);
        room -= region[i]->borders <= room ? region[i]->borders : 0;
    }
    svg_put_raw(p->out, "]");
}

/* The row in which a window's name finds room; rows holds where the last name of each ends. */
static int pgb_row(double *rows, double from, double to)
{
    for (int i = 0; i < 3; i++)
        if (rows[i] < from) {
            rows[i] = to;
            return i;
        }
    return -1;
}

void page_put_windows(const struct page *p, const struct plot *plot)
{
    const struct prvcut_reduction *r = p->with->reduction;
    double rows[3] = { -1, -1, -1 };

    for (size_t i = 0; i < r->chops && i < PAGE_CHOPS; i++) {
        const struct prvcut_span *w = &r->chop[i].cut.window;
        const bool typical = strcmp(r->chop[i].kind, "typical") == 0;
        const double middle = ((double)w->start + (double)w->end) / 2;
        const double x = (middle - plot->from) / (plot->to - plot->from) * NARROW;
        char name[64], tip[128], from[32];
        const struct plot_piece piece = { (double)w->start, (double)w->end,
                                          typical ? "window" : "window odd", tip };
        double half;
        int row;

        if (!pgb_within(plot, w))
            continue;
        page_chop(name, p, i);
        snprintf(tip, sizeof tip, "chop, %s: %u iteration%s from %s %s", name,
                 r->chop[i].iterations, r->chop[i].iterations == 1 ? "" : "s",
                 report_clock_text(from, &p->clock, w->start, p->clock.exact), p->clock.unit);
        plot_strip(plot, &piece, PAGE_STRIP, plot->height - PAGE_STRIP);
        half = (double)svg_length(name) * LABEL / 2;
        row = pgb_row(rows, x - half, x + half);
        if (row >= 0)
            plot_label(plot, fmin(fmax(middle, plot->from), plot->to), PAGE_STRIP + 13 + 13 * row,
                       x < half            ? "start"
                       : x > NARROW - half ? "end"
                                           : "middle",
                       typical ? "chop" : "chop odd", name);
    }
}
