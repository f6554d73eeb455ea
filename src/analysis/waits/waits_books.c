#include "analysis/waits/waits_causes.h"

#include "base/memory.h"
#include "base/search.h"

#include <inttypes.h>
#include <stdlib.h>

/* Records that are read from a sorter at a time. */
#define AHEAD 512

/* One of a metric's instances. */
struct wbk_length {
    uint64_t metric, ns;
};

/* What is booked, in the order of the calls. */
struct wbk_queue {
    struct wts_booking at[AHEAD];
    size_t next, count;
    bool ended;
};

struct wbk_books {
    struct wts_finder *f;
    struct prvcut_table cells; /* of prvcut_waits_cell */
    struct prvcut_sorter *lengths;
    struct wbk_queue queue;
    uint64_t *inside; /* [threads] ns in calls */
    size_t *stretch;  /* [threads] the one that the thread is at */
    uint64_t *number; /* [nodes] thread by thread; NULL: they were told so; owned */
};

static int wbk_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* What two waits are ordered by, the first that differs. */
#define WBK_KEYS 7

static int wbk_by_keys(const uint64_t keys[WBK_KEYS][2])
{
    for (size_t i = 0; i < WBK_KEYS; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

int wts_booking_compare(const void *a, const void *b)
{
    const struct wts_booking *x = a, *y = b;
    const uint64_t keys[WBK_KEYS][2] = {
        { x->thread, y->thread }, { x->begin, y->begin }, { x->end, y->end },
        { x->metric, y->metric }, { x->ns, y->ns },       { x->cause_begin, y->cause_begin },
        { x->cause, y->cause }
    };

    return wbk_by_keys(keys);
}

int wts_skeleton_compare(const void *a, const void *b)
{
    const struct wts_skeleton *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end != y->end ? wbk_order(x->end, y->end) : wbk_order(x->path, y->path);
}

int wts_long_compare(const void *a, const void *b)
{
    const struct prvcut_waits_long *x = a, *y = b;
    const uint64_t keys[WBK_KEYS][2] = {
        { x->thread, y->thread }, { x->begin, y->begin }, { x->end, y->end },
        { x->metric, y->metric }, { x->ns, y->ns },       { x->cause_begin, y->cause_begin },
        { x->cause, y->cause }
    };

    return wbk_by_keys(keys);
}

static int wbk_length_compare(const void *a, const void *b)
{
    const struct wbk_length *x = a, *y = b;

    return x->metric != y->metric ? wbk_order(x->metric, y->metric) : wbk_order(x->ns, y->ns);
}

static int wbk_cell_compare(const void *a, const void *b)
{
    const struct prvcut_waits_cell *x = a, *y = b;

    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    return x->path != y->path ? wbk_order(x->path, y->path) : wbk_order(x->thread, y->thread);
}

/* --- The longest ------------------------------------------------------------------------------ */

/* Is a longer than b, or does it come before it? Parts of late sender are no instances of their
   own. */
static bool wbk_longer(const struct prvcut_waits_long *a, const struct prvcut_waits_long *b)
{
    if (a->ns != b->ns)
        return a->ns > b->ns;
    if (a->begin != b->begin)
        return a->begin < b->begin;
    return a->thread != b->thread ? a->thread < b->thread : a->metric < b->metric;
}

static bool wbk_is_part(const struct wbk_books *k, uint32_t metric)
{
    return (metric < PRVCUT_WAITS ? prvcut_waits_metric_names[metric].parent
                                  : k->f->asked->patterns->metric[metric - PRVCUT_WAITS].of) >= 0;
}

static void wbk_keep_long(const struct wbk_books *k, const struct prvcut_waits_long *l)
{
    struct prvcut_waits_found *o = k->f->out;
    size_t i = o->longests;

    if (wbk_is_part(k, l->metric))
        return;
    if (i == PRVCUT_WAITS_LONGEST && !wbk_longer(l, &o->longest[i - 1]))
        return;
    i -= i == PRVCUT_WAITS_LONGEST;
    for (; i > 0 && wbk_longer(l, &o->longest[i - 1]); i--)
        o->longest[i] = o->longest[i - 1];
    o->longest[i] = *l;
    o->longests += o->longests < PRVCUT_WAITS_LONGEST;
}

/* Among the longest, and among all where these are asked for. */
static enum prvcut_status wbk_keep(const struct wbk_books *k, const struct wts_booking *b,
                                   uint64_t path, struct prvcut_error *err)
{
    struct prvcut_waits_long l = { .metric = b->metric,
                                   .thread = b->thread,
                                   .cause = b->cause,
                                   .path = path,
                                   .ns = b->ns,
                                   .begin = b->begin,
                                   .end = b->end,
                                   .cause_begin = b->cause_begin };

    wbk_keep_long(k, &l);
    if (!k->f->out->each)
        return PRVCUT_OK;
    wts_unbend_one(k->f, &l);
    return prvcut_sorter_add(k->f->out->each, 0, &l, 1, err);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static enum prvcut_status wbk_peek(struct wbk_books *k, const struct wts_booking **out,
                                   struct prvcut_error *err)
{
    struct wbk_queue *q = &k->queue;
    enum prvcut_status st = PRVCUT_OK;

    if (q->next == q->count && !q->ended) {
        q->next = q->count = 0;
        st = prvcut_sorter_next(k->f->booking, q->at, AHEAD, &q->count, err);
        q->ended = st == PRVCUT_END;
    }
    *out = q->next < q->count ? &q->at[q->next] : NULL;
    return st < 0 ? st : PRVCUT_OK;
}

/* A stretch on a thread, as its calls have their times. */
static struct prvcut_span wbk_own(const struct wbk_books *k, const struct prvcut_window *w,
                                  uint32_t thread)
{
    const struct prvcut_span s = prvcut_window_own(w, thread);

    return (struct prvcut_span){ wts_time(k->f, thread, s.start), wts_time(k->f, thread, s.end) };
}

/* The stretch that a call begins in; SIZE_MAX: in none. Calls of a thread come by time. */
static size_t wbk_stretch(struct wbk_books *k, uint32_t thread, uint64_t begin)
{
    const struct prvcut_waits_asked *a = k->f->asked;
    size_t *at = &k->stretch[thread];

    for (; *at < a->stretches; (*at)++) {
        const struct prvcut_span s = wbk_own(k, &a->stretch[*at], thread);

        if (begin < s.start)
            return SIZE_MAX;
        if (begin < s.end)
            return *at;
    }
    return SIZE_MAX;
}

static bool wbk_counts(const struct wbk_books *k, const struct wts_skeleton *s, size_t stretch)
{
    const struct prvcut_waits_asked *a = k->f->asked;

    if ((a->thread && !a->thread[s->thread]) || (a->within && stretch == SIZE_MAX))
        return false;
    return a->only.end == 0 || (s->begin >= wts_time(k->f, s->thread, a->only.start) &&
                                s->begin < wts_time(k->f, s->thread, a->only.end));
}

static enum prvcut_status wbk_book(struct wbk_books *k, const struct wts_booking *b, uint64_t path,
                                   size_t stretch, struct prvcut_error *err)
{
    struct prvcut_waits_found *o = k->f->out;
    struct prvcut_waits_sum *sum = &o->sum[b->metric];
    const struct wbk_length l = { b->metric, b->ns };
    enum prvcut_status st = wts_cell_add(&k->cells, b->metric, b->thread, path, b->ns, err);

    sum->ns += b->ns;
    sum->count++;
    sum->most = b->ns > sum->most ? b->ns : sum->most;
    if (stretch != SIZE_MAX)
        o->part[stretch * o->metrics + b->metric] += b->ns;
    if (st == PRVCUT_OK)
        st = wbk_keep(k, b, path, err);
    if (st == PRVCUT_OK)
        st = wts_mark(k->f, b, err);
    return st == PRVCUT_OK ? prvcut_sorter_add(k->lengths, 0, &l, 1, err) : st;
}

/* Is a booking of a call that comes before this one? NULL: all calls were told. */
static bool wbk_is_before(const struct wts_booking *b, const struct wts_skeleton *s)
{
    if (!s || b->thread != s->thread)
        return !s || b->thread < s->thread;
    return b->begin != s->begin ? b->begin < s->begin : b->end < s->end;
}

/* The next booking, past those of calls that the trace does not have: a program's own patterns must
   not book there. */
static enum prvcut_status wbk_next(struct wbk_books *k, const struct wts_skeleton *s,
                                   const struct wts_booking **b, struct prvcut_error *err)
{
    enum prvcut_status st = wbk_peek(k, b, err);

    while (st == PRVCUT_OK && *b && wbk_is_before(*b, s)) {
        if ((*b)->metric >= PRVCUT_WAITS)
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "%s: thread %" PRIu32 " has no call at %" PRIu64 "ns",
                               k->f->asked->patterns->metric[(*b)->metric - PRVCUT_WAITS].name,
                               (*b)->thread, (*b)->begin);
        k->queue.next++;
        st = wbk_peek(k, b, err);
    }
    return st;
}

/* Of the collectives that a call completes, it waits for the last. */
static bool wbk_is_one_of(const struct wts_booking *b)
{
    return b->metric >= PRVCUT_WAIT_NB_BARRIER && b->metric <= PRVCUT_WAIT_NB_EARLY_REDUCE;
}

/* All that is booked of a call; of two that look the same, of the first. */
static enum prvcut_status wbk_call(struct wbk_books *k, const struct wts_skeleton *s,
                                   struct prvcut_error *err)
{
    const size_t stretch = wbk_stretch(k, s->thread, s->begin);
    const bool counts = wbk_counts(k, s, stretch);
    const struct wts_booking *b;
    struct wts_booking last = { .ns = 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (counts) {
        k->inside[s->thread] += s->end - s->begin;
        st = wts_cell_add(&k->cells, PRVCUT_WAITS_TIME, s->thread, s->path, s->end - s->begin, err);
    }
    if (st == PRVCUT_OK)
        st = wts_causes_call(k->f, s, err);
    if (st == PRVCUT_OK)
        st = wbk_next(k, s, &b, err);
    while (st == PRVCUT_OK && b && b->thread == s->thread && b->begin == s->begin &&
           b->end == s->end) {
        if (wbk_is_one_of(b))
            last = b->ns > last.ns ? *b : last;
        else if (counts)
            st = wbk_book(k, b, s->path, stretch, err);
        if (st == PRVCUT_OK)
            st = wts_causes_wait(k->f, b, err);
        k->queue.next++;
        if (st == PRVCUT_OK)
            st = wbk_peek(k, &b, err);
    }
    return st == PRVCUT_OK && counts && last.ns > 0 ? wbk_book(k, &last, s->path, stretch, err)
                                                    : st;
}

/* Two calls at once by another path: which is first is known once nodes have their numbers. */
static bool wbk_is_alike(const struct wts_skeleton *a, const struct wts_skeleton *b)
{
    return a->thread == b->thread && a->begin == b->begin && a->end == b->end && a->path != b->path;
}

/* A node, and its number. */
struct wbk_first {
    uint64_t first, node;
};

static int wbk_first_compare(const void *a, const void *b)
{
    const struct wbk_first *x = a, *y = b;

    return x->first != y->first ? wbk_order(x->first, y->first) : wbk_order(x->node, y->node);
}

/* Nodes are numbered as they come thread by thread; parents come before their children. */
static enum prvcut_status wbk_number_nodes(struct wbk_books *k, struct prvcut_error *err)
{
    struct prvcut_waits_found *o = k->f->out;
    const size_t nodes = k->f->nodes.count;
    struct wbk_first *order = prvcut_unset(nodes + 1, sizeof *order, "call paths", err);
    uint64_t *number = prvcut_unset(nodes + 1, sizeof *number, "call paths", err);
    struct prvcut_waits_node *node =
        prvcut_copied(k->f->nodes.at, nodes * sizeof *node, "call paths", err);
    const bool room = order && number && node;

    for (size_t i = 0; room && i < nodes; i++)
        order[i] = (struct wbk_first){ k->f->first[i], i };
    if (room)
        qsort(order, nodes, sizeof *order, wbk_first_compare);
    for (size_t i = 0; room && i < nodes; i++)
        number[order[i].node] = i;
    for (size_t i = 0; room && i < nodes; i++) {
        node[i] = ((const struct prvcut_waits_node *)k->f->nodes.at)[order[i].node];
        node[i].parent = number[node[i].parent];
    }
    free(order);
    k->number = number;
    o->node = node;
    o->nodes = room ? nodes : 0;
    return room ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status wbk_calls(struct wbk_books *k, struct prvcut_error *err)
{
    struct wts_skeleton s[AHEAD], last = { .thread = PRVCUT_NOBODY };
    const struct wts_booking *b;
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(k->f->booking, err);

    if (st == PRVCUT_OK)
        st = prvcut_sorter_finish(k->f->skeleton, err);
    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(k->f->skeleton, s, AHEAD, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
            if (k->number)
                s[i].path = k->number[s[i].path];
            st = k->number && wbk_is_alike(&s[i], &last) ? PRVCUT_NONE : wbk_call(k, &s[i], err);
            last = s[i];
        }
    return st < 0 || st == PRVCUT_NONE ? st : wbk_next(k, NULL, &b, err);
}

/* What threads did outside of calls, between their first and last one. */
static uint64_t wbk_length(const struct wbk_books *k, uint32_t thread)
{
    const struct prvcut_waits_asked *a = k->f->asked;
    const struct prvcut_span reach = k->f->span[thread];
    const struct prvcut_span whole = { wts_time(k->f, thread, a->only.start),
                                       a->only.end > 0 ? wts_time(k->f, thread, a->only.end)
                                                       : UINT64_MAX };
    uint64_t sum = 0;

    for (size_t i = 0; i < (a->within ? a->stretches : 1); i++) {
        const struct prvcut_span s = a->within ? wbk_own(k, &a->stretch[i], thread) : whole;
        const uint64_t from = s.start > reach.start ? s.start : reach.start;
        const uint64_t to = s.end < reach.end ? s.end : reach.end;

        sum += to > from ? to - from : 0;
    }
    return sum;
}

static enum prvcut_status wbk_outside(struct wbk_books *k, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < k->f->out->threads && st == PRVCUT_OK; i++) {
        const bool looked = !k->f->asked->thread || k->f->asked->thread[i];
        const uint64_t length = looked ? wbk_length(k, i) : 0;

        if (length > k->inside[i])
            st = wts_cell_add(&k->cells, PRVCUT_WAITS_TIME, i, 0, length - k->inside[i], err);
    }
    return st;
}

/* --- Lengths ---------------------------------------------------------------------------------- */

/* The middle one, or the two: as twice their mean. */
static enum prvcut_status wbk_medians(struct wbk_books *k, struct prvcut_error *err)
{
    struct wbk_length l[AHEAD];
    uint64_t at = 0, metric = UINT64_MAX;
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(k->lengths, err);

    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(k->lengths, l, AHEAD, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count; i++) {
            struct prvcut_waits_sum *s = &k->f->out->sum[l[i].metric];

            at = l[i].metric == metric ? at + 1 : 0;
            metric = l[i].metric;
            s->median2 +=
                (at == (s->count - 1) / 2 ? l[i].ns : 0) + (at == s->count / 2 ? l[i].ns : 0);
        }
    return st < 0 ? st : PRVCUT_OK;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* OpenMP's have no call: they count where a whole run does. */
static enum prvcut_status wbk_omp(struct wbk_books *k, struct prvcut_error *err)
{
    const size_t before = k->cells.count;
    const struct prvcut_waits_cell *c;
    enum prvcut_status st = wts_omp_sum(k->f, &k->cells, err);

    if (st == PRVCUT_OK)
        st = wts_locks_sum(k->f, &k->cells, err);
    c = k->cells.at;
    for (size_t i = before; i < k->cells.count && st == PRVCUT_OK; i++) {
        k->f->out->sum[c[i].metric].ns += c[i].ns;
        k->f->out->sum[c[i].metric].count += c[i].count;
    }
    return st;
}

static void wbk_take_cells(struct wbk_books *k)
{
    struct prvcut_waits_found *o = k->f->out;

    if (!k->number)
        o->node = prvcut_table_take(&k->f->nodes, &o->nodes);
    o->cell = prvcut_table_take(&k->cells, &o->cells);
    if (o->cells > 0)
        qsort(o->cell, o->cells, sizeof *o->cell, wbk_cell_compare);
}

enum prvcut_status wts_balance(struct wts_finder *f, struct prvcut_error *err)
{
    struct wbk_books *k = prvcut_zeroed(1, sizeof *k, "books", err);
    const size_t threads = (size_t)f->out->threads + 1;
    enum prvcut_status st;

    if (!k)
        return PRVCUT_ENOMEM;
    k->f = f;
    k->cells = (struct prvcut_table)PRVCUT_TABLE(struct prvcut_waits_cell, ns, "severities");
    k->inside = prvcut_zeroed(threads, sizeof *k->inside, "threads", err);
    k->stretch = prvcut_zeroed(threads, sizeof *k->stretch, "threads", err);
    st = k->inside && k->stretch
             ? wts_sorter(f, &k->lengths, sizeof(struct wbk_length), wbk_length_compare, err)
             : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK && f->between)
        st = wbk_number_nodes(k, err);
    if (st == PRVCUT_OK)
        st = wbk_calls(k, err);
    if (st == PRVCUT_OK)
        st = wbk_outside(k, err);
    if (st == PRVCUT_OK)
        st = wbk_medians(k, err);
    if (st == PRVCUT_OK && wts_omp_asked(f->asked))
        st = wbk_omp(k, err);
    if (st == PRVCUT_OK)
        wbk_take_cells(k);
    free(k->number);
    prvcut_sorter_free(k->lengths);
    prvcut_table_fini(&k->cells);
    free(k->inside);
    free(k->stretch);
    free(k);
    return st;
}
