#include "analysis/comm/comm.h"

#include "analysis/comm/topology.h"
#include "analysis/proof_keys.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Point-to-point bytes below this share of those of Alltoall do not shape the run. */
#define FEW 0.05

struct cmm_maker {
    struct made_comm *out;
    struct made_comm_matrix *m; /* the present one */
    const struct prvcut_comm_found *f;
    const struct prvcut_objects *o;
    struct prvcut_error *err;
    uint32_t slot, application, first; /* first: its first task */
    /* In the order of slots and applications. */
    struct prvcut_comm_cell *cell;
    struct prvcut_comm_size *size;
    struct prvcut_comm_call *call;
    size_t cells, sizes, calls;
    size_t next_cell, next_size, next_call;
};

/* --- In order --------------------------------------------------------------------------------- */

#define CMM_BY(a, b)                                                                               \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            return (a) < (b) ? -1 : 1;                                                             \
    } while (0)

static int cmm_by_ranks(const void *x, const void *y)
{
    const struct prvcut_comm_cell *a = x, *b = y;

    CMM_BY(a->key.slot, b->key.slot);
    CMM_BY(a->key.from, b->key.from);
    CMM_BY(a->key.to, b->key.to);
    return 0;
}

static int cmm_by_bytes(const void *x, const void *y)
{
    const struct prvcut_comm_size *a = x, *b = y;

    CMM_BY(a->key.slot, b->key.slot);
    CMM_BY(a->key.of, b->key.of);
    CMM_BY(a->key.bytes, b->key.bytes);
    return 0;
}

/* The one with the most time first. */
static int cmm_by_time(const void *x, const void *y)
{
    const struct prvcut_comm_call *a = x, *b = y;

    CMM_BY(a->key.slot, b->key.slot);
    CMM_BY(a->key.application, b->key.application);
    CMM_BY(b->ns, a->ns);
    CMM_BY(a->key.type, b->key.type);
    CMM_BY(a->key.value, b->key.value);
    return 0;
}

static int cmm_by_low(const void *x, const void *y)
{
    const struct prvcut_comm_pair *a = x, *b = y;

    CMM_BY(a->low, b->low);
    CMM_BY(a->high, b->high);
    return 0;
}

static int cmm_by_number(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;

    CMM_BY(*a, *b);
    return 0;
}

static void cmm_sort(void *at, size_t count, size_t size,
                     int (*compare)(const void *, const void *))
{
    if (count > 0)
        qsort(at, count, size, compare);
}

/* --- Who sends what to whom ------------------------------------------------------------------- */

/* A receive whose send is not recorded counts only where none of that sender's is: else it might
   be one of those that met no receive. */
static bool cmm_counts(const struct cmm_maker *k, const struct prvcut_comm_cell *c)
{
    return !c->key.alone || !k->f->sends[c->key.from];
}

static void cmm_edge(struct cmm_maker *k, const struct prvcut_comm_cell *c)
{
    struct made_comm_matrix *m = k->m;
    struct prvcut_comm_edge *e = &m->edge[m->is.edges++];
    struct prvcut_comm_rank *from, *to;

    *e = (struct prvcut_comm_edge){ c->key.from - k->first, c->key.to - k->first, c->messages,
                                    c->bytes, c->ns };
    from = &m->rank[e->from];
    to = &m->rank[e->to];
    from->sent += e->messages;
    from->sent_bytes += e->bytes;
    to->received += e->messages;
    to->received_bytes += e->bytes;
    m->is.messages += e->messages;
    m->is.bytes += e->bytes;
    m->is.ns += e->ns;
    m->is.timed += c->timed;
    if (from == to) {
        m->is.self += e->messages;
        m->is.self_bytes += e->bytes;
    } else if (m->is.nodes > 0 && from->node == to->node) {
        m->is.node_messages += e->messages;
        m->is.node_bytes += e->bytes;
    }
}

