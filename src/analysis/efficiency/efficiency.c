#include "analysis/efficiency/efficiency.h"

#include "analysis/efficiency/efficiency_feed.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "pass/pass.h"
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* Stretches of all threads together, at most. */
#define SUMS_MOST ((size_t)1 << 21)

/* Messages of which one end is missing: with more of them who waits for whom is not known. */
#define LOST_MOST 0.01

/* Messages of an archive that come after their receives, and are left out: with more of them its
   clocks are not together, and the rest tells nothing. With 2.3 % the ideal runtime was 3 % off,
   with 7 % (clocks as they were recorded) a quarter of the true one. */
#define LATE_MOST 0.05

/* For sorting, of archives. */
#define STREAM_MEMORY ((size_t)32 << 20)

struct prvcut_efficiency_reading {
    struct prvcut_trace *trace;
    struct prvcut_efficiency_found *out;
    const struct prvcut_efficiency_asked *asked;
    struct eff_feed *feed;
    struct prvcut_listener records; /* of a trace by time */
    /* Of a stream. */
    struct eff_worker worker;
    struct eff_part part;
    struct prvcut_batch batch;
    size_t states, events, messages; /* room */
};

/* --- Traces by time: workers leave parts, which are taken in their order ------------------------
 */

static enum prvcut_status efi_worker(void *ctx, void *room, struct prvcut_error *err)
{
    const struct prvcut_efficiency_reading *r = ctx;

    return eff_worker_init(room, r->out->objects, r->asked->only.end, err);
}

static void efi_worker_fini(void *room)
{
    eff_worker_fini(room);
}

static void efi_part_fini(void *room)
{
    eff_part_fini(room);
}

static enum prvcut_status efi_begin(void *ctx, void *worker, void *part, uint64_t number,
                                    struct prvcut_error *err)
{
    (void)number, (void)ctx, (void)part, (void)err;
    eff_worker_begin(worker);
    return PRVCUT_OK;
}

static enum prvcut_status efi_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    return eff_take(worker, part, ((struct prvcut_efficiency_reading *)ctx)->out->told, b, err);
}

static enum prvcut_status efi_join(void *ctx, void *part, struct prvcut_error *err)
{
    return eff_feed_part(((struct prvcut_efficiency_reading *)ctx)->feed, part, err);
}

static void efi_clear(void *part)
{
    eff_part_clear(part);
}

static enum prvcut_status efi_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    (void)err;
    ((struct prvcut_efficiency_reading *)ctx)->out->end_ns = end_ns;
    return PRVCUT_OK;
}

static enum prvcut_status efi_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    (void)err;
    eff_merge(((struct prvcut_efficiency_reading *)ctx)->out, worker);
    return PRVCUT_OK;
}

static struct prvcut_listener efi_listener(struct prvcut_efficiency_reading *r)
{
    return (struct prvcut_listener){
        .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1,
        .states = true,
        .messages = true,
        .ctx = r,
        .worker = { sizeof(struct eff_worker), "workers", efi_worker, efi_worker_fini },
        .part = { sizeof(struct eff_part), "a part", NULL, efi_part_fini },
        .begin = efi_begin,
        .batch = efi_batch,
        .join = efi_join,
        .clear = efi_clear,
        .end = efi_end,
        .merge = efi_merge,
    };
}

/* --- Archives by thread: as a stream by time, whose records are taken as they come --------------
 */

static enum prvcut_status efi_item(struct prvcut_efficiency_reading *r, const struct prvcut_item *i,
                                   struct prvcut_error *err)
{
    struct prvcut_batch *b = &r->batch;

