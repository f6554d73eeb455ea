#include "base/buffer.h"
#include "base/search.h"
#include "otf2/own_part.h"

#include <string.h>

/*
 * A window is read from the last mark before it: what is open there, and what counters had counted,
 * is kept with the mark.
 */

/* Events between two marks, at least; marks of one location and of all, at most about, where an
   event takes so many bytes. */
#define RSM_EVENTS ((uint64_t)8192)
#define RSM_MARKS  256u
#define RSM_ALL    16384u
#define RSM_BYTES  10u

/* With more that is open than this, no mark is left. */
#define RSM_OPEN ((size_t)4096)

/* A mark's snapshot; behind it the calls, the posts and the readings. */
struct rsm_standing {
    uint64_t open_since, last, latest, reach;
    uint32_t open_number;
    bool open;
    size_t calls, posted;
};

uint64_t o2_own_stride(const struct o2_own_part *p)
{
    const struct o2_trace *t = p->scan->trace;
    const uint64_t size = t->size[p->thread], each = RSM_ALL / (t->defs.locations + UINT64_C(1));
    const uint64_t marks = each > RSM_MARKS ? RSM_MARKS : each + 1;
    const uint64_t stride = size != UINT64_MAX ? size / (marks * RSM_BYTES) : 0;

    return stride > RSM_EVENTS ? stride : RSM_EVENTS;
}

static enum prvcut_status rsm_append(struct prvcut_buffer *b, const void *at, size_t bytes,
                                     enum prvcut_status st, struct prvcut_error *err)
{
    return st < 0 || bytes == 0 ? st : prvcut_buffer_append(b, at, bytes, err);
}

/* The line under way is not kept: it lies before every window that is read from here. */
enum prvcut_status o2_own_mark(struct o2_own_part *p)
{
    struct o2_marks *m = &p->scan->trace->marks[p->thread];
    const struct o2_own_worker *w = p->w;
    const size_t types = p->scan->trace->own->dictionary.types;
    struct rsm_standing now;
    enum prvcut_status st;

    if (w->calls.count + w->posted.count > RSM_OPEN)
        return PRVCUT_OK;
    st = prvcut_grow((void **)&m->at, &m->room, m->count + 1, sizeof *m->at, p->err);
    if (st < 0)
        return st;
    memset(&now, 0, sizeof now);
    now.open = p->open;
    now.open_since = p->open_since;
    now.open_number = p->open_number;
    now.last = p->last;
    now.latest = p->latest;
    now.reach = p->reach;
    now.calls = w->calls.count;
    now.posted = w->posted.count;
    m->at[m->count++] = (struct o2_mark){ .event = p->base.counts.lines + 1,
                                          .time = p->latest,
                                          .state = m->state.count };
    st = rsm_append(&m->state, &now, sizeof now, PRVCUT_OK, p->err);
    st = rsm_append(&m->state, w->calls.at, now.calls * sizeof *w->calls.at, st, p->err);
    st = rsm_append(&m->state, w->posted.at, now.posted * sizeof *w->posted.at, st, p->err);
    return rsm_append(&m->state, w->total, types * sizeof *w->total, st, p->err);
}

static const char *rsm_standing(const struct o2_marks *m, size_t mark, struct rsm_standing *out)
{
    const char *at = m->state.at + m->at[mark].state;

    memcpy(out, at, sizeof *out);
    return at + sizeof *out;
}

/* Does something that begins before it reach into the window, or happen in it? */
static bool rsm_misses(const void *ctx, size_t mark)
{
    const struct o2_own_part *p = ctx;
    struct rsm_standing now;

    rsm_standing(&p->scan->trace->marks[p->thread], mark, &now);
    return now.latest >= p->scan->from || now.reach > p->scan->from;
}

static enum prvcut_status rsm_take(struct o2_own_sinces *s, size_t count, const char **at,
                                   struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_grow((void **)&s->at, &s->room, count + 1, sizeof *s->at, err);

    if (st < 0)
        return st;
    if (count > 0)
        memcpy(s->at, *at, count * sizeof *s->at);
    *at += count * sizeof *s->at;
    s->count = count;
    return PRVCUT_OK;
}

enum prvcut_status o2_own_resume(struct o2_own_part *p, uint64_t *event)
{
    const struct o2_trace *t = p->scan->trace;
    const struct o2_marks *m = &t->marks[p->thread];
    const size_t low = p->scan->from > 0 ? prvcut_first(0, m->count, rsm_misses, p) : 0;
    struct rsm_standing now;
    const char *at;
    enum prvcut_status st;

    *event = 1;
    if (low == 0)
        return PRVCUT_OK;
    *event = m->at[low - 1].event;
    at = rsm_standing(m, low - 1, &now);
    p->open = now.open;
    p->open_since = now.open_since;
    p->open_number = now.open_number;
    p->last = now.last;
    p->latest = now.latest;
    p->reach = now.reach;
    p->base.counts.lines = *event - 1;
    st = rsm_take(&p->w->calls, now.calls, &at, p->err);
    if (st == PRVCUT_OK)
        st = rsm_take(&p->w->posted, now.posted, &at, p->err);
    if (st == PRVCUT_OK)
        memcpy(p->w->total, at, t->own->dictionary.types * sizeof *p->w->total);
    return st;
}
