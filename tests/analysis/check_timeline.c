#include "analysis/timeline.h"
#include "base/buffer.h"
#include "model/calls.h"
#include "tests/support/built.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A trace made by hand: parts that are read in any order, the whole of it for any window. */

enum { MOST = 64 };

struct part {
    struct prvcut_state state[MOST];
    struct prvcut_event event[MOST];
    struct prvcut_message message[MOST];
    struct prvcut_half half[MOST];
    size_t states, events, messages, halves;
};

struct hand {
    struct prvcut_trace base;
    struct part *part;
    unsigned parts;
    bool backwards;
    bool skips;      /* parts before the window are left out */
    uint32_t states; /* of the dictionary */
};

static enum prvcut_status hand_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                                    uint64_t from, uint64_t to, const struct prvcut_consumer *c,
                                    struct prvcut_error *err)
{
    struct hand *h = (struct hand *)t;
    void *state[8] = { NULL };

    (void)to;
    for (unsigned i = 0; i < h->parts; i++) {
        const unsigned n = h->backwards ? h->parts - 1 - i : i;
        static struct part nothing;
        struct part *p = h->skips && h->part[n].event[h->part[n].events - 1].time < from
                             ? &nothing
                             : &h->part[n];
        const struct prvcut_batch all = { p->state,
                                          p->event,
                                          p->message,
                                          p->half,
                                          c->states ? p->states : 0,
                                          c->roles ? p->events : 0,
                                          c->messages ? p->messages : 0,
                                          c->messages ? p->halves : 0 };
        const unsigned worker = run->threads > 1 ? i % 2 : 0;

        ck_assert_int_eq(c->begin(c->ctx, worker, n, &state[n], err), PRVCUT_OK);
        ck_assert_int_eq(c->batch(c->ctx, worker, state[n], &all, err), PRVCUT_OK);
    }
    for (unsigned i = 0; i < h->parts; i++) {
        ck_assert_int_eq(c->join(c->ctx, state[i], err), PRVCUT_OK);
        c->discard(c->ctx, state[i]);
    }
    return PRVCUT_OK;
}

/* One state has a colour, one has none, the others are Extrae's; one type of calls. */
static enum prvcut_status hand_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                        struct prvcut_error *err)
{
    static const struct prvcut_value_name call[] = { { 1, "MPI_Send", "", 0 },
                                                     { 2, "MPI_Recv", "", 0 } };
    const struct hand *h = (const struct hand *)t;

    *out = (struct prvcut_dictionary){ 0 };
    out->state = prvcut_dictionary_room(out, (h->states + 1) * sizeof *out->state, err);
    out->type = prvcut_dictionary_room(out, sizeof *out->type, err);
    ck_assert(out->state && out->type);
    for (uint32_t i = 0; i < h->states; i++)
        out->state[out->states++] =
            (struct prvcut_state_name){ 100 + i, i == 0 ? "Red" : "", i == 0 ? 0xff0000 : -1 };
    out->type[out->types++] = (struct prvcut_type_name){ .number = PRVCUT_TYPE_MPI_P2P,
                                                         .role = PRVCUT_ROLE_P2P,
                                                         .region = true,
                                                         .text = "MPI Point-to-point",
                                                         .value = call,
                                                         .values = 2 };
    return PRVCUT_OK;
}

static const struct prvcut_format hand_format = { .name = "hand", .title = "Hand" };

static const struct prvcut_reader hand_reader = { .format = &hand_format,
                                                  .scan_window = hand_scan,
                                                  .describe = hand_describe };

/* 3 tasks of 1, 4 and 1 threads. */
static uint32_t first_task[] = { 0, 3 }, first_thread[] = { 0, 1, 5, 6 },
                thread_task[] = { 0, 1, 1, 1, 1, 2 };

static struct hand hand_of(struct part *part, unsigned parts)
{
    return (struct hand){ .base = { .reader = &hand_reader,
                                    .objects = { .applications = 1,
                                                 .tasks = 3,
                                                 .threads = 6,
                                                 .application_first_task = first_task,
                                                 .task_first_thread = first_thread,
                                                 .thread_task = thread_task },
                                    .end_ns = 1000 },
                          .part = part,
                          .parts = parts,
                          .states = 2 };
}

/* Are calls wanted where there are states, too? */
static bool wants_calls;

static struct prvcut_timeline read_it(struct prvcut_trace *t, int threads,
                                      const struct prvcut_window *w, uint32_t rows,
                                      uint32_t columns, size_t messages)
{
    const struct prvcut_run run = { .threads = threads };
    const struct prvcut_timeline_room room = { rows, columns, messages, wants_calls };
    struct prvcut_error err = { 0 };
    struct prvcut_timeline out;

    ck_assert_msg(prvcut_timeline_read(&out, t, &run, w, &room, &err) == PRVCUT_OK, "%s", err.text);
    return out;
}

static const char *name_at(const struct prvcut_timeline *t, uint32_t row, uint32_t column)
{
    const uint8_t cell = t->cell[row * t->columns + column];

    ck_assert_uint_le(cell, t->states);
    return cell == 0 ? "" : t->state[cell - 1].name;
}

