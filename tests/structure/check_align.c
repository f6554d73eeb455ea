#include "signal/collect.h"
#include "structure/align.h"
#include "tests/structure/synthetic.h"
#include "tests/support/runner.h"

/* A program, its loop as the calls tell it, and an alignment of two of its iterations. */
struct bench {
    struct synth *program;
    struct prvcut_collection data;
    struct prvcut_call_loop calls;
    size_t follower; /* the first sequence that follows the loop */
    struct prvcut_alignment out;
    struct prvcut_error err;
};

enum { KEPT = 2, AT = 20 };

static const struct prvcut_run one = { .threads = 1 };

static void bench_init(struct bench *b, const struct synth_options *options)
{
    struct prvcut_wish wish = { .calls = true };

    memset(b, 0, sizeof *b);
    b->program = synth_new(options);
    wish.grid = prvcut_grid_fit(0, b->program->base.end_ns, 16);
    ck_assert_int_eq(prvcut_collect(&b->program->base, &one, &wish, &b->data, &b->err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_call_loop_find(&b->calls, b->data.sequence, b->data.sequences, &b->err),
                     PRVCUT_OK);
    ck_assert(b->calls.loop.found);
    ck_assert_double_gt(b->calls.loop.iterations, AT + KEPT);
    while (!b->calls.border[b->follower])
        b->follower++;
}

static void bench_align(struct bench *b, bool calls)
{
    const struct prvcut_align_input in = {
        .calls = calls ? &b->calls : NULL,
        .sequence = b->data.sequence,
        .window = { b->calls.border[b->follower][AT], b->calls.border[b->follower][AT + KEPT] },
        .iterations = KEPT,
    };

    prvcut_alignment_fini(&b->out);
    ck_assert_int_eq(prvcut_align(&b->out, &b->program->base, &one, &in, &b->err), PRVCUT_OK);
}

static void bench_fini(struct bench *b)
{
    prvcut_alignment_fini(&b->out);
    prvcut_call_loop_fini(&b->calls);
    prvcut_collection_fini(&b->data);
    synth_free(b->program);
}

static bool kept(const struct bench *b, uint32_t thread, uint64_t time)
{
    return time >= b->out.from[thread] && time < b->out.to[thread];
}

/* Ends of messages in the window, of one channel: sends less receives. */
static long left_over(const struct bench *b, uint32_t from, uint32_t to, size_t *seen)
{
    const struct synth_thread *s = &b->program->thread[from], *r = &b->program->thread[to];
    long sum = 0;

    for (size_t i = 0; i < s->halves; i++)
        if (!s->half[i].receive && s->half[i].peer == to && kept(b, from, s->half[i].time))
            sum++, ++*seen;
    for (size_t i = 0; i < r->halves; i++)
        if (r->half[i].receive && r->half[i].peer == from && kept(b, to, r->half[i].time))
            sum--;
    return sum;
}

static void check_messages(const struct bench *b)
{
    const struct synth *p = b->program;
    size_t seen = 0;

    for (uint32_t s = 0; s < SYNTH_RANKS; s++)
        for (uint32_t r = 0; r < SYNTH_RANKS; r++)
            ck_assert_int_eq(left_over(b, p->first[s], p->first[r], &seen), 0);
    ck_assert_uint_ge(seen, KEPT * SYNTH_INNER * (SYNTH_RANKS - 1));
}

static void check_collectives(const struct bench *b)
{
    const struct synth *p = b->program;
    size_t first = 0;

    for (uint32_t r = 0; r < SYNTH_RANKS; r++) {
        const struct synth_thread *t = &p->thread[p->first[r]];
        size_t n = 0;

        for (size_t i = 0; i < t->events; i++)
            n += t->event[i].role == PRVCUT_ROLE_COLLECTIVE && t->event[i].value != 0 &&
                 kept(b, p->first[r], t->event[i].time);
        first = r == 0 ? n : first;
        ck_assert_uint_eq(n, first);
    }
}

/* Which iterations begin in a rank's window. */
static size_t begins_in(const struct bench *b, uint32_t rank, size_t *count)
{
    size_t first = SIZE_MAX;

    *count = 0;
    for (size_t i = 0; i < SYNTH_ITERATIONS; i++) {
        if (!kept(b, b->program->first[rank], b->program->mark[i][rank]))
            continue;
        first = first == SIZE_MAX ? i : first;
        ++*count;
    }
    return first;
}

static void check_iterations(const struct bench *b)
{
    size_t first = 0, count;

    for (uint32_t r = 0; r < SYNTH_RANKS; r++) {
        const size_t now = begins_in(b, r, &count);

        first = r == 0 ? now : first;
        ck_assert_uint_eq(count, KEPT);
        ck_assert_uint_eq(now, first);
    }
}

static void check_shape(const struct bench *b)
{
    const struct prvcut_objects *o = &b->program->base.objects;

    ck_assert(b->out.found);
    for (uint32_t t = 0; t < o->threads; t++) {
        const uint32_t lead = o->task_first_thread[o->thread_task[t]];

        ck_assert_uint_lt(b->out.from[t], b->out.to[t]);
        ck_assert_uint_ge(b->out.from[t], b->out.hull.start);
        ck_assert_uint_le(b->out.to[t], b->out.hull.end);
        ck_assert_uint_eq(b->out.from[t], b->out.from[lead]);
        ck_assert_uint_eq(b->out.to[t], b->out.to[lead]);
    }
    ck_assert_uint_eq(b->out.follow + b->out.stay, o->threads);
}

static void check_all(const struct bench *b)
{
    check_shape(b);
    ck_assert_uint_eq(b->out.crossing, 0);
    ck_assert_uint_eq(b->out.split, 0);
    check_messages(b);
    check_collectives(b);
    check_iterations(b);
}

START_TEST(test_align_ring_keeps_messages_whole)
{
    const struct synth_options o = { .seed = (unsigned)_i, .collective_each = 1 };
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, true);
    check_all(&b);
    bench_fini(&b);
}
END_TEST

