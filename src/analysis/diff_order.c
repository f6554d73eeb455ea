#include "analysis/diff_order.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct prvcut_diff_kind prvcut_diff_kinds[] = {
    [PRVCUT_DIFF_LENGTH] = { true, false, PRVCUT_DIFF_WORSE, true },
    [PRVCUT_DIFF_ITERATIONS] = { false, true, PRVCUT_DIFF_WORSE, true },
    [PRVCUT_DIFF_COMPUTING] = { true, false, PRVCUT_DIFF_WORSE, true },
    [PRVCUT_DIFF_CALLS] = { true, false, PRVCUT_DIFF_WORSE, false },
    [PRVCUT_DIFF_FLUSHING] = { true, false, PRVCUT_DIFF_WORSE, false },
    [PRVCUT_DIFF_OFF] = { true, false, PRVCUT_DIFF_NEITHER, false },
    [PRVCUT_DIFF_CALL] = { true, false, PRVCUT_DIFF_WORSE, false },
    [PRVCUT_DIFF_ENTERED] = { false, true, PRVCUT_DIFF_WORSE, true },
    [PRVCUT_DIFF_MESSAGES] = { false, true, PRVCUT_DIFF_WORSE, true },
    [PRVCUT_DIFF_BYTES] = { false, true, PRVCUT_DIFF_WORSE, true },
    [PRVCUT_DIFF_INSTRUCTIONS] = { false, false, PRVCUT_DIFF_WORSE, true },
    [PRVCUT_DIFF_IPC] = { false, false, PRVCUT_DIFF_BETTER, false },
    [PRVCUT_DIFF_FREQUENCY] = { false, false, PRVCUT_DIFF_BETTER, false },
    [PRVCUT_DIFF_WAITING] = { true, false, PRVCUT_DIFF_WORSE, false },
    [PRVCUT_DIFF_COLLECTIVE_BYTES] = { false, true, PRVCUT_DIFF_WORSE, true },
};

/* Calls by the time of the run that spends more in them. */
static double dor_weight(const struct prvcut_diff_row *r)
{
    return fmax(isnan(r->mean[0]) ? 0 : r->mean[0], isnan(r->mean[1]) ? 0 : r->mean[1]);
}

static int dor_by_weight(const void *a, const void *b)
{
    const struct prvcut_diff_row *x = a, *y = b;
    const double one = dor_weight(x), other = dor_weight(y);

    return one != other ? (one < other ? 1 : -1) : strcmp(x->call, y->call);
}

/* The time in each call stands two rows from the next one's: pairs are sorted as one. */
void prvcut_diff_sort(struct made_diff *out)
{
    if (out->is.rows > PRVCUT_DIFF_FIXED)
        qsort(out->row + PRVCUT_DIFF_FIXED, (out->is.rows - PRVCUT_DIFF_FIXED) / 2,
              2 * sizeof *out->row, dor_by_weight);
}

/* What matters most: how long, how often, then times by their size, then all else. */
static unsigned dor_class(const struct prvcut_diff_row *r)
{
    return r->quantity == PRVCUT_DIFF_LENGTH       ? 0
           : r->quantity == PRVCUT_DIFF_ITERATIONS ? 1
           : prvcut_diff_kinds[r->quantity].time   ? 2
                                                   : 3;
}

static double dor_size(const struct prvcut_diff_row *r)
{
    const double all = fabs(prvcut_diff_kinds[r->quantity].time ? r->difference : r->share);
    const double one = r->of_thread[1] - r->of_thread[0];
    const double of_one = fabs(prvcut_diff_kinds[r->quantity].time ? one : one / r->of_thread[0]);

    return fmax(r->overall && !isnan(all) ? all : 0, isnan(of_one) ? 0 : of_one);
}

static bool dor_before(const struct prvcut_diff_row *x, const struct prvcut_diff_row *y)
{
    return dor_class(x) != dor_class(y) ? dor_class(x) < dor_class(y) : dor_size(x) > dor_size(y);
}

enum prvcut_status prvcut_diff_changes(struct made_diff *out, struct prvcut_error *err)
{
    out->change = prvcut_unset(out->is.rows + 1, sizeof *out->change, "changes", err);
    if (!out->change)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < out->is.rows; i++) {
        const struct prvcut_diff_row *r = &out->row[i];
        size_t at = out->is.changes;

        out->is.worst = fmax(out->is.worst, r->worse);
        if (r->way == PRVCUT_DIFF_SAME)
            continue;
        for (; at > 0 && dor_before(r, &out->row[out->change[at - 1]]); at--)
            out->change[at] = out->change[at - 1];
        out->change[at] = i;
        out->is.changes++;
    }
    out->is.exceeded = out->is.limited && out->is.worst > out->is.above;
    return PRVCUT_OK;
}
