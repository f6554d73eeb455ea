#include "api/job_why_spent.h"

#include "api/flushed.h"
#include "api/job_borders.h"
#include "api/job_parts.h"
#include "api/job_rows.h"
#include "api/job_why.h"
#include "api/job_why_lag.h"
#include "api/job_why_who.h"
#include "api/phase.h"

#include "analysis/profile/profile_pace.h"
#include "analysis/why.h"
#include "base/memory.h"
#include "model/calls.h"
#include "structure/known.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a thread's time: what is so much of it is all of it. */
#define JWS_ALL 0.99

void job_why_spent_fini(struct job_why_spent *w)
{
    if (w->read)
        prvcut_profile_found_fini(&w->found);
    job_why_picks_fini(&w->is);
    job_why_last_fini(&w->tail);
    free(w->first);
    free(w->stretch);
    free(w->bound);
    free(w->at);
    free(w->length);
    free(w->clear);
}

/* --- What threads spent in them --------------------------------------------------------------- */

/* Which of those that are asked for have none before them that ends where they begin. */
static enum prvcut_status jws_list_first(struct job_why_spent *w, struct prvcut_error *err)
{
    const struct job_kinds *k = w->j->kinds;
    const size_t room = PRVCUT_PROFILE_APART / ((size_t)w->j->trace->objects.threads + 1);

    w->first = prvcut_zeroed(w->is.asked + 1, sizeof *w->first, "iterations", err);
    if (!w->first)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->is.asked && 2 * w->picks + w->firsts < room; i++)
        if (w->pick[i] == 0 || k->border[w->pick[i]] != k->border[w->pick[i] - 1] + 1)
            w->first[w->firsts++] = i;
    return PRVCUT_OK;
}

/* From where one begins for all until each thread begins its own. */
static void jws_lay_lag(struct job_why_spent *w, size_t n)
{
    const size_t threads = w->j->trace->objects.threads;
    const struct prvcut_window *all = &w->stretch[w->first[n]].window;
    uint64_t *bound = w->bound + 2 * threads * (w->picks + n);

    for (uint32_t t = 0; t < threads; t++) {
        const uint64_t own = prvcut_window_own(&w->stretch[w->picks + w->first[n]].window, t).start;
        const uint64_t end = own < all->to ? own : all->to;

        bound[t] = all->from;
        bound[threads + t] = end > all->from ? end : all->from;
    }
    w->stretch[2 * w->picks + n].window = (struct prvcut_window){
        .from = all->from, .to = all->to, .thread_from = bound, .thread_to = bound + threads
    };
}

/* The loop's last one ends with its last call on each thread, and for all no earlier than on the
   one that leads. */
static void jws_lay_tail(struct job_why_spent *w)
{
    const size_t threads = w->j->trace->objects.threads;

    for (size_t i = 0; i < w->picks && w->tail.end; i++) {
        uint64_t *bound = w->bound + 2 * threads * i;

        if (w->pick[i] != w->tail.iteration)
            continue;
        if (w->tail.lead > w->stretch[i].window.to)
            w->stretch[i].window.to = w->tail.lead;
        for (size_t t = 0; t < threads; t++)
            if (w->tail.end[t] > bound[t])
                bound[threads + t] = w->tail.end[t];
    }
}

/* At one time for all, for who is late is so while the others wait, which on their own borders may
   be another iteration; and on each thread's own borders. */
static enum prvcut_status jws_lay(struct job_why_spent *w, struct prvcut_error *err)
{
    static const size_t all[2] = { 0, 0 };
    const struct job *j = w->j;
    const size_t threads = j->trace->objects.threads;
    struct job_borders own = { .count = 0 };
    enum prvcut_status st = jws_list_first(w, err);

