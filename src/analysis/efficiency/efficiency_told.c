#include "analysis/efficiency/efficiency_maker.h"

#include "model/texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* What part of a thread's window without tracing, or of writing the trace, is told. */
#define TELLING 0.01

/* What counters did not count in is told if they counted in less than this of the computing. */
#define COVERED_TOLD 0.995

/* --- What is to be known ---------------------------------------------------------------------- */

static enum prvcut_status eft_note(struct efr_maker *m, struct prvcut_error *err,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum prvcut_status eft_note(struct efr_maker *m, struct prvcut_error *err,
                                   const char *format, ...)
{
    enum prvcut_status st;
    va_list args;

    va_start(args, format);
    st = prvcut_texts_say(&m->run->note, &m->run->is.notes, err, format, args);
    va_end(args);
    return st;
}

/* Numbers that speak for themselves, each with what it means. */
static enum prvcut_status eft_note_counts(struct efr_maker *m, struct prvcut_error *err)
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
        { is->skipped, "damaged record skipped", "damaged records skipped" },
    };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < sizeof note / sizeof *note && st == PRVCUT_OK; i++)
        if (note[i].count > 0)
            st = eft_note(m, err, "%s%" PRIu64 " %s", m->in->parts ? "in all of the run, " : "",
                          note[i].count, note[i].count == 1 ? note[i].one : note[i].many);
    return st;
}

static enum prvcut_status eft_note_trace(struct efr_maker *m, struct prvcut_error *err)
{
    double off = 0, flush = 0;
    enum prvcut_status st = PRVCUT_OK;

    /* Lines of different threads do no harm; within a thread, ends come before what they end. */
    if (m->found->late > 0 && m->run->is.lost > 0) {
        char first[40] = "";

        if (m->found->first_late > 0)
            snprintf(first, sizeof first, " (first line %" PRIu64 ")", m->found->first_late);
        st = eft_note(m, err,
                      "%" PRIu64 " line%s out of order in time%s, so calls may be wrong; 'prvcut "
                      "convert' writes them in order",
                      m->found->late, m->found->late == 1 ? " is" : "s are", first);
    }

    for (uint32_t i = 0; i < m->found->threads; i++) {
        const struct prvcut_efficiency_sum *s = prvcut_efr_sum(m, i);
        const struct prvcut_span w = prvcut_efr_window(m, i);
        const double length = (double)(w.end - w.start);

        if (length > 0 && prvcut_efr_has(m, i)) {
            off = fmax(off, (double)s->off / length);
            flush = fmax(flush, (double)s->flush / length);
        }
    }
    if (off > TELLING && st == PRVCUT_OK)
        st = eft_note(m, err, "tracing is off for up to %.0f %% of a thread's time", 100 * off);
    if (flush > TELLING && st == PRVCUT_OK)
        st = eft_note(m, err, "writing the trace takes up to %.0f %% of a thread's time",
                      100 * flush);
    return st;
}

/* What is in no state is in no running state either: that says nothing of the program. */
static enum prvcut_status eft_note_states(struct efr_maker *m, struct prvcut_error *err)
{
    const enum prvcut_efficiency_by by = m->out->is.by;
    const double unstated = prvcut_efr_unstated(m);

    m->run->unstated = unstated >= PRVCUT_UNSTATED_MUCH ? unstated : 0;
    if (m->run->unstated == 0)
        return PRVCUT_OK;
    return eft_note(m, err,
                    "%.0f %% of the time%s is in no recorded state and counts as not computing: "
                    "parallel and communication efficiency may be higher, and load balance is that "
                    "of what is recorded",
                    100 * unstated,
                    by == PRVCUT_EFFICIENCY_BY_ITERATION ? " of all iterations"
                    : by == PRVCUT_EFFICIENCY_BY_REGION  ? " of all regions"
                                                         : "");
}

/* What counters did not count in is missing in their sums. */
static enum prvcut_status eft_note_counters(struct efr_maker *m, struct prvcut_error *err)
{
    double least = 1;

    for (unsigned i = 0; i < PRVCUT_EFFICIENCY_COUNTERS; i++) {
        double share;

        if (isnan(i == PRVCUT_EFFICIENCY_CYCLES ? m->run->is.cycles : m->run->is.instructions))
            continue;
        prvcut_efr_uncovered(m, i, &share);
        least = share < least ? share : least;
    }
    return least < COVERED_TOLD
               ? eft_note(m, err, "counters counted in %.1f %% of the computing only", 100 * least)
               : PRVCUT_OK;
}

/* Which applications it is of. */
static enum prvcut_status eft_note_programs(struct efr_maker *m, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (m->is.applications > 1)
        st = eft_note(m, err, "%" PRIu32 " applications exchange messages, and are one run",
                      m->is.applications);
    if (st == PRVCUT_OK && m->program == 0 && m->programs->empty > 0)
        st = eft_note(m, err, "%" PRIu32 " application%s no record, and %s left out",
                      m->programs->empty, m->programs->empty == 1 ? " has" : "s have",
                      m->programs->empty == 1 ? "is" : "are");
    return st;
}

