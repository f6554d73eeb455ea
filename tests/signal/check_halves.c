#include "model/calls.h"
#include "signal/call_ends.h"
#include "signal/call_mix.h"
#include "signal/call_tags.h"
#include "signal/collect.h"
#include "tests/structure/synthetic.h"
#include "tests/support/runner.h"

enum { BINS = 300 };

static const struct prvcut_run one = { .threads = 1 };

struct bench {
    struct synth *program;
    struct prvcut_collection data;
    struct prvcut_error err;
};

static void bench_init(struct bench *b, const struct synth_options *options)
{
    struct prvcut_wish wish = { .metrics = PRVCUT_METRIC_BIT(PRVCUT_INFLIGHT) |
                                           PRVCUT_METRIC_BIT(PRVCUT_CLOGGED),
                                .calls = true };

    memset(b, 0, sizeof *b);
    b->program = synth_new(options);
    wish.grid = prvcut_grid_fit(0, b->program->base.end_ns, BINS);
    ck_assert_int_eq(prvcut_collect(&b->program->base, &one, &wish, &b->data, &b->err), PRVCUT_OK);
}

static void bench_fini(struct bench *b)
{
    prvcut_collection_fini(&b->data);
    synth_free(b->program);
}

/* ns within [from, to) of a time and all that follow. */
static double after(uint64_t time, uint64_t from, uint64_t to)
{
    return time <= from ? (double)(to - from) : time >= to ? 0 : (double)(to - time);
}

static double sent_and_not_received(const struct synth *p, uint64_t from, uint64_t to)
{
    double sum = 0;

    for (uint32_t t = 0; t < p->base.objects.threads; t++)
        for (size_t i = 0; i < p->thread[t].halves; i++) {
            const struct prvcut_half *h = &p->thread[t].half[i];

            sum += (h->receive ? -1 : 1) * after(h->time, from, to);
        }
    return sum / (double)(to - from);
}

START_TEST(test_collect_halves_counts_messages_under_way)
{
    const struct synth_options o = { .seed = (unsigned)_i, .pipeline = _i % 2 == 1 };
    const struct prvcut_signal *s;
    double most = 0;
    struct bench b;

    bench_init(&b, &o);
    s = &b.data.signal[PRVCUT_INFLIGHT];
    ck_assert_ptr_nonnull(s->at);
    for (size_t i = 0; i < s->bins; i++) {
        const uint64_t from = s->start + i * s->width;

        ck_assert_double_eq_tol(s->at[i], sent_and_not_received(b.program, from, from + s->width),
                                1e-9);
        most = s->at[i] > most ? s->at[i] : most;
    }
    ck_assert_double_gt(most, 0);
    bench_fini(&b);
}
END_TEST

START_TEST(test_collect_halves_without_receives_is_absent)
{
    const struct synth_options o = { .seed = 1, .no_receives = true };
    struct bench b;

    bench_init(&b, &o);
    ck_assert_ptr_null(b.data.signal[PRVCUT_INFLIGHT].at);
    ck_assert_str_eq(b.data.signal[PRVCUT_INFLIGHT].absent,
                     "the trace records few of the receives");
    bench_fini(&b);
}
END_TEST

/* The k-th receive of a send's channel, k as the send has it; NULL: none. */
static const struct prvcut_half *other_end(const struct synth *p, uint32_t thread, size_t at)
{
    const struct prvcut_half *send = &p->thread[thread].half[at];
    const struct synth_thread *to = &p->thread[send->peer];
    size_t k = 0;

    for (size_t i = 0; i < at; i++) {
        const struct prvcut_half *h = &p->thread[thread].half[i];

        k += !h->receive && h->peer == send->peer && h->tag == send->tag;
    }
    for (size_t i = 0; i < to->halves; i++)
        if (to->half[i].receive && to->half[i].peer == thread && to->half[i].tag == send->tag &&
            k-- == 0)
            return &to->half[i];
    return NULL;
}

