#include "otf/cut.h"

#include "base/memory.h"
#include "match/lone.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUT_SHORT "the file was cut short or never finished: copy or write it again"
#define REWRITE   "write the trace again with the tool that made it, or drop the line"
#define LENIENT   "--lenient skips such records and counts them"

/* What is found besides the streams' faults. */
enum other {
    DEFINITION_DAMAGED = OTF_FAULTS,
    MESSAGE_HALF,
    MESSAGE_ONE_SIDED,
    MESSAGE_COMMUNICATOR,
    CLOCKS,
    BEYOND_RANGE,
    KINDS
};

/* Habits: what EZTrace does, whatever it traces. */
static const struct prvcut_finding_kind kinds[KINDS] = {
    [OTF_FAULT_MISSING] = { "stream-missing", "a stream that the master file names has no file",
                            "put it beside the others; --lenient goes on without", ".otf",
                            .damage = true },
    [OTF_FAULT_PACKED] = { "stream-packed", "a packed stream is damaged", CUT_SHORT, ".events",
                           .damage = true },
    [OTF_FAULT_CUT_SHORT] = { "last-line", "the last line has no line end: it may be cut short",
                              CUT_SHORT, ".events", .damage = true },
    [OTF_FAULT_RECORD] = { "unknown-record", "line that is no record", LENIENT, ".events",
                           .damage = true },
    [OTF_FAULT_NUMBER] = { "number-range", "number that its field cannot hold", LENIENT, ".events",
                           .damage = true },
    [OTF_FAULT_ORDER] = { "order", "time that goes back", LENIENT, ".events", .damage = true },
    [OTF_FAULT_NO_TIME] = { "no-time", "record before the first time or process", LENIENT,
                            ".events", .damage = true },
    [OTF_FAULT_PROCESS] = { "process", "record of a process that is not one of the stream's",
                            "correct the master file; --lenient skips such records", ".events",
                            .damage = true },
    [OTF_FAULT_FUNCTION] = { "function-undefined", "function that no definition names",
                             "definitions were lost; --lenient shows a function without name",
                             ".events", .damage = true },
    [OTF_FAULT_COUNTER] = { "counter-undefined", "counter that no definition names",
                            "definitions were lost; --lenient skips it", ".events",
                            .damage = true },
    [OTF_FAULT_LEAVE] = { "leave", "function that is left, but was not entered",
                          "the trace begins inside it, or records were lost; --lenient skips it",
                          ".events", .damage = true },
    [OTF_FAULT_OVERLAP] = { "overlap", "function that is left while one inside it goes on",
                            "harmless: EZTrace's own functions do this at the end of a run",
                            ".events", .damage = false, .habit = true },
    [OTF_FAULT_EMPTY] = { "stream-empty", "a stream that the master file names holds no record",
                          CUT_SHORT, ".events", .damage = true },
    [OTF_FAULT_UNFINISHED] = { "unfinished", "process that ends inside a function, or does not end",
                               "the run was killed, or the file was cut short: copy it again; "
                               "--lenient reads what is there",
                               ".events", .damage = true },
    [DEFINITION_DAMAGED] = { "definition", "definition that cannot be understood", REWRITE, ".def",
                             .damage = true },
    [MESSAGE_HALF] = { "message-half", "message with only one end in the trace",
                       "records were lost, or the trace is a piece of one", ".events",
                       .damage = false },
    [MESSAGE_ONE_SIDED] = { "message-one-sided",
                            "message between processes of which only one kind of end is recorded",
                            "harmless: EZTrace does not record how a C program's waits end",
                            ".events", .damage = false, .habit = true,
                            .effect = "messages with only one end: arrows will be missing" },
    [MESSAGE_COMMUNICATOR] = { "message-communicator",
                               "the two ends of messages name different communicators",
                               "harmless: messages are matched without them", ".events",
                               .damage = false, .habit = true },
    [CLOCKS] = { "clocks", "the processes' clocks differ",
                 "harmless: they are brought together; --raw-clocks leaves them", ".events",
                 .damage = false, .habit = true },
    [BEYOND_RANGE] = { "time-range", "records outside the time range that the definitions give",
                       "harmless: the times of the records are used", ".def", .damage = false,
                       .habit = true },
};

struct check {
    struct otf_trace *trace;
    const struct prvcut_run *run;
    struct prvcut_finding found[KINDS];
    const struct otf_stream *first[KINDS]; /* whose lines are listed */
    struct prvcut_lone lone;               /* messages with one end */
    uint64_t done;
};

static void check_find(struct check *c, unsigned kind, uint64_t count, uint64_t line,
                       const char *text)
{
    struct prvcut_finding *f = &c->found[kind];

    if (count == 0)
        return;
    if (f->count == 0)
        prvcut_quote(f->example, sizeof f->example, text, strlen(text));
    f->count += count;
    if (line > 0 && f->lines < PRVCUT_FINDING_LINES &&
        (f->lines == 0 || f->line[f->lines - 1] < line))
        f->line[f->lines++] = line;
}

static enum prvcut_status check_note(void *ctx, enum otf_fault fault, const struct otf_stream *s,
                                     uint64_t line, const char *text, struct prvcut_error *err)
{
    struct check *c = ctx;
    char example[700];

    (void)err;
    if (!c->first[fault])
        c->first[fault] = s;
    snprintf(example, sizeof example, "%.160s:%" PRIu64 ": %s", s->path ? s->path : "", line, text);
    check_find(c, fault, 1, c->first[fault] == s ? line : 0, s->path && line > 0 ? example : text);
    return PRVCUT_OK;
}

static enum prvcut_status check_pause(void *ctx, uint64_t bytes, struct prvcut_error *err)
{
    struct check *c = ctx;

