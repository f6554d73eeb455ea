#ifndef PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_METER_H
#define PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_METER_H

#include "analysis/efficiency/efficiency.h"

/** Where one kind of a thread's time has got to in its stretches. */
struct eff_meter {
    uint64_t begin, end; /**< ns of what is under way that has not been added */
    uint64_t total;      /**< ns that were, in stretches or not */
    size_t stretch;
};

/** What one meter adds to: the same field of each stretch's sum. */
struct eff_scale {
    const struct prvcut_span *window; /**< of the thread in the first stretch */
    char *field;
    size_t stretches, windows_step, sums_step; /**< bytes from one stretch to the next */
};

static inline const struct prvcut_span *eff_window(const struct eff_scale *s, size_t stretch)
{
    return (const struct prvcut_span *)((const char *)s->window + stretch * s->windows_step);
}

static inline uint64_t *eff_field(const struct eff_scale *s, size_t stretch)
{
    return (uint64_t *)(s->field + stretch * s->sums_step);
}

/** Add what is under way, up to a time. */
static inline void eff_meter_add(struct eff_meter *m, const struct eff_scale *s, uint64_t upto)
{
    const uint64_t stop = m->end < upto ? m->end : upto;

    if (m->begin >= stop)
        return;
    m->total += stop - m->begin;
    while (m->stretch < s->stretches) {
        const struct prvcut_span *w = eff_window(s, m->stretch);
        const uint64_t from = m->begin > w->start ? m->begin : w->start;
        const uint64_t to = stop < w->end ? stop : w->end;

        if (from < to)
            *eff_field(s, m->stretch) += to - from;
        if (stop < w->end || (stop == w->end && m->stretch + 1 == s->stretches))
            break;
        m->stretch++;
    }
    m->begin = stop;
}

/** Something goes on from begin to end; what went on before is over, and is added. */
static inline void eff_meter_put(struct eff_meter *m, const struct eff_scale *s, uint64_t begin,
                                 uint64_t end)
{
    eff_meter_add(m, s, PRVCUT_REPLAY_NEVER);
    m->begin = begin > m->begin ? begin : m->begin;
    m->end = end;
}

#endif
