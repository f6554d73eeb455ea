#include "api/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A window that is being cut. */
struct work {
    struct job *job;
    const struct job_place *place;
    struct prvcut_choice choice; /* its borders may move */
    struct prvcut_chop *chop;
};

static enum prvcut_status cut(const struct work *w, const struct prvcut_window *window,
                              struct prvcut_error *err)
{
    const struct job *j = w->job;

    return j->trace->reader->cut(j->trace, j->run, window, &w->place->cut, &w->chop->cut, err);
}

/* Cuts that are only counted may read this much; larger windows are taken as they are. */
#define TRIED_MOST ((uint64_t)32 << 20)

static enum prvcut_status count_split(const struct work *w, const struct prvcut_span *window,
                                      uint64_t *split, uint64_t *bytes, struct prvcut_error *err)
{
    const struct prvcut_window straight = { .from = window->start, .to = window->end };
    struct prvcut_cut_summary sum = { .files = 0 };
    struct prvcut_cut_options o = w->place->cut;
    const struct job *j = w->job;
    enum prvcut_status st;

    o.dry_run = true;
    st = j->trace->reader->cut(j->trace, j->run, &straight, &o, &sum, err);
    *split = sum.split_collectives;
    *bytes = sum.bytes;
    prvcut_cut_summary_fini(&sum);
    return st;
}

/* Keep a window if it splits fewer collectives than the best so far. */
static enum prvcut_status try_window(struct work *w, struct prvcut_span window, uint64_t *least,
                                     struct prvcut_error *err)
{
    uint64_t split, bytes;
    enum prvcut_status st;

    if (*least == 0 || window.end <= window.start)
        return PRVCUT_OK;
    st = count_split(w, &window, &split, &bytes, err);
    if (st == PRVCUT_OK && split < *least) {
        *least = split;
        w->choice.window = window;
    }
    return st;
}

/*
 * A collective that is split between the threads cannot be replayed. Which ones a border splits is
 * known to the cutter only, so the other places of both borders are tried with it.
 */
static enum prvcut_status keep_collectives_whole(struct work *w, struct prvcut_error *err)
{
    const struct prvcut_trace *t = w->job->trace;
    struct prvcut_choice *choice = &w->choice;
    uint64_t least, bytes;
    enum prvcut_status st;

    /* A thread's own file is read from its beginning for each cut. */
    if (!choice->collectives || (t->reader->halves && t->bytes > TRIED_MOST))
        return PRVCUT_OK;
    st = count_split(w, &choice->window, &least, &bytes, err);
    if (st < 0 || bytes > TRIED_MOST)
        return st;
    for (unsigned i = 0; i < choice->other_left.count && st == PRVCUT_OK; i++)
        st = try_window(w, (struct prvcut_span){ choice->other_left.at[i], choice->window.end },
                        &least, err);
    for (unsigned i = 0; i < choice->other_right.count && st == PRVCUT_OK; i++)
        st = try_window(w, (struct prvcut_span){ choice->window.start, choice->other_right.at[i] },
                        &least, err);
    return st;
}

/* One window for all threads, its borders where they do the least harm. */
static enum prvcut_status cut_straight(struct work *w, struct prvcut_error *err)
{
    struct prvcut_window window = { 0 };
    enum prvcut_status st = prvcut_choice_refine(&w->choice, w->job->trace, w->job->run, err);

    if (st == PRVCUT_OK)
        st = keep_collectives_whole(w, err);
    window.from = w->choice.window.start;
    window.to = w->choice.window.end;
    return st < 0 ? st : cut(w, &window, err);
}

/* The chop remembers each thread's window. */
static enum prvcut_status keep_windows(struct prvcut_chop *chop, const struct prvcut_alignment *a,
                                       uint32_t threads, struct prvcut_error *err)
{
    chop->thread = malloc(((size_t)threads + 1) * sizeof *chop->thread);
    if (!chop->thread)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for the borders of %u threads",
                           threads);
    chop->threads = threads;
    for (uint32_t i = 0; i < threads; i++)
        chop->thread[i] = (struct prvcut_span){ a->from[i], a->to[i] };
    return PRVCUT_OK;
}

static enum prvcut_status cut_aligned(struct work *w, const struct prvcut_alignment *a,
                                      struct prvcut_error *err)
{
    const struct prvcut_window window = {
        .from = a->hull.start, .to = a->hull.end, .thread_from = a->from, .thread_to = a->to
    };
    enum prvcut_status st = keep_windows(w->chop, a, w->job->trace->objects.threads, err);

    w->chop->align = "calls";
    w->chop->crossing = a->crossing;
    w->chop->follow = a->follow;
    if (a->split > 0)
        job_note(w->job, "collectives that the borders split: %" PRIu64, a->split);
    return st < 0 ? st : cut(w, &window, err);
}

/* Each thread's own borders, where they are wanted and known. */
static enum prvcut_status align(struct work *w, struct prvcut_alignment *out,
                                struct prvcut_error *err)
{
    const struct job *j = w->job;
    const char *want = j->options->align ? j->options->align : "auto";
    const struct prvcut_known_loop *f = w->place->loop;
    const struct prvcut_align_input in = { .calls = f->calls.sequences > 0 ? &f->calls : NULL,
                                           .sequence = f->sequence,
                                           .window = w->choice.window,
                                           .iterations = w->place->iterations };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    w->chop->align = "straight";
    if (strcmp(want, "straight") == 0) {
        w->chop->align_why = "as was asked for";
        return PRVCUT_OK;
    }
    if (strcmp(want, "auto") == 0 && !j->trace->reader->halves) {
        w->chop->align_why = "the format records all threads together";
        return PRVCUT_OK;
    }
    st = prvcut_align(out, j->trace, j->run, &in, err);
    if (st == PRVCUT_OK)
        w->chop->align_why = out->why;
    return st;
}

enum prvcut_status job_cut(struct job *j, const struct job_place *place, struct prvcut_chop *chop,
                           struct prvcut_error *err)
{
    struct work w = { .job = j, .place = place, .choice = place->choice, .chop = chop };
    struct prvcut_alignment alignment;
    enum prvcut_status st = align(&w, &alignment, err);

    if (st == PRVCUT_OK)
        st = alignment.found ? cut_aligned(&w, &alignment, err) : cut_straight(&w, err);
    prvcut_alignment_fini(&alignment);
    return st;
}
