/* A stream of a trace made by hand: who meets whom, which call an end is in, and in which order. */
#include "stream/stream.h"

#include "hand_trace.h"
#include "runner.h"

enum { P2P_TYPE = PRVCUT_TYPE_MPI_P2P, ALL_TYPE = PRVCUT_TYPE_MPI_COLLECTIVE };
enum { RECV = 2, ISEND = 3, IRECV = 4, WAIT = 5, BCAST = 7, BARRIER = 8, ALLREDUCE = 10 };

static FILE *out;
static char *told;
static size_t told_count;

static void print_call(const char *name, const struct prvcut_stream_call *c)
{
    if (!c)
        fprintf(out, " %s -", name);
    else
        fprintf(out, " %s %" PRId64 "[%s%" PRIu64 ",%" PRIu64 "%s]", name, c->value,
                c->no_begin ? "<" : "", c->span.start, c->span.end, c->no_end ? ">" : "");
}

static void print_time(const char *name, uint64_t time)
{
    if (time == PRVCUT_NEVER)
        fprintf(out, " %s never", name);
    else
        fprintf(out, " %s %" PRIu64, name, time);
}

static enum prvcut_status take_call(void *ctx, const struct prvcut_stream_call *c, bool begins,
                                    struct prvcut_error *err)
{
    (void)ctx, (void)err;
    fprintf(out, "%s %" PRIu32, begins ? "begin" : "end", c->thread);
    print_call("call", c);
    fputc('\n', out);
    return PRVCUT_OK;
}

static enum prvcut_status take_message(void *ctx, const struct prvcut_stream_message *m,
                                       bool begins, struct prvcut_error *err)
{
    (void)ctx, (void)err;
    fprintf(out, "%s message %" PRIu64 " fate %d %" PRId32 ">%" PRId32, begins ? "begin" : "end",
            m->number, m->fate, (int32_t)m->sender, (int32_t)m->receiver);
    if (begins) {
        fputc('\n', out);
        return PRVCUT_OK;
    }
    print_time("sent", m->sent);
    print_time("posted", m->posted);
    print_time("completed", m->completed);
    print_call("by", m->send);
    print_call("by", m->post);
    print_call("by", m->complete);
    fputc('\n', out);
    return PRVCUT_OK;
}

static enum prvcut_status take_collective(void *ctx, const struct prvcut_stream_collective *c,
                                          bool begins, struct prvcut_error *err)
{
    (void)ctx, (void)err;
    fprintf(out, "%s collective %" PRIu64 " fate %d comm %" PRIu32 ".%" PRId32 " root %" PRId32,
            begins ? "begin" : "end", c->number, c->fate, c->application, (int32_t)c->communicator,
            (int32_t)c->root);
    fprintf(out, " %" PRIu32 "/%" PRIu32 " %" PRIu64 "-%" PRIu64 " %" PRIu64 "-%" PRIu64,
            c->members, c->expected, c->first_begin, c->last_begin, c->first_end, c->last_end);
    for (uint32_t i = 0; i < c->members && !begins; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);

        fprintf(out, " task %" PRIu32 "%s %" PRId64 ",%" PRId64, m->task, m->root ? " root" : "",
                m->sent, m->received);
        print_call("in", m->call);
    }
    ck_assert_ptr_null(prvcut_stream_member(c, c->members));
    fputc('\n', out);
    return PRVCUT_OK;
}

static enum prvcut_status take_records(void *ctx, struct prvcut_item *item, size_t count,
                                       struct prvcut_error *err)
{
    (void)ctx, (void)err;
    for (size_t i = 0; i < count; i++)
        print_item(out, &item[i]);
    return PRVCUT_OK;
}

static const struct prvcut_stream_sink calls = { .call = take_call },
                                       messages = { .message = take_message },
                                       collectives = { .collective = take_collective },
                                       all = { .call = take_call,
                                               .message = take_message,
                                               .collective = take_collective,
                                               .records = take_records };

