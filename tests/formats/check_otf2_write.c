#include "model/texts.h"
#include "write_items.h"

#include "runner.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

/* What reading a trace delivers, one line of text a record. */
struct reading {
    char **line;
    size_t count, room;
};

static void note(struct reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct reading *r, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (r->count == r->room) {
        r->room = r->room == 0 ? 64 : 2 * r->room;
        r->line = realloc(r->line, r->room * sizeof *r->line);
        ck_assert_ptr_nonnull(r->line);
    }
    r->line[r->count++] = strdup(text);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void reading_fini(struct reading *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->line[i]);
    free(r->line);
}

/* The pairs of an event line come in one note, so that lines are compared, too. */
static void note_event(struct reading *r, uint32_t thread, uint64_t time, bool head, uint32_t role,
                       uint32_t type, int64_t value)
{
    char pair[80], *longer;

    snprintf(pair, sizeof pair, " %" PRIu32 ":%" PRId64 "(%u)", type, value, role);
    if (head || r->count == 0) {
        note(r, "event %u %" PRIu64 "%s", thread, time, pair);
        return;
    }
    longer = malloc(strlen(r->line[r->count - 1]) + sizeof pair);
    ck_assert_ptr_nonnull(longer);
    strcpy(longer, r->line[r->count - 1]);
    strcat(longer, pair);
    free(r->line[r->count - 1]);
    r->line[r->count - 1] = longer;
}

static void note_half(struct reading *r, bool receive, uint32_t thread, uint32_t peer,
                      const uint64_t number[3], int64_t tag)
{
    note(r, "%s %u %u at %" PRIu64 ", %" PRIu64 ": %" PRIu64 " bytes, tag %" PRId64,
         receive ? "receive" : "send", thread, peer, number[0], number[1], number[2], tag);
}

static void note_items(struct reading *r)
{
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < WRITE_ITEMS; i++) {
            const struct prvcut_item *it = &write_items[i];

            if ((it->kind == PRVCUT_ITEM_EVENT) != (pass == 1))
                continue;
            if (it->kind == PRVCUT_ITEM_EVENT)
                note_event(r, it->thread, it->time, it->head, it->role, it->event.type,
                           it->event.value);
            else if (it->kind == PRVCUT_ITEM_STATE)
                note(r, "state %u %u %" PRIu64 "-%" PRIu64, it->thread, it->state.number, it->time,
                     it->state.end);
            else
                note_half(r, it->kind == PRVCUT_ITEM_RECEIVE, it->thread, it->half.peer,
                          (const uint64_t[]){ it->time, it->half.other, it->half.size },
                          it->half.tag);
        }
    }
}

static enum prvcut_status take_batch(void *ctx, unsigned worker, void *state,
                                     const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct reading *r = ctx;

    (void)worker, (void)state, (void)err;
    for (size_t i = 0; i < b->states; i++)
        note(r, "state %u %u %" PRIu64 "-%" PRIu64, b->state[i].thread, b->state[i].number,
             b->state[i].begin, b->state[i].end);
    for (size_t i = 0; i < b->halves; i++) {
        const struct prvcut_half *h = &b->half[i];

        note_half(r, h->receive, h->thread, h->peer,
                  (const uint64_t[]){ h->time, h->other, h->size }, h->tag);
    }
    for (size_t i = 0; i < b->events; i++) {
        const struct prvcut_event *e = &b->event[i];

        note_event(r, e->thread, e->time, e->head, e->role, e->type, e->value);
    }
    return PRVCUT_OK;
}

static struct prvcut_trace *open_trace(const char *path)
{
    const struct prvcut_open_options options = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_source *source;
    struct prvcut_trace *t = NULL;

