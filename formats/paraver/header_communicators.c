#include "paraver/header_cursor.h"

#include "base/buffer.h"

#include <inttypes.h>
#include <string.h>

/* One member, a number from 1 to `tasks`; false: it is none, and passed over. */
static bool com_member(struct prv_cursor *c, uint32_t tasks, uint32_t *out)
{
    const struct prv_field task = { "task of a communicator", 1, tasks, PRVCUT_EFORMAT };
    struct prv_cursor quiet = *c;
    uint64_t value;
    const char *stop = memchr(c->at, ':', (size_t)(c->end - c->at));
    bool sound;

    quiet.err = NULL;
    sound = prv_cursor_number(&quiet, &task, &value) == PRVCUT_OK &&
            (quiet.at == quiet.end || *quiet.at == ':' || *quiet.at == ' ');
    c->at = stop ? stop : c->end;
    *out = sound ? (uint32_t)value : 0;
    return sound;
}

/* Nobody but us reads the members: those that do not exist are left out, and the line is bent. */
static enum prvcut_status com_members(struct prv_cursor *c, struct prvcut_objects *o,
                                      struct prvcut_communicator *group, size_t *room, bool *bent)
{
    static const struct prv_field size = { "number of tasks of a communicator", 0, UINT32_MAX,
                                           PRVCUT_EFORMAT };
    uint32_t first = o->application_first_task[group->application];
    uint32_t tasks = o->application_first_task[group->application + 1] - first, value;
    uint64_t count;
    enum prvcut_status st = prv_cursor_number(c, &size, &count);

    for (uint64_t i = 0; i < count && st == PRVCUT_OK; i++) {
        while (prv_cursor_peek(c) == ' ')
            c->at++;
        if (!prv_cursor_take(c, ':')) {
            *bent = true;
            break;
        }
        if (!com_member(c, tasks, &value)) {
            *bent = true;
            continue;
        }
        if (o->members == UINT32_MAX)
            return prv_cursor_fail(c, PRVCUT_ELIMIT, "more than %" PRIu32 " tasks in communicators",
                                   UINT32_MAX);
        st = prv_cursor_append(&o->member, room, o->members, first + value - 1, c->err);
        o->members += st == PRVCUT_OK;
    }
    group->count = o->members - group->first;
    return st;
}

/* The pairs intra:leader of an intercommunicator are checked for form and dropped. */
static enum prvcut_status com_inter(struct prv_cursor *c)
{
    static const struct prv_field any = { "number in an intercommunicator", 0, UINT32_MAX,
                                          PRVCUT_EFORMAT };
    enum prvcut_status st = PRVCUT_OK;
    uint64_t value;

    for (int i = 0; i < 4 && st == PRVCUT_OK; i++) {
        if (i > 0)
            st = prv_cursor_separator(c, ':', "a number");
        if (st == PRVCUT_OK)
            st = prv_cursor_number(c, &any, &value);
    }
    return st;
}

/* `c:application:id:count:task...` or `i:application:id:intra:leader:intra:leader`. */
static enum prvcut_status com_take(struct prv_cursor *c, struct prvcut_objects *o,
                                   struct prv_communicator_room *room, bool *bent)
{
    const struct prv_field application = { "application of a communicator", 1, o->applications,
                                           PRVCUT_EFORMAT };
    static const struct prv_field id = { "number of a communicator", 0, UINT32_MAX,
                                         PRVCUT_EFORMAT };
    bool inter = *c->at == 'i' || *c->at == 'I';
    struct prvcut_communicator group = { .first = o->members };
    uint64_t value;
    enum prvcut_status st;

    c->at++;
    if ((st = prv_cursor_separator(c, ':', "the communicator's letter")) != PRVCUT_OK ||
        (st = prv_cursor_number(c, &application, &value)) != PRVCUT_OK)
        return st;
    group.application = (uint32_t)value - 1;
    if ((st = prv_cursor_separator(c, ':', "the application")) != PRVCUT_OK ||
        (st = prv_cursor_number(c, &id, &value)) != PRVCUT_OK ||
        (st = prv_cursor_separator(c, ':', "the number")) != PRVCUT_OK ||
        (st = inter ? com_inter(c) : com_members(c, o, &group, &room->member, bent)) != PRVCUT_OK)
        return st;
    group.id = (uint32_t)value;
    while (prv_cursor_peek(c) == ' ' || prv_cursor_peek(c) == ':')
        c->at++;
    *bent = *bent || c->at < c->end;
    st = prvcut_grow((void **)&o->communicator, &room->communicator, (size_t)o->communicators + 1,
                     sizeof *o->communicator, c->err);
    if (st == PRVCUT_OK)
        o->communicator[o->communicators++] = group;
    return st;
}

enum prvcut_status prv_communicator_parse(struct prv_cursor *c, struct prv_header *h,
                                          struct prv_communicator_room *room)
{
    struct prvcut_error local = { 0 };
    struct prv_cursor at = *c;
    bool bent = false;
    enum prvcut_status st;

    at.err = &local;
    st = com_take(&at, &h->objects, room, &bent);
    if (st == PRVCUT_EFORMAT) {
        bent = true;
        st = PRVCUT_OK;
    }
    if (bent)
        prvcut_bent_add(h->bent, PRVCUT_BENT_BIT(PRVCUT_BENT_COMMUNICATOR), c->line);
    if (st < 0 && c->err && c->err->status == PRVCUT_OK)
        *c->err = local;
    return st;
}
