#include "structure/first_delay.h"

#include "base/memory.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>

/*
 * Set by hand on made runs whose threads begin their loop at different times.
 *
 * name         value  unit                     decides
 */
#define FDL_LEAST 3    /* iterations               that tell what is usual */
#define FDL_MET   0.02 /* of an iteration          threads that begin it so near have met */
#define FDL_LATE                                                                                   \
    0.5 /* of what one is longer    where threads are late by so much, it is all theirs */

enum prvcut_status prvcut_first_delay_init(struct prvcut_first_delay *d,
                                           const struct prvcut_known_loop *f,
                                           struct prvcut_error *err)
{
    const struct prvcut_call_loop *l = &f->calls;
    const size_t leader = prvcut_known_loop_leader(f);
    const size_t count = leader < l->sequences ? l->borders[leader] - 1 : 0;

    *d = (struct prvcut_first_delay){ .calls = l, .count = count >= FDL_LEAST ? count : 0 };
    d->ns = prvcut_zeroed(d->count + 1, sizeof *d->ns, "iterations", err);
    d->room = prvcut_zeroed(d->count + 1, sizeof *d->room, "iterations", err);
    d->last = prvcut_zeroed(d->count + 1, sizeof *d->last, "iterations", err);
    if (!d->ns || !d->room || !d->last)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; d->count > 0 && k < l->sequences; k++)
        for (size_t i = 0; i < d->count && l->borders[k] == count + 1; i++)
            if (l->border[k][i] > d->last[i])
                d->last[i] = l->border[k][i];
    return PRVCUT_OK;
}

void prvcut_first_delay_fini(struct prvcut_first_delay *d)
{
    free(d->ns);
    free(d->room);
    free(d->last);
    *d = (struct prvcut_first_delay){ .count = 0 };
}

void prvcut_first_delay_of(struct prvcut_first_delay *d, size_t sequence)
{
    const uint64_t *border = d->calls->border[sequence];
    const size_t first = d->calls->calls_per_iteration == 1;
    double usual, length, left;

    for (size_t i = 0; i < d->count; i++)
        d->room[i] = (double)(d->last[i] - border[i]);
    if (d->count == 0)
        return;
    left = d->room[first];
    usual = prvcut_median(d->room + 1, d->count - 1);
    left -= usual;
    for (size_t i = 0; i < d->count; i++)
        d->room[i] = (double)(border[i + 1] - border[i]);
    length = prvcut_median(d->room, d->count);
    for (size_t i = 0; i < d->count; i++)
        d->ns[i] = i < first ? HUGE_VAL : 0;
    /* From one to the next thread it takes an iteration, if all others are between them. */
    for (size_t i = first; i < d->count && i <= first + d->calls->followers; i++) {
        const double late = fmin(left, (double)(d->last[i] - border[i]) - usual);

        if (!(late > FDL_MET * length))
            return;
        d->ns[i] = late;
        left -= fmax(0, fmin(late, (double)(border[i + 1] - border[i]) - length));
    }
}

double prvcut_first_delay_off(double longer, double delay)
{
    if (!(longer > 0 && delay > 0))
        return longer;
    /* Who is late keeps others waiting, and these again others: it is more than that alone. */
    return delay < FDL_LATE * longer ? longer - delay : 0;
}
