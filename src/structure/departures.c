#include "structure/departures.h"

#include "base/memory.h"
#include "structure/call_grams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Found by hand on traces of programs that do something more every so many steps (outputs,
 * checkpoints, neighbour lists): tests/structure/check_departures holds them. Kinds bound what is
 * told.
 *
 * name         value   unit             decides
 */
#define DEPART_MOST  0.5  /* share of the iterations that must exceed for a pattern */
#define DEPART_FINE  0.8  /* of the best alphabet's share, with which a finer one is preferred */
#define DEPART_SURE  0.9  /* share of a thread that is asked where the others say too much */
#define DEPART_EVEN  0.8  /* share of the distances that must be multiples of the usual one */
#define DEPART_KINDS 16   /* entries at most */
#define DEPART_LEAST 3    /* departures from which on they can be regular */
#define DEPART_SEEN  0.75 /* of those that a regular one would make, so many must be there */

/* How the calls of an iteration are seen: in an alphabet, or without what repeats at once. */
#define DEPART_VIEWS (CALL_ALPHABETS + 1)

/* What one iteration is in the eyes of the threads. */
struct depart {
    int64_t more; /* calls more than usual of the thread where they differ most */
    bool any;     /* it departs */
    bool calls;   /* not only by sizes, partners or call paths */
};

/* The pattern of one thread. */
struct depart_pattern {
    uint64_t hash;
    double share; /* of the iterations; 0: there is none */
    size_t view;
    size_t calls; /* in an iteration */
};

/* Work space: what each iteration of a thread is, and what all threads say of it. */
struct depart_work {
    const struct prvcut_call_loop *loop;
    const struct prvcut_call_sequence *sequence;
    size_t from, count;
    uint64_t *hash;                 /* [count] */
    struct depart *iteration;       /* [count] */
    struct depart_pattern *pattern; /* [sequences] */
};

static uint64_t depart_hash(const struct prvcut_call *at, size_t count, size_t view)
{
    const bool folded = view == CALL_ALPHABETS;
    const struct call_alphabet *a = &prvcut_call_alphabets[folded ? CALL_ALPHABETS - 1 : view];
    uint64_t out = 0, last = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t symbol = prvcut_call_symbol(&at[i], a);

        if (folded && i > 0 && symbol == last)
            continue;
        out = (out + symbol) * UINT64_C(0x9e3779b97f4a7c15);
        out ^= out >> 32;
        last = symbol;
    }
    return out;
}

static size_t depart_calls(const struct depart_work *w, size_t thread, size_t k)
{
    const uint32_t *start = w->loop->start[thread] + w->from;

    return start[k + 1] - start[k];
}

static void depart_look(struct depart_work *w, size_t thread, size_t view)
{
    const uint32_t *start = w->loop->start[thread] + w->from;

    for (size_t k = 0; k < w->count; k++)
        w->hash[k] =
            depart_hash(w->sequence[thread].at + start[k], depart_calls(w, thread, k), view);
}

/* The one value that more than half of all have, if there is one: pairs that differ cancel. */
static struct depart_pattern depart_majority(const struct depart_work *w, size_t thread)
{
    struct depart_pattern out = { 0 };
    size_t votes = 0, same = 0;

    for (size_t k = 0; k < w->count; k++) {
        if (votes == 0)
            out.hash = w->hash[k];
        votes = out.hash == w->hash[k] ? votes + 1 : votes - 1;
    }
    for (size_t k = 0; k < w->count; k++)
        if (w->hash[k] == out.hash) {
            out.calls = depart_calls(w, thread, k);
            same++;
        }
    out.share = (double)same / (double)w->count;
    if (out.share <= DEPART_MOST)
        out.share = 0;
    return out;
}

/* The pattern in the finest view that shows one about as well as the best does. */
static void depart_pattern_find(struct depart_work *w, size_t thread)
{
    struct depart_pattern seen[DEPART_VIEWS], *out = &w->pattern[thread];
    double best = 0;

    for (size_t v = 0; v < DEPART_VIEWS; v++) {
        depart_look(w, thread, v);
        seen[v] = depart_majority(w, thread);
        seen[v].view = v;
        best = fmax(best, v < CALL_ALPHABETS || best <= 0 ? seen[v].share : 0);
    }
    *out = (struct depart_pattern){ 0 };
    for (size_t v = 0; v < DEPART_VIEWS && best > 0 && out->share <= 0; v++)
        if (seen[v].share >= DEPART_FINE * best)
            *out = seen[v];
}

