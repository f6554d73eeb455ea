/* Runs that are unlike what one expects: what must be found all the same. */

#include "prvcut/reduce.h"

#include "tests/structure/generated.h"

#include "runner.h"
#include "traces.h"

#include <math.h>

static struct prvcut_error error;
static const struct prvcut_run two = { .threads = 2 };

static struct prvcut_trace *open_it(const char *path)
{
    struct prvcut_trace *t = NULL;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

/* Pieces of one level and parent follow each other and cover it; loops of further groups of
   threads come after them. */
static void assert_cover(const struct prvcut_structure *s, size_t parent)
{
    const struct prvcut_span whole =
        parent == SIZE_MAX ? s->span : prvcut_structure_region(s, parent)->example;
    const unsigned level = parent == SIZE_MAX ? 1 : prvcut_structure_region(s, parent)->level + 1;
    uint64_t reached = whole.start;
    size_t parts = 0;

    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(s, i);

        if (r->parent != parent)
            continue;
        ck_assert_uint_eq(r->level, level);
        if (parent == SIZE_MAX && r->group > 0) {
            ck_assert_int_eq(r->kind, PRVCUT_REGION_PERIODIC);
            ck_assert_uint_eq(reached, whole.end);
            continue;
        }
        ck_assert_uint_eq(r->span.start, reached);
        ck_assert_uint_gt(r->span.end, reached);
        reached = r->span.end;
        parts++;
    }
    if (parts > 0)
        ck_assert_uint_eq(reached, whole.end);
    else
        ck_assert(parent != SIZE_MAX || whole.start == whole.end);
}

static bool is_periodic(const struct prvcut_region *r)
{
    return r->kind == PRVCUT_REGION_PERIODIC;
}

static void assert_borders(const struct prvcut_region *r)
{
    const double slack = r->period_ns;

    for (size_t i = 1; i < r->borders; i++)
        ck_assert_uint_gt(r->border[i], r->border[i - 1]);
    if (r->borders == 0)
        return;
    ck_assert_double_ge((double)r->border[0], (double)r->span.start - slack);
    ck_assert_double_le((double)r->border[r->borders - 1], (double)r->span.end + slack);
    ck_assert_double_eq_tol((double)(r->borders - 1), r->iterations, 1.5);
}

static void assert_region(const struct prvcut_structure *s, const struct prvcut_region *r)
{
    if (!is_periodic(r)) {
        ck_assert_uint_eq(r->number, 0);
        ck_assert_uint_eq(r->loop, 0);
        ck_assert((r->kind == PRVCUT_REGION_MASKED) == (r->cause != PRVCUT_CAUSE_NONE));
        return;
    }
    ck_assert_uint_gt(r->number, 0);
    ck_assert_uint_ge(r->loop, 1);
    ck_assert_uint_le(r->loop, s->loops);
    ck_assert_uint_le(r->level, s->levels);
    ck_assert_double_gt(r->period_ns, 0);
    ck_assert_double_gt(r->iterations, 0);
    ck_assert_double_le(r->iterations * r->period_ns,
                        1.1 * (double)(r->span.end - r->span.start) + 2 * r->period_ns);
    ck_assert_double_ge(r->confidence, 0);
    ck_assert_double_le(r->confidence, 1);
    ck_assert_uint_le(r->followers, r->examined);
    ck_assert_uint_ge(r->outliers_seen, r->outliers);
    assert_borders(r);
}

/* What holds of any structure. */
static void assert_whole(const struct prvcut_structure *s)
{
    assert_cover(s, SIZE_MAX);
    for (size_t i = 0; i < s->regions; i++) {
        assert_region(s, prvcut_structure_region(s, i));
        assert_cover(s, i);
    }
    ck_assert((s->loops == 0) == (s->levels == 0));
    ck_assert((s->loops == 0) == (s->main == SIZE_MAX));
    ck_assert((s->loops == 0) == (s->reason[0] != '\0'));
    if (s->main != SIZE_MAX)
        ck_assert(is_periodic(prvcut_structure_region(s, s->main)));
}

