#include "prvcut/diff.h"
#include "api/answers.h"
#include "api/entries.h"

#include "analysis/profile/profile.h"
#include "api/called.h"
#include "api/diff_side.h"
#include "api/job.h"
#include "api/opening.h"
#include "base/memory.h"
#include "model/texts.h"
#include "report/lines.h"
#include "structure/stretch.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many times the calls of the other's iteration may make another loop. */
#define ADF_UNLIKE 1.5
/* Of an iteration: where clocks are off by more, so are waits. */
#define ADF_OFF 0.01

/* --- Words ------------------------------------------------------------------------------------ */

const char *prvcut_diff_quantity_text(enum prvcut_diff_quantity quantity)
{
    static const char *const text[] = { "length",    "iterations",   "computing",
                                        "calls",     "flush",        "off",
                                        "call",      "entered",      "messages",
                                        "bytes",     "instructions", "ipc",
                                        "frequency", "waiting",      "collective_bytes" };

    return (size_t)quantity < sizeof text / sizeof *text ? text[quantity] : NULL;
}

const char *prvcut_diff_way_text(enum prvcut_diff_way way)
{
    static const char *const text[] = { "same", "median", "mean" };

    return (size_t)way < sizeof text / sizeof *text ? text[way] : NULL;
}

const char *prvcut_diff_turn_text(enum prvcut_diff_turn turn)
{
    static const char *const text[] = { "neither", "better", "worse" };

    return (size_t)turn < sizeof text / sizeof *text ? text[turn] : NULL;
}

/* --- What else is to be known ----------------------------------------------------------------- */

