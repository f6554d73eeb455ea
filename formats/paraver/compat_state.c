#include "paraver/compat_state.h"

#include "base/memory.h"
#include "base/search.h"
#include "model/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Paraver takes these types of a .pcf as hardware counters. */
#define COUNTERS_FIRST 42000000u
#define COUNTERS_LAST  49999999u

static enum prvcut_status compat_state_init_window(struct prv_compat *c,
                                                   const struct prvcut_cutter *cutter,
                                                   struct prvcut_error *err)
{
    const double end = (double)c->trace->base.end_ns;
    const uint64_t unit = c->trace->base.unit_ns;

    c->from = cutter->minimum_ns;
    c->to = cutter->maximum_ns;
    if (!cutter->by_time) {
        c->from = (uint64_t)llround(cutter->minimum_percent / 100 * end);
        c->to = (uint64_t)llround(cutter->maximum_percent / 100 * end);
    }
    if (c->from > PRV_TIME_MAX)
        c->from = PRV_TIME_MAX;
    if (c->to > PRV_TIME_MAX)
        c->to = PRV_TIME_MAX;
    c->from += (unit - c->from % unit) % unit;
    c->to -= c->to % unit;
    if (c->to >= c->from)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "the window is empty: it ends at %lluns and begins at %lluns",
                       (unsigned long long)c->to, (unsigned long long)c->from);
}

static enum prvcut_status compat_state_init_counters(struct prv_compat *c, struct prvcut_error *err)
{
    const struct prv_labels *l = &c->trace->labels;
    const size_t threads = c->trace->header.objects.threads;

    c->counter = prvcut_zeroed(l->types + 1, sizeof *c->counter, "counters", err);
    if (!c->counter)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < l->types; i++) {
        const struct prv_type *t = &l->type[i];

        if (t->listed && t->label.number >= COUNTERS_FIRST && t->label.number <= COUNTERS_LAST)
            c->counter[c->counters++] = t->label.number;
    }
    c->counted = prvcut_zeroed(threads * c->counters + 1, 1, "threads", err);
    c->thread = prvcut_zeroed(threads + 1, sizeof *c->thread, "threads", err);
    if (!c->counted || !c->thread)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

enum prvcut_status prv_compat_init(struct prv_compat *c, struct prv_trace *trace,
                                   const struct prvcut_cutter *cutter, struct prvcut_error *err)
{
    const char *newline;
    enum prvcut_status st;

    *c = (struct prv_compat){ .trace = trace, .rule = *cutter, .stop = UINT64_MAX };
    prv_trace_plan(trace, &c->plan);
    newline = memchr(trace->header.text, '\n', trace->header.text_count);
    c->eol = newline && newline > trace->header.text && newline[-1] == '\r' ? "\r\n" : "\n";
    if (c->rule.original_time)
        c->rule.break_states = false;
    if (c->rule.break_states)
        c->rule.keep_events = false;
    c->first = UINT64_MAX;
    st = compat_state_init_window(c, cutter, err);
    if (st == PRVCUT_OK)
        st = compat_state_init_counters(c, err);
    if (st < 0 || !cutter->tasks)
        return st;
    c->selected = prvcut_zeroed((size_t)trace->header.objects.threads + 1, 1, "tasks", err);
    if (!c->selected)
        return PRVCUT_ENOMEM;
    return prvcut_rules_tasks(c->selected, &trace->header.objects, cutter->tasks, err);
}

void prv_compat_again(struct prv_compat *c)
{
    const size_t threads = c->trace->header.objects.threads;

    for (size_t i = 0; i < threads; i++) {
        struct prv_compat_thread *t = &c->thread[i];

        *t = (struct prv_compat_thread){ .open = t->open };
        prvcut_stack_clear(&t->open);
    }
    memset(c->counted, 0, threads * c->counters);
    c->lines = c->bytes = 0;
    c->passed = false;
    c->clipped = c->zeroed = c->closed = c->states = c->events = c->messages = 0;
}

