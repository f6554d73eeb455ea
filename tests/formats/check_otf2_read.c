#include "otf2_made.h"

#include "model/formats.h"
#include "runner.h"

#include <stdarg.h>
#include <sys/stat.h>

/* What a scan delivered, one line of text a record, in the order of the input. */
struct text {
    char *at;
    size_t count, room;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
    char line[256];
    va_list args;
    size_t count;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    count = strlen(line);
    if (t->count + count + 1 > t->room) {
        t->room = 2 * t->room + 4096;
        t->at = realloc(t->at, t->room);
        ck_assert_ptr_nonnull(t->at);
    }
    memcpy(t->at + t->count, line, count + 1);
    t->count += count;
}

/* One kind of record a text, because the kinds of a batch are apart, and batches end anywhere. */
struct part {
    struct text states, events, halves;
};

/* All parts together, and what they have to lie in. */
struct reading {
    struct text all;
    uint64_t from, to;
    bool running_only;
};

static enum prvcut_status begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                struct prvcut_error *err)
{
    (void)ctx;
    (void)worker;
    (void)part;
    (void)err;
    *state = calloc(1, sizeof(struct part));
    return *state ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status batch(void *ctx, unsigned worker, void *state,
                                const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct reading *r = ctx;
    struct part *p = state;

    (void)worker;
    (void)err;
    for (size_t i = 0; i < b->states; i++)
        if (b->state[i].begin >= r->from && b->state[i].end < r->to)
            add(&p->states, "%u state %" PRIu64 " %" PRIu64 " %u%s\n", b->state[i].thread,
                b->state[i].begin, b->state[i].end, b->state[i].number,
                b->state[i].running ? " running" : "");
    for (size_t i = 0; i < b->events; i++)
        if (b->event[i].time >= r->from && b->event[i].time < r->to)
            add(&p->events, "%u event %" PRIu64 "%s %u:%" PRId64 "\n", b->event[i].thread,
                b->event[i].time, b->event[i].head ? "" : " +", b->event[i].type,
                b->event[i].value);
    for (size_t i = 0; i < b->halves; i++)
        if (b->half[i].time >= r->from && b->half[i].time < r->to)
            add(&p->halves, "%u %s %" PRIu64 " peer %u tag %" PRId64 " size %" PRIu64 " comm %u\n",
                b->half[i].thread, b->half[i].receive ? "receive" : "send", b->half[i].time,
                b->half[i].peer, b->half[i].tag, b->half[i].size, b->half[i].communicator);
    return PRVCUT_OK;
}

static void append(struct text *to, const struct text *from)
{
    if (to->room < to->count + from->count + 1) {
        to->room = 2 * (to->count + from->count) + 4096;
        to->at = realloc(to->at, to->room);
        ck_assert_ptr_nonnull(to->at);
    }
    memcpy(to->at + to->count, from->count > 0 ? from->at : "", from->count + 1);
    to->count += from->count;
}

static enum prvcut_status join(void *ctx, void *state, struct prvcut_error *err)
{
    struct reading *r = ctx;
    const struct part *p = state;

    (void)err;
    append(&r->all, &p->states);
    append(&r->all, &p->events);
    append(&r->all, &p->halves);
    return PRVCUT_OK;
}

static void discard(void *ctx, void *state)
{
    struct part *p = state;

    (void)ctx;
    free(p->states.at);
    free(p->events.at);
    free(p->halves.at);
    free(p);
}

static struct prvcut_consumer consumer_of(struct reading *r)
{
    return (struct prvcut_consumer){ .roles = UINT32_MAX,
                                     .states = true,
                                     .messages = true,
                                     .running_only = r->running_only,
                                     .ctx = r,
                                     .begin = begin,
                                     .batch = batch,
                                     .join = join,
                                     .discard = discard };
}

static enum prvcut_status open_made(const struct made *m, bool lenient, struct prvcut_trace **t,
                                    struct prvcut_error *err)
{
    const struct prvcut_open_options options = { .lenient = lenient, .raw_clocks = true };
    struct prvcut_source *source;

