#include "otf2/raw.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One more element of a table, zeroed; NULL with raw->status set. */
static void *raw_more(struct o2_raw *raw, struct o2_table *t, size_t size)
{
    if (t->count == t->room && prvcut_grow(&t->at, &t->room, t->count + 1, size, raw->err) < 0) {
        raw->status = PRVCUT_ENOMEM;
        return NULL;
    }
    return memset((char *)t->at + t->count++ * size, 0, size);
}

static OTF2_CallbackCode raw_done(const struct o2_raw *raw)
{
    return raw->status < 0 ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static void raw_note(struct o2_raw *raw, struct o2_ids *ids, uint64_t id, size_t place)
{
    if (raw->status == PRVCUT_OK)
        raw->status = o2_ids_put(ids, id, place, raw->err);
}

static OTF2_CallbackCode raw_on_clock(void *user, uint64_t resolution, uint64_t offset,
                                      uint64_t length, uint64_t realtime)
{
    struct o2_raw *raw = user;

    raw->defs->clocked = true;
    raw->defs->resolution = resolution;
    raw->defs->offset = offset;
    raw->defs->length = length;
    raw->defs->realtime = realtime;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode raw_on_string(void *user, OTF2_StringRef self, const char *text)
{
    struct o2_raw *raw = user;
    struct prvcut_dictionary arena = { .arena = raw->defs->arena };
    const char **at = raw_more(raw, &raw->string, sizeof *at);

    if (at) {
        *at = prvcut_dictionary_text(&arena, text ? text : "", raw->err);
        raw->defs->arena = arena.arena;
        if (!*at)
            raw->status = PRVCUT_ENOMEM;
        raw_note(raw, &raw->string_at, self, raw->string.count - 1);
    }
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_node(void *user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                     OTF2_StringRef kind, OTF2_SystemTreeNodeRef parent)
{
    struct o2_raw *raw = user;
    struct o2_raw_node *n = raw_more(raw, &raw->node, sizeof *n);

    if (n) {
        *n = (struct o2_raw_node){ .id = self, .parent = parent, .name = name, .kind = kind };
        raw_note(raw, &raw->node_at, self, raw->node.count - 1);
    }
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_process(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                        OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                        OTF2_LocationGroupRef creator)
{
    struct o2_raw *raw = user;
    struct o2_raw_process *p;

    /* The first definition of an id holds: locations of a second one are the same process. */
    if (o2_ids_get(&raw->process_at, self) != O2_NOWHERE)
        return OTF2_CALLBACK_SUCCESS;
    p = raw_more(raw, &raw->process, sizeof *p);
    if (p) {
        *p = (struct o2_raw_process){ .id = self,
                                      .name = name,
                                      .node = parent,
                                      .creator = creator,
                                      .accelerator = type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR };
        raw_note(raw, &raw->process_at, self, raw->process.count - 1);
    }
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                         OTF2_LocationType type, uint64_t events,
                                         OTF2_LocationGroupRef group)
{
    struct o2_raw *raw = user;
    struct o2_raw_location *l = raw_more(raw, &raw->location, sizeof *l);

    if (l)
        *l = (struct o2_raw_location){ self, name, type, events, group };
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                       OTF2_StringRef canonical, OTF2_StringRef description,
                                       OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                       OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                       uint32_t end)
{
    struct o2_raw *raw = user;
    struct o2_raw_region *r = raw_more(raw, &raw->region, sizeof *r);

    (void)canonical;
    (void)description;
    (void)flags;
    (void)end;
    if (r)
        *r = (struct o2_raw_region){ self, name, file, role, paradigm, begin };
    return raw_done(raw);
}

/* Only groups of locations and of ranks are looked into; others only take their id. */
static OTF2_CallbackCode raw_on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                      OTF2_GroupType type, OTF2_Paradigm paradigm,
                                      OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
    struct o2_raw *raw = user;
    struct o2_raw_group *g = raw_more(raw, &raw->group, sizeof *g);
    struct o2_table *t = &raw->group_member;

    (void)name;
    if (!g)
        return raw_done(raw);
    *g = (struct o2_raw_group){ type, paradigm, flags, t->count, 0 };
    raw_note(raw, &raw->group_at, self, raw->group.count - 1);
    if (paradigm != OTF2_PARADIGM_MPI || count == 0 ||
        (type != OTF2_GROUP_TYPE_COMM_LOCATIONS && type != OTF2_GROUP_TYPE_COMM_GROUP))
        return raw_done(raw);
    if (t->room - t->count < count &&
        prvcut_grow(&t->at, &t->room, t->count + count, sizeof *members, raw->err) < 0) {
        raw->status = PRVCUT_ENOMEM;
        return raw_done(raw);
    }
    memcpy((uint64_t *)t->at + t->count, members, count * sizeof *members);
    t->count += count;
    g->count = count;
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                     OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct o2_raw *raw = user;
    struct o2_raw_comm *c = raw_more(raw, &raw->comm, sizeof *c);

    (void)parent;
    (void)flags;
    if (c)
        *c = (struct o2_raw_comm){ .id = self,
                                   .name = name,
                                   .group = group,
                                   .other = OTF2_UNDEFINED_GROUP,
                                   .at = o2_ids_get(&raw->group_at, group),
                                   .other_at = O2_NOWHERE };
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_intercomm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                          OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
                                          OTF2_CommFlag flags)
{
    struct o2_raw *raw = user;
    struct o2_raw_comm *c = raw_more(raw, &raw->comm, sizeof *c);

    (void)common;
    (void)flags;
    if (c)
        *c = (struct o2_raw_comm){ .id = self,
                                   .name = name,
                                   .group = a,
                                   .other = b,
                                   .at = o2_ids_get(&raw->group_at, a),
                                   .other_at = o2_ids_get(&raw->group_at, b),
                                   .inter = true };
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_member(void *user, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                       OTF2_StringRef description, OTF2_MetricType type,
                                       OTF2_MetricMode mode, OTF2_Type value, OTF2_Base base,
                                       int64_t exponent, OTF2_StringRef unit)
{
    struct o2_raw *raw = user;
    struct o2_raw_member *m = raw_more(raw, &raw->member, sizeof *m);

    (void)description;
    (void)type;
    if (m)
        *m = (struct o2_raw_member){ self, name, unit, mode, value, base, exponent };
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_class(void *user, OTF2_MetricRef self, uint8_t count,
                                      const OTF2_MetricMemberRef *members,
                                      OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
    struct o2_raw *raw = user;
    struct o2_raw_metric *m = raw_more(raw, &raw->metric, sizeof *m);

    (void)occurrence;
    (void)kind;
    if (!m)
        return raw_done(raw);
    *m = (struct o2_raw_metric){ self, OTF2_UNDEFINED_METRIC, raw->metric_member.count, count };
    for (uint8_t i = 0; i < count && raw->status == PRVCUT_OK; i++) {
        OTF2_MetricMemberRef *ref = raw_more(raw, &raw->metric_member, sizeof *ref);

        if (ref)
            *ref = members[i];
    }
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_instance(void *user, OTF2_MetricRef self, OTF2_MetricRef of,
                                         OTF2_LocationRef recorder, OTF2_MetricScope scope,
                                         uint64_t where)
{
    struct o2_raw *raw = user;
    struct o2_raw_metric *m = raw_more(raw, &raw->metric, sizeof *m);

    (void)recorder;
    (void)scope;
    (void)where;
    if (m)
        *m = (struct o2_raw_metric){ .id = self, .instance_of = of };
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                          OTF2_ParameterType type)
{
    struct o2_raw *raw = user;
    struct o2_raw_parameter *p = raw_more(raw, &raw->parameter, sizeof *p);

    if (p)
        *p = (struct o2_raw_parameter){ self, name, type };
    return raw_done(raw);
}

static OTF2_CallbackCode raw_on_context(void *user, OTF2_CallingContextRef self,
                                        OTF2_RegionRef region, OTF2_SourceCodeLocationRef where,
                                        OTF2_CallingContextRef parent)
{
    struct o2_raw *raw = user;
    struct o2_context *c = raw_more(raw, &raw->context, sizeof *c);

    (void)where;
    (void)parent;
    if (c)
        *c = (struct o2_context){ self, region };
    return raw_done(raw);
}

static OTF2_GlobalDefReaderCallbacks *raw_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *c = OTF2_GlobalDefReaderCallbacks_New();

    if (!c)
        return NULL;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, raw_on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, raw_on_string);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, raw_on_node);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, raw_on_process);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, raw_on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, raw_on_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, raw_on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, raw_on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, raw_on_intercomm);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, raw_on_member);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, raw_on_class);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(c, raw_on_instance);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(c, raw_on_parameter);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(c, raw_on_context);
    return c;
}

