#include "structure/divide_pieces.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "dsp/order.h"
#include "structure/departures.h"
#include "structure/divide_judge.h"
#include "structure/lengths_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Shares were found by hand on the benchmarks' traces, by the programs' own marks; the others bound
 * memory and time.
 */

/* Borders of one loop that are laid out; where there are more, each stands for several. */
#define BORDERS_MOST ((size_t)1 << 21)
/* A last iteration of less than this share of the shortest other one is not seen whole. */
#define WHOLE 0.95
/* A rest of less than this share of a period beside a mask belongs to the mask. */
#define REST 0.5
/* Masks of several causes may overlap; so many that begin before a span are looked at. */
#define OVERLAP 16

/** The iterations of one spell. */
struct iterations {
    const struct prvcut_known_loop *loop;
    struct prvcut_span span;
    uint64_t *at; /* [count] borders; owned */
    size_t count;
    size_t known;  /* the first so many were seen; the others follow by the period */
    size_t whole;  /* borders up to which iterations were seen whole; set with the last region */
    size_t before; /* borders of the loop that lie before the spell */
    double weight; /* iterations from one border to the next */
};

struct pieces {
    struct prvcut_division *out;
    const struct prvcut_divide_input *in;
    uint64_t end;        /* of what is covered */
    uint64_t iterations; /* of the last spell */
};

enum prvcut_status prvcut_divide_spell(struct divide_spells *s, size_t loop,
                                       struct prvcut_span span, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&s->at, &s->room, s->count + 1, sizeof *s->at, err) < 0)
        return PRVCUT_ENOMEM;
    s->at[s->count++] = (struct divide_spell){ span, loop };
    return PRVCUT_OK;
}

/* Where the known borders of all threads begin and end. */
static struct prvcut_span dvp_known_span(const struct prvcut_known_loop *f)
{
    size_t known;
    const uint64_t *border = prvcut_known_loop_borders(f, &known);
    struct prvcut_span all = { f->loop.span.start, f->loop.span.start };

    if (known > 0)
        all = (struct prvcut_span){ border[0], border[known - 1] };
    for (size_t i = 0; i < f->calls.sequences; i++) {
        const size_t n = f->calls.borders[i];

        if (n > 0 && f->calls.border[i][0] < all.start)
            all.start = f->calls.border[i][0];
        if (n > 0 && f->calls.border[i][n - 1] > all.end)
            all.end = f->calls.border[i][n - 1];
    }
    return all;
}

/* How long the iterations are that follow the known borders: as many as were counted. */
static double dvp_rest_period(const struct prvcut_known_loop *f, const uint64_t *border,
                              size_t known)
{
    const double period = f->loop.period_ns, rest = f->loop.iterations - (double)(known - 1);
    const double mean = ((double)f->loop.span.end - (double)border[known - 1]) / rest;

    return rest >= 1 && fabs(mean / period - 1) < 0.5 ? mean : period;
}

/* The borders of a loop within the spell, and beyond those known as many as the period gives. */
static enum prvcut_status dvp_lay(struct iterations *n, struct prvcut_error *err)
{
    size_t known;
    const uint64_t *border = prvcut_known_loop_borders(n->loop, &known);
    double period = n->loop->loop.period_ns, more;
    const struct prvcut_span seen = dvp_known_span(n->loop);
    uint64_t last;

