#include "report/page_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS 12   /* different periods that are marked */
#define SAME   0.03 /* periods closer than that are one */
#define ROWS   4    /* of their names above the curve */
#define ROW    13   /* px */
#define WIDE   640  /* px: a plot is seldom narrower */
#define SMALL  330

/** Witnesses that saw about the same period. */
struct pgl_group {
    double period;
    char names[80];
    size_t count;
    bool chosen;
};

/** What the witnesses said of one loop. */
struct pgl_votes {
    const struct prvcut_vote *at;
    size_t count;
};

/* Of the main loop what was said of the whole run; else what the first region of the loop carries.
 */
static struct pgl_votes pgl_votes(const struct page *p, const struct prvcut_region *r)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    const struct prvcut_region *m = page_main(p);

    if (m && m->loop == r->loop)
        return (struct pgl_votes){ p->with->reduction->vote, p->with->reduction->votes };
    for (size_t i = 0; r->votes == 0 && i < s->regions; i++)
        if (s->region[i].loop == r->loop && s->region[i].votes > 0)
            return (struct pgl_votes){ s->region[i].vote, s->region[i].votes };
    return (struct pgl_votes){ r->vote, r->votes };
}

/* The names of two at most, the chosen one first. */
static void pgl_join(struct pgl_group *g, const struct prvcut_vote *v)
{
    const bool chosen = strcmp(v->status, "chosen") == 0;
    char other[40];

    if (g->count == 0) {
        snprintf(g->names, sizeof g->names, "%.30s", v->metric);
    } else if (g->count == 1 || chosen) {
        snprintf(other, sizeof other, "%.*s", (int)strcspn(g->names, ","), g->names);
        snprintf(g->names, sizeof g->names, "%.30s, %.30s", chosen ? v->metric : other,
                 chosen ? other : v->metric);
    }
    g->count++;
    if (chosen) {
        g->chosen = true;
        g->period = v->period_ns;
    }
}

static int pgl_compare(const void *a, const void *b)
{
    const double x = ((const struct pgl_group *)a)->period;
    const double y = ((const struct pgl_group *)b)->period;

    return (x > y) - (x < y);
}

static size_t pgl_groups(struct pgl_votes votes, struct pgl_group out[GROUPS])
{
    size_t count = 0;

    for (size_t i = 0; i < votes.count; i++) {
        const struct prvcut_vote *v = &votes.at[i];
        size_t k = 0;

        if (!(v->period_ns > 0))
            continue;
        while (k < count && fabs(out[k].period / v->period_ns - 1) > SAME)
            k++;
        if (k == GROUPS)
            continue;
        if (k == count)
            out[count++] = (struct pgl_group){ .period = v->period_ns };
        pgl_join(&out[k], v);
    }
    qsort(out, count, sizeof *out, pgl_compare);
    return count;
}

/* A row in which the name, so wide, finds room around x; ROWS: there is none. rows: where each
 * ends. */
static int pgl_row(double rows[ROWS], double x, double half, double across)
{
    const double from = fmin(fmax(x - half, 0), across - 2 * half);

    for (int row = 0; row < ROWS; row++)
        if (rows[row] <= from) {
            rows[row] = from + 2 * half + 6;
            return row;
        }
    return ROWS;
}

static void pgl_text(char out[160], const struct pgl_group *g)
{
    char period[32], more[24] = "";

    if (g->count > 2)
        snprintf(more, sizeof more, " +%zu", g->count - 2);
    snprintf(out, 160, "%s: %s%s", prvcut_time_text(period, g->period), g->names, more);
}

/* A line below its name, if that finds room. */
static void pgl_put_group(const struct plot *plot, const struct pgl_group *g, double rows[ROWS],
                          double across)
{
    const double x = across * (g->period - plot->from) / (plot->to - plot->from);
    char text[160];
    double half;
    int row;

    pgl_text(text, g);
    half = (double)svg_length(text) * 3.3 + 2;
    row = pgl_row(rows, x, half, across);
    plot_mark(plot, g->period, row < ROWS ? ROW * row + 16 : ROW * ROWS + 4,
              g->chosen ? "vote chosen" : "vote");
    if (row < ROWS)
        plot_label(plot, g->period, ROW * row + 12,
                   x < half            ? "start"
                   : x > across - half ? "end"
                                       : "middle",
                   g->chosen ? "votename chosen" : "votename", text);
}

static double pgl_reach(const struct prvcut_curve *c, const struct prvcut_region *r,
                        const struct pgl_group *g, size_t groups)
{
    const double end = c->start + c->step * (double)c->count;
    double reach = 4.5 * r->period_ns;

    for (size_t i = 0; i < groups; i++)
        reach = fmax(reach, 1.15 * g[i].period);
    return reach > 0 && reach < end ? reach : end;
}

