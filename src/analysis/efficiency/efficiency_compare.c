#include "analysis/efficiency/efficiency_runs.h"

#include "analysis/efficiency/hierarchy.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/factors.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Speedups that are nearer to each other are alike: a report shows no more of them. */
#define ALIKE 0.005

static struct prvcut_hierarchy_sums efc_sums(const struct made_efficiency_run *r)
{
    const bool told = r->is.computing_ns != PRVCUT_EFFICIENCY_UNTOLD;

    return (struct prvcut_hierarchy_sums){
        .threads = r->is.threads,
        .total = told ? (double)r->is.computing_ns : (double)NAN,
        .most = told ? (double)r->is.most_ns : (double)NAN,
        .processes = r->is.tasks,
        .processed = told ? r->processed : (double)NAN,
        .runtime = r->is.runtime_ns,
        .ideal = r->replayed ? r->is.ideal_ns : (double)NAN,
        .ideal_most = told ? r->ideal_most : (double)NAN,
        .instructions = r->is.instructions,
        .cycles = r->is.cycles,
    };
}

/* --- Groups ----------------------------------------------------------------------------------- */

static enum prvcut_status efc_check_name(const struct made_efficiency *e, const char *name,
                                         struct prvcut_error *err)
{
    if (e->asked_groups > 0 && (!name || !e->asked_group[0]))
        return prvcut_fail(err, PRVCUT_EUSAGE, "runs in groups and runs in none");
    if (name && !*name)
        return prvcut_fail(err, PRVCUT_EUSAGE, "the name of a group is empty");
    for (size_t i = 0; i < e->asked_groups; i++)
        if (strcmp(e->asked_group[i], name) == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE, "two groups are called '%.200s'", name);
    for (size_t i = 0; i < e->is.runs && e->asked_groups > 0; i++)
        if (e->run[i].group == e->asked_groups - 1)
            return PRVCUT_OK;
    if (e->asked_groups > 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "group '%.200s' has no run",
                           e->asked_group[e->asked_groups - 1]);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_efficiency_runs_group(struct made_efficiency *out, const char *name,
                                                struct prvcut_error *err)
{
    enum prvcut_status st = efc_check_name(out, name, err);
    char *copy = NULL;

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&out->asked_group, &out->asked_room, out->asked_groups + 1,
                         sizeof *out->asked_group, err);
    if (st == PRVCUT_OK && name) {
        copy = prvcut_copied_text(name, "names", err);
        st = copy ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (st == PRVCUT_OK)
        out->asked_group[out->asked_groups++] = copy;
    return st;
}

/* Runs that are compared with each other come together: by groups, then by programs. */
static int efc_order(const struct made_efficiency_run *a, const struct made_efficiency_run *b)
{
    if (a->group != b->group)
        return a->group > b->group ? 1 : -1;
    return (a->is.application > b->is.application) - (a->is.application < b->is.application);
}

/* Then by their threads; those with as many in the order in which they were read. */
static void efc_sort(struct made_efficiency *e)
{
    for (size_t i = 1; i < e->is.runs; i++)
        for (size_t k = i; k > 0; k--) {
            const struct made_efficiency_run r = e->run[k], *before = &e->run[k - 1];
            const int order = efc_order(before, &r);

            if (order < 0 || (order == 0 && before->is.threads <= r.is.threads))
                break;
            e->run[k] = e->run[k - 1];
            e->run[k - 1] = r;
        }
}

/* The one that was named last, else the first in which anything is computed. */
static size_t efc_base(const struct made_efficiency *e, const struct prvcut_efficiency_group *g)
{
    size_t base = g->first + g->runs;

    for (size_t i = g->first + g->runs; i > g->first; i--) {
        const struct prvcut_efficiency_run *r = &e->run[i - 1].is;

        if (e->run[i - 1].base)
            return i - 1;
        if (r->computing_ns != PRVCUT_EFFICIENCY_UNTOLD && r->computing_ns > 0)
            base = i - 1;
    }
    return base < g->first + g->runs ? base : g->first;
}

static bool efc_is_named(const struct made_efficiency *e)
{
    return e->asked_groups > 0 && e->asked_group[0];
}

/* Does a group hold several programs? */
static bool efc_has_programs(const struct made_efficiency *e, size_t group)
{
    return (group > 0 && e->group[group - 1].asked == e->group[group].asked) ||
           (group + 1 < e->groups && e->group[group + 1].asked == e->group[group].asked);
}

/* "gcc", "application 2", "gcc, application 2" */
static enum prvcut_status efc_name(const struct made_efficiency *e, size_t group,
                                   struct prvcut_error *err)
{
    struct made_efficiency_group *g = &e->group[group];
    const char *asked = e->asked_group[g->asked];
    struct prvcut_buffer text = { 0 };
    enum prvcut_status st;

