#include "model/clock_system.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE      UINT32_MAX
#define UNREACHED (-2 * PRVCUT_CLOCK_FAR)

enum prvcut_status prvcut_clock_system_add(struct prvcut_clock_system *s,
                                           const struct prvcut_clock_edge *e,
                                           struct prvcut_error *err)
{
    if (s->edges == UINT32_MAX - 1)
        return prvcut_fail(err, PRVCUT_ELIMIT, "too many messages to compare clocks by");
    if (s->edges == s->room &&
        prvcut_grow((void **)&s->edge, &s->room, s->edges + 1, sizeof *s->edge, err) < 0)
        return PRVCUT_ENOMEM;
    s->edge[s->edges++] = *e;
    return PRVCUT_OK;
}

void prvcut_clock_system_fini(struct prvcut_clock_system *s)
{
    free(s->edge);
    memset(s, 0, sizeof *s);
}

void prvcut_clock_solution_fini(struct prvcut_clock_solution *s)
{
    free(s->offset);
    free(s->range);
    memset(s, 0, sizeof *s);
}

/* Edges by the node they leave (or enter): those of node v are edge[first[v] .. first[v + 1]). */
struct sides {
    uint32_t *first, *edge;
};

/* Everything that one solution needs; arrays are of all nodes. */
struct solver {
    const struct prvcut_clock_system *s;
    struct sides out, in;
    int64_t *x, *low; /* the present walk's values; the lower ends of the ranges */
    uint32_t *parent; /* edge that gave x its value, or NONE */
    uint32_t *queue;  /* ring */
    uint8_t *queued;
    uint32_t *group;  /* strongly connected group of a node */
    uint32_t *member; /* nodes, group by group */
    uint32_t *begin;  /* [groups + 1] first member of each */
    int64_t *shift;   /* [groups] */
    uint32_t *joined; /* union and find of all that is tied in any way */
    uint32_t *scratch, *scratch2;
    uint32_t groups;
    int64_t relaxation;
};

static int64_t clock_system_far_clamp(int64_t x)
{
    return x > PRVCUT_CLOCK_FAR ? PRVCUT_CLOCK_FAR : x < -PRVCUT_CLOCK_FAR ? -PRVCUT_CLOCK_FAR : x;
}

static int64_t clock_system_weight_of(const struct solver *v, const struct prvcut_clock_edge *e)
{
    return clock_system_far_clamp(e->weight) - (e->slack ? v->relaxation : 0);
}

static enum prvcut_status clock_system_sides_init(struct sides *d,
                                                  const struct prvcut_clock_system *s, bool out,
                                                  struct prvcut_error *err)
{
    d->first = prvcut_zeroed((size_t)s->nodes + 2, sizeof *d->first, "clocks", err);
    d->edge = prvcut_zeroed(s->edges + 1, sizeof *d->edge, "clocks", err);
    if (!d->first || !d->edge)
        return PRVCUT_ENOMEM;
    /* Counted two places on, so that filling moves each start to where it belongs. */
    for (size_t i = 0; i < s->edges; i++)
        d->first[(out ? s->edge[i].from : s->edge[i].to) + 2]++;
    for (size_t n = 2; n <= (size_t)s->nodes + 1; n++)
        d->first[n] += d->first[n - 1];
    for (size_t i = 0; i < s->edges; i++)
        d->edge[d->first[(out ? s->edge[i].from : s->edge[i].to) + 1]++] = (uint32_t)i;
    return PRVCUT_OK;
}

static enum prvcut_status clock_system_solver_init(struct solver *v,
                                                   const struct prvcut_clock_system *s,
                                                   struct prvcut_error *err)
{
    const size_t n = (size_t)s->nodes + 1;

