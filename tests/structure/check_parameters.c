#include "structure/parameters.h"

#include "api/entries.h"
#include "api/signals_lag.h"
#include "structure/choose.h"
#include "structure/mask.h"
#include "structure/vote.h"

#include "tests/structure/generated.h"

#include "runner.h"

#include <math.h>

#define MS   UINT64_C(1000000)
#define BINS ((size_t)2048)

static struct prvcut_error error;

static struct prvcut_parameters *set_to(const char *text)
{
    struct prvcut_parameters *p;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_parameters_make(&p, text, &error) == PRVCUT_OK, "%s", error.text);
    return p;
}

/* --- The table, and what is refused --------------------------------------------------------- */

START_TEST(test_table_is_sound)
{
    size_t rows = 0;

    for (const struct prvcut_parameter *p; (p = prvcut_parameter_at(rows)) != NULL; rows++) {
        ck_assert(*p->name && *p->help && p->unit);
        ck_assert_msg(p->least <= p->value && p->value <= p->most, "%s", p->name);
        ck_assert(!p->whole || floor(p->value) == p->value);
        for (size_t i = 0; i < rows; i++)
            ck_assert_str_ne(prvcut_parameter_at(i)->name, p->name);
    }
    ck_assert_uint_eq(rows, PRVCUT_SETS);
}
END_TEST

START_TEST(test_set_takes_some_and_leaves_others)
{
    struct prvcut_parameters *p = set_to("delta=5,lambda=25%");

    ck_assert_str_eq(prvcut_parameters_text(p), "lambda=0.25,delta=5");
    ck_assert_double_eq(prvcut_parameter_of(p, PRVCUT_SET_LAMBDA), 0.25);
    ck_assert_double_eq(prvcut_parameter_of(p, PRVCUT_SET_DELTA), 5);
    ck_assert_double_eq(prvcut_parameter_of(p, PRVCUT_SET_SLOW),
                        prvcut_parameter_of(NULL, PRVCUT_SET_SLOW));
    ck_assert_str_eq(prvcut_parameters_text(NULL), "");
    prvcut_parameters_free(p);
}
END_TEST

static const struct {
    const char *set, *says;
} bad[] = {
    { "", "no parameter ''" },
    { "lamda=0.2", "no parameter 'lamda'" },
    { "lambda", "lambda is a number from 0 to 1" },
    { "lambda=", "lambda is a number from 0 to 1" },
    { "lambda=1.01", "lambda is a number from 0 to 1" },
    { "lambda=-0.1", "lambda is a number from 0 to 1" },
    { "lambda=nan", "lambda is a number from 0 to 1" },
    { "lambda=0x1", "lambda is a number from 0 to 1" },
    { "lambda=0.1 ", "lambda is a number from 0 to 1" },
    { "delta=2.5", "delta is a whole number from 1 to 1000000 coefficients" },
    { "lambda=0.2,", "no parameter ''" },
    { "lambda=0.2,useful=0", "useful is a whole number from 1 to 1000 iterations" },
};

START_TEST(test_set_refuses_and_names_the_range)
{
    struct prvcut_parameters *p;

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_parameters_make(&p, bad[_i].set, &error), PRVCUT_EUSAGE);
    ck_assert_ptr_null(p);
    ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "%s", error.text);
}
END_TEST

/* --- What each decides ----------------------------------------------------------------------- */

/* A step of a made signal. */
static struct prvcut_signals *step_of(const double *at, const char *step,
                                      const struct prvcut_parameters *set)
{
    struct prvcut_signal one = { .size = sizeof one,
                                 .name = "x",
                                 .unit = "",
                                 .width = MS,
                                 .at = (double *)(uintptr_t)at,
                                 .bins = BINS };
    const struct made_signals in = { .is.count = 1, .at = &one };
    struct prvcut_signals *out;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_signals_step(&in.is, step, set, &out, &error) == PRVCUT_OK, "%s",
                  error.text);
    return out;
}

/* Slow and small waves around a stretch of fast ones, which grow. */
static void busy_middle(double *at)
{
    for (size_t i = 0; i < BINS; i++) {
        at[i] = 1 + sin((double)i / 100);
        if (i >= 800 && i < 1200)
            at[i] += (double)(i % 2) * (double)(i - 790) / 50;
    }
}

static double step_sum(const char *step, const struct prvcut_parameters *set)
{
    double at[BINS], sum = 0;
    struct prvcut_signals *out;

    busy_middle(at);
    out = step_of(at, step, set);
    for (size_t i = 0; i < BINS; i++)
        sum += prvcut_signals_at(out, 0)->at[i];
    prvcut_signals_free(out);
    return sum;
}

static double selected(const struct prvcut_parameters *set)
{
    return step_sum("selection", set);
}