static void check_same(const struct prvcut_timeline *a, const struct prvcut_timeline *b)
{
    ck_assert_uint_eq(a->rows, b->rows);
    ck_assert_uint_eq(a->columns, b->columns);
    ck_assert_uint_eq(a->states, b->states);
    for (size_t i = 0; i < a->states; i++) {
        ck_assert_str_eq(a->state[i].name, b->state[i].name);
        ck_assert_uint_eq(a->state[i].ns, b->state[i].ns);
        ck_assert_int_eq(a->state[i].colour, b->state[i].colour);
    }
    ck_assert_mem_eq(a->thread, b->thread, a->rows * sizeof *a->thread);
    ck_assert_mem_eq(a->ns, b->ns, a->rows * a->states * sizeof *a->ns);
    ck_assert_mem_eq(a->cell, b->cell, (size_t)a->rows * a->columns);
    ck_assert_mem_eq(a->part, b->part, (size_t)a->rows * a->columns);
    ck_assert_mem_eq(a->begins, b->begins, (size_t)a->rows * a->columns * sizeof *a->begins);
    ck_assert_uint_eq(a->messages, b->messages);
    ck_assert_uint_eq(a->messages_seen, b->messages_seen);
    if (a->messages > 0)
        ck_assert_mem_eq(a->message, b->message, a->messages * sizeof *a->message);
}

/* Thread 0: running 0-45, red 45-100; thread 1: red 10-13, wait 13-20; thread 5: an unknown one. */
static struct part states_part = { .state = { { 0, 45, 0, 1, PRVCUT_STATE_RUNNING },
                                              { 45, 100, 0, 0, 100 },
                                              { 10, 13, 1, 0, 100 },
                                              { 13, 20, 1, 0, PRVCUT_STATE_WAIT },
                                              { 0, 100, 5, 0, 777 } },
                                   .states = 5 };

START_TEST(test_read_states_gives_each_cell_its_longest)
{
    struct hand h = hand_of(&states_part, 1);
    const struct prvcut_window w = { .from = 0, .to = 100 };
    struct prvcut_timeline t = read_it(&h.base, 1, &w, 10, 10, 0);

    ck_assert_uint_eq(t.rows, 6);
    ck_assert_uint_eq(t.columns, 10);
    ck_assert_str_eq(name_at(&t, 0, 3), "Running");
    ck_assert_str_eq(name_at(&t, 0, 5), "Red");
    ck_assert_str_eq(name_at(&t, 1, 0), "");
    ck_assert_str_eq(name_at(&t, 1, 1), prvcut_state_text(PRVCUT_STATE_WAIT));
    ck_assert_str_eq(name_at(&t, 5, 9), "others");
    ck_assert_str_eq(t.name[4], "1.2.4");
    ck_assert_uint_eq(t.states, 4);
    ck_assert_str_eq(t.state[0].name, "Red");
    ck_assert_uint_eq(t.state[0].ns, 58);
    ck_assert_int_eq(t.state[0].colour, 0xff0000);
    ck_assert_uint_eq(t.state[1].ns, 45);
    ck_assert_int_eq(t.state[1].colour, prvcut_state_colour(PRVCUT_STATE_RUNNING));
    ck_assert_str_eq(t.state[3].name, "others");
    ck_assert_uint_eq(t.state[3].ns, 100);
    prvcut_timeline_fini(&t);
}
END_TEST

/* Alone in a column for 4 ns of 10, or two of 3 and 2 ns: nothing took most of the one, half of the
   other; two at once take no more than all. */
START_TEST(test_read_states_tells_how_much_of_a_column_they_took)
{
    static const uint64_t part[] = { 0, 10, 0, 0, 4, 0, 0, 5, 1, 10 };
    static struct part p = { .state = { { 0, 100, 0, 1, PRVCUT_STATE_RUNNING },
                                        { 10, 20, 1, 0, 100 },
                                        { 43, 47, 1, 0, 100 },
                                        { 70, 73, 1, 0, 100 },
                                        { 75, 77, 1, 1, 101 },
                                        { 89, 100, 1, 0, 100 },
                                        { 90, 100, 1, 1, 101 } },
                             .states = 7 };
    struct hand h = hand_of(&p, 1);
    const struct prvcut_window w = { .from = 0, .to = 100 };
    struct prvcut_timeline t = read_it(&h.base, 1, &w, 10, 10, 0);
    const uint8_t *own = t.part + t.columns;

    for (uint32_t c = 0; c < 10; c++) {
        ck_assert_uint_eq(t.part[c], PRVCUT_TIMELINE_FULL);
        ck_assert_uint_eq(own[c], part[c] * PRVCUT_TIMELINE_FULL / 10);
    }
    ck_assert_str_eq(name_at(&t, 1, 4), "Red");
    ck_assert_str_eq(name_at(&t, 1, 5), "");
    prvcut_timeline_fini(&t);
}
END_TEST

/* Two of one state follow each other, with little between; what began before the window does not
   begin in it. */
