#include "otf/otf.h"

#include "otf/lines.h"
#include "otf/text.h"

#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C(1000000000)

/* Ticks per second of a clock that gives several records of a thread one time. */
#define COARSE UINT64_C(1000000)

uint64_t otf_time(const struct otf_trace *t, uint64_t tick)
{
    const uint64_t d = tick > t->origin ? tick - t->origin : 0;

    if (t->resolution == SECOND)
        return d < OTF_TIME_MOST ? d : OTF_TIME_MOST;
    if (d / t->resolution >= OTF_TIME_MOST / SECOND)
        return OTF_TIME_MOST;
    return d / t->resolution * SECOND + d % t->resolution * SECOND / t->resolution;
}

uint64_t otf_steps(const struct otf_trace *t)
{
    return t->resolution <= COARSE ? t->base.unit_ns : 0;
}

uint64_t otf_shift(const struct otf_trace *t, uint32_t thread)
{
    const struct prvcut_clocks *c = &t->base.clocks;

    return c->offset ? (uint64_t)c->offset[t->base.objects.thread_task[thread]] : 0;
}

uint64_t otf_tick(const struct otf_trace *t, uint32_t thread, uint64_t ns)
{
    const uint64_t shift = otf_shift(t, thread);
    const uint64_t own = ns > shift ? ns - shift : 0;
    uint64_t ticks;

    if (own / SECOND > (UINT64_MAX - t->origin) / 2 / t->resolution)
        return UINT64_MAX;
    ticks = own / SECOND * t->resolution + (own % SECOND * t->resolution + SECOND - 1) / SECOND;
    return t->origin + ticks;
}

void otf_place(const struct otf_trace *t, uint32_t thread, uint64_t ns, uint64_t *tick,
               uint64_t *step)
{
    const uint64_t shift = otf_shift(t, thread);
    const uint64_t own = ns > shift ? ns - shift : 0;

    *tick = otf_tick(t, thread, ns);
    *step = 0;
    if (otf_steps(t) > 0 && *tick > t->origin && otf_time(t, *tick) > own) {
        --*tick;
        *step = own - otf_time(t, *tick);
    }
}

/* The first time; without one the stream is empty. */
static enum prvcut_status times_find_first(struct otf_stream *s, struct prvcut_error *err)
{
    struct otf_lines x;
    struct otf_record r;
    enum prvcut_status st = otf_lines_open(&x, s->path, s->packed, 0, err);

    while (st == PRVCUT_OK && (st = otf_lines_record(&x, &r, err)) == PRVCUT_OK)
        if (r.kind == OTF_TIME)
            break;
    s->empty = st != PRVCUT_OK;
    s->first = s->empty ? 0 : r.number;
    otf_lines_close(&x);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* The latest time from an offset on. */
static enum prvcut_status times_find_last_from(struct otf_stream *s, uint64_t offset, bool *found,
                                               struct prvcut_error *err)
{
    struct otf_lines x;
    struct otf_record r;
    enum prvcut_status st = otf_lines_open(&x, s->path, s->packed, offset, err);

    /* From there on the first line is a piece of one. */
    if (st == PRVCUT_OK && offset > 0)
        st = otf_lines_line(&x, err);
    while (st == PRVCUT_OK && (st = otf_lines_record(&x, &r, err)) == PRVCUT_OK)
        if (r.kind == OTF_TIME) {
            s->last = r.number > s->last ? r.number : s->last;
            *found = true;
        }
    otf_lines_close(&x);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

#define TAIL ((uint64_t)4096)

static enum prvcut_status times_find_last(const struct otf_trace *t, struct otf_stream *s,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool found = false;

    /* Of a packed stream everything must be read: only where no definition tells the end. */
    if (s->packed)
        return t->range_max > 0 ? PRVCUT_OK : times_find_last_from(s, 0, &found, err);
    for (uint64_t tail = TAIL; !found && st == PRVCUT_OK; tail *= 8) {
        st = times_find_last_from(s, s->size > tail ? s->size - tail : 0, &found, err);
        if (s->size <= tail)
            break;
    }
    return st;
}

enum prvcut_status otf_times_find(struct otf_trace *t, struct prvcut_error *err)
{
    bool any = false;
    enum prvcut_status st = PRVCUT_OK;

    t->origin = t->range_max > 0 ? t->range_min : UINT64_MAX;
    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++) {
        struct otf_stream *s = &t->stream[i];

        s->empty = true;
        if (s->path)
            st = times_find_first(s, err);
        if (st < 0 || s->empty)
            continue;
        any = true;
        t->origin = s->first < t->origin ? s->first : t->origin;
        st = times_find_last(t, s, err);
    }
    /* What a copy tells, where its records lie behind that. */
    if (t->told_end > 0 && t->told_origin <= t->origin)
        t->origin = t->told_origin;
    else
        t->told_end = 0;
    if (st == PRVCUT_OK && !any)
        st = prvcut_fail(err, PRVCUT_EFORMAT, "%s: none of its streams holds a record",
                         t->base.path);
    return st;
}
