#include "base/buffer.h"
#include "base/memory.h"
#include "model/roles.h"
#include "otf2/own.h"
#include "otf2/write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Values on one string at most. */
#define VALUES_MOST 4096

/* Ids of groups: all processes that communicate, then one a communicator. */
#define GROUP_LOCATIONS 0u
#define GROUP_FIRST     1u

/* Definitions on their way out. The first failure stays. */
struct out {
    struct o2w *w;
    OTF2_GlobalDefWriter *to;
    struct prvcut_buffer text;
    OTF2_StringRef next, empty, mpi;
    enum prvcut_status status;
    struct prvcut_error *err;
};

static void done(struct out *o, OTF2_ErrorCode code, const char *what)
{
    if (o->status == PRVCUT_OK)
        o->status = o2w_done(o->w, code, what, o->err);
}

static void string_as(struct out *o, OTF2_StringRef id, const char *text)
{
    if (o->status == PRVCUT_OK)
        done(o, OTF2_GlobalDefWriter_WriteString(o->to, id, text), "a name");
}

static OTF2_StringRef string(struct out *o, const char *text)
{
    if (text[0] == '\0')
        return o->empty;
    string_as(o, o->next, text);
    return o->next++;
}

static OTF2_StringRef format(struct out *o, const char *form, ...)
    __attribute__((format(printf, 2, 3)));

static OTF2_StringRef format(struct out *o, const char *form, ...)
{
    char text[256];
    va_list args;

    va_start(args, form);
    vsnprintf(text, sizeof text, form, args);
    va_end(args);
    return string(o, text);
}

/* The text in the buffer, as a string of its own. */
static void flush_text(struct out *o)
{
    if (o->status == PRVCUT_OK)
        o->status = prvcut_buffer_append(&o->text, "", 1, o->err);
    if (o->status == PRVCUT_OK)
        string(o, o->text.at);
    o->text.count = 0;
}

#define PUT(o, ...)                                                                                \
    ((o)->status == PRVCUT_OK                                                                      \
         ? (void)((o)->status = prvcut_buffer_printf(&(o)->text, (o)->err, __VA_ARGS__))           \
         : (void)0)

/* A field that is not the last one of its string. */
static void put_field(struct out *o, const char *text)
{
    PUT(o, "\t");
    for (; *text && o->status == PRVCUT_OK; text++)
        PUT(o, "%c", *text == '\t' ? ' ' : *text);
}

static const char *type_text(const struct o2w_type *t, char room[32])
{
    if (t->name && t->name->text[0] != '\0')
        return t->name->text;
    snprintf(room, 32, "Type %" PRIu32, t->number);
    return room;
}

/* Labels have their strings first, so that their ids are those that the events already use. */
static void put_labels(struct out *o)
{
    OTF2_StringRef written = 1;

    for (size_t k = 0; k < o->w->names.types; k++) {
        const struct o2w_type *t = &o->w->names.type[k];

        if (t->labels == OTF2_UNDEFINED_STRING || t->labels < written)
            continue;
        for (size_t i = 0; i < t->name->values; i++)
            string_as(o, t->labels + (OTF2_StringRef)i, t->name->value[i].text);
        written = t->labels + (OTF2_StringRef)t->name->values;
    }
    o->next = o->w->names.strings;
}

static void put_values(struct out *o, const struct o2w_type *t)
{
    for (size_t i = 0; t->name && i < t->name->values; i++) {
        if (i % VALUES_MOST == 0)
            PUT(o, O2_OWN_VALUES "\t%" PRIu32 "\t%" PRIu32 "\t", t->number,
                t->labels + (OTF2_StringRef)i);
        PUT(o, "%s%" PRId64, i % VALUES_MOST == 0 ? "" : ",", t->name->value[i].value);
        if ((i + 1) % VALUES_MOST == 0 || i + 1 == t->name->values)
            flush_text(o);
    }
}

