/* What changed from one run to another: random pairs of runs with one planted change each, other
   ones each time, and pairs that differ by chance alone. DIFF_SEED=N repeats a run. */
#include "analysis/diff_stat.h"
#include "prvcut/diff.h"
#include "tests/api/planted.h"
#include "tests/support/built.h"
#include "tests/support/traces.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

static struct prvcut_error error;

static struct prvcut_diff *compare(const char *a, const char *b, bool limited, double above)
{
    const struct prvcut_diff_options options = { .size = sizeof options,
                                                 .limited = limited,
                                                 .above = above };
    const struct prvcut_run one = { .threads = 1 };
    struct prvcut_trace *trace[2];
    struct prvcut_diff *d;

    ck_assert_msg(prvcut_trace_open(&trace[0], a, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_trace_open(&trace[1], b, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_diff_make(trace[0], trace[1], &one, &options, &d, &error) == PRVCUT_OK,
                  "%s", error.text);
    prvcut_trace_close(trace[0]);
    prvcut_trace_close(trace[1]);
    return d;
}

/* The row of a quantity that changed; NULL: it did not. */
static const struct prvcut_diff_row *changed(const struct prvcut_diff *d,
                                             enum prvcut_diff_quantity quantity, const char *call)
{
    const struct prvcut_diff_row *r;

    for (size_t i = 0; (r = prvcut_diff_change(d, i)) != NULL; i++)
        if (r->quantity == quantity && (call ? strcmp(r->call, call) == 0 : !r->call))
            return r;
    return NULL;
}

/* --- What holds of every answer --------------------------------------------------------------- */

static bool alike(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* The figures of a cause are those of the row that tells of it. */
static void check_causes(const struct prvcut_diff *d)
{
    const struct prvcut_slow_cause *c;

    for (size_t i = 0; (c = prvcut_diff_cause(d, i)) != NULL; i++) {
        const struct prvcut_diff_row *r =
            c->what == PRVCUT_SLOW_UNKNOWN ? NULL
            : c->what == PRVCUT_SLOW_CALL  ? changed(d, PRVCUT_DIFF_CALL, c->call)
            : c->what == PRVCUT_SLOW_FLUSH ? changed(d, PRVCUT_DIFF_FLUSHING, NULL)
            : c->what == PRVCUT_SLOW_OFF   ? changed(d, PRVCUT_DIFF_OFF, NULL)
                                           : changed(d, PRVCUT_DIFF_COMPUTING, NULL);
        double more;

        if (c->what == PRVCUT_SLOW_UNKNOWN)
            continue;
        ck_assert_msg(r != NULL, "a cause that did not change");
        more = d->by_thread ? r->of_thread[1] - r->of_thread[0] : r->difference;
        if ((more > 0) != d->slower) /* on average it changed the other way */
            continue;
        ck_assert(alike(c->ns, fabs(more)));
        if (d->by_thread) {
            ck_assert_uint_eq(c->thread, r->thread);
            ck_assert_uint_eq(c->threads, r->threads);
        }
    }
}

/* B beside A tells what A beside B does, the other way round. */
static void check_mirrored(const struct prvcut_diff *d, const struct prvcut_diff *e)
{
    const struct prvcut_diff_row *r;

    ck_assert_uint_eq(d->changes, e->changes);
    for (size_t i = 0; (r = prvcut_diff_change(d, i)) != NULL; i++) {
        const struct prvcut_diff_row *other = changed(e, r->quantity, r->call);

        ck_assert_msg(other != NULL, "%s %s", prvcut_diff_quantity_text(r->quantity),
                      r->call ? r->call : "");
        ck_assert_int_eq(other->way, r->way);
        ck_assert_int_eq(other->overall, r->overall);
        ck_assert_uint_eq(other->thread, r->thread);
        ck_assert_uint_eq(other->threads, r->threads);
        ck_assert_msg(alike(other->difference, -r->difference) && alike(other->least, r->least),
                      "%s %s: %g and %g, least %g and %g", prvcut_diff_quantity_text(r->quantity),
                      r->call ? r->call : "", r->difference, other->difference, r->least,
                      other->least);
        ck_assert(alike(other->median[0], r->median[1]) && alike(other->mean[1], r->mean[0]));
    }
    ck_assert_uint_eq(d->causes, e->causes);
    for (size_t i = 0; i < d->causes; i++) {
        const struct prvcut_slow_cause *c = prvcut_diff_cause(d, i), *o = prvcut_diff_cause(e, i);

        ck_assert_int_eq(c->what, o->what);
        ck_assert_uint_eq(c->thread, o->thread);
        ck_assert_uint_eq(c->threads, o->threads);
        ck_assert(alike(c->ns, o->ns));
    }
    ck_assert(d->causes == 0 || d->slower != e->slower);
}

/* --- Planted changes -------------------------------------------------------------------------- */

/* What is planted in B; swapped: in A, so that it is gone in B. */
static const struct planted_case {
    const char *name;
    enum planted what;
    unsigned every;
    bool swapped;
    unsigned iterations; /* of B; 0: as of A */
} cases[] = {
    { "computes longer", COMPUTES, 1, false, 0 },
    { "lower IPC", IPC, 1, false, 0 },
    { "lower clock", PREEMPTED, 1, false, 0 },
    { "flushes", FLUSH, 2, false, 0 },
    { "late sender", LATE, 1, false, 0 },
    { "slow collective", COLLECTIVE, 1, false, 0 },
    { "all slower", ALL, 1, false, 0 },
    { "bigger messages", BIGGER, 1, false, 0 },
    { "more messages", MESSAGES, 1, false, 0 },
    { "bigger collectives", BIG_COLLECTIVE, 1, false, 0 },
    { "one call more", BARRIER, 1, false, 0 },
    { "one call less", BARRIER, 1, true, 0 },
    { "computes less", COMPUTES, 1, true, 0 },
    { "faster collective", COLLECTIVE, 1, true, 0 },
    { "more iterations", NOTHING, 1, false, 40 },
    { "some slower", COMPUTES, 2, false, 0 },
};
#define PAIRS 20
#define CASES (sizeof cases / sizeof *cases)

static bool is_cause(const struct prvcut_diff *d, enum prvcut_slow what, uint32_t thread,
                     uint32_t threads, const char *call)
{
    const struct prvcut_slow_cause *c = prvcut_diff_cause(d, 0);

    return c && c->what == what && (thread == UINT32_MAX || c->thread == thread) &&
           (threads == 0 || c->threads == threads) &&
           (!call || (c->call && !strcmp(c->call, call)));
}

static bool is_on(const struct prvcut_diff_row *r, uint32_t rank, enum prvcut_diff_turn turn)
{
    return r && r->rank == rank && r->threads == 1 && r->turn == turn;
}

/* Is it named, with its rank and call? */
static bool is_named(const struct planted_case *p, const struct run *run,
                     const struct prvcut_diff *d)
{
    const enum prvcut_diff_turn turn = p->swapped ? PRVCUT_DIFF_BETTER : PRVCUT_DIFF_WORSE;
    const struct prvcut_diff_row *length = changed(d, PRVCUT_DIFF_LENGTH, NULL), *r;
    const bool slow = length && length->turn == turn &&
                      length->way == (p->every > 1 ? PRVCUT_DIFF_MEAN : PRVCUT_DIFF_MEDIAN);

    switch (p->what) {
    case COMPUTES:
    case LATE:
        return slow && is_cause(d, PRVCUT_SLOW_INSTRUCTIONS, run->rank, 1, NULL) &&
               is_on(changed(d, PRVCUT_DIFF_COMPUTING, NULL), run->rank, turn) &&
               is_on(changed(d, PRVCUT_DIFF_INSTRUCTIONS, NULL), run->rank, turn);
    case IPC:
        return slow && is_cause(d, PRVCUT_SLOW_IPC, run->rank, 1, NULL) &&
               is_on(changed(d, PRVCUT_DIFF_IPC, NULL), run->rank, turn) &&
               !changed(d, PRVCUT_DIFF_INSTRUCTIONS, NULL);
    case PREEMPTED:
        return slow && is_cause(d, PRVCUT_SLOW_CLOCK, run->rank, 1, NULL) &&
               is_on(changed(d, PRVCUT_DIFF_FREQUENCY, NULL), run->rank, turn);
    case FLUSH:
        return slow && is_cause(d, PRVCUT_SLOW_FLUSH, run->rank, 1, NULL);
    case COLLECTIVE:
        r = changed(d, PRVCUT_DIFF_CALL, "MPI_Allreduce");
        return slow && r && r->threads == RANKS && r->turn == turn &&
               is_cause(d, PRVCUT_SLOW_CALL, UINT32_MAX, RANKS, "MPI_Allreduce");
    case ALL:
        return slow && is_cause(d, PRVCUT_SLOW_INSTRUCTIONS, UINT32_MAX, RANKS, NULL);
    case BIGGER:
        return slow && is_on(changed(d, PRVCUT_DIFF_BYTES, NULL), run->rank, turn) &&
               is_cause(d, PRVCUT_SLOW_CALL, (run->rank + 1) % RANKS, 0, "MPI_Recv");
    case MESSAGES:
        return !length && is_on(changed(d, PRVCUT_DIFF_MESSAGES, NULL), run->rank, turn);
    case BIG_COLLECTIVE: /* all that changes is how much they carry */
        r = changed(d, PRVCUT_DIFF_COLLECTIVE_BYTES, NULL);
        return !length && d->changes == 1 && r && r->threads == RANKS && r->turn == turn &&
               r->median[0] == 16 && r->median[1] == 6e6;
    case BARRIER:
        r = changed(d, PRVCUT_DIFF_ENTERED, "MPI_Barrier");
        return r && r->threads == RANKS && r->turn == turn && fabs(r->difference) == 1;
    case NOTHING:
        r = changed(d, PRVCUT_DIFF_ITERATIONS, NULL);
        return !length && r && r->difference == 10 && d->changes == 1;
    case OFF_STATE:
    case OFF_EVENTS:
    case OFF_BOTH:
    case OTHERWISE:
    case ORDER:
    case CHAIN:
    case SENDS:
    case PLANTED_EVERYWHERE:
        break;
    }
    return false;
}

/* New runs each time where all is tried. */
static unsigned seeded(void)
{
    const char *given = getenv("DIFF_SEED");
    const unsigned usual = traces_take() == TRACES_ALL ? (unsigned)time(NULL) : 1;
    const unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : usual;

    srand(seed);
    return seed;
}

static void names(char a[64], char b[64])
{
    snprintf(a, 64, "diff.%ld.a.prv", (long)getpid());
    snprintf(b, 64, "diff.%ld.b.prv", (long)getpid());
}

START_TEST(test_planted)
{
    const unsigned seed = seeded();
    unsigned wrong = 0;
    char a[64], b[64];

    names(a, b);
    for (unsigned i = 0; i < (traces_take() == TRACES_LEAST ? PAIRS / 4 : PAIRS); i++) {
        const struct planted_case *p = &cases[i % CASES];
        const struct run with = { .what = p->what,
                                  .every = p->every,
                                  .rank = (unsigned)rand() % RANKS,
                                  .iterations = p->iterations,
                                  .longer = p->what == BIG_COLLECTIVE
                                                ? 1e4
                                                : rnd(p->every > 1 ? 2e6 : 4e5, 5e6) };
        const struct run without = { .what = NOTHING };
        struct prvcut_diff *d;
        char *text = NULL;
        bool is;

        write_trace(a, p->swapped ? &with : &without);
        write_trace(b, p->swapped ? &without : &with);
        d = compare(a, b, true, 0.03);
        ck_assert_int_eq(prvcut_diff_text(d, PRVCUT_TEXT, &text, &error), PRVCUT_OK);
        is = is_named(p, &with, d) && d->exceeded == !p->swapped;
        printf("seed %u, %-17s rank %u, %4.1f ms: %.*s%s\n", seed, p->name, with.rank,
               with.longer / 1e6, (int)strcspn(text, "\n"), text, is ? "" : "  NOT NAMED");
        if (!is)
            printf("%s", text);
        wrong += !is;
        free(text);
        check_causes(d);
        if (!p->swapped) {
            struct prvcut_diff *back = compare(b, a, true, 0.03);

            check_mirrored(d, back);
            prvcut_diff_free(back);
        }
        prvcut_diff_free(d);
    }
    unlink(a);
    unlink(b);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Runs that differ by chance alone. */
START_TEST(test_noise)
{
    const unsigned seed = seeded();
    char a[64], b[64];

    names(a, b);
    for (unsigned i = 0; i < 5; i++) {
        const struct run run = { .what = NOTHING };
        struct prvcut_diff *d;
        char *text = NULL;

        write_trace(a, &run);
        write_trace(b, &run);
        d = compare(a, b, true, 0);
        ck_assert_int_eq(prvcut_diff_text(d, PRVCUT_TEXT, &text, &error), PRVCUT_OK);
        ck_assert_msg(d->changes == 0 && !d->exceeded && d->worst == 0, "seed %u:\n%s", seed, text);
        free(text);
        prvcut_diff_free(d);
    }
    unlink(a);
    unlink(b);
}
END_TEST

/* Iterations of two lengths, each by a coin: which of them is the median is chance. */
START_TEST(test_two_lengths)
{
    static const struct prvcut_diff_spec length = {
        .over = { PRVCUT_DIFF_AT_LENGTH, PRVCUT_DIFF_AT_LENGTH },
        .under = { PRVCUT_DIFF_NO_COLUMN, PRVCUT_DIFF_NO_COLUMN }
    };
    enum { PAIRS_OF_LENGTHS = 2000, EACH = 25 };
    double at[(EACH + 1) * PRVCUT_DIFF_AT_COLUMNS] = { 0 }, room[EACH];
    bool clear[EACH];
    const struct prvcut_diff_run run = {
        .iterations = EACH, .rows = 1, .threads = 1, .clear = clear, .at = at, .count = EACH
    };
    unsigned different = 0;

    srand(5);
    memset(clear, true, sizeof clear);
    for (unsigned i = 0; i < PAIRS_OF_LENGTHS; i++) {
        struct prvcut_diff_stat s[2];

        for (unsigned side = 0; side < 2; side++) {
            double *sum = prvcut_diff_at(&run, EACH, 0);

            *sum = 0;
            for (size_t k = 0; k < EACH; k++) {
                const double ns = (rnd(0, 1) < 0.5 ? 6e6 : 12e6) * rnd(0.97, 1.03);

                prvcut_diff_at(&run, k, 0)[PRVCUT_DIFF_AT_LENGTH] = ns;
                *sum += ns;
            }
            s[side] = prvcut_diff_measure(&run, &length, side, 0, room);
        }
        different += prvcut_diff_judge(&s[0], &s[1], 6e6, false, false, PRVCUT_DIFF_SAME).way !=
                     PRVCUT_DIFF_SAME;
    }
    printf("of two lengths %u of %d pairs seem to differ\n", different, PAIRS_OF_LENGTHS);
    ck_assert_uint_le(different, 4);
}
END_TEST

/* --- Real runs -------------------------------------------------------------------------------- */

START_TEST(test_real_with_itself)
{
    static const char *const name[] = { "lu.S.8.flush" };
    char path[4096];

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct prvcut_diff *d;

        if (!traces_unpack(name[i], path, sizeof path)) {
            test_leaves_out("real traces");
            return;
        }
        d = compare(path, path, true, 0);
        ck_assert_uint_eq(d->changes, 0);
        ck_assert_uint_eq(d->causes, 0);
        ck_assert(!d->exceeded && !d->whole && d->by_thread);
        prvcut_diff_free(d);
    }
}
END_TEST

START_TEST(test_real_mirrored)
{
    static const struct {
        const char *one, *other;
        enum traces_take from;
    } pair[] = {
        { "lu.S.4", "lu.S.8.flush", TRACES_LEAST }, { "bt.W.4.hwc", "lu.A.2.preempt", TRACES_ALL },
        { "cg.W.8", "is.W.8", TRACES_FEW },         { "mg.W.8", "mg.B.8", TRACES_ALL },
        { "bt.W.9", "bt.W.9.flush", TRACES_ALL },   { "sp.W.9", "sp.W.9.burst", TRACES_ALL },
        { "lulesh.8", "comd.8", TRACES_ALL },       { "cg.W.8", "mg.W.8", TRACES_ALL }
    };
    char one[4096], other[4096];

    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        struct prvcut_diff *d, *back;

        if (pair[i].from > traces_take())
            continue;
        if (!traces_unpack(pair[i].one, one, sizeof one) ||
            !traces_unpack(pair[i].other, other, sizeof other)) {
            test_leaves_out("real traces");
            return;
        }
        d = compare(one, other, true, 0);
        back = compare(other, one, true, 0);
        check_causes(d);
        check_mirrored(d, back);
        prvcut_diff_free(d);
        prvcut_diff_free(back);
    }
}
END_TEST

static Suite *diff_suite(void)
{
    Suite *s = suite_create("diff");
    TCase *c = tcase_create("diff");

    tcase_set_timeout(c, 300);
    tcase_add_test(c, test_planted);
    tcase_add_test(c, test_noise);
    tcase_add_test(c, test_two_lengths);
    tcase_add_test(c, test_real_with_itself);
    tcase_add_test(c, test_real_mirrored);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(diff_suite());
}