    w->stretch = prvcut_zeroed(2 * w->picks + w->firsts + 1, sizeof *w->stretch, "iterations", err);
    w->bound = prvcut_zeroed(2 * threads * (w->picks + w->firsts) + 1, sizeof *w->bound,
                             "iterations", err);
    if (st < 0 || !w->stretch || !w->bound)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->picks && st == PRVCUT_OK; i++) {
        const uint64_t *border = j->kinds->border[w->pick[i]];
        const struct job_row row = job_row_between(j, border, 2, j->kinds->region);

        w->stretch[i].window = (struct prvcut_window){ .from = border[0], .to = border[1] };
        w->stretch[w->picks + i].window = job_row_window(j, &row, all, w->bound + 2 * threads * i);
        st = job_borders_want(&own, j, &row, 2 * threads * i, err);
    }
    if (st == PRVCUT_OK)
        st = job_borders_align(&own, j, w->stretch + w->picks, w->picks, w->bound, err);
    job_borders_fini(&own);
    if (st == PRVCUT_OK)
        jws_lay_tail(w);
    for (size_t n = 0; n < w->firsts && st == PRVCUT_OK; n++)
        jws_lay_lag(w, n);
    return st;
}

/* Where single iterations of a long trace are wanted, these alone are read, and one before each for
   what holds on at its start; not where that is most of it. */
static enum prvcut_status jws_lay_parts(struct job_parts *p, const struct job_why_spent *w,
                                        struct prvcut_error *err)
{
    const struct job *j = w->j;
    const struct made_structure *s = &j->out->structure;
    const uint64_t before = (uint64_t)s->region[j->kinds->region].is.median_ns;
    uint64_t read = 0;

    *p = (struct job_parts){ .span = NULL };
    if (j->options || !j->trace->seekable || j->trace->reader->by_thread ||
        job_records(j) <= JOB_WHY_RECORDS)
        return PRVCUT_OK;
    if (job_parts_lay(p, w->stretch, 2 * w->picks + w->firsts, before, j->trace->objects.threads,
                      err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < p->only.spans; i++)
        read += p->span[i].end - p->span[i].start + before;
    if (read > j->trace->end_ns / 2)
        job_parts_fini(p);
    return PRVCUT_OK;
}

static enum prvcut_status jws_read(struct job_why_spent *w, struct prvcut_error *err)
{
    const struct job *j = w->j;
    struct api_phase comparing;
    struct prvcut_profile_asked asked = {
        .until = UINT64_MAX,
        .off = true,
        .outside = true,
        .together = true,
        .pace = job_has_roles(j->trace, PRVCUT_ROLE_BIT(PRVCUT_ROLE_CYCLES)),
    };
    struct job_parts parts = { .span = NULL };
    enum prvcut_status st = jws_lay(w, err);

