#include "structure/call_equal.h"

#include "base/memory.h"
#include "dsp/correlation.h"
#include "dsp/order.h"
#include "structure/call_follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Iterations of one call and of three look the same where calls tell nothing but that they are
 * calls: then no number of them is sure. Distances that repeat with a number tell it, but not
 * whether that is a loop inside another one, or several iterations of which the last is longer. Set
 * by hand on made traces of states (tests/structure/check_call_equal): one to five bursts an
 * iteration, with and without noise.
 *
 * name      value      unit            decides
 */
#define LEAST  24  /* calls of a thread, of which distances tell something */
#define OTHERS 3   /* calls of other kinds, at most: a run begins and ends with some */
#define TIMES  4   /* iterations, at least */
#define NUMBER 64  /* calls in an iteration, at most: places are bits of a word */
#define CLEAR  0.1 /* autocorrelation by which a number is above all smaller ones, ... */
#define CHANCE 6   /* ... and in spreads of what chance makes */
#define OF_BEST                                                                                    \
    0.7               /* of the best autocorrelation: the smallest number with so much counts, ... \
                       */
#define AGAIN    0.7  /* ... if so much of it is left at twice the number */
#define CLIP     4    /* usual deviations beyond which a distance is as any other so far off */
#define USUAL    0.1  /* deviation of the logarithms, at least, that is usual */
#define PIECES   16   /* of a thread, of which the clearest tells what iterations look like first */
#define PIECE    32   /* iterations in one */
#define SLIP     8.0  /* nats that a call more or less than usual costs */
#define NOISE    0.02 /* deviation about its place that any distance has */
#define BEGIN    3    /* whole iterations that a loop begins and ends with */
#define PASSES   2    /* what places look like is learnt anew by what was found */
#define APART    0.5  /* of the greatest deviation of a place: the others are all alike */
#define UNKNOWN  0.5  /* confidence, at most, where nothing tells how many make an iteration, ... */
#define BY_TIMES 0.8  /* ... and where their distances do, and nothing else */

/** One thread's distances, and which place of the iteration each is at. */
struct eql_thread {
    double *gap; /* [gaps] logarithms */
    uint8_t *place;
    size_t gaps;
    double like[NUMBER]; /* [number] what is usual at each place */
    double noise;
};

/* --- Which sequences are such ----------------------------------------------------------------- */

/* A call of the kind that most are, if there is such a kind (Boyer and Moore). */
static const struct prvcut_call *eql_most(const struct prvcut_call_sequence *s)
{
    const struct prvcut_call *most = s->at;
    size_t ahead = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (ahead == 0)
            most = &s->at[i];
        if (s->at[i].call == most->call)
            ahead++;
        else
            ahead--;
    }
    return most;
}

static bool eql_is_one(const struct prvcut_call_sequence *s)
{
    const struct prvcut_call *most = eql_most(s);
    size_t others = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct prvcut_call *c = &s->at[i];

        if (c->peer != 0 || c->size != 0 || c->site != 0)
            return false;
        others += c->call != most->call;
    }
    return others <= OTHERS;
}

/* --- The number ------------------------------------------------------------------------------- */

static enum prvcut_status eql_measure(struct eql_thread *t, const struct prvcut_call_sequence *s,
                                      struct prvcut_error *err)
{
    double *work, middle, far;

    t->gaps = s->count - 1;
    t->gap = prvcut_unset(t->gaps, sizeof *t->gap, "calls", err);
    work = prvcut_unset(t->gaps, sizeof *work, "calls", err);
    if (!t->gap || !work) {
        free(work);
        return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < t->gaps; i++)
        t->gap[i] = log(fmax(1, (double)(s->at[i + 1].time - s->at[i].time)));
    memcpy(work, t->gap, t->gaps * sizeof *work);
    middle = prvcut_median(work, t->gaps);
    memcpy(work, t->gap, t->gaps * sizeof *work);
    far = CLIP * fmax(USUAL, PRVCUT_MAD_SCALE * prvcut_mad(work, t->gaps, middle));
    for (size_t i = 0; i < t->gaps; i++)
        t->gap[i] = fmax(middle - far, fmin(middle + far, t->gap[i]));
    free(work);
    return PRVCUT_OK;
}

/* The smallest number with which distances repeat clearly; 1: none. */
static size_t eql_number(const double *like, size_t lags, size_t gaps)
{
    const double enough = fmax(CLEAR, CHANCE / sqrt((double)gaps));
    double best = 0, below = like[1];

    for (size_t m = 2; m < lags; m++)
        best = fmax(best, like[m]);
    for (size_t m = 2; 2 * m < lags && m <= NUMBER; m++) {
        if (like[m] >= OF_BEST * best && like[m] >= fmax(0, below) + enough &&
            like[2 * m] >= AGAIN * like[m])
            return m;
        below = fmax(below, like[m]);
    }
    return 1;
}

