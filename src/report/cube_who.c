#include "report/cube_who.h"

#include "base/memory.h"

#include <stdlib.h>

static const char *cube_who_name(const char *const *name, uint32_t i)
{
    return name ? name[i] : NULL;
}

/* A trace without nodes has them all on one. */
static uint32_t cube_who_node(const struct prvcut_objects *o, uint32_t task)
{
    return o->nodes > 0 && o->task_node[task] < o->nodes ? o->task_node[task] : 0;
}

enum prvcut_status report_cube_who_init(struct report_cube_who *w, const struct prvcut_objects *o,
                                        const struct prvcut_dictionary *names,
                                        struct prvcut_error *err)
{
    *w = (struct report_cube_who){ .nodes = o->nodes > 0 ? o->nodes : 1,
                                   .processes = o->tasks,
                                   .threads = o->threads };
    w->node = prvcut_zeroed(w->nodes, sizeof *w->node, "nodes", err);
    w->process = prvcut_zeroed(w->processes, sizeof *w->process, "tasks", err);
    w->thread = prvcut_zeroed(w->threads, sizeof *w->thread, "threads", err);
    if (!w->node || !w->process || !w->thread)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; names && i < o->nodes; i++)
        w->node[i] = cube_who_name(names->node, i);
    for (uint32_t i = 0; i < o->tasks; i++)
        w->process[i] = (struct report_cube_process){ cube_who_node(o, i), i, NULL };
    for (uint32_t i = 0; i < o->threads; i++) {
        const uint32_t task = o->thread_task[i];

        w->thread[i] =
            (struct report_cube_thread){ task, i - o->task_first_thread[task],
                                         names ? cube_who_name(names->thread, i) : NULL };
    }
    return PRVCUT_OK;
}

/* The most threads that a process has. */
static uint32_t cube_who_most(const struct report_cube_who *w)
{
    uint32_t most = 1;

    for (size_t i = 0; i < w->threads; i++)
        most = w->thread[i].number >= most ? w->thread[i].number + 1 : most;
    return most;
}

enum prvcut_status report_cube_who_place(struct report_cube_who *w, const char *name,
                                         const uint32_t *dim, size_t dimensions, bool periodic,
                                         struct prvcut_error *err)
{
    static const char *const axis[] = { "x", "y", "z" };
    const uint32_t most = cube_who_most(w);
    const size_t all = dimensions + (most > 1);

    w->at = prvcut_zeroed(w->threads * all + 1, sizeof *w->at, "a topology", err);
    if (!w->at)
        return PRVCUT_ENOMEM;
    for (size_t d = 0; d < dimensions; d++)
        w->dimension[d] = (struct report_cube_dimension){ axis[d], dim[d], periodic };
    if (most > 1)
        w->dimension[dimensions] = (struct report_cube_dimension){ "thread", most, false };
    for (size_t i = 0; i < w->threads; i++) {
        uint32_t rank = w->thread[i].process;

        for (size_t d = 0; d < dimensions; d++, rank /= dim[d - 1])
            w->at[i * all + d] = rank % dim[d];
        if (most > 1)
            w->at[i * all + dimensions] = w->thread[i].number;
    }
    w->topology = (struct report_cube_topology){ name, w->dimension, all, w->at };
    return PRVCUT_OK;
}

void report_cube_who_fini(struct report_cube_who *w)
{
    free(w->node);
    free(w->process);
    free(w->thread);
    free(w->at);
}

void report_cube_who_set(struct report_cube *c, const struct report_cube_who *w)
{
    c->node = w->node;
    c->nodes = w->nodes;
    c->process = w->process;
    c->processes = w->processes;
    c->thread = w->thread;
    c->threads = w->threads;
    c->topology = &w->topology;
    c->topologies = w->topology.dimensions > 0;
}
