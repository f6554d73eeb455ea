#include "report/json.h"
#include "report/proof.h"

static json_t *pjs_rows(const struct prvcut_proof_row *row, size_t rows)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < rows; i++) {
        const struct prvcut_proof_row *r = &row[i];
        const struct report_field fields[] = {
            { "group", report_json_text(prvcut_proof_group_text(r->group)) },
            { "name", report_json_text(r->name) },
            { "unit", report_json_text(prvcut_proof_unit_text(r->unit)) },
            { "chop", report_json_real(r->chop) },
            { "region", report_json_real(r->region) },
            { "error", report_json_real(r->error) },
            { "weight", report_json_real(r->weight) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

/* Threads are numbered from 1, as the trace lists them. */
static json_t *pjs_unlike(const struct made_proof *p)
{
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < p->is.unlike_threads; i++)
        bad |= json_array_append_new(list, json_integer((json_int_t)p->is.unlike_thread[i] + 1));
    return report_json_keep(list, bad);
}

json_t *report_json_proof(const struct made_proof *p)
{
    if (!p->is.verdict)
        return json_null();
    const struct report_field fields[] = {
        { "verdict", report_json_text(prvcut_faith_text(p->is.verdict)) },
        { "worst", report_json_real(p->is.worst) },
        { "iterations_in_region", report_json_real(p->is.iterations_region) },
        { "threads", report_json_integer(p->is.threads) },
        { "unlike", report_json_integer(p->is.unlike) },
        { "unlike_threads", pjs_unlike(p) },
        { "rows", pjs_rows(p->row, p->is.rows) },
        { "waits", pjs_rows(p->wait, p->is.waits) },
    };

    return REPORT_JSON_OBJECT(fields);
}
