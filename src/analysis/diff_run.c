#include "analysis/diff_stat.h"

#include "model/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * name         value  unit              decides
 */
#define DRN_MOST  100u /* iterations that are taken as one */
#define DRN_NEAR  0.1  /* of k: how far k times as many iterations, or calls, may be off */
#define DRN_SAME  0.9  /* of all calls: so many must be k times as many */
#define DRN_FEW   4.0  /* iterations that a loop must have, to be told from a part of it */
#define DRN_LONG  1.5  /* k iterations may be so many times as long as the one that holds them */
#define DRN_LOOPS 1.5  /* so many times the calls, and as long by as much: no loop like that */

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

/* How often an iteration of `one` makes the calls that `many` makes, too, for each time there. */
static double drn_ratio(const struct prvcut_diff_run *one, const struct prvcut_diff_run *many)
{
    double of_one = 0, of_many = 0;

    for (size_t c = 0; c < one->calls; c++) {
        const double calls = drn_calls(many, one->call[c]);

        of_many += calls;
        of_one += calls > 0 ? drn_calls(one, one->call[c]) : 0;
    }
    return of_many > 0 ? of_one / of_many : 0;
}

/* ns of an iteration, mean of all threads. */
static double drn_length(const struct prvcut_diff_run *r)
{
    double sum = 0;

    for (uint32_t i = 0; i < r->rows; i++)
        sum += prvcut_diff_at(r, r->iterations, i)[PRVCUT_DIFF_AT_LENGTH];
    return sum / r->count / (r->threads > 0 ? r->threads : 1);
}

/* As often as the other: who does so much more in each does more in the same loop. */
static bool drn_as_often(const struct prvcut_diff_run *a, const struct prvcut_diff_run *b)
{
    return fabs(a->count - b->count) <=
           fmax(PRVCUT_DIFF_OFF_BY, DRN_NEAR * fmin(a->count, b->count));
}

/* How many of `many` are one of `one`; 1: they are alike, or have nothing to do with each other.
   The calls tell it, for either may run for more steps: so many iterations make the same calls in
   all, or are about as long. */
static unsigned drn_multiple(const struct prvcut_diff_run *one, const struct prvcut_diff_run *many)
{
    const double calls = drn_ratio(one, many);
    const unsigned k = calls > 1.5 && calls < DRN_MOST + 0.5 ? (unsigned)(calls + 0.5) : 1;
    const bool in_all = one->count >= DRN_FEW && fabs(many->count / one->count - k) <= DRN_NEAR * k;
    const bool as_long =
        !drn_as_often(one, many) && drn_length(one) * DRN_LONG >= k * drn_length(many);

    return k > 1 && (in_all || as_long) && drn_holds(one, many, k) ? k : 1;
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

bool prvcut_diff_unlike(const struct prvcut_diff_run run[2], double *times)
{
    double calls[2] = { 0, 0 };

    for (unsigned s = 0; s < 2; s++)
        for (size_t c = 0; c < run[s].calls; c++)
            calls[s] += drn_calls(&run[s], run[s].call[c]);
    *times = calls[0] > 0 && calls[1] > 0 ? calls[1] / calls[0] : 1;
    if (drn_as_often(&run[0], &run[1]) || (*times<DRN_LOOPS && * times * DRN_LOOPS> 1))
        return false;
    return *times > 1 ? drn_length(&run[1]) >= DRN_LOOPS * drn_length(&run[0])
                      : drn_length(&run[0]) >= DRN_LOOPS * drn_length(&run[1]);
}
