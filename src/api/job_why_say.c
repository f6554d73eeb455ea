#include "api/job_why_say.h"

#include "api/job_why_met.h"

#include "base/search.h"
#include "dsp/order.h"
#include "report/lines.h"
#include "structure/known.h"
#include "structure/parameters.h"
#include "structure/stretch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*
 * name       value  unit                     decides
 */
#define SAY_CALLS 0.1 /* of the calls that are usual: so many more, or fewer, are told */
#define SAY_PART  0.1 /* of what is shorter: of less of something it is not told */
#define SAY_ITSELF                                                                                 \
    0.5               /* of what a thread's own is longer: from here on it is so by what it does   \
                         itself, and is told; */
#define SAY_WAITS 0.5 /* of its length: so much longer it is told whatever it does */
#define SAY_IDLE                                                                                   \
    0.2             /* of what it is longer: so much that is neither computing nor a call is told */
#define SAY_OWN 0.3 /* of what a thread's own is longer: what it does itself is told from there */

static const char *jsy_threads(const struct job_why_spent *w)
{
    return report_by_rank(w->j->out) ? "ranks" : "threads";
}

/* "3.2 % longer than", "as long as" */
static void jsy_compare(char text[REPORT_WHY], double off)
{
    if (fabs(off) < 0.05)
        report_why_add(text, "as long as");
    else
        report_why_add(text, "%.1f %% %s than", fabs(off), off > 0 ? "longer" : "shorter");
}

static void jsy_median(char text[REPORT_WHY], const struct job_why_explained *e)
{
    report_why_add(text, " the median");
    if (e->kind > 0)
        report_why_add(text, " of kind %u", e->kind);
}

/* Is it the one that the loop ends with? */
static bool jsy_is_last(const struct job *j, size_t iteration)
{
    return job_why_number(j, iteration) ==
           j->out->structure.region[j->kinds->region].is.loop_iterations;
}

/* Of an iteration that is shorter: what there is less of. */
static void jsy_less(char text[REPORT_WHY], const struct job_why_spent *w,
                     const struct job_why_explained *e, size_t n)
{
    const struct prvcut_why_usual *usual = &e->usual;
    const struct prvcut_why_less less = prvcut_why_less_of(&e->table, usual, n);
    const double shorter = usual->length - w->length[n];
    char ns[32], call[160];

    report_why_add(text, "%s shorter than", prvcut_time_text(ns, shorter));
    jsy_median(text, e);
    if (jsy_is_last(w->j, w->pick[n])) {
        report_why_add(text, ": the loop ends with it, without what leads to a next one");
        return;
    }
    if (!(less.ns >= SAY_PART * shorter)) {
        report_why_add(text, ": not explained");
        return;
    }
    report_why_add(text, ": %s less ", prvcut_time_text(ns, less.ns));
    if (less.column >= PRVCUT_WHY_COLUMNS)
        report_why_add(text, "in %s",
                       prvcut_proof_key_text(call, sizeof call,
                                             &w->call[less.column - PRVCUT_WHY_COLUMNS],
                                             &w->found.names));
    else
        report_why_add(text, "%s",
                       less.column == PRVCUT_WHY_COMPUTING  ? "of computing"
                       : less.column == PRVCUT_WHY_FLUSHING ? "of flushing"
                                                            : "without tracing");
    if (e->table.threads > 1)
        report_why_add(text, ", mean of all %s", jsy_threads(w));
}

/* What a thread does itself that makes its own longer, as far as that is a good part of it. */
static void jsy_own(char text[REPORT_WHY], const struct prvcut_why_own *own)
{
    const double least = SAY_OWN * own->longer, rest = own->itself - own->computes - own->flushes;
    const char *and = ": ";
    char ns[32], usual[32];

    if (own->flushes >= least) {
        report_why_add(text, "%sit writes its trace buffer for %s", and,
                       prvcut_time_text(ns, own->flushes));
        and = "; ";
    }
    if (own->computes >= least) {
        report_why_add(text, "%sit computes %s longer%s", and, prvcut_time_text(ns, own->computes),
                       report_why_how(own->how));
        if (own->stolen > 0)
            report_why_add(text, ", %s of it without its processor or slower",
                           prvcut_time_text(ns, own->stolen));
        and = "; ";
    }
    if (rest >= least)
        report_why_add(text, "%sit neither computes nor calls for %s", and,
                       prvcut_time_text(ns, rest));
    else if (*and == ':' && job_why_is_bigger(own->bytes, own->usual_bytes, own->longer))
        report_why_add(text, ": %s in messages, usually %s", prvcut_size_text(ns, own->bytes),
                       prvcut_size_text(usual, own->usual_bytes));
    else if (*and == ':')
        report_why_add(text, ": it is in calls for %s longer",
                       prvcut_time_text(ns, own->longer - own->itself));
}

