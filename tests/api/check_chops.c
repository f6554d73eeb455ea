#include "prvcut/reduce.h"

#include "tests/structure/generated.h"

#include "built.h"
#include "runner.h"

#include <limits.h>
#include <sys/stat.h>

/* Files of the generator: the trace, two companions, the truth. */
#define GIVEN 4

static struct prvcut_error error;

static const char *input = "a.prv";

static enum prvcut_status try_reduce(const struct prvcut_run *run,
                                     const struct prvcut_reduce_options *options,
                                     struct prvcut_reduction **out)
{
    struct prvcut_trace *trace;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, input, NULL, &error) == PRVCUT_OK, "%s", error.text);
    st = prvcut_reduce(trace, run, options, out, &error);
    prvcut_trace_close(trace);
    ck_assert(st >= 0 || (error.status == st && error.text[0] != '\0'));
    return st;
}

static enum prvcut_status reduce_to(const struct prvcut_reduce_options *options,
                                    struct prvcut_reduction **out)
{
    const struct prvcut_run run = { .threads = 2 };

    return try_reduce(&run, options, out);
}

static struct prvcut_reduction *reduce(const struct prvcut_reduce_options *options)
{
    struct prvcut_reduction *r;

    ck_assert_msg(reduce_to(options, &r) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_gt(r->chops, 0);
    return r;
}

static void assert_file(const char *name)
{
    ck_assert_msg(access(name, R_OK) == 0, "%s is not there", name);
}

/* A chop of a region holds iterations of that region, and its files are there. */
static void assert_chop(const struct prvcut_reduction *r, const struct prvcut_chop *c)
{
    const struct prvcut_region *g = prvcut_structure_region(r->structure, c->region);
    const uint64_t middle = c->cut->window.start / 2 + c->cut->window.end / 2;

    ck_assert_uint_lt(c->region, r->structure->regions);
    ck_assert_uint_eq(g->kind, PRVCUT_REGION_PERIODIC);
    ck_assert_uint_eq(c->level, g->level);
    ck_assert_uint_eq(c->number, g->number);
    ck_assert_uint_ge(middle, g->span.start);
    ck_assert_uint_le(middle, g->span.end);
    ck_assert_uint_ne(c->align, PRVCUT_ALIGN_AUTO);
    ck_assert_uint_gt(c->cut->states + c->cut->events, 0);
    for (unsigned i = 0; i < c->cut->files; i++)
        assert_file(c->cut->file[i]);
}

/* Two loops, the second with another period. */
static void make_two(void)
{
    generated_make("--tasks 4 --iterations 60 --init-ns 20000000 --change-at 0.3", "a");
}

/* One loop with an inner one. */
static void make_nested(void)
{
    generated_make("--tasks 4 --iterations 60 --inner 6", "a");
}

/* A thread loses its processor for some iterations, and no counter tells: they stand out. */
static void make_odd(void)
{
    generated_make("--tasks 4 --iterations 60 --every-k 40", "a");
}

/* --- Names ------------------------------------------------------------------------------------ */

START_TEST(test_chop_of_the_main_region_has_the_plain_name)
{
    static const char *const regions[] = { NULL, "longest", "1" };
    const struct prvcut_reduce_options o = { .iterations = 2, .regions = regions[_i] };
    struct prvcut_reduction *r;

    make_nested();
    r = reduce(&o);
    ck_assert_uint_eq(r->chops, 1);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->kind, PRVCUT_CHOP_TYPICAL);
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0],
                     _i < 2 ? "a.chop1.prv" : "a.1.1.prv");
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->region, r->structure->main);
    assert_chop(r, prvcut_reduction_chop(r, 0));
    ck_assert_uint_eq(scratch_count(), GIVEN + 3);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_all_regions_gives_one_of_each)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .regions = "all" };
    struct prvcut_reduction *r;

    make_two();
    r = reduce(&o);
    ck_assert_uint_eq(r->chops, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_chop(r, prvcut_reduction_chop(r, i));
        ck_assert_uint_eq(prvcut_reduction_chop(r, i)->number, i + 1);
        ck_assert_uint_eq(prvcut_reduction_chop(r, i)->iterations, 2);
    }
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], "a.1.1.prv");
    ck_assert_str_eq(prvcut_reduction_chop(r, 1)->cut->file[0], "a.1.2.prv");
    ck_assert_uint_eq(scratch_count(), GIVEN + 6);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_of_a_numbered_region_is_of_that_region)
{
    static const char *const number[] = { "1", "2" };
    const struct prvcut_reduce_options o = { .iterations = 3, .regions = number[_i] };
    struct prvcut_reduction *r;

    make_two();
    r = reduce(&o);
    ck_assert_uint_eq(r->chops, 1);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->number, (unsigned)_i + 1);
    assert_chop(r, prvcut_reduction_chop(r, 0));
    ck_assert_uint_eq(scratch_count(), GIVEN + 3);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_of_level_two_holds_inner_iterations)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .level = 2 };
    struct prvcut_reduction *r;
    const struct prvcut_region *g;
    const struct prvcut_span *w;

    make_nested();
    r = reduce(&o);
    ck_assert_uint_eq(r->chops, 1);
    assert_chop(r, prvcut_reduction_chop(r, 0));
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->level, 2);
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], "a.2.1.prv");
    g = prvcut_structure_region(r->structure, prvcut_reduction_chop(r, 0)->region);
    w = &prvcut_reduction_chop(r, 0)->cut->window;
    ck_assert_double_eq_tol((double)(w->end - w->start), 2 * g->period_ns, 0.5 * g->period_ns);
    ck_assert_double_lt(g->period_ns, r->period_ns / 4);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_outliers_are_single_odd_iterations)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .regions = "1", .outliers = 2 };
    struct prvcut_reduction *r;

    generated_make("--tasks 4 --iterations 60 --preempt 2", "a");
    r = reduce(&o);
    ck_assert_uint_eq(r->chops, 3);
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], "a.1.1.prv");
    ck_assert_str_eq(prvcut_reduction_chop(r, 1)->cut->file[0], "a.1.1.outlier1.prv");
    ck_assert_str_eq(prvcut_reduction_chop(r, 2)->cut->file[0], "a.1.1.outlier2.prv");
    for (size_t i = 0; i < 3; i++)
        assert_chop(r, prvcut_reduction_chop(r, i));
    for (size_t i = 1; i < 3; i++) {
        const struct prvcut_chop *c = prvcut_reduction_chop(r, i);
        const struct prvcut_outlier *odd =
            prvcut_region_outlier(prvcut_structure_region(r->structure, c->region), i - 1);
        const struct prvcut_span *w = &c->cut->window;

        ck_assert_uint_eq(c->kind, PRVCUT_CHOP_OUTLIER);
        ck_assert_uint_eq(c->iterations, 1);
        ck_assert_uint_eq(c->first, odd->iteration);
        ck_assert_str_eq(prvcut_chop_why_text(c->why), prvcut_outlier_why_text(odd->why));
        ck_assert_double_eq_tol((double)w->start, (double)odd->span.start, 0.3 * r->period_ns);
        ck_assert_double_eq_tol((double)w->end, (double)odd->span.end, 0.3 * r->period_ns);
    }
    ck_assert_uint_eq(scratch_count(), GIVEN + 9);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_output_is_the_stem_of_several)
{
    struct prvcut_reduce_options o = { .iterations = 1,
                                       .regions = "all",
                                       .cut = &(const struct prvcut_cut_options){
                                           .path = "out/x.prv" } };
    struct prvcut_reduction *r;

    make_two();
    ck_assert_int_eq(mkdir("out", 0777), 0);
    r = reduce(&o);
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], "out/x.1.1.prv");
    ck_assert_str_eq(prvcut_reduction_chop(r, 1)->cut->file[0], "out/x.1.2.prv");
    assert_chop(r, prvcut_reduction_chop(r, 0));
    assert_chop(r, prvcut_reduction_chop(r, 1));
    prvcut_reduction_free(r);
    /* A single one is called as it was asked for. */
    o.regions = "1";
    r = reduce(&o);
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], "out/x.prv");
    assert_chop(r, prvcut_reduction_chop(r, 0));
    prvcut_reduction_free(r);
}
END_TEST

