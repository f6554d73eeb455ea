#include "paraver/cut.h"

#include "base/memory.h"
#include "base/ordered.h"
#include "base/pool.h"
#include "model/roles.h"
#include "paraver/digits.h"
#include "paraver/plain.h"

#include <stdlib.h>
#include <string.h>

/*
 * Between the borders of all threads a line is written as it is but for its times, and what it
 * begins is followed. Workers write plain lines of whole blocks; what depends on lines before
 * (what is open, which collectives are whole) is done where blocks are joined, in their order. A
 * block that holds anything else, such as the first value of a counter, is read line by line.
 */

/* Fewer blocks are not worth the workers. */
#define MID_LEAST 2
/* 2^this event types are known without a search. */
#define MID_KINDS 8

/* What is to be known of an event type. */
struct mid_kind {
    uint32_t type;
    bool known, counter;
    unsigned region; /* index in the plan; plan.regions: none */
    uint64_t bit;    /* of a counter */
};

/* Which counters' first values are through. */
struct mid_counted {
    uint64_t *at; /* [threads] a bit per counter; owned */
    uint32_t counter[PRV_CUT_COUNTERS];
    unsigned counters;
    uint64_t version;
};

struct mid_worker {
    struct prv_parser parser;
    struct prv_part part;
    struct mid_counted counted;
    struct mid_kind kind[1 << MID_KINDS];
};

/* A line that begins or ends regions. */
struct mid_line {
    const char *at, *end; /* in the block's text, without its line end */
    uint64_t time, number;
    uint32_t thread;
    uint32_t pairs;
};

/* A block on its way from work to join. */
struct mid_piece {
    struct prvcut_pooled pooled;
    size_t position; /* in the index */
    struct prv_text text;
    struct prvcut_buffer out, filtered; /* lines of the cut; what the filters leave of them */
    struct prv_filtered done;
    struct mid_line *line; /* [lines] */
    size_t lines, line_room;
    struct prv_open_pair *pair; /* [pairs] of the lines */
    size_t pairs, pair_room;
    struct prv_called *called; /* [calleds] collectives that begin */
    size_t calleds, called_room;
    struct prvcut_cut_summary sum; /* what is counted here */
    uint64_t all;                  /* lines */
    bool plain;                    /* nothing else is in it */
};

/* Blocks that are written together. */
struct mid_run {
    struct prv_cutter *c;
    const struct prv_cut_middle *wish;
    struct prv_parse_plan plan; /* for the workers */
    const char *(*plain)(struct prv_parser *, const char *, const char *);
    struct mid_worker *work; /* [workers]; owned */
    unsigned workers;
    size_t next, end; /* positions of blocks */
    struct prvcut_pool idle;
    struct mid_counted counted; /* guarded by lock */
    pthread_mutex_t lock;
};

/* --- Counters --------------------------------------------------------------------------------- */

