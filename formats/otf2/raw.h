#ifndef PRVCUT_OTF2_RAW_H
#define PRVCUT_OTF2_RAW_H

#include "otf2/ids.h"
#include "otf2/otf2.h"

/*
 * Global definitions as they were read: they may refer to what comes later, so nothing is resolved
 * before all have been seen. Only groups are bound to communicators at once, because ids of groups
 * are used again for other ones.
 */

struct o2_raw_location {
    OTF2_LocationRef id;
    OTF2_StringRef name;
    OTF2_LocationType type;
    uint64_t events;
    OTF2_LocationGroupRef group;
};

struct o2_raw_process {
    OTF2_LocationGroupRef id;
    OTF2_StringRef name;
    OTF2_SystemTreeNodeRef node;
    OTF2_LocationGroupRef creator;
    bool accelerator;
};

struct o2_raw_node {
    OTF2_SystemTreeNodeRef id, parent;
    OTF2_StringRef name, kind;
};

struct o2_raw_region {
    OTF2_RegionRef id;
    OTF2_StringRef name, file;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
    uint32_t line;
};

struct o2_raw_group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    OTF2_GroupFlag flags;
    size_t first; /* in member */
    uint32_t count;
};

struct o2_raw_comm {
    OTF2_CommRef id;
    OTF2_StringRef name;
    OTF2_GroupRef group, other;
    uint32_t at, other_at; /* in group; O2_NOWHERE: not defined yet */
    bool inter;
};

struct o2_raw_member {
    OTF2_MetricMemberRef id;
    OTF2_StringRef name, unit;
    OTF2_MetricMode mode;
    OTF2_Type type;
    OTF2_Base base;
    int64_t exponent;
};

struct o2_raw_metric {
    OTF2_MetricRef id;
    OTF2_MetricRef instance_of; /* OTF2_UNDEFINED_METRIC: a class */
    size_t first;               /* in metric_member */
    uint32_t count;
};

struct o2_raw_parameter {
    OTF2_ParameterRef id;
    OTF2_StringRef name;
    OTF2_ParameterType kind;
};

/** A table that grows; the element type goes with the name. */
struct o2_table {
    void *at;
    size_t count, room;
};

struct o2_raw {
    struct o2_table location, process, node, region, group, comm, member, metric, parameter,
        context;
    struct o2_table string;                      /* const char *, in order of definition */
    struct o2_table group_member, metric_member; /* uint64_t; OTF2_MetricMemberRef */
    struct o2_ids string_at, group_at, process_at, node_at;
    struct o2_definitions *defs;
    uint64_t records;
    enum prvcut_status status; /* what a callback failed with */
    struct prvcut_error *err;
};

/** Read everything; text in err where it fails. */
enum prvcut_status o2_raw_read(struct o2_raw *raw, const struct o2_trace *t, OTF2_Reader *r,
                               struct prvcut_error *err);

/** Text of a string's id; "" where undefined. */
const char *o2_raw_text(const struct o2_raw *raw, OTF2_StringRef id);

/** Resolve all into raw->defs and t->base.objects. */
enum prvcut_status o2_raw_resolve(const struct o2_raw *raw, struct o2_trace *t,
                                  struct prvcut_error *err);

/** The parts of it. */
enum prvcut_status o2_raw_resolve_regions(const struct o2_raw *raw, struct prvcut_error *err);
enum prvcut_status o2_raw_resolve_metrics(const struct o2_raw *raw, struct prvcut_error *err);

void o2_raw_fini(struct o2_raw *raw);

#endif
