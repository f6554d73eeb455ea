#include "match/clocks.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/table.h"
#include "model/batch.h"
#include "model/clock_system.h"

#include <stdlib.h>
#include <string.h>

/*
 * Limits of what is noted. Those per process leave a few KiB to each of hundreds of thousands, and
 * far more to few; all of them only ever end the noting, so that what is noted stays a beginning.
 */
#define CHANNEL_LEAST    256u  /* times of each end of a channel */
#define CHANNEL_MOST     8192u /* where there are few processes */
#define COLLECTIVE_LEAST 64u
#define COLLECTIVE_MOST  1024u
#define COST_LEAST       384u                /* in times noted (8 bytes) */
#define COST_ALL         (UINT32_C(4) << 20) /* shared evenly beyond the least */
#define COST_CHANNEL     16u                 /* of a new channel */
#define OFFERS_MOST      (UINT32_C(1) << 17) /* records of a process that are looked at */

/* All messages of one sender, receiver and tag. */
struct channel {
    uint32_t sender, receiver;
    int64_t tag;
    uint64_t *send, *receive; /* ns, [sends], [receives] */
    size_t send_room, receive_room;
    uint32_t sends, receives;
};

/* One process's part in a collective. */
struct part {
    uint64_t begin, end;
    uint32_t root, members;
    enum prvcut_clock_flow flow;
};

/* One process's collectives on one communicator. */
struct row {
    uint32_t task, communicator;
    struct part *part;
    size_t room;
    uint32_t parts;
};

struct prvcut_clock_notes {
    uint32_t tasks;
    struct prvcut_table channel, row;
    uint32_t *cost, *offered; /* [tasks] */
    uint32_t cost_most, channel_most, collectives_most;
};

static struct channel *clocks_channel_at(const struct prvcut_clock_notes *n, size_t i)
{
    return (struct channel *)n->channel.at + i;
}

static struct row *clocks_row_at(const struct prvcut_clock_notes *n, size_t i)
{
    return (struct row *)n->row.at + i;
}

static uint32_t clocks_between(uint32_t least, uint32_t x, uint32_t most)
{
    return x < least ? least : x > most ? most : x;
}

enum prvcut_status prvcut_clock_notes_new(struct prvcut_clock_notes **out, uint32_t tasks,
                                          struct prvcut_error *err)
{
    struct prvcut_clock_notes *n = prvcut_zeroed(1, sizeof *n, "clocks", err);

    *out = n;
    if (n) {
        n->tasks = tasks;
        n->channel = (struct prvcut_table)PRVCUT_TABLE(struct channel, send, "channels");
        n->row = (struct prvcut_table)PRVCUT_TABLE(struct row, part, "collectives");
        n->cost = prvcut_zeroed((size_t)tasks + 1, sizeof *n->cost, "clocks", err);
        n->offered = prvcut_zeroed((size_t)tasks + 1, sizeof *n->offered, "clocks", err);
    }
    if (!n || !n->cost || !n->offered) {
        prvcut_clock_notes_free(n);
        *out = NULL;
        return PRVCUT_ENOMEM;
    }
    n->cost_most = COST_LEAST + (tasks > 0 ? COST_ALL / tasks : 0);
    n->channel_most = clocks_between(CHANNEL_LEAST, n->cost_most / 32, CHANNEL_MOST);
    n->collectives_most =
        tasks <= 4096 ? clocks_between(COLLECTIVE_LEAST, 65536 / (tasks + 1), COLLECTIVE_MOST)
                      : 8 + (COLLECTIVE_LEAST << 12) / tasks;
    return PRVCUT_OK;
}

void prvcut_clock_notes_free(struct prvcut_clock_notes *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->channel.count; i++) {
        free(clocks_channel_at(n, i)->send);
        free(clocks_channel_at(n, i)->receive);
    }
    for (size_t i = 0; i < n->row.count; i++)
        free(clocks_row_at(n, i)->part);
    prvcut_table_fini(&n->channel);
    prvcut_table_fini(&n->row);
    free(n->cost);
    free(n->offered);
    free(n);
}

/* Nothing that follows is noted: notes of one process are always a beginning without gaps. */
static bool clocks_take_offer(struct prvcut_clock_notes *n, uint32_t task, uint32_t cost)
{
    if (prvcut_clock_notes_full(n, task))
        return false;
    n->offered[task]++;
    n->cost[task] += cost;
    return true;
}

