#include "analysis/sample/sample.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* What is chosen from: numbers that differ by less than this share of them are equal. */
struct chs_values {
    const double *m;
    size_t count;
    double equal;
};

/* The first of equals stays: both members of a pair are as far from its mean. */
static bool chs_nearer(const struct chs_values *v, double off, double least, double mean)
{
    return off < least - v->equal * fabs(mean);
}

static double chs_mean(const double *m, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += m[i];
    return sum / (double)count;
}

static size_t chs_single(const struct chs_values *v, double mean)
{
    const double *m = v->m;
    size_t best = 0;

    for (size_t i = 1; i < v->count; i++)
        if (chs_nearer(v, fabs(m[i] - mean), fabs(m[best] - mean), mean))
            best = i;
    return best;
}

/* The first of `clusters` in a row. */
static size_t chs_row(const struct chs_values *v, size_t clusters, double mean)
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t i = 0; i + clusters <= v->count; i++) {
        const double off = fabs(chs_mean(v->m + i, clusters) - mean);

        if (chs_nearer(v, off, least, mean)) {
            least = off;
            best = i;
        }
    }
    return best;
}

/* Of each cluster the member that is nearest to its mean, with the cluster's share. */
static enum prvcut_status chs_clusters(struct prvcut_sample_pick *pick, size_t *picks,
                                       const struct chs_values *v, uint32_t clusters,
                                       struct prvcut_error *err)
{
    const double *m = v->m;
    const size_t count = v->count;
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

        if (chs_nearer(v, fabs(m[i] - mean[k]), near[k], mean[k])) {
            near[k] = fabs(m[i] - mean[k]);
            pick[k] = (struct prvcut_sample_pick){ i, (double)members[k] / (double)count };
        }
    }
    *picks = made;
    free(cluster);
    return made > 0 ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status prvcut_sample_choose(struct prvcut_sample_pick *const pick[3], size_t picks[3],
                                        const double *m, size_t count, double equal,
                                        uint32_t clusters, struct prvcut_error *err)
{
    const struct chs_values v = { m, count, equal };
    const size_t row = clusters < count ? clusters : count;
    const double mean = chs_mean(m, count);
    const size_t first = chs_row(&v, row, mean);

    pick[PRVCUT_TECHNIQUE_SSP][0] = (struct prvcut_sample_pick){ chs_single(&v, mean), 1 };
    picks[PRVCUT_TECHNIQUE_SSP] = 1;
    for (size_t i = 0; i < row; i++)
        pick[PRVCUT_TECHNIQUE_LSP][i] = (struct prvcut_sample_pick){ first + i, 1 / (double)row };
    picks[PRVCUT_TECHNIQUE_LSP] = row;
    return chs_clusters(pick[PRVCUT_TECHNIQUE_MSP], &picks[PRVCUT_TECHNIQUE_MSP], &v, clusters,
                        err);
}
