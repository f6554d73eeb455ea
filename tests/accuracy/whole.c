/*
 * Do cuts of iterations that are named hold them whole, on every thread? In a loop that makes the
 * same calls in each iteration, a cut of N holds N times as many, wherever it lies: where the pace
 * changes, where threads are apart, where too many calls were made to keep them all.
 *
 * usage   accuracy_whole [FOLDER/FILE.prv.zst...]   (of the traces' folder: "apps/paraver/...")
 * exit    1 where a thread holds another number of calls; 77 where there are no traces
 */
#include "runner.h"
#include "traces.h"

#include "prvcut/reduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS  64 /* of a trace that is judged */
#define WINDOWS  9
#define CONSTANT 0.6 /* of the windows that make the same calls an iteration */

static const char *const usual[] = {
    "paraver/lu.S.8.flush/lu.S.8.flush.prv.zst", "paraver/bt.W.9.flush/bt.W.9.flush.prv.zst",
    "apps/paraver/q.couple-tied.4/q.couple-tied.4.prv.zst", /* the last iterations are faster */
    "more/lu.A.16/lu.A.16.prv.zst",                         /* calls are known of its beginning */
};

/* Iterations of each window. */
static const unsigned lengths[] = { 1, 3, 7 };

struct window {
    unsigned iterations;
    unsigned calls[THREADS];
};

/* Calls that begin in a cut, by task. */
static bool count_calls(const char *path, struct window *w)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    memset(w->calls, 0, sizeof w->calls);
    while (f && getline(&line, &room, f) > 0) {
        unsigned task, thread;
        int at = 0;

        if (sscanf(line, "2:%*u:%*u:%u:%u:%*u:%n", &task, &thread, &at) < 2 || at == 0 ||
            task > THREADS || thread != 1)
            continue;
        for (char *pair = line + at; *pair; pair += strcspn(pair, ":\n"), pair += *pair != '\0') {
            const unsigned long type = strtoul(pair, &pair, 10);
            const unsigned long value = *pair == ':' ? strtoul(pair + 1, &pair, 10) : 0;

            w->calls[task - 1] += type >= 50000001 && type <= 50000003 && value > 0;
        }
    }
    free(line);
    return f && fclose(f) == 0;
}

static bool cut(const char *path, uint64_t first, unsigned iterations, struct window *out)
{
    const struct prvcut_run run = { .threads = 0 };
    const struct prvcut_selection what = { .first = first, .last = first + iterations - 1 };
    const struct prvcut_cut_options options = { .path = "whole-cut.prv", .force = true };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;
    bool good = prvcut_trace_open(&trace, path, NULL, &err) == PRVCUT_OK;

    if (!good)
        return false;
    good = prvcut_cut_named(trace, &run, &what, &options, &sum, &err) == PRVCUT_OK;
    if (!good)
        printf("  iteration %" PRIu64 ": %s\n", first, err.text);
    prvcut_trace_close(trace);
    out->iterations = iterations;
    good = good && count_calls("whole-cut.prv", out);
    for (unsigned i = 0; i < sum->files; i++)
        unlink(sum->file[i]);
    prvcut_cut_summary_free(sum);
    return good;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Windows in which a thread holds other numbers of calls than iterations make; 0 where these are
   not alike. */
static unsigned unlike(const struct window *w, unsigned windows, unsigned task)
{
    double rate[WINDOWS], usual_rate;
    unsigned other = 0;

    for (unsigned i = 0; i < windows; i++)
        rate[i] = (double)w[i].calls[task] / w[i].iterations;
    qsort(rate, windows, sizeof *rate, by_value);
    usual_rate = rate[windows / 2];
    for (unsigned i = 0; i < windows; i++)
        other += w[i].calls[task] != (unsigned)(usual_rate * w[i].iterations + 0.5);
    return other <= (1 - CONSTANT) * windows ? other : 0;
}

static uint64_t iterations_of(const char *path)
{
    const struct prvcut_run run = { .threads = 0 };
    const struct prvcut_structure_options options = { .levels = 1 };
    struct prvcut_structure *s = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;
    uint64_t out = 0;

    if (prvcut_trace_open(&trace, path, NULL, &err) < 0)
        return 0;
    if (prvcut_structure_find(trace, &run, &options, &s, &err) == PRVCUT_OK && s->main < s->regions)
        out = prvcut_structure_region(s, s->main)->loop_iterations;
    prvcut_structure_free(s);
    prvcut_trace_close(trace);
    return out;
}

/* Spread over the loop; its first and last iteration may do more. */
static bool check(const char *name, const char *path)
{
    const uint64_t all = iterations_of(path);
    struct window w[WINDOWS];
    unsigned windows = 0, wrong = 0;

    for (unsigned i = 0; i < WINDOWS; i++) {
        const unsigned n = lengths[i % (sizeof lengths / sizeof *lengths)];

        if (all < 2 * n + 2 || !cut(path, 2 + (all - n - 2) * i / (WINDOWS - 1), n, &w[windows]))
            break;
        windows++;
    }
    for (unsigned task = 0; task < THREADS && windows == WINDOWS; task++)
        wrong += unlike(w, windows, task);
    printf("%-60s %u cuts of %" PRIu64 " iterations, %u thread%s not whole\n", name, windows, all,
           wrong, wrong == 1 ? "" : "s");
    fflush(stdout);
    return windows == WINDOWS && wrong == 0;
}

static bool check_one(const char *name)
{
    char path[4096], top[4096], folder[64] = "";
    const char *file = name, *slash = strchr(name, '/');

    snprintf(top, sizeof top, "%s", traces_folder());
    if (slash && strncmp(name, "paraver/", 8) != 0) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
        file = slash + 1;
    }
    if (!traces_unpack_file(folder, file, path, sizeof path)) {
        printf("%-60s cannot be unpacked\n", name);
        return false;
    }
    return check(name, path);
}

int main(int argc, char **argv)
{
    bool good = true;

    if (!traces_folder()) {
        test_leaves_out("no traces (PRVCUT_TRACES names their folder)");
        return test_status(true);
    }
    for (int i = 1; i < argc; i++)
        good = check_one(argv[i]) && good;
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        good = check_one(usual[i]) && good;
    return test_status(good);
}
