#include "known_waits.h"

#include "analysis/waits/waits.h"

/* Delay costs and critical paths: tables, programs with one cause, and generated runs with one. */

/* --- I1, I2, I4: tables ----------------------------------------------------------------------- */

static struct prvcut_waits_found found_of(const char *path, struct prvcut_trace **trace)
{
    const struct prvcut_waits_asked asked = { .causes = true, .flat = true };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_waits_found f;

    ck_assert_msg(prvcut_trace_open(trace, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_waits_find(&f, *trace, &run, &asked, &err) == PRVCUT_OK, "%s", err.text);
    return f;
}

static void near(const char *trace, const char *what, double wanted, double seen)
{
    const double most = fmax(1e-6, 1e-4 * wanted);

    printf("  %-16s %-20s %.6f %.6f\n", trace, what, wanted, seen);
    ck_assert_msg(fabs(seen - wanted) <= most, "%s %s", trace, what);
}

/* What is blamed and what is not is all that is waited. */
static void check_conserved(const struct prvcut_waits_found *f)
{
    static const int of[] = { PRVCUT_WAIT_LATE_SENDER, PRVCUT_WAIT_LATE_RECEIVER,
                              PRVCUT_WAIT_BARRIER,     PRVCUT_WAIT_NXN,
                              PRVCUT_WAIT_LATE_BCAST,  PRVCUT_WAIT_EARLY_REDUCE };
    double waits = 0, costs = f->unexplained, cells = f->unexplained;

    for (size_t i = 0; i < PRVCUT_DELAYS; i++) {
        waits += (double)f->sum[of[i]].ns;
        costs += f->delay[i].shorter + f->delay[i].longer;
    }
    for (size_t i = 0; i < f->delays; i++)
        cells += f->delayed[i].shorter + f->delayed[i].longer;
    ck_assert_double_le(fabs(costs - waits), 1e-6 * waits);
    ck_assert_double_le(fabs(cells - waits), 1e-6 * waits);
}

/* trace, critical path, steps, costs by kind */
static void check_causes(char **cell, void *ctx)
{
    struct prvcut_waits_found f;
    struct prvcut_trace *t;
    char path[2048], *rest = cell[3];

    (void)ctx;
    if (!path_of(path, sizeof path, "paraver", cell[0]))
        return;
    f = found_of(path, &t);
    near(cell[0], "critical path", strtod(cell[1], NULL), (double)f.critical / 1e9);
    ck_assert_uint_eq(f.steps, strtoull(cell[2], NULL, 10));
    ck_assert_double_le((double)f.critical, (double)f.end_ns + 1000);
    for (unsigned i = 0; i < PRVCUT_DELAYS; i++) {
        const char *wanted = strtok_r(rest, " ", &rest), *plus = strchr(wanted, '+');
        const char *kind = prvcut_delay_text((enum prvcut_delay)i);

        near(cell[0], kind, strtod(wanted, NULL), f.delay[i].shorter / 1e9);
        near(cell[0], kind, plus ? strtod(plus + 1, NULL) : 0, f.delay[i].longer / 1e9);
    }
    check_conserved(&f);
    prvcut_waits_found_fini(&f);
    prvcut_trace_close(t);
}

START_TEST(test_causes_of_paraver_traces_are_known)
{
    each_line("causes", check_causes, NULL);
}
END_TEST

/* --- I3: programs with one cause -------------------------------------------------------------- */

/* What part of a kind's costs is blamed on what a rank does outside of calls, or anywhere. */
static double part_of(const struct prvcut_wait_states *w, enum prvcut_delay kind, uint32_t rank,
                      bool outside)
{
    const struct prvcut_waits_cost *c;
    double all = 0, part = 0;

    for (size_t i = 0; (c = prvcut_waits_cost(w, i)) != NULL; i++) {
        if (c->kind != kind)
            continue;
        all += c->short_ns + c->long_ns;
        if (c->rank == rank && (!outside || c->path == 0))
            part += c->short_ns + c->long_ns;
    }
    return all > 0 ? part / all : 0;
}

static bool program_path(char *path, size_t room, const char *name)
{
    if (!traces_folder())
        return false;
    snprintf(path, room, "%s/waits/%s/%s.prv.zst", traces_folder(), name, name);
    return access(path, R_OK) == 0;
}

/* What of a call path is on the critical path, of all ranks. */
static int64_t on_critical(const struct prvcut_wait_states *w, size_t path)
{
    const struct prvcut_waits_stretch *s;
    int64_t sum = 0;

    for (size_t i = 0; (s = prvcut_waits_stretch(w, i)) != NULL; i++)
        sum += s->path == path ? s->ns : 0;
    return sum;
}

/* I4: rank 0 of the chain computes, the others do a little: two thirds of it is imbalance. Each
   call path is told once, the most first. */
START_TEST(test_imbalance_on_the_critical_path_is_told)
{
    const struct prvcut_waits_imbalance *m;
    struct prvcut_wait_states *w;
    char path[2048];
    double last = INFINITY, all = 0;

    if (!program_path(path, sizeof path, "w.chain.3"))
        return;
    w = causes_of(path, 1);
    for (size_t i = 0; (m = prvcut_waits_imbalance(w, i)) != NULL; i++) {
        ck_assert_int_eq(m->ns, on_critical(w, m->path));
        ck_assert(m->over_ns > 0 && m->over_ns <= (double)m->ns && m->over_ns <= last);
        last = m->over_ns;
        all += m->over_ns;
    }
    m = prvcut_waits_imbalance(w, 0);
    ck_assert_ptr_nonnull(m);
    printf("  w.chain.3 imbalance %.3f of %.3f, %.3f in all\n", m->over_ns / 1e9,
           (double)m->ns / 1e9, all / 1e9);
    ck_assert_uint_eq(m->path, 0);
    ck_assert(m->over_ns > 0.6 * (double)m->ns && m->over_ns < 0.67 * (double)m->ns);
    prvcut_wait_states_free(w);
}
END_TEST

START_TEST(test_causes_of_programs_are_found)
{
    struct prvcut_wait_states *w;
    char path[2048];

    if (program_path(path, sizeof path, "w.chain.3")) {
        w = causes_of(path, 1);
        ck_assert_double_le(fabs(part_of(w, PRVCUT_DELAY_LATE_SENDER, 0, true) - 0.96), 0.03);
        prvcut_wait_states_free(w);
    }
    if (!program_path(path, sizeof path, "w.imbalance.4"))
        return;
    w = causes_of(path, 1);
    ck_assert_double_le(fabs(part_of(w, PRVCUT_DELAY_N2N, 3, true) - 0.97), 0.03);
    ck_assert_double_le(fabs(part_of(w, PRVCUT_DELAY_BARRIER, 0, true) - 0.91), 0.03);
    prvcut_wait_states_free(w);
}
END_TEST

/* --- A planted chain -------------------------------------------------------------------------- */

#define ROUNDS 10

/* In each round rank 0 computes 8 ms more than the others, which pass on what they wait for after
   `own` ns. */
static void put_chain(const char *path, unsigned length, uint64_t own)
{
    const unsigned ranks = length + 1;
    FILE *f = fopen(path, "w");
    uint64_t at = 2 * MS;

    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 00:00):%" PRIu64 "_ns:1(%u):1:%u(", ROUNDS * 20 * MS, ranks,
            ranks);
    for (unsigned i = 0; i < ranks; i++)
        fprintf(f, "%s1:1", i > 0 ? "," : "");
    fprintf(f, ")\n");
    for (unsigned i = 0; i < ranks; i++)
        put_call(f, i, 3, 31, 0, MS);
    for (unsigned r = 0; r < ROUNDS; r++, at += 15 * MS)
        for (unsigned i = 0; i < length; i++) {
            const uint64_t sent = at + 8 * MS + i * own, begin = at;

            put_call(f, i, 1, 1, sent, sent + 10000);
            put_call(f, i + 1, 1, 2, begin, sent + 20000);
            fprintf(f,
                    "3:%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":%u:1:%u:1:%" PRIu64 ":%" PRIu64 ":8:1\n",
                    i + 1, i + 1, sent, sent + 10000, i + 2, i + 2, begin, sent + 20000);
        }
    for (unsigned i = 0; i < ranks; i++)
        put_call(f, i, 3, 32, at, at + MS);
    fclose(f);
    ck_assert(
        traces_shell("{ grep '^#' '%s'; grep -v '^#' '%s' | sort -s -t: -k6,6n; } >'%s.sorted'"
                     " && mv '%s.sorted' '%s'",
                     path, path, path, path, path));
}

