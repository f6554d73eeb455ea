#include "api/job.h"
#include "api/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum prvcut_status job_find_masks(struct job *j, struct prvcut_error *err)
{
    const uint64_t period = (uint64_t)j->loop.period_ns;
    const uint64_t useful = period * j->options->iterations;
    enum prvcut_status st = prvcut_masks_find(&j->masks, &j->data, useful, period, err);

    for (size_t i = 0; st == PRVCUT_OK && i < j->masks.count; i++)
        if (j->masks.at[i].span.end > j->end_ns)
            j->masks.at[i].span.end = j->end_ns;
    /* A compressed trace would be read from its beginning for every mask. */
    if (st == PRVCUT_OK && j->trace->seekable)
        st = prvcut_masks_affected(&j->masks, j->trace, j->run, err);
    return st < 0 ? st : prvcut_masks_spans(&j->masks, &j->mask, &j->mask_spans, err);
}

static const struct prvcut_signal *reference(const struct job *j)
{
    const struct prvcut_signal *best = NULL;
    double strength = -1;

    for (size_t i = 0; i < j->witnesses; i++) {
        const struct prvcut_witness *w = &j->witness[i];
        const double s = w->stand == PRVCUT_STAND_CHOSEN || w->stand == PRVCUT_STAND_AGREES
                             ? w->loop.strength
                             : 0;

        if (w->calls || !job_signal(j, w->name)->at || s <= strength)
            continue;
        best = job_signal(j, w->name);
        strength = s;
    }
    return best;
}

static uint64_t within(uint64_t t, const struct prvcut_span *all)
{
    return t < all->start ? all->start : t > all->end ? all->end : t;
}

/* Neither a bin's width nor a border's freedom leads out of what was to be analysed. */
static void keep_inside(struct prvcut_choice *c, struct prvcut_span all)
{
    struct prvcut_span *const span[] = { &c->window, &c->left, &c->right };

    for (size_t i = 0; i < sizeof span / sizeof *span; i++) {
        span[i]->start = within(span[i]->start, &all);
        span[i]->end = within(span[i]->end, &all);
    }
}

static enum prvcut_status choose(struct job *j, struct prvcut_choice *choice,
                                 struct prvcut_error *err)
{
    const bool by_calls = job_borders_known(j);
    const struct prvcut_choice_input in = { .loop = &j->loop,
                                            .calls = by_calls ? &j->calls : NULL,
                                            .signal = reference(j),
                                            .mask = j->mask,
                                            .masks = j->mask_spans,
                                            .iterations = j->options->iterations };
    enum prvcut_status st = prvcut_choose(choice, &in, err);

    if (st == PRVCUT_OK && choice->found)
        keep_inside(choice, job_span(j));
    return st;
}

/* Where the cut goes to, and how. */
static enum prvcut_status cut_options(struct job *j, struct prvcut_cut_options *o,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *o = j->options->cut;
    if (!o->path && !j->path)
        st = prvcut_output_name(&j->path, j->trace->reader, j->trace->path, "chop1", o->compress,
                                err);
    if (!o->path)
        o->path = j->path;
    return st;
}

static enum prvcut_status cut(struct job *j, const struct prvcut_window *window,
                              struct prvcut_error *err)
{
    struct prvcut_cut_options o;
    enum prvcut_status st = cut_options(j, &o, err);

    return st < 0 ? st : j->trace->reader->cut(j->trace, j->run, window, &o, &j->out->cut, err);
}

/* Cuts that are only counted may read this much; larger windows are taken as they are. */
#define TRIED_MOST ((uint64_t)32 << 20)

static enum prvcut_status count_split(struct job *j, const struct prvcut_span *window,
                                      uint64_t *split, uint64_t *bytes, struct prvcut_error *err)
{
    const struct prvcut_window straight = { .from = window->start, .to = window->end };
    struct prvcut_cut_summary sum = { .files = 0 };
    struct prvcut_cut_options o;
    enum prvcut_status st = cut_options(j, &o, err);

    o.dry_run = true;
    if (st == PRVCUT_OK)
        st = j->trace->reader->cut(j->trace, j->run, &straight, &o, &sum, err);
    *split = sum.split_collectives;
    *bytes = sum.bytes;
    prvcut_cut_summary_fini(&sum);
    return st;
}

/* Keep a window if it splits fewer collectives than the best so far. */
static enum prvcut_status try_window(struct job *j, struct prvcut_span window,
                                     struct prvcut_choice *choice, uint64_t *least,
                                     struct prvcut_error *err)
{
    uint64_t split, bytes;
    enum prvcut_status st;

