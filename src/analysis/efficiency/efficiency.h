#ifndef PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_H
#define PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_H

#include "analysis/efficiency/ideal.h"
#include "analysis/efficiency/replay.h"
#include "model/program.h"
#include "model/trace.h"

/**
 * What each thread did in each of some stretches of a run, and how long the run takes on an ideal
 * network, in one reading. What workers find is put in the order of the input; what is added up
 * there is the same for any number of them.
 */

/** When a run begins for a task. */
enum prvcut_efficiency_starts {
    PRVCUT_EFFICIENCY_COMMON, /**< for all with the window */
    PRVCUT_EFFICIENCY_OWN,    /**< with its first state; it ends with its last; where no states are
                                   recorded with its first record, or, where the only stretch has
                                   borders of each thread, with that of the stretch */
};

/** The longest wait of a stretch on the ideal network. */
struct prvcut_efficiency_wait {
    uint64_t ns; /**< 0: nobody waits */
    uint32_t type;
    int64_t value;         /**< of the call */
    uint32_t lane, waited; /**< who waits, and for whom */
};

struct prvcut_efficiency_asked {
    const struct prvcut_window *stretch; /**< [stretches], on each thread in order and disjoint; an
                                              end of UINT64_MAX is that of the run */
    size_t stretches;
    struct prvcut_span only; /**< ns, the run is replayed there; end UINT64_MAX: to its end */
    enum prvcut_efficiency_starts starts;
    enum prvcut_replay_model model;
    uint64_t eager;                      /**< bytes */
    size_t cap;                          /**< as of prvcut_replay_options */
    bool outside;                        /**< all that is not in calls counts as computing */
    bool threads;                        /**< each thread has a clock of its own, not each task */
    struct prvcut_ideal *ideal;          /**< keeps the calls; initialised; NULL: not wanted */
    struct prvcut_efficiency_wait *wait; /**< [stretches], zeroed; NULL: not wanted */
};

/** Each thread has a window of its own, and the trace tells which. */
static inline bool prvcut_efficiency_own_told(const struct prvcut_efficiency_asked *a)
{
    return a->starts == PRVCUT_EFFICIENCY_OWN && a->stretches == 1 && a->stretch->thread_from;
}

/** What counters counted. */
enum prvcut_efficiency_counter {
    PRVCUT_EFFICIENCY_INSTRUCTIONS,
    PRVCUT_EFFICIENCY_CYCLES,
    PRVCUT_EFFICIENCY_COUNTERS,
};

/** What one thread did in one stretch, ns. */
struct prvcut_efficiency_sum {
    uint64_t running, outside; /**< the running state; recorded and not in calls */
    uint64_t calls;
    uint64_t waits;      /**< in states of waiting outside calls */
    uint64_t flush, off; /**< writing the trace; not traced */
    uint64_t stated;     /**< in any recorded state; 0 where states are told from regions */
    struct prvcut_efficiency_counted {
        uint64_t count[PRVCUT_EFFICIENCY_COUNTERS];
        double part[PRVCUT_EFFICIENCY_COUNTERS];      /**< of values that borders divide */
        uint64_t covered[PRVCUT_EFFICIENCY_COUNTERS]; /**< ns of computing in which it counted */
    } counted, beside;                                /**< while computing; not in calls: of a trace
                                                           without states that is computing */
};

/** From where and up to where a thread is recorded. */
struct prvcut_efficiency_reach {
    uint64_t first, last;             /**< ns, its records */
    uint64_t inside;                  /**< ns, the latest end before the replay's, or there */
    uint64_t first_state, last_state; /**< its states */
    bool seen, states;                /**< these are valid */
    bool calls;                       /**< it makes calls */
};

/** Bits: what there is anywhere. */
enum prvcut_efficiency_any {
    PRVCUT_EFFICIENCY_ANY_RUNNING = 1,
    PRVCUT_EFFICIENCY_ANY_CALL = 2,
    PRVCUT_EFFICIENCY_ANY_MESSAGE = 4,
    PRVCUT_EFFICIENCY_ANY_COLLECTIVE = 8, /**< with its communicator */
    PRVCUT_EFFICIENCY_ANY_INSTRUCTIONS = 16,
    PRVCUT_EFFICIENCY_ANY_CYCLES = 32,
    PRVCUT_EFFICIENCY_ANY_P2P = 64,    /**< calls that send or receive messages */
    PRVCUT_EFFICIENCY_ANY_STATE = 128, /**< whatever it is */
};