START_TEST(test_causes_of_a_chain_are_its_first_rank)
{
    static const unsigned lengths[] = { 1, 2, 5 };
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (size_t i = 0; i < 3; i++) {
        struct prvcut_wait_states *w;
        double part;

        snprintf(path, sizeof path, "%s/chain.prv", folder);
        put_chain(path, lengths[i], MS / 20);
        w = causes_of(path, 1);
        part = part_of(w, PRVCUT_DELAY_LATE_SENDER, 0, true);
        printf("  over %u ranks: %.3f of %.3f s\n", lengths[i], part,
               seconds(prvcut_waits_metric(w, 0)->severity_ns));
        ck_assert_uint_eq(prvcut_waits_metric(w, 0)->instances, lengths[i] * ROUNDS);
        ck_assert_double_ge(part, 0.95);
        prvcut_wait_states_free(w);
    }
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* What a rank is blamed for, ns. */
static double blamed_on(const struct prvcut_wait_states *w, uint32_t rank)
{
    const struct prvcut_waits_cost *c;
    double ns = 0;

    for (size_t i = 0; (c = prvcut_waits_cost(w, i)) != NULL; i++)
        ns += c->rank == rank ? c->short_ns + c->long_ns : 0;
    return ns;
}

/* Where those in between compute, too, each rank behind them waits for that as well: they are
   blamed for what nobody would wait without it, and the first for the rest, 87 %. */
START_TEST(test_who_computes_within_a_chain_is_blamed_for_that_alone)
{
    const unsigned length = 4;
    const uint64_t own = 4 * MS / 5;
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048];
    struct prvcut_wait_states *w;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/chain.prv", folder);
    put_chain(path, length, own);
    w = causes_of(path, 1);
    for (unsigned rank = 0; rank < length; rank++) {
        const double wanted = (double)((rank == 0 ? 8 * MS : own) * ROUNDS * (length - rank));

        printf("  rank %u: %.3f ms\n", rank, blamed_on(w, rank) / 1e6);
        ck_assert_double_le(fabs(blamed_on(w, rank) - wanted), 0.02 * wanted);
    }
    ck_assert_double_le(fabs(part_of(w, PRVCUT_DELAY_LATE_SENDER, 0, true) - 0.87), 0.005);
    prvcut_wait_states_free(w);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* --- What is not told ------------------------------------------------------------------------- */

/* Two ranks, one message that is received long before it is sent; or no calls at all. */
static void put_backwards(const char *path, bool calls)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 00:00):70000000_ns:1(2):1:2(1:1,1:1)\n");
    if (!calls)
        fprintf(f, "1:1:1:1:1:0:70000000:1\n1:2:1:2:1:0:70000000:1\n"
                   "2:1:1:1:1:0:50000001:0\n");
    for (unsigned i = 0; calls && i < 2; i++)
        put_call(f, i, 3, 31, 0, MS);
    if (calls) {
        put_call(f, 1, 1, 2, 10 * MS, 12 * MS);
        put_call(f, 0, 1, 1, 50 * MS, 51 * MS);
        fprintf(f, "3:1:1:1:1:50000000:51000000:2:1:2:1:10000000:12000000:8:1\n");
        put_call(f, 0, 3, 32, 58 * MS, 61 * MS);
        put_call(f, 1, 3, 32, 60 * MS, 61 * MS);
    }
    fclose(f);
}

