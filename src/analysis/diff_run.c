#include "analysis/diff.h"

#include "model/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * name         value  unit              decides
 */
#define DRN_MOST 16u /* iterations that are taken as one */
#define DRN_NEAR 0.1 /* of k: how far k times as many iterations, or calls, may be off */
#define DRN_SAME 0.9 /* of all calls: so many must be k times as many */
#define DRN_FEW  4.0 /* iterations that a loop must have, to be told from a part of it */

void prvcut_diff_run_fini(struct prvcut_diff_run *r)
{
    prvcut_texts_free(r->call, r->calls);
    free(r->number);
    free(r->clear);
    free(r->at);
    memset(r, 0, sizeof *r);
}

/* How often calls of that name are made in an iteration, by all threads. */
static double drn_calls(const struct prvcut_diff_run *r, const char *name)
{
    double sum = 0;

    for (size_t c = 0; c < r->calls; c++)
        for (uint32_t i = 0; strcmp(r->call[c], name) == 0 && i < r->rows; i++)
            sum += prvcut_diff_at(r, r->iterations, i)[PRVCUT_DIFF_AT_COLUMNS + r->calls + c];
    return sum / r->count;
}

/* Does an iteration of `one` hold the calls of k of `many`? */
static bool drn_holds(const struct prvcut_diff_run *one, const struct prvcut_diff_run *many,
                      unsigned k)
{
    double all = 0, same = 0;

    for (size_t c = 0; c < one->calls; c++) {
        const double calls = drn_calls(one, one->call[c]);

        all += calls;
        if (fabs(drn_calls(many, one->call[c]) * k - calls) <= DRN_NEAR / 2 * calls)
            same += calls;
    }
    return all > 0 && same >= DRN_SAME * all;
}

/* How many of `many` are one of `one`; 1: they are alike, or have nothing to do with each other. */
static unsigned drn_multiple(const struct prvcut_diff_run *one, const struct prvcut_diff_run *many)
{
    const double ratio = one->count > 0 ? many->count / one->count : 0;
    const unsigned k = ratio > 1.5 && ratio < DRN_MOST + 0.5 ? (unsigned)(ratio + 0.5) : 1;

    return k > 1 && one->count >= DRN_FEW && fabs(ratio - k) <= DRN_NEAR * k &&
                   drn_holds(one, many, k)
               ? k
               : 1;
}

/* Only of iterations that follow each other; the last ones may be too few for one. */
static bool drn_join(struct prvcut_diff_run *r, unsigned k)
{
    const size_t room = r->rows * prvcut_diff_width(r);
    size_t made = 0;

    for (size_t i = 1; i < r->iterations; i++)
        if (r->number[i] != r->number[i - 1] + 1)
            return false;
    for (size_t i = 0; i + k <= r->iterations; i += k, made++) {
        double *to = r->at + made * room;

        memmove(to, r->at + i * room, room * sizeof *to);
        r->clear[made] = r->clear[i];
        for (size_t n = 1; n < k; n++) {
            r->clear[made] = r->clear[made] && r->clear[i + n];
            for (size_t c = 0; c < room; c++)
                to[c] += r->at[(i + n) * room + c];
        }
        r->number[made] = r->number[i] / k;
    }
    memmove(r->at + made * room, r->at + r->iterations * room, room * sizeof *r->at);
    r->iterations = made;
    r->count /= k;
    return made > 0;
}

void prvcut_diff_together(struct prvcut_diff_run run[2], unsigned together[2])
{
    together[0] = together[1] = 1;
    for (unsigned s = 0; s < 2 && run[0].loop && run[1].loop; s++) {
        const unsigned k = drn_multiple(&run[1 - s], &run[s]);

        if (k > 1 && run[s].iterations >= k && drn_join(&run[s], k)) {
            together[s] = k;
            return;
        }
    }
}
