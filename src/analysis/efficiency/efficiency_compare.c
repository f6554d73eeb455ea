#include "analysis/efficiency/efficiency_runs.h"

#include "analysis/efficiency/hierarchy.h"
#include "base/buffer.h"
#include "base/memory.h"

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
    if (e->groups > 0 && (!name || !e->group[0].name))
        return prvcut_fail(err, PRVCUT_EUSAGE, "runs in groups and runs in none");
    if (name && !*name)
        return prvcut_fail(err, PRVCUT_EUSAGE, "the name of a group is empty");
    for (size_t i = 0; i < e->groups; i++)
        if (strcmp(e->group[i].name, name) == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE, "two groups are called '%.200s'", name);
    for (size_t i = 0; i < e->is.runs && e->groups > 0; i++)
        if (e->run[i].group == e->groups - 1)
            return PRVCUT_OK;
    if (e->groups > 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "group '%.200s' has no run",
                           e->group[e->groups - 1].name);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_efficiency_runs_group(struct made_efficiency *out, const char *name,
                                                struct prvcut_error *err)
{
    enum prvcut_status st = efc_check_name(out, name, err);
    struct made_efficiency_group *g;

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&out->group, &out->group_room, out->groups + 1,
                         sizeof *out->group, err);
    if (st != PRVCUT_OK)
        return st;
    g = &out->group[out->groups];
    *g = (struct made_efficiency_group){ .is = { .speedup = (double)NAN } };
    if (name) {
        g->is.name = g->name = prvcut_copied_text(name, "names", err);
        if (!g->name)
            return PRVCUT_ENOMEM;
        out->is.groups++;
    }
    out->groups++;
    return PRVCUT_OK;
}

/* By groups, then by their threads; those with as many in the order in which they were read. */
static void efc_sort(struct made_efficiency *e)
{
    for (size_t i = 1; i < e->is.runs; i++)
        for (size_t k = i; k > 0; k--) {
            const struct made_efficiency_run r = e->run[k], *before = &e->run[k - 1];

            if (r.group > before->group ||
                (r.group == before->group && r.is.threads >= before->is.threads))
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

static void efc_range(struct made_efficiency *e, size_t group)
{
    struct prvcut_efficiency_group *g = &e->group[group].is;

    g->first = group > 0 ? e->group[group - 1].is.first + e->group[group - 1].is.runs : 0;
    g->runs = 0;
    while (g->first + g->runs < e->is.runs && e->run[g->first + g->runs].group == group)
        g->runs++;
    g->base = efc_base(e, g);
}

/* In the order of sums, which are of all runs. */
static void efc_scale(struct made_efficiency *e, size_t group,
                      const struct prvcut_hierarchy_sums *s)
{
    struct prvcut_efficiency_group *g = &e->group[group].is;
    bool guessed = false;
    bool weak = e->options.scaling == PRVCUT_SCALING_WEAK;

    if (g->runs == 0)
        return;
    if (e->options.scaling == PRVCUT_SCALING_AUTO)
        weak = prvcut_hierarchy_is_weak(s + g->first, g->runs, g->base - g->first, &guessed);
    g->scaling = weak ? PRVCUT_SCALING_WEAK : PRVCUT_SCALING_STRONG;
    g->scaling_guessed = guessed;
    for (size_t i = g->first; i < g->first + g->runs; i++)
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

        if (r->threads == threads && r->runtime_ns > 0 &&
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
    if (e->is.groups == 0)
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
    struct prvcut_hierarchy_sums *s = prvcut_zeroed(e->is.runs + 1, sizeof *s, "runs", err);

    if (!s)
        return PRVCUT_ENOMEM;
    if (whole)
        efc_sort(e);
    for (size_t i = 0; i < e->is.runs; i++) {
        s[i] = efc_sums(&e->run[i]);
        prvcut_hierarchy_of(e->run[i].factor, &s[i], e->options.form);
    }
    for (size_t i = 0; i < e->groups; i++) {
        efc_range(e, i);
        if (whole)
            efc_scale(e, i, s);
    }
    efc_compare_groups(e);
    if (e->groups > 0) {
        e->is.base = e->group[0].is.base;
        e->is.scaling = e->group[0].is.scaling;
        e->is.scaling_guessed = e->group[0].is.scaling_guessed;
    }
    free(s);
    return PRVCUT_OK;
}
