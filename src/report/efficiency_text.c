#include "report/efficiency.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs side by side on a line of 80 columns; with the rows of hybrid runs, whose labels are longer.
 */
#define RUNS_ABREAST   5
#define HYBRID_ABREAST 4

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

/* Cut to the table's columns, blanks in front stay. */
static void etx_heads(struct report_table *t, const struct prvcut_efficiency *e, size_t first,
                      size_t end)
{
    char(*cell)[REPORT_CELL] = report_row(t);

    report_set(cell[0], report_efficiency_is_hybrid(e) ? "Threads" : "Ranks");
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
        if (etx_row[i].hybrid && !report_efficiency_is_hybrid(e))
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
    report_put_table_within(l, &t);
}

static void etx_blocks(struct report_lines *l, const struct prvcut_efficiency *e, size_t first,
                       size_t end)
{
    const size_t abreast = report_efficiency_is_hybrid(e) ? HYBRID_ABREAST : RUNS_ABREAST;

    for (size_t i = first; i < end; i += abreast) {
        report_put(l, i > first ? "\n" : "");
        etx_block(l, e, i, end - i < abreast ? end : i + abreast);
    }
}

/* --- Groups ----------------------------------------------------------------------------------- */

static void etx_put_group(struct report_lines *l, const struct prvcut_efficiency_group *g)
{
    report_put_foreign(l, g->name);
    report_put(l, ": ");
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
        report_set(cell[1], report_efficiency_is_hybrid(e) ? "Threads" : "Ranks");
        for (; i < e->groups && t.rows < REPORT_ROWS; i++)
            etx_group_row(report_row(&t), e, prvcut_efficiency_group(e, i));
        report_put_table_within(l, &t);
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
        /* Each rank has its own borders; other lengths of an iteration are those of one rank. */
        if (e->by == PRVCUT_EFFICIENCY_BY_ITERATION)
            report_set(cell[1], "Mean len.");
        for (; i < end && t.rows < REPORT_ROWS; i++) {
            etx_part(report_row(&t), e, prvcut_efficiency_run(e, i));
            disturbed |= prvcut_efficiency_run(e, i)->disturbed;
        }
        report_put_table_within(l, &t);
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
        report_put_table_within(l, &t);
    }
}

/* --- Words ------------------------------------------------------------------------------------ */

static void etx_scaling(struct report_lines *l, enum prvcut_scaling scaling, bool guessed,
                        const struct prvcut_efficiency_run *base)
{
    report_put(l, "%s scaling%s, compared with ", report_efficiency_scaling(scaling),
               guessed ? " (no counters tell: --scaling weak if it is)" : "");
    report_put_foreign(l, base->name);
    report_put(l, "\n");
}

/* Runs on as many threads can be told apart by their order only. */
static bool etx_are_alike(const struct prvcut_efficiency *e, size_t first, size_t end)
{
    for (size_t i = first + 1; i < end; i++)
        if (prvcut_efficiency_run(e, i - 1)->threads == prvcut_efficiency_run(e, i)->threads)
            return true;
    return false;
}

static void etx_order(struct report_lines *l, const struct prvcut_efficiency *e, size_t first,
                      size_t end)
{
    if (!etx_are_alike(e, first, end))
        return;
    report_put(l, "columns in their order: ");
    for (size_t i = first; i < end; i++) {
        report_put(l, i > first ? ", " : "");
        report_put_foreign(l, prvcut_efficiency_run(e, i)->name);
    }
    report_put(l, "\n");
}

static void etx_base(struct report_lines *l, const struct prvcut_efficiency *e)
{
    if (e->runs < 2 || report_efficiency_of_parts(e))
        return;
    if (e->groups == 0) {
        etx_order(l, e, 0, e->runs);
        etx_scaling(l, e->scaling, e->scaling_guessed, prvcut_efficiency_run(e, e->base));
    }
    for (size_t i = 0; i < e->groups; i++) {
        const struct prvcut_efficiency_group *g = prvcut_efficiency_group(e, i);

        if (g->runs < 2)
            continue;
        if (etx_are_alike(e, g->first, g->first + g->runs))
            etx_put_group(l, g);
        etx_order(l, e, g->first, g->first + g->runs);
        etx_put_group(l, g);
        etx_scaling(l, g->scaling, g->scaling_guessed, prvcut_efficiency_run(e, g->base));
    }
}

/* Why it is not known; NULL: it is. */
static const char *etx_why(const struct prvcut_efficiency_run *r, const char *what)
{
    for (size_t i = 0; i < r->reasons; i++)
        if (strcmp(prvcut_efficiency_reason(r, i)->what, what) == 0)
            return prvcut_efficiency_reason(r, i)->text;
    return NULL;
}

/* What a reason is of, in the table's words, once for all that it takes away; NULL: told by that.
   Both counters are of IPC, that of cycles alone of the frequency. */
static const char *etx_rows(const struct prvcut_efficiency_run *r, const char *what)
{
    const char *ipc = etx_why(r, "ipc"), *frequency = etx_why(r, "frequency_ghz");
    const bool both = ipc && frequency && strcmp(ipc, frequency) == 0;

    if (strcmp(what, "ipc") == 0)
        return both ? "IPC, frequency" : "IPC";
    if (strcmp(what, "frequency_ghz") == 0)
        return both ? NULL : "frequency";
    if (strcmp(what, "serialization") == 0)
        return "serialization, transfer";
    return strcmp(what, "computing_ns") == 0 ? "all factors" : NULL;
}

