#include "structure/known.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/words.h"
#include "structure/lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void prvcut_known_loop_fini(struct prvcut_known_loop *f)
{
    prvcut_call_loop_fini(&f->calls);
    for (size_t i = 0; i < f->owned; i++)
        free(f->own[i].at);
    free(f->own);
    if (f->own_signal)
        free(f->signal.at);
    free(f->borders.at);
}

void prvcut_known_loops_fini(struct prvcut_known_loops *f)
{
    for (size_t i = 0; i < f->count; i++)
        prvcut_known_loop_fini(&f->at[i]);
    free(f->at);
    free(f->of_region);
    *f = (struct prvcut_known_loops){ 0 };
}

size_t prvcut_known_loop_leader(const struct prvcut_known_loop *f)
{
    size_t i = 0;

    while (i < f->calls.sequences && f->calls.borders[i] == 0)
        i++;
    return i;
}

const uint64_t *prvcut_known_loop_borders(const struct prvcut_known_loop *f, size_t *borders)
{
    const size_t leader = prvcut_known_loop_leader(f);

    if (leader < f->calls.sequences) {
        *borders = f->calls.borders[leader];
        return f->calls.border[leader];
    }
    *borders = f->borders.count;
    return f->borders.at;
}

static struct prvcut_known_loop *knw_room_for_one(struct prvcut_known_loops *k,
                                                  struct prvcut_error *err)
{
    if (prvcut_grow((void **)&k->at, &k->room, k->count + 1, sizeof *k->at, err) < 0)
        return NULL;
    memset(&k->at[k->count], 0, sizeof k->at[k->count]);
    return &k->at[k->count++];
}

static bool knw_has_calls(const struct prvcut_search_input *in)
{
    for (size_t i = 0; i < in->sequences; i++)
        if (in->sequence[i].count > 0)
            return true;
    return false;
}

uint32_t prvcut_search_absent(const struct prvcut_search_input *in)
{
    uint32_t absent = 0;

    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        if (in->metrics >> i & 1 && !in->signal[i].at)
            absent |= PRVCUT_METRIC_BIT(i);
    return absent | (in->calls && !knw_has_calls(in) ? PRVCUT_METRIC_BIT(PRVCUT_SIGNALS) : 0);
}

static enum prvcut_stand knw_status_of(const struct prvcut_witness *w, uint32_t absent)
{
    return absent >> (w->calls ? PRVCUT_SIGNALS : w->metric) & 1 ? PRVCUT_STAND_ABSENT : w->stand;
}

void prvcut_votes_agree(struct prvcut_vote *vote, size_t votes, double median_ns,
                        const struct prvcut_parameters *set)
{
    for (size_t i = 0; i < votes; i++)
        if (vote[i].period_ns > 0 && vote[i].status != PRVCUT_STAND_CHOSEN &&
            prvcut_vote_same(vote[i].period_ns, median_ns, set))
            vote[i].status = PRVCUT_STAND_AGREES;
}

/* The mean of what the span holds: pauses and disturbances within it count, as in a region. */
static double knw_mean_ns(const struct prvcut_span *span, double iterations)
{
    return (double)(span->end - span->start) / iterations;
}

void prvcut_votes_settle(struct prvcut_vote *vote, size_t votes, const struct prvcut_span *span,
                         double iterations)
{
    for (size_t i = 0; i < votes; i++)
        if (vote[i].status == PRVCUT_STAND_CHOSEN) {
            vote[i].period_ns = knw_mean_ns(span, iterations);
            vote[i].iterations = iterations;
            vote[i].span = *span;
        }
}

enum prvcut_status prvcut_votes_tell(struct prvcut_vote **vote, size_t *votes,
                                     const struct prvcut_witness *witness, size_t witnesses,
                                     uint32_t absent, struct prvcut_error *err)
{
    struct prvcut_vote *out = prvcut_zeroed(witnesses + 1, sizeof *out, "signals", err);

    *votes = 0;
    *vote = out;
    if (!out)
        return PRVCUT_ENOMEM;
    *votes = witnesses;
    for (size_t i = 0; i < witnesses; i++) {
        const struct prvcut_witness *w = &witness[i];

        out[i] = (struct prvcut_vote){
            .metric = w->name,
            .status = knw_status_of(w, absent),
            .period_ns = w->loop.found ? knw_mean_ns(&w->loop.span, w->loop.iterations) : 0,
            .iterations = w->loop.iterations,
            .strength = w->loop.strength,
            .span = w->loop.span,
            .why = w->loop.why ? w->loop.why : ""
        };
    }
    return PRVCUT_OK;
}

bool prvcut_known_loop_is_laid(const struct prvcut_known_loop *f)
{
    return f->found_by == PRVCUT_FOUND_BY_PERIOD;
}

/* The witness that the vote chose. */
static const char *knw_source_of(const struct prvcut_search *s)
{
    return s->verdict.chosen < s->witnesses && s->witness[s->verdict.chosen].loop.found
               ? s->witness[s->verdict.chosen].name
               : prvcut_found_by_text(PRVCUT_FOUND_BY_WINDOWS);
}

/* Borders of a part of the loop only, where others saw more of it, are of no use. */
static bool knw_covers(const struct prvcut_signal_borders *b, const struct prvcut_loop *l)
{
    const double most = 2 * l->period_ns;

    return b->count > 1 && (double)b->at[0] < (double)l->span.start + most &&
           (double)b->at[b->count - 1] + most > (double)l->span.end;
}

enum prvcut_status prvcut_known_loops_add(struct prvcut_known_loops *k, struct prvcut_search *found,
                                          const struct prvcut_search_input *in,
                                          struct prvcut_error *err)
{
    const struct prvcut_signal *reference = prvcut_search_reference(found, in);
    struct prvcut_known_loop *f = knw_room_for_one(k, err);
    const size_t chosen = found->verdict.chosen;