START_TEST(test_read_states_tells_where_states_begin)
{
    static struct part p = { .state = { { 0, 38, 0, 0, 100 },
                                        { 38, 40, 0, 1, PRVCUT_STATE_RUNNING },
                                        { 40, 75, 0, 0, 100 },
                                        { 75, 100, 0, 1, PRVCUT_STATE_RUNNING } },
                             .states = 4 };
    static const uint32_t begins[] = { 0, 0, 2, 1, 0, 0, 2, 0, 0 };
    struct hand h = hand_of(&p, 1);
    const struct prvcut_window w = { .from = 10, .to = 100 };
    struct prvcut_timeline t = read_it(&h.base, 1, &w, 6, 9, 0);

    ck_assert_uint_eq(t.columns, 9);
    for (uint32_t c = 0; c < t.columns; c++)
        ck_assert_uint_eq(t.begins[c], begins[c]);
    ck_assert_str_eq(name_at(&t, 0, 2), "Red");
    prvcut_timeline_fini(&t);
}
END_TEST

START_TEST(test_read_states_adds_up_each_row)
{
    struct hand h = hand_of(&states_part, 1);
    const struct prvcut_window w = { .from = 0, .to = 100 };
    struct prvcut_timeline t = read_it(&h.base, 1, &w, 10, 10, 0);

    ck_assert_uint_eq(t.ns[0], 55);           /* rank 0, red */
    ck_assert_uint_eq(t.ns[1], 45);           /* running */
    ck_assert_uint_eq(t.ns[t.states + 0], 3); /* thread 1 */
    ck_assert_uint_eq(t.ns[t.states + 1], 0);
    ck_assert_uint_eq(t.ns[5 * t.states + 3], 100);
    ck_assert_uint_eq(t.object[4][0], 1);
    ck_assert_uint_eq(t.object[4][1], 2);
    ck_assert_uint_eq(t.object[4][2], 4);
    ck_assert_uint_eq(t.object[4][3], 1);
    prvcut_timeline_fini(&t);
}
END_TEST

START_TEST(test_read_states_leaves_out_what_is_outside_a_threads_window)
{
    struct hand h = hand_of(&states_part, 1);
    const uint64_t from[] = { 40, 10, 0, 0, 0, 95 }, to[] = { 60, 12, 0, 0, 0, 100 };
    const struct prvcut_window w = { 0, 100, from, to };
    struct prvcut_timeline t = read_it(&h.base, 1, &w, 10, 10, 0);

    ck_assert_str_eq(name_at(&t, 0, 3), "");
    ck_assert_str_eq(name_at(&t, 0, 4), "Red"); /* a tie: what lasts longer in all */
    ck_assert_str_eq(name_at(&t, 0, 5), "Red");
    ck_assert_str_eq(name_at(&t, 0, 6), "");
    ck_assert_str_eq(name_at(&t, 1, 1), "Red");
    ck_assert_str_eq(name_at(&t, 5, 8), "");
    ck_assert_str_eq(name_at(&t, 5, 9), "others");
    ck_assert_uint_eq(t.state[0].ns, 17);
    prvcut_timeline_fini(&t);
}
END_TEST

/* More states than are told apart: the longest stay, the rest is "others"; no colour given twice in
   a row. */
START_TEST(test_read_states_beyond_room_keeps_the_longest)
{
    static struct part p;
    struct hand h = hand_of(&p, 1);
    const struct prvcut_window w = { .from = 0, .to = 10000 };
    struct prvcut_timeline t;
    uint64_t at = 0;

    p.states = 40;
    h.states = 40;
    for (uint32_t i = 0; i < 40; i++) {
        p.state[i] = (struct prvcut_state){ at, at + 10 + i, 0, 0, (100 + i) & INT32_MAX };
        at += 10 + i;
    }
    t = read_it(&h.base, 1, &w, 6, 1000, 0);
    ck_assert_uint_eq(t.states, 32);
    ck_assert_str_eq(t.state[0].name, "state 139");
    ck_assert_str_eq(t.state[31].name, "others");
    ck_assert_uint_eq(t.state[31].ns, 9 * 10 + 36);
    ck_assert_int_ne(t.state[0].colour, t.state[1].colour);
    prvcut_timeline_fini(&t);
}
END_TEST

START_TEST(test_read_rows_beyond_room_keeps_first_threads_of_tasks)
{
    static const struct {
        uint32_t rows, thread[6];
    } want[] = { { 1, { 5 } },          { 2, { 1, 5 } },          { 3, { 0, 1, 5 } },
                 { 4, { 0, 1, 4, 5 } }, { 5, { 0, 1, 3, 4, 5 } }, { 6, { 0, 1, 2, 3, 4, 5 } } };
    struct hand h = hand_of(&states_part, 1);
    const struct prvcut_window w = { .from = 0, .to = 100 };
    struct prvcut_timeline t = read_it(&h.base, 1, &w, want[_i].rows, 10, 0);

    ck_assert_uint_eq(t.rows, want[_i].rows);
    ck_assert_uint_eq(t.threads, 6);
    for (uint32_t r = 0; r < t.rows; r++)
        ck_assert_uint_eq(t.thread[r], want[_i].thread[r]);
    ck_assert_uint_eq(t.state[0].ns, 58); /* of all threads */
    prvcut_timeline_fini(&t);
}
END_TEST

