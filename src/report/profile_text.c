#include "report/profile.h"

#include "report/clocks.h"
#include "report/command.h"
#include "report/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Shares of the time that are neither computing nor in calls: where the first line tells them, and
   which states it names. */
#define REST_MUCH  0.05
#define REST_NAMED 0.01

static bool pft_any_disturbed(const struct prvcut_profile *p)
{
    for (size_t i = 0; p->by & PRVCUT_PROFILE_BY_ITERATION && i < p->rows; i++)
        if (prvcut_profile_row(p, i)->disturbed)
            return true;
    return false;
}

static void pft_put_table(struct report_lines *l, const struct prvcut_profile *p)
{
    const size_t left = p->rows_all - p->rows;

    report_profile_table(l, p);
    if (left > 0)
        report_put(l, "and %zu more row%s: --top %zu prints all\n", left, left == 1 ? "" : "s",
                   p->rows_all);
    if (pft_any_disturbed(p))
        report_put(l, "* disturbed\n");
    if (p->no_loop)
        report_put(l, "no loop was found: %s\n", p->no_loop);
}

/* --- Words ------------------------------------------------------------------------------------ */

static void pft_part(struct report_lines *l, const char *before, uint64_t ns, const char *what,
                     const struct prvcut_profile_row *all)
{
    const double share = report_profile_share(all, ns);

    if (!isnan(share))
        report_put(l, "%s%.1f %% %s", before, 100 * share, what);
}

/* ", 25.0 % I/O": what is neither, where that is much. */
static void pft_title_rest(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct prvcut_profile_row *all = prvcut_profile_total(p);

    if (isnan(report_profile_share(all, all->rest_ns)) ||
        report_profile_share(all, all->rest_ns) < REST_MUCH)
        return;
    if (!all->rest)
        pft_part(l, ", ", all->rest_ns, "neither", all);
    for (size_t i = 0; all->rest && i < p->rests; i++) {
        if (report_profile_share(all, all->rest[i]) < REST_NAMED)
            continue;
        pft_part(l, ", ", all->rest[i], "", all);
        report_put_foreign(l, prvcut_profile_rest(p, i));
    }
}

/* "lu.S.4.prv: 4 ranks, 1.09s: 38.8 % computing, 54.0 % in MPI calls" */
static void pft_title(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct prvcut_profile_row *all = prvcut_profile_total(p);
    const bool ranks = p->tasks == p->threads;
    char text[32];

    report_put_foreign(l, p->name);
    report_put(l, ": %" PRIu32 " %s%s, %s", p->threads, ranks ? "rank" : "thread",
               p->threads == 1 ? "" : "s",
               prvcut_time_text(text, all->threads > 0
                                          ? (double)all->window_ns / (double)all->threads
                                          : (double)(p->span.end - p->span.start)));
    if (p->span.start > 0 || p->span.end < p->end_ns)
        report_put(l, " from %s on", prvcut_time_text(text, (double)p->span.start));
    pft_part(l, ": ", all->computing_ns, "computing", all);
    pft_part(l, report_profile_told(all->computing_ns) ? ", " : ": ", all->calls_ns, "in MPI calls",
             all);
    pft_title_rest(l, p);
    report_put(l, "\n");
}

/* Those that the view has something of. */
static bool pft_concerns(const struct prvcut_profile *p, const struct prvcut_profile_reason *r)
{
    if (strcmp(r->what, "counters") == 0)
        return report_profile_of_lines(p);
    if (strcmp(r->what, "sent") == 0 || strcmp(r->what, "received") == 0)
        return report_profile_of_lines(p) || (p->waiting && !report_profile_of_communicators(p));
    return true;
}

/* "Rest of all: Not created 548ms, I/O 2.38ms" */
static void pft_rest(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct prvcut_profile_row *all = prvcut_profile_total(p);
    unsigned told = 0;
    char text[32];

    if (!report_profile_of_lines(p) || !all->rest || all->rest_ns == 0)
        return;
    for (size_t i = 0; i < p->rests; i++) {
        if (all->rest[i] == 0)
            continue;
        report_put(l, told++ > 0 ? ", " : "rest of all: ");
        report_put_foreign(l, prvcut_profile_rest(p, i));
        report_put(l, " %s", prvcut_time_text(text, (double)all->rest[i]));
    }
    report_put(l, "\n");
}

