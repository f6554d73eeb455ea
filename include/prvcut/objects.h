#ifndef PRVCUT_OBJECTS_H
#define PRVCUT_OBJECTS_H

#include "prvcut/records.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What an event type or a state stands for, whatever number the trace gives it. Numbered once and
 * for ever; new ones come behind.
 */
enum prvcut_role {
    PRVCUT_ROLE_OTHER = 0,
    PRVCUT_ROLE_P2P = 1,        /**< value: point-to-point call, 0 = outside */
    PRVCUT_ROLE_COLLECTIVE = 2, /**< value: collective call, 0 = outside */
    PRVCUT_ROLE_MPI_OTHER =
        3,                   /**< value: any other MPI call (other, I/O, one-sided), 0 = outside */
    PRVCUT_ROLE_FLUSH = 4,   /**< value: 1 while the thread writes its trace buffer to disk */
    PRVCUT_ROLE_TRACING = 5, /**< value: 0 tracing off, 1 on */
    PRVCUT_ROLE_REGION = 6,  /**< any other type with a value that holds until 0 (OpenMP, user) */
    PRVCUT_ROLE_INSTRUCTIONS = 7, /**< value: completed since the thread's last counter read */
    PRVCUT_ROLE_CYCLES = 8,
    PRVCUT_ROLE_FLOPS = 9,
    PRVCUT_ROLE_COUNTER = 10,      /**< any other hardware counter: a difference, too */
    PRVCUT_ROLE_CALLER = 11,       /**< value: a function on the call path, same on all ranks */
    PRVCUT_ROLE_CALLER_LINE = 12,  /**< value: a source line, not comparable across ranks */
    PRVCUT_ROLE_SAMPLE = 13,       /**< a sampled call path, independent of calls */
    PRVCUT_ROLE_SIZE = 14,         /**< bytes sent or received by a collective */
    PRVCUT_ROLE_ROOT = 15,         /**< 1 on the root's own call */
    PRVCUT_ROLE_COMMUNICATOR = 16, /**< id of the collective's communicator */
    PRVCUT_ROLES                   /**< how many this header knows */
};

/** Set of roles, as bits. */
#define PRVCUT_ROLE_BIT(role) (UINT32_C(1) << (role))
#define PRVCUT_ROLES_MPI                                                                           \
    (PRVCUT_ROLE_BIT(PRVCUT_ROLE_P2P) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_COLLECTIVE) |                  \
     PRVCUT_ROLE_BIT(PRVCUT_ROLE_MPI_OTHER))

/** "region", "caller-line"...: the role's word, as JSON has it; "other" where there is none.
    Constant. */
PRVCUT_API const char *prvcut_role_text(unsigned role);

/*
 * Who is in a trace. All numbers are dense, from 0 on, over all applications; an argument that is
 * no such number gives UINT32_MAX.
 */

/** Nodes of the machine; 0: the trace does not tell them. */
PRVCUT_API uint32_t prvcut_trace_nodes(const struct prvcut_trace *trace);
/** Processors of a node. */
PRVCUT_API uint32_t prvcut_trace_node_cpus(const struct prvcut_trace *trace, uint32_t node);
/** Node of a task; UINT32_MAX: not told. */
PRVCUT_API uint32_t prvcut_trace_node_of(const struct prvcut_trace *trace, uint32_t task);
/** Application of a task. */
PRVCUT_API uint32_t prvcut_trace_application_of(const struct prvcut_trace *trace, uint32_t task);
/** First thread of a task: its threads reach from there to the first one of the next task; for the
    number of tasks, the number of threads. */
PRVCUT_API uint32_t prvcut_trace_first_thread(const struct prvcut_trace *trace, uint32_t task);

/** Communicators that the trace defines. An intercommunicator may list no tasks. */
PRVCUT_API uint32_t prvcut_trace_communicators(const struct prvcut_trace *trace);
/** Which one an application calls `id`, as messages and collectives name it; UINT32_MAX: none. */
PRVCUT_API uint32_t prvcut_trace_communicator_find(const struct prvcut_trace *trace,
                                                   uint32_t application, uint32_t id);
PRVCUT_API uint32_t prvcut_trace_communicator_id(const struct prvcut_trace *trace,
                                                 uint32_t communicator);
PRVCUT_API uint32_t prvcut_trace_communicator_application(const struct prvcut_trace *trace,
                                                          uint32_t communicator);
/** How many tasks are in it, and which one is its rank-th. */
PRVCUT_API uint32_t prvcut_trace_communicator_size(const struct prvcut_trace *trace,
                                                   uint32_t communicator);
PRVCUT_API uint32_t prvcut_trace_communicator_task(const struct prvcut_trace *trace,
                                                   uint32_t communicator, uint32_t rank);

/*
 * Names (prvcut_names_new of prvcut/records.h). Texts are borrowed from names; NULL where the trace
 * gives none.
 */

PRVCUT_API const char *prvcut_names_thread(const struct prvcut_names *names, uint32_t thread);
PRVCUT_API const char *prvcut_names_task(const struct prvcut_names *names, uint32_t task);
PRVCUT_API const char *prvcut_names_node(const struct prvcut_names *names, uint32_t node);

/** Event types that have a name, a role or named values, ascending: how many, and the i-th one's
    number; i < prvcut_names_types. */
PRVCUT_API size_t prvcut_names_types(const struct prvcut_names *names);
PRVCUT_API uint32_t prvcut_names_type_number(const struct prvcut_names *names, size_t i);

/** What a type stands for; PRVCUT_ROLE_OTHER where the trace does not tell. */
PRVCUT_API enum prvcut_role prvcut_names_role(const struct prvcut_names *names, uint32_t type);
/** Does a value of the type hold until a 0 (which ends the innermost one of its type)? */
PRVCUT_API bool prvcut_names_is_region(const struct prvcut_names *names, uint32_t type);
/** What the type belongs to ("MPI", "OpenMP"), and the unit of a counter; "" unknown. */
PRVCUT_API const char *prvcut_names_group(const struct prvcut_names *names, uint32_t type);
PRVCUT_API const char *prvcut_names_unit(const struct prvcut_names *names, uint32_t type);

/** Named values of a type, ascending: how many, and the i-th one; i < prvcut_names_values. */
PRVCUT_API size_t prvcut_names_values(const struct prvcut_names *names, uint32_t type);
PRVCUT_API int64_t prvcut_names_value_number(const struct prvcut_names *names, uint32_t type,
                                             size_t i);
/** Source file of a named value, and its line (0 unknown; line may be NULL). */
PRVCUT_API const char *prvcut_names_source(const struct prvcut_names *names, uint32_t type,
                                           int64_t value, uint32_t *line);

#ifdef __cplusplus
}
#endif

#endif