    /* Other witnesses saw the loop begin earlier. */
    if (known > 0 && (double)seen.start > (double)n->span.start + 2 * period)
        known = 0;
    last = known > 0 ? seen.end : n->span.start;
    if (known > 0)
        period = dvp_rest_period(n->loop, border, known);
    more = n->span.end > last ? floor((double)(n->span.end - last) / period + 0.25) : 0;
    /* A rest is no iteration. */
    if (known > 0 && more < 2)
        more = 0;
    n->weight = 1;
    while (more / n->weight > (double)BORDERS_MOST)
        n->weight *= 2;
    if (known > 0 && n->weight > 1) {
        /* Too many to be told one by one. */
        known = 0;
        period = n->loop->loop.period_ns;
        more = floor((double)(n->span.end - n->span.start) / period + 0.25);
        while (more / n->weight > (double)BORDERS_MOST)
            n->weight *= 2;
    }
    period *= n->weight;
    n->at = prvcut_unset(known + (size_t)(more / n->weight) + 2, sizeof *n->at, "borders", err);
    if (!n->at)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < known; i++)
        if (border[i] < n->span.start)
            n->before++;
        else if (border[i] <= n->span.end)
            n->at[n->count++] = border[i];
    n->known = n->count;
    if (n->count == 0)
        n->at[n->count++] = n->span.start;
    for (size_t i = 1; i <= (size_t)(more / n->weight); i++) {
        const double t = (double)n->at[n->known > 0 ? n->known - 1 : 0] + (double)i * period;

        n->at[n->count++] = t < (double)n->span.end ? (uint64_t)t : n->span.end;
    }
    return PRVCUT_OK;
}

static struct made_region *dvp_add(struct pieces *p, enum prvcut_region_kind kind, uint64_t end,
                                   size_t loop, struct prvcut_error *err)
{
    struct prvcut_division *d = p->out;
    struct made_region *r;

    if (prvcut_grow((void **)&d->region, &d->room, d->regions + 1, sizeof *d->region, err) < 0 ||
        prvcut_grow((void **)&d->loop, &d->loop_room, d->regions + 1, sizeof *d->loop, err) < 0)
        return NULL;
    d->loop[d->regions] = loop;
    r = &d->region[d->regions++];
    *r = (struct made_region){ .is.kind = kind,
                               .is.level = p->in->level,
                               .is.parent = SIZE_MAX,
                               .is.span = { p->end, end },
                               .is.metric = "",
                               .is.alphabet = "" };
    p->end = end;
    return r;
}

static bool dvp_is_masked(const struct prvcut_search_input *in, uint64_t from, uint64_t to)
{
    return prvcut_span_touched(in->mask, in->masks, from, to);
}

/* Why a span is masked. */
static enum prvcut_cause dvp_cause_in(const struct prvcut_masks *m, struct prvcut_span span)
{
    enum prvcut_cause cause = PRVCUT_CAUSE_NONE;
    size_t first = prvcut_lower_u64(m->at, m->count, sizeof *m->at,
                                    offsetof(struct prvcut_mask, span.start), span.start);

    first -= first < OVERLAP ? first : OVERLAP;
    /* What spoils comes first: while one thread flushes, others wait and messages are late. */
    for (size_t i = first; i < m->count && m->at[i].span.start < span.end; i++)
        if (m->at[i].span.end > span.start &&
            (cause == PRVCUT_CAUSE_NONE || m->at[i].cause < cause))
            cause = m->at[i].cause;
    return cause;
}

static enum prvcut_status dvp_add_masked(struct pieces *p, uint64_t end, struct prvcut_error *err)
{
    struct made_region *last = p->out->regions > 0 ? &p->out->region[p->out->regions - 1] : NULL;
    struct made_region *r;

    if (end <= p->end)
        return PRVCUT_OK;
    if (last && last->is.kind == PRVCUT_REGION_MASKED) {
        last->is.span.end = p->end = end;
        last->is.cause = dvp_cause_in(p->in->masks, last->is.span);
        return PRVCUT_OK;
    }
    r = dvp_add(p, PRVCUT_REGION_MASKED, end, SIZE_MAX, err);
    if (!r)
        return PRVCUT_ENOMEM;
    r->is.cause = dvp_cause_in(p->in->masks, r->is.span);
    return PRVCUT_OK;
}

static bool dvp_last_is(const struct pieces *p, enum prvcut_region_kind kind)
{
    return p->out->regions > 0 && p->out->region[p->out->regions - 1].is.kind == kind;
}

