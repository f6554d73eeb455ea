#include "model/clock_drift.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/table.h"
#include "model/clock_system.h"

#include <stdlib.h>
#include <string.h>

/* Stretches of the run in which the tightest are kept: at least, and a second. */
#define STRETCHES_LEAST UINT64_C(512)
#define STRETCHES_MOST  UINT64_C(8192)
#define STRETCHES_S     UINT64_C(8)
/* Windows, of stretches: these many at least, and at most of one stretch each. */
#define WINDOWS_LEAST UINT64_C(16)
/* Notes that are kept; where there are more, nothing is bent. */
#define NOTES_MOST ((size_t)1 << 20)
/* Of a window, for each process: with fewer it is no window. */
#define NOTES_EACH 4
/* Clocks drift by this share beside each other, at most; what they do more is a step. */
#define DRIFT 1e-3
/* A clock goes slower by this share at most: times of a process keep their order. */
#define SLOWER 0.1

/* The tightest of two processes in a stretch. */
struct drift_note {
    uint64_t stretch;
    uint64_t cause, effect; /* with the above: the key */
    uint64_t at, got;
};

struct prvcut_drift_notes {
    struct prvcut_table note; /* of drift_note */
    uint64_t width;           /* ns, of a stretch */
    uint64_t stretches;
    uint32_t tasks;
    bool too_many;
};

/* --- Times ------------------------------------------------------------------------------------ */

/* The last knot before a time; the first: there is none. */
static size_t drift_knot(const struct prvcut_drift *d, uint64_t time)
{
    const size_t next = prvcut_lower_u64(d->at, d->knots, sizeof *d->at, 0, time);

    return next > 0 ? next - 1 : 0;
}

static int64_t drift_offset(const struct prvcut_drift *d, size_t knot, uint32_t task)
{
    return d->offset[knot * d->tasks + task];
}

uint64_t prvcut_drift_time(const struct prvcut_drift *d, uint32_t task, uint64_t time)
{
    const size_t k = drift_knot(d, time);
    const int64_t offset = drift_offset(d, k, task);

    if (time <= d->at[k] || k + 1 == d->knots)
        return time + (uint64_t)offset;
    return time + (uint64_t)(offset + (int64_t)((double)(drift_offset(d, k + 1, task) - offset) *
                                                ((double)(time - d->at[k]) /
                                                 (double)(d->at[k + 1] - d->at[k]))));
}

/* A time of a process with its offset. */
struct drift_sought {
    const struct prvcut_drift *d;
    uint64_t time;
    uint32_t task;
};

static bool drift_reaches(const void *ctx, size_t given)
{
    const struct drift_sought *s = ctx;

    return prvcut_drift_time(s->d, s->task, given) >= s->time;
}

uint64_t prvcut_drift_given(const struct prvcut_drift *d, uint32_t task, uint64_t time)
{
    const struct drift_sought s = { d, time, task };

    /* No offset is negative. */
    return prvcut_first(0, time, drift_reaches, &s);
}

void prvcut_drift_fini(struct prvcut_drift *d)
{
    free(d->at);
    free(d->offset);
    memset(d, 0, sizeof *d);
}

/* --- Notes ------------------------------------------------------------------------------------ */

enum prvcut_status prvcut_drift_notes_new(struct prvcut_drift_notes **out, uint32_t tasks,
                                          uint64_t end_ns, struct prvcut_error *err)
{
    struct prvcut_drift_notes *n = prvcut_zeroed(1, sizeof *n, "the processes' clocks", err);
    const uint64_t wanted = end_ns / 1000000000 * STRETCHES_S;

    *out = n;
    if (!n)
        return PRVCUT_ENOMEM;
    n->tasks = tasks;
    n->stretches = wanted < STRETCHES_LEAST  ? STRETCHES_LEAST
                   : wanted > STRETCHES_MOST ? STRETCHES_MOST
                                             : wanted;
    n->width = end_ns / n->stretches + 1;
    n->note = (struct prvcut_table)PRVCUT_TABLE(struct drift_note, at, "clocks");
    return PRVCUT_OK;
}

void prvcut_drift_notes_free(struct prvcut_drift_notes *n)
{
    if (n)
        prvcut_table_fini(&n->note);
    free(n);
}

/* By how much an effect comes too early; the greater, the tighter. */
static int64_t drift_weight(uint64_t at, uint64_t got)
{
    const uint64_t size = at > got ? at - got : got - at;
    const int64_t most = size > (uint64_t)PRVCUT_CLOCK_FAR ? PRVCUT_CLOCK_FAR : (int64_t)size;

    return at > got ? most : -most;
}

enum prvcut_status prvcut_drift_note(struct prvcut_drift_notes *n, uint32_t cause, uint64_t at,
                                     uint32_t effect, uint64_t got, struct prvcut_error *err)
{
    const uint64_t stretch = at / n->width;
    const struct drift_note key = { .stretch = stretch < n->stretches ? stretch : n->stretches - 1,
                                    .cause = cause,
                                    .effect = effect };
    const size_t before = n->note.count;
    struct drift_note *own;

    if (n->too_many || cause == effect)
        return PRVCUT_OK;
    own = prvcut_table_make(&n->note, &key, err);
    if (!own)
        return PRVCUT_ENOMEM;
    n->too_many = n->note.count > NOTES_MOST;
    if (n->note.count > before || drift_weight(at, got) > drift_weight(own->at, own->got)) {
        own->at = at;
        own->got = got;
    }
    return PRVCUT_OK;
}