void prv_compat_fini(struct prv_compat *c)
{
    for (size_t i = 0; c->thread && i < c->trace->header.objects.threads; i++)
        prvcut_stack_fini(&c->thread[i].open);
    free(c->thread);
    free(c->counter);
    free(c->counted);
    free(c->selected);
}

/* --- Which records stay --------------------------------------------------------------------- */

static bool compat_state_is_selected(const struct prv_compat *c, uint32_t thread)
{
    return !c->selected || c->selected[thread];
}

bool prv_compat_candidate(const struct prv_compat *c, const struct prv_pass_line *l)
{
    const uint64_t *t = l->time;

    if (l->kind == PRV_IGNORED)
        return l->at < l->end && *l->at == '#';
    if (l->kind == PRV_MESSAGE)
        return t[0] >= c->from && t[2] >= c->from && t[1] <= c->to && t[3] <= c->to &&
               (compat_state_is_selected(c, l->thread) || compat_state_is_selected(c, l->partner));
    if (!compat_state_is_selected(c, l->thread))
        return false;
    if (l->kind == PRV_STATE)
        return t[1] > c->from && t[0] <= c->to;
    return c->rule.keep_events || (t[0] >= c->from && t[0] <= c->to);
}

static uint64_t compat_state_cpu_of(const struct prv_pass_line *l)
{
    return strtoull(l->at + 2, NULL, 10);
}

/* The thread has been met; a state that does not stay names its cpu all the same. */
static void compat_state_meet(struct prv_compat_thread *t, const struct prv_pass_line *l)
{
    if (!t->known)
        t->cpu = compat_state_cpu_of(l);
    t->known = true;
}

static bool compat_state_keep_state(struct prv_compat *c, const struct prv_pass_line *l)
{
    struct prv_compat_thread *t = &c->thread[l->thread];
    const bool from_before = l->time[0]<c->from, beyond = l->time[1]> c->to;
    const bool first = c->rule.remove_first_states, last = c->rule.remove_last_states;

    if (from_before && beyond && (first || last)) {
        compat_state_meet(t, l);
        return false;
    }
    if (from_before && first)
        return false;
    if (l->time[0] < c->to && beyond && last) {
        t->finished = t->known;
        return false;
    }
    compat_state_meet(t, l);
    t->in_state = true;
    t->begin = l->time[0];
    t->end = l->time[1];
    if (l->time[0] < c->to && beyond && c->rule.keep_events)
        t->finished = true;
    return true;
}

static bool compat_state_keep_event(struct prv_compat *c, const struct prv_pass_line *l)
{
    const struct prv_compat_thread *t = &c->thread[l->thread];
    const bool keeps = c->rule.keep_events;
    const uint64_t time = l->time[0];

    if (t->known && t->finished && time != t->end) {
        if (!keeps || c->rule.remove_last_states || time > t->end)
            return false;
    } else if (time > c->to) {
        return false;
    }
    if (!t->known && c->rule.remove_first_states)
        return false;
    return time >= c->from || (keeps && t->in_state && time >= t->begin && t->end >= c->from);
}

static void compat_state_spread(struct prv_compat *c, const uint64_t *time, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        if (time[i] < c->first)
            c->first = time[i];
        if (time[i] > c->last)
            c->last = time[i];
    }
    c->any = true;
}

static uint64_t compat_state_clip(const struct prv_compat *c, uint64_t time)
{
    if (!c->rule.break_states)
        return time;
    return time < c->from ? c->from : time > c->to ? c->to : time;
}