bool prvcut_clock_notes_full(const struct prvcut_clock_notes *n, uint32_t task)
{
    return task >= n->tasks || n->cost[task] >= n->cost_most || n->offered[task] >= OFFERS_MOST;
}

/* The item with this key, made at `noter`'s cost where there is none. */
static void *clocks_find_or_make(struct prvcut_clock_notes *n, struct prvcut_table *t,
                                 const void *key, uint32_t noter, struct prvcut_error *err)
{
    const size_t before = t->count;
    void *item = prvcut_table_make(t, key, err);

    if (t->count > before)
        n->cost[noter] += COST_CHANNEL;
    return item;
}

static enum prvcut_status clocks_keep_time(uint64_t **at, size_t *room, uint32_t *count,
                                           uint64_t time, struct prvcut_error *err)
{
    if (*count == *room && prvcut_grow((void **)at, room, *count + 1u, sizeof **at, err) < 0)
        return PRVCUT_ENOMEM;
    (*at)[(*count)++] = time;
    return PRVCUT_OK;
}

/*
 * The communicator is left out of the key: some tracers record it wrongly at one end, and whatever
 * channels are thrown together, the k-th message that was received cannot have come before the
 * k-th was sent.
 */
enum prvcut_status prvcut_clock_note_send(struct prvcut_clock_notes *n, uint32_t sender,
                                          uint32_t receiver, int64_t tag, uint64_t time,
                                          struct prvcut_error *err)
{
    const struct channel like = { .sender = sender, .receiver = receiver, .tag = tag };
    struct channel *c;

    if (sender == receiver || receiver >= n->tasks || !clocks_take_offer(n, sender, 0))
        return PRVCUT_OK;
    c = clocks_find_or_make(n, &n->channel, &like, sender, err);
    if (!c)
        return PRVCUT_ENOMEM;
    if (c->sends == n->channel_most)
        return PRVCUT_OK;
    n->cost[sender]++;
    return clocks_keep_time(&c->send, &c->send_room, &c->sends, time, err);
}

enum prvcut_status prvcut_clock_note_receive(struct prvcut_clock_notes *n, uint32_t receiver,
                                             uint32_t sender, int64_t tag, uint64_t time,
                                             struct prvcut_error *err)
{
    const struct channel like = { .sender = sender, .receiver = receiver, .tag = tag };
    struct channel *c;

    if (sender == receiver || sender >= n->tasks || !clocks_take_offer(n, receiver, 0))
        return PRVCUT_OK;
    c = clocks_find_or_make(n, &n->channel, &like, receiver, err);
    if (!c)
        return PRVCUT_ENOMEM;
    if (c->receives == n->channel_most)
        return PRVCUT_OK;
    n->cost[receiver]++;
    return clocks_keep_time(&c->receive, &c->receive_room, &c->receives, time, err);
}

enum prvcut_status prvcut_clock_note_collective(struct prvcut_clock_notes *n, uint32_t task,
                                                uint32_t communicator, uint32_t members,
                                                enum prvcut_clock_flow flow, uint32_t root,
                                                uint64_t begin, uint64_t end,
                                                struct prvcut_error *err)
{
    const struct row like = { .task = task, .communicator = communicator };
    struct row *r;

    if (members < 2 || !clocks_take_offer(n, task, 0))
        return PRVCUT_OK;
    r = clocks_find_or_make(n, &n->row, &like, task, err);
    if (!r)
        return PRVCUT_ENOMEM;
    if (r->parts == n->collectives_most)
        return PRVCUT_OK;
    if (r->parts == r->room &&
        prvcut_grow((void **)&r->part, &r->room, r->parts + 1u, sizeof *r->part, err) < 0)
        return PRVCUT_ENOMEM;
    n->cost[task] += sizeof *r->part / sizeof begin;
    r->part[r->parts++] = (struct part){ begin, end, root, members, flow };
    return PRVCUT_OK;
}

/* later - earlier, ns; as far as weights go. */
static int64_t clocks_difference(uint64_t later, uint64_t earlier)
{
    const uint64_t size = later > earlier ? later - earlier : earlier - later;
    const int64_t most = size > (uint64_t)PRVCUT_CLOCK_FAR ? PRVCUT_CLOCK_FAR : (int64_t)size;

    return later >= earlier ? most : -most;
}

