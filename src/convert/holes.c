#include "convert/holes.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/roles.h"

#include <stdlib.h>

/* A border of one thread. */
struct hol_border {
    uint64_t time, end; /* end: of the stretch that begins there; 0: one ends */
    uint32_t thread;
};

/* The latest state of a thread. */
struct hol_state {
    uint64_t begin, end;
    uint32_t number;
    bool running, any;
};

struct cnv_holes_walk {
    const struct cnv_holes *holes;
    struct cnv_border open;
    bool by_thread;
    struct hol_border *border; /* [borders] in the order of the items; ends before begins */
    size_t borders, next;
    uint64_t *until;  /* [threads] end of the stretch that a thread is in; 0: in none */
    bool *waits;      /* [threads] what is open is still to be begun again, at `waiting` */
    uint32_t *waiter; /* [waiters] threads that may wait */
    size_t waiters;
    uint64_t waiting;
    struct hol_state *state;  /* [threads] */
    struct prvcut_item *item; /* [items] */
    size_t items, room;
    bool ending; /* the present line of events ends something */
};

static int hol_compare(const void *a, const void *b)
{
    const struct hol_border *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if ((x->end > 0) != (y->end > 0))
        return x->end > 0 ? 1 : -1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static int hol_compare_threads(const void *a, const void *b)
{
    const struct hol_border *x = a, *y = b;

    return x->thread != y->thread ? (x->thread > y->thread) - (x->thread < y->thread)
                                  : hol_compare(a, b);
}

/* None stands where no record can be: what is open at the end stays so. */
static void hol_add(struct cnv_holes_walk *w, const struct cnv_holes_plan *plan, uint64_t time,
                    uint64_t end, uint32_t thread)
{
    if (time <= plan->length)
        w->border[w->borders++] = (struct hol_border){ time, end, thread };
}

enum prvcut_status cnv_holes_walk_new(struct cnv_holes_walk **out,
                                      const struct cnv_holes_plan *plan, struct prvcut_error *err)
{
    const struct cnv_holes *h = plan->holes;
    struct cnv_holes_walk *w = *out = prvcut_zeroed(1, sizeof *w, "stretches", err);

    if (!w)
        return PRVCUT_ENOMEM;
    w->holes = h;
    w->by_thread = plan->by_thread;
    w->border = prvcut_zeroed(2 * h->first[h->threads], sizeof *w->border, "stretches", err);
    w->until = prvcut_zeroed(h->threads, sizeof *w->until, "threads", err);
    w->waits = prvcut_zeroed(h->threads, sizeof *w->waits, "threads", err);
    w->waiter = prvcut_unset(h->threads, sizeof *w->waiter, "threads", err);
    w->state = prvcut_zeroed(h->threads, sizeof *w->state, "threads", err);
    if (!w->border || !w->until || !w->waits || !w->waiter || !w->state)
        return PRVCUT_ENOMEM;
    for (uint32_t t = 0; t < h->threads; t++)
        for (size_t i = h->first[t]; i < h->first[t + 1]; i++) {
            hol_add(w, plan, h->span[i].start, h->span[i].end, t);
            hol_add(w, plan, h->span[i].end, 0, t);
        }
    if (w->borders > 0)
        qsort(w->border, w->borders, sizeof *w->border,
              w->by_thread ? hol_compare_threads : hol_compare);
    return cnv_border_init(&w->open, h->threads, 0, err);
}

void cnv_holes_walk_free(struct cnv_holes_walk *w)
{
    if (!w)
        return;
    cnv_border_fini(&w->open);
    free(w->border);
    free(w->until);
    free(w->waits);
    free(w->waiter);
    free(w->state);
    free(w->item);
    free(w);
}

static enum prvcut_status hol_put(void *ctx, const struct prvcut_item *item,
                                  struct prvcut_error *err)
{
    struct cnv_holes_walk *w = ctx;

    if (prvcut_grow((void **)&w->item, &w->room, w->items + 1, sizeof *w->item, err) < 0)
        return PRVCUT_ENOMEM;
    w->item[w->items++] = *item;
    return PRVCUT_OK;
}

/* What of a thread's latest state lies in its stretch from there on. */
static enum prvcut_status hol_put_state(struct cnv_holes_walk *w, uint32_t thread, uint64_t from,
                                        struct prvcut_error *err)
{
    const struct hol_state *s = &w->state[thread];
    const uint64_t end = s->end < w->until[thread] ? s->end : w->until[thread];
    const struct prvcut_item item = { .time = from,
                                      .thread = thread,
                                      .kind = PRVCUT_ITEM_STATE,
                                      .head = true,
                                      .state = { end, s->number, s->running } };

    return s->any && end > from ? hol_put(w, &item, err) : PRVCUT_OK;
}

static enum prvcut_status hol_reopen(struct cnv_holes_walk *w, uint32_t thread,
                                     struct prvcut_error *err)
{
    const struct cnv_sink sink = { w, hol_put, NULL };

    if (!w->waits[thread])
        return PRVCUT_OK;
    w->waits[thread] = false;
    return cnv_border_reopen(&w->open, thread, w->waiting, &sink, err);
}

/* Nothing more comes of the time at which threads wait. */
static enum prvcut_status hol_reopen_all(struct cnv_holes_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->waiters && st == PRVCUT_OK; i++)
        st = hol_reopen(w, w->waiter[i], err);
    w->waiters = 0;
    return st;
}

static enum prvcut_status hol_cross(struct cnv_holes_walk *w, const struct hol_border *b,
                                    struct prvcut_error *err)
{
    const struct cnv_sink sink = { w, hol_put, NULL };
    enum prvcut_status st = PRVCUT_OK;