bool prv_compat_keep(struct prv_compat *c, const struct prv_pass_line *l)
{
    if (l->kind == PRV_IGNORED)
        return !c->passed;
    if (l->kind == PRV_STATE) {
        const uint64_t shown[2] = { compat_state_clip(c, l->time[0]),
                                    compat_state_clip(c, l->time[1]) };

        if (!compat_state_keep_state(c, l))
            return false;
        compat_state_spread(c, shown, 2);
        return true;
    }
    if (l->kind == PRV_EVENT) {
        if (!compat_state_keep_event(c, l))
            return false;
        c->thread[l->thread].known = true;
        c->thread[l->thread].cpu = compat_state_cpu_of(l);
        compat_state_spread(c, l->time, 1);
        return true;
    }
    compat_state_spread(c, l->time, 4);
    return true;
}

/* --- What they look like -------------------------------------------------------------------- */

static const char *compat_state_field(const struct prv_pass_line *l, unsigned k)
{
    const char *at = l->at;

    for (; k > 0; k--)
        at = (const char *)memchr(at, ':', (size_t)(l->end - at)) + 1;
    return at;
}

static void compat_state_put_tick(const struct prv_compat *c, struct prvcut_put *to, uint64_t ns)
{
    prvcut_put_printf(to, "%llu", (unsigned long long)(ns / c->plan.header->unit_ns));
}

static void compat_state_put_state(struct prv_compat *c, struct prvcut_put *to,
                                   const struct prv_pass_line *l, uint64_t base)
{
    const uint64_t begin = compat_state_clip(c, l->time[0]), end = compat_state_clip(c, l->time[1]);

    c->states++;
    c->clipped += begin != l->time[0] || end != l->time[1];
    prvcut_put_between(to, l->at, compat_state_field(l, 5));
    compat_state_put_tick(c, to, begin - base);
    prvcut_put_string(to, ":");
    compat_state_put_tick(c, to, end - base);
    prvcut_put_between(to, compat_state_field(l, 7) - 1, l->end);
}

static void compat_state_put_message(struct prv_compat *c, struct prvcut_put *to,
                                     const struct prv_pass_line *l, uint64_t base)
{
    /* Fields of the four times. */
    static const unsigned place[4] = { 5, 6, 11, 12 };
    const char *at = l->at;

    c->messages++;
    for (unsigned i = 0; i < 4; i++) {
        prvcut_put_between(to, at, compat_state_field(l, place[i]));
        compat_state_put_tick(c, to, l->time[i] - base);
        at = compat_state_field(l, place[i] + 1) - 1;
    }
    prvcut_put_between(to, at, l->end);
}

/* Place of a counter type; counters: it is none. */
static size_t compat_state_counter_at(const struct prv_compat *c, uint32_t type)
{
    return prvcut_index_u32(c->counter, c->counters, sizeof *c->counter, 0, type);
}

/* A type that the .pcf lists without values is never closed. */
static bool compat_state_is_closed(const struct prv_compat *c, uint32_t type)
{
    const struct prv_type *t = prv_labels_type(&c->trace->labels, type);

    return !t || !t->listed || t->values > 0;
}

/* Want of memory is told where the line is put. */
static void compat_state_follow_type(struct prv_compat *c, uint32_t thread, uint32_t type,
                                     int64_t value, struct prvcut_put *to)
{
    struct prvcut_stack *open = &c->thread[thread].open;
    size_t i;

    if (prvcut_stack_find(open, type, &i)) {
        open->at[i].note += value != 0 ? 1 : -UINT64_C(1);
        if (open->at[i].note == 0)
            prvcut_stack_remove(open, i);
    } else if (value != 0 && compat_state_is_closed(c, type) && to->st == PRVCUT_OK) {
        to->st =
            prvcut_stack_push(open, &(struct prvcut_frame){ .type = type, .note = 1 }, to->err);
    }
}

/* The value that is written: the first one of a counter is 0. */
static int64_t compat_state_follow_counter(struct prv_compat *c, uint32_t thread, size_t counter,
                                           int64_t value)
{
    uint8_t *counted = &c->counted[(size_t)thread * c->counters + counter];
    const bool first = !(*counted & 2);

    *counted |= (uint8_t)(2 | (value != 0));
    c->zeroed += first && value != 0;
    return first ? 0 : value;
}

