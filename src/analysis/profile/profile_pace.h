#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_PACE_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_PACE_H

#include "analysis/profile/profile_add.h"
#include "pass/pass.h"

/**
 * At which pace threads compute, in cycles a nanosecond, as a listener of the pass: of each reading
 * of the cycles, and the time since the reading before it, that lies in one running state as a
 * whole; where no states are recorded, between two calls. Records are followed in the order of the
 * input. Of a thread that has its processor for itself the pace is that of the clock.
 */
struct prvcut_profile_pace;

/** owns: *out is released with prvcut_profile_pace_free; f is borrowed until then */
enum prvcut_status prvcut_profile_pace_new(struct prvcut_profile_pace **out,
                                           const struct prvcut_trace *t,
                                           struct prvcut_profile_found *f,
                                           struct prvcut_error *err);

/** Who is to listen; borrowed. */
const struct prvcut_listener *prvcut_profile_pace_listener(const struct prvcut_profile_pace *p);

/** The pass is over: what was read goes to f->pace and f->paces. */
enum prvcut_status prvcut_profile_pace_end(struct prvcut_profile_pace *p, struct prvcut_error *err);

void prvcut_profile_pace_free(struct prvcut_profile_pace *p);

/** How often a thread was read at about that pace, over 100 us at least. */
struct prvcut_profile_paces {
    struct {
        uint32_t thread;
        int32_t pace; /**< in steps of a 16384th of an octave */
    } key;
    uint64_t count;
};

/** Add those of a part. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_profile_paces_add(struct prvcut_table *to,
                                            const struct prvcut_table *from,
                                            struct prvcut_error *err);

/**
 * What is taken from threads: the time that a thread computes longer than it would at its full
 * pace, that of all but a twentieth of its long readings, in each stretch.
 *
 * shape   stolen: [stretches][threads] ns, added to; full: [threads] cycles a nanosecond, 0: not
 *         known, and then nothing is added
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_profile_stolen(const struct prvcut_profile_found *f, double *stolen,
                                         double *full, struct prvcut_error *err);

#endif
