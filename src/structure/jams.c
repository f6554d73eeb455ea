#include "structure/mask.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "pass/pass.h"
#include "stream/whole.h"

#include <stddef.h>
#include <stdlib.h>

/*
 * Found by hand on runs whose network clogged, and on those whose receivers were only late. The
 * last two bound the memory.
 */

/* Masks of a clogged network that hide more of the loop than this are looked at again. */
#define JAMS_HIDE 0.1
/* Memory: of what comes after so many messages or calls nothing is known. */
#define JAMS_MESSAGES ((size_t)1 << 19)
#define JAMS_CALLS    ((size_t)1 << 21)
/* A call begins or ends. */
struct jam_call {
    uint64_t time;
    uint32_t thread;
    bool begin;
};

struct jam_message {
    uint64_t sent, received, size;
    uint32_t receiver;
};

struct jams {
    struct prvcut_span around;
    struct jam_call *call;
    struct jam_message *message;
    size_t calls, call_room, messages, message_room;
    struct stm_whole whole;
    uint64_t met; /* of ends that are recorded apart */
};

static enum prvcut_status jams_add_call(struct jams *j, const struct prvcut_event *e,
                                        struct prvcut_error *err)
{
    if (j->calls == JAMS_CALLS || e->time < j->around.start || e->time >= j->around.end)
        return PRVCUT_OK;
    if (j->calls == j->call_room &&
        prvcut_grow((void **)&j->call, &j->call_room, j->calls + 1, sizeof *j->call, err) < 0)
        return PRVCUT_ENOMEM;
    j->call[j->calls++] = (struct jam_call){ e->time, e->thread, e->value != 0 };
    return PRVCUT_OK;
}

static enum prvcut_status jams_add_message(struct jams *j, const struct prvcut_message *m,
                                           struct prvcut_error *err)
{
    if (j->messages == JAMS_MESSAGES || m->physical_receive <= m->logical_send ||
        m->logical_send < j->around.start || m->physical_receive >= j->around.end)
        return PRVCUT_OK;
    if (j->messages == j->message_room && prvcut_grow((void **)&j->message, &j->message_room,
                                                      j->messages + 1, sizeof *j->message, err) < 0)
        return PRVCUT_ENOMEM;
    j->message[j->messages++] =
        (struct jam_message){ m->logical_send, m->physical_receive, m->size, m->receiver };
    return PRVCUT_OK;
}

/* Of ends that are recorded apart, one channel after the other comes: what is too much is left out
   of all. */
static enum prvcut_status jams_take(void *ctx, const struct prvcut_message *m,
                                    struct prvcut_error *err)
{
    struct jams *j = ctx;
    const uint64_t every = 1 + j->whole.sends / JAMS_MESSAGES;

    return j->met++ % every == 0 ? jams_add_message(j, m, err) : PRVCUT_OK;
}

static enum prvcut_status jams_begin(void *ctx, void *worker, void *part, uint64_t number,
                                     struct prvcut_error *err)
{
    struct jams *j = ctx;

    (void)worker, (void)part, (void)err;
    stm_whole_begin(&j->whole, number);
    return PRVCUT_OK;
}

static enum prvcut_status jams_batch(void *ctx, void *worker, void *part,
                                     const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct jams *j = ctx;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    (void)part;
    for (size_t i = 0; i < batch->events && st == PRVCUT_OK; i++)
        if (PRVCUT_ROLES_MPI >> batch->event[i].role & 1)
            st = jams_add_call(j, &batch->event[i], err);
    return st == PRVCUT_OK ? stm_whole_batch(&j->whole, batch, err) : st;
}

