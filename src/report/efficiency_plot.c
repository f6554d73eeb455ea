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

/* What is drawn, each in its colour. */
struct epl_curve {
    const char *name, *colour;
    enum prvcut_pop factor;
};

static const struct epl_curve epl_factors[] = {
    { "Load balance", "#005a8f", PRVCUT_POP_BALANCE },
    { "Serialization", "#b35a00", PRVCUT_POP_SERIALIZATION },
    { "Transfer", "#2d7a2d", PRVCUT_POP_TRANSFER },
    { "IPC scalability", "#8a3b8f", PRVCUT_POP_IPC_SCALABILITY },
    { "Instruction scalability", "#6b6b00", PRVCUT_POP_INSTRUCTION_SCALABILITY },
    { "Frequency scalability", "#9a1f3a", PRVCUT_POP_FREQUENCY_SCALABILITY },
    { "Global efficiency", "#16191d", PRVCUT_POP_GLOBAL },
};
static const struct epl_curve epl_speedup = { "Speedup", "#005a8f", PRVCUT_POP_SPEEDUP };
static const struct epl_curve epl_ideal = { "Ideal", "#8a929b", PRVCUT_POPS };

/* One plot: where it stands, and its values' range. */
struct epl_plot {
    struct report_lines *l;
    const struct prvcut_efficiency *e;
    double least, most; /* log2 of threads */
    double high;
    int y; /* px, of its top */
};

static double epl_threads(const struct prvcut_efficiency *e, size_t run)
{
    return prvcut_efficiency_run(e, run)->threads;
}

/* Ideal: as many times faster as there are more threads. */
static double epl_value(const struct epl_plot *p, const struct epl_curve *c, size_t run)
{
    const double base = epl_threads(p->e, p->e->base);

    if (c->factor == PRVCUT_POPS)
        return epl_threads(p->e, run) / base;
    return (c->factor == PRVCUT_POP_SPEEDUP ? 1 : 100) *
           prvcut_efficiency_factor(prvcut_efficiency_run(p->e, run), c->factor);
}

static double epl_x(const struct epl_plot *p, size_t run)
{
    const double at = log2(epl_threads(p->e, run));

    return LEFT +
           (p->most > p->least ? ACROSS * (at - p->least) / (p->most - p->least) : ACROSS / 2.0);
}

static double epl_y(const struct epl_plot *p, double value)
{
    return p->y + TALL - TALL * value / p->high;
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

static void epl_axes(const struct epl_plot *p, const char *title)
{
    const struct plot_ticks t = plot_ticks(0, p->high, 6);
    char text[32];

    epl_text(p->l, LEFT, p->y - 12, "start", title);
    for (unsigned i = 0; i < t.count; i++) {
        const double value = t.first + i * t.step, y = epl_y(p, value);

        epl_line(p->l, "grid", (const double[]){ LEFT, y, LEFT + ACROSS, y });
        epl_text(p->l, LEFT - 8, y + 4, "end", svg_fixed(text, value, t.decimals));
    }
    for (size_t i = 0; i < p->e->runs; i++) {
        const uint32_t threads = prvcut_efficiency_run(p->e, i)->threads;

        if (i > 0 && threads == prvcut_efficiency_run(p->e, i - 1)->threads)
            continue;
        snprintf(text, sizeof text, "%u", threads);
        epl_text(p->l, epl_x(p, i), p->y + TALL + 18, "middle", text);
    }
    epl_line(p->l, "axis", (const double[]){ LEFT, p->y + TALL, LEFT + ACROSS, p->y + TALL });
    epl_text(p->l, LEFT + ACROSS / 2.0, p->y + TALL + 36, "middle", "Threads");
}

/* The curve, a point each, and its name behind the last one at a height of its own. */
static void epl_curve(const struct epl_plot *p, const struct epl_curve *c, unsigned place)
{
    bool drawn = false;

    report_put(p->l, "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\"%s points=\"",
               c->colour, c->factor == PRVCUT_POPS ? " stroke-dasharray=\"4 3\"" : "");
    for (size_t i = 0; i < p->e->runs; i++) {
        const double value = epl_value(p, c, i);

        if (isnan(value))
            continue;
        svg_put_number(p->l, epl_x(p, i), 1);
        svg_put_raw(p->l, ",");
        svg_put_number(p->l, epl_y(p, value), 1);
        svg_put_raw(p->l, " ");
        drawn = true;
    }
    svg_put_raw(p->l, "\"/>\n");
    for (size_t i = 0; i < p->e->runs && drawn; i++) {
        const double value = epl_value(p, c, i);

        if (isnan(value) || c->factor == PRVCUT_POPS)
            continue;
        report_put(p->l, "<circle r=\"3\" fill=\"%s\"", c->colour);
        epl_number(p->l, "cx", epl_x(p, i));
        epl_number(p->l, "cy", epl_y(p, value));
        svg_put_raw(p->l, "/>\n");
    }
    report_put(p->l, "<rect width=\"10\" height=\"3\" x=\"%d\" y=\"%d\" fill=\"%s\"/>\n",
               LEFT + ACROSS + 24, p->y + 8 + 18 * (int)place, c->colour);
    epl_text(p->l, LEFT + ACROSS + 40, p->y + 14 + 18 * (int)place, "start", c->name);
    if (!drawn)
        epl_text(p->l, LEFT + ACROSS + 180, p->y + 14 + 18 * (int)place, "start", "-");
}

static void epl_range(struct epl_plot *p, const struct epl_curve *curve, size_t curves, double high)
{
    p->high = high;
    p->least = log2(epl_threads(p->e, 0));
    p->most = log2(epl_threads(p->e, p->e->runs - 1));
    for (size_t k = 0; k < curves; k++)
        for (size_t i = 0; i < p->e->runs; i++) {
            const double value = epl_value(p, &curve[k], i);

            p->high = value > p->high ? value : p->high;
        }
}

static void epl_begin(struct report_lines *l)
{
    report_put(l,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
               " viewBox=\"0 0 %d %d\" role=\"img\">\n<title>Efficiency and speedup</title>\n"
               "<style>%s</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
               "<text class=\"heading\" x=\"%d\" y=\"26\">Efficiency and speedup</text>\n",
               WIDTH, HEIGHT, WIDTH, HEIGHT, plot_style, WIDTH, HEIGHT, LEFT);
}

enum prvcut_status prvcut_efficiency_svg(const struct prvcut_efficiency *e, char **text,
                                         struct prvcut_error *err)
{
    const struct epl_curve speedups[] = { epl_ideal, epl_speedup };
    struct report_lines l = { .err = err };
    struct epl_plot p = { .l = &l, .e = e, .y = TITLE + ABOVE };

    if (report_efficiency_of_parts(e) || e->runs == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a drawing is of whole runs");
    epl_begin(&l);
    epl_range(&p, epl_factors, sizeof epl_factors / sizeof *epl_factors, 100);
    epl_axes(&p, "Factors (%)");
    for (unsigned i = 0; i < sizeof epl_factors / sizeof *epl_factors; i++)
        epl_curve(&p, &epl_factors[i], i);
    p.y += TALL + 56 + ABOVE;
    epl_range(&p, speedups, 2, 1);
    epl_axes(&p, "Speedup");
    for (unsigned i = 0; i < 2; i++)
        epl_curve(&p, &speedups[i], i);
    svg_put_raw(&l, "</svg>\n");
    return report_take(&l, text);
}
