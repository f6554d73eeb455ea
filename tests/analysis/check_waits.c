#include "known_waits.h"

/*
 * Wait states of real runs and of hand-made ones. The tables are those of Scalasca 2.6, run on the
 * same traces, or of a slow program that keeps all in memory; the small programs of traces/waits
 * measured their waits themselves.
 */

/* --- F1, F4, F5, F6: rows ----------------------------------------------------------------------
 */

/* Metrics of a row, the first ones. */
#define TABLED 14

/* "null", "0" or "SECONDS/INSTANCES"; those of archives within 2 % and 1 ms. */
static void check_cell(const char *trace, const struct prvcut_waits_metric *m, const char *cell,
                       bool exact)
{
    const char *slash = strchr(cell, '/');
    const double wanted = strtod(cell, NULL), seen = seconds(m->severity_ns);
    const double most = exact ? 1e-6 : 0.02 * wanted + 1e-3;

    printf("  %-22s %-20s %-18s", trace, m->name, cell);
    if (strcmp(cell, "null") == 0) {
        printf(" null: %s\n", m->reason ? m->reason : "-");
        ck_assert_ptr_nonnull(m->reason);
        return;
    }
    printf(" %.6f/%" PRIu64 "\n", seen, m->instances);
    ck_assert_msg(!m->reason, "%s: %s", m->name, m->reason);
    ck_assert_msg(fabs(seen - wanted) <= most, "%s %s: %.9f", trace, m->name, seen);
    if (exact)
        ck_assert_uint_eq(m->instances, slash ? strtoull(slash + 1, NULL, 10) : 0);
}

/* What archives tell and their conversions, of which the table is, do not: when an Isend is
   complete, and that MPI_Scan was called without bytes. */
static bool is_told_better(const struct prvcut_waits_metric *m)
{
    return m->wait == PRVCUT_WAIT_LATE_RECEIVER || m->wait == PRVCUT_WAIT_EARLY_SCAN;
}

/* format, trace, cells: seconds/instances, 0, null; of one format. */
static void check_row(char **cell, void *format)
{
    const bool exact = strcmp(format, "paraver") == 0;
    char path[2048], *rest = cell[2];
    struct prvcut_wait_states *w;

    if (strcmp(cell[0], format) != 0 || !path_of(path, sizeof path, format, cell[1]))
        return;
    w = waits_of(path, false, 2);
    for (size_t i = 0; i < TABLED; i++) {
        const char *wanted = strtok_r(rest, " ", &rest);
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        if (exact || !is_told_better(m))
            check_cell(cell[1], m, wanted, exact || strncmp(cell[1], "scorep", 6) == 0);
    }
    prvcut_wait_states_free(w);
}

START_TEST(test_waits_of_paraver_traces_are_scalascas)
{
    each_line("rows", check_row, (char *)(uintptr_t) "paraver");
}
END_TEST

START_TEST(test_waits_of_archives_are_known)
{
    if (test_reads("otf2"))
        each_line("rows", check_row, (char *)(uintptr_t) "otf2");
}
END_TEST

/* --- F2: ranks -------------------------------------------------------------------------------- */

struct ranked {
    char trace[32];
    struct prvcut_wait_states *w;
};

/* trace, metric, seconds of each rank */
static void check_ranks(char **cell, void *ctx)
{
    struct ranked *r = ctx;
    const struct prvcut_waits_metric *m;
    char path[2048], *rest = cell[2];

    if (strcmp(cell[0], r->trace) != 0) {
        snprintf(r->trace, sizeof r->trace, "%s", cell[0]);
        prvcut_wait_states_free(r->w);
        r->w = path_of(path, sizeof path, "paraver", cell[0]) ? waits_of(path, false, 1) : NULL;
    }
    if (!r->w)
        return;
    m = metric_of(r->w, cell[1]);
    for (uint32_t i = 0; i < r->w->ranks; i++) {
        const double wanted = strtod(strtok_r(rest, " ", &rest), NULL);

        printf("  %-8s %-20s rank %" PRIu32 " %.9f %.9f\n", cell[0], m->name, i, wanted,
               seconds(m->rank_ns[i]));
        ck_assert_double_le(fabs(seconds(m->rank_ns[i]) - wanted), 1e-8);
    }
}

START_TEST(test_waits_of_ranks_are_scalascas)
{
    struct ranked r = { .w = NULL };

    each_line("ranks", check_ranks, &r);
    prvcut_wait_states_free(r.w);
}
END_TEST