static char *tell_as(struct hand_trace *t, const struct prvcut_stream_sink *sink, bool by_thread,
                     int threads, size_t memory)
{
    const struct prvcut_run run = { .threads = threads };
    const struct prvcut_stream_plan plan = {
        .trace = &t->base, .run = &run, .by_thread = by_thread, .states = true, .memory = memory
    };
    struct prvcut_error err = { 0 };

    out = open_memstream(&told, &told_count);
    ck_assert_ptr_nonnull(out);
    ck_assert_msg(prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION),
                                     false, sink, &err) == PRVCUT_OK,
                  "%s", err.text);
    fclose(out);
    return told;
}

/* By any number of workers, in any order of parts, with no memory: the same. */
static void tells(struct hand_trace *t, const struct prvcut_stream_sink *sink, bool by_thread,
                  const char *wanted)
{
    static const struct {
        int threads;
        size_t memory;
        bool backwards;
    } how[] = { { 1, 0, false }, { 2, 0, true }, { 2, 1, true }, { 1, 1, false } };

    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        char *got;

        t->backwards = how[i].backwards;
        got = tell_as(t, sink, by_thread, how[i].threads, how[i].memory);
        ck_assert_str_eq(got, wanted);
        free(got);
    }
}

static void call(struct part *p, uint32_t thread, uint32_t type, int64_t value, uint64_t begin,
                 uint64_t end)
{
    const enum prvcut_role role = type == P2P_TYPE ? PRVCUT_ROLE_P2P : PRVCUT_ROLE_COLLECTIVE;

    p->event[p->events++] = (struct prvcut_event)EVENT(begin, thread & 0xffffff, type, value, role);
    p->event[p->events++] = (struct prvcut_event)EVENT(end, thread & 0xffffff, type, 0, role);
}

/* A collective's call, with what its line tells. */
static void collective(struct part *p, uint32_t thread, int64_t value, uint64_t begin, uint64_t end,
                       int64_t comm, bool root)
{
    p->event[p->events++] = (struct prvcut_event)EVENT(begin, thread & 0xffffff, ALL_TYPE, value,
                                                       PRVCUT_ROLE_COLLECTIVE);
    if (comm >= 0) {
        p->event[p->events] = (struct prvcut_event)EVENT(
            begin, thread & 0xffffff, PRVCUT_TYPE_COMMUNICATOR, comm, PRVCUT_ROLE_COMMUNICATOR);
        p->event[p->events++].head = 0;
    }
    if (root) {
        p->event[p->events] = (struct prvcut_event)EVENT(begin, thread & 0xffffff, PRVCUT_TYPE_ROOT,
                                                         1, PRVCUT_ROLE_ROOT);
        p->event[p->events++].head = 0;
    }
    p->event[p->events++] =
        (struct prvcut_event)EVENT(end, thread & 0xffffff, ALL_TYPE, 0, PRVCUT_ROLE_COLLECTIVE);
}

static void send(struct part *p, uint32_t from, uint32_t to, uint64_t time)
{
    p->half[p->halves++] = (struct prvcut_half)HALF(time, from, to, 5, 7, false);
}

static void receive(struct part *p, uint32_t to, uint32_t from, uint64_t posted, uint64_t time)
{
    p->half[p->halves] = (struct prvcut_half)HALF(time, to, from, 5, 7, true);
    p->half[p->halves++].other = posted;
}

START_TEST(test_receives_meet_sends_in_the_order_of_posting)
{
    static struct part part[1];
    struct hand_trace t = hand(&halves_reader, part, 1);

    call(part, 0, P2P_TYPE, ISEND, 500, 510);
    call(part, 0, P2P_TYPE, ISEND, 600, 610);
    call(part, 1, P2P_TYPE, IRECV, 490, 500);
    call(part, 1, P2P_TYPE, IRECV, 590, 600);
    call(part, 1, P2P_TYPE, WAIT, 700, 800);
    call(part, 1, P2P_TYPE, WAIT, 850, 900);
    send(part, 0, 1, 500);
    send(part, 0, 1, 600);
    receive(part, 1, 0, 600, 800);
    receive(part, 1, 0, 500, 900);
    tells(&t, &messages, false,
          "begin message 0 fate 0 0>1\n"
          "begin message 1 fate 0 0>1\n"
          "end message 1 fate 0 0>1 sent 600 posted 600 completed 800 by 3[600,610] by 4[590,600]"
          " by 5[700,800]\n"
          "end message 0 fate 0 0>1 sent 500 posted 500 completed 900 by 3[500,510] by 4[490,500]"
          " by 5[850,900]\n");
}
END_TEST

