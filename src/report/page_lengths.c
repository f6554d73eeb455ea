#include "report/page_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINS   60
#define HEIGHT 170
#define TOP    30 /* px above the bars, for words */

/** An iteration that stands out, and where. */
struct pgh_outlier {
    const struct prvcut_region *region;
    const struct prvcut_outlier *of;
};

/** The lengths of a loop's iterations, and how they lie. */
struct pgh_lengths {
    double *at; /* [count] in the order of the run; owned */
    size_t count, regions;
    double median, spread; /* the latter robust: 1.4826 MAD */
    double from, to;       /* of the bins */
    uint32_t bin[BINS];
    size_t bins;
    uint32_t most;
    size_t below, beyond; /* left and right of the bins */
    double longest, shortest;
    struct pgh_outlier *outlier; /* [outliers], most unusual first; owned */
    size_t outliers;
    uint64_t outliers_seen;
};

static int pgh_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int pgh_unusual(const void *a, const void *b)
{
    const struct pgh_outlier *x = a, *y = b;
    const double dx = fabs(x->of->deviation), dy = fabs(y->of->deviation);

    if (dx != dy)
        return dx < dy ? 1 : -1;
    return (x->of->span.start > y->of->span.start) - (x->of->span.start < y->of->span.start);
}

static double pgh_middle(double *sorted, size_t count)
{
    qsort(sorted, count, sizeof *sorted, pgh_ascending);
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* Median and spread; work has room for all. */
static void pgh_measure(struct pgh_lengths *h, double *work)
{
    memcpy(work, h->at, h->count * sizeof *work);
    h->median = pgh_middle(work, h->count);
    h->shortest = work[0];
    h->longest = work[h->count - 1];
    for (size_t i = 0; i < h->count; i++)
        work[i] = fabs(h->at[i] - h->median);
    h->spread = 1.4826 * pgh_middle(work, h->count);
}

/* Nearly all lengths; the few far ones are counted. */
static void pgh_range(struct pgh_lengths *h)
{
    const double spread = fmax(h->spread, h->median / 200);
    double width;

    h->bins = h->count < 40 ? BINS / 3 : h->count < 200 ? BINS / 2 : BINS;
    h->from = fmax(h->shortest, h->median - 10 * spread);
    h->to = fmin(h->longest, h->median + 14 * spread);
    if (h->to - h->from < h->median / 50) {
        h->from -= h->median / 100;
        h->to += h->median / 100;
    }
    width = fmax((h->to - h->from) / (double)h->bins, 1e-3);
    h->from -= width;
    h->to += width;
}

static size_t pgh_bin(const struct pgh_lengths *h, double length)
{
    const size_t bin = (size_t)((length - h->from) / (h->to - h->from) * (double)h->bins);

    return bin < h->bins ? bin : h->bins - 1;
}

static void pgh_count(struct pgh_lengths *h)
{
    for (size_t i = 0; i < h->count; i++) {
        if (h->at[i] < h->from) {
            h->below++;
        } else if (h->at[i] >= h->to) {
            h->beyond++;
        } else {
            uint32_t *bin = &h->bin[pgh_bin(h, h->at[i])];

            ++*bin;
            h->most = *bin > h->most ? *bin : h->most;
        }
    }
}

/* A region of the loop that the page is about. */
static bool pgh_belongs(const struct page *p, const struct prvcut_region *r)
{
    const struct prvcut_region *m = page_main(p);

    return m && r->loop == m->loop && r->level == m->level;
}

static void pgh_take(struct pgh_lengths *h, const struct prvcut_region *r)
{
    h->regions++;
    for (size_t i = 0; r->border && i + 1 < r->borders; i++)
        h->at[h->count++] =
            r->border[i + 1] > r->border[i] ? (double)(r->border[i + 1] - r->border[i]) : 0;
    for (size_t i = 0; i < r->outliers; i++)
        h->outlier[h->outliers++] = (struct pgh_outlier){ r, &r->outlier[i] };
    h->outliers_seen += r->outliers_seen;
}

static void pgh_fini(struct pgh_lengths *h)
{
    free(h->at);
    free(h->outlier);
}

/* False where nothing is known, or after a failure. */
static bool pgh_init(const struct page *p, struct pgh_lengths *h)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    size_t lengths = 0, outliers = 0;
    double *work;

    *h = (struct pgh_lengths){ .count = 0 };
    for (size_t i = 0; i < s->regions; i++)
        if (pgh_belongs(p, &s->region[i])) {
            lengths += s->region[i].borders;
            outliers += s->region[i].outliers;
        }
    h->at = malloc((lengths + 1) * sizeof *h->at);
    h->outlier = malloc((outliers + 1) * sizeof *h->outlier);
    work = malloc((lengths + 1) * sizeof *work);
    if (!h->at || !h->outlier || !work)
        p->out->st = prvcut_fail(p->out->err, PRVCUT_ENOMEM, "out of memory for lengths");
    for (size_t i = 0; p->out->st == PRVCUT_OK && i < s->regions; i++)
        if (pgh_belongs(p, &s->region[i]))
            pgh_take(h, &s->region[i]);
    if (h->outliers > 0)
        qsort(h->outlier, h->outliers, sizeof *h->outlier, pgh_unusual);
    if (h->count > 0) {
        pgh_measure(h, work);
        pgh_range(h);
        pgh_count(h);
    }
    free(work);
    return h->count > 1;
}

