#include "analysis/patterns/seek.h"
#include "prvcut/find.h"
#include "tests/support/built.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the third iteration of real runs happens again, on all ranks; a row with planted changes;
   steps with and without an extra call. */

static struct prvcut_error err;
static const struct prvcut_run two = { .size = sizeof two, .threads = 2 };

static struct prvcut_trace *opened(const char *name)
{
    const struct prvcut_open_options o = { .size = sizeof o };
    struct prvcut_trace *t = NULL;
    char path[2048];

    if (!traces_folder() || !traces_unpack(name, path, sizeof path) ||
        prvcut_trace_open(&t, path, &o, &err) < 0) {
        test_leaves_out(name);
        return NULL;
    }
    return t;
}

static struct prvcut_find *find(struct prvcut_trace *t, double share)
{
    const struct prvcut_find_options o = {
        .size = sizeof o, .iteration = 3, .share = share, .by_share = true
    };
    struct prvcut_find *f = NULL;

    ck_assert_msg(prvcut_find_make(t, NULL, &two, &o, &f, &err) == PRVCUT_OK, "%s", err.text);
    return f;
}

START_TEST(test_find_the_third_iteration_of_real_runs)
{
    static const struct {
        const char *name;
        size_t exact, near;
        uint64_t inside[2];
    } known[] = {
        { "bt.W.9", 201, 201, { 32562, 32562 } }, { "sp.W.9", 401, 401, { 64962, 64962 } },
        { "lu.S.4", 50, 51, { 4400, 4488 } },     { "lu.S.8.flush", 50, 51, { 11000, 11220 } },
        { "cg.W.8", 16, 16, { 21888, 21888 } },   { "lulesh.8", 199, 200, { 21492, 21600 } },
        { "comd.8", 20, 20, { 9600, 9600 } },     { "mg.B.8", 21, 21, { 23184, 23184 } },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct prvcut_trace *t =
            traces_wanted("paraver", known[i].name) ? opened(known[i].name) : NULL;

        for (int near = 0; t && near < 2; near++) {
            struct prvcut_find *f = find(t, near ? 0.1 : 0);

            printf(
                "D%d %-12s %3zu matches, %3u on all ranks, %3u exact; %u of %u messages inside\n",
                1 + near, known[i].name, f->matches, (unsigned)f->whole, (unsigned)f->exact,
                (unsigned)f->messages_inside, (unsigned)(f->messages_inside + f->messages_across));
            ck_assert_uint_eq(f->matches, near ? known[i].near : known[i].exact);
            ck_assert_uint_eq(f->whole, f->matches);
            ck_assert_uint_eq(f->exact, known[i].exact);
            ck_assert_uint_eq(f->messages_inside, known[i].inside[near]);
            ck_assert_uint_eq(f->messages_across, 0);
            prvcut_find_free(f);
        }
        prvcut_trace_close(t);
    }
}
END_TEST

/* Threads that share no message and no collective go round together, however far they drift apart;
   where the run has no common loop, each has its own. */
START_TEST(test_find_on_threads_that_nothing_ties)
{
    static const struct {
        const char *file;
        unsigned threads, matches;
        enum prvcut_numbering by;
    } known[] = {
        { "apps/paraver/q.rma.4/q.rma.4.prv.zst", 4, 70, PRVCUT_NUMBERING_STRUCTURE },
        { "otf2/pth.4t.tar.zst", 4, 200, PRVCUT_NUMBERING_NEST },
    };

    for (size_t i = 0; traces_folder() && i < sizeof known / sizeof *known; i++) {
        struct prvcut_trace *t = NULL;
        struct prvcut_find *f;
        char path[2048];

        snprintf(path, sizeof path, "%s/%s", traces_folder(), known[i].file);
        if ((strstr(path, "otf2/") && !test_has_reader("otf2")) ||
            prvcut_trace_open(&t, path, NULL, &err) < 0) {
            test_leaves_out(known[i].file);
            continue;
        }
        f = find(t, 0);
        printf("D.2 %-12s %3zu matches, %3u on all threads\n", strrchr(known[i].file, '/') + 1,
               f->matches, (unsigned)f->whole);
        ck_assert_int_eq(f->counted_by, known[i].by);
        ck_assert_uint_eq(f->queries, known[i].threads);
        ck_assert_uint_eq(f->matches, known[i].matches);
        ck_assert_uint_eq(f->whole, known[i].matches);
        /* Each thread's parts in their order. */
        for (size_t k = 1; k < f->matches; k++)
            for (size_t n = 0; n < f->queries; n++)
                ck_assert_uint_lt(prvcut_find_part(f, k - 1, n)->span.start,
                                  prvcut_find_part(f, k, n)->span.start);
        prvcut_find_free(f);
        prvcut_trace_close(t);
    }
}
END_TEST

