#include "base/exchange.h"

#include "base/memory.h"

#include <string.h>

/* In front of each: a failure follows, and how many bytes. */
struct exc_head {
    uint64_t failed, bytes;
};

static void exc_put_failure(struct prvcut_put *p, enum prvcut_status st,
                            const struct prvcut_error *why)
{
    prvcut_put_u32(p, (uint32_t)-st);
    prvcut_put_u64(p, why->line);
    prvcut_put_u64(p, why->offset);
    prvcut_put_text(p, why->text);
    prvcut_put_text(p, why->instead);
}

static void exc_get_text(struct prvcut_get *g, char *out, size_t room)
{
    const char *text = prvcut_get_text(g);

    if (text && strlen(text) < room)
        memcpy(out, text, strlen(text) + 1);
}

static enum prvcut_status exc_take_failure(const struct prvcut_buffer *b, struct prvcut_error *err)
{
    struct prvcut_get g = { b->at, b->count, false };
    struct prvcut_error why = { 0 };
    const int number = -(int)prvcut_get_u32(&g);
    const enum prvcut_status st =
        number < 0 && number >= PRVCUT_ELOSS ? (enum prvcut_status)number : PRVCUT_EIO;

    why.status = st;
    why.line = prvcut_get_u64(&g);
    why.offset = prvcut_get_u64(&g);
    exc_get_text(&g, why.text, sizeof why.text);
    exc_get_text(&g, why.instead, sizeof why.instead);
    return prvcut_fail_as(err, st, &why);
}

static enum prvcut_status exc_send(const struct prvcut_exchange *x, unsigned to, bool failed,
                                   const struct prvcut_buffer *b, struct prvcut_error *err)
{
    const struct exc_head head = { failed, b->count };
    enum prvcut_status st = x->send(x->ctx, to, &head, sizeof head, err);

    if (st == PRVCUT_OK && b->count > 0)
        st = x->send(x->ctx, to, b->at, b->count, err);
    return st;
}

static enum prvcut_status exc_send_failure(const struct prvcut_exchange *x, unsigned to,
                                           enum prvcut_status st, struct prvcut_error *why)
{
    struct prvcut_put p = { .err = NULL };

    exc_put_failure(&p, st, why);
    exc_send(x, to, true, &p.b, NULL);
    prvcut_buffer_fini(&p.b);
    return st;
}

enum prvcut_status prvcut_exchange_send(const struct prvcut_exchange *x, unsigned to,
                                        enum prvcut_status st, const struct prvcut_buffer *bytes,
                                        struct prvcut_error *why)
{
    return st < 0 ? exc_send_failure(x, to, st, why) : exc_send(x, to, false, bytes, why);
}

enum prvcut_status prvcut_exchange_receive(const struct prvcut_exchange *x, unsigned from,
                                           struct prvcut_buffer *out, struct prvcut_error *err)
{
    struct exc_head head = { 0, 0 };
    enum prvcut_status st = x->receive(x->ctx, from, &head, sizeof head, err);

    out->count = 0;
    if (st == PRVCUT_OK && head.bytes > 0)
        st = prvcut_buffer_reserve(out, (size_t)head.bytes, err);
    if (st == PRVCUT_OK && head.bytes > 0)
        st = x->receive(x->ctx, from, out->at, (size_t)head.bytes, err);
    if (st < 0)
        return st;
    out->count = (size_t)head.bytes;
    return head.failed ? exc_take_failure(out, err) : PRVCUT_OK;
}

/* A tree whose root is `from`: each hands on to those half as far away as it was itself. */
enum prvcut_status prvcut_exchange_spread(const struct prvcut_exchange *x, unsigned from,
                                          enum prvcut_status st, struct prvcut_buffer *bytes,
                                          struct prvcut_error *err)
{
    const unsigned place = (x->rank + x->ranks - from) % x->ranks;
    struct prvcut_error why = { 0 };
    unsigned above = 0; /* step to the one that this one has it from is 1 << above */

    while (UINT64_C(1) << above < x->ranks && !(place >> above & 1))
        above++;
    if (place > 0)
        st = prvcut_exchange_receive(x, (place - (1u << above) + from) % x->ranks, bytes, &why);
    else if (st < 0)
        why = *err;
    for (unsigned i = above; i-- > 0;)
        if (place + (UINT64_C(1) << i) < x->ranks)
            st = prvcut_exchange_send(x, (place + (1u << i) + from) % x->ranks, st, bytes, &why);
    return st < 0 ? prvcut_fail_as(err, st, &why) : st;
}

enum prvcut_status prvcut_exchange_taken(const struct prvcut_get *in, struct prvcut_error *err)
{
    if (!in->bad && in->left == 0)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EIO,
                       "what another rank found does not fit: do all see the same files, and is "
                       "there memory?");
}

static enum prvcut_status exc_add(const struct prvcut_shares *s, const struct prvcut_buffer *b,
                                  struct prvcut_error *err)
{
    struct prvcut_get g = { b->at, b->count, false };

    s->add(s->ctx, &g);
    return prvcut_exchange_taken(&g, err);
}

static enum prvcut_status exc_put(const struct prvcut_shares *s, struct prvcut_buffer *b,
                                  struct prvcut_error *err)
{
    struct prvcut_put p = { .b = *b, .err = err };

    p.b.count = 0;
    s->put(s->ctx, &p);
    *b = p.b;
    return p.st;
}

/* Up a tree to rank 0: first from the next rank, then from the next but one, ... */
static enum prvcut_status exc_gather(const struct prvcut_exchange *x, const struct prvcut_shares *s,
                                     enum prvcut_status st, struct prvcut_buffer *b,
                                     struct prvcut_error *err)
{
    for (unsigned step = 1; step < x->ranks; step *= 2) {
        struct prvcut_error why = { 0 };
        enum prvcut_status theirs;

        if (x->rank & step) {
            if (st == PRVCUT_OK)
                st = exc_put(s, b, err);
            return prvcut_exchange_send(x, x->rank - step, st, b, err);
        }
        if (x->rank + step >= x->ranks)
            continue;
        theirs = prvcut_exchange_receive(x, x->rank + step, b, &why);
        if (st == PRVCUT_OK && theirs < 0)
            st = prvcut_fail_as(err, theirs, &why);
        if (st == PRVCUT_OK)
            st = exc_add(s, b, err);
    }
    return st;
}

enum prvcut_status prvcut_exchange_sum(const struct prvcut_exchange *x,
                                       const struct prvcut_shares *s, enum prvcut_status st,
                                       struct prvcut_error *err)
{
    struct prvcut_buffer b = { 0 };

    st = exc_gather(x, s, st, &b, err);
    if (x->rank == 0 && st == PRVCUT_OK)
        st = exc_put(s, &b, err);
    st = prvcut_exchange_spread(x, 0, st, &b, err);
    if (x->rank > 0 && st == PRVCUT_OK) {
        s->clear(s->ctx);
        st = exc_add(s, &b, err);
    }
    prvcut_buffer_fini(&b);
    return st;
}
