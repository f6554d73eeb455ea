#include "signal/collect.h"

#include "base/memory.h"
#include "model/roles.h"
#include "pass/pass.h"
#include "signal/asked.h"
#include "signal/call_tags.h"
#include "signal/counters.h"
#include "signal/flights.h"
#include "signal/keep.h"

#include <stdlib.h>
#include <string.h>

#define BIT(which) (UINT32_C(1) << (which))

/* What one part of the trace leaves behind until it is joined. */
struct part {
    struct prvcut_tracks_part tracks;
    struct prvcut_counters_part counters;
    struct prvcut_call_list list[PRVCUT_CALL_THREADS];
    uint64_t number;
    uint32_t halves; /* so far */
};

struct worker {
    unsigned feed; /* of the flights */
    struct prvcut_sums sums;
    struct prvcut_rows tracks;
    struct prvcut_rows counters;
};

struct collector {
    struct prvcut_trace *trace;
    const struct prvcut_wish *wish;
    struct prvcut_collection *out;
    struct prvcut_sums_of_all all; /* of what crosses parts, and at last of everything */
    struct prvcut_follow_carry tracks;
    struct prvcut_counters_carry counters;
    struct prvcut_call_threads threads;
    struct prvcut_flights flights;
    struct prvcut_asked_sums *asked; /* NULL: none */
    struct prvcut_call_list list[PRVCUT_CALL_THREADS];
    uint32_t sum_bits, wide_bits;
    bool use_tracks, use_counters;
};

struct prvcut_grid prvcut_grid_fit(uint64_t start, uint64_t end, size_t bins)
{
    uint64_t width = 1, span = end > start ? end - start : 1;

    while ((span + width - 1) / width > bins)
        width *= 2;
    return prvcut_grid_make(start, width, (size_t)((span + width - 1) / width));
}

static enum prvcut_status collect_begin(void *ctx, void *room, void *part, uint64_t number,
                                        struct prvcut_error *err)
{
    const struct collector *c = ctx;
    struct worker *w = room;
    struct part *p = part;

    (void)err;
    p->number = number;
    p->halves = 0;
    if (c->use_tracks)
        prvcut_rows_begin(&w->tracks);
    if (c->use_counters)
        prvcut_rows_begin(&w->counters);
    return PRVCUT_OK;
}

static void collect_add_states(struct prvcut_sums *s, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->states; i++) {
        const struct prvcut_state *r = &b->state[i];

        if (!r->running)
            continue;
        prvcut_sums_add_both(s, PRVCUT_SUM_RUNNING, PRVCUT_WIDE_RUNNING, r->begin, r->end);
    }
}

static void collect_add_messages(struct prvcut_sums *s, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->messages; i++)
        prvcut_sums_message(s, &b->message[i]);
}

static void collect_add_halves(struct prvcut_sums *s, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->halves; i++)
        prvcut_sums_half(s, b->half[i].time, b->half[i].receive);
}

/* Where in the run a batch is. */
static void collect_reach(struct prvcut_sums *s, const struct prvcut_batch *b)
{
    if (b->events > 0)
        prvcut_sums_reach(s, b->event[0].time);
    else if (b->states > 0)
        prvcut_sums_reach(s, b->state[0].begin);
    else if (b->messages > 0)
        prvcut_sums_reach(s, b->message[0].logical_send);
}

/* A batch of one thread whose calls are not collected. */
static bool collect_unchosen(const struct collector *c, const struct prvcut_batch *b)
{
    return (b->states == 0 || !c->threads.states || !c->threads.chosen[b->state[0].thread]) &&
           (b->events == 0 || !c->threads.chosen[b->event[0].thread]) &&
           (b->halves == 0 || !c->threads.chosen[b->half[0].thread]) && b->messages == 0;
}

