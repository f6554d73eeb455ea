#include "api/job.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/own_folder.h"

#include "base/buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_plan_fini(struct job_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free(plan->at[i].path);
    free(plan->at);
    *plan = (struct job_plan){ 0 };
}

static unsigned wanted_level(const struct job *j)
{
    return j->options->level > 1 ? j->options->level : 1;
}

static bool is_wanted_level(const struct job *j, const struct prvcut_region *r)
{
    return r->level == wanted_level(j) && strcmp(r->kind, "periodic") == 0;
}

/* The region of the level that takes the most time; at level 1 the one the structure names. */
static size_t longest_region(const struct job *j)
{
    const struct prvcut_structure *s = &j->out->structure;
    uint64_t most = 0;
    size_t best = SIZE_MAX;

    if (wanted_level(j) == 1 && s->main < s->regions)
        return s->main;
    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_span *span = &s->region[i].span;

        if (!is_wanted_level(j, &s->region[i]) || span->end - span->start <= most)
            continue;
        most = span->end - span->start;
        best = i;
    }
    return best;
}

static enum prvcut_status numbered_region(const struct job *j, const char *number, size_t *out,
                                          struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure;
    const unsigned long wanted = strtoul(number, NULL, 10);
    unsigned most = 0;

    for (size_t i = 0; i < s->regions; i++) {
        if (!is_wanted_level(j, &s->region[i]))
            continue;
        if (s->region[i].number == wanted) {
            *out = i;
            return PRVCUT_OK;
        }
        if (s->region[i].number > most)
            most = s->region[i].number;
    }
    if (most <= 1)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "no periodic region %s at level %u: there is only region 1", number,
                           wanted_level(j));
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "no periodic region %s at level %u: there are those from 1 to %u", number,
                       wanted_level(j), most);
}

static struct prvcut_choice_input choice_input(const struct job *j, size_t region)
{
    const struct prvcut_known_loop *f = &j->known.at[j->known.of_region[region]];

    return (struct prvcut_choice_input){
        .loop = &f->loop,
        .calls = f->calls.sequences > 0 ? &f->calls : NULL,
        .borders = f->borders,
        .signal = f->signal.at ? &f->signal : NULL,
        .mask = j->mask,
        .masks = j->mask_spans,
        .iterations = j->options->iterations,
        .within = j->out->structure.region[region].span,
    };
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

static enum prvcut_status add(struct job *j, struct job_plan *plan, size_t region,
                              const struct prvcut_outlier *outlier,
                              const struct prvcut_choice *choice, struct prvcut_error *err)
{
    struct job_planned *p;

    if (prvcut_grow((void **)&plan->at, &plan->room, plan->count + 1, sizeof *plan->at, err) < 0)
        return PRVCUT_ENOMEM;
    p = &plan->at[plan->count++];
    *p = (struct job_planned){ .region = region,
                               .outlier = outlier,
                               .place = { .loop = &j->known.at[j->known.of_region[region]],
                                          .choice = *choice,
                                          .iterations = outlier ? 1 : j->options->iterations,
                                          .cut = j->options->cut } };
    keep_inside(&p->place.choice, job_span(j));
    return PRVCUT_OK;
}

/* *fits: false where the region holds fewer iterations than are wanted. */
static enum prvcut_status add_typical(struct job *j, struct job_plan *plan, size_t region,
                                      bool *fits, struct prvcut_error *err)
{
    const struct prvcut_choice_input in = choice_input(j, region);
    struct prvcut_choice choice;
    enum prvcut_status st = prvcut_choose(&choice, &in, err);

    *fits = st == PRVCUT_OK && choice.found;
    return *fits ? add(j, plan, region, NULL, &choice, err) : st;
}

static enum prvcut_status add_outliers(struct job *j, struct job_plan *plan, size_t region,
                                       struct prvcut_error *err)
{
    const struct prvcut_region *r = &j->out->structure.region[region];
    struct prvcut_choice_input in = choice_input(j, region);
    enum prvcut_status st = PRVCUT_OK;

    in.iterations = 1;
    for (size_t i = 0; i < r->outliers && i < j->options->outliers && st == PRVCUT_OK; i++) {
        struct prvcut_choice choice;

        st = prvcut_choose_given(&choice, &in, r->outlier[i].span, err);
        choice.why = r->outlier[i].why;
        if (st == PRVCUT_OK)
            st = add(j, plan, region, &r->outlier[i], &choice, err);
    }
    return st;
}

static bool holds(const struct job *j, size_t region, unsigned iterations)
{
    struct prvcut_choice_input in = choice_input(j, region);
    struct prvcut_choice choice;

    in.iterations = iterations;
    return prvcut_choose(&choice, &in, NULL) == PRVCUT_OK && choice.found;
}

/* Where two are too many, as they are by default, one may do. */
static const char *single_hint(const struct job *j, size_t region)
{
    return !holds(j, region, 2) && holds(j, region, 1) ? "; try --iterations 1" : "";
}

static enum prvcut_status add_region(struct job *j, struct job_plan *plan, size_t region,
                                     struct prvcut_error *err)
{
    const struct prvcut_region *r = &j->out->structure.region[region];
    bool fits;
    enum prvcut_status st = add_typical(j, plan, region, &fits, err);

