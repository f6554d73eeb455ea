#include "report/loop.h"

#include "analysis/kinds.h"
#include "base/memory.h"
#include "dsp/order.h"
#include "report/lines.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool report_disturbed(const struct made_structure *s, const struct prvcut_span *span)
{
    for (size_t i = 0; i < s->is.masks; i++)
        if (s->mask[i].span.start < span->end && s->mask[i].span.end > span->start)
            return true;
    return false;
}

/* The loop that was found over all of the run. */
static struct report_loop lop_found(const struct made_reduction *r)
{
    return (struct report_loop){ .main = true,
                                 .iterations = r->is.iterations,
                                 .span = r->is.phase,
                                 .period_ns = r->is.period_ns,
                                 .median_ns = r->is.median_ns,
                                 .spread_ns = r->is.spread_ns,
                                 .confidence = r->is.confidence,
                                 .disturbed = r->structure.is.iterations_masked,
                                 .vote = r->vote,
                                 .votes = r->is.votes };
}

/* What the region's own search saw. */
static struct report_loop lop_region(const struct made_reduction *r, const struct made_region *p)
{
    const struct made_structure *s = &r->structure;
    struct report_loop l = { .inner = p->is.level > 1,
                             .iterations = p->is.iterations,
                             .span = p->is.span,
                             .period_ns = p->is.period_ns,
                             .median_ns = p->is.median_ns,
                             .spread_ns = p->is.spread_ns,
                             .confidence = p->is.confidence,
                             .vote = p->vote,
                             .votes = p->is.votes };

    for (size_t i = 0; l.votes == 0 && i < s->is.regions; i++)
        if (s->region[i].is.loop == p->is.loop && s->region[i].is.votes > 0) {
            l.vote = s->region[i].vote;
            l.votes = s->region[i].is.votes;
        }
    return l;
}

/* Lengths of the iterations of all of the loop's regions; NULL: there is no memory. */
static double *lop_lengths(const struct report_loop *l, const struct made_structure *s,
                           size_t *count)
{
    size_t room = 1;
    double *length;

    *count = 0;
    for (size_t i = 0; i < s->is.regions; i++)
        room += s->region[i].is.borders;
    length = prvcut_unset(room, sizeof *length, "iterations", NULL);
    for (size_t i = 0; length && i < s->is.regions; i++) {
        const struct made_region *p = &s->region[i];

        for (size_t k = 1; prvcut_regions_share_loop(p, l->region) && k < p->is.borders; k++)
            length[(*count)++] = (double)(p->is.border[k] - p->is.border[k - 1]);
    }
    return length;
}

/* Median length of these, and their spread; both stay where no borders are known. */
static void lop_measure(struct report_loop *l, const struct made_structure *s)
{
    size_t count;
    double *length = lop_lengths(l, s, &count);

    if (count > 0) {
        l->median_ns = prvcut_median(length, count);
        l->spread_ns = PRVCUT_MAD_SCALE * prvcut_mad(length, count, l->median_ns);
    }
    free(length);
}

/* As far as there is memory. */
static void lop_kinds_by_length(struct report_loop *l, const struct made_structure *s)
{
    struct prvcut_kinds_input in = { .count = 0 };
    double *length = lop_lengths(l, s, &in.count);
    unsigned *label = prvcut_zeroed(in.count + 1, sizeof *label, "iterations", NULL);

    in.length = length;
    if (!length || !label || prvcut_kinds_find(l->kind, &l->kinds, label, &in, NULL) < 0)
        l->kinds = 0;
    free(length);
    free(label);
}

void report_loop_kinds(struct report_loop *l, const struct made_reduction *r)
{
    l->kinds = 0;
    if (!l->region || l->inner)
        return;
    if (r->is.kinds > 0 &&
        prvcut_regions_share_loop(l->region, &r->structure.region[r->kinds_region])) {
        l->kinds = r->is.kinds;
        memcpy(l->kind, r->kind, sizeof l->kind);
        return;
    }
    lop_kinds_by_length(l, &r->structure);
}

/* Iterations of a stretch that something disturbs; masks come by time. */
static uint64_t lop_disturbed(const struct made_structure *s, const struct prvcut_stretch *t)
{
    uint64_t end = 0, count = 0;
    size_t mask = 0;

    for (size_t k = 1; k < t->borders; k++) {
        for (; mask < s->is.masks && s->mask[mask].span.start < t->border[k]; mask++)
            end = s->mask[mask].span.end > end ? s->mask[mask].span.end : end;
        count += end > t->border[k - 1];
    }
    return count;
}

unsigned report_loop_stretches(const struct made_structure *s, const struct made_region *of)
{
    const struct prvcut_stretch *last = NULL;
    unsigned count = 0;

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (!prvcut_stretch_is_of(t, of) || t->borders < 2)
            continue;
        count += !last || t->border[0] > last->border[last->borders - 1];
        last = t;
    }
    return count;
}

