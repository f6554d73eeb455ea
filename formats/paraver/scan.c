#include "paraver/paraver.h"

#include "base/memory.h"
#include "paraver/index_file.h"
#include "scan/scan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A pass over a trace, or over the blocks that can touch a window. */
struct scan {
    struct prvcut_scan base;
    struct prv_trace *trace;
    struct prv_parse_plan plan;
    struct prv_blocks blocks;
    struct prv_parser *parser; /* [workers] */
    uint64_t last_key;
    uint64_t next;   /* block of a seekable source */
    size_t position; /* in the index; windowed */
};

/* One block. */
struct item {
    struct prvcut_part base;
    struct prv_text text;
    struct prv_part part;
    uint64_t consumed; /* bytes on disk up to its end */
};

/* The next block that is wanted; PRVCUT_END: none. */
static enum prvcut_status scan_choose(struct scan *s, uint64_t *number)
{
    const struct prv_index *x = &s->trace->index;

    if (!s->base.windowed) {
        *number = s->next++;
        return s->blocks.seekable && *number >= prv_blocks_count(&s->blocks) ? PRVCUT_END
                                                                             : PRVCUT_OK;
    }
    s->position = prv_index_find(x, s->position, s->base.from, s->base.to);
    if (s->position == x->blocks)
        return PRVCUT_END;
    *number = x->block[s->position++].number;
    return PRVCUT_OK;
}

/* Bytes on disk that so many of the text take, for the progress. */
static uint64_t scan_share_of_file(const struct scan *s, uint64_t text)
{
    const uint64_t size = s->trace->base.bytes;

    if (s->blocks.size == size || s->blocks.size == 0)
        return text;
    return (uint64_t)((double)text / (double)s->blocks.size * (double)size);
}

/* A block of a stream, which is held. */
static enum prvcut_status scan_stream_to(struct scan *s, uint64_t number, struct prv_text *text,
                                         struct prvcut_error *err)
{
    const struct prv_text *held = prv_held_find(&s->trace->held, number);
    enum prvcut_status st;

    if (held)
        return prv_text_copy(text, held, err);
    do
        st = prv_blocks_next(&s->blocks, text, err);
    while (st == PRVCUT_OK && text->number < number);
    if (st == PRVCUT_OK)
        prv_held_keep(&s->trace->held, text);
    return st;
}

static enum prvcut_status scan_prv_next(struct prvcut_scan *base, struct prvcut_part *p,
                                        struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;
    struct item *i = (struct item *)p;
    enum prvcut_status st = scan_choose(s, &p->number);

    if (st == PRVCUT_OK && !s->blocks.seekable) {
        st = base->windowed ? scan_stream_to(s, p->number, &i->text, err)
                            : prv_blocks_next(&s->blocks, &i->text, err);
        p->number = i->text.number;
        i->consumed = prvcut_source_consumed(s->trace->source);
    } else {
        i->consumed = scan_share_of_file(s, (p->number + 1) * PRV_BLOCK);
    }
    return st;
}

static enum prvcut_status scan_load(struct prvcut_scan *base, struct prvcut_part *p,
                                    struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;

    return s->blocks.seekable
               ? prv_blocks_load(&s->blocks, p->number, &((struct item *)p)->text, err)
               : PRVCUT_OK;
}

/* Bytes on disk of a block of a seekable source. */
static uint64_t scan_block_bytes(const struct scan *s, uint64_t number)
{
    const uint64_t from = number * PRV_BLOCK, size = s->blocks.size;

    return scan_share_of_file(s, size > from && size - from < PRV_BLOCK ? size - from : PRV_BLOCK);
}

/* Bytes on disk of the blocks that can touch the window, where only these are read. */
static uint64_t scan_wanted(const struct scan *s)
{
    const struct prv_index *x = &s->trace->index;
    uint64_t wanted = 0;

    for (size_t k = 0; s->blocks.seekable; k++) {
        k = prv_index_find(x, k, s->base.from, s->base.to);
        if (k == x->blocks)
            break;
        wanted += scan_block_bytes(s, x->block[k].number);
    }
    return wanted;
}

/* What the part counted, as all parts tell it. */
static void scan_tell_counts(struct item *i)
{
    struct prvcut_counts *c = &i->base.counts;

    *c = i->part.counts;
    c->first_ns = UINT64_MAX;
    c->last_ns = 0;
    c->first_unsorted = i->part.first_unsorted;
    c->bytes = (uint64_t)(i->text.end - i->text.at) - i->text.no_last_newline;
    c->no_last_newline = i->text.no_last_newline;
    for (size_t b = 0; b < i->part.blocks; b++) {
        if (i->part.block[b].first < c->first_ns)
            c->first_ns = i->part.block[b].first;
        if (i->part.block[b].last > c->last_ns)
            c->last_ns = i->part.block[b].last;
    }
}

