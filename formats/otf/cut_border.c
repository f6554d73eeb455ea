#include "otf/sieve.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum prvcut_status otf_opens_push(struct otf_opens *o, uint64_t id, const char *text, size_t count,
                                  struct prvcut_error *err)
{
    const struct prvcut_frame frame = { .value = (int64_t)id, .note = o->text.count };
    const enum prvcut_status st = prvcut_buffer_append(&o->text, text, count, err);

    return st < 0 ? st : prvcut_stack_push(&o->open, &frame, err);
}

/* The text of one of them ends where the next one's begins. */
static size_t border_text_count(const struct otf_opens *o, size_t i)
{
    const size_t next = i + 1 < o->open.count ? (size_t)o->open.at[i + 1].note : o->text.count;

    return next - (size_t)o->open.at[i].note;
}

bool otf_opens_take(struct otf_opens *o, uint64_t id, struct prvcut_frame *gone)
{
    size_t i, count;
    char *text;

    if (!otf_open_find(&o->open, id, &i))
        return false;
    *gone = o->open.at[i];
    text = o->text.at + gone->note;
    count = border_text_count(o, i);
    o->text.count -= count;
    memmove(text, text + count, o->text.count - (size_t)gone->note);
    prvcut_stack_remove(&o->open, i);
    for (; i < o->open.count; i++)
        o->open.at[i].note -= count;
    return true;
}

void otf_opens_fini(struct otf_opens *o)
{
    prvcut_stack_fini(&o->open);
    prvcut_buffer_fini(&o->text);
}

enum prvcut_status otf_cut_read_record(const struct otf_stream *s, uint64_t offset,
                                       struct prvcut_buffer *out, struct otf_record *r,
                                       struct prvcut_error *err)
{
    struct otf_lines x;
    enum prvcut_status st = otf_lines_open(&x, s->path, false, offset, err);
    bool found = false;

    out->count = 0;
    while (st == PRVCUT_OK && !found) {
        st = otf_lines_record(&x, r, err);
        found = st == PRVCUT_OK && r->kind != OTF_KEY_VALUE;
        if (st == PRVCUT_OK)
            st = prvcut_buffer_append(out, x.first, (size_t)(x.next - x.first), err);
    }
    otf_lines_close(&x);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

enum prvcut_status otf_cut_begin_collective(struct otf_cut_track *t, const struct otf_record *r,
                                            const char *text, size_t count,
                                            struct prvcut_error *err)
{
    const enum prvcut_status st = otf_opens_push(&t->collectives, r->match, text, count, err);

    t->in_collective = true;
    t->comm = r->comm;
    return st;
}

/* What a process is in at a mark. */
static enum prvcut_status border_take_track(struct otf_stream_cut *s, struct otf_cut_track *to,
                                            struct otf_track *from, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    struct otf_record r = { 0 };

    for (size_t i = 0; i < from->open.count && st == PRVCUT_OK; i++) {
        const struct prvcut_frame *f = &from->open.at[i];

        st = otf_cut_read_record(s->stream, f->note, &s->text, &r, err);
        if (st == PRVCUT_OK && r.kind == OTF_ENTER)
            st = otf_opens_push(&to->functions, (uint64_t)f->value, s->text.at, s->text.count, err);
    }
    if (from->collectives > 0 && st == PRVCUT_OK) {
        st = otf_cut_read_record(s->stream, from->collective, &s->text, &r, err);
        if (st == PRVCUT_OK && r.kind == OTF_COLLECTIVE_BEGIN)
            st = otf_cut_begin_collective(to, &r, s->text.at, s->text.count, err);
    }
    to->begun = from->begun;
    to->stepper = (struct otf_stepper){ from->tick, from->step, from->alive };
    to->level = from->counter;
    from->counter = NULL;
    return st;
}

static enum prvcut_status border_start_at_mark(struct otf_stream_cut *s, uint64_t first,
                                               uint64_t *offset, struct prvcut_error *err)
{
    struct otf_walk w = { .trace = s->cutter->trace, .stream = s->stream };
    enum prvcut_status st = otf_walk_tracks(&w, err);

    if (st == PRVCUT_OK)
        st = otf_mark_enter(&w, first, offset, err);
    for (uint32_t i = 0; i < s->stream->members && st == PRVCUT_OK && *offset > 0; i++)
        st = border_take_track(s, &s->track[i], &w.track[i], err);
    if (*offset > 0) {
        s->tick = w.tick;
        s->line = w.line;
        s->now = w.now ? &s->track[w.now - w.track] : NULL;
    }
    otf_walk_free_tracks(&w);
    return st;
}

static int border_by_tick(const void *a, const void *b)
{
    const struct otf_border *x = a, *y = b;

    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->right != y->right)
        return x->right ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

enum prvcut_status otf_cut_tracks(struct otf_stream_cut *s, uint64_t *offset,
                                  struct prvcut_error *err)
{
    const struct otf_cutter *c = s->cutter;
    const size_t members = s->stream->members;