static void put_type(struct out *o, const struct o2w_type *t)
{
    const struct prvcut_type_name *name = t->name;

    PUT(o, O2_OWN_TYPE "\t%" PRIu32 "\t%s\t%s", t->number, prvcut_role_text(t->role),
        t->kind == O2W_REGION  ? "region"
        : t->kind == O2W_GAUGE ? "gauge"
                               : "point");
    for (unsigned i = 0; i < O2_NEEDS; i++) {
        if (t->id[i] == UINT32_MAX)
            PUT(o, "\t-");
        else
            PUT(o, "\t%" PRIu32, t->id[i]);
    }
    put_field(o, name && name->unit ? name->unit : "");
    put_field(o, name && name->group ? name->group : "");
    PUT(o, "\t%s", name ? name->text : "");
    flush_text(o);
    put_values(o, t);
}

static void put_states(struct out *o)
{
    const struct prvcut_dictionary *d = o->w->outline->dictionary;

    for (size_t i = 0; i < d->states; i++) {
        PUT(o, O2_OWN_STATE "\t%" PRIu32 "\t", d->state[i].number);
        if (d->state[i].colour >= 0)
            PUT(o, "%06" PRIx32, (uint32_t)d->state[i].colour & 0xffffff);
        PUT(o, "\t%s", d->state[i].text);
        flush_text(o);
    }
    PUT(o, O2_OWN_RUNNING "\t%" PRIu32, d->running);
    flush_text(o);
}

static void put_objects(struct out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;

    PUT(o, O2_OWN_APPLICATIONS "\t");
    for (uint32_t a = 0; a < x->applications; a++)
        PUT(o, "%s%" PRIu32, a == 0 ? "" : ",",
            x->application_first_task[a + 1] - x->application_first_task[a]);
    flush_text(o);
    if (x->nodes > 0) {
        PUT(o, O2_OWN_CPUS "\t");
        for (uint32_t n = 0; n < x->nodes; n++)
            PUT(o, "%s%" PRIu32, n == 0 ? "" : ",", x->node_cpus[n]);
        flush_text(o);
    }
    for (uint32_t i = 0; i < x->communicators; i++) {
        PUT(o, O2_OWN_COMMUNICATOR "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, i,
            x->communicator[i].application, x->communicator[i].id);
        flush_text(o);
    }
    PUT(o, O2_OWN_NAMES "%s%s%s", d->node ? "\tnodes" : "", d->task ? "\ttasks" : "",
        d->thread ? "\tthreads" : "");
    flush_text(o);
}

static OTF2_RegionRole call_role(const struct o2w_type *t, const struct prvcut_mpi_call *call)
{
    if (t->role == PRVCUT_ROLE_P2P)
        return OTF2_REGION_ROLE_POINT2POINT;
    if (t->number == PRVCUT_TYPE_MPI_IO || (call && call->type == PRVCUT_TYPE_MPI_IO))
        return OTF2_REGION_ROLE_FILE_IO;
    if (t->number == PRVCUT_TYPE_MPI_RMA || (call && call->type == PRVCUT_TYPE_MPI_RMA))
        return OTF2_REGION_ROLE_RMA;
    if (t->role != PRVCUT_ROLE_COLLECTIVE)
        return OTF2_REGION_ROLE_FUNCTION;
    if (call && call->operation == OTF2_COLLECTIVE_OP_BARRIER)
        return OTF2_REGION_ROLE_BARRIER;
    if (!call || call->operation < 0)
        return OTF2_REGION_ROLE_COLL_OTHER;
    switch (call->flow) {
    case PRVCUT_CLOCK_ALL:
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
    case PRVCUT_CLOCK_FROM_ROOT:
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
    case PRVCUT_CLOCK_TO_ROOT:
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
    case PRVCUT_CLOCK_NONE:
        break;
    }
    return OTF2_REGION_ROLE_COLL_OTHER;
}