/* Returns the text, which the answer owns; NULL: there is no memory, or no room. */
static const char *diff_note(struct made_diff *out, const char *what, struct prvcut_error *err,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

static const char *diff_note(struct made_diff *out, const char *what, struct prvcut_error *err,
                             const char *format, ...)
{
    enum prvcut_status st;
    va_list args;

    if (out->is.notes == MADE_NOTES)
        return NULL;
    va_start(args, format);
    st = prvcut_texts_say(&out->text, &out->texts, err, format, args);
    va_end(args);
    if (st < 0)
        return NULL;
    out->note[out->is.notes++] = (struct prvcut_diff_note){ what, out->text[out->texts - 1] };
    return out->text[out->texts - 1];
}

/* "A holds", "B holds", "neither holds", by which of the two do not. */
static const char *diff_who(bool a, bool b)
{
    return a && b ? "neither run holds" : a ? "A does not hold" : "B does not hold";
}

/* Why rows of these quantities are not told. */
struct adf_missing {
    const char *what, *thing;
    enum prvcut_diff_quantity first, last;
    const char *neither; /* the reason where both runs do not: too common for a note; NULL: none */
};

static bool diff_alike(const struct prvcut_diff_row *x, const struct prvcut_diff_row *y)
{
    return isnan(x->median[0]) == isnan(y->median[0]) && isnan(x->median[1]) == isnan(y->median[1]);
}

static void diff_missing(struct made_diff *out, const struct adf_missing *m,
                         struct prvcut_error *err)
{
    const char *reason = NULL;

    for (size_t i = 0; i < out->is.rows; i++) {
        struct prvcut_diff_row *r = &out->row[i];
        const bool a = isnan(r->median[0]), b = isnan(r->median[1]);

        if (r->quantity < m->first || r->quantity > m->last || (!a && !b))
            continue;
        if (r->quantity == PRVCUT_DIFF_WAITING && i > 0 && diff_alike(r, r - 1))
            reason = r[-1].reason; /* who holds no calls */
        if (a && b && m->neither)
            reason = m->neither;
        if (!reason)
            reason = diff_note(out, m->what, err, "%s %s", diff_who(a, b), m->thing);
        r->reason = reason;
    }
}

static void diff_all_missing(struct made_diff *out, bool clocks, struct prvcut_error *err)
{
    const struct adf_missing all[] = {
        { "computing", "states or calls that tell when threads compute", PRVCUT_DIFF_COMPUTING,
          PRVCUT_DIFF_COMPUTING, NULL },
        { "calls", "MPI calls", PRVCUT_DIFF_CALLS, PRVCUT_DIFF_CALLS, NULL },
        { "waiting",
          clocks ? "clocks that agree well enough to tell how long calls wait"
                 : "the messages that calls wait for",
          PRVCUT_DIFF_WAITING, PRVCUT_DIFF_WAITING, NULL },
        { "off", "states that tell whether tracing was off", PRVCUT_DIFF_OFF, PRVCUT_DIFF_OFF,
          NULL },
        { "messages", "messages", PRVCUT_DIFF_MESSAGES, PRVCUT_DIFF_BYTES, NULL },
        { "collective_bytes", "bytes of collectives", PRVCUT_DIFF_COLLECTIVE_BYTES,
          PRVCUT_DIFF_COLLECTIVE_BYTES, "neither run holds bytes of collectives" },
        { "counters", "hardware counters of instructions and cycles", PRVCUT_DIFF_INSTRUCTIONS,
          PRVCUT_DIFF_FREQUENCY, NULL },
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        diff_missing(out, &all[i], err);
    for (size_t i = 0; i < out->is.rows; i++)
        if (!out->row[i].reason && isnan(out->row[i].median[0] + out->row[i].median[1]))
            out->row[i].reason = out->row[i].quantity == PRVCUT_DIFF_ITERATIONS
                                     ? "there are no two loops"
                                     : "a run does not hold such calls";
}

static void diff_note_loops(struct made_diff *out, struct prvcut_error *err)
{
    const struct prvcut_diff *d = &out->is;
    char some[32], all[32];

    for (unsigned i = 0; i < 2; i++) {
        if (d->no_loop[i])
            diff_note(out, "loop", err, "no loop in %c: %s", 'A' + (int)i, d->no_loop[i]);
        if (d->together[i] > 1)
            diff_note(out, "iterations", err,
                      "%u iterations of %c are taken as one, for one of %c holds their calls",
                      d->together[i], 'A' + (int)i, 'B' - (int)i);
        if (!d->whole && d->looked_at[i] < d->iterations[i])
            diff_note(
                out, "looked_at", err,
                "%s of %s iterations of %c, evenly spread, tell the medians; means and totals "
                "are of all",
                report_count(some, d->looked_at[i]), report_count(all, d->iterations[i]),
                'A' + (int)i);
    }
    if (d->whole)
        diff_note(out, "whole", err,
                  "whole runs are compared, which do not tell how much they differ by chance: less "
                  "than 5 %% is not named");
}

/* Other loops: what each does is told, what changed is not known. */
static void diff_judge_nothing(struct made_diff *out)
{
    struct prvcut_diff *d = &out->is;

    for (size_t i = 0; i < d->rows; i++) {
        struct prvcut_diff_row *r = &out->row[i];

        r->way = PRVCUT_DIFF_SAME;
        r->turn = PRVCUT_DIFF_NEITHER;
        r->worse = 0;
        r->overall = r->likely = false;
        r->difference = r->share = r->of_length = r->least = (double)NAN;
        r->rank = r->thread = UINT32_MAX;
    }
    d->changes = d->causes = 0;
    d->worst = 0;
    d->exceeded = false;
}

static void diff_unlike(struct made_diff *out, double times, struct prvcut_error *err)
{
    const bool b = times > 1;

    diff_judge_nothing(out);
    out->is.unlike = diff_note(out, "unlike", err,
                               "an iteration of %c holds %.1f times the calls of one of %c, so "
                               "that nothing is judged; --region names one of each",
                               b ? 'B' : 'A', b ? times : 1 / times, b ? 'A' : 'B');
}

/* How often calls are made in an iteration. */
static double diff_entered(const struct made_diff *out, unsigned side)
{
    double sum = 0;

    for (size_t i = 0; i < out->is.rows; i++)
        if (out->row[i].quantity == PRVCUT_DIFF_ENTERED && !isnan(out->row[i].mean[side]))
            sum += out->row[i].mean[side];
    return sum;
}

/* What else than the program may differ: the loop that was found, the tracer. */
static void diff_note_alike(struct made_diff *out, const struct diff_side side[2],
                            struct prvcut_error *err)
{
    const double a = diff_entered(out, 0), b = diff_entered(out, 1);
    const double times = a > b ? a / b : b / a;

    if (!out->is.whole && !out->is.unlike && a > 0 && b > 0 && times >= ADF_UNLIKE)
        diff_note(out, "unlike", err,
                  "an iteration of %c holds %.1f times the calls of one of %c: are these the same "
                  "loop? --region names one of each",
                  a > b ? 'A' : 'B', times, a > b ? 'B' : 'A');
    if (side[0].trace->reader != side[1].trace->reader)
        diff_note(out, "formats", err,
                  "the formats differ, and so may the tracers, and which calls they record");
}

static void diff_note_threads(struct made_diff *out, const struct diff_side side[2],
                              struct prvcut_error *err)
{
    const struct prvcut_diff *d = &out->is;

    if (d->tasks[0] != d->tasks[1] || d->threads[0] != d->threads[1])
        diff_note(out, "threads", err,
                  d->tasks[0] != d->tasks[1]
                      ? "ranks are not compared one by one: A has %" PRIu32 ", B has %" PRIu32
                      : "threads are not compared one by one: A has %" PRIu32 ", B has %" PRIu32,
                  d->tasks[0] != d->tasks[1] ? d->tasks[0] : d->threads[0],
                  d->tasks[0] != d->tasks[1] ? d->tasks[1] : d->threads[1]);
    else if (!d->by_thread)
        diff_note(out, "threads", err, "there are too many threads to compare them one by one");
    if (side[0].states != side[1].states && d->computing)
        diff_note(out, "computing", err,
                  "computing is all time outside calls, as %c records no states",
                  side[0].states ? 'B' : 'A');
}

/* --- The comparison --------------------------------------------------------------------------- */

static enum prvcut_status diff_check(struct prvcut_trace *const trace[2], struct prvcut_error *err)
{
    for (unsigned i = 0; i < 2; i++)
        if (trace[i]->once)
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "%s: 'diff' reads the trace twice; save the pipe to a file first",
                               prvcut_trace_told(trace[i]));
    return PRVCUT_OK;
}

static enum prvcut_status diff_name(struct made_diff *out, const struct diff_side side[2],
                                    struct prvcut_error *err)
{
    struct prvcut_diff *d = &out->is;

    for (unsigned i = 0; i < 2; i++) {
        const struct made_structure *found = &side[i].all.structure;
        char *name = NULL, region[32];

        if (prvcut_trace_called(&name, side[i].trace, err) < 0 ||
            prvcut_texts_take(&out->text, &out->texts, name, err) < 0)
            return PRVCUT_ENOMEM;
        d->name[i] = out->text[out->texts - 1];
        if (prvcut_trace_typed(&out->typed[i], side[i].trace, err) < 0)
            return PRVCUT_ENOMEM;
        d->tasks[i] = side[i].trace->objects.tasks;
        d->threads[i] = side[i].trace->objects.threads;
        d->together[i] = 1;
        if (side[i].region == SIZE_MAX) {
            if (prvcut_texts_add(&out->text, &out->texts, side[i].no_loop, err) < 0)
                return PRVCUT_ENOMEM;
            d->no_loop[i] = out->text[out->texts - 1];
            continue;
        }
        snprintf(region, sizeof region, "%u.%u", found->region[side[i].region].is.level,
                 found->region[side[i].region].is.number);
        if (prvcut_texts_add(&out->text, &out->texts, region, err) < 0)
            return PRVCUT_ENOMEM;
        d->region[i] = out->text[out->texts - 1];
        d->iterations[i] = side[i].iterations;
        d->loop[i] = found->region[side[i].region].is.loop;
        for (size_t k = 0; k < found->is.regions; k++)
            d->regions[i] +=
                prvcut_regions_share_loop(&found->region[k], &found->region[side[i].region]);
    }
    return PRVCUT_OK;
}

static void diff_count(struct prvcut_diff *d, const struct diff_side side[2])
{
    for (unsigned i = 0; i < 2 && !d->whole; i++) {
        const struct prvcut_diff_run *r = &side[i].measured;

        d->looked_at[i] = r->iterations;
        for (size_t k = 0; k < r->iterations; k++)
            d->disturbed[i] += !r->clear[k];
    }
}

/* Clocks that contradict each other by so much tell no difference of waiting. */
static bool diff_clocks_hide(const struct diff_side *side)
{
    const struct prvcut_diff_run *r = &side->measured;
    double length = 0;

    for (uint32_t i = 0; i < r->rows; i++)
        length += prvcut_diff_at(r, r->iterations, i)[PRVCUT_DIFF_AT_LENGTH];
    return side->order.violations > side->order.matching &&
           (double)side->order.worst > ADF_OFF * length / (r->count * r->threads);
}

static bool diff_untold_by_clocks(const struct diff_side side[2])
{
    return side[0].any & side[1].any & PRVCUT_PROFILE_ANY_RECEIVED &&
           (diff_clocks_hide(&side[0]) || diff_clocks_hide(&side[1]));
}

/* Who records no messages does not know what its calls wait for: of collectives it does, but that
   is no less than another run's waiting for messages, too. */
static void diff_untell_waiting(struct prvcut_diff_run run[2], const struct diff_side side[2])
{
    const bool any = (side[0].any | side[1].any) & PRVCUT_PROFILE_ANY_RECEIVED;

    for (unsigned s = 0; s < 2; s++) {
        const bool known = side[s].any & PRVCUT_PROFILE_ANY_RECEIVED;

        if (!diff_clocks_hide(&side[s]) &&
            (known || (!any && side[s].collectives && !side[s].between_two)))
            continue;
        for (size_t i = 0; i <= run[s].iterations; i++)
            for (uint32_t n = 0; n < run[s].rows; n++)
                prvcut_diff_at(&run[s], i, n)[PRVCUT_DIFF_AT_WAITING] = NAN;
    }
}

static enum prvcut_status diff_name_threads(struct made_diff *out, struct diff_side *a,
                                            struct prvcut_error *err)
{
    const size_t threads = a->thread_names;

    out->rank = prvcut_unset(threads + 1, sizeof *out->rank, "threads", err);
    if (!out->rank)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < threads; i++)
        out->rank[i] = a->trace->objects.thread_task[i];
    out->thread_name = a->thread_name;
    out->thread_names = threads;
    out->by_number = !a->trace->reader->by_thread;
    a->thread_name = NULL;
    a->thread_names = 0;
    return PRVCUT_OK;
}

