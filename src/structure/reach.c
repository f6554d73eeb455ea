#include "structure/reach.h"

#include "base/memory.h"
#include "base/search.h"
#include "signal/collect.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Windows over what is left, then to halve what is in doubt, then across the end. */
#define WINDOWS 6
#define HALVES  8
#define CLOSE   8
/* Iterations before the end of the calls that a loop which goes on there may end. */
#define OPEN 3
/* Iterations in a window; fewer where they are so long that it were more than such a part of what
   is left, and bins over it. */
#define ITERATIONS       256
#define ITERATIONS_LEAST 16
#define LEFT             16
#define BINS             ((size_t)1 << 14)
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
/* Calls of an iteration in a window that are as many as those that are known: windows are short. */
#define AS_MANY 0.02

struct reach {
    double period;   /* ns, of the loop that is looked for: the mean of its iterations */
    double median;   /* ns, of its iterations */
    double same;     /* it may differ by this share */
    uint64_t window; /* ns */
    const struct prvcut_search_input *in;
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    /* What the loop calls; NULL: its period alone tells, and it is not counted. */
    const struct prvcut_call_side *calls;
    uint64_t at;       /* the loop was followed to here */
    uint64_t middle;   /* of what was seen of it last */
    double iterations; /* to there */
    double latest;     /* ns, how long they were there */
    unsigned seen;     /* windows that show it */
    /* Whose calls beyond those that are kept are counted; NULL: nobody's. */
    const struct prvcut_call_sequence *sequence;
    double each, now; /* of these calls in an iteration: as far as they are kept, where it was seen
                         last */
};

/** What a window shows of the loop. */
struct sight {
    bool goes_on;
    struct prvcut_span span; /* of the loop, inside the window */
    double period;           /* ns */
    double each;             /* calls in an iteration of the thread that is counted; 0: unknown */
};

static bool reach_is_about(double length, double wanted, double room)
{
    return wanted > 0 && fabs(length / wanted - 1) < room;
}

/* Iterations may be as unlike each other as they please: a mean is compared with a mean. A pause in
   a window moves that, but not the median. */
static bool reach_is_period(const struct reach *r, const struct prvcut_search *found)
{
    return found->loop.found && (reach_is_about(found->loop.period_ns, r->period, r->same) ||
                                 reach_is_about(found->loop.median_ns, r->median, r->same));
}

/* A loop of about the same period may still be another one, if the calls tell. */
static enum prvcut_status reach_is_loop(const struct reach *r, const struct prvcut_search *found,
                                        const struct prvcut_collection *data, bool *is,
                                        struct prvcut_error *err)
{
    const struct prvcut_call_side side = { &found->calls, data->sequence };

    *is = reach_is_period(r, found);
    return *is && r->calls && found->by_calls ? prvcut_call_loops_same(is, r->calls, &side, err)
                                              : PRVCUT_OK;
}

/* Calls in an iteration of a thread; 0: it does not follow the loop far enough. The last border
   need not be a call's. */
static double reach_each(const struct prvcut_call_loop *l, size_t sequence)
{
    const size_t n = l->borders[sequence];

    return n < 4 ? 0
                 : (double)(l->start[sequence][n - 2] - l->start[sequence][0]) / (double)(n - 2);
}

static double reach_each_here(const struct reach *r, const struct prvcut_search *found,
                              const struct prvcut_collection *data)
{
    for (size_t i = 0; r->sequence && found->by_calls && i < found->calls.sequences; i++)
        if (data->sequence[i].thread == r->sequence->thread)
            return reach_each(&found->calls, i);
    return 0;
}

/* Search a window. owns: found is initialised, also after a failure. each: as of a sight; NULL: not
   wanted */
