#ifndef PAJE_NAMES_H
#define PAJE_NAMES_H

#include "base/error.h"

/** What has been given a name in the file so far. */
enum paje_name_kind { PAJE_NAME_CALL, PAJE_NAME_STATE, PAJE_NAME_EVENT, PAJE_NAME_VARIABLE };

/** A hash table of (kind, type, value); zeroed is empty. */
struct paje_names {
    struct paje_name *slot; /**< owned */
    size_t slots;           /**< a power of two */
    uint32_t count;
};

/**
 * The number of a name: 0, 1, ... by first appearance.
 *
 * shape   *fresh: it is new and has to be defined before it is used
 * errors  PRVCUT_ENOMEM; PRVCUT_ELIMIT beyond 2^31 names
 */
enum prvcut_status paje_names_number(struct paje_names *n, enum paje_name_kind kind, uint32_t type,
                                     int64_t value, uint32_t *number, bool *fresh);

void paje_names_fini(struct paje_names *n);

#endif
