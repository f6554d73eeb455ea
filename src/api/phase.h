#ifndef PRVCUT_API_PHASE_H
#define PRVCUT_API_PHASE_H

#include "prvcut/trace.h"

/** A run whose progress is of one phase, whatever those call it who read. */
struct api_phase {
    struct prvcut_run run; /**< what is to be passed on */
    const struct prvcut_run *of;
    enum prvcut_phase phase;
};

/** shape: p stays where it is as long as p->run is in use; run: borrowed as long */
void api_phase_init(struct api_phase *p, const struct prvcut_run *run, enum prvcut_phase phase);

#endif
