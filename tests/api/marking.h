#ifndef TESTS_API_MARKING_H
#define TESTS_API_MARKING_H

#include "marked.h"
#include "sound.h"
#include "traces.h"

#include <math.h>

/*
 * Marking a trace and what holds of it then. SAMPLE_FILES: folder of the sample; PRVGEN: the
 * generator; given by the build.
 */

static struct prvcut_error error;

/* --- Marking -------------------------------------------------------------------------------- */

/* What is told beside the trace's name. */
struct wish {
    struct prvcut_structure_options find;
    const char *out;
    int threads;
    bool lenient, force, dry_run, use_index;
    bool (*stop)(void *ctx);
};

static inline enum prvcut_status mark(const char *path, const struct wish *w,
                                      struct prvcut_marking **m)
{
    const struct prvcut_run run = { .threads = w->threads > 0 ? w->threads : 2, .stop = w->stop };
    const struct prvcut_open_options how = { .lenient = w->lenient, .no_index = !w->use_index };
    const struct prvcut_mark_options o = {
        .find = &w->find,
        .output = &(const struct prvcut_cut_options){ .path = w->out,
                                                      .force = w->force,
                                                      .dry_run = w->dry_run,
                                                      .command = "prvcut mark" },
    };
    struct prvcut_trace *t;
    enum prvcut_status st;

    error = (struct prvcut_error){ 0 };
    ck_assert_msg(prvcut_trace_open(&t, path, &how, &error) == PRVCUT_OK, "%s", error.text);
    st = prvcut_mark(t, &run, &o, m, &error);
    prvcut_trace_close(t);
    return st;
}

static inline void mark_well(const char *path, const struct wish *w, struct prvcut_marking **m)
{
    const enum prvcut_status st = mark(path, w, m);

    ck_assert_msg(st == PRVCUT_OK, "%s: %d %s%s", path, st, error.text,
                  st == PRVCUT_NONE ? (*m)->structure->reason : "");
}

static inline void expect_refused(const char *path, const struct wish *w, enum prvcut_status status,
                                  const char *words)
{
    struct prvcut_marking *m;

    ck_assert_int_eq(mark(path, w, &m), status);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
    ck_assert_ptr_null(m);
    prvcut_marking_free(m);
}

/* --- Traces --------------------------------------------------------------------------------- */

static inline void make_generated(const char *options, const char *name)
{
    ck_assert(traces_shell(PRVGEN " %s %s", options, name));
}

static inline void copy_sample(void)
{
    ck_assert(traces_shell("cp '%s'/lu.S.8.* . && zstd -dq --rm *.zst", SAMPLE_FILES));
}

/* A program made by hand: all tasks compute, exchange, compute, and reduce in each iteration. */
struct made {
    unsigned tasks, iterations;
    unsigned server;          /* task that makes calls of its own, without a loop; 0: none */
    unsigned other;           /* tasks of a second application, which has no loop */
    const char *unit, *comms; /* of the header */
    uint64_t period;          /* ticks, >= 1000 */
};

static inline void put_call(FILE *f, unsigned application, unsigned task, unsigned cpu,
                            uint64_t from, uint64_t to, unsigned type, unsigned value)
{
    fprintf(f, "2:%u:%u:%u:1:%" PRIu64 ":%u:%u\n", cpu, application, task, from, type, value);
    fprintf(f, "1:%u:%u:%u:1:%" PRIu64 ":%" PRIu64 ":4\n", cpu, application, task, from, to);
    fprintf(f, "2:%u:%u:%u:1:%" PRIu64 ":%u:0\n", cpu, application, task, to, type);
}

static inline void put_at_random(FILE *f, unsigned application, unsigned task, unsigned cpu,
                                 uint64_t end)
{
    uint64_t state = 1000 * application + task, at = 10;

    while (at + 300 < end) {
        const unsigned type = 50000001 + (unsigned)(scratch_random(&state) % 3);
        const uint64_t length = 10 + scratch_random(&state) % 200;

        put_call(f, application, task, cpu, at, at + length, type,
                 1 + (unsigned)(scratch_random(&state) % 40));
        at += length + 1 + scratch_random(&state) % 3000;
    }
}

