#ifndef PRVCUT_API_JOB_PARTS_H
#define PRVCUT_API_JOB_PARTS_H

#include "analysis/proof_pass.h"

/** The parts of a run that are read again for some stretches of it. */
struct job_parts {
    struct prvcut_span *span; /**< owned; what only points to */
    struct prvcut_proof_only only;
};

/**
 * Parts that hold all of the stretches: what lies close together is one.
 *
 * shape   stretch: [stretches], each a single window; before: ns that are read before each part
 * owns    *p is initialised here, released with job_parts_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_parts_lay(struct job_parts *p, const struct prvcut_proof_region *stretch,
                                 size_t stretches, uint64_t before, uint32_t threads,
                                 struct prvcut_error *err);

void job_parts_fini(struct job_parts *p);

#endif
