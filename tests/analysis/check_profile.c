/* Profiles against the same values computed naively from the text of the trace, and against numbers
   that other programs tell. */
#include "analysis/profile/profile.h"
#include "analysis/proof_pass.h"
#include "model/made.h"
#include "tests/analysis/brute_profile.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <math.h>

static struct prvcut_error error;
static char folder[200];

static void make_folder(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/prvcut-profile.XXXXXX", base && *base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    ck_assert(traces_shell("rm -rf '%s'", folder));
}

static struct prvcut_profile *make(const char *path, uint32_t by, struct prvcut_span only,
                                   int threads)
{
    const struct prvcut_profile_options o = { .size = sizeof o, .by = by, .only = only };
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_trace *trace;
    struct prvcut_profile *p;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_profile_make(trace, &run, &o, &p, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_trace_close(trace);
    return p;
}

/* --- Against brute force ---------------------------------------------------------------------- */

static const struct prvcut_profile_row *row_of(const struct prvcut_profile *p, uint32_t thread,
                                               const struct brute_call *c)
{
    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);

        if (r->thread == thread && r->type == c->type && r->value == (int64_t)c->value)
            return r;
    }
    return NULL;
}

/* Does a call that the trace has no name for share a row with others? */
static bool is_named(const struct prvcut_profile *p, const struct brute_profile *b)
{
    for (size_t i = 0; i < p->rows; i++)
        if (prvcut_profile_row(p, i)->value == INT64_MIN)
            return false;
    return b->threads > 0;
}

/* Calls by thread; returns how many rows there must be. */
static size_t compare_calls(const struct prvcut_profile *p, const struct brute_profile *b)
{
    size_t rows = 0;

    for (uint32_t t = 0; t < b->threads; t++)
        for (size_t k = 0; k < b->thread[t].calls; k++) {
            const struct brute_call *c = &b->thread[t].call[k];
            const struct prvcut_profile_row *r = row_of(p, t, c);

            if (c->parts == 0 && c->entered == 0)
                continue;
            rows++;
            ck_assert_msg(r, "no row of %" PRIu64 ":%" PRIu64, c->type, c->value);
            ck_assert_uint_eq(r->entered, c->entered);
            ck_assert_uint_eq(r->ns, c->ns);
            ck_assert_uint_eq(r->open, c->open);
            if (c->parts == 0)
                continue;
            ck_assert_uint_eq(r->least_ns, c->least);
            ck_assert_uint_eq(r->most_ns, c->most);
            ck_assert_double_eq_tol(r->mean_ns, (double)c->ns / (double)c->parts, 1e-6);
        }
    return rows;
}

static uint64_t brute_calls_ns(const struct brute_thread *t)
{
    uint64_t ns = 0;

    for (size_t k = 0; k < t->calls; k++)
        ns += t->call[k].ns;
    return ns;
}

static void compare_counters(const struct prvcut_profile *p, const struct prvcut_profile_row *r,
                             const struct brute_profile *b, const struct brute_thread *t)
{
    uint64_t sum = 0, want = 0;

    ck_assert_uint_ge(p->counters, b->types > 0);
    for (size_t i = 0; i < p->counters; i++)
        if (r->counter[i] != PRVCUT_PROFILE_UNTOLD)
            sum += r->counter[i];
    for (size_t i = 0; i < b->types; i++)
        want += t->counter[i];
    /* A value that a border divides stays whole. */
    ck_assert_uint_le(sum > want ? sum - want : want - sum, b->types);
}

