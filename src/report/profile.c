#include "report/profile.h"

#include "report/json.h"
#include "report/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

double report_profile_share(const struct prvcut_profile_row *r, uint64_t ns)
{
    return report_profile_told(ns) && r->window_ns > 0 ? (double)ns / (double)r->window_ns
                                                       : (double)NAN;
}

static size_t prfl_calls(struct report_profile_field *out, const struct prvcut_profile_row *r)
{
    size_t n = 0;

    out[n++] = (struct report_profile_field){ "entered", r->entered };
    out[n++] = (struct report_profile_field){ "ns", r->ns };
    out[n++] = (struct report_profile_field){ "min_ns", r->least_ns };
    out[n++] = (struct report_profile_field){ "median_ns", r->median_ns };
    out[n++] = (struct report_profile_field){ "p95_ns", r->percentile_95_ns };
    out[n++] = (struct report_profile_field){ "max_ns", r->most_ns };
    out[n++] = (struct report_profile_field){ "open", r->open };
    out[n++] = (struct report_profile_field){ "waiting_ns", r->waiting_ns };
    out[n++] = (struct report_profile_field){ "sent_bytes", r->sent_bytes };
    out[n++] = (struct report_profile_field){ "received_bytes", r->received_bytes };
    return n;
}

static size_t prfl_communicators(struct report_profile_field *out,
                                 const struct prvcut_profile_row *r)
{
    size_t n = 0;

    out[n++] = (struct report_profile_field){ "entered", r->entered };
    out[n++] = (struct report_profile_field){ "ns", r->ns };
    out[n++] = (struct report_profile_field){ "waiting_ns", r->waiting_ns };
    out[n++] = (struct report_profile_field){ "sent_bytes", r->sent_bytes };
    out[n++] = (struct report_profile_field){ "received_bytes", r->received_bytes };
    return n;
}

static size_t prfl_peers(struct report_profile_field *out, const struct prvcut_profile_row *r)
{
    size_t n = 0;

    out[n++] = (struct report_profile_field){ "sent", r->sent };
    out[n++] = (struct report_profile_field){ "sent_bytes", r->sent_bytes };
    out[n++] = (struct report_profile_field){ "waiting_ns", r->waiting_ns };
    return n;
}

static size_t prfl_functions(struct report_profile_field *out, const struct prvcut_profile *p,
                             const struct prvcut_profile_row *r)
{
    size_t n = 0;

    out[n++] = (struct report_profile_field){ "entered", r->entered };
    out[n++] = (struct report_profile_field){ "ns", r->ns };
    if (p->by & PRVCUT_PROFILE_BY_FUNCTION && !report_profile_of_pairs(p))
        out[n++] = (struct report_profile_field){ "inclusive_ns", r->inclusive_ns };
    out[n++] = (struct report_profile_field){ "open", r->open };
    return n;
}

static size_t prfl_lines(struct report_profile_field *out, const struct prvcut_profile_row *r)
{
    size_t n = 0;

    out[n++] = (struct report_profile_field){ "threads", r->threads };
    out[n++] = (struct report_profile_field){ "window_ns", r->window_ns };
    out[n++] = (struct report_profile_field){ "recorded_ns", r->recorded_ns };
    out[n++] = (struct report_profile_field){ "computing_ns", r->computing_ns };
    out[n++] = (struct report_profile_field){ "calls_ns", r->calls_ns };
    out[n++] = (struct report_profile_field){ "rest_ns", r->rest_ns };
    out[n++] = (struct report_profile_field){ "entered", r->entered };
    out[n++] = (struct report_profile_field){ "sent", r->sent };
    out[n++] = (struct report_profile_field){ "sent_bytes", r->sent_bytes };
    out[n++] = (struct report_profile_field){ "received", r->received };
    out[n++] = (struct report_profile_field){ "received_bytes", r->received_bytes };
    out[n++] = (struct report_profile_field){ "waiting_ns", r->waiting_ns };
    return n;
}

