#include "analysis/patterns/sequences.h"

#include "analysis/patterns/bodies.h"
#include "analysis/patterns/uncalled.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/table.h"
#include "follow/part.h"
#include "model/calls.h"
#include "model/regions.h"
#include "model/roles.h"
#include "stream/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Types of MPI calls that can be open together: as many as there are, and more. */
#define OPEN_MOST 8

/* A call while what belongs to it may still come. */
struct seq_forming {
    struct pat_symbol is;
    uint64_t partner, site, also;  /* sums of hashes: in any order */
    uint64_t bytes_sent, received; /* of a collective; PAT_UNTOLD */
    uint64_t begin;
    uint32_t function;
    bool any;
};

/* What a thread's symbols are found by. */
struct seq_known {
    uint64_t key[PAT_ALPHABETS];
    uint32_t place;
};
struct seq_coarse {
    uint64_t key, alphabet;
    uint32_t place;
};

/* The MPI calls that are open: of each type one, as they cannot be inside themselves. */
struct seq_mpi {
    uint32_t type[OPEN_MOST];
    unsigned open;
    uint64_t begin;
};

/* Calls of one kind of the present thread. */
struct seq_list {
    struct pat_thread is;
    size_t call_room, symbol_room;
    struct prvcut_table known, coarse; /* of seq_known, seq_coarse */
    struct seq_forming now;            /* the last one of [calls] */
};

struct seq {
    const struct prvcut_trace *trace;
    const struct prvcut_dictionary *names;
    const struct pat_sequences_options *options;
    enum prvcut_status (*take)(void *ctx, struct pat_thread *one, struct prvcut_error *err);
    void *ctx;
    uint64_t end_ns, open_ns; /* open: where a call ends that nothing ends */
    uint32_t next;            /* thread that has not been handed over */
    uint32_t of_type, of;     /* the latest region that was asked for, and what it is */
    int64_t of_value;
    bool known_type;
    struct seq_list list[2]; /* MPI's (or what was asked for); regions */
    struct seq_mpi mpi;
    struct prvcut_span *flush; /* [flushes] of the present thread */
    size_t flushes, flush_room;
    bool flushing;                   /* the last one is open */
    struct prvcut_follow_thread now; /* its regions; note: place of its call + 1 */
    struct prvcut_table functions;   /* of pat_function */
    struct pat_uncalled uncalled;
    bool whole; /* all calls are looked at */
};

/* --- Symbols ---------------------------------------------------------------------------------- */

static uint32_t seq_function(struct seq *s, uint32_t type, int64_t value, struct prvcut_error *err)
{
    const struct pat_function key = { .type = type, .value = value };
    const struct pat_function *f = prvcut_table_make(&s->functions, &key, err);

    return f ? (uint32_t)(f - (const struct pat_function *)s->functions.at) : UINT32_MAX;
}

/* Keys in all alphabets of a call that is complete. */
static void seq_keys(struct seq_forming *f)
{
    const uint64_t call = pat_mix(f->is.type, (uint64_t)f->is.value) + f->also;
    const uint64_t collective = f->bytes_sent != PAT_UNTOLD ? f->bytes_sent : 0;
    const uint64_t group = pat_mix(
        f->is.root, f->is.communicator != UINT32_MAX ? f->is.communicator + UINT64_C(1) : 0);
    const uint64_t partner = pat_mix(call ^ f->partner, group);
    const uint64_t bytes = (f->is.bytes != PAT_UNTOLD ? f->is.bytes : 0);
    const uint64_t size = pat_mix(partner, pat_mix(bytes, collective));

    f->is.key[PAT_CALL] = call;
    f->is.key[PAT_PARTNER] = partner;
    f->is.key[PAT_SIZE] = size;
    f->is.key[PAT_SITE] = pat_mix(call, f->site);
    f->is.key[PAT_ALL] = pat_mix(size, f->site);
    if (f->is.bytes == PAT_UNTOLD && f->bytes_sent != PAT_UNTOLD)
        f->is.bytes = f->bytes_sent;
    if (f->is.bytes == PAT_UNTOLD && f->received != PAT_UNTOLD)
        f->is.bytes = f->received;
}

