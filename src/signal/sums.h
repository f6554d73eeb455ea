#ifndef PRVCUT_SIGNAL_SUMS_H
#define PRVCUT_SIGNAL_SUMS_H

#include "base/bytes.h"
#include "model/batch.h"
#include "signal/grid.h"

#include <pthread.h>

/** Integrals of a number of threads or messages. */
enum prvcut_sum {
    PRVCUT_SUM_RUNNING, /**< threads in the running state */
    PRVCUT_SUM_P2P,     /**< inside a call of the kind */
    PRVCUT_SUM_COLLECTIVE,
    PRVCUT_SUM_MPI_OTHER,
    PRVCUT_SUM_FLUSH,
    PRVCUT_SUM_OUTSIDE,  /**< between two MPI calls */
    PRVCUT_SUM_INFLIGHT, /**< messages between logical send and physical receive */
    PRVCUT_SUM_IPC,      /**< threads in a burst with both counters */
    PRVCUT_SUM_CLOCK,    /**< threads in a burst with cycles */
    PRVCUT_SUMS
};

/** Weighted integrals. Rates and ratios are in units of 2^-40. */
enum prvcut_wide_sum {
    PRVCUT_WIDE_RUNNING, /**< each burst's duration, ns */
    PRVCUT_WIDE_OUTSIDE, /**< the same for time between MPI calls */
    PRVCUT_WIDE_BYTES,   /**< delivered per ns */
    PRVCUT_WIDE_IPC,
    PRVCUT_WIDE_CLOCK,        /**< cycles per ns */
    PRVCUT_WIDE_INSTRUCTIONS, /**< per ns */
    PRVCUT_WIDE_FLOPS,        /**< per ns */
    PRVCUT_WIDES
};

#define PRVCUT_FRACTION 40 /**< binary places of rates and ratios: few bytes may take seconds */

struct prvcut_sums_of_all;

/** The integrals that are wanted, over one grid; integers, so that their order does not matter. */
struct prvcut_sums {
    struct prvcut_grid grid; /**< of the arrays */
    uint64_t from, room;     /**< ns: where an interval begins and ends that these arrays take */
    struct prvcut_sums_of_all *all; /**< what lies elsewhere goes there; NULL: nothing does */
    size_t first;                   /**< bin of the whole grid that the arrays begin with */
    uint64_t turn;                  /**< ns: from here on they are worth to be laid anew */
    int64_t *at[PRVCUT_SUMS];       /**< [bins + 2]; NULL: not wanted */
    prvcut_wide *wide[PRVCUT_WIDES];
    uint64_t count[PRVCUT_SUMS]; /**< intervals added; 0: the trace does not hold it */
    uint64_t wide_count[PRVCUT_WIDES];
    uint64_t sends, receives; /**< ends of messages that were recorded apart */
    uint64_t met;             /**< messages that were made of these */
    bool no_room;             /**< not of all: the disk is full */
};

/** sums, wides: bit sets of what is wanted. */
enum prvcut_status prvcut_sums_init(struct prvcut_sums *s, const struct prvcut_grid *grid,
                                    uint32_t sums, uint32_t wides, struct prvcut_error *err);
void prvcut_sums_fini(struct prvcut_sums *s);

/**
 * Sums of all workers. A worker's own are a window of the grid that goes along with what it reads,
 * so that its memory is small, whatever the bins are. Who adds to `sums` holds the lock.
 */
struct prvcut_sums_of_all {
    struct prvcut_sums sums;
    pthread_mutex_t lock;
};

enum prvcut_status prvcut_sums_of_all_init(struct prvcut_sums_of_all *a,
                                           const struct prvcut_grid *grid, uint32_t sums,
                                           uint32_t wides, struct prvcut_error *err);
void prvcut_sums_of_all_fini(struct prvcut_sums_of_all *a);

/** A worker's: over as few bins as are worth it. errors  PRVCUT_ENOMEM */
enum prvcut_status prvcut_sums_init_near(struct prvcut_sums *s, struct prvcut_sums_of_all *all,
                                         uint32_t sums, uint32_t wides, struct prvcut_error *err);

/** The window is laid around a time; what it held goes to all. */
void prvcut_sums_turn(struct prvcut_sums *s, uint64_t time);

/** Records of this time come next. */
static inline void prvcut_sums_reach(struct prvcut_sums *s, uint64_t time)
{
    if (s->all && (time < s->from || time >= s->turn))
        prvcut_sums_turn(s, time);
}

/** Add all of `more` to s; same grid, same wishes. Nothing but a release is left for `more`. */
void prvcut_sums_merge(struct prvcut_sums *s, struct prvcut_sums *more);

