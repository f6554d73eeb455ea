#ifndef PRVCUT_OTF2_OWN_H
#define PRVCUT_OTF2_OWN_H

#include "otf2/ids.h"
#include "otf2/otf2.h"

/*
 * What an archive that was converted by this program tells beyond what OTF2 itself has a place for:
 * strings of the definitions that nothing refers to, each a word with this prefix and fields behind
 * it that are separated by tabs. README.md lists them; write_definitions.c writes them.
 */
#define O2_OWN_PREFIX       "PRVCUT::"
#define O2_OWN_TYPE         "PRVCUT::TYPE"
#define O2_OWN_VALUES       "PRVCUT::VALUES"
#define O2_OWN_STATE        "PRVCUT::STATE"
#define O2_OWN_RUNNING      "PRVCUT::RUNNING"
#define O2_OWN_OVERLAP      "PRVCUT::OVERLAP"
#define O2_OWN_APPLICATIONS "PRVCUT::APPLICATIONS"
#define O2_OWN_CPUS         "PRVCUT::CPUS"
#define O2_OWN_COMMUNICATOR "PRVCUT::COMMUNICATOR"
#define O2_OWN_NAMES        "PRVCUT::NAMES"

/** Property of the archive: the version of the mapping. */
#define O2_OWN_PROPERTY "PRVCUT::MAPPING"
#define O2_OWN_VERSION  "1"

/** Property of the archive: MPI calls of the original nest (prvcut_trace_calls_nest). */
#define O2_OWN_CALLS "PRVCUT::CALLS"
#define O2_OWN_NEST  "nest"

/** What a region's description begins with; "TYPE:VALUE" follows. */
#define O2_OWN_REGION "Paraver "

/** Kinds of definitions that types have, by need; ids are given in the order of need. */
enum o2_need {
    O2_METRIC,        /**< a class with one member */
    O2_NUMBER,        /**< parameter with a number */
    O2_TEXT,          /**< parameter with a text */
    O2_DETAIL_NUMBER, /**< attribute with a number */
    O2_DETAIL_TEXT,   /**< attribute with a text */
    O2_NEEDS
};

/** The metric class that tells the states; states that overlap have one of their own. */
#define O2_STATES 0u

/** Attributes that say how a record differs from what its place in the archive tells. */
enum o2_mark_attribute {
    O2_IMPLICIT = 0, /**< only there because regions must nest */
    O2_OWN_LINE = 1, /**< begins a line of its own, at the time of the line before */
    O2_TRANSFER = 2, /**< ns from a send to its physical send */
    O2_POSTED = 3,   /**< ns from the post of a receive to its completion */
    O2_PARTNER = 4,  /**< 0-based thread of the other process, where it is not the first one */
    O2_TAG = 5,      /**< where it does not fit the record */
    O2_IN_ORDER = 6, /**< ends of one line, from here on, have the order that they are written in */
    O2_MARKS
};

/** A region's original; value is never 0. */
struct o2_own_region {
    OTF2_RegionRef id;
    uint32_t type; /**< index */
    int64_t value;
};

/** Labels of a type: strings base .. base + count stand for value[0 .. count). */
struct o2_own_labels {
    OTF2_StringRef base;
    uint32_t type; /**< index */
    uint32_t count;
    size_t first; /**< in o2_own.value */
};

/** A communicator's original. */
struct o2_own_comm {
    OTF2_CommRef id;
    uint32_t application, number;
};

/** What the strings tell. */
struct o2_own {
    struct prvcut_dictionary dictionary;
    struct o2_ids metric, parameter, attribute; /**< id -> type index * O2_NEEDS + need */
    struct o2_ids by_number;                    /**< type number -> type index */
    uint32_t overlap;                           /**< metric; UINT32_MAX: none */
    uint32_t tracing;                           /**< type index of MeasurementOnOff; UINT32_MAX */
    struct o2_own_region *region;               /**< [regions] ascending id */
    size_t regions, region_room;
    struct o2_own_labels *labels; /**< [label_sets] by (type, base) */
    size_t label_sets, label_room;
    size_t *labels_of; /**< [types + 1] where the sets of each type begin */
    int64_t *value;    /**< [values] */
    size_t values, value_room;
    struct o2_own_comm *comm; /**< [comms] ascending id */
    size_t comms, comm_room;
    uint32_t *application; /**< [applications] tasks of each */
    size_t applications, application_room;
    uint32_t *cpus; /**< [nodes] */
    size_t nodes, node_room;
    const char **node; /**< [node_names] by id - 1; NULL: not defined */
    size_t node_names, node_name_room;
    uint32_t *task_node; /**< [groups] node of each location group; UINT32_MAX: none */
    size_t groups, group_room;
    bool named_nodes, named_tasks, named_threads;
};

/** Is the archive one of ours? Reads what it tells into t->own and corrects t's tables by it. */
enum prvcut_status o2_own_read(struct o2_trace *t, struct prvcut_error *err);
void o2_own_free(struct o2_own *own);

/** As o2_scan and o2_describe, for archives with t->own. only: no record outside is
    wanted; its end UINT64_MAX: all are. */
enum prvcut_status o2_own_scan(struct o2_trace *t, const struct prvcut_run *run,
                               const struct prvcut_consumer *consumer, struct prvcut_span only,
                               struct prvcut_counts *counts, struct prvcut_error *err);
enum prvcut_status o2_own_describe(const struct o2_trace *t, struct prvcut_dictionary *out,
                                   struct prvcut_error *err);

/** NULL where undefined. */
const struct o2_own_region *o2_own_region_of(const struct o2_own *own, OTF2_RegionRef id);

/** The value that a string stands for, of a type; false: none. */
bool o2_own_value_of(const struct o2_own *own, uint32_t type, OTF2_StringRef text, int64_t *value);

#endif
