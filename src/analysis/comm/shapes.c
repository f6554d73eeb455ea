#include "analysis/comm/topology.h"

/* --- Grids ------------------------------------------------------------------------------------ */

struct shp_grid {
    bool is, wraps, diagonal;
};

static const struct shp_grid shp_grid[PRVCUT_TOPOLOGY_ALLTOALL + 1] = {
    [PRVCUT_TOPOLOGY_CHAIN] = { true, false, false },
    [PRVCUT_TOPOLOGY_MESH2D] = { true, false, false },
    [PRVCUT_TOPOLOGY_MESH3D] = { true, false, false },
    [PRVCUT_TOPOLOGY_RING] = { true, true, false },
    [PRVCUT_TOPOLOGY_TORUS2D] = { true, true, false },
    [PRVCUT_TOPOLOGY_TORUS3D] = { true, true, false },
    [PRVCUT_TOPOLOGY_MESH2D8] = { true, false, true },
    [PRVCUT_TOPOLOGY_MESH3D26] = { true, false, true },
    [PRVCUT_TOPOLOGY_TORUS2D8] = { true, true, true },
    [PRVCUT_TOPOLOGY_TORUS3D26] = { true, true, true },
};

/* In how many coordinates they differ; 0: they are no neighbours. */
static unsigned shp_grid_class(const struct prvcut_comm_shape *s, struct shp_grid g, uint32_t a,
                               uint32_t b)
{
    unsigned differ = 0;

    for (uint32_t i = 0; i < s->dimensions; i++) {
        const uint32_t n = s->dim[i], x = a % n, y = b % n, d = x < y ? y - x : x - y;

        if (d > 1 && !(g.wraps && d == n - 1))
            return 0;
        differ += d > 0;
        a /= n;
        b /= n;
    }
    return differ > 1 && !g.diagonal ? 0 : differ;
}

/* Places of an axis with their neighbours on it, both ways. */
static double shp_ways(uint32_t n, bool wraps)
{
    if (!wraps)
        return 2.0 * (n - 1);
    return n == 2 ? 2 : 2.0 * n;
}

static void shp_grid_edges(const struct prvcut_comm_shape *s, struct shp_grid g, double edges[4])
{
    /* Ranks that differ in k coordinates, of the axes so far. */
    double ways[4] = { 1, 0, 0, 0 };

    for (uint32_t i = 0; i < s->dimensions; i++)
        for (uint32_t k = 4; k-- > 0;)
            ways[k] =
                ways[k] * s->dim[i] + (k > 0 ? ways[k - 1] * shp_ways(s->dim[i], g.wraps) : 0);
    for (uint32_t k = 1; k < 4; k++)
        edges[k] = k == 1 || g.diagonal ? ways[k] / 2 : 0;
}

/* --- All else --------------------------------------------------------------------------------- */

static bool shp_is_power(uint32_t n)
{
    return __builtin_popcount(n) == 1;
}

static unsigned shp_log2(uint32_t n)
{
    return 31 - (unsigned)__builtin_clz(n);
}

static uint32_t shp_root(uint32_t n)
{
    uint32_t r = 1;

    while ((uint64_t)(r + 1) * (r + 1) <= n)
        r++;
    return r;
}

/* NPB CG: its partner in the transposed matrix; dim[0] columns of processes, dim[1] rows. */
static uint32_t shp_transposed(const struct prvcut_comm_shape *s, uint32_t i)
{
    const uint32_t side = s->dim[1];

    return s->dim[0] == side ? i % side * side + i / side
                             : 2 * (i / 2 % side * side + i / 2 / side) + i % 2;
}

static unsigned shp_pairs(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                          uint32_t high)
{
    return variant == 0 ? low % 2 == 0 && high == low + 1 : high - low == s->dim[0] / 2;
}

static unsigned shp_butterfly(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                              uint32_t high)
{
    (void)s, (void)variant;
    return shp_is_power(low ^ high);
}

static unsigned shp_transpose(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                              uint32_t high)
{
    const uint32_t side = s->dim[0];

    (void)variant;
    return low % side == high / side && low / side == high % side;
}

/* NPB CG: butterflies inside rows of processes, and the partner in the transposed matrix. */
static unsigned shp_transpose_butterfly(const struct prvcut_comm_shape *s, unsigned variant,
                                        uint32_t low, uint32_t high)
{
    const bool same_row = low / s->dim[0] == high / s->dim[0];

    (void)variant;
    return (same_row && shp_is_power(low ^ high)) || shp_transposed(s, low) == high;
}

