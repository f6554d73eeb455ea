#ifndef PRVCUT_BASE_PROCESSORS_H
#define PRVCUT_BASE_PROCESSORS_H

#include <stddef.h>

/**
 * The processors that the calling thread may run on: those that mpirun, a batch system, taskset or
 * a container left it, which may be fewer than the machine has.
 */

/** Their number, at least 1; all that are online where the system does not tell. */
unsigned prvcut_processors(void);

/**
 * Add 1 to the place of each of them.
 *
 * shape  used[room], by the system's number of the processor; those from room on are left out
 */
void prvcut_processors_mark(unsigned *used, size_t room);

#endif
