#include "analysis/why_did.h"

#include "analysis/why_look.h"
#include "base/search.h"
#include "dsp/order.h"

#include <math.h>

/* Of how much slower one computes: where all do so by so much, the clock is lower. */
#define WDI_ALIKE 0.5

/* --- In a span -------------------------------------------------------------------------------- */

static uint64_t wdi_flushed(const struct prvcut_flushes *f, uint32_t thread,
                            struct prvcut_span span)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < f->count; i++)
        if (f->at[i].thread == thread)
            ns += why_overlap((struct prvcut_span){ f->at[i].begin, f->at[i].end }, span);
    return ns;
}

static uint64_t wdi_in(const struct why_around *a, uint32_t thread, enum why_span_kind kind,
                       struct prvcut_span span)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < a->spans; i++)
        if (a->span[i].thread == thread && a->span[i].kind == kind)
            ns += why_overlap(a->span[i].span, span);
    return ns;
}

uint64_t why_in_kind(const struct why_around *a, uint32_t thread, struct prvcut_span span,
                     const struct prvcut_proof_key *key)
{
    uint64_t ns = 0;

    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++)
        ns += why_same_call(&a->call[i].key, key) ? why_overlap(a->call[i].span, span) : 0;
    return ns;
}

/* The call that takes most at once, and all of its kind. */
static uint64_t wdi_in_call(const struct why_around *a, uint32_t thread, struct prvcut_span span,
                            struct prvcut_proof_key *key)
{
    uint64_t most = 0;

    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++) {
        const uint64_t ns = why_overlap(a->call[i].span, span);

        if (ns <= most)
            continue;
        most = ns;
        *key = a->call[i].key;
    }
    return most > 0 ? why_in_kind(a, thread, span, key) : 0;
}

/* The end of its last call before a time; the window's start: it has made none. */
static uint64_t wdi_last_call(const struct why_around *a, uint32_t thread, uint64_t before)
{
    uint64_t end = a->window.start;

    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++)
        if (a->call[i].span.end <= before && a->call[i].span.start < before)
            end = a->call[i].span.end;
    return end;
}

static bool wdi_is(struct why_did *d, enum prvcut_slow what, uint64_t ns, uint64_t length)
{
    if (2 * ns < length)
        return false;
    d->what = what;
    d->ns = ns;
    return true;
}

static uint64_t wdi_in_calls(const struct why_around *a, uint32_t thread, struct prvcut_span span)
{
    uint64_t ns = 0;

    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++)
        ns += why_overlap(a->call[i].span, span);
    return ns;
}

static uint64_t wdi_off(const struct why_around *a, uint32_t thread, struct prvcut_span span)
{
    const uint64_t off = wdi_in(a, thread, WHY_OFF_STATE, span),
                   other = wdi_in(a, thread, WHY_OFF_EVENT, span);

    return other > off ? other : off;
}

/* In no call, and it does not compute. */
static uint64_t wdi_idle(const struct why_around *a, uint32_t thread, struct prvcut_span span)
{
    const uint64_t length = span.end > span.start ? span.end - span.start : 0,
                   taken = wdi_in_calls(a, thread, span) + wdi_in(a, thread, WHY_RUNNING, span);

    return a->running && length > taken ? length - taken : 0;
}

bool why_did_nothing_most(const struct why_did *d)
{
    return d->what == PRVCUT_SLOW_UNKNOWN && d->ns == 0;
}

/* --- What is usual -----------------------------------------------------------------------------
 */

/* The thread's call that begins then; SIZE_MAX: none. */
size_t why_call_at(const struct why_around *a, uint32_t thread, uint64_t time)
{
    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++)
        if (a->call[i].span.start == time)
            return i;
    return SIZE_MAX;
}

/* Do the same calls lead to both? */
bool why_call_is_like(const struct why_around *a, size_t first, size_t one, size_t other)
{
    if (one < first + WHY_CONTEXT - 1 || other < first + WHY_CONTEXT - 1)
        return false;
    for (size_t n = 0; n < WHY_CONTEXT; n++)
        if (!why_same_call(&a->call[one - n].key, &a->call[other - n].key))
            return false;
    return true;
}

/* Outside calls before it, or in it. */
static double wdi_length(const struct why_around *a, size_t call, bool before)
{
    const struct why_call *c = &a->call[call];

    return before ? (double)(c->span.start > c[-1].span.end ? c->span.start - c[-1].span.end : 0)
                  : (double)(c->span.end - c->span.start);
}

