#include "hard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TYPE_P2P = 50000001,
    TYPE_COLLECTIVE = 50000002,
    TYPE_OTHER = 50000003,
    TYPE_SEND_SIZE = 50100001,
    TYPE_RECV_SIZE = 50100002,
    TYPE_ROOT = 50100003,
    TYPE_COMMUNICATOR = 50100004,
    TYPE_CALLER = 70000001,
    TYPE_CALLER_LINE = 80000001,
    STATE_RUNNING = 1,
    STATE_OF_CALL = 13
};

#define CALL_LEAST 150.0  /* ns */
#define COLLECTIVE 4000.0 /* ns, after the last one came */
#define LATENCY    1500.0 /* ns */
#define MOVED      137    /* between the lines of two ranks */

/* --- Chance -------------------------------------------------------------------------------- */

/* An odd step and two multiplications spread the counter over 64 bits. */
double hard_real(struct hard *h)
{
    uint64_t x = h->random += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

unsigned hard_between(struct hard *h, unsigned least, unsigned most)
{
    return least + (unsigned)(hard_real(h) * (most - least + 1));
}

double hard_log(struct hard *h, double least, double most)
{
    return least * pow(most / least, hard_real(h));
}

bool hard_chance(struct hard *h, double p)
{
    return hard_real(h) < p;
}

/* About normal, of variance 1. */
static double deviate(struct hard *h)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += hard_real(h);
    return sum - 6;
}

/* --- Records ------------------------------------------------------------------------------- */

unsigned hard_site(struct hard *h)
{
    return ++h->next_site;
}

void hard_enter(struct hard *h)
{
    if (h->depth < HARD_DEPTH)
        h->path[h->depth] = hard_site(h);
    h->depth++;
}

void hard_leave(struct hard *h)
{
    h->depth--;
}

unsigned hard_group_add(struct hard *h, const unsigned *rank, unsigned count)
{
    struct hard_group *g = &h->group[h->groups];

    if (h->groups == HARD_GROUPS)
        gen_die("too many groups");
    memcpy(g->rank, rank, count * sizeof *rank);
    g->count = count;
    return h->groups++;
}

static void callers(struct hard *h, unsigned rank, unsigned site)
{
    const unsigned depth = h->depth < HARD_DEPTH ? h->depth : HARD_DEPTH;
    const unsigned line = h->moved ? MOVED * rank : 0;

    gen_lines_pair(&h->lines, TYPE_CALLER, 2 + site / 4);
    gen_lines_pair(&h->lines, TYPE_CALLER_LINE, 2 + 4 * site + line);
    for (unsigned i = 0; i < depth && i < 2; i++) {
        const unsigned around = h->path[depth - 1 - i];

        gen_lines_pair(&h->lines, TYPE_CALLER + 1 + i, 2 + around / 4);
        gen_lines_pair(&h->lines, TYPE_CALLER_LINE + 1 + i, 2 + 4 * around + line);
    }
}

struct one_call {
    unsigned rank, type, value, site, size, root, communicator; /* 0: has none */
    double begin, end;
};

static void call(struct hard *h, const struct one_call *c)
{
    const struct gen_name *who = &h->name[c->rank];
    const uint64_t begin = (uint64_t)c->begin;
    const uint64_t end = (uint64_t)fmax(c->end, c->begin + CALL_LEAST);

    if (c->begin > h->open[c->rank])
        gen_lines_state(&h->lines, who, c->rank, (uint64_t[2]){ (uint64_t)h->open[c->rank], begin },
                        STATE_RUNNING);
    gen_lines_state(&h->lines, who, c->rank, (uint64_t[2]){ begin, end }, STATE_OF_CALL);
    gen_lines_event(&h->lines, who, begin);
    gen_lines_pair(&h->lines, c->type, c->value);
    if (c->communicator > 0) {
        gen_lines_pair(&h->lines, TYPE_SEND_SIZE, c->size);
        gen_lines_pair(&h->lines, TYPE_RECV_SIZE, c->size);
        if (c->root > 0)
            gen_lines_pair(&h->lines, TYPE_ROOT, 1);
        gen_lines_pair(&h->lines, TYPE_COMMUNICATOR, c->communicator);
    }
    if (h->sites && c->site > 0)
        callers(h, c->rank, c->site);
    gen_lines_close(&h->lines, begin, c->rank, GEN_LATE);
    gen_lines_event(&h->lines, who, end);
    gen_lines_pair(&h->lines, c->type, 0);
    gen_lines_close(&h->lines, end, c->rank, GEN_EARLY);
    h->now[c->rank] = h->open[c->rank] = (double)end;
}

/* --- Calls --------------------------------------------------------------------------------- */

/* How much longer work takes at a time, as a logarithm: even chance in a range with that spread,
   the same on all ranks. It draws nothing, so that the calls are those of an idle machine. */
