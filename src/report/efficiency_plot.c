#include "report/efficiency.h"

#include "report/plot.h"

#include <stdio.h>

#define WIDTH  760
#define HEIGHT 700
#define LEFT   70
#define ACROSS 470 /* px of a plot */
#define TITLE  40
#define ABOVE  34 /* px above each plot, for its title */
#define TALL   240
#define LEGEND 18 /* px of its line */

/* From here on values in percent are near the top; their axis begins at a multiple of the step. */
#define NEAR      50
#define NEAR_STEP 10

/* Powers of two on the axis of the speedup, at most. */
#define TICKS 8

/* Names of groups are cut to so many characters. */
#define NAME 24

/* What is drawn, each in its colour. */
struct epl_curve {
    const char *name, *colour;
    enum prvcut_pop factor;
    size_t first, end; /* runs; 0, 0: all */
};

static const struct epl_curve epl_factors[] = {
    { .name = "Load balance", .colour = "#005a8f", .factor = PRVCUT_POP_BALANCE },
    { .name = "Serialization", .colour = "#b35a00", .factor = PRVCUT_POP_SERIALIZATION },
    { .name = "Transfer", .colour = "#2d7a2d", .factor = PRVCUT_POP_TRANSFER },
    { .name = "IPC scalability", .colour = "#8a3b8f", .factor = PRVCUT_POP_IPC_SCALABILITY },
    { .name = "Instruction scalability",
      .colour = "#6b6b00",
      .factor = PRVCUT_POP_INSTRUCTION_SCALABILITY },
    { .name = "Frequency scalability",
      .colour = "#9a1f3a",
      .factor = PRVCUT_POP_FREQUENCY_SCALABILITY },
    { .name = "Global efficiency", .colour = "#16191d", .factor = PRVCUT_POP_GLOBAL },
};

#define IDEAL "#8a929b"

/* One plot: where it stands, and its values' range. */
struct epl_plot {
    struct report_lines *l;
    const struct prvcut_efficiency *e;
    double least, most; /* log2 of threads */
    double low, high;   /* log2 of the speedup, or percent */
    bool speedup;       /* so that perfect scaling is a straight line */
    int y;              /* px, of its top */
};

static double epl_threads(const struct prvcut_efficiency *e, size_t run)
{
    return prvcut_efficiency_run(e, run)->threads;
}

/* NAN: not told, or not to be drawn. */
static double epl_value(const struct epl_plot *p, const struct epl_curve *c, size_t run)
{
    return (c->factor == PRVCUT_POP_SPEEDUP ? 1 : 100) *
           prvcut_efficiency_factor(prvcut_efficiency_run(p->e, run), c->factor);
}

static size_t epl_end(const struct epl_plot *p, const struct epl_curve *c)
{
    return c->end > 0 ? c->end : p->e->runs;
}

static double epl_x(const struct epl_plot *p, double threads)
{
    const double at = log2(threads);

    return LEFT +
           (p->most > p->least ? ACROSS * (at - p->least) / (p->most - p->least) : ACROSS / 2.0);
}

static double epl_y(const struct epl_plot *p, double value)
{
    return p->y + TALL - TALL * ((p->speedup ? log2(value) : value) - p->low) / (p->high - p->low);
}

static void epl_number(struct report_lines *l, const char *name, double x)
{
    report_put(l, " %s=\"", name);
    svg_put_number(l, x, 1);
    svg_put_raw(l, "\"");
}

static void epl_text(struct report_lines *l, double x, double y, const char *anchor,
                     const char *text)
{
    report_put(l, "<text text-anchor=\"%s\"", anchor);
    epl_number(l, "x", x);
    epl_number(l, "y", y);
    svg_put_raw(l, ">");
    svg_put_text(l, text);
    svg_put_raw(l, "</text>\n");
}

static void epl_line(struct report_lines *l, const char *class, const double at[4])
{
    static const char *const name[4] = { "x1", "y1", "x2", "y2" };

    report_put(l, "<line class=\"%s\"", class);
    for (unsigned i = 0; i < 4; i++)
        epl_number(l, name[i], at[i]);
    svg_put_raw(l, "/>\n");
}