/* Its number in each alphabet. */
static enum prvcut_status seq_number(struct seq_list *l, struct pat_symbol *is,
                                     struct prvcut_error *err)
{
    for (unsigned a = 0; a < PAT_ALPHABETS; a++) {
        const struct seq_coarse key = { .key = is->key[a], .alphabet = a };
        const size_t before = l->coarse.count;
        struct seq_coarse *c = prvcut_table_make(&l->coarse, &key, err);

        if (!c)
            return PRVCUT_ENOMEM;
        if (l->coarse.count > before)
            c->place = (uint32_t)l->is.different[a]++;
        is->of[a] = c->place;
    }
    return PRVCUT_OK;
}

/* The last call is complete: it gets its symbol. */
static enum prvcut_status seq_settle(struct seq_list *l, struct prvcut_error *err)
{
    struct seq_known key = { .place = 0 }, *k;
    const size_t before = l->known.count;

    if (!l->now.any)
        return PRVCUT_OK;
    l->now.any = false;
    seq_keys(&l->now);
    memcpy(key.key, l->now.is.key, sizeof key.key);
    k = prvcut_table_make(&l->known, &key, err);
    if (!k)
        return PRVCUT_ENOMEM;
    if (l->known.count > before) {
        if (prvcut_grow((void **)&l->is.symbol, &l->symbol_room, l->is.symbols + 1,
                        sizeof *l->is.symbol, err) < 0 ||
            seq_number(l, &l->now.is, err) < 0)
            return PRVCUT_ENOMEM;
        k->place = (uint32_t)l->is.symbols;
        l->is.symbol[l->is.symbols++] = l->now.is;
    }
    l->is.call[l->is.calls - 1].symbol = k->place;
    l->is.call[l->is.calls - 1].function = l->now.function;
    return PRVCUT_OK;
}

/* A call begins. */
static enum prvcut_status seq_begin(struct seq *s, struct seq_list *l, const struct prvcut_item *i,
                                    uint32_t function, struct prvcut_error *err)
{
    const struct prvcut_span only = s->options->only;
    enum prvcut_status st = seq_settle(l, err);

    if (st < 0 || i->time < only.start || (only.end > 0 && i->time >= only.end))
        return st;
    if (l->is.calls == UINT32_MAX - 1)
        return prvcut_fail(err, PRVCUT_ELIMIT, "a thread has more than %" PRIu32 " calls",
                           UINT32_MAX - 1);
    if (prvcut_grow((void **)&l->is.call, &l->call_room, l->is.calls + 1, sizeof *l->is.call, err) <
        0)
        return PRVCUT_ENOMEM;
    l->is.call[l->is.calls++] = (struct pat_call){ .begin = i->time, .end = PAT_UNTOLD };
    l->now = (struct seq_forming){ .is = { .type = i->event.type,
                                           .value = i->event.value,
                                           .role = i->role,
                                           .partner = UINT32_MAX,
                                           .bytes = PAT_UNTOLD,
                                           .communicator = UINT32_MAX },
                                   .bytes_sent = PAT_UNTOLD,
                                   .received = PAT_UNTOLD,
                                   .begin = i->time,
                                   .function = function,
                                   .any = true };
    return PRVCUT_OK;
}

/* --- What a call is told of ------------------------------------------------------------------- */

static uint64_t seq_distance(const struct seq *s, uint32_t thread, uint32_t peer)
{
    const struct prvcut_objects *o = &s->trace->objects;
    const uint32_t task = o->thread_task[thread], other = o->thread_task[peer];
    const uint32_t application = prvcut_objects_application(o, task);
    const uint32_t first = o->application_first_task[application];
    const uint32_t ranks = o->application_first_task[application + 1] - first;

    if (other < first || other - first >= ranks)
        return (UINT64_C(1) << 32) + other;
    return (other - first + ranks - (task - first)) % ranks;
}