/* Cells of the present matrix go on up to where these end. */
static size_t cmm_cells_end(const struct cmm_maker *k)
{
    size_t i = k->next_cell;

    while (i < k->cells && k->cell[i].key.slot == k->slot &&
           k->cell[i].key.from < k->o->application_first_task[k->application + 1])
        i++;
    return i;
}

static enum prvcut_status cmm_edges(struct cmm_maker *k)
{
    const size_t end = cmm_cells_end(k);
    struct made_comm_matrix *m = k->m;

    m->edge = prvcut_zeroed(end - k->next_cell + 1, sizeof *m->edge, "pairs of ranks", k->err);
    if (!m->edge)
        return PRVCUT_ENOMEM;
    for (; k->next_cell < end; k->next_cell++) {
        const struct prvcut_comm_cell *c = &k->cell[k->next_cell];

        if (cmm_counts(k, c))
            cmm_edge(k, c);
        else
            m->is.alone += c->messages;
    }
    if (m->is.timed == 0)
        m->is.ns = PRVCUT_COMM_UNTOLD;
    return PRVCUT_OK;
}

/* --- Ranks ------------------------------------------------------------------------------------ */

/* 0: the trace does not tell which node a rank is on. */
static enum prvcut_status cmm_ranks(struct cmm_maker *k)
{
    struct made_comm_matrix *m = k->m;
    uint32_t nodes = 0;
    bool told = k->o->nodes > 0 && k->o->task_node;

    m->rank = prvcut_zeroed((size_t)m->is.ranks + 1, sizeof *m->rank, "ranks", k->err);
    if (!m->rank)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < m->is.ranks; i++) {
        m->rank[i].node = told ? k->o->task_node[k->first + i] : PRVCUT_NOBODY;
        told = told && m->rank[i].node != PRVCUT_NOBODY;
        nodes = told && m->rank[i].node >= nodes ? m->rank[i].node + 1 : nodes;
    }
    m->is.nodes = told ? nodes : 0;
    if (!told)
        m->is.node_messages = m->is.node_bytes = PRVCUT_COMM_UNTOLD;
    return PRVCUT_OK;
}

static void cmm_imbalance(struct made_comm_matrix *m)
{
    const bool bytes = m->is.bytes > 0;
    const double all = bytes ? (double)m->is.bytes : (double)m->is.messages;
    uint64_t most = 0;

    m->is.imbalance = (double)NAN;
    for (uint32_t i = 0; i < m->is.ranks; i++) {
        const uint64_t sent = bytes ? m->rank[i].sent_bytes : m->rank[i].sent;

        if (sent > most)
            m->is.imbalance_rank = i;
        most = sent > most ? sent : most;
    }
    if (all > 0)
        m->is.imbalance = (double)most * m->is.ranks / all;
}

static enum prvcut_status cmm_neighbours(struct cmm_maker *k)
{
    struct made_comm_matrix *m = k->m;
    const size_t ranks = m->is.ranks;
    uint32_t *count = prvcut_zeroed(ranks + 1, sizeof *count, "ranks", k->err);

    if (!count)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < ranks; i++)
        count[i] = m->rank[i].neighbours;
    qsort(count, ranks, sizeof *count, cmm_by_number);
    if (ranks > 0) {
        m->is.neighbours_least = count[0];
        m->is.neighbours_median = count[(ranks - 1) / 2];
        m->is.neighbours_middle = ((double)count[(ranks - 1) / 2] + (double)count[ranks / 2]) / 2;
        m->is.neighbours_most = count[ranks - 1];
    }
    free(count);
    return PRVCUT_OK;
}

/* --- The shape -------------------------------------------------------------------------------- */