struct prvcut_efficiency_found {
    const struct prvcut_objects *objects;
    size_t stretches;
    uint32_t threads, tasks;
    uint32_t lanes;                        /**< tasks, or threads */
    struct prvcut_efficiency_sum *sum;     /**< [stretches][threads]; owned */
    struct prvcut_span *window;            /**< [stretches][threads], own ones; owned */
    struct prvcut_span *clock;             /**< [stretches][lanes], ideal times there; owned */
    struct prvcut_efficiency_reach *reach; /**< [threads]; owned */
    uint64_t *ideal;                       /**< [lanes], where each ends; owned */
    struct prvcut_replay_counts counts;
    uint64_t messages;   /**< both ends of which are recorded */
    uint64_t crossing;   /**< messages that reach out of the window: left out */
    uint64_t alone;      /**< messages of which one end is not recorded: left out */
    uint64_t lost;       /**< ends of calls without a begin */
    uint64_t skipped;    /**< damaged records, of a lenient trace: left out */
    uint64_t late;       /**< lines that stand later than their time says; 0: of ends apart */
    uint64_t first_late; /**< the first of them, a line from 1; 0: not known */
    uint64_t end_ns;     /**< of the run */
    uint32_t any;        /**< bits */
    uint32_t *any_of;    /**< [applications], the same of each; owned */
    uint32_t *program;   /**< [applications], the first of those that exchange messages with it,
                              directly or by others: one program in several parts; owned */
    struct prvcut_program_tally **called; /**< [applications], outermost calls; NULL: it makes none;
                                               owned */
    bool told;    /**< states are told from regions: the archive records none */
    bool halves;  /**< the ends of messages are recorded apart */
    bool overlap; /**< threads of a task call at the same time, and have one clock */
};

/**
 * Read a trace, add up and replay.
 *
 * shape   asked: borrowed for the call
 * owns    *f is initialised here, released with prvcut_efficiency_found_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM, PRVCUT_ELIMIT
 */
enum prvcut_status prvcut_efficiency_read(struct prvcut_efficiency_found *f, struct prvcut_trace *t,
                                          const struct prvcut_run *run,
                                          const struct prvcut_efficiency_asked *asked,
                                          struct prvcut_error *err);

/**
 * The same in steps, for a reading that others listen to, too.
 *
 * shape   f, asked: borrowed until it is released
 * owns    *out is the caller's, released with prvcut_efficiency_reading_free, also after a failure;
 * *f as of prvcut_efficiency_read
 */
struct prvcut_efficiency_reading;
enum prvcut_status prvcut_efficiency_reading_new(struct prvcut_efficiency_reading **out,
                                                 struct prvcut_efficiency_found *f,
                                                 struct prvcut_trace *t,
                                                 const struct prvcut_efficiency_asked *asked,
                                                 struct prvcut_error *err);
void prvcut_efficiency_reading_free(struct prvcut_efficiency_reading *r);

/** To a reading of all of the trace; NULL: it has to be read by itself. Borrowed. */
const struct prvcut_listener *prvcut_efficiency_reading_listener(
    const struct prvcut_efficiency_reading *r);

/** Once. heard: its listener has listened; else the trace is read. */
enum prvcut_status prvcut_efficiency_reading_find(struct prvcut_efficiency_reading *r,
                                                  const struct prvcut_run *run, bool heard,
                                                  struct prvcut_error *err);

/** A thread's application, from 0. */
static inline uint32_t prvcut_efficiency_application(const struct prvcut_objects *o,
                                                     uint32_t thread)
{
    return o->applications < 2 ? 0 : prvcut_objects_application(o, o->thread_task[thread]);
}

/** Applications a and b belong together. program: [applications], a forest. */
void prvcut_efficiency_join(uint32_t *program, uint32_t a, uint32_t b);

/** Of several tasks: why nobody knows who waits for whom; NULL: that is known. any: bits of what
    there is of these tasks. */
const char *prvcut_efficiency_unreplayed(const struct prvcut_efficiency_found *f, uint32_t any);

/** Of those: all that waits for messages is recorded, but no message: the run on the ideal network
    takes at least as long as it is replayed. */
bool prvcut_efficiency_is_least(const struct prvcut_efficiency_found *f, uint32_t any);

/** Add what a thread did in a stretch to what it did in the one before. */
void prvcut_efficiency_sum_add(struct prvcut_efficiency_sum *to,
                               const struct prvcut_efficiency_sum *next);

void prvcut_efficiency_found_fini(struct prvcut_efficiency_found *f);

#endif
