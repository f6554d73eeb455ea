#include "analysis/efficiency/efficiency_programs.h"

#include "base/memory.h"

#include <stdlib.h>

static bool efp_recorded(const struct prvcut_efficiency_found *f, uint32_t application)
{
    const struct prvcut_objects *o = f->objects;
    const uint32_t *task = o->application_first_task;

    for (uint32_t i = o->task_first_thread[task[application]];
         i < o->task_first_thread[task[application + 1]]; i++)
        if (f->reach[i].seen)
            return true;
    return false;
}

static void efp_find(struct prvcut_efficiency_programs *p)
{
    const uint32_t applications = p->found->objects->applications;

    /* Marks first, which the list then takes the place of. */
    for (uint32_t i = 0; i < applications; i++)
        p->first[p->found->program[i]] |= efp_recorded(p->found, i);
    for (uint32_t i = 0; i < applications; i++)
        p->empty += !p->first[p->found->program[i]];
    for (uint32_t i = 0; i < applications; i++)
        if (p->first[i])
            p->first[p->count++] = i;
    if (p->count > 0)
        return;
    p->empty = 0;
    p->count = 1;
}

enum prvcut_status prvcut_efficiency_programs_init(struct prvcut_efficiency_programs *p,
                                                   const struct prvcut_efficiency_found *found,
                                                   struct prvcut_error *err)
{
    *p = (struct prvcut_efficiency_programs){ .found = found };
    p->first = prvcut_zeroed((size_t)found->objects->applications + 1, sizeof *p->first,
                             "applications", err);
    if (!p->first)
        return PRVCUT_ENOMEM;
    efp_find(p);
    return PRVCUT_OK;
}

void prvcut_efficiency_programs_fini(struct prvcut_efficiency_programs *p)
{
    free(p->first);
    *p = (struct prvcut_efficiency_programs){ .count = 0 };
}

static bool efp_has_application(const struct prvcut_efficiency_programs *p, size_t i,
                                uint32_t application)
{
    return (p->count == 1 && p->empty == 0) || p->found->program[application] == p->first[i];
}

bool prvcut_efficiency_program_has(const struct prvcut_efficiency_programs *p, size_t i,
                                   uint32_t task)
{
    return efp_has_application(p, i, prvcut_objects_application(p->found->objects, task));
}

enum prvcut_status prvcut_efficiency_program_made(const struct prvcut_efficiency_programs *p,
                                                  size_t i, const struct prvcut_dictionary *names,
                                                  struct prvcut_program **out,
                                                  struct prvcut_error *err)
{
    const uint32_t applications = p->found->objects->applications;
    const struct prvcut_program_tally **tally =
        prvcut_zeroed((size_t)applications + 1, sizeof *tally, "applications", err);
    struct prvcut_program *made = prvcut_zeroed(1, sizeof *made, "calls", err);
    enum prvcut_status st = tally && made ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (uint32_t a = 0; a < applications && st == PRVCUT_OK; a++)
        tally[a] = efp_has_application(p, i, a) ? p->found->called[a] : NULL;
    if (st == PRVCUT_OK)
        st = prvcut_program_of(made, tally, applications, prvcut_efficiency_program_of(p, i).tasks,
                               names, p->count == 1, err);
    free(tally);
    if (st < 0)
        prvcut_program_free(made);
    *out = st < 0 ? NULL : made;
    return st;
}

struct prvcut_efficiency_program prvcut_efficiency_program_of(
    const struct prvcut_efficiency_programs *p, size_t i)
{
    const struct prvcut_objects *o = p->found->objects;
    struct prvcut_efficiency_program out = { .any = 0 };

    if (p->count == 1 && p->empty == 0)
        return (struct prvcut_efficiency_program){ p->found->any, o->tasks, o->threads,
                                                   o->applications };
    for (uint32_t a = 0; a < o->applications; a++) {
        const uint32_t first = o->application_first_task[a], end = o->application_first_task[a + 1];

        if (p->found->program[a] != p->first[i])
            continue;
        out.any |= p->found->any_of[a];
        out.tasks += end - first;
        out.threads += o->task_first_thread[end] - o->task_first_thread[first];
        out.applications++;
    }
    return out;
}

size_t prvcut_efficiency_program_main(const struct prvcut_efficiency_programs *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (prvcut_efficiency_program_of(p, i).any & PRVCUT_EFFICIENCY_ANY_CALL)
            return i;
    return 0;
}
