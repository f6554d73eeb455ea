/* Cuts by a configuration and filters equal those of an independent model, record for record. */
#include "prvcut/filter.h"
#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

/* PRVMODEL: the model; SAMPLE_FILES: folder of the sample; given by the build. */

#define CUTTER(elements) "<config><cutter>" elements "</cutter></config>"
#define FILTER(elements) "<config><filter>" elements "</filter></config>"
#define PERCENT(from, to)                                                                          \
    "<by_time>0</by_time><minimum_time_percentage>" #from "</minimum_time_percentage>"             \
    "<maximum_time_percentage>" #to "</maximum_time_percentage>"
#define TIMES(from, to)                                                                            \
    "<by_time>1</by_time><minimum_time>" #from "</minimum_time>"                                   \
    "<maximum_time>" #to "</maximum_time>"
#define BREAK    "<break_states>1</break_states>"
#define WHOLE    "<break_states>0</break_states>"
#define KEEP     "<keep_events>1</keep_events>"
#define FIRST    "<remove_first_states>1</remove_first_states>"
#define LAST     "<remove_last_states>1</remove_last_states>"
#define ORIGINAL "<original_time>1</original_time>"
#define LIST(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* One trace, what is done to it, and the same in the words of the model. */
struct trial {
    const char *trace; /* "sample": that of the source tree */
    const char *xml;   /* NULL: none */
    const struct prvcut_filter *filter;
    size_t filters;
    const char *model;
};

static const struct prvcut_filter calls_of_two[] = {
    { .events = LIST("MPI Point-to-point,50000002"), .tasks = "1,3" }
};
static const struct prvcut_filter by_value[] = { { .events = LIST("50000001=MPI_Send/4/0",
                                                                  "70000001-70000003") } };
static const struct prvcut_filter dropped_twice[] = {
    { .events_dropped = LIST("80000001-80000003", "50000001=0"), .states_dropped = LIST("1") },
    { .min_state_ns = 5000, .min_message_bytes = 1000 },
};
static const struct prvcut_filter threads_only[] = { { .threads = "2.1,5.1" } };
static const struct prvcut_filter long_states[] = {
    { .states = LIST("Running,Waiting a message"), .min_state_ns = 20000, .drop_events = true }
};
static const struct prvcut_filter messages_only[] = {
    { .drop_states = true, .drop_events = true, .min_message_bytes = 2000 }
};
static const struct prvcut_filter counters_dropped[] = { { .events_dropped =
                                                               LIST("42000000-49999999") } };
static const struct prvcut_filter everything[] = { { .drop_states = false } };
static const struct prvcut_filter second_task[] = { { .threads = "2.1,1.2.*",
                                                      .events_dropped = LIST("50000002") } };

#define WITH(filter) filter, sizeof filter / sizeof *filter

