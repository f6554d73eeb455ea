#include "report/page_parts.h"

#include <stdio.h>
#include <string.h>

static void abt_put_files(const struct page *p, const struct prvcut_cut_summary *c)
{
    svg_put_raw(p->out, "<td class=\"files\">");
    for (unsigned i = 0; i < c->files; i++) {
        svg_put_raw(p->out, i > 0 ? "<br><code>" : "<code>");
        svg_put_text(p->out, c->file[i] ? c->file[i] : "");
        svg_put_raw(p->out, "</code>");
    }
    svg_put_raw(p->out, "</td>");
}

static void abt_put_chop(const struct page *p, size_t at)
{
    const struct prvcut_chop *c = &p->with->reduction->chop[at];
    char text[64], place[64];

    svg_put_raw(p->out, "<tr><th scope=\"row\">");
    svg_put_text(p->out, page_chop(text, p, at));
    snprintf(place, sizeof place, "</th><td>%u.%u</td>", c->level, c->number);
    svg_put_raw(p->out, place);
    page_cell(p, "n", report_count(text, c->iterations));
    page_cell(p, "n", c->first == UINT64_MAX ? "\xe2\x80\x93" : report_count(text, c->first));
    page_cell(p, "n", report_clock_text(text, &p->clock, c->cut.window.start, p->clock.places));
    page_cell(p, "n", prvcut_time_text(text, (double)(c->cut.window.end - c->cut.window.start)));
    page_cell(p, "n", svg_fixed(text, c->similarity, 2));
    page_cell(p, "n", prvcut_size_text(text, (double)c->cut.bytes));
    abt_put_files(p, &c->cut);
    svg_put_raw(p->out, "</tr>\n<tr class=\"note\"><td></td><td colspan=\"8\">");
    svg_put_text(p->out, c->why ? c->why : "");
    if (c->align) {
        report_put(p->out, "; borders %s: ",
                   strcmp(c->align, "calls") == 0 ? "of each thread its own"
                                                  : "the same for all threads");
        svg_put_text(p->out, c->align_why ? c->align_why : "");
    }
    if (c->crossing > 0)
        report_put(p->out, "; %s messages cross them", report_count(text, c->crossing));
    svg_put_raw(p->out, "</td></tr>\n");
}

void page_put_chops(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;

    page_section(p, "chops", "Chops and files");
    if (r->chops > 0) {
        report_put(
            p->out,
            "<div class=\"scroll\"><table class=\"chops\"><caption>What was "
            "cut%s</caption><thead><tr>"
            "<th scope=\"col\">Chop</th><th scope=\"col\">Region</th>"
            "<th scope=\"col\" class=\"n\">Iterations</th>"
            "<th scope=\"col\" class=\"n\">First</th>"
            "<th scope=\"col\" class=\"n\">Start (%s)</th>"
            "<th scope=\"col\" class=\"n\">Length</th>"
            "<th scope=\"col\" class=\"n\">Similarity</th>"
            "<th scope=\"col\" class=\"n\">Size</th><th scope=\"col\">Files</th></tr></thead>\n"
            "<tbody>\n",
            r->dry_run ? "; a dry run, nothing was written" : "", p->clock.unit);
        for (size_t i = 0; i < r->chops && i < PAGE_CHOPS; i++)
            abt_put_chop(p, i);
        svg_put_raw(p->out, "</tbody></table></div>\n");
    } else {
        svg_put_raw(p->out, "<p>Nothing was cut.</p>\n");
    }
    if (r->chops > PAGE_CHOPS)
        report_put(p->out, "<p class=\"more\">%zu more chops are not in this table.</p>\n",
                   r->chops - PAGE_CHOPS);
    page_section_end(p);
}

static void abt_put_line(const struct page *p, const char *name, const char *text, const char *tag)
{
    report_put(p->out, "<dt>%s</dt><dd><%s>", name, tag);
    svg_put_text(p->out, text);
    report_put(p->out, "</%s></dd>\n", tag);
}

static void abt_put_input(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    char text[160], n[3][32];

    abt_put_line(p, "Input", r->path ? r->path : "", "code");
    snprintf(text, sizeof text, "%s states, %s events, %s messages", report_count(n[0], r->states),
             report_count(n[1], r->events), report_count(n[2], r->messages));
    abt_put_line(p, "Records", text, "span");
    if (r->archive)
        abt_put_line(p, "Archive", r->archive, "code");
    if (r->skipped > 0)
        abt_put_line(p, "Damaged", report_count(n[0], r->skipped), "span");
    if (r->clocks.skewed) {
        snprintf(text, sizeof text, "up to %s apart, brought together by %.40s to within %s",
                 prvcut_time_text(n[0], (double)r->clocks.spread_ns),
                 r->clocks.source ? r->clocks.source : "",
                 prvcut_time_text(n[1], (double)r->clocks.doubt_ns));
        abt_put_line(p, "Clocks", text, "span");
    }
}

/* Regions that were left out of all that was compared, by cause. */
static void abt_put_masks(const struct page *p)
{
    const struct prvcut_structure *s = &p->with->reduction->structure;
    char text[96], count[32], time[32];

    for (size_t i = 0; i < s->masks; i++) {
        size_t before = 0, same = 0;
        double sum = 0;

        for (size_t k = 0; k < s->masks && before == 0; k++) {
            if (strcmp(s->mask[k].cause, s->mask[i].cause) != 0)
                continue;
            before += k < i;
            same++;
            sum += (double)(s->mask[k].span.end - s->mask[k].span.start);
        }
        if (before > 0)
            continue;
        snprintf(text, sizeof text, "%.24s, %s times, %s in all", s->mask[i].cause,
                 report_count(count, same), prvcut_time_text(time, sum));
        abt_put_line(p, "Masked", text, "span");
    }
}

void page_put_about(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    char text[32];

    page_section(p, "about", "About");
    svg_put_raw(p->out, "<dl class=\"about\">\n");
    if (p->with->command)
        abt_put_line(p, "Command", p->with->command, "code");
    abt_put_input(p);
    abt_put_masks(p);
    for (unsigned i = 0; i < r->notes; i++)
        abt_put_line(p, "Note", r->note[i] ? r->note[i] : "", "span");
    abt_put_line(p, "Made by", "prvcut " PRVCUT_VERSION, "span");
    if (r->elapsed_s > 0)
        abt_put_line(p, "Took", prvcut_time_text(text, r->elapsed_s * 1e9), "span");
    svg_put_raw(p->out,
                "</dl>\n<p class=\"more\">The same numbers for programs are in this file, in the "
                "element \xe2\x80\x9creport\xe2\x80\x9d (JSON, schema prvcut-reduction).</p>\n");
    page_section_end(p);
}
