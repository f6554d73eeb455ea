#ifndef PRVCUT_REPORT_CUBE_WHO_H
#define PRVCUT_REPORT_CUBE_WHO_H

#include "model/dictionary.h"
#include "model/objects.h"
#include "report/cube.h"

/** Who runs in a trace, as a report for CUBE tells it: ranks over all applications, from 0. */
struct report_cube_who {
    const char **node;                   /**< [nodes]; owned, texts borrowed */
    struct report_cube_process *process; /**< [processes] tasks; owned */
    struct report_cube_thread *thread;   /**< [threads] in the trace's order; owned */
    size_t nodes, processes, threads;
    struct report_cube_topology topology; /**< dimensions 0: none */
    struct report_cube_dimension dimension[4];
    uint32_t *at; /**< of the topology; owned */
};

/**
 * shape   names: borrowed as long as w is used; NULL: nobody has a name of its own
 * owns    w is initialised here, released with report_cube_who_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status report_cube_who_init(struct report_cube_who *w, const struct prvcut_objects *o,
                                        const struct prvcut_dictionary *names,
                                        struct prvcut_error *err);
/** Where they stand in the grid that their messages tell: the first dimension runs fastest, threads
    of a process are one more. dim: [dimensions] of ranks, at most 3. errors  PRVCUT_ENOMEM */
enum prvcut_status report_cube_who_place(struct report_cube_who *w, const char *name,
                                         const uint32_t *dim, size_t dimensions, bool periodic,
                                         struct prvcut_error *err);
void report_cube_who_fini(struct report_cube_who *w);

/** The system of a report; w is borrowed by it. */
void report_cube_who_set(struct report_cube *c, const struct report_cube_who *w);

#endif