/* What of a message, sent and received at these times, lies in [from, to). */
static double flown(uint64_t sent, uint64_t received, uint64_t from, uint64_t to)
{
    const uint64_t begin = sent > from ? sent : from, end = received < to ? received : to;

    return end > begin ? (double)(end - begin) : 0;
}

/* Messages under way over bytes per second, of whole messages that are found one by one. */
START_TEST(test_collect_halves_tells_bandwidth_of_whole_messages)
{
    const struct synth_options o = { .seed = 1 + (unsigned)_i, .pipeline = _i == 1 };
    const struct prvcut_signal *s;
    size_t known = 0;
    struct bench b;

    bench_init(&b, &o);
    s = &b.data.signal[PRVCUT_CLOGGED];
    ck_assert_ptr_nonnull(s->at);
    for (size_t i = 0; i < s->bins; i++) {
        const uint64_t from = s->start + i * s->width, to = from + s->width;
        double flying = 0, bytes = 0;

        for (uint32_t t = 0; t < b.program->base.objects.threads; t++)
            for (size_t k = 0; k < b.program->thread[t].halves; k++) {
                const struct prvcut_half *h = &b.program->thread[t].half[k], *r;
                double in;

                if (h->receive || !(r = other_end(b.program, t, k)) || r->time <= h->time)
                    continue;
                in = flown(h->time, r->time, from, to);
                flying += in;
                bytes += in * (double)h->size / (double)(r->time - h->time) * 1e9;
            }
        ck_assert_double_eq_tol(s->at[i], bytes > 0 ? flying / bytes : 0,
                                1e-6 * (bytes > 0 ? flying / bytes : 1));
        known += bytes > 0;
    }
    ck_assert_uint_gt(known, s->bins / 2);
    bench_fini(&b);
}
END_TEST

START_TEST(test_collect_halves_gives_calls_their_partners)
{
    const struct synth_options o = { .seed = 2, .collective_each = 1 };
    size_t with = 0;
    struct bench b;

    bench_init(&b, &o);
    ck_assert_uint_gt(b.data.sequences, 4);
    for (size_t i = 0; i < b.data.sequences; i++) {
        const struct prvcut_call_sequence *s = &b.data.sequence[i];
        const struct synth_thread *t = &b.program->thread[s->thread];

        with = 0;
        for (size_t k = 0; k < s->count; k++)
            with += s->at[k].peer != 0 && s->at[k].size != 0;
        ck_assert_uint_eq(with, t->halves);
    }
    bench_fini(&b);
}
END_TEST

/* A thread's whole run in one part: more calls than there is room for. */
struct flood {
    struct prvcut_call_threads threads;
    struct prvcut_call_list part[2], all[2];
    struct prvcut_error err;
};

enum { BATCH = 4096, LONG_RUN = 4000000 };

static void flood_part(struct flood *f, uint32_t thread, size_t calls)
{
    static struct prvcut_event event[BATCH];
    const struct prvcut_batch batch = { .event = event, .events = BATCH };

    for (size_t n = 0; n < calls; n += BATCH) {
        for (size_t i = 0; i < BATCH; i++)
            event[i] = (struct prvcut_event){ .time = 1 + n + i,
                                              .value = 1 + (int64_t)(i % 3),
                                              .type = 50000001,
                                              .thread = thread & 0xffffff,
                                              .role = PRVCUT_ROLE_P2P,
                                              .head = 1 };
        ck_assert_int_eq(prvcut_calls_batch(&f->threads, f->part, &batch, &f->err), PRVCUT_OK);
    }
    ck_assert_int_eq(prvcut_calls_join(&f->threads, f->all, f->part, &f->err), PRVCUT_OK);
    prvcut_call_list_reset(&f->part[0]);
    prvcut_call_list_reset(&f->part[1]);
}

static void flood_fini(struct flood *f)
{
    for (int i = 0; i < 2; i++) {
        prvcut_call_list_fini(&f->part[i]);
        prvcut_call_list_fini(&f->all[i]);
    }
}

