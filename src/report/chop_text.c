#include "report/brief.h"
#include "report/chop.h"
#include "report/cut.h"
#include "report/proof.h"
#include "report/regions.h"
#include "report/size.h"
#include "report/stands.h"
#include "report/structure.h"
#include "report/why.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* More chops than this are told in a line each. */
#define BLOCKS_SHOWN 8
/* A cut that is not so many times smaller is a large part of the trace. */
#define SMALLER 4

/* The unusual iteration that was cut; NULL where it is not among those kept. */
static const struct prvcut_outlier *chp_unusual(const struct made_reduction *r,
                                                const struct made_chop *c)
{
    if (!report_chop_is_outlier(c) || c->is.region >= r->structure.is.regions)
        return NULL;
    for (size_t i = 0; i < r->structure.region[c->is.region].is.outliers; i++)
        if (r->structure.region[c->is.region].outlier[i].iteration == c->is.first)
            return &r->structure.region[c->is.region].outlier[i];
    return NULL;
}

/* "the longest of 9 undisturbed regions"; the loop has them, or the iteration that is divided. */
static void chp_put_place_of(char *out, size_t room, const struct made_reduction *r,
                             const struct made_chop *c)
{
    const struct made_region *own = &r->structure.region[c->is.region];
    size_t regions = 0, longer = 0;
    unsigned disturbed;

    for (size_t i = 0; i < r->structure.is.regions; i++) {
        const struct made_region *p = &r->structure.region[i];

        if (p->is.number == 0 || p->is.level != own->is.level)
            continue;
        regions++;
        longer += p->is.span.end - p->is.span.start > own->is.span.end - own->is.span.start;
    }
    if (brief_touched(r, c, &disturbed) == BRIEF_INSIDE)
        snprintf(out, room,
                 ", some of them disturbed: there are not so many undisturbed ones "
                 "in a row");
    else if (regions > 1 && longer == 0)
        snprintf(out, room, ", of the longest of %zu regions", regions);
    else if (regions > 1)
        snprintf(out, room, ", of region %u.%u (%zu longer)", c->is.level, c->is.number, longer);
}

char *report_chop_why(char out[160], const struct made_reduction *r, const struct made_chop *c)
{
    char text[64];
    int n;

    if (c->is.kind != PRVCUT_CHOP_TYPICAL || c->is.region >= r->structure.is.regions) {
        snprintf(out, 160, "%s", prvcut_chop_why_text(c->is.why));
        return out;
    }
    n = snprintf(out, 160, "alike (%.2f)", c->is.similarity);
    report_longer_chop(text, r, c, LONGER_LEAST);
    if (*text)
        n += snprintf(out + n, 160 - (size_t)n, ", %s", text);
    else if (!isnan(report_longer(r, c)))
        n += snprintf(out + n, 160 - (size_t)n, ", as long as the median");
    chp_put_place_of(out + n, 160 - (size_t)n, r, c);
    return out;
}

/* "2 iterations", and what they are in their region. */
static void chp_put_kind(struct report_lines *l, const struct made_reduction *r,
                         const struct made_chop *c)
{
    const struct prvcut_outlier *o = chp_unusual(r, c);
    char far[32], near[32];

    if (!report_chop_is_outlier(c)) {
        report_put(l, "%u iteration%s", c->is.iterations, c->is.iterations == 1 ? "" : "s");
        return;
    }
    report_put(l, "iteration %" PRIu64 ", %s", c->is.iteration, prvcut_chop_why_text(c->is.why));
    if (o && isfinite(report_from_median(&r->structure.region[c->is.region], o)))
        report_put(l, ": %s spreads from the median, %s from those around it",
                   report_signed(far, report_from_median(&r->structure.region[c->is.region], o)),
                   report_signed(near, o->deviation));
    else if (o)
        report_put(l, ": %s spreads from those around it", report_signed(near, o->deviation));
}

/* Whether threads have borders of their own, and why. */
static void chp_put_borders(struct report_lines *l, const struct made_chop *h)
{
    const bool calls = h->is.align == PRVCUT_ALIGN_CALLS;
    char text[32];

    if (calls) {
        report_put(l, "%-12s%s", "", prvcut_align_why_text(h->is.align_why));
        if (h->is.crossing > 0)
            report_put(l, "; %s message%s split\n", report_count(text, h->is.crossing),
                       h->is.crossing == 1 ? " is" : "s are");
        else
            report_put(l, "; no message is split\n");
    } else if (h->is.align != PRVCUT_ALIGN_AUTO) {
        report_put(l, "%-12sone time for all threads: %s\n", "",
                   prvcut_align_why_text(h->is.align_why));
    }
}