    if (!asked && !efc_has_programs(e, group))
        return PRVCUT_OK;
    if (efc_has_programs(e, group))
        st = prvcut_buffer_printf(&text, err, "%s%sapplication %" PRIu32, asked ? asked : "",
                                  asked ? ", " : "", g->application);
    else
        st = prvcut_buffer_printf(&text, err, "%s", asked);
    if (st == PRVCUT_OK)
        g->is.name = g->name = prvcut_copied_text(text.at, "names", err);
    prvcut_buffer_fini(&text);
    return g->name ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_efficiency_groups_drop(struct made_efficiency *e)
{
    for (size_t i = 0; i < e->groups; i++)
        free(e->group[i].name);
    e->groups = e->is.groups = 0;
}

/* Groups of runs that are next to each other. */
static enum prvcut_status efc_ranges(struct made_efficiency *e, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    prvcut_efficiency_groups_drop(e);
    for (size_t i = 0; i < e->is.runs && st == PRVCUT_OK; i++) {
        struct made_efficiency_group *last = e->groups > 0 ? &e->group[e->groups - 1] : NULL;

        if (last && efc_order(&e->run[i - 1], &e->run[i]) == 0) {
            last->is.runs++;
            continue;
        }
        st = prvcut_grow((void **)&e->group, &e->group_room, e->groups + 1, sizeof *e->group, err);
        if (st == PRVCUT_OK)
            e->group[e->groups++] =
                (struct made_efficiency_group){ .is = { .first = i, .runs = 1, .speedup = NAN },
                                                .asked = e->run[i].group,
                                                .application = e->run[i].is.application };
    }
    for (size_t i = 0; i < e->groups && st == PRVCUT_OK; i++) {
        e->group[i].is.base = efc_base(e, &e->group[i].is);
        st = efc_name(e, i, err);
    }
    if (efc_is_named(e) || e->groups > 1)
        e->is.groups = e->groups;
    return st;
}

/* Which runs are not of their base's program? */
static enum prvcut_status efc_tell_apart(struct made_efficiency *e,
                                         const struct prvcut_efficiency_group *g,
                                         struct prvcut_error *err)
{
    const struct made_efficiency_run *base = &e->run[g->base];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = g->first; i < g->first + g->runs && st == PRVCUT_OK; i++) {
        struct made_efficiency_run *r = &e->run[i];

        free(r->other);
        r->other = NULL;
        if (r != base && r->program && base->program)
            st = prvcut_program_other(r->program, base->program, base->name, &r->other, err);
    }
    return st;
}

/* Whoever says how the work scales knows that it is the same. */
static const char *efc_unlike(const struct made_efficiency *e, size_t run,
                              const struct prvcut_hierarchy_sums *s, size_t base)
{
    if (run == base)
        return NULL;
    if (e->run[run].other && e->options.scaling == PRVCUT_SCALING_AUTO)
        return e->run[run].other;
    return prvcut_hierarchy_unlike(&s[run], &s[base]);
}

/* By the runs that are of one program with the base. */
static bool efc_is_weak(struct made_efficiency *e, const struct prvcut_efficiency_group *g,
                        const struct prvcut_hierarchy_sums *s, struct prvcut_hierarchy_sums *like,
                        bool *guessed)
{
    size_t count = 0, base = 0;

    for (size_t i = g->first; i < g->first + g->runs; i++) {
        e->run[i].unlike = efc_unlike(e, i, s, g->base);
        base = i == g->base ? count : base;
        if (!e->run[i].unlike)
            like[count++] = s[i];
    }
    return prvcut_hierarchy_is_weak(like, count, base, guessed);
}

/* --- Runs that go round more or less often ---------------------------------------------------- */

/* Instructions, else computing, of a run over those of another. */
static double efc_work(const struct prvcut_hierarchy_sums *s,
                       const struct prvcut_hierarchy_sums *base)
{
    return s->instructions > 0 && base->instructions > 0 ? s->instructions / base->instructions
                                                         : s->total / base->total;
}

/* Where iterations have the same work, or that of a thread is the same, what they take is told. */
static enum prvcut_status efc_tell_loops(struct made_efficiency *e, size_t run, size_t base,
                                         const struct prvcut_hierarchy_sums *s,
                                         struct prvcut_error *err)
{
    struct made_efficiency_run *r = &e->run[run];
    const double mine = (double)r->is.loop_iterations,
                 its = (double)e->run[base].is.loop_iterations;
    const double threads = s[run].threads / s[base].threads,
                 work = efc_work(&s[run], &s[base]) * its / mine;
    const bool strong = prvcut_factors_is_same(work, threads, false);
    struct prvcut_buffer text = { 0 };
    enum prvcut_status st;

