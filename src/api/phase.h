#ifndef PRVCUT_API_PHASE_H
#define PRVCUT_API_PHASE_H

#include "prvcut/trace.h"

/** A run whose progress has a name of its own, whatever those call it who read. */
struct api_phase {
    struct prvcut_run run; /**< what is to be passed on */
    const struct prvcut_run *of;
    const char *name;
};

/** shape: p stays where it is as long as p->run is in use; name and run: borrowed as long */
void api_phase_init(struct api_phase *p, const struct prvcut_run *run, const char *name);

#endif
