#include "structure/steps.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/table.h"
#include "structure/call_grams.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* So much of an iteration may the same step begin earlier or later on another thread, in the mean:
   else it is another place of the program. */
#define APART 0.2
/* As many steps of about the same length they must be worth: less than that they are nearly one. */
#define LEAST 1.2
/* So many iterations with the same number of steps tell how many an iteration has: then the first
   and the last one may be a part of one. */
#define SAME_LEAST 3

/* A call that begins a row of like calls inside an iteration. */
struct stp_symbol {
    uint64_t hash;
    uint32_t at; /* index of the call */
};

/* Calls of one symbol. */
struct stp_kind {
    uint64_t hash;
    uint64_t count;
    uint64_t next; /* place of its next call; nowhere: they can be no comb */
};

static const uint64_t nowhere = UINT64_MAX;

/* One thread that follows the loop. */
struct stp_thread {
    const struct prvcut_call_sequence *in;
    const uint64_t *border;    /* [iterations + 1] */
    size_t *first;             /* [iterations + 1] index of the call that each border is; owned */
    struct stp_symbol *symbol; /* [symbols] of combs, by hash, then at; owned */
    size_t symbols;
};

/* A loop may begin, or end, inside an iteration. */
struct stp_end {
    size_t count; /* occurrences that are used */
    bool whole;   /* as many as in all others */
};

/* A symbol that comes equally often in each iteration of a thread. */
struct stp_comb {
    const struct stp_symbol *at; /* of the first iteration, then of the others; NULL: it does not */
    size_t before, each;         /* in the first iteration; in those after it */
    struct stp_end first, last;
};

/* How calls are told apart. */
struct stp_alphabet {
    struct call_alphabet of;
    bool before; /* by the call before them, too */
    bool all;    /* those in a row that are alike, too */
    bool polls;  /* what only asks whether something has come is a call, too, but begins no step */
};

static const struct stp_alphabet stp_alphabets[] = {
    { .of = { .size = false } },
    { .of = { .size = true } },
    { .before = true },
    { .of = { .size = true }, .before = true },
    { .polls = true },
    { .before = true, .polls = true },
    { .all = true },
    { .of = { .size = true }, .all = true },
};

#define ALPHABETS (sizeof stp_alphabets / sizeof *stp_alphabets)

struct stp_search {
    struct stp_thread *thread; /* [threads]; the first one leads */
    size_t threads, iterations, most;
    struct prvcut_table kinds;  /* struct stp_kind */
    struct stp_symbol *scratch; /* [room]; owned */
    size_t room;
    const struct stp_alphabet *listed;   /* what symbols of all but the leader are of */
    const struct stp_alphabet *alphabet; /* of the best; NULL: none so far */
    uint64_t hash;
    double score;
};

/* --- Symbols ---------------------------------------------------------------------------------- */

static int stp_order(const void *x, const void *y)
{
    const struct stp_kind *a = x, *b = y;

    return (a->hash > b->hash) - (a->hash < b->hash);
}

/* May so many be equally often in each iteration, whatever the first and the last one have? */
static bool stp_may_comb(const struct stp_search *s, uint64_t count)
{
    return (s->iterations > 2 ? count + 2 >= s->iterations : count % s->iterations == 0) &&
           count / s->iterations < s->most;
}

/* Where the calls of each symbol begin, in the order of their hashes; without those that do not
   come equally often in each iteration, or too often. Returns how many calls are left. */
static enum prvcut_status stp_place_kinds(struct stp_search *s, size_t *left,
                                          struct prvcut_error *err)
{
    struct stp_kind *order = prvcut_unset(s->kinds.count + 1, sizeof *order, "calls", err);

    *left = 0;
    if (!order)
        return PRVCUT_ENOMEM;
    if (s->kinds.count > 0)
        memcpy(order, s->kinds.at, s->kinds.count * sizeof *order);
    qsort(order, s->kinds.count, sizeof *order, stp_order);
    for (size_t i = 0; i < s->kinds.count; i++) {
        struct stp_kind *k = prvcut_table_find(&s->kinds, &order[i].hash);
        const bool comb = stp_may_comb(s, k->count);

        k->next = comb ? *left : nowhere;
        *left += comb ? k->count : 0;
    }
    free(order);
    return PRVCUT_OK;
}

/* By hash, then at: few symbols have many calls each. */
static enum prvcut_status stp_sort(struct stp_search *s, struct stp_thread *t,
                                   struct prvcut_error *err)
{
    size_t left;

