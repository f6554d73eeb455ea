#include "base/buffer.h"
#include "model/regions.h"
#include "model/roles.h"
#include "otf/write.h"

#include <stdlib.h>
#include <string.h>

static enum otfw_kind names_kind_of(enum prvcut_role role, const struct prvcut_type_name *name)
{
    if (name ? name->region : prvcut_role_is_region(role))
        return OTFW_REGION;
    switch (role) {
    case PRVCUT_ROLE_INSTRUCTIONS:
    case PRVCUT_ROLE_CYCLES:
    case PRVCUT_ROLE_FLOPS:
    case PRVCUT_ROLE_COUNTER:
        return name && name->gauge ? OTFW_LEVEL : OTFW_COUNTER;
    case PRVCUT_ROLE_SIZE:
    case PRVCUT_ROLE_ROOT:
    case PRVCUT_ROLE_COMMUNICATOR:
        return OTFW_DETAIL;
    case PRVCUT_ROLE_CALLER:
    case PRVCUT_ROLE_CALLER_LINE:
        return OTFW_CALLER;
    /* Numbers of functions are no levels. */
    case PRVCUT_ROLE_SAMPLE:
        return OTFW_LOST;
    case PRVCUT_ROLE_P2P:
    case PRVCUT_ROLE_COLLECTIVE:
    case PRVCUT_ROLE_MPI_OTHER:
    case PRVCUT_ROLE_FLUSH:
    case PRVCUT_ROLE_REGION:
    case PRVCUT_ROLE_TRACING:
    case PRVCUT_ROLE_OTHER:
    case PRVCUT_ROLES:
        break;
    }
    return OTFW_LEVEL;
}

static enum prvcut_status names_add_type(struct otfw_names *n, uint32_t number,
                                         enum prvcut_role role, const struct prvcut_type_name *name,
                                         struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_grow((void **)&n->type, &n->room, n->types + 1, sizeof *n->type, err);

    if (st < 0)
        return st;
    n->type[n->types++] = (struct otfw_type){ .number = number,
                                              .role = role,
                                              .kind = names_kind_of(role, name),
                                              .name = name,
                                              .now.thread = UINT32_MAX };
    return PRVCUT_OK;
}

enum prvcut_status otfw_names_init(struct otfw_names *n, const struct prvcut_dictionary *d,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *n = (struct otfw_names){ .functions = PRVCUT_TABLE(struct otfw_function, call, "functions") };
    for (size_t i = 0; i < d->types && st == PRVCUT_OK; i++)
        st = names_add_type(n, d->type[i].number, d->type[i].role, &d->type[i], err);
    return st;
}

void otfw_names_fini(struct otfw_names *n)
{
    free(n->type);
    prvcut_table_fini(&n->functions);
}

enum prvcut_status otfw_type_of(struct otfw_names *n, uint32_t number, enum prvcut_role role,
                                uint32_t *type, struct prvcut_error *err)
{
    uint32_t *near = &n->near[(number ^ (number >> 16)) & 255];
    enum prvcut_status st = PRVCUT_OK;
    uint32_t i = 0;

    if (*near == 0 || n->type[*near - 1].number != number) {
        while (i < n->types && n->type[i].number != number)
            i++;
        if (i == n->types)
            st = names_add_type(n, number, role, NULL, err);
        if (st < 0)
            return st;
        *near = i + 1;
    }
    *type = *near - 1;
    return PRVCUT_OK;
}

enum prvcut_status otfw_function_of(struct otfw_names *n, uint32_t type, int64_t value,
                                    uint32_t *id, struct prvcut_error *err)
{
    const struct otfw_type *t = &n->type[type];
    const struct otfw_function key = { .type = type, .value = value };
    const size_t before = n->functions.count;
    struct otfw_function *f = prvcut_table_make(&n->functions, &key, err);

    if (!f)
        return PRVCUT_ENOMEM;
    *id = (uint32_t)(f - (struct otfw_function *)n->functions.at) + 1;
    if (n->functions.count > before && (PRVCUT_ROLE_BIT(t->role) & PRVCUT_ROLES_MPI) != 0)
        f->call = prvcut_event_call(t->name, t->number, value);
    return PRVCUT_OK;
}
