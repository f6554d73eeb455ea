#include "otf/walk.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum prvcut_status otf_walk_init(struct otf_walk *w, struct prvcut_error *err)
{
    w->event = prvcut_unset(OTF_BATCH, sizeof *w->event, "records", err);
    w->state = prvcut_unset(OTF_BATCH, sizeof *w->state, "records", err);
    w->half = prvcut_unset(OTF_BATCH, sizeof *w->half, "records", err);
    if (!w->event || !w->state || !w->half)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

void otf_walk_fini(struct otf_walk *w)
{
    free(w->event);
    free(w->state);
    free(w->half);
    w->event = NULL;
    w->state = NULL;
    w->half = NULL;
}

enum prvcut_status otf_walk_tracks(struct otf_walk *w, struct prvcut_error *err)
{
    const struct otf_trace *t = w->trace;

    w->track = prvcut_zeroed((size_t)w->stream->members + 1, sizeof *w->track, "processes", err);
    if (!w->track)
        return PRVCUT_ENOMEM;
    w->stop = 0;
    w->steps = otf_steps(t);
    for (uint32_t i = 0; i < w->stream->members; i++) {
        const struct otf_process *p = &t->process[w->stream->member[i]];
        const uint64_t stop = otf_tick(t, p->thread, w->to);

        w->track[i].process = p->id;
        w->track[i].thread = p->thread;
        w->track[i].holder = p->holder;
        w->track[i].shift = otf_shift(t, p->thread);
        w->track[i].state = PRVCUT_STATE_RUNNING;
        w->stop = stop > w->stop ? stop : w->stop;
    }
    return PRVCUT_OK;
}

void otf_walk_free_tracks(struct otf_walk *w)
{
    for (uint32_t i = 0; w->track && i < w->stream->members; i++) {
        prvcut_stack_fini(&w->track[i].open);
        free(w->track[i].counter);
        free(w->track[i].line);
    }
    free(w->track);
    w->track = NULL;
}

static enum prvcut_status walk_process(struct otf_walk *w, uint64_t id, struct prvcut_error *err)
{
    uint32_t at;

    w->chosen = true;
    if (w->now && w->now->process == id)
        return PRVCUT_OK;
    at = otf_member_of(w->trace, w->stream, id);
    w->now = at != OTF_NONE ? &w->track[at] : NULL;
    if (w->now)
        return PRVCUT_OK;
    return otf_walk_fault(w, OTF_FAULT_PROCESS, err,
                          "process %" PRIx64 " is not one of stream %" PRIx32 "'s in %s", id,
                          w->stream->id, w->trace->base.path);
}

static enum prvcut_status walk_change_time(struct otf_walk *w, uint64_t tick,
                                           struct prvcut_error *err)
{
    const uint64_t time = otf_time(w->trace, tick);

    w->backward = (w->timed && tick < w->tick) || tick < w->trace->origin;
    if (w->backward)
        return otf_walk_fault(w, OTF_FAULT_ORDER, err,
                              "time goes back from %" PRIx64 " to %" PRIx64,
                              w->timed ? w->tick : w->trace->origin, tick);
    if (time == OTF_TIME_MOST) {
        w->backward = true;
        return otf_walk_fault(w, OTF_FAULT_NUMBER, err, "time %" PRIx64 " is later than %u years",
                              tick, 146);
    }
    w->tick = tick;
    w->time = time;
    w->timed = true;
    return PRVCUT_OK;
}

static enum prvcut_status walk_begin_thread(struct otf_walk *w)
{
    struct otf_track *t = w->now;

    t->alive = true;
    t->since = otf_walk_time(w, t);
    if (t->since < w->counts.base.first_ns)
        w->counts.base.first_ns = t->since;
    return PRVCUT_OK;
}

/*
 * A coarse clock gives many records of a thread one time, but their order is known: each comes one
 * nanosecond after the other, within the tick.
 */
static void walk_take_step(const struct otf_walk *w, struct otf_track *t)
{
    const bool same = t->alive && t->tick == w->tick;

    t->step = same ? t->step + (t->step + 1 < w->steps) : 0;
    t->tick = w->tick;
}

/* All that does not set time or process. */
static enum prvcut_status walk_take_record(struct otf_walk *w, const struct otf_record *r,
                                           uint64_t offset, struct prvcut_error *err)
{
    const uint64_t from = w->keys > 0 ? w->keys - 1 : offset;

    if (r->kind == OTF_KEY_VALUE) {
        w->keys = from + 1;
        return PRVCUT_OK;
    }
    if (r->kind == OTF_BAD)
        return otf_walk_fault(w, OTF_FAULT_RECORD, err, "not a record of OTF");
    if (r->kind == OTF_TOO_LARGE)
        return otf_walk_fault(w, OTF_FAULT_NUMBER, err, "a number needs more than 64 bits");
    if (r->kind == OTF_NOTHING)
        return PRVCUT_OK;
    w->keys = 0;
    if (!w->timed || !w->chosen)
        return w->backward
                   ? PRVCUT_OK
                   : otf_walk_fault(w, OTF_FAULT_NO_TIME, err, "a record before the first %s",
                                    w->timed ? "process" : "time");
    if (w->backward || !w->now) {
        w->counts.base.skipped++;
        return PRVCUT_OK;
    }
    if (r->kind == OTF_COMMENT)
        w->counts.base.comments++;
    if (w->steps > 0)
        walk_take_step(w, w->now);
    if (!w->now->alive)
        walk_begin_thread(w);
    w->now->last = otf_walk_time(w, w->now);
    return otf_walk_record(w, r, from, err);
}

static enum prvcut_status walk_take_lines(struct otf_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    struct otf_record r;

    while (st == PRVCUT_OK && otf_lines_next(&w->lines, &r)) {
        w->line++;
        if (r.kind == OTF_TIME) {
            st = walk_change_time(w, r.number, err);
            /* The time is taken all the same: until then goes on what is open. */
            if (st == PRVCUT_OK && w->windowed && r.number >= w->stop)
                return PRVCUT_END;
        } else if (r.kind == OTF_PROCESS) {
            st = walk_process(w, r.number, err);
        } else {
            st = walk_take_record(w, &r, otf_text_offset(&w->lines.text, w->lines.first), err);
        }
    }
    return st;
}

static enum prvcut_status walk_take_chunks(struct otf_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && (st = otf_lines_more(&w->lines, err)) == PRVCUT_OK) {
        st = otf_mark_leave(w, w->lines.text.offset, err);
        if (st == PRVCUT_OK)
            st = walk_take_lines(w, err);
    }
    if (st != PRVCUT_END)
        return st;
    if (w->lines.damaged) {
        w->line = 0;
        return otf_walk_fault(w, OTF_FAULT_PACKED, err, "the packed data are damaged");
    }
    if (!w->lines.cut_short)
        return PRVCUT_OK;
    w->line++;
    return otf_walk_fault(w, OTF_FAULT_CUT_SHORT, err,
                          "the last line has no line end: the file was cut short");
}