/* How much longer than before, or in, calls like it; NAN: there are too few of these. */
double why_call_longer(const struct why_around *a, uint32_t thread, size_t call, bool before)
{
    const size_t first = a->first[thread];
    double like[WHY_LIKE_MOST];
    size_t n = 0;

    for (size_t i = a->first[thread + 1]; i-- > first && n < WHY_LIKE_MOST;)
        if (i != call && why_call_is_like(a, first, i, call))
            like[n++] = wdi_length(a, i, before);
    return n < WHY_LIKE_LEAST ? (double)NAN : wdi_length(a, call, before) - prvcut_median(like, n);
}

/* From one call to the next: how much longer than before calls like that one a thread neither
   computes nor is in a call, as far as these are enough to tell it. */
static uint64_t wdi_idle_more(const struct why_around *a, uint32_t thread, struct prvcut_span span)
{
    const size_t first = a->first[thread], at = why_call_at(a, thread, span.end);
    double like[WHY_WEIGH_MOST], usual;
    size_t n = 0;

    if (at == SIZE_MAX || at == first || a->call[at - 1].span.end != span.start)
        return 0;
    for (size_t i = a->first[thread + 1]; i-- > first && n < WHY_WEIGH_MOST;)
        if (i != at && why_call_is_like(a, first, i, at))
            like[n++] = (double)wdi_idle(
                a, thread, (struct prvcut_span){ a->call[i - 1].span.end, a->call[i].span.start });
    usual = n >= WHY_LIKE_LEAST ? prvcut_median(like, n) : HUGE_VAL;
    return (uint64_t)fmax(0, (double)wdi_idle(a, thread, span) - usual);
}

/* What was computed between two calls; NAN: not counted. */
struct wdi_counted {
    double ns, instructions, cycles;
};

struct wdi_sought {
    const struct why_around *around;
    uint64_t time;
    uint32_t thread;
};

static bool wdi_not_before(const void *ctx, size_t i)
{
    const struct wdi_sought *s = ctx;
    const struct why_read *r = &s->around->read[i];

    return r->thread > s->thread || (r->thread == s->thread && r->time >= s->time);
}

/* What its counters had counted right then; NULL: they were not read. */
static const struct why_read *wdi_read(const struct why_around *a, uint32_t thread, uint64_t time)
{
    const struct wdi_sought s = { a, time, thread };
    const size_t at = prvcut_first(0, a->reads, wdi_not_before, &s);
    const struct why_read *r = at < a->reads ? &a->read[at] : NULL;

    return r && r->thread == thread && r->time == time ? r : NULL;
}

/* call: not the thread's first */
static struct wdi_counted wdi_counted_before(const struct why_around *a, uint32_t thread,
                                             size_t call)
{
    const struct prvcut_span span = { a->call[call - 1].span.end, a->call[call].span.start };
    const struct why_read *from = wdi_read(a, thread, span.start),
                          *to = wdi_read(a, thread, span.end);
    struct wdi_counted c = { .instructions = NAN, .cycles = NAN };

    c.ns = a->running ? (double)wdi_in(a, thread, WHY_RUNNING, span)
                      : (double)(span.end > span.start ? span.end - span.start : 0);
    if (from && to) {
        c.instructions = to->instructions - from->instructions;
        c.cycles = to->cycles - from->cycles;
    }
    return c;
}

/* How much each is against what is usual before calls like that one, as a logarithm; NAN: it is not
   known. Returns by how many ns it computed longer. */
static double wdi_grew(struct wdi_counted *grew, const struct why_around *a, uint32_t thread,
                       size_t call)
{
    const size_t first = a->first[thread];
    const struct wdi_counted now = wdi_counted_before(a, thread, call);
    double ns[WHY_WEIGH_MOST], instructions[WHY_WEIGH_MOST], cycles[WHY_WEIGH_MOST], usual;
    size_t n = 0;

    *grew = (struct wdi_counted){ NAN, NAN, NAN };
    for (size_t i = a->first[thread + 1]; i-- > first + 1 && n < WHY_WEIGH_MOST;) {
        struct wdi_counted c;

        if (i == call || !why_call_is_like(a, first, i, call))
            continue;
        c = wdi_counted_before(a, thread, i);
        if (isnan(c.instructions) || isnan(c.cycles))
            continue;
        ns[n] = c.ns;
        instructions[n] = c.instructions;
        cycles[n++] = c.cycles;
    }
    if (n < WHY_LIKE_LEAST || isnan(now.instructions) || isnan(now.cycles))
        return NAN;
    usual = prvcut_median(ns, n);
    grew->ns = log(now.ns / usual);
    grew->instructions = log(now.instructions / prvcut_median(instructions, n));
    grew->cycles = log(now.cycles / prvcut_median(cycles, n));
    return now.ns - usual;
}