static enum prvcut_status diff_compare(struct made_diff *out, struct diff_side side[2],
                                       struct prvcut_error *err)
{
    struct prvcut_diff *d = &out->is;
    struct prvcut_diff_run run[2];
    enum prvcut_status st = PRVCUT_OK;
    bool clocks, unlike = false;
    double times;

    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = prvcut_trace_outcome(side[i].trace, diff_side_measure(&side[i], d->whole, err), err);
    if (st < 0)
        return st;
    diff_count(d, side);
    for (unsigned i = 0; i < 2; i++)
        out->clock[i] = prvcut_causality_as_read(&side[i].order, side[i].trace);
    run[0] = side[0].measured;
    run[1] = side[1].measured;
    clocks = diff_untold_by_clocks(side);
    diff_untell_waiting(run, side);
    if (!d->whole) {
        prvcut_diff_together(run, d->together);
        unlike = !side[0].options->region && prvcut_diff_unlike(run, &times);
    }
    d->by_thread = d->tasks[0] == d->tasks[1] && d->threads[0] == d->threads[1] &&
                   run[0].rows == d->threads[0] && run[1].rows == d->threads[1];
    if (d->by_thread && diff_name_threads(out, &side[0], err) < 0)
        return PRVCUT_ENOMEM;
    st = prvcut_diff_compare(out, run, side[0].trace->objects.thread_task, err);
    if (st == PRVCUT_OK) {
        diff_note_loops(out, err);
        if (unlike)
            diff_unlike(out, times, err);
        diff_note_alike(out, side, err);
        diff_note_threads(out, side, err);
        diff_all_missing(out, clocks, err);
    }
    return st;
}

