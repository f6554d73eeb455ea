#include "otf2/raw.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Types that follow a base number by first appearance of a name. */
struct numbers {
    const char **name;
    size_t count;
    uint32_t base;
};

static uint32_t resolve_number_of(struct numbers *n, const char *name)
{
    size_t i = 0;

    while (i < n->count && strcmp(n->name[i], name) != 0)
        i++;
    if (i == n->count)
        n->name[n->count++] = name;
    return n->base + (uint32_t)i;
}

/* Beyond so many names of one kind the rest share the last number: nobody has that many. */
#define NAMES_MOST 4096

static void resolve_member(struct o2_metric_member *to, const struct o2_raw *raw,
                           const struct o2_raw_member *m, struct numbers *counters,
                           struct numbers *gauges)
{
    const bool level = (m->mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ABSOLUTE;
    const char *name = o2_raw_text(raw, m->name);
    const struct prvcut_mark_kind *mark = level ? prvcut_mark_kind_named(name) : NULL;
    uint32_t offset;

    *to = (struct o2_metric_member){ .id = m->id,
                                     .role = level ? PRVCUT_ROLE_OTHER : PRVCUT_ROLE_COUNTER,
                                     .value_type = m->type,
                                     .mode = m->mode,
                                     .name = name,
                                     .unit = o2_raw_text(raw, m->unit),
                                     .base = m->base,
                                     .exponent = m->exponent };
    if (mark)
        to->type = mark->type;
    else if (level)
        to->type = resolve_number_of(gauges, name);
    else if (prvcut_papi_preset(name, &offset, &to->role))
        to->type = PRVCUT_TYPE_PAPI + offset;
    else
        to->type = resolve_number_of(counters, name);
}

/* Members, each once, in order of id. */
static enum prvcut_status resolve_members(const struct o2_raw *raw, struct o2_metric_member **out,
                                          struct o2_ids *at, struct prvcut_error *err)
{
    const struct o2_raw_member *m = raw->member.at;
    const size_t count = raw->member.count;
    struct numbers counters = { .base = PRVCUT_TYPE_COUNTER },
                   gauges = { .base = PRVCUT_TYPE_GAUGE };
    enum prvcut_status st = PRVCUT_OK;

    if (count > NAMES_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%zu metrics are more than %d", count, NAMES_MOST);
    *out = prvcut_zeroed(count + 1, sizeof **out, "metrics", err);
    counters.name = prvcut_zeroed(count + 1, sizeof *counters.name, "metrics", err);
    gauges.name = prvcut_zeroed(count + 1, sizeof *gauges.name, "metrics", err);
    if (!*out || !counters.name || !gauges.name)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        resolve_member(&(*out)[i], raw, &m[i], &counters, &gauges);
        st = o2_ids_put(at, m[i].id, i, err);
    }
    free(counters.name);
    free(gauges.name);
    return st;
}

static enum prvcut_status resolve_classes(const struct o2_raw *raw,
                                          const struct o2_metric_member *member,
                                          const struct o2_ids *member_at, struct o2_ids *at,
                                          struct prvcut_error *err)
{
    const struct o2_raw_metric *m = raw->metric.at;
    const OTF2_MetricMemberRef *refs = raw->metric_member.at;
    struct o2_definitions *d = raw->defs;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < raw->metric.count && st == PRVCUT_OK; i++) {
        struct o2_metric *to = &d->metric[d->metrics];

        if (m[i].instance_of != OTF2_UNDEFINED_METRIC)
            continue;
        *to = (struct o2_metric){
            .id = m[i].id, .first = (uint32_t)d->members_of, .count = m[i].count, .slot = d->slots
        };
        d->slots += m[i].count;
        for (uint32_t k = 0; k < m[i].count; k++) {
            const uint32_t from = o2_ids_get(member_at, refs[m[i].first + k]);

            if (from == O2_NOWHERE)
                to->trouble = "a member of its class is not defined";
            else
                d->member_of[d->members_of] = member[from];
            d->members_of++;
        }
        st = o2_ids_put(at, m[i].id, d->metrics++, err);
    }
    return st;
}

/* Instances share their class's members, but each has readings of its own. */
static void resolve_instances(const struct o2_raw *raw, const struct o2_ids *at)
{
    const struct o2_raw_metric *m = raw->metric.at;
    struct o2_definitions *d = raw->defs;

    for (size_t i = 0; i < raw->metric.count; i++) {
        struct o2_metric *to = &d->metric[d->metrics];
        uint32_t of;

        if (m[i].instance_of == OTF2_UNDEFINED_METRIC)
            continue;
        of = o2_ids_get(at, m[i].instance_of);
        *to = (struct o2_metric){ .id = m[i].id, .slot = d->slots };
        if (of == O2_NOWHERE) {
            to->trouble = "its class is not defined";
        } else {
            to->first = d->metric[of].first;
            to->count = d->metric[of].count;
            to->trouble = d->metric[of].trouble;
        }
        d->slots += to->count;
        d->metrics++;
    }
}