/* What lies before a loop and what its spell leaves over may meet: it is one piece. */
static enum prvcut_status dvp_add_aperiodic(struct pieces *p, uint64_t end,
                                            struct prvcut_error *err)
{
    if (!dvp_last_is(p, PRVCUT_REGION_APERIODIC))
        return dvp_add(p, PRVCUT_REGION_APERIODIC, end, SIZE_MAX, err) ? PRVCUT_OK : PRVCUT_ENOMEM;
    p->out->region[p->out->regions - 1].is.span.end = p->end = end;
    return PRVCUT_OK;
}

/* What is not periodic, up to a time; `period` of what follows (0: nothing does). */
static enum prvcut_status dvp_fill(struct pieces *p, uint64_t end, double period,
                                   struct prvcut_error *err)
{
    const struct prvcut_search_input *in = &p->in->where;

    while (p->end < end) {
        const size_t m = prvcut_span_after(in->mask, in->masks, p->end);
        const bool mask = m < in->masks && in->mask[m].start < end;
        const uint64_t to = mask && in->mask[m].start > p->end ? in->mask[m].start : end;

        if (mask && in->mask[m].start <= p->end) {
            if (dvp_add_masked(p, in->mask[m].end < end ? in->mask[m].end : end, err) < 0)
                return PRVCUT_ENOMEM;
        } else if (dvp_last_is(p, PRVCUT_REGION_MASKED) && (double)(to - p->end) < REST * period) {
            if (dvp_add_masked(p, to, err) < 0)
                return PRVCUT_ENOMEM;
        } else if (dvp_add_aperiodic(p, to, err) < 0) {
            return PRVCUT_ENOMEM;
        }
    }
    return PRVCUT_OK;
}

/* Those [*from, *to) from *from on that no mask touches; false: there are no more. */
static bool dvp_next_clear(const struct pieces *p, const struct iterations *n, size_t *from,
                           size_t *to)
{
    const struct prvcut_search_input *in = &p->in->where;
    size_t k = *from;

    while (k + 1 < n->count && dvp_is_masked(in, n->at[k], n->at[k + 1]))
        k++;
    *from = k;
    while (k + 1 < n->count && !dvp_is_masked(in, n->at[k], n->at[k + 1]))
        k++;
    *to = k;
    return *to > *from;
}

/* Is there anywhere as much as is wanted between masks? */
static bool dvp_masks_divide(const struct pieces *p, const struct iterations *n)
{
    size_t from = 0, to, longest = 0;

    while (dvp_next_clear(p, n, &from, &to)) {
        longest = to - from > longest ? to - from : longest;
        from = to;
    }
    return (double)longest * n->weight >= (double)p->in->useful;
}

static enum prvcut_status dvp_keep_borders(struct made_region *r, const uint64_t *border, size_t n,
                                           struct prvcut_error *err)
{
    r->is.border = prvcut_unset(n, sizeof *r->is.border, "borders", err);
    if (!r->is.border)
        return PRVCUT_ENOMEM;
    memcpy(r->is.border, border, n * sizeof *r->is.border);
    r->is.borders = n;
    return PRVCUT_OK;
}

/* Is the last iteration too short to be one: calls do not tell when it ends, if nothing is called
   then? */
static bool dvp_last_is_short(const uint64_t *border, size_t n)
{
    uint64_t shortest = UINT64_MAX;

    for (size_t i = 0; i + 2 < n; i++)
        if (border[i + 1] - border[i] < shortest)
            shortest = border[i + 1] - border[i];
    return n >= 4 && (double)(border[n - 1] - border[n - 2]) < WHOLE * (double)shortest;
}

/* Of fewer than three none stands out. */
static enum prvcut_status dvp_judge(struct lengths_list *out, const struct divide_judged *j,
                                    const struct prvcut_search_input *in, struct prvcut_error *err)
{
    const uint64_t *last;

    *out = (struct lengths_list){ .count = 0 };
    if (j->borders < 4)
        return PRVCUT_OK;
    last = &j->border[j->borders - 2];
    return divide_judge(out, j, in, dvp_is_masked(in, last[0], last[1]), err);
}

