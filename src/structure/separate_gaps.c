#include "structure/separate_gaps.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "dsp/order.h"
#include "structure/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * What a part of a loop is. Varied by hand on traces of all kinds.
 *
 * name        value     unit               decides
 */
#define CUTS       16   /* cuts of one class */
#define DENSE      0.5  /* of its span's gaps: a transition that may vote for a cut */
#define VOTES      0.34 /* of the dense ones that begin or end at once: what is cut, ... */
#define VOTES_MOST 2    /* ... and so many of them at least */
#define UNLIKE     0.75 /* of the median likeness: a gap at an end that is left out */
#define TRIM       10   /* gaps of which one may be left out at each end, and no more are unlike */
#define SETUP      2.0  /* medians that a first gap takes that holds the set-up, ... */
#define SETUP_MOST 1.2  /* ... and of the longest other one */
#define COUNTED    2048 /* gaps, at most, whose calls are counted, too: to bound the time, ... */
#define EVEN       0.1  /* ... as the spread that needs none: no answer of 207 programs changes */
#define CORE       0.5  /* of the gaps that hold a transition of the core */
#define LIKE       0.95 /* likeness of a gap that is the same as the core */
#define STEADY     0.9 /* of the gaps that hold a transition of constant number, and equally often */

/* Sparse: what lies in each gap, and how often. */
struct table {
    size_t gaps, kinds;
    size_t *row;             /* [gaps + 1] */
    uint32_t *symbol, *many; /* [row[gaps]] */
    /* Of a part: what its gaps hold, as it appears, and in how many; 0 of all others. */
    uint32_t *seen; /* [seens] of [kinds] */
    size_t seens;
    uint32_t *work; /* [4 * kinds] first how many, then what each measure needs of those seen */
};

static void sga_table_fini(struct table *t)
{
    free(t->row);
    free(t->symbol);
    free(t->many);
    free(t->seen);
    free(t->work);
}

