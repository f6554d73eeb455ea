#include "analysis/timeline.h"

#include "analysis/timeline_calls.h"
#include "analysis/timeline_messages.h"
#include "base/memory.h"
#include "base/ordered.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One pass over the window's blocks. */
struct pass {
    struct tl_grid *grid;
    struct tl_calls *calls;       /* NULL: states */
    struct tl_messages *messages; /* NULL: not wanted */
    pthread_mutex_t lock;         /* of messages */
};

/* All that is needed until the timeline is drawn. */
struct reading {
    struct prvcut_timeline *out;
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_window *window;
    struct prvcut_dictionary names;
    struct tl_keys keys;
    struct tl_grid grid;
    struct tl_messages messages;
    bool messages_read;
};

static enum prvcut_status pass_begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                     struct prvcut_error *err)
{
    const struct pass *p = ctx;

    (void)worker;
    *state = NULL;
    return p->calls ? tl_calls_begin(part, state, err) : PRVCUT_OK;
}

static void add_states(struct tl_grid *g, unsigned worker, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->states; i++) {
        const struct prvcut_state *s = &b->state[i];
        const struct prvcut_span when = { s->begin, s->end };

        if (s->thread < g->threads)
            tl_grid_add(g, worker, s->thread, tl_keys_find(g->keys, TL_STATE, s->number), &when);
    }
}

static enum prvcut_status pass_batch(void *ctx, unsigned worker, void *state,
                                     const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct pass *p = ctx;
    enum prvcut_status st = PRVCUT_OK;

    if (!p->calls)
        add_states(p->grid, worker, batch);
    if (p->messages && batch->messages + batch->halves > 0) {
        pthread_mutex_lock(&p->lock);
        st = tl_messages_batch(p->messages, batch, err);
        pthread_mutex_unlock(&p->lock);
    }
    return p->calls && st == PRVCUT_OK ? tl_calls_batch(p->calls, state, batch, err) : st;
}

static enum prvcut_status pass_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct pass *p = ctx;

    return p->calls ? tl_calls_join(p->calls, state, err) : PRVCUT_OK;
}

static void pass_discard(void *ctx, void *state)
{
    const struct pass *p = ctx;

    if (p->calls)
        tl_calls_discard(state);
}

static enum prvcut_status run_pass(struct reading *r, struct pass *p, struct prvcut_error *err)
{
    const struct prvcut_consumer consumer = {
        .roles = p->calls ? PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION) : 0,
        .states = !p->calls,
        .messages = p->messages != NULL,
        .ctx = p,
        .begin = pass_begin,
        .batch = pass_batch,
        .join = pass_join,
        .discard = pass_discard,
    };
    enum prvcut_status st;

    pthread_mutex_init(&p->lock, NULL);
    st = r->trace->reader->scan_window(r->trace, r->run, r->window->from, r->window->to, &consumer,
                                       err);
    pthread_mutex_destroy(&p->lock);
    return st < 0 ? st : PRVCUT_OK;
}

/* Messages are read once, in whatever pass is the first. */
static struct pass begin_pass(struct reading *r)
{
    const struct pass p = { .grid = &r->grid,
                            .messages =
                                !r->messages_read && r->messages.most > 0 ? &r->messages : NULL };

    r->messages_read = true;
    return p;
}

static enum prvcut_status read_states(struct reading *r, struct prvcut_error *err)
{
    struct pass p = begin_pass(r);

    return run_pass(r, &p, err);
}

static enum prvcut_status read_calls(struct reading *r, struct prvcut_error *err)
{
    struct tl_calls calls;
    struct pass p = begin_pass(r);
    enum prvcut_status st = tl_calls_init(&calls, &r->grid, r->trace->reader->by_thread, err);

    p.calls = &calls;
    if (st == PRVCUT_OK)
        st = run_pass(r, &p, err);
    if (st == PRVCUT_OK)
        tl_calls_end(&calls);
    tl_calls_fini(&calls);
    return st;
}

/* Fill the grid: where there are more keys than slots, a first pass tells which matter. */
static enum prvcut_status read_keys(struct reading *r,
                                    enum prvcut_status (*pass)(struct reading *r,
                                                               struct prvcut_error *err),
                                    struct prvcut_error *err)
{
    const bool twice = r->keys.count > TL_SLOTS;
    enum prvcut_status st =
        tl_grid_init(&r->grid, r->out, r->window, &r->keys, prvcut_workers(r->run->threads), err);

    if (st == PRVCUT_OK && twice)
        st = pass(r, err);
    if (st < 0 || (twice && tl_grid_total(&r->grid) == 0))
        return st;
    st = tl_grid_slots(&r->grid, err);
    return st < 0 ? st : pass(r, err);
}

static enum prvcut_status read_kind(struct reading *r, bool calls, struct prvcut_error *err)
{
    enum prvcut_status st =
        calls ? tl_keys_calls(&r->keys, &r->names, err) : tl_keys_states(&r->keys, &r->names, err);

    return st < 0 ? st : read_keys(r, calls ? read_calls : read_states, err);
}

static enum prvcut_status read_all(struct reading *r, bool calls, struct prvcut_error *err)
{
    enum prvcut_status st;

