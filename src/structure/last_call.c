#include "structure/last_call.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"

#include <stddef.h>
#include <stdlib.h>

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
