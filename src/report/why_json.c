#include "report/why_json.h"

#include "report/why.h"

#include <math.h>

/* Ranks count from 0, threads from 1. */
static json_t *wjs_rank(const struct made_reduction *r, bool known, uint32_t thread)
{
    return known && report_by_rank(r) ? report_json_integer(thread) : json_null();
}

static json_t *wjs_thread(bool known, uint32_t thread)
{
    return known ? report_json_integer((uint64_t)thread + 1) : json_null();
}

static json_t *wjs_others(const struct made_reduction *r, const struct prvcut_slow_cause *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->others; i++) {
        const struct report_field fields[] = {
            { "rank", wjs_rank(r, true, s->other[i]) },
            { "thread", wjs_thread(true, s->other[i]) },
            { "ns", report_json_rounded(s->other_ns[i]) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_cause(const struct made_reduction *r, const struct prvcut_slow_cause *s)
{
    const bool known = s->what != PRVCUT_SLOW_UNKNOWN;
    const bool met = s->late != PRVCUT_LATE_UNKNOWN;
    const bool came = s->late == PRVCUT_LATE_PARTNER;
    const bool began = s->origin != UINT32_MAX;
    const bool order = s->what == PRVCUT_SLOW_ORDER && s->partner != UINT32_MAX;
    const struct report_field fields[] = {
        { "what", report_json_text(prvcut_slow_text(s->what)) },
        { "rank", wjs_rank(r, known, s->thread) },
        { "thread", wjs_thread(known, s->thread) },
        { "threads", report_json_integer(s->threads) },
        { "call", report_json_text(s->call) },
        { "ns", known ? report_json_rounded(s->ns) : json_null() },
        { "usual_ns", known ? report_json_real(s->usual_ns) : json_null() },
        { "share", known ? report_json_real(s->share) : json_null() },
        { "late", report_json_text(met ? prvcut_late_text(s->late) : NULL) },
        { "longest_ns", met || order ? report_json_rounded(s->longest_ns) : json_null() },
        { "partner_rank", wjs_rank(r, came || order, s->partner) },
        { "partner_thread", wjs_thread(came || order, s->partner) },
        { "late_ns", came ? report_json_rounded(s->late_ns) : json_null() },
        { "partner_did", report_json_text(came ? prvcut_slow_text(s->partner_did) : NULL) },
        { "partner_ns", came ? report_json_rounded(s->partner_ns) : json_null() },
        { "partner_call", report_json_text(s->partner_call) },
        { "partner_code", report_json_text(s->partner_code) },
        { "origin_rank", wjs_rank(r, began, s->origin) },
        { "origin_thread", wjs_thread(began, s->origin) },
        { "origin_did", report_json_text(began ? prvcut_slow_text(s->origin_did) : NULL) },
        { "origin_ns", began ? report_json_rounded(s->origin_ns) : json_null() },
        { "origin_call", report_json_text(s->origin_call) },
        { "bytes", isnan(s->bytes) ? json_null() : report_json_integer((uint64_t)s->bytes) },
        { "usual_bytes", report_json_real(s->usual_bytes) },
        { "others", wjs_others(r, s) },
        { "meanwhile", json_boolean(s->meanwhile) },
    };

    return REPORT_JSON_OBJECT(fields);
}

json_t *report_causes_json(const struct made_reduction *r, const struct prvcut_slow_cause *cause,
                           size_t causes)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < causes; i++)
        bad |= json_array_append_new(list, wjs_cause(r, &cause[i]));
    return report_json_keep(list, bad);
}
