#include "structure/divide.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "structure/divide_pieces.h"
#include "structure/lengths.h"
#include "structure/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A stretch beside a loop is searched where it has this share of the whole, ... */
#define WORTH 0.03
/* ... or so many periods of that loop and at least this share. */
#define WORTH_PERIODS 6
#define WORTH_LEAST   0.004
/* Searches of such stretches, all together. */
#define SEARCHES 24
/* A loop found there must have this share of the whole. */
#define SPELL 0.01
/* Periods within this ratio of each other are the same. */
#define SAME 0.07
/* The same calls at periods that are a factor like this apart are not called one loop. */
#define AGAIN 1.5
/* A part of a loop that is searched by itself must be explained this far. */
#define MOST 0.6
/* Numbers of iterations that differ by less than this share and one are those of one loop. */
#define LIKE 0.1
/* So few iterations at the beginning of a loop are no part with a length of its own. */
#define HEAD 2

/** A stretch that is searched for one loop. */
struct gap {
    struct prvcut_span span;
    size_t *from, *to; /* [sequences] calls that belong to it */
    double period;     /* ns, of the loop beside it; 0: none */
};

struct divider {
    const struct prvcut_divide_input *in;
    const struct prvcut_run *run;
    struct prvcut_known_loops *known;
    struct divide_spells spells;
    size_t first; /* known loops from here on are of this division */
    unsigned *loops;
    unsigned searches;
    unsigned parts; /* nonzero: a part of a loop is searched again */
};

static enum prvcut_status div_gap_init(struct gap *g, size_t sequences, struct prvcut_error *err)
{
    g->from = prvcut_zeroed(sequences + 1, sizeof *g->from, "sequences", err);
    g->to = prvcut_zeroed(sequences + 1, sizeof *g->to, "sequences", err);
    return g->from && g->to ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void div_gap_fini(struct gap *g)
{
    free(g->from);
    free(g->to);
}

/* The first of calls [from, to) that begins at or after a time. */
static size_t div_call_after(const struct prvcut_call_sequence *s, size_t from, size_t to,
                             uint64_t t)
{
    if (from >= to)
        return from;
    return from + prvcut_lower_u64(s->at + from, to - from, sizeof *s->at,
                                   offsetof(struct prvcut_call, time), t);
}

/* What lies before a loop, or after it. */
static enum prvcut_status div_gap_beside(struct gap *out, const struct divider *d,
                                         const struct gap *g, const struct prvcut_known_loop *f,
                                         bool after, struct prvcut_error *err)
{
    const struct prvcut_search_input *in = &d->in->where;
    enum prvcut_status st = div_gap_init(out, in->sequences, err);

    out->span = g->span;
    out->period = f->loop.period_ns;
    if (after)
        out->span.start = f->loop.span.end > g->span.start ? f->loop.span.end : g->span.start;
    else
        out->span.end = f->loop.span.start < g->span.end ? f->loop.span.start : g->span.end;
    for (size_t i = 0; st == PRVCUT_OK && i < in->sequences; i++) {
        const size_t n = i < f->calls.sequences ? f->calls.borders[i] : 0;
        size_t at;

        if (n > 0)
            at = f->calls.start[i][after ? n - 1 : 0];
        else
            at = div_call_after(&in->sequence[i], g->from[i], g->to[i],
                                after ? out->span.start : out->span.end);
        at = at < g->from[i] ? g->from[i] : at > g->to[i] ? g->to[i] : at;
        out->from[i] = after ? at : g->from[i];
        out->to[i] = after ? g->to[i] : at;
    }
    return st;
}

static double div_length(struct prvcut_span s)
{
    return s.end > s.start ? (double)(s.end - s.start) : 0;
}

static bool div_worth_searching(const struct divider *d, const struct gap *g)
{
    const double all = div_length(d->in->where.span), own = div_length(g->span);

    if (d->searches >= SEARCHES)
        return false;
    return own >= WORTH * all || (own >= WORTH_PERIODS * g->period && own >= WORTH_LEAST * all);
}

/* How far two periods are apart: a factor, 1 or more. */
static double div_apart(const struct prvcut_known_loop *a, const struct prvcut_known_loop *b)
{
    const double ratio = a->loop.median_ns / b->loop.median_ns;

    return ratio < 1 ? 1 / ratio : ratio;
}

/* The loop that this is again: by its calls, where these tell, else by its period. 0: it is new. */
static enum prvcut_status div_seen_before(unsigned *number, const struct divider *d,
                                          const struct prvcut_known_loop *f,
                                          struct prvcut_error *err)
{
    double nearest = AGAIN;

