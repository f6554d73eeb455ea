#include "report/comm.h"

#include "report/json.h"

#include <math.h>
#include <string.h>

static json_t *cmj_number(uint64_t value)
{
    return report_comm_told(value) ? report_json_integer(value) : json_null();
}

/* --- The shape -------------------------------------------------------------------------------- */

static json_t *cmj_dims(const struct prvcut_comm_shape *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < s->dimensions; i++)
        bad |= json_array_append_new(list, report_json_integer(s->dim[i]));
    return report_json_keep(list, bad);
}

static json_t *cmj_shape(const struct prvcut_comm_shape *s)
{
    const struct report_field fields[] = {
        { "name", report_json_text(prvcut_topology_text(s->topology)) },
        { "dims", cmj_dims(s) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *cmj_ties(const struct prvcut_comm_matrix *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < m->ties; i++)
        bad |= json_array_append_new(list, cmj_shape(prvcut_comm_tie(m, i)));
    return report_json_keep(list, bad);
}

static json_t *cmj_groups(const struct prvcut_comm_matrix *m)
{
    const struct report_field fields[] = { { "least", json_integer(m->group_least) },
                                           { "most", json_integer(m->group_most) } };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *cmj_topology(const struct prvcut_comm_matrix *m)
{
    const bool messages = m->p2p.topology != PRVCUT_TOPOLOGY_NONE;
    const struct report_field fields[] = {
        { "name", report_json_text(prvcut_topology_text(m->shape.topology)) },
        { "source", m->by_collectives ? report_json_text("collectives")
                    : messages        ? report_json_text("messages")
                                      : json_null() },
        { "dims", cmj_dims(&m->shape) },
        { "groups", m->group_least > 0 ? cmj_groups(m) : json_null() },
        { "fit", report_json_real(m->fit) },
        { "spread", report_json_real(m->spread) },
        { "ties", cmj_ties(m) },
        { "wavefront", m->wavefront == PRVCUT_COMM_HOLDS_UNTOLD
                           ? json_null()
                           : json_boolean(m->wavefront == PRVCUT_COMM_HOLDS_TRUE) },
        { "no_wavefront", report_json_text(m->no_wavefront) },
        { "p2p", messages ? cmj_shape(&m->p2p) : json_null() },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* --- Lists ------------------------------------------------------------------------------------ */

static json_t *cmj_edges(const struct prvcut_comm_matrix *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < m->edges; i++) {
        const struct prvcut_comm_edge *e = prvcut_comm_edge(m, i);
        const struct report_field fields[] = {
            { "from", report_json_integer(e->from) },
            { "to", report_json_integer(e->to) },
            { "messages", report_json_integer(e->messages) },
            { "bytes", report_json_integer(e->bytes) },
            { "time_ns", report_comm_told(m->ns) ? report_json_integer(e->ns) : json_null() },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *cmj_ranks(const struct prvcut_comm_matrix *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < m->ranks; i++) {
        const struct prvcut_comm_rank *r = prvcut_comm_rank(m, i);
        const struct report_field fields[] = {
            { "rank", report_json_integer(i) },
            { "node", r->node != UINT32_MAX ? report_json_integer(r->node) : json_null() },
            { "neighbours", report_json_integer(r->neighbours) },
            { "sent", report_json_integer(r->sent) },
            { "sent_bytes", report_json_integer(r->sent_bytes) },
            { "received", report_json_integer(r->received) },
            { "received_bytes", report_json_integer(r->received_bytes) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *cmj_sizes(const struct prvcut_comm_matrix *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < m->bins; i++) {
        const struct prvcut_comm_bin *b = prvcut_comm_bin(m, i);
        const struct report_field fields[] = {
            { "least", report_json_integer(b->least) },
            { "most", report_json_integer(b->most) },
            { "messages", report_json_integer(b->messages) },
            { "bytes", report_json_integer(b->bytes) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    const struct report_field fields[] = {
        { "least", cmj_number(m->size_least) },
        { "median", cmj_number(m->size_median) },
        { "greatest", cmj_number(m->size_greatest) },
        { "bins", report_json_keep(list, bad) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *cmj_collectives(const struct prvcut_comm_matrix *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < m->collectives; i++) {
        const struct prvcut_comm_collective *c = prvcut_comm_collective(m, i);
        const struct report_field fields[] = {
            { "name", report_json_text(c->name) },
            { "type", report_json_integer(c->type) },
            { "value", json_integer(c->value) },
            { "calls", report_json_integer(c->calls) },
            { "bytes", cmj_number(c->sent_bytes) },
            { "received_bytes", cmj_number(c->received_bytes) },
            { "time_ns", cmj_number(c->ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *cmj_reasons(const struct prvcut_comm *c)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < c->reasons; i++) {
        const struct prvcut_comm_reason *r = prvcut_comm_reason(c, i);
        const struct report_field fields[] = {
            { "what", report_json_text(r->what) },
            { "text", report_json_text(r->text) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

/* --- A matrix --------------------------------------------------------------------------------- */

static json_t *cmj_some(uint64_t messages, uint64_t bytes)
{
    const struct report_field fields[] = {
        { "messages", cmj_number(messages) },
        { "bytes", cmj_number(bytes) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *cmj_balance(const struct prvcut_comm_matrix *m)
{
    const bool is = !isnan(m->imbalance);
    const struct report_field fields[] = {
        { "most_over_mean", report_json_real(m->imbalance) },
        { "rank", is ? report_json_integer(m->imbalance_rank) : json_null() },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *cmj_neighbours(const struct prvcut_comm_matrix *m)
{
    const double middle = m->neighbours_middle;
    const bool whole = middle == floor(middle);
    const struct report_field fields[] = {
        { "least", report_json_integer(m->neighbours_least) },
        { "median", whole ? report_json_integer((uint64_t)middle) : report_json_real(middle) },
        { "most", report_json_integer(m->neighbours_most) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Fields of a matrix. */
#define MATRIX_FIELDS 24

static void cmj_matrix(struct report_field out[MATRIX_FIELDS], const struct prvcut_comm_matrix *m)
{
    const struct report_field fields[MATRIX_FIELDS] = {
        { "region", report_json_text(m->region) },
        { "iteration", m->iteration > 0 ? report_json_integer(m->iteration) : json_null() },
        { "typical", json_boolean(m->typical) },
        { "disturbed", json_boolean(m->disturbed) },
        { "start_ns", report_json_integer(m->span.start) },
        { "end_ns", report_json_integer(m->span.end) },
        { "application", report_json_integer(m->application) },
        { "ranks", report_json_integer(m->ranks) },
        { "topology", cmj_topology(m) },
        { "messages", report_json_integer(m->messages) },
        { "bytes", report_json_integer(m->bytes) },
        { "time_ns", cmj_number(m->ns) },
        { "timed", report_json_integer(m->timed) },
        { "itself", cmj_some(m->self, m->self_bytes) },
        { "outside", cmj_some(m->outside, m->outside_bytes) },
        { "unknown", cmj_some(m->unknown, m->unknown_bytes) },
        { "receives_alone", report_json_integer(m->alone) },
        { "nodes", m->nodes > 0 ? report_json_integer(m->nodes) : json_null() },
        { "within_node", m->nodes > 0 ? cmj_some(m->node_messages, m->node_bytes) : json_null() },
        { "balance", cmj_balance(m) },
        { "neighbours", cmj_neighbours(m) },
        { "sizes", cmj_sizes(m) },
        { "collectives", cmj_collectives(m) },
        { "per_rank", cmj_ranks(m) },
    };

    memcpy(out, fields, sizeof fields);
}

static const char *cmj_by(enum prvcut_comm_by by)
{
    static const char *const name[] = { "run", "region", "iteration" };

    return name[by];
}

/* All matrices but the first, whose fields are the object's own. */
static json_t *cmj_parts(const struct prvcut_comm *c)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 1; i < c->matrices; i++) {
        const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, i);
        struct report_field field[MATRIX_FIELDS + 1];

        cmj_matrix(field, m);
        field[MATRIX_FIELDS] = (struct report_field){ "edges", cmj_edges(m) };
        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_comm_json(const struct prvcut_comm *c, char **text,
                                    struct prvcut_error *err)
{
    const struct prvcut_comm_matrix none = { .fit = (double)NAN,
                                             .spread = (double)NAN,
                                             .imbalance = (double)NAN,
                                             .ns = PRVCUT_COMM_UNTOLD,
                                             .size_least = PRVCUT_COMM_UNTOLD,
                                             .size_median = PRVCUT_COMM_UNTOLD,
                                             .size_greatest = PRVCUT_COMM_UNTOLD };
    const struct prvcut_comm_matrix *m = c->matrices > 0 ? prvcut_comm_matrix(c, 0) : &none;
    const struct report_field head[] = {
        REPORT_JSON_HEAD("prvcut-comm"),
        { "name", report_json_text(c->name) },
        { "by", report_json_text(cmj_by(c->by)) },
        { "applications", report_json_integer(c->applications) },
        { "tasks", report_json_integer(c->tasks) },
        { "threads", report_json_integer(c->threads) },
        { "no_loop", report_json_text(c->no_loop) },
        { "unlike", report_json_integer(c->unlike) },
        { "acausal", report_json_integer(c->acausal) },
        { "skipped", report_json_integer(c->skipped) },
        { "unsorted", report_json_integer(c->unsorted) },
        { "first_unsorted_line",
          c->first_unsorted > 0 ? report_json_integer(c->first_unsorted) : json_null() },
        { "unsorted_ns", c->unsorted > 0 ? report_json_integer(c->unsorted_ns) : json_null() },
        { "reasons", cmj_reasons(c) },
    };
    const size_t heads = sizeof head / sizeof *head;
    struct report_field field[sizeof head / sizeof *head + MATRIX_FIELDS + 2];

    memcpy(field, head, sizeof head);
    cmj_matrix(field + heads, m);
    field[heads + MATRIX_FIELDS] = (struct report_field){ "edges", cmj_edges(m) };
    field[heads + MATRIX_FIELDS + 1] = (struct report_field){ "parts", cmj_parts(c) };
    return report_json_take(REPORT_JSON_OBJECT(field), text, err);
}
