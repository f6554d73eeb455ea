#ifndef PRVCUT_SCAN_SCAN_H
#define PRVCUT_SCAN_SCAN_H

#include "base/exchange.h"
#include "base/pool.h"
#include "model/trace.h"

#include <pthread.h>

/**
 * The one way in which a trace is read: a format says what the parts of its input are and decodes
 * one; workers, the consumer's states, sums of counts, order, progress and stop are the same for
 * all. What a part brings is in prvcut_consumer (model/trace.h).
 */

/** A piece of the input on its way from take to join; formats put their own fields behind it. */
struct prvcut_part {
    struct prvcut_pooled pooled; /**< the driver's */
    uint64_t number;             /**< as the consumer is told it; set by next */
    void *state;                 /**< the consumer's */
    bool begun;                  /**< it has one */
    bool empty;                  /**< there was nothing to load */
    bool kept;                   /**< it waits for the parts of the ranks before */
    enum prvcut_status said;     /**< of one that is kept: what its decoding came to */
    /** What decode counted; added up in order. Empty before: first_ns is UINT64_MAX. */
    struct prvcut_counts counts;
};

struct prvcut_scan;

/** What a format does; constant. Parts are zeroed when they are new, and used again. */
struct prvcut_parts {
    size_t room;      /**< bytes of a part with the format's own fields */
    const char *what; /**< what one is called where there is no memory for it: "a block" */
    /** The next part; PRVCUT_END: none. One at a time, in the order of the input. */
    enum prvcut_status (*next)(struct prvcut_scan *s, struct prvcut_part *p,
                               struct prvcut_error *err);
    /** Bring it into memory, by several workers at once; PRVCUT_END: there is nothing in it, and it
        is passed over. NULL: next did it. */
    enum prvcut_status (*load)(struct prvcut_scan *s, struct prvcut_part *p,
                               struct prvcut_error *err);
    /** Decode it into batches for the consumer, by several workers at once. */
    enum prvcut_status (*decode)(struct prvcut_scan *s, unsigned worker, struct prvcut_part *p,
                                 struct prvcut_error *err);
    /** It is decoded, and its counts are in s->counts; in order, one at a time. NULL: no matter. */
    enum prvcut_status (*joined)(struct prvcut_scan *s, struct prvcut_part *p,
                                 struct prvcut_error *err);
    /** It failed, all before it are joined: say where; returns the status. NULL: it is said. */
    enum prvcut_status (*failed)(struct prvcut_scan *s, struct prvcut_part *p,
                                 enum prvcut_status st, struct prvcut_error *err);
    /**
     * So many parts there are, which can be read in any order, from any on (begin): several
     * processes take some each. NULL: they cannot.
     *
     * returns why these cannot, constant; NULL: they can
     */
    const char *(*count)(struct prvcut_scan *s, uint64_t *out);
    void (*begin)(struct prvcut_scan *s, uint64_t number); /**< next is to give that one */
    void (*shed)(struct prvcut_part *p); /**< decoded: what only decode needed goes */
    /** What the parts that were joined leave for the next one, but for s->counts; taken over.
        NULL: nothing. */
    void (*put)(struct prvcut_scan *s, struct prvcut_put *out);
    void (*get)(struct prvcut_scan *s, struct prvcut_get *in);
    /** What each process has of its own piece alone, and all have at last: put in the order of the
        pieces; ctx is the scan. NULL: nothing is. */
    const struct prvcut_shares *pieces;
    void (*clear)(struct prvcut_part *p); /**< for the next one; NULL: nothing to forget */
    void (*fini)(struct prvcut_part *p);  /**< release what its own fields hold; NULL: nothing */
};

/** One reading; formats put their own fields behind it. */
struct prvcut_scan {
    struct prvcut_trace *trace;
    const struct prvcut_parts *parts;
    const struct prvcut_run *run; /**< NULL: as many workers as there are processors */
    const struct prvcut_consumer *consumer;
    bool windowed; /**< only what can touch [from, to) */
    uint64_t from, to;
    uint64_t wanted;   /**< bytes of the input that a window needs; 0: all of it, or not known */
    uint64_t position; /**< bytes of the input that are read, for the progress; set in joined, or
                            by prvcut_scan_pause */
    struct prvcut_counts counts; /**< sums; what the format put there before stays in them */
    unsigned workers;            /**< set by prvcut_scan_init */
    struct prvcut_pool idle;     /**< parts */
    pthread_mutex_t caller;
    struct scan_piece
        *piece; /**< of a reading that is shared: what this process reads; else NULL */
};

/** Ready to run, with `workers` as many as are wanted, but at most `most`. */
void prvcut_scan_init(struct prvcut_scan *s, unsigned most);

/**
 * Read all parts. counts->first_ns is UINT64_MAX where no record was found.
 *
 * errors  the first failure in the order of the input; PRVCUT_EINTERRUPTED, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_scan_run(struct prvcut_scan *s, struct prvcut_error *err);

/**
 * All ranks are here, and see the same files: size, time and ends of the trace, what is beside it.
 *
 * errors  PRVCUT_EIO: the file is not there, or others see another; those of the exchange
 */
enum prvcut_status prvcut_scan_meet(struct prvcut_trace *t, const struct prvcut_exchange *x,
                                    struct prvcut_error *err);

/** Release what parts hold; after prvcut_scan_init, run or not. */
void prvcut_scan_fini(struct prvcut_scan *s);

/** May the reading go on? Asks the caller's stop; from any worker. */
bool prvcut_scan_goes_on(struct prvcut_scan *s);

/**
 * From within decode: so many more bytes are read; tells the progress and asks for the stop.
 * errors: PRVCUT_EINTERRUPTED
 */
enum prvcut_status prvcut_scan_pause(struct prvcut_scan *s, uint64_t bytes,
                                     struct prvcut_error *err);

/** The sums for a caller: without a record the first one is at 0; what was skipped is noted in the
    trace. counts may be NULL. */
void prvcut_scan_counts(const struct prvcut_scan *s, struct prvcut_counts *counts);

#endif
