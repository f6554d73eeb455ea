#include "api/job_plan.h"
#include "api/entries.h"
#include "api/job.h"
#include "api/job_kinds.h"
#include "api/job_totals.h"
#include "api/job_windows.h"
#include "api/select.h"

#include "structure/stretch.h"

#include <inttypes.h>
#include <math.h>
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

static bool jpl_is_of_level(const struct made_region *r, unsigned level)
{
    return r->is.level == level && r->is.kind == PRVCUT_REGION_PERIODIC;
}

/* How well a region holds as many iterations as are wanted. */
enum room { ROOM_NONE, ROOM_DISTURBED, ROOM_CLEAR };

static enum room jpl_room_of(const struct job *j, size_t region)
{
    const struct prvcut_choice_input in = job_plan_choice(j, region);
    struct prvcut_choice choice;

    if (prvcut_choose(&choice, &in, NULL) < 0 || !choice.found)
        return ROOM_NONE;
    return choice.clear ? ROOM_CLEAR : ROOM_DISTURBED;
}

/* The region of the same loop that takes the most time and holds them at least so well, the given
   one if it does; SIZE_MAX: none does. */
static size_t jpl_roomiest(const struct job *j, size_t region, enum room least)
{
    const struct made_structure *s = &j->out->structure;
    uint64_t most = 0;
    size_t best = SIZE_MAX;

    if (jpl_room_of(j, region) >= least)
        return region;
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (!prvcut_regions_share_loop(r, &s->region[region]) ||
            r->is.span.end - r->is.span.start <= most || jpl_room_of(j, i) < least)
            continue;
        most = r->is.span.end - r->is.span.start;
        best = i;
    }
    return best;
}

/* Best where nothing disturbs any thread. */
static size_t jpl_roomy(const struct job *j, size_t region)
{
    const size_t best = jpl_roomiest(j, region, ROOM_CLEAR);

    return best != SIZE_MAX ? best : jpl_roomiest(j, region, ROOM_DISTURBED);
}

/* Does the region hold so many, disturbed ones, too? */
static bool jpl_region_holds(const struct job *j, size_t region, double iterations)
{
    struct prvcut_choice_input in = job_plan_choice(j, region);
    struct prvcut_choice choice;

    in.iterations = (unsigned)iterations;
    return iterations >= 1 && prvcut_choose(&choice, &in, NULL) == PRVCUT_OK && choice.found;
}

/* As many as there are; of what is shorter than one iteration, all of it. */
static void jpl_offer(double most, struct prvcut_error *err)
{
    if (most >= 1)
        prvcut_instead(err, "--iterations %.0f", floor(most));
    else
        prvcut_instead(err, "prvcut info TRACE");
}

static enum prvcut_status jpl_refuse_region(const struct job *j, size_t region,
                                            struct prvcut_error *err)
{
    const struct made_region *r = &j->out->structure.region[region];

    const double whole = floor(r->is.iterations),
                 length = (double)(r->is.span.end - r->is.span.start);
    const bool period = r->is.found_by == PRVCUT_FOUND_BY_PERIOD;
    char given[32], long_is[32], often[40] = "only once";

    if (whole != 1)
        snprintf(often, sizeof often, "only %.0f times", whole);
    jpl_offer(r->is.iterations, err);
    if (!jpl_region_holds(j, region, whole))
        prvcut_instead(err, "prvcut cut --from %" PRIu64 "ns --to %" PRIu64 "ns TRACE",
                       r->is.span.start, r->is.span.end);
    prvcut_time_text(given, (double)j->wish.period_ns);
    if (period && length < (double)j->wish.period_ns)
        return prvcut_fail(err, PRVCUT_EUSAGE, "--period: %s is longer than region %u.%u (%s)",
                           given, r->is.level, r->is.number, prvcut_time_text(long_is, length));
    if (period)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "--iterations %u: %s (--period) fits %s in region %u.%u",
                           j->options->iterations, given, often, r->is.level, r->is.number);
    return prvcut_fail(err, PRVCUT_EUSAGE, "--iterations %u: region %u.%u has only %.0f",
                       j->options->iterations, r->is.level, r->is.number, r->is.iterations);
}

/* loop: unusual iterations are those of all its loop. */
static enum prvcut_status jpl_add_region(struct job *j, struct job_plan *plan, size_t region,
                                         bool loop, struct prvcut_error *err)
{
    bool fits;
    enum prvcut_status st;

    if (job_wants_whole(j))
        return job_plan_whole(j, plan, region, err);
    st = job_plan_typical(j, plan, region, &fits, err);
    if (st == PRVCUT_OK && !fits)
        return jpl_refuse_region(j, region, err);
    return st < 0 ? st : job_plan_unusual(j, plan, region, loop, err);
}