    *number = 0;
    for (size_t i = d->first; i < d->known->count; i++) {
        const struct prvcut_known_loop *k = &d->known->at[i];
        const struct prvcut_call_side a = { &k->calls, k->sequence },
                                      b = { &f->calls, f->sequence };
        bool same = div_apart(k, f) < 1 + SAME;

        if (k == f || k->number == 0 || div_apart(k, f) >= nearest ||
            (k->calls.sequences > 0) != (f->calls.sequences > 0))
            continue;
        if (f->calls.sequences > 0 && prvcut_call_loops_same(&same, &a, &b, err) < 0)
            return PRVCUT_ENOMEM;
        if (same) {
            nearest = div_apart(k, f);
            *number = k->number;
        }
    }
    return PRVCUT_OK;
}

/* number: of the loop that it is a part of; 0: to be found out, and left there */
static enum prvcut_status div_add_spell_of(struct divider *d, size_t which, unsigned *number,
                                           struct prvcut_error *err)
{
    struct prvcut_known_loop *f = &d->known->at[which];
    enum prvcut_status st = PRVCUT_OK;

    f->number = *number;
    if (f->number == 0)
        st = div_seen_before(&f->number, d, f, err);
    if (st == PRVCUT_OK && f->number == 0)
        f->number = ++*d->loops;
    *number = f->number;
    return st < 0 ? st : prvcut_divide_spell(&d->spells, which, f->loop.span, err);
}

static enum prvcut_status div_add_spell(struct divider *d, size_t which, struct prvcut_error *err)
{
    unsigned number = 0;

    return div_add_spell_of(d, which, &number, err);
}

/* The calls of iterations [from, to) of a loop, and their time. */
static enum prvcut_status div_gap_of_part(struct gap *out, const struct divider *d,
                                          const struct gap *g, const struct prvcut_known_loop *f,
                                          const size_t range[2], struct prvcut_error *err)
{
    const struct prvcut_search_input *in = &d->in->where;
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);
    enum prvcut_status st = div_gap_init(out, in->sequences, err);

    out->period = f->loop.period_ns;
    out->span.start = range[0] == 0 ? f->loop.span.start : border[range[0]];
    out->span.end = range[1] + 1 == borders ? f->loop.span.end : border[range[1]];
    for (size_t i = 0; st == PRVCUT_OK && i < in->sequences; i++) {
        const size_t n = i < f->calls.sequences ? f->calls.borders[i] : 0;

        if (n > range[1]) {
            out->from[i] = f->calls.start[i][range[0]];
            out->to[i] = f->calls.start[i][range[1]];
            continue;
        }
        out->from[i] = div_call_after(&in->sequence[i], g->from[i], g->to[i], out->span.start);
        out->to[i] = div_call_after(&in->sequence[i], g->from[i], g->to[i], out->span.end);
    }
    return st;
}

static enum prvcut_status div_search_gap(struct divider *d, const struct gap *g,
                                         struct prvcut_error *err);
static enum prvcut_status div_take(struct divider *d, const struct gap *g,
                                   struct prvcut_search *found,
                                   const struct prvcut_search_input *in, struct prvcut_error *err);

/* Search a stretch; owns: found is initialised, also after a failure */
static enum prvcut_status div_search(const struct divider *d, const struct prvcut_search_input *in,
                                     struct prvcut_search *found, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_search_find(found, in, d->run, err);

    return st < 0 || !d->in->trace ? st : prvcut_search_reach(found, in, d->in->trace, d->run, err);
}

/*
 * Where the period changes, the calls may have changed, too, and what both sides have in common is
 * less than what each has by itself: a part is searched again, and what it shows is preferred if it
 * explains (nearly) all of it and its period is not below `least`. Where it shows about as many
 * iterations as the part has, it is that loop, faster or slower.
 */
