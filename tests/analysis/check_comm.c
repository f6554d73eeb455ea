#include "analysis/comm/topology.h"
#include "analysis/comm/wavefront.h"
#include "tests/support/runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shapes of messages: each by its own definition, edge by edge, against the library's. */

#define RANKS 64

/* A graph as a table: the class of each edge, from 1; 0: there is none. */
struct graph {
    uint32_t ranks;
    unsigned class[RANKS][RANKS];
};

static void join(struct graph *g, uint32_t a, uint32_t b, unsigned class)
{
    if (a != b && (g->class[a][b] == 0 || class < g->class[a][b]))
        g->class[a][b] = g->class[b][a] = class;
}

/* Neighbours by steps of -1, 0, 1 along each axis. */
static void grid(struct graph *g, const uint32_t dim[3], bool wraps, bool diagonal)
{
    for (uint32_t i = 0; i < g->ranks; i++)
        for (int step = 0; step < 27; step++) {
            const int d[3] = { step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1 };
            const int moves = abs(d[0]) + abs(d[1]) + abs(d[2]);
            int at[3] = { (int)(i % dim[0]), (int)(i / dim[0] % dim[1]),
                          (int)(i / dim[0] / dim[1]) };
            bool inside = moves > 0 && (diagonal || moves == 1);

            for (int k = 0; k < 3; k++) {
                const int n = (int)dim[k];

                at[k] += d[k];
                inside = inside && !(n == 1 && d[k] != 0);
                if (wraps)
                    at[k] = (at[k] + n) % n;
                inside = inside && at[k] >= 0 && at[k] < n;
            }
            if (inside)
                join(g, i, (uint32_t)at[0] + dim[0] * ((uint32_t)at[1] + dim[1] * (uint32_t)at[2]),
                     (unsigned)moves);
        }
}

static void torus_and_diagonal(struct graph *g, uint32_t n, unsigned variant)
{
    grid(g, (const uint32_t[3]){ n, n, 1 }, true, false);
    for (uint32_t i = 0; i < g->ranks; i++) {
        const uint32_t x = (i % n + 1) % n, up = (i / n + 1) % n, down = (i / n + n - 1) % n;

        join(g, i, x + n * (variant == 0 ? up : down), 1);
    }
}

static void transpose_butterfly(struct graph *g, uint32_t columns, uint32_t rows)
{
    for (uint32_t i = 0; i < g->ranks; i++) {
        const uint32_t row = i / columns, column = i % columns, n = rows, h = i / 2;

        for (uint32_t bit = 1; bit < columns; bit *= 2)
            join(g, i, row * columns + (column ^ bit), 1);
        if (rows == columns)
            join(g, i, i % n * n + i / n, 1);
        else
            join(g, i, 2 * (h % n * n + h / n) + i % 2, 1);
    }
}

static void line(struct graph *g, enum prvcut_topology t, unsigned variant)
{
    const uint32_t P = g->ranks;

    for (uint32_t i = 0; i < P; i++)
        for (uint32_t j = 0; j < i; j++) {
            const uint32_t x = i ^ j;
            const bool is = t == PRVCUT_TOPOLOGY_PAIRS && variant == 0  ? i / 2 == j / 2
                            : t == PRVCUT_TOPOLOGY_PAIRS                ? i - j == P / 2
                            : t == PRVCUT_TOPOLOGY_BUTTERFLY            ? (x & (x - 1)) == 0
                            : t == PRVCUT_TOPOLOGY_STAR && variant == 0 ? j == 0
                            : t == PRVCUT_TOPOLOGY_STAR                 ? i == P - 1
                            : t == PRVCUT_TOPOLOGY_TREE && variant == 0
                                ? i == 2 * j + 1 || i == 2 * j + 2
                            : t == PRVCUT_TOPOLOGY_TREE ? (i & (i - 1)) == j
                                                        : t == PRVCUT_TOPOLOGY_ALLTOALL;

            if (is)
                join(g, i, j, 1);
        }
}