/* All of its iterations, as far as they were told one by one. */
static void lop_span_all(struct report_loop *l, const struct made_structure *s)
{
    double iterations = 0, sum = 0;
    uint64_t disturbed = 0;
    struct prvcut_span all = { UINT64_MAX, 0 };

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (!prvcut_stretch_is_of(t, l->region) || t->borders < 2)
            continue;
        iterations += (double)(t->borders - 1);
        sum += (double)(t->border[t->borders - 1] - t->border[0]);
        all.start = t->border[0] < all.start ? t->border[0] : all.start;
        all.end = t->border[t->borders - 1] > all.end ? t->border[t->borders - 1] : all.end;
        disturbed += lop_disturbed(s, t);
    }
    if (iterations < 1 || all.end <= all.start)
        return;
    l->iterations = iterations;
    l->span = all;
    l->stretches = report_loop_stretches(s, l->region);
    l->period_ns = sum / iterations;
    l->disturbed = disturbed;
    lop_measure(l, s);
}

/* Numbers of iterations that differ by less are those of the same stretch, counted in two ways. */
#define ELSEWHERE 1.5

/* Does the loop come again, before or after what was found over all of the run? */
static bool lop_comes_again(const struct report_loop *found)
{
    return found->region &&
           (double)found->region->is.loop_iterations > found->iterations + ELSEWHERE;
}

struct report_loop report_loop_of(const struct made_reduction *r, size_t region)
{
    const struct made_structure *s = &r->structure;
    const struct made_region *p = region < s->is.regions ? &s->region[region] : NULL;
    const struct made_region *main = s->is.main < s->is.regions ? &s->region[s->is.main] : NULL;
    struct report_loop l;

    if (!p || (main && prvcut_regions_share_loop(p, main)))
        l = lop_found(r);
    else
        l = lop_region(r, p);
    l.region = p ? p : main;
    if (l.main ? lop_comes_again(&l) : p->is.level <= 1)
        lop_span_all(&l, s);
    return l;
}

struct report_loop report_loop_main(const struct made_reduction *r)
{
    return report_loop_of(r, r->structure.is.main);
}

struct report_loop report_loop_cut(const struct made_reduction *r)
{
    return r->is.chops > 0 ? report_loop_of(r, r->chop[0].is.region) : report_loop_main(r);
}

struct report_stretches report_stretches_in(const struct made_structure *s, enum prvcut_cause cause,
                                            const struct prvcut_span *span)
{
    struct report_stretches in = { 0, 0 };

    for (size_t i = 0; i < s->is.masks; i++) {
        const struct prvcut_mask *m = &s->mask[i];

        if (m->cause != cause ||
            (span && (m->span.end <= span->start || m->span.start >= span->end)))
            continue;
        in.count++;
        in.sum_ns += (double)(m->span.end - m->span.start);
    }
    return in;
}

bool report_main_span(const struct made_structure *s, struct prvcut_span *out)
{
    struct report_loop l = { .span = { 0, 0 } };

    if (s->is.main >= s->is.regions)
        return false;
    l.region = &s->region[s->is.main];
    l.span = l.region->is.span;
    lop_span_all(&l, s);
    *out = l.span;
    return true;
}

static const char *lop_rounds(char out[REPORT_ROUNDS], const struct made_region *r,
                              const char *const words[3])
{
    char time[32], least[32], most[32];

    *out = '\0';
    if (r && r->is.rounds_most > 0)
        snprintf(out, REPORT_ROUNDS, "%s %s to %s rounds of a loop of %s%s--level %u%s", words[0],
                 report_count(least, r->is.rounds_least), report_count(most, r->is.rounds_most),
                 prvcut_time_text(time, r->is.rounds_ns), words[1], r->is.level + 1, words[2]);
    return out;
}

const char *report_rounds(char out[REPORT_ROUNDS], const struct made_region *r)
{
    static const char *const words[3] = { "each iteration holds",
                                          "; if those rounds are your iterations, ask for ", "" };

    return lop_rounds(out, r, words);
}

const char *report_counted(char out[REPORT_COUNTED], const struct made_region *r)
{
    char time[32];

    *out = '\0';
    if (r && r->is.counted_ns > 0)
        snprintf(out, REPORT_COUNTED,
                 "up to %s, later iterations are estimated (a few per cent off)",
                 prvcut_time_text(time, (double)r->is.counted_ns));
    return out;
}

const char *report_rounds_short(char out[REPORT_ROUNDS], const struct made_region *r)
{
    static const char *const words[3] = { "; each holds", " (if those are your iterations: ", ")" };

    return lop_rounds(out, r, words);
}

const char *report_rounds_least(char out[REPORT_ROUNDS], const struct made_region *r)
{
    char time[32], least[32], most[32];

    *out = '\0';
    if (r && r->is.rounds_most > 0)
        snprintf(out, REPORT_ROUNDS, "each holds %s to %s rounds of %s",
                 report_count(least, r->is.rounds_least), report_count(most, r->is.rounds_most),
                 prvcut_time_text(time, r->is.rounds_ns));
    return out;
}
