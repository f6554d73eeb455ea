#include "otf2/mark.h"

#include "base/memory.h"

#include <stdlib.h>

struct o2_due {
    struct prvcut_mark *at; /* [count], in ticks */
    size_t count, next;
};

/* --- The metric --------------------------------------------------------------------------- */

static bool mrk_is_it(const struct o2_definitions *d, const struct o2_metric *m, uint32_t type)
{
    return !m->trouble && m->count == 1 && d->member_of[m->first].type == type;
}

enum prvcut_status o2_marker_init(struct o2_marker *out, const struct o2_trace *t,
                                  const struct prvcut_marks *marks, struct prvcut_error *err)
{
    const struct o2_definitions *d = &t->defs;

    *out = (struct o2_marker){ .marks = marks };
    for (size_t i = 0; i < d->metrics && !out->defined; i++) {
        out->defined = mrk_is_it(d, &d->metric[i], marks->kind->type);
        out->metric = d->metric[i].id + !out->defined;
    }
    if (t->own && !out->defined && o2_own_has_type(t->own, marks->kind->type)) {
        prvcut_instead(err, "prvcut convert TRACE out.prv");
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: it was made of a trace that has marks; they are in it",
                           prvcut_trace_told(&t->base));
    }
    if (out->metric < OTF2_UNDEFINED_METRIC)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_ELIMIT, "%s: there is no free number for a metric of marks",
                       prvcut_trace_told(&t->base));
}

OTF2_ErrorCode o2_marker_define(const struct o2_marker *m, const struct o2_trace *t,
                                OTF2_GlobalDefWriter *w, OTF2_StringRef string,
                                OTF2_MetricMemberRef member)
{
    const struct prvcut_mark_kind *kind = m->marks->kind;
    const char *const texts[] = { kind->name, kind->help, "#" };
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (m->defined)
        return code;
    for (uint32_t i = 0; i < 3 && code == OTF2_SUCCESS; i++)
        code = OTF2_GlobalDefWriter_WriteString(w, string + i, texts[i]);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteMetricMember(
            w, member, string, string + 1, OTF2_METRIC_TYPE_USER, OTF2_METRIC_ABSOLUTE_POINT,
            OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, string + 2);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteMetricClass(
            w, m->metric, 1, &member, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT);
    return code == OTF2_SUCCESS && t->own ? o2_own_define_marks(w, string + 3, m->metric, kind)
                                          : code;
}

/* --- Marks -------------------------------------------------------------------------------- */

enum prvcut_status o2_due_new(struct o2_due **out, const struct o2_marker *m,
                              const struct o2_trace *t, uint32_t thread, struct prvcut_error *err)
{
    uint8_t *wanted = prvcut_zeroed((size_t)t->base.objects.threads + 1, 1, "threads", err);
    struct o2_due *d = prvcut_zeroed(1, sizeof *d, "marks", err);
    enum prvcut_status st = PRVCUT_ENOMEM;

    *out = d;
    if (wanted && d) {
        wanted[thread] = 1;
        st = prvcut_marks_of(m->marks, wanted, &d->at, &d->count, err);
    }
    free(wanted);
    for (size_t i = 0; st == PRVCUT_OK && i < d->count; i++)
        d->at[i].time = o2_tick(t, thread, d->at[i].time);
    return st;
}

void o2_due_free(struct o2_due *d)
{
    if (d)
        free(d->at);
    free(d);
}

void o2_due_put(struct o2_place *p, uint64_t tick)
{
    static const OTF2_Type type = OTF2_TYPE_INT64;
    struct o2_due *d = p->due;

    for (; d->next < d->count && d->at[d->next].time <= tick; d->next++) {
        const OTF2_MetricValue value = { .signed_int = d->at[d->next].value };

        o2_place_at(p, d->at[d->next].time);
        o2_put(p, p->writer ? OTF2_EvtWriter_Metric(p->writer, NULL, p->now,
                                                    p->cutter->marker->metric, 1, &type, &value)
                            : OTF2_SUCCESS);
    }
}

uint64_t o2_due_written(const struct o2_due *d)
{
    return d ? d->next : 0;
}

/* --- The archive -------------------------------------------------------------------------- */
