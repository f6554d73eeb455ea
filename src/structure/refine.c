#include "structure/choose.h"

#include "base/buffer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What cutting through one of these costs: a collective that is split cannot be replayed. */
#define COST_CALL       1
#define COST_MESSAGE    1
#define COST_COLLECTIVE 8

#define NOBODY          UINT32_MAX

/* From `time` on, cutting costs `cost` more (or less). */
struct change {
    uint64_t time;
    int64_t cost;
    uint32_t thread; /* of a call; NOBODY: of a message */
};

struct changes {
    struct change *at;
    size_t count, room;
    struct prvcut_span span;
};

/* Around both borders; workers share the lists: the pieces are small, their order is no matter. */
struct surroundings {
    struct changes left, right;
    pthread_mutex_t lock;
};

/* A call that took no time cannot be cut: its end takes its begin back. */
static bool took_no_time(struct changes *c, const struct change *end)
{
    for (size_t i = c->count; end->cost < 0 && i > 0 && c->at[i - 1].time == end->time; i--)
        if (c->at[i - 1].thread == end->thread && c->at[i - 1].cost == -end->cost) {
            c->at[i - 1] = c->at[--c->count];
            return true;
        }
    return false;
}

static enum prvcut_status add_to(struct changes *c, const struct change *x,
                                 struct prvcut_error *err)
{
    if (x->time < c->span.start || x->time > c->span.end)
        return PRVCUT_OK;
    if (x->thread != NOBODY && took_no_time(c, x))
        return PRVCUT_OK;
    if (c->count == c->room &&
        prvcut_grow((void **)&c->at, &c->room, c->count + 1, sizeof *c->at, err) < 0)
        return PRVCUT_ENOMEM;
    c->at[c->count++] = *x;
    return PRVCUT_OK;
}

static enum prvcut_status add(struct surroundings *s, const struct change *x,
                              struct prvcut_error *err)
{
    enum prvcut_status st = add_to(&s->left, x, err);

    return st < 0 ? st : add_to(&s->right, x, err);
}

static enum prvcut_status add_event(struct surroundings *s, const struct prvcut_event *e,
                                    struct prvcut_error *err)
{
    const int64_t cost = e->role == PRVCUT_ROLE_COLLECTIVE ? COST_COLLECTIVE : COST_CALL;
    const struct change x = { e->time, e->value != 0 ? cost : -cost, e->thread };

    return PRVCUT_ROLES_MPI >> e->role & 1 ? add(s, &x, err) : PRVCUT_OK;
}

static enum prvcut_status add_message(struct surroundings *s, const struct prvcut_message *m,
                                      struct prvcut_error *err)
{
    const struct change begin = { m->logical_send < m->logical_receive ? m->logical_send
                                                                       : m->logical_receive,
                                  COST_MESSAGE, NOBODY };
    const struct change end = { m->physical_send > m->physical_receive ? m->physical_send
                                                                       : m->physical_receive,
                                -COST_MESSAGE, NOBODY };
    enum prvcut_status st;

    if (end.time <= begin.time)
        return PRVCUT_OK;
    st = add(s, &begin, err);
    return st < 0 ? st : add(s, &end, err);
}

/* Ends that are recorded apart: what was under way before is the same for all places. */
static enum prvcut_status add_half(struct surroundings *s, const struct prvcut_half *h,
                                   struct prvcut_error *err)
{
    const struct change x = { h->time, h->receive ? -COST_MESSAGE : COST_MESSAGE, NOBODY };

    return add(s, &x, err);
}

static enum prvcut_status add_batch(struct surroundings *s, const struct prvcut_batch *b,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++)
        st = add_event(s, &b->event[i], err);
    for (size_t i = 0; i < b->messages && st == PRVCUT_OK; i++)
        st = add_message(s, &b->message[i], err);
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++)
        st = add_half(s, &b->half[i], err);
    return st;
}

static enum prvcut_status on_batch(void *ctx, unsigned worker, void *state,
                                   const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct surroundings *c = ctx;
    enum prvcut_status st;

    (void)worker;
    (void)state;
    pthread_mutex_lock(&c->lock);
    st = add_batch(c, batch, err);
    pthread_mutex_unlock(&c->lock);
    return st;
}

