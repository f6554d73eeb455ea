#include "structure/last_call.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Iterations before the last one that tell what is usual, at most. */
#define LCL_OTHERS 64

/* ns from where an iteration begins to its last call; 0: there is none behind its first. */
static double lcl_reach(const struct prvcut_call_sequence *s, uint64_t begin, uint64_t end)
{
    const size_t at =
        prvcut_lower_u64(s->at, s->count, sizeof *s->at, offsetof(struct prvcut_call, time), end);

    return at > 0 && s->at[at - 1].time > begin ? (double)(s->at[at - 1].time - begin) : 0;
}

enum prvcut_status prvcut_last_call_find(double *ns, const struct prvcut_known_loop *f,
                                         const uint64_t *border, size_t borders,
                                         struct prvcut_error *err)
{
    const size_t leader = prvcut_known_loop_leader(f);
    double *room;

    if (leader >= f->calls.sequences || borders < 2)
        return PRVCUT_OK;
    room = prvcut_unset(borders, sizeof *room, "iterations", err);
    if (!room)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i + 1 < borders; i++)
        room[i] = lcl_reach(&f->sequence[leader], border[i], border[i + 1]);
    *ns = prvcut_median(room, borders - 1);
    free(room);
    return PRVCUT_OK;
}

/* When the last call of any thread begins in an iteration of its own, ns after the one that leads
   begins it. */
static double lcl_reach_all(const struct prvcut_known_loop *f, size_t leader, size_t iteration)
{
    const struct prvcut_call_loop *l = &f->calls;
    const uint64_t begin = l->border[leader][iteration];
    double last = 0;

    for (size_t i = 0; i < l->sequences; i++)
        if (l->borders[i] == l->borders[leader]) {
            const uint64_t own = l->border[i][iteration];

            last = fmax(last, lcl_reach(&f->sequence[i], own, l->border[i][iteration + 1]) +
                                  ((double)own - (double)begin));
        }
    return last;
}

double prvcut_last_call_excess(const struct prvcut_known_loop *f, uint64_t begin)
{
    const size_t leader = prvcut_known_loop_leader(f);
    double room[LCL_OTHERS], usual;
    size_t at, others;

    if (leader >= f->calls.sequences)
        return HUGE_VAL;
    at = prvcut_lower_u64(f->calls.border[leader], f->calls.borders[leader],
                          sizeof *f->calls.border[leader], 0, begin);
    if (at == 0 || at + 1 >= f->calls.borders[leader] || f->calls.border[leader][at] != begin)
        return HUGE_VAL;
    others = at < LCL_OTHERS ? at : LCL_OTHERS;
    for (size_t i = 0; i < others; i++)
        room[i] = lcl_reach_all(f, leader, at - 1 - i);
    usual = prvcut_median(room, others);
    return usual > 0 ? lcl_reach_all(f, leader, at) / usual - 1 : HUGE_VAL;
}
