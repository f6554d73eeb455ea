#include "match/members.h"

/* Calls that one member may have made before the other one's first. */
#define SHIFTS 4
/* Of many members: the same, and calls that are compared to find that out. */
#define SHIFT_MOST 16
#define SAMPLES    64
/* Calls that fit for one that does not, and that do not in another order. */
#define FIT_MOST 10

/* Two sequences, one of which has made some calls before the other's first. */
struct members_order {
    const void *part;   /* the same collective as the one in question; NULL: none */
    size_t fit, misfit; /* calls that are one collective, or lack the other's part */
};

/* more: how many calls member 1 has made before member 0's first; below 0: 0 before that of 1 */
static struct members_order members_order_of(const struct prvcut_members *m, int more,
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

const void *prvcut_members_part(const struct prvcut_members *m, const void *call)
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

static uint64_t members_apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/*
 * How badly two members' collectives fit, the k-th of one to the (k + shift)-th of the other: they
 * should overlap in time, and end together where everybody waits for everybody.
 */
static double members_misfit(const struct prvcut_member_sequence *a,
                             const struct prvcut_member_sequence *b, long shift)
{
    const size_t from = shift < 0 ? (size_t)-shift : 0;
    size_t n = 0, step;
    double sum = 0;

    while (from + n < a->count && (size_t)((long)(from + n) + shift) < b->count)
        n++;
    if (n == 0)
        return -1;
    step = n / SAMPLES + 1;
    for (size_t k = from; k < from + n; k += step) {
        const struct prvcut_member_part x = a->part(a->ctx, k),
                                        y = b->part(b->ctx, (size_t)((long)k + shift));
        const uint64_t gap = x.begin > y.end   ? x.begin - y.end
                             : y.begin > x.end ? y.begin - x.end
                                               : 0;

        sum += 4 * (double)gap + (double)members_apart(x.end, y.end);
        if (x.call != y.call)
            sum += 1e15;
    }
    return sum / (double)((n + step - 1) / step);
}

long prvcut_members_shift(const struct prvcut_member_sequence *a,
                          const struct prvcut_member_sequence *b)
{
    double best = -1;
    long found = 0;

    for (long i = 0; i <= 2 * SHIFT_MOST; i++) {
        /* The smallest shifts first: they win where nothing tells them apart. */
        const long shift = i % 2 ? (i + 1) / 2 : -i / 2;
        const double now = members_misfit(a, b, shift);

        if (now < 0 || (best >= 0 && now >= best))
            continue;
        best = now;
        found = shift;
    }
    return found;
}
