#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_REST_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_REST_H

#include "analysis/profile/profile_add.h"
#include "analysis/profile/profile_steps.h"
#include "base/rows.h"

/**
 * In which states threads are while they neither run nor are in an MPI call: what the rest of a
 * rank's time is. Records are followed in the order of the input; a part by itself from where a
 * thread has begun both a call and a state in it, for then nothing of before matters.
 */

/** Where a thread is. */
struct prvcut_profile_resting {
    uint64_t since, end; /**< ns: the state lasts from since, as far as it is told, to end */
    uint32_t thread;
    uint32_t state;
    uint32_t in;    /**< the type of the call that it is in; valid with is */
    bool is, calls; /**< it is in a call; it has made one */
    bool before;    /**< its first call had begun before the trace */
    bool begun;     /**< a call has begun, in this part */
    bool told;      /**< and a state */
};

/** A part, zeroed to begin with; its memory is used again. */
struct prvcut_profile_rest_part {
    struct prvcut_profile_resting *seen; /**< [count], in order of first sight */
    size_t count, room;
    struct prvcut_profile_steps step; /**< before a thread is known */
};

struct prvcut_profile_rest;

/** owns: *out is released with prvcut_profile_rest_free; f is borrowed until then */
enum prvcut_status prvcut_profile_rest_new(struct prvcut_profile_rest **out,
                                           struct prvcut_profile_found *f,
                                           struct prvcut_error *err);

/** Records of a part; w: begun with the part; a: the worker's. */
enum prvcut_status prvcut_profile_rest_batch(
    struct prvcut_rows *w, struct prvcut_profile_rest_part *part, struct prvcut_profile_adder *a,
    const struct prvcut_profile_found *f, const struct prvcut_batch *b, struct prvcut_error *err);

/** Parts come in their order. */
enum prvcut_status prvcut_profile_rest_join(struct prvcut_profile_rest *p,
                                            const struct prvcut_profile_rest_part *part,
                                            struct prvcut_error *err);

void prvcut_profile_rest_part_clear(struct prvcut_profile_rest_part *part);
void prvcut_profile_rest_part_fini(struct prvcut_profile_rest_part *part);

/** All parts are joined: what was told there goes to f->rest. */
enum prvcut_status prvcut_profile_rest_end(struct prvcut_profile_rest *p, struct prvcut_error *err);

void prvcut_profile_rest_free(struct prvcut_profile_rest *p);

#endif
