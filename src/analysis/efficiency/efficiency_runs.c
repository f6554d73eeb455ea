#include "analysis/efficiency/efficiency_runs.h"

#include "analysis/efficiency/efficiency_maker.h"
#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"
#include "model/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Times ------------------------------------------------------------------------------------ */

/* The window of all, or the mean of their own ones. */
static double efr_runtime(const struct efr_maker *m)
{
    const struct prvcut_objects *o = m->found->objects;
    double sum = 0;

    if (!m->in->own_starts) {
        for (uint32_t i = 0; i < m->found->threads; i++) {
            const struct prvcut_span w = prvcut_efr_window(m, i);

            sum += prvcut_efr_has(m, i) ? (double)(w.end - w.start) : 0;
        }
        return m->is.threads > 0 ? sum / m->is.threads : (double)NAN;
    }
    for (uint32_t i = 0; i < o->tasks; i++) {
        uint64_t first = UINT64_MAX, last = 0;

        if (!prvcut_efr_has_task(m, i))
            continue;
        for (uint32_t k = o->task_first_thread[i]; k < o->task_first_thread[i + 1]; k++) {
            const struct prvcut_span w = prvcut_efr_window(m, k);

            if (!m->found->reach[k].seen)
                continue;
            first = w.start < first ? w.start : first;
            last = w.end > last ? w.end : last;
        }
        sum += last > first ? (double)(last - first) : 0;
    }
    return m->is.tasks > 0 ? sum / m->is.tasks : (double)NAN;
}

static bool efr_has_lane(const struct efr_maker *m, uint32_t lane)
{
    return m->found->lanes == m->found->threads ? prvcut_efr_has(m, lane)
                                                : prvcut_efr_has_task(m, lane);
}

/* When the last one ends; between borders of their own the mean of how far the clocks went. */
static double efr_ideal(const struct efr_maker *m)
{
    const struct prvcut_efficiency_found *f = m->found;
    uint64_t most = 0;
    double sum = 0;
    uint32_t lanes = 0;

    for (uint32_t i = 0; i < f->lanes; i++) {
        const struct prvcut_span *c = &f->clock[m->stretch * f->lanes + i];

        if (!efr_has_lane(m, i))
            continue;
        most = f->ideal[i] > most ? f->ideal[i] : most;
        sum += (double)c->end - (double)c->start;
        lanes++;
    }
    if (m->in->common_borders)
        return (double)most;
    return lanes > 0 ? sum / lanes : (double)NAN;
}

static void efr_times(struct efr_maker *m)
{
    struct prvcut_efficiency_run *is = &m->run->is;
    const struct prvcut_objects *o = m->found->objects;

    is->runtime_ns = efr_runtime(m);
    is->ideal_ns =
        !m->unreplayed || (*m->unreplayed && prvcut_efficiency_is_least(m->found, m->is.any))
            ? efr_ideal(m)
            : (double)NAN;
    m->run->replayed = !m->unreplayed;
    is->computing_ns = is->most_ns = is->outside_most_ns = 0;
    for (uint32_t i = 0; i < o->tasks; i++) {
        uint64_t most = 0;

        if (!prvcut_efr_has_task(m, i))
            continue;
        for (uint32_t k = o->task_first_thread[i]; k < o->task_first_thread[i + 1]; k++) {
            const uint64_t t = prvcut_efr_computing(m, k), outside = prvcut_efr_outside(m, k);

            is->computing_ns += t;
            most = t > most ? t : most;
            is->outside_most_ns = outside > is->outside_most_ns ? outside : is->outside_most_ns;
        }
        m->run->processed += (double)most;
        is->most_ns = most > is->most_ns ? most : is->most_ns;
    }
    m->run->ideal_most =
        (double)(m->out->options.ideal_computing == PRVCUT_COMPUTING_OUTSIDE ? is->outside_most_ns
                                                                             : is->most_ns);
    if (!m->computes)
        is->computing_ns = is->most_ns = is->outside_most_ns = PRVCUT_EFFICIENCY_UNTOLD;
}

/* --- Counters --------------------------------------------------------------------------------- */

/* NAN also where nothing was counted while threads computed. */
static double efr_all_counted(const struct efr_maker *m, unsigned counter)
{
    uint64_t whole = 0;
    double part = prvcut_efr_counted(m, 0, counter), share;

    if (isnan(part))
        return part;
    part = 0;
    for (uint32_t i = 0; i < m->found->threads; i++) {
        if (!prvcut_efr_has(m, i))
            continue;
        prvcut_add_most(&whole, prvcut_efr_sum(m, i)->counted.count[counter]);
        part += prvcut_efr_sum(m, i)->counted.part[counter];
    }
    prvcut_add_most(&whole, (uint64_t)llround(part));
    return whole > 0 && !prvcut_efr_uncovered(m, counter, &share) ? (double)whole : (double)NAN;
}

/* --- Threads ---------------------------------------------------------------------------------- */