/* Does a run before it have as many threads? */
static bool epl_is_marked(const struct prvcut_efficiency *e, size_t run)
{
    for (size_t i = 0; i < run; i++)
        if (prvcut_efficiency_run(e, i)->threads == prvcut_efficiency_run(e, run)->threads)
            return true;
    return false;
}

static void epl_tick(const struct epl_plot *p, double value, const char *text)
{
    const double y = epl_y(p, value);

    epl_line(p->l, "grid", (const double[]){ LEFT, y, LEFT + ACROSS, y });
    epl_text(p->l, LEFT - 8, y + 4, "end", text);
}

static void epl_grid(const struct epl_plot *p)
{
    const struct plot_ticks t = plot_ticks(p->low, p->high, 6);
    const double step = ceil((p->high - p->low) / TICKS);
    char text[32];

    for (double k = p->low; k <= p->high && p->speedup; k += step)
        epl_tick(p, exp2(k), report_number(text, exp2(k)));
    for (unsigned i = 0; i < t.count && !p->speedup; i++)
        epl_tick(p, t.first + i * t.step, svg_fixed(text, t.first + i * t.step, t.decimals));
}

static void epl_axes(const struct epl_plot *p, const char *title)
{
    char text[32];

    epl_text(p->l, LEFT, p->y - 12, "start", title);
    epl_grid(p);
    for (size_t i = 0; i < p->e->runs; i++) {
        const uint32_t threads = prvcut_efficiency_run(p->e, i)->threads;

        if (epl_is_marked(p->e, i))
            continue;
        snprintf(text, sizeof text, "%u", threads);
        epl_text(p->l, epl_x(p, threads), p->y + TALL + 18, "middle", text);
    }
    epl_line(p->l, "axis", (const double[]){ LEFT, p->y + TALL, LEFT + ACROSS, p->y + TALL });
    epl_text(p->l, LEFT + ACROSS / 2.0, p->y + TALL + 36, "middle",
             report_efficiency_is_hybrid(p->e) ? "Threads" : "Ranks");
}

static void epl_point(const struct epl_plot *p, double threads, double value)
{
    svg_put_number(p->l, epl_x(p, threads), 1);
    svg_put_raw(p->l, ",");
    svg_put_number(p->l, epl_y(p, value), 1);
    svg_put_raw(p->l, " ");
}

static void epl_stroke(const struct epl_plot *p, const char *colour, bool dashed)
{
    report_put(p->l, "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\"%s points=\"",
               colour, dashed ? " stroke-dasharray=\"4 3\"" : "");
}

/* Behind the plot, at a height of its own. */
static void epl_legend(const struct epl_plot *p, const char *colour, const char *name, bool drawn,
                       size_t place)
{
    const double y = p->y + 14 + LEGEND * (double)place;

    report_put(p->l, "<rect width=\"10\" height=\"3\"");
    epl_number(p->l, "x", LEFT + ACROSS + 24);
    epl_number(p->l, "y", y - 6);
    report_put(p->l, " fill=\"%s\"/>\n<text text-anchor=\"start\"", colour);
    epl_number(p->l, "x", LEFT + ACROSS + 40);
    epl_number(p->l, "y", y);
    svg_put_raw(p->l, ">");
    svg_put_short(p->l, name, NAME);
    svg_put_raw(p->l, "</text>\n");
    if (!drawn)
        epl_text(p->l, LEFT + ACROSS + 180, y, "start", "-");
}

/* A point each; returns false where there is none. */
static bool epl_curve(const struct epl_plot *p, const struct epl_curve *c)
{
    bool drawn = false;

    epl_stroke(p, c->colour, false);
    for (size_t i = c->first; i < epl_end(p, c); i++) {
        const double value = epl_value(p, c, i);

        if (isnan(value))
            continue;
        epl_point(p, epl_threads(p->e, i), value);
        drawn = true;
    }
    svg_put_raw(p->l, "\"/>\n");
    for (size_t i = c->first; i < epl_end(p, c); i++) {
        const double value = epl_value(p, c, i);

        if (isnan(value))
            continue;
        report_put(p->l, "<circle r=\"3\" fill=\"%s\"", c->colour);
        epl_number(p->l, "cx", epl_x(p, epl_threads(p->e, i)));
        epl_number(p->l, "cy", epl_y(p, value));
        svg_put_raw(p->l, "/>\n");
    }
    return drawn;
}