/* Not even with disturbed ones are there as many in a row; most: that there are. */
static enum prvcut_status jpl_refuse_loop(const struct job *j, size_t region, double most,
                                          struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const struct made_region *like = &s->region[region];
    const unsigned wanted = j->options->iterations;
    size_t regions = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        regions += prvcut_regions_share_loop(&s->region[i], like);
    if (regions < 2)
        return jpl_refuse_region(j, region, err);
    jpl_offer(most, err);
    if (wanted > like->is.loop_iterations)
        return prvcut_fail(err, PRVCUT_EUSAGE, "--iterations %u: the loop runs %" PRIu64 " times",
                           wanted, like->is.loop_iterations);
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "--iterations %u: the loop runs %" PRIu64 " times, at most %.0f in a row",
                       wanted, like->is.loop_iterations, most);
}

/* Among all iterations around a region that follow each other, *most of them, disturbed ones, too.
 */
static enum prvcut_status jpl_add_from_loop(struct job *j, struct job_plan *plan, size_t region,
                                            double *most, struct prvcut_error *err)
{
    const struct prvcut_known_loop *loop = NULL;
    struct prvcut_choice_input in;
    struct prvcut_choice choice;
    enum prvcut_status st = job_plan_join(&loop, j, region, err);

    if (st < 0)
        return st;
    *most = fmax(*most, loop->loop.iterations);
    in = job_plan_choice_in(j, loop, region);
    in.within = (struct prvcut_span){ 0, 0 };
    st = prvcut_choose(&choice, &in, err);
    if (st == PRVCUT_OK && choice.found)
        st = job_plan_add(j, plan, region, NULL, &choice, err);
    if (st == PRVCUT_OK && choice.found) {
        plan->at[plan->count - 1].place.loop = loop;
        plan->at[plan->count - 1].of_loop = true;
    }
    return st;
}

/* No region of the loop holds as many: disturbed ones, too. */
static enum prvcut_status jpl_add_loop(struct job *j, struct job_plan *plan, size_t region,
                                       struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const struct prvcut_known_loop *tried = NULL;
    const size_t before = plan->count;
    enum prvcut_status st = PRVCUT_OK;
    double most = 0;

    for (size_t i = 0; i < s->is.regions && st == PRVCUT_OK && plan->count == before; i++) {
        if (!prvcut_regions_share_loop(&s->region[i], &s->region[region]) ||
            job_plan_loop(j, i) == tried)
            continue;
        tried = job_plan_loop(j, i);
        st = jpl_add_from_loop(j, plan, i, &most, err);
    }
    if (st < 0 || plan->count == before)
        return st < 0 ? st : jpl_refuse_loop(j, region, most, err);
    return job_plan_unusual(j, plan, region, true, err);
}

/* Typical iterations of a region that holds so many; unusual ones of the same. */
static enum prvcut_status jpl_add_longest(struct job *j, struct job_plan *plan, size_t longest,
                                          struct prvcut_error *err)
{
    const size_t region = job_wants_whole(j) ? longest : jpl_roomy(j, longest),
                 before = plan->count;
    const enum prvcut_status st = region == SIZE_MAX ? jpl_add_loop(j, plan, longest, err)
                                                     : jpl_add_region(j, plan, region, true, err);

    for (size_t i = before; i < plan->count; i++)
        plan->at[i].widest = true;
    return st;
}

/* None of the level's regions is long enough. */
static enum prvcut_status jpl_refuse_all(const struct job *j, unsigned level,
                                         struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    size_t longest = SIZE_MAX;

    for (size_t i = 0; i < s->is.regions; i++)
        if (jpl_is_of_level(&s->region[i], level) &&
            (longest == SIZE_MAX || s->region[i].is.iterations > s->region[longest].is.iterations))
            longest = i;
    jpl_offer(s->region[longest].is.iterations, err);
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "--iterations %u: the longest region of level %u has only %.0f",
                       j->options->iterations, level, s->region[longest].is.iterations);
}

static void jpl_note_small(struct job *j, size_t small, size_t regions)
{
    job_note(j, "regions with fewer than %u iterations, not cut: %zu of %zu",
             j->options->iterations, small, regions);
}