/* --- What is not there ------------------------------------------------------------------------ */

START_TEST(test_chop_level_beyond_is_misuse)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .level = 9 };
    struct prvcut_reduction *r;

    make_nested();
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EUSAGE);
    ck_assert_ptr_null(r);
    ck_assert_uint_eq(scratch_count(), GIVEN);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_region_beyond_is_misuse)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .regions = "3" };
    struct prvcut_reduction *r;

    make_two();
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EUSAGE);
    ck_assert_str_eq(error.text, "no region 1.3: level 1 has 1.1 to 1.2");
    ck_assert_uint_eq(scratch_count(), GIVEN);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_regions_of_no_sense_are_misuse)
{
    static const char *const regions[] = { "", "0", "-1", "1.5", "both", "12345678901" };
    struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_reduction *r;

    generated_make("--tasks 2 --iterations 10", "a");
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
        o.regions = regions[i];
        ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EUSAGE);
        prvcut_reduction_free(r);
    }
}
END_TEST

/* A region that is too short is left out of all, and refused by its number. */
START_TEST(test_chop_short_region_is_skipped_or_refused)
{
    struct prvcut_reduce_options o = { .iterations = 25, .regions = "all" };
    struct prvcut_reduction *r;

    make_two();
    r = reduce(&o);
    ck_assert_uint_eq(r->chops, 1);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->number, 2);
    ck_assert_ptr_nonnull(
        strstr(prvcut_reduction_note(r, r->notes - 1), "25 iterations, not cut: 1 of 2"));
    ck_assert_uint_eq(scratch_count(), GIVEN + 3);
    prvcut_reduction_free(r);
    o.regions = "1";
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EUSAGE);
    prvcut_reduction_free(r);
    o.regions = "all";
    o.iterations = 100;
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EUSAGE);
    prvcut_reduction_free(r);
    ck_assert_uint_eq(scratch_count(), GIVEN + 3);
}
END_TEST

