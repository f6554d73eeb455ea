#include "analysis/waits/waits_find.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * OpenMP as Extrae records it: a parallel region on its master, the body of it on each thread, and
 * explicit barriers. They come by time; the k-th barriers of those in a region belong together. A
 * region that begins inside another one is its master's alone: threads are in the outer one, unless
 * they begin something there, which the inner one may have begun as well. In archives each thread
 * has its own region, and these are told by name: the k-th of all threads of a process belong
 * together.
 */

#define OMP_REGION  60000001u
#define OMP_BARRIER 60000005u
#define OMP_BODY    60000018u
#define AHEAD       256

/* What a thread did in the region at hand. */
struct wmp_body {
    uint64_t begin, end;
    uint32_t region;      /* number of the region that it is of */
    struct wts_omp inner; /* its latest region inside another one */
    bool inside;          /* it began that */
    uint64_t place;       /* of its latest barriers (wmp_place), 0: none */
    uint64_t barriers;    /* so many there */
};

struct wmp_sums {
    struct wts_finder *f;
    struct prvcut_table *cells;
    struct prvcut_error *err;
    struct wmp_body *body; /* [threads] */
    struct wts_omp region;
    uint32_t regions, task; /* regions so far: the present one's number; 0: none */
    uint64_t parallel;      /* ns in regions of the task */
    uint64_t covered;       /* up to here, ns */
    uint64_t inner;         /* until when one is inside another one, ns */
    uint64_t fork, ibarrier, ebarrier;
    bool any, bodies, barriers;
    bool implicit;        /* barriers at the ends of regions are regions themselves */
    struct wts_omp *team; /* [threads] a barrier's */
    uint32_t members;
    uint64_t place; /* of Extrae's barrier (wmp_place) */
};

bool wts_omp_asked(const struct prvcut_waits_asked *a)
{
    return a->openmp || (a->only.end == 0 && a->stretches == 0);
}