static enum prvcut_status find(const char *path, struct prvcut_structure **out)
{
    const struct prvcut_structure_options o = { 0 };
    struct prvcut_trace *t = open_it(path);
    const enum prvcut_status st = prvcut_structure_find(t, &two, &o, out, &error);

    prvcut_trace_close(t);
    ck_assert_msg(st == PRVCUT_OK || st == PRVCUT_NONE, "%s", error.text);
    assert_whole(*out);
    ck_assert((st == PRVCUT_NONE) == ((*out)->loops == 0));
    return st;
}

static enum prvcut_status reduce(const char *path, const struct prvcut_reduce_options *o,
                                 struct prvcut_reduction **out)
{
    struct prvcut_trace *t = open_it(path);
    const enum prvcut_status st = prvcut_reduce(t, &two, o, out, &error);

    prvcut_trace_close(t);
    ck_assert(st >= 0 || (error.status == st && error.text[0] != '\0'));
    return st;
}

static const struct prvcut_region *main_of(const struct prvcut_structure *s)
{
    ck_assert_msg(s->main != SIZE_MAX, "no loop: %s", s->reason);
    return prvcut_structure_region(s, s->main);
}

static bool near(double have, double want, double share)
{
    return fabs(have - want) <= share * want;
}

static void assert_period(double have, const struct truth *t, double share)
{
    ck_assert_msg(near(have, t->mean, share) || near(have, t->median, share), "%.0f ns, not %.0f",
                  have, t->mean);
}

/* Sum over the periodic regions of a level. */
static double iterations_of(const struct prvcut_structure *s, unsigned level)
{
    double sum = 0;

    for (size_t i = 0; i < s->regions; i++)
        if (prvcut_structure_region(s, i)->level == level &&
            is_periodic(prvcut_structure_region(s, i)))
            sum += prvcut_structure_region(s, i)->iterations;
    return sum;
}

static size_t count_kind(const struct prvcut_structure *s, const char *kind)
{
    size_t count = 0;

    for (size_t i = 0; i < s->regions; i++)
        count += prvcut_structure_region(s, i)->level == 1 &&
                 strcmp(prvcut_region_kind_text(prvcut_structure_region(s, i)->kind), kind) == 0;
    return count;
}

/* --- Many masks --------------------------------------------------------------------------------
 */

/* Flushes that overlap are one. */
static size_t merged_masks(const struct truth *t)
{
    size_t count = 0;
    uint64_t end = 0;

    for (size_t i = 0; i < t->masks; i++) {
        count += t->mask[i].start >= end;
        if (t->mask[i].end > end)
            end = t->mask[i].end;
    }
    return count;
}

static bool touches_mask(const struct truth *t, const struct prvcut_span *s)
{
    for (size_t i = 0; i < t->masks; i++)
        if (t->mask[i].start < s->end && t->mask[i].end > s->start)
            return true;
    return false;
}

/* How many masks there are at least; fewer with sanitizers, as time goes with their square. */
static size_t make_flushed(void)
{
    const bool few = traces_take() == TRACES_LEAST;

    generated_make(few ? "--tasks 4 --iterations 900 --period-ns 2000000 --flush-every 500"
                         " --flush-ns 3000000"
                       : "--tasks 4 --iterations 2500 --period-ns 2000000 --flush-every 500"
                         " --flush-ns 3000000",
                   "a");
    return few ? 70 : 200;
}

