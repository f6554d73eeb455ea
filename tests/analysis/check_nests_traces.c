/* Nests of all real traces written out again: they are the calls of their threads. Loops of
   programs that hide them, beside the truth; the same for any number of workers. Each test prints
   its table. */
#include "analysis/patterns/see.h"
#include "prvcut/patterns.h"
#include "tests/analysis/written_out.h"
#include "tests/support/built.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct prvcut_error error;

/* --- Written out ------------------------------------------------------------------------------ */

struct unrolled {
    const uint32_t *symbol;
    size_t count, at;
    bool same;
};

static enum prvcut_status unroll(void *ctx, uint32_t symbol, uint64_t at, struct prvcut_error *err)
{
    struct unrolled *u = ctx;

    (void)err;
    u->same &= at == u->at && u->at < u->count && symbol == u->symbol[u->at];
    u->at++;
    return PRVCUT_OK;
}

/* The same of a nest as people are told it. */
static void unroll_body(struct unrolled *u, const struct pat_tree *t, size_t body)
{
    for (size_t i = 0; i < t->body[body].length; i++) {
        const struct pat_node *n = &t->node[t->body[body].first + i];

        ck_assert_uint_eq(n->least, n->most);
        for (uint32_t k = 0; k < n->most; k++)
            if (n->loop)
                unroll_body(u, t, n->inner);
            else
                unroll(u, n->inner, u->at, NULL);
    }
}

/* What a trace came to. */
struct written {
    struct pat_seer seer;
    const char *file;
    size_t threads, calls, tolerant;
};

static void ck_seen(struct written *w, const struct pat_thread *t, enum pat_alphabet a,
                    enum pat_source source)
{
    struct pat_seen seen;
    struct unrolled u = { .count = t->calls, .same = true };
    const struct pat_walker walker = { .symbol = unroll, .ctx = &u, .unrolled = true };
    struct calls c = { .tree = &seen.tree, .count = t->calls };

    ck_assert_int_eq(pat_see(&w->seer, t, a, source, NULL, &seen, &error), PRVCUT_OK);
    c.symbol = u.symbol = w->seer.symbol;
    ck_assert_int_eq(pat_nest_walk(&w->seer.nest, &walker, &error), PRVCUT_OK);
    ck_assert(u.same && u.at == t->calls);
    ck_assert_msg(is_written_out(&c), "%s: thread %u, %s", w->file, t->thread + 1,
                  pat_alphabet_text(a));
    ck_assert_int_eq(seen.tree.exact > 0, seen.source == PAT_TOLERANT);
    u.at = 0;
    unroll_body(&u, &seen.tree, (seen.tree.exact > 0 ? seen.tree.exact : seen.tree.bodies) - 1);
    ck_assert_msg(u.same && u.at == t->calls, "%s: thread %u, the tree", w->file, t->thread + 1);
    w->tolerant += seen.source == PAT_TOLERANT;
    pat_seen_fini(&seen);
}

static enum prvcut_status write_out(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct written *w = ctx;
    enum pat_alphabet a = PAT_CALL;
    struct pat_tolerant loop;

    if (t->calls == 0)
        return PRVCUT_OK;
    ck_assert_int_eq(pat_choose(t, PAT_NONE, &a, NULL, err), PRVCUT_OK);
    ck_seen(w, t, a != PAT_NONE ? a : PAT_CALL, PAT_EXACT);
    w->threads++;
    w->calls += t->calls;
    if (a != PAT_NONE)
        return PRVCUT_OK;
    ck_assert_int_eq(pat_tolerant_find(&loop, t, PAT_NONE, err), PRVCUT_OK);
    if (loop.count > 0)
        ck_seen(w, t, loop.alphabet, PAT_TOLERANT);
    pat_tolerant_fini(&loop);
    return PRVCUT_OK;
}

static void write_out_trace(const char *file)
{
    const struct prvcut_run run = { .size = sizeof run, .threads = 2 };
    const struct pat_sequences_options o = { .of = 0 };
    struct written w = { .file = file };
    struct prvcut_trace *t = NULL;
    struct prvcut_dictionary names;

    error = (struct prvcut_error){ .status = PRVCUT_OK };
    if (prvcut_trace_open(&t, file, NULL, &error) < 0) {
        test_leaves_out(file);
        return;
    }
    ck_assert_int_eq(t->reader->describe(t, &names, &error), PRVCUT_OK);
    pat_seer_init(&w.seer, &names);
    ck_assert_int_eq(pat_sequences_read(t, &run, &names, &o, write_out, &w, &error), PRVCUT_OK);
    printf("A3 %-28s %3zu threads, %7zu calls, %3zu tolerant\n", strrchr(file, '/') + 1, w.threads,
           w.calls, w.tolerant);
    pat_seer_fini(&w.seer);
    prvcut_dictionary_fini(&names);
    prvcut_trace_close(t);
}