/* The end of a call may come before what was sent in it at that time. */
static bool seq_ends_at(const struct pat_thread *t, uint64_t time)
{
    return t->calls > 0 && t->call[t->calls - 1].end == time;
}

/* An end of a message belongs to the last call that has begun. */
static void seq_half(struct seq *s, const struct prvcut_item *i)
{
    struct seq_forming *f = &s->list[0].now;
    const bool receive = i->kind == PRVCUT_ITEM_RECEIVE;
    const bool told = i->half.peer != PRVCUT_NOBODY;
    const uint64_t distance = told ? seq_distance(s, i->thread, i->half.peer) : UINT64_MAX;

    s->list[0].is.lone += !receive && s->mpi.open == 0 && !seq_ends_at(&s->list[0].is, i->time);
    /* Where it was posted before, it counts there. */
    if (!f->any ||
        (receive && !i->head && i->half.other != PRVCUT_NEVER && i->half.other < i->time))
        return;
    if (f->is.messages++ == 0) {
        f->is.receive = receive;
        f->is.partner = told ? s->trace->objects.thread_task[i->half.peer] : UINT32_MAX;
        f->is.tag = i->half.tag;
        f->is.bytes = 0;
    }
    f->is.bytes += i->half.size;
    f->partner += pat_mix(pat_mix(distance, receive), (uint64_t)i->half.tag);
}

/* Other events of the line that a call begins on. */
static enum prvcut_status seq_detail(struct seq *s, const struct prvcut_item *i,
                                     struct prvcut_error *err)
{
    struct seq_forming *f = &s->list[0].now;

    if (!f->any || s->mpi.open == 0 || f->begin != i->time)
        return PRVCUT_OK;
    if (prvcut_role_is_caller(i->role)) {
        f->site += pat_mix(i->event.type, (uint64_t)i->event.value);
        if (i->event.type == PRVCUT_TYPE_CALLER && f->function == UINT32_MAX &&
            i->event.value > 0) {
            f->function = seq_function(s, i->event.type, i->event.value, err);
            return f->function != UINT32_MAX ? PRVCUT_OK : PRVCUT_ENOMEM;
        }
    } else if (i->role == PRVCUT_ROLE_COMMUNICATOR) {
        f->is.communicator = (uint32_t)i->event.value;
    } else if (i->role == PRVCUT_ROLE_ROOT) {
        f->is.root = i->event.value != 0;
    } else if (i->role == PRVCUT_ROLE_SIZE) {
        uint64_t *to = i->event.type == PRVCUT_TYPE_SIZE_RECEIVED ? &f->received : &f->bytes_sent;

        *to = (*to != PAT_UNTOLD ? *to : 0) + (uint64_t)i->event.value;
    }
    return PRVCUT_OK;
}

/* --- Calls of MPI ----------------------------------------------------------------------------- */

static bool seq_mpi_find(const struct seq_mpi *m, uint32_t type, unsigned *at)
{
    for (*at = 0; *at < m->open; (*at)++)
        if (m->type[*at] == type)
            return true;
    return false;
}

static void seq_mpi_ends(struct seq *s, uint64_t time)
{
    struct seq_list *l = &s->list[0];

    s->mpi.open = 0;
    if (l->is.calls > 0 && l->is.call[l->is.calls - 1].end == PAT_UNTOLD)
        l->is.call[l->is.calls - 1].end = time;
}

/* The innermost function that is open; UINT32_MAX: none. */
static enum prvcut_status seq_inside(struct seq *s, uint32_t *out, struct prvcut_error *err)
{
    *out = UINT32_MAX;
    if (s->now.open.count == 0)
        return PRVCUT_OK;
    *out = seq_function(s, s->now.open.at[s->now.open.count - 1].type,
                        s->now.open.at[s->now.open.count - 1].value, err);
    return *out != UINT32_MAX ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status seq_mpi_event(struct seq *s, const struct prvcut_item *i,
                                        struct prvcut_error *err)
{
    struct seq_mpi *m = &s->mpi;
    uint32_t function;
    unsigned at;