    if (prvcut_grow((void **)&s->scratch, &s->room, t->symbols + 1, sizeof *s->scratch, err) < 0)
        return PRVCUT_ENOMEM;
    prvcut_table_clear(&s->kinds);
    for (size_t i = 0; i < t->symbols; i++) {
        struct stp_kind *k = prvcut_table_make(&s->kinds, &t->symbol[i].hash, err);

        if (!k)
            return PRVCUT_ENOMEM;
        k->count++;
    }
    if (stp_place_kinds(s, &left, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < t->symbols; i++) {
        struct stp_kind *k = prvcut_table_find(&s->kinds, &t->symbol[i].hash);

        if (k->next != nowhere)
            s->scratch[k->next++] = t->symbol[i];
    }
    memcpy(t->symbol, s->scratch, left * sizeof *t->symbol);
    t->symbols = left;
    return PRVCUT_OK;
}

static enum prvcut_status stp_list(struct stp_search *s, struct stp_thread *t,
                                   const struct stp_alphabet *a, struct prvcut_error *err)
{
    uint64_t last = 0;
    size_t k = 0;

    t->symbols = 0;
    for (size_t i = t->first[0]; i < t->first[s->iterations]; i++) {
        const struct prvcut_call *c = &t->in->at[i];
        const uint64_t own = prvcut_call_symbol(c, &a->of);
        const bool border = i == t->first[k], polls = prvcut_call_polls(c->call);

        k += border;
        if (polls && !a->polls)
            continue;
        if ((own != last || a->all) && !border && !polls)
            t->symbol[t->symbols++] =
                (struct stp_symbol){ a->before ? prvcut_call_symbol_after(own, last) : own,
                                     (uint32_t)i };
        last = own;
    }
    return stp_sort(s, t, err);
}

static struct stp_end stp_end(size_t count, size_t each)
{
    return (struct stp_end){ count < each ? count : each, count == each };
}

/* Are iterations that have the same number as many as tell it? */
static bool stp_is_comb(const struct stp_comb *c, size_t iterations)
{
    const size_t inner = iterations > 2 ? iterations - 2 : 0;
    const size_t same = inner + c->first.whole + c->last.whole;

    return c->each > 0 && (same == iterations || same >= SAME_LEAST);
}

/* How often is it in each iteration? */
static struct stp_comb stp_comb_of(const struct stp_thread *t, size_t iterations, uint64_t hash)
{
    const size_t low = prvcut_lower_u64(t->symbol, t->symbols, sizeof *t->symbol,
                                        offsetof(struct stp_symbol, hash), hash);
    struct stp_comb c = { .at = NULL };
    size_t count = 0;

    for (size_t i = low, k = 0; k < iterations; k++) {
        for (count = 0;
             i < t->symbols && t->symbol[i].hash == hash && t->symbol[i].at < t->first[k + 1]; i++)
            count++;
        if (k == 0)
            c.before = count;
        if (k == 1)
            c.each = count;
        if (k > 0 && k + 1 < iterations && count != c.each)
            return c;
    }
    c.each = iterations > 1 ? c.each : count;
    c.first = stp_end(c.before, c.each);
    c.last = stp_end(count, c.each);
    if (stp_is_comb(&c, iterations))
        c.at = &t->symbol[low];
    return c;
}

/* The n-th occurrence in an iteration; in the first one the last first.count are used. */
static const struct stp_symbol *stp_at(const struct stp_comb *c, size_t k, size_t n)
{
    return k > 0 ? c->at + c->before + (k - 1) * c->each + n
                 : c->at + c->before - c->first.count + n;
}

/* Those iterations that have all of them. */
static size_t stp_first_whole(const struct stp_comb *c)
{
    return c->first.whole ? 0 : 1;
}

static size_t stp_last_whole(const struct stp_comb *c, size_t iterations)
{
    return c->last.whole ? iterations : iterations - 1;
}

/* --- How good they are ------------------------------------------------------------------------ */

/* When an occurrence comes, in iterations of another thread since that one's began. */
static double stp_phase_in(const struct stp_thread *of, const struct stp_thread *t,
                           const struct stp_comb *c, size_t k, size_t n)
{
    const double time = (double)t->in->at[stp_at(c, k, n)->at].time;

    return (time - (double)of->border[k]) / fmax(1, (double)(of->border[k + 1] - of->border[k]));
}

/* How many steps of equal length would divide the iteration as finely; twice as many must be worth
   a fifth more. */
static double stp_score(const struct stp_thread *t, const struct stp_comb *c, size_t iterations)
{
    const size_t first = stp_first_whole(c), last = stp_last_whole(c, iterations);
    double squares = 0;

    for (size_t k = first; k < last; k++) {
        double before = 0;

        for (size_t n = 0; n < c->each; n++) {
            const double at = stp_phase_in(t, t, c, k, n);

            squares += (at - before) * (at - before);
            before = at;
        }
        squares += (1 - before) * (1 - before);
    }
    squares /= (double)(last - first);
    return 1 / (squares * sqrt(sqrt((double)(c->each + 1))));
}

/* Is the same place of the iteration meant on another thread? There it comes at the same time, or
   as long after the thread's own border: some wait at that for others. */
static bool stp_goes_along(const struct stp_search *s, const struct stp_comb *lead, uint64_t hash,
                           const struct stp_thread *t)
{
    const struct stp_thread *leader = &s->thread[0];
    const struct stp_comb c = stp_comb_of(t, s->iterations, hash);
    const bool begins = lead->first.whole && c.first.whole, ends = lead->last.whole && c.last.whole;
    const size_t last = ends ? s->iterations : s->iterations - 1;
    double own = 0, same = 0, count = 0;

    if (!c.at || c.each != lead->each)
        return false;
    for (size_t k = begins ? 0 : 1; k < last; k++)
        for (size_t n = 0; n < c.each; n++, count++) {
            const double at = stp_phase_in(leader, leader, lead, k, n);

            own += fabs(stp_phase_in(t, t, &c, k, n) - at);
            same += fabs(stp_phase_in(leader, t, &c, k, n) - at);
        }
    return fmin(own, same) <= APART * count;
}

/* The other threads are looked at only where the leader shows something better. */
static enum prvcut_status stp_list_others(struct stp_search *s, const struct stp_alphabet *a,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 1; i < s->threads && s->listed != a && st == PRVCUT_OK; i++)
        st = stp_list(s, &s->thread[i], a, err);
    s->listed = a;
    return st;
}