START_TEST(test_align_pipeline_follows_each_thread)
{
    const struct synth_options o = { .seed = (unsigned)_i + 50,
                                     .pipeline = true,
                                     .collective_each = 1,
                                     .wrong_communicator = true };
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, true);
    check_all(&b);
    bench_fini(&b);
}
END_TEST

START_TEST(test_align_workers_go_with_their_task)
{
    const struct synth_options o = { .seed = 3, .workers = 2, .collective_each = 1 };
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, true);
    check_all(&b);
    ck_assert_uint_eq(b.out.stay, 2 * SYNTH_RANKS);
    bench_fini(&b);
}
END_TEST

START_TEST(test_align_rare_calls_hinder_nobody)
{
    const struct synth_options o = {
        .seed = (unsigned)_i, .workers = 1, .rare_each = 1 + (unsigned)_i, .collective_each = 1
    };
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, true);
    ck_assert(b.out.found);
    ck_assert_uint_eq(b.out.crossing, 0);
    check_messages(&b);
    check_collectives(&b);
    check_iterations(&b);
    for (uint32_t t = 0; t < 2 * SYNTH_RANKS; t++)
        ck_assert_uint_lt(b.out.from[t], b.out.to[t]);
    bench_fini(&b);
}
END_TEST

START_TEST(test_align_without_receives_keeps_collectives_whole)
{
    const struct synth_options o = { .seed = 4, .no_receives = true, .collective_each = 1 };
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, true);
    check_shape(&b);
    check_collectives(&b);
    check_iterations(&b);
    bench_fini(&b);
}
END_TEST

START_TEST(test_align_without_loop_keeps_messages_whole)
{
    const struct synth_options o = { .seed = (unsigned)_i + 80,
                                     .pipeline = _i % 2 == 1,
                                     .collective_each = 1 };
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, false);
    check_shape(&b);
    ck_assert_uint_eq(b.out.crossing, 0);
    check_messages(&b);
    check_collectives(&b);
    bench_fini(&b);
}
END_TEST

