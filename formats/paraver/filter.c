#include "paraver/filter.h"

#include "base/bytes.h"
#include "paraver/copy.h"
#include "paraver/filter_pass.h"

#include <inttypes.h>
#include <string.h>

/* --- Lines ---------------------------------------------------------------------------------- */

/* A line on its way through the rules. */
struct line {
    const char *at, *end; /* without its line end */
    const char *eol_end;
    enum prv_line_kind kind;
    struct prvcut_state state;
    struct prvcut_event event;
    struct prvcut_message message;
    struct prv_fields pairs;
};

/* How many pairs the line has, and how many of them stay. */
static uint64_t filter_count_pairs(const struct prvcut_rules *rules, const struct line *l,
                                   uint64_t *all)
{
    const bool any = prvcut_rules_keep_events(rules, l->event.thread);
    struct prv_fields rest = l->pairs;
    uint64_t kept = 0;
    uint32_t type;
    int64_t value;

    *all = 0;
    for (; prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK; ++*all)
        kept += any && prvcut_rules_keep_pair(rules, type, value);
    return kept;
}

/* The line with those pairs that stay, each as it was written. */
static void filter_put_pairs(const struct prvcut_rules *rules, const struct line *l,
                             struct prvcut_put *out)
{
    struct prv_fields rest = l->pairs;
    const char *begin = rest.next;
    uint32_t type;
    int64_t value;

    prvcut_put_between(out, l->at, l->pairs.next - 1);
    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK) {
        const char *end = rest.next ? rest.next - 1 : rest.end;

        if (prvcut_rules_keep_pair(rules, type, value))
            prvcut_put_between(out, begin - 1, end);
        begin = rest.next;
    }
    prvcut_put_between(out, l->end, l->eol_end);
}

static void filter_put_event(const struct prvcut_rules *rules, const struct line *l,
                             struct prvcut_put *out, struct prv_filtered *done)
{
    uint64_t all;
    const uint64_t kept = filter_count_pairs(rules, l, &all);

    done->pairs += kept;
    done->dropped_pairs += all - kept;
    done->events += kept > 0;
    done->dropped_events += kept == 0;
    if (kept == all && kept > 0)
        prvcut_put_between(out, l->at, l->eol_end);
    else if (kept > 0)
        filter_put_pairs(rules, l, out);
}

static void filter_put_line(const struct prvcut_rules *rules, const struct line *l,
                            struct prvcut_put *out, struct prv_filtered *done)
{
    bool keep = true;

    if (l->kind == PRV_EVENT) {
        filter_put_event(rules, l, out, done);
        return;
    }
    if (l->kind == PRV_STATE) {
        keep = prvcut_rules_keep_state(rules, &l->state);
        done->states += keep;
        done->dropped_states += !keep;
    } else if (l->kind == PRV_MESSAGE) {
        keep = prvcut_rules_keep_message(rules, &l->message);
        done->messages += keep;
        done->dropped_messages += !keep;
    }
    if (keep)
        prvcut_put_between(out, l->at, l->eol_end);
}

enum prvcut_status prv_filter_text(const struct prvcut_rules *rules,
                                   const struct prv_parse_plan *plan, const struct prv_text *text,
                                   struct prvcut_buffer *to, struct prv_filtered *done,
                                   struct prvcut_error *err)
{
    const uint64_t before = done->lines;
    enum prvcut_status st = prvcut_buffer_reserve(to, (size_t)(text->end - text->at), err);
    struct prvcut_put out = { .b = *to, .err = err };

    for (const char *at = text->at; at < text->end && st == PRVCUT_OK;) {
        const char *newline = memchr(at, '\n', (size_t)(text->end - at));
        struct line l = { .at = at, .end = newline, .eol_end = newline + 1 };

        if (l.end > l.at && l.end[-1] == '\r')
            l.end--;
        at = newline + 1;
        done->lines++;
        st = prv_slow_line(plan, l.at, l.end, &l.kind, &l.state, &l.event, &l.message, &l.pairs,
                           plan->lenient ? NULL : err);
        if (st == PRVCUT_OK) {
            filter_put_line(rules, &l, &out, done);
            st = out.st;
        } else if (plan->lenient) {
            done->skipped++;
            st = PRVCUT_OK;
        } else if (err) {
            err->line = done->lines - before;
        }
    }
    *to = out.b;
    return st;
}