static double closed(const struct prvcut_parameters *set)
{
    return step_sum("closing", set);
}

/* The N of "wavelet:N of x". */
static double step_number(const char *step, const struct prvcut_parameters *set)
{
    double at[BINS], n;
    struct prvcut_signals *out;

    busy_middle(at);
    out = step_of(at, step, set);
    n = strtod(strchr(prvcut_signals_at(out, 0)->name, ':') + 1, NULL);
    prvcut_signals_free(out);
    return n;
}

/* Fast waves are small here: only a fine look takes them for more than noise. */
static double level_shown(const struct prvcut_parameters *set)
{
    return step_number("wavelet", set);
}

static double sines(const struct prvcut_parameters *set)
{
    return step_number("crosscorrelation", set);
}

/* Every other one of the waves is lower. */
static double lag_of(const struct prvcut_parameters *set)
{
    double at[BINS];
    const struct prvcut_signal in = {
        .name = "x", .unit = "", .width = MS, .at = at, .bins = BINS
    };
    struct signal_period found;

    for (size_t i = 0; i < BINS; i++)
        at[i] = sin(2 * acos(-1) * (double)i / 32) * (i / 32 % 2 ? 0.6 : 1);
    ck_assert_int_eq(api_signal_lag(&found, &in, set, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(found.note);
    return found.bins;
}

/* Two witnesses of these periods and strengths: how the second one stands, and which is chosen. */
static double vote_of(double other, double strength, const struct prvcut_parameters *set,
                      bool choice)
{
    struct prvcut_witness w[] = {
        { .name = "a",
          .loop = { .found = true, .period_ns = 100, .span = { 0, 10000 }, .strength = 0.9 } },
        { .name = "b",
          .loop = { .found = true,
                    .period_ns = other,
                    .span = { 0, 10000 },
                    .strength = strength } }
    };
    struct prvcut_verdict v;

    prvcut_vote(&v, w, 2, set);
    return choice ? (double)v.chosen : (double)w[1].stand;
}

static double stand_near(const struct prvcut_parameters *set)
{
    return vote_of(110, 0.5, set, false) == PRVCUT_STAND_AGREES;
}

static double stand_multiple(const struct prvcut_parameters *set)
{
    return vote_of(215, 0.5, set, false) == PRVCUT_STAND_MULTIPLE;
}

static double chosen_outer(const struct prvcut_parameters *set)
{
    return vote_of(400, 0.7, set, true);
}

static double faint_found(const struct prvcut_parameters *set)
{
    struct prvcut_witness w = { .loop = { .found = true, .period_ns = 100, .strength = 0.6 } };
    struct prvcut_verdict v;

    prvcut_vote(&v, &w, 1, set);
    return v.found;
}

/* A generated run, divided. */
enum quantity { ITERATIONS, LEVELS, MASKS, CLOGGED, OUTLIERS };

static double divided(const char *options, const char *metrics, enum quantity what,
                      const struct prvcut_parameters *set)
{
    const struct prvcut_run run = { .size = sizeof run, .threads = 1, .set = set };
    const struct prvcut_structure_options o = { .size = sizeof o, .metrics = metrics };
    struct prvcut_structure *s;
    struct prvcut_trace *trace;
    double value = 0;

    generated_make(options, "g");
    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, "g.prv", NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_structure_find(trace, &run, &o, &s, &error) >= 0, "%s", error.text);
    prvcut_trace_close(trace);
    ck_assert_str_eq(s->set ? s->set : "", prvcut_parameters_text(set));
    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(s, i);

        if (what == ITERATIONS && r->level == 1)
            value += r->iterations;
        if (what == OUTLIERS && r->level == 1)
            value += (double)r->outliers_seen;
    }
    for (size_t i = 0; what == CLOGGED && i < s->masks; i++)
        value += prvcut_structure_mask(s, i)->cause == PRVCUT_CAUSE_CLOGGED;
    if (what == LEVELS || what == MASKS)
        value = what == LEVELS ? (double)s->levels : (double)s->masks;
    prvcut_structure_free(s);
    return value;
}

static double iterations_seen(const struct prvcut_parameters *set)
{
    return divided("--iterations 400 --tasks 2 --no-calls", "computing", ITERATIONS, set);
}

static double levels_seen(const struct prvcut_parameters *set)
{
    return divided("--iterations 10 --tasks 2 --inner 40", "computing", LEVELS, set);
}

static double masks_seen(const struct prvcut_parameters *set)
{
    return divided("--iterations 60 --tasks 4 --flush-every 400 --flush-ns 3000000", NULL, MASKS,
                   set);
}

static double clogged_seen(const struct prvcut_parameters *set)
{
    return divided("--iterations 100 --tasks 4 --clog 6", NULL, CLOGGED, set);
}

