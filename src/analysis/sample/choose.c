#include "analysis/sample/sample.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Numbers that differ by less than this share of them are equal: the rest is rounding. */
#define EQUAL 1e-12

/* So that the first of equals stays: both members of a pair are as far from its mean. */
static bool chs_nearer(double off, double least, double mean)
{
    return off < least - EQUAL * fabs(mean);
}

static double chs_mean(const double *m, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += m[i];
    return sum / (double)count;
}

static size_t chs_single(const double *m, size_t count, double mean)
{
    size_t best = 0;

    for (size_t i = 1; i < count; i++)
        if (chs_nearer(fabs(m[i] - mean), fabs(m[best] - mean), mean))
            best = i;
    return best;
}

/* The first of `clusters` in a row. */
static size_t chs_row(const double *m, size_t count, size_t clusters, double mean)
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t i = 0; i + clusters <= count; i++) {
        const double off = fabs(chs_mean(m + i, clusters) - mean);

        if (chs_nearer(off, least, mean)) {
            least = off;
            best = i;
        }
    }
    return best;
}

/* Of each cluster the member that is nearest to its mean, with the cluster's share. */
static enum prvcut_status chs_clusters(struct prvcut_sample_pick *pick, size_t *picks,
                                       const double *m, size_t count, uint32_t clusters,
                                       struct prvcut_error *err)
{
    uint32_t *cluster = prvcut_zeroed(count, sizeof *cluster, "clusters", err);
    const uint32_t made = cluster ? prvcut_clusters(cluster, m, count, clusters, err) : 0;
    double mean[PRVCUT_SAMPLE_CLUSTERS] = { 0 }, near[PRVCUT_SAMPLE_CLUSTERS];
    size_t members[PRVCUT_SAMPLE_CLUSTERS] = { 0 };

    for (size_t i = 0; made > 0 && i < count; i++) {
        mean[cluster[i]] += m[i];
        members[cluster[i]]++;
    }
    for (uint32_t k = 0; k < made; k++) {
        mean[k] /= (double)members[k];
        near[k] = INFINITY;
    }
    for (size_t i = 0; made > 0 && i < count; i++) {
        const uint32_t k = cluster[i];

        if (chs_nearer(fabs(m[i] - mean[k]), near[k], mean[k])) {
            near[k] = fabs(m[i] - mean[k]);
            pick[k] = (struct prvcut_sample_pick){ i, (double)members[k] / (double)count };
        }
    }
    *picks = made;
    free(cluster);
    return made > 0 ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status prvcut_sample_choose(struct prvcut_sample_pick *const pick[3], size_t picks[3],
                                        const double *m, size_t count, uint32_t clusters,
                                        struct prvcut_error *err)
{
    const size_t row = clusters < count ? clusters : count;
    const double mean = chs_mean(m, count);
    const size_t first = chs_row(m, count, row, mean);

    pick[PRVCUT_TECHNIQUE_SSP][0] = (struct prvcut_sample_pick){ chs_single(m, count, mean), 1 };
    picks[PRVCUT_TECHNIQUE_SSP] = 1;
    for (size_t i = 0; i < row; i++)
        pick[PRVCUT_TECHNIQUE_LSP][i] = (struct prvcut_sample_pick){ first + i, 1 / (double)row };
    picks[PRVCUT_TECHNIQUE_LSP] = row;
    return chs_clusters(pick[PRVCUT_TECHNIQUE_MSP], &picks[PRVCUT_TECHNIQUE_MSP], m, count,
                        clusters, err);
}