/* Others may be longer where the one that leads is not. Returns whether any is. */
static bool jsy_others(char text[REPORT_WHY], const struct job_why_spent *w,
                       const struct job_why_explained *e, size_t n)
{
    const struct prvcut_why_usual *usual = &e->usual;
    const double far =
        prvcut_far_among(prvcut_parameter_of(w->j->run->set, PRVCUT_SET_UNUSUAL), e->table.threads);
    const struct prvcut_why_own own = prvcut_why_own_of(&e->table, usual, n, far, e->room);
    char longer[32], length[32];

    if ((jsy_is_last(w->j, w->pick[n]) && !(w->tail.end && w->pick[n] == w->tail.iteration)) ||
        !(own.longer > 0 && own.longer >= JOB_WHY_LONGER * own.usual) ||
        !(own.itself >= SAY_ITSELF * own.longer || own.longer >= SAY_WAITS * own.usual ||
          job_why_is_bigger(own.bytes, own.usual_bytes, own.longer)))
        return false;
    report_why_add(text, "; but that of ");
    report_why_add_thread(text, w->j->out, own.thread);
    report_why_add(text, " is %s longer, %s", prvcut_time_text(longer, own.longer),
                   prvcut_time_text(length, own.usual + own.longer));
    jsy_own(text, &own);
    return true;
}

bool job_why_say_nothing(char text[REPORT_WHY], const struct job_why_spent *w,
                         const struct job_why_explained *e, size_t n)
{
    const double length = e->usual.length;
    const double off = 100 * (w->length[n] - length) / length;
    const bool shorter = off <= -100 * JOB_WHY_LONGER;
    char others[REPORT_WHY] = "";
    const bool any = jsy_others(others, w, e, n);

    text[0] = '\0';
    if (!job_why_is_unusual(w->j, w->pick[n]) && !shorter) {
        if (!any && job_why_open(w->j, w->pick[n]) == PRVCUT_NOBODY)
            report_why_add(text, "nothing unusual: ");
        jsy_compare(text, off);
        jsy_median(text, e);
    } else if (shorter) {
        jsy_less(text, w, e, n);
    } else {
        jsy_compare(text, off);
        jsy_median(text, e);
        report_why_add(text, ", unusual beside %s",
                       w->j->kinds->kinds > 1 ? "the kinds of iterations of its loop"
                                              : "its neighbours");
    }
    report_why_add(text, "%s", others);
    return any || shorter || job_why_is_unusual(w->j, w->pick[n]);
}

/* Calls of all threads in an iteration, over the threads. */
static double jsy_calls(const struct job_why_explained *e, const double *at)
{
    const size_t columns = PRVCUT_WHY_COLUMNS + e->table.calls;
    double sum = 0;

    for (uint32_t t = 0; t < e->table.threads; t++)
        sum += at[t * columns + PRVCUT_WHY_ENTERED];
    return sum / fmax(1, e->table.threads);
}

/* Of a thread that is the first cause by what it does itself, and not all of it: what it does
   besides that is neither computing nor a call. */
static void jsy_idle(char text[REPORT_WHY], const struct job_why_explained *e, size_t n,
                     const struct made_chop *c)
{
    const struct prvcut_slow_cause *first = c->is.causes > 0 ? &c->cause[0] : NULL;
    double share = 0, idle;
    char ns[32];

    if (!first || first->what == PRVCUT_SLOW_CALL || first->what == PRVCUT_SLOW_ORDER ||
        first->what == PRVCUT_SLOW_UNKNOWN)
        return;
    for (size_t i = 0; i < c->is.causes; i++)
        share += c->cause[i].thread == first->thread ? c->cause[i].share : 0;
    idle = fmin((1 - share) * c->is.excess_ns,
                prvcut_why_idle(&e->table, &e->usual, n, first->thread));
    if (idle >= SAY_IDLE * c->is.excess_ns)
        report_why_add(text, "; it neither computes nor calls for %s besides",
                       prvcut_time_text(ns, idle));
}

