#include "structure/keep.h"
#include "model/words.h"
#include "structure/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No time of a trace is later. */
#define TIME_MOST (UINT64_C(1) << 61)

static void keep_put_span(struct prvcut_put *p, struct prvcut_span span)
{
    prvcut_put_span(p, span.start, span.end);
}

static struct prvcut_span keep_get_span(struct prvcut_get *g)
{
    struct prvcut_span span;

    span.start = prvcut_get_u64(g);
    span.end = prvcut_get_u64(g);
    prvcut_get_check(g, span.start <= span.end && span.end <= TIME_MOST);
    return span;
}

/* A text that must be there. */
static const char *keep_get_word(struct prvcut_get *g)
{
    const char *text = prvcut_get_text(g);

    prvcut_get_check(g, text != NULL);
    return text ? text : "";
}

static size_t keep_get_index(struct prvcut_get *g, size_t count)
{
    const uint64_t at = prvcut_get_u64(g);

    prvcut_get_check(g, at == UINT64_MAX || at < count);
    return g->bad || at == UINT64_MAX ? SIZE_MAX : (size_t)at;
}

/* NULL where there are none. */
static void *keep_get_items(struct prvcut_get *g, size_t count, size_t size)
{
    return count > 0 ? prvcut_get_room(g, count, size) : NULL;
}

static void keep_put_index(struct prvcut_put *p, size_t at)
{
    prvcut_put_u64(p, at == SIZE_MAX ? UINT64_MAX : at);
}

void prvcut_votes_put(struct prvcut_put *p, const struct prvcut_vote *vote, size_t votes)
{
    prvcut_put_u64(p, votes);
    for (size_t i = 0; i < votes; i++) {
        prvcut_put_text(p, vote[i].metric);
        prvcut_put_text(p, prvcut_stand_text(vote[i].status));
        prvcut_put_f64(p, vote[i].period_ns);
        prvcut_put_f64(p, vote[i].iterations);
        prvcut_put_f64(p, vote[i].strength);
        keep_put_span(p, vote[i].span);
        prvcut_put_text(p, vote[i].why);
    }
}

void prvcut_votes_get(struct prvcut_get *g, struct prvcut_vote **vote, size_t *votes)
{
    const size_t count = prvcut_get_count(g, 40);
    struct prvcut_vote *v = keep_get_items(g, count, sizeof *v);

    *vote = v;
    *votes = v ? count : 0;
    for (size_t i = 0; v && i < count; i++) {
        v[i].metric = keep_get_word(g);
        prvcut_get_check(g, prvcut_stand_find(&v[i].status, keep_get_word(g)));
        v[i].period_ns = prvcut_get_f64(g);
        v[i].iterations = prvcut_get_f64(g);
        v[i].strength = prvcut_get_f64(g);
        v[i].span = keep_get_span(g);
        v[i].why = keep_get_word(g);
    }
}

static void keep_put_outliers(struct prvcut_put *p, const struct made_region *r)
{
    prvcut_put_u64(p, r->is.outliers);
    for (size_t i = 0; i < r->is.outliers; i++) {
        prvcut_put_u64(p, r->outlier[i].iteration);
        keep_put_span(p, r->outlier[i].span);
        prvcut_put_f64(p, r->outlier[i].deviation);
        prvcut_put_text(p, prvcut_outlier_why_text(r->outlier[i].why));
    }
    prvcut_put_u64(p, r->is.outliers_seen);
}

static void keep_get_outliers(struct prvcut_get *g, struct made_region *r)
{
    r->is.outliers = prvcut_get_count(g, 36);
    r->outlier = keep_get_items(g, r->is.outliers, sizeof *r->outlier);
    for (size_t i = 0; r->outlier && i < r->is.outliers; i++) {
        r->outlier[i].iteration = prvcut_get_u64(g);
        r->outlier[i].span = keep_get_span(g);
        r->outlier[i].deviation = prvcut_get_f64(g);
        prvcut_get_check(g, prvcut_outlier_why_find(&r->outlier[i].why, keep_get_word(g)));
    }
    r->is.outliers_seen = prvcut_get_u64(g);
}

