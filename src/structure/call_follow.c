#include "structure/call_follow.h"

#include "base/buffer.h"
#include "structure/call_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Found by hand on the benchmarks' traces, by where the programs' own marks say that iterations
 * begin (tests/accuracy --structure); USUAL and ASKED on programs whose first steps do more.
 *
 * name          value    unit           decides
 */
#define FOLLOW_AGREE 0.8  /* share of the iterations that must agree on an earlier start */
#define FOLLOW_WHOLE 0.75 /* share of an iteration that must be there for it to count */
#define FOLLOW_TRIM  2    /* iterations that may be taken off at either end */
#define FOLLOW_USUAL                                                                               \
    0.7                 /* share of the others that go as their neighbours do, if ends must, too   \
                         */
#define FOLLOW_ASKED 32 /* of these, at most */
#define FOLLOW_REACH 16 /* calls left out or put in, after which two iterations meet again */

/* Do (nearly) all iterations, the first among them, have the same call `back` before the anchor? */
static bool cfl_follow_agree(const struct call_anchor *a, const uint32_t *kind, uint32_t back)
{
    size_t same = 0;

    if (back > a->place[0] || kind[a->place[0] - back] != kind[a->place[1] - back])
        return false;
    for (size_t i = 1; i < a->count; i++)
        same += a->place[i] - a->place[i - 1] > back &&
                kind[a->place[i] - back] == kind[a->place[0] - back];
    return (double)same >= FOLLOW_AGREE * (double)(a->count - 1);
}

/* Calls by which an iteration starts before its anchor: less than an iteration. */
static uint32_t cfl_follow_back(const struct call_anchor *a, const uint32_t *kind)
{
    uint32_t back = 0;

    while (back + 1 < a->gap && cfl_follow_agree(a, kind, back + 1))
        back++;
    return back;
}

/* Does call d after `back` before the anchor come from one place in all iterations but the first?
 */
static bool cfl_follow_alien(const struct call_anchor *a, const struct prvcut_call_sequence *s,
                             uint32_t back, uint32_t d)
{
    uint32_t site = s->at[a->place[1] - back + d].site;
    size_t same = 0;

    for (size_t i = 1; i < a->count && a->place[i] - back + d < s->count; i++)
        same += s->at[a->place[i] - back + d].site == site;
    return s->at[a->place[0] - back + d].site != site &&
           (double)same >= FOLLOW_AGREE * (double)(a->count - 1);
}

/*
 * Calls by which the iterations begin later than that: what comes before a loop often looks like
 * the end of its iterations, but comes from another place in the program than all the rest. Where
 * most of the first iteration does, it is only called from elsewhere.
 */
static uint32_t cfl_follow_late(const struct call_anchor *a, const struct prvcut_call_sequence *s,
                                uint32_t back)
{
    uint32_t late = 0, length = a->place[1] - a->place[0], aliens = 0;

    for (uint32_t d = 0; d < length && a->place[1] - back + d < s->count; d++) {
        bool alien = cfl_follow_alien(a, s, back, d);

        late += alien && late == d;
        aliens += alien;
    }
    return 2 * aliens < length && 2 * late < length ? late : 0;
}

/*
 * Does another iteration follow [from, to), or go before it (down)? Its far border, or the near
 * one if too little of it is there.
 */
static size_t cfl_follow_more(const struct call_grams *g, const uint32_t span[2], bool down)
{
    size_t length = span[1] - span[0], near = down ? span[0] : span[1], seen;
    struct call_walk w = { .kind = g->kind, .count = g->count, .y = near, .down = down };

    w.x = down ? span[1] : span[0];
    w.reach = length / 4 < FOLLOW_REACH ? length / 4 : FOLLOW_REACH;
    prvcut_call_walk(&w, near);
    seen = down ? span[1] - w.x : w.x - span[0];
    return (double)seen >= FOLLOW_WHOLE * (double)length ? w.y : near;
}

static double cfl_follow_length(const struct call_track *t, const struct prvcut_call_sequence *s,
                                size_t i)
{
    return (double)(s->at[t->start[i + 1]].time - s->at[t->start[i]].time);
}

void prvcut_call_track_close(struct call_track *t, const struct prvcut_call_sequence *s)
{
    size_t end = t->start[t->count], n = t->count - 1;
    uint64_t last = s->at[t->start[n]].time;
    double longest = 0, mean, drift = 0;

    t->end = s->at[end < s->count ? end : s->count - 1].time;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, cfl_follow_length(t, s, i));
    mean = (double)(last - s->at[t->start[0]].time) / (double)n;
    if (n > 2)
        drift = (cfl_follow_length(t, s, n - 1) - cfl_follow_length(t, s, 0)) / (double)(n - 1);
    if ((double)(t->end - last) > longest)
        t->end =
            last + (uint64_t)fmax(mean / 2, fmin(longest, mean + drift * (double)t->count / 2));
}