/* "apps/paraver/q.few.2/q.few.2.prv.zst" is "apps q.few.2", and so on, to those who choose. */
static bool is_wanted(const char *folder, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    char bare[128];

    snprintf(bare, sizeof bare, "%s", name);
    for (size_t i = 0; i < 2; i++) {
        char *end = strstr(bare, i == 0 ? ".prv.zst" : ".tar.zst");

        if (end)
            *end = '\0';
    }
    return traces_wanted(folder, bare);
}

START_TEST(test_nests_written_out_are_the_calls)
{
    static const struct {
        const char *folder, *files;
    } all[] = {
        { "paraver", "paraver/*/*.prv.zst" }, { "otf2", "otf2/*.tar.zst" },
        { "otf", "otf/*.tar.zst" },           { "apps", "apps/paraver/*/*.prv.zst" },
        { "apps", "apps/otf2/*.tar.zst" },    { "lots", "lots/paraver/*/*.prv.zst" },
        { "lots", "lots/otf2/*.tar.zst" },    { "more", "more/*/*.prv.zst" },
    };

    for (size_t i = 0; traces_folder() && i < sizeof all / sizeof *all; i++) {
        char pattern[1024];
        glob_t found;

        if (strstr(all[i].files, "otf2") && !test_has_reader("otf2"))
            continue;
        snprintf(pattern, sizeof pattern, "%s/%s", traces_folder(), all[i].files);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++)
            if (is_wanted(all[i].folder, found.gl_pathv[k]))
                write_out_trace(found.gl_pathv[k]);
        globfree(&found);
    }
}
END_TEST

/* --- Loops ------------------------------------------------------------------------------------ */

static struct prvcut_patterns *patterns_of(const char *file, int workers)
{
    const struct prvcut_run run = { .size = sizeof run, .threads = workers };
    const struct prvcut_patterns_options o = { .size = sizeof o, .points = true };
    struct prvcut_trace *trace = NULL;
    struct prvcut_patterns *p = NULL;
    char path[1024];
    enum prvcut_status st;

    if (!traces_folder() || (strstr(file, "otf2/") && !test_has_reader("otf2")))
        return NULL;
    snprintf(path, sizeof path, "%s/%s", traces_folder(), file);
    error = (struct prvcut_error){ .status = PRVCUT_OK };
    if (prvcut_trace_open(&trace, path, NULL, &error) < 0) {
        test_leaves_out(file);
        return NULL;
    }
    st = prvcut_patterns_make(trace, &run, &o, &p, &error);
    ck_assert_msg(st == PRVCUT_OK, "%s: %s", file, error.text);
    prvcut_trace_close(trace);
    return p;
}

static bool is_shared(const char *file)
{
    return strstr(file, "q.varhalo.6.prv") || strstr(file, "lmp.peptide.prv");
}

