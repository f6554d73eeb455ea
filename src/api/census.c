#include "api/census.h"

#include "api/census_clocks.h"
#include "api/census_functions.h"
#include "base/memory.h"
#include "base/search.h"
#include "pass/pass.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* States that leave more of the threads' time open are some of several. */
#define COVERED 0.95

/* What one part of the trace leaves behind until it is joined. */
struct part {
    struct census_sums types, states;
    struct functions_part functions;
    struct clocks_part clocks;
    struct prvcut_tracks_part tracks;
};

struct worker {
    struct prvcut_rows tracks, functions;
    struct census_messages messages;
    uint64_t *last_call; /* [threads], ns: begin of the latest MPI call */
    uint64_t *last;      /* [threads], ns: end of the latest record */
};

struct census_taker {
    struct census *out;
    const struct prvcut_trace *trace;
    struct prvcut_listener listener;
    struct prvcut_table types, states; /* of census_entry */
    uint32_t threads;
    uint64_t *last_call; /* [threads], ns: begin of the latest MPI call */
    uint64_t *last;      /* [threads], ns: end of the latest record */
    struct prvcut_follow_carry tracks;
    struct prvcut_flushes flushes;
    struct functions functions;
    struct prvcut_samples clocks; /* of a trace that has names of its own */
};

static enum prvcut_status census_part_init(void *ctx, void *room, struct prvcut_error *err)
{
    struct part *p = room;

    (void)ctx, (void)err;
    census_sums_init(&p->types, "event types");
    census_sums_init(&p->states, "states");
    census_sums_init(&p->functions.sums, "functions");
    p->clocks.samples = prvcut_samples_none();
    return PRVCUT_OK;
}

static void census_part_clear(void *room)
{
    struct part *p = room;

    census_sums_clear(&p->types);
    census_sums_clear(&p->states);
    functions_part_empty(&p->functions);
    clocks_part_empty(&p->clocks);
    prvcut_tracks_part_clear(&p->tracks);
}

static void census_part_fini(void *room)
{
    struct part *p = room;

    census_sums_fini(&p->types);
    census_sums_fini(&p->states);
    functions_part_fini(&p->functions);
    clocks_part_fini(&p->clocks);
    prvcut_tracks_part_fini(&p->tracks);
}

static enum prvcut_status census_begin(void *ctx, void *worker, void *part, uint64_t number,
                                       struct prvcut_error *err)
{
    const struct census_taker *t = ctx;
    struct part *p = part;

    (void)number;
    prvcut_rows_begin(&((struct worker *)worker)->tracks);
    prvcut_rows_begin(&((struct worker *)worker)->functions);
    if (t->functions.named && clocks_part_init(&p->clocks, t->threads, err) < 0)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

static void census_add_message(struct census_messages *m, uint64_t size)
{
    const unsigned bucket = size == 0 ? 0 : 64 - (unsigned)__builtin_clzll(size);

    m->least = m->count == 0 || size < m->least ? size : m->least;
    m->most = size > m->most ? size : m->most;
    m->bucket[bucket]++;
    m->count++;
    prvcut_add_most(&m->bytes, size);
}

/* An event of a call, a function or a flush. */
static inline enum prvcut_status census_event(struct worker *w, struct part *p, bool named,
                                              const struct prvcut_event *e,
                                              struct prvcut_sums *no_sums, struct prvcut_error *err)
{
    if (e->role == PRVCUT_ROLE_FLUSH &&
        prvcut_tracks_event(&w->tracks, &p->tracks, no_sums, e, err) < 0)
        return PRVCUT_ENOMEM;
    if (PRVCUT_ROLES_MPI >> e->role & 1 && e->value != 0 && e->time > w->last_call[e->thread])
        w->last_call[e->thread] = e->time;
    if (named)
        return clocks_event(&p->clocks, e, err) == PRVCUT_OK
                   ? functions_event(&w->functions, &p->functions, e, err)
                   : PRVCUT_ENOMEM;
    return e->role == PRVCUT_ROLE_FLUSH
               ? PRVCUT_OK
               : functions_call_event(&w->functions, &p->functions, e, err);
}

static enum prvcut_status census_events(struct worker *w, struct part *p, bool named,
                                        const struct prvcut_batch *batch, struct prvcut_error *err)
{
    const uint32_t roles =
        functions_roles(named) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH) | (named ? CLOCKS_ROLES : 0);
    struct prvcut_sums no_sums = { 0 };

