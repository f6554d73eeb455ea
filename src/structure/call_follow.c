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
#define FOLLOW_AGREE  0.8  /* share of the iterations that must agree on an earlier start */
#define FOLLOW_WHOLE  0.75 /* share of an iteration that must be there for it to count */
#define FOLLOW_SAME   0.5  /* of the calls that are there that must be the same; */
#define FOLLOW_FINE   0.67 /* of the iterations that finer symbols leave, where they tell */
#define FOLLOW_TOLD   2    /* iterations that are no ends, at least, to be asked by these */
#define FOLLOW_TRIM   2    /* iterations that may be taken off at either end */
#define FOLLOW_BESIDE 4    /* iterations, like one of which another may lie beyond an odd one */
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
 * Does an iteration like [from, to) follow `near`, or go before it (down)? Its far border, or
 * `near` if too little of it is there.
 */
static size_t cfl_follow_at(const struct call_grams *g, const uint32_t span[2], size_t near,
                            bool down)
{
    size_t length = span[1] - span[0], seen;
    struct call_walk w = { .kind = g->kind, .count = g->count, .y = near, .down = down };

    w.x = down ? span[1] : span[0];
    w.reach = length / 4 < FOLLOW_REACH ? length / 4 : FOLLOW_REACH;
    prvcut_call_walk(&w, down ? span[0] : span[1]);
    seen = down ? span[1] - w.x : w.x - span[0];
    return (double)seen >= FOLLOW_WHOLE * (double)length &&
                   (double)w.matched >= FOLLOW_SAME * (double)seen
               ? w.y
               : near;
}

