#ifndef TESTS_FORMATS_TOY_H
#define TESTS_FORMATS_TOY_H

/* A format of its own, added as CONTRIBUTING.md says ("Add a format"): all that it takes is here. A
   program that includes this reads toys and Paraver traces, and no others. */

#include "base/memory.h"
#include "model/formats.h"
#include "scan/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "toy THREADS END" and lines "THREAD BEGIN END CALL", thread by thread, each in order of time. */

enum { EXCHANGE_TYPE = 1, CALLS = 3, BATCH = 64 };

static const char *const call_names[CALLS] = { "halo", "solve", "norm" };

struct toy_trace {
    struct prvcut_trace base;
    char *text;
    const char **first; /* [threads + 1] a thread's first line */
};

/* --- Open ------------------------------------------------------------------------------------- */

static int toy_probe(const char *head, size_t count)
{
    return count >= 4 && memcmp(head, "toy ", 4) == 0 ? 32 : 0;
}

static void toy_close(struct prvcut_trace *trace)
{
    struct toy_trace *t = (struct toy_trace *)trace;

    prvcut_objects_fini(&t->base.objects);
    free(t->base.type);
    free(t->base.path);
    free(t->first);
    free(t->text);
    free(t);
}

static enum prvcut_status toy_objects(struct prvcut_objects *o, uint32_t threads,
                                      struct prvcut_error *err)
{
    o->applications = 1;
    o->tasks = o->threads = threads;
    o->application_first_task = prvcut_zeroed(2, sizeof(uint32_t), "tasks", err);
    o->task_first_thread = prvcut_zeroed(threads + 1U, sizeof(uint32_t), "tasks", err);
    o->task_node = prvcut_zeroed(threads, sizeof(uint32_t), "tasks", err);
    o->thread_task = prvcut_zeroed(threads, sizeof(uint32_t), "tasks", err);
    if (!o->application_first_task || !o->task_first_thread || !o->task_node || !o->thread_task)
        return PRVCUT_ENOMEM;
    o->application_first_task[1] = threads;
    for (uint32_t i = 0; i < threads; i++) {
        o->task_first_thread[i] = o->thread_task[i] = i;
        o->task_node[i] = UINT32_MAX;
    }
    o->task_first_thread[threads] = threads;
    return PRVCUT_OK;
}

static enum prvcut_status toy_read(struct toy_trace *t, struct prvcut_source *source,
                                   struct prvcut_error *err)
{
    const size_t size = (size_t)prvcut_source_size(source);
    unsigned threads = 0, thread;
    uint64_t end = 0;
    size_t got = 0;
    enum prvcut_status st;

    t->base.path = prvcut_copied_text(prvcut_source_path(source), "a path", err);
    t->text = prvcut_zeroed(size + 1, 1, "a text", err);
    if (!t->base.path || !t->text)
        return PRVCUT_ENOMEM;
    st = prvcut_source_read(source, t->text, size, &got, err);
    if (st < 0)
        return st;
    if (sscanf(t->text, "toy %u %" SCNu64, &threads, &end) != 2 || threads == 0 || threads > 1000)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s:1: 'toy THREADS END' is wanted", t->base.path);
    t->first = prvcut_zeroed(threads + 1U, sizeof *t->first, "threads", err);
    t->base.type = prvcut_zeroed(1, sizeof *t->base.type, "a type", err);
    if (!t->first || !t->base.type || toy_objects(&t->base.objects, threads, err) < 0)
        return PRVCUT_ENOMEM;
    t->base.end_ns = end;
    t->base.end_told = true;
    t->base.bytes = size;
    t->base.types = 1;
    t->base.type[0] = (struct prvcut_label){ EXCHANGE_TYPE, PRVCUT_ROLE_P2P, true, "Exchange" };
    thread = 0;
    for (const char *line = strchr(t->text, '\n'); line && *++line; line = strchr(line, '\n'))
        while (thread < threads && thread < strtoul(line, NULL, 10))
            t->first[thread++] = line;
    while (thread <= threads)
        t->first[thread++] = t->text + size;
    return PRVCUT_OK;
}

static enum prvcut_status toy_open(struct prvcut_trace **out, struct prvcut_source *source,
                                   const struct prvcut_open_options *options,
                                   struct prvcut_error *err)
{
    struct toy_trace *t = prvcut_zeroed(1, sizeof *t, "a trace", err);
    enum prvcut_status st = PRVCUT_ENOMEM;

    (void)options;
    *out = NULL;
    if (t) {
        t->base.reader = prvcut_readers[0];
        t->base.unit_ns = 1;
        t->base.wall_clock = INT64_MIN;
        st = toy_read(t, source, err);
        if (st == PRVCUT_OK)
            *out = &t->base;
        else
            toy_close(&t->base);
    }
    prvcut_source_close(source);
    return st;
}

/* --- Scan: a part is a thread ------------------------------------------------------------------
 */

struct toy_scan {
    struct prvcut_scan base;
    uint32_t next;
};

static enum prvcut_status toy_next(struct prvcut_scan *base, struct prvcut_part *p,
                                   struct prvcut_error *err)
{
    (void)err;
    p->number = ((struct toy_scan *)base)->next++;
    return p->number < base->trace->objects.threads ? PRVCUT_OK : PRVCUT_END;
}

