/*
 * Cuts by the rules of Paraver's own cutter, record for record, for whoever has its configurations.
 *
 * The window is closed: from <= t <= to.
 *
 * States    stay if they end after `from` and begin by `to`; one that begins at `to` stays with no
 *           length. break_states clips them. remove_first_states drops those that begin before
 * `from`, remove_last_states those that begin before `to` and end after it, and then whatever the
 *           thread does inside that state. One across the whole window is dropped by either.
 * Events    stay inside the window; with keep_events also those in kept states that cross a border.
 *           With remove_first_states not before the thread's first kept state. The first value of
 * each counter (types 42000000 to 49999999 of the .pcf) on each thread is 0. Messages  stay if both
 * sends and both receives are inside, on the sides where Paraver looks: logical times not before
 * `from`, physical ones not after `to`. Else they go, whatever becomes of the calls. Zeros     at
 * the end every thread closes what it opened (types with values in the .pcf, or that it does not
 * list), latest first, then its counters; at `to`, or where the last record ends if that is later
 * or remove_last_states is given. Times     are moved back by the first one that is kept, or stay
 * with original_time, which does without break_states; break_states does without keep_events.
 *
 * What differs on purpose, because it harms nobody who relies on the above:
 *
 * - A value below 0 opens its type like any other; Paraver's cutter does not end on one.
 * - Sizes and tags are copied as they stand; they do not wrap at 2^32. A record's fields come from
 * the record. A damaged record is an error with its line, or skipped and counted (lenient).
 * - The whole trace is read: records that stand out of order are found, and events of other threads
 *   that keep_events keeps after the window are, too.
 * - keep_events keeps all events in the state before the window, not the first one only.
 * - A window without any record is an error.
 * - Percentages are of the exact duration and may have decimals.
 * - The duration covers the closing zeros, which Paraver's may stand behind.
 * - max_trace_size is counted in 64 bits.
 * - A thread whose last event stands before its comrades' first does not end the reading.
 * - There is no limit on tasks of the list, on open types, or on the pairs of a line.
 * - The unit of the trace stays (Paraver's writes _ns over _ms times), a .pcf in CR LF is
 * understood.
 * - There is no temporary file; the output is compressed as its name says, and whole or not there.
 */
#include "paraver/compat.h"

#include "base/ordered.h"
#include "base/room.h"
#include "paraver/compat_state.h"
#include "paraver/cut.h"
#include "paraver/cut_files.h"

#include <inttypes.h>
#include <string.h>

#define FLUSH_SIZE PRVCUT_ROOM((size_t)1 << 20)

/* A cut under way. */
struct cutting {
    struct prv_compat c;
    struct prvcut_rules rules;
    const struct prvcut_cut_options *options;
    struct prvcut_output *out; /* NULL in a dry run */
    struct prvcut_put text;    /* lines on their way out */
    struct prvcut_buffer filtered;
    struct prv_filtered done;
    uint64_t bytes, dropped_messages;
    bool writing; /* else the first reading, which only finds the times */
};

/* --- What is written ------------------------------------------------------------------------ */

static enum prvcut_status compat_put(struct cutting *w, const struct prvcut_buffer *b,
                                     struct prvcut_error *err)
{
    w->bytes += b->count;
    return w->out ? prvcut_output_write(w->out, b->at, b->count, err) : PRVCUT_OK;
}

/* Hand the lines in hand on, through the filters. */
static enum prvcut_status compat_drain(struct cutting *w, size_t keep, struct prvcut_error *err)
{
    const struct prv_text text = { .at = w->text.b.at, .end = w->text.b.at + w->text.b.count };
    enum prvcut_status st;

    if (w->text.st < 0 || w->text.b.count <= keep)
        return w->text.st;
    w->filtered.count = 0;
    if (w->options->filters == 0) {
        st = compat_put(w, &w->text.b, err);
    } else {
        st = prv_filter_text(&w->rules, &w->c.plan, &text, &w->filtered, &w->done, err);
        if (st == PRVCUT_OK)
            st = compat_put(w, &w->filtered, err);
    }
    w->text.b.count = 0;
    return st;
}

