#include "report/patterns.h"

#include "analysis/patterns/points.h"
#include "base/memory.h"
#include "report/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH  760
#define HEIGHT 420
#define LEFT   70
#define ACROSS 660 /* px of the plot */
#define ABOVE  86
#define TALL   254
/* Entries of the legend in a row, and px from one row to the next: eight find room in two. */
#define IN_ROW 4
#define LINE   17
/* Bars an octave of the length, as wide as a peak and less: a tenth is a seventh of an octave. */
#define BARS 28
/* Peaks that are named; parts of a bar: each of these, the other peaks together, what is alone. */
#define NAMED 6
#define PARTS (NAMED + 2)

/* The lengths on one thread, in bars of equal ratio. */
struct ppl_bars {
    struct report_lines *l;
    const struct pat_track *track;
    double first; /* log2 of the least length */
    size_t bars;
    uint64_t (*count)[PARTS]; /* [bars] */
    uint64_t most;            /* in a bar */
};

#define ALONE_COLOUR "#8a929b"
#define OTHER_COLOUR "#c3c9cf"

static const char *const ppl_colour[PARTS] = { "#005a8f", "#b35a00", "#2d7a2d",    "#8a3b8f",
                                               "#6b6b00", "#9a1f3a", OTHER_COLOUR, ALONE_COLOUR };

static size_t ppl_bar(const struct ppl_bars *b, uint64_t length)
{
    const double at = BARS * (log2((double)(length > 0 ? length : 1)) - b->first);

    return at > 0 ? (size_t)at : 0;
}

static size_t ppl_part(const struct pat_track *t, uint64_t length)
{
    const size_t peak = pat_peaks_of(&t->peaks, length);

    if (peak >= t->peaks.count)
        return PARTS - 1;
    return peak < NAMED ? peak : NAMED;
}

static uint64_t ppl_all(const uint64_t part[PARTS])
{
    uint64_t all = 0;

    for (size_t i = 0; i < PARTS; i++)
        all += part[i];
    return all;
}

static enum prvcut_status ppl_count(struct ppl_bars *b, struct prvcut_error *err)
{
    const struct pat_track *t = b->track;
    uint64_t least = UINT64_MAX, most = 1;

    for (uint64_t i = 0; i < t->count; i++) {
        least = t->length[i] < least ? t->length[i] : least;
        most = t->length[i] > most ? t->length[i] : most;
    }
    b->first = log2((double)(least > 0 ? least : 1));
    b->bars = ppl_bar(b, most) + 1;
    b->count = prvcut_zeroed(b->bars, sizeof *b->count, "a drawing", err);
    if (!b->count)
        return PRVCUT_ENOMEM;
    for (uint64_t i = 0; i < t->count; i++)
        b->count[ppl_bar(b, t->length[i])][ppl_part(t, t->length[i])]++;
    for (size_t i = 0; i < b->bars; i++) {
        const uint64_t all = ppl_all(b->count[i]);

        b->most = all > b->most ? all : b->most;
    }
    return PRVCUT_OK;
}

static void ppl_number(struct report_lines *l, const char *name, double x)
{
    report_put(l, " %s=\"", name);
    svg_put_number(l, x, 1);
    svg_put_raw(l, "\"");
}

static void ppl_text(struct report_lines *l, double x, double y, const char *anchor,
                     const char *text)
{
    report_put(l, "<text text-anchor=\"%s\"", anchor);
    ppl_number(l, "x", x);
    ppl_number(l, "y", y);
    svg_put_raw(l, ">");
    svg_put_text(l, text);
    svg_put_raw(l, "</text>\n");
}

static double ppl_x(const struct ppl_bars *b, size_t bar)
{
    return LEFT + ACROSS * (double)bar / (double)(b->bars > 8 ? b->bars : 8);
}

/* How often: a few round numbers. */
static void ppl_axes(const struct ppl_bars *b)
{
    const struct plot_ticks t = plot_ticks(0, (double)b->most, 5);
    char text[32];

    for (unsigned i = 0; i < t.count; i++) {
        const double value = t.first + i * t.step;
        const double y = ABOVE + TALL - TALL * value / (double)b->most;

        svg_put_raw(b->l, "<line class=\"grid\"");
        ppl_number(b->l, "x1", LEFT);
        ppl_number(b->l, "y1", y);
        ppl_number(b->l, "x2", LEFT + ACROSS);
        ppl_number(b->l, "y2", y);
        svg_put_raw(b->l, "/>\n");
        ppl_text(b->l, LEFT - 8, y + 4, "end", svg_fixed(text, value, t.decimals));
    }
    /* A mark every so many bars, with the length where it begins. */
    for (size_t bar = 0; bar <= b->bars; bar += b->bars > 48 ? b->bars / 6 : 8)
        ppl_text(b->l, ppl_x(b, bar), ABOVE + TALL + 18, "middle",
                 prvcut_time_text(text, exp2(b->first + (double)bar / BARS)));
    ppl_text(b->l, LEFT + ACROSS / 2.0, ABOVE + TALL + 38, "middle",
             "Length of an iteration, by logarithm");
}