    ck_assert_msg(prvcut_source_open(&source, path, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_otf2_reader.open(&t, source, &options, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

static void read_trace(struct prvcut_trace *t, struct reading *r)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_consumer consumer = {
        .roles = UINT32_MAX, .states = true, .messages = true, .ctx = r, .batch = take_batch
    };
    struct prvcut_error err = { 0 };

    ck_assert_msg(t->reader->scan(t, &run, &consumer, NULL, &err) == PRVCUT_OK, "%s", err.text);
}

START_TEST(test_read_own_archive_gives_what_was_written)
{
    struct made_convert_summary sum;
    struct reading wrote = { 0 }, got = { 0 };
    struct prvcut_trace *t;

    write_small(&prvcut_otf2_writer, "x.otf2", (size_t)_i, &sum);
    t = open_trace("x.otf2");
    ck_assert_uint_eq(t->end_ns, write_outline.end_ns);
    note_items(&wrote);
    read_trace(t, &got);
    qsort(wrote.line, wrote.count, sizeof *wrote.line, compare);
    qsort(got.line, got.count, sizeof *got.line, compare);
    for (size_t i = 0; i < wrote.count && i < got.count; i++)
        ck_assert_str_eq(got.line[i], wrote.line[i]);
    ck_assert_uint_eq(got.count, wrote.count);
    t->reader->close(t);
    reading_fini(&wrote);
    reading_fini(&got);
}
END_TEST

/* Events of all locations, as the format's own tool counts them. */
static uint64_t events_printed(void)
{
    char *text = write_output("otf2-print x.otf2 | grep -cE '^[A-Z0-9_]+ +[0-9]+ +[0-9]+ '");
    const uint64_t count = strtoull(text, NULL, 10);

    free(text);
    return count;
}

static void check_own(struct prvcut_findings *f)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *source;

    *f = (struct prvcut_findings){ 0 };
    ck_assert_int_eq(prvcut_source_open(&source, "x.otf2", &err), PRVCUT_OK);
    ck_assert_msg(prvcut_otf2_reader.check(f, source, NULL, NULL, &err) == PRVCUT_OK, "%s",
                  err.text);
}

/* States are metrics in the archive: they count as states, and each record as one. */
START_TEST(test_check_own_archive_counts_its_records)
{
    const struct prvcut_run run = { .threads = _i };
    const struct prvcut_consumer nobody = { .roles = UINT32_MAX };
    struct prvcut_error err = { 0 };
    struct made_convert_summary sum;
    struct prvcut_counts counts;
    struct prvcut_findings f;
    struct prvcut_trace *t;
    uint64_t states = 0;

    write_small(&prvcut_otf2_writer, "x.otf2", 1000, &sum);
    for (size_t i = 0; i < WRITE_ITEMS; i++)
        states += write_items[i].kind == PRVCUT_ITEM_STATE;
    t = open_trace("x.otf2");
    ck_assert_int_eq(t->reader->scan(t, &run, &nobody, &counts, &err), PRVCUT_OK);
    t->reader->close(t);
    ck_assert_uint_gt(counts.lines, 0);
    ck_assert_uint_eq(counts.lines, events_printed());
    ck_assert_uint_eq(counts.states, states);
    check_own(&f);
    ck_assert_uint_eq(f.lines, counts.lines);
    ck_assert_uint_eq(f.states, states);
    ck_assert(!f.damaged);
    free(f.at);
}
END_TEST

/* A location's file that is cut short or missing is told, and what can be read is counted. */
START_TEST(test_check_own_archive_damaged_counts_the_rest)
{
    struct made_convert_summary sum;
    struct prvcut_findings f;
    uint64_t lines;

    write_small(&prvcut_otf2_writer, "x.otf2", 1000, &sum);
    check_own(&f);
    lines = f.lines;
    free(f.at);
    ck_assert_int_eq(_i == 0 ? remove("x/1.evt") : truncate("x/1.evt", 8 * (off_t)_i), 0);
    check_own(&f);
    ck_assert(f.damaged);
    ck_assert_str_eq(f.at[0].name, _i == 0 ? "file-missing" : "file-damaged");
    ck_assert_uint_gt(f.lines, 0);
    ck_assert_uint_lt(f.lines, lines);
    free(f.at);
}
END_TEST

START_TEST(test_describe_own_archive_keeps_all_names)
{
    struct made_convert_summary sum;
    struct prvcut_error err = { 0 };
    struct prvcut_dictionary d;
    struct prvcut_trace *t;

    write_small(&prvcut_otf2_writer, "x.otf2", 1000, &sum);
    t = open_trace("x.otf2");
    ck_assert_msg(t->reader->describe(t, &d, &err) == PRVCUT_OK, "%s", err.text);
    /* One type, 1001, was seen without a name. */
    ck_assert_uint_eq(d.types, write_dictionary.types + 1);
    for (size_t i = 0; i < write_dictionary.types; i++) {
        const struct prvcut_type_name *is, *was = &write_type[i];

        is = prvcut_dictionary_type(&d, was->number);
        ck_assert_ptr_nonnull(is);
        ck_assert_str_eq(is->text, was->text);
        ck_assert_str_eq(is->group, was->group ? was->group : "");
        ck_assert_str_eq(is->unit, was->unit ? was->unit : "");
        ck_assert_int_eq(is->role, was->role);
        ck_assert_int_eq(is->region, was->region);
        ck_assert_int_eq(is->gauge, was->gauge);
        ck_assert_uint_eq(is->values, was->values);
        for (size_t k = 0; k < was->values; k++) {
            ck_assert_int_eq(is->value[k].value, was->value[k].value);
            ck_assert_str_eq(is->value[k].text, was->value[k].text);
        }
    }
    ck_assert_uint_eq(d.states, 3);
    ck_assert_int_eq(d.state[0].colour, 0x0000ff);
    ck_assert_int_eq(d.state[2].colour, -1);
    ck_assert_str_eq(d.state[1].text, "Waiting a message");
    ck_assert_str_eq(d.node[1], "south");
    ck_assert_ptr_null(d.thread);
    ck_assert_uint_eq(t->objects.nodes, 2);
    ck_assert_uint_eq(t->objects.node_cpus[1], 4);
    ck_assert_uint_eq(t->objects.task_node[1], 1);
    ck_assert_uint_eq(t->objects.communicators, 2);
    ck_assert_uint_eq(t->objects.communicator[1].id, 3);
    ck_assert_uint_eq(t->objects.communicator[1].count, 1);
    prvcut_dictionary_fini(&d);
    t->reader->close(t);
}
END_TEST

/* The events of the first thread, as the format's own tool shows them. */
static const char *const golden[] = {
#include "otf2_write_golden.inc"
};

START_TEST(test_write_small_archive_prints_as_expected)
{
    struct made_convert_summary sum;
    char *text, *events;

    write_small(&prvcut_otf2_writer, "x.otf2", 1000, &sum);
    text = write_output("otf2-print -L 0 x.otf2");
    events = strstr(text, "\nMETRIC");
    ck_assert_ptr_nonnull(events);
    events = strtok(events, "\n");
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++, events = strtok(NULL, "\n")) {
        ck_assert_ptr_nonnull(events);
        ck_assert_str_eq(events, golden[i]);
    }
    ck_assert_ptr_null(events);
    free(text);
}
END_TEST

START_TEST(test_write_definitions_names_regions_and_roles)
{
    static const char *const wanted[] = {
        "Name: \"MPI_Allreduce\"",
        "Descr.: \"Paraver 50000002:10\"",
        "Role: COLL_ALL2ALL, Paradigm: \"MPI\"",
        "Role: POINT2POINT, Paradigm: \"MPI\"",
        "\"omp $ at \"x.c\"\"",
        "Paradigm: OPENMP",
        "Name: \"PAPI_TOT_INS\"",
        "Type: PAPI, Mode: ACCUMULATED_START, Value Type: UINT64",
        "Name: \"MPI_COMM_WORLD\"",
        "Name: \"south\"",
        "Name: \"MPI Rank 1\"",
        "Ticks per Seconds: 1000000000, Global Offset: 0, Length: 9000",
    };
    struct made_convert_summary sum;
    char *text;

    write_small(&prvcut_otf2_writer, "x.otf2", 1000, &sum);
    text = write_output("otf2-print -G x.otf2");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(text, wanted[i]) != NULL, "%s is missing in\n%s", wanted[i], text);
    free(text);
}
END_TEST

