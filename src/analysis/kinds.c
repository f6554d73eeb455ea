#include "analysis/kinds.h"

#include "base/memory.h"
#include "dsp/order.h"
#include "structure/length_groups.h"

#include <math.h>
#include <stdlib.h>

/*
 * name        value  unit                decides (found on 132 traces)
 */
#define KIND_LEAST 0.03  /* of the iterations: a number of calls that makes a kind, at least, ...  \
                          */
#define KIND_FEW    2    /* ... and so many of them */
#define KIND_HOLDS  0.8  /* of the iterations that such numbers must hold */
#define KIND_APART  1.15 /* ratio of two median lengths: below, they are of one kind */
#define KIND_WITHIN 0.7  /* of the variance of log lengths that may be left within the kinds */

/* Numbers of calls that are looked at: of more, no few stand out. */
#define NUMBERS 64

/* Iterations that make as many calls, or several such numbers. */
struct number {
    double calls;
    size_t count;
    double middle; /* median of log lengths */
    unsigned kind;
};

struct kinds {
    const struct prvcut_kinds_input *in;
    unsigned *label;
    double *room;   /* [count] */
    double *length; /* [count] logarithms */
    struct number number[NUMBERS];
    size_t numbers;
    double middle[PRVCUT_KINDS]; /* of log lengths */
    size_t count;
};

static bool knd_is_clear(const struct kinds *k, size_t i)
{
    return !k->in->clear || k->in->clear[i];
}

static double knd_median_of(struct kinds *k, unsigned label)
{
    size_t n = 0;

    for (size_t i = 0; i < k->in->count; i++)
        if (k->label[i] == label && knd_is_clear(k, i))
            k->room[n++] = k->length[i];
    for (size_t i = 0; n == 0 && i < k->in->count; i++)
        if (k->label[i] == label)
            k->room[n++] = k->length[i];
    return prvcut_median(k->room, n);
}

/* --- By calls --------------------------------------------------------------------------------- */

static int knd_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int knd_by_middle(const void *a, const void *b)
{
    const struct number *x = a, *y = b;

    return knd_by_value(&x->middle, &y->middle);
}

/* The numbers that many iterations make; false: they hold too few of them. */
static bool knd_numbers(struct kinds *k)
{
    const size_t n = k->in->count;
    size_t held = 0;

    for (size_t i = 0; i < n; i++)
        k->room[i] = k->in->calls[i];
    qsort(k->room, n, sizeof *k->room, knd_by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && k->room[end] <= k->room[i];)
            end++;
        if (end - i < KIND_FEW || (double)(end - i) < KIND_LEAST * (double)n)
            continue;
        if (k->numbers == NUMBERS)
            return false;
        k->number[k->numbers++] = (struct number){ .calls = k->room[i], .count = end - i };
        held += end - i;
    }
    return k->numbers > 1 && (double)held >= KIND_HOLDS * (double)n;
}

static void knd_middles(struct kinds *k)
{
    for (size_t i = 0; i < k->in->count; i++) {
        k->label[i] = UINT32_MAX;
        for (size_t m = 0; m < k->numbers; m++)
            if (k->in->calls[i] <= k->number[m].calls && k->in->calls[i] >= k->number[m].calls)
                k->label[i] = (unsigned)m;
    }
    for (size_t m = 0; m < k->numbers; m++)
        k->number[m].middle = knd_median_of(k, (unsigned)m);
    qsort(k->number, k->numbers, sizeof *k->number, knd_by_middle);
}

/* Numbers whose lengths are about the same are one kind; how many kinds there are. */
static size_t knd_join(struct kinds *k)
{
    size_t kinds = 0;

    for (size_t m = 0; m < k->numbers; m++) {
        kinds += m == 0 || k->number[m].middle - k->number[m - 1].middle >= log(KIND_APART);
        k->number[m].kind = (unsigned)kinds - 1;
    }
    return kinds;
}

/* The kind whose length is nearest. */
static unsigned knd_nearest(const struct kinds *k, double length)
{
    unsigned best = 0;

    for (unsigned i = 1; i < k->count; i++)
        if (fabs(length - k->middle[i]) < fabs(length - k->middle[best]))
            best = i;
    return best;
}