/* A loop whose inner loops go round as data say, and what has none. */
START_TEST(test_nests_of_runs_that_hide_their_loop)
{
    enum { E = PRVCUT_NEST_EXACT, T = PRVCUT_NEST_TOLERANT, S = PRVCUT_NEST_STRUCTURE };
    static const struct {
        const char *file;
        int source;
        unsigned count, off; /* of the first thread; 0: none */
        bool few;
    } apps[] = {
        { "apps/paraver/q.newton.2/q.newton.2.prv.zst", T, 24, 1, true },
        { "apps/paraver/q.newton.3/q.newton.3.prv.zst", T, 30, 1, false },
        { "apps/paraver/q.scfmd.2/q.scfmd.2.prv.zst", T, 26, 1, false },
        { "apps/paraver/q.scfmd.3/q.scfmd.3.prv.zst", T, 26, 1, false },
        { "apps/paraver/q.amr-cycles.2/q.amr-cycles.2.prv.zst", T, 6, 1, true },
        { "apps/paraver/q.amr-cycles.5/q.amr-cycles.5.prv.zst", T, 8, 1, false },
        { "apps/paraver/q.short3.2/q.short3.2.prv.zst", T, 3, 1, false },
        { "apps/paraver/of.cavity/of.cavity.prv.zst", T, 40, 1, false },
        { "apps/paraver/abi.si/abi.si.prv.zst", T, 8, 1, false },
        { "apps/paraver/petsc.bratu/petsc.bratu.prv.zst", T, 14, 1, false },
        { "apps/paraver/q.async-some.4/q.async-some.4.prv.zst", T, 20, 2, true },
        { "apps/otf2/q.newton.4.tar.zst", T, 36, 1, false },
        { "apps/otf2/q.scfmd.4.tar.zst", T, 24, 1, false },
        { "apps/otf2/q.amr-cycles.4.tar.zst", T, 6, 1, false },
        { "lots/paraver/r.enkf.6/r.enkf.6.prv.zst", T, 25, 1, false },
        { "lots/paraver/r.sweep.4/r.sweep.4.prv.zst", T, 27, 1, false },
        { "lots/paraver/r.kmeans.4/r.kmeans.4.prv.zst", T, 9, 1, false },
        { "lots/otf2/r.fmg.4.tar.zst", T, 30, 1, false },
        { "lots/otf2/r.mcround.4.tar.zst", T, 11, 1, false },
        /* Nothing in them repeats, or several iterations at a time do. */
        { "apps/paraver/q.adapt.4/q.adapt.4.prv.zst", S, 80, 1, true },
        { "apps/otf2/q.adapt.3.tar.zst", S, 70, 1, false },
        { "apps/paraver/q.study.5/q.study.5.prv.zst", S, 4, 1, false },
        { "apps/otf2/q.study.4.tar.zst", S, 5, 1, false },
        { "apps/paraver/lmp.obst/lmp.obst.prv.zst", S, 250, 1, false },
        { "apps/paraver/q.varhalo.6/q.varhalo.6.prv.zst", S, 80, 1, true },
        { "apps/paraver/lmp.peptide/lmp.peptide.prv.zst", S, 3, 0, false }, /* of 20 steps */
        { "apps/otf2/q.varhalo.6.tar.zst", S, 80, 1, false },
        { "apps/paraver/gerris/gerris.prv.zst", S, 4, 1, false }, /* of five steps each */
        { "apps/paraver/qe.si/qe.si.prv.zst", S, 16, 1, false },
        { "apps/paraver/cp.omp/cp.omp.prv.zst", S, 49, 1, false },
        { "apps/otf2/of.piso.tar.zst", S, 50, 1, false },
        { "apps/otf2/cp2k.md.tar.zst", S, 5, 1, false },
        { "apps/otf2/lmp.peptide.tar.zst", S, 40, 1, false },
        { "apps/paraver/q.amr-steps.4/q.amr-steps.4.prv.zst", S, 12, 1, false }, /* of eight */
        /* An exact loop holds a half of the calls. */
        { "lots/paraver/esys.fall/esys.fall.prv.zst", S, 30, 1, false }, /* of ten */
        { "lots/otf2/elk.geo.tar.zst", S, 5, 1, false },
        { "lots/otf2/r.parareal.6.tar.zst", T, 24, 1, false },
        { "lots/paraver/r.gmres.3/r.gmres.3.prv.zst", T, 30, 1, false },
        { "lots/otf2/r.ioserv.6.tar.zst", S, 26, 1, false }, /* of six */
        { "lots/otf2/r.comms.5.tar.zst", S, 110, 1, false },
        { "lots/paraver/r.pdes.4/r.pdes.4.prv.zst", S, 170, 1, false },
        { "lots/paraver/r.fwi.3/r.fwi.3.prv.zst", S, 9, 1, false },
        { "lots/paraver/r.quad.4/r.quad.4.prv.zst", E, 0, 0, false },
        { "apps/paraver/q.noloop.5/q.noloop.5.prv.zst", E, 0, 0, false },
        { "apps/paraver/q.taskrec.6/q.taskrec.6.prv.zst", E, 0, 0, false },
        { "apps/paraver/q.steal.4/q.steal.4.prv.zst", E, 0, 0, true },
        { "apps/otf2/q.steal.5.tar.zst", E, 0, 0, true },
        { "apps/otf2/q.noloop.4.tar.zst", E, 0, 0, false },
        { "apps/paraver/of.check/of.check.prv.zst", E, 0, 0, false },
        { "apps/paraver/q.short2.4/q.short2.4.prv.zst", E, 0, 0, false },
        { "apps/paraver/lmp.minrun/lmp.minrun.prv.zst", E, 0, 0, false },
        { "apps/paraver/q.few.2/q.few.2.prv.zst", E, 70, 1, false },
        { "apps/paraver/q.few.4/q.few.4.prv.zst", E, 70, 1, true },
        { "apps/paraver/q.rma.4/q.rma.4.prv.zst", E, 70, 1, false },
        { "apps/paraver/q.noise.4/q.noise.4.prv.zst", E, 140, 1, false },
        { "apps/paraver/q.omp.2/q.omp.2.prv.zst", E, 40, 1, false },
        { "apps/paraver/q.couple-tied.4/q.couple-tied.4.prv.zst", E, 26, 1, false },
        { "apps/paraver/q.ckpt.4/q.ckpt.4.prv.zst", E, 6, 1, false },          /* of 25 steps */
        { "apps/paraver/q.nbr.4/q.nbr.4.prv.zst", E, 14, 1, false },           /* of 5 */
        { "apps/paraver/q.rebal.4/q.rebal.4.prv.zst", E, 15, 1, false },       /* of 8 */
        { "apps/paraver/q.twoloops.4/q.twoloops.4.prv.zst", E, 10, 1, false }, /* of 10 */
        { "apps/paraver/q.short4.4/q.short4.4.prv.zst", E, 4, 1, false },
        { "apps/paraver/q.iophase.4/q.iophase.4.prv.zst", E, 6, 1, false }, /* of 15 */
        { "apps/paraver/q.halfway.4/q.halfway.4.prv.zst", E, 50, 1, false },
        { "apps/paraver/q.shrink.4/q.shrink.4.prv.zst", E, 3, 1, false }, /* of 12 panels */
        { "apps/paraver/ff.heat/ff.heat.prv.zst", E, 4, 1, false },       /* of 6 steps */
        { "apps/otf2/cp.fist.tar.zst", E, 149, 1, false },
        { "apps/otf2/q.couple-tied.6.tar.zst", E, 24, 1, false },
        { "apps/otf2/q.short3.4.tar.zst", E, 3, 1, false },
        { "apps/otf2/q.few.4.tar.zst", E, 70, 1, false },
        { "apps/otf2/q.noise.4.tar.zst", E, 150, 1, false },
        { "apps/otf2/q.ckpt.4.tar.zst", E, 6, 1, false },
        { "apps/otf2/q.twoloops.3.tar.zst", E, 12, 1, false },
        { "apps/otf2/q.async-any.4.tar.zst", E, 20, 1, false },
        { "apps/otf2/q.omp.2.tar.zst", E, 40, 1, false },
    };

    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        struct prvcut_patterns *p =
            apps[i].few || traces_take() == TRACES_ALL ? patterns_of(apps[i].file, 2) : NULL;
        const struct prvcut_pattern_class *c = p ? prvcut_patterns_class(p, 0) : NULL;

        if (!p)
            continue;
        printf("A12 %-24s %-9s %5" PRIu64 " x %" PRIu64 "\n", strrchr(apps[i].file, '/') + 1,
               prvcut_nest_source_text(c->source), c->count, c->iteration_calls);
        ck_assert_msg(c->count + apps[i].off >= apps[i].count &&
                          c->count <= apps[i].count + apps[i].off,
                      "%s: %" PRIu64, apps[i].file, c->count);
        ck_assert_msg((int)c->source == apps[i].source, "%s", apps[i].file);
        ck_assert((c->usual != NULL) == (c->source == PRVCUT_NEST_STRUCTURE));
        /* So do threads whose own calls do not show the loop. */
        for (size_t k = 1; is_shared(apps[i].file) && k < p->classes; k++)
            ck_assert_msg(prvcut_patterns_class(p, k)->count == c->count, "%s, class %zu",
                          apps[i].file, k + 1);
        prvcut_patterns_free(p);
    }
}
END_TEST

