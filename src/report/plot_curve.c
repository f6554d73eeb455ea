#include "report/plot.h"

#include <math.h>

#define COLUMNS 1000 /* of a drawing: about as many as a page has across */

static double crv_value(const struct prvcut_curve *c, size_t i)
{
    return isfinite(c->at[i]) ? c->at[i] : 0;
}

/* Indices of the values that touch [from, to); false: none. */
static bool crv_between(const struct prvcut_curve *c, double from, double to, size_t *first,
                        size_t *end)
{
    const double a = floor((from - c->start) / c->step + 1e-9);
    const double b = ceil((to - c->start) / c->step - 1e-9);

    if (c->count == 0 || !(b > 0) || !(a < (double)c->count))
        return false;
    *first = a > 0 ? (size_t)a : 0;
    *end = b < (double)c->count ? (size_t)b : c->count;
    return *end > *first;
}

/** What a piece of time holds. */
struct crv_column {
    double low, high, mean;
};

static struct crv_column crv_values(const struct prvcut_curve *c, size_t first, size_t end)
{
    struct crv_column v = { crv_value(c, first), crv_value(c, first), 0 };

    for (size_t i = first; i < end; i++) {
        const double x = crv_value(c, i);

        v.low = fmin(v.low, x);
        v.high = fmax(v.high, x);
        v.mean += x / (double)(end - first);
    }
    return v;
}

static bool crv_envelope(const struct prvcut_curve *c, double from, double to,
                         struct crv_column *out)
{
    size_t first, end;

    if (!crv_between(c, from, to, &first, &end))
        return false;
    *out = crv_values(c, first, end);
    return true;
}

void plot_range(struct plot *p, const struct prvcut_curve *c)
{
    struct crv_column v = { 0, 0, 0 };
    const bool any = crv_envelope(c, p->from, p->to, &v);

    p->low = any ? fmin(v.low, 0) : 0;
    v.high = any ? fmax(v.high, 0) : 0;
    p->top = v.high > p->low ? v.high : p->low + 1;
    p->high = p->top + (p->top - p->low) * 0.05;
}

static void crv_put(const struct plot *p, const char *move, double x)
{
    svg_put_raw(p->out, move);
    svg_put_number(p->out, x, 1);
}

static double crv_y(const struct plot *p, double value)
{
    const double least = fmax(value, p->low);

    return p->height * (p->high - (p->top > p->low ? fmin(least, p->top) : least)) /
           (p->high - p->low);
}

static void crv_path_begin(const struct plot *p, const char *kind)
{
    report_put(p->out, "<path class=\"%s\" vector-effect=\"non-scaling-stroke\" d=\"", kind);
}

static bool crv_column(const struct plot *p, const struct prvcut_curve *c, unsigned k,
                       struct crv_column *out)
{
    const double width = (p->to - p->from) / COLUMNS;

    return crv_envelope(c, p->from + width * k, p->from + width * (k + 1), out);
}

/* One closed outline: the greatest values there, the least ones back. */
static void crv_put_area(const struct plot *p, const struct prvcut_curve *c)
{
    const double width = PLOT_ACROSS / COLUMNS;
    struct crv_column v;
    bool open = false;

    crv_path_begin(p, "curve area");
    for (unsigned k = 0; k < COLUMNS; k++) {
        if (!crv_column(p, c, k, &v))
            continue;
        crv_put(p, open ? "V" : "M", open ? crv_y(p, v.high) : k * width);
        if (!open)
            crv_put(p, " ", crv_y(p, v.high));
        crv_put(p, "H", (k + 1) * width);
        open = true;
    }
    for (unsigned k = COLUMNS; k-- > 0;) {
        if (!crv_column(p, c, k, &v))
            continue;
        crv_put(p, "V", crv_y(p, v.low));
        crv_put(p, "H", k * width);
    }
    svg_put_raw(p->out, open ? "Z\"/>\n" : "\"/>\n");
}

static void crv_put_mean(const struct plot *p, const struct prvcut_curve *c)
{
    const double width = PLOT_ACROSS / COLUMNS;
    struct crv_column v;
    bool open = false;

    crv_path_begin(p, "curve mean");
    for (unsigned k = 0; k < COLUMNS; k++) {
        if (!crv_column(p, c, k, &v))
            continue;
        crv_put(p, open ? "L" : "M", (k + 0.5) * width);
        crv_put(p, " ", crv_y(p, v.mean));
        open = true;
    }
    svg_put_raw(p->out, "\"/>\n");
}

static void crv_put_envelope(const struct plot *p, const struct prvcut_curve *c)
{
    crv_put_area(p, c);
    crv_put_mean(p, c);
}

static void crv_put_steps(const struct plot *p, const struct prvcut_curve *c, size_t first,
                          size_t end)
{
    crv_path_begin(p, "curve");
    for (size_t i = first; i < end; i++) {
        const double from = fmax(c->start + (double)i * c->step, p->from);
        const double to = fmin(c->start + (double)(i + 1) * c->step, p->to);

        if (i == first) {
            crv_put(p, "M", plot_across(p, from));
            crv_put(p, " ", crv_y(p, crv_value(c, i)));
        } else {
            crv_put(p, "V", crv_y(p, crv_value(c, i)));
        }
        crv_put(p, "H", plot_across(p, to));
    }
    svg_put_raw(p->out, "\"/>\n");
}

void plot_curve(const struct plot *p, const struct prvcut_curve *c)
{
    size_t first, end;

    if (!crv_between(c, p->from, p->to, &first, &end))
        return;
    if (end - first > COLUMNS)
        crv_put_envelope(p, c);
    else
        crv_put_steps(p, c, first, end);
}
