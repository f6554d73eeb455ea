#include "prvcut/profile.h"
#include "api/answers.h"
#include "api/entries.h"

#include "analysis/profile/profile_rows.h"
#include "api/bits.h"
#include "api/called.h"
#include "api/index.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/profile.h"
#include "api/profile_stretches.h"

#include <inttypes.h>
#include <stdlib.h>

#define VIEWS_TEXT                                                                                 \
    "call, state, function, line, rank, thread, region, iteration, communicator and peer"

/* The calls that functions make. */
#define BY_PAIRS (PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_FUNCTION)

/* Rows of all that threads did. */
#define BY_LINES                                                                                   \
    (PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD | PRVCUT_PROFILE_BY_REGION |                \
     PRVCUT_PROFILE_BY_ITERATION)

/* What ranks do with each other: one more reading. */
#define BY_MET (PRVCUT_PROFILE_BY_COMMUNICATOR | PRVCUT_PROFILE_BY_PEER)

/* Of more stretches it is not told how long calls are. */
#define LENGTHS_MOST 64

/* --- Views ------------------------------------------------------------------------------------ */

static const struct api_bit apf_view[] = {
    { "call", PRVCUT_PROFILE_BY_CALL },
    { "state", PRVCUT_PROFILE_BY_STATE },
    { "rank", PRVCUT_PROFILE_BY_RANK },
    { "thread", PRVCUT_PROFILE_BY_THREAD },
    { "region", PRVCUT_PROFILE_BY_REGION },
    { "iteration", PRVCUT_PROFILE_BY_ITERATION },
    { "communicator", PRVCUT_PROFILE_BY_COMMUNICATOR },
    { "peer", PRVCUT_PROFILE_BY_PEER },
    { "function", PRVCUT_PROFILE_BY_FUNCTION },
    { "line", PRVCUT_PROFILE_BY_LINE },
};

static enum prvcut_status prof_agree(uint32_t by, struct prvcut_error *err)
{
    const uint32_t what = PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_STATE |
                          PRVCUT_PROFILE_BY_FUNCTION | PRVCUT_PROFILE_BY_LINE;
    const uint32_t who = PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD;
    const uint32_t where = PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION;

    if (by & what & ((by & what) - 1) && (by & what) != BY_PAIRS)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a view has one of call, state, function and line, or function,call");
    if ((by & who) == who)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a view has rank or thread, not both");
    if ((by & where) == where)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a view has region or iteration, not both");
    if (by & PRVCUT_PROFILE_BY_PEER && by & ~(PRVCUT_PROFILE_BY_PEER | where))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "peer goes with region or iteration, and with nothing else");
    if (by & PRVCUT_PROFILE_BY_COMMUNICATOR && by & what & ~(uint32_t)PRVCUT_PROFILE_BY_CALL)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "communicator goes with call, not with state, function or line");
    if (by & ~(what | who | where | BY_MET))
        return prvcut_fail(err, PRVCUT_EUSAGE, "unknown views; there are " VIEWS_TEXT);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_profile_views(const char *text, uint32_t *by, struct prvcut_error *err)
{
    const enum prvcut_status st = api_bits_read(apf_view, sizeof apf_view / sizeof *apf_view, text,
                                                "view", VIEWS_TEXT, by, err);

    *by = st == PRVCUT_OK ? *by : 0;
    return st == PRVCUT_OK ? prof_agree(*by, err) : st;
}

/* --- The profile ------------------------------------------------------------------------------ */

static enum prvcut_status prof_check(const struct prvcut_profile_options *o,
                                     struct prvcut_error *err)
{
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    if (o->why > 0 && (o->by > 0 || o->waiting))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "why iterations are slow is told in sentences, not in rows: without "
                           "views and waiting");
    return prof_agree(o->by, err);
}

static void prof_leave_out(struct made_profile *p, size_t top)
{
    p->is.rows_all = p->is.rows;
    if (top > 0 && top < p->is.rows)
        p->is.rows = top;
}

/* What is made of a reading. */
struct apf_made {
    struct made_profile *profile;
    struct made_profile *lines; /* the same by thread; NULL: not wanted */
};

/* Of which stretches, and whether rows are of each by itself, not of the first. */
static enum prvcut_status prof_read(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_profile_options *o,
                                    const struct api_stretches *s, bool each,
                                    const struct apf_made *out, struct prvcut_error *err)
{
    const struct prvcut_profile_asked asked = {
        .stretch = s->at,
        .stretches = s->count,
        .until = o->only.end > 0 ? o->only.end : UINT64_MAX,
        .bins = o->by & PRVCUT_PROFILE_BY_CALL && s->count <= LENGTHS_MOST &&
                !(o->by & (PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD |
                           PRVCUT_PROFILE_BY_FUNCTION | BY_MET)),
        .rest =
            !(o->by & ~(uint32_t)BY_LINES) || (o->by == PRVCUT_PROFILE_BY_CALL && s->count == 1),
        .functions = o->by & (PRVCUT_PROFILE_BY_FUNCTION | PRVCUT_PROFILE_BY_LINE),
        .pairs = (o->by & BY_PAIRS) == BY_PAIRS,
        .lines = o->by & PRVCUT_PROFILE_BY_LINE,
        .met = o->waiting || o->by & BY_MET,
    };
    const struct prvcut_window *window = &s->at[0].window;
    struct prvcut_profile_found found;
    struct prvcut_profile_rows rows = { .found = &found,
                                        .trace = trace,
                                        .by = o->by,
                                        .part = s->part,
                                        .first = each,
                                        .straight = s->straight };
    enum prvcut_status st = index_recall_profile(&found, trace, &asked)
                                ? PRVCUT_OK
                                : prvcut_profile_read(&found, trace, run, &asked, err);

    if (st == PRVCUT_OK)
        st = prvcut_profile_rows_make(out->profile, &rows, err);
    rows.by = PRVCUT_PROFILE_BY_THREAD;
    if (st == PRVCUT_OK && out->lines)
        st = prvcut_profile_rows_make(out->lines, &rows, err);
    if (st == PRVCUT_OK)
        out->profile->is.span =
            (struct prvcut_span){ window->from,
                                  window->to < found.end_ns ? window->to : found.end_ns };
    prvcut_profile_found_fini(&found);
    return st;
}

