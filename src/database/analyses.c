#include "base/buffer.h"
#include "database/database.h"
#include "prvcut/patterns.h"
#include "prvcut/profile.h"
#include "prvcut/structure.h"
#include "prvcut/waits.h"

#include <math.h>
#include <stdio.h>

enum prvcut_status dbs_put_regions(struct dbs *d, const struct prvcut_structure *s,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->regions && st == PRVCUT_OK; i++) {
        const struct prvcut_region *g = prvcut_structure_region(s, i);
        const bool loop = g->number > 0;
        struct dbs_row r = dbs_begin(d, DBS_REGIONS);
        char name[32];

        snprintf(name, sizeof name, "%u.%u", g->level, g->number);
        dbs_text(&r, loop ? name : NULL);
        dbs_i64(&r, g->level);
        dbs_u64(&r, g->span.start);
        dbs_u64(&r, g->span.end);
        dbs_real(&r, loop ? g->iterations : NAN);
        dbs_number(&r, loop ? g->first : 0);
        dbs_real(&r, loop ? g->period_ns : NAN);
        dbs_real(&r, loop ? g->median_ns : NAN);
        dbs_real(&r, loop ? g->spread_ns : NAN);
        dbs_real(&r, loop ? g->confidence : NAN);
        st = dbs_end(&r, err);
    }
    return st;
}

enum prvcut_status dbs_put_iterations(struct dbs *d, const struct dbs_loop *loop,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < loop->count && st == PRVCUT_OK; i++) {
        const struct dbs_iteration *at = &loop->at[i];
        struct dbs_row r = dbs_begin(d, DBS_ITERATIONS);

        dbs_u64(&r, at->number);
        dbs_text(&r, at->region);
        dbs_u64(&r, at->span.start);
        dbs_u64(&r, at->span.end);
        dbs_u64(&r, at->span.end - at->span.start);
        dbs_i64(&r, at->disturbed);
        st = dbs_end(&r, err);
    }
    return st;
}

size_t dbs_iteration_at(const struct dbs_loop *loop, size_t *at, uint32_t thread, uint64_t time)
{
    struct prvcut_span own;

    if (loop->count == 0)
        return DBS_NO_ITERATION;
    while (*at > 0 && time < prvcut_window_own(loop->at[*at].window, thread).start)
        --*at;
    while (*at + 1 < loop->count &&
           time >= prvcut_window_own(loop->at[*at + 1].window, thread).start)
        ++*at;
    own = prvcut_window_own(loop->at[*at].window, thread);
    return time >= own.start && time < own.end ? *at : DBS_NO_ITERATION;
}

enum prvcut_status dbs_put_profile(struct dbs *d, const struct prvcut_profile *p,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->rows && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_row *row = prvcut_profile_row(p, i);
        struct dbs_row r = dbs_begin(d, DBS_PROFILE);

        if (!row->name || !dbs_tells(d, row->rank))
            continue;
        dbs_u32(&r, row->rank);
        dbs_text(&r, row->name);
        dbs_u64(&r, row->entered);
        dbs_u64(&r, row->ns);
        dbs_real(&r, row->mean_ns);
        dbs_u64(&r, row->least_ns);
        dbs_u64(&r, row->most_ns);
        st = dbs_end(&r, err);
    }
    return st;
}

enum prvcut_status dbs_put_iteration_counters(struct dbs *d, const struct prvcut_profile *p,
                                              struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->rows && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_row *row = prvcut_profile_row(p, i);

        if (!dbs_tells(d, row->rank))
            continue;
        for (size_t k = 0; row->counter && k < p->counters && st == PRVCUT_OK; k++) {
            struct dbs_row r;

            if (row->counter[k] == PRVCUT_PROFILE_UNTOLD)
                continue;
            r = dbs_begin(d, DBS_ITERATION_COUNTERS);
            dbs_u64(&r, row->iteration);
            dbs_u32(&r, row->rank);
            dbs_text(&r, prvcut_profile_counter(p, k));
            dbs_u64(&r, row->counter[k]);
            st = dbs_end(&r, err);
        }
    }
    return st;
}

/* "main/exchange/MPI_Recv" */
static enum prvcut_status ana_path(struct prvcut_buffer *b, const struct prvcut_wait_states *w,
                                   size_t path, struct prvcut_error *err)
{
    const char *frame;
    enum prvcut_status st = PRVCUT_OK;

    b->count = 0;
    for (size_t k = 0; (frame = prvcut_waits_frame(w, path, k)) && st == PRVCUT_OK; k++)
        st = prvcut_buffer_printf(b, err, "%s%s", k > 0 ? "/" : "", frame);
    return st == PRVCUT_OK ? prvcut_buffer_append(b, "", 1, err) : st;
}