/*
 * So many messages of a channel are compared. More receives than sends, though nothing was left
 * out: sends were not recorded, and then the k-th receive may belong to an earlier message than the
 * k-th that is known.
 */
static uint32_t clocks_matched(const struct prvcut_clock_notes *n, const struct channel *c)
{
    if (c->receives > c->sends && c->sends < n->channel_most &&
        !prvcut_clock_notes_full(n, c->sender))
        return 0;
    return c->sends < c->receives ? c->sends : c->receives;
}

/* The tightest message of a channel; false where it tells nothing. */
static bool clocks_channel_edge(const struct prvcut_clock_notes *n, const struct channel *c,
                                struct prvcut_clock_edge *e)
{
    const uint32_t matched = clocks_matched(n, c);

    if (matched == 0)
        return false;
    *e = (struct prvcut_clock_edge){ -PRVCUT_CLOCK_FAR, c->sender, c->receiver, true };
    for (uint32_t k = 0; k < matched; k++) {
        const int64_t weight = clocks_difference(c->send[k], c->receive[k]);

        if (weight > e->weight)
            e->weight = weight;
    }
    return true;
}

/* What is compared; kept between the tries. */
struct comparison {
    struct prvcut_clock_system system;
    uint64_t messages, collectives;
};

static int clocks_by_ends(const void *a, const void *b)
{
    const struct prvcut_clock_edge *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

/* One edge for each pair of processes: the tightest. */
static void clocks_merge_edges(struct prvcut_clock_system *s)
{
    size_t kept = 0;

    if (s->edges > 0)
        qsort(s->edge, s->edges, sizeof *s->edge, clocks_by_ends);
    for (size_t i = 0; i < s->edges; i++)
        if (kept == 0 || s->edge[i].from != s->edge[kept - 1].from ||
            s->edge[i].to != s->edge[kept - 1].to)
            s->edge[kept++] = s->edge[i];
    s->edges = kept;
}

static enum prvcut_status clocks_compare_messages(struct comparison *out,
                                                  const struct prvcut_clock_notes *n,
                                                  struct prvcut_error *err)
{
    struct prvcut_clock_edge e;

    for (size_t i = 0; i < n->channel.count; i++) {
        const struct channel *c = clocks_channel_at(n, i);

        if (!clocks_channel_edge(n, c, &e))
            continue;
        out->messages += c->sends < c->receives ? c->sends : c->receives;
        if (prvcut_clock_system_add(&out->system, &e, err) < 0)
            return err ? err->status : PRVCUT_ENOMEM;
    }
    clocks_merge_edges(&out->system);
    return PRVCUT_OK;
}

static int clocks_by_communicator(const void *a, const void *b)
{
    const struct row *const *x = a, *const *y = b;

    if ((*x)->communicator != (*y)->communicator)
        return (*x)->communicator < (*y)->communicator ? -1 : 1;
    return ((*x)->task > (*y)->task) - ((*x)->task < (*y)->task);
}

static bool clocks_same_kind(const struct part *a, const struct part *b)
{
    return a->flow == b->flow && a->root == b->root && a->members == b->members;
}

/* The k-th collective of these rows, all of the same kind and with at least that many parts. */
static enum prvcut_status clocks_collective_edges(struct prvcut_clock_system *s, struct row **row,
                                                  size_t rows, uint32_t k, struct prvcut_error *err)
{
    const struct part *first = &row[0]->part[k];
    const struct row *root = NULL;
    enum prvcut_status st = PRVCUT_OK;

    if (first->flow == PRVCUT_CLOCK_ALL) {
        const uint32_t instant = s->nodes++;
        const uint64_t base = first->begin;

        for (size_t i = 0; i < rows && st == PRVCUT_OK; i++) {
            const struct part *p = &row[i]->part[k];
            const struct prvcut_clock_edge in = { clocks_difference(p->begin, base), row[i]->task,
                                                  instant, false };
            const struct prvcut_clock_edge out = { clocks_difference(base, p->end), instant,
                                                   row[i]->task, true };

            st = prvcut_clock_system_add(s, &in, err);
            if (st == PRVCUT_OK)
                st = prvcut_clock_system_add(s, &out, err);
        }
        return st;
    }
    for (size_t i = 0; i < rows; i++)
        if (row[i]->task == first->root)
            root = row[i];
    for (size_t i = 0; root && i < rows && st == PRVCUT_OK; i++) {
        const bool down = first->flow == PRVCUT_CLOCK_FROM_ROOT;
        const struct row *from = down ? root : row[i], *to = down ? row[i] : root;
        const struct prvcut_clock_edge e = {
            clocks_difference(from->part[k].begin, to->part[k].end), from->task, to->task, true
        };

        if (row[i] != root)
            st = prvcut_clock_system_add(s, &e, err);
    }
    return st;
}

/* All collectives of one communicator, up to where its members disagree. */
static enum prvcut_status clocks_compare_communicator(struct comparison *out, struct row **row,
                                                      size_t rows, struct prvcut_error *err)
{
    uint32_t common = UINT32_MAX;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < rows; i++)
        common = row[i]->parts < common ? row[i]->parts : common;
    for (uint32_t k = 0; rows > 1 && k < common && st == PRVCUT_OK; k++) {
        for (size_t i = 1; i < rows; i++)
            if (!clocks_same_kind(&row[0]->part[k], &row[i]->part[k]))
                return PRVCUT_OK;
        out->collectives++;
        st = clocks_collective_edges(&out->system, row, rows, k, err);
    }
    return st;
}

