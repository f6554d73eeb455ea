#include "structure/signal_track.h"

#include "base/checked.h"
#include "base/inner.h"
#include "base/memory.h"
#include "dsp/order.h"
#include "dsp/peaks.h"
#include "dsp/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FINE_ROOM = 1 << 15, /* below this many samples the next finer level is affordable */
    MODEL_ROOM = 8 * SIGNAL_BAND + 8,
    ROUNDS = 3,
};

/* A match worse than this costs the chain more than it gains. */
static const double indifference = 0.35;
/* Cost of an interval: stiffness * ln(interval / lag)^2. */
static const double stiffness = 2;
/* Cost of leaving something out between two iterations: at once, and for each lag. */
static const double gap_once = 0.5, gap_each = 0.1;

/* Matches worse than this share of the usual are no iterations if their length is odd, too. */
static const double poor = 0.4;
/* Matches worse than this share of the usual do not begin or end a loop. */
static const double weak = 0.65;
/* Lengths that differ by less than this share are never odd. */
static const double least_odd = 0.08;

/* An interval that is longer than the median by more than this share holds a pause. */
static const double pause_share = 0.75;

static const size_t nowhere = SIZE_MAX;

/** A level's whitened samples and what the dynamic programming knows of each. */
struct chain {
    double *at;     /* [n] */
    double *energy; /* [n + 1]: running sum of squares */
    double *match;  /* [n]: correlation with the model */
    size_t *place;  /* [places]: samples at which an iteration may start */
    double *best;   /* [places]: score of the best chain that ends here */
    size_t *before; /* [places]: number of its last place but one, or nowhere */
    double *cost;   /* [2 * lag]: of an interval */
    size_t n, lag, places;
    double model[MODEL_ROOM];
};

static double stk_window_energy(const struct chain *c, size_t from)
{
    return c->energy[from + c->lag] - c->energy[from] + signal_hush * (double)c->lag;
}

static double stk_dot(const double *a, const double *b, size_t n)
{
    double sum;

    prvcut_inner_reads(a, n * sizeof *a);
    prvcut_inner_reads(b, n * sizeof *b);
    prvcut_vector_loops()->match(&sum, 1, a, b, n);
    return sum;
}

static double stk_coefficient(double product, double a, double b)
{
    return product / sqrt(a * b);
}

/**
 * The first place from `t` on, of those before `end`, whose likeness to what is a lag later could
 * exceed the best so far; *sum: about the products there, followed from place to place. It is
 * judged by squares, which leave out the roots; rounding errors are far below `slack`.
 */
PRVCUT_INNER static size_t stk_next_better(const struct chain *c, size_t t, size_t end, double best,
                                           double *sum)
{
    const double slack = 1e-6, lag = (double)c->lag, hush = signal_hush * lag;
    const double least = best > 2 * slack ? (best - slack) * (best - slack) : -1;

    for (; t < end; t++) {
        const double *at = c->at + t, *energy = c->energy + t;
        const double a = energy[c->lag] - energy[0] + hush;
        const double b = energy[2 * c->lag] - energy[c->lag] + hush, low = a < b ? a : b;

        if (least < 0 || (*sum > 0 && *sum * *sum * (low < lag ? low / lag : 1) > least * a * b))
            return t;
        if (t + 1 < end)
            *sum += at[c->lag] * at[2 * c->lag] - at[0] * at[c->lag];
    }
    return end;
}

/** Model the iteration that is most like the one a lag later, within [from, to). */
static bool stk_choose_model(struct chain *c, size_t from, size_t to)
{
    const size_t end = to >= from + 2 * c->lag ? to - 2 * c->lag + 1 : from;
    double best = 0, sum = from < end ? stk_dot(c->at + from, c->at + from + c->lag, c->lag) : 0;
    size_t place = nowhere;

    if (from < end) {
        prvcut_inner_reads(c->at + from, (to - from) * sizeof *c->at);
        prvcut_inner_reads(c->energy + from, (to - from + 1) * sizeof *c->energy);
    }
    for (size_t t = from; t < end; t++) {
        double r;

        t = stk_next_better(c, t, end, best, &sum);
        if (t == end)
            break;
        r = stk_coefficient(stk_dot(c->at + t, c->at + t + c->lag, c->lag), stk_window_energy(c, t),
                            stk_window_energy(c, t + c->lag));
        r *= sqrt(fmin(1, fmin(stk_window_energy(c, t), stk_window_energy(c, t + c->lag)) /
                              (double)c->lag));
        if (r > best) {
            best = r;
            place = t;
        }
        if (t + 1 < end)
            sum += c->at[t + c->lag] * c->at[t + 2 * c->lag] - c->at[t] * c->at[t + c->lag];
    }
    if (place == nowhere)
        return false;
    for (size_t j = 0; j < c->lag; j++)
        c->model[j] = c->at[place + j] + c->at[place + c->lag + j];
    return true;
}

