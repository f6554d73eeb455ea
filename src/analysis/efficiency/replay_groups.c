#include "analysis/efficiency/replay_state.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

/*
 * Operations that somebody may still come to: so many of each communicator, and more as long as
 * those of all communicators have no more members than that (10 MiB). A rank that only reduces may
 * be thousands of operations ahead of their root.
 */
#define RGR_LISTED       64u
#define RGR_LISTED_PARTS 262144u

static struct rpl_group **rgr_at(const struct rpl_comm *c, uint64_t number)
{
    return &c->group[number & (c->room - 1)];
}

/* --- Their life ------------------------------------------------------------------------------- */

static enum prvcut_status rgr_new(struct prvcut_replay *r, const struct rpl_comm *c,
                                  struct rpl_group **out, struct prvcut_error *err)
{
    struct rpl_group *g = r->free_group;
    struct rpl_member *member;

    if (g)
        r->free_group = g->next;
    else if ((g = prvcut_zeroed(1, sizeof *g, "collectives under way", err)))
        r->groups++;
    if (!g)
        return PRVCUT_ENOMEM;
    if (g->room < c->ranks) {
        member = prvcut_unset(c->ranks, sizeof *member, "collectives under way", err);
        free(g->member);
        r->member_room += (member ? c->ranks : 0) - (size_t)g->room;
        g->member = member;
        g->room = member ? c->ranks : 0;
    }
    *g = (struct rpl_group){ .member = g->member,
                             .room = g->room,
                             .expected = c->ranks,
                             .left = RPL_NEVER,
                             .listed = true };
    *out = g;
    if (g->member)
        return PRVCUT_OK;
    g->next = r->free_group;
    r->free_group = g;
    return PRVCUT_ENOMEM;
}

static void rgr_drop(struct prvcut_replay *r, struct rpl_group *g)
{
    g->next = r->free_group;
    r->free_group = g;
}

static void rgr_unlist(struct prvcut_replay *r, struct rpl_comm *c)
{
    struct rpl_group *g = *rgr_at(c, c->first++);

    g->listed = false;
    r->listed -= c->ranks;
    if (g->staying == 0)
        rgr_drop(r, g);
}

void rpl_groups_fini(struct prvcut_replay *r)
{
    struct rpl_group *g, *next;

    for (uint32_t i = 0; r->comm && i < r->options.groups; i++) {
        struct rpl_comm *c = &r->comm[i];

        while (c->first < c->next) {
            (*rgr_at(c, c->first))->staying = 0;
            rgr_unlist(r, c);
        }
        free(c->group);
        free(c->passed);
    }
    /* Those that are not listed, but whose members have not left, hang on their calls. */
    for (uint32_t i = 0; r->lane && i < r->options.lanes; i++)
        for (uint64_t n = r->lane[i].head; n < r->lane[i].next; n++) {
            g = rpl_at(&r->lane[i], n)->group;
            if (g && !g->listed && g->staying > 0 && --g->staying == 0)
                rgr_drop(r, g);
        }
    for (g = r->free_group; g; g = next) {
        next = g->next;
        free(g->member);
        free(g);
    }
}

size_t rpl_groups_memory(const struct prvcut_replay *r)
{
    size_t n = r->groups * sizeof(struct rpl_group) + r->member_room * sizeof(struct rpl_member);

    for (uint32_t i = 0; i < r->options.groups; i++) {
        const struct rpl_comm *c = &r->comm[i];

        n += sizeof *c + (size_t)c->room * sizeof(struct rpl_group *) +
             (c->passed ? c->ranks * sizeof *c->passed : 0);
    }
    return n;
}

/* --- Matching --------------------------------------------------------------------------------- */

static bool rgr_full(const struct rpl_group *g)
{
    return g->count + g->absent >= g->expected;
}

static bool rgr_complete(const struct rpl_group *g)
{
    return rgr_full(g) && g->entered == g->count;
}

static void rgr_wake(struct prvcut_replay *r, const struct rpl_group *g)
{
    if (!rgr_complete(g))
        return;
    for (uint32_t i = 0; i < g->count; i++)
        rpl_wake(r, g->member[i].call.lane);
    r->counts.steps += g->count;
}

/* The oldest of that kind that the rank has not joined; one that nobody leaves before all have
   come, but that somebody has left, lacks a member, which is another one. */
static uint64_t rgr_find(struct prvcut_replay *r, const struct rpl_comm *c, uint32_t rank,
                         const struct rpl_call *call, int64_t value)
{
    uint64_t n = c->passed[rank] > c->first ? c->passed[rank] : c->first;

    for (; n < c->next; n++, r->counts.steps++) {
        const struct rpl_group *g = *rgr_at(c, n);

        if (g->value == value && !(call->kind & PRVCUT_REPLAY_ALL && g->left < call->begin))
            break;
    }
    return n;
}

static enum prvcut_status rgr_list(struct prvcut_replay *r, struct rpl_comm *c, struct rpl_group *g,
                                   struct prvcut_error *err)
{
    const uint64_t room = c->room > 0 ? 2 * c->room : 8;
    struct rpl_group **group;

    /* A member that has not come for so long will not come. */
    if (c->next - c->first >= RGR_LISTED && r->listed >= RGR_LISTED_PARTS &&
        (*rgr_at(c, c->first))->staying == 0)
        rgr_unlist(r, c);
    if (c->next - c->first == c->room) {
        group = prvcut_unset((size_t)room, sizeof *group, "collectives under way", err);
        if (!group)
            return PRVCUT_ENOMEM;
        for (uint64_t n = c->first; n < c->next; n++)
            group[n & (room - 1)] = *rgr_at(c, n);
        free(c->group);
        c->group = group;
        c->room = room;
    }
    *rgr_at(c, c->next++) = g;
    r->listed += c->ranks;
    return PRVCUT_OK;
}

