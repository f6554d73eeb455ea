#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_FUNCTIONS_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_FUNCTIONS_H

#include "analysis/profile/profile_add.h"
#include "pass/pass.h"

/**
 * Functions, as listeners of the pass: where functions are recorded, each with the time in which it
 * is the innermost of functions and MPI calls; where only the callers of MPI calls are, the time in
 * MPI calls of the function that called, level 1. A function that is open at the end lasts to its
 * thread's last record. Where lines are asked for, in any case the time in MPI calls by the source
 * line that they are made from; where pairs are, by the function and the call.
 */
struct prvcut_profile_functions;

/** owns: *out is released with prvcut_profile_functions_free; f is borrowed until then */
enum prvcut_status prvcut_profile_functions_new(struct prvcut_profile_functions **out,
                                                const struct prvcut_trace *t,
                                                struct prvcut_profile_found *f,
                                                const struct prvcut_profile_asked *asked,
                                                struct prvcut_error *err);

#define PRVCUT_PROFILE_FUNCTION_LISTENERS 2

/** Who is to listen; borrowed. */
void prvcut_profile_functions_listeners(
    const struct prvcut_profile_functions *p,
    const struct prvcut_listener *out[PRVCUT_PROFILE_FUNCTION_LISTENERS]);

/** The pass is over and f->reach is known: the cells of functions go to f->function, and
    f->callers is set where these are callers. */
enum prvcut_status prvcut_profile_functions_end(struct prvcut_profile_functions *p,
                                                struct prvcut_error *err);

void prvcut_profile_functions_free(struct prvcut_profile_functions *p);

#endif