/* --- F0: cases made by hand ------------------------------------------------------------------- */

struct cases {
    struct prvcut_wait_states *w;
    double wanted[PRVCUT_WAITS][8]; /* ms */
};

/* slot, case, metric, rank, ms */
static void take_case(char **cell, void *ctx)
{
    struct cases *c = ctx;

    if (strcmp(cell[0], "slot") != 0 && *cell[2] != '-')
        c->wanted[metric_of(c->w, cell[2])->wait][strtoul(cell[3], NULL, 10)] +=
            strtod(cell[4], NULL);
}

/* What each metric and rank has in all, to the nanosecond. */
static void check_cases(const char *name)
{
    struct cases c = { .w = NULL };
    char path[2048];

    snprintf(path, sizeof path, DATA "%s.tar.zst", name);
    c.w = waits_of(path, true, 1);
    ck_assert_uint_le(c.w->ranks, 8);
    each_line(name, take_case, &c);
    for (size_t i = 0; i < PRVCUT_WAIT_OMP_FORK; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(c.w, i);

        for (uint32_t k = 0; k < c.w->ranks; k++) {
            if (c.wanted[i][k] > 0 || m->rank_ns[k] > 0)
                printf("  %-20s rank %" PRIu32 " %.0f ms, %.6f\n", m->name, k, c.wanted[i][k],
                       (double)m->rank_ns[k] / 1e6);
            ck_assert_msg(fabs((double)m->rank_ns[k] - c.wanted[i][k] * 1e6) <= 1, "%s", m->name);
        }
    }
    prvcut_wait_states_free(c.w);
}

START_TEST(test_waits_of_cases_are_those_worked_out)
{
    if (!test_reads("otf2"))
        return;
    check_cases("cases");
    check_cases("nbc");
}
END_TEST

/* --- F3: programs that measured themselves ---------------------------------------------------- */

static const char *const programs[] = {
    "w.barrier.4",       "w.chain.3",          "w.imbalance.4",    "w.late-bcast.5",
    "w.ls-block.4",      "w.ls-nonblock.4",    "w.ls-wo-diff.4",   "w.nxn.5",
    "w.omp.2",           "w.subcomm.6",        "w.barrier.5.ezt",  "w.chain.3.ezt",
    "w.imbalance.4.ezt", "w.late-bcast.4.ezt", "w.ls-block.4.ezt", "w.ls-wo-diff.4.ezt",
    "w.nxn.4.ezt",       "w.subcomm.6.ezt",
};

/* Two archives whose offsets leave more doubt. */
static double least_of(const char *program)
{
    return strcmp(program, "w.imbalance.4.ezt") == 0 || strcmp(program, "w.ls-wo-diff.4.ezt") == 0
               ? 0.1
               : 0.02;
}

/* "metric rank severity_ns instances" */
static void check_measured(const char *program, const struct prvcut_wait_states *w, char *line)
{
    char *rest = line, *name = strtok_r(rest, "\t ", &rest), *rank = strtok_r(rest, "\t ", &rest);
    const double truth = strtod(rest, NULL);
    const struct prvcut_waits_metric *m;
    double seen;

    if (strcmp(name, "early_reduce_last") == 0)
        name = (char *)(uintptr_t) "early_reduce";
    else if (strcmp(name, "early_reduce") == 0 || strcmp(name, "metric") == 0 ||
             strcmp(name, "planted_delay") == 0 || strcmp(name, "omp_barrier") == 0 ||
             strcmp(name, "late_receiver_wait") == 0 || *name == '#')
        return;
    m = metric_of(w, name);
    ck_assert_msg(!m->reason, "%s: %s", name, m->reason);
    seen = (double)m->rank_ns[strtoul(rank, NULL, 10)];
    if (m->wait == PRVCUT_WAIT_NXN)
        seen += (double)prvcut_waits_metric(w, PRVCUT_WAIT_NXN_V)->rank_ns[strtoul(rank, NULL, 10)];
    printf("  %-20s %-20s rank %s %.6f %.6f\n", program, name, rank, truth / 1e9, seen / 1e9);
    ck_assert_msg(fabs(seen - truth) <=
                      fmax(least_of(program) * truth, least_of(program) > 0.05 ? 2e6 : 1e6),
                  "%s %s", program, name);
}

