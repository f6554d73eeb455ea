#ifndef PRVCUT_OTF2_CUT_NAMES_H
#define PRVCUT_OTF2_CUT_NAMES_H

#include "otf2/cut.h"

/** A definition refers to another one. */
struct o2_link {
    uint64_t from, to;
};

/** All of them, while they are read. */
struct o2_names {
    struct o2_cutter *cutter;
    OTF2_GlobalDefWriter *writer; /* NULL while links are gathered */
    struct o2_link *link;
    size_t links, room;
    struct o2_map teams, others; /* groups of threads of a team, and all other groups */
    uint32_t next[O2_NODES];     /* definitions of each kind whose ids are 0, 1, 2, ... */
    uint32_t free[O2_NODES];     /* behind those that were written */
    bool unordered[O2_NODES];
    bool nomem;
    OTF2_ErrorCode written;
};

/** Definitions that used ones refer to are used; false: out of memory. */
bool o2_names_settle(struct o2_names *n);

#endif