/* An archive may list processes that recorded nothing. */
START_TEST(test_read_task_without_threads_all_threads_are_drawn)
{
    static struct part part = { .state = { { .thread = 1, .begin = 0, .end = 50, .number = 100 } },
                                .states = 1 };
    static uint32_t task[] = { 0, 2 }, first[] = { 0, 0, 2 }, of[] = { 1, 1 };
    struct hand h = hand_of(&part, 1);
    const struct prvcut_window w = { .from = 0, .to = 100 };
    struct prvcut_timeline t;

    h.base.objects = (struct prvcut_objects){ .applications = 1,
                                              .tasks = 2,
                                              .threads = 2,
                                              .application_first_task = task,
                                              .task_first_thread = first,
                                              .thread_task = of };
    t = read_it(&h.base, 1, &w, 8, 10, 0);
    ck_assert_uint_eq(t.rows, 2);
    ck_assert_uint_eq(t.thread[1], 1);
    prvcut_timeline_fini(&t);
}
END_TEST

START_TEST(test_read_windows_of_few_or_no_ns_have_fewer_columns)
{
    struct hand h = hand_of(&states_part, 1);
    const struct prvcut_window few = { .from = 44, .to = 47 }, none = { .from = 50, .to = 50 };
    struct prvcut_timeline t = read_it(&h.base, 1, &few, 6, 10, 5);

    ck_assert_uint_eq(t.columns, 3);
    ck_assert_str_eq(name_at(&t, 0, 0), "Running");
    ck_assert_str_eq(name_at(&t, 0, 1), "Red");
    prvcut_timeline_fini(&t);
    t = read_it(&h.base, 1, &none, 6, 10, 5);
    ck_assert_uint_eq(t.columns, 0);
    ck_assert_ptr_null(t.cell);
    prvcut_timeline_fini(&t);
}
END_TEST

#define CALL(t, v, n)                                                                              \
    {                                                                                              \
        .time = (t), .value = (v), .type = PRVCUT_TYPE_MPI_P2P, .thread = (n),                     \
        .role = PRVCUT_ROLE_P2P, .head = 1                                                         \
    }

/* A call that begins in one part and ends in the next; one that never ends; decoded backwards. */
START_TEST(test_read_calls_stand_in_where_there_are_no_states)
{
    static struct part p[2] = { { .event = { CALL(20, 1, 0), CALL(40, 0, 0), CALL(70, 2, 0) },
                                  .events = 3 },
                                { .event = { CALL(80, 0, 0), CALL(85, 1, 1) }, .events = 2 } };
    struct hand h = hand_of(p, 2);
    const struct prvcut_window w = { .from = 10, .to = 110 };
    struct prvcut_timeline t;

    h.backwards = _i == 1;
    t = read_it(&h.base, _i + 1, &w, 6, 10, 0);
    ck_assert_str_eq(name_at(&t, 0, 0), "");
    ck_assert_str_eq(name_at(&t, 0, 1), "MPI_Send");
    ck_assert_str_eq(name_at(&t, 0, 2), "MPI_Send");
    ck_assert_str_eq(name_at(&t, 0, 3), "outside calls");
    ck_assert_str_eq(name_at(&t, 0, 6), "MPI_Recv");
    ck_assert_str_eq(name_at(&t, 0, 7), "outside calls");
    ck_assert_str_eq(name_at(&t, 1, 6), "");
    ck_assert_str_eq(name_at(&t, 1, 9), "MPI_Send");
    ck_assert_str_eq(name_at(&t, 2, 5), "");
    ck_assert_uint_eq(t.states, 3);
    ck_assert_str_eq(t.state[0].name, "outside calls");
    ck_assert_uint_eq(t.state[0].ns, 60);
    ck_assert_uint_eq(t.state[1].ns, 45);
    ck_assert_uint_eq(t.state[2].ns, 10);
    prvcut_timeline_fini(&t);
}
END_TEST

/* A region that began long before the window is what the thread is in at its border. */
START_TEST(test_read_calls_knows_what_is_open_at_the_window)
{
    static struct part p[3] = { { .event = { CALL(20, 2, 0) }, .events = 1 },
                                { .event = { CALL(30, 1, 1), CALL(40, 0, 1) }, .events = 2 },
                                { .event = { CALL(150, 0, 0) }, .events = 1 } };
    struct hand h = hand_of(p, 3);
    const struct prvcut_window w = { .from = 100, .to = 200 };
    struct prvcut_timeline t;

    h.skips = true;
    wants_calls = true;
    t = read_it(&h.base, 1, &w, 6, 10, 0);
    wants_calls = false;
    ck_assert_str_eq(name_at(&t, 0, 0), "MPI_Recv");
    ck_assert_str_eq(name_at(&t, 0, 4), "MPI_Recv");
    ck_assert_str_ne(name_at(&t, 0, 6), "MPI_Recv");
    prvcut_timeline_fini(&t);
}
END_TEST

START_TEST(test_read_messages_keeps_a_fair_sample_in_order)
{
    static struct part p[2];
    struct hand h = hand_of(p, 2);
    const struct prvcut_window w = { .from = 0, .to = 1000 };
    struct prvcut_timeline all, few, again;

    for (unsigned k = 0; k < 2; k++)
        for (uint32_t i = 0; i < 50; i++)
            p[k].message[i] = (struct prvcut_message){ .logical_send = 10 * (i + 50 * k),
                                                       .physical_receive = 10 * (i + 50 * k) + 15,
                                                       .size = i,
                                                       .sender = i % 6,
                                                       .receiver = (i + 1) % 6 };
    p[0].messages = p[1].messages = 50;
    all = read_it(&h.base, 1, &w, 6, 10, 1000);
    few = read_it(&h.base, 1, &w, 6, 10, 20);
    h.backwards = true;
    again = read_it(&h.base, 2, &w, 6, 10, 20);
    ck_assert_uint_eq(all.messages, 99); /* the last is received at 1005 */
    ck_assert_uint_eq(few.messages, 20);
    ck_assert_uint_eq(few.messages_seen, 99);
    check_same(&few, &again);
    ck_assert_uint_lt(few.message[0].send, 400);
    ck_assert_uint_gt(few.message[19].send, 600);
    for (size_t i = 1; i < few.messages; i++)
        ck_assert_uint_ge(few.message[i].send, few.message[i - 1].send);
    prvcut_timeline_fini(&all);
    prvcut_timeline_fini(&few);
    prvcut_timeline_fini(&again);
}
END_TEST

