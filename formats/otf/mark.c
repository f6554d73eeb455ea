#include "otf/mark.h"

#include "base/memory.h"
#include "model/made.h"
#include "otf/sieve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Properties of the counter: a signed level at a point in time. */
#define LEVEL_OF_MARKS 0x25u

/* --- The counter -------------------------------------------------------------------------- */

static void mrk_look(struct otf_marker *m, const struct otf_names *n)
{
    for (size_t i = 0; n && i < n->counters && !m->defined; i++) {
        const struct otf_counter *k = &n->counter[i];

        m->defined = k->type == m->marks->kind->type;
        if (m->defined)
            m->counter = k->id;
        else if (k->id >= m->counter)
            m->counter = k->id + 1;
    }
}

static enum prvcut_status mrk_init(struct otf_marker *out, const struct otf_trace *t,
                                   const struct prvcut_marks *marks, struct prvcut_error *err)
{
    *out = (struct otf_marker){ .marks = marks, .counter = 1 };
    mrk_look(out, &t->names);
    for (uint32_t i = 0; i < t->streams; i++)
        mrk_look(out, t->stream[i].names);
    if (out->counter > 0)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_ELIMIT, "%s: there is no free number for a counter of marks",
                       prvcut_trace_told(&t->base));
}

void otf_marker_define(const struct otf_marker *m, struct otf_out *out, bool long_form)
{
    if (!m->defined)
        otf_out_printf(out,
                       long_form ? "DEFCOUNTER %" PRIx32 " NAME \"%s\" PROPERTIES %x UNIT \"#\"\n"
                                 : "DCNT%" PRIx32 "NM\"%s\"P%xU\"#\"\n",
                       m->counter, m->marks->kind->name, LEVEL_OF_MARKS);
}

/* --- Marks -------------------------------------------------------------------------------- */

enum prvcut_status otf_due_init(struct otf_due *out, const struct otf_marker *m,
                                const struct otf_trace *t, const struct otf_stream *s,
                                struct prvcut_error *err)
{
    uint8_t *wanted = prvcut_zeroed((size_t)t->base.objects.threads + 1, 1, "threads", err);
    enum prvcut_status st;

    if (!wanted)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < s->members; i++)
        wanted[t->process[s->member[i]].thread] = 1;
    st = prvcut_marks_of(m->marks, wanted, &out->at, &out->count, err);
    free(wanted);
    for (size_t i = 0; st == PRVCUT_OK && i < out->count; i++) {
        uint64_t step;

        out->at[i].order = i;
        otf_place(t, out->at[i].thread, out->at[i].time, &out->at[i].time, &step);
    }
    /* Clocks of several processes that were brought together may order them otherwise. */
    if (st == PRVCUT_OK)
        prvcut_marks_sort(out->at, out->count);
    return st;
}

static struct otf_cut_track *mrk_track(struct otf_stream_cut *s, uint32_t thread)
{
    uint32_t i = 0;

    while (s->track[i].thread != thread)
        i++;
    return &s->track[i];
}

void otf_due_put(struct otf_stream_cut *s, uint64_t tick)
{
    struct otf_due *d = &s->due;
    char line[64];

    for (; d->next < d->count && d->at[d->next].time <= tick; d->next++) {
        const struct prvcut_mark *m = &d->at[d->next];
        const int n =
            snprintf(line, sizeof line,
                     s->long_form ? "COUNTER %" PRIx32 " VALUE %x\n" : "CNT%" PRIx32 "V%x\n",
                     s->cutter->marker->counter, (unsigned)m->value);

        otf_cut_put(s, mrk_track(s, m->thread), m->time, line, (size_t)n);
        s->events++;
    }
}

/* --- The trace ---------------------------------------------------------------------------- */

enum prvcut_status otf_mark_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_marks *marks,
                                  const struct prvcut_cut_options *options,
                                  struct made_marking *out, struct prvcut_error *err)
{
    struct otf_trace *trace = (struct otf_trace *)t;
    struct prvcut_cut_options own = *options;
    struct prvcut_cut_summary sum = { 0 };
    struct otf_marker marker;
    enum prvcut_status st = mrk_init(&marker, trace, marks, err);

    /* All messages stay: who reads the copy brings the clocks together as in the original. */
    own.own_clocks = true;
    if (st == PRVCUT_OK)
        st = otf_copy(trace, run, &(struct otf_change){ .marker = &marker }, &own, &sum, err);
    made_marking_take(out, marker.written, &sum);
    return st;
}