/* Both directions together, of different ranks. owns: *out is the caller's */
static enum prvcut_status cmm_pairs(struct cmm_maker *k, struct prvcut_comm_pair **out,
                                    size_t *count)
{
    struct made_comm_matrix *m = k->m;
    struct prvcut_comm_pair *p = prvcut_zeroed(m->is.edges + 1, sizeof *p, "pairs", k->err);
    size_t both = 0, n = 0;

    *out = p;
    if (!p)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < m->is.edges; i++) {
        const struct prvcut_comm_edge *e = &m->edge[i];
        const bool up = e->from < e->to;

        if (e->from != e->to)
            p[both++] = (struct prvcut_comm_pair){ up ? e->from : e->to, up ? e->to : e->from,
                                                   e->messages, e->bytes };
    }
    qsort(p, both, sizeof *p, cmm_by_low);
    for (size_t i = 0; i < both; i++) {
        if (n > 0 && cmm_by_low(&p[n - 1], &p[i]) == 0) {
            p[n - 1].messages += p[i].messages;
            p[n - 1].bytes += p[i].bytes;
            continue;
        }
        m->rank[p[i].low].neighbours++;
        m->rank[p[i].high].neighbours++;
        p[n++] = p[i];
    }
    *count = n;
    return PRVCUT_OK;
}

/* Alltoall and its kin. */
static bool cmm_is_alltoall(const struct prvcut_comm_call *c)
{
    const struct prvcut_mpi_call *call = prvcut_mpi_call_by_value(c->key.type, c->key.value);

    return call && call->operation >= 8 && call->operation <= 10;
}

/* Does everything go through them? Where most of that stays in communicators without some of the
   ranks, it is all to all in each of these, not in the run. */
static void cmm_by_collectives(struct made_comm_matrix *m, const struct prvcut_comm_call *call,
                               size_t calls)
{
    double bytes = 0, apart = 0;
    uint32_t least = 0, most = 0;

    for (size_t i = 0; i < calls; i++) {
        if (!cmm_is_alltoall(&call[i]))
            continue;
        bytes += (double)call[i].sent;
        apart += (double)call[i].apart;
        least = call[i].least > 0 && (least == 0 || call[i].least < least) ? call[i].least : least;
        most = call[i].most > most ? call[i].most : most;
    }
    m->is.by_collectives =
        m->is.ranks > 1 && (double)(m->is.bytes - m->is.self_bytes) < FEW * bytes;
    if (!m->is.by_collectives)
        return;
    m->is.shape = (struct prvcut_comm_shape){ PRVCUT_TOPOLOGY_ALLTOALL, { m->is.ranks, 1, 1 }, 1 };
    if (apart <= bytes / 2)
        return;
    m->is.shape.dimensions = 0;
    m->is.group_least = least;
    m->is.group_most = most;
}

/* shape   first: of the calls of the present matrix, which end before the next one's */
static enum prvcut_status cmm_shape(struct cmm_maker *k, size_t first)
{
    struct made_comm_matrix *m = k->m;
    struct prvcut_topology_found found = { .tie = NULL };
    struct prvcut_comm_pair *pair = NULL;
    size_t pairs = 0;
    enum prvcut_status st = cmm_pairs(k, &pair, &pairs);

    if (st == PRVCUT_OK)
        st = prvcut_topology_find(&found, m->is.ranks, pair, pairs, k->err);
    free(pair);
    m->tie = found.tie;
    if (st < 0)
        return st;
    m->is.ties = found.ties;
    m->is.shape = m->is.p2p = found.shape;
    m->is.fit = found.fit;
    m->is.spread = found.spread;
    cmm_by_collectives(m, k->call + first, k->next_call - first);
    return cmm_neighbours(k);
}

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Sizes of the slot that belong to the application, by bytes. owns: *out is the caller's */
static enum prvcut_status cmm_own_sizes(struct cmm_maker *k, struct prvcut_comm_size **out,
                                        size_t *count)
{
    const uint32_t end = k->o->application_first_task[k->application + 1];
    size_t last = k->next_size, n = 0;

    while (last < k->sizes && k->size[last].key.slot == k->slot)
        last++;
    *out = prvcut_zeroed(last - k->next_size + 1, sizeof **out, "sizes of messages", k->err);
    if (!*out)
        return PRVCUT_ENOMEM;
    for (size_t i = k->next_size; i < last; i++) {
        const uint32_t of = k->size[i].key.of;
        const uint32_t sender = of - k->o->applications; /* of those alone */

        if (of == k->application || (of >= k->o->applications && sender >= k->first &&
                                     sender < end && !k->f->sends[sender]))
            (*out)[n] = k->size[i], (*out)[n++].key.of = 0;
    }
    qsort(*out, n, sizeof **out, cmm_by_bytes);
    if (k->application + 1 == k->o->applications)
        k->next_size = last;
    *count = n;
    return PRVCUT_OK;
}

