#ifndef GEN_RUN_H
#define GEN_RUN_H

#include "gen_lines.h"
#include "gen_options.h"
#include "gen_truth.h"

/** States and event types as Extrae numbers them. */
enum {
    STATE_RUNNING = 1,
    STATE_NOT_CREATED = 2,
    STATE_WAIT_MESSAGE = 3,
    STATE_SEND = 4,
    STATE_BARRIER = 5,
    STATE_FORK = 7,
    STATE_WAIT = 8,
    STATE_ISEND = 10,
    STATE_IRECV = 11,
    STATE_IO = 12,
    STATE_COLLECTIVE = 13,
    STATE_OTHER = 15,
    STATE_SENDRECV = 16,

    TYPE_APPLICATION = 40000001,
    TYPE_FLUSH = 40000003,
    TYPE_MODE = 40000018,
    TYPE_CPU = 40000033,
    TYPE_PID = 40000036,
    TYPE_CLOCK = 40000050,
    TYPE_COUNTER_SET = 41999999,
    TYPE_INSTRUCTIONS = 42000050,
    TYPE_CYCLES = 42000059,
    TYPE_P2P = 50000001,
    TYPE_COLLECTIVE = 50000002,
    TYPE_OTHER = 50000003,
    TYPE_SEND_SIZE = 50100001,
    TYPE_BURST_TIME = 54000015,
    TYPE_PARALLEL = 60000001,
    TYPE_OMP_BARRIER = 60000005,
    TYPE_OMP_FUNCTION = 60000018,
    TYPE_CALLER = 70000001,
    TYPE_CALLER_LINE = 80000001,

    CALL_SEND = 1,
    CALL_RECV = 2,
    CALL_ISEND = 3,
    CALL_IRECV = 4,
    CALL_WAITALL = 6,
    CALL_BCAST = 7,
    CALL_BARRIER = 8,
    CALL_REDUCE = 9,
    CALL_ALLREDUCE = 10,
    CALL_COMM_RANK = 19,
    CALL_COMM_SIZE = 20,
    CALL_INIT = 31,
    CALL_FINALIZE = 32,
    CALL_SENDRECV = 41
};

#define GEN_SITES  64 /* source lines with calls; one function for four of them */
#define GEN_CREDIT 4  /* messages that a sweep's sender may be ahead of its receiver */
#define GEN_SIDES  4  /* neighbours of a task in the exchange */

struct gen_task {
    uint64_t now;
    uint64_t open; /**< begin of the running state that is not yet written */
    uint64_t call; /**< begin of the call in progress */
    uint64_t records;
    uint64_t slow_until;        /**< preempted until then */
    uint64_t cycles;            /**< not yet given out */
    uint32_t application, task; /**< from 0 */
    uint32_t thread;            /**< its first thread, among all */
    double pace;                /**< cpu time it needs for a unit of work */
    uint64_t lrecv[GEN_SIDES], lsend[GEN_SIDES], psend[GEN_SIDES], arrival[GEN_SIDES];
    uint64_t taken[2][GEN_CREDIT]; /**< when its sweep messages were received, by direction */
    uint64_t sent[2];
    uint64_t burst_calls, burst_time; /**< burst mode: since the last long burst */
    uint64_t born;                    /**< when it began */
    double birth, death;              /**< of a bystander: progress at which it begins and ends */
    bool alive;
    bool silent, split; /**< the call in progress is not written; begins with two lines */
};

/** A thread's share of a parallel region. */
struct gen_part {
    uint32_t thread;
    uint64_t begin, work_end, end;
};

struct gen {
    const struct gen_options *o;
    struct gen_lines lines;
    struct gen_truth truth;
    struct gen_task *task; /**< of all applications, one after the other */
    struct gen_part *part; /**< [threads of a task] */
    struct gen_name *name; /**< [threads in all] */
    uint64_t random;
    uint64_t tick;
    uint64_t clog_until;
    double growth;          /**< factor of all bursts by now */
    uint32_t width, height; /**< of the grid of an application's tasks */
};

