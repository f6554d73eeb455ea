#ifndef PAJE_NAMES_H
#define PAJE_NAMES_H

#include "base/table.h"

/** What has been given a name in the file so far. */
enum paje_name_kind { PAJE_NAME_CALL, PAJE_NAME_STATE, PAJE_NAME_EVENT, PAJE_NAME_VARIABLE };

struct paje_name {
    int64_t value;
    uint32_t type, kind;
};

/** No names yet. */
#define PAJE_NAMES PRVCUT_TABLE_SET(struct paje_name, "names")

/**
 * The number of a name: 0, 1, ... by first appearance.
 *
 * shape   *fresh: it is new and has to be defined before it is used
 */
enum prvcut_status paje_names_number(struct prvcut_table *names, enum paje_name_kind kind,
                                     uint32_t type, int64_t value, uint32_t *number, bool *fresh,
                                     struct prvcut_error *err);

#endif
