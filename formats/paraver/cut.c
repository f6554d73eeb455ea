#include "paraver/cut.h"

#include "base/memory.h"
#include "base/ordered.h"
#include "base/room.h"
#include "paraver/cut_files.h"
#include "paraver/texts.h"

#include <stdlib.h>
#include <string.h>

/* Lines are handed to the output in pieces of about this size. */
#define FLUSH_SIZE PRVCUT_ROOM((size_t)1 << 20)

/* --- The window --------------------------------------------------------------------------- */

/* Lines of the borders whose time has come. */
static enum prvcut_status cut_put_border(struct prv_cutter *c, struct prv_border_lines *b,
                                         uint64_t until, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (; b->next < b->count && b->at[b->next].time <= until && st == PRVCUT_OK; b->next++) {
        prvcut_put_bytes(&c->text, b->at[b->next].text, b->at[b->next].count);
        st = prv_cut_drain(c, FLUSH_SIZE, err);
    }
    return st;
}

/* Close the threads whose window ends by then: nothing of them can follow in a sorted trace. */
static enum prvcut_status cut_close_until(struct prv_cutter *c, uint64_t until,
                                          struct prvcut_error *err)
{
    const size_t threads = c->plan.header->objects.threads;
    enum prvcut_status st = PRVCUT_OK;

    for (; c->leaving && c->left_over < threads && st == PRVCUT_OK; c->left_over++) {
        const uint32_t thread = c->leaving[c->left_over];

        if (prv_cut_to(c, thread) > until)
            break;
        st = prv_border_close(c, thread, err);
    }
    return st;
}

/* Lines of both borders that stand before a record of that time. */
static enum prvcut_status cut_put_borders(struct prv_cutter *c, uint64_t until,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = cut_close_until(c, until, err);

    while (st == PRVCUT_OK && c->right.next < c->right.count) {
        st = cut_put_border(c, &c->left, c->right.at[c->right.next].time, err);
        if (st == PRVCUT_OK)
            st = cut_put_border(c, &c->right, c->right.at[c->right.next].time, err);
    }
    return st < 0 ? st : cut_put_border(c, &c->left, until, err);
}

static enum prvcut_status cut_inside_state(struct prv_cutter *c, const struct prv_cut_line *l,
                                           struct prvcut_error *err)
{
    const uint32_t thread = l->state.thread;
    enum prvcut_status st;

    if (l->state.begin < prv_cut_from(c, thread) || l->state.begin >= prv_cut_to(c, thread))
        return PRVCUT_OK;
    st = cut_put_borders(c, l->state.begin, err);
    if (st < 0)
        return st;
    c->sum->states++;
    prv_put_state(c, &c->text, l);
    return PRVCUT_OK;
}

static enum prvcut_status cut_inside_event(struct prv_cutter *c, const struct prv_cut_line *l,
                                           struct prvcut_error *err)
{
    const uint32_t thread = l->event.thread;
    enum prvcut_status st;

    if (l->event.time < prv_cut_from(c, thread) || l->event.time >= prv_cut_to(c, thread))
        return PRVCUT_OK;
    st = cut_put_borders(c, l->event.time, err);
    if (st < 0)
        return st;
    prv_put_event(c, &c->text, l, prv_collectives_take(c->collectives, l));
    c->sum->events++;
    return prv_open_event(c, l, err);
}

static enum prvcut_status cut_inside_message(struct prv_cutter *c, const struct prv_cut_line *l,
                                             struct prvcut_error *err)
{
    struct prvcut_message times;
    enum prvcut_status st;

    /* Those stand at the border. */
    if (prv_message_is_before(c, &l->message) || prv_message_is_late(c, &l->message) ||
        !prv_message_take(c, &l->message, &times))
        return PRVCUT_OK;
    st = cut_put_borders(c, times.physical_send, err);
    if (st == PRVCUT_OK)
        prv_put_message(c, &c->text, l, &times);
    return st;
}