    if (w->waiters > 0 && (w->by_thread || b->time > w->waiting))
        st = hol_reopen_all(w, err);
    if (st < 0)
        return st;
    if (b->end == 0) {
        w->until[b->thread] = 0;
        return cnv_border_close(&w->open, b->thread, b->time, &sink, err);
    }
    w->until[b->thread] = b->end;
    w->waits[b->thread] = true;
    w->waiter[w->waiters++] = b->thread;
    w->waiting = b->time;
    return hol_put_state(w, b->thread, b->time, err);
}

/* Does a border stand before an item? What ends something, or is a state, which tells its end,
   comes before what begins at its time: as records of one thread stand. By time, all of a time come
   behind its borders; but what ends at the begin of a stretch is not begun again in it. */
static bool hol_before(const struct cnv_holes_walk *w, const struct hol_border *b,
                       const struct prvcut_item *i)
{
    const bool ends = i->kind == PRVCUT_ITEM_RECEIVE || i->kind == PRVCUT_ITEM_STATE || w->ending;

    if (!w->by_thread)
        return b->time <= i->time;
    if (b->thread != i->thread)
        return b->thread < i->thread;
    return ends ? b->time < i->time : b->time <= i->time;
}

static enum prvcut_status hol_advance(struct cnv_holes_walk *w, const struct prvcut_item *i,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (i->kind != PRVCUT_ITEM_EVENT)
        w->ending = false;
    else if (i->head)
        w->ending = prvcut_role_is_region(i->role) && i->event.value == 0;
    while (w->next < w->borders && hol_before(w, &w->border[w->next], i) && st == PRVCUT_OK)
        st = hol_cross(w, &w->border[w->next++], err);
    if (st == PRVCUT_OK && w->waiters > 0 && (w->by_thread || i->time > w->waiting))
        st = hol_reopen_all(w, err);
    return st;
}

/* Is a time of a thread kept? At the very end of a stretch, too, where that is asked for. */
static bool hol_has(const struct cnv_holes *h, uint32_t thread, uint64_t time, bool end)
{
    for (size_t i = h->first[thread]; i < h->first[thread + 1] && h->span[i].start <= time; i++)
        if (time < h->span[i].end || (end && time == h->span[i].end))
            return true;
    return false;
}

static bool hol_has_receive(const struct cnv_holes *h, uint32_t thread, uint64_t posted,
                            uint64_t complete)
{
    return hol_has(h, thread, posted, true) && hol_has(h, thread, complete, true);
}

static bool hol_takes(const void *ctx, const struct prvcut_message *m)
{
    const struct cnv_holes *h = ctx;

    return hol_has(h, m->sender, m->logical_send, false) &&
           hol_has_receive(h, m->receiver, m->logical_receive, m->physical_receive);
}

struct prvcut_stream_choice cnv_holes_choice(const struct cnv_holes *h)
{
    return (struct prvcut_stream_choice){ h, hol_takes };
}

static enum prvcut_status hol_state(struct cnv_holes_walk *w, const struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    w->state[i->thread] = (struct hol_state){ .begin = i->time,
                                              .end = i->state.end,
                                              .number = i->state.number,
                                              .running = i->state.running,
                                              .any = true };
    return w->until[i->thread] > 0 ? hol_put_state(w, i->thread, i->time, err) : PRVCUT_OK;
}

static enum prvcut_status hol_event(struct cnv_holes_walk *w, const struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    struct prvcut_item own = *i;
    const bool first = w->holes->span[w->holes->first[i->thread]].start == 0 &&
                       w->until[i->thread] == w->holes->span[w->holes->first[i->thread]].end;
    enum prvcut_status st;

    if (w->until[i->thread] == 0 || (w->waits[i->thread] && w->ending))
        return prvcut_role_is_region(i->role) ? cnv_border_before(&w->open, i, err) : PRVCUT_OK;
    st = hol_reopen(w, i->thread, err);
    if (st == PRVCUT_OK)
        st = cnv_border_event(&w->open, &own, first, err);
    return st == PRVCUT_OK ? hol_put(w, &own, err) : st;
}

/* Messages were chosen, both their ends; those that are alone were not. */
static bool hol_has_end(const struct cnv_holes *h, const struct prvcut_item *i)
{
    if (i->kind == PRVCUT_ITEM_SEND)
        return hol_has(h, i->thread, i->time, false);
    return i->kind != PRVCUT_ITEM_RECEIVE || hol_has_receive(h, i->thread, i->half.other, i->time);
}

enum prvcut_status cnv_holes_items(struct cnv_holes_walk *w, const struct prvcut_item *item,
                                   size_t count, struct prvcut_item **out, size_t *kept,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    w->items = 0;
    for (size_t k = 0; k < count && st == PRVCUT_OK; k++) {
        const struct prvcut_item *i = &item[k];

        st = hol_advance(w, i, err);
        if (st < 0)
            break;
        if (i->kind == PRVCUT_ITEM_STATE)
            st = hol_state(w, i, err);
        else if (i->kind == PRVCUT_ITEM_EVENT)
            st = hol_event(w, i, err);
        else if (hol_has_end(w->holes, i))
            st = hol_put(w, i, err);
    }
    *out = w->item;
    *kept = w->items;
    return st;
}

enum prvcut_status cnv_holes_end(struct cnv_holes_walk *w, struct prvcut_item **out, size_t *kept,
                                 struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    w->items = 0;
    while (w->next < w->borders && st == PRVCUT_OK)
        st = hol_cross(w, &w->border[w->next++], err);
    if (st == PRVCUT_OK)
        st = hol_reopen_all(w, err);
    *out = w->item;
    *kept = w->items;
    return st;
}