static enum prvcut_status stp_try(struct stp_search *s, const struct stp_alphabet *a, uint64_t hash,
                                  struct prvcut_error *err)
{
    const struct stp_comb lead = stp_comb_of(&s->thread[0], s->iterations, hash);
    double score;

    if (!lead.at || lead.each >= s->most)
        return PRVCUT_OK;
    score = stp_score(&s->thread[0], &lead, s->iterations);
    if (score <= s->score)
        return PRVCUT_OK;
    if (stp_list_others(s, a, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 1; i < s->threads; i++)
        if (!stp_goes_along(s, &lead, hash, &s->thread[i]))
            return PRVCUT_OK;
    s->alphabet = a;
    s->hash = hash;
    s->score = score;
    return PRVCUT_OK;
}

static enum prvcut_status stp_try_all(struct stp_search *s, struct prvcut_error *err)
{
    struct stp_thread *t = &s->thread[0];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; k < ALPHABETS && st == PRVCUT_OK; k++) {
        st = stp_list(s, t, &stp_alphabets[k], err);
        for (size_t i = 0; i < t->symbols && st == PRVCUT_OK; i++)
            if (i == 0 || t->symbol[i].hash != t->symbol[i - 1].hash)
                st = stp_try(s, &stp_alphabets[k], t->symbol[i].hash, err);
    }
    return st;
}

/* --- Borders ---------------------------------------------------------------------------------- */

/* What all threads have of the first and the last iteration. */
static void stp_meet(struct stp_end *a, const struct stp_end *b)
{
    a->whole = a->whole && b->whole;
    a->count = b->count < a->count ? b->count : a->count;
}

static struct stp_comb stp_common(const struct stp_search *s)
{
    struct stp_comb all = stp_comb_of(&s->thread[0], s->iterations, s->hash);

    for (size_t i = 1; i < s->threads; i++) {
        const struct stp_comb c = stp_comb_of(&s->thread[i], s->iterations, s->hash);

        stp_meet(&all.first, &c.first);
        stp_meet(&all.last, &c.last);
    }
    return all;
}

static enum prvcut_status stp_lay(struct prvcut_steps *out, const struct stp_search *s, size_t i,
                                  size_t sequence, const struct stp_comb *all,
                                  struct prvcut_error *err)
{
    const struct stp_thread *t = &s->thread[i];
    struct stp_comb c = stp_comb_of(t, s->iterations, s->hash);
    const size_t borders = prvcut_steps_before(out, s->iterations) + 1;
    uint64_t *border = prvcut_unset(borders + 1, sizeof *border, "borders", err);

    out->calls.border[sequence] = border;
    if (!border)
        return PRVCUT_ENOMEM;
    c.first = all->first;
    c.last = all->last;
    for (size_t k = 0; k < s->iterations; k++) {
        const size_t count = k == 0                   ? c.first.count
                             : k + 1 == s->iterations ? c.last.count
                                                      : c.each;

        if (k > 0 || c.first.whole)
            *border++ = t->border[k];
        for (size_t n = 0; n < count; n++)
            *border++ = t->in->at[stp_at(&c, k, n)->at].time;
    }
    if (c.last.whole)
        *border = t->border[s->iterations];
    out->calls.borders[sequence] = borders;
    return PRVCUT_OK;
}

