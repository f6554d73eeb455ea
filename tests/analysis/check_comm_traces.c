#include "analysis/comm/topology.h"
#include "prvcut/comm.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who sends to whom in real traces: counts and shapes that are known of them, and sums over the
   lines of their text. */

enum wave { ANY, YES, NO, NONE };

struct known {
    const char *format, *name; /* format: "paraver", "otf2", "otf", or a folder of its own */
    uint64_t messages, bytes;
    const char *shape;
    uint32_t dim[3];
    enum wave wave;
};

static const struct known known[] = {
    { "paraver", "bt.S.4", 2952, 14328480, "multipartition", { 2, 2 }, ANY },
    { "paraver", "bt.W.4.hwc", 9672, 169984800, "multipartition", { 2, 2 }, ANY },
    { "otf2", "bt.S.4", 2952, 14328480, "multipartition", { 2, 2 }, ANY },
    { "otf2", "bt.W.4", 9672, 169984800, "multipartition", { 2, 2 }, ANY },
    { "otf2", "sp.W.4", 19272, 606087168, "multipartition", { 2, 2 }, ANY },
    { "paraver", "bt.W.9", 32616, 357866640, "multipartition", { 3, 3 }, ANY },
    { "paraver", "bt.W.9.flush", 32616, 357866640, "multipartition", { 3, 3 }, ANY },
    { "paraver", "sp.W.9", 65016, 1212174336, "multipartition", { 3, 3 }, ANY },
    { "paraver", "sp.A.16", 154080, 5922579456, "multipartition", { 4, 4 }, ANY },
    { "otf", "bt.W.16-z", 77280, 564658560, "multipartition", { 4, 4 }, ANY },
    { "paraver", "lu.S.4", 4520, 3305152, "mesh2d", { 2, 2 }, YES },
    { "otf2", "lu.S.4", 4520, 3305152, "mesh2d", { 2, 2 }, YES },
    { "otf", "lu.S.4", 4520, 3305152, "mesh2d", { 2, 2 }, YES },
    { "paraver", "lu.W.4", 77088, 152221856, "mesh2d", { 2, 2 }, YES },
    { "otf2", "lu.W.4", 77088, 152221856, "mesh2d", { 2, 2 }, YES },
    { "otf", "gtg-lu.S.4", 4520, 0, "mesh2d", { 2, 2 }, YES },
    { "paraver", "lu.S.8.flush", 11298, 6610368, "mesh2d", { 4, 2 }, YES },
    { "paraver", "lu.A.2.preempt", 31635, 0, "pairs", { 2 }, NONE },
    { "paraver", "cg.A.2", 3360, 0, "pairs", { 2 }, NONE },
    { "otf2", "scorep-ping-pong-otf2", 16, 0, "pairs", { 2 }, NONE },
    { "paraver", "cg.W.4.sampling", 6720, 93211648, "chain", { 4 }, NO },
    { "otf2", "cg.W.4", 6720, 93211648, "chain", { 4 }, NO },
    { "otf", "cg.S.4", 6720, 18664448, "chain", { 4 }, NO },
    { "paraver", "cg.W.8", 23552, 139886592, "mesh2d", { 2, 4 }, NO },
    { "otf2", "cg.S.16", 47104, 56131584, "transpose+butterfly", { 4, 4 }, ANY },
    { "paraver", "mg.B.8", 23376, 566596352, "mesh3d", { 2, 2, 2 }, NO },
    { "paraver", "mg.W.8", 4992, 39453952, "mesh3d", { 2, 2, 2 }, NO },
    { "otf2", "mg.A.4", 2856, 128074368, "mesh2d", { 2, 2 }, NO },
    { "otf2", "mg.W.4", 2496, 32584576, "mesh2d", { 2, 2 }, NO },
    { "paraver", "comd.8", 9648, 282390528, "mesh3d", { 2, 2, 2 }, NO },
    { "paraver", "comd.8.ctl", 4320, 126443520, "mesh3d", { 2, 2, 2 }, NO },
    { "paraver", "lulesh.8", 21656, 28202944, "mesh3d26", { 2, 2, 2 }, ANY },
    { "paraver", "lulesh.8.omp", 6536, 8473024, "mesh3d26", { 2, 2, 2 }, ANY },
    { "otf2", "lulesh.8", 10856, 44385088, "mesh3d26", { 2, 2, 2 }, ANY },
    { "otf", "lulesh.8", 10856, 44385088, "mesh3d26", { 2, 2, 2 }, ANY },
    { "otf", "luleshomp.8-z", 2216, 4226368, "mesh3d26", { 2, 2, 2 }, ANY },
    { "otf2", "hpcg.4", 247092, 158618496, "mesh2d8", { 2, 2 }, ANY },
    { "otf", "hpcg.4-2streams", 247092, 158618496, "mesh2d8", { 2, 2 }, ANY },
    { "paraver", "lammps.4", 13504, 197633168, "mesh2d", { 2, 2 }, NO },
    { "otf2", "mpipth.4", 400, 1638400, "ring", { 4 }, ANY },
    { "paraver", "hpcc.4", 29434, 0, NULL, { 0 }, ANY },
    { "otf2", "mpikinds.4", 34, 0, NULL, { 0 }, ANY },
    { "paraver", "is.W.8", 7, 28, "alltoall", { 8 }, NO },
    { "otf2", "is.W.4", 3, 12, "alltoall", { 4 }, NONE }, /* no receive is recorded */
    { "paraver", "ft.A.2", 0, 0, "alltoall", { 2 }, NONE },
    { "paraver", "ft.W.4", 0, 0, "alltoall", { 4 }, NONE },
    { "otf2", "ft.W.4", 0, 0, "alltoall", { 4 }, NONE },
    { "otf", "ft.A.16", 0, 0, "alltoall", { 16 }, NONE },
    { "paraver", "ep.W.4", 0, 0, "none", { 0 }, NONE },
    { "paraver", "sp.W.9.burst", 0, 0, "none", { 0 }, NONE },
    { "otf2", "comd.4", 0, 0, "none", { 0 }, NONE },
    { "otf", "comd.16", 0, 0, "none", { 0 }, NONE },
    { "apps", "paraver/q.mw.4/q.mw.4.prv.zst", 403, 318784, "star", { 4 }, ANY },
    /* Receives with sizes below 0. */
    { "apps", "otf2/q.async-any.4.tar.zst", 1920, 1597440, "multipartition", { 2, 2 }, ANY },
    { "apps", "otf2/q.mw.5.tar.zst", 524, 403992, "star", { 5 }, ANY },
    { "apps", "paraver/of.cavity/of.cavity.prv.zst", 34225, 3051401, "mesh2d", { 2, 2 }, NO },
    { "apps", "paraver/lmp.minrun/lmp.minrun.prv.zst", 0, 0, NULL, { 0 }, NO },
    { "apps", "paraver/q.ckpt.4/q.ckpt.4.prv.zst", 0, 0, NULL, { 0 }, NO },
    { "apps", "paraver/qe.si/qe.si.prv.zst", 175, 0, "irregular", { 0 }, ANY },
    { "more", "epoch.4/epoch.4.prv.zst", 2556, 126528528, "ring", { 4 }, ANY },
    { "waits", "w.chain.3/w.chain.3.prv.zst", 16, 0, "chain", { 3 }, YES },
};

