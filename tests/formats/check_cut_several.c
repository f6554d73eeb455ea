/* Several windows that are cut in one reading are what they are alone, byte for byte. */
#include "cutting.h"
#include "prvcut/convert.h"

#include "built.h"
#include "runner.h"

#define WINDOWS 8

/* Traces of all kinds of texts: in order and not, compressed, with flushes, with receives that
   overtake each other, in streams of several processes. */
static const struct {
    const char *format, *name;
} traces[] = {
    { "paraver", "lulesh.8.omp" }, { "paraver", "lu.S.8.flush" },
    { "paraver", "is.W.8" },       { "otf2", "lu.S.4" },
    { "otf2", "mpikinds.4" },      { "otf2", "mpipth.4" },
    { "otf2", "bt.S.4" },          { "otf2", "scorep-ping-pong-otf2-papi" },
    { "otf", "lu.S.4" },           { "otf", "luleshomp.8-z" },
    { "otf", "hpcg.4-2streams" },  { "otf", "cg.S.4" },
};

/** Windows with their options, as they are drawn. */
struct several {
    struct prvcut_window window[WINDOWS];
    uint64_t *bound[WINDOWS];
    struct prvcut_cut_options options[WINDOWS];
    struct prvcut_cut_summary sum[WINDOWS];
    char path[WINDOWS][64];
};

static uint64_t draw_time(uint64_t *seed, uint64_t end)
{
    const uint64_t high = scratch_random(seed) << 31;

    return (high + scratch_random(seed)) % (end + 1);
}

/* Each thread near the window's borders, some not at all. */
static void draw_threads(struct several *s, size_t i, uint32_t threads, uint64_t *seed)
{
    struct prvcut_window *w = &s->window[i];
    const uint64_t length = w->to - w->from;
    uint64_t *bound = malloc((2 * (size_t)threads + 1) * sizeof *bound);

    ck_assert_ptr_nonnull(bound);
    for (uint32_t t = 0; t < threads; t++) {
        bound[t] = w->from + draw_time(seed, length / 8);
        bound[threads + t] = w->to - draw_time(seed, length / 8);
        if (scratch_random(seed) % 8 == 0)
            bound[t] = bound[threads + t] = w->from;
    }
    bound[0] = w->from;
    bound[threads] = w->to;
    s->bound[i] = bound;
    w->thread_from = bound;
    w->thread_to = bound + threads;
}

/* Windows in no order: one is all of the run, two begin together, one lies in another. */
static void draw_windows(struct several *s, const struct prvcut_trace *t, uint64_t *seed)
{
    const uint64_t end = t->end_ns;

    for (size_t i = 0; i < WINDOWS; i++) {
        struct prvcut_window *w = &s->window[i];

        *w = (struct prvcut_window){ .from = draw_time(seed, end - 1) };
        w->to = w->from + 1 + draw_time(seed, (end - w->from) / (i % 2 ? 2 : 20));
        if (i == 4)
            *w = (struct prvcut_window){ .from = 0, .to = end + 1 };
        if (i == 5)
            w->from = s->window[3].from, w->to = w->from + 1 + draw_time(seed, end - w->from);
        if (i == 6 && s->window[5].to - s->window[5].from > 4)
            w->from = s->window[5].from + 1, w->to = s->window[5].to - 1;
        if (w->to <= w->from)
            w->to = w->from + 1;
        if (i % 3 == 1)
            draw_threads(s, i, t->objects.threads, seed);
        s->options[i] = (struct prvcut_cut_options){ .command = "prvcut test",
                                                     .keep_messages = i % 4 == 1,
                                                     .keep_time = i == 2 || i == 7 };
    }
}

static void name_outputs(struct several *s, const char *folder, const char *suffix)
{
    ck_assert(shell("mkdir %s", folder));
    for (size_t i = 0; i < WINDOWS; i++) {
        snprintf(s->path[i], sizeof s->path[i], "%s/c%zu%s", folder, i, suffix);
        s->options[i].path = s->path[i];
        memset(&s->sum[i], 0, sizeof s->sum[i]);
    }
}

static void release_sums(struct several *s)
{
    for (size_t i = 0; i < WINDOWS; i++) {
        for (size_t k = 0; k < s->sum[i].files; k++)
            free(s->sum[i].file[k]);
        free(s->sum[i].file);
        for (size_t k = 0; k < s->sum[i].notes; k++)
            free(s->sum[i].note[k]);
        free(s->sum[i].note);
    }
}

