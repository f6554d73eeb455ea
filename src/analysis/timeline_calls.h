#ifndef PRVCUT_ANALYSIS_TIMELINE_CALLS_H
#define PRVCUT_ANALYSIS_TIMELINE_CALLS_H

#include "analysis/timeline_grid.h"
#include "model/stack.h"

/** What a thread is in, followed over the parts of the input. */
struct tl_follow {
    struct prvcut_stack open;
    uint64_t since; /**< ns, of its latest event */
    bool begun;     /**< it has had one */
};

/** Calls that stand in for states: the innermost one that is open is what a thread is in. */
struct tl_calls {
    struct tl_grid *grid;
    struct tl_follow *thread; /**< [threads] */
    bool by_thread;           /**< each part is one thread's */
    bool gap;                 /**< something was left out before: what is open is not known */
    uint64_t next;            /**< part that follows the latest one */
};

/** owns: released with tl_calls_fini, also after a failure */
enum prvcut_status tl_calls_init(struct tl_calls *c, struct tl_grid *grid, bool by_thread,
                                 struct prvcut_error *err);

/* As a consumer's functions, with c as the context's `calls`; parts as they come. */
enum prvcut_status tl_calls_begin(uint64_t part, void **state, struct prvcut_error *err);
enum prvcut_status tl_calls_batch(const struct tl_calls *c, void *state,
                                  const struct prvcut_batch *b, struct prvcut_error *err);
enum prvcut_status tl_calls_join(struct tl_calls *c, void *state, struct prvcut_error *err);
void tl_calls_discard(void *state);

/** There are no more parts. */
void tl_calls_end(struct tl_calls *c);

void tl_calls_fini(struct tl_calls *c);

#endif