static void compat_state_put_event(struct prv_compat *c, struct prvcut_put *to,
                                   const struct prv_pass_line *l, uint64_t base)
{
    struct prv_fields rest = { .at = l->at, .end = l->end, .next = compat_state_field(l, 6) };
    const char *begin = rest.next;
    uint32_t type;
    int64_t value;

    c->events++;
    prvcut_put_between(to, l->at, compat_state_field(l, 5));
    compat_state_put_tick(c, to, l->time[0] - base);
    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK) {
        const char *end = rest.next ? rest.next - 1 : rest.end;
        const size_t counter = compat_state_counter_at(c, type);

        if (counter == c->counters)
            compat_state_follow_type(c, l->thread, type, value, to);
        if (counter < c->counters &&
            compat_state_follow_counter(c, l->thread, counter, value) != value)
            prvcut_put_printf(to, ":%lu:0", (unsigned long)type);
        else
            prvcut_put_between(to, begin - 1, end);
        begin = rest.next;
    }
}

void prv_compat_put(struct prv_compat *c, struct prvcut_put *to, const struct prv_pass_line *l,
                    uint64_t base)
{
    if (l->kind == PRV_IGNORED)
        prvcut_put_between(to, l->at, l->end);
    else if (l->kind == PRV_STATE)
        compat_state_put_state(c, to, l, base);
    else if (l->kind == PRV_EVENT)
        compat_state_put_event(c, to, l, base);
    else
        compat_state_put_message(c, to, l, base);
    prvcut_put_string(to, c->eol);
}

/* --- Closing zeros -------------------------------------------------------------------------- */

uint64_t prv_compat_end(const struct prv_compat *c)
{
    return c->last > c->to || c->rule.remove_last_states ? c->last : c->to;
}

static void compat_state_put_zero(struct prv_compat *c, struct prvcut_put *to, uint32_t thread,
                                  uint32_t type, bool *line)
{
    if (!*line) {
        uint32_t application, task, number;

        prvcut_objects_name(&c->trace->header.objects, thread, &application, &task, &number);
        prvcut_put_printf(
            to, "2:%llu:%lu:%lu:%lu:%llu", (unsigned long long)c->thread[thread].cpu,
            (unsigned long)application, (unsigned long)task, (unsigned long)number,
            (unsigned long long)((prv_compat_end(c) - c->base) / c->plan.header->unit_ns));
        c->closed++;
        c->events++;
        *line = true;
    }
    prvcut_put_printf(to, ":%lu:0", (unsigned long)type);
}

static void compat_state_end_line(const struct prv_compat *c, struct prvcut_put *to, bool *line)
{
    if (*line)
        prvcut_put_string(to, c->eol);
    *line = false;
}

static void compat_state_announce(const struct prv_compat *c, struct prvcut_put *to, bool *comment)
{
    if (!*comment)
        prvcut_put_printf(to, "# Appending events with value 0%s", c->eol);
    *comment = true;
}

void prv_compat_close(struct prv_compat *c, struct prvcut_put *to, uint32_t thread, bool *comment)
{
    const struct prvcut_stack *open = &c->thread[thread].open;
    const uint8_t *counted = c->counted + (size_t)thread * c->counters;
    bool line = false;

    /* The one that was opened last comes first. */
    for (size_t i = open->count; i-- > 0;) {
        compat_state_announce(c, to, comment);
        compat_state_put_zero(c, to, thread, open->at[i].type, &line);
    }
    compat_state_end_line(c, to, &line);
    for (size_t i = 0; i < c->counters; i++) {
        if (!(counted[i] & 1))
            continue;
        compat_state_announce(c, to, comment);
        compat_state_put_zero(c, to, thread, c->counter[i], &line);
    }
    compat_state_end_line(c, to, &line);
}