START_TEST(test_a_message_begins_when_it_is_sent_however_early_it_was_posted)
{
    static struct part part[2];
    struct hand_trace t = hand(&hand_reader, part, 2);

    call(part, 1, P2P_TYPE, IRECV, 190, 200);
    call(&part[1], 0, P2P_TYPE, ISEND, 300, 310);
    call(&part[1], 1, P2P_TYPE, WAIT, 250, 400);
    part->message[part->messages++] = (struct prvcut_message){ .logical_send = 300,
                                                               .physical_send = 305,
                                                               .logical_receive = 200,
                                                               .physical_receive = 400,
                                                               .sender = 0,
                                                               .receiver = 1 };
    tells(&t, &messages, false,
          "begin message 0 fate 0 0>1\n"
          "end message 0 fate 0 0>1 sent 300 posted 200 completed 400 by 3[300,310] by 4[190,200]"
          " by 5[250,400]\n");
}
END_TEST

START_TEST(test_a_call_that_receives_has_posted_the_receive)
{
    static struct part part[1];
    struct hand_trace t = hand(&halves_reader, part, 1);

    call(part, 0, P2P_TYPE, ISEND, 100, 110);
    call(part, 0, P2P_TYPE, ISEND, 200, 210);
    call(part, 1, P2P_TYPE, RECV, 150, 190);
    call(part, 1, P2P_TYPE, WAIT, 190, 250);
    send(part, 0, 1, 105);
    send(part, 0, 1, 205);
    receive(part, 1, 0, 0, 180);
    receive(part, 1, 0, 0, 240);
    tells(&t, &messages, false,
          "begin message 0 fate 0 0>1\n"
          "end message 0 fate 0 0>1 sent 105 posted 150 completed 180 by 3[100,110] by 2[150,190]"
          " by 2[150,190]\n"
          "begin message 0 fate 0 0>1\n"
          "end message 0 fate 0 0>1 sent 205 posted never completed 240 by 3[200,210] by -"
          " by 5[190,250]\n");
}
END_TEST

START_TEST(test_ends_at_the_borders_of_calls_are_in_the_call_that_made_them)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    /* The send begins where one call ends and the next begins; the receive ends where one ends. */
    call(part, 0, P2P_TYPE, WAIT, 50, 100);
    call(part, 0, P2P_TYPE, ISEND, 100, 120);
    call(part, 1, P2P_TYPE, RECV, 80, 130);
    call(part, 1, P2P_TYPE, WAIT, 130, 150);
    part->message[part->messages++] = (struct prvcut_message){ .logical_send = 100,
                                                               .physical_send = 120,
                                                               .logical_receive = 80,
                                                               .physical_receive = 130,
                                                               .sender = 0,
                                                               .receiver = 1 };
    tells(&t, &messages, false,
          "begin message 0 fate 0 0>1\n"
          "end message 0 fate 0 0>1 sent 100 posted 80 completed 130 by 3[100,120] by 2[80,130]"
          " by 2[80,130]\n");
}
END_TEST

START_TEST(test_an_end_without_its_other_one_is_told_alone)
{
    static struct part part[1];
    struct hand_trace t = hand(&halves_reader, part, 1);

    send(part, 0, 1, 100);
    receive(part, 2, 0, 0, 200);
    tells(&t, &messages, false,
          "begin message 0 fate 2 0>1\n"
          "end message 0 fate 2 0>1 sent 100 posted never completed never by - by - by -\n"
          "begin message 0 fate 2 0>2\n"
          "end message 0 fate 2 0>2 sent never posted never completed 200 by - by - by -\n");
}
END_TEST

