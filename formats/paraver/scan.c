#include "paraver/paraver.h"

#include "base/ordered.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pass over a trace, or over the blocks that can touch a window. */
struct scan {
    struct prv_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_consumer *consumer;
    struct prv_parse_plan plan;
    struct prv_blocks blocks;
    struct prv_parser *parser; /* [workers] */
    unsigned workers;
    struct prvcut_counts counts;
    uint64_t last_key;
    uint64_t next; /* block of a seekable source */
    bool windowed;
    uint64_t from, to; /* ns */
    size_t position;   /* in the index; windowed */
    struct item *idle;
    pthread_mutex_t idle_lock;
};

/* One block on its way from take to join. */
struct item {
    struct item *next;
    struct prv_text text;
    struct prv_part part;
    uint64_t number;
    uint64_t consumed; /* bytes on disk up to its end */
    bool begun;        /* the consumer has a state in it */
};

static struct item *item_get(struct scan *s)
{
    struct item *i;

    pthread_mutex_lock(&s->idle_lock);
    i = s->idle;
    if (i)
        s->idle = i->next;
    pthread_mutex_unlock(&s->idle_lock);
    return i ? i : calloc(1, sizeof *i);
}

static void item_put(struct scan *s, struct item *i)
{
    pthread_mutex_lock(&s->idle_lock);
    i->next = s->idle;
    s->idle = i;
    pthread_mutex_unlock(&s->idle_lock);
}

static enum prvcut_status poll_stop(const struct scan *s, struct prvcut_error *err)
{
    if (s->run->stop && s->run->stop(s->run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    return PRVCUT_OK;
}

/* The next block that is wanted; PRVCUT_END: none. */
static enum prvcut_status choose(struct scan *s, uint64_t *number)
{
    const struct prv_index *x = &s->trace->index;

    if (!s->windowed) {
        *number = s->next++;
        return s->blocks.seekable && *number >= prv_blocks_count(&s->blocks) ? PRVCUT_END
                                                                             : PRVCUT_OK;
    }
    s->position = prv_index_find(x, s->position, s->from, s->to);
    if (s->position == x->blocks)
        return PRVCUT_END;
    *number = x->block[s->position++].number;
    return PRVCUT_OK;
}

/* Bytes on disk that so many of the text take, for the progress. */
static uint64_t share_of_file(const struct scan *s, uint64_t text)
{
    const uint64_t size = s->trace->base.bytes;

    if (s->blocks.size == size || s->blocks.size == 0)
        return text;
    return (uint64_t)((double)text / (double)s->blocks.size * (double)size);
}

static enum prvcut_status scan_take(void *ctx, unsigned worker, void **out,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    enum prvcut_status st = poll_stop(s, err);
    struct item *i;

    (void)worker;
    if (st < 0)
        return st;
    i = item_get(s);
    if (!i)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for a block");
    st = choose(s, &i->number);
    if (st == PRVCUT_OK && !s->blocks.seekable) {
        do
            st = prv_blocks_next(&s->blocks, &i->text, err);
        while (st == PRVCUT_OK && s->windowed && i->text.number < i->number);
        i->number = i->text.number;
        i->consumed = prvcut_source_consumed(s->trace->source);
    } else {
        i->consumed = share_of_file(s, (i->number + 1) * PRV_BLOCK);
    }
    if (st != PRVCUT_OK) {
        item_put(s, i);
        return st;
    }
    *out = i;
    return PRVCUT_OK;
}

static enum prvcut_status scan_work(void *ctx, unsigned worker, void *item,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    struct item *i = item;
    struct prv_parser *p = &s->parser[worker];
    enum prvcut_status st = PRVCUT_OK;

    if (s->blocks.seekable)
        st = prv_blocks_load(&s->blocks, i->number, &i->text, err);
    if (st != PRVCUT_OK)
        return st;
    if (s->consumer->begin) {
        st = s->consumer->begin(s->consumer->ctx, worker, i->number, &i->part.consumer, err);
        i->begun = st == PRVCUT_OK;
    }
    if (st < 0)
        return st;
    prv_parser_begin(p, &i->part);
    st = prv_parse(p, i->text.at, i->text.end, i->number, err);
    if (st == PRVCUT_OK && i->text.doubtful && s->plan.lenient) {
        i->part.counts.lines++;
        i->part.counts.skipped++;
    } else if (st == PRVCUT_OK && i->text.doubtful) {
        st = prv_text_doubt(&i->text, i->part.counts.lines, err);
    }
    return st < 0 ? st : prv_parser_end(p, err);
}

/* Sums of the part, and disorder across the border to the one before. */
static void join_counts(struct scan *s, const struct item *i)
{
    const struct prv_part *part = &i->part;
    struct prvcut_counts *c = &s->counts;

    if (part->first_unsorted > 0 && c->first_unsorted == 0)
        c->first_unsorted = c->lines + part->first_unsorted;
    if (part->first_key != UINT64_MAX && part->first_key < s->last_key) {
        c->unsorted++;
        if (c->first_unsorted == 0)
            c->first_unsorted = c->lines + 1;
    }
    if (part->last_key > s->last_key)
        s->last_key = part->last_key;
    c->states += part->counts.states;
    c->events += part->counts.events;
    c->pairs += part->counts.pairs;
    c->messages += part->counts.messages;
    c->comments += part->counts.comments;
    c->skipped += part->counts.skipped;
    prvcut_bent_join(c->bent, part->counts.bent, c->lines);
    c->lines += part->counts.lines;
    c->unsorted += part->counts.unsorted;
    c->beyond_end += part->counts.beyond_end;
    c->bytes += (uint64_t)(i->text.end - i->text.at) - i->text.no_last_newline;
    c->no_last_newline |= i->text.no_last_newline;
    for (size_t b = 0; b < part->blocks; b++) {
        if (part->block[b].first < c->first_ns)
            c->first_ns = part->block[b].first;
        if (part->block[b].last > c->last_ns)
            c->last_ns = part->block[b].last;
    }
}

static enum prvcut_status scan_join(void *ctx, void *item, enum prvcut_status failed,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    struct item *i = item;
    uint64_t lines = s->windowed ? 0 : s->counts.lines;
    enum prvcut_status st;

    if (failed < 0)
        return prv_trace_locate(s->trace, lines, &i->text, failed, err);
    if (failed == PRVCUT_END)
        return PRVCUT_OK;
    join_counts(s, i);
    if (!s->windowed && !s->trace->index.complete) {
        st = prv_index_join(&s->trace->index, &i->part, err);
        if (st < 0)
            return st;
    }
    if (s->run->progress && s->trace->base.bytes > 0)
        s->run->progress(s->run->ctx, s->windowed ? "focusing" : "reading", i->consumed,
                         s->trace->base.bytes);
    return s->consumer->join ? s->consumer->join(s->consumer->ctx, i->part.consumer, err)
                             : PRVCUT_OK;
}

static void scan_drop(void *ctx, void *item)
{
    struct scan *s = ctx;
    struct item *i = item;
    struct prv_part *part = &i->part;

    if (i->begun && s->consumer->discard)
        s->consumer->discard(s->consumer->ctx, part->consumer);
    i->begun = false;
    /* The part's room is kept for the next one. */
    *part = (struct prv_part){ .block = part->block,
                               .block_room = part->block_room,
                               .region = part->region,
                               .region_room = part->region_room };
    item_put(s, i);
}

static void scan_fini(struct scan *s)
{
    while (s->idle) {
        struct item *i = s->idle;

        s->idle = i->next;
        prv_text_fini(&i->text);
        prv_part_fini(&i->part);
        free(i);
    }
    for (unsigned i = 0; s->parser && i < s->workers; i++)
        prv_parser_fini(&s->parser[i]);
    free(s->parser);
    prv_blocks_close(&s->blocks);
    pthread_mutex_destroy(&s->idle_lock);
}

static enum prvcut_status scan_init(struct scan *s, struct prvcut_error *err)
{
    enum prvcut_status st;

    pthread_mutex_init(&s->idle_lock, NULL);
    s->counts.first_ns = UINT64_MAX;
    s->workers = prvcut_workers(s->run->threads);
    prv_trace_plan(s->trace, &s->plan);
    s->plan.roles = s->consumer->roles;
    s->plan.detail_roles = s->consumer->detail_roles;
    s->plan.detail = s->consumer->detail;
    s->plan.states = s->consumer->states;
    s->plan.messages = s->consumer->messages;
    s->plan.seen = s->trace->base.roles_given ? &s->trace->seen : NULL;
    st = prv_trace_blocks(s->trace, &s->blocks, err);
    if (st < 0)
        return st;
    s->parser = calloc(s->workers, sizeof *s->parser);
    if (!s->parser)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %u workers", s->workers);
    for (unsigned i = 0; i < s->workers && st == PRVCUT_OK; i++)
        st = prv_parser_init(&s->parser[i], &s->plan, s->consumer, i, err);
    return st;
}

static enum prvcut_status scan_run(struct scan *s, struct prvcut_error *err)
{
    const struct prvcut_ordered work = {
        .ctx = s, .take = scan_take, .work = scan_work, .join = scan_join, .drop = scan_drop
    };
    enum prvcut_status st = scan_init(s, err);

    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&work, s->workers, err);
    return st;
}

enum prvcut_status prv_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                            const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                            struct prvcut_error *err)
{
    struct prv_trace *trace = (struct prv_trace *)t;
    struct scan s = { .trace = trace, .run = run, .consumer = consumer };
    struct prv_parse_plan plan;
    enum prvcut_status st = PRVCUT_OK;

