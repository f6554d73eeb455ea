#ifndef PRVCUT_REPORT_PLOT_H
#define PRVCUT_REPORT_PLOT_H

#include "report/svg.h"

#include <stddef.h>

/** The style of a drawing that is a file by itself. */
extern const char plot_style[];

/** A curve: at[i] stands for start + i * step up to start + (i + 1) * step. */
struct prvcut_curve {
    const char *name, *unit;
    double start, step;
    const double *at; /**< [count]; borrowed */
    size_t count;
};

/**
 * A drawing of values over time. Across it is measured in shares of its width, down in pixels, so
 * that it fits any width with letters of the same size. It is an <svg> without a view box that
 * shows what stands beside it, too: the axes' labels need room around it.
 */
struct plot {
    struct report_lines *out;
    double from, to;  /**< ns at the left and the right border, from < to */
    double low, high; /**< of the values, low < high */
    double top;       /**< the axis has no mark above it, and curves are cut off there; 0: high */
    int height;       /**< px */
};

/** Units across in such a part, whatever the plot's width. */
#define PLOT_ACROSS 10000.0

/** Where an axis has its marks. */
struct plot_ticks {
    double first, step;
    unsigned count;
    int decimals;
    double scale;     /**< of the unit, in units of the axis */
    const char *unit; /**< of times; "" for numbers */
};

/** At most `most` (2 to 20) round steps within [low, high]; low < high. */
struct plot_ticks plot_ticks(double low, double high, unsigned most);

/** The same for times in ns: in s, ms, us or ns. */
struct plot_ticks plot_time_ticks(double from, double to, unsigned most);

/** The least and the greatest of values within [from, to), which is widened to the curve's where it
   is empty; 0 is always among them. Not a number counts as 0. */
void plot_range(struct plot *p, const struct prvcut_curve *c);

/** Open the drawing; name and text tell what it shows. */
void plot_begin(const struct plot *p, const char *name, const char *text);
void plot_end(const struct plot *p);

/** Lines and labels of both axes; the horizontal one's title is that of the time. */
void plot_axes(const struct plot *p, const char *across, const char *up);

/** What is drawn between these two is stretched to the width, and cut off at the borders. */
void plot_zoom_begin(const struct plot *p);
void plot_zoom_end(const struct plot *p);

/** Where a time lies in such a part: 0 to PLOT_ACROSS. */
double plot_across(const struct plot *p, double ns);

/** The curve, inside of such a part: where there are more values than columns, what each column
    holds from its least to its greatest value, so that no peak is lost, and its mean. */
void plot_curve(const struct plot *p, const struct prvcut_curve *c);

#endif