    v->s = s;
    v->x = prvcut_zeroed(n, sizeof *v->x, "clocks", err);
    v->low = prvcut_zeroed(n, sizeof *v->low, "clocks", err);
    v->shift = prvcut_zeroed(n, sizeof *v->shift, "clocks", err);
    v->parent = prvcut_zeroed(n, sizeof *v->parent, "clocks", err);
    v->queue = prvcut_zeroed(n, sizeof *v->queue, "clocks", err);
    v->queued = prvcut_zeroed(n, sizeof *v->queued, "clocks", err);
    v->group = prvcut_zeroed(n, sizeof *v->group, "clocks", err);
    v->member = prvcut_zeroed(n, sizeof *v->member, "clocks", err);
    v->begin = prvcut_zeroed(n + 1, sizeof *v->begin, "clocks", err);
    v->joined = prvcut_zeroed(n, sizeof *v->joined, "clocks", err);
    v->scratch = prvcut_zeroed(n, sizeof *v->scratch, "clocks", err);
    v->scratch2 = prvcut_zeroed(n, sizeof *v->scratch2, "clocks", err);
    if (!v->x || !v->low || !v->shift || !v->parent || !v->queue || !v->queued || !v->group ||
        !v->member || !v->begin || !v->joined || !v->scratch || !v->scratch2 ||
        clock_system_sides_init(&v->out, s, true, err) < 0 ||
        clock_system_sides_init(&v->in, s, false, err) < 0)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

static void clock_system_solver_fini(struct solver *v)
{
    free(v->x);
    free(v->low);
    free(v->shift);
    free(v->parent);
    free(v->queue);
    free(v->queued);
    free(v->group);
    free(v->member);
    free(v->begin);
    free(v->joined);
    free(v->scratch);
    free(v->scratch2);
    free(v->out.first);
    free(v->out.edge);
    free(v->in.first);
    free(v->in.edge);
}

/* A node on a cycle of parents, or NONE. */
static uint32_t clock_system_find_cycle(struct solver *v)
{
    uint32_t *seen = v->scratch;

    memset(seen, 0, v->s->nodes * sizeof *seen);
    for (uint32_t i = 0; i < v->s->nodes; i++) {
        uint32_t n = i;

        while (seen[n] == 0 && v->parent[n] != NONE) {
            seen[n] = i + 1;
            n = v->s->edge[v->parent[n]].from;
        }
        if (seen[n] == i + 1)
            return n;
        if (seen[n] == 0)
            seen[n] = i + 1;
    }
    return NONE;
}

/* Relax just so much that the cycle through node n is no contradiction any more. */
static void clock_system_relax_cycle(struct solver *v, uint32_t n)
{
    const uint32_t start = n;
    int64_t sum = 0, slacks = 0;

    do {
        const struct prvcut_clock_edge *e = &v->s->edge[v->parent[n]];

        sum = clock_system_far_clamp(sum + clock_system_far_clamp(e->weight));
        slacks += e->slack;
        n = e->from;
    } while (n != start);
    if (slacks > 0 && sum > v->relaxation * slacks)
        v->relaxation = sum / slacks + (sum % slacks > 0);
    else
        v->relaxation++;
}

/* The ring of nodes whose value has grown. */
struct ring {
    uint32_t head, count;
};

static void clock_system_push(struct solver *v, struct ring *r, uint32_t n)
{
    uint32_t at;

    if (v->queued[n])
        return;
    at = r->head + r->count++;
    v->queue[at < v->s->nodes ? at : at - v->s->nodes] = n;
    v->queued[n] = 1;
}

static uint32_t clock_system_pop(struct solver *v, struct ring *r)
{
    const uint32_t n = v->queue[r->head];

    r->head = r->head + 1 < v->s->nodes ? r->head + 1 : 0;
    r->count--;
    v->queued[n] = 0;
    return n;
}

/*
 * Raise values along all edges until nothing changes. Returns a node on a positive cycle, or NONE.
 * A cycle shows among the parents soon after it was closed: looking once per as many changes as
 * there are nodes costs no more than the changes.
 */
static uint32_t clock_system_raise_all(struct solver *v)
{
    struct ring r = { 0, 0 };
    uint64_t changes = 0;

    for (uint32_t n = 0; n < v->s->nodes; n++) {
        v->x[n] = 0;
        v->parent[n] = NONE;
        clock_system_push(v, &r, n);
    }
    while (r.count > 0) {
        const uint32_t n = clock_system_pop(v, &r);

        for (uint32_t i = v->out.first[n]; i < v->out.first[n + 1]; i++) {
            const struct prvcut_clock_edge *e = &v->s->edge[v->out.edge[i]];
            const int64_t x = clock_system_far_clamp(v->x[n] + clock_system_weight_of(v, e));

            if (x <= v->x[e->to])
                continue;
            v->x[e->to] = x;
            v->parent[e->to] = v->out.edge[i];
            clock_system_push(v, &r, e->to);
            if (++changes % v->s->nodes == 0) {
                const uint32_t on = clock_system_find_cycle(v);

                if (on != NONE) {
                    while (r.count > 0)
                        clock_system_pop(v, &r);
                    return on;
                }
            }
        }
    }
    return NONE;
}

/* The least relaxation with a solution: each cycle found raises it, and there are few levels. */
static void clock_system_find_relaxation(struct solver *v)
{
    uint32_t on;

    v->relaxation = 0;
    while ((on = clock_system_raise_all(v)) != NONE && v->relaxation < PRVCUT_CLOCK_FAR / 2)
        clock_system_relax_cycle(v, on);
}

/* Longest paths from `from` inside its group, along the edges or against them. */
static void clock_system_walk_group(struct solver *v, uint32_t from, bool along)
{
    const struct sides *d = along ? &v->out : &v->in;
    const uint32_t g = v->group[from];
    struct ring r = { 0, 0 };

    for (uint32_t i = v->begin[g]; i < v->begin[g + 1]; i++)
        v->x[v->member[i]] = UNREACHED;
    v->x[from] = 0;
    clock_system_push(v, &r, from);
    while (r.count > 0) {
        const uint32_t n = clock_system_pop(v, &r);

        for (uint32_t i = d->first[n]; i < d->first[n + 1]; i++) {
            const struct prvcut_clock_edge *e = &v->s->edge[d->edge[i]];
            const uint32_t to = along ? e->to : e->from;
            const int64_t x = clock_system_far_clamp(v->x[n] + clock_system_weight_of(v, e));

            if (v->group[to] != g || x <= v->x[to])
                continue;
            v->x[to] = x;
            clock_system_push(v, &r, to);
        }
    }
}

static int64_t clock_system_half_down(int64_t x)
{
    return x / 2 - (x % 2 < 0);
}

/* Tarjan's strongly connected groups; numbered so that edges lead to the same or a lower one. */
static void clock_system_find_groups(struct solver *v)
{
    uint32_t *number = v->scratch, *low = v->scratch2, *stack = v->member, *way = v->queue;
    uint32_t *next = v->parent, count = 0, stacked = 0;

    memset(number, 0, v->s->nodes * sizeof *number);
    v->groups = 0;
    for (uint32_t root = 0; root < v->s->nodes; root++) {
        uint32_t depth = 0;

        if (number[root] != 0)
            continue;
        way[depth++] = root;
        while (depth > 0) {
            const uint32_t n = way[depth - 1];

            if (number[n] == 0) {
                number[n] = low[n] = ++count;
                next[n] = v->out.first[n];
                stack[stacked++] = n;
                v->queued[n] = 1;
            }
            if (next[n] < v->out.first[n + 1]) {
                const uint32_t to = v->s->edge[v->out.edge[next[n]++]].to;

                if (number[to] == 0)
                    way[depth++] = to;
                else if (v->queued[to] && number[to] < low[n])
                    low[n] = number[to];
                continue;
            }
            depth--;
            if (depth > 0 && low[n] < low[way[depth - 1]])
                low[way[depth - 1]] = low[n];
            if (low[n] != number[n])
                continue;
            while (v->queued[n]) {
                v->queued[stack[--stacked]] = 0;
                v->group[stack[stacked]] = v->groups;
            }
            v->groups++;
        }
    }
}

/* Nodes group by group, processes first. */
static void clock_system_list_members(struct solver *v)
{
    uint32_t *fill = v->scratch;

    memset(v->begin, 0, ((size_t)v->groups + 1) * sizeof *v->begin);
    for (uint32_t n = 0; n < v->s->nodes; n++)
        v->begin[v->group[n] + 1]++;
    for (uint32_t g = 0; g < v->groups; g++)
        v->begin[g + 1] += v->begin[g];
    memcpy(fill, v->begin, v->groups * sizeof *fill);
    for (uint32_t n = 0; n < v->s->nodes; n++)
        v->member[fill[v->group[n]]++] = n;
}

/* Only those in the first one's group are bounded beside it. */
static void clock_system_forget_ranges(const struct solver *v, struct prvcut_clock_solution *out)
{
    for (uint32_t i = 1; i < v->s->tasks; i++)
        out->range[i] = UINT64_MAX;
}

/* Inside one group: the middle of what its first node's clock leaves to the others. */
static uint64_t clock_system_solve_group(struct solver *v, uint32_t g, uint64_t *range)
{
    const uint32_t reference = v->member[v->begin[g]];
    uint64_t doubt = 0;

    if (v->begin[g + 1] - v->begin[g] == 1) {
        v->x[reference] = v->low[reference] = 0;
        return 0;
    }
    clock_system_walk_group(v, reference, true);
    for (uint32_t i = v->begin[g]; i < v->begin[g + 1]; i++)
        v->low[v->member[i]] = v->x[v->member[i]];
    clock_system_walk_group(v, reference, false);
    for (uint32_t i = v->begin[g]; i < v->begin[g + 1]; i++) {
        const uint32_t n = v->member[i];
        const int64_t high = -v->x[n];

        const uint64_t half = high > v->low[n] ? (uint64_t)(high - v->low[n]) / 2 : 0;

        if (n < v->s->tasks && half > doubt)
            doubt = half;
        if (n < v->s->tasks && g == v->group[0])
            range[n] = half;
        v->low[n] = clock_system_half_down(v->low[n] + high);
    }
    return doubt;
}

/* How far edge e is from being tight, ns; groups at their present shifts. */
static int64_t clock_system_room_of(const struct solver *v, const struct prvcut_clock_edge *e)
{
    const int64_t to = clock_system_far_clamp(v->low[e->to] + v->shift[v->group[e->to]]);
    const int64_t from = clock_system_far_clamp(v->low[e->from] + v->shift[v->group[e->from]]);

    return clock_system_far_clamp(to - from) - clock_system_weight_of(v, e);
}

/*
 * Between groups time is bounded one way only: the fastest message is taken to have taken no
 * time. Groups that nothing bounds from below are raised to where the next ones bound them.
 */
static void clock_system_place_groups(struct solver *v)
{
    uint8_t *bounded = v->queued;

    memset(bounded, 0, v->s->nodes);
    memset(v->shift, 0, v->groups * sizeof *v->shift);
    for (uint32_t g = v->groups; g-- > 0;) {
        int64_t least = INT64_MAX;

        for (uint32_t i = v->begin[g]; i < v->begin[g + 1]; i++)
            for (uint32_t k = v->in.first[v->member[i]]; k < v->in.first[v->member[i] + 1]; k++) {
                const struct prvcut_clock_edge *e = &v->s->edge[v->in.edge[k]];

                if (v->group[e->from] != g && clock_system_room_of(v, e) < least)
                    least = clock_system_room_of(v, e);
            }
        bounded[g] = least != INT64_MAX;
        if (bounded[g])
            v->shift[g] = clock_system_far_clamp(v->shift[g] - least);
    }
    for (uint32_t g = 0; g < v->groups; g++) {
        int64_t least = INT64_MAX;

        for (uint32_t i = v->begin[g]; !bounded[g] && i < v->begin[g + 1]; i++)
            for (uint32_t k = v->out.first[v->member[i]]; k < v->out.first[v->member[i] + 1]; k++) {
                const struct prvcut_clock_edge *e = &v->s->edge[v->out.edge[k]];

                if (v->group[e->to] != g && clock_system_room_of(v, e) < least)
                    least = clock_system_room_of(v, e);
            }
        if (least != INT64_MAX)
            v->shift[g] = clock_system_far_clamp(v->shift[g] + least);
    }
    memset(v->queued, 0, v->s->nodes);
}

static uint32_t clock_system_root_of(uint32_t *joined, uint32_t n)
{
    while (joined[n] != n) {
        joined[n] = joined[joined[n]];
        n = joined[n];
    }
    return n;
}

/* Number of processes of each tied component, in v->scratch by its root; returns the largest's. */
static uint32_t clock_system_find_components(struct solver *v)
{
    uint32_t best = 0;

    for (uint32_t n = 0; n < v->s->nodes; n++)
        v->joined[n] = n;
    for (size_t i = 0; i < v->s->edges; i++) {
        const uint32_t a = clock_system_root_of(v->joined, v->s->edge[i].from);
        const uint32_t b = clock_system_root_of(v->joined, v->s->edge[i].to);

        v->joined[a < b ? b : a] = a < b ? a : b;
    }
    memset(v->scratch, 0, v->s->nodes * sizeof *v->scratch);
    for (uint32_t n = 0; n < v->s->tasks; n++)
        v->scratch[clock_system_root_of(v->joined, n)]++;
    for (uint32_t n = 1; n < v->s->nodes; n++)
        if (v->scratch[n] > v->scratch[best])
            best = n;
    return best;
}

/* Each component starts at 0. */
static void clock_system_normalise(struct solver *v, struct prvcut_clock_solution *out)
{
    const uint32_t largest = clock_system_find_components(v);
    int64_t *least = v->x;

    out->unknown = v->s->tasks - v->scratch[largest];
    for (uint32_t n = 0; n < v->s->nodes; n++)
        least[n] = INT64_MAX;
    for (uint32_t n = 0; n < v->s->tasks; n++) {
        const uint32_t root = clock_system_root_of(v->joined, n);

        out->offset[n] = clock_system_far_clamp(v->low[n] + v->shift[v->group[n]]);
        if (out->offset[n] < least[root])
            least[root] = out->offset[n];
    }
    for (uint32_t n = 0; n < v->s->tasks; n++)
        out->offset[n] -= least[clock_system_root_of(v->joined, n)];
}

/* What contradicts is measured on the solution itself, whatever led to it. */
static uint64_t clock_system_measure_residual(const struct solver *v)
{
    int64_t worst = 0;

    for (size_t i = 0; i < v->s->edges; i++) {
        const struct prvcut_clock_edge *e = &v->s->edge[i];
        const int64_t room = clock_system_room_of(v, e) - (e->slack ? v->relaxation : 0);

        if (room < worst)
            worst = room;
    }
    return (uint64_t)-worst;
}

enum prvcut_status prvcut_clock_system_solve(struct prvcut_clock_solution *out,
                                             const struct prvcut_clock_system *s,
                                             struct prvcut_error *err)
{
    struct solver v = { .s = s };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    out->offset = prvcut_zeroed((size_t)s->tasks + 1, sizeof *out->offset, "processes", err);
    out->range = prvcut_zeroed((size_t)s->tasks + 1, sizeof *out->range, "processes", err);
    if (!out->offset || !out->range)
        return PRVCUT_ENOMEM;
    st = clock_system_solver_init(&v, s, err);
    if (st == PRVCUT_OK && s->nodes > 0) {
        clock_system_find_relaxation(&v);
        out->relaxation = (uint64_t)v.relaxation;
        clock_system_find_groups(&v);
        clock_system_list_members(&v);
        clock_system_forget_ranges(&v, out);
        for (uint32_t g = 0; g < v.groups; g++) {
            const uint64_t doubt = clock_system_solve_group(&v, g, out->range);

            if (doubt > out->doubt)
                out->doubt = doubt;
        }
        clock_system_place_groups(&v);
        out->residual = clock_system_measure_residual(&v);
        clock_system_normalise(&v, out);
    }
    clock_system_solver_fini(&v);
    return st;
}
