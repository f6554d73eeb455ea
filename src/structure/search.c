#include "structure/search.h"

#include "base/memory.h"
#include "base/ordered.h"
#include "base/print.h"
#include "structure/call_equal.h"
#include "structure/halves.h"
#include "structure/rounds.h"
#include "structure/signal_ends.h"
#include "structure/signal_steady.h"
#include "structure/twice.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Three are the fewest that can be told to repeat; the number laid out bounds the memory. The
 * others were found by hand on the benchmarks' traces.
 */

/* Less than this share of the iterations is not worth following another witness... */
#define EXTENSION 0.05
/* ... of which so much of one may lack. */
#define LACK 0.2
/* Periods that differ by more than this share are of different loops. */
#define SAME 0.05
/* Borders that are laid by a given period: far more than a run's bins could show. */
#define ITERATIONS_MOST 1048576
/* Threads with fewer calls than this have no say. */
#define CALLS 8
/* Of more calls on all threads these and the separators are not asked at once: each needs as much
   memory as the calls. */
#define CALLS_AT_ONCE ((size_t)1 << 19)
/* Of a loop, as the calls tell it. */
#define ITERATIONS_LEAST 3

/** Witnesses that are being asked. */
struct asking {
    struct prvcut_search *out;
    const struct prvcut_search_input *in;
    const struct prvcut_run *run;
    struct prvcut_call_sequence *part; /* [in->sequences] */
    struct prvcut_call_equal equal;    /* what they tell where nothing tells them apart */
    enum prvcut_metric_id id[PRVCUT_SIGNALS + 1];
    size_t task[PRVCUT_SIGNALS + 2]; /* index of a witness; one more: the separators */
    size_t left;
    bool many;                           /* the calls are asked when all others have been */
    struct prvcut_signal_sights *sights; /* [witnesses]; of signals */
};

struct prvcut_signal prvcut_signal_within(const struct prvcut_signal *s, struct prvcut_span span)
{
    struct prvcut_signal part = *s;
    size_t from = 0, to = s->bins;

    if (!s->at || s->width == 0)
        return part;
    if (span.start > s->start)
        from = (size_t)((span.start - s->start + s->width - 1) / s->width);
    if (span.end < s->start + s->bins * s->width)
        to = span.end > s->start ? (size_t)((span.end - s->start) / s->width) : 0;
    from = from < s->bins ? from : s->bins;
    to = to > from ? to : from;
    part.at = s->at + from;
    part.start = s->start + from * s->width;
    part.bins = to - from;
    return part;
}

static enum prvcut_status srch_asking_take(void *ctx, unsigned worker, void **item,
                                           struct prvcut_error *err)
{
    struct asking *a = ctx;