    if (i->kind == PRVCUT_ITEM_STATE) {
        if (prvcut_grow((void **)&b->state, &r->states, b->states + 1, sizeof *b->state, err) < 0)
            return PRVCUT_ENOMEM;
        b->state[b->states++] = (struct prvcut_state){ .begin = i->time,
                                                       .end = i->state.end,
                                                       .thread = i->thread,
                                                       .running = i->state.running,
                                                       .number = i->state.number & 0x7fffffff };
    } else if (i->kind == PRVCUT_ITEM_EVENT) {
        if (prvcut_grow((void **)&b->event, &r->events, b->events + 1, sizeof *b->event, err) < 0)
            return PRVCUT_ENOMEM;
        b->event[b->events++] = (struct prvcut_event){ .time = i->time,
                                                       .value = i->event.value,
                                                       .type = i->event.type,
                                                       .thread = i->thread & PRVCUT_THREADS_MAX,
                                                       .role = (uint32_t)i->role & 127,
                                                       .head = i->head };
    } else if (i->kind == PRVCUT_ITEM_MESSAGE) {
        if (prvcut_grow((void **)&b->message, &r->messages, b->messages + 1, sizeof *b->message,
                        err) < 0)
            return PRVCUT_ENOMEM;
        b->message[b->messages++] =
            (struct prvcut_message){ .logical_send = i->time,
                                     .physical_send = i->message.physical_send,
                                     .logical_receive = i->message.logical_receive,
                                     .physical_receive = i->message.physical_receive,
                                     .size = i->message.size,
                                     .tag = i->message.tag,
                                     .sender = i->thread,
                                     .receiver = i->message.receiver };
    }
    return PRVCUT_OK;
}

static enum prvcut_status efi_records(void *ctx, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    struct prvcut_efficiency_reading *r = ctx;
    enum prvcut_status st = PRVCUT_OK;

    r->batch.states = r->batch.events = r->batch.messages = 0;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = efi_item(r, &item[i], err);
    eff_worker_begin(&r->worker);
    eff_part_clear(&r->part);
    if (st == PRVCUT_OK)
        st = eff_take(&r->worker, &r->part, r->out->told, &r->batch, err);
    return st == PRVCUT_OK ? eff_feed_part(r->feed, &r->part, err) : st;
}

static enum prvcut_status efi_deliver(struct prvcut_efficiency_reading *r, struct prvcut_stream *s,
                                      struct prvcut_trace *t, struct prvcut_error *err)
{
    const struct prvcut_stream_sink sink = { .ctx = r, .records = efi_records };
    enum prvcut_status st = prvcut_stream_gather(s, err);
    const uint64_t length = st == PRVCUT_OK ? prvcut_stream_length(s) : 0;

    r->out->end_ns = length > t->end_ns ? length : t->end_ns;
    if (st == PRVCUT_OK)
        st = prvcut_stream_deliver(s, &sink, err);
    r->out->alone = prvcut_stream_counts(s)->unmatched;
    return st;
}

static enum prvcut_status efi_stream(struct prvcut_efficiency_reading *r, struct prvcut_trace *t,
                                     const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_stream_plan plan = { .trace = t,
                                             .run = run,
                                             .states = true,
                                             .whole_messages = true,
                                             .memory = STREAM_MEMORY,
                                             .phase = PRVCUT_PHASE_ANALYSING };
    struct prvcut_stream *s = NULL;
    enum prvcut_status st = eff_worker_init(&r->worker, r->out->objects, r->asked->only.end, err);

    if (st == PRVCUT_OK)
        st = prvcut_stream_new(&s, &plan, err);
    if (st == PRVCUT_OK)
        st = efi_deliver(r, s, t, err);
    if (st == PRVCUT_OK)
        eff_merge(r->out, &r->worker);
    prvcut_stream_free(s);
    eff_worker_fini(&r->worker);
    eff_part_fini(&r->part);
    free(r->batch.state);
    free(r->batch.event);
    free(r->batch.message);
    return st;
}

/* --- The reading ------------------------------------------------------------------------------ */

static enum prvcut_status efi_init(struct prvcut_efficiency_found *f,
                                   const struct prvcut_efficiency_asked *asked,
                                   struct prvcut_error *err)
{
    const size_t threads = (size_t)f->threads + 1;