START_TEST(test_a_message_that_arrives_before_it_is_sent_ends_after_it_begins)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    part->message[part->messages++] = (struct prvcut_message){ .logical_send = 300,
                                                               .physical_send = 300,
                                                               .logical_receive = 100,
                                                               .physical_receive = 200,
                                                               .sender = 2,
                                                               .receiver = 1 };
    tells(&t, &messages, false,
          "begin message 0 fate 0 2>1\n"
          "end message 0 fate 0 2>1 sent 300 posted 100 completed 200 by - by - by -\n");
}
END_TEST

START_TEST(test_ends_between_calls_are_in_none)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    call(part, 0, P2P_TYPE, WAIT, 50, 100);
    call(part, 1, P2P_TYPE, RECV, 80, 120);
    call(part, 1, P2P_TYPE, WAIT, 150, 200);
    part->message[part->messages++] = (struct prvcut_message){ .logical_send = 110,
                                                               .physical_send = 110,
                                                               .logical_receive = 130,
                                                               .physical_receive = 160,
                                                               .sender = 0,
                                                               .receiver = 1 };
    tells(&t, &messages, false,
          "begin message 0 fate 0 0>1\n"
          "end message 0 fate 0 0>1 sent 110 posted 130 completed 160 by - by - by 5[150,200]\n");
}
END_TEST

START_TEST(test_numbers_are_given_again_once_a_message_has_ended)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);
    static const uint64_t time[][2] = { { 10, 50 }, { 20, 30 }, { 40, 60 }, { 70, 80 } };

    for (size_t i = 0; i < 4; i++)
        part->message[part->messages++] = (struct prvcut_message){ .logical_send = time[i][0],
                                                                   .physical_send = time[i][0],
                                                                   .logical_receive = time[i][1],
                                                                   .physical_receive = time[i][1],
                                                                   .sender = 0,
                                                                   .receiver = 3 };
    tells(&t, &messages, false,
          "begin message 0 fate 0 0>3\nbegin message 1 fate 0 0>3\n"
          "end message 1 fate 0 0>3 sent 20 posted 30 completed 30 by - by - by -\n"
          "begin message 1 fate 0 0>3\n"
          "end message 0 fate 0 0>3 sent 10 posted 50 completed 50 by - by - by -\n"
          "end message 1 fate 0 0>3 sent 40 posted 60 completed 60 by - by - by -\n"
          "begin message 1 fate 0 0>3\n"
          "end message 1 fate 0 0>3 sent 70 posted 80 completed 80 by - by - by -\n");
}
END_TEST

START_TEST(test_calls_nest_and_mpi_inside_mpi_is_part_of_it)
{
    static struct part part[2];
    struct hand_trace t = hand(&hand_reader, part, 2);

    part->event[part->events++] = (struct prvcut_event)EVENT(10, 0, 60, 1, PRVCUT_ROLE_REGION);
    part->event[part->events++] = (struct prvcut_event)EVENT(20, 0, 60, 2, PRVCUT_ROLE_REGION);
    part->event[part->events++] =
        (struct prvcut_event)EVENT(30, 0, ALL_TYPE, BARRIER, PRVCUT_ROLE_COLLECTIVE);
    call(part, 0, P2P_TYPE, RECV, 32, 34);
    part[1].event[part[1].events++] =
        (struct prvcut_event)EVENT(40, 0, ALL_TYPE, 0, PRVCUT_ROLE_COLLECTIVE);
    part[1].event[part[1].events++] = (struct prvcut_event)EVENT(50, 0, 60, 0, PRVCUT_ROLE_REGION);
    /* An end at first: it had begun before all records. */
    part[1].event[part[1].events++] = (struct prvcut_event)EVENT(60, 1, 60, 0, PRVCUT_ROLE_REGION);
    tells(&t, &calls, false,
          "begin 1 call 0[<0,60]\nbegin 0 call 1[10,1000>]\nbegin 0 call 2[20,50]\n"
          "begin 0 call 8[30,40]\nend 0 call 8[30,40]\nend 0 call 2[20,50]\n"
          "end 1 call 0[<0,60]\nend 0 call 1[10,1000>]\n");
    tells(&t, &calls, true,
          "begin 0 call 1[10,1000>]\nbegin 0 call 2[20,50]\n"
          "begin 0 call 8[30,40]\nend 0 call 8[30,40]\nend 0 call 2[20,50]\n"
          "end 0 call 1[10,1000>]\nbegin 1 call 0[<0,60]\nend 1 call 0[<0,60]\n");
}
END_TEST

