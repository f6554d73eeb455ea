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
};

/**
 * shape   names: borrowed as long as w is used; NULL: nobody has a name of its own
 * owns    w is initialised here, released with report_cube_who_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status report_cube_who_init(struct report_cube_who *w, const struct prvcut_objects *o,
                                        const struct prvcut_dictionary *names,
                                        struct prvcut_error *err);
void report_cube_who_fini(struct report_cube_who *w);

/** The system of a report; w is borrowed by it. */
void report_cube_who_set(struct report_cube *c, const struct report_cube_who *w);

#endif