static enum prvcut_status sga_table_init(struct table *t, const struct separate_class *k,
                                         size_t kinds, struct prvcut_error *err)
{
    const size_t calls = k->place[k->count - 1] - k->place[0];

    *t = (struct table){ .gaps = k->count - 1, .kinds = kinds };
    t->row = prvcut_unset(k->count, sizeof *t->row, "calls", err);
    t->symbol = prvcut_unset(calls, sizeof *t->symbol, "calls", err);
    t->many = prvcut_unset(calls, sizeof *t->many, "calls", err);
    t->seen = prvcut_unset(kinds, sizeof *t->seen, "calls", err);
    t->work = prvcut_zeroed(4 * kinds, sizeof *t->work, "calls", err);
    if (!t->row || !t->symbol || !t->many || !t->seen || !t->work)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

static enum prvcut_status sga_table_make(struct table *t, const struct separate_class *k,
                                         const uint32_t *symbol, size_t kinds,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = sga_table_init(t, k, kinds, err);
    uint32_t *latest = t->work + kinds; /* 1 + the entry of a symbol that was made last */
    size_t n = 0;

    for (size_t g = 0; st == PRVCUT_OK && g < t->gaps; g++) {
        t->row[g] = n;
        for (uint32_t i = k->place[g]; i < k->place[g + 1]; i++) {
            uint32_t *entry = &latest[symbol[i]];

            if (*entry > t->row[g]) {
                t->many[*entry - 1]++;
                continue;
            }
            t->symbol[n] = symbol[i];
            t->many[n] = 1;
            *entry = (uint32_t)++n;
        }
    }
    if (st == PRVCUT_OK)
        t->row[t->gaps] = n;
    return st;
}

static void sga_see_none(struct table *t)
{
    for (size_t i = 0; i < t->seens; i++)
        t->work[t->seen[i]] = 0;
    t->seens = 0;
}

/* One gap more holds a symbol. true: it is the first one */
static inline bool sga_see(struct table *t, uint32_t symbol)
{
    if (t->work[symbol]++ > 0)
        return false;
    t->seen[t->seens++] = symbol;
    return true;
}

/* Gaps of [a, z) that hold each symbol. */
static void sga_count_gaps(struct table *t, size_t a, size_t z)
{
    sga_see_none(t);
    for (size_t i = t->row[a]; i < t->row[z]; i++)
        sga_see(t, t->symbol[i]);
}

/* --- Where to cut ---------------------------------------------------------------------------- */

/* A part of a class's gaps. */
struct part {
    size_t a, z;
};

struct cutter {
    struct table *t;
    const struct separate_class *k;
    const struct separate_calls *c;
    uint32_t *votes; /* [gaps + 1] */
    struct part part[CUTS + 1];
    bool whole[CUTS + 1]; /* is not to be cut again */
    size_t parts;
};

/* First and last gap of each symbol in a part, counted from its beginning, and in how many. */
static void sga_find_spans(struct table *t, struct part p, uint32_t *first, uint32_t *last)
{
    sga_see_none(t);
    for (size_t g = p.a; g < p.z; g++)
        for (size_t i = t->row[g]; i < t->row[g + 1]; i++) {
            const uint32_t s = t->symbol[i];

            if (sga_see(t, s))
                first[s] = (uint32_t)(g - p.a);
            last[s] = (uint32_t)(g - p.a);
        }
}

/* What is dense in its own span votes for where it begins and ends. Returns how many are. */
static size_t sga_vote(struct cutter *x, struct part p, const uint32_t *first, const uint32_t *last)
{
    const struct table *t = x->t;
    size_t dense = 0;

    memset(x->votes, 0, (p.z - p.a + 1) * sizeof *x->votes);
    for (size_t i = 0; i < t->seens; i++) {
        const uint32_t s = t->seen[i];

        if (t->work[s] < DENSE * (last[s] - first[s] + 1))
            continue;
        dense++;
        x->votes[first[s]]++;
        x->votes[last[s] + 1]++;
    }
    return dense;
}

/* The gap before which a part is to be cut; 0: nowhere. */
static size_t sga_cut_of(struct cutter *x, struct part p)
{
    uint32_t *first = x->t->work + x->t->kinds, *last = first + x->t->kinds;
    size_t dense, best = 1;

    sga_find_spans(x->t, p, first, last);
    dense = sga_vote(x, p, first, last);
    for (size_t g = 2; g < p.z - p.a; g++)
        if (x->votes[g] > x->votes[best])
            best = g;
    return p.z - p.a > 1 && x->votes[best] >= VOTES_MOST && x->votes[best] >= VOTES * (double)dense
               ? best
               : 0;
}

static bool sga_wide(const struct cutter *x, struct part p)
{
    return p.z - p.a >= SEPARATE_LEAST - 1 &&
           prvcut_separate_cover(x->c, x->k->place[p.a], x->k->place[p.z]) >= SEPARATE_COVER;
}

static void sga_drop(struct cutter *x, size_t i)
{
    x->parts--;
    x->part[i] = x->part[x->parts];
    x->whole[i] = x->whole[x->parts];
}

/* The longest part that may be cut again; of equals the first. parts: there is none. */
static size_t sga_longest(const struct cutter *x)
{
    size_t best = x->parts;

    for (size_t i = 0; i < x->parts; i++) {
        const struct part *p = &x->part[i], *o = &x->part[best];

        if (x->whole[i])
            continue;
        if (best == x->parts || p->z - p->a > o->z - o->a ||
            (p->z - p->a == o->z - o->a && p->a < o->a))
            best = i;
    }
    return best;
}

/* Cut the longest part, again and again; parts that are not wide are dropped. */
static void sga_cut(struct cutter *x)
{
    size_t i, cuts = 0;

    while ((i = sga_longest(x)) < x->parts) {
        struct part *p = &x->part[i];
        size_t at;

        if (!sga_wide(x, *p)) {
            sga_drop(x, i);
            continue;
        }
        at = cuts < CUTS ? sga_cut_of(x, *p) : 0;
        x->whole[i] = at == 0;
        if (at == 0)
            continue;
        cuts++;
        x->whole[x->parts] = false;
        x->part[x->parts++] = (struct part){ p->a + at, p->z };
        p->z = p->a + at;
    }
}

/* --- How alike ------------------------------------------------------------------------------- */

/* How alike the gaps of a part are, and what they have in common. */
struct likes {
    double *at; /* [z - a] */
    double *sorted;
    size_t core; /* symbols that half of the gaps hold */
};

/* Likeness of each gap to the core: what they share, of all that either holds. */
static void sga_likes_find(struct likes *l, struct table *t, struct part p)
{
    const uint32_t least = (uint32_t)ceil(CORE * (double)(p.z - p.a));

    sga_count_gaps(t, p.a, p.z);
    l->core = 0;
    for (size_t i = 0; i < t->seens; i++)
        l->core += t->work[t->seen[i]] >= least;
    for (size_t g = p.a; g < p.z; g++) {
        const size_t size = t->row[g + 1] - t->row[g], all = l->core > 0 ? l->core : 1;
        size_t both = 0;

        for (size_t i = t->row[g]; i < t->row[g + 1]; i++)
            both += t->work[t->symbol[i]] >= least;
        l->at[g - p.a] = (double)both / (double)(size + all - both);
    }
}

/* Share of the gaps that are the core. */
static double sga_likes_same(const struct likes *l, size_t gaps)
{
    size_t same = 0;

    for (size_t i = 0; i < gaps; i++)
        same += l->at[i] >= LIKE;
    return (double)same / (double)gaps;
}

static double sga_median_of(struct likes *l, const double *value, size_t count)
{
    memcpy(l->sorted, value, count * sizeof *value);
    return prvcut_median(l->sorted, count);
}

/* Does the first gap take much longer than all others? It holds the set-up, too. */
static bool sga_has_setup(struct likes *l, const struct cutter *x, struct part p)
{
    const struct prvcut_call *at = x->c->at;
    const uint32_t *place = x->k->place;
    double most = 0, first;

    if (p.z - p.a < SEPARATE_LEAST)
        return false;
    for (size_t g = p.a; g < p.z; g++) {
        l->at[g - p.a] = (double)(at[place[g + 1]].time - at[place[g]].time);
        most = g > p.a ? fmax(most, l->at[g - p.a]) : most;
    }
    first = l->at[0];
    return first > SETUP_MOST * most && first > SETUP * sga_median_of(l, l->at, p.z - p.a);
}

/* How many gaps at one end are unlike the others, of `most`; 0 where more of them are: what goes on
   is no warm-up. */
static size_t sga_unlike_at(const double *likeness, size_t gaps, size_t most, double enough,
                            bool last)
{
    size_t n = 0;

    while (n <= most && n < gaps && likeness[last ? gaps - 1 - n : n] < enough)
        n++;
    return n <= most ? n : 0;
}

/* Leave out first and last gaps unlike the others: a warm-up, the end. */
static struct part sga_trim(struct likes *l, const struct cutter *x, struct part p)
{
    const size_t gaps = p.z - p.a, most = gaps / TRIM > 1 ? gaps / TRIM : 1;
    struct part out = p;
    double enough;

    if (gaps < SEPARATE_LEAST)
        return p;
    sga_likes_find(l, x->t, p);
    /* The median is asked only where it can matter: it is at most 1. */
    if (l->at[0] < UNLIKE || l->at[gaps - 1] < UNLIKE) {
        enough = UNLIKE * sga_median_of(l, l->at, gaps);
        out.a += sga_unlike_at(l->at, gaps, most, enough, false);
        out.z -= sga_unlike_at(l->at, gaps, most, enough, true);
    }
    out.a += sga_has_setup(l, x, out);
    return out;
}

/* --- Measures -------------------------------------------------------------------------------- */

/*
 * Share of the core whose number is the same in nearly all gaps that hold it, by majority: work
 * holds in how many gaps, then the number supposed, its balance, and how often it holds.
 */
static double sga_constant_of(struct table *t, struct part p, size_t core)
{
    const double all = (double)(p.z - p.a);
    uint32_t *gaps = t->work, *number = gaps + t->kinds, *balance = number + t->kinds;
    uint32_t *held = balance + t->kinds;
    size_t steady = 0;

    sga_see_none(t);
    for (size_t i = t->row[p.a]; i < t->row[p.z]; i++) {
        const uint32_t s = t->symbol[i];

        if (sga_see(t, s))
            balance[s] = held[s] = 0;
        if (balance[s] == 0)
            number[s] = t->many[i];
        if (number[s] == t->many[i])
            balance[s]++;
        else
            balance[s]--;
    }
    for (size_t i = t->row[p.a]; i < t->row[p.z]; i++)
        held[t->symbol[i]] += number[t->symbol[i]] == t->many[i];
    for (size_t i = 0; i < t->seens; i++) {
        const uint32_t s = t->seen[i];

        steady += gaps[s] >= STEADY * all && held[s] >= STEADY * gaps[s];
    }
    return (double)steady / (double)(core > 0 ? core : 1);
}

static void sga_measure_lengths(struct separate_loop *out, struct likes *l, const struct cutter *x,
                                struct part p)
{
    const struct prvcut_call *at = x->c->at;
    const size_t gaps = p.z - p.a;

    for (size_t g = 0; g < gaps; g++) {
        const uint32_t *place = &x->k->place[p.a + g];
        const uint64_t length = at[place[1]].time - at[place[0]].time;

        l->at[g] = log((double)(length > 0 ? length : 1));
    }
    prvcut_spread_find(&out->spread, l->at, l->sorted, gaps);
    out->in_calls = out->spread;
    if (gaps > COUNTED || out->spread.all <= EVEN)
        return;
    for (size_t g = 0; g < gaps; g++) {
        const uint32_t *place = &x->k->place[p.a + g];

        l->at[g] = log((double)(place[1] - place[0]));
    }
    prvcut_spread_find(&out->in_calls, l->at, l->sorted, gaps);
}

static void sga_measure_span(struct separate_loop *out, const struct cutter *x, struct part p)
{
    const uint32_t *place = x->k->place;
    const double gaps = (double)(p.z - p.a);
    /* The last iteration is taken to be as long as the mean. */
    const double more = (gaps + 1) / gaps, calls = (double)(place[p.z] - place[p.a]);
    double time;

    out->start = x->c->at[place[p.a]].time;
    out->end = x->c->at[place[p.z]].time;
    time = (double)(out->end - out->start);
    out->period = time / gaps;
    out->gap = calls / gaps;
    out->time = fmin(1, time * more / (double)x->c->time);
    out->run = fmin(1, time * more / (double)x->c->whole);
    out->calls = fmin(1, calls * more / (double)x->c->count);
}

/* Is there a transition that no gap of the part holds among [from, to)? */
static bool sga_other_than(const struct cutter *x, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < x->c->pairs; i++)
        if (x->t->work[x->c->pair[i]] == 0)
            return true;
    return false;
}