static enum prvcut_status diff_make(struct made_diff *out, struct diff_side side[2],
                                    const struct prvcut_diff_options *o, struct prvcut_error *err)
{
    bool none = false;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < 2 && st >= 0; i++) {
        st = diff_side_find(&side[i], err);
        none = none || st == PRVCUT_NONE;
        if (st < 0)
            return prvcut_trace_outcome(side[i].trace, st, err);
    }
    if (diff_name(out, side, err) < 0)
        return PRVCUT_ENOMEM;
    out->is.limited = o->limited;
    out->is.above = o->above;
    out->is.whole = none;
    if (none && (o->level > 0 || o->region))
        return PRVCUT_NONE;
    return diff_compare(out, side, err);
}

enum prvcut_status api_diff_make(struct prvcut_trace *a, struct prvcut_trace *b,
                                 const struct prvcut_run *run,
                                 const struct prvcut_diff_options *options, struct made_diff *out,
                                 struct prvcut_error *err)
{
    struct prvcut_trace *const trace[2] = { a, b };
    struct prvcut_diff_options second = *options;
    struct diff_side side[2] = { { .trace = a, .run = run, .options = options },
                                 { .trace = b, .run = run, .options = &second } };
    enum prvcut_status st = diff_check(trace, err);

    out->again = run ? run->again : NULL;
    if (options->region && strchr(options->region, ','))
        second.region = strchr(options->region, ',') + 1;
    if (st == PRVCUT_OK && second.region && strchr(second.region, ','))
        st = prvcut_fail(err, PRVCUT_EUSAGE, "'%.100s' names more than a region of each run",
                         options->region);