static int64_t toy_call(const char *name)
{
    for (int64_t i = 0; i < CALLS; i++)
        if (strncmp(name, call_names[i], strlen(call_names[i])) == 0)
            return i + 1;
    return 0;
}

static enum prvcut_status toy_deliver(struct prvcut_scan *base, unsigned worker, void *state,
                                      struct prvcut_event *event, size_t *events,
                                      struct prvcut_error *err)
{
    const struct prvcut_consumer *c = base->consumer;
    const struct prvcut_batch batch = { .event = event, .events = *events };
    const bool wanted = c->batch && (c->roles & PRVCUT_ROLE_BIT(PRVCUT_ROLE_P2P)) && *events > 0;

    *events = 0;
    return wanted ? c->batch(c->ctx, worker, state, &batch, err) : PRVCUT_OK;
}

static enum prvcut_status toy_decode(struct prvcut_scan *base, unsigned worker,
                                     struct prvcut_part *p, struct prvcut_error *err)
{
    const struct toy_trace *t = (const struct toy_trace *)base->trace;
    struct prvcut_event event[BATCH];
    size_t events = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (const char *line = t->first[p->number]; line < t->first[p->number + 1] && st == PRVCUT_OK;
         line = strchr(line, '\n') + 1) {
        unsigned thread;
        uint64_t span[2];
        char name[16];

        if (sscanf(line, "%u %" SCNu64 " %" SCNu64 " %15s\n", &thread, &span[0], &span[1], name) !=
            4)
            return prvcut_fail(err, PRVCUT_EFORMAT, "%s: '%.20s' is no call", t->base.path, line);
        for (int i = 0; i < 2; i++)
            event[events++] = (struct prvcut_event){ .time = span[i],
                                                     .value = i == 0 ? toy_call(name) : 0,
                                                     .type = EXCHANGE_TYPE,
                                                     .thread = (uint32_t)p->number & 0xffffff,
                                                     .role = PRVCUT_ROLE_P2P,
                                                     .head = 1 };
        p->counts.events += 2;
        p->counts.pairs += 2;
        p->counts.lines++;
        if (span[0] < p->counts.first_ns)
            p->counts.first_ns = span[0];
        if (span[1] > p->counts.last_ns)
            p->counts.last_ns = span[1];
        if (events == BATCH)
            st = toy_deliver(base, worker, p->state, event, &events, err);
    }
    return st < 0 ? st : toy_deliver(base, worker, p->state, event, &events, err);
}

static const struct prvcut_parts toy_parts = {
    .room = sizeof(struct prvcut_part), .what = "a thread", .next = toy_next, .decode = toy_decode
};

static enum prvcut_status toy_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                                   const struct prvcut_consumer *consumer,
                                   struct prvcut_counts *counts, struct prvcut_error *err)
{
    struct toy_scan s = { .base = {
                              .trace = t, .parts = &toy_parts, .run = run, .consumer = consumer } };
    enum prvcut_status st;

    prvcut_scan_init(&s.base, t->objects.threads);
    st = prvcut_scan_run(&s.base, err);
    prvcut_scan_counts(&s.base, counts);
    prvcut_scan_fini(&s.base);
    return st;
}

static enum prvcut_status toy_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                          uint64_t from, uint64_t to,
                                          const struct prvcut_consumer *consumer,
                                          struct prvcut_error *err)
{
    (void)from, (void)to; /* all of it can touch a window */
    return toy_scan(t, run, consumer, NULL, err);
}

/* --- Names, and the format ---------------------------------------------------------------------
 */

static enum prvcut_status toy_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                       struct prvcut_error *err)
{
    struct prvcut_value_name *value;

    *out = (struct prvcut_dictionary){ .types = 1, .running = 1 };
    out->type = prvcut_dictionary_room(out, sizeof *out->type, err);
    value = prvcut_dictionary_room(out, CALLS * sizeof *value, err);
    if (!out->type || !value)
        return PRVCUT_ENOMEM;
    for (int i = 0; i < CALLS; i++)
        value[i] = (struct prvcut_value_name){ i + 1, call_names[i], "", 0 };
    out->type[0] = (struct prvcut_type_name){ .number = EXCHANGE_TYPE,
                                              .role = PRVCUT_ROLE_P2P,
                                              .region = true,
                                              .text = t->type[0].text,
                                              .group = "toy",
                                              .unit = "",
                                              .value = value,
                                              .values = CALLS };
    return PRVCUT_OK;
}

static const struct prvcut_format toy_format = { .name = "toy",
                                                 .title = "Toy",
                                                 .what = "a toy",
                                                 .suffix = ".toy",
                                                 .known_by = "a toy starts with 'toy '" };

static const struct prvcut_reader toy_reader = { .format = &toy_format,
                                                 .summary = "calls by hand",
                                                 .by_thread = true,
                                                 .probe = toy_probe,
                                                 .open = toy_open,
                                                 .scan = toy_scan,
                                                 .scan_window = toy_scan_window,
                                                 .describe = toy_describe,
                                                 .close = toy_close };

/* In place of formats/registry.c. */
const struct prvcut_format *const prvcut_formats[] = { &toy_format, &prvcut_paraver_format, NULL };
const struct prvcut_reader *const prvcut_readers[] = { &toy_reader, &prvcut_paraver_reader, NULL };
const struct prvcut_writer *const prvcut_writers[] = { &prvcut_paraver_writer, NULL };
const char *const prvcut_left_out[] = { NULL };

#endif
