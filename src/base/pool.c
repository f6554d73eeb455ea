#include "base/pool.h"

#include <stddef.h>

void prvcut_pool_init(struct prvcut_pool *p)
{
    p->idle = NULL;
    pthread_mutex_init(&p->lock, NULL);
}

void *prvcut_pool_get(struct prvcut_pool *p)
{
    struct prvcut_pooled *thing;

    pthread_mutex_lock(&p->lock);
    thing = p->idle;
    if (thing)
        p->idle = thing->next;
    pthread_mutex_unlock(&p->lock);
    return thing;
}

void prvcut_pool_put(struct prvcut_pool *p, void *thing)
{
    struct prvcut_pooled *last = thing;

    pthread_mutex_lock(&p->lock);
    last->next = p->idle;
    p->idle = last;
    pthread_mutex_unlock(&p->lock);
}

void prvcut_pool_fini(struct prvcut_pool *p, void (*release)(void *ctx, void *thing), void *ctx)
{
    while (p->idle)
        release(ctx, prvcut_pool_get(p));
    pthread_mutex_destroy(&p->lock);
}
