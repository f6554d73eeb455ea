#include "otf/mark.h"
#include "otf/sieve.h"

#include "base/memory.h"
#include "base/ordered.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has the message its other end inside, or is it to be kept without? */
static bool cut_stream_keeps_message(struct otf_stream_cut *s, const struct otf_record *r)
{
    const unsigned end = r->kind == OTF_RECEIVE;
    struct otf_channel key;
    struct otf_channel *k = otf_channel_key(s->cutter->trace, s->now->process, r, &key)
                                ? otf_channel_find(&s->cutter->channels, &key)
                                : NULL;

    return !k || s->cutter->options->keep_messages ||
           prvcut_whole_has(&k->whole[end], k->before[end] + k->seen[end]++);
}

/* *keep: a base is told at the border, as what came of it. */
static enum prvcut_status cut_stream_note_level(struct otf_stream_cut *s,
                                                const struct otf_record *r, bool *keep,
                                                struct prvcut_error *err)
{
    const struct otf_trace *t = s->cutter->trace;
    const struct otf_counter *k = otf_counter_of(t, s->stream, r->number);
    const struct otf_first *f = k ? otf_cut_first(s->cutter, s->now->thread, k) : NULL;

    *keep = !f || s->tick != f->tick || r->value == f->latest ||
            (s->now->level && s->now->level[k->number].seen);
    if (!*keep)
        return PRVCUT_OK;
    if (!k || (k->gauge ? k->point : !k->whole))
        return PRVCUT_OK;
    if (!s->now->level)
        s->now->level =
            prvcut_zeroed((size_t)t->counters + 1, sizeof *s->now->level, "counters", err);
    if (!s->now->level)
        return PRVCUT_ENOMEM;
    s->now->level[k->number] = (struct otf_reading){ .value = r->value, .seen = true };
    return PRVCUT_OK;
}

/* Begin and end go or stay together. */
static enum prvcut_status cut_stream_begin_collective(struct otf_stream_cut *s,
                                                      const struct otf_record *r, const char *text,
                                                      size_t count, bool *keep,
                                                      struct prvcut_error *err)
{
    struct otf_cut_track *t = s->now;
    const enum prvcut_status st = otf_cut_begin_collective(t, r, text, count, err);

    if (st < 0 || !t->entered)
        return st;
    *keep = otf_cut_keeps_collective(s->cutter, t->process, r->comm);
    otf_opens_leave_out(&t->collectives, !*keep);
    return st;
}

static bool cut_stream_end_collective(struct otf_cut_track *t, uint64_t match)
{
    struct prvcut_frame gone;

    if (!otf_opens_take(&t->collectives, match, &gone))
        return match == 0;
    /* It was the last one. */
    if (gone.note == t->collectives.text.count)
        t->in_collective = false;
    return !(gone.role & OTF_LEFT_OUT);
}

/* Follow what the process is in; *keep: the record makes sense. */
static enum prvcut_status cut_stream_follow(struct otf_stream_cut *s, const struct otf_record *r,
                                            const char *text, size_t count, bool *keep,
                                            struct prvcut_error *err)
{
    struct otf_cut_track *t = s->now;
    struct prvcut_frame gone;

    *keep = true;
    switch (r->kind) {
    case OTF_ENTER:
        return otf_opens_push(&t->functions, r->number, text, count, err);
    case OTF_LEAVE:
        *keep = otf_opens_take(&t->functions, r->number, &gone);
        if (*keep && s->sift)
            *keep = otf_sift_leave(s, &gone);
        return PRVCUT_OK;
    case OTF_COLLECTIVE:
        *keep = !t->entered || otf_cut_keeps_collective(s->cutter, t->process, r->comm);
        return PRVCUT_OK;
    case OTF_COLLECTIVE_BEGIN:
        return cut_stream_begin_collective(s, r, text, count, keep, err);
    case OTF_COLLECTIVE_END:
        *keep = cut_stream_end_collective(t, r->number);
        return PRVCUT_OK;
    case OTF_COUNTER:
        return cut_stream_note_level(s, r, keep, err);
    case OTF_PROCESS_BEGIN:
    case OTF_PROCESS_END:
        t->begun = r->kind == OTF_PROCESS_BEGIN;
        return PRVCUT_OK;
    case OTF_SEND:
    case OTF_RECEIVE:
    case OTF_COMMENT:
    case OTF_NOTHING:
    case OTF_OTHER:
    case OTF_TIME:
    case OTF_PROCESS:
    case OTF_KEY_VALUE:
    case OTF_BAD:
    case OTF_TOO_LARGE:
        break;
    }
    return PRVCUT_OK;
}

