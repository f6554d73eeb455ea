#include "structure/call_follow.h"

#include "base/buffer.h"
#include "structure/call_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLLOW_AGREE 0.8  /* share of the iterations that must agree on an earlier start */
#define FOLLOW_WHOLE 0.75 /* share of an iteration that must be there for it to count */
#define FOLLOW_TRIM  2    /* iterations that may be taken off at either end */
#define FOLLOW_REACH 16   /* calls left out or put in, after which two iterations meet again */

/* Do (nearly) all iterations, the first among them, have the same call `back` before the anchor? */
static bool follow_agree(const struct call_anchor *a, const uint32_t *kind, uint32_t back)
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
static uint32_t follow_back(const struct call_anchor *a, const uint32_t *kind)
{
    uint32_t back = 0;

    while (back + 1 < a->gap && follow_agree(a, kind, back + 1))
        back++;
    return back;
}

/*
 * Does another iteration follow [from, to), or go before it (down)? Its far border, or the near
 * one if too little of it is there.
 */
static size_t follow_more(const struct call_grams *g, const uint32_t span[2], bool down)
{
    size_t length = span[1] - span[0], near = down ? span[0] : span[1], seen;
    struct call_walk w = { .kind = g->kind, .count = g->count, .y = near, .down = down };

    w.x = down ? span[1] : span[0];
    w.reach = length / 4 < FOLLOW_REACH ? length / 4 : FOLLOW_REACH;
    prvcut_call_walk(&w, near);
    seen = down ? span[1] - w.x : w.x - span[0];
    return (double)seen >= FOLLOW_WHOLE * (double)length ? w.y : near;
}

/* The end in time: what follows the loop may be far away, but no iteration is taken as longer
 * than the longest of the others. */
static void follow_close(struct call_track *t, const struct prvcut_call_sequence *s)
{
    uint64_t longest = 0, last = s->at[t->start[t->count - 1]].time;
    size_t end = t->start[t->count];

    for (size_t i = 0; i + 1 < t->count; i++) {
        uint64_t length = s->at[t->start[i + 1]].time - s->at[t->start[i]].time;

        longest = length > longest ? length : longest;
    }
    t->end = s->at[end < s->count ? end : s->count - 1].time;
    if (t->count > 1 && t->end - last > longest)
        t->end = last + longest;
}

/* Put more iterations in front, as long as they are like the ones behind. */
static enum prvcut_status track_grow_front(struct call_track *t, const struct call_grams *g,
                                           struct prvcut_error *err)
{
    for (;;) {
        size_t front = follow_more(g, t->start, true);

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
static enum prvcut_status track_grow_end(struct call_track *t, const struct call_grams *g,
                                         struct prvcut_error *err)
{
    for (;;) {
        size_t end = follow_more(g, &t->start[t->count - 1], false);

        if (end == t->start[t->count])
            return PRVCUT_OK;
        if (prvcut_grow((void **)&t->start, &t->room, t->count + 2, sizeof *t->start, err) < 0)
            return PRVCUT_ENOMEM;
        t->start[++t->count] = (uint32_t)end;
    }
}

static void track_drop_front(struct call_track *t)
{
    memmove(&t->start[0], &t->start[1], t->count * sizeof *t->start);
    t->count--;
}

/* Does iteration i go as the one before it (after it, down) did? */
static bool track_like(const struct call_track *t, const struct call_grams *g, size_t i, bool down)
{
    const uint32_t *span = &t->start[down ? i + 1 : i - 1];

    return follow_more(g, span, down) != span[!down];
}

/* The anchor may occur once or twice around the loop, too, in other company. */
static void track_trim(struct call_track *t, const struct call_grams *g)
{
    for (int i = 0; i < FOLLOW_TRIM && t->count > 3 && !track_like(t, g, 0, true); i++)
        track_drop_front(t);
    for (int i = 0; i < FOLLOW_TRIM && t->count > 3 && !track_like(t, g, t->count - 1, false); i++)
        t->count--;
}

enum prvcut_status prvcut_call_track_make(struct call_track *out, const struct call_anchor *a,
                                          struct call_grams *g,
                                          const struct prvcut_call_sequence *s,
                                          struct prvcut_error *err)
{
    const struct call_cut cut = { .alphabet = a->cut.alphabet, .length = 1 };
    enum prvcut_status st;
    uint32_t back;

    *out = (struct call_track){ .alike = a->alike, .regular = a->regular, .cover = a->cover };
    st = prvcut_call_grams_make(g, s->at, s->count, &cut, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&out->start, &out->room, a->count, sizeof *out->start, err);
    if (st != PRVCUT_OK)
        return st;
    back = follow_back(a, g->kind);
    for (size_t i = 0; i < a->count; i++)
        out->start[i] = a->place[i] - back;
    out->count = a->count - 1;
    track_trim(out, g);
    if ((st = track_grow_end(out, g, err)) == PRVCUT_OK)
        st = track_grow_front(out, g, err);
    if (st == PRVCUT_OK)
        follow_close(out, s);
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
