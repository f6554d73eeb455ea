#include "structure/halves.h"

#include "base/memory.h"
#include "base/table.h"

#include <math.h>

/*
 * Set by hand, on programs that run exactly twice through a solver of 60 to 120 iterations.
 *
 * name      value   unit            decides
 */
#define LEAST  8    /* iterations: fewer halves are alike by chance */
#define UNLIKE 0.05 /* of the iterations, or one: so far from the middle */
#define WITHIN 0.5  /* confidence, at most, of a loop inside one of two iterations */
#define ASKED  3    /* threads: the first, middle and last that follow */

/* A call, how often a thread makes it, and the iterations that have begun at the first two. */
struct hlv_call {
    uint64_t call;
    uint64_t times;
    size_t after[2];
};

/* Numbers of threads' calls. */
struct hlv_thread {
    struct prvcut_table calls; /* of struct hlv_call */
    size_t iterations;
};

static enum prvcut_status hlv_count(struct hlv_thread *t, const struct prvcut_call_loop *l,
                                    size_t i, const struct prvcut_call_sequence *q,
                                    struct prvcut_error *err)
{
    size_t begun = 0;

    t->iterations = l->borders[i] - 1;
    for (size_t k = 0; k < q->count; k++) {
        const struct hlv_call key = { .call = q->at[k].call };
        struct hlv_call *c = prvcut_table_make(&t->calls, &key, err);

        if (!c)
            return PRVCUT_ENOMEM;
        while (begun < l->borders[i] && l->border[i][begun] <= q->at[k].time)
            begun++;
        if (c->times < 2)
            c->after[c->times] = begun;
        c->times++;
    }
    return PRVCUT_OK;
}

/* Twice, once about the middle and once at the end? */
static bool hlv_halves(const struct hlv_thread *t, const struct hlv_call *c)
{
    const double n = (double)t->iterations;

    return c->times == 2 && c->after[1] >= t->iterations &&
           fabs((double)c->after[0] - n / 2) <= fmax(1, UNLIKE * n);
}

static size_t hlv_follower(const struct prvcut_call_loop *l, size_t which)
{
    for (size_t i = 0; i < l->sequences; i++)
        if (l->borders[i] > 1 && which-- == 0)
            return i;
    return l->sequences;
}

/* The first thread's calls that are so on all that are asked. */
static bool hlv_any(const struct hlv_thread thread[ASKED])
{
    const struct hlv_call *c = thread[0].calls.at;

    for (size_t i = 0; i < thread[0].calls.count; i++) {
        size_t agree = 0;

        for (size_t k = 0; k < ASKED; k++) {
            const struct hlv_call *own = prvcut_table_find(&thread[k].calls, &c[i]);

            agree += own && hlv_halves(&thread[k], own);
        }
        if (agree == ASKED)
            return true;
    }
    return false;
}

enum prvcut_status prvcut_search_halves(struct prvcut_search *s,
                                        const struct prvcut_search_input *in,
                                        struct prvcut_error *err)
{
    struct hlv_thread thread[ASKED];
    enum prvcut_status st = PRVCUT_OK;

    if (in->from || in->cut_short || in->period_ns > 0 || !s->verdict.found ||
        !s->witness[s->verdict.chosen].calls || s->calls.followers == 0 ||
        s->calls.loop.iterations < LEAST)
        return PRVCUT_OK;
    for (size_t k = 0; k < ASKED; k++)
        thread[k] = (struct hlv_thread){ .calls = PRVCUT_TABLE(struct hlv_call, times, "calls") };
    for (size_t k = 0; k < ASKED && st == PRVCUT_OK; k++) {
        const size_t i = hlv_follower(&s->calls, k * (s->calls.followers - 1) / (ASKED - 1));

        if (i < s->calls.sequences)
            st = hlv_count(&thread[k], &s->calls, i, &in->sequence[i], err);
    }
    if (st == PRVCUT_OK && hlv_any(thread))
        s->confidence = s->verdict.confidence = fmin(s->confidence, WITHIN);
    for (size_t k = 0; k < ASKED; k++)
        prvcut_table_fini(&thread[k].calls);
    return st;
}