/* A record with the key values in front of it. */
static enum prvcut_status cut_stream_take_record(struct otf_stream_cut *s,
                                                 const struct otf_record *r, const char *text,
                                                 size_t count, struct prvcut_error *err)
{
    struct otf_cut_track *t = s->now;
    const uint64_t steps = otf_steps(s->cutter->trace);
    const bool message = r->kind == OTF_SEND || r->kind == OTF_RECEIVE;
    enum prvcut_status st;
    bool keep;

    if (!t || t->left || !t->takes)
        return PRVCUT_OK;
    if (steps > 0) {
        otf_step(&t->stepper, s->tick, steps);
        otf_cut_own_borders(s, t);
        if (t->left)
            return s->out.st;
    }
    if (otf_span_ends(&t->span, s->tick)) {
        t->over |= r->kind == OTF_ENTER;
        if (r->kind != OTF_RECEIVE || t->over)
            return PRVCUT_OK;
    }
    if (s->keys.count > 0) {
        s->text.count = 0;
        st = prvcut_buffer_append(&s->text, s->keys.at, s->keys.count, err);
        if (st == PRVCUT_OK)
            st = prvcut_buffer_append(&s->text, text, count, err);
        if (st < 0)
            return st;
        text = s->text.at;
        count = s->text.count;
    }
    st = cut_stream_follow(s, r, text, count, &keep, err);
    if (st < 0 || !t->entered)
        return st;
    if (keep && message)
        keep = cut_stream_keeps_message(s, r);
    if (keep)
        st = otf_sift_record(s, r, &text, &count, &keep, err);
    if (!keep || st < 0)
        return st;
    s->events += !message;
    otf_cut_put(s, t, s->tick, text, count);
    return s->out.st;
}

/* A time that goes back was refused by the scan, or is passed over with its records. */
static enum prvcut_status cut_stream_take_line(struct otf_stream_cut *s, const struct otf_record *r,
                                               const char *text, size_t count, bool *backward,
                                               struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    uint32_t member;

    switch (r->kind) {
    case OTF_TIME:
        *backward = r->number < s->tick || r->number < s->cutter->trace->origin;
        if (*backward)
            return PRVCUT_OK;
        s->tick = r->number;
        otf_cut_borders(s, s->tick);
        otf_due_put(s, s->tick);
        return s->out.st == PRVCUT_OK && s->passed == s->borders ? PRVCUT_END : s->out.st;
    case OTF_PROCESS:
        if (s->now && s->now->process == r->number)
            return PRVCUT_OK;
        member = otf_member_of(s->cutter->trace, s->stream, r->number);
        s->now = member != OTF_NONE ? &s->track[member] : NULL;
        return PRVCUT_OK;
    case OTF_KEY_VALUE:
        return prvcut_buffer_append(&s->keys, text, count, err);
    case OTF_BAD:
    case OTF_TOO_LARGE:
    case OTF_NOTHING:
        return PRVCUT_OK;
    case OTF_ENTER:
        s->long_form = text[1] == 'N';
        break;
    case OTF_PROCESS_BEGIN:
        s->long_form = text[1] == 'R';
        break;
    case OTF_LEAVE:
    case OTF_SEND:
    case OTF_RECEIVE:
    case OTF_COLLECTIVE:
    case OTF_COLLECTIVE_BEGIN:
    case OTF_COLLECTIVE_END:
    case OTF_COUNTER:
    case OTF_PROCESS_END:
    case OTF_COMMENT:
    case OTF_OTHER:
        break;
    }
    if (!*backward)
        st = cut_stream_take_record(s, r, text, count, err);
    s->keys.count = 0;
    return st;
}

static enum prvcut_status cut_stream_take_text(struct otf_stream_cut *s, uint64_t offset,
                                               struct prvcut_error *err)
{
    struct otf_lines x;
    struct otf_record r;
    bool backward = false;
    enum prvcut_status st = otf_lines_open(&x, s->stream->path, s->stream->packed, offset, err);

    x.pause = otf_cut_pause;
    x.pause_ctx = s->cutter;
    while (st == PRVCUT_OK) {
        st = otf_lines_more(&x, err);
        while (st == PRVCUT_OK && otf_lines_next(&x, &r))
            st = cut_stream_take_line(s, &r, x.first, (size_t)(x.next - x.first), &backward, err);
    }
    otf_lines_close(&x);
    if (st == PRVCUT_END) {
        otf_due_put(s, UINT64_MAX);
        otf_cut_end(s);
    }
    return st < 0 ? st : s->out.st;
}