    if (f->stretches > SUMS_MOST / threads)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%zu stretches of %u threads: too many",
                           f->stretches, f->threads);
    f->sum = prvcut_zeroed(f->stretches * threads + 1, sizeof *f->sum, "threads", err);
    f->window = prvcut_zeroed(f->stretches * threads + 1, sizeof *f->window, "threads", err);
    f->clock =
        prvcut_zeroed(f->stretches * ((size_t)f->lanes + 1) + 1, sizeof *f->clock, "threads", err);
    f->reach = prvcut_zeroed(threads, sizeof *f->reach, "threads", err);
    f->ideal = prvcut_zeroed((size_t)f->lanes + 1, sizeof *f->ideal, "threads", err);
    f->any_of =
        prvcut_zeroed((size_t)f->objects->applications + 1, sizeof *f->any_of, "applications", err);
    f->program = prvcut_zeroed((size_t)f->objects->applications + 1, sizeof *f->program,
                               "applications", err);
    f->called =
        prvcut_zeroed((size_t)f->objects->applications + 1, sizeof *f->called, "applications", err);
    if (!f->sum || !f->window || !f->clock || !f->reach || !f->ideal || !f->any_of || !f->program ||
        !f->called)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < f->objects->applications; i++)
        f->program[i] = i;
    for (size_t i = 0; i < f->stretches; i++)
        for (uint32_t k = 0; k < f->threads; k++)
            f->window[i * f->threads + k] = prvcut_window_own(&asked->stretch[i], k);
    return PRVCUT_OK;
}

/* An end that is the run's is known now; where threads have told windows, what they told holds. */
static void efi_set_ends(struct prvcut_efficiency_found *f,
                         const struct prvcut_efficiency_asked *asked)
{
    if (prvcut_efficiency_own_told(asked))
        return;
    for (size_t i = 0; i < f->stretches * f->threads; i++) {
        struct prvcut_span *w = &f->window[i];

        w->end = w->end < f->end_ns ? w->end : f->end_ns;
        w->end = w->end > w->start ? w->end : w->start;
    }
}

/* What there is in any application; each program by its first one, which comes before it. */
static void efi_set_programs(struct prvcut_efficiency_found *f)
{
    f->any = f->any_of[0];
    for (uint32_t i = 1; i < f->objects->applications; i++) {
        f->any |= f->any_of[i];
        f->program[i] = f->program[f->program[i]];
    }
}

/* Without any state all that is not in calls is computing. */
static void efi_set_counted(struct prvcut_efficiency_found *f)
{
    for (size_t i = 0; i < f->stretches; i++)
        for (uint32_t k = 0; k < f->threads; k++)
            if (f->reach[k].calls)
                f->sum[i * f->threads + k].counted = f->sum[i * f->threads + k].beside;
}

static bool efi_is_stream(const struct prvcut_efficiency_reading *r)
{
    return r->trace->reader->halves || r->trace->reader->by_thread;
}

static enum prvcut_status efi_read(struct prvcut_efficiency_reading *r,
                                   const struct prvcut_run *run, struct prvcut_error *err)
{
    return efi_is_stream(r)
               ? efi_stream(r, r->trace, run, err)
               : prvcut_pass_run(r->trace, run, NULL,
                                 (const struct prvcut_listener *[]){ &r->records }, 1, NULL, err);
}

enum prvcut_status prvcut_efficiency_reading_new(struct prvcut_efficiency_reading **out,
                                                 struct prvcut_efficiency_found *f,
                                                 struct prvcut_trace *t,
                                                 const struct prvcut_efficiency_asked *asked,
                                                 struct prvcut_error *err)
{
    struct prvcut_efficiency_reading *r = *out =
        prvcut_zeroed(1, sizeof *r, "a replay of the run", err);
    enum prvcut_status st;

    *f = (struct prvcut_efficiency_found){
        .objects = &t->objects,
        .stretches = asked->stretches,
        .threads = t->objects.threads,
        .tasks = t->objects.tasks,
        .lanes = asked->threads ? t->objects.threads : t->objects.tasks,
        .told = t->reader->by_thread && !t->states_recorded,
        .halves = t->reader->halves,
    };
    if (!r)
        return PRVCUT_ENOMEM;
    r->trace = t;
    r->out = f;
    r->asked = asked;
    r->records = efi_listener(r);
    st = efi_init(f, asked, err);
    return st == PRVCUT_OK ? eff_feed_new(&r->feed, f, t, asked, err) : st;
}

void prvcut_efficiency_reading_free(struct prvcut_efficiency_reading *r)
{
    if (r)
        eff_feed_free(r->feed);
    free(r);
}

const struct prvcut_listener *prvcut_efficiency_reading_listener(
    const struct prvcut_efficiency_reading *r)
{
    return efi_is_stream(r) ? NULL : &r->records;
}

