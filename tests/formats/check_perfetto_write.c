#include "items.h"
#include "model/texts.h"

#include "runner.h"

#include <jansson.h>

/* Tracks of a small file, and slices on each. */
#define TRACKS 64
#define SLICES 64

struct slice {
    double begin, length;
    const char *name;
};

struct track {
    json_int_t pid, tid;
    struct slice slice[SLICES];
    int slices;
};

/* What a file holds, checked event by event against what the format's description asks for. */
struct shown {
    json_t *root;
    struct track track[TRACKS];
    int tracks;
    int complete, sent, received, counters, instants, facts;
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
    ck_assert(json_is_integer(json_object_get(event, "id")));
    if (kind == 'f') {
        ck_assert_str_eq(text_of(event, "bp"), "e");
        ck_assert_ptr_null(args);
        /* In the file, too, a message is sent before it is received. */
        ck_assert_int_lt(s->received, s->sent);
        s->received++;
    } else {
        ck_assert(json_is_integer(json_object_get(args, "size")));
        ck_assert(json_is_integer(json_object_get(args, "tag")));
        s->sent++;
    }
}

static void keep_slice(struct shown *s, struct track *t, json_t *event)
{
    const double begin = json_real_value(json_object_get(event, "ts"));

    ck_assert(json_is_real(json_object_get(event, "dur")));
    ck_assert_int_lt(t->slices, SLICES);
    text_of(event, "cat");
    t->slice[t->slices++] =
        (struct slice){ .begin = begin,
                        .length = json_real_value(json_object_get(event, "dur")),
                        .name = text_of(event, "name") };
    s->complete++;
}

