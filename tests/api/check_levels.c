/*
 * Structure of random runs whose truth is known: how often are the outermost loop and the one
 * right inside it found, and never a loop where there is none.
 *
 * usage   levels [NUMBER...]   these cases only, with what was found; 1001 and on are aperiodic
 */
#include "level_cases.h"
#include "level_truth.h"
#include "prvcut/structure.h"
#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

#define PERIODIC        200
#define APERIODIC       100
#define FIRST_APERIODIC 1001

#define RIGHT_1         0.95 /* of the outermost loops */
#define RIGHT_2         0.85 /* of those inside one that was found */
#define CONFIDENCE      0.5  /* no more than that where there is no loop */

#define PERIOD_ROOM     0.03
#define FEW             8 /* iterations, where one more or less shifts the mean */
#define FEW_ROOM        0.05
#define COUNT_ROOM      0.02
#define LEAST_RECORDS   3 /* of a thread in an inner iteration, to be seen without calls */

/* Where not all are taken; no case here is one of the few that RIGHT_1 allows to miss. */
#define FIRST_OF_FEW 10
#define EVERY_OF_FEW 20

/* What main was given. */
static struct {
    unsigned number[64];
    size_t count;
} only;

struct found {
    struct prvcut_structure *s;
    struct level_truth truth;
    bool right[2], judged[2];
    char why[2][200];
};

static bool near(double have, const struct level_lengths *want, double room)
{
    const double low = want->mean < want->median ? want->mean : want->median;
    const double high = want->mean < want->median ? want->median : want->mean;

    return want->count > 0 && have >= (1 - room) * low && have <= (1 + room) * high;
}

static bool near_count(double have, double want)
{
    return fabs(have - want) <= 1 + 1e-9 || fabs(have - want) <= COUNT_ROOM * want;
}

static struct level_span span_of(const struct prvcut_region *r)
{
    return (struct level_span){ (double)r->span.start, (double)r->span.end };
}

static bool periodic(const struct prvcut_region *r, unsigned level)
{
    return r->level == level && r->kind == PRVCUT_REGION_PERIODIC;
}

/* --- Level 1 -------------------------------------------------------------------------------- */

static size_t phase_of(const struct level_truth *t, const struct prvcut_region *r)
{
    const double middle = ((double)r->span.start + (double)r->span.end) / 2;

    return t->phases > 1 && middle >= t->phase[1].start ? 1 : 0;
}

/*
 * Against the iterations that the region covers, as task 1 or the last task went through them: 1
 * where it is theirs, K where one in K does extra work and the loop was taken to be from one of
 * these to the next, else 0.
 */
static double right_period(const struct level_truth *t, const struct prvcut_region *r)
{
    const struct level_lengths l[] = {
        level_inside(t, t->iteration, t->iterations, span_of(r)),
        level_inside(t, t->latest, t->iterations, span_of(r)),
    };
    const double factor[] = { 1, t->every };

    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (factor[i] > 0 && near(r->period_ns / factor[i], &l[k], PERIOD_ROOM))
                return factor[i];
    return 0;
}

/* Iterations in all regions of the main loop. */
static double iterations_of_loop(const struct prvcut_structure *s, const struct prvcut_region *main)
{
    double sum = 0;

    for (size_t i = 0; i < s->regions; i++)
        if (periodic(prvcut_structure_region(s, i), 1) &&
            prvcut_structure_region(s, i)->loop == main->loop)
            sum += prvcut_structure_region(s, i)->iterations;
    return sum;
}

static bool found_phase(const struct found *f, size_t phase)
{
    for (size_t i = 0; i < f->s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(f->s, i);

        if (periodic(r, 1) && phase_of(&f->truth, r) == phase && right_period(&f->truth, r) > 0)
            return true;
    }
    return false;
}

static void judge_outer(struct found *f)
{
    const struct level_truth *t = &f->truth;
    const struct prvcut_region *r;
    double iterations, factor, want;

    f->judged[0] = true;
    if (f->s->main == SIZE_MAX) {
        snprintf(f->why[0], sizeof f->why[0], "no loop: %.150s", f->s->reason);
        return;
    }
    r = prvcut_structure_region(f->s, f->s->main);
    iterations = t->flushes > 0 ? iterations_of_loop(f->s, r) : r->iterations;
    factor = right_period(t, r);
    want = t->phase_iterations[phase_of(t, r)] / (factor > 0 ? factor : 1);
    /* Masked iterations are left out of the regions where they divide the loop. */
    if (t->flushes > 0 && !near_count(iterations, want))
        iterations += (double)f->s->iterations_masked;
    if (factor <= 0) {
        const struct level_lengths l = level_inside(t, t->iteration, t->iterations, span_of(r));

        snprintf(f->why[0], sizeof f->why[0], "period %.0f, not %.0f to %.0f (%s, %.2f)",
                 r->period_ns, l.mean, l.median, prvcut_found_by_text(r->found_by), r->confidence);
    } else if (!near_count(iterations, want)) {
        snprintf(f->why[0], sizeof f->why[0], "%.1f iterations, not %.0f (%s, %.2f)", iterations,
                 want, prvcut_found_by_text(r->found_by), r->confidence);
    } else {
        f->right[0] = true;
    }
    for (size_t phase = 0; phase < t->phases; phase++)
        if (f->right[0] && !found_phase(f, phase)) {
            snprintf(f->why[0], sizeof f->why[0], "phase %zu of %zu not found", phase + 1,
                     t->phases);
            f->right[0] = false;
        }
}

