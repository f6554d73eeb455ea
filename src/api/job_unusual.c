#include "api/job_unusual.h"

#include "base/memory.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/* The loop's last iteration ends with its last call: it says less than one that was seen whole. */
static bool unu_is_tail(const struct made_region *r, const struct prvcut_outlier *o)
{
    return o->deviation < 0 && r->is.first + o->iteration == r->is.loop_iterations;
}

/* Furthest first, a tail last; of equals the earlier one. */
static int unu_compare(const void *left, const void *right)
{
    const struct job_unusual *a = left, *b = right;
    const double x = fabs(a->outlier->deviation), y = fabs(b->outlier->deviation);

    if (a->tail != b->tail)
        return a->tail ? 1 : -1;
    if (x > y || x < y)
        return x > y ? -1 : 1;
    return a->outlier->span.start < b->outlier->span.start ? -1 : 1;
}

enum prvcut_status job_unusual_take(struct job_unusual **out, size_t *count,
                                    const struct made_structure *s, size_t region, bool loop,
                                    struct prvcut_error *err)
{
    const struct made_region *of = &s->region[region];
    size_t room = 1;

    *count = 0;
    for (size_t i = 0; i < s->is.regions; i++)
        room += s->region[i].is.outliers;
    *out = malloc(room * sizeof **out);
    if (!*out)
        return prvcut_no_memory(err, "unusual iterations");
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        for (size_t k = 0;
             (loop ? prvcut_regions_share_loop(r, of) : i == region) && k < r->is.outliers; k++)
            (*out)[(*count)++] =
                (struct job_unusual){ i, &r->outlier[k], unu_is_tail(r, &r->outlier[k]) };
    }
    qsort(*out, *count, sizeof **out, unu_compare);
    return PRVCUT_OK;
}
