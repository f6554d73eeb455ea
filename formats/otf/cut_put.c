#include "otf/cut_track.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void otf_cut_put_line(struct otf_stream_cut *s, uint64_t time, uint32_t process, const char *text,
                      size_t count)
{
    char head[48];
    int n = 0;

    if (!s->timed || s->out_time != time)
        n = snprintf(head, sizeof head, "%" PRIx64 "\n*%" PRIx32 "\n", time, process);
    else if (s->out_process != process)
        n = snprintf(head, sizeof head, "*%" PRIx32 "\n", process);
    s->timed = true;
    s->out_time = time;
    s->out_process = process;
    otf_out_put(&s->out, head, (size_t)n);
    otf_out_put(&s->out, text, count);
}

void otf_cut_put(struct otf_stream_cut *s, const struct otf_cut_track *t, uint64_t tick,
                 const char *text, size_t count)
{
    const uint64_t time = otf_cut_time(s->cutter, t->thread, tick);
    void *at = s->late;

    if (!s->sorted) {
        otf_cut_put_line(s, time, t->process, text, count);
        return;
    }
    otf_out_depends(&s->out,
                    prvcut_grow(&at, &s->late_room, s->lates + 1, sizeof *s->late, s->out.err));
    s->late = at;
    if (s->out.st < 0)
        return;
    s->late[s->lates] = (struct otf_late){ .time = time,
                                           .order = s->lates,
                                           .process = t->process,
                                           .at = s->late_text.count,
                                           .count = count };
    s->lates++;
    otf_out_depends(&s->out, prvcut_buffer_append(&s->late_text, text, count, s->out.err));
}

static int cut_put_by_time(const void *a, const void *b)
{
    const struct otf_late *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void otf_cut_put_late(struct otf_stream_cut *s)
{
    if (s->lates > 0)
        qsort(s->late, s->lates, sizeof *s->late, cut_put_by_time);
    for (size_t i = 0; i < s->lates && s->out.st == PRVCUT_OK; i++)
        otf_cut_put_line(s, s->late[i].time, s->late[i].process, s->late_text.at + s->late[i].at,
                         s->late[i].count);
}