/* The rank has come to operation n: it will not come to those before any more. */
static void rgr_pass(struct prvcut_replay *r, struct rpl_comm *c, uint32_t rank, uint64_t number)
{
    const uint64_t from = c->passed[rank] > c->first ? c->passed[rank] : c->first;

    for (uint64_t n = from; n < number; n++) {
        struct rpl_group *g = *rgr_at(c, n);

        g->absent++;
        r->counts.steps++;
        rgr_wake(r, g);
    }
    c->passed[rank] = number + 1;
}

static void rgr_put(struct rpl_group *g, struct rpl_ref ref, struct rpl_call *call)
{
    g->member[g->count] = (struct rpl_member){
        .begin = call->begin, .enter = RPL_NEVER, .call = ref, .root = call->root
    };
    g->last_begin = rpl_later(g->last_begin, call->begin);
    call->group = g;
    call->member = g->count++;
    g->staying++;
}

enum prvcut_status rpl_join(struct prvcut_replay *r, struct rpl_ref ref,
                            const struct prvcut_replay_call *from, struct prvcut_error *err)
{
    struct rpl_comm *c = &r->comm[from->group];
    struct rpl_call *call = rpl_at(&r->lane[ref.lane], ref.number);
    const uint32_t rank =
        (uint32_t)prvcut_index_u32(c->rank, c->ranks, sizeof *c->rank, 0, r->lane[ref.lane].rank);
    struct rpl_group *g;
    enum prvcut_status st = PRVCUT_OK;
    uint64_t n;

    if (rank == c->ranks) {
        r->counts.groupless++;
        return PRVCUT_OK;
    }
    if (!c->passed)
        c->passed = prvcut_zeroed(c->ranks, sizeof *c->passed, "communicators", err);
    if (!c->passed)
        return PRVCUT_ENOMEM;
    n = rgr_find(r, c, rank, call, from->value);
    if (n == c->next) {
        st = rgr_new(r, c, &g, err);
        if (st < 0)
            return st;
        g->value = from->value;
        st = rgr_list(r, c, g, err);
        n = c->next - 1;
        if (st < 0)
            rgr_drop(r, g);
    }
    if (st < 0)
        return st;
    rgr_put(*rgr_at(c, n), ref, call);
    rgr_pass(r, c, rank, n);
    while (c->first < c->next && rgr_full(*rgr_at(c, c->first)))
        rgr_unlist(r, c);
    return PRVCUT_OK;
}

/* --- Waiting ---------------------------------------------------------------------------------- */

void rpl_group_entered(struct prvcut_replay *r, struct rpl_call *c)
{
    struct rpl_group *g = c->group;

    if (!g)
        return;
    g->member[c->member].enter = c->enter;
    if (c->enter >= g->enter) {
        g->enter = c->enter;
        g->latest = g->member[c->member].call.lane;
    }
    g->entered++;
    rgr_wake(r, g);
}

void rpl_group_leave(struct prvcut_replay *r, struct rpl_call *c)
{
    struct rpl_group *g = c->group;

    c->group = NULL;
    if (g && --g->staying == 0 && !g->listed)
        rgr_drop(r, g);
}

uint64_t rpl_group_before(struct prvcut_replay *r, const struct rpl_group *g, uint64_t end)
{
    uint64_t latest = 0;

    if (g->last_begin <= end)
        return g->enter;
    r->counts.steps += g->count;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->member[i].enter != RPL_NEVER && g->member[i].begin <= end)
            latest = rpl_later(latest, g->member[i].enter);
    return latest;
}

/* Members whom a call waits for that began before it ended: all of them are known by now. */
static enum prvcut_status rgr_resolve(struct prvcut_replay *r, struct rpl_ref ref,
                                      struct prvcut_error *err)
{
    struct rpl_call *c = rpl_at(&r->lane[ref.lane], ref.number);
    const struct rpl_group *g = c->group;
    enum prvcut_status st = PRVCUT_OK;

    c->resolved = true;
    r->counts.steps += g->count;
    if (c->kind & PRVCUT_REPLAY_TO_ROOT && !c->root)
        return PRVCUT_OK;
    for (uint32_t i = 0; i < g->count && st == PRVCUT_OK; i++) {
        const struct rpl_member *m = &g->member[i];

        if (i == c->member || m->begin > c->end || (c->kind & PRVCUT_REPLAY_FROM_ROOT && !m->root))
            continue;
        if (m->enter == RPL_NEVER)
            st = rpl_wait(r, ref, m->call, err);
        else if (m->enter > c->ready) {
            c->ready = m->enter;
            c->latest = m->call.lane;
        }
    }
    return st;
}

enum prvcut_status rpl_group_ready(struct prvcut_replay *r, struct rpl_ref ref, bool *known,
                                   struct rpl_ready *ready, struct prvcut_error *err)
{
    struct rpl_call *c = rpl_at(&r->lane[ref.lane], ref.number);
    const struct rpl_group *g = c->group;
    enum prvcut_status st = PRVCUT_OK;

    *ready = (struct rpl_ready){ 0, PRVCUT_NOBODY };
    if (r->options.model == PRVCUT_REPLAY_CAUSAL) {
        if (!c->resolved)
            st = rgr_resolve(r, ref, err);
        *known = c->missing == 0;
        return st;
    }
    *known = true;
    if (c->kind & PRVCUT_REPLAY_REDUCE && !c->root)
        return PRVCUT_OK;
    *known = rgr_complete(g);
    *ready = (struct rpl_ready){ g->enter, g->latest };
    return PRVCUT_OK;
}