/* Where the first comment stands behind the header line, or the end. */
static const char *compat_comments_of(const struct prv_header *h)
{
    const char *end = h->text + h->text_count;
    const char *at = memchr(h->text, '\n', h->text_count);

    while (at && at + 1 < end && at[1] != '#')
        at = memchr(at + 1, '\n', (size_t)(end - at - 1));
    return at && at + 1 < end ? at + 1 : end;
}

/* The duration: of what is kept, closing zeros included. */
static void compat_put_duration(const struct cutting *w, struct prvcut_put *to)
{
    const struct prv_header *h = &w->c.trace->header;
    const char *at = h->text + h->duration_at;
    const char *unit = memchr(at, '_', h->duration_count);
    const uint64_t close = prv_compat_end(&w->c);
    const uint64_t end = w->c.last > close ? w->c.last : close;

    if (w->c.rule.original_time) {
        prvcut_put_bytes(to, at, h->duration_count);
        return;
    }
    prvcut_put_printf(to, "%" PRIu64, (end - w->c.base) / h->unit_ns);
    if (unit)
        prvcut_put_between(to, unit, at + h->duration_count);
}

/* A header alone may lack its line end. */
static void compat_put_line_end(const struct cutting *w, struct prvcut_put *to)
{
    if (to->st == PRVCUT_OK && to->b.at[to->b.count - 1] != '\n')
        prvcut_put_string(to, w->c.eol);
}

/* The newest cut's comment stands first. */
static enum prvcut_status compat_put_header(struct cutting *w, struct prvcut_error *err)
{
    const struct prv_header *h = &w->c.trace->header;
    const char *end = h->text + h->text_count, *comments = compat_comments_of(h);
    const char *rest = h->text + h->duration_at + h->duration_count;
    struct prvcut_put text = { .err = err };
    char date[16];
    enum prvcut_status st;

    prv_cut_date(date, h->text, h->text_count);
    prvcut_put_bytes(&text, h->text, h->duration_at);
    compat_put_duration(w, &text);
    prvcut_put_between(&text, rest, comments);
    compat_put_line_end(w, &text);
    prv_put_origin(&text, &(struct prv_origin){ &w->c.trace->base, date, w->c.base, w->c.from,
                                                w->c.to, w->options->command, w->c.eol });
    prvcut_put_between(&text, comments, end);
    compat_put_line_end(w, &text);
    st = text.st < 0 ? text.st : compat_put(w, &text.b, err);
    prvcut_buffer_fini(&text.b);
    return st;
}

static enum prvcut_status compat_put_zeros(struct cutting *w, struct prvcut_error *err)
{
    const uint32_t threads = w->c.trace->header.objects.threads;
    enum prvcut_status st = PRVCUT_OK;
    bool comment = false;

    for (uint32_t i = 0; i < threads && st == PRVCUT_OK; i++) {
        prv_compat_close(&w->c, &w->text, i, &comment);
        st = compat_drain(w, FLUSH_SIZE, err);
    }
    return st < 0 ? st : compat_drain(w, 0, err);
}

/* --- Reading -------------------------------------------------------------------------------- */

/* Take a line apart; PRVCUT_END: it is no record. */
static enum prvcut_status compat_take_apart(const struct prv_compat *c, struct prv_pass_line *l,
                                            struct prvcut_error *err)
{
    struct prvcut_state state;
    struct prvcut_event event;
    struct prvcut_message message;
    struct prv_fields pairs;
    enum prvcut_status st =
        prv_slow_line(&c->plan, l->at, l->end, &l->kind, &state, &event, &message, &pairs, err);

