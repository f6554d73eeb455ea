/* Factors of real runs as basicanalysis tells them, and what must hold of all factors. */
#include "prvcut/efficiency.h"

#include "analysis/efficiency/hierarchy.h"
#include "tests/analysis/efficiency_read.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static struct prvcut_error error;

static bool path_of(char *path, size_t room, const char *name)
{
    if (strncmp(name, "epoch", 5) != 0)
        return traces_wanted("paraver", name) && traces_unpack(name, path, room);
    snprintf(path, room, "%s/more/%s/%s.prv.zst", traces_folder(), name, name);
    return traces_shell("test -e '%s'", path);
}

/* The efficiency of some traces, NULL-ended; NULL: one is not here. */
static struct prvcut_efficiency *of(const char *const *name, struct prvcut_efficiency_options o)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_efficiency *e = NULL;

    o.size = sizeof o;
    memset(&error, 0, sizeof error);
    for (; *name; name++) {
        char path[4096];
        struct prvcut_trace *t;
        enum prvcut_status st;

        if (!path_of(path, sizeof path, *name)) {
            prvcut_efficiency_free(e);
            return NULL;
        }
        t = open_sound(path);
        st = e ? prvcut_efficiency_add(e, t, &run, false, &error)
               : prvcut_efficiency_make(t, &run, &o, &e, &error);
        ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
        prvcut_trace_close(t);
    }
    return e;
}

static double factor(const struct prvcut_efficiency *e, size_t run, enum prvcut_pop f)
{
    return prvcut_efficiency_factor(prvcut_efficiency_run(e, run), f);
}

static bool tell(const char *line, const char *what, double got, double want, double by)
{
    const bool good = fabs(got - want) <= by;

    printf("%-4s %-40s %22.9f  %s\n", line, what, got, good ? "as the reference" : "WRONG");
    return good;
}

/* --- EPOCH ------------------------------------------------------------------------------------ */

static const char *const epoch[] = { "epoch.4", "epoch.1", "epoch.2", NULL };

static const char head[] = "Number of processes;1;2;4\n"
                           "Parallel efficiency;99.925583;99.378252;97.349953\n"
                           "Load balance;100.000000;99.760930;98.687584\n"
                           "Communication efficiency;99.925583;99.616405;98.644580\n";
static const char middle[] = "Computation scalability;100.000000;95.500319;92.390414\n"
                             "Global efficiency;99.925583;94.906548;89.942024\n"
                             "IPC scalability;100.000000;99.916598;99.745711\n"
                             "Instruction scalability;100.000000;96.748633;95.788940\n"
                             "Frequency scalability;100.000000;98.792129;96.697961\n"
                             "Speedup;1.000000;1.899545;3.600360\n"
                             "Average IPC;1.871993;1.870432;1.867233\n"
                             "Average frequency (GHz);2.069905;2.044904;2.001556\n"
                             "#\n"
                             "#Runtime (us);21898659.14;11528373.56;6082352.21\n"
                             "#Runtime (ideal);21884758.97;11504370.09;6051059.08\n"
                             "#Useful duration (average);21882362.82;11456696.18;5921167.02\n"
                             "#Useful duration (maximum);21882362.82;11484151.34;5999910.80\n"
                             "#Useful duration (total);21882362.82;22913392.37;23684668.07\n";
static const char tail[] =
    "#Useful instructions (total);84790848422.00;87640358419.00;88518412143.00\n"
    "#Useful cycles (total);45294421893.00;46855679955.00;47406198069.00\n";

static bool as_table(const char *line, enum prvcut_computing ideal, const char *serialization,
                     const char *most)
{
    struct prvcut_efficiency *e =
        of(epoch, (struct prvcut_efficiency_options){ .ideal_computing = ideal });
    char want[4096], *text = NULL;
    bool good;

    if (!e)
        return true;
    snprintf(want, sizeof want, "%s%s%s%s%s", head, serialization, middle, most, tail);
    ck_assert(prvcut_efficiency_csv(e, false, &text, &error) == PRVCUT_OK);
    good = strcmp(text, want) == 0;
    printf("%s\n%-4s %s\n", text, line, good ? "byte for byte as basicanalysis" : "WRONG");
    free(text);
    prvcut_efficiency_free(e);
    return good;
}