    (void)worker;
    if (a->run->stop && a->run->stop(a->run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (a->left == 0)
        return PRVCUT_END;
    /* The last first: the calls take longest. */
    a->left--;
    a->task[a->left] = a->left;
    *item = &a->task[a->left];
    return PRVCUT_OK;
}

bool prvcut_search_calls_speak(const struct prvcut_search_input *in)
{
    for (size_t i = 0; in->calls && i < in->sequences; i++)
        if (in->sequence[i].count >= CALLS)
            return true;
    return false;
}

/* Indices of the parts become those of the sequences. */
static void srch_move_starts(struct prvcut_call_loop *l, const size_t *from)
{
    for (size_t i = 0; from && i < l->sequences; i++)
        for (size_t k = 0; l->start && k < l->borders[i]; k++)
            l->start[i][k] += (uint32_t)from[i];
}

static enum prvcut_status srch_ask_calls(struct asking *a, struct prvcut_witness *w,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (a->equal.loop.loop.found) {
        a->out->calls = a->equal.loop;
        a->equal.loop = (struct prvcut_call_loop){ .sequences = 0 };
    } else {
        st = prvcut_call_loop_find(&a->out->calls, a->part, a->in->sequences, err);
    }
    srch_move_starts(&a->out->calls, a->in->from);
    w->loop = a->out->calls.loop;
    return st;
}

static enum prvcut_status srch_ask_separators(struct asking *a, struct prvcut_error *err)
{
    struct prvcut_separation *s = &a->out->separation;
    enum prvcut_status st;

    /* Nothing separates equal calls but their distances, and these have told. */
    if (a->equal.number > 1)
        return PRVCUT_OK;
    st = prvcut_separate(s, a->part, a->in->sequences, err);

    srch_move_starts(&s->calls, a->in->from);
    return st;
}

static enum prvcut_status srch_ask_signal(struct asking *a, size_t which,
                                          const struct prvcut_signal *signal,
                                          struct prvcut_error *err)
{
    const struct prvcut_search_input *in = a->in;
    enum prvcut_status st = prvcut_signal_sights_find(
        &a->sights[which], signal, in->mask, in->masks, !prvcut_search_calls_speak(in), err);

    if (st == PRVCUT_OK && in->table)
        st = prvcut_signal_sights_explain(&a->sights[which], signal, err);
    return st;
}

static enum prvcut_status srch_asking_work(void *ctx, unsigned worker, void *item,
                                           struct prvcut_error *err)
{
    struct asking *a = ctx;
    const size_t which = *(const size_t *)item;
    struct prvcut_witness *w = &a->out->witness[which];
    struct prvcut_signal signal;

    (void)worker;
    if (which == a->out->witnesses)
        return srch_ask_separators(a, err);
    if (w->calls)
        return a->many ? PRVCUT_OK : srch_ask_calls(a, w, err);
    signal = prvcut_signal_within(&a->in->signal[a->id[which]], a->in->span);
    if (signal.at)
        return srch_ask_signal(a, which, &signal, err);
    w->loop = (struct prvcut_loop){ .why = signal.absent };
    return PRVCUT_OK;
}

static enum prvcut_status srch_asking_join(void *ctx, void *item, enum prvcut_status failed,
                                           struct prvcut_error *err)
{
    (void)ctx;
    (void)item;
    (void)err;
    return failed;
}

static void srch_asking_drop(void *ctx, void *item)
{
    (void)ctx;
    (void)item;
}

static void srch_list_witnesses(struct asking *a)
{
    struct prvcut_search *s = a->out;

    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        if (a->in->metrics >> i & 1) {
            a->id[s->witnesses] = (enum prvcut_metric_id)i;
            s->witness[s->witnesses++] =
                (struct prvcut_witness){ .name = a->in->signal[i].name, .metric = i };
        }
    if (a->in->calls)
        s->witness[s->witnesses++] = (struct prvcut_witness){ .name = "calls", .calls = true };
    a->left = s->witnesses + (a->in->calls && a->in->separate);
}

/* Loops that signals alone show begin and end where all of these show it. */
static enum prvcut_status srch_find_ends(struct asking *a, struct prvcut_error *err)
{
    const struct prvcut_search_input *in = a->in;
    struct prvcut_search *s = a->out;
    struct prvcut_signal_ends ends = { .mask = in->mask, .masks = in->masks, .span = in->span };
    enum prvcut_status st;

    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        if (in->metrics >> i & 1 && in->signal[i].at)
            ends.signal[ends.signals++] = prvcut_signal_within(&in->signal[i], in->span);
    st = prvcut_signal_ends_init(&ends, err);
    for (size_t i = 0; st == PRVCUT_OK && i < s->witnesses; i++)
        if (!s->witness[i].calls)
            st = prvcut_signal_ends_find(&s->witness[i].loop, &s->border[i], &ends, err);
    prvcut_signal_ends_fini(&ends);
    return st;
}

/* What each signal says, knowing what all others saw; where calls speak, too, each for itself. */
static enum prvcut_status srch_let_signals_agree(struct asking *a, struct prvcut_error *err)
{
    struct prvcut_search *s = a->out;
    size_t *chosen = prvcut_unset(s->witnesses + 1, sizeof *chosen, "signals", err);

    if (!chosen)
        return PRVCUT_ENOMEM;
    if (prvcut_search_calls_speak(a->in))
        for (size_t i = 0; i < s->witnesses; i++)
            prvcut_signal_sights_choose(&chosen[i], &a->sights[i], 1, a->in->set);
    else
        prvcut_signal_sights_choose(chosen, a->sights, s->witnesses, a->in->set);
    for (size_t i = 0; i < s->witnesses; i++)
        if (!s->witness[i].calls && a->in->signal[a->id[i]].at)
            prvcut_signal_sight_tell(&s->witness[i].loop, &s->border[i], &a->sights[i], chosen[i]);
    free(chosen);
    return prvcut_search_calls_speak(a->in) || a->in->table ? PRVCUT_OK : srch_find_ends(a, err);
}

/* They are the last witness. */
static enum prvcut_status srch_ask_calls_last(struct asking *a, struct prvcut_error *err)
{
    enum prvcut_status st;

    prvcut_give_back();
    st = srch_ask_calls(a, &a->out->witness[a->out->witnesses - 1], err);
    prvcut_give_back();
    return st;
}

static enum prvcut_status srch_ask(struct asking *a, struct prvcut_error *err)
{
    const struct prvcut_ordered work = { .ctx = a,
                                         .take = srch_asking_take,
                                         .work = srch_asking_work,
                                         .join = srch_asking_join,
                                         .drop = srch_asking_drop };
    const struct prvcut_search_input *in = a->in;
    size_t calls = 0;
    enum prvcut_status st = PRVCUT_OK;

    a->part = prvcut_unset(in->sequences + 1, sizeof *a->part, "sequences", err);
    if (!a->part)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < in->sequences; i++) {
        a->part[i] = in->sequence[i];
        if (in->from) {
            /* A thread without calls has no array to point into. */
            if (a->part[i].at)
                a->part[i].at += in->from[i];
            a->part[i].count = in->to[i] - in->from[i];
        }
        calls += a->part[i].count;
    }
    a->many = in->calls && calls > CALLS_AT_ONCE;
    if (a->many)
        prvcut_give_back();
    if (in->calls)
        st = prvcut_call_equal_find(&a->equal, a->part, in->sequences, err);
    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&work, prvcut_workers(a->run->threads), err);
    return st == PRVCUT_OK && a->many ? srch_ask_calls_last(a, err) : st;
}