START_TEST(test_find_regions_between_hundreds_of_masks_is_one_loop)
{
    struct prvcut_structure *s;
    size_t flushing = 0, least = make_flushed();
    struct truth *t;

    t = truth_read("a");
    ck_assert_uint_ge(merged_masks(t), least);
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    assert_period(main_of(s)->median_ns, t, 0.03);
    ck_assert_uint_ge(count_kind(s, "masked"), merged_masks(t) * 9 / 10);
    ck_assert_uint_ge(count_kind(s, "periodic"), merged_masks(t) * 8 / 10);
    for (size_t i = 0; i < s->regions; i++)
        if (prvcut_structure_region(s, i)->level == 1 &&
            is_periodic(prvcut_structure_region(s, i))) {
            ck_assert_uint_eq(prvcut_structure_region(s, i)->loop, main_of(s)->loop);
            ck_assert(!touches_mask(t, &prvcut_structure_region(s, i)->span));
        } else if (prvcut_structure_region(s, i)->level == 1) {
            flushing += prvcut_structure_region(s, i)->cause == PRVCUT_CAUSE_FLUSHING;
        }
    /* Messages that wait for a flush may be a mask of their own behind it. */
    ck_assert_uint_ge(flushing, count_kind(s, "masked") * 9 / 10);
    ck_assert_double_eq_tol(iterations_of(s, 1) + (double)s->iterations_masked,
                            (double)t->iterations, 0.1 * (double)t->iterations);
    prvcut_structure_free(s);
    free(t);
}
END_TEST

/* A chop of each region that is long enough, none with a flush in it. */
START_TEST(test_reduce_regions_between_hundreds_of_masks_cuts_each)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .regions = "all",
                                             .outliers = 1,
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;
    size_t typical = 0;
    struct truth *t;

    make_flushed();
    t = truth_read("a");
    ck_assert_msg(reduce("a.prv", &o, &r) == PRVCUT_OK, "%s", error.text);
    assert_whole(r->structure);
    for (size_t i = 0; i < r->chops; i++) {
        const struct prvcut_chop *c = prvcut_reduction_chop(r, i);

        typical += c->kind == PRVCUT_CHOP_TYPICAL;
        ck_assert_uint_ge(c->iterations, 1);
        ck_assert_msg(!touches_mask(t, &c->cut->window), "chop %zu of region %u", i, c->number);
    }
    ck_assert_uint_ge(typical, merged_masks(t) * 7 / 10);
    prvcut_reduction_free(r);
    free(t);
}
END_TEST

START_TEST(test_reduce_page_of_hundreds_of_regions_is_small)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .report = "page.html" };
    struct prvcut_reduction *r;
    struct stat page;

    make_flushed();
    ck_assert_msg(reduce("a.prv", &o, &r) == PRVCUT_OK, "%s", error.text);
    ck_assert_int_eq(stat("page.html", &page), 0);
    ck_assert_int_lt(page.st_size, 2000000);
    prvcut_reduction_free(r);
}
END_TEST

/* All threads write their buffers from the first to the last record. */
static void mask_all(void)
{
    ck_assert_int_eq(
        generated_shell(
            "end=$(sed -n '1s/.*):\\([0-9]*\\)_ns.*/\\1/p' a.prv) &&"
            " { grep -v '^[123]' a.prv; for t in 1 2 3 4; do"
            " echo 2:$t:1:$t:1:0:40000003:1; done; grep '^[123]' a.prv; for t in 1 2 3 4; do"
            " echo 2:$t:1:$t:1:$end:40000003:0; done; } >b.prv && cp a.pcf b.pcf && cp a.row "
            "b.row"),
        0);
}