static void stk_match_model(struct chain *c, size_t from, size_t to)
{
    const struct prvcut_vector *loops = prvcut_vector_loops();
    const double own = stk_dot(c->model, c->model, c->lag) + 1e-9;
    const size_t last = c->n >= c->lag ? c->n - c->lag + 1 : 0, end = to < last ? to : last;

    if (from < end) {
        prvcut_inner_reads(c->at + from, (end - from + c->lag - 1) * sizeof *c->at);
        prvcut_inner_reads(c->match + from, (end - from) * sizeof *c->match);
        prvcut_inner_reads(c->energy + from, (end - from + c->lag) * sizeof *c->energy);
        loops->match(c->match + from, end - from, c->at + from, c->model, c->lag);
        loops->scale(c->match + from, end - from, c->energy + from, c->lag, own,
                     signal_hush * (double)c->lag);
    }
    for (size_t t = end > from ? end : from; t < to; t++)
        c->match[t] = 0;
}

/** Only where the match has a maximum may an iteration start. */
PRVCUT_INNER static size_t track_maxima(size_t *restrict place, const double *restrict match,
                                        size_t from, size_t end, size_t to)
{
    size_t count = 0;

    for (size_t t = from; t < end; t++)
        if ((t == from || match[t] > match[t - 1]) && (t + 1 == to || match[t] >= match[t + 1]))
            place[count++] = t;
    return count;
}

static void stk_list_places(struct chain *c, size_t from, size_t to)
{
    const size_t last = c->n >= c->lag ? c->n - c->lag + 1 : 0, end = to < last ? to : last;

    if (from < end)
        prvcut_inner_reads(c->match + from, (to - from) * sizeof *c->match);
    prvcut_inner_reads(c->place, c->n * sizeof *c->place);
    c->places = track_maxima(c->place, c->match, from, end, to);
}

/** What a chain that ends at place k is worth at sample t, beyond a gap. */
static double stk_worth_after_gap(const struct chain *c, size_t k, size_t t)
{
    return c->best[k] - gap_once - gap_each * (double)(t - c->place[k]) / (double)c->lag;
}

/** Extend the best chains over the places of [from, to); returns where the best of all ends. */
static size_t stk_link_places(struct chain *c, size_t from, size_t to)
{
    const size_t near = (c->lag + 1) / 2, far = 2 * c->lag;
    size_t end = nowhere, old = 0, skipped = 0;

    stk_list_places(c, from, to);
    for (size_t i = 0; i < c->places; i++) {
        const size_t t = c->place[i];
        double best = 0;
        size_t before = nowhere;

        /* Places before `old` are out of reach, but for a gap: the best of them is `skipped`. */
        for (; t - c->place[old] >= far; old++)
            if (stk_worth_after_gap(c, old, t) > stk_worth_after_gap(c, skipped, t))
                skipped = old;
        if (old > 0 && stk_worth_after_gap(c, skipped, t) > 0) {
            best = stk_worth_after_gap(c, skipped, t);
            before = skipped;
        }
        for (size_t k = old; k < i && t - c->place[k] >= near; k++)
            if (c->best[k] - c->cost[t - c->place[k]] > best) {
                best = c->best[k] - c->cost[t - c->place[k]];
                before = k;
            }
        c->best[i] = best + c->match[t] - indifference;
        c->before[i] = before;
        if (c->best[i] > 0 && (end == nowhere || c->best[i] > c->best[end]))
            end = i;
    }
    return end;
}

/** Average the iterations of the chain that ends here; returns their number. */
static size_t stk_average_model(struct chain *c, size_t end)
{
    size_t count = 0;

    memset(c->model, 0, sizeof c->model);
    for (size_t i = end; i != nowhere; i = c->before[i]) {
        const size_t t = c->place[i];
        const double loudness = sqrt(stk_window_energy(c, t));

        count++;
        for (size_t j = 0; j < c->lag; j++)
            c->model[j] += c->at[t + j] / loudness;
    }
    return count;
}

static double stk_refine(const struct chain *c, size_t t)
{
    double x, y;

    if (t == 0 || t + 1 >= c->n || c->match[t] < c->match[t - 1] || c->match[t] < c->match[t + 1])
        return (double)t;
    prvcut_parabola(c->match[t - 1], c->match[t], c->match[t + 1], &x, &y);
    return (double)t + x;
}

/** One iteration as the chain has it. */
struct link {
    size_t at;    /* sample */
    double start; /* refined */
    double match;
};

static bool stk_is_odd(double interval, const struct signal_track *t)
{
    return fabs(interval - t->median) > t->median * fmax(least_odd, 4 * t->spread);
}

