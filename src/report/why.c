#include "report/why.h"

#include "report/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Causes that are told in a sentence, where others are meanwhile counted as one; the JSON has all.
 */
#define TOLD 2
/* Others that are named in it; the JSON has more. */
#define NAMED 2
/* A share that '%.0f %%' would round to 100 is all: a time that is more than the excess explains no
 * more. */
#define ALL 0.995

bool report_by_rank(const struct made_reduction *r)
{
    return r->is.applications == 1 && r->is.tasks == r->is.threads;
}

void report_why_add(char out[REPORT_WHY], const char *format, ...)
{
    const size_t length = strlen(out);
    va_list args;

    va_start(args, format);
    vsnprintf(out + length, REPORT_WHY - length, format, args);
    va_end(args);
}

static void why_add_share(char out[REPORT_WHY], double share)
{
    if (share < ALL)
        report_why_add(out, " (%.0f %% of the excess)", 100 * share);
    else
        report_why_add(out, " (all of the excess)");
}

void report_why_add_thread(char out[REPORT_WHY], const struct made_reduction *r, uint32_t thread)
{
    if (report_by_rank(r))
        report_why_add(out, "rank %" PRIu32, thread);
    else if (thread < r->whos)
        report_why_add(out, "%.100s", r->who[thread]);
    else
        report_why_add(out, "thread %" PRIu32, thread + 1);
}

/* " (also rank 8 48.7ms, rank 4 39.5ms and 4 more)", "": whom else it concerns */
static void why_add_others(char out[REPORT_WHY], const struct made_reduction *r,
                           const struct prvcut_slow_cause *s)
{
    char ns[32];

    for (size_t i = 0; i < s->others && i < NAMED; i++) {
        report_why_add(out, i == 0 ? " (also " : ", ");
        report_why_add_thread(out, r, s->other[i]);
        report_why_add(out, " %s", prvcut_time_text(ns, s->other_ns[i]));
    }
    if (s->others > NAMED)
        report_why_add(out, " and %zu more", s->others - NAMED);
    report_why_add(out, s->others > 0 ? ")" : "");
}

/* Do those whom a cause concerns compute as usual, and does nobody compute longer, or wait for the
   tracer? */
static bool why_as_usual(const struct made_chop *c, const struct prvcut_slow_cause *s)
{
    for (size_t i = 0; i < c->is.causes; i++)
        if (c->cause[i].what != PRVCUT_SLOW_CALL && c->cause[i].what != PRVCUT_SLOW_ORDER &&
            c->cause[i].what != PRVCUT_SLOW_UNKNOWN)
            return false;
    return c->as_usual[s - c->cause];
}

static void why_add_call(char out[REPORT_WHY], const struct made_reduction *r,
                         const struct made_chop *c, const struct prvcut_slow_cause *s)
{
    const char *word = report_by_rank(r) ? "rank" : "thread";
    char ns[32];

    if (s->threads >= r->is.threads && r->is.threads > 1)
        report_why_add(out, "all %ss", word);
    else if (s->threads > 1)
        report_why_add(out, "%" PRIu32 " of %" PRIu32 " %ss", s->threads, r->is.threads, word);
    else
        report_why_add_thread(out, r, s->thread);
    if (why_as_usual(c, s) && !s->meanwhile)
        report_why_add(out, " compute%s as usual and", s->threads > 1 ? "" : "s");
    report_why_add(out, " %s longer in %s", s->threads > 1 ? "are" : "is",
                   s->call ? s->call : "calls");
    if (s->threads > 1) {
        report_why_add(out, ", ");
        report_why_add_thread(out, r, s->thread);
        report_why_add(out, " most");
    }
    report_why_add(out, ": %s", prvcut_time_text(ns, s->ns));
}

const char *report_why_how(enum prvcut_slow computes)
{
    static const char *const how[] = { [PRVCUT_SLOW_PREEMPTION] = ", without its processor",
                                       [PRVCUT_SLOW_INSTRUCTIONS] = ", with more instructions",
                                       [PRVCUT_SLOW_IPC] = ", with fewer instructions a cycle",
                                       [PRVCUT_SLOW_CLOCK] = ", at a lower clock" };

    return computes < sizeof how / sizeof *how && how[computes] ? how[computes] : "";
}

