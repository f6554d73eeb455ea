#ifndef GEN_TRUTH_H
#define GEN_TRUTH_H

#include "gen_lines.h"
#include "gen_options.h"

#define GEN_LISTED 100000

struct gen_start {
    uint64_t first, last, one;
};

struct gen_mask {
    const char *cause;
    uint64_t start, end;
    uint32_t application, task, thread; /**< from 1; application 0: all threads */
};

struct gen_phase {
    uint64_t start, end, iterations;
    double mean, median;
    uint64_t level_sum[GEN_LEVELS], level_seen[GEN_LEVELS]; /**< of nested loops, ns */
};

struct gen_application {
    uint64_t start, end, iterations;
};

/** What is true of the trace, collected while it is made. */
struct gen_truth {
    struct gen_start *starts;
    uint64_t iterations; /**< may exceed GEN_LISTED */
    uint64_t *lengths;   /**< of iterations of task 1; a fair sample once there are too many */
    uint64_t lengths_seen, lengths_sum;
    uint64_t lengths_from, sum_from; /**< where the present phase began in them */
    struct gen_mask *masks;
    uint64_t masks_seen;
    struct gen_phase phases[2];
    uint64_t phase_count;
    uint64_t level_sum[GEN_LEVELS], level_seen[GEN_LEVELS]; /**< of the phase under way */
    uint64_t *inner;                                        /**< borders, iteration by iteration */
    uint64_t inner_seen;
    struct gen_application application[GEN_APPLICATIONS];
    struct gen_mask *bystanders;
    uint64_t bystanders_seen;
    uint64_t loop_start, loop_end, duration;
};

void gen_truth_init(struct gen_truth *t);
void gen_truth_fini(struct gen_truth *t);
void gen_truth_start(struct gen_truth *t, struct gen_start s);
/** Length of an iteration on task 1; draw is any random number. */
void gen_truth_length(struct gen_truth *t, uint64_t length, uint64_t draw);
/** An iteration of a nested loop, level from 0, began and ended; `last` of its loop. */
void gen_truth_inner(struct gen_truth *t, uint64_t level, const uint64_t span[2], bool last);
/** Its cause is its kind. */
void gen_truth_bystander(struct gen_truth *t, struct gen_mask b);
void gen_truth_mask(struct gen_truth *t, struct gen_mask m);
/** The loop that began at `start` is over. */
void gen_truth_phase(struct gen_truth *t, uint64_t start, uint64_t end, uint64_t iterations);
void gen_truth_write(const struct gen_truth *t, const struct gen_options *o,
                     const struct gen_lines *l, int argc, char **argv);

#endif
