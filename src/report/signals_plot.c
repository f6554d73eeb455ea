#include "model/made.h"
#include "prvcut/signals.h"

#include "report/plot.h"

#include <stdio.h>

#define WIDTH  1000
#define LEFT   80
#define RIGHT  24
#define TITLE  40 /* px above the first plot */
#define ABOVE  30 /* px above each plot, for its axis' title */
#define BELOW  42 /* px below it, for the time */
#define HEIGHT 170
#define ABSENT 28 /* px of a line about what is absent */

static void sgp_put_signal(struct report_lines *l, const struct prvcut_signal *s, int y,
                           const char *across)
{
    const struct prvcut_curve c = { .name = s->name,
                                    .unit = s->unit,
                                    .start = (double)s->start,
                                    .step = (double)s->width,
                                    .at = s->at,
                                    .count = s->bins };
    struct plot plot = {
        .out = l, .from = c.start, .to = c.start + c.step * (double)c.count, .height = HEIGHT
    };
    char at[64], title[96];

    plot_range(&plot, &c);
    snprintf(at, sizeof at, "x=\"%d\" y=\"%d\" ", LEFT, y + ABOVE);
    snprintf(title, sizeof title, "%.40s%s%.40s%s", s->name, *s->unit ? " (" : "", s->unit,
             *s->unit ? ")" : "");
    report_put(l, "<svg width=\"%d\" height=\"%d\" overflow=\"visible\" %s>\n",
               WIDTH - LEFT - RIGHT, HEIGHT, at);
    plot_begin(&plot, title, "A metric over time, averaged in equal bins.");
    plot_axes(&plot, across, title);
    plot_zoom_begin(&plot);
    plot_curve(&plot, &c);
    plot_zoom_end(&plot);
    plot_end(&plot);
    svg_put_raw(l, "</svg>\n");
}

static bool sgp_drawn(const struct prvcut_signal *s)
{
    return s->at && s->bins > 0 && s->width > 0;
}

static void sgp_put_absent(struct report_lines *l, const struct prvcut_signal *s, int y)
{
    report_put(l, "<text x=\"%d\" y=\"%d\">", LEFT, y + ABSENT - 10);
    svg_put_text(l, s->name);
    svg_put_raw(l, ": ");
    svg_put_text(l, s->absent ? s->absent : "absent");
    svg_put_raw(l, "</text>\n");
}

enum prvcut_status prvcut_signals_svg(const struct prvcut_signals *s, const char *title,
                                      char **text, struct prvcut_error *err)
{
    const char *across = s->clock ? "Instructions as time" : "Time";
    struct report_lines l = { .err = err };
    int height = TITLE, y = TITLE;

    for (size_t i = 0; i < s->count; i++)
        height += sgp_drawn(&made_signals_of(s)->at[i]) ? ABOVE + HEIGHT + BELOW : ABSENT;
    report_put(&l,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
               " viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
               WIDTH, height, WIDTH, height);
    svg_put_text(&l, title);
    report_put(&l,
               "</title>\n<style>%s</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
               "<text class=\"heading\" x=\"%d\" y=\"26\">",
               plot_style, WIDTH, height, LEFT);
    svg_put_short(&l, title, 100);
    svg_put_raw(&l, "</text>\n");
    for (size_t i = 0; i < s->count; i++) {
        if (sgp_drawn(&made_signals_of(s)->at[i]))
            sgp_put_signal(&l, &made_signals_of(s)->at[i], y, across);
        else
            sgp_put_absent(&l, &made_signals_of(s)->at[i], y);
        y += sgp_drawn(&made_signals_of(s)->at[i]) ? ABOVE + HEIGHT + BELOW : ABSENT;
    }
    svg_put_raw(&l, "</svg>\n");
    return report_take(&l, text);
}
