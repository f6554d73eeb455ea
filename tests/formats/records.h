#ifndef TESTS_FORMATS_RECORDS_H
#define TESTS_FORMATS_RECORDS_H

#include "model/trace.h"
#include "prvcut/trace.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_STATES, RECORD_EVENTS, RECORD_MESSAGES, RECORD_KINDS };

/* Records of one kind as lines of text. */
struct record_text {
    char *at;
    size_t count;
};

/* What a scan delivered: how it was split into batches and parts does not show. */
struct records {
    enum prvcut_status status;
    struct prvcut_error err;
    struct prvcut_counts counts;
    struct record_text kind[RECORD_KINDS];
};

/* How to scan; zeroed is all records with as many workers as there are processors. */
struct records_how {
    int threads;
    bool lenient;
    uint32_t without; /* roles that are not asked for */
};

struct record_part {
    FILE *file[RECORD_KINDS];
    struct record_text kind[RECORD_KINDS];
};

static inline enum prvcut_status records_begin(void *ctx, unsigned worker, uint64_t part,
                                               void **state, struct prvcut_error *err)
{
    struct record_part *p = calloc(1, sizeof *p);

    (void)ctx, (void)worker, (void)part, (void)err;
    ck_assert_ptr_nonnull(p);
    for (int k = 0; k < RECORD_KINDS; k++) {
        p->file[k] = open_memstream(&p->kind[k].at, &p->kind[k].count);
        ck_assert_ptr_nonnull(p->file[k]);
    }
    *state = p;
    return PRVCUT_OK;
}

static inline enum prvcut_status records_batch(void *ctx, unsigned worker, void *state,
                                               const struct prvcut_batch *b,
                                               struct prvcut_error *err)
{
    struct record_part *p = state;

    (void)ctx, (void)worker, (void)err;
    for (size_t i = 0; i < b->states; i++) {
        const struct prvcut_state *s = &b->state[i];

        fprintf(p->file[RECORD_STATES], "%u %" PRIu64 "-%" PRIu64 " %u%s\n", s->thread, s->begin,
                s->end, s->number, s->running ? " running" : "");
    }
    for (size_t i = 0; i < b->events; i++) {
        const struct prvcut_event *e = &b->event[i];

        fprintf(p->file[RECORD_EVENTS], "%s%u %" PRIu64 " %u=%" PRId64 " role %u\n",
                e->head ? "" : "+ ", e->thread, e->time, e->type, e->value, e->role);
    }
    for (size_t i = 0; i < b->messages; i++) {
        const struct prvcut_message *m = &b->message[i];

        fprintf(p->file[RECORD_MESSAGES],
                "%u>%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " size %" PRIu64
                " tag %" PRId64 "\n",
                m->sender, m->receiver, m->logical_send, m->physical_send, m->logical_receive,
                m->physical_receive, m->size, m->tag);
    }
    return PRVCUT_OK;
}

static inline void records_flush(struct record_part *p)
{
    for (int k = 0; k < RECORD_KINDS; k++)
        if (p->file[k]) {
            fclose(p->file[k]);
            p->file[k] = NULL;
        }
}

static inline enum prvcut_status records_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct records *r = ctx;
    struct record_part *p = state;

    (void)err;
    records_flush(p);
    for (int k = 0; k < RECORD_KINDS; k++) {
        struct record_text *t = &r->kind[k];

        t->at = realloc(t->at, t->count + p->kind[k].count + 1);
        ck_assert_ptr_nonnull(t->at);
        memcpy(t->at + t->count, p->kind[k].at, p->kind[k].count + 1);
        t->count += p->kind[k].count;
    }
    return PRVCUT_OK;
}

static inline void records_discard(void *ctx, void *state)
{
    struct record_part *p = state;

    (void)ctx;
    records_flush(p);
    for (int k = 0; k < RECORD_KINDS; k++)
        free(p->kind[k].at);
    free(p);
}

static inline void records_scan(struct records *r, struct prvcut_trace *t,
                                const struct records_how *how)
{
    const struct prvcut_run run = { .threads = how->threads };
    const struct prvcut_consumer consumer = { .roles = ~how->without,
                                              .states = true,
                                              .messages = true,
                                              .ctx = r,
                                              .begin = records_begin,
                                              .batch = records_batch,
                                              .join = records_join,
                                              .discard = records_discard };

    r->status = t->reader->scan(t, &run, &consumer, &r->counts, &r->err);
    for (int k = 0; k < RECORD_KINDS; k++)
        if (!r->kind[k].at) {
            r->kind[k].at = calloc(1, 1);
            ck_assert_ptr_nonnull(r->kind[k].at);
        }
}

/* Open, scan, close; a failure to open is the status. */
static inline struct records records_read(const char *path, struct records_how how)
{
    const struct prvcut_open_options options = { .lenient = how.lenient };
    struct records r = { 0 };
    struct prvcut_trace *t;

    r.status = prvcut_trace_open(&t, path, &options, &r.err);
    if (r.status == PRVCUT_OK)
        records_scan(&r, t, &how);
    prvcut_trace_close(t);
    ck_assert(r.status >= 0 || (r.err.status == r.status && r.err.text[0] != '\0'));
    return r;
}

static inline void records_fini(struct records *r)
{
    for (int k = 0; k < RECORD_KINDS; k++)
        free(r->kind[k].at);
}

static inline void records_expect_same(const struct records *a, const struct records *b)
{
    ck_assert_int_eq(a->status, b->status);
    ck_assert_str_eq(a->err.text, b->err.text);
    for (int k = 0; k < RECORD_KINDS; k++) {
        ck_assert_uint_eq(a->kind[k].count, b->kind[k].count);
        ck_assert(a->kind[k].count == 0 ||
                  memcmp(a->kind[k].at, b->kind[k].at, a->kind[k].count) == 0);
    }
}

#endif