/* Formats whose regions have names are drawn by these; messages are read with them, once. */
START_TEST(test_read_calls_where_they_are_wanted)
{
    static struct part p = {
        .state = { { .thread = 0, .begin = 0, .end = 100, .number = 1 } },
        .states = 1,
        .event = { CALL(20, 1, 0), CALL(40, 0, 0) },
        .events = 2,
        .message = { { .logical_send = 20, .physical_receive = 35, .receiver = 1 } },
        .messages = 1
    };
    struct hand h = hand_of(&p, 1);
    const struct prvcut_window w = { .from = 0, .to = 100 };
    struct prvcut_timeline t;

    wants_calls = true;
    t = read_it(&h.base, 1, &w, 6, 10, 100);
    ck_assert_str_eq(name_at(&t, 0, 2), "MPI_Send");
    ck_assert_str_eq(name_at(&t, 0, 5), "outside calls");
    ck_assert_uint_eq(t.messages_seen, 1);
    prvcut_timeline_fini(&t);
    p.events = 0;
    t = read_it(&h.base, 1, &w, 6, 10, 100);
    ck_assert_str_eq(name_at(&t, 0, 2), "Running");
    ck_assert_uint_eq(t.messages_seen, 1);
    prvcut_timeline_fini(&t);
    wants_calls = false;
    t = read_it(&h.base, 1, &w, 6, 10, 100);
    ck_assert_str_eq(name_at(&t, 0, 2), "Running");
    prvcut_timeline_fini(&t);
}
END_TEST

/* The first receive belongs to a send before the window; the last send's receive comes after it. */
START_TEST(test_read_halves_pairs_the_kth_send_with_the_kth_receive)
{
    static struct part p = { .half = { { .time = 50, .thread = 0, .peer = 1, .size = 4 },
                                       { .time = 100, .thread = 0, .peer = 1, .size = 5 },
                                       { .time = 200, .thread = 0, .peer = 1, .size = 6 },
                                       { .time = 900, .thread = 0, .peer = 1, .size = 7 },
                                       { .time = 90, .thread = 1, .peer = 0, .receive = true },
                                       { .time = 150, .thread = 1, .peer = 0, .receive = true },
                                       { .time = 250, .thread = 1, .peer = 0, .receive = true },
                                       { .time = 1100, .thread = 1, .peer = 0, .receive = true },
                                       { .time = 300, .thread = 1, .peer = PRVCUT_NOBODY },
                                       { .time = 300, .thread = 1, .peer = 2 } },
                             .halves = 10 };
    struct hand h = hand_of(&p, 1);
    const struct prvcut_window w = { .from = 60, .to = 1000 };
    struct prvcut_timeline t = read_it(&h.base, 1, &w, 6, 10, 100);

    ck_assert_uint_eq(t.messages, 2);
    ck_assert_uint_eq(t.messages_seen, 2);
    ck_assert_uint_eq(t.message[0].send, 100);
    ck_assert_uint_eq(t.message[0].receive, 150);
    ck_assert_uint_eq(t.message[0].size, 5);
    ck_assert_uint_eq(t.message[1].send, 200);
    ck_assert_uint_eq(t.message[1].receive, 250);
    ck_assert_uint_eq(t.message[1].from, 0);
    ck_assert_uint_eq(t.message[1].to, 1);
    prvcut_timeline_fini(&t);
}
END_TEST

/* More halves than are kept: 600 channels of 1000 messages, each 5 ns under way. */

enum { CHANNELS = 600, EACH = 1000 };

static struct prvcut_half flood_half(unsigned channel, uint64_t k, bool receive)
{
    return (struct prvcut_half){ .time = 10 * k + channel % 3 + 5 * receive,
                                 .size = 8,
                                 .tag = channel,
                                 .thread = receive,
                                 .peer = !receive,
                                 .receive = receive };
}

static enum prvcut_status flood_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                                     uint64_t from, uint64_t to, const struct prvcut_consumer *c,
                                     struct prvcut_error *err)
{
    const struct hand *h = (const struct hand *)t;
    static struct prvcut_half half[2 * EACH];
    void *state = NULL;

    (void)from, (void)to, (void)run;
    ck_assert_int_eq(c->begin(c->ctx, 0, 0, &state, err), PRVCUT_OK);
    for (unsigned i = 0; i < CHANNELS && c->messages; i++) {
        const unsigned channel = h->backwards ? CHANNELS - 1 - i : i;
        const struct prvcut_batch b = { .half = half, .halves = sizeof half / sizeof *half };

        for (unsigned k = 0; k < EACH; k++) {
            half[k] = flood_half(channel, k, h->backwards);
            half[EACH + k] = flood_half(channel, k, !h->backwards);
        }
        ck_assert_int_eq(c->batch(c->ctx, 0, state, &b, err), PRVCUT_OK);
    }
    ck_assert_int_eq(c->join(c->ctx, state, err), PRVCUT_OK);
    c->discard(c->ctx, state);
    return PRVCUT_OK;
}