static void knd_label_by_calls(struct kinds *k)
{
    for (size_t i = 0; i < k->in->count; i++) {
        k->label[i] = UINT32_MAX;
        for (size_t m = 0; m < k->numbers; m++)
            if (k->in->calls[i] <= k->number[m].calls && k->in->calls[i] >= k->number[m].calls)
                k->label[i] = k->number[m].kind;
    }
    for (unsigned i = 0; i < k->count; i++)
        k->middle[i] = knd_median_of(k, i);
    for (size_t i = 0; i < k->in->count; i++)
        if (k->label[i] == UINT32_MAX)
            k->label[i] = knd_nearest(k, k->length[i]);
}

/* Sum of squares about the means of those of a label; UINT32_MAX: of all. */
static double knd_squares(const struct kinds *k, unsigned label)
{
    double sum = 0, squares = 0, n = 0;

    for (size_t i = 0; i < k->in->count; i++)
        if (label == UINT32_MAX || k->label[i] == label) {
            n++;
            sum += k->length[i];
            squares += k->length[i] * k->length[i];
        }
    return n > 0 ? fmax(0, squares - sum * sum / n) : 0;
}

static bool knd_by_calls(struct kinds *k)
{
    double within = 0;

    if (!k->in->calls || !knd_numbers(k))
        return false;
    knd_middles(k);
    k->count = knd_join(k);
    if (k->count < 2 || k->count > PRVCUT_KINDS)
        return false;
    knd_label_by_calls(k);
    for (unsigned i = 0; i < k->count; i++)
        within += knd_squares(k, i);
    return within <= KIND_WITHIN * knd_squares(k, UINT32_MAX);
}

/* --- By lengths ------------------------------------------------------------------------------- */

static void knd_by_lengths(struct kinds *k)
{
    struct prvcut_length_group group[PRVCUT_LENGTH_GROUPS];
    size_t n = 0;

    for (size_t i = 0; i < k->in->count; i++)
        if (knd_is_clear(k, i))
            k->room[n++] = k->in->length[i];
    k->count = prvcut_length_groups_find(group, k->room, n);
    for (size_t i = 0; i < k->count; i++)
        k->middle[i] = log(group[i].median);
    if (k->count == 0)
        k->count = 1;
    for (size_t i = 0; i < k->in->count; i++) {
        unsigned in = k->count > 1 ? UINT32_MAX : 0;

        for (unsigned g = 0; k->count > 1 && g < k->count; g++)
            if (k->in->length[i] >= group[g].shortest && k->in->length[i] <= group[g].longest)
                in = g;
        k->label[i] = in != UINT32_MAX ? in : knd_nearest(k, k->length[i]);
    }
}

/* --- What they are ---------------------------------------------------------------------------- */

static void knd_tell(struct prvcut_kind *out, struct kinds *k, unsigned label)
{
    size_t n = 0;
    double all = 0;

    *out = (struct prvcut_kind){ .shortest_ns = HUGE_VAL };
    for (size_t i = 0; i < k->in->count; i++) {
        all += k->in->length[i];
        if (k->label[i] != label)
            continue;
        out->iterations++;
        out->share += k->in->length[i];
        if (!knd_is_clear(k, i))
            continue;
        out->shortest_ns = fmin(out->shortest_ns, k->in->length[i]);
        out->longest_ns = fmax(out->longest_ns, k->in->length[i]);
        k->room[n++] = k->in->length[i];
    }
    out->share = all > 0 ? out->share / all : 0;
    out->median_ns = n > 0 ? prvcut_median(k->room, n) : exp(knd_median_of(k, label));
    if (n == 0)
        out->shortest_ns = out->longest_ns = out->median_ns;
}

enum prvcut_status prvcut_kinds_find(struct prvcut_kind kind[PRVCUT_KINDS], size_t *kinds,
                                     unsigned *label, const struct prvcut_kinds_input *in,
                                     struct prvcut_error *err)
{
    struct kinds k = { .in = in, .label = label };

    *kinds = 0;
    if (in->count == 0)
        return PRVCUT_OK;
    k.room = prvcut_unset(2 * in->count, sizeof *k.room, "kinds of iterations", err);
    if (!k.room)
        return PRVCUT_ENOMEM;
    k.length = k.room + in->count;
    for (size_t i = 0; i < in->count; i++)
        k.length[i] = log(fmax(1, in->length[i]));
    if (!knd_by_calls(&k))
        knd_by_lengths(&k);
    for (unsigned i = 0; i < k.count; i++)
        knd_tell(&kind[i], &k, i);
    *kinds = k.count;
    free(k.room);
    return PRVCUT_OK;
}