/* Calls that were cut short stop inside an iteration: the last one is not known. */
static void srch_leave_last(struct prvcut_call_loop *l, const struct prvcut_search_input *in)
{
    bool open = false;

    for (size_t i = 0; i < l->sequences; i++)
        open |= l->borders[i] > ITERATIONS_LEAST + 1 &&
                l->start[i][l->borders[i] - 1] == in->sequence[i].count;
    if (!open)
        return;
    l->loop.span.end = 0;
    l->loop.iterations--;
    for (size_t i = 0; i < l->sequences; i++) {
        if (l->borders[i] == 0)
            continue;
        l->borders[i]--;
        if (l->border[i][l->borders[i] - 1] > l->loop.span.end)
            l->loop.span.end = l->border[i][l->borders[i] - 1];
    }
}

/* Whole iterations of a loop between two times, where they are worth it. */
static double srch_whole_iterations(uint64_t from, uint64_t to, const struct prvcut_loop *l)
{
    const double count = from < to ? floor((double)(to - from) / l->period_ns + LACK) : 0;

    return count >= EXTENSION * l->iterations ? count : 0;
}

/*
 * A signal follows the loop as far as it is clear in it, and call sequences that are too long are
 * known from the run's beginning only: where others saw more of it, it goes on as far, in whole
 * iterations, for each signal has another place in them where it begins.
 */