/* Straight borders elsewhere do part messages here: else the tests above say little. */
START_TEST(test_align_straight_window_would_cross)
{
    const struct synth_options o = { .seed = 51, .pipeline = true, .collective_each = 1 };
    size_t seen = 0;
    long sum = 0;
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, true);
    for (uint64_t tenth = 0; tenth < 10; tenth++) {
        for (uint32_t t = 0; t < SYNTH_RANKS; t++) {
            b.out.from[t] = b.calls.border[b.follower][AT];
            b.out.to[t] = b.out.from[t] + (uint64_t)b.calls.loop.period_ns * tenth / 10;
        }
        for (uint32_t r = 0; r + 1 < SYNTH_RANKS; r++)
            sum += labs(left_over(&b, r, r + 1, &seen));
    }
    ck_assert_int_gt(sum, 0);
    bench_fini(&b);
}
END_TEST

START_TEST(test_align_without_calls_says_why)
{
    const struct synth_options o = { .seed = 1, .collective_each = 1 };
    struct bench b;

    bench_init(&b, &o);
    for (uint32_t t = 0; t < SYNTH_RANKS; t++)
        b.program->thread[t].events = 0;
    bench_align(&b, true);
    ck_assert(!b.out.found);
    ck_assert_int_eq(b.out.why, PRVCUT_ALIGN_WHY_NO_CALLS);
    bench_fini(&b);
}
END_TEST

/* A trace may hold calls only where the program begins and ends: they are no borders of a window.
 */
START_TEST(test_align_far_calls_are_no_borders)
{
    const struct synth_options o = { .seed = 1, .collective_each = 1 };
    struct bench b;

    bench_init(&b, &o);
    for (uint32_t t = 0; t < SYNTH_RANKS; t++) {
        struct synth_thread *thread = &b.program->thread[t];
        size_t kept_events = 0;

        for (size_t i = 0; i < thread->events; i++)
            if (thread->event[i].time < b.program->mark[AT / 2][t] ||
                thread->event[i].time > b.program->mark[SYNTH_ITERATIONS - 2][t])
                thread->event[kept_events++] = thread->event[i];
        ck_assert_uint_lt(kept_events, thread->events);
        thread->events = kept_events;
        thread->halves = 0;
    }
    bench_align(&b, true);
    ck_assert(!b.out.found);
    ck_assert_int_eq(b.out.why, PRVCUT_ALIGN_WHY_NO_CALLS);
    bench_fini(&b);
}
END_TEST

START_TEST(test_align_tells_whether_calls_tell_borders)
{
    const struct synth_options o = { .seed = 7, .collective_each = 1 };
    struct bench b;

    bench_init(&b, &o);
    bench_align(&b, true);
    ck_assert(b.out.found && b.out.told);
    bench_align(&b, false);
    ck_assert(b.out.found && !b.out.told);
    bench_fini(&b);
}
END_TEST

static Suite *align_suite(void)
{
    Suite *s = suite_create("align");
    TCase *t = tcase_create("align");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_align_ring_keeps_messages_whole, 0, 10);
    tcase_add_loop_test(t, test_align_pipeline_follows_each_thread, 0, 10);
    tcase_add_test(t, test_align_workers_go_with_their_task);
    tcase_add_loop_test(t, test_align_rare_calls_hinder_nobody, 0, 8);
    tcase_add_test(t, test_align_without_receives_keeps_collectives_whole);
    tcase_add_loop_test(t, test_align_without_loop_keeps_messages_whole, 0, 6);
    tcase_add_test(t, test_align_straight_window_would_cross);
    tcase_add_test(t, test_align_without_calls_says_why);
    tcase_add_test(t, test_align_far_calls_are_no_borders);
    tcase_add_test(t, test_align_tells_whether_calls_tell_borders);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(align_suite());
}
