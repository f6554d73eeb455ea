#include "stream/members.h"

#include <stddef.h>
#include <stdint.h>

/* Calls that one member may have made before the other one's first. */
#define SHIFTS 4
/* Calls that fit for one that does not, and that do not in another order. */
#define FIT_MOST 10

/* Two sequences, one of which has made some calls before the other's first. */
struct members_order {
    const void *part;   /* the same collective as the one in question; NULL: none */
    size_t fit, misfit; /* calls that are one collective, or lack the other's part */
};

/* more: how many calls member 1 has made before member 0's first; below 0: 0 before that of 1 */
static struct members_order members_order_of(const struct stm_members *m, int more,
                                             const void *call)
{
    struct members_order o = { .part = NULL };
    const void *last[2] = { NULL, NULL };

    for (; more != 0; more += more > 0 ? -1 : 1) {
        const unsigned i = more > 0;

        last[i] = m->next(m->ctx, i, last[i]);
        if (!last[i] || last[i] == call)
            return o;
        o.misfit += !m->alone(m->ctx, last[i], false);
    }
    for (bool more_a = true, more_b = true; more_a || more_b;) {
        const void *a = more_a ? m->next(m->ctx, 0, last[0]) : NULL;
        const void *b = more_b ? m->next(m->ctx, 1, last[1]) : NULL;
        const bool fit = a && b && m->fit(m->ctx, a, b);

        if (fit)
            o.fit++;
        else if ((a && b) || (a && !m->alone(m->ctx, a, true)) || (b && !m->alone(m->ctx, b, true)))
            o.misfit++;
        o.part = a == call && fit ? b : o.part;
        more_a = a;
        more_b = b;
        last[0] = a;
        last[1] = b;
    }
    return o;
}

const void *stm_members_part(const struct stm_members *m, const void *call)
{
    struct members_order best = { .misfit = SIZE_MAX };
    size_t next = SIZE_MAX; /* that do not fit in the best of all others */

    for (int more = -SHIFTS; more <= SHIFTS; more++) {
        const struct members_order o = members_order_of(m, more, call);
        const bool better = o.fit > 0 && o.misfit < best.misfit;

        if (o.fit > 0 && !better)
            next = o.misfit < next ? o.misfit : next;
        if (better)
            next = best.misfit < next ? best.misfit : next;
        best = better ? o : best;
    }
    return best.fit >= FIT_MOST * best.misfit && next > FIT_MOST * best.misfit ? best.part : NULL;
}
