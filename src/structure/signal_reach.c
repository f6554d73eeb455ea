#include "base/memory.h"
#include "structure/signal_track.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 2048, NEAR = 2 * CHUNK };

/* The loop goes on where the likeness is at least this share of what it is inside. */
static const double enough = 0.5;

struct reach {
    const double *at; /* the level */
    size_t n;         /* its samples */
    double lag;
    double *white, *scratch; /* [CHUNK], [CHUNK + 1] */
};

/** Autocorrelation at the lag (the better of both whole numbers around it) of a chunk. */
static double sre_likeness(const struct reach *r, size_t from)
{
    const size_t low = (size_t)r->lag;
    double best = 0;

    prvcut_signal_whiten(r->white, r->at + from, CHUNK, 2 * low, r->scratch);
    for (size_t lag = low; lag <= low + 1; lag++) {
        double product = 0, head = 0, tail = 0;

        for (size_t i = 0; i + lag < CHUNK; i++) {
            product += r->white[i] * r->white[i + lag];
            head += r->white[i] * r->white[i];
            tail += r->white[i + lag] * r->white[i + lag];
        }
        if (head * tail > 0)
            best = fmax(best, product / sqrt(head * tail));
    }
    return best;
}

static void reach_out(struct signal_track *t, const struct reach *r, const size_t window[2])
{
    const size_t first = (size_t)t->from, last = (size_t)t->to;
    const double inside = fmax(sre_likeness(r, window[0] + (window[1] - window[0]) / 2 - CHUNK / 2),
                               sre_likeness(r, first + CHUNK < r->n ? first : r->n - CHUNK));
    const double before = t->from, after = t->to;

    if (first < window[0] + NEAR)
        while (t->from >= CHUNK && sre_likeness(r, (size_t)t->from - CHUNK) > enough * inside)
            t->from -= CHUNK;
    if (last + NEAR > window[1])
        while (t->to + CHUNK <= (double)r->n && sre_likeness(r, (size_t)t->to) > enough * inside)
            t->to += CHUNK;
    t->total += (before - t->from + t->to - after) / t->mean;
}

enum prvcut_status prvcut_signal_track_reach(struct signal_track *t,
                                             const struct signal_scales *scales,
                                             struct prvcut_error *err)
{
    struct reach r = { .at = scales->level[t->level],
                       .n = scales->bins[t->level],
                       .lag = t->median };
    enum prvcut_status st = PRVCUT_OK;

    if (r.n <= SIGNAL_TRACK_ROOM || t->count < 2 || 4 * t->median > CHUNK)
        return PRVCUT_OK;
    r.white = prvcut_unset(CHUNK, sizeof *r.white, "following a loop", err);
    r.scratch = prvcut_unset(CHUNK + 1, sizeof *r.scratch, "following a loop", err);
    if (r.white && r.scratch)
        reach_out(t, &r, t->window);
    else
        st = PRVCUT_ENOMEM;
    free(r.white);
    free(r.scratch);
    return st;
}
