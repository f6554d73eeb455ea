#ifndef PRVCUT_API_JOB_PLAN_H
#define PRVCUT_API_JOB_PLAN_H

#include "api/job.h"

/* How a place is added to a plan (job_plan_add.c); which are, job_plan.c decides. */

/** How many iterations a cut holds: so many, or those that are named. */
unsigned job_plan_iterations(const struct job *j);

/** What is known of a region's loop, or of the part of it that the region is in. */
const struct prvcut_known_loop *job_plan_loop(const struct job *j, size_t region);

/** Room, zeroed, for a loop that is known beside the structure's; the job's. NULL: none, in err. */
struct prvcut_known_loop *job_plan_new_loop(struct job *j, struct prvcut_error *err);

/** All of its parts, as far as they follow each other; the job's. */
enum prvcut_status job_plan_join(const struct prvcut_known_loop **out, struct job *j, size_t region,
                                 struct prvcut_error *err);

/** Does a window lie among the borders of one part? */
bool job_plan_holds(const struct prvcut_known_loop *f, const struct prvcut_span *window);

/** What a window is chosen by, of a loop that is joined or of a region. */
struct prvcut_choice_input job_plan_choice_in(const struct job *j,
                                              const struct prvcut_known_loop *f, size_t region);

/** What a window of a region is chosen by. */
struct prvcut_choice_input job_plan_choice(const struct job *j, size_t region);

/** One more place; outlier: NULL for what is typical. */
enum prvcut_status job_plan_add(struct job *j, struct job_plan *plan, size_t region,
                                const struct prvcut_outlier *outlier,
                                const struct prvcut_choice *choice, struct prvcut_error *err);

/** *fits: false where the region holds fewer iterations than are wanted. */
enum prvcut_status job_plan_typical(struct job *j, struct job_plan *plan, size_t region, bool *fits,
                                    struct prvcut_error *err);

/** As many as are wanted of a region, or of all its loop; that there are fewer is said. */
enum prvcut_status job_plan_unusual(struct job *j, struct job_plan *plan, size_t region, bool loop,
                                    struct prvcut_error *err);

/** All of a region, disturbed or not; at least a whole iteration. */
enum prvcut_status job_plan_whole(struct job *j, struct job_plan *plan, size_t region,
                                  struct prvcut_error *err);

/** As many as are wanted of a region, or of all its loop; *count: so many there are. */
enum prvcut_status job_plan_outliers(struct job *j, struct job_plan *plan, size_t region, bool loop,
                                     size_t *count, struct prvcut_error *err);

/** Neither a bin's width nor a border's freedom leads out of what was to be analysed. */
void job_plan_keep_inside(struct prvcut_choice *c, struct prvcut_span all);

#endif