static void cut_each(struct prvcut_trace *t, struct several *s)
{
    const struct prvcut_run run = { .threads = 2 };

    for (size_t i = 0; i < WINDOWS; i++)
        ck_assert_msg(
            t->reader->cut(t, &run,
                           &(struct prvcut_subtrace){ &s->window[i], &s->options[i], &s->sum[i] },
                           1, &error) == PRVCUT_OK,
            "window %zu: %s", i, error.text);
}

static enum prvcut_status cut_at_once(struct prvcut_trace *t, struct several *s, int threads)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_subtrace sub[WINDOWS];

    for (size_t i = 0; i < WINDOWS; i++)
        sub[i] = (struct prvcut_subtrace){ &s->window[i], &s->options[i], &s->sum[i] };
    return t->reader->cut(t, &run, sub, WINDOWS, &error);
}

static void expect_same(const struct prvcut_cut_summary *a, const struct prvcut_cut_summary *b,
                        size_t i)
{
    const uint64_t x[] = { a->window.start,
                           a->window.end,
                           a->states,
                           a->events,
                           a->messages,
                           a->clipped_states,
                           a->reopened,
                           a->closed,
                           a->zeroed_counters,
                           a->dropped_messages,
                           a->kept_messages,
                           a->split_collectives,
                           a->bytes,
                           a->disk,
                           a->size,
                           a->files,
                           a->notes };
    const uint64_t y[] = { b->window.start,
                           b->window.end,
                           b->states,
                           b->events,
                           b->messages,
                           b->clipped_states,
                           b->reopened,
                           b->closed,
                           b->zeroed_counters,
                           b->dropped_messages,
                           b->kept_messages,
                           b->split_collectives,
                           b->bytes,
                           b->disk,
                           b->size,
                           b->files,
                           b->notes };

    for (size_t k = 0; k < sizeof x / sizeof *x; k++)
        ck_assert_msg(x[k] == y[k], "window %zu, number %zu: %llu and %llu", i, k,
                      (unsigned long long)x[k], (unsigned long long)y[k]);
}

/* Sums do not depend on which worker decodes what. */
static enum prvcut_status count_batch(void *ctx, unsigned worker, void *part,
                                      const struct prvcut_batch *b, struct prvcut_error *err)
{
    uint64_t *sum = ctx, own = b->events + b->messages;

    (void)worker;
    (void)part;
    (void)err;
    for (size_t i = 0; i < b->states; i++)
        own += b->state[i].begin;
    __atomic_add_fetch(sum, own, __ATOMIC_RELAXED);
    return PRVCUT_OK;
}

/* Read some of the windows, each twice: a stream holds what it read for them, and the cuts are the
 * same. */
static void read_windows(struct prvcut_trace *t, const struct several *s)
{
    const struct prvcut_run run = { .threads = 2 };
    uint64_t sum[2] = { 0 };

    for (size_t i = 0; i < WINDOWS; i++) {
        const struct prvcut_window *w = &s->window[i];

        if (w->from >= w->to || w->to > t->end_ns)
            continue;
        for (size_t again = 0; again < 2; again++) {
            const struct prvcut_consumer consumer = { .roles = ~UINT32_C(0),
                                                      .states = true,
                                                      .messages = true,
                                                      .ctx = &sum[again],
                                                      .batch = count_batch };

            ck_assert_int_eq(t->reader->scan_window(t, &run, w->from, w->to, &consumer, &error),
                             PRVCUT_OK);
        }
        ck_assert_uint_eq(sum[0], sum[1]);
    }
    ck_assert_uint_gt(sum[0], 0);
}

static void compare_cuts(const char *path, const char *suffix, int threads, uint64_t seed)
{
    struct prvcut_trace *t = open_scanned(path);
    struct several each = { .path = { "" } }, once;

    draw_windows(&each, t, &seed);
    once = each;
    name_outputs(&each, "each", suffix);
    cut_each(t, &each);
    if (!t->seekable)
        read_windows(t, &once);
    name_outputs(&once, "once", suffix);
    ck_assert_msg(cut_at_once(t, &once, threads) == PRVCUT_OK, "%s: %s", path, error.text);
    for (size_t i = 0; i < WINDOWS; i++)
        expect_same(&each.sum[i], &once.sum[i], i);
    ck_assert_msg(shell("diff -r each once"), "%s", path);
    release_sums(&once);
    release_sums(&each);
    for (size_t i = 0; i < WINDOWS; i++)
        free(each.bound[i]);
    prvcut_trace_close(t);
}