static void sga_measure_ends(struct separate_loop *out, const struct cutter *x, struct part p)
{
    sga_count_gaps(x->t, p.a, p.z);
    out->begins = sga_other_than(x, 0, x->k->place[p.a]);
    out->ends = sga_other_than(x, x->k->place[p.z], x->c->pairs);
}

static void sga_measure(struct separate_loop *out, struct likes *l, const struct cutter *x,
                        struct part p)
{
    const size_t gaps = p.z - p.a;
    double sum = 0;

    sga_likes_find(l, x->t, p);
    for (size_t g = 0; g < gaps; g++)
        sum += l->at[g];
    out->alike = sum / (double)gaps;
    out->same = sga_likes_same(l, gaps);
    out->constant = sga_constant_of(x->t, p, l->core);
    sga_measure_lengths(out, l, x, p);
    sga_measure_span(out, x, p);
    sga_measure_ends(out, x, p);
    out->anchors = (double)x->k->anchors;
    out->purity = x->k->purity;
    out->lengths = x->k->lengths;
}

/* all: the part before it was trimmed */
static enum prvcut_status sga_add(struct separate_loops *out, struct likes *l,
                                  const struct cutter *x, struct part all, struct prvcut_error *err)
{
    const struct part p = sga_trim(l, x, all);
    const size_t count = p.z - p.a + 1;
    struct separate_loop *new;

    if (count < SEPARATE_LEAST)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&out->at, &out->room, out->count + 1, sizeof *out->at, err) < 0)
        return PRVCUT_ENOMEM;
    new = &out->at[out->count];
    *new =
        (struct separate_loop){ .count = count,
                                .before = p.a,
                                .after = x->k->count - 1 - p.z,
                                .place = prvcut_unset(count, sizeof *new->place, "places", err) };
    if (!new->place)
        return PRVCUT_ENOMEM;
    out->count++;
    memcpy(new->place, x->k->place + p.a, count * sizeof *new->place);
    if (p.a > 0)
        new->trimmed = x->k->place[p.a] - x->k->place[p.a - 1];
    sga_measure(new, l, x, p);
    return PRVCUT_OK;
}