static bool unpacked(const struct known *k, char *path, size_t room)
{
    if (strcmp(k->format, "paraver") == 0)
        return traces_unpack(k->name, path, room);
    if (strcmp(k->format, "otf2") == 0 || strcmp(k->format, "otf") == 0)
        return traces_unpack_archive(k->format, k->name, path, room);
    if (strstr(k->name, ".tar.zst") || strncmp(k->name, "paraver/", 8) == 0)
        return traces_unpack_file(k->format, k->name, path, room);
    snprintf(path, room, "%s/%s/%s", traces_folder(), k->format, k->name);
    return true;
}

static bool wanted(const struct known *k)
{
    if (strcmp(k->format, "paraver") == 0 || strcmp(k->format, "otf2") == 0 ||
        strcmp(k->format, "otf") == 0)
        return traces_wanted(k->format, k->name);
    return traces_take() == TRACES_ALL || strcmp(k->format, "waits") == 0;
}

static struct prvcut_comm *made(const struct known *k, char *path, size_t room)
{
    const struct prvcut_open_options o = { .size = sizeof o };
    const struct prvcut_comm_options options = { .size = sizeof options };
    const struct prvcut_run run = { .size = sizeof run, .threads = 2 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_trace *t = NULL;
    struct prvcut_comm *c = NULL;

    if (!unpacked(k, path, room) || prvcut_trace_open(&t, path, &o, &err) < 0) {
        test_leaves_out(k->name);
        return NULL;
    }
    ck_assert_msg(prvcut_comm_make(t, &run, &options, &c, &err) == PRVCUT_OK, "%s: %s", k->name,
                  err.text);
    prvcut_trace_close(t);
    return c;
}

static bool is_shape(const struct prvcut_comm_shape *s, const struct known *k)
{
    uint32_t seen[3] = { 0 };

    if (strcmp(prvcut_topology_text(s->topology), k->shape) != 0)
        return false;
    for (uint32_t i = 0; i < s->dimensions; i++)
        seen[i] = s->dim[i];
    /* Up to their order. */
    return seen[0] + seen[1] + seen[2] == k->dim[0] + k->dim[1] + k->dim[2] &&
           (seen[0] + 1) * (seen[1] + 1) * (seen[2] + 1) ==
               (k->dim[0] + 1) * (k->dim[1] + 1) * (k->dim[2] + 1);
}

static bool is_named(const struct prvcut_comm_matrix *m, const struct known *k)
{
    /* What goes through collectives alone has a shape of its messages beside that. */
    bool is = is_shape(&m->shape, k) || is_shape(&m->p2p, k);

    for (size_t i = 0; i < m->ties; i++)
        is |= is_shape(prvcut_comm_tie(m, i), k);
    return is;
}

static const char *wave_text(enum prvcut_comm_holds h)
{
    return h == PRVCUT_COMM_HOLDS_TRUE ? "true" : h == PRVCUT_COMM_HOLDS_FALSE ? "false" : "null";
}

static void judge(const struct prvcut_comm_matrix *m, const struct known *k)
{
    static const char *const exact[] = { "lulesh.8", "hpcg.4",  "bt.W.9", "sp.W.9",
                                         "sp.A.16",  "cg.S.16", "ft.A.2", "ft.W.4" };

    printf("E1-4 %-8s %-22.22s %7" PRIu64 " %11" PRIu64 " %s %u %u %u fit %.3f spread %.2f ties "
           "%zu wavefront %s%s\n",
           k->format, k->name, m->messages, m->bytes, prvcut_topology_text(m->shape.topology),
           m->shape.dim[0], m->shape.dim[1], m->shape.dim[2], m->fit, m->spread, m->ties,
           wave_text(m->wavefront), m->by_collectives ? " by collectives" : "");
    if (k->messages > 0)
        ck_assert_uint_eq(m->messages, k->messages);
    if (k->bytes > 0)
        ck_assert_uint_eq(m->bytes, k->bytes);
    if (k->shape) {
        ck_assert_msg(is_named(m, k), "%s is no %s", k->name, k->shape);
        ck_assert(isnan(m->fit) || m->fit >= 0.99 || strcmp(k->shape, "irregular") == 0);
        if (strcmp(k->shape, "alltoall") == 0)
            ck_assert(m->by_collectives && m->group_least == 0);
        /* Its messages have the shape; in its Alltoalls go 7,000 times the bytes, in two pairs. */
        if (strcmp(k->shape, "irregular") == 0) {
            ck_assert(m->by_collectives && m->shape.dimensions == 0);
            ck_assert(m->group_least == 2 && m->group_most == 2);
        }
        /* E3, E4: not only a tie. */
        for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
            if (strcmp(exact[i], k->name) == 0)
                ck_assert(is_shape(&m->shape, k));
        if (strcmp(k->shape, "multipartition") == 0 && k->dim[0] > 2)
            ck_assert_uint_eq(m->ties, 0);
        if (strcmp(k->shape, "transpose+butterfly") == 0)
            ck_assert_uint_eq(m->ties, 0);
    }
    if (k->wave == YES)
        ck_assert_int_eq(m->wavefront, PRVCUT_COMM_HOLDS_TRUE);
    else if (k->wave == NO)
        ck_assert_int_eq(m->wavefront, PRVCUT_COMM_HOLDS_FALSE);
    else if (k->wave == NONE)
        ck_assert_int_eq(m->wavefront, PRVCUT_COMM_HOLDS_UNTOLD);
    ck_assert((m->wavefront == PRVCUT_COMM_HOLDS_UNTOLD) == (m->no_wavefront != NULL));
}

/* --- E7 --------------------------------------------------------------------------------------- */

#define TASKS 64

struct lines {
    uint64_t messages, bytes, self;
    uint64_t sent[TASKS], received[TASKS];
};

/* Lines "3:cpu:app:task:thread:lsend:psend:cpu:app:task:thread:lrecv:precv:size:tag". */
static bool read_lines(struct lines *l, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[4096];

    memset(l, 0, sizeof *l);
    if (!f)
        return false;
    while (fgets(line, sizeof line, f)) {
        unsigned from, to;
        unsigned long long size;

        if (sscanf(line, "3:%*u:%*u:%u:%*u:%*u:%*u:%*u:%*u:%u:%*u:%*u:%*u:%llu", &from, &to,
                   &size) != 3)
            continue;
        l->self += from == to;
        l->messages++;
        l->bytes += size;
        l->sent[from - 1] += size;
        l->received[to - 1] += size;
    }
    return fclose(f) == 0;
}

static void judge_sums(const struct prvcut_comm_matrix *m, const struct known *k, const char *path)
{
    struct lines l;
    uint64_t messages = 0, bytes = 0, sent[TASKS] = { 0 }, received[TASKS] = { 0 }, binned = 0;

    for (size_t i = 0; i < m->edges; i++) {
        const struct prvcut_comm_edge *e = prvcut_comm_edge(m, i);

        messages += e->messages;
        bytes += e->bytes;
        sent[e->from] += e->bytes;
        received[e->to] += e->bytes;
    }
    for (size_t i = 0; i < m->bins; i++)
        binned += prvcut_comm_bin(m, i)->messages;
    ck_assert_uint_eq(messages, m->messages);
    ck_assert_uint_eq(bytes, m->bytes);
    ck_assert_uint_eq(binned, m->messages);
    for (uint32_t i = 0; i < m->ranks; i++) {
        ck_assert_uint_eq(sent[i], prvcut_comm_rank(m, i)->sent_bytes);
        ck_assert_uint_eq(received[i], prvcut_comm_rank(m, i)->received_bytes);
    }
    if (strcmp(k->format, "paraver") != 0 || !read_lines(&l, path))
        return;
    ck_assert_uint_eq(l.messages, m->messages);
    ck_assert_uint_eq(l.bytes, m->bytes);
    ck_assert_uint_eq(l.self, m->self);
    for (uint32_t i = 0; i < m->ranks; i++) {
        ck_assert_uint_eq(l.sent[i], sent[i]);
        ck_assert_uint_eq(l.received[i], received[i]);
    }
    printf("E7   %-31s as the lines of its text say, %u rows and columns\n", k->name, m->ranks);
}

START_TEST(test_comm_of_real_traces)
{
    char path[2048];

    if (!traces_folder()) {
        test_leaves_out("no real traces");
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct prvcut_comm *c = wanted(&known[i]) ? made(&known[i], path, sizeof path) : NULL;

        if (!c)
            continue;
        judge(prvcut_comm_matrix(c, 0), &known[i]);
        judge_sums(prvcut_comm_matrix(c, 0), &known[i], path);
        prvcut_comm_free(c);
    }
}
END_TEST

/* --- E6 --------------------------------------------------------------------------------------- */

static uint32_t random_below(uint64_t *seed, uint32_t end)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % end;
}

