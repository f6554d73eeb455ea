#include "report/page_data.h"

#include "report/comm.h"
#include "report/comm_grid.h"
#include "report/json.h"

#include <stdlib.h>

/* Four numbers a field that is not empty: row, column, messages, bytes. */
static json_t *pco_fields(const struct comm_grid *g)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < (size_t)g->fields * g->fields; i++) {
        if (g->messages[i] == 0)
            continue;
        bad |= json_array_append_new(list, report_json_integer(i / g->fields));
        bad |= json_array_append_new(list, report_json_integer(i % g->fields));
        bad |= json_array_append_new(list, report_json_integer(g->messages[i]));
        bad |= json_array_append_new(list, report_json_integer(g->bytes[i]));
    }
    return report_json_keep(list, bad);
}

static json_t *pco_number(uint64_t value)
{
    return report_comm_told(value) ? report_json_integer(value) : json_null();
}

static json_t *pco_collectives(const struct prvcut_comm_matrix *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < m->collectives && i < PAGE_CALLS; i++) {
        const struct prvcut_comm_collective *c = prvcut_comm_collective(m, i);
        const struct report_field fields[] = {
            { "name", report_json_text(c->name) },
            { "calls", report_json_integer(c->calls) },
            { "bytes", pco_number(c->sent_bytes) },
            { "received_bytes", pco_number(c->received_bytes) },
            { "time_ns", pco_number(c->ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

/* What the lines of the text say, and its notes. */
static json_t *pco_said(const struct prvcut_comm *c, const struct prvcut_comm_matrix *m,
                        enum prvcut_status *st, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char *text = NULL;
    json_t *said;

    report_comm_lines(&l, m);
    report_comm_notes(&l, c);
    *st = report_take(&l, &text);
    said = report_json_text(text);
    free(text);
    return said;
}

static json_t *pco_matrix(const struct prvcut_comm *c, const struct prvcut_comm_matrix *m,
                          enum prvcut_status *st, struct prvcut_error *err)
{
    struct comm_grid g;
    json_t *o = NULL;

    *st = comm_grid_init(&g, m, PAGE_FIELDS, err);
    if (*st == PRVCUT_OK) {
        const struct report_field fields[] = {
            { "application",
              c->applications > 1 ? report_json_integer(m->application) : json_null() },
            { "ranks", report_json_integer(m->ranks) },
            { "ranks_each", report_json_integer(g.each) },
            { "messages", report_json_integer(m->messages) },
            { "bytes", report_json_integer(m->bytes) },
            { "timed", report_json_integer(m->timed) },
            { "topology", report_json_text(prvcut_topology_text(m->shape.topology)) },
            { "said", pco_said(c, m, st, err) },
            { "fields", pco_fields(&g) },
            { "collectives", pco_collectives(m) },
            { "collectives_all", report_json_integer(m->collectives) },
        };

        o = REPORT_JSON_OBJECT(fields);
    }
    comm_grid_fini(&g);
    return o;
}

json_t *page_comm(const struct prvcut_comm *c, enum prvcut_status *st, struct prvcut_error *err)
{
    json_t *list;
    int bad = 0;

    if (!c)
        return json_null();
    list = json_array();
    for (size_t i = 0; i < c->matrices && i < PAGE_MATRICES && *st == PRVCUT_OK; i++)
        if (prvcut_comm_matrix(c, i)->ranks > 0)
            bad |= json_array_append_new(list, pco_matrix(c, prvcut_comm_matrix(c, i), st, err));
    return report_json_keep(list, bad);
}