    for (size_t i = 0; i < batch->events; i++) {
        const struct prvcut_event *e = &batch->event[i];
        struct census_entry *to = census_grow(&p->types, e->type, e->role, err);

        if (!to)
            return PRVCUT_ENOMEM;
        to->count++;
        to->sum += e->value != 0;
        if (e->head && e->time > w->last[e->thread])
            w->last[e->thread] = e->time;
        if (roles >> e->role & 1 && census_event(w, p, named, e, &no_sums, err) < 0)
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

static enum prvcut_status census_batch(void *ctx, void *room, void *part,
                                       const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct census_taker *t = ctx;
    struct worker *w = room;
    struct part *p = part;

    for (size_t i = 0; i < batch->states; i++) {
        const struct prvcut_state *s = &batch->state[i];
        struct census_entry *to = census_grow(&p->states, s->number, s->running, err);

        if (!to)
            return PRVCUT_ENOMEM;
        to->count++;
        prvcut_add_most(&to->sum, s->end - s->begin);
        if (s->begin < s->end && s->end > w->last[s->thread])
            w->last[s->thread] = s->end;
    }
    for (size_t i = 0; i < batch->messages; i++)
        census_add_message(&w->messages, batch->message[i].size);
    for (size_t i = 0; i < batch->halves; i++) {
        if (t->functions.named && prvcut_samples_half(&p->clocks.samples, &batch->half[i], err) < 0)
            return PRVCUT_ENOMEM;
        if (batch->half[i].receive)
            w->messages.receives++;
        else
            census_add_message(&w->messages, batch->half[i].size);
    }
    return census_events(w, p, t->functions.named, batch, err);
}

static enum prvcut_status census_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct prvcut_sums no_sums = { 0 };
    struct census_taker *t = ctx;
    struct part *p = part;
    enum prvcut_status st = census_sums_settle(&p->types, err);

    if (st == PRVCUT_OK)
        st = census_sums_settle(&p->states, err);
    if (st == PRVCUT_OK)
        st = census_join_table(&t->types, &p->types.table, &t->out->other_values, err);
    if (st == PRVCUT_OK)
        st = census_join_table(&t->states, &p->states.table, &t->out->other_states, err);
    if (st == PRVCUT_OK)
        st = prvcut_tracks_join(&t->tracks, &p->tracks, &no_sums, &t->flushes, err);
    if (st == PRVCUT_OK)
        st = functions_join(&t->functions, &p->functions, err);
    if (st == PRVCUT_OK && t->functions.named)
        st = prvcut_samples_join(&t->clocks, &p->clocks.samples, err);
    return st;
}

static enum prvcut_status census_worker_init(void *ctx, void *room, struct prvcut_error *err)
{
    const struct census_taker *t = ctx;
    struct worker *w = room;
    enum prvcut_status st = prvcut_rows_init(&w->tracks, t->threads, err);

    if (st == PRVCUT_OK)
        st = prvcut_rows_init(&w->functions, t->threads, err);
    w->last_call = prvcut_zeroed((size_t)t->threads + 1, sizeof *w->last_call, "threads", err);
    w->last = prvcut_zeroed((size_t)t->threads + 1, sizeof *w->last, "threads", err);
    return w->last_call && w->last ? st : PRVCUT_ENOMEM;
}

static void census_worker_fini(void *room)
{
    struct worker *w = room;

    prvcut_rows_fini(&w->tracks);
    prvcut_rows_fini(&w->functions);
    free(w->last_call);
    free(w->last);
}

static enum prvcut_status census_taker_init(struct census_taker *t, struct prvcut_error *err)
{
    t->last_call = prvcut_zeroed((size_t)t->threads + 1, sizeof *t->last_call, "threads", err);
    t->last = prvcut_zeroed((size_t)t->threads + 1, sizeof *t->last, "threads", err);
    t->functions.last = t->last;
    return t->last_call && t->last ? prvcut_follow_carry_init(&t->tracks, t->threads, err)
                                   : PRVCUT_ENOMEM;
}

static void census_taker_fini(struct census_taker *t)
{
    prvcut_table_fini(&t->types);
    prvcut_table_fini(&t->states);
    functions_fini(&t->functions);
    prvcut_samples_fini(&t->clocks);
    free(t->last_call);
    free(t->last);
    prvcut_follow_carry_fini(&t->tracks);
    free(t->flushes.at);
}

static void census_merge_messages(struct census_messages *all, const struct census_messages *more)
{
    all->receives += more->receives;
    if (more->count == 0)
        return;
    all->least = all->count == 0 || more->least < all->least ? more->least : all->least;
    all->most = more->most > all->most ? more->most : all->most;
    all->count += more->count;
    prvcut_add_most(&all->bytes, more->bytes);
    for (size_t i = 0; i < sizeof all->bucket / sizeof *all->bucket; i++)
        all->bucket[i] += more->bucket[i];
}

static enum prvcut_status census_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    struct census_taker *t = ctx;
    const struct worker *w = worker;

