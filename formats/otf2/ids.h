#ifndef PRVCUT_OTF2_IDS_H
#define PRVCUT_OTF2_IDS_H

#include "base/table.h"

struct o2_id {
    uint64_t id;
    uint32_t place;
};

/** From an archive's ids, which may be sparse, to places in a table; zeroed is empty. */
struct o2_ids {
    struct prvcut_table put; /**< of struct o2_id */
};

/** What an id that was not put stands for. */
#define O2_NOWHERE UINT32_MAX

/** Put an id, over an earlier one; place < O2_NOWHERE. */
enum prvcut_status o2_ids_put(struct o2_ids *ids, uint64_t id, size_t place,
                              struct prvcut_error *err);

static inline uint32_t o2_ids_get(const struct o2_ids *ids, uint64_t id)
{
    const struct o2_id *at = prvcut_table_look(&ids->put, &id, sizeof id, sizeof *at);

    return at ? at->place : O2_NOWHERE;
}

void o2_ids_fini(struct o2_ids *ids);

#endif