static enum prvcut_status clocks_compare_collectives(struct comparison *out,
                                                     const struct prvcut_clock_notes *n,
                                                     struct prvcut_error *err)
{
    const size_t rows = n->row.count;
    struct row **row = prvcut_zeroed(rows, sizeof *row, n->row.what, err);
    enum prvcut_status st = PRVCUT_OK;

    if (!row)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < rows; i++)
        row[i] = clocks_row_at(n, i);
    if (rows > 0)
        qsort(row, rows, sizeof(struct row *), clocks_by_communicator);
    for (size_t i = 0, k; i < rows && st == PRVCUT_OK; i = k) {
        for (k = i; k < rows && row[k]->communicator == row[i]->communicator;)
            k++;
        st = clocks_compare_communicator(out, row + i, k - i, err);
    }
    free(row);
    return st;
}

/* By how much the times as they are contradict, ns. */
static uint64_t clocks_contradiction_of(const struct prvcut_clock_system *s, int64_t *instant)
{
    int64_t worst = 0;

    /* The instant of a collective is its last begin: the earliest that it can have been. */
    for (uint32_t i = s->tasks; i < s->nodes; i++)
        instant[i - s->tasks] = -PRVCUT_CLOCK_FAR;
    for (size_t i = 0; i < s->edges; i++)
        if (s->edge[i].to >= s->tasks && s->edge[i].weight > instant[s->edge[i].to - s->tasks])
            instant[s->edge[i].to - s->tasks] = s->edge[i].weight;
    for (size_t i = 0; i < s->edges; i++) {
        const struct prvcut_clock_edge *e = &s->edge[i];
        const int64_t from = e->from >= s->tasks ? instant[e->from - s->tasks] : 0;

        if (e->to < s->tasks && from + e->weight > worst)
            worst = from + e->weight;
    }
    return (uint64_t)worst;
}

static enum prvcut_status clocks_measure(const struct prvcut_clock_system *s,
                                         uint64_t *contradiction, struct prvcut_error *err)
{
    int64_t *instant =
        prvcut_zeroed((size_t)(s->nodes - s->tasks) + 1, sizeof *instant, "collectives", err);

    if (!instant)
        return PRVCUT_ENOMEM;
    *contradiction = clocks_contradiction_of(s, instant);
    free(instant);
    return PRVCUT_OK;
}

enum { MESSAGES = 1, COLLECTIVES = 2 };

/*
 * Compare by these kinds of records; c->residual is then by how much the times as they are
 * contradict. Solved only where they do, or if `always`.
 */
static enum prvcut_status clocks_attempt(const struct prvcut_clock_notes *n, unsigned kinds,
                                         bool always, struct prvcut_clock_solution *solution,
                                         struct prvcut_clocks *c, struct prvcut_error *err)
{
    struct comparison all = { .system = { .tasks = n->tasks, .nodes = n->tasks } };
    enum prvcut_status st = PRVCUT_OK;