    if (i->event.value == 0) {
        if (seq_mpi_find(m, i->event.type, &at) && at == 0)
            seq_mpi_ends(s, i->time);
        else if (at < m->open)
            m->type[at] = m->type[--m->open];
        return PRVCUT_OK;
    }
    if (m->open > 0 && m->begin == i->time)
        return PRVCUT_OK; /* one more line of it, or of what it calls */
    if (seq_mpi_find(m, i->event.type, &at) && at == 0)
        seq_mpi_ends(s, i->time); /* its end was lost */
    else if (m->open > 0) {
        if (at == m->open && m->open < OPEN_MOST)
            m->type[m->open++] = i->event.type;
        return PRVCUT_OK; /* part of the one that is open */
    }
    m->type[0] = i->event.type;
    m->open = 1;
    m->begin = i->time;
    if (seq_inside(s, &function, err) < 0)
        return PRVCUT_ENOMEM;
    return seq_begin(s, &s->list[0], i, function, err);
}

/* --- Regions ---------------------------------------------------------------------------------- */

/* What a region is; bit of enum pat_of. */
static uint32_t seq_of(struct seq *s, uint32_t type, int64_t value)
{
    const struct prvcut_type_name *t;
    const struct prvcut_value_name *v;

    if (s->known_type && s->of_type == type && s->of_value == value)
        return s->of;
    t = prvcut_dictionary_type(s->names, type);
    v = t ? prvcut_type_value(t, value) : NULL;
    s->known_type = true;
    s->of_type = type;
    s->of_value = value;
    s->of = t ? pat_name_runtime(t->group) : 0;
    if (s->of == 0 && v)
        s->of = pat_name_runtime(v->text);
    if (s->of == 0)
        s->of = PAT_FUNCTION;
    return s->of;
}

/* Where regions of a kind go: to the calls that were asked for, or to those that may stand in. */
static struct seq_list *seq_list_of(struct seq *s, uint32_t of)
{
    if (s->options->of == 0)
        return &s->list[1];
    return s->options->of & of ? &s->list[0] : NULL;
}

/* A region has ended: so has its call, if it is one. */
static enum prvcut_status seq_closed(void *ctx, const struct prvcut_followed *f,
                                     struct prvcut_error *err)
{
    struct seq *s = ctx;
    const struct seq_list *l = seq_list_of(s, seq_of(s, f->type, f->value));

    (void)err;
    if (l && !f->no_begin && f->note > 0)
        l->is.call[f->note - 1].end = f->span.end;
    return PRVCUT_OK;
}

static const struct prvcut_follow_rules seq_rules = { .in_order = true, .closed = seq_closed };

static enum prvcut_status seq_region(struct seq *s, const struct prvcut_item *i,
                                     struct prvcut_error *err)
{
    struct seq_list *l = seq_list_of(s, seq_of(s, i->event.type, i->event.value));
    const struct prvcut_step step = { .time = i->time,
                                      .value = i->event.value,
                                      .type = i->event.type,
                                      .thread = i->thread & PRVCUT_THREADS_MAX,
                                      .role = i->role & 127 };
    const size_t open = s->now.open.count, before = l ? l->is.calls : 0;
    uint32_t function;
    enum prvcut_status st = PRVCUT_OK;

    const bool same = l && l->now.any && !i->head && l->now.begin == i->time;