START_TEST(test_epoch_is_as_basicanalysis_writes_it)
{
    bool good = true;

    if (!traces_folder())
        return;
    good &= as_table("E1", PRVCUT_COMPUTING_RUNNING,
                     "Serialization efficiency;99.989051;99.824252;99.154722\n"
                     "Transfer efficiency;99.936525;99.791788;99.485509\n",
                     "#Useful duration (ideal, max);21882362.82;11484151.34;5999910.80\n");
    good &= as_table("E2", PRVCUT_COMPUTING_OUTSIDE,
                     "Serialization efficiency;100.000000;99.842359;99.203493\n"
                     "Transfer efficiency;99.925583;99.773690;99.436599\n",
                     "#Useful duration (ideal, max);21884758.97;11486234.50;6002862.00\n");
    ck_assert(good);
}
END_TEST

START_TEST(test_epoch_additive_and_counted_as_reference)
{
    static const char *const four[] = { "epoch.4", NULL };
    const struct prvcut_efficiency_options additive = { .form = PRVCUT_FACTORS_ADDITIVE };
    const struct prvcut_efficiency_options window = { .only = { 1961048246, 5926907303 } };
    struct prvcut_efficiency *e;
    bool good = true;

    if (!traces_folder() || !(e = of(four, additive)))
        return;
    good &= tell("E11", "load balance", factor(e, 0, PRVCUT_POP_BALANCE), 0.98705373, 5e-9);
    good &= tell("E11", "serialization", factor(e, 0, PRVCUT_POP_SERIALIZATION), 0.99159071, 5e-9);
    good &= tell("E11", "transfer", factor(e, 0, PRVCUT_POP_TRANSFER), 0.99485509, 5e-9);
    good &= tell("E11", "communication", factor(e, 0, PRVCUT_POP_COMMUNICATION), 0.98644580, 5e-9);
    good &= tell("E11", "parallel", factor(e, 0, PRVCUT_POP_PARALLEL), 0.97349953, 5e-9);
    prvcut_efficiency_free(e);
    e = of(four, window);
    good &= tell("E8", "instructions of epoch.4 in a window",
                 prvcut_efficiency_run(e, 0)->instructions, 61674144351, 1);
    good &= tell("E8", "cycles", prvcut_efficiency_run(e, 0)->cycles, 32777168794, 1);
    prvcut_efficiency_free(e);
    ck_assert(good);
}
END_TEST

/* --- Iterations ------------------------------------------------------------------------------- */

static const struct {
    const char *trace;
    size_t iteration, of;
    double runtime, ideal, factor[5];
} borders[] = {
    { "epoch.4",
      0,
      9,
      423286414.75,
      421770196.75,
      { 0.990647, 0.997197, 0.993432, 0.997003, 0.996418 } },
    { "epoch.4",
      8,
      9,
      463721922.00,
      461569025.50,
      { 0.967983, 0.997511, 0.970398, 0.974925, 0.995357 } },
    { "epoch.2", 8, 9, 0, 0, { 0, 0, 1.020342, 0, 0 } },
};

START_TEST(test_iterations_by_borders_as_reference)
{
    bool good = true;

    for (size_t i = 0; traces_folder() && i < sizeof borders / sizeof *borders; i++) {
        const char *const name[] = { borders[i].trace, NULL };
        char path[4096], what[80];
        struct prvcut_efficiency *e;
        const struct prvcut_efficiency_run *r;

        snprintf(path, sizeof path, "%s/../reference/%s.marks.tsv", traces_folder(),
                 borders[i].trace);
        if (!traces_shell("test -e '%s'", path) ||
            !(e = of(name, (struct prvcut_efficiency_options){ .borders = path }))) {
            test_leaves_out("there are no marks of iterations");
            continue;
        }
        r = prvcut_efficiency_run(e, borders[i].iteration);
        good &= e->runs == borders[i].of && r->iteration == borders[i].iteration + 1;
        snprintf(what, sizeof what, "%s, iteration %" PRIu64, borders[i].trace, r->iteration);
        if (borders[i].runtime > 0) {
            good &= tell("E9", what, r->runtime_ns, borders[i].runtime, 0);
            good &= tell("E9", "on an ideal network", r->ideal_ns, borders[i].ideal, 0);
        }
        for (unsigned k = 0; k < 5; k++)
            if (borders[i].factor[k] > 0)
                good &= tell("E9", prvcut_pop_text((enum prvcut_pop)k),
                             factor(e, borders[i].iteration, (enum prvcut_pop)k),
                             borders[i].factor[k], 5e-7);
        prvcut_efficiency_free(e);
    }
    ck_assert(good);
}
END_TEST