/* Did all other threads compute as much slower meanwhile, as far as that is counted? Nobody takes
   all processors at once. */
static bool wdi_all_slower(const struct why_around *a, uint32_t thread, struct prvcut_span span,
                           double slower)
{
    size_t slow = 0, all = 0;

    for (uint32_t t = 0; t < a->trace->objects.threads; t++)
        for (size_t i = a->first[t] + 1; t != thread && i < a->first[t + 1]; i++) {
            const struct prvcut_span own = { a->call[i - 1].span.end, a->call[i].span.start };
            struct wdi_counted grew;

            if (own.end <= own.start || 2 * why_overlap(own, span) < own.end - own.start ||
                isnan(wdi_grew(&grew, a, t, i)))
                continue;
            all++;
            slow += grew.ns - grew.cycles >= WDI_ALIKE * slower;
        }
    return all > 0 && slow == all;
}

/* Why it computed longer than before calls like the one that it came to at the end of a span, by
   half of what that made it late. */
static enum prvcut_slow wdi_how(const struct why_around *a, uint32_t thread,
                                struct prvcut_span span, uint64_t late)
{
    const size_t at = why_call_at(a, thread, span.end);
    struct wdi_counted grew;
    enum prvcut_slow how;

    if (a->reads == 0 || at == SIZE_MAX || at == a->first[thread] ||
        !(2 * wdi_grew(&grew, a, thread, at) >= (double)late))
        return PRVCUT_SLOW_COMPUTING;
    how = why_factor(grew.ns, grew.instructions, grew.cycles);
    return how == PRVCUT_SLOW_CLOCK && !wdi_all_slower(a, thread, span, grew.ns - grew.cycles)
               ? PRVCUT_SLOW_PREEMPTION
               : how;
}

/* What it did while it was in no call: a flush, or no tracing, for half of what it was late, which
   never is usual, or more of nothing than usual; else for half of the span: PRVCUT_SLOW_UNKNOWN of
   0 ns: several things, none for half of it. */
struct why_did why_did_outside(const struct why_around *a, uint32_t thread, struct prvcut_span span,
                               uint64_t late)
{
    const uint64_t length = span.end - span.start, least = late < length ? late : length,
                   calls = wdi_in_calls(a, thread, span),
                   outside = length > calls ? length - calls : 0,
                   computes = a->running ? wdi_in(a, thread, WHY_RUNNING, span) : outside;
    struct why_did d = { .what = PRVCUT_SLOW_UNKNOWN, .how = PRVCUT_SLOW_COMPUTING };

    if (!wdi_is(&d, PRVCUT_SLOW_FLUSH, wdi_flushed(a->of->flushes, thread, span), least) &&
        !wdi_is(&d, PRVCUT_SLOW_OFF, wdi_off(a, thread, span), least) &&
        !wdi_is(&d, PRVCUT_SLOW_COMPUTING, computes, length) && outside > computes)
        (void)wdi_is(&d, PRVCUT_SLOW_UNKNOWN, outside - computes, length);
    if (d.what == PRVCUT_SLOW_COMPUTING)
        (void)wdi_is(&d, PRVCUT_SLOW_UNKNOWN, wdi_idle_more(a, thread, span), least);
    if (d.what == PRVCUT_SLOW_COMPUTING)
        d.how = wdi_how(a, thread, span, least);
    return d;
}

/* Before it came to another's call, that late: since its last call, if that is most of the wait;
   else while the other waited. wait: from that call's begin until it came */
struct why_did why_did_before(const struct why_around *a, uint32_t thread, struct prvcut_span wait)
{
    const uint64_t last = wdi_last_call(a, thread, wait.end), late = wait.end - wait.start;
    struct prvcut_span span = wait;
    const uint64_t excess = a->of->excess > 1 ? (uint64_t)a->of->excess : 1;
    struct why_did d = { .what = PRVCUT_SLOW_UNKNOWN };

    if (2 * (span.end - last) >= late)
        span.start = last;
    else if (wdi_is(&d, PRVCUT_SLOW_CALL, wdi_in_call(a, thread, span, &d.call), late))
        return d;
    return why_did_outside(a, thread, span, late < excess ? late : excess);
}
