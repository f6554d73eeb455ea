#include "api/phase.h"

static void phase_rename_phase(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    const struct api_phase *p = ctx;

    (void)phase;
    p->of->progress(p->of->ctx, p->phase, done, total);
}

static bool phase_pass_stop_on(void *ctx)
{
    const struct api_phase *p = ctx;

    return p->of->stop(p->of->ctx);
}

void api_phase_init(struct api_phase *p, const struct prvcut_run *run, enum prvcut_phase phase)
{
    *p = (struct api_phase){ .run = *run, .of = run, .phase = phase };
    p->run.ctx = p;
    p->run.stop = run->stop ? phase_pass_stop_on : NULL;
    p->run.progress = run->progress ? phase_rename_phase : NULL;
}
