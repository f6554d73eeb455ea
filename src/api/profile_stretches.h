#ifndef PRVCUT_API_PROFILE_STRETCHES_H
#define PRVCUT_API_PROFILE_STRETCHES_H

#include "analysis/profile/profile_part.h"
#include "analysis/proof.h"
#include "api/job.h"
#include "model/trace.h"
#include "prvcut/profile.h"

/** The stretches of a run that a profile is of. */
struct api_stretches {
    struct prvcut_proof_region *at;   /**< [count]; owned */
    struct prvcut_profile_part *part; /**< [count]; owned */
    uint64_t *bound;                  /**< what the windows point into; owned */
    size_t count;
    bool *apart;   /**< [count * applications]: the loop there is none of the application; owned */
    bool straight; /**< for want of room some threads have the borders of the one that leads */
    char *reason;  /**< why there is no loop; owned; NULL: there is one */
};

/** Is a region named by its number, not "longest"? */
bool api_region_is_named(const struct prvcut_profile_options *o);

/**
 * A job that searches a trace for the loop that a profile is of, down to the level of its region.
 *
 * shape   out: zeroed but for texts, borrowed, as trace and run are
 */
struct job api_profile_job(struct prvcut_trace *trace, const struct prvcut_run *run,
                           const struct prvcut_profile_options *o, struct made_reduction *out);

/** Does a profile need the search for a loop? */
bool api_stretches_needed(const struct prvcut_profile_options *o);

/**
 * Search for the loop and list what is asked for: first the window, or the iterations or the region
 * that are named, of which the total is; then each region or iteration by itself, as the view
 * wants, as far as it is in the window; typical: by region, after each region the iteration that
 * stands for it, of usual length and not disturbed, where there is one.
 *
 * owns    *s is initialised here, released with api_stretches_fini, also after a failure
 * errors  PRVCUT_NONE: no loop was found; s then holds the window alone; PRVCUT_EUSAGE: no such
 *         region or iteration, iterations of rows that are of regions; PRVCUT_ELIMIT; as a scan
 */
enum prvcut_status api_stretches_find(struct api_stretches *s, struct prvcut_trace *trace,
                                      const struct prvcut_run *run,
                                      const struct prvcut_profile_options *o, bool typical,
                                      struct prvcut_error *err);

/** The same (profile_stretches_find.c) in two steps: behind the search, which came to `found`. */
enum prvcut_status api_stretches_lay(struct api_stretches *s, const struct job *job,
                                     enum prvcut_status found,
                                     const struct prvcut_profile_options *o, bool typical,
                                     struct prvcut_error *err);

/** The same of a job that has found its structure already; o->only is where it looked. errors  as
    api_stretches_find */
enum prvcut_status api_stretches_of(struct api_stretches *s, const struct job *job,
                                    const struct prvcut_profile_options *o,
                                    struct prvcut_error *err);

/**
 * What an answer of stretches comes to.
 *
 * found   what the search came to
 * made    what was made of it
 * reason  borrowed: why there is no loop, where found is PRVCUT_NONE
 * errors  PRVCUT_NONE: there is no loop, and err tells why; as made
 */
enum prvcut_status api_stretches_outcome(enum prvcut_status found, enum prvcut_status made,
                                         const char *reason, struct prvcut_error *err);

/** How many there would be, without a look at where they lie on each thread. */
enum prvcut_status api_stretches_count(size_t *out, const struct job *job,
                                       const struct prvcut_profile_options *o,
                                       struct prvcut_error *err);

void api_stretches_fini(struct api_stretches *s);

#endif
