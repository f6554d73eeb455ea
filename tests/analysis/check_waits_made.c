#include "known_waits.h"

/* Wait states of small traces that are written here, so that each wait is known to the ns. */

/* Wait states of a Paraver trace of these lines, which begin with the objects of the header. */
static struct prvcut_wait_states *waits_of_lines(const char *lines)
{
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048];
    struct prvcut_wait_states *w;
    FILE *f;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/made.prv", folder);
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 00:00):20000_ns:%s", lines);
    fclose(f);
    w = waits_of(path, false, 2);
    ck_assert(traces_shell("rm -rf '%s'", folder));
    return w;
}

static void check_ranks(const struct prvcut_wait_states *w, const char *name, size_t ranks,
                        const uint64_t *wanted)
{
    const struct prvcut_waits_metric *m = metric_of(w, name);

    ck_assert_msg(!m->reason, "%s: %s", name, m->reason);
    for (size_t i = 0; i < ranks; i++)
        ck_assert_msg(m->rank_ns[i] == wanted[i], "%s of rank %zu: %" PRIu64 " ns for %" PRIu64,
                      name, i, m->rank_ns[i], wanted[i]);
}

/* --- Applications ----------------------------------------------------------------------------- */

/* Who runs in another application neither begins nor ends with those of this one. */
START_TEST(test_applications_do_not_wait_for_each_other)
{
    static const uint64_t init[] = { 0, 300, 0, 0 }, finalize[] = { 400, 0, 0, 700 };
    struct prvcut_wait_states *w =
        waits_of_lines("1(4):2:2(1:1,1:1),2(1:1,1:1)\n"
                       "2:1:1:1:1:100:50000003:31\n2:2:1:2:1:200:50000003:31\n"
                       "2:1:1:1:1:500:50000003:0\n2:2:1:2:1:800:50000003:0\n"
                       "2:1:1:1:1:1000:50000001:1\n2:1:1:1:1:1010:50000001:0\n"
                       "2:1:1:1:1:2000:50000003:32\n2:2:1:2:1:2400:50000003:32\n"
                       "2:1:1:1:1:2500:50000003:0\n2:2:1:2:1:2500:50000003:0\n"
                       "2:3:2:1:1:6000:50000003:31\n2:4:2:2:1:6000:50000003:31\n"
                       "2:3:2:1:1:7000:50000003:0\n2:4:2:2:1:7000:50000003:0\n"
                       "2:4:2:2:1:8300:50000003:32\n2:3:2:1:1:9000:50000003:32\n"
                       "2:3:2:1:1:9100:50000003:0\n2:4:2:2:1:9100:50000003:0\n");

    check_ranks(w, "init_completion", 4, init);
    check_ranks(w, "finalize_wait", 4, finalize);
    prvcut_wait_states_free(w);
}
END_TEST

/* --- OpenMP ----------------------------------------------------------------------------------- */

/* A region of threads 1 to 3, from 1000 to 2000. */
#define REGION                                                                                     \
    "2:1:1:1:1:1000:60000001:1\n2:1:1:1:1:1010:60000018:1\n"                                       \
    "2:1:1:1:2:1015:60000018:1\n2:1:1:1:3:1020:60000018:1\n"
#define REGION_ENDS                                                                                \
    "2:1:1:1:3:1978:60000018:0\n2:1:1:1:2:1979:60000018:0\n"                                       \
    "2:1:1:1:1:1980:60000018:0\n2:1:1:1:1:2000:60000001:0\n"

/* Threads 2 and 3 begin regions of their own inside it, which nobody else joins. */
START_TEST(test_regions_inside_regions_are_their_masters)
{
    static const uint64_t fork[] = { 10 + 15 + 20 + 10 + 11 }, end[] = { 0 + 1 + 2 },
                          idle[] = { 2 * (20000 - 1000) };
    struct prvcut_wait_states *w = waits_of_lines(
        "1(1):1:1(3:1)\n1:1:1:1:1:0:20000:1\n" REGION
        "2:1:1:1:2:1200:60000001:1\n2:1:1:1:3:1205:60000001:1\n2:1:1:1:2:1210:60000018:2\n"
        "2:1:1:1:3:1216:60000018:2\n2:1:1:1:2:1300:60000018:0\n2:1:1:1:2:1310:60000001:0\n"
        "2:1:1:1:3:1700:60000018:0\n2:1:1:1:3:1710:60000001:0\n" REGION_ENDS);

    check_ranks(w, "omp_fork", 1, fork);
    check_ranks(w, "omp_ibarrier_wait", 1, end);
    check_ranks(w, "omp_idle", 1, idle);
    prvcut_wait_states_free(w);
}
END_TEST