static void check_program(const char *program)
{
    const bool archive = strstr(program, ".ezt") != NULL;
    char path[2048], line[256];
    struct prvcut_wait_states *w;
    FILE *f;

    if (!traces_folder() || (archive && !test_reads("otf2")))
        return;
    snprintf(path, sizeof path, "%s/waits/%s/%s.waits.tsv", traces_folder(), program, program);
    f = fopen(path, "r");
    if (!f)
        return;
    snprintf(path, sizeof path, "%s/waits/%s/%s%s", traces_folder(), program, program,
             archive ? ".tar.zst" : ".prv.zst");
    w = waits_of(path, false, 1);
    while (fgets(line, sizeof line, f))
        check_measured(program, w, line);
    fclose(f);
    prvcut_wait_states_free(w);
}

START_TEST(test_waits_are_those_that_programs_measured)
{
    for (int i = 0; i < (int)(sizeof programs / sizeof *programs); i++)
        if (traces_turn(i))
            check_program(programs[i]);
}
END_TEST

/* --- F7, F9: OpenMP, and a trace without calls ------------------------------------------------ */

static void check_sum(const struct prvcut_wait_states *w, const char *name, double wanted,
                      double part)
{
    const struct prvcut_waits_metric *m = metric_of(w, name);

    printf("  %-20s %.6f %.6f\n", name, wanted, seconds(m->severity_ns));
    ck_assert_msg(!m->reason, "%s: %s", name, m->reason);
    ck_assert_double_le(fabs(seconds(m->severity_ns) - wanted), part * wanted);
}

START_TEST(test_waits_of_openmp_are_known)
{
    char path[2048];
    struct prvcut_wait_states *w;

    if (path_of(path, sizeof path, "paraver", "lulesh.8.omp")) {
        w = waits_of(path, false, 2);
        check_sum(w, "omp_fork", 5.276335, 0.01);
        check_sum(w, "omp_ibarrier_wait", 2.687976, 0.01);
        check_sum(w, "omp_ebarrier_wait", 0.311040, 0.01);
        check_sum(w, "omp_idle", 7.799773, 0.01);
        prvcut_wait_states_free(w);
    }
    /* By the names of regions; added up from the text of the archive. */
    if (path_of(path, sizeof path, "otf", "luleshomp.8-z")) {
        w = waits_of(path, false, 2);
        ck_assert_uint_eq(metric_of(w, "omp_fork")->severity_ns, 1766343229);
        ck_assert_uint_eq(metric_of(w, "omp_ibarrier_wait")->severity_ns, 1776698175);
        check_sum(w, "omp_idle", 5.582684, 1e-5);
        ck_assert_ptr_nonnull(metric_of(w, "omp_ebarrier_wait")->reason);
        prvcut_wait_states_free(w);
    }
    if (!traces_folder())
        return;
    snprintf(path, sizeof path, "%s/waits/w.omp.2/w.omp.2.prv.zst", traces_folder());
    if (access(path, R_OK) != 0)
        return;
    w = waits_of(path, false, 1);
    ck_assert_uint_eq(metric_of(w, "omp_ebarrier_wait")->rank_ns[0] / 1000, 671473);
    ck_assert_uint_eq(metric_of(w, "omp_ebarrier_wait")->rank_ns[1] / 1000, 671550);
    prvcut_wait_states_free(w);
}
END_TEST

START_TEST(test_waits_without_calls_are_not_told)
{
    char path[2048];
    struct prvcut_wait_states *w;

    if (!path_of(path, sizeof path, "paraver", "sp.W.9.burst"))
        return;
    w = waits_of(path, false, 1);
    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        if (m->wait != PRVCUT_WAIT_INIT_COMPLETION && m->wait != PRVCUT_WAIT_FINALIZE)
            ck_assert_msg(m->reason != NULL && m->severity_ns == 0, "%s", m->name);
    }
    check_sum(w, "init_completion", 0.002357, 0.001);
    check_sum(w, "finalize_wait", 0.000157, 0.01);
    prvcut_wait_states_free(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, test_waits_of_paraver_traces_are_scalascas);
    tcase_add_test(all, test_waits_of_archives_are_known);
    tcase_add_test(all, test_waits_of_ranks_are_scalascas);
    tcase_add_test(all, test_waits_of_cases_are_those_worked_out);
    tcase_add_test(all, test_waits_are_those_that_programs_measured);
    tcase_add_test(all, test_waits_of_openmp_are_known);
    tcase_add_test(all, test_waits_without_calls_are_not_told);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
