#include "items.h"

#include "runner.h"

#include <jansson.h>

/* Tracks of a small file. */
#define TRACKS 64
#define DEPTH  16

struct track {
    json_int_t pid, tid;
    const char *open[DEPTH];
    int depth;
};

/* What a file holds, checked event by event against what the format's description asks for. */
struct shown {
    json_t *root;
    struct track track[TRACKS];
    int tracks;
    int begun, ended, sent, received, counters, instants, facts;
    double last;
};

static struct track *track_of(struct shown *s, json_t *event)
{
    const json_int_t pid = json_integer_value(json_object_get(event, "pid"));
    const json_int_t tid = json_integer_value(json_object_get(event, "tid"));
    int i;

    ck_assert(json_is_integer(json_object_get(event, "pid")));
    ck_assert(json_is_integer(json_object_get(event, "tid")));
    for (i = 0; i < s->tracks; i++)
        if (s->track[i].tid == tid) {
            /* A track's number is its own in the whole file. */
            ck_assert_int_eq((int)s->track[i].pid, (int)pid);
            return &s->track[i];
        }
    ck_assert_int_lt(s->tracks, TRACKS);
    s->track[s->tracks].pid = pid;
    s->track[s->tracks].tid = tid;
    return &s->track[s->tracks++];
}

static const char *text_of(json_t *event, const char *key)
{
    ck_assert_msg(json_is_string(json_object_get(event, key)), "no %s", key);
    return json_string_value(json_object_get(event, key));
}

static void check_fact(struct shown *s, json_t *event)
{
    const char *name = text_of(event, "name");
    json_t *args = json_object_get(event, "args");

    s->facts++;
    if (strcmp(name, "process_name") == 0 || strcmp(name, "thread_name") == 0)
        ck_assert(json_is_string(json_object_get(args, "name")));
    else if (strcmp(name, "process_labels") == 0)
        ck_assert(json_is_string(json_object_get(args, "labels")));
    else
        ck_assert(json_is_integer(json_object_get(args, "sort_index")));
}

static void check_flow(struct shown *s, json_t *event, char kind)
{
    json_t *args = json_object_get(event, "args");

    ck_assert_str_eq(text_of(event, "name"), "message");
    ck_assert_str_eq(text_of(event, "cat"), "message");
    ck_assert(json_is_integer(json_object_get(args, "size")));
    ck_assert(json_is_integer(json_object_get(args, "tag")));
    ck_assert(json_is_integer(json_object_get(event, "id")));
    if (kind == 'f') {
        ck_assert_str_eq(text_of(event, "bp"), "e");
        /* In the file, too, a message is sent before it is received. */
        ck_assert_int_lt(s->received, s->sent);
        s->received++;
    } else {
        s->sent++;
    }
}

static void check_event(struct shown *s, json_t *event)
{
    const char kind = *text_of(event, "ph");
    const double time = json_number_value(json_object_get(event, "ts"));
    struct track *t;

    if (kind == 'M') {
        check_fact(s, event);
        return;
    }
    t = track_of(s, event);
    ck_assert(json_is_real(json_object_get(event, "ts")));
    ck_assert(time >= s->last);
    s->last = time;
    if (kind == 'B') {
        ck_assert_int_lt(t->depth, DEPTH);
        t->open[t->depth++] = text_of(event, "name");
        text_of(event, "cat");
        s->begun++;
    } else if (kind == 'E') {
        ck_assert_int_gt(t->depth, 0);
        t->depth--;
        s->ended++;
    } else if (kind == 's' || kind == 'f') {
        check_flow(s, event, kind);
    } else if (kind == 'C') {
        ck_assert(json_is_integer(json_object_get(json_object_get(event, "args"), "value")));
        s->counters++;
    } else {
        ck_assert_int_eq(kind, 'i');
        ck_assert_str_eq(text_of(event, "s"), "t");
        s->instants++;
    }
}

static struct shown show(const char *path, size_t items, size_t piece)
{
    struct prvcut_convert_summary sum;
    struct shown s = { 0 };
    json_error_t error;
    json_t *event;
    size_t i;
    char *text;

    items_write(&prvcut_perfetto_writer, path, items, piece, &sum);
    text = items_slurp(path);
    /* Strict: no duplicate keys, nothing behind it, valid UTF-8. */
    s.root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(s.root != NULL, "%d: %s", error.line, error.text);
    free(text);
    ck_assert_str_eq(text_of(s.root, "displayTimeUnit"), "ns");
    json_array_foreach(json_object_get(s.root, "traceEvents"), i, event) check_event(&s, event);
    for (int k = 0; k < s.tracks; k++)
        ck_assert_int_eq(s.track[k].depth, 0);
    ck_assert_int_eq(s.begun, s.ended);
    ck_assert_int_eq(s.sent, s.received);
    return s;
}

START_TEST(test_write_holds_what_is_documented)
{
    struct shown s = show("x.json", ITEMS, ITEMS);

    /* Five states, seven regions, one of them put back. */
    ck_assert_int_eq(s.begun, 5 + 7 + 1);
    ck_assert_int_eq(s.sent, 2);
    ck_assert_int_eq(s.counters, 1);
    ck_assert_int_eq(s.instants, 2);
    ck_assert_int_eq(s.facts, 2 * 2 + 3 * 4);
    json_decref(s.root);
}
END_TEST

START_TEST(test_write_without_records_is_sound)
{
    struct shown s = show("x.json", 0, 1);

    ck_assert_int_eq(s.begun, 0);
    ck_assert_int_gt(s.facts, 0);
    json_decref(s.root);
}
END_TEST

