#include "base/memory.h"
#include "paraver/write.h"

#include "paraver/date.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Longest "cpu:application:task:thread:". */
#define PREFIX_MAX ((size_t)48)

/* Where nothing is known of the processors: one a thread, as Extrae has it. */
static uint32_t *write_header_node_cpus(const struct prvcut_objects *o)
{
    uint32_t *cpus = prvcut_zeroed((size_t)o->nodes + 1, sizeof *cpus, "nodes", NULL);

    for (uint32_t n = 0; cpus && n < o->nodes && o->node_cpus; n++)
        cpus[n] = o->node_cpus[n];
    for (uint32_t n = 0; cpus && n < o->nodes; n++) {
        if (cpus[n] > 0)
            continue;
        for (uint32_t t = 0; t < o->tasks; t++)
            if (o->task_node[t] == n)
                cpus[n] += o->task_first_thread[t + 1] - o->task_first_thread[t];
        /* A node without processors would not load. */
        cpus[n] += cpus[n] == 0;
    }
    return cpus;
}

static uint32_t write_header_node_of(const struct prvcut_objects *o, uint32_t task)
{
    return o->task_node && o->task_node[task] < o->nodes ? o->task_node[task] : 0;
}

enum prvcut_status prv_write_prefixes(const struct prvcut_objects *o, char **prefix,
                                      size_t **prefix_at, struct prvcut_error *err)
{
    uint32_t *cpus = write_header_node_cpus(o),
             *first = prvcut_zeroed((size_t)o->nodes + 1, sizeof *first, "nodes", NULL);
    uint32_t *used = prvcut_zeroed((size_t)o->nodes + 1, sizeof *used, "nodes", NULL);
    size_t count = 0;
    bool room;

    *prefix_at = prvcut_zeroed((size_t)o->threads + 1, sizeof **prefix_at, "threads", NULL);
    *prefix = prvcut_unset((size_t)o->threads + 1, PREFIX_MAX, "threads", NULL);
    for (uint32_t n = 1; cpus && first && n < o->nodes; n++)
        first[n] = first[n - 1] + cpus[n - 1];
    for (uint32_t t = 0; cpus && first && used && *prefix && *prefix_at && t < o->threads; t++) {
        const uint32_t node = write_header_node_of(o, o->thread_task[t]);
        uint32_t application, task, number, cpu = 0;

        prvcut_objects_name(o, t, &application, &task, &number);
        if (o->nodes > 0)
            cpu = first[node] + used[node]++ % cpus[node] + 1;
        count += (size_t)snprintf(*prefix + count, PREFIX_MAX,
                                  "%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":", cpu,
                                  application, task, number);
        (*prefix_at)[t + 1] = count;
    }
    room = cpus && first && used && *prefix && *prefix_at;
    free(cpus);
    free(first);
    free(used);
    return room ? PRVCUT_OK : prvcut_no_memory(err, "threads");
}

static void write_header_put_date(struct prvcut_put *to, int64_t wall_clock)
{
    char date[PRV_DATE_ROOM];

    if (wall_clock == INT64_MIN)
        wall_clock = time(NULL);
    prvcut_put_printf(to, "#Paraver (%s):", prv_date_text(date, wall_clock));
}

static void write_header_put_nodes(struct prvcut_put *to, const struct prvcut_objects *o)
{
    uint32_t *cpus = write_header_node_cpus(o);

    if (!cpus && to->st == PRVCUT_OK)
        to->st = prvcut_no_memory(to->err, "nodes");
    prvcut_put_printf(to, o->nodes > 0 ? "%" PRIu32 "(" : "%" PRIu32, o->nodes);
    for (uint32_t n = 0; cpus && n < o->nodes; n++)
        prvcut_put_printf(to, "%" PRIu32 "%s", cpus[n], n + 1 < o->nodes ? "," : ")");
    free(cpus);
}

static void write_header_put_tasks(struct prvcut_put *to, const struct prvcut_objects *o)
{
    prvcut_put_printf(to, ":%" PRIu32, o->applications);
    for (uint32_t a = 0; a < o->applications; a++) {
        const uint32_t first = o->application_first_task[a], end = o->application_first_task[a + 1];

        prvcut_put_printf(to, ":%" PRIu32 "(", end - first);
        for (uint32_t t = first; t < end; t++)
            prvcut_put_printf(to, "%s%" PRIu32 ":%" PRIu32, t > first ? "," : "",
                              o->task_first_thread[t + 1] - o->task_first_thread[t],
                              o->nodes > 0 ? write_header_node_of(o, t) + 1 : 0);
        prvcut_put_string(to, ")");
    }
}

/* Of an intercommunicator the model knows no members: there is nothing to write. */
static void write_header_put_communicators(struct prvcut_put *to, const struct prvcut_objects *o)
{
    for (uint32_t i = 0; i < o->communicators; i++) {
        const struct prvcut_communicator *c = &o->communicator[i];

        if (c->count == 0)
            continue;
        prvcut_put_printf(to, "c:%" PRIu32 ":%" PRIu32 ":%" PRIu32, c->application + 1, c->id,
                          c->count);
        for (uint32_t m = c->first; m < c->first + c->count; m++)
            prvcut_put_printf(to, ":%" PRIu32,
                              o->member[m] - o->application_first_task[c->application] + 1);
        prvcut_put_string(to, "\n");
    }
}

void prv_write_header(struct prvcut_put *to, const struct prvcut_outline *o)
{
    uint32_t communicators = 0;

    for (uint32_t i = 0; i < o->objects->communicators; i++)
        communicators += o->objects->communicator[i].count > 0;
    write_header_put_date(to, o->wall_clock);
    prvcut_put_printf(to, "%" PRIu64 "_ns:", o->end_ns);
    write_header_put_nodes(to, o->objects);
    write_header_put_tasks(to, o->objects);
    prvcut_put_printf(to, ",%" PRIu32 "\n", communicators);
    write_header_put_communicators(to, o->objects);
    if (o->command)
        prvcut_put_printf(to, "#prvcut %s: %s\n", PRVCUT_VERSION, o->command);
    for (uint32_t i = 0; o->own_window && i < o->objects->threads; i++)
        prvcut_put_printf(to,
                          "#prvcut windows of threads from %" PRIu32 ": %" PRIu64 "-%" PRIu64 "\n",
                          i + 1, o->own_window[i].start, o->own_window[i].end);
}
