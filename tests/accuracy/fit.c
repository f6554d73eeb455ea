/*
 * What weights tell a loop of the whole program from groups of calls that come back by chance?
 * Fits those of src/structure/separate_weights.c again: each separator's loop that a run shows is
 * one case, 1 where it is the true loop or an accepted multiple, 0 where there is no loop, where it
 * has fewer iterations than the true one, or is a part of the run only. Loops inside the true one
 * are loops too: left out.
 *
 * Random programs alone are fitted to, on machines that others use more or less: the traces of real
 * programs are few, and judge what they had no part in. Their lengths vary more than those of
 * random ones, so that these are taken to vary by as much.
 *
 * usage   accuracy_fit [--traces WEIGHT] [CASES [SEED]]
 *         so many random programs of each class (20) from a seed on (500000). --traces: fit to the
 *         traces of all folders, too, which weigh so much, and judge each of their programs by
 *         weights that never saw it
 * prints  the table of weights; answers by the weights that stand in the program, by those of the
 *         fit, and with each program left out
 */
#include "answer.h"
#include "prvcut/reduce.h"
#include "runner.h"
#include "structure/separate.h"
#include "structure/separate_judge.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RIDGE      1
#define PINNED     1e9  /* ridge of a weight that stays 0 */
#define FALSE_ONES 2    /* times that a false loop counts: a wrong answer is worse than none */
#define ROUNDS     20   /* of choosing which true loop counts */
#define STEPS      40   /* of Newton's method */
#define ENOUGH     1e-9 /* change of a weight */
#define BUSY       0.15 /* of the logarithm: how busy machines are, in steps of this, ... */
#define BUSY_STEPS 5    /* ... and so many of these */
#define VARY       0.15 /* the same of lengths, ... */
#define VARY_STEPS 7    /* ... */
#define VARY_USUAL 0.5  /* ... and of usual ones as a share of it */
#define PART       0.65 /* of what the true loop spans: less is a part of the run */
#define ROOM       0.03 /* beside accepted periods */
#define CASES      20
#define SEED       500000
#define CLASSES    64
#define COUNT_ROOM 0.1 /* of a number of iterations, or one */

#define M          SEPARATE_MEASURES

/* One candidate that a trace shows. */
struct sample {
    double x[M], count, counts; /* counts: in the fit, that many times */
    size_t trace;
    int label; /* -1: left out */
};

struct trace {
    struct truth truth;
    char path[4096], program[32]; /* what is left out together */
    bool random;
};

static struct trace *traces;
static size_t trace_count;
static struct sample *samples;
static size_t sample_count, sample_room;

/* What the program uses, of the fit; NULL: its own. */
static const double *used;
/* Of a trace in the fit; a random program weighs 1. */
static double trace_weight;
/* Which trace's candidates are kept; no other run is. */
static size_t keeping = SIZE_MAX;

/* --- In the place of the program's own evidence ---------------------------------------------- */

double __real_prvcut_separate_evidence(const struct separate_candidate *c);
double __wrap_prvcut_separate_evidence(const struct separate_candidate *c);

static void keep(const struct separate_candidate *c)
{
    struct sample *s;

    if (sample_count == sample_room) {
        sample_room = sample_room ? 2 * sample_room : 4096;
        samples = realloc(samples, sample_room * sizeof *samples);
        if (!samples)
            exit(EXIT_FAILURE);
    }
    s = &samples[sample_count++];
    *s = (struct sample){ .count = (double)c->mean.count, .trace = keeping };
    prvcut_separate_measures(c, s->x);
}

double __wrap_prvcut_separate_evidence(const struct separate_candidate *c)
{
    double x[M], sum = 0;

    if (keeping != SIZE_MAX && !c->mean.common && !prvcut_separate_doubted(c))
        keep(c);
    if (!used)
        return __real_prvcut_separate_evidence(c);
    prvcut_separate_measures(c, x);
    for (size_t i = 0; i < M; i++)
        sum += used[i] * x[i];
    return sum;
}

enum prvcut_status __real_prvcut_separate(struct prvcut_separation *out,
                                          const struct prvcut_call_sequence *in, size_t sequences,
                                          struct prvcut_error *err);