/* Lower-case words of a type's label or group, and what a region of it is to other tools. */
static const struct {
    const char *word;
    OTF2_Paradigm paradigm;
} paradigms[] = {
    { "OpenMP", OTF2_PARADIGM_OPENMP },   { "OMP", OTF2_PARADIGM_OPENMP },
    { "pthread", OTF2_PARADIGM_PTHREAD }, { "CUDA", OTF2_PARADIGM_CUDA },
    { "OpenCL", OTF2_PARADIGM_OPENCL },   { "OpenACC", OTF2_PARADIGM_OPENACC },
    { "SHMEM", OTF2_PARADIGM_SHMEM },     { "GASPI", OTF2_PARADIGM_GASPI },
    { "OmpSs", OTF2_PARADIGM_OMPSS },
};

static bool holds_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (; *text; text++) {
        if (strncasecmp(text, word, length) == 0)
            return true;
    }
    return false;
}

static OTF2_Paradigm paradigm_of(const struct o2w_type *t)
{
    if (t->role == PRVCUT_ROLE_FLUSH)
        return OTF2_PARADIGM_MEASUREMENT_SYSTEM;
    if ((PRVCUT_ROLE_BIT(t->role) & PRVCUT_ROLES_MPI) != 0)
        return OTF2_PARADIGM_MPI;
    for (size_t i = 0; t->name && i < sizeof paradigms / sizeof *paradigms; i++) {
        if ((t->name->group && holds_word(t->name->group, paradigms[i].word)) ||
            holds_word(t->name->text, paradigms[i].word))
            return paradigms[i].paradigm;
    }
    return OTF2_PARADIGM_USER;
}

static OTF2_RegionRole role_of(const struct o2w_type *t, const struct o2w_region *r)
{
    if (r->mpi)
        return call_role(t, r->call);
    if (t->role == PRVCUT_ROLE_FLUSH)
        return OTF2_REGION_ROLE_ARTIFICIAL;
    if (t->name && holds_word(t->name->text, "barrier"))
        return OTF2_REGION_ROLE_BARRIER;
    return OTF2_REGION_ROLE_FUNCTION;
}

static void put_region(struct out *o, uint32_t id)
{
    const struct o2w_region *r = &o->w->names.region[id];
    const struct o2w_type *t = &o->w->names.type[r->type];
    const struct prvcut_value_name *v = t->name ? prvcut_type_value(t->name, r->value) : NULL;
    OTF2_StringRef name, description, file;
    char room[32];

    if (t->role == PRVCUT_ROLE_FLUSH)
        name = string(o, "TRACE BUFFER FLUSH");
    else if (v && v->text[0] != '\0' && !r->call)
        name = o2w_label_of(t, r->value);
    else if (r->call)
        name = string(o, r->call->name);
    else
        name = format(o, "%.200s %" PRId64, type_text(t, room), r->value);
    description = format(o, O2_OWN_REGION "%" PRIu32 ":%" PRId64, t->number, r->value);
    /* Score-P names this file for the calls of MPI, and Scalasca knows them by it. */
    if (v && v->detail && v->detail[0] != '\0')
        file = string(o, v->detail);
    else
        file = r->mpi ? o->mpi : o->empty;
    done(o,
         OTF2_GlobalDefWriter_WriteRegion(o->to, id, name, name, description, role_of(t, r),
                                          paradigm_of(t), OTF2_REGION_FLAG_NONE, file,
                                          v ? v->line : 0, 0),
         "a region");
}

static void put_class(struct out *o, OTF2_MetricRef id, uint8_t members, OTF2_MetricMemberRef first,
                      OTF2_MetricOccurrence occurrence)
{
    const OTF2_MetricMemberRef member[2] = { first, first + 1 };

    done(o,
         OTF2_GlobalDefWriter_WriteMetricClass(o->to, id, members, member, occurrence,
                                               OTF2_RECORDER_KIND_CPU),
         "a metric");
}

