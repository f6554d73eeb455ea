#include "scan/scan_inner.h"

#include "base/buffer.h"
#include "base/exchange.h"
#include "base/kept.h"
#include "base/memory.h"
#include "base/ordered.h"
#include "model/counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/*
 * A reading that several processes (ranks) share. Each decodes a contiguous piece of the parts, all
 * at the same time. Parts are joined in the order of the input, as ever: rank 0 joins its own at
 * once, each other rank keeps what its parts leave behind, waits for what the rank before carries
 * over, joins, and hands on. The last one has what a single process would have, and tells all.
 */

/* What one rank reads. */
struct scan_piece {
    const struct prvcut_exchange *x;
    uint64_t left;             /* parts that are not taken yet */
    struct prvcut_part **kept; /* [count] in order; owned */
    size_t count, room;
    struct prvcut_error why; /* of the last of them, if that one failed */
};

bool scan_is_shared(const struct prvcut_scan *s)
{
    return !s->windowed && s->consumer->put && s->run &&
           prvcut_exchange_is_shared(s->run->exchange);
}

/* --- One rank's piece ------------------------------------------------------------------------- */

static enum prvcut_status shared_take(void *ctx, unsigned worker, void **out,
                                      struct prvcut_error *err)
{
    struct prvcut_scan *s = ctx;

    if (s->piece->left == 0)
        return PRVCUT_END;
    s->piece->left--;
    return scan_take(ctx, worker, out, err);
}

/* Kept until its turn comes, with its failure, which all before it may forestall. */
static enum prvcut_status shared_join(void *ctx, void *item, enum prvcut_status said,
                                      struct prvcut_error *err)
{
    struct prvcut_scan *s = ctx;
    struct scan_piece *c = s->piece;
    struct prvcut_part *p = item;

    if (c->x->rank == 0)
        return scan_join(ctx, item, said, err);
    if (prvcut_grow((void **)&c->kept, &c->room, c->count + 1, sizeof *c->kept, err) < 0)
        return PRVCUT_ENOMEM;
    c->kept[c->count++] = p;
    p->kept = true;
    p->said = said;
    if (said < 0)
        c->why = *err;
    else if (s->parts->shed)
        s->parts->shed(p);
    return said;
}

static void shared_drop(void *ctx, void *item)
{
    if (!((struct prvcut_part *)item)->kept)
        scan_drop(ctx, item);
}

/* What was kept is joined, as far as that goes, and all of it released. */
static enum prvcut_status shared_join_kept(struct prvcut_scan *s, enum prvcut_status st,
                                           struct prvcut_error *err)
{
    struct scan_piece *c = s->piece;

    for (size_t i = 0; i < c->count; i++) {
        struct prvcut_error why = { 0 };

        if (c->kept[i]->said < 0)
            why = c->why;
        if (st == PRVCUT_OK)
            st = scan_join(s, c->kept[i], c->kept[i]->said, &why);
        if (st < 0)
            prvcut_fail_as(err, st, &why);
        scan_drop(s, c->kept[i]);
    }
    c->count = 0;
    return st;
}

/* --- From rank to rank ------------------------------------------------------------------------ */

static enum prvcut_status shared_put(struct prvcut_scan *s, bool consumer, struct prvcut_buffer *b,
                                     struct prvcut_error *err)
{
    struct prvcut_put p = { .b = *b, .err = err };

    p.b.count = 0;
    prvcut_counts_put(&p, &s->counts);
    if (s->parts->put)
        s->parts->put(s, &p);
    if (consumer)
        s->consumer->put(s->consumer->ctx, &p);
    *b = p.b;
    return p.st;
}

static enum prvcut_status shared_get(struct prvcut_scan *s, bool consumer,
                                     const struct prvcut_buffer *b, struct prvcut_error *err)
{
    struct prvcut_get g = { b->at, b->count, false };

    prvcut_counts_get(&g, &s->counts);
    if (s->parts->get)
        s->parts->get(s, &g);
    if (consumer)
        s->consumer->get(s->consumer->ctx, &g);
    return prvcut_exchange_taken(&g, err);
}

/* own, *err: what the own piece came to, which counts only where all before it is sound. */
static enum prvcut_status shared_chain(struct prvcut_scan *s, enum prvcut_status own,
                                       struct prvcut_buffer *b, struct prvcut_error *err)
{
    const struct prvcut_exchange *x = s->piece->x;
    struct prvcut_error before = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (x->rank > 0) {
        st = prvcut_exchange_receive(x, x->rank - 1, b, &before);
        if (st == PRVCUT_OK)
            st = shared_get(s, true, b, &before);
        st = shared_join_kept(s, st, &before);
    }
    if (st < 0)
        *err = before;
    else
        st = own;
    if (st == PRVCUT_OK)
        st = shared_put(s, !prvcut_exchange_is_last(x), b, err);
    return prvcut_exchange_is_last(x) ? st : prvcut_exchange_send(x, x->rank + 1, st, b, err);
}