/* Note what departs from the thread's pattern. */
static void depart_mark(struct depart_work *w, size_t thread)
{
    const struct depart_pattern *p = &w->pattern[thread];

    depart_look(w, thread, p->view);
    for (size_t k = 0; k < w->count; k++) {
        struct depart *d = &w->iteration[k];
        int64_t more = (int64_t)depart_calls(w, thread, k) - (int64_t)p->calls;

        if (w->hash[k] == p->hash)
            continue;
        d->any = true;
        d->calls = d->calls || more != 0 || p->view >= CALL_ALPHABETS - 1;
        if (llabs(more) > llabs(d->more) || (llabs(more) == llabs(d->more) && more > d->more))
            d->more = more;
    }
}

/* Ask all threads that are so sure of their pattern. How many iterations depart? */
static size_t depart_ask(struct depart_work *w, double sure)
{
    size_t out = 0;

    memset(w->iteration, 0, w->count * sizeof *w->iteration);
    for (size_t i = 0; i < w->loop->sequences; i++)
        if (w->pattern[i].share > 0 && w->pattern[i].share >= sure)
            depart_mark(w, i);
    for (size_t k = 0; k < w->count; k++)
        out += w->iteration[k].any;
    return out;
}

static int depart_order_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Distance at which they come; 0 where they do not come evenly. at: [count]; room: the same. */
static uint64_t depart_every(const uint64_t *at, size_t count, size_t iterations, uint64_t *room)
{
    size_t even = 0, gaps = count - 1;
    uint64_t every;

    if (count < DEPART_LEAST)
        return 0;
    for (size_t i = 0; i < gaps; i++)
        room[i] = at[i + 1] - at[i];
    qsort(room, gaps, sizeof *room, depart_order_u64);
    every = room[gaps / 2];
    for (size_t i = 0; i < gaps; i++)
        even += room[i] % every == 0;
    if (every < 2 || (double)even < DEPART_EVEN * (double)gaps ||
        (double)(count * every) < DEPART_SEEN * (double)(at[gaps] - at[0]) ||
        (double)(count * every + 2 * every) < DEPART_SEEN * (double)iterations)
        return 0;
    return every;
}

/* A departing iteration, to be sorted by kind. */
struct depart_one {
    int64_t more;
    uint64_t at;
    bool calls;
};