/* The states' metric; its description lists what the numbers mean. */
static void put_state_metric(struct out *o)
{
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    OTF2_StringRef name = string(o, "State");

    for (size_t i = 0; i < d->states; i++)
        PUT(o, "%s%" PRIu32 " %s", i == 0 ? "" : ", ", d->state[i].number, d->state[i].text);
    flush_text(o);
    done(o,
         OTF2_GlobalDefWriter_WriteMetricMember(o->to, 0, name, o->next - 1, OTF2_METRIC_TYPE_OTHER,
                                                OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_INT64,
                                                OTF2_BASE_DECIMAL, 0, o->empty),
         "the states");
    put_class(o, O2_STATES, 1, 0, OTF2_METRIC_ASYNCHRONOUS);
}

static void put_overlap_metric(struct out *o, OTF2_MetricRef id, OTF2_MetricMemberRef first)
{
    const OTF2_StringRef state = string(o, "Overlapping state");
    const OTF2_StringRef length = string(o, "Length of overlapping state");
    const OTF2_StringRef unit = string(o, "ns");

    done(o,
         OTF2_GlobalDefWriter_WriteMetricMember(o->to, first, state, o->empty,
                                                OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
                                                OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, o->empty),
         "the states");
    done(o,
         OTF2_GlobalDefWriter_WriteMetricMember(o->to, first + 1, length, o->empty,
                                                OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
                                                OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, unit),
         "the states");
    put_class(o, id, 2, first, OTF2_METRIC_ASYNCHRONOUS);
}

/* "PAPI_TOT_INS [Instr completed]": what stands before the blank is the counter's proper name. */
static void put_metric(struct out *o, const struct o2w_type *t, OTF2_MetricMemberRef member)
{
    const bool counter = t->kind == O2W_COUNTER;
    char room[32];
    const char *text = type_text(t, room);
    const bool papi = strncmp(text, "PAPI_", 5) == 0;
    const char *unit = t->name && t->name->unit ? t->name->unit : "";
    const OTF2_StringRef description = string(o, text);
    const OTF2_StringRef name =
        papi ? format(o, "%.*s", (int)strcspn(text, " "), text) : description;
    const OTF2_StringRef unit_name = string(o, unit[0] == '\0' && counter ? "#" : unit);

    done(o,
         OTF2_GlobalDefWriter_WriteMetricMember(
             o->to, member, name, description,
             papi ? OTF2_METRIC_TYPE_PAPI : OTF2_METRIC_TYPE_OTHER,
             counter ? OTF2_METRIC_ACCUMULATED_START : OTF2_METRIC_ABSOLUTE_POINT,
             counter ? OTF2_TYPE_UINT64 : OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, unit_name),
         "a counter");
    put_class(o, t->id[O2_METRIC], 1, member,
              counter ? OTF2_METRIC_SYNCHRONOUS : OTF2_METRIC_ASYNCHRONOUS);
}

static void put_metrics(struct out *o)
{
    const struct o2w_ids *ids = &o->w->names.metric;
    OTF2_MetricMemberRef member = 1;

    put_state_metric(o);
    for (size_t i = 0; i < ids->count; i++) {
        if (ids->at[i] == UINT32_MAX) {
            put_overlap_metric(o, o->w->names.overlap, member);
            member += 2;
        } else {
            put_metric(o, &o->w->names.type[ids->at[i] / O2_NEEDS], member++);
        }
    }
}

static void put_parameters(struct out *o)
{
    const struct o2w_ids *ids = &o->w->names.parameter;
    char room[32];

    for (uint32_t i = 0; i < ids->count; i++) {
        const struct o2w_type *t = &o->w->names.type[ids->at[i] / O2_NEEDS];

        done(o,
             OTF2_GlobalDefWriter_WriteParameter(o->to, i, string(o, type_text(t, room)),
                                                 ids->at[i] % O2_NEEDS == O2_NUMBER
                                                     ? OTF2_PARAMETER_TYPE_INT64
                                                     : OTF2_PARAMETER_TYPE_STRING),
             "a parameter");
    }
}

