#include "structure/levels.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, ROOM = 20000 };

/** A program of two threads that only call; the second one is a little later. */
struct program {
    struct prvcut_call_sequence sequence[THREADS];
    uint64_t now; /* ns */
    unsigned seed;
};

static const struct prvcut_run one = { .threads = 1 };
static struct prvcut_error error;

static unsigned draw(struct program *p, unsigned below)
{
    p->seed = p->seed * 1664525u + 1013904223u;
    return (p->seed >> 8) % below;
}

static void program_init(struct program *p)
{
    memset(p, 0, sizeof *p);
    p->seed = 7;
    for (unsigned i = 0; i < THREADS; i++) {
        p->sequence[i].thread = i;
        p->sequence[i].at = calloc(ROOM, sizeof *p->sequence[i].at);
        ck_assert_ptr_nonnull(p->sequence[i].at);
    }
}

static void program_fini(struct program *p)
{
    for (unsigned i = 0; i < THREADS; i++)
        free(p->sequence[i].at);
}

/* All threads call, then compute for about that long. */
static void call(struct program *p, unsigned which, uint64_t ns)
{
    for (unsigned i = 0; i < THREADS; i++) {
        struct prvcut_call_sequence *s = &p->sequence[i];

        ck_assert_uint_lt(s->count, ROOM);
        s->at[s->count++] = (struct prvcut_call){ .time = p->now + 300 * i,
                                                  .call = 1 + which,
                                                  .peer = 11 * which + i,
                                                  .size = 1000 + 7 * which,
                                                  .site = 5000 + which };
    }
    p->now += ns - ns / 50 + draw(p, (unsigned)(ns / 25) + 1);
}

static void noise(struct program *p, unsigned calls)
{
    while (calls-- > 0)
        call(p, 900 + draw(p, 4000), 20000 + draw(p, 400000));
}

/* Iterations of six calls, from call `first` on. */
static void loop(struct program *p, unsigned first, unsigned iterations, uint64_t period)
{
    while (iterations-- > 0)
        for (unsigned k = 0; k < 6; k++)
            call(p, first + k, period / 6);
}

/* Iterations that hold a loop of `inner` iterations of four calls, between two calls each side. */
static void nested(struct program *p, unsigned iterations, unsigned inner)
{
    while (iterations-- > 0) {
        call(p, 50, 400000);
        call(p, 51, 300000);
        for (unsigned i = 0; i < inner; i++)
            for (unsigned k = 0; k < 4; k++)
                call(p, 60 + k, 50000);
        call(p, 52, 500000);
        call(p, 53, 300000);
    }
}

/** A program divided. */
struct divided {
    struct prvcut_division parts;
    struct prvcut_known_loops known;
    struct prvcut_structure s;
    struct prvcut_masks masks;
    struct prvcut_mask mask[4];
    struct prvcut_span span[4];
    struct prvcut_divide_input in;
};

static void input(struct divided *d, const struct program *p)
{
    static const struct prvcut_signal none[PRVCUT_METRICS];

    d->in = (struct prvcut_divide_input){ .where = { .span = { 0, p->now + 100000 },
                                                     .signal = none,
                                                     .calls = true,
                                                     .sequence = p->sequence,
                                                     .sequences = THREADS,
                                                     .mask = d->span },
                                          .masks = &d->masks,
                                          .level = 1,
                                          .useful = 2 };
    d->masks.at = d->mask;
}

static void add_mask(struct divided *d, const char *cause, uint64_t start, uint64_t end)
{
    d->mask[d->masks.count] = (struct prvcut_mask){ .cause = cause, .span = { start, end } };
    d->span[d->masks.count++] = (struct prvcut_span){ start, end };
}