static const struct trial trials[] = {
    /* the cutter */
    { "sample", CUTTER(PERCENT(40, 50) BREAK), NULL, 0, "cut from%=40 to%=50 break" },
    { "sample", CUTTER(PERCENT(12.5, 33.25) BREAK), NULL, 0, "cut from%=12.5 to%=33.25 break" },
    { "sample", CUTTER(PERCENT(40, 50) WHOLE), NULL, 0, "cut from%=40 to%=50" },
    { "sample", CUTTER(PERCENT(40, 50) WHOLE KEEP), NULL, 0, "cut from%=40 to%=50 keep" },
    { "sample", CUTTER(PERCENT(40, 50) BREAK KEEP), NULL, 0, "cut from%=40 to%=50 break" },
    { "sample", CUTTER(PERCENT(0, 100) BREAK), NULL, 0, "cut from%=0 to%=100 break" },
    { "lu.S.4", CUTTER(TIMES(600000000, 700000000) BREAK "<tasks>1-256</tasks>"), NULL, 0,
      "cut from=600000000 to=700000000 break" },
    { "lu.S.4", CUTTER(TIMES(600000000, 700000000) BREAK FIRST), NULL, 0,
      "cut from=600000000 to=700000000 break first" },
    { "lu.S.4", CUTTER(TIMES(600000000, 700000000) WHOLE FIRST LAST), NULL, 0,
      "cut from=600000000 to=700000000 first last" },
    { "lu.S.4", CUTTER(TIMES(600000000, 700000000) WHOLE LAST KEEP), NULL, 0,
      "cut from=600000000 to=700000000 last keep" },
    { "lu.S.4", CUTTER(TIMES(600000000, 700000000) BREAK ORIGINAL), NULL, 0,
      "cut from=600000000 to=700000000 original" },
    { "lu.S.4", CUTTER(TIMES(600000000, 700000000) WHOLE ORIGINAL KEEP FIRST), NULL, 0,
      "cut from=600000000 to=700000000 original keep first" },
    { "lu.S.4", CUTTER(TIMES(600000000, 700000000) BREAK "<tasks>2,4</tasks>"), NULL, 0,
      "cut from=600000000 to=700000000 break tasks=2,4" },
    { "lu.S.4",
      CUTTER(TIMES(0, 1059114026) BREAK "<tasks> 3-4 </tasks><max_trace_size>1</max_trace_size>"),
      NULL, 0, "cut from=0 to=1059114026 break tasks=3-4 max=1000000" },
    { "bt.W.4.hwc", CUTTER(PERCENT(50, 55) BREAK), NULL, 0, "cut from%=50 to%=55 break" },
    { "bt.W.4.hwc", CUTTER(PERCENT(0, 30) WHOLE LAST), NULL, 0, "cut from%=0 to%=30 last" },
    { "bt.W.4.hwc", CUTTER(PERCENT(20, 100) BREAK "<max_trace_size>2</max_trace_size>"), NULL, 0,
      "cut from%=20 to%=100 break max=2000000" },
    { "cg.W.4.sampling", CUTTER(PERCENT(30, 60) BREAK FIRST LAST), NULL, 0,
      "cut from%=30 to%=60 break first last" },
    { "cg.W.4.sampling", CUTTER(PERCENT(30, 60) WHOLE KEEP ORIGINAL), NULL, 0,
      "cut from%=30 to%=60 keep original" },
    { "comd.8.ctl", CUTTER(PERCENT(10, 90) WHOLE KEEP), NULL, 0, "cut from%=10 to%=90 keep" },
    { "comd.8", CUTTER(PERCENT(60, 62) BREAK), NULL, 0, "cut from%=60 to%=62 break" },
    { "lulesh.8.omp", CUTTER(PERCENT(60, 62) WHOLE KEEP FIRST), NULL, 0,
      "cut from%=60 to%=62 keep first" },
    { "sp.W.9.burst", CUTTER(PERCENT(45, 55) WHOLE KEEP), NULL, 0, "cut from%=45 to%=55 keep" },
    { "sp.W.9.burst", CUTTER(PERCENT(45, 55) BREAK LAST), NULL, 0,
      "cut from%=45 to%=55 break last" },
    { "is.W.8", CUTTER(TIMES(250000000, 262000000) BREAK), NULL, 0,
      "cut from=250000000 to=262000000 break" },
    { "is.W.8", CUTTER(PERCENT(20, 90) BREAK FIRST), NULL, 0, "cut from%=20 to%=90 break first" },
    { "lu.S.8.flush", CUTTER(PERCENT(50, 70) WHOLE FIRST KEEP), NULL, 0,
      "cut from%=50 to%=70 first keep" },
    { "ft.W.4", CUTTER(PERCENT(90, 100) BREAK), NULL, 0, "cut from%=90 to%=100 break" },
    { "ep.W.4", CUTTER(PERCENT(0, 99) WHOLE ORIGINAL LAST), NULL, 0,
      "cut from%=0 to%=99 original last" },
    { "hpcc.4", CUTTER(PERCENT(70, 75) BREAK), NULL, 0, "cut from%=70 to%=75 break" },
    /* the filter, from files */
    { "sample", FILTER("<states>Running\n<min_state_time>10000</min_state_time></states>"), NULL, 0,
      "filter state=1 minstate=10000" },
    { "sample",
      FILTER("<discard_states>0</discard_states><discard_events>1</discard_events>"
             "<discard_communications>1</discard_communications>"
             "<states>All<min_state_time>2000</min_state_time></states>"),
      NULL, 0, "filter noevents nocomms minstate=2000" },
    { "sample",
      FILTER("<types><type>50000001 <value>4</value><value>0</value></type>"
             "<type>50000002-50000003</type></types><comms>1000</comms>"),
      NULL, 0, "filter type=50000001=4/0 type=50000002-50000003 mincomm=1000" },
    { "lu.S.4",
      FILTER("<discard_states>1</discard_states><types use=\"discard\"><type>70000001-80000003"
             "</type><type>50000001<value>0</value></type></types>"),
      NULL, 0, "filter nostates notype=70000001-80000003 notype=50000001=0" },
    { "bt.W.4.hwc", FILTER("<types></types><states>Waiting a message, Running</states>"), NULL, 0,
      "filter state=1 state=3" },
    { "cg.W.4.sampling",
      FILTER("<types><type> 30000000 - 30000105 </type></types><discard_communications>1"
             "</discard_communications>"),
      NULL, 0, "filter type=30000000-30000105 nocomms" },
    /* the filter, from options */
    { "sample", NULL, WITH(calls_of_two), "filter type=50000001 type=50000002 tasks=1,3" },
    { "sample", NULL, WITH(by_value), "filter type=50000001=1/4/0 type=70000001-70000003" },
    { "lu.S.4", NULL, WITH(dropped_twice),
      "filter notype=80000001-80000003 notype=50000001=0 nostate=1 + minstate=5000 mincomm=1000" },
    { "mg.W.8", NULL, WITH(threads_only), "filter threads=2.1,5.1" },
    { "mg.W.8", NULL, WITH(long_states), "filter state=1 state=3 minstate=20000 noevents" },
    { "comd.8.ctl", NULL, WITH(messages_only), "filter nostates noevents mincomm=2000" },
    { "bt.W.4.hwc", NULL, WITH(counters_dropped), "filter notype=42000000-49999999" },
    { "cg.A.2", NULL, WITH(second_task), "filter threads=2.1 notype=50000002" },
    { "sample", NULL, WITH(everything), "filter minstate=0" },
    /* both at once: cut first, then filtered */
    { "sample",
      "<config><cutter>" PERCENT(40, 50) BREAK
      "</cutter><filter><types>"
      "<type>50000001</type></types><discard_states>1</discard_states></filter></config>",
      NULL, 0, "cut from%=40 to%=50 break + type=50000001 nostates" },
    { "lu.S.4",
      "<config><filter><states>Running<min_state_time>1000</min_state_time></states></filter>"
      "<cutter>" TIMES(600000000, 700000000) BREAK "</cutter></config>",
      WITH(dropped_twice),
      "cut from=600000000 to=700000000 break + state=1 minstate=1000 "
      "+ notype=80000001-80000003 notype=50000001=0 nostate=1 + minstate=5000 mincomm=1000" },
    { "bt.W.4.hwc", CUTTER(PERCENT(50, 55) WHOLE KEEP), WITH(counters_dropped),
      "cut from%=50 to%=55 keep + notype=42000000-49999999" },
};