static int by_ns(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The rest by state, whatever their names: the last of them is in no state. */
static void compare_rest(const struct prvcut_profile *p, const struct prvcut_profile_row *r,
                         const struct brute_thread *t)
{
    uint64_t is[BRUTE_TYPES] = { 0 }, want[BRUTE_TYPES], sum = 0;

    if (!r->rest || strcmp(p->computing, "running") != 0)
        return;
    ck_assert_uint_le(p->rests, BRUTE_TYPES);
    for (size_t i = 0; i < p->rests; i++)
        sum += r->rest[i];
    ck_assert_uint_eq(sum, r->rest_ns);
    for (size_t i = 0; i + 1 < p->rests; i++)
        is[i] = r->rest[i];
    memcpy(want, t->rest, sizeof want);
    qsort(is, BRUTE_TYPES, sizeof *is, by_ns);
    qsort(want, BRUTE_TYPES, sizeof *want, by_ns);
    ck_assert_mem_eq(is, want, sizeof want);
}

static void compare_line(const struct prvcut_profile *p, const struct prvcut_profile_row *r,
                         const struct brute_profile *b, const struct brute_thread *t)
{
    const uint64_t recorded = t->last > t->lo ? t->last - t->lo : 0;

    ck_assert_uint_eq(r->recorded_ns, recorded);
    if (p->computing && strcmp(p->computing, "running") == 0)
        ck_assert_uint_eq(r->computing_ns, t->state[1]);
    if (r->calls_ns != PRVCUT_PROFILE_UNTOLD)
        ck_assert_uint_eq(r->calls_ns, brute_calls_ns(t));
    ck_assert_uint_ne(r->rest_ns, PRVCUT_PROFILE_UNTOLD);
    if (r->calls_ns != PRVCUT_PROFILE_UNTOLD)
        ck_assert_uint_eq(r->computing_ns + r->calls_ns + r->rest_ns, recorded);
    if (r->sent != PRVCUT_PROFILE_UNTOLD) {
        ck_assert_uint_eq(r->sent, t->sent);
        ck_assert_uint_eq(r->sent_bytes, t->sent_bytes);
        ck_assert_uint_eq(r->received, t->received);
        ck_assert_uint_eq(r->received_bytes, t->received_bytes);
    }
    compare_counters(p, r, b, t);
    compare_rest(p, r, t);
}

/* All parts of all threads of the row's call. */
static uint64_t *parts_of(const struct brute_profile *b, const struct prvcut_profile_row *r,
                          size_t *count)
{
    uint64_t *all = NULL;

    *count = 0;
    for (size_t t = 0; t < b->threads; t++)
        for (size_t k = 0; k < b->thread[t].calls; k++) {
            const struct brute_call *c = &b->thread[t].call[k];

            if (c->type != r->type || (int64_t)c->value != r->value || c->parts == 0)
                continue;
            all = realloc(all, (*count + c->parts) * sizeof *all);
            memcpy(all + *count, c->part, c->parts * sizeof *all);
            *count += c->parts;
        }
    if (*count > 0)
        qsort(all, *count, sizeof *all, by_ns);
    return all;
}

/* Medians from the histogram: at most 0.8 % off. */
static void compare_lengths(const struct prvcut_profile *p, const struct brute_profile *b)
{
    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);
        size_t count;
        uint64_t *all = parts_of(b, r, &count);

        if (count > 0) {
            const double median = (double)all[(count + 1) / 2 - 1];
            const double high = (double)all[count - count / 20 - 1];

            ck_assert_double_eq_tol((double)r->median_ns, median, 0.008 * median);
            ck_assert_double_eq_tol((double)r->percentile_95_ns, high, 0.008 * high);
            ck_assert_uint_eq(r->least_ns, all[0]);
            ck_assert_uint_eq(r->most_ns, all[count - 1]);
        }
        free(all);
    }
}

static void compare(const char *path, struct prvcut_span only, int threads)
{
    static struct brute_profile b;
    struct prvcut_profile *p =
        make(path, PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_THREAD, only, threads);

    brute_profile_read(
        &b, path, (const uint64_t[][2]){ { only.start, only.end > 0 ? only.end : UINT64_MAX } },
        false);
    if (is_named(p, &b))
        ck_assert_uint_eq(compare_calls(p, &b), p->rows);
    ck_assert_uint_eq(p->lost, b.lost);
    prvcut_profile_free(p);
    p = make(path, PRVCUT_PROFILE_BY_THREAD, only, threads);
    ck_assert_uint_eq(p->rows, b.threads);
    for (size_t i = 0; i < p->rows; i++)
        compare_line(p, prvcut_profile_row(p, i), &b, &b.thread[i]);
    prvcut_profile_free(p);
    p = make(path, PRVCUT_PROFILE_BY_CALL, only, threads);
    compare_lengths(p, &b);
    prvcut_profile_free(p);
    brute_profile_fini(&b);
}