    prv_trace_plan(trace, &plan);
    prvcut_source_watch(trace->source, run->stop, run->ctx);
    if (!trace->index.complete) {
        prv_index_fini(&trace->index);
        st = prv_index_init(&trace->index, t->objects.threads, plan.regions, err);
    }
    s.counts.lines = trace->header.lines;
    s.counts.bytes = trace->header.text_count;
    memcpy(s.counts.bent, trace->header.bent, sizeof s.counts.bent);
    if (st == PRVCUT_OK)
        st = scan_run(&s, err);
    if (st == PRVCUT_OK)
        trace->index.complete = trace->seen.complete = true;
    memcpy(t->bent, s.counts.bent, sizeof t->bent);
    trace->unsorted = s.counts.unsorted;
    trace->no_last_newline = s.counts.no_last_newline;
    if (counts) {
        *counts = s.counts;
        if (counts->first_ns == UINT64_MAX)
            counts->first_ns = 0;
    }
    scan_fini(&s);
    return st;
}

enum prvcut_status prv_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                   uint64_t from, uint64_t to,
                                   const struct prvcut_consumer *consumer, struct prvcut_error *err)
{
    struct scan s = { .trace = (struct prv_trace *)t,
                      .run = run,
                      .consumer = consumer,
                      .windowed = true,
                      .from = from,
                      .to = to };
    enum prvcut_status st = scan_run(&s, err);

    scan_fini(&s);
    return st;
}
