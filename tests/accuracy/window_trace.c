#include "window_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BURSTS 10 /* so many times as many bursts as calls: these are not recorded */

/* Room for one more; false: none. */
static bool grow(void **at, size_t count, size_t *room, size_t size)
{
    const size_t wanted = *room > 0 ? 2 * *room : 256;
    void *more;

    if (count < *room)
        return true;
    more = realloc(*at, wanted * size);
    if (!more)
        return false;
    *at = more;
    *room = wanted;
    return true;
}

struct window_lane *window_lane_add(struct window_trace *t, const char *name, uint32_t rank)
{
    struct window_lane *more = realloc(t->lane, (t->lanes + 1) * sizeof *more);

    t->failed = t->failed || !more;
    if (!more)
        return NULL;
    t->lane = more;
    more += t->lanes++;
    *more = (struct window_lane){ .rank = rank, .thread = UINT32_MAX, .read = NAN };
    snprintf(more->name, sizeof more->name, "%.63s", name);
    return more;
}

uint32_t window_kind(struct window_trace *t, const char *name)
{
    char(*more)[48];

    for (size_t i = 0; i < t->kinds; i++)
        if (strcmp(t->kind[i], name) == 0)
            return (uint32_t)i;
    more = realloc(t->kind, (t->kinds + 1) * sizeof *more);
    t->failed = t->failed || !more;
    if (!more)
        return 0;
    t->kind = more;
    snprintf(more[t->kinds], sizeof *more, "%.47s", name);
    return (uint32_t)t->kinds++;
}

static void add_call(struct window_trace *t, struct window_lane *l, double end)
{
    void *at = l->call;

    if (!grow(&at, l->calls, &l->room, sizeof *l->call)) {
        t->failed = true;
        return;
    }
    l->call = at;
    l->call[l->calls++] = (struct window_call){ l->since, fmax(l->since, end), l->open, 0, 0 };
}

void window_enter(struct window_trace *t, struct window_lane *l, uint32_t kind, double at)
{
    (void)t;
    if (l->depth++ > 0)
        return;
    l->open = kind;
    l->since = at;
}

void window_leave(struct window_trace *t, struct window_lane *l, double at)
{
    if (l->depth > 0 && --l->depth == 0)
        add_call(t, l, at);
}

void window_amounts_add(struct window_trace *t, struct window_amounts *a, double from, double at,
                        double amount, uint32_t peer)
{
    void *room = a->at;

    if (!grow(&room, a->count, &a->room, sizeof *a->at)) {
        t->failed = true;
        return;
    }
    a->at = room;
    a->at[a->count++] = (struct window_amount){ from, at, amount, peer };
}

/* --- All is read ------------------------------------------------------------------------------ */

static int by_begin(const void *x, const void *y)
{
    const struct window_call *a = x, *b = y;

    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static int by_time(const void *x, const void *y)
{
    const struct window_amount *a = x, *b = y;

    return a->at < b->at ? -1 : a->at > b->at;
}

static void sort_amounts(struct window_amounts *a)
{
    if (a->count > 0)
        qsort(a->at, a->count, sizeof *a->at, by_time);
}

/* What is between two bursts is a call. */
static void call_gaps(struct window_trace *t, struct window_lane *l)
{
    const struct window_amounts *r = &l->running;

    l->calls = 0;
    l->open = window_kind(t, "not running");
    for (size_t i = 1; i < r->count; i++) {
        l->since = r->at[i - 1].at;
        if (r->at[i].from > l->since)
            add_call(t, l, r->at[i].from);
    }
}

/* What each call sends, and to whom. */
static void tell_sends(struct window_lane *l)
{
    size_t at = 0;

    for (size_t i = 0; i < l->calls; i++) {
        struct window_call *c = &l->call[i];

        while (at < l->sent.count && l->sent.at[at].at < c->begin)
            at++;
        for (; at < l->sent.count && l->sent.at[at].at <= c->end; at++) {
            c->peer = 31 * c->peer + l->sent.at[at].peer + 1;
            c->size += (uint32_t)l->sent.at[at].amount;
        }
    }
}

void window_trace_settle(struct window_trace *t)
{
    for (size_t i = 0; i < t->lanes; i++) {
        struct window_lane *l = &t->lane[i];

        sort_amounts(&l->sent);
        sort_amounts(&l->counted);
        sort_amounts(&l->running);
        if (l->calls > 0 && l->running.count > BURSTS * l->calls)
            call_gaps(t, l);
        if (l->calls > 0)
            qsort(l->call, l->calls, sizeof *l->call, by_begin);
        tell_sends(l);
    }
}

static void shift_amounts(struct window_amounts *a, double by)
{
    for (size_t i = 0; i < a->count; i++) {
        a->at[i].from += by;
        a->at[i].at += by;
    }
}

void window_lane_shift(struct window_lane *l, double by)
{
    l->off += by;
    for (size_t i = 0; i < l->calls; i++) {
        l->call[i].begin += by;
        l->call[i].end += by;
    }
    shift_amounts(&l->sent, by);
    shift_amounts(&l->counted, by);
}

/* --- Sums ------------------------------------------------------------------------------------- */

static double overlap(double begin, double end, double from, double to)
{
    return fmax(0, fmin(end, to) - fmax(begin, from));
}

size_t window_first_call(const struct window_lane *l, double at)
{
    size_t low = 0, high = l->calls;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (l->call[middle].begin < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double window_time(const struct window_lane *l, uint32_t kind, double from, double to)
{
    const size_t first = window_first_call(l, from);
    double sum = 0;

    for (size_t i = first > 0 ? first - 1 : 0; i < l->calls && l->call[i].begin < to; i++)
        if (kind == UINT32_MAX || l->call[i].kind == kind)
            sum += overlap(l->call[i].begin, l->call[i].end, from, to);
    return sum;
}

double window_amount(const struct window_amounts *a, double from, double to)
{
    size_t low = 0, high = a->count;
    double sum = 0;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (a->at[middle].at < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < a->count && a->at[low].from < to; low++) {
        const struct window_amount *x = &a->at[low];

        if (x->at <= x->from)
            sum += x->at >= from && x->at < to ? x->amount : 0;
        else
            sum += x->amount * overlap(x->from, x->at, from, to) / (x->at - x->from);
    }
    return sum;
}

void window_trace_fini(struct window_trace *t)
{
    for (size_t i = 0; i < t->lanes; i++) {
        free(t->lane[i].call);
        free(t->lane[i].sent.at);
        free(t->lane[i].counted.at);
        free(t->lane[i].running.at);
    }
    free(t->lane);
    free(t->kind);
    *t = (struct window_trace){ .lanes = 0 };
}