/* The first event of a name, and how many there are. */
static json_t *named(struct shown *s, const char *kind, const char *name, int *count)
{
    json_t *event, *found = NULL;
    size_t i;

    *count = 0;
    json_array_foreach(json_object_get(s->root, "traceEvents"), i, event)
    {
        json_t *its = json_object_get(event, "name");

        if (strcmp(json_string_value(json_object_get(event, "ph")), kind) != 0 || !its ||
            strcmp(json_string_value(its), name) != 0)
            continue;
        found = found ? found : event;
        ++*count;
    }
    return found;
}

START_TEST(test_write_keeps_names_whatever_they_hold)
{
    struct shown s = show("x.json", ITEMS, ITEMS);
    int count;

    ck_assert_ptr_nonnull(named(&s, "B", "solve \"fast\"\n", &count));
    ck_assert_ptr_nonnull(named(&s, "B", "caf\xc3\xa9 \\ \x01", &count));
    ck_assert_ptr_nonnull(named(&s, "B", "latin \xc3\xa9", &count));
    ck_assert_ptr_nonnull(named(&s, "B", "MPI Collective Comm 9", &count));
    ck_assert_ptr_nonnull(named(&s, "B", "Waiting a message", &count));
    ck_assert_int_eq(count, 2);
    ck_assert_ptr_nonnull(named(&s, "i", "type 1001", &count));
    json_decref(s.root);
}
END_TEST

START_TEST(test_write_tells_of_collectives_and_values)
{
    struct shown s = show("x.json", ITEMS, ITEMS);
    json_t *args;
    int count;

    args = json_object_get(named(&s, "B", "MPI_Barrier", &count), "args");
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq((int)json_integer_value(json_object_get(args, "bytes sent")), 16);
    ck_assert_int_eq((int)json_integer_value(json_object_get(args, "bytes received")), 32);
    ck_assert_int_eq((int)json_integer_value(json_object_get(args, "communicator")), 1);
    args = json_object_get(named(&s, "C", "PAPI_TOT_INS (first \"thread\")", &count), "args");
    ck_assert(json_integer_value(json_object_get(args, "value")) == INT64_MAX);
    args = json_object_get(named(&s, "i", "phase", &count), "args");
    ck_assert_str_eq(json_string_value(json_object_get(args, "text")), "five");
    json_decref(s.root);
}
END_TEST

/* Where the events of one track stand in the file: kind by kind. */
static void expect_track(struct shown *s, json_int_t tid, const char *kinds)
{
    json_t *event;
    size_t i;

    json_array_foreach(json_object_get(s->root, "traceEvents"), i, event)
    {
        const char *kind = json_string_value(json_object_get(event, "ph"));

        if (*kind == 'M' || json_integer_value(json_object_get(event, "tid")) != tid)
            continue;
        ck_assert_msg(*kinds == *kind, "%c instead of %c", *kind, *kinds);
        kinds++;
    }
    ck_assert_int_eq(*kinds, '\0');
}

/* A message is tied to the calls that send and receive it, also at their very borders. */
START_TEST(test_write_ties_messages_to_their_calls)
{
    struct shown s = show("x.json", ITEMS, ITEMS);

    expect_track(&s, 10, "BCBsEBBEEBEfE");
    expect_track(&s, 14, "BfEsBBEE");
    json_decref(s.root);
}
END_TEST

START_TEST(test_write_in_pieces_writes_the_same)
{
    struct prvcut_convert_summary sum;
    char *whole, *pieces;

    items_write(&prvcut_perfetto_writer, "a.json", ITEMS, ITEMS, &sum);
    items_write(&prvcut_perfetto_writer, "b.json", ITEMS, 1, &sum);
    items_write(&prvcut_perfetto_writer, "c.json.gz", ITEMS, 3, &sum);
    whole = items_slurp("a.json");
    pieces = items_slurp("b.json");
    ck_assert_str_eq(whole, pieces);
    free(pieces);
    pieces = items_slurp("c.json.gz");
    ck_assert_str_eq(whole, pieces);
    free(pieces);
    free(whole);
    ck_assert_uint_eq(scratch_count(), 3);
}
END_TEST

START_TEST(test_abandon_leaves_nothing)
{
    const struct prvcut_convert_options options = { .path = "x.json" };
    struct prvcut_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_writing *w;

    ck_assert_int_eq(prvcut_perfetto_writer.open(&w, "x.json", &items_outline, &options, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(prvcut_perfetto_writer.put(w, items_all, ITEMS, &sum, &err), PRVCUT_OK);
    prvcut_perfetto_writer.abandon(w);
    ck_assert_uint_eq(scratch_count(), 0);
    scratch_write("x.json", "there", 5);
    ck_assert_int_eq(prvcut_perfetto_writer.open(&w, "x.json", &items_outline, &options, &err),
                     PRVCUT_EEXIST);
    ck_assert_ptr_null(w);
}
END_TEST

static Suite *perfetto_write_suite(void)
{
    Suite *suite = suite_create("perfetto_write");
    TCase *tests = tcase_create("perfetto");

    scratch_fixtures(tests);
    tcase_add_test(tests, test_write_holds_what_is_documented);
    tcase_add_test(tests, test_write_without_records_is_sound);
    tcase_add_test(tests, test_write_keeps_names_whatever_they_hold);
    tcase_add_test(tests, test_write_tells_of_collectives_and_values);
    tcase_add_test(tests, test_write_ties_messages_to_their_calls);
    tcase_add_test(tests, test_write_in_pieces_writes_the_same);
    tcase_add_test(tests, test_abandon_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(perfetto_write_suite());
}