static int sga_by_start(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return (x->a > y->a) - (x->a < y->a);
}

/* Each part, trimmed and measured, in the order of the calls. */
static enum prvcut_status sga_add_parts(struct separate_loops *out, struct likes *l,
                                        const struct separate_class *k,
                                        const struct separate_calls *c, struct prvcut_error *err)
{
    struct table pair = { .row = NULL };
    struct cutter x = { .t = &pair, .k = k, .c = c, .part = { { 0, k->count - 1 } }, .parts = 1 };
    enum prvcut_status st = sga_table_make(&pair, k, c->pair, c->pair_kinds, err);

    x.votes = prvcut_unset(k->count, sizeof *x.votes, "gaps", st == PRVCUT_OK ? err : NULL);
    if (st == PRVCUT_OK && !x.votes)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK) {
        sga_cut(&x);
        qsort(x.part, x.parts, sizeof *x.part, sga_by_start);
    }
    for (size_t i = 0; st == PRVCUT_OK && i < x.parts; i++)
        st = sga_add(out, l, &x, x.part[i], err);
    free(x.votes);
    sga_table_fini(&pair);
    return st;
}

/* How alike these loops are by calls alone; when their pairs have gone, for a table is large. */
static enum prvcut_status sga_add_same_calls(struct separate_loops *out, size_t from,
                                             struct likes *l, const struct separate_class *k,
                                             const struct separate_calls *c,
                                             struct prvcut_error *err)
{
    struct table single = { .row = NULL };
    enum prvcut_status st = sga_table_make(&single, k, c->single, c->single_kinds, err);