static enum prvcut_status ana_wait(struct dbs *d, const struct prvcut_wait_states *w,
                                   const struct prvcut_waits_metric *m, size_t metric,
                                   struct prvcut_buffer *b, struct prvcut_error *err)
{
    const struct prvcut_waits_path *path;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; (path = prvcut_waits_path(w, metric, k)) && st == PRVCUT_OK; k++) {
        st = ana_path(b, w, path->path, err);
        for (uint32_t rank = 0; rank < w->ranks && st == PRVCUT_OK; rank++) {
            struct dbs_row r = dbs_begin(d, DBS_WAITS);

            if (path->rank_ns[rank] == 0 || !dbs_tells(d, rank))
                continue;
            dbs_text(&r, m->name);
            dbs_i64(&r, rank);
            dbs_text(&r, b->at);
            dbs_u64(&r, path->rank_ns[rank]);
            st = dbs_end(&r, err);
        }
    }
    return st;
}

enum prvcut_status dbs_put_waits(struct dbs *d, const struct prvcut_wait_states *w,
                                 struct prvcut_error *err)
{
    struct prvcut_buffer b = { .at = NULL };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->metrics && st == PRVCUT_OK; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        if (!m->reason)
            st = ana_wait(d, w, m, i, &b, err);
    }
    prvcut_buffer_fini(&b);
    return st;
}

enum prvcut_status dbs_put_wait(struct dbs *d, const struct dbs_wait *w,
                                const struct dbs_loop *loop, size_t *at,
                                const struct prvcut_objects *o, struct prvcut_error *err)
{
    const size_t iteration = dbs_iteration_at(loop, at, w->thread, w->begin_ns);
    const bool known = w->cause < o->threads;
    struct dbs_row r = dbs_begin(d, DBS_WAITING);

    if (!dbs_tells(d, o->thread_task[w->thread]))
        return PRVCUT_OK;
    dbs_text(&r, w->metric);
    dbs_i64(&r, (int64_t)w->thread + 1);
    dbs_i64(&r, o->thread_task[w->thread]);
    dbs_u64(&r, w->begin_ns);
    dbs_u64(&r, w->end_ns);
    dbs_u64(&r, w->ns);
    dbs_u32(&r, known ? w->cause + 1 : UINT32_MAX);
    dbs_u32(&r, known ? o->thread_task[w->cause] : UINT32_MAX);
    dbs_u64(&r, known ? w->cause_begin_ns : UINT64_MAX);
    dbs_number(&r, iteration == DBS_NO_ITERATION ? 0 : loop->at[iteration].number);
    return dbs_end(&r, err);
}

enum prvcut_status dbs_put_points(struct dbs *d, const struct prvcut_patterns *p,
                                  const struct prvcut_objects *o, struct prvcut_error *err)
{
    const struct prvcut_point *at;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; (at = prvcut_patterns_point(p, i)) && st == PRVCUT_OK; i++) {
        const bool told = at->cause != PRVCUT_POINT_UNTOLD;
        struct dbs_row r = dbs_begin(d, DBS_POINTS);

        if (!dbs_tells(d, o->thread_task[at->thread]))
            continue;
        dbs_number(&r, at->iteration);
        dbs_i64(&r, (int64_t)at->thread + 1);
        dbs_i64(&r, o->thread_task[at->thread]);
        dbs_u64(&r, at->start_ns);
        dbs_u64(&r, at->length_ns);
        dbs_u64(&r, at->median_ns);
        dbs_real(&r, at->factor);
        dbs_u64(&r, at->alike);
        dbs_i64(&r, at->outlier);
        dbs_text(&r, at->call);
        dbs_text(&r, told ? prvcut_point_cause_text(at->cause) : NULL);
        dbs_u32(&r, told ? at->cause_thread + 1 : UINT32_MAX);
        dbs_u32(&r, told ? o->thread_task[at->cause_thread] : UINT32_MAX);
        dbs_number(&r, at->excess_ns);
        dbs_text(&r, told && at->mask != PRVCUT_CAUSE_NONE ? prvcut_cause_text(at->mask) : NULL);
        st = dbs_end(&r, err);
    }
    return st;
}

enum prvcut_status dbs_put_note(struct dbs *d, const char *about, const char *kind,
                                const char *text, struct prvcut_error *err)
{
    struct dbs_row r = dbs_begin(d, DBS_NOTES);

    dbs_text(&r, about);
    dbs_text(&r, kind);
    dbs_text(&r, text);
    return dbs_end(&r, err);
}
