#include "prvcut/parameters.h"

#include "base/memory.h"
#include "structure/parameters.h"

#include <stdlib.h>

const struct prvcut_parameter *prvcut_parameter_at(size_t i)
{
    return i < PRVCUT_SETS ? &prvcut_parameter_table[i] : NULL;
}

enum prvcut_status prvcut_parameters_make(struct prvcut_parameters **out, const char *set,
                                          struct prvcut_error *err)
{
    struct prvcut_parameters *made = prvcut_zeroed(1, sizeof *made, "parameters", err);
    const enum prvcut_status st = made ? prvcut_parameters_init(made, set, err) : PRVCUT_ENOMEM;

    *out = made;
    if (st < 0) {
        prvcut_parameters_free(made);
        *out = NULL;
    }
    return st;
}

const char *prvcut_parameters_text(const struct prvcut_parameters *p)
{
    return p ? p->text : "";
}

void prvcut_parameters_free(struct prvcut_parameters *p)
{
    prvcut_parameters_fini(p);
    free(p);
}
