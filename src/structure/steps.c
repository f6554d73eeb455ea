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

/* A symbol that comes equally often in each iteration of a thread: as many times, one after the
   other. */
struct stp_comb {
    const struct stp_symbol *at; /* [each * iterations]; NULL: it does not */
    size_t each;
};

/* How calls are told apart. */
struct stp_alphabet {
    struct call_alphabet of;
    bool before; /* by the call before them, too */
    bool polls;  /* what only asks whether something has come is a call, too, but begins no step */
};

static const struct stp_alphabet stp_alphabets[] = {
    { { false, false, false }, false, false }, { { false, true, false }, false, false },
    { { false, false, false }, true, false },  { { false, true, false }, true, false },
    { { false, false, false }, false, true },  { { false, false, false }, true, true },
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
        const bool comb = k->count % s->iterations == 0 && k->count / s->iterations < s->most;

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
        if (own != last && !border && !polls)
            t->symbol[t->symbols++] =
                (struct stp_symbol){ a->before ? prvcut_call_symbol_after(own, last) : own,
                                     (uint32_t)i };
        last = own;
    }
    return stp_sort(s, t, err);
}

/* Do occurrences that follow each other belong to iterations that do, as many to each? */
static struct stp_comb stp_comb_of(const struct stp_thread *t, size_t iterations, uint64_t hash)
{
    const size_t low = prvcut_lower_u64(t->symbol, t->symbols, sizeof *t->symbol,
                                        offsetof(struct stp_symbol, hash), hash);
    struct stp_comb c = { .at = NULL };
    size_t count = 0;

    while (low + count < t->symbols && t->symbol[low + count].hash == hash)
        count++;
    c.each = count / iterations;
    if (c.each == 0 || count % iterations != 0)
        return c;
    for (size_t i = 0; i < count; i++) {
        const size_t at = t->symbol[low + i].at, k = i / c.each;

        if (at <= t->first[k] || at >= t->first[k + 1])
            return c;
    }
    c.at = &t->symbol[low];
    return c;
}

/* --- How good they are ------------------------------------------------------------------------ */

/* When an occurrence comes, in iterations of another thread since that one's began. */
static double stp_phase_in(const struct stp_thread *of, const struct stp_thread *t,
                           const struct stp_comb *c, size_t i)
{
    const size_t k = i / c->each;
    const double time = (double)t->in->at[c->at[i].at].time;

    return (time - (double)of->border[k]) / fmax(1, (double)(of->border[k + 1] - of->border[k]));
}

/* How many steps of equal length would divide the iteration as finely; twice as many must be worth
   a fifth more. */
static double stp_score(const struct stp_thread *t, const struct stp_comb *c, size_t iterations)
{
    double squares = 0;

    for (size_t i = 0; i < c->each * iterations; i++) {
        const double at = stp_phase_in(t, t, c, i);
        const double before = i % c->each > 0 ? stp_phase_in(t, t, c, i - 1) : 0;

        squares += (at - before) * (at - before);
        if ((i + 1) % c->each == 0)
            squares += (1 - at) * (1 - at);
    }
    squares /= (double)iterations;
    return 1 / (squares * sqrt(sqrt((double)(c->each + 1))));
}

/* Is the same place of the iteration meant on another thread? There it comes at the same time, or
   as long after the thread's own border: some wait at that for others. */
static bool stp_goes_along(const struct stp_search *s, const struct stp_comb *lead, uint64_t hash,
                           const struct stp_thread *t)
{
    const struct stp_thread *leader = &s->thread[0];
    const struct stp_comb c = stp_comb_of(t, s->iterations, hash);
    const size_t count = lead->each * s->iterations;
    double own = 0, same = 0;

    if (!c.at || c.each != lead->each)
        return false;
    for (size_t i = 0; i < count; i++) {
        const double at = stp_phase_in(leader, leader, lead, i);

        own += fabs(stp_phase_in(t, t, &c, i) - at);
        same += fabs(stp_phase_in(leader, t, &c, i) - at);
    }
    return fmin(own, same) <= APART * (double)count;
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

static enum prvcut_status stp_lay(struct prvcut_steps *out, const struct stp_search *s, size_t i,
                                  size_t sequence, struct prvcut_error *err)
{
    const struct stp_thread *t = &s->thread[i];
    const struct stp_comb c = stp_comb_of(t, s->iterations, s->hash);
    uint64_t *border = prvcut_unset(out->each * s->iterations + 1, sizeof *border, "borders", err);

    out->calls.border[sequence] = border;
    if (!border)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < s->iterations; k++) {
        *border++ = t->border[k];
        for (size_t n = 0; n < c.each; n++)
            *border++ = t->in->at[c.at[k * c.each + n].at].time;
    }
    *border = t->border[s->iterations];
    out->calls.borders[sequence] = out->each * s->iterations + 1;
    return PRVCUT_OK;
}

static enum prvcut_status stp_lay_all(struct prvcut_steps *out, struct stp_search *s,
                                      const struct prvcut_call_loop *l, struct prvcut_error *err)
{
    enum prvcut_status st = stp_list(s, &s->thread[0], s->alphabet, err);

    if (st == PRVCUT_OK)
        st = stp_list_others(s, s->alphabet, err);
    if (st < 0)
        return st;
    out->each = (unsigned)stp_comb_of(&s->thread[0], s->iterations, s->hash).each + 1;
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
            st = stp_lay(out, s, n++, i, err);
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
