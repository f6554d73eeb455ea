#include "otf/walk.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* Larger states are not worth a mark. */
#define SAVED_MOST ((size_t)64 * 1024)

/* One process as it is saved; its frames and readings follow. */
struct saved {
    size_t depth, call, held;
    bool alive, counters, begun;
    uint32_t collectives;
    uint64_t collective;
    uint32_t state;
    uint64_t since, last, tick, step;
};

void otf_marks_fini(struct otf_stream *s)
{
    for (size_t i = 0; i < s->marks; i++) {
        prvcut_buffer_fini(&s->mark[i].saved);
        free(s->mark[i].count);
    }
    prvcut_table_fini(&s->channels);
    s->counted = false;
    free(s->mark);
    s->mark = NULL;
    s->marks = s->mark_room = 0;
    s->marked = false;
}

/* Memory must not grow with the trace. */
static uint64_t marks_gap(const struct otf_trace *t)
{
    const uint64_t least = t->base.bytes / OTF_MARKS_MOST;

    return least > OTF_MARK_BYTES ? least : OTF_MARK_BYTES;
}

static bool marks_half_done(const struct otf_walk *w)
{
    if (!w->timed || w->backward || w->keys > 0 || (w->chosen && !w->now))
        return true;
    for (uint32_t i = 0; i < w->stream->members; i++)
        if (w->track[i].pairs > 0 || w->track[i].collectives > 1)
            return true;
    return false;
}

/* How many messages and collectives there were so far. */
static enum prvcut_status marks_save_counts(struct otf_mark *m, const struct otf_stream *s,
                                            struct prvcut_error *err)
{
    m->channels = s->channels.count;
    m->count = prvcut_zeroed(2 * m->channels + 1, sizeof *m->count, "channels", err);
    if (!m->count)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < m->channels; i++) {
        m->count[2 * i] = otf_channel_at(&s->channels, i)->inside[0];
        m->count[2 * i + 1] = otf_channel_at(&s->channels, i)->inside[1];
    }
    return PRVCUT_OK;
}

static enum prvcut_status marks_save_track(struct prvcut_buffer *to, const struct otf_walk *w,
                                           const struct otf_track *t, struct prvcut_error *err)
{
    const struct saved s = { .depth = t->open.count,
                             .call = t->call,
                             .held = t->held,
                             .alive = t->alive,
                             .counters = t->counter != NULL,
                             .begun = t->begun,
                             .collectives = t->collectives,
                             .collective = t->collective,
                             .state = t->state,
                             .since = t->since,
                             .last = t->last,
                             .tick = t->tick,
                             .step = t->step };
    enum prvcut_status st = prvcut_buffer_append(to, &s, sizeof s, err);

    if (st == PRVCUT_OK && t->open.count > 0)
        st = prvcut_buffer_append(to, t->open.at, t->open.count * sizeof *t->open.at, err);
    if (st == PRVCUT_OK && t->counter)
        st = prvcut_buffer_append(to, t->counter, w->trace->counters * sizeof *t->counter, err);
    return st;
}

enum prvcut_status otf_mark_leave(struct otf_walk *w, uint64_t offset, struct prvcut_error *err)
{
    struct otf_stream *s = w->stream;
    struct otf_mark m = { .offset = offset,
                          .tick = w->tick,
                          .line = w->line,
                          .process = w->now ? (uint32_t)(w->now - w->track) : OTF_NONE };
    void *at = s->mark;
    enum prvcut_status st = PRVCUT_OK;

    if (w->windowed || s->packed || s->marked || offset < w->marked + marks_gap(w->trace) ||
        marks_half_done(w))
        return PRVCUT_OK;
    for (uint32_t i = 0; i < s->members && st == PRVCUT_OK && m.saved.count <= SAVED_MOST; i++)
        st = marks_save_track(&m.saved, w, &w->track[i], err);
    if (st == PRVCUT_OK && m.saved.count <= SAVED_MOST) {
        st = prvcut_grow(&at, &s->mark_room, s->marks + 1, sizeof *s->mark, err);
        s->mark = at;
        if (st == PRVCUT_OK && s->counted)
            st = marks_save_counts(&m, s, err);
        if (st == PRVCUT_OK) {
            s->mark[s->marks++] = m;
            w->marked = offset;
            return PRVCUT_OK;
        }
    }
    prvcut_buffer_fini(&m.saved);
    return st;
}

static enum prvcut_status marks_restore_track(struct otf_walk *w, struct otf_track *t,
                                              const char **from, struct prvcut_error *err)
{
    struct prvcut_frame f;
    struct saved s;

    memcpy(&s, *from, sizeof s);
    *from += sizeof s;
    for (size_t i = 0; i < s.depth; i++, *from += sizeof f) {
        memcpy(&f, *from, sizeof f);
        if (prvcut_stack_push(&t->open, &f, err) < 0)
            return PRVCUT_ENOMEM;
    }
    if (s.counters) {
        const size_t count = w->trace->counters * sizeof *t->counter;

        t->counter =
            prvcut_zeroed((size_t)w->trace->counters + 1, sizeof *t->counter, "counters", err);
        if (!t->counter)
            return PRVCUT_ENOMEM;
        memcpy(t->counter, *from, count);
        *from += count;
    }
    t->call = s.call;
    t->held = s.held;
    t->alive = s.alive;
    t->begun = s.begun;
    t->collectives = s.collectives;
    t->collective = s.collective;
    t->state = s.state;
    t->since = s.since;
    t->last = s.last;
    t->tick = s.tick;
    t->step = s.step;
    return PRVCUT_OK;
}

const struct otf_mark *otf_mark_before(const struct otf_stream *s, uint64_t tick)
{
    /* What happens at the mark's own time may stand before it as well. */
    const size_t low =
        prvcut_lower_u64(s->mark, s->marks, sizeof *s->mark, offsetof(struct otf_mark, tick), tick);

    return low > 0 ? &s->mark[low - 1] : NULL;
}

enum prvcut_status otf_mark_enter(struct otf_walk *w, uint64_t tick, uint64_t *offset,
                                  struct prvcut_error *err)
{
    const struct otf_stream *s = w->stream;
    const struct otf_mark *m = otf_mark_before(s, tick);
    const char *from;
    enum prvcut_status st = PRVCUT_OK;

    *offset = 0;
    if (!m)
        return PRVCUT_OK;
    from = m->saved.at;
    for (uint32_t i = 0; i < s->members && st == PRVCUT_OK; i++)
        st = marks_restore_track(w, &w->track[i], &from, err);
    w->now = m->process == OTF_NONE ? NULL : &w->track[m->process];
    w->chosen = w->now != NULL;
    w->timed = true;
    w->tick = m->tick;
    w->time = otf_time(w->trace, m->tick);
    w->line = m->line;
    *offset = m->offset;
    return st;
}