    if (st == PRVCUT_OK && options->limited && !(options->above >= 0))
        st = prvcut_fail(err, PRVCUT_EUSAGE, "above: no part of a value, which is 0 or more");
    if (st == PRVCUT_OK)
        st = diff_make(out, side, options, err);
    diff_side_fini(&side[0]);
    diff_side_fini(&side[1]);
    return st;
}

/* --- The answer ------------------------------------------------------------------------------- */

void prvcut_diff_free(struct prvcut_diff *d)
{
    struct made_diff *made = (struct made_diff *)d;

    if (!made)
        return;
    free(made->row);
    free(made->change);
    prvcut_texts_free(made->text, made->texts);
    prvcut_texts_free(made->thread_name, made->thread_names);
    free(made->rank);
    free(made->typed[0]);
    free(made->typed[1]);
    free(made);
}

const struct prvcut_diff_row *prvcut_diff_row(const struct prvcut_diff *d, size_t i)
{
    return i < d->rows ? &made_diff_of(d)->row[i] : NULL;
}

const struct prvcut_diff_row *prvcut_diff_change(const struct prvcut_diff *d, size_t i)
{
    return i < d->changes ? &made_diff_of(d)->row[made_diff_of(d)->change[i]] : NULL;
}

const struct prvcut_slow_cause *prvcut_diff_cause(const struct prvcut_diff *d, size_t i)
{
    return i < d->causes ? &made_diff_of(d)->cause[i] : NULL;
}

const char *prvcut_diff_thread(const struct prvcut_diff *d, uint32_t thread, uint32_t *rank)
{
    const struct made_diff *made = made_diff_of(d);

    if (thread >= made->thread_names)
        return NULL;
    if (rank)
        *rank = made->rank[thread];
    return made->thread_name[thread];
}

const struct prvcut_waits_clock *prvcut_diff_clock(const struct prvcut_diff *d, unsigned side)
{
    return &made_diff_of(d)->clock[side];
}

const struct prvcut_diff_note *prvcut_diff_note(const struct prvcut_diff *d, size_t i)
{
    return i < d->notes ? &made_diff_of(d)->note[i] : NULL;
}
