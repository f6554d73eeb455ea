#include "analysis/patterns/witness.h"

/* Counts that are no farther apart are of one loop: ends are found by different rules. */
#define APART 1.5

/* Of a thread's calls that an exact loop holds; how many times as many the structure's must hold.
 */
#define STRONG 0.7
#define MORE   1.25

bool pat_fit_is_strong(const struct pat_fit *exact)
{
    return exact->outermost && exact->cover >= STRONG;
}

enum prvcut_status pat_given_holds_more(bool *out, const struct pat_fit *exact,
                                        const struct pat_given *given, const struct pat_thread *t,
                                        struct prvcut_error *err)
{
    const uint64_t count = exact->outermost ? exact->loop.count : 0;
    const double cover = exact->outermost ? exact->cover : 0;
    struct pat_given_loop own;
    const enum prvcut_status st = pat_given_loop_make(&own, given, t, err);

    *out = own.count > count + 1 || (own.count > 0 && count > own.count + 1);
    *out &= (double)own.calls >= MORE * cover * (double)t->calls;
    pat_given_loop_fini(&own);
    return st;
}

/* How many of the structure's iterations begin in each of the tolerant ones; 0: not as many. */
static uint64_t wit_each(const struct pat_tolerant *loop, const struct pat_given_loop *own)
{
    uint64_t each = 0, k = 0;

    for (uint64_t i = 0; i < loop->count; i++) {
        uint64_t in = 0;

        while (k < own->count && own->first[k] < loop->border[i])
            k++;
        for (; k < own->count && own->first[k] < loop->border[i + 1]; k++)
            in++;
        if (in == 0 || (i > 0 && in != each))
            return 0;
        each = in;
    }
    return each;
}

static bool wit_as_many(double a, double b)
{
    return (a <= APART * b && b <= APART * a) || a + 1 == b || b + 1 == a;
}

enum prvcut_status pat_stand_of(enum pat_stand *out, const struct pat_tolerant *loop,
                                const struct pat_given *given, const struct pat_thread *t,
                                struct prvcut_error *err)
{
    struct pat_given_loop own;
    const enum prvcut_status st = pat_given_loop_make(&own, given, t, err);
    const double a = (double)loop->count, b = (double)own.count;

    *out = PAT_STAND_DIFFERS;
    if (own.count == 0)
        *out = PAT_STAND_ALONE;
    else if (loop->within > 0 && wit_as_many((double)loop->within, b))
        *out = PAT_STAND_INNER;
    else if (loop->count > 0 && wit_as_many(a, b))
        *out = PAT_STAND_AGREES;
    else if (wit_each(loop, &own) > 1)
        *out = PAT_STAND_COARSER;
    pat_given_loop_fini(&own);
    return st;
}

enum pat_source pat_witnesses_say(const struct pat_witnesses *w, bool asked, bool sure)
{
    const bool follow = 2 * w->given > w->heard;

    /* What is seen to be an inner loop is none, whoever tells it. */
    if (2 * w->inner > w->heard)
        return 2 * w->tolerant > w->heard ? PAT_TOLERANT : PAT_EXACT;
    if (!asked)
        return w->tolerant > 0 ? PAT_TOLERANT : PAT_EXACT;
    if (follow && sure)
        return w->tolerant > 0 && 2 * w->agree >= w->tolerant ? PAT_TOLERANT : PAT_STRUCTURE;
    if (follow && 2 * w->coarser > w->heard)
        return PAT_STRUCTURE;
    return 2 * w->tolerant > w->heard ? PAT_TOLERANT : PAT_EXACT;
}