/* The next number of threads that there is above one; 0: none. */
static double epl_next(const struct prvcut_efficiency *e, double above)
{
    double next = 0;

    for (size_t i = 0; i < e->runs; i++) {
        const double threads = epl_threads(e, i);

        if (threads > above && (next == 0 || threads < next))
            next = threads;
    }
    return next;
}

/* As many times faster as there are more threads than in a base; a line for each size of one. */
static void epl_ideal(const struct epl_plot *p, size_t place)
{
    const size_t groups = p->e->groups > 0 ? p->e->groups : 1;

    for (size_t i = 0; i < groups; i++) {
        const size_t base = p->e->groups > 0 ? prvcut_efficiency_group(p->e, i)->base : p->e->base;
        const double threads = epl_threads(p->e, base);
        bool twice = false;

        for (size_t k = 0; k < i; k++)
            twice |= epl_threads(p->e, prvcut_efficiency_group(p->e, k)->base) == threads;
        if (twice)
            continue;
        epl_stroke(p, IDEAL, true);
        for (double at = threads; at > 0; at = epl_next(p->e, at))
            epl_point(p, at, at / threads);
        svg_put_raw(p->l, "\"/>\n");
    }
    epl_legend(p, IDEAL, "Ideal", true, place);
}

static void epl_range(struct epl_plot *p, const struct epl_curve *curve, size_t curves, double high)
{
    const struct prvcut_efficiency *e = p->e;

    p->low = 0;
    p->high = high;
    p->least = INFINITY;
    p->most = 0;
    for (size_t i = 0; i < e->runs; i++) {
        p->least = fmin(p->least, log2(epl_threads(e, i)));
        p->most = fmax(p->most, log2(epl_threads(e, i)));
    }
    for (size_t k = 0; k < curves; k++)
        for (size_t i = curve[k].first; i < epl_end(p, &curve[k]); i++) {
            const double value = epl_value(p, &curve[k], i);

            p->high = value > p->high ? value : p->high;
        }
}

/* Where all values are near the top, their axis begins below the least of them. */
static void epl_range_near(struct epl_plot *p, const struct epl_curve *curve, size_t curves)
{
    double least = p->high;

    for (size_t k = 0; k < curves; k++)
        for (size_t i = curve[k].first; i < epl_end(p, &curve[k]); i++) {
            const double value = epl_value(p, &curve[k], i);

            least = value < least ? value : least;
        }
    if (least > NEAR)
        p->low = floor((least - 1) / NEAR_STEP) * NEAR_STEP;
}

/* Whole powers of two, from the slowest run to the end of the ideal line. */
static void epl_range_speedup(struct epl_plot *p)
{
    const size_t groups = p->e->groups > 0 ? p->e->groups : 1;

    p->low = 1;
    for (size_t i = 0; i < p->e->runs; i++) {
        const double value =
            prvcut_efficiency_factor(prvcut_efficiency_run(p->e, i), PRVCUT_POP_SPEEDUP);

        p->low = value > 0 && value < p->low ? value : p->low;
    }
    for (size_t i = 0; i < groups; i++) {
        const size_t base = p->e->groups > 0 ? prvcut_efficiency_group(p->e, i)->base : p->e->base;

        p->high = fmax(p->high, exp2(p->most) / epl_threads(p->e, base));
    }
    p->low = floor(log2(p->low));
    p->high = fmax(ceil(log2(p->high)), p->low + 1);
    p->speedup = true;
}

/* A curve a group, in colours that come again. */
static struct epl_curve epl_group(const struct prvcut_efficiency *e, size_t group,
                                  enum prvcut_pop factor)
{
    const struct prvcut_efficiency_group *g = prvcut_efficiency_group(e, group);

