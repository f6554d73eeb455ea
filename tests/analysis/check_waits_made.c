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

int main(void)
{
    Suite *suite = suite_create("waits_made");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, test_applications_do_not_wait_for_each_other);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