START_TEST(test_collect_calls_of_long_parts_is_bounded)
{
    uint8_t chosen[2] = { 1, 2 }, detail[2] = { 1, 1 };
    uint32_t thread[2] = { 0, 1 };
    struct flood f = { .threads = { .chosen = chosen,
                                    .detail = detail,
                                    .thread = thread,
                                    .count = 2,
                                    .threads = 2,
                                    .roles = PRVCUT_ROLES_MPI } };

    flood_part(&f, 0, LONG_RUN);
    flood_part(&f, 1, LONG_RUN);
    /* The first keeps its beginning, the second is given up altogether. */
    ck_assert(f.all[0].full && !f.all[0].given_up);
    ck_assert_uint_gt(f.all[0].calls, 1000000);
    ck_assert_uint_lt(f.all[0].calls, LONG_RUN);
    for (size_t i = 0; i < f.all[0].calls; i += 1000)
        ck_assert_uint_eq(f.all[0].call[i].time, 1 + i);
    ck_assert(f.all[1].given_up);
    ck_assert_uint_eq(f.all[1].calls, 0);
    ck_assert_uint_eq(detail[0], 1);
    ck_assert_uint_eq(detail[1], 0);
    flood_fini(&f);
}
END_TEST

START_TEST(test_collect_calls_of_short_parts_keeps_all)
{
    uint8_t chosen[2] = { 1, 2 }, detail[2] = { 1, 1 };
    uint32_t thread[2] = { 0, 1 };
    struct flood f = { .threads = { .chosen = chosen,
                                    .detail = detail,
                                    .thread = thread,
                                    .count = 2,
                                    .threads = 2,
                                    .roles = PRVCUT_ROLES_MPI } };

    flood_part(&f, 0, 100000);
    flood_part(&f, 1, 100000);
    for (int i = 0; i < 2; i++) {
        ck_assert(!f.all[i].full && !f.all[i].given_up);
        ck_assert_uint_ge(f.all[i].calls, 100000);
    }
    flood_fini(&f);
}
END_TEST

/* Parts of 100 calls, every 10 ns, each with the ends of two messages: of its own, and of one that
   was posted up to so many calls ago or is complete in so many calls. */
enum { PARTS = 1000, EACH = 100, FAR = 3000 };

static struct prvcut_message_end far_end(uint64_t time, uint32_t peer, uint32_t size)
{
    return (
        struct prvcut_message_end){ .time = time & UINT64_MAX >> 1, .peer = peer, .size = size };
}

static size_t far_part(struct prvcut_call_list *part, struct prvcut_message_end *own, size_t number)
{
    static struct prvcut_call call[EACH];
    static struct prvcut_message_end end[2 * EACH];

    for (size_t i = 0; i < EACH; i++) {
        const size_t n = number * EACH + i;
        const uint64_t far = 10 * (n + (size_t)rand() % (2 * FAR));

        call[i] = (struct prvcut_call){ .time = 10 * (n + FAR), .call = 1 };
        end[2 * i] = far_end(10 * (n + FAR) + 9, (uint32_t)n + 1, 1);
        end[2 * i + 1] = far_end(far, 3, (uint32_t)n);
    }
    *part = (struct prvcut_call_list){ .call = call, .calls = EACH, .end = end, .ends = 2 * EACH };
    memcpy(own, end, sizeof end);
    return 2 * EACH;
}

/* Joined on the way, each end is in the call that was the last to begin by then, as at the end; how
   many bytes are told does not depend on it; there are never many of them. */