enum prvcut_status prvcut_efr_notes(struct efr_maker *m, struct prvcut_error *err)
{
    const struct prvcut_efficiency_run *is = &m->run->is;
    enum prvcut_status st = eft_note_states(m, err);

    if (st == PRVCUT_OK)
        st = eft_note_programs(m, err);
    if (st == PRVCUT_OK)
        st = eft_note_counts(m, err);
    if (st == PRVCUT_OK)
        st = eft_note_trace(m, err);
    if (st == PRVCUT_OK)
        st = eft_note_counters(m, err);
    if (st == PRVCUT_OK && m->outside && m->is.any & PRVCUT_EFFICIENCY_ANY_CALL &&
        m->out->options.computing == PRVCUT_COMPUTING_RUNNING)
        st = eft_note(m, err,
                      "no states are recorded: computing is all that is not in calls, up to a "
                      "thread's last record");
    if (st == PRVCUT_OK && m->in->common_borders && is->threads > is->tasks && m->computes &&
        is->ideal_ns < (double)is->most_ns)
        st = eft_note(m, err,
                      "threads compute while others of their task are in calls: the ideal network "
                      "is replayed for those that call, so that serialization is above 100 %%");
    if (st == PRVCUT_OK && m->in->common_borders && is->ideal_ns > is->runtime_ns &&
        m->out->options.waits == PRVCUT_WAITS_DIMEMAS)
        st = eft_note(m, err,
                      "the ideal network is slower: senders wait there that had not waited; with "
                      "'--replay causal' they do not");
    if (st == PRVCUT_OK && m->unreplayed && !isnan(is->ideal_ns))
        st = eft_note(m, err,
                      "no messages are recorded: on the ideal network nobody waits for them, and "
                      "the run takes at least as long as is told");
    return st;
}

static void eft_reason(struct efr_maker *m, const char *what, const char *text)
{
    if (m->run->is.reasons < MADE_UNTOLD)
        m->run->reason[m->run->is.reasons++] = (struct prvcut_efficiency_reason){ what, text };
}

/* Why one of these is not known; NULL: it is. */
static const char *eft_uncounted(const struct efr_maker *m, bool instructions, bool cycles)
{
    const struct prvcut_efficiency_run *is = &m->run->is;
    const uint32_t any =
        m->is.any & (PRVCUT_EFFICIENCY_ANY_INSTRUCTIONS | PRVCUT_EFFICIENCY_ANY_CYCLES);
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
    uncovered =
        instructions ? prvcut_efr_uncovered(m, PRVCUT_EFFICIENCY_INSTRUCTIONS, &share) : NULL;
    if (!uncovered && cycles)
        uncovered = prvcut_efr_uncovered(m, PRVCUT_EFFICIENCY_CYCLES, &share);
    return uncovered ? uncovered : "counters counted nothing while threads computed";
}

static void eft_counters_reasons(struct efr_maker *m)
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
        const char *why = eft_uncounted(m, of[i].instructions, of[i].cycles);

        if (why)
            eft_reason(m, of[i].what, why);
    }
}

void prvcut_efr_reasons(struct efr_maker *m)
{
    static const char *const of_replay[] = { "ideal_ns", "serialization", "transfer" };
    static const char *const of_computing[] = {
        "computing_ns",    "most_ns",          "outside_most_ns",         "parallel",
        "balance",         "communication",    "computation_scalability", "global",
        "process_balance", "process_parallel", "thread_parallel",
    };
    const bool told = m->is.any & (PRVCUT_EFFICIENCY_ANY_CALL | PRVCUT_EFFICIENCY_ANY_RUNNING),
               running = m->is.any & PRVCUT_EFFICIENCY_ANY_RUNNING;
    const char *none = m->apart ? "the iterations are of a loop that the application has no part in"
                       : !told  ? "the trace holds neither MPI calls nor a state in "
                                  "which threads run"
                       : running || m->outside ? "no thread computes"
                                               : "no thread is ever in the running state; "
                                                 "'--computing outside' takes all that is not in "
                                                 "calls";
    const bool nothing = !m->computes || m->run->is.most_ns == 0;

    eft_counters_reasons(m);
    for (size_t i = 0; (m->unreplayed || nothing) && i < sizeof of_replay / sizeof *of_replay; i++)
        if (i > 0 || isnan(m->run->is.ideal_ns))
            eft_reason(m, of_replay[i], m->unreplayed && m->computes ? m->unreplayed : none);
    for (size_t i = 0; nothing && i < sizeof of_computing / sizeof *of_computing; i++)
        eft_reason(m, of_computing[i], none);
}
