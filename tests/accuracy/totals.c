/*
 * Does one example of each kind of iterations, times their number, tell how long the loop takes?
 *
 * usage   accuracy_totals
 * exit    1 where a folder's mean error is beyond its limit; 0 also where there are no traces
 */
#include "cuts.h"
#include "runner.h"
#include "traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct folder {
    const char *name;
    double most; /* in the mean, of the loop's time */
} folders[] = { { "", 0.04 }, { "apps", 0.18 } };

/* NAN: it has no loop whose kinds are cut. */
static double error_of(const char *path)
{
    const struct prvcut_cut_options cut = { .dry_run = true };
    const struct prvcut_reduce_options options = {
        .size = sizeof options, .iterations = 2, .kinds = true, .cut = &cut
    };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    const enum prvcut_status st = cuts_reduce(path, 0, &options, &r, &err);
    double out = NAN;

    if (st < 0) {
        printf("%s: %s\n", path, err.text);
        return NAN;
    }
    for (size_t i = 0; r && i < r->totals; i++) {
        const struct prvcut_total *t = prvcut_reduction_total(r, i);

        if (strcmp(t->name, "time") == 0 && t->measured > 0)
            out = t->estimate / t->measured - 1;
    }
    prvcut_reduction_free(r);
    return out;
}

static bool is_trace(const struct truth *t)
{
    return strcmp(t->format, "paraver") == 0 || strcmp(t->format, "otf2") == 0;
}

static bool judge(const struct folder *f)
{
    char folder[4096], path[4096];
    double sum = 0, mean;
    size_t count = 0, all;
    struct truth *truth;

    snprintf(folder, sizeof folder, "%s/%s", traces_folder(), f->name);
    truth = truth_read(folder, &all);
    for (size_t i = 0; truth && i < all; i++) {
        double off = NAN;

        if (!is_trace(&truth[i]))
            continue;
        if (truth_unpack(f->name, &truth[i], path, sizeof path))
            off = error_of(path);
        if (isnan(off))
            continue;
        printf("%-8s%-18s %+6.1f %%\n", truth[i].format, truth[i].name, 100 * off);
        sum += fabs(off);
        count++;
    }
    free(truth);
    if (count == 0) {
        test_leaves_out("there are no traces of a folder");
        return true;
    }
    mean = sum / (double)count;
    printf("%s: %.2f %% in the mean of %zu traces\n\n", *f->name ? f->name : "benchmarks",
           100 * mean, count);
    return mean <= f->most;
}

int main(void)
{
    bool good = true;

    if (!traces_folder()) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return test_status(true);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        good = judge(&folders[i]) && good;
    return test_status(good);
}
