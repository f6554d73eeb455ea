#include "api/answers.h"
#include "api/cut_filtered.h"
#include "api/job.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A window that is being cut. */
struct work {
    struct job *job;
    const struct job_place *place;
    struct prvcut_choice choice; /* its borders may move */
    bool straight;               /* they have: where one window for all does the least harm */
    struct made_chop *chop;
};

/* Cuts that are only counted may read this much; larger windows are taken as they are. */
#define TRIED_MOST ((uint64_t)32 << 20)

/* A collective that is split cannot be replayed; a message that is dropped leaves one call
 * unmatched. */
#define COST_COLLECTIVE 8

/* What a cut would do. */
struct harm {
    uint64_t collectives, messages; /* split between the threads; one end outside */
    uint64_t bytes;
};

static uint64_t jal_cost_of(const struct harm *h)
{
    return h->messages + COST_COLLECTIVE * h->collectives;
}

static enum prvcut_status jal_count_harm(const struct work *w, const struct prvcut_window *window,
                                         struct harm *out, struct prvcut_error *err)
{
    struct prvcut_cut_summary sum = { .files = 0 };
    struct prvcut_cut_options o = w->place->cut;
    const struct job *j = w->job;
    enum prvcut_status st;

    o.dry_run = true;
    st = j->trace->reader->cut(j->trace, j->run, &(struct prvcut_subtrace){ window, &o, &sum }, 1,
                               err);
    *out =
        (struct harm){ sum.split_collectives, sum.dropped_messages + sum.kept_messages, sum.bytes };
    api_cut_fini(&sum);
    return st;
}

static enum prvcut_status jal_count_straight(const struct work *w, const struct prvcut_span *window,
                                             struct harm *out, struct prvcut_error *err)
{
    const struct prvcut_window straight = { .from = window->start, .to = window->end };

    return jal_count_harm(w, &straight, out, err);
}

/* Keep a window if it splits fewer collectives than the best so far. */
static enum prvcut_status jal_try_window(struct work *w, struct prvcut_span window, uint64_t *least,
                                         struct prvcut_error *err)
{
    struct harm harm;
    enum prvcut_status st;

    if (*least == 0 || window.end <= window.start)
        return PRVCUT_OK;
    st = jal_count_straight(w, &window, &harm, err);
    if (st == PRVCUT_OK && harm.collectives < *least) {
        *least = harm.collectives;
        w->choice.window = window;
    }
    return st;
}

/*
 * A collective that is split between the threads cannot be replayed. Which ones a border splits is
 * known to the cutter only, so the other places of both borders are tried with it.
 */
static enum prvcut_status jal_keep_collectives_whole(struct work *w, struct prvcut_error *err)
{
    const struct prvcut_trace *t = w->job->trace;
    struct prvcut_choice *choice = &w->choice;
    struct harm harm;
    enum prvcut_status st;

    /* A thread's own file is read from its beginning for each cut. */
    if (!choice->collectives || (t->reader->halves && t->bytes > TRIED_MOST))
        return PRVCUT_OK;
    st = jal_count_straight(w, &choice->window, &harm, err);
    if (st < 0 || harm.bytes > TRIED_MOST)
        return st;
    for (unsigned i = 0; i < choice->other_left.count && st == PRVCUT_OK; i++)
        st = jal_try_window(w, (struct prvcut_span){ choice->other_left.at[i], choice->window.end },
                            &harm.collectives, err);
    for (unsigned i = 0; i < choice->other_right.count && st == PRVCUT_OK; i++)
        st = jal_try_window(w,
                            (struct prvcut_span){ choice->window.start, choice->other_right.at[i] },
                            &harm.collectives, err);
    return st;
}

/* One window for all threads, its borders where they do the least harm. */
static enum prvcut_status jal_lay_straight(struct work *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (w->straight)
        return PRVCUT_OK;
    st = prvcut_choice_refine(&w->choice, w->job->trace, w->job->run, err);
    if (st == PRVCUT_OK)
        st = jal_keep_collectives_whole(w, err);
    w->straight = st == PRVCUT_OK;
    return st;
}

/* The chop remembers each thread's window. */
static enum prvcut_status jal_keep_windows(struct made_chop *chop, const struct prvcut_alignment *a,
                                           uint32_t threads, struct prvcut_error *err)
{
    chop->is.thread =
        prvcut_unset((size_t)threads + 1, sizeof *chop->is.thread, "threads' borders", err);
    if (!chop->is.thread)
        return PRVCUT_ENOMEM;
    chop->is.threads = threads;
    for (uint32_t i = 0; i < threads; i++)
        chop->is.thread[i] = (struct prvcut_span){ a->from[i], a->to[i] };
    return PRVCUT_OK;
}

static struct prvcut_window jal_window_of(const struct prvcut_alignment *a)
{
    return (struct prvcut_window){
        .from = a->hull.start, .to = a->hull.end, .thread_from = a->from, .thread_to = a->to
    };
}