static enum prvcut_status div_search_part(struct divider *d, const struct gap *g, double least,
                                          double iterations, bool *done, struct prvcut_error *err)
{
    struct prvcut_search_input in = d->in->where;
    struct prvcut_search found;
    enum prvcut_status st;

    *done = false;
    if (d->searches >= SEARCHES)
        return PRVCUT_OK;
    d->searches++;
    in.span = g->span;
    in.from = g->from;
    in.to = g->to;
    in.period_ns = 0;
    st = div_search(d, &in, &found, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_believe(done, &found, &in, MOST, err);
    *done = *done && found.loop.period_ns >= least &&
            fabs(found.loop.iterations - iterations) > LIKE * iterations + 1;
    if (st == PRVCUT_OK && *done) {
        d->parts++;
        st = div_take(d, g, &found, &in, err);
        d->parts--;
    }
    prvcut_search_fini(&found);
    return st;
}

/* The parts of a loop whose period changes at some iterations. */
static enum prvcut_status div_add_parts(struct divider *d, const struct gap *g, size_t which,
                                        const size_t *change, size_t changes,
                                        struct prvcut_error *err)
{
    size_t done = 0;
    unsigned number = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i <= changes && st == PRVCUT_OK; i++) {
        struct gap part = { .from = NULL };
        size_t borders, own, next = which;
        bool found = false;

        prvcut_known_loop_borders(&d->known->at[which], &borders);
        own = i < changes ? change[i] - done : borders - 1;
        st = div_gap_of_part(&part, d, g, &d->known->at[which], (size_t[2]){ 0, own }, err);
        if (st == PRVCUT_OK && i < changes) {
            next = d->known->count;
            st = prvcut_known_loops_split(d->known, which, change[i] - done, err);
            done = change[i];
        }
        if (st == PRVCUT_OK)
            st = div_search_part(d, &part, 0, (double)own, &found, err);
        if (st == PRVCUT_OK && !found)
            st = div_add_spell_of(d, which, &number, err);
        div_gap_fini(&part);
        which = next;
    }
    return st;
}

/* The first iterations, at most HEAD, each of which is much longer than any after them. */
static size_t div_long_head(const uint64_t *border, size_t borders)
{
    uint64_t longest = 0;

    if (borders < HEAD + 4)
        return 0;
    for (size_t k = HEAD; k + 1 < borders; k++)
        longest = border[k + 1] - border[k] > longest ? border[k + 1] - border[k] : longest;
    for (size_t head = HEAD; head > 0; head--) {
        const uint64_t own = border[head] - border[head - 1];
        uint64_t shortest = own;

        for (size_t k = 0; k < head; k++)
            shortest = border[k + 1] - border[k] < shortest ? border[k + 1] - border[k] : shortest;
        if ((double)shortest > AGAIN * (double)longest)
            return head;
        longest = own > longest ? own : longest;
    }
    return 0;
}

/*
 * What comes before a loop may be another one that shares some calls with it: several of its
 * iterations then look like one that is far too long. An inner loop is in all iterations, and has a
 * shorter period than theirs; what is sought has a longer one.
 */
static enum prvcut_status div_add_headed(struct divider *d, const struct gap *g, size_t which,
                                         size_t head, struct prvcut_error *err)
{
    const double least = (1 + SAME) * d->known->at[which].loop.median_ns;
    struct gap part;
    bool found = false;
    size_t rest = which;
    enum prvcut_status st =
        div_gap_of_part(&part, d, g, &d->known->at[which], (size_t[2]){ 0, head }, err);

    if (st == PRVCUT_OK && div_length(part.span) >= WORTH * div_length(d->in->where.span))
        st = div_search_part(d, &part, least, 0, &found, err);
    if (st == PRVCUT_OK && found) {
        rest = d->known->count;
        st = prvcut_known_loops_split(d->known, which, head, err);
    }
    div_gap_fini(&part);
    return st < 0 ? st : div_add_spell(d, rest, err);
}

/* One spell, or several where the period changes for good. */
static enum prvcut_status div_add_spells(struct divider *d, const struct gap *g, size_t which,
                                         struct prvcut_error *err)
{
    const struct prvcut_search_input *in = &d->in->where;
    size_t borders, *change = NULL, changes = 0;
    const uint64_t *border = prvcut_known_loop_borders(&d->known->at[which], &borders);
    const size_t head = d->parts == 0 ? div_long_head(border, borders) : 0;
    enum prvcut_status st = PRVCUT_OK;