void prv_filtered_add(struct prv_filtered *a, const struct prv_filtered *b)
{
    a->states += b->states;
    a->events += b->events;
    a->pairs += b->pairs;
    a->messages += b->messages;
    a->dropped_states += b->dropped_states;
    a->dropped_events += b->dropped_events;
    a->dropped_pairs += b->dropped_pairs;
    a->dropped_messages += b->dropped_messages;
    a->skipped += b->skipped;
    a->lines += b->lines;
}

/* --- Traces --------------------------------------------------------------------------------- */

/* A trace being filtered. */
struct filtering {
    struct prv_copy copy;
    struct prv_parse_plan plan;
    struct prvcut_rules rules;
    struct prv_filtered done;
};

static enum prvcut_status filter_work(void *ctx, struct prv_piece *piece, struct prvcut_error *err)
{
    struct filtering *f = ctx;

    return prv_filter_text(&f->rules, &f->plan, &piece->text, &piece->out, &piece->done, err);
}

static enum prvcut_status filter_join(void *ctx, struct prv_piece *piece, struct prvcut_error *err)
{
    struct filtering *f = ctx;

    prv_filtered_add(&f->done, &piece->done);
    return prv_copy_put(&f->copy, piece->out.at, piece->out.count, err);
}

static void filter_tell(const struct filtering *f, struct prvcut_filter_summary *out)
{
    out->states = f->done.states;
    out->events = f->done.events;
    out->pairs = f->done.pairs;
    out->messages = f->done.messages;
    out->dropped_states = f->done.dropped_states;
    out->dropped_events = f->done.dropped_events;
    out->dropped_pairs = f->done.dropped_pairs;
    out->dropped_messages = f->done.dropped_messages;
    out->skipped = f->done.skipped;
    out->bytes = f->copy.bytes;
}

static enum prvcut_status filter_commit(struct filtering *f, struct prvcut_filter_summary *out,
                                        struct prvcut_error *err)
{
    struct prvcut_cut_summary sum = { 0 };
    enum prvcut_status st = prv_copy_commit(&f->copy, &sum, err);

    out->disk = sum.disk;
    out->size = sum.size;
    out->file = sum.file;
    out->files = sum.files;
    return st;
}

/* No .prv begins with less. */
#define FIRST_WORDS "#Paraver (01/01/2026 at 12:00):"

enum prvcut_status prv_filter_check(const struct prvcut_trace *t,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err)
{
    const struct prv_trace *trace = (const struct prv_trace *)t;
    const struct prvcut_rule_labels labels = prv_rule_labels(&trace->labels);
    struct prvcut_notes notes = { 0 };
    struct prvcut_rules rules;
    enum prvcut_status st;

    if (options->max_bytes > 0 && options->max_bytes < strlen(FIRST_WORDS))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "--max-size: a trace is longer than %" PRIu64 " bytes",
                           options->max_bytes);
    st = prvcut_rules_init(&rules, options->filter, options->filters, &labels,
                           &trace->header.objects, &notes, err);

    prvcut_rules_fini(&rules);
    prvcut_notes_fini(&notes);
    return st;
}

enum prvcut_status prv_filter_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    struct prv_trace *trace = (struct prv_trace *)t;
    struct filtering f = { .copy = { .out = NULL } };
    const struct prv_pass pass = { .trace = trace,
                                   .run = run,
                                   .phase = PRVCUT_PHASE_FILTERING,
                                   .ctx = &f,
                                   .work = filter_work,
                                   .join = filter_join };
    const struct prvcut_rule_labels labels = prv_rule_labels(&trace->labels);
    struct prvcut_notes notes = { 0 };
    enum prvcut_status st;

    prv_trace_plan(trace, &f.plan);
    st = prvcut_rules_init(&f.rules, options->filter, options->filters, &labels,
                           &trace->header.objects, &notes, err);
    if (st == PRVCUT_OK)
        st = prv_copy_open(&f.copy, trace, run, options, err);
    if (st == PRVCUT_OK)
        st = prv_pass_run(&pass, err);
    if (st == PRVCUT_OK)
        st = prvcut_rules_tell_unmet(&f.rules, "trace", &notes, err);
    out->note = notes.at;
    out->notes = notes.count;
    filter_tell(&f, out);
    if (st == PRVCUT_OK)
        st = filter_commit(&f, out, err);
    prv_copy_fini(&f.copy);
    prvcut_rules_fini(&f.rules);
    return st;
}
