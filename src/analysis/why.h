#ifndef PRVCUT_ANALYSIS_WHY_H
#define PRVCUT_ANALYSIS_WHY_H

#include "base/error.h"
#include "prvcut/reduce.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Why an iteration is slow: what grew in it against what is usual, the median of all iterations, of
 * each thread.
 */

/** What threads spent, or counted, in an iteration: at one time for all, as the others wait for who
    is late; what tells why one computes longer, on its own borders. */
enum prvcut_why_column {
    PRVCUT_WHY_COMPUTING,    /**< ns */
    PRVCUT_WHY_FLUSHING,     /**< ns that the tracer took to write its buffer */
    PRVCUT_WHY_OFF,          /**< ns in which tracing was off */
    PRVCUT_WHY_OWN,          /**< ns of computing, from here on on the thread's own borders */
    PRVCUT_WHY_STOLEN,       /**< ns in which another process had the processor; of counters */
    PRVCUT_WHY_INSTRUCTIONS, /**< counted; NAN: unknown */
    PRVCUT_WHY_CYCLES,       /**< the same */
    PRVCUT_WHY_OUTSIDE,      /**< ns outside calls, of the iteration of its number */
    PRVCUT_WHY_OWN_FLUSHING, /**< the same of flushing, on its own borders */
    PRVCUT_WHY_BYTES,        /**< sent and received in messages; on its own borders */
    PRVCUT_WHY_TOGETHER,     /**< the same in collectives */
    PRVCUT_WHY_ENTERED,      /**< calls that begin; on its own borders */
    PRVCUT_WHY_LENGTH,       /**< ns that its own takes */
    PRVCUT_WHY_LAG,          /**< ns that its own begins later than for all */
    /* In that lag, of the first iteration alone: before it there is none of the thread's own. */
    PRVCUT_WHY_LAG_OUTSIDE, /**< ns outside calls */
    PRVCUT_WHY_LAG_COMPUTING,
    PRVCUT_WHY_LAG_INSTRUCTIONS,
    PRVCUT_WHY_LAG_CYCLES,
    PRVCUT_WHY_COLUMNS /**< behind these the time in each call, ns, at one time for all */
};

/** Iterations of one region. */
struct prvcut_why_table {
    size_t iterations, calls;
    uint32_t threads;
    const double *length; /**< [iterations] ns */
    const size_t *number; /**< [iterations] neighbours differ by one; NULL: 0, 1, 2 ... */
    const bool *alone;    /**< [calls] waits for no other thread; NULL: not known */
    const bool *clear;    /**< [iterations] nothing disturbs it: it says what is usual; NULL: all */
    /** [iterations] ns on an ideal network, mean of all threads; NULL: not known */
    const double *ideal;
    bool means; /**< iterations are what many are on average, of which there is no ideal one */
    /** [iterations][threads][PRVCUT_WHY_COLUMNS + calls] */
    const double *at;
};

/** Most threads that are named beside the one that a cause concerns most; as of
    PRVCUT_SLOW_OTHERS. */
#define PRVCUT_WHY_OTHERS 15

/** What made an iteration longer. */
struct prvcut_why_one {
    enum prvcut_slow cause;
    uint32_t thread;  /**< that it concerns most */
    uint32_t threads; /**< with at least a tenth of the excess of it */
    size_t call;      /**< of PRVCUT_SLOW_CALL */
    bool as_usual;    /**< of PRVCUT_SLOW_CALL, _ORDER: those threads compute as usual meanwhile */
    bool in_a_row;  /**< of computing: so many threads do one after the other, and explain the share
                         together */
    bool by_chance; /**< it is not told: it is a small part, and as much is usual of the thread */
    bool meanwhile; /**< where other threads are meanwhile: the same time as the cause before it */
    double ns;      /**< more than usual on that thread */
    double usual;   /**< ns, median of that thread */
    double share;   /**< of the excess that it explains, 0..1 */
    /** [others] who else has at least a tenth of the most of it, the most first */
    uint32_t other[PRVCUT_WHY_OTHERS];
    double other_ns[PRVCUT_WHY_OTHERS];
    size_t others;
};

#define PRVCUT_WHY_MOST 6 /* as of MADE_CAUSES */

/** Most calls in which others wait meanwhile that are told. */
#define PRVCUT_WHY_GROUPS 2

