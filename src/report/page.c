#include "report/page.h"

#include "report/called.h"
#include "report/page_files.h"
#include "report/page_json.h"
#include "report/page_said.h"

#include <stdlib.h>

/* Columns of the report: the browser wraps its lines. */
#define UNWRAPPED 4000

static void pag_put_top(struct report_lines *out, const struct made_reduction *r, const char *mark)
{
    svg_put_raw(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"generator\" content=\"prvcut " PRVCUT_VERSION "\">\n");
    if (mark) {
        svg_put_raw(out, "<meta name=\"" PRVCUT_PAGE_MARK "\" content=\"");
        svg_put_text(out, mark);
        svg_put_raw(out, "\">\n");
    }
    svg_put_raw(out, "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n<title>");
    svg_put_text(out, report_called(r));
    svg_put_raw(out, " - prvcut</title>\n<style>\n");
    svg_put_raw(out, report_page_css);
    svg_put_raw(out, "</style>\n</head>\n<body>\n");
}

static void pag_put_head(struct report_lines *out, const struct made_reduction *r)
{
    char *text = NULL;

    svg_put_raw(out, "<main>\n<header>\n<h1>");
    svg_put_text(out, report_called(r));
    svg_put_raw(out, "</h1>\n<div id=\"verdict\"></div>\n");
    if (out->st == PRVCUT_OK)
        out->st = prvcut_reduction_brief(&r->is, UNWRAPPED, &text, out->err);
    if (out->st == PRVCUT_OK)
        page_said(out, text);
    free(text);
    svg_put_raw(out, "</header>\n<noscript><p>The drawings and tables of this page need its "
                     "script (JavaScript).</p></noscript>\n</main>\n");
}

/* All that is drawn, once: the scripts read it here, and so may programs. */
static void pag_put_data(struct report_lines *out, const struct prvcut_page *page)
{
    char *json = NULL;

    if (out->st == PRVCUT_OK)
        out->st = page_json(page, &json, out->err);
    if (out->st == PRVCUT_OK) {
        svg_put_raw(out, "<script type=\"application/json\" id=\"report\">\n");
        svg_put_json(out, json);
        svg_put_raw(out, "\n</script>\n");
    }
    free(json);
}

static void pag_put_scripts(struct report_lines *out)
{
    static const char *const scripts[] = {
        report_page_base_js, report_page_plot_js,       report_page_lengths_js,
        report_page_time_js, report_page_timeline_js,   report_page_run_js,
        report_page_why_js,  report_page_efficiency_js, report_page_waits_js,
        report_page_comm_js, report_page_first_js,      report_page_tabs_js,
        report_page_js,
    };

    svg_put_raw(out, "<script>\n(function () {\n\"use strict\";\n");
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        svg_put_raw(out, scripts[i]);
    svg_put_raw(out, "})();\n</script>\n");
}

enum prvcut_status prvcut_page_html(const struct prvcut_page *page, char **text,
                                    struct prvcut_error *err)
{
    struct report_lines out = { .err = err };

    pag_put_top(&out, page->reduction, page->mark);
    pag_put_head(&out, page->reduction);
    pag_put_data(&out, page);
    pag_put_scripts(&out);
    svg_put_raw(&out, PRVCUT_PAGE_END);
    return report_take(&out, text);
}
