#include "window_border.h"

#include "window_anchor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST     3   /* borders */
#define TOGETHER  0.1 /* of an iteration */
#define ELSEWHERE 1.0 /* how bad it is that a loop is not where one was found */

static double mean_of(const struct marks *m)
{
    return (m->at[m->count - 1] - m->at[0]) / (double)(m->count - 1);
}

/* How far a loop is from what was found, as a logarithm; with which accepted multiple. */
static double distance(const struct marks *m, const struct truth *t, const struct answer *a,
                       unsigned *factor)
{
    double best = INFINITY;

    for (unsigned i = 0; i < t->factors; i++) {
        const double off = fabs(log(a->period / (mean_of(m) * t->factor[i])));

        if (a->period > 0 && off < best) {
            best = off;
            *factor = t->factor[i];
        }
    }
    return best;
}

/* Is the middle of what was found in it? */
static bool holds(const struct marks *m, const struct answer *a)
{
    const double middle = (a->start + a->end) / 2, room = mean_of(m);

    return middle >= m->at[0] - room && middle <= m->at[m->count - 1] + room;
}

/* The loop that was found, of the first rank that runs it. */
static const struct window_run *choose(const struct window_marks *m, const struct truth *t,
                                       const struct answer *a, unsigned *factor)
{
    const struct window_run *best = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < m->runs; i++) {
        unsigned f = 1;
        double off;

        if (m->run[i].mark.count < LEAST)
            continue;
        off = distance(&m->run[i].mark, t, a, &f) + (holds(&m->run[i].mark, a) ? 0 : ELSEWHERE);
        /* Ranks of one loop differ by less. */
        if (!best || off < least - 0.05) {
            best = &m->run[i];
            least = off;
            *factor = f;
        }
    }
    return best;
}

static double off_of(const struct window_trace *t, uint32_t rank)
{
    for (size_t i = 0; i < t->lanes; i++)
        if (t->lane[i].rank == rank || rank == WINDOW_ALL_RANKS)
            return t->lane[i].off;
    return 0;
}

static const struct window_run *run_of(const struct window_marks *m, const struct window_run *like,
                                       uint32_t rank)
{
    for (size_t i = 0; i < m->runs; i++)
        if (m->run[i].rank == rank && strcmp(m->run[i].loop, like->loop) == 0 &&
            m->run[i].mark.count == like->mark.count)
            return &m->run[i];
    return NULL;
}

static bool copy(double *out, const struct marks *m, double off)
{
    for (size_t k = 0; k < m->count; k++)
        out[k] = m->at[k] + off;
    return true;
}

/* aim: see window_anchor */
static void place_lane(struct window_borders *b, size_t i, const struct window_trace *t,
                       const struct window_marks *m, const struct window_run *like, double aim)
{
    const struct window_lane *l = &t->lane[i];
    const struct window_run *run = run_of(m, like, l->rank);
    struct marks about = { calloc(b->count, sizeof *about.at), b->count };

    free(b->at[i]);
    b->at[i] = calloc(b->count, sizeof **b->at);
    if (!about.at || !b->at[i])
        goto out;
    copy(about.at, run ? &run->mark : &like->mark, off_of(t, run ? l->rank : like->rank));
    if (window_first_call(l, about.at[0]) == window_first_call(l, about.at[b->count - 1])) {
        free(b->at[i]);
        b->at[i] = NULL;
        goto out;
    }
    b->own[i] = run || window_anchor(l, &about, aim, b->at[i], &b->phase[i]);
    if (run || !b->own[i])
        memcpy(b->at[i], about.at, b->count * sizeof **b->at);
out:
    free(about.at);
}

static bool all_have(const struct window_borders *b, size_t k)
{
    for (size_t i = 0; i < b->lanes; i++)
        if (b->at[i] && isnan(b->at[i][k]))
            return false;
    return true;
}

static bool by_calls(const struct window_borders *b, size_t i, const struct window_trace *t,
                     const struct window_marks *m, const struct window_run *like)
{
    return b->at[i] && b->own[i] && !run_of(m, like, t->lane[i].rank);
}

/* Of a phase another: both are of one circle. */
static double circle(double a, double b)
{
    return fabs(a - b - round(a - b));
}

/* Borders by calls should stand in one place of the iteration, on all threads: in the one that is
   nearest to all. */
static void bring_together(struct window_borders *b, const struct window_trace *t,
                           const struct window_marks *m, const struct window_run *like)
{
    double least = INFINITY, most = 0, aim = 0;

    for (size_t i = 0; i < b->lanes; i++) {
        double sum = 0, farthest = 0;

        for (size_t k = 0; by_calls(b, i, t, m, like) && k < b->lanes; k++)
            if (by_calls(b, k, t, m, like)) {
                sum += circle(b->phase[k], b->phase[i]);
                farthest = fmax(farthest, fabs(b->phase[k] - b->phase[i]));
            }
        if (by_calls(b, i, t, m, like) && sum < least) {
            least = sum;
            most = farthest;
            aim = b->phase[i];
        }
    }
    for (size_t i = 0; most > TOGETHER && i < b->lanes; i++)
        if (by_calls(b, i, t, m, like))
            place_lane(b, i, t, m, like, aim);
}

static bool start(struct window_borders *b, size_t lanes, size_t count)
{
    *b = (struct window_borders){ .lanes = lanes, .count = count };
    b->at = calloc(lanes + 1, sizeof *b->at);
    b->phase = calloc(lanes + 1, sizeof *b->phase);
    b->own = calloc(lanes + 1, sizeof *b->own);
    return b->at && b->phase && b->own;
}

static bool find_common(struct window_borders *b)
{
    for (b->first = 0; b->first < b->count && !all_have(b, b->first);)
        b->first++;
    for (b->last = b->first; b->last + 1 < b->count && all_have(b, b->last + 1);)
        b->last++;
    return b->last + 1 >= b->first + LEAST;
}

bool window_borders_find(struct window_borders *b, const struct window_trace *t,
                         const struct window_marks *m, const struct truth *truth,
                         const struct answer *a)
{
    unsigned factor = 1;
    const struct window_run *like = choose(m, truth, a, &factor);

    if (!start(b, t->lanes, like ? like->mark.count : 0) || !like)
        return false;
    b->factor = factor;
    b->truth = truth;
    for (size_t i = 0; i < t->lanes; i++)
        place_lane(b, i, t, m, like, NAN);
    bring_together(b, t, m, like);
    return find_common(b);
}

double window_place(const struct window_borders *b, size_t lane, double at)
{
    const struct marks m = { b->at[lane] + b->first, b->last - b->first + 1 };

    return marks_between(&m, m.at[0], at) + (double)b->first + b->phase[lane];
}

void window_borders_fini(struct window_borders *b)
{
    for (size_t i = 0; b->at && i < b->lanes; i++)
        free(b->at[i]);
    free(b->at);
    free(b->phase);
    free(b->own);
    *b = (struct window_borders){ .lanes = 0 };
}
