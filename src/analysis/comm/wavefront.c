#include "analysis/comm/wavefront.h"

#include "analysis/comm/topology.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define AXES       3
#define DIRECTIONS (2 * AXES)

/* At least so many of the messages ahead wait for those from behind. */
#define WAITS 0.75
/* Of all messages, those in runs of so many in one direction. */
#define IN_RUNS 0.5
#define RUN     3
/* More from behind than that times those ahead: nothing can be said of these. */
#define SURPLUS 1.25

/* What a rank does with its neighbours; a direction is 2 * axis + (towards lower ranks). */
struct wvf_rank {
    uint64_t sent[DIRECTIONS];             /* that way */
    uint64_t received[DIRECTIONS];         /* that came that way: from the rank at the other side */
    uint64_t good[DIRECTIONS][DIRECTIONS]; /* of those sent one way, the k-th after k had come the
                                              other way */
    uint64_t now;                 /* ns; what is complete at the time of a sending counts for it */
    uint64_t waiting[DIRECTIONS]; /* sent at that time, and not judged */
    uint64_t all[AXES], runs[AXES]; /* messages with the next rank along an axis, both ways; of
                                       these, in runs */
    uint64_t run[AXES];             /* length of the present one */
    bool back[AXES];                /* it goes towards lower ranks */
};

struct prvcut_wavefront {
    struct prvcut_comm_shape shape;
    uint32_t ranks;
    struct wvf_rank *rank; /* [ranks] */
};

enum prvcut_status prvcut_wavefront_new(struct prvcut_wavefront **out,
                                        const struct prvcut_comm_shape *shape,
                                        struct prvcut_error *err)
{
    struct prvcut_wavefront *w = *out = prvcut_zeroed(1, sizeof *w, "a wavefront", err);

    if (!w)
        return PRVCUT_ENOMEM;
    w->shape = *shape;
    w->ranks = 1;
    for (uint32_t i = 0; i < shape->dimensions; i++)
        w->ranks *= shape->dim[i];
    w->rank = prvcut_zeroed(w->ranks, sizeof *w->rank, "ranks", err);
    return w->rank ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_wavefront_free(struct prvcut_wavefront *w)
{
    if (w)
        free(w->rank);
    free(w);
}

/* --- Ends ------------------------------------------------------------------------------------- */

/* From one rank to another; DIRECTIONS: they are no neighbours. */
static unsigned wvf_direction(const struct prvcut_wavefront *w, uint32_t from, uint32_t to)
{
    unsigned direction = DIRECTIONS;

    for (uint32_t i = 0; i < w->shape.dimensions; i++) {
        const uint32_t x = prvcut_shape_coordinate(&w->shape, from, i),
                       y = prvcut_shape_coordinate(&w->shape, to, i);

        if (x == y)
            continue;
        if (direction != DIRECTIONS || (y != x + 1 && x != y + 1))
            return DIRECTIONS;
        direction = 2 * i + (y < x);
    }
    return direction;
}

/* The time of what was sent last has passed. */
static void wvf_judge(struct wvf_rank *r)
{
    for (unsigned d = 0; d < DIRECTIONS; d++)
        for (; r->waiting[d] > 0; r->waiting[d]--)
            for (unsigned e = 0; e < DIRECTIONS; e++)
                r->good[d][e] += r->received[e] >= r->sent[d] - r->waiting[d] + 1;
}

static void wvf_pass(struct wvf_rank *r, uint64_t time)
{
    if (time <= r->now)
        return;
    wvf_judge(r);
    r->now = time;
}

/* One more along an axis; the lower of both ranks knows in which direction the last ones went. */
static void wvf_run(struct wvf_rank *lower, unsigned axis, bool back)
{
    if (lower->all[axis]++ > 0 && lower->back[axis] != back)
        lower->run[axis] = 0;
    lower->back[axis] = back;
    lower->run[axis]++;
    if (lower->run[axis] == RUN)
        lower->runs[axis] += RUN;
    else if (lower->run[axis] > RUN)
        lower->runs[axis]++;
}

void prvcut_wavefront_send(struct prvcut_wavefront *w, uint32_t from, uint32_t to, uint64_t time)
{
    const unsigned d = wvf_direction(w, from, to);
    struct wvf_rank *r = &w->rank[from];

    if (d == DIRECTIONS)
        return;
    wvf_pass(r, time);
    r->sent[d]++;
    r->waiting[d]++;
    wvf_run(&w->rank[from < to ? from : to], d / 2, d % 2);
}

void prvcut_wavefront_receive(struct prvcut_wavefront *w, uint32_t from, uint32_t to, uint64_t time)
{
    const unsigned d = wvf_direction(w, from, to);

    if (d == DIRECTIONS)
        return;
    wvf_pass(&w->rank[to], time);
    w->rank[to].received[d]++;
}

/* --- The verdict ------------------------------------------------------------------------------ */

/* Is there a rank that sends in that direction, on the other side of this one? */
static bool wvf_has_behind(const struct prvcut_wavefront *w, uint32_t rank, unsigned direction)
{
    const uint32_t x = prvcut_shape_coordinate(&w->shape, rank, direction / 2);

    return direction % 2 == 0 ? x > 0 : x + 1 < w->shape.dim[direction / 2];
}

/* Of all that is sent in direction d, the share that waits for what comes in direction e; NAN:
   there is none. */
static double wvf_share(const struct prvcut_wavefront *w, unsigned d, unsigned e)
{
    double good = 0, all = 0;

    for (uint32_t i = 0; i < w->ranks; i++) {
        const struct wvf_rank *r = &w->rank[i];

        if (r->sent[d] == 0 || !wvf_has_behind(w, i, e))
            continue;
        all += (double)r->sent[d];
        if ((double)r->received[e] <= SURPLUS * (double)r->sent[d])
            good += (double)r->good[d][e];
    }
    return all > 0 ? good / all : (double)NAN;
}

/* The least share of an orthant: bit i says that it goes towards lower ranks along axis i. */
static double wvf_orthant(const struct prvcut_wavefront *w, unsigned orthant)
{
    double least = (double)NAN;

    for (unsigned i = 0; i < w->shape.dimensions; i++)
        for (unsigned k = 0; k < w->shape.dimensions; k++)
            least =
                fmin(least, wvf_share(w, 2 * i + (orthant >> i & 1), 2 * k + (orthant >> k & 1)));
    return least;
}

static bool wvf_runs(const struct prvcut_wavefront *w)
{
    double all = 0, runs = 0;

    for (uint32_t i = 0; i < w->ranks; i++)
        for (unsigned k = 0; k < w->shape.dimensions; k++) {
            all += (double)w->rank[i].all[k];
            runs += (double)w->rank[i].runs[k];
        }
    return runs >= IN_RUNS * all;
}

bool prvcut_wavefront_is(struct prvcut_wavefront *w)
{
    bool waits = false;

    for (uint32_t i = 0; i < w->ranks; i++)
        wvf_judge(&w->rank[i]);
    for (unsigned orthant = 0; orthant < 1u << w->shape.dimensions; orthant++)
        waits |= wvf_orthant(w, orthant) >= WAITS;
    return waits && wvf_runs(w);
}
