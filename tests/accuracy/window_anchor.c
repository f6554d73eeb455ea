#include "window_anchor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW    24  /* calls in a row */
#define AROUND 0.6 /* iterations before and behind the loop that are looked at */
#define NEAR   0.5 /* of an iteration from where it is expected; ... */
#define FAR    1.5 /* ... a few so far */
#define FEW    0.1
#define CLOSE  0.05 /* of an iteration: no need to look further */
#define EARLY  0.1  /* may come so long before the marks, which are not exact */

/* Calls in a row that begin with one of them. */
struct row {
    uint64_t key;
    size_t first;
};

static int by_key(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static int by_value(const void *x, const void *y)
{
    const double *a = x, *b = y;

    return *a < *b ? -1 : *a > *b;
}

static double median_of(const double *at, size_t count, double *room)
{
    memcpy(room, at, count * sizeof *room);
    qsort(room, count, sizeof *room, by_value);
    return room[count / 2];
}

/* What is looked for, and the best so far. */
struct search {
    const struct window_lane *l;
    const struct marks *m;
    double *place, *room; /* [m->count + 1] */
    double *out, *phase;
    double aim, least, enough; /* phases: wanted, the first one, as near as is good enough */
    double best;               /* how far from where they are expected */
    double near;               /* the same of the phase */
    void (*test)(struct search *s, const struct row *row, size_t count);
    size_t iterations, found; /* of window_anchor_even */
};

/* What makes calls the same: more and more of what is known of them. */
enum alike { KIND, PEER, SIZE, ALL, ALIKE };

static uint64_t token(const struct window_call *c, enum alike alike)
{
    uint64_t key = c->kind + 1;

    if (alike == PEER || alike == ALL)
        key = key << 20 ^ c->peer;
    if (alike == SIZE || alike == ALL)
        key = key << 28 ^ c->size;
    return key;
}

static void take(struct search *s, const struct row *row, size_t count, long shift, double phase)
{
    for (size_t k = 0; k < s->m->count; k++)
        s->out[k] = NAN;
    for (size_t j = 0; j < count; j++) {
        const long k = (long)j + shift;

        if (k >= 0 && k + 1 < (long)s->m->count)
            s->out[k] = s->l->call[row[j].first].begin;
    }
    *s->phase = phase;
}

/* Iterations without such a call. */
static size_t lacking(size_t iterations, size_t count, long shift)
{
    const long last = (long)count + shift;

    return (size_t)((shift > 0 ? shift : 0) +
                    (last < (long)iterations ? (long)iterations - last : 0));
}

/* Does one of these begin in each iteration, in about the same place? */
static void try_rows(struct search *s, const struct row *row, size_t count)
{
    const size_t iterations = s->m->count - 1;
    double phase, off = 0;
    size_t far = 0;
    long shift;

    if (count + 1 < iterations || count > iterations + 1)
        return;
    for (size_t j = 0; j < count; j++)
        s->place[j] = marks_between(s->m, s->m->at[0], s->l->call[row[j].first].begin) - (double)j;
    phase = median_of(s->place, count, s->room);
    for (size_t j = 0; j < count; j++) {
        const double apart = fabs(s->place[j] - phase);

        if (apart > FAR)
            return;
        far += apart > NEAR;
        off += apart / (double)count;
    }
    shift = (long)floor(phase - s->least);
    phase -= (double)shift;
    off += fabs(phase - s->aim) / 3 + (double)lacking(iterations, count, shift) / 4;
    if ((double)far > FEW * (double)count || off >= s->best ||
        (long)count + shift < (long)iterations - 1 || shift > 1 || shift < -1)
        return;
    s->best = off;
    s->near = fabs(phase - s->aim);
    take(s, row, count, shift, phase);
}

/* All rows of that many calls. */
static void try_length(struct search *s, const struct row *unsorted, struct row *row, size_t count)
{
    memcpy(row, unsorted, count * sizeof *row);
    qsort(row, count, sizeof *row, by_key);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && row[i + n].key == row[i].key;)
            n++;
        s->test(s, &row[i], n);
    }
}

static void try_all(struct search *s, enum alike alike, size_t first, size_t count, struct row *row)
{
    struct row *unsorted = row + count;
    const struct window_call *call = &s->l->call[first];

    for (size_t i = 0; i < count; i++)
        unsorted[i] = (struct row){ 0, first + i };
    for (size_t n = 1; n <= ROW && n <= count && s->near > s->enough; n++) {
        for (size_t i = 0; i + n <= count; i++)
            unsorted[i].key =
                (unsorted[i].key + token(&call[i + n - 1], alike)) * 0x9E3779B97F4A7C15u;
        try_length(s, unsorted, row, count - n + 1);
    }
}

bool window_anchor(const struct window_lane *l, const struct marks *m, double aim, double *out,
                   double *phase)
{
    const double mean = (m->at[m->count - 1] - m->at[0]) / (double)(m->count - 1);
    const size_t first = window_first_call(l, m->at[0] - AROUND * mean);
    const size_t end = window_first_call(l, m->at[m->count - 1] + AROUND * mean);
    struct row *row = calloc(2 * (end - first) + 1, sizeof *row);
    struct search s = { .l = l,
                        .m = m,
                        .out = out,
                        .phase = phase,
                        .best = INFINITY,
                        .near = INFINITY,
                        .test = try_rows };

    /* At first whatever there is. */
    s.aim = isnan(aim) ? 0 : aim;
    s.least = isnan(aim) ? -EARLY : aim - 0.5;
    s.enough = isnan(aim) ? 1 : CLOSE;
    s.place = calloc(2 * m->count + 2, sizeof *s.place);
    if (row && s.place) {
        s.room = s.place + m->count + 1;
        for (int alike = KIND; alike < ALIKE && s.near > s.enough; alike++)
            try_all(&s, (enum alike)alike, first, end - first, row);
    }
    free(row);
    free(s.place);
    return s.best < INFINITY;
}

/* As many, and at distances that differ least. */
static void try_even(struct search *s, const struct row *row, size_t count)
{
    double sum = 0, squares = 0, off;

    if (count + 1 < s->iterations || count > s->iterations + 1)
        return;
    for (size_t j = 1; j < count; j++) {
        const double apart = s->l->call[row[j].first].begin - s->l->call[row[j - 1].first].begin;

        sum += apart;
        squares += apart * apart;
    }
    off = squares * (double)(count - 1) / (sum * sum);
    if (off >= s->best)
        return;
    s->best = off;
    s->near = 0;
    s->found = count;
    for (size_t j = 0; j < count; j++)
        s->out[j] = s->l->call[row[j].first].begin;
}

size_t window_anchor_even(const struct window_lane *l, size_t iterations, double *out)
{
    struct row *row = calloc(2 * l->calls + 1, sizeof *row);
    struct search s = { .l = l,
                        .out = out,
                        .best = INFINITY,
                        .near = INFINITY,
                        .test = try_even,
                        .iterations = iterations };

    for (int alike = KIND; row && iterations > 2 && alike < ALIKE && s.found == 0; alike++)
        try_all(&s, (enum alike)alike, 0, l->calls, row);
    free(row);
    return s.found;
}
