#include "tables.h"

#include "answer.h"
#include "built.h"
#include "prvcut/reduce.h"
#include "traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM      0.03 /* beside the accepted periods */
#define CONFIDENT 0.5  /* wrong with more than that is worse than wrong */

/* What is asked: first the signals of the one table, then those of the other. */
enum { BURSTS, SECOND = 4, JOINED = 8, CALLS, COLUMNS };

static const char *const asked[COLUMNS] = {
    "bursts",
    "computing",
    "p2p",
    "ipc",
    "inflight",
    "flops",
    "collective",
    "instructions",
    "bursts,computing,p2p,ipc,inflight,flops,collective,instructions,clock",
    "calls",
};

/* The traces of a folder and format. LIMITS: of all its traces, how many are right by all signals
   and by bursts alone, and how many are wrong, but sure, by all signals; of those of shorter tests
   none may be that. */
static const struct group {
    const char *folder, *format;
    bool alone; /* each signal is asked by itself, too */
    unsigned least_joined, least_bursts, most_confident;
} groups[] = {
    { "", "paraver", true, 21, 14, 1 }, { "", "otf2", true, 11, 0, 1 },
    { "", "otf", false, 0, 0, -1U },    { "apps", NULL, false, 0, 0, -1U },
    { "lots", NULL, false, 0, 0, -1U }, { "more", NULL, false, 0, 0, -1U },
};

enum verdict { RIGHT, WRONG, NONE, ABSENT, FAILED, VERDICTS };

static const char *const verdict_names[VERDICTS] = { "right", "wrong", "none", "without such",
                                                     "failed" };

struct row {
    struct truth truth;
    char path[512];
    struct answer answer[COLUMNS];
    enum verdict verdict[COLUMNS];
    bool asked[COLUMNS];
};

/* Benchmarks are judged by the period alone, other programs by the mean, too. */
static enum verdict judge(const struct group *g, const struct truth *t, const struct answer *a)
{
    struct answer by = *a;

    if (!*g->folder)
        by.mean = 0;
    if (answer_is_right(t, &by, ROOM))
        return RIGHT;
    return a->period > 0 ? WRONG : a->absent ? ABSENT : NONE;
}

static void ask(const struct group *g, struct row *r, size_t column, const char *path)
{
    struct answer *a = &r->answer[column];

    r->asked[column] = true;
    r->verdict[column] =
        answer_ask_metrics(a, path, asked[column]) ? judge(g, &r->truth, a) : FAILED;
}

/* --- What is printed ------------------------------------------------------------------------- */

static void print_cell(const struct row *r, size_t column)
{
    const struct answer *a = &r->answer[column];

    if (r->verdict[column] == WRONG)
        printf(" (%.3g) %.2f |", a->period / 1e6, a->confidence);
    else if (a->period > 0)
        printf(" %.3g %.2f |", a->period / 1e6, a->confidence);
    else
        printf(" %s |", r->verdict[column] == ABSENT   ? "-"
                        : r->verdict[column] == FAILED ? "failed"
                                                       : "not found");
}

static double expected(const struct truth *t)
{
    return t->kind == TRUTH_PERIODIC ? t->low : t->loops > 0 ? t->loop[0].low : 0;
}

static void print_table(const char *title, const struct row *r, size_t rows, size_t from, size_t to)
{
    printf("\n%s\n\n| trace | expected |", title);
    for (size_t c = from; c < to; c++)
        printf(" %s |", c == JOINED ? "together" : asked[c]);
    printf("\n|---|--:|");
    for (size_t c = from; c < to; c++)
        printf("--:|");
    printf("\n");
    for (size_t i = 0; i < rows; i++) {
        printf("| %s | ", r[i].truth.name);
        if (expected(&r[i].truth) > 0)
            printf("%.3g |", expected(&r[i].truth) / 1e6);
        else
            printf("none |");
        for (size_t c = from; c < to; c++)
            print_cell(&r[i], c);
        printf("\n");
    }
}

/* Those of a verdict, and of these those of more than a confidence. */
static unsigned count(const struct row *r, size_t rows, size_t column, enum verdict verdict,
                      double above)
{
    unsigned n = 0;

    for (size_t i = 0; i < rows; i++)
        n += r[i].verdict[column] == verdict && r[i].answer[column].confidence > above;
    return n;
}

static void print_total(const struct row *r, size_t rows, size_t column)
{
    printf("%-13s", column == JOINED ? "together" : asked[column]);
    for (enum verdict v = RIGHT; v < VERDICTS; v++)
        printf("%4u %s%s", count(r, rows, column, v, -1), verdict_names[v],
               v + 1 < VERDICTS ? "," : "");
    printf("; confidently wrong %u:", count(r, rows, column, WRONG, CONFIDENT));
    for (size_t i = 0; i < rows; i++)
        if (r[i].verdict[column] == WRONG && r[i].answer[column].confidence > CONFIDENT)
            printf(" %s", r[i].truth.name);
    printf("\n");
}