static void cmm_median(struct made_comm_matrix *m, const struct prvcut_comm_size *s, size_t count)
{
    uint64_t past = 0;
    size_t i = 0;

    m->is.size_least = m->is.size_median = m->is.size_greatest = PRVCUT_COMM_UNTOLD;
    if (count == 0)
        return;
    m->is.size_least = s[0].key.bytes;
    m->is.size_greatest = s[count - 1].key.bytes;
    while ((past += s[i].messages) < (m->is.messages + 1) / 2)
        i++;
    m->is.size_median = s[i].key.bytes;
}

static struct prvcut_comm_bin cmm_bin(uint64_t bytes)
{
    uint64_t least = 1;

    if (bytes == 0)
        return (struct prvcut_comm_bin){ .least = 0 };
    while (least <= bytes / 2)
        least *= 2;
    return (struct prvcut_comm_bin){ .least = least, .most = least - 1 + least };
}

static enum prvcut_status cmm_sizes(struct cmm_maker *k)
{
    struct made_comm_matrix *m = k->m;
    struct prvcut_comm_size *size;
    size_t count = 0;
    enum prvcut_status st = cmm_own_sizes(k, &size, &count);

    m->bin = prvcut_zeroed(66, sizeof *m->bin, "sizes of messages", k->err);
    for (size_t i = 0; st == PRVCUT_OK && m->bin && i < count; i++) {
        const struct prvcut_comm_bin b = cmm_bin(size[i].key.bytes);

        if (m->is.bins == 0 || m->bin[m->is.bins - 1].least != b.least)
            m->bin[m->is.bins++] = b;
        m->bin[m->is.bins - 1].messages += size[i].messages;
        m->bin[m->is.bins - 1].bytes += size[i].messages * size[i].key.bytes;
    }
    if (st == PRVCUT_OK)
        cmm_median(m, size, count);
    free(size);
    return m->bin ? st : PRVCUT_ENOMEM;
}

/* --- Collectives ------------------------------------------------------------------------------ */

static const char *cmm_name(struct cmm_maker *k, const struct prvcut_comm_call *c)
{
    const struct prvcut_proof_key key = { PRVCUT_PROOF_CALL, c->key.type, c->key.value };
    struct made_comm *out = k->out;
    char room[160];

    if (prvcut_grow((void **)&out->text, &out->texts_room, out->texts + 1, sizeof *out->text,
                    k->err) < 0)
        return NULL;
    out->text[out->texts] = prvcut_copied_text(
        prvcut_proof_key_text(room, sizeof room, &key, &k->f->names), "a name", k->err);
    return out->text[out->texts] ? out->text[out->texts++] : NULL;
}

static enum prvcut_status cmm_collectives(struct cmm_maker *k)
{
    struct made_comm_matrix *m = k->m;
    size_t end = k->next_call;

