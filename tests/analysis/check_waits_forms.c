#include "known_waits.h"

#include "prvcut/convert.h"
#include "prvcut/cut.h"
#include "prvcut/waits_patterns.h"

/* Wait states are the same whatever the format, the workers and the rows; what clocks contradict.
 */

/* --- F8: the same in another format ----------------------------------------------------------- */

static void convert(const char *from, const char *to)
{
    const struct prvcut_convert_options o = { .size = sizeof o, .path = to, .force = true };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_trace *t;

    ck_assert_int_eq(prvcut_trace_open(&t, from, NULL, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_convert(t, NULL, &o, &sum, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
}

static bool is_whole(const struct prvcut_waits_metric *m)
{
    return !m->reason && !m->partial;
}

/* OTF does not tell when receives were posted: then only in part, or not at all. */
static void compare(const char *name, const struct prvcut_wait_states *a,
                    const struct prvcut_wait_states *b, bool all)
{
    for (size_t i = 0; i < a->metrics; i++) {
        const struct prvcut_waits_metric *x = prvcut_waits_metric(a, i),
                                         *y = prvcut_waits_metric(b, i);

        if (i >= PRVCUT_WAIT_OMP_FORK || (!all && is_whole(x) && !is_whole(y)))
            continue;
        ck_assert_msg(!x->reason == !y->reason, "%s %s: %s", name, x->name,
                      y->reason ? y->reason : "told");
        ck_assert_msg(x->severity_ns == y->severity_ns && x->instances == y->instances,
                      "%s %s: %" PRIu64 ", %" PRIu64, name, x->name, x->severity_ns,
                      y->severity_ns);
    }
}

static void check_formats(char **cell, void *folder)
{
    static const char *const format[] = { "otf2", "otf" };
    char path[2048], to[2048];
    struct prvcut_wait_states *a, *b;

    /* Messages that contradict each other on one clock are mended in archives. */
    if (strcmp(cell[0], "paraver") != 0 || strcmp(cell[1], "hpcc.4") == 0 ||
        !path_of(path, sizeof path, "paraver", cell[1]))
        return;
    a = waits_of(path, false, 2);
    for (size_t k = 0; k < sizeof format / sizeof *format; k++) {
        if (!test_writes(format[k]))
            continue;
        snprintf(to, sizeof to, "%s/x.%s", (const char *)folder, format[k]);
        convert(path, to);
        b = waits_of(to, false, 2);
        printf("  %-20s %s\n", cell[1], format[k]);
        compare(cell[1], a, b, k == 0);
        prvcut_wait_states_free(b);
    }
    prvcut_wait_states_free(a);
}

START_TEST(test_waits_are_the_same_in_every_format)
{
    char folder[] = "/tmp/prvcut-test.XXXXXX";

    ck_assert_ptr_nonnull(mkdtemp(folder));
    each_line("rows", check_formats, folder);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* --- F10 to F12, H1 --------------------------------------------------------------------------- */

static struct prvcut_wait_states *plain_waits(const char *path, int threads)
{
    return waits_of(path, false, threads);
}

START_TEST(test_waits_do_not_depend_on_workers)
{
    char path[2048];

    if (path_of(path, sizeof path, "paraver", "lu.S.4"))
        check_workers(path, plain_waits);
}
END_TEST

/* With patterns of a program, even none, all is sorted first. */
static char *json_of(const char *path, const struct prvcut_waits_patterns *own)
{
    const struct prvcut_waits_options o = { .size = sizeof o, .patterns = own };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_wait_states *w = NULL;
    struct prvcut_trace *t;
    char *text = NULL;

    ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_waits_make(t, NULL, &o, &w, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_int_eq(prvcut_waits_json(w, &text, &err), PRVCUT_OK);
    prvcut_wait_states_free(w);
    prvcut_trace_close(t);
    return text;
}

START_TEST(test_waits_are_the_same_where_threads_are_sorted_first)
{
    static const char *const names[] = { "lu.S.4", "hpcc.4", "lulesh.8.omp" };
    struct prvcut_waits_patterns *none;
    struct prvcut_error err = { .status = PRVCUT_OK };
    char path[2048];

    ck_assert_int_eq(prvcut_waits_patterns_new(&none, &err), PRVCUT_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *live, *sorted;

        if (!path_of(path, sizeof path, "paraver", names[i]))
            continue;
        live = json_of(path, NULL);
        sorted = json_of(path, none);
        ck_assert_str_eq(live, sorted);
        free(live);
        free(sorted);
    }
    prvcut_waits_patterns_free(none);
}
END_TEST

static const struct {
    const char *metric, *path;
    uint64_t ns;
} known_paths[] = {
    { "late_sender", "MAIN__/ssor_/exchange_1_/MPI_Recv", 606171781 },
    { "late_sender", "ssor_/rhs_/exchange_3_/MPI_Wait", 199559926 },
    { "late_sender", "MAIN__/pintgr_/exchange_5_/MPI_Wait", 7761688 },
    { "late_sender", "MAIN__/erhs_/exchange_3_/MPI_Wait", 2638393 },
    { "late_receiver", "ssor_/rhs_/exchange_3_/MPI_Send", 383655357 },
    { "wait_nxn", "MAIN__/ssor_/l2norm_/MPI_Allreduce", 26214360 },
};

static uint64_t on_path(const struct prvcut_wait_states *w, const char *metric, const char *path)
{
    const struct prvcut_waits_metric *m = metric_of(w, metric);
    const struct prvcut_waits_path *p;

    for (size_t k = 0; (p = prvcut_waits_path(w, m->wait, k)) != NULL; k++) {
        char text[400] = "";
        const char *name;

        for (size_t d = 0; (name = prvcut_waits_frame(w, p->path, d)) != NULL; d++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", d > 0 ? "/" : "",
                     name);
        if (strcmp(text, path) == 0)
            return p->severity_ns;
    }
    return 0;
}

START_TEST(test_waits_by_path_add_up)
{
    struct prvcut_wait_states *w;
    char path[2048];

    if (!path_of(path, sizeof path, "paraver", "lu.S.4"))
        return;
    w = waits_of(path, false, 1);
    for (size_t i = 0; i < sizeof known_paths / sizeof *known_paths; i++) {
        printf("  %-16s %-40s %" PRIu64 "\n", known_paths[i].metric, known_paths[i].path,
               known_paths[i].ns);
        ck_assert_uint_eq(on_path(w, known_paths[i].metric, known_paths[i].path),
                          known_paths[i].ns);
    }
    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);
        uint64_t sum = 0, ranks = 0;

        for (size_t k = 0; k < m->paths; k++)
            sum += prvcut_waits_path(w, i, k)->severity_ns;
        for (uint32_t r = 0; r < w->ranks; r++)
            ranks += m->rank_ns[r];
        ck_assert_uint_eq(sum, m->severity_ns);
        ck_assert_uint_eq(ranks, m->severity_ns);
    }
    prvcut_wait_states_free(w);
}
END_TEST

START_TEST(test_waits_of_a_cut_are_no_more_than_of_the_whole)
{
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048], to[2048];
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_wait_states *whole, *part;
    struct prvcut_trace *t;
    struct prvcut_cut_options o = { .size = sizeof o, .force = true };
    struct prvcut_span window;

    if (!path_of(path, sizeof path, "paraver", "lu.S.4"))
        return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(to, sizeof to, "%s/c.prv", folder);
    ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &err), PRVCUT_OK);
    o.path = to;
    window = (struct prvcut_span){ prvcut_trace_end(t) / 5 * 2, prvcut_trace_end(t) / 5 * 3 };
    ck_assert_msg(prvcut_cut(t, NULL, &window, &o, &sum, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(t);
    whole = waits_of(path, false, 1);
    part = waits_of(to, false, 1);
    for (size_t i = 0; i < PRVCUT_WAIT_OMP_FORK; i++)
        ck_assert_uint_le(prvcut_waits_metric(part, i)->severity_ns,
                          prvcut_waits_metric(whole, i)->severity_ns);
    ck_assert_uint_gt(prvcut_waits_metric(part, 0)->severity_ns, 0);
    ck_assert_uint_gt(part->messages, 0);
    prvcut_wait_states_free(whole);
    prvcut_wait_states_free(part);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* Of one clock it is the trace that is wrong. */
static void check_clock(char **cell, void *ctx)
{
    const bool wrong = strcmp(cell[1], "hpcc.4") == 0;
    const struct prvcut_waits_clock *c;
    struct prvcut_wait_states *w;
    char path[2048];

    (void)ctx;
    if (strcmp(cell[0], "paraver") != 0 || !path_of(path, sizeof path, "paraver", cell[1]))
        return;
    w = waits_of(path, false, 2);
    c = prvcut_waits_clock(w);
    printf("  %-20s %" PRIu64 " of %" PRIu64 ", worst %" PRIu64 "\n", cell[1], c->violations,
           c->checked, c->worst_ns);
    ck_assert_uint_eq(c->violations, wrong ? 5473 : 0);
    ck_assert_uint_eq(c->worst_ns, wrong ? 37887437 : 0);
    ck_assert_uint_eq(c->matching, c->violations);
    prvcut_wait_states_free(w);
}

START_TEST(test_waits_tell_what_clocks_contradict)
{
    char path[2048];

    each_line("rows", check_clock, NULL);
    if (!test_reads("otf2") || !path_of(path, sizeof path, "otf2", "lu.S.4"))
        return;
    for (int raw = 0; raw < 2; raw++) {
        struct prvcut_wait_states *w = waits_of(path, raw, 1);
        const struct prvcut_waits_clock *c = prvcut_waits_clock(w);

        ck_assert_uint_eq(c->before_worst_ns, 24456645);
        ck_assert_double_le(fabs((double)c->before_violations - 2295), 0.02 * 2295);
        ck_assert_uint_eq(c->violations, raw ? c->before_violations : 0);
        prvcut_wait_states_free(w);
    }
}
END_TEST

/* --- H3: clocks that drift, or are set -------------------------------------------------------- */

static struct prvcut_wait_states *of_bent(const char *path, int threads)
{
    return waits_of(path, false, threads);
}

static bool bent_path(char *path, size_t room, const char *name)
{
    if (!traces_folder() || !test_reads("otf2"))
        return false;
    snprintf(path, room, "%s/../analyses/waits-data/lu.S.4.%s.tar.zst", traces_folder(), name);
    return access(path, R_OK) == 0;
}

/* What lu.S.4 loses with clocks that agree, ns. */
static void check_near(const struct prvcut_wait_states *w, const char *name, double want)
{
    const struct prvcut_waits_metric *m = metric_of(w, name);

    printf("  %-20s %.6f of %.6f\n", name, (double)m->severity_ns / 1e9, want / 1e9);
    ck_assert_double_le(fabs((double)m->severity_ns - want), 0.01 * want);
}

START_TEST(test_waits_bend_clocks_that_drift_or_are_set)
{
    static const char *const names[] = { "drift", "step" };
    char path[4096];

    for (size_t i = 0; i < 2; i++) {
        const struct prvcut_waits_clock *c;
        struct prvcut_wait_states *w;

        if (!bent_path(path, sizeof path, names[i]))
            return;
        w = waits_of(path, false, 2);
        c = prvcut_waits_clock(w);
        printf("  %-20s %" PRIu64 " of %" PRIu64 ", before %" PRIu64 "\n", names[i], c->violations,
               c->checked, c->before_violations);
        ck_assert_str_eq(c->source, "piecewise");
        ck_assert_uint_le(c->violations * (i == 0 ? 20 : 10), c->before_violations);
        ck_assert_uint_ge(c->offsets, 4 * 8);
        check_near(w, "late_sender", 816164265);
        check_near(w, "late_receiver", 400632126);
        prvcut_wait_states_free(w);
    }
    check_workers(path, of_bent);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits_forms");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, test_waits_are_the_same_in_every_format);
    tcase_add_test(all, test_waits_do_not_depend_on_workers);
    tcase_add_test(all, test_waits_are_the_same_where_threads_are_sorted_first);
    tcase_add_test(all, test_waits_by_path_add_up);
    tcase_add_test(all, test_waits_of_a_cut_are_no_more_than_of_the_whole);
    tcase_add_test(all, test_waits_tell_what_clocks_contradict);
    tcase_add_test(all, test_waits_bend_clocks_that_drift_or_are_set);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