static enum prvcut_status jpl_add_all(struct job *j, struct job_plan *plan, unsigned level,
                                      struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const size_t before = plan->count;
    size_t regions = 0, small = 0, few = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->is.regions && st == PRVCUT_OK; i++) {
        size_t unusual;
        bool fits;

        if (!jpl_is_of_level(&s->region[i], level))
            continue;
        regions++;
        st = job_plan_typical(j, plan, i, &fits, err);
        small += !fits;
        few += fits && s->region[i].is.outliers < j->options->outliers;
        if (st == PRVCUT_OK && fits)
            st = job_plan_outliers(j, plan, i, false, &unusual, err);
    }
    if (st == PRVCUT_OK && plan->count == before)
        return jpl_refuse_all(j, level, err);
    if (small > 0)
        jpl_note_small(j, small, regions);
    if (few > 0)
        job_note(j, "regions with fewer than %u unusual iterations: %zu of %zu",
                 j->options->outliers, few, regions);
    return st;
}

/* The region of the same loop in which the first of them lies, or behind which it comes. */
static size_t jpl_region_before(const struct made_structure *s, size_t region, uint64_t first)
{
    const struct made_region *like = &s->region[region];
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (prvcut_regions_share_loop(r, like) && (best == SIZE_MAX || r->is.first <= first))
            best = i;
    }
    return best;
}

/* Iterations that are named, disturbed or not. */
static enum prvcut_status jpl_add_given(struct job *j, struct job_plan *plan, unsigned level,
                                        struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    const struct prvcut_selection what = {
        .region = o->regions, .level = level, .first = o->first_iteration, .last = o->last_iteration
    };
    const struct prvcut_known_loop *loop;
    struct prvcut_choice_input in;
    struct prvcut_choice choice;
    struct prvcut_span window;
    size_t region, selected;
    enum prvcut_status st =
        api_structure_select(&j->out->structure, &what, &window, &selected, err);

    if (st < 0)
        return st;
    region = jpl_region_before(&j->out->structure, selected, o->first_iteration);
    loop = job_plan_loop(j, region);
    if (!job_plan_holds(loop, &window))
        st = job_plan_join(&loop, j, region, err);
    if (st < 0)
        return st;
    in = job_plan_choice_in(j, loop, region);
    st = prvcut_choose_given(&choice, &in, window, err);
    choice.why = PRVCUT_CHOP_WHY_NAMED;
    if (st == PRVCUT_OK)
        st = job_plan_add(j, plan, region, NULL, &choice, err);
    if (st == PRVCUT_OK) {
        plan->at[plan->count - 1].place.loop = loop;
        plan->at[plan->count - 1].lead_ns = window.start;
        plan->at[plan->count - 1].of_loop = true;
        plan->at[plan->count - 1].tag = report_tag_iterations(
            &j->out->structure, selected, o->first_iteration, o->last_iteration);
    }
    return st;
}

/* --- What is asked for ---------------------------------------------------------------------- */

/* A given period leaves no region where what is analysed holds too little of it. */
static enum prvcut_status jpl_refuse_period(const struct job *j, struct prvcut_error *err)
{
    char period[32];

    if (j->out->is.iterations < 1)
        return prvcut_fail(
            err, PRVCUT_EUSAGE, "--iterations %u: the trace holds less than one iteration of %s",
            j->options->iterations, prvcut_time_text(period, (double)j->wish.period_ns));
    prvcut_instead(err, "--period %" PRIu64 "ns --iterations %.0f", j->wish.period_ns,
                   floor(j->out->is.iterations));
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "--iterations %u: the trace holds only %.1f iterations of %s",
                       j->options->iterations, j->out->is.iterations,
                       prvcut_time_text(period, (double)j->wish.period_ns));
}

/* A level that nothing repeats at is as wrong as a region that is not there. */
static enum prvcut_status plan_no_level(const struct job *j, const char *levels,
                                        struct prvcut_error *err)
{
    prvcut_instead(err, "--level %u", j->out->structure.is.levels);
    return prvcut_fail(err, PRVCUT_EUSAGE, "no loop at level %.40s; the deepest is %u", levels,
                       j->out->structure.is.levels);
}

static enum prvcut_status jpl_add_level(struct job *j, struct job_plan *plan, unsigned level,
                                        struct prvcut_error *err)
{
    const char *regions = j->options->regions;
    const size_t longest = prvcut_region_longest(&j->out->structure, level);

    if (longest == SIZE_MAX && level == 1 && j->wish.period_ns > 0)
        return jpl_refuse_period(j, err);
    if (longest == SIZE_MAX && !j->options->levels && level > j->out->structure.is.levels) {
        char text[24];

        snprintf(text, sizeof text, "%u", level);
        return plan_no_level(j, text, err);
    }
    if (longest == SIZE_MAX) {
        job_note(j, "no loop at level %u; the deepest level with a loop is %u", level,
                 j->out->structure.is.levels);
        return PRVCUT_NONE;
    }
    if (j->options->first_iteration > 0)
        return jpl_add_given(j, plan, level, err);
    return regions && strcmp(regions, "all") == 0 ? jpl_add_all(j, plan, level, err)
                                                  : jpl_add_longest(j, plan, longest, err);
}

