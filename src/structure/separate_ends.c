#include "base/memory.h"
#include "structure/separate_gaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Found by hand: loops of generated programs begin and end where these do, and those of the shared
 * traces where the programs' own marks stand, but for the few whose set-up makes the same calls.
 *
 * name        value     unit               decides
 */
#define CORE        0.5  /* of the gaps that hold a transition of the core */
#define AGREE       0.8  /* of the places around which the same call stands */
#define AROUND      1024 /* calls around a place that are looked at */
#define FIRST_OF    5    /* places from which a first iteration is told from set-up */
#define FIRST       4    /* mean gaps that a first iteration may take; more is set-up */
#define FIRST_CALLS 1.25 /* times the calls of the longest gap that it may make */
#define VARIED      0.9  /* of the longest gap's calls that the shortest makes at most, ... */
#define FIRST_VARIED                                                                               \
    1.6            /* ... where the first iteration may make so many times those of the longest */
#define GROWS 0.8  /* of the gaps that make more calls than the one before: the loop grows */
#define GROWN 0.55 /* of what its iterations hold that the first of a loop that grows does */
#define SHORT 0.5  /* of the shortest gap's calls: a piece at an end that may be an iteration; */
#define BOTH  0.75 /* of them on either side: a place in the middle of one leaves no more, ... */
#define SEAM                                                                                       \
    8 /* calls of the shortest gap, from which what leads to the first place may be any            \
       */
#define BOTH_TIME 2 /* ... in so many mean gaps at most: more is set-up */

/* How many gaps hold each transition. */
struct census {
    size_t gaps, kinds;
    uint32_t *held;  /* [kinds] */
    uint32_t *times; /* [kinds] in all gaps */
    uint32_t *seen;  /* [kinds] work space */
};

static enum prvcut_status sen_census_make(struct census *t, const struct separate_loop *l,
                                          const struct separate_calls *c, struct prvcut_error *err)
{
    *t = (struct census){ .gaps = l->count - 1, .kinds = c->pair_kinds };
    t->held = prvcut_zeroed(t->kinds + 1, sizeof *t->held, "transitions", err);
    t->times = prvcut_zeroed(t->kinds + 1, sizeof *t->times, "transitions", err);
    t->seen = prvcut_zeroed(t->kinds + 1, sizeof *t->seen, "transitions", err);
    if (!t->held || !t->times || !t->seen)
        return PRVCUT_ENOMEM;
    for (uint32_t g = 0; g < t->gaps; g++)
        for (uint32_t i = l->place[g]; i < l->place[g + 1]; i++) {
            const uint32_t s = c->pair[i];

            t->held[s] += t->seen[s] != g + 1;
            t->times[s]++;
            t->seen[s] = g + 1;
        }
    return PRVCUT_OK;
}

/* Share of the core that transitions [from, to) hold; the one from iteration to iteration, which
   they lack, is given. */
static double sen_core_share(const struct census *t, const struct separate_calls *c, size_t from,
                             size_t to)
{
    const double least = CORE * (double)t->gaps;
    size_t core = 0, held = 0;

    memset(t->seen, 0, t->kinds * sizeof *t->seen);
    for (size_t k = 0; k < t->kinds; k++)
        core += t->held[k] >= least;
    for (size_t i = from; i < to; i++) {
        const uint32_t s = c->pair[i];

        held += t->seen[s] == 0 && t->held[s] >= least;
        t->seen[s] = 1;
    }
    return core > 0 ? fmin(1, (double)(held + 1) / (double)core) : 0;
}

static void sen_gap_limits(const struct separate_loop *l, size_t *least, size_t *most)
{
    *least = SIZE_MAX;
    *most = 0;
    for (size_t g = 0; g + 1 < l->count; g++) {
        const size_t gap = l->place[g + 1] - l->place[g];

        *least = gap < *least ? gap : *least;
        *most = gap > *most ? gap : *most;
    }
}

static bool sen_agree(uint32_t a, const struct separate_calls *c, size_t at)
{
    return at < c->count && c->single[at] == a;
}

/* Do (nearly) all places, the first among them, have the same call `back` before? */
static bool sen_agree_before(const struct separate_loop *l, const struct separate_calls *c,
                             size_t back)
{
    size_t same = 0;

    if (back > l->place[0])
        return false;
    for (size_t k = 1; k < l->count; k++)
        same += l->place[k] - l->place[k - 1] > back &&
                sen_agree(c->single[l->place[0] - back], c, l->place[k] - back);
    return (double)same >= AGREE * (double)(l->count - 1);
}

