#ifndef TESTS_API_LEVEL_TRUTH_H
#define TESTS_API_LEVEL_TRUTH_H

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL_PHASES 2
#define LEVEL_INNER  64 /* iterations of a nested loop */

struct level_span {
    double start, end;
};

/* What NAME.truth.json tells of the loops; times in ns. */
struct level_truth {
    struct level_span *iteration; /* by task 1 */
    struct level_span *latest;    /* by the task that comes last; other tasks are between */
    size_t iterations, room;
    double end; /* of the last one */
    struct level_span phase[LEVEL_PHASES];
    double phase_iterations[LEVEL_PHASES];
    size_t phases;
    struct level_span *flush;
    size_t flushes;
    double *inner; /* borders of the loop right inside, iteration by iteration */
    size_t inner_numbers;
    double every;       /* one iteration in so many does extra work; 0: none */
    size_t inner_count; /* iterations of that loop; 0: there is none */
};

static inline void *level_room(void *old, size_t count, size_t size)
{
    void *room = realloc(old, count * size);

    ck_assert_ptr_nonnull(room);
    return room;
}

static inline void level_truth_free(struct level_truth *t)
{
    free(t->iteration);
    free(t->latest);
    free(t->flush);
    free(t->inner);
}

static inline void level_truth_inner(struct level_truth *t, const char *text)
{
    char *end;
    size_t numbers = 0;

    for (;; text = end + (*end == ',')) {
        const double value = strtod(text, &end);

        if (end == text)
            break;
        t->inner = level_room(t->inner, t->inner_numbers + 1, sizeof *t->inner);
        t->inner[t->inner_numbers++] = value;
        numbers++;
    }
    ck_assert_uint_ge(numbers, 2);
    t->inner_count = numbers - 1;
    ck_assert_uint_le(t->inner_count, LEVEL_INNER);
}

static inline void level_truth_line(struct level_truth *t, const char *line)
{
    struct level_span s;
    double iterations, one, last;

    sscanf(line, " {\"application\": 1, \"start_ns\": %*f, \"end_ns\": %lf", &t->end);
    sscanf(line, " \"departures\": {\"first\": %*f, \"every\": %lf", &t->every);
    if (sscanf(line, " {\"start_ns\": %lf, \"end_ns\": %lf, \"iterations\": %lf", &s.start, &s.end,
               &iterations) == 3) {
        ck_assert_uint_lt(t->phases, LEVEL_PHASES);
        t->phase_iterations[t->phases] = iterations;
        t->phase[t->phases++] = s;
    } else if (sscanf(line, " {\"cause\": \"flush\", \"start_ns\": %lf, \"end_ns\": %lf", &s.start,
                      &s.end) == 2) {
        t->flush = level_room(t->flush, t->flushes + 1, sizeof *t->flush);
        t->flush[t->flushes++] = s;
    } else if (sscanf(line, " [%*f, %lf, %lf]", &last, &one) == 2) {
        t->iteration = level_room(t->iteration, t->iterations + 1, sizeof *t->iteration);
        t->latest = level_room(t->latest, t->iterations + 1, sizeof *t->latest);
        if (t->iterations > 0) {
            t->iteration[t->iterations - 1].end = one;
            t->latest[t->iterations - 1].end = last;
        }
        t->latest[t->iterations] = (struct level_span){ last, last };
        t->iteration[t->iterations++] = (struct level_span){ one, one };
    } else if (strstr(line, "{\"at\": [")) {
        level_truth_inner(t, strchr(line, '[') + 1);
    }
}

static inline struct level_truth level_truth_read(const char *name)
{
    struct level_truth t = { 0 };
    static char line[1 << 16];
    FILE *file;

    snprintf(line, sizeof line, "%s.truth.json", name);
    file = fopen(line, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        level_truth_line(&t, line);
    fclose(file);
    if (t.iterations > 0 && t.phases > 0) {
        t.iteration[t.iterations - 1].end = t.end;
        t.latest[t.iterations - 1].end = t.phase[t.phases - 1].end;
    }
    return t;
}

static inline bool level_flushed(const struct level_truth *t, const struct level_span *s)
{
    for (size_t i = 0; i < t->flushes; i++)
        if (t->flush[i].start < s->end && t->flush[i].end > s->start)
            return true;
    return false;
}

static inline int level_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Mean and median of some lengths. */
struct level_lengths {
    double mean, median;
    size_t count;
};

static inline struct level_lengths level_measure(double *length, size_t count)
{
    struct level_lengths l = { .count = count };

    if (count == 0)
        return l;
    qsort(length, count, sizeof *length, level_by_value);
    for (size_t i = 0; i < count; i++)
        l.mean += length[i] / (double)count;
    l.median = (length[(count - 1) / 2] + length[count / 2]) / 2;
    return l;
}

/* Of the spans whose middle lies inside [from, to) and that no flush touches. */
static inline struct level_lengths level_inside(const struct level_truth *t,
                                                const struct level_span *span, size_t count,
                                                struct level_span in)
{
    double *length = level_room(NULL, count + 1, sizeof *length);
    struct level_lengths l;
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        const double middle = (span[i].start + span[i].end) / 2;

        if (middle >= in.start && middle < in.end && !level_flushed(t, &span[i]))
            length[n++] = span[i].end - span[i].start;
    }
    l = level_measure(length, n);
    free(length);
    return l;
}

#endif