static void build(struct graph *g, const struct prvcut_comm_shape *s, unsigned variant)
{
    const bool wraps =
        s->topology == PRVCUT_TOPOLOGY_RING || s->topology == PRVCUT_TOPOLOGY_TORUS2D ||
        s->topology == PRVCUT_TOPOLOGY_TORUS3D || s->topology == PRVCUT_TOPOLOGY_TORUS2D8 ||
        s->topology == PRVCUT_TOPOLOGY_TORUS3D26;
    const bool diagonal =
        s->topology >= PRVCUT_TOPOLOGY_MESH2D8 && s->topology <= PRVCUT_TOPOLOGY_TORUS3D26;

    memset(g, 0, sizeof *g);
    g->ranks = s->dim[0] * s->dim[1] * s->dim[2];
    if ((s->topology >= PRVCUT_TOPOLOGY_CHAIN && s->topology <= PRVCUT_TOPOLOGY_TORUS3D) ||
        diagonal)
        grid(g, s->dim, wraps, diagonal);
    else if (s->topology == PRVCUT_TOPOLOGY_MULTIPARTITION)
        torus_and_diagonal(g, s->dim[0], variant);
    else if (s->topology == PRVCUT_TOPOLOGY_TRANSPOSE_BUTTERFLY)
        transpose_butterfly(g, s->dim[0], s->dim[1]);
    else if (s->topology == PRVCUT_TOPOLOGY_TRANSPOSE)
        for (uint32_t i = 0; i < g->ranks; i++)
            join(g, i, i % s->dim[0] * s->dim[0] + i / s->dim[0], 1);
    else
        line(g, s->topology, variant);
}

/* One message an edge and direction: faces 1000 bytes, edges 100, corners 10. */
static size_t pairs_of(const struct graph *g, struct prvcut_comm_pair *pair)
{
    static const uint64_t bytes[] = { 0, 1000, 100, 10 };
    size_t n = 0;

    for (uint32_t i = 0; i < g->ranks; i++)
        for (uint32_t j = i + 1; j < g->ranks; j++)
            if (g->class[i][j] > 0)
                pair[n++] = (struct prvcut_comm_pair){ i, j, 2, 2 * bytes[g->class[i][j]] };
    return n;
}

static bool same_shape(const struct prvcut_comm_shape *a, const struct prvcut_comm_shape *b)
{
    return a->topology == b->topology && a->dimensions == b->dimensions &&
           memcmp(a->dim, b->dim, sizeof a->dim) == 0;
}

static bool is_told(const struct prvcut_topology_found *f, const struct prvcut_comm_shape *s)
{
    bool is = same_shape(&f->shape, s);

    for (size_t i = 0; i < f->ties; i++)
        is |= same_shape(&f->tie[i], s);
    return is;
}

struct tally {
    unsigned templates, named, exact;
};

static struct prvcut_error err;

static bool try_template(void *ctx, const struct prvcut_comm_shape *s, unsigned variant)
{
    static struct prvcut_comm_pair pair[RANKS * RANKS];
    struct tally *t = ctx;
    struct prvcut_topology_found found;
    struct graph g;
    double edges[4], count[4] = { 0 };
    size_t pairs;

    build(&g, s, variant);
    prvcut_shape_edges(s, edges);
    for (uint32_t i = 0; i < g.ranks; i++)
        for (uint32_t j = i + 1; j < g.ranks; j++) {
            const unsigned class = prvcut_shape_class(s, variant, i, j);

            ck_assert_msg(class == g.class[i][j], "%s of %u: %u with %u is %u, not %u",
                          prvcut_topology_text(s->topology), g.ranks, i, j, class, g.class[i][j]);
            count[class] += class > 0;
        }
    for (unsigned k = 1; k < 4; k++)
        ck_assert_msg(edges[k] == count[k], "%s of %u: %g edges of class %u, not %g",
                      prvcut_topology_text(s->topology), g.ranks, edges[k], k, count[k]);
    pairs = pairs_of(&g, pair);
    ck_assert_int_eq(prvcut_topology_find(&found, g.ranks, pair, pairs, &err), PRVCUT_OK);
    t->templates++;
    t->named += is_told(&found, s);
    t->exact += fabs(found.fit - 1) < 1e-12;
    if (!is_told(&found, s))
        printf("  %s of %u ranks is taken for %s\n", prvcut_topology_text(s->topology), g.ranks,
               prvcut_topology_text(found.shape.topology));
    free(found.tie);
    return true;
}

