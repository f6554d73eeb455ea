#ifndef PRVCUT_STRUCTURE_SEPARATE_GAPS_H
#define PRVCUT_STRUCTURE_SEPARATE_GAPS_H

#include "structure/separate_classes.h"
#include "structure/spread.h"

/** What can be said of a separator on one thread: N of its places, and the gaps between them. */
struct separate_loop {
    uint32_t *place;     /**< [count]: calls, ascending; owned */
    size_t count;        /**< at least 3 */
    size_t before;       /**< places of the class before these */
    size_t trimmed;      /**< 0, or how far before the first of these the last place is that was
                              left out, with a first gap or others unlike the rest, calls */
    size_t after;        /**< and behind them */
    bool begins, ends;   /**< something that no gap holds comes before, and behind: the run is seen
                              to begin and to end */
    uint64_t start, end; /**< ns, of the first and the last place */
    double period;       /**< mean length of a gap, ns */
    double gap;          /**< the same, calls */
    double alike;        /**< mean likeness of a gap to what half of them hold, 0..1 */
    double same;         /**< share of the gaps that are like it */
    double same_calls;   /**< the same by single calls instead of transitions */
    double constant;     /**< share of what half of them hold that comes equally often in each */
    double time;         /**< share of the thread's time, with the last iteration */
    double calls;        /**< and of its calls */
    double run;          /**< share of the time of all its calls, not only of the common ones */
    struct prvcut_spread spread;   /**< of the lengths of the gaps */
    struct prvcut_spread in_calls; /**< the same of their numbers of calls */
    double anchors, purity;
    unsigned lengths; /**< bits: enum separate_length */
    bool common;      /**< by the calls that all threads have in common; places are among these */
};

struct separate_loops {
    struct separate_loop *at; /**< [count]; owned */
    size_t count, room;
};

/**
 * Cut the class where what its gaps hold changes for good, leave out first and last gaps that are
 * unlike the others, and measure each part.
 *
 * owns    what is added to out is released with prvcut_separate_loops_fini
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_separate_loops_add(struct separate_loops *out,
                                             const struct separate_class *k,
                                             const struct separate_calls *c,
                                             struct prvcut_error *err);

/** Of what iterations hold: an end that is one, too. */
#define SEPARATE_WHOLE 0.75

/** The calls around a loop's places that still belong to it. */
struct separate_ends {
    size_t front, end;    /**< [front, first place) and [last place, end) */
    double before, after; /**< how much of what half of the gaps hold is in these, 0..1; 0 also
                               where the class goes on there */
    double around;        /**< that of [last place - back, end), at least after */
    double first;         /**< the same of [front, first place) where a first gap was left out */
    double both;          /**< that of [both_front, first place) where as much as an iteration is
                               there and in [last place, both_end), too, and nothing else */
    size_t both_front, both_end; /**< front and end where both are iterations */
    /** calls before each place, and behind it, that are the same at nearly all places, the first
       (the last) among them */
    size_t back, ahead;
};

/** errors PRVCUT_ENOMEM */
enum prvcut_status prvcut_separate_ends_find(struct separate_ends *out,
                                             const struct separate_loop *l,
                                             const struct separate_calls *c,
                                             struct prvcut_error *err);

/** Call at which the iteration of place k begins that separators begin. */
size_t prvcut_separate_begin(const struct separate_loop *l, const struct separate_calls *c,
                             const struct separate_ends *e, size_t k);

/** The call behind the iteration of place k that separators close. */
size_t prvcut_separate_close(const struct separate_loop *l, const struct separate_calls *c,
                             const struct separate_ends *e, size_t k);

void prvcut_separate_loops_fini(struct separate_loops *l);

#endif
