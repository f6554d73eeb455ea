#include "gen_run.h"

/* What one message costs: latency, and ns a byte. */
#define LATENCY  2500.0
#define PER_BYTE 0.2

static uint64_t arrives(struct gen *g, uint64_t sent, uint64_t size)
{
    double ns = (LATENCY + (double)size * PER_BYTE) * (0.9 + 0.3 * gen_uniform(g));

    if (sent < g->clog_until)
        ns *= g->o->clog_factor;
    return sent + gen_ticks(g, ns);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t after(struct gen *g, uint64_t time, double ns)
{
    return time + gen_ticks(g, ns * (0.8 + 0.4 * gen_uniform(g)));
}

static void begin(struct gen *g, struct gen_task *t, uint64_t type, uint64_t call, uint32_t site)
{
    gen_flush_if_full(g, t);
    gen_call_begin(g, t, type, call);
    gen_call_opened(g, t, site);
}

static void write_comm(struct gen *g, const struct gen_task *from, const struct gen_task *to,
                       const struct gen_comm *c)
{
    if (g->o->no_calls || g->o->burst_mode)
        return;
    gen_lines_comm(&g->lines, &g->name[from->thread], from->thread, &g->name[to->thread], c);
}

/* Neighbour of task i on a side (west, east, north, south) of the grid; -1: there is none. */
static int64_t neighbour(const struct gen *g, uint32_t i, uint32_t side, bool wrap)
{
    uint32_t w = g->width, h = g->height, x = i % w, y = i / w;
    uint32_t *at = side < 2 ? &x : &y, room = side < 2 ? w : h;
    bool up = side % 2 == 1;

    if (room == 1 || (!wrap && *at == (up ? room - 1 : 0)))
        return -1;
    *at = up ? (*at + 1) % room : (*at + room - 1) % room;
    return (int64_t)y * w + x;
}

/* A one-way exchange receives from west and north, and sends to east and south. */
static bool receives(const struct gen *g, uint32_t i, uint32_t side, bool forward)
{
    return (!forward || side % 2 == 0) && neighbour(g, i, side, !forward) >= 0;
}

static bool sends(const struct gen *g, uint32_t i, uint32_t side, bool forward)
{
    return (!forward || side % 2 == 1) && neighbour(g, i, side, !forward) >= 0;
}

static void halo_post(struct gen *g, struct gen_task *t, uint32_t site, uint64_t size, bool forward)
{
    for (uint32_t side = 0; side < GEN_SIDES; side++) {
        if (!receives(g, t->task, side, forward))
            continue;
        begin(g, t, TYPE_P2P, CALL_IRECV, site);
        gen_call_end(g, t, after(g, t->call, 3500), TYPE_P2P, STATE_IRECV);
        /* Extrae takes the end of MPI_Irecv, but the begin of MPI_Recv. */
        t->lrecv[side] = t->now;
    }
    for (uint32_t side = 0; side < GEN_SIDES; side++) {
        if (!sends(g, t->task, side, forward))
            continue;
        begin(g, t, TYPE_P2P, CALL_ISEND, site + 1);
        t->lsend[side] = t->call;
        gen_call_end(g, t, after(g, t->call, 7000), TYPE_P2P, STATE_ISEND);
        t->psend[side] = t->now;
        t->arrival[side] = arrives(g, t->now, size);
    }
    begin(g, t, TYPE_P2P, CALL_WAITALL, site + 2);
}

static void halo_wait(struct gen *g, struct gen_task *first, struct gen_task *t,
                      const uint64_t size_tag[2], bool forward)
{
    uint64_t end = after(g, t->call, 1200);

    for (uint32_t side = 0; side < GEN_SIDES; side++)
        if (receives(g, t->task, side, forward))
            end = later(end, first[neighbour(g, t->task, side, !forward)].arrival[side ^ 1]);
    end = after(g, end, 400);
    gen_call_end(g, t, end, TYPE_P2P, STATE_WAIT);
    for (uint32_t side = 0; side < GEN_SIDES; side++) {
        const struct gen_task *from;

        if (!receives(g, t->task, side, forward))
            continue;
        from = &first[neighbour(g, t->task, side, !forward)];
        write_comm(g, from, t,
                   &(struct gen_comm){ .lsend = from->lsend[side ^ 1],
                                       .psend = from->psend[side ^ 1],
                                       .lrecv = t->lrecv[side],
                                       .precv = end,
                                       .size = size_tag[0],
                                       .tag = size_tag[1] + side });
    }
}

void gen_step_halo(struct gen *g, struct gen_task *first, uint32_t site, uint64_t size,
                   bool forward)
{
    const uint64_t size_tag[2] = { size, 1000 + site * 8 };

    if (g->o->tasks == 1)
        return;
    for (uint64_t i = 0; i < g->o->tasks; i++)
        halo_post(g, &first[i], site, size, forward);
    for (uint64_t i = 0; i < g->o->tasks; i++) {
        halo_wait(g, first, &first[i], size_tag, forward);
        begin(g, &first[i], TYPE_P2P, CALL_WAITALL, site + 3);
        gen_call_end(g, &first[i], after(g, first[i].call, 1500), TYPE_P2P, STATE_WAIT);
    }
}

void gen_step_ring(struct gen *g, struct gen_task *first, uint32_t site, uint64_t size)
{
    uint64_t n = g->o->tasks;

    if (n == 1)
        return;
    for (uint64_t i = 0; i < n; i++) {
        begin(g, &first[i], TYPE_P2P, CALL_SENDRECV, site);
        first[i].arrival[0] = arrives(g, first[i].call, size);
    }
    for (uint64_t i = 0; i < n; i++) {
        struct gen_task *t = &first[i];
        const struct gen_task *from = &first[(i + n - 1) % n];
        uint64_t end = after(g, later(after(g, t->call, 4000), from->arrival[0]), 400);
        uint64_t call = t->call;

        gen_call_end(g, t, end, TYPE_P2P, STATE_SENDRECV);
        write_comm(g, from, t,
                   &(struct gen_comm){ .lsend = from->call,
                                       .psend = from->call,
                                       .lrecv = call,
                                       .precv = end,
                                       .size = size,
                                       .tag = 2000 + site });
    }
}

void gen_step_self(struct gen *g, struct gen_task *t, uint32_t site, uint64_t size)
{
    uint64_t call;

    begin(g, t, TYPE_P2P, CALL_SENDRECV, site);
    call = t->call;
    gen_call_end(g, t, arrives(g, after(g, call, 4000), size), TYPE_P2P, STATE_SENDRECV);
    write_comm(g, t, t,
               &(struct gen_comm){ .lsend = call,
                                   .psend = call,
                                   .lrecv = call,
                                   .precv = t->now,
                                   .size = size,
                                   .tag = 2000 + site });
}

void gen_step_message(struct gen *g, struct gen_task *from, struct gen_task *to, uint32_t site,
                      uint64_t size)
{
    struct gen_comm c = { .size = size, .tag = 3000 + site };

    begin(g, from, TYPE_P2P, CALL_SEND, site);
    c.lsend = from->call;
    gen_call_end(g, from, after(g, c.lsend, 2500 + (double)size * 0.05), TYPE_P2P, STATE_SEND);
    c.psend = from->now;
    begin(g, to, TYPE_P2P, CALL_RECV, site + 1);
    c.lrecv = to->call;
    c.precv = later(after(g, to->call, 1200), arrives(g, c.lsend, size));
    gen_call_end(g, to, c.precv, TYPE_P2P, STATE_WAIT_MESSAGE);
    write_comm(g, from, to, &c);
}

void gen_step_pairs(struct gen *g, struct gen_task *first, uint32_t site, uint64_t size)
{
    for (uint64_t i = 0; i + 1 < g->o->tasks; i += 2) {
        gen_step_message(g, &first[i], &first[i + 1], site, size);
        gen_step_message(g, &first[i + 1], &first[i], site, size);
    }
}

static void put_collective(struct gen *g, const struct gen_task *t, uint64_t call, uint64_t size)
{
    bool root = t->task == 0;
    uint64_t sent = call == CALL_BARRIER || (call == CALL_BCAST && !root) ? 0 : size;
    uint64_t received =
        call == CALL_BARRIER || (call == CALL_BCAST && root) || (call == CALL_REDUCE && !root)
            ? 0
            : size;

    gen_call_pair(g, t, TYPE_SEND_SIZE, sent);
    gen_call_pair(g, t, TYPE_SEND_SIZE + 1, received);
    if (root && (call == CALL_BCAST || call == CALL_REDUCE))
        gen_call_pair(g, t, TYPE_SEND_SIZE + 2, 1);
    gen_call_pair(g, t, TYPE_SEND_SIZE + 3, 1);
}

void gen_step_collective(struct gen *g, struct gen_task *first, uint32_t site, uint64_t call,
                         uint64_t size)
{
    uint64_t entered = 0;

    for (uint64_t i = 0; i < g->o->tasks; i++) {
        struct gen_task *t = &first[i];

        gen_flush_if_full(g, t);
        gen_call_begin(g, t, TYPE_COLLECTIVE, call);
        put_collective(g, t, call, size);
        gen_call_opened(g, t, site);
        entered = later(entered, t->call);
    }
    entered = after(g, entered, 6000 + (double)size * PER_BYTE);
    for (uint64_t i = 0; i < g->o->tasks; i++)
        gen_call_end(g, &first[i], after(g, entered, 3000), TYPE_COLLECTIVE, STATE_COLLECTIVE);
}

/* As gen_step_message, but the sender waits where it is too far ahead of the receiver. */
static void sweep_send(struct gen *g, struct gen_task *t, struct gen_task *to, uint32_t site,
                       const uint64_t size_direction[2])
{
    uint64_t d = size_direction[1];
    uint64_t *taken = &to->taken[d][t->sent[d]++ % GEN_CREDIT];

    begin(g, t, TYPE_P2P, CALL_SEND, site);
    t->lsend[0] = t->call;
    t->psend[0] = later(after(g, t->call, 2500), *taken);
    gen_call_end(g, t, t->psend[0], TYPE_P2P, STATE_SEND);
    begin(g, to, TYPE_P2P, CALL_RECV, site + 1);
    *taken = later(after(g, to->call, 1200), arrives(g, t->lsend[0], size_direction[0]));
    to->lrecv[0] = to->call;
    gen_call_end(g, to, *taken, TYPE_P2P, STATE_WAIT_MESSAGE);
    write_comm(g, t, to,
               &(struct gen_comm){ .lsend = t->lsend[0],
                                   .psend = t->psend[0],
                                   .lrecv = to->lrecv[0],
                                   .precv = *taken,
                                   .size = size_direction[0],
                                   .tag = 4000 + d });
}

void gen_step_sweep(struct gen *g, struct gen_task *first, uint32_t site, double ns,
                    const uint64_t size_direction[2])
{
    uint64_t n = g->o->tasks;

    for (uint64_t i = 0; i < n; i++) {
        uint64_t at = size_direction[1] == 0 ? i : n - 1 - i;
        uint64_t next = size_direction[1] == 0 ? at + 1 : at - 1;

        gen_burst(g, &first[at], ns);
        if (i + 1 < n)
            sweep_send(g, &first[at], &first[next], site, size_direction);
    }
}
