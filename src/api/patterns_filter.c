#include "api/entries.h"
#include "prvcut/patterns.h"

#include "analysis/patterns/points.h"
#include "api/opening.h"
#include "api/remake.h"
#include "api/writers.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/texts.h"

#include <stdlib.h>
#include <string.h>

/* What is kept of each thread. */
struct apr_stretches {
    struct prvcut_span *span; /* [spans] */
    size_t spans, room;
    size_t *first; /* [threads + 1] */
};

/* Of each peak of a thread one iteration, and those that are like no other. */
static void pfl_keep(const struct pat_track *t, bool *keep)
{
    for (size_t i = 0; i < t->peaks.count; i++)
        keep[t->peaks.at[i].first] = true;
    for (uint64_t i = 0; i < t->count; i++)
        keep[i] |= pat_peaks_of(&t->peaks, t->length[i]) == SIZE_MAX;
}

/* Whose iterations a thread has: its own, or, without calls, those of its task. NULL: nobody's, for
   it calls something else, or as often as no other; at the times of others it would be torn apart,
   and what is unusual on it be lost. */
static const struct pat_track *pfl_track(const struct made_patterns *m,
                                         const struct prvcut_objects *o, uint32_t thread)
{
    const struct pat_points *p = m->chosen;
    const struct pat_track *same = NULL;

    for (size_t t = 0; t < p->tracks; t++) {
        if (p->track[t].thread == thread)
            return &p->track[t];
        if (!same && o->thread_task[p->track[t].thread] == o->thread_task[thread])
            same = &p->track[t];
    }
    return same && !pat_found_calls(m->found, thread) ? same : NULL;
}

static enum prvcut_status pfl_span(struct apr_stretches *s, size_t first, struct prvcut_span more,
                                   struct prvcut_error *err)
{
    if (more.end <= more.start)
        return PRVCUT_OK;
    if (s->spans > first && s->span[s->spans - 1].end >= more.start) {
        s->span[s->spans - 1].end = more.end;
        return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&s->span, &s->room, s->spans + 1, sizeof *s->span, err) < 0)
        return PRVCUT_ENOMEM;
    s->span[s->spans++] = more;
    return PRVCUT_OK;
}

/* All but the iterations that go; t NULL: none does. */
static enum prvcut_status pfl_thread(struct apr_stretches *s, const struct pat_track *t,
                                     const bool *keep, struct prvcut_error *err)
{
    const size_t first = s->spans;
    uint64_t from = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (uint64_t i = 0; t && i < t->count && st == PRVCUT_OK; i++) {
        if (keep[i])
            continue;
        st = pfl_span(s, first, (struct prvcut_span){ from, t->begin[i] }, err);
        from = t->begin[i] + t->length[i];
    }
    return st == PRVCUT_OK ? pfl_span(s, first, (struct prvcut_span){ from, UINT64_MAX }, err) : st;
}

static enum prvcut_status pfl_find(struct apr_stretches *s, const struct prvcut_trace *trace,
                                   const struct made_patterns *m, struct prvcut_error *err)
{
    const struct pat_points *p = m->chosen;
    const bool each = m->each_thread;
    const struct prvcut_objects *o = &trace->objects;
    bool *keep = prvcut_zeroed(p->iterations, sizeof *keep, "iterations", err);
    enum prvcut_status st = PRVCUT_ENOMEM;

    s->first = prvcut_zeroed((size_t)o->threads + 1, sizeof *s->first, "threads", err);
    if (keep && s->first) {
        st = PRVCUT_OK;
        for (size_t t = 0; t < p->tracks && !each; t++)
            pfl_keep(&p->track[t], keep);
    }
    for (uint32_t t = 0; t < o->threads && st == PRVCUT_OK; t++) {
        const struct pat_track *own = pfl_track(m, o, t);

        if (each) {
            memset(keep, 0, p->iterations * sizeof *keep);
            if (own)
                pfl_keep(own, keep);
        }
        st = pfl_thread(s, own, keep, err);
        s->first[t + 1] = s->spans;
    }
    free(keep);
    return st;
}

/* Is it by what each thread repeats by itself, inside of its iterations, too? Of iterations that
   are alike more or less, or that the structure tells, it is by these. */
static bool pfl_is_own(const struct made_patterns *p)
{
    return p->found->of &&
           (p->chosen->tracks == 0 || (p->each_thread && p->found->source == PAT_EXACT));
}

/* So that just the calls stay that the report counts. */
static enum prvcut_status pfl_own(struct apr_stretches *s, const struct prvcut_trace *trace,
                                  const struct pat_found *f, struct prvcut_error *err)
{
    const uint32_t threads = trace->objects.threads;
    enum prvcut_status st = PRVCUT_OK;
    size_t k = 0;

    s->first = prvcut_zeroed((size_t)threads + 1, sizeof *s->first, "threads", err);
    if (!s->first)
        return PRVCUT_ENOMEM;
    for (uint32_t t = 0; t < threads && st == PRVCUT_OK; t++) {
        const size_t first = s->spans;

        while (k < f->ones && f->one[k].thread < t)
            k++;
        if (k == f->ones || f->one[k].thread != t)
            st = pfl_span(s, first, (struct prvcut_span){ 0, UINT64_MAX }, err);
        else
            for (size_t i = f->of[k]; i < f->of[k + 1] && st == PRVCUT_OK; i++)
                st = pfl_span(s, first, f->stretch[i], err);
        s->first[t + 1] = s->spans;
    }
    return st;
}

static enum prvcut_status pfl_write(struct prvcut_trace *t, const struct prvcut_run *run,
                                    const struct apr_stretches *s,
                                    const struct prvcut_convert_options *to,
                                    struct made_convert_summary *out, struct prvcut_error *err)
{
    const struct prvcut_writer *w = writers_named(t->reader->format->name);
    const struct cnv_holes holes = { s->span, s->first, t->objects.threads };
    const struct cnv_job job = { .trace = t,
                                 .run = run,
                                 /* OTF2 would record what the regions tell already; OTF tells by
                                    them when a thread begins. */
                                 .states = t->states_recorded || !t->reader->by_thread ||
                                           !(w->carries >> PRVCUT_CARRY_STATES & 1),
                                 .holes = &holes };
    const enum prvcut_status st = remake_write(job, to, out, err);

    remake_drop_notes(out);
    if (t->reader->by_thread && !t->states_recorded)
        out->is.read.states = out->lost[PRVCUT_CARRY_STATES] = 0;
    return st;
}

enum prvcut_status api_patterns_filter(const struct made_patterns *p, struct prvcut_trace *trace,
                                       const struct prvcut_run *run,
                                       const struct prvcut_convert_options *to,
                                       struct made_convert_summary *out, struct prvcut_error *err)
{
    struct apr_stretches s = { .span = NULL };
    enum prvcut_status st = writers_again(trace, to, "a filtered trace", true, err);

    if (st == PRVCUT_OK && !p->chosen)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "iterations were not looked at");
    if (st == PRVCUT_OK && p->chosen->tracks == 0 && (p->found->patterns == 0 || !p->found->of))
        st = prvcut_fail(err, PRVCUT_NONE, "%s; nothing can be left out",
                         p->is.no_points ? p->is.no_points : "there is no outermost loop");
    if (st == PRVCUT_OK)
        st = pfl_is_own(p) ? pfl_own(&s, trace, p->found, err) : pfl_find(&s, trace, p, err);
    if (st == PRVCUT_OK)
        st = pfl_write(trace, run, &s, to, out, err);
    free(s.span);
    free(s.first);
    return prvcut_trace_outcome(trace, st, err);
}