enum prvcut_status __wrap_prvcut_separate(struct prvcut_separation *out,
                                          const struct prvcut_call_sequence *in, size_t sequences,
                                          struct prvcut_error *err);

/* The first look at a run is at all of it; parts of it may be looked at afterwards. */
enum prvcut_status __wrap_prvcut_separate(struct prvcut_separation *out,
                                          const struct prvcut_call_sequence *in, size_t sequences,
                                          struct prvcut_error *err)
{
    const enum prvcut_status st = __real_prvcut_separate(out, in, sequences, err);

    keeping = SIZE_MAX;
    return st;
}

/* --- Traces ---------------------------------------------------------------------------------- */

/* "q.newton.2" -> "newton", "lu.S.8.flush" -> "lu": what was made by one program. */
static void name_program(struct trace *t)
{
    const char *name = t->truth.name;

    name += strncmp(name, "q.", 2) == 0 || strncmp(name, "r.", 2) == 0 ? 2 : 0;
    snprintf(t->program, sizeof t->program, "%.*s", (int)strcspn(name, ".-"), name);
}

static struct trace *add_trace(const struct truth *truth)
{
    struct trace *t;

    traces = realloc(traces, (trace_count + 1) * sizeof *traces);
    if (!traces)
        exit(EXIT_FAILURE);
    t = &traces[trace_count++];
    *t = (struct trace){ .truth = *truth };
    name_program(t);
    return t;
}

static bool judged(const struct truth *t)
{
    return t->kind == TRUTH_PERIODIC || t->kind == TRUTH_APERIODIC ||
           (t->kind == TRUTH_MIXED && t->loops > 0);
}

static void list_folder(const char *folder)
{
    char path[4096];
    size_t all;
    struct truth *truth;

    snprintf(path, sizeof path, "%s/%s", traces_folder(), folder);
    truth = truth_read(path, &all);
    for (size_t i = 0; truth && i < all; i++) {
        struct trace *t;

        if (!judged(&truth[i]))
            continue;
        t = add_trace(&truth[i]);
        if (!traces_unpack_file(folder, truth[i].file, t->path, sizeof t->path))
            trace_count--;
    }
    free(truth);
}

static void make_random(const char *class, unsigned long seed)
{
    struct truth truth = { .kind = TRUTH_APERIODIC };
    char command[512], path[64];
    struct trace *t;

    snprintf(path, sizeof path, "%.31s.%lu", class, seed);
    snprintf(command, sizeof command, PRVHARD " %.31s %lu %.63s %.2f", class, seed, path,
             BUSY * (double)(seed % BUSY_STEPS));
    if (system(command) != 0)
        return;
    snprintf(truth.name, sizeof truth.name, "%s", path);
    snprintf(path, sizeof path, "%.31s.%lu.truth", class, seed);
    answer_read_truth(&truth, path);
    t = add_trace(&truth);
    t->random = true;
    snprintf(t->path, sizeof t->path, "%.31s.%lu.prv", class, seed);
}

static void list_random(unsigned long cases, unsigned long seed)
{
    FILE *f = popen(PRVHARD, "r");
    char line[64];

    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, " \n")] = '\0';
        for (unsigned long k = 0; k < cases; k++)
            make_random(line, seed + k);
    }
    if (f)
        pclose(f);
}

/* --- Labels ---------------------------------------------------------------------------------- */

static bool is_count(double count, double want)
{
    return fabs(count - want) <= fmax(COUNT_ROOM * want, 1) + 1e-9;
}

static int label_of(const struct truth *t, double count)
{
    double fewest = INFINITY;
    bool is = false;

    for (unsigned i = 0; t->kind == TRUTH_PERIODIC && i < t->factors; i++) {
        is = is || is_count(count, t->iterations / t->factor[i]);
        fewest = fmin(fewest, t->iterations / t->factor[i]);
    }
    for (unsigned i = 0; i < t->loops; i++) {
        is = is || is_count(count, t->loop[i].iterations);
        fewest = fmin(fewest, t->loop[i].iterations);
    }
    if (is)
        return 1;
    return t->kind == TRUTH_APERIODIC || count < fewest ? 0 : -1;
}