/* A torus, and one diagonal: to the right and up, or to the right and down. */
static unsigned shp_multipartition(const struct prvcut_comm_shape *s, unsigned variant,
                                   uint32_t low, uint32_t high)
{
    const uint32_t side = s->dim[0];
    const uint32_t right = (high % side + side - low % side) % side,
                   up = (high / side + side - low / side) % side;
    const uint32_t other = variant == 0 ? up : (side - up) % side;

    return shp_grid_class(s, shp_grid[PRVCUT_TOPOLOGY_TORUS2D], low, high) > 0 ||
           (right == other && (right == 1 || right == side - 1));
}

static unsigned shp_star(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                         uint32_t high)
{
    return variant == 0 ? low == 0 : high == s->dim[0] - 1;
}

static unsigned shp_tree(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                         uint32_t high)
{
    (void)s;
    return variant == 0 ? (high - 1) / 2 == low : (high & (high - 1)) == low;
}

static unsigned shp_alltoall(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                             uint32_t high)
{
    (void)s, (void)variant, (void)low, (void)high;
    return 1;
}

typedef unsigned shp_class(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                           uint32_t high);

static shp_class *const shp_classes[PRVCUT_TOPOLOGY_ALLTOALL + 1] = {
    [PRVCUT_TOPOLOGY_PAIRS] = shp_pairs,
    [PRVCUT_TOPOLOGY_BUTTERFLY] = shp_butterfly,
    [PRVCUT_TOPOLOGY_TRANSPOSE] = shp_transpose,
    [PRVCUT_TOPOLOGY_TRANSPOSE_BUTTERFLY] = shp_transpose_butterfly,
    [PRVCUT_TOPOLOGY_MULTIPARTITION] = shp_multipartition,
    [PRVCUT_TOPOLOGY_STAR] = shp_star,
    [PRVCUT_TOPOLOGY_TREE] = shp_tree,
    [PRVCUT_TOPOLOGY_ALLTOALL] = shp_alltoall,
};

unsigned prvcut_shape_class(const struct prvcut_comm_shape *s, unsigned variant, uint32_t low,
                            uint32_t high)
{
    const struct shp_grid g = shp_grid[s->topology];

    return g.is ? shp_grid_class(s, g, low, high) : shp_classes[s->topology](s, variant, low, high);
}

/* All of them are alike. */
static double shp_plain_edges(const struct prvcut_comm_shape *s, double ranks)
{
    const double n = s->dim[0];
    double torus[4];
    const double edges[PRVCUT_TOPOLOGY_ALLTOALL + 1] = {
        [PRVCUT_TOPOLOGY_PAIRS] = ranks / 2,
        [PRVCUT_TOPOLOGY_BUTTERFLY] = ranks * shp_log2(s->dim[0]) / 2,
        [PRVCUT_TOPOLOGY_TRANSPOSE] = n * (n - 1) / 2,
        /* As many ranks as there are columns are their own partners. */
        [PRVCUT_TOPOLOGY_TRANSPOSE_BUTTERFLY] = (ranks * shp_log2(s->dim[0]) + ranks - n) / 2,
        [PRVCUT_TOPOLOGY_MULTIPARTITION] = n == 2 ? 2 : ranks,
        [PRVCUT_TOPOLOGY_STAR] = ranks - 1,
        [PRVCUT_TOPOLOGY_TREE] = ranks - 1,
        [PRVCUT_TOPOLOGY_ALLTOALL] = ranks * (ranks - 1) / 2,
    };

    if (s->topology != PRVCUT_TOPOLOGY_MULTIPARTITION)
        return edges[s->topology];
    shp_grid_edges(s, shp_grid[PRVCUT_TOPOLOGY_TORUS2D], torus);
    return torus[1] + edges[s->topology];
}

void prvcut_shape_edges(const struct prvcut_comm_shape *s, double edges[4])
{
    double ranks = 1;

    for (uint32_t i = 0; i < s->dimensions; i++)
        ranks *= s->dim[i];
    edges[0] = edges[2] = edges[3] = 0;
    if (shp_grid[s->topology].is)
        shp_grid_edges(s, shp_grid[s->topology], edges);
    else
        edges[1] = shp_plain_edges(s, ranks);
}

