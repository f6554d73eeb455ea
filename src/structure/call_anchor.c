#include "structure/call_anchor.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ANCHOR_SAMPLES   31   /* distances looked at for a median */
#define ANCHOR_NEAR      0.13 /* how far from the median a distance is still regular */
#define ANCHOR_FEW       4    /* calls in an iteration that are few */
#define ANCHOR_MIN_COVER 0.2  /* of the sequence, below which an anchor is of no use */
#define ANCHOR_TWIN      0.7  /* of two loops' calls that must overlap to be the same by place, */
#define ANCHOR_FASTER    3    /* and times that one may be the faster */
#define ANCHOR_PARTS     4    /* loops of as many iterations that may follow each other */
#define ANCHOR_POOL      24   /* anchors kept of one sequence */
#define ANCHOR_AROUND    4    /* distances before and after one that tell what is usual there */

/* The longest even stretch of one kind's occurrences. */
struct chain {
    size_t head;  /* index into grams.list */
    size_t count; /* occurrences */
    uint32_t start;
    double regular, deviation, cover;
};

static uint32_t anc_chain_place(const struct call_grams *g, size_t i)
{
    return g->place[g->list[i]];
}

/* From one occurrence to the next, in grams: what the fold left out does not count. */
static uint32_t anc_chain_gap(const struct call_grams *g, size_t i)
{
    return g->list[i + 1] - g->list[i];
}