/** All that was added, for another process; what one sent is added; nothing was added. */
void prvcut_sums_put(struct prvcut_put *p, const struct prvcut_sums *s);
void prvcut_sums_get(struct prvcut_get *g, struct prvcut_sums *s);
void prvcut_sums_clear(struct prvcut_sums *s);

/**
 * Turn differences into the bins' integrals; once.
 *
 * grid  whose bins they are from now on: that of the sums, or one with the same start whose bins
 *       are a multiple as wide
 */
void prvcut_sums_finish(struct prvcut_sums *s, const struct prvcut_grid *grid);

/** Is an interval inside what the arrays take? */
static inline bool prvcut_sums_take(const struct prvcut_sums *s, uint64_t begin, uint64_t end)
{
    return begin - s->from < s->room && end - s->from < s->room;
}

/** The same as below, to all. */
void prvcut_sums_add_far(struct prvcut_sums *s, enum prvcut_sum which, uint64_t begin,
                         uint64_t end);
void prvcut_sums_half_far(struct prvcut_sums *s, uint64_t time, bool receive);
void prvcut_sums_add_wide_far(struct prvcut_sums *s, enum prvcut_wide_sum which, uint64_t begin,
                              uint64_t end, uint64_t weight);

static inline void prvcut_sums_add(struct prvcut_sums *s, enum prvcut_sum which, uint64_t begin,
                                   uint64_t end)
{
    if (!s->at[which])
        return;
    s->count[which]++;
    if (!prvcut_sums_take(s, begin, end)) {
        prvcut_sums_add_far(s, which, begin, end);
        return;
    }
    prvcut_grid_add(&s->grid, s->at[which], begin, end);
}

/** One end of a message: in flight from its send on, and no more from its receive on. */
static inline void prvcut_sums_half(struct prvcut_sums *s, uint64_t time, bool receive)
{
    if (receive)
        s->receives++;
    else
        s->sends++;
    if (!s->at[PRVCUT_SUM_INFLIGHT])
        return;
    s->count[PRVCUT_SUM_INFLIGHT]++;
    if (prvcut_sums_take(s, time, time))
        prvcut_grid_step(&s->grid, s->at[PRVCUT_SUM_INFLIGHT], time, receive ? -1 : 1);
    else
        prvcut_sums_half_far(s, time, receive);
}

static inline void prvcut_sums_add_wide(struct prvcut_sums *s, enum prvcut_wide_sum which,
                                        uint64_t begin, uint64_t end, uint64_t weight)
{
    if (!s->wide[which])
        return;
    s->wide_count[which]++;
    if (!prvcut_sums_take(s, begin, end)) {
        prvcut_sums_add_wide_far(s, which, begin, end, weight);
        return;
    }
    prvcut_grid_add_wide(&s->grid, s->wide[which], begin, end, weight);
}

/** A value spread evenly over [begin, end): its rate times 2^40, rounded; 0 for an empty interval.
 */
uint64_t prvcut_rate(uint64_t value, uint64_t begin, uint64_t end);

/** A message is under way from its send to its receive, and its bytes are delivered meanwhile. */
static inline void prvcut_sums_message(struct prvcut_sums *s, const struct prvcut_message *m)
{
    if (m->physical_receive <= m->logical_send)
        return;
    prvcut_sums_add(s, PRVCUT_SUM_INFLIGHT, m->logical_send, m->physical_receive);
    prvcut_sums_add_wide(s, PRVCUT_WIDE_BYTES, m->logical_send, m->physical_receive,
                         prvcut_rate(m->size, m->logical_send, m->physical_receive));
}

/** What messages under way come to: as `whole` has it, in place of what their ends told. */
void prvcut_sums_flights(struct prvcut_sums *s, struct prvcut_sums *whole);

/** Are so many of the ends that were recorded apart without the other one that they tell nothing?
 */
bool prvcut_sums_lack_ends(const struct prvcut_sums *s);

/** An interval and its length: both integrals where both are wanted. */
static inline void prvcut_sums_add_both(struct prvcut_sums *s, enum prvcut_sum which,
                                        enum prvcut_wide_sum wide, uint64_t begin, uint64_t end)
{
    if (!s->at[which] || !s->wide[wide] || !prvcut_sums_take(s, begin, end)) {
        prvcut_sums_add(s, which, begin, end);
        prvcut_sums_add_wide(s, wide, begin, end, end - begin);
        return;
    }
    s->count[which]++;
    s->wide_count[wide]++;
    prvcut_grid_add_both(&s->grid, s->at[which], s->wide[wide], begin, end);
}

#endif
