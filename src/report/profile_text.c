#include "report/profile.h"

#include "report/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char pft_cells[REPORT_CELL];

/* --- Cells ------------------------------------------------------------------------------------ */

static void pft_time(char cell[REPORT_CELL], uint64_t ns)
{
    char text[32];

    report_set(cell, report_profile_told(ns) ? prvcut_time_text(text, (double)ns) : "-");
}

static void pft_count(char cell[REPORT_CELL], uint64_t n)
{
    char text[32];

    report_set(cell, report_profile_told(n) ? report_count(text, n) : "-");
}

static void pft_size(char cell[REPORT_CELL], uint64_t bytes)
{
    char text[32];

    report_set(cell, report_profile_told(bytes) ? prvcut_size_text(text, (double)bytes) : "-");
}

static void pft_share(char cell[REPORT_CELL], double share)
{
    if (isnan(share))
        report_set(cell, "-");
    else
        snprintf(cell, REPORT_CELL, "%.1f %%", 100 * share);
}

/* A name without control characters. */
static void pft_name(char cell[REPORT_CELL], const char *name)
{
    struct report_lines l = { .st = PRVCUT_OK };
    char *text = NULL;

    report_put_foreign(&l, name);
    report_take(&l, &text);
    report_set(cell, text ? text : "");
    free(text);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static bool pft_by_who(const struct prvcut_profile *p)
{
    return p->by & (PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD);
}

/* Rank, and thread where it is one; returns the cell that follows. */
static pft_cells *pft_who(pft_cells *cell, const struct prvcut_profile *p,
                          const struct prvcut_profile_row *r)
{
    if (!pft_by_who(p))
        return cell;
    if (r->rank == UINT32_MAX)
        report_set(cell[0], "-");
    else
        snprintf(cell[0], REPORT_CELL, "%" PRIu32, r->rank);
    if (r->thread_name)
        pft_name(cell[1], r->thread_name);
    else
        snprintf(cell[1], REPORT_CELL, "%" PRIu32 " threads", r->threads);
    return cell + 2;
}

static void pft_call(pft_cells *cell, const struct prvcut_profile *p,
                     const struct prvcut_profile_row *r)
{
    pft_name(cell[0], r->name);
    cell = pft_who(cell + 1, p, r);
    pft_count(cell[0], r->entered);
    pft_time(cell[1], r->ns);
    pft_share(cell[2], report_profile_share(r, r->ns));
    pft_time(cell[3], isnan(r->mean_ns) ? PRVCUT_PROFILE_UNTOLD : (uint64_t)r->mean_ns);
    pft_time(cell[4], r->least_ns);
    if (pft_by_who(p)) {
        pft_time(cell[5], r->most_ns);
        return;
    }
    pft_time(cell[5], r->median_ns);
    pft_time(cell[6], r->percentile_95_ns);
    pft_time(cell[7], r->most_ns);
}

static void pft_state(pft_cells *cell, const struct prvcut_profile *p,
                      const struct prvcut_profile_row *r)
{
    pft_name(cell[0], r->name);
    snprintf(cell[1], REPORT_CELL, "%" PRId64, r->value);
    cell = pft_who(cell + 2, p, r);
    pft_time(cell[0], r->ns);
    pft_share(cell[1], report_profile_share(r, r->ns));
}

/* Instructions a cycle. */
static void pft_ipc(char cell[REPORT_CELL], const struct prvcut_profile *p,
                    const struct prvcut_profile_row *r)
{
    double value[2] = { NAN, NAN };
    char text[32];

    for (size_t i = 0; i < p->counters; i++)
        for (unsigned k = 0; k < 2; k++)
            if (strcmp(prvcut_profile_counter(p, i), k ? "cycles" : "instructions") == 0)
                value[k] = (double)r->counter[i];
    report_set(cell,
               value[0] >= 0 && value[1] > 0 ? report_number(text, value[0] / value[1]) : "-");
}

static void pft_line(pft_cells *cell, const struct prvcut_profile *p,
                     const struct prvcut_profile_row *r)
{
    cell = pft_who(cell, p, r);
    pft_share(cell[0], report_profile_share(r, r->computing_ns));
    pft_share(cell[1], report_profile_share(r, r->calls_ns));
    pft_share(cell[2], report_profile_share(r, r->rest_ns));
    pft_count(cell[3], r->entered);
    pft_size(cell[4], r->sent_bytes);
    pft_size(cell[5], r->received_bytes);
    pft_ipc(cell[6], p, r);
}

/* --- The table -------------------------------------------------------------------------------- */

static void pft_heading(struct report_table *t, const struct prvcut_profile *p)
{
    static const char *const words[][REPORT_COLUMNS + 1] = {
        { "Call", "Entered", "Time", "Share", "Mean", "Least", "Median", "95 %", "Most", NULL },
        { "Call", "Rank", "Thread", "Entered", "Time", "Share", "Mean", "Least", "Most", NULL },
        { "State", "Number", "Time", "Share", NULL },
        { "State", "Number", "Rank", "Thread", "Time", "Share", NULL },
        { "Rank", "Thread", "Computing", "In calls", "Rest", "Calls", "Sent", "Received", "IPC",
          NULL },
    };
    static const char *const align[] = { "lrrrrrrrr", "lrlrrrrrr", "lrrr", "lrrlrr", "rlrrrrrrr" };
    const unsigned view = report_profile_of_calls(p)    ? (pft_by_who(p) ? 1 : 0)
                          : report_profile_of_states(p) ? (pft_by_who(p) ? 3 : 2)
                                                        : 4;
    pft_cells *cell = report_row(t);

    t->align = align[view];
    for (unsigned i = 0; words[view][i]; i++)
        report_set(cell[i], words[view][i]);
}

static void pft_put_row(struct report_table *t, const struct prvcut_profile *p,
                        const struct prvcut_profile_row *r)
{
    pft_cells *cell = report_row(t);

    if (report_profile_of_calls(p))
        pft_call(cell, p, r);
    else if (report_profile_of_states(p))
        pft_state(cell, p, r);
    else
        pft_line(cell, p, r);
}

static void pft_table(struct report_lines *l, const struct prvcut_profile *p)
{
    const size_t left = p->rows_all - p->rows;

    for (size_t i = 0; i < p->rows;) {
        struct report_table table = { .align = "" };

        pft_heading(&table, p);
        for (; i < p->rows && table.rows < REPORT_ROWS; i++)
            pft_put_row(&table, p, prvcut_profile_row(p, i));
        report_put_table(l, &table);
    }
    if (left > 0)
        report_put(l, "and %zu more row%s: -v prints %s\n", left, left == 1 ? "" : "s",
                   left == 1 ? "it" : "them");
}

/* --- Words ------------------------------------------------------------------------------------ */

static void pft_part(struct report_lines *l, const char *before, uint64_t ns, const char *what,
                     const struct prvcut_profile_row *all)
{
    const double share = report_profile_share(all, ns);

    if (!isnan(share))
        report_put(l, "%s%.1f %% %s", before, 100 * share, what);
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
               prvcut_time_text(text, (double)(p->span.end - p->span.start)));
    if (p->span.start > 0 || p->span.end < p->end_ns)
        report_put(l, " from %s on", prvcut_time_text(text, (double)p->span.start));
    pft_part(l, ": ", all->computing_ns, "computing", all);
    pft_part(l, report_profile_told(all->computing_ns) ? ", " : ": ", all->calls_ns, "in MPI calls",
             all);
    report_put(l, "\n");
}