/* No iteration is clean; the calls tell of the loop all the same, and it is said what was cut. */
START_TEST(test_find_run_that_is_all_masked_tells_so)
{
    const struct prvcut_reduce_options o = {
        .iterations = 2, .cut = &(const struct prvcut_cut_options){ .dry_run = true }
    };
    struct prvcut_reduction *r;
    struct prvcut_structure *s;
    struct truth *t;

    generated_make("--tasks 4 --iterations 60", "a");
    t = truth_read("a");
    mask_all();
    ck_assert_int_eq(find("b.prv", &s), PRVCUT_OK);
    ck_assert_uint_eq(s->masks, 1);
    ck_assert_uint_eq(prvcut_structure_mask(s, 0)->cause, PRVCUT_CAUSE_FLUSHING);
    ck_assert_uint_eq(prvcut_structure_mask(s, 0)->affected, 4);
    ck_assert_uint_eq(s->iterations_masked, 60);
    assert_period(main_of(s)->median_ns, t, 0.03);
    ck_assert_double_gt(main_of(s)->spread_ns, 0);
    prvcut_structure_free(s);
    ck_assert_msg(reduce("b.prv", &o, &r) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_eq(r->chops, 1);
    ck_assert_int_eq(prvcut_reduction_chop(r, 0)->why, PRVCUT_CHOP_WHY_ALIKE_OF_ALL);
    prvcut_reduction_free(r);
    free(t);
}
END_TEST

/* --- Very many and very few iterations ---------------------------------------------------------
 */

START_TEST(test_find_loop_of_100000_iterations_counts_them)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .outliers = 3,
                                             .all_levels = true,
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;
    struct prvcut_structure *s;
    struct truth *t;

    generated_make("--tasks 2 --lean --iterations 100000 --period-ns 100000", "a");
    t = truth_read("a");
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    assert_period(main_of(s)->period_ns, t, 0.03);
    ck_assert_double_eq_tol(iterations_of(s, 1), 100000, 2000);
    ck_assert_uint_gt(main_of(s)->borders, 98000);
    ck_assert_uint_le(main_of(s)->outliers, 100);
    prvcut_structure_free(s);
    ck_assert_msg(reduce("a.prv", &o, &r) == PRVCUT_OK, "%s", error.text);
    ck_assert_double_eq_tol(r->iterations, 100000, 2000);
    ck_assert(near((double)(prvcut_reduction_chop(r, 0)->cut->window.end -
                            prvcut_reduction_chop(r, 0)->cut->window.start),
                   2 * r->median_ns, 0.3));
    prvcut_reduction_free(r);
    free(t);
}
END_TEST

START_TEST(test_find_loop_of_three_iterations)
{
    static const char *const options[] = { "--tasks 6 --iterations 3 --inner 5",
                                           "--tasks 4 --iterations 3 --inner 40",
                                           "--tasks 4 --iterations 3 --inner 8,6" };
    const struct prvcut_reduce_options o = {
        .iterations = 2, .cut = &(const struct prvcut_cut_options){ .dry_run = true }
    };
    struct prvcut_reduction *r;
    struct prvcut_structure *s;
    struct truth *t;

    if (!traces_turn(_i))
        return;
    generated_make(options[_i], "a");
    t = truth_read("a");
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    assert_period(main_of(s)->period_ns, t, 0.03);
    ck_assert_double_eq_tol(main_of(s)->iterations, 3, 0.5);
    ck_assert_uint_ge(s->levels, 2);
    prvcut_structure_free(s);
    ck_assert_int_eq(reduce("a.prv", &o, &r), PRVCUT_OK);
    ck_assert_double_eq_tol(
        truth_position(t, (double)prvcut_reduction_chop(r, 0)->cut->window.end) -
            truth_position(t, (double)prvcut_reduction_chop(r, 0)->cut->window.start),
        2, 0.2);
    prvcut_reduction_free(r);
    free(t);
}
END_TEST

/* --- Odd threads -------------------------------------------------------------------------------
 */

/* Tasks that live only for part of the run, that make no call, that are alone. */
static const char *const odd[] = { "--tasks 5 --short-lived 3 --iterations 80",
                                   "--tasks 5 --silent 1 --iterations 80",
                                   "--tasks 3 --silent 4 --short-lived 4 --iterations 80",
                                   "--tasks 1 --iterations 80",
                                   "--tasks 2 --threads-per-task 4 --silent 1 --iterations 60" };

/* The first thread is one of the loop's; others may end elsewhere, so that nothing of theirs is
 * split.
 */