/* --- Windows ---------------------------------------------------------------------------------- */

/* A try, with so many stretches a window. */
struct drift_try {
    const struct prvcut_drift_notes *n;
    const struct drift_note *note; /* [notes] by stretch */
    size_t notes;
    uint64_t each;
    struct prvcut_drift d;
    int64_t *low, *high; /* [d.knots][tasks] what each window leaves to each, beside the first
                            process; owned */
};

/* Of what is not bounded. */
#define UNBOUNDED (INT64_MAX / 4)

/* The notes of a window: [from, to). */
static size_t drift_window(const struct drift_try *t, size_t from, uint64_t window)
{
    size_t to = from;

    while (to < t->notes && t->note[to].stretch / t->each == window)
        to++;
    return to;
}

static enum prvcut_status drift_solve_window(struct prvcut_clock_solution *out,
                                             const struct drift_try *t, size_t from, size_t to,
                                             struct prvcut_error *err)
{
    struct prvcut_clock_system s = { .tasks = t->n->tasks, .nodes = t->n->tasks };
    enum prvcut_status st = PRVCUT_OK;

    memset(out, 0, sizeof *out);
    for (size_t i = from; i < to && st == PRVCUT_OK; i++) {
        const struct drift_note *m = &t->note[i];
        const struct prvcut_clock_edge e = { drift_weight(m->at, m->got), (uint32_t)m->cause,
                                             (uint32_t)m->effect, true };

        st = prvcut_clock_system_add(&s, &e, err);
    }
    if (st == PRVCUT_OK)
        st = prvcut_clock_system_solve(out, &s, err);
    prvcut_clock_system_fini(&s);
    return st;
}

/* A knot at the middle of a window, and the ranges of its offsets. */
static void drift_take(struct drift_try *t, uint64_t window, const struct prvcut_clock_solution *s)
{
    struct prvcut_drift *d = &t->d;
    const size_t first = d->knots * d->tasks;

    d->at[d->knots++] = (2 * window + 1) * t->each * t->n->width / 2;
    for (uint32_t i = 0; i < d->tasks; i++) {
        const int64_t offset = s->offset[i] - s->offset[0];
        const bool bounded = s->range[i] < (uint64_t)UNBOUNDED;

        t->low[first + i] = bounded ? offset - (int64_t)s->range[i] : -UNBOUNDED;
        t->high[first + i] = bounded ? offset + (int64_t)s->range[i] : UNBOUNDED;
    }
}

/* What a clock may be at a knot, after what it may be at one beside it; a step stays. */
static void drift_follow(struct drift_try *t, size_t from, size_t to)
{
    const struct prvcut_drift *d = &t->d;
    const uint64_t apart =
        d->at[to] > d->at[from] ? d->at[to] - d->at[from] : d->at[from] - d->at[to];
    const int64_t most = (int64_t)((double)apart * DRIFT);

    for (uint32_t i = 0; i < d->tasks; i++) {
        const int64_t least = t->low[from * d->tasks + i] - most;
        const int64_t greatest = t->high[from * d->tasks + i] + most;
        int64_t *low = &t->low[to * d->tasks + i], *high = &t->high[to * d->tasks + i];

        if (least > *high || greatest < *low)
            continue;
        *low = *low < least ? least : *low;
        *high = *high > greatest ? greatest : *high;
    }
}

/* The middle of what is left; knots where that is all for some process are none. */
static void drift_settle(struct drift_try *t)
{
    struct prvcut_drift *d = &t->d;
    size_t kept = 0;

    for (size_t k = 0; k < d->knots; k++) {
        bool all = true;

        for (uint32_t i = 0; i < d->tasks; i++)
            all &= t->high[k * d->tasks + i] < UNBOUNDED / 2;
        if (!all)
            continue;
        d->at[kept] = d->at[k];
        for (uint32_t i = 0; i < d->tasks; i++) {
            const int64_t low = t->low[k * d->tasks + i], high = t->high[k * d->tasks + i];
            const uint64_t doubt = (uint64_t)(high - low) / 2;

            d->offset[kept * d->tasks + i] = high - (int64_t)doubt;
            d->doubt = doubt > d->doubt ? doubt : d->doubt;
        }
        kept++;
    }
    d->knots = kept;
}

/* Windows tell of those beside them, for no clock drifts fast. */
static void drift_bound(struct drift_try *t)
{
    for (size_t k = 1; k < t->d.knots; k++)
        drift_follow(t, k - 1, k);
    for (size_t k = t->d.knots; k-- > 1;)
        drift_follow(t, k, k - 1);
    drift_settle(t);
}