/* --- What others tell ------------------------------------------------------------------------- */

static double number_of(const struct prvcut_efficiency *e, const char *what)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, 0);

    for (unsigned i = 0; i < PRVCUT_POPS; i++)
        if (strcmp(what, prvcut_pop_text((enum prvcut_pop)i)) == 0)
            return factor(e, 0, (enum prvcut_pop)i);
    return strcmp(what, "ideal_ns") == 0       ? r->ideal_ns
           : strcmp(what, "acausal") == 0      ? (double)r->acausal
           : strcmp(what, "computing_ns") == 0 ? (double)r->computing_ns
           : strcmp(what, "instructions") == 0 ? r->instructions
           : strcmp(what, "cycles") == 0       ? r->cycles
                                               : (double)r->threads;
}

static const struct {
    const char *line, *trace, *what;
    double want, by; /* NAN: not told, with a reason */
} told[] = {
    { "E4", "hpcc.4", "ideal_ns", 1760863792, 0 },
    { "E4", "hpcc.4", "acausal", 5473, 0 },
    { "E5", "lulesh.8.omp", "threads", 16, 0 },
    { "E5", "lulesh.8.omp", "computing_ns", 1825404089, 0 },
    { "E5", "lulesh.8.omp", "balance", 0.37444033, 5e-9 },
    { "E5", "lulesh.8.omp", "ideal_ns", 1661518528, 0 },
    { "E8", "epoch.2", "instructions", 87640358419, 0 },
    { "E8", "epoch.2", "cycles", 46855679955, 0 },
    { "E8", "bt.W.4.hwc", "instructions", 4877338688, 0 },
    { "E8", "bt.W.4.hwc", "cycles", 3722088101, 0 },
    { "E8", "lu.A.2.preempt", "instructions", 68607096482, 0 },
    { "E8", "lu.A.2.preempt", "cycles", 52377110578, 0 },
    { "E13", "sp.W.9.burst", "balance", 0.93915614, 5e-9 },
    { "E13", "sp.W.9.burst", "communication", 0.03400570, 5e-9 },
    { "E13", "sp.W.9.burst", "serialization", (double)NAN, 0 },
    { "E13", "sp.W.9.burst", "transfer", (double)NAN, 0 },
    { "E13", "sp.W.9.burst", "ideal_ns", (double)NAN, 0 },
    { "E13", "lu.W.4", "ipc", (double)NAN, 0 },
    { "E13", "lu.S.4", "ipc", (double)NAN, 0 },
    { "E13", "lu.S.4", "ipc_scalability", (double)NAN, 0 },
    { "E13", "lu.S.4", "frequency_ghz", (double)NAN, 0 },
    { "E13", "lu.S.4", "computation_scalability", 1, 0 },
    { "E13", "lu.S.4", "speedup", 1, 0 },
};

static bool has_reason(const struct prvcut_efficiency *e, const char *what)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, 0);

    for (size_t i = 0; i < r->reasons; i++)
        if (strcmp(prvcut_efficiency_reason(r, i)->what, what) == 0)
            return prvcut_efficiency_reason(r, i)->text != NULL;
    return false;
}