/* What stands out among all of them. */
static enum prvcut_status dvp_judge_all(struct made_region *r, const struct divide_judged *j,
                                        const struct prvcut_search_input *in,
                                        struct prvcut_error *err)
{
    const size_t all[2] = { 0, SIZE_MAX };
    struct lengths_list judged;
    struct lengths_far far = { 0 };
    enum prvcut_status st = dvp_judge(&judged, j, in, err);

    if (st == PRVCUT_OK)
        st = prvcut_lengths_far(&far, &judged, j->border, all, err);
    r->outlier = far.at;
    r->is.outliers = far.count;
    r->is.outliers_seen = far.seen;
    prvcut_lengths_drop(&judged);
    return st;
}

/* What the lengths between borders tell. The loop's last iteration ends with its last call, if no
   other follows: it is none that others are measured by. *whole: n at the end of the loop, there
   set to the borders without that of such a one; else 0. */
static enum prvcut_status dvp_measure_lengths(struct made_region *r, const struct iterations *it,
                                              const size_t range[2], size_t *whole,
                                              const struct prvcut_search_input *in,
                                              struct prvcut_error *err)
{
    const uint64_t *border = it->at + range[0];
    const size_t n = range[1] - range[0];
    struct divide_judged judged = {
        it->loop, border, n, n, range[0] + it->before == 0, *whole == n
    };
    struct prvcut_search_input clear = *in;
    struct prvcut_lengths l;
    enum prvcut_status st = prvcut_lengths_measure(&l, border, n, in->mask, in->masks, err);

    if (st == PRVCUT_OK && l.median <= 0) {
        /* Masks that spoil every iteration divide nothing and leave nothing out. */
        clear.masks = 0;
        st = prvcut_lengths_measure(&l, border, n, NULL, 0, err);
    }
    if (st < 0 || l.median <= 0)
        return st;
    r->is.median_ns = l.median;
    r->is.first_ns = l.first;
    r->is.last_ns = l.last;
    r->is.spread_ns = l.spread;
    if (judged.ends && dvp_last_is_short(border, n))
        *whole = judged.whole = n - 1;
    return dvp_judge_all(r, &judged, &clear, err);
}

/* What the iterations [from, to) tell; as far as they were seen. */
static enum prvcut_status dvp_measure(struct made_region *r, const struct pieces *p,
                                      struct iterations *n, const size_t range[2],
                                      struct prvcut_error *err)
{
    const size_t from = range[0], to = range[1];
    const size_t seen = n->known > to ? to - from + 1 : n->known > from ? n->known - from : 0;
    const bool all = seen == to - from + 1;
    size_t whole = to + 1 == n->count ? seen : 0;
    struct prvcut_departures departing = { .at = NULL };
    enum prvcut_status st;

    if (seen < 2)
        return PRVCUT_OK;
    st = dvp_measure_lengths(r, n, (const size_t[2]){ from, from + seen }, &whole, &p->in->where,
                             err);
    if (whole > 0)
        n->whole = from + whole;
    if (st == PRVCUT_OK && n->loop->calls.sequences > 0)
        st = prvcut_departures_find(&departing, &n->loop->calls, n->loop->sequence,
                                    n->before + from, n->before + from + seen - 1, err);
    r->departure = departing.at;
    r->is.departures = departing.count;
    r->unlike = departing.unlike;
    return st < 0 || !all ? st : dvp_keep_borders(r, n->at + from, seen, err);
}