#define TRIALS (int)(sizeof trials / sizeof *trials)

/* --- One trial ------------------------------------------------------------------------------ */

static bool is_sample(const char *name)
{
    return strcmp(name, "sample") == 0;
}

static bool wanted(const char *name)
{
    return is_sample(name) || traces_wanted("paraver", name);
}

static bool unpacked(const char *name, char *path, size_t room)
{
    if (!is_sample(name))
        return traces_unpack(name, path, room);
    snprintf(path, room, "lu.S.8.prv");
    return traces_shell("cp '%s'/lu.S.8.* . && zstd -dq --rm *.zst", SAMPLE_FILES);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert(fputs(text, file) >= 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void must(enum prvcut_status st, const struct prvcut_error *err)
{
    ck_assert_msg(st == PRVCUT_OK, "%s", err->text);
}

/* What the library makes of it, in out.prv. */
static void run_trial(const struct trial *t, const char *path, int threads)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_cut_options options = { .path = "out.prv", .force = true, .command = "prvcut" };
    struct prvcut_filter filter[4];
    struct prvcut_config *config = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;

    if (t->xml) {
        write_text("config.xml", t->xml);
        must(prvcut_config_read(&config, "config.xml", &err), &err);
        ck_assert_uint_eq(config->notes, 0);
        if (config->filter)
            filter[options.filters++] = *config->filter;
    }
    for (size_t i = 0; i < t->filters; i++)
        filter[options.filters++] = t->filter[i];
    options.filter = filter;
    must(prvcut_trace_open(&trace, path, NULL, &err), &err);
    if (config && config->cutter) {
        struct prvcut_cut_summary *sum;

        options.max_bytes = config->cutter_max_bytes;
        must(prvcut_cut_as_paraver(trace, &run, config->cutter, &options, &sum, &err), &err);
        ck_assert_uint_eq(sum->notes, 0);
        prvcut_cut_summary_free(sum);
    } else {
        struct prvcut_filter_summary *sum;

        must(prvcut_filter_trace(trace, &run, &options, &sum, &err), &err);
        ck_assert_uint_eq(sum->notes, 0);
        prvcut_filter_summary_free(sum);
    }
    prvcut_trace_close(trace);
    prvcut_config_free(config);
}

static void compare(const struct trial *t, const char *path)
{
    ck_assert(traces_shell("{ sed -En '1s/^#Paraver [(][^)]*[)]:([0-9]+).*/duration \\1/p' out.prv;"
                           " grep '^[1-3]:' out.prv; } >have; '%s' %s '%s' >want",
                           PRVMODEL, t->model, path));
    ck_assert_msg(traces_shell("test $(wc -l <want) -gt 5"), "%s: nothing to compare", t->model);
    ck_assert_msg(traces_shell("cmp have want || { diff have want | head -n 20; false; } >&2"),
                  "%s on %s differs", t->model, t->trace);
}

START_TEST(test_cut_and_filter_equal_the_model)
{
    const struct trial *t = &trials[_i];
    char path[4096];

    if (wanted(t->trace) && unpacked(t->trace, path, sizeof path)) {
        run_trial(t, path, 1 + _i % 3);
        compare(t, path);
    }
}
END_TEST

/* Streams are read block by block from the front, packed or not. */
START_TEST(test_cut_and_filter_packed_traces_as_plain_ones)
{
    static const int some[] = { 0, 3, 31, 36, 45 };
    const struct trial *t = &trials[some[_i % 5]];
    const char *pack = _i < 5 ? "gzip -k" : "zstd -q";
    const char *suffix = _i < 5 ? ".gz" : ".zst";
    char path[4096], packed[5000];

    ck_assert(unpacked("sample", path, sizeof path));
    ck_assert(traces_shell("%s %s && mkdir in && mv %s%s lu.S.8.pcf in", pack, path, path, suffix));
    snprintf(packed, sizeof packed, "in/%s%s", path, suffix);
    run_trial(t, packed, 2);
    ck_assert(traces_shell("mv in/lu.S.8.pcf ."));
    compare(t, path);
}
END_TEST

static Suite *model_suite(void)
{
    Suite *s = suite_create("filter_model");
    TCase *t = tcase_create("model");

    scratch_fixtures(t);
    tcase_set_timeout(t, 240);
    tcase_add_loop_test(t, test_cut_and_filter_equal_the_model, 0, TRIALS);
    tcase_add_loop_test(t, test_cut_and_filter_packed_traces_as_plain_ones, 0, 10);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(model_suite());
}