    ck_assert_int_eq(prvcut_source_open(&source, m->path, err), PRVCUT_OK);
    return prvcut_otf2_reader.open(t, source, &options, err);
}

static enum prvcut_status scan(struct prvcut_trace *t, struct reading *r, int threads,
                               struct prvcut_counts *counts, struct prvcut_error *err)
{
    const struct prvcut_run run = { .threads = threads };
    const struct prvcut_consumer consumer = consumer_of(r);

    return prvcut_otf2_reader.scan(t, &run, &consumer, counts, err);
}

/* Rank 0 sends, rank 1 receives through a wrapper; both reduce; times in ticks of 1 ns. */
static void write_events(OTF2_EvtWriter *w, uint32_t rank)
{
    const OTF2_Type type = OTF2_TYPE_UINT64;

    OTF2_EvtWriter_Enter(w, NULL, 1000, MADE_MAIN);
    if (rank == 0) {
        OTF2_EvtWriter_Metric(w, NULL, 1100, 0, 1, &type,
                              &(OTF2_MetricValue){ .unsigned_int = 500 });
        OTF2_EvtWriter_Enter(w, NULL, 1100, MADE_SEND);
        OTF2_EvtWriter_MpiSend(w, NULL, 1110, 1, 5, 7, 64);
        OTF2_EvtWriter_Metric(w, NULL, 1150, 0, 1, &type,
                              &(OTF2_MetricValue){ .unsigned_int = 530 });
        OTF2_EvtWriter_Leave(w, NULL, 1150, MADE_SEND);
        OTF2_EvtWriter_BufferFlush(w, NULL, 1160, 1190);
        OTF2_EvtWriter_Enter(w, NULL, 1195, MADE_BARRIER);
        OTF2_EvtWriter_Leave(w, NULL, 1199, MADE_BARRIER);
    } else {
        OTF2_EvtWriter_Enter(w, NULL, 1105, MADE_WRAPPER);
        OTF2_EvtWriter_Enter(w, NULL, 1106, MADE_RECV);
        OTF2_EvtWriter_MpiRecv(w, NULL, 1150, 0, 5, 7, 64);
        OTF2_EvtWriter_Leave(w, NULL, 1155, MADE_RECV);
        OTF2_EvtWriter_Leave(w, NULL, 1156, MADE_WRAPPER);
        OTF2_EvtWriter_MeasurementOnOff(w, NULL, 1160, OTF2_MEASUREMENT_OFF);
        OTF2_EvtWriter_MeasurementOnOff(w, NULL, 1170, OTF2_MEASUREMENT_ON);
        OTF2_EvtWriter_Enter(w, NULL, 1180, MADE_FOO);
        OTF2_EvtWriter_Leave(w, NULL, 1185, MADE_FOO);
    }
    OTF2_EvtWriter_Enter(w, NULL, 1200, MADE_ALLREDUCE);
    OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, 1200);
    OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, 1250, OTF2_COLLECTIVE_OP_ALLREDUCE, 5,
                                    OTF2_UNDEFINED_UINT32, 8, 16);
    OTF2_EvtWriter_Leave(w, NULL, 1250, MADE_ALLREDUCE);
    OTF2_EvtWriter_Leave(w, NULL, 1300, MADE_MAIN);
}

