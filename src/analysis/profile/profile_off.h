#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_OFF_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_OFF_H

#include "analysis/profile/profile_add.h"
#include "pass/pass.h"

/**
 * While tracing is off on a thread, as a listener of the pass: a state tells it, or events that
 * switch it off and on, or both, and then the time counts once. What is off when the run ends lasts
 * to the run's end; an event that switches on what nothing switched off tells nothing. Records are
 * followed in the order of the input.
 */
struct prvcut_profile_off;

/** owns: *out is released with prvcut_profile_off_free; f is borrowed until then */
enum prvcut_status prvcut_profile_off_new(struct prvcut_profile_off **out,
                                          struct prvcut_profile_found *f, struct prvcut_error *err);

/** Who is to listen; borrowed. */
const struct prvcut_listener *prvcut_profile_off_listener(const struct prvcut_profile_off *p);

/** The pass is over: the cells go to f->off. */
enum prvcut_status prvcut_profile_off_end(struct prvcut_profile_off *p, struct prvcut_error *err);

void prvcut_profile_off_free(struct prvcut_profile_off *p);

#endif