static inline void put_loop(FILE *f, const struct made *m, unsigned task)
{
    uint64_t state = task;

    for (unsigned i = 0; i < m->iterations; i++) {
        const uint64_t at = 5000 + i * m->period + 3 * task + scratch_random(&state) % 20;

        put_call(f, 1, task, task, at, at + m->period / 10, 50000001, 1 + task % 2);
        put_call(f, 1, task, task, at + m->period / 2, at + m->period / 2 + m->period / 20,
                 50000001, 3);
        put_call(f, 1, task, task, at + m->period * 7 / 10, at + m->period * 9 / 10, 50000002, 10);
    }
}

static inline void make_by_hand(const char *name, const struct made *m)
{
    const uint64_t end = 10000 + (m->iterations + 2) * m->period;
    FILE *f = fopen("body", "w");

    ck_assert_ptr_nonnull(f);
    for (unsigned task = 1; task <= m->tasks; task++)
        if (task == m->server)
            put_at_random(f, 1, task, task, end);
        else
            put_loop(f, m, task);
    for (unsigned task = 1; task <= m->other; task++)
        put_at_random(f, 2, task, m->tasks + task, end);
    fclose(f);
    f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 12:00):%" PRIu64 "%s:1(%u):%d:%u(", end, m->unit,
            m->tasks + m->other, m->other ? 2 : 1, m->tasks);
    for (unsigned task = 1; task <= m->tasks; task++)
        fprintf(f, "%s1:1", task > 1 ? "," : "");
    fprintf(f, ")%s", m->other ? ":" : "");
    if (m->other)
        fprintf(f, "%u(", m->other);
    for (unsigned task = 1; task <= m->other; task++)
        fprintf(f, "%s1:1", task > 1 ? "," : "");
    fprintf(f, "%s%s\n", m->other ? ")" : "", m->comms);
    fclose(f);
    ck_assert(traces_shell("LC_ALL=C sort -s -t: -k6,6n body >>'%s' && rm body", name));
}

static const struct made four = {
    .tasks = 4, .iterations = 40, .unit = "_ns", .comms = "", .period = 20000
};

/* --- Laws ----------------------------------------------------------------------------------- */

static inline size_t regions_marked(const struct prvcut_structure *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->regions; i++)
        count +=
            prvcut_structure_region(s, i)->level == 1 && prvcut_structure_region(s, i)->loop > 0;
    return count;
}

static const struct prvcut_region *region_marked(const struct prvcut_structure *s, size_t n)
{
    for (size_t i = 0; i < s->regions; i++)
        if (prvcut_structure_region(s, i)->level == 1 && prvcut_structure_region(s, i)->loop > 0 &&
            n-- == 0)
            return prvcut_structure_region(s, i);
    return NULL;
}

/* Steps of a region, whose borders may not be known. */
static inline size_t steps(const struct prvcut_region *r)
{
    return r->border ? r->borders - 1 : (size_t)llround(r->iterations);
}

static inline bool is_row_of(const struct marked_row *row, const struct prvcut_region *r,
                             uint64_t unit)
{
    if (row->count != steps(r) + 1)
        return false;
    for (size_t i = 0; i < row->count; i++)
        if (row->at[i] != r->border[i] / unit)
            return false;
    return true;
}

/* On some task, the leading thread's, the marks are the borders that the structure tells. */
static inline void expect_leader(const struct marked_rows *rows, const struct prvcut_region *r,
                                 uint64_t unit)
{
    for (size_t i = 0; i < rows->rows; i++)
        if (is_row_of(&rows->row[i], r, unit))
            return;
    ck_abort_msg("no task's marks are the borders of the region at %" PRIu64, r->span.start);
}

/* Every row has as many marks as a region that begins near it has iterations and one more. */
static inline void expect_counts(const struct marked_rows *rows, const struct prvcut_structure *s)
{
    size_t wanted = 0, seen = 0;

    for (size_t i = 0; i < rows->rows; i++) {
        bool found = false;

        for (size_t n = 0; n < regions_marked(s); n++)
            found |= steps(region_marked(s, n)) + 1 == rows->row[i].count;
        ck_assert_msg(found, "task %u has %zu marks in a row", rows->row[i].task,
                      rows->row[i].count);
        seen += rows->row[i].count;
    }
    for (size_t n = 0; n < regions_marked(s); n++)
        wanted += steps(region_marked(s, n)) + 1;
    /* A task is marked in some of the regions, or in all. */
    ck_assert_uint_le(seen, wanted * rows->rows);
}