static void put_details(struct out *o)
{
    const struct o2w_ids *ids = &o->w->names.attribute;
    char room[32];

    for (uint32_t i = 0; i < ids->count; i++) {
        const struct o2w_type *t = &o->w->names.type[ids->at[i] / O2_NEEDS];

        done(o,
             OTF2_GlobalDefWriter_WriteAttribute(
                 o->to, O2_MARKS + i, string(o, type_text(t, room)), o->empty,
                 ids->at[i] % O2_NEEDS == O2_DETAIL_NUMBER ? OTF2_TYPE_INT64 : OTF2_TYPE_STRING),
             "an attribute");
    }
}

static void put_marks(struct out *o)
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
        const OTF2_StringRef name = string(o, mark[i].name), text = string(o, mark[i].text);

        done(o, OTF2_GlobalDefWriter_WriteAttribute(o->to, i, name, text, mark[i].type),
             "an attribute");
    }
}

static void put_tree(struct out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    const OTF2_StringRef machine = string(o, "machine");
    const OTF2_StringRef node = string(o, "node");

    done(o,
         OTF2_GlobalDefWriter_WriteSystemTreeNode(o->to, 0, machine, machine,
                                                  OTF2_UNDEFINED_SYSTEM_TREE_NODE),
         "the machine");
    done(o,
         OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(o->to, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE),
         "the machine");
    for (uint32_t n = 0; n < x->nodes; n++) {
        const OTF2_StringRef name =
            d->node && d->node[n] ? string(o, d->node[n]) : format(o, "node %" PRIu32, n + 1);

        done(o, OTF2_GlobalDefWriter_WriteSystemTreeNode(o->to, n + 1, name, node, 0), "a node");
        done(o,
             OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(o->to, n + 1,
                                                            OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY),
             "a node");
    }
}

static OTF2_StringRef task_name(struct out *o, uint32_t task)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    const uint32_t a = o->w->comms.application[task];
    const uint32_t rank = task - x->application_first_task[a];

    if (d->task && d->task[task])
        return string(o, d->task[task]);
    return x->applications == 1
               ? format(o, "MPI Rank %" PRIu32, rank)
               : format(o, "Application %" PRIu32 " MPI Rank %" PRIu32, a + 1, rank);
}

static void put_locations(struct out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    char plain[PRVCUT_PLAIN_NAME];

    for (uint32_t t = 0; t < x->tasks; t++) {
        const bool placed = x->nodes > 0 && x->task_node && x->task_node[t] < x->nodes;

        done(o,
             OTF2_GlobalDefWriter_WriteLocationGroup(
                 o->to, t, task_name(o, t), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                 placed ? x->task_node[t] + 1 : 0, OTF2_UNDEFINED_LOCATION_GROUP),
             "a process");
        for (uint32_t i = x->task_first_thread[t]; i < x->task_first_thread[t + 1]; i++) {
            const bool named = d->thread && d->thread[i] && d->thread[i][0] != '\0';
            OTF2_StringRef name;

            prvcut_objects_plain_name(x, i, plain);
            name = string(o, named ? d->thread[i] : plain);
            done(o,
                 OTF2_GlobalDefWriter_WriteLocation(o->to, i, name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                    o->w->events[i], t),
                 "a thread");
        }
    }
}

static void put_comm(struct out *o, uint32_t id, OTF2_StringRef name, uint32_t count,
                     const uint64_t *member)
{
    done(o,
         OTF2_GlobalDefWriter_WriteGroup(o->to, GROUP_FIRST + id, o->empty,
                                         OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, count, member),
         "a communicator");
    done(o,
         OTF2_GlobalDefWriter_WriteComm(o->to, id, name, GROUP_FIRST + id, OTF2_UNDEFINED_COMM,
                                        OTF2_COMM_FLAG_NONE),
         "a communicator");
}