    (void)err;
    census_merge_messages(&t->out->messages, &w->messages);
    for (uint32_t i = 0; i < t->threads; i++) {
        if (w->last_call[i] > t->last_call[i])
            t->last_call[i] = w->last_call[i];
        if (w->last[i] > t->last[i])
            t->last[i] = w->last[i];
    }
    return PRVCUT_OK;
}

static enum prvcut_status census_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct prvcut_sums no_sums = { 0 };
    struct census_taker *t = ctx;

    t->out->end_ns = end_ns;
    return prvcut_tracks_end(&t->tracks, end_ns, &no_sums, &t->flushes, err);
}

static enum prvcut_status census_sum_flushes(const struct census_taker *t,
                                             struct census_flushes *out, struct prvcut_error *err)
{
    const struct prvcut_flush **last =
        prvcut_zeroed((size_t)t->threads + 1, sizeof *last, "threads", err);

    if (!last)
        return PRVCUT_ENOMEM;
    out->count = t->flushes.seen;
    out->looked = t->flushes.count;
    for (size_t i = 0; i < t->flushes.count; i++) {
        const struct prvcut_flush *f = &t->flushes.at[i];

        if (!last[f->thread] || last[f->thread]->begin < f->begin)
            last[f->thread] = f;
        prvcut_add_most(&out->total, f->end - f->begin);
        if (f->end - f->begin > out->longest) {
            out->longest = f->end - f->begin;
            out->longest_thread = f->thread;
        }
    }
    for (uint32_t i = 0; t->flushes.count > 0 && i < t->threads; i++) {
        out->threads += last[i] != NULL;
        if (!last[i] || last[i]->begin <= t->last_call[i])
            continue;
        out->last++;
        prvcut_add_most(&out->last_total, last[i]->end - last[i]->begin);
    }
    free(last);
    return PRVCUT_OK;
}

static struct prvcut_listener census_listener_for(struct census_taker *t)
{
    return (struct prvcut_listener){
        .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1,
        .states = true,
        .messages = true,
        .ctx = t,
        .worker = { sizeof(struct worker), "workers", census_worker_init, census_worker_fini },
        .part = { sizeof(struct part), "a part", census_part_init, census_part_fini },
        .begin = census_begin,
        .batch = census_batch,
        .join = census_join,
        .clear = census_part_clear,
        .end = census_end,
        .merge = census_merge,
    };
}

enum prvcut_status census_taker_new(struct census_taker **out, const struct prvcut_trace *trace,
                                    struct census *census, struct prvcut_error *err)
{
    struct census_taker *t = prvcut_zeroed(1, sizeof *t, "what is in the trace", err);
    enum prvcut_status st;

    *out = t;
    memset(census, 0, sizeof *census);
    if (!t)
        return PRVCUT_ENOMEM;
    *t = (struct census_taker){ .out = census,
                                .trace = trace,
                                .types = census_entries("event types"),
                                .states = census_entries("states"),
                                .clocks = prvcut_samples_none(),
                                .threads = trace->objects.threads };
    t->listener = census_listener_for(t);
    st = census_taker_init(t, err);
    return st == PRVCUT_OK ? functions_init(&t->functions, t->threads, census_is_named(trace), err)
                           : st;
}