/* Any number of workers, of readings and of what is asked of the structure, tells the same. */
START_TEST(test_nests_do_not_depend_on_workers)
{
    static const struct {
        const char *file;
        bool few;
    } some[] = { { "paraver/lu.S.8.flush/lu.S.8.flush.prv.zst", true },
                 { "apps/paraver/q.adapt.4/q.adapt.4.prv.zst", false },
                 { "apps/paraver/q.newton.2/q.newton.2.prv.zst", false },
                 { "paraver/hpcc.4/hpcc.4.prv.zst", false },
                 { "otf2/lulesh.8.tar.zst", false },
                 { "otf/lulesh.8.tar.zst", false },
                 { "apps/otf2/of.piso.tar.zst", false } };
    static const int workers[] = { 1, 2, 8 };

    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char *first = NULL;

        for (size_t k = 0; k < 3 && (some[i].few || traces_take() == TRACES_ALL); k++) {
            struct prvcut_patterns *p = patterns_of(some[i].file, workers[k]);
            char *text = NULL;

            if (!p)
                break;
            ck_assert_int_eq(prvcut_patterns_json(p, &text, &error), PRVCUT_OK);
            if (first)
                ck_assert_msg(strcmp(first, text) == 0, "%s: -T %d", some[i].file, workers[k]);
            else
                printf("A11 %-24s %zu bytes with 1, 2 and 8 workers\n",
                       strrchr(some[i].file, '/') + 1, strlen(text));
            free(k == 0 ? NULL : text);
            first = k == 0 ? text : first;
            prvcut_patterns_free(p);
        }
        free(first);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nests_traces");
    TCase *t = tcase_create("traces");

    tcase_set_timeout(t, 600);
    tcase_add_test(t, test_nests_written_out_are_the_calls);
    tcase_add_test(t, test_nests_of_runs_that_hide_their_loop);
    tcase_add_test(t, test_nests_do_not_depend_on_workers);
    suite_add_tcase(s, t);
    return run_suite(s);
}
