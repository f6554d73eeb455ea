#include "analysis/efficiency/efficiency_feed.h"

#include "analysis/efficiency/efficiency_meter.h"
#include "analysis/efficiency/efficiency_replay.h"
#include "base/buffer.h"
#include "follow/part.h"

#include <stdlib.h>
#include <string.h>

/* What a thread had computed when its counters were read. */
struct feed_read {
    uint64_t total;
    uint64_t here; /* of its stretch */
    size_t stretch;
};

/* What the time between two readings is measured by. */
enum feed_by { FEED_BY_RUNNING, FEED_BY_OUTSIDE, FEED_BY };

struct feed_thread {
    struct prvcut_follow_thread follow; /* the outermost call has the note 1 */
    struct eff_meter running, outside, calls, waits, flush, off, stated;
    struct prvcut_span wait;                         /* told from regions; it may be a call's */
    uint64_t flush_begin;                            /* ns; NEVER: it does not flush */
    struct feed_read before[FEED_BY], read[FEED_BY]; /* before the latest reading; at it */
    uint64_t begin;                                  /* ns, of the outermost call */
    uint64_t first;                                  /* ns, its first record */
    bool seen, in_call, started;
    bool had_call; /* it has begun or ended one */
};

struct eff_feed {
    struct prvcut_efficiency_found *out;
    const struct prvcut_efficiency_asked *asked;
    struct feed_thread *thread; /* [threads] */
    struct eff_replay *replay;
    uint32_t *task; /* [threads], borrowed */
    bool nests, outside;
};

/* --- Sums ------------------------------------------------------------------------------------- */

static struct eff_scale feed_scale(const struct eff_feed *f, uint32_t thread, size_t field)
{
    const struct prvcut_efficiency_found *o = f->out;

    return (struct eff_scale){ .window = &o->window[thread],
                               .field = (char *)&o->sum[thread] + field,
                               .stretches = o->stretches,
                               .windows_step = o->threads * sizeof *o->window,
                               .sums_step = o->threads * sizeof *o->sum };
}

#define FEED_SCALE(f, thread, field)                                                               \
    feed_scale(f, thread, offsetof(struct prvcut_efficiency_sum, field))

/* The wait that began outside calls is one. */
static void feed_waited(struct eff_feed *f, uint32_t thread)
{
    struct feed_thread *t = &f->thread[thread];
    const struct eff_scale s = FEED_SCALE(f, thread, waits);

    eff_meter_put(&t->waits, &s, t->wait.start, t->wait.end);
    eff_meter_add(&t->waits, &s, PRVCUT_REPLAY_NEVER);
    t->wait = (struct prvcut_span){ 0, 0 };
}

static void feed_flush(struct eff_feed *f, const struct eff_event *e)
{
    struct feed_thread *t = &f->thread[e->thread];
    const struct eff_scale s = FEED_SCALE(f, e->thread, flush);

    if (e->value != 0) {
        t->flush_begin = e->time;
        return;
    }
    eff_meter_put(&t->flush, &s, t->flush_begin, e->time);
    eff_meter_add(&t->flush, &s, PRVCUT_REPLAY_NEVER);
    t->flush_begin = PRVCUT_REPLAY_NEVER;
}

static void feed_state(struct eff_feed *f, const struct eff_run *r)
{
    struct feed_thread *t = &f->thread[r->thread];
    const struct eff_scale s = FEED_SCALE(f, r->thread, stated);

    eff_meter_put(&t->stated, &s, r->begin, r->end);
    eff_meter_add(&t->stated, &s, PRVCUT_REPLAY_NEVER);
}