static enum prvcut_status efr_name_thread(const struct efr_maker *m,
                                          struct prvcut_efficiency_rank *k,
                                          struct prvcut_error *err)
{
    const char *given = m->in->thread_name ? m->in->thread_name[k->thread] : NULL;
    char text[48];

    k->name = prvcut_copied_text(
        given ? given : prvcut_objects_number_text(m->found->objects, k->thread, text), "names",
        err);
    return k->name ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* A thread that computes and has no counters counted something that is not known; where nobody
   counted nothing is known. */
static double efr_own_counted(const struct efr_maker *m, uint32_t thread, unsigned counter)
{
    const double all =
        counter == PRVCUT_EFFICIENCY_CYCLES ? m->run->is.cycles : m->run->is.instructions;

    if (prvcut_efr_is_beyond(m, thread, counter))
        return (double)NAN;
    if (prvcut_efr_sum(m, thread)->counted.covered[counter] > 0)
        return prvcut_efr_counted(m, thread, counter);
    return prvcut_efr_computing(m, thread) > 0 || isnan(all) ? (double)NAN : 0;
}

static enum prvcut_status efr_rank(const struct efr_maker *m, uint32_t thread,
                                   struct prvcut_efficiency_rank *k, struct prvcut_error *err)
{
    const struct prvcut_efficiency_reach *reach = &m->found->reach[thread];
    const struct prvcut_efficiency_run *is = &m->run->is;
    const struct prvcut_span w = prvcut_efr_window(m, thread);
    const uint64_t last = reach->inside < w.end ? reach->inside : w.end;
    const uint64_t computing = prvcut_efr_computing(m, thread),
                   calls = prvcut_efr_sum(m, thread)->calls;
    const uint64_t recorded = last > w.start ? last - w.start : 0;

    *k = (struct prvcut_efficiency_rank){
        .rank = m->found->objects->thread_task[thread],
        .thread = thread,
        .recorded_ns = recorded,
        .computing_ns = m->computes ? computing : PRVCUT_EFFICIENCY_UNTOLD,
        .calls_ns = calls,
        .rest_ns = m->computes && computing + calls <= recorded ? recorded - computing - calls
                                                                : PRVCUT_EFFICIENCY_UNTOLD,
        .of_most =
            m->computes && is->most_ns > 0 ? (double)computing / (double)is->most_ns : (double)NAN,
        .waits_ns = m->computes ? is->runtime_ns - (double)computing : (double)NAN,
        .ideal_waits_ns =
            m->computes && !m->unreplayed ? is->ideal_ns - (double)computing : (double)NAN,
        .instructions = efr_own_counted(m, thread, PRVCUT_EFFICIENCY_INSTRUCTIONS),
        .cycles = efr_own_counted(m, thread, PRVCUT_EFFICIENCY_CYCLES),
    };
    return efr_name_thread(m, k, err);
}

static enum prvcut_status efr_ranks(struct efr_maker *m, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (m->out->is.by != PRVCUT_EFFICIENCY_BY_RUN)
        return PRVCUT_OK;
    m->run->rank = prvcut_zeroed((size_t)m->is.threads + 1, sizeof *m->run->rank, "threads", err);
    if (!m->run->rank)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < m->found->threads && st == PRVCUT_OK; i++)
        if (prvcut_efr_has(m, i))
            st = efr_rank(m, i, &m->run->rank[m->run->is.ranks++], err);
    return st;
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void efr_counts(struct efr_maker *m)
{
    const struct prvcut_efficiency_found *f = m->found;
    struct prvcut_efficiency_run *is = &m->run->is;

    is->released = f->counts.released;
    is->acausal = f->counts.acausal;
    is->callless = f->counts.callless;
    is->late = f->counts.late + f->counts.crowded;
    is->crossing = f->crossing;
    is->alone = f->alone;
    is->started = f->counts.started;
    is->groupless = f->counts.groupless;
    is->unended = f->counts.unended;
    is->lost = f->lost;
    is->queued = f->counts.peak;
    is->skipped = f->skipped;
}

/* The first thread's window. */
static struct prvcut_span efr_span(const struct efr_maker *m)
{
    for (uint32_t i = 0; i < m->found->threads; i++)
        if (prvcut_efr_has(m, i))
            return prvcut_efr_window(m, i);
    return (struct prvcut_span){ 0, 0 };
}

/* Is the stretch one of a loop that is none of the program? */
static bool efr_is_apart(const struct efr_maker *m)
{
    const struct prvcut_efficiency_read_of *in = m->in;

    for (uint32_t a = 0; in->apart && a < in->objects->applications; a++)
        if (prvcut_efficiency_program_has(m->programs, m->program,
                                          in->objects->application_first_task[a]) &&
            !in->apart[m->stretch * in->objects->applications + a])
            return false;
    return in->apart != NULL;
}

static enum prvcut_status efr_make(struct efr_maker *m, struct prvcut_error *err)
{
    const struct prvcut_efficiency_found *f = m->found;
    struct prvcut_efficiency_run *is = &m->run->is;
    const bool calls = m->is.any & PRVCUT_EFFICIENCY_ANY_CALL,
               running = m->is.any & PRVCUT_EFFICIENCY_ANY_RUNNING,
               states = f->any & PRVCUT_EFFICIENCY_ANY_STATE;
    enum prvcut_status st;

