#include "report/efficiency.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Runs side by side. */
#define RUNS_ABREAST (REPORT_COLUMNS - 1)

/* --- Cells ------------------------------------------------------------------------------------ */

static void etx_percent(char cell[REPORT_CELL], double x)
{
    if (isnan(x))
        report_set(cell, "-");
    else
        snprintf(cell, REPORT_CELL, "%.2f %%", 100 * x);
}

static void etx_plain(char cell[REPORT_CELL], double x)
{
    if (isnan(x))
        report_set(cell, "-");
    else
        snprintf(cell, REPORT_CELL, "%.2f", x);
}

static void etx_time(char cell[REPORT_CELL], double ns)
{
    char text[32];

    report_set(cell, isnan(ns) ? "-" : prvcut_time_text(text, ns));
}

/* --- Factors ---------------------------------------------------------------------------------- */

/* The hierarchy; what is below something is behind as many blanks. */
static const struct {
    const char *label;
    enum prvcut_pop factor;
    void (*put)(char cell[REPORT_CELL], double x);
    bool compared; /* with another run */
    bool hybrid;   /* of several threads a task */
} etx_row[] = {
    { "Global efficiency", PRVCUT_POP_GLOBAL, etx_percent, true, false },
    { "  Parallel efficiency", PRVCUT_POP_PARALLEL, etx_percent, false, false },
    { "    Load balance", PRVCUT_POP_BALANCE, etx_percent, false, false },
    { "    Communication efficiency", PRVCUT_POP_COMMUNICATION, etx_percent, false, false },
    { "      Serialization", PRVCUT_POP_SERIALIZATION, etx_percent, false, false },
    { "      Transfer", PRVCUT_POP_TRANSFER, etx_percent, false, false },
    { "    Process level", PRVCUT_POP_PROCESS_PARALLEL, etx_percent, false, true },
    { "      Load balance of processes", PRVCUT_POP_PROCESS_BALANCE, etx_percent, false, true },
    { "    Thread level", PRVCUT_POP_THREAD_PARALLEL, etx_percent, false, true },
    { "  Computation scalability", PRVCUT_POP_COMPUTATION_SCALABILITY, etx_percent, true, false },
    { "    IPC scalability", PRVCUT_POP_IPC_SCALABILITY, etx_percent, true, false },
    { "    Instruction scalability", PRVCUT_POP_INSTRUCTION_SCALABILITY, etx_percent, true, false },
    { "    Frequency scalability", PRVCUT_POP_FREQUENCY_SCALABILITY, etx_percent, true, false },
    { "Speedup", PRVCUT_POP_SPEEDUP, etx_plain, true, false },
    { "IPC", PRVCUT_POP_IPC, etx_plain, false, false },
    { "Frequency (GHz)", PRVCUT_POP_FREQUENCY, etx_plain, false, false },
};

static double etx_runtime(const struct prvcut_efficiency_run *r)
{
    return r->runtime_ns;
}

static double etx_ideal(const struct prvcut_efficiency_run *r)
{
    return r->ideal_ns;
}

static double etx_mean(const struct prvcut_efficiency_run *r)
{
    return report_efficiency_number(r->computing_ns) / r->threads;
}

static double etx_most(const struct prvcut_efficiency_run *r)
{
    return report_efficiency_number(r->most_ns);
}

static const struct {
    const char *label;
    double (*of)(const struct prvcut_efficiency_run *r);
} etx_raw[] = {
    { "Runtime", etx_runtime },
    { "  on an ideal network", etx_ideal },
    { "Computing, mean of threads", etx_mean },
    { "  most of a thread", etx_most },
};

static bool etx_is_hybrid(const struct prvcut_efficiency *e)
{
    for (size_t i = 0; i < e->runs; i++)
        if (prvcut_efficiency_run(e, i)->threads > prvcut_efficiency_run(e, i)->tasks)
            return true;
    return false;
}

