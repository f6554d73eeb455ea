#include "base/memory.h"
#include "model/roles.h"
#include "otf2/write_out.h"

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

/* A field that is not the last one of its string. */
static void write_def_put_field(struct o2w_out *o, const char *text)
{
    PUT(o, "\t");
    for (; *text && o->status == PRVCUT_OK; text++)
        PUT(o, "%c", *text == '\t' ? ' ' : *text);
}

/* Labels have their strings first, so that their ids are those that the events already use. */
static void write_def_put_labels(struct o2w_out *o)
{
    OTF2_StringRef written = 1;

    for (size_t k = 0; k < o->w->names.types; k++) {
        const struct o2w_type *t = &o->w->names.type[k];

        if (t->labels == OTF2_UNDEFINED_STRING || t->labels < written)
            continue;
        for (size_t i = 0; i < t->name->values; i++)
            o2w_out_string_as(o, t->labels + (OTF2_StringRef)i, t->name->value[i].text);
        written = t->labels + (OTF2_StringRef)t->name->values;
    }
    o->next = o->w->names.strings;
}

static void write_def_put_values(struct o2w_out *o, const struct o2w_type *t)
{
    for (size_t i = 0; t->name && i < t->name->values; i++) {
        if (i % VALUES_MOST == 0)
            PUT(o, O2_OWN_VALUES "\t%" PRIu32 "\t%" PRIu32 "\t", t->number,
                t->labels + (OTF2_StringRef)i);
        PUT(o, "%s%" PRId64, i % VALUES_MOST == 0 ? "" : ",", t->name->value[i].value);
        if ((i + 1) % VALUES_MOST == 0 || i + 1 == t->name->values)
            o2w_out_flush(o);
    }
}

static void write_def_put_type(struct o2w_out *o, const struct o2w_type *t)
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
    write_def_put_field(o, name && name->unit ? name->unit : "");
    write_def_put_field(o, name && name->group ? name->group : "");
    PUT(o, "\t%s", name ? name->text : "");
    o2w_out_flush(o);
    write_def_put_values(o, t);
}

static void write_def_put_states(struct o2w_out *o)
{
    const struct prvcut_dictionary *d = o->w->outline->dictionary;

    for (size_t i = 0; i < d->states; i++) {
        PUT(o, O2_OWN_STATE "\t%" PRIu32 "\t", d->state[i].number);
        if (d->state[i].colour >= 0)
            PUT(o, "%06" PRIx32, (uint32_t)d->state[i].colour & 0xffffff);
        PUT(o, "\t%s", d->state[i].text);
        o2w_out_flush(o);
    }
    PUT(o, O2_OWN_RUNNING "\t%" PRIu32, d->running);
    o2w_out_flush(o);
}

static void write_def_put_objects(struct o2w_out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;

    PUT(o, O2_OWN_APPLICATIONS "\t");
    for (uint32_t a = 0; a < x->applications; a++)
        PUT(o, "%s%" PRIu32, a == 0 ? "" : ",",
            x->application_first_task[a + 1] - x->application_first_task[a]);
    o2w_out_flush(o);
    if (x->nodes > 0) {
        PUT(o, O2_OWN_CPUS "\t");
        for (uint32_t n = 0; n < x->nodes; n++)
            PUT(o, "%s%" PRIu32, n == 0 ? "" : ",", x->node_cpus[n]);
        o2w_out_flush(o);
    }
    for (uint32_t i = 0; i < x->communicators; i++) {
        PUT(o, O2_OWN_COMMUNICATOR "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, i,
            x->communicator[i].application, x->communicator[i].id);
        o2w_out_flush(o);
    }
    PUT(o, O2_OWN_NAMES "%s%s%s", d->node ? "\tnodes" : "", d->task ? "\ttasks" : "",
        d->thread ? "\tthreads" : "");
    o2w_out_flush(o);
}

static OTF2_RegionRole write_def_call_role(const struct o2w_type *t,
                                           const struct prvcut_mpi_call *call)
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

static bool write_def_holds_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (; *text; text++) {
        if (strncasecmp(text, word, length) == 0)
            return true;
    }
    return false;
}

static OTF2_Paradigm write_def_paradigm_of(const struct o2w_type *t)
{
    if (t->role == PRVCUT_ROLE_FLUSH)
        return OTF2_PARADIGM_MEASUREMENT_SYSTEM;
    if ((PRVCUT_ROLE_BIT(t->role) & PRVCUT_ROLES_MPI) != 0)
        return OTF2_PARADIGM_MPI;
    for (size_t i = 0; t->name && i < sizeof paradigms / sizeof *paradigms; i++) {
        if ((t->name->group && write_def_holds_word(t->name->group, paradigms[i].word)) ||
            write_def_holds_word(t->name->text, paradigms[i].word))
            return paradigms[i].paradigm;
    }
    return OTF2_PARADIGM_USER;
}

