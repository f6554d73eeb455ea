#include "structure/reach.h"

#include "signal/collect.h"

#include <math.h>
#include <string.h>

/* Windows over what is left, then around the end. */
#define WINDOWS 6
#define HALVES  6
/* Iterations in a window, and bins over it. */
#define ITERATIONS 256
#define BINS       ((size_t)1 << 14)
/* Less than this share of the run is not worth it. */
#define WORTH 0.03
/* A loop that is this sure needs no closer look, nor does a small trace: at BINS in so many bytes
   no loop is too short to be seen. */
#define DOUBTED 0.5
#define LARGE   ((uint64_t)64 << 20)
/* Windows that must agree, each such a part of the run; and those that tell where it is. */
#define CLOSER 3
#define PART   256
#define SPREAD 16
#define ALIKE  0.07
/* Periods within this ratio are the same; a run may drift. */
#define SAME 0.25

struct reach {
    double period;   /* ns, of the loop that is looked for */
    double same;     /* it may differ by this share */
    uint64_t window; /* ns */
    const struct prvcut_search_input *in;
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    double periods; /* sum of those seen in windows */
    unsigned seen;
};

/* Search a window. owns: found is initialised, also after a failure */
static enum prvcut_status search_window(const struct reach *r, uint64_t time,
                                        struct prvcut_search *found, struct prvcut_error *err)
{
    const struct prvcut_wish wish = { .grid = prvcut_grid_fit(time, time + r->window, BINS),
                                      .metrics = r->in->metrics,
                                      .calls = r->in->calls,
                                      .window = true };
    struct prvcut_search_input in = *r->in;
    struct prvcut_collection data;
    enum prvcut_status st = prvcut_collect(r->trace, r->run, &wish, &data, err);

    *found = (struct prvcut_search){ .witnesses = 0 };
    in.span = (struct prvcut_span){ time, time + r->window };
    in.signal = data.signal;
    in.sequence = data.sequence;
    in.sequences = data.sequences;
    in.cut_short = false;
    if (st == PRVCUT_OK)
        st = prvcut_search_find(found, &in, r->run, err);
    prvcut_collection_fini(&data);
    return st;
}

/* Does the loop go on at a time? */
static enum prvcut_status look(struct reach *r, uint64_t time, bool *goes_on,
                               struct prvcut_error *err)
{
    struct prvcut_search found;
    enum prvcut_status st = search_window(r, time, &found, err);

    *goes_on =
        st == PRVCUT_OK && found.loop.found && fabs(found.loop.median_ns / r->period - 1) < r->same;
    if (*goes_on) {
        r->periods += found.loop.period_ns;
        r->seen++;
    }
    prvcut_search_fini(&found);
    return st;
}

/* Bring a time where the loop is seen and one where it is not, earlier or later, together. */
static enum prvcut_status halve(struct reach *r, uint64_t *seen, uint64_t *unseen,
                                struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < HALVES && st == PRVCUT_OK; i++) {
        const bool later = *unseen > *seen;
        const uint64_t room = later ? *unseen - *seen : *seen - *unseen;
        const uint64_t time = later ? *seen + room / 2 : *unseen + room / 2;
        bool goes_on;

        if (room < 2 * r->window)
            break;
        st = look(r, time, &goes_on, err);
        if (goes_on)
            *seen = later ? time + r->window : time;
        else
            *unseen = time;
    }
    return st;
}

/* Where it was seen last, and where it was not seen first. */
static enum prvcut_status find_end(struct reach *r, uint64_t *from, uint64_t *to,
                                   struct prvcut_error *err)
{
    const uint64_t step = (*to - *from) / (WINDOWS + 1);
    enum prvcut_status st = PRVCUT_OK;
    bool goes_on = true;

    for (unsigned i = 0; i < WINDOWS && goes_on && st == PRVCUT_OK; i++) {
        const uint64_t time = *from + step;

        st = look(r, time, &goes_on, err);
        if (goes_on)
            *from = time + r->window;
        else
            *to = time;
    }
    return st < 0 ? st : halve(r, from, to, err);
}

enum prvcut_status prvcut_search_reach(struct prvcut_search *s,
                                       const struct prvcut_search_input *in,
                                       struct prvcut_trace *trace, const struct prvcut_run *run,
                                       struct prvcut_error *err)
{
    struct prvcut_loop *l = &s->loop;
    struct reach r = { .period = l->period_ns,
                       .same = SAME,
                       .window = (uint64_t)(ITERATIONS * l->period_ns),
                       .in = in,
                       .trace = trace,
                       .run = run };
    uint64_t from = l->span.end, to = in->span.end;
    double known = l->iterations;
    enum prvcut_status st;

    if (!s->by_calls || !in->cut_short || !trace->seekable || to <= from ||
        (double)(to - from) < WORTH * (double)(in->span.end - in->span.start))
        return PRVCUT_OK;
    st = find_end(&r, &from, &to, err);
    if (st < 0 || r.seen == 0)
        return st;
    known += (double)(from - l->span.end) / (r.periods / r.seen);
    l->span.end = from;
    l->iterations = round(known);
    l->period_ns = (double)(l->span.end - l->span.start) / known;
    return PRVCUT_OK;
}