static enum prvcut_status raw_failed(const struct o2_trace *t, OTF2_ErrorCode code,
                                     struct prvcut_error *err)
{
    char path[512];

    snprintf(path, sizeof path, "%.500s.def", t->stem);
    return o2_fail_file(path, code, err);
}

enum prvcut_status o2_raw_read(struct o2_raw *raw, const struct o2_trace *t, OTF2_Reader *r,
                               struct prvcut_error *err)
{
    OTF2_GlobalDefReaderCallbacks *c = raw_callbacks();
    OTF2_GlobalDefReader *reader;
    OTF2_ErrorCode code;

    raw->err = err;
    if (!c)
        return prvcut_no_memory(err, "a trace");
    o2_library_clear();
    reader = OTF2_Reader_GetGlobalDefReader(r);
    if (!reader) {
        OTF2_GlobalDefReaderCallbacks_Delete(c);
        return raw_failed(t, OTF2_ERROR_INVALID, err);
    }
    code = OTF2_Reader_RegisterGlobalDefCallbacks(r, reader, c, raw);
    OTF2_GlobalDefReaderCallbacks_Delete(c);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(r, reader, &raw->records);
    if (raw->status < 0)
        return raw->status;
    if (code != OTF2_SUCCESS)
        return raw_failed(t, code, err);
    OTF2_Reader_CloseGlobalDefReader(r, reader);
    return PRVCUT_OK;
}

const char *o2_raw_text(const struct o2_raw *raw, OTF2_StringRef id)
{
    const uint32_t at = o2_ids_get(&raw->string_at, id);

    return at == O2_NOWHERE ? "" : ((const char **)raw->string.at)[at];
}

void o2_raw_fini(struct o2_raw *raw)
{
    struct o2_table *tables[] = { &raw->location, &raw->process,      &raw->node,
                                  &raw->region,   &raw->group,        &raw->comm,
                                  &raw->member,   &raw->metric,       &raw->parameter,
                                  &raw->context,  &raw->group_member, &raw->metric_member,
                                  &raw->string };

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        free(tables[i]->at);
    o2_ids_fini(&raw->string_at);
    o2_ids_fini(&raw->group_at);
    o2_ids_fini(&raw->process_at);
    o2_ids_fini(&raw->node_at);
}
