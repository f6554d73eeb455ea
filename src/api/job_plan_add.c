#include "api/job_plan.h"

#include "api/job_unusual.h"
#include "base/buffer.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Of a kind as many are cut as there are: no more are sought than any region has. */
static unsigned pla_at_most(const struct job *j, unsigned iterations)
{
    double most = 1;

    for (size_t i = 0; i < j->out->structure.is.regions; i++)
        most = fmax(most, floor(j->out->structure.region[i].is.iterations));
    return most < iterations ? (unsigned)most : iterations;
}

unsigned job_plan_iterations(const struct job *j)
{
    const struct prvcut_reduce_options *o = j->options;

    if (o->first_iteration > 0)
        return (unsigned)(o->last_iteration - o->first_iteration + 1);
    return o->kinds ? pla_at_most(j, o->iterations) : o->iterations;
}

bool job_wants_whole(const struct job *j)
{
    return j->options->whole && j->options->first_iteration == 0;
}

const struct prvcut_known_loop *job_plan_loop(const struct job *j, size_t region)
{
    return &j->known.at[j->known.of_region[region]];
}

struct prvcut_known_loop *job_plan_new_loop(struct job *j, struct prvcut_error *err)
{
    struct job_joined *joined = prvcut_zeroed(1, sizeof *joined, "a loop", err);

    if (!joined)
        return NULL;
    joined->next = j->joined;
    j->joined = joined;
    return &joined->loop;
}

/* All of its parts, as far as they follow each other. */
enum prvcut_status job_plan_join(const struct prvcut_known_loop **out, struct job *j, size_t region,
                                 struct prvcut_error *err)
{
    struct prvcut_known_loop *joined = job_plan_new_loop(j, err);

    *out = joined;
    return joined ? prvcut_known_loops_join(joined, &j->known, job_plan_loop(j, region), err)
                  : PRVCUT_ENOMEM;
}

bool job_plan_holds(const struct prvcut_known_loop *f, const struct prvcut_span *window)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);

    return borders == 0 || (border[0] <= window->start && window->end <= border[borders - 1]);
}

struct prvcut_choice_input job_plan_choice_in(const struct job *j,
                                              const struct prvcut_known_loop *f, size_t region)
{
    return (struct prvcut_choice_input){
        .loop = &f->loop,
        .calls = f->calls.sequences > 0 ? &f->calls : NULL,
        .borders = f->borders,
        .signal = f->signal.at ? &f->signal : NULL,
        .mask = j->mask,
        .masks = j->mask_spans,
        .exact = prvcut_known_loop_is_laid(f),
        .iterations = job_plan_iterations(j),
        .within = j->out->structure.region[region].is.span,
        .set = j->run->set,
    };
}

struct prvcut_choice_input job_plan_choice(const struct job *j, size_t region)
{
    return job_plan_choice_in(j, job_plan_loop(j, region), region);
}

static uint64_t pla_within(uint64_t t, const struct prvcut_span *all)
{
    return t < all->start ? all->start : t > all->end ? all->end : t;
}

void job_plan_keep_inside(struct prvcut_choice *c, struct prvcut_span all)
{
    struct prvcut_span *const span[] = { &c->window, &c->left, &c->right };

    for (size_t i = 0; i < sizeof span / sizeof *span; i++) {
        span[i]->start = pla_within(span[i]->start, &all);
        span[i]->end = pla_within(span[i]->end, &all);
    }
}

enum prvcut_status job_plan_add(struct job *j, struct job_plan *plan, size_t region,
                                const struct prvcut_outlier *outlier,
                                const struct prvcut_choice *choice, struct prvcut_error *err)
{
    struct job_planned *p;

    if (prvcut_grow((void **)&plan->at, &plan->room, plan->count + 1, sizeof *plan->at, err) < 0)
        return PRVCUT_ENOMEM;
    p = &plan->at[plan->count++];
    *p = (struct job_planned){ .region = region,
                               .unusual = outlier != NULL,
                               .outlier =
                                   outlier ? *outlier : (struct prvcut_outlier){ .iteration = 0 },
                               .tag = { .kind = REPORT_TAG_CHOP },
                               .lead_ns = outlier ? outlier->span.start : choice->window.start,
                               .place = { .loop = job_plan_loop(j, region),
                                          .choice = *choice,
                                          .iterations = outlier ? 1 : job_plan_iterations(j),
                                          .cut = *j->options->cut } };
    job_plan_keep_inside(&p->place.choice, job_span(j));
    return PRVCUT_OK;
}

