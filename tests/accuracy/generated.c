/*
 * How often is the reported loop right on random programs, drawn anew at each run; in each class
 * of what makes an iteration hard to find; and is the confidence a probability?
 *
 * usage   accuracy_generated [CASES [SEED [CLASS...]]]
 *         so many of each class (2), from a seed on (of the clock) that is made another for each
 *         class, with each wrong answer and the seed that `prvhard CLASS SEED NAME` makes it from
 * exit    1 where a limit (see LIMITS) does not hold
 */
#include "answer.h"
#include "prvcut/reduce.h"
#include "runner.h"
#include "tests/base/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CASES   2
#define CLASSES 64

/* LIMITS: shares that hold but for chance */
#define RIGHT      0.95 /* of runs with a loop, but for those of OPEN */
#define NONE       0.95 /* of runs without one: none is told, or not surely */
#define SURE       0.9  /* of the answers that are so sure */
#define DEVIATIONS 3    /* of the number of right ones, that are chance */

/* What no rule here solves, but is to be told without being sure: iterations that never look alike;
   what comes after any number of steps, as solvers end, or into most of them, as tries do. */
static const char *const open_class[] = { "growing", "events", "optional", "rare" };

static bool is_open(const char *name)
{
    for (size_t i = 0; i < sizeof open_class / sizeof *open_class; i++)
        if (strcmp(name, open_class[i]) == 0)
            return true;
    return false;
}

struct class
{
    char name[32];
    bool periodic;
    struct score score;
};

static struct class classes[CLASSES];
static unsigned class_count;

static bool list_classes(void)
{
    char line[64];
    FILE *f = popen(PRVHARD, "r");

    while (f && class_count < CLASSES && fgets(line, sizeof line, f)) {
        struct class *c = &classes[class_count++];

        c->periodic = !strchr(line, '-') || line[strlen(line) - 2] != '-';
        line[strcspn(line, " \n")] = '\0';
        snprintf(c->name, sizeof c->name, "%.31s", line);
    }
    return f && pclose(f) == 0 && class_count > 0;
}

static void print_wrong(const struct class *c, unsigned long seed, const struct truth *t,
                        const struct answer *a)
{
    printf("  %-16s%-8lu%6.0f of %10.0f%8.1f of %10.0f%6.2f  %s%s\n", c->name, seed,
           t->loop[0].iterations, t->loop[0].high, a->iterations, a->period, a->confidence,
           answer_is_confidently_wrong(a, false) ? "WRONG, confidently" : "WRONG: ",
           a->period > 0 ? "" : a->why);
    fflush(stdout);
}

/* Classes draw alike from one seed, and would be wrong together: each has its own. */
static unsigned long class_seed(const struct class *c, unsigned long seed)
{
    unsigned long own = 0;

    for (const char *at = c->name; *at; at++)
        own = own * 31 + (unsigned char)*at;
    return seed + own % 1000003 * 1000;
}

static void run_case(struct class *c, unsigned long seed)
{
    char command[512];
    struct answer a = { .period = 0 };
    struct truth t;
    bool right;

    snprintf(command, sizeof command, PRVHARD " %s %lu case", c->name, seed);
    if (system(command) != 0 || !answer_read_truth(&t, "case.truth") ||
        !answer_ask(&a, "case.prv")) {
        printf("  %s %lu FAILED: %s\n", c->name, seed, a.why);
        c->score.failed++;
        return;
    }
    right = answer_is_right(&t, &a, 0);
    score_count(&c->score, &a, right);
    if (!right)
        print_wrong(c, seed, &t, &a);
}

static bool wanted(const char *name, int names, char **list)
{
    for (int i = 0; i < names; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return names <= 0;
}

static struct score sum_of(bool periodic, bool open)
{
    struct score sum = { .all = 0 };

    for (unsigned i = 0; i < class_count; i++) {
        if (classes[i].periodic == periodic && is_open(classes[i].name) == open)
            score_add(&sum, &classes[i].score);
    }
    return sum;
}

static void print_classes(void)
{
    for (unsigned i = 0; i < class_count; i++)
        if (classes[i].score.all > 0)
            printf("%-16s%4u of %4u right, %3u confidently wrong\n", classes[i].name,
                   classes[i].score.right, classes[i].score.all, classes[i].score.confident);
}

/* Is a share held, as far as so many draws can tell? */
static bool share_holds(const char *what, unsigned right, unsigned all, double share)
{
    const double least = share * all - DEVIATIONS * sqrt(share * (1 - share) * all);
    const bool holds = right >= least;

    printf("%s: %s: %u of %u right (at least %.2f of them, less what is chance: %.0f)\n",
           holds ? "holds" : "DOES NOT HOLD", what, right, all, share, fmax(0, least));
    return holds;
}

static bool judge(void)
{
    struct score with = sum_of(true, false), all = with;
    const struct score without = sum_of(false, false), open = sum_of(true, true);
    const bool sound =
        with.failed + without.failed + open.failed == 0 && with.all + without.all + open.all > 0;
    bool good;

    score_add(&all, &without);
    score_add(&all, &open);
    score_print_bins(&all);
    good = share_holds("with a loop", with.right, with.all, RIGHT);
    good = share_holds("without", without.all - without.confident, without.all, NONE) && good;
    good = share_holds("sure ones", all.held[3] + all.held[4], all.told[3] + all.told[4], SURE) &&
           good;
    return good && sound;
}

int main(int argc, char **argv)
{
    const unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 10) : CASES;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : (unsigned long)time(NULL);
    bool good;

    scratch_begin();
    good = chdir(scratch_root) == 0 && list_classes();
    printf("seed %lu\n", seed);
    for (unsigned i = 0; good && i < class_count; i++)
        for (unsigned long k = 0; wanted(classes[i].name, argc - 3, argv + 3) && k < cases; k++)
            run_case(&classes[i], class_seed(&classes[i], seed) + k);
    print_classes();
    good = judge() && good;
    scratch_end();
    return test_status(good);
}