START_TEST(test_read_halves_beyond_room_keeps_whole_channels)
{
    static const struct prvcut_reader flood_reader = { .format = &hand_format,
                                                       .scan_window = flood_scan,
                                                       .describe = hand_describe };
    const struct prvcut_window w = { .from = 0, .to = 20000 };
    struct hand h = hand_of(NULL, 0);
    struct prvcut_timeline a, b;
    size_t wrong = 0;

    h.base.reader = &flood_reader;
    a = read_it(&h.base, 1, &w, 6, 10, 10000000);
    h.backwards = true;
    b = read_it(&h.base, 1, &w, 6, 10, 10000000);
    check_same(&a, &b);
    ck_assert_uint_eq(a.messages_seen, CHANNELS * EACH);
    ck_assert_uint_eq(a.messages % EACH, 0);
    ck_assert_uint_gt(a.messages, CHANNELS * EACH / 4);
    ck_assert_uint_lt(a.messages, CHANNELS * EACH);
    for (size_t i = 0; i < a.messages; i++)
        wrong += a.message[i].receive != a.message[i].send + 5;
    ck_assert_uint_eq(wrong, 0);
    prvcut_timeline_fini(&a);
    prvcut_timeline_fini(&b);
}
END_TEST

/* Real traces against sums over all records, each asked which cells it lies in. */

struct records {
    struct prvcut_state *state;
    struct prvcut_message *message;
    struct prvcut_half *half;
    size_t states, messages, halves, room[3];
};

static enum prvcut_status keep(void *ctx, unsigned worker, void *part, const struct prvcut_batch *b,
                               struct prvcut_error *err)
{
    struct records *r = ctx;
    const struct {
        void **to;
        const void *from;
        size_t *count, more, size;
    } kind[3] = {
        { (void **)&r->state, b->state, &r->states, b->states, sizeof *b->state },
        { (void **)&r->message, b->message, &r->messages, b->messages, sizeof *b->message },
        { (void **)&r->half, b->half, &r->halves, b->halves, sizeof *b->half },
    };

    (void)worker, (void)part;
    for (unsigned k = 0; k < 3; k++) {
        const size_t count = *kind[k].count;

        if (kind[k].more == 0)
            continue;
        if (prvcut_grow(kind[k].to, &r->room[k], count + kind[k].more, kind[k].size, err) < 0)
            return PRVCUT_ENOMEM;
        memcpy((char *)*kind[k].to + count * kind[k].size, kind[k].from,
               kind[k].more * kind[k].size);
        *kind[k].count += kind[k].more;
    }
    return PRVCUT_OK;
}

static void records_fini(struct records *r)
{
    free(r->state);
    free(r->message);
    free(r->half);
}

static struct prvcut_trace *open_it(const char *path, struct records *r)
{
    const struct prvcut_open_options options = { 0 };
    const struct prvcut_run one = { .threads = 1 };
    const struct prvcut_consumer all = {
        .states = true, .messages = true, .ctx = r, .batch = keep
    };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;

