#include "analysis/efficiency/efficiency_runs.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What part of a thread's window without tracing, or of writing the trace, is told. */
#define TELLING 0.01

/* What part of the computing counters must have counted in; what is told if it is less than this;
   what a thread without any may compute, of the mean. */
#define COVERED_LEAST 0.95
#define COVERED_TOLD  0.995
#define IDLE_MOST     0.01

/* One run that is made of one stretch. */
struct efr_maker {
    struct made_efficiency *out;
    const struct prvcut_efficiency_read_of *in;
    const struct prvcut_efficiency_found *found;
    struct made_efficiency_run *run;
    size_t stretch;
    bool outside; /* threads that make calls compute where they are not in any */
    bool computes;
    const char *unreplayed; /* why the ideal network tells nothing; NULL: it does */
};

static const struct prvcut_efficiency_sum *efr_sum(const struct efr_maker *m, uint32_t thread)
{
    return &m->found->sum[m->stretch * m->found->threads + thread];
}

static struct prvcut_span efr_window(const struct efr_maker *m, uint32_t thread)
{
    const struct prvcut_efficiency_reach *reach = &m->found->reach[thread];

    if (m->in->own_starts && !m->in->own_told)
        return reach->states ? (struct prvcut_span){ reach->first_state, reach->last_state }
                             : (struct prvcut_span){ reach->first, reach->last };
    return m->found->window[m->stretch * m->found->threads + thread];
}

/* Not in calls, nor, in an archive, in a wait of OpenMP. */
static uint64_t efr_outside(const struct efr_maker *m, uint32_t thread)
{
    const struct prvcut_efficiency_sum *s = efr_sum(m, thread);

    if (!m->found->reach[thread].calls)
        return s->running;
    return s->outside - (s->waits < s->outside ? s->waits : s->outside);
}

static uint64_t efr_computing(const struct efr_maker *m, uint32_t thread)
{
    return m->outside ? efr_outside(m, thread) : efr_sum(m, thread)->running;
}

/* --- Times ------------------------------------------------------------------------------------ */

/* The window of all, or the mean of their own ones. */
static double efr_runtime(const struct efr_maker *m)
{
    const struct prvcut_objects *o = m->found->objects;
    double sum = 0;

    if (!m->in->own_starts) {
        for (uint32_t i = 0; i < m->found->threads; i++) {
            const struct prvcut_span w = efr_window(m, i);

            sum += (double)(w.end - w.start);
        }
        return m->found->threads > 0 ? sum / m->found->threads : (double)NAN;
    }
    for (uint32_t i = 0; i < o->tasks; i++) {
        uint64_t first = UINT64_MAX, last = 0;

        for (uint32_t k = o->task_first_thread[i]; k < o->task_first_thread[i + 1]; k++) {
            const struct prvcut_span w = efr_window(m, k);

            if (!m->found->reach[k].seen)
                continue;
            first = w.start < first ? w.start : first;
            last = w.end > last ? w.end : last;
        }
        sum += last > first ? (double)(last - first) : 0;
    }
    return o->tasks > 0 ? sum / o->tasks : (double)NAN;
}

/* When the last one ends; between borders of their own the mean of how far the clocks went. */
static double efr_ideal(const struct efr_maker *m)
{
    const struct prvcut_efficiency_found *f = m->found;
    uint64_t most = 0;
    double sum = 0;

    if (m->in->common_borders) {
        for (uint32_t i = 0; i < f->lanes; i++)
            most = f->ideal[i] > most ? f->ideal[i] : most;
        return (double)most;
    }
    for (uint32_t i = 0; i < f->lanes; i++) {
        const struct prvcut_span *c = &f->clock[m->stretch * f->lanes + i];

        sum += (double)c->end - (double)c->start;
    }
    return f->lanes > 0 ? sum / f->lanes : (double)NAN;
}