static enum prvcut_status jal_take_aligned(struct work *w, const struct prvcut_alignment *a,
                                           struct prvcut_error *err)
{
    char split[32];
    struct made_chop *chop = w->chop;

    chop->is.align = PRVCUT_ALIGN_CALLS;
    chop->is.align_why = a->why;
    chop->is.crossing = a->crossing;
    chop->is.follow = a->follow;
    if (a->split > 0)
        job_aside(w->job, "collectives that the borders split: %s",
                  prvcut_count_text(split, a->split));
    return jal_keep_windows(chop, a, w->job->trace->objects.threads, err);
}

/* About how much a cut of it reads. */
static uint64_t jal_reads(const struct work *w, const struct prvcut_span *s)
{
    const struct job *j = w->job;
    const double share = (double)(s->end - s->start) / ((double)j->end_ns + 1);

    return j->trace->reader->halves ? j->trace->bytes
                                    : (uint64_t)(share * (double)j->out->is.text_bytes);
}

/*
 * Where something crosses the threads' own borders, one time for all may do less harm.
 */
static enum prvcut_status jal_compare(struct work *w, struct prvcut_alignment *a,
                                      struct prvcut_error *err)
{
    const struct prvcut_window own = jal_window_of(a);
    struct harm aligned, straight;
    enum prvcut_status st;

    if (jal_reads(w, &a->hull) > TRIED_MOST)
        return PRVCUT_OK;
    st = jal_count_harm(w, &own, &aligned, err);
    if (st < 0 || jal_cost_of(&aligned) == 0)
        return st;
    st = jal_lay_straight(w, err);
    if (st == PRVCUT_OK)
        st = jal_count_straight(w, &w->choice.window, &straight, err);
    if (st < 0 || jal_cost_of(&aligned) < jal_cost_of(&straight))
        return st;
    a->found = false;
    a->why = PRVCUT_ALIGN_WHY_NO_BETTER;
    return PRVCUT_OK;
}

/* Each thread's own borders, where they are wanted and known. */
static enum prvcut_status jal_align(struct work *w, struct prvcut_alignment *out,
                                    struct prvcut_error *err)
{
    const struct job *j = w->job;
    const enum prvcut_align want = j->options->align;
    const struct prvcut_known_loop *f = w->place->loop;
    const struct prvcut_align_input in = { .calls = f->calls.sequences > 0 ? &f->calls : NULL,
                                           .sequence = f->sequence,
                                           .window = w->choice.window,
                                           .exact = prvcut_known_loop_is_laid(f) &&
                                                    want != PRVCUT_ALIGN_CALLS,
                                           .iterations = job_place_borders(w->place) };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    w->chop->is.align = PRVCUT_ALIGN_STRAIGHT;
    if (want == PRVCUT_ALIGN_STRAIGHT) {
        w->chop->is.align_why = PRVCUT_ALIGN_WHY_ASKED;
        return PRVCUT_OK;
    }
    st = prvcut_align(out, j->trace, j->run, &in, err);
    if (st == PRVCUT_OK && out->found && want == PRVCUT_ALIGN_AUTO &&
        (!out->told || out->crossing + out->split > 0))
        st = jal_compare(w, out, err);
    if (st == PRVCUT_OK)
        w->chop->is.align_why = out->why;
    return st;
}

/* --- Laid without being cut ------------------------------------------------------------------- */

/* A window that was laid, with what came of it. */
struct job_lain {
    struct job_place place;    /* what points elsewhere is borrowed */
    struct prvcut_choice laid; /* as one time for all would have it, where it is straight */
    struct prvcut_alignment alignment;
    enum prvcut_align_why why;
    uint64_t harm;
    bool kept;
};

static bool jal_is_span(const struct prvcut_span *a, const struct prvcut_span *b)
{
    return a->start == b->start && a->end == b->end;
}

/* The same window, with the same freedom of its borders. */
static bool jal_is_of(const struct job_lain *l, const struct job_place *place)
{
    const struct prvcut_choice *a = &l->place.choice, *b = &place->choice;

    return jal_is_span(&a->window, &b->window) && jal_is_span(&a->left, &b->left) &&
           jal_is_span(&a->right, &b->right) && l->place.loop == place->loop &&
           l->place.iterations == place->iterations && l->place.steps == place->steps;
}

/* NULL: it is not known. */
static struct job_lain *jal_find(const struct job *j, const struct job_place *place)
{
    for (size_t i = 0; i < j->lain_count; i++)
        if (jal_is_of(&j->lain[i], place))
            return &j->lain[i];
    return NULL;
}

void job_keep_laid(struct job *j, const struct job_place *place)
{
    size_t kept = 0;

    for (size_t i = 0; i < j->lain_count; i++) {
        struct job_lain *l = &j->lain[i];

        l->kept |= place && jal_is_of(l, place);
        if (l->kept)
            j->lain[kept++] = *l;
        else
            prvcut_alignment_fini(&l->alignment);
    }
    j->lain_count = kept;
}