static enum prvcut_status collect_batch(void *ctx, void *room, void *part,
                                        const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct collector *c = ctx;
    struct worker *w = room;
    struct part *p = part;
    enum prvcut_status st =
        prvcut_flights_batch(&c->flights, w->feed, p->number, &p->halves, batch, err);

    collect_reach(&w->sums, batch);
    collect_add_states(&w->sums, batch);
    collect_add_messages(&w->sums, batch);
    collect_add_halves(&w->sums, batch);
    if (c->use_tracks && st == PRVCUT_OK)
        st = prvcut_tracks_events(&w->tracks, &p->tracks, &w->sums, batch, err);
    for (size_t i = 0; c->use_counters && i < batch->events && st == PRVCUT_OK; i++) {
        const uint32_t role = batch->event[i].role;

        if (PRVCUT_ROLES_MPI >> role & 1 || PRVCUT_ROLES_METERED >> role & 1)
            st = prvcut_counters_event(&w->counters, &p->counters, &w->sums, &batch->event[i], err);
    }
    if (c->wish->calls && st == PRVCUT_OK &&
        !(c->trace->reader->by_thread && collect_unchosen(c, batch)))
        st = prvcut_calls_batch(&c->threads, p->list, batch, err);
    return st;
}

static enum prvcut_status collect_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct collector *c = ctx;
    struct part *p = part;
    enum prvcut_status st = PRVCUT_OK;

    pthread_mutex_lock(&c->all.lock);
    if (c->use_tracks)
        st = prvcut_tracks_join(&c->tracks, &p->tracks, &c->all.sums, &c->out->flushes, err);
    if (c->use_counters)
        prvcut_counters_join(&c->counters, &p->counters, &c->all.sums);
    pthread_mutex_unlock(&c->all.lock);
    if (c->threads.count > 0 && st == PRVCUT_OK)
        st = prvcut_calls_join(&c->threads, c->list, p->list, err);
    return st;
}

static void collect_clear(void *part)
{
    struct part *p = part;

    prvcut_tracks_part_clear(&p->tracks);
    p->counters.count = 0;
    for (unsigned i = 0; i < PRVCUT_CALL_THREADS; i++)
        prvcut_call_list_reset(&p->list[i]);
}

static void collect_part_fini(void *part)
{
    struct part *p = part;

    prvcut_tracks_part_fini(&p->tracks);
    free(p->counters.seen);
    for (unsigned i = 0; i < PRVCUT_CALL_THREADS; i++)
        prvcut_call_list_fini(&p->list[i]);
}

static enum prvcut_status collect_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct collector *c = ctx;
    enum prvcut_status st = PRVCUT_OK;

    if (c->use_tracks)
        st = prvcut_tracks_end(&c->tracks, end_ns, &c->all.sums, &c->out->flushes, err);
    if (c->use_counters)
        prvcut_counters_end(&c->counters, &c->all.sums);
    return st;
}

static enum prvcut_status collect_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    (void)err;
    prvcut_sums_merge(&((struct collector *)ctx)->all.sums, &((struct worker *)worker)->sums);
    return PRVCUT_OK;
}

/* --- Shared with other processes ---------------------------------------------------------------
 */

static void collect_put(void *ctx, struct prvcut_put *out)
{
    const struct collector *c = ctx;

    if (c->use_tracks)
        prvcut_follow_carry_put(out, &c->tracks);
    if (c->use_counters)
        prvcut_counters_carry_put(out, &c->counters);
    prvcut_call_lists_put(out, &c->threads, c->list);
    prvcut_flushes_put(out, &c->out->flushes);
}

static void collect_get(void *ctx, struct prvcut_get *in)
{
    struct collector *c = ctx;

    if (c->use_tracks)
        prvcut_follow_carry_get(in, &c->tracks);
    if (c->use_counters)
        prvcut_counters_carry_get(in, &c->counters);
    prvcut_call_lists_get(in, &c->threads, c->list);
    free(c->out->flushes.at);
    prvcut_flushes_get(in, &c->out->flushes, c->trace->objects.threads);
}

static void collect_sums_put(void *ctx, struct prvcut_put *out)
{
    prvcut_sums_put(out, &((struct collector *)ctx)->all.sums);
}

static void collect_sums_get(void *ctx, struct prvcut_get *in)
{
    prvcut_sums_get(in, &((struct collector *)ctx)->all.sums);
}

static void collect_sums_clear(void *ctx)
{
    prvcut_sums_clear(&((struct collector *)ctx)->all.sums);
}

static const struct prvcut_pass_share collect_share = {
    .put = collect_put,
    .get = collect_get,
    .sums = { .put = collect_sums_put, .add = collect_sums_get, .clear = collect_sums_clear },
};

/* --- What is collected -------------------------------------------------------------------------
 */