START_TEST(test_find_each_shape_by_its_own_name)
{
    static const uint32_t ranks[] = { 2, 4, 8, 9, 12, 16, 25, 27, 64 };
    struct tally all = { 0 };

    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        struct tally t = { 0 };

        ck_assert(prvcut_shapes(ranks[i], try_template, &t));
        printf("E5 %2u ranks: %3u templates, %3u named, %3u with fit 1.000\n", ranks[i],
               t.templates, t.named, t.exact);
        all.templates += t.templates;
        all.named += t.named;
        all.exact += t.exact;
    }
    printf("E5 all: %u of %u\n", all.named, all.templates);
    ck_assert_uint_gt(all.templates, 200);
    ck_assert_uint_eq(all.named, all.templates);
    ck_assert_uint_eq(all.exact, all.templates);
}
END_TEST

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

START_TEST(test_find_random_graphs_irregular)
{
    struct prvcut_comm_pair pair[120];
    unsigned irregular = 0;
    uint64_t seed = 7;

    for (int graph = 0; graph < 1000; graph++) {
        struct prvcut_topology_found found;
        size_t n = 0;

        for (uint32_t i = 0; i < 16; i++)
            for (uint32_t j = i + 1; j < 16; j++)
                if (next(&seed) % 10 < 3)
                    pair[n++] = (struct prvcut_comm_pair){ i, j, 1, 1 + next(&seed) % 1000000 };
        ck_assert_int_eq(prvcut_topology_find(&found, 16, pair, n, &err), PRVCUT_OK);
        irregular += found.shape.topology == PRVCUT_TOPOLOGY_IRREGULAR;
        free(found.tie);
    }
    printf("E5 random graphs: %u of 1000 irregular\n", irregular);
    ck_assert_uint_ge(irregular, 990);
}
END_TEST

/* Where all talk to all, only sizes tell a mesh with diagonals from it. */
START_TEST(test_find_all_to_all)
{
    static const uint32_t ranks[] = { 5, 6, 7, 8, 9, 12, 16, 27 };

    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        struct prvcut_comm_pair pair[27 * 26 / 2];
        struct prvcut_topology_found f;
        size_t pairs = 0;

        for (uint32_t low = 0; low < ranks[i]; low++)
            for (uint32_t high = low + 1; high < ranks[i]; high++)
                pair[pairs++] = (struct prvcut_comm_pair){ low, high, 2, 2000 };
        ck_assert_int_eq(prvcut_topology_find(&f, ranks[i], pair, pairs, &err), PRVCUT_OK);
        ck_assert_msg(f.shape.topology == PRVCUT_TOPOLOGY_ALLTOALL, "%u ranks: %s", ranks[i],
                      prvcut_topology_text(f.shape.topology));
        ck_assert(f.fit == 1);
        free(f.tie);
    }
}
END_TEST

START_TEST(test_find_nothing_without_messages)
{
    struct prvcut_comm_pair pair[1] = { { 0, 1, 0, 0 } };
    struct prvcut_topology_found found;

    ck_assert_int_eq(prvcut_topology_find(&found, 2, pair, 0, &err), PRVCUT_OK);
    ck_assert_int_eq(found.shape.topology, PRVCUT_TOPOLOGY_NONE);
    ck_assert(isnan(found.fit));
    ck_assert_int_eq(prvcut_topology_find(&found, 2, pair, 1, &err), PRVCUT_OK);
    ck_assert_int_eq(found.shape.topology, PRVCUT_TOPOLOGY_NONE);
}
END_TEST

/* Where no bytes are told, messages alone decide; the spread is of them. */
START_TEST(test_find_without_bytes)
{
    struct prvcut_comm_pair pair[4];
    struct prvcut_topology_found found;

    for (uint32_t i = 0; i < 4; i++)
        pair[i] = (struct prvcut_comm_pair){ i == 3 ? 0 : i, i == 3 ? 3 : i + 1, 10, 0 };
    ck_assert_int_eq(prvcut_topology_find(&found, 4, pair, 4, &err), PRVCUT_OK);
    ck_assert_int_eq(found.shape.topology, PRVCUT_TOPOLOGY_RING);
    ck_assert(fabs(found.fit - 1) < 1e-12);
    ck_assert(found.spread < 1e-12);
    free(found.tie);
}
END_TEST