/* By hand from write_events and the table of calls. */
static const char golden[] = "0 state 0 100 1 running\n"
                             "0 state 100 150 4\n"
                             "0 state 150 160 1 running\n"
                             "0 state 160 190 15\n"
                             "0 state 190 195 1 running\n"
                             "0 state 195 199 5\n"
                             "0 state 199 200 1 running\n"
                             "0 state 200 250 13\n"
                             "0 state 250 300 1 running\n"
                             "0 event 0 60000019:1\n"
                             "0 event 100 50000001:1\n"
                             "0 event 100 + 42000059:500\n"
                             "0 event 150 50000001:0\n"
                             "0 event 150 + 42000059:30\n"
                             "0 event 160 40000003:1\n"
                             "0 event 190 40000003:0\n"
                             "0 event 195 60100003:1\n"
                             "0 event 199 60100003:0\n"
                             "0 event 200 50000002:10\n"
                             "0 event 200 + 50100001:8\n"
                             "0 event 200 + 50100002:16\n"
                             "0 event 200 + 50100004:1\n"
                             "0 event 250 50000002:0\n"
                             "0 event 300 60000019:0\n"
                             "0 send 110 peer 1 tag 7 size 64 comm 1\n"
                             "1 state 0 105 1 running\n"
                             "1 state 105 156 3\n"
                             "1 state 156 160 1 running\n"
                             "1 state 160 170 14\n"
                             "1 state 170 180 1 running\n"
                             "1 state 180 185 15\n"
                             "1 state 185 200 1 running\n"
                             "1 state 200 250 13\n"
                             "1 state 250 300 1 running\n"
                             "1 event 0 60000019:1\n"
                             "1 event 105 50000001:2\n"
                             "1 event 106 60000019:4\n"
                             "1 event 155 60000019:0\n"
                             "1 event 156 50000001:0\n"
                             "1 event 160 40000012:0\n"
                             "1 event 170 40000012:1\n"
                             "1 event 180 50000001:1001\n"
                             "1 event 185 50000001:0\n"
                             "1 event 200 50000002:10\n"
                             "1 event 200 + 50100001:8\n"
                             "1 event 200 + 50100002:16\n"
                             "1 event 200 + 50100004:1\n"
                             "1 event 250 50000002:0\n"
                             "1 event 300 60000019:0\n"
                             "1 receive 150 peer 0 tag 7 size 64 comm 1\n";

START_TEST(test_probe_otf2_knows_only_its_own)
{
    static const char anchor[] = "\003BOTF2\0\003\002", events[] = "\003B\001\0\0\0\0\0\0";

    ck_assert_int_gt(prvcut_otf2_reader.probe(anchor, sizeof anchor), 0);
    ck_assert_int_eq(prvcut_otf2_reader.probe(anchor, 5), 0);
    ck_assert_int_eq(prvcut_otf2_reader.probe(events, sizeof events), 0);
    ck_assert_int_eq(prvcut_otf2_reader.probe("#Paraver (1/1/11 at 1:1)", 24), 0);
}
END_TEST

START_TEST(test_open_otf2_orders_tasks_by_rank)
{
    struct prvcut_error err = { 0 };
    struct prvcut_dictionary names;
    struct prvcut_trace *t;
    struct made m;

    made_write(&m, write_events, false);
    ck_assert_int_eq(open_made(&m, false, &t, &err), PRVCUT_OK);
    ck_assert_uint_eq(t->objects.tasks, 2);
    ck_assert_uint_eq(t->objects.threads, 2);
    ck_assert_uint_eq(t->objects.nodes, 1);
    ck_assert_uint_eq(t->objects.communicators, 1);
    ck_assert_uint_eq(t->objects.communicator[0].count, 2);
    /* The definitions give 10 ticks. */
    ck_assert_uint_eq(t->end_ns, 300);
    ck_assert_int_eq(prvcut_otf2_reader.describe(t, &names, &err), PRVCUT_OK);
    ck_assert_str_eq(names.task[0], "rank 0");
    ck_assert_str_eq(names.thread[1], "rank 1");
    ck_assert_str_eq(
        prvcut_type_value(prvcut_dictionary_type(&names, PRVCUT_TYPE_MPI_P2P), 1001)->text,
        "MPI_Foo");
    prvcut_dictionary_fini(&names);
    prvcut_otf2_reader.close(t);
    made_remove(&m);
}
END_TEST