static enum prvcut_status dvp_add_periodic(struct pieces *p, struct iterations *n, size_t loop,
                                           const size_t range[2], struct prvcut_error *err)
{
    const struct prvcut_known_loop *f = n->loop;
    struct made_region *r = dvp_add(p, PRVCUT_REGION_PERIODIC, n->at[range[1]], loop, err);

    if (!r)
        return PRVCUT_ENOMEM;
    r->is.loop = f->number;
    r->is.iterations = (double)(range[1] - range[0]) * n->weight;
    r->is.first = 1 + (uint64_t)((double)range[0] * n->weight);
    r->is.period_ns = (double)(n->at[range[1]] - n->at[range[0]]) / r->is.iterations;
    r->is.median_ns = r->is.first_ns = r->is.last_ns = f->loop.median_ns;
    r->is.confidence = f->confidence;
    r->is.counted_ns = f->counted_ns;
    r->is.rounds_least = f->rounds.least;
    r->is.rounds_most = f->rounds.most;
    r->is.rounds_ns = f->rounds.most > 0 ? f->rounds.median_ns : 0;
    r->is.found_by = f->found_by;
    r->is.metric = f->metric;
    r->is.examined = f->examined;
    if (f->calls.sequences > 0) {
        r->is.alphabet = f->calls.alphabet;
        r->is.calls_per_iteration = (double)f->calls.calls_per_iteration;
        r->is.followers = (uint32_t)f->calls.followers;
    }
    return dvp_measure(r, p, n, range, err);
}

/* Where a region's iterations stand among those of its spell; false: that was not seen. */
static bool dvp_place_of(size_t range[2], const struct iterations *n, const struct made_region *r)
{
    range[0] = r->is.borders > 0
                   ? prvcut_lower_u64(n->at, n->known, sizeof *n->at, 0, r->is.border[0])
                   : 0;
    range[1] = range[0] + r->is.borders - (r->is.borders > 0);
    return r->is.borders > 1 && range[1] < n->known;
}

/* Masks leave a few iterations here and there, and one alone has nothing to be compared with: all
   clear ones of the spell judge each. */
static enum prvcut_status dvp_judge_together(struct pieces *p, const struct iterations *n,
                                             size_t first, struct prvcut_error *err)
{
    const struct prvcut_search_input *in = &p->in->where;
    const bool ends = n->whole > 0;
    const struct divide_judged of = {
        n->loop,        n->at, n->known, ends && n->whole < n->known ? n->whole : n->known,
        n->before == 0, ends
    };
    struct lengths_list judged;
    enum prvcut_status st = dvp_judge(&judged, &of, in, err);

    for (size_t i = first; i < p->out->regions && st == PRVCUT_OK && judged.count > 0; i++) {
        struct made_region *r = &p->out->region[i];
        struct lengths_far far;
        size_t range[2];

        if (r->is.kind != PRVCUT_REGION_PERIODIC || !dvp_place_of(range, n, r))
            continue;
        st = prvcut_lengths_far(&far, &judged, n->at, range, err);
        free(r->outlier);
        r->outlier = far.at;
        r->is.outliers = far.count;
        r->is.outliers_seen = far.seen;
    }
    prvcut_lengths_drop(&judged);
    return st;
}

static enum prvcut_status dvp_add_iterations(struct pieces *p, struct iterations *n, size_t loop,
                                             struct prvcut_error *err)
{
    const size_t first = p->out->regions;
    size_t range[2] = { 0, n->count - 1 }, parts = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (n->count < 2)
        return PRVCUT_OK;
    p->iterations = (uint64_t)((double)(n->count - 1) * n->weight);
    st = dvp_fill(p, n->at[0], n->loop->loop.period_ns, err);
    if (st == PRVCUT_OK && !dvp_masks_divide(p, n))
        return dvp_add_periodic(p, n, loop, range, err);
    while (st == PRVCUT_OK && dvp_next_clear(p, n, &range[0], &range[1])) {
        if (range[0] > 0)
            st = dvp_add_masked(p, n->at[range[0]], err);
        if (st == PRVCUT_OK)
            st = dvp_add_periodic(p, n, loop, range, err);
        range[0] = range[1];
        parts++;
    }
    if (st == PRVCUT_OK && parts > 1)
        st = dvp_judge_together(p, n, first, err);
    /* A mask touches all iterations after the last clear one. */
    if (st == PRVCUT_OK)
        st = dvp_add_masked(p, n->at[n->count - 1], err);
    return st < 0 ? st : dvp_fill(p, n->span.end, n->loop->loop.period_ns, err);
}

