#include "analysis/comm/topology.h"

#include "base/buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge counts as used from this share of the busiest one's messages on. */
#define USED 0.05
/* Shapes that fit less are none. */
#define FITS 0.8
/* Shapes that fit as well, and whose bytes are as even. */
#define NEAR_FIT    0.02
#define NEAR_SPREAD 0.05
/* Pairs between two looks at whether a shape can still be among the best. */
#define LOOK 1024

/* A shape that may be the name. */
struct tpl_fit {
    struct prvcut_comm_shape shape;
    double fit, spread;
};

struct tpl_search {
    const struct prvcut_comm_pair *pair; /* by messages, the most first */
    size_t pairs, used;                  /* the first ones are used */
    double messages, bytes;
    double best, near_best; /* fit */
    struct tpl_fit *at;
    size_t count, room;
    struct prvcut_error *err;
    enum prvcut_status st;
};

/* What a shape has of the pairs so far. */
struct tpl_sum {
    double messages, bytes; /* on its edges */
    double past_messages, past_bytes;
    double used;
    double n[4], sum[4], squares[4]; /* by class */
};

static double tpl_fit_of(const struct tpl_search *s, double messages, double bytes, double recall)
{
    const double inside = messages / s->messages;
    const double p = s->bytes > 0 ? (inside + bytes / s->bytes) / 2 : inside;

    return p + recall > 0 ? 2 * p * recall / (p + recall) : 0;
}

/* The best fit that is still possible. */
static double tpl_hope(const struct tpl_search *s, const struct tpl_sum *t, size_t past,
                       double edges)
{
    const double used = t->used + (double)(past < s->used ? s->used - past : 0);

    return tpl_fit_of(s, t->messages + s->messages - t->past_messages,
                      t->bytes + s->bytes - t->past_bytes, fmin(1, used / edges));
}

static double tpl_spread(const struct tpl_sum *t, const double edges[4], double all)
{
    double spread = 0;

    for (unsigned k = 1; k < 4; k++) {
        const double mean = edges[k] > 0 ? t->sum[k] / edges[k] : 0;
        const double variance = edges[k] > 0 ? t->squares[k] / edges[k] - mean * mean : 0;

        if (mean > 0)
            spread += edges[k] / all * sqrt(fmax(variance, 0)) / mean;
    }
    return spread;
}

static void tpl_add(struct tpl_sum *t, const struct prvcut_comm_pair *p, unsigned class, bool used,
                    bool bytes)
{
    const double weight = bytes ? (double)p->bytes : (double)p->messages;

    t->past_messages += (double)p->messages;
    t->past_bytes += (double)p->bytes;
    if (class == 0)
        return;
    t->messages += (double)p->messages;
    t->bytes += (double)p->bytes;
    t->used += used;
    t->sum[class] += weight;
    t->squares[class] += weight * weight;
}

static bool tpl_keep(struct tpl_search *s, const struct tpl_fit *f)
{
    s->best = fmax(s->best, f->fit);
    s->st = prvcut_grow((void **)&s->at, &s->room, s->count + 1, sizeof *s->at, s->err);
    if (s->st < 0)
        return false;
    s->at[s->count++] = *f;
    return true;
}

static bool tpl_try(void *ctx, const struct prvcut_comm_shape *shape, unsigned variant)
{
    struct tpl_search *s = ctx;
    struct tpl_sum t = { .messages = 0 };
    double edges[4], all;

    prvcut_shape_edges(shape, edges);
    all = edges[1] + edges[2] + edges[3];
    for (size_t i = 0; i < s->pairs; i++) {
        const struct prvcut_comm_pair *p = &s->pair[i];

        if (i % LOOK == 0 && tpl_hope(s, &t, i, all) < s->best - s->near_best)
            return true;
        tpl_add(&t, p, prvcut_shape_class(shape, variant, p->low, p->high), i<s->used, s->bytes> 0);
    }
    return tpl_keep(s, &(struct tpl_fit){ .shape = *shape,
                                          .fit = tpl_fit_of(s, t.messages, t.bytes, t.used / all),
                                          .spread = tpl_spread(&t, edges, all) });
}

static bool tpl_same(const struct prvcut_comm_shape *a, const struct prvcut_comm_shape *b)
{
    return a->topology == b->topology && memcmp(a->dim, b->dim, sizeof a->dim) == 0;
}