static struct report_clock chp_clock(const struct made_reduction *r, const struct made_chop *c)
{
    return report_clock_for(r->is.end_ns, c->is.region < r->structure.is.regions
                                              ? r->structure.region[c->is.region].is.period_ns
                                              : 0);
}

static void chp_put_span(struct report_lines *l, const struct made_reduction *r,
                         const struct made_chop *h)
{
    const struct report_clock c = chp_clock(r, h);
    const struct prvcut_span *w = &h->cut.window;
    char from[40], to[40];

    report_put(l, "%s to %s", report_clock_time(from, &c, w->start, c.exact),
               report_clock_time(to, &c, w->end, c.exact));
}

/* How long the window is: of each thread, where they have their own. */
static void chp_put_length(struct report_lines *l, const struct made_chop *h)
{
    uint64_t least = UINT64_MAX, most = 0;
    char from[32], to[32];

    for (uint32_t i = 0; h->is.thread && i < h->is.threads; i++) {
        const uint64_t own = h->is.thread[i].end - h->is.thread[i].start;

        if (own == 0)
            continue;
        least = own < least ? own : least;
        most = own > most ? own : most;
    }
    if (most == 0) {
        report_put(l, "%s",
                   prvcut_time_text(to, (double)(h->cut.window.end - h->cut.window.start)));
        return;
    }
    prvcut_time_text(from, (double)least);
    prvcut_time_text(to, (double)most);
    if (strcmp(from, to) != 0)
        report_put(l, "%s to ", from);
    report_put(l, "%s a thread", to);
}

/* The loop that is cut, where it is not the one that the report begins with. */
static void chp_put_loop(struct report_lines *l, const struct made_reduction *r,
                         const struct made_chop *h)
{
    const struct made_region *p =
        h->is.region < r->structure.is.regions ? &r->structure.region[h->is.region] : NULL;
    char text[32], letter[16], length[64];

    report_put(l, "%-12sregion %u.%u", "", h->is.level, h->is.number);
    if (p && p->is.loop > 0) {
        report_put(l, ": loop %s, %s iteration%s", report_loop_letter(letter, p->is.loop),
                   report_tenths(text, p->is.iterations), p->is.iterations == 1 ? "" : "s");
        report_put(l, " of %s",
                   report_length(length, p->is.median_ns, p->is.spread_ns, p->is.period_ns));
        report_put(l, ", sure: %s", report_sure(text, p->is.confidence));
    }
    if (p && p->is.group > 0)
        report_put(l, "; of other %ss", r->structure.is.by_rank ? "rank" : "thread");
    report_put(l, "\n");
}

/* What else reads Paraver's traces does not know that threads have borders of their own. */
static void chp_put_tools(struct report_lines *l, const struct made_reduction *r,
                          const struct made_chop *h)
{
    if (report_wants_straight(r, h))
        report_put(l,
                   "%-12sprvcut efficiency knows these borders, basicanalysis and Dimemas want "
                   "--align straight\n",
                   "");
}

static void chp_put_window(struct report_lines *l, const struct made_reduction *r,
                           const struct made_chop *h)
{
    char why[160];

    report_put(l, "\n");
    report_head(l, "Window");
    chp_put_span(l, r, h);
    report_put(l, ": ");
    chp_put_kind(l, r, h);
    report_put(l, ", ");
    chp_put_length(l, h);
    report_put(l, "\n");
    if (h->is.region != r->structure.is.main)
        chp_put_loop(l, r, h);
    if (!report_chop_is_outlier(h))
        report_put(l, "%-12s%s\n", "", report_chop_why(why, r, h));
    chp_put_borders(l, h);
    chp_put_tools(l, r, h);
    report_put_cut(l, &h->cut);
}

static void chp_put_size(struct report_lines *l, const struct made_reduction *r,
                         const struct made_chop *h)
{
    const struct report_sizes sizes = report_sizes_of(r, h);
    const double before = sizes.before, after = sizes.after;
    char text[32];

    report_head(l, "Size");
    report_put(l, "%s", prvcut_size_text(text, before));
    report_put(l, " -> %s%s%s", sizes.about ? "about " : "", prvcut_size_text(text, after),
               sizes.uncompressed ? " uncompressed" : "");
    if (after > 0 && before >= SMALLER_LEAST * after)
        report_put(l, ", %s times smaller",
                   before / after < 10 ? report_tenths(text, before / after)
                                       : report_count(text, (uint64_t)(before / after + 0.5)));
    if (h->cut.size > h->cut.disk)
        report_put(l, "; all files on disk %s", prvcut_size_text(text, (double)h->cut.size));
    if (r->is.dry_run)
        report_put(l, "; dry run, nothing written");
    report_put(l, "\n");
    if (after > 0 && before < SMALLER * after && h->is.level <= 1)
        report_put(l,
                   "%-12sthe cut is %.0f %% of the trace; --level 2 cuts an inner loop, if any\n",
                   "", 100 * after / before);
    report_put_files(l, &h->cut, r->is.dry_run);
}

