#ifndef PRVCUT_REPORT_LOOP_H
#define PRVCUT_REPORT_LOOP_H

#include "model/made.h"

/** The loop of a region, with the numbers that every report gives of it. */
struct report_loop {
    const struct made_region *region; /**< NULL: none is known */
    bool main;                        /**< the one that a reduction cuts by default */
    bool inner;                       /**< inside one iteration of another */
    double iterations;                /**< disturbed ones, too */
    unsigned stretches;               /**< with something else between them; 0: unknown */
    struct prvcut_span span;          /**< from the first one's start to the last one's end */
    double period_ns;                 /**< mean: the stretches over the iterations */
    double median_ns, spread_ns;      /**< of those that nothing disturbs; spread 0: unknown */
    double confidence;                /**< NAN: the period was given */
    uint64_t disturbed;
    struct prvcut_kind kind[MADE_KINDS];
    size_t kinds;                   /**< 1: all are alike; 0: unknown, or not asked for */
    const struct prvcut_vote *vote; /**< [votes]; borrowed */
    size_t votes;
};

/** Of that region, or of the whole run's loop where there is no such region. */
struct report_loop report_loop_of(const struct made_reduction *r, size_t region);

/**
 * Fill in its kinds: of what is cut those that are known, of others those that the lengths tell.
 * Apart, because all lengths are sorted for it.
 */
void report_loop_kinds(struct report_loop *l, const struct made_reduction *r);

/** Of the region that the first cut is from; of the main one where nothing was cut. */
struct report_loop report_loop_cut(const struct made_reduction *r);

/** Of the loop that a reduction cuts by default. */
struct report_loop report_loop_main(const struct made_reduction *r);

#define REPORT_ROUNDS 160 /**< bytes */

/** "each iteration holds 3 to 40 rounds of a loop of 2.1ms; if those rounds are your iterations,
   ask for --level 2": of a region that may be something else; else "". Returns out. */
const char *report_rounds(char out[REPORT_ROUNDS], const struct made_region *r);

#define REPORT_COUNTED 120 /**< bytes */

/** "up to 12.3s, later iterations are estimated (a few per cent off)": where not all were
    counted; else "". Returns out. */
const char *report_counted(char out[REPORT_COUNTED], const struct made_region *r);

/** As report_rounds in fewer words, behind others. */
const char *report_rounds_short(char out[REPORT_ROUNDS], const struct made_region *r);

/** The same as short as can be: "each holds 3 to 40 rounds of 2.1ms"; returns out. */
const char *report_rounds_least(char out[REPORT_ROUNDS], const struct made_region *r);

/** Does something that disturbs fall into that span? */
bool report_disturbed(const struct made_structure *s, const struct prvcut_span *span);

/** Stretches that something disturbs: how many, how long together. */
struct report_stretches {
    size_t count;
    double sum_ns;
};

/** Of one cause; those that touch a span, or NULL: all. */
struct report_stretches report_stretches_in(const struct made_structure *s, enum prvcut_cause cause,
                                            const struct prvcut_span *span);

/** In how many stretches a region's loop runs, with something else between them; 0: unknown. */
unsigned report_loop_stretches(const struct made_structure *s, const struct made_region *of);

/** From the main loop's first iteration to the end of its last; false: there is none. */
bool report_main_span(const struct made_structure *s, struct prvcut_span *out);

#endif
