#ifndef PRVCUT_ANALYSIS_EFFICIENCY_REPLAY_STATE_H
#define PRVCUT_ANALYSIS_EFFICIENCY_REPLAY_STATE_H

#include "analysis/efficiency/replay.h"

#define RPL_NEVER PRVCUT_REPLAY_NEVER

/** Calls of a lane that are remembered for records that come late: in few lanes, in many. */
#define RPL_RECENT      256u
#define RPL_RECENT_MANY 64u
#define RPL_MANY        1024u

/** Messages, at most, that wait for a lane to receive them, or to post a receive. */
#define RPL_EARLY 65536u

/** A call of a lane, which is known by its number there. */
struct rpl_ref {
    uint64_t number;
    uint32_t lane;
};

/** Somebody waits for a call to be entered. */
struct rpl_edge {
    uint64_t begin;         /**< ns, of that call */
    uint64_t enter;         /**< ideal; NEVER: it is not known yet */
    uint64_t at;            /**< ns, when it is received, or posted; as long as that is to come */
    struct rpl_ref waits;   /**< who does; lane PRVCUT_NOBODY: it is not known yet */
    uint32_t from;          /**< lane of that call */
    struct rpl_edge *next;  /**< of the same call, or free */
    struct rpl_edge *below; /**< of the same receiver: those that come after it (a pairing heap) */
    struct rpl_edge *more;  /**< beside it, below the same one */
};

/** A member's part in a collective. */
struct rpl_member {
    uint64_t begin, enter; /**< ns; ideal, NEVER: not known yet */
    struct rpl_ref call;
    bool root;
};

/** A collective operation. */
struct rpl_group {
    struct rpl_group *next;    /**< free */
    struct rpl_member *member; /**< [count], room for all */
    uint32_t count, room, expected;
    uint32_t absent;     /**< that will not come any more */
    uint32_t entered;    /**< whose ideal times are known */
    uint32_t staying;    /**< that have not left */
    int64_t value;       /**< what they called */
    uint64_t left;       /**< ns, earliest recorded end */
    uint64_t enter;      /**< ideal, the latest one that is known */
    uint32_t latest;     /**< lane of that one */
    uint64_t last_begin; /**< ns */
    bool listed;         /**< somebody may still come */
};

struct rpl_call {
    uint64_t begin, end;          /**< ns; NEVER: it has not ended */
    uint64_t enter;               /**< ideal; NEVER: not known yet */
    uint64_t ready, ready_before; /**< ideal, latest of those that it waits for; of those that
                                       began before it ended */
    struct rpl_edge *told;        /**< who waits for it */
    struct rpl_group *group;
    int64_t value;    /**< as it was told */
    uint32_t latest;  /**< lane of the one of `ready` */
    uint32_t member;  /**< its place there */
    uint32_t missing; /**< calls that it waits for that are not entered yet */
    uint32_t posts;   /**< receives that it waits for whose calls are to come */
    uint32_t kind : 16;
    uint32_t cut : 1;
    uint32_t root : 1;
    uint32_t resolved : 1; /**< causal: whom it waits for of its group is known */
    uint32_t heaped : 1;   /**< it stands among those that may be released */
};

struct rpl_lane {
    struct rpl_call *call; /**< [room], a power of two: number n at n & (room - 1) */
    uint64_t room;
    uint64_t base; /**< numbers: remembered from here, */
    uint64_t head; /**< wait from here, */
    uint64_t next; /**< end before here */
    uint64_t ideal, recorded;
    uint64_t last;          /**< ns, recorded: the latest call's end, the lane's start before it */
    struct rpl_edge *early; /**< messages whose receiving call has not ended, the earliest first */
    struct rpl_edge *posting; /**< senders whose receive is to come, the earliest first */
    uint32_t earlies, postings;
    uint32_t rank;
    bool open;   /**< the last one has not ended */
    bool queued; /**< to be looked at */
    bool before; /**< the open one began before what is looked at */
};

/** A communicator's operations under way. */
struct rpl_comm {
    const uint32_t *rank; /**< [ranks] */
    uint32_t ranks;
    uint64_t *passed;         /**< [ranks]: operations before this number are none of its */
    struct rpl_group **group; /**< [room], a ring: numbers from first to next */
    uint64_t room, first, next;
};

/** Calls in order: first .. first + count. */
struct rpl_fifo {
    struct rpl_ref *at; /**< a ring */
    size_t room, first, count;
};

struct rpl_waiting {
    uint64_t end;
    struct rpl_ref call;
};

