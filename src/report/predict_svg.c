#include "model/made.h"
#include "report/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define WIDTH  720
#define HEIGHT 520
#define LEFT   70
#define RIGHT  24
#define TOP    70
#define BOTTOM 60

/* log2: what is predicted further below the slowest run, or above perfect scaling, is not drawn to
   scale. */
#define BELOW_MOST 3
#define ABOVE_MOST 1

/* Both axes are logarithms: perfect scaling is a straight line. */
struct psv_frame {
    struct report_lines *l;
    double left, right; /* log2 of the processes at the borders */
    double low, high;   /* log2 of the speedup */
};

static double psv_x(const struct psv_frame *f, double processes)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (log2(processes) - f->left) / (f->right - f->left);
}

static double psv_y(const struct psv_frame *f, double speedup)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (f->high - log2(speedup)) / (f->high - f->low);
}

static void psv_attribute(const struct psv_frame *f, const char *name, double x)
{
    report_put(f->l, " %s=\"", name);
    svg_put_number(f->l, x, 1);
    svg_put_raw(f->l, "\"");
}

static void psv_line(const struct psv_frame *f, const char *kind, const double from[2],
                     const double to[2])
{
    report_put(f->l, "<line class=\"%s\"", kind);
    psv_attribute(f, "x1", from[0]);
    psv_attribute(f, "y1", from[1]);
    psv_attribute(f, "x2", to[0]);
    psv_attribute(f, "y2", to[1]);
    svg_put_raw(f->l, "/>\n");
}

static void psv_dot(const struct psv_frame *f, const char *kind, double processes, double speedup)
{
    if (!(speedup > 0) || log2(speedup) < f->low || log2(speedup) > f->high)
        return;
    report_put(f->l, "<circle class=\"%s\" r=\"4\"", kind);
    psv_attribute(f, "cx", psv_x(f, processes));
    psv_attribute(f, "cy", psv_y(f, speedup));
    svg_put_raw(f->l, "/>\n");
}

/* What lies below the frame is named there. */
static void psv_below(const struct psv_frame *f, double processes)
{
    report_put(f->l, "<text class=\"tick\" text-anchor=\"middle\"");
    psv_attribute(f, "x", psv_x(f, processes));
    psv_attribute(f, "y", HEIGHT - BOTTOM - 6);
    svg_put_raw(f->l, ">below</text>\n");
}

/* --- What there is to draw -------------------------------------------------------------------- */

static void psv_reach(struct psv_frame *f, double processes, double speedup)
{
    f->left = fmin(f->left, log2(processes));
    f->right = fmax(f->right, log2(processes));
    if (speedup > 0) {
        f->low = fmin(f->low, log2(speedup));
        f->high = fmax(f->high, log2(speedup));
    }
}

static double psv_first(const struct prvcut_prediction *p)
{
    double first = 0;

    for (size_t i = p->runs; i > 0; i--)
        if (prvcut_prediction_run(p, i - 1)->fitted)
            first = log2(prvcut_prediction_run(p, i - 1)->processes);
    return first;
}

static void psv_fit(struct psv_frame *f, const struct prvcut_prediction *p)
{
    struct psv_frame measured;

    for (size_t i = 0; i < p->runs; i++)
        psv_reach(f, prvcut_prediction_run(p, i)->processes, prvcut_prediction_run(p, i)->speedup);
    measured = *f;
    for (size_t i = 0; i < p->points; i++) {
        const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);

        psv_reach(f, at->processes, at->speedup);
        psv_reach(f, at->processes, at->low);
        psv_reach(f, at->processes, at->high);
    }
    if (measured.high >= measured.low) {
        f->low = fmax(f->low, measured.low - BELOW_MOST);
        f->high = fmin(f->high, fmax(measured.high, f->right - psv_first(p) + ABOVE_MOST));
    }
    /* Nothing to draw leaves a frame all the same. */
    if (!(f->high >= f->low))
        f->low = f->high = 0;
    f->left = floor(f->left);
    f->right = fmax(ceil(f->right), f->left + 1);
    f->low = floor(f->low);
    f->high = fmax(ceil(f->high), f->low + 1);
}

static void psv_label(const struct psv_frame *f, const char *anchor, const double at[2],
                      const char *text)
{
    report_put(f->l, "<text class=\"tick\" text-anchor=\"%s\"", anchor);
    psv_attribute(f, "x", at[0]);
    psv_attribute(f, "y", at[1]);
    report_put(f->l, ">%s</text>\n", text);
}

