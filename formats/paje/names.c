#include "paje/names.h"

enum prvcut_status paje_names_number(struct prvcut_table *names, enum paje_name_kind kind,
                                     uint32_t type, int64_t value, uint32_t *number, bool *fresh,
                                     struct prvcut_error *err)
{
    const struct paje_name key = { .value = value, .type = type, .kind = kind };
    const size_t before = names->count;
    const struct paje_name *at = prvcut_table_make(names, &key, err);

    if (!at)
        return PRVCUT_ENOMEM;
    *number = (uint32_t)(at - (const struct paje_name *)names->at);
    *fresh = names->count > before;
    return PRVCUT_OK;
}
