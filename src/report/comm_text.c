#include "report/comm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ranks of a matrix that is printed. */
#define RANKS_PRINTED 16
/* The most over the mean, where all are alike. */
#define EVEN 1.005
/* Fit below which a shape is told to be nearly that one: real runs of it have 0.99 and more, stray
   messages of 1 % leave 0.98; two ranks in each other's place, or a grid of four dimensions as one
   of three, at most 0.9. */
#define NEARLY 0.95

/* --- Shapes ----------------------------------------------------------------------------------- */

char *report_comm_dims(char out[40], const struct prvcut_comm_shape *s)
{
    size_t n = 0;

    out[0] = '\0';
    for (uint32_t i = 0; i < s->dimensions && n < 40; i++)
        n += (size_t)snprintf(out + n, 40 - n, "%s%" PRIu32, i > 0 ? " x " : "", s->dim[i]);
    return out;
}

char *report_comm_name(char out[80], const struct prvcut_comm_matrix *m)
{
    const struct prvcut_comm_shape *s = &m->shape;
    const bool nearly = !m->by_collectives && s->dimensions > 0 && m->fit < NEARLY;
    char dims[40];
    int n = snprintf(out, 80, "%s%.20s%s", nearly ? "nearly " : "",
                     prvcut_topology_text(s->topology), s->dimensions > 0 ? " " : "");

    n += snprintf(out + n, 80 - (size_t)n, "%.24s", report_comm_dims(dims, s));
    if (m->group_least > 0)
        n += snprintf(out + n, 80 - (size_t)n, " in groups of %" PRIu32, m->group_least);
    if (m->group_most > m->group_least)
        snprintf(out + n, 80 - (size_t)n, " to %" PRIu32, m->group_most);
    return out;
}

/* "mesh2d 4 x 2", "irregular" */
static void cmt_shape(struct report_lines *l, const struct prvcut_comm_shape *s)
{
    char dims[40];

    report_put(l, "%s", prvcut_topology_text(s->topology));
    if (s->dimensions > 0)
        report_put(l, " %s", report_comm_dims(dims, s));
}

/* Are there messages between ranks, of which something can be said? */
static bool cmt_has_messages(const struct prvcut_comm_matrix *m)
{
    return m->messages > m->self;
}

/* "bt.W.9.prv: 9 ranks, multipartition 3 x 3: 32,616 messages, 358 MB" */
static void cmt_title(struct report_lines *l, const struct prvcut_comm *c,
                      const struct prvcut_comm_matrix *m)
{
    char text[32], name[80];

    report_put_foreign(l, c->name);
    if (c->applications > 1)
        report_put(l, ", application %" PRIu32, m->application);
    report_put(l, ": %" PRIu32 " rank%s", m->ranks, m->ranks == 1 ? "" : "s");
    if (m->shape.topology != PRVCUT_TOPOLOGY_NONE)
        report_put(l, ", %s%s", report_comm_name(name, m),
                   m->wavefront == PRVCUT_COMM_HOLDS_TRUE ? ", a wavefront" : "");
    if (!cmt_has_messages(m)) {
        report_put(l, ": no messages between ranks are recorded\n");
        return;
    }
    report_put(l, ": %s message%s", report_count(text, m->messages), m->messages == 1 ? "" : "s");
    if (m->bytes > 0)
        report_put(l, ", %s", prvcut_size_text(text, (double)m->bytes));
    report_put(l, "\n");
}

/* "Topology  mesh2d 4 x 2, fit 1.00, spread 0.00, wavefront; ties: none" */
static void cmt_topology(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    char name[80];

    report_head(l, "Topology");
    report_put(l, "%s", report_comm_name(name, m));
    if (m->by_collectives)
        report_put(l, ", by collectives%s", cmt_has_messages(m) ? "; messages: " : "");
    if (m->by_collectives && cmt_has_messages(m))
        cmt_shape(l, &m->p2p);
    if (cmt_has_messages(m)) {
        report_put(l, ", fit %.2f", m->fit);
        if (!isnan(m->spread))
            report_put(l, ", spread %.2f", m->spread);
        report_put(l, "%s; ties: ",
                   m->wavefront == PRVCUT_COMM_HOLDS_TRUE    ? ", wavefront"
                   : m->wavefront == PRVCUT_COMM_HOLDS_FALSE ? ", no wavefront"
                                                             : "");
        for (size_t i = 0; i < m->ties; i++) {
            report_put(l, "%s", i > 0 ? ", " : "");
            cmt_shape(l, prvcut_comm_tie(m, i));
        }
        report_put(l, "%s", m->ties == 0 ? "none" : "");
    }
    report_put(l, "\n");
}

