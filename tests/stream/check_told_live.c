/* A stream that is told while it is read tells of each thread what a sorted one does. */
#include "stream/stream.h"

#include "hand_trace.h"
#include "runner.h"

enum { THREADS = 4, PARTS = 8, CALLS = 12 };
enum { SEND = 1, RECV = 2, ISEND = 3, IRECV = 4, WAIT = 5, BARRIER = 8 };

/* What is told of each thread, and of collectives. */
struct heard {
    FILE *f[THREADS + 1];
    char *text[THREADS + 1];
    size_t count[THREADS + 1];
};

static void hear(struct heard *h)
{
    for (int i = 0; i <= THREADS; i++)
        ck_assert_ptr_nonnull(h->f[i] = open_memstream(&h->text[i], &h->count[i]));
}

static void hear_no_more(struct heard *h)
{
    for (int i = 0; i <= THREADS; i++)
        fclose(h->f[i]);
}

static void forget(struct heard *h)
{
    for (int i = 0; i <= THREADS; i++)
        free(h->text[i]);
}

static void print_call(FILE *f, const struct prvcut_stream_call *c)
{
    if (c)
        fprintf(f, " %" PRIu32 " %" PRIu32 "=%" PRId64 "[%" PRIu64 ",%" PRIu64 "]%d%d", c->thread,
                c->type, c->value, c->span.start, c->span.end, c->no_begin, c->no_end);
    else
        fputs(" -", f);
}

/* Where a call begins it may not be known when it ends. */
static enum prvcut_status take_call(void *ctx, const struct prvcut_stream_call *c, bool begins,
                                    struct prvcut_error *err)
{
    FILE *f = ((struct heard *)ctx)->f[c->thread];

    (void)err;
    if (begins)
        fprintf(f, "begin %" PRIu32 "=%" PRId64 " %" PRIu64, c->type, c->value, c->span.start);
    else
        print_call(f, c);
    fputc('\n', f);
    return PRVCUT_OK;
}

static enum prvcut_status take_message(void *ctx, const struct prvcut_stream_message *m,
                                       bool begins, struct prvcut_error *err)
{
    FILE *f = ((struct heard *)ctx)->f[begins ? m->sender : m->receiver];

    (void)err;
    fprintf(f,
            "%s %" PRIu32 ">%" PRIu32 " tag %" PRId64 " size %" PRIu64 " %" PRIu64 " %" PRIu64
            " %" PRIu64 " %" PRIu64,
            begins ? "sent" : "received", m->sender, m->receiver, m->tag, m->size, m->sent,
            m->transferred, m->posted, m->completed);
    print_call(f, m->send);
    print_call(f, m->post);
    print_call(f, m->complete);
    fputc('\n', f);
    return PRVCUT_OK;
}

static enum prvcut_status take_collective(void *ctx, const struct prvcut_stream_collective *c,
                                          bool begins, struct prvcut_error *err)
{
    FILE *f = ((struct heard *)ctx)->f[THREADS];

    (void)err;
    fprintf(f, "%s fate %d %" PRIu32 "/%" PRIu32, begins ? "begin" : "end", c->fate, c->members,
            c->expected);
    for (uint32_t i = 0; i < c->members; i++)
        print_call(f, prvcut_stream_member(c, i)->call);
    fputc('\n', f);
    return PRVCUT_OK;
}

static enum prvcut_status take_records(void *ctx, struct prvcut_item *item, size_t count,
                                       struct prvcut_error *err)
{
    (void)err;
    for (size_t i = 0; i < count; i++)
        print_item(((struct heard *)ctx)->f[item[i].thread], &item[i]);
    return PRVCUT_OK;
}

static enum prvcut_status tell(struct hand_trace *t, struct heard *h, bool between)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_stream_plan plan = {
        .trace = &t->base, .run = &run, .by_thread = true, .between = between
    };
    const struct prvcut_stream_sink sink = { .ctx = h,
                                             .call = take_call,
                                             .message = take_message,
                                             .collective = take_collective,
                                             .records = take_records };
    struct prvcut_error err = { .status = PRVCUT_OK };
    enum prvcut_status st;

    hear(h);
    st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION), false,
                            &sink, &err);
    hear_no_more(h);
    ck_assert_int_eq(err.status, PRVCUT_OK);
    return st;
}

/* --- Random programs -------------------------------------------------------------------------- */

static uint32_t seed;

