#include "signal/call_marks.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* Marks at most; where there are more calls, they stand for more of them. */
#define MARKS ((size_t)1 << 15)

/* Every second one stays. */
static void marks_halve(struct prvcut_call_marks *m)
{
    size_t kept = 0;

    for (size_t i = 0; i < m->count; i += 2)
        m->time[kept++] = m->time[i];
    m->count = kept;
    m->every *= 2;
}

enum prvcut_status prvcut_call_marks_add(struct prvcut_call_marks *m, uint64_t time,
                                         struct prvcut_error *err)
{
    m->every = m->every > 0 ? m->every : 1;
    /* Lines may be out of order. */
    m->last = m->calls > 0 && m->last > time ? m->last : time;
    if (m->count == MARKS && m->calls % m->every == 0)
        marks_halve(m);
    if (m->calls % m->every == 0) {
        if (prvcut_grow((void **)&m->time, &m->room, m->count + 1, sizeof *m->time, err) < 0)
            return PRVCUT_ENOMEM;
        m->time[m->count++] = m->last;
    }
    m->calls++;
    return PRVCUT_OK;
}

double prvcut_call_marks_before(const struct prvcut_call_marks *m, uint64_t time)
{
    const size_t i = prvcut_lower_u64(m->time, m->count, sizeof *m->time, 0, time);
    uint64_t from, to, calls;

    if (i == 0)
        return 0;
    if (time > m->last)
        return (double)m->calls;
    from = m->time[i - 1];
    to = i < m->count ? m->time[i] : m->last;
    calls = i < m->count ? m->every : m->calls - 1 - (i - 1) * m->every;
    return (double)((i - 1) * m->every) +
           (to > from ? (double)calls * (double)(time - from) / (double)(to - from) : 0);
}

void prvcut_call_marks_put(struct prvcut_put *p, const struct prvcut_call_marks *m)
{
    prvcut_put_u64(p, m->calls);
    prvcut_put_u64(p, m->every);
    prvcut_put_u64(p, m->last);
    prvcut_put_u32(p, m->lost);
    prvcut_put_u64(p, m->count);
    prvcut_put_u64s(p, m->time, m->count);
}

void prvcut_call_marks_get(struct prvcut_get *g, struct prvcut_call_marks *m)
{
    memset(m, 0, sizeof *m);
    m->calls = prvcut_get_u64(g);
    m->every = prvcut_get_u64(g);
    m->last = prvcut_get_u64(g);
    m->lost = prvcut_get_bool(g);
    m->count = prvcut_get_count(g, 8);
    m->time = prvcut_get_room(g, m->count, sizeof *m->time);
    m->room = m->time ? m->count : 0;
    prvcut_get_u64s(g, m->time, m->room);
    prvcut_get_check(g, m->every == 0 ? m->calls == 0 && m->count == 0
                                      : m->count > 0 && (m->calls - 1) / m->every == m->count - 1);
    for (size_t i = 1; i < m->room; i++)
        prvcut_get_check(g, m->time[i - 1] <= m->time[i]);
    prvcut_get_check(g, m->room == 0 || m->time[m->room - 1] <= m->last);
    if (!g->bad)
        return;
    prvcut_call_marks_fini(m);
}

void prvcut_call_marks_fini(struct prvcut_call_marks *m)
{
    free(m->time);
    memset(m, 0, sizeof *m);
}