struct prvcut_replay {
    struct prvcut_replay_options options;
    struct prvcut_replay_counts counts;
    struct rpl_lane *lane; /**< [lanes] */
    struct rpl_comm *comm; /**< [groups] */
    struct rpl_edge *free_edge;
    struct rpl_group *free_group;
    size_t groups;   /**< that were ever made */
    uint64_t listed; /**< members of those that somebody may still come to */
    void **block;    /**< [blocks] of edges */
    size_t blocks, blocks_room;
    size_t member_room;    /**< of all collectives */
    struct rpl_fifo sends; /**< that can send and may not have ended, by their begin */
    struct rpl_fifo ended; /**< not known to be settled, by their end */
    uint32_t *todo;        /**< [lanes] */
    uint32_t todos;
    uint64_t now, horizon; /**< ns */
    uint64_t waiting;      /**< calls in all queues */
    uint64_t cap;
    uint64_t recent;
    struct rpl_waiting *heap; /**< [heaped]: heads that wait, the earliest end first */
    size_t heaped, heap_room;
    bool releasing; /**< the heap is kept */
    bool inside;    /**< what is looked at has begun */
};

static inline struct rpl_call *rpl_at(const struct rpl_lane *l, uint64_t number)
{
    return &l->call[number & (l->room - 1)];
}

/** A call that has not been replayed; NULL: it has. */
static inline struct rpl_call *rpl_pending(const struct prvcut_replay *r, struct rpl_ref ref)
{
    const struct rpl_lane *l = &r->lane[ref.lane];

    return ref.number >= l->head ? rpl_at(l, ref.number) : NULL;
}

static inline uint64_t rpl_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/** A lane may go on. */
static inline void rpl_wake(struct prvcut_replay *r, uint32_t lane)
{
    if (r->lane[lane].queued)
        return;
    r->lane[lane].queued = true;
    r->todo[r->todos++] = lane;
}

/* Messages (replay_edges.c). */

enum prvcut_status rpl_edge_new(struct prvcut_replay *r, struct rpl_edge **out,
                                struct prvcut_error *err);
void rpl_edge_drop(struct prvcut_replay *r, struct rpl_edge *e);
/** An edge from a call, whose ideal time it has or will have. */
enum prvcut_status rpl_edge_from(struct prvcut_replay *r, struct rpl_ref ref, struct rpl_edge **out,
                                 struct prvcut_error *err);
/** Who waits is known. */
void rpl_edge_meet(struct prvcut_replay *r, struct rpl_edge *e, struct rpl_ref waits);
/** A call waits for another one. */
enum prvcut_status rpl_wait(struct prvcut_replay *r, struct rpl_ref waits, struct rpl_ref for_call,
                            struct prvcut_error *err);
/** The call is entered: tell all who wait for it. */
void rpl_tell(struct prvcut_replay *r, struct rpl_call *c);
/** Bytes that they take. */
size_t rpl_messages_memory(const struct prvcut_replay *r);

/* Messages (replay_messages.c). */

/** A lane's call begins, or ends: what of its messages belongs there. */
enum prvcut_status rpl_begun(struct prvcut_replay *r, struct rpl_ref call,
                             struct prvcut_error *err);
void rpl_ended(struct prvcut_replay *r, struct rpl_ref call);

/* Collectives (replay_groups.c). */

/** Find the operation that a call belongs to. */
enum prvcut_status rpl_join(struct prvcut_replay *r, struct rpl_ref ref,
                            const struct prvcut_replay_call *from, struct prvcut_error *err);
/** A member is entered, at the call's ideal time. */
void rpl_group_entered(struct prvcut_replay *r, struct rpl_call *c);
/** It has left, replayed or not. */
void rpl_group_leave(struct prvcut_replay *r, struct rpl_call *c);
/** When somebody is ready, on the ideal network, and who. */
struct rpl_ready {
    uint64_t time;
    uint32_t lane; /**< PRVCUT_NOBODY: not known */
};

/** Is all known that a settled call waits for? Then *ready has it. */
enum prvcut_status rpl_group_ready(struct prvcut_replay *r, struct rpl_ref ref, bool *known,
                                   struct rpl_ready *ready, struct prvcut_error *err);
/** What is known of members that began before a time. */
uint64_t rpl_group_before(struct prvcut_replay *r, const struct rpl_group *g, uint64_t end);
void rpl_groups_fini(struct prvcut_replay *r);
/** Bytes that they take. */
size_t rpl_groups_memory(const struct prvcut_replay *r);

/* Those that wait for ever (replay_heap.c, replay_release.c). */

/** The head of a lane waits, and has ended. */
enum prvcut_status rpl_heap(struct prvcut_replay *r, uint32_t lane, struct prvcut_error *err);
/** The earliest one is none of them any more. */
void rpl_heap_drop_first(struct prvcut_replay *r);
/** Let the earliest one go; false: there is none. */
enum prvcut_status rpl_release(struct prvcut_replay *r, bool *any, struct prvcut_error *err);

/* Lanes (replay_advance.c). */

/** Go on in all lanes that were woken. */
enum prvcut_status rpl_advance(struct prvcut_replay *r, struct prvcut_error *err);
/** The head of a lane is left, at an ideal time. */
void rpl_leave_head(struct prvcut_replay *r, uint32_t lane, struct rpl_ready ready);

#endif
