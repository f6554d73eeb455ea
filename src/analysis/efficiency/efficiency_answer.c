#include "analysis/efficiency/efficiency_runs.h"

#include <math.h>
#include <stdlib.h>

void prvcut_efficiency_free(struct prvcut_efficiency *e)
{
    if (e)
        prvcut_efficiency_runs_fini((struct made_efficiency *)e);
    free(e);
}

const struct prvcut_efficiency_group *prvcut_efficiency_group(const struct prvcut_efficiency *e,
                                                              size_t i)
{
    return i < e->groups ? &made_efficiency_of(e)->group[i].is : NULL;
}

const struct prvcut_efficiency_run *prvcut_efficiency_run(const struct prvcut_efficiency *e,
                                                          size_t i)
{
    return i < e->runs ? &made_efficiency_of(e)->run[i].is : NULL;
}

double prvcut_efficiency_factor(const struct prvcut_efficiency_run *r, enum prvcut_pop factor)
{
    return (unsigned)factor < PRVCUT_POPS ? made_efficiency_run_of(r)->factor[factor] : (double)NAN;
}

const struct prvcut_efficiency_rank *prvcut_efficiency_rank(const struct prvcut_efficiency_run *r,
                                                            size_t i)
{
    return i < r->ranks ? &made_efficiency_run_of(r)->rank[i] : NULL;
}

const struct prvcut_efficiency_reason *prvcut_efficiency_reason(
    const struct prvcut_efficiency_run *r, size_t i)
{
    return i < r->reasons ? &made_efficiency_run_of(r)->reason[i] : NULL;
}

const char *prvcut_efficiency_note(const struct prvcut_efficiency_run *r, size_t i)
{
    return i < r->notes ? made_efficiency_run_of(r)->note[i] : NULL;
}