/* A thread that begins while another one's region is open may be of either. */
START_TEST(test_whose_team_a_thread_is_in_is_not_guessed)
{
    static const uint64_t idle[] = { 3 * (20000 - 1000) };
    struct prvcut_wait_states *w = waits_of_lines(
        "1(1):1:1(4:1)\n1:1:1:1:1:0:20000:1\n" REGION
        "2:1:1:1:2:1200:60000001:1\n2:1:1:1:2:1210:60000018:2\n2:1:1:1:4:1220:60000018:2\n"
        "2:1:1:1:4:1250:60000018:0\n2:1:1:1:2:1300:60000018:0\n2:1:1:1:2:1310:60000001:"
        "0\n" REGION_ENDS);

    ck_assert_ptr_nonnull(metric_of(w, "omp_fork")->reason);
    ck_assert_ptr_nonnull(metric_of(w, "omp_ibarrier_wait")->reason);
    check_ranks(w, "omp_idle", 1, idle);
    prvcut_wait_states_free(w);
}
END_TEST

/* A region of fewer threads has barriers, too: they are not those of the next region. */
START_TEST(test_barriers_are_of_one_team)
{
    static const uint64_t wait[] = { 100 + 50 + 70 + 30 };
    struct prvcut_wait_states *w = waits_of_lines(
        "1(1):1:1(3:1)\n1:1:1:1:1:0:20000:1\n" REGION
        "2:1:1:1:1:1100:60000005:1\n2:1:1:1:2:1150:60000005:1\n2:1:1:1:3:1200:60000005:1\n"
        "2:1:1:1:1:1205:60000005:0\n2:1:1:1:2:1205:60000005:0\n2:1:1:1:3:1205:60000005:"
        "0\n" REGION_ENDS
        "2:1:1:1:1:3000:60000001:1\n2:1:1:1:1:3010:60000018:1\n2:1:1:1:2:3010:60000018:1\n"
        "2:1:1:1:1:3100:60000005:1\n2:1:1:1:2:3170:60000005:1\n2:1:1:1:1:3180:60000005:0\n"
        "2:1:1:1:2:3180:60000005:0\n2:1:1:1:1:3500:60000018:0\n2:1:1:1:2:3500:60000018:0\n"
        "2:1:1:1:1:3510:60000001:0\n"
        "2:1:1:1:1:4000:60000001:1\n2:1:1:1:1:4010:60000018:1\n2:1:1:1:2:4010:60000018:1\n"
        "2:1:1:1:3:4010:60000018:1\n2:1:1:1:2:4100:60000005:1\n2:1:1:1:1:4130:60000005:1\n"
        "2:1:1:1:3:4130:60000005:1\n2:1:1:1:1:4140:60000005:0\n2:1:1:1:2:4140:60000005:0\n"
        "2:1:1:1:3:4140:60000005:0\n2:1:1:1:1:4500:60000018:0\n2:1:1:1:2:4500:60000018:0\n"
        "2:1:1:1:3:4500:60000018:0\n2:1:1:1:1:4510:60000001:0\n");

    check_ranks(w, "omp_ebarrier_wait", 1, wait);
    prvcut_wait_states_free(w);
}
END_TEST

/* Behind a region's end, too, there may be some. */
START_TEST(test_barriers_behind_a_region_are_not_its_own)
{
    static const uint64_t wait[] = { 100 + 50 + 30 + 30 };
    struct prvcut_wait_states *w = waits_of_lines(
        "1(1):1:1(3:1)\n1:1:1:1:1:0:20000:1\n" REGION
        "2:1:1:1:1:1100:60000005:1\n2:1:1:1:2:1150:60000005:1\n2:1:1:1:3:1200:60000005:1\n"
        "2:1:1:1:1:1205:60000005:0\n2:1:1:1:2:1205:60000005:0\n2:1:1:1:3:1205:60000005:"
        "0\n" REGION_ENDS
        "2:1:1:1:1:3100:60000005:1\n2:1:1:1:2:3100:60000005:1\n2:1:1:1:3:3130:60000005:1\n"
        "2:1:1:1:1:3140:60000005:0\n2:1:1:1:2:3140:60000005:0\n2:1:1:1:3:3140:60000005:0\n");

    check_ranks(w, "omp_ebarrier_wait", 1, wait);
    prvcut_wait_states_free(w);
}
END_TEST

/* Where one of a team lacks a barrier, it is not told which belong together. */
START_TEST(test_barriers_that_one_lacks_are_not_guessed)
{
    struct prvcut_wait_states *w =
        waits_of_lines("1(1):1:1(3:1)\n1:1:1:1:1:0:20000:1\n" REGION
                       "2:1:1:1:1:1100:60000005:1\n2:1:1:1:2:1150:60000005:1\n"
                       "2:1:1:1:1:1205:60000005:0\n2:1:1:1:2:1205:60000005:0\n" REGION_ENDS);

    ck_assert_ptr_nonnull(metric_of(w, "omp_ebarrier_wait")->reason);
    prvcut_wait_states_free(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits_made");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, test_applications_do_not_wait_for_each_other);
    tcase_add_test(all, test_regions_inside_regions_are_their_masters);
    tcase_add_test(all, test_whose_team_a_thread_is_in_is_not_guessed);
    tcase_add_test(all, test_barriers_are_of_one_team);
    tcase_add_test(all, test_barriers_behind_a_region_are_not_its_own);
    tcase_add_test(all, test_barriers_that_one_lacks_are_not_guessed);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
