#include "structure/known.h"

#include <stdlib.h>

static void known_loop_fini(struct prvcut_known_loop *f)
{
    prvcut_call_loop_fini(&f->calls);
    for (size_t i = 0; i < f->owned; i++)
        free(f->own[i].at);
    free(f->own);
    if (f->own_signal)
        free(f->signal.at);
    free(f->borders.at);
}

void prvcut_known_loops_fini(struct prvcut_known_loops *f)
{
    for (size_t i = 0; i < f->count; i++)
        known_loop_fini(&f->at[i]);
    free(f->at);
    free(f->of_region);
    *f = (struct prvcut_known_loops){ 0 };
}
