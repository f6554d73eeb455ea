#include "base/memory.h"
#include "structure/call_grams.h"
#include "structure/loop.h"

#include <math.h>
#include <stdlib.h>

/*
 * Samples and pairs bound the time. Likeness was found by hand, on traces whose phases are the same
 * loop at another pace, or another loop of the same calls.
 *
 * name         value   unit             decides
 */
#define SAME_SAMPLES 3 /* iterations of a loop that are looked at: one may be out of the usual */
#define SAME_PAIRS   65536 /* pairs of calls compared of one iteration, about */
#define SAME_LEAST   0.75  /* likeness of two iterations of the same loop */
#define SAME_STEADY  0.9   /* likeness within each loop that an alphabet must show to be used */

/* Pairs of neighbouring calls in one iteration, sorted; the last call is followed by the first. */
struct pairs {
    uint64_t *hash; /* [count]; owned */
    size_t count;
};

static int csm_same_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static uint64_t csm_same_pair(uint64_t first, uint64_t second)
{
    uint64_t x = (first * UINT64_C(0x9e3779b97f4a7c15) + second) * UINT64_C(0xff51afd7ed558ccd);

    return x ^ x >> 32;
}

/* Symbols of an iteration; how often one call is repeated at once (polling) says nothing. */
static size_t csm_same_symbols(uint64_t *symbol, const struct prvcut_call *at, size_t count,
                               const struct call_alphabet *a)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t s = prvcut_call_symbol(&at[i], a);

        if (n == 0 || symbol[n - 1] != s)
            symbol[n++] = s;
    }
    return n;
}

/*
 * Take iteration k of a sequence apart. Of a very long one only the pairs with certain hashes are
 * kept: the same ones wherever it is looked at.
 */
static enum prvcut_status csm_pairs_make(struct pairs *out, const struct prvcut_call_side *s,
                                         size_t thread, size_t k, const struct call_alphabet *a,
                                         struct prvcut_error *err)
{
    const uint32_t *start = s->loop->start[thread] + k;
    size_t calls = start[1] - start[0], n, step = calls / SAME_PAIRS + 1;

    *out = (struct pairs){ .hash = prvcut_unset(calls + 1, sizeof *out->hash, "calls", err) };
    if (!out->hash)
        return PRVCUT_ENOMEM;
    n = csm_same_symbols(out->hash, s->in[thread].at + start[0], calls, a);
    out->hash[n] = n > 0 ? out->hash[0] : 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t hash = csm_same_pair(out->hash[i], out->hash[i + 1]);

        if (hash % step == 0)
            out->hash[out->count++] = hash;
    }
    if (out->count > 0)
        qsort(out->hash, out->count, sizeof *out->hash, csm_same_order);
    return PRVCUT_OK;
}

/* Share of the pairs that both have, 0..1. */
static double csm_pairs_alike(const struct pairs *a, const struct pairs *b)
{
    size_t i = 0, j = 0, both = 0;

    while (i < a->count && j < b->count) {
        if (a->hash[i] == b->hash[j]) {
            both++;
            i++;
            j++;
        } else if (a->hash[i] < b->hash[j]) {
            i++;
        } else {
            j++;
        }
    }
    return a->count + b->count > 0 ? 2 * (double)both / (double)(a->count + b->count) : 0;
}

/* Iterations of one thread to be compared: from the middle of the loop outwards. */
static size_t csm_same_pick(const struct prvcut_call_side *s, size_t thread, size_t i)
{
    size_t iterations = s->loop->borders[thread] - 1;

    return (2 * i + 1) * iterations / (2 * SAME_SAMPLES);
}

static void csm_same_drop(struct pairs *p)
{
    for (size_t i = 0; i < SAME_SAMPLES; i++)
        free(p[i].hash);
}

static enum prvcut_status csm_same_take(struct pairs *out, const struct prvcut_call_side *s,
                                        size_t thread, const struct call_alphabet *a,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < SAME_SAMPLES && st == PRVCUT_OK; i++)
        st = csm_pairs_make(&out[i], s, thread, csm_same_pick(s, thread, i), a, err);
    return st;
}

