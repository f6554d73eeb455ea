#include "base/memory.h"
#include "structure/divide.h"

#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Found by hand on the runs of tests/api/check_levels, whose loops of all levels are known.
 */

/* Loops beside or inside others must be this sure, or less so where they take much of the time;
   signals must be surer where threads make calls that do not repeat. */
#define SURE    0.5
#define AMPLE   0.3
#define SIGNALS 0.8
/* Much of the time; or many iterations of the same calls. */
#define MUCH 0.4
#define MANY 8
/* Usual difference of two neighbouring iterations: logarithm of the ratio of their lengths. */
#define UNEQUAL 0.4

/* Usual difference of neighbouring lengths; 0: unknown. */
static enum prvcut_status believe_unequal(double *out, const uint64_t *border, size_t borders,
                                          struct prvcut_error *err)
{
    double *ratio = prvcut_unset(borders + 1, sizeof *ratio, "borders", err);
    size_t n = 0;

    *out = 0;
    if (!ratio)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i + 2 < borders; i++) {
        const double a = (double)(border[i + 1] - border[i]);
        const double b = (double)(border[i + 2] - border[i + 1]);

        ratio[n++] = fabs(log((b + 1) / (a + 1)));
    }
    /* Of two, the smaller one: the first of three iterations may begin with something else. */
    if (n > 0)
        *out = prvcut_select(ratio, n, (n - 1) / 2);
    free(ratio);
    return PRVCUT_OK;
}

static enum prvcut_status believe_differ(double *out, const struct prvcut_search *s,
                                         struct prvcut_error *err)
{
    const struct prvcut_signal_borders *b = &s->border[s->verdict.chosen];
    size_t i = 0;

    *out = 0;
    /* Where all that is known of the calls repeats, it may take as long as it likes; so may what is
       held together by its ends alone. */
    if (s->by_calls && (s->calls.separated || strstr(s->calls.alphabet, "size") ||
                        strstr(s->calls.alphabet, "site")))
        return PRVCUT_OK;
    if (!s->by_calls)
        return believe_unequal(out, b->at, b->count, err);
    while (i < s->calls.sequences && s->calls.borders[i] == 0)
        i++;
    return i < s->calls.sequences
               ? believe_unequal(out, s->calls.border[i], s->calls.borders[i], err)
               : PRVCUT_OK;
}

enum prvcut_status prvcut_search_believe(bool *believed, const struct prvcut_search *s,
                                         const struct prvcut_search_input *in, double share,
                                         struct prvcut_error *err)
{
    const double all = (double)(in->span.end - in->span.start);
    const double own = (double)(s->loop.span.end - s->loop.span.start);
    const bool much = own >= MUCH * all || (s->by_calls && s->loop.iterations >= MANY);
    const double enough = much ? AMPLE : SURE;
    const double sure = !s->by_calls && prvcut_search_calls_speak(in) ? SIGNALS : enough;
    double unlike;
    enum prvcut_status st;

    *believed = false;
    if (!s->verdict.found || s->confidence < sure || own < share * all)
        return PRVCUT_OK;
    st = believe_differ(&unlike, s, err);
    *believed = st == PRVCUT_OK && unlike < UNEQUAL;
    return st;
}
