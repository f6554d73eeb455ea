#include "model/objects.h"

#include "base/search.h"

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

uint32_t prvcut_objects_application(const struct prvcut_objects *o, uint32_t task)
{
    const uint32_t *first = o->application_first_task;

    /* The first one begins with task 0. */
    return o->applications < 2 ? 0
                               : (uint32_t)prvcut_lower_u32(first + 1, o->applications - 1,
                                                            sizeof *first, 0, (uint64_t)task + 1);
}

const struct prvcut_communicator *prvcut_objects_communicator(const struct prvcut_objects *o,
                                                              uint32_t application, uint64_t id)
{
    for (uint32_t i = 0; i < o->communicators; i++)
        if (o->communicator[i].application == application && o->communicator[i].id == id)
            return &o->communicator[i];
    return NULL;
}

void prvcut_objects_name(const struct prvcut_objects *o, uint32_t thread, uint32_t *application,
                         uint32_t *task, uint32_t *number)
{
    const uint32_t owner = o->thread_task[thread], in = prvcut_objects_application(o, owner);

    *application = in + 1;
    *task = owner - o->application_first_task[in] + 1;
    *number = thread - o->task_first_thread[owner] + 1;
}

char *prvcut_objects_number_text(const struct prvcut_objects *o, uint32_t thread, char out[48])
{
    uint32_t application, task, number;

    prvcut_objects_name(o, thread, &application, &task, &number);
    snprintf(out, 48, "%" PRIu32 ".%" PRIu32 ".%" PRIu32, application, task, number);
    return out;
}

void prvcut_objects_plain_name(const struct prvcut_objects *o, uint32_t thread,
                               char out[PRVCUT_PLAIN_NAME])
{
    uint32_t application, task, number;

    prvcut_objects_name(o, thread, &application, &task, &number);
    snprintf(out, PRVCUT_PLAIN_NAME, "THREAD %" PRIu32 ".%" PRIu32 ".%" PRIu32, application, task,
             number);
}