static enum prvcut_status reach_search_window(const struct reach *r, uint64_t time,
                                              struct prvcut_search *found, bool *is, double *each,
                                              struct prvcut_error *err)
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
    in.from = in.to = NULL;
    in.cut_short = false;
    if (st == PRVCUT_OK)
        st = prvcut_search_find(found, &in, r->run, err);
    if (st == PRVCUT_OK)
        st = reach_is_loop(r, found, &data, is, err);
    if (st == PRVCUT_OK && each)
        *each = reach_each_here(r, found, &data);
    prvcut_collection_fini(&data);
    /* Beside the calls of the run each window would leave its own. */
    if (r->calls)
        prvcut_give_back();
    return st;
}

/* Does the loop go on at a time? What is read around a window may show it beside that. */
static enum prvcut_status rch_look(struct reach *r, uint64_t time, struct sight *out,
                                   struct prvcut_error *err)
{
    const uint64_t end = time + r->window;
    struct prvcut_search found;
    bool is = false;
    double each = 0;
    enum prvcut_status st = reach_search_window(r, time, &found, &is, &each, err);

    *out = (struct sight){ .period = found.loop.period_ns, .span = found.loop.span, .each = each };
    out->span.start = out->span.start > time ? out->span.start : time;
    out->span.end = out->span.end < end ? out->span.end : end;
    out->goes_on = st == PRVCUT_OK && is && out->span.start < out->span.end;
    r->seen += out->goes_on;
    prvcut_search_fini(&found);
    return st;
}

/* The calls that are counted, before a time. */
static double reach_calls(const struct reach *r, uint64_t time)
{
    const struct prvcut_call_sequence *s = r->sequence;
    const size_t kept =
        prvcut_lower_u64(s->at, s->count, sizeof *s->at, offsetof(struct prvcut_call, time), time);

    return (double)kept + prvcut_call_marks_before(&s->beyond, time);
}

/* Iterations up to a time, by calls where these are counted; else as long as they were there. */
static double reach_count(const struct reach *r, uint64_t time, double length, double each)
{
    return r->sequence ? (reach_calls(r, time) - reach_calls(r, r->middle)) / each
                       : ((double)time - (double)r->middle) / length;
}

/* It was seen further on: between what was seen, its iterations became longer, or made more calls,
   evenly. */
static void rch_follow(struct reach *r, const struct sight *s)
{
    const uint64_t middle = s->span.start + (s->span.end - s->span.start) / 2;
    const double now = reach_is_about(s->each, r->each, AS_MANY) ? r->each
                       : s->each > 0                             ? s->each
                                                                 : r->now;

    r->iterations += reach_count(r, middle, (r->latest + s->period) / 2, (r->now + now) / 2);
    r->now = now;
    r->middle = middle;
    r->at = s->span.end;
    r->latest = r->period = s->period;
}

/* Bring a time where the loop is seen and one where it is not, earlier or later, together. */
static enum prvcut_status reach_halve(struct reach *r, uint64_t *seen, uint64_t *unseen,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < HALVES && st == PRVCUT_OK; i++) {
        const bool later = *unseen > *seen;
        const uint64_t room = later ? *unseen - *seen : *seen - *unseen;
        const uint64_t time = later ? *seen + room / 2 : *unseen + room / 2;
        struct sight sight;

        if (room < 2 * r->window)
            break;
        st = rch_look(r, time, &sight, err);
        if (!sight.goes_on) {
            *unseen = time;
            continue;
        }
        *seen = later ? sight.span.end : sight.span.start;
        if (later && r->calls)
            rch_follow(r, &sight);
    }
    return st;
}

/* Windows over all that is left, as long as the loop goes on. */
static enum prvcut_status reach_step_on(struct reach *r, uint64_t *to, struct prvcut_error *err)
{
    const uint64_t step = (*to - r->at) / (WINDOWS + 1);
    struct sight sight = { .goes_on = true };
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < WINDOWS && sight.goes_on && st == PRVCUT_OK; i++) {
        const uint64_t time = r->at + step;

        if (time + r->window > *to)
            break;
        st = rch_look(r, time, &sight, err);
        if (sight.goes_on)
            rch_follow(r, &sight);
        else
            *to = time;
    }
    return st;
}

/* Does the loop end before the window does? */
static bool reach_ends_inside(const struct reach *r, const struct sight *s, uint64_t time)
{
    return (double)s->span.end + 2 * s->period < (double)(time + r->window);
}