static inline size_t count_tasks(const struct marked_rows *rows)
{
    size_t count = 0;

    for (size_t i = 0; i < rows->rows; i++)
        count +=
            marked_row_of(rows, rows->row[i].application, rows->row[i].task, 0) == &rows->row[i];
    return count;
}

/* Tasks that begin all their iterations with a call of their own. */
static inline size_t count_own(const struct marked_text *t, const struct marked_rows *rows)
{
    size_t count = 0;

    for (size_t i = 0; i < rows->rows; i++) {
        const struct marked_row *row = &rows->row[i];
        bool own = marked_row_of(rows, row->application, row->task, 0) == row;

        for (size_t k = i; own && k < rows->rows; k++)
            for (size_t j = 0;
                 rows->row[k].task == row->task && rows->row[k].application == row->application &&
                 j + 1 < rows->row[k].count;
                 j++)
                own = own && marked_calls_at(t, row->application, row->task, rows->row[k].at[j]);
        count += own;
    }
    return count;
}

static inline void expect_structure(const struct prvcut_structure *s, const char *path,
                                    const struct wish *w)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_open_options how = { .lenient = w->lenient, .no_index = true };
    struct prvcut_structure_options find = w->find;
    struct prvcut_structure *alone;
    struct prvcut_trace *t;
    char *one = NULL, *two = NULL;

    find.levels = 1;
    ck_assert_int_eq(prvcut_trace_open(&t, path, &how, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_structure_find(t, &run, &find, &alone, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_structure_json(s, &one, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_structure_json(alone, &two, &error), PRVCUT_OK);
    ck_assert_str_eq(one, two);
    free(one);
    free(two);
    prvcut_structure_free(alone);
    prvcut_trace_close(t);
}

/* All that holds of a marked trace; m is released. plain: the trace and the marked one, unpacked */
static inline void expect_laws(const char *plain, const char *out, struct prvcut_marking *m)
{
    struct marked_text t = marked_read(out);
    struct marked_rows rows = marked_collect(&t);
    uint64_t marks = 0;

    marked_expect_original(&t, plain);
    marked_expect_places(&t);
    expect_counts(&rows, m->structure);
    for (size_t n = 0; n < regions_marked(m->structure); n++)
        if (region_marked(m->structure, n)->border)
            expect_leader(&rows, region_marked(m->structure, n), t.unit);
    for (size_t i = 0; i < rows.rows; i++)
        marks += rows.row[i].count;
    ck_assert_uint_eq(m->marks, marks);
    ck_assert_uint_eq(m->tasks, count_tasks(&rows));
    ck_assert_uint_le(m->own_tasks, m->tasks);
    ck_assert_uint_eq(m->bytes, t.count);
    ck_assert(sound_as(out, plain));
    marked_rows_free(&rows);
    marked_free(&t);
    prvcut_marking_free(m);
}

/* Mark a plain trace into out.prv and look at all of it. */
static inline void check_laws(const char *path, struct wish w)
{
    struct prvcut_marking *m;

    w.out = "out.prv";
    mark_well(path, &w, &m);
    expect_structure(m->structure, path, &w);
    expect_laws(path, "out.prv", m);
}

static inline void expect_same_files(const char *a, const char *b)
{
    ck_assert_msg(traces_shell("cmp '%s' '%s'", a, b), "%s is not %s", a, b);
}

/* Task 3 answers when it is asked. */
static const struct made served = { 6, 40, 3, 0, "_ns", "", 20000 };

static inline void expect_server_without_marks(const struct wish *w)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;

    mark_well("a.prv", w, &m);
    ck_assert_uint_eq(m->tasks, 5);
    ck_assert_uint_eq(m->own_tasks, 5);
    t = marked_read(w->out);
    rows = marked_collect(&t);
    ck_assert_ptr_null(marked_row_of(&rows, 1, 3, 0));
    ck_assert_ptr_nonnull(marked_row_of(&rows, 1, 2, 0));
    ck_assert_ptr_nonnull(marked_row_of(&rows, 1, 4, 0));
    ck_assert_uint_eq(count_own(&t, &rows), 5);
    marked_rows_free(&rows);
    marked_free(&t);
    prvcut_marking_free(m);
}

#endif
