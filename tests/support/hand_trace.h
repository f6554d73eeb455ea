#ifndef TESTS_SUPPORT_HAND_TRACE_H
#define TESTS_SUPPORT_HAND_TRACE_H

#include "model/calls.h"
#include "model/trace.h"
#include "model/writer.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trace made by hand, read in parts and in any order. */

enum { MOST = 64 };

/** Records of one part. */
struct part {
    struct prvcut_state state[MOST];
    struct prvcut_event event[MOST];
    struct prvcut_message message[MOST];
    struct prvcut_half half[MOST];
    size_t states, events, messages, halves;
};

struct hand_trace {
    struct prvcut_trace base;
    struct part *part;
    unsigned parts;
    bool backwards; /* decode the last part first */
};

static void deliver_part(const struct prvcut_consumer *c, unsigned worker, struct part *p,
                         unsigned number, void **state)
{
    struct prvcut_error err = { 0 };
    const struct prvcut_batch first = { .state = p->state,
                                        .event = p->event,
                                        .states = c->states ? p->states : 0,
                                        .events = p->events };
    const struct prvcut_batch second = { .message = p->message,
                                         .half = p->half,
                                         .messages = c->messages ? p->messages : 0,
                                         .halves = c->messages ? p->halves : 0 };

    ck_assert_int_eq(c->begin(c->ctx, worker, number, state, &err), PRVCUT_OK);
    ck_assert_int_eq(c->batch(c->ctx, worker, *state, &first, &err), PRVCUT_OK);
    ck_assert_int_eq(c->batch(c->ctx, worker, *state, &second, &err), PRVCUT_OK);
}

static enum prvcut_status hand_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                                    const struct prvcut_consumer *c, struct prvcut_counts *counts,
                                    struct prvcut_error *err)
{
    struct hand_trace *h = (struct hand_trace *)t;
    const unsigned workers = run->threads > 1 ? 2 : 1;
    void *state[8] = { NULL };

    (void)counts;
    for (unsigned i = 0; i < h->parts; i++) {
        const unsigned p = h->backwards ? h->parts - 1 - i : i;

        deliver_part(c, i % workers, &h->part[p], p, &state[p]);
    }
    for (unsigned i = 0; i < h->parts; i++) {
        ck_assert_int_eq(c->join(c->ctx, state[i], err), PRVCUT_OK);
        c->discard(c->ctx, state[i]);
    }
    return PRVCUT_OK;
}

static enum prvcut_status hand_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                        struct prvcut_error *err)
{
    *out = (struct prvcut_dictionary){ 0 };
    out->thread = prvcut_dictionary_room(out, t->objects.threads * sizeof *out->thread, err);
    out->task = prvcut_dictionary_room(out, t->objects.tasks * sizeof *out->task, err);
    ck_assert(out->thread && out->task);
    for (uint32_t i = 0; i < t->objects.threads; i++) {
        char name[32];

        snprintf(name, sizeof name, "thread%" PRIu32, i);
        out->thread[i] = prvcut_dictionary_text(out, name, err);
        snprintf(name, sizeof name, "task%" PRIu32, t->objects.thread_task[i]);
        out->task[t->objects.thread_task[i]] = prvcut_dictionary_text(out, name, err);
    }
    return PRVCUT_OK;
}

/* 2 applications: tasks 0, 1 and task 2; task 1 has two threads; communicators of all and of 1. */
static uint32_t first_task[] = { 0, 2, 3 }, first_thread[] = { 0, 1, 3, 4 },
                task_node[] = { 0, 0, 1 }, cpus[] = { 2, 2 }, thread_task[] = { 0, 1, 1, 2 },
                member[] = { 0, 1, 1, 2 };
static struct prvcut_communicator communicator[] = {
    { .application = 0, .id = 7, .first = 0, .count = 2 },
    { .application = 0, .id = 8, .first = 2, .count = 1 },
    { .application = 1, .id = 7, .first = 3, .count = 1 },
};

static const struct prvcut_format hand_format = { .name = "hand", .title = "Hand" };
static const struct prvcut_format halves_format = { .name = "halves", .title = "Halves" };

static const struct prvcut_reader hand_reader = { .format = &hand_format,
                                                  .scan = hand_scan,
                                                  .describe = hand_describe };
static const struct prvcut_reader halves_reader = { .format = &halves_format,
                                                    .halves = true,
                                                    .by_thread = true,
                                                    .calls_nest = true,
                                                    .scan = hand_scan,
                                                    .describe = hand_describe };

static struct hand_trace hand(const struct prvcut_reader *reader, struct part *part, unsigned parts)
{
    return (struct hand_trace){
        .base = { .reader = reader,
                  .path = (char *)(uintptr_t) "/no/such/trace",
                  .objects = { .applications = 2,
                               .tasks = 3,
                               .threads = 4,
                               .nodes = 2,
                               .cpus = 4,
                               .application_first_task = first_task,
                               .task_first_thread = first_thread,
                               .task_node = task_node,
                               .node_cpus = cpus,
                               .thread_task = thread_task,
                               .communicator = communicator,
                               .communicators = 3,
                               .member = member,
                               .members = 4 },
                  .end_ns = 1000,
                  .end_told = true,
                  .wall_clock = INT64_MIN },
        .part = part,
        .parts = parts,
    };
}

static inline void print_item(FILE *f, const struct prvcut_item *i)
{
    switch ((enum prvcut_item_kind)i->kind) {
    case PRVCUT_ITEM_STATE:
        fprintf(f, "%" PRIu32 " %" PRIu64 "-%" PRIu64 " state %" PRIu32 "%s\n", i->thread, i->time,
                i->state.end, i->state.number, i->state.running ? " running" : "");
        break;
    case PRVCUT_ITEM_EVENT:
        fprintf(f, "%" PRIu32 " %" PRIu64 " %s%" PRIu32 "=%" PRId64 "\n", i->thread, i->time,
                i->head ? "" : "+", i->event.type, i->event.value);
        break;
    case PRVCUT_ITEM_SEND:
    case PRVCUT_ITEM_RECEIVE:
        fprintf(f, "%" PRIu32 " %" PRIu64 " %s %" PRId32 " other %" PRIu64 " tag %" PRId64 "\n",
                i->thread, i->time, i->kind == PRVCUT_ITEM_SEND ? "send to" : "receive from",
                (int32_t)i->half.peer, i->half.other, i->half.tag);
        break;
    case PRVCUT_ITEM_MESSAGE:
        fprintf(f,
                "%" PRIu32 " %" PRIu64 ",%" PRIu64 " to %" PRIu32 " %" PRIu64 ",%" PRIu64
                " size %" PRIu64 "\n",
                i->thread, i->time, i->message.physical_send, i->message.receiver,
                i->message.logical_receive, i->message.physical_receive, i->message.size);
        break;
    }
}

#define EVENT(at, who, what, is, as)                                                               \
    {                                                                                              \
        .time = (at), .value = (is), .type = (what), .thread = (who), .role = (as), .head = 1      \
    }
#define P2P(at, who, is) EVENT(at, who, 50, is, PRVCUT_ROLE_P2P)
#define HALF(at, who, other, label, com, got)                                                      \
    {                                                                                              \
        .time = (at), .size = (at), .tag = (label), .thread = (who), .peer = (other),              \
        .communicator = (com), .receive = (got)                                                    \
    }

#endif