START_TEST(test_a_path_back_and_forth_in_time_is_none)
{
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int calls = 0; calls < 2; calls++) {
        struct prvcut_error err = { .status = PRVCUT_OK };
        struct prvcut_wait_states *w;
        char *text = NULL;

        snprintf(path, sizeof path, "%s/backwards.prv", folder);
        put_backwards(path, calls);
        w = causes_of(path, 1);
        ck_assert_ptr_nonnull(w->no_path);
        ck_assert(strstr(w->no_path, calls ? "by 38.0ms in all" : "no MPI calls") != NULL);
        ck_assert_uint_eq(w->stretches, 0);
        ck_assert((prvcut_waits_delay(w, 0)->reason != NULL) == !calls);
        ck_assert_int_eq(prvcut_waits_text(w, &text, &err), PRVCUT_OK);
        ck_assert_ptr_nonnull(strstr(text, "critical path: -, "));
        ck_assert((strstr(text, "causes:") != NULL) == calls);
        free(text);
        ck_assert_int_eq(prvcut_waits_json(w, &text, &err), PRVCUT_OK);
        ck_assert_ptr_nonnull(strstr(text, "\"length_s\": null"));
        ck_assert((strstr(text, "\"short_s\": null") != NULL) == !calls);
        free(text);
        prvcut_wait_states_free(w);
    }
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* Without Finalize the path goes on to the last record, unless nothing is traced there. */
START_TEST(test_a_path_without_finalize_is_as_long_as_the_run)
{
    static const char *const end[] = { "", "2:2:1:2:1:60000000:40000012:0\n" };
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/endless.prv", folder);
    for (int off = 0; off < 2; off++) {
        struct prvcut_wait_states *w;
        FILE *f = fopen(path, "w");

        ck_assert_ptr_nonnull(f);
        fprintf(f,
                "#Paraver (01/01/2026 at 00:00):70000000_ns:1(2):1:2(1:1,1:1)\n"
                "1:1:1:1:1:0:65000000:1\n1:2:1:2:1:0:70000000:1\n"
                "2:2:1:2:1:10000000:50000001:2\n"
                "2:1:1:1:1:50000000:50000001:1\n"
                "3:1:1:1:1:50000000:51000000:2:1:2:1:10000000:52000000:8:1\n"
                "2:1:1:1:1:51000000:50000001:0\n2:2:1:2:1:52000000:50000001:0\n%s",
                end[off]);
        fclose(f);
        w = causes_of(path, 1);
        ck_assert_ptr_null(w->no_path);
        ck_assert_int_eq(w->critical_ns, off ? 52 * (int64_t)MS : 70 * (int64_t)MS);
        prvcut_wait_states_free(w);
    }
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* Where members of a collective call different things, nothing is told of collectives. */
START_TEST(test_collectives_that_lack_members_are_not_zero)
{
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048];
    struct prvcut_wait_states *w;
    FILE *f;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/unlike.prv", folder);
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 00:00):9000000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n"
               "2:1:1:1:1:1000000:50000002:8:50100004:1\n2:2:1:2:1:3000000:50000002:10:50100004:1\n"
               "2:1:1:1:1:4000000:50000002:0\n2:2:1:2:1:4000000:50000002:0\n");
    fclose(f);
    w = causes_of(path, 1);
    ck_assert_uint_eq(w->unlike, 1);
    ck_assert_str_eq(metric_of(w, "wait_nxn")->reason, "no collective has all its members");
    ck_assert_ptr_nonnull(metric_of(w, "wait_barrier")->reason);
    ck_assert_ptr_null(metric_of(w, "late_sender")->reason);
    ck_assert_str_eq(w->no_path, "no collective has all its members");
    prvcut_wait_states_free(w);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* Costs that were handed on to waits that nobody is to blame for are not lost. */
