#include "report/page_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEAKS 256 /* iterations that tell how high a loop's signal goes */

const struct prvcut_region *page_main(const struct page *p)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;

    return p->with->reduction->periodic && s->main < s->regions ? &s->region[s->main] : NULL;
}

size_t page_lead(const struct page *p)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    const struct prvcut_region *m = page_main(p);

    for (size_t i = 0; m && i < p->with->searches; i++)
        if (p->with->search[i].region < s->regions &&
            s->region[p->with->search[i].region].loop == m->loop)
            return i;
    return SIZE_MAX;
}

double page_border(const struct prvcut_region *r, size_t k)
{
    if (r->border && k < r->borders)
        return (double)r->border[k];
    return (double)r->span.start + (double)k * r->period_ns;
}

size_t page_borders(const struct prvcut_region *r)
{
    if (r->border)
        return r->borders;
    return r->period_ns > 0 && r->iterations < 1e7 ? (size_t)(r->iterations + 1.5) : 0;
}

static int txt_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double page_ceiling(const struct prvcut_curve *c, const struct prvcut_region *r)
{
    const size_t borders = page_borders(r), step = borders / PEAKS + 1;
    double peak[PEAKS], median;
    size_t count = 0;

    for (size_t k = 0; k + 1 < borders && count < PEAKS; k += step)
        peak[count++] = plot_greatest(c, page_border(r, k), page_border(r, k + 1));
    if (count < 4)
        return INFINITY;
    qsort(peak, count, sizeof *peak, txt_ascending);
    median = peak[count / 2];
    return median > 0 ? 2 * median : INFINITY;
}

char *page_place(char out[64], const struct prvcut_region *r)
{
    if (r->number > 0)
        snprintf(out, 64, "level %u, region %u", r->level, r->number);
    else
        snprintf(out, 64, "level %u", r->level);
    return out;
}

char *page_kind(char out[64], const struct prvcut_region *r)
{
    if (r->loop > 0)
        snprintf(out, 64, "loop %u", r->loop);
    else if (r->cause && *r->cause)
        snprintf(out, 64, "%s", r->cause);
    else
        snprintf(out, 64, "%s", r->kind);
    return out;
}

const char *page_style(const struct prvcut_region *r)
{
    static const char *const loops[] = { "loop loop1", "loop loop2", "loop loop3" };

    if (r->loop > 0)
        return loops[(r->loop - 1) % 3];
    if (strcmp(r->kind, "masked") == 0)
        return "masked";
    return strcmp(r->kind, "aperiodic") == 0 ? "aperiodic" : "quiet";
}

char *page_chop(char out[64], const struct page *p, size_t chop)
{
    const struct prvcut_reduction *r = p->with->reduction;
    size_t same = 0, before = 0;

    for (size_t i = 0; i < r->chops; i++) {
        const bool alike = strcmp(r->chop[i].kind, r->chop[chop].kind) == 0;

        same += alike;
        before += alike && i <= chop;
    }
    if (same > 1)
        snprintf(out, 64, "%s %zu", r->chop[chop].kind, before);
    else
        snprintf(out, 64, "%s", r->chop[chop].kind);
    return out;
}

void page_section(const struct page *p, const char *id, const char *heading)
{
    report_put(p->out, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n",
               id, id, id, heading);
}

void page_section_end(const struct page *p)
{
    svg_put_raw(p->out, "</section>\n");
}

/* The tools do nothing without the script, which shows them. */
void page_figure(const struct page *p, const char *classes, const char *heading)
{
    report_put(p->out, "<figure class=\"chart %s\">\n<figcaption><span>", classes);
    svg_put_text(p->out, heading);
    svg_put_raw(
        p->out,
        "</span><span class=\"tools\" hidden><output></output>"
        "<button type=\"button\" data-do=\"in\" aria-label=\"Zoom in\">+</button>"
        "<button type=\"button\" data-do=\"out\" aria-label=\"Zoom out\">\xe2\x88\x92</button>"
        "<button type=\"button\" data-do=\"left\" aria-label=\"Move left\">\xe2\x86\x90</button>"
        "<button type=\"button\" data-do=\"right\" aria-label=\"Move right\">\xe2\x86\x92</button>"
        "<button type=\"button\" data-do=\"all\">Reset</button></span></figcaption>\n"
        "<div class=\"area\">\n");
}

void page_figure_end(const struct page *p)
{
    svg_put_raw(p->out, "</figure>\n");
}

void page_cell(const struct page *p, const char *kind, const char *text)
{
    if (*kind)
        report_put(p->out, "<td class=\"%s\">", kind);
    else
        svg_put_raw(p->out, "<td>");
    svg_put_text(p->out, text);
    svg_put_raw(p->out, "</td>");
}

char *page_tenths(char out[32], double x)
{
    if (x >= 10000 && x < 1e18)
        return report_count(out, (uint64_t)(x + 0.5));
    return report_tenths(out, x);
}

void page_put_time(const struct page *p, double ns)
{
    char text[32];

    svg_put_raw(p->out, prvcut_time_text(text, ns));
}

void page_put_count(const struct page *p, uint64_t n, const char *noun)
{
    char text[32];

    report_put(p->out, "%s %s%s", report_count(text, n), noun, n == 1 ? "" : "s");
}