void job_lain_free(struct job *j)
{
    for (size_t i = 0; i < j->lain_count; i++)
        prvcut_alignment_fini(&j->lain[i].alignment);
    free(j->lain);
}

/* Of a cut that is laid. */
static enum prvcut_status jal_tell_harm(const struct work *w, const struct prvcut_alignment *a,
                                        uint64_t *out, struct prvcut_error *err)
{
    struct harm harm = { .collectives = a->split, .messages = a->crossing };
    enum prvcut_status st = PRVCUT_OK;

    if (!a->found) {
        harm = (struct harm){ .bytes = 0 };
        if (jal_reads(w, &w->choice.window) <= TRIED_MOST)
            st = jal_count_straight(w, &w->choice.window, &harm, err);
    }
    *out = jal_cost_of(&harm);
    return st;
}

/* Lay a window that is not known yet, behind the others. */
static enum prvcut_status jal_add(struct job *j, const struct job_place *place,
                                  struct prvcut_error *err)
{
    struct made_chop chop = { .of_clear = false };
    struct work w = { .job = j, .place = place, .choice = place->choice, .chop = &chop };
    struct job_lain l = { .place = *place };
    enum prvcut_status st = jal_align(&w, &l.alignment, err);

    if (st == PRVCUT_OK && !l.alignment.found)
        st = jal_lay_straight(&w, err);
    if (st == PRVCUT_OK)
        st = jal_tell_harm(&w, &l.alignment, &l.harm, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&j->lain, &j->lain_room, j->lain_count + 1, sizeof l, err);
    if (st < 0) {
        prvcut_alignment_fini(&l.alignment);
        return st;
    }
    l.laid = w.choice;
    l.why = chop.is.align_why;
    j->lain[j->lain_count++] = l;
    return PRVCUT_OK;
}

enum prvcut_status job_would_lay(struct job *j, const struct job_place *place,
                                 struct job_laying *out, struct prvcut_error *err)
{
    const struct job_lain *l = jal_find(j, place);
    const enum prvcut_status st = l ? PRVCUT_OK : jal_add(j, place, err);

    if (st < 0)
        return st;
    l = l ? l : &j->lain[j->lain_count - 1];
    out->harm = l->harm;
    out->straight = !l->alignment.found;
    for (uint32_t i = 0; i < j->trace->objects.threads; i++) {
        out->from[i] = out->straight ? l->laid.window.start : l->alignment.from[i];
        out->to[i] = out->straight ? l->laid.window.end : l->alignment.to[i];
    }
    return PRVCUT_OK;
}

/* --- To be cut -------------------------------------------------------------------------------- */

/* What is known of it already is taken. */
static enum prvcut_status jal_align_once(struct work *w, struct prvcut_alignment *out,
                                         struct prvcut_error *err)
{
    struct job *j = w->job;
    struct job_lain *l = jal_find(j, w->place);

    if (!l)
        return jal_align(w, out, err);
    *out = l->alignment;
    w->straight = !out->found;
    w->choice = l->laid;
    w->chop->is.align = PRVCUT_ALIGN_STRAIGHT;
    w->chop->is.align_why = l->why;
    *l = j->lain[--j->lain_count];
    return PRVCUT_OK;
}

enum prvcut_status job_lay(struct job_laid *out, struct job *j, const struct job_place *place,
                           struct made_chop *chop, struct prvcut_error *err)
{
    struct work w = { .job = j, .place = place, .choice = place->choice, .chop = chop };
    enum prvcut_status st = jal_align_once(&w, &out->alignment, err);

    if (st == PRVCUT_OK && out->alignment.found) {
        out->window = jal_window_of(&out->alignment);
        return jal_take_aligned(&w, &out->alignment, err);
    }
    if (st == PRVCUT_OK)
        st = jal_lay_straight(&w, err);
    out->window =
        (struct prvcut_window){ .from = w.choice.window.start, .to = w.choice.window.end };
    return st;
}

void job_laid_fini(struct job_laid *l)
{
    prvcut_alignment_fini(&l->alignment);
}

/* Where a message is one record, the cutter knows best, also those from far away. */
static void jal_tell_crossing(const struct job *j, struct made_chop *chop)
{
    if (chop->is.align == PRVCUT_ALIGN_CALLS && !j->trace->reader->halves)
        chop->is.crossing = chop->cut.dropped_messages + chop->cut.kept_messages;
}

enum prvcut_status job_cut(struct job *j, const struct prvcut_subtrace *sub, struct made_chop *chop,
                           size_t count, struct prvcut_error *err)
{
    const size_t readings = cut_readings(count);
    const enum prvcut_status st = cut_filtered(j->trace, j->run, sub, count, err);

    if (readings > 1)
        job_aside(j, "cuts that are made in one reading: at most %zu; these took %zu readings",
                  PRVCUT_SUBTRACES_MOST, readings);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        jal_tell_crossing(j, &chop[i]);
    return st;
}