START_TEST(test_costs_of_applications_are_all_of_their_waits)
{
    static const char *const of[][2] = { { "apps/paraver", "q.amr-cycles.5" },
                                         { "apps/paraver", "q.twoloops.4" },
                                         { "lots/paraver", "opm.flow" },
                                         { "more", "epoch.4" } };
    char path[2048];

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct prvcut_waits_found f;
        struct prvcut_trace *t;

        if (!traces_folder())
            return;
        snprintf(path, sizeof path, "%s/%s/%s/%s.prv.zst", traces_folder(), of[i][0], of[i][1],
                 of[i][1]);
        if (access(path, R_OK) != 0)
            continue;
        printf("  %s\n", of[i][1]);
        f = found_of(path, &t);
        check_conserved(&f);
        ck_assert_double_gt(f.unexplained, 0);
        prvcut_waits_found_fini(&f);
        prvcut_trace_close(t);
    }
}
END_TEST

/* --- I5 --------------------------------------------------------------------------------------- */

START_TEST(test_causes_do_not_depend_on_workers)
{
    char path[2048];

    if (path_of(path, sizeof path, "paraver", "mg.W.8"))
        check_workers(path, causes_of);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits_causes");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, test_causes_of_paraver_traces_are_known);
    tcase_add_test(all, test_causes_of_programs_are_found);
    tcase_add_test(all, test_imbalance_on_the_critical_path_is_told);
    tcase_add_test(all, test_causes_of_a_chain_are_its_first_rank);
    tcase_add_test(all, test_who_computes_within_a_chain_is_blamed_for_that_alone);
    tcase_add_test(all, test_a_path_back_and_forth_in_time_is_none);
    tcase_add_test(all, test_a_path_without_finalize_is_as_long_as_the_run);
    tcase_add_test(all, test_collectives_that_lack_members_are_not_zero);
    tcase_add_test(all, test_costs_of_applications_are_all_of_their_waits);
    tcase_add_test(all, test_causes_do_not_depend_on_workers);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
