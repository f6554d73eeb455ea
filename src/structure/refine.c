#include "structure/choose.h"

#include "base/buffer.h"
#include "pass/pass.h"

#include <stdlib.h>

/* Chosen, not measured: a collective that is split costs as much as several messages.
   What cutting through one of these costs: a collective that is split cannot be replayed. */
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
};

/* What lies around one border. */
struct side {
    struct prvcut_span span;
    struct changes changes;
};

struct surroundings {
    struct side left, right;
};

/* A call that took no time cannot be cut: its end takes its begin back. */
static bool refine_took_no_time(struct changes *c, const struct change *end)
{
    for (size_t i = c->count; end->cost < 0 && i > 0 && c->at[i - 1].time == end->time; i--)
        if (c->at[i - 1].thread == end->thread && c->at[i - 1].cost == -end->cost) {
            c->at[i - 1] = c->at[--c->count];
            return true;
        }
    return false;
}

static enum prvcut_status refine_add(struct changes *c, const struct change *x,
                                     struct prvcut_error *err)
{
    if (c->count == c->room &&
        prvcut_grow((void **)&c->at, &c->room, c->count + 1, sizeof *c->at, err) < 0)
        return PRVCUT_ENOMEM;
    c->at[c->count++] = *x;
    return PRVCUT_OK;
}

static bool refine_is_around(const struct side *s, uint64_t time)
{
    return time >= s->span.start && time <= s->span.end;
}

/* In the order of the input. */
static enum prvcut_status refine_add_to(struct side *s, const struct change *x,
                                        struct prvcut_error *err)
{
    if (!refine_is_around(s, x->time) ||
        (x->thread != NOBODY && refine_took_no_time(&s->changes, x)))
        return PRVCUT_OK;
    return refine_add(&s->changes, x, err);
}

/* A part's, as far as either border wants them. */
static enum prvcut_status refine_add_near(const struct surroundings *s, struct changes *part,
                                          const struct change *x, struct prvcut_error *err)
{
    return refine_is_around(&s->left, x->time) || refine_is_around(&s->right, x->time)
               ? refine_add(part, x, err)
               : PRVCUT_OK;
}

static enum prvcut_status refine_add_event(const struct surroundings *s, struct changes *part,
                                           const struct prvcut_event *e, struct prvcut_error *err)
{
    const int64_t cost = e->role == PRVCUT_ROLE_COLLECTIVE ? COST_COLLECTIVE : COST_CALL;
    const struct change x = { e->time, e->value != 0 ? cost : -cost, e->thread };

    return PRVCUT_ROLES_MPI >> e->role & 1 ? refine_add_near(s, part, &x, err) : PRVCUT_OK;
}

static enum prvcut_status refine_add_message(const struct surroundings *s, struct changes *part,
                                             const struct prvcut_message *m,
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
    st = refine_add_near(s, part, &begin, err);
    return st < 0 ? st : refine_add_near(s, part, &end, err);
}

/* Ends that are recorded apart: what was under way before is the same for all places. */
static enum prvcut_status refine_add_half(const struct surroundings *s, struct changes *part,
                                          const struct prvcut_half *h, struct prvcut_error *err)
{
    const struct change x = { h->time, h->receive ? -COST_MESSAGE : COST_MESSAGE, NOBODY };

    return refine_add_near(s, part, &x, err);
}

static enum prvcut_status refine_batch(void *ctx, void *worker, void *part,
                                       const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct surroundings *s = ctx;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++)
        st = refine_add_event(s, part, &b->event[i], err);
    for (size_t i = 0; i < b->messages && st == PRVCUT_OK; i++)
        st = refine_add_message(s, part, &b->message[i], err);
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++)
        st = refine_add_half(s, part, &b->half[i], err);
    return st;
}