/* A pattern of the table is found wherever it occurs, once more where an iteration stands outside
   of its loop, and marks stand on each thread of each match. */
START_TEST(test_find_a_pattern_and_mark_it)
{
    struct prvcut_trace *t = opened("lu.S.8.flush"), *marked = NULL;
    const struct prvcut_open_options open = { .size = sizeof open };
    const struct prvcut_patterns_options how = { .size = sizeof how };
    struct prvcut_patterns *p = NULL;
    char folder[] = "/tmp/prvcut-find-XXXXXX", path[256];

    if (!t)
        return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/marked.prv", folder);
    const struct prvcut_cut_options to = { .size = sizeof to, .path = path, .force = true };
    ck_assert_msg(prvcut_patterns_make(t, &two, &how, &p, &err) == PRVCUT_OK, "%s", err.text);
    for (size_t k = 0; k < p->patterns && (k < 3 || traces_take() == TRACES_ALL); k++) {
        const struct prvcut_find_options o = { .size = sizeof o, .pattern = k + 1 };
        const struct prvcut_pattern *is = prvcut_patterns_pattern(p, k);
        struct prvcut_find *f = NULL;
        struct prvcut_marking *m = NULL;
        uint64_t found = 0, parts = 0;

        ck_assert_msg(prvcut_find_make(t, NULL, &two, &o, &f, &err) == PRVCUT_OK, "%s", err.text);
        ck_assert_uint_eq(f->symbols, p->symbols);
        ck_assert_str_eq(f->body, is->body);
        ck_assert_uint_eq(f->queries, is->threads);
        for (size_t i = 0; i < f->queries; i++) {
            ck_assert_uint_eq(prvcut_find_query(f, i)->thread, prvcut_patterns_thread(p, k, i));
            ck_assert_uint_eq(prvcut_find_query(f, i)->calls, is->calls);
            found += prvcut_find_query(f, i)->found;
        }
        /* Those in loops, but for those that overlap a match at another place of a loop. */
        if (is->level == 1)
            ck_assert_uint_ge(found, is->occurrences);
        for (size_t i = 0; i < f->matches; i++)
            parts += prvcut_find_match(f, i)->parts;
        if (k < 2) {
            printf("pattern %zu, %u occurrences: %u on threads, %zu matches\n", k + 1,
                   (unsigned)is->occurrences, (unsigned)found, f->matches);
            ck_assert_msg(prvcut_find_mark(f, t, &two, &to, &m, &err) == PRVCUT_OK, "%s", err.text);
            ck_assert_uint_eq(m->marks, 2 * parts);
            prvcut_marking_free(m);
        }
        prvcut_find_free(f);
    }
    ck_assert_msg(prvcut_trace_open(&marked, path, &open, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_trace_close(marked);
    prvcut_patterns_free(p);
    prvcut_trace_close(t);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

/* --- Regions ---------------------------------------------------------------------------------- */

/* Under the main region stands what its threads call, which runs as often. */
START_TEST(test_nests_of_regions)
{
    static const struct {
        const char *name, *path;
        const char *nest;
        uint64_t count;
        bool differs, few;
    } known[] = {
        { "lu.S.4", NULL, "49×(20×Send 20×Recv 2×(Send Irecv Wait)) ", 49, false, true },
        { "bt.W.9", NULL, "200×(6×Irecv 6×Isend Waitall 12×(Isend Irecv 2×Wait))", 200, false,
          false },
        { "q.newton.3", "apps/paraver/q.newton.3/q.newton.3.prv.zst", "26×(2×(", 26, false, true },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct prvcut_structure_options o = { .size = sizeof o, .levels = 1 };
        struct prvcut_structure *s = NULL;
        struct prvcut_trace *t = NULL;
        const struct prvcut_region *r;
        char path[2048];

        if (!known[i].few && traces_take() != TRACES_ALL)
            continue;
        snprintf(path, sizeof path, "%s/%s", traces_folder() ? traces_folder() : "",
                 known[i].path ? known[i].path : "");
        if (!known[i].path)
            t = opened(known[i].name);
        else if (!traces_folder() || prvcut_trace_open(&t, path, NULL, &err) < 0)
            test_leaves_out(known[i].name);
        if (!t)
            continue;
        ck_assert_msg(prvcut_structure_find(t, &two, &o, &s, &err) == PRVCUT_OK, "%s", err.text);
        ck_assert_msg(prvcut_structure_nests(s, t, &two, &err) == PRVCUT_OK, "%s", err.text);
        r = prvcut_structure_region(s, s->main);
        printf("%-12s region of %.0f iterations: %s\n", known[i].name, r->iterations, r->nest);
        ck_assert_msg(strncmp(r->nest, known[i].nest, strlen(known[i].nest)) == 0, "%s", r->nest);
        ck_assert_uint_eq(r->nest_count, known[i].count);
        ck_assert_int_eq(r->nest_differs, known[i].differs);
        ck_assert(r->nest_threads >= 1 && r->nest_threads <= r->nest_of);
        prvcut_structure_free(s);
        prvcut_trace_close(t);
    }
}
END_TEST

/* --- Rows ------------------------------------------------------------------------------------- */

static bool read_first(struct pat_rows *r, const char *name)
{
    const struct prvcut_span all = { 0, 0 };
    struct prvcut_trace *t = opened(name);

    if (!t)
        return false;
    ck_assert_int_eq(pat_rows_read(r, t, &two, all, PAT_PARTNER, &err), PRVCUT_OK);
    prvcut_trace_close(t);
    return true;
}

/* Keys as small numbers, by their first occurrence. */
static uint32_t *numbered(const uint64_t *key, size_t count, uint32_t *different)
{
    uint32_t *s = malloc((count + 1) * sizeof *s);
    uint64_t *seen = malloc((count + 1) * sizeof *seen);
    uint32_t n = 0;

    ck_assert(s && seen);
    for (size_t i = 0; i < count; i++) {
        uint32_t k = 0;

        while (k < n && seen[k] != key[i])
            k++;
        if (k == n)
            seen[n++] = key[i];
        s[i] = k;
    }
    free(seen);
    *different = n;
    return s;
}

static size_t search(const uint32_t *query, size_t m, uint32_t different, const uint32_t *row,
                     size_t n, uint32_t most, unsigned by_edits[8])
{
    struct pat_query q;
    struct pat_match *match;
    size_t matches;

    memset(by_edits, 0, 8 * sizeof *by_edits);
    ck_assert_int_eq(pat_query_init(&q, query, m, different, &err), PRVCUT_OK);
    ck_assert_int_eq(pat_query_find(&q, row, n, most, &match, &matches, &err), PRVCUT_OK);
    for (size_t i = 0; i < matches; i++)
        by_edits[match[i].edits < 7 ? match[i].edits : 7]++;
    free(match);
    pat_query_fini(&q);
    return matches;
}

/* The outermost loop of a row. */
static struct pat_outermost loop_of(const struct pat_row *r)
{
    struct pat_outermost o;

    ck_assert_int_eq(pat_row_outermost(&o, r, &err), PRVCUT_OK);
    ck_assert(o.at != SIZE_MAX);
    return o;
}

START_TEST(test_find_in_a_row_with_planted_changes)
{
    struct pat_rows r;
    struct pat_outermost o;
    uint32_t *s, *t, different;
    unsigned by[8];
    size_t n = 0, m, exact, near;

    if (!read_first(&r, "lu.S.4"))
        return;
    o = loop_of(&r.row[0]);
    m = (size_t)o.calls;
    s = numbered(r.row[0].key, r.row[0].calls, &different);
    t = malloc(2 * r.row[0].calls * sizeof *t);
    ck_assert_ptr_nonnull(t);
    /* In iterations 3, 6, ... 45 one call each is deleted, doubled or replaced. */
    for (size_t i = 0; i < r.row[0].calls; i++) {
        const size_t at = i - (size_t)o.first, iteration = at / m, place = at % m;
        const size_t which = iteration / 3, planted = 4 + (which * 11) % 40;
        const bool is = i >= o.first && iteration % 3 == 0 && which >= 1 && which <= 15 &&
                        iteration < o.count && place == planted - 1;

        if (is && which % 3 == 0)
            continue;
        t[n++] = is && which % 3 == 2 ? different : s[i];
        if (is && which % 3 == 1)
            t[n++] = s[i];
    }
    exact = search(s + o.first, m, different, t, n, 0, by);
    near = search(s + o.first, m, different, t, n, 1, by);
    printf("D5 lu.S.4, thread 1, 15 planted changes: %zu exact; with one edit %zu = %u + %u\n",
           exact, near, by[0], by[1]);
    ck_assert(exact >= 35 && exact <= 40);
    ck_assert(near >= 49 && near <= 51);
    free(s);
    free(t);
    pat_rows_fini(&r);
}
END_TEST

/* A loop's body of 24 calls, wherever it stands. */
struct body {
    uint32_t symbol[24];
    unsigned count;
    bool in, found;
};

static enum prvcut_status body_symbol(void *ctx, uint32_t symbol, uint64_t at,
                                      struct prvcut_error *e)
{
    struct body *b = ctx;

    (void)at, (void)e;
    if (b->in && b->count < 24)
        b->symbol[b->count++] = symbol;
    return PRVCUT_OK;
}

struct walk {
    struct body body;
    const struct pat_bodies *bodies;
};

static enum prvcut_status body_loop(void *ctx, uint64_t element, uint64_t at, bool begins,
                                    struct prvcut_error *e)
{
    struct walk *w = ctx;

    (void)at, (void)e;
    if (w->bodies->body[pat_inner(element)].calls != 24 || w->body.found)
        return PRVCUT_OK;
    w->body.in = begins;
    w->body.found = !begins;
    return PRVCUT_OK;
}

START_TEST(test_find_steps_with_an_extra_call)
{
    struct pat_rows r;
    struct pat_nest nest;
    struct walk w = { .bodies = &nest.bodies };
    const struct pat_walker walker = {
        .symbol = body_symbol, .loop = body_loop, .ctx = &w, .unrolled = true
    };
    uint32_t *s, different;
    unsigned by[8];
    size_t matches;

    if (traces_take() != TRACES_ALL || !read_first(&r, "lammps.4"))
        return;
    s = numbered(r.row[0].key, r.row[0].calls, &different);
    pat_nest_init(&nest);
    ck_assert_int_eq(pat_nest_make(&nest, s, r.row[0].calls, &err), PRVCUT_OK);
    ck_assert_int_eq(pat_nest_walk(&nest, &walker, &err), PRVCUT_OK);
    ck_assert_uint_eq(w.body.count, 24);
    for (uint32_t k = 0; k < 5; k++) {
        matches = search(w.body.symbol, 24, different, s, r.row[0].calls, k, by);
        printf("D8 lammps.4, thread 1, the step of 24 calls, k = %u: %zu (%u exact, %u with 3)\n",
               k, matches, by[0], by[3]);
        if (k <= 2)
            ck_assert(matches >= 379 && matches <= 381);
    }
    ck_assert(matches >= 400 && matches <= 402);
    ck_assert_uint_eq(by[3], 21);
    pat_nest_fini(&nest);
    free(s);
    pat_rows_fini(&r);
}
END_TEST

/* A match that is cut out is found again, as often as before. */
static void find_match_again(struct prvcut_trace *t, const struct prvcut_find *found,
                             const char *folder)
{
    const struct prvcut_open_options open = { .size = sizeof open };
    const struct prvcut_find_options o = { .size = sizeof o, .by_share = true };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_trace *piece = NULL;
    struct prvcut_find *again = NULL;
    char path[256];

    snprintf(path, sizeof path, "%s/match.prv", folder);
    const struct prvcut_cut_options cut = { .size = sizeof cut, .path = path };

    ck_assert_int_eq(prvcut_find_cut(found, t, &two, found->matches, &cut, &sum, &err),
                     PRVCUT_EUSAGE);
    err = (struct prvcut_error){ .text = "" };
    ck_assert_msg(prvcut_find_cut(found, t, &two, found->best, &cut, &sum, &err) == PRVCUT_OK, "%s",
                  err.text);
    ck_assert_int_eq(prvcut_trace_open(&piece, path, &open, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_find_make(t, piece, &two, &o, &again, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_uint_eq(again->matches, found->matches);
    ck_assert_uint_eq(again->exact, found->exact);
    prvcut_cut_summary_free(sum);
    prvcut_find_free(again);
    prvcut_trace_close(piece);
}

/* D6: a cut is found where it was cut from. */
static void find_cut(const char *name, unsigned iteration, unsigned matches)
{
    struct prvcut_trace *t = opened(name), *piece = NULL;
    const struct prvcut_open_options open = { .size = sizeof open };
    const struct prvcut_find_options o = { .size = sizeof o, .by_share = true };
    const struct prvcut_selection what = { .size = sizeof what,
                                           .first = iteration,
                                           .last = iteration };
    struct prvcut_find *again = NULL;
    struct prvcut_cut_summary *sum = NULL;
    char folder[] = "/tmp/prvcut-find-XXXXXX", path[256];
    bool own = false;

    if (!t)
        return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/piece.prv", folder);
    const struct prvcut_cut_options cut = { .size = sizeof cut, .path = path };

    ck_assert_msg(prvcut_cut_named(t, &two, &what, &cut, &sum, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_int_eq(prvcut_trace_open(&piece, path, &open, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_find_make(t, piece, &two, &o, &again, &err) == PRVCUT_OK, "%s", err.text);
    printf("D6 %s: iteration %u cut out: %zu matches, %u on all ranks, %u exact\n", name, iteration,
           again->matches, (unsigned)again->whole, (unsigned)again->exact);
    ck_assert(again->matches + 1 >= matches && again->matches <= matches + 1);
    ck_assert_uint_eq(again->whole, again->matches);
    ck_assert_uint_eq(again->exact, again->matches);
    /* Where it was cut from is one of them. */
    for (size_t i = 0; i < again->matches; i++)
        own |= prvcut_find_match(again, i)->span.start == sum->window.start;
    ck_assert(own);
    prvcut_cut_summary_free(sum);
    sum = NULL;
    /* So is what is cut of a match: nothing is lost of it. */
    find_match_again(t, again, folder);
    prvcut_find_free(again);
    prvcut_trace_close(piece);
    prvcut_trace_close(t);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}

START_TEST(test_find_a_cut_in_its_run)
{
    find_cut("lu.S.8.flush", 5, 49);
    if (traces_take() == TRACES_ALL) {
        find_cut("bt.W.9", 100, 201);
        find_cut("cg.W.8", 8, 16);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("find_traces");
    TCase *t = tcase_create("traces");

    tcase_set_timeout(t, 300);
    tcase_add_test(t, test_find_the_third_iteration_of_real_runs);
    tcase_add_test(t, test_find_on_threads_that_nothing_ties);
    tcase_add_test(t, test_find_a_pattern_and_mark_it);
    tcase_add_test(t, test_nests_of_regions);
    tcase_add_test(t, test_find_in_a_row_with_planted_changes);
    tcase_add_test(t, test_find_steps_with_an_extra_call);
    tcase_add_test(t, test_find_a_cut_in_its_run);
    suite_add_tcase(s, t);
    return run_suite(s);
}