    if (st == PRVCUT_OK)
        st = jws_lay_parts(&parts, w, err);
    if (st == PRVCUT_OK) {
        asked.stretch = w->stretch;
        asked.stretches = 2 * w->picks + w->firsts;
        api_phase_init(&comparing, j->run, PRVCUT_PHASE_COMPARING);
        w->read = true;
        st = parts.span ? prvcut_profile_read_parts(&w->found, j->trace, &comparing.run, &asked,
                                                    &parts.only, err)
                        : prvcut_profile_read(&w->found, j->trace, &comparing.run, &asked, err);
    }
    job_parts_fini(&parts);
    return st;
}

static bool jws_same(const struct prvcut_proof_key *a, const struct prvcut_proof_key *b)
{
    return a->kind == b->kind && a->type == b->type && a->value == b->value;
}

static size_t jws_call(const struct job_why_spent *w, const struct prvcut_proof_key *key)
{
    for (size_t i = 0; i < w->calls; i++)
        if (jws_same(&w->call[i], key))
            return i;
    return SIZE_MAX;
}

static const struct prvcut_profile_cell *jws_cell(const struct job_why_spent *w, size_t i)
{
    return (const struct prvcut_profile_cell *)w->found.cell.at + i;
}

/* A kind of call, and the time in it. */
struct jws_kind {
    struct prvcut_proof_key key;
    uint64_t ns;
    size_t order; /* of first sight */
};

static int jws_by_time(const void *a, const void *b)
{
    const struct jws_kind *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Does a call start something, and wait for nobody? */
static bool jws_is_alone(const struct prvcut_proof_key *key)
{
    const struct prvcut_mpi_call *c = prvcut_mpi_call_by_value(key->type, key->value);

    return c && (c->nonblocking || c->state == PRVCUT_STATE_IMMEDIATE_SEND ||
                 c->state == PRVCUT_STATE_IMMEDIATE_RECEIVE);
}

/* The calls that take most of the time. */
static enum prvcut_status jws_list_calls(struct job_why_spent *w, struct prvcut_error *err)
{
    struct prvcut_table kinds = PRVCUT_TABLE(struct jws_kind, ns, "calls");
    struct jws_kind *k;
    size_t count;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->found.cell.count && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_cell *c = jws_cell(w, i);

        if (c->key.of.kind != PRVCUT_PROOF_CALL)
            continue;
        k = prvcut_table_make(&kinds, &c->key.of, err);
        st = k ? st : PRVCUT_ENOMEM;
        if (k)
            k->ns += c->amount;
    }
    k = prvcut_table_take(&kinds, &count);
    for (size_t i = 0; i < count; i++)
        k[i].order = i;
    if (count > 0)
        qsort(k, count, sizeof *k, jws_by_time);
    for (size_t i = 0; i < count && i < JOB_WHY_CALLS; i++) {
        w->alone[w->calls] = jws_is_alone(&k[i].key);
        w->call[w->calls++] = k[i].key;
    }
    free(k);
    prvcut_table_fini(&kinds);
    return st;
}

/* The column of a cell; SIZE_MAX: it says nothing of why. */
static size_t jws_column(const struct job_why_spent *w, const struct prvcut_proof_key *of, bool own)
{
    const size_t call = of->kind == PRVCUT_PROOF_CALL ? jws_call(w, of) : SIZE_MAX;
    const bool state = of->kind == PRVCUT_PROOF_STATE;

    if (state && of->type == w->found.names.running)
        return own ? PRVCUT_WHY_OWN : PRVCUT_WHY_COMPUTING;
    if (own && of->kind == PRVCUT_PROOF_COUNTER && of->value == PRVCUT_ROLE_INSTRUCTIONS)
        return PRVCUT_WHY_INSTRUCTIONS;
    if (own && of->kind == PRVCUT_PROOF_COUNTER && of->value == PRVCUT_ROLE_CYCLES)
        return PRVCUT_WHY_CYCLES;
    if (own && of->kind == PRVCUT_PROOF_MESSAGE)
        return of->type == PRVCUT_PROFILE_TOGETHER ? PRVCUT_WHY_TOGETHER : PRVCUT_WHY_BYTES;
    if (own)
        return SIZE_MAX;
    return call != SIZE_MAX ? PRVCUT_WHY_COLUMNS + call : SIZE_MAX;
}

static double *jws_at(const struct job_why_spent *w, size_t iteration, uint32_t thread)
{
    return w->at + (iteration * w->found.threads + thread) * (PRVCUT_WHY_COLUMNS + w->calls);
}

/* The column of a cell of a lag; SIZE_MAX: it says nothing of why. */
static size_t jws_lag_column(const struct job_why_spent *w, const struct prvcut_proof_key *of)
{
    if (of->kind == PRVCUT_PROOF_STATE && of->type == w->found.names.running)
        return PRVCUT_WHY_LAG_COMPUTING;
    if (of->kind == PRVCUT_PROOF_COUNTER && of->value == PRVCUT_ROLE_INSTRUCTIONS)
        return PRVCUT_WHY_LAG_INSTRUCTIONS;
    if (of->kind == PRVCUT_PROOF_COUNTER && of->value == PRVCUT_ROLE_CYCLES)
        return PRVCUT_WHY_LAG_CYCLES;
    return SIZE_MAX;
}

/* What threads do on their own borders that is no column: [picks][threads] ns; owned */
struct jws_own {
    double *calls, *off;
    double *every; /* in calls at one time for all */
};

/* While tracing is off. */
static void jws_offs(struct job_why_spent *w, struct jws_own *own)
{
    const struct prvcut_profile_cell *c = w->found.off.at;

    for (size_t i = 0; i < w->found.off.count; i++) {
        const size_t slot = c[i].key.slot;
        const uint32_t thread = c[i].key.thread;

        if (thread >= w->found.threads)
            continue;
        if (slot < w->picks)
            jws_at(w, slot, thread)[PRVCUT_WHY_OFF] += (double)c[i].amount;
        else if (slot < 2 * w->picks)
            own->off[(slot - w->picks) * w->found.threads + thread] += (double)c[i].amount;
    }
}

/* A flush in an iteration: at one time for all, and on the thread's own borders. */
static void jws_flush(struct job_why_spent *w, size_t iteration, const struct prvcut_flush *f,
                      const uint64_t *border)
{
    const struct prvcut_span own =
        prvcut_window_own(&w->stretch[w->picks + iteration].window, f->thread);
    double *at = jws_at(w, iteration, f->thread);

    at[PRVCUT_WHY_FLUSHING] += api_flushed(f, border[0], border[1]);
    at[PRVCUT_WHY_OWN_FLUSHING] += api_flushed(f, own.start, own.end);
}

/* Flushes, as the first reading saw them begin and end; these and what is not traced are no
   computing. */
static void jws_flushes(struct job_why_spent *w, const struct jws_own *own)
{
    const struct prvcut_flushes *f = &w->j->data.flushes;
    const struct job_kinds *k = w->j->kinds;

    for (size_t i = 0; i < w->picks; i++) {
        const uint64_t *border = k->border[w->pick[i]];

        for (size_t n = 0; n < f->count; n++)
            if (f->at[n].thread < w->found.threads)
                jws_flush(w, i, &f->at[n], border);
        for (uint32_t t = 0; t < w->found.threads; t++) {
            double *at = jws_at(w, i, t);
            const double computed = at[PRVCUT_WHY_OWN];
            const double off = own->off[i * w->found.threads + t];
            const double calls = own->calls[i * w->found.threads + t];

            at[PRVCUT_WHY_OUTSIDE] =
                fmax(0, (double)prvcut_profile_length(&w->found, w->picks + i, t) - calls);

            api_flushed_take(&at[PRVCUT_WHY_COMPUTING], own->every[i * w->found.threads + t],
                             at[PRVCUT_WHY_FLUSHING] + at[PRVCUT_WHY_OFF],
                             (double)prvcut_profile_length(&w->found, i, t));
            api_flushed_take(&at[PRVCUT_WHY_OWN], calls, at[PRVCUT_WHY_OWN_FLUSHING] + off,
                             (double)prvcut_profile_length(&w->found, w->picks + i, t));
            at[PRVCUT_WHY_STOLEN] =
                fmax(0, at[PRVCUT_WHY_STOLEN] - (computed - at[PRVCUT_WHY_OWN]));
        }
    }
}

/* How much later than for all each thread begins its own, and, of the first, what it does in that
   time. */
static void jws_lags(struct job_why_spent *w)
{
    for (size_t i = 0; i < w->picks; i++)
        for (uint32_t t = 0; t < w->found.threads; t++) {
            const uint64_t from = w->stretch[i].window.from;
            const uint64_t own = prvcut_window_own(&w->stretch[w->picks + i].window, t).start;

            jws_at(w, i, t)[PRVCUT_WHY_LAG] = own > from ? (double)(own - from) : 0;
            jws_at(w, i, t)[PRVCUT_WHY_LENGTH] =
                (double)prvcut_profile_length(&w->found, w->picks + i, t);
        }
    for (size_t n = 0; n < w->firsts; n++)
        for (uint32_t t = 0; t < w->found.threads; t++)
            jws_at(w, w->first[n], t)[PRVCUT_WHY_LAG_OUTSIDE] =
                (double)prvcut_profile_length(&w->found, 2 * w->picks + n, t);
    for (size_t i = 0; i < w->found.cell.count; i++) {
        const struct prvcut_profile_cell *c = jws_cell(w, i);
        const size_t column = jws_lag_column(w, &c->key.of);
        double *at;

        if (c->key.slot < 2 * w->picks || c->key.thread >= w->found.threads)
            continue;
        at = jws_at(w, w->first[c->key.slot - 2 * w->picks], c->key.thread);
        if (c->key.of.kind == PRVCUT_PROOF_CALL)
            at[PRVCUT_WHY_LAG_OUTSIDE] = fmax(0, at[PRVCUT_WHY_LAG_OUTSIDE] - (double)c->amount);
        if (column != SIZE_MAX)
            at[column] += (double)c->amount;
    }
}

/* Time that no call has. */
static void jws_compute_rest(struct job_why_spent *w, const struct jws_own *own)
{
    for (size_t i = 0; i < w->picks; i++)
        for (uint32_t t = 0; t < w->found.threads; t++) {
            double *at = jws_at(w, i, t);

            at[PRVCUT_WHY_COMPUTING] = fmax(0, (double)prvcut_profile_length(&w->found, i, t) -
                                                   own->every[i * w->found.threads + t]);
            at[PRVCUT_WHY_OWN] = fmax(0, (double)prvcut_profile_length(&w->found, w->picks + i, t) -
                                             own->calls[i * w->found.threads + t]);
        }
}

/* What is taken from threads while they compute. */
static enum prvcut_status jws_compute_stolen(struct job_why_spent *w, struct prvcut_error *err)
{
    const uint32_t threads = w->found.threads;
    double *stolen =
        prvcut_zeroed((2 * w->picks + w->firsts) * threads + 1, sizeof *stolen, "iterations", err);
    double *full = prvcut_zeroed(threads + (size_t)1, sizeof *full, "threads", err);
    enum prvcut_status st =
        stolen && full ? prvcut_profile_stolen(&w->found, stolen, full, err) : PRVCUT_ENOMEM;

