#include "report/page_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TALLEST 560 /* px */
#define NAMED   8   /* pieces of a state that bear its name */
#define MANY    150 /* messages: their lines are drawn thinner */
#define NAME    16  /* letters of a thread's name */

/** A timeline whose pieces of time are joined so that few enough remain. */
struct pgt_grid {
    const struct prvcut_timeline *of;
    uint8_t *cell; /* [of->rows * columns]; owned */
    uint32_t columns;
};

static size_t pgt_runs(const struct pgt_grid *g)
{
    size_t runs = 0;

    for (uint32_t row = 0; row < g->of->rows; row++) {
        const uint8_t *cell = g->cell + (size_t)row * g->columns;

        for (uint32_t i = 0; i < g->columns; i++)
            runs += cell[i] != 0 && (i == 0 || cell[i] != cell[i - 1]);
    }
    return runs;
}

/* Two neighbours become one: the state that goes on to the left or right of them, else the first.
 */
static void pgt_halve(struct pgt_grid *g)
{
    const uint32_t half = (g->columns + 1) / 2;

    for (uint32_t row = 0; row < g->of->rows; row++) {
        const uint8_t *from = g->cell + (size_t)row * g->columns;
        uint8_t *to = g->cell + (size_t)row * half;

        for (uint32_t i = 0; i < half; i++) {
            const uint8_t a = from[2 * i], b = 2 * i + 1 < g->columns ? from[2 * i + 1] : a;
            const bool after = 2 * i + 2 < g->columns && from[2 * i + 2] == b;
            const bool before = i > 0 && to[i - 1] == a;

            to[i] = a == 0 || (after && !before) ? b : a;
        }
    }
    g->columns = half;
}

static bool pgt_init(const struct page *p, struct pgt_grid *g, const struct prvcut_timeline *t)
{
    const size_t count = (size_t)t->rows * t->columns;

    *g = (struct pgt_grid){ .of = t, .columns = t->columns, .cell = malloc(count + 1) };
    if (!g->cell) {
        p->out->st = prvcut_fail(p->out->err, PRVCUT_ENOMEM, "out of memory for a timeline");
        return false;
    }
    memcpy(g->cell, t->cell, count);
    while (g->columns > 16 && pgt_runs(g) > PAGE_RUNS / PAGE_TIMELINES)
        pgt_halve(g);
    return true;
}

/* px from the top to the middle of a row; printf's point may be a comma. */
static void pgt_put_middle(const struct page *p, uint32_t row, int tall)
{
    svg_put_number(p->out, row * (double)tall + tall / 2.0, 1);
}

/* All pieces of one state in a path: each row a thick line. */
static void pgt_put_state(const struct page *p, const struct pgt_grid *g, size_t state, int tall)
{
    report_put(p->out, "<path data-state=\"%zu\" stroke=\"#%06x\" stroke-width=\"%d\" d=\"", state,
               (unsigned)g->of->state[state].colour & 0xffffffu, tall > 4 ? tall - 2 : tall);
    for (uint32_t row = 0; row < g->of->rows; row++) {
        const uint8_t *cell = g->cell + (size_t)row * g->columns;
        uint32_t at = 0;
        bool open = false;

        for (uint32_t i = 0; i < g->columns; i++) {
            const uint32_t from = i;

            if (cell[i] != state + 1)
                continue;
            while (i + 1 < g->columns && cell[i + 1] == cell[from])
                i++;
            if (open) {
                report_put(p->out, "m%u 0", from - at);
            } else {
                report_put(p->out, "M%u ", from);
                pgt_put_middle(p, row, tall);
            }
            report_put(p->out, "h%u", i + 1 - from);
            at = i + 1;
            open = true;
        }
    }
    svg_put_raw(p->out, "\"/>\n");
}

static void pgt_put_messages(const struct page *p, const struct prvcut_timeline *t,
                             const struct plot *plot, int tall)
{
    const size_t step = t->messages / PAGE_MESSAGES + 1;

    for (int halo = 1; halo >= 0; halo--) {
        report_put(p->out, "<path class=\"%s%s\" vector-effect=\"non-scaling-stroke\" d=\"",
                   halo ? "halo" : "message", t->messages > MANY ? " many" : "");
        for (size_t i = 0; i < t->messages; i += step) {
            const struct prvcut_timeline_message *m = &t->message[i];

            if (m->from >= t->rows || m->to >= t->rows)
                continue;
            svg_put_raw(p->out, "M");
            svg_put_number(p->out, plot_across(plot, (double)m->send), 1);
            svg_put_raw(p->out, " ");
            pgt_put_middle(p, m->from, tall);
            svg_put_raw(p->out, "L");
            svg_put_number(p->out, plot_across(plot, (double)m->receive), 1);
            svg_put_raw(p->out, " ");
            pgt_put_middle(p, m->to, tall);
        }
        svg_put_raw(p->out, "\"/>\n");
    }
}