/* The same behind, the last among them. */
static bool sen_agree_behind(const struct separate_loop *l, const struct separate_calls *c,
                             size_t ahead)
{
    const size_t last = l->place[l->count - 1];
    size_t same = 0;

    if (last + ahead >= c->count)
        return false;
    for (size_t k = 0; k + 1 < l->count; k++)
        same += l->place[k + 1] - l->place[k] > ahead &&
                sen_agree(c->single[last + ahead], c, l->place[k] + ahead);
    return (double)same >= AGREE * (double)(l->count - 1);
}

/* The first call that may belong to the loop before its first place. */
static size_t sen_earliest(const struct separate_loop *l)
{
    if (l->trimmed > 0)
        return l->place[0] - l->trimmed;
    return l->before == 0 ? 0 : l->place[0];
}

/* Is it a transition that each gap holds once? */
static bool sen_ends_once(const struct census *t, uint32_t s)
{
    return t->held[s] == t->gaps && t->times[s] == t->gaps;
}

/* Note a transition of an iteration. Returns whether it may be in the same one. */
static bool sen_ends_note(struct census *t, uint32_t s)
{
    const bool may = t->held[s] > 0 && (t->seen[s] == 0 || !sen_ends_once(t, s));

    t->seen[s] = 1;
    return may;
}

/* How far transitions that other gaps hold go back before the first place, with `ahead` calls
   behind it; what each gap holds once comes once there, too. seam: the one that leads to the place
   may be any, for iterations need not end alike. */
static size_t sen_ends_reach_back(struct census *t, const struct separate_loop *l,
                                  const struct separate_calls *c, size_t ahead, double most,
                                  bool seam)
{
    const size_t first = l->place[0], stop = sen_earliest(l);
    size_t front = seam && first > stop ? first - 1 : first;

    memset(t->seen, 0, t->kinds * sizeof *t->seen);
    for (size_t i = first; i < first + ahead && i < c->pairs; i++)
        sen_ends_note(t, c->pair[i]);
    while (front > stop && (double)(first - front) < most && sen_ends_note(t, c->pair[front - 1]))
        front--;
    return front;
}

static bool sen_ends_vary(size_t least, size_t most)
{
    return (double)least <= VARIED * (double)most;
}

/* A first iteration may make more calls than any other where their number varies and something else
   comes before it; set-up that makes the same calls would go on. */
static size_t sen_ends_reach_first(struct census *t, const struct separate_loop *l,
                                   const struct separate_calls *c, size_t ahead, size_t least,
                                   size_t most)
{
    const double limit = FIRST_VARIED * (double)most;
    const size_t far = sen_ends_reach_back(t, l, c, ahead, limit, false);

    if (sen_ends_vary(least, most) && far > sen_earliest(l) && (double)(l->place[0] - far) < limit)
        return far;
    return sen_ends_reach_back(t, l, c, ahead, (l->trimmed > 0 ? FIRST_CALLS : 1) * (double)most,
                               false);
}

/* How far transitions that other gaps hold go on around the places. */
static void sen_reach(struct separate_ends *out, struct census *t, const struct separate_loop *l,
                      const struct separate_calls *c, size_t least, size_t most)
{
    const size_t last = l->place[l->count - 1];

    out->front = sen_ends_reach_first(t, l, c, out->ahead, least, most);
    while (l->after == 0 && out->end < c->pairs && out->end - last < most &&
           t->held[c->pair[out->end]] > 0)
        out->end++;
}

/* What is in a piece at an end; nothing in one that is too short to be an iteration. */
static double sen_piece(const struct census *t, const struct separate_calls *c, size_t from,
                        size_t to, size_t least)
{
    return (double)(to - from + 1) >= SHORT * (double)least ? sen_core_share(t, c, from, to) : 0;
}

/* Does what is before the first place take as long as a first iteration may? */
static bool sen_may_be_first(const struct separate_loop *l, const struct separate_calls *c,
                             size_t front)
{
    return (double)(c->at[l->place[0]].time - c->at[front].time) <= FIRST * l->period;
}

/* Does each iteration make more calls than the one before? Then the first one makes fewest. */
static bool sen_grows(const struct separate_loop *l)
{
    size_t more = 0;

    for (size_t g = 0; g + 2 < l->count; g++)
        more += l->place[g + 2] - l->place[g + 1] > l->place[g + 1] - l->place[g];
    return (double)more >= GROWS * (double)(l->count - 2);
}

/* What is in the piece before the first place, where one gap was left out there. */
static double sen_first_piece(const struct census *t, const struct separate_loop *l,
                              const struct separate_calls *c, size_t front, size_t least)
{
    const size_t first = l->place[0];
    const bool fewest = sen_grows(l) && first - front <= least;
    const double held = sen_piece(t, c, front, first, least);

    return fewest && held >= GROWN ? 1 : held;
}