START_TEST(test_real_runs_tell_as_reference)
{
    struct prvcut_efficiency *e = NULL;
    const char *present = "";
    bool good = true;

    for (size_t i = 0; traces_folder() && i < sizeof told / sizeof *told; i++) {
        const char *const name[] = { told[i].trace, NULL };
        char what[80];

        if (strcmp(present, told[i].trace) != 0) {
            prvcut_efficiency_free(e);
            e = of(name, (struct prvcut_efficiency_options){ 0 });
            present = told[i].trace;
        }
        if (!e)
            continue;
        snprintf(what, sizeof what, "%s: %s", told[i].trace, told[i].what);
        if (isnan(told[i].want)) {
            const bool fine = isnan(number_of(e, told[i].what)) && has_reason(e, told[i].what);

            printf("%-4s %-40s %22s  %s\n", told[i].line, what, "-",
                   fine ? "with its reason" : "WRONG");
            good &= fine;
        } else {
            good &= tell(told[i].line, what, number_of(e, told[i].what), told[i].want, told[i].by);
        }
    }
    prvcut_efficiency_free(e);
    ck_assert(good);
}
END_TEST

/* --- What must hold --------------------------------------------------------------------------- */

static double away(double a, double b)
{
    return fabs(a - b) / (fabs(b) > 0 ? fabs(b) : 1);
}

/* Any numbers, always the same. */
static double any(uint32_t *seed, double low, double high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (*seed >> 8) / (double)(1u << 24);
}

START_TEST(test_identities_hold)
{
    uint32_t seed = 1;
    double worst = 0;

    for (unsigned i = 0; i < 2000; i++) {
        struct prvcut_hierarchy_sums s[2];
        double f[2][PRVCUT_POPS];
        const bool weak = i % 2;

        for (unsigned k = 0; k < 2; k++) {
            const double n = floor(any(&seed, 1, 1000)), most = any(&seed, 1, 1e12);

            s[k] = (struct prvcut_hierarchy_sums){ .threads = n,
                                                   .most = most,
                                                   .total = n * most * any(&seed, 0.1, 1),
                                                   .processes = n,
                                                   .processed = n * most * any(&seed, 0.1, 1),
                                                   .ideal = most * any(&seed, 0.9, 3),
                                                   .runtime = most * any(&seed, 1, 5),
                                                   .instructions = any(&seed, 1, 1e15),
                                                   .cycles = any(&seed, 1, 1e15) };
            s[k].ideal_most = i % 3 ? most : most * any(&seed, 1, 1.1);
            prvcut_hierarchy_of(f[k], &s[k], PRVCUT_FACTORS_MULTIPLICATIVE);
        }
        for (unsigned k = 0; k < 2; k++) {
            prvcut_hierarchy_compare(f[k], &s[k], &s[0], weak);
            worst = fmax(worst, away(f[k][PRVCUT_POP_SERIALIZATION] * f[k][PRVCUT_POP_TRANSFER],
                                     f[k][PRVCUT_POP_COMMUNICATION]));
            worst = fmax(worst, away(f[k][PRVCUT_POP_BALANCE] * f[k][PRVCUT_POP_COMMUNICATION],
                                     f[k][PRVCUT_POP_PARALLEL]));
            worst = fmax(worst, away(f[k][PRVCUT_POP_IPC_SCALABILITY] *
                                         f[k][PRVCUT_POP_INSTRUCTION_SCALABILITY] *
                                         f[k][PRVCUT_POP_FREQUENCY_SCALABILITY],
                                     f[k][PRVCUT_POP_COMPUTATION_SCALABILITY]));
            worst = fmax(worst, away(s[k].threads / s[0].threads * f[k][PRVCUT_POP_GLOBAL] /
                                         f[0][PRVCUT_POP_GLOBAL],
                                     f[k][PRVCUT_POP_SPEEDUP]));
            worst = fmax(
                worst, away((weak ? s[k].threads / s[0].threads : 1) * s[0].runtime / s[k].runtime,
                            f[k][PRVCUT_POP_SPEEDUP]));
        }
    }
    printf("E12  2000 pairs of runs: no product is off by more than %.1g\n", worst);
    ck_assert(worst < 1e-12);
}
END_TEST