/* A window across the place where the loop was seen last shows where it ends; with less of what
   follows in it, where that gets in the way. */
static enum prvcut_status reach_close_in(struct reach *r, struct prvcut_error *err)
{
    uint64_t ahead = r->window / 2;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < CLOSE && st == PRVCUT_OK && r->at < r->in->span.end; i++) {
        const uint64_t back = r->window - ahead, time = r->at > back ? r->at - back : 0;
        struct sight sight;

        st = rch_look(r, time, &sight, err);
        if (sight.goes_on)
            rch_follow(r, &sight);
        if (sight.goes_on && reach_ends_inside(r, &sight, time))
            break;
        ahead = sight.goes_on ? ahead : ahead / 2;
    }
    return st;
}

/* Follow the loop to its end. Other witnesses saw it up to `hint`. */
static enum prvcut_status reach_find_end(struct reach *r, uint64_t hint, struct prvcut_error *err)
{
    const struct prvcut_span *all = &r->in->span;
    uint64_t to = all->end;
    enum prvcut_status st = PRVCUT_OK;

    if (hint > r->at + 2 * r->window) {
        struct sight sight;

        st = rch_look(r, hint - r->window, &sight, err);
        if (sight.goes_on)
            rch_follow(r, &sight);
        else
            to = hint - r->window;
    }
    if (st == PRVCUT_OK && to > r->at &&
        (double)(to - r->at) >= WORTH * (double)(all->end - all->start))
        st = reach_step_on(r, &to, err);
    if (st == PRVCUT_OK && to > r->at) {
        uint64_t from = r->at;

        st = reach_halve(r, &from, &to, err);
    }
    return st < 0 ? st : reach_close_in(r, err);
}

/* Does the loop go on to where the calls of a thread end? */
static bool reach_is_open(const struct prvcut_call_loop *l, const struct prvcut_search_input *in)
{
    for (size_t i = 0; i < l->sequences; i++) {
        const size_t n = l->borders[i], end = in->sequence[i].count;

        if (n > 1 && end - l->start[i][n - 1] <= OPEN * (l->calls_per_iteration + 1))
            return true;
    }
    return false;
}

/* The last iterations that the calls tell are what was seen so far. */
static void reach_start_from(struct reach *r, const struct prvcut_call_loop *l)
{
    const uint64_t *border;
    size_t i = 0, n, count;

    while (l->borders[i] == 0)
        i++;
    border = l->border[i];
    n = l->borders[i] - 1;
    count = n < ITERATIONS ? n : ITERATIONS;
    r->at = l->loop.span.end;
    r->middle = border[n - count] + (border[n] - border[n - count]) / 2;
    r->latest = (double)(border[n] - border[n - count]) / (double)count;
    r->iterations = l->loop.iterations - (double)count / 2;
    r->each = r->now = reach_each(l, i);
    if (r->in->sequence[i].beyond.calls == 0 || r->in->sequence[i].beyond.lost || r->each <= 0)
        return;
    /* Calls are counted from a border; that of the last one need not be a call's. */
    r->sequence = &r->in->sequence[i];
    r->middle = border[n - 1];
    r->iterations = l->loop.iterations - 1;
}

/* ns; each is read by itself, so that all of them together are to be a part of the run. */
static uint64_t reach_length(const struct prvcut_loop *l, const struct prvcut_span *all)
{
    const double left = all->end > l->span.end ? (double)(all->end - l->span.end) / LEFT : 0;

    return (uint64_t)fmin(fmax(left, ITERATIONS_LEAST * l->period_ns), ITERATIONS * l->period_ns);
}

enum prvcut_status prvcut_search_reach(struct prvcut_search *s,
                                       const struct prvcut_search_input *in,
                                       struct prvcut_trace *trace, const struct prvcut_run *run,
                                       struct prvcut_error *err)
{
    const struct prvcut_call_side calls = { &s->calls, in->sequence };
    struct prvcut_loop *l = &s->loop;
    struct reach r = { .period = l->period_ns,
                       .median = l->median_ns,
                       .same = SAME,
                       .window = reach_length(l, &in->span),
                       .in = in,
                       .trace = trace,
                       .run = run,
                       .calls = &calls };
    enum prvcut_status st;