static enum prvcut_status mid_counted_init(struct mid_counted *c, const struct mid_run *m,
                                           struct prvcut_error *err)
{
    c->at = prvcut_zeroed((size_t)m->c->plan.header->objects.threads + 1, sizeof *c->at, "threads",
                          err);
    return c->at ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* What was read line by line may have been the first values of some. */
static void mid_counted_tell(struct mid_run *m)
{
    const size_t threads = m->c->plan.header->objects.threads;

    pthread_mutex_lock(&m->lock);
    memcpy(m->counted.at, m->c->counted, threads * sizeof *m->counted.at);
    memcpy(m->counted.counter, m->c->counter, sizeof m->counted.counter);
    m->counted.counters = m->c->counters;
    m->counted.version++;
    pthread_mutex_unlock(&m->lock);
}

static void mid_counted_ask(struct mid_run *m, struct mid_worker *w)
{
    const size_t threads = m->c->plan.header->objects.threads;
    uint64_t *at = w->counted.at;

    pthread_mutex_lock(&m->lock);
    if (w->counted.version != m->counted.version) {
        memcpy(at, m->counted.at, threads * sizeof *at);
        w->counted = m->counted;
        w->counted.at = at;
        memset(w->kind, 0, sizeof w->kind);
    }
    pthread_mutex_unlock(&m->lock);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static const struct mid_kind *mid_kind_of(const struct mid_run *m, struct mid_worker *w,
                                          const struct prvcut_event *e)
{
    struct mid_kind *k = &w->kind[prvcut_table_place(e->type, MID_KINDS)];

    if (!k->known || k->type != e->type)
        *k = (struct mid_kind){ .type = e->type,
                                .known = true,
                                .counter = prvcut_role_is_counter(e->role),
                                .region = prv_region_index(&m->c->plan, e->type),
                                .bit = prv_counter_bit(w->counted.counter, w->counted.counters,
                                                       e->type) };
    return k;
}

/* Text goes on as it stands. */
static char *mid_copy(char *to, const char *from, const char *end)
{
    memcpy(to, from, (size_t)(end - from));
    return to + (end - from);
}

/* Place of the separator behind field k (0 = the record's kind) of a line. */
static const char *mid_separator(const char *at, unsigned k)
{
    struct prv_marks m = prv_mark(at);

    for (;;) {
        while (m.colon == 0) {
            at += 64;
            m = prv_mark(at);
        }
        if (k-- == 0)
            return at + __builtin_ctzll(m.colon);
        m.colon &= m.colon - 1;
    }
}

static bool mid_is_in(const struct prv_cutter *c, uint32_t thread, uint64_t time)
{
    const struct prvcut_span own = prvcut_window_own(c->window, thread);

    return time >= own.start && time < own.end;
}

static char *mid_state(const struct mid_run *m, struct mid_piece *p, const struct prvcut_state *s,
                       const char *line, const char *next, char *to)
{
    const uint64_t until = prv_cut_to(m->c, s->thread);

    if (!mid_is_in(m->c, s->thread, s->begin))
        return to;
    p->sum.states++;
    p->sum.clipped_states += s->end > until;
    to = mid_copy(to, line, mid_separator(line, 4) + 1);
    to = prv_cut_tick(m->c, to, s->begin);
    to = prv_cut_tick(m->c, to, s->end > until ? until : s->end);
    return mid_copy(to, mid_separator(line, 6) + 1, next);
}

static char *mid_message(const struct mid_run *m, struct mid_piece *p,
                         const struct prvcut_message *of, const char *line, const char *next,
                         char *to)
{
    const struct prv_cutter *c = m->c;
    struct prvcut_message times;
    enum prv_message_part part;

    if (prv_message_is_before(c, of) || prv_message_is_late(c, of))
        return to;
    part = prv_message_part(c, of, &times);
    if (part == PRV_MESSAGE_NONE)
        return to;
    /* A receive that is moved to the border may have more digits there. */
    if (part != PRV_MESSAGE_WHOLE || times.logical_receive > of->logical_receive ||
        times.physical_receive > of->physical_receive)
        return NULL;
    p->sum.messages++;
    to = mid_copy(to, line, mid_separator(line, 4) + 1);
    to = prv_cut_tick(c, to, times.logical_send);
    to = prv_cut_tick(c, to, times.physical_send);
    to = mid_copy(to, mid_separator(line, 6) + 1, mid_separator(line, 10) + 1);
    to = prv_cut_tick(c, to, times.logical_receive);
    to = prv_cut_tick(c, to, times.physical_receive);
    return mid_copy(to, mid_separator(line, 12) + 1, next);
}

/* What an event line begins and ends; false: it is to be looked at closer. */
static bool mid_follow(const struct mid_run *m, struct mid_worker *w, struct mid_piece *p,
                       const char *line, const char *end, struct prvcut_error *err)
{
    const struct prvcut_batch *b = &w->parser.batch;
    const uint32_t thread = b->event[0].thread;
    const bool counts = prv_cut_from(m->c, thread) > 0;
    struct prv_calling calling = { .begins = 0 };
    const size_t before = p->pairs;

    if (prvcut_grow((void **)&p->pair, &p->pair_room, p->pairs + b->events, sizeof *p->pair, err) <
            0 ||
        prvcut_grow((void **)&p->line, &p->line_room, p->lines + 1, sizeof *p->line, err) < 0 ||
        prvcut_grow((void **)&p->called, &p->called_room, p->calleds + b->events, sizeof *p->called,
                    err) < 0)
        return false;
    for (size_t i = 0; i < b->events; i++) {
        const struct prvcut_event *e = &b->event[i];
        const struct mid_kind *k = mid_kind_of(m, w, e);

        if (k->counter && counts && (w->counted.at[thread] & k->bit) == 0)
            return false;
        if (k->region < m->c->plan.regions)
            p->pair[p->pairs++] = (struct prv_open_pair){ e->type, k->region, e->value };
        prv_calling_pair(&m->c->plan, &calling, e->role, e->value);
    }
    if (p->pairs > before)
        p->line[p->lines++] = (struct mid_line){ .at = line,
                                                 .end = end,
                                                 .time = b->event[0].time,
                                                 .number = p->all,
                                                 .thread = thread,
                                                 .pairs = (uint32_t)(p->pairs - before) };
    for (uint32_t i = 0; prv_calling_is_known(&calling) && i < calling.begins; i++)
        p->called[p->calleds++] =
            (struct prv_called){ .task = m->c->plan.header->objects.thread_task[thread],
                                 .communicator = (uint32_t)calling.communicator };
    return true;
}

static char *mid_event(const struct mid_run *m, struct mid_worker *w, struct mid_piece *p,
                       const char *line, const char *next, char *to, struct prvcut_error *err)
{
    const struct prvcut_batch *b = &w->parser.batch;
    const char *end = next - 1;

    if (b->events == 0)
        return NULL;
    if (!mid_is_in(m->c, b->event[0].thread, b->event[0].time))
        return to;
    if (!mid_follow(m, w, p, line, end, err))
        return NULL;
    p->sum.events++;
    to = mid_copy(to, line, mid_separator(line, 4) + 1);
    to = prv_cut_tick(m->c, to, b->event[0].time);
    return mid_copy(to, mid_separator(line, 5) + 1, next);
}

/* One line; where it ends in the output, NULL: it is none of the plain ones. */
static char *mid_line(const struct mid_run *m, struct mid_worker *w, struct mid_piece *p,
                      const char **at, char *to, struct prvcut_error *err)
{
    struct prvcut_batch *b = &w->parser.batch;
    const char *line = *at;

    b->states = b->events = b->messages = 0;
    *at = m->plain(&w->parser, line, line + 1);
    if (*at == line)
        return NULL;
    if (b->states > 0)
        return mid_state(m, p, &b->state[0], line, *at, to);
    if (b->messages > 0)
        return mid_message(m, p, &b->message[0], line, *at, to);
    return mid_event(m, w, p, line, *at, to, err);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void mid_clear(struct mid_piece *p)
{
    p->out.count = p->filtered.count = 0;
    p->lines = p->pairs = p->calleds = 0;
    p->all = 0;
    p->sum = (struct prvcut_cut_summary){ 0 };
    p->done = (struct prv_filtered){ 0 };
    p->plain = true;
}

static void mid_piece_free(void *ctx, void *thing)
{
    struct mid_piece *p = thing;

    (void)ctx;
    prv_text_fini(&p->text);
    prvcut_buffer_fini(&p->out);
    prvcut_buffer_fini(&p->filtered);
    free(p->line);
    free(p->pair);
    free(p->called);
    free(p);
}

static enum prvcut_status mid_take(void *ctx, unsigned worker, void **item,
                                   struct prvcut_error *err)
{
    struct mid_run *m = ctx;
    struct mid_piece *p;
    struct prv_text *text;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    if (m->next == m->end)
        return PRVCUT_END;
    p = prvcut_pool_get(&m->idle);
    if (!p)
        p = prvcut_zeroed(1, sizeof *p, "a block", err);
    if (!p)
        return PRVCUT_ENOMEM;
    p->position = m->next++;
    p->text.number = m->c->trace->index.block[p->position].number;
    /* What is no file is read in order. */
    if (!m->wish->texts->blocks.seekable) {
        st = prv_texts_get(m->wish->texts, p->text.number, &text, err);
        if (st == PRVCUT_OK)
            st = prv_text_copy(&p->text, text, err);
    }
    if (st == PRVCUT_OK)
        *item = p;
    else
        mid_piece_free(NULL, p);
    return st;
}

static enum prvcut_status mid_work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    struct mid_run *m = ctx;
    struct mid_worker *w = &m->work[worker];
    struct mid_piece *p = item;
    const char *at;
    char *to = NULL;
    enum prvcut_status st = PRVCUT_OK;

    mid_clear(p);
    mid_counted_ask(m, w);
    if (m->wish->texts->blocks.seekable)
        st = prv_blocks_load(&m->wish->texts->blocks, p->text.number, &p->text, err);
    /* No time that is written here has more digits than it had. */
    if (st == PRVCUT_OK)
        st =
            prvcut_buffer_reserve(&p->out, (size_t)(p->text.end - p->text.at) + PRV_TICK_ROOM, err);
    if (st == PRVCUT_OK)
        to = p->out.at;
    prv_parser_begin(&w->parser, &w->part);
    for (at = p->text.at; to && at < p->text.end;) {
        p->all++;
        to = mid_line(m, w, p, &at, to, err);
    }
    p->plain = to != NULL;
    p->out.count = to ? (size_t)(to - p->out.at) : 0;
    if (p->plain && m->c->rules.count > 0) {
        const struct prv_text lines = { .at = p->out.at, .end = to };

        st = prv_filter_text(&m->c->rules, &m->c->plan, &lines, &p->filtered, &p->done, err);
    }
    return err->status < 0 ? err->status : st;
}

/* --- One after the other ---------------------------------------------------------------------- */

static enum prvcut_status mid_open(struct mid_run *m, const struct mid_piece *p,
                                   struct prvcut_error *err)
{
    const uint64_t order = m->c->order;
    const struct prv_open_pair *pair = p->pair;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->lines && st == PRVCUT_OK; i++) {
        const struct mid_line *l = &p->line[i];
        const struct prv_cut_line line = { .at = l->at,
                                           .end = l->end,
                                           .event = { .time = l->time,
                                                      .thread = l->thread & PRVCUT_THREADS_MAX } };

        m->c->order = order + l->number;
        st = prv_open_pairs(m->c, &line, pair, l->pairs, err);
        pair += l->pairs;
    }
    m->c->order = order + p->all;
    return st;
}

static enum prvcut_status mid_put(struct mid_run *m, struct mid_piece *p, struct prvcut_error *err)
{
    struct prvcut_cut_summary *sum = m->c->sum;