/* Has the cut the size that it may have? Notes the line's time. */
static bool cut_is_full(struct prv_cutter *c, const struct prv_cut_line *l)
{
    const uint64_t time = l->kind == PRV_STATE   ? l->state.begin
                          : l->kind == PRV_EVENT ? l->event.time
                                                 : l->message.physical_send;

    if (c->limit == 0 || time < c->window->from || time >= c->window->to)
        return c->full > 0;
    if (c->full == 0 && c->sum->bytes + c->text.b.count > c->limit)
        c->full = time > 0 ? time : 1;
    else if (c->full > 0 && time < c->full)
        c->full = time > 0 ? time : 1;
    return c->full > 0;
}

static enum prvcut_status cut_inside_line(struct prv_cutter *c, const struct prv_cut_line *l,
                                          struct prvcut_error *err)
{
    enum prvcut_status st;

    if (cut_is_full(c, l))
        return PRVCUT_OK;
    if (l->kind == PRV_STATE)
        st = cut_inside_state(c, l, err);
    else if (l->kind == PRV_EVENT)
        st = cut_inside_event(c, l, err);
    else
        st = cut_inside_message(c, l, err);
    /* What a filter leaves is known only then. */
    return st < 0 ? st : prv_cut_drain(c, c->limit > 0 ? 0 : c->flush, err);
}

static enum prvcut_status cut_late_line(struct prv_cutter *c, const struct prv_cut_line *l,
                                        struct prvcut_error *err)
{
    if (l->kind != PRV_MESSAGE || !prv_message_is_late(c, &l->message))
        return PRVCUT_OK;
    return prv_border_message(c, l, err);
}

static void cut_next(struct prv_cutter *c)
{
    c->block++;
    prv_cut_seek(c);
    if (c->full > 0)
        c->block = c->trace->index.blocks;
}

static enum prvcut_status cut_late_begin(struct prv_cutter *c, struct prvcut_error *err)
{
    const uint32_t threads = c->plan.header->objects.threads;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < threads && st == PRVCUT_OK; i++)
        st = prv_border_reopen(c, i, err);
    c->block = c->trace->index.blocks;
    if (c->options->keep_messages && c->window->thread_to) {
        c->block = prv_cut_start(c);
        prv_cut_seek(c);
    }
    return st;
}

static enum prvcut_status cut_late_end(struct prv_cutter *c, struct prvcut_error *err)
{
    (void)err;
    prv_border_sort(&c->left);
    return PRVCUT_OK;
}

const struct prv_cut_step prv_cut_late = {
    .begin = cut_late_begin, .line = cut_late_line, .next = cut_next, .end = cut_late_end
};

static enum prvcut_status cut_inside_begin(struct prv_cutter *c, struct prvcut_error *err)
{
    (void)err;
    c->order = 0;
    c->block = prv_cut_start(c);
    prv_cut_seek(c);
    return PRVCUT_OK;
}

static enum prvcut_status cut_inside_end(struct prv_cutter *c, struct prvcut_error *err)
{
    const uint32_t threads = c->plan.header->objects.threads;
    enum prvcut_status st = prv_open_settle(c, err);

    for (uint32_t i = 0; !c->leaving && i < threads && st == PRVCUT_OK; i++)
        st = prv_border_close(c, i, err);
    prv_border_sort(&c->right);
    if (st == PRVCUT_OK)
        st = cut_put_borders(c, UINT64_MAX, err);
    return st < 0 ? st : prv_cut_drain(c, 0, err);
}

const struct prv_cut_step prv_cut_inside = {
    .begin = cut_inside_begin, .line = cut_inside_line, .next = cut_next, .end = cut_inside_end
};

/* --- Beginning and end of a cut -------------------------------------------------------------- */

static void cut_prv_borders(struct prv_cutter *c)
{
    const uint32_t threads = c->plan.header->objects.threads;

    c->first_from = c->last_from = c->window->from;
    c->first_to = c->last_to = c->window->to;
    for (uint32_t i = 0; i < threads && c->window->thread_from; i++) {
        const uint64_t from = prv_cut_from(c, i), to = prv_cut_to(c, i);

        c->last_from = from > c->last_from ? from : c->last_from;
        c->first_to = to < c->first_to ? to : c->first_to;
    }
}