    if (st < 0)
        return st;
    if (l->kind == PRV_STATE) {
        l->thread = state.thread;
        l->time[0] = state.begin;
        l->time[1] = state.end;
    } else if (l->kind == PRV_EVENT) {
        l->thread = event.thread;
        l->time[0] = event.time;
    } else if (l->kind == PRV_MESSAGE) {
        l->thread = message.sender;
        l->partner = message.receiver;
        l->time[0] = message.logical_send;
        l->time[1] = message.physical_send;
        l->time[2] = message.logical_receive;
        l->time[3] = message.physical_receive;
    }
    return PRVCUT_OK;
}

/* Comments stay as long as Paraver's cutter would read on. */
static bool compat_is_beyond(const struct prv_compat *c, const struct prv_pass_line *l)
{
    return l->kind == PRV_STATE && l->time[0] > c->to && (!c->selected || c->selected[l->thread]);
}

static bool compat_is_half(const struct prv_compat *c, const struct prv_pass_line *l)
{
    if (l->kind != PRV_MESSAGE ||
        (c->selected && !c->selected[l->thread] && !c->selected[l->partner]))
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (l->time[i] >= c->from && l->time[i] <= c->to)
            return true;
    return false;
}

static enum prvcut_status compat_work(void *ctx, struct prv_piece *piece, struct prvcut_error *err)
{
    const struct cutting *w = ctx;
    bool beyond = false;

    for (const char *at = piece->text.at; at < piece->text.end;) {
        const char *newline = memchr(at, '\n', (size_t)(piece->text.end - at));
        struct prv_pass_line l = { .at = at, .end = newline };
        enum prvcut_status st;

        if (l.end > l.at && l.end[-1] == '\r')
            l.end--;
        at = newline + 1;
        piece->done.lines++;
        st = compat_take_apart(&w->c, &l, w->c.plan.lenient ? NULL : err);
        if (st < 0 && w->c.plan.lenient)
            continue;
        if (st < 0) {
            if (err)
                err->line = piece->done.lines;
            return st;
        }
        if (!prv_compat_candidate(&w->c, &l)) {
            piece->done.dropped_messages += compat_is_half(&w->c, &l);
            if (beyond || !compat_is_beyond(&w->c, &l))
                continue;
            beyond = true;
        }
        if (piece->lines == piece->room &&
            prvcut_grow((void **)&piece->line, &piece->room, piece->lines + 1, sizeof *piece->line,
                        err) < 0)
            return PRVCUT_ENOMEM;
        piece->line[piece->lines++] = l;
    }
    return PRVCUT_OK;
}

/* Keep or drop one line; PRVCUT_END: the size is reached. */
static enum prvcut_status compat_join_line(struct cutting *w, const struct prv_pass_line *l,
                                           struct prvcut_error *err)
{
    struct prv_compat *c = &w->c;
    enum prvcut_status st;

    if (c->lines++ == c->stop)
        return PRVCUT_END;
    if (compat_is_beyond(c, l)) {
        c->passed = true;
        return PRVCUT_OK;
    }
    if (!prv_compat_keep(c, l))
        return PRVCUT_OK;
    if (w->writing) {
        const size_t before = w->text.b.count;

        prv_compat_put(c, &w->text, l, c->base);
        c->bytes += w->text.b.count - before;
        st = compat_drain(w, FLUSH_SIZE, err);
    } else {
        if (c->limit == 0)
            return PRVCUT_OK;
        w->text.b.count = 0;
        prv_compat_put(c, &w->text, l, 0);
        c->bytes += w->text.b.count;
        st = w->text.st;
    }
    /* With times moved the size was found in the first reading. */
    if (st == PRVCUT_OK && c->limit > 0 && c->stop == UINT64_MAX && c->bytes >= c->limit) {
        c->stop = c->lines;
        return PRVCUT_END;
    }
    return st;
}

static enum prvcut_status compat_join(void *ctx, struct prv_piece *piece, struct prvcut_error *err)
{
    struct cutting *w = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < piece->lines && st == PRVCUT_OK; i++)
        st = compat_join_line(w, &piece->line[i], err);
    w->dropped_messages += piece->done.dropped_messages;
    return st;
}