static void pgh_put_bars(const struct plot *plot, const struct pgh_lengths *h)
{
    for (size_t i = 0; i < h->bins; i++) {
        const double width = (h->to - h->from) / (double)h->bins;
        char tip[128], from[32], to[32], n[32];
        struct plot_piece piece = { h->from + (double)i * width, h->from + ((double)i + 1) * width,
                                    "histogram", tip };
        int tall = (int)lround(plot->height * (double)h->bin[i] / plot->high);

        if (h->bin[i] == 0)
            continue;
        tall = tall < 2 ? 2 : tall; /* a single iteration shall be seen */
        snprintf(tip, sizeof tip, "%s to %s: %s", prvcut_time_text(from, piece.from),
                 prvcut_time_text(to, piece.to), report_count(n, h->bin[i]));
        plot_strip(plot, &piece, plot->height - tall, tall);
    }
}

/* A triangle above the bar in which it lies. */
static void pgh_put_outliers(const struct plot *plot, const struct pgh_lengths *h)
{
    for (size_t i = 0; i < h->outliers && i < PAGE_OUTLIERS; i++) {
        const struct prvcut_span *s = &h->outlier[i].of->span;
        const double length = (double)(s->end - s->start);
        double top;

        if (length < h->from || length >= h->to)
            continue;
        top = plot->height * (1 - (double)h->bin[pgh_bin(h, length)] / plot->high);
        plot_label(plot, length, (int)top - 4, "middle", "outlier", "\xe2\x96\xbc");
    }
}

static void pgh_put_histogram(const struct page *p, const struct pgh_lengths *h)
{
    struct plot plot = {
        .out = p->out, .from = h->from, .to = h->to, .height = HEIGHT, .whole = true
    };
    const struct plot_piece usual = { h->median - 3 * h->spread, h->median + 3 * h->spread, "usual",
                                      "median and 3 robust standard deviations" };
    char text[96], length[32], count[32];

    plot.top = fmax(1, h->most);
    plot.high = plot.top * HEIGHT / (HEIGHT - TOP);
    plot_begin(
        &plot, "", "Distribution of the iterations' lengths",
        "How many iterations are how long; the median is marked, those that stand out have a "
        "triangle.");
    plot_clip_begin(&plot);
    plot_strip(&plot, &usual, TOP - 10, HEIGHT - TOP + 10);
    plot_clip_end(&plot);
    plot_axes(&plot, "Length", "iterations");
    pgh_put_bars(&plot, h);
    plot_mark(&plot, h->median, 14, "median");
    snprintf(text, sizeof text, "median %s", prvcut_time_text(length, h->median));
    plot_label(&plot, h->median, 10, h->median > (h->from + h->to) / 2 ? "end" : "start", "median",
               text);
    pgh_put_outliers(&plot, h);
    plot_end(&plot);
    svg_put_raw(p->out, "</div>\n");
    if (h->below + h->beyond > 0) {
        report_put(p->out, "<p class=\"more\">Outside of the drawing: %s shorter",
                   report_count(count, h->below));
        report_put(p->out, ", %s longer, up to %s.</p>\n", report_count(count, h->beyond),
                   prvcut_time_text(length, h->longest));
    }
}

/* The lengths one after the other: drift, a change, and where the far ones are. */
static void pgh_put_order(const struct page *p, const struct pgh_lengths *h)
{
    const struct prvcut_curve c = { "length", "", 0, 1, h->at, h->count };
    struct plot plot = { .out = p->out, .from = 0, .to = (double)h->count, .height = HEIGHT };
    const char *unit = h->longest >= 1e9 ? "s" : h->longest >= 1e6 ? "ms" : "us";
    const double scale = h->longest >= 1e9 ? 1e9 : h->longest >= 1e6 ? 1e6 : 1e3;
    char title[32];

    snprintf(title, sizeof title, "length (%s)", unit);
    for (size_t i = 0; i < h->count; i++)
        h->at[i] /= scale;
    plot_range(&plot, &c);
    plot_begin(&plot, "", "The iterations' lengths in their order",
               "The length of each iteration from the first to the last.");
    plot_axes_counted(&plot, "Iteration", title);
    plot_zoom_begin(&plot);
    plot_curve(&plot, &c);
    plot_zoom_end(&plot);
    plot_end(&plot);
    for (size_t i = 0; i < h->count; i++)
        h->at[i] *= scale;
    svg_put_raw(p->out, "</div>\n");
}