static OTF2_RegionRole write_def_role_of(const struct o2w_type *t, const struct o2w_region *r)
{
    if (r->mpi)
        return write_def_call_role(t, r->call);
    if (t->role == PRVCUT_ROLE_FLUSH)
        return OTF2_REGION_ROLE_ARTIFICIAL;
    if (t->name && write_def_holds_word(t->name->text, "barrier"))
        return OTF2_REGION_ROLE_BARRIER;
    return OTF2_REGION_ROLE_FUNCTION;
}

/* Without the mark that others have in their descriptions, so that no type comes back. */
static void write_def_put_around(struct o2w_out *o, uint32_t id)
{
    const OTF2_StringRef name = o2w_out_string(o, o->w->name);

    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteRegion(o->to, id, name, name, o->empty,
                                                  OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                                  OTF2_REGION_FLAG_NONE, o->empty, 0, 0),
                 "a region");
}

static void write_def_put_region(struct o2w_out *o, uint32_t id)
{
    const struct o2w_region *r = &o->w->names.region[id];
    const struct o2w_type *t = &o->w->names.type[r->type];
    const struct prvcut_value_name *v = t->name ? prvcut_type_value(t->name, r->value) : NULL;
    OTF2_StringRef name, description, file;
    char room[32];

    if (t->role == PRVCUT_ROLE_FLUSH)
        name = o2w_out_string(o, "TRACE BUFFER FLUSH");
    else if (v && v->text[0] != '\0' && !r->call)
        name = o2w_label_of(t, r->value);
    else if (r->call)
        name = o2w_out_string(o, r->call->name);
    else
        name = o2w_out_format(o, "%.200s %" PRId64, o2w_type_text(t, room), r->value);
    description = o2w_out_format(o, O2_OWN_REGION "%" PRIu32 ":%" PRId64, t->number, r->value);
    /* Score-P names this file for the calls of MPI, and Scalasca knows them by nothing else. */
    if (r->mpi)
        file = o->mpi;
    else if (v && v->detail && v->detail[0] != '\0')
        file = o2w_out_string(o, v->detail);
    else
        file = o->empty;
    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteRegion(o->to, id, name, name, description,
                                                  write_def_role_of(t, r), write_def_paradigm_of(t),
                                                  OTF2_REGION_FLAG_NONE, file, v ? v->line : 0, 0),
                 "a region");
}

static void write_def_put_tree(struct o2w_out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    const OTF2_StringRef machine = o2w_out_string(o, "machine");
    const OTF2_StringRef node = o2w_out_string(o, "node");

    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteSystemTreeNode(o->to, 0, machine, machine,
                                                          OTF2_UNDEFINED_SYSTEM_TREE_NODE),
                 "the machine");
    o2w_out_done(
        o,
        OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(o->to, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE),
        "the machine");
    for (uint32_t n = 0; n < x->nodes; n++) {
        const OTF2_StringRef name = d->node && d->node[n]
                                        ? o2w_out_string(o, d->node[n])
                                        : o2w_out_format(o, "node %" PRIu32, n + 1);

        o2w_out_done(o, OTF2_GlobalDefWriter_WriteSystemTreeNode(o->to, n + 1, name, node, 0),
                     "a node");
        o2w_out_done(o,
                     OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
                         o->to, n + 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY),
                     "a node");
    }
}

static OTF2_StringRef write_def_task_name(struct o2w_out *o, uint32_t task)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    const uint32_t a = o->w->comms.application[task];
    const uint32_t rank = task - x->application_first_task[a];

    if (d->task && d->task[task])
        return o2w_out_string(o, d->task[task]);
    return x->applications == 1
               ? o2w_out_format(o, "MPI Rank %" PRIu32, rank)
               : o2w_out_format(o, "Application %" PRIu32 " MPI Rank %" PRIu32, a + 1, rank);
}

static void write_def_put_locations(struct o2w_out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const struct prvcut_dictionary *d = o->w->outline->dictionary;
    char plain[PRVCUT_PLAIN_NAME];

    for (uint32_t t = 0; t < x->tasks; t++) {
        const bool placed = x->nodes > 0 && x->task_node && x->task_node[t] < x->nodes;

        o2w_out_done(o,
                     OTF2_GlobalDefWriter_WriteLocationGroup(
                         o->to, t, write_def_task_name(o, t), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                         placed ? x->task_node[t] + 1 : 0, OTF2_UNDEFINED_LOCATION_GROUP),
                     "a process");
        for (uint32_t i = x->task_first_thread[t]; i < x->task_first_thread[t + 1]; i++) {
            const bool named = d->thread && d->thread[i] && d->thread[i][0] != '\0';
            OTF2_StringRef name;

            prvcut_objects_plain_name(x, i, plain);
            name = o2w_out_string(o, named ? d->thread[i] : plain);
            o2w_out_done(o,
                         OTF2_GlobalDefWriter_WriteLocation(
                             o->to, i, name, OTF2_LOCATION_TYPE_CPU_THREAD, o->w->events[i], t),
                         "a thread");
        }
    }
}

