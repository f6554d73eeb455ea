#include "model/regions.h"

#include "model/calls.h"
#include "model/roles.h"

#include <inttypes.h>
#include <stdio.h>

void prvcut_held_call_begin(struct prvcut_held_call *c, const struct prvcut_item *begin)
{
    *c = (struct prvcut_held_call){ .time = begin->time,
                                    .value = begin->event.value,
                                    .sent = PRVCUT_UNTOLD,
                                    .received = PRVCUT_UNTOLD,
                                    .communicator = PRVCUT_UNTOLD,
                                    .root = PRVCUT_UNTOLD,
                                    .thread = begin->thread,
                                    .type = begin->event.type,
                                    .held = true };
}

bool prvcut_held_call_take(struct prvcut_held_call *c, const struct prvcut_item *item)
{
    if (!c->held || item->kind != PRVCUT_ITEM_EVENT || item->thread != c->thread ||
        item->time != c->time)
        return false;
    if (item->role == PRVCUT_ROLE_ROOT)
        c->root = item->event.value;
    else if (item->role == PRVCUT_ROLE_COMMUNICATOR) {
        c->communicator = item->event.value;
        c->told_root = item->event.root;
    } else if (item->role == PRVCUT_ROLE_SIZE && item->event.type == PRVCUT_TYPE_SIZE_RECEIVED)
        c->received = item->event.value;
    else if (item->role == PRVCUT_ROLE_SIZE)
        c->sent = item->event.value;
    else
        return false;
    return true;
}

void prvcut_held_call_of(struct prvcut_held_call *c, const struct prvcut_item *line, size_t count,
                         size_t at)
{
    bool behind = false;
    size_t from = 0;

    prvcut_held_call_begin(c, &line[at]);
    for (size_t i = 0; i < at; i++)
        from = prvcut_item_begins_collective(&line[i]) ? at : from;
    for (size_t i = from; i < count; i++) {
        behind |= i > 0 && line[i].kind == PRVCUT_ITEM_EVENT && line[i].head;
        if (behind && line[i].kind == PRVCUT_ITEM_EVENT && PRVCUT_ROLES_MPI >> line[i].role & 1)
            return;
        if (i > at && prvcut_item_begins_collective(&line[i]))
            return;
        prvcut_held_call_take(c, &line[i]);
    }
}

bool prvcut_held_call_is_collective(const struct prvcut_held_call *c, uint32_t own_task,
                                    uint32_t *root)
{
    *root = c->root == 1 ? own_task + 1 : c->told_root;
    return c->sent != PRVCUT_UNTOLD && c->received != PRVCUT_UNTOLD && c->communicator >= 0;
}

const struct prvcut_mpi_call *prvcut_event_call(const struct prvcut_type_name *t, uint32_t type,
                                                int64_t value)
{
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, value) : NULL;

    return v ? prvcut_mpi_call_of(v->text, NULL) : prvcut_mpi_call_by_value(type, value);
}

enum prvcut_shape prvcut_event_shape(const struct prvcut_dictionary *d, enum prvcut_role role,
                                     uint32_t type)
{
    const struct prvcut_type_name *t;

    if (prvcut_role_is_counter(role))
        return PRVCUT_SHAPE_NUMBER;
    if (prvcut_role_is_region(role))
        return PRVCUT_SHAPE_REGION;
    t = prvcut_dictionary_type(d, type);
    if (t && t->region)
        return PRVCUT_SHAPE_REGION;
    return t && t->gauge ? PRVCUT_SHAPE_NUMBER : PRVCUT_SHAPE_SINGLE;
}

const char *prvcut_type_text(char *out, size_t room, const struct prvcut_dictionary *d,
                             uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(d, type);

    if (t && t->text && *t->text)
        return t->text;
    snprintf(out, room, "type %" PRIu32, type);
    return out;
}

const char *prvcut_value_text(const struct prvcut_dictionary *d, uint32_t type, int64_t value)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(d, type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, value) : NULL;
    const struct prvcut_mpi_call *call;

    if (v && v->text && *v->text)
        return v->text;
    call = prvcut_mpi_call_by_value(type, value);
    return call ? call->name : NULL;
}

const char *prvcut_event_text(char *out, size_t room, const struct prvcut_dictionary *d,
                              uint32_t type, int64_t value)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(d, type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, value) : NULL;

    if (v && v->text && *v->text)
        return v->text;
    if (t && t->text && *t->text)
        snprintf(out, room, "%s %" PRId64, t->text, value);
    else
        snprintf(out, room, "type %" PRIu32 " value %" PRId64, type, value);
    return out;
}

const char *prvcut_state_number_text(char *out, size_t room, const struct prvcut_dictionary *d,
                                     uint32_t number)
{
    const struct prvcut_state_name *s = prvcut_dictionary_state(d, number);

    if (s && s->text && *s->text)
        return s->text;
    snprintf(out, room, "state %" PRIu32, number);
    return out;
}
