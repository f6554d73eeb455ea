#include "otf/mark.h"

#include "model/made.h"
#include "otf/sieve.h"

#include <string.h>

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