static void divide(struct divided *d)
{
    struct prvcut_search first;

    d->in.where.masks = d->masks.count;
    ck_assert_int_eq(prvcut_search_find(&first, &d->in.where, &one, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_divide(&d->parts, &d->known, &d->in, &first, &one, &error), PRVCUT_OK);
    prvcut_search_fini(&first);
}

static void divided_fini(struct divided *d)
{
    prvcut_division_fini(&d->parts);
    prvcut_known_loops_fini(&d->known);
    for (size_t i = 0; i < d->s.regions; i++)
        prvcut_region_fini(&d->s.region[i]);
    free(d->s.region);
}

static bool is(const struct prvcut_region *r, const char *kind)
{
    return strcmp(r->kind, kind) == 0;
}

/* What holds of any division: complete, in order, no overlap, no mask inside a periodic region. */
static void assert_laws(const struct divided *d)
{
    const struct prvcut_division *p = &d->parts;
    uint64_t reached = d->in.where.span.start;

    ck_assert_uint_gt(p->regions, 0);
    for (size_t i = 0; i < p->regions; i++) {
        const struct prvcut_region *r = &p->region[i];

        ck_assert_uint_eq(r->span.start, reached);
        ck_assert_uint_gt(r->span.end, r->span.start);
        ck_assert((p->loop[i] != SIZE_MAX) == is(r, "periodic"));
        ck_assert((r->loop > 0) == is(r, "periodic"));
        ck_assert((*r->cause != '\0') == is(r, "masked"));
        for (size_t m = 0; is(r, "periodic") && m < d->masks.count; m++)
            ck_assert(d->span[m].end <= r->span.start || d->span[m].start >= r->span.end);
        if (r->border)
            ck_assert_uint_eq(r->borders, (size_t)r->iterations + 1);
        reached = r->span.end;
    }
    ck_assert_uint_eq(reached, d->in.where.span.end);
}

static const struct prvcut_region *periodic(const struct divided *d, size_t which)
{
    for (size_t i = 0; i < d->parts.regions; i++)
        if (is(&d->parts.region[i], "periodic") && which-- == 0)
            return &d->parts.region[i];
    ck_abort_msg("too few periodic regions");
    return NULL;
}

static size_t count(const struct divided *d, const char *kind)
{
    size_t n = 0;

    for (size_t i = 0; i < d->parts.regions; i++)
        n += is(&d->parts.region[i], kind);
    return n;
}

START_TEST(test_divide_run_names_what_is_around_the_loop)
{
    struct program p;
    struct divided d = { .parts = { 0 } };
    const struct prvcut_region *r;

    program_init(&p);
    noise(&p, 40);
    loop(&p, 10, 30, 1200000);
    noise(&p, 30);
    input(&d, &p);
    divide(&d);
    assert_laws(&d);
    ck_assert_uint_eq(d.parts.regions, 3);
    ck_assert_str_eq(d.parts.region[0].kind, "initialisation");
    ck_assert_str_eq(d.parts.region[2].kind, "end");
    r = periodic(&d, 0);
    ck_assert_double_eq_tol(r->iterations, 30, 0.5);
    ck_assert_double_eq_tol(r->period_ns, 1200000, 0.02 * 1200000);
    ck_assert_double_eq_tol(r->median_ns, 1200000, 0.02 * 1200000);
    ck_assert_uint_eq(r->followers, THREADS);
    ck_assert_str_eq(r->source, "calls");
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_divide_run_without_loop_is_one_aperiodic_piece)
{
    struct program p;
    struct divided d = { .parts = { 0 } };

    program_init(&p);
    noise(&p, 300);
    input(&d, &p);
    divide(&d);
    assert_laws(&d);
    ck_assert_uint_eq(d.parts.regions, 1);
    ck_assert_str_eq(d.parts.region[0].kind, "aperiodic");
    ck_assert_uint_eq(d.known.count, 0);
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_divide_loop_that_comes_again_keeps_its_number)
{
    struct program p;
    struct divided d = { .parts = { 0 } };

    program_init(&p);
    noise(&p, 20);
    loop(&p, 10, 40, 1200000);
    noise(&p, 60);
    loop(&p, 30, 30, 700000);
    noise(&p, 60);
    loop(&p, 10, 25, 1200000);
    input(&d, &p);
    divide(&d);
    assert_laws(&d);
    ck_assert_uint_eq(count(&d, "periodic"), 3);
    ck_assert_uint_eq(count(&d, "aperiodic"), 2);
    ck_assert_uint_eq(periodic(&d, 0)->loop, periodic(&d, 2)->loop);
    ck_assert_uint_ne(periodic(&d, 0)->loop, periodic(&d, 1)->loop);
    ck_assert_double_eq_tol(periodic(&d, 1)->iterations, 30, 1);
    ck_assert_double_eq_tol(periodic(&d, 2)->iterations, 25, 1);
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_divide_masks_cut_a_loop_between_iterations)
{
    struct program p;
    struct divided d = { .parts = { 0 } };
    uint64_t start;

    program_init(&p);
    noise(&p, 20);
    start = p.now;
    loop(&p, 10, 60, 1200000);
    input(&d, &p);
    /* Ten and a half iterations in, two long; then less than an iteration to the next. */
    add_mask(&d, "flushing", start + 12600000, start + 15000000);
    add_mask(&d, "preemption", start + 39000000, start + 40000000);
    add_mask(&d, "flushing", start + 41000000, start + 42000000);
    divide(&d);
    assert_laws(&d);
    ck_assert_uint_eq(count(&d, "periodic"), 3);
    ck_assert_uint_eq(periodic(&d, 0)->loop, periodic(&d, 1)->loop);
    ck_assert_uint_eq(periodic(&d, 0)->loop, periodic(&d, 2)->loop);
    ck_assert_double_eq_tol(periodic(&d, 0)->iterations, 10, 1);
    ck_assert_double_eq_tol(periodic(&d, 1)->iterations, 20, 1.5);
    ck_assert_double_eq_tol(periodic(&d, 2)->iterations, 25, 1.5);
    ck_assert_uint_eq(count(&d, "masked"), 2);
    for (size_t i = 0; i < d.parts.regions; i++)
        if (is(&d.parts.region[i], "masked"))
            ck_assert_str_eq(d.parts.region[i].cause, "flushing");
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_divide_masks_in_every_iteration_divide_nothing)
{
    struct program p;
    struct divided d = { .parts = { 0 } };
    uint64_t start;

    program_init(&p);
    noise(&p, 20);
    start = p.now;
    loop(&p, 10, 4, 1200000);
    input(&d, &p);
    for (unsigned i = 0; i < 4; i++)
        add_mask(&d, "clogged", start + i * 1200000 + 500000, start + i * 1200000 + 600000);
    d.in.where.masks = d.masks.count;
    {
        struct prvcut_search first;

        ck_assert_int_eq(prvcut_search_find(&first, &d.in.where, &one, &error), PRVCUT_OK);
        ck_assert(first.loop.found);
        ck_assert_int_eq(prvcut_divide(&d.parts, &d.known, &d.in, &first, &one, &error), PRVCUT_OK);
        prvcut_search_fini(&first);
    }
    ck_assert_uint_eq(count(&d, "periodic"), 1);
    ck_assert_double_gt(periodic(&d, 0)->median_ns, 0);
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_divide_change_of_period_makes_two_regions)
{
    struct program p;
    struct divided d = { .parts = { 0 } };

    program_init(&p);
    noise(&p, 20);
    loop(&p, 10, 40, 1200000);
    loop(&p, 10, 40, 3000000);
    input(&d, &p);
    divide(&d);
    assert_laws(&d);
    ck_assert_uint_eq(count(&d, "periodic"), 2);
    ck_assert_double_eq_tol(periodic(&d, 0)->iterations, 40, 1);
    ck_assert_double_eq_tol(periodic(&d, 0)->period_ns, 1200000, 0.03 * 1200000);
    ck_assert_double_eq_tol(periodic(&d, 1)->period_ns, 3000000, 0.03 * 3000000);
    ck_assert_uint_ne(periodic(&d, 0)->loop, periodic(&d, 1)->loop);
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

static void find_levels(struct divided *d, unsigned levels)
{
    struct prvcut_trace trace = { .seekable = false };
    const struct prvcut_levels_input in = {
        .trace = &trace, .run = &one, .top = &d->in, .levels = levels
    };

    ck_assert_int_eq(prvcut_levels_find(&d->s, &d->known, &d->parts, &in, &error), PRVCUT_OK);
    ck_assert_uint_eq(d->parts.regions, 0);
}

START_TEST(test_find_levels_divides_one_iteration)
{
    struct program p;
    struct divided d = { .parts = { 0 } };
    const struct prvcut_region *outer = NULL, *inner = NULL;
    uint64_t reached = 0;

    program_init(&p);
    noise(&p, 30);
    nested(&p, 20, 15);
    noise(&p, 10);
    input(&d, &p);
    divide(&d);
    find_levels(&d, 0);
    ck_assert_uint_eq(d.s.levels, 2);
    ck_assert_uint_eq(d.s.loops, 2);
    for (size_t i = 0; i < d.s.regions; i++) {
        const struct prvcut_region *r = &d.s.region[i];

        ck_assert((r->number > 0) == (d.known.of_region[i] != SIZE_MAX));
        if (r->loop > 0 && r->level == 1)
            outer = r;
        if (r->level != 2)
            continue;
        /* The parts follow the region whose iteration they divide, and cover it. */
        ck_assert_ptr_nonnull(outer);
        ck_assert_ptr_eq(&d.s.region[r->parent], outer);
        ck_assert_uint_eq(r->span.start, reached > 0 ? reached : outer->example.start);
        reached = r->span.end;
        inner = r->loop > 0 ? r : inner;
    }
    ck_assert_ptr_nonnull(inner);
    ck_assert_uint_eq(reached, outer->example.end);
    ck_assert_double_eq_tol(outer->iterations, 20, 1);
    ck_assert_double_eq_tol(inner->iterations, 15, 1);
    ck_assert_double_eq_tol(inner->period_ns, 200000, 0.05 * 200000);
    ck_assert_uint_eq(outer->votes, 1);
    ck_assert_uint_eq(inner->votes, 1);
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_find_levels_stops_where_asked)
{
    struct program p;
    struct divided d = { .parts = { 0 } };

    program_init(&p);
    nested(&p, 20, 15);
    input(&d, &p);
    divide(&d);
    find_levels(&d, 1);
    ck_assert_uint_eq(d.s.levels, 1);
    for (size_t i = 0; i < d.s.regions; i++) {
        ck_assert_uint_eq(d.s.region[i].level, 1);
        ck_assert_uint_eq(d.s.region[i].example.end, 0);
    }
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_find_levels_ends_where_nothing_repeats)
{
    struct program p;
    struct divided d = { .parts = { 0 } };

    program_init(&p);
    loop(&p, 10, 30, 1200000);
    input(&d, &p);
    divide(&d);
    find_levels(&d, 0);
    ck_assert_uint_eq(d.s.levels, 1);
    ck_assert_uint_eq(d.s.loops, 1);
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

START_TEST(test_split_known_loop_keeps_all_iterations)
{
    struct program p;
    struct divided d = { .parts = { 0 } };
    size_t a, b;
    const uint64_t *first, *second;

    program_init(&p);
    noise(&p, 10);
    loop(&p, 10, 30, 1200000);
    input(&d, &p);
    divide(&d);
    ck_assert_uint_eq(d.known.count, 1);
    ck_assert_int_eq(prvcut_known_loops_split(&d.known, 0, 12, &error), PRVCUT_OK);
    ck_assert_uint_eq(d.known.count, 2);
    first = prvcut_known_loop_borders(&d.known.at[0], &a);
    second = prvcut_known_loop_borders(&d.known.at[1], &b);
    ck_assert_uint_eq(a, 13);
    ck_assert_uint_eq(a + b, 32);
    ck_assert_uint_eq(first[a - 1], second[0]);
    ck_assert_double_eq_tol(d.known.at[0].loop.iterations, 12, 1e-9);
    ck_assert_uint_eq(d.known.at[0].loop.span.end, d.known.at[1].loop.span.start);
    divided_fini(&d);
    program_fini(&p);
}
END_TEST

static Suite *divide_suite(void)
{
    Suite *suite = suite_create("divide");
    TCase *t = tcase_create("divide");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_divide_run_names_what_is_around_the_loop);
    tcase_add_test(t, test_divide_run_without_loop_is_one_aperiodic_piece);
    tcase_add_test(t, test_divide_loop_that_comes_again_keeps_its_number);
    tcase_add_test(t, test_divide_masks_cut_a_loop_between_iterations);
    tcase_add_test(t, test_divide_masks_in_every_iteration_divide_nothing);
    tcase_add_test(t, test_divide_change_of_period_makes_two_regions);
    tcase_add_test(t, test_find_levels_divides_one_iteration);
    tcase_add_test(t, test_find_levels_stops_where_asked);
    tcase_add_test(t, test_find_levels_ends_where_nothing_repeats);
    tcase_add_test(t, test_split_known_loop_keeps_all_iterations);
    suite_add_tcase(suite, t);
    return suite;
}

int main(void)
{
    return run_suite(divide_suite());
}