/* The same of all threads: the mean of what each says. */
static enum prvcut_status eql_agree(size_t *number, const struct eql_thread *t, size_t threads,
                                    struct prvcut_error *err)
{
    double own[2 * NUMBER + 1], all[2 * NUMBER + 1] = { 0 };
    size_t fewest = SIZE_MAX, asked = 0, lags;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < threads; i++) {
        if (t[i].gap && t[i].gaps < fewest)
            fewest = t[i].gaps;
        asked += t[i].gap != NULL;
    }
    lags = fewest / (TIMES - 1) < 2 * NUMBER ? fewest / (TIMES - 1) + 1 : 2 * NUMBER + 1;
    for (size_t i = 0; st == PRVCUT_OK && i < threads; i++) {
        if (!t[i].gap)
            continue;
        st = prvcut_autocorrelate(own, lags, t[i].gap, t[i].gaps, err);
        for (size_t k = 0; st == PRVCUT_OK && k < lags; k++)
            all[k] += own[k] / (double)asked;
    }
    *number = st == PRVCUT_OK ? eql_number(all, lags, fewest) : 1;
    return st;
}

/* --- Places ----------------------------------------------------------------------------------- */

/* What is usual at each place of some iterations from a distance on; how much that explains. */
static double eql_fold(double like[NUMBER], const double *gap, size_t iterations, size_t number)
{
    const double n = (double)iterations;
    double mean = 0, between = 0, all = 0;

    memset(like, 0, NUMBER * sizeof *like);
    for (size_t i = 0; i < iterations; i++)
        for (size_t k = 0; k < number; k++) {
            const double own = gap[i * number + k];

            like[k] += own / n;
            mean += own / (n * (double)number);
        }
    for (size_t k = 0; k < number; k++)
        between += n * (like[k] - mean) * (like[k] - mean);
    for (size_t i = 0; i < iterations * number; i++)
        all += (gap[i] - mean) * (gap[i] - mean);
    return all > 0 ? between / all : 0;
}

/* What iterations look like, where that is clearest. */
static void eql_first_look(struct eql_thread *t, size_t number)
{
    const size_t whole = t->gaps / number, each = whole < PIECE ? whole : PIECE;
    double best = -1, like[NUMBER];

    for (size_t i = 0; i < PIECES; i++) {
        const double told =
            eql_fold(like, &t->gap[i * (t->gaps - each * number) / (PIECES - 1)], each, number);

        if (told <= best)
            continue;
        best = told;
        memcpy(t->like, like, sizeof like);
    }
}

/* What is usual at each place, by the places that were found. */
static void eql_learn(struct eql_thread *t, size_t number)
{
    double sum[NUMBER] = { 0 }, count[NUMBER] = { 0 }, square = 0;

    for (size_t i = 0; i < t->gaps; i++) {
        sum[t->place[i]] += t->gap[i];
        count[t->place[i]]++;
    }
    for (size_t k = 0; k < number; k++)
        if (count[k] > 0)
            t->like[k] = sum[k] / count[k];
    for (size_t i = 0; i < t->gaps; i++)
        square += pow(t->gap[i] - t->like[t->place[i]], 2);
    t->noise = fmax(NOISE, sqrt(square / (double)t->gaps));
}

static size_t eql_least(const double *cost, size_t number)
{
    size_t least = 0;

    for (size_t k = 1; k < number; k++)
        if (cost[k] < cost[least])
            least = k;
    return least;
}

/*
 * The likeliest places (Viterbi): one follows the other, a slip is a call more or less. slipped[i]:
 * bit k, whether place k at distance i comes by a slip from from[i].
 */
static void eql_walk(struct eql_thread *t, size_t number, uint64_t *slipped, uint8_t *from)
{
    const double scale = 1 / (2 * t->noise * t->noise);
    double cost[NUMBER] = { 0 }, next[NUMBER];

    for (size_t i = 0; i < t->gaps; i++) {
        const size_t least = eql_least(cost, number);

        from[i] = (uint8_t)least;
        slipped[i] = 0;
        for (size_t k = 0; k < number; k++) {
            const double off = t->gap[i] - t->like[k];
            const double on = cost[k > 0 ? k - 1 : number - 1], slip = cost[least] + SLIP;

            if (i > 0 && slip < on)
                slipped[i] |= (uint64_t)1 << k;
            next[k] = (i > 0 ? fmin(on, slip) : 0) + fmin(SLIP, off * off * scale);
        }
        memcpy(cost, next, number * sizeof *cost);
    }
    for (size_t i = t->gaps, k = eql_least(cost, number); i-- > 0;) {
        t->place[i] = (uint8_t)k;
        if (slipped[i] >> k & 1)
            k = from[i];
        else
            k = k > 0 ? k - 1 : number - 1;
    }
}