    memset(r, 0, sizeof *r);
    ck_assert_msg(prvcut_trace_open(&t, path, &options, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(t->reader->scan(t, &one, &all, NULL, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

static uint64_t edge(const struct prvcut_timeline *t, uint32_t column)
{
    const uint64_t width = t->span.end - t->span.start;

    return t->span.start + width / t->columns * column + width % t->columns * column / t->columns;
}

static uint64_t overlap(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t from = a > c ? a : c, to = b < d ? b : d;

    return from < to ? to - from : 0;
}

static struct prvcut_span window_of(const struct prvcut_window *w, uint32_t thread)
{
    return (struct prvcut_span){ w->thread_from ? w->thread_from[thread] : w->from,
                                 w->thread_to ? w->thread_to[thread] : w->to };
}

/* ns of each state in one cell. */
static void sum_cell(const struct records *r, const struct prvcut_timeline *t,
                     const struct prvcut_window *w, const uint32_t at[2], uint64_t sum[32])
{
    const uint32_t thread = t->thread[at[0]];
    const struct prvcut_span own = window_of(w, thread);

    memset(sum, 0, 32 * sizeof *sum);
    for (size_t i = 0; i < r->states; i++) {
        const struct prvcut_state *s = &r->state[i];
        const uint64_t begin = s->begin > own.start ? s->begin : own.start;
        const uint64_t end = s->end < own.end ? s->end : own.end;

        if (s->thread == thread && s->number < 32 && begin < end)
            sum[s->number] += overlap(begin, end, edge(t, at[1]), edge(t, at[1] + 1));
    }
}

/* Sums of columns of more than 0.26 s are rounded. */
static void check_part(const uint64_t sum[32], uint64_t width, uint8_t part)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < 32; i++)
        all += sum[i];
    ck_assert_double_eq_tol((double)part / PRVCUT_TIMELINE_FULL,
                            fmin(1, (double)all / (double)width), 0.01);
}

static void check_cells(const struct prvcut_trace *trace, const struct records *r,
                        const struct prvcut_timeline *t, const struct prvcut_window *w)
{
    struct prvcut_dictionary d;
    struct prvcut_error err = { 0 };
    unsigned filled = 0;

    ck_assert_int_eq(trace->reader->describe((struct prvcut_trace *)(uintptr_t)trace, &d, &err),
                     PRVCUT_OK);
    for (uint32_t row = 0; row < t->rows; row++)
        for (uint32_t c = 0; c < t->columns; c++) {
            const char *name = name_at(t, row, c);
            uint64_t sum[32], most = 0, said = 0;

            sum_cell(r, t, w, (uint32_t[]){ row, c }, sum);
            for (uint32_t i = 0; i < 32; i++) {
                const struct prvcut_state_name *s = prvcut_dictionary_state(&d, i);

                if (sum[i] > most)
                    most = sum[i];
                if (s && strcmp(s->text, name) == 0)
                    said = sum[i];
            }
            ck_assert_msg(said == most, "row %u column %u: %s", row, c, name);
            check_part(sum, edge(t, c + 1) - edge(t, c), t->part[(size_t)row * t->columns + c]);
            filled += most > 0;
        }
    ck_assert_uint_gt(filled, t->rows * t->columns / 3);
    prvcut_dictionary_fini(&d);
}

/* Threads each with a window of its own, somewhere in the middle. */
static void skew(uint64_t *from, uint64_t *to, const struct prvcut_trace *t,
                 struct prvcut_window *w)
{
    w->from = UINT64_MAX;
    w->to = 0;
    for (uint32_t i = 0; i < t->objects.threads; i++) {
        from[i] = t->end_ns / 100 * (40 + i % 3);
        to[i] = from[i] + t->end_ns / 100 * (3 + i % 2);
        if (from[i] < w->from)
            w->from = from[i];
        if (to[i] > w->to)
            w->to = to[i];
    }
    w->thread_from = from;
    w->thread_to = to;
}

static size_t count_messages(const struct records *r, const struct prvcut_window *w)
{
    size_t count = 0;

    for (size_t i = 0; i < r->messages; i++) {
        const struct prvcut_message *m = &r->message[i];
        const struct prvcut_span a = window_of(w, m->sender), b = window_of(w, m->receiver);

        count += m->logical_send >= a.start && m->logical_send < a.end &&
                 m->physical_receive >= b.start && m->physical_receive < b.end;
    }
    return count;
}

static void check_trace(const char *path, bool skewed)
{
    uint64_t from[64], to[64];
    struct records r;
    struct prvcut_trace *t = open_it(path, &r);
    struct prvcut_window w = { .from = t->end_ns / 2, .to = t->end_ns / 2 + t->end_ns / 20 };
    struct prvcut_timeline one, many;

    ck_assert_uint_le(t->objects.threads, 64);
    if (skewed)
        skew(from, to, t, &w);
    one = read_it(t, 1, &w, 5, 40, 100);
    many = read_it(t, 4, &w, 5, 40, 100);
    check_same(&one, &many);
    check_cells(t, &r, &one, &w);
    prvcut_timeline_fini(&one);
    prvcut_timeline_fini(&many);
    one = read_it(t, 2, &w, 64, 10, 1000000);
    if (!t->reader->halves) {
        ck_assert_uint_eq(one.messages, count_messages(&r, &w));
        ck_assert(skewed || one.messages > 0);
    }
    prvcut_timeline_fini(&one);
    records_fini(&r);
    prvcut_trace_close(t);
}

static const char *const samples[] = { "lu.S.4", "cg.W.8", "lulesh.8.omp" };

START_TEST(test_read_real_trace_matches_sums_over_all_records)
{
    char path[4096];

    if (traces_unpack(samples[_i / 2], path, sizeof path))
        check_trace(path, _i % 2 == 1);
}
END_TEST

START_TEST(test_read_compressed_trace_gives_the_same)
{
    const struct prvcut_window w = { .from = 40000000, .to = 42000000 };
    char path[4096], packed[] = "/tmp/prvcut-timeline-XXXXXX";
    struct prvcut_timeline plain, small;
    struct prvcut_trace *t;
    struct records r;
    char name[64];

    if (!traces_unpack("lu.S.4", path, sizeof path))
        return;
    ck_assert_ptr_nonnull(mkdtemp(packed));
    snprintf(name, sizeof name, "%s/x.prv.gz", packed);
    ck_assert(traces_shell("gzip -c '%s' >'%s' && cp '%.*s.pcf' '%s/x.pcf' && cp '%.*s.row' "
                           "'%s/x.row'",
                           path, name, (int)strlen(path) - 4, path, packed, (int)strlen(path) - 4,
                           path, packed));
    t = open_it(path, &r);
    plain = read_it(t, 2, &w, 8, 100, 50);
    records_fini(&r);
    prvcut_trace_close(t);
    t = open_it(name, &r);
    small = read_it(t, 2, &w, 8, 100, 50);
    check_same(&plain, &small);
    ck_assert_uint_gt(plain.states, 1);
    records_fini(&r);
    prvcut_trace_close(t);
    prvcut_timeline_fini(&plain);
    prvcut_timeline_fini(&small);
    ck_assert(traces_shell("rm -r '%s'", packed));
}
END_TEST

/* False: there is none, or the format was not built in. */
static bool unpack(const char *format, char *path, size_t room)
{
    return test_reads(format) && traces_unpack_archive(format, "lu.S.4", path, room);
}

static int by_channel(const void *a, const void *b)
{
    const struct prvcut_half *x = a, *y = b;
    const uint64_t p[] = { x->receive ? x->peer : x->thread, x->receive ? x->thread : x->peer,
                           (uint64_t)x->tag, x->receive,
                           x->receive && x->other ? x->other : x->time };
    const uint64_t q[] = { y->receive ? y->peer : y->thread, y->receive ? y->thread : y->peer,
                           (uint64_t)y->tag, y->receive,
                           y->receive && y->other ? y->other : y->time };

    for (unsigned i = 0; i < 5; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static bool same_channel(const struct prvcut_half *x, const struct prvcut_half *y)
{
    const bool turned = x->receive != y->receive;

    return x->tag == y->tag && x->thread == (turned ? y->peer : y->thread) &&
           x->peer == (turned ? y->thread : y->peer);
}

/* Is the message among the pairs of the whole trace? */
static bool is_pair(const struct records *r, const struct prvcut_timeline *t,
                    const struct prvcut_timeline_message *m)
{
    for (size_t i = 0; i < r->halves; i++) {
        const struct prvcut_half *s = &r->half[i];
        size_t k = 0, first = i;

        if (s->receive || s->time != m->send || s->thread != t->thread[m->from] ||
            s->peer != t->thread[m->to])
            continue;
        while (first > 0 && !r->half[first - 1].receive && same_channel(&r->half[first - 1], s))
            first--, k++;
        while (first < r->halves && !r->half[first].receive)
            first++;
        if (first + k < r->halves && r->half[first + k].receive &&
            same_channel(&r->half[first + k], s) && r->half[first + k].time == m->receive)
            return true;
    }
    return false;
}

START_TEST(test_read_archive_pairs_halves_as_the_whole_run_does)
{
    char path[4096];
    struct records r;
    struct prvcut_trace *t;
    struct prvcut_timeline line;
    struct prvcut_window w;
    size_t wrong = 0;

    if (!unpack(_i == 0 ? "otf2" : "otf", path, sizeof path))
        return;
    t = open_it(path, &r);
    w = (struct prvcut_window){ .from = t->end_ns / 2, .to = t->end_ns / 2 + t->end_ns / 20 };
    line = read_it(t, 2, &w, 64, 100, 1000);
    qsort(r.half, r.halves, sizeof *r.half, by_channel);
    ck_assert_uint_ge(line.messages, 10);
    for (size_t i = 0; i < line.messages; i++)
        wrong += !is_pair(&r, &line, &line.message[i]);
    ck_assert_uint_eq(wrong, 0);
    prvcut_timeline_fini(&line);
    records_fini(&r);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_read_archive_matches_sums_over_all_records)
{
    char path[4096];

    if (unpack(_i / 2 == 0 ? "otf2" : "otf", path, sizeof path))
        check_trace(path, _i % 2 == 1);
}
END_TEST

static Suite *timeline_suite(void)
{
    Suite *s = suite_create("timeline");
    TCase *hand = tcase_create("made by hand"), *real = tcase_create("real");

    tcase_add_test(hand, test_read_states_gives_each_cell_its_longest);
    tcase_add_test(hand, test_read_states_tells_how_much_of_a_column_they_took);
    tcase_add_test(hand, test_read_states_tells_where_states_begin);
    tcase_add_test(hand, test_read_states_adds_up_each_row);
    tcase_add_test(hand, test_read_states_leaves_out_what_is_outside_a_threads_window);
    tcase_add_test(hand, test_read_states_beyond_room_keeps_the_longest);
    tcase_add_loop_test(hand, test_read_rows_beyond_room_keeps_first_threads_of_tasks, 0, 6);
    tcase_add_test(hand, test_read_task_without_threads_all_threads_are_drawn);
    tcase_add_test(hand, test_read_windows_of_few_or_no_ns_have_fewer_columns);
    tcase_add_loop_test(hand, test_read_calls_stand_in_where_there_are_no_states, 0, 2);
    tcase_add_test(hand, test_read_calls_where_they_are_wanted);
    tcase_add_test(hand, test_read_calls_knows_what_is_open_at_the_window);
    tcase_add_test(hand, test_read_messages_keeps_a_fair_sample_in_order);
    tcase_add_test(hand, test_read_halves_pairs_the_kth_send_with_the_kth_receive);
    tcase_add_test(hand, test_read_halves_beyond_room_keeps_whole_channels);
    tcase_set_timeout(hand, 60);
    suite_add_tcase(s, hand);
    tcase_set_timeout(real, 300);
    tcase_add_loop_test(real, test_read_real_trace_matches_sums_over_all_records, 0,
                        2 * (int)(sizeof samples / sizeof *samples));
    tcase_add_test(real, test_read_compressed_trace_gives_the_same);
    tcase_add_loop_test(real, test_read_archive_matches_sums_over_all_records, 0, 4);
    tcase_add_loop_test(real, test_read_archive_pairs_halves_as_the_whole_run_does, 0, 2);
    suite_add_tcase(s, real);
    return s;
}

int main(void)
{
    return run_suite(timeline_suite());
}