static int depart_order(const void *a, const void *b)
{
    const struct depart_one *x = a, *y = b;

    if (x->more != y->more)
        return x->more < y->more ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static int depart_order_at(const void *a, const void *b)
{
    const struct depart_one *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

static int depart_sign(int64_t more)
{
    return (more > 0) - (more < 0);
}

/* Put it among the most frequent ones; of equals the earlier. */
static void depart_keep(struct prvcut_departure *out, size_t *count,
                        const struct prvcut_departure *d)
{
    size_t at = *count;

    if (at == DEPART_KINDS) {
        if (d->count <= out[at - 1].count)
            return;
        at--;
    } else {
        (*count)++;
    }
    for (; at > 0 && (out[at - 1].count < d->count ||
                      (out[at - 1].count == d->count && out[at - 1].first > d->first));
         at--)
        out[at] = out[at - 1];
    out[at] = *d;
}

/*
 * One entry for those that belong together. Sizes and partners that differ now and then are data,
 * not a departure; they are one where they come evenly. False: it is none, or (strict) uneven.
 */
static bool depart_entry(struct prvcut_departure *d, const struct depart_one *one, size_t count,
                         const struct depart_work *w, uint64_t *room[2])
{
    size_t calls = 0;

    for (size_t i = 0; i < count; i++) {
        room[0][i] = one[i].at;
        calls += one[i].calls;
    }
    d->first = one[0].at;
    d->count = count;
    d->every = depart_every(room[0], count, w->count, room[1]);
    return d->every > 0 || calls > 0;
}

/*
 * Those with as many calls more or less that come evenly are a kind of their own; what is left is
 * one kind of those with more, one with fewer and one with as many.
 */
static void depart_sort(struct prvcut_departure *out, size_t *count, struct depart_one *one,
                        size_t ones, const struct depart_work *w, uint64_t *room[2])
{
    struct prvcut_departure d;
    size_t kept = 0;

    qsort(one, ones, sizeof *one, depart_order);
    for (size_t i = 0, end; i < ones; i = end) {
        for (end = i + 1; end < ones && one[end].more == one[i].more; end++)
            ;
        d.calls = one[i].more;
        if (depart_entry(&d, &one[i], end - i, w, room) && d.every > 0) {
            depart_keep(out, count, &d);
        } else {
            memmove(&one[kept], &one[i], (end - i) * sizeof *one);
            kept += end - i;
        }
    }
    for (size_t i = 0, end; i < kept; i = end) {
        for (end = i + 1; end < kept && depart_sign(one[end].more) == depart_sign(one[i].more);
             end++)
            ;
        d.calls = one[i + (end - i) / 2].more;
        qsort(&one[i], end - i, sizeof *one, depart_order_at);
        if (depart_entry(&d, &one[i], end - i, w, room))
            depart_keep(out, count, &d);
    }
}

static enum prvcut_status depart_result(struct prvcut_departures *out, const struct depart_work *w,
                                        size_t departing, struct prvcut_error *err)
{
    struct depart_one *one = prvcut_unset(departing, sizeof *one, "iterations", err);
    uint64_t *room[2] = { w->hash, prvcut_unset(departing, sizeof **room, "iterations", err) };
    enum prvcut_status st = PRVCUT_OK;
    size_t n = 0;

    out->at = prvcut_unset(DEPART_KINDS, sizeof *out->at, "iterations", err);
    if (one && room[1] && out->at) {
        for (size_t k = 0; k < w->count; k++)
            if (w->iteration[k].any)
                one[n++] = (struct depart_one){ w->iteration[k].more, k, w->iteration[k].calls };
        depart_sort(out->at, &out->count, one, n, w, room);
    } else {
        st = PRVCUT_ENOMEM;
    }
    if (out->count == 0) {
        free(out->at);
        out->at = NULL;
    }
    free(one);
    free(room[1]);
    return st;
}

static enum prvcut_status depart_find(struct prvcut_departures *out, struct depart_work *w,
                                      struct prvcut_error *err)
{
    size_t departing, threads = 0, alike = 0;

    for (size_t i = 0; i < w->loop->sequences; i++)
        if (w->loop->borders[i] > w->from + w->count) {
            depart_pattern_find(w, i);
            threads++;
            alike += w->pattern[i].share > 0 && w->pattern[i].view < CALL_ALPHABETS;
        }
    out->unlike = 2 * alike < threads;
    departing = depart_ask(w, 0);
    if ((double)departing >= DEPART_MOST * (double)w->count)
        departing = depart_ask(w, DEPART_SURE);
    out->unlike |= (double)departing >= DEPART_MOST * (double)w->count;
    if (departing == 0 || (double)departing >= DEPART_MOST * (double)w->count)
        return PRVCUT_OK;
    return depart_result(out, w, departing, err);
}

enum prvcut_status prvcut_departures_find(struct prvcut_departures *out,
                                          const struct prvcut_call_loop *loop,
                                          const struct prvcut_call_sequence *sequence, size_t from,
                                          size_t to, struct prvcut_error *err)
{
    struct depart_work w = { .loop = loop, .sequence = sequence, .from = from };
    enum prvcut_status st;

    *out = (struct prvcut_departures){ .at = NULL };
    if (to < from + DEPART_LEAST || loop->sequences == 0)
        return PRVCUT_OK;
    w.count = to - from;
    w.hash = prvcut_unset(w.count, sizeof *w.hash, "iterations", err);
    w.iteration = prvcut_unset(w.count, sizeof *w.iteration, "iterations", err);
    w.pattern = prvcut_zeroed(loop->sequences, sizeof *w.pattern, "iterations", err);
    if (w.hash && w.iteration && w.pattern)
        st = depart_find(out, &w, err);
    else
        st = PRVCUT_ENOMEM;
    free(w.hash);
    free(w.iteration);
    free(w.pattern);
    return st;
}