    free(r->loops);
    r->loops = NULL;
    if (r->unlike || !r->program || !e->run[base].program ||
        prvcut_program_loops(r->program, e->run[base].program) != PRVCUT_LOOPS_OTHERWISE ||
        !prvcut_factors_is_same(work, threads, true))
        return PRVCUT_OK;
    st =
        prvcut_buffer_printf(&text, err,
                             "its loop goes round %.0f times, that of %s %.0f times: the speedup "
                             "by iteration is %.2f (%s scaling)",
                             mine, e->run[base].name, its,
                             (strong ? 1 : threads) * s[base].runtime / s[run].runtime * mine / its,
                             strong ? "strong" : "weak");
    if (st == PRVCUT_OK)
        r->loops = prvcut_copied_text(text.at, "notes", err);
    prvcut_buffer_fini(&text);
    return r->loops ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status efc_loops(struct made_efficiency *e,
                                    const struct prvcut_efficiency_group *g,
                                    const struct prvcut_hierarchy_sums *s, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = g->first; i < g->first + g->runs && st == PRVCUT_OK; i++) {
        e->is.uneven |= i != g->base && !e->run[i].unlike &&
                        !prvcut_factors_is_same(efc_work(&s[i], &s[g->base]), 1, false);
        st = efc_tell_loops(e, i, g->base, s, err);
    }
    return st;
}

/* s: of all runs, in their order; like: as much room. */
static void efc_scale(struct made_efficiency *e, size_t group,
                      const struct prvcut_hierarchy_sums *s, struct prvcut_hierarchy_sums *like)
{
    struct prvcut_efficiency_group *g = &e->group[group].is;
    bool guessed = false;
    bool weak = g->runs > 0 && efc_is_weak(e, g, s, like, &guessed);

    if (e->options.scaling != PRVCUT_SCALING_AUTO) {
        weak = e->options.scaling == PRVCUT_SCALING_WEAK;
        guessed = false;
    }
    g->scaling = weak ? PRVCUT_SCALING_WEAK : PRVCUT_SCALING_STRONG;
    g->scaling_guessed = guessed;
    for (size_t i = g->first; i < g->first + g->runs; i++)
        if (!e->run[i].unlike)
            prvcut_hierarchy_compare(e->run[i].factor, &s[i], &s[g->base], weak);
}

/* --- Which group scales best ------------------------------------------------------------------ */

/* The fastest run of a group with so many threads; NULL: it has none. */
static const struct prvcut_efficiency_run *efc_fastest(const struct made_efficiency *e,
                                                       const struct prvcut_efficiency_group *g,
                                                       uint32_t threads)
{
    const struct prvcut_efficiency_run *found = NULL;

    for (size_t i = g->first; i < g->first + g->runs; i++) {
        const struct prvcut_efficiency_run *r = &e->run[i].is;

        if (r->threads == threads && r->runtime_ns > 0 && !e->run[i].unlike &&
            (!found || r->runtime_ns < found->runtime_ns))
            found = r;
    }
    return found;
}

static bool efc_all_have(const struct made_efficiency *e, uint32_t threads)
{
    for (size_t i = 0; i < e->groups; i++)
        if (!efc_fastest(e, &e->group[i].is, threads))
            return false;
    return true;
}

static void efc_find_range(struct made_efficiency *e)
{
    const struct prvcut_efficiency_group *g = &e->group[0].is;

    for (size_t i = g->first; i < g->first + g->runs; i++) {
        const uint32_t threads = e->run[i].is.threads;

        if (!efc_all_have(e, threads))
            continue;
        if (e->is.from_threads == 0)
            e->is.from_threads = threads;
        e->is.to_threads = threads;
    }
}

static const char *efc_not_compared(const struct made_efficiency *e)
{
    for (size_t i = 0; i < e->groups; i++)
        if (efc_has_programs(e, i))
            return "traces hold several applications, which are not compared with each other";
    if (e->is.from_threads == e->is.to_threads)
        return "they share fewer than two numbers of threads";
    for (size_t i = 1; i < e->groups; i++)
        if (e->group[i].is.scaling != e->group[0].is.scaling)
            return "the work of some grows with the threads, that of others does not";
    return NULL;
}

static void efc_speedup(const struct made_efficiency *e, struct prvcut_efficiency_group *g)
{
    const struct prvcut_efficiency_run *from = efc_fastest(e, g, e->is.from_threads),
                                       *to = efc_fastest(e, g, e->is.to_threads);
    const double grows = g->scaling == PRVCUT_SCALING_WEAK
                             ? (double)e->is.to_threads / (double)e->is.from_threads
                             : 1;

    g->speedup = grows * from->runtime_ns / to->runtime_ns;
}

/* Over the threads that all groups have: a group with more of them has more to lose. */
static void efc_compare_groups(struct made_efficiency *e)
{
    double most = 0;

    e->is.from_threads = e->is.to_threads = 0;
    e->is.not_compared = NULL;
    for (size_t i = 0; i < e->groups; i++) {
        e->group[i].is.speedup = (double)NAN;
        e->group[i].is.best = false;
    }
    if (!efc_is_named(e) || e->groups == 0)
        return;
    efc_find_range(e);
    e->is.not_compared = e->groups > 1 ? efc_not_compared(e) : NULL;
    if (e->is.not_compared || e->is.from_threads == e->is.to_threads) {
        e->is.from_threads = e->is.to_threads = 0;
        return;
    }
    for (size_t i = 0; i < e->groups; i++) {
        efc_speedup(e, &e->group[i].is);
        most = fmax(most, e->group[i].is.speedup);
    }
    for (size_t i = 0; i < e->groups; i++)
        e->group[i].is.best = e->group[i].is.speedup > most - ALIKE;
}

void prvcut_efficiency_runs_alone(struct made_efficiency *e)
{
    e->alone = true;
    for (size_t i = 0; i < e->is.runs; i++) {
        const struct prvcut_hierarchy_sums s = efc_sums(&e->run[i]);

        prvcut_hierarchy_of(e->run[i].factor, &s, e->options.form);
    }
}

enum prvcut_status prvcut_efficiency_runs_compare(struct made_efficiency *e,
                                                  struct prvcut_error *err)
{
    const bool whole = e->is.by == PRVCUT_EFFICIENCY_BY_RUN;
    struct prvcut_hierarchy_sums *s = prvcut_zeroed(2 * e->is.runs + 1, sizeof *s, "runs", err);
    enum prvcut_status st;

    if (!s)
        return PRVCUT_ENOMEM;
    if (whole)
        efc_sort(e);
    for (size_t i = 0; i < e->is.runs; i++) {
        s[i] = efc_sums(&e->run[i]);
        prvcut_hierarchy_of(e->run[i].factor, &s[i], e->options.form);
    }
    st = efc_ranges(e, err);
    for (size_t i = 0; i < e->groups && whole && st == PRVCUT_OK; i++)
        st = efc_tell_apart(e, &e->group[i].is, err);
    for (size_t i = 0; i < e->groups && whole; i++)
        efc_scale(e, i, s, s + e->is.runs);
    e->is.uneven = false;
    for (size_t i = 0; i < e->groups && whole && st == PRVCUT_OK; i++)
        st = efc_loops(e, &e->group[i].is, s, err);
    efc_compare_groups(e);
    if (e->groups > 0) {
        e->is.base = e->group[0].is.base;
        e->is.scaling = e->group[0].is.scaling;
        e->is.scaling_guessed = e->group[0].is.scaling_guessed;
    }
    free(s);
    return st;
}