/* A file without a line is no place in a source; nor has one who stands in several. */
START_TEST(test_describe_otf2_tells_where_functions_begin)
{
    struct prvcut_error err = { 0 };
    struct prvcut_dictionary names;
    const struct prvcut_type_name *functions, *calls;
    struct prvcut_trace *t;
    unsigned init = 0;
    struct made m;

    made_write(&m, write_events, false);
    ck_assert_int_eq(open_made(&m, false, &t, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_otf2_reader.describe(t, &names, &err), PRVCUT_OK);
    functions = prvcut_dictionary_type(&names, PRVCUT_TYPE_USER_FUNCTION);
    calls = prvcut_dictionary_type(&names, PRVCUT_TYPE_MPI_P2P);
    for (size_t i = 0; i < functions->values; i++) {
        const struct prvcut_value_name *v = &functions->value[i];

        ck_assert(prvcut_value_has_source(v) == (strcmp(v->text, "main") == 0));
        init += strcmp(v->text, "init") == 0;
        if (prvcut_value_has_source(v))
            ck_assert_uint_eq(v->line, 5);
    }
    ck_assert_uint_eq(init, 1);
    for (size_t i = 0; i < calls->values; i++)
        ck_assert(!prvcut_value_has_source(&calls->value[i]));
    prvcut_dictionary_fini(&names);
    prvcut_otf2_reader.close(t);
    made_remove(&m);
}
END_TEST

/* _i: threads - 1 */
START_TEST(test_scan_otf2_delivers_every_record)
{
    struct reading r = { .to = UINT64_MAX };
    struct prvcut_error err = { 0 };
    struct prvcut_counts counts;
    struct prvcut_trace *t;
    struct made m;

    made_write(&m, write_events, false);
    ck_assert_int_eq(open_made(&m, false, &t, &err), PRVCUT_OK);
    ck_assert_int_eq(scan(t, &r, _i + 1, &counts, &err), PRVCUT_OK);
    ck_assert_str_eq(r.all.at, golden);
    ck_assert_uint_eq(counts.lines, 14 + 15);
    ck_assert_uint_eq(counts.messages, 1);
    ck_assert_uint_eq(counts.states, 9 + 9);
    ck_assert_uint_eq(counts.last_ns, 300);
    free(r.all.at);
    prvcut_otf2_reader.close(t);
    made_remove(&m);
}
END_TEST

/* Without roles and paradigms names tell the calls, and calls that nobody knows are of no kind. */
START_TEST(test_scan_otf2_plain_goes_by_names)
{
    struct reading r = { .to = UINT64_MAX, .running_only = true };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    struct made m;

    made_write(&m, write_events, true);
    ck_assert_int_eq(open_made(&m, false, &t, &err), PRVCUT_OK);
    ck_assert_int_eq(scan(t, &r, 1, NULL, &err), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(r.all.at, "0 event 100 50000001:1\n"));
    ck_assert_ptr_nonnull(strstr(r.all.at, "1 event 105 50000001:2\n"));
    ck_assert_ptr_nonnull(strstr(r.all.at, "1 event 180 50000003:1001\n"));
    ck_assert_ptr_nonnull(strstr(r.all.at, "0 state 0 100 1 running\n"));
    ck_assert_ptr_null(strstr(r.all.at, "state 100 150"));
    free(r.all.at);
    prvcut_otf2_reader.close(t);
    made_remove(&m);
}
END_TEST

#define MANY 100000u

/* Long enough for marks; calls and functions of different lengths. */
static void write_many(OTF2_EvtWriter *w, uint32_t rank)
{
    uint64_t time = 1000 + rank;

    OTF2_EvtWriter_Enter(w, NULL, time, MADE_MAIN);
    for (uint32_t i = 0; i < MANY; i++) {
        OTF2_EvtWriter_Enter(w, NULL, time += 3 + i % 7, i % 5 == 0 ? MADE_MAIN : MADE_SEND);
        if (i % 5 != 0)
            OTF2_EvtWriter_MpiSend(w, NULL, time + 1, 1 - rank, 5, i, i);
        OTF2_EvtWriter_Leave(w, NULL, time += 2 + i % 11, i % 5 == 0 ? MADE_MAIN : MADE_SEND);
    }
    OTF2_EvtWriter_Leave(w, NULL, time + 5, MADE_MAIN);
}

/* _i: which tenth of the run */
START_TEST(test_scan_otf2_window_is_the_part_of_the_whole)
{
    struct reading whole = { .to = UINT64_MAX }, part = { .to = UINT64_MAX };
    struct prvcut_error err = { 0 };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_consumer consumer;
    struct prvcut_trace *t;
    struct made m;

    made_write(&m, write_many, false);
    ck_assert_int_eq(open_made(&m, false, &t, &err), PRVCUT_OK);
    whole.from = part.from = t->end_ns / 10 * (uint64_t)_i;
    whole.to = part.to = whole.from + t->end_ns / 10;
    ck_assert_int_eq(scan(t, &whole, 2, NULL, &err), PRVCUT_OK);
    consumer = consumer_of(&part);
    ck_assert_int_eq(prvcut_otf2_reader.scan_window(t, &run, part.from, part.to, &consumer, &err),
                     PRVCUT_OK);
    ck_assert_uint_gt(whole.all.count, 1000);
    ck_assert_uint_eq(part.all.count, whole.all.count);
    ck_assert(strcmp(part.all.at, whole.all.at) == 0);
    free(whole.all.at);
    free(part.all.at);
    prvcut_otf2_reader.close(t);
    made_remove(&m);
}
END_TEST

static off_t size_of(const struct made *m, const char *name, char *path, size_t room)
{
    struct stat s;

    snprintf(path, room, "%s/%s", m->folder, name);
    ck_assert_int_eq(stat(path, &s), 0);
    return s.st_size;
}

/* Open and scan; the trace is closed. */
static enum prvcut_status read_all(const struct made *m, bool lenient, struct prvcut_counts *counts,
                                   struct prvcut_error *err)
{
    struct reading r = { .to = UINT64_MAX };
    struct prvcut_trace *t;
    enum prvcut_status st = open_made(m, lenient, &t, err);

    if (st < 0)
        return st;
    st = scan(t, &r, 2, counts, err);
    free(r.all.at);
    prvcut_otf2_reader.close(t);
    return st;
}

static const char *const files[] = { "a.otf2", "a.def", "a/0.evt", "a/1.evt" };

/* Cut anywhere: an end or a named fault. Only the bytes behind the last record may be missing. */
START_TEST(test_read_otf2_truncated_says_which_file)
{
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct made m;
        char path[256];
        off_t size;

        made_write(&m, write_events, false);
        size = size_of(&m, files[f], path, sizeof path);
        for (off_t cut = size - 1; cut >= 0; cut--) {
            struct prvcut_error err = { 0 };
            enum prvcut_status st;

            ck_assert_int_eq(truncate(path, cut), 0);
            if (f == 0 && cut < 6)
                break;
            st = read_all(&m, false, NULL, &err);
            ck_assert_msg(st == PRVCUT_EFORMAT || (st == PRVCUT_OK && cut > size - 24),
                          "%s cut at %ld: %d %s", files[f], (long)cut, st, err.text);
            if (st < 0)
                ck_assert_ptr_nonnull(strstr(err.text, m.folder));
        }
        made_remove(&m);
    }
}
END_TEST

