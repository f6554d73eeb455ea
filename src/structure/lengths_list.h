#ifndef PRVCUT_STRUCTURE_LENGTHS_LIST_H
#define PRVCUT_STRUCTURE_LENGTHS_LIST_H

#include "structure/lengths.h"
#include "structure/parameters.h"

/** Of all iterations: so many do not stand out, they are a second kind. */
#define PRVCUT_LENGTHS_MANY 0.25

/** Of a length: who is less longer or shorter is as long as others, and never unusual. */
#define PRVCUT_LENGTHS_UNLIKE 0.05

/** Lengths of the iterations that no mask touches. */
struct lengths_list {
    double *at;        /**< [count] ns; owned */
    size_t *iteration; /**< [count]: which; owned */
    size_t count;
    double followed; /**< where they are judged: times that distances are too small, for each length
                          is one of those that it is compared with */
    double deviation; /**< where they are judged: the share of a length that is one such */
    double far;       /**< where they are judged: robust standard deviations that make an outlier */
    size_t among;     /**< so many are judged like these, as the threads of a run: one of them is
                           sooner far off by chance; 0: these alone */
    double clear[2];  /**< where they are judged: from so many on longer ones, and shorter ones, are
                           clear of the tail of the others; HUGE_VAL: none is */
};

/** owns out is initialised here, released with prvcut_lengths_drop. errors PRVCUT_ENOMEM */
enum prvcut_status prvcut_lengths_take(struct lengths_list *out, const uint64_t *border,
                                       size_t borders, const struct prvcut_span *mask, size_t masks,
                                       struct prvcut_error *err);

/**
 * The same, but how far each length is from what is usual around it, in robust standard deviations.
 *
 * shape   *out: empty where there are fewer than 3
 * owns    out is initialised here, released with prvcut_lengths_drop
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_lengths_judge(struct lengths_list *out, const uint64_t *border,
                                        size_t borders, const struct prvcut_span *mask,
                                        size_t masks, struct prvcut_error *err);

/**
 * Replace each length by its distance from what is usual, as a share of that; sets l->followed.
 *
 * shape   least: a share; spreads below are alike; room: [2][l->count]
 */
void prvcut_lengths_usual(struct lengths_list *l, double least, double *room[2]);

/**
 * Which of the lengths, as shares of what is usual, are clear of the tail of the others: l->clear,
 * as such shares. Who only is the farthest of many is so by chance.
 *
 * shape   least: a share, from which on they may stand out; l->deviation: of the others, 0 by the
 *         median distance; room: [l->count]
 */
void prvcut_lengths_clear(struct lengths_list *l, double least, double *room);

/**
 * The same list once more, after some of its lengths were changed: which are clear of the others.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_lengths_judge_again(struct lengths_list *judged,
                                              struct prvcut_error *err);

/**
 * A loop's last iteration, which is not among the judged ones for it ends with its last call: is so
 * much of it missing that it is unusual?
 *
 * shape   length: ns; reach: of the others until their last call begins, median, ns
 */
void prvcut_lengths_judge_last(struct lengths_list *judged, size_t iteration, double length,
                               double reach);

void prvcut_lengths_drop(struct lengths_list *l);

/** Iterations that stand out: longer or shorter than what is usual around them (drift does not
   count) by more than 3 robust standard deviations (the list's far) and 1 % of it, and are clear
   of the tail of the others. */
struct lengths_far {
    struct prvcut_outlier *at; /**< [count] most unusual first, at most PRVCUT_OUTLIERS_MAX; NULL:
                                    none; owned by who asked */
    size_t count;
    uint64_t seen; /**< all of them */
};

/**
 * Those among iterations [range[0], range[1]), counted from the first of these.
 *
 * shape   judged: by prvcut_lengths_judge of these borders
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_lengths_far(struct lengths_far *out, const struct lengths_list *judged,
                                      const uint64_t *border, const size_t range[2],
                                      struct prvcut_error *err);

#endif
