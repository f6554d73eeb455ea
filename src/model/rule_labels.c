#include "model/rules.h"

static struct prvcut_rule_label rlb_state(const void *ctx, size_t i)
{
    const struct prvcut_dictionary *d = ctx;

    return (struct prvcut_rule_label){ d->state[i].number, d->state[i].text };
}

static struct prvcut_rule_label rlb_type(const void *ctx, size_t i, size_t *values)
{
    const struct prvcut_dictionary *d = ctx;

    *values = d->type[i].values;
    return (struct prvcut_rule_label){ d->type[i].number, d->type[i].text };
}

static struct prvcut_rule_label rlb_value(const void *ctx, size_t type, size_t i)
{
    const struct prvcut_dictionary *d = ctx;

    return (struct prvcut_rule_label){ d->type[type].value[i].value, d->type[type].value[i].text };
}

struct prvcut_rule_labels prvcut_rule_labels_of(const struct prvcut_dictionary *d)
{
    return (struct prvcut_rule_labels){ .ctx = d,
                                        .states = d->states,
                                        .types = d->types,
                                        .state = rlb_state,
                                        .type = rlb_type,
                                        .value = rlb_value };
}