START_TEST(test_read_otf2_missing_file_is_named_or_left_out)
{
    struct prvcut_error err = { 0 };
    struct prvcut_counts counts;
    struct made m;
    char path[256];

    made_write(&m, write_events, false);
    size_of(&m, "a/1.evt", path, sizeof path);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(read_all(&m, false, NULL, &err), PRVCUT_EFORMAT);
    ck_assert_ptr_nonnull(strstr(err.text, "1.evt"));
    ck_assert_ptr_nonnull(strstr(err.text, "rank 1"));
    err = (struct prvcut_error){ 0 };
    ck_assert_int_eq(read_all(&m, true, &counts, &err), PRVCUT_OK);
    ck_assert_uint_eq(counts.skipped, 1);
    ck_assert_uint_eq(counts.lines, 14);
    made_remove(&m);
}
END_TEST

START_TEST(test_open_otf2_needs_its_name)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    struct made m;
    char moved[300];

    made_write(&m, write_events, false);
    snprintf(moved, sizeof moved, "%s.moved", m.path);
    ck_assert_int_eq(rename(m.path, moved), 0);
    memcpy(m.path, moved, strlen(moved) + 1 < sizeof m.path ? strlen(moved) + 1 : sizeof m.path);
    ck_assert_int_eq(open_made(&m, false, &t, &err), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "NAME.otf2"));
    made_remove(&m);
}
END_TEST

