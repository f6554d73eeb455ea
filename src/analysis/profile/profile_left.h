#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_LEFT_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_LEFT_H

#include "analysis/profile/profile_add.h"
#include "follow/part.h"

/** What is left open when the run ends: it lasts to its thread's last record, which is known once
    all is read. */
struct prvcut_profile_left {
    struct prvcut_frame frame;
    uint32_t thread;
    bool spent; /**< its time since then, not all of it */
};

/** All of it; zeroed is none. */
struct prvcut_profile_lefts {
    struct prvcut_profile_left *at; /**< [count]; owned */
    size_t count, room;
};

enum prvcut_status prvcut_profile_lefts_add(struct prvcut_profile_lefts *l,
                                            const struct prvcut_profile_left *left,
                                            struct prvcut_error *err);

/** It was open when all ended. */
enum prvcut_status prvcut_profile_lefts_call(struct prvcut_profile_lefts *l,
                                             const struct prvcut_followed *f,
                                             struct prvcut_error *err);

/** It was the innermost from the start of a span on. */
enum prvcut_status prvcut_profile_lefts_spent(struct prvcut_profile_lefts *l, uint32_t thread,
                                              const struct prvcut_frame *in,
                                              struct prvcut_span span, struct prvcut_error *err);

/** f->reach is known. by_part: the time of calls is told piece by piece. */
enum prvcut_status prvcut_profile_lefts_close(const struct prvcut_profile_lefts *l,
                                              struct prvcut_profile_adder *to,
                                              const struct prvcut_profile_found *f, bool by_part,
                                              struct prvcut_error *err);

void prvcut_profile_lefts_fini(struct prvcut_profile_lefts *l);

#endif