static double outliers_seen(const struct prvcut_parameters *set)
{
    return divided("--iterations 100 --tasks 2", NULL, OUTLIERS, set);
}

/* Masks of signals by hand: a run in bins of 1 ms, its loop 20 ms long. */
struct disturbed {
    struct prvcut_collection c;
    double flushing[BINS], clock[BINS], clogged[BINS], inflight[BINS];
    struct prvcut_flush flush[2];
};

static double masked(struct disturbed *d, uint64_t period, const struct prvcut_parameters *set)
{
    const struct prvcut_masks_wish wish = { .useful = 0, .period = period, .set = set };
    const struct {
        enum prvcut_metric_id id;
        double *at;
    } signal[] = { { PRVCUT_FLUSHING, d->flushing },
                   { PRVCUT_CLOCK, d->clock },
                   { PRVCUT_CLOGGED, d->clogged },
                   { PRVCUT_INFLIGHT, d->inflight } };
    struct prvcut_masks m;
    size_t count;

    for (size_t i = 0; i < 4; i++)
        d->c.signal[signal[i].id] = (struct prvcut_signal){
            .name = "x", .unit = "", .width = MS, .at = signal[i].at, .bins = BINS
        };
    d->c.flushes.at = d->flush;
    for (size_t i = 0; i < d->c.flushes.count; i++)
        for (uint64_t t = d->flush[i].begin / MS; t < d->flush[i].end / MS; t++)
            d->flushing[t] = 1;
    ck_assert_int_eq(prvcut_masks_find(&m, &d->c, &wish, &error), PRVCUT_OK);
    count = m.count;
    prvcut_masks_fini(&m);
    return (double)count;
}

/* The clock is low, and the network slow, in these bins. */
static double lowered(size_t low, size_t slow, const struct prvcut_parameters *set)
{
    static struct disturbed d;

    memset(&d, 0, sizeof d);
    for (size_t i = 0; i < BINS; i++) {
        d.clock[i] = i >= 500 && i < 500 + low ? 1.5 : 2.5;
        d.clogged[i] =
            1e-9 * (i >= 1000 && i < 1000 + slow ? 400 : (double)(10 + i % 20 + i / 100));
        d.inflight[i] = 1;
    }
    return masked(&d, 20 * MS, set);
}

static double masked_much(const struct prvcut_parameters *set)
{
    return lowered(800, 0, set);
}

static double masked_clock(const struct prvcut_parameters *set)
{
    return lowered(5, 0, set);
}

static double masked_network(const struct prvcut_parameters *set)
{
    return lowered(0, 40, set);
}

static double masked_flushes(const struct prvcut_parameters *set)
{
    static struct disturbed d;

    memset(&d, 0, sizeof d);
    d.flush[0] = (struct prvcut_flush){ 100 * MS, 110 * MS, 0 };
    d.flush[1] = (struct prvcut_flush){ 128 * MS, 138 * MS, 0 };
    d.c.flushes.count = 2;
    return masked(&d, 0, set);
}

/* Where a cut of one iteration begins: of iterations that are longer and more like a sine, the
   longer they are, and usual ones that are less so. */
static double chosen_at(const struct prvcut_parameters *set)
{
    enum { COUNT = 12 };
    static const uint64_t length[COUNT] = { 20, 21, 20, 22, 20, 21, 20, 26, 20, 22, 20, 21 };
    uint64_t border[COUNT + 1] = { 0 };
    double at[BINS] = { 0 };
    struct prvcut_signal signal = {
        .name = "x", .unit = "", .width = MS / 4, .at = at, .bins = BINS
    };
    struct prvcut_loop loop = { .found = true, .iterations = COUNT, .strength = 0.9 };
    struct prvcut_choice choice;

    for (size_t k = 0; k < COUNT; k++)
        border[k + 1] = border[k] + length[k] * MS;
    for (size_t i = 0, k = 0; i < BINS && k < COUNT; i++) {
        const double t = (double)(i * MS / 4 - border[k]) / (double)(length[k] * MS);

        at[i] = sin(2 * acos(-1) * t) +
                (length[k] > 25 ? 0 : 0.8 * sin((6 + (double)length[k] / 3) * acos(-1) * t));
        if ((i + 1) * MS / 4 >= border[k + 1])
            k++;
    }
    loop.span = (struct prvcut_span){ 0, border[COUNT] };
    loop.period_ns = loop.median_ns = (double)border[COUNT] / COUNT;
    const struct prvcut_choice_input in = { .loop = &loop,
                                            .borders = { border, COUNT + 1 },
                                            .signal = &signal,
                                            .iterations = 1,
                                            .set = set };

    ck_assert_int_eq(prvcut_choose(&choice, &in, &error), PRVCUT_OK);
    ck_assert(choice.found);
    return (double)choice.window.start;
}