static void feed_run(struct eff_feed *f, const struct eff_run *r)
{
    struct feed_thread *t = &f->thread[r->thread];
    struct eff_scale s;

    if (!f->out->told)
        feed_state(f, r);
    if (r->kind == EFF_RUNNING) {
        s = FEED_SCALE(f, r->thread, running);
        eff_meter_put(&t->running, &s, r->begin, r->end);
    } else if (r->kind == EFF_OFF) {
        s = FEED_SCALE(f, r->thread, off);
        eff_meter_put(&t->off, &s, r->begin, r->end);
        eff_meter_add(&t->off, &s, PRVCUT_REPLAY_NEVER);
    } else if (r->kind == EFF_WAIT) {
        feed_waited(f, r->thread);
        if (!t->in_call)
            t->wait = (struct prvcut_span){ r->begin, r->end };
    }
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The thread is in a call from here on. */
static void feed_stop(struct eff_feed *f, uint32_t thread, uint64_t time)
{
    struct feed_thread *t = &f->thread[thread];
    const struct eff_scale s = FEED_SCALE(f, thread, outside);

    eff_meter_add(&t->outside, &s, time);
    t->outside.end = time;
}

static void feed_go_on(struct eff_feed *f, uint32_t thread, uint64_t begin, uint64_t end)
{
    struct feed_thread *t = &f->thread[thread];
    const struct eff_scale s = FEED_SCALE(f, thread, calls);

    eff_meter_put(&t->calls, &s, begin, end);
    eff_meter_add(&t->calls, &s, PRVCUT_REPLAY_NEVER);
    t->outside.begin = t->outside.begin > end ? t->outside.begin : end;
    t->outside.end = PRVCUT_REPLAY_NEVER;
}

/* How often each call is made. */
static enum prvcut_status feed_tally(struct eff_feed *f, uint32_t application,
                                     const struct eff_event *e, struct prvcut_error *err)
{
    struct prvcut_program_tally **called = &f->out->called[application];
    const size_t slot = prvcut_program_slot(e->type, e->value);

    if (slot == PRVCUT_PROGRAM_SLOTS)
        return PRVCUT_OK;
    if (!*called)
        *called = prvcut_zeroed(1, sizeof **called, "calls", err);
    if (!*called)
        return PRVCUT_ENOMEM;
    (*called)->made[slot]++;
    return PRVCUT_OK;
}

static enum prvcut_status feed_begun(struct eff_feed *f, const struct eff_event *e,
                                     struct prvcut_error *err)
{
    struct feed_thread *t = &f->thread[e->thread];
    const uint32_t application = prvcut_efficiency_application(f->out->objects, e->thread);

    t->in_call = t->had_call = true;
    t->begin = e->time;
    f->out->any_of[application] |= PRVCUT_EFFICIENCY_ANY_CALL;
    if (t->wait.start == e->time)
        t->wait = (struct prvcut_span){ 0, 0 };
    feed_stop(f, e->thread, e->time);
    if (feed_tally(f, application, e, err) < 0)
        return PRVCUT_ENOMEM;
    return eff_replay_enter(f->replay, e, err);
}

static enum prvcut_status feed_ended(struct eff_feed *f, uint32_t thread, uint64_t time,
                                     struct prvcut_error *err)
{
    struct feed_thread *t = &f->thread[thread];

    t->in_call = false;
    feed_go_on(f, thread, t->begin, time);
    return eff_replay_leave(f->replay, thread, time, false, err);
}

/* An end without a begin: before any other call the thread was in one from its first record on. */
static enum prvcut_status feed_lost(struct eff_feed *f, uint32_t thread, uint64_t time,
                                    struct prvcut_error *err)
{
    struct feed_thread *t = &f->thread[thread];
    const struct eff_event unknown = { .time = t->first,
                                       .thread = thread & PRVCUT_THREADS_MAX,
                                       .communicator = PRVCUT_NOBODY };
    enum prvcut_status st;

    if (t->had_call || !t->seen || t->first >= time) {
        f->out->lost += !t->had_call || !t->seen;
        t->had_call = true;
        return PRVCUT_OK;
    }
    t->had_call = true;
    f->out->any_of[prvcut_efficiency_application(f->out->objects, thread)] |=
        PRVCUT_EFFICIENCY_ANY_CALL;
    feed_stop(f, thread, t->first);
    feed_go_on(f, thread, t->first, time);
    st = eff_replay_enter(f->replay, &unknown, err);
    return st == PRVCUT_OK ? eff_replay_leave(f->replay, thread, time, false, err) : st;
}

static enum prvcut_status feed_closed(void *ctx, const struct prvcut_followed *c,
                                      struct prvcut_error *err)
{
    struct eff_feed *f = ctx;

    if (c->no_begin && f->thread[c->thread].had_call) {
        f->out->lost++;
        return PRVCUT_OK;
    }
    if (c->no_begin)
        return feed_lost(f, c->thread, c->span.end, err);
    return c->note == 1 ? feed_ended(f, c->thread, c->span.end, err) : PRVCUT_OK;
}

/* An end of a type ends the innermost of it; in Paraver a type has one value at a time. */
static const struct prvcut_follow_rules feed_nested = { .how = PRVCUT_FOLLOW_NESTED,
                                                        .in_order = true,
                                                        .closed = feed_closed };
static const struct prvcut_follow_rules feed_values = { .how = PRVCUT_FOLLOW_VALUES,
                                                        .in_order = true,
                                                        .closed = feed_closed };

/* In Paraver a type has one value at a time: what begins while it has one is inside that call. */
static bool feed_is_inside(const struct eff_feed *f, const struct eff_event *e)
{
    size_t at;

    return !f->nests && e->value != 0 &&
           prvcut_stack_find(&f->thread[e->thread].follow.open, e->type, &at);
}

/* The outermost call counts. */
static enum prvcut_status feed_call(struct eff_feed *f, const struct eff_event *e,
                                    struct prvcut_error *err)
{
    struct feed_thread *t = &f->thread[e->thread];
    const struct prvcut_step step = {
        .time = e->time, .value = e->value, .type = e->type, .thread = e->thread, .role = e->role
    };
    struct prvcut_stack *open = &t->follow.open;
    enum prvcut_status st;

    if (feed_is_inside(f, e))
        return PRVCUT_OK;
    t->follow.thread = e->thread;
    st = f->nests ? prvcut_follow_on(NULL, &t->follow, &feed_nested, f, &step, err)
                  : prvcut_follow_on(NULL, &t->follow, &feed_values, f, &step, err);
    if (st < 0 || e->value == 0 || t->in_call || open->count == 0)
        return st;
    open->at[open->count - 1].note = 1;
    return feed_begun(f, e, err);
}

/* --- Counters --------------------------------------------------------------------------------- */

static struct eff_meter *feed_meter(struct eff_feed *f, uint32_t thread, enum feed_by by,
                                    struct eff_scale *s)
{
    struct feed_thread *t = &f->thread[thread];

    *s = by == FEED_BY_OUTSIDE ? FEED_SCALE(f, thread, outside) : FEED_SCALE(f, thread, running);
    return by == FEED_BY_OUTSIDE ? &t->outside : &t->running;
}

/* Of stretch i. */
static struct prvcut_efficiency_counted *feed_counted(const struct eff_feed *f, uint32_t thread,
                                                      enum feed_by by, size_t i)
{
    struct prvcut_efficiency_sum *sum = &f->out->sum[i * f->out->threads + thread];

    return by == FEED_BY_OUTSIDE && !f->outside ? &sum->beside : &sum->counted;
}

/* A value was counted since the reading before, in stretches as far as the thread computed there.
 */
static void feed_count(struct eff_feed *f, uint32_t thread, enum feed_by by, int counter,
                       uint64_t value, const struct eff_scale *s)
{
    const struct feed_read *before = &f->thread[thread].before[by];
    const struct feed_read *read = &f->thread[thread].read[by];
    const uint64_t all = read->total - before->total;

    for (size_t i = before->stretch; all > 0 && i <= read->stretch && i < f->out->stretches; i++) {
        struct prvcut_efficiency_counted *to = feed_counted(f, thread, by, i);
        const uint64_t here = *eff_field(s, i) - (i == before->stretch ? before->here : 0);

        to->covered[counter] += here;
        if (here == all)
            to->count[counter] += value;
        else
            to->part[counter] += (double)value * (double)here / (double)all;
    }
}

static void feed_counter_by(struct eff_feed *f, const struct eff_event *e, enum feed_by by)
{
    struct feed_thread *t = &f->thread[e->thread];
    struct eff_scale s;
    struct eff_meter *m = feed_meter(f, e->thread, by, &s);

    eff_meter_add(m, &s, e->time);
    if (e->root) {
        t->before[by] = t->read[by];
        t->read[by] = (struct feed_read){
            .total = m->total,
            .here = m->stretch < f->out->stretches ? *eff_field(&s, m->stretch) : 0,
            .stretch = m->stretch,
        };
    }
    /* A counter that goes back has been reset: what it counted since then nobody knows. */
    if ((e->role == PRVCUT_ROLE_INSTRUCTIONS || e->role == PRVCUT_ROLE_CYCLES) && e->value >= 0)
        feed_count(f, e->thread, by,
                   e->role == PRVCUT_ROLE_CYCLES ? PRVCUT_EFFICIENCY_CYCLES
                                                 : PRVCUT_EFFICIENCY_INSTRUCTIONS,
                   (uint64_t)e->value, &s);
}

static void feed_counter(struct eff_feed *f, const struct eff_event *e)
{
    if (!f->outside)
        feed_counter_by(f, e, FEED_BY_RUNNING);
    feed_counter_by(f, e, FEED_BY_OUTSIDE);
}

/* --- Parts ------------------------------------------------------------------------------------ */

/* Its own time begins with its first state; as long as it has none, with its first record. */
static void feed_start_own(struct eff_feed *f, uint32_t thread, uint64_t time, bool state)
{
    struct feed_thread *t = &f->thread[thread];

    eff_replay_start(f->replay, thread, time, state);
    if (!t->started)
        t->outside.begin = t->outside.begin > time ? t->outside.begin : time;
    t->started |= state;
}

/* A task begins with the first of its threads. */
static void feed_start_told(struct eff_feed *f)
{
    const struct prvcut_objects *o = f->out->objects;

    for (uint32_t i = 0; i < o->tasks; i++) {
        uint64_t first = UINT64_MAX;

        for (uint32_t k = o->task_first_thread[i]; k < o->task_first_thread[i + 1]; k++)
            first = f->out->window[k].start < first ? f->out->window[k].start : first;
        for (uint32_t k = o->task_first_thread[i]; k < o->task_first_thread[i + 1]; k++)
            eff_replay_start(f->replay, k, f->asked->threads ? f->out->window[k].start : first,
                             true);
    }
}

static void feed_firsts(struct eff_feed *f, const struct eff_part *p)
{
    for (size_t i = 0; i < p->firsts; i++) {
        const struct eff_first *a = &p->first[i];
        struct feed_thread *t = &f->thread[a->thread];

        if (f->asked->starts == PRVCUT_EFFICIENCY_OWN && !prvcut_efficiency_own_told(f->asked) &&
            (a->state || !t->seen))
            feed_start_own(f, a->thread, a->time, a->state);
        if (!t->seen)
            t->first = a->time;
        t->seen = true;
    }
}

static enum prvcut_status feed_event(struct eff_feed *f, const struct eff_event *e,
                                     struct prvcut_error *err)
{
    enum prvcut_status st;

    if (e->role == PRVCUT_ROLE_FLUSH)
        feed_flush(f, e);
    else if (!(PRVCUT_ROLES_MPI >> e->role & 1))
        feed_counter(f, e);
    if (!(PRVCUT_ROLES_MPI >> e->role & 1))
        return PRVCUT_OK;
    st = eff_replay_time(f->replay, e->time, err);
    return st == PRVCUT_OK ? feed_call(f, e, err) : st;
}

/* By time, as the records stand in the input: at one time states, events, messages. */
enum prvcut_status eff_feed_part(struct eff_feed *f, const struct eff_part *p,
                                 struct prvcut_error *err)
{
    size_t run = 0, event = 0, message = 0;
    enum prvcut_status st = PRVCUT_OK;

    feed_firsts(f, p);
    while (st == PRVCUT_OK && (run < p->runs || event < p->events || message < p->messages)) {
        const uint64_t runs = run < p->runs ? p->run[run].begin : UINT64_MAX;
        const uint64_t events = event < p->events ? p->event[event].time : UINT64_MAX;
        const uint64_t messages =
            message < p->messages ? p->message[message].physical_send : UINT64_MAX;

        if (run < p->runs && runs <= events && runs <= messages)
            feed_run(f, &p->run[run++]);
        else if (event < p->events && events <= messages)
            st = feed_event(f, &p->event[event++], err);
        else
            st = eff_replay_message(f->replay, &p->message[message++], err);
    }
    return st;
}

/* --- The end ---------------------------------------------------------------------------------- */

static enum prvcut_status feed_end_thread(struct eff_feed *f, uint32_t thread,
                                          struct prvcut_error *err)
{
    struct feed_thread *t = &f->thread[thread];
    const struct eff_scale running = FEED_SCALE(f, thread, running);
    const struct eff_scale outside = FEED_SCALE(f, thread, outside);
    const uint64_t last = f->out->reach[thread].inside;
    enum prvcut_status st = PRVCUT_OK;

    f->out->reach[thread].calls = t->had_call;
    feed_waited(f, thread);
    eff_meter_add(&t->running, &running, PRVCUT_REPLAY_NEVER);
    if (t->in_call) {
        const uint64_t end = last > t->begin ? last : t->begin;

        f->out->counts.unended++;
        feed_go_on(f, thread, t->begin, end);
        st = eff_replay_leave(f->replay, thread, end, true, err);
    }
    eff_meter_add(&t->outside, &outside, last);
    return st;
}

enum prvcut_status eff_feed_end(struct eff_feed *f, struct prvcut_error *err)
{
    enum prvcut_status st = eff_replay_close(f->replay, err);

    /* What a thread did last in its own window goes on to its end. */
    for (uint32_t i = 0; prvcut_efficiency_own_told(f->asked) && i < f->out->threads; i++)
        if (f->out->reach[i].seen && f->out->reach[i].inside < f->out->window[i].end)
            f->out->reach[i].inside = f->out->window[i].end;
    for (uint32_t i = 0; i < f->out->threads && st == PRVCUT_OK; i++)
        st = feed_end_thread(f, i, err);
    return st == PRVCUT_OK ? eff_replay_end(f->replay, err) : st;
}

enum prvcut_status eff_feed_new(struct eff_feed **out, struct prvcut_efficiency_found *f,
                                struct prvcut_trace *t, const struct prvcut_efficiency_asked *asked,
                                struct prvcut_error *err)
{
    struct eff_feed *feed = *out = prvcut_zeroed(1, sizeof *feed, "a replay", err);
    enum prvcut_status st;

    if (!feed)
        return PRVCUT_ENOMEM;
    feed->out = f;
    feed->asked = asked;
    feed->nests = prvcut_trace_calls_nest(t);
    feed->outside = asked->outside || f->told;
    feed->thread = prvcut_zeroed((size_t)f->threads + 1, sizeof *feed->thread, "threads", err);
    if (!feed->thread)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < f->threads; i++)
        feed->thread[i].outside.end = feed->thread[i].flush_begin = PRVCUT_REPLAY_NEVER;
    st = eff_replay_new(&feed->replay, f, t, asked, err);
    if (st == PRVCUT_OK && prvcut_efficiency_own_told(asked))
        feed_start_told(feed);
    return st;
}

void eff_feed_free(struct eff_feed *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; f->thread && i < f->out->threads; i++)
        prvcut_stack_fini(&f->thread[i].follow.open);
    eff_replay_free(f->replay);
    free(f->thread);
    free(f);
}