static enum prvcut_status refine_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct surroundings *s = ctx;
    const struct changes *c = part;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < c->count && st == PRVCUT_OK; i++) {
        st = refine_add_to(&s->left, &c->at[i], err);
        if (st == PRVCUT_OK)
            st = refine_add_to(&s->right, &c->at[i], err);
    }
    return st;
}

static void refine_changes_clear(void *part)
{
    ((struct changes *)part)->count = 0;
}

static void refine_changes_fini(void *part)
{
    free(((struct changes *)part)->at);
}

/* Ends first: at the time of a begin, what ends there is through. */
static int refine_by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

static uint64_t refine_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Cost at a time, beyond that at the span's start; the list is sorted. */
static int64_t refine_cost_at(const struct changes *c, uint64_t time)
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
static uint64_t refine_cheapest(struct side *s, uint64_t border, uint64_t wish)
{
    struct changes *c = &s->changes;
    int64_t cost = 0, least;
    uint64_t best = border;
    bool begin = false;

    if (c->count > 0)
        qsort(c->at, c->count, sizeof *c->at, refine_by_time);
    least = refine_cost_at(c, border);
    for (size_t i = 0; i < c->count; i++) {
        const struct change *x = &c->at[i];
        const bool first = i == 0 || c->at[i - 1].time != x->time || c->at[i - 1].cost < 0;

        if (x->cost > 0 && first &&
            (cost < least || (cost == least && (!begin || refine_distance(x->time, wish) <
                                                              refine_distance(best, wish))))) {
            least = cost;
            best = x->time;
            begin = true;
        }
        cost += x->cost;
    }
    return best;
}

/* The cheapest begin of each piece of the freedom; the list is sorted. */
static void refine_offer(const struct side *s, struct prvcut_tries *out)
{
    const struct changes *c = &s->changes;
    const uint64_t length = s->span.end - s->span.start + 1;
    int64_t least[PRVCUT_TRIES], cost = 0;
    uint64_t at[PRVCUT_TRIES] = { 0 };

    for (unsigned i = 0; i < PRVCUT_TRIES; i++)
        least[i] = INT64_MAX;
    for (size_t i = 0; i < c->count; i++) {
        const struct change *x = &c->at[i];
        const size_t piece =
            (size_t)((double)(x->time - s->span.start) / (double)length * PRVCUT_TRIES);
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

static bool refine_has_collectives(const struct side *s)
{
    const struct changes *c = &s->changes;

    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].cost == COST_COLLECTIVE || c->at[i].cost == -COST_COLLECTIVE)
            return true;
    return false;
}

enum prvcut_status prvcut_choice_refine(struct prvcut_choice *choice, struct prvcut_trace *t,
                                        const struct prvcut_run *run, struct prvcut_error *err)
{
    struct surroundings s = { .left.span = choice->left, .right.span = choice->right };
    const struct prvcut_listener listener = {
        .roles = PRVCUT_ROLES_MPI,
        .messages = true,
        .ctx = &s,
        .part = { sizeof(struct changes), "calls", NULL, refine_changes_fini },
        .batch = refine_batch,
        .join = refine_join,
        .clear = refine_changes_clear,
    };
    const struct prvcut_listener *const all[] = { &listener };
    const struct prvcut_span around = { choice->left.start, choice->right.end };
    enum prvcut_status st = prvcut_pass_run(t, run, &around, all, 1, NULL, err);

    if (st == PRVCUT_OK) {
        const uint64_t start = refine_cheapest(&s.left, choice->window.start, choice->window.start);
        /* The same place of the iteration is the natural right border. */
        const uint64_t end = refine_cheapest(&s.right, choice->window.end,
                                             choice->window.end + start - choice->window.start);

        if (end > start)
            choice->window = (struct prvcut_span){ start, end };
        refine_offer(&s.left, &choice->other_left);
        refine_offer(&s.right, &choice->other_right);
        choice->collectives = refine_has_collectives(&s.left) || refine_has_collectives(&s.right);
    }
    free(s.left.changes.at);
    free(s.right.changes.at);
    return st;
}