/* Where set-up makes the same calls, a first iteration has no more than the longest of the others.
 */
static void sen_shorten_first(struct separate_ends *out, const struct separate_loop *l,
                              const struct separate_calls *c, size_t most)
{
    const size_t first = l->place[0];

    if (!sen_may_be_first(l, c, out->front) && first - out->front > most)
        out->front = first - most;
}

/* What comes before the first place is an iteration of its own beside the one behind the last,
   where either is as much, and something else is around: places stand between iterations then. */
static void sen_both_sides(struct separate_ends *out, struct census *t,
                           const struct separate_loop *l, const struct separate_calls *c,
                           size_t least, size_t most)
{
    const double shortest = BOTH * (double)least, longest = FIRST_VARIED * (double)most;
    const size_t first = l->place[0], last = l->place[l->count - 1];
    size_t front = first, end = last;

    out->both_front = out->front;
    out->both_end = out->end;
    if (l->common || l->before > 0 || out->after < SEPARATE_WHOLE)
        return;
    front = sen_ends_reach_back(t, l, c, 0, longest, least >= SEAM);
    while (end < c->pairs && (double)(end - last) < longest && t->held[c->pair[end]] > 0)
        end++;
    if (fmin((double)(first - front), (double)(end - last + 1)) < shortest ||
        fmax((double)(first - front), (double)(end - last)) >= longest ||
        (double)(c->at[first].time - c->at[front].time) > BOTH_TIME * l->period)
        return;
    out->both_front = front;
    out->both_end = end;
    out->both = sen_core_share(t, c, front, first);
}

static void sen_ends_find(struct separate_ends *out, struct census *t,
                          const struct separate_loop *l, const struct separate_calls *c)
{
    const size_t first = l->place[0], last = l->place[l->count - 1];
    size_t least, most;

    sen_gap_limits(l, &least, &most);
    sen_reach(out, t, l, c, least, most);
    if (l->before == 0 && (!l->common || sen_may_be_first(l, c, out->front)))
        out->before = sen_piece(t, c, out->front, first + out->ahead, least);
    else if (l->trimmed > 0)
        sen_shorten_first(out, l, c, most);
    if ((l->trimmed > 0 || (l->before == 0 && sen_grows(l))) && l->count >= FIRST_OF &&
        sen_may_be_first(l, c, out->front))
        out->first = sen_first_piece(t, l, c, out->front, least);
    if (l->after == 0)
        out->after = sen_piece(t, c, last, out->end, least);
    /* What comes before a loop may look like the end of its iterations: only where it is needed. */
    if (l->after > 0 || out->after >= SEPARATE_WHOLE)
        out->back = 0;
    else
        out->around = sen_piece(t, c, last - out->back, out->end, least);
    /* Where all iterations make as many calls, it is the same in all of them. */
    if (!sen_ends_vary(least, most))
        out->after = fmax(out->after, out->around);
    out->around = fmax(out->around, out->after);
    sen_both_sides(out, t, l, c, least, most);
    out->end++; /* the call that the last transition leads to */
    out->both_end++;
}

enum prvcut_status prvcut_separate_ends_find(struct separate_ends *out,
                                             const struct separate_loop *l,
                                             const struct separate_calls *c,
                                             struct prvcut_error *err)
{
    struct census t;
    enum prvcut_status st = sen_census_make(&t, l, c, err);

    *out = (struct separate_ends){ .front = l->place[0], .end = l->place[l->count - 1] };
    while (out->back < AROUND && sen_agree_before(l, c, out->back + 1))
        out->back++;
    while (out->ahead < AROUND && sen_agree_behind(l, c, out->ahead + 1))
        out->ahead++;
    if (st == PRVCUT_OK)
        sen_ends_find(out, &t, l, c);
    free(t.held);
    free(t.times);
    free(t.seen);
    return st;
}

size_t prvcut_separate_begin(const struct separate_loop *l, const struct separate_calls *c,
                             const struct separate_ends *e, size_t k)
{
    const size_t place = l->place[k], first = l->place[0];
    size_t back = 0;

    while (back < e->back && c->single[place - back - 1] == c->single[first - back - 1])
        back++;
    return place - back;
}

size_t prvcut_separate_close(const struct separate_loop *l, const struct separate_calls *c,
                             const struct separate_ends *e, size_t k)
{
    const size_t place = l->place[k], last = l->place[l->count - 1];
    size_t ahead = 0;

    while (ahead < e->ahead && c->single[place + ahead + 1] == c->single[last + ahead + 1])
        ahead++;
    return place + ahead + 1;
}