static void keep_put_departures(struct prvcut_put *p, const struct made_region *r)
{
    prvcut_put_u64(p, r->is.departures);
    for (size_t i = 0; i < r->is.departures; i++) {
        prvcut_put_u64(p, r->departure[i].first);
        prvcut_put_u64(p, r->departure[i].every);
        prvcut_put_u64(p, r->departure[i].count);
        prvcut_put_u64(p, (uint64_t)r->departure[i].calls);
    }
}

static void keep_get_departures(struct prvcut_get *g, struct made_region *r)
{
    r->is.departures = prvcut_get_count(g, 32);
    r->departure = keep_get_items(g, r->is.departures, sizeof *r->departure);
    for (size_t i = 0; r->departure && i < r->is.departures; i++) {
        r->departure[i].first = prvcut_get_u64(g);
        r->departure[i].every = prvcut_get_u64(g);
        r->departure[i].count = prvcut_get_u64(g);
        r->departure[i].calls = (int64_t)prvcut_get_u64(g);
    }
}

static void keep_put_times(struct prvcut_put *p, const uint64_t *at, size_t count)
{
    prvcut_put_u64(p, count);
    prvcut_put_u64s(p, at, count);
}

/* NULL where there are none. */
static uint64_t *keep_get_times(struct prvcut_get *g, size_t *count)
{
    uint64_t *at;

    *count = prvcut_get_count(g, 8);
    at = keep_get_items(g, *count, sizeof *at);
    if (!at) {
        *count = 0;
        return NULL;
    }
    prvcut_get_u64s(g, at, *count);
    for (size_t i = 0; i < *count; i++)
        prvcut_get_check(g, at[i] <= TIME_MOST && (i == 0 || at[i] >= at[i - 1]));
    return at;
}

static void keep_put_region(struct prvcut_put *p, const struct made_region *r)
{
    prvcut_put_text(p, prvcut_region_kind_text(r->is.kind));
    prvcut_put_text(p, prvcut_cause_text(r->is.cause));
    prvcut_put_u32(p, r->is.level);
    prvcut_put_u32(p, r->is.number);
    prvcut_put_u32(p, r->is.loop);
    keep_put_index(p, r->is.parent);
    keep_put_span(p, r->is.span);
    prvcut_put_f64(p, r->is.iterations);
    prvcut_put_u64(p, r->is.first);
    prvcut_put_u64(p, r->is.loop_iterations);
    prvcut_put_f64(p, r->is.period_ns);
    prvcut_put_f64(p, r->is.median_ns);
    prvcut_put_f64(p, r->is.first_ns);
    prvcut_put_f64(p, r->is.last_ns);
    prvcut_put_f64(p, r->is.spread_ns);
    prvcut_put_f64(p, r->is.confidence);
    prvcut_put_text(p, prvcut_found_by_word(r->is.found_by, r->is.metric));
    prvcut_put_text(p, r->is.alphabet);
    prvcut_put_f64(p, r->is.calls_per_iteration);
    prvcut_put_u32(p, r->is.examined);
    prvcut_put_u32(p, r->is.followers);
    keep_put_span(p, r->is.example);
    prvcut_votes_put(p, r->vote, r->is.votes);
    keep_put_times(p, r->is.border, r->is.borders);
    keep_put_outliers(p, r);
    keep_put_departures(p, r);
    prvcut_put_u32(p, r->is.group);
    prvcut_put_u64(p, r->is.counted_ns);
    prvcut_put_u64(p, r->is.rounds_least);
    prvcut_put_u64(p, r->is.rounds_most);
    prvcut_put_f64(p, r->is.rounds_ns);
}

static void keep_get_found_by(struct prvcut_get *g, enum prvcut_found_by *by, const char **metric)
{
    const char *word = prvcut_get_text(g);

    *by = prvcut_found_by_of(word ? word : "", metric);
}

