#ifndef TESTS_FORMATS_CUTTING_H
#define TESTS_FORMATS_CUTTING_H

#include "records.h"

#include "base/source.h"
#include "prvcut/cut.h"
#include "prvcut/inspect.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <stdarg.h>

/* PRVGEN, PRVBRUTE: paths of the generator and of the reference cut. */

static struct prvcut_error error;

static inline bool shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline bool shell(const char *format, ...)
{
    char command[4096];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command) == 0;
}

static inline void generate(const char *options)
{
    ck_assert(shell(PRVGEN " --tasks 5 --iterations 20 %s g", options));
}

static inline struct prvcut_trace *open_scanned(const char *path)
{
    struct prvcut_trace *t;
    struct records r = { 0 };

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &error), PRVCUT_OK);
    records_scan(&r, t, &(struct records_how){ .threads = 2 });
    ck_assert_str_eq(r.err.text, "");
    ck_assert_int_eq(r.status, PRVCUT_OK);
    records_fini(&r);
    return t;
}

static inline enum prvcut_status cut_trace(struct prvcut_trace *t, const struct prvcut_window *w,
                                           const struct prvcut_cut_options *o,
                                           struct prvcut_cut_summary *sum)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_cut_options with = *o;

    if (!with.path)
        with.path = "cut.prv";
    memset(&error, 0, sizeof error);
    memset(sum, 0, sizeof *sum);
    return t->reader->cut(t, &run, &(struct prvcut_subtrace){ w, &with, sum }, 1, &error);
}

/* Cut that must succeed, over what is there. */
static inline void cut_well(struct prvcut_trace *t, const struct prvcut_window *w,
                            const struct prvcut_cut_options *o, struct prvcut_cut_summary *sum)
{
    struct prvcut_cut_options with = *o;

    with.force = true;
    with.command = "prvcut test";
    ck_assert_int_eq(cut_trace(t, w, &with, sum), PRVCUT_OK);
    ck_assert_str_eq(error.text, "");
}

static inline struct prvcut_cut_summary cut_path(const char *path, uint64_t from, uint64_t to,
                                                 struct prvcut_cut_options options)
{
    struct prvcut_trace *t = open_scanned(path);
    struct prvcut_cut_summary sum;

    cut_well(t, &(struct prvcut_window){ .from = from, .to = to }, &options, &sum);
    prvcut_trace_close(t);
    return sum;
}

/* A sound trace: it reads, in order where the original was, within its header's end. */
static inline void expect_sound(const char *path, const struct prvcut_cut_summary *sum, bool sorted)
{
    struct records r = records_read(path, (struct records_how){ .threads = 1 });

    ck_assert_str_eq(r.err.text, "");
    ck_assert_int_eq(r.status, PRVCUT_OK);
    ck_assert(!sorted || r.counts.unsorted == 0);
    ck_assert_uint_eq(r.counts.beyond_end, 0);
    ck_assert_uint_eq(r.counts.states, sum->states);
    ck_assert_uint_eq(r.counts.messages, sum->messages);
    ck_assert_uint_eq(r.counts.bytes, sum->bytes);
    records_fini(&r);
}

/* prvcut check finds no damage. */
static inline void expect_checked(const char *path)
{
    const struct prvcut_run run = { .threads = 1 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_check(path, &run, NULL, PRVCUT_FULL_TEXT, &text, &error);

    ck_assert_msg(st == PRVCUT_OK, "%s", text ? text : error.text);
    free(text);
}

static inline void expect_reference(const char *trace, const char *window)
{
    ck_assert(traces_same_cut(PRVBRUTE, window, trace, "cut.prv", "scratch"));
}

/* Messages that the reference dropped at the borders of the same window. */
static inline uint64_t reference_dropped(const char *trace, const char *window)
{
    unsigned long long n;
    FILE *file;

    ck_assert(shell(PRVBRUTE " %s %s 2>words >/dev/null", window, trace));
    file = fopen("words", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "dropped communications: %llu", &n), 1);
    fclose(file);
    return n;
}

/* A time on a microsecond, so that it is one on a tick of every trace. */
static inline uint64_t draw(uint64_t *seed, uint64_t end)
{
    return scratch_random(seed) * 1000003 % (end / 1000) * 1000;
}

#define COUNT_OF(table) (int)(sizeof(table) / sizeof *(table))

#endif