static uint32_t drawn(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

struct program {
    struct prvcut_stream_call call[THREADS][CALLS];
    struct prvcut_event event[THREADS * CALLS * 4];
    size_t events;
    uint64_t end;
};

static void put(struct program *p, uint64_t time, uint32_t thread, uint32_t type, int64_t value,
                enum prvcut_role role)
{
    p->event[p->events++] = (struct prvcut_event)EVENT(time, thread & 0xffffff, type, value, role);
}

/* Calls close to each other, so that many begin where others end; some take no time. */
static void draw_calls(struct program *p, uint32_t thread)
{
    static const int64_t p2p[] = { SEND, RECV, ISEND, IRECV, WAIT };
    uint64_t time = drawn(4);

    put(p, time, thread, 60, 1 + drawn(3), PRVCUT_ROLE_REGION);
    for (int i = 0; i < CALLS; i++) {
        const bool all = drawn(5) == 0;
        struct prvcut_stream_call c = { .thread = thread,
                                        .type =
                                            all ? PRVCUT_TYPE_MPI_COLLECTIVE : PRVCUT_TYPE_MPI_P2P,
                                        .value = all ? BARRIER : p2p[drawn(5)] };

        c.span.start = time += drawn(4);
        c.span.end = time += drawn(4);
        put(p, c.span.start, thread, c.type, c.value,
            all ? PRVCUT_ROLE_COLLECTIVE : PRVCUT_ROLE_P2P);
        if (drawn(2) == 0) {
            put(p, c.span.start, thread, 7777, drawn(9), PRVCUT_ROLE_OTHER);
            p->event[p->events - 1].head = 0;
        }
        put(p, c.span.end, thread, c.type, 0, all ? PRVCUT_ROLE_COLLECTIVE : PRVCUT_ROLE_P2P);
        p->call[thread][i] = c;
    }
    put(p, time + drawn(3), thread, 60, 0, PRVCUT_ROLE_REGION);
}

/* By time, those of a thread and time in their order. */
static void order_events(struct program *p)
{
    for (size_t i = 1; i < p->events; i++) {
        const struct prvcut_event e = p->event[i];
        size_t k = i;

        for (; k > 0 && p->event[k - 1].time > e.time; k--)
            p->event[k] = p->event[k - 1];
        p->event[k] = e;
    }
}

static uint64_t within(const struct prvcut_stream_call *c)
{
    return c->span.start + drawn((uint32_t)(c->span.end - c->span.start) + 1);
}

static void draw_message(const struct program *p, struct part *part)
{
    const uint32_t from = drawn(THREADS), to = drawn(THREADS);
    const struct prvcut_stream_call *s = &p->call[from][drawn(CALLS)];
    const uint32_t i = drawn(CALLS), post = drawn(i + 1);
    struct prvcut_message m = { .sender = from, .receiver = to, .tag = drawn(3), .size = drawn(9) };

    m.logical_send = within(s);
    m.physical_send = within(s);
    m.physical_receive = within(&p->call[to][i]);
    m.logical_receive = within(&p->call[to][post]);
    if (drawn(9) == 0)
        m.logical_receive++;
    part->message[part->messages++] = m;
}

static void draw(struct hand_trace *t, struct part *part)
{
    static struct program p;
    size_t each;

    p.events = 0;
    memset(part, 0, PARTS * sizeof *part);
    for (uint32_t i = 0; i < THREADS; i++)
        draw_calls(&p, i);
    order_events(&p);
    each = p.events / PARTS + 1;
    for (size_t i = 0; i < p.events; i++) {
        struct part *to = &part[i / each];

        to->event[to->events++] = p.event[i];
    }
    for (int i = 0; i < 40; i++)
        draw_message(&p, &part[drawn(PARTS)]);
    *t = hand(&hand_reader, part, PARTS);
}

/* The first line that differs. */
static void is_same(uint32_t program, const char *wanted, const char *got)
{
    while (*wanted || *got) {
        const size_t a = strcspn(wanted, "\n"), b = strcspn(got, "\n");

        ck_assert_msg(a == b && memcmp(wanted, got, a) == 0, "program %" PRIu32 ": %.*s, not %.*s",
                      program, (int)b, got, (int)a, wanted);
        wanted += a + (wanted[a] != 0);
        got += b + (got[b] != 0);
    }
}

START_TEST(test_random_programs_are_told_as_if_they_were_sorted)
{
    static struct part part[PARTS];

    for (uint32_t i = 0; i < 200; i++) {
        struct heard sorted, live;
        struct hand_trace t;

        seed = i;
        draw(&t, part);
        ck_assert_int_eq(tell(&t, &sorted, false), PRVCUT_OK);
        ck_assert_int_eq(tell(&t, &live, true), PRVCUT_OK);
        for (int k = 0; k <= THREADS; k++)
            is_same(i, sorted.text[k], live.text[k]);
        forget(&sorted);
        forget(&live);
    }
}
END_TEST

/* --- What cannot be told so ------------------------------------------------------------------- */

static void is_given_up(struct part *part)
{
    struct hand_trace t = hand(&hand_reader, part, 1);
    struct heard h;

    ck_assert_int_eq(tell(&t, &h, true), PRVCUT_NONE);
    forget(&h);
    ck_assert_int_eq(tell(&t, &h, false), PRVCUT_OK);
    forget(&h);
}

START_TEST(test_events_out_of_order_are_given_up)
{
    static struct part part[1];

    part->event[part->events++] =
        (struct prvcut_event)EVENT(20, 1, PRVCUT_TYPE_MPI_P2P, RECV, PRVCUT_ROLE_P2P);
    part->event[part->events++] =
        (struct prvcut_event)EVENT(10, 1, PRVCUT_TYPE_MPI_P2P, 0, PRVCUT_ROLE_P2P);
    is_given_up(part);
}
END_TEST

START_TEST(test_calls_that_only_end_are_given_up)
{
    static struct part part[1];

    part->event[part->events++] =
        (struct prvcut_event)EVENT(20, 1, PRVCUT_TYPE_MPI_P2P, 0, PRVCUT_ROLE_P2P);
    is_given_up(part);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("told_live");
    TCase *c = tcase_create("by hand");

    tcase_set_timeout(c, 0);
    tcase_add_test(c, test_random_programs_are_told_as_if_they_were_sorted);
    tcase_add_test(c, test_events_out_of_order_are_given_up);
    tcase_add_test(c, test_calls_that_only_end_are_given_up);
    suite_add_tcase(s, c);
    return run_suite(s);
}