    r->messages.grid = &r->grid;
    r->messages.channel = UINT64_MAX;
    st = read_kind(r, calls, err);
    if (st == PRVCUT_OK)
        st = tl_messages_take(&r->messages, r->out, err);
    if (st == PRVCUT_OK && tl_grid_total(&r->grid) == 0) {
        tl_grid_fini(&r->grid);
        tl_keys_fini(&r->keys);
        st = read_kind(r, !calls, err);
    }
    return st < 0 ? st : tl_grid_draw(&r->grid, r->out, err);
}

static bool is_first(const struct prvcut_objects *o, uint32_t thread)
{
    return o->task_first_thread[o->thread_task[thread]] == thread;
}

/* Threads that are not the first of their task; a task may have none at all. */
static uint64_t count_others(const struct prvcut_objects *o)
{
    uint64_t count = 0;

    for (uint32_t t = 0; t < o->threads; t++)
        count += !is_first(o, t);
    return count;
}

/*
 * Which threads are drawn: all; else the first of every task, and as many of the others as have
 * room, evenly spread; else the first ones of tasks, evenly spread.
 */
static void choose_rows(const struct prvcut_objects *o, struct prvcut_timeline *out)
{
    const uint64_t others = count_others(o);
    const uint64_t firsts = o->threads - others;
    const uint64_t more = out->rows > firsts ? out->rows - firsts : 0;
    const uint64_t tasks = out->rows < o->tasks ? out->rows : o->tasks;
    uint64_t other = 0;
    uint32_t rows = 0;

    for (uint32_t t = 0; t < o->threads; t++) {
        const uint64_t task = o->thread_task[t];
        bool drawn;

        if (is_first(o, t)) {
            drawn = (task + 1) * tasks / o->tasks > task * tasks / o->tasks;
        } else {
            drawn = (other + 1) * more / others > other * more / others;
            other++;
        }
        if (drawn && rows < out->rows)
            out->thread[rows++] = t;
    }
    out->rows = rows;
}

static enum prvcut_status name_rows(const struct reading *r, struct prvcut_error *err)
{
    struct prvcut_timeline *out = r->out;

    for (uint32_t i = 0; i < out->rows; i++) {
        const uint32_t thread = out->thread[i];
        uint32_t application, task, number;
        const char *name = r->names.thread ? r->names.thread[thread] : NULL;
        char plain[48];

        prvcut_objects_name(&r->trace->objects, thread, &application, &task, &number);
        out->object[i][0] = application;
        out->object[i][1] = task;
        out->object[i][2] = number;
        snprintf(plain, sizeof plain, "%" PRIu32 ".%" PRIu32 ".%" PRIu32, application, task,
                 number);
        out->name[i] = strdup(name && *name ? name : plain);
        if (!out->name[i])
            return prvcut_no_memory(err, "the names of threads");
    }
    return PRVCUT_OK;
}

static enum prvcut_status lay_out(struct reading *r, const struct prvcut_timeline_room *room,
                                  struct prvcut_error *err)
{
    const struct prvcut_objects *o = &r->trace->objects;
    struct prvcut_timeline *out = r->out;
    const uint64_t width = r->window->to - r->window->from;

    out->span = (struct prvcut_span){ r->window->from, r->window->to };
    out->threads = o->threads;
    out->rows = o->threads < room->rows ? o->threads : room->rows;
    out->columns = width < room->columns ? (uint32_t)width : room->columns;
    out->thread = calloc((size_t)out->rows + 1, sizeof *out->thread);
    out->name = calloc((size_t)out->rows + 1, sizeof *out->name);
    out->object = calloc((size_t)out->rows + 1, sizeof *out->object);
    if (!out->thread || !out->name || !out->object)
        return prvcut_no_memory(err, "a timeline");
    choose_rows(o, out);
    return name_rows(r, err);
}

enum prvcut_status prvcut_timeline_read(struct prvcut_timeline *out, struct prvcut_trace *t,
                                        const struct prvcut_run *run,
                                        const struct prvcut_window *window,
                                        const struct prvcut_timeline_room *room,
                                        struct prvcut_error *err)
{
    struct prvcut_window sound = *window;
    struct reading r = {
        .out = out, .trace = t, .run = run, .window = &sound, .messages.most = room->messages
    };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (sound.to < sound.from)
        sound.to = sound.from;
    st = t->reader->describe(t, &r.names, err);
    if (st < 0)
        return st;
    st = lay_out(&r, room, err);
    if (st == PRVCUT_OK && out->rows > 0 && out->columns > 0)
        st = read_all(&r, room->calls, err);
    tl_messages_fini(&r.messages);
    tl_grid_fini(&r.grid);
    tl_keys_fini(&r.keys);
    prvcut_dictionary_fini(&r.names);
    return st;
}

void prvcut_timeline_fini(struct prvcut_timeline *t)
{
    for (uint32_t i = 0; t->name && i < t->rows; i++)
        free(t->name[i]);
    for (size_t i = 0; i < t->states; i++)
        free(t->state[i].name);
    free(t->thread);
    free(t->name);
    free(t->object);
    free(t->ns);
    free(t->cell);
    free(t->state);
    free(t->message);
    memset(t, 0, sizeof *t);
}