static void chp_put_place(struct report_lines *l, const struct made_reduction *r, size_t i)
{
    const struct made_chop *c = &r->chop[i];

    if (c->is.of_kind > 0)
        report_put(l,
                   "kind %u (%" PRIu64 " iteration%s, %.0f %% of the loop's time): ", c->is.of_kind,
                   c->is.weight, c->is.weight == 1 ? "" : "s", 100 * c->is.share);
    else
        report_put(l, "region %u.%u: ", c->is.level, c->is.number);
    chp_put_kind(l, r, c);
}

/* The main file, as it stands or would stand. */
static void chp_put_file(struct report_lines *l, const struct made_reduction *r,
                         const struct made_chop *c)
{
    const char *file = c->cut.files > 0 && c->cut.file[0] ? c->cut.file[0] : c->is.path;

    if (!file)
        return;
    report_put_foreign(l, file);
    if (r->is.dry_run)
        report_put(l, "  (dry run: not written)");
}

/* A chop among several: its place, its borders, its file, its worth. */
static void chp_put_block(struct report_lines *l, const struct made_reduction *r, size_t i)
{
    const struct made_chop *c = &r->chop[i];
    char heading[32], text[32], why[REPORT_WHY];

    snprintf(heading, sizeof heading, "Cut %zu", i + 1);
    report_put(l, "\n");
    report_head(l, heading);
    chp_put_place(l, r, i);
    report_put(l, "\n%-12s", "");
    chp_put_span(l, r, c);
    if (!report_chop_is_outlier(c))
        report_put(l, ", alike %.2f", c->is.similarity);
    report_put(l, "\n");
    chp_put_borders(l, c);
    report_put(l, "%-12s%s, ", "", prvcut_size_text(text, report_sizes_of(r, c).after));
    chp_put_file(l, r, c);
    if (c->is.causes > 0)
        report_put(l, "\n%-12s%s", "", report_why_text(why, r, c));
    if (c->proof.is.verdict) {
        report_put(l, "\n%-12sstands for its %s: ", "",
                   c->is.of_kind > 0 || c->beside_kind > 0 ? "kind" : "loop");
        report_put_verdict(l, r, c);
    }
    report_put(l, "\n");
}

/* One of very many. */
static void chp_put_line(struct report_lines *l, const struct made_reduction *r, size_t i)
{
    const struct made_chop *c = &r->chop[i];
    char text[32];

    report_head(l, i == 0 ? "Cuts" : "");
    chp_put_place(l, r, i);
    report_put(l, ", borders: %s, %s", prvcut_align_text(c->is.align),
               prvcut_size_text(text, report_sizes_of(r, c).after));
    if (c->proof.is.verdict)
        report_put(l, ", %s", prvcut_chop_verdict_text(report_stands(r, c)));
    report_put(l, ", ");
    chp_put_file(l, r, c);
    report_put(l, "\n");
}

/* The chop whose proof needs most looking at. */
static size_t chp_worst(const struct made_reduction *r)
{
    size_t worst = 0;

    for (size_t i = 1; i < r->is.chops; i++)
        if (r->chop[i].proof.is.worst > r->chop[worst].proof.is.worst &&
            !report_chop_is_outlier(&r->chop[i]))
            worst = i;
    return worst;
}

static void chp_put_several(struct report_lines *l, const struct made_reduction *r)
{
    const bool blocks = r->is.chops <= BLOCKS_SHOWN;
    const size_t worst = chp_worst(r);
    char text[64];

    if (!blocks)
        report_put(l, "\n");
    for (size_t i = 0; i < r->is.chops; i++) {
        if (blocks)
            chp_put_block(l, r, i);
        else
            chp_put_line(l, r, i);
    }
    if (report_has_regions(r)) {
        report_put(l, "\n");
        report_put_regions(l, r, REPORT_ROWS - 10);
    }
    if (!r->chop[worst].proof.is.verdict)
        return;
    report_put(l, "\n%s %s:\n",
               r->is.chops > 1 && r->chop[r->is.chops - 1].is.region != r->chop[0].is.region
                   ? "Typical iterations differ most in"
                   : "Typical iterations in",
               report_chop_name(text, r, worst));
    report_put_proof(l, r, &r->chop[worst]);
}

void report_put_chops(struct report_lines *l, const struct made_reduction *r)
{
    if (r->is.chops > 1) {
        chp_put_several(l, r);
    } else if (r->is.chops == 1) {
        chp_put_window(l, r, &r->chop[0]);
        chp_put_size(l, r, &r->chop[0]);
        if (r->chop[0].proof.is.verdict)
            report_put(l, "\n");
        report_put_proof(l, r, &r->chop[0]);
    }
}