    if (!f)
        return PRVCUT_ENOMEM;
    f->loop = found->loop;
    f->confidence = found->confidence;
    f->rounds = found->rounds;
    f->counted_ns = found->counted_ns;
    f->found_by = in->period_ns > 0 && !found->by_calls
                      ? PRVCUT_FOUND_BY_PERIOD
                      : prvcut_found_by_of(knw_source_of(found), &f->metric);
    for (size_t i = 0; i < in->sequences; i++)
        f->examined += (in->from ? in->to[i] - in->from[i] : in->sequence[i].count) > 0;
    memcpy(f->witness, found->witness, sizeof f->witness);
    f->witnesses = found->witnesses;
    f->absent = prvcut_search_absent(in);
    if (reference)
        f->signal = *reference;
    if (found->by_calls) {
        f->calls = found->calls;
        f->sequence = in->sequence;
        memset(&found->calls, 0, sizeof found->calls);
    } else if (in->period_ns == 0 && chosen < found->witnesses &&
               knw_covers(&found->border[chosen], &f->loop)) {
        f->borders = found->border[chosen];
        found->border[chosen] = (struct prvcut_signal_borders){ 0 };
    }
    return PRVCUT_OK;
}

/* Borders [from, to] of a sequence. */
static enum prvcut_status knw_copy_borders(struct prvcut_call_loop *to,
                                           const struct prvcut_call_loop *l, size_t i, size_t from,
                                           struct prvcut_error *err)
{
    const size_t n = l->borders[i] - from;

    to->border[i] = prvcut_unset(n, sizeof *to->border[i], "borders", err);
    to->start[i] = prvcut_unset(n, sizeof *to->start[i], "borders", err);
    if (!to->border[i] || !to->start[i])
        return PRVCUT_ENOMEM;
    memcpy(to->border[i], l->border[i] + from, n * sizeof *to->border[i]);
    memcpy(to->start[i], l->start[i] + from, n * sizeof *to->start[i]);
    to->borders[i] = n;
    return PRVCUT_OK;
}

/* What comes from an iteration on; `l` keeps what was before. */
static enum prvcut_status knw_split_calls(struct prvcut_call_loop *to, struct prvcut_call_loop *l,
                                          size_t at, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *to = (struct prvcut_call_loop){ .loop = l->loop,
                                     .alphabet = l->alphabet,
                                     .calls_per_iteration = l->calls_per_iteration,
                                     .followers = l->followers };
    if (l->sequences == 0)
        return PRVCUT_OK;
    to->border = prvcut_zeroed(l->sequences, sizeof *to->border, "sequences", err);
    to->borders = prvcut_zeroed(l->sequences, sizeof *to->borders, "sequences", err);
    to->start = prvcut_zeroed(l->sequences, sizeof *to->start, "sequences", err);
    to->sequences = l->sequences;
    if (!to->border || !to->borders || !to->start)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; st == PRVCUT_OK && i < l->sequences; i++)
        if (l->borders[i] > at)
            st = knw_copy_borders(to, l, i, at, err);
    for (size_t i = 0; st == PRVCUT_OK && i < l->sequences; i++)
        if (l->borders[i] > at)
            l->borders[i] = at + 1;
    return st;
}

static enum prvcut_status knw_split_signal(struct prvcut_signal_borders *to,
                                           struct prvcut_signal_borders *b, size_t at,
                                           struct prvcut_error *err)
{
    *to = (struct prvcut_signal_borders){ 0 };
    if (b->count <= at)
        return PRVCUT_OK;
    to->at = prvcut_unset(b->count - at, sizeof *to->at, "borders", err);
    if (!to->at)
        return PRVCUT_ENOMEM;
    to->count = b->count - at;
    memcpy(to->at, b->at + at, to->count * sizeof *to->at);
    b->count = at + 1;
    return PRVCUT_OK;
}

/* Period and number of iterations of one part; so many more follow the known ones. */
static enum prvcut_status knw_measure(struct prvcut_known_loop *f, double rest,
                                      struct prvcut_error *err)
{
    struct prvcut_lengths l;
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);
    enum prvcut_status st = prvcut_lengths_measure(&l, border, borders, NULL, 0, err);

    f->loop.period_ns = l.mean;
    f->loop.median_ns = l.median;
    f->loop.iterations = (double)(borders - 1) + rest;
    f->calls.loop = f->loop;
    return st;
}

enum prvcut_status prvcut_known_loops_split(struct prvcut_known_loops *k, size_t which, size_t at,
                                            struct prvcut_error *err)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(&k->at[which], &borders);
    struct prvcut_known_loop *first, *second;
    uint64_t middle;
    double rest;
    enum prvcut_status st;

    if (borders < 2 || at == 0 || at + 1 >= borders)
        return PRVCUT_OK;
    middle = border[at];
    rest = fmax(0, k->at[which].loop.iterations - (double)(borders - 1));
    second = knw_room_for_one(k, err);
    if (!second)
        return PRVCUT_ENOMEM;
    first = &k->at[which];
    *second = *first;
    /* What is owned is not shared. */
    second->own = NULL;
    second->owned = 0;
    second->own_signal = false;
    second->number = 0;
    second->borders = (struct prvcut_signal_borders){ 0 };
    st = knw_split_calls(&second->calls, &first->calls, at, err);
    if (st == PRVCUT_OK)
        st = knw_split_signal(&second->borders, &first->borders, at, err);
    first->loop.span.end = second->loop.span.start = middle;
    if (st == PRVCUT_OK)
        st = knw_measure(first, 0, err);
    return st < 0 ? st : knw_measure(second, rest, err);
}