/* Loops of random programs vary as those of real ones do. */
static void vary(struct sample *s)
{
    const double more = VARY * (double)(s->trace % VARY_STEPS);

    if (!traces[s->trace].random)
        return;
    s->x[9] = hypot(s->x[9], more);
    s->x[10] = hypot(s->x[10], VARY_USUAL * more);
}

/* What spans much less than a true loop is a loop of a part of the run. */
static void label_parts(void)
{
    for (size_t i = 0, end; i < sample_count; i = end) {
        double most = 0;

        for (end = i; end < sample_count && samples[end].trace == samples[i].trace; end++)
            if (samples[end].label == 1)
                most = fmax(most, samples[end].x[1]);
        for (size_t k = i; k < end; k++)
            if (samples[k].label < 0 && samples[k].x[1] < PART * most)
                samples[k].label = 0;
    }
}

/* --- The fit --------------------------------------------------------------------------------- */

/* Solve a x = b for a positive definite a; b becomes x. */
static void solve(double a[M][M], double b[M])
{
    for (size_t j = 0; j < M; j++) {
        for (size_t k = 0; k < j; k++)
            a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrt(a[j][j]);
        for (size_t i = j + 1; i < M; i++) {
            for (size_t k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (size_t i = 0; i < M; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (size_t i = M; i-- > 0;) {
        for (size_t k = i + 1; k < M; k++)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

static double share_of(const double w[M], const double x[M])
{
    double sum = 0;

    for (size_t i = 0; i < M; i++)
        sum += w[i] * x[i];
    return 1 / (1 + exp(-sum));
}

/* One case's part of gradient and curvature of the log likelihood. */
static void add_case(double a[M][M], double g[M], const double w[M], const struct sample *s,
                     double weight)
{
    const double p = share_of(w, s->x), bend = weight * fmax(p * (1 - p), 1e-6);

    for (size_t i = 0; i < M; i++) {
        g[i] += weight * (s->label - p) * s->x[i];
        for (size_t j = 0; j < M; j++)
            a[i][j] += bend * s->x[i] * s->x[j];
    }
}

/* What each measure must speak for, 1, or against, -1; 0: either. */
static const int speaks[M] = { 0, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, 1, -1 };

/* pinned: weights that stay 0 */
static double step(double w[M], const char *without, const bool pinned[M])
{
    double a[M][M] = { { 0 } }, g[M] = { 0 }, most = 0;

    for (size_t i = 0; i < sample_count; i++) {
        const struct trace *t = &traces[samples[i].trace];

        if (samples[i].counts > 0 && (!without || strcmp(without, t->program) != 0))
            add_case(a, g, w, &samples[i], samples[i].counts * (t->random ? 1 : trace_weight));
    }
    for (size_t i = 0; i < M; i++) {
        const double ridge = pinned[i] ? PINNED : RIDGE;

        a[i][i] += ridge;
        g[i] -= ridge * w[i];
    }
    solve(a, g);
    for (size_t i = 0; i < M; i++) {
        w[i] += g[i];
        most = fmax(most, fabs(g[i]));
    }
    return most;
}

/* Of a trace's true loops the likeliest counts, since one is enough; false ones count all. */
static void choose_cases(const double w[M])
{
    for (size_t i = 0, end; i < sample_count; i = end) {
        size_t best = sample_count;

        for (end = i; end < sample_count && samples[end].trace == samples[i].trace; end++) {
            samples[end].counts = samples[end].label == 0 ? FALSE_ONES : 0;
            if (samples[end].label == 1 &&
                (best == sample_count ||
                 share_of(w, samples[end].x) > share_of(w, samples[best].x)))
                best = end;
        }
        if (best < sample_count)
            samples[best].counts = 1;
    }
}

/* Weights that speak for what their measure is against stay 0: of few false loops chance would say
   so. Returns how many more do. */
static size_t pin(bool pinned[M], const double w[M])
{
    size_t more = 0;

    for (size_t i = 0; i < M; i++)
        if (!pinned[i] && speaks[i] * w[i] < 0) {
            pinned[i] = true;
            more++;
        }
    return more;
}

static void fit_once(double w[M], const char *without, const bool pinned[M])
{
    for (size_t i = 0; i < M; i++)
        w[i] = 0;
    for (int i = 0; i < STEPS && step(w, without, pinned) > ENOUGH; i++)
        ;
}

/* without: a program whose traces are left out; NULL: none */
static void fit(double w[M], const char *without)
{
    memset(w, 0, M * sizeof *w);
    /* To begin with, any would do: the widest. */
    w[1] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        bool pinned[M] = { false };
        double next[M];

        choose_cases(w);
        do
            fit_once(next, without, pinned);
        while (pin(pinned, next) > 0);
        for (size_t i = 0; i < M; i++)
            w[i] = (w[i] + next[i]) / 2;
    }
}

/* --- Answers --------------------------------------------------------------------------------- */

static void ask(struct score *s, size_t i, bool tell)
{
    const struct trace *t = &traces[i];
    struct answer a;
    bool right;

    if (!answer_ask(&a, t->path)) {
        s->failed++;
        return;
    }
    right = answer_is_right(&t->truth, &a, t->random ? 0 : ROOM);
    score_count(s, &a, right);
    if (tell && !right)
        printf("  %-24s%8.1f at %.2f\n", t->truth.name, a.iterations, a.confidence);
}

static void print_score(const char *what, const struct score s[2])
{
    printf("%s: traces %u of %u right, %u confidently wrong; random %u of %u, %u; %u failed\n",
           what, s[0].right, s[0].all, s[0].confident, s[1].right, s[1].all, s[1].confident,
           s[0].failed + s[1].failed);
    score_print_bins(&s[0]);
    score_print_bins(&s[1]);
    fflush(stdout);
}

static void look_at_all(void)
{
    struct score s[2] = { { .all = 0 } };

    for (size_t i = 0; i < trace_count; i++) {
        keeping = i;
        ask(&s[traces[i].random], i, true);
        keeping = SIZE_MAX;
    }
    for (size_t i = 0; i < sample_count; i++) {
        samples[i].label = label_of(&traces[samples[i].trace].truth, samples[i].count);
        vary(&samples[i]);
    }
    label_parts();
    print_score("as the program judges", s);
}

static void judge_with(const double w[M])
{
    struct score s[2] = { { .all = 0 } };

    used = w;
    for (size_t i = 0; i < trace_count; i++)
        ask(&s[traces[i].random], i, true);
    print_score("by the fit", s);
    used = NULL;
}

static bool was_before(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(traces[k].program, traces[i].program) == 0)
            return true;
    return false;
}

static void judge_left_out(void)
{
    struct score s[2] = { { .all = 0 } };
    double w[M];

    used = w;
    for (size_t i = 0; i < trace_count && !traces[i].random; i++) {
        if (was_before(i))
            continue;
        fit(w, traces[i].program);
        for (size_t k = i; k < trace_count; k++)
            if (strcmp(traces[k].program, traces[i].program) == 0 && !traces[k].random)
                ask(&s[traces[k].random], k, true);
    }
    print_score("each program left out of the fit", s);
    used = NULL;
}

int main(int argc, char **argv)
{
    const bool left_out = argc > 2 && strcmp(argv[1], "--traces") == 0;
    char **arg = argv + 2 * left_out;
    const int args = argc - 2 * left_out;
    const unsigned long cases = args > 1 ? strtoul(arg[1], NULL, 10) : CASES;
    static const char *const folders[] = { ".", "apps", "lots", "more" };
    unsigned cases_of[2] = { 0, 0 };
    double w[M];

    if (!traces_folder()) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return test_status(true);
    }
    scratch_begin();
    if (chdir(scratch_root) != 0)
        return EXIT_FAILURE;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        list_folder(folders[i]);
    list_random(cases, args > 2 ? strtoul(arg[2], NULL, 10) : SEED);
    trace_weight = left_out ? strtod(argv[2], NULL) : 0;
    look_at_all();
    fit(w, NULL);
    for (size_t i = 0; i < sample_count; i++)
        if (samples[i].label >= 0)
            cases_of[samples[i].label]++;
    printf("%u loops, %u that are none\n", cases_of[1], cases_of[0]);
    for (size_t i = 0; i < M; i++)
        printf("    %.3f,\n", w[i]);
    judge_with(w);
    if (left_out)
        judge_left_out();
    scratch_end();
    free(samples);
    free(traces);
    return test_status(true);
}