/* Cut to the table's columns, blanks in front stay. */
static void etx_heads(struct report_table *t, const struct prvcut_efficiency *e, size_t first,
                      size_t end)
{
    char(*cell)[REPORT_CELL] = report_row(t);

    report_set(cell[0], etx_is_hybrid(e) ? "Threads" : "Ranks");
    for (size_t i = first; i < end; i++)
        snprintf(cell[1 + i - first], REPORT_CELL, "%" PRIu32,
                 prvcut_efficiency_run(e, i)->threads);
}

static void etx_block(struct report_lines *l, const struct prvcut_efficiency *e, size_t first,
                      size_t end)
{
    struct report_table t = { .align = "lrrrrrrrr" };
    char(*cell)[REPORT_CELL];

    etx_heads(&t, e, first, end);
    for (size_t i = 0; i < sizeof etx_row / sizeof *etx_row; i++) {
        if (etx_row[i].hybrid && !etx_is_hybrid(e))
            continue;
        cell = report_row(&t);
        report_set(cell[0], etx_row[i].label);
        for (size_t k = first; k < end; k++)
            etx_row[i].put(
                cell[1 + k - first],
                prvcut_efficiency_factor(prvcut_efficiency_run(e, k), etx_row[i].factor));
    }
    for (size_t i = 0; i < sizeof etx_raw / sizeof *etx_raw; i++) {
        cell = report_row(&t);
        report_set(cell[0], etx_raw[i].label);
        for (size_t k = first; k < end; k++)
            etx_time(cell[1 + k - first], etx_raw[i].of(prvcut_efficiency_run(e, k)));
    }
    report_put_table(l, &t);
}

static void etx_blocks(struct report_lines *l, const struct prvcut_efficiency *e, size_t first,
                       size_t end)
{
    for (size_t i = first; i < end; i += RUNS_ABREAST)
        etx_block(l, e, i, end - i < RUNS_ABREAST ? end : i + RUNS_ABREAST);
}

/* --- Groups ----------------------------------------------------------------------------------- */

static void etx_put_group(struct report_lines *l, const struct prvcut_efficiency_group *g)
{
    report_put_foreign(l, g->name);
    report_put(l, ": ");
}

static const char *etx_threads(const struct prvcut_efficiency *e)
{
    return etx_is_hybrid(e) ? "threads" : "ranks";
}

/* "gcc scales best: speedup 3.13 from 4 to 16 ranks", "gcc and icc scale alike: ..." */
static void etx_groups_title(struct report_lines *l, const struct prvcut_efficiency *e)
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
                   best->speedup, e->from_threads, e->to_threads, etx_threads(e),
                   best->speedup < 1 ? ", which is slower" : "");
}

static void etx_group_row(char (*cell)[REPORT_CELL], const struct prvcut_efficiency *e,
                          const struct prvcut_efficiency_group *g)
{
    static const enum prvcut_pop factor[] = { PRVCUT_POP_GLOBAL, PRVCUT_POP_PARALLEL,
                                              PRVCUT_POP_BALANCE, PRVCUT_POP_COMMUNICATION,
                                              PRVCUT_POP_COMPUTATION_SCALABILITY };
    const struct prvcut_efficiency_run *from = prvcut_efficiency_run(e, g->base),
                                       *to = prvcut_efficiency_run(e, g->first + g->runs - 1);

    if (report_efficiency_of_programs(e))
        snprintf(cell[0], REPORT_CELL, "%" PRIu32, from->application);
    else
        report_set(cell[0], g->name);
    if (from->threads != to->threads)
        snprintf(cell[1], REPORT_CELL, "%" PRIu32 "-%" PRIu32, from->threads, to->threads);
    else
        snprintf(cell[1], REPORT_CELL, "%" PRIu32, to->threads);
    etx_plain(cell[2], prvcut_efficiency_factor(to, PRVCUT_POP_SPEEDUP));
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        etx_percent(cell[3 + i], prvcut_efficiency_factor(to, factor[i]));
}

