#include "analysis/kinds.h"

#include "base/memory.h"
#include "dsp/order.h"
#include "structure/length_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * name        value  unit                decides (found on 132 traces)
 */
#define KIND_LEAST                                                                                 \
    0.03                 /* of the iterations: a number of calls that makes a kind, at least, ...  \
                          */
#define KIND_FEW    2    /* ... and so many of them */
#define KIND_HOLDS  0.8  /* of the iterations that such numbers must hold */
#define KIND_APART  1.15 /* ratio of two median lengths: below, they are of one kind */
#define KIND_WITHIN 0.7  /* of the variance of log lengths that may be left within the kinds */

#define SPLIT_BETWEEN                                                                              \
    0.8                    /* of the variance of log lengths that lies between two kinds, at least \
                            */
#define SPLIT_APART   1.25 /* ratio of their mean lengths, at least */
#define SPLIT_SIGMAS  4    /* standard deviations within them that the means are apart, at least */
#define SPLIT_LEAST   0.05 /* of the iterations that each has, at least, ... */
#define SPLIT_FEW     3    /* ... and so many of them */

#define FEW           0.15 /* of the iterations: fewer are a kind only where they come regularly, ... */
#define FEW_COUNT     5    /* ... and so are less than so many, ... */
#define REGULAR_LEAST 3    /* ... so many of them at least, ... */
#define REGULAR_NEAR  0.1  /* ... each so near, of the usual distance, or an iteration, ... */
#define REGULAR_FEW   4    /* ... but of fewer than so many all at the very distance, ... */
#define REGULAR_LACKS 0.25 /* ... of which so many may lack, ... */
#define REGULAR_ENDS  1.5  /* ... and within so many of the run's ends */
#define REGULAR_FAR   6    /* robust standard deviations of the others that such are off */

/* With more of the iterations in one kind, the others are few: the median says enough. */
#define KIND_MOST 0.9

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
    double *room;   /* [2 * count] */
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

/* length: [count]; of the clear ones, if there are any */
static double knd_median(struct kinds *k, const double *length, unsigned label)
{
    size_t n = 0;

    for (size_t i = 0; i < k->in->count; i++)
        if (k->label[i] == label && knd_is_clear(k, i))
            k->room[n++] = length[i];
    for (size_t i = 0; n == 0 && i < k->in->count; i++)
        if (k->label[i] == label)
            k->room[n++] = length[i];
    return prvcut_median(k->room, n);
}

