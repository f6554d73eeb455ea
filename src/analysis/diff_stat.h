#ifndef PRVCUT_ANALYSIS_DIFF_STAT_H
#define PRVCUT_ANALYSIS_DIFF_STAT_H

#include "analysis/diff.h"

/** No such column, or no such row: all rows together. */
#define PRVCUT_DIFF_NO_COLUMN SIZE_MAX
#define PRVCUT_DIFF_ALL       UINT32_MAX

/** Iterations: where a loop begins and ends is not told more exactly. */
#define PRVCUT_DIFF_OFF_BY 3

/** How a quantity is made of columns: the one, or what it is a part of the other. */
struct prvcut_diff_spec {
    enum prvcut_diff_quantity quantity;
    const char *call;         /**< NULL: none */
    size_t over[2], under[2]; /**< of each run; NO_COLUMN: of `over` no such call is made, of
                                   `under` it is no ratio */
};

/** Stretches of a run of as many iterations each, which tell how it drifts. */
#define PRVCUT_DIFF_STRETCHES 8

/** What iterations of a run are stretch by stretch. */
struct prvcut_diff_drift {
    double at[PRVCUT_DIFF_STRETCHES]; /**< median, or mean, of each */
    double noise;                     /**< standard deviation about these */
    bool told;                        /**< there are enough iterations */
};

/** What a quantity is in a run, or on one of its rows. */
struct prvcut_diff_stat {
    double median, spread; /**< of the clear iterations, or of all where none is */
    double low, high;      /**< the middle half of these lies between */
    double mean, total;    /**< of the loop */
    double deviation;      /**< standard, of the iterations that are looked at */
    double clear, all;     /**< how many iterations these are */
    struct prvcut_diff_drift medians, means; /**< of the clear ones, of all */
    double below, above; /**< how far the median of the clear ones may be off by chance, whatever
                              they are like: 4 standard errors, 3 of few */
    bool told;
};

/** shape: room: [r->iterations] */
struct prvcut_diff_stat prvcut_diff_measure(const struct prvcut_diff_run *r,
                                            const struct prvcut_diff_spec *spec, unsigned side,
                                            uint32_t row, double *room);

/**
 * Are the means of all iterations so far apart that it is hardly chance? Less than what a change is
 * proven by: three standard errors, of the iterations or of the pairs of one number, on which the
 * stretches of the runs agree.
 *
 * row     PRVCUT_DIFF_ALL: the average over all
 * shape   room: [2][iterations of either run]
 */
bool prvcut_diff_likely(const struct prvcut_diff_run run[2], const struct prvcut_diff_spec *spec,
                        uint32_t row, double *const room[2]);

/** A judgement on two of them. */
struct prvcut_diff_verdict {
    enum prvcut_diff_way way;
    double difference; /**< of medians, or of means where these changed */
    double least;      /**< as of prvcut_diff_row */
};

/**
 * Did it change? Of B and A the same as of A and B.
 *
 * unit    what 1 % is taken of; 0: a count, for which any difference may be one
 * row     one of many, of which it is not known that any changed
 * known   the runs differ in what this may be the cause of: how they drift is no excuse
 * only    judged by medians, or by means, alone; PRVCUT_DIFF_SAME: by whichever tells
 */
struct prvcut_diff_verdict prvcut_diff_judge(const struct prvcut_diff_stat *a,
                                             const struct prvcut_diff_stat *b, double unit,
                                             bool row, bool known, enum prvcut_diff_way only);

#endif