/* Put more iterations in front, as long as they are like the ones behind. */
static enum prvcut_status cfl_track_grow_front(struct call_track *t, const struct call_grams *g,
                                               struct prvcut_error *err)
{
    for (;;) {
        size_t front = cfl_follow_more(g, t->start, true);

        if (front == t->start[0])
            return PRVCUT_OK;
        if (prvcut_grow((void **)&t->start, &t->room, t->count + 2, sizeof *t->start, err) < 0)
            return PRVCUT_ENOMEM;
        memmove(&t->start[1], &t->start[0], (t->count + 1) * sizeof *t->start);
        t->start[0] = (uint32_t)front;
        t->count++;
    }
}

/* The same at the end; start[count] is the end of the last whole iteration. */
static enum prvcut_status cfl_track_grow_end(struct call_track *t, const struct call_grams *g,
                                             struct prvcut_error *err)
{
    for (;;) {
        size_t end = cfl_follow_more(g, &t->start[t->count - 1], false);

        if (end == t->start[t->count])
            return PRVCUT_OK;
        if (prvcut_grow((void **)&t->start, &t->room, t->count + 2, sizeof *t->start, err) < 0)
            return PRVCUT_ENOMEM;
        t->start[++t->count] = (uint32_t)end;
    }
}

static void cfl_track_drop_front(struct call_track *t)
{
    memmove(&t->start[0], &t->start[1], t->count * sizeof *t->start);
    t->count--;
}

/* Does iteration i go as the one before it (after it, down) did? */
static bool cfl_track_like(const struct call_track *t, const struct call_grams *g, size_t i,
                           bool down)
{
    const uint32_t *span = &t->start[down ? i + 1 : i - 1];

    return cfl_follow_more(g, span, down) != span[!down];
}

/* Do iterations mostly go as the ones before them did? They may be drawn anew each time. */
static bool cfl_track_is_steady(const struct call_track *t, const struct call_grams *g)
{
    const size_t others = t->count > 2 * FOLLOW_TRIM + 1 ? t->count - 2 * FOLLOW_TRIM - 1 : 0;
    const size_t asked = others < FOLLOW_ASKED ? others : FOLLOW_ASKED;
    size_t like = 0;

    for (size_t k = 0; k < asked; k++)
        like += cfl_track_like(t, g, FOLLOW_TRIM + 1 + k * others / asked, false);
    return (double)like >= FOLLOW_USUAL * (double)asked;
}

/* The anchor may occur once or twice around the loop, too, in other company. */
static void cfl_track_trim(struct call_track *t, const struct call_grams *g)
{
    if (!cfl_track_is_steady(t, g))
        return;
    for (int i = 0; i < FOLLOW_TRIM && t->count > 3 && !cfl_track_like(t, g, 0, true); i++)
        cfl_track_drop_front(t);
    for (int i = 0; i < FOLLOW_TRIM && t->count > 3 && !cfl_track_like(t, g, t->count - 1, false);
         i++)
        t->count--;
}

enum prvcut_status prvcut_call_track_make(struct call_track *out, const struct call_anchor *a,
                                          struct call_grams *g,
                                          const struct prvcut_call_sequence *s,
                                          struct prvcut_error *err)
{
    const struct call_cut cut = { .alphabet = a->cut.alphabet, .length = 1 };
    enum prvcut_status st;
    uint32_t back, late;

    *out = (struct call_track){ .alike = a->alike, .regular = a->regular, .cover = a->cover };
    st = prvcut_call_grams_make(g, s->at, s->count, &cut, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&out->start, &out->room, a->count, sizeof *out->start, err);
    if (st != PRVCUT_OK)
        return st;
    back = cfl_follow_back(a, g->kind);
    late = cfl_follow_late(a, s, back);
    for (size_t i = 0; i < a->count; i++) {
        size_t start = a->place[i] - back + (size_t)late;

        out->start[i] = (uint32_t)(start < s->count ? start : s->count);
    }
    out->count = a->count - 1;
    cfl_track_trim(out, g);
    if ((st = cfl_track_grow_end(out, g, err)) == PRVCUT_OK)
        st = cfl_track_grow_front(out, g, err);
    if (st == PRVCUT_OK)
        prvcut_call_track_close(out, s);
    return st;
}

uint64_t prvcut_call_track_time(const struct call_track *t, const struct prvcut_call_sequence *s,
                                size_t i)
{
    return i >= t->count ? t->end : s->at[t->start[i]].time;
}

void prvcut_call_track_cut(struct call_track *t, const struct prvcut_call_sequence *s, size_t from,
                           size_t to)
{
    if (to < t->count)
        t->end = s->at[t->start[to]].time;
    memmove(&t->start[0], &t->start[from], (to - from + 1) * sizeof *t->start);
    t->count = to - from;
}

void prvcut_call_track_fini(struct call_track *t)
{
    free(t->start);
    *t = (struct call_track){ 0 };
}
