#include "base/buffer.h"
#include "model/calls.h"
#include "stream/told_walk.h"

/* Collectives that do not block: their parts wait until it is told that they are complete. */

/* The present call starts a collective; one of the same request before it was never completed. */
enum prvcut_status told_hold_part(struct told_walk *w, struct prvcut_error *err)
{
    struct walk_started *s = prvcut_table_find(&w->started, &w->request);
    enum prvcut_status st = PRVCUT_OK;

    if (s)
        st = prvcut_sorter_add(w->told->part, 0, &s->part, 1, err);
    else
        s = prvcut_table_make(&w->started, &w->request, err);
    if (!s)
        return PRVCUT_ENOMEM;
    s->part = w->part;
    return st;
}

/* Those that are complete in the present call, which has ended. */
enum prvcut_status told_complete_parts(struct told_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->completeds && st == PRVCUT_OK; i++) {
        const struct walk_completed *c = &w->completed[i];
        struct walk_started *s = prvcut_table_find(&w->started, &c->request);

        if (!s)
            continue;
        s->part.done = w->call;
        s->part.sent = c->sent;
        s->part.received = c->received;
        s->part.root = c->root;
        if (c->communicator >= 0)
            s->part.of.communicator = (uint32_t)c->communicator;
        st = prvcut_sorter_add(w->told->part, 0, &s->part, 1, err);
        prvcut_table_drop(&w->started, &c->request);
    }
    w->completeds = 0;
    return st;
}

/* Those of which nothing was told. */
enum prvcut_status told_leave_parts(struct told_walk *w, struct prvcut_error *err)
{
    const struct walk_started *s = w->started.at;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->started.count && st == PRVCUT_OK; i++)
        st = prvcut_sorter_add(w->told->part, 0, &s[i].part, 1, err);
    prvcut_table_clear(&w->started);
    return st;
}

/* What is told of a collective that does not block: that it is started, that it is complete. */
enum prvcut_status told_completion(struct told_walk *w, const struct prvcut_item *i,
                                   struct prvcut_error *err)
{
    struct walk_completed *c = w->completeds > 0 ? &w->completed[w->completeds - 1] : NULL;

    if (!w->in_call)
        return PRVCUT_OK;
    if (i->event.type == PRVCUT_TYPE_STARTED) {
        w->starts = true;
        w->request = (uint64_t)i->event.value;
    } else if (i->event.type == PRVCUT_TYPE_COMPLETED) {
        if (prvcut_grow((void **)&w->completed, &w->completed_room, w->completeds + 1,
                        sizeof *w->completed, err) < 0)
            return PRVCUT_ENOMEM;
        w->completed[w->completeds++] =
            (struct walk_completed){ (uint64_t)i->event.value, -1, -1, -1, false };
    } else if (c && i->event.type == PRVCUT_TYPE_COMPLETED_SENT) {
        c->sent = i->event.value;
    } else if (c && i->event.type == PRVCUT_TYPE_COMPLETED_RECEIVED) {
        c->received = i->event.value;
    } else if (c && i->event.type == PRVCUT_TYPE_COMPLETED_COMMUNICATOR) {
        c->communicator = i->event.value;
    } else if (c) {
        c->root = i->event.value == 1;
    }
    return PRVCUT_OK;
}

bool told_is_completion(uint32_t type)
{
    return type >= PRVCUT_TYPE_STARTED && type <= PRVCUT_TYPE_COMPLETED_ROOT;
}
