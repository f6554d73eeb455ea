#include "report/page_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The strip, and two or three rows of windows' names, lie above the curve. */
static void pgs_room(struct plot *plot, int top)
{
    plot->high = plot->low + (plot->high - plot->low) * plot->height / (plot->height - top);
}

/* Only what is there needs a word. */
static bool pgs_seen(const struct page *p, const char *style)
{
    const struct prvcut_reduction *r = p->with->reduction;

    for (size_t i = 0; i < r->structure.regions; i++)
        if (r->structure.region[i].level == 1 &&
            strncmp(page_style(&r->structure.region[i]), style, strlen(style)) == 0)
            return true;
    for (size_t i = 0; i < r->chops; i++)
        if (strcmp(style, strcmp(r->chop[i].kind, "typical") == 0 ? "window" : "window odd") == 0)
            return true;
    return false;
}

static void pgs_put_key(const struct page *p, const char *kind, const char *name)
{
    report_put(p->out,
               "<li><svg width=\"18\" height=\"12\" aria-hidden=\"true\">"
               "<rect class=\"key %s\" width=\"18\" height=\"12\"/></svg>%s</li>",
               kind, name);
}

static void pgs_put_legend(const struct page *p)
{
    static const char *const keys[][3] = {
        { "loop", "loop loop1", "loop" },          { "quiet", "quiet", "initialisation, end" },
        { "aperiodic", "aperiodic", "aperiodic" }, { "masked", "masked", "masked" },
        { "window", "window", "chop, typical" },   { "window odd", "window odd", "chop, outlier" },
    };

    svg_put_raw(p->out, "<ul class=\"legend\">");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (pgs_seen(p, keys[i][0]))
            pgs_put_key(p, keys[i][1], keys[i][2]);
    if (pgs_seen(p, "loop"))
        pgs_put_key(p, "period", "iterations");
    svg_put_raw(p->out, "<li><span class=\"key line\"></span>mean, and from the least to the "
                        "greatest value</li></ul>\n");
}

/* The regions of level 1 that repeat. */
static size_t pgs_loops(const struct page *p, const struct prvcut_region *out[64])
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    size_t count = 0;

    for (size_t i = 0; i < s->regions && count < 64; i++)
        if (s->region[i].level == 1 && s->region[i].loop > 0)
            out[count++] = &s->region[i];
    return count;
}

/* Title and range of the vertical axis; what dwarfs the loop is cut off, and said to be. */
static void pgs_up(struct plot *plot, const struct prvcut_curve *c, const struct prvcut_region *r,
                   char title[192])
{
    const double ceiling = r ? page_ceiling(c, r) : INFINITY;
    char name[96], greatest[32];
    double most;

    plot_range(plot, c);
    most = plot->top;
    if (ceiling < most) {
        plot->top = ceiling;
        plot->high = ceiling * 1.05;
    }
    plot_unit(plot, c, name);
    if (ceiling < most && c->unit && strcmp(c->unit, "ns") == 0)
        snprintf(title, 192, "%s, cut off at the top: up to %s", name,
                 prvcut_time_text(greatest, most));
    else if (ceiling < most)
        snprintf(title, 192, "%s, cut off at the top: up to %s", name,
                 svg_fixed(greatest, most / plot->unit, most / plot->unit < 100));
    else
        snprintf(title, 192, "%s", name);
}

static void pgs_put_plot(const struct page *p, const struct prvcut_curve *c, struct plot *plot,
                         const char *name)
{
    const struct prvcut_region *loop[64];
    const size_t loops = pgs_loops(p, loop);
    char title[192];

    pgs_up(plot, c, page_main(p), title);
    pgs_room(plot, PAGE_STRIP + 30);
    plot_begin(plot, "data-zoom tabindex=\"0\"", name,
               "The metric over time, with the regions of the run behind it, the borders of "
               "iterations and the windows that were cut.");
    page_put_bands(p, plot);
    plot_axes(plot, "Time", title);
    plot_zoom_begin(plot);
    for (size_t i = 0; i < loops; i++)
        page_put_grid(p, plot, loop[i]);
    plot_curve(plot, c);
    plot_zoom_end(plot);
    plot_clip_begin(plot);
    page_put_windows(p, plot);
    plot_clip_end(plot);
    plot_end(plot);
    svg_put_raw(p->out, "</div>\n<script type=\"application/json\" class=\"data\">{\"curve\":");
    plot_data(plot, c, PAGE_COLUMNS);
    page_put_grid_data(p, loop, loops);
    svg_put_raw(p->out, "}</script>\n");
}