static enum prvcut_status eql_place(struct eql_thread *t, size_t number, struct prvcut_error *err)
{
    uint64_t *slipped = prvcut_unset(t->gaps, sizeof *slipped, "calls", err);
    uint8_t *from = prvcut_unset(t->gaps, sizeof *from, "calls", err);

    t->place = prvcut_unset(t->gaps, sizeof *t->place, "calls", err);
    if (slipped && from && t->place) {
        eql_first_look(t, number);
        for (size_t i = 0; i < t->gaps; i++)
            t->place[i] = (uint8_t)(i % number);
        t->noise = USUAL;
        for (int pass = 0; pass < PASSES; pass++) {
            eql_walk(t, number, slipped, from);
            eql_learn(t, number);
        }
    }
    free(slipped);
    free(from);
    return slipped && from && t->place ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* By how many places one thread's iterations were begun later than another's. */
static size_t eql_later(const double *like, const double *model, size_t number)
{
    double best = HUGE_VAL;
    size_t out = 0;

    for (size_t by = 0; by < number; by++) {
        double off = 0;

        for (size_t k = 0; k < number; k++)
            off += pow(like[k] - model[k + by < number ? k + by : k + by - number], 2);
        if (off >= best)
            continue;
        best = off;
        out = by;
    }
    return out;
}

/* Is there one place that differs, and are all others alike? So look steps of which each so many
   lasts longer. */
static bool eql_one_apart(const double *like, size_t number)
{
    double sorted[NUMBER], middle, first = 0, second = 0;

    memcpy(sorted, like, number * sizeof *sorted);
    middle = prvcut_median(sorted, number);
    for (size_t k = 0; k < number; k++) {
        const double off = fabs(like[k] - middle);

        second = fmax(second, fmin(first, off));
        first = fmax(first, off);
    }
    return number > 2 && second <= APART * first;
}

/* --- Iterations ------------------------------------------------------------------------------- */

/* Does an iteration begin at a call? At the first place, or where it was passed over. */
static bool eql_begins(const struct eql_thread *t, size_t i)
{
    return i == 0 ? t->place[0] == 0 : t->place[i] < t->place[i - 1];
}

/* Is iteration i made of one call at each place? */
static bool eql_is_whole(const struct eql_thread *t, const uint32_t *start, size_t i, size_t number)
{
    if (start[i + 1] - start[i] != number)
        return false;
    /* Behind the last distance nothing tells. */
    for (size_t k = 0; k < number && start[i] + k < t->gaps; k++)
        if (t->place[start[i] + k] != k)
            return false;
    return true;
}

/* So many whole ones begin and end the loop: what comes before and behind them only looks so. */
static bool eql_is_inside(const struct eql_thread *t, const uint32_t *start, size_t from,
                          size_t number)
{
    for (size_t i = from; i < from + BEGIN; i++)
        if (!eql_is_whole(t, start, i, number))
            return false;
    return true;
}

/* The iterations of a thread, and the share of them that are whole. */
static enum prvcut_status eql_track(struct call_track *out, double *whole, struct eql_thread *t,
                                    const struct prvcut_call_sequence *s, size_t number,
                                    struct prvcut_error *err)
{
    uint32_t *start = prvcut_unset(s->count + 1, sizeof *start, "iterations", err);
    size_t n = 0, from = 0, to, all = 0;

    *out = (struct call_track){ .start = start, .room = s->count + 1 };
    *whole = 0;
    if (!start)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < t->gaps; i++)
        if (eql_begins(t, i))
            start[n++] = (uint32_t)i;
    if (n > 0 && s->count - start[n - 1] == number)
        start[n++] = (uint32_t)s->count;
    for (to = n > 0 ? n - 1 : 0; from + BEGIN <= to && !eql_is_inside(t, start, from, number);)
        from++;
    while (to >= from + BEGIN && !eql_is_inside(t, start, to - BEGIN, number))
        to--;
    if (to < from + TIMES) {
        prvcut_call_track_fini(out);
        return PRVCUT_OK;
    }
    for (size_t i = from; i < to; i++)
        all += eql_is_whole(t, start, i, number);
    *whole = (double)all / (double)(to - from);
    memmove(start, &start[from], (to - from + 1) * sizeof *start);
    out->count = to - from;
    prvcut_call_track_close(out, s);
    return PRVCUT_OK;
}

