#include "runner.h"

#include "structure/choose.h"

#include <stdlib.h>
#include <string.h>

/* A border is moved to where it cuts least; here beside what is open at each instant. */

enum { THREADS = 4, CALLS = 40, MESSAGES = 30, LENGTH = 1000, COLLECTIVE_COST = 8 };

struct call {
    struct prvcut_span span;
    uint32_t thread;
    bool collective;
};

struct program {
    struct prvcut_trace base;
    struct call call[CALLS];
    struct prvcut_message message[MESSAGES];
    int calls, messages;
};

static uint64_t draw(uint64_t below)
{
    return (uint64_t)rand() % below;
}

static struct prvcut_event event_of(const struct call *c, bool begin)
{
    return (struct prvcut_event){ .time = begin ? c->span.start : c->span.end,
                                  .value = begin,
                                  .thread = c->thread & 0xffffffu,
                                  .role =
                                      c->collective ? PRVCUT_ROLE_COLLECTIVE : PRVCUT_ROLE_P2P };
}

static bool lies_in(uint64_t time, uint64_t from, uint64_t to)
{
    return time >= from && time <= to;
}

/* A call a batch, messages one by one; what lies in the window. All of it is one part. */
static enum prvcut_status scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                      uint64_t from, uint64_t to, const struct prvcut_consumer *c,
                                      struct prvcut_error *err)
{
    struct program *p = (struct program *)t;
    void *part = NULL;

    (void)run;
    ck_assert_int_eq(c->begin(c->ctx, 0, 0, &part, err), PRVCUT_OK);
    for (int i = 0; i < p->calls; i++) {
        struct prvcut_event both[2];
        struct prvcut_batch b = { .event = both };

        for (int end = 0; end < 2; end++) {
            both[b.events] = event_of(&p->call[i], end == 0);
            b.events += lies_in(both[b.events].time, from, to);
        }
        ck_assert_int_eq(c->batch(c->ctx, 0, part, &b, err), PRVCUT_OK);
    }
    for (int i = 0; i < p->messages; i++) {
        const struct prvcut_batch b = { .message = &p->message[i], .messages = 1 };

        if (p->message[i].logical_send <= to && p->message[i].physical_receive >= from)
            ck_assert_int_eq(c->batch(c->ctx, 0, part, &b, err), PRVCUT_OK);
    }
    ck_assert_int_eq(c->join(c->ctx, part, err), PRVCUT_OK);
    c->discard(c->ctx, part);
    return PRVCUT_OK;
}

static const struct prvcut_reader reader = { .scan_window = scan_window };

/* Calls of a thread follow each other; messages are under way for any time. */
static void program_init(struct program *p, bool collectives)
{
    uint64_t now[THREADS] = { 0 };

    memset(p, 0, sizeof *p);
    p->base.reader = &reader;
    for (p->calls = 0; p->calls < CALLS; p->calls++) {
        const uint32_t t = (uint32_t)draw(THREADS);
        const uint64_t begin = now[t] + 1 + draw(80);

        now[t] = begin + 1 + draw(60);
        p->call[p->calls] = (struct call){ .span = { begin, now[t] },
                                           .thread = t,
                                           .collective = collectives && draw(4) == 0 };
    }
    for (p->messages = 0; p->messages < MESSAGES; p->messages++) {
        const uint64_t send = draw(LENGTH), receive = send + 1 + draw(100);

        p->message[p->messages] = (struct prvcut_message){ .logical_send = send,
                                                           .physical_send = send,
                                                           .logical_receive = receive,
                                                           .physical_receive = receive };
    }
}

/* --- What is open ---------------------------------------------------------------------------- */

static int64_t open_at(const struct program *p, uint64_t time)
{
    int64_t cost = 0;

    for (int i = 0; i < p->calls; i++)
        if (p->call[i].span.start < time && p->call[i].span.end > time)
            cost += p->call[i].collective ? COLLECTIVE_COST : 1;
    for (int i = 0; i < p->messages; i++)
        cost += p->message[i].logical_send < time && p->message[i].physical_receive > time;
    return cost;
}

