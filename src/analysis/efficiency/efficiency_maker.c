#include "analysis/efficiency/efficiency_maker.h"

#include <math.h>

/* What part of the computing counters must have counted in; what a thread without any may compute,
 * of the mean. */
#define COVERED_LEAST 0.95
#define IDLE_MOST     0.01
/* Instructions or cycles of a thread a ns of computing: ten processors of 10 GHz with ten
   instructions a cycle in one; a read may be of more than the computing that it belongs to. */
#define COUNTED_MOST 1000.0

const struct prvcut_efficiency_sum *prvcut_efr_sum(const struct efr_maker *m, uint32_t thread)
{
    return &m->found->sum[m->stretch * m->found->threads + thread];
}

bool prvcut_efr_has_task(const struct efr_maker *m, uint32_t task)
{
    return prvcut_efficiency_program_has(m->programs, m->program, task);
}

bool prvcut_efr_has(const struct efr_maker *m, uint32_t thread)
{
    return prvcut_efr_has_task(m, m->found->objects->thread_task[thread]);
}

struct prvcut_span prvcut_efr_window(const struct efr_maker *m, uint32_t thread)
{
    const struct prvcut_efficiency_reach *reach = &m->found->reach[thread];

    if (m->in->own_starts && !m->in->own_told)
        return reach->states ? (struct prvcut_span){ reach->first_state, reach->last_state }
                             : (struct prvcut_span){ reach->first, reach->last };
    return m->found->window[m->stretch * m->found->threads + thread];
}

uint64_t prvcut_efr_outside(const struct efr_maker *m, uint32_t thread)
{
    const struct prvcut_efficiency_sum *s = prvcut_efr_sum(m, thread);

    if (!m->found->reach[thread].calls)
        return s->running;
    return s->outside - (s->waits < s->outside ? s->waits : s->outside);
}

uint64_t prvcut_efr_computing(const struct efr_maker *m, uint32_t thread)
{
    return m->outside ? prvcut_efr_outside(m, thread) : prvcut_efr_sum(m, thread)->running;
}

double prvcut_efr_unstated(const struct efr_maker *m)
{
    const bool alone = m->out->is.by == PRVCUT_EFFICIENCY_BY_RUN;
    const size_t end = alone ? m->stretch + 1 : m->found->stretches;
    struct efr_maker at = *m;
    double all = 0, stated = 0;

    if (m->outside || !m->computes)
        return 0;
    for (at.stretch = alone ? m->stretch : m->in->skip; at.stretch < end; at.stretch++)
        for (uint32_t i = 0; i < m->found->threads; i++) {
            const struct prvcut_span w = prvcut_efr_window(&at, i);

            if (!prvcut_efr_has(m, i) || w.end <= w.start)
                continue;
            all += (double)(w.end - w.start);
            stated += (double)prvcut_efr_sum(&at, i)->stated;
        }
    return stated < all ? 1 - stated / all : 0;
}

double prvcut_efr_counted(const struct efr_maker *m, uint32_t thread, unsigned counter)
{
    const struct prvcut_efficiency_sum *s = prvcut_efr_sum(m, thread);
    const uint32_t bit = counter == PRVCUT_EFFICIENCY_CYCLES ? PRVCUT_EFFICIENCY_ANY_CYCLES
                                                             : PRVCUT_EFFICIENCY_ANY_INSTRUCTIONS;

    return m->is.any & bit && m->computes
               ? (double)s->counted.count[counter] + s->counted.part[counter]
               : (double)NAN;
}

bool prvcut_efr_is_beyond(const struct efr_maker *m, uint32_t thread, unsigned counter)
{
    return prvcut_efr_counted(m, thread, counter) >
           COUNTED_MOST * (double)prvcut_efr_computing(m, thread);
}

/* Why sums of a counter tell nothing: it did not count in all that threads computed. NULL: it did.
 *share: of the computing, in which it counted */
const char *prvcut_efr_uncovered(const struct efr_maker *m, unsigned counter, double *share)
{
    const uint32_t threads = m->found->threads;
    double covered = 0, computing = 0;

    for (uint32_t i = 0; i < threads; i++) {
        if (!prvcut_efr_has(m, i))
            continue;
        covered += (double)prvcut_efr_sum(m, i)->counted.covered[counter];
        computing += (double)prvcut_efr_computing(m, i);
    }
    *share = computing > 0 ? covered / computing : 1;
    for (uint32_t i = 0; i < threads; i++)
        if (prvcut_efr_has(m, i) && prvcut_efr_sum(m, i)->counted.covered[counter] == 0 &&
            (double)prvcut_efr_computing(m, i) > IDLE_MOST * computing / m->is.threads)
            return "not all threads that compute have counters";
    for (uint32_t i = 0; i < threads; i++)
        if (prvcut_efr_has(m, i) && prvcut_efr_is_beyond(m, i, counter))
            return "counters counted more than a processor can";
    return *share < COVERED_LEAST ? "counters counted in less than 95 % of the computing" : NULL;
}