/* So many ranks that no matrix would fit: a torus with diagonals, and a few strays. */
START_TEST(test_find_among_65536_ranks)
{
    const struct prvcut_comm_shape s = { PRVCUT_TOPOLOGY_TORUS2D, { 256, 256, 1 }, 2 };
    struct prvcut_comm_pair *pair = calloc(2 * 65536, sizeof *pair);
    struct prvcut_topology_found found;
    size_t n = 0;

    ck_assert_ptr_nonnull(pair);
    for (uint32_t i = 0; i < 65536; i++) {
        const uint32_t right = i / 256 * 256 + (i + 1) % 256, up = (i + 256) % 65536;
        const uint32_t to[2] = { right, up };

        for (int k = 0; k < 2; k++)
            pair[n++] = (struct prvcut_comm_pair){ i < to[k] ? i : to[k], i < to[k] ? to[k] : i, 10,
                                                   10000 };
    }
    ck_assert_int_eq(prvcut_topology_find(&found, 65536, pair, n, &err), PRVCUT_OK);
    printf("E.5 65,536 ranks, %zu pairs: %s %u x %u, fit %.3f, %zu ties\n", n,
           prvcut_topology_text(found.shape.topology), found.shape.dim[0], found.shape.dim[1],
           found.fit, found.ties);
    ck_assert(same_shape(&found.shape, &s));
    free(found.tie);
    free(pair);
}
END_TEST

/* --- Limits ----------------------------------------------------------------------------------- */

/* A ring: so many messages of rank i with the next one, of the last with the first as given. */
static size_t ring_of(struct prvcut_comm_pair *pair, uint32_t ranks, uint64_t even, uint64_t odd,
                      uint64_t closing)
{
    for (uint32_t i = 0; i + 1 < ranks; i++)
        pair[i] = (struct prvcut_comm_pair){ i, i + 1, i % 2 == 0 ? even : odd, 0 };
    pair[ranks - 1] = (struct prvcut_comm_pair){ 0, ranks - 1, closing, 0 };
    return ranks;
}

static struct prvcut_topology_found found_in(struct prvcut_comm_pair *pair, size_t pairs,
                                             uint32_t ranks)
{
    struct prvcut_topology_found f;

    ck_assert_int_eq(prvcut_topology_find(&f, ranks, pair, pairs, &err), PRVCUT_OK);
    free(f.tie);
    return f;
}

/* Strays beside a ring of 16 take it from below to above a third of all messages: 2 p / (1 + p) of
   two thirds is 0.8. */
START_TEST(test_limit_of_what_fits)
{
    static const uint32_t from[] = { 0, 2, 4, 6, 8, 1, 3, 7 },
                          to[] = { 5, 9, 13, 11, 15, 10, 12, 14 };

    for (uint64_t strays = 99; strays <= 101; strays += 2) {
        struct prvcut_comm_pair pair[24];
        size_t pairs = ring_of(pair, 16, 100, 100, 100);
        struct prvcut_topology_found f;

        for (int i = 0; i < 8; i++)
            pair[pairs++] = (struct prvcut_comm_pair){ from[i], to[i], strays, 0 };
        f = found_in(pair, pairs, 16);
        ck_assert_int_eq(f.shape.topology,
                         strays < 100 ? PRVCUT_TOPOLOGY_RING : PRVCUT_TOPOLOGY_IRREGULAR);
        ck_assert(fabs(f.fit - 0.8) < 0.002);
    }
}
END_TEST

/* Ranks talk if they do so a twentieth as often as the two that do most. */
START_TEST(test_limit_of_what_is_used)
{
    for (uint64_t few = 49; few <= 50; few++) {
        struct prvcut_comm_pair pair[8];
        size_t pairs = ring_of(pair, 8, few, few, few);

        pair[3].messages = 1000;
        ck_assert_int_eq(found_in(pair, pairs, 8).shape.topology == PRVCUT_TOPOLOGY_IRREGULAR,
                         few < 50);
    }
}
END_TEST