static void psv_axes(const struct psv_frame *f)
{
    const double step_x = ceil((f->right - f->left) / 10), step_y = ceil((f->high - f->low) / 10);
    char text[32];

    for (double k = f->low; k <= f->high; k += step_y) {
        const double y = psv_y(f, exp2(k));

        psv_line(f, "grid", (const double[]){ LEFT, y }, (const double[]){ WIDTH - RIGHT, y });
        psv_label(f, "end", (const double[]){ LEFT - 8, y + 4 }, report_number(text, exp2(k)));
    }
    for (double k = f->left; k <= f->right; k += step_x) {
        const double x = psv_x(f, exp2(k));

        psv_line(f, "tickline", (const double[]){ x, HEIGHT - BOTTOM },
                 (const double[]){ x, HEIGHT - BOTTOM + 4 });
        psv_label(f, "middle", (const double[]){ x, HEIGHT - BOTTOM + 18 },
                  report_count(text, (uint64_t)exp2(k)));
    }
    psv_line(f, "axis", (const double[]){ LEFT, HEIGHT - BOTTOM },
             (const double[]){ WIDTH - RIGHT, HEIGHT - BOTTOM });
    report_put(f->l,
               "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">Processes</text>\n"
               "<text x=\"%d\" y=\"%d\">Speedup</text>\n",
               WIDTH - RIGHT, HEIGHT - BOTTOM + 38, LEFT, TOP - 8);
}

/* As fast as there are processes, as far as the frame goes. */
static void psv_perfect(const struct psv_frame *f, const struct prvcut_prediction *p)
{
    const double first = psv_first(p);
    double from, to;

    from = fmax(f->left, f->low + first);
    to = fmin(f->right, f->high + first);
    if (from < to)
        psv_line(f, "perfect",
                 (const double[]){ psv_x(f, exp2(from)), psv_y(f, exp2(from - first)) },
                 (const double[]){ psv_x(f, exp2(to)), psv_y(f, exp2(to - first)) });
}

static void psv_point(const struct psv_frame *f, const struct prvcut_prediction *p, size_t i)
{
    const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);
    const double x = psv_x(f, at->processes);

    const double low = fmax(at->low, exp2(f->low)), high = fmin(at->high, exp2(f->high));

    if (at->low > 0 && low < high)
        psv_line(f, "interval", (const double[]){ x, psv_y(f, low) },
                 (const double[]){ x, psv_y(f, high) });
    if (at->speedup < exp2(f->low))
        psv_below(f, at->processes);
    for (size_t k = 0; k < p->forms; k++) {
        const struct prvcut_prediction_form *form = prvcut_prediction_form(p, i, k);

        if (!form->plain && form->fit != p->fit)
            psv_dot(f, "form", at->processes, form->speedup);
    }
    psv_dot(f, "fit", at->processes, at->speedup);
}

static void psv_legend(const struct psv_frame *f, const struct prvcut_prediction *p)
{
    char text[32];

    report_put(f->l,
               "<text x=\"%d\" y=\"46\">filled: measured; ringed: %s fit with its %s %% interval; "
               "pale: other forms; dashed: perfect</text>\n",
               LEFT, prvcut_fit_text(p->fit), report_number(text, 100 * p->confidence));
}

enum prvcut_status prvcut_prediction_svg(const struct prvcut_prediction *p, const char *title,
                                         char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    struct psv_frame f = {
        .l = &l, .left = INFINITY, .right = -INFINITY, .low = INFINITY, .high = -INFINITY
    };

    psv_fit(&f, p);
    report_put(&l,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
               " viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
               WIDTH, HEIGHT, WIDTH, HEIGHT);
    svg_put_text(&l, title);
    report_put(&l,
               "</title>\n<style>%s.perfect{stroke:#8a929b;stroke-dasharray:5 4}"
               ".run{fill:#005a8f}.fit{fill:#ffffff;stroke:#b3420f;stroke-width:2}"
               ".interval{stroke:#b3420f;stroke-width:2}.form{fill:#b3420f;fill-opacity:0.3}"
               "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
               "<text class=\"heading\" x=\"%d\" y=\"26\">",
               plot_style, WIDTH, HEIGHT, LEFT);
    svg_put_short(&l, title, 80);
    svg_put_raw(&l, "</text>\n");
    psv_legend(&f, p);
    psv_axes(&f);
    psv_perfect(&f, p);
    for (size_t i = 0; i < p->runs; i++)
        psv_dot(&f, "run", prvcut_prediction_run(p, i)->processes,
                prvcut_prediction_run(p, i)->speedup);
    for (size_t i = 0; i < p->points; i++)
        psv_point(&f, p, i);
    svg_put_raw(&l, "</svg>\n");
    return report_take(&l, text);
}