struct prvcut_why {
    double excess;                              /**< ns longer than the median */
    struct prvcut_why_one one[PRVCUT_WHY_MOST]; /**< [count], the largest first; where
                                                     others are meanwhile behind each */
    size_t count;
};

/** What is usual: each thread's median of each column. Zeroed: none. */
struct prvcut_why_usual {
    double length;
    double ideal; /**< ns; NAN: not known */
    double *at;   /**< [threads][PRVCUT_WHY_COLUMNS + calls]; owned */
    /** [the same] robust standard deviation of what says what is usual; owned; NULL: not
        known */
    double *spread;
};

/** owns: *u is initialised here, released with prvcut_why_usual_fini. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_why_usual_init(struct prvcut_why_usual *u,
                                         const struct prvcut_why_table *t,
                                         struct prvcut_error *err);
void prvcut_why_usual_fini(struct prvcut_why_usual *u);

/** Is it a matter of time on an ideal network whether that is why? Not where somebody computes,
    flushes or is not traced for half of what is longer. */
bool prvcut_why_may_be_order(const struct prvcut_why *w);

/**
 * The causes of one iteration that explain a tenth of its excess or more; unknown first where none
 * explains half. An iteration that is no longer than the median has none.
 *
 * shape   iteration: < t->iterations
 */
struct prvcut_why prvcut_why_of(const struct prvcut_why_table *t, const struct prvcut_why_usual *u,
                                size_t iteration);

/** What made an iteration shorter, most of all: its column, and the mean of all threads, ns. */
struct prvcut_why_less {
    size_t column;
    double ns; /**< 0 or less: nothing */
};

/** shape   iteration: < t->iterations */
struct prvcut_why_less prvcut_why_less_of(const struct prvcut_why_table *t,
                                          const struct prvcut_why_usual *u, size_t iteration);

/** How much longer than usual a thread computes in an iteration of its own that falls into this
   one, ns; less than 0: shorter.

    shape   iteration: < t->iterations */
double prvcut_why_longer(const struct prvcut_why_table *t, const struct prvcut_why_usual *u,
                         size_t iteration, uint32_t thread);

/** Of a thread whose own iteration is longer than its own are, the one that is so itself most, or
    else is so. */
struct prvcut_why_own {
    uint32_t thread;
    double usual;  /**< ns, median length of its own */
    double longer; /**< ns more of its length; 0: there is none that is longer than its own vary */
    double itself; /**< ns more outside calls */
    double computes, flushes;  /**< ns more, of that */
    double stolen;             /**< ns of what it computes longer; 0: none, or all */
    double bytes, usual_bytes; /**< sent and received in messages */
    enum prvcut_slow how;      /**< it computes longer, beside what was stolen */
};

/** How much longer than usual a thread neither computes, flushes nor calls in the iteration of that
    number, ns; 0 or less: it does not.

    shape   iteration: < t->iterations */
double prvcut_why_idle(const struct prvcut_why_table *t, const struct prvcut_why_usual *u,
                       size_t iteration, uint32_t thread);

/** Of threads that compute longer by half of ns, but not in that iteration: those that do so in one
   of their own that has its number, or one beside it. */
struct prvcut_why_elsewhere {
    uint32_t threads; /**< 0: there are none, or some threads compute no longer at any time */
    uint32_t thread;  /**< one of them */
};

/** ns      more than 0, that one of the threads computes longer in the iteration
    shape   iteration: < t->iterations */
struct prvcut_why_elsewhere prvcut_why_elsewhere_of(const struct prvcut_why_table *t,
                                                    const struct prvcut_why_usual *u,
                                                    size_t iteration, double ns);

/** far     robust standard deviations that make one longer than they vary
    shape   iteration: < t->iterations; room: [t->iterations] */
struct prvcut_why_own prvcut_why_own_of(const struct prvcut_why_table *t,
                                        const struct prvcut_why_usual *u, size_t iteration,
                                        double far, double *room);

/** Why a thread computes longer in an iteration; PRVCUT_SLOW_COMPUTING also where it does not, by a
    tenth of the excess. */
enum prvcut_slow prvcut_why_computes(const struct prvcut_why_table *t,
                                     const struct prvcut_why_usual *u, size_t iteration,
                                     uint32_t thread);

#endif