    if (st == PRVCUT_OK && !fits)
        return prvcut_fail(
            err, PRVCUT_EUSAGE,
            "%u iterations were asked for, but the periodic region holds only %.0f%s",
            j->options->iterations, r->iterations, single_hint(j, region));
    if (st == PRVCUT_OK && r->outliers < j->options->outliers)
        job_note(j, "iterations that stand out: %zu, fewer than were asked for", r->outliers);
    return st < 0 ? st : add_outliers(j, plan, region, err);
}

/* None of the level's regions is long enough. */
static enum prvcut_status refuse_all(const struct job *j, size_t regions, struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure;
    size_t longest = SIZE_MAX;

    for (size_t i = 0; i < s->regions; i++)
        if (is_wanted_level(j, &s->region[i]) &&
            (longest == SIZE_MAX || s->region[i].iterations > s->region[longest].iterations))
            longest = i;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "%u iterations were asked for, but the longest of %zu periodic regions "
                       "holds only %.0f%s",
                       j->options->iterations, regions, s->region[longest].iterations,
                       single_hint(j, longest));
}

static enum prvcut_status add_all(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure;
    size_t regions = 0, small = 0, few = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->regions && st == PRVCUT_OK; i++) {
        bool fits;

        if (!is_wanted_level(j, &s->region[i]))
            continue;
        regions++;
        st = add_typical(j, plan, i, &fits, err);
        small += !fits;
        few += fits && s->region[i].outliers < j->options->outliers;
        if (st == PRVCUT_OK && fits)
            st = add_outliers(j, plan, i, err);
    }
    if (st == PRVCUT_OK && plan->count == 0)
        return refuse_all(j, regions, err);
    if (small > 0)
        job_note(j, "regions without %u whole iterations, not cut: %zu of %zu",
                 j->options->iterations, small, regions);
    if (few > 0)
        job_note(j, "regions with fewer iterations that stand out than were asked for: %zu of %zu",
                 few, regions);
    return st;
}

/* "level1-region2", or "level1-region2-outlier1" */
static void tag_of(const struct job *j, const struct job_plan *plan, size_t i, char out[96])
{
    const struct prvcut_region *r = &j->out->structure.region[plan->at[i].region];

    if (plan->at[i].outlier)
        snprintf(out, 96, "level%u-region%u-outlier%zu", r->level, r->number,
                 (size_t)(plan->at[i].outlier - r->outlier) + 1);
    else
        snprintf(out, 96, "level%u-region%u", r->level, r->number);
}

/* One chop of the run's main region has the plain name, all others tell their place. */
static enum prvcut_status name_all(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    const struct prvcut_cut_options *o = &j->options->cut;
    const bool plain = plan->count == 1 && plan->at[0].region == j->out->structure.main;
    const bool own = prvcut_own_folder_is_for(j->trace, o);
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++) {
        struct job_planned *p = &plan->at[i];
        char tag[96] = "chop1";

        if (!plain)
            tag_of(j, plan, i, tag);
        if (!o->path)
            st = prvcut_output_name(&p->path, j->trace->reader, prvcut_trace_shown(j->trace), tag,
                                    o->compress, err);
        else if (plan->count == 1)
            st = prvcut_output_named(&p->path, j->trace, o->path, o->compress, err);
        else if (plan->count > 1)
            st = prvcut_output_sibling(&p->path, j->trace->reader, o->path, tag, o->compress, err);
        if (st == PRVCUT_OK)
            st = prvcut_output_check(j->trace, p->path, err);
        if (st == PRVCUT_OK && j->options->report)
            st = prvcut_output_keeps_off(j->trace, p->path, j->options->report, err);
        if (st == PRVCUT_OK && own && j->options->report)
            st = prvcut_own_folder_keeps_off(p->path, j->options->report, err);
        if (st == PRVCUT_OK)
            st = own ? prvcut_own_folder_is_free(p->path, o->force, err)
                     : prvcut_output_set_is_free(p->path, j->trace, o->force, err);
        p->place.cut.path = p->path;
    }
    return st;
}

enum prvcut_status job_plan_make(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    const char *regions = j->options->regions ? j->options->regions : "longest";
    const unsigned level = wanted_level(j);
    size_t region = SIZE_MAX;
    enum prvcut_status st = PRVCUT_OK;
    char period[32];

    *plan = (struct job_plan){ 0 };
    if (longest_region(j) == SIZE_MAX && level == 1 && j->wish.period_ns > 0)
        return prvcut_fail(
            err, PRVCUT_EUSAGE,
            "%u iterations were asked for, but what is analysed holds only %.1f of "
            "%s (%" PRIu64 " ns)%s",
            j->options->iterations, j->out->iterations,
            prvcut_time_text(period, (double)j->wish.period_ns), j->wish.period_ns,
            j->out->iterations >= 1 && j->out->iterations < 2 ? "; try --iterations 1" : "");
    if (longest_region(j) == SIZE_MAX) {
        job_note(j, "nothing repeats at level %u: the deepest level with a loop is %u", level,
                 j->out->structure.levels);
        return PRVCUT_END;
    }
    if (strcmp(regions, "all") == 0) {
        st = add_all(j, plan, err);
    } else {
        if (strcmp(regions, "longest") == 0)
            region = longest_region(j);
        else
            st = numbered_region(j, regions, &region, err);
        if (st == PRVCUT_OK)
            st = add_region(j, plan, region, err);
    }
    return st < 0 ? st : name_all(j, plan, err);
}