static uint64_t away(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static bool begins_at(const struct program *p, uint64_t time)
{
    for (int i = 0; i < p->calls; i++)
        if (p->call[i].span.start == time)
            return true;
    for (int i = 0; i < p->messages; i++)
        if (p->message[i].logical_send == time)
            return true;
    return false;
}

static uint64_t least_of(const struct program *p, const struct prvcut_span *free, uint64_t border,
                         uint64_t wish)
{
    int64_t least = open_at(p, border);
    uint64_t best = border;
    bool moved = false;

    for (uint64_t t = free->start; t <= free->end; t++) {
        const int64_t cost = open_at(p, t);

        if (!begins_at(p, t) || cost > least ||
            (cost == least && moved && away(t, wish) >= away(best, wish)))
            continue;
        least = cost;
        best = t;
        moved = true;
    }
    return best;
}

/* --- Tests ----------------------------------------------------------------------------------- */

static struct prvcut_choice choice_of(uint64_t from, uint64_t to, uint64_t freedom)
{
    return (struct prvcut_choice){ .found = true,
                                   .window = { from, to },
                                   .left = { from - freedom, from + freedom },
                                   .right = { to - freedom, to + freedom } };
}

static struct prvcut_choice refined(struct program *p, struct prvcut_choice c)
{
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_choice_refine(&c, &p->base, &run, &err), PRVCUT_OK);
    return c;
}

START_TEST(test_refine_cuts_what_is_least)
{
    struct prvcut_choice before, after;
    struct program p;
    uint64_t start, end;

    srand((unsigned)_i);
    program_init(&p, _i % 2 == 1);
    before = choice_of(150 + draw(100), 400 + draw(100), 20 + draw(80));
    after = refined(&p, before);
    start = least_of(&p, &before.left, before.window.start, before.window.start);
    end = least_of(&p, &before.right, before.window.end,
                   before.window.end + start - before.window.start);
    ck_assert_uint_eq(after.window.start, start);
    ck_assert_uint_eq(after.window.end, end);
    ck_assert_int_le(open_at(&p, after.window.start), open_at(&p, before.window.start));
    ck_assert(_i % 2 == 1 || !after.collectives);
}
END_TEST

/* Each in its own piece of the freedom, at a begin, in order of time. */
START_TEST(test_refine_offers_other_places)
{
    struct prvcut_choice c;
    struct program p;

    srand((unsigned)_i);
    program_init(&p, true);
    c = refined(&p, choice_of(300, 600, 100));
    ck_assert_uint_gt(c.other_left.count, 1);
    for (unsigned i = 0; i < c.other_left.count; i++) {
        const uint64_t at = c.other_left.at[i];

        ck_assert(begins_at(&p, at) && lies_in(at, c.left.start, c.left.end));
        ck_assert(i == 0 || at > c.other_left.at[i - 1]);
    }
}
END_TEST

START_TEST(test_refine_without_records_leaves_the_window)
{
    struct program p = { .base.reader = &reader };
    const struct prvcut_choice c = refined(&p, choice_of(300, 600, 100));

    ck_assert_uint_eq(c.window.start, 300);
    ck_assert_uint_eq(c.window.end, 600);
    ck_assert_uint_eq(c.other_left.count + c.other_right.count, 0);
    ck_assert(!c.collectives);
}
END_TEST

/* It has no inside: no place for a border, and nothing that one would cut. */
START_TEST(test_refine_passes_over_calls_without_duration)
{
    struct program p = { .base.reader = &reader,
                         .call = { { .span = { 290, 320 }, .thread = 1 },
                                   { .span = { 310, 310 }, .thread = 0, .collective = true } },
                         .calls = 2 };
    const struct prvcut_choice c = refined(&p, choice_of(305, 600, 50));

    ck_assert_uint_eq(c.window.start, 290);
    ck_assert(!c.collectives);
}
END_TEST

static Suite *refine_suite(void)
{
    Suite *s = suite_create("refine");
    TCase *t = tcase_create("refine");

    tcase_add_loop_test(t, test_refine_cuts_what_is_least, 0, 60);
    tcase_add_loop_test(t, test_refine_offers_other_places, 0, 10);
    tcase_add_test(t, test_refine_without_records_leaves_the_window);
    tcase_add_test(t, test_refine_passes_over_calls_without_duration);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(refine_suite());
}
