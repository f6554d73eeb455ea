#include "signal/keep.h"

#include <stdlib.h>
#include <string.h>

void prvcut_signal_put(struct prvcut_put *p, const struct prvcut_signal *s)
{
    prvcut_put_u64(p, s->start);
    prvcut_put_u64(p, s->width);
    prvcut_put_u64(p, s->bins);
    prvcut_put_text(p, s->absent);
    prvcut_put_u32(p, s->at != NULL);
    if (s->at)
        prvcut_put_f64s(p, s->at, s->bins);
}

/* A text of the table, or the one way to say it that is not there: both are constant. */
static const char *keep_constant_of(const char *text, const struct prvcut_metric *metric)
{
    for (size_t i = 0; text && i < PRVCUT_METRIC_REASONS; i++)
        if (strcmp(text, prvcut_metric_reason[i]) == 0)
            return prvcut_metric_reason[i];
    return text ? metric->absent : NULL;
}

void prvcut_signal_get(struct prvcut_get *g, struct prvcut_signal *s,
                       const struct prvcut_metric *metric)
{
    bool there;

    *s = (struct prvcut_signal){ .name = metric->name, .unit = metric->unit };
    s->start = prvcut_get_u64(g);
    s->width = prvcut_get_u64(g);
    s->bins = (size_t)prvcut_get_u64(g);
    s->absent = keep_constant_of(prvcut_get_text(g), metric);
    there = prvcut_get_bool(g);
    prvcut_get_check(g, s->width > 0 && s->bins <= (size_t)1 << 24);
    prvcut_get_check(g, !there || s->bins <= g->left / 8);
    if (!there || g->bad)
        return;
    s->at = prvcut_get_room(g, s->bins, sizeof *s->at);
    if (s->at)
        prvcut_get_f64s(g, s->at, s->bins);
}

/* Bytes of a flush as it is kept. */
#define FLUSH_BYTES 20

void prvcut_flushes_put(struct prvcut_put *p, const struct prvcut_flushes *f)
{
    prvcut_put_u64(p, f->seen);
    prvcut_put_u64(p, f->count);
    for (size_t i = 0; i < f->count; i++) {
        prvcut_put_u64(p, f->at[i].begin);
        prvcut_put_u64(p, f->at[i].end);
        prvcut_put_u32(p, f->at[i].thread);
    }
}

void prvcut_flushes_get(struct prvcut_get *g, struct prvcut_flushes *f, uint32_t threads)
{
    f->seen = prvcut_get_u64(g);
    f->count = f->room = prvcut_get_count(g, FLUSH_BYTES);
    f->at = prvcut_get_room(g, f->count, sizeof *f->at);
    for (size_t i = 0; f->at && i < f->count; i++) {
        f->at[i].begin = prvcut_get_u64(g);
        f->at[i].end = prvcut_get_u64(g);
        f->at[i].thread = prvcut_get_u32(g);
        prvcut_get_check(g, f->at[i].thread < threads && f->at[i].begin <= f->at[i].end);
    }
}

void prvcut_calls_put(struct prvcut_put *p, const struct prvcut_collection *c)
{
    prvcut_flushes_put(p, &c->flushes);
    prvcut_put_u32(p, c->calls_cut_short);
    prvcut_put_u64(p, c->sequences);
    for (size_t i = 0; i < c->sequences; i++) {
        const struct prvcut_call_sequence *s = &c->sequence[i];

        prvcut_put_u32(p, s->thread);
        prvcut_put_u64(p, s->count);
        for (size_t k = 0; k < s->count; k++)
            prvcut_call_put(p, &s->at[k]);
    }
}

static void keep_get_sequence(struct prvcut_get *g, struct prvcut_call_sequence *s,
                              uint32_t threads)
{
    size_t count;

    s->thread = prvcut_get_u32(g);
    count = prvcut_get_count(g, PRVCUT_CALL_BYTES);
    s->at = prvcut_get_room(g, count, sizeof *s->at);
    prvcut_get_check(g, s->thread < threads);
    for (size_t k = 0; !g->bad && k < count; k++) {
        prvcut_call_get(g, &s->at[k]);
        prvcut_get_check(g, k == 0 || s->at[k].time >= s->at[k - 1].time);
    }
    s->count = g->bad ? 0 : count;
}

void prvcut_calls_get(struct prvcut_get *g, struct prvcut_collection *c, uint32_t threads)
{
    size_t sequences;

    prvcut_flushes_get(g, &c->flushes, threads);
    c->calls_cut_short = prvcut_get_bool(g);
    sequences = prvcut_get_count(g, 12);
    c->sequence = prvcut_get_room(g, sequences, sizeof *c->sequence);
    c->sequences = c->sequence ? sequences : 0;
    for (size_t i = 0; !g->bad && i < sequences; i++)
        keep_get_sequence(g, &c->sequence[i], threads);
}

void prvcut_calls_beyond_put(struct prvcut_put *p, const struct prvcut_collection *c)
{
    for (size_t i = 0; i < c->sequences; i++)
        prvcut_call_marks_put(p, &c->sequence[i].beyond);
}

void prvcut_calls_beyond_get(struct prvcut_get *g, struct prvcut_collection *c)
{
    for (size_t i = 0; !g->bad && i < c->sequences; i++)
        prvcut_call_marks_get(g, &c->sequence[i].beyond);
}