static void assert_two_iterations(const struct prvcut_chop *c, const struct truth *t)
{
    const struct prvcut_span *all = &c->cut->window, *own = c->thread ? &c->thread[0] : all;

    ck_assert_double_eq_tol(
        truth_position(t, (double)own->end) - truth_position(t, (double)own->start), 2, 0.2);
    ck_assert_double_le(truth_position(t, (double)all->end) - truth_position(t, (double)all->start),
                        2.7);
}

START_TEST(test_find_loop_despite_threads_that_do_not_follow)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .regions = "all",
                                             .outliers = 2,
                                             .proof = true,
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;
    struct prvcut_structure *s;
    struct truth *t;

    generated_make(odd[_i], "a");
    t = truth_read("a");
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    assert_period(main_of(s)->period_ns, t, 0.03);
    ck_assert_double_eq_tol(iterations_of(s, 1) + (double)s->iterations_masked,
                            (double)t->iterations, 0.02 * (double)t->iterations + 0.5);
    ck_assert_uint_ge(main_of(s)->followers, 1);
    prvcut_structure_free(s);
    ck_assert_msg(reduce("a.prv", &o, &r) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_ge(r->chops, 1);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->kind, PRVCUT_CHOP_TYPICAL);
    assert_two_iterations(prvcut_reduction_chop(r, 0), t);
    ck_assert_uint_ne(prvcut_reduction_chop(r, 0)->proof->verdict, PRVCUT_FAITH_UNASKED);
    prvcut_reduction_free(r);
    free(t);
}
END_TEST

/* A silent task is not counted among those that follow, nor as unlike: it makes no call at all. */
START_TEST(test_find_silent_threads_are_no_followers)
{
    struct prvcut_structure *s;

    generated_make("--tasks 3 --silent 5 --iterations 60", "a");
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    ck_assert_uint_ge(main_of(s)->followers, 1);
    ck_assert_uint_le(main_of(s)->followers, 3);
    prvcut_structure_free(s);
}
END_TEST

/* Median length of the group's loop; 0: there is none. */
static double median_of_group(const struct prvcut_structure *s, unsigned group)
{
    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(s, i);

        if (r->group == group && is_periodic(r))
            return r->median_ns;
    }
    return 0;
}

/* Two programs at once: the period of one of them, and that of the other beside it. */
START_TEST(test_find_periods_of_two_applications_are_those_of_both)
{
    static const double period[2][2] = { { 20e6, 7e6 }, { 13e6, 31e6 } };
    struct prvcut_structure *s;
    char options[200];
    double have, other;
    unsigned which;

    snprintf(options, sizeof options,
             "--applications 2 --tasks 3 --iterations 60 --application-periods %.0f,%.0f",
             period[_i][0], period[_i][1]);
    generated_make(options, "a");
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    have = main_of(s)->median_ns;
    ck_assert_msg(near(have, 1.05 * period[_i][0], 0.05) || near(have, 1.05 * period[_i][1], 0.05),
                  "%.0f ns", have);
    which = near(have, 1.05 * period[_i][0], 0.05);
    other = median_of_group(s, 1);
    ck_assert(s->apart);
    ck_assert_msg(near(other, 1.05 * period[_i][which], 0.05), "%.0f ns", other);
    ck_assert(median_of_group(s, 2) == 0);
    prvcut_structure_free(s);
}
END_TEST

/* Calls are written on two lines; in each of these the reader's parts begin between two of one
 * call.
 */
START_TEST(test_find_plain_loop_has_no_departures)
{
    static const unsigned seed[] = { 1, 5, 6 };
    struct prvcut_structure *s;
    char options[100];

    if (!traces_turn(_i))
        return;
    snprintf(options, sizeof options, "--tasks 4 --iterations 1000 --inner 3 --seed %u", seed[_i]);
    generated_make(options, "a");
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    ck_assert_double_eq_tol(main_of(s)->iterations, 1000, 0.01);
    ck_assert_uint_eq(main_of(s)->departures, 0);
    prvcut_structure_free(s);
}
END_TEST

/* --- Odd extents -------------------------------------------------------------------------------
 */

