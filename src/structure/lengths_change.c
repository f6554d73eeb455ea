#include "base/memory.h"
#include "dsp/order.h"
#include "structure/lengths_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * On a shared machine iterations become longer for a while, too; so a part must be a good share of
 * the run, more so when the length goes back afterwards, and stand clear of the noise.
 */
#define CHANGE_LEAST 3    /* iterations of a part */
#define CHANGE_PARTS 7    /* parts at most, and none shorter than that share */
#define CHANGE_STEP  0.25 /* logarithm of the ratio of two lengths that differ */
#define CHANGE_OWN                                                                                 \
    0.85                  /* share of a part's iterations that must be more like it than the other \
                           */
#define CHANGE_CLEAR  2.4 /* standard deviations of the lengths that a step must have, */
#define CHANGE_TRUST  4.5 /* and standard errors, */
#define CHANGE_FEW    20.0 /* and what divided by the iterations they must have more */
#define CHANGE_NOISE  4 /* times that the longer part's noise is the shorter's in a disturbance, */
#define CHANGE_LOUD   0.08 /* if it is as large as that, */
#define CHANGE_TELL   10   /* and each part has so many iterations */
#define CHANGE_LINE   0.88 /* of a drift's misfit, below which a step is the better explanation */
#define CHANGE_LOCAL  0.5  /* of the step, that must be seen near it */
#define CHANGE_NEAR   15   /* iterations on either side that are near */
#define CHANGE_SAME   0.33 /* of a step, by which two lengths may differ and be the same */
#define CHANGE_BRIEF  0.25 /* of a part and its neighbours, less than which is an interlude */
#define CHANGE_RETURN 2    /* times that a former length may come again: more are an alternation */
#define CHANGE_ROUNDS 8    /* of the fit of a line */

/** The search: parts are [cut[i], cut[i + 1]). */
struct change {
    double *y;    /* [n]: logarithms of the lengths */
    double *calm; /* [n]: the same without single outliers */
    double *sum;  /* [n + 1]: running sum of calm */
    double *room; /* [n] */
    size_t n, least;
    size_t cut[CHANGE_PARTS + 2];
    size_t parts;
};

static double change_median(const struct change *c, size_t from, size_t to)
{
    memcpy(c->room, c->y + from, (to - from) * sizeof *c->room);
    return prvcut_median(c->room, to - from);
}

/* Medians of up to five: what fills less than three in a row goes. */
static void change_calm(struct change *c)
{
    c->sum[0] = 0;
    for (size_t i = 0; i < c->n; i++) {
        size_t reach = i < c->n - 1 - i ? i : c->n - 1 - i;
        double five[5];

        reach = reach < 2 ? reach : 2;
        memcpy(five, c->y + i - reach, (2 * reach + 1) * sizeof *five);
        c->calm[i] = prvcut_median(five, 2 * reach + 1);
        c->sum[i + 1] = c->sum[i] + c->calm[i];
    }
}

/* The best place to split [from, to) into two parts of constant length, and what that explains. */
static size_t change_split(const struct change *c, size_t from, size_t to, double *gain)
{
    size_t best = 0;

    *gain = 0;
    for (size_t k = from + c->least; k + c->least <= to; k++) {
        double left = (double)(k - from), right = (double)(to - k);
        double step = (c->sum[to] - c->sum[k]) / right - (c->sum[k] - c->sum[from]) / left;
        double value = step * step * left * right / (left + right);

        if (value > *gain) {
            *gain = value;
            best = k;
        }
    }
    return best;
}

/* Split, the greatest gain first, as long as a step that counts could be the reason. */
static void change_divide(struct change *c)
{
    size_t place[CHANGE_PARTS + 1];
    double gain[CHANGE_PARTS + 1];

    c->parts = 1;
    c->cut[0] = 0;
    c->cut[1] = c->n;
    place[0] = change_split(c, 0, c->n, &gain[0]);
    while (c->parts <= CHANGE_PARTS) {
        size_t best = 0;

        for (size_t i = 1; i < c->parts; i++)
            best = gain[i] > gain[best] ? i : best;
        if (gain[best] < CHANGE_STEP * CHANGE_STEP / 4)
            break;
        memmove(&c->cut[best + 2], &c->cut[best + 1], (c->parts - best) * sizeof *c->cut);
        memmove(&gain[best + 1], &gain[best], (c->parts - best) * sizeof *gain);
        memmove(&place[best + 1], &place[best], (c->parts - best) * sizeof *place);
        c->cut[best + 1] = place[best];
        c->parts++;
        for (size_t i = best; i < best + 2; i++)
            place[i] = change_split(c, c->cut[i], c->cut[i + 1], &gain[i]);
    }
}