enum prvcut_status job_plan_typical(struct job *j, struct job_plan *plan, size_t region, bool *fits,
                                    struct prvcut_error *err)
{
    const struct prvcut_choice_input in = job_plan_choice(j, region);
    struct prvcut_choice choice;
    enum prvcut_status st = prvcut_choose(&choice, &in, err);

    *fits = st == PRVCUT_OK && choice.found;
    return *fits ? job_plan_add(j, plan, region, NULL, &choice, err) : st;
}

/* One of a region's or loop's, the rank-th from 1. */
static enum prvcut_status pla_outlier(struct job *j, struct job_plan *plan,
                                      const struct job_unusual *u, unsigned rank,
                                      struct prvcut_error *err)
{
    struct prvcut_choice_input in = job_plan_choice(j, u->region);
    struct prvcut_choice choice;
    enum prvcut_status st;

    in.iterations = 1;
    st = prvcut_choose_given(&choice, &in, u->outlier.span, err);
    choice.why =
        u->outlier.why == PRVCUT_OUTLIER_LONG ? PRVCUT_CHOP_WHY_LONG : PRVCUT_CHOP_WHY_SHORT;
    if (st == PRVCUT_OK)
        st = job_plan_add(j, plan, u->region, &u->outlier, &choice, err);
    if (st == PRVCUT_OK)
        plan->at[plan->count - 1].tag.outlier = rank;
    return st;
}

enum prvcut_status job_plan_outliers(struct job *j, struct job_plan *plan, size_t region, bool loop,
                                     size_t *count, struct prvcut_error *err)
{
    struct job_unusual *unusual;
    enum prvcut_status st = job_unusual_take(&unusual, count, j, region, loop, err);

    for (unsigned i = 0; i < *count && i < j->options->outliers && st == PRVCUT_OK; i++)
        st = pla_outlier(j, plan, &unusual[i], i + 1, err);
    free(unusual);
    return st;
}

enum prvcut_status job_plan_unusual(struct job *j, struct job_plan *plan, size_t region, bool loop,
                                    struct prvcut_error *err)
{
    size_t count;
    const enum prvcut_status st = job_plan_outliers(j, plan, region, loop, &count, err);

    if (st == PRVCUT_OK && count == 0 && j->options->outliers > 0)
        job_note(j, "no iteration of the %s is unusual", loop ? "loop" : "region");
    else if (st == PRVCUT_OK && count < j->options->outliers)
        job_note(j, "--outliers %u: only %zu iteration%s of the %s %s unusual",
                 j->options->outliers, count, count == 1 ? "" : "s", loop ? "loop" : "region",
                 count == 1 ? "is" : "are");
    return st;
}

enum prvcut_status job_plan_whole(struct job *j, struct job_plan *plan, size_t region,
                                  struct prvcut_error *err)
{
    const struct made_region *r = &j->out->structure.region[region];
    struct prvcut_choice_input in = job_plan_choice(j, region);
    struct prvcut_choice choice;
    enum prvcut_status st;

    in.iterations = r->is.iterations > 1 ? (unsigned)(r->is.iterations + 0.5) : 1;
    st = prvcut_choose_given(&choice, &in, r->is.span, err);
    choice.why = PRVCUT_CHOP_WHY_REGION;
    if (st == PRVCUT_OK)
        st = job_plan_add(j, plan, region, NULL, &choice, err);
    if (st == PRVCUT_OK)
        plan->at[plan->count - 1].place.iterations = in.iterations;
    return st;
}