/* Is it the name already, or a tie? A shape may have two variants that fit. */
static bool tpl_is_told(const struct prvcut_topology_found *f, const struct prvcut_comm_shape *s)
{
    for (size_t i = 0; i < f->ties; i++)
        if (tpl_same(&f->tie[i], s))
            return true;
    return tpl_same(&f->shape, s);
}

static bool tpl_is_near(const struct tpl_search *s, const struct tpl_fit *f, double least)
{
    return f->fit >= s->best - s->near_best && f->spread <= least + NEAR_SPREAD;
}

static bool tpl_has_diagonals(const struct prvcut_comm_shape *s)
{
    return s->topology == PRVCUT_TOPOLOGY_MESH2D8 || s->topology == PRVCUT_TOPOLOGY_MESH3D26 ||
           s->topology == PRVCUT_TOPOLOGY_TORUS2D8 || s->topology == PRVCUT_TOPOLOGY_TORUS3D26;
}

/* The first of the best. Where all talk to all, only bytes that differ speak of diagonals: then
   alltoall is none of the best. */
static const struct tpl_fit *tpl_first(const struct tpl_search *s, double least)
{
    const struct tpl_fit *first = NULL;

    for (size_t i = 0; i < s->count; i++) {
        const struct tpl_fit *f = &s->at[i];

        if (!tpl_is_near(s, f, least))
            continue;
        if (!first ||
            (tpl_has_diagonals(&first->shape) && f->shape.topology == PRVCUT_TOPOLOGY_ALLTOALL))
            first = f;
    }
    return first;
}

/* One of the best is the name, the others are ties. */
static enum prvcut_status tpl_choose(const struct tpl_search *s, struct prvcut_topology_found *out,
                                     struct prvcut_error *err)
{
    const struct tpl_fit *first;
    double least = INFINITY;
    size_t room = 0;

    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].fit >= s->best - s->near_best)
            least = fmin(least, s->at[i].spread);
    first = tpl_first(s, least);
    if (!first)
        return PRVCUT_OK;
    out->shape = first->shape;
    out->fit = first->fit;
    out->spread = first->spread;
    for (size_t i = 0; i < s->count; i++) {
        const struct tpl_fit *f = &s->at[i];

        if (tpl_is_near(s, f, least) && !tpl_is_told(out, &f->shape)) {
            if (prvcut_grow((void **)&out->tie, &room, out->ties + 1, sizeof *out->tie, err) < 0)
                return PRVCUT_ENOMEM;
            out->tie[out->ties++] = f->shape;
        }
    }
    return PRVCUT_OK;
}

/* The most messages first, else by ranks. */
static int tpl_compare(const void *x, const void *y)
{
    const struct prvcut_comm_pair *a = x, *b = y;

    if (a->messages != b->messages)
        return a->messages > b->messages ? -1 : 1;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

enum prvcut_status prvcut_topology_find(struct prvcut_topology_found *found, uint32_t ranks,
                                        struct prvcut_comm_pair *pair, size_t pairs,
                                        struct prvcut_error *err)
{
    struct tpl_search s = { .pair = pair,
                            .pairs = pairs,
                            .near_best = fmin(NEAR_FIT, 0.25 / ranks),
                            .err = err,
                            .st = PRVCUT_OK };

    *found = (struct prvcut_topology_found){ .fit = (double)NAN, .spread = (double)NAN };
    for (size_t i = 0; i < pairs; i++) {
        s.messages += (double)pair[i].messages;
        s.bytes += (double)pair[i].bytes;
    }
    if (!(s.messages > 0))
        return PRVCUT_OK;
    qsort(pair, pairs, sizeof *pair, tpl_compare);
    while (s.used < pairs && (double)pair[s.used].messages >= USED * (double)pair[0].messages)
        s.used++;
    if (prvcut_shapes(ranks, tpl_try, &s))
        s.st = tpl_choose(&s, found, err);
    free(s.at);
    if (s.st == PRVCUT_OK && found->fit < FITS) {
        found->shape = (struct prvcut_comm_shape){ .topology = PRVCUT_TOPOLOGY_IRREGULAR };
        found->spread = (double)NAN;
        found->ties = 0;
    }
    return s.st;
}
