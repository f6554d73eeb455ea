#include "paraver/roles.h"

#include "model/roles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct prv_role_name prv_role_names[] = {
    { "p2p", PRVCUT_ROLE_P2P },
    { "collective", PRVCUT_ROLE_COLLECTIVE },
    { "mpi", PRVCUT_ROLE_MPI_OTHER },
    { "flush", PRVCUT_ROLE_FLUSH },
    { "tracing", PRVCUT_ROLE_TRACING },
    { "region", PRVCUT_ROLE_REGION },
    { "instructions", PRVCUT_ROLE_INSTRUCTIONS },
    { "cycles", PRVCUT_ROLE_CYCLES },
    { "flops", PRVCUT_ROLE_FLOPS },
    { "counter", PRVCUT_ROLE_COUNTER },
    { "caller", PRVCUT_ROLE_CALLER },
    { NULL, PRVCUT_ROLE_OTHER },
};

static const char set_state[] = "running";

const char *prv_role_name(size_t i)
{
    return i == 0                                               ? set_state
           : i < sizeof prv_role_names / sizeof *prv_role_names ? prv_role_names[i - 1].name
                                                                : NULL;
}

bool prv_labels_state(const struct prv_labels *l, const char *name, uint32_t *out)
{
    for (size_t i = 0; i < l->states; i++) {
        if (strcasecmp(l->state[i].text, name) == 0) {
            *out = l->state[i].number;
            return true;
        }
    }
    return false;
}

/* One number of a setting: [at, at + length). */
static bool set_parse_number(const char *at, size_t length, uint32_t *out)
{
    uint64_t value = 0;

    if (length == 0 || length > 10)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(at[i] - '0');
    }
    *out = (uint32_t)value;
    return value <= UINT32_MAX;
}

static enum prvcut_status set_running(struct prv_labels *l, const char *value,
                                      struct prvcut_error *err)
{
    if (set_parse_number(value, strlen(value), &l->running) ||
        prv_labels_state(l, value, &l->running))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "running=%s: '%s' is neither a number from 0 to %" PRIu32
                       " nor a state that the .pcf names",
                       value, value, UINT32_MAX);
}

/* Types that had the role go back to what their number and values say. */
static void set_clear_role(struct prv_labels *l, enum prvcut_role role)
{
    for (size_t i = 0; i < l->types; i++) {
        struct prv_type *t = &l->type[i];

        if (t->label.role != role)
            continue;
        t->told = false;
        t->label.role = prv_role_of_values(t);
        if (t->label.role == role)
            t->label.role = PRVCUT_ROLE_OTHER;
        t->label.region = prvcut_role_is_region(t->label.role);
    }
}

static enum prvcut_status set_role(struct prv_labels *l, size_t *room, enum prvcut_role role,
                                   uint32_t number, struct prvcut_error *err)
{
    struct prv_type type = { .label = { .number = number,
                                        .role = role,
                                        .region = prvcut_role_is_region(role),
                                        .text = "" },
                             .told = true };

    for (size_t i = 0; i < l->types; i++) {
        if (l->type[i].label.number == number) {
            l->type[i].label.role = role;
            l->type[i].label.region = type.label.region;
            l->type[i].told = true;
            return PRVCUT_OK;
        }
    }
    return prv_labels_add(l, room, &type, err);
}

static enum prvcut_status set_numbers(struct prv_labels *l, size_t *room,
                                      const struct prv_role_name *name, const char *list,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    set_clear_role(l, name->role);
    while (*list && st == PRVCUT_OK) {
        size_t length = strcspn(list, ",");
        uint32_t number;

        if (!set_parse_number(list, length, &number))
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "%s=: '%.*s' is not an event type from 0 to %" PRIu32, name->name,
                               (int)(length < 40 ? length : 40), list, UINT32_MAX);
        st = set_role(l, room, name->role, number, err);
        list += length;
        list += *list == ',';
    }
    prv_labels_sort(l);
    return st;
}

static enum prvcut_status set_refuse(const char *setting, struct prvcut_error *err)
{
    char names[256] = "";

    for (size_t i = 0; prv_role_name(i); i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "",
                 prv_role_name(i));
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "'%s' is not NAME=NUMBER[,NUMBER...] with NAME one of %s", setting, names);
}

enum prvcut_status prv_labels_set(struct prv_labels *l, size_t *room, const char *setting,
                                  struct prvcut_error *err)
{
    size_t length = strcspn(setting, "=");

    if (setting[length] == '=') {
        const char *value = setting + length + 1;

        if (length == strlen(set_state) && memcmp(setting, set_state, length) == 0)
            return set_running(l, value, err);
        for (const struct prv_role_name *n = prv_role_names; n->name; n++) {
            if (strlen(n->name) == length && memcmp(n->name, setting, length) == 0)
                return set_numbers(l, room, n, value, err);
        }
    }
    return set_refuse(setting, err);
}
