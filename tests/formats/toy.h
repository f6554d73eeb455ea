#ifndef TESTS_FORMATS_TOY_H
#define TESTS_FORMATS_TOY_H

/* A format of its own, added as CONTRIBUTING.md says ("Add a format"): all that it takes is here. A
   program that includes this reads, cuts and writes toys, beside Paraver traces, and no others.
   What is written of toys, cut or converted, is in toy_written.h. */

#include "base/memory.h"
#include "model/formats.h"
#include "scan/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "toy THREADS END" and lines "THREAD BEGIN END CALL", thread by thread, each in order of time. */

enum { EXCHANGE_TYPE = 1, CALLS = 3, THREADS_MOST = 1000 };

static const char *const call_names[CALLS] = { "halo", "solve", "norm" };

struct toy_call {
    struct prvcut_span span;
    uint32_t thread;
    int call; /* 1-based */
};

struct toy_trace {
    struct prvcut_trace base;
    struct toy_call *call;
    size_t calls, room;
    size_t first[THREADS_MOST + 1]; /* a thread's first call */
};

/* --- Open ------------------------------------------------------------------------------------- */

static int toy_probe(const char *head, size_t count)
{
    return count >= 4 && memcmp(head, "toy ", 4) == 0 ? 32 : 0;
}

static void toy_close(struct prvcut_trace *trace)
{
    prvcut_objects_fini(&trace->objects);
    free(trace->type);
    free(trace->path);
    free(((struct toy_trace *)trace)->call);
    free(trace);
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
    o->application_first_task[1] = o->task_first_thread[threads] = threads;
    for (uint32_t i = 0; i < threads; i++) {
        o->task_first_thread[i] = o->thread_task[i] = i;
        o->task_node[i] = UINT32_MAX;
    }
    return PRVCUT_OK;
}

static int toy_number(const char *name)
{
    int i = CALLS;

    while (i > 0 && strcmp(name, call_names[i - 1]) != 0)
        i--;
    return i;
}

static enum prvcut_status toy_parse(struct toy_trace *t, const char *text, struct prvcut_error *err)
{
    unsigned threads = 0, thread = 0, line = 1;

    if (sscanf(text, "toy %u %" SCNu64, &threads, &t->base.end_ns) != 2 || threads == 0 ||
        threads > THREADS_MOST)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s:1: 'toy THREADS END' is wanted", t->base.path);
    while ((text = strchr(text, '\n')) && *++text) {
        struct toy_call c;
        char name[16];

        if (prvcut_grow((void **)&t->call, &t->room, t->calls + 1, sizeof c, err) < 0)
            return PRVCUT_ENOMEM;
        line++;
        if (sscanf(text, "%u %" SCNu64 " %" SCNu64 " %15s", &c.thread, &c.span.start, &c.span.end,
                   name) != 4 ||
            c.thread - 1 >= threads || c.thread < thread || !(c.call = toy_number(name)))
            return prvcut_fail(err, PRVCUT_EFORMAT, "%s:%u: '%.20s' is no call", t->base.path, line,
                               text);
        for (; thread < c.thread; thread++)
            t->first[thread] = t->calls;
        c.thread--;
        t->call[t->calls++] = c;
    }
    for (; thread <= threads; thread++)
        t->first[thread] = t->calls;
    return toy_objects(&t->base.objects, threads, err);
}

static enum prvcut_status toy_read(struct toy_trace *t, struct prvcut_source *source,
                                   struct prvcut_error *err)
{
    const size_t size = (size_t)prvcut_source_size(source);
    char *text = prvcut_zeroed(size + 1, 1, "a text", err);
    size_t got = 0;
    enum prvcut_status st = PRVCUT_ENOMEM;

    t->base.path = prvcut_copied_text(prvcut_source_path(source), "a path", err);
    t->base.type = prvcut_zeroed(1, sizeof *t->base.type, "a type", err);
    if (text && t->base.path && t->base.type)
        st = prvcut_source_read(source, text, size, &got, err);
    if (st >= 0) {
        t->base.bytes = size;
        t->base.types = 1;
        t->base.type[0] = (struct prvcut_label){ EXCHANGE_TYPE, PRVCUT_ROLE_P2P, true, "Exchange" };
        st = toy_parse(t, text, err);
    }
    free(text);
    return st;
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
        t->base.end_told = true;
        st = toy_read(t, source, err);
        if (st == PRVCUT_OK)
            *out = &t->base;
        else
            toy_close(&t->base);
    }
    prvcut_source_close(source);
    return st;
}

