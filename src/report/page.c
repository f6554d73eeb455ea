#include "report/page.h"

#include "report/called.h"
#include "report/page_files.h"
#include "report/page_json.h"
#include "report/page_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pag_put_top(const struct page *p)
{
    svg_put_raw(p->out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"generator\" content=\"prvcut " PRVCUT_VERSION "\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<link rel=\"icon\" href=\"data:,\">\n<title>");
    svg_put_text(p->out, report_called(p->with->reduction));
    svg_put_raw(p->out, " - prvcut</title>\n<style>\n");
    svg_put_raw(p->out, report_plot_css);
    svg_put_raw(p->out, report_page_css);
    svg_put_raw(p->out, "</style>\n</head>\n<body>\n");
}

/* Patterns that any drawing of the page may fill with: never colour alone. */
static void pag_put_patterns(const struct page *p)
{
    svg_put_raw(
        p->out,
        "<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n"
        "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
        " patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" class=\"hatchback\"/>"
        "<line y2=\"6\" class=\"hatchline\"/></pattern>\n"
        "<pattern id=\"dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"6\" height=\"6\" class=\"dotback\"/>"
        "<circle cx=\"2\" cy=\"2\" r=\"0.9\" class=\"dot\"/></pattern>\n</defs></svg>\n");
}

static void pag_put_parts(const struct page *p)
{
    static void (*const parts[])(const struct page *p) = {
        page_put_head,   page_put_signal, page_put_search,    page_put_votes,
        page_put_levels, page_put_inner,  page_put_timelines, page_put_lengths,
        page_put_proofs, page_put_chops,  page_put_about,
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts && p->out->st == PRVCUT_OK; i++)
        parts[i](p);
}

/* The report that a program reads: the page's numbers can be checked against it. */
static void pag_put_json(const struct page *p)
{
    char *json = NULL;

    if (p->out->st == PRVCUT_OK)
        p->out->st = prvcut_reduction_json(p->with->reduction, &json, p->out->err);
    if (p->out->st == PRVCUT_OK)
        p->out->st = page_json_abridge(&json, PAGE_JSON, p->out->err);
    if (p->out->st == PRVCUT_OK) {
        svg_put_raw(p->out, "<script type=\"application/json\" id=\"report\">\n");
        svg_put_json(p->out, json);
        svg_put_raw(p->out, "</script>\n");
    }
    free(json);
}

enum prvcut_status prvcut_page_html(const struct prvcut_page *page, char **text,
                                    struct prvcut_error *err)
{
    const struct prvcut_reduction *r = page->reduction;
    struct report_lines out = { .err = err };
    const struct page p = { .out = &out,
                            .with = page,
                            .clock = report_clock_for(r->end_ns, r->periodic ? r->period_ns : 0) };

    pag_put_top(&p);
    pag_put_patterns(&p);
    svg_put_raw(&out, "<main>\n");
    pag_put_parts(&p);
    svg_put_raw(&out, "</main>\n");
    pag_put_json(&p);
    svg_put_raw(&out, "<script>\n");
    svg_put_raw(&out, report_page_js);
    svg_put_raw(&out, "</script>\n</body>\n</html>\n");
    return report_take(&out, text);
}