/* No clock goes back, nor much slower, between two knots. */
static void drift_slow_down(struct prvcut_drift *d)
{
    for (size_t k = 1; k < d->knots; k++) {
        const int64_t most = (int64_t)((double)(d->at[k] - d->at[k - 1]) * SLOWER);

        for (uint32_t i = 0; i < d->tasks; i++) {
            int64_t *now = &d->offset[k * d->tasks + i];
            const int64_t least = drift_offset(d, k - 1, i) - most;

            *now = *now < least ? least : *now;
        }
    }
}

/* None is negative. */
static void drift_lift(struct prvcut_drift *d)
{
    int64_t least = INT64_MAX;

    for (size_t i = 0; i < d->knots * d->tasks; i++)
        least = d->offset[i] < least ? d->offset[i] : least;
    for (size_t i = 0; i < d->knots * d->tasks; i++)
        d->offset[i] -= least;
}

/* More knots than these there are never. */
static size_t drift_most(const struct drift_try *t)
{
    return (size_t)(t->n->stretches / t->each) + 2;
}

static enum prvcut_status drift_windows(struct drift_try *t, struct prvcut_error *err)
{
    const size_t most = drift_most(t);
    enum prvcut_status st = PRVCUT_OK;

    t->d = (struct prvcut_drift){ .tasks = t->n->tasks };
    t->d.at = prvcut_zeroed(most, sizeof *t->d.at, "clocks", err);
    t->d.offset = prvcut_zeroed(most * t->n->tasks, sizeof *t->d.offset, "clocks", err);
    if (!t->d.at || !t->d.offset)
        return PRVCUT_ENOMEM;
    for (size_t from = 0, to; from < t->notes && st == PRVCUT_OK; from = to) {
        const uint64_t window = t->note[from].stretch / t->each;
        struct prvcut_clock_solution s;

        to = drift_window(t, from, window);
        if ((to - from) / NOTES_EACH < t->n->tasks / 2)
            continue;
        st = drift_solve_window(&s, t, from, to, err);
        /* What ties not all of them together says nothing of the others. */
        if (st == PRVCUT_OK && s.unknown == 0)
            drift_take(t, window, &s);
        prvcut_clock_solution_fini(&s);
    }
    drift_bound(t);
    drift_slow_down(&t->d);
    drift_lift(&t->d);
    return st;
}

/* How many of the notes contradict. */
static size_t drift_wrong(const struct drift_try *t, const struct prvcut_drift *d)
{
    size_t wrong = 0;

    for (size_t i = 0; i < t->notes; i++) {
        const struct drift_note *m = &t->note[i];

        wrong += d->knots == 0 ? m->at > m->got
                               : prvcut_drift_time(d, (uint32_t)m->cause, m->at) >
                                     prvcut_drift_time(d, (uint32_t)m->effect, m->got);
    }
    return wrong;
}

static int drift_by_stretch(const void *a, const void *b)
{
    const struct drift_note *x = a, *y = b;

    if (x->stretch != y->stretch)
        return x->stretch < y->stretch ? -1 : 1;
    if (x->cause != y->cause)
        return x->cause < y->cause ? -1 : 1;
    return (x->effect > y->effect) - (x->effect < y->effect);
}

/* The windows that leave least: shorter ones only if they leave less. */
static enum prvcut_status drift_try_all(struct prvcut_drift *out, struct drift_try *t,
                                        struct prvcut_error *err)
{
    const struct prvcut_drift none = { .knots = 0 };
    const size_t before = drift_wrong(t, &none);
    size_t least = before / 2 + before % 2;
    enum prvcut_status st = PRVCUT_OK;

    for (uint64_t windows = WINDOWS_LEAST;
         windows <= t->n->stretches && least > 0 && st == PRVCUT_OK; windows *= 2) {
        size_t wrong;

        t->each = t->n->stretches / windows;

        t->low = prvcut_zeroed(drift_most(t) * t->n->tasks, sizeof *t->low, "clocks", err);
        t->high = prvcut_zeroed(drift_most(t) * t->n->tasks, sizeof *t->high, "clocks", err);
        st = t->low && t->high ? drift_windows(t, err) : PRVCUT_ENOMEM;
        free(t->low);
        free(t->high);
        wrong = st == PRVCUT_OK && t->d.knots > 0 ? drift_wrong(t, &t->d) : before;
        if (wrong < least) {
            least = wrong;
            prvcut_drift_fini(out);
            *out = t->d;
        } else {
            prvcut_drift_fini(&t->d);
        }
    }
    return st;
}

enum prvcut_status prvcut_drift_solve(struct prvcut_drift *out, const struct prvcut_drift_notes *n,
                                      struct prvcut_error *err)
{
    struct drift_try t = { .n = n, .notes = n->note.count };
    struct drift_note *note;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (n->too_many || n->note.count == 0)
        return PRVCUT_OK;
    note = prvcut_copied(n->note.at, n->note.count * sizeof *note, "clocks", err);
    if (!note)
        return PRVCUT_ENOMEM;
    qsort(note, t.notes, sizeof *note, drift_by_stretch);
    t.note = note;
    st = drift_try_all(out, &t, err);
    free(note);
    if (st < 0)
        prvcut_drift_fini(out);
    return st;
}