/* The best likeness between iterations of two loops, or the worst one within a loop. */
static double csm_same_alike(const struct pairs *a, const struct pairs *b)
{
    double best = 0, worst = 1;

    for (size_t i = 0; i < SAME_SAMPLES; i++)
        for (size_t k = 0; k < SAME_SAMPLES; k++) {
            double alike = csm_pairs_alike(&a[i], &b[k]);

            best = fmax(best, alike);
            worst = fmin(worst, alike);
        }
    return a == b ? worst : best;
}

/* How alike the loops are on one thread, and how steady each of them is. */
static enum prvcut_status csm_same_compare(double *across, double *steady,
                                           const struct prvcut_call_side *side[2],
                                           const size_t thread[2], const struct call_alphabet *a,
                                           struct prvcut_error *err)
{
    struct pairs p[2][SAME_SAMPLES] = { 0 };
    enum prvcut_status st = csm_same_take(p[0], side[0], thread[0], a, err);

    if (st == PRVCUT_OK)
        st = csm_same_take(p[1], side[1], thread[1], a, err);
    *across = csm_same_alike(p[0], p[1]);
    *steady = fmin(csm_same_alike(p[0], p[0]), csm_same_alike(p[1], p[1]));
    csm_same_drop(p[0]);
    csm_same_drop(p[1]);
    return st;
}

/* Does the trace tell the calls' paths in the iteration in the middle? */
static bool csm_same_paths(const struct prvcut_call_side *s, size_t thread)
{
    size_t k = csm_same_pick(s, thread, SAME_SAMPLES / 2);

    for (size_t i = s->loop->start[thread][k]; i < s->loop->start[thread][k + 1]; i++)
        if (s->in[thread].at[i].site != 0)
            return true;
    return false;
}

/* Is it the same loop on one thread? */
static enum prvcut_status csm_same_thread(bool *same, const struct prvcut_call_side *side[2],
                                          const size_t thread[2], struct prvcut_error *err)
{
    static const struct call_alphabet path = { .site = true }, plain[] = {
        { .peer = true, .size = true }, { .peer = true }, { .peer = false }
    };
    const bool paths = csm_same_paths(side[0], thread[0]) && csm_same_paths(side[1], thread[1]);
    double across = 0, steady = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (paths)
        st = csm_same_compare(&across, &steady, side, thread, &path, err);
    for (size_t i = 0; !paths && i < sizeof plain / sizeof *plain && st == PRVCUT_OK; i++) {
        st = csm_same_compare(&across, &steady, side, thread, &plain[i], err);
        if (steady >= SAME_STEADY)
            break;
    }
    *same = across >= SAME_LEAST;
    return st;
}

/* The sequence of a thread that follows the loop; SIZE_MAX: none. */
static size_t csm_same_find(const struct prvcut_call_side *s, uint32_t thread)
{
    for (size_t i = 0; i < s->loop->sequences; i++)
        if (s->loop->borders[i] > 1 && s->in[i].thread == thread)
            return i;
    return SIZE_MAX;
}

enum prvcut_status prvcut_call_loops_same(bool *same, const struct prvcut_call_side *a,
                                          const struct prvcut_call_side *b,
                                          struct prvcut_error *err)
{
    const struct prvcut_call_side *side[2] = { a, b };
    size_t asked = 0, agreed = 0;
    enum prvcut_status st = PRVCUT_OK;

    *same = false;
    if (!a->loop->loop.found || !b->loop->loop.found)
        return PRVCUT_OK;
    for (size_t i = 0; i < a->loop->sequences && st == PRVCUT_OK; i++) {
        size_t thread[2] = { i, csm_same_find(b, a->in[i].thread) };
        bool like = false;

        if (a->loop->borders[i] < 2 || thread[1] == SIZE_MAX)
            continue;
        st = csm_same_thread(&like, side, thread, err);
        asked++;
        agreed += like;
    }
    *same = 2 * agreed > asked;
    return st;
}