/* Mean distance of [from, to) from a straight line, which is fitted to make it small. */
static double change_line(const struct change *c, size_t from, size_t to)
{
    double n = (double)(to - from), best = HUGE_VAL, slope = 0, level = 0;

    for (int round = 0; round < CHANGE_ROUNDS; round++) {
        double w = 0, x = 0, y = 0, xx = 0, xy = 0, misfit = 0;

        for (size_t i = from; i < to; i++) {
            double t = ((double)(i - from) + 0.5) / n - 0.5;
            double far = fabs(c->y[i] - level - slope * t);
            double weight = round == 0 ? 1 : 1 / fmax(far, 1e-3);

            misfit += far / n;
            w += weight;
            x += weight * t;
            y += weight * c->y[i];
            xx += weight * t * t;
            xy += weight * t * c->y[i];
        }
        if (round > 0)
            best = fmin(best, misfit);
        slope = w * xx - x * x > 0 ? (w * xy - x * y) / (w * xx - x * x) : 0;
        level = (y - slope * x) / w;
    }
    return best;
}

/* One side of a step: its median, how many are nearer to it than to the other, how far they are. */
struct side {
    size_t from, to;
    double median, other, own, misfit;
};

static void change_side(const struct change *c, struct side *s)
{
    double n = (double)(s->to - s->from);

    for (size_t i = s->from; i < s->to; i++) {
        double far = fabs(c->y[i] - s->median);

        s->own += far < fabs(c->y[i] - s->other) ? 1 / n : 0;
        s->misfit += far / n;
    }
}

/* Usual distance from the median on one side, as a standard deviation. */
static double change_noise(const struct change *c, const struct side *s)
{
    memcpy(c->room, c->y + s->from, (s->to - s->from) * sizeof *c->room);
    return PRVCUT_MAD_SCALE * prvcut_mad(c->room, s->to - s->from, s->median);
}

/* Is the longer part only the shorter one with something that gets in its way? */
static bool change_disturbed(const struct change *c, const struct side *l, const struct side *r)
{
    const struct side *longer = l->median > r->median ? l : r, *shorter = longer == l ? r : l;
    double noise = change_noise(c, longer);

    return l->to - l->from >= CHANGE_TELL && r->to - r->from >= CHANGE_TELL &&
           noise > CHANGE_LOUD && noise > CHANGE_NOISE * change_noise(c, shorter);
}

/* Does the length change at cut i? */
static bool change_holds(const struct change *c, size_t i)
{
    struct side l = { .from = c->cut[i - 1], .to = c->cut[i] };
    struct side r = { .from = c->cut[i], .to = c->cut[i + 1] };
    double left = (double)(l.to - l.from), right = (double)(r.to - r.from), n = left + right;
    size_t near = (size_t)fmin(CHANGE_NEAR, fmin(left, right));
    double step, local, misfit, deviation;

    l.median = r.other = change_median(c, l.from, l.to);
    r.median = l.other = change_median(c, r.from, r.to);
    step = r.median - l.median;
    if (fabs(step) < CHANGE_STEP)
        return false;
    change_side(c, &l);
    change_side(c, &r);
    if (l.own < CHANGE_OWN || r.own < CHANGE_OWN || change_disturbed(c, &l, &r))
        return false;
    local = change_median(c, r.from, r.from + near) - change_median(c, l.to - near, l.to);
    if (local * step < CHANGE_LOCAL * step * step)
        return false;
    misfit = (l.misfit * left + r.misfit * right) / n;
    deviation = 1.25 * misfit * n / (n - 2);
    if (fabs(step) < CHANGE_CLEAR * deviation ||
        fabs(step) < (CHANGE_TRUST + CHANGE_FEW / n) * deviation * sqrt(1 / left + 1 / right))
        return false;
    return misfit <= CHANGE_LINE * change_line(c, l.from, r.to);
}

static void change_join(struct change *c, size_t i)
{
    memmove(&c->cut[i], &c->cut[i + 1], (c->parts - i) * sizeof *c->cut);
    c->parts--;
}

/* How far apart the medians of the parts around cut i are. */
static double change_step(const struct change *c, size_t i)
{
    return fabs(change_median(c, c->cut[i], c->cut[i + 1]) -
                change_median(c, c->cut[i - 1], c->cut[i]));
}