static void keep_get_region(struct prvcut_get *g, struct made_region *r, size_t position)
{
    prvcut_get_check(g, prvcut_region_kind_find(&r->is.kind, keep_get_word(g)));
    prvcut_get_check(g, prvcut_cause_find(&r->is.cause, keep_get_word(g)));
    r->is.level = prvcut_get_u32(g);
    r->is.number = prvcut_get_u32(g);
    r->is.loop = prvcut_get_u32(g);
    r->is.parent = keep_get_index(g, position);
    r->is.span = keep_get_span(g);
    r->is.iterations = prvcut_get_f64(g);
    r->is.first = prvcut_get_u64(g);
    r->is.loop_iterations = prvcut_get_u64(g);
    r->is.period_ns = prvcut_get_f64(g);
    r->is.median_ns = prvcut_get_f64(g);
    r->is.first_ns = prvcut_get_f64(g);
    r->is.last_ns = prvcut_get_f64(g);
    r->is.spread_ns = prvcut_get_f64(g);
    r->is.confidence = prvcut_get_f64(g);
    keep_get_found_by(g, &r->is.found_by, &r->is.metric);
    r->is.alphabet = prvcut_get_text(g);
    r->is.calls_per_iteration = prvcut_get_f64(g);
    r->is.examined = prvcut_get_u32(g);
    r->is.followers = prvcut_get_u32(g);
    r->is.example = keep_get_span(g);
    prvcut_votes_get(g, &r->vote, &r->is.votes);
    r->is.border = keep_get_times(g, &r->is.borders);
    keep_get_outliers(g, r);
    keep_get_departures(g, r);
    r->is.group = prvcut_get_u32(g);
    r->is.counted_ns = prvcut_get_u64(g);
    r->is.rounds_least = prvcut_get_u64(g);
    r->is.rounds_most = prvcut_get_u64(g);
    r->is.rounds_ns = prvcut_get_f64(g);
    prvcut_get_check(g, r->is.level >= 1 && r->is.level <= PRVCUT_LEVELS_MOST);
}

static void keep_put_masks(struct prvcut_put *p, const struct made_structure *s)
{
    prvcut_put_u64(p, s->is.masks);
    for (size_t i = 0; i < s->is.masks; i++) {
        prvcut_put_text(p, prvcut_cause_text(s->mask[i].cause));
        keep_put_span(p, s->mask[i].span);
        prvcut_put_u32(p, s->mask[i].affected);
        prvcut_put_u64(p, s->mask[i].threads);
        prvcut_put_u32s(p, s->mask[i].thread, s->mask[i].threads);
        prvcut_put_u32(p, s->mask[i].own != NULL);
        for (uint32_t k = 0; s->mask[i].own && k < s->mask[i].threads; k++)
            keep_put_span(p, s->mask[i].own[k]);
    }
}

static void keep_get_mask(struct prvcut_get *g, struct prvcut_mask *m)
{
    size_t threads;
    bool own;

    prvcut_get_check(g, prvcut_cause_find(&m->cause, keep_get_word(g)));
    m->span = keep_get_span(g);
    m->affected = prvcut_get_u32(g);
    threads = prvcut_get_count(g, 4);
    m->thread = keep_get_items(g, threads, sizeof *m->thread);
    m->threads = m->thread ? (uint32_t)threads : 0;
    prvcut_get_u32s(g, m->thread, m->threads);
    own = prvcut_get_u32(g) != 0;
    prvcut_get_check(g, !own || threads <= g->left / 16);
    m->own = own && !g->bad ? keep_get_items(g, m->threads, sizeof *m->own) : NULL;
    for (uint32_t i = 0; m->own && i < m->threads; i++)
        m->own[i] = keep_get_span(g);
}

static void keep_get_masks(struct prvcut_get *g, struct made_structure *s)
{
    s->is.masks = prvcut_get_count(g, 32);
    s->mask = prvcut_get_room(g, s->is.masks, sizeof *s->mask);
    if (!s->mask)
        s->is.masks = 0;
    for (size_t i = 0; i < s->is.masks; i++)
        keep_get_mask(g, &s->mask[i]);
}

static void keep_put_stretches(struct prvcut_put *p, const struct made_structure *s)
{
    prvcut_put_u64(p, s->is.stretches);
    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *one = &s->stretch[i];

        prvcut_put_u32(p, one->loop);
        prvcut_put_u32(p, one->level);
        keep_put_index(p, one->parent);
        prvcut_put_u64(p, one->first);
        keep_put_times(p, one->border, one->borders);
    }
}

