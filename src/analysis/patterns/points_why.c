#include "analysis/patterns/points.h"
#include "analysis/patterns/points_wait.h"

#include "base/memory.h"

#include <stdlib.h>

/* The most that one place of the pattern exceeds its own usual time in an iteration. */
struct pwh_most {
    int64_t excess;
    uint32_t thread, type;
    int64_t value;
    uint64_t from, to; /* ns, where */
    uint32_t peer;     /* task; UINT32_MAX: not told */
};

/* Of each point that is listed. */
struct pwh_one {
    struct pwh_most computing, call;
    bool flushed;  /* in that of computing */
    bool uncalled; /* calls of its thread seem to be missing */
};

struct pwh {
    struct pat_points *points;
    struct pwh_one *one;        /* [count] */
    uint64_t *value;            /* [iterations] of one place */
    struct pat_waiting waiting; /* of the present thread */
    const struct prvcut_dictionary *names;
};

static int pwh_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Time in a call, or from its end to the next one. */
static uint64_t pwh_time(const struct pat_thread *t, uint64_t call, bool computing)
{
    const uint64_t end = t->call[call].end, next = pat_border(t, call + 1);

    if (!computing)
        return (end < next ? end : next) - t->call[call].begin;
    return next > end ? next - end : 0;
}

static const struct pat_track *pwh_track(const struct pat_points *p, uint32_t thread)
{
    for (size_t i = 0; i < p->tracks; i++)
        if (p->track[i].thread == thread)
            return &p->track[i];
    return NULL;
}

/* Requests may be open since the iteration before. */
static uint64_t pwh_since(const struct pat_track *k, uint64_t iteration)
{
    return k->at[iteration > 0 ? iteration - 1 : 0];
}

static void pwh_note(struct pwh_most *most, const struct pat_thread *t, uint64_t call,
                     bool computing, int64_t excess)
{
    const struct pat_call *c = &t->call[call];

    if (excess <= most->excess)
        return;
    *most = (struct pwh_most){ .excess = excess,
                               .thread = t->thread,
                               .type = t->symbol[c->symbol].type,
                               .value = t->symbol[c->symbol].value,
                               .from = computing ? c->end : c->begin,
                               .to = computing ? pat_border(t, call + 1) : c->end,
                               .peer = UINT32_MAX };
}

/* One place of the pattern on one thread: beside the same place in all iterations. */
static void pwh_place(struct pwh *w, const struct pat_thread *t, const struct pat_track *k,
                      uint64_t place, bool computing)
{
    uint64_t median;

    for (uint64_t i = 0; i < k->count; i++)
        w->value[i] = pwh_time(t, k->at[i] + place, computing);
    qsort(w->value, k->count, sizeof *w->value, pwh_compare);
    median = w->value[k->count / 2];
    for (size_t i = 0; i < w->points->count; i++) {
        const uint64_t at = w->points->at[i].iteration, call = k->at[at] + place;
        struct pwh_one *o = &w->one[i];
        const int64_t before = o->call.excess;

        /* What nothing follows is short. */
        if (computing && call + 1 >= t->calls)
            continue;
        pwh_note(computing ? &o->computing : &o->call, t, call, computing,
                 (int64_t)(pwh_time(t, call, computing) - median));
        if (o->call.excess > before)
            o->call.peer = pat_waiting_for(&w->waiting, pwh_since(k, at), call);
    }
}

/* --- Iterations whose calls are not the same ones --------------------------------------------- */

static bool pwh_is(const struct pat_thread *t, uint64_t call, uint32_t type, int64_t value)
{
    const struct pat_symbol *s = &t->symbol[t->call[call].symbol];

    return s->type == type && s->value == value;
}

/* Time in one kind of calls, or between all calls (type UINT32_MAX), of an iteration. */
static uint64_t pwh_total(const struct pat_thread *t, const struct pat_track *k, uint64_t i,
                          uint32_t type, int64_t value)
{
    uint64_t total = 0;

    for (uint64_t call = k->at[i]; call < k->next[i]; call++)
        if (type == UINT32_MAX || pwh_is(t, call, type, value))
            total += pwh_time(t, call, type == UINT32_MAX);
    return total;
}

/* Of calls of a kind the longest, where that alone is half of what they exceed. */
static uint32_t pwh_longest_for(const struct pwh *w, const struct pat_thread *t,
                                const struct pat_track *k, uint64_t i, const struct pwh_most *most)
{
    uint64_t longest = k->next[i], time = 0;

    for (uint64_t call = k->at[i]; call < k->next[i]; call++)
        if (pwh_is(t, call, most->type, most->value) && pwh_time(t, call, false) > time) {
            time = pwh_time(t, call, false);
            longest = call;
        }
    return longest < k->next[i] && 2 * time >= (uint64_t)most->excess
               ? pat_waiting_for(&w->waiting, pwh_since(k, i), longest)
               : UINT32_MAX;
}