    sum->states += p->sum.states;
    sum->events += p->sum.events;
    sum->messages += p->sum.messages;
    sum->clipped_states += p->sum.clipped_states;
    prv_filtered_add(&m->c->done, &p->done);
    return prv_cut_put_lines(m->c, m->c->rules.count > 0 ? &p->filtered : &p->out, err);
}

static enum prvcut_status mid_join(void *ctx, void *item, enum prvcut_status failed,
                                   struct prvcut_error *err)
{
    struct mid_run *m = ctx;
    struct mid_piece *p = item;
    const struct prv_block *block = &m->c->trace->index.block[p->position];
    enum prvcut_status st = failed < 0 ? failed : prv_cut_tell(m->wish->told, err);

    if (st < 0)
        return st;
    m->wish->told->done++;
    if (!p->plain || p->all != block->lines ||
        !prv_collectives_take_all(m->c->collectives, p->called, p->calleds)) {
        st = m->wish->lines(m->wish->ctx, &p->text, err);
        mid_counted_tell(m);
    } else {
        st = mid_open(m, p, err);
        if (st == PRVCUT_OK)
            st = mid_put(m, p, err);
    }
    m->c->block = p->position + 1;
    return st;
}

static void mid_drop(void *ctx, void *item)
{
    struct mid_run *m = ctx;

    prvcut_pool_put(&m->idle, item);
}

/* --- Which blocks ----------------------------------------------------------------------------- */

/* Do all lines of the block lie between the borders of all threads, and is no line of a border due
   before its end? The block behind it tells how late its lines are. */
static bool mid_is_middle(const struct prv_cutter *c, size_t position)
{
    const struct prv_index *x = &c->trace->index;
    const struct prv_border_lines *l = &c->left;
    uint64_t end;

    if (position + 1 >= x->blocks)
        return false;
    end = x->block[position + 1].key;
    return x->block[position].key >= c->last_from && end < c->first_to &&
           (l->next == l->count || l->at[l->next].time > end);
}

/* Whose events workers have to see. */
static uint32_t mid_roles(const struct prv_cutter *c)
{
    uint32_t roles =
        PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_COLLECTIVE);
    bool region;