/* Values that replace each other for ever must not nest for ever. */
START_TEST(test_write_values_without_end_nests_no_deeper)
{
    enum { COUNT = 20000 };
    struct prvcut_item *item = calloc(COUNT, sizeof *item);
    struct made_convert_summary sum;
    struct prvcut_error err;
    struct prvcut_trace *t;
    struct reading got = { 0 };

    ck_assert_ptr_nonnull(item);
    for (unsigned i = 0; i < COUNT; i++)
        item[i] = (struct prvcut_item)ITEM_EVENT(i, 0, PRVCUT_ROLE_REGION, true, 60000019, i + 1);
    ck_assert_msg(item_write(&prvcut_otf2_writer, "x.otf2", &write_outline, item, COUNT, 512, &sum,
                             &err) == PRVCUT_OK,
                  "%s", err.text);
    prvcut_texts_free(sum.is.file, sum.is.files);
    prvcut_texts_free(sum.is.note, sum.is.notes);
    t = open_trace("x.otf2");
    read_trace(t, &got);
    ck_assert_uint_eq(got.count, COUNT);
    ck_assert_str_eq(got.line[COUNT - 1], "event 0 19999 60000019:20000(6)");
    t->reader->close(t);
    reading_fini(&got);
    free(item);
}
END_TEST