static double knd_median_of(struct kinds *k, unsigned label)
{
    return knd_median(k, k->length, label);
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

/* Lengths of one kind. */
struct range {
    double shortest, longest;
};

/* Sums of the logarithms [from, to) of sorted lengths. */
struct sums {
    double n, sum, squares;
};

static struct sums knd_sums(const double *length, size_t from, size_t to)
{
    struct sums s = { (double)(to - from), 0, 0 };

    for (size_t i = from; i < to; i++) {
        const double x = log(fmax(1, length[i]));

        s.sum += x;
        s.squares += x * x;
    }
    return s;
}

static double knd_variance(const struct sums *s)
{
    return fmax(0, s->squares / s->n - s->sum / s->n * (s->sum / s->n));
}

/* Are two parts apart, and each of one length? *between: of the variance */
static bool knd_is_split(const struct sums *a, const struct sums *b, double *between)
{
    const struct sums all = { a->n + b->n, a->sum + b->sum, a->squares + b->squares };
    const double within = (a->n * knd_variance(a) + b->n * knd_variance(b)) / all.n;
    const double apart = b->sum / b->n - a->sum / a->n;

    *between = 1 - within / fmax(1e-12, knd_variance(&all));
    return *between >= SPLIT_BETWEEN && apart >= log(SPLIT_APART) &&
           apart >= SPLIT_SIGMAS * sqrt(within);
}

/* The best place to divide sorted lengths in two; 0: they are of one kind. */
static size_t knd_split(const double *length, size_t n)
{
    const size_t least = (size_t)fmax(SPLIT_FEW, floor(SPLIT_LEAST * (double)n));
    struct sums low = knd_sums(length, 0, n < least ? n : least), high = knd_sums(length, 0, n);
    double best = 0;
    size_t at = 0;

    high = (struct sums){ high.n - low.n, high.sum - low.sum, high.squares - low.squares };
    for (size_t k = least; k + least <= n; k++) {
        const struct sums one = knd_sums(length, k, k + 1);
        double between;

        if (knd_is_split(&low, &high, &between) && between > best) {
            best = between;
            at = k;
        }
        low = (struct sums){ low.n + 1, low.sum + one.sum, low.squares + one.squares };
        high = (struct sums){ high.n - 1, high.sum - one.sum, high.squares - one.squares };
    }
    return at;
}

/* Kinds of lengths that lie in groups or, if they do not, on two sides of a gap; how many. */
static size_t knd_ranges(struct kinds *k, struct range *range)
{
    struct prvcut_length_group group[PRVCUT_LENGTH_GROUPS];
    size_t n = 0, groups, at;

    for (size_t i = 0; i < k->in->count; i++)
        if (knd_is_clear(k, i))
            k->room[n++] = k->in->length[i];
    groups = prvcut_length_groups_find(group, k->room, n);
    for (size_t i = 0; i < groups; i++)
        range[i] = (struct range){ group[i].shortest, group[i].longest };
    if (groups > 0)
        return groups;
    qsort(k->room, n, sizeof *k->room, knd_by_value);
    at = knd_split(k->room, n);
    if (at == 0)
        return 0;
    range[0] = (struct range){ k->room[0], k->room[at - 1] };
    range[1] = (struct range){ k->room[at], k->room[n - 1] };
    return 2;
}

/* Are these distances one, or some times it? distance: [count] */
static bool knd_is_even(const double *distance, size_t count, double usual)
{
    const double near = count + 1 < REGULAR_FEW ? 0 : fmax(1, REGULAR_NEAR * usual);
    size_t lack = 0;

    for (size_t i = 0; i < count; i++) {
        const double times = round(distance[i] / usual);

        if (times < 1 || fabs(distance[i] - times * usual) > near)
            return false;
        lack += times > 1 ? (size_t)times - 1 : 0;
    }
    return (double)lack <= REGULAR_LACKS * (double)(count + 1);
}

/* Do the clear ones of a label come at even distances, through all of the run? */
static bool knd_is_regular(struct kinds *k, unsigned label)
{
    const size_t n = k->in->count;
    double *distance = k->room + n; /* a second half of the room */
    size_t count = 0, first = n, last = 0;
    double usual;

    for (size_t i = 0; i < n; i++) {
        if (k->label[i] != label || !knd_is_clear(k, i))
            continue;
        if (first < n)
            k->room[count++] = (double)(i - last);
        first = first < n ? first : i;
        last = i;
    }
    if (count + 1 < REGULAR_LEAST)
        return false;
    memcpy(distance, k->room, count * sizeof *distance);
    usual = prvcut_median(k->room, count);
    return (double)first <= REGULAR_ENDS * usual &&
           (double)(n - 1 - last) <= REGULAR_ENDS * usual && knd_is_even(distance, count, usual);
}

/* Where lengths lie in these ranges; the others are of the kind that is nearest. */
static void knd_label_by_ranges(struct kinds *k, const struct range *range)
{
    for (size_t i = 0; i < k->in->count; i++) {
        k->label[i] = k->count > 1 ? UINT32_MAX : 0;
        for (unsigned g = 0; k->count > 1 && g < k->count; g++)
            if (k->in->length[i] >= range[g].shortest && k->in->length[i] <= range[g].longest)
                k->label[i] = g;
    }
    for (unsigned g = 0; g < k->count; g++)
        k->middle[g] = knd_median_of(k, g);
    for (size_t i = 0; i < k->in->count; i++)
        if (k->label[i] == UINT32_MAX)
            k->label[i] = knd_nearest(k, k->length[i]);
}

/* A kind of few that do not come regularly; k->count: there is none. */
static unsigned knd_unusual(struct kinds *k)
{
    for (unsigned g = 0; k->count > 1 && g < k->count; g++) {
        size_t all = 0, of = 0;

        for (size_t i = 0; i < k->in->count; i++) {
            all += knd_is_clear(k, i);
            of += knd_is_clear(k, i) && k->label[i] == g;
        }
        if ((of < FEW_COUNT || (double)of < FEW * (double)all) && !knd_is_regular(k, g))
            return g;
    }
    return (unsigned)k->count;
}

/* Few that are longer, or shorter, than nearly all, and come regularly, are a kind of their own
   however few they are. */
static void knd_by_places(struct kinds *k)
{
    double middle, far, side = 0;
    size_t n = 0;

    k->middle[0] = middle = knd_median_of(k, 0);
    for (size_t i = 0; i < k->in->count; i++)
        if (knd_is_clear(k, i))
            k->room[n++] = k->length[i];
    far = fmax(log(SPLIT_APART), REGULAR_FAR * PRVCUT_MAD_SCALE * prvcut_mad(k->room, n, middle));
    for (size_t i = 0; i < k->in->count; i++) {
        const double off = k->length[i] - middle;

        k->label[i] = fabs(off) >= far && off * side >= 0 && knd_is_clear(k, i);
        side = k->label[i] ? off : side;
    }
    if (!knd_is_regular(k, 1)) {
        memset(k->label, 0, k->in->count * sizeof *k->label);
        return;
    }
    k->count = 2;
    for (size_t i = 0; i < k->in->count; i++)
        k->label[i] = side < 0 ? 1 - k->label[i] : k->label[i];
    for (unsigned g = 0; g < 2; g++)
        k->middle[g] = knd_median_of(k, g);
    for (size_t i = 0; i < k->in->count; i++)
        if (!knd_is_clear(k, i))
            k->label[i] = knd_nearest(k, k->length[i]);
}

static void knd_by_lengths(struct kinds *k)
{
    struct range range[PRVCUT_KINDS];
    const size_t ranges = knd_ranges(k, range);
    unsigned g;

    k->count = ranges > 0 ? ranges : 1;
    knd_label_by_ranges(k, range);
    while ((g = knd_unusual(k)) < k->count) {
        k->count--;
        memmove(range + g, range + g + 1, (k->count - g) * sizeof *range);
        knd_label_by_ranges(k, range);
    }
    if (k->count == 1)
        knd_by_places(k);
}

/* --- What they are ---------------------------------------------------------------------------- */

static void knd_tell(struct prvcut_kind *out, struct kinds *k, unsigned label)
{
    double all = 0;

    *out = (struct prvcut_kind){ .shortest_ns = HUGE_VAL };
    for (size_t i = 0; i < k->in->count; i++) {
        if (k->in->clear_alone && !knd_is_clear(k, i))
            continue;
        all += k->in->length[i];
        if (k->label[i] != label)
            continue;
        out->iterations++;
        out->share += k->in->length[i];
        out->shortest_ns = fmin(out->shortest_ns, k->in->length[i]);
        out->longest_ns = fmax(out->longest_ns, k->in->length[i]);
    }
    out->share = all > 0 ? out->share / all : 0;
    out->median_ns = knd_median(k, k->in->length, label);
    if (out->iterations == 0)
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
    k.room = prvcut_unset(3 * in->count, sizeof *k.room, "kinds of iterations", err);
    if (!k.room)
        return PRVCUT_ENOMEM;
    k.length = k.room + 2 * in->count;
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

bool prvcut_kinds_differ(const struct prvcut_kind *kind, size_t kinds)
{
    uint64_t most = 0, all = 0;

    for (size_t i = 0; i < kinds; i++) {
        all += kind[i].iterations;
        most = kind[i].iterations > most ? kind[i].iterations : most;
    }
    return kinds > 1 && (double)most <= KIND_MOST * (double)all;
}