/* The last rank has all of it, or the first failure: so have all. */
static enum prvcut_status shared_tell(struct prvcut_scan *s, enum prvcut_status st,
                                      struct prvcut_buffer *b, struct prvcut_error *err)
{
    const struct prvcut_exchange *x = s->piece->x;
    struct prvcut_error why = { 0 };

    if (prvcut_exchange_is_last(x))
        why = *err;
    st = prvcut_exchange_spread(x, x->ranks - 1, st, b, &why);
    if (st < 0) {
        *err = why;
        return st;
    }
    if (!prvcut_exchange_is_last(x))
        st = shared_get(s, false, b, &why);
    if (s->parts->pieces) {
        struct prvcut_shares all = *s->parts->pieces;

        all.ctx = s;
        st = prvcut_exchange_sum(x, &all, st, &why);
    }
    if (st < 0)
        *err = why;
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Of what a trace has besides its main file: labels beside it, the files of an archive. */
static uint32_t shared_others(const struct prvcut_trace *t)
{
    uint32_t sum = t->files_sum;

    for (unsigned i = 0; i < t->companions; i++) {
        struct prvcut_identity id = { 0 };

        if (t->companion[i].path)
            prvcut_identify(&id, t->companion[i].path, NULL);
        sum = prvcut_identity_sum(sum, &id);
    }
    return sum;
}

enum prvcut_status prvcut_scan_meet(struct prvcut_trace *t, const struct prvcut_exchange *x,
                                    struct prvcut_error *err)
{
    struct prvcut_identity id;
    char text[1024], changed[40] = "";
    struct tm utc;
    enum prvcut_status st = prvcut_identify(&id, t->path, err);

    if (st < 0)
        return st;
    if (gmtime_r(&(time_t){ (time_t)id.seconds }, &utc))
        strftime(changed, sizeof changed, "%Y-%m-%d %H:%M:%S", &utc);
    snprintf(text, sizeof text,
             "%.800s, %" PRIu64 " bytes, changed %s.%09" PRIu32 " UTC, checksums %08" PRIx32
             " of its ends, %08" PRIx32 " of its other files (reading %" PRIu64 ")",
             prvcut_trace_told(t), t->bytes, changed, id.nanoseconds, prvcut_identity_sum(0, &id),
             shared_others(t), ++t->shared);
    return x->meet(x->ctx, text, err);
}

static enum prvcut_status shared_divide(struct prvcut_scan *s, struct prvcut_error *err)
{
    const struct prvcut_exchange *x = s->piece->x;
    uint64_t parts = 0, from;
    const char *why = "this format is read from its beginning to its end";

    if (s->parts->count)
        why = s->parts->count(s, &parts);
    if (why)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: %s, so it cannot be divided; run prvcut alone",
                           prvcut_trace_told(s->trace), why);
    /* No more parts than bytes of a file: the products fit. */
    from = parts / x->ranks * x->rank + parts % x->ranks * x->rank / x->ranks;
    s->piece->left =
        parts / x->ranks * (x->rank + 1) + parts % x->ranks * (x->rank + 1) / x->ranks - from;
    s->parts->begin(s, from);
    s->wanted = s->trace->bytes / x->ranks;
    return PRVCUT_OK;
}

enum prvcut_status scan_shared(struct prvcut_scan *s, struct prvcut_error *err)
{
    struct prvcut_error why = { 0 };
    const struct prvcut_ordered work = {
        .ctx = s, .take = shared_take, .work = scan_work, .join = shared_join, .drop = shared_drop
    };
    struct scan_piece piece = { .x = s->run->exchange };
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st;

    s->piece = &piece;
    st = shared_divide(s, &why);
    if (st == PRVCUT_OK)
        st = prvcut_scan_meet(s->trace, s->run->exchange, &why);
    if (st == PRVCUT_OK) {
        st = prvcut_ordered_run(&work, s->workers, &why);
        st = shared_chain(s, st, &b, &why);
        st = shared_tell(s, st, &b, &why);
    }
    free(piece.kept);
    prvcut_buffer_fini(&b);
    s->piece = NULL;
    return st < 0 ? prvcut_fail_as(err, st, &why) : st;
}
