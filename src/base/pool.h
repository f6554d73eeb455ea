#ifndef PRVCUT_BASE_POOL_H
#define PRVCUT_BASE_POOL_H

#include <pthread.h>

/**
 * Things that are used again: workers put them back when they are done with them, and take one that
 * lies idle before they make a new one. All of them begin with a prvcut_pooled.
 */

/** What a thing in a pool begins with; the pool's own. */
struct prvcut_pooled {
    struct prvcut_pooled *next;
};

struct prvcut_pool {
    struct prvcut_pooled *idle;
    pthread_mutex_t lock;
};

void prvcut_pool_init(struct prvcut_pool *p);

/** The one that was put back last; NULL: none lies idle, make one. By several threads at once. */
void *prvcut_pool_get(struct prvcut_pool *p);

/** By several threads at once. */
void prvcut_pool_put(struct prvcut_pool *p, void *thing);

/** Release all that lie idle. No other thread may use the pool any more. */
void prvcut_pool_fini(struct prvcut_pool *p, void (*release)(void *ctx, void *thing), void *ctx);

#endif