/* Take away what does not hold, the smallest step first, for it may make others hold. */
static void change_unite(struct change *c)
{
    for (;;) {
        size_t weakest = 0;
        double least = HUGE_VAL;

        for (size_t i = 1; i < c->parts; i++) {
            double step = change_step(c, i);

            if (step < least && !change_holds(c, i)) {
                least = step;
                weakest = i;
            }
        }
        if (weakest == 0)
            return;
        change_join(c, weakest);
    }
}

/* Move each cut to where the lengths themselves change between the levels of both parts. */
static void change_place(struct change *c)
{
    for (size_t i = 1; i < c->parts; i++) {
        size_t from = c->cut[i - 1], to = c->cut[i + 1], best = c->cut[i];
        double l = change_median(c, from, best), r = change_median(c, best, to);
        double sum = 0, least = HUGE_VAL;

        for (size_t k = from; k + CHANGE_LEAST <= to; k++) {
            if (k >= from + CHANGE_LEAST && sum < least) {
                least = sum;
                best = k;
            }
            sum += fabs(c->y[k] - l) - fabs(c->y[k] - r);
        }
        c->cut[i] = best;
    }
}

/* Is the part after part i + 1 as long as part i again? */
static bool change_back(const struct change *c, size_t i)
{
    double first = change_median(c, c->cut[i], c->cut[i + 1]);
    double third = change_median(c, c->cut[i + 2], c->cut[i + 3]);

    return fabs(third - first) < CHANGE_SAME * change_step(c, i + 1);
}

static size_t change_returns(const struct change *c)
{
    size_t out = 0;

    for (size_t i = 0; i + 3 <= c->parts; i++)
        out += change_back(c, i);
    return out;
}

/* Parts that turned out too short, and interludes, go. Does any? */
static bool change_drop(struct change *c)
{
    for (size_t i = 0; i < c->parts && c->parts > 1; i++)
        if (c->cut[i + 1] - c->cut[i] < c->least) {
            change_join(c, i > 0 ? i : 1);
            return true;
        }
    for (size_t i = 0; i + 3 <= c->parts; i++) {
        double middle = (double)(c->cut[i + 2] - c->cut[i + 1]);

        if (middle < CHANGE_BRIEF * (double)(c->cut[i + 3] - c->cut[i]) && change_back(c, i)) {
            change_join(c, i + 2);
            change_join(c, i + 1);
            return true;
        }
    }
    return false;
}

static enum prvcut_status change_result(size_t **change, size_t *changes, const struct change *c,
                                        const struct lengths_list *l, struct prvcut_error *err)
{
    if (c->parts < 2 || change_returns(c) > CHANGE_RETURN)
        return PRVCUT_OK;
    *change = prvcut_unset(c->parts - 1, sizeof **change, "changes", err);
    if (!*change)
        return PRVCUT_ENOMEM;
    for (size_t i = 1; i < c->parts; i++)
        (*change)[(*changes)++] = l->iteration[c->cut[i]];
    return PRVCUT_OK;
}

static enum prvcut_status change_find(size_t **change, size_t *changes,
                                      const struct lengths_list *l, double *room,
                                      struct prvcut_error *err)
{
    struct change c = { .n = l->count, .least = l->count / CHANGE_PARTS };

    c.least = c.least > CHANGE_LEAST ? c.least : CHANGE_LEAST;
    c.y = room;
    c.calm = c.y + c.n;
    c.room = c.calm + c.n;
    c.sum = c.room + c.n;
    for (size_t i = 0; i < c.n; i++)
        c.y[i] = log(fmax(l->at[i], 1));
    change_calm(&c);
    change_divide(&c);
    do {
        change_unite(&c);
        change_place(&c);
    } while (change_drop(&c));
    return change_result(change, changes, &c, l, err);
}

enum prvcut_status prvcut_lengths_changes(size_t **change, size_t *changes, const uint64_t *border,
                                          size_t borders, const struct prvcut_span *mask,
                                          size_t masks, struct prvcut_error *err)
{
    struct lengths_list l;
    double *room = NULL;
    enum prvcut_status st = prvcut_lengths_take(&l, border, borders, mask, masks, err);

    *change = NULL;
    *changes = 0;
    if (st == PRVCUT_OK && l.count >= 2 * CHANGE_LEAST) {
        room = prvcut_zeroed(4 * l.count + 1, sizeof *room, "iterations", err);
        st = room ? change_find(change, changes, &l, room, err) : PRVCUT_ENOMEM;
    }
    free(room);
    prvcut_lengths_drop(&l);
    return st;
}