    while (end < k->calls && k->call[end].key.slot == k->slot &&
           k->call[end].key.application == k->application)
        end++;
    m->collective = prvcut_zeroed(end - k->next_call + 1, sizeof *m->collective, "calls", k->err);
    if (!m->collective)
        return PRVCUT_ENOMEM;
    for (; k->next_call < end; k->next_call++) {
        const struct prvcut_comm_call *c = &k->call[k->next_call];
        const char *name = cmm_name(k, c);

        if (!name)
            return PRVCUT_ENOMEM;
        m->collective[m->is.collectives++] = (struct prvcut_comm_collective){
            .name = name,
            .type = c->key.type,
            .value = c->key.value,
            .calls = c->calls,
            .sent_bytes = c->sent_told > 0 ? c->sent : PRVCUT_COMM_UNTOLD,
            .received_bytes = c->received_told > 0 ? c->received : PRVCUT_COMM_UNTOLD,
            .ns = c->endless == 0 ? c->ns : PRVCUT_COMM_UNTOLD,
        };
        k->out->endless += c->endless;
    }
    return PRVCUT_OK;
}

/* --- All of it -------------------------------------------------------------------------------- */

static enum prvcut_status cmm_matrix(struct cmm_maker *k)
{
    const struct prvcut_objects *o = k->o;
    const struct prvcut_comm_sum *s =
        &k->f->sum[(size_t)k->slot * o->applications + k->application];
    struct made_comm_matrix *m = k->m = &k->out->matrix[k->out->is.matrices++];
    const size_t first_call = k->next_call;
    enum prvcut_status st;

    k->first = o->application_first_task[k->application];
    m->is = (struct prvcut_comm_matrix){
        .application = k->application + 1,
        .ranks = o->application_first_task[k->application + 1] - k->first,
        .unknown = s->unknown,
        .unknown_bytes = s->unknown_bytes,
        .outside = s->outside,
        .outside_bytes = s->outside_bytes,
    };
    st = cmm_ranks(k);
    if (st == PRVCUT_OK)
        st = cmm_edges(k);
    if (st == PRVCUT_OK)
        st = cmm_sizes(k);
    if (st == PRVCUT_OK)
        st = cmm_collectives(k);
    if (st == PRVCUT_OK)
        st = cmm_shape(k, first_call);
    if (st == PRVCUT_OK)
        cmm_imbalance(m);
    return st;
}

enum prvcut_status prvcut_comm_matrices(struct made_comm *out, struct prvcut_comm_found *f,
                                        const struct prvcut_objects *o, struct prvcut_error *err)
{
    const size_t slots = f->cells.slots;
    struct cmm_maker k = { .out = out, .f = f, .o = o, .err = err };
    enum prvcut_status st = PRVCUT_OK;

    out->matrix =
        prvcut_zeroed(slots, ((size_t)o->applications + 1) * sizeof *out->matrix, "matrices", err);
    if (!out->matrix)
        return PRVCUT_ENOMEM;
    k.cell = prvcut_table_take(&f->cell, &k.cells);
    k.size = prvcut_table_take(&f->size, &k.sizes);
    k.call = prvcut_table_take(&f->call, &k.calls);
    cmm_sort(k.cell, k.cells, sizeof *k.cell, cmm_by_ranks);
    cmm_sort(k.size, k.sizes, sizeof *k.size, cmm_by_bytes);
    cmm_sort(k.call, k.calls, sizeof *k.call, cmm_by_time);
    for (k.slot = 0; k.slot < slots; k.slot++)
        for (k.application = 0; k.application < o->applications && st == PRVCUT_OK; k.application++)
            st = cmm_matrix(&k);
    free(k.cell);
    free(k.size);
    free(k.call);
    return st;
}

void prvcut_comm_matrices_fini(struct made_comm *c)
{
    for (size_t i = 0; i < c->is.matrices; i++) {
        free(c->matrix[i].edge);
        free(c->matrix[i].rank);
        free(c->matrix[i].bin);
        free(c->matrix[i].tie);
        free(c->matrix[i].collective);
    }
    for (size_t i = 0; i < c->texts; i++)
        free(c->text[i]);
    free(c->text);
    free(c->matrix);
}