static void check_event(struct shown *s, json_t *event)
{
    const char kind = *text_of(event, "ph");
    struct track *t;

    if (kind == 'M') {
        check_fact(s, event);
        return;
    }
    t = track_of(s, event);
    ck_assert(json_is_real(json_object_get(event, "ts")));
    if (kind == 'X') {
        keep_slice(s, t, event);
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

/* As readers sort: by begin, the longer first, else as in the file. */
static bool is_before(const struct slice *a, const struct slice *b)
{
    return a->begin < b->begin || (a->begin == b->begin && a->length > b->length);
}

static void sort_slices(struct track *t)
{
    for (int i = 1; i < t->slices; i++) {
        const struct slice moved = t->slice[i];
        int k = i;

        for (; k > 0 && is_before(&moved, &t->slice[k - 1]); k--)
            t->slice[k] = t->slice[k - 1];
        t->slice[k] = moved;
    }
}

/*
 * What speedscope and Perfetto need of a track: of any two slices one is inside the other, or they
 * do not touch but at a border; and none takes no time. In doubles, with the first begin taken off,
 * as speedscope reckons; it warns of everything else and shows calls that never end.
 */
static void check_nesting(struct track *t)
{
    double open[SLICES], first;
    int depth = 0;

    sort_slices(t);
    first = t->slices > 0 ? t->slice[0].begin : 0;
    for (int i = 0; i < t->slices; i++) {
        const double begin = t->slice[i].begin - first, end = begin + t->slice[i].length;

        while (depth > 0 && open[depth - 1] <= begin)
            depth--;
        ck_assert_msg(end > begin, "%s takes no time", t->slice[i].name);
        ck_assert_msg(depth == 0 || end <= open[depth - 1], "%s at %.17g overlaps",
                      t->slice[i].name, t->slice[i].begin);
        open[depth++] = end;
    }
}

static struct shown look(const char *path)
{
    struct shown s = { 0 };
    json_error_t error;
    json_t *event;
    size_t i;
    char *text = items_slurp(path);

    /* Strict: no duplicate keys, nothing behind it, valid UTF-8. */
    s.root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(s.root != NULL, "%d: %s", error.line, error.text);
    free(text);
    ck_assert_str_eq(text_of(s.root, "displayTimeUnit"), "ns");
    json_array_foreach(json_object_get(s.root, "traceEvents"), i, event) check_event(&s, event);
    for (int k = 0; k < s.tracks; k++)
        check_nesting(&s.track[k]);
    ck_assert_int_eq(s.sent, s.received);
    return s;
}

static struct shown show(const char *path, size_t items, size_t piece)
{
    struct made_convert_summary sum;

    items_write(&prvcut_perfetto_writer, path, items, piece, &sum);
    return look(path);
}

START_TEST(test_write_holds_what_is_documented)
{
    struct shown s = show("x.json", ITEMS, ITEMS);

    /* Five states, seven regions, one of them put back. */
    ck_assert_int_eq(s.complete, 5 + 7 + 1);
    ck_assert_int_eq(s.sent, 2);
    ck_assert_int_eq(s.counters, 1);
    ck_assert_int_eq(s.instants, 2);
    ck_assert_int_eq(s.facts, 2 * 2 + 3 * 4);
    json_decref(s.root);
}
END_TEST

START_TEST(test_write_puts_other_data_last)
{
    struct shown s = show("x.json", ITEMS, ITEMS);
    char *text = items_slurp("x.json");

    ck_assert(json_is_string(json_object_get(json_object_get(s.root, "otherData"), "converter")));
    ck_assert(strstr(text, "\n],\"otherData\":{") != NULL);
    free(text);
    json_decref(s.root);
}
END_TEST

START_TEST(test_write_without_records_is_sound)
{
    struct shown s = show("x.json", 0, 1);

    ck_assert_int_eq(s.complete, 0);
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

    ck_assert_ptr_nonnull(named(&s, "X", "solve \"fast\"\n", &count));
    ck_assert_ptr_nonnull(named(&s, "X", "caf\xc3\xa9 \\ \x01", &count));
    ck_assert_ptr_nonnull(named(&s, "X", "latin \xc3\xa9", &count));
    ck_assert_ptr_nonnull(named(&s, "X", "MPI Collective Comm 9", &count));
    ck_assert_ptr_nonnull(named(&s, "X", "Waiting a message", &count));
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

    args = json_object_get(named(&s, "X", "MPI_Barrier", &count), "args");
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

/* The innermost slice of a track at a time; "": none. */
static const char *within(struct shown *s, json_int_t tid, double time)
{
    const char *name = "";

    for (int k = 0; k < s->tracks; k++)
        for (int i = 0; i < s->track[k].slices && s->track[k].tid == tid; i++) {
            const struct slice *at = &s->track[k].slice[i];

            if (at->begin <= time && at->begin + at->length >= time)
                name = at->name;
        }
    return name;
}

/* Both ends of a message are tied to the calls that send and receive it, also at their very
 * borders. */
START_TEST(test_write_ties_messages_to_their_calls)
{
    static const char *const tied[] = { "s MPI_Send", "f MPI_Recv", "s ", "f solve \"fast\"\n" };
    struct shown s = show("x.json", ITEMS, ITEMS);
    size_t i, found = 0;
    json_t *event;

    json_array_foreach(json_object_get(s.root, "traceEvents"), i, event)
    {
        const char *kind = json_string_value(json_object_get(event, "ph"));
        char text[64];

        if (*kind != 's' && *kind != 'f')
            continue;
        snprintf(text, sizeof text, "%s %s", kind,
                 within(&s, json_integer_value(json_object_get(event, "tid")),
                        json_real_value(json_object_get(event, "ts"))));
        ck_assert_uint_lt(found, sizeof tied / sizeof *tied);
        ck_assert_str_eq(text, tied[found++]);
    }
    ck_assert_uint_eq(found, sizeof tied / sizeof *tied);
    json_decref(s.root);
}
END_TEST

/* Regions of one thread and nothing else, and what is known of callers. */
static const struct prvcut_value_name functions[] = { { 7, "solve_", "", 0 },
                                                      { 8, "main", "", 0 } };
static const struct prvcut_value_name lines[] = { { 70, "solve.f:12", "", 0 } };
static struct prvcut_type_name caller_types[] = {
    { .number = 50000001,
      .role = PRVCUT_ROLE_P2P,
      .region = true,
      .text = "MPI Point-to-point",
      .group = "MPI",
      .value = items_p2p,
      .values = 2 },
    { .number = 60000019,
      .role = PRVCUT_ROLE_REGION,
      .region = true,
      .text = "User function",
      .group = "user",
      .value = items_user,
      .values = 3 },
    { .number = 70000001,
      .role = PRVCUT_ROLE_CALLER,
      .text = "Caller 1",
      .value = functions,
      .values = 2 },
    { .number = 70000002,
      .role = PRVCUT_ROLE_CALLER,
      .text = "Caller 2",
      .value = functions,
      .values = 2 },
    { .number = 80000001,
      .role = PRVCUT_ROLE_CALLER_LINE,
      .text = "Line 1",
      .value = lines,
      .values = 1 },
};
static struct prvcut_dictionary caller_dictionary = {
    .type = caller_types, .types = sizeof caller_types / sizeof *caller_types
};

static struct shown show_items(const struct prvcut_item *item, size_t count)
{
    struct prvcut_outline outline = items_outline;
    struct made_convert_summary sum;
    struct prvcut_error err;

    outline.dictionary = &caller_dictionary;
    ck_assert_int_eq(
        item_write(&prvcut_perfetto_writer, "y.json", &outline, item, count, count, &sum, &err),
        PRVCUT_OK);
    prvcut_texts_free(sum.is.file, sum.is.files);
    return look("y.json");
}

START_TEST(test_write_puts_callers_into_their_call)
{
    const struct prvcut_item item[] = {
        ITEM_EVENT(10, 0, PRVCUT_ROLE_REGION, true, 60000019, 1),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_P2P, true, 50000001, 1),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_CALLER, false, 70000001, 7),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_CALLER_LINE, false, 80000001, 70),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_CALLER, false, 70000002, 9),
        ITEM_EVENT(30, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
        /* No call begins here. */
        ITEM_EVENT(30, 0, PRVCUT_ROLE_CALLER, false, 70000001, 8),
        ITEM_EVENT(40, 0, PRVCUT_ROLE_P2P, true, 50000001, 2),
        ITEM_EVENT(50, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
    };
    struct shown s = show_items(item, sizeof item / sizeof *item);
    json_t *args;
    int count;

    args = json_object_get(named(&s, "X", "MPI_Send", &count), "args");
    ck_assert_uint_eq(json_array_size(json_object_get(args, "callers")), 2);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(args, "callers"), 0)),
                     "solve_");
    ck_assert_int_eq((int)json_integer_value(json_array_get(json_object_get(args, "callers"), 1)),
                     9);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(args, "lines"), 0)),
                     "solve.f:12");
    ck_assert_ptr_null(json_object_get(named(&s, "X", "MPI_Recv", &count), "args"));
    ck_assert_int_eq(s.instants, 1);
    json_decref(s.root);
}
END_TEST