/* One without members is what Score-P has for MPI_COMM_SELF: each process by itself. */
static void write_def_put_comm(struct o2w_out *o, uint32_t id, OTF2_StringRef name, uint32_t count,
                               const uint64_t *member)
{
    const OTF2_GroupType type = count > 0 ? OTF2_GROUP_TYPE_COMM_GROUP : OTF2_GROUP_TYPE_COMM_SELF;

    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteGroup(o->to, GROUP_FIRST + id, o->empty, type,
                                                 OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count,
                                                 member),
                 "a communicator");
    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteComm(o->to, id, name, GROUP_FIRST + id,
                                                OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
                 "a communicator");
}

/* Communicators that the trace does not list, though there are messages. */
static void write_def_put_made_up(struct o2w_out *o, uint64_t *member)
{
    const struct prvcut_objects *x = o->w->outline->objects;

    for (uint32_t a = 0; a < x->applications && o->w->comms.made_world; a++) {
        const uint32_t first = x->application_first_task[a];
        const uint32_t count = x->application_first_task[a + 1] - first;

        if (o->w->comms.world[a] != UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < count; i++)
            member[i] = first + i;
        write_def_put_comm(o, x->communicators + a, o2w_out_string(o, "MPI_COMM_WORLD"), count,
                           member);
    }
    if (!o->w->comms.made_all)
        return;
    for (uint32_t i = 0; i < x->tasks; i++)
        member[i] = i;
    write_def_put_comm(o, x->communicators + x->applications, o2w_out_string(o, "All applications"),
                       x->tasks, member);
}

static void write_def_o2_put_comms(struct o2w_out *o)
{
    const struct prvcut_objects *x = o->w->outline->objects;
    const OTF2_StringRef world = o2w_out_string(o, "MPI_COMM_WORLD");
    const OTF2_StringRef self = o2w_out_string(o, "MPI_COMM_SELF");
    uint64_t *member = prvcut_zeroed((size_t)x->tasks + 1, sizeof *member, "communicators", o->err);

    if (!member) {
        o->status = PRVCUT_ENOMEM;
        return;
    }
    for (uint32_t t = 0; t < x->tasks; t++)
        member[t] = x->task_first_thread[t];
    o2w_out_done(o,
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
        else if (c->count > 1)
            name = o2w_out_format(o, "Communicator %" PRIu32, c->id);
        write_def_put_comm(o, i, name, c->count, member);
    }
    write_def_put_made_up(o, member);
    free(member);
}

static void write_def_put_paradigms(struct o2w_out *o)
{
    o->mpi = o2w_out_string(o, "MPI");
    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteParadigm(o->to, OTF2_PARADIGM_MPI, o->mpi,
                                                    OTF2_PARADIGM_CLASS_PROCESS),
                 "a paradigm");
}

static void write_def_put_all(struct o2w_out *o)
{
    const struct prvcut_outline *outline = o->w->outline;

    o2w_out_done(o,
                 OTF2_GlobalDefWriter_WriteClockProperties(
                     o->to, UINT64_C(1000000000), 0, outline->end_ns,
                     outline->wall_clock == INT64_MIN || outline->wall_clock < 0
                         ? OTF2_UNDEFINED_TIMESTAMP
                         : (uint64_t)outline->wall_clock * UINT64_C(1000000000)),
                 "the clock");
    o2w_out_string_as(o, o->empty, "");
    write_def_put_labels(o);
    write_def_put_objects(o);
    write_def_put_states(o);
    for (size_t k = 0; k < o->w->names.types; k++)
        write_def_put_type(o, &o->w->names.type[k]);
    if (o->w->names.overlap != UINT32_MAX) {
        PUT(o, O2_OWN_OVERLAP "\t%" PRIu32, o->w->names.overlap);
        o2w_out_flush(o);
    }
    write_def_put_paradigms(o);
    o2w_out_marks(o);
    o2w_out_details(o);
    write_def_put_tree(o);
    write_def_put_locations(o);
    for (uint32_t i = 0; i < o->w->names.regions; i++)
        if (o->w->names.region[i].around)
            write_def_put_around(o, i);
        else
            write_def_put_region(o, i);
    write_def_o2_put_comms(o);
    o2w_out_metrics(o);
    o2w_out_parameters(o);
}

enum prvcut_status o2w_definitions(struct o2w *w, struct prvcut_error *err)
{
    struct o2w_out o = { .w = w, .err = err, .to = OTF2_Archive_GetGlobalDefWriter(w->archive) };

    if (!o.to)
        return prvcut_fail(err, PRVCUT_EIO, "%s: the definitions cannot be written", w->path);
    write_def_put_all(&o);
    prvcut_buffer_fini(&o.text);
    o2w_out_done(&o, OTF2_Archive_CloseGlobalDefWriter(w->archive, o.to), "the definitions");
    return o.status;
}
