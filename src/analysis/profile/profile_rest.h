#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_REST_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_REST_H

#include "analysis/profile/profile_add.h"
#include "pass/pass.h"

/**
 * In which states threads are while they neither run nor are in an MPI call, as a listener of the
 * pass: what the rest of a rank's time is. Records are followed in the order of the input.
 */
struct prvcut_profile_rest;

/** owns: *out is released with prvcut_profile_rest_free; f is borrowed until then */
enum prvcut_status prvcut_profile_rest_new(struct prvcut_profile_rest **out,
                                           struct prvcut_profile_found *f,
                                           struct prvcut_error *err);

/** Who is to listen; borrowed. */
const struct prvcut_listener *prvcut_profile_rest_listener(const struct prvcut_profile_rest *p);

/** The pass is over: the cells of states go to f->rest. */
enum prvcut_status prvcut_profile_rest_end(struct prvcut_profile_rest *p, struct prvcut_error *err);

void prvcut_profile_rest_free(struct prvcut_profile_rest *p);

#endif