/* A line each: from its base to its largest run. */
static void etx_groups(struct report_lines *l, const struct prvcut_efficiency *e)
{
    static const char *const head[] = { "Group",    "",        "Speedup", "Global",
                                        "Parallel", "Balance", "Comm.",   "Comput." };
    struct report_table t = { .align = "lrrrrrrr" };

    for (size_t i = 0; i < e->groups;) {
        char(*cell)[REPORT_CELL];

        t.rows = 0;
        cell = report_row(&t);
        for (unsigned k = 0; k < sizeof head / sizeof *head; k++)
            report_set(cell[k], head[k]);
        if (report_efficiency_of_programs(e))
            report_set(cell[0], "Application");
        report_set(cell[1], etx_is_hybrid(e) ? "Threads" : "Ranks");
        for (; i < e->groups && t.rows < REPORT_ROWS; i++)
            etx_group_row(report_row(&t), e, prvcut_efficiency_group(e, i));
        report_put_table(l, &t);
    }
}

/* --- Parts of one run ------------------------------------------------------------------------- */

static void etx_part(char (*cell)[REPORT_CELL], const struct prvcut_efficiency *e,
                     const struct prvcut_efficiency_run *r)
{
    static const enum prvcut_pop factor[] = { PRVCUT_POP_PARALLEL, PRVCUT_POP_BALANCE,
                                              PRVCUT_POP_COMMUNICATION, PRVCUT_POP_SERIALIZATION,
                                              PRVCUT_POP_TRANSFER };

    if (e->by == PRVCUT_EFFICIENCY_BY_ITERATION)
        snprintf(cell[0], REPORT_CELL, "%" PRIu64 "%s", r->iteration, r->disturbed ? "*" : "");
    else
        snprintf(cell[0], REPORT_CELL, "%s%s", r->region ? r->region : "-",
                 r->disturbed ? "*" : "");
    etx_time(cell[1], r->runtime_ns);
    etx_time(cell[2], r->ideal_ns);
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        etx_percent(cell[3 + i], prvcut_efficiency_factor(r, factor[i]));
}

static void etx_parts(struct report_lines *l, const struct prvcut_efficiency *e, size_t first,
                      size_t end)
{
    static const char *const head[] = { "",        "Length", "Ideal",   "Parallel",
                                        "Balance", "Comm.",  "Serial.", "Transfer" };
    bool disturbed = false;

    for (size_t i = first; i < end;) {
        struct report_table t = { .align = e->by == PRVCUT_EFFICIENCY_BY_ITERATION ? "rrrrrrrr"
                                                                                   : "lrrrrrrr" };
        char(*cell)[REPORT_CELL] = report_row(&t);

        for (unsigned k = 0; k < sizeof head / sizeof *head; k++)
            report_set(cell[k], head[k]);
        report_set(cell[0], e->by == PRVCUT_EFFICIENCY_BY_ITERATION ? "Iteration" : "Region");
        for (; i < end && t.rows < REPORT_ROWS; i++) {
            etx_part(report_row(&t), e, prvcut_efficiency_run(e, i));
            disturbed |= prvcut_efficiency_run(e, i)->disturbed;
        }
        report_put_table(l, &t);
    }
    if (disturbed)
        report_put(l, "* disturbed\n");
}

/* --- Threads ---------------------------------------------------------------------------------- */

static void etx_rank(char (*cell)[REPORT_CELL], const struct prvcut_efficiency_rank *k)
{
    snprintf(cell[0], REPORT_CELL, "%" PRIu32, k->rank);
    report_set(cell[1], k->name);
    etx_time(cell[2], report_efficiency_number(k->computing_ns));
    etx_time(cell[3], (double)k->calls_ns);
    etx_time(cell[4], report_efficiency_number(k->rest_ns));
    etx_percent(cell[5], k->of_most);
    etx_time(cell[6], k->waits_ns);
    etx_time(cell[7], k->ideal_waits_ns);
    etx_plain(cell[8], k->cycles > 0 ? k->instructions / k->cycles : (double)NAN);
}

