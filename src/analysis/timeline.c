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

/* What a reading fills, and then the next. */
struct prvcut_timeline_reading {
    struct prvcut_timeline *out;
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    struct prvcut_window window;
    struct prvcut_dictionary names;
    struct tl_keys keys;
    struct tl_grid grid;
    struct tl_messages messages;
    pthread_mutex_t lock; /* of messages */
    struct prvcut_follow *follow;
    struct prvcut_listener states; /* and messages */
    const struct prvcut_listener *listener[2];
    size_t listeners;
    unsigned workers; /* that have their number */
    bool calls;       /* drawn, not states */
    bool totals;      /* there are more keys than slots: this reading tells which matter */
    bool messages_read;
};

/* --- One reading ------------------------------------------------------------------------------ */

static enum prvcut_status tline_tl_worker(void *ctx, void *worker, struct prvcut_error *err)
{
    struct prvcut_timeline_reading *r = ctx;

    (void)err;
    *(unsigned *)worker = r->workers++;
    return PRVCUT_OK;
}

static void tline_tl_add_states(struct tl_grid *g, unsigned worker, const struct prvcut_batch *b)
{
    for (size_t i = 0; i < b->states; i++) {
        const struct prvcut_state *s = &b->state[i];
        const struct prvcut_span when = { s->begin, s->end };

        if (s->thread < g->threads && s->begin < g->window->to && s->end > g->window->from)
            tl_grid_add(g, worker, s->thread, tl_keys_find(g->keys, TL_STATE, s->number), &when);
    }
}

static enum prvcut_status tline_tl_batch(void *ctx, void *worker, void *part,
                                         const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct prvcut_timeline_reading *r = ctx;
    enum prvcut_status st = PRVCUT_OK;

    (void)part;
    if (!r->calls)
        tline_tl_add_states(&r->grid, *(const unsigned *)worker, batch);
    if (!r->messages_read && tl_messages_may(&r->messages, batch)) {
        pthread_mutex_lock(&r->lock);
        st = tl_messages_batch(&r->messages, batch, err);
        pthread_mutex_unlock(&r->lock);
    }
    return st;
}

/* Messages are heard once, in whatever reading is the first. */
static enum prvcut_status tline_tl_listen(struct prvcut_timeline_reading *r,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    r->workers = 0;
    r->listeners = 0;
    r->states = (struct prvcut_listener){
        .states = !r->calls,
        .messages = !r->messages_read && r->messages.most > 0,
        .ctx = r,
        .worker = { sizeof(unsigned), "workers", tline_tl_worker, NULL },
        .batch = tline_tl_batch,
    };
    prvcut_follow_free(r->follow);
    r->follow = NULL;
    if (r->states.states || r->states.messages)
        r->listener[r->listeners++] = &r->states;
    if (r->calls)
        st = tl_calls_new(&r->follow, &r->grid, r->trace, err);
    if (r->follow)
        r->listener[r->listeners++] = prvcut_follow_listener(r->follow);
    return st;
}

/* What is drawn is chosen: the grid is empty, and who fills it listens. */
static enum prvcut_status tline_tl_start(struct prvcut_timeline_reading *r, bool calls,
                                         struct prvcut_error *err)
{
    enum prvcut_status st;

    tl_grid_fini(&r->grid);
    tl_keys_fini(&r->keys);
    r->calls = calls;
    st = calls ? tl_keys_calls(&r->keys, &r->names, r->trace->reader->by_thread, err)
               : tl_keys_states(&r->keys, &r->names, err);
    if (st == PRVCUT_OK)
        st = tl_grid_init(&r->grid, r->out, &r->window, &r->keys, prvcut_workers(r->run->threads),
                          err);
    r->totals = r->keys.count > TL_SLOTS;
    if (st == PRVCUT_OK && !r->totals)
        st = tl_grid_slots(&r->grid, err);
    return st < 0 ? st : tline_tl_listen(r, err);
}

/* Read what can touch the window: a region that is open when it begins may have begun anywhere
   before it. */
static enum prvcut_status tline_tl_hear(struct prvcut_timeline_reading *r, struct prvcut_error *err)
{
    const struct prvcut_span only = { r->calls ? 0 : r->window.from, r->window.to };
    const enum prvcut_status st =
        prvcut_pass_run(r->trace, r->run, &only, r->listener, r->listeners, NULL, err);

    return st < 0 ? st : PRVCUT_OK;
}

/* One reading was heard; the next where the totals of this one say which keys matter. */
static enum prvcut_status tline_tl_go_on(struct prvcut_timeline_reading *r,
                                         struct prvcut_error *err)
{
    enum prvcut_status st;

    r->messages_read = true;
    if (!r->totals || tl_grid_total(&r->grid) == 0)
        return PRVCUT_OK;
    r->totals = false;
    st = tl_grid_slots(&r->grid, err);
    if (st >= 0)
        st = tline_tl_listen(r, err);
    return st < 0 ? st : tline_tl_hear(r, err);
}

static bool tline_is_first(const struct prvcut_objects *o, uint32_t thread)
{
    return o->task_first_thread[o->thread_task[thread]] == thread;
}

/* Threads that are not the first of their task; a task may have none at all. */
static uint64_t tline_count_others(const struct prvcut_objects *o)
{
    uint64_t count = 0;

    for (uint32_t t = 0; t < o->threads; t++)
        count += !tline_is_first(o, t);
    return count;
}

/*
 * Which threads are drawn: all; else the first of every task, and as many of the others as have
 * room, evenly spread; else the first ones of tasks, evenly spread.
 */