size_t report_profile_fields(struct report_profile_field out[REPORT_PROFILE_FIELDS],
                             const struct prvcut_profile *p, const struct prvcut_profile_row *r,
                             bool total)
{
    if (total)
        return prfl_lines(out, r);
    if (report_profile_of_peers(p))
        return prfl_peers(out, r);
    if (report_profile_of_communicators(p))
        return prfl_communicators(out, r);
    if (report_profile_of_calls(p))
        return prfl_calls(out, r);
    if (report_profile_of_functions(p))
        return prfl_functions(out, p, r);
    if (report_profile_of_states(p)) {
        out[0] = (struct report_profile_field){ "ns", r->ns };
        return 1;
    }
    return prfl_lines(out, r);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static bool prfl_has_mean(const struct prvcut_profile *p)
{
    return report_profile_of_calls(p) && !report_profile_of_communicators(p);
}

static bool prfl_has_share(const struct prvcut_profile *p)
{
    return !report_profile_of_lines(p) && !report_profile_of_peers(p);
}

static void prfl_head(struct report_lines *l, const struct prvcut_profile *p)
{
    const struct prvcut_profile_row none = { .name = NULL };
    struct report_profile_field field[REPORT_PROFILE_FIELDS];
    const size_t fields = report_profile_fields(field, p, &none, false);

    if (report_profile_of_calls(p))
        report_put(l, "call,");
    if (report_profile_of_functions(p))
        report_put(l, report_profile_of_pairs(p) ? "%s,call," : "%s,", report_profile_caller(p));
    if (report_profile_of_states(p))
        report_put(l, "state,number,");
    if (report_profile_of_communicators(p))
        report_put(l, "communicator,");
    if (report_profile_of_peers(p))
        report_put(l, "sender,receiver,");
    if (report_profile_by_part(p))
        report_put(l, p->by & PRVCUT_PROFILE_BY_ITERATION
                          ? "region,iteration,start_ns,end_ns,disturbed,"
                          : "region,start_ns,end_ns,disturbed,");
    if (report_profile_by_who(p))
        report_put(l, "rank,thread,");
    for (size_t i = 0; i < fields; i++)
        report_put(l, i > 0 ? ",%s" : "%s", field[i].name);
    for (size_t i = 0; report_profile_of_lines(p) && i < p->counters; i++) {
        report_put(l, ",");
        report_put_value(l, prvcut_profile_counter(p, i));
    }
    for (size_t i = 0; report_profile_of_lines(p) && i < p->rests; i++) {
        char name[200];

        snprintf(name, sizeof name, "rest: %s", prvcut_profile_rest(p, i));
        report_put(l, ",");
        report_put_value(l, name);
    }
    if (prfl_has_mean(p))
        report_put(l, ",mean_ns");
    report_put(l, prfl_has_share(p) ? ",share" : "");
    report_put(l, report_profile_has_source(p) ? ",source_file,source_line\n" : "\n");
}

static void prfl_source(struct report_lines *l, const struct prvcut_profile_row *r)
{
    report_put(l, ",");
    if (r->file)
        report_put_value(l, r->file);
    report_put(l, ",");
    if (r->line > 0)
        report_put(l, "%" PRIu32, r->line);
}

static void prfl_row(struct report_lines *l, const struct prvcut_profile *p,
                     const struct prvcut_profile_row *r)
{
    struct report_profile_field field[REPORT_PROFILE_FIELDS];
    const size_t fields = report_profile_fields(field, p, r, false);

    if (r->function) {
        report_put_value(l, r->function);
        report_put(l, ",");
    }
    if (r->name) {
        report_put_value(l, r->name);
        report_put(l, ",");
    }
    if (report_profile_of_states(p))
        report_put(l, "%" PRId64 ",", r->value);
    if (report_profile_of_communicators(p) && r->communicator != UINT32_MAX)
        report_put(l, "%" PRIu32, r->communicator);
    if (report_profile_of_communicators(p))
        report_put(l, ",");
    if (report_profile_of_peers(p))
        report_put(l, "%" PRIu32 ",%" PRIu32 ",", r->sender, r->receiver);
    if (report_profile_by_part(p)) {
        report_put(l, "%s,", r->region ? r->region : "");
        if (p->by & PRVCUT_PROFILE_BY_ITERATION)
            report_put(l, "%" PRIu64 ",", r->iteration);
        report_put(l, "%" PRIu64 ",%" PRIu64 ",%d,", r->span.start, r->span.end, r->disturbed);
    }
    if (report_profile_by_who(p)) {
        if (r->rank != UINT32_MAX)
            report_put(l, "%" PRIu32, r->rank);
        report_put(l, ",");
        if (r->thread_name)
            report_put_value(l, r->thread_name);
        report_put(l, ",");
    }
    for (size_t i = 0; i < fields; i++) {
        report_put(l, i > 0 ? "," : "");
        if (report_profile_told(field[i].value))
            report_put(l, "%" PRIu64, field[i].value);
    }
    for (size_t i = 0; report_profile_of_lines(p) && i < p->counters; i++)
        if (report_profile_told(r->counter[i]))
            report_put(l, ",%" PRIu64, r->counter[i]);
        else
            report_put(l, ",");
    for (size_t i = 0; report_profile_of_lines(p) && i < p->rests; i++)
        if (r->rest)
            report_put(l, ",%" PRIu64, r->rest[i]);
        else
            report_put(l, ",");
    if (prfl_has_mean(p)) {
        report_put(l, ",");
        if (!isnan(r->mean_ns))
            report_put(l, "%.1f", r->mean_ns);
    }
    if (prfl_has_share(p))
        report_put(l, ",%.6f", report_profile_share(r, r->ns));
    if (report_profile_has_source(p))
        prfl_source(l, r);
    report_put(l, "\n");
}

enum prvcut_status prvcut_profile_csv(const struct prvcut_profile *p, char **text,
                                      struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    if (p->why)
        report_profile_why_csv(&l, p);
    else
        prfl_head(&l, p);
    for (size_t i = 0; i < p->rows; i++)
        prfl_row(&l, p, prvcut_profile_row(p, i));
    return report_take(&l, text);
}