/* Time of a spell on the thread that leads; all of it where that is not known. */
static struct prvcut_span dvp_led_span(const struct prvcut_known_loops *known,
                                       const struct divide_spell *s)
{
    size_t n;
    const uint64_t *border = prvcut_known_loop_borders(&known->at[s->loop], &n);
    const struct prvcut_span seen = dvp_known_span(&known->at[s->loop]);

    /* Beyond what the calls know there are no threads apart. */
    return (struct prvcut_span){ n > 0 && s->span.start >= seen.start ? border[0] : s->span.start,
                                 n > 0 && s->span.end <= seen.end ? border[n - 1] : s->span.end };
}

/* Threads that are apart begin the next loop before others end the one before: the one that leads
   counts alone. */
static enum prvcut_status dvp_lead_spells(struct divide_spell **out,
                                          const struct prvcut_known_loops *known,
                                          const struct divide_spells *spells,
                                          struct prvcut_error *err)
{
    struct divide_spell *s = prvcut_unset(spells->count + 1, sizeof *s, "loops", err);

    *out = s;
    if (!s)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < spells->count; i++) {
        s[i] = spells->at[i];
        s[i].span = dvp_led_span(known, &spells->at[i]);
    }
    return PRVCUT_OK;
}

static enum prvcut_status dvp_add_spell(struct pieces *p, const struct prvcut_known_loops *known,
                                        const struct divide_spell *s, struct prvcut_error *err)
{
    struct iterations n = { .loop = &known->at[s->loop], .span = s->span };
    enum prvcut_status st;

    p->iterations = 0;
    if (n.span.start < p->end)
        n.span.start = p->end;
    if (n.span.end > p->in->where.span.end)
        n.span.end = p->in->where.span.end;
    if (n.span.end <= n.span.start)
        return PRVCUT_OK;
    st = dvp_fill(p, n.span.start, n.loop->loop.period_ns, err);
    if (st == PRVCUT_OK)
        st = dvp_lay(&n, err);
    if (st == PRVCUT_OK)
        st = dvp_add_iterations(p, &n, s->loop, err);
    if (st == PRVCUT_OK && n.count > 1 && n.weight < 2)
        st = prvcut_divide_keep(p->out, n.loop->number, p->in->level, &n.at, n.count, err);
    free(n.at);
    return st;
}

static void dvp_name_pieces(struct prvcut_division *d)
{
    size_t first = d->regions, last = 0;

    for (size_t i = 0; i < d->regions; i++)
        if (d->region[i].is.kind == PRVCUT_REGION_PERIODIC) {
            first = first < i ? first : i;
            last = i;
        }
    for (size_t i = 0; i < d->regions && first < d->regions; i++)
        if (d->region[i].is.kind == PRVCUT_REGION_APERIODIC)
            d->region[i].is.kind = i < first  ? PRVCUT_REGION_INITIALISATION
                                   : i > last ? PRVCUT_REGION_END
                                              : PRVCUT_REGION_APERIODIC;
}

enum prvcut_status prvcut_divide_pieces(struct prvcut_division *out,
                                        const struct prvcut_known_loops *known,
                                        const struct prvcut_divide_input *in,
                                        const struct divide_spells *spells,
                                        struct prvcut_error *err)
{
    struct pieces p = { .out = out, .in = in, .end = in->where.span.start };
    struct divide_spell *spell;
    enum prvcut_status st = dvp_lead_spells(&spell, known, spells, err);

    for (size_t i = 0; i < spells->count && st == PRVCUT_OK; i++) {
        const size_t first = out->regions, stretch = out->stretches;

        st = dvp_add_spell(&p, known, &spell[i], err);
        prvcut_divide_number(out, known->at[spell[i].loop].number, first, stretch, p.iterations);
    }
    free(spell);
    if (st == PRVCUT_OK)
        st = dvp_fill(&p, in->where.span.end, 0, err);
    dvp_name_pieces(out);
    return st;
}
