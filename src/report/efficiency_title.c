#include "report/efficiency.h"

#include <inttypes.h>
#include <math.h>

static const char *eti_threads(const struct prvcut_efficiency *e)
{
    return report_efficiency_is_hybrid(e) ? "threads" : "ranks";
}

/* "gcc scales best: speedup 3.13 from 4 to 16 ranks", "gcc and icc scale alike: ..." */
static void eti_groups(struct report_lines *l, const struct prvcut_efficiency *e)
{
    const struct prvcut_efficiency_group *best = NULL;
    size_t count = 0, named = 0;

    for (size_t i = 0; i < e->groups; i++)
        count += prvcut_efficiency_group(e, i)->best;
    if (e->not_compared) {
        report_put(l, "which group scales best is open: %s\n", e->not_compared);
        return;
    }
    for (size_t i = 0; i < e->groups; i++) {
        const struct prvcut_efficiency_group *g = prvcut_efficiency_group(e, i);

        if (!g->best)
            continue;
        report_put(l, "%s", named == 0 ? "" : named + 1 < count ? ", " : " and ");
        report_put_foreign(l, g->name);
        named++;
        best = g;
    }
    if (best)
        report_put(l, "%s: speedup %.2f from %" PRIu32 " to %" PRIu32 " %s%s\n",
                   e->groups == 1       ? ""
                   : count == 1         ? " scales best"
                   : count == e->groups ? " scale alike"
                                        : " scale best",
                   best->speedup, e->from_threads, e->to_threads, eti_threads(e),
                   best->speedup < 1 ? ", which is slower" : "");
}

/* The factor that costs most, of those at the bottom of the hierarchy, or above parts that are not
   known. */
static const char *eti_worst(const struct prvcut_efficiency_run *r, double *value)
{
    static const struct {
        enum prvcut_pop factor;
        const char *text;
    } leaf[] = {
        { PRVCUT_POP_BALANCE, "load balance" },
        { PRVCUT_POP_SERIALIZATION, "serialization" },
        { PRVCUT_POP_TRANSFER, "transfer" },
        { PRVCUT_POP_COMMUNICATION, "communication" },
        { PRVCUT_POP_IPC_SCALABILITY, "IPC" },
        { PRVCUT_POP_INSTRUCTION_SCALABILITY, "instructions" },
        { PRVCUT_POP_FREQUENCY_SCALABILITY, "frequency" },
    };
    const char *worst = NULL;

    *value = 1;
    for (size_t i = 0; i < sizeof leaf / sizeof *leaf; i++) {
        const double x = prvcut_efficiency_factor(r, leaf[i].factor);
        const bool parted = leaf[i].factor == PRVCUT_POP_COMMUNICATION &&
                            !isnan(prvcut_efficiency_factor(r, PRVCUT_POP_SERIALIZATION));

        if (x < *value && !parted) {
            *value = x;
            worst = leaf[i].text;
        }
    }
    return worst;
}

/* What the first line calls the runs, behind the trace's name: ": 2 applications, each a run of its
   own: parallel efficiency 91.86 % (application 1), 99.30 % (application 2)" */
static void eti_title_programs(struct report_lines *l, const struct prvcut_efficiency *e)
{
    const char *part = e->by == PRVCUT_EFFICIENCY_BY_ITERATION ? "iteration" : "region";

    report_put(l, ": %zu applications, each a run of its own: ", e->groups);
    if (report_efficiency_of_parts(e))
        report_put(l, "%zu %s%s\n", prvcut_efficiency_group(e, 0)->runs, part,
                   prvcut_efficiency_group(e, 0)->runs == 1 ? "" : "s");
    for (size_t i = 0; i < e->groups && !report_efficiency_of_parts(e); i++) {
        const struct prvcut_efficiency_group *g = prvcut_efficiency_group(e, i);
        const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, g->first + g->runs - 1);
        const double parallel = prvcut_efficiency_factor(r, PRVCUT_POP_PARALLEL);

        report_put(l, "%s", i == 0 ? "parallel efficiency " : ", ");
        report_put(l, isnan(parallel) ? "-" : "%.2f %%", 100 * parallel);
        report_put(l, " (application %" PRIu32 ")", r->application);
    }
    report_put(l, report_efficiency_of_parts(e) ? "" : "\n");
}

/* "speedup 3.60 from 1 to 4 ranks"; false: it is of one run, or of one number of threads. */
static bool eti_title_speedup(struct report_lines *l, const struct prvcut_efficiency *e)
{
    const struct prvcut_efficiency_run *from = prvcut_efficiency_run(e, e->base),
                                       *to = prvcut_efficiency_run(e, e->runs - 1);
    const double speedup = prvcut_efficiency_factor(to, PRVCUT_POP_SPEEDUP);

    if (isnan(speedup) || to->threads <= from->threads)
        return false;
    report_put(l, "speedup %.2f from %" PRIu32 " to %" PRIu32 " %s%s", speedup, from->threads,
               to->threads, eti_threads(e), speedup < 1 ? ", which is slower" : "");
    return true;
}

/* "lu.S.4.prv: parallel efficiency 39.90 %; most is lost by transfer (53.56 %)"; where much of the
   time is in no state, nobody knows by what most is lost. */
static void eti_title_runs(struct report_lines *l, const struct prvcut_efficiency *e)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, e->runs - 1);
    const double parallel = prvcut_efficiency_factor(r, PRVCUT_POP_PARALLEL);
    const double unstated = made_efficiency_run_of(r)->unstated;
    double value;
    const char *worst = eti_worst(r, &value);

    if (!eti_title_speedup(l, e)) {
        report_put_foreign(l, r->name);
        if (isnan(parallel)) {
            report_put(l, ": efficiency is not told\n");
            return;
        }
        report_put(l, ": parallel efficiency %.2f %%%s", 100 * parallel,
                   unstated > 0 ? " at least" : "");
    }
    if (unstated > 0)
        report_put(l, "; %.0f %% of the time is in no recorded state", 100 * unstated);
    else if (worst)
        report_put(l, "; most is lost by %s (%.2f %%)", worst, 100 * value);
    report_put(l, "\n");
}

static void eti_title(struct report_lines *l, const struct prvcut_efficiency *e)
{
    if (!report_efficiency_of_programs(e) && !report_efficiency_of_parts(e)) {
        eti_title_runs(l, e);
        return;
    }
    report_put_foreign(l, prvcut_efficiency_run(e, e->runs - 1)->name);
    if (report_efficiency_of_programs(e))
        eti_title_programs(l, e);
    else
        report_put(l, ": %zu %s%s\n", e->runs,
                   e->by == PRVCUT_EFFICIENCY_BY_ITERATION ? "iteration" : "region",
                   e->runs == 1 ? "" : "s");
}

void report_efficiency_title(struct report_lines *l, const struct prvcut_efficiency *e)
{
    if (e->from_threads > 0 || e->not_compared)
        eti_groups(l, e);
    else if (e->runs > 0)
        eti_title(l, e);
}