static void collect_choose_thread(struct prvcut_call_threads *t, uint32_t thread)
{
    if (t->chosen[thread])
        return;
    t->thread[t->count++] = thread;
    t->chosen[thread] = (uint8_t)t->count;
    t->detail[thread] = 1;
}

/* First threads of tasks, spread evenly over the tasks; where regions are the calls, any threads.
 */
static enum prvcut_status collect_choose_threads(struct collector *c, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &c->trace->objects;
    const uint32_t from = c->wish->regions ? o->threads : o->tasks;
    const unsigned want = from < PRVCUT_CALL_THREADS ? from : PRVCUT_CALL_THREADS;

    c->threads.threads = o->threads;
    c->threads.states = c->wish->states;
    c->threads.roles = c->wish->regions ? PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION) : PRVCUT_ROLES_MPI;
    c->threads.chosen = prvcut_zeroed((size_t)o->threads + 1, 1, "threads", err);
    c->threads.detail = prvcut_zeroed((size_t)o->threads + 1, 1, "threads", err);
    c->threads.thread =
        prvcut_zeroed(PRVCUT_CALL_THREADS, sizeof *c->threads.thread, "threads", err);
    if (!c->threads.chosen || !c->threads.detail || !c->threads.thread)
        return PRVCUT_ENOMEM;
    for (unsigned i = 0; i < want; i++) {
        const uint32_t place = (uint32_t)((uint64_t)i * from / want);
        const uint32_t thread = c->wish->regions ? place : o->task_first_thread[place];

        if (c->wish->regions || o->task_first_thread[place + 1] > thread)
            collect_choose_thread(&c->threads, thread);
    }
    return PRVCUT_OK;
}

static void collect_choose_sums(struct collector *c, bool outside)
{
    const uint32_t tracked = BIT(PRVCUT_SUM_P2P) | BIT(PRVCUT_SUM_COLLECTIVE) |
                             BIT(PRVCUT_SUM_MPI_OTHER) | BIT(PRVCUT_SUM_FLUSH) |
                             BIT(PRVCUT_SUM_OUTSIDE);

    for (unsigned i = 0; i < PRVCUT_METRICS; i++) {
        if (!(c->wish->metrics >> i & 1))
            continue;
        c->sum_bits |= prvcut_metric_table[i].sums;
        c->wide_bits |= prvcut_metric_table[i].wides;
    }
    if (!outside) {
        c->sum_bits &= ~BIT(PRVCUT_SUM_OUTSIDE);
        c->wide_bits &= ~BIT(PRVCUT_WIDE_OUTSIDE);
    } else if (c->wide_bits & BIT(PRVCUT_WIDE_OUTSIDE)) {
        c->sum_bits |= BIT(PRVCUT_SUM_OUTSIDE);
    }
    c->use_tracks = (c->sum_bits & tracked) != 0;
    c->use_counters =
        (c->wide_bits & (BIT(PRVCUT_WIDE_IPC) | BIT(PRVCUT_WIDE_CLOCK) |
                         BIT(PRVCUT_WIDE_INSTRUCTIONS) | BIT(PRVCUT_WIDE_FLOPS))) != 0;
}

static enum prvcut_status collect_worker_init(void *ctx, void *room, struct prvcut_error *err)
{
    struct collector *c = ctx;
    const uint32_t threads = c->trace->objects.threads;
    struct worker *w = room;
    /* Who reads thread by thread is everywhere in the run with each of them. */
    enum prvcut_status st =
        c->trace->reader->by_thread
            ? prvcut_sums_init(&w->sums, &c->wish->grid, c->sum_bits, c->wide_bits, err)
            : prvcut_sums_init_near(&w->sums, &c->all, c->sum_bits, c->wide_bits, err);

    w->feed = c->flights.feeds++;
    if (st == PRVCUT_OK && c->use_tracks)
        st = prvcut_rows_init(&w->tracks, threads, err);
    if (st == PRVCUT_OK && c->use_counters)
        st = prvcut_rows_init(&w->counters, threads, err);
    return st;
}

static void collect_worker_fini(void *room)
{
    struct worker *w = room;

    prvcut_sums_fini(&w->sums);
    prvcut_rows_fini(&w->tracks);
    prvcut_rows_fini(&w->counters);
}