    for (size_t i = 0; i < w->picks && st == PRVCUT_OK; i++)
        for (uint32_t t = 0; t < threads; t++)
            jws_at(w, i, t)[PRVCUT_WHY_STOLEN] = stolen[(w->picks + i) * threads + t];
    free(stolen);
    free(full);
    return st;
}

/* Room for them, and their lengths. */
static enum prvcut_status jws_fill(struct job_why_spent *w, struct prvcut_error *err)
{
    const size_t threads = w->found.threads;
    const struct job_kinds *k = w->j->kinds;

    w->at = prvcut_zeroed(w->picks * threads * (PRVCUT_WHY_COLUMNS + w->calls) + 1, sizeof *w->at,
                          "iterations", err);
    w->length = prvcut_zeroed(w->picks + 1, sizeof *w->length, "iterations", err);
    w->clear = prvcut_zeroed(w->picks + 1, sizeof *w->clear, "iterations", err);
    if (!w->at || !w->length || !w->clear)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->picks; i++) {
        w->length[i] = k->length[w->pick[i]];
        w->clear[i] = k->clear[w->pick[i]] && w->is.says[w->pick[i]];
    }
    return PRVCUT_OK;
}

/* Does it repeat a loop of its own: were threads of it compared, and none of them follows? */
static bool jws_is_beside(const struct job *j, uint32_t application)
{
    const struct prvcut_known_loop *f = &j->known.at[j->known.of_region[j->kinds->region]];
    const struct prvcut_objects *o = &j->trace->objects;
    size_t compared = 0, follow = 0;

    for (size_t i = 0; i < f->calls.sequences; i++)
        if (f->sequence[i].thread < o->threads &&
            prvcut_objects_application(o, o->thread_task[f->sequence[i].thread]) == application) {
            compared++;
            follow += f->calls.borders[i] > 0;
        }
    return compared > 0 && follow == 0;
}