    if (l && i->event.value != 0 && same) {
        /* What begins on one line is one call. */
        l->now.also += pat_mix(i->event.type, (uint64_t)i->event.value);
    } else if (l && i->event.value != 0) {
        st = seq_inside(s, &function, err);
        if (st == PRVCUT_OK)
            st = seq_begin(s, l, i, function, err);
    }
    if (st == PRVCUT_OK)
        st = prvcut_follow_on(NULL, &s->now, &seq_rules, s, &step, err);
    if (st == PRVCUT_OK && l && l->is.calls > before && s->now.open.count > open)
        s->now.open.at[s->now.open.count - 1].note = l->is.calls;
    return st;
}

/* The thread writes its trace, or has done so. */
static enum prvcut_status seq_flush(struct seq *s, const struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    if (s->flushing)
        s->flush[s->flushes - 1].end = i->time;
    s->flushing = i->event.value != 0;
    if (!s->flushing)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&s->flush, &s->flush_room, s->flushes + 1, sizeof *s->flush, err) < 0)
        return PRVCUT_ENOMEM;
    s->flush[s->flushes++] = (struct prvcut_span){ i->time, s->end_ns };
    return PRVCUT_OK;
}

/* --- Threads ---------------------------------------------------------------------------------- */

static void seq_list_clear(struct seq_list *l)
{
    if (!l->is.call)
        l->call_room = 0;
    if (!l->is.symbol)
        l->symbol_room = 0;
    l->is.calls = l->is.symbols = 0;
    l->is.lone = 0;
    memset(l->is.different, 0, sizeof l->is.different);
    prvcut_table_clear(&l->known);
    prvcut_table_clear(&l->coarse);
    l->now.any = false;
}

static int seq_by_begin(const void *a, const void *b)
{
    const struct pat_call *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Records of a thread may be out of order in time only where clocks are. */
static void seq_finish(struct pat_thread *t, uint64_t end_ns)
{
    bool sorted = true;

    for (size_t i = 0; i < t->calls; i++) {
        if (t->call[i].end == PAT_UNTOLD)
            t->call[i].end = i + 1 < t->calls ? t->call[i + 1].begin : end_ns;
        if (t->call[i].end < t->call[i].begin)
            t->call[i].end = t->call[i].begin;
        sorted &= i == 0 || t->call[i].begin >= t->call[i - 1].begin;
    }
    if (!sorted)
        qsort(t->call, t->calls, sizeof *t->call, seq_by_begin);
}

/* Hand a thread over; what is known of it is forgotten. */
static enum prvcut_status seq_hand(struct seq *s, uint32_t thread, struct prvcut_error *err)
{
    struct seq_list *l;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = seq_settle(&s->list[i], err);
    l = &s->list[s->options->of == 0 && s->list[0].is.calls == 0];
    l->is.regions = l == &s->list[1];
    l->is.thread = thread;
    l->is.task = s->trace->objects.thread_task[thread];
    l->is.function = s->functions.at;
    l->is.functions = s->functions.count;
    l->is.flush = s->flush;
    l->is.flushes = s->flushes;
    l->is.end_ns = s->end_ns;
    seq_finish(&l->is, s->open_ns);
    l->is.uncalled = s->whole && pat_uncalled_is(&s->uncalled, &l->is);
    if (st == PRVCUT_OK && (!s->options->thread || s->options->thread[thread]))
        st = s->take(s->ctx, &l->is, err);
    for (unsigned i = 0; i < 2; i++)
        seq_list_clear(&s->list[i]);
    prvcut_stack_clear(&s->now.open);
    s->mpi = (struct seq_mpi){ .open = 0 };
    s->flushes = 0;
    s->flushing = false;
    s->next = thread + 1;
    return st;
}

/* All threads before this one are complete, or have no records. */
static enum prvcut_status seq_up_to(struct seq *s, uint32_t thread, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (s->next < thread && st == PRVCUT_OK)
        st = seq_hand(s, s->next, err);
    return st;
}

static enum prvcut_status seq_event(struct seq *s, const struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    if (PRVCUT_ROLES_MPI >> i->role & 1)
        return s->options->of == 0 || s->options->of & PAT_MPI ? seq_mpi_event(s, i, err)
                                                               : PRVCUT_OK;
    if (i->role == PRVCUT_ROLE_FLUSH)
        return seq_flush(s, i, err);
    return i->role == PRVCUT_ROLE_REGION ? seq_region(s, i, err) : seq_detail(s, i, err);
}

static enum prvcut_status seq_records(void *ctx, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    struct seq *s = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t n = 0; n < count && st == PRVCUT_OK; n++) {
        const struct prvcut_item *i = &item[n];

        st = seq_up_to(s, i->thread, err);
        if (st < 0 || (s->options->thread && !s->options->thread[i->thread]))
            continue;
        if (i->kind == PRVCUT_ITEM_EVENT)
            st = seq_event(s, i, err);
        else if (i->kind != PRVCUT_ITEM_STATE)
            seq_half(s, i);
    }
    return st;
}

