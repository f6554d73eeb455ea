#ifndef PRVCUT_FOLLOW_H
#define PRVCUT_FOLLOW_H

#include "prvcut/structure.h"
#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A trace that is still being written: whoever follows it looks at twice as much each time, so that
 * all looks together read it no more than twice, and knows the loop long before the run is over.
 */

/** A trace that is followed; opaque. */
struct prvcut_follow;

/** Why nothing more is expected. Numbered once and for ever. */
enum prvcut_follow_over {
    PRVCUT_FOLLOW_GOES_ON = 0,
    PRVCUT_FOLLOW_FOUND = 1,    /**< the loop is sure, and no more was asked for */
    PRVCUT_FOLLOW_DURATION = 2, /**< its last record begins at the duration that it promises */
    PRVCUT_FOLLOW_CLOSED = 3,   /**< the pipe has ended */
    PRVCUT_FOLLOW_PROCESS = 4,  /**< the process that writes it has ended */
    PRVCUT_FOLLOW_IDLE = 5,     /**< nothing new came for so long */
    PRVCUT_FOLLOW_FULL = 6      /**< the pipe has ended; only its beginning could be kept */
};

/** "found", "duration", "closed", "process", "idle", "full"; constant; of one that goes on "";
   NULL: no such number. */
PRVCUT_API const char *prvcut_follow_over_text(enum prvcut_follow_over over);

/** What is known of the run at one look: a view, which grows at its end. */
struct prvcut_look {
    uint64_t bytes;                     /**< of the trace that were looked at */
    uint64_t end_ns;                    /**< the run so far */
    bool periodic;                      /**< a loop is seen */
    const char *reason;                 /**< why there is none; "" where there is one */
    double period_ns;                   /**< mean length of an iteration; 0: no loop */
    double iterations;                  /**< in the loop so far */
    double calls_per_iteration;         /**< of one thread; 0 where the calls did not tell */
    double confidence;                  /**< 0..1; NAN: the period was given */
    bool sure;                          /**< it was the same at the look before, and goes on */
    bool was_sure;                      /**< the look before was */
    double load_balance, communication; /**< efficiency so far, 0..1; NAN: not told */
};

/** How a trace is followed; zeroed is valid. */
struct prvcut_follow_options {
    size_t size;         /**< sizeof this struct; 0: the fields up to ctx */
    double idle_s;       /**< it is over when nothing new came for so long; 0: 60 */
    int64_t pid;         /**< it is over when that process has ended; 0: of no process */
    bool until_found;    /**< it is over when the loop is sure, and what is wanted of it there */
    const char *metrics; /**< as prvcut_structure_options has it */
    uint64_t period_ns;  /**< the same */
    uint64_t most;       /**< bytes of a pipe that are kept at most, and as many as the disk has
                              room for; what comes behind them is let pass; 0: 16 GiB */
    const char *scratch; /**< the folder where they are kept; NULL: TMPDIR, or /tmp */
    /** Told of each look; may be NULL. */
    void (*look)(void *ctx, const struct prvcut_look *look);
    void *ctx;
    /* Of until_found: what is wanted of the loop and must be there first. */
    unsigned iterations;     /**< so many that follow each other; 0: any */
    uint64_t last_iteration; /**< the one with that number, from 1 through the loop; 0: any */
    /* As prvcut_reduce_options has them: regions that must be there, each with what is wanted. */
    unsigned level;
    const char *regions; /**< NULL: the loop has what is wanted, wherever */
};

/**
 * Begin to follow a trace: a file that grows, or a pipe, "-". Waits until its first record is
 * there. A last line without its end is not there yet.
 *
 * shape   options: as prvcut_trace_open has them, borrowed until the trace is closed
 * owns    *out is the caller's, released with prvcut_follow_close; NULL after a failure
 * errors  PRVCUT_EUSAGE: a format whose traces are complete only when they are closed, a compressed
 *         file; PRVCUT_EINTERRUPTED; PRVCUT_EFORMAT: it is over without a record; as
 *         prvcut_trace_open
 */
PRVCUT_API enum prvcut_status prvcut_follow_open(struct prvcut_follow **out, const char *path,
                                                 const struct prvcut_open_options *options,
                                                 const struct prvcut_follow_options *how,
                                                 struct prvcut_error *err);

/**
 * Follow it until it is over.
 *
 * errors  PRVCUT_EFORMAT: it got shorter, or another file took its place; a record is damaged;
 *         PRVCUT_EINTERRUPTED; as prvcut_structure_find
 */
PRVCUT_API enum prvcut_status prvcut_follow_run(struct prvcut_follow *f,
                                                const struct prvcut_run *run,
                                                struct prvcut_error *err);

/** The trace: as far as it is there so far; once it is over, all of it, or of
    PRVCUT_FOLLOW_FOUND what the loop was found in, and of PRVCUT_FOLLOW_FULL what was kept.
   Borrowed until the next call. */
PRVCUT_API struct prvcut_trace *prvcut_follow_trace(struct prvcut_follow *f);

/** Why it is over. */
PRVCUT_API enum prvcut_follow_over prvcut_follow_why(const struct prvcut_follow *f);

/** Release, with the trace; what was kept of a pipe goes, too; accepts NULL. */
PRVCUT_API void prvcut_follow_close(struct prvcut_follow *f);

#ifdef __cplusplus
}
#endif

#endif
