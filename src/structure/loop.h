#ifndef PRVCUT_STRUCTURE_LOOP_H
#define PRVCUT_STRUCTURE_LOOP_H

#include "signal/calls.h"
#include "signal/signal.h"

/** A repetition that one witness (a metric, or the calls) found. */
struct prvcut_loop {
    bool found;
    const char *why;         /**< constant text: why nothing was found; NULL when found */
    double period_ns;        /**< mean length of an iteration */
    double median_ns;        /**< median length where the borders are known, else period_ns */
    struct prvcut_span span; /**< first iteration's start to last iteration's end */
    double iterations;       /**< repetitions in the span */
    double strength;         /**< 0..1: how well the repetition explains what the witness saw */
};

/** What the calls tell beyond the loop itself. */
struct prvcut_call_loop {
    struct prvcut_loop loop;
    const char *alphabet;       /**< constant: what a symbol was made of */
    size_t calls_per_iteration; /**< of the first sequence that follows the loop */
    size_t followers;           /**< sequences that follow the loop */
    /**
     * Per sequence: time of the first call of each iteration, then the end of the last one: the
     * call after it, where there is one that is not far away. NULL for those that do not follow.
     * All followers have the same number of borders, and border k starts the same iteration.
     */
    uint64_t **border; /**< [sequences][borders of that sequence]; owned */
    size_t *borders;   /**< [sequences]; 0 or iterations + 1 */
    /** Per sequence, as border: index of the call that each border is; owned. The last one may be
       the sequence's count. */
    uint32_t **start;
    size_t sequences;
    double spread; /**< of the logarithm of the lengths, about their trend, on the first follower */
    bool separated; /**< found by what separates iterations, which need not be alike */
    bool open;      /**< on all followers the last iteration is whole, and nothing comes after it */
};

/** What iterations of a loop hold of one inside, where their number varies. Zeroed: nothing. */
struct prvcut_rounds {
    uint64_t least, most; /**< of one iteration; most 0: there are none */
    uint64_t held, gaps;  /**< of all iterations on all threads, and how many of these */
    uint64_t once;        /**< how many of these hold one at most */
    bool outside;         /**< some come before the first iteration and some in what is behind the
                               last, though all else in an iteration is in one piece */
    bool uneven; /**< rounds of one kind, the last ones of iterations or the others, do not (nearly)
                      all make as many calls */
    double median_ns; /**< usual length of a round */
};

/**
 * Find the outermost loop (>= 3 repetitions) in the threads' call sequences.
 *
 * shape   in: sequences >= 0, any may be empty, each < 2^32 calls; out: border as described
 * units   loop.strength: share of the calls and the time that the loop explains, less for few
 *         iterations, unlike iterations, threads that do not follow, or thin evidence
 * owns    out is initialised here, released with prvcut_call_loop_fini
 * errors  PRVCUT_ENOMEM; PRVCUT_EUSAGE: a sequence is too long; "no loop" is PRVCUT_OK with
 *         out->loop.found false
 * source  n-grams that occur once per iteration (as Alawneh's patterns, but judged by the
 *         regularity of their occurrences), in several alphabets of calls from fine to coarse;
 *         iterations are compared by alignment and weighed against chance
 */
enum prvcut_status prvcut_call_loop_find(struct prvcut_call_loop *out,
                                         const struct prvcut_call_sequence *in, size_t sequences,
                                         struct prvcut_error *err);

struct call_track;

/**
 * The loop that tracks follow which were found in another way.
 *
 * shape   track, in: [sequences], numbered alike (prvcut_call_tracks_align); strength: of the loop
 * owns    out is initialised here, released with prvcut_call_loop_fini, also after a failure
 * errors  PRVCUT_ENOMEM; nobody follows: PRVCUT_OK with out->loop.found false
 */
enum prvcut_status prvcut_call_loop_of_tracks(struct prvcut_call_loop *out,
                                              const struct call_track *track,
                                              const struct prvcut_call_sequence *in,
                                              size_t sequences, double strength,
                                              struct prvcut_error *err);

/**
 * Where no call follows the loop on a thread, and its last iteration makes as many calls as others
 * do, that one is whole, however early its last call comes, if what was looked at goes on long
 * enough for it: it ends when the others let expect, or with that. Sets l->open.
 *
 * shape   stop, end: [l->sequences] calls that the loop was sought in; ns
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_loop_close(struct prvcut_call_loop *l, const size_t *stop,
                                          const uint64_t *end, struct prvcut_error *err);

void prvcut_call_loop_fini(struct prvcut_call_loop *l);

/** A loop with the sequences that it was found in; both borrowed. */
struct prvcut_call_side {
    const struct prvcut_call_loop *loop;
    const struct prvcut_call_sequence *in; /**< [loop->sequences] */
};

/**
 * Do two loops, found in different parts of a run, repeat the same code? What an iteration takes,
 * how often it comes and with which of its calls it was said to start makes no difference; a
 * multiple of a loop (ten steps with a report) is another one.
 *
 * shape   *same: whether most threads that follow both go the same way; threads are told by their
 *         number, sequences may stand in any order. False where a loop was not found, or no thread
 *         follows both
 * errors  PRVCUT_ENOMEM
 * source  pairs of neighbouring calls of typical iterations, compared as multisets: by call and
 * call path where the trace tells paths, else by the most of peer and size that stays the same
 *         within each loop
 */
enum prvcut_status prvcut_call_loops_same(bool *same, const struct prvcut_call_side *a,
                                          const struct prvcut_call_side *b,
                                          struct prvcut_error *err);

/**
 * Where a signal's iterations begin, then the end of the last; zeroed is empty. A signal does not
 * tell which place of an iteration is its first: it is the same one in all. An interval over which
 * the signal was not followed (a pause, a mask) is one iteration here.
 */
struct prvcut_signal_borders {
    uint64_t *at; /**< [count] ns, ascending; owned; NULL where they were not followed one by one */
    size_t count;
};

/**
 * Find the outermost loop (>= 3 repetitions) in one signal.
 *
 * shape   in: any number of bins; mask: spans not to be looked at, ascending, may be empty; borders
 *         may be NULL, else set here, its array freed by the caller
 * errors  PRVCUT_ENOMEM; "no loop" is PRVCUT_OK with out->found false
 * source  Casas 3.4 and 3.6.1 (wavelet phase, autocorrelation), with the comb of peaks tested
 *         against divisors and multiples
 */
enum prvcut_status prvcut_signal_loop_find(struct prvcut_loop *out, const struct prvcut_signal *in,
                                           const struct prvcut_span *mask, size_t masks,
                                           struct prvcut_signal_borders *borders,
                                           struct prvcut_error *err);

/** The same in the signal of a table, whose iterations keep their time (signal_steady.h). */
enum prvcut_status prvcut_table_loop_find(struct prvcut_loop *out, const struct prvcut_signal *in,
                                          struct prvcut_error *err);

#endif