    for (unsigned i = 0; i < PRVCUT_ROLES; i++)
        if (prvcut_role_is_counter(i))
            roles |= PRVCUT_ROLE_BIT(i);
    for (unsigned i = 0; i < c->plan.regions; i++)
        roles |= PRVCUT_ROLE_BIT(prv_labels_role(c->plan.labels, c->plan.region_type[i], &region));
    return roles;
}

static enum prvcut_status mid_init(struct mid_run *m, struct prvcut_error *err)
{
    static const struct prvcut_consumer nobody = { 0 };
    enum prvcut_status st;

    prvcut_pool_init(&m->idle);
    pthread_mutex_init(&m->lock, NULL);
    m->plain = prv_plain_best();
    m->plan = m->c->plan;
    m->plan.roles = mid_roles(m->c);
    /* A line's first pair tells its thread and time, whatever it is. */
    m->plan.head_roles = PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1;
    m->plan.states = m->plan.messages = m->plan.followed = true;
    m->plan.regions = 0;
    m->plan.seen = NULL;
    m->work = prvcut_zeroed(m->workers, sizeof *m->work, "workers", err);
    st = m->work ? mid_counted_init(&m->counted, m, err) : PRVCUT_ENOMEM;
    for (unsigned i = 0; i < m->workers && st == PRVCUT_OK; i++) {
        st = mid_counted_init(&m->work[i].counted, m, err);
        if (st == PRVCUT_OK)
            st = prv_parser_init(&m->work[i].parser, &m->plan, &nobody, i, err);
    }
    if (st == PRVCUT_OK)
        mid_counted_tell(m);
    return st;
}

