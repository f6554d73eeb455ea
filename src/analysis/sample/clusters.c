#include "analysis/sample/sample.h"

#include "base/memory.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>

/* Numbers that differ by less than this share of them are equal: the rest is rounding. */
#define EQUAL 1e-12

/* Numbers that differ, sorted, each the least of its equals: how often each is there, and sums over
 * all before it. */
struct clu_values {
    double *at;     /* [count]; sums are of these less their mean */
    double *weight; /* [count + 1] */
    double *sum;    /* [count + 1] */
    double *square; /* [count + 1] */
    size_t count;
};

static void clu_values_fini(struct clu_values *v)
{
    free(v->at);
    free(v->weight);
    free(v->sum);
    free(v->square);
}

static int clu_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static enum prvcut_status clu_values_make(struct clu_values *v, const double *x, size_t count,
                                          struct prvcut_error *err)
{
    double mean = 0;

    *v =
        (struct clu_values){ .at = prvcut_zeroed(count, sizeof *v->at, "values", err),
                             .weight = prvcut_zeroed(count + 1, sizeof *v->weight, "values", err),
                             .sum = prvcut_zeroed(count + 1, sizeof *v->sum, "values", err),
                             .square = prvcut_zeroed(count + 1, sizeof *v->square, "values", err) };
    if (!v->at || !v->weight || !v->sum || !v->square)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        v->at[i] = x[i];
        mean += x[i] / (double)count;
    }
    qsort(v->at, count, sizeof *v->at, clu_compare);
    for (size_t i = 0; i < count; i++) {
        const double off = v->at[i] - mean;

        if (v->count == 0 || v->at[i] - v->at[v->count - 1] > EQUAL * fabs(v->at[i])) {
            v->at[v->count++] = v->at[i];
            v->weight[v->count] = v->weight[v->count - 1];
            v->sum[v->count] = v->sum[v->count - 1];
            v->square[v->count] = v->square[v->count - 1];
        }
        v->weight[v->count] += 1;
        v->sum[v->count] += off;
        v->square[v->count] += off * off;
    }
    return PRVCUT_OK;
}

/* Squares about the mean of the values from..to - 1. */
static double clu_cost(const struct clu_values *v, size_t from, size_t to)
{
    const double sum = v->sum[to] - v->sum[from];

    return v->square[to] - v->square[from] - sum * sum / (v->weight[to] - v->weight[from]);
}

/* One row of the table: the least cost of the first j values in so many clusters. */
struct clu_row {
    const struct clu_values *v;
    const double *before; /* [count + 1], in one cluster less */
    double *cost;         /* [count + 1] */
    uint32_t *begin;      /* [count + 1], of the last cluster; the first of equals */
};

/* Where the last cluster of the first j values begins best, within least .. most. */
static void clu_best(const struct clu_row *r, size_t j, size_t least, size_t most)
{
    r->cost[j] = INFINITY;
    for (size_t i = least; i <= most && i < j; i++) {
        const double cost = r->before[i] + clu_cost(r->v, i, j);

        if (cost < r->cost[j]) {
            r->cost[j] = cost;
            r->begin[j] = (uint32_t)i;
        }
    }
}

/* The best begin never falls as j rises: those of one half bound those of the others. */
static void clu_fill(const struct clu_row *r, size_t from, size_t to, size_t least, size_t most)
{
    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        clu_best(r, middle, least, most);
        clu_fill(r, from, middle, least, r->begin[middle]);
        from = middle + 1;
        least = r->begin[middle];
    }
}

/* begin: [clusters][count + 1] */
static enum prvcut_status clu_solve(const struct clu_values *v, uint32_t clusters, uint32_t *begin,
                                    struct prvcut_error *err)
{
    double *cost = prvcut_zeroed(2 * (v->count + 1), sizeof *cost, "costs", err);
    double *now = cost, *before = cost ? cost + v->count + 1 : NULL;

    if (!cost)
        return PRVCUT_ENOMEM;
    for (size_t j = 1; j <= v->count; j++)
        now[j] = clu_cost(v, 0, j);
    for (uint32_t k = 1; k < clusters; k++) {
        double *kept = before;
        struct clu_row r = { .v = v, .begin = begin + k * (v->count + 1) };

        before = now;
        now = kept;
        r.before = before;
        r.cost = now;
        /* k values fill the clusters before, at least. */
        clu_fill(&r, k + 1, v->count + 1, k, v->count - 1);
    }
    free(cost);
    return PRVCUT_OK;
}

/* The cluster of each value, from the last begin back. */
static void clu_label(uint32_t *label, const struct clu_values *v, uint32_t clusters,
                      const uint32_t *begin)
{
    size_t to = v->count;

    for (uint32_t k = clusters; k > 0; k--) {
        const size_t from = k > 1 ? begin[(k - 1) * (v->count + 1) + to] : 0;

        for (size_t i = from; i < to; i++)
            label[i] = k - 1;
        to = from;
    }
}

struct clu_above {
    const struct clu_values *v;
    double x;
};

static bool clu_is_above(const void *ctx, size_t i)
{
    const struct clu_above *a = ctx;

    return a->v->at[i] > a->x;
}

/* The place of a number among those that differ. */
static size_t clu_place(const struct clu_values *v, double x)
{
    return prvcut_first(1, v->count, clu_is_above, &(const struct clu_above){ v, x }) - 1;
}

uint32_t prvcut_clusters(uint32_t *cluster, const double *x, size_t count, uint32_t clusters,
                         struct prvcut_error *err)
{
    struct clu_values v;
    uint32_t *begin = NULL, *label = NULL;
    enum prvcut_status st = clu_values_make(&v, x, count, err);

    clusters = clusters < v.count ? clusters : (uint32_t)v.count;
    if (st == PRVCUT_OK) {
        begin = prvcut_zeroed(clusters * (v.count + 1), sizeof *begin, "clusters", err);
        label = prvcut_zeroed(v.count, sizeof *label, "clusters", err);
        st = begin && label ? clu_solve(&v, clusters, begin, err) : PRVCUT_ENOMEM;
    }
    if (st == PRVCUT_OK) {
        clu_label(label, &v, clusters, begin);
        for (size_t i = 0; i < count; i++)
            cluster[i] = label[clu_place(&v, x[i])];
    }
    free(begin);
    free(label);
    clu_values_fini(&v);
    return st == PRVCUT_OK ? clusters : 0;
}