/* --- All of them ------------------------------------------------------------------------------ */

struct shp_taker {
    bool (*take)(void *ctx, const struct prvcut_comm_shape *s, unsigned variant);
    void *ctx;
    uint32_t ranks;
};

static bool shp_line(const struct shp_taker *t, enum prvcut_topology topology, unsigned variants)
{
    const struct prvcut_comm_shape s = { topology, { t->ranks, 1, 1 }, 1 };

    for (unsigned v = 0; v < variants; v++)
        if (!t->take(t->ctx, &s, v))
            return false;
    return true;
}

static bool shp_plane(const struct shp_taker *t, enum prvcut_topology topology, uint32_t across,
                      uint32_t up, unsigned variants)
{
    const struct prvcut_comm_shape s = { topology, { across, up, 1 }, 2 };

    for (unsigned v = 0; v < variants; v++)
        if (!t->take(t->ctx, &s, v))
            return false;
    return true;
}

/* Every way to divide the ranks among two axes. */
static bool shp_planes(const struct shp_taker *t, enum prvcut_topology topology)
{
    for (uint32_t a = 2; a <= t->ranks / 2; a++)
        if (t->ranks % a == 0 && !shp_plane(t, topology, a, t->ranks / a, 1))
            return false;
    return true;
}

static bool shp_spaces(const struct shp_taker *t, enum prvcut_topology topology)
{
    for (uint32_t a = 2; a <= t->ranks / 4; a++) {
        const uint32_t rest = t->ranks / a;

        for (uint32_t b = 2; t->ranks % a == 0 && b <= rest / 2; b++) {
            const struct prvcut_comm_shape s = { topology, { a, b, rest / b }, 3 };

            if (rest % b == 0 && !t->take(t->ctx, &s, 0))
                return false;
        }
    }
    return true;
}

static bool shp_squares(const struct shp_taker *t)
{
    const uint32_t n = shp_root(t->ranks), rows = 1u << shp_log2(t->ranks) / 2;
    const bool square = n > 1 && n * n == t->ranks;

    return (!square || shp_plane(t, PRVCUT_TOPOLOGY_TRANSPOSE, n, n, 1)) &&
           (t->ranks < 4 || !shp_is_power(t->ranks) ||
            shp_plane(t, PRVCUT_TOPOLOGY_TRANSPOSE_BUTTERFLY, t->ranks / rows, rows, 1)) &&
           (!square || shp_plane(t, PRVCUT_TOPOLOGY_MULTIPARTITION, n, n, 2));
}

bool prvcut_shapes(uint32_t ranks,
                   bool (*take)(void *ctx, const struct prvcut_comm_shape *s, unsigned variant),
                   void *ctx)
{
    const struct shp_taker t = { take, ctx, ranks };

    if (ranks < 2)
        return true;
    return (ranks % 2 != 0 || shp_line(&t, PRVCUT_TOPOLOGY_PAIRS, 2)) &&
           shp_line(&t, PRVCUT_TOPOLOGY_CHAIN, 1) &&
           (ranks == 2 || shp_line(&t, PRVCUT_TOPOLOGY_RING, 1)) &&
           shp_planes(&t, PRVCUT_TOPOLOGY_MESH2D) && shp_spaces(&t, PRVCUT_TOPOLOGY_MESH3D) &&
           shp_planes(&t, PRVCUT_TOPOLOGY_TORUS2D) && shp_spaces(&t, PRVCUT_TOPOLOGY_TORUS3D) &&
           (ranks == 2 || !shp_is_power(ranks) || shp_line(&t, PRVCUT_TOPOLOGY_BUTTERFLY, 1)) &&
           shp_squares(&t) && shp_planes(&t, PRVCUT_TOPOLOGY_MESH2D8) &&
           shp_spaces(&t, PRVCUT_TOPOLOGY_MESH3D26) && shp_planes(&t, PRVCUT_TOPOLOGY_TORUS2D8) &&
           shp_spaces(&t, PRVCUT_TOPOLOGY_TORUS3D26) &&
           (ranks == 2 || shp_line(&t, PRVCUT_TOPOLOGY_STAR, 2)) &&
           (ranks == 2 || shp_line(&t, PRVCUT_TOPOLOGY_TREE, 2)) &&
           shp_line(&t, PRVCUT_TOPOLOGY_ALLTOALL, 1);
}