static int wmp_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int wts_omp_compare(const void *a, const void *b)
{
    const struct wts_omp *x = a, *y = b;
    const bool counted[2] = { x->kind >= WTS_OMP_BARRIER, y->kind >= WTS_OMP_BARRIER };

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (counted[0] != counted[1])
        return counted[0] ? 1 : -1;
    if (counted[0] && x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (counted[0] && x->number != y->number)
        return wmp_order(x->number, y->number);
    if (!counted[0] && x->begin != y->begin)
        return wmp_order(x->begin, y->begin);
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->thread != y->thread ? wmp_order(x->thread, y->thread) : wmp_order(x->end, y->end);
}

enum wts_omp_kind wts_omp_of_name(const char *name)
{
    static const struct {
        const char *begins;
        enum wts_omp_kind kind;
    } known[] = { { "OpenMP Parallel", WTS_OMP_PARALLEL },
                  { "OpenMP barrier", WTS_OMP_BARRIER },
                  { "OpenMP implicit barrier", WTS_OMP_IMPLICIT },
                  { "!$omp parallel", WTS_OMP_PARALLEL },
                  { "!$omp barrier", WTS_OMP_BARRIER },
                  { "!$omp implicit barrier", WTS_OMP_IMPLICIT } };

    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
        if (strncasecmp(name, known[i].begins, strlen(known[i].begins)) == 0)
            return known[i].kind;
    return WTS_OMP_NONE;
}

static uint64_t *wmp_count(const struct wts_finder *f, uint32_t kind, uint32_t thread)
{
    return &f->omp_counts[(size_t)(kind - WTS_OMP_BARRIER) * (f->out->threads + 1) + thread];
}

enum prvcut_status wts_omp_note(struct wts_finder *f, const struct prvcut_stream_call *c,
                                enum wts_omp_kind named, struct prvcut_error *err)
{
    struct wts_omp o = { .begin = c->span.start,
                         .end = c->span.end,
                         .thread = c->thread,
                         .kind = (uint32_t)named,
                         .task = f->out->objects->thread_task[c->thread] };

    if (c->no_end || c->no_begin)
        return PRVCUT_OK;
    if (c->type == OMP_BARRIER)
        o.kind = WTS_OMP_OF_TEAM;
    else if (c->type == OMP_REGION || c->type == OMP_BODY)
        o.kind = c->type == OMP_REGION ? WTS_OMP_REGION : WTS_OMP_BODY;
    if (o.kind == WTS_OMP_NONE)
        return PRVCUT_OK;
    if (o.kind >= WTS_OMP_BARRIER)
        o.number = (*wmp_count(f, o.kind, c->thread))++;
    f->omp_noted = true;
    return prvcut_sorter_add(f->omp, 0, &o, 1, err);
}

static uint32_t wmp_first(const struct wmp_sums *s)
{
    return s->f->out->objects->task_first_thread[s->task];
}

static uint32_t wmp_threads(const struct wmp_sums *s)
{
    return s->f->out->objects->task_first_thread[s->task + 1] - wmp_first(s);
}

/* Where something is that begins then: in the region at hand, or behind it; 0 is nowhere. */
static uint64_t wmp_place(const struct wmp_sums *s, uint64_t begin)
{
    return 2 * (uint64_t)s->regions + (s->regions == 0 || begin > s->region.end);
}

/* The region is over: who began and ended when. */
static void wmp_end_region(struct wmp_sums *s)
{
    const uint32_t first = wmp_first(s), threads = wmp_threads(s);
    uint64_t last = 0;

    for (uint32_t i = first; i < first + threads; i++)
        if (s->body[i].region == s->regions && s->body[i].end > last)
            last = s->body[i].end;
    for (uint32_t i = first; s->regions > 0 && i < first + threads; i++) {
        if (s->body[i].region != s->regions)
            continue;
        s->fork += s->body[i].begin - s->region.begin;
        s->ibarrier += last - s->body[i].end;
    }
}

/* What all of the team lose until the last one comes. */
static uint64_t wmp_until_last(const struct wmp_sums *s)
{
    uint64_t last = 0, sum = 0;

    for (uint32_t i = 0; i < s->members; i++)
        last = s->team[i].begin > last ? s->team[i].begin : last;
    for (uint32_t i = 0; i < s->members; i++)
        sum += (last < s->team[i].end ? last : s->team[i].end) - s->team[i].begin;
    return sum;
}

/* A parallel region that each thread has for itself: from the first to begin to the last to end. */
static void wmp_end_parallel(struct wmp_sums *s)
{
    uint64_t first = UINT64_MAX, last = 0;

    for (uint32_t i = 0; i < s->members; i++) {
        const struct wts_omp *o = &s->team[i];

        first = o->begin < first ? o->begin : first;
        last = o->end > last ? o->end : last;
        s->parallel += o->thread == wmp_first(s) ? o->end - o->begin : 0;
    }
    for (uint32_t i = 0; i < s->members; i++) {
        s->fork += s->team[i].begin - first;
        s->ibarrier += s->implicit ? 0 : last - s->team[i].end;
    }
    s->bodies = true;
    s->regions++;
}

/* How many come to the barriers of a place: who is in the region, and who had one there. */
static uint32_t wmp_team(const struct wmp_sums *s, uint64_t place)
{
    uint32_t team = 0;

    for (uint32_t i = wmp_first(s); i < wmp_first(s) + wmp_threads(s); i++)
        team += s->body[i].place == place ||
                (s->body[i].region > 0 && 2 * (uint64_t)s->body[i].region == place);
    return team;
}

/* All barriers of one number are known: the next one begins behind them. */
static void wmp_end_barrier(struct wmp_sums *s)
{
    if (s->members == wmp_team(s, s->place))
        s->ebarrier += wmp_until_last(s);
    else
        s->f->seen.uneven_barriers = true;
}

static void wmp_end_team(struct wmp_sums *s)
{
    const uint32_t kind = s->members > 0 ? s->team[0].kind : WTS_OMP_NONE;

    if (kind == WTS_OMP_PARALLEL)
        wmp_end_parallel(s);
    else if (kind == WTS_OMP_IMPLICIT)
        s->ibarrier += wmp_until_last(s);
    else if (kind == WTS_OMP_BARRIER)
        s->ebarrier += wmp_until_last(s);
    else if (kind == WTS_OMP_OF_TEAM)
        wmp_end_barrier(s);
    s->members = 0;
}

/* Have all threads of the process that have any as many as the others? Else the k-th of them need
   not belong together. */
static bool wmp_uneven(const struct wmp_sums *s, uint32_t kind)
{
    uint64_t least = UINT64_MAX, most = 0;

    for (uint32_t i = wmp_first(s); i < wmp_first(s) + wmp_threads(s); i++) {
        const uint64_t n = *wmp_count(s->f, kind, i);

        least = n > 0 && n < least ? n : least;
        most = n > most ? n : most;
    }
    return most > 0 && least != most;
}

static void wmp_begin_task(struct wmp_sums *s)
{
    s->implicit = false;
    for (uint32_t i = wmp_first(s); i < wmp_first(s) + wmp_threads(s); i++)
        s->implicit |= *wmp_count(s->f, WTS_OMP_IMPLICIT, i) > 0;
    s->f->seen.uneven |= wmp_uneven(s, WTS_OMP_PARALLEL) || wmp_uneven(s, WTS_OMP_IMPLICIT);
    s->f->seen.uneven_barriers |= wmp_uneven(s, WTS_OMP_BARRIER);
}

static enum prvcut_status wmp_put(struct wmp_sums *s, enum prvcut_wait metric, uint64_t ns)
{
    const uint8_t *looked = s->f->asked->thread;

    if (ns == 0 || (looked && !looked[wmp_first(s)]))
        return PRVCUT_OK;
    return wts_cell_add(s->cells, metric, wmp_first(s), 0, ns, s->err);
}

/* The process is through. */
static enum prvcut_status wmp_end_task(struct wmp_sums *s)
{
    const struct prvcut_span *span = &s->f->span[wmp_first(s)];
    const uint64_t all = span->end - span->start;
    const uint64_t idle = all > s->parallel ? (wmp_threads(s) - 1) * (all - s->parallel) : 0;
    enum prvcut_status st;

    wmp_end_team(s);
    wmp_end_region(s);
    st = wmp_put(s, PRVCUT_WAIT_OMP_FORK, s->fork);
    if (st == PRVCUT_OK)
        st = wmp_put(s, PRVCUT_WAIT_OMP_IBARRIER, s->ibarrier);
    if (st == PRVCUT_OK)
        st = wmp_put(s, PRVCUT_WAIT_OMP_EBARRIER, s->ebarrier);
    if (st == PRVCUT_OK)
        st = wmp_put(s, PRVCUT_WAIT_OMP_IDLE, s->regions > 0 ? idle : 0);
    s->fork = s->ibarrier = s->ebarrier = s->parallel = s->covered = s->inner = 0;
    s->regions = 0;
    for (uint32_t i = wmp_first(s); i < wmp_first(s) + wmp_threads(s); i++)
        s->body[i] = (struct wmp_body){ 0 };
    return st;
}

/* A region inside another one: whose threads are in it is told of its master alone. */
static void wmp_take_inner(struct wmp_sums *s, const struct wts_omp *o)
{
    s->body[o->thread].inner = *o;
    s->body[o->thread].inside = false;
    s->inner = o->end > s->inner ? o->end : s->inner;
}

static void wmp_take_region(struct wmp_sums *s, const struct wts_omp *o)
{
    const uint64_t from = o->begin > s->covered ? o->begin : s->covered;

    s->parallel += o->end > from ? o->end - from : 0;
    s->covered = o->end > s->covered ? o->end : s->covered;
    if (s->regions > 0 && o->begin < s->region.end) {
        wmp_take_inner(s, o);
        return;
    }
    wmp_end_team(s);
    wmp_end_region(s);
    s->region = *o;
    s->regions++;
    s->inner = 0;
}

/* Is the thread in a region of its own inside the one at hand? */
static bool wmp_is_inner(const struct wmp_sums *s, const struct wts_omp *o)
{
    const struct wts_omp *inner = &s->body[o->thread].inner;

    return inner->end > o->begin && inner->begin >= s->region.begin;
}

static void wmp_take_body(struct wmp_sums *s, const struct wts_omp *o)
{
    struct wmp_body *b = &s->body[o->thread];

    if (s->regions == 0 || o->begin > s->region.end)
        return;
    s->bodies = true;
    if (wmp_is_inner(s, o)) {
        s->fork += b->inside ? 0 : o->begin - b->inner.begin;
        b->inside = true;
        return;
    }
    if (o->begin < s->inner && (b->region != s->regions || o->end > b->end))
        s->f->seen.mixed = true;
    if (b->region != s->regions) {
        b->begin = o->begin;
        b->end = o->end;
        b->region = s->regions;
    }
    b->end = o->end > b->end ? o->end : b->end;
}

/* Of Extrae: the k-th of all that are in a region belong together. */
static void wmp_take_barrier(struct wmp_sums *s, const struct wts_omp *o)
{
    struct wmp_body *b = &s->body[o->thread];
    const uint64_t place = wmp_place(s, o->begin);
    struct wts_omp own = *o;

    if (wmp_is_inner(s, o))
        return;
    if (s->members > 0 && s->place != place)
        wmp_end_team(s);
    if (b->place != place)
        b->barriers = 0;
    b->place = s->place = place;
    own.number = b->barriers++;
    if (s->members > 0 && s->team[0].number != own.number)
        wmp_end_team(s);
    s->team[s->members++] = own;
}

/* Of an archive: the k-th of all threads. */
static void wmp_take_counted(struct wmp_sums *s, const struct wts_omp *o)
{
    if (s->members > 0 && (s->team[0].number != o->number || s->team[0].kind != o->kind))
        wmp_end_team(s);
    s->team[s->members++] = *o;
}

static enum prvcut_status wmp_take(struct wmp_sums *s, const struct wts_omp *o)
{
    enum prvcut_status st = PRVCUT_OK;

    if (s->any && o->task != s->task)
        st = wmp_end_task(s);
    if (!s->any || o->task != s->task) {
        s->task = o->task;
        wmp_begin_task(s);
    }
    s->any = true;
    s->barriers |= o->kind == WTS_OMP_OF_TEAM || o->kind == WTS_OMP_BARRIER;
    if (o->kind == WTS_OMP_REGION)
        wmp_take_region(s, o);
    else if (o->kind == WTS_OMP_BODY)
        wmp_take_body(s, o);
    else if (o->kind == WTS_OMP_OF_TEAM)
        wmp_take_barrier(s, o);
    else
        wmp_take_counted(s, o);
    return st;
}

enum prvcut_status wts_omp_sum(struct wts_finder *f, struct prvcut_table *cells,
                               struct prvcut_error *err)
{
    const size_t threads = (size_t)f->out->threads + 1;
    struct wmp_sums s = { .f = f, .cells = cells, .err = err };
    struct wts_omp o[AHEAD];
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(f->omp, err);

    s.body = prvcut_zeroed(threads, sizeof *s.body, "threads", err);
    s.team = prvcut_zeroed(threads, sizeof *s.team, "threads", err);
    if (!s.body || !s.team)
        st = PRVCUT_ENOMEM;
    while (st == PRVCUT_OK && (st = prvcut_sorter_next(f->omp, o, AHEAD, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
            st = wmp_take(&s, &o[i]);
    if (st >= 0 && s.any)
        st = wmp_end_task(&s);
    f->seen.regions = s.bodies;
    f->seen.barriers = s.barriers;
    free(s.body);
    free(s.team);
    return st < 0 ? st : PRVCUT_OK;
}
