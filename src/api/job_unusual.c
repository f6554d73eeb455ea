#include "api/job_unusual.h"

#include "api/job_kinds.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/*
 * name        value   unit                         decides, as of iterations of one kind
 */
#define UNUSUAL_FAR   3.0  /* of these from every kind make an iteration unusual */
#define UNUSUAL_LEAST 0.01 /* of a length: less is no difference */

/* The loop's last iteration ends with its last call: it says less than one that was seen whole. */
static bool unu_is_tail(const struct made_region *r, const struct prvcut_outlier *o)
{
    return o->deviation < 0 && r->is.first + o->iteration == r->is.loop_iterations;
}

/* Furthest first, a tail last; of equals the earlier one. */
static int unu_compare(const void *left, const void *right)
{
    const struct job_unusual *a = left, *b = right;
    const double x = fabs(a->outlier.deviation), y = fabs(b->outlier.deviation);

    if (a->tail != b->tail)
        return a->tail ? 1 : -1;
    if (x > y || x < y)
        return x > y ? -1 : 1;
    return a->outlier.span.start < b->outlier.span.start ? -1 : 1;
}

/* As they stand in the regions, each beside those around it. */
static enum prvcut_status unu_of_regions(struct job_unusual **out, size_t *count,
                                         const struct made_structure *s, size_t region, bool loop,
                                         struct prvcut_error *err)
{
    const struct made_region *of = &s->region[region];
    size_t room = 1;

    for (size_t i = 0; i < s->is.regions; i++)
        room += s->region[i].is.outliers;
    *out = prvcut_unset(room, sizeof **out, "unusual iterations", err);
    for (size_t i = 0; *out && i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        for (size_t k = 0;
             (loop ? prvcut_regions_share_loop(r, of) : i == region) && k < r->is.outliers; k++)
            (*out)[(*count)++] =
                (struct job_unusual){ i, r->outlier[k], unu_is_tail(r, &r->outlier[k]) };
    }
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* --- Of no kind ------------------------------------------------------------------------------- */

/* A kind's lengths, as logarithms. */
struct spread {
    double middle, deviation;
};

/* room: [k->count] */
static struct spread unu_spread(const struct job_kinds *k, unsigned label, double *room)
{
    struct spread s;
    size_t n = 0;

    for (size_t i = 0; i < k->count; i++)
        if (k->label[i] == label && k->clear[i])
            room[n++] = log(k->length[i]);
    s.middle = prvcut_median(room, n);
    s.deviation =
        fmax(PRVCUT_MAD_SCALE * prvcut_mad(room, n, s.middle), UNUSUAL_LEAST / UNUSUAL_FAR);
    return s;
}

/* Deviations from the nearest kind, signed. */
static double unu_from_kinds(const struct spread *kind, size_t kinds, double length)
{
    double least = HUGE_VAL;

    for (size_t i = 0; i < kinds; i++) {
        const double far = (log(length) - kind[i].middle) / kind[i].deviation;

        if (fabs(far) < fabs(least))
            least = far;
    }
    return least;
}

/* Where the iteration lies that begins at a border; false: in none of the loop's regions. */
static bool unu_place(struct job_unusual *u, const struct made_structure *s,
                      const struct made_region *of, const uint64_t *border)
{
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_region *r = &s->region[i].is;
        size_t at;

        if (!prvcut_regions_share_loop(&s->region[i], of) || r->span.start > *border ||
            r->span.end <= *border)
            continue;
        at = prvcut_lower_u64(r->border, r->borders, sizeof *r->border, 0, *border);
        if (at + 1 >= r->borders || r->border[at] != *border)
            continue;
        u->region = i;
        u->outlier.iteration = at;
        u->outlier.span = (struct prvcut_span){ border[0], border[1] };
        u->tail = unu_is_tail(&s->region[i], &u->outlier);
        return true;
    }
    return false;
}

/* Clear iterations whose length is that of no kind. */
static enum prvcut_status unu_of_no_kind(struct job_unusual **out, size_t *count,
                                         const struct made_structure *s, const struct job_kinds *k,
                                         struct prvcut_error *err)
{
    struct spread spread[PRVCUT_KINDS];
    double *room = prvcut_unset(k->count + 1, sizeof *room, "iterations", err);

    *out = room ? prvcut_unset(k->count + 1, sizeof **out, "unusual iterations", err) : NULL;
    for (unsigned i = 0; *out && i < k->kinds; i++)
        spread[i] = unu_spread(k, i, room);
    for (size_t i = 0; *out && i < k->count; i++) {
        struct job_unusual u = { .region = 0 };

        if (!k->clear[i])
            continue;
        u.outlier.deviation = unu_from_kinds(spread, k->kinds, k->length[i]);
        u.outlier.why = u.outlier.deviation > 0 ? PRVCUT_OUTLIER_LONG : PRVCUT_OUTLIER_SHORT;
        if (fabs(u.outlier.deviation) > UNUSUAL_FAR &&
            unu_place(&u, s, &s->region[k->region], k->border[i]))
            (*out)[(*count)++] = u;
    }
    free(room);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* --- Both ------------------------------------------------------------------------------------- */

enum prvcut_status job_unusual_take(struct job_unusual **out, size_t *count, const struct job *j,
                                    size_t region, bool loop, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const struct job_kinds *k = j->kinds;
    enum prvcut_status st;

    *count = 0;
    if (loop && k && k->kinds > 1 &&
        prvcut_regions_share_loop(&s->region[region], &s->region[k->region]))
        st = unu_of_no_kind(out, count, s, k, err);
    else
        st = unu_of_regions(out, count, s, region, loop, err);
    if (st == PRVCUT_OK)
        qsort(*out, *count, sizeof **out, unu_compare);
    return st;
}