uint64_t gen_random(struct gen *g);
double gen_uniform(struct gen *g);
/** Round up to a tick, at least one. */
uint64_t gen_ticks(const struct gen *g, double ns);

/** A call with its states and event lines: begin, more pairs of the begin line, opened, end. */
void gen_call_begin(struct gen *g, struct gen_task *t, uint64_t type, uint64_t call);
void gen_call_pair(struct gen *g, const struct gen_task *t, uint64_t type, uint64_t value);
void gen_call_opened(struct gen *g, struct gen_task *t, uint32_t site);
void gen_call_end(struct gen *g, struct gen_task *t, uint64_t end, uint64_t type, uint64_t state);
void gen_state(struct gen *g, struct gen_task *t, uint64_t begin, uint64_t end, uint64_t state);
void gen_flush_if_full(struct gen *g, struct gen_task *t);
void gen_running_end(struct gen *g, struct gen_task *t, uint64_t end);
/** State and 40000003 pair of a flush, after which the task runs on. */
void gen_flush(struct gen *g, struct gen_task *t, uint64_t length);

/** Compute; ns of cpu time before imbalance, drift and jitter. */
void gen_burst(struct gen *g, struct gen_task *t, double ns);
/** The same on the task's first thread alone. */
void gen_alone(struct gen *g, struct gen_task *t, double ns);

/* Steps of one application; first is its first task. */
void gen_step_halo(struct gen *g, struct gen_task *first, uint32_t site, uint64_t size,
                   bool forward);
void gen_step_ring(struct gen *g, struct gen_task *first, uint32_t site, uint64_t size);
void gen_step_pairs(struct gen *g, struct gen_task *first, uint32_t site, uint64_t size);
void gen_step_message(struct gen *g, struct gen_task *from, struct gen_task *to, uint32_t site,
                      uint64_t size);
void gen_step_collective(struct gen *g, struct gen_task *first, uint32_t site, uint64_t call,
                         uint64_t size);
/** A message to itself. */
void gen_step_self(struct gen *g, struct gen_task *t, uint32_t site, uint64_t size);
void gen_step_sweep(struct gen *g, struct gen_task *first, uint32_t site, double ns,
                    const uint64_t size_direction[2]);

/** Write what cannot be preceded any more, when there is enough of it. */
void gen_settle(struct gen *g);

/** Tasks of one application come to life; its first calls. */
void gen_start_tasks(struct gen *g, struct gen_task *first);
/** Irregular work for about so long: broadcasts, file reading, bursts of any length. */
void gen_irregular(struct gen *g, struct gen_task *first, uint64_t ns, bool collectives_only);
/** MPI_Finalize, the last flush, the end of the tasks; nothing of them may follow. */
void gen_finish_tasks(struct gen *g, struct gen_task *first);

/** A task comes to life, at a time: what is written of its threads before their first record. */
void gen_start_task(struct gen *g, struct gen_task *t, uint64_t start);
/** The last flush and the end of one task; nothing of it may follow. */
void gen_finish_task(struct gen *g, struct gen_task *t);

/*
 * Bystanders: tasks of an application, after those of the loop, that take no part in it. first is
 * the application's first task. They are started with it, follow it with each iteration up to
 * where the loop's tasks are, and end at the latest with it.
 */
void gen_bystanders_start(struct gen *g, struct gen_task *first);
void gen_bystanders_follow(struct gen *g, struct gen_task *first, double progress, uint64_t until);
void gen_bystanders_finish(struct gen *g, struct gen_task *first);

/** The whole run, start to end. */
void gen_program(struct gen *g);

/** Header and communicators, as far as the duration and from there on; text of the caller's. */
struct gen_header {
    char *text;
    size_t count, duration_at;
};
struct gen_header gen_header_make(const struct gen *g);

/** .pcf and .row beside the trace. */
void gen_labels_write(const struct gen *g);

#endif
