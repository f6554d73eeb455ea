#include "api/job.h"

#include "api/select.h"

#include <stdlib.h>
#include <string.h>

/* Bytes on disk of a trace that is read once more without being asked for. */
#define CHEAP (UINT64_C(1) << 30)

bool job_names_region(const char *regions)
{
    return regions && strcmp(regions, "longest") != 0 && strcmp(regions, "all") != 0;
}

unsigned job_deepest(const struct prvcut_reduce_options *o)
{
    unsigned deepest = o->level > 1 ? o->level : 1;

    if (o->levels && strcmp(o->levels, "all") == 0)
        return 0;
    for (const char *at = o->levels; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strtoul(at, NULL, 10) > deepest)
            deepest = (unsigned)strtoul(at, NULL, 10);
    for (const char *at = job_names_region(o->regions) ? o->regions : NULL; at;
         at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        struct prvcut_region_name name;

        if (prvcut_region_parse(at, o->level, &name) && name.level > deepest)
            deepest = name.level;
    }
    return deepest;
}

bool job_names_iterations(const struct prvcut_reduce_options *o)
{
    return o->first_iteration > 0 && o->only.start == 0;
}

bool job_is_by_default(const struct prvcut_reduce_options *o)
{
    return o->level == 0 && !o->levels && !o->regions && o->first_iteration == 0;
}

unsigned job_default_level(const struct job *j)
{
    const bool inside =
        job_has_loop_of_two(j) && prvcut_region_longest(&j->out->structure, 2) != SIZE_MAX;

    return inside && job_is_by_default(j->options) ? 2 : 1;
}

/* Another pass costs a third of the whole job. */
bool job_proves(const struct job *j)
{
    const struct prvcut_reduce_options *o = j->options;

    return o->proof || o->report || o->kinds || (o->cheap_proof && j->trace->bytes <= CHEAP);
}

bool job_compares(const struct job *j)
{
    return job_proves(j) || j->options->cheap_proof;
}