static int resolve_by_metric(const void *a, const void *b)
{
    const struct o2_metric *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static int resolve_by_parameter(const void *a, const void *b)
{
    const struct o2_parameter *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static int resolve_by_context(const void *a, const void *b)
{
    const struct o2_context *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static int resolve_by_string(const void *a, const void *b)
{
    const struct o2_string *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static enum prvcut_status resolve_keep_strings(const struct o2_raw *raw, struct prvcut_error *err)
{
    struct o2_definitions *d = raw->defs;

    d->string = prvcut_zeroed(raw->string.count + 1, sizeof *d->string, "texts", err);
    if (!d->string)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < raw->string_at.put.count; i++) {
        const struct o2_id *at = (const struct o2_id *)raw->string_at.put.at + i;

        d->string[d->strings++] = (struct o2_string){ (OTF2_StringRef)at->id,
                                                      ((const char **)raw->string.at)[at->place] };
    }
    qsort(d->string, d->strings, sizeof *d->string, resolve_by_string);
    return PRVCUT_OK;
}

static enum prvcut_status resolve_parameters(const struct o2_raw *raw, struct prvcut_error *err)
{
    const struct o2_raw_parameter *p = raw->parameter.at;
    const size_t count = raw->parameter.count;
    struct o2_definitions *d = raw->defs;
    struct numbers numbers = { .base = PRVCUT_TYPE_PARAMETER };
    bool texts = false;

    if (count > NAMES_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%zu parameters of regions; %d can be read", count,
                           NAMES_MOST);
    d->parameter = prvcut_zeroed(count + 1, sizeof *d->parameter, "parameters", err);
    numbers.name = prvcut_zeroed(count + 1, sizeof *numbers.name, "parameters", err);
    if (!d->parameter || !numbers.name) {
        free(numbers.name);
        return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = o2_raw_text(raw, p[i].name);

        d->parameter[d->parameters++] =
            (struct o2_parameter){ .id = p[i].id,
                                   .kind = p[i].kind,
                                   .type = resolve_number_of(&numbers, name),
                                   .name = name };
        texts = texts || p[i].kind == OTF2_PARAMETER_TYPE_STRING;
    }
    free(numbers.name);
    qsort(d->parameter, d->parameters, sizeof *d->parameter, resolve_by_parameter);
    return texts ? resolve_keep_strings(raw, err) : PRVCUT_OK;
}

static enum prvcut_status resolve_contexts(const struct o2_raw *raw, struct prvcut_error *err)
{
    struct o2_definitions *d = raw->defs;

    d->context = prvcut_zeroed(raw->context.count + 1, sizeof *d->context, "calling contexts", err);
    if (!d->context)
        return PRVCUT_ENOMEM;
    if (raw->context.count > 0)
        memcpy(d->context, raw->context.at, raw->context.count * sizeof *d->context);
    d->contexts = raw->context.count;
    qsort(d->context, d->contexts, sizeof *d->context, resolve_by_context);
    return PRVCUT_OK;
}

enum prvcut_status o2_raw_resolve_metrics(const struct o2_raw *raw, struct prvcut_error *err)
{
    struct o2_definitions *d = raw->defs;
    struct o2_ids member_at = { 0 }, metric_at = { 0 };
    struct o2_metric_member *member = NULL;
    enum prvcut_status st = resolve_members(raw, &member, &member_at, err);

    d->metric = prvcut_zeroed(raw->metric.count + 1, sizeof *d->metric, "metrics", err);
    d->member_of =
        prvcut_zeroed(raw->metric_member.count + 1, sizeof *d->member_of, "metrics", err);
    if (st == PRVCUT_OK && (!d->metric || !d->member_of))
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = resolve_classes(raw, member, &member_at, &metric_at, err);
    if (st == PRVCUT_OK) {
        resolve_instances(raw, &metric_at);
        qsort(d->metric, d->metrics, sizeof *d->metric, resolve_by_metric);
        st = resolve_parameters(raw, err);
    }
    if (st == PRVCUT_OK)
        st = resolve_contexts(raw, err);
    free(member);
    o2_ids_fini(&member_at);
    o2_ids_fini(&metric_at);
    return st;
}
