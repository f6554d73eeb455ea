/* Old archives have call sites and call paths. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "base/buffer.h"
#include "base/memory.h"
#include "otf2/cut_names.h"
#include "otf2/mark.h"
#include "otf2/sieve.h"

#include <stdlib.h>
#include <string.h>

/*
 * Definitions are read twice: which refers to which, then once more to write those that are used,
 * in their order, as they are. An id may be defined again for another thing (EZTrace); then all its
 * definitions are used or none.
 */

/* Strings of conversions of ours speak of definitions by number (own.h): they go together. */
static bool cut_def_keeps_all(const struct o2_names *n)
{
    return n->cutter->options->all_definitions || n->cutter->trace->own;
}

static void cut_def_refer(struct o2_names *n, uint64_t from, uint64_t to)
{
    if (to == O2_ROOT || cut_def_keeps_all(n) || n->nomem)
        return;
    if (prvcut_grow((void **)&n->link, &n->room, n->links + 1, sizeof *n->link, NULL) < 0) {
        n->nomem = true;
        return;
    }
    n->link[n->links++] = (struct o2_link){ .from = from, .to = to };
}

/* How far are the ids of a kind 0, 1, 2, ... in the order of the definitions? */
static void cut_def_number(struct o2_names *n, uint64_t key)
{
    const uint64_t kind = key >> 32;

    n->unordered[kind] = n->unordered[kind] || (uint32_t)key != n->next[kind];
    n->next[kind] += !n->unordered[kind];
}

/* Numbers behind those of the archive are free. */
static void cut_def_pass_by(struct o2_names *n, uint64_t key)
{
    const uint64_t kind = key >> 32;

    if ((uint32_t)key >= n->free[kind] && (uint32_t)key < UINT32_MAX)
        n->free[kind] = (uint32_t)key + 1;
}

static bool cut_def_used(const struct o2_names *n, uint64_t key)
{
    return cut_def_keeps_all(n) || key == O2_ROOT || o2_map_get(&n->cutter->used, key) > 0;
}

