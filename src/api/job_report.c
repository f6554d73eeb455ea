#include "api/job.h"

#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const stand_names[] = {
    [PRVCUT_STAND_NONE] = "none",         [PRVCUT_STAND_CHOSEN] = "chosen",
    [PRVCUT_STAND_AGREES] = "agrees",     [PRVCUT_STAND_INNER] = "inner",
    [PRVCUT_STAND_MULTIPLE] = "multiple", [PRVCUT_STAND_DIFFERS] = "differs",
};

void job_note(struct job *j, const char *format, ...)
{
    struct prvcut_reduction *r = j->out;
    char text[256];
    va_list ap;

    if (r->notes == sizeof r->note / sizeof *r->note)
        return;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    r->note[r->notes] = strdup(text);
    r->notes += r->note[r->notes] != NULL;
}

/* Absent: the trace does not hold what the metric is made of. */
static const char *status_of(const struct job *j, const struct prvcut_witness *w)
{
    for (unsigned i = 0; i < PRVCUT_METRICS; i++) {
        const struct prvcut_signal *s = &j->data.signal[i];

        if (s->name && strcmp(s->name, w->name) == 0 && !s->at)
            return "absent";
    }
    return stand_names[w->stand];
}

enum prvcut_status job_votes(struct job *j, struct prvcut_error *err)
{
    struct prvcut_reduction *r = j->out;

    r->vote = calloc(j->witnesses + 1, sizeof *r->vote);
    if (!r->vote)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for votes");
    r->votes = j->witnesses;
    for (size_t i = 0; i < j->witnesses; i++) {
        const struct prvcut_witness *w = &j->witness[i];

        r->vote[i] = (struct prvcut_vote){ .metric = w->name,
                                           .status = status_of(j, w),
                                           .period_ns = w->loop.found ? w->loop.period_ns : 0,
                                           .iterations = w->loop.iterations,
                                           .strength = w->loop.strength,
                                           .span = w->loop.span,
                                           .why = w->loop.why ? w->loop.why : "" };
    }
    r->periodic = j->loop.found;
    r->period_ns = j->loop.found ? j->loop.period_ns : 0;
    r->median_ns = j->loop.median_ns;
    r->iterations = j->loop.iterations;
    r->phase = j->loop.span;
    r->confidence = j->options->period_ns > 0 ? 1 : j->verdict.confidence;
    if (job_borders_known(j))
        r->calls_per_iteration = (double)j->calls.calls_per_iteration;
    return PRVCUT_OK;
}

static enum prvcut_status add_phase(struct job *j, size_t *room, const char *kind, uint64_t start,
                                    uint64_t end, const char *cause, struct prvcut_error *err)
{
    struct prvcut_reduction *r = j->out;
    struct prvcut_phase *p;

    if (end <= start)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&r->phases, room, r->phase_count + 1, sizeof *r->phases, err) < 0)
        return PRVCUT_ENOMEM;
    p = &r->phases[r->phase_count++];
    *p = (struct prvcut_phase){ .kind = kind, .span = { start, end }, .cause = cause };
    if (strcmp(kind, "periodic") == 0) {
        p->period_ns = j->loop.period_ns;
        p->iterations = (double)(end - start) / j->loop.period_ns;
    }
    return PRVCUT_OK;
}

/* Cause of the mask that covers a time. */
static const char *cause_at(const struct job *j, uint64_t t)
{
    for (size_t i = 0; i < j->masks.count; i++)
        if (j->masks.at[i].span.start <= t && t < j->masks.at[i].span.end)
            return j->masks.at[i].cause;
    return "";
}

/* One stretch of the run, its masked parts apart. */
static enum prvcut_status add_stretch(struct job *j, size_t *room, const char *kind, uint64_t start,
                                      uint64_t end, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < j->mask_spans && st == PRVCUT_OK; i++) {
        struct prvcut_span m = j->mask[i];

        if (m.end <= start || m.start >= end)
            continue;
        m.start = m.start < start ? start : m.start;
        m.end = m.end > end ? end : m.end;
        st = add_phase(j, room, kind, start, m.start, "", err);
        if (st == PRVCUT_OK)
            st = add_phase(j, room, "masked", m.start, m.end, cause_at(j, m.start), err);
        start = m.end;
    }
    return st < 0 ? st : add_phase(j, room, kind, start, end, "", err);
}

enum prvcut_status job_phases(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_loop *l = &j->loop;
    size_t room = 0;
    enum prvcut_status st;

    if (!l->found)
        return add_stretch(j, &room, "aperiodic", 0, j->end_ns, err);
    st = add_stretch(j, &room, "initialisation", 0, l->span.start, err);
    if (st == PRVCUT_OK)
        st = add_stretch(j, &room, "periodic", l->span.start, l->span.end, err);
    return st < 0 ? st : add_stretch(j, &room, "end", l->span.end, j->end_ns, err);
}

void job_hand_over(struct job *j)
{
    j->out->mask = j->masks.at;
    j->out->masks = j->masks.count;
    j->masks = (struct prvcut_masks){ 0 };
}

void job_fini(struct job *j)
{
    prvcut_collection_fini(&j->data);
    prvcut_call_loop_fini(&j->calls);
    prvcut_masks_fini(&j->masks);
    free(j->mask);
    free(j->path);
}
