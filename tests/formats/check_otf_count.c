#include "otf/cut.h"
#include "otf/walk.h"

#include "otf_archive.h"
#include "runner.h"

/*
 * Random streams are written from a list of what happens; what is counted in a window, and which of
 * it stays, is compared with what the list says.
 */

#define PROCESSES 3u
#define RECORDS   40u

#define DEFINITIONS                                                                                \
    "DV1.c.5\"salmon\"\nDTR3b9aca00\nDP1NM\"rank 0\"\nDP2NM\"rank 1\"\nDP3NM\"rank 2\"\n"          \
    "DFG1NM\"MPI\"\nDF1G1NM\"MPI_Send\"\nDPG1M1,2,3,NM\"MPI_COMM_WORLD\"\n"                        \
    "DCO1NM\"MPI_Allreduce\"Y4\n"

enum what { SEND, RECEIVE, COLLECTIVE, NOTHING };

/* One record of a process; a collective has an end. */
struct event {
    enum what what;
    uint32_t peer, tag;
    uint64_t time, end;
    bool filled; /* there is a lot of other text in the collective */
};

static struct event event[PROCESSES][RECORDS];
static struct archive a;
static struct prvcut_cut_options options;
static struct prvcut_cut_summary sum;
static struct otf_span span[PROCESSES];
static struct otf_first *first[PROCESSES];
static struct otf_cutter cutter;
static struct otf_trace *trace;
static const struct prvcut_run run = { .threads = 2 };

static void setup(void)
{
    archive_make(&a);
    archive_text(&a, "a.otf", "1:1\n2:2\n3:3\n");
    archive_text(&a, "a.0.def", DEFINITIONS);
    trace = NULL;
}

static void teardown(void)
{
    if (trace) {
        prvcut_table_fini(&cutter.channels);
        pthread_mutex_destroy(&cutter.lock);
        otf_close(&trace->base);
    }
    archive_remove(&a);
}

/* At the same times on all processes; the last ones are collectives behind all windows. */
static void draw_events(void)
{
    for (uint32_t p = 0; p < PROCESSES; p++)
        for (unsigned k = 0; k < RECORDS; k++)
            event[p][k] = (struct event){ .what = (enum what)(rand() % 3),
                                          .peer = (p + 1 + (uint32_t)rand() % 2) % PROCESSES,
                                          .tag = (uint32_t)rand() % 2,
                                          .time = 100 * k + 100,
                                          .end = 100 * k + 150 };
    for (uint32_t p = 0; p < PROCESSES; p++)
        event[p][RECORDS - 1].what = COLLECTIVE;
}

/* So much text that the scan leaves marks in it. */
static void write_filler(FILE *f, uint64_t time, uint32_t process)
{
    fprintf(f, "%" PRIx64 "\n*%x\n", time, process + 1);
    for (uint64_t n = 0; n < OTF_MARK_BYTES + OTF_MARK_BYTES / 2; n += 6)
        fputs("E1\nL1\n", f);
}

static void write_event(FILE *f, uint32_t process, const struct event *e)
{
    fprintf(f, "%" PRIx64 "\n*%x\n", e->time, process + 1);
    if (e->what == COLLECTIVE) {
        fprintf(f, "COPB1H1C1RT0S8R8\n");
        if (e->filled)
            write_filler(f, e->time + 10, process);
        fprintf(f, "%" PRIx64 "\n*%x\nCOPE1\n", e->end, process + 1);
    } else if (e->what != NOTHING) {
        fprintf(f, "%c%xL10T%xC1\n", e->what == SEND ? 'S' : 'R', e->peer + 1, e->tag);
    }
}