static void efr_times(struct efr_maker *m)
{
    struct prvcut_efficiency_run *is = &m->run->is;
    const struct prvcut_objects *o = m->found->objects;

    is->runtime_ns = efr_runtime(m);
    is->ideal_ns = !m->unreplayed || (*m->unreplayed && prvcut_efficiency_is_least(m->found))
                       ? efr_ideal(m)
                       : (double)NAN;
    m->run->replayed = !m->unreplayed;
    is->computing_ns = is->most_ns = is->outside_most_ns = 0;
    for (uint32_t i = 0; i < o->tasks; i++) {
        uint64_t most = 0;

        for (uint32_t k = o->task_first_thread[i]; k < o->task_first_thread[i + 1]; k++) {
            const uint64_t t = efr_computing(m, k), outside = efr_outside(m, k);

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

static double efr_counted(const struct efr_maker *m, uint32_t thread, unsigned counter)
{
    const struct prvcut_efficiency_sum *s = efr_sum(m, thread);
    const uint32_t bit = counter == PRVCUT_EFFICIENCY_CYCLES ? PRVCUT_EFFICIENCY_ANY_CYCLES
                                                             : PRVCUT_EFFICIENCY_ANY_INSTRUCTIONS;

    return m->found->any & bit && m->computes
               ? (double)s->counted.count[counter] + s->counted.part[counter]
               : (double)NAN;
}

/* Why sums of a counter tell nothing: it did not count in all that threads computed. NULL: it did.
 *share: of the computing, in which it counted */
static const char *efr_uncovered(const struct efr_maker *m, unsigned counter, double *share)
{
    const uint32_t threads = m->found->threads;
    double covered = 0, computing = 0;

    for (uint32_t i = 0; i < threads; i++) {
        covered += (double)efr_sum(m, i)->counted.covered[counter];
        computing += (double)efr_computing(m, i);
    }
    *share = computing > 0 ? covered / computing : 1;
    for (uint32_t i = 0; i < threads; i++)
        if (efr_sum(m, i)->counted.covered[counter] == 0 &&
            (double)efr_computing(m, i) > IDLE_MOST * computing / threads)
            return "not all threads that compute have counters";
    return *share < COVERED_LEAST ? "counters counted in less than 95 % of the computing" : NULL;
}

/* NAN also where nothing was counted while threads computed. */
static double efr_all_counted(const struct efr_maker *m, unsigned counter)
{
    uint64_t whole = 0;
    double part = efr_counted(m, 0, counter), share;

    if (isnan(part))
        return part;
    part = 0;
    for (uint32_t i = 0; i < m->found->threads; i++) {
        whole += efr_sum(m, i)->counted.count[counter];
        part += efr_sum(m, i)->counted.part[counter];
    }
    whole += (uint64_t)llround(part);
    return whole > 0 && !efr_uncovered(m, counter, &share) ? (double)whole : (double)NAN;
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

    if (efr_sum(m, thread)->counted.covered[counter] > 0)
        return efr_counted(m, thread, counter);
    return efr_computing(m, thread) > 0 || isnan(all) ? (double)NAN : 0;
}

static enum prvcut_status efr_rank(const struct efr_maker *m, uint32_t thread,
                                   struct prvcut_efficiency_rank *k, struct prvcut_error *err)
{
    const struct prvcut_efficiency_reach *reach = &m->found->reach[thread];
    const struct prvcut_efficiency_run *is = &m->run->is;
    const struct prvcut_span w = efr_window(m, thread);
    const uint64_t last = reach->inside < w.end ? reach->inside : w.end;
    const uint64_t computing = efr_computing(m, thread), calls = efr_sum(m, thread)->calls;
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
    m->run->rank =
        prvcut_zeroed((size_t)m->found->threads + 1, sizeof *m->run->rank, "threads", err);
    if (!m->run->rank)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < m->found->threads && st == PRVCUT_OK; i++) {
        st = efr_rank(m, i, &m->run->rank[i], err);
        m->run->is.ranks++;
    }
    return st;
}

/* --- What is to be known ---------------------------------------------------------------------- */

static enum prvcut_status efr_note(struct efr_maker *m, struct prvcut_error *err,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum prvcut_status efr_note(struct efr_maker *m, struct prvcut_error *err,
                                   const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return prvcut_texts_add(&m->run->note, &m->run->is.notes, text, err);
}

/* Numbers that speak for themselves, each with what it means. */
static enum prvcut_status efr_note_counts(struct efr_maker *m, struct prvcut_error *err)
{
    const struct prvcut_efficiency_run *is = &m->run->is;
    const struct {
        uint64_t count;
        const char *one, *many;
    } note[] = {
        { is->acausal, "message was received before it was sent, and is left out",
          "messages were received before they were sent, and are left out" },
        { is->released, "call would wait for ever on the ideal network, and does not",
          "calls would wait for ever on the ideal network, and do not" },
        { is->callless, "message has no call around its sending, and is left out",
          "messages have no call around their sending, and are left out" },
        { is->late, "message came after its receive, and is left out",
          "messages came after their receives, and are left out" },
        { is->alone, "end of a message has no other end, and is left out",
          "ends of messages have no other end, and are left out" },
        { is->started,
          "collective goes on behind its call: nobody waits for it on the ideal network, which may "
          "be too fast",
          "collectives go on behind their calls: nobody waits for them on the ideal network, which "
          "may be too fast" },
        { is->groupless, "collective tells no communicator that is known, and waits for nobody",
          "collectives tell no communicator that is known, and wait for nobody" },
        { is->unended, "call has no end, and lasts to its thread's last record",
          "calls have no end, and last to their threads' last records" },
        { is->lost, "end of a call has no begin, and is left out",
          "ends of calls have no begin, and are left out" },
    };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < sizeof note / sizeof *note && st == PRVCUT_OK; i++)
        if (note[i].count > 0)
            st = efr_note(m, err, "%" PRIu64 " %s", note[i].count,
                          note[i].count == 1 ? note[i].one : note[i].many);
    return st;
}

static enum prvcut_status efr_note_trace(struct efr_maker *m, struct prvcut_error *err)
{
    double off = 0, flush = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < m->found->threads; i++) {
        const struct prvcut_efficiency_sum *s = efr_sum(m, i);
        const struct prvcut_span w = efr_window(m, i);
        const double length = (double)(w.end - w.start);

        if (length > 0) {
            off = fmax(off, (double)s->off / length);
            flush = fmax(flush, (double)s->flush / length);
        }
    }
    if (off > TELLING)
        st = efr_note(m, err, "tracing is off for up to %.0f %% of a thread's time", 100 * off);
    if (flush > TELLING && st == PRVCUT_OK)
        st = efr_note(m, err, "writing the trace takes up to %.0f %% of a thread's time",
                      100 * flush);
    return st;
}

/* What counters did not count in is missing in their sums. */
static enum prvcut_status efr_note_counters(struct efr_maker *m, struct prvcut_error *err)
{
    double least = 1;

    for (unsigned i = 0; i < PRVCUT_EFFICIENCY_COUNTERS; i++) {
        double share;

        if (isnan(i == PRVCUT_EFFICIENCY_CYCLES ? m->run->is.cycles : m->run->is.instructions))
            continue;
        efr_uncovered(m, i, &share);
        least = share < least ? share : least;
    }
    return least < COVERED_TOLD
               ? efr_note(m, err, "counters counted in %.1f %% of the computing only", 100 * least)
               : PRVCUT_OK;
}

static enum prvcut_status efr_notes(struct efr_maker *m, struct prvcut_error *err)
{
    const struct prvcut_efficiency_run *is = &m->run->is;
    enum prvcut_status st = efr_note_counts(m, err);

    if (st == PRVCUT_OK)
        st = efr_note_trace(m, err);
    if (st == PRVCUT_OK)
        st = efr_note_counters(m, err);
    if (st == PRVCUT_OK && m->outside && m->out->options.computing == PRVCUT_COMPUTING_RUNNING)
        st = efr_note(m, err,
                      "no states are recorded: computing is all that is not in calls, up to a "
                      "thread's last record");
    if (st == PRVCUT_OK && m->in->common_borders && is->threads > is->tasks && m->computes &&
        is->ideal_ns < (double)is->most_ns)
        st = efr_note(m, err,
                      "threads compute while others of their task are in calls: the ideal network "
                      "is replayed for those that call, so that serialization is above 100 %%");
    if (st == PRVCUT_OK && m->in->common_borders && is->ideal_ns > is->runtime_ns &&
        m->out->options.waits == PRVCUT_WAITS_DIMEMAS)
        st = efr_note(m, err,
                      "the ideal network is slower: senders wait there that had not waited; with "
                      "'--replay causal' they do not");
    if (st == PRVCUT_OK && m->unreplayed && !isnan(is->ideal_ns))
        st = efr_note(m, err,
                      "no messages are recorded: on the ideal network nobody waits for them, and "
                      "the run takes at least as long as is told");
    return st;
}

static void efr_reason(struct efr_maker *m, const char *what, const char *text)
{
    if (m->run->is.reasons < MADE_UNTOLD)
        m->run->reason[m->run->is.reasons++] = (struct prvcut_efficiency_reason){ what, text };
}

/* Why one of these is not known; NULL: it is. */
static const char *efr_uncounted(const struct efr_maker *m, bool instructions, bool cycles)
{
    const struct prvcut_efficiency_run *is = &m->run->is;
    const uint32_t any =
        m->found->any & (PRVCUT_EFFICIENCY_ANY_INSTRUCTIONS | PRVCUT_EFFICIENCY_ANY_CYCLES);
    const char *uncovered;
    double share;

    if (!(instructions && isnan(is->instructions)) && !(cycles && isnan(is->cycles)))
        return NULL;
    if (any == 0 || !m->computes)
        return "no hardware counters";
    if (instructions && !(any & PRVCUT_EFFICIENCY_ANY_INSTRUCTIONS))
        return "no counter of instructions";
    if (cycles && !(any & PRVCUT_EFFICIENCY_ANY_CYCLES))
        return "no counter of cycles";
    uncovered = instructions ? efr_uncovered(m, PRVCUT_EFFICIENCY_INSTRUCTIONS, &share) : NULL;
    if (!uncovered && cycles)
        uncovered = efr_uncovered(m, PRVCUT_EFFICIENCY_CYCLES, &share);
    return uncovered ? uncovered : "counters counted nothing while threads computed";
}

static void efr_counters_reasons(struct efr_maker *m)
{
    static const struct {
        const char *what;
        bool instructions, cycles;
    } of[] = {
        { "instructions", true, false },
        { "cycles", false, true },
        { "ipc", true, true },
        { "frequency_ghz", false, true },
        { "ipc_scalability", true, true },
        { "instruction_scalability", true, false },
        { "frequency_scalability", false, true },
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const char *why = efr_uncounted(m, of[i].instructions, of[i].cycles);

        if (why)
            efr_reason(m, of[i].what, why);
    }
}

static void efr_reasons(struct efr_maker *m)
{
    static const char *const of_replay[] = { "ideal_ns", "serialization", "transfer" };
    static const char *const of_computing[] = {
        "computing_ns",    "most_ns",          "outside_most_ns",         "parallel",
        "balance",         "communication",    "computation_scalability", "global",
        "process_balance", "process_parallel", "thread_parallel",
    };
    const bool told = m->found->any & (PRVCUT_EFFICIENCY_ANY_CALL | PRVCUT_EFFICIENCY_ANY_RUNNING),
               running = m->found->any & PRVCUT_EFFICIENCY_ANY_RUNNING;
    const char *none = !told                   ? "the trace holds neither MPI calls nor a state in "
                                                 "which threads run"
                       : running || m->outside ? "no thread computes"
                                               : "no thread is ever in the running state; "
                                                 "'--computing outside' takes all that is not in "
                                                 "calls";
    const bool nothing = !m->computes || m->run->is.most_ns == 0;

    efr_counters_reasons(m);
    for (size_t i = 0; (m->unreplayed || nothing) && i < sizeof of_replay / sizeof *of_replay; i++)
        if (i > 0 || isnan(m->run->is.ideal_ns))
            efr_reason(m, of_replay[i], m->unreplayed && m->computes ? m->unreplayed : none);
    for (size_t i = 0; nothing && i < sizeof of_computing / sizeof *of_computing; i++)
        efr_reason(m, of_computing[i], none);
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
}

static enum prvcut_status efr_make(struct efr_maker *m, struct prvcut_error *err)
{
    const struct prvcut_efficiency_found *f = m->found;
    struct prvcut_efficiency_run *is = &m->run->is;
    const bool calls = f->any & PRVCUT_EFFICIENCY_ANY_CALL,
               running = f->any & PRVCUT_EFFICIENCY_ANY_RUNNING,
               states = f->any & PRVCUT_EFFICIENCY_ANY_STATE;
    enum prvcut_status st;

    m->outside = m->out->options.computing == PRVCUT_COMPUTING_OUTSIDE || f->told || !states;
    m->computes = calls || running;
    m->unreplayed = f->tasks < 2 ? m->computes ? NULL : "" : prvcut_efficiency_unreplayed(f);
    is->tasks = f->tasks;
    is->threads = f->threads;
    is->computing = m->outside ? "outside" : "running";
    is->own_starts = m->in->own_starts;
    is->span = m->found->threads > 0 ? efr_window(m, 0) : (struct prvcut_span){ 0, 0 };
    efr_counts(m);
    efr_times(m);
    is->instructions = efr_all_counted(m, PRVCUT_EFFICIENCY_INSTRUCTIONS);
    is->cycles = efr_all_counted(m, PRVCUT_EFFICIENCY_CYCLES);
    m->run->name = prvcut_copied_text(m->in->name, "names", err);
    is->name = m->run->name;
    st = is->name ? efr_ranks(m, err) : PRVCUT_ENOMEM;
    efr_reasons(m);
    return st == PRVCUT_OK ? efr_notes(m, err) : st;
}

enum prvcut_status prvcut_efficiency_runs_make(struct made_efficiency *out,
                                               const struct prvcut_efficiency_read_of *in,
                                               struct prvcut_error *err)
{
    struct efr_maker m = { .out = out, .in = in, .found = in->found };
    const size_t runs = in->found->stretches - in->skip;
    enum prvcut_status st =
        prvcut_grow((void **)&out->run, &out->room, out->is.runs + runs + 1, sizeof *out->run, err);

    for (size_t i = 0; i < runs && st == PRVCUT_OK; i++) {
        m.stretch = in->skip + i;
        m.run = &out->run[out->is.runs++];
        memset(m.run, 0, sizeof *m.run);
        m.run->group = out->groups - 1;
        st = efr_make(&m, err);
    }
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
        free(r->name);
        free(r->region);
    }
    e->is.runs = from < e->is.runs ? from : e->is.runs;
}

void prvcut_efficiency_runs_fini(struct made_efficiency *e)
{
    prvcut_efficiency_runs_drop(e, 0);
    for (size_t i = 0; i < e->groups; i++)
        free(e->group[i].name);
    free(e->group);
    free(e->run);
    free(e->no_loop);
    memset(e, 0, sizeof *e);
}