/** Intervals of the links and what is usual among them; room: count doubles. */
static void stk_measure(struct signal_track *t, const struct link *links, double *room)
{
    double even = 0, usual = 0;
    size_t usuals = 0;

    t->mean = t->median = t->spread = t->even = 0;
    if (t->count < 2)
        return;
    for (size_t k = 0; k + 1 < t->count; k++)
        room[k] = links[k + 1].start - links[k].start;
    t->median = prvcut_median(room, t->count - 1);
    for (size_t k = 0; k + 1 < t->count; k++) {
        const double ratio = room[k] / t->median;

        even += fabs(ratio - 1) < 0.25 ? room[k] : 0;
        if (fabs(ratio - 1) < pause_share) {
            usual += room[k];
            usuals++;
        }
    }
    t->even = even / (links[t->count - 1].start - links[0].start);
    t->mean = usuals > 0 ? usual / (double)usuals : t->median;
    t->spread = prvcut_mad(room, t->count - 1, t->median) / t->median;
}

/**
 * Drop what only filled a gap (it neither looks like an iteration nor is as long as one), and what
 * an odd interval parts from either end: a rehearsal before the loop, a last step after it.
 */
static void stk_prune(struct signal_track *t, struct link *links, double *room)
{
    size_t kept = 1, first = 0;
    double usual;

    for (size_t k = 0; k < t->count; k++)
        room[k] = links[k].match;
    usual = prvcut_median(room, t->count);
    stk_measure(t, links, room);
    for (size_t k = 1; k + 1 < t->count; k++) {
        const bool odd = stk_is_odd(links[k + 1].start - links[k].start, t) ||
                         stk_is_odd(links[k].start - links[kept - 1].start, t);

        if (links[k].match >= poor * usual || !odd)
            links[kept++] = links[k];
    }
    if (t->count > 1)
        links[kept++] = links[t->count - 1];
    t->count = kept;
    stk_measure(t, links, room);
    for (size_t k = 0; k < 3 && 2 * (k + 1) < t->count; k++) {
        if (stk_is_odd(links[k + 1].start - links[k].start, t))
            first = k + 1;
        if (stk_is_odd(links[t->count - k - 1].start - links[t->count - k - 2].start, t))
            kept = t->count - k - 1;
    }
    while (first + 2 < kept && links[first].match < weak * usual)
        first++;
    while (first + 2 < kept && links[kept - 1].match < weak * usual)
        kept--;
    memmove(links, links + first, (kept - first) * sizeof *links);
    t->count = kept - first;
    stk_measure(t, links, room);
}

/** The iterations of the chain that ends here; links has room for them. */
static void stk_take_links(struct signal_track *out, const struct chain *c, size_t end,
                           size_t offset, struct link *links)
{
    size_t k = out->count;

    for (size_t i = end; i != nowhere; i = c->before[i]) {
        const size_t t = c->place[i];

        links[--k] = (struct link){ t, stk_refine(c, t) + (double)offset, c->match[t] };
    }
    stk_prune(out, links, out->start);
}

static void stk_take_chain(struct signal_track *out, const struct chain *c,
                           const struct link *links)
{
    out->from = links[0].start;
    out->to = links[out->count - 1].start + out->median;
    out->total = (double)out->count;
    for (size_t k = 0; k < out->count; k++) {
        const size_t t = links[k].at;

        out->start[k] = links[k].start;
        out->fit += links[k].match / (double)out->count;
        if (k > 0)
            out->likeness +=
                stk_coefficient(stk_dot(c->at + t, c->at + links[k - 1].at, c->lag),
                                stk_window_energy(c, t), stk_window_energy(c, links[k - 1].at)) /
                (double)(out->count - 1);
    }
}

/**
 * Iterations that the chain passed over because they resemble nothing: a long interval holds as
 * many as its share of the changes of the signal tells; a true pause holds none.
 */
static double stk_count_missed(const struct signal_track *t, const struct signal_scales *s)
{
    double usual = 0, missed = 0;
    size_t usuals = 0;

    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = 0; k + 1 < t->count; k++) {
            const double ratio = (t->start[k + 1] - t->start[k]) / t->median;
            const double share =
                prvcut_signal_scales_share(s, t->level, t->start[k], t->start[k + 1]);

            if (pass == 0 && ratio < 1 + pause_share) {
                usual += share;
                usuals++;
            } else if (pass == 1 && ratio >= 1 + pause_share && usual > 0) {
                missed += fmax(0, floor(fmin(ratio, share * (double)usuals / usual) - 0.5));
            }
        }
    return missed;
}