/* Those that the view has something of. */
static bool pft_concerns(const struct prvcut_profile *p, const struct prvcut_profile_reason *r)
{
    return report_profile_of_lines(p) || strstr(r->what, "_ns");
}

/* Columns of a field's name without its unit. */
static int pft_bare(const char *what)
{
    const char *unit = strstr(what, "_ns");

    return (int)(unit ? (size_t)(unit - what) : strlen(what));
}

static void pft_reasons(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct prvcut_profile_row *all = prvcut_profile_total(p);
    char text[32];

    for (size_t i = 0; i < p->reasons; i++) {
        const struct prvcut_profile_reason *r = prvcut_profile_reason(p, i);

        if (pft_concerns(p, r))
            report_put(l, "note: %.*s: %s\n", pft_bare(r->what), r->what, r->text);
    }
    if (report_profile_told(all->open) && all->open > 0)
        report_put(l, "note: %s call%s without an end last%s to the last record of the thread\n",
                   report_count(text, all->open), all->open == 1 ? "" : "s",
                   all->open == 1 ? "s" : "");
    if (p->lost > 0)
        report_put(l, "note: %s end%s of calls without a begin %s left out\n",
                   report_count(text, p->lost), p->lost == 1 ? "" : "s",
                   p->lost == 1 ? "is" : "are");
}

enum prvcut_status prvcut_profile_text(const struct prvcut_profile *p, char **text,
                                       struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    pft_title(&l, p);
    pft_table(&l, p);
    pft_reasons(&l, p);
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