/* A stream without a record would be taken for one that was lost. */
static void cut_stream_put_silence(struct otf_stream_cut *s)
{
    const char *text =
        s->cutter->copies ? "#\"no record is left\"\n" : "#\"no record in the window\"\n";

    if (!s->timed && s->stream->members > 0)
        otf_cut_put_line(s, s->cutter->low, s->track[0].process, text, strlen(text));
}

struct cutting {
    struct otf_cutter *cutter;
    uint32_t next;
};

static enum prvcut_status cut_stream_take(void *ctx, unsigned worker, void **out,
                                          struct prvcut_error *err)
{
    struct cutting *c = ctx;
    struct otf_stream_cut *s;

    (void)worker;
    if (c->next == c->cutter->trace->streams)
        return PRVCUT_END;
    s = prvcut_zeroed(1, sizeof *s, "a stream", err);
    if (!s)
        return PRVCUT_ENOMEM;
    s->cutter = c->cutter;
    s->stream = &c->cutter->trace->stream[c->next++];
    s->long_form = c->cutter->trace->long_form;
    s->out.fd = -1;
    if (c->cutter->sieve && !(s->sift = otf_sift_new(c->cutter->sieve))) {
        free(s);
        return prvcut_no_memory(err, "a stream");
    }
    *out = s;
    return PRVCUT_OK;
}

static enum prvcut_status cut_stream_work(void *ctx, unsigned worker, void *item,
                                          struct prvcut_error *err)
{
    struct otf_stream_cut *s = item;
    struct otf_cutter *c = s->cutter;
    const bool packed = c->as_input ? s->stream->packed : c->packed;
    char suffix[32], *path = NULL;
    uint64_t offset = 0;
    enum prvcut_status st;

    (void)ctx, (void)worker;
    if (!s->stream->path)
        return PRVCUT_OK;
    snprintf(suffix, sizeof suffix, ".%" PRIx32 ".events", s->stream->id);
    st = otf_cut_path(c, suffix, packed, &path, err);
    if (st == PRVCUT_OK)
        st = otf_out_open(&s->out, path, packed, err);
    if (st == PRVCUT_OK)
        st = otf_cut_tracks(s, &offset, err);
    if (st == PRVCUT_OK && c->marker)
        st = otf_due_init(&s->due, c->marker, c->trace, s->stream, err);
    if (st == PRVCUT_OK && s->borders > 0)
        st = cut_stream_take_text(s, offset, err);
    if (st < 0)
        return st;
    otf_cut_put_late(s);
    cut_stream_put_silence(s);
    return otf_out_finish(&s->out);
}

/* The latest end of any of the stream's processes. */
static void cut_stream_note_end(const struct otf_stream_cut *s)
{
    const struct otf_trace *t = s->cutter->trace;
    const uint64_t steps = otf_steps(t);

    for (uint32_t i = 0; s->track && i < s->stream->members; i++) {
        const uint64_t end =
            otf_time(t, s->tick) + otf_shift(t, s->track[i].thread) + (steps > 0 ? steps - 1 : 0);

        s->cutter->end_ns = end > s->cutter->end_ns ? end : s->cutter->end_ns;
    }
}

static enum prvcut_status cut_stream_join(void *ctx, void *item, enum prvcut_status failed,
                                          struct prvcut_error *err)
{
    const struct otf_stream_cut *s = item;
    struct prvcut_cut_summary *sum = s->cutter->sum;

    (void)ctx, (void)err;
    sum->events += s->events;
    sum->reopened += s->reopened;
    sum->closed += s->closed;
    sum->bytes += s->out.bytes;
    otf_sift_add(s->cutter->counts, s->sift);
    if (s->cutter->marker)
        s->cutter->marker->written += s->due.next;
    cut_stream_note_end(s);
    return failed;
}

static void cut_stream_drop(void *ctx, void *item)
{
    (void)ctx;
    otf_cut_tracks_fini(item);
    free(item);
}

enum prvcut_status otf_cut_streams(struct otf_cutter *c, struct prvcut_error *err)
{
    struct cutting cutting = { .cutter = c };
    const struct prvcut_ordered o = { .ctx = &cutting,
                                      .take = cut_stream_take,
                                      .work = cut_stream_work,
                                      .join = cut_stream_join,
                                      .drop = cut_stream_drop };

    return prvcut_ordered_run(&o, c->workers, err);
}