static void etx_ranks(struct report_lines *l, const struct prvcut_efficiency *e, size_t run)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, run);
    const struct prvcut_efficiency_group *group = report_efficiency_group(e, run);
    static const char *const head[] = { "Rank",    "Thread", "Computing",     "In calls", "Rest",
                                        "Of most", "Waits",  "Ideally waits", "IPC" };

    if (e->runs > 1) {
        if (group)
            etx_put_group(l, group);
        report_put_foreign(l, r->name);
        report_put(l, "\n");
    }
    for (size_t i = 0; i < r->ranks;) {
        struct report_table t = { .align = "rlrrrrrrr" };
        char(*cell)[REPORT_CELL] = report_row(&t);

        for (unsigned k = 0; k < sizeof head / sizeof *head; k++)
            report_set(cell[k], head[k]);
        for (; i < r->ranks && t.rows < REPORT_ROWS; i++)
            etx_rank(report_row(&t), prvcut_efficiency_rank(r, i));
        report_put_table(l, &t);
    }
}

/* --- Words ------------------------------------------------------------------------------------ */

/* The factor that costs most, of those at the bottom of the hierarchy, or above parts that are not
   known. */
static const char *etx_worst(const struct prvcut_efficiency_run *r, double *value)
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
static void etx_title_programs(struct report_lines *l, const struct prvcut_efficiency *e)
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

/* "lu.S.4.prv: parallel efficiency 39.90 %, most is lost by transfer (53.56 %)" */
static void etx_title(struct report_lines *l, const struct prvcut_efficiency *e)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, e->runs - 1);
    const double parallel = prvcut_efficiency_factor(r, PRVCUT_POP_PARALLEL);
    double value;
    const char *worst = etx_worst(r, &value);
    const bool parts = report_efficiency_of_parts(e);

    report_put_foreign(l, r->name);
    if (report_efficiency_of_programs(e))
        etx_title_programs(l, e);
    else if (parts)
        report_put(l, ": %zu %s%s\n", e->runs,
                   e->by == PRVCUT_EFFICIENCY_BY_ITERATION ? "iteration" : "region",
                   e->runs == 1 ? "" : "s");
    else if (isnan(parallel))
        report_put(l, ": efficiency is not told\n");
    else if (worst)
        report_put(l, ": parallel efficiency %.2f %%; most is lost by %s (%.2f %%)\n",
                   100 * parallel, worst, 100 * value);
    else
        report_put(l, ": parallel efficiency %.2f %%\n", 100 * parallel);
}

static void etx_scaling(struct report_lines *l, enum prvcut_scaling scaling, bool guessed,
                        const struct prvcut_efficiency_run *base)
{
    report_put(l, "%s scaling%s, compared with ", report_efficiency_scaling(scaling),
               guessed ? " (no counters tell: --scaling weak if it is)" : "");
    report_put_foreign(l, base->name);
    report_put(l, "\n");
}

static void etx_base(struct report_lines *l, const struct prvcut_efficiency *e)
{
    if (e->runs < 2 || report_efficiency_of_parts(e))
        return;
    if (e->groups == 0)
        etx_scaling(l, e->scaling, e->scaling_guessed, prvcut_efficiency_run(e, e->base));
    for (size_t i = 0; i < e->groups; i++) {
        const struct prvcut_efficiency_group *g = prvcut_efficiency_group(e, i);

        if (g->runs < 2)
            continue;
        etx_put_group(l, g);
        etx_scaling(l, g->scaling, g->scaling_guessed, prvcut_efficiency_run(e, g->base));
    }
}

/* What a reason is of, in the table's words, once for all that it takes away; NULL: told by that.
 */
static const char *etx_rows(const char *what)
{
    static const struct {
        const char *what, *rows;
    } told[] = {
        { "ipc", "IPC, frequency" },
        { "serialization", "serialization, transfer" },
        { "computing_ns", "all factors" },
    };

    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (strcmp(told[i].what, what) == 0)
            return told[i].rows;
    return NULL;
}