/* --- All or nothing --------------------------------------------------------------------------- */

START_TEST(test_chop_existing_file_stops_all)
{
    static const char *const taken[] = { "a.1.1.prv", "a.1.2.prv", "a.1.2.pcf" };
    struct prvcut_reduce_options o = { .iterations = 1, .regions = "all" };
    struct prvcut_reduction *r;

    make_two();
    scratch_write(taken[_i], "mine", 4);
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EEXIST);
    ck_assert_ptr_nonnull(strstr(error.text, taken[_i]));
    ck_assert_uint_eq(scratch_count(), GIVEN + 1);
    prvcut_reduction_free(r);
    o.cut = &(const struct prvcut_cut_options){ .force = true };
    r = reduce(&o);
    ck_assert_uint_eq(scratch_count(), GIVEN + 6);
    prvcut_reduction_free(r);
}
END_TEST

struct stopping {
    unsigned asked, most;
};

static bool stop(void *ctx)
{
    struct stopping *s = ctx;

    return ++s->asked > s->most;
}

START_TEST(test_chop_interrupted_leaves_all_or_nothing)
{
    struct stopping s = { .most = UINT_MAX };
    struct prvcut_run run = { .threads = 1, .stop = stop, .ctx = &s };
    const struct prvcut_reduce_options o = { .iterations = 1,
                                             .regions = "all",
                                             .proof = true,
                                             .cut = &(const struct prvcut_cut_options){
                                                 .force = true } };
    struct prvcut_reduction *r;
    unsigned all;

    make_two();
    ck_assert_int_eq(try_reduce(&run, &o, &r), PRVCUT_OK);
    prvcut_reduction_free(r);
    ck_assert_int_eq(generated_shell("rm a.1.*"), 0);
    all = s.asked;
    /* Late enough to have cut, early enough not to be done. */
    for (unsigned before = 1; before <= 33 && before < all; before += 8) {
        s = (struct stopping){ .most = all - before };
        ck_assert_int_eq(try_reduce(&run, &o, &r), PRVCUT_EINTERRUPTED);
        prvcut_reduction_free(r);
        ck_assert_uint_eq(scratch_count(), GIVEN);
    }
}
END_TEST

START_TEST(test_chop_dry_run_names_what_it_would_write)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .regions = "all",
                                             .outliers = 1,
                                             .report = "page.html",
                                             .cut = &(const struct prvcut_cut_options){
                                                 .dry_run = true } };
    struct prvcut_reduction *r;

    make_two();
    r = reduce(&o);
    ck_assert_uint_ge(r->chops, 2);
    ck_assert_uint_gt(prvcut_reduction_chop(r, 0)->cut->bytes, 0);
    ck_assert_ptr_null(r->page);
    ck_assert_uint_eq(scratch_count(), GIVEN);
    prvcut_reduction_free(r);
}
END_TEST

/* --- Proof and page --------------------------------------------------------------------------- */

START_TEST(test_chop_proof_is_made_when_asked_for)
{
    struct prvcut_reduce_options o = { .iterations = 2,
                                       .regions = "1",
                                       .outliers = 1,
                                       .cut =
                                           &(const struct prvcut_cut_options){ .dry_run = true } };
    struct prvcut_reduction *r;

    make_odd();
    r = reduce(&o);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->proof->verdict, PRVCUT_FAITH_UNASKED);
    prvcut_reduction_free(r);
    o.proof = true;
    r = reduce(&o);
    ck_assert_uint_eq(r->chops, 2);
    for (size_t i = 0; i < r->chops; i++) {
        ck_assert_uint_ne(prvcut_reduction_chop(r, i)->proof->verdict, PRVCUT_FAITH_UNASKED);
        ck_assert_uint_gt(prvcut_reduction_chop(r, i)->proof->rows, 0);
    }
    /* What is typical stands for its region better than what is odd. */
    ck_assert_double_lt(prvcut_reduction_chop(r, 0)->proof->worst,
                        prvcut_reduction_chop(r, 1)->proof->worst);
    prvcut_reduction_free(r);
}
END_TEST