/* The threads in the order in which they leave; only where they do so one by one, in order. */
static enum prvcut_status cut_sort_leaving(struct prv_cutter *c, struct prvcut_error *err)
{
    const uint32_t threads = c->plan.header->objects.threads;
    struct prv_border_lines by_end = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (!c->window->thread_to || c->trace->unsorted > 0)
        return PRVCUT_OK;
    c->leaving = prvcut_zeroed((size_t)threads + 1, sizeof *c->leaving, "threads", err);
    if (!c->leaving)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < threads && st == PRVCUT_OK; i++)
        st = prv_border_add(&by_end, prv_cut_to(c, i), i, NULL, 0, err);
    prv_border_sort(&by_end);
    for (uint32_t i = 0; i < threads && st == PRVCUT_OK; i++)
        c->leaving[i] = (uint32_t)by_end.at[i].order;
    prv_border_fini(&by_end);
    return st;
}

/* Does nothing stand behind the end that the header tells? */
static bool cut_is_told(const struct prv_trace *t)
{
    for (size_t i = 0; i < t->index.blocks; i++)
        if (t->index.block[i].last > t->base.end_ns)
            return false;
    return true;
}

/* What stands at the trace's very end belongs to a window that reaches it, which goes one tick
   further for that: to `ends` for who reads the cut. */
static uint64_t cut_beyond(uint64_t to, uint64_t ends, uint64_t unit)
{
    return to < ends ? to : ends + unit;
}

/* The threads' own borders may lie between ticks: at the next ones. The hull's may not. */
static enum prvcut_status cut_put_on_ticks(struct prv_cutter *c, struct prvcut_window *w,
                                           uint64_t unit, struct prvcut_error *err)
{
    const size_t threads = c->plan.header->objects.threads;
    const uint64_t end = c->trace->base.end_ns;

    w->from -= w->from % unit;
    w->to += (unit - w->to % unit) % unit;
    c->ends = w->to >= end && end > w->from && cut_is_told(c->trace) ? end : UINT64_MAX;
    w->to = cut_beyond(w->to, c->ends, unit);
    if ((unit == 1 && c->ends != end) || !w->thread_from || !w->thread_to)
        return PRVCUT_OK;
    c->on_ticks = prvcut_zeroed(2 * threads + 1, sizeof *c->on_ticks, "threads", err);
    if (!c->on_ticks)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < threads; i++) {
        const uint64_t from = w->thread_from[i], to = w->thread_to[i];

        c->on_ticks[i] = from + (unit - from % unit) % unit;
        c->on_ticks[threads + i] = to + (unit - to % unit) % unit;
        if (to > from)
            c->on_ticks[threads + i] = cut_beyond(c->on_ticks[threads + i], c->ends, unit);
    }
    w->thread_from = c->on_ticks;
    w->thread_to = c->on_ticks + threads;
    return PRVCUT_OK;
}

static enum prvcut_status cut_prv_init(struct prv_cutter *c, struct prvcut_error *err)
{
    const size_t threads = c->plan.header->objects.threads;

    c->counted = prvcut_zeroed(threads + 1, sizeof *c->counted, "threads", err);
    if (!c->counted)
        return PRVCUT_ENOMEM;
    if (prv_open_init(&c->open, (uint32_t)threads, c->plan.regions, err) < 0)
        return PRVCUT_ENOMEM;
    c->eol = "\n";
    if (c->plan.header->text_count > 1) {
        const char *newline = memchr(c->plan.header->text, '\n', c->plan.header->text_count);

        if (newline && newline > c->plan.header->text && newline[-1] == '\r')
            c->eol = "\r\n";
    }
    if (cut_sort_leaving(c, err) < 0)
        return PRVCUT_ENOMEM;
    return prv_collectives_new(&c->collectives, c, err);
}

static void cut_prv_fini(struct prv_cutter *c)
{
    prv_open_fini(&c->open, c->plan.header->objects.threads);
    free(c->counted);
    free(c->leaving);
    free(c->on_ticks);
    prvcut_buffer_fini(&c->text.b);
    prvcut_buffer_fini(&c->filtered);
    prvcut_rules_fini(&c->rules);
    prv_border_fini(&c->left);
    prv_border_fini(&c->right);
    prv_collectives_free(c->collectives);
    free(c->before.run);
}

/* What the filters left of it. */
static void cut_count_filtered(const struct prv_cutter *c)
{
    if (c->rules.count == 0)
        return;
    c->sum->states = c->done.states;
    c->sum->events = c->done.events;
    c->sum->messages = c->done.messages;
}