/* Of which run, where there are several. */
static void etx_note(struct report_lines *l, const struct prvcut_efficiency *e, size_t run,
                     const char *rows, const char *text)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, run);
    const struct prvcut_efficiency_group *group = report_efficiency_group(e, run);

    report_put(l, "note: ");
    if (group || (e->runs > 1 && !report_efficiency_of_parts(e))) {
        if (group)
            etx_put_group(l, group);
        report_put_foreign(l, r->name);
        report_put(l, ": ");
    }
    report_put(l, rows ? "%s: " : "%s", rows ? rows : "");
    report_put(l, "%s\n", text);
}

static void etx_reasons(struct report_lines *l, const struct prvcut_efficiency *e, size_t run)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, run);
    bool all = false;

    for (size_t k = 0; k < r->reasons; k++)
        all |= strcmp(prvcut_efficiency_reason(r, k)->what, "computing_ns") == 0;
    for (size_t k = 0; k < r->reasons; k++) {
        const struct prvcut_efficiency_reason *why = prvcut_efficiency_reason(r, k);
        const char *rows = etx_rows(why->what);

        if (rows && !(all && strcmp(why->what, "serialization") == 0))
            etx_note(l, e, run, rows, why->text);
    }
}

static void etx_foot(struct report_lines *l, const struct prvcut_efficiency *e)
{

    if (!e->no_loop)
        report_put_counted_from(l, made_efficiency_of(e)->counted_from);
    for (size_t i = 0; i < e->runs; i++) {
        if (!report_efficiency_above(e, i))
            continue;
        etx_note(l, e, i, NULL, report_efficiency_above(e, i));
        break;
    }
    for (size_t i = 0; i < e->runs; i++) {
        const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, i);

        /* What parts tell is of the whole trace, or of an application. */
        if (i > 0 && report_efficiency_of_parts(e) &&
            r->application == prvcut_efficiency_run(e, i - 1)->application)
            continue;
        etx_reasons(l, e, i);
        if (!report_efficiency_of_parts(e) && e->runs > 1 &&
            !isnan(prvcut_efficiency_factor(r, PRVCUT_POP_IPC)) &&
            isnan(prvcut_efficiency_factor(r, PRVCUT_POP_IPC_SCALABILITY)) &&
            !made_efficiency_run_of(r)->unlike)
            etx_note(l, e, i, "scalability of IPC, instructions, frequency",
                     "the run that it is compared with has no hardware counters");
        if (report_efficiency_unlike(e, i))
            etx_note(l, e, i, NULL, report_efficiency_unlike(e, i));
        if (made_efficiency_run_of(r)->loops)
            etx_note(l, e, i, NULL, made_efficiency_run_of(r)->loops);
        for (size_t k = 0; k < r->notes; k++)
            etx_note(l, e, i, NULL, prvcut_efficiency_note(r, k));
    }
    if (e->no_loop)
        report_put(l, "no loop was found: %s\n", e->no_loop);
}

static void etx_put_runs(struct report_lines *l, const struct prvcut_efficiency *e, size_t first,
                         size_t end)
{
    if (report_efficiency_of_parts(e))
        etx_parts(l, e, first, end);
    else
        etx_blocks(l, e, first, end);
}

enum prvcut_status prvcut_efficiency_text(const struct prvcut_efficiency *e, bool ranks,
                                          char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    if (e->from_threads > 0 || e->not_compared)
        etx_groups_title(&l, e);
    else if (e->runs > 0)
        etx_title(&l, e);
    if (e->groups == 0)
        etx_put_runs(&l, e, 0, e->runs);
    if (e->groups > 1 && !report_efficiency_of_parts(e))
        etx_groups(&l, e);
    for (size_t i = 0; i < e->groups; i++) {
        const struct prvcut_efficiency_group *g = prvcut_efficiency_group(e, i);

        report_put(&l, "\n");
        report_put_foreign(&l, g->name);
        report_put(&l, "\n");
        etx_put_runs(&l, e, g->first, g->first + g->runs);
    }
    for (size_t i = 0; ranks && i < e->runs; i++)
        etx_ranks(&l, e, i);
    etx_base(&l, e);
    etx_foot(&l, e);
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
