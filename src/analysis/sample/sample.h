#ifndef PRVCUT_ANALYSIS_SAMPLE_SAMPLE_H
#define PRVCUT_ANALYSIS_SAMPLE_SAMPLE_H

#include "analysis/sample/series.h"
#include "model/made.h"

/*
 * Which intervals of a run stand for it (Casas, chapter 5): chosen by one quantity (misses an
 * instruction), judged by another (cycles an instruction).
 */

/** Clusters at most. */
#define PRVCUT_SAMPLE_CLUSTERS 64

/**
 * The optimal clusters of numbers: k-means, exactly, by dynamic programming over the sorted ones.
 * Equal numbers are in the same cluster.
 *
 * shape   x, cluster: [count >= 1]; cluster: set here, in the order of their means; clusters: >= 1,
 *         fewer are made where fewer numbers differ
 * returns how many are made; 0: no memory
 * source  Wang and Song, Ckmeans.1d.dp (2011), for what is minimal; the search of each row is by
 *         halves, as the best splits do not cross
 */
uint32_t prvcut_clusters(uint32_t *cluster, const double *x, size_t count, uint32_t clusters,
                         struct prvcut_error *err);

/**
 * Choose by all techniques.
 *
 * shape   m: [count >= 1], by which it is chosen; numbers that differ by less than `equal` times
 *         themselves are equal, and the first of them is chosen; clusters <= PRVCUT_SAMPLE_CLUSTERS
 * owns    pick[t]: room for `clusters` picks, the caller's; picks[t]: how many are set
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_sample_choose(struct prvcut_sample_pick *const pick[3], size_t picks[3],
                                        const double *m, size_t count, double equal,
                                        uint32_t clusters, struct prvcut_error *err);

/** Columns of a series that a sample is made of, and the period. */
struct prvcut_sample_asked {
    const struct prvcut_series *series;
    size_t instructions, choose_by, predict; /**< columns */
    double period;                           /**< bins, > 0 */
    uint32_t clusters;
    const double *length; /**< [lengths] periods */
    size_t lengths;
};

/**
 * Group a series into intervals of each length, choose, and judge.
 *
 * owns    out: its lengths are made here, released with prvcut_sample_free, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_sample_judge(struct made_sample *out,
                                       const struct prvcut_sample_asked *asked,
                                       struct prvcut_error *err);

#endif