/* What applications do that run beside the loop says nothing of it: as if they never did. */
static void jws_leave_beside(struct job_why_spent *w)
{
    const struct prvcut_objects *o = &w->j->trace->objects;

    for (uint32_t a = 0; a < o->applications && o->applications > 1; a++) {
        if (!jws_is_beside(w->j, a))
            continue;
        for (uint32_t t = 0; t < w->found.threads; t++)
            for (size_t i = 0; i < w->picks; i++)
                if (prvcut_objects_application(o, o->thread_task[t]) == a)
                    memset(jws_at(w, i, t), 0, (PRVCUT_WHY_COLUMNS + w->calls) * sizeof *w->at);
    }
}

/* Does it make no call, and is what it is said to compute all its time? */
static bool jws_is_silent(const struct job_why_spent *w, const struct jws_own *own, uint32_t thread)
{
    double more = 0; /* than what would not be all */

    for (size_t i = 0; i < w->picks; i++) {
        const double *at = jws_at(w, i, thread);
        const size_t cell = i * w->found.threads + thread;

        if (own->calls[cell] > 0 || own->every[cell] > 0)
            return false;
        more += at[PRVCUT_WHY_COMPUTING] + at[PRVCUT_WHY_FLUSHING] + at[PRVCUT_WHY_OFF] -
                JWS_ALL * (double)prvcut_profile_recorded(&w->found, i, thread);
    }
    return more >= 0;
}