/* A chain in which messages differ, and more and more of the last rank with the first: a chain as
   long as it fits nearly as well as the ring, and both while they are as even. */
START_TEST(test_limits_of_ties)
{
    static const struct {
        uint32_t ranks;
        uint64_t even, odd, closing;
        bool chain;
        size_t ties;
    } cases[] = {
        { 12, 150, 50, 46, true, 1 },  /* fit 0.9804 of 1 */
        { 12, 150, 50, 48, false, 0 }, /* 0.9796 */
        { 64, 150, 50, 49, true, 1 },  /* 1 / 256 below 1: 0.99616 */
        { 64, 150, 50, 51, false, 0 }, /* 0.99600 */
        { 12, 155, 45, 30, true, 1 },  /* spread 0.0494 more */
        { 12, 152, 48, 30, true, 0 },  /* 0.0508 */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prvcut_comm_pair pair[64];
        const size_t pairs =
            ring_of(pair, cases[i].ranks, cases[i].even, cases[i].odd, cases[i].closing);
        const struct prvcut_topology_found f = found_in(pair, pairs, cases[i].ranks);

        ck_assert_msg(f.shape.topology ==
                          (cases[i].chain ? PRVCUT_TOPOLOGY_CHAIN : PRVCUT_TOPOLOGY_RING),
                      "case %zu: %s", i, prvcut_topology_text(f.shape.topology));
        ck_assert_msg(f.ties == cases[i].ties, "case %zu: %zu ties", i, f.ties);
    }
}
END_TEST

/* --- Wavefront -------------------------------------------------------------------------------- */

/* Work across a mesh of 3 x 2 from the corner of rank 0: each waits for the rank before it on both
   axes; or all send at once. back: and answer along the first axis. */
static bool runs_across(bool waits, bool back)
{
    const struct prvcut_comm_shape s = { PRVCUT_TOPOLOGY_MESH2D, { 3, 2, 1 }, 2 };
    static const uint32_t from[] = { 0, 0, 1, 1, 2, 3, 4 }, to[] = { 1, 3, 2, 4, 5, 4, 5 };
    struct prvcut_wavefront *w;
    bool is;

    ck_assert_int_eq(prvcut_wavefront_new(&w, &s, &err), PRVCUT_OK);
    for (uint64_t round = 0; round < 100; round++) {
        for (int k = 0; k < 7; k++) {
            prvcut_wavefront_send(w, from[k], to[k], 1000 * round + (waits ? 10 * from[k] : 0));
            if (waits)
                prvcut_wavefront_receive(w, from[k], to[k], 1000 * round + 10 * from[k] + 9);
        }
        for (int k = 0; k < 7 && !waits; k++)
            prvcut_wavefront_receive(w, from[k], to[k], 1000 * round + 500);
        for (int k = 0; k < 7 && back; k++)
            prvcut_wavefront_send(w, to[k], from[k], 1000 * round + 600);
    }
    is = prvcut_wavefront_is(w);
    prvcut_wavefront_free(w);
    return is;
}

START_TEST(test_wavefront_needs_order_and_runs)
{
    ck_assert(runs_across(true, false));
    ck_assert(!runs_across(false, false));
    /* Not in one direction for long. */
    ck_assert(!runs_across(true, true));
}
END_TEST

/* What is complete at the very time of a sending counts, in whatever order both are told. */
START_TEST(test_wavefront_takes_equal_times_in_any_order)
{
    const struct prvcut_comm_shape s = { PRVCUT_TOPOLOGY_CHAIN, { 3, 1, 1 }, 1 };

    for (int order = 0; order < 2; order++) {
        struct prvcut_wavefront *w;

        ck_assert_int_eq(prvcut_wavefront_new(&w, &s, &err), PRVCUT_OK);
        for (uint64_t k = 0; k < 10; k++) {
            prvcut_wavefront_send(w, 0, 1, 100 * k);
            if (order == 0)
                prvcut_wavefront_receive(w, 0, 1, 100 * k + 50);
            prvcut_wavefront_send(w, 1, 2, 100 * k + 50);
            if (order == 1)
                prvcut_wavefront_receive(w, 0, 1, 100 * k + 50);
            prvcut_wavefront_receive(w, 1, 2, 100 * k + 60);
        }
        ck_assert(prvcut_wavefront_is(w));
        prvcut_wavefront_free(w);
    }
}
END_TEST

