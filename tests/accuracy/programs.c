/*
 * How often is the reported loop right on programs that are no benchmarks? The folders of hard
 * programs and of real applications, each trace by the rule of the traces' own page; and whether
 * the confidence is a probability: how many are right of those with about that much. Beside a right
 * one of Paraver: how far it begins and ends behind the program's loop, in periods ('!': too far).
 *
 * usage   accuracy_programs [NAME...]   these only; none: all, or those that long tests take
 * exit    1 where a limit (see LIMITS) does not hold; 0 also where there are no traces
 */
#include "answer.h"
#include "built.h"
#include "prvcut/reduce.h"
#include "runner.h"
#include "traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LIMITS: of all traces of a folder; of the few of CI, all must be right */
static const struct folder {
    const char *name;
    unsigned least_right, most_confident; /* confidently wrong */
} folders[] = {
    { "apps", 64, 0 },
    { "lots", 20, 0 },
    { "more", 4, 0 },
};

#define FOLDERS (sizeof folders / sizeof *folders)

#define ROOM    0.03 /* beside the accepted periods */

/* Where a right loop begins and ends beside the truth, in periods. */
static void print_ends(const struct truth_ends *e)
{
    if (e->known)
        printf("%+6.2f%+6.2f%s ", e->start, e->end, e->far ? "!" : " ");
    else
        printf("%14s", "");
}

static void print_row(const struct folder *f, const struct truth *t, const struct answer *a,
                      const struct truth_ends *e, bool right)
{
    const bool confident = answer_is_confidently_wrong(a, right);
    char want[32] = "none", have[32] = "none";

    if (t->kind == TRUTH_PERIODIC)
        prvcut_time_text(want, t->low);
    else if (t->loops > 0 && t->kind == TRUTH_MIXED)
        prvcut_time_text(want, t->loop[0].low);
    if (a->period > 0)
        prvcut_time_text(have, a->period);
    printf("%-5s%-20s%-8s%6.0f of %10s%8.1f of %10s%6.2f  ", f->name, t->name, t->format,
           t->kind == TRUTH_PERIODIC ? t->iterations : t->loop[0].iterations, want, a->iterations,
           have, a->confidence);
    print_ends(e);
    printf("%s%s%s\n",
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

/* far: counts loops that begin or end too far from the program's. */
static void measure(const struct folder *f, struct truth *t, struct score *s, unsigned *far)
{
    struct truth_ends e = { .known = false };
    struct answer a;
    char path[4096];
    bool right;

    if (!test_reads(t->format))
        return;
    if (!traces_unpack_file(f->name, t->file, path, sizeof path) || !answer_ask(&a, path)) {
        printf("%-5s%-20s FAILED: %s\n", f->name, t->name, a.why);
        s->failed++;
        return;
    }
    right = answer_is_right(t, &a, ROOM);
    score_count(s, &a, right);
    truth_begin_by_marks(t, path);
    if (right)
        e = truth_ends_of(t, a.start, a.end, a.period);
    *far += e.far;
    print_row(f, t, &a, &e, right);
}

static bool holds(const struct folder *f, const struct score *s, unsigned far, bool all)
{
    const unsigned right = all ? f->least_right : s->all;
    const unsigned confident = all ? f->most_confident : 0;
    const bool good = s->failed == 0 && s->right >= right && s->confident <= confident && far == 0;

    printf(
        "%s: %s: %u of %u right (at least %u), %u confidently wrong (at most %u), %u begin or end "
        "too far from the program's loop, %u failed\n\n",
        good ? "holds" : "DOES NOT HOLD", f->name, s->right, s->all, right, s->confident, confident,
        far, s->failed);
    return good;
}

static bool measure_folder(const struct folder *f, struct score *sum, int names, char **name)
{
    struct score s = { .all = 0 };
    unsigned far = 0;
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
            measure(f, &truth[i], &s, &far);
    free(truth);
    score_add(sum, &s);
    return names > 0 || holds(f, &s, far, traces_take() == TRACES_ALL);
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
    score_print_bins(&sum);
    good = score_is_reliable(&sum) && good;
    return test_status(good);
}