/* Pairs of a matrix where two ranks, given and taken, have changed places. */
static struct prvcut_topology_found changed(const struct prvcut_comm_matrix *m, uint32_t a,
                                            uint32_t b, uint64_t strays, uint64_t *seed)
{
    static struct prvcut_comm_pair pair[TASKS * TASKS];
    struct prvcut_topology_found found;
    struct prvcut_error err = { .status = PRVCUT_OK };
    uint64_t count[TASKS][TASKS] = { { 0 } }, bytes[TASKS][TASKS] = { { 0 } };
    size_t n = 0;

    for (size_t i = 0; i < m->edges; i++) {
        const struct prvcut_comm_edge *e = prvcut_comm_edge(m, i);
        const uint32_t x = e->from == a ? b : e->from == b ? a : e->from;
        const uint32_t y = e->to == a ? b : e->to == b ? a : e->to;

        count[x < y ? x : y][x < y ? y : x] += e->messages;
        bytes[x < y ? x : y][x < y ? y : x] += e->bytes;
    }
    while (strays > 0) {
        const uint32_t x = random_below(seed, m->ranks), y = random_below(seed, m->ranks);

        if (x == y)
            continue;
        count[x < y ? x : y][x < y ? y : x]++;
        bytes[x < y ? x : y][x < y ? y : x] += m->size_median;
        strays--;
    }
    for (uint32_t i = 0; i < m->ranks; i++)
        for (uint32_t j = i + 1; j < m->ranks; j++)
            if (count[i][j] > 0)
                pair[n++] = (struct prvcut_comm_pair){ i, j, count[i][j], bytes[i][j] };
    ck_assert_int_eq(prvcut_topology_find(&found, m->ranks, pair, n, &err), PRVCUT_OK);
    return found;
}