/* --- Messages --------------------------------------------------------------------------------- */

static void cmt_apart(struct report_lines *l, uint64_t messages, uint64_t bytes, const char *what)
{
    char text[32];

    if (messages == 0)
        return;
    report_put(l, "; %s %s", report_count(text, messages), what);
    if (bytes > 0)
        report_put(l, " (%s)", prvcut_size_text(text, (double)bytes));
}

static void cmt_messages(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    char text[32];

    report_head(l, "Messages");
    report_put(l, "%s", report_count(text, m->messages));
    if (m->bytes > 0)
        report_put(l, ", %s", prvcut_size_text(text, (double)m->bytes));
    if (m->timed > 0)
        report_put(l, ", %s from sending to completion, in the mean",
                   prvcut_time_text(text, (double)m->ns / (double)m->timed));
    if (m->timed > 0 && m->timed < m->messages)
        report_put(l, " of the %s that can be timed", report_count(text, m->timed));
    cmt_apart(l, m->self, m->self_bytes, "of these from a rank to itself");
    cmt_apart(l, m->outside, m->outside_bytes, "more to other applications");
    cmt_apart(l, m->unknown, m->unknown_bytes, "more whose partner is not known");
    cmt_apart(l, m->alone, 0, "receives without a send");
    report_put(l, "\n");
}

static void cmt_sizes(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    char text[32];

    if (!report_comm_told(m->size_least) || m->size_greatest == 0)
        return;
    report_head(l, "Sizes");
    report_put(l, "%s", prvcut_size_text(text, (double)m->size_least));
    report_put(l, " to %s", prvcut_size_text(text, (double)m->size_greatest));
    report_put(l, ", median %s\n", prvcut_size_text(text, (double)m->size_median));
}

/* A median of whole numbers is one of them, or half-way between two. */
static char *cmt_middle(char out[32], double middle)
{
    snprintf(out, 32, "%" PRIu32 "%s", (uint32_t)middle, middle > floor(middle) ? ".5" : "");
    return out;
}

