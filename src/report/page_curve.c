#include "report/json.h"
#include "report/page_data.h"

#include <math.h>
#include <stdlib.h>

#define PEAKS 256 /* iterations that tell how high a loop's signal goes */

/** What some values are between. */
struct cur_column {
    double low, high, mean;
};

static double cur_value(const struct prvcut_curve *c, size_t i)
{
    return isfinite(c->at[i]) ? c->at[i] : 0;
}

static struct cur_column cur_column(const struct prvcut_curve *c, size_t first, size_t end)
{
    struct cur_column v = { cur_value(c, first), cur_value(c, first), 0 };

    for (size_t i = first; i < end; i++) {
        const double x = cur_value(c, i);

        v.low = fmin(v.low, x);
        v.high = fmax(v.high, x);
        v.mean += x / (double)(end - first);
    }
    return v;
}

/* The greatest value between two times; 0 where there is none. */
static double cur_greatest(const struct prvcut_curve *c, double from, double to)
{
    const double a = fmax(0, floor((from - c->start) / c->step + 1e-9));
    const double b = fmin((double)c->count, ceil((to - c->start) / c->step - 1e-9));

    return b > a ? cur_column(c, (size_t)a, (size_t)b).high : 0;
}

static int cur_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double page_ceiling(const struct prvcut_curve *c, const struct made_region *r)
{
    const size_t count = r->is.border             ? r->is.borders
                         : r->is.iterations < 1e7 ? (size_t)r->is.iterations
                                                  : 0;
    const size_t step = count / PEAKS + 1;
    double peak[PEAKS], median;
    size_t peaks = 0;

    for (size_t k = 0; c->at && k + 1 < count && peaks < PEAKS; k += step) {
        const double from = r->is.border ? (double)r->is.border[k]
                                         : (double)r->is.span.start + (double)k * r->is.period_ns;

        peak[peaks++] = cur_greatest(
            c, from, r->is.border ? (double)r->is.border[k + 1] : from + r->is.period_ns);
    }
    if (peaks < 4)
        return INFINITY;
    qsort(peak, peaks, sizeof *peak, cur_ascending);
    median = peak[peaks / 2];
    return median > 0 ? 2 * median : INFINITY;
}

/* As thousandths of the range, cut off at its ends. */
static json_t *cur_thousandths(double x, double low, double top)
{
    const double share = (fmin(fmax(x, low), top) - low) / (top - low);

    return json_integer((json_int_t)lround(1000 * share));
}

static json_t *cur_columns(const struct prvcut_curve *c, size_t stride, double low, double top)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < c->count; i += stride) {
        const struct cur_column v = cur_column(c, i, i + stride < c->count ? i + stride : c->count);

        bad |= json_array_append_new(list, cur_thousandths(v.low, low, top));
        bad |= json_array_append_new(list, cur_thousandths(v.high, low, top));
        bad |= json_array_append_new(list, cur_thousandths(v.mean, low, top));
    }
    return report_json_keep(list, bad);
}

json_t *page_curve(const struct prvcut_curve *c, size_t most, double ceiling)
{
    struct cur_column all;
    double low, top;
    size_t stride;

    if (!c->at || c->count == 0 || !(c->step > 0))
        return json_null();
    all = cur_column(c, 0, c->count);
    low = fmin(all.low, 0);
    top = fmax(all.high, 0);
    top = ceiling < top && ceiling > low ? ceiling : top;
    top = top > low ? top : low + 1;
    stride = (c->count + most - 1) / most;
    const struct report_field fields[] = {
        { "name", report_json_text(c->name ? c->name : "") },
        { "unit", report_json_text(c->unit ? c->unit : "") },
        { "start", report_json_real(c->start) },
        { "step", report_json_real(c->step * (double)stride) },
        { "end", report_json_real(c->start + c->step * (double)c->count) },
        { "low", report_json_real(low) },
        { "top", report_json_real(top) },
        { "most", report_json_real(all.high) },
        { "v", cur_columns(c, stride, low, top) },
    };

    return REPORT_JSON_OBJECT(fields);
}