/* Of two regions with the same times the outer one stands first, wherever they end. */
START_TEST(test_write_keeps_the_outer_region_first)
{
    const struct prvcut_item item[] = {
        ITEM_EVENT(10, 0, PRVCUT_ROLE_REGION, true, 60000019, 2),
        ITEM_EVENT(10, 0, PRVCUT_ROLE_P2P, true, 50000001, 1),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_REGION, true, 60000019, 0),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_REGION, true, 60000019, 2),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_P2P, true, 50000001, 2),
        ITEM_EVENT(20, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
        ITEM_EVENT(50, 0, PRVCUT_ROLE_REGION, true, 60000019, 0),
    };
    static const char *const order[] = { "caf\xc3\xa9 \\ \x01", "MPI_Send", "caf\xc3\xa9 \\ \x01",
                                         "MPI_Recv" };
    struct shown s = show_items(item, sizeof item / sizeof *item);

    ck_assert_int_eq(s.tracks, 1);
    ck_assert_int_eq(s.track[0].slices, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(s.track[0].slice[i].name, order[i]);
    json_decref(s.root);
}
END_TEST

static uint64_t drawn(uint64_t *seed, uint64_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

/* Regions at random times, inside each other and one after the other without a gap. */
static void write_random(uint64_t seed)
{
    struct prvcut_item item[40];
    uint64_t time = drawn(&seed, (uint64_t)1 << drawn(&seed, 41));
    size_t count = 0, depth = 0;

    while (count < sizeof item / sizeof *item) {
        const bool in = depth == 0 || (depth < 4 && drawn(&seed, 2) == 0);

        item[count++] = (struct prvcut_item)ITEM_EVENT(time, 0, PRVCUT_ROLE_REGION, true, 60000019,
                                                       in ? 1 + (int64_t)drawn(&seed, 3) : 0);
        depth += in ? 1 : (size_t)-1;
        time += drawn(&seed, 3) == 0 ? 0 : drawn(&seed, (uint64_t)1 << drawn(&seed, 31));
    }
    json_decref(show_items(item, count).root);
    unlink("y.json");
}

START_TEST(test_write_lets_nothing_overlap)
{
    for (uint64_t seed = 0; seed < 500; seed++)
        write_random(seed);
}
END_TEST

START_TEST(test_write_in_pieces_writes_the_same)
{
    struct made_convert_summary sum;
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
    struct made_convert_summary sum = { 0 };
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
    tcase_add_test(tests, test_write_puts_other_data_last);
    tcase_add_test(tests, test_write_puts_callers_into_their_call);
    tcase_add_test(tests, test_write_keeps_the_outer_region_first);
    tcase_add_test(tests, test_write_lets_nothing_overlap);
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