/* Halves count from the run's beginning, which a window has not. */
static bool collect_choose_flights(const struct collector *c)
{
    return (c->sum_bits & BIT(PRVCUT_SUM_INFLIGHT)) != 0 && c->trace->reader->halves &&
           !c->wish->window;
}

static enum prvcut_status collect_collector_init(struct collector *c, const struct prvcut_run *run,
                                                 bool outside, struct prvcut_error *err)
{
    const uint32_t threads = c->trace->objects.threads;
    enum prvcut_status st;

    collect_choose_sums(c, outside);
    st = prvcut_sums_of_all_init(&c->all, &c->wish->grid, c->sum_bits, c->wide_bits, err);
    if (st == PRVCUT_OK && c->wish->metrics >> PRVCUT_METRICS)
        st = prvcut_asked_sums_new(&c->asked, c->trace, c->wish->metrics >> PRVCUT_METRICS,
                                   &c->wish->grid, err);
    if (st == PRVCUT_OK && collect_choose_flights(c))
        st = prvcut_flights_init(&c->flights, run, err);
    if (st == PRVCUT_OK && c->use_tracks)
        st = prvcut_follow_carry_init(&c->tracks, threads, err);
    if (st == PRVCUT_OK && c->use_counters)
        st = prvcut_counters_carry_init(&c->counters, threads, err);
    return st == PRVCUT_OK && c->wish->calls ? collect_choose_threads(c, err) : st;
}

static void collect_collector_fini(struct collector *c)
{
    for (unsigned i = 0; i < PRVCUT_CALL_THREADS; i++)
        prvcut_call_list_fini(&c->list[i]);
    prvcut_sums_of_all_fini(&c->all);
    prvcut_flights_fini(&c->flights);
    prvcut_asked_sums_free(c->asked);
    prvcut_follow_carry_fini(&c->tracks);
    free(c->counters.at);
    free(c->threads.chosen);
    free(c->threads.detail);
    free(c->threads.thread);
}

static struct prvcut_listener collect_collector_listener(struct collector *c)
{
    const uint32_t running = BIT(PRVCUT_SUM_RUNNING);
    struct prvcut_listener k = {
        .ctx = c,
        .worker = { sizeof(struct worker), "workers", collect_worker_init, collect_worker_fini },
        .part = { sizeof(struct part), "a part", NULL, collect_part_fini },
        .begin = collect_begin,
        .batch = collect_batch,
        .join = collect_join,
        .clear = collect_clear,
        .end = collect_end,
        .merge = collect_merge,
        .share = &collect_share,
    };

    k.states = (c->sum_bits & running) != 0 || (c->wide_bits & BIT(PRVCUT_WIDE_RUNNING)) != 0;
    k.states = k.states || c->wish->states;
    k.running_only = !c->wish->states;
    k.messages = c->wish->calls || (c->sum_bits & BIT(PRVCUT_SUM_INFLIGHT)) != 0;
    k.posts = c->flights.wanted;
    if (c->use_tracks || c->use_counters)
        k.roles |= PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH);
    if (c->use_counters)
        k.roles |= PRVCUT_ROLES_METERED;
    if (c->wish->calls) {
        k.detail = c->threads.detail;
        k.detail_roles = c->threads.roles | PRVCUT_ROLES_CALLERS | PRVCUT_ROLES_OF_COLLECTIVE;
    }
    return k;
}

/* Hand the finished call lists over. */
static enum prvcut_status collect_take_calls(struct collector *c, struct prvcut_error *err)
{
    struct prvcut_collection *out = c->out;

    out->sequence =
        prvcut_zeroed(c->threads.count + 1u, sizeof *out->sequence, "call sequences", err);
    if (!out->sequence)
        return PRVCUT_ENOMEM;
    for (unsigned i = 0; i < c->threads.count; i++) {
        struct prvcut_call_sequence *s = &out->sequence[out->sequences];

        if (c->list[i].given_up)
            continue;
        prvcut_calls_finish(&c->list[i]);
        if (prvcut_call_tags_drop(c->list[i].call, c->list[i].calls, err) < 0)
            return PRVCUT_ENOMEM;
        s->thread = c->threads.thread[i];
        s->at = c->list[i].call;
        s->count = c->list[i].calls;
        s->beyond = c->list[i].beyond;
        out->calls_cut_short |= c->list[i].full;
        c->list[i].call = NULL;
        c->list[i].beyond = (struct prvcut_call_marks){ .calls = 0 };
        out->sequences++;
    }
    return PRVCUT_OK;
}