    if (!s->by_calls || !in->cut_short || !trace->seekable || !reach_is_open(&s->calls, in))
        return PRVCUT_OK;
    reach_start_from(&r, &s->calls);
    st = reach_find_end(&r, l->span.end, err);
    if (st < 0 || r.seen == 0 || r.at <= r.middle)
        return st;
    r.iterations += reach_count(&r, r.at, r.latest, r.now);
    s->counted_ns = l->span.end;
    l->span.end = r.at;
    if (in->period_ns == 0)
        l->period_ns = (double)(l->span.end - l->span.start) / r.iterations;
    l->iterations = round((double)(l->span.end - l->span.start) / l->period_ns);
    return PRVCUT_OK;
}

/* A window may still be too long for its bins: what its calls tell, or its strongest signal, gives
   the length that shows all witnesses something. */
static enum prvcut_status reach_focus(struct reach *r, struct prvcut_error *err)
{
    const uint64_t all = r->in->span.end - r->in->span.start;
    struct prvcut_search found;
    bool is;
    enum prvcut_status st =
        reach_search_window(r, r->in->span.start + all / 2, &found, &is, NULL, err);

    if (st == PRVCUT_OK && found.loop.found &&
        ITERATIONS * found.loop.period_ns < (double)r->window)
        r->window = (uint64_t)(ITERATIONS * found.loop.period_ns);
    prvcut_search_fini(&found);
    return st;
}

/* Several windows of a run agree on a loop that none of the witnesses could see in all of it. */
static enum prvcut_status rch_agree(struct reach *r, double *period, double *confidence,
                                    struct prvcut_error *err)
{
    const uint64_t all = r->in->span.end - r->in->span.start;
    double seen[CLOSER], sure[CLOSER];
    unsigned most = 0;
    enum prvcut_status st = PRVCUT_OK;

    *period = *confidence = 0;
    st = reach_focus(r, err);
    for (unsigned i = 0; i < CLOSER && st == PRVCUT_OK; i++) {
        struct prvcut_search found;
        bool is;

        st = reach_search_window(r, r->in->span.start + all / (CLOSER + 1) * (i + 1), &found, &is,
                                 NULL, err);
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
static enum prvcut_status rch_span_of(struct reach *r, struct prvcut_span *out,
                                      struct prvcut_error *err)
{
    const struct prvcut_span *all = &r->in->span;
    const uint64_t step = (all->end - all->start) / SPREAD;
    uint64_t before = all->start, after = all->end;
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct prvcut_span){ 0, 0 };
    for (unsigned i = 0; i < SPREAD && st == PRVCUT_OK; i++) {
        const uint64_t time = all->start + step / 2 + step * i;
        struct sight sight;

        st = rch_look(r, time, &sight, err);
        if (sight.goes_on && out->end == 0)
            out->start = sight.span.start;
        if (sight.goes_on)
            out->end = sight.span.end;
        else if (out->end == 0)
            before = time;
        else if (after > time)
            after = time;
    }
    if (after < out->end)
        after = out->end + step < all->end ? out->end + step : all->end;
    if (st == PRVCUT_OK && out->end > 0)
        st = reach_halve(r, &out->start, &before, err);
    return st < 0 || out->end == 0 ? st : reach_halve(r, &out->end, &after, err);
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
    st = rch_agree(&r, &r.period, &confidence, err);
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
        st = rch_span_of(&r, &s->loop.span, err);
        s->loop.iterations = (double)(s->loop.span.end - s->loop.span.start) / r.period;
        s->loop.found = st == PRVCUT_OK && s->loop.span.end > s->loop.span.start;
    }
    s->verdict.found = s->loop.found;
    s->confidence = s->verdict.confidence = confidence;
    return st;
}
