/* Runs on an ideal network as other programs replay them. */
#include "tests/analysis/efficiency_read.h"
#include "tests/analysis/efficiency_reference.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool open_real(struct prvcut_trace **t, const char *name)
{
    char path[4096];

    if (strncmp(name, "epoch", 5) != 0) {
        if (!traces_wanted("paraver", name) || !traces_unpack(name, path, sizeof path))
            return false;
    } else {
        snprintf(path, sizeof path, "%s/more/%s/%s.prv.zst", traces_folder(), name, name);
        if (!traces_shell("test -e '%s'", path))
            return false;
    }
    *t = open_sound(path);
    return true;
}

static bool as_told(uint64_t got, uint64_t want)
{
    return want == 0 || got == want;
}

static bool judge(const struct reference_run *r, struct prvcut_trace *t, int workers)
{
    struct prvcut_efficiency_found f, causal;
    uint64_t total = 0, most = 0, outside = 0;
    bool good;

    read_run(&f, t, r->only, PRVCUT_REPLAY_DIMEMAS, PRVCUT_REPLAY_CAP, workers);
    read_run(&causal, t, r->only, PRVCUT_REPLAY_CAUSAL, PRVCUT_REPLAY_CAP, workers);
    for (uint32_t i = 0; i < f.threads; i++) {
        total += f.sum[i].running;
        most = f.sum[i].running > most ? f.sum[i].running : most;
        outside = f.sum[i].outside > outside ? f.sum[i].outside : outside;
    }
    good = f.threads == r->threads &&
           f.counts.peak_lane <= (strcmp(r->trace, "hpcc.4") == 0 ? 128 : 64) &&
           f.counts.released == 0 && longest(&f) == r->ideal &&
           as_told(longest(&causal), r->causal) && total == r->total && most == r->most &&
           outside == r->outside;
    printf("%-5s %-16s %-6s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %11" PRIu64 " %11" PRIu64
           " %5" PRIu64 " %4" PRIu64 " %5" PRIu64 "  %s\n",
           r->only.end > 0 ? "E7" : "E3 E6", r->trace, r->only.end > 0 ? "window" : "whole",
           longest(&f), longest(&causal), total, most, outside, f.counts.peak_lane,
           f.counts.released, f.counts.acausal, good ? "as the reference" : "WRONG");
    if (!good)
        printf("    %-23s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %11" PRIu64 " %11" PRIu64
               " is wanted; late %" PRIu64 " callless %" PRIu64 " groupless %" PRIu64 "\n",
               "", r->ideal, r->causal, r->total, r->most, r->outside, f.counts.late,
               f.counts.callless, f.counts.groupless);
    prvcut_efficiency_found_fini(&f);
    prvcut_efficiency_found_fini(&causal);
    return good;
}

/* No more than a few calls wait, and how many may makes no difference. */
static bool judge_cap(const struct reference_run *r, struct prvcut_trace *t, size_t cap)
{
    struct prvcut_efficiency_found f;
    bool good;

    read_run(&f, t, r->only, PRVCUT_REPLAY_DIMEMAS, cap, 2);
    good = longest(&f) == r->ideal && f.counts.released == 0;
    printf("E16 %-16s at most %4zu calls may wait: %12" PRIu64 ", %" PRIu64 " did  %s\n", r->trace,
           cap, longest(&f), f.counts.peak, good ? "as without a limit" : "WRONG");
    prvcut_efficiency_found_fini(&f);
    return good;
}

START_TEST(test_efficiency_real_runs_as_reference)
{
    bool good = true;

    if (!traces_folder())
        return;
    printf(
        "\nline  trace            part           ideal       causal    computing        most     "
        "outside queue gone acaus\n");
    for (size_t i = 0; i < sizeof reference_runs / sizeof *reference_runs; i++) {
        struct prvcut_trace *t;

        if (!open_real(&t, reference_runs[i].trace))
            continue;
        good &= judge(&reference_runs[i], t, 2);
        if (reference_runs[i].only.end == 0)
            good &= judge_cap(&reference_runs[i], t, 64) && judge_cap(&reference_runs[i], t, 0);
        prvcut_trace_close(t);
    }
    ck_assert(good);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("efficiency of real runs");
    TCase *c = tcase_create("reference");

    tcase_set_timeout(c, 600);
    tcase_add_test(c, test_efficiency_real_runs_as_reference);
    suite_add_tcase(s, c);
    return run_suite(s);
}