/* Columns of a field's name without its unit. */
static int pft_bare(const char *what)
{
    const char *unit = strstr(what, "_ns");

    return (int)(unit ? (size_t)(unit - what) : strlen(what));
}

void report_profile_notes(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct prvcut_profile_row *all = prvcut_profile_total(p);
    char text[32];

    for (size_t i = 0; i < p->reasons; i++) {
        const struct prvcut_profile_reason *r = prvcut_profile_reason(p, i);

        if (pft_concerns(p, r))
            report_put(l, "note: %.*s: %s\n", pft_bare(r->what), r->what, r->text);
    }
    if (!p->why && report_profile_told(all->open) && all->open > 0)
        report_put(l, "note: %s call%s without an end last%s to the last record of the thread\n",
                   report_count(text, all->open), all->open == 1 ? "" : "s",
                   all->open == 1 ? "s" : "");
    report_put_clocks(l, "", prvcut_profile_clock(p), 0, p->waiting || p->why);
    report_put_skipped(l, p->skipped);
    if (p->lost > 0)
        report_put(l, "note: %s end%s of calls without a begin %s left out\n",
                   report_count(text, p->lost), p->lost == 1 ? "" : "s",
                   p->lost == 1 ? "is" : "are");
}

/* What made an iteration longer is told of one time for all, as the others wait for who is late;
   else of what each thread has for it. */
static void pft_slowest(char *own, size_t room, const struct prvcut_profile *p)
{
    const struct prvcut_profile_slow *s = prvcut_profile_slow(p, 0);
    const char *by = p->tasks > 1 ? "call,rank" : "call";

    if (s->causes > 0)
        snprintf(own, room, "--by %s --from %" PRIu64 "ns --to %" PRIu64 "ns", by, s->span.start,
                 s->span.end);
    else
        snprintf(own, room, "--by %s --iteration %" PRIu64, by, s->iteration);
}

/* What goes on: each answer leads to one that tells more of the same. */
static void pft_next(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct made_profile *m = made_profile_of(p);
    const bool by_rank = p->by & (PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD);
    struct report_command next = { .name = "profile", .own = "", .typed = m->typed };
    const char *label = "";
    char command[2000], own[120];

    /* Without calls there is nothing to go on with. */
    if (!m->typed || p->no_loop || (!p->why && !report_profile_told(m->total.calls_ns)))
        return;
    next.without = "by,top,why,waiting";
    if (p->why && p->slow > 0) {
        label = "where its time goes";
        next.without = prvcut_profile_slow(p, 0)->causes > 0
                           ? "by,top,why,waiting,iteration,region,regions,level,from,to"
                           : "by,top,why,waiting,iteration,region,regions,level";
        pft_slowest(own, sizeof own, p);
        next.own = own;
    } else if (p->why) {
        label = "every iteration";
        next.own = "--by iteration";
    } else if (report_profile_by_part(p)) {
        label = "why some are slow";
        next.without = "by,top,why,waiting,iteration";
        next.own = "--why outliers";
    } else if (p->waiting || report_profile_of_peers(p) || report_profile_of_communicators(p)) {
        label = "who waits for whom";
        next.name = "waits";
    } else if (p->tasks > 1 && !by_rank) {
        label = "by rank";
        next.own = "--by rank";
    } else if (report_profile_of_lines(p)) {
        label = "their calls";
        next.own = p->tasks > 1 ? "--by call,rank" : "--by call";
    } else {
        label = "how long calls wait";
        next.own = "--waiting";
    }
    report_head(l, "Next");
    report_put(l, "%s: %s\n", label, report_command(command, sizeof command, m->again, &next));
}

enum prvcut_status prvcut_profile_text(const struct prvcut_profile *p, char **text,
                                       struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    if (p->why) {
        report_profile_why(&l, p);
    } else {
        pft_title(&l, p);
        pft_put_table(&l, p);
        pft_rest(&l, p);
    }
    if (!p->no_loop)
        report_put_counted_from(&l, made_profile_of(p)->counted_from);
    report_profile_notes(&l, p);
    report_wrap(&l, REPORT_WIDTH);
    pft_next(&l, p);
    return report_take(&l, text);
}