enum prvcut_status prvcut_efficiency_reading_find(struct prvcut_efficiency_reading *r,
                                                  const struct prvcut_run *run, bool heard,
                                                  struct prvcut_error *err)
{
    struct prvcut_efficiency_found *f = r->out;
    const struct prvcut_trace *t = r->trace;
    enum prvcut_status st = heard ? PRVCUT_OK : efi_read(r, run, err);

    if (st == PRVCUT_OK)
        st = eff_feed_end(r->feed, err);
    f->skipped = t->skipped;
    f->late = t->reader->halves ? 0 : t->late;
    f->first_late = t->first_late;
    if (st == PRVCUT_OK)
        efi_set_programs(f);
    if (st == PRVCUT_OK && !r->asked->outside && !f->told &&
        !(f->any & PRVCUT_EFFICIENCY_ANY_STATE))
        efi_set_counted(f);
    if (st == PRVCUT_OK)
        efi_set_ends(f, r->asked);
    return st;
}

enum prvcut_status prvcut_efficiency_read(struct prvcut_efficiency_found *f, struct prvcut_trace *t,
                                          const struct prvcut_run *run,
                                          const struct prvcut_efficiency_asked *asked,
                                          struct prvcut_error *err)
{
    struct prvcut_efficiency_reading *r = NULL;
    enum prvcut_status st = prvcut_efficiency_reading_new(&r, f, t, asked, err);

    if (st == PRVCUT_OK)
        st = prvcut_efficiency_reading_find(r, run, false, err);
    prvcut_efficiency_reading_free(r);
    return st;
}

void prvcut_efficiency_sum_add(struct prvcut_efficiency_sum *to,
                               const struct prvcut_efficiency_sum *next)
{
    to->running += next->running;
    to->stated += next->stated;
    to->outside += next->outside;
    to->calls += next->calls;
    to->waits += next->waits;
    to->flush += next->flush;
    to->off += next->off;
    for (unsigned i = 0; i < PRVCUT_EFFICIENCY_COUNTERS; i++) {
        to->counted.count[i] += next->counted.count[i];
        to->counted.part[i] += next->counted.part[i];
        to->counted.covered[i] += next->counted.covered[i];
        to->beside.count[i] += next->beside.count[i];
        to->beside.part[i] += next->beside.part[i];
        to->beside.covered[i] += next->beside.covered[i];
    }
}

const char *prvcut_efficiency_unreplayed(const struct prvcut_efficiency_found *f, uint32_t any)
{
    const bool messages = any & PRVCUT_EFFICIENCY_ANY_MESSAGE;

    if (!messages && !(any & PRVCUT_EFFICIENCY_ANY_COLLECTIVE))
        return "no messages are recorded, and no collectives with their communicator";
    if (!(any & PRVCUT_EFFICIENCY_ANY_CALL))
        return "the trace holds messages, but no calls that wait for them";
    if (!messages && any & PRVCUT_EFFICIENCY_ANY_P2P)
        return f->alone > 0
                   ? "the trace holds calls that send and receive, but of no message both ends"
                   : "the trace holds calls that send and receive, but no messages";
    if ((double)f->alone > LOST_MOST * ((double)f->messages + (double)f->alone))
        return "of more than 1 % of the messages only one end is recorded";
    if (f->halves && (double)(f->counts.late + f->counts.crowded) > LATE_MOST * (double)f->messages)
        return "more than 5 % of the messages came after their receives: the clocks are not "
               "together";
    return NULL;
}

bool prvcut_efficiency_is_least(const struct prvcut_efficiency_found *f, uint32_t any)
{
    return !f->halves && any & PRVCUT_EFFICIENCY_ANY_P2P && !(any & PRVCUT_EFFICIENCY_ANY_MESSAGE);
}

void prvcut_efficiency_found_fini(struct prvcut_efficiency_found *f)
{
    free(f->sum);
    free(f->window);
    free(f->clock);
    free(f->reach);
    free(f->ideal);
    free(f->any_of);
    free(f->program);
    for (uint32_t i = 0; f->called && i < f->objects->applications; i++)
        free(f->called[i]);
    free(f->called);
    memset(f, 0, sizeof *f);
}