START_TEST(test_find_run_that_is_all_loop_is_one_region)
{
    struct prvcut_structure *s;
    const struct prvcut_region *r;
    struct truth *t;

    generated_make("--tasks 4 --iterations 50 --init-ns 0 --end-ns 0", "a");
    t = truth_read("a");
    ck_assert_int_eq(find("a.prv", &s), PRVCUT_OK);
    r = main_of(s);
    ck_assert_uint_eq(count_kind(s, "periodic"), 1);
    assert_period(r->period_ns, t, 0.03);
    ck_assert_double_eq_tol(r->iterations, 50, 1);
    ck_assert_double_ge((double)(r->span.end - r->span.start), 0.95 * (double)t->duration);
    prvcut_structure_free(s);
    free(t);
}
END_TEST

/* Only loop: the analysis begins and ends inside of it. */
START_TEST(test_find_part_of_a_loop_is_one_region)
{
    struct prvcut_structure_options o = { 0 };
    struct prvcut_structure *s;
    struct prvcut_trace *trace;
    struct truth *t;

    generated_make("--tasks 4 --iterations 80", "a");
    t = truth_read("a");
    trace = open_it("a.prv");
    o.only = (struct prvcut_span){ t->first[20] + 1000, t->first[60] + 1000 };
    ck_assert_int_eq(prvcut_structure_find(trace, &two, &o, &s, &error), PRVCUT_OK);
    assert_whole(s);
    ck_assert_uint_eq(s->span.start, o.only.start);
    ck_assert_uint_eq(s->span.end, o.only.end);
    assert_period(main_of(s)->period_ns, t, 0.03);
    ck_assert_double_eq_tol(iterations_of(s, 1), 40, 1.5);
    prvcut_structure_free(s);
    prvcut_trace_close(trace);
    free(t);
}
END_TEST

START_TEST(test_find_empty_trace_has_no_region)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .regions = "all",
                                             .outliers = 3,
                                             .proof = true,
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    static const char *const text[] = {
        "#Paraver (20/11/2026 at 12:00):0_ns:1(1):1:1(1:1)\n",
        "#Paraver (20/11/2026 at 12:00):1000_ns:1(1):1:1(1:1)\n",
        "#Paraver (20/11/2026 at 12:00):1000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:1000:1\n",
    };
    struct prvcut_reduction *r;
    struct prvcut_structure *s;
    FILE *file = fopen("empty.prv", "w");

    ck_assert_ptr_nonnull(file);
    fputs(text[_i], file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(find("empty.prv", &s), PRVCUT_NONE);
    ck_assert_uint_eq(s->loops, 0);
    prvcut_structure_free(s);
    ck_assert_int_eq(reduce("empty.prv", &o, &r), PRVCUT_NONE);
    ck_assert_uint_eq(r->chops, 0);
    prvcut_reduction_free(r);
}
END_TEST

/* --- What is asked for and is not there --------------------------------------------------------
 */

START_TEST(test_reduce_level_beyond_what_there_is_says_so)
{
    static const unsigned level[] = { 3, 9, 1000000 };
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .level = level[_i],
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;

    if (!traces_turn(_i))
        return;
    generated_make("--tasks 4 --iterations 50 --inner 6", "a");
    ck_assert_int_eq(reduce("a.prv", &o, &r), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "the deepest is 2"));
    ck_assert_ptr_null(r);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_reduce_level_2_cuts_inside_one_iteration)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .level = 2,
                                             .regions = "all",
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;
    struct truth *t;

    generated_make("--tasks 4 --iterations 50 --inner 8", "a");
    t = truth_read("a");
    ck_assert_msg(reduce("a.prv", &o, &r) == PRVCUT_OK, "%s", error.text);
    assert_whole(r->structure);
    ck_assert_uint_ge(r->chops, 1);
    for (size_t i = 0; i < r->chops; i++) {
        const struct prvcut_span *w = &prvcut_reduction_chop(r, i)->cut->window;

        ck_assert_uint_eq(prvcut_reduction_chop(r, i)->level, 2);
        ck_assert_uint_eq(
            prvcut_structure_region(r->structure, prvcut_reduction_chop(r, i)->region)->level, 2);
        ck_assert_double_lt((double)(w->end - w->start), 0.6 * t->mean);
    }
    prvcut_reduction_free(r);
    free(t);
}
END_TEST

