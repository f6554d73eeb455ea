#ifndef PRVCUT_SAMPLE_H
#define PRVCUT_SAMPLE_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How intervals are chosen to stand for all. Numbered once and for ever. */
enum prvcut_technique {
    PRVCUT_TECHNIQUE_SSP = 0, /**< the one whose misses are nearest to the mean */
    PRVCUT_TECHNIQUE_LSP = 1, /**< those in a row whose mean is nearest to it */
    PRVCUT_TECHNIQUE_MSP = 2  /**< one of each cluster of misses, with the cluster's weight */
};

/** What prvcut_sample_series and prvcut_sample_trace are told; zeroed is valid. */
struct prvcut_sample_options {
    size_t size;           /**< sizeof this struct; 0: the fields up to level */
    const char *choose_by; /**< counter; NULL: L1 data misses, else cycles */
    const char *predict;   /**< counter, an instruction; NULL: cycles */
    uint32_t clusters;     /**< 1 to 64; 0: 4 */
    const double *length;  /**< [lengths] of an interval, in periods (0.2 is a fifth); NULL: 0.2,
                                0.4 .. 2 */
    size_t lengths;
    double period;           /**< of a series: intervals; of a trace: ns; 0: it is sought */
    const char *plan;        /**< of a trace: "A,B;C,D", counters of which those between ';' cannot
                                  be counted together; NULL: no plan */
    struct prvcut_span only; /**< of a trace: ns, sample there; end 0: the longest region */
    unsigned level;          /**< of a trace: of its loops, 1 is the outermost; 0: 1 */
};

/** An interval that was chosen. Closed. */
struct prvcut_sample_pick {
    uint64_t interval; /**< from 0 */
    double weight;     /**< of all; they add up to 1 */
};

/** What one technique chose at one length. A view, which grows at its end. */
struct prvcut_sample_choice {
    enum prvcut_technique technique;
    size_t picks;         /**< of prvcut_sample_pick; clusters in the order of their misses */
    double value;         /**< what the picks predict for the whole */
    double error_percent; /**< how far it is off; >= 0 */
};

/** A length of intervals. A view, which grows at its end. */
struct prvcut_sample_length {
    double periods;     /**< as it was asked for */
    uint64_t bins;      /**< that make an interval */
    uint64_t intervals; /**< whole ones; 0: not one is as long */
    const char *reason; /**< constant, why there are no choices; NULL: there are three */
};

/** What the plan counts of one counter. A view, which grows at its end. */
struct prvcut_sample_plan {
    const char *counter;
    size_t group;              /**< from 0 */
    struct prvcut_span window; /**< ns, one iteration */
    double counted;            /**< there; NAN: the trace does not count it */
    double run, loop;          /**< what that predicts for all of the run, and for the window */
    double real;               /**< of the run; NAN: not known */
    double error_percent;      /**< NAN: not known; >= 0 */
};

/** Which of a run's intervals stand for it, and how well: a view, which grows at its end. */
struct prvcut_sample {
    const char *name;      /**< of the file */
    const char *choose_by; /**< counter; borrowed */
    const char *predict;   /**< counter */
    uint64_t bins;         /**< of the series, or that a trace was divided into */
    double period;         /**< bins */
    bool period_given;
    double whole;            /**< predict of all bins, an instruction */
    uint32_t clusters;       /**< that were asked for */
    bool of_time;            /**< bins are as long, not as many instructions */
    struct prvcut_span span; /**< ns, of a trace; end 0: of a series */
    double bin_ns;           /**< of a trace; 0 of a series */
    size_t lengths;          /**< of prvcut_sample_length */
    size_t warnings;         /**< of prvcut_sample_warning */
    size_t groups;           /**< of the plan; 0: none was asked for */
    size_t planned;          /**< of prvcut_sample_plan */
    double iterations;       /**< of a trace: that the window holds */
    uint64_t end_ns;         /**< of a trace: of the run */
    const char *no_loop;     /**< why there is none; NULL: there is */
    const char *reason;      /**< constant, why nothing can be chosen (no counters); NULL: it can */
};