static enum prvcut_status scan_prv_decode(struct prvcut_scan *base, unsigned worker,
                                          struct prvcut_part *p, struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;
    struct item *i = (struct item *)p;
    struct prv_parser *parser = &s->parser[worker];
    enum prvcut_status st;

    i->part.consumer = p->state;
    prv_parser_begin(parser, &i->part);
    st = prv_parse(parser, i->text.at, i->text.end, p->number, err);
    if (st == PRVCUT_OK && i->text.doubtful && s->blocks.lenient) {
        i->part.counts.lines++;
        i->part.counts.skipped++;
    } else if (st == PRVCUT_OK && i->text.doubtful) {
        st = prv_text_doubt(&i->text, i->part.counts.lines, err);
    }
    if (st >= 0)
        st = prv_parser_end(parser, err);
    scan_tell_counts(i);
    return st;
}

static enum prvcut_status scan_prv_joined(struct prvcut_scan *base, struct prvcut_part *p,
                                          struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;
    struct item *i = (struct item *)p;
    struct prvcut_counts *c = &base->counts;

    /* Disorder across the border to the part before. */
    if (i->part.first_key != UINT64_MAX && i->part.first_key < s->last_key) {
        c->unsorted++;
        if (c->first_unsorted == 0)
            c->first_unsorted = c->lines - p->counts.lines + 1;
    }
    if (i->part.least_key < s->last_key && s->last_key - i->part.least_key > c->unsorted_ns)
        c->unsorted_ns = s->last_key - i->part.least_key;
    if (i->part.last_key > s->last_key)
        s->last_key = i->part.last_key;
    if (base->wanted > 0)
        base->position += scan_block_bytes(s, p->number);
    else
        base->position = i->consumed;
    if (base->windowed || s->trace->index.complete)
        return PRVCUT_OK;
    return prv_index_join(&s->trace->index, &i->part, err);
}

static enum prvcut_status scan_failed(struct prvcut_scan *base, struct prvcut_part *p,
                                      enum prvcut_status st, struct prvcut_error *err)
{
    const struct scan *s = (struct scan *)base;

    return prv_trace_locate(s->trace, base->windowed ? 0 : base->counts.lines,
                            &((struct item *)p)->text, st, err);
}

/* The part's room is kept for the next one. */
static void scan_item_clear(struct prvcut_part *p)
{
    struct prv_part *part = &((struct item *)p)->part;

    free(part->called);
    *part = (struct prv_part){ .block = part->block,
                               .block_room = part->block_room,
                               .region = part->region,
                               .region_room = part->region_room };
}

static void scan_item_fini(struct prvcut_part *p)
{
    struct item *i = (struct item *)p;

    prv_text_fini(&i->text);
    prv_part_fini(&i->part);
}

/* --- Shared with other processes ---------------------------------------------------------------
 */

static const char *scan_count(struct prvcut_scan *base, uint64_t *out)
{
    const struct scan *s = (struct scan *)base;

    if (!s->blocks.seekable)
        return prvcut_source_codec(s->trace->source) == PRVCUT_PLAIN
                   ? "a pipe is read from its beginning to its end"
                   : "it is compressed, and ranks read plain traces";
    *out = prv_blocks_count(&s->blocks);
    return NULL;
}

static void scan_begin(struct prvcut_scan *base, uint64_t number)
{
    ((struct scan *)base)->next = number;
}

static void scan_item_shed(struct prvcut_part *p)
{
    prv_text_fini(&((struct item *)p)->text);
}

static void scan_put_seen(struct prvcut_put *out, const struct prv_seen *s)
{
    prvcut_put_u64s(out, s->type, PRV_SEEN_TYPES);
}

/* Others met these. */
static void scan_get_seen(struct prvcut_get *in, struct prv_seen *s)
{
    uint64_t type[PRV_SEEN_TYPES] = { 0 };

    prvcut_get_u64s(in, type, PRV_SEEN_TYPES);
    for (size_t i = 0; i < PRV_SEEN_TYPES; i++)
        if (type[i] > 0)
            prv_seen_note(s, (uint32_t)(type[i] - 1));
}

static void scan_carry_put(struct prvcut_scan *base, struct prvcut_put *out)
{
    const struct scan *s = (struct scan *)base;

    prvcut_put_u64(out, s->last_key);
    scan_put_seen(out, &s->trace->seen);
    if (!s->trace->index.complete)
        prv_index_put(&s->trace->index, out);
}

static void scan_carry_get(struct prvcut_scan *base, struct prvcut_get *in)
{
    struct scan *s = (struct scan *)base;

    s->last_key = prvcut_get_u64(in);
    scan_get_seen(in, &s->trace->seen);
    if (!s->trace->index.complete)
        prv_index_get(&s->trace->index, &s->trace->base.objects, in);
}

static void scan_pieces_put(void *ctx, struct prvcut_put *out)
{
    const struct scan *s = ctx;

    if (!s->trace->index.complete)
        prv_index_put_blocks(&s->trace->index, out);
}