static void mid_fini(struct mid_run *m)
{
    for (unsigned i = 0; m->work && i < m->workers; i++) {
        prv_parser_fini(&m->work[i].parser);
        prv_part_fini(&m->work[i].part);
        free(m->work[i].counted.at);
    }
    free(m->work);
    free(m->counted.at);
    prvcut_pool_fini(&m->idle, mid_piece_free, NULL);
    pthread_mutex_destroy(&m->lock);
}

enum prvcut_status prv_cut_middle(struct prv_cutter *c, const struct prv_cut_middle *wish,
                                  struct prvcut_error *err)
{
    struct mid_run m = { .c = c,
                         .wish = wish,
                         .next = c->block,
                         .end = c->block,
                         .workers = prvcut_workers(wish->told->run->threads) };
    const struct prvcut_ordered work = {
        .ctx = &m, .take = mid_take, .work = mid_work, .join = mid_join, .drop = mid_drop
    };
    enum prvcut_status st;

    if (c->limit > 0 || c->trace->unsorted > 0)
        return PRVCUT_OK;
    while (mid_is_middle(c, m.end))
        m.end++;
    if (m.end - m.next < MID_LEAST)
        return PRVCUT_OK;
    st = mid_init(&m, err);
    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&work, m.workers, err);
    mid_fini(&m);
    prv_cut_seek(c);
    return st;
}
