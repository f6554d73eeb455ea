#include "report/page_parts.h"

#include "analysis/proof.h"
#include "report/proof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAR_FULL 0.25 /* the error that fills a bar's half */

/* Four significant digits, plain. */
static char *prf_number(char out[32], double x)
{
    const double size = fabs(x);
    int decimals = 0;

    for (double limit = 1000; decimals < 6 && size < limit && size > 0; limit /= 10)
        decimals++;
    if (!isfinite(x))
        snprintf(out, 32, "\xe2\x80\x93");
    else if (size >= 1e5)
        snprintf(out, 32, "%s%s", x < 0 ? "-" : "",
                 report_count((char[32]){ 0 }, (uint64_t)fmin(size + 0.5, 1.8e19)));
    else
        svg_fixed(out, x, decimals);
    return out;
}

static void prf_put_value(const struct page *p, const struct prvcut_proof_row *r, double x)
{
    char text[32], shown[48];
    const bool share = strcmp(r->unit, "share") == 0;

    if (share)
        snprintf(shown, sizeof shown, "%s %%", svg_fixed(text, 100 * x, 2));
    else
        snprintf(shown, sizeof shown, "%s", prf_number(text, x));
    page_cell(p, "n", shown);
}

static char *prf_error(char out[32], double error)
{
    char text[32];

    if (!isfinite(error))
        snprintf(out, 32, "only in the chop");
    else
        snprintf(out, 32, "%s%s %%", error > 0 ? "+" : "",
                 svg_fixed(text, 100 * fmin(error, 1e6), 2));
    return out;
}

/* From the middle to the right where the chop has more, to the left where it has less. */
static void prf_put_bar(const struct page *p, double error, double weight)
{
    const double share = isfinite(error) ? fmin(fabs(error) / BAR_FULL, 1) : 1;
    const bool more = error > 0;
    char x[32], width[32];

    report_put(p->out,
               "<td class=\"bar\"><svg width=\"100%%\" height=\"12\" aria-hidden=\"true\">"
               "<rect class=\"meter %s%s\" height=\"12\" x=\"%s%%\" width=\"%s%%\"/>"
               "<line class=\"axis\" x1=\"50%%\" x2=\"50%%\" y2=\"12\"/></svg></td>",
               weight < 0.02 ? "faint " : "", more ? "more" : "less",
               svg_fixed(x, more ? 50 : 50 - 50 * share, 2), svg_fixed(width, 50 * share, 2));
}

static void prf_put_row(const struct page *p, const struct prvcut_proof_row *r)
{
    char text[32];

    svg_put_raw(p->out, "<tr>");
    page_cell(p, "", r->group);
    svg_put_raw(p->out, "<th scope=\"row\">");
    svg_put_short(p->out, r->name, 60);
    svg_put_raw(p->out, "</th>");
    page_cell(p, "unit", r->unit);
    prf_put_value(p, r, r->region);
    prf_put_value(p, r, r->chop);
    page_cell(p, "n", prf_error(text, r->error));
    prf_put_bar(p, r->error, r->weight);
    page_cell(p, "n", svg_fixed(text, r->weight, 3));
    svg_put_raw(p->out, "</tr>\n");
}

static void prf_put_rule(const struct page *p)
{
    char faithful[32], fair[32];

    report_put(p->out,
               "Up to %s\xc2\xa0%% a chop is called faithful, up to %s\xc2\xa0%% fair, beyond "
               "doubtful; each error counts by its weight.",
               svg_fixed(faithful, 100 * PRVCUT_PROOF_FAITHFUL, 0),
               svg_fixed(fair, 100 * PRVCUT_PROOF_FAIR, 0));
}

static void prf_put_verdict(const struct page *p, size_t chop)
{
    const struct prvcut_chop *c = &p->with->reduction->chop[chop];
    const struct prvcut_proof *f = &c->proof;
    char text[32], name[64], with[96];

    report_put(p->out,
               "<h3>Chop, %s: <span class=\"verdict\" data-key=\"verdict\">%s</span></h3>\n",
               page_chop(name, p, chop), f->verdict);
    report_put(p->out, "<p class=\"text\">%u iteration%s against %s", c->iterations,
               c->iterations == 1 ? "" : "s", report_compared(with, p->with->reduction, c));
    report_put(p->out, "; the greatest error times weight is <b>%s %%</b>. ",
               svg_fixed(text, 100 * fmin(fabs(f->worst), 1e6), 2));
    prf_put_rule(p);
    if (f->unlike > 0)
        report_put(p->out,
                   " <b>%u of %u threads</b> make another number of calls in the chop than in the "
                   "region.",
                   f->unlike, f->threads);
    svg_put_raw(p->out, "</p>\n");
}

static void prf_put(const struct page *p, size_t chop)
{
    const struct prvcut_proof *f = &p->with->reduction->chop[chop].proof;

    prf_put_verdict(p, chop);
    svg_put_raw(p->out,
                "<div class=\"scroll\"><table class=\"proof\"><caption>The chop beside the region "
                "that it stands for, "
                "worst first</caption><thead><tr><th scope=\"col\">Group</th>"
                "<th scope=\"col\">Quantity</th><th scope=\"col\">Unit</th>"
                "<th scope=\"col\" class=\"n\">Region</th><th scope=\"col\" class=\"n\">Chop</th>"
                "<th scope=\"col\" class=\"n\">Error</th>"
                "<th scope=\"col\"><span class=\"ends\"><span>\xe2\x88\x92"
                "25 %</span><span>+25 %</span></span></th>"
                "<th scope=\"col\" class=\"n\">Weight</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < f->rows && i < PAGE_ROWS; i++)
        prf_put_row(p, &f->row[i]);
    svg_put_raw(p->out, "</tbody></table></div>\n");
    if (f->rows > PAGE_ROWS)
        report_put(
            p->out,
            "<p class=\"more\">%zu more quantities, whose weighted errors are smaller.</p>\n",
            f->rows - PAGE_ROWS);
}

void page_put_proofs(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    size_t shown = 0;

    page_section(p, "proof", "Proof");
    for (size_t i = 0; i < r->chops && shown < PAGE_PROOFS; i++)
        if (r->chop[i].proof.verdict) {
            prf_put(p, i);
            shown++;
        }
    if (shown == 0)
        svg_put_raw(p->out, "<p>No comparison was made.</p>\n");
    page_section_end(p);
}
