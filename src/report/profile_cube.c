#include "report/profile_cube.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/calls.h"
#include "report/profile.h"

#include <stdlib.h>

#define SECOND 1e9 /* ns */

enum {
    PCU_TIME,
    PCU_COMPUTING,
    PCU_MPI,
    PCU_P2P,
    PCU_P2P_WAITING,
    PCU_COLLECTIVE,
    PCU_COLLECTIVE_WAITING,
    PCU_RMA,
    PCU_IO,
    PCU_VISITS,
    PCU_SENT,
    PCU_RECEIVED,
    PCU_BYTES_SENT,
    PCU_BYTES_SENT_P2P,
    PCU_BYTES_RECEIVED,
    PCU_BYTES_RECEIVED_P2P,
    PCU_METRICS,
    PCU_ROOT = PCU_METRICS
};

/* What there may be; parents by their place here. */
static const struct report_cube_metric pcu_metric[PCU_METRICS] = {
    [PCU_TIME] = { "time", "Time", "sec", "From the window's start to each thread's last record",
                   PCU_ROOT },
    [PCU_COMPUTING] = { "computing", "Computing", "sec", "Time in which threads compute",
                        PCU_TIME },
    [PCU_MPI] = { "mpi", "MPI", "sec", "Time in MPI calls", PCU_TIME },
    [PCU_P2P] = { "mpi_point2point", "Point-to-point", "sec",
                  "Time in calls that send, receive and complete messages", PCU_MPI },
    [PCU_P2P_WAITING] = { "mpi_point2point_waiting", "Waiting", "sec",
                          "Until the last message that a call completes was sent", PCU_P2P },
    [PCU_COLLECTIVE] = { "mpi_collective", "Collective", "sec", "Time in collectives", PCU_MPI },
    [PCU_COLLECTIVE_WAITING] = { "mpi_collective_waiting", "Waiting", "sec",
                                 "Until the last member came to a collective that waits for all",
                                 PCU_COLLECTIVE },
    [PCU_RMA] = { "mpi_rma", "One-sided", "sec", "Time in one-sided calls", PCU_MPI },
    [PCU_IO] = { "mpi_io", "File I/O", "sec", "Time in calls of MPI I/O", PCU_MPI },
    [PCU_VISITS] = { "visits", "Visits", "occ", "How often a call is entered", PCU_ROOT },
    [PCU_SENT] = { "messages_sent", "Messages sent", "occ", "Point to point", PCU_ROOT },
    [PCU_RECEIVED] = { "messages_received", "Messages received", "occ", "Point to point",
                       PCU_ROOT },
    [PCU_BYTES_SENT] = { "bytes_sent", "Bytes sent", "bytes",
                         "In messages and, as far as they are told, in collectives", PCU_ROOT },
    [PCU_BYTES_SENT_P2P] = { "bytes_sent_point2point", "Point-to-point", "bytes", "In messages",
                             PCU_BYTES_SENT },
    [PCU_BYTES_RECEIVED] = { "bytes_received", "Bytes received", "bytes",
                             "In messages and, as far as they are told, in collectives", PCU_ROOT },
    [PCU_BYTES_RECEIVED_P2P] = { "bytes_received_point2point", "Point-to-point", "bytes",
                                 "In messages", PCU_BYTES_RECEIVED },
};

/* A report under way. */
struct pcu_maker {
    const struct prvcut_profile *calls, *lines;
    struct report_cube_metric metric[PCU_METRICS];
    uint32_t id[PCU_METRICS]; /* PRVCUT_NOBODY: it is left out */
    struct report_cube_region *region;
    struct report_cube_path *path;
    struct prvcut_profile_row *left; /* [threads] messages that no call has */
    struct report_cube_cell *cell;   /* [cells] of the metric that is asked for */
    uint32_t asked;
    struct report_cube cube;
    size_t cells, room, threads;
    struct prvcut_error *err;
    enum prvcut_status st;
};

/* --- Metrics ---------------------------------------------------------------------------------- */

static bool pcu_calls_of(const struct pcu_maker *m, uint32_t type)
{
    size_t i = 0;

    while (i < m->calls->rows && prvcut_profile_row(m->calls, i)->type != type)
        i++;
    return i < m->calls->rows;
}

