#include "api/job.h"
#include "api/names.h"

#include <stdlib.h>
#include <string.h>

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

static enum prvcut_status choose(const struct job *j, const struct prvcut_known_loop *f,
                                 struct prvcut_choice *choice, struct prvcut_error *err)
{
    const struct prvcut_choice_input in = { .loop = &f->loop,
                                            .calls = f->calls.sequences > 0 ? &f->calls : NULL,
                                            .signal = f->signal.at ? &f->signal : NULL,
                                            .mask = j->mask,
                                            .masks = j->mask_spans,
                                            .iterations = j->options->iterations };
    enum prvcut_status st = prvcut_choose(choice, &in, err);

    if (st == PRVCUT_OK && choice->found)
        keep_inside(choice, job_span(j));
    return st;
}

/* Where the cut goes to, and how; *own is the name where the options give none. */
static enum prvcut_status cut_options(const struct job *j, struct prvcut_cut_options *o, char **own,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *own = NULL;
    *o = j->options->cut;
    if (!o->path)
        st = prvcut_output_name(own, j->trace->reader, j->trace->path, "chop1", o->compress, err);
    if (!o->path)
        o->path = *own;
    return st;
}

static enum prvcut_status chop_one(struct job *j, size_t region, struct prvcut_chop *chop,
                                   struct prvcut_error *err)
{
    struct job_place place = { .loop = &j->known.at[j->known.of_region[region]],
                               .iterations = j->options->iterations };
    char *own = NULL;
    enum prvcut_status st = choose(j, place.loop, &place.choice, err);

    if (st < 0)
        return st;
    *chop = (struct prvcut_chop){ .kind = "typical",
                                  .region = region,
                                  .level = j->out->structure.region[region].level,
                                  .number = j->out->structure.region[region].number,
                                  .iterations = place.iterations,
                                  .first = UINT64_MAX,
                                  .why = place.choice.why,
                                  .similarity = place.choice.similarity,
                                  .align = "",
                                  .align_why = "" };
    if (!place.choice.found)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%u iterations were asked for, but the periodic phase holds only %.0f",
                           place.iterations, place.loop->loop.iterations);
    st = cut_options(j, &place.cut, &own, err);
    if (st == PRVCUT_OK)
        st = job_cut(j, &place, chop, err);
    free(own);
    return st;
}

enum prvcut_status job_chops(struct job *j, struct prvcut_error *err)
{
    struct prvcut_reduction *r = j->out;

    r->chop = calloc(1, sizeof *r->chop);
    if (!r->chop)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for a chop");
    r->chops = 1;
    if (j->trace->clocks.skewed && !j->options->cut.align_clocks)
        job_note(j, "the cut keeps each process's own clock; --align-clocks brings them together");
    return chop_one(j, r->structure.main, &r->chop[0], err);
}