static void print_misses(const struct row *r, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        const struct answer *a = &r[i].answer[JOINED];

        if (r[i].verdict[JOINED] == WRONG)
            printf("  %-20s %.0f of %.3g ms, not %.0f of %.3g ms, confidence %.2f\n",
                   r[i].truth.name, a->iterations, a->period / 1e6, r[i].truth.iterations,
                   expected(&r[i].truth) / 1e6, a->confidence);
        else if (r[i].verdict[JOINED] != RIGHT)
            printf("  %-20s %s\n", r[i].truth.name, a->why);
        if (r[i].verdict[JOINED] != RIGHT)
            printf("    prvcut signal --metric %s --plot %s.svg %s\n", asked[JOINED],
                   r[i].truth.name, r[i].path);
    }
}

/* --- Limits ---------------------------------------------------------------------------------- */

static bool limit(const char *what, unsigned is, bool good, unsigned wanted)
{
    printf("%s: %s: %u, wanted %u\n", good ? "holds" : "DOES NOT HOLD", what, is, wanted);
    return good;
}

static bool totals(const struct group *g, const struct row *r, size_t rows)
{
    const bool all = traces_take() == TRACES_ALL;
    const unsigned right = count(r, rows, JOINED, RIGHT, -1),
                   bursts = count(r, rows, BURSTS, RIGHT, -1),
                   confident = count(r, rows, JOINED, WRONG, CONFIDENT),
                   most = all ? g->most_confident : 0;
    bool good = true;

    printf("\n");
    for (size_t c = 0; c < COLUMNS; c++)
        if (rows > 0 && r->asked[c]) {
            print_total(r, rows, c);
            good = count(r, rows, c, FAILED, -1) == 0 && good;
        }
    print_misses(r, rows);
    if (all && g->least_joined > 0)
        good =
            limit("right, together, at least", right, right >= g->least_joined, g->least_joined) &&
            good;
    if (all && g->least_bursts > 0)
        good = limit("right, bursts alone, at least", bursts, bursts >= g->least_bursts,
                     g->least_bursts) &&
               good;
    if (g->most_confident < -1U)
        good = limit("confidently wrong, together, at most", confident, confident <= most, most) &&
               good;
    return good;
}

/* --- Traces ---------------------------------------------------------------------------------- */

static bool wanted(const struct group *g, const struct truth *t, int names, char **name)
{
    if (t->kind == TRUTH_ANY || (t->kind == TRUTH_MIXED && t->loops == 0) ||
        (g->format && strcmp(t->format, g->format) != 0) || !test_reads(t->format))
        return false;
    for (int i = 0; i < names; i++)
        if (strcmp(name[i], t->name) == 0)
            return true;
    return names == 0 && (g->alone || traces_take() == TRACES_ALL) &&
           traces_wanted(g->format ? g->format : g->folder, t->name);
}

static bool ask_all(const struct group *g, struct row *r)
{
    if (!truth_unpack(g->folder, &r->truth, r->path, sizeof r->path)) {
        printf("%s cannot be unpacked\n", r->truth.name);
        return false;
    }
    for (size_t c = g->alone ? 0 : JOINED; c < (g->alone ? COLUMNS : JOINED + 1); c++)
        ask(g, r, c, r->path);
    return true;
}

static bool print_group(const struct group *g, const struct row *r, size_t rows)
{
    printf("\n# %s %s: main period in ms, and confidence; in brackets: not the loop; -: the trace "
           "has no such signal\n",
           g->folder, g->format ? g->format : "");
    if (g->alone) {
        print_table("As table 3.6", r, rows, 0, SECOND);
        print_table("As table 3.7", r, rows, SECOND, JOINED);
    }
    print_table("Without calls", r, rows, JOINED, g->alone ? COLUMNS : JOINED + 1);
    return totals(g, r, rows);
}

static bool measure_group(const struct group *g, struct score *sum, int names, char **name)
{
    struct row *row;
    struct truth *truth;
    char path[4096];
    size_t all, rows = 0;
    bool good;

    snprintf(path, sizeof path, "%s/%s", traces_folder(), g->folder);
    truth = truth_read(path, &all);
    row = calloc(all + 1, sizeof *row);
    good = row != NULL;
    for (size_t i = 0; good && i < all; i++)
        if (wanted(g, &truth[i], names, name)) {
            row[rows].truth = truth[i];
            good = ask_all(g, &row[rows]);
            score_count(sum, &row[rows].answer[JOINED], row[rows].verdict[JOINED] == RIGHT);
            rows++;
        }
    if (good && rows > 0)
        good = print_group(g, row, rows) || names > 0;
    fflush(stdout);
    free(row);
    free(truth);
    return good;
}

bool tables_print(int names, char **name)
{
    struct score sum = { .all = 0 };
    bool good = true;

    if (!traces_folder()) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return true;
    }
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        good = measure_group(&groups[g], &sum, names, name) && good;
    score_print_bins(&sum);
    return good;
}