static enum prvcut_status cut_init_rules(struct prv_cutter *c, struct prvcut_error *err)
{
    const struct prvcut_rule_labels labels = prv_rule_labels(&c->trace->labels);
    struct prvcut_notes notes = { .at = c->sum->note,
                                  .count = c->sum->notes,
                                  .room = c->sum->notes };
    enum prvcut_status st = prvcut_rules_init(&c->rules, c->options->filter, c->options->filters,
                                              &labels, &c->trace->header.objects, &notes, err);

    c->sum->note = notes.at;
    c->sum->notes = notes.count;
    return st;
}

static enum prvcut_status cut_tell_unmet(struct prv_cutter *c, struct prvcut_error *err)
{
    struct prvcut_notes notes = { .at = c->sum->note,
                                  .count = c->sum->notes,
                                  .room = c->sum->notes };
    const enum prvcut_status st = prvcut_rules_tell_unmet(&c->rules, "window", &notes, err);

    c->sum->note = notes.at;
    c->sum->notes = notes.count;
    return st;
}

static enum prvcut_status cut_put_head(struct prv_cutter *c, struct prvcut_error *err)
{
    enum prvcut_status st;

    c->text.err = err;
    prv_put_header(c, &c->text);
    st = prv_cut_drain(c, 0, err);
    c->filtering = true;
    return st;
}

/** A sub-trace on its way: its cutter stands apart, for a reading has them in one row. */
struct one {
    struct prvcut_window ticks;
    struct prv_files files;
};

/** All that are cut in one reading. */
struct group {
    struct prv_trace *trace;
    const struct prvcut_run *run;
    struct one *one;           /* [count]; owned */
    struct prv_cutter *cutter; /* [count]; owned */
    size_t count;
    struct prvcut_commit *set; /* that their files are in; NULL: none are written; owned */
};

static enum prvcut_status cut_open_files(struct group *g, size_t i, struct prvcut_error *err)
{
    struct prv_files *f = &g->one[i].files;
    struct prv_cutter *c = &g->cutter[i];
    const unsigned workers = prvcut_workers(g->run->threads) / (unsigned)g->count;
    enum prvcut_status st = g->set ? PRVCUT_OK : prvcut_commit_new(&g->set, err);

    f->set = g->set;
    f->borrowed = true;
    if (st == PRVCUT_OK)
        st = prv_files_open(f, &g->trace->labels, c->options, &c->out, err);
    if (st == PRVCUT_OK && g->count > 1)
        st = prv_files_close_companions(f, c->sum, err);
    if (c->out)
        prvcut_output_workers(c->out, workers);
    return st;
}

/* With a limit nothing is written: c->full tells where the limit was reached. */
static enum prvcut_status cut_begin_one(struct group *g, size_t i, struct prvcut_error *err)
{
    struct prv_cutter *c = &g->cutter[i];
    struct prvcut_window *ticks = &g->one[i].ticks;
    enum prvcut_status st;

    c->window = ticks;
    c->flush = FLUSH_SIZE / g->count;
    st = cut_put_on_ticks(c, ticks, g->trace->base.unit_ns, err);
    if (st < 0)
        return st;
    c->base = c->options->keep_time ? 0 : ticks->from;
    c->sum->window = (struct prvcut_span){ ticks->from, prv_cut_last(c) };
    cut_prv_borders(c);
    st = cut_prv_init(c, err);
    if (st == PRVCUT_OK)
        st = cut_init_rules(c, err);
    if (st == PRVCUT_OK && !c->options->dry_run && c->limit == 0)
        st = cut_open_files(g, i, err);
    return st < 0 ? st : cut_put_head(c, err);
}

/* All are complete before the first one appears. */
static enum prvcut_status cut_end_all(struct group *g, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++)
        st = cut_tell_unmet(&g->cutter[i], err);
    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++)
        if (g->cutter[i].out)
            st = prv_files_finish(&g->one[i].files, g->cutter[i].sum, err);
    if (st == PRVCUT_OK && g->set) {
        st = prvcut_commit_all(g->set, err);
        g->set = NULL;
    }
    return st;
}