START_TEST(test_a_call_of_no_length_ends_after_it_begins)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    call(part, 0, P2P_TYPE, ISEND, 10, 10);
    call(part, 0, P2P_TYPE, WAIT, 10, 20);
    tells(
        &t, &calls, false,
        "begin 0 call 3[10,10]\nend 0 call 3[10,10]\nbegin 0 call 5[10,20]\nend 0 call 5[10,20]\n");
}
END_TEST

START_TEST(test_the_kth_collective_of_each_member_is_one)
{
    static struct part part[2];
    struct hand_trace t = hand(&hand_reader, part, 2);

    /* Task 0 is far ahead with its second; communicator 8 of task 1 alone counts by itself. */
    collective(part, 0, BCAST, 10, 20, 7, true);
    collective(part, 0, ALLREDUCE, 30, 90, 7, false);
    collective(part, 1, BCAST, 50, 60, 7, false);
    collective(&part[1], 1, BARRIER, 62, 64, 8, false);
    collective(&part[1], 1, ALLREDUCE, 70, 100, 7, false);
    tells(&t, &collectives, false,
          "begin collective 0 fate 0 comm 0.7 root 0 2/2 10-50 20-60\n"
          "begin collective 1 fate 0 comm 0.7 root -1 2/2 30-70 90-100\n"
          "end collective 0 fate 0 comm 0.7 root 0 2/2 10-50 20-60 task 0 root -1,-1 in 7[10,20]"
          " task 1 -1,-1 in 7[50,60]\n"
          "begin collective 0 fate 0 comm 0.8 root -1 1/1 62-62 64-64\n"
          "end collective 0 fate 0 comm 0.8 root -1 1/1 62-62 64-64 task 1 -1,-1 in 8[62,64]\n"
          "end collective 1 fate 0 comm 0.7 root -1 2/2 30-70 90-100 task 0 -1,-1 in 10[30,90]"
          " task 1 -1,-1 in 10[70,100]\n");
}
END_TEST

START_TEST(test_collectives_that_differ_or_lack_a_member_say_so)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    collective(part, 0, BARRIER, 10, 20, 7, false);
    collective(part, 1, BARRIER, 10, 20, 7, false);
    collective(part, 0, BARRIER, 30, 40, 7, false);
    collective(part, 1, BCAST, 30, 40, 7, false);
    collective(part, 0, BARRIER, 50, 60, 7, false);
    collective(part, 3, BARRIER, 50, 60, 7, false);
    tells(&t, &collectives, true,
          "begin collective 0 fate 0 comm 0.7 root -1 2/2 10-10 20-20\n"
          "end collective 0 fate 0 comm 0.7 root -1 2/2 10-10 20-20 task 0 -1,-1 in 8[10,20]"
          " task 1 -1,-1 in 8[10,20]\n"
          "begin collective 1 fate 3 comm 0.7 root -1 2/2 30-30 40-40\n"
          "end collective 1 fate 3 comm 0.7 root -1 2/2 30-30 40-40 task 0 -1,-1 in 8[30,40]"
          " task 1 -1,-1 in 7[30,40]\n"
          "begin collective 2 fate 3 comm 0.7 root -1 1/2 50-50 60-60\n"
          "end collective 2 fate 3 comm 0.7 root -1 1/2 50-50 60-60 task 0 -1,-1 in 8[50,60]\n"
          "begin collective 3 fate 0 comm 1.7 root -1 1/1 50-50 60-60\n"
          "end collective 3 fate 0 comm 1.7 root -1 1/1 50-50 60-60 task 2 -1,-1 in 8[50,60]\n");
}
END_TEST

