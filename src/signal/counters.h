#ifndef PRVCUT_SIGNAL_COUNTERS_H
#define PRVCUT_SIGNAL_COUNTERS_H

#include "base/bytes.h"
#include "base/rows.h"
#include "model/batch.h"
#include "signal/sums.h"

/** All counter values of one thread at one instant: differences since its read before. */
struct prvcut_reading {
    uint64_t time; /**< ns */
    uint64_t instructions, cycles, flops;
    bool has_instructions, has_cycles, has_flops;
    bool call_ends; /**< an MPI call ends here: the interval before was no burst */
};

/** How far a thread's readings are followed, in a part or between parts. */
struct prvcut_counters_now {
    struct prvcut_reading last; /**< may go on in what follows */
    uint64_t before;            /**< ns, the reading before last; valid with many */
    bool many;                  /**< more than one instant */
};

/** One thread's readings within one part. */
struct prvcut_counters_seen {
    uint32_t thread;
    bool call_ended; /**< at `border` */
    uint64_t border; /**< ns, its first instant: the part before may have read counters there */
    struct prvcut_reading first;    /**< its interval began before the part */
    struct prvcut_counters_now now; /**< last == first unless many */
};

struct prvcut_counters_part {
    struct prvcut_counters_seen *seen;
    size_t count, room;
};

/** A thread's last reading, between parts. */
struct prvcut_counters_carry {
    struct {
        bool any; /**< now is valid */
        struct prvcut_counters_now now;
    } * at; /**< [threads] */
    uint32_t threads;
};

enum prvcut_status prvcut_counters_carry_init(struct prvcut_counters_carry *c, uint32_t threads,
                                              struct prvcut_error *err);

/** For another process, and what one sent in place of what was read last. */
void prvcut_counters_carry_put(struct prvcut_put *p, const struct prvcut_counters_carry *c);
void prvcut_counters_carry_get(struct prvcut_get *g, struct prvcut_counters_carry *c);

/** Follow an event of a counter role, or of an MPI role (they tell bursts from calls). */
enum prvcut_status prvcut_counters_event(struct prvcut_rows *w, struct prvcut_counters_part *part,
                                         struct prvcut_sums *sums, const struct prvcut_event *e,
                                         struct prvcut_error *err);

void prvcut_counters_join(struct prvcut_counters_carry *c, const struct prvcut_counters_part *part,
                          struct prvcut_sums *sums);

/** The trace ends: last readings are complete. */
void prvcut_counters_end(struct prvcut_counters_carry *c, struct prvcut_sums *sums);

#endif