    if (*least == 0 || window.end <= window.start)
        return PRVCUT_OK;
    st = count_split(j, &window, &split, &bytes, err);
    if (st == PRVCUT_OK && split < *least) {
        *least = split;
        choice->window = window;
    }
    return st;
}

/*
 * A collective that is split between the threads cannot be replayed. Which ones a border splits is
 * known to the cutter only, so the other places of both borders are tried with it.
 */
static enum prvcut_status keep_collectives_whole(struct job *j, struct prvcut_choice *choice,
                                                 struct prvcut_error *err)
{
    uint64_t least, bytes;
    enum prvcut_status st;

    /* A thread's own file is read from its beginning for each cut. */
    if (!choice->collectives || (j->trace->reader->halves && j->trace->bytes > TRIED_MOST))
        return PRVCUT_OK;
    st = count_split(j, &choice->window, &least, &bytes, err);
    if (st < 0 || bytes > TRIED_MOST)
        return st;
    for (unsigned i = 0; i < choice->other_left.count && st == PRVCUT_OK; i++)
        st = try_window(j, (struct prvcut_span){ choice->other_left.at[i], choice->window.end },
                        choice, &least, err);
    for (unsigned i = 0; i < choice->other_right.count && st == PRVCUT_OK; i++)
        st = try_window(j, (struct prvcut_span){ choice->window.start, choice->other_right.at[i] },
                        choice, &least, err);
    return st;
}

/* One window for all threads, its borders where they do the least harm. */
static enum prvcut_status cut_straight(struct job *j, struct prvcut_choice *choice,
                                       struct prvcut_error *err)
{
    struct prvcut_window window = { 0 };
    enum prvcut_status st = prvcut_choice_refine(choice, j->trace, j->run, err);

    if (st == PRVCUT_OK)
        st = keep_collectives_whole(j, choice, err);
    window.from = choice->window.start;
    window.to = choice->window.end;
    return st < 0 ? st : cut(j, &window, err);
}

static enum prvcut_status cut_aligned(struct job *j, const struct prvcut_alignment *a,
                                      struct prvcut_error *err)
{
    const struct prvcut_window window = {
        .from = a->hull.start, .to = a->hull.end, .thread_from = a->from, .thread_to = a->to
    };

    j->out->align = "calls";
    j->out->crossing = a->crossing;
    if (a->split > 0)
        job_note(j, "collectives that the borders split: %" PRIu64, a->split);
    return cut(j, &window, err);
}

/* Each thread's own borders, where they are wanted and known. */
static enum prvcut_status align(struct job *j, const struct prvcut_choice *choice,
                                struct prvcut_alignment *out, struct prvcut_error *err)
{
    const char *want = j->options->align ? j->options->align : "auto";
    const struct prvcut_align_input in = { .calls = job_borders_known(j) ? &j->calls : NULL,
                                           .sequence = j->data.sequence,
                                           .window = choice->window,
                                           .iterations = j->options->iterations };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    j->out->align = "straight";
    if (strcmp(want, "straight") == 0) {
        j->out->align_why = "as was asked for";
        return PRVCUT_OK;
    }
    if (strcmp(want, "auto") == 0 && !j->trace->reader->halves) {
        j->out->align_why = "the format records all threads together";
        return PRVCUT_OK;
    }
    st = prvcut_align(out, j->trace, j->run, &in, err);
    if (st == PRVCUT_OK)
        j->out->align_why = out->why;
    return st;
}

enum prvcut_status job_choose_and_cut(struct job *j, struct prvcut_error *err)
{
    struct prvcut_alignment alignment;
    struct prvcut_choice choice;
    enum prvcut_status st = job_find_masks(j, err);

    if (st == PRVCUT_OK)
        st = job_phases(j, err);
    if (st == PRVCUT_OK)
        st = choose(j, &choice, err);
    if (st < 0)
        return st;
    j->out->window_iterations = j->options->iterations;
    j->out->window_why = choice.why;
    j->out->similarity = choice.similarity;
    if (!choice.found)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%u iterations were asked for, but the periodic phase holds only %.0f",
                           j->options->iterations, j->loop.iterations);
    if (j->trace->clocks.skewed && !j->options->cut.align_clocks)
        job_note(j, "the cut keeps each process's own clock; --align-clocks brings them together");
    st = align(j, &choice, &alignment, err);
    if (st == PRVCUT_OK)
        st = alignment.found ? cut_aligned(j, &alignment, err) : cut_straight(j, &choice, err);
    prvcut_alignment_fini(&alignment);
    return st;
}