/* What a thread did before it came. */
static void why_add_before(char out[REPORT_WHY], enum prvcut_slow did, double did_ns,
                           const char *call)
{
    char ns[32];

    prvcut_time_text(ns, did_ns);
    switch (did) {
    case PRVCUT_SLOW_UNKNOWN: /* of 0 ns: several things */
        if (did_ns > 0)
            report_why_add(out, ", after %s outside calls in which it did not compute", ns);
        break;
    case PRVCUT_SLOW_FLUSH:
        report_why_add(out, ", after it wrote its trace buffer for %s", ns);
        break;
    case PRVCUT_SLOW_OFF:
        report_why_add(out, ", after %s in which tracing was off", ns);
        break;
    case PRVCUT_SLOW_CALL:
        report_why_add(out, ", after %s in %s", ns, call ? call : "a call");
        break;
    case PRVCUT_SLOW_ORDER: /* of an iteration, not of a partner */
        break;
    case PRVCUT_SLOW_PREEMPTION:
    case PRVCUT_SLOW_INSTRUCTIONS:
    case PRVCUT_SLOW_IPC:
    case PRVCUT_SLOW_CLOCK:
    case PRVCUT_SLOW_COMPUTING:
        report_why_add(out, ", after it computed for %s%s", ns, report_why_how(did));
        break;
    }
}

/* Why a call took so long for which nobody was late. */
static void why_add_transfer(char out[REPORT_WHY], const struct made_chop *c,
                             const struct prvcut_slow_cause *s)
{
    char bytes[32], usual[32];

    if (c->bigger[s - c->cause] == MADE_BIGGER_UNTOLD)
        report_why_add(out, ": the trace does not tell for whom it waited");
    else if (c->bigger[s - c->cause] != MADE_BIGGER_NO)
        report_why_add(out, ": more to transfer, %s in %s, usually %s",
                       prvcut_size_text(bytes, s->bytes),
                       c->bigger[s - c->cause] == MADE_BIGGER_CALL ? "it" : "the iteration",
                       prvcut_size_text(usual, s->usual_bytes));
    else
        report_why_add(out, ": transfer or system");
}

/* Where it began: the partner waited for another one itself, or for nobody. */
static void why_add_origin(char out[REPORT_WHY], const struct made_reduction *r,
                           const struct made_chop *c, const struct prvcut_slow_cause *s)
{
    if (s->origin == UINT32_MAX || s->partner_did != PRVCUT_SLOW_CALL)
        return;
    if (s->origin != s->partner) {
        report_why_add(out, ", and first of all ");
        report_why_add_thread(out, r, s->origin);
        report_why_add(out, " was late");
        why_add_before(out, s->origin_did, s->origin_ns, s->origin_call);
    }
    if (s->origin_did == PRVCUT_SLOW_CALL) {
        report_why_add(out, ", for which nobody %s late",
                       c->bigger[s - c->cause] == MADE_BIGGER_UNTOLD ? "seems to have been"
                                                                     : "was");
        why_add_transfer(out, c, s);
    }
}

/* For whom it waited. */
static void why_add_late(char out[REPORT_WHY], const struct made_reduction *r,
                         const struct made_chop *c, const struct prvcut_slow_cause *s)
{
    const bool untold =
        s->late == PRVCUT_LATE_UNKNOWN && c->bigger[s - c->cause] == MADE_BIGGER_UNTOLD;
    char longest[32], late[32];

    prvcut_time_text(longest, s->longest_ns);
    if (s->late == PRVCUT_LATE_NOBODY || untold)
        report_why_add(out, ", nobody %s late for the longest of them, %s",
                       untold ? "seems to have been" : "was", longest);
    if (s->late == PRVCUT_LATE_NOBODY || untold)
        why_add_transfer(out, c, s);
    if (s->late != PRVCUT_LATE_PARTNER)
        return;
    report_why_add(out, ", ");
    report_why_add_thread(out, r, s->partner);
    if (s->partner_code)
        report_why_add(out, ", in %.120s,", s->partner_code);
    report_why_add(out, " came %s late to the longest of them, %s",
                   prvcut_time_text(late, s->late_ns), longest);
    why_add_before(out, s->partner_did, s->partner_ns, s->partner_call);
    why_add_origin(out, r, c, s);
}

