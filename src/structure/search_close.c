#include "structure/search.h"

#include "base/memory.h"

#include <stdlib.h>

/* Calls of a sequence that belong here. */
static size_t close_stop(const struct prvcut_search_input *in, size_t i)
{
    return in->to ? in->to[i] : in->sequence[i].count;
}

enum prvcut_status prvcut_search_close(struct prvcut_call_loop *l,
                                       const struct prvcut_search_input *in,
                                       struct prvcut_error *err)
{
    size_t *stop = prvcut_unset(in->sequences + 1, sizeof *stop, "sequences", err);
    uint64_t *end = prvcut_unset(in->sequences + 1, sizeof *end, "sequences", err);
    enum prvcut_status st = stop && end ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t i = 0; st == PRVCUT_OK && i < in->sequences; i++) {
        const struct prvcut_call_sequence *q = &in->sequence[i];

        stop[i] = close_stop(in, i);
        end[i] = stop[i] < q->count ? q->at[stop[i]].time : in->span.end;
    }
    if (st == PRVCUT_OK)
        st = prvcut_call_loop_close(l, stop, end, err);
    free(stop);
    free(end);
    return st;
}