const struct prvcut_listener *census_taker_listener(const struct census_taker *t)
{
    return &t->listener;
}

enum prvcut_status census_taker_finish(struct census_taker *t, const struct prvcut_counts *counts,
                                       struct prvcut_error *err)
{
    struct census *c = t->out;
    enum prvcut_status st;

    c->counts = *counts;
    census_settle(&c->types, &t->types);
    census_settle(&c->states, &t->states);
    st = functions_end(&t->functions, c, err);
    c->threads = t->threads;
    if (st == PRVCUT_OK)
        st = clocks_end(&t->clocks, &c->clocks, err);
    if (st == PRVCUT_OK)
        st = clocks_lone(&t->clocks, &t->trace->objects, &c->messages, err);
    return st == PRVCUT_OK ? census_sum_flushes(t, &c->flushes, err) : st;
}

void census_taker_free(struct census_taker *t)
{
    if (t)
        census_taker_fini(t);
    free(t);
}

enum prvcut_status census_take(struct prvcut_trace *trace, const struct prvcut_run *run,
                               struct census *out, struct prvcut_error *err)
{
    struct prvcut_counts counts;
    struct census_taker *t;
    enum prvcut_status st = census_taker_new(&t, trace, out, err);

    if (st == PRVCUT_OK)
        st = prvcut_pass_run(trace, run, NULL,
                             (const struct prvcut_listener *[]){ census_taker_listener(t) }, 1,
                             &counts, err);
    if (st == PRVCUT_OK)
        st = census_taker_finish(t, &counts, err);
    census_taker_free(t);
    return st;
}

void census_fini(struct census *c)
{
    free(c->types.at);
    free(c->states.at);
    free(c->functions.at);
    memset(c, 0, sizeof *c);
}

uint64_t census_median(const struct census_messages *m)
{
    uint64_t seen = 0;
    unsigned k = 0;

    while (k < 64 && (seen += m->bucket[k]) < m->count / 2 + m->count % 2)
        k++;
    if (k == 64 || (UINT64_C(1) << k) - 1 > m->most)
        return m->most;
    return (UINT64_C(1) << k) - 1;
}

double census_states_time(const struct census *c)
{
    double all = 0;

    for (size_t i = 0; i < c->states.count; i++)
        all += (double)c->states.at[i].sum;
    return all;
}

double census_whole_time(const struct census *c)
{
    const double states = census_states_time(c), all = census_threads_time(c);

    return states > 0 && states < COVERED * all ? all : states;
}

double census_threads_time(const struct census *c)
{
    return (double)c->end_ns * c->threads;
}

/* Before its first and after its last function a thread may be in a state all the same. */
double census_functions_time(const struct census *c)
{
    const double states = census_states_time(c);

    return states > (double)c->functions_ns ? states : (double)c->functions_ns;
}

struct census_tasks census_tasks(const struct prvcut_objects *o, uint32_t first)
{
    struct census_tasks g = { .application = prvcut_objects_application(o, first),
                              .first = first,
                              .end = first + 1,
                              .node = o->task_node[first] };

    g.threads = o->task_first_thread[first + 1] - o->task_first_thread[first];
    while (g.end < o->application_first_task[g.application + 1] &&
           o->task_first_thread[g.end + 1] - o->task_first_thread[g.end] == g.threads &&
           o->task_node[g.end] == g.node)
        g.end++;
    return g;
}

const char *census_label(const struct prvcut_label *label, size_t labels, uint64_t number)
{
    const struct prvcut_label *found = prvcut_find_u32(
        label, labels, sizeof *label, offsetof(struct prvcut_label, number), number);

    return found && found->text ? found->text : "";
}

/* An archive's reader counts all its files. */
uint64_t census_bytes(const struct prvcut_trace *t)
{
    uint64_t bytes = t->bytes;

    for (unsigned i = 0; i < t->companions && t->reader->format->packs; i++) {
        struct stat s;

        if (t->companion[i].path && stat(t->companion[i].path, &s) == 0)
            bytes += (uint64_t)s.st_size;
    }
    return bytes;
}

const char *census_codec(const struct prvcut_trace *t)
{
    return t->codec == PRVCUT_GZIP ? "gzip" : t->codec == PRVCUT_ZSTD ? "zstd" : NULL;
}