static void write_streams(void)
{
    for (uint32_t p = 0; p < PROCESSES; p++) {
        char name[32], *text;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        fprintf(f, "1\n*%x\nPB\n", p + 1);
        for (unsigned k = 0; k < RECORDS; k++)
            write_event(f, p, &event[p][k]);
        fprintf(f, "%x\n*%x\nPE\n", 100 * (RECORDS + 2), p + 1);
        ck_assert_int_eq(fclose(f), 0);
        snprintf(name, sizeof name, "a.%x.events", p + 1);
        archive_put(&a, name, text, size);
        free(text);
    }
}

static void open_cutter(bool scanned)
{
    const struct prvcut_consumer nothing = { .roles = 0 };
    struct prvcut_error err = { 0 };

    write_streams();
    trace = (struct otf_trace *)open_otf(a.path, NULL, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    if (scanned)
        ck_assert_int_eq(otf_scan(&trace->base, &run, &nothing, NULL, &err), PRVCUT_OK);
    ck_assert_int_eq(trace->stream[0].counted, scanned);
    options = (struct prvcut_cut_options){ 0 };
    memset(&sum, 0, sizeof sum);
    cutter = (struct otf_cutter){ .trace = trace,
                                  .run = &run,
                                  .options = &options,
                                  .sum = &sum,
                                  .span = span,
                                  .first = first,
                                  .channels = OTF_CHANNELS,
                                  .workers = 2 };
    pthread_mutex_init(&cutter.lock, NULL);
}

/* Windows of whole hundreds and a bit: between records, or within a collective. */
static void draw_window(bool straight)
{
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const uint64_t from = 20 * ((uint64_t)rand() % 120), length = (uint64_t)rand() % 1500;

        span[p] = straight && p > 0 ? span[0]
                                    : (struct otf_span){ .from = from, .to = from + length + 1 };
    }
    cutter.straight = straight;
}

static void count(void)
{
    struct prvcut_error err = { 0 };

    ck_assert_msg(otf_cut_count(&cutter, 1, &err) == PRVCUT_OK, "%s", err.text);
}

static bool is_inside(uint32_t process, uint64_t time)
{
    return time >= span[process].from && time < span[process].to;
}

/*
 * Does an event take part inside? What a border cuts through does where that border is the same for
 * all.
 */
static bool takes_part(uint32_t process, const struct event *e)
{
    /* What is received at the very end is inside. */
    if (e->what != COLLECTIVE)
        return is_inside(process, e->time) || (e->what == RECEIVE && e->time == span[process].to &&
                                               span[process].from < span[process].to);
    if (cutter.straight)
        return e->end >= span[process].from && e->time < span[process].to;
    return is_inside(process, e->time) && is_inside(process, e->end);
}

static bool same(const struct event *e, const struct event *like)
{
    return e->what == like->what &&
           (e->what == COLLECTIVE || (e->peer == like->peer && e->tag == like->tag));
}

/* How many like it the process has before it. */
static unsigned ordinal(uint32_t process, const struct event *e)
{
    unsigned n = 0;

    for (const struct event *x = event[process]; x < e; x++)
        n += same(x, e);
    return n;
}

/* The n-th of a process that is like it; NULL: there are not so many. */
static const struct event *find(uint32_t process, const struct event *like, unsigned n)
{
    for (unsigned k = 0; k < RECORDS; k++)
        if (same(&event[process][k], like) && n-- == 0)
            return &event[process][k];
    return NULL;
}

/* The other end of a message; NULL: it is not recorded. */
static const struct event *other_end(uint32_t process, const struct event *e)
{
    const struct event like = { .what = e->what == SEND ? RECEIVE : SEND,
                                .peer = process,
                                .tag = e->tag };

    return find(e->peer, &like, ordinal(process, e));
}

/* Has the other process ends like the message's behind its window? */
static bool has_behind(uint32_t process, const struct event *e)
{
    const struct event like = { .what = e->what == SEND ? RECEIVE : SEND,
                                .peer = process,
                                .tag = e->tag };
    bool behind = false;

    for (const struct event *x = event[e->peer]; x < event[e->peer] + RECORDS; x++)
        behind =
            behind || (same(x, &like) && x->time >= span[e->peer].to && !takes_part(e->peer, x));
    return behind;
}