    memset(solution, 0, sizeof *solution);
    if (kinds & MESSAGES)
        st = clocks_compare_messages(&all, n, err);
    if (kinds & COLLECTIVES && st == PRVCUT_OK)
        st = clocks_compare_collectives(&all, n, err);
    if (st == PRVCUT_OK)
        st = clocks_measure(&all.system, &c->residual, err);
    if (st == PRVCUT_OK && (c->residual > 0 || always))
        st = prvcut_clock_system_solve(solution, &all.system, err);
    c->messages = all.messages;
    c->collectives = all.collectives;
    c->source = all.messages > 0 && all.collectives > 0 ? PRVCUT_CLOCK_SOURCE_BOTH
                : all.messages > 0                      ? PRVCUT_CLOCK_SOURCE_MESSAGES
                : all.collectives > 0                   ? PRVCUT_CLOCK_SOURCE_COLLECTIVES
                                                        : PRVCUT_CLOCK_SOURCE_NONE;
    prvcut_clock_system_fini(&all.system);
    return st;
}

static void clocks_take_solution(struct prvcut_clocks *c, struct prvcut_clock_solution *s)
{
    c->skewed = true;
    c->offset = s->offset;
    s->offset = NULL;
    c->unknown = s->unknown;
    c->doubt = s->doubt;
    c->residual = s->residual;
    for (uint32_t i = 0; i < c->tasks; i++)
        c->most = c->offset[i] > c->most ? c->offset[i] : c->most;
}

/*
 * Records that contradict whatever is done are sometimes of one kind only, such as collectives that
 * a tracer books on the wrong communicator; then the other kind is believed if it ties as much.
 */
static enum prvcut_status clocks_try_fewer(struct prvcut_clocks *best,
                                           struct prvcut_clock_solution *with,
                                           const struct prvcut_clock_notes *n,
                                           struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned kinds = MESSAGES; kinds <= COLLECTIVES && st == PRVCUT_OK; kinds++) {
        struct prvcut_clocks c = { .tasks = n->tasks };
        struct prvcut_clock_solution s;

        st = clocks_attempt(n, kinds, true, &s, &c, err);
        if (st == PRVCUT_OK && s.offset && s.unknown <= with->unknown &&
            s.residual < with->residual / 2) {
            prvcut_clock_solution_fini(with);
            *with = s;
            *best = c;
        } else {
            prvcut_clock_solution_fini(&s);
        }
    }
    return st;
}

/* By how much messages come before they are sent, all together, with these offsets, ns; NULL: as
   recorded. */
static double clocks_backwards(const struct prvcut_clock_notes *n, const int64_t *offset)
{
    double sum = 0;

    for (size_t i = 0; i < n->channel.count; i++) {
        const struct channel *c = clocks_channel_at(n, i);
        const int64_t apart = offset ? offset[c->sender] - offset[c->receiver] : 0;
        const uint32_t matched = clocks_matched(n, c);

        for (uint32_t k = 0; k < matched; k++) {
            const int64_t by = clocks_difference(c->send[k], c->receive[k]) + apart;

            sum += by > 0 ? (double)by : 0;
        }
    }
    return sum;
}

/*
 * Offsets that leave most of the contradiction, or make messages go back in time by more in all,
 * explain nothing: the records are at odds.
 */
static bool clocks_explain(const struct prvcut_clocks *c, const struct prvcut_clock_solution *s,
                           const struct prvcut_clock_notes *n)
{
    return s->offset && c->residual > 0 && s->residual <= c->residual / 2 &&
           (s->residual == 0 || clocks_backwards(n, s->offset) <= clocks_backwards(n, NULL));
}

enum prvcut_status prvcut_clocks_solve(struct prvcut_clocks *out, struct prvcut_clock_notes *n,
                                       struct prvcut_error *err)
{
    struct prvcut_clock_solution s;
    enum prvcut_status st;

    *out = (struct prvcut_clocks){ .tasks = n->tasks };
    st = clocks_attempt(n, MESSAGES | COLLECTIVES, false, &s, out, err);
    if (st == PRVCUT_OK && s.offset && s.residual > 0)
        st = clocks_try_fewer(out, &s, n, err);
    if (st == PRVCUT_OK && clocks_explain(out, &s, n))
        clocks_take_solution(out, &s);
    prvcut_clock_solution_fini(&s);
    if (st < 0)
        prvcut_clocks_fini(out);
    return st;
}
