#include "prvcut/comm.h"
#include "api/answers.h"
#include "api/comm.h"
#include "api/comm_hear.h"
#include "api/entries.h"

#include "analysis/comm/comm.h"
#include "api/called.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/profile_stretches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More applications, in more stretches, are not told one by one. */
#define MATRICES_MOST ((size_t)1 << 20)

/* One question. */
struct acm_asked {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_comm_options *options;
    struct made_comm *out;
    struct api_comm_hearing *heard; /* of all of the run; NULL: it is to be read */
};

static enum prvcut_status comm_check(const struct prvcut_comm_options *o, struct prvcut_error *err)
{
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    return PRVCUT_OK;
}

/* --- Matrices --------------------------------------------------------------------------------- */

/* What each matrix is of. */
static void comm_name(struct made_comm *out, const struct api_stretches *s, uint32_t applications)
{
    for (size_t i = 0; i < out->is.matrices; i++) {
        struct made_comm_matrix *m = &out->matrix[i];
        const size_t slot = i / applications;
        const struct prvcut_window *w = &s->at[slot].window;

        m->is.span =
            (struct prvcut_span){ w->from, w->to < out->is.end_ns ? w->to : out->is.end_ns };
        if (!s->part || s->part[slot].region[0] == '\0')
            continue;
        snprintf(m->region, sizeof m->region, "%s", s->part[slot].region);
        m->is.region = m->region;
        m->is.iteration = s->part[slot].iteration;
        m->is.span = s->part[slot].span;
        m->is.disturbed = s->part[slot].disturbed;
        m->is.typical = s->part[slot].typical;
    }
}

/* owns: *found is the caller's */
static enum prvcut_status comm_find(struct prvcut_comm_found *found, const struct acm_asked *a,
                                    const struct api_stretches *s, struct prvcut_error *err)
{
    struct api_comm_hearing *h = a->heard;

    if (!h || !h->beside.told || !prvcut_comm_heard(h->hearing))
        return prvcut_comm_read(found, a->trace, a->run, s->at, s->count, err);
    *found = h->found;
    h->found = (struct prvcut_comm_found){ .end_ns = 0 };
    h->beside.told = false;
    return PRVCUT_OK;
}

static enum prvcut_status comm_read(const struct acm_asked *a, const struct api_stretches *s,
                                    struct prvcut_error *err)
{
    const struct prvcut_objects *o = &a->trace->objects;
    struct prvcut_comm_found found;
    enum prvcut_status st;

    if (o->applications > 0 && s->count > MATRICES_MOST / o->applications)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%zu stretches of %" PRIu32 " applications; the limit is %zu matrices",
                           s->count, o->applications, MATRICES_MOST);
    st = comm_find(&found, a, s, err);
    if (st == PRVCUT_OK)
        st = prvcut_comm_matrices(a->out, &found, o, err);
    if (st == PRVCUT_OK)
        st = prvcut_comm_wavefronts(a->out, &found, a->trace, a->run, err);
    a->out->is.end_ns = found.end_ns;
    a->out->is.unlike = found.unlike;
    a->out->is.acausal = found.acausal;
    a->out->sizeless = found.sizeless > 0;
    a->out->is.skipped = a->trace->skipped;
    a->out->is.unsorted = a->trace->late;
    a->out->is.unsorted_ns = a->trace->late_ns;
    a->out->is.first_unsorted = a->trace->reader->halves ? 0 : a->trace->first_late;
    if (st == PRVCUT_OK && o->applications > 0)
        comm_name(a->out, s, o->applications);
    if (st == PRVCUT_OK && a->out->is.matrices > 0)
        a->out->is.span = a->out->matrix[0].is.span;
    prvcut_comm_found_fini(&found);
    return st;
}

static enum prvcut_status comm_whole(const struct acm_asked *a, struct prvcut_error *err)
{
    const struct prvcut_span *only = &a->options->only;
    struct prvcut_proof_region all = { .window = { .from = only->start,
                                                   .to = only->end > 0 ? only->end : UINT64_MAX } };
    const struct api_stretches one = { .at = &all, .count = 1 };

    return comm_read(a, &one, err);
}

static enum prvcut_status comm_parts(const struct acm_asked *a,
                                     const struct prvcut_profile_options *which,
                                     struct prvcut_error *err)
{
    struct made_comm *out = a->out;
    struct api_stretches s;
    const enum prvcut_status found = api_stretches_find(&s, a->trace, a->run, which, true, err);
    enum prvcut_status st = found;

    if (found == PRVCUT_NONE)
        s.count = 1;
    if (found >= 0)
        st = comm_read(a, &s, err);
    if (found == PRVCUT_NONE) {
        out->is.by = PRVCUT_COMM_BY_RUN;
        out->is.no_loop = out->no_loop = s.reason;
        s.reason = NULL;
    }
    api_stretches_fini(&s);
    return api_stretches_outcome(found, st, out->is.no_loop, err);
}

/* --- What is not told ------------------------------------------------------------------------- */

static void comm_reason(struct made_comm *c, const char *what, const char *text)
{
    c->reason[c->is.reasons++] = (struct prvcut_comm_reason){ what, text };
}