/* Let places count from the model's first one. */
static void eql_turn(struct eql_thread *t, size_t by, size_t number)
{
    for (size_t i = 0; i < t->gaps; i++)
        t->place[i] = (uint8_t)((t->place[i] + by) % number);
}

/* The places of a thread, named as the model's are. */
static enum prvcut_status eql_name(struct eql_thread *t, const struct eql_thread *model,
                                   size_t begin, size_t number, struct prvcut_error *err)
{
    enum prvcut_status st;

    /* Threads that make as many calls are in step. */
    if (t->gaps == model->gaps) {
        t->place = prvcut_copied(model->place, t->gaps, "calls", err);
        return t->place ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    st = eql_place(t, number, err);
    if (st == PRVCUT_OK)
        eql_turn(t, begin + eql_later(t->like, model->like, number), number);
    return st;
}

static const struct eql_thread *eql_model(const struct eql_thread *t, size_t threads)
{
    const struct eql_thread *model = NULL;

    for (size_t i = 0; i < threads; i++)
        if (t[i].gap && (!model || t[i].gaps > model->gaps))
            model = &t[i];
    return model;
}

/* The loop of that number, in tracks that are empty yet. */
static enum prvcut_status eql_follow(struct prvcut_call_equal *e, struct eql_thread *t,
                                     struct call_track *track, const struct prvcut_call_sequence *s,
                                     size_t sequences, struct prvcut_error *err)
{
    const struct eql_thread *model = eql_model(t, sequences);
    struct eql_thread *first = &t[model - t];
    enum prvcut_status st = eql_place(first, e->number, err);
    double whole, strength = 0;
    size_t begin, asked = 0;

    if (st < 0)
        return st;
    e->sure = eql_one_apart(model->like, e->number) ? UNKNOWN : BY_TIMES;
    /* The first call begins an iteration. */
    begin = e->number - model->place[0];
    eql_turn(first, begin, e->number);
    for (size_t i = 0; st == PRVCUT_OK && i < sequences; i++) {
        if (!t[i].gap)
            continue;
        if (&t[i] != first)
            st = eql_name(&t[i], model, begin, e->number, err);
        if (st == PRVCUT_OK)
            st = eql_track(&track[i], &whole, &t[i], &s[i], e->number, err);
        strength += st == PRVCUT_OK ? whole : 0;
        asked++;
    }
    if (st < 0)
        return st;
    prvcut_call_tracks_align(track, s, sequences, TIMES);
    st = prvcut_call_loop_of_tracks(&e->loop, track, s, sequences, strength / (double)asked, err);
    if (!e->loop.loop.found)
        e->number = 1;
    e->loop.separated = false;
    e->loop.alphabet = "call";
    return st;
}

static enum prvcut_status eql_loop(struct prvcut_call_equal *e, struct eql_thread *t,
                                   const struct prvcut_call_sequence *s, size_t sequences,
                                   struct prvcut_error *err)
{
    struct call_track *track = prvcut_zeroed(sequences, sizeof *track, "sequences", err);
    enum prvcut_status st = track ? eql_follow(e, t, track, s, sequences, err) : PRVCUT_ENOMEM;

    for (size_t i = 0; track && i < sequences; i++)
        prvcut_call_track_fini(&track[i]);
    free(track);
    return st;
}

enum prvcut_status prvcut_call_equal_find(struct prvcut_call_equal *out,
                                          const struct prvcut_call_sequence *sequence,
                                          size_t sequences, struct prvcut_error *err)
{
    struct eql_thread *t;
    size_t most = 0;
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct prvcut_call_equal){ .number = 1, .sure = UNKNOWN };
    for (size_t i = 0; i < sequences; i++) {
        if (!eql_is_one(&sequence[i]))
            return PRVCUT_OK;
        most = sequence[i].count > most ? sequence[i].count : most;
    }
    out->found = most > LEAST;
    if (!out->found)
        return PRVCUT_OK;
    t = prvcut_zeroed(sequences, sizeof *t, "sequences", err);
    st = t ? PRVCUT_OK : PRVCUT_ENOMEM;
    for (size_t i = 0; st == PRVCUT_OK && i < sequences; i++)
        if (sequence[i].count > LEAST && 2 * sequence[i].count >= most)
            st = eql_measure(&t[i], &sequence[i], err);
    if (st == PRVCUT_OK)
        st = eql_agree(&out->number, t, sequences, err);
    if (st == PRVCUT_OK && out->number > 1)
        st = eql_loop(out, t, sequence, sequences, err);
    for (size_t i = 0; t && i < sequences; i++) {
        free(t[i].gap);
        free(t[i].place);
    }
    free(t);
    return st;
}

void prvcut_call_equal_fini(struct prvcut_call_equal *e)
{
    prvcut_call_loop_fini(&e->loop);
}