static double held_up(const struct hard *h, double now)
{
    uint64_t mixed = (uint64_t)(now / h->stretch) + 1;

    for (int i = 0; i < 3; i++) {
        mixed *= UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 29;
    }
    return h->busy * sqrt(12) * ((double)(mixed >> 11) / 0x1p53 - 0.5);
}

void hard_work_of(struct hard *h, unsigned rank, double ns)
{
    const double noise = h->noise * deviate(h);

    if (h->busy > 0)
        ns *= exp(held_up(h, h->now[rank]));
    h->now[rank] += fmax(200, ns * h->pace * exp(noise));
}

void hard_work(struct hard *h, unsigned group, double ns)
{
    const struct hard_group *g = &h->group[group];

    for (unsigned i = 0; i < g->count; i++)
        hard_work_of(h, g->rank[i], ns * (1 + 0.1 * (g->rank[i] % 4) / 4));
}

void hard_collective(struct hard *h, unsigned group, unsigned value, unsigned size, unsigned site)
{
    const struct hard_group *g = &h->group[group];
    const bool rooted = value == HARD_BCAST || value == HARD_REDUCE || value == HARD_GATHER;
    double last = 0;

    for (unsigned i = 0; i < g->count; i++)
        last = fmax(last, h->now[g->rank[i]]);
    for (unsigned i = 0; i < g->count; i++)
        call(h, &(struct one_call){ .rank = g->rank[i],
                                    .type = TYPE_COLLECTIVE,
                                    .value = value,
                                    .site = site,
                                    .size = size,
                                    .root = rooted && i == 0,
                                    .communicator = group + 1,
                                    .begin = h->now[g->rank[i]],
                                    .end = last + COLLECTIVE + 300 * hard_real(h) });
}

void hard_alone(struct hard *h, unsigned rank, unsigned value, unsigned size, unsigned site,
                double ns)
{
    call(h, &(struct one_call){ .rank = rank,
                                .type = value == HARD_INIT || value == HARD_FINALIZE ? TYPE_OTHER
                                                                                     : TYPE_P2P,
                                .value = value,
                                .site = site,
                                .size = size,
                                .begin = h->now[rank],
                                .end = h->now[rank] + ns });
}

static void message(struct hard *h, unsigned from, const double sent[2], unsigned to,
                    const double received[2], unsigned size, unsigned tag)
{
    gen_lines_comm(&h->lines, &h->name[from], from, &h->name[to],
                   &(struct gen_comm){ .lsend = (uint64_t)sent[0],
                                       .psend = (uint64_t)sent[1],
                                       .lrecv = (uint64_t)received[0],
                                       .precv = (uint64_t)received[1],
                                       .size = size,
                                       .tag = tag });
}

void hard_message(struct hard *h, unsigned from, unsigned to, unsigned size, unsigned tag,
                  unsigned site)
{
    const double begin = h->now[from], asked = h->now[to];

    hard_alone(h, from, HARD_SEND, size, site, 900);
    hard_alone(h, to, HARD_RECV, size, site + 1, fmax(0, h->now[from] - asked) + LATENCY);
    message(h, from, (double[2]){ begin, begin + 500 }, to, (double[2]){ asked, h->now[to] - 100 },
            size, tag);
}

struct link {
    unsigned from, to, tag;
    double sent[2], asked;
};

static unsigned list_links(struct hard *h, const struct hard_group *g, const int *away,
                           unsigned neighbours, double left_out, struct link *link)
{
    unsigned n = 0;

    for (unsigned i = 0; i < g->count; i++)
        for (unsigned k = 0; k < neighbours; k++) {
            const unsigned to = (unsigned)((int)(i + 2 * g->count) + away[k]) % g->count;

            if (to != i && !hard_chance(h, left_out))
                link[n++] = (struct link){ g->rank[i], g->rank[to], 10 + k, { 0, 0 }, 0 };
        }
    return n;
}

void hard_halo(struct hard *h, unsigned group, const int *away, unsigned neighbours, unsigned size,
               unsigned site, double left_out)
{
    const struct hard_group *g = &h->group[group];
    struct link link[HARD_RANKS * HARD_RANKS];
    const unsigned links = list_links(h, g, away, neighbours, left_out, link);
    double ready[HARD_RANKS];

    for (unsigned i = 0; i < links; i++) {
        link[i].asked = h->now[link[i].to];
        hard_alone(h, link[i].to, HARD_IRECV, size, site, 500);
        hard_work_of(h, link[i].to, 300);
    }
    for (unsigned i = 0; i < links; i++) {
        link[i].sent[0] = h->now[link[i].from];
        hard_alone(h, link[i].from, HARD_ISEND, size, site + 1, 800);
        link[i].sent[1] = h->now[link[i].from] - 100;
        hard_work_of(h, link[i].from, 300);
    }
    memcpy(ready, h->now, sizeof ready);
    for (unsigned i = 0; i < links; i++)
        ready[link[i].to] = fmax(ready[link[i].to], link[i].sent[1] + LATENCY + size / 5.0);
    for (unsigned i = 0; i < g->count; i++)
        hard_alone(h, g->rank[i], HARD_WAITALL, 0, site + 2,
                   ready[g->rank[i]] - h->now[g->rank[i]] + 300);
    for (unsigned i = 0; i < links; i++)
        message(h, link[i].from, link[i].sent, link[i].to,
                (double[2]){ link[i].asked, h->now[link[i].to] - 150 }, size, link[i].tag);
}