/* A leave that nothing entered, a region never left, a time going back, an undefined region. */
static void write_wrong(OTF2_EvtWriter *w, uint32_t rank)
{
    OTF2_EvtWriter_Leave(w, NULL, 1000, MADE_SEND);
    OTF2_EvtWriter_Enter(w, NULL, 1010, MADE_MAIN);
    if (rank == 0) {
        OTF2_EvtWriter_Enter(w, NULL, 1020, 77);
        OTF2_EvtWriter_Leave(w, NULL, 1030, 77);
        OTF2_EvtWriter_MpiSend(w, NULL, 1040, 1, 5, 1, 1);
        OTF2_EvtWriter_MpiSend(w, NULL, 1050, 9, 5, 1, 1);
    }
}

static uint64_t found(const struct prvcut_findings *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->at[i].name, name) == 0)
            return f->at[i].count;
    return 0;
}

static void check(const struct made *m, struct prvcut_findings *f)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *source;

    *f = (struct prvcut_findings){ 0 };
    ck_assert_int_eq(prvcut_source_open(&source, m->path, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_otf2_reader.check(f, source, NULL, NULL, &err) == PRVCUT_OK, "%s",
                  err.text);
}

START_TEST(test_check_otf2_finds_what_is_wrong)
{
    struct prvcut_findings f;
    struct made m;

    made_write(&m, write_wrong, false);
    check(&m, &f);
    ck_assert(f.damaged);
    ck_assert_uint_eq(found(&f, "region-not-open"), 2);
    ck_assert_uint_eq(found(&f, "region-unfinished"), 2);
    ck_assert_uint_eq(found(&f, "region-undefined"), 1);
    ck_assert_uint_eq(found(&f, "send-unmatched"), 1);
    ck_assert_uint_eq(found(&f, "rank"), 1);
    ck_assert_uint_eq(found(&f, "clock-length"), 1);
    free(f.at);
    made_remove(&m);
}
END_TEST

START_TEST(test_check_otf2_sound_archive_is_not_damaged)
{
    struct prvcut_findings f;
    struct made m;

    made_write(&m, write_events, false);
    check(&m, &f);
    ck_assert(!f.damaged);
    ck_assert_uint_eq(f.lines, 29);
    ck_assert_uint_eq(found(&f, "send-unmatched"), 0);
    free(f.at);
    made_remove(&m);
}
END_TEST

static Suite *otf2_read_suite(void)
{
    Suite *s = suite_create("otf2_read");
    TCase *c = tcase_create("all");

    tcase_set_timeout(c, 120);
    tcase_add_test(c, test_probe_otf2_knows_only_its_own);
    tcase_add_test(c, test_open_otf2_orders_tasks_by_rank);
    tcase_add_test(c, test_describe_otf2_tells_where_functions_begin);
    tcase_add_loop_test(c, test_scan_otf2_delivers_every_record, 0, 2);
    tcase_add_test(c, test_scan_otf2_plain_goes_by_names);
    tcase_add_loop_test(c, test_scan_otf2_window_is_the_part_of_the_whole, 0, 10);
    tcase_add_test(c, test_read_otf2_truncated_says_which_file);
    tcase_add_test(c, test_read_otf2_missing_file_is_named_or_left_out);
    tcase_add_test(c, test_open_otf2_needs_its_name);
    tcase_add_test(c, test_check_otf2_finds_what_is_wrong);
    tcase_add_test(c, test_check_otf2_sound_archive_is_not_damaged);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(otf2_read_suite());
}