static void etx_put_reasons(struct report_lines *l, const struct prvcut_efficiency_run *r)
{
    bool all = false;

    for (size_t k = 0; k < r->reasons; k++)
        all |= strcmp(prvcut_efficiency_reason(r, k)->what, "computing_ns") == 0;
    for (size_t k = 0; k < r->reasons; k++) {
        const struct prvcut_efficiency_reason *why = prvcut_efficiency_reason(r, k);
        const char *rows = etx_rows(r, why->what);

        if (rows && !(all && strcmp(why->what, "serialization") == 0))
            report_put(l, "%s: %s\n", rows, why->text);
    }
}

/* What there is to say of a run, a line each. */
static void etx_put_notes(struct report_lines *l, const struct prvcut_efficiency *e, size_t run)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, run);

    etx_put_reasons(l, r);
    if (!report_efficiency_of_parts(e) && e->runs > 1 &&
        !isnan(prvcut_efficiency_factor(r, PRVCUT_POP_IPC)) &&
        isnan(prvcut_efficiency_factor(r, PRVCUT_POP_IPC_SCALABILITY)) &&
        !made_efficiency_run_of(r)->unlike)
        report_put(l, "scalability of IPC, instructions, frequency: the run that it is compared "
                      "with has no hardware counters\n");
    if (report_efficiency_unlike(e, run))
        report_put(l, "%s\n", report_efficiency_unlike(e, run));
    if (made_efficiency_run_of(r)->loops)
        report_put(l, "%s\n", made_efficiency_run_of(r)->loops);
    for (size_t k = 0; k < r->notes; k++)
        report_put(l, "%s\n", prvcut_efficiency_note(r, k));
}

static bool etx_has(const char *notes, const char *line, size_t length)
{
    for (; notes && *notes; notes += strcspn(notes, "\n") + 1)
        if (strcspn(notes, "\n") == length && strncmp(notes, line, length) == 0)
            return true;
    return false;
}

/* Of which runs, where there are several; what is true of all stands without a name. */
static void etx_put_owners(struct report_lines *l, const struct prvcut_efficiency *e,
                           char *const *notes, size_t first, const char *line, size_t length)
{
    size_t all = 0, put = 0;

    for (size_t i = 0; i < e->runs; i++)
        all += etx_has(notes[i], line, length);
    if (all == e->runs || (report_efficiency_of_parts(e) && e->groups == 0))
        return;
    for (size_t i = first; i < e->runs; i++) {
        if (!etx_has(notes[i], line, length))
            continue;
        report_put(l, put++ > 0 ? ", " : "");
        if (report_efficiency_group(e, i))
            etx_put_group(l, report_efficiency_group(e, i));
        report_put_foreign(l, prvcut_efficiency_run(e, i)->name);
    }
    report_put(l, ": ");
}

/* Each line once, with all runs that it is of. */
static void etx_put_run_notes(struct report_lines *l, const struct prvcut_efficiency *e,
                              char *const *notes, size_t run)
{
    const char *line = notes[run] ? notes[run] : "";

    for (size_t length; *line; line += length + 1) {
        bool before = false;

        length = strcspn(line, "\n");
        for (size_t i = 0; i < run && !before; i++)
            before = etx_has(notes[i], line, length);
        if (before)
            continue;
        report_put(l, "note: ");
        etx_put_owners(l, e, notes, run, line, length);
        report_put(l, "%.*s\n", (int)length, line);
    }
}

static void etx_notes(struct report_lines *l, const struct prvcut_efficiency *e)
{
    char **notes = prvcut_zeroed(e->runs + 1, sizeof *notes, "notes", l->err);

    l->st = notes ? l->st : PRVCUT_ENOMEM;
    for (size_t i = 0; i < e->runs && l->st == PRVCUT_OK; i++) {
        struct report_lines of = { .err = l->err };

        /* What parts tell is of the whole trace, or of an application. */
        if (i > 0 && report_efficiency_of_parts(e) &&
            prvcut_efficiency_run(e, i)->application ==
                prvcut_efficiency_run(e, i - 1)->application)
            continue;
        etx_put_notes(&of, e, i);
        l->st = report_take(&of, &notes[i]);
    }
    for (size_t i = 0; i < e->runs && l->st == PRVCUT_OK; i++)
        etx_put_run_notes(l, e, notes, i);
    for (size_t i = 0; notes && i < e->runs; i++)
        free(notes[i]);
    free(notes);
}

static void etx_foot(struct report_lines *l, const struct prvcut_efficiency *e)
{
    const char *above = NULL;

    if (!e->no_loop)
        report_put_counted_from(l, made_efficiency_of(e)->counted_from);
    for (size_t i = 0; i < e->runs && !above; i++)
        above = report_efficiency_above(e, i);
    if (above)
        report_put(l, "note: %s\n", above);
    etx_notes(l, e);
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

    report_efficiency_title(&l, e);
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