static void compare_windows(const char *path)
{
    const struct prvcut_span all = { 0, 0 };
    struct prvcut_profile *p = make(path, 0, all, 1);
    const uint64_t end = p->end_ns;

    prvcut_profile_free(p);
    for (int threads = 1; threads <= 4; threads += 3)
        compare(path, all, threads);
    compare(path, (struct prvcut_span){ end / 3, end / 3 + end / 50 }, 2);
    compare(path, (struct prvcut_span){ end / 2 + 1234, end / 2 + 1235 + end / 7 }, 3);
    compare(path, (struct prvcut_span){ end - end / 5, end }, 2);
}

/* --- Stretches of threads --------------------------------------------------------------------- */

enum { SLOTS = 7 };

/* Stretches that follow each other, overlap and hold each other; those of threads are skewed, and
   one thread has no part of some. */
struct windows {
    uint64_t at[SLOTS][BRUTE_THREADS][2];
    uint64_t from[SLOTS][BRUTE_THREADS], to[SLOTS][BRUTE_THREADS];
    struct prvcut_proof_region stretch[SLOTS];
};

static void set_windows(struct windows *w, uint64_t end, uint32_t threads)
{
    static const double place[SLOTS][2] = { { 0, 1 },       { 0.2, 0.8 },  { 0.3, 0.32 },
                                            { 0.32, 0.34 }, { 0.34, 0.5 }, { 0.45, 0.46 },
                                            { 0.9, 1.1 } };

    for (size_t i = 0; i < SLOTS; i++) {
        for (uint32_t t = 0; t < threads; t++) {
            const uint64_t skew = i > 0 ? t * (end / 10000) : 0;

            w->from[i][t] = w->at[i][t][0] = (uint64_t)(place[i][0] * (double)end) + skew;
            w->to[i][t] = w->at[i][t][1] = (uint64_t)(place[i][1] * (double)end) + skew;
            if (i % 2 == 1 && t == 1)
                w->to[i][t] = w->at[i][t][1] = w->from[i][t];
        }
        w->stretch[i] = (struct prvcut_proof_region){ .window = { .from = w->from[i][0],
                                                                  .to = w->to[i][0],
                                                                  .thread_from = w->from[i],
                                                                  .thread_to = w->to[i] } };
    }
}

static const struct prvcut_profile_cell *cell_of(const struct prvcut_profile_found *f,
                                                 uint32_t slot, uint32_t thread,
                                                 struct prvcut_proof_key of)
{
    const struct prvcut_profile_key key = { slot, thread, of };

    return prvcut_table_find(&f->cell, &key);
}

static uint64_t amount_of(const struct prvcut_profile_cell *c)
{
    return c ? c->amount : 0;
}

static void compare_cells(const struct prvcut_profile_found *f, uint32_t slot, uint32_t thread,
                          const struct brute_thread *t)
{
    for (size_t k = 0; k < t->calls; k++) {
        const struct brute_call *c = &t->call[k];
        struct prvcut_proof_key of = { PRVCUT_PROOF_CALL, (uint32_t)c->type, (int64_t)c->value };
        const struct prvcut_profile_cell *got;

        /* Those without a name share a cell. */
        prvcut_proof_key_settle(&of, &f->names);
        if (of.value != (int64_t)c->value)
            continue;
        got = cell_of(f, slot, thread, of);

        ck_assert_uint_eq(got ? got->count : 0, c->entered);
        ck_assert_uint_eq(amount_of(got), c->ns);
        ck_assert_uint_eq(got ? got->parts : 0, c->parts);
        ck_assert_uint_eq(got ? got->least : 0, c->least);
        ck_assert_uint_eq(got ? got->most : 0, c->most);
    }
    for (uint32_t i = 0; i < BRUTE_TYPES; i++)
        ck_assert_uint_eq(amount_of(cell_of(f, slot, thread,
                                            (struct prvcut_proof_key){ PRVCUT_PROOF_STATE, i, 0 })),
                          t->state[i]);
    for (uint32_t i = 0; i < 2; i++) {
        const struct prvcut_profile_cell *got =
            cell_of(f, slot, thread, (struct prvcut_proof_key){ PRVCUT_PROOF_MESSAGE, i, 0 });

        ck_assert_uint_eq(got ? got->count : 0, i ? t->received : t->sent);
        ck_assert_uint_eq(amount_of(got), i ? t->received_bytes : t->sent_bytes);
    }
}

