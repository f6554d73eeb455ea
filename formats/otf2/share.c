#include "otf2/share.h"

#include "otf2/otf2.h"

#include <stdlib.h>
#include <string.h>

const char *o2_share_count(struct prvcut_scan *s, uint64_t *out)
{
    *out = ((const struct o2_trace *)s->trace)->defs.locations;
    return NULL;
}

static void share_put_marks(struct prvcut_put *out, uint32_t location, const struct o2_marks *m)
{
    const uint64_t told[] = { m->events, m->first, m->last, m->count };

    prvcut_put_u32(out, location);
    prvcut_put_u64s(out, told, sizeof told / sizeof *told);
    for (size_t i = 0; i < m->count; i++) {
        const uint64_t mark[] = { m->at[i].event, m->at[i].time, m->at[i].state, m->at[i].offset };

        prvcut_put_u64s(out, mark, sizeof mark / sizeof *mark);
    }
    prvcut_put_u64(out, m->state.count);
    if (m->state.count > 0)
        prvcut_put_bytes(out, m->state.at, m->state.count);
}

static void share_get_states(struct prvcut_get *in, struct prvcut_buffer *b)
{
    const size_t count = prvcut_get_count(in, 1);

    b->count = 0;
    if (count == 0)
        return;
    prvcut_get_check(in, prvcut_buffer_append(b, in->at, count, NULL) == PRVCUT_OK);
    in->at += count;
    in->left -= count;
}

static void share_get_marks(struct prvcut_get *in, struct o2_marks *m)
{
    uint64_t told[3] = { 0 };

    prvcut_get_u64s(in, told, sizeof told / sizeof *told);
    free(m->at);
    m->count = m->room = prvcut_get_count(in, 4 * sizeof(uint64_t));
    m->at = prvcut_get_room(in, m->count, sizeof *m->at);
    m->events = told[0];
    m->first = told[1];
    m->last = told[2];
    for (size_t i = 0; i < m->count && !in->bad; i++) {
        uint64_t mark[4] = { 0 };

        prvcut_get_u64s(in, mark, sizeof mark / sizeof *mark);
        m->at[i] = (struct o2_mark){ mark[0], mark[1], mark[2], mark[3] };
    }
    if (in->bad)
        m->count = m->room = 0;
    share_get_states(in, &m->state);
    m->read = true;
}

static void share_put(void *ctx, struct prvcut_put *out)
{
    const struct prvcut_scan *s = ctx;
    const struct o2_trace *t = (const struct o2_trace *)s->trace;
    uint32_t read = 0;

    for (uint32_t i = 0; i < t->defs.locations; i++)
        read += t->marks[i].read;
    prvcut_put_u32(out, read);
    for (uint32_t i = 0; i < t->defs.locations; i++)
        if (t->marks[i].read)
            share_put_marks(out, i, &t->marks[i]);
}

static void share_add(void *ctx, struct prvcut_get *in)
{
    const struct prvcut_scan *s = ctx;
    struct o2_trace *t = (struct o2_trace *)s->trace;

    for (uint32_t left = prvcut_get_u32(in); left > 0 && !in->bad; left--) {
        const uint32_t location = prvcut_get_u32(in);

        prvcut_get_check(in, location < t->defs.locations);
        if (!in->bad)
            share_get_marks(in, &t->marks[location]);
    }
}

static void share_clear(void *ctx)
{
    const struct prvcut_scan *s = ctx;

    o2_forget_marks((struct o2_trace *)s->trace);
}

const struct prvcut_shares o2_share_marks = { .put = share_put,
                                              .add = share_add,
                                              .clear = share_clear };