static void cmt_ranks(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    char text[32];

    report_head(l, "Neighbours");
    if (m->neighbours_least == m->neighbours_most)
        report_put(l, "%" PRIu32 " of each rank\n", m->neighbours_most);
    else
        report_put(l, "%" PRIu32 " to %" PRIu32 " of a rank, median %s\n", m->neighbours_least,
                   m->neighbours_most, cmt_middle(text, m->neighbours_middle));
    report_head(l, "Balance");
    if (m->imbalance < EVEN)
        report_put(l, "each rank sends as much\n");
    else
        report_put(l, "rank %" PRIu32 " sends most: %s times the mean\n", m->imbalance_rank,
                   report_number(text, m->imbalance));
    if (m->nodes == 0)
        return;
    report_head(l, "Nodes");
    if (m->nodes == 1)
        report_put(l, "all ranks are on one\n");
    else if (m->bytes > m->self_bytes)
        report_put(l, "%.1f %% of the bytes stay within one of %" PRIu32 "\n",
                   100 * (double)m->node_bytes / (double)(m->bytes - m->self_bytes), m->nodes);
    else
        report_put(l, "%.1f %% of the messages stay within one of %" PRIu32 "\n",
                   100 * (double)m->node_messages / (double)(m->messages - m->self), m->nodes);
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* A new row; the table so far is printed where it is full. */
static char (*cmt_row(struct report_lines *l, struct report_table *t))[REPORT_CELL]
{
    char(*row)[REPORT_CELL] = report_row(t);

    if (row)
        return row;
    report_put_table(l, t);
    *t = (struct report_table){ .align = t->align };
    return report_row(t);
}

static void cmt_size(char cell[REPORT_CELL], uint64_t bytes)
{
    char text[32];

    report_set(cell, report_comm_told(bytes) ? prvcut_size_text(text, (double)bytes) : "-");
}

static void cmt_collectives(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    static const char *const title[] = { "Collective", "Calls", "Sent", "Received", "Time" };
    struct report_table t = { .align = "lrrrr" };
    char(*row)[REPORT_CELL], text[32];

    if (m->collectives == 0)
        return;
    row = report_row(&t);
    for (size_t i = 0; i < 5; i++)
        report_set(row[i], title[i]);
    for (size_t i = 0; i < m->collectives; i++) {
        const struct prvcut_comm_collective *c = prvcut_comm_collective(m, i);

        row = cmt_row(l, &t);
        prvcut_quote(row[0], REPORT_CELL, c->name, strlen(c->name));
        report_set(row[1], report_count(text, c->calls));
        cmt_size(row[2], c->sent_bytes);
        cmt_size(row[3], c->received_bytes);
        report_set(row[4], report_comm_told(c->ns) ? prvcut_time_text(text, (double)c->ns) : "-");
    }
    report_put(l, "\n");
    report_put_table(l, &t);
}

static void cmt_bins(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    struct report_table t = { .align = "rrr" };
    char(*row)[REPORT_CELL] = report_row(&t), text[32];

    report_set(row[0], "Size");
    report_set(row[1], "Messages");
    report_set(row[2], "Bytes");
    for (size_t i = 0; i < m->bins; i++) {
        const struct prvcut_comm_bin *b = prvcut_comm_bin(m, i);

        row = cmt_row(l, &t);
        if (b->least == b->most)
            snprintf(row[0], REPORT_CELL, "%" PRIu64 " B", b->least);
        else
            snprintf(row[0], REPORT_CELL, "%" PRIu64 " to %" PRIu64 " B", b->least, b->most);
        report_set(row[1], report_count(text, b->messages));
        cmt_size(row[2], b->bytes);
    }
    report_put(l, "\n");
    report_put_table(l, &t);
}

/* "1.2M", "940", "-": at most five characters. */
static void cmt_field(char out[8], uint64_t value)
{
    static const char unit[] = { '\0', 'k', 'M', 'G', 'T', 'P', 'E' };
    double x = (double)value;
    unsigned i = 0;

    if (value == 0) {
        strcpy(out, "-");
        return;
    }
    for (; x >= 999.5; x /= 1000)
        i++;
    snprintf(out, 8, "%.*f%c", i > 0 && x < 9.95, x, unit[i]);
}

/* Rows send, columns receive; width: of a field, with the blank before it. */
static void cmt_fields(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    size_t next = 0;

    report_put(l, "\n%s, from row to column\n  ",
               m->bytes > 0 ? "Bytes that are sent" : "Messages that are sent");
    for (uint32_t i = 0; i < m->ranks; i++)
        report_put(l, "%5" PRIu32, i);
    for (uint32_t from = 0; from < m->ranks; from++) {
        report_put(l, "\n%2" PRIu32, from);
        for (uint32_t to = 0; to < m->ranks; to++) {
            const struct prvcut_comm_edge *e = prvcut_comm_edge(m, next);
            const bool is = e && e->from == from && e->to == to;
            char field[8];

            cmt_field(field, !is ? 0 : m->bytes > 0 ? e->bytes : e->messages);
            report_put(l, "%5s", field);
            next += is;
        }
    }
    report_put(l, "\n");
}

/* --- Several matrices ------------------------------------------------------------------------- */

/* "run", "1.4", "1.4, iteration 62", "application 2" */
static void cmt_of(char cell[REPORT_CELL], const struct prvcut_comm *c,
                   const struct prvcut_comm_matrix *m)
{
    const size_t room = REPORT_CELL;
    size_t n = (size_t)snprintf(cell, room, "%.24s", m->region ? m->region : "all");

    if (m->iteration > 0)
        n += (size_t)snprintf(cell + n, room - n, ", iteration %" PRIu64 "%s", m->iteration,
                              m->disturbed ? "*" : "");
    if (c->applications > 1 && n < room)
        snprintf(cell + n, room - n, ", app. %" PRIu32, m->application);
}

static void cmt_parts(struct report_lines *l, const struct prvcut_comm *c)
{
    static const char *const title[] = { "Part",    "Messages",   "Bytes",    "Mean time",
                                         "Balance", "Neighbours", "Topology", "Fit" };
    struct report_table t = { .align = "lrrrrrlr" };
    char(*row)[REPORT_CELL] = report_row(&t), text[40];

    for (size_t i = 0; i < sizeof title / sizeof *title; i++)
        report_set(row[i], title[i]);
    for (size_t i = 0; i < c->matrices; i++) {
        const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, i);
        char name[80];

        row = cmt_row(l, &t);
        cmt_of(row[0], c, m);
        report_set(row[1], report_count(text, m->messages));
        cmt_size(row[2], m->bytes);
        report_set(row[3],
                   m->timed > 0 ? prvcut_time_text(text, (double)m->ns / (double)m->timed) : "-");
        report_set(row[4], isnan(m->imbalance) ? "-" : report_number(text, m->imbalance));
        report_set(row[5], cmt_middle(text, m->neighbours_middle));
        report_set(row[6], report_comm_name(name, m));
        if (isnan(m->fit))
            report_set(row[7], "-");
        else
            snprintf(row[7], REPORT_CELL, "%.2f", m->fit);
    }
    report_put(l, "\n");
    report_put_table(l, &t);
}