static const char *suffix_of(const char *format)
{
    return strcmp(format, "otf2") == 0 ? ".otf2" : strcmp(format, "otf") == 0 ? ".otf" : ".prv";
}

START_TEST(test_cut_several_windows_of_real_traces)
{
    const char *format = traces[_i].format, *name = traces[_i].name;
    char path[4096];

    if (!test_reads(format) || (traces_take() != TRACES_ALL && _i % 3 != 0) ||
        !traces_wanted(format, name) ||
        !(strcmp(format, "paraver") == 0 ? traces_unpack(name, path, sizeof path)
                                         : traces_unpack_archive(format, name, path, sizeof path)))
        return;
    compare_cuts(path, suffix_of(format), 1 + _i % 2, 17 + (uint64_t)_i);
}
END_TEST

/* Texts that cannot be read at random places, in coarse ticks, out of order; compressed outputs. */
START_TEST(test_cut_several_windows_of_a_stream)
{
    static const char *const how[] = { "--flush-every 300 --counters", "--microseconds", "" };
    static const char *const out[] = { ".prv", ".prv.zst", ".prv.gz" };

    ck_assert(shell(PRVGEN " --tasks 5 --iterations 300 %s g", how[_i]));
    if (_i == 2)
        ck_assert(shell("awk 'FNR > 60 && FNR %% 97 == 0 { late = $0; next } { print } "
                        "FNR %% 97 == 20 && late { print late; late = \"\" }' g.prv >h.prv && "
                        "mv h.prv g.prv"));
    ck_assert(shell("zstd -q g.prv"));
    compare_cuts("g.prv.zst", out[_i], 1 + _i % 2, 5 + (uint64_t)_i);
}
END_TEST

static void convert(const char *to)
{
    const struct prvcut_convert_options options = { .path = to };
    struct prvcut_convert_summary *sum;
    struct prvcut_trace *t = open_scanned("g.prv");

    ck_assert_msg(prvcut_convert(t, NULL, &options, &sum, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
}

/* Conversions, which have all that a Paraver trace has. */
START_TEST(test_cut_several_windows_of_a_conversion)
{
    const char *format = _i == 0 ? "otf2" : "otf";
    char path[16];

    if (!test_reads(format))
        return;
    generate("--counters");
    snprintf(path, sizeof path, "g.%s", format);
    convert(path);
    compare_cuts(path, suffix_of(format), 2, 3);
}
END_TEST

/* Nothing of any window appears where one cannot be written. */
START_TEST(test_refuse_all_where_one_is_taken)
{
    static const char *const paths[] = { "g.prv", "g.otf2", "g.otf" };
    static const char *const formats[] = { "paraver", "otf2", "otf" };
    struct several s = { .path = { "" } };
    struct prvcut_trace *t;
    uint64_t seed = 1;

    if (!test_reads(formats[_i]))
        return;
    generate("");
    if (_i > 0)
        convert(paths[_i]);
    t = open_scanned(paths[_i]);
    draw_windows(&s, t, &seed);
    name_outputs(&s, "once", suffix_of(formats[_i]));
    ck_assert(shell("echo kept >%s", s.path[WINDOWS - 1]));
    ck_assert_int_eq(cut_at_once(t, &s, 2), PRVCUT_EEXIST);
    ck_assert(shell("test \"$(ls -A once)\" = \"$(basename %s)\" && grep -q kept %s",
                    s.path[WINDOWS - 1], s.path[WINDOWS - 1]));
    release_sums(&s);
    for (size_t i = 0; i < WINDOWS; i++)
        free(s.bound[i]);
    prvcut_trace_close(t);
}
END_TEST

static Suite *several_suite(void)
{
    Suite *s = suite_create("cut_several");
    TCase *t = tcase_create("several");

    scratch_fixtures(t);
    tcase_set_timeout(t, 600);
    tcase_add_loop_test(t, test_cut_several_windows_of_real_traces, 0, COUNT_OF(traces));
    tcase_add_loop_test(t, test_cut_several_windows_of_a_stream, 0, 3);
    tcase_add_loop_test(t, test_cut_several_windows_of_a_conversion, 0, 2);
    tcase_add_loop_test(t, test_refuse_all_where_one_is_taken, 0, 3);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(several_suite());
}