static void pgl_range(struct plot *plot, const struct prvcut_curve *c, bool names)
{
    plot_range(plot, c);
    plot->top = fmax(plot->top, 0.2);
    plot->high = fmax(plot->high, 0.2);
    if (names)
        plot->high =
            plot->low + (plot->high - plot->low) * plot->height / (plot->height - ROW * ROWS - 8.0);
}

static void pgl_put_plot(const struct page *p, const struct plot *plot,
                         const struct prvcut_curve *c, const char *heading,
                         const struct pgl_group *group)
{
    double rows[ROWS] = { 0 };

    page_figure(p, "", heading);
    plot_begin(plot, "data-zoom tabindex=\"0\"", heading,
               "How alike the signal is to itself after each lag; the periods that the witnesses "
               "saw are marked, the winner's strongest.");
    plot_axes(plot, "Lag", "likeness (1 = the same)");
    plot_zoom_begin(plot);
    plot_line(plot, c);
    plot_zoom_end(plot);
    for (size_t i = 0; i < GROUPS && group[i].count > 0; i++)
        if (group[i].period <= plot->to)
            pgl_put_group(plot, &group[i], rows, plot->height < 200 ? SMALL : WIDE);
    plot_end(plot);
    svg_put_raw(p->out, "</div>\n<script type=\"application/json\" class=\"data\">{\"curve\":");
    plot_data(plot, c, PAGE_COLUMNS / 2);
    svg_put_raw(p->out, "}</script>\n");
    page_figure_end(p);
}

void page_put_likeness(const struct page *p, const struct prvcut_page_search *s, bool small)
{
    const struct prvcut_region *r = &p->with->reduction->structure.region[s->region];
    struct pgl_group group[GROUPS] = { 0 };
    const size_t groups = pgl_groups(pgl_votes(p, r), group);
    struct prvcut_curve c = { .count = 0 };
    struct plot plot = { .out = p->out, .from = 0, .height = small ? 130 : 220 };
    char heading[128], name[64];
    double *own;

    if (page_likeness(p, s, groups > 0 ? group[groups - 1].period : 0, &c, &own) && c.at &&
        c.count > 1 && c.step > 0) {
        plot.to = pgl_reach(&c, r, group, groups);
        pgl_range(&plot, &c, groups > 0);
        snprintf(heading, sizeof heading, "Autocorrelation of %.40s, %s",
                 s->signal.name && *s->signal.name ? s->signal.name : "the signal",
                 page_kind(name, r));
        pgl_put_plot(p, &plot, &c, heading, group);
    }
    free(own);
}

static size_t pgl_count(struct pgl_votes votes, const char *status)
{
    size_t n = 0;

    for (size_t i = 0; i < votes.count; i++)
        n += strcmp(votes.at[i].status, status) == 0;
    return n;
}

static const struct prvcut_vote *pgl_winner(struct pgl_votes votes)
{
    for (size_t i = 0; i < votes.count; i++)
        if (strcmp(votes.at[i].status, "chosen") == 0)
            return &votes.at[i];
    return NULL;
}

/* Squared strengths of all that saw about that period. */
static double pgl_support(struct pgl_votes votes, double period)
{
    double sum = 0;

    for (size_t i = 0; i < votes.count; i++)
        if (votes.at[i].period_ns > 0 && fabs(votes.at[i].period_ns / period - 1) <= SAME)
            sum += votes.at[i].strength * votes.at[i].strength;
    return sum;
}

/* Support of the winner's period, and the best of the others. */
static void pgl_sums(struct pgl_votes votes, double period, double *own, double *other)
{
    *own = pgl_support(votes, period);
    *other = 0;
    for (size_t i = 0; i < votes.count; i++)
        if (votes.at[i].period_ns > 0 && fabs(votes.at[i].period_ns / period - 1) > SAME)
            *other = fmax(*other, pgl_support(votes, votes.at[i].period_ns));
}

static void pgl_put_reason(const struct page *p, const struct prvcut_region *r,
                           const struct prvcut_vote *v)
{
    const struct pgl_votes votes = pgl_votes(p, r);
    char own[32], other[32];
    double a, b;

    if (r->source && strcmp(r->source, "given") == 0) {
        svg_put_raw(p->out, "The period was given; nothing was searched. ");
    } else if (r->source && strcmp(r->source, "calls") == 0) {
        svg_put_raw(p->out, "It won because the threads\xe2\x80\x99 calls repeat in it");
        if (r->alphabet && *r->alphabet) {
            svg_put_raw(p->out, ", compared by ");
            svg_put_text(p->out, r->alphabet);
        }
        if (r->examined > 0)
            report_put(p->out, " on %u thread%s, of which %u follow%s", r->examined,
                       r->examined == 1 ? "" : "s", r->followers, r->followers == 1 ? "s" : "");
        svg_put_raw(p->out,
                    ": the order of calls does not jitter as times do, so where calls tell a "
                    "loop, it is taken. ");
    } else if (v) {
        pgl_sums(votes, v->period_ns, &a, &b);
        report_put(
            p->out,
            "The calls told no loop, so the signals voted. Witnesses of the winner add up to "
            "%s in squared strength, those of the best other period to %s; a period more than "
            "three times as long wins with 0.4 of the best sum. ",
            svg_fixed(own, a, 2), svg_fixed(other, b, 2));
    }
}