/* The cutters and ones are filled in as far as a cut is told; they are released. */
static enum prvcut_status cut_group(struct group *g, struct prvcut_error *err)
{
    struct prv_texts texts = { .open = false };
    enum prvcut_status st = PRVCUT_OK;
    size_t begun = 0;

    while (begun < g->count && st == PRVCUT_OK)
        st = cut_begin_one(g, begun++, err);
    if (st == PRVCUT_OK)
        st = prv_texts_init(&texts, g->trace, err);
    if (st == PRVCUT_OK)
        st = prv_cut_read(g->cutter, g->count, &texts, g->run, err);
    for (size_t i = 0; i < begun; i++)
        cut_count_filtered(&g->cutter[i]);
    if (st == PRVCUT_OK)
        st = cut_end_all(g, err);
    prv_texts_fini(&texts);
    for (size_t i = 0; i < begun; i++) {
        prv_files_fini(&g->one[i].files);
        cut_prv_fini(&g->cutter[i]);
    }
    prvcut_commit_abandon(g->set);
    g->set = NULL;
    return st;
}

/* Closing records come on top of a limit: a few tries find the end that leaves room for them. */
#define LIMIT_TRIES 64

/* Let the window end where a cut of at most `most` bytes has to; finds out by cutting it dry. */
static enum prvcut_status cut_limit_window(struct group *all, const struct prv_cutter *plain,
                                           struct prvcut_window *ticks, struct prvcut_error *err)
{
    const uint64_t most = plain->options->max_bytes;
    uint64_t limit = most, step = 0;

    for (unsigned i = 0; i < LIMIT_TRIES; i++) {
        struct prvcut_cut_summary sum = { 0 };
        struct one end = { .ticks = *ticks };
        struct prv_cutter c = *plain;
        struct group g = {
            .trace = all->trace, .run = all->run, .one = &end, .cutter = &c, .count = 1
        };
        enum prvcut_status st;

        c.sum = &sum;
        c.limit = limit;
        st = cut_group(&g, err);
        prvcut_notes_fini(&(struct prvcut_notes){ .at = sum.note, .count = sum.notes });
        if (st < 0)
            return st;
        if (c.full == 0 && sum.bytes <= most)
            return PRVCUT_OK;
        if (c.full > 0 && c.full < ticks->to)
            ticks->to = c.full;
        /* The next round sees whether that is enough; if nothing was full, much less must do. */
        if (c.full == 0) {
            step = step > sum.bytes - most ? 2 * step : 2 * (sum.bytes - most);
            limit = step < limit ? limit - step : 1;
        }
        if (ticks->to <= ticks->from)
            break;
    }
    return prvcut_fail(err, PRVCUT_EUSAGE, "--max-size: no cut of at most %llu bytes begins there",
                       (unsigned long long)most);
}

static enum prvcut_status cut_plan_one(struct group *g, size_t i, const struct prvcut_subtrace *sub,
                                       struct prvcut_error *err)
{
    struct prv_cutter *c = &g->cutter[i];
    struct prvcut_window *ticks = &g->one[i].ticks;

    *c = (struct prv_cutter){ .trace = g->trace, .options = sub->options, .sum = sub->out };
    *ticks = *sub->window;
    prv_trace_plan(g->trace, &c->plan);
    if (c->plan.regions_left_out > 0)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s: the .pcf lists %zu event types that open and close calls; a cut "
                           "follows at most %d",
                           g->trace->base.path, c->plan.regions + c->plan.regions_left_out,
                           PRV_REGION_TYPES);
    if (sub->options->max_bytes == 0 || sub->window->thread_from)
        return PRVCUT_OK;
    return cut_limit_window(g, c, ticks, err);
}

enum prvcut_status prv_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                           const struct prvcut_subtrace *sub, size_t count,
                           struct prvcut_error *err)
{
    struct group g = { .trace = (struct prv_trace *)t, .run = run, .count = count };
    enum prvcut_status st = PRVCUT_OK;

    g.one = prvcut_zeroed(count, sizeof *g.one, "cuts", err);
    g.cutter = prvcut_zeroed(count, sizeof *g.cutter, "cuts", err);
    if (!g.one || !g.cutter)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = cut_plan_one(&g, i, &sub[i], err);
    if (st == PRVCUT_OK)
        st = cut_group(&g, err);
    free(g.cutter);
    free(g.one);
    return st;
}
