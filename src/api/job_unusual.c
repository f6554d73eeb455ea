#include "api/job_unusual.h"

#include "api/job_kinds.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"
#include "structure/lengths_list.h"
#include "structure/parameters.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/*
 * name        value   unit                         decides, as of iterations of one kind
 */
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

/* --- Of no kind ------------------------------------------------------------------------------- */

/* A kind's lengths, as logarithms. */
struct spread {
    double middle, deviation;
};

/* room: [k->count]; far: so many deviations make an iteration unusual */
static struct spread unu_spread(const struct job_kinds *k, unsigned label, double far, double *room)
{
    struct spread s;
    size_t n = 0;

    for (size_t i = 0; i < k->count; i++)
        if (k->label[i] == label && k->clear[i])
            room[n++] = log(k->length[i]);
    s.middle = prvcut_median(room, n);
    s.deviation = fmax(PRVCUT_MAD_SCALE * prvcut_mad(room, n, s.middle), UNUSUAL_LEAST / far);
    return s;
}

/* Deviations from a kind, signed */
static double unu_from_kind(const struct spread *kind, double length)
{
    return (log(length) - kind->middle) / kind->deviation;
}

/* The same from the nearest kind; *share: of its length */
static double unu_from_kinds(double *share, const struct spread *kind, size_t kinds, double length)
{
    double least = HUGE_VAL;

    for (size_t i = 0; i < kinds; i++) {
        const double far = unu_from_kind(&kind[i], length);

        if (!(fabs(far) < fabs(least)))
            continue;
        least = far;
        *share = expm1(log(length) - kind[i].middle);
    }
    return least;
}

/* How far from their kinds iterations are that are clear of the tail of the others: clear[0]
   longer, clear[1] shorter, shares of a length. room: [2 * k->count] */
static void unu_clear(double clear[2], const struct job *j, const struct spread *kind, double *room)
{
    const struct job_kinds *k = j->kinds;
    struct lengths_list l = { .at = room };

    for (size_t i = 0; i < k->count; i++)
        if (k->clear[i])
            (void)unu_from_kinds(&l.at[l.count++], kind, k->kinds, k->length[i]);
    prvcut_lengths_clear(&l, UNUSUAL_LEAST, room + k->count);
    for (size_t i = 0; i < 2; i++)
        clear[i] = j->run->set && j->run->set->given[PRVCUT_SET_UNUSUAL]
                       ? 0
                       : fmax(l.clear[i], PRVCUT_LENGTHS_UNLIKE);
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

/* Does it stand there already, as one of its region? */
static bool unu_is_told(const struct made_structure *s, const struct job_unusual *u)
{
    const struct made_region *r = &s->region[u->region];

    for (size_t i = 0; i < r->is.outliers; i++)
        if (r->outlier[i].span.start == u->outlier.span.start)
            return true;
    return false;
}

/* Clear iterations whose length is that of no kind; of a tail what lacks is told only where calls
   lack. How far they are off is that from the kind that they are counted with. */
static enum prvcut_status unu_of_no_kind(struct job_unusual **out, size_t *count,
                                         const struct job *j, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const struct job_kinds *k = j->kinds;
    const double far =
        prvcut_far_among(prvcut_parameter_of(j->run->set, PRVCUT_SET_UNUSUAL), (double)k->count);
    struct spread spread[PRVCUT_KINDS];
    double *room = prvcut_unset(2 * k->count + 1, sizeof *room, "iterations", err);
    double clear[2], share = 0;

    *out = room ? prvcut_unset(k->count + 1, sizeof **out, "unusual iterations", err) : NULL;
    for (unsigned i = 0; *out && i < k->kinds; i++)
        spread[i] = unu_spread(k, i, far, room);
    if (*out)
        unu_clear(clear, j, spread, room);
    for (size_t i = 0; *out && i < k->count; i++) {
        const double length = job_kinds_own_length(k, i, exp(spread[k->label[i]].middle));
        struct job_unusual u = { .region = 0 };

        if (!k->clear[i] || !(fabs(unu_from_kinds(&share, spread, k->kinds, length)) > far) ||
            fabs(share) < clear[share < 0])
            continue;
        u.outlier.deviation = unu_from_kind(&spread[k->label[i]], length);
        u.outlier.why = u.outlier.deviation > 0 ? PRVCUT_OUTLIER_LONG : PRVCUT_OUTLIER_SHORT;
        if (unu_place(&u, s, &s->region[k->region], k->border[i]) &&
            (!u.tail || unu_is_told(s, &u)))
            (*out)[(*count)++] = u;
    }
    free(room);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Those of one region, the furthest first, in place of its own. */
static enum prvcut_status unu_give(struct made_region *r, size_t region,
                                   const struct job_unusual *u, size_t count,
                                   struct prvcut_error *err)
{
    r->is.outliers = r->is.outliers_seen = 0;
    free(r->outlier);
    r->outlier = prvcut_zeroed(PRVCUT_OUTLIERS_MAX, sizeof *r->outlier, "unusual iterations", err);
    for (size_t i = 0; r->outlier && i < count; i++) {
        if (u[i].region != region)
            continue;
        if (r->is.outliers < PRVCUT_OUTLIERS_MAX)
            r->outlier[r->is.outliers++] = u[i].outlier;
        r->is.outliers_seen++;
    }
    return r->outlier ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status unu_settle_kinds(struct job *j, struct prvcut_error *err)
{
    struct made_structure *s = &j->out->structure;
    struct job_unusual *u;
    size_t count = 0;
    enum prvcut_status st = unu_of_no_kind(&u, &count, j, err);

    if (st == PRVCUT_OK)
        qsort(u, count, sizeof *u, unu_compare);
    for (size_t i = 0; i < s->is.regions && st == PRVCUT_OK; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[j->kinds->region]))
            st = unu_give(&s->region[i], i, u, count, err);
    free(u);
    return st;
}

enum prvcut_status job_unusual_settle(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure.is;
    enum prvcut_status st;

    if (s->main >= s->regions)
        return PRVCUT_OK;
    st = job_kinds_tell(j, s->main, err);
    return st == PRVCUT_OK && j->kinds->kinds > 1 ? unu_settle_kinds(j, err) : st;
}

/* --- All of them ------------------------------------------------------------------------------ */

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

enum prvcut_status job_unusual_take(struct job_unusual **out, size_t *count, const struct job *j,
                                    size_t region, bool loop, struct prvcut_error *err)
{
    enum prvcut_status st;

    *count = 0;
    st = unu_of_regions(out, count, &j->out->structure, region, loop, err);
    if (st == PRVCUT_OK)
        qsort(*out, *count, sizeof **out, unu_compare);
    return st;
}
