#ifndef PRVCUT_API_COMM_HEAR_H
#define PRVCUT_API_COMM_HEAR_H

#include "analysis/comm/comm.h"
#include "api/comm.h"

/** What the reading that finds wait states tells (comm.h); only who sums it up looks into it. */
struct api_comm_hearing {
    struct prvcut_proof_region all;
    struct prvcut_comm_found found;
    struct prvcut_comm_hearing *hearing;
    struct prvcut_waits_beside beside;
};

#endif