static enum prvcut_status prof_whole(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_profile_options *o,
                                     const struct apf_made *out, struct prvcut_error *err)
{
    struct prvcut_proof_region all = {
        .window = { .from = o->only.start, .to = o->only.end > 0 ? o->only.end : UINT64_MAX }
    };
    const struct api_stretches one = { .at = &all, .count = 1 };

    return prof_read(trace, run, o, &one, false, out, err);
}

static enum prvcut_status prof_parts(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_profile_options *o,
                                     const struct apf_made *out, struct prvcut_error *err)
{
    const bool each = o->by & (PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION);
    struct api_stretches s;
    const enum prvcut_status found = api_stretches_find(&s, trace, run, o, false, err);
    enum prvcut_status st = found;

    if (found >= 0)
        st = prof_read(trace, run, o, &s, each || found == PRVCUT_NONE, out, err);
    if (found == PRVCUT_NONE)
        out->profile->is.no_loop = out->profile->no_loop = s.reason;
    if (found == PRVCUT_NONE)
        s.reason = NULL;
    api_stretches_fini(&s);
    return api_stretches_outcome(found, st, out->profile->is.no_loop, err);
}

enum prvcut_status api_profile_with_lines(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_profile_options *options,
                                          struct made_profile *out, struct made_profile *lines,
                                          struct prvcut_error *err)
{
    const struct apf_made made = { out, lines };
    struct prvcut_profile_options o = *options;
    enum prvcut_status st = prof_check(options, err);

    o.by = o.by > 0 || o.why > 0 ? o.by : PRVCUT_PROFILE_BY_CALL;
    o.last = o.last < o.first ? o.first : o.last;
    if (st == PRVCUT_OK && o.only.start > 0)
        st = prvcut_window_begins_within(o.only.start, trace->end_ns, err);
    if (st == PRVCUT_OK)
        st = index_agree(trace, run, err);
    if (st == PRVCUT_OK && o.why > 0)
        st = api_profile_why(trace, run, &o, out, err);
    else if (st == PRVCUT_OK)
        st = api_stretches_needed(&o) ? prof_parts(trace, run, &o, &made, err)
                                      : prof_whole(trace, run, &o, &made, err);
    if (st >= 0 && prvcut_trace_called(&out->called, trace, err) < 0)
        st = PRVCUT_ENOMEM;
    if (st >= 0 && prvcut_trace_typed(&out->typed, trace, err) < 0)
        st = PRVCUT_ENOMEM;
    if (st >= 0 && o.why == 0)
        prof_leave_out(out, o.top);
    out->counted_from = o.why > 0 || api_stretches_needed(&o) ? o.only.start : 0;
    out->is.name = out->called;
    out->again = run ? run->again : NULL;
    return prvcut_trace_outcome(trace, st, err);
}

enum prvcut_status api_profile_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_profile_options *options,
                                    struct made_profile *out, struct prvcut_error *err)
{
    return api_profile_with_lines(trace, run, options, out, NULL, err);
}

void prvcut_profile_free(struct prvcut_profile *p)
{
    if (p) {
        api_profile_why_fini((struct made_profile *)p);
        prvcut_profile_rows_fini((struct made_profile *)p);
    }
    free(p);
}

const struct prvcut_profile_row *prvcut_profile_row(const struct prvcut_profile *p, size_t i)
{
    return i < p->rows ? &made_profile_of(p)->row[i] : NULL;
}

const struct prvcut_profile_row *prvcut_profile_total(const struct prvcut_profile *p)
{
    return &made_profile_of(p)->total;
}

const struct prvcut_profile_slow *prvcut_profile_slow(const struct prvcut_profile *p, size_t i)
{
    return i < p->slow ? &made_profile_of(p)->slow[i].is : NULL;
}

const struct prvcut_slow_cause *prvcut_profile_cause(const struct prvcut_profile *p, size_t i,
                                                     size_t k)
{
    const struct made_slow *s = i < p->slow ? &made_profile_of(p)->slow[i] : NULL;

    return s && k < s->is.causes ? &s->cause[k] : NULL;
}

const char *prvcut_profile_counter(const struct prvcut_profile *p, size_t i)
{
    return i < p->counters ? made_profile_of(p)->counter[i] : NULL;
}

const char *prvcut_profile_rest(const struct prvcut_profile *p, size_t i)
{
    return i < p->rests ? made_profile_of(p)->state[i] : NULL;
}

const struct prvcut_waits_clock *prvcut_profile_clock(const struct prvcut_profile *p)
{
    return &made_profile_of(p)->clock;
}

const struct prvcut_profile_reason *prvcut_profile_reason(const struct prvcut_profile *p, size_t i)
{
    return i < p->reasons ? &made_profile_of(p)->reason[i] : NULL;
}