static void seq_fini(struct seq *s)
{
    for (unsigned i = 0; i < 2; i++) {
        free(s->list[i].is.call);
        free(s->list[i].is.symbol);
        prvcut_table_fini(&s->list[i].known);
        prvcut_table_fini(&s->list[i].coarse);
    }
    prvcut_stack_fini(&s->now.open);
    prvcut_table_fini(&s->functions);
    pat_uncalled_fini(&s->uncalled);
    free(s->flush);
}

enum prvcut_status pat_sequences_read(struct prvcut_trace *t, const struct prvcut_run *run,
                                      const struct prvcut_dictionary *names,
                                      const struct pat_sequences_options *options,
                                      enum prvcut_status (*take)(void *ctx, struct pat_thread *one,
                                                                 struct prvcut_error *err),
                                      void *ctx, struct prvcut_error *err)
{
    struct seq s = { .trace = t,
                     .names = names,
                     .options = options,
                     .take = take,
                     .ctx = ctx,
                     .whole = options->of == 0 && options->only.end == 0 };
    const struct prvcut_stream_plan plan = {
        .trace = t,
        .run = run,
        .by_thread = true,
        .ends = true,
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION) | PRVCUT_ROLES_CALLERS |
                 PRVCUT_ROLES_OF_COLLECTIVE | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH),
        .also = s.whole && (!t->reader->by_thread || t->states_recorded) ? &s.uncalled.also : NULL,
    };
    const struct prvcut_stream_sink sink = { .ctx = &s, .records = seq_records };
    struct prvcut_stream *stream = NULL;
    enum prvcut_status st = pat_uncalled_init(&s.uncalled, t->objects.threads, err);

    if (st == PRVCUT_OK)
        st = prvcut_stream_new(&stream, &plan, err);
    for (unsigned i = 0; i < 2; i++) {
        s.list[i].known = (struct prvcut_table)PRVCUT_TABLE(struct seq_known, place, "symbols");
        s.list[i].coarse = (struct prvcut_table)PRVCUT_TABLE(struct seq_coarse, place, "symbols");
    }
    s.functions = (struct prvcut_table)PRVCUT_TABLE_SET(struct pat_function, "functions");
    if (st == PRVCUT_OK)
        st = prvcut_stream_gather(stream, err);
    if (st == PRVCUT_OK) {
        s.end_ns = prvcut_stream_length(stream);
        s.end_ns = s.end_ns > t->end_ns ? s.end_ns : t->end_ns;
        /* What is cut short tells nothing of the time behind it. */
        s.open_ns = t->skipped > 0 ? 0 : s.end_ns;
        st = prvcut_stream_deliver(stream, &sink, err);
    }
    if (st == PRVCUT_OK)
        st = seq_up_to(&s, t->objects.threads, err);
    prvcut_stream_free(stream);
    seq_fini(&s);
    return st;
}

/* --- Names ------------------------------------------------------------------------------------ */

const char *pat_alphabet_text(enum pat_alphabet alphabet)
{
    static const char *const text[PAT_ALPHABETS] = { "call", "partner", "size", "site", "all" };

    return text[alphabet];
}