/* Who waits for whom even where no message takes time. */
static void why_add_order(char out[REPORT_WHY], const struct made_reduction *r,
                          const struct made_chop *c, const struct prvcut_slow_cause *s)
{
    const char *word = report_by_rank(r) ? "rank" : "thread";
    char ns[32];

    report_why_add(out, "the %ss%s wait for each other in another order, %s longer", word,
                   why_as_usual(c, s) ? " compute as usual, but" : "", prvcut_time_text(ns, s->ns));
    report_why_add(out, " even on an ideal network");
    why_add_share(out, s->share);
    if (s->partner == UINT32_MAX)
        return;
    report_why_add(out, ", where ");
    report_why_add_thread(out, r, s->thread);
    report_why_add(out, " waits longest: %s in %s for ", prvcut_time_text(ns, s->longest_ns),
                   s->call ? s->call : "a call");
    report_why_add_thread(out, r, s->partner);
}

/* Who computes longer; more: why, from a comma on */
static void why_add_computing(char out[REPORT_WHY], const struct made_reduction *r,
                              const struct made_chop *c, const struct prvcut_slow_cause *s,
                              const char *more)
{
    const char *word = report_by_rank(r) ? "rank" : "thread";
    const bool all = s->threads >= r->is.threads && r->is.threads > 1;
    const bool row = c->in_a_row[s - c->cause];
    char ns[32];

    prvcut_time_text(ns, s->ns);
    if (all)
        report_why_add(out, "all %ss", word);
    else if (row)
        report_why_add(out, "%" PRIu32 " of %" PRIu32 " %ss", s->threads, r->is.threads, word);
    if (all || row)
        report_why_add(out, " compute longer%s%s, ", more, row ? ", one after the other" : "");
    report_why_add_thread(out, r, s->thread);
    if (all || row) {
        report_why_add(out, " most: %s", ns);
        return;
    }
    report_why_add(out, " computes %s longer%s", ns, more);
    why_add_others(out, r, s);
}

static void why_add_one(char out[REPORT_WHY], const struct made_reduction *r,
                        const struct made_chop *c, const struct prvcut_slow_cause *s)
{
    char ns[32];

    prvcut_time_text(ns, s->ns);
    switch (s->what) {
    case PRVCUT_SLOW_UNKNOWN:
        report_why_add(out, "not explained");
        return;
    case PRVCUT_SLOW_ORDER:
        why_add_order(out, r, c, s);
        return;
    case PRVCUT_SLOW_CALL:
        why_add_call(out, r, c, s);
        break;
    case PRVCUT_SLOW_FLUSH:
        report_why_add_thread(out, r, s->thread);
        report_why_add(out, " writes its trace buffer for %s", ns);
        why_add_others(out, r, s);
        break;
    case PRVCUT_SLOW_OFF:
        report_why_add(out, "tracing is off for %s on ", ns);
        report_why_add_thread(out, r, s->thread);
        why_add_others(out, r, s);
        break;
    case PRVCUT_SLOW_PREEMPTION:
        report_why_add_thread(out, r, s->thread);
        report_why_add(out, " lost its processor for %s, or ran slower", ns);
        why_add_others(out, r, s);
        break;
    case PRVCUT_SLOW_INSTRUCTIONS:
    case PRVCUT_SLOW_IPC:
    case PRVCUT_SLOW_CLOCK:
    case PRVCUT_SLOW_COMPUTING:
        why_add_computing(out, r, c, s, report_why_how(s->what));
        break;
    }
    why_add_share(out, s->share);
    why_add_late(out, r, c, s);
}

char *report_why_text(char out[REPORT_WHY], const struct made_reduction *r,
                      const struct made_chop *c)
{
    unsigned told = 0;
    char ns[32];

    out[0] = '\0';
    if (c->is.causes == 0)
        return out;
    report_why_add(out, "%s longer than the median", prvcut_time_text(ns, c->is.excess_ns));
    if (c->is.excess_kind > 0)
        report_why_add(out, " of kind %u", c->is.excess_kind);
    report_why_add(out, ": ");
    for (size_t i = 0; i < c->is.causes && told < TOLD; i++) {
        const struct prvcut_slow_cause *s = &c->cause[i];
        const bool goes_on = i > 0 && s->meanwhile && c->cause[i - 1].meanwhile;

        report_why_add(out, "%s",
                       goes_on        ? "; and "
                       : s->meanwhile ? "; meanwhile "
                       : i > 0        ? "; "
                                      : "");
        why_add_one(out, r, c, s);
        told += i + 1 == c->is.causes || !s->meanwhile || !c->cause[i + 1].meanwhile;
    }
    return out;
}