/* Communicators that the trace does not list, though there are messages. */
static void put_made_up(struct out *o, uint64_t *member)
{
    const struct prvcut_objects *x = o->w->outline->objects;

    for (uint32_t a = 0; a < x->applications && o->w->comms.made_world; a++) {
        const uint32_t first = x->application_first_task[a];
        const uint32_t count = x->application_first_task[a + 1] - first;

        if (o->w->comms.world[a] != UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < count; i++)
            member[i] = first + i;
        put_comm(o, x->communicators + a, string(o, "MPI_COMM_WORLD"), count, member);
    }
    if (!o->w->comms.made_all)
        return;
    for (uint32_t i = 0; i < x->tasks; i++)
        member[i] = i;
    put_comm(o, x->communicators + x->applications, string(o, "All applications"), x->tasks,
             member);
}

static void put_comms(struct out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const OTF2_StringRef world = string(o, "MPI_COMM_WORLD");
    const OTF2_StringRef self = string(o, "MPI_COMM_SELF");
    uint64_t *member = calloc((size_t)x->tasks + 1, sizeof *member);

    if (!member) {
        o->status = prvcut_no_memory(o->err, "communicators");
        return;
    }
    for (uint32_t t = 0; t < x->tasks; t++)
        member[t] = x->task_first_thread[t];
    done(o,
         OTF2_GlobalDefWriter_WriteGroup(o->to, GROUP_LOCATIONS, o->empty,
                                         OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, x->tasks, member),
         "the processes");
    for (uint32_t i = 0; i < x->communicators && o->status == PRVCUT_OK; i++) {
        const struct prvcut_communicator *c = &x->communicator[i];
        OTF2_StringRef name = self;

        for (uint32_t k = 0; k < c->count; k++)
            member[k] = x->member[c->first + k];
        if (o->w->comms.world[c->application] == i)
            name = world;
        else if (c->count != 1)
            name = format(o, "Communicator %" PRIu32, c->id);
        put_comm(o, i, name, c->count, member);
    }
    put_made_up(o, member);
    free(member);
}

static void put_paradigms(struct out *o)
{
    o->mpi = string(o, "MPI");
    done(o,
         OTF2_GlobalDefWriter_WriteParadigm(o->to, OTF2_PARADIGM_MPI, o->mpi,
                                            OTF2_PARADIGM_CLASS_PROCESS),
         "a paradigm");
}

static void put_all(struct out *o)
{
    const struct prvcut_outline *outline = o->w->outline;

    done(o,
         OTF2_GlobalDefWriter_WriteClockProperties(
             o->to, UINT64_C(1000000000), 0, outline->end_ns,
             outline->wall_clock == INT64_MIN || outline->wall_clock < 0
                 ? OTF2_UNDEFINED_TIMESTAMP
                 : (uint64_t)outline->wall_clock * UINT64_C(1000000000)),
         "the clock");
    string_as(o, o->empty, "");
    put_labels(o);
    put_objects(o);
    put_states(o);
    for (size_t k = 0; k < o->w->names.types; k++)
        put_type(o, &o->w->names.type[k]);
    if (o->w->names.overlap != UINT32_MAX) {
        PUT(o, O2_OWN_OVERLAP "\t%" PRIu32, o->w->names.overlap);
        flush_text(o);
    }
    put_paradigms(o);
    put_marks(o);
    put_details(o);
    put_tree(o);
    put_locations(o);
    for (uint32_t i = 0; i < o->w->names.regions; i++)
        put_region(o, i);
    put_comms(o);
    put_metrics(o);
    put_parameters(o);
}

enum prvcut_status o2w_definitions(struct o2w *w, struct prvcut_error *err)
{
    struct out o = { .w = w, .err = err, .to = OTF2_Archive_GetGlobalDefWriter(w->archive) };

    if (!o.to)
        return prvcut_fail(err, PRVCUT_EIO, "%s: the definitions cannot be written", w->path);
    put_all(&o);
    prvcut_buffer_fini(&o.text);
    done(&o, OTF2_Archive_CloseGlobalDefWriter(w->archive, o.to), "the definitions");
    return o.status;
}
