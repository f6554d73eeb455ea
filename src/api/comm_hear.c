#include "api/comm_hear.h"

#include "base/memory.h"

#include <stdlib.h>

enum prvcut_status api_comm_hear(struct api_comm_hearing **out, struct prvcut_trace *trace,
                                 struct prvcut_error *err)
{
    struct api_comm_hearing *h = *out = prvcut_zeroed(1, sizeof *h, "messages", err);
    enum prvcut_status st;

    if (!h)
        return PRVCUT_ENOMEM;
    h->all.window.to = UINT64_MAX;
    st = prvcut_comm_hear(&h->hearing, &h->found, trace, &h->all, 1, err);
    if (st == PRVCUT_OK)
        h->beside.sink = prvcut_comm_hearing_sink(h->hearing);
    return st;
}

struct prvcut_waits_beside *api_comm_beside(struct api_comm_hearing *h)
{
    return h ? &h->beside : NULL;
}

void api_comm_hearing_free(struct api_comm_hearing *h)
{
    if (!h)
        return;
    prvcut_comm_hearing_free(h->hearing);
    prvcut_comm_found_fini(&h->found);
    free(h);
}
