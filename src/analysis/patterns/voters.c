#include "analysis/patterns/voters.h"

#include "base/buffer.h"

#include <stdlib.h>

enum prvcut_status pat_voters_note(struct pat_voters *v, const struct pat_thread *t,
                                   struct prvcut_error *err)
{
    if (t->calls == 0 || (v->mpi && t->regions))
        return PRVCUT_OK;
    if (!t->regions && !v->mpi)
        v->busies = 0;
    v->mpi |= !t->regions;
    if (prvcut_grow((void **)&v->busy, &v->room, v->busies + 1, sizeof *v->busy, err) < 0)
        return PRVCUT_ENOMEM;
    v->busy[v->busies++] = t->thread;
    return PRVCUT_OK;
}

bool pat_voters_has(const struct pat_voters *v, uint32_t thread)
{
    return v->busies > 0 && (thread == v->busy[0] || thread == v->busy[v->busies / 2] ||
                             thread == v->busy[v->busies - 1]);
}

void pat_voters_fini(struct pat_voters *v)
{
    free(v->busy);
    *v = (struct pat_voters){ .busy = NULL };
}