/**
 * Sample a series: a table with a line of names, then one line an interval, with ';' or ','
 * between; or what 'perf stat -I -x,' writes. The column 'instructions' must be there.
 *
 * owns    *out is the caller's, released with prvcut_sample_free; NULL after a failure
 * errors  PRVCUT_NONE: nothing repeats, and no period is given; *out is there all the same, without
 *         lengths; PRVCUT_EUSAGE: no such counter, options that make no sense; PRVCUT_EFORMAT with
 *         the line; PRVCUT_EIO
 * source  Casas' thesis, chapter 5: SSP, LSP, MSP by lengths that are parts of the period
 */
PRVCUT_API enum prvcut_status prvcut_sample_series(const char *path, const struct prvcut_run *run,
                                                   const struct prvcut_sample_options *options,
                                                   struct prvcut_sample **out,
                                                   struct prvcut_error *err);

/**
 * Sample a trace: its counters in equal bins, 20 an iteration, of the longest region of a level, or
 * of `only`. With a period and `only` nothing is searched.
 *
 * errors  PRVCUT_NONE: no loop, and no period is given; PRVCUT_EUSAGE: no such counter,
 *         options that make no sense; PRVCUT_ELIMIT: more than 52,428 iterations; else as a scan
 */
PRVCUT_API enum prvcut_status prvcut_sample_trace(struct prvcut_trace *trace,
                                                  const struct prvcut_run *run,
                                                  const struct prvcut_sample_options *options,
                                                  struct prvcut_sample **out,
                                                  struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_sample_free(struct prvcut_sample *s);

/** When an interval is, of a trace: what a cut takes as --from and --to; an empty one of a series.
 */
PRVCUT_API struct prvcut_span prvcut_sample_window(const struct prvcut_sample *s, size_t length,
                                                   uint64_t interval);
/** Line i of the plan; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_sample_plan *prvcut_sample_plan(const struct prvcut_sample *s,
                                                               size_t i);

/** Length i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_sample_length *prvcut_sample_length(const struct prvcut_sample *s,
                                                                   size_t i);
/** What a technique chose at length i; borrowed; NULL: it has none. */
PRVCUT_API const struct prvcut_sample_choice *prvcut_sample_choice(const struct prvcut_sample *s,
                                                                   size_t i,
                                                                   enum prvcut_technique technique);
/** Its picks, [picks]; borrowed; NULL: it has none. */
PRVCUT_API const struct prvcut_sample_pick *prvcut_sample_picks(const struct prvcut_sample *s,
                                                                size_t i,
                                                                enum prvcut_technique technique);
/** The length at which a technique is off least and does not take all intervals, the shortest of
    equals; SIZE_MAX: none. */
PRVCUT_API size_t prvcut_sample_best(const struct prvcut_sample *s,
                                     enum prvcut_technique technique);
/** One line: what makes the answer less sure; borrowed; NULL beyond the last. */
PRVCUT_API const char *prvcut_sample_warning(const struct prvcut_sample *s, size_t i);

/** "SSP"; constant. */
PRVCUT_API const char *prvcut_technique_text(enum prvcut_technique technique);

/**
 * Write the clusters of a length for simulators that read SimPoint files, such as gem5:
 * PREFIX.simpoints ("INTERVAL CLUSTER"), PREFIX.weights ("WEIGHT CLUSTER") and, where bins are of
 * time, PREFIX.starts ("INSTRUCTIONS CLUSTER": how many come before the interval).
 *
 * errors  PRVCUT_EEXIST, PRVCUT_EIO; PRVCUT_EUSAGE: the length has no choices
 */
PRVCUT_API enum prvcut_status prvcut_sample_simpoints(const struct prvcut_sample *s, size_t length,
                                                      const char *prefix, bool force,
                                                      struct prvcut_error *err);

/** For a person: how far each choice is off, by length, and the best. Free *text. */
PRVCUT_API enum prvcut_status prvcut_sample_text(const struct prvcut_sample *s, char **text,
                                                 struct prvcut_error *err);
/** One line an interval that was chosen. Free *text. */
PRVCUT_API enum prvcut_status prvcut_sample_csv(const struct prvcut_sample *s, char **text,
                                                struct prvcut_error *err);
/** Schema "prvcut-sample". Free *text. */
PRVCUT_API enum prvcut_status prvcut_sample_json(const struct prvcut_sample *s, char **text,
                                                 struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
