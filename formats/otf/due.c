#include "otf/mark.h"

#include "base/memory.h"
#include "otf/sieve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Properties of the counter: a signed level at a point in time. */
#define LEVEL_OF_MARKS 0x25u

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

static struct otf_cut_track *due_track(struct otf_stream_cut *s, uint32_t thread)
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

        otf_cut_put(s, due_track(s, m->thread), m->time, line, (size_t)n);
        s->events++;
    }
}