/* --- Level 2 -------------------------------------------------------------------------------- */

/* A multiple of the loop has the loop itself inside: those from one with extra work to the next. */
static size_t outer_of(const struct level_truth *t, size_t which, double factor,
                       struct level_span *inner)
{
    const size_t every = (size_t)factor;
    size_t first = which / every * every, count = 0;

    for (size_t i = first; count < every && i < t->iterations; i++)
        inner[count++] = t->iteration[i];
    return count;
}

/* The borders of the nested loop inside the iteration that a region's example is. */
static size_t inner_of(const struct level_truth *t, const struct prvcut_region *parent,
                       double factor, struct level_span *inner)
{
    const double middle = ((double)parent->example.start + (double)parent->example.end) / 2;

    for (size_t i = 0; i < t->iterations; i++) {
        const double *border = &t->inner[i * (t->inner_count + 1)];

        if (middle < t->iteration[i].start || middle >= t->iteration[i].end)
            continue;
        if (factor > 1)
            return outer_of(t, i, factor, inner);
        for (size_t k = 0; k < t->inner_count; k++)
            inner[k] = (struct level_span){ border[k], border[k + 1] };
        return t->inner_count;
    }
    return 0;
}

static bool right_inner(const struct level_truth *t, const struct prvcut_region *r,
                        const struct level_span *inner, size_t count)
{
    const struct level_span all = { 0, INFINITY };
    const struct level_lengths here = level_inside(t, inner, count, span_of(r)),
                               whole = level_inside(t, inner, count, all);
    const double room = count < FEW ? FEW_ROOM : PERIOD_ROOM;

    return (near(r->period_ns, &here, room) || near(r->period_ns, &whole, room)) &&
           near_count(r->iterations, (double)count);
}

static void judge_inner(struct found *f)
{
    const struct level_truth *t = &f->truth;
    struct level_span inner[LEVEL_INNER];
    size_t said = 0;

    f->judged[1] = f->right[0] && t->inner_count > 0;
    snprintf(f->why[1], sizeof f->why[1], "no loop inside");
    for (size_t i = 0; f->judged[1] && i < f->s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(f->s, i), *parent;
        double factor;
        size_t count;

        if (!periodic(r, 2) || r->parent >= f->s->regions)
            continue;
        parent = prvcut_structure_region(f->s, r->parent);
        factor = right_period(t, parent);
        count = inner_of(t, parent, factor, inner);
        f->right[1] = f->right[1] || (factor > 0 && right_inner(t, r, inner, count));
        if (said < sizeof f->why[1] / 2)
            said += (size_t)snprintf(
                f->why[1] + said, sizeof f->why[1] - said, "%.1f of %.0f (%s), not %zu of %.0f; ",
                r->iterations, r->period_ns, prvcut_found_by_text(r->found_by), count,
                count > 0 ? (inner[count - 1].end - inner[0].start) / (double)count : 0);
    }
}

/* Without calls there must be something to see: states of each thread in each iteration. */
static bool inner_is_seen(const struct level_case *c, const struct found *f)
{
    char command[1024];

    if (c->calls || f->truth.inner_count == 0)
        return true;
    snprintf(command, sizeof command,
             "awk -F: -v from=%.0f -v to=%.0f '/^[12]:/ && $6 >= from && $6 < to { n[$4]++ }"
             " END { for (t in n) { seen++; if (n[t] < %zu) few++ } exit few > 0 || seen == 0 }'"
             " case.prv",
             f->truth.inner[0], f->truth.inner[f->truth.inner_count],
             LEAST_RECORDS * f->truth.inner_count);
    return system(command) == 0;
}

/* --- Cases ---------------------------------------------------------------------------------- */

static void find_structure(struct found *f, const struct level_case *c)
{
    const struct prvcut_structure_options options = { .levels = 0 };
    const struct prvcut_open_options opening = { .lenient = false };
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;
    enum prvcut_status st;

    ck_assert_msg(prvcut_trace_open(&trace, "case.prv", &opening, &err) == PRVCUT_OK, "%s: %s",
                  c->options, err.text);
    st = prvcut_structure_find(trace, &run, &options, &f->s, &err);
    ck_assert_msg(st == PRVCUT_OK || st == PRVCUT_NONE, "%s: %s", c->options, err.text);
    ck_assert_msg((st == PRVCUT_NONE) == (f->s->main == SIZE_MAX), "%s: status %d", c->options, st);
    prvcut_trace_close(trace);
}