/* The same beside it. */
static size_t cfl_follow_more(const struct call_grams *g, const uint32_t span[2], bool down)
{
    return cfl_follow_at(g, span, down ? span[0] : span[1], down);
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

/* Does iteration i go as the one before it (after it, down) did? */
static bool cfl_track_like(const struct call_track *t, const struct call_grams *g, size_t i,
                           bool down)
{
    const uint32_t *span = &t->start[down ? i + 1 : i - 1];

    return cfl_follow_more(g, span, down) != span[!down];
}

/* The far border of another iteration at an end, like one of so many `skip` from it on; the near
   one: there is none. */
static size_t cfl_track_beyond(const struct call_track *t, const struct call_grams *g, size_t skip,
                               size_t many, bool down)
{
    const size_t near = t->start[down ? 0 : t->count];
    size_t far = near;

    for (size_t k = skip; k < skip + many && k < t->count && far == near; k++)
        far = cfl_follow_at(g, &t->start[down ? k : t->count - 1 - k], near, down);
    return far;
}

/* The same of one like the last; in a loop that is steady, like one of those next to it where the
   last is the odd one. */
static size_t cfl_track_next(const struct call_track *t, const struct call_grams *g, bool steady,
                             bool down)
{
    const bool odd = steady && t->count > 1 && !cfl_track_like(t, g, down ? 0 : t->count - 1, down);

    return cfl_track_beyond(t, g, 0, odd ? FOLLOW_BESIDE : 1, down);
}

/* Put more iterations in front, as long as there are such. */
static enum prvcut_status cfl_track_grow_front(struct call_track *t, const struct call_grams *g,
                                               bool steady, struct prvcut_error *err)
{
    for (;;) {
        const size_t front = cfl_track_next(t, g, steady, true);

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
                                             bool steady, struct prvcut_error *err)
{
    for (;;) {
        const size_t end = cfl_track_next(t, g, steady, false);

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

/* Iterations that are no ends, nor next to the first one. */
static size_t cfl_track_others(const struct call_track *t)
{
    return t->count > 2 * FOLLOW_TRIM + 1 ? t->count - 2 * FOLLOW_TRIM - 1 : 0;
}

/* Do iterations mostly go as the ones before them did? They may be drawn anew each time. */
static bool cfl_track_is_steady(const struct call_track *t, const struct call_grams *g)
{
    const size_t others = cfl_track_others(t);
    const size_t asked = others < FOLLOW_ASKED ? others : FOLLOW_ASKED;
    size_t like = 0;

    for (size_t k = 0; k < asked; k++)
        like += cfl_track_like(t, g, FOLLOW_TRIM + 1 + k * others / asked, false);
    return (double)like >= FOLLOW_USUAL * (double)asked;
}

/* The anchor may occur once or twice around the loop, too, in other company, where two may be like
   each other. Where another iteration lies beyond an odd one, that is none of these. */
static void cfl_track_trim(struct call_track *t, const struct call_grams *g)
{
    size_t front = FOLLOW_TRIM, end = FOLLOW_TRIM;

    if (cfl_track_beyond(t, g, FOLLOW_TRIM, FOLLOW_BESIDE, true) != t->start[0])
        front = 0;
    while (front > 0 && (t->count < front + 3 || cfl_track_like(t, g, front - 1, true)))
        front--;
    for (; front > 0; front--)
        cfl_track_drop_front(t);
    if (cfl_track_beyond(t, g, FOLLOW_TRIM, FOLLOW_BESIDE, false) != t->start[t->count])
        end = 0;
    while (end > 0 && (t->count < end + 3 || cfl_track_like(t, g, t->count - end, false)))
        end--;
    t->count -= end;
}

/* Take off what is none of it at its ends, and put in front and behind what is. */
static enum prvcut_status cfl_track_lay(struct call_track *t, const struct call_grams *g,
                                        bool steady, struct prvcut_error *err)
{
    enum prvcut_status st;

    if (steady)
        cfl_track_trim(t, g);
    st = cfl_track_grow_end(t, g, steady, err);
    return st == PRVCUT_OK ? cfl_track_grow_front(t, g, steady, err) : st;
}

/* Make g the finest symbols, finer than the anchor's, by which most iterations go as their
   neighbours do. */
static enum prvcut_status cfl_track_refine(bool *steady, const struct call_track *t,
                                           const struct call_anchor *a, struct call_grams *g,
                                           const struct prvcut_call_sequence *s,
                                           struct prvcut_error *err)
{
    struct call_cut cut = { .alphabet = prvcut_call_alphabets, .length = 1 };
    enum prvcut_status st = PRVCUT_OK;

    *steady = false;
    if (cfl_track_others(t) < FOLLOW_TOLD)
        return st;
    for (; cut.alphabet != a->cut.alphabet && !*steady && st == PRVCUT_OK; cut.alphabet++) {
        st = prvcut_call_grams_make(g, s->at, s->count, &cut, err);
        *steady = st == PRVCUT_OK && cfl_track_is_steady(t, g);
    }
    return st;
}

/*
 * Phases of one program often make the same calls, of other sizes or to others. Where finer symbols
 * leave most of the iterations, those that they leave out are of another one; else the loop itself
 * changes. fine: its track before anything was laid; what is not used of the two is in it.
 */
static enum prvcut_status cfl_track_leave_others(struct call_track *out, struct call_track *fine,
                                                 const struct call_anchor *a, struct call_grams *g,
                                                 const struct prvcut_call_sequence *s,
                                                 struct prvcut_error *err)
{
    bool steady;
    enum prvcut_status st = cfl_track_refine(&steady, fine, a, g, s, err);

    if (st < 0 || !steady)
        return st;
    st = cfl_track_lay(fine, g, true, err);
    if (st == PRVCUT_OK && fine->count < out->count &&
        (double)fine->count >= FOLLOW_FINE * (double)out->count) {
        const struct call_track coarse = *out;

        *out = *fine;
        *fine = coarse;
    }
    return st;
}

/* Iterations from one place of the anchor to the next; g: its symbols. */
static enum prvcut_status cfl_track_begin(struct call_track *out, const struct call_anchor *a,
                                          const struct call_grams *g,
                                          const struct prvcut_call_sequence *s,
                                          struct prvcut_error *err)
{
    const uint32_t back = cfl_follow_back(a, g->kind), late = cfl_follow_late(a, s, back);
    const enum prvcut_status st =
        prvcut_grow((void **)&out->start, &out->room, a->count, sizeof *out->start, err);

    for (size_t i = 0; i < a->count && st == PRVCUT_OK; i++) {
        const size_t start = a->place[i] - back + (size_t)late;

        out->start[i] = (uint32_t)(start < s->count ? start : s->count);
    }
    out->count = a->count - 1;
    return st;
}

enum prvcut_status prvcut_call_track_make(struct call_track *out, const struct call_anchor *a,
                                          struct call_grams *g,
                                          const struct prvcut_call_sequence *s,
                                          struct prvcut_error *err)
{
    const struct call_cut cut = { .alphabet = a->cut.alphabet, .length = 1 };
    struct call_track fine;
    enum prvcut_status st;

    *out = (struct call_track){ .alike = a->alike, .regular = a->regular, .cover = a->cover };
    fine = *out;
    st = prvcut_call_grams_make(g, s->at, s->count, &cut, err);
    if (st == PRVCUT_OK)
        st = cfl_track_begin(out, a, g, s, err);
    if (st == PRVCUT_OK)
        st = cfl_track_begin(&fine, a, g, s, err);
    if (st == PRVCUT_OK)
        st = cfl_track_lay(out, g, cfl_track_is_steady(out, g), err);
    if (st == PRVCUT_OK)
        st = cfl_track_leave_others(out, &fine, a, g, s, err);
    if (st == PRVCUT_OK)
        prvcut_call_track_close(out, s);
    prvcut_call_track_fini(&fine);
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