/* --- Bodies -------------------------------------------------------------------------------- */

static const unsigned collectives[] = { HARD_ALLREDUCE, HARD_ALLREDUCE, HARD_ALLREDUCE, HARD_BCAST,
                                        HARD_REDUCE,    HARD_ALLTOALL,  HARD_ALLGATHER };
static const unsigned sizes[] = { 8, 8, 16, 24, 64, 128, 1024, 4096, 8192, 20480 };

#define SOME(h, list) (list)[hard_between(h, 0, sizeof(list) / sizeof *(list)-1)]

struct hard_body hard_draw(struct hard *h, unsigned ops)
{
    struct hard_body b = { .count = ops };

    for (unsigned i = 0; i < ops; i++) {
        const double u = hard_real(h);

        b.op[i] = (struct hard_op){ .kind = u < 0.45   ? HARD_OP_HALO
                                            : u < 0.85 ? HARD_OP_COLLECTIVE
                                            : u < 0.95 ? HARD_OP_RING
                                                       : HARD_OP_SWEEP,
                                    .call = SOME(h, collectives),
                                    .site = hard_site(h),
                                    .size = SOME(h, sizes),
                                    .work = hard_log(h, 3e3, 6e4) };
        h->next_site += 4;
    }
    return b;
}

static void run(struct hard *h, unsigned group, const struct hard_op *o)
{
    static const int both[] = { 1, -1 }, next[] = { 1 };
    const struct hard_group *g = &h->group[group];

    hard_work(h, group, o->work);
    if (o->kind == HARD_OP_COLLECTIVE)
        hard_collective(h, group, o->call, o->size, o->site);
    else if (o->kind == HARD_OP_HALO)
        hard_halo(h, group, both, 2, o->size, o->site, 0);
    else if (o->kind == HARD_OP_RING)
        hard_halo(h, group, next, 1, o->size, o->site, 0);
    for (unsigned i = 0; o->kind == HARD_OP_SWEEP && i + 1 < g->count; i++) {
        hard_work_of(h, g->rank[i], o->work / 4);
        hard_message(h, g->rank[i], g->rank[i + 1], o->size, 20, o->site);
    }
}

void hard_run(struct hard *h, unsigned group, const struct hard_body *b)
{
    for (unsigned i = 0; i < b->count; i++)
        run(h, group, &b->op[i]);
}

void hard_start(struct hard *h)
{
    const unsigned steps = hard_between(h, 2, 9);

    for (unsigned r = 0; r < h->ranks; r++)
        hard_alone(h, r, HARD_INIT, 0, 0, 20000);
    for (unsigned i = 0; i < steps; i++) {
        hard_work(h, 0, hard_log(h, 1e4, 1e6));
        hard_collective(h, 0, SOME(h, collectives), SOME(h, sizes), hard_site(h));
    }
    if (hard_chance(h, 0.5)) {
        const struct hard_body b = hard_draw(h, hard_between(h, 1, 4));

        for (unsigned i = hard_between(h, 1, 3); i > 0; i--)
            hard_run(h, 0, &b);
    }
    hard_collective(h, 0, HARD_BARRIER, 0, hard_site(h));
}

void hard_finish(struct hard *h)
{
    hard_collective(h, 0, HARD_REDUCE, 8, hard_site(h));
    hard_work(h, 0, 50000);
    hard_collective(h, 0, HARD_GATHER, 64, hard_site(h));
    if (hard_chance(h, 0.5))
        hard_collective(h, 0, HARD_BARRIER, 0, hard_site(h));
    for (unsigned r = 0; r < h->ranks; r++)
        hard_alone(h, r, HARD_FINALIZE, 0, 0, 20000);
}

/* --- Truth --------------------------------------------------------------------------------- */

struct hard_loop *hard_loop_add(struct hard *h)
{
    if (h->loops == HARD_LOOPS)
        gen_die("too many loops");
    return &h->loop[h->loops++];
}

void hard_mark(struct hard *h, struct hard_loop *l, unsigned rank)
{
    if (l->count == HARD_MARKS)
        gen_die("too many iterations");
    l->mark[l->count++] = h->now[rank];
}

void hard_multiple(struct hard_loop *l, unsigned k)
{
    if (k > 1 && l->multiples < 3)
        l->multiple[l->multiples++] = k;
}

void hard_stop(struct hard *h)
{
    for (unsigned r = 0; r < h->ranks; r++)
        if (h->now[r] > h->open[r])
            gen_lines_state(&h->lines, &h->name[r], r,
                            (uint64_t[2]){ (uint64_t)h->open[r], (uint64_t)h->now[r] },
                            STATE_RUNNING);
}