/* Of all matrices together: what one tells, the trace tells. */
static void comm_reasons(struct made_comm *c)
{
    uint64_t messages = 0, bytes = 0, timed = 0;
    bool nodes = false, called = false, told = false;

    for (size_t i = 0; i < c->is.matrices; i++) {
        const struct made_comm_matrix *m = &c->matrix[i];

        messages += m->is.messages - m->is.self;
        bytes += m->is.bytes;
        timed += m->is.timed;
        nodes |= m->is.nodes > 0;
        called |= m->is.collectives > 0;
        for (size_t k = 0; k < m->is.collectives; k++)
            told |= m->collective[k].sent_bytes != PRVCUT_COMM_UNTOLD;
    }
    if (messages == 0)
        comm_reason(c, "edges", "no messages between ranks are recorded there");
    if (messages > 0 && bytes == 0)
        comm_reason(c, "bytes", "no message has a size");
    else if (c->sizeless)
        comm_reason(
            c, "bytes",
            "sizes of 2^63 B and more are no sizes: they are left out, their messages count");
    if (messages > 0 && timed == 0)
        comm_reason(c, "time_ns", "of no message both ends are recorded");
    if (!nodes && messages > 0)
        comm_reason(c, "within_node", "the trace does not tell the nodes of its ranks");
    if (c->endless > 0)
        comm_reason(c, "collectives", "of calls without an end it is not known how long they take");
    if (called && !told)
        comm_reason(c, "collectives", "the trace does not tell what collectives send");
}

/* --- The answer ------------------------------------------------------------------------------- */

static enum prvcut_status comm_make(const struct acm_asked *a, struct prvcut_error *err)
{
    const struct prvcut_comm_options *options = a->options;
    struct prvcut_trace *trace = a->trace;
    struct made_comm *out = a->out;
    const struct prvcut_profile_options which = {
        .by = options->by == PRVCUT_COMM_BY_REGION      ? PRVCUT_PROFILE_BY_REGION
              : options->by == PRVCUT_COMM_BY_ITERATION ? PRVCUT_PROFILE_BY_ITERATION
                                                        : PRVCUT_PROFILE_BY_CALL,
        .only = options->only,
        .region = options->region,
        .first = options->first,
        .last = options->last < options->first ? options->first : options->last,
    };
    enum prvcut_status st = comm_check(options, err);

    out->is.by = options->by;
    out->is.applications = trace->objects.applications;
    out->is.tasks = trace->objects.tasks;
    out->is.threads = trace->objects.threads;
    if (st == PRVCUT_OK && options->only.start > 0)
        st = prvcut_window_begins_within(options->only.start, trace->end_ns, err);
    if (st == PRVCUT_OK)
        st = api_stretches_needed(&which) ? comm_parts(a, &which, err) : comm_whole(a, err);
    if (st >= 0 && prvcut_trace_called(&out->called, trace, err) < 0)
        st = PRVCUT_ENOMEM;
    if (st >= 0 && prvcut_trace_typed(&out->typed, trace, err) < 0)
        st = PRVCUT_ENOMEM;
    if (st >= 0)
        comm_reasons(out);
    out->counted_from = api_stretches_needed(&which) ? options->only.start : 0;
    out->is.name = out->called;
    return prvcut_trace_outcome(trace, st, err);
}

enum prvcut_status api_comm_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_comm_options *options, struct made_comm *out,
                                 struct prvcut_error *err)
{
    return comm_make(&(struct acm_asked){ trace, run, options, out, NULL }, err);
}

enum prvcut_status api_comm_of_run(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   struct api_comm_hearing *heard, struct made_comm *out,
                                   struct prvcut_error *err)
{
    const struct prvcut_comm_options all = { .by = PRVCUT_COMM_BY_RUN };

    return comm_make(&(struct acm_asked){ trace, run, &all, out, heard }, err);
}

void prvcut_comm_free(struct prvcut_comm *c)
{
    struct made_comm *made = (struct made_comm *)c;

    if (made) {
        prvcut_comm_matrices_fini(made);
        free(made->called);
        free(made->typed);
        free(made->no_loop);
    }
    free(made);
}

const struct prvcut_comm_matrix *prvcut_comm_matrix(const struct prvcut_comm *c, size_t i)
{
    return i < c->matrices ? &made_comm_of(c)->matrix[i].is : NULL;
}

const struct prvcut_comm_edge *prvcut_comm_edge(const struct prvcut_comm_matrix *m, size_t i)
{
    return i < m->edges ? &made_comm_matrix_of(m)->edge[i] : NULL;
}

const struct prvcut_comm_rank *prvcut_comm_rank(const struct prvcut_comm_matrix *m, size_t rank)
{
    return rank < m->ranks ? &made_comm_matrix_of(m)->rank[rank] : NULL;
}

const struct prvcut_comm_bin *prvcut_comm_bin(const struct prvcut_comm_matrix *m, size_t i)
{
    return i < m->bins ? &made_comm_matrix_of(m)->bin[i] : NULL;
}

const struct prvcut_comm_shape *prvcut_comm_tie(const struct prvcut_comm_matrix *m, size_t i)
{
    return i < m->ties ? &made_comm_matrix_of(m)->tie[i] : NULL;
}

const struct prvcut_comm_collective *prvcut_comm_collective(const struct prvcut_comm_matrix *m,
                                                            size_t i)
{
    return i < m->collectives ? &made_comm_matrix_of(m)->collective[i] : NULL;
}

const struct prvcut_comm_reason *prvcut_comm_reason(const struct prvcut_comm *c, size_t i)
{
    return i < c->reasons ? &made_comm_of(c)->reason[i] : NULL;
}
