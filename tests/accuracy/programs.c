/*
 * How often is the reported loop right on programs that are no benchmarks? The folders of hard
 * programs and of real applications, each trace by the rule of the traces' own page; and whether
 * the confidence is a probability: how many are right of those with about that much.
 *
 * usage   accuracy_programs [NAME...]   these only; none: all, or those that long tests take
 * exit    1 where a limit (see LIMITS) does not hold; 0 also where there are no traces
 */
#include "prvcut/reduce.h"

#include "runner.h"
#include "traces.h"
#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LIMITS: of all traces of a folder; of the few of CI, all must be right */
static const struct folder {
    const char *name;
    unsigned least_right, most_confident; /* confidently wrong */
} folders[] = {
    { "apps", 58, 4 },
    { "lots", 16, 2 },
    { "more", 4, 0 },
};

#define FOLDERS   (sizeof folders / sizeof *folders)

#define CONFIDENT 0.5  /* wrong with more than that is worse than wrong */
#define ROOM      0.03 /* beside the accepted periods */
#define COUNT     0.1  /* of a number of iterations, or one */
#define SURE      0.9  /* confidence from which ... */
#define SURE_HELD 0.9  /* ... so many are right */

/* How many answers of about a confidence are right. */
static const double bins[] = { 0, 0.5, 0.7, 0.9, 0.97 };

#define BINS (sizeof bins / sizeof *bins)

struct score {
    unsigned all, right, confident, failed;
    unsigned told[BINS], held[BINS]; /* periods reported; right ones among them */
};

struct answer {
    double period, mean; /* ns, as told and over the whole phase; 0: none */
    double iterations, confidence;
    char why[256];
};

static bool ask(struct answer *a, const char *path)
{
    const struct prvcut_reduce_options options = { .iterations = 2, .cut = { .dry_run = true } };
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction r;
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, &err);

    *a = (struct answer){ .period = 0 };
    if (st == PRVCUT_OK) {
        st = prvcut_reduce(trace, &run, &options, &r, &err);
        a->confidence = r.confidence;
        if (st == PRVCUT_OK && r.iterations > 0) {
            a->period = r.period_ns;
            a->iterations = r.iterations;
            a->mean = (double)(r.phase.end - r.phase.start) / r.iterations;
        }
        snprintf(a->why, sizeof a->why, "%.250s", st < 0 ? err.text : r.reason);
        prvcut_reduction_fini(&r);
        prvcut_trace_close(trace);
    }
    return st >= 0;
}

static bool near(const struct answer *a, double low, double high, double iterations)
{
    const double off = fabs(a->iterations - iterations);
    const bool period = a->period >= (1 - ROOM) * low && a->period <= (1 + ROOM) * high;
    const bool mean = a->mean >= (1 - ROOM) * low && a->mean <= (1 + ROOM) * high;

    return (period || mean) && (off <= COUNT * iterations + 1e-9 || off <= 1 + 1e-9);
}

static bool is_right(const struct truth *t, const struct answer *a)
{
    bool right = false;

    if (t->kind == TRUTH_APERIODIC || a->period <= 0)
        return t->kind == TRUTH_APERIODIC && a->period <= 0;
    for (unsigned i = 0; t->kind == TRUTH_PERIODIC && i < t->factors; i++)
        right = right || near(a, t->low * t->factor[i], t->high * t->factor[i],
                              t->iterations / t->factor[i]);
    for (unsigned i = 0; i < t->loops; i++)
        right = right || near(a, t->loop[i].low, t->loop[i].high, t->loop[i].iterations);
    return right;
}

static void count(struct score *s, const struct answer *a, bool right)
{
    size_t bin = BINS - 1;

    while (a->confidence < bins[bin])
        bin--;
    s->all++;
    s->right += right;
    s->confident += !right && a->period > 0 && a->confidence > CONFIDENT;
    s->told[bin] += a->period > 0;
    s->held[bin] += a->period > 0 && right;
}

