#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARKS 10  /* of the time axis at most */
#define LOW   200 /* px: a lower plot is narrow, too, and has half of them */

/* Colours stand here once more, as they are: few programs but browsers know variables of style. */
const char plot_style[] =
    "text{font:11px system-ui,\"DejaVu Sans\",sans-serif;fill:#454c54}"
    ".heading{font-size:15px;font-weight:bold;fill:#16191d}"
    ".grid{stroke:#e3e6e9}.axis,.tickline{stroke:#8a929b}"
    ".curve{fill:none;stroke:#005a8f;stroke-width:1.2;stroke-linejoin:round}"
    ".curve.area{fill:#005a8f;fill-opacity:0.35;stroke-opacity:0.35;stroke-width:1}";

/* The least of 1, 2, 5 times a power of ten that is not below x. */
static double plt_round_up(double x)
{
    double power = pow(10, floor(log10(x)));

    while (power > x)
        power /= 10;
    for (;; power *= 10) {
        if (power >= x * (1 - 1e-9))
            return power;
        if (2 * power >= x * (1 - 1e-9))
            return 2 * power;
        if (5 * power >= x * (1 - 1e-9))
            return 5 * power;
    }
}

struct plot_ticks plot_ticks(double low, double high, unsigned most)
{
    struct plot_ticks t = { .scale = 1, .unit = "" };

    t.step = plt_round_up((high - low) / most);
    t.first = ceil(low / t.step - 1e-9) * t.step;
    t.count = (unsigned)fmax(0, floor((high - t.first) / t.step + 1e-9) + 1);
    for (double step = t.step; t.decimals < 6 && step < 1 - 1e-9; step *= 10)
        t.decimals++;
    return t;
}

struct plot_ticks plot_time_ticks(double from, double to, unsigned most)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
    struct plot_ticks t;
    size_t i = 0;

    while (i < 3 && fmax(fabs(from), fabs(to)) < units[i].scale)
        i++;
    t = plot_ticks(from / units[i].scale, to / units[i].scale, most);
    t.first *= units[i].scale;
    t.step *= units[i].scale;
    t.scale = units[i].scale;
    t.unit = units[i].unit;
    return t;
}

/* A share of the plot's width, in percent. */
static double plt_percent(const struct plot *p, double ns)
{
    return 100 * (ns - p->from) / (p->to - p->from);
}

static void plt_put(const struct plot *p, const char *text)
{
    svg_put_raw(p->out, text);
}

static void plt_put_attribute(const struct plot *p, const char *name, double x, int decimals,
                              const char *unit)
{
    report_put(p->out, " %s=\"", name);
    svg_put_number(p->out, x, decimals);
    report_put(p->out, "%s\"", unit);
}

void plot_begin(const struct plot *p, const char *name, const char *text)
{
    report_put(p->out,
               "<svg class=\"plot\" role=\"img\" overflow=\"visible\" width=\"100%%\""
               " height=\"%d\" aria-label=\"",
               p->height);
    svg_put_text(p->out, name);
    plt_put(p, ". ");
    svg_put_text(p->out, text);
    plt_put(p, "\"><desc>");
    svg_put_text(p->out, text);
    plt_put(p, "</desc>\n");
}

void plot_end(const struct plot *p)
{
    plt_put(p, "</svg>\n");
}

static void plt_put_up(const struct plot *p, const char *title)
{
    const double top = p->top > p->low ? p->top : p->high;
    const struct plot_ticks t = plot_ticks(p->low, top, p->height < 140 ? 3 : 5);
    char text[32];

    plt_put(p, "<g class=\"yaxis\">");
    for (unsigned i = 0; i < t.count; i++) {
        const double value = t.first + i * t.step;
        const double y = p->height * (p->high - value) / (p->high - p->low);

        plt_put(p, "<line class=\"grid\" x1=\"0\" x2=\"100%\"");
        plt_put_attribute(p, "y1", y, 1, "");
        plt_put_attribute(p, "y2", y, 1, "");
        plt_put(p, "/><text class=\"tick\" x=\"-8\" text-anchor=\"end\"");
        plt_put_attribute(p, "y", y + 4, 1, "");
        report_put(p->out, ">%s</text>", svg_fixed(text, value, t.decimals));
    }
    plt_put(p, "</g>\n<text class=\"title\" x=\"0\" y=\"-8\">");
    svg_put_text(p->out, title);
    plt_put(p, "</text>\n");
}

static void plt_put_across(const struct plot *p, const char *title)
{
    const struct plot_ticks t =
        plot_time_ticks(p->from, p->to, p->height < LOW ? MARKS / 2 : MARKS);
    char text[32];

    report_put(p->out, "<g class=\"xaxis\">");
    for (unsigned i = 0; i < t.count; i++) {
        const double ns = t.first + i * t.step, percent = plt_percent(p, ns);

        plt_put(p, "<line class=\"tickline\"");
        plt_put_attribute(p, "x1", percent, 3, "%");
        plt_put_attribute(p, "x2", percent, 3, "%");
        report_put(p->out, " y1=\"%d\" y2=\"%d\"/>", p->height, p->height + 4);
        plt_put(p, "<text class=\"tick\" text-anchor=\"middle\"");
        plt_put_attribute(p, "x", percent, 3, "%");
        report_put(p->out, " y=\"%d\">%s</text>", p->height + 17,
                   svg_fixed(text, ns / t.scale, t.decimals));
    }
    report_put(p->out, "<text class=\"title\" x=\"100%%\" y=\"%d\" text-anchor=\"end\">%s",
               p->height + 32, title);
    report_put(p->out, t.unit[0] ? " (%s)</text></g>\n" : "%s</text></g>\n", t.unit);
}

void plot_axes(const struct plot *p, const char *across, const char *up)
{
    plt_put_up(p, up);
    plt_put_across(p, across);
    report_put(p->out, "<line class=\"axis\" x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n",
               p->height, p->height);
}

void plot_zoom_begin(const struct plot *p)
{
    report_put(p->out,
               "<svg class=\"zoom\" width=\"100%%\" height=\"%d\" viewBox=\"0 0 %.0f %d\""
               " preserveAspectRatio=\"none\">\n",
               p->height, PLOT_ACROSS, p->height);
}

void plot_zoom_end(const struct plot *p)
{
    plt_put(p, "</svg>\n");
}

double plot_across(const struct plot *p, double ns)
{
    return PLOT_ACROSS * (ns - p->from) / (p->to - p->from);
}