    return (struct epl_curve){
        .name = g->name,
        .colour = epl_factors[group % (sizeof epl_factors / sizeof *epl_factors)].colour,
        .factor = factor,
        .first = g->first,
        .end = g->first + g->runs,
    };
}

static void epl_groups(struct epl_plot *p, enum prvcut_pop factor)
{
    for (size_t i = 0; i < p->e->groups; i++) {
        const struct epl_curve c = epl_group(p->e, i, factor);
        const bool drawn = epl_curve(p, &c);

        epl_legend(p, c.colour, c.name, drawn, i);
    }
}

static void epl_plot_factors(struct epl_plot *p)
{
    static const struct epl_curve global = { .factor = PRVCUT_POP_GLOBAL };

    if (p->e->groups > 0) {
        epl_range(p, &global, 1, 100);
        epl_range_near(p, &global, 1);
        epl_axes(p, "Global efficiency (%)");
        epl_groups(p, PRVCUT_POP_GLOBAL);
        return;
    }
    epl_range(p, epl_factors, sizeof epl_factors / sizeof *epl_factors, 100);
    epl_range_near(p, epl_factors, sizeof epl_factors / sizeof *epl_factors);
    epl_axes(p, "Factors (%)");
    for (size_t i = 0; i < sizeof epl_factors / sizeof *epl_factors; i++) {
        const bool drawn = epl_curve(p, &epl_factors[i]);

        epl_legend(p, epl_factors[i].colour, epl_factors[i].name, drawn, i);
    }
}

static void epl_plot_speedup(struct epl_plot *p)
{
    static const struct epl_curve speedup = { .name = "Speedup",
                                              .colour = "#005a8f",
                                              .factor = PRVCUT_POP_SPEEDUP };
    size_t place = p->e->groups;

    epl_range(p, &speedup, 1, 1);
    epl_range_speedup(p);
    epl_axes(p, "Speedup");
    if (p->e->groups > 0) {
        epl_groups(p, PRVCUT_POP_SPEEDUP);
    } else {
        const bool drawn = epl_curve(p, &speedup);

        epl_legend(p, speedup.colour, speedup.name, drawn, 0);
        place = 1;
    }
    epl_ideal(p, place);
}

static void epl_begin(struct report_lines *l, int height, bool grows)
{
    const char *title = grows ? "Efficiency and speedup" : "Efficiency";

    report_put(l,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
               " viewBox=\"0 0 %d %d\" role=\"img\">\n<title>%s</title>\n"
               "<style>%s</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
               "<text class=\"heading\" x=\"%d\" y=\"26\">%s</text>\n",
               WIDTH, height, WIDTH, height, title, plot_style, WIDTH, height, LEFT, title);
}

/* Runs on one number of threads have no speedup to draw. */
static bool epl_grows(const struct prvcut_efficiency *e)
{
    for (size_t i = 1; i < e->runs; i++)
        if (prvcut_efficiency_run(e, i)->threads != prvcut_efficiency_run(e, 0)->threads)
            return true;
    return false;
}

enum prvcut_status prvcut_efficiency_svg(const struct prvcut_efficiency *e, char **text,
                                         struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    struct epl_plot p = { .l = &l, .e = e, .y = TITLE + ABOVE };
    /* A legend that is longer than its plot has room below. */
    const int more =
        LEGEND * ((int)e->groups + 2) > TALL ? LEGEND * ((int)e->groups + 2) - TALL : 0;
    const int below = TALL + more + 56 + ABOVE;
    const bool grows = epl_grows(e);

    if (report_efficiency_of_parts(e) || e->runs == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a drawing is of whole runs");
    epl_begin(&l, HEIGHT + 2 * more - (grows ? 0 : below), grows);
    epl_plot_factors(&p);
    p.y += below;
    if (grows)
        epl_plot_speedup(&p);
    svg_put_raw(&l, "</svg>\n");
    return report_take(&l, text);
}