static void scan_pieces_add(void *ctx, struct prvcut_get *in)
{
    struct scan *s = ctx;

    if (s->trace->index.complete)
        return;
    prv_index_add_blocks(&s->trace->index, in);
    s->trace->index.before = 0;
}

static void scan_pieces_clear(void *ctx)
{
    struct scan *s = ctx;

    if (!s->trace->index.complete)
        s->trace->index.blocks = 0;
}

static const struct prvcut_shares scan_pieces = { .put = scan_pieces_put,
                                                  .add = scan_pieces_add,
                                                  .clear = scan_pieces_clear };

static const struct prvcut_parts blocks = { .room = sizeof(struct item),
                                            .what = "a block",
                                            .next = scan_prv_next,
                                            .load = scan_load,
                                            .decode = scan_prv_decode,
                                            .joined = scan_prv_joined,
                                            .failed = scan_failed,
                                            .count = scan_count,
                                            .begin = scan_begin,
                                            .shed = scan_item_shed,
                                            .put = scan_carry_put,
                                            .get = scan_carry_get,
                                            .pieces = &scan_pieces,
                                            .clear = scan_item_clear,
                                            .fini = scan_item_fini };

static void scan_prv_fini(struct scan *s)
{
    prvcut_scan_fini(&s->base);
    for (unsigned i = 0; s->parser && i < s->base.workers; i++)
        prv_parser_fini(&s->parser[i]);
    free(s->parser);
    prv_blocks_close(&s->blocks);
}

static enum prvcut_status scan_init(struct scan *s, struct prvcut_error *err)
{
    const struct prvcut_consumer *consumer = s->base.consumer;
    enum prvcut_status st;

    prv_trace_plan(s->trace, &s->plan);
    s->plan.roles = consumer->roles;
    s->plan.detail_roles = consumer->detail_roles;
    s->plan.head_roles = consumer->head_roles;
    s->plan.detail = consumer->detail;
    s->plan.states = consumer->states;
    s->plan.messages = consumer->messages;
    s->plan.again = s->base.windowed;
    s->plan.followed = s->base.windowed || s->trace->index.complete;
    if (s->plan.followed)
        s->plan.regions = 0;
    s->plan.seen = s->trace->base.roles_given ? &s->trace->seen : NULL;
    st = prv_trace_blocks(s->trace, &s->blocks, err);
    if (st < 0)
        return st;
    s->parser = prvcut_zeroed(s->base.workers, sizeof *s->parser, "workers", err);
    if (!s->parser)
        return PRVCUT_ENOMEM;
    for (unsigned i = 0; i < s->base.workers && st == PRVCUT_OK; i++)
        st = prv_parser_init(&s->parser[i], &s->plan, consumer, i, err);
    return st;
}

static enum prvcut_status scan_prv_run(struct scan *s, struct prvcut_error *err)
{
    const enum prvcut_status st = scan_init(s, err);

    if (st == PRVCUT_OK && s->base.windowed)
        s->base.wanted = scan_wanted(s);
    return st == PRVCUT_OK ? prvcut_scan_run(&s->base, err) : st;
}

enum prvcut_status prv_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                            const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                            struct prvcut_error *err)
{
    struct prv_trace *trace = (struct prv_trace *)t;
    struct scan s = { .base = { .trace = t, .parts = &blocks, .run = run, .consumer = consumer },
                      .trace = trace };
    struct prv_parse_plan plan;
    enum prvcut_status st = PRVCUT_OK;

    prvcut_scan_init(&s.base, UINT_MAX);
    prv_trace_plan(trace, &plan);
    prvcut_source_watch(trace->source, run->stop, run->ctx);
    if (!trace->index.complete) {
        prv_index_fini(&trace->index);
        st = prv_index_init(&trace->index, t->objects.threads, plan.regions, err);
    }
    s.base.counts.lines = trace->header.lines;
    s.base.counts.bytes = trace->header.text_count;
    memcpy(s.base.counts.bent, trace->header.bent, sizeof s.base.counts.bent);
    if (st == PRVCUT_OK)
        st = scan_prv_run(&s, err);
    if (st == PRVCUT_OK)
        trace->index.complete = trace->seen.complete = true;
    memcpy(t->bent, s.base.counts.bent, sizeof t->bent);
    trace->unsorted = s.base.counts.unsorted;
    trace->no_last_newline = s.base.counts.no_last_newline;
    prvcut_scan_counts(&s.base, counts);
    scan_prv_fini(&s);
    return st;
}

enum prvcut_status prv_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                   uint64_t from, uint64_t to,
                                   const struct prvcut_consumer *consumer, struct prvcut_error *err)
{
    struct scan s = { .base = { .trace = t,
                                .parts = &blocks,
                                .run = run,
                                .consumer = consumer,
                                .windowed = true,
                                .from = from,
                                .to = to },
                      .trace = (struct prv_trace *)t };
    enum prvcut_status st;

    prvcut_scan_init(&s.base, UINT_MAX);
    st = scan_prv_run(&s, err);
    scan_prv_fini(&s);
    return st;
}