static void compare_stretches(const char *path, int threads)
{
    static struct windows w;
    static struct brute_profile b;
    const struct prvcut_run run = { .threads = threads };
    const struct prvcut_profile_asked asked = {
        .stretch = w.stretch, .stretches = SLOTS, .until = UINT64_MAX, .bins = true
    };
    struct prvcut_profile_found f;
    struct prvcut_trace *t;

    memset(&error, 0, sizeof error);
    ck_assert(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK);
    set_windows(&w, t->end_ns, t->objects.threads);
    ck_assert_msg(prvcut_profile_read(&f, t, &run, &asked, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert(f.apart);
    for (uint32_t i = 0; i < SLOTS; i++) {
        brute_profile_read(&b, path, (const uint64_t(*)[2])w.at[i], true);
        for (uint32_t k = 0; k < b.threads; k++)
            compare_cells(&f, i, k, &b.thread[k]);
        brute_profile_fini(&b);
    }
    prvcut_profile_found_fini(&f);
    prvcut_trace_close(t);
}

/* --- Read in parts ---------------------------------------------------------------------------- */

static void compare_cell(const struct prvcut_table *table, const struct prvcut_profile_cell *is)
{
    const struct prvcut_profile_cell *whole = prvcut_table_find(table, &is->key);

    ck_assert_ptr_nonnull(whole);
    ck_assert_uint_eq(is->amount, whole->amount);
    ck_assert_uint_eq(is->count, whole->count);
    ck_assert_uint_eq(is->parts, whole->parts);
    ck_assert_uint_eq(is->least, whole->least);
    ck_assert_uint_eq(is->most, whole->most);
}

static void compare_tables(const struct prvcut_table *parts, const struct prvcut_table *whole)
{
    const struct prvcut_profile_cell *at = parts->at;

    ck_assert_uint_eq(parts->count, whole->count);
    for (size_t i = 0; i < parts->count; i++)
        compare_cell(whole, &at[i]);
}

/* Four stretches, the last two in one part; no call of these traces is longer than what is read
   before a part. */
static void compare_parts(const char *path, int threads)
{
    static const uint64_t begin[4] = { 45, 10, 70, 72 }, end[4] = { 50, 14, 75, 80 };
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_proof_region stretch[4] = { 0 };
    struct prvcut_span part[3];
    struct prvcut_profile_asked asked = {
        .stretch = stretch, .stretches = 4, .until = UINT64_MAX, .off = true
    };
    struct prvcut_profile_found whole, parts;
    struct prvcut_trace *t;

    memset(&error, 0, sizeof error);
    ck_assert(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK);
    for (size_t i = 0; i < 4; i++)
        stretch[i].window = (struct prvcut_window){ .from = t->end_ns * begin[i] / 100,
                                                    .to = t->end_ns * end[i] / 100 };
    part[0] = (struct prvcut_span){ stretch[1].window.from, stretch[1].window.to };
    part[1] = (struct prvcut_span){ stretch[0].window.from, stretch[0].window.to };
    part[2] = (struct prvcut_span){ stretch[2].window.from, stretch[3].window.to };
    ck_assert(prvcut_profile_read(&whole, t, &run, &asked, &error) == PRVCUT_OK);
    ck_assert_msg(
        prvcut_profile_read_parts(
            &parts, t, &run, &asked,
            &(struct prvcut_proof_only){ .span = part, .spans = 3, .before = t->end_ns / 10 },
            &error) == PRVCUT_OK,
        "%s", error.text);
    compare_tables(&parts.cell, &whole.cell);
    compare_tables(&parts.off, &whole.off);
    ck_assert_uint_gt(parts.cell.count, 0);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(prvcut_profile_length(&parts, i, 0), prvcut_profile_length(&whole, i, 0));
    prvcut_profile_found_fini(&whole);
    prvcut_profile_found_fini(&parts);
    prvcut_trace_close(t);
}

static const char *const traces[] = {
    "lu.S.4", "bt.W.4.hwc", "comd.8.ctl",   "lu.S.8.flush", "sp.W.9.burst", "cg.W.4.sampling",
    "ep.W.4", "hpcc.4",     "lulesh.8.omp", "bt.S.4",       "mg.W.8",       "lu.A.2.preempt",
    "ft.W.4", "ft.A.2",     "is.W.8",       "cg.A.2",       "lammps.4",     "comd.8",
    "mg.B.8", "cg.W.8",     "bt.W.9",       "lulesh.8",     "bt.W.9.flush", "lu.W.4",
    "sp.W.9", "sp.A.16",
};

/* Line R5: each rank's parts are its time, and all of them the total's. */
static void add_up(const char *name, const char *path)
{
    struct prvcut_profile *p = make(path, PRVCUT_PROFILE_BY_RANK, (struct prvcut_span){ 0, 0 }, 2);
    const struct prvcut_profile_row *total = prvcut_profile_total(p);
    uint64_t computing = 0, calls = 0, rest = 0, recorded = 0;

    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);
        const uint64_t called = r->calls_ns == PRVCUT_PROFILE_UNTOLD ? 0 : r->calls_ns;

        ck_assert_uint_eq(r->computing_ns + called + r->rest_ns, r->recorded_ns);
        computing += r->computing_ns;
        calls += called;
        rest += r->rest_ns;
        recorded += r->recorded_ns;
    }
    printf("R5  %-15s %2zu ranks: computing %" PRIu64 " + calls %" PRIu64 " + rest %" PRIu64
           " = %" PRIu64 " ns\n",
           name, p->rows, computing, calls, rest, recorded);
    ck_assert_uint_eq(recorded, total->recorded_ns);
    ck_assert_uint_eq(computing, total->computing_ns);
    ck_assert_uint_eq(rest, total->rest_ns);
    prvcut_profile_free(p);
}

