#include "report/called.h"
#include "report/clear.h"
#include "report/page_parts.h"
#include "report/proof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *phd_trust(double confidence)
{
    if (confidence >= 0.9)
        return "high";
    return confidence >= 0.5 ? "fair" : "low";
}

static void phd_put_input(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    char text[32];

    svg_put_raw(p->out, "<p class=\"sub\">");
    svg_put_text(p->out, r->format ? r->format : "");
    report_put(p->out, " trace, %s, ", prvcut_size_text(text, (double)r->bytes));
    page_put_count(p, r->records, "record");
    svg_put_raw(p->out, ", ");
    page_put_count(p, r->tasks, "task");
    svg_put_raw(p->out, ", ");
    page_put_count(p, r->threads, "thread");
    svg_put_raw(p->out, ", ");
    page_put_time(p, (double)r->end_ns);
    svg_put_raw(p->out, "</p>\n");
}

/* Times smaller, as a whole number or with one decimal. */
static char *phd_factor(char out[32], double before, double after)
{
    const double factor = before / after;

    return factor < 10 ? page_tenths(out, factor) : report_count(out, (uint64_t)(factor + 0.5));
}

static void phd_put_found(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    const int places = p->clock.places < 3 ? p->clock.places : 3;
    const struct report_clear clear = report_clear_of(r);
    char text[32], from[32], to[32];

    if (!r->periodic) {
        svg_put_raw(p->out, "No loop was found: ");
        svg_put_text(p->out, r->reason ? r->reason : "");
        svg_put_raw(p->out, ".");
        return;
    }
    report_put(p->out, "The run repeats itself every <b>%s</b>",
               prvcut_time_text(text, r->period_ns));
    report_put(p->out, ", <b>%s times</b>, from %s to %s %s", page_tenths(text, r->iterations),
               report_clock_text(from, &p->clock, r->phase.start, places),
               report_clock_text(to, &p->clock, r->phase.end, places), p->clock.unit);
    if (clear.differs)
        report_put(p->out, "; every <b>%s</b> where no mask touches it",
                   prvcut_time_text(text, clear.period_ns));
    if (r->structure.levels > 1)
        report_put(p->out, "; loops are nested %u deep", r->structure.levels);
    svg_put_raw(p->out, ".");
}

/* What the first chop is worth. */
static void phd_put_worth(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    const struct prvcut_chop *c = r->chops > 0 ? &r->chop[0] : NULL;
    char text[32], with[96];

    if (!c)
        return;
    svg_put_raw(p->out, " The sub-trace ");
    svg_put_raw(p->out, r->dry_run ? "would keep " : "keeps ");
    page_put_count(p, c->iterations, "iteration");
    if (c->cut.bytes > 0 && r->text_bytes > c->cut.bytes)
        report_put(p->out, " and is %s times smaller",
                   phd_factor(text, (double)r->text_bytes, (double)c->cut.bytes));
    if (c->proof.verdict)
        report_put(p->out,
                   "; as a stand-in for %s it is <b>%s</b>, its worst weighted error is "
                   "%s\xc2\xa0%%",
                   report_compared(with, r, c), c->proof.verdict,
                   svg_fixed(text, 100 * fmin(fabs(c->proof.worst), 1e6), 1));
    svg_put_raw(p->out, ".");
}

/* key and value: what the same number is called and is in the JSON. */
static void phd_put_card(const struct page *p, const char *name, const char *key, const char *big,
                         const char *small)
{
    report_put(p->out, "<div><dt>%s</dt><dd data-key=\"%s\">", name, key);
    svg_put_text(p->out, big);
    svg_put_raw(p->out, "</dd><dd class=\"small\">");
    svg_put_text(p->out, small);
    svg_put_raw(p->out, "</dd></div>\n");
}

static void phd_put_period_cards(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    const struct prvcut_region *m = page_main(p);
    char big[64], small[96], text[32];

    snprintf(small, sizeof small, "median %s", prvcut_time_text(text, r->median_ns));
    phd_put_card(p, "Period", "period_ns", prvcut_time_text(big, r->period_ns), small);
    small[0] = '\0';
    if (r->structure.loops > 0)
        snprintf(small, sizeof small, "%u distinct loop%s, %u level%s", r->structure.loops,
                 r->structure.loops == 1 ? "" : "s", r->structure.levels,
                 r->structure.levels == 1 ? "" : "s");
    phd_put_card(p, "Iterations", "iterations_in_phase", page_tenths(big, r->iterations), small);
    snprintf(small, sizeof small, "%s%s%s", phd_trust(r->confidence),
             m && m->source && *m->source ? ", found by " : "", m && m->source ? m->source : "");
    phd_put_card(p, "Confidence", "confidence", svg_fixed(big, r->confidence, 2), small);
}

static void phd_put_cut_cards(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;
    const struct prvcut_chop *c = &r->chop[0];
    char big[64], small[96], text[32], other[32];

    snprintf(big, sizeof big, "%s \xe2\x86\x92 %s", prvcut_size_text(text, (double)r->text_bytes),
             prvcut_size_text(other, (double)c->cut.bytes));
    snprintf(small, sizeof small, "%s times smaller",
             c->cut.bytes > 0 ? phd_factor(text, (double)r->text_bytes, (double)c->cut.bytes)
                              : "-");
    phd_put_card(p, "Size", "bytes", big, small);
    if (!c->proof.verdict)
        return;
    snprintf(small, sizeof small, "worst weighted error %s %%",
             svg_fixed(text, 100 * fmin(fabs(c->proof.worst), 1e6), 1));
    phd_put_card(p, "Verdict", "verdict", c->proof.verdict, small);
}

/* Where the parts are; the script does not take part. */
static void phd_put_nav(const struct page *p)
{
    static const char *const at[][2] = {
        { "signal", "Signal" }, { "period", "Period" },   { "votes", "Votes" },
        { "levels", "Levels" }, { "timeline", "Window" }, { "lengths", "Iterations" },
        { "proof", "Proof" },   { "chops", "Chops" },     { "about", "About" },
    };

    svg_put_raw(p->out, "<nav aria-label=\"Parts\">");
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        report_put(p->out, "<a href=\"#%s\">%s</a>", at[i][0], at[i][1]);
    svg_put_raw(p->out, "<button type=\"button\" id=\"theme\" hidden>Dark</button></nav>\n");
}

void page_put_head(const struct page *p)
{
    const struct prvcut_reduction *r = p->with->reduction;

    svg_put_raw(p->out, "<header>\n<h1>");
    svg_put_text(p->out, report_called(r));
    svg_put_raw(p->out, "</h1>\n");
    phd_put_input(p);
    svg_put_raw(p->out, "<p class=\"lead\">");
    phd_put_found(p);
    phd_put_worth(p);
    svg_put_raw(p->out, "</p>\n");
    if (r->periodic) {
        svg_put_raw(p->out, "<dl class=\"cards\">\n");
        phd_put_period_cards(p);
        if (r->chops > 0)
            phd_put_cut_cards(p);
        svg_put_raw(p->out, "</dl>\n");
    }
    phd_put_nav(p);
    svg_put_raw(p->out, "</header>\n");
}