/* Where computing is what nothing else has, nobody knows whether such a thread computes at all,
   beside threads that call: as if it never did anything, but for the tracer's time. */
static void jws_leave_silent(struct job_why_spent *w, const struct jws_own *own)
{
    for (uint32_t t = 0; t < w->found.threads && w->calls > 0; t++) {
        const bool silent = jws_is_silent(w, own, t);

        for (size_t i = 0; i < w->picks && silent; i++) {
            double *at = jws_at(w, i, t);

            at[PRVCUT_WHY_COMPUTING] = 0;
            memset(at + PRVCUT_WHY_OWN, 0,
                   (PRVCUT_WHY_COLUMNS - PRVCUT_WHY_OWN + w->calls) * sizeof *at);
        }
    }
}

/* The cells into the columns. */
static enum prvcut_status jws_sort(struct job_why_spent *w, struct prvcut_error *err)
{
    const uint32_t threads = w->found.threads;
    const size_t cells = w->picks * threads + 1;
    struct jws_own beside = { prvcut_zeroed(cells, sizeof *beside.calls, "iterations", err),
                              prvcut_zeroed(cells, sizeof *beside.off, "iterations", err),
                              prvcut_zeroed(cells, sizeof *beside.every, "iterations", err) };
    const bool room = beside.calls && beside.off && beside.every;
    enum prvcut_status st;

    for (size_t i = 0; room && i < w->found.cell.count; i++) {
        const struct prvcut_profile_cell *c = jws_cell(w, i);
        const bool own = c->key.slot >= w->picks;
        const size_t iteration = c->key.slot - (own ? w->picks : 0);
        const size_t column = jws_column(w, &c->key.of, own);

        if (c->key.thread >= threads || c->key.slot >= 2 * w->picks)
            continue;
        if (c->key.of.kind == PRVCUT_PROOF_CALL && own)
            jws_at(w, iteration, c->key.thread)[PRVCUT_WHY_ENTERED] += (double)c->count;
        if (c->key.of.kind == PRVCUT_PROOF_CALL)
            (own ? beside.calls : beside.every)[iteration * threads + c->key.thread] +=
                (double)c->amount;
        if (column != SIZE_MAX)
            jws_at(w, iteration, c->key.thread)[column] += (double)c->amount;
    }
    if (room) {
        jws_offs(w, &beside);
        jws_lags(w);
    }
    if (room && !(w->found.any & PRVCUT_PROFILE_ANY_RUNNING))
        jws_compute_rest(w, &beside);
    st = room ? jws_compute_stolen(w, err) : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK) {
        jws_flushes(w, &beside);
        job_why_lag_settle(w);
    }
    if (st == PRVCUT_OK && (w->found.told || !(w->found.any & PRVCUT_PROFILE_ANY_RUNNING)))
        jws_leave_silent(w, &beside);
    if (st == PRVCUT_OK)
        jws_leave_beside(w);
    free(beside.calls);
    free(beside.off);
    free(beside.every);
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status job_why_spend(struct job_why_spent *w, struct prvcut_error *err)
{
    enum prvcut_status st;

    w->pick = w->is.at;
    w->picks = w->is.count;
    st = jws_read(w, err);
    if (st < 0 || !w->found.apart)
        return st;
    st = job_why_name_threads(w, err);
    if (st == PRVCUT_OK)
        st = jws_list_calls(w, err);
    if (st == PRVCUT_OK)
        st = jws_fill(w, err);
    return st == PRVCUT_OK ? jws_sort(w, err) : st;
}