START_TEST(test_profile_real_trace_equals_brute_force)
{
    char path[4096];

    if (!traces_folder()) {
        test_leaves_out("real traces");
        return;
    }
    if (!traces_wanted("paraver", traces[_i]))
        return;
    ck_assert(traces_unpack(traces[_i], path, sizeof path));
    add_up(traces[_i], path);
    compare_windows(path);
    compare_stretches(path, 3);
}
END_TEST

/* Cut as an old cutter cuts: what was open at its border has no begin. */
START_TEST(test_profile_text_cut_anywhere_equals_brute_force)
{
    char path[300];

    ck_assert(
        traces_shell("cd '%s' && zstd -dqf '%s'/lu.S.8.prv.zst -o whole.prv && "
                     "{ sed -n 1,10p whole.prv | grep '^[#c]'; sed -n 30000,50000p whole.prv; } "
                     ">cut.prv",
                     folder, SAMPLE_FILES));
    snprintf(path, sizeof path, "%s/cut.prv", folder);
    compare_windows(path);
    compare_stretches(path, 2);
}
END_TEST

START_TEST(test_profile_sample_equals_brute_force)
{
    char path[300];

    ck_assert(
        traces_shell("cp '%s'/lu.S.8.* '%s' && zstd -dq '%s'/*.zst", SAMPLE_FILES, folder, folder));
    snprintf(path, sizeof path, "%s/lu.S.8.prv", folder);
    compare_windows(path);
    compare_stretches(path, 1);
    compare_stretches(path, 4);
    compare_parts(path, 2);
}
END_TEST

START_TEST(test_profile_in_parts_equals_whole)
{
    static const char *const large[] = { "sp.A.16", "lu.W.4" };
    char path[4096];

    if (!traces_folder()) {
        test_leaves_out("real traces");
        return;
    }
    if (!traces_wanted("paraver", large[_i]))
        return;
    ck_assert(traces_unpack(large[_i], path, sizeof path));
    compare_parts(path, 2);
}
END_TEST

static Suite *profile_suite(void)
{
    Suite *s = suite_create("profile");
    TCase *tests = tcase_create("tests");

    tcase_set_timeout(tests, 300);
    tcase_add_unchecked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, test_profile_sample_equals_brute_force);
    tcase_add_test(tests, test_profile_text_cut_anywhere_equals_brute_force);
    tcase_add_loop_test(tests, test_profile_real_trace_equals_brute_force, 0,
                        (int)(sizeof traces / sizeof *traces));
    tcase_add_loop_test(tests, test_profile_in_parts_equals_whole, 0, 2);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    if (!traces_folder())
        test_leaves_out("real traces");
    return run_suite(profile_suite());
}
