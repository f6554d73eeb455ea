#include "otf2/write_out.h"

#include <inttypes.h>
#include <string.h>

/* Definitions of what has values: metrics, parameters, attributes. */

static void values_put_class(struct o2w_out *o, OTF2_MetricRef id, uint8_t members,
                             OTF2_MetricMemberRef first, OTF2_MetricOccurrence occurrence)
{
    const OTF2_MetricMemberRef member[2] = { first, first + 1 };

    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteMetricClass(o->to, id, members, member, occurrence,
                                                       OTF2_RECORDER_KIND_CPU),
                 "a metric");
}

/* The states' metric; its description lists what the numbers mean. */
static void values_put_state_metric(struct o2w_out *o)
{
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    OTF2_StringRef name = o2w_out_string(o, "State");

    for (size_t i = 0; i < d->states; i++)
        PUT(o, "%s%" PRIu32 " %s", i == 0 ? "" : ", ", d->state[i].number, d->state[i].text);
    o2w_out_flush(o);
    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteMetricMember(
                     o->to, 0, name, o->next - 1, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_NEXT,
                     OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, o->empty),
                 "the states");
    values_put_class(o, O2_STATES, 1, 0, OTF2_METRIC_ASYNCHRONOUS);
}

static void values_put_overlap_metric(struct o2w_out *o, OTF2_MetricRef id,
                                      OTF2_MetricMemberRef first)
{
    const OTF2_StringRef state = o2w_out_string(o, "Overlapping state");
    const OTF2_StringRef length = o2w_out_string(o, "Length of overlapping state");
    const OTF2_StringRef unit = o2w_out_string(o, "ns");

    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteMetricMember(
                     o->to, first, state, o->empty, OTF2_METRIC_TYPE_OTHER,
                     OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, o->empty),
                 "the states");
    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteMetricMember(
                     o->to, first + 1, length, o->empty, OTF2_METRIC_TYPE_OTHER,
                     OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, unit),
                 "the states");
    values_put_class(o, id, 2, first, OTF2_METRIC_ASYNCHRONOUS);
}

/* "PAPI_TOT_INS [Instr completed]": what stands before the blank is the counter's proper name. */
static void values_put_metric(struct o2w_out *o, const struct o2w_type *t,
                              OTF2_MetricMemberRef member)
{
    const bool counter = t->kind == O2W_COUNTER;
    char room[32];
    const char *text = o2w_type_text(t, room);
    const bool papi = strncmp(text, "PAPI_", 5) == 0;
    const char *unit = t->name && t->name->unit ? t->name->unit : "";
    const OTF2_StringRef description = o2w_out_string(o, text);
    const OTF2_StringRef name =
        papi ? o2w_out_format(o, "%.*s", (int)strcspn(text, " "), text) : description;
    const OTF2_StringRef unit_name = o2w_out_string(o, unit[0] == '\0' && counter ? "#" : unit);

    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteMetricMember(
                     o->to, member, name, description,
                     papi ? OTF2_METRIC_TYPE_PAPI : OTF2_METRIC_TYPE_OTHER,
                     counter ? OTF2_METRIC_ACCUMULATED_START : OTF2_METRIC_ABSOLUTE_POINT,
                     counter ? OTF2_TYPE_UINT64 : OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, unit_name),
                 "a counter");
    values_put_class(o, t->id[O2_METRIC], 1, member,
                     counter ? OTF2_METRIC_SYNCHRONOUS : OTF2_METRIC_ASYNCHRONOUS);
}

void o2w_out_metrics(struct o2w_out *o)
{
    const struct o2w_ids *ids = &o->w->names.metric;
    OTF2_MetricMemberRef member = 1;

    values_put_state_metric(o);
    for (size_t i = 0; i < ids->count; i++) {
        if (ids->at[i] == UINT32_MAX) {
            values_put_overlap_metric(o, o->w->names.overlap, member);
            member += 2;
        } else {
            values_put_metric(o, &o->w->names.type[ids->at[i] / O2_NEEDS], member++);
        }
    }
}

void o2w_out_parameters(struct o2w_out *o)
{
    const struct o2w_ids *ids = &o->w->names.parameter;
    char room[32];

    for (uint32_t i = 0; i < ids->count; i++) {
        const struct o2w_type *t = &o->w->names.type[ids->at[i] / O2_NEEDS];

        o2w_out_done(o,
                     OTF2_GlobalDefWriter_WriteParameter(
                         o->to, i, o2w_out_string(o, o2w_type_text(t, room)),
                         ids->at[i] % O2_NEEDS == O2_NUMBER ? OTF2_PARAMETER_TYPE_INT64
                                                            : OTF2_PARAMETER_TYPE_STRING),
                     "a parameter");
    }
}

void o2w_out_details(struct o2w_out *o)
{
    const struct o2w_ids *ids = &o->w->names.attribute;
    char room[32];

    for (uint32_t i = 0; i < ids->count; i++) {
        const struct o2w_type *t = &o->w->names.type[ids->at[i] / O2_NEEDS];

        o2w_out_done(
            o,
            OTF2_GlobalDefWriter_WriteAttribute(
                o->to, O2_MARKS + i, o2w_out_string(o, o2w_type_text(t, room)), o->empty,
                ids->at[i] % O2_NEEDS == O2_DETAIL_NUMBER ? OTF2_TYPE_INT64 : OTF2_TYPE_STRING),
            "an attribute");
    }
}

void o2w_out_marks(struct o2w_out *o)
{
    static const struct {
        const char *name, *text;
        OTF2_Type type;
    } mark[O2_MARKS] = {
        [O2_IMPLICIT] = { "PRVCUT::IMPLICIT", "Only there because regions must nest",
                          OTF2_TYPE_UINT8 },
        [O2_OWN_LINE] = { "PRVCUT::OWN_LINE",
                          "Begins a record of its own, at the time of the one before",
                          OTF2_TYPE_UINT8 },
        [O2_TRANSFER] = { "PRVCUT::TRANSFER", "ns from a send to the transfer of its message",
                          OTF2_TYPE_INT64 },
        [O2_POSTED] = { "PRVCUT::POSTED", "ns from the post of a receive to its completion",
                        OTF2_TYPE_INT64 },
        [O2_PARTNER] = { "PRVCUT::PARTNER", "Thread of the other process", OTF2_TYPE_UINT32 },
        [O2_IN_ORDER] = { "PRVCUT::IN_ORDER", "Ends of regions that were given in this order",
                          OTF2_TYPE_UINT8 },
        [O2_TAG] = { "PRVCUT::TAG", "Tag that does not fit the record", OTF2_TYPE_INT64 },
    };

    for (unsigned i = 0; i < O2_MARKS; i++) {
        const OTF2_StringRef name = o2w_out_string(o, mark[i].name),
                             text = o2w_out_string(o, mark[i].text);

        o2w_out_done(o, OTF2_GlobalDefWriter_WriteAttribute(o->to, i, name, text, mark[i].type),
                     "an attribute");
    }
}