static int jams_by_time(const void *a, const void *b)
{
    const struct jam_call *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static size_t jams_threads(const struct jams *j)
{
    size_t threads = 0;

    for (size_t i = 0; i < j->calls; i++)
        threads = j->call[i].thread >= threads ? (size_t)j->call[i].thread + 1 : threads;
    return threads;
}

/* By thread in place, for they are many; then each thread's by time. */
static enum prvcut_status jams_sort(struct jams *j, struct prvcut_error *err)
{
    const size_t threads = jams_threads(j);
    /* Of each thread, where its next call goes, and where they end. */
    size_t *next = prvcut_zeroed(2 * threads, sizeof *next, "threads", err), *end;

    if (!next)
        return PRVCUT_ENOMEM;
    end = next + threads;
    for (size_t i = 0; i < j->calls; i++)
        end[j->call[i].thread]++;
    for (size_t k = 1; k < threads; k++) {
        next[k] = end[k - 1];
        end[k] += next[k];
    }
    for (size_t k = 0; k < threads; k++) {
        const size_t from = k > 0 ? end[k - 1] : 0;

        while (next[k] < end[k]) {
            const size_t at = next[k];
            const struct jam_call c = j->call[at];
            const size_t to = next[c.thread]++;

            j->call[at] = j->call[to];
            j->call[to] = c;
        }
        qsort(j->call + from, end[k] - from, sizeof *j->call, jams_by_time);
    }
    free(next);
    return PRVCUT_OK;
}

struct jam_place {
    const struct jams *jams;
    const struct jam_message *message;
};

static bool jams_not_before(const void *ctx, size_t i)
{
    const struct jam_place *p = ctx;
    const struct jam_call *c = &p->jams->call[i];

    return c->thread != p->message->receiver ? c->thread > p->message->receiver
                                             : c->time >= p->message->received;
}

/* ns that the receiver waits inside a call for what is on its way; it may come while it does
   something else. */
static uint64_t jams_wait(const struct jams *j, const struct jam_message *m)
{
    const struct jam_place place = { j, m };
    const size_t i = prvcut_first(0, j->calls, jams_not_before, &place);
    const struct jam_call *c = i > 0 ? &j->call[i - 1] : NULL;

    if (!c || c->thread != m->receiver || !c->begin)
        return 0;
    return m->received - (c->time > m->sent ? c->time : m->sent);
}

/* A mask, and what messages in it wait. */
struct jam_mask {
    struct prvcut_span span;
    uint64_t until; /* where the last of the masks up to this one ends */
    size_t which;   /* of the masks */
    double wait, bytes;
};

/* Messages in each mask, and beside all of them. */
struct jam_rates {
    struct jam_mask *mask; /* [masks] by their begin; owned */
    size_t masks;
    double wait, bytes;
};

static int jams_by_begin(const void *a, const void *b)
{
    const struct jam_mask *x = a, *y = b;

    return (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

static enum prvcut_status jams_rates_init(struct jam_rates *r, const struct prvcut_masks *m,
                                          struct prvcut_error *err)
{
    uint64_t until = 0;

    *r = (struct jam_rates){ .mask = prvcut_zeroed(m->count + 1, sizeof *r->mask, "masks", err),
                             .masks = m->count };
    if (!r->mask)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < r->masks; i++)
        r->mask[i] = (struct jam_mask){ .span = m->at[i].span, .which = i };
    qsort(r->mask, r->masks, sizeof *r->mask, jams_by_begin);
    for (size_t i = 0; i < r->masks; i++) {
        until = r->mask[i].span.end > until ? r->mask[i].span.end : until;
        r->mask[i].until = until;
    }
    return PRVCUT_OK;
}

/* Masks that begin before it is received, from the last one back to where none reaches into it. */
static void jams_rate(struct jam_rates *r, const struct jams *j, const struct jam_message *x)
{
    const double wait = (double)jams_wait(j, x), bytes = (double)x->size;
    bool beside = true;

    for (size_t k = prvcut_lower_u64(r->mask, r->masks, sizeof *r->mask,
                                     offsetof(struct jam_mask, span.start), x->received);
         k > 0 && r->mask[k - 1].until > x->sent; k--) {
        if (r->mask[k - 1].span.end <= x->sent)
            continue;
        r->mask[k - 1].wait += wait;
        r->mask[k - 1].bytes += bytes;
        beside = false;
    }
    r->wait += beside ? wait : 0;
    r->bytes += beside ? bytes : 0;
}

static uint64_t jams_hidden(const struct prvcut_masks *m, const struct prvcut_span *loop)
{
    uint64_t hidden = 0;

    for (size_t i = 0; i < m->count; i++) {
        const struct prvcut_span *s = &m->at[i].span;
        const uint64_t start = s->start > loop->start ? s->start : loop->start,
                       end = s->end < loop->end ? s->end : loop->end;

        if (m->at[i].cause == PRVCUT_CAUSE_CLOGGED && end > start)
            hidden += end - start;
    }
    return hidden;
}

/* Messages that are waited for `ratio` times as long as around a mask are stuck. Where nothing else
   is there to compare with, it stays as it was seen first. */
static bool jams_stuck(const struct jam_rates *r, const struct jam_mask *m, double ratio)
{
    return r->bytes <= 0 || m->bytes <= 0 || m->wait * r->bytes > ratio * r->wait * m->bytes;
}

static enum prvcut_status jams_drop(struct prvcut_masks *m, const struct jams *j, double ratio,
                                    struct prvcut_error *err)
{
    struct jam_rates r = { .mask = NULL };
    bool *goes = prvcut_zeroed(m->count + 1, sizeof *goes, "masks", err);
    enum prvcut_status st = goes ? jams_rates_init(&r, m, err) : PRVCUT_ENOMEM;
    size_t kept = 0;

    for (size_t i = 0; st == PRVCUT_OK && i < j->messages; i++)
        jams_rate(&r, j, &j->message[i]);
    for (size_t i = 0; st == PRVCUT_OK && i < r.masks; i++)
        goes[r.mask[i].which] = m->at[r.mask[i].which].cause == PRVCUT_CAUSE_CLOGGED &&
                                !jams_stuck(&r, &r.mask[i], ratio);
    for (size_t i = 0; st == PRVCUT_OK && i < m->count; i++) {
        if (goes[i])
            prvcut_mask_fini(&m->at[i]);
        else
            m->at[kept++] = m->at[i];
    }
    if (st == PRVCUT_OK)
        m->count = kept;
    free(r.mask);
    free(goes);
    return st;
}

enum prvcut_status prvcut_masks_jams(struct prvcut_masks *m, const struct prvcut_span *loop,
                                     struct prvcut_trace *t, const struct prvcut_run *run,
                                     struct prvcut_error *err)
{
    struct jams j = { .around = *loop };
    const struct prvcut_listener listener = { .roles = PRVCUT_ROLES_MPI,
                                              .messages = true,
                                              .posts = true,
                                              .ctx = &j,
                                              .begin = jams_begin,
                                              .batch = jams_batch };
    const struct prvcut_listener *const all[] = { &listener };
    struct prvcut_run one = *run;
    enum prvcut_status st;

    if (loop->end <= loop->start ||
        (double)jams_hidden(m, loop) <= JAMS_HIDE * (double)(loop->end - loop->start))
        return PRVCUT_OK;
    one.threads = 1;
    j.whole = (struct stm_whole){ .ctx = &j, .take = jams_take };
    st = stm_whole_init(&j.whole, t, run, err);
    if (st == PRVCUT_OK)
        st = prvcut_pass_run(t, &one, j.whole.apart ? NULL : loop, all, 1, NULL, err);
    if (st == PRVCUT_OK)
        st = stm_whole_end(&j.whole, err);
    if (st == PRVCUT_OK && j.calls > 0)
        st = jams_sort(&j, err);
    if (st == PRVCUT_OK && j.calls > 0)
        st = jams_drop(m, &j, prvcut_parameter_of(run->set, PRVCUT_SET_JAM_RATIO), err);
    free(j.call);
    free(j.message);
    stm_whole_fini(&j.whole);
    return st;
}