    *offset = 0;
    s->track = prvcut_zeroed(members + 1, sizeof *s->track, "processes", err);
    s->border = prvcut_zeroed(2 * members + 1, sizeof *s->border, "processes", err);
    if (!s->track || !s->border)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < members; i++) {
        const struct otf_process *p = &c->trace->process[s->stream->member[i]];
        struct otf_cut_track *t = &s->track[i];

        *t = (struct otf_cut_track){ .process = p->id, .thread = p->thread };
        t->span = c->span[p->thread];
        t->takes = otf_cut_takes(&t->span);
        s->sorted = s->sorted || t->span.shift != s->track[0].span.shift;
        if (!t->takes)
            continue;
        s->border[s->borders++] = (struct otf_border){ t->span.from, t->span.from_step, false, i };
        /* What is received at the very end is inside. */
        s->border[s->borders++] = (struct otf_border){
            t->span.to, otf_span_ends(&t->span, t->span.to) ? UINT64_MAX : t->span.to_step, true, i
        };
    }
    if (s->borders == 0)
        return PRVCUT_OK;
    qsort(s->border, s->borders, sizeof *s->border, border_by_tick);
    return s->stream->marks > 0 ? border_start_at_mark(s, s->border[0].tick, offset, err)
                                : PRVCUT_OK;
}

void otf_cut_tracks_fini(struct otf_stream_cut *s)
{
    for (uint32_t i = 0; s->track && i < s->stream->members; i++) {
        otf_opens_fini(&s->track[i].functions);
        otf_opens_fini(&s->track[i].collectives);
        free(s->track[i].level);
    }
    otf_sift_free(s->sift);
    free(s->due.at);
    free(s->track);
    free(s->border);
    free(s->late);
    prvcut_buffer_fini(&s->late_text);
    prvcut_buffer_fini(&s->keys);
    prvcut_buffer_fini(&s->text);
    otf_out_close(&s->out);
}

static void border_put_line(struct otf_stream_cut *s, const struct otf_cut_track *t, uint64_t tick,
                            const char *text, uint64_t *count)
{
    *count += 1;
    otf_cut_put(s, t, tick, text, strlen(text));
}

static void border_reopen(struct otf_stream_cut *s, struct otf_cut_track *t,
                          const struct otf_opens *o)
{
    for (size_t i = 0; i < o->open.count; i++) {
        const struct prvcut_frame *f = &o->open.at[i];

        if (f->role & OTF_LEFT_OUT)
            continue;
        otf_cut_put(s, t, t->span.from, o->text.at + f->note, border_text_count(o, i));
        s->reopened++;
    }
}

/* The collective that the border cuts through; as it was counted. */
static void border_judge_open(struct otf_stream_cut *s, struct otf_cut_track *t)
{
    if (t->in_collective && t->collectives.open.count > 0)
        otf_opens_leave_out(&t->collectives,
                            !s->cutter->straight ||
                                !otf_cut_keeps_collective(s->cutter, t->process, t->comm));
}

