#include "analysis/patterns/choose.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Of the thread's calls that the outermost loop holds at least; fewer will do, where it has a few
   iterations more and most of the time. */
#define COVER      0.5
#define COVER_LESS 0.25
#define TIME_MUCH  0.5
#define COUNT_MORE 5u
/* What takes less of the time is of the set-up, however many calls it makes. */
#define TIME_LEAST 0.02
/* A loop whose body stands elsewhere, too, with one in so many calls, is an inner one. */
#define ELSEWHERE 4u
/* An alphabet whose iteration is so much longer is better, if it covers so much of the best. */
#define LONGER 1.5
#define NEARLY 0.75

enum pat_miss pat_fit_misses(const struct pat_fit *f, const struct pat_thread *t)
{
    const struct pat_outermost *o = &f->loop;
    const uint64_t all = t->call[t->calls - 1].end - t->call[0].begin;

    if (all > 0 && f->time < TIME_LEAST)
        return PAT_MISS_TIME;
    if (f->cover < COVER && (o->count < COUNT_MORE || f->cover < COVER_LESS || f->time < TIME_MUCH))
        return PAT_MISS_CALLS;
    return ELSEWHERE * o->others >= o->calls * o->count ? PAT_MISS_ALONE : PAT_MISS_NOTHING;
}

struct pat_fit pat_fit_of(const struct pat_nest *n, const struct pat_thread *t)
{
    struct pat_fit f = { .loop = pat_nest_outermost(n) };
    const struct pat_outermost *o = &f.loop;
    const uint64_t calls = o->calls * o->count;
    uint64_t all;

    if (o->at == SIZE_MAX || t->calls == 0)
        return f;
    all = t->call[t->calls - 1].end - t->call[0].begin;
    f.cover = (double)calls / (double)t->calls;
    f.time = (double)(pat_border(t, o->first + calls) - pat_border(t, o->first)) /
             (double)(all > 0 ? all : 1);
    f.outermost = pat_fit_misses(&f, t) == PAT_MISS_NOTHING;
    return f;
}

bool pat_alphabet_adds(const struct pat_thread *t, enum pat_alphabet alphabet)
{
    static const enum pat_alphabet coarser[PAT_ALPHABETS] = { [PAT_CALL] = PAT_CALL,
                                                              [PAT_PARTNER] = PAT_CALL,
                                                              [PAT_SIZE] = PAT_PARTNER,
                                                              [PAT_SITE] = PAT_CALL,
                                                              [PAT_ALL] = PAT_SIZE };

    return alphabet == PAT_CALL || t->different[alphabet] > t->different[coarser[alphabet]];
}

void pat_symbols(const struct pat_thread *t, enum pat_alphabet alphabet, uint32_t *out)
{
    for (size_t i = 0; i < t->calls; i++)
        out[i] = pat_symbol_of(t, i, alphabet);
}

/* Of alphabets the one with the best cover, in steps of a hundredth; the coarsest of equals. */
static enum pat_alphabet cho_best(const struct pat_fit fit[PAT_ALPHABETS], double least_cover,
                                  double least_calls)
{
    enum pat_alphabet best = PAT_NONE;

    for (unsigned a = 0; a < PAT_ALPHABETS; a++) {
        if (!fit[a].outermost || fit[a].cover < least_cover ||
            (double)fit[a].loop.calls < least_calls)
            continue;
        if (best == PAT_NONE || lrint(100 * fit[a].cover) > lrint(100 * fit[best].cover))
            best = (enum pat_alphabet)a;
    }
    return best;
}

static enum pat_alphabet cho_of(const struct pat_fit fit[PAT_ALPHABETS])
{
    double most = 0;
    enum pat_alphabet now, next;

    for (unsigned a = 0; a < PAT_ALPHABETS; a++)
        most = fit[a].outermost && fit[a].cover > most ? fit[a].cover : most;
    next = cho_best(fit, NEARLY * most, 0);
    do {
        now = next;
        if (now != PAT_NONE)
            next = cho_best(fit, NEARLY * most, LONGER * (double)fit[now].loop.calls);
    } while (now != PAT_NONE && next != PAT_NONE);
    return now;
}

enum prvcut_status pat_choose(const struct pat_thread *t, enum pat_alphabet only,
                              enum pat_alphabet *out, struct pat_fit *how, struct prvcut_error *err)
{
    uint32_t *symbol = prvcut_unset(t->calls, sizeof *symbol, "calls", err);
    struct pat_fit fit[PAT_ALPHABETS] = { { .outermost = false } };
    struct pat_nest n;
    enum prvcut_status st = symbol ? PRVCUT_OK : PRVCUT_ENOMEM;

    pat_nest_init(&n);
    for (unsigned a = 0; a < PAT_ALPHABETS && st == PRVCUT_OK; a++) {
        if (only != PAT_NONE ? a != only : !pat_alphabet_adds(t, (enum pat_alphabet)a))
            continue;
        pat_symbols(t, (enum pat_alphabet)a, symbol);
        st = pat_nest_make(&n, symbol, t->calls, err);
        if (st == PRVCUT_OK)
            fit[a] = pat_fit_of(&n, t);
    }
    *out = cho_of(fit);
    if (how)
        *how = *out != PAT_NONE ? fit[*out] : (struct pat_fit){ .outermost = false };
    pat_nest_fini(&n);
    free(symbol);
    return st;
}

enum pat_alphabet pat_majority(const enum pat_alphabet *vote, size_t votes)
{
    unsigned count[PAT_ALPHABETS + 1] = { 0 };
    enum pat_alphabet best = PAT_NONE;

    for (size_t i = 0; i < votes; i++)
        count[vote[i]]++;
    for (unsigned a = 0; a < PAT_ALPHABETS; a++)
        if (count[a] > 0 && (best == PAT_NONE || count[a] >= count[best]))
            best = (enum pat_alphabet)a;
    return best;
}