/* Rank 0 to 1 to 2, 100 times: of what 1 sends so many wait for what it gets, which is so many more
   than it sends; then so many answers, one at a time with as many more ahead. */
static bool runs_along(unsigned waiting, unsigned more, unsigned back)
{
    const struct prvcut_comm_shape s = { PRVCUT_TOPOLOGY_CHAIN, { 3, 1, 1 }, 1 };
    struct prvcut_wavefront *w;
    uint64_t now = 0;
    bool is;

    ck_assert_int_eq(prvcut_wavefront_new(&w, &s, &err), PRVCUT_OK);
    for (unsigned k = 0; k < 100 + more; k++) {
        prvcut_wavefront_send(w, 0, 1, ++now);
        if (k < 100 && k >= waiting)
            prvcut_wavefront_send(w, 1, 2, ++now);
        prvcut_wavefront_receive(w, 0, 1, ++now);
        if (k < waiting)
            prvcut_wavefront_send(w, 1, 2, ++now);
        if (k < 100)
            prvcut_wavefront_receive(w, 1, 2, ++now);
    }
    for (unsigned k = 0; k < back; k++)
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t from = k % 2 == 0 ? i + 1 : i, to = k % 2 == 0 ? i : i + 1;

            prvcut_wavefront_send(w, from, to, ++now);
            prvcut_wavefront_receive(w, from, to, ++now);
        }
    is = prvcut_wavefront_is(w);
    prvcut_wavefront_free(w);
    return is;
}

/* So many at a time to the end of the chain, then as many back. */
static bool runs_to_and_fro(unsigned times)
{
    const struct prvcut_comm_shape s = { PRVCUT_TOPOLOGY_CHAIN, { 3, 1, 1 }, 1 };
    struct prvcut_wavefront *w;
    uint64_t now = 0;
    bool is;

    ck_assert_int_eq(prvcut_wavefront_new(&w, &s, &err), PRVCUT_OK);
    for (unsigned k = 0; k < 20 * times; k++)
        for (uint32_t i = 0; i < 2; i++) {
            const bool back = k / times % 2 == 1;
            const uint32_t from = back ? 2 - i : i, to = back ? 1 - i : i + 1;

            prvcut_wavefront_send(w, from, to, ++now);
            prvcut_wavefront_receive(w, from, to, ++now);
        }
    is = prvcut_wavefront_is(w);
    prvcut_wavefront_free(w);
    return is;
}

START_TEST(test_limits_of_a_wavefront)
{
    ck_assert(runs_to_and_fro(3));
    ck_assert(!runs_to_and_fro(2));
    ck_assert(runs_along(100, 0, 0));
    /* Three of four wait. */
    ck_assert(runs_along(75, 0, 0));
    ck_assert(!runs_along(74, 0, 0));
    /* A quarter more comes than goes. */
    ck_assert(runs_along(100, 25, 0));
    ck_assert(!runs_along(100, 26, 0));
    /* Half of them go one way, three in a row and more. */
    ck_assert(runs_along(100, 0, 100));
    ck_assert(!runs_along(100, 0, 101));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("comm");
    TCase *t = tcase_create("shapes");

    tcase_set_timeout(t, 120);
    tcase_add_test(t, test_find_each_shape_by_its_own_name);
    tcase_add_test(t, test_find_random_graphs_irregular);
    tcase_add_test(t, test_find_all_to_all);
    tcase_add_test(t, test_find_nothing_without_messages);
    tcase_add_test(t, test_find_without_bytes);
    tcase_add_test(t, test_find_among_65536_ranks);
    tcase_add_test(t, test_limit_of_what_fits);
    tcase_add_test(t, test_limit_of_what_is_used);
    tcase_add_test(t, test_limits_of_ties);
    tcase_add_test(t, test_wavefront_needs_order_and_runs);
    tcase_add_test(t, test_limits_of_a_wavefront);
    tcase_add_test(t, test_wavefront_takes_equal_times_in_any_order);
    suite_add_tcase(s, t);
    return run_suite(s);
}