static void print_text(const struct found *f)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;

    if (prvcut_structure_text(f->s, &text, &err) == PRVCUT_OK)
        printf("%s\n", text);
    free(text);
}

static void run_case(const struct level_case *c, struct found *f)
{
    char command[2048];

    *f = (struct found){ .right = { false } };
    snprintf(command, sizeof command, PRVGEN " %s case", c->options);
    ck_assert_msg(system(command) == 0, "%s", c->options);
    f->truth = level_truth_read("case");
    find_structure(f, c);
    if (c->aperiodic)
        return;
    judge_outer(f);
    judge_inner(f);
    if (f->judged[1] && !f->right[1] && !inner_is_seen(c, f))
        f->judged[1] = false;
}

static void end_case(struct found *f)
{
    prvcut_structure_free(f->s);
    level_truth_free(&f->truth);
    ck_assert_int_eq(system("rm -f case.prv case.pcf case.row case.truth.json"), 0);
}

struct score {
    unsigned right[2], all[2];
};

static void count_case(struct score *score, const struct level_case *c, const struct found *f)
{
    for (unsigned level = 0; level < 2; level++) {
        if (!f->judged[level])
            continue;
        score->all[level]++;
        score->right[level] += f->right[level];
        if (!f->right[level])
            printf("%u: level %u: %s\n    prvgen %s\n", c->number, level + 1, f->why[level],
                   c->options);
    }
}

static bool wanted(unsigned number)
{
    for (size_t i = 0; i < only.count; i++)
        if (only.number[i] == number)
            return true;
    return only.count == 0 &&
           (traces_take() == TRACES_ALL || number % EVERY_OF_FEW == FIRST_OF_FEW);
}

/* One miss is no failure where only a few were tried. */
static bool enough(const struct score *score, unsigned level, double share)
{
    const unsigned right = score->right[level], all = score->all[level];

    printf("level %u: %u of %u right (%.1f %%, at least %.0f)\n", level + 1, right, all,
           all > 0 ? 100. * right / all : 100, 100 * share);
    return (double)right >= share * all - 1e-9;
}

START_TEST(test_find_levels_of_random_runs)
{
    struct score score = { { 0 }, { 0 } };
    bool good;

    for (unsigned number = 1; number <= PERIODIC; number++) {
        struct level_case c;
        struct found f;

        if (!wanted(number))
            continue;
        level_case_periodic(&c, number);
        run_case(&c, &f);
        count_case(&score, &c, &f);
        if (only.count > 0) {
            printf("%u: prvgen %s\n", number, c.options);
            print_text(&f);
        }
        end_case(&f);
    }
    good = enough(&score, 0, RIGHT_1);
    good &= enough(&score, 1, RIGHT_2);
    fflush(stdout);
    ck_assert(good);
}
END_TEST

static double most_confident(const struct prvcut_structure *s)
{
    double most = 0;

    for (size_t i = 0; i < s->regions; i++)
        if (prvcut_structure_region(s, i)->kind == PRVCUT_REGION_PERIODIC &&
            prvcut_structure_region(s, i)->confidence > most)
            most = prvcut_structure_region(s, i)->confidence;
    return most;
}

START_TEST(test_find_no_levels_in_random_work)
{
    unsigned wrong = 0, all = 0;

    for (unsigned number = FIRST_APERIODIC; number < FIRST_APERIODIC + APERIODIC; number++) {
        struct level_case c;
        struct found f;
        double confidence;

        if (!wanted(number))
            continue;
        level_case_aperiodic(&c, number);
        run_case(&c, &f);
        confidence = most_confident(f.s);
        all++;
        wrong += confidence > CONFIDENCE;
        if (confidence > CONFIDENCE)
            printf("%u: a loop with confidence %.2f\n    prvgen %s\n", number, confidence,
                   c.options);
        if (only.count > 0) {
            printf("%u: prvgen %s\n", number, c.options);
            print_text(&f);
        }
        end_case(&f);
    }
    printf("aperiodic: %u of %u wrong\n", wrong, all);
    fflush(stdout);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

static Suite *levels_suite(void)
{
    Suite *s = suite_create("levels");
    TCase *c = tcase_create("levels");

    scratch_fixtures(c);
    tcase_set_timeout(c, 600);
    tcase_add_test(c, test_find_levels_of_random_runs);
    tcase_add_test(c, test_find_no_levels_in_random_work);
    suite_add_tcase(s, c);
    return s;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc && only.count < sizeof only.number / sizeof *only.number; i++)
        only.number[only.count++] = (unsigned)strtoul(argv[i], NULL, 10);
    return run_suite(levels_suite());
}