/*
 * Text has no mark at its end: that a stream was cut between two lines shows only in what it leaves
 * open. What is closed, or was never there, does not show.
 */
static enum prvcut_status walk_look_at_end(struct otf_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool any = false;

    if (w->windowed)
        return PRVCUT_OK;
    for (uint32_t i = 0; i < w->stream->members && st == PRVCUT_OK; i++) {
        const struct otf_track *t = &w->track[i];

        any = any || t->alive;
        if (t->open.count > 0)
            st = otf_walk_fault(w, OTF_FAULT_UNFINISHED, err,
                                "process %" PRIx32 " is still in function %" PRIx64
                                " where the file ends",
                                t->process, (uint64_t)t->open.at[t->open.count - 1].value);
        else if (t->begun)
            st = otf_walk_fault(w, OTF_FAULT_UNFINISHED, err,
                                "process %" PRIx32 " does not end where the file ends", t->process);
    }
    if (st == PRVCUT_OK && !any)
        st = otf_walk_fault(w, OTF_FAULT_EMPTY, err, "the file holds no record");
    return st;
}

/* What is still open ends with the last record, or goes on beyond the window. */
static enum prvcut_status walk_end_threads(struct otf_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < w->stream->members && st == PRVCUT_OK; i++) {
        struct otf_track *t = &w->track[i];

        if (!t->alive)
            continue;
        st = otf_walk_line(w, t, err);
        if (st == PRVCUT_OK)
            st = otf_walk_state(
                w, t, w->windowed && t->last < w->to ? otf_walk_time(w, t) : t->last, err);
        if (t->last > w->counts.base.last_ns)
            w->counts.base.last_ns = t->last;
        w->counts.base.beyond_end += t->last > w->trace->base.end_ns;
    }
    return st;
}

static enum prvcut_status walk_walk(struct otf_walk *w, struct prvcut_error *err)
{
    uint64_t first = UINT64_MAX, offset = 0;
    enum prvcut_status st = otf_walk_tracks(w, err);

    for (uint32_t i = 0; w->windowed && i < w->stream->members && st == PRVCUT_OK; i++) {
        uint64_t tick, step;

        otf_place(w->trace, w->track[i].thread, w->from, &tick, &step);
        first = tick < first ? tick : first;
    }
    if (st == PRVCUT_OK && w->windowed)
        st = otf_mark_enter(w, first, &offset, err);
    if (st < 0)
        return st;
    w->marked = offset;
    st = otf_lines_open(&w->lines, w->stream->path, w->stream->packed, offset, err);
    w->lines.pause = w->pause;
    w->lines.pause_ctx = w->pause_ctx;
    if (st == PRVCUT_OK)
        st = walk_take_chunks(w, err);
    if (st == PRVCUT_OK)
        st = walk_look_at_end(w, err);
    if (st == PRVCUT_OK)
        st = walk_end_threads(w, err);
    w->counts.base.lines = w->line;
    w->counts.base.bytes = w->lines.text.offset + w->lines.text.used;
    w->counts.base.no_last_newline = w->lines.text.no_last_newline;
    otf_lines_close(&w->lines);
    return st < 0 ? st : otf_walk_flush(w, err);
}

enum prvcut_status otf_walk_stream(struct otf_walk *w, struct otf_stream *s,
                                   struct prvcut_error *err)
{
    enum prvcut_status st;

    w->stream = s;
    w->now = NULL;
    w->chosen = w->timed = w->backward = false;
    w->tick = w->time = w->line = w->keys = w->marked = 0;
    w->counts = (struct otf_counts){ .base.first_ns = UINT64_MAX };
    w->events = w->states = w->halves = 0;
    if (!s->path)
        return otf_walk_fault(w, OTF_FAULT_MISSING, err,
                              "names stream %" PRIx32 ", but there is no %s.%" PRIx32
                              ".events (nor .events.z)",
                              s->id, w->trace->prefix, s->id);
    if (!w->windowed && !s->marked) {
        otf_marks_fini(s);
        s->counted = true;
    }
    st = walk_walk(w, err);
    otf_walk_free_tracks(w);
    if (st == PRVCUT_OK && !w->windowed) {
        s->marked = true;
        s->counted = s->counted && w->counts.base.skipped == 0;
    }
    return st;
}