/* A bar from the bottom: its parts, one on the other. */
static void ppl_put_bar(const struct ppl_bars *b, size_t bar)
{
    uint64_t below = 0;

    for (size_t k = 0; k < PARTS; k++) {
        const uint64_t count = b->count[bar][k];
        const double tall = TALL * (double)count / (double)b->most;

        if (count == 0)
            continue;
        below += count;
        report_put(b->l, "<rect fill=\"%s\"", ppl_colour[k]);
        ppl_number(b->l, "x", ppl_x(b, bar));
        ppl_number(b->l, "y", ABOVE + TALL - TALL * (double)below / (double)b->most);
        ppl_number(b->l, "width", fmax(ppl_x(b, bar + 1) - ppl_x(b, bar) - 0.5, 0.5));
        ppl_number(b->l, "height", tall);
        report_put(b->l, "><title>%" PRIu64 "</title></rect>\n", count);
    }
}

static void ppl_legend_entry(const struct ppl_bars *b, size_t nth, const char *colour,
                             const char *text)
{
    const double x = LEFT + (double)ACROSS / IN_ROW * (double)(nth % IN_ROW);
    const double y = 38 + LINE * (double)(nth / IN_ROW);

    report_put(b->l, "<rect width=\"10\" height=\"10\" fill=\"%s\"", colour);
    ppl_number(b->l, "x", x);
    ppl_number(b->l, "y", y);
    svg_put_raw(b->l, "/>\n");
    ppl_text(b->l, x + 15, y + 9, "start", text);
}

/* The fullest peaks, each in its colour; the others together; what is in none. */
static void ppl_legend(const struct ppl_bars *b)
{
    const struct pat_peaks *p = &b->track->peaks;
    const size_t named = p->count < NAMED ? p->count : NAMED;
    size_t place = named;
    uint64_t others = 0;
    char text[100], length[32];

    for (size_t i = 0; i < named; i++) {
        snprintf(text, sizeof text, "%s × %" PRIu64,
                 prvcut_time_text(length, (double)p->at[i].centre), p->at[i].count);
        ppl_legend_entry(b, i, ppl_colour[i], text);
    }
    for (size_t i = named; i < p->count; i++)
        others += p->at[i].count;
    snprintf(text, sizeof text, "others: %" PRIu64, others);
    if (others > 0)
        ppl_legend_entry(b, place++, OTHER_COLOUR, text);
    snprintf(text, sizeof text, "alone: %" PRIu64, p->outside);
    if (p->outside > 0)
        ppl_legend_entry(b, place, ALONE_COLOUR, text);
}

/* Up to the text of the heading. */
static void ppl_begin(struct report_lines *l)
{
    report_put(l,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\">\n<style>",
               WIDTH, HEIGHT, WIDTH, HEIGHT);
    svg_put_raw(l, plot_style);
    svg_put_raw(l, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    svg_put_raw(l, "<text class=\"heading\" x=\"70\" y=\"24\">");
}

enum prvcut_status prvcut_patterns_svg(const struct prvcut_patterns *p, char **text,
                                       struct prvcut_error *err)
{
    const struct pat_points *points = made_patterns_of(p)->chosen;
    struct report_lines l = { .err = err };
    struct ppl_bars b = { .l = &l };
    enum prvcut_status st = PRVCUT_OK;
    char title[300];

    if (!points)
        return prvcut_fail(err, PRVCUT_EUSAGE, "iterations were not looked at");
    ppl_begin(&l);
    if (points->tracks > 0) {
        b.track = &points->track[0];
        st = ppl_count(&b, err);
        snprintf(title, sizeof title, "%.200s: %" PRIu64 " iterations on thread %.40s", p->name,
                 b.track->count, prvcut_patterns_thread_name(p, b.track->thread));
    } else {
        snprintf(title, sizeof title, "%.200s: %s", p->name,
                 p->no_points ? p->no_points : "there is no outermost loop");
    }
    svg_put_text(&l, title);
    svg_put_raw(&l, "</text>\n");
    if (st == PRVCUT_OK && b.track) {
        ppl_axes(&b);
        for (size_t i = 0; i < b.bars; i++)
            ppl_put_bar(&b, i);
        ppl_legend(&b);
    }
    svg_put_raw(&l, "</svg>\n");
    free(b.count);
    l.st = st < 0 ? st : l.st;
    return report_take(&l, text);
}