/* What is named twice is cut once: a region, or any of a level where region is SIZE_MAX. */
static bool jpl_has_already(const struct job *j, const struct job_plan *plan, size_t region,
                            unsigned level)
{
    for (size_t i = 0; i < plan->count; i++)
        if (region == SIZE_MAX ? j->out->structure.region[plan->at[i].region].is.level == level
                               : plan->at[i].region == region)
            return true;
    return false;
}

/* Of a range, those with too few iterations are left out, unless all have. */
static enum prvcut_status jpl_add_named(struct job *j, struct job_plan *plan,
                                        struct prvcut_error *err)
{
    struct prvcut_region_name name = { .number = 0 };
    const char *at = j->options->regions;
    size_t region = SIZE_MAX, small = 0, asked = 0;
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && prvcut_region_next(&at, j->options->level, &name)) {
        st = prvcut_region_find(&j->out->structure, name, &region, err);
        if (st < 0 || jpl_has_already(j, plan, region, 0))
            continue;
        asked++;
        if (name.range && !job_wants_whole(j) &&
            !jpl_region_holds(j, region, job_plan_iterations(j)))
            small++;
        else
            st = jpl_add_region(j, plan, region, false, err);
    }
    if (st == PRVCUT_OK && small > 0 && plan->count == 0)
        return jpl_refuse_region(j, region, err);
    if (st == PRVCUT_OK && small > 0)
        jpl_note_small(j, small, asked);
    return st;
}

/* Level after level; one without a loop ends it only where no other has one. */
static enum prvcut_status jpl_add_levels(struct job *j, struct job_plan *plan,
                                         struct prvcut_error *err)
{
    const char *at = j->options->levels;
    const bool all = strcmp(at, "all") == 0;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned level = 1; all && level <= j->out->structure.is.levels && st >= 0; level++)
        st = jpl_add_level(j, plan, level, err);
    for (bool more = !all; more && st >= 0;) {
        const unsigned level = (unsigned)strtoul(at, NULL, 10);

        if (!jpl_has_already(j, plan, SIZE_MAX, level))
            st = jpl_add_level(j, plan, level, err);
        at += strcspn(at, ",");
        more = *at++ == ',';
    }
    if (st >= 0 && plan->count == 0)
        return plan_no_level(j, j->options->levels, err);
    return st < 0 ? st : PRVCUT_OK;
}

/* The region of a group that takes the most time; SIZE_MAX: there is no such group. */
static size_t plan_longest_of(const struct made_structure *s, unsigned group)
{
    uint64_t most = 0;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_region *r = &s->region[i].is;

        if (r->level == 1 && r->group == group && r->span.end - r->span.start > most) {
            most = r->span.end - r->span.start;
            best = i;
        }
    }
    return best;
}

/* Nothing ties the groups, so that no window holds the same iteration of two: one cut each. */
static enum prvcut_status plan_add_groups(struct job *j, struct job_plan *plan,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t region;

    for (unsigned group = 1; st == PRVCUT_OK; group++) {
        region = plan_longest_of(&j->out->structure, group);
        if (region == SIZE_MAX)
            break;
        if (job_wants_whole(j) || jpl_region_holds(j, region, job_plan_iterations(j)))
            st = jpl_add_region(j, plan, region, true, err);
        else
            job_note(j, "region 1.%u has fewer than %u iterations, and is not cut",
                     j->out->structure.region[region].is.number, job_plan_iterations(j));
    }
    return st;
}

static enum prvcut_status plan_cuts(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    enum prvcut_status st;

    *plan = (struct job_plan){ 0 };
    if (job_names_region(o->regions) && o->first_iteration == 0)
        return jpl_add_named(j, plan, err);
    if (o->levels)
        return jpl_add_levels(j, plan, err);
    st = jpl_add_level(j, plan, job_deepest(o) > 1 ? job_deepest(o) : job_default_level(j), err);
    return st == PRVCUT_OK && job_is_by_default(o) ? plan_add_groups(j, plan, err) : st;
}

enum prvcut_status job_plan_make(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure.is;
    enum prvcut_status st;

    *plan = (struct job_plan){ 0 };
    st = plan_cuts(j, plan, err);
    if (st == PRVCUT_OK)
        st = job_windows_choose(j, plan, err);
    if (st == PRVCUT_OK && !j->options->kinds && s->main < s->regions)
        st = job_kinds_tell(j, s->main, err);
    if (st == PRVCUT_OK && j->options->kinds)
        st = job_totals_tell(j, plan, err);
    return st != PRVCUT_OK ? st : job_plan_name(j, plan, err);
}