START_TEST(test_collectives_without_a_communicator_are_all_tasks_if_these_count_alike)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    collective(part, 0, BARRIER, 10, 20, -1, false);
    collective(part, 1, BARRIER, 12, 20, -1, false);
    tells(&t, &collectives, false,
          "begin collective 0 fate 0 comm 0.-1 root -1 2/2 10-12 20-20\n"
          "end collective 0 fate 0 comm 0.-1 root -1 2/2 10-12 20-20 task 0 -1,-1 in 8[10,20]"
          " task 1 -1,-1 in 8[12,20]\n");
    collective(part, 1, BARRIER, 30, 40, -1, false);
    tells(&t, &collectives, false,
          "begin collective 0 fate 2 comm 0.-1 root -1 1/2 10-10 20-20\n"
          "begin collective 1 fate 2 comm 0.-1 root -1 1/2 12-12 20-20\n"
          "end collective 0 fate 2 comm 0.-1 root -1 1/2 10-10 20-20 task 0 -1,-1 in 8[10,20]\n"
          "end collective 1 fate 2 comm 0.-1 root -1 1/2 12-12 20-20 task 1 -1,-1 in 8[12,20]\n"
          "begin collective 1 fate 2 comm 0.-1 root -1 1/2 30-30 40-40\n"
          "end collective 1 fate 2 comm 0.-1 root -1 1/2 30-30 40-40 task 1 -1,-1 in 8[30,40]\n");
}
END_TEST

START_TEST(test_what_is_nothing_else_comes_as_records)
{
    static struct part part[1];
    struct hand_trace t = hand(&hand_reader, part, 1);

    part->state[part->states++] =
        (struct prvcut_state){ .begin = 0, .end = 100, .thread = 0, .running = 1, .number = 1 };
    collective(part, 0, BARRIER, 10, 20, 8, false);
    part->event[part->events++] = (struct prvcut_event)EVENT(30, 0, 42, 7, PRVCUT_ROLE_COUNTER);
    tells(&t, &all, false,
          "0 0-100 state 1 running\n"
          "begin 0 call 8[10,20]\n"
          "begin collective 0 fate 0 comm 0.8 root -1 1/1 10-10 20-20\n"
          "end 0 call 8[10,20]\n"
          "end collective 0 fate 0 comm 0.8 root -1 1/1 10-10 20-20 task 0 -1,-1 in 8[10,20]\n"
          "0 30 42=7\n");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("stream");
    TCase *c = tcase_create("by hand");

    tcase_add_test(c, test_receives_meet_sends_in_the_order_of_posting);
    tcase_add_test(c, test_a_message_begins_when_it_is_sent_however_early_it_was_posted);
    tcase_add_test(c, test_a_call_that_receives_has_posted_the_receive);
    tcase_add_test(c, test_ends_at_the_borders_of_calls_are_in_the_call_that_made_them);
    tcase_add_test(c, test_an_end_without_its_other_one_is_told_alone);
    tcase_add_test(c, test_a_message_that_arrives_before_it_is_sent_ends_after_it_begins);
    tcase_add_test(c, test_ends_between_calls_are_in_none);
    tcase_add_test(c, test_numbers_are_given_again_once_a_message_has_ended);
    tcase_add_test(c, test_calls_nest_and_mpi_inside_mpi_is_part_of_it);
    tcase_add_test(c, test_a_call_of_no_length_ends_after_it_begins);
    tcase_add_test(c, test_the_kth_collective_of_each_member_is_one);
    tcase_add_test(c, test_collectives_that_differ_or_lack_a_member_say_so);
    tcase_add_test(c, test_collectives_without_a_communicator_are_all_tasks_if_these_count_alike);
    tcase_add_test(c, test_what_is_nothing_else_comes_as_records);
    suite_add_tcase(s, c);
    return run_suite(s);
}
