#ifndef TWO_COMMUNICATORS_H
#define TWO_COMMUNICATORS_H

#include "model/objects.h"

#define TASKS 5 /* of one thread each */

#define WORLD 1 /* ids: all tasks, and tasks 1, 3 and 4 */
#define SOME  7

static uint32_t two_members[] = { 0, 1, 2, 3, 4, 1, 3, 4 };
static uint32_t two_tasks[] = { 0, 1, 2, 3, 4 };
static uint32_t two_applications[] = { 0, TASKS };
static struct prvcut_communicator two_communicators[] = {
    { .application = 0, .id = WORLD, .first = 0, .count = TASKS },
    { .application = 0, .id = SOME, .first = TASKS, .count = 3 },
};
static const struct prvcut_objects objects = { .applications = 1,
                                               .tasks = TASKS,
                                               .threads = TASKS,
                                               .application_first_task = two_applications,
                                               .thread_task = two_tasks,
                                               .communicator = two_communicators,
                                               .communicators = 2,
                                               .member = two_members,
                                               .members = 8 };

#endif