static OTF2_CallbackCode cut_def_answer(const struct o2_names *n)
{
    return n->nomem || n->written != OTF2_SUCCESS ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* --- What is always used ------------------------------------------------------------------ */

/*
 * A team of threads: EZTrace defines one for each parallel region that ever ran, which can be more
 * than all else together. Only they are left out when no event names them; communicators of
 * processes say who the processes are.
 */
static bool cut_def_is_team(OTF2_GroupType type, OTF2_Paradigm paradigm)
{
    switch (paradigm) {
    case OTF2_PARADIGM_OPENMP:
    case OTF2_PARADIGM_PTHREAD:
    case OTF2_PARADIGM_QTTHREAD:
    case OTF2_PARADIGM_MTAPI:
    case OTF2_PARADIGM_TBBTHREAD:
    case OTF2_PARADIGM_WINTHREAD:
    case OTF2_PARADIGM_ACETHREAD:
    case OTF2_PARADIGM_OMPSS:
        return type == OTF2_GROUP_TYPE_COMM_GROUP || type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    default:
        return false;
    }
}

static bool cut_def_is_filtered(OTF2_GroupType type)
{
    return type == OTF2_GROUP_TYPE_REGIONS || type == OTF2_GROUP_TYPE_METRIC;
}

/* Members of a group are places in the list of locations of its paradigm. */
static void cut_def_know_group(struct o2_names *n, OTF2_GroupRef self, OTF2_GroupType type,
                               OTF2_Paradigm paradigm)
{
    const bool team = cut_def_is_team(type, paradigm);

    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        cut_def_refer(n, o2_node_key(O2_PARADIGM, paradigm), o2_node_key(O2_GROUP, self));
    else if (type == OTF2_GROUP_TYPE_COMM_GROUP)
        cut_def_refer(n, o2_node_key(O2_GROUP, self), o2_node_key(O2_PARADIGM, paradigm));
    n->nomem = !o2_map_put(team ? &n->teams : &n->others, self, 1) || n->nomem;
    if (!team)
        cut_def_refer(n, O2_ROOT, o2_node_key(O2_GROUP, self));
}

static void cut_def_know_comm(struct o2_names *n, OTF2_CommRef self, OTF2_GroupRef group)
{
    if (!o2_map_get(&n->teams, group) || o2_map_get(&n->others, group))
        cut_def_refer(n, O2_ROOT, o2_node_key(O2_COMM, self));
}

static void cut_def_refer_value(struct o2_names *n, uint64_t from, OTF2_Type type,
                                OTF2_AttributeValue value)
{
    cut_def_refer(n, from, o2_value_node(type, value));
}

/* --- One callback a kind of definition ---------------------------------------------------- */

#define AS_IS(...)   __VA_ARGS__
#define TO(kind, id) cut_def_refer(n, self, o2_node_key(kind, id))
#define OF(kind, id) o2_node_key(kind, id)

/* SELF: the definition's key; LINKS: what it refers to. */
#define ATTACHED(kind, PARAMETERS, ARGUMENTS, SELF, LINKS)                                         \
    static OTF2_CallbackCode cut_def_on_##kind(void *user AS_IS PARAMETERS)                        \
    {                                                                                              \
        struct o2_names *n = user;                                                                 \
        const uint64_t self = SELF;                                                                \
                                                                                                   \
        if (!n->writer) {                                                                          \
            LINKS;                                                                                 \
        } else if (cut_def_used(n, self)) {                                                        \
            cut_def_pass_by(n, self);                                                              \
            n->written = OTF2_GlobalDefWriter_Write##kind(n->writer AS_IS ARGUMENTS);              \
        }                                                                                          \
        return cut_def_answer(n);                                                                  \
    }

/* One that has an id of its own. */
#define DEFINITION(kind, PARAMETERS, ARGUMENTS, SELF, LINKS)                                       \
    ATTACHED(kind, PARAMETERS, ARGUMENTS, SELF, cut_def_number(n, self); LINKS)

#define NOTHING ((void)0)

DEFINITION(Paradigm,
           (, OTF2_Paradigm paradigm, OTF2_StringRef name, OTF2_ParadigmClass paradigm_class),
           (, paradigm, name, paradigm_class), O2_ROOT, TO(O2_STRING, name))
DEFINITION(ParadigmProperty,
           (, OTF2_Paradigm paradigm, OTF2_ParadigmProperty property, OTF2_Type type,
            OTF2_AttributeValue value),
           (, paradigm, property, type, value), O2_ROOT, cut_def_refer_value(n, self, type, value))
DEFINITION(IoParadigm,
           (, OTF2_IoParadigmRef ref, OTF2_StringRef identification, OTF2_StringRef name,
            OTF2_IoParadigmClass io_class, OTF2_IoParadigmFlag flags, uint8_t count,
            const OTF2_IoParadigmProperty *properties, const OTF2_Type *types,
            const OTF2_AttributeValue *values),
           (, ref, identification, name, io_class, flags, count, properties, types, values),
           O2_ROOT, TO(O2_STRING, identification);
           TO(O2_STRING, name);
           for (uint8_t i = 0; i < count; i++) cut_def_refer_value(n, self, types[i], values[i]))
DEFINITION(String, (, OTF2_StringRef ref, const char *text), (, ref, text), OF(O2_STRING, ref),
           NOTHING)
DEFINITION(Attribute,
           (, OTF2_AttributeRef ref, OTF2_StringRef name, OTF2_StringRef description,
            OTF2_Type type),
           (, ref, name, description, type), OF(O2_ATTRIBUTE, ref), TO(O2_STRING, name);
           TO(O2_STRING, description))
DEFINITION(SystemTreeNode,
           (, OTF2_SystemTreeNodeRef ref, OTF2_StringRef name, OTF2_StringRef kind,
            OTF2_SystemTreeNodeRef parent),
           (, ref, name, kind, parent), O2_ROOT, TO(O2_STRING, name);
           TO(O2_STRING, kind))
DEFINITION(SystemTreeNodeProperty,
           (, OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type,
            OTF2_AttributeValue value),
           (, node, name, type, value), O2_ROOT, TO(O2_STRING, name);
           cut_def_refer_value(n, self, type, value))
DEFINITION(SystemTreeNodeDomain, (, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain),
           (, node, domain), O2_ROOT, NOTHING)
DEFINITION(LocationGroup,
           (, OTF2_LocationGroupRef ref, OTF2_StringRef name, OTF2_LocationGroupType type,
            OTF2_SystemTreeNodeRef parent, OTF2_LocationGroupRef creator),
           (, ref, name, type, parent, creator), O2_ROOT, TO(O2_STRING, name))
DEFINITION(LocationGroupProperty,
           (, OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type,
            OTF2_AttributeValue value),
           (, group, name, type, value), O2_ROOT, TO(O2_STRING, name);
           cut_def_refer_value(n, self, type, value))
DEFINITION(LocationProperty,
           (, OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type,
            OTF2_AttributeValue value),
           (, location, name, type, value), O2_ROOT, TO(O2_STRING, name);
           cut_def_refer_value(n, self, type, value))
DEFINITION(Region,
           (, OTF2_RegionRef ref, OTF2_StringRef name, OTF2_StringRef canonical,
            OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
            OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end),
           (, ref, name, canonical, description, role, paradigm, flags, file, begin, end),
           OF(O2_REGION, ref), TO(O2_STRING, name);
           TO(O2_STRING, canonical); TO(O2_STRING, description); TO(O2_STRING, file))
DEFINITION(Callsite,
           (, OTF2_CallsiteRef ref, OTF2_StringRef file, uint32_t line, OTF2_RegionRef entered,
            OTF2_RegionRef left),
           (, ref, file, line, entered, left), O2_ROOT, TO(O2_STRING, file);
           TO(O2_REGION, entered); TO(O2_REGION, left))
DEFINITION(Callpath, (, OTF2_CallpathRef ref, OTF2_CallpathRef parent, OTF2_RegionRef region),
           (, ref, parent, region), O2_ROOT, TO(O2_REGION, region))
DEFINITION(CallpathParameter,
           (, OTF2_CallpathRef path, OTF2_ParameterRef parameter, OTF2_Type type,
            OTF2_AttributeValue value),
           (, path, parameter, type, value), O2_ROOT, TO(O2_PARAMETER, parameter);
           cut_def_refer_value(n, self, type, value))
DEFINITION(MetricMember,
           (, OTF2_MetricMemberRef ref, OTF2_StringRef name, OTF2_StringRef description,
            OTF2_MetricType type, OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base,
            int64_t exponent, OTF2_StringRef unit),
           (, ref, name, description, type, mode, value_type, base, exponent, unit),
           OF(O2_MEMBER, ref), TO(O2_STRING, name);
           TO(O2_STRING, description); TO(O2_STRING, unit))
DEFINITION(MetricInstance,
           (, OTF2_MetricRef ref, OTF2_MetricRef metric_class, OTF2_LocationRef recorder,
            OTF2_MetricScope scope, uint64_t of),
           (, ref, metric_class, recorder, scope, of), OF(O2_METRIC, ref),
           TO(O2_METRIC, metric_class);
           if (scope == OTF2_SCOPE_GROUP) TO(O2_GROUP, (OTF2_GroupRef)of))
ATTACHED(MetricClassRecorder, (, OTF2_MetricRef metric, OTF2_LocationRef recorder),
         (, metric, recorder), OF(O2_METRIC, metric), NOTHING)
DEFINITION(Comm,
           (, OTF2_CommRef ref, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
            OTF2_CommFlag flags),
           (, ref, name, group, parent, flags), OF(O2_COMM, ref), cut_def_know_comm(n, ref, group);
           TO(O2_STRING, name); TO(O2_GROUP, group); TO(O2_COMM, parent))
DEFINITION(InterComm,
           (, OTF2_CommRef ref, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b,
            OTF2_CommRef common, OTF2_CommFlag flags),
           (, ref, name, a, b, common, flags), OF(O2_COMM, ref), cut_def_know_comm(n, ref, a);
           TO(O2_STRING, name); TO(O2_GROUP, a); TO(O2_GROUP, b); TO(O2_COMM, common))
DEFINITION(Parameter, (, OTF2_ParameterRef ref, OTF2_StringRef name, OTF2_ParameterType type),
           (, ref, name, type), OF(O2_PARAMETER, ref), TO(O2_STRING, name))
DEFINITION(RmaWin,
           (, OTF2_RmaWinRef ref, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags),
           (, ref, name, comm, flags), OF(O2_WINDOW, ref), TO(O2_STRING, name);
           TO(O2_COMM, comm))
DEFINITION(CartDimension,
           (, OTF2_CartDimensionRef ref, OTF2_StringRef name, uint32_t size,
            OTF2_CartPeriodicity periodicity),
           (, ref, name, size, periodicity), O2_ROOT, TO(O2_STRING, name))
DEFINITION(CartTopology,
           (, OTF2_CartTopologyRef ref, OTF2_StringRef name, OTF2_CommRef comm, uint8_t count,
            const OTF2_CartDimensionRef *dimensions),
           (, ref, name, comm, count, dimensions), O2_ROOT, TO(O2_STRING, name);
           TO(O2_COMM, comm))
DEFINITION(CartCoordinate,
           (, OTF2_CartTopologyRef topology, uint32_t rank, uint8_t count,
            const uint32_t *coordinates),
           (, topology, rank, count, coordinates), O2_ROOT, NOTHING)
DEFINITION(SourceCodeLocation,
           (, OTF2_SourceCodeLocationRef ref, OTF2_StringRef file, uint32_t line),
           (, ref, file, line), OF(O2_SOURCE, ref), TO(O2_STRING, file))
DEFINITION(CallingContext,
           (, OTF2_CallingContextRef ref, OTF2_RegionRef region, OTF2_SourceCodeLocationRef source,
            OTF2_CallingContextRef parent),
           (, ref, region, source, parent), OF(O2_CONTEXT, ref), TO(O2_REGION, region);
           TO(O2_SOURCE, source); TO(O2_CONTEXT, parent))
ATTACHED(CallingContextProperty,
         (, OTF2_CallingContextRef context, OTF2_StringRef name, OTF2_Type type,
          OTF2_AttributeValue value),
         (, context, name, type, value), OF(O2_CONTEXT, context), TO(O2_STRING, name);
         cut_def_refer_value(n, self, type, value))
DEFINITION(InterruptGenerator,
           (, OTF2_InterruptGeneratorRef ref, OTF2_StringRef name, OTF2_InterruptGeneratorMode mode,
            OTF2_Base base, int64_t exponent, uint64_t period),
           (, ref, name, mode, base, exponent, period), OF(O2_GENERATOR, ref), TO(O2_STRING, name))
ATTACHED(IoFileProperty,
         (, OTF2_IoFileRef file, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value),
         (, file, name, type, value), OF(O2_FILE, file), TO(O2_STRING, name);
         cut_def_refer_value(n, self, type, value))
DEFINITION(IoRegularFile, (, OTF2_IoFileRef ref, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope),
           (, ref, name, scope), OF(O2_FILE, ref), TO(O2_STRING, name))
DEFINITION(IoDirectory, (, OTF2_IoFileRef ref, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope),
           (, ref, name, scope), OF(O2_FILE, ref), TO(O2_STRING, name))
DEFINITION(IoHandle,
           (, OTF2_IoHandleRef ref, OTF2_StringRef name, OTF2_IoFileRef file,
            OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags, OTF2_CommRef comm,
            OTF2_IoHandleRef parent),
           (, ref, name, file, paradigm, flags, comm, parent), OF(O2_HANDLE, ref),
           TO(O2_STRING, name);
           TO(O2_FILE, file); TO(O2_COMM, comm); TO(O2_HANDLE, parent))
ATTACHED(IoPreCreatedHandleState,
         (, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoStatusFlag status),
         (, handle, mode, status), OF(O2_HANDLE, handle), NOTHING)

/* --- Those that are not as they were ------------------------------------------------------ */

/* Members that are left out elsewhere are left out here. */
static OTF2_ErrorCode cut_def_write_group(struct o2_names *n, OTF2_GroupRef self,
                                          OTF2_StringRef name, OTF2_GroupType type,
                                          OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                          uint32_t count, const uint64_t *members)
{
    const enum o2_node node = type == OTF2_GROUP_TYPE_REGIONS ? O2_REGION : O2_METRIC;
    uint64_t *kept;
    uint32_t k = 0;
    OTF2_ErrorCode code;

    if (!cut_def_is_filtered(type))
        return OTF2_GlobalDefWriter_WriteGroup(n->writer, self, name, type, paradigm, flags, count,
                                               members);
    kept = prvcut_unset((size_t)count + 1, sizeof *kept, "members", NULL);
    if (!kept) {
        n->nomem = true;
        return OTF2_SUCCESS;
    }
    for (uint32_t i = 0; i < count; i++)
        if (cut_def_used(n, o2_node_key(node, (uint32_t)members[i])))
            kept[k++] = members[i];
    code = OTF2_GlobalDefWriter_WriteGroup(n->writer, self, name, type, paradigm, flags, k, kept);
    free(kept);
    return code;
}

static OTF2_CallbackCode cut_def_on_Group(void *user, OTF2_GroupRef ref, OTF2_StringRef name,
                                          OTF2_GroupType type, OTF2_Paradigm paradigm,
                                          OTF2_GroupFlag flags, uint32_t count,
                                          const uint64_t *members)
{
    struct o2_names *n = user;
    const uint64_t self = o2_node_key(O2_GROUP, ref);

    if (!n->writer) {
        cut_def_number(n, self);
        cut_def_know_group(n, ref, type, paradigm);
        TO(O2_STRING, name);
    } else if (cut_def_used(n, self)) {
        n->written = cut_def_write_group(n, ref, name, type, paradigm, flags, count, members);
    }
    return cut_def_answer(n);
}

/* A class whose records a filter makes shorter; one that nothing is left of stays as it is. */
static uint8_t cut_def_kept_members(const struct o2_names *n, OTF2_MetricRef ref, uint8_t count,
                                    const OTF2_MetricMemberRef *members, OTF2_MetricMemberRef *kept)
{
    const struct o2_sieve *sieve = n->cutter->sieve;
    uint8_t k = 0;

    for (uint8_t i = 0; i < count; i++)
        if (!sieve || o2_sieve_member(sieve, ref, i))
            kept[k++] = members[i];
    if (k == 0)
        memcpy(kept, members, count * sizeof *kept);
    return k == 0 ? count : k;
}

static OTF2_CallbackCode cut_def_on_MetricClass(void *user, OTF2_MetricRef ref, uint8_t count,
                                                const OTF2_MetricMemberRef *members,
                                                OTF2_MetricOccurrence occurrence,
                                                OTF2_RecorderKind recorder)
{
    struct o2_names *n = user;
    const uint64_t self = o2_node_key(O2_METRIC, ref);
    OTF2_MetricMemberRef kept[UINT8_MAX];

    if (!n->writer) {
        cut_def_number(n, self);
        for (uint8_t i = 0; i < count; i++)
            TO(O2_MEMBER, members[i]);
    } else if (cut_def_used(n, self)) {
        count = cut_def_kept_members(n, ref, count, members, kept);
        n->written = OTF2_GlobalDefWriter_WriteMetricClass(n->writer, ref, count, kept, occurrence,
                                                           recorder);
    }
    return cut_def_answer(n);
}

static OTF2_CallbackCode cut_def_on_Location(void *user, OTF2_LocationRef ref, OTF2_StringRef name,
                                             OTF2_LocationType type, uint64_t events,
                                             OTF2_LocationGroupRef group)
{
    struct o2_names *n = user;
    const struct o2_cutter *c = n->cutter;
    const uint64_t self = O2_ROOT;
    uint32_t thread;

    if (!n->writer) {
        TO(O2_STRING, name);
        return cut_def_answer(n);
    }
    thread = o2_thread_of(&c->trace->defs, ref);
    /* A whole archive keeps what it says of itself, though EZTrace says 2 of everything. */
    if ((!c->whole || c->sieve || c->marker) && thread < c->locations)
        events = c->place[thread].events;
    n->written = OTF2_GlobalDefWriter_WriteLocation(n->writer, ref, name, type, events, group);
    return cut_def_answer(n);
}

static OTF2_CallbackCode cut_def_on_ClockProperties(void *user, uint64_t resolution,
                                                    uint64_t offset, uint64_t length,
                                                    uint64_t realtime)
{
    struct o2_names *n = user;
    const struct o2_cutter *c = n->cutter;

    if (!n->writer)
        return cut_def_answer(n);
    if (!c->whole) {
        if (realtime != OTF2_UNDEFINED_TIMESTAMP && resolution > 0 && c->offset > offset)
            realtime += (uint64_t)((long double)(c->offset - offset) * 1e9L / resolution);
        length = c->length;
        offset = c->offset;
    }
    n->written =
        OTF2_GlobalDefWriter_WriteClockProperties(n->writer, resolution, offset, length, realtime);
    return cut_def_answer(n);
}

static OTF2_CallbackCode cut_def_on_unknown(void *user)
{
    struct o2_names *n = user;

    n->cutter->unknown += n->writer != NULL;
    return OTF2_CALLBACK_SUCCESS;
}

#define DEFINITIONS(X)                                                                             \
    X(ClockProperties)                                                                             \
    X(Paradigm)                                                                                    \
    X(ParadigmProperty)                                                                            \
    X(IoParadigm)                                                                                  \
    X(String)                                                                                      \
    X(Attribute)                                                                                   \
    X(SystemTreeNode)                                                                              \
    X(SystemTreeNodeProperty)                                                                      \
    X(SystemTreeNodeDomain)                                                                        \
    X(LocationGroup)                                                                               \
    X(LocationGroupProperty)                                                                       \
    X(Location)                                                                                    \
    X(LocationProperty)                                                                            \
    X(Region)                                                                                      \
    X(Callsite)                                                                                    \
    X(Callpath)                                                                                    \
    X(CallpathParameter)                                                                           \
    X(Group)                                                                                       \
    X(MetricMember)                                                                                \
    X(MetricClass)                                                                                 \
    X(MetricInstance)                                                                              \
    X(MetricClassRecorder)                                                                         \
    X(Comm)                                                                                        \
    X(InterComm)                                                                                   \
    X(Parameter)                                                                                   \
    X(RmaWin)                                                                                      \
    X(CartDimension)                                                                               \
    X(CartTopology)                                                                                \
    X(CartCoordinate)                                                                              \
    X(SourceCodeLocation)                                                                          \
    X(CallingContext)                                                                              \
    X(CallingContextProperty)                                                                      \
    X(InterruptGenerator)                                                                          \
    X(IoFileProperty)                                                                              \
    X(IoRegularFile)                                                                               \
    X(IoDirectory)                                                                                 \
    X(IoHandle)                                                                                    \
    X(IoPreCreatedHandleState)

#define SET(kind) OTF2_GlobalDefReaderCallbacks_Set##kind##Callback(to, cut_def_on_##kind);

/* --- Reading ------------------------------------------------------------------------------ */

static OTF2_ErrorCode cut_def_read_with(struct o2_names *n, OTF2_Reader *r, OTF2_GlobalDefReader *g)
{
    OTF2_GlobalDefReaderCallbacks *to = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_ErrorCode code;
    uint64_t count;

    if (!to) {
        n->nomem = true;
        return OTF2_SUCCESS;
    }
    DEFINITIONS(SET)
    OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(to, cut_def_on_unknown);
    code = OTF2_Reader_RegisterGlobalDefCallbacks(r, g, to, n);
    OTF2_GlobalDefReaderCallbacks_Delete(to);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(r, g, &count);
    return code;
}

static enum prvcut_status cut_def_read_names(struct o2_names *n, struct prvcut_error *err)
{
    const struct o2_cutter *c = n->cutter;
    OTF2_Reader *r = NULL;
    OTF2_GlobalDefReader *g;
    enum prvcut_status st = o2_reader_open(&r, c->trace, err);
    OTF2_ErrorCode code = OTF2_ERROR_INVALID;

    if (st < 0)
        return st;
    g = OTF2_Reader_GetGlobalDefReader(r);
    if (g) {
        code = cut_def_read_with(n, r, g);
        OTF2_Reader_CloseGlobalDefReader(r, g);
    }
    if (n->nomem)
        st = prvcut_no_memory(err, "definitions");
    else if (n->written != OTF2_SUCCESS)
        st = o2_write_fail(c, n->written, err);
    else if (code != OTF2_SUCCESS && code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        st = o2_fail_file(c->trace->base.path, code, err);
    o2_reader_close(r);
    return st;
}

enum prvcut_status o2_cut_definitions(struct o2_cutter *c, struct prvcut_error *err)
{
    struct o2_names n = { .cutter = c };
    enum prvcut_status st = PRVCUT_OK;

    if (!c->options->all_definitions) {
        st = cut_def_read_names(&n, err);
        if (st == PRVCUT_OK && !o2_names_settle(&n))
            st = prvcut_no_memory(err, "definitions");
    }
    free(n.link);
    o2_map_fini(&n.teams);
    o2_map_fini(&n.others);
    if (st < 0)
        return st;
    n = (struct o2_names){ .cutter = c, .writer = OTF2_Archive_GetGlobalDefWriter(c->archive) };
    if (!n.writer)
        return o2_write_fail(c, OTF2_ERROR_INVALID, err);
    st = cut_def_read_names(&n, err);
    o2_library_clear();
    if (st == PRVCUT_OK && c->marker &&
        o2_marker_define(c->marker, c->trace, n.writer, n.free[O2_STRING], n.free[O2_MEMBER]) !=
            OTF2_SUCCESS)
        st = o2_write_fail(c, OTF2_ERROR_INVALID, err);
    const OTF2_ErrorCode code = o2_written(OTF2_Archive_CloseGlobalDefWriter(c->archive, n.writer));

    return st == PRVCUT_OK && code != OTF2_SUCCESS ? o2_write_fail(c, code, err) : st;
}