/* Where each thread's own window begins and ends. */
static void pgt_put_borders(const struct page *p, const struct prvcut_timeline *t,
                            const struct prvcut_chop *c, const struct plot *plot, int tall)
{
    if (!c->thread)
        return;
    svg_put_raw(p->out, "<path class=\"ownborder\" vector-effect=\"non-scaling-stroke\" d=\"");
    for (uint32_t row = 0; row < t->rows; row++) {
        const uint32_t thread = t->thread[row];

        for (int side = 0; thread < c->threads && side < 2; side++) {
            const struct prvcut_span *s = &c->thread[thread];

            if (s->end <= s->start)
                continue;
            svg_put_raw(p->out, "M");
            svg_put_number(p->out, plot_across(plot, (double)(side ? s->end : s->start)), 1);
            report_put(p->out, " %uv%d", row * (unsigned)tall, tall);
        }
    }
    svg_put_raw(p->out, "\"/>\n");
}

static void pgt_put_names(const struct page *p, const struct prvcut_timeline *t, int tall)
{
    const uint32_t every = tall >= 11 ? 1 : (uint32_t)(10 / tall) + 1;

    for (uint32_t row = 0; row < t->rows; row += every) {
        svg_put_raw(p->out, "<text class=\"tick\" x=\"-8\" dy=\"4\" y=\"");
        pgt_put_middle(p, row, tall);
        svg_put_raw(p->out, "\" text-anchor=\"end\">");
        svg_put_short(p->out, t->name[row], NAME);
        svg_put_raw(p->out, "</text>");
    }
}

/** A piece of one state in one row. */
struct pgt_piece {
    uint32_t row, from, to; /* columns */
};

/* Keep the longest pieces, longest first. */
static void pgt_keep(struct pgt_piece kept[NAMED], const struct pgt_piece *piece)
{
    size_t at = NAMED;

    while (at > 0 && kept[at - 1].to - kept[at - 1].from < piece->to - piece->from)
        at--;
    if (at == NAMED)
        return;
    memmove(kept + at + 1, kept + at, (NAMED - 1 - at) * sizeof *kept);
    kept[at] = *piece;
}

static void pgt_longest(const struct pgt_grid *g, size_t state, struct pgt_piece kept[NAMED])
{
    memset(kept, 0, NAMED * sizeof *kept);
    for (uint32_t row = 0; row < g->of->rows; row++) {
        const uint8_t *cell = g->cell + (size_t)row * g->columns;
        struct pgt_piece piece = { .row = row };

        for (uint32_t i = 0; i < g->columns; i++) {
            if (cell[i] != state + 1)
                continue;
            if (i == 0 || cell[i - 1] != cell[i])
                piece.from = i;
            piece.to = i + 1;
            if (i + 1 == g->columns || cell[i + 1] != cell[i])
                pgt_keep(kept, &piece);
        }
    }
}

/* The state's name within a piece of it, where it fits or will fit once the reader zooms. */
static void pgt_put_name(const struct page *p, const struct pgt_grid *g, const struct plot *plot,
                         size_t state, const struct pgt_piece *piece)
{
    const unsigned colour = (unsigned)g->of->state[state].colour & 0xffffffu;
    const unsigned light = (colour >> 16) * 30 + (colour >> 8 & 255) * 59 + (colour & 255) * 11;
    const double tall = (double)plot->height / g->of->rows;
    const double ns = (plot->to - plot->from) / g->columns;
    const size_t letters = svg_length(g->of->state[state].name);
    const double room = 600.0 * (piece->to - piece->from) / g->columns;

    report_put(p->out,
               "<text class=\"at name state%s\" dx=\"4\" data-ns=\"%.0f\" "
               "data-end=\"%.0f\" style=\"fill:%s;stroke:#%06x\" x=\"",
               (double)(letters < 24 ? letters : 24) * 6.6 + 10 > room ? " tight" : "",
               plot->from + piece->from * ns, plot->from + piece->to * ns,
               light > 140 * 100 ? "#000" : "#fff", colour);
    svg_put_number(p->out, 100.0 * piece->from / g->columns, 3);
    svg_put_raw(p->out, "%\" y=\"");
    svg_put_number(p->out, piece->row * tall + tall / 2 + 4, 1);
    svg_put_raw(p->out, "\">");
    svg_put_short(p->out, g->of->state[state].name, 24);
    svg_put_raw(p->out, "</text>\n");
}

/* Colours may be alike, and not all see all: the longest pieces bear their names. */
static void pgt_put_state_names(const struct page *p, const struct pgt_grid *g,
                                const struct plot *plot)
{
    struct pgt_piece kept[NAMED];

    if (plot->height / (int)g->of->rows < 14)
        return;
    for (size_t i = 0; i < g->of->states; i++) {
        pgt_longest(g, i, kept);
        for (size_t k = 0; k < NAMED && kept[k].to > 0; k++)
            pgt_put_name(p, g, plot, i, &kept[k]);
    }
}

