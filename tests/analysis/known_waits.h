#ifndef TESTS_ANALYSIS_KNOWN_WAITS_H
#define TESTS_ANALYSIS_KNOWN_WAITS_H

#include "prvcut/waits.h"
#include "tests/support/built.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Wait states of traces of which they are known; data/waits says from where. */

#define DATA GENERATOR_DIR "/../analysis/data/waits/"

static inline struct prvcut_wait_states *waits_of(const char *path, bool raw, int threads)
{
    const struct prvcut_open_options o = { .size = sizeof o, .raw_clocks = raw };
    const struct prvcut_run run = { .size = sizeof run, .threads = threads };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_wait_states *w = NULL;
    struct prvcut_trace *t;

    ck_assert_msg(prvcut_trace_open(&t, path, &o, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_waits_make(t, &run, NULL, &w, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_trace_close(t);
    return w;
}

/* The same JSON with any number of workers. */
static inline void check_workers(const char *path,
                                 struct prvcut_wait_states *(*make)(const char *path, int threads))
{
    static const int threads[] = { 1, 2, 8 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    char *first = NULL;

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct prvcut_wait_states *w = make(path, threads[i]);
        char *text = NULL;

        ck_assert_int_eq(prvcut_waits_json(w, &text, &err), PRVCUT_OK);
        if (first)
            ck_assert_str_eq(text, first);
        free(first);
        first = text;
        prvcut_wait_states_free(w);
    }
    free(first);
}

/* A trace of the shared ones; false: there is none, or it is one too many. */
static inline bool path_of(char *out, size_t room, const char *folder, const char *name)
{
    const bool paraver = strcmp(folder, "paraver") == 0;

    if (!traces_folder() || !traces_wanted(folder, name))
        return false;
    if (paraver)
        snprintf(out, room, "%s/paraver/%s/%s.prv.zst", traces_folder(), name, name);
    else
        snprintf(out, room, "%s/%s/%s.tar.zst", traces_folder(), folder, name);
    return access(out, R_OK) == 0;
}

static inline const struct prvcut_waits_metric *metric_of(const struct prvcut_wait_states *w,
                                                          const char *name)
{
    for (size_t i = 0; i < w->metrics; i++)
        if (strcmp(prvcut_waits_metric(w, i)->name, name) == 0)
            return prvcut_waits_metric(w, i);
    ck_abort_msg("no metric %s", name);
    return NULL;
}

static inline double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

/* Cells of a line of a table, at most. */
#define CELLS 6

/* Each line of a table of data/waits. */
static inline void each_line(const char *name, void (*take)(char **cell, void *ctx), void *ctx)
{
    char path[2048], line[1024];
    FILE *f;

    snprintf(path, sizeof path, DATA "%s.tsv", name);
    f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f)) {
        char *rest = line, *cell[CELLS] = { NULL };

        for (size_t i = 0; i < CELLS; i++)
            cell[i] = strtok_r(rest, "\t\n", &rest);
        take(cell, ctx);
    }
    fclose(f);
}

#define MS UINT64_C(1000000)

/** A call of a rank, as two records of Paraver. */
static inline void put_call(FILE *f, unsigned rank, unsigned type, unsigned value, uint64_t begin,
                            uint64_t end)
{
    fprintf(f, "2:%u:1:%u:1:%" PRIu64 ":5000000%u:%u\n2:%u:1:%u:1:%" PRIu64 ":5000000%u:0\n",
            rank + 1, rank + 1, begin, type, value, rank + 1, rank + 1, end, type);
}

static inline struct prvcut_wait_states *causes_of(const char *path, int threads)
{
    const struct prvcut_run run = { .size = sizeof run, .threads = threads };
    const struct prvcut_waits_options o = { .size = sizeof o, .causes = true, .critical = true };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_wait_states *w = NULL;
    struct prvcut_trace *t;

    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_waits_make(t, &run, &o, &w, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_trace_close(t);
    return w;
}

#endif