/* Does a message's end stay? Where no more other ones were recorded, it does: the trace has none.
 */
static bool stays(uint32_t process, const struct event *e)
{
    const struct event *other = other_end(process, e);

    return other ? takes_part(e->peer, other) : !has_behind(process, e);
}

static struct otf_channel *channel_of(uint32_t process, const struct event *e)
{
    struct otf_channel key = { .from = process + 1, .comm = 1 };

    if (e->what != COLLECTIVE) {
        key.tag = e->tag;
        key.length = 16;
        key.from = (e->what == SEND ? process : e->peer) + 1;
        key.to = (e->what == SEND ? e->peer : process) + 1;
    }
    return otf_channel_find(&cutter.channels, &key);
}

static void expect_messages(void)
{
    uint64_t messages = 0, dropped = 0;

    for (uint32_t p = 0; p < PROCESSES; p++)
        for (unsigned k = 0; k < RECORDS; k++) {
            const struct event *e = &event[p][k];
            const struct otf_channel *c;
            unsigned n = ordinal(p, e);

            if (e->what == COLLECTIVE || !takes_part(p, e))
                continue;
            c = channel_of(p, e);
            ck_assert_ptr_nonnull(c);
            ck_assert_int_eq(prvcut_whole_has(&c->whole[e->what == RECEIVE], n), stays(p, e));
            dropped += !stays(p, e);
            /* A whole one has two ends; it is counted once. */
            messages += stays(p, e) && (e->what == SEND || !other_end(p, e));
        }
    ck_assert_uint_eq(sum.messages, messages);
    ck_assert_uint_eq(sum.dropped_messages, dropped);
    ck_assert_uint_eq(sum.kept_messages, 0);
}

/* The n-th collective: how many of the processes have it inside. */
static unsigned members(unsigned n)
{
    unsigned count = 0;

    for (uint32_t p = 0; p < PROCESSES; p++) {
        const struct event *e = find(p, &(struct event){ .what = COLLECTIVE }, n);

        count += e && takes_part(p, e);
    }
    return count;
}

static void expect_collectives(void)
{
    uint64_t split = 0;

    for (unsigned n = 0; n < RECORDS; n++)
        split += members(n) > 0 && members(n) < PROCESSES;
    ck_assert_uint_eq(sum.split_collectives, split);
    for (uint32_t p = 0; p < PROCESSES; p++)
        for (unsigned k = 0; k < RECORDS; k++) {
            const struct event *e = &event[p][k];

            if (e->what == COLLECTIVE && takes_part(p, e))
                ck_assert_int_eq(otf_cut_keeps_collective(&cutter, p + 1, 1),
                                 members(ordinal(p, e)) == PROCESSES);
        }
}

/* Counted by the scan or here, in a window for all or in one of each. */
START_TEST(test_count_is_what_lies_in_the_windows)
{
    srand((unsigned)_i + 1);
    draw_events();
    open_cutter(_i % 2);
    draw_window(_i % 4 < 2);
    count();
    expect_messages();
    expect_collectives();
}
END_TEST

/* The counting begins at a mark, which lies in a collective. */
START_TEST(test_count_from_a_mark_is_that_from_the_begin)
{
    srand((unsigned)_i + 1);
    draw_events();
    event[0][5].what = COLLECTIVE;
    event[0][5].filled = true;
    open_cutter(true);
    ck_assert_uint_gt(trace->stream[0].marks, 0);
    draw_window(_i % 2);
    span[0].from = _i < 2 ? 640 : 1240;
    span[0].to = 3000;
    for (uint32_t p = 1; p < PROCESSES && cutter.straight; p++)
        span[p] = span[0];
    ck_assert_ptr_nonnull(otf_mark_before(&trace->stream[0], span[0].from));
    count();
    expect_messages();
    expect_collectives();
}
END_TEST