START_TEST(test_additive_and_multiplicative_agree_at_the_top)
{
    const struct prvcut_hierarchy_sums s = { .threads = 4,
                                             .most = 90,
                                             .total = 300,
                                             .processes = 2,
                                             .processed = 170,
                                             .ideal = 95,
                                             .ideal_most = 90,
                                             .runtime = 100,
                                             .instructions = (double)NAN,
                                             .cycles = (double)NAN };
    double a[PRVCUT_POPS], m[PRVCUT_POPS];

    prvcut_hierarchy_of(a, &s, PRVCUT_FACTORS_ADDITIVE);
    prvcut_hierarchy_of(m, &s, PRVCUT_FACTORS_MULTIPLICATIVE);
    ck_assert(away(a[PRVCUT_POP_PARALLEL], m[PRVCUT_POP_PARALLEL]) < 1e-15);
    ck_assert(away(a[PRVCUT_POP_COMMUNICATION], m[PRVCUT_POP_COMMUNICATION]) < 1e-15);
    ck_assert(away(a[PRVCUT_POP_BALANCE], 0.85) < 1e-15);
    ck_assert(isnan(a[PRVCUT_POP_IPC]) && isnan(m[PRVCUT_POP_FREQUENCY]));
}
END_TEST

START_TEST(test_nothing_is_told_of_nothing)
{
    const struct prvcut_hierarchy_sums none = { .threads = 4, .processes = 4, .runtime = 100 };
    double f[PRVCUT_POPS];

    prvcut_hierarchy_of(f, &none, PRVCUT_FACTORS_MULTIPLICATIVE);
    prvcut_hierarchy_compare(f, &none, &none, false);
    for (unsigned i = 0; i < PRVCUT_POPS; i++)
        ck_assert_msg(isnan(f[i]) || i == PRVCUT_POP_SPEEDUP, "%u", i);
}
END_TEST

/* A run of that length on so many ranks, all of which compute for 1000 ns. */
static struct prvcut_trace *made_run(unsigned ranks, unsigned length)
{
    static unsigned number;
    char path[64];
    FILE *f;

    snprintf(path, sizeof path, "efficiency-group-%u.prv", number++);
    f = fopen(path, "w");
    ck_assert(f != NULL);
    fprintf(f, "#Paraver (01/01/2026 at 12:00):%u_ns:1(%u):1:%u(", length, ranks, ranks);
    for (unsigned i = 0; i < ranks; i++)
        fprintf(f, "%s1:1", i > 0 ? "," : "");
    fprintf(f, "),0\n");
    for (unsigned i = 1; i <= ranks; i++)
        fprintf(f, "1:%u:1:%u:1:0:1000:1\n", i, i);
    fclose(f);
    return open_sound(path);
}

static void add_run(struct prvcut_efficiency **e, const char *group, unsigned ranks,
                    unsigned length)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_efficiency_options o = { .size = sizeof o, .group = group };
    struct prvcut_trace *t = made_run(ranks, length);
    enum prvcut_status st = PRVCUT_OK;

    if (*e && group)
        st = prvcut_efficiency_group_begin(*e, group, &error);
    ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
    st = *e ? prvcut_efficiency_add(*e, t, &run, false, &error)
            : prvcut_efficiency_make(t, &run, &o, e, &error);
    ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
    prvcut_trace_close(t);
}

/* From a tenth of the time on: what is in no state may be computing, and all that is lost is not.
 */
START_TEST(test_much_time_in_no_state_is_told)
{
    for (unsigned much = 0; much < 2; much++) {
        const struct prvcut_efficiency_run *r;
        struct prvcut_efficiency *e = NULL;
        char *text = NULL, *json = NULL;

        add_run(&e, NULL, 2, much ? 1112 : 1110);
        r = prvcut_efficiency_run(e, 0);
        ck_assert_uint_eq(r->notes, much);
        ck_assert(!much || strstr(prvcut_efficiency_note(r, 0),
                                  "10 % of the time is in no recorded state and counts as not"));
        ck_assert_int_eq(prvcut_efficiency_text(e, false, &text, &error), PRVCUT_OK);
        ck_assert_int_eq(prvcut_efficiency_json(e, false, &json, &error), PRVCUT_OK);
        ck_assert(strstr(text, much ? ": parallel efficiency 89.93 % at least; 10 %"
                                    : ": parallel efficiency 90.09 %; most is lost"));
        ck_assert(strstr(json, much ? "\"lower_bound\": true" : "\"lower_bound\": false"));
        free(text);
        free(json);
        prvcut_efficiency_free(e);
    }
}
END_TEST

