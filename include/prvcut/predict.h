#ifndef PRVCUT_PREDICT_H
#define PRVCUT_PREDICT_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a speedup is the product of. Numbered once and for ever. */
enum prvcut_factor {
    PRVCUT_FACTOR_LOAD_BALANCE = 0,
    PRVCUT_FACTOR_SERIALIZATION = 1,
    PRVCUT_FACTOR_TRANSFER = 2,
    PRVCUT_FACTOR_COMMUNICATION = 3, /**< serialization x transfer, where these are not told */
    PRVCUT_FACTOR_IPC = 4,           /**< instructions a cycle */
    PRVCUT_FACTOR_FREQUENCY = 5,     /**< GHz */
    PRVCUT_FACTOR_INSTRUCTIONS = 6,  /**< of all threads together, while computing */
    PRVCUT_FACTOR_COMPUTING = 7      /**< ns of all threads together, where no counters tell */
};

/** How a quantity changes with the number of processes P. Numbered once and for ever. */
enum prvcut_fit {
    PRVCUT_FIT_LOGLINEAR = 0, /**< ln y = a + b P */
    PRVCUT_FIT_SEMILOG = 1,   /**< y = a + b ln P */
    PRVCUT_FIT_POWER = 2,     /**< ln y = a + b ln P */
    PRVCUT_FIT_LINEAR = 3,    /**< y = a + b P */
    PRVCUT_FIT_QUADRATIC = 4  /**< y = a + b P + c P^2: of the plain speedup only */
};

/** What prvcut_predict_make is told; zeroed is valid but for processes. */
struct prvcut_predict_options {
    size_t size;               /**< sizeof this struct; 0: the fields up to fitted_count */
    const uint32_t *processes; /**< [processes_count], for how many; 1 to 10^9 each */
    size_t processes_count;
    enum prvcut_fit fit;    /**< of the factors */
    double confidence;      /**< of the intervals, within 0 and 1; 0: 0.8 */
    const uint32_t *fitted; /**< [fitted_count], fit runs on so many processes only; NULL: all */
    size_t fitted_count;
    const struct prvcut_open_options *open; /**< how traces are read; NULL: as they are */
};

/** A run that was measured. A view, which grows at its end. */
struct prvcut_prediction_run {
    const char *name; /**< of the file that it was read from */
    uint32_t processes;
    bool fitted;
    double runtime_ns;
    double speedup;           /**< over the run on the fewest processes that is fitted */
    enum prvcut_factor limit; /**< what changed most since that run */
    double limit_change;      /**< what that made of the speedup: 0.93, of 1; NAN in that run */
};

/** What is predicted for a number of processes. A view, which grows at its end. */
struct prvcut_prediction_point {
    uint32_t processes;
    double speedup, low, high; /**< over the first run that is fitted; NAN: not told */
    double runtime_ns;         /**< NAN: not told */
    double real;               /**< speedup, where such a run was read; else NAN */
    enum prvcut_factor limit;  /**< what changes most since the first run */
    double limit_change;       /**< NAN: not told */
    const char *reason;        /**< constant, why there is no speedup; NULL: there is */
    const char *no_interval;   /**< constant, why there is none; NULL: there is */
};

/** One factor for a number of processes. A view, which grows at its end. */
struct prvcut_prediction_factor {
    enum prvcut_factor factor;
    double first;            /**< in the first run that is fitted */
    double value, low, high; /**< efficiencies are fractions; NAN: not told */
    bool capped;             /**< the fit is above 1, which it cannot be: it is set to 1 */
    const char *reason;      /**< constant, why there is no value; NULL: there is */
};

/** The speedup by another form of fit. A view, which grows at its end. */
struct prvcut_prediction_form {
    enum prvcut_fit fit;
    bool plain;         /**< of the speedup itself; else of its factors */
    double speedup;     /**< NAN: not told */
    const char *reason; /**< constant, why there is none; NULL: there is */
};