static enum prvcut_status compat_nothing(const struct prv_compat *c, struct prvcut_error *err)
{
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "the window is empty: no record lies from %" PRIu64 "ns to %" PRIu64
                       "ns of a trace that ends at %" PRIu64 "ns",
                       c->from, c->to, c->trace->base.end_ns);
}

static enum prvcut_status compat_read_through(struct cutting *w, const struct prvcut_run *run,
                                              bool writing, struct prvcut_error *err)
{
    const struct prv_pass pass = { .trace = w->c.trace,
                                   .run = run,
                                   .phase = writing ? PRVCUT_PHASE_CUTTING : PRVCUT_PHASE_READING,
                                   .ctx = w,
                                   .work = compat_work,
                                   .join = compat_join };
    enum prvcut_status st;

    prv_compat_again(&w->c);
    w->c.bytes = w->c.trace->header.text_count;
    w->text.b.count = 0;
    w->dropped_messages = 0;
    w->writing = writing;
    st = prv_pass_run(&pass, err);
    return st == PRVCUT_OK && !w->c.any ? compat_nothing(&w->c, err) : st;
}

/* --- The cut -------------------------------------------------------------------------------- */

static enum prvcut_status compat_cut(struct cutting *w, const struct prvcut_run *run,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (!w->c.rule.original_time) {
        st = compat_read_through(w, run, false, err);
        w->c.base = w->c.first;
    }
    if (st == PRVCUT_OK)
        st = compat_put_header(w, err);
    if (st == PRVCUT_OK)
        st = compat_read_through(w, run, true, err);
    return st < 0 ? st : compat_put_zeros(w, err);
}

static void compat_tell(const struct cutting *w, struct prvcut_cut_summary *out)
{
    const struct prv_compat *c = &w->c;
    const bool filtered = w->options->filters > 0;

    out->window = (struct prvcut_span){ c->from, c->to };
    out->states = filtered ? w->done.states : c->states;
    out->events = filtered ? w->done.events : c->events;
    out->messages = filtered ? w->done.messages : c->messages;
    out->clipped_states = c->clipped;
    out->closed = c->closed;
    out->zeroed_counters = c->zeroed;
    out->dropped_messages = w->dropped_messages;
    out->bytes = w->bytes;
}

static enum prvcut_status compat_run_cut(struct cutting *w, const struct prvcut_run *run,
                                         struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct prv_files files = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (!w->options->dry_run)
        st = prv_files_open(&files, &w->c.trace->labels, w->options, &w->out, err);
    if (w->out)
        prvcut_output_workers(w->out, prvcut_workers(run->threads));
    if (st == PRVCUT_OK)
        st = compat_cut(w, run, err);
    compat_tell(w, out);
    if (st == PRVCUT_OK && !w->options->dry_run)
        st = prv_files_commit(&files, out, err);
    prv_files_fini(&files);
    return st;
}

enum prvcut_status prv_compat_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_cutter *cutter,
                                  const struct prvcut_cut_options *options,
                                  struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct prv_trace *trace = (struct prv_trace *)t;
    struct cutting w = { .options = options, .text = { .err = err } };
    const struct prvcut_rule_labels labels = prv_rule_labels(&trace->labels);
    struct prvcut_notes notes = { 0 };
    enum prvcut_status st = prv_compat_init(&w.c, trace, cutter, err);

    w.c.limit = options->max_bytes;
    if (st == PRVCUT_OK)
        st = prvcut_rules_init(&w.rules, options->filter, options->filters, &labels,
                               &trace->header.objects, &notes, err);
    out->note = notes.at;
    out->notes = notes.count;
    if (st == PRVCUT_OK)
        st = compat_run_cut(&w, run, out, err);
    prvcut_rules_fini(&w.rules);
    prv_compat_fini(&w.c);
    prvcut_buffer_fini(&w.text.b);
    prvcut_buffer_fini(&w.filtered);
    return st;
}