/* Where one computes longer that is the first cause: those that do so, too, each in an iteration of
   its own that is at another time, as in a pipeline; with them these are all. */
static void jsy_elsewhere(char text[REPORT_WHY], const struct job_why_spent *w,
                          const struct job_why_explained *e, size_t n, const struct made_chop *c)
{
    const struct prvcut_slow_cause *first = c->is.causes > 0 ? &c->cause[0] : NULL;
    struct prvcut_why_elsewhere is;

    if (!first || first->threads >= e->table.threads ||
        (first->what != PRVCUT_SLOW_INSTRUCTIONS && first->what != PRVCUT_SLOW_IPC &&
         first->what != PRVCUT_SLOW_CLOCK && first->what != PRVCUT_SLOW_COMPUTING))
        return;
    is = prvcut_why_elsewhere_of(&e->table, &e->usual, n, first->ns);
    if (is.threads == 0)
        return;
    report_why_add(text, "; ");
    if (is.threads == 1)
        report_why_add_thread(text, w->j->out, is.thread);
    else
        report_why_add(text, "the other %" PRIu32 " %s", is.threads, jsy_threads(w));
    report_why_add(text, " do%s so, too, at another time", is.threads == 1 ? "es" : "");
}

void job_why_say_more(char text[REPORT_WHY], const struct job_why_spent *w,
                      const struct job_why_explained *e, size_t n, const struct made_chop *c)
{
    const size_t row = (PRVCUT_WHY_COLUMNS + e->table.calls) * e->table.threads;
    const double calls = jsy_calls(e, e->table.at + n * row);
    const double usual = jsy_calls(e, e->usual.at);
    const uint32_t open = job_why_open(w->j, w->pick[n]);
    const bool longer = w->length[n] >= (1 + JOB_WHY_LONGER) * e->usual.length;
    char is[32], was[32];

    jsy_elsewhere(text, w, e, n, c);
    jsy_idle(text, e, n, c);
    if (usual > 0 && fabs(calls - usual) >= fmax(1, SAY_CALLS * usual))
        report_why_add(text, "; %s call%s%s, usually %s", report_number(is, calls),
                       strcmp(is, "1") == 0 ? "" : "s",
                       e->table.threads < 2        ? ""
                       : report_by_rank(w->j->out) ? " a rank"
                                                   : " a thread",
                       report_number(was, usual));
    if (open == PRVCUT_NOBODY && longer && jsy_is_last(w->j, w->pick[n]))
        report_why_add(text, "; it is the loop's last one, and what follows the loop may be in it");
    if (open == PRVCUT_NOBODY)
        return;
    report_why_add(text, "; it is the loop's last one, and no call tells where it ends");
    if (e->table.threads < 2)
        return;
    report_why_add(text, " on ");
    report_why_add_thread(text, w->j->out, open);
}

/* Does a call of the thread begin then? */
static bool jsy_calls_at(const struct prvcut_call_sequence *s, uint64_t time)
{
    const size_t at =
        prvcut_lower_u64(s->at, s->count, sizeof *s->at, offsetof(struct prvcut_call, time), time);

    return at < s->count && s->at[at].time == time;
}

/* The thread on which no call tells where a known loop ends, the one that leads first. */
static uint32_t jsy_open(const struct prvcut_known_loop *f)
{
    for (size_t i = 0; i < f->calls.sequences; i++)
        if (f->calls.borders[i] > 0 &&
            !jsy_calls_at(&f->sequence[i], f->calls.border[i][f->calls.borders[i] - 1]))
            return f->sequence[i].thread;
    return PRVCUT_NOBODY;
}

uint32_t job_why_open(const struct job *j, size_t iteration)
{
    const struct made_structure *s = &j->out->structure;
    const struct made_region *of = &s->region[j->kinds->region];
    const struct prvcut_known_loop *last = NULL;

    for (size_t i = 0; i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], of))
            last = &j->known.at[j->known.of_region[i]];
    return last && job_why_number(j, iteration) == of->is.loop_iterations ? jsy_open(last)
                                                                          : PRVCUT_NOBODY;
}