START_TEST(test_comm_shape_of_a_shuffled_run)
{
    static const struct known sp = { "paraver", "sp.A.16", 0, 0, "multipartition", { 4, 4 }, ANY };
    struct prvcut_comm *c;
    char path[2048];
    uint64_t seed = 11;
    double least = 1, most = 0, kept = 1;

    /* A small one of the same kind, where not all are taken, has too much symmetry. */
    if (!traces_folder() || traces_take() != TRACES_ALL)
        return;
    c = made(&sp, path, sizeof path);
    if (!c)
        return;
    for (int i = 0; i < 40; i++) {
        const uint32_t a = random_below(&seed, 16), b = (a + 1 + random_below(&seed, 15)) % 16;
        struct prvcut_topology_found f = changed(prvcut_comm_matrix(c, 0), a, b, 0, &seed);

        least = fmin(least, f.fit);
        most = fmax(most, f.fit);
        free(f.tie);
    }
    for (int i = 0; i < 20; i++) {
        const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, 0);
        struct prvcut_topology_found f = changed(m, 16, 16, m->messages / 100, &seed);

        ck_assert(is_shape(&f.shape, &sp));
        kept = fmin(kept, f.fit);
        free(f.tie);
    }
    printf("E6   two ranks of sp.A.16 swapped: fit %.2f to %.2f in 40 trials; 1 %% of strays: name "
           "kept, fit from %.3f on in 20\n",
           least, most, kept);
    ck_assert(most <= 0.9);
    ck_assert(kept >= 0.98);
    prvcut_comm_free(c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("comm_traces");
    TCase *t = tcase_create("traces");

    tcase_set_timeout(t, 600);
    tcase_add_test(t, test_comm_of_real_traces);
    tcase_add_test(t, test_comm_shape_of_a_shuffled_run);
    suite_add_tcase(s, t);
    return run_suite(s);
}
