#include "known_waits.h"

/* Delay costs of collectives of random runs, against the definition as it is written. */

/* --- Collectives, by the definition ----------------------------------------------------------- */

#define WORLD  4
#define STEPS  24
#define INSIDE UINT64_C(10000)

/* A collective of some ranks: its members, when each comes to it after so much computing. */
struct step {
    unsigned members;
    uint64_t computed[WORLD], begin[WORLD], last;
    unsigned cause;
    double cost[WORLD]; /* handed on to each one's wait */
};

/* Outside of calls, and in them. */
struct blame {
    double shorter[2], longer[2];
};

static bool in_step(const struct step *s, unsigned rank)
{
    return s->members >> rank & 1;
}

static uint64_t random_of(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* All of them, halves, or the two in the middle; nobody computes as long as another one. */
static void make_steps(struct step *s, uint64_t seed)
{
    static const unsigned members[] = { 15, 3, 12, 6 };
    uint64_t ready[WORLD];

    for (unsigned i = 0; i < WORLD; i++)
        ready[i] = MS;
    for (size_t k = 0; k < STEPS; k++) {
        s[k] = (struct step){ .members = members[k + 1 < STEPS ? random_of(&seed) % 4 : 0] };
        for (unsigned i = 0; i < WORLD; i++) {
            if (!in_step(&s[k], i))
                continue;
            s[k].computed[i] = 1000 + random_of(&seed) % (3 * MS);
            s[k].begin[i] = ready[i] + s[k].computed[i];
            if (s[k].begin[i] > s[k].last) {
                s[k].last = s[k].begin[i];
                s[k].cause = i;
            }
        }
        for (unsigned i = 0; i < WORLD; i++)
            if (in_step(&s[k], i))
                ready[i] = s[k].last + INSIDE;
    }
}

static void put_steps(const char *path, const struct step *s)
{
    FILE *f = fopen(path, "w");
    const uint64_t end = s[STEPS - 1].last + INSIDE + MS;

    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 00:00):%" PRIu64 "_ns:1(4):1:4(1:1,1:1,1:1,1:1),4\n",
            end + MS);
    fprintf(f, "c:1:15:4:1:2:3:4\nc:1:3:2:1:2\nc:1:12:2:3:4\nc:1:6:2:2:3\n");
    for (unsigned i = 0; i < WORLD; i++) {
        put_call(f, i, 3, 31, 0, MS);
        for (size_t k = 0; k < STEPS; k++)
            if (in_step(&s[k], i))
                fprintf(f,
                        "2:%u:1:%u:1:%" PRIu64 ":50000002:10:50100001:8:50100002:8:50100004:%u\n"
                        "2:%u:1:%u:1:%" PRIu64 ":50000002:0\n",
                        i + 1, i + 1, s[k].begin[i], s[k].members, i + 1, i + 1,
                        s[k].last + INSIDE);
        put_call(f, i, 3, 32, end, end + MS);
    }
    fclose(f);
    ck_assert(traces_shell("{ grep -v '^2' '%s'; grep '^2' '%s' | sort -s -t: -k6,6n; } >'%s.s'"
                           " && mv '%s.s' '%s'",
                           path, path, path, path, path));
}

/* What a rank spent since the step before, up to its part in a later one: computing, in calls but
   for waiting, waiting. */
static void spent(const struct step *s, size_t from, size_t to, unsigned rank, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (size_t k = from; k <= to; k++) {
        if (!in_step(&s[k], rank))
            continue;
        out[0] += (double)s[k].computed[rank];
        out[1] += k < to ? (double)INSIDE : 0;
        out[2] += k < to ? (double)(s[k].last - s[k].begin[rank]) : 0;
    }
}

/* One that waited in a step: its wait, and what was handed on to it, are the causer's, as far as
   that spent more than the one that waited since both met, and its waits' since then. */
static void blame_one(struct step *s, size_t at, unsigned rank, struct blame *b)
{
    const unsigned cause = s[at].cause;
    const double wait = (double)(s[at].last - s[at].begin[rank]), cost = s[at].cost[rank];
    double by[3], of[3], all;
    size_t met = at;

    while (met > 0 && !(in_step(&s[met - 1], rank) && in_step(&s[met - 1], cause)))
        met--;
    spent(s, met, at, cause, by);
    spent(s, met, at, rank, of);
    all = by[2];
    for (int i = 0; i < 2; i++)
        all += fmax(0, by[i] - of[i]);
    for (int i = 0; i < 2; i++) {
        b[cause].shorter[i] += wait / all * fmax(0, by[i] - of[i]);
        b[cause].longer[i] += cost / all * fmax(0, by[i] - of[i]);
    }
    for (size_t k = met; k < at; k++)
        if (in_step(&s[k], cause))
            s[k].cost[cause] += (wait + cost) / all * (double)(s[k].last - s[k].begin[cause]);
}

/* The one whose cause begins last comes first: then nothing is handed on to it any more. */
static void blame_all(struct step *s, struct blame *b)
{
    uint64_t before = UINT64_MAX;

    for (;;) {
        size_t next = STEPS;

        for (size_t k = 0; k < STEPS; k++)
            if (s[k].last < before && (next == STEPS || s[k].last > s[next].last))
                next = k;
        if (next == STEPS)
            return;
        before = s[next].last;
        for (unsigned i = 0; i < WORLD; i++)
            if (in_step(&s[next], i) && i != s[next].cause)
                blame_one(s, next, i, b);
    }
}

START_TEST(test_causes_of_collectives_are_as_defined)
{
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[2048];
    struct step s[STEPS];
    struct blame wanted[WORLD] = { { { 0 }, { 0 } } }, seen[WORLD] = { { { 0 }, { 0 } } };
    const struct prvcut_waits_cost *c;
    struct prvcut_wait_states *w;
    double longer = 0;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/steps.prv", folder);
    make_steps(s, (uint64_t)_i + 1);
    put_steps(path, s);
    blame_all(s, wanted);
    w = causes_of(path, 1);
    for (size_t i = 0; (c = prvcut_waits_cost(w, i)) != NULL; i++) {
        ck_assert_int_eq(c->kind, PRVCUT_DELAY_N2N);
        seen[c->rank].shorter[c->path != 0] += c->short_ns;
        seen[c->rank].longer[c->path != 0] += c->long_ns;
    }
    for (unsigned i = 0; i < WORLD; i++)
        for (int k = 0; k < 2; k++) {
            ck_assert_double_le(fabs(seen[i].shorter[k] - wanted[i].shorter[k]), 10);
            ck_assert_double_le(fabs(seen[i].longer[k] - wanted[i].longer[k]), 10);
            longer += wanted[i].longer[k];
        }
    ck_assert_double_gt(longer, 0);
    prvcut_wait_states_free(w);
    ck_assert(traces_shell("rm -rf '%s'", folder));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits_blame");
    TCase *all = tcase_create("all");

    tcase_add_loop_test(all, test_causes_of_collectives_are_as_defined, 0, 8);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
