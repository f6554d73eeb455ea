#include "model/objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void prvcut_objects_fini(struct prvcut_objects *o)
{
    free(o->application_first_task);
    free(o->task_first_thread);
    free(o->task_node);
    free(o->node_cpus);
    free(o->thread_task);
    free(o->communicator);
    free(o->member);
    memset(o, 0, sizeof *o);
}

void prvcut_objects_name(const struct prvcut_objects *o, uint32_t thread, uint32_t *application,
                         uint32_t *task, uint32_t *number)
{
    uint32_t owner = o->thread_task[thread];
    uint32_t low = 0;

    for (uint32_t high = o->applications; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;

        if (o->application_first_task[middle] <= owner)
            low = middle;
        else
            high = middle;
    }
    *application = low + 1;
    *task = owner - o->application_first_task[low] + 1;
    *number = thread - o->task_first_thread[owner] + 1;
}

void prvcut_objects_plain_name(const struct prvcut_objects *o, uint32_t thread,
                               char out[PRVCUT_PLAIN_NAME])
{
    uint32_t application, task, number;

    prvcut_objects_name(o, thread, &application, &task, &number);
    snprintf(out, PRVCUT_PLAIN_NAME, "THREAD %" PRIu32 ".%" PRIu32 ".%" PRIu32, application, task,
             number);
}
