#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARKS 10  /* of the time axis at most */
#define LOW   200 /* px: a lower plot is narrow, too, and has half of them */

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

/* A position across, and the time that it stands for. */
static void plt_put_at(const struct plot *p, const char *name, double ns)
{
    plt_put_attribute(p, name, plt_percent(p, ns), 3, "%");
    plt_put_attribute(p, "data-ns", ns, 1, "");
}

void plot_begin(const struct plot *p, const char *at, const char *name, const char *text)
{
    report_put(p->out,
               "<svg class=\"plot\" role=\"img\" overflow=\"visible\" width=\"100%%\""
               " height=\"%d\" %s",
               p->height, at);
    plt_put_attribute(p, "data-from", p->from, 1, "");
    plt_put_attribute(p, "data-to", p->to, 1, "");
    plt_put_attribute(p, "data-low", p->low / (p->unit > 0 ? p->unit : 1), 6, "");
    plt_put_attribute(p, "data-high", p->high / (p->unit > 0 ? p->unit : 1), 6, "");
    plt_put(p, " aria-label=\"");
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

/* Counts have no parts. */
static void plt_make_whole(struct plot_ticks *t, double from, double to)
{
    if (t->step >= 1)
        return;
    *t = (struct plot_ticks){ .first = ceil(from), .step = 1, .scale = 1, .unit = "" };
    t->count = to >= t->first ? 1 + (unsigned)(to - t->first) : 0;
}

static void plt_put_up(const struct plot *p, const char *title)
{
    const double unit = p->unit > 0 ? p->unit : 1, top = p->top > p->low ? p->top : p->high;
    struct plot_ticks t = plot_ticks(p->low / unit, top / unit, p->height < 140 ? 3 : 5);
    char text[32];

    if (p->whole)
        plt_make_whole(&t, p->low, p->top);
    plt_put(p, "<g class=\"yaxis\">");
    for (unsigned i = 0; i < t.count; i++) {
        const double value = t.first + i * t.step;
        const double y = p->height * (p->high - value * unit) / (p->high - p->low);

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

void plot_unit(struct plot *p, const struct prvcut_curve *c, char title[96])
{
    static const char *const times[] = { "ns", "us", "ms", "s" };
    static const char *const powers[] = { "", "thousand ", "million ", "billion " };
    const char *unit = c->unit ? c->unit : "";
    const bool time = strcmp(unit, "ns") == 0;
    const double largest = fmax(fabs(p->low), fabs(p->top));
    size_t i = 0;

    for (p->unit = 1; i < 3 && largest / p->unit >= (time ? 1000 : 50000); p->unit *= 1000)
        i++;
    if (time)
        snprintf(title, 96, "%.40s (%s)", c->name ? c->name : "", times[i]);
    else if (*unit || i > 0)
        snprintf(title, 96, "%.40s (%s%.30s)", c->name ? c->name : "", powers[i], unit);
    else
        snprintf(title, 96, "%.40s", c->name ? c->name : "");
}

static void plt_put_across(const struct plot *p, const char *title, const struct plot_ticks *ticks)
{
    const struct plot_ticks t = *ticks;
    char text[32];

    report_put(p->out, "<g class=\"xaxis\" data-title=\"%s\">", title);
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

static void plt_put_axes(const struct plot *p, const char *across, const char *up,
                         const struct plot_ticks *ticks)
{
    if (up)
        plt_put_up(p, up);
    plt_put_across(p, across, ticks);
    report_put(p->out, "<line class=\"axis\" x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n",
               p->height, p->height);
}

static unsigned plt_marks(const struct plot *p)
{
    return p->height < LOW ? MARKS / 2 : MARKS;
}

void plot_axes(const struct plot *p, const char *across, const char *up)
{
    const struct plot_ticks t = plot_time_ticks(p->from, p->to, plt_marks(p));

    plt_put_axes(p, across, up, &t);
}

void plot_axes_counted(const struct plot *p, const char *across, const char *up)
{
    struct plot_ticks t = plot_ticks(p->from, p->to, plt_marks(p));

    plt_make_whole(&t, p->from, p->to);
    plt_put_axes(p, across, up, &t);
}

void plot_zoom_begin(const struct plot *p)
{
    report_put(p->out,
               "<svg class=\"zoom\" width=\"100%%\" height=\"%d\" viewBox=\"0 0 %.0f %d\""
               " preserveAspectRatio=\"none\" data-across=\"%.0f\">\n",
               p->height, PLOT_ACROSS, p->height, PLOT_ACROSS);
}

void plot_zoom_end(const struct plot *p)
{
    plt_put(p, "</svg>\n");
}

void plot_clip_begin(const struct plot *p)
{
    report_put(p->out, "<svg class=\"clip\" width=\"100%%\" height=\"%d\">\n", p->height);
}

void plot_clip_end(const struct plot *p)
{
    plt_put(p, "</svg>\n");
}

double plot_across(const struct plot *p, double ns)
{
    return PLOT_ACROSS * (ns - p->from) / (p->to - p->from);
}

void plot_strip(const struct plot *p, const struct plot_piece *piece, int top, int height)
{
    const double from = fmax(piece->from, p->from), to = fmin(piece->to, p->to);

    if (!(to > from))
        return;
    report_put(p->out, "<rect class=\"at %s\" y=\"%d\" height=\"%d\"", piece->kind, top, height);
    plt_put_at(p, "x", from);
    plt_put_attribute(p, "width", plt_percent(p, to) - plt_percent(p, from), 3, "%");
    plt_put_attribute(p, "data-end", to, 1, "");
    if (piece->tip) {
        plt_put(p, "><title>");
        svg_put_text(p->out, piece->tip);
        plt_put(p, "</title></rect>\n");
    } else {
        plt_put(p, "/>\n");
    }
}

void plot_label(const struct plot *p, double ns, int top, const char *anchor, const char *kind,
                const char *text)
{
    report_put(p->out, "<text class=\"at %s\" y=\"%d\" text-anchor=\"%s\"", kind, top, anchor);
    plt_put_at(p, "x", ns);
    plt_put(p, ">");
    svg_put_text(p->out, text);
    plt_put(p, "</text>\n");
}

void plot_mark(const struct plot *p, double ns, int top, const char *kind)
{
    report_put(p->out, "<line class=\"at %s\" y1=\"%d\" y2=\"%d\"", kind, top, p->height);
    plt_put_attribute(p, "x1", plt_percent(p, ns), 3, "%");
    plt_put_at(p, "x2", ns);
    plt_put(p, "/>\n");
}