/* Is it told at all? Of parts, whether their whole is. */
static bool pcu_told(const struct pcu_maker *m, uint32_t metric)
{
    const struct prvcut_profile_row *total = prvcut_profile_total(m->lines);

    switch (metric) {
    case PCU_COMPUTING:
        return report_profile_told(total->computing_ns) && report_profile_told(total->rest_ns);
    case PCU_SENT:
    case PCU_BYTES_SENT_P2P:
        return report_profile_told(total->sent);
    case PCU_RECEIVED:
    case PCU_BYTES_RECEIVED_P2P:
    case PCU_P2P_WAITING:
        return report_profile_told(total->received);
    case PCU_RMA:
        return pcu_calls_of(m, PRVCUT_TYPE_MPI_RMA);
    case PCU_IO:
        return pcu_calls_of(m, PRVCUT_TYPE_MPI_IO);
    case PCU_TIME:
        return true;
    default:
        return report_profile_told(total->calls_ns);
    }
}

static void pcu_metrics(struct pcu_maker *m)
{
    for (uint32_t i = 0; i < PCU_METRICS; i++) {
        const uint32_t parent = pcu_metric[i].parent;

        m->id[i] = PRVCUT_NOBODY;
        if (!pcu_told(m, i))
            continue;
        m->id[i] = (uint32_t)m->cube.metrics;
        m->metric[m->cube.metrics] = pcu_metric[i];
        m->metric[m->cube.metrics++].parent = parent == PCU_ROOT ? PRVCUT_NOBODY : m->id[parent];
    }
    m->cube.metric = m->metric;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* A value of one metric, which the values of those around it hold already. */
static void pcu_put(struct pcu_maker *m, uint32_t metric, uint32_t path, uint32_t thread,
                    double value)
{
    if (value == 0 || m->id[metric] != m->asked || m->st < 0)
        return;
    m->st = prvcut_grow((void **)&m->cell, &m->room, m->cells + 1, sizeof *m->cell, m->err);
    if (m->st == PRVCUT_OK)
        m->cell[m->cells++] = (struct report_cube_cell){ m->id[metric], path, thread, value };
}

/* A value of a metric and of all around it. */
static void pcu_add(struct pcu_maker *m, uint32_t metric, uint32_t path, uint32_t thread,
                    double value)
{
    for (; metric != PCU_ROOT; metric = pcu_metric[metric].parent)
        pcu_put(m, metric, path, thread, value);
}

/* Which part of MPI a call is of; what waits for messages is of those that complete them. */
static uint32_t pcu_kind(const struct prvcut_profile_row *r)
{
    switch (r->type) {
    case PRVCUT_TYPE_MPI_COLLECTIVE:
        return PCU_COLLECTIVE;
    case PRVCUT_TYPE_MPI_RMA:
        return PCU_RMA;
    case PRVCUT_TYPE_MPI_IO:
        return PCU_IO;
    case PRVCUT_TYPE_MPI_P2P:
        return PCU_P2P;
    default:
        return report_profile_told(r->waiting_ns) && r->waiting_ns > 0 ? PCU_P2P : PCU_MPI;
    }
}

static double pcu_number(uint64_t value)
{
    return report_profile_told(value) ? (double)value : 0;
}

static void pcu_take(uint64_t *from, uint64_t what)
{
    if (report_profile_told(*from) && report_profile_told(what))
        *from -= what < *from ? what : *from;
}

static void pcu_call(struct pcu_maker *m, uint32_t path, const struct prvcut_profile_row *r)
{
    struct prvcut_profile_row *left = &m->left[r->thread];
    const uint32_t kind = pcu_kind(r), t = r->thread;
    const bool all = kind == PCU_COLLECTIVE;

    pcu_add(m, PCU_VISITS, path, t, pcu_number(r->entered));
    pcu_add(m, kind, path, t, (double)r->ns / SECOND);
    pcu_put(m, all ? PCU_COLLECTIVE_WAITING : PCU_P2P_WAITING, path, t,
            pcu_number(r->waiting_ns) / SECOND);
    pcu_add(m, PCU_SENT, path, t, pcu_number(r->sent));
    pcu_add(m, PCU_RECEIVED, path, t, pcu_number(r->received));
    pcu_add(m, all ? PCU_BYTES_SENT : PCU_BYTES_SENT_P2P, path, t, pcu_number(r->sent_bytes));
    pcu_add(m, all ? PCU_BYTES_RECEIVED : PCU_BYTES_RECEIVED_P2P, path, t,
            pcu_number(r->received_bytes));
    if (all)
        return;
    pcu_take(&left->sent, r->sent);
    pcu_take(&left->received, r->received);
    pcu_take(&left->sent_bytes, r->sent_bytes);
    pcu_take(&left->received_bytes, r->received_bytes);
}

/* What a thread does outside calls, and messages of which no call is known. */
static void pcu_line(struct pcu_maker *m, const struct prvcut_profile_row *r)
{
    const struct prvcut_profile_row *left = &m->left[r->thread];
    const uint64_t calls = report_profile_told(r->calls_ns) ? r->calls_ns : 0;
    const uint32_t t = r->thread;

    pcu_add(m, PCU_TIME, 0, t,
            (double)(r->recorded_ns > calls ? r->recorded_ns - calls : 0) / SECOND);
    pcu_put(m, PCU_COMPUTING, 0, t, pcu_number(r->computing_ns) / SECOND);
    pcu_add(m, PCU_SENT, 0, t, pcu_number(left->sent));
    pcu_add(m, PCU_RECEIVED, 0, t, pcu_number(left->received));
    pcu_add(m, PCU_BYTES_SENT_P2P, 0, t, pcu_number(left->sent_bytes));
    pcu_add(m, PCU_BYTES_RECEIVED_P2P, 0, t, pcu_number(left->received_bytes));
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The first path is the program; rows of one call stand together. */
static uint32_t pcu_path_of(const struct pcu_maker *m, size_t row, uint32_t before)
{
    const struct prvcut_profile_row *r = prvcut_profile_row(m->calls, row);
    const struct prvcut_profile_row *last = row > 0 ? prvcut_profile_row(m->calls, row - 1) : NULL;

    return last && last->type == r->type && last->value == r->value ? before : before + 1;
}

static void pcu_paths(struct pcu_maker *m)
{
    uint32_t path = 0;

    m->region[0] = (struct report_cube_region){ m->calls->name, NULL, "user" };
    m->path[0] = (struct report_cube_path){ 0, PRVCUT_NOBODY };
    for (size_t i = 0; i < m->calls->rows; i++) {
        path = pcu_path_of(m, i, path);
        m->region[path] =
            (struct report_cube_region){ prvcut_profile_row(m->calls, i)->name, NULL, "mpi" };
        m->path[path] = (struct report_cube_path){ path, 0 };
    }
    m->cube.region = m->region;
    m->cube.path = m->path;
    m->cube.regions = m->cube.paths = path + 1;
}

/* Messages by thread, of which calls take theirs. */
static void pcu_all_left(struct pcu_maker *m)
{
    for (size_t i = 0; i < m->lines->rows; i++)
        m->left[prvcut_profile_row(m->lines, i)->thread] = *prvcut_profile_row(m->lines, i);
}

static enum prvcut_status pcu_give(void *ctx, uint32_t metric, struct report_cube_cell **cell,
                                   size_t *cells, struct prvcut_error *err)
{
    struct pcu_maker *m = ctx;
    uint32_t path = 0;

    m->err = err;
    m->asked = metric;
    m->cells = 0;
    pcu_all_left(m);
    for (size_t i = 0; i < m->calls->rows && m->st == PRVCUT_OK; i++) {
        path = pcu_path_of(m, i, path);
        pcu_call(m, path, prvcut_profile_row(m->calls, i));
    }
    for (size_t i = 0; i < m->lines->rows && m->st == PRVCUT_OK; i++)
        pcu_line(m, prvcut_profile_row(m->lines, i));
    *cell = m->cell;
    *cells = m->cells;
    return m->st;
}

static enum prvcut_status pcu_room(struct pcu_maker *m)
{
    const size_t most = m->calls->rows + 1;

    m->region = prvcut_zeroed(most, sizeof *m->region, "calls", m->err);
    m->path = prvcut_zeroed(most, sizeof *m->path, "calls", m->err);
    m->left = prvcut_zeroed(m->threads, sizeof *m->left, "threads", m->err);
    return m->region && m->path && m->left ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status report_profile_cube(const struct prvcut_profile *calls,
                                       const struct prvcut_profile *lines,
                                       const struct report_cube_who *who,
                                       enum report_cube_form form, const char *path, bool force,
                                       struct prvcut_error *err)
{
    struct pcu_maker m = { .calls = calls, .lines = lines, .threads = who->threads, .err = err };

    m.cube.of = calls->name;
    m.cube.give = pcu_give;
    m.cube.ctx = &m;
    report_cube_who_set(&m.cube, who);
    pcu_metrics(&m);
    m.st = pcu_room(&m);
    if (m.st == PRVCUT_OK) {
        pcu_paths(&m);
        m.st = report_cube_write(&m.cube, form, path, force, err);
    }
    free(m.region);
    free(m.path);
    free(m.left);
    free(m.cell);
    return m.st;
}
