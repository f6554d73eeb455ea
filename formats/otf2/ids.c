#include "otf2/ids.h"

enum prvcut_status o2_ids_put(struct o2_ids *ids, uint64_t id, size_t place,
                              struct prvcut_error *err)
{
    static const struct prvcut_table none = PRVCUT_TABLE(struct o2_id, place, "definitions");
    struct o2_id *at;

    if (place >= O2_NOWHERE)
        return prvcut_fail(err, PRVCUT_ELIMIT, "more than %u definitions of one kind",
                           O2_NOWHERE - 1);
    if (ids->put.key == 0)
        ids->put = none;
    at = prvcut_table_make(&ids->put, &id, err);
    if (!at)
        return PRVCUT_ENOMEM;
    at->place = (uint32_t)place;
    return PRVCUT_OK;
}

void o2_ids_fini(struct o2_ids *ids)
{
    prvcut_table_fini(&ids->put);
}
