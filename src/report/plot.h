#ifndef PRVCUT_REPORT_PLOT_H
#define PRVCUT_REPORT_PLOT_H

#include "report/svg.h"

#include <stddef.h>

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
    double unit;      /**< of the axis' numbers, in units of the values; 0: 1 */
    bool whole;       /**< the values are counts */
    int height;       /**< px */
};

/** Units across in a zoomed part, whatever the plot's width. */
#define PLOT_ACROSS 10000.0

/** Where an axis has its marks. */
struct plot_ticks {
    double first, step;
    unsigned count;
    int decimals;
    double scale;     /**< of the unit, in units of the axis */
    const char *unit; /**< of times; "" for numbers */
};

/** A piece of the time axis. */
struct plot_piece {
    double from, to;
    const char *kind; /**< classes of style */
    const char *tip;  /**< what the pointer tells; NULL: nothing */
};

/** At most `most` (2 to 20) round steps within [low, high]; low < high. */
struct plot_ticks plot_ticks(double low, double high, unsigned most);

/** The same for times in ns: in s, ms, us or ns. */
struct plot_ticks plot_time_ticks(double from, double to, unsigned most);

/** Set the unit of the axis' numbers so that they are short, and give the axis' title: "name
 * (unit)". */
void plot_unit(struct plot *p, const struct prvcut_curve *c, char title[96]);

/** The least and the greatest of values within [from, to), which is widened to the curve's where it
   is empty; 0 is always among them. Not a number counts as 0. */
void plot_range(struct plot *p, const struct prvcut_curve *c);

/** The greatest value within [from, to); 0 where there is none. */
double plot_greatest(const struct prvcut_curve *c, double from, double to);

/** Open the drawing. at: its further attributes, constant; name and text tell what it shows. */
void plot_begin(const struct plot *p, const char *at, const char *name, const char *text);
void plot_end(const struct plot *p);

/** Lines and labels of both axes; the horizontal one's title is that of the time. */
void plot_axes(const struct plot *p, const char *across, const char *up);

/** The same where the horizontal axis counts. */
void plot_axes_counted(const struct plot *p, const char *across, const char *up);

/** What is drawn between these two is stretched when the reader zooms, and cut off at the borders.
 */
void plot_zoom_begin(const struct plot *p);
void plot_zoom_end(const struct plot *p);

/** Where a time lies in a zoomed part: 0 to PLOT_ACROSS. */
double plot_across(const struct plot *p, double ns);

/** What is drawn between these two is cut off at the borders. */
void plot_clip_begin(const struct plot *p);
void plot_clip_end(const struct plot *p);

/** A rectangle from `top` px on, outside of zoomed parts. */
void plot_strip(const struct plot *p, const struct plot_piece *piece, int top, int height);

/** The curve, inside of a zoomed part: where there are more values than columns, what each column
    holds from its least to its greatest value, so that no peak is lost, and its mean. */
void plot_curve(const struct plot *p, const struct prvcut_curve *c);

/** A curve through points, not steps. */
void plot_line(const struct plot *p, const struct prvcut_curve *c);

/** Words at a time, `top` px from the upper border (less than 0: above it); outside of zoomed
    parts. anchor: "start", "middle", "end". */
void plot_label(const struct plot *p, double ns, int top, const char *anchor, const char *kind,
                const char *text);

/** A vertical line from `top` down to the axis. */
void plot_mark(const struct plot *p, double ns, int top, const char *kind);

/** The numbers behind a drawing: least, greatest and mean value a column, in thousandths of the
   plot's range, at most `most` columns; a JSON object. */
void plot_data(const struct plot *p, const struct prvcut_curve *c, size_t most);

#endif