START_TEST(test_reduce_region_that_is_not_there_is_refused)
{
    static const char *const regions[] = { "2", "0", "-1", "99999999999999999999", "some", "" };
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .regions = regions[_i],
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;

    if (!traces_turn(_i))
        return;
    generated_make("--tasks 4 --iterations 50", "a");
    ck_assert_int_eq(reduce("a.prv", &o, &r), PRVCUT_EUSAGE);
    ck_assert_ptr_null(r);
    prvcut_reduction_free(r);
}
END_TEST

/* More outliers than there are: those there are, each once. */
START_TEST(test_reduce_more_outliers_than_iterations_gives_what_there_is)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .outliers = 1000,
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;
    size_t seen = 0;

    generated_make("--tasks 4 --iterations 100 --every-k 40", "a");
    ck_assert_msg(reduce("a.prv", &o, &r) == PRVCUT_OK, "%s", error.text);
    for (size_t i = 0; i < r->chops; i++) {
        seen += prvcut_reduction_chop(r, i)->kind == PRVCUT_CHOP_OUTLIER;
        for (size_t k = 0; k < i; k++)
            ck_assert(prvcut_reduction_chop(r, k)->cut->window.start !=
                          prvcut_reduction_chop(r, i)->cut->window.start ||
                      prvcut_reduction_chop(r, k)->cut->window.end !=
                          prvcut_reduction_chop(r, i)->cut->window.end);
    }
    ck_assert_uint_eq(seen, prvcut_structure_region(r->structure, r->structure->main)->outliers);
    ck_assert_uint_le(seen, 20);
    ck_assert_uint_ge(seen, 2);
    prvcut_reduction_free(r);
}
END_TEST

static Suite *structure_bad_suite(void)
{
    Suite *s = suite_create("structure, odd runs");
    TCase *c = tcase_create("all");

    scratch_fixtures(c);
    tcase_set_timeout(c, 300);
    tcase_add_test(c, test_find_regions_between_hundreds_of_masks_is_one_loop);
    tcase_add_test(c, test_reduce_regions_between_hundreds_of_masks_cuts_each);
    tcase_add_test(c, test_reduce_page_of_hundreds_of_regions_is_small);
    tcase_add_test(c, test_find_run_that_is_all_masked_tells_so);
    tcase_add_test(c, test_find_loop_of_100000_iterations_counts_them);
    tcase_add_loop_test(c, test_find_loop_of_three_iterations, 0, 3);
    tcase_add_loop_test(c, test_find_loop_despite_threads_that_do_not_follow, 0,
                        (int)(sizeof odd / sizeof *odd));
    tcase_add_test(c, test_find_silent_threads_are_no_followers);
    tcase_add_loop_test(c, test_find_periods_of_two_applications_are_those_of_both, 0, 2);
    tcase_add_loop_test(c, test_find_plain_loop_has_no_departures, 0, 3);
    tcase_add_test(c, test_find_run_that_is_all_loop_is_one_region);
    tcase_add_test(c, test_find_part_of_a_loop_is_one_region);
    tcase_add_loop_test(c, test_find_empty_trace_has_no_region, 0, 3);
    tcase_add_loop_test(c, test_reduce_level_beyond_what_there_is_says_so, 0, 3);
    tcase_add_test(c, test_reduce_level_2_cuts_inside_one_iteration);
    tcase_add_loop_test(c, test_reduce_region_that_is_not_there_is_refused, 0, 6);
    tcase_add_test(c, test_reduce_more_outliers_than_iterations_gives_what_there_is);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(structure_bad_suite());
}
