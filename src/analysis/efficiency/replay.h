#ifndef PRVCUT_ANALYSIS_EFFICIENCY_REPLAY_H
#define PRVCUT_ANALYSIS_EFFICIENCY_REPLAY_H

#include "base/error.h"
#include "model/batch.h"

/**
 * A run again, on a network that takes no time: computing keeps its recorded length, a message is
 * there when it is sent, a collective is over when the last member that is needed has come. In one
 * pass over what was recorded, in its order; memory is what is under way.
 *
 * A lane is what has a clock: a task, or a thread where those of a task call at once. Each has two
 * times: the ideal one, and the recorded one up to which it has been replayed. A call is entered as
 * long after the call before it was left as it was recorded, and is left when all have entered
 * theirs that it waits for.
 *
 * The record of a message may stand behind the end of the call that receives it, but not behind the
 * end of the call that sends it. So a call waits in its lane's queue until all calls that can send
 * and began before it ended have ended themselves: what is before this horizon is settled.
 *
 * source  Casas 4.2 (microscopic load balance: the run on an ideal network); Dimemas 5.5
 */

/** What a call does, as bits. */
enum prvcut_replay_kind {
    PRVCUT_REPLAY_SENDS = 1,       /**< a message may begin in it */
    PRVCUT_REPLAY_RENDEZVOUS = 2,  /**< of a large message it waits for the receive */
    PRVCUT_REPLAY_SYNCHRONOUS = 4, /**< of any message */
    PRVCUT_REPLAY_POSTS = 8,       /**< it posts a receive */
    PRVCUT_REPLAY_COLLECTIVE = 16,
    PRVCUT_REPLAY_ALL = 32,    /**< nobody leaves it before all have come */
    PRVCUT_REPLAY_REDUCE = 64, /**< only its root waits */
    PRVCUT_REPLAY_FROM_ROOT = 128,
    PRVCUT_REPLAY_TO_ROOT = 256,
    PRVCUT_REPLAY_INIT = 512,    /**< all tasks meet in it */
    PRVCUT_REPLAY_STARTS = 1024, /**< a collective that goes on behind it */
};

/** What a value of an event type of MPI calls does; name: its label, or NULL. */
uint32_t prvcut_replay_kind_of(uint32_t type, int64_t value, const char *name);

enum prvcut_replay_model {
    PRVCUT_REPLAY_DIMEMAS, /**< who waits for whom is a matter of kinds and sizes */
    PRVCUT_REPLAY_CAUSAL,  /**< and it must have been so in the recorded run */
};

/** Whose collectives are matched with each other. */
struct prvcut_replay_group {
    const uint32_t *rank; /**< [ranks], ascending */
    uint32_t ranks;
};

#define PRVCUT_REPLAY_EAGER 32768
#define PRVCUT_REPLAY_CAP   4096
#define PRVCUT_REPLAY_NEVER UINT64_MAX

/** A call that has been replayed. */
struct prvcut_replay_left {
    struct prvcut_span recorded, ideal; /**< ns */
    int64_t value;                      /**< as it was told */
    uint32_t lane;
    uint32_t waited; /**< the lane that it waited for longest; PRVCUT_NOBODY: it did not wait */
};

/** Filled in by who starts a replay; what it points to is borrowed. */
struct prvcut_replay_options {
    uint32_t lanes;
    const uint32_t *rank; /**< [lanes]; NULL: each lane is the rank of its number */
    const struct prvcut_replay_group *group; /**< [groups] */
    uint32_t groups;
    enum prvcut_replay_model model;
    uint64_t eager; /**< bytes; a message of at least as many waits for its receive */
    size_t cap;     /**< calls a lane that wait, in the mean; 0: as many as memory holds */
    uint64_t from;  /**< ns; what ends before it is only matched */
    /** A call has been replayed, in each lane in order; NULL: not wanted. */
    void (*left)(void *ctx, const struct prvcut_replay_left *l);
    void *ctx;
};

/** What was left out, or had to be. */
struct prvcut_replay_counts {
    uint64_t released;  /**< calls that had waited for ever, or for too long */
    uint64_t acausal;   /**< messages that were received before they were sent: left out */
    uint64_t callless;  /**< messages without a call around their sending: left out */
    uint64_t late;      /**< messages of which the receiving call had been replayed: left out */
    uint64_t crowded;   /**< messages of a lane that never receives: left out */
    uint64_t unended;   /**< calls without an end */
    uint64_t started;   /**< collectives that go on behind their calls: nobody waits for them */
    uint64_t groupless; /**< calls of collectives whose communicator is not known */
    uint64_t peak;      /**< most calls that waited at a time */
    uint64_t peak_lane; /**< of one lane */
    uint64_t steps;     /**< what it cost: calls, messages and members looked at */
};

struct prvcut_replay;

/** owns: *out is the caller's, released with prvcut_replay_free; NULL after a failure. */
enum prvcut_status prvcut_replay_new(struct prvcut_replay **out,
                                     const struct prvcut_replay_options *options,
                                     struct prvcut_error *err);
void prvcut_replay_free(struct prvcut_replay *r);

/** A lane starts at a recorded time, its ideal 0; before its first call. */
void prvcut_replay_start(struct prvcut_replay *r, uint32_t lane, uint64_t time);

/* What happens, in the order of time; earlier times are taken as they come. */

/** It is that late: all that was recorded before has been told. */
enum prvcut_status prvcut_replay_time(struct prvcut_replay *r, uint64_t time,
                                      struct prvcut_error *err);

/** A call begins. */
struct prvcut_replay_call {
    uint64_t begin; /**< ns */
    uint32_t lane;
    uint32_t kind;  /**< bits */
    int64_t value;  /**< collectives of the same are matched with each other */
    uint32_t group; /**< of collectives; PRVCUT_NOBODY: not known */
    bool root;
};

/** errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_replay_enter(struct prvcut_replay *r, const struct prvcut_replay_call *c,
                                       struct prvcut_error *err);

/** A lane's call ends; cut: it goes on, but behind what is looked at: it waits for nobody. */
enum prvcut_status prvcut_replay_leave(struct prvcut_replay *r, uint32_t lane, uint64_t end,
                                       bool cut, struct prvcut_error *err);

/** Is the lane in a call? */
bool prvcut_replay_inside(const struct prvcut_replay *r, uint32_t lane);

/**
 * A message, at its transfer or before; of a record as late as now, all calls that begin or end at
 * that time have been told.
 *
 * shape   sender and receiver are lanes; keep: where it was received before it was sent, that is
 *         the clocks' fault
 */
enum prvcut_status prvcut_replay_message(struct prvcut_replay *r, const struct prvcut_message *m,
                                         bool keep, struct prvcut_error *err);

/** All has been told, and no lane is in a call. */
enum prvcut_status prvcut_replay_finish(struct prvcut_replay *r, struct prvcut_error *err);

/** A lane's two times, once all is finished; what is recorded behind them passes as it was. */
uint64_t prvcut_replay_ideal(const struct prvcut_replay *r, uint32_t lane);
uint64_t prvcut_replay_recorded(const struct prvcut_replay *r, uint32_t lane);

const struct prvcut_replay_counts *prvcut_replay_counts(const struct prvcut_replay *r);

/** Bytes that it holds now. */
size_t prvcut_replay_memory(const struct prvcut_replay *r);

#endif