static void pgl_put_agreement(const struct page *p, struct pgl_votes votes)
{
    static const struct {
        const char *status, *one, *several;
    } said[] = { { "agrees", "agrees with it", "agree with it" },
                 { "inner", "saw a loop within it", "saw a loop within it" },
                 { "multiple", "saw several iterations as one", "saw several iterations as one" },
                 { "differs", "differs", "differ" },
                 { "none", "saw no period", "saw no period" },
                 { "absent", "is not in this trace", "are not in this trace" } };
    const char *sign = "Of the other witnesses, ";

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const size_t n = pgl_count(votes, said[i].status);

        if (n == 0)
            continue;
        report_put(p->out, "%s%zu %s", sign, n, n == 1 ? said[i].one : said[i].several);
        sign = ", ";
    }
    svg_put_raw(p->out, sign[0] == ',' ? "." : "");
}

void page_put_search(const struct page *p)
{
    const struct prvcut_region *m = page_main(p);
    const size_t lead = page_lead(p);
    struct pgl_votes votes;
    const struct prvcut_vote *v;
    char text[32];

    page_section(p, "period", "Why this period");
    if (!m) {
        svg_put_raw(p->out, "<p>No period: ");
        svg_put_text(p->out, p->with->reduction->reason ? p->with->reduction->reason : "");
        svg_put_raw(p->out, ".</p>\n");
        page_section_end(p);
        return;
    }
    votes = pgl_votes(p, m);
    v = pgl_winner(votes);
    report_put(p->out, "<p class=\"text\"><b>%s</b> is the period",
               prvcut_time_text(text, v ? v->period_ns : p->with->reduction->period_ns));
    if (v) {
        svg_put_raw(p->out, " that ");
        svg_put_text(p->out, v->metric);
        report_put(p->out, " saw %s times", page_tenths(text, v->iterations));
        report_put(p->out, " with strength %s", svg_fixed(text, v->strength, 2));
    }
    svg_put_raw(p->out, ". ");
    pgl_put_reason(p, m, v);
    pgl_put_agreement(p, votes);
    svg_put_raw(p->out, "</p>\n");
    if (lead != SIZE_MAX)
        page_put_likeness(p, &p->with->search[lead], false);
    page_section_end(p);
}

static void pgl_put_vote(const struct page *p, const struct prvcut_vote *v, double period)
{
    const bool said = v->period_ns > 0;
    const double strength = fmin(fmax(v->strength, 0), 1);
    char text[32];

    report_put(p->out, "<tr class=\"%s\"><th scope=\"row\">", v->status);
    svg_put_text(p->out, v->metric);
    svg_put_raw(p->out, "</th>");
    page_cell(p, "n", said ? prvcut_time_text(text, v->period_ns) : "\xe2\x80\x93");
    page_cell(p, "n",
              said && period > 0 ? svg_fixed(text, v->period_ns / period, 3) : "\xe2\x80\x93");
    page_cell(p, "n", said ? svg_fixed(text, v->iterations, 1) : "\xe2\x80\x93");
    page_cell(p, "n", said ? svg_fixed(text, v->strength, 2) : "\xe2\x80\x93");
    report_put(p->out,
               "<td class=\"bar\"><svg width=\"100%%\" height=\"10\" aria-hidden=\"true\">"
               "<rect class=\"meter\" height=\"10\" width=\"%s%%\"/></svg></td>",
               svg_fixed(text, said ? 100 * strength : 0, 1));
    page_cell(p, "", v->status);
    page_cell(p, "why", v->why ? v->why : "");
    svg_put_raw(p->out, "</tr>\n");
}

void page_put_votes(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;

    page_section(p, "votes", "Votes");
    svg_put_raw(
        p->out,
        "<div class=\"scroll\"><table class=\"votes\"><caption>What each metric and the calls said "
        "of the "
        "outermost loop</caption><thead><tr>"
        "<th scope=\"col\">Witness</th><th scope=\"col\" class=\"n\">Period</th>"
        "<th scope=\"col\" class=\"n\">\xc3\x97 winner</th>"
        "<th scope=\"col\" class=\"n\">Iterations</th><th scope=\"col\" class=\"n\">Strength</th>"
        "<th scope=\"col\"><span class=\"hide\">Strength as a bar</span></th>"
        "<th scope=\"col\">Verdict</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < r->votes; i++)
        pgl_put_vote(p, &r->vote[i], r->periodic ? r->period_ns : 0);
    svg_put_raw(p->out, "</tbody></table></div>\n");
    page_section_end(p);
}
