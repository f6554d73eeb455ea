#ifndef TESTS_FORMATS_TOY_WRITTEN_H
#define TESTS_FORMATS_TOY_WRITTEN_H

/* What is written of toys: cuts of them, and what is converted into them. Part of toy.h. */

#include "base/print.h"
#include "model/regions.h"
#include "model/texts.h"
#include "model/writer.h"
#include "prvcut/convert.h"

static void toy_put(struct prvcut_print *p, const char *name, uint32_t thread, struct prvcut_span s)
{
    char line[96];

    snprintf(line, sizeof line, "%" PRIu32 " %" PRIu64 " %" PRIu64 " %s\n", thread + 1, s.start,
             s.end, name);
    prvcut_print_text(p, line);
}

static enum prvcut_status toy_begin(struct prvcut_print *p, const char *path, bool force,
                                    uint32_t threads, uint64_t end, struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_print_open(p, path, force, err);
    char line[64];

    snprintf(line, sizeof line, "toy %" PRIu32 " %" PRIu64 "\n", threads, end);
    if (st == PRVCUT_OK)
        prvcut_print_text(p, line);
    return st;
}

/* What is open at a border goes on from there, or ends there. */
static enum prvcut_status toy_cut_one(const struct toy_trace *t, const struct prvcut_subtrace *sub,
                                      struct prvcut_error *err)
{
    const struct prvcut_window *w = sub->window;
    const struct prvcut_cut_options *o = sub->options;
    const uint64_t zero = o->keep_time ? 0 : w->from;
    struct prvcut_cut_summary *out = sub->out;
    struct prvcut_print p = { .output = NULL };
    enum prvcut_status st = PRVCUT_OK;

    if (!o->dry_run)
        st = toy_begin(&p, o->path, o->force, t->base.objects.threads, w->to - zero, err);
    for (size_t i = 0; i < t->calls && st == PRVCUT_OK; i++) {
        const struct toy_call *k = &t->call[i];
        const struct prvcut_span own = prvcut_window_own(w, k->thread);
        const bool reopened = k->span.start<own.start, closed = k->span.end> own.end;
        const struct prvcut_span s = { (reopened ? own.start : k->span.start) - zero,
                                       (closed ? own.end : k->span.end) - zero };

        if (k->span.start >= own.end || k->span.end <= own.start)
            continue;
        out->events += 2;
        out->reopened += reopened;
        out->closed += closed;
        if (!o->dry_run)
            toy_put(&p, call_names[k->call - 1], k->thread, s);
    }
    out->window = (struct prvcut_span){ w->from, w->to };
    if (o->dry_run || st < 0)
        return st;
    st = prvcut_print_commit(&p, &out->size, err);
    out->bytes = out->disk = out->size;
    return st < 0 ? st : prvcut_texts_add(&out->file, &out->files, o->path, err);
}

static enum prvcut_status toy_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_subtrace *sub, size_t count,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    (void)run;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = toy_cut_one((const struct toy_trace *)t, &sub[i], err);
    return st;
}

struct toy_writing {
    struct prvcut_writing base;
    const struct prvcut_outline *outline;
    struct prvcut_print print;
    char *path;
    struct prvcut_item begun; /* a call, */
    int call;                 /* which is this one; 0: none is open */
};

static void toy_abandon(struct prvcut_writing *base)
{
    struct toy_writing *w = (struct toy_writing *)base;

    prvcut_print_abandon(&w->print);
    free(w->path);
    free(w);
}

static enum prvcut_status toy_create(struct prvcut_writing **out, const char *path,
                                     const struct prvcut_outline *outline,
                                     const struct prvcut_convert_options *options,
                                     struct prvcut_error *err)
{
    struct toy_writing *w = prvcut_zeroed(1, sizeof *w, "a toy", err);

    *out = w ? &w->base : NULL;
    if (!w)
        return PRVCUT_ENOMEM;
    w->base.writer = prvcut_writers[0];
    w->outline = outline;
    w->path = prvcut_copied_text(path, "a path", err);
    if (w->path && toy_begin(&w->print, path, options->force, outline->objects->threads,
                             outline->end_ns, err) == PRVCUT_OK)
        return PRVCUT_OK;
    toy_abandon(&w->base);
    *out = NULL;
    return err->status;
}

/* The call that begins there as toys number it; 0: it is none, or they have none of that name. */
static int toy_call_of(const struct toy_writing *w, const struct prvcut_item *item)
{
    const struct prvcut_dictionary *d = w->outline->dictionary;
    char text[64];

    if (item->kind != PRVCUT_ITEM_EVENT || !(PRVCUT_ROLES_MPI >> item->role & 1) ||
        item->event.value == 0)
        return 0;
    return toy_number(prvcut_event_text(text, sizeof text, d, item->event.type, item->event.value));
}

/* A call that toys have is written at its end; all else is lost. */
static enum prvcut_status toy_take(struct prvcut_writing *base, const struct prvcut_item *item,
                                   size_t count, struct made_convert_summary *sum,
                                   struct prvcut_error *err)
{
    struct toy_writing *w = (struct toy_writing *)base;

    for (; count > 0; item++, count--) {
        const bool event = item->kind == PRVCUT_ITEM_EVENT;

        if (event && item->event.value == 0 && w->call > 0 && item->thread == w->begun.thread)
            toy_put(&w->print, call_names[w->call - 1], item->thread,
                    (struct prvcut_span){ w->begun.time, item->time });
        w->call = toy_call_of(w, item);
        w->begun = *item;
        if (!event)
            sum->lost[item->kind == PRVCUT_ITEM_STATE ? PRVCUT_CARRY_STATES
                                                      : PRVCUT_CARRY_MESSAGES]++;
        else if (w->call == 0 && item->event.value != 0)
            sum->lost[PRVCUT_CARRY_REGIONS]++;
    }
    return prvcut_print_state(&w->print, err);
}

static enum prvcut_status toy_commit(struct prvcut_writing *base, struct made_convert_summary *sum,
                                     struct prvcut_error *err)
{
    struct toy_writing *w = (struct toy_writing *)base;
    enum prvcut_status st = prvcut_print_commit(&w->print, &sum->is.bytes, err);

    if (st == PRVCUT_OK)
        st = prvcut_texts_add(&sum->is.file, &sum->is.files, w->path, err);
    w->print = (struct prvcut_print){ .output = NULL };
    toy_abandon(base);
    return st;
}

#endif