START_TEST(test_collect_calls_joins_ends_on_the_way)
{
    uint8_t chosen[1] = { 1 }, detail[1] = { 1 };
    uint32_t thread[1] = { 0 };
    struct prvcut_call_threads t = {
        .chosen = chosen, .detail = detail, .thread = thread, .count = 1, .threads = 1
    };
    struct prvcut_call_list all = { .calls = 0 }, part;
    static struct prvcut_message_end own[2 * PARTS * EACH];
    static uint32_t peer[PARTS * EACH], size[PARTS * EACH];
    size_t ends = 0, most = 0;
    struct prvcut_error err;

    srand(33);
    for (size_t i = 0; i < PARTS; i++) {
        ends += far_part(&part, own + ends, i);
        ck_assert_int_eq(prvcut_calls_join(&t, &all, &part, &err), PRVCUT_OK);
        most = all.ends > most ? all.ends : most;
    }
    ck_assert_uint_lt(most, 50000);
    ck_assert_uint_eq(prvcut_call_list_bytes(&all),
                      PARTS * EACH * sizeof *part.call + ends * PRVCUT_END_BYTES);
    prvcut_calls_finish(&all);
    for (size_t i = 0; i < ends; i++) {
        const uint64_t n = own[i].time / 10;

        if (n < FAR)
            continue;
        peer[n - FAR < PARTS * EACH ? n - FAR : PARTS * EACH - 1] += own[i].peer;
        size[n - FAR < PARTS * EACH ? n - FAR : PARTS * EACH - 1] += own[i].size;
    }
    for (size_t i = 0; i < PARTS * EACH; i++)
        if (all.call[i].peer != peer[i] || all.call[i].size != size[i])
            ck_abort_msg("call %zu: %u %u, not %u %u", i, all.call[i].peer, all.call[i].size,
                         peer[i], size[i]);
    prvcut_call_list_fini(&all);
}
END_TEST

/* Iterations of two receives, begun, and of what completes them: calls of 10 ns, 100 ns each. */
enum { STEPS = 20000, STEP_CALLS = 6 };

static const struct {
    uint32_t type;
    uint16_t value;
} step_call[STEP_CALLS] = {
    { PRVCUT_TYPE_MPI_P2P, 4 },                                     /* MPI_Irecv */
    { PRVCUT_TYPE_MPI_P2P, 4 },         { PRVCUT_TYPE_MPI_P2P, 3 }, /* MPI_Isend */
    { PRVCUT_TYPE_MPI_COLLECTIVE, 10 },                             /* MPI_Allreduce */
    { PRVCUT_TYPE_MPI_P2P, 5 },                                     /* MPI_Wait, of the first */
    { PRVCUT_TYPE_MPI_P2P, 5 },
};

/* A step; each message arrives at some time after its receive was begun, the first one while the
   call that completes it goes on at the latest, the second one as late as that. */
static void step_part(struct prvcut_call_list *part, size_t step)
{
    static struct prvcut_call call[STEP_CALLS];
    static struct prvcut_message_end end[2];
    const uint64_t start = 100 * (step + 1);

    for (size_t i = 0; i < STEP_CALLS; i++)
        call[i] = (struct prvcut_call){
            .time = start + 10 * i,
            .call = prvcut_call_mix(step_call[i].type, step_call[i].value),
        };
    for (uint64_t i = 0; i < 2; i++)
        end[i] = (struct prvcut_message_end){
            .time = (start + 10 * i + (uint64_t)rand() % 40) & UINT64_MAX >> 1,
            .receive = true,
            .posted = start + 10 * i,
            .peer = 1 + (uint32_t)i,
            .size = 8,
        };
    *part = (struct prvcut_call_list){ .call = call, .calls = STEP_CALLS, .end = end, .ends = 2 };
}

/* Wherever they arrive, they belong to the calls that complete them, in the order in which they
   were begun; joined on the way as at the end. */
START_TEST(test_collect_calls_completes_what_arrives_early)
{
    uint8_t chosen[1] = { 1 }, detail[1] = { 1 };
    uint32_t thread[1] = { 0 };
    struct prvcut_call_threads t = {
        .chosen = chosen, .detail = detail, .thread = thread, .count = 1, .threads = 1
    };
    struct prvcut_call_list all = { .calls = 0 }, part;
    struct prvcut_error err;

    srand(34);
    for (size_t i = 0; i < STEPS; i++) {
        step_part(&part, i);
        ck_assert_int_eq(prvcut_calls_join(&t, &all, &part, &err), PRVCUT_OK);
    }
    ck_assert_uint_gt(all.joined, STEPS);
    prvcut_calls_finish(&all);
    for (size_t i = 0; i < STEPS * STEP_CALLS; i++) {
        const size_t at = i % STEP_CALLS;
        const uint32_t peer = at < 4 ? 0 : (uint32_t)at - 3;

        if (all.call[i].peer != peer || all.call[i].size != (peer > 0 ? 8 : 0))
            ck_abort_msg("call %zu: from %u, not %u", i, all.call[i].peer, peer);
    }
    prvcut_call_list_fini(&all);
}
END_TEST