/* Ends first: at the time of a begin, what ends there is through. */
static int by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Cost at a time, beyond that at the span's start; the list is sorted. */
static int64_t cost_at(const struct changes *c, uint64_t time)
{
    int64_t cost = 0;

    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].time < time || (c->at[i].time == time && c->at[i].cost < 0))
            cost += c->at[i].cost;
    return cost;
}

/*
 * The begin of a call or message at which the least is open, the nearest to `wish` of equals; the
 * border as it was where no begin is as cheap.
 */
static uint64_t cheapest(struct changes *c, uint64_t border, uint64_t wish)
{
    int64_t cost = 0, least;
    uint64_t best = border;
    bool begin = false;

    if (c->count > 0)
        qsort(c->at, c->count, sizeof *c->at, by_time);
    least = cost_at(c, border);
    for (size_t i = 0; i < c->count; i++) {
        const struct change *x = &c->at[i];
        const bool first = i == 0 || c->at[i - 1].time != x->time || c->at[i - 1].cost < 0;

        if (x->cost > 0 && first &&
            (cost < least ||
             (cost == least && (!begin || distance(x->time, wish) < distance(best, wish))))) {
            least = cost;
            best = x->time;
            begin = true;
        }
        cost += x->cost;
    }
    return best;
}

/* The cheapest begin of each piece of the freedom; the list is sorted. */
static void offer(const struct changes *c, struct prvcut_tries *out)
{
    const uint64_t length = c->span.end - c->span.start + 1;
    int64_t least[PRVCUT_TRIES], cost = 0;
    uint64_t at[PRVCUT_TRIES] = { 0 };

    for (unsigned i = 0; i < PRVCUT_TRIES; i++)
        least[i] = INT64_MAX;
    for (size_t i = 0; i < c->count; i++) {
        const struct change *x = &c->at[i];
        const size_t piece =
            (size_t)((double)(x->time - c->span.start) / (double)length * PRVCUT_TRIES);
        const bool first = i == 0 || c->at[i - 1].time != x->time || c->at[i - 1].cost < 0;

        if (x->cost > 0 && first && piece < PRVCUT_TRIES && cost < least[piece]) {
            least[piece] = cost;
            at[piece] = x->time;
        }
        cost += x->cost;
    }
    out->count = 0;
    for (unsigned i = 0; i < PRVCUT_TRIES; i++)
        if (least[i] != INT64_MAX)
            out->at[out->count++] = at[i];
}

static bool has_collectives(const struct changes *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].cost == COST_COLLECTIVE || c->at[i].cost == -COST_COLLECTIVE)
            return true;
    return false;
}

enum prvcut_status prvcut_choice_refine(struct prvcut_choice *choice, struct prvcut_trace *t,
                                        const struct prvcut_run *run, struct prvcut_error *err)
{
    struct surroundings s = { .left.span = choice->left, .right.span = choice->right };
    const struct prvcut_consumer k = {
        .ctx = &s, .roles = PRVCUT_ROLES_MPI, .messages = true, .batch = on_batch
    };
    enum prvcut_status st;

    pthread_mutex_init(&s.lock, NULL);
    st = t->reader->scan_window(t, run, choice->left.start, choice->right.end, &k, err);
    if (st == PRVCUT_OK) {
        const uint64_t start = cheapest(&s.left, choice->window.start, choice->window.start);
        /* The same place of the iteration is the natural right border. */
        const uint64_t end = cheapest(&s.right, choice->window.end,
                                      choice->window.end + start - choice->window.start);

        if (end > start)
            choice->window = (struct prvcut_span){ start, end };
        offer(&s.left, &choice->other_left);
        offer(&s.right, &choice->other_right);
        choice->collectives = has_collectives(&s.left) || has_collectives(&s.right);
    }
    pthread_mutex_destroy(&s.lock);
    free(s.left.at);
    free(s.right.at);
    return st;
}