/* What is told of a counter at the border: levels hold until they are measured again; totals are
   told as they are first read inside, for what that reading counts began before. false: nothing */
static bool border_level(const struct otf_stream_cut *s, const struct otf_cut_track *t,
                         const struct otf_counter *k, uint64_t *value)
{
    const struct otf_first *f = otf_cut_first(s->cutter, t->thread, k);
    const bool seen = t->level && t->level[k->number].seen;

    if (f)
        *value = seen ? f->value : f->latest;
    else if (seen)
        *value = t->level[k->number].value;
    return f || seen;
}

static void border_restate(struct otf_stream_cut *s, struct otf_cut_track *t,
                           const struct otf_names *n)
{
    char line[64];

    for (size_t i = 0; n && i < n->counters; i++) {
        const struct otf_counter *k = &n->counter[i];
        uint64_t value;

        if (!border_level(s, t, k, &value))
            continue;
        snprintf(line, sizeof line,
                 s->long_form ? "COUNTER %" PRIx32 " VALUE %" PRIx64 "\n"
                              : "CNT%" PRIx32 "V%" PRIx64 "\n",
                 k->id, value);
        border_put_line(s, t, t->span.from, line, &s->reopened);
    }
}

static void border_pass_left(struct otf_stream_cut *s, struct otf_cut_track *t)
{
    t->entered = true;
    if (t->begun)
        border_put_line(s, t, t->span.from, s->long_form ? "PROCESSBEGIN \n" : "PB\n",
                        &s->reopened);
    border_restate(s, t, s->stream->names);
    border_restate(s, t, &s->cutter->trace->names);
    border_judge_open(s, t);
    border_reopen(s, t, &t->functions);
    border_reopen(s, t, &t->collectives);
}

/* What is open ends, the innermost first; word: that the record begins with. */
static void border_close(struct otf_stream_cut *s, struct otf_cut_track *t,
                         const struct otf_opens *o, uint64_t tick, const char *word)
{
    char line[64];

    for (size_t i = o->open.count; i-- > 0;) {
        if (o->open.at[i].role & OTF_LEFT_OUT)
            continue;
        snprintf(line, sizeof line, "%s%" PRIx64 "\n", word, (uint64_t)o->open.at[i].value);
        border_put_line(s, t, tick, line, &s->closed);
    }
}

static void border_pass_right(struct otf_stream_cut *s, struct otf_cut_track *t, uint64_t tick)
{
    t->left = true;
    border_close(s, t, &t->collectives, tick, s->long_form ? "COLLOPEND " : "COPE");
    border_close(s, t, &t->functions, tick, s->long_form ? "LEAVE " : "L");
    if (t->begun)
        border_put_line(s, t, tick, s->long_form ? "PROCESSEND \n" : "PE\n", &s->closed);
}

void otf_cut_own_borders(struct otf_stream_cut *s, struct otf_cut_track *t)
{
    const unsigned place = otf_span_place(&t->span, s->tick, t->stepper.step);

    if (place > 0 && !t->entered)
        border_pass_left(s, t);
    if (place > 1 && !t->left && !otf_span_ends(&t->span, s->tick))
        border_pass_right(s, t, t->span.to);
}

void otf_cut_borders(struct otf_stream_cut *s, uint64_t tick)
{
    while (s->passed < s->borders) {
        const struct otf_border *b = &s->border[s->passed];
        struct otf_cut_track *t = &s->track[b->member];

        if (b->tick > tick || (b->tick == tick && b->step > 0))
            break;
        s->passed++;
        if (b->right && !t->left)
            border_pass_right(s, t, t->span.to);
        else if (!b->right && !t->entered)
            border_pass_left(s, t);
    }
}

void otf_cut_end(struct otf_stream_cut *s)
{
    for (uint32_t i = 0; i < s->stream->members; i++) {
        struct otf_cut_track *t = &s->track[i];

        if (t->entered && !t->left)
            border_pass_right(s, t, s->tick < t->span.to ? s->tick : t->span.to);
    }
}