static void pgt_put_plot(const struct page *p, const struct pgt_grid *g,
                         const struct prvcut_chop *c)
{
    const struct prvcut_timeline *t = g->of;
    const int fit = TALLEST / (int)t->rows, tall = fit > 18 ? 18 : fit < 2 ? 2 : fit;
    const struct plot plot = { .out = p->out,
                               .from = (double)t->span.start,
                               .to = (double)t->span.end,
                               .high = 1,
                               .height = tall * (int)t->rows };

    plot_begin(&plot, "data-zoom tabindex=\"0\"", "Timeline of the chosen window",
               "One row a thread; the colours are those of the trace's states, lines between rows "
               "are messages.");
    plot_axes(&plot, "Time", NULL);
    pgt_put_names(p, t, tall);
    plot_zoom_begin(&plot);
    report_put(p->out, "<rect class=\"empty\" width=\"%.0f\" height=\"%d\"/>", PLOT_ACROSS,
               plot.height);
    svg_put_raw(p->out, "<g class=\"states\" fill=\"none\" transform=\"scale(");
    svg_put_number(p->out, PLOT_ACROSS / g->columns, 6);
    report_put(p->out, " 1)\" data-tall=\"%d\" data-columns=\"%u\">\n", tall, g->columns);
    for (size_t i = 0; i < t->states; i++)
        pgt_put_state(p, g, i, tall);
    svg_put_raw(p->out, "</g>\n");
    pgt_put_messages(p, t, &plot, tall);
    pgt_put_borders(p, t, c, &plot, tall);
    plot_zoom_end(&plot);
    pgt_put_state_names(p, g, &plot);
    plot_end(&plot);
    svg_put_raw(p->out, "</div>\n");
}

static void pgt_put_legend(const struct page *p, const struct prvcut_timeline *t,
                           const struct prvcut_chop *c)
{
    double sum = 0;
    char text[32];

    for (size_t i = 0; i < t->states; i++)
        sum += (double)t->state[i].ns;
    svg_put_raw(p->out, "<ul class=\"legend states\">");
    for (size_t i = 0; i < t->states; i++) {
        report_put(
            p->out,
            "<li data-state=\"%zu\"><svg width=\"18\" height=\"12\" aria-hidden=\"true\"><rect "
            "class=\"key\" width=\"18\" height=\"12\" style=\"fill:#%06x\"/></svg><span>",
            i, (unsigned)t->state[i].colour & 0xffffffu);
        svg_put_short(p->out, t->state[i].name, 40);
        report_put(p->out, "</span> <span class=\"share\">%s %%</span></li>",
                   svg_fixed(text, sum > 0 ? 100 * (double)t->state[i].ns / sum : 0, 1));
    }
    if (t->messages > 0) {
        const size_t step = t->messages / PAGE_MESSAGES + 1;
        const uint64_t shown = (t->messages + step - 1) / step;

        svg_put_raw(
            p->out,
            "<li><svg width=\"18\" height=\"12\" aria-hidden=\"true\"><path class=\"message\" "
            "d=\"M1 11L17 1\"/></svg>");
        page_put_count(p, shown, "message");
        if (t->messages_seen > shown)
            report_put(p->out, " of %s", report_count(text, t->messages_seen));
        svg_put_raw(p->out, "</li>");
    }
    if (c->thread)
        svg_put_raw(p->out, "<li><svg width=\"18\" height=\"12\" aria-hidden=\"true\"><path "
                            "class=\"ownborder\" d=\"M9 0V12\"/></svg>border of a "
                            "thread\xe2\x80\x99s own window</li>");
    svg_put_raw(p->out, "</ul>\n");
}

static void pgt_put(const struct page *p, size_t chop)
{
    const struct prvcut_timeline *t = &p->with->timeline[chop];
    const struct prvcut_chop *c = &p->with->reduction->chop[chop];
    struct pgt_grid grid;
    char heading[256], name[64], text[32], threads[80] = "";

    if (!pgt_init(p, &grid, t))
        return;
    if (t->rows < t->threads)
        snprintf(threads, sizeof threads, ", %u of %u threads", t->rows, t->threads);
    snprintf(heading, sizeof heading, "Chop, %s: %u iteration%s, %s%s", page_chop(name, p, chop),
             c->iterations, c->iterations == 1 ? "" : "s",
             prvcut_time_text(text, (double)(t->span.end - t->span.start)), threads);
    page_figure(p, "timeline", heading);
    pgt_put_plot(p, &grid, c);
    pgt_put_legend(p, t, c);
    page_figure_end(p);
    free(grid.cell);
}

void page_put_timelines(const struct page *p)
{
    size_t shown = 0;

    page_section(p, "timeline", "The chosen window");
    for (size_t i = 0; i < p->with->timelines && i < p->with->reduction->chops; i++) {
        const struct prvcut_timeline *t = &p->with->timeline[i];

        if (t->rows == 0 || t->columns == 0 || t->span.end <= t->span.start ||
            shown >= PAGE_TIMELINES)
            continue;
        pgt_put(p, i);
        shown++;
    }
    if (shown == 0)
        svg_put_raw(p->out, "<p>There is no window to show.</p>\n");
    page_section_end(p);
}