/* The bins that signals have, once it is known what was read. */
static struct prvcut_grid collect_enough(const struct collector *c)
{
    const struct prvcut_grid *g = &c->wish->grid;
    const bool clock = c->all.sums.count[PRVCUT_SUM_CLOCK] > 0;
    struct prvcut_grid fit;

    if (!c->wish->enough)
        return *g;
    fit = prvcut_grid_fit(g->start, prvcut_grid_end(g),
                          c->wish->enough(c->wish->ctx, c->out->counts.bytes, clock));
    return fit.width > g->width ? fit : *g;
}

static enum prvcut_status collect_finish(struct collector *c, const struct prvcut_run *run,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_flights_end(&c->flights, run, &c->all.sums, err);
    const struct prvcut_grid grid = collect_enough(c);

    prvcut_sums_finish(&c->all.sums, &grid);
    if (c->asked)
        prvcut_asked_sums_lay(c->asked, &grid);
    for (unsigned i = 0; i < PRVCUT_METRICS && st == PRVCUT_OK; i++)
        if (c->wish->metrics >> i & 1)
            st = prvcut_metric_signal((enum prvcut_metric_id)i, &c->all.sums, &c->out->signal[i],
                                      err);
    for (unsigned i = PRVCUT_METRICS; i < PRVCUT_SIGNALS && st == PRVCUT_OK; i++)
        if (c->wish->metrics >> i & 1)
            st = prvcut_asked_signal(c->asked, i - PRVCUT_METRICS, &c->out->signal[i], err);
    if (st == PRVCUT_OK && c->wish->calls)
        st = collect_take_calls(c, err);
    return st;
}

static enum prvcut_status collect_once(struct prvcut_trace *t, const struct prvcut_run *run,
                                       const struct prvcut_wish *wish, bool outside,
                                       struct prvcut_collection *out, struct prvcut_error *err)
{
    const struct prvcut_span window = { wish->grid.start, prvcut_grid_end(&wish->grid) };
    struct collector c = { .trace = t, .wish = wish, .out = out };
    const struct prvcut_listener *listeners[3];
    struct prvcut_listener listener;
    size_t count = 0;
    enum prvcut_status st = collect_collector_init(&c, run, outside, err);

    memset(out, 0, sizeof *out);
    listener = collect_collector_listener(&c);
    listeners[count++] = &listener;
    if (c.asked)
        listeners[count++] = prvcut_asked_sums_listener(c.asked);
    if (wish->beside)
        listeners[count++] = wish->beside;
    if (st == PRVCUT_OK)
        st = prvcut_pass_run(t, run, wish->window ? &window : NULL, listeners, count, &out->counts,
                             err);
    if (st == PRVCUT_OK)
        st = collect_finish(&c, run, err);
    collect_collector_fini(&c);
    return st;
}

enum prvcut_status prvcut_collect(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_wish *wish, struct prvcut_collection *out,
                                  struct prvcut_error *err)
{
    const uint32_t from_states =
        PRVCUT_METRIC_BIT(PRVCUT_BURSTS) | PRVCUT_METRIC_BIT(PRVCUT_COMPUTING);
    struct prvcut_wish again;
    enum prvcut_status st = collect_once(t, run, wish, t->once, out, err);

    if (st < 0 || t->once || !(wish->metrics & from_states))
        return st;
    if ((!(wish->metrics >> PRVCUT_BURSTS & 1) || out->signal[PRVCUT_BURSTS].at) &&
        (!(wish->metrics >> PRVCUT_COMPUTING & 1) || out->signal[PRVCUT_COMPUTING].at))
        return st;
    /* No running states: the time between the calls stands in for them. */
    prvcut_collection_fini(out);
    again = *wish;
    again.beside = NULL;
    return collect_once(t, run, &again, true, out, err);
}

void prvcut_collection_fini(struct prvcut_collection *c)
{
    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        free(c->signal[i].at);
    for (size_t i = 0; i < c->sequences; i++) {
        free(c->sequence[i].at);
        prvcut_call_marks_fini(&c->sequence[i].beyond);
    }
    free(c->sequence);
    free(c->flushes.at);
    memset(c, 0, sizeof *c);
}
