#include "report/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Cells ------------------------------------------------------------------------------------ */

static void pcl_time(char cell[REPORT_CELL], uint64_t ns)
{
    char text[32];

    report_set(cell, report_profile_told(ns) ? prvcut_time_text(text, (double)ns) : "-");
}

static void pcl_count(char cell[REPORT_CELL], uint64_t n)
{
    char text[32];

    report_set(cell, report_profile_told(n) ? report_count(text, n) : "-");
}

static void pcl_size(char cell[REPORT_CELL], uint64_t bytes)
{
    char text[32];

    report_set(cell, report_profile_told(bytes) ? prvcut_size_text(text, (double)bytes) : "-");
}

static void pcl_share(char cell[REPORT_CELL], double share)
{
    if (isnan(share))
        report_set(cell, "-");
    else
        snprintf(cell, REPORT_CELL, "%.1f %%", 100 * share);
}

/* A name without control characters. */
static void pcl_name(char cell[REPORT_CELL], const char *name)
{
    prvcut_quote(cell, REPORT_CELL, name, strlen(name));
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* A row's value of one column. */
typedef void pcl_put(char cell[REPORT_CELL], const struct prvcut_profile *p,
                     const struct prvcut_profile_row *r);

struct pcl_column {
    const char *title;
    pcl_put *put;
    char align;
};

#define PCL_PUT(name)                                                                              \
    static void name(char cell[REPORT_CELL], const struct prvcut_profile *p,                       \
                     const struct prvcut_profile_row *r)

PCL_PUT(pcl_what)
{
    (void)p;
    pcl_name(cell, r->name);
}

PCL_PUT(pcl_function_name)
{
    (void)p;
    pcl_name(cell, r->function);
}

PCL_PUT(pcl_number)
{
    (void)p;
    snprintf(cell, REPORT_CELL, "%" PRId64, r->value);
}

PCL_PUT(pcl_region)
{
    (void)p;
    report_set(cell, r->region ? r->region : "-");
}

PCL_PUT(pcl_iteration)
{
    (void)p;
    snprintf(cell, REPORT_CELL, "%" PRIu64 "%s", r->iteration, r->disturbed ? "*" : "");
}

/* "solve.f90:42" */
PCL_PUT(pcl_source)
{
    const char *slash = r->file ? strrchr(r->file, '/') : NULL;
    char text[REPORT_CELL];

    (void)p;
    report_set(cell, "-");
    if (!r->file)
        return;
    pcl_name(text, slash ? slash + 1 : r->file);
    snprintf(cell, REPORT_CELL, "%.*s:%" PRIu32, REPORT_CELL - 12, text, r->line);
}

/* As long as the windows of the row's threads are, on average. */
PCL_PUT(pcl_length)
{
    (void)p;
    pcl_time(cell, r->threads > 0 ? r->window_ns / r->threads : PRVCUT_PROFILE_UNTOLD);
}

PCL_PUT(pcl_rank)
{
    (void)p;
    if (r->rank == UINT32_MAX)
        report_set(cell, "-");
    else
        snprintf(cell, REPORT_CELL, "%" PRIu32, r->rank);
}

PCL_PUT(pcl_thread)
{
    (void)p;
    if (r->thread_name)
        pcl_name(cell, r->thread_name);
    else
        snprintf(cell, REPORT_CELL, "%" PRIu32 " threads", r->threads);
}

PCL_PUT(pcl_entered)
{
    (void)p;
    pcl_count(cell, r->entered);
}

PCL_PUT(pcl_ns)
{
    (void)p;
    pcl_time(cell, r->ns);
}

PCL_PUT(pcl_inclusive)
{
    (void)p;
    pcl_time(cell, r->inclusive_ns);
}

PCL_PUT(pcl_ns_share)
{
    (void)p;
    pcl_share(cell, report_profile_share(r, r->ns));
}

PCL_PUT(pcl_mean)
{
    (void)p;
    pcl_time(cell, isnan(r->mean_ns) ? PRVCUT_PROFILE_UNTOLD : (uint64_t)r->mean_ns);
}

PCL_PUT(pcl_least)
{
    (void)p;
    pcl_time(cell, r->least_ns);
}

PCL_PUT(pcl_median)
{
    (void)p;
    pcl_time(cell, r->median_ns);
}

PCL_PUT(pcl_high)
{
    (void)p;
    pcl_time(cell, r->percentile_95_ns);
}

PCL_PUT(pcl_most)
{
    (void)p;
    pcl_time(cell, r->most_ns);
}

PCL_PUT(pcl_computing)
{
    (void)p;
    pcl_share(cell, report_profile_share(r, r->computing_ns));
}

PCL_PUT(pcl_in_calls)
{
    (void)p;
    pcl_share(cell, report_profile_share(r, r->calls_ns));
}

PCL_PUT(pcl_rest)
{
    (void)p;
    pcl_share(cell, report_profile_share(r, r->rest_ns));
}

PCL_PUT(pcl_sent)
{
    (void)p;
    pcl_size(cell, r->sent_bytes);
}

PCL_PUT(pcl_received)
{
    (void)p;
    pcl_size(cell, r->received_bytes);
}

PCL_PUT(pcl_waiting)
{
    (void)p;
    pcl_time(cell, r->waiting_ns);
}

/* Of the time in the call. */
PCL_PUT(pcl_waiting_share)
{
    (void)p;
    pcl_share(cell, report_profile_told(r->waiting_ns) && r->ns > 0
                        ? (double)r->waiting_ns / (double)r->ns
                        : (double)NAN);
}

PCL_PUT(pcl_communicator)
{
    (void)p;
    if (r->communicator == UINT32_MAX)
        report_set(cell, "all");
    else
        snprintf(cell, REPORT_CELL, "%" PRIu32, r->communicator);
}

PCL_PUT(pcl_sender)
{
    (void)p;
    snprintf(cell, REPORT_CELL, "%" PRIu32, r->sender);
}

PCL_PUT(pcl_receiver)
{
    (void)p;
    snprintf(cell, REPORT_CELL, "%" PRIu32, r->receiver);
}

PCL_PUT(pcl_messages)
{
    (void)p;
    pcl_count(cell, r->sent);
}

/* Instructions a cycle. */
PCL_PUT(pcl_ipc)
{
    double value[2] = { NAN, NAN };
    char text[32];

    for (size_t i = 0; i < p->counters; i++)
        for (unsigned k = 0; k < 2; k++)
            if (report_profile_told(r->counter[i]) &&
                strcmp(prvcut_profile_counter(p, i), k ? "cycles" : "instructions") == 0)
                value[k] = (double)r->counter[i];
    report_set(cell,
               value[0] >= 0 && value[1] > 0 ? report_number(text, value[0] / value[1]) : "-");
}

/* --- The table -------------------------------------------------------------------------------- */

/* The columns of a table, as many as a line holds. */
struct pcl_table {
    struct pcl_column at[REPORT_COLUMNS];
    unsigned count;
};

static void pcl_add(struct pcl_table *t, const struct pcl_column *column, size_t columns)
{
    for (size_t i = 0; i < columns && t->count < REPORT_COLUMNS; i++)
        t->at[t->count++] = column[i];
}

#define PCL_ADD(t, columns) pcl_add(t, columns, sizeof(columns) / sizeof *(columns))

static const struct pcl_column pcl_call[] = { { "Call", pcl_what, 'l' } };
static const struct pcl_column pcl_state[] = { { "State", pcl_what, 'l' },
                                               { "Number", pcl_number, 'r' } };
static const struct pcl_column pcl_by_region[] = { { "Region", pcl_region, 'l' } };
static const struct pcl_column pcl_by_iteration[] = { { "Iteration", pcl_iteration, 'r' } };
static const struct pcl_column pcl_by_who[] = { { "Rank", pcl_rank, 'r' },
                                                { "Thread", pcl_thread, 'l' } };
static const struct pcl_column pcl_of_part[] = { { "Length", pcl_length, 'r' } };
/* Each rank has its own borders; other lengths of an iteration are those of one rank. */
static const struct pcl_column pcl_of_iteration[] = { { "Mean len.", pcl_length, 'r' } };
static const struct pcl_column pcl_of_call[] = { { "Entered", pcl_entered, 'r' },
                                                 { "Time", pcl_ns, 'r' },
                                                 { "Share", pcl_ns_share, 'r' },
                                                 { "Mean", pcl_mean, 'r' },
                                                 { "Least", pcl_least, 'r' } };
static const struct pcl_column pcl_of_lengths[] = { { "Median", pcl_median, 'r' },
                                                    { "95 %", pcl_high, 'r' } };
static const struct pcl_column pcl_of_most[] = { { "Most", pcl_most, 'r' } };
static const struct pcl_column pcl_of_state[] = { { "Time", pcl_ns, 'r' },
                                                  { "Share", pcl_ns_share, 'r' } };
static const struct pcl_column pcl_of_line[] = {
    { "Computing", pcl_computing, 'r' },
    { "In calls", pcl_in_calls, 'r' },
    { "Rest", pcl_rest, 'r' },
    { "Calls", pcl_entered, 'r' },
    { "Sent", pcl_sent, 'r' },
    { "Received", pcl_received, 'r' },
    { "IPC", pcl_ipc, 'r' },
};

static const struct pcl_column pcl_function[] = { { "Function", pcl_what, 'l' } };
static const struct pcl_column pcl_pair[] = { { "Function", pcl_function_name, 'l' },
                                              { "Call", pcl_what, 'l' } };
static const struct pcl_column pcl_site[] = { { "Line", pcl_what, 'l' } };
static const struct pcl_column pcl_by_communicator[] = { { "Communicator", pcl_communicator,
                                                           'r' } };
static const struct pcl_column pcl_by_peer[] = { { "From rank", pcl_sender, 'r' },
                                                 { "To rank", pcl_receiver, 'r' } };
static const struct pcl_column pcl_of_peer[] = { { "Messages", pcl_messages, 'r' },
                                                 { "Sent", pcl_sent, 'r' },
                                                 { "Waiting", pcl_waiting, 'r' } };
static const struct pcl_column pcl_of_communicator[] = {
    { "Entered", pcl_entered, 'r' }, { "Time", pcl_ns, 'r' },   { "Share", pcl_ns_share, 'r' },
    { "Waiting", pcl_waiting, 'r' }, { "Sent", pcl_sent, 'r' }, { "Received", pcl_received, 'r' },
};
static const struct pcl_column pcl_of_waiting[] = { { "Waiting", pcl_waiting, 'r' },
                                                    { "of it", pcl_waiting_share, 'r' },
                                                    { "Sent", pcl_sent, 'r' },
                                                    { "Received", pcl_received, 'r' } };
static const struct pcl_column pcl_of_call_shortly[] = { { "Entered", pcl_entered, 'r' },
                                                         { "Time", pcl_ns, 'r' },
                                                         { "Share", pcl_ns_share, 'r' } };
static const struct pcl_column pcl_of_function[] = { { "Inclusive", pcl_inclusive, 'r' } };
static const struct pcl_column pcl_of_source[] = { { "Source", pcl_source, 'l' } };
static const struct pcl_column pcl_of_line_waiting[] = { { "Waiting", pcl_waiting, 'r' } };

/* Medians are told where nothing divides the calls further. */
static bool pcl_has_lengths(const struct prvcut_profile *p)
{
    return p->by == PRVCUT_PROFILE_BY_CALL;
}

/* It was asked how long calls wait. */
static bool pcl_has_waiting(const struct prvcut_profile *p)
{
    return p->waiting;
}

/* Functions are recorded, not only who calls MPI. */
static bool pcl_has_inclusive(const struct prvcut_profile *p)
{
    const struct prvcut_profile_row *first = prvcut_profile_row(p, 0);

    return p->by & PRVCUT_PROFILE_BY_FUNCTION && first && report_profile_told(first->inclusive_ns);
}

static bool pcl_has_source(const struct prvcut_profile *p)
{
    for (size_t i = 0; i < p->rows; i++)
        if (prvcut_profile_row(p, i)->file)
            return true;
    return false;
}

static struct pcl_table pcl_columns(const struct prvcut_profile *p)
{
    struct pcl_table t = { .count = 0 };

    if (report_profile_of_calls(p))
        PCL_ADD(&t, pcl_call);
    if (report_profile_of_pairs(p))
        PCL_ADD(&t, pcl_pair);
    else if (p->by & PRVCUT_PROFILE_BY_FUNCTION)
        PCL_ADD(&t, pcl_function);
    if (p->by & PRVCUT_PROFILE_BY_LINE)
        PCL_ADD(&t, pcl_site);
    if (report_profile_of_states(p))
        PCL_ADD(&t, pcl_state);
    if (report_profile_of_communicators(p))
        PCL_ADD(&t, pcl_by_communicator);
    if (report_profile_of_peers(p))
        PCL_ADD(&t, pcl_by_peer);
    if (p->by & PRVCUT_PROFILE_BY_REGION)
        PCL_ADD(&t, pcl_by_region);
    if (p->by & PRVCUT_PROFILE_BY_ITERATION)
        PCL_ADD(&t, pcl_by_iteration);
    if (report_profile_by_who(p))
        PCL_ADD(&t, pcl_by_who);
    if (report_profile_by_part(p) && report_profile_of_lines(p))
        pcl_add(&t,
                p->by & PRVCUT_PROFILE_BY_ITERATION && !report_profile_by_who(p) ? pcl_of_iteration
                                                                                 : pcl_of_part,
                1);
    if (report_profile_of_peers(p)) {
        PCL_ADD(&t, pcl_of_peer);
    } else if (report_profile_of_communicators(p)) {
        PCL_ADD(&t, pcl_of_communicator);
    } else if (report_profile_of_calls(p) && pcl_has_waiting(p)) {
        PCL_ADD(&t, pcl_of_call_shortly);
        PCL_ADD(&t, pcl_of_waiting);
    } else if (report_profile_of_calls(p)) {
        PCL_ADD(&t, pcl_of_call);
        if (pcl_has_lengths(p))
            PCL_ADD(&t, pcl_of_lengths);
        PCL_ADD(&t, pcl_of_most);
    } else if (report_profile_of_functions(p)) {
        PCL_ADD(&t, pcl_of_call_shortly);
        if (pcl_has_inclusive(p))
            PCL_ADD(&t, pcl_of_function);
        if (pcl_has_source(p))
            PCL_ADD(&t, pcl_of_source);
    } else if (report_profile_of_states(p)) {
        PCL_ADD(&t, pcl_of_state);
    } else {
        if (pcl_has_waiting(p))
            pcl_add(&t, pcl_of_line, 2);
        if (pcl_has_waiting(p))
            PCL_ADD(&t, pcl_of_line_waiting);
        pcl_add(&t, pcl_of_line + (pcl_has_waiting(p) ? 2 : 0),
                sizeof pcl_of_line / sizeof *pcl_of_line - (pcl_has_waiting(p) ? 2 : 0));
    }
    return t;
}

void report_profile_table(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct pcl_table t = pcl_columns(p);
    char align[REPORT_COLUMNS + 1] = "";

    for (unsigned k = 0; k < t.count; k++)
        align[k] = t.at[k].align;
    for (size_t i = 0; i < p->rows;) {
        struct report_table table = { .align = align };
        char(*cell)[REPORT_CELL] = report_row(&table);

        for (unsigned k = 0; k < t.count; k++)
            report_set(cell[k], t.at[k].title);
        for (; i < p->rows && table.rows < REPORT_ROWS; i++) {
            cell = report_row(&table);
            for (unsigned k = 0; k < t.count; k++)
                t.at[k].put(cell[k], p, prvcut_profile_row(p, i));
        }
        if (pcl_has_source(p))
            report_put_table_within(l, &table);
        else
            report_put_table(l, &table);
    }
}
