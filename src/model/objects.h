#ifndef PRVCUT_MODEL_OBJECTS_H
#define PRVCUT_MODEL_OBJECTS_H

#include "base/error.h"

/**
 * A group of tasks of one application that communicate with each other; an intercommunicator
 * between two of them lists no tasks.
 */
struct prvcut_communicator {
    uint32_t application; /**< 0-based */
    uint32_t id;          /**< as the trace numbers it */
    uint32_t first;       /**< its tasks: members[first .. first + count) */
    uint32_t count;
};

/**
 * Who did something: applications hold tasks, tasks hold threads; nodes hold cpus.
 *
 * All indices are 0-based and dense over the whole trace: task t owns the threads
 * task_first_thread[t] .. task_first_thread[t + 1).
 */
struct prvcut_objects {
    uint32_t applications, tasks, threads, nodes, cpus;
    uint32_t *application_first_task; /**< [applications + 1] */
    uint32_t *task_first_thread;      /**< [tasks + 1] */
    uint32_t *task_node;              /**< [tasks], 0-based; UINT32_MAX where there are no nodes */
    uint32_t *node_cpus;              /**< [nodes] */
    uint32_t *thread_task;            /**< [threads] */
    struct prvcut_communicator *communicator; /**< [communicators] */
    uint32_t communicators;
    uint32_t *member; /**< tasks (dense index) of all communicators, one after the other */
    uint32_t members;
};

/** Release what the tables hold; o itself is the caller's. */
void prvcut_objects_fini(struct prvcut_objects *o);

/** Application of a task. */
uint32_t prvcut_objects_application(const struct prvcut_objects *o, uint32_t task);

/** The first communicator of that application and id; NULL: there is none. */
const struct prvcut_communicator *prvcut_objects_communicator(const struct prvcut_objects *o,
                                                              uint32_t application, uint64_t id);

/** Application, task and thread of a dense thread index, each 1-based as traces print them. */
void prvcut_objects_name(const struct prvcut_objects *o, uint32_t thread, uint32_t *application,
                         uint32_t *task, uint32_t *number);

/** The same as "1.3.1"; returns out. */
char *prvcut_objects_number_text(const struct prvcut_objects *o, uint32_t thread, char out[48]);

#define PRVCUT_PLAIN_NAME 48

/** What a thread is called that has no name of its own: "THREAD 1.3.1". */
void prvcut_objects_plain_name(const struct prvcut_objects *o, uint32_t thread,
                               char out[PRVCUT_PLAIN_NAME]);

#endif