    m->outside = m->out->options.computing == PRVCUT_COMPUTING_OUTSIDE || f->told || !states;
    m->apart = efr_is_apart(m);
    m->computes = (calls || running) && !m->apart;
    m->unreplayed =
        m->is.tasks < 2 ? m->computes ? NULL : "" : prvcut_efficiency_unreplayed(f, m->is.any);
    is->tasks = m->is.tasks;
    is->threads = m->is.threads;
    is->application = m->programs->first[m->program] + 1;
    is->applications = (uint32_t)m->programs->count;
    is->computing = m->outside ? "outside" : "running";
    is->own_starts = m->in->own_starts;
    is->span = efr_span(m);
    if (m->is.any & (PRVCUT_EFFICIENCY_ANY_CALL | PRVCUT_EFFICIENCY_ANY_MESSAGE))
        efr_counts(m);
    efr_times(m);
    is->instructions = efr_all_counted(m, PRVCUT_EFFICIENCY_INSTRUCTIONS);
    is->cycles = efr_all_counted(m, PRVCUT_EFFICIENCY_CYCLES);
    m->run->name = prvcut_copied_text(m->in->name, "names", err);
    is->name = m->run->name;
    st = is->name ? efr_ranks(m, err) : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK && m->in->names && m->out->is.by == PRVCUT_EFFICIENCY_BY_RUN)
        st = prvcut_efficiency_program_made(m->programs, m->program, m->in->names, &m->run->program,
                                            err);
    prvcut_efr_reasons(m);
    return st == PRVCUT_OK ? prvcut_efr_notes(m, err) : st;
}

/* A run for each stretch of a program. */
static enum prvcut_status efr_make_program(struct efr_maker *m, size_t program,
                                           struct prvcut_error *err)
{
    struct made_efficiency *out = m->out;
    const size_t runs = m->found->stretches - m->in->skip;
    enum prvcut_status st =
        prvcut_grow((void **)&out->run, &out->room, out->is.runs + runs + 1, sizeof *out->run, err);

    m->program = program;
    m->is = prvcut_efficiency_program_of(m->programs, program);
    for (size_t i = 0; i < runs && st == PRVCUT_OK; i++) {
        m->stretch = m->in->skip + i;
        m->run = &out->run[out->is.runs++];
        memset(m->run, 0, sizeof *m->run);
        m->run->group = out->asked_groups - 1;
        st = efr_make(m, err);
    }
    return st;
}

/* Which program is wanted, or left out. */
static size_t efr_main(const struct prvcut_efficiency_programs *p,
                       const struct prvcut_efficiency_read_of *in)
{
    for (size_t i = 0; in->task != PRVCUT_NOBODY && i < p->count; i++)
        if (prvcut_efficiency_program_has(p, i, in->task))
            return i;
    return prvcut_efficiency_program_main(p);
}

enum prvcut_status prvcut_efficiency_runs_make(struct made_efficiency *out,
                                               const struct prvcut_efficiency_read_of *in,
                                               struct prvcut_error *err)
{
    struct prvcut_efficiency_programs programs;
    struct efr_maker m = { .out = out, .in = in, .found = in->found, .programs = &programs };
    enum prvcut_status st = prvcut_efficiency_programs_init(&programs, in->found, err);

    for (size_t i = 0; i < programs.count && st == PRVCUT_OK; i++) {
        const bool is = (in->main || in->others) && i == efr_main(&programs, in);

        if (is ? !in->others : !in->main)
            st = efr_make_program(&m, i, err);
    }
    prvcut_efficiency_programs_fini(&programs);
    return st;
}

void prvcut_efficiency_runs_drop(struct made_efficiency *e, size_t from)
{
    for (size_t i = from; i < e->is.runs; i++) {
        struct made_efficiency_run *r = &e->run[i];

        for (size_t k = 0; r->rank && k < r->is.ranks; k++)
            free((char *)(uintptr_t)r->rank[k].name);
        free(r->rank);
        prvcut_texts_free(r->note, r->is.notes);
        prvcut_program_free(r->program);
        free(r->other);
        free(r->loops);
        free(r->name);
        free(r->region);
    }
    e->is.runs = from < e->is.runs ? from : e->is.runs;
}

void prvcut_efficiency_runs_fini(struct made_efficiency *e)
{
    prvcut_efficiency_runs_drop(e, 0);
    prvcut_efficiency_groups_drop(e);
    for (size_t i = 0; i < e->asked_groups; i++)
        free(e->asked_group[i]);
    free(e->asked_group);
    free(e->group);
    free(e->run);
    free(e->no_loop);
    memset(e, 0, sizeof *e);
}