static void pgh_put_outlier(const struct page *p, const struct pgh_lengths *h,
                            const struct pgh_outlier *outlier)
{
    const struct prvcut_outlier *o = outlier->of;
    const double length = (double)(o->span.end - o->span.start);
    char text[32], other[40];

    svg_put_raw(p->out, "<tr>");
    page_cell(p, "n", report_count(text, o->iteration));
    if (h->regions > 1) {
        snprintf(other, sizeof other, "%u.%u", outlier->region->level, outlier->region->number);
        page_cell(p, "n", other);
    }
    page_cell(p, "n", report_clock_text(text, &p->clock, o->span.start, p->clock.places));
    page_cell(p, "n", prvcut_time_text(text, length));
    page_cell(p, "n", h->median > 0 ? svg_fixed(text, length / h->median, 2) : "");
    snprintf(other, sizeof other, "%s%s", o->deviation > 0 ? "+" : "",
             svg_fixed(text, o->deviation, 1));
    page_cell(p, "n", other);
    page_cell(p, "wide", o->why ? o->why : "");
    svg_put_raw(p->out, "</tr>\n");
}

static void pgh_put_table(const struct page *p, const struct pgh_lengths *h)
{
    char text[32];

    if (h->outliers == 0) {
        svg_put_raw(p->out, "<p class=\"more\">No iteration stands out.</p>\n");
        return;
    }
    report_put(
        p->out,
        "<div class=\"scroll\"><table class=\"outliers\"><caption>Iterations that stand out, "
        "most unusual first; the first of a region is 0</caption><thead><tr><th scope=\"col\" "
        "class=\"n\">Iteration</th>%s<th scope=\"col\" class=\"n\">Start (%s)</th>"
        "<th scope=\"col\" class=\"n\">Length</th>"
        "<th scope=\"col\" class=\"n\">\xc3\x97 median</th>"
        "<th scope=\"col\" class=\"n\">Robust deviations</th>"
        "<th scope=\"col\" class=\"wide\">Why</th></tr></thead>\n<tbody>\n",
        h->regions > 1 ? "<th scope=\"col\" class=\"n\">Region</th>" : "", p->clock.unit);
    for (size_t i = 0; i < h->outliers && i < PAGE_OUTLIERS; i++)
        pgh_put_outlier(p, h, &h->outlier[i]);
    svg_put_raw(p->out, "</tbody></table></div>\n");
    if (h->outliers_seen > PAGE_OUTLIERS)
        report_put(p->out, "<p class=\"more\">%s iterations stand out in all.</p>\n",
                   report_count(text, h->outliers_seen));
}

static void pgh_put_sums(const struct page *p, const struct pgh_lengths *h)
{
    char first[32], last[32], median[32], spread[32], count[32];

    report_put(p->out, "<p class=\"text\">%s iteration%s", report_count(count, h->count),
               h->count == 1 ? "" : "s");
    if (h->regions > 1)
        report_put(p->out, " in %zu regions of the loop", h->regions);
    report_put(
        p->out,
        ", masked ones left out: median <b>%s</b>, spread %s (robust standard deviation). The "
        "first took %s, the last %s. ",
        prvcut_time_text(median, h->median), prvcut_time_text(spread, h->spread),
        prvcut_time_text(first, h->at[0]), prvcut_time_text(last, h->at[h->count - 1]));
    if (h->outliers_seen == 0)
        svg_put_raw(p->out, "None stands out.</p>\n");
    else
        report_put(p->out, "%s stand%s out.</p>\n", report_count(count, h->outliers_seen),
                   h->outliers_seen == 1 ? "s" : "");
}

void page_put_lengths(const struct page *p)
{
    struct pgh_lengths h;

    page_section(p, "lengths", "Lengths of iterations");
    if (pgh_init(p, &h)) {
        pgh_put_sums(p, &h);
        svg_put_raw(p->out, "<div class=\"pair\">\n");
        page_figure(p, "", "Distribution");
        pgh_put_histogram(p, &h);
        page_figure_end(p);
        page_figure(p, "", "In their order");
        pgh_put_order(p, &h);
        page_figure_end(p);
        svg_put_raw(p->out, "</div>\n");
        pgh_put_table(p, &h);
    } else {
        svg_put_raw(p->out, "<p>The borders of single iterations are not known.</p>\n");
    }
    pgh_fini(&h);
    page_section_end(p);
}
