#include "base/ordered.h"

#include "base/memory.h"
#include "base/processors.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS_MAX 64
/* Finished items that may wait for an earlier one, per worker. */
#define WAITING 4

struct slot {
    void *item;
    bool done;
    enum prvcut_status status;
    struct prvcut_error err;
};

struct team {
    const struct prvcut_ordered *o;
    pthread_mutex_t take_lock, lock;
    pthread_cond_t room;
    struct slot *slot; /* ring: item n in slot[n % slots] */
    unsigned slots;
    uint64_t taken, joined;
    bool joining, finished;
    enum prvcut_status status;
    struct prvcut_error err;
};

struct member {
    struct team *team;
    unsigned worker;
    pthread_t thread;
};

unsigned prvcut_workers(int wish)
{
    const unsigned n = wish > 0 ? (unsigned)wish : prvcut_processors();

    return n > WORKERS_MAX ? WORKERS_MAX : n;
}

static void ordered_team_fail(struct team *t, enum prvcut_status status,
                              const struct prvcut_error *err)
{
    if (t->status == PRVCUT_OK) {
        t->status = status;
        t->err = *err;
    }
    t->finished = true;
    pthread_cond_broadcast(&t->room);
}

/* Claim the next item; false when there is none left or somebody failed. */
static bool ordered_team_take(struct team *t, unsigned worker, uint64_t *number, void **item)
{
    struct prvcut_error err = { 0 };
    enum prvcut_status st;
    bool ok;

    pthread_mutex_lock(&t->take_lock);
    pthread_mutex_lock(&t->lock);
    while (!t->finished && t->taken - t->joined >= t->slots)
        pthread_cond_wait(&t->room, &t->lock);
    ok = !t->finished;
    pthread_mutex_unlock(&t->lock);
    if (ok) {
        st = t->o->take(t->o->ctx, worker, item, &err);
        pthread_mutex_lock(&t->lock);
        ok = st == PRVCUT_OK;
        if (ok)
            *number = t->taken++;
        else if (st == PRVCUT_END)
            t->finished = true;
        else {
            /* What was taken before comes earlier in the sequence and is joined first. */
            while (t->joined < t->taken && t->status == PRVCUT_OK)
                pthread_cond_wait(&t->room, &t->lock);
            ordered_team_fail(t, st, &err);
        }
        pthread_mutex_unlock(&t->lock);
    }
    pthread_mutex_unlock(&t->take_lock);
    return ok;
}

/* Join whatever is next in order and done; one worker at a time does this for all. */
static void ordered_team_join(struct team *t)
{
    struct slot *s;

    pthread_mutex_lock(&t->lock);
    while (!t->joining && t->status == PRVCUT_OK) {
        struct prvcut_error err = { 0 };
        enum prvcut_status st;

        s = &t->slot[t->joined % t->slots];
        if (t->joined == t->taken || !s->done)
            break;
        t->joining = true;
        pthread_mutex_unlock(&t->lock);
        err = s->err;
        st = t->o->join(t->o->ctx, s->item, s->status, &err);
        t->o->drop(t->o->ctx, s->item);
        pthread_mutex_lock(&t->lock);
        t->joining = false;
        s->item = NULL;
        s->done = false;
        t->joined++;
        if (st < 0)
            ordered_team_fail(t, st, &err);
        pthread_cond_broadcast(&t->room);
    }
    pthread_mutex_unlock(&t->lock);
}

static void *ordered_team_run(void *arg)
{
    struct member *m = arg;
    struct team *t = m->team;
    uint64_t number = 0;
    void *item;

    while (ordered_team_take(t, m->worker, &number, &item)) {
        struct slot *s = &t->slot[number % t->slots];
        struct prvcut_error err = { 0 };
        enum prvcut_status st = t->o->work(t->o->ctx, m->worker, item, &err);

        pthread_mutex_lock(&t->lock);
        s->item = item;
        s->status = st;
        s->err = err;
        s->done = true;
        pthread_mutex_unlock(&t->lock);
        ordered_team_join(t);
    }
    return NULL;
}

/* After a failure some finished items may be left. */
static void ordered_team_drop_rest(struct team *t)
{
    for (; t->joined < t->taken; t->joined++) {
        struct slot *s = &t->slot[t->joined % t->slots];

        if (s->item)
            t->o->drop(t->o->ctx, s->item);
        s->item = NULL;
    }
}

enum prvcut_status prvcut_ordered_run(const struct prvcut_ordered *o, unsigned workers,
                                      struct prvcut_error *err)
{
    struct team t = { .o = o, .slots = workers * WAITING };
    struct member *m = prvcut_zeroed(workers, sizeof *m, "workers", err);
    unsigned started = 1;

    t.slot = prvcut_zeroed(t.slots, sizeof *t.slot, "workers", err);
    if (!m || !t.slot) {
        free(m);
        free(t.slot);
        return PRVCUT_ENOMEM;
    }
    pthread_mutex_init(&t.take_lock, NULL);
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.room, NULL);
    m[0] = (struct member){ .team = &t, .worker = 0 };
    /* Fewer threads than asked for are not a failure: the work is the same. */
    for (; started < workers; started++) {
        m[started] = (struct member){ .team = &t, .worker = started };
        if (pthread_create(&m[started].thread, NULL, ordered_team_run, &m[started]) != 0)
            break;
    }
    ordered_team_run(&m[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(m[i].thread, NULL);
    ordered_team_drop_rest(&t);
    pthread_cond_destroy(&t.room);
    pthread_mutex_destroy(&t.lock);
    pthread_mutex_destroy(&t.take_lock);
    free(t.slot);
    free(m);
    if (t.status < 0 && err && err->status == PRVCUT_OK)
        *err = t.err;
    return t.status;
}