static void srch_extend(struct prvcut_search *s, bool cut_short)
{
    const bool calls = s->witness[s->verdict.chosen].calls;
    struct prvcut_span *own = &s->loop.span, span = *own;
    double before, after;
    uint64_t before_ns, after_ns;

    if (calls && !cut_short)
        return;
    for (size_t i = 0; i < s->witnesses; i++) {
        const struct prvcut_loop *l = &s->witness[i].loop;

        if (s->witness[i].stand != PRVCUT_STAND_AGREES)
            continue;
        if (l->span.start < span.start && !calls)
            span.start = l->span.start;
        if (l->span.end > span.end)
            span.end = l->span.end;
    }
    before = srch_whole_iterations(span.start, own->start, &s->loop);
    after = srch_whole_iterations(own->end, span.end, &s->loop);
    before_ns = (uint64_t)(before * s->loop.period_ns);
    after_ns = (uint64_t)(after * s->loop.period_ns);
    if (before > 0)
        own->start = own->start - span.start > before_ns ? own->start - before_ns : span.start;
    if (after > 0)
        own->end = span.end - own->end > after_ns ? own->end + after_ns : span.end;
    s->loop.iterations += before + after;
}

/* Iterations that a period must fit in to be what was meant. */
#define MEANT_LEAST 4

/* Who gives so short a period forgot its unit: the first that fits, or a hundredth of the run. */
static void srch_offer_period(uint64_t period, uint64_t length, struct prvcut_error *err)
{
    static const struct {
        uint64_t ns;
        const char *unit;
    } units[] = { { 1000000, "ms" }, { 1000, "us" } };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (period < length / MEANT_LEAST / units[i].ns) {
            prvcut_instead(err, "--period %" PRIu64 "%s", period, units[i].unit);
            return;
        }
    prvcut_instead(err, "--period %" PRIu64 "ns", length / 100);
}

/* A period given by hand: the loop is wherever the signals see the computation phase. */
static enum prvcut_status srch_take_given(struct prvcut_search *s,
                                          const struct prvcut_search_input *in,
                                          struct prvcut_error *err)
{
    const struct prvcut_witness *seen = NULL;
    const struct prvcut_loop shown = s->loop;
    struct prvcut_loop *l = &s->loop;
    char repeats[32], most[32];

    *l = (struct prvcut_loop){ .found = true,
                               .period_ns = (double)in->period_ns,
                               .median_ns = (double)in->period_ns,
                               .span = in->span,
                               .strength = 1 };
    s->confidence = NAN;
    if (s->verdict.found) {
        s->witness[s->verdict.chosen].loop = shown;
        seen = &s->witness[s->verdict.chosen];
    }
    for (size_t i = 0; i < s->witnesses && !seen; i++)
        if (s->witness[i].loop.found)
            seen = &s->witness[i];
    if (seen)
        l->span = seen->loop.span;
    l->iterations = (double)(l->span.end - l->span.start) / l->period_ns;
    if (l->iterations > ITERATIONS_MOST) {
        srch_offer_period(in->period_ns, l->span.end - l->span.start, err);
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "--period %" PRIu64 "ns would repeat %s times, more than %s",
                           in->period_ns, prvcut_count_text(repeats, (uint64_t)l->iterations),
                           prvcut_count_text(most, ITERATIONS_MOST));
    }
    return PRVCUT_OK;
}

static enum prvcut_status srch_choose(struct prvcut_search *s, const struct prvcut_search_input *in,
                                      struct prvcut_error *err)
{
    const struct prvcut_witness *w;
    bool same = false;
    enum prvcut_status st = PRVCUT_OK;