/* What is complete where a call of a kind that is not known goes on stays there; so does what
   nothing completes. */
START_TEST(test_collect_calls_leaves_what_nothing_completes)
{
    struct prvcut_call call[2] = { { .time = 10, .call = 12345 },
                                   { .time = 20,
                                     .call = prvcut_call_mix(PRVCUT_TYPE_MPI_P2P, 1) } };
    struct prvcut_message_end end[2] = { { .time = 15, .receive = true, .peer = 1, .size = 8 },
                                         { .time = 25, .receive = true, .peer = 2, .size = 8 } };
    struct prvcut_call_list l = { .call = call, .calls = 2, .end = end, .ends = 2 };

    prvcut_call_ends_join(&l, UINT64_MAX, true);
    ck_assert_uint_eq(call[0].peer, 1);
    ck_assert_uint_eq(call[1].peer, 2);
    ck_assert_uint_eq(l.joined, 2);
    ck_assert_uint_eq(l.ends, 0);
}
END_TEST

/* 40 iterations of two exchanges with one neighbour and a collective; `going`: the tag of all goes
   round with the iterations. */
enum { ROUNDS = 40, ROUND_CALLS = 5 };

static void tagged_calls(struct prvcut_call call[ROUNDS * ROUND_CALLS], bool going)
{
    for (size_t i = 0; i < ROUNDS * ROUND_CALLS; i++) {
        const size_t at = i % ROUND_CALLS, tag = going ? i / ROUND_CALLS % 7 : at / 2;

        call[i] = (struct prvcut_call){ .time = 10 * i, .call = (uint32_t)(1 + at % 2 + at / 4) };
        call[i].peer = at < 4 ? prvcut_call_peer(77, prvcut_call_mix(7, tag)) : 5;
    }
}

/* How many calls have lost their tags. */
static size_t tags_dropped(bool going)
{
    struct prvcut_call call[ROUNDS * ROUND_CALLS], before[ROUNDS * ROUND_CALLS];
    struct prvcut_error err;
    size_t dropped = 0;

    tagged_calls(call, going);
    memcpy(before, call, sizeof before);
    ck_assert_int_eq(prvcut_call_tags_drop(call, ROUNDS * ROUND_CALLS, &err), PRVCUT_OK);
    for (size_t i = 0; i < ROUNDS * ROUND_CALLS; i++) {
        dropped += call[i].peer != before[i].peer;
        ck_assert_uint_eq(call[i].peer & 0xffff, before[i].peer & 0xffff);
    }
    return dropped;
}

/* Tags that go round with the iterations hide that these are alike; tags that number what one does
   tell it. */
START_TEST(test_collect_calls_drops_tags_that_go_round)
{
    ck_assert_uint_eq(tags_dropped(true), ROUNDS * 4);
    ck_assert_uint_eq(tags_dropped(false), 0);
}
END_TEST

static Suite *halves_suite(void)
{
    Suite *s = suite_create("halves");
    TCase *t = tcase_create("halves");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_collect_halves_counts_messages_under_way, 0, 4);
    tcase_add_test(t, test_collect_halves_without_receives_is_absent);
    tcase_add_loop_test(t, test_collect_halves_tells_bandwidth_of_whole_messages, 0, 2);
    tcase_add_test(t, test_collect_halves_gives_calls_their_partners);
    tcase_add_test(t, test_collect_calls_of_long_parts_is_bounded);
    tcase_add_test(t, test_collect_calls_of_short_parts_keeps_all);
    tcase_add_test(t, test_collect_calls_joins_ends_on_the_way);
    tcase_add_test(t, test_collect_calls_completes_what_arrives_early);
    tcase_add_test(t, test_collect_calls_leaves_what_nothing_completes);
    tcase_add_test(t, test_collect_calls_drops_tags_that_go_round);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(halves_suite());
}
