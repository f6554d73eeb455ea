#include "paraver/filter.h"

static struct prvcut_rule_label flb_state(const void *ctx, size_t i)
{
    const struct prv_labels *l = ctx;

    return (struct prvcut_rule_label){ l->state[i].number, l->state[i].text };
}

static struct prvcut_rule_label flb_type(const void *ctx, size_t i, size_t *values)
{
    const struct prv_labels *l = ctx;

    *values = l->type[i].values;
    return (struct prvcut_rule_label){ l->type[i].label.number, l->type[i].label.text };
}

static struct prvcut_rule_label flb_value(const void *ctx, size_t type, size_t i)
{
    const struct prv_labels *l = ctx;

    return (struct prvcut_rule_label){ l->type[type].value[i].number, l->type[type].value[i].text };
}

struct prvcut_rule_labels prv_rule_labels(const struct prv_labels *labels)
{
    return (struct prvcut_rule_labels){ .ctx = labels,
                                        .states = labels->states,
                                        .types = labels->types,
                                        .state = flb_state,
                                        .type = flb_type,
                                        .value = flb_value };
}