START_TEST(test_write_many_locations_needs_few_handles)
{
    enum { TASKS = 300 };
    const struct rlimit few = { 30, 30 };
    struct write_many many;
    struct prvcut_item *item = calloc(2 * TASKS, sizeof *item);
    struct made_convert_summary sum;
    struct prvcut_error err;
    struct prvcut_trace *t;
    struct reading got = { 0 };
    struct rusage before, after;

    write_many_init(&many, TASKS);
    for (uint32_t i = 0; i < TASKS; i++) {
        item[2 * i] = (struct prvcut_item)ITEM_EVENT(i, i, PRVCUT_ROLE_P2P, true, 50000001, 1);
        item[2 * i + 1] =
            (struct prvcut_item)ITEM_EVENT(i + 5, i, PRVCUT_ROLE_P2P, true, 50000001, 0);
    }
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    getrusage(RUSAGE_SELF, &before);
    ck_assert_msg(item_write(&prvcut_otf2_writer, "x.otf2", &many.outline, item, 2 * TASKS, 1000,
                             &sum, &err) == PRVCUT_OK,
                  "%s", err.text);
    getrusage(RUSAGE_SELF, &after);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was released for a while */
    /* KiB: 4 a location and something for the library. */
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 4 * TASKS + 16384);
#endif
    prvcut_texts_free(sum.is.file, sum.is.files);
    prvcut_texts_free(sum.is.note, sum.is.notes);
    t = open_trace("x.otf2");
    read_trace(t, &got);
    ck_assert_uint_eq(got.count, 2 * TASKS);
    t->reader->close(t);
    reading_fini(&got);
    write_many_fini(&many);
    free(item);
}
END_TEST

START_TEST(test_write_failures_leave_nothing)
{
    const struct rlimit small = { 512, 512 };
    struct made_convert_summary sum;
    struct prvcut_error err;

    ck_assert_int_eq(
        item_write(&prvcut_otf2_writer, "x.otf", &write_outline, NULL, 0, 1, &sum, &err),
        PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "x.otf"));
    ck_assert_int_eq(
        item_write(&prvcut_otf2_writer, "no/x.otf2", &write_outline, NULL, 0, 1, &sum, &err),
        PRVCUT_EIO);
    ck_assert_uint_eq(write_entries(), 0);
    write_small(&prvcut_otf2_writer, "x.otf2", 10, &sum);
    ck_assert_uint_eq(write_entries(), 3);
    ck_assert_int_eq(item_write(&prvcut_otf2_writer, "x.otf2", &write_outline, write_items,
                                WRITE_ITEMS, 10, &sum, &err),
                     PRVCUT_EEXIST);
    ck_assert_uint_eq(write_entries(), 3);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    ck_assert_int_eq(item_write(&prvcut_otf2_writer, "y.otf2", &write_outline, write_items,
                                WRITE_ITEMS, 10, &sum, &err),
                     PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "y.otf2"));
    ck_assert_uint_eq(write_entries(), 3);
}
END_TEST

START_TEST(test_abandon_leaves_nothing)
{
    const struct prvcut_convert_options options = { .path = "x.otf2" };
    struct made_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_writing *w = NULL;

    ck_assert_int_eq(prvcut_otf2_writer.open(&w, "x.otf2", &write_outline, &options, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(prvcut_otf2_writer.put(w, write_items, WRITE_ITEMS, &sum, &err), PRVCUT_OK);
    prvcut_otf2_writer.abandon(w);
    ck_assert_uint_eq(write_entries(), 0);
}
END_TEST

static Suite *otf2_write_suite(void)
{
    Suite *suite = suite_create("otf2_write");
    TCase *tests = tcase_create("write");

    scratch_fixtures(tests);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_read_own_archive_gives_what_was_written, 1, 9);
    tcase_add_loop_test(tests, test_check_own_archive_counts_its_records, 1, 3);
    tcase_add_loop_test(tests, test_check_own_archive_damaged_counts_the_rest, 0, 8);
    tcase_add_test(tests, test_describe_own_archive_keeps_all_names);
    tcase_add_test(tests, test_write_small_archive_prints_as_expected);
    tcase_add_test(tests, test_write_definitions_names_regions_and_roles);
    tcase_add_test(tests, test_write_values_without_end_nests_no_deeper);
    tcase_add_test(tests, test_write_many_locations_needs_few_handles);
    tcase_add_test(tests, test_write_failures_leave_nothing);
    tcase_add_test(tests, test_abandon_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(otf2_write_suite());
}