static void assert_page(const char *path)
{
    char command[256];

    snprintf(command, sizeof command, "tail -c 200 %s | grep -qi '</html>'", path);
    ck_assert_int_eq(generated_shell(command), 0);
}

START_TEST(test_chop_page_is_written_beside_the_cut)
{
    struct prvcut_reduce_options o = { .iterations = 2, .report = "page.html" };
    struct prvcut_reduction *r;

    make_nested();
    r = reduce(&o);
    ck_assert_str_eq(r->page, "page.html");
    assert_page("page.html");
    ck_assert_uint_ne(prvcut_reduction_chop(r, 0)->proof->verdict, PRVCUT_FAITH_UNASKED);
    ck_assert_uint_ge(r->structure->levels, 2);
    ck_assert_uint_eq(scratch_count(), GIVEN + 4);
    prvcut_reduction_free(r);
    /* An existing page is not replaced, and nothing else is, either. */
    ck_assert_int_eq(generated_shell("rm a.chop1.*"), 0);
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EEXIST);
    ck_assert_uint_eq(scratch_count(), GIVEN + 1);
    prvcut_reduction_free(r);
    o.cut = &(const struct prvcut_cut_options){ .force = true };
    r = reduce(&o);
    prvcut_reduction_free(r);
}
END_TEST

START_TEST(test_chop_page_that_cannot_be_written_leaves_nothing)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .report = "no/such/page.html" };
    struct prvcut_reduction *r;

    make_nested();
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EIO);
    ck_assert_uint_eq(scratch_count(), GIVEN);
    prvcut_reduction_free(r);
}
END_TEST

/* Once the set's temporary folder is there, a folder appears where a chop belongs. */
static bool obstruct(void *ctx)
{
    const char *name = ctx;

    if (access(name, F_OK) != 0 && generated_shell("ls -d .a.*.prvcut-?????? >.seen 2>&1") == 0)
        ck_assert_int_eq(mkdir(name, 0700), 0);
    remove(".seen");
    return false;
}

/* The last step fails: nothing new is there, and a page that stood there before stands there. */
START_TEST(test_chop_that_cannot_be_named_takes_the_page_along)
{
    static char main[] = "a.1.1.prv", other[] = "a.1.2.row";
    char *const name = _i % 2 == 0 ? main : other;
    const bool old = _i >= 2;
    struct prvcut_run run = { .threads = 1, .stop = obstruct, .ctx = name };
    const struct prvcut_reduce_options o = { .iterations = 1,
                                             .regions = "all",
                                             .report = "page.html",
                                             .cut = &(const struct prvcut_cut_options){
                                                 .force = true } };
    struct prvcut_reduction *r;

    make_two();
    if (old)
        scratch_write("page.html", "mine", 4);
    ck_assert_int_lt(try_reduce(&run, &o, &r), 0);
    ck_assert_ptr_nonnull(strstr(error.text, name));
    ck_assert_ptr_null(r);
    prvcut_reduction_free(r);
    if (old)
        scratch_expect("page.html", "mine", 4);
    ck_assert_int_eq(rmdir(name), 0);
    ck_assert_uint_eq(scratch_count(), GIVEN + old);
}
END_TEST

/* What stands in a chop's place is replaced, but no folder: it may hold anything. */
START_TEST(test_chop_replaces_no_folder)
{
    static const char *const folders[] = { "a.chop1.prv", "a.chop1.row", "a.chop1.pcf" };
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .report = "page.html",
                                             .cut = &(const struct prvcut_cut_options){
                                                 .force = true } };
    struct prvcut_reduction *r;

    make_nested();
    r = reduce(&o);
    prvcut_reduction_free(r);
    ck_assert_int_eq(remove(folders[_i]), 0);
    ck_assert_int_eq(mkdir(folders[_i], 0700), 0);
    scratch_write("page.html", "mine", 4);
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, folders[_i]));
    prvcut_reduction_free(r);
    scratch_expect("page.html", "mine", 4);
    ck_assert_int_eq(rmdir(folders[_i]), 0);
    ck_assert_uint_eq(scratch_count(), GIVEN + 3);
}
END_TEST