/* Beside the same in all iterations, whichever thread exceeds most: the others wait for one. */
static void pwh_kind(struct pwh *w, const struct pat_thread *t, const struct pat_track *k,
                     uint32_t type, int64_t value)
{
    const bool computing = type == UINT32_MAX;
    uint64_t median;

    for (uint64_t i = 0; i < k->count; i++)
        w->value[i] = pwh_total(t, k, i, type, value);
    qsort(w->value, k->count, sizeof *w->value, pwh_compare);
    median = w->value[k->count / 2];
    for (size_t i = 0; i < w->points->count; i++) {
        const uint64_t at = w->points->at[i].iteration;
        struct pwh_most *most = computing ? &w->one[i].computing : &w->one[i].call;
        const int64_t excess = (int64_t)(pwh_total(t, k, at, type, value) - median);

        if (excess <= most->excess)
            continue;
        *most = (struct pwh_most){ .excess = excess,
                                   .thread = t->thread,
                                   .type = type,
                                   .value = value,
                                   .from = k->begin[at],
                                   .to = k->begin[at] + k->length[at],
                                   .peer = UINT32_MAX };
        if (!computing)
            most->peer = pwh_longest_for(w, t, k, at, most);
    }
}

/* No place of one iteration is one of another: what all calls of a kind take together. */
static void pwh_kinds(struct pwh *w, const struct pat_thread *t, const struct pat_track *k)
{
    pwh_kind(w, t, k, UINT32_MAX, 0);
    for (size_t s = 0; s < t->symbols; s++) {
        size_t same = 0;

        while (t->symbol[same].type != t->symbol[s].type ||
               t->symbol[same].value != t->symbol[s].value)
            same++;
        if (same == s)
            pwh_kind(w, t, k, t->symbol[s].type, t->symbol[s].value);
    }
}

/* How many calls it has, and iterations have usually. */
static void pwh_count(struct pwh *w, const struct pat_track *k)
{
    for (uint64_t i = 0; i < k->count; i++)
        w->value[i] = k->next[i] - k->at[i];
    qsort(w->value, k->count, sizeof *w->value, pwh_compare);
    for (size_t i = 0; i < w->points->count; i++) {
        struct pat_point *p = &w->points->at[i];

        if (&w->points->track[p->track] != k)
            continue;
        p->calls = k->next[p->iteration] - k->at[p->iteration];
        p->median_calls = w->value[k->count / 2];
    }
}

/* Does the thread write its trace there? */
static void pwh_masks(struct pwh *w, const struct pat_thread *t)
{
    for (size_t i = 0; i < w->points->count; i++) {
        struct pwh_one *o = &w->one[i];

        for (size_t k = 0; o->computing.thread == t->thread && k < t->flushes; k++)
            o->flushed |=
                t->flush[k].start < o->computing.to && t->flush[k].end > o->computing.from;
    }
}

static enum prvcut_status pwh_thread(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct pwh *w = ctx;
    const struct pat_track *k = pwh_track(w->points, t->thread);
    uint64_t calls;
    bool alike = true;

    enum prvcut_status st;

    if (!k)
        return PRVCUT_OK;
    st = pat_waiting_take(&w->waiting, t, w->names, err);
    if (st < 0)
        return st;
    calls = k->next[0] - k->at[0];
    for (uint64_t i = 1; i < k->count; i++)
        alike &= k->next[i] - k->at[i] == calls;
    pwh_count(w, k);
    for (size_t i = 0; i < w->points->count; i++)
        if (w->one[i].computing.excess == 0)
            w->one[i].computing.thread = UINT32_MAX;
    for (uint64_t place = 0; alike && place < calls; place++) {
        pwh_place(w, t, k, place, true);
        pwh_place(w, t, k, place, false);
    }
    if (!alike)
        pwh_kinds(w, t, k);
    for (size_t i = 0; i < w->points->count; i++)
        if (w->one[i].computing.thread == t->thread) {
            w->one[i].flushed = false;
            w->one[i].uncalled = t->uncalled;
        }
    pwh_masks(w, t);
    return PRVCUT_OK;
}

static void pwh_settle(struct pat_point *p, const struct pwh_one *o)
{
    const bool computing =
        o->computing.excess > 0 &&
        (2 * o->computing.excess >= (int64_t)p->excess || o->computing.excess >= o->call.excess);
    const struct pwh_most *m = computing ? &o->computing : &o->call;

    if (m->excess <= 0 || p->excess == 0)
        return;
    p->cause = !computing    ? PRVCUT_POINT_CALL
               : o->uncalled ? PRVCUT_POINT_UNCALLED
                             : PRVCUT_POINT_COMPUTATION;
    p->cause_thread = m->thread;
    p->cause_excess = (uint64_t)m->excess;
    p->type = m->type;
    p->value = m->value;
    p->peer = computing ? UINT32_MAX : m->peer;
    p->mask = computing && o->flushed ? PRVCUT_CAUSE_FLUSHING : PRVCUT_CAUSE_NONE;
}

enum prvcut_status pat_points_why(struct pat_points *p, struct pat_store *store,
                                  struct prvcut_error *err)
{
    struct pwh w = { .points = p, .names = store->names };
    enum prvcut_status st = PRVCUT_ENOMEM;

    w.one = prvcut_zeroed(p->count, sizeof *w.one, "points of interest", err);
    w.value = prvcut_unset(p->iterations, sizeof *w.value, "iterations", err);
    if (w.one && w.value)
        st = pat_store_each(store, pwh_thread, &w, err);
    for (size_t i = 0; i < p->count && st == PRVCUT_OK; i++)
        pwh_settle(&p->at[i], &w.one[i]);
    pat_waiting_fini(&w.waiting);
    free(w.one);
    free(w.value);
    return st;
}