/** How runs go on with more processes: a view, which grows at its end. */
struct prvcut_prediction {
    enum prvcut_fit fit;
    double confidence;
    bool weak;       /**< work grows with the processes; the speedup counts it */
    size_t runs;     /**< of prvcut_prediction_run, the fewest processes first */
    size_t points;   /**< of prvcut_prediction_point, in the order that was asked for */
    size_t factors;  /**< of prvcut_prediction_factor of each point */
    size_t forms;    /**< of prvcut_prediction_form of each point */
    size_t warnings; /**< of prvcut_prediction_warning */
};

/**
 * Predict the speedup for other numbers of processes: each of its factors is fitted as it changes
 * over the runs, and the speedup is their product. The speedup itself is fitted, too, to compare.
 *
 * shape   file: [files] traces, a run each, and tables of factors as 'prvcut efficiency --csv' and
 *         basicanalysis write them ("modelfactors.csv"), of one run or more; "-" is a table;
 *         together at least two on different numbers of processes
 * owns    *out is the caller's, released with prvcut_prediction_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: too few runs, no number of processes, a run that is to be fitted is not
 *         there; PRVCUT_EFORMAT with the line: no such table, or no number; PRVCUT_EIO; of traces
 *         as prvcut_trace_open and prvcut_efficiency_make
 * source  Casas' thesis, chapter 4; intervals by Student's t
 */
PRVCUT_API enum prvcut_status prvcut_predict_make(const char *const *file, size_t files,
                                                  const struct prvcut_run *run,
                                                  const struct prvcut_predict_options *options,
                                                  struct prvcut_prediction **out,
                                                  struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_prediction_free(struct prvcut_prediction *p);

/** Run i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_prediction_run *prvcut_prediction_run(
    const struct prvcut_prediction *p, size_t i);
/** What run i has of a factor; NAN: not told, or not one of the factors. */
PRVCUT_API double prvcut_prediction_measured(const struct prvcut_prediction *p, size_t i,
                                             enum prvcut_factor factor);
/** Point i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_prediction_point *prvcut_prediction_point(
    const struct prvcut_prediction *p, size_t i);
/** Factor i of a point; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_prediction_factor *prvcut_prediction_factor(
    const struct prvcut_prediction *p, size_t point, size_t i);
/** Form i of a point: those of the factors, then those of the plain speedup; borrowed; NULL beyond
    the last. */
PRVCUT_API const struct prvcut_prediction_form *prvcut_prediction_form(
    const struct prvcut_prediction *p, size_t point, size_t i);
/** One line: why the prediction may be wrong; borrowed; NULL beyond the last. */
PRVCUT_API const char *prvcut_prediction_warning(const struct prvcut_prediction *p, size_t i);

/** "load_balance": a field of JSON, a column of CSV; constant. */
PRVCUT_API const char *prvcut_factor_text(enum prvcut_factor factor);
/** "loglinear"; constant. */
PRVCUT_API const char *prvcut_fit_text(enum prvcut_fit fit);

/** For a person: the speedup, what limits it, the factors, and other forms side by side. Free
 *text. */
PRVCUT_API enum prvcut_status prvcut_prediction_text(const struct prvcut_prediction *p, char **text,
                                                     struct prvcut_error *err);
/** One line a run and a point; a column is empty where nothing is told. Free *text. */
PRVCUT_API enum prvcut_status prvcut_prediction_csv(const struct prvcut_prediction *p, char **text,
                                                    struct prvcut_error *err);
/** Schema "prvcut-predict". Free *text. */
PRVCUT_API enum prvcut_status prvcut_prediction_json(const struct prvcut_prediction *p, char **text,
                                                     struct prvcut_error *err);
/** A drawing (SVG) of the speedup over the processes: runs, predictions with intervals, other
   forms. Free *text. */
PRVCUT_API enum prvcut_status prvcut_prediction_svg(const struct prvcut_prediction *p,
                                                    const char *title, char **text,
                                                    struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