    if (borders > 2 && d->parts == 0)
        st = prvcut_lengths_changes(&change, &changes, border, borders, in->mask, in->masks, err);
    if (st == PRVCUT_OK && changes > 0)
        st = div_add_parts(d, g, which, change, changes, err);
    else if (st == PRVCUT_OK && head > 0)
        st = div_add_headed(d, g, which, head, err);
    else if (st == PRVCUT_OK)
        st = div_add_spell(d, which, err);
    free(change);
    return st;
}

/* A loop was found in a stretch: what is before it, itself, what is after it. */
static enum prvcut_status div_take(struct divider *d, const struct gap *g,
                                   struct prvcut_search *found,
                                   const struct prvcut_search_input *in, struct prvcut_error *err)
{
    struct gap before = { .from = NULL }, after = { .from = NULL };
    const size_t which = d->known->count;
    enum prvcut_status st = prvcut_known_loops_add(d->known, found, in, err);

    if (st == PRVCUT_OK)
        st = div_gap_beside(&before, d, g, &d->known->at[which], false, err);
    if (st == PRVCUT_OK)
        st = div_gap_beside(&after, d, g, &d->known->at[which], true, err);
    if (st == PRVCUT_OK)
        st = div_search_gap(d, &before, err);
    if (st == PRVCUT_OK)
        st = div_add_spells(d, g, which, err);
    if (st == PRVCUT_OK)
        st = div_search_gap(d, &after, err);
    div_gap_fini(&before);
    div_gap_fini(&after);
    return st;
}

static enum prvcut_status div_search_gap(struct divider *d, const struct gap *g,
                                         struct prvcut_error *err)
{
    struct prvcut_search_input in = d->in->where;
    struct prvcut_search found;
    bool believed = false;
    enum prvcut_status st;

    if (!div_worth_searching(d, g))
        return PRVCUT_OK;
    d->searches++;
    in.span = g->span;
    in.from = g->from;
    in.to = g->to;
    in.period_ns = 0;
    st = div_search(d, &in, &found, err);
    if (st == PRVCUT_OK)
        st =
            prvcut_search_believe(&believed, &found, &in,
                                  SPELL * div_length(d->in->where.span) / div_length(g->span), err);
    if (st == PRVCUT_OK && believed)
        st = div_take(d, g, &found, &in, err);
    prvcut_search_fini(&found);
    return st;
}

static enum prvcut_status div_take_first(struct divider *d, struct prvcut_search *first,
                                         struct prvcut_error *err)
{
    const struct prvcut_search_input *in = &d->in->where;
    struct gap all = { .span = in->span };
    enum prvcut_status st = div_gap_init(&all, in->sequences, err);

    for (size_t i = 0; st == PRVCUT_OK && i < in->sequences; i++) {
        all.from[i] = in->from ? in->from[i] : 0;
        all.to[i] = in->to ? in->to[i] : in->sequence[i].count;
    }
    if (st == PRVCUT_OK)
        st = div_take(d, &all, first, in, err);
    div_gap_fini(&all);
    return st;
}

enum prvcut_status prvcut_divide(struct prvcut_division *out, struct prvcut_known_loops *known,
                                 const struct prvcut_divide_input *in, struct prvcut_search *first,
                                 const struct prvcut_run *run, struct prvcut_error *err)
{
    unsigned loops = 0;
    struct divider d = {
        .in = in, .run = run, .known = known, .first = known->count, .loops = &loops
    };
    enum prvcut_status st = PRVCUT_OK;

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < known->count; i++)
        if (known->at[i].number > loops)
            loops = known->at[i].number;
    if (first->loop.found)
        st = div_take_first(&d, first, err);
    if (st == PRVCUT_OK)
        st = prvcut_divide_pieces(out, known, in, &d.spells, err);
    free(d.spells.at);
    return st;
}

void prvcut_region_fini(struct made_region *r)
{
    free(r->vote);
    free(r->is.border);
    for (size_t i = 0; r->cause && i < r->is.outliers; i++)
        free(r->cause[i]);
    free(r->cause);
    free(r->outlier);
    free(r->departure);
    free(r->nest);
}

void prvcut_division_fini(struct prvcut_division *d)
{
    for (size_t i = 0; i < d->regions; i++)
        prvcut_region_fini(&d->region[i]);
    prvcut_stretches_free(d->stretch, d->stretches);
    free(d->region);
    free(d->loop);
    memset(d, 0, sizeof *d);
}