    c->done += bytes;
    if (c->run->progress)
        c->run->progress(c->run->ctx, PRVCUT_PHASE_CHECKING, c->done, c->trace->base.bytes);
    if (c->run->stop && c->run->stop(c->run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    return PRVCUT_OK;
}

static enum prvcut_status check_take_batch(void *ctx, unsigned worker, void *part,
                                           const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct check *c = ctx;

    (void)worker, (void)part;
    for (size_t i = 0; i < b->halves; i++)
        if (prvcut_lone_note(&c->lone, &b->half[i], 1, err) < 0)
            return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

static void check_find_messages(struct check *c)
{
    uint64_t half = 0, alone = 0;
    size_t count;
    const struct prvcut_lone_channel *at = prvcut_lone_channels(&c->lone, &count);
    bool sends;

    for (size_t i = 0; i < count; i++)
        *(at[i].sends == 0 || at[i].receives == 0 ? &alone : &half) +=
            prvcut_lone_ends(&at[i], &sends);
    check_find(c, MESSAGE_HALF, half, 0, "some sends have no receive, or the other way round");
    check_find(c, MESSAGE_ONE_SIDED, alone, 0, "sends without any receive, or the other way round");
    if (c->trace->any_comm)
        check_find(c, MESSAGE_COMMUNICATOR, 1, 0, "the receives' communicator is another one");
}

static void check_find_definitions(struct check *c)
{
    const struct otf_trace *t = c->trace;
    const struct prvcut_clocks *k = &t->base.clocks;
    char text[200];

    snprintf(text, sizeof text, "first at line %" PRIu64, t->first_damaged);
    check_find(c, DEFINITION_DAMAGED, t->damaged_definitions, t->first_damaged, text);
    snprintf(text, sizeof text, "by up to %" PRId64 "ns, as %s tell", k->most - k->least,
             prvcut_clock_source_text(k->source));
    check_find(c, CLOCKS, k->skewed, 0, text);
    for (uint32_t i = 0; i < t->streams && t->range_max > 0; i++) {
        const struct otf_stream *s = &t->stream[i];

        if (s->empty)
            continue;
        snprintf(text, sizeof text, "stream %" PRIx32, s->id);
        check_find(c, BEYOND_RANGE, s->first < t->range_min || s->last > t->range_max, 0, text);
    }
}

static void check_add_counts(struct prvcut_findings *out, const struct otf_counts *n)
{
    out->states += n->base.states;
    out->events += n->base.events;
    out->pairs += n->base.pairs;
    out->comments += n->base.comments;
    out->lines += n->base.lines;
    out->bytes += n->base.bytes;
    if (n->base.last_ns > out->last_ns)
        out->last_ns = n->base.last_ns;
}

static enum prvcut_status check_streams(struct check *c, struct prvcut_findings *out,
                                        struct prvcut_error *err)
{
    const struct prvcut_consumer consumer = { .messages = true,
                                              .ctx = c,
                                              .batch = check_take_batch };
    const struct otf_sink sink = { c, check_note };
    struct otf_walk w = { .trace = c->trace,
                          .consumer = &consumer,
                          .sink = &sink,
                          .pause = check_pause,
                          .pause_ctx = c };
    uint64_t sends = 0, receives = 0;
    enum prvcut_status st = otf_walk_init(&w, err);

    for (uint32_t i = 0; i < c->trace->streams && st == PRVCUT_OK; i++) {
        st = otf_walk_stream(&w, &c->trace->stream[i], err);
        check_add_counts(out, &w.counts);
        sends += w.counts.sends;
        receives += w.counts.receives;
    }
    out->messages = sends > receives ? sends : receives;
    otf_walk_fini(&w);
    return st;
}

static const char *check_tracer_of(const struct otf_trace *t)
{
    const char *tracer = NULL;

    for (size_t i = 0; i < t->names.regions && !tracer; i++)
        tracer = prvcut_tracer_of_function(t->names.region[i].name);
    return tracer;
}

static enum prvcut_status check_list(struct prvcut_findings *out, const struct check *c,
                                     struct prvcut_error *err)
{
    out->at = prvcut_zeroed(KINDS, sizeof *out->at, "findings", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    out->room = KINDS;
    for (unsigned i = 0; i < KINDS; i++) {
        struct prvcut_finding *f = &out->at[out->count];

        if (c->found[i].count == 0 || !kinds[i].name)
            continue;
        *f = c->found[i];
        prvcut_finding_is(f, &kinds[i], out->tracer && strcmp(out->tracer, "EZTrace") == 0);
        out->damaged = out->damaged || f->damage;
        out->count++;
    }
    return PRVCUT_OK;
}

enum prvcut_status otf_check(struct prvcut_findings *out, struct prvcut_source *source,
                             const struct prvcut_open_options *options,
                             const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_open_options o = options ? *options : (struct prvcut_open_options){ 0 };
    struct check *c = prvcut_zeroed(1, sizeof *c, "a check", err);
    enum prvcut_status st = PRVCUT_OK;

    o.lenient = true;
    if (!c)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = otf_open_path(&c->trace, prvcut_source_path(source), &o, err);
    prvcut_source_close(source);
    if (st == PRVCUT_OK) {
        c->run = run;
        c->lone = prvcut_lone_none(&c->trace->base.objects, 0);
        check_find_definitions(c);
        st = check_streams(c, out, err);
    }
    if (st == PRVCUT_OK) {
        check_find_messages(c);
        out->tracer = check_tracer_of(c->trace);
        st = check_list(out, c, err);
    }
    if (c) {
        prvcut_lone_fini(&c->lone);
        otf_close(c->trace ? &c->trace->base : NULL);
    }
    free(c);
    return st;
}