/* --- Scan: a part is a thread, a batch a call ---------------------------------------------------
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

static enum prvcut_status toy_decode(struct prvcut_scan *base, unsigned worker,
                                     struct prvcut_part *p, struct prvcut_error *err)
{
    const struct toy_trace *t = (const struct toy_trace *)base->trace;
    const struct prvcut_consumer *c = base->consumer;
    const bool wanted = c->batch && (c->roles & PRVCUT_ROLE_BIT(PRVCUT_ROLE_P2P));
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = t->first[p->number]; i < t->first[p->number + 1] && st == PRVCUT_OK; i++) {
        const struct toy_call *k = &t->call[i];
        struct prvcut_event e[2] = { { .time = k->span.start, .value = k->call },
                                     { .time = k->span.end } };

        for (int end = 0; end < 2; end++) {
            e[end].type = EXCHANGE_TYPE;
            e[end].thread = k->thread & 0xffffff;
            e[end].role = PRVCUT_ROLE_P2P;
            e[end].head = 1;
        }
        p->counts.events += 2;
        p->counts.pairs += 2;
        p->counts.lines++;
        p->counts.first_ns = e[0].time < p->counts.first_ns ? e[0].time : p->counts.first_ns;
        p->counts.last_ns = e[1].time > p->counts.last_ns ? e[1].time : p->counts.last_ns;
        if (wanted)
            st = c->batch(c->ctx, worker, p->state,
                          &(struct prvcut_batch){ .event = e, .events = 2 }, err);
    }
    return st;
}

static const struct prvcut_parts toy_parts = {
    .room = sizeof(struct prvcut_part), .what = "a thread", .next = toy_next, .decode = toy_decode
};

static enum prvcut_status toy_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                                   const struct prvcut_consumer *consumer,
                                   struct prvcut_counts *counts, struct prvcut_error *err)
{
    struct toy_scan s = { .base = { t, &toy_parts, .run = run, .consumer = consumer } };
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
    out->type[0] =
        (struct prvcut_type_name){ EXCHANGE_TYPE,           PRVCUT_ROLE_P2P, .region = true,
                                   .text = t->type[0].text, .group = "toy",  .unit = "",
                                   .value = value,          .values = CALLS };
    return PRVCUT_OK;
}

#include "tests/formats/toy_written.h"

/* --- The format --------------------------------------------------------------------------------
 */

static const struct prvcut_format toy_format = { .name = "toy",
                                                 .title = "Toy",
                                                 .what = "a toy",
                                                 .suffix = ".toy",
                                                 .known_by = "a toy starts with 'toy '" };

static const struct prvcut_reader toy_reader = { .format = &toy_format,
                                                 .summary = "calls by hand",
                                                 .by_thread = true,
                                                 .calls_nest = true,
                                                 .probe = toy_probe,
                                                 .open = toy_open,
                                                 .scan = toy_scan,
                                                 .scan_window = toy_scan_window,
                                                 .cut = toy_cut,
                                                 .describe = toy_describe,
                                                 .close = toy_close };

static const struct prvcut_writer toy_writer = { .format = &toy_format,
                                                 .summary = "calls by hand",
                                                 .carries = PRVCUT_CARRY_BIT(PRVCUT_CARRY_REGIONS),
                                                 .order = PRVCUT_BY_THREAD,
                                                 .open = toy_create,
                                                 .put = toy_take,
                                                 .commit = toy_commit,
                                                 .abandon = toy_abandon };

/* In place of formats/registry.c. */
const struct prvcut_format *const prvcut_formats[] = { &toy_format, &prvcut_paraver_format, NULL };
const struct prvcut_reader *const prvcut_readers[] = { &toy_reader, &prvcut_paraver_reader, NULL };
const struct prvcut_writer *const prvcut_writers[] = { &toy_writer, &prvcut_paraver_writer, NULL };
const char *const prvcut_left_out[] = { NULL };

#endif