static void keep_get_stretches(struct prvcut_get *g, struct made_structure *s)
{
    s->is.stretches = prvcut_get_count(g, 32);
    s->stretch = prvcut_get_room(g, s->is.stretches, sizeof *s->stretch);
    if (!s->stretch)
        s->is.stretches = 0;
    for (size_t i = 0; i < s->is.stretches; i++) {
        struct prvcut_stretch *one = &s->stretch[i];

        one->loop = prvcut_get_u32(g);
        one->level = prvcut_get_u32(g);
        one->parent = keep_get_index(g, s->is.regions);
        one->first = prvcut_get_u64(g);
        one->border = keep_get_times(g, &one->borders);
        prvcut_get_check(g, one->borders > 1 && one->first > 0);
    }
}

void prvcut_structure_put(struct prvcut_put *p, const struct made_structure *s)
{
    prvcut_put_u64(p, s->is.end_ns);
    keep_put_span(p, s->is.span);
    prvcut_put_u64(p, s->is.regions);
    for (size_t i = 0; i < s->is.regions; i++)
        keep_put_region(p, &s->region[i]);
    prvcut_put_u32(p, s->is.levels);
    prvcut_put_u32(p, s->is.loops);
    keep_put_index(p, s->is.main);
    prvcut_put_text(p, s->is.reason);
    keep_put_masks(p, s);
    keep_put_stretches(p, s);
    prvcut_put_u64(p, s->is.iterations_masked);
    prvcut_put_u32(p, s->is.apart);
}

void prvcut_structure_get(struct prvcut_get *g, struct made_structure *s)
{
    s->is.end_ns = prvcut_get_u64(g);
    s->is.span = keep_get_span(g);
    s->is.regions = prvcut_get_count(g, 150);
    s->region = prvcut_get_room(g, s->is.regions, sizeof *s->region);
    if (!s->region)
        s->is.regions = 0;
    for (size_t i = 0; i < s->is.regions; i++)
        keep_get_region(g, &s->region[i], i);
    s->is.levels = prvcut_get_u32(g);
    s->is.loops = prvcut_get_u32(g);
    prvcut_get_check(g, s->is.levels <= PRVCUT_LEVELS_MOST && s->is.loops <= s->is.regions);
    s->is.main = keep_get_index(g, s->is.regions);
    s->is.reason = keep_get_word(g);
    keep_get_masks(g, s);
    keep_get_stretches(g, s);
    s->is.iterations_masked = prvcut_get_u64(g);
    s->is.apart = prvcut_get_bool(g);
    for (size_t i = 0; !g->bad && i < s->is.regions; i++)
        prvcut_get_check(g, s->region[i].is.loop <= s->is.loops);
}

static void keep_put_loop(struct prvcut_put *p, const struct prvcut_loop *l)
{
    prvcut_put_u32(p, l->found);
    prvcut_put_text(p, l->why);
    prvcut_put_f64(p, l->period_ns);
    prvcut_put_f64(p, l->median_ns);
    keep_put_span(p, l->span);
    prvcut_put_f64(p, l->iterations);
    prvcut_put_f64(p, l->strength);
}

static void keep_get_loop(struct prvcut_get *g, struct prvcut_loop *l)
{
    l->found = prvcut_get_bool(g);
    l->why = prvcut_get_text(g);
    l->period_ns = prvcut_get_f64(g);
    l->median_ns = prvcut_get_f64(g);
    l->span = keep_get_span(g);
    l->iterations = prvcut_get_f64(g);
    l->strength = prvcut_get_f64(g);
    prvcut_get_check(g, !l->found || (l->period_ns > 0 && l->period_ns <= (double)TIME_MOST));
    prvcut_get_check(g, l->iterations >= 0 && l->iterations <= (double)TIME_MOST);
}