static bool pgs_extent(const struct page *p, const struct prvcut_curve *c, struct plot *plot)
{
    *plot = (struct plot){
        .out = p->out, .from = c->start, .to = c->start + c->step * (double)c->count, .height = 220
    };
    return c->at && c->count > 0 && c->step > 0 && plot->to > plot->from;
}

void page_put_signal(const struct page *p)
{
    const size_t lead = page_lead(p);
    const struct prvcut_curve *run = &p->with->run;
    struct plot plot;
    char heading[160], name[64], place[64];

    page_section(p, "signal", "Signal");
    if (pgs_extent(p, run, &plot)) {
        page_figure(p, "", "The whole run");
        pgs_put_plot(p, run, &plot, "Signal over the whole run");
        page_figure_end(p);
    } else {
        svg_put_raw(p->out, "<p>The trace holds no signal that could be drawn.</p>\n");
    }
    if (lead != SIZE_MAX && pgs_extent(p, &p->with->search[lead].signal, &plot)) {
        const struct prvcut_region *m =
            &p->with->reduction->structure.region[p->with->search[lead].region];

        snprintf(heading, sizeof heading, "The periodic region: %s (%s)", page_kind(name, m),
                 page_place(place, m));
        page_figure(p, "", heading);
        pgs_put_plot(p, &p->with->search[lead].signal, &plot, "Signal over the periodic region");
        page_figure_end(p);
    }
    pgs_put_legend(p);
    page_section_end(p);
}

/* An inner loop: one iteration of the loop around it, and the autocorrelation that told. */
static void pgs_put_inner(const struct page *p, const struct prvcut_page_search *s)
{
    const struct prvcut_region *r = &p->with->reduction->structure.region[s->region];
    struct plot plot;
    char heading[160], name[64], place[64], title[192], period[32];

    snprintf(heading, sizeof heading, "%s (%s), %s", page_kind(name, r), page_place(place, r),
             prvcut_time_text(period, r->period_ns));
    svg_put_raw(p->out, "<div class=\"pair\">\n");
    if (pgs_extent(p, &s->signal, &plot)) {
        const struct prvcut_region *const only[] = { r };

        plot.height = 130;
        pgs_up(&plot, &s->signal, r, title);
        page_figure(p, "", heading);
        plot_begin(&plot, "data-zoom tabindex=\"0\"", heading,
                   "The metric over one iteration of the loop around it, with the borders of its "
                   "own iterations.");
        plot_axes(&plot, "Time", title);
        plot_zoom_begin(&plot);
        page_put_grid(p, &plot, r);
        plot_curve(&plot, &s->signal);
        plot_zoom_end(&plot);
        plot_end(&plot);
        svg_put_raw(p->out, "</div>\n<script type=\"application/json\" class=\"data\">{\"curve\":");
        plot_data(&plot, &s->signal, PAGE_COLUMNS / 4);
        page_put_grid_data(p, only, 1);
        svg_put_raw(p->out, "}</script>\n");
        page_figure_end(p);
    }
    page_put_likeness(p, s, true);
    svg_put_raw(p->out, "</div>\n");
}

void page_put_inner(const struct page *p)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    const size_t lead = page_lead(p);
    size_t shown = 0;

    for (size_t i = 0; i < p->with->searches && shown < PAGE_SEARCHES; i++) {
        if (p->with->search[i].region >= s->regions || i == lead)
            continue;
        if (shown++ == 0)
            svg_put_raw(p->out,
                        "<section id=\"inner\">\n<h3>Other loops, inner ones within one iteration "
                        "of the loop around it</h3>\n");
        pgs_put_inner(p, &p->with->search[i]);
    }
    if (shown > 0)
        page_section_end(p);
}