/* A window may still be too long for its bins: what its calls tell, or its strongest signal, gives
   the length that shows all witnesses something. */
static enum prvcut_status focus(struct reach *r, struct prvcut_error *err)
{
    const uint64_t all = r->in->span.end - r->in->span.start;
    struct prvcut_search found;
    enum prvcut_status st = search_window(r, r->in->span.start + all / 2, &found, err);

    if (st == PRVCUT_OK && found.loop.found &&
        ITERATIONS * found.loop.period_ns < (double)r->window)
        r->window = (uint64_t)(ITERATIONS * found.loop.period_ns);
    prvcut_search_fini(&found);
    return st;
}

/* Several windows of a run agree on a loop that none of the witnesses could see in all of it. */
static enum prvcut_status agree(struct reach *r, double *period, double *confidence,
                                struct prvcut_error *err)
{
    const uint64_t all = r->in->span.end - r->in->span.start;
    double seen[CLOSER], sure[CLOSER];
    unsigned most = 0;
    enum prvcut_status st = PRVCUT_OK;

    *period = *confidence = 0;
    st = focus(r, err);
    for (unsigned i = 0; i < CLOSER && st == PRVCUT_OK; i++) {
        struct prvcut_search found;

        st = search_window(r, r->in->span.start + all / (CLOSER + 1) * (i + 1), &found, err);
        seen[i] = found.loop.found ? found.loop.period_ns : 0;
        sure[i] = found.confidence;
        prvcut_search_fini(&found);
    }
    for (unsigned i = 0; i < CLOSER && st == PRVCUT_OK; i++) {
        unsigned same = 0;
        double sum = 0;

        for (unsigned k = 0; k < CLOSER; k++)
            if (seen[i] > 0 && seen[k] > 0 && fabs(seen[k] / seen[i] - 1) < ALIKE) {
                same++;
                sum += sure[k];
            }
        if (same > most) {
            most = same;
            *period = seen[i];
            *confidence = sum / same;
        }
    }
    if (most < 2)
        *period = 0;
    return st;
}

/* The loop as the windows show it, from where it is seen first to where it is seen last. */
static enum prvcut_status span_of(struct reach *r, struct prvcut_span *out,
                                  struct prvcut_error *err)
{
    const struct prvcut_span *all = &r->in->span;
    const uint64_t step = (all->end - all->start) / SPREAD;
    uint64_t before = all->start, after = all->end;
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct prvcut_span){ 0, 0 };
    for (unsigned i = 0; i < SPREAD && st == PRVCUT_OK; i++) {
        const uint64_t time = all->start + step / 2 + step * i;
        bool goes_on;

        st = look(r, time, &goes_on, err);
        if (goes_on && out->end == 0)
            out->start = time;
        if (goes_on)
            out->end = time + r->window;
        else if (out->end == 0)
            before = time;
        else if (after > time)
            after = time;
    }
    if (after < out->end)
        after = out->end + step < all->end ? out->end + step : all->end;
    if (st == PRVCUT_OK && out->end > 0)
        st = halve(r, &out->start, &before, err);
    return st < 0 || out->end == 0 ? st : halve(r, &out->end, &after, err);
}

enum prvcut_status prvcut_search_closer(struct prvcut_search *s,
                                        const struct prvcut_search_input *in,
                                        struct prvcut_trace *trace, const struct prvcut_run *run,
                                        struct prvcut_error *err)
{
    const uint64_t all = in->span.end - in->span.start;
    const struct prvcut_loop *calls = &s->calls.loop;
    struct reach r = { .same = ALIKE, .window = all / PART, .in = in, .trace = trace, .run = run };
    double confidence;
    enum prvcut_status st;

    if (in->period_ns > 0 || !trace->seekable || trace->bytes < LARGE ||
        (s->loop.found && s->confidence >= DOUBTED))
        return PRVCUT_OK;
    if (calls->found && ITERATIONS * calls->period_ns < (double)r.window)
        r.window = (uint64_t)(ITERATIONS * calls->period_ns);
    st = agree(&r, &r.period, &confidence, err);
    if (st < 0 || r.period <= 0 || confidence < DOUBTED || confidence <= s->confidence)
        return st;
    if (calls->found && fabs(calls->period_ns / r.period - 1) < ALIKE) {
        s->loop = *calls;
        s->by_calls = true;
    } else if (s->loop.found) {
        return PRVCUT_OK;
    } else {
        s->loop = (struct prvcut_loop){ .found = true, .period_ns = r.period, .strength = 1 };
        s->loop.median_ns = r.period;
        st = span_of(&r, &s->loop.span, err);
        s->loop.iterations = (double)(s->loop.span.end - s->loop.span.start) / r.period;
        s->loop.found = st == PRVCUT_OK && s->loop.span.end > s->loop.span.start;
    }
    s->verdict.found = s->loop.found;
    s->confidence = s->verdict.confidence = confidence;
    return st;
}
