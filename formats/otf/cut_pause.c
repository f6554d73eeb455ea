#include "otf/cut.h"

enum prvcut_status otf_cut_pause(void *cutter, uint64_t bytes, struct prvcut_error *err)
{
    struct otf_cutter *c = cutter;
    const enum prvcut_phase phase = c->marker  ? PRVCUT_PHASE_MARKING
                                    : c->sieve ? PRVCUT_PHASE_FILTERING
                                               : PRVCUT_PHASE_CUTTING;
    bool stop;

    pthread_mutex_lock(&c->lock);
    c->done += bytes;
    if (c->run->progress)
        c->run->progress(c->run->ctx, phase, c->done < c->total ? c->done : c->total, c->total);
    stop = c->run->stop && c->run->stop(c->run->ctx);
    pthread_mutex_unlock(&c->lock);
    return stop ? prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted") : PRVCUT_OK;
}