static void keep_put_calls(struct prvcut_put *p, const struct prvcut_known_loop *f)
{
    const struct prvcut_call_loop *c = &f->calls;

    keep_put_loop(p, &c->loop);
    prvcut_put_text(p, c->alphabet);
    prvcut_put_u64(p, c->calls_per_iteration);
    prvcut_put_u64(p, c->followers);
    prvcut_put_u64(p, c->sequences);
    for (size_t i = 0; i < c->sequences; i++) {
        prvcut_put_u32(p, f->sequence[i].thread);
        keep_put_times(p, c->border[i], c->borders[i]);
    }
}

/* All that follow have as many borders. */
static void keep_check_borders(struct prvcut_get *g, const struct prvcut_call_loop *c)
{
    size_t most = 0;

    for (size_t i = 0; i < c->sequences; i++)
        most = c->borders[i] > most ? c->borders[i] : most;
    for (size_t i = 0; i < c->sequences; i++)
        prvcut_get_check(g, c->borders[i] == 0 || (c->borders[i] == most && most > 1));
}

static void keep_get_calls(struct prvcut_get *g, struct prvcut_known_loop *f, uint32_t threads)
{
    struct prvcut_call_loop *c = &f->calls;
    size_t sequences;

    keep_get_loop(g, &c->loop);
    c->alphabet = prvcut_get_text(g);
    c->calls_per_iteration = (size_t)prvcut_get_u64(g);
    c->followers = (size_t)prvcut_get_u64(g);
    sequences = prvcut_get_count(g, 12);
    c->border = prvcut_get_room(g, sequences, sizeof *c->border);
    c->borders = prvcut_get_room(g, sequences, sizeof *c->borders);
    c->start = prvcut_get_room(g, sequences, sizeof *c->start);
    f->own = prvcut_get_room(g, sequences, sizeof *f->own);
    if (g->bad)
        return;
    f->sequence = f->own;
    f->owned = c->sequences = sequences;
    for (size_t i = 0; i < sequences; i++) {
        f->own[i].thread = prvcut_get_u32(g);
        c->border[i] = keep_get_times(g, &c->borders[i]);
        prvcut_get_check(g, f->own[i].thread < threads);
    }
    keep_check_borders(g, c);
}

enum { NO_SIGNAL, BORROWED, OWN };

static unsigned keep_metric_of(const char *name)
{
    unsigned i = 0;

    while (i < PRVCUT_METRICS && strcmp(prvcut_metric_table[i].name, name) != 0)
        i++;
    return i;
}

static void keep_put_signal(struct prvcut_put *p, const struct prvcut_known_loop *f,
                            const struct prvcut_signal *first)
{
    const struct prvcut_signal *s = &f->signal;
    const unsigned metric = s->at ? keep_metric_of(s->name) : PRVCUT_METRICS;

    if (metric == PRVCUT_METRICS) {
        prvcut_put_u32(p, NO_SIGNAL);
        return;
    }
    prvcut_put_u32(p, f->own_signal ? OWN : BORROWED);
    prvcut_put_u32(p, metric);
    prvcut_put_u64(p, s->start);
    prvcut_put_u64(p, s->width);
    prvcut_put_u64(p, s->bins);
    if (f->own_signal)
        prvcut_put_f64s(p, s->at, s->bins);
    else
        prvcut_put_u64(p, (uint64_t)(s->at - first[metric].at));
}

static void keep_get_own(struct prvcut_get *g, struct prvcut_known_loop *f)
{
    prvcut_get_check(g, f->signal.bins <= g->left / 8);
    f->signal.at = prvcut_get_room(g, g->bad ? 0 : f->signal.bins, sizeof *f->signal.at);
    f->own_signal = f->signal.at != NULL;
    if (f->signal.at)
        prvcut_get_f64s(g, f->signal.at, f->signal.bins);
}

static void keep_get_borrowed(struct prvcut_get *g, struct prvcut_known_loop *f, unsigned metric,
                              const struct prvcut_keep_signals *signals)
{
    const uint64_t offset = prvcut_get_u64(g);
    const struct prvcut_signal *from =
        g->bad || !signals ? NULL : signals->get(signals->ctx, metric);

    if (!signals)
        return;
    prvcut_get_check(g, from && from->at && offset <= from->bins &&
                            f->signal.bins <= from->bins - offset);
    if (!g->bad)
        f->signal.at = from->at + offset;
}