    if (in->cut_short) {
        srch_leave_last(&s->calls, in);
        srch_leave_last(&s->separation.calls, in);
    } else if (in->to_end) {
        st = prvcut_search_close(&s->calls, in, err);
        if (st == PRVCUT_OK)
            st = prvcut_search_close(&s->separation.calls, in, err);
    }
    if (st == PRVCUT_OK)
        st = prvcut_search_leave_apart(s, err);
    if (st < 0)
        return st;
    for (size_t i = 0; i < s->witnesses; i++)
        if (s->witness[i].calls)
            s->witness[i].loop = s->calls.loop;
    prvcut_vote(&s->verdict, s->witness, s->witnesses, s->set);
    s->confidence = s->verdict.confidence;
    if (s->verdict.found) {
        s->loop = s->witness[s->verdict.chosen].loop;
        srch_extend(s, in->cut_short);
    }
    if (in->period_ns > 0)
        st = prvcut_search_join_given(&same, s, in->period_ns, err);
    if (st < 0)
        return st;
    if (same || prvcut_search_join(s))
        srch_extend(s, in->cut_short);
    if (in->period_ns > 0 && !same)
        st = srch_take_given(s, in, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_nested(s, in, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_twice(s, in, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_halves(s, in, err);
    if (st == PRVCUT_OK && in->period_ns == 0 && !s->separation.two)
        st = prvcut_search_rounds(s, err);
    if (st < 0 || !s->verdict.found)
        return st;
    w = &s->witness[s->verdict.chosen];
    s->by_calls = w->calls && fabs(w->loop.period_ns / s->loop.period_ns - 1) < SAME;
    if (in->period_ns > 0)
        s->confidence = NAN;
    return st;
}

/* Calls that are all equal say that something repeats, not how many of them are one iteration. */
static void srch_bound_sure(struct prvcut_search *s, double most)
{
    if (s->verdict.found && s->witness[s->verdict.chosen].calls && s->confidence > most)
        s->confidence = s->verdict.confidence = most;
}

enum prvcut_status prvcut_search_find(struct prvcut_search *out,
                                      const struct prvcut_search_input *in,
                                      const struct prvcut_run *run, struct prvcut_error *err)
{
    struct asking a = { .out = out, .in = in, .run = run };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    out->set = in->set;
    srch_list_witnesses(&a);
    a.sights = prvcut_zeroed(out->witnesses + 1, sizeof *a.sights, "signals", err);
    st = a.sights ? srch_ask(&a, err) : PRVCUT_ENOMEM;
    if (st >= 0)
        st = srch_let_signals_agree(&a, err);
    if (st >= 0)
        st = prvcut_search_groups(out, a.part, in->sequences, err);
    for (size_t i = 0; a.sights && i < out->witnesses; i++)
        prvcut_signal_sights_fini(&a.sights[i]);
    if (st >= 0)
        st = srch_choose(out, in, err);
    if (st >= 0 && a.equal.found)
        srch_bound_sure(out, a.equal.sure);
    prvcut_call_equal_fini(&a.equal);
    free(a.sights);
    free(a.part);
    return st;
}

void prvcut_search_fini(struct prvcut_search *s)
{
    prvcut_call_loop_fini(&s->calls);
    prvcut_separation_fini(&s->separation);
    for (size_t i = 0; i < s->witnesses; i++)
        free(s->border[i].at);
    memset(s, 0, sizeof *s);
}

const struct prvcut_signal *prvcut_search_reference(const struct prvcut_search *s,
                                                    const struct prvcut_search_input *in)
{
    const struct prvcut_signal *best = NULL;
    double strength = -1;

    for (size_t i = 0; i < s->witnesses; i++) {
        const struct prvcut_witness *w = &s->witness[i];
        const double own = w->stand == PRVCUT_STAND_CHOSEN || w->stand == PRVCUT_STAND_AGREES
                               ? w->loop.strength
                               : 0;

        if (!w->calls && in->signal[w->metric].at && own > strength) {
            best = &in->signal[w->metric];
            strength = own;
        }
    }
    return best;
}
