#ifndef TESTS_API_TALLY_H
#define TESTS_API_TALLY_H

#include "model/trace.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What a trace holds, as a count and a sum of hashes for every kind of record: the same for the
 * same records in whatever order.
 */
enum { TALLY_STATES = PRVCUT_ROLES, TALLY_MESSAGES, TALLY_SENDS, TALLY_RECEIVES, TALLY_KINDS };

struct tally {
    struct {
        uint64_t count, sum;
    } kind[TALLY_KINDS];
    bool flat; /* messages: no physical times beside those of the calls */
};

static const char *const tally_names[TALLY_KINDS] = {
    "other",        "p2p",    "collective",    "mpi other", "flush",    "tracing",      "regions",
    "instructions", "cycles", "flops",         "counters",  "callers",  "caller lines", "samples",
    "sizes",        "roots",  "communicators", "states",    "messages", "sends",        "receives",
};

static inline void tally_add(struct tally *t, unsigned kind, const uint64_t *field, size_t fields)
{
    uint64_t hash = kind + 1;

    for (size_t i = 0; i < fields; i++) {
        hash = (hash ^ field[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    t->kind[kind].count++;
    t->kind[kind].sum += hash;
}

static inline void tally_message(struct tally *t, const struct prvcut_message *m)
{
    const uint64_t complete =
        m->logical_receive > m->physical_receive ? m->logical_receive : m->physical_receive;
    const uint64_t flat[] = { m->logical_send,  complete,  m->size,
                              (uint64_t)m->tag, m->sender, m->receiver };
    const uint64_t all[] = { m->logical_send,     m->physical_send, m->logical_receive,
                             m->physical_receive, m->size,          (uint64_t)m->tag,
                             m->sender,           m->receiver };

    if (t->flat)
        tally_add(t, TALLY_MESSAGES, flat, sizeof flat / sizeof *flat);
    else
        tally_add(t, TALLY_MESSAGES, all, sizeof all / sizeof *all);
}

static inline enum prvcut_status tally_begin(void *ctx, unsigned worker, uint64_t part,
                                             void **state, struct prvcut_error *err)
{
    struct tally *t = calloc(1, sizeof *t);

    (void)worker, (void)part, (void)err;
    ck_assert_ptr_nonnull(t);
    t->flat = ((struct tally *)ctx)->flat;
    *state = t;
    return PRVCUT_OK;
}

static inline enum prvcut_status tally_batch(void *ctx, unsigned worker, void *state,
                                             const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct tally *t = state;

    (void)ctx, (void)worker, (void)err;
    for (size_t i = 0; i < b->states; i++) {
        const struct prvcut_state *s = &b->state[i];
        const uint64_t field[] = { s->thread, s->begin, s->end, s->number };

        tally_add(t, TALLY_STATES, field, 4);
    }
    for (size_t i = 0; i < b->events; i++) {
        const struct prvcut_event *e = &b->event[i];
        const uint64_t field[] = { e->thread, e->time, e->type, (uint64_t)e->value };

        tally_add(t, e->role, field, 4);
    }
    for (size_t i = 0; i < b->messages; i++)
        tally_message(t, &b->message[i]);
    for (size_t i = 0; i < b->halves; i++) {
        const struct prvcut_half *h = &b->half[i];
        const uint64_t field[] = { h->thread, h->time, h->peer, h->size, (uint64_t)h->tag };

        tally_add(t, h->receive ? TALLY_RECEIVES : TALLY_SENDS, field, 5);
    }
    return PRVCUT_OK;
}

static inline enum prvcut_status tally_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct tally *to = ctx;
    const struct tally *from = state;

    (void)err;
    for (unsigned k = 0; k < TALLY_KINDS; k++) {
        to->kind[k].count += from->kind[k].count;
        to->kind[k].sum += from->kind[k].sum;
    }
    return PRVCUT_OK;
}

static inline void tally_discard(void *ctx, void *state)
{
    (void)ctx;
    free(state);
}

/* Open, scan, close. flat: messages as formats tell them that have no physical times. */
static inline struct tally tally_read(const char *path, bool flat)
{
    const struct prvcut_run run = { .threads = 2 };
    struct tally t = { .flat = flat };
    const struct prvcut_consumer consumer = { .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1,
                                              .states = true,
                                              .messages = true,
                                              .ctx = &t,
                                              .begin = tally_begin,
                                              .batch = tally_batch,
                                              .join = tally_join,
                                              .discard = tally_discard };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;

    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(trace->reader->scan(trace, &run, &consumer, NULL, &err) == PRVCUT_OK, "%s",
                  err.text);
    prvcut_trace_close(trace);
    return t;
}

/* The same records of every kind but those in `without` (bits). */
static inline void tally_expect_same(const struct tally *a, const struct tally *b, uint32_t without,
                                     const char *what)
{
    for (unsigned k = 0; k < TALLY_KINDS; k++) {
        if (without >> k & 1)
            continue;
        ck_assert_msg(a->kind[k].count == b->kind[k].count, "%s: %" PRIu64 " %s, then %" PRIu64,
                      what, a->kind[k].count, tally_names[k], b->kind[k].count);
        ck_assert_msg(a->kind[k].sum == b->kind[k].sum, "%s: other %s", what, tally_names[k]);
    }
}

#endif
