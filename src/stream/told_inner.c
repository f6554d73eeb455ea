#include "stream/told_walk.h"

#include "base/buffer.h"

enum prvcut_status told_tell_call(struct told *t, struct prvcut_stream_call c,
                                  const uint64_t order[2], struct prvcut_error *err)
{
    const bool inside = told_clip(t, &c);
    const struct told_call ends[2] = {
        { { c.span.start, order[0], c.thread, 1 }, c },
        { { c.span.end, order[1], c.thread, 0 }, c },
    };

    if (!inside || !t->sink->call || (t->calls >> c.role & 1) == 0)
        return PRVCUT_OK;
    return t->live ? told_live_call(t->live, &c, false, err)
                   : prvcut_sorter_add(t->call, 0, ends, 2, err);
}

enum prvcut_status told_inner_begins(struct told_walk *w, const struct prvcut_item *i,
                                     struct prvcut_error *err)
{
    if (!w->told->plan->inner)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&w->inner, &w->inner_room, w->inners + 1, sizeof *w->inner, err) < 0)
        return PRVCUT_ENOMEM;
    w->inner[w->inners++] = (struct walk_inner){ .order = w->order,
                                                 .call = { .thread = i->thread,
                                                           .type = i->event.type,
                                                           .value = i->event.value,
                                                           .span = { i->time, i->time },
                                                           .role = (enum prvcut_role)i->role } };
    return PRVCUT_OK;
}

enum prvcut_status told_inner_ends(struct told_walk *w, const struct prvcut_stream_call *c,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t stay = 0;

    for (size_t k = 0; k < w->inners && st == PRVCUT_OK; k++) {
        struct walk_inner *in = &w->inner[k];
        const uint64_t order[2] = { in->order, w->order };

        if (in->call.type != c->type) {
            w->inner[stay++] = *in;
            continue;
        }
        in->call.span.end = c->span.end;
        in->call.no_end = c->no_end;
        st = told_tell_call(w->told, in->call, order, err);
    }
    w->inners = stay;
    return st;
}
