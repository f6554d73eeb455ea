#include "analysis/waits/waits_find.h"

#include "base/buffer.h"

#include <stdlib.h>

/* Where calls wait, thread by thread, to be marked: each wait from its begin on, with what it is as
   value, and 0 where it ends. */

void prvcut_waits_marks_free(struct prvcut_mark_list *mark, uint32_t threads)
{
    for (uint32_t i = 0; mark && i < threads; i++) {
        free(mark[i].at);
        free(mark[i].value);
    }
    free(mark);
}

/* What is lost at the end of a call, after others have left, not at its begin. */
static bool wmk_is_late(uint32_t metric)
{
    return metric == PRVCUT_WAIT_BARRIER_COMPLETION || metric == PRVCUT_WAIT_NXN_COMPLETION ||
           metric == PRVCUT_WAIT_INIT_COMPLETION;
}

/* From when to when, as the trace has its times. */
static struct prvcut_span wmk_span(const struct wts_finder *f, const struct wts_booking *b)
{
    const uint32_t task = f->out->objects->thread_task[b->thread];
    struct prvcut_span s = { b->begin, b->begin + b->ns };

    if (wmk_is_late(b->metric))
        s = (struct prvcut_span){ b->end - b->ns, b->end };
    if (f->drift)
        s = (struct prvcut_span){ prvcut_drift_given(f->drift, task, s.start),
                                  prvcut_drift_given(f->drift, task, s.end) };
    return s;
}

static enum prvcut_status wmk_put(struct prvcut_mark_list *l, uint64_t at, uint32_t value,
                                  struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_grow((void **)&l->at, &l->at_room, l->count + 1, sizeof *l->at, err);

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&l->value, &l->value_room, l->count + 1, sizeof *l->value, err);
    if (st < 0)
        return st;
    l->at[l->count] = at;
    l->value[l->count++] = (uint8_t)value;
    return PRVCUT_OK;
}

/* Calls of a thread come in order. Of a wait and a part of it that is as long, the part is told; of
   others that overlap, the first. */
enum prvcut_status wts_mark(const struct wts_finder *f, const struct wts_booking *b,
                            struct prvcut_error *err)
{
    struct prvcut_mark_list *l = f->out->mark ? &f->out->mark[b->thread] : NULL;
    const struct prvcut_span s = wmk_span(f, b);
    uint64_t from = s.start;
    enum prvcut_status st;

    if (!l || b->metric >= PRVCUT_WAITS)
        return PRVCUT_OK;
    if (l->count > 1 && l->at[l->count - 2] == s.start && l->at[l->count - 1] == s.end) {
        l->value[l->count - 2] = (uint8_t)(b->metric + 1);
        return PRVCUT_OK;
    }
    if (l->count > 0 && from < l->at[l->count - 1])
        from = l->at[l->count - 1];
    if (from >= s.end)
        return PRVCUT_OK;
    /* Where one ends and the next begins, the next is told. */
    if (l->count > 0 && from == l->at[l->count - 1])
        l->count--;
    st = wmk_put(l, from, b->metric + 1, err);
    return st == PRVCUT_OK ? wmk_put(l, s.end, 0, err) : st;
}