/* What is measured is more with the second setting than with the first one. */
static const struct {
    const char *less, *more;
    double (*measure)(const struct prvcut_parameters *set);
} decides[PRVCUT_SETS] = {
    [PRVCUT_SET_LAMBDA] = { "lambda=0.9", "lambda=0.1", selected },
    [PRVCUT_SET_DELTA] = { "delta=1", "delta=50", selected },
    [PRVCUT_SET_SIGNIFICANT] = { "significant=0.1", "significant=1", level_shown },
    [PRVCUT_SET_WIDTH] = { "width=0.001", "width=0.1", closed },
    [PRVCUT_SET_SINES] = { "sines=1", "sines=3", sines },
    [PRVCUT_SET_RIVAL] = { "rival=0.5", "rival=0.95", lag_of },
    [PRVCUT_SET_BINS] = { "bins=1024", "bins=65536", iterations_seen },
    [PRVCUT_SET_STRENGTH] = { "strength=1", "strength=0.1", iterations_seen },
    [PRVCUT_SET_SAME] = { "same=0.05", "same=0.2", stand_near },
    [PRVCUT_SET_HARMONIC] = { "harmonic=0.01", "harmonic=0.1", stand_multiple },
    [PRVCUT_SET_AROUND] = { "around=10", "around=3", chosen_outer },
    [PRVCUT_SET_AROUND_SHARE] = { "around-share=0.9", "around-share=0.1", chosen_outer },
    [PRVCUT_SET_CONFIDENCE] = { "sure=0.9", "sure=0.1", faint_found },
    [PRVCUT_SET_LEVEL_BINS] = { "bins=2048,level-bins=256", "bins=2048,level-bins=16384",
                                levels_seen },
    [PRVCUT_SET_LEVEL_SHARE] = { "level-share=1", "level-share=0.1", levels_seen },
    [PRVCUT_SET_USEFUL] = { "useful=10", "useful=1", masks_seen },
    [PRVCUT_SET_USUAL] = { "usual=0.3", "usual=0.5", masked_much },
    [PRVCUT_SET_FLUSH_WIDTH] = { "flush-width=2", "flush-width=1", masked_flushes },
    [PRVCUT_SET_SLOW] = { "slow=0.5", "slow=0.8", masked_clock },
    [PRVCUT_SET_SLOW_WIDTH] = { "slow-width=0.5", "slow-width=0.125", masked_clock },
    [PRVCUT_SET_CLOGGED_RATIO] = { "network-ratio=50", "network-ratio=4", masked_network },
    [PRVCUT_SET_CLOGGED_SPREAD] = { "network-spread=5000", "network-spread=8", masked_network },
    [PRVCUT_SET_CLOGGED_WIDTH] = { "network-width=5", "network-width=1.25", masked_network },
    [PRVCUT_SET_JAM_RATIO] = { "jam-ratio=1000000", "jam-ratio=4", clogged_seen },
    [PRVCUT_SET_UNUSUAL] = { "unusual=1000", "unusual=1", outliers_seen },
    [PRVCUT_SET_TYPICAL] = { "typical=1,near-equal=0", "typical=1000,near-equal=0", chosen_at },
    [PRVCUT_SET_NEAR_EQUAL] = { "typical=1000,near-equal=2", "typical=1000,near-equal=0",
                                chosen_at },
};

START_TEST(test_parameter_changes_what_it_says)
{
    struct prvcut_parameters *less, *more;
    double a, b;

    ck_assert_msg(decides[_i].measure != NULL, "no case for %s",
                  prvcut_parameter_at((size_t)_i)->name);
    ck_assert_ptr_nonnull(strstr(decides[_i].less, prvcut_parameter_at((size_t)_i)->name));
    less = set_to(decides[_i].less);
    more = set_to(decides[_i].more);
    a = decides[_i].measure(less);
    b = decides[_i].measure(more);
    ck_assert_msg(a < b, "%s: %g; %s: %g", decides[_i].less, a, decides[_i].more, b);
    prvcut_parameters_free(less);
    prvcut_parameters_free(more);
}
END_TEST

static Suite *parameters_suite(void)
{
    Suite *s = suite_create("parameters");
    TCase *t = tcase_create("parameters");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_table_is_sound);
    tcase_add_test(t, test_set_takes_some_and_leaves_others);
    tcase_add_loop_test(t, test_set_refuses_and_names_the_range, 0, sizeof bad / sizeof *bad);
    tcase_add_loop_test(t, test_parameter_changes_what_it_says, 0, PRVCUT_SETS);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(parameters_suite());
}