static void tline_choose_rows(const struct prvcut_objects *o, struct prvcut_timeline *out)
{
    const uint64_t others = tline_count_others(o);
    const uint64_t firsts = o->threads - others;
    const uint64_t more = out->rows > firsts ? out->rows - firsts : 0;
    const uint64_t tasks = out->rows < o->tasks ? out->rows : o->tasks;
    uint64_t other = 0;
    uint32_t rows = 0;

    for (uint32_t t = 0; t < o->threads; t++) {
        const uint64_t task = o->thread_task[t];
        bool drawn;

        if (tline_is_first(o, t)) {
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

static enum prvcut_status tline_name_rows(const struct prvcut_timeline_reading *r,
                                          struct prvcut_error *err)
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
        out->object[i][3] = r->trace->objects.thread_task[thread];
        snprintf(plain, sizeof plain, "%" PRIu32 ".%" PRIu32 ".%" PRIu32, application, task,
                 number);
        out->name[i] =
            prvcut_copied_text(name && *name ? name : plain, "the names of threads", err);
        if (!out->name[i])
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

static enum prvcut_status tline_lay_out(struct prvcut_timeline_reading *r,
                                        const struct prvcut_timeline_room *room,
                                        struct prvcut_error *err)
{
    const struct prvcut_objects *o = &r->trace->objects;
    struct prvcut_timeline *out = r->out;
    const uint64_t width = r->window.to - r->window.from;

    out->span = (struct prvcut_span){ r->window.from, r->window.to };
    out->threads = o->threads;
    out->rows = o->threads < room->rows ? o->threads : room->rows;
    out->columns = width < room->columns ? (uint32_t)width : room->columns;
    out->thread =
        prvcut_zeroed((size_t)out->rows + 1, sizeof *out->thread, "rows of a timeline", err);
    out->name = prvcut_zeroed((size_t)out->rows + 1, sizeof *out->name, "rows of a timeline", err);
    out->object =
        prvcut_zeroed((size_t)out->rows + 1, sizeof *out->object, "rows of a timeline", err);
    if (!out->thread || !out->name || !out->object)
        return PRVCUT_ENOMEM;
    tline_choose_rows(o, out);
    return tline_name_rows(r, err);
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status prvcut_timeline_new(struct prvcut_timeline_reading **out,
                                       struct prvcut_timeline *timeline, struct prvcut_trace *t,
                                       const struct prvcut_timeline_wish *wish,
                                       struct prvcut_error *err)
{
    struct prvcut_timeline_reading *r = prvcut_zeroed(1, sizeof *r, "a timeline", err);
    enum prvcut_status st;

    *out = NULL;
    memset(timeline, 0, sizeof *timeline);
    if (!r)
        return PRVCUT_ENOMEM;
    r->out = timeline;
    r->trace = t;
    r->run = wish->run;
    r->window = wish->window;
    r->messages.most = wish->room.messages;
    r->messages.grid = &r->grid;
    r->messages.channel = UINT64_MAX;
    if (r->window.to < r->window.from)
        r->window.to = r->window.from;
    pthread_mutex_init(&r->lock, NULL);
    st = t->reader->describe(t, &r->names, err);
    if (st == PRVCUT_OK)
        st = tline_lay_out(r, &wish->room, err);
    if (st == PRVCUT_OK && timeline->rows > 0 && timeline->columns > 0)
        st = tline_tl_start(r, wish->room.calls, err);
    if (st < 0)
        prvcut_timeline_free(r);
    else
        *out = r;
    return st;
}

size_t prvcut_timeline_listeners(const struct prvcut_timeline_reading *r,
                                 const struct prvcut_listener *const **listener)
{
    *listener = r->listener;
    return r->listeners;
}

enum prvcut_status prvcut_timeline_draw(struct prvcut_timeline_reading *r,
                                        const struct prvcut_run *run, bool heard,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (r->out->rows == 0 || r->out->columns == 0)
        return PRVCUT_OK;
    r->run = run;
    if (!heard)
        st = tline_tl_hear(r, err);
    if (st == PRVCUT_OK)
        st = tline_tl_go_on(r, err);
    if (st == PRVCUT_OK)
        st = tl_messages_take(&r->messages, r->out, err);
    if (st == PRVCUT_OK && tl_grid_total(&r->grid) == 0) {
        st = tline_tl_start(r, !r->calls, err);
        if (st == PRVCUT_OK)
            st = tline_tl_hear(r, err);
        if (st == PRVCUT_OK)
            st = tline_tl_go_on(r, err);
    }
    return st < 0 ? st : tl_grid_draw(&r->grid, r->out, err);
}

void prvcut_timeline_free(struct prvcut_timeline_reading *r)
{
    if (!r)
        return;
    prvcut_follow_free(r->follow);
    tl_messages_fini(&r->messages);
    tl_grid_fini(&r->grid);
    tl_keys_fini(&r->keys);
    prvcut_dictionary_fini(&r->names);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

enum prvcut_status prvcut_timeline_read(struct prvcut_timeline *out, struct prvcut_trace *t,
                                        const struct prvcut_run *run,
                                        const struct prvcut_window *window,
                                        const struct prvcut_timeline_room *room,
                                        struct prvcut_error *err)
{
    const struct prvcut_timeline_wish wish = { .run = run, .window = *window, .room = *room };
    struct prvcut_timeline_reading *r;
    enum prvcut_status st = prvcut_timeline_new(&r, out, t, &wish, err);

    if (st == PRVCUT_OK)
        st = prvcut_timeline_draw(r, run, false, err);
    prvcut_timeline_free(r);
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
    free(t->part);
    free(t->begins);
    free(t->state);
    free(t->message);
    memset(t, 0, sizeof *t);
}