/* Of a chain or a mesh of three ranks or more. */
static bool cmt_asks_wavefront(const struct prvcut_comm_matrix *m)
{
    const enum prvcut_topology t = m->p2p.topology;

    return m->ranks > 2 && (t == PRVCUT_TOPOLOGY_CHAIN || t == PRVCUT_TOPOLOGY_MESH2D ||
                            t == PRVCUT_TOPOLOGY_MESH3D);
}

/* Said once, of the first of which it is not known. */
static void cmt_note_wavefront(struct report_lines *l, const struct prvcut_comm *c)
{
    for (size_t i = 0; i < c->matrices; i++) {
        const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, i);

        if (!m->no_wavefront || !cmt_asks_wavefront(m))
            continue;
        report_put(l, "note: whether it is a wavefront is not known: %s\n", m->no_wavefront);
        return;
    }
}

void report_comm_notes(struct report_lines *l, const struct prvcut_comm *c)
{
    char text[32];
    bool disturbed = false;

    for (size_t i = 0; i < c->matrices; i++)
        disturbed |= prvcut_comm_matrix(c, i)->disturbed && prvcut_comm_matrix(c, i)->iteration > 0;
    if (disturbed)
        report_put(l, "* disturbed\n");
    if (!c->no_loop)
        report_put_counted_from(l, made_comm_of(c)->counted_from);
    /* That there are no messages, the first line says. */
    for (size_t i = 0; i < c->reasons; i++)
        if (strcmp(prvcut_comm_reason(c, i)->what, "edges") != 0)
            report_put(l, "note: %s\n", prvcut_comm_reason(c, i)->text);
    if (c->unlike > 0)
        report_put(l, "note: members of a communicator called different collectives, %s calls\n",
                   report_count(text, c->unlike));
    if (c->acausal > 0)
        report_put(l, "note: %s message%s complete before being sent: in no mean\n",
                   report_count(text, c->acausal), c->acausal == 1 ? " is" : "s are");
    report_put_skipped(l, c->skipped);
    report_put_sorted(l, c->unsorted, c->first_unsorted, c->unsorted_ns);
    cmt_note_wavefront(l, c);
}

/* --- All of it -------------------------------------------------------------------------------- */

void report_comm_lines(struct report_lines *l, const struct prvcut_comm_matrix *m)
{
    if (m->shape.topology != PRVCUT_TOPOLOGY_NONE)
        cmt_topology(l, m);
    if (m->messages + m->outside + m->unknown + m->alone > 0)
        cmt_messages(l, m);
    cmt_sizes(l, m);
    if (cmt_has_messages(m))
        cmt_ranks(l, m);
}

static void cmt_matrix(struct report_lines *l, const struct prvcut_comm_matrix *m, bool full)
{
    report_comm_lines(l, m);
    cmt_collectives(l, m);
    if (full && m->bins > 0)
        cmt_bins(l, m);
    if (m->messages > 0 && m->ranks <= RANKS_PRINTED)
        cmt_fields(l, m);
}

enum prvcut_status prvcut_comm_text(const struct prvcut_comm *c, bool full, char **text,
                                    struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    for (size_t i = 0; i < c->matrices; i++) {
        const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, i);

        if (c->by != PRVCUT_COMM_BY_RUN && i >= c->applications && !full)
            continue;
        if (i >= c->applications && m->region) {
            char of[REPORT_CELL];

            cmt_of(of, c, m);
            report_put(&l, "\n%s\n", of);
        } else {
            report_put(&l, "%s", i > 0 ? "\n" : "");
            cmt_title(&l, c, m);
        }
        cmt_matrix(&l, m, full);
    }
    if (c->by != PRVCUT_COMM_BY_RUN && c->matrices > c->applications)
        cmt_parts(&l, c);
    if (c->matrices == 0)
        report_put(&l, "no ranks\n");
    report_comm_notes(&l, c);
    return report_take(&l, text);
}