START_TEST(test_groups_are_compared_where_all_have_runs)
{
    struct prvcut_efficiency *e = NULL;
    const struct prvcut_efficiency_group *a, *b;
    char *text = NULL;

    /* a: 2 to 8, twice on 4; b: 1 to 4; common is 2 to 4. */
    add_run(&e, "a", 8, 1100);
    add_run(&e, NULL, 2, 4000);
    add_run(&e, NULL, 4, 2500);
    add_run(&e, NULL, 4, 2000);
    ck_assert_int_eq(prvcut_efficiency_group_begin(e, "a", &error), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_efficiency_group_begin(e, "", &error), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_efficiency_group_begin(e, NULL, &error), PRVCUT_EUSAGE);
    ck_assert_uint_eq(e->to_threads, 8);
    ck_assert(prvcut_efficiency_group(e, 0)->best);
    add_run(&e, "b", 4, 1600);
    ck_assert_str_eq(e->not_compared, "they share fewer than two numbers of threads");
    add_run(&e, NULL, 1, 6400);
    add_run(&e, NULL, 2, 3600);
    a = prvcut_efficiency_group(e, 0);
    b = prvcut_efficiency_group(e, 1);
    ck_assert(!prvcut_efficiency_group(e, 2) && !e->not_compared);
    ck_assert_uint_eq(e->groups, 2);
    ck_assert_uint_eq(e->from_threads, 2);
    ck_assert_uint_eq(e->to_threads, 4);
    ck_assert_uint_eq(a->first, 0);
    ck_assert_uint_eq(a->runs, 4);
    ck_assert_uint_eq(b->first, 4);
    ck_assert_uint_eq(b->runs, 3);
    ck_assert_uint_eq(prvcut_efficiency_run(e, a->base)->threads, 2);
    ck_assert_uint_eq(prvcut_efficiency_run(e, b->base)->threads, 1);
    /* 4000 / 2000, not 4000 / 2500; 3600 / 1600 */
    ck_assert(fabs(a->speedup - 2) < 1e-12 && fabs(b->speedup - 2.25) < 1e-12);
    ck_assert(!a->best && b->best);
    ck_assert(fabs(factor(e, 6, PRVCUT_POP_SPEEDUP) - 4) < 1e-12);
    ck_assert_int_eq(prvcut_efficiency_csv(e, false, &text, &error), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_efficiency_text(e, false, &text, &error), PRVCUT_OK);
    ck_assert_msg(strncmp(text, "b scales best: speedup 2.25 from 2 to 4 ranks\n", 46) == 0, "%s",
                  text);
    free(text);
    ck_assert_int_eq(prvcut_efficiency_group_begin(e, "c", &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_efficiency_group_begin(e, "d", &error), PRVCUT_EUSAGE);
    prvcut_efficiency_free(e);
    e = NULL;
    add_run(&e, NULL, 2, 4000);
    ck_assert_int_eq(prvcut_efficiency_group_begin(e, "late", &error), PRVCUT_EUSAGE);
    ck_assert_uint_eq(e->groups, 0);
    prvcut_efficiency_free(e);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("efficiency");
    TCase *c = tcase_create("factors");

    tcase_set_timeout(c, 300);
    tcase_add_test(c, test_identities_hold);
    tcase_add_test(c, test_additive_and_multiplicative_agree_at_the_top);
    tcase_add_test(c, test_nothing_is_told_of_nothing);
    tcase_add_test(c, test_much_time_in_no_state_is_told);
    tcase_add_test(c, test_groups_are_compared_where_all_have_runs);
    tcase_add_test(c, test_epoch_is_as_basicanalysis_writes_it);
    tcase_add_test(c, test_epoch_additive_and_counted_as_reference);
    tcase_add_test(c, test_iterations_by_borders_as_reference);
    tcase_add_test(c, test_real_runs_tell_as_reference);
    suite_add_tcase(s, c);
    return run_suite(s);
}