START_TEST(test_chop_page_of_a_run_without_loop_tells_why)
{
    const struct prvcut_reduce_options o = { .iterations = 2, .report = "page.html" };
    struct prvcut_reduction *r;

    generated_make("--tasks 4 --iterations 40 --aperiodic", "a");
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_NONE);
    assert_page("page.html");
    ck_assert_uint_eq(scratch_count(), GIVEN + 1);
    prvcut_reduction_free(r);
}
END_TEST

/* An archive is a set of files and folders: it comes with its page, or not at all. */
START_TEST(test_chop_of_an_archive_comes_with_its_page)
{
    static const char *const formats[] = { "otf2", "otf" };
    char in[32], command[256];
    struct prvcut_reduce_options o = { .iterations = 2, .report = "no/such/page.html" };
    struct prvcut_reduction *r;
    size_t files;

    if (!test_reads(formats[_i]))
        return;
    snprintf(in, sizeof in, "in/a.%s", formats[_i]);
    snprintf(command, sizeof command,
             PRVARCHIVE " --processes 4 --exchanges 3 --iterations 20 %s >truth", in);
    ck_assert_int_eq(generated_shell(command), 0);
    input = in;
    snprintf(command, sizeof command, "x.%s", formats[_i]);
    o.cut = &(const struct prvcut_cut_options){ .path = command };
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EIO);
    ck_assert_uint_eq(scratch_count(), 2);
    prvcut_reduction_free(r);
    o.report = "page.html";
    r = reduce(&o);
    assert_chop(r, prvcut_reduction_chop(r, 0));
    assert_page("page.html");
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], command);
    files = scratch_count();
    ck_assert_uint_ge(files, 6);
    prvcut_reduction_free(r);
    o.report = "other.html";
    ck_assert_int_eq(reduce_to(&o, &r), PRVCUT_EEXIST);
    ck_assert_uint_eq(scratch_count(), files);
    prvcut_reduction_free(r);
    o.cut = &(const struct prvcut_cut_options){ .path = command, .force = true };
    r = reduce(&o);
    ck_assert_uint_eq(scratch_count(), files + 1);
    prvcut_reduction_free(r);
    input = "a.prv";
}
END_TEST

static Suite *chops_suite(void)
{
    Suite *s = suite_create("chops");
    TCase *names = tcase_create("names"), *missing = tcase_create("missing");
    TCase *whole = tcase_create("whole"), *proof = tcase_create("proof");

    scratch_fixtures(names);
    tcase_add_loop_test(names, test_chop_of_the_main_region_has_the_plain_name, 0, 3);
    tcase_add_test(names, test_chop_all_regions_gives_one_of_each);
    tcase_add_loop_test(names, test_chop_of_a_numbered_region_is_of_that_region, 0, 2);
    tcase_add_test(names, test_chop_of_level_two_holds_inner_iterations);
    tcase_add_test(names, test_chop_outliers_are_single_odd_iterations);
    tcase_add_test(names, test_chop_output_is_the_stem_of_several);
    suite_add_tcase(s, names);
    scratch_fixtures(missing);
    tcase_add_test(missing, test_chop_level_beyond_is_misuse);
    tcase_add_test(missing, test_chop_region_beyond_is_misuse);
    tcase_add_test(missing, test_chop_regions_of_no_sense_are_misuse);
    tcase_add_test(missing, test_chop_short_region_is_skipped_or_refused);
    suite_add_tcase(s, missing);
    scratch_fixtures(whole);
    tcase_set_timeout(whole, 120);
    tcase_add_loop_test(whole, test_chop_existing_file_stops_all, 0, 3);
    tcase_add_test(whole, test_chop_interrupted_leaves_all_or_nothing);
    tcase_add_test(whole, test_chop_dry_run_names_what_it_would_write);
    suite_add_tcase(s, whole);
    scratch_fixtures(proof);
    tcase_add_test(proof, test_chop_proof_is_made_when_asked_for);
    tcase_add_test(proof, test_chop_page_is_written_beside_the_cut);
    tcase_add_test(proof, test_chop_page_that_cannot_be_written_leaves_nothing);
    tcase_add_loop_test(proof, test_chop_that_cannot_be_named_takes_the_page_along, 0, 4);
    tcase_add_loop_test(proof, test_chop_replaces_no_folder, 0, 3);
    tcase_add_test(proof, test_chop_page_of_a_run_without_loop_tells_why);
    tcase_add_loop_test(proof, test_chop_of_an_archive_comes_with_its_page, 0, 2);
    suite_add_tcase(s, proof);
    return s;
}

int main(void)
{
    return run_suite(chops_suite());
}