static void keep_get_signal(struct prvcut_get *g, struct prvcut_known_loop *f,
                            const struct prvcut_keep_signals *signals)
{
    const uint32_t kind = prvcut_get_u32(g);
    uint32_t metric;

    prvcut_get_check(g, kind <= OWN);
    if (kind == NO_SIGNAL || g->bad)
        return;
    metric = prvcut_get_u32(g);
    prvcut_get_check(g, metric < PRVCUT_METRICS);
    if (g->bad)
        return;
    f->signal.name = prvcut_metric_table[metric].name;
    f->signal.unit = prvcut_metric_table[metric].unit;
    f->signal.start = prvcut_get_u64(g);
    f->signal.width = prvcut_get_u64(g);
    f->signal.bins = (size_t)prvcut_get_u64(g);
    prvcut_get_check(g, f->signal.width > 0 && f->signal.width <= TIME_MOST &&
                            f->signal.start <= TIME_MOST);
    if (kind == OWN)
        keep_get_own(g, f);
    else
        keep_get_borrowed(g, f, metric, signals);
}

static void keep_put_known(struct prvcut_put *p, const struct prvcut_known_loop *f,
                           const struct prvcut_signal *first)
{
    keep_put_loop(p, &f->loop);
    keep_put_calls(p, f);
    keep_put_signal(p, f, first);
    keep_put_times(p, f->borders.at, f->borders.count);
    prvcut_put_u32(p, f->number);
    prvcut_put_f64(p, f->confidence);
    prvcut_put_text(p, prvcut_found_by_word(f->found_by, f->metric));
    prvcut_put_u32(p, f->examined);
    prvcut_put_u32(p, f->absent);
    prvcut_put_u64(p, f->counted_ns);
    prvcut_put_u64(p, f->rounds.least);
    prvcut_put_u64(p, f->rounds.most);
    prvcut_put_f64(p, f->rounds.median_ns);
}

static void keep_get_known(struct prvcut_get *g, struct prvcut_known_loop *f, uint32_t threads,
                           const struct prvcut_keep_signals *signals)
{
    keep_get_loop(g, &f->loop);
    keep_get_calls(g, f, threads);
    keep_get_signal(g, f, signals);
    f->borders.at = keep_get_times(g, &f->borders.count);
    f->number = prvcut_get_u32(g);
    f->confidence = prvcut_get_f64(g);
    keep_get_found_by(g, &f->found_by, &f->metric);
    f->examined = prvcut_get_u32(g);
    f->absent = prvcut_get_u32(g);
    f->counted_ns = prvcut_get_u64(g);
    f->rounds.least = prvcut_get_u64(g);
    f->rounds.most = prvcut_get_u64(g);
    f->rounds.median_ns = prvcut_get_f64(g);
    f->told = true;
}

void prvcut_known_loops_put(struct prvcut_put *p, const struct prvcut_known_loops *k,
                            const struct prvcut_signal *first, size_t regions)
{
    prvcut_put_u64(p, k->count);
    for (size_t i = 0; i < k->count; i++)
        keep_put_known(p, &k->at[i], first);
    for (size_t i = 0; i < regions; i++)
        keep_put_index(p, k->of_region ? k->of_region[i] : SIZE_MAX);
}

void prvcut_known_loops_get(struct prvcut_get *g, struct prvcut_known_loops *k,
                            const struct made_structure *s, uint32_t threads,
                            const struct prvcut_keep_signals *signals)
{
    const size_t count = prvcut_get_count(g, 100);

    k->at = prvcut_get_room(g, count, sizeof *k->at);
    k->count = k->room = k->at ? count : 0;
    for (size_t i = 0; !g->bad && i < k->count; i++)
        keep_get_known(g, &k->at[i], threads, signals);
    k->of_region = prvcut_get_room(g, s->is.regions, sizeof *k->of_region);
    for (size_t i = 0; k->of_region && i < s->is.regions; i++) {
        k->of_region[i] = keep_get_index(g, k->count);
        /* Whoever cuts a region that repeats goes to its loop. */
        prvcut_get_check(g, s->region[i].is.kind != PRVCUT_REGION_PERIODIC ||
                                k->of_region[i] < k->count);
    }
}