static void no_events(void)
{
    for (uint32_t p = 0; p < PROCESSES; p++)
        for (unsigned k = 0; k < RECORDS; k++)
            event[p][k] = (struct event){ .what = NOTHING, .time = 100 * k + 100 };
}

static void collective_at(uint32_t process, unsigned k)
{
    event[process][k] =
        (struct event){ .what = COLLECTIVE, .time = 100 * k + 100, .end = 100 * k + 150 };
}

/* All from `from` to `to`. */
static void straight_window(uint64_t from, uint64_t to)
{
    for (uint32_t p = 0; p < PROCESSES; p++)
        span[p] = (struct otf_span){ .from = from, .to = to };
    cutter.straight = true;
}

/* Whoever recorded fewer collectives than the others takes none away. */
START_TEST(test_count_collective_that_a_process_did_not_record)
{
    no_events();
    for (uint32_t p = 0; p < PROCESSES; p++)
        for (unsigned k = 0; k < (p > 0 ? 10 : 4); k++)
            collective_at(p, k);
    open_cutter(true);
    straight_window(350, 2000);
    count();
    ck_assert_uint_eq(sum.split_collectives, 0);
    for (unsigned k = 0; k < 7; k++)
        ck_assert(otf_cut_keeps_collective(&cutter, 2, 1));
}
END_TEST

/* Who is missing may yet come behind its window; that is looked for if the scan did not count. */
START_TEST(test_count_collective_that_a_process_has_behind_its_window)
{
    no_events();
    for (unsigned k = 0; k < 4; k++) {
        collective_at(0, 20 + k);
        collective_at(1, k);
        collective_at(2, k);
    }
    open_cutter(_i);
    straight_window(50, 1000);
    count();
    ck_assert_uint_eq(sum.split_collectives, 4);
    ck_assert(!otf_cut_keeps_collective(&cutter, 2, 1));
}
END_TEST

START_TEST(test_count_message_that_is_received_behind_the_window)
{
    no_events();
    event[1][5] = (struct event){ .what = SEND, .tag = 1, .time = 600 };
    event[0][30] = (struct event){ .what = RECEIVE, .peer = 1, .tag = 1, .time = 3100 };
    open_cutter(_i);
    straight_window(50, 1000);
    count();
    ck_assert_uint_eq(sum.dropped_messages, 1);
    ck_assert_uint_eq(channel_of(1, &event[1][5])->whole[0].high, 0);
}
END_TEST

/* Halves stay where all messages are wanted, and are counted. */
START_TEST(test_count_keeps_halves_where_all_messages_are_wanted)
{
    srand((unsigned)_i + 1);
    draw_events();
    open_cutter(true);
    draw_window(false);
    count();
    if (sum.dropped_messages > 0) {
        const struct prvcut_cut_summary dropped = sum;

        memset(&sum, 0, sizeof sum);
        options.keep_messages = true;
        count();
        ck_assert_uint_eq(sum.dropped_messages, 0);
        ck_assert_uint_eq(sum.kept_messages, dropped.dropped_messages);
        ck_assert_uint_eq(sum.messages, dropped.messages + dropped.dropped_messages);
    }
}
END_TEST

static Suite *count_suite(void)
{
    Suite *s = suite_create("otf_count");
    TCase *t = tcase_create("count");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_count_is_what_lies_in_the_windows, 0, 120);
    tcase_add_loop_test(t, test_count_from_a_mark_is_that_from_the_begin, 0, 4);
    tcase_add_test(t, test_count_collective_that_a_process_did_not_record);
    tcase_add_loop_test(t, test_count_collective_that_a_process_has_behind_its_window, 0, 2);
    tcase_add_loop_test(t, test_count_message_that_is_received_behind_the_window, 0, 2);
    tcase_add_loop_test(t, test_count_keeps_halves_where_all_messages_are_wanted, 0, 10);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(count_suite());
}