static enum prvcut_status stp_lay_all(struct prvcut_steps *out, struct stp_search *s,
                                      const struct prvcut_call_loop *l, struct prvcut_error *err)
{
    enum prvcut_status st = stp_list(s, &s->thread[0], s->alphabet, err);
    struct stp_comb all;

    if (st == PRVCUT_OK)
        st = stp_list_others(s, s->alphabet, err);
    if (st < 0)
        return st;
    all = stp_common(s);
    out->iterations = s->iterations;
    out->each = (unsigned)all.each + 1;
    out->first = all.first.whole ? out->each : (unsigned)all.first.count;
    out->last = all.last.whole ? out->each : (unsigned)all.last.count;
    out->calls = (struct prvcut_call_loop){ .loop = l->loop,
                                            .alphabet = l->alphabet,
                                            .calls_per_iteration = l->calls_per_iteration,
                                            .followers = l->followers,
                                            .sequences = l->sequences,
                                            .separated = l->separated };
    out->calls.loop.period_ns /= out->each;
    out->calls.loop.median_ns /= out->each;
    out->calls.loop.iterations *= out->each;
    out->calls.border = prvcut_zeroed(l->sequences, sizeof *out->calls.border, "sequences", err);
    out->calls.borders = prvcut_zeroed(l->sequences, sizeof *out->calls.borders, "sequences", err);
    if (!out->calls.border || !out->calls.borders)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0, n = 0; i < l->sequences && st == PRVCUT_OK; i++)
        if (l->borders[i] > 0)
            st = stp_lay(out, s, n++, i, &all, err);
    return st;
}

/* --- All -------------------------------------------------------------------------------------- */

static enum prvcut_status stp_thread_new(struct stp_thread *t, const uint64_t *border,
                                         size_t borders, const struct prvcut_call_sequence *in,
                                         struct prvcut_error *err)
{
    *t = (struct stp_thread){ .in = in, .border = border };
    t->first = prvcut_unset(borders + 1, sizeof *t->first, "borders", err);
    t->symbol = prvcut_unset(in->count + 1, sizeof *t->symbol, "calls", err);
    if (!t->first || !t->symbol)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < borders; k++)
        t->first[k] = prvcut_lower_u64(in->at, in->count, sizeof *in->at,
                                       offsetof(struct prvcut_call, time), border[k]);
    return PRVCUT_OK;
}

/* The threads that follow; their number of borders is one and the same. */
static enum prvcut_status stp_threads(struct stp_search *s, const struct prvcut_call_loop *l,
                                      const struct prvcut_call_sequence *in,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    s->thread = prvcut_zeroed(l->sequences + 1, sizeof *s->thread, "threads", err);
    if (!s->thread)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < l->sequences && st == PRVCUT_OK; i++) {
        if (l->borders[i] < 2)
            continue;
        s->iterations = l->borders[i] - 1;
        st = stp_thread_new(&s->thread[s->threads++], l->border[i], l->borders[i], &in[i], err);
    }
    return st;
}

unsigned prvcut_steps_of(const struct prvcut_steps *s, size_t iteration)
{
    return iteration == 0 ? s->first : iteration + 1 == s->iterations ? s->last : s->each;
}

size_t prvcut_steps_before(const struct prvcut_steps *s, size_t iteration)
{
    const size_t inner = iteration < s->iterations ? iteration : s->iterations - 1;

    return iteration == 0
               ? 0
               : s->first + (inner - 1) * s->each + (iteration < s->iterations ? 0 : s->last);
}

enum prvcut_status prvcut_steps_find(struct prvcut_steps *out, const struct prvcut_call_loop *l,
                                     const struct prvcut_call_sequence *in, unsigned most,
                                     struct prvcut_error *err)
{
    struct stp_search s = { .most = most,
                            .score = LEAST,
                            .kinds = PRVCUT_TABLE(struct stp_kind, count, "calls") };
    enum prvcut_status st = stp_threads(&s, l, in, err);

    *out = (struct prvcut_steps){ .each = 0 };
    if (st == PRVCUT_OK && s.threads > 0)
        st = stp_try_all(&s, err);
    if (st == PRVCUT_OK && s.alphabet)
        st = stp_lay_all(out, &s, l, err);
    for (size_t i = 0; s.thread && i < s.threads; i++) {
        free(s.thread[i].first);
        free(s.thread[i].symbol);
    }
    free(s.thread);
    free(s.scratch);
    prvcut_table_fini(&s.kinds);
    if (st < 0) {
        prvcut_call_loop_fini(&out->calls);
        out->each = 0;
    }
    return st;
}