static enum prvcut_status stk_make_room(struct chain *c, struct prvcut_error *err)
{
    c->at = prvcut_unset(c->n, sizeof *c->at, "steps of a loop", err);
    c->energy = prvcut_unset(c->n + 1, sizeof *c->energy, "steps of a loop", err);
    c->match = prvcut_unset(c->n, sizeof *c->match, "steps of a loop", err);
    c->place = prvcut_unset(c->n, sizeof *c->place, "steps of a loop", err);
    c->best = prvcut_unset(c->n, sizeof *c->best, "steps of a loop", err);
    c->before = prvcut_unset(c->n, sizeof *c->before, "steps of a loop", err);
    c->cost = prvcut_unset(2 * c->lag, sizeof *c->cost, "steps of a loop", err);
    if (!c->at || !c->energy || !c->match || !c->place || !c->best || !c->before || !c->cost)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

PRVCUT_INNER static void track_energy(double *restrict energy, const double *restrict at, size_t n)
{
    double sum = 0;

    energy[0] = 0;
    for (size_t i = 0; i < n; i++)
        energy[i + 1] = sum += at[i] * at[i];
}

static void stk_fill_chain(struct chain *c, const double *in)
{
    prvcut_signal_whiten(c->at, in, c->n, 2 * c->lag, c->energy);
    track_energy(c->energy, c->at, c->n);
    for (size_t d = 1; d < 2 * c->lag; d++) {
        const double x = log((double)d / (double)c->lag);

        c->cost[d] = stiffness * x * x;
    }
}

/** Three rounds: the first inside the candidate's own stretch, the others everywhere. */
static size_t stk_follow(struct chain *c, size_t from, size_t to, size_t *count)
{
    size_t end = nowhere;

    *count = 0;
    if (!stk_choose_model(c, from, to))
        return nowhere;
    for (size_t round = 0; round < ROUNDS; round++) {
        const size_t low = round == 0 ? from : 0, high = round == 0 ? to : c->n;

        stk_match_model(c, low, high);
        end = stk_link_places(c, low, high);
        if (end == nowhere)
            return nowhere;
        *count = stk_average_model(c, end);
    }
    return end;
}

/** Level, window [first, first + c->n) and, inside it, stretch[2] to follow a candidate in. */
static size_t stk_choose_window(struct signal_track *out, struct chain *c, size_t stretch[2],
                                const struct signal_scales *scales,
                                const struct signal_candidate *candidate)
{
    double lag = candidate->lag;
    size_t from = candidate->from, to = candidate->to, first = 0, middle;

    out->level = candidate->level;
    while (out->level > 0 && lag < 2 * SIGNAL_BAND + 8 && scales->bins[out->level] <= FINE_ROOM) {
        out->level--;
        from *= 2;
        to *= 2;
        lag *= 2;
    }
    c->lag = (size_t)(lag + 0.5);
    c->n = scales->bins[out->level];
    if (c->n > SIGNAL_TRACK_ROOM) {
        middle = from + (to - from) / 2;
        first = middle > SIGNAL_TRACK_ROOM / 2 ? middle - SIGNAL_TRACK_ROOM / 2 : 0;
        first = first + SIGNAL_TRACK_ROOM < c->n ? first : c->n - SIGNAL_TRACK_ROOM;
        c->n = SIGNAL_TRACK_ROOM;
    }
    out->window[0] = first;
    out->window[1] = first + c->n;
    stretch[0] = from > first ? from - first : 0;
    stretch[1] = to - first < c->n ? to - first : c->n;
    return first;
}

static void stk_release(struct chain *c)
{
    free(c->at);
    free(c->energy);
    free(c->match);
    free(c->place);
    free(c->best);
    free(c->before);
    free(c->cost);
}

enum prvcut_status prvcut_signal_track_find(struct signal_track *out,
                                            const struct signal_scales *scales,
                                            const struct signal_candidate *candidate,
                                            struct prvcut_error *err)
{
    struct chain c = { 0 };
    struct link *links = NULL;
    size_t stretch[2], first, end = nowhere;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    first = stk_choose_window(out, &c, stretch, scales, candidate);
    st = stk_make_room(&c, err);
    if (st == PRVCUT_OK) {
        stk_fill_chain(&c, scales->level[out->level] + first);
        end = stk_follow(&c, stretch[0], stretch[1], &out->count);
    }
    if (end == nowhere) {
        out->count = 0;
    } else {
        out->start = prvcut_unset(out->count, sizeof *out->start, "iterations", err);
        links = prvcut_unset(out->count, sizeof *links, "iterations", err);
        st = out->start && links ? PRVCUT_OK : PRVCUT_ENOMEM;
        if (st == PRVCUT_OK) {
            stk_take_links(out, &c, end, first, links);
            stk_take_chain(out, &c, links);
            out->missed = stk_count_missed(out, scales);
            out->total += out->missed;
        }
    }
    if (st != PRVCUT_OK)
        prvcut_signal_track_fini(out);
    free(links);
    stk_release(&c);
    return st;
}

void prvcut_signal_track_fini(struct signal_track *t)
{
    free(t->start);
    memset(t, 0, sizeof *t);
}