    for (size_t i = from; st == PRVCUT_OK && i < out->count; i++) {
        struct separate_loop *of = &out->at[i];

        sga_likes_find(l, &single, (struct part){ of->before, of->before + of->count - 1 });
        of->same_calls = sga_likes_same(l, of->count - 1);
    }
    sga_table_fini(&single);
    return st;
}

enum prvcut_status prvcut_separate_loops_add(struct separate_loops *out,
                                             const struct separate_class *k,
                                             const struct separate_calls *c,
                                             struct prvcut_error *err)
{
    const size_t gaps = k->count - 1, from = out->count;
    struct likes l = { .at = prvcut_unset(gaps, sizeof *l.at, "gaps", err),
                       .sorted = prvcut_unset(gaps, sizeof *l.sorted, "gaps", err) };
    enum prvcut_status st = PRVCUT_OK;

    if (!l.at || !l.sorted)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = sga_add_parts(out, &l, k, c, err);
    if (st == PRVCUT_OK && out->count > from)
        st = sga_add_same_calls(out, from, &l, k, c, err);
    free(l.at);
    free(l.sorted);
    return st;
}

void prvcut_separate_loops_fini(struct separate_loops *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->at[i].place);
    free(l->at);
    *l = (struct separate_loops){ 0 };
}
