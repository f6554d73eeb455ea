#include "paraver/cut.h"

enum prvcut_status prv_cut_tell(const struct prv_cut_progress *p, struct prvcut_error *err)
{
    const struct prvcut_run *run = p->run;

    if (run->stop && run->stop(run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (run->progress)
        run->progress(run->ctx, PRVCUT_PHASE_CUTTING, p->done * PRV_BLOCK, p->all * PRV_BLOCK);
    return PRVCUT_OK;
}

void prv_cut_seek(struct prv_cutter *c)
{
    c->block = prv_index_find(&c->trace->index, c->block, c->first_from, c->last_to);
}