static int anc_chain_order_u32(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Median distance of the occurrences [head, head + count); from a sample where there are many. */
static double anc_chain_median(const struct call_grams *g, size_t head, size_t count)
{
    uint32_t gap[ANCHOR_SAMPLES];
    size_t n = count - 1 < ANCHOR_SAMPLES ? count - 1 : ANCHOR_SAMPLES;

    for (size_t i = 0; i < n; i++) {
        size_t at = head + i * (count - 1) / n;

        gap[i] = anc_chain_gap(g, at);
    }
    qsort(gap, n, sizeof *gap, anc_chain_order_u32);
    return gap[n / 2];
}

/* The longest run of occurrences whose distances are like the median: a beat may be missing. */
static void anc_chain_cut(struct chain *c, const struct call_grams *g, size_t head, size_t count,
                          double median)
{
    double far = median * (median < ANCHOR_FEW ? 2.7 : 6);
    size_t from = head;

    for (size_t i = head; i < head + count; i++) {
        double gap = i + 1 < head + count ? anc_chain_gap(g, i) : HUGE_VAL;

        if (gap >= median / 2 && gap <= far)
            continue;
        if (i + 1 - from > c->count) {
            c->head = from;
            c->count = i + 1 - from;
        }
        from = i + 1;
    }
}

static bool anc_chain_near(const struct call_grams *g, size_t i, double median)
{
    return fabs(anc_chain_gap(g, i) - median) <= ANCHOR_NEAR * median;
}

/* A first or last distance out of step belongs to a warm-up or an end, not to the loop. */
static void anc_chain_trim(struct chain *c, const struct call_grams *g, double median)
{
    for (; c->count > 2 && !anc_chain_near(g, c->head, median); c->count--)
        c->head++;
    while (c->count > 2 && !anc_chain_near(g, c->head + c->count - 2, median))
        c->count--;
}

/* How regular the chain is; its mean distance is far better known than a sampled median. */
static void anc_chain_judge(struct chain *c, const struct call_grams *g, double median)
{
    double span = g->list[c->head + c->count - 1] - g->list[c->head];
    double mean = span / (double)(c->count - 1), sum = 0;
    size_t near = 0;

    for (size_t i = c->head; i + 1 < c->head + c->count; i++) {
        double gap = anc_chain_gap(g, i);

        near += anc_chain_near(g, i, median);
        sum += fabs(gap - mean);
    }
    c->start = anc_chain_place(g, c->head);
    c->regular = (double)near / (double)(c->count - 1);
    c->deviation = sum / (double)(c->count - 1) / mean;
}

/* Share of the sequence's calls and of its time, the last iteration taken as long as the mean. */
static double anc_chain_cover(const struct chain *c, const struct call_grams *g,
                              const struct prvcut_call_sequence *s)
{
    double stretch = (double)c->count / (double)(c->count - 1);
    uint32_t from = c->start, to = anc_chain_place(g, c->head + c->count - 1);
    double calls = (double)(to - from) * stretch / (double)s->count;
    double all = (double)(s->at[s->count - 1].time - s->at[0].time);
    double time = all > 0 ? (double)(s->at[to].time - s->at[from].time) * stretch / all : 0;

    return (fmin(calls, 1) + fmin(time, 1)) / 2;
}

/* Chain of kind k; false when it is too short to be an anchor. */
static bool anc_chain_make(struct chain *c, const struct call_grams *g, size_t k,
                           const struct prvcut_call_sequence *s)
{
    size_t head = g->first[k], count = g->first[k + 1] - head;
    double median;

    *c = (struct chain){ 0 };
    if (count < 3)
        return false;
    median = anc_chain_median(g, head, count);
    anc_chain_cut(c, g, head, count, median);
    anc_chain_trim(c, g, median);
    if (c->count < 3)
        return false;
    anc_chain_judge(c, g, median);
    c->cover = anc_chain_cover(c, g, s);
    return c->cover >= ANCHOR_MIN_COVER;
}

/* Longest chains first; equally long ones by their start. */
static int anc_chain_order(const void *a, const void *b)
{
    const struct chain *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* One occurrence of b in each interval of a, as far as a sample shows. */
static bool anc_chain_between(const struct call_grams *g, const struct chain *a,
                              const struct chain *b)
{
    size_t step = a->count / ANCHOR_SAMPLES + 1;

    for (size_t i = 0; i < a->count; i += step) {
        uint32_t at = anc_chain_place(g, b->head + i);

        if (at < anc_chain_place(g, a->head + i) ||
            (i + 1 < a->count && at >= anc_chain_place(g, a->head + i + 1)))
            return false;
    }
    return true;
}

/* The earliest of a group that is about as good as its best. */
static const struct chain *anc_chain_lead(const struct chain *group, size_t count)
{
    double best = 0;

    for (size_t i = 0; i < count; i++)
        best = fmax(best, group[i].cover * group[i].regular);
    for (size_t i = 0; i < count; i++)
        if (group[i].cover * group[i].regular >= 0.95 * best)
            return &group[i];
    return group;
}

static double anc_anchor_quality(const struct call_anchor *a)
{
    return a->cover * a->regular * (0.5 + 0.5 * a->support);
}

bool prvcut_call_anchor_near(const struct call_anchor *a, const struct call_anchor *b)
{
    double shorter = fmin(a->to - a->from, b->to - b->from);

    return fmin(a->to, b->to) - fmax(a->from, b->from) >= shorter / 2;
}

bool prvcut_call_anchor_meets(const struct call_anchor *a, const struct call_anchor *b)
{
    uint64_t from = a->start > b->start ? a->start : b->start;
    uint64_t to = a->end < b->end ? a->end : b->end;
    double shorter = fmin((double)(a->end - a->start), (double)(b->end - b->start));

    return to > from && (double)(to - from) >= shorter / 2;
}

/*
 * The anchor with about the same distance, count and place, or NULL. What comes before or after a
 * loop often looks like one more iteration as long as one does not look closely: an exact beat is
 * about the same only as one with as many.
 */
static struct call_anchor *anc_anchors_same(struct call_anchors *out, const struct call_anchor *a)
{
    double slack = fmax(1, 0.05 * (double)a->count);

    for (size_t i = 0; i < out->count; i++) {
        struct call_anchor *old = &out->at[i];
        bool exact = old->regular >= 1 && old->deviation <= 0;

        if (fabs(old->gap - a->gap) <= 0.02 * a->gap &&
            fabs((double)old->count - (double)a->count) <= (exact ? 0 : slack) &&
            prvcut_call_anchor_near(old, a))
            return old;
    }
    return NULL;
}

static struct call_anchor *anc_anchors_worst(struct call_anchors *out)
{
    struct call_anchor *worst = &out->at[0];

    for (size_t i = 1; i < out->count; i++)
        if (anc_anchor_quality(&out->at[i]) < anc_anchor_quality(worst))
            worst = &out->at[i];
    return worst;
}

/* Where a new anchor of this quality goes: NULL if there are enough better ones. */
static enum prvcut_status anc_anchors_seat(struct call_anchors *out, const struct call_anchor *a,
                                           struct call_anchor **seat, struct prvcut_error *err)
{
    struct call_anchor *rival = anc_anchors_same(out, a);
    enum prvcut_status st = PRVCUT_OK;

    if (!rival && out->count >= ANCHOR_POOL)
        rival = anc_anchors_worst(out);
    *seat = rival;
    if (rival && anc_anchor_quality(rival) >= anc_anchor_quality(a)) {
        *seat = NULL;
    } else if (!rival) {
        st = prvcut_grow((void **)&out->at, &out->room, out->count + 1, sizeof *out->at, err);
        if (st == PRVCUT_OK) {
            *seat = &out->at[out->count++];
            **seat = (struct call_anchor){ 0 };
        }
    }
    return st;
}

struct call_want prvcut_call_anchor_want(const struct call_anchor *a)
{
    return (struct call_want){ .count = a->count,
                               .time_gap = a->time_gap,
                               .time_mean = a->time_mean,
                               .from = a->from,
                               .to = a->to };
}

/* As many, in the same part of the sequence, and not of another order of time. */
static bool anc_anchor_twin(const struct call_anchor *a, const struct call_want *want)
{
    double both = fmin(a->to, want->to) - fmax(a->from, want->from);

    return a->count == want->count &&
           both >= fmax(a->to - a->from, want->to - want->from) * ANCHOR_TWIN &&
           a->time_gap <= ANCHOR_FASTER * want->time_gap &&
           want->time_gap <= ANCHOR_FASTER * a->time_gap;
}

bool prvcut_call_anchor_like(const struct call_anchor *a, const struct call_want *want)
{
    double wanted = (double)want->count, apart = fabs((double)a->count - wanted);
    double gaps = fmin((double)a->count, wanted) - 1;
    double slack = fmax(apart <= fmax(1, 0.01 * wanted) ? 0.2 : 0.05, 0.8 / gaps);

    return anc_anchor_twin(a, want) ||
           (apart <= fmax(1, 0.1 * wanted) &&
            (fabs(a->time_gap - want->time_gap) <= slack * want->time_gap ||
             fabs(a->time_mean - want->time_mean) <= slack * want->time_mean));
}

static int anc_chain_order_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Median of distances, sorted here. */
static double anc_anchor_median(uint64_t *distance, size_t count)
{
    qsort(distance, count, sizeof *distance, anc_chain_order_u64);
    return ((double)distance[count / 2] + (double)distance[(count - 1) / 2]) / 2;
}

double prvcut_call_usual(const uint32_t *place, size_t count, size_t i,
                         const struct prvcut_call_sequence *s)
{
    uint64_t near[2 * ANCHOR_AROUND + 1];
    size_t n = 0;

    for (size_t k = i > ANCHOR_AROUND ? i - ANCHOR_AROUND : 0;
         k + 1 < count && k <= i + ANCHOR_AROUND; k++)
        near[n++] = s->at[place[k + 1]].time - s->at[place[k]].time;
    return anc_anchor_median(near, n);
}

/* Median distance in time, from a sample, and the mean of most, which matters where they are few.
 */
static void anc_anchor_time(struct call_anchor *a, const struct call_grams *g,
                            const struct chain *c, const struct prvcut_call_sequence *s)
{
    uint64_t gap[ANCHOR_SAMPLES];
    size_t gaps = c->count - 1, n = gaps < ANCHOR_SAMPLES ? gaps : ANCHOR_SAMPLES;
    size_t few = gaps > ANCHOR_SAMPLES ? 0 : n - (n + 7) / 8;
    double most = few > 0 ? 0 : a->time_mean;

    for (size_t i = 0; i < n; i++) {
        size_t at = c->head + i * gaps / n;

        gap[i] = s->at[anc_chain_place(g, at + 1)].time - s->at[anc_chain_place(g, at)].time;
    }
    a->time_gap = anc_anchor_median(gap, n);
    for (size_t i = 0; i < few; i++)
        most += (double)gap[i] / (double)few;
    a->pace = most / fmax(1, a->time_gap);
}

/* What is usual around distance i of a chain. */
static double anc_anchor_usual(const struct call_grams *g, const struct chain *c,
                               const struct prvcut_call_sequence *s, size_t i)
{
    const size_t from = i > ANCHOR_AROUND ? i - ANCHOR_AROUND : 0;
    uint32_t place[2 * ANCHOR_AROUND + 2];
    size_t n = 0;

    for (size_t k = from; k < c->count && k <= i + ANCHOR_AROUND + 1; k++)
        place[n++] = anc_chain_place(g, c->head + k);
    return prvcut_call_usual(place, n, i - from, s);
}

static int anc_anchor_order(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/*
 * Of iterations of few calls nothing but time tells whether beats are missing, and a program may
 * change its pace for good: each stretch is held against what is usual there.
 */
static double anc_anchor_pace(const struct call_grams *g, const struct chain *c,
                              const struct prvcut_call_sequence *s)
{
    double pace[ANCHOR_SAMPLES], sum = 0;
    const size_t gaps = c->count - 1, n = gaps < ANCHOR_SAMPLES ? gaps : ANCHOR_SAMPLES;
    const size_t most = gaps > ANCHOR_SAMPLES ? n : n - (n + 7) / 8;

    for (size_t i = 0; i < n; i++) {
        const size_t from = i * gaps / n, to = (i + 1) * gaps / n;
        const uint64_t begin = s->at[anc_chain_place(g, c->head + from)].time;
        const uint64_t end = s->at[anc_chain_place(g, c->head + to)].time;

        pace[i] =
            (double)(end - begin) / (double)(to - from) / fmax(1, anc_anchor_usual(g, c, s, from));
    }
    qsort(pace, n, sizeof *pace, anc_anchor_order);
    for (size_t i = 0; i < most; i++)
        sum += pace[i];
    return sum / (double)most;
}

/* Measures of the anchor that a group of equally long chains makes. */
static const struct chain *anc_anchor_measure(struct call_anchor *a, const struct call_grams *g,
                                              const struct prvcut_call_sequence *s,
                                              const struct chain *group, size_t count)
{
    const struct chain *lead = anc_chain_lead(group, count);
    size_t last = lead->head + lead->count - 1, support = 0;
    double gaps = (double)(lead->count - 1);
    double grams = (double)(g->list[last] - g->list[lead->head]) / gaps;

    for (size_t i = 0; i < count; i++)
        support += anc_chain_between(g, lead, &group[i]);
    a->count = lead->count;
    a->gap = (double)(anc_chain_place(g, last) - lead->start) / gaps;
    a->time_mean = (double)(s->at[anc_chain_place(g, last)].time - s->at[lead->start].time) / gaps;
    anc_anchor_time(a, g, lead, s);
    if (a->gap < ANCHOR_FEW)
        a->pace = anc_anchor_pace(g, lead, s);
    a->regular = lead->regular;
    a->deviation = lead->deviation;
    a->support = fmin((double)support / grams, 1);
    a->purity = (double)support / (double)count;
    a->cover = lead->cover;
    a->from = (double)lead->start / (double)s->count;
    a->to = (double)anc_chain_place(g, last) / (double)s->count;
    a->start = s->at[lead->start].time;
    a->end = s->at[anc_chain_place(g, last)].time;
    return lead;
}

static enum prvcut_status anc_anchors_add(struct call_anchors *out, const struct call_grams *g,
                                          struct call_anchor *a, const struct chain *lead,
                                          struct prvcut_error *err)
{
    struct call_anchor *seat;
    enum prvcut_status st = anc_anchors_seat(out, a, &seat, err);

    if (st != PRVCUT_OK || !seat)
        return st;
    a->place = prvcut_unset(a->count, sizeof *a->place, "iterations", err);
    if (!a->place) {
        st = PRVCUT_ENOMEM;
        a->count = 0;
    }
    for (size_t i = 0; i < a->count; i++)
        a->place[i] = anc_chain_place(g, lead->head + i);
    free(seat->place);
    *seat = *a;
    return st;
}

/* All chains worth a look, longest first. */
static enum prvcut_status anc_chains_make(struct chain **chain, size_t *chains,
                                          const struct call_grams *g,
                                          const struct prvcut_call_sequence *s,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t room = 0;
    struct chain c;

    for (size_t k = 0; k < g->kinds; k++) {
        if (!anc_chain_make(&c, g, k, s))
            continue;
        st = prvcut_grow((void **)chain, &room, *chains + 1, sizeof **chain, err);
        if (st != PRVCUT_OK)
            return st;
        (*chain)[(*chains)++] = c;
    }
    if (*chains > 0)
        qsort(*chain, *chains, sizeof **chain, anc_chain_order);
    return st;
}

/* How the grams were cut, and what is looked for; want may be NULL. */
struct anchor_how {
    const struct call_cut *cut;
    const struct call_want *want;
};

/* Put the chains that are over before the lead begins, or begin when it is over, last. */
static size_t anc_chains_elsewhere(struct chain *group, size_t count, const struct call_grams *g,
                                   const struct chain *lead)
{
    const uint32_t from = lead->start, to = anc_chain_place(g, lead->head + lead->count - 1);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t end = anc_chain_place(g, group[i].head + group[i].count - 1);

        if (group[i].start <= to && end >= from) {
            struct chain old = group[kept];

            group[kept++] = group[i];
            group[i] = old;
        }
    }
    return kept;
}

/* The anchor of a group of equally long chains, and those of what goes on before and after it. */
static enum prvcut_status anc_anchors_group(struct call_anchors *out, const struct call_grams *g,
                                            const struct prvcut_call_sequence *s,
                                            const struct anchor_how *how, struct chain *group,
                                            size_t count, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t part = 0; part < ANCHOR_PARTS && count > 0 && st == PRVCUT_OK; part++) {
        struct call_anchor a = { .cut = *how->cut };
        const struct chain lead = *anc_anchor_measure(&a, g, s, group, count);
        size_t here = anc_chains_elsewhere(group, count, g, &lead);

        if (!how->want || prvcut_call_anchor_like(&a, how->want))
            st = anc_anchors_add(out, g, &a, &lead, err);
        group += here;
        count -= here;
    }
    return st;
}

enum prvcut_status prvcut_call_anchors_find(struct call_anchors *out, const struct call_grams *g,
                                            const struct prvcut_call_sequence *s,
                                            const struct call_cut *cut,
                                            const struct call_want *want, struct prvcut_error *err)
{
    const struct anchor_how how = { cut, want };
    struct chain *chain = NULL;
    size_t chains = 0;
    enum prvcut_status st = anc_chains_make(&chain, &chains, g, s, err);

    for (size_t i = 0, end; i < chains && st == PRVCUT_OK; i = end) {
        for (end = i + 1; end < chains && chain[end].count == chain[i].count; end++)
            ;
        st = anc_anchors_group(out, g, s, &how, &chain[i], end - i, err);
    }
    free(chain);
    return st;
}

void prvcut_call_anchors_fini(struct call_anchors *a)
{
    for (size_t i = 0; i < a->count; i++)
        free(a->at[i].place);
    free(a->at);
    *a = (struct call_anchors){ 0 };
}