static void print_row(const struct folder *f, const struct truth *t, const struct answer *a,
                      bool right)
{
    const bool confident = !right && a->period > 0 && a->confidence > CONFIDENT;
    char want[32] = "none", have[32] = "none";

    if (t->kind == TRUTH_PERIODIC)
        prvcut_time_text(want, t->low);
    else if (t->loops > 0 && t->kind == TRUTH_MIXED)
        prvcut_time_text(want, t->loop[0].low);
    if (a->period > 0)
        prvcut_time_text(have, a->period);
    printf("%-5s%-20s%-8s%6.0f of %10s%8.1f of %10s%6.2f  %s%s%s\n", f->name, t->name, t->format,
           t->kind == TRUTH_PERIODIC ? t->iterations : t->loop[0].iterations, want, a->iterations,
           have, a->confidence,
           right       ? "right"
           : confident ? "WRONG, confidently"
                       : "WRONG",
           right || a->period > 0 ? "" : ": ", right || a->period > 0 ? "" : a->why);
    fflush(stdout);
}

/* --- Folders --------------------------------------------------------------------------------- */

static bool judged(const struct truth *t)
{
    return t->kind == TRUTH_PERIODIC || t->kind == TRUTH_APERIODIC ||
           (t->kind == TRUTH_MIXED && t->loops > 0);
}

static bool wanted(const struct folder *f, const struct truth *t, int names, char **name)
{
    for (int i = 0; i < names; i++)
        if (strcmp(name[i], t->name) == 0)
            return true;
    return names == 0 && traces_wanted(f->name, t->name);
}

static void measure(const struct folder *f, const struct truth *t, struct score *s)
{
    struct answer a;
    char path[4096];
    bool right;

    if (!traces_unpack_file(f->name, t->file, path, sizeof path) || !ask(&a, path)) {
        printf("%-5s%-20s FAILED: %s\n", f->name, t->name, a.why);
        s->failed++;
        return;
    }
    right = is_right(t, &a);
    count(s, &a, right);
    print_row(f, t, &a, right);
}

static bool holds(const struct folder *f, const struct score *s, bool all)
{
    const unsigned right = all ? f->least_right : s->all;
    const unsigned confident = all ? f->most_confident : 0;
    const bool good = s->failed == 0 && s->right >= right && s->confident <= confident;

    printf("%s: %s: %u of %u right (at least %u), %u confidently wrong (at most %u), %u failed\n\n",
           good ? "holds" : "DOES NOT HOLD", f->name, s->right, s->all, right, s->confident,
           confident, s->failed);
    return good;
}

static bool measure_folder(const struct folder *f, struct score *sum, int names, char **name)
{
    struct score s = { .all = 0 };
    char path[4096];
    struct truth *truth;
    size_t all;

    snprintf(path, sizeof path, "%s/%s", traces_folder(), f->name);
    truth = truth_read(path, &all);
    if (!truth) {
        test_leaves_out("there are no traces of other programs");
        return true;
    }
    for (size_t i = 0; i < all; i++)
        if (judged(&truth[i]) && wanted(f, &truth[i], names, name))
            measure(f, &truth[i], &s);
    free(truth);
    for (size_t i = 0; i < BINS; i++) {
        sum->told[i] += s.told[i];
        sum->held[i] += s.held[i];
    }
    return names > 0 || holds(f, &s, traces_take() == TRACES_ALL);
}

static bool reliable(const struct score *s)
{
    unsigned told = 0, held = 0;
    bool good;

    printf("confidence      periods told, right among them\n");
    for (size_t i = 0; i < BINS; i++) {
        printf("%4.2f to %4.2f%12u%8u\n", bins[i], i + 1 < BINS ? bins[i + 1] : 1., s->told[i],
               s->held[i]);
        told += bins[i] >= SURE ? s->told[i] : 0;
        held += bins[i] >= SURE ? s->held[i] : 0;
    }
    good = held >= SURE_HELD * told;
    printf("%s: of those from %.2f on %u of %u right (at least %.2f)\n",
           good ? "holds" : "DOES NOT HOLD", SURE, held, told, SURE_HELD);
    return good;
}

int main(int argc, char **argv)
{
    struct score sum = { .all = 0 };
    bool good = true;

    if (!traces_folder()) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return test_status(true);
    }
    for (size_t i = 0; i < FOLDERS; i++)
        good = measure_folder(&folders[i], &sum, argc - 1, argv + 1) && good;
    good = reliable(&sum) && good;
    return test_status(good);
}
