#ifndef TESTS_STRUCTURE_GENERATED_H
#define TESTS_STRUCTURE_GENERATED_H

#include "tests/base/scratch.h"

#include <inttypes.h>

/* PRVGEN: the generator; given by the build. Traces are made in the test's own folder. */

#define TRUTH_STARTS 4096
#define TRUTH_MASKS  1024
#define TRUTH_PHASES 4

struct truth_mask {
    char cause[16]; /* "flush", "preemption", "clog" */
    uint64_t start, end;
    unsigned application, task, thread; /* 0: all */
};

struct truth_phase {
    uint64_t start, end, iterations;
    double mean, median;
};

/* What NAME.truth.json tells. */
struct truth {
    uint64_t duration, iterations;
    double mean, median; /* ns */
    uint64_t loop_start, loop_end;
    uint64_t first[TRUTH_STARTS]; /* first task's start of each iteration */
    size_t starts;
    struct truth_mask mask[TRUTH_MASKS];
    size_t masks;
    struct truth_phase phase[TRUTH_PHASES];
    size_t phases;
};

static inline int generated_shell(const char *command)
{
    const int status = system(command);

    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Make NAME.prv and its companions. */
static inline void generated_make(const char *options, const char *name)
{
    char command[8192];

    ck_assert_int_lt(snprintf(command, sizeof command, PRVGEN " %s %s", options, name),
                     (int)sizeof command);
    ck_assert_int_eq(generated_shell(command), 0);
}

static inline void truth_line(struct truth *t, const char *line)
{
    struct truth_phase p;
    struct truth_mask m = { .start = 0 };
    char thread[32];
    uint64_t first;

    if (sscanf(line,
               " {\"start_ns\": %" SCNu64 ", \"end_ns\": %" SCNu64 ", \"iterations\": %" SCNu64
               ", \"period_ns\": {\"mean\": %lf, \"median\": %lf",
               &p.start, &p.end, &p.iterations, &p.mean, &p.median) == 5 &&
        t->phases < TRUTH_PHASES)
        t->phase[t->phases++] = p;
    if (sscanf(line,
               " {\"cause\": \"%15[a-z]\", \"start_ns\": %" SCNu64 ", \"end_ns\": %" SCNu64
               ", \"thread\": \"%31[^\"]",
               m.cause, &m.start, &m.end, thread) == 4 &&
        t->masks < TRUTH_MASKS) {
        sscanf(thread, "%u.%u.%u", &m.application, &m.task, &m.thread);
        t->mask[t->masks++] = m;
    }
    if (sscanf(line, " [%" SCNu64 ", %*u, %*u]", &first) == 1 && t->starts < TRUTH_STARTS)
        t->first[t->starts++] = first;
}

static inline struct truth *truth_read(const char *name)
{
    struct truth *t = calloc(1, sizeof *t);
    char line[1024];
    FILE *file;

    snprintf(line, sizeof line, "%s.truth.json", name);
    file = fopen(line, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(t);
    while (fgets(line, sizeof line, file)) {
        sscanf(line, " \"duration_ns\": %" SCNu64, &t->duration);
        sscanf(line, " \"iterations\": %" SCNu64, &t->iterations);
        sscanf(line, " \"period_ns\": {\"mean\": %lf, \"median\": %lf", &t->mean, &t->median);
        sscanf(line, " \"loop\": {\"start_ns\": %" SCNu64 ", \"end_ns\": %" SCNu64, &t->loop_start,
               &t->loop_end);
        truth_line(t, line);
    }
    fclose(file);
    return t;
}

/* Where in the count of iterations a time lies, with fractions; by the first task's starts. */
static inline double truth_position(const struct truth *t, double time)
{
    size_t i = 0;
    double end;

    while (i + 1 < t->starts && (double)t->first[i + 1] <= time)
        i++;
    end = i + 1 < t->starts ? (double)t->first[i + 1] : (double)t->loop_end;
    return (double)i + (time - (double)t->first[i]) / (end - (double)t->first[i]);
}

#endif
